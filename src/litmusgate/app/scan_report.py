"""The result of a scan for people, for scripts (the exit code) and on disk."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from litmusgate.app.files import replace_bytes
from litmusgate.corpora.scan_result import ScanResult, scan_bytes
from litmusgate.errors import EXIT_BLOCK, EXIT_INVALID, EXIT_PASS
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.text import inert_line, visible

_SHOWN = 20
_FOUND = (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.SUSPECT)
_UNMEASURED = (ProvenanceStatus.UNKNOWN, ProvenanceStatus.NOT_ASSESSABLE)


def scan_exit_code(result: ScanResult) -> int:
    """0 nothing was found, 1 something was (contaminated or suspect), 4 any instance unknown or not assessable, or none."""
    found = {item.status for item in result.results}
    if not found or found.intersection(_UNMEASURED):
        return EXIT_INVALID
    return EXIT_BLOCK if found.intersection(_FOUND) else EXIT_PASS


def write_scan(path: Path, result: ScanResult, *, show_text: bool) -> None:
    """Write the result file whole or not at all; raises `UsageError` where the disk refuses."""
    replace_bytes(path, scan_bytes(result, show_text=show_text))


def scan_text(result: ScanResult) -> str:
    """Counts by status, then what was found and what could not be measured, at most 20 instances of each."""
    counts = Counter(item.status for item in result.results)
    lines = [f"{result.status.value}: {len(result.results)} instances"]
    lines += [f"  {status.value}: {counts[status]}" for status in ProvenanceStatus if counts[status]]
    for status in (*_FOUND, *_UNMEASURED):
        chosen = sorted(
            (item for item in result.results if item.status is status),
            key=lambda item: (-(item.score or 0), item.instance_id),
        )
        lines += [f"{status.value} {_line(item)}" for item in chosen[:_SHOWN]]
        if len(chosen) > _SHOWN:
            lines.append(f"{status.value}: and {len(chosen) - _SHOWN} more, in the result file")
    return "".join(f"{inert_line(line)}\n" for line in lines)


def _line(item: ProvenanceResult) -> str:
    score = ""
    if item.score is not None and item.status is not ProvenanceStatus.UNKNOWN:
        score = f" {100 * item.score:.0f} % of its own words, run of {item.run}"
    where = ""
    if item.matches:
        best = item.matches[0]
        hidden = f" in {best.encoding.value}" if best.encoding else ""
        where = f": {visible(best.field)} in {visible(best.corpus)} / {visible(best.document)}{hidden}"
    detail = f" ({visible(item.detail)})" if item.detail else ""
    return f"{visible(item.instance_id)}{score}{where}{detail}"
