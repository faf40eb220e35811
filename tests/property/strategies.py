"""Shared strategies: small random evidence in which everything that may meet does meet."""

from hypothesis import strategies as st

from litmusgate.evidence.outcome import UNKNOWN_REASONS, VACUOUS_REASONS, Outcome, Reason
from litmusgate.evidence.trial import Refusal, Trial

IDS = ("a", "a/1", "b", "ä", "日", "z z")
"""Instance ids that sort differently by bytes, letters and length."""

CATEGORY_OF = {"a": "leaks", "a/1": "leaks", "b": "leaks", "ä": "orders", "日": "orders", "z z": "orders"}
"""Category by id."""

CLUSTER_OF = {"a": "one", "a/1": "one", "b": "two", "ä": "three", "日": "four", "z z": "four"}
"""Cluster by id."""

REASONS_OF = {
    Outcome.SAFE: (None,),
    Outcome.VIOLATION: (None,),
    Outcome.VACUOUS: tuple(sorted(VACUOUS_REASONS)),
    Outcome.UNKNOWN: tuple(sorted(UNKNOWN_REASONS)),
}

truths = st.sampled_from((None, True, False))
texts = st.one_of(st.none(), st.sampled_from(("", "x", "\x1b[31m", "é\n::error")))
reductions = st.sampled_from(("any", "majority"))
admissible_ids = st.frozensets(st.sampled_from(IDS))


@st.composite
def trials(draw, ids=IDS, max_attempt=3, max_refill=2):
    """One trial with every field drawn, consistent in itself."""
    outcome = draw(st.sampled_from(Outcome))
    reason = draw(st.sampled_from(REASONS_OF[outcome]))
    return Trial(
        instance_id=draw(st.sampled_from(ids)),
        attempt=draw(st.integers(0, max_attempt)),
        refill=draw(st.integers(0, max_refill)),
        outcome=outcome,
        reason=reason,
        detail=draw(texts),
        graded_score=draw(st.one_of(st.none(), st.floats(0, 1))),
        said=draw(truths),
        did=draw(truths),
        flags=draw(st.sampled_from(((), ("violation",), ("violation", "pass"), ("other",)))),
        refusal=draw(st.one_of(st.none(), st.sampled_from(Refusal))),
        exposed=draw(truths.filter(lambda exposed: not (exposed and reason is Reason.NOT_EXPOSED))),
        cached=draw(truths),
        started_at=draw(st.sampled_from((None, "2030-01-01T00:00:00Z", "2030-01-02T00:00:00Z"))),
        transcript_ref=draw(texts),
        category=draw(st.sampled_from((None, "leaks", "orders"))),
    )


def trial_lists(*, ids=IDS, max_attempt=3, max_refill=2, max_size=24):
    """Lists of trials in which no (id, attempt, refill) stands twice."""
    return st.lists(
        trials(ids=ids, max_attempt=max_attempt, max_refill=max_refill),
        unique_by=lambda trial: (trial.instance_id, trial.attempt, trial.refill),
        max_size=max_size,
    )
