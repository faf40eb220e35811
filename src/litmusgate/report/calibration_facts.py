"""What every report of a calibration says, as sentences and tables of text cells."""

from __future__ import annotations

from litmusgate.provenance.tau_roc import LEAST_PLANTED, LEAST_TAU, NoTau, lower_bound
from litmusgate.report.calibration_curves import Table
from litmusgate.report.calibration_document import KindShown, TauDocument
from litmusgate.report.calibration_embedding_facts import embedding_facts, embedding_tables
from litmusgate.report.calibration_ids import named, shown_ids
from litmusgate.report.phrases import many, percent

NO_LABELS = "no canary labels: calibrated on planted copies alone"

REMEDIES = {
    NoTau.TOO_FEW_NEGATIVES: "calibrate with more instances or hard negatives, or declare a larger --max-false",
    NoTau.TOO_FEW_PLANTS: "calibrate with a suite of more instances that can be assessed",
    NoTau.FALSE_POSITIVES: "look at the nearest negatives: name those that are copies with --known",
    NoTau.RECALL: "look at the nearest negatives, or declare a smaller --min-recall",
    NoTau.DISPUTED: "name the instances that are copies with --known, those that are not with --clean",
}
"""What to do where there is no τ."""


def headline(document: TauDocument) -> str:
    """One line: the τ, or that there is none and why."""
    if document.tau is None:
        return f"no tau: {document.detail}"
    return f"tau {document.tau}"


def summary(document: TauDocument) -> tuple[str, ...]:
    """The sentences under the headline."""
    corpus = document.corpus
    source = f"index {corpus.index}" if corpus.index else f"texts {corpus.texts}"
    lines = [
        *([] if document.problem is None else [f"fix: {REMEDIES[document.problem]}"]),
        *_promise(document),
        f"suite {document.suite.name} {document.suite.version}, {document.suite.digest}",
        (
            f"sample of {source}: {many(corpus.sampled_documents, 'document')} of {corpus.documents}, "
            f"{corpus.sampled_bytes} of {corpus.text_bytes} bytes; the false positives are those of so much text"
        ),
        (
            f"{many(document.planted, 'instance')} planted into documents that share nothing with the suite "
            f"({document.hosts} of them), seed {document.seed}"
        ),
        _left_out(document),
    ]
    if document.disputed:
        lines.append(f"may be copies, and nobody looked: {shown_ids(document.disputed)}")
    if corpus.not_sampled:
        lines.append(
            f"not sampled, as the index keeps only hashes of their texts: {shown_ids(corpus.not_sampled)}; what stands in "
            "them is planted nowhere, makes no false positive and leaves no instance out"
        )
    if document.channels[0].negatives.hard == 0:
        lines.append("no hard negatives: none were given, and the suite has no boilerplate to make some of")
    if document.embedding is not None:
        lines += embedding_facts(document.embedding, document.channels[2])
    return tuple(lines)


def tables(document: TauDocument) -> tuple[Table, ...]:
    """All tables in the order of reports; the curves stand apart."""
    found = [_kinds(document), _nearest(document)]
    if document.canary is not None:
        found.append(_canary(document))
    if document.embedding is not None:
        found += embedding_tables(document.embedding)
    return tuple(table for table in found if table.rows)


def disagreements(document: TauDocument) -> tuple[str, ...]:
    """The two ways in which canary and similarity disagree, with counts and ids; or the stamp that there are no labels."""
    if document.canary is None:
        return (NO_LABELS,)
    if document.tau is None:
        return ("without a tau nothing is contaminated or clean, so there is no disagreement to name",)
    clean, failed = document.canary.passes_that_look_clean, document.canary.contaminated_that_fail
    return (
        f"passes of the canary that look clean: {len(clean)}{named(clean)}",
        f"contaminated instances that the canary fails: {len(failed)}{named(failed)}",
    )


def _promise(document: TauDocument) -> list[str]:
    if document.tau is None:
        return []
    channel = document.channels[0]
    point = next(item for item in channel.points if item.threshold == document.tau)
    lines = [
        (
            f"false positives: {point.false.instances} of {channel.negatives.instances} instances against the sample, "
            f"at most {percent(document.bound_instances)} with 95 % confidence (exact)"
        )
    ]
    if channel.negatives.hard:
        lines.append(
            f"false positives: {point.false.hard} of {channel.negatives.hard} hard negatives, "
            f"at most {percent(document.bound_hard)} with 95 % confidence (exact)"
        )
    weakest = min((kind for kind in document.kinds if _is_judged(kind)), key=_recall)
    low = percent(lower_bound(weakest.similar or 0, weakest.planted))
    lines.append(
        f"recall of the weakest kind of copy, {weakest.name}: {weakest.similar} of {weakest.planted}, "
        f"at least {low} with 95 % confidence"
    )
    lines.append(f"it is the lowest from 0.{LEAST_TAU} on that keeps the declared bounds")
    return lines


def _is_judged(kind: KindShown) -> bool:
    return kind.must_match and kind.planted >= LEAST_PLANTED


def _recall(kind: KindShown) -> tuple[float, str]:
    return (kind.similar or 0) / kind.planted, kind.name


def _left_out(document: TauDocument) -> str:
    left = document.left_out
    reasons = (
        (left.canary_passed, "passed by the canary"),
        (left.named, "named as known"),
        (left.present, "standing in the sample"),
        (left.not_assessable, "not assessable"),
    )
    parts = [f"{len(ids)} {what}{named(ids)}" for ids, what in reasons if ids]
    return "left out of the negatives: " + ("; ".join(parts) if parts else "nobody")


def _kinds(document: TauDocument) -> Table:
    rows = tuple(
        (
            kind.name + ("" if kind.must_match else " *"),
            str(kind.planted),
            *("-" if count is None else str(count) for count in (kind.similar, kind.by_run)),
            *("-" if count is None else str(count) for count in (kind.contaminated, kind.suspect)),
        )
        for kind in document.kinds
    )
    return Table(
        title="Planted copies by kind",
        headers=("kind", "planted", "at tau", "by run", "contaminated", "suspect"),
        rows=rows,
        note="* is for the run rule and for review; tau need not find it. edit-N: N % of the words changed",
    )


def _nearest(document: TauDocument) -> Table:
    rows = tuple(
        (item.instance, f"{item.similarity:.3f}", str(item.run), item.kind.value, item.document)
        for item in document.nearest
    )
    return Table(
        title="Nearest negatives",
        headers=("instance", "similarity", "run", "kind", "document"),
        rows=rows,
        note="look at these: a copy among them belongs into --known",
    )


def _canary(document: TauDocument) -> Table:
    bands = [] if document.canary is None else document.canary.bands
    ends = [*(band.least for band in bands[1:]), None]
    rows = tuple(
        (_band(band.least, end), str(band.passed), str(band.failed), str(band.unlabelled))
        for band, end in zip(bands, ends, strict=True)
    )
    return Table(
        title="Canary against similarity",
        headers=("similarity to the sample", "passes", "fails", "no label"),
        rows=rows,
        note="a pass shows recall: the canary is too weak to be safe by itself",
    )


def _band(least: str | None, end: str | None) -> str:
    if least is None:
        return "not assessable"
    return f"{least} to 1" if end is None else f"{least} to below {end}"
