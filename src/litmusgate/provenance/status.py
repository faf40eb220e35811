"""The status of an instance: from what its fields share with known documents to one word, with the reason (A2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from litmusgate.provenance.match import Match, ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.similarity import ALONE_WORDS, SHORT_WORDS

SUSPECT_SHARE = Fraction(45, 100)
CHANCE_WORDS = 9
CHANCE_SHARE = Fraction(35, 100)
"""What unrelated texts have in common by chance: a clause, and stop words in the same order. Suspicion needs more shared
words than both, which for texts of fewer than 90 words is more than `SUSPECT_SHARE`."""
CONTAMINATED_RUN = 50
RUN_OWN_WORDS = 34
"""A run of 50 words counts when at least two thirds of it are the instance's own; the rest is boilerplate in its place."""
SUSPECT_RUN = 25
KEPT_MATCHES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldFinding:
    """What the documents hold of one field.

    `own` counts the field's distinctive words; `common` says that common property of the corpora took more than half of
    what would be, or all. `allowed` names the allow-listed texts that took words from it. `shared` is the best single
    document's, `union` what all documents hold together, `run` the longest contiguous run; all in distinctive words.
    `run_words` is the length of that run with the boilerplate that stands in it. `item` is the best match with a document
    that consists of the field's text, `item_shared` its distinctive words.
    """

    where: str
    own: int
    asks: bool
    shared: int = 0
    union: int = 0
    run: int = 0
    run_words: int = 0
    common: bool = False
    allowed: tuple[str, ...] = ()
    matches: tuple[Match, ...] = ()
    item: Match | None = None
    item_shared: int = 0

    @property
    def is_short(self) -> bool:
        """Whether the short-text rule applies (5–14 distinctive words)."""
        return self.own < SHORT_WORDS

    @property
    def share(self) -> Fraction:
        """Share 0…1 of the distinctive words found, in one document or assembled; only where `own` > 0."""
        return Fraction(max(self.shared, self.union), self.own)

    def reaches(self, threshold: Fraction) -> bool:
        """Whether `share` is at least `threshold`, without making a fraction of it; only where `own` > 0."""
        return max(self.shared, self.union) * threshold.denominator >= threshold.numerator * self.own


def field_status(finding: FieldFinding, *, tau: Fraction) -> ProvenanceStatus:
    """The status of one field by itself: sim_lex against τ, or the longest run; nothing distinctive is not assessable."""
    if finding.own == 0:
        return ProvenanceStatus.NOT_ASSESSABLE
    if finding.is_short:
        return ProvenanceStatus.CONTAMINATED if finding.reaches(tau) else ProvenanceStatus.CLEAN_SHORT
    if finding.reaches(tau) or is_long_run(finding):
        return ProvenanceStatus.CONTAMINATED
    if is_more_than_chance(finding) or finding.run >= SUSPECT_RUN:
        return ProvenanceStatus.SUSPECT
    return ProvenanceStatus.CLEAN


def is_long_run(finding: FieldFinding) -> bool:
    """Whether one contiguous run is enough by itself: 50 words (34 of them own), or half of a text and at least 25 words.

    A copy cut in half keeps such a run, however little of the whole it is.
    """
    whole = finding.run_words >= CONTAMINATED_RUN and finding.run >= RUN_OWN_WORDS
    return whole or (finding.run >= SUSPECT_RUN and 2 * finding.run >= finding.own)


def is_more_than_chance(finding: FieldFinding) -> bool:
    """Whether more of the text is shared than a stray clause and stop words explain."""
    shared = max(finding.shared, finding.union)
    return finding.reaches(SUSPECT_SHARE) and shared >= CHANCE_WORDS + CHANCE_SHARE * finding.own


def scored_findings(findings: Sequence[FieldFinding], *, tau: Fraction) -> tuple[FieldFinding, ...]:
    """The fields that speak for the instance.

    Fields of ≥ 25 distinctive words always do. Shorter ones do when they are put to the agent and nothing put to it is
    longer. Beside a longer text they may be stock phrases ("go on, and add no warnings"), which stand in documents that
    have nothing to do with the instance: then they speak only when a known document *is* that text (share ≥ τ).
    """
    long_ask = any(finding.asks and finding.own >= ALONE_WORDS for finding in findings)
    scored: list[FieldFinding] = []
    for finding in findings:
        if finding.own >= ALONE_WORDS or (finding.own and finding.asks and not long_ask):
            scored.append(finding)
        elif finding.asks and finding.item is not None and Fraction(finding.item_shared, finding.own) >= tau:
            alone = replace(finding, shared=finding.item_shared, union=0, run=0, run_words=0, matches=(finding.item,))
            scored.append(alone)
    return tuple(scored)


def instance_status(instance_id: str, findings: Sequence[FieldFinding], *, tau: Fraction) -> ProvenanceResult:
    """A2: one contaminated field contaminates the instance, and what cannot be measured is never clean.

    The score is the maximum over the fields; a short field's share counts when it is contaminated or nothing longer was
    measured. An instance whose measured text is clean, but which puts to the agent a text of which more than half is
    common property of the corpora, or nothing but allow-listed text, is suspect: the rest must not dilute it. With
    nothing measured the score is None.
    """
    measured = [(field_status(finding, tau=tau), finding) for finding in scored_findings(findings, tau=tau)]
    if not measured:
        return _not_assessable(instance_id, findings)
    status = worst = next(level for level in _WORST_FIRST if any(found is level for found, _ in measured))
    detail = _detail(status, [finding for found, finding in measured if found is status], tau=tau)
    emptied = _emptied_ask(findings, [finding for _, finding in measured])
    if emptied is not None and status in (ProvenanceStatus.CLEAN, ProvenanceStatus.CLEAN_SHORT):
        status, detail = ProvenanceStatus.SUSPECT, emptied
    scored = [finding for found, finding in measured if not finding.is_short or found is ProvenanceStatus.CONTAMINATED]
    scored = scored or [finding for _, finding in measured]
    return ProvenanceResult(
        instance_id=instance_id,
        status=status,
        score=max(max(finding.shared, finding.union) / finding.own for finding in scored),
        run=max(finding.run for _, finding in measured),
        distinctive_words=max(finding.own for _, finding in measured),
        matches=_kept_matches(measured, worst),
        detail=detail,
        allowed=_allowed_names(findings),
    )


def _kept_matches(
    measured: Sequence[tuple[ProvenanceStatus, FieldFinding]], worst: ProvenanceStatus
) -> tuple[Match, ...]:
    """The best matches: of the fields that decided first. Where something was found, only what shows it: a document that
    shares little by chance is no evidence; unless the text was assembled of such pieces."""
    decisive = {match for found, finding in measured if found is worst for match in finding.matches}
    others = {match for _, finding in measured for match in finding.matches} - decisive
    if worst in (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.SUSPECT):
        shows = {match for _, finding in measured for match in finding.matches if is_evidence(match, finding.own)}
        decisive, others = (decisive & shows, others & shows) if shows else (decisive, set())
    kept = [*sorted(decisive, key=match_order), *sorted(others, key=match_order)][:KEPT_MATCHES]
    return tuple(sorted(kept, key=match_order))


def is_evidence(match: Match, own: int) -> bool:
    """Whether the match by itself shows more than chance does; `own` counts the distinctive words of its field."""
    shared = round(match.similarity * own)
    return match.run >= SUSPECT_RUN or (
        match.similarity >= SUSPECT_SHARE and (own < SHORT_WORDS or shared >= CHANCE_WORDS + CHANCE_SHARE * own)
    )


def _emptied_ask(findings: Sequence[FieldFinding], measured: Sequence[FieldFinding]) -> str | None:
    """Why what was measured beside a text put to the agent, of which less than half was left, makes no clean instance."""
    common = [finding for finding in findings if finding.common and finding.asks]
    whole = [finding.where for finding in common if not finding.own]
    if whole:
        return f"{whole[0]} is common property of the known corpora, word for word; the rest is its own"
    if common:
        return f"more than half of {common[0].where} is common property of the known corpora; the rest is its own"
    exempt = [finding for finding in findings if finding.asks and not finding.own and finding.allowed]
    if exempt and not any(finding.asks for finding in measured):
        names = _quoted(exempt[0].allowed)
        return (
            f"{exempt[0].where} is allow-listed text ({names}) and nothing else that is put to the agent was measured"
        )
    return None


def _allowed_names(findings: Sequence[FieldFinding]) -> tuple[str, ...]:
    return tuple(sorted({name for finding in findings for name in finding.allowed}))


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)


def unknown_status(instance_id: str, reason: str) -> ProvenanceResult:
    """The result where the corpora could not be read, or held nothing: never clean."""
    return ProvenanceResult(
        instance_id=instance_id,
        status=ProvenanceStatus.UNKNOWN,
        score=None,
        run=0,
        distinctive_words=0,
        detail=reason,
    )


def match_order(match: Match) -> tuple[float, int, str, str, str, str]:
    """Falling similarity, then falling run, then names: the order of evidence."""
    return -match.similarity, -match.run, match.corpus, match.document, match.field, match.encoding or ""


_WORST_FIRST = (
    ProvenanceStatus.CONTAMINATED,
    ProvenanceStatus.SUSPECT,
    ProvenanceStatus.CLEAN,
    ProvenanceStatus.CLEAN_SHORT,
)


def _not_assessable(instance_id: str, findings: Sequence[FieldFinding]) -> ProvenanceResult:
    if not findings:
        reason = "it has no text that could be looked for: no words in any turn, context item or tool response"
    elif any(finding.allowed for finding in findings):
        names = _quoted(_allowed_names(findings))
        reason = f"nothing of its texts is left that could be looked for beside the allow-list ({names})"
    elif any(finding.common and not finding.own for finding in findings):
        reason = "every 6-gram of its texts is suite boilerplate or common property of the known corpora"
    else:
        reason = "its texts are shorter than 5 words, nothing but suite boilerplate, or short and not put to the agent"
    return ProvenanceResult(
        instance_id=instance_id,
        status=ProvenanceStatus.NOT_ASSESSABLE,
        score=None,
        run=0,
        distinctive_words=max((finding.own for finding in findings), default=0),
        detail=reason,
        allowed=_allowed_names(findings),
    )


def _detail(status: ProvenanceStatus, findings: Sequence[FieldFinding], *, tau: Fraction) -> str | None:
    """Which rule decided, where it was not the plain comparison of one document with τ."""
    if status not in (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.SUSPECT):
        return None
    threshold = tau if status is ProvenanceStatus.CONTAMINATED else SUSPECT_SHARE
    if any(Fraction(finding.shared, finding.own) >= threshold for finding in findings):
        return None
    assembled = [finding.where for finding in findings if finding.reaches(threshold)]
    if assembled:
        return f"{assembled[0]} is assembled from several known documents"
    longest = max(findings, key=lambda finding: finding.run)
    return f"{longest.where} shares a run of {longest.run} of its own words with one document"
