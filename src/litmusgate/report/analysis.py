"""Exploratory analysis of one run: counts of trials per category. No admission, no gate, no decision (E11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from litmusgate.digest import Json, canonical_bytes
from litmusgate.errors import UsageError
from litmusgate.evidence.codes import NO, OUTCOMES, REASONS, YES
from litmusgate.evidence.run import Run
from litmusgate.report.layout import columns, inert_line, wrap
from litmusgate.report.markdown import markdown_text
from litmusgate.report.phrases import interval, many, percent, tallies
from litmusgate.report.scope import EXPLORATORY
from litmusgate.report.trend import Trend, mean_trend

ANALYSIS_SCHEMA = "litmusgate/analysis/1"
ANALYSIS_FORMATS = ("text", "markdown", "json")
"""Formats of an analysis. JUnit is none: its testcases would pass or fail, and nothing was decided."""

NO_CATEGORY = "(category not recorded)"


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCounts:
    """Counts of *trials* of one category (None: the run does not say which); `exposed` of `exposure_known` met the attack."""

    name: str | None
    instances: int
    trials: int
    outcomes: Mapping[str, int]
    reasons: Mapping[str, int]
    exposed: int
    exposure_known: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """One run in counts, sorted by category, with the trend over all its instances, admissible or not."""

    agent: str
    build: str
    suite: str | None
    digest: str
    synthetic: bool
    categories: tuple[CategoryCounts, ...]
    trend: Trend


def analyse(run: Run, *, category_of: Mapping[str, str] | None = None) -> Analysis:
    """Count the trials of `run` per category: that of `category_of` where given, else the one the rows name."""
    names, codes = _categories(run, category_of)
    parts = sorted(
        (_counts(run, name, codes == code) for code, name in enumerate(names) if (codes == code).any()),
        key=lambda item: (item.name is None, item.name or ""),
    )
    stamp = run.header.suite
    return Analysis(
        agent=run.header.agent,
        build=run.header.build,
        suite=None if stamp is None else f"{stamp.name} {stamp.version}",
        digest=run.digest,
        synthetic=run.header.synthetic,
        categories=tuple(parts),
        trend=mean_trend(run.columns, admissible=frozenset(run.columns.ids)),
    )


def render_analysis(analysis: Analysis, form: str) -> str:
    """The analysis as `text`, `markdown` or `json`; every one says first that it carries no decision."""
    if form == "text":
        return _text(analysis)
    if form == "markdown":
        return _markdown(analysis)
    if form == "json":
        return canonical_bytes(_document(analysis)).decode("utf-8")
    raise UsageError(
        "an exploratory analysis has no such format",
        got=repr(form),
        wanted=f"one of {', '.join(ANALYSIS_FORMATS)}",
        rule="E11",
    )


def _categories(run: Run, category_of: Mapping[str, str] | None) -> tuple[list[str | None], npt.NDArray[np.int32]]:
    """Distinct categories and each row's code into them."""
    if category_of is None:
        recorded = run.columns.category
        codes = np.where(recorded.codes < 0, len(recorded.values), recorded.codes)
        return [*recorded.values, None], codes.astype(np.int32)
    names: list[str | None] = [*sorted(set(category_of.values())), None]
    position = {name: number for number, name in enumerate(names)}
    by_id = np.array([position[category_of.get(name)] for name in run.columns.ids], dtype=np.int32)
    return names, by_id[run.columns.id_code] if len(by_id) else np.empty(0, dtype=np.int32)


def _counts(run: Run, name: str | None, rows: npt.NDArray[np.bool_]) -> CategoryCounts:
    found = run.columns
    outcomes = np.bincount(found.outcome[rows], minlength=len(OUTCOMES)).tolist()
    reasons = np.bincount(found.reason[rows], minlength=len(REASONS)).tolist()
    exposed = found.exposed[rows]
    return CategoryCounts(
        name=name,
        instances=len(np.unique(found.id_code[rows])),
        trials=int(rows.sum()),
        outcomes={outcome.value: outcomes[number] for number, outcome in enumerate(OUTCOMES)},
        reasons={
            reason.value: reasons[number]
            for number, reason in enumerate(REASONS)
            if reason is not None and reasons[number]
        },
        exposed=int((exposed == YES).sum()),
        exposure_known=int(((exposed == YES) | (exposed == NO)).sum()),
    )


def _sentences(analysis: Analysis) -> list[str]:
    lines = [
        f"agent {analysis.agent}, build {analysis.build}, suite {analysis.suite or 'not named by the run'}",
        f"run {analysis.digest}",
    ]
    if analysis.synthetic:
        lines.append("SYNTHETIC: the run was produced by scripted agents and says nothing about a real one")
    return lines


def _rows(analysis: Analysis) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    headers = ("category", "instances", "trials", *(outcome.value for outcome in OUTCOMES))
    rows = [
        (
            item.name or NO_CATEGORY,
            str(item.instances),
            str(item.trials),
            *(str(item.outcomes[outcome.value]) for outcome in OUTCOMES),
        )
        for item in analysis.categories
    ]
    return headers, rows


def _details(analysis: Analysis) -> list[str]:
    trend = analysis.trend
    head = "mean trend (gates nothing, nothing was admitted): "
    lines = [
        f"{head}not measurable, {trend.reason}"
        if trend.mean is None
        else f"{head}{percent(trend.mean)} safe over {many(trend.n, 'instance')}, 95 % interval {interval(trend.interval)}"
    ]
    for item in analysis.categories:
        share = (
            f"{item.exposed} of {item.exposure_known} trials with a record" if item.exposure_known else "not recorded"
        )
        lines.append(f"{item.name or NO_CATEGORY}: met the attack: {share}; reasons: {tallies(dict(item.reasons))}")
    return lines


def _text(analysis: Analysis) -> str:
    headers, rows = _rows(analysis)
    lines = wrap(f"NO DECISION: {EXPLORATORY}")
    for line in _sentences(analysis):
        lines += wrap(line, first="  ", rest="    ")
    lines += ["", *(columns(headers, rows) if rows else ["the run holds no trial"])]
    for line in _details(analysis):
        lines += wrap(line)
    return "\n".join(lines) + "\n"


def _markdown(analysis: Analysis) -> str:
    headers, rows = _rows(analysis)
    lines = ["## litmusgate: exploratory analysis", "", f"**NO DECISION**: {markdown_text(EXPLORATORY)}", ""]
    lines += [f"- {markdown_text(line)}" for line in _sentences(analysis)]
    lines += ["", f"| {' | '.join(headers)} |", "| --- |" + " ---: |" * (len(headers) - 1)]
    lines += ["| " + " | ".join(map(markdown_text, row)) + " |" for row in rows]
    lines += ["", *(f"- {markdown_text(line)}" for line in _details(analysis))]
    return "\n".join(inert_line(line) for line in lines) + "\n"


def _document(analysis: Analysis) -> dict[str, Json]:
    trend = analysis.trend
    return {
        "schema": ANALYSIS_SCHEMA,
        "decision": None,
        "scope": EXPLORATORY,
        "agent": analysis.agent,
        "build": analysis.build,
        "suite": analysis.suite,
        "run": analysis.digest,
        "synthetic": analysis.synthetic,
        "categories": [
            {
                "name": item.name,
                "instances": item.instances,
                "trials": item.trials,
                "outcomes": dict(item.outcomes),
                "reasons": dict(item.reasons),
                "exposed": item.exposed,
                "exposure_known": item.exposure_known,
            }
            for item in analysis.categories
        ],
        "trend": {
            "mean": trend.mean,
            "interval": None if trend.interval is None else list(trend.interval),
            "n": trend.n,
            "reason": trend.reason,
            "gates": trend.gates,
        },
    }
