"""Drawn verdicts: gate results with hostile names, composed as the gate composes them."""

from hypothesis import strategies as st

from litmusgate.admission.counterfactual import Counterfactual, CounterfactualCategory
from litmusgate.gate.precedence import build_decision
from litmusgate.gate.verdict import (
    BaselineShown,
    CategoryFinding,
    Decision,
    DecisionReason,
    FlipsShown,
    GateResult,
    Lane,
)
from litmusgate.report.compose import EvidenceCounts, compose_verdict
from litmusgate.report.trend import Trend
from litmusgate.suite.category import Severity
from litmusgate.text import name_problem

HOSTILE = (
    "::error file=x::pwned",
    " ::error::indented",
    "##[error]pwned",
    "##vso[task.complete]",
    "a | b | c",
    "<script>alert(1)</script>",
    "<!-- -->",
    "`code` **bold** _it_ ~~x~~ [a](http://evil.example) ![i](x)",
    "@everyone look at #1 and www.evil.example :tada:",
    "\x1b[31mred\x1b[0m",
    "line\nbreak\r\nand\ttab",
    "\x00nul",
    "right\u202eleft",
    "zero\u200bwidth",
    "back\\slash \\x1b",
    "]]> &amp; &#124; \"quoted\" 'too'",
    "\ufffe\uffff",
    "emoji 🎉 漢字 e\u0301",
)
"""Texts that would mean something to a terminal, a CI runner, Markdown, HTML or XML."""

texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=40),
    st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3).map(" ".join),
)
writable_texts = texts.map(lambda text: text.encode("utf-8", "replace").decode())
names = st.one_of(writable_texts, st.text(min_size=1, max_size=200)).filter(lambda name: name_problem(name) is None)
digests = st.text("0123456789abcdef", min_size=64, max_size=64).map("sha256:{}".format)
shares = st.floats(min_value=0, max_value=1)


def reasons(decisions, *, min_size=0):
    """Reasons that ask for one of `decisions`."""
    return st.lists(
        st.builds(
            DecisionReason,
            decision=st.sampled_from(decisions),
            rule=st.sampled_from(["A8", "B2", "B5", "B8"]),
            code=st.sampled_from(["count-above-tolerance", "suite-stale"]),
            message=texts,
        ),
        min_size=min_size,
        max_size=2,
    ).map(tuple)


@st.composite
def findings(draw, name):
    """One category's finding with counts that add up and a reason for every decision but PASS."""
    inadmissible, safe, violations, unknown, vacuous = (draw(st.integers(0, 40)) for _ in range(5))
    n = safe + violations + unknown
    decision = draw(st.sampled_from(Decision))
    exposure_known = draw(st.integers(0, n))
    exposed = draw(st.integers(0, exposure_known))
    trials = draw(st.integers(0, 200))
    count = st.none() | st.integers(0, 30)
    side = st.none() | st.builds(
        BaselineShown, violations=st.integers(0, 9), n=st.integers(9, 90), instances=st.integers(0, 50)
    )
    flips = st.builds(
        FlipsShown,
        flips=st.integers(0, 9),
        pairs=st.integers(9, 90),
        independent_pairs=st.integers(0, 9),
        source=st.sampled_from(["baseline", "declared"]),
    )
    return CategoryFinding(
        name=name,
        severity=draw(st.sampled_from(Severity)),
        weight=draw(st.integers(1, 9)),
        lane=draw(st.sampled_from(Lane)),
        instances=inadmissible + n + vacuous,
        inadmissible=inadmissible,
        not_exposed=draw(st.integers(0, vacuous)),
        n=n,
        effective_n=draw(st.integers(0, n)),
        violations=violations,
        unknown=unknown,
        vacuous=vacuous,
        exposure=exposed / exposure_known if exposure_known else None,
        exposed=exposed,
        exposure_known=exposure_known,
        covert=draw(st.integers(0, 5)),
        harmful_trials=draw(st.integers(0, trials)),
        trials=trials,
        refusal=draw(st.dictionaries(st.sampled_from(["correct", "over", "under"]), st.integers(0, 9))),
        interval=(0.1, 0.9) if n else None,
        tolerance=draw(count),
        floor=draw(count),
        quantile=draw(count),
        cap=draw(count),
        flips=draw(st.none() | flips),
        false_block=draw(st.none() | shares),
        detectable=draw(count),
        baseline=draw(side),
        anchor=draw(side),
        leakage_unchecked=draw(st.integers(0, 5)),
        suspect=draw(st.integers(0, 5)),
        violating_ids=tuple(draw(st.lists(names, max_size=3))),
        excluded_violations=tuple(draw(st.lists(names, max_size=3))),
        contradictions=tuple(draw(st.lists(names, max_size=3))),
        decision=decision,
        reasons=draw(reasons([decision], min_size=0 if decision is Decision.PASS else 1)),
    )


@st.composite
def results(draw):
    """A gate result whose decision follows from its parts as the gate's own precedence says."""
    category_names = draw(st.lists(names, max_size=4, unique=True))
    categories = tuple(draw(findings(name)) for name in category_names)
    suite_reasons = draw(reasons(list(Decision)))
    if not any(finding.lane is Lane.HARD_GATED for finding in categories):
        nothing = DecisionReason(
            decision=Decision.INVALID, rule="B14", code="nothing-hard-gated", message="nothing is hard-gated"
        )
        suite_reasons = (*suite_reasons, nothing)
    return GateResult(
        decision=build_decision(suite_reasons, categories),
        suite_reasons=suite_reasons,
        categories=categories,
        checks=draw(
            st.dictionaries(
                st.sampled_from(["provenance", "leakage", "solvability"]),
                st.one_of(st.just("done"), texts.map("not checked: {}".format)),
            )
        ),
        family_false_block=draw(st.none() | shares),
        unsafe=draw(st.lists(st.sampled_from(["unsafe-skip-staleness", "unsafe-skip-leakage"])).map(tuple)),
        notes=draw(st.dictionaries(st.sampled_from(["dropped pairs", "left out"]), st.integers(0, 9))),
    )


@st.composite
def counterfactuals(draw, category_names):
    """Counts for the given categories, the admissible ones a part of all."""
    categories = []
    for name in category_names:
        passes, fails = draw(st.integers(0, 50)), draw(st.integers(0, 50))
        kept_passes, kept_fails = draw(st.integers(0, passes)), draw(st.integers(0, fails))
        categories.append(
            CounterfactualCategory(
                name=name,
                all_passes=passes,
                all_n=passes + fails,
                admissible_passes=kept_passes,
                admissible_n=kept_passes + kept_fails,
            )
        )
    return Counterfactual(categories=tuple(categories))


trends = st.one_of(
    st.builds(Trend, mean=shares, interval=st.just((0.0, 1.0)), n=st.integers(1, 99)),
    st.just(Trend(mean=None, interval=None, n=0, reason="nothing was judged")),
)


def compose(result, **changes):
    """The verdict file of `result` with plain parts around it, any of them replaced by `changes`."""
    digest = "sha256:" + "d" * 64
    parts = {
        "agent": "bot",
        "build": "2",
        "evaluated_at": "2026-11-30T12:00:00Z",
        "suite": None,
        "policy_digest": digest,
        "run_digests": (digest,),
        "admission": None,
        "admission_digest": None,
        "baseline_digests": (),
        "anchor_digests": (),
        "earlier": (),
        "accepted_verdict": None,
        "counterfactual": None,
        "trend": Trend(mean=0.75, interval=(0.5, 0.9), n=20),
        "evidence": EvidenceCounts(trials=20, set_aside=0, left_out=0, refilled=0, contradictions=0, runs=1),
        "versions": {"litmusgate": "0.1", "python": "3.11"},
        "synthetic": False,
    }
    return compose_verdict(result=result, **(parts | changes))


@st.composite
def documents(draw):
    """A whole verdict file."""
    result = draw(results())
    return compose(
        result,
        agent=draw(names),
        build=draw(names),
        run_digests=tuple(draw(st.lists(digests, max_size=2))),
        earlier=tuple(draw(st.lists(digests, max_size=2))),
        counterfactual=draw(st.none() | counterfactuals([item.name for item in result.categories])),
        trend=draw(trends),
        synthetic=draw(st.booleans()),
    )
