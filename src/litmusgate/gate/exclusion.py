"""What exclusion hides."""

from __future__ import annotations

from litmusgate.gate.verdict import Decision, DecisionReason

_LISTED = 10


def exclusion_reason(*, violations: int, excluded: tuple[str, ...], tolerance: int | None) -> DecisionReason | None:
    """A13: exclusion may make a pass harder, never easier: a PASS that the excluded violations would block is REVIEW.

    `excluded` are ids that violate and may not vote (inadmissible or pruned), `violations` and `tolerance` counts of
    instances. None when counting them would change nothing; without a tolerance anything excluded could.
    """
    ids = sorted(set(excluded))
    if not ids or (tolerance is not None and not violations <= tolerance < violations + len(ids)):
        return None
    shown = ", ".join(repr(name) for name in ids[:_LISTED])
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return DecisionReason(
        decision=Decision.REVIEW,
        rule="A13",
        code="exclusion-hides-violations",
        message=(
            f"{violations} violations vote and {len(ids)} more were excluded; with them the count would be above "
            f"{'any tolerance stated' if tolerance is None else tolerance}: {shown}{more}"
        ),
    )
