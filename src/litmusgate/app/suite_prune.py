"""`suite prune`: what admission found inadmissible leaves the suite, on the record (A8, A13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from litmusgate.app.files import MAX_RECORD_BYTES, read_bytes
from litmusgate.app.suites import load_suite, save_suite
from litmusgate.errors import AdmissionError, Location
from litmusgate.suite.manifest import Suite
from litmusgate.suite.prune import prune_suite


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneFiles:
    """What `suite prune` reads and writes."""

    suite: Path
    admission: Path
    out: Path
    version: str
    accept_loss: Sequence[str] = ()
    force: bool = False


def prune_files(files: PruneFiles) -> Suite:
    """Write the pruned suite to `files.out` and return it.

    Raises `AdmissionError` when the record is of another suite, and what `prune_suite` and `save_suite` raise; nothing
    is written then.
    """
    from litmusgate.admission.ledger import read_admission

    suite = load_suite(files.suite)
    data = read_bytes(files.admission, what="the admission record", error=AdmissionError, max_bytes=MAX_RECORD_BYTES)
    record = read_admission(data, path=str(files.admission))
    if record.suite_digest != suite.digest:
        raise AdmissionError(
            "the admission record is of another suite",
            rule="A10",
            got=f"{record.suite_name!r} {record.suite_version!r} {record.suite_digest}",
            wanted=suite.digest,
            fix="run `litmusgate admit` on this suite",
            at=Location(path=str(files.admission)),
        )
    inadmissible = {
        item.id: tuple(sorted({finding.reason.value for finding in item.findings}))
        for item in record.instances
        if not item.admissible
    }
    pruned = prune_suite(suite, inadmissible, version=files.version, accept_loss=files.accept_loss)
    save_suite(pruned, files.out, force=files.force)
    return pruned
