"""`calibrate tau`: find the τ for this suite and these corpora (A3)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from litmusgate.admission.canary import canary_labels
from litmusgate.admission.record import ReferenceRole
from litmusgate.admission.references import Reference, reference_attempts, refuse_references
from litmusgate.app.files import read_bytes, replace_bytes
from litmusgate.app.gate import library_versions
from litmusgate.app.suites import load_suite
from litmusgate.corpora.allow_list import read_allow_list
from litmusgate.corpora.embedder import load_embedder
from litmusgate.corpora.engines import engine_for
from litmusgate.corpora.index import Index, open_index
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import Shard, list_shards, read_batches
from litmusgate.digest import digest_bytes
from litmusgate.errors import EXIT_INVALID, EXIT_PASS, AdmissionError, CorpusError, Location, UsageError
from litmusgate.provenance.allowed import allow_list_digest
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.tau import calibrate
from litmusgate.provenance.tau_calibration import CalibrationInputs
from litmusgate.provenance.tau_embedding import EmbeddingInputs
from litmusgate.provenance.tau_roc import Wanted
from litmusgate.provenance.tau_sample import Sample, draw_sample
from litmusgate.report.calibration_compose import Origins, compose_tau
from litmusgate.report.calibration_document import CorpusUsed, ReferenceUsed, TauDocument, tau_bytes
from litmusgate.report.calibration_text import render_tau_text
from litmusgate.runs.files import read_run
from litmusgate.suite.manifest import Suite

_MEGABYTE = 1_000_000
_CORPUS = "corpus"

_PLANTED_BYTES = 4096
"""What the copies of one instance cost to compare, as bytes of text to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateFiles:
    """What `calibrate tau` was asked. Exactly one of `corpus` (files, folders, addresses) and `index` is given.

    `allow` is a file of allowed texts, `known` and `clean` are files of instance ids, one a line, that people looked at.
    `max_false` and `min_recall` are shares written as decimals, `sample_mb` megabytes of text, `planted` the most instances
    to plant. `embed` is the folder of a local model, which adds the embedding channel, and `embed_mb` the megabytes of the
    sample that it reads at most.
    """

    suite: Path
    out: Path
    corpus: tuple[str, ...] = ()
    index: Path | None = None
    column: str = "text"
    references: tuple[tuple[ReferenceRole, Path], ...] = ()
    hard_negatives: Path | None = None
    allow: Path | None = None
    known: Path | None = None
    clean: Path | None = None
    html: Path | None = None
    seed: int = 0
    sample_mb: int = 20
    planted: int = 100
    max_false: str = "0.05"
    min_recall: str = "0.9"
    embed: Path | None = None
    embed_mb: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateOutcome:
    """The calibration file, its digest, its text and notes; `exit_code` is 0 with every τ that was asked for, else 4."""

    document: TauDocument
    digest: str
    text: str

    @property
    def exit_code(self) -> int:
        """0, or 4 where there is no τ, or none of the embedding channel that was asked for."""
        embedding = self.document.embedding
        missing = self.document.tau is None or (embedding is not None and embedding.tau is None)
        return EXIT_INVALID if missing else EXIT_PASS

    @property
    def notes(self) -> tuple[str, ...]:
        """What nobody should overlook: corpora of the index that could not be sampled."""
        missing = self.document.corpus.not_sampled
        if not missing:
            return ()
        return (f"not sampled, as the index keeps only hashes of their texts: {', '.join(missing)}",)


def calibrate_files(request: CalibrateFiles) -> CalibrateOutcome:
    """Calibrate, and write the file to `request.out` (and a page to `request.html`), each whole or not at all.

    The file is written without a τ too, so that none of an earlier calibration stays behind. Raises `UsageError` for flags,
    `SuiteError` for the suite, and `EvidenceError` for a corpus that cannot be read or a canary that is none.
    """
    wanted = _wanted(request)
    embedder = None if request.embed is None else load_embedder(request.embed)
    suite = load_suite(request.suite)
    references, labels = _labels(request, suite)
    sample, corpus = _sample(request)
    given, used = _given_negatives(request)
    allowed = () if request.allow is None else read_allow_list(request.allow)
    embedding = None if embedder is None else EmbeddingInputs(embedder=embedder, sample=_embedded(sample, request))
    found = calibrate(
        CalibrationInputs(
            instances=suite.instances,
            sample=sample.documents,
            labels=labels,
            known=_ids(request.known, suite, "--known"),
            clean=_ids(request.clean, suite, "--clean"),
            allowed=allowed,
            given_negatives=given,
            wanted=wanted,
            most_planted=request.planted,
            embedding=embedding,
        ),
        engine=engine_for(sample.text_bytes + _PLANTED_BYTES * len(suite.instances)),
        chance=random.Random(request.seed),  # noqa: S311 - a seeded choice of plants, no secret
    )
    document = compose_tau(
        found,
        Origins(
            suite=suite,
            corpus=corpus,
            seed=request.seed,
            wanted=wanted,
            hard_negatives=used,
            allow_list=allow_list_digest(allowed),
            references=references,
            versions=library_versions(),
        ),
    )
    data = tau_bytes(document)
    if request.html is not None:
        from litmusgate.report.calibration_html import render_tau_html

        replace_bytes(request.html, render_tau_html(document).encode())
    replace_bytes(request.out, data)
    return CalibrateOutcome(document=document, digest=digest_bytes(data), text=render_tau_text(document))


def _wanted(request: CalibrateFiles) -> Wanted:
    if bool(request.corpus) == (request.index is not None):
        raise UsageError("calibrate tau wants either --corpus or --index")
    if min(request.sample_mb, request.planted, request.embed_mb) < 1 or request.seed < 0:
        raise UsageError("--sample-mb, --planted and --embed-mb are at least 1, --seed at least 0")
    try:
        return Wanted(max_false=Fraction(request.max_false), min_recall=Fraction(request.min_recall))
    except (ValueError, ZeroDivisionError) as problem:
        raise UsageError(
            "--max-false and --min-recall are shares",
            got=f"{request.max_false!r} and {request.min_recall!r}",
            wanted="decimals above 0 and below 1",
        ) from problem


def _labels(request: CalibrateFiles, suite: Suite) -> tuple[list[ReferenceUsed], Mapping[str, bool] | None]:
    """The labels of the canaries given, None for none. Raises `AdmissionError` where one of them does not qualify."""
    if not request.references:
        return [], None
    others = sorted({role.value for role, _ in request.references if role is not ReferenceRole.CANARY})
    if others:
        raise UsageError("a calibration uses canaries alone", got=repr(others), wanted="--reference canary=RUN")
    references = [Reference(role=role, run=read_run(path)) for role, path in request.references]
    refuse_references(references, agent="", suite=suite)  # no agent is tested here, and no name is empty
    labels = canary_labels(suite, [reference_attempts(reference.run) for reference in references])
    if labels.problem is not None:
        raise AdmissionError(
            "the canary gives no labels",
            rule="A3",
            got=labels.problem,
            fix="run a model that violates the suite, or calibrate without --reference",
        )
    used = [reference.use() for reference in references]
    return [ReferenceUsed(agent=use.agent, build=use.build, digest=use.digest) for use in used], labels.passed


def _sample(request: CalibrateFiles) -> tuple[Sample, CorpusUsed]:
    if request.index is not None:
        index = open_index(request.index)
        not_sampled = _without_text(index)
        sample = _drawn(index.documents(), request)
        return sample, _used(sample, index=index.digest, not_sampled=not_sampled)
    seen = hashlib.sha256()
    sample = _drawn(_documents(list_shards(request.corpus), request.column, seen), request)
    return sample, _used(sample, texts=f"sha256:{seen.hexdigest()}", column=request.column)


def _drawn(documents: Iterable[KnownDocument], request: CalibrateFiles) -> Sample:
    return draw_sample(documents, most_bytes=request.sample_mb * _MEGABYTE, seed=request.seed)


def _embedded(sample: Sample, request: CalibrateFiles) -> Sequence[KnownDocument]:
    """What the model reads: a sample of the sample, drawn by the same numbers."""
    return draw_sample(sample.documents, most_bytes=request.embed_mb * _MEGABYTE, seed=request.seed).documents


def _without_text(index: Index) -> tuple[str, ...]:
    """The corpora of which the index keeps hashes alone; raises `CorpusError` where that is all there is."""
    hashed = [segment for segment in index.segments if segment.keep == "hashes"]
    names = tuple(sorted(f"{segment.corpus} {segment.revision}" for segment in hashed))
    if hashed and len(hashed) == len(index.segments):
        raise CorpusError(
            "there is no text to sample: the index keeps only hashes",
            rule="A3",
            got=", ".join(names),
            fix="calibrate on the texts themselves (--corpus), or add them with their text",
            at=Location(path=str(index.path)),
        )
    return names


def _used(
    sample: Sample,
    *,
    index: str | None = None,
    texts: str | None = None,
    column: str | None = None,
    not_sampled: tuple[str, ...] = (),
) -> CorpusUsed:
    return CorpusUsed(
        index=index,
        texts=texts,
        column=column,
        documents=sample.all_documents,
        text_bytes=sample.all_bytes,
        sampled_documents=len(sample.documents),
        sampled_bytes=sample.text_bytes,
        not_sampled=not_sampled,
    )


def _documents(shards: Sequence[Shard], column: str, seen: hashlib._Hash) -> Iterator[KnownDocument]:
    """The documents of all shards; `seen` takes in every text, so that what was read has a name wherever it stood."""
    for shard in shards:
        for batch in read_batches(shard, Columns(text=column), corpus=_CORPUS):
            for number in range(len(batch)):
                data = batch.text(number)
                seen.update(len(data).to_bytes(8))
                seen.update(data)
                yield KnownDocument(
                    corpus=_CORPUS, id=batch.ids[number], text=data.decode("utf-8"), source=batch.sources[number]
                )


def _given_negatives(request: CalibrateFiles) -> tuple[list[KnownDocument] | None, str | None]:
    """The hard negatives of the file and the digest of their texts; blank ones are none."""
    if request.hard_negatives is None:
        return None, None
    seen = hashlib.sha256()
    shards = list_shards([str(request.hard_negatives)])
    documents = [item for item in _documents(shards, request.column, seen) if item.text.strip()]
    if not documents:
        raise CorpusError("there is no hard negative in the file", at=Location(path=str(request.hard_negatives)))
    return documents, f"sha256:{seen.hexdigest()}"


def _ids(path: Path | None, suite: Suite, flag: str) -> frozenset[str]:
    """The ids in a file, one a line; an id that the suite does not have is an error: it may be a misspelt one."""
    if path is None:
        return frozenset()
    text = read_bytes(path, what=f"the file of {flag}").decode("utf-8", "replace")
    found = frozenset(line.strip() for line in text.splitlines() if line.strip())
    unknown = sorted(found - suite.instance_digests.keys())
    if unknown or not found:
        raise UsageError(
            f"the file of {flag} does not name instances of the suite",
            got=repr(unknown[:3]) if unknown else "no id",
            wanted="one id a line",
            at=Location(path=str(path)),
        )
    return found
