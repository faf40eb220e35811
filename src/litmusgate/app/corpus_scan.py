"""`corpus scan`: a suite against corpora of any size, streamed once; no index is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from litmusgate.app.scan_suite import ScannedSuite, load_scanned_suite
from litmusgate.corpora.allow_list import read_allow_list
from litmusgate.corpora.checkpoints import Checkpoints
from litmusgate.corpora.embedder import load_embedder
from litmusgate.corpora.engines import (
    PACKED_GROWTH,
    engine_for,
    engine_named,
    fast_engine_is_installed,
    kernels_are_kept,
)
from litmusgate.corpora.executors import Workers, run_shards
from litmusgate.corpora.meaning_scan import nearest_in_shards
from litmusgate.corpora.readers import Columns, is_plain
from litmusgate.corpora.scan_result import EmbeddingUse, ScanResult
from litmusgate.corpora.shard_scan import ScanPlan, ShardReading, ShardScanner
from litmusgate.corpora.shards import Shard, list_shards
from litmusgate.errors import UsageError
from litmusgate.provenance.allowed import AllowedText, allow_list_digest
from litmusgate.provenance.chunks import suite_chunks
from litmusgate.provenance.embedding import with_embedding
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.locating import locate_matches
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.reading import Reading
from litmusgate.provenance.scan import judge
from litmusgate.provenance.suite_texts import SuiteTexts, suite_texts
from litmusgate.provenance.vectors import Embedder
from litmusgate.text import name_problem


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRequest:
    """What `corpus scan` was asked. `paths` are files, folders and URIs.

    `corpus` is what the scanned texts are called in the evidence, `tau` the threshold as text, `workers` as
    `Workers.parse` reads it, `resume` a folder for finished shards, `allow` a file of allowed texts. `engine` None: the
    one that is done first. `embed` is the folder of a local model for the embedding channel, `embed_tau` its own threshold.
    """

    suite: Path
    paths: Sequence[str]
    columns: Columns
    corpus: str = "scanned"
    tau: str = "0.85"
    encoded: bool = True
    workers: str | None = None
    resume: Path | None = None
    allow: Path | None = None
    engine: str | None = None
    embed: Path | None = None
    embed_tau: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanProgress:
    """How far a scan is: finished shards of how many, bytes on disk of both, bytes of text read."""

    shards_done: int
    shards: int
    disk_done: int
    disk: int
    text_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusScan:
    """What came of a request: the result, and what to tell about it. `reused` shards were taken from an earlier scan;
    `slow` says that the extra for the compiled engine is not installed."""

    result: ScanResult
    engine: str
    unread_keys: tuple[str, ...]
    reused: int
    slow: bool = False
    notes: tuple[str, ...] = ()


def scan_corpus(
    request: ScanRequest,
    *,
    on_progress: Callable[[ScanProgress], None] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> CorpusScan:
    """Scan and judge; `on_note` is told what takes long before anything is read.

    A shard that cannot be read is a problem of the result; what was found elsewhere still stands. Raises `UsageError` for
    flags that make no sense, `SuiteError` for the suite, `CorpusError` for paths that name nothing and for more known text
    than can be compared.
    """
    tau = _tau(request.tau, "--tau")
    problem = name_problem(request.corpus)
    if problem is not None:
        raise UsageError("--name is not a name", got=repr(request.corpus), wanted=f"a name; {problem}")
    workers = Workers.parse(request.workers)
    if request.embed is None and request.embed_tau is not None:
        raise UsageError("--embed-tau is the threshold of a model", fix="give --embed FOLDER as well")
    meaning = None if request.embed is None else _Meaning.of(request)
    found = load_scanned_suite(request.suite)
    allowed = () if request.allow is None else read_allow_list(request.allow)
    shards = list_shards(request.paths)
    stored = sum(shard.size * (1 if is_plain(shard.uri) else PACKED_GROWTH) for shard in shards)
    engine = engine_for(stored) if request.engine is None else engine_named(request.engine)
    if on_note is not None and engine.name == "compiled" and not kernels_are_kept():
        on_note("compiling the kernels, once on this machine: about half a minute")
    suite = suite_texts(found.instances, allowed=allowed)
    plan = ScanPlan(
        suite=suite, columns=request.columns, corpus=request.corpus, encoded=request.encoded, engine=engine.name
    )
    checkpoints = (
        None
        if request.resume is None
        else Checkpoints(request.resume, plan.digest(found.digest, allow_list_digest(allowed)))
    )
    gathering = _Gathering(suite=suite, shards=shards, on_progress=on_progress)
    waiting = gathering.take_finished(checkpoints)
    scanner = ShardScanner(plan, on_bytes=gathering.add_bytes)
    for item in run_shards(scanner, waiting, workers=workers):
        if checkpoints is not None and item.problem is None:
            checkpoints.keep(item)
        gathering.take(item)
    result = _result(request, found, gathering, tau=tau, allowed=allowed, engine=engine)
    if meaning is not None:
        result = meaning.added_to(result, request, found, shards)
    return CorpusScan(
        result=result,
        engine=engine.name,
        unread_keys=found.unread_keys,
        reused=len(shards) - len(waiting),
        slow=engine.name == "plain" and not fast_engine_is_installed(),
        notes=() if checkpoints is None else checkpoints.notes,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meaning:
    """The embedding channel of a request: a second pass that can make clean instances suspect, and nothing else."""

    embedder: Embedder
    tau: Fraction

    @classmethod
    def of(cls, request: ScanRequest) -> _Meaning:
        """Load the model; raises `UsageError` without a threshold: one model's cosine is another's noise."""
        if request.embed is None or request.embed_tau is None:
            raise UsageError(
                "--embed wants a threshold of its own",
                wanted="--embed-tau X",
                fix="`calibrate tau --embed FOLDER` gives one for this model and corpus",
            )
        return cls(embedder=load_embedder(request.embed), tau=_tau(request.embed_tau, "--embed-tau"))

    def added_to(
        self, result: ScanResult, request: ScanRequest, found: ScannedSuite, shards: Sequence[Shard]
    ) -> ScanResult:
        """`result` with the nearest documents, and suspects where they are near enough."""
        nearest, problems = nearest_in_shards(
            suite_chunks(found.instances), shards, request.columns, corpus=request.corpus, embedder=self.embedder
        )
        by_id = {item.instance_id: item for item in nearest}
        known = {name for name, _ in result.problems}
        more = sorted((_name(shard), text) for shard, text in problems.items() if _name(shard) not in known)
        results = [with_embedding(item, by_id[item.instance_id], tau=self.tau) for item in result.results]
        return replace(
            result,
            problems=(*result.problems, *more),
            results=tuple(incomplete(item, more) for item in results) if more else tuple(results),
            embedding=EmbeddingUse(model=self.embedder.name, digest=self.embedder.digest, tau=self.tau),
            nearest=by_id,
        )


class _Gathering:
    """What came in so far: one reading of all shards, the problems, and how far the scan is."""

    def __init__(
        self, *, suite: SuiteTexts, shards: Sequence[Shard], on_progress: Callable[[ScanProgress], None] | None
    ) -> None:
        self.reading = Reading()
        self.problems: list[tuple[str, str]] = []
        self.suite = suite
        self.shards = shards
        self._on_progress = on_progress
        self._done: list[Shard] = []
        self._text_bytes = 0

    def take_finished(self, checkpoints: Checkpoints | None) -> tuple[Shard, ...]:
        """Take what an earlier scan finished; the shards that are left."""
        waiting: list[Shard] = []
        for shard in self.shards:
            finished = None if checkpoints is None else checkpoints.find(shard)
            if finished is None:
                waiting.append(shard)
            else:
                self.add_bytes(finished.reading.text_bytes)
                self.take(finished)
        return tuple(waiting)

    def add_bytes(self, text_bytes: int) -> None:
        """So much more text was read, of a shard that may not be finished."""
        self._text_bytes += text_bytes
        self._tell()

    def take(self, item: ShardReading) -> None:
        """Take in a shard that is done, well or not."""
        if item.problem is None:
            self.reading.merge(self.suite, item.reading)
        else:
            self.problems.append((_name(item.shard), item.problem))
        self._done.append(item.shard)
        self._text_bytes = max(self._text_bytes, self.reading.text_bytes)
        self._tell()

    def missing(self) -> list[tuple[str, str]]:
        """Shards that no worker gave back: named as problems, because nothing may be left out unsaid."""
        left = sorted(set(self.shards) - set(self._done), key=lambda shard: (shard.uri, shard.part or (0, 0)))
        return [(_name(shard), "no worker gave a reading of it") for shard in left]

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(
                ScanProgress(
                    shards_done=len(self._done),
                    shards=len(self.shards),
                    disk_done=sum(shard.size for shard in self._done),
                    disk=sum(shard.size for shard in self.shards),
                    text_bytes=self._text_bytes,
                )
            )


def _result(
    request: ScanRequest,
    found: ScannedSuite,
    gathering: _Gathering,
    *,
    tau: Fraction,
    allowed: Sequence[AllowedText],
    engine: Engine,
) -> ScanResult:
    reading = gathering.reading
    problems = tuple(sorted([*gathering.problems, *gathering.missing()]))
    judged = judge(gathering.suite, reading, tau=tau, engine=engine)
    results = tuple(incomplete(result, problems) for result in judged) if problems else judged
    return ScanResult(
        suite=found.digest,
        tau=tau,
        encoded=request.encoded,
        corpus=request.corpus,
        shards=len(gathering.shards),
        documents=reading.documents,
        blank=reading.blank,
        text_bytes=reading.text_bytes,
        problems=problems,
        results=results,
        located=locate_matches(results, found.instances, reading.touched, engine),
        allow=allow_list_digest(allowed),
        allowed={text.name: text.reason for text in allowed},
    )


def incomplete(result: ProvenanceResult, problems: Sequence[tuple[str, str]]) -> ProvenanceResult:
    """What a result is worth when not everything was read: contamination stands, everything else is unknown."""
    if result.status is ProvenanceStatus.CONTAMINATED:
        return result
    others = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    return replace(
        result,
        status=ProvenanceStatus.UNKNOWN,
        detail=f"the scan is incomplete: {problems[0][0]}{others} gave no whole reading",
    )


def _name(shard: Shard) -> str:
    """The shard as reports name it: where it is, and which row groups of it."""
    return shard.uri if shard.part is None else f"{shard.uri} (row groups {shard.part[0]}–{shard.part[1] - 1})"


def _tau(text: str, flag: str) -> Fraction:
    try:
        tau = Fraction(text)
    except (ValueError, ZeroDivisionError) as problem:
        raise UsageError(f"{flag} is not a number", got=repr(text), wanted="above 0 and at most 1") from problem
    if not 0 < tau <= 1:
        raise UsageError(f"{flag} is out of range", got=repr(text), wanted="above 0 and at most 1")
    return tau
