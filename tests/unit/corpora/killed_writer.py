"""Runs one change of an index again and again, each time in a process that dies at another moment.

`python killed_writer.py MODE COMMAND INDEX WORK FILE`: run `k` works on a copy of INDEX in WORK/`k`. In mode `step` it is
killed before or after its k-th sync, rename or deletion; in mode `bytes` when a file of the index would grow beyond some
bytes; in mode `full` the disk refuses those bytes instead. Ends when a run came through, and prints how many did not.
"""

import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from litmusgate.app import corpus
from litmusgate.corpora.readers import Columns
from litmusgate.errors import CorpusError
from litmusgate.provenance.engine import PlainEngine

NOW = "2026-12-01T00:00:00Z"
STEP_BYTES = 150


def run(command: str, index: Path, file: Path) -> None:
    """The change that is to be interrupted."""
    corpus.engine_for = lambda _: PlainEngine()  # so that no run compiles
    if command == "compact":
        corpus.compact_index(index)
    elif command == "retire":
        corpus.retire_corpus(index, "pub", revision="r1", reason="it was withdrawn", now=NOW)
    else:
        columns = Columns(id="id")
        keep: Any = command.removeprefix("add-")
        corpus.add_corpus(
            corpus.AddRequest(
                index=index, files=(file,), revision="r9", columns=columns, name="more", keep=keep, now=NOW
            )
        )


def _kill_at(step: int) -> None:
    left = step

    def tick() -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    def watched(act: Callable[..., Any]) -> Callable[..., Any]:
        def acting(*arguments: Any, **named: Any) -> Any:
            tick()
            done = act(*arguments, **named)
            tick()
            return done

        return acting

    os.fsync, os.replace, os.unlink = watched(os.fsync), watched(os.replace), watched(os.unlink)


def _limit_bytes(limit: int, *, deadly: bool) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def _attempt(mode: str, command: str, index: Path, file: Path, number: int) -> int:
    """How the process of this attempt ended: 0, or a signal or exit code."""
    child = os.fork()
    if child == 0:
        if mode == "step":
            _kill_at(number)
        else:
            _limit_bytes(number * STEP_BYTES, deadly=mode == "bytes")
        try:
            run(command, index, file)
        except CorpusError as problem:
            os._exit(4 if "cannot be written" in problem.what else 5)
        except BaseException:
            os._exit(6)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Attempt after attempt, until one comes through."""
    mode, command, index, work, file = sys.argv[1], sys.argv[2], *map(Path, sys.argv[3:])
    expected = {"step": -signal.SIGKILL, "bytes": -signal.SIGXFSZ, "full": 4}[mode]
    run(command, Path(shutil.copytree(index, work / "warm")), file)
    for number in count():
        ended = _attempt(mode, command, Path(shutil.copytree(index, work / str(number))), file, number)
        if ended == 0:
            sys.stdout.write(f"{number}\n")
            return
        if ended != expected:
            sys.exit(f"attempt {number} ended with {ended}, expected {expected}")


if __name__ == "__main__":
    main()
