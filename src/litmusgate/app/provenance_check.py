"""The provenance half of `admit`: the index is asked, and results of `corpus scan` are taken in beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path

from litmusgate.admission.record import IndexUse, ScanUse
from litmusgate.app.files import MAX_TABLE_BYTES, read_bytes
from litmusgate.corpora.engines import engine_for
from litmusgate.corpora.index import Index
from litmusgate.corpora.querying import SourceUse, query_index, source_uses
from litmusgate.corpora.scan_result import ScanResult, read_scan
from litmusgate.corpora.source_texts import SourceTexts
from litmusgate.digest import digest_bytes
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.allowed import AllowedText, allow_list_digest
from litmusgate.provenance.combining import combine_results
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.match import ProvenanceResult
from litmusgate.provenance.scan import judge
from litmusgate.provenance.suite_texts import suite_texts
from litmusgate.suite.manifest import Suite

_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTexts:
    """What the suite is held against: the index, source files of its hash-only segments, and scans made beside it.

    Words of `allowed` texts are nobody's own.
    """

    index: Index
    texts: SourceTexts | None = None
    scans: Sequence[tuple[ScanUse, ScanResult]] = ()
    allowed: Sequence[AllowedText] = ()


def read_scans(paths: Sequence[Path]) -> tuple[tuple[ScanUse, ScanResult], ...]:
    """The results of `corpus scan` in `paths`, each with what a record says of it. Raises `CorpusError`."""
    scans: list[tuple[ScanUse, ScanResult]] = []
    for path in paths:
        data = read_bytes(path, what="the scan result", error=CorpusError, max_bytes=MAX_TABLE_BYTES)
        result = read_scan(data, path=str(path))
        use = ScanUse(
            digest=digest_bytes(data), corpus=result.corpus, documents=result.documents, text_bytes=result.text_bytes
        )
        scans.append((use, result))
    return tuple(scans)


def index_use(index: Index, suite: Suite, *, cutoff: date | None, agent: str) -> IndexUse:
    """What the record says of the index for `agent` with this training cut-off. Raises `CorpusError` for an empty one."""
    return index.use(cutoff, agent=agent, declared={pin.name: pin.revision for pin in suite.corpora})


def source_notes(known: KnownTexts, *, cutoff: date | None, agent: str) -> tuple[str, ...]:
    """For people: of each corpus kept as hashes, whether its source files are at hand, so that nobody takes
    fingerprints for an exact comparison. Empty where no source files were given."""
    if known.texts is None:
        return ()
    uses = source_uses(known.index, known.texts, cutoff=cutoff, agent=agent)
    return tuple(map(_source_note, uses)) or ("no corpus that counts is kept as hashes, so --texts was not needed",)


def _source_note(use: SourceUse) -> str:
    what = f"corpus {use.corpus} {use.revision} is kept as hashes: "
    found = use.files - len(use.missing)
    if not use.files:
        return f"{what}it names no source files, so fingerprints were used"
    if not use.missing:
        return f"{what}all {use.files} source files found, its texts were compared exactly"
    beside = ": these were compared exactly, and fingerprints used besides" if found else ", so fingerprints were used"
    named = ", ".join(use.missing[:_NAMED]) + (f" and {len(use.missing) - _NAMED} more" * (len(use.missing) > _NAMED))
    return f"{what}{found} of {use.files} source files found{beside}; no file given has the sha256 of {named}"


def check_provenance(
    known: KnownTexts, suite: Suite, *, cutoff: date | None, agent: str, tau: Fraction
) -> Mapping[str, ProvenanceResult]:
    """By instance id what the index and the scans found, the gravest of it (A2).

    Raises `CorpusError` for a segment that cannot be read to its end, and for a scan of another suite or made with another
    τ, fold or allow-list.
    """
    for use, scan in known.scans:
        _refuse_other_scan(use, scan, suite, tau=tau, allow=allow_list_digest(known.allowed))
    engine = engine_for(known.index.stored_bytes)
    prepared = suite_texts(suite.instances, allowed=known.allowed)
    reading, hashes = query_index(known.index, prepared, engine=engine, cutoff=cutoff, agent=agent, texts=known.texts)
    results = judge(prepared, reading, tau=tau, engine=engine, hashes=hashes)
    by_index = {result.instance_id: result for result in results}
    if not known.scans:
        return by_index
    scanned = [{result.instance_id: result for result in scan.results} for _, scan in known.scans]
    return combine_results([by_index, *scanned])


def _refuse_other_scan(use: ScanUse, scan: ScanResult, suite: Suite, *, tau: Fraction, allow: str | None) -> None:
    pairs: tuple[tuple[str, object, object], ...] = (
        ("of another suite", scan.suite, suite.digest),
        ("made with another tau", scan.tau, tau),
        ("made with another fold version", scan.fold, FOLD_VERSION),
        ("made with another allow-list", scan.allow, allow),
    )
    for what, got, wanted in pairs:
        if got != wanted:
            raise CorpusError(
                f"the scan of {scan.corpus!r} is {what}",
                rule="A2",
                got=str(got),
                wanted=str(wanted),
                fix="scan the suite's folder again, with the policy's tau and the same allow-list",
                at=Location(path=use.digest),
            )
