"""Scanning one shard of a corpus: what every executor runs, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from litmusgate.corpora.engines import engine_named
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import Shard, read_batches
from litmusgate.digest import digest_json
from litmusgate.errors import CorpusError
from litmusgate.provenance.engine import Finder
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.hashing import HASH_VERSION
from litmusgate.provenance.reading import Reading
from litmusgate.provenance.scan import read_batch
from litmusgate.provenance.suite_texts import SuiteTexts
from litmusgate.text import visible
from litmusgate.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanPlan:
    """What to look for, and how the shards are read. It is sent to every worker once.

    `engine` is the name of an engine (`plain`, `compiled`); engines never differ in what they find.
    """

    suite: SuiteTexts
    columns: Columns
    corpus: str
    encoded: bool
    engine: str

    def digest(self, suite_digest: str, allowed_digest: str | None) -> str:
        """What a finished shard may be reused for: everything that decides what is found, and no engine or worker."""
        return digest_json(
            {
                "suite": suite_digest,
                "allowed": allowed_digest,
                "fold": FOLD_VERSION,
                "hash": HASH_VERSION,
                "columns": asdict(self.columns),
                "corpus": self.corpus,
                "encoded": self.encoded,
                "litmusgate": __version__,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardReading:
    """What one shard gave: its reading, or the problem that kept it from being read to its end (then nothing counts)."""

    shard: Shard
    reading: Reading
    problem: str | None = None


class ShardScanner:
    """`scan_shard` of one plan. Its tables are built in the process that first scans with it; threads may share it."""

    def __init__(self, plan: ScanPlan, *, on_bytes: Callable[[int], None] | None = None) -> None:
        self.plan = plan
        self._on_bytes = on_bytes
        self._finder: Finder | None = None
        self._stopped = False

    def __getstate__(self) -> ScanPlan:
        """Only the plan travels: neither tables nor a callback."""
        return self.plan

    def __setstate__(self, plan: ScanPlan) -> None:
        self.__init__(plan)  # type: ignore[misc]

    def prepare(self) -> Finder:
        """Build the tables now; they are kept. A scanner that was stopped scans again."""
        self._stopped = False
        if self._finder is None:
            self._finder = engine_named(self.plan.engine).finder(self.plan.suite, encoded=self.plan.encoded)
        return self._finder

    def stop(self) -> None:
        """Let shards that are being read end at their next batch, as problems."""
        self._stopped = True

    def __call__(self, shard: Shard) -> ShardReading:
        """Read `shard` to its end; a problem is a value here, because the other shards go on."""
        finder = self._finder or self.prepare()
        reading = Reading()
        try:
            for batch in read_batches(shard, self.plan.columns, corpus=self.plan.corpus):
                read_batch(self.plan.suite, finder, reading, batch)
                if self._on_bytes is not None:
                    self._on_bytes(batch.text_bytes)
                if self._stopped:
                    return ShardReading(
                        shard=shard, reading=Reading(), problem=f"{visible(shard.uri)}: the scan was stopped"
                    )
        except CorpusError as problem:
            # lines apart, because a file's name may hold a line end
            return ShardReading(shard=shard, reading=Reading(), problem="\n".join(map(visible, problem.lines())))
        if not reading.documents:
            return ShardReading(
                shard=shard, reading=reading, problem=f"{visible(shard.uri)}: no document with a word in it"
            )
        return ShardReading(shard=shard, reading=reading)
