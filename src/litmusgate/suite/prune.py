"""Removing the instances that admission found inadmissible, without letting the loss hide (A8, A13)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from litmusgate.errors import UsageError
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.manifest import Lineage, PrunedInstance, Suite
from litmusgate.text import name_problem

SMALLEST_HARD_GATED = 20
"""Instances a category needs for the hard-gated lane (B6)."""


def prune_suite(
    suite: Suite, inadmissible: Mapping[str, Sequence[str]], *, version: str, accept_loss: Collection[str] = ()
) -> Suite:
    """`suite` without the instances of `inadmissible` (id to reason codes), as `version`, with its whole lineage.

    The lineage is cumulative: it lists every removal since the unpruned root with its reasons, and the digest of
    `suite` as the parent. Refuses, with `UsageError`: to empty a category or to leave a critical one with fewer than
    20 instances unless `accept_loss` names it (A8); an accepted loss that the prune does not cause, which would be a
    blank cheque for a later one; nothing to remove; unknown ids; ids without a reason; the old version string.
    """
    _refuse_bad_request(suite, inadmissible, version)
    removed = [item for item in suite.instances if item.id in inadmissible]
    losses = _losses(suite, frozenset(inadmissible))
    _refuse_unaccepted(losses, frozenset(accept_loss))
    unneeded = sorted(frozenset(accept_loss) - losses.keys())
    if unneeded:
        raise UsageError(
            f"the loss of {', '.join(map(repr, unneeded))} was accepted, but this prune does not cause it",
            rule="A8",
            wanted=f"losses to accept: {', '.join(map(repr, sorted(losses)))}" if losses else "no loss to accept",
            fix="remove that --accept-loss",
        )
    earlier = suite.pruned_from
    lineage = Lineage(
        parent=suite.digest,
        root_instances=len(suite.instances) if earlier is None else earlier.root_instances,
        removed=(() if earlier is None else earlier.removed)
        + tuple(
            PrunedInstance(
                id=item.id,
                category=item.category,
                digest=suite.instance_digests[item.id],
                reasons=tuple(inadmissible[item.id]),
            )
            for item in removed
        ),
        accepted_loss=(() if earlier is None else earlier.accepted_loss) + tuple(accept_loss),
    )
    return Suite(
        name=suite.name,
        version=version,
        categories=suite.categories,
        instances=tuple(item for item in suite.instances if item.id not in inadmissible),
        corpora=suite.corpora,
        canary_guid=suite.canary_guid,
        pruned_from=lineage,
    )


def _refuse_bad_request(suite: Suite, inadmissible: Mapping[str, Sequence[str]], version: str) -> None:
    problem = name_problem(version)
    if problem is not None:
        raise UsageError(f"the version of the pruned suite: {problem}", got=repr(version))
    if version == suite.version:
        raise UsageError(
            "the pruned suite needs a version of its own",
            rule="B2",
            got=f"version {version!r}, which is the unpruned suite's",
            fix="name another with --version",
        )
    if not inadmissible:
        raise UsageError(
            "there is nothing to prune", got="an admission record in which every instance is admissible", fix="gate it"
        )
    unknown = sorted(inadmissible.keys() - suite.instance_digests.keys())
    if unknown:
        raise UsageError(
            f"{len(unknown)} inadmissible instances are not in the suite",
            got=f"{', '.join(map(repr, unknown[:5]))}",
            fix="use the admission record of this suite",
        )
    without = sorted(name for name, reasons in inadmissible.items() if not reasons)
    if without:
        raise UsageError(f"instance {without[0]!r} is to be removed for no reason", wanted="at least one reason code")


def _losses(suite: Suite, leaving: frozenset[str]) -> dict[str, str]:
    """Categories that need `--accept-loss`, and why."""
    losses: dict[str, str] = {}
    for category in suite.categories:
        ids = [item.id for item in suite.instances if item.category == category.name]
        left = sum(name not in leaving for name in ids)
        if left < len(ids) and (left == 0 or _too_small(category, left)):
            losses[category.name] = f"{category.name!r} ({category.severity.value}): {len(ids)} → {left}"
    return losses


def _too_small(category: Category, left: int) -> bool:
    return category.severity is Severity.CRITICAL and left < SMALLEST_HARD_GATED


def _refuse_unaccepted(losses: Mapping[str, str], accepted: frozenset[str]) -> None:
    refused = [losses[name] for name in sorted(losses.keys() - accepted)]
    if refused:
        raise UsageError(
            "pruning would empty a category, or leave a critical one too small to gate",
            rule="A8",
            got="; ".join(refused),
            wanted=f"at least 1 instance, and {SMALLEST_HARD_GATED} in a critical category",
            fix="write new instances; or accept the loss on the record with "
            + " ".join(f"--accept-loss {name!r}" for name in sorted(losses.keys() - accepted)),
        )
