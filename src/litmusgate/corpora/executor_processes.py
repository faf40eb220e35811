"""Processes of this machine, newly started ones: each gets the work once, then one shard after the other.

A thread stands behind each process and waits for its answer. A process that is killed, as the system does when memory
runs out, takes only the shard it had with it, and another one takes its place.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import threading
import traceback
from collections.abc import Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import cast

from litmusgate.corpora.executor_place import ShardWork, lost_shard
from litmusgate.corpora.executor_threads import Threads
from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import CorpusError

_SPAWN = multiprocessing.get_context("spawn")
_READY = "ready"
_CUT_OFF = (EOFError, OSError)
"""What a pipe raises whose other end is gone; an answer that was cut off is an `OSError`."""


class Processes:
    """`count` processes."""

    def __init__(self, work: ShardWork, count: int) -> None:
        self._threads = Threads(_Workers(pickle.dumps(work)), count)
        self.in_flight = self._threads.in_flight

    def __enter__(self) -> Processes:
        try:
            self._threads.__enter__()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.__exit__()

    def begin(self, shard: Shard) -> Future[ShardReading]:
        """Queue `shard` for the next free process."""
        return self._threads.begin(shard)

    def wait(self, tasks: Collection[Future[ShardReading]]) -> Collection[Future[ShardReading]]:
        """Wait for the first of them."""
        return self._threads.wait(tasks)

    def take(self, task: Future[ShardReading], shard: Shard) -> ShardReading:
        """The reading."""
        return self._threads.take(task, shard)


class _Workers:
    """Shard work that other processes do: one for each thread that calls at the same time."""

    def __init__(self, work: bytes) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._all: list[_Worker] = []
        self._ended = False

    def prepare(self) -> None:
        """Start one process, so that work which cannot begin at all is known before any shard."""
        self._idle.append(self._start())

    def __call__(self, shard: Shard) -> ShardReading:
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        worker = worker or self._start()
        try:
            answer = worker.ask(shard)
        except _CUT_OFF:
            return lost_shard(shard, worker.cause())
        with self._lock:
            self._idle.append(worker)
        if isinstance(answer, BaseException):
            raise answer
        return cast("ShardReading", answer)

    def stop(self) -> None:
        """End all processes; whoever waits for one is told that it is gone."""
        with self._lock:
            self._ended = True
            workers = tuple(self._all)
        for worker in workers:
            worker.end()

    def _start(self) -> _Worker:
        """A process that is ready; raises what kept it from being so."""
        with self._lock:
            if self._ended:
                raise CorpusError("the scan was ended")
            worker = _Worker()
            self._all.append(worker)
        try:
            answer = worker.get_ready(self._work)
        except _CUT_OFF as problem:
            raise CorpusError(
                "a worker process ended before it could begin",
                got=worker.cause(),
                fix="fewer processes, or threads, where memory is short; a script that scans needs `if __name__ == ...`",
            ) from problem
        if isinstance(answer, BaseException):
            raise answer
        return worker


class _Worker:
    """One process and the pipe to it."""

    def __init__(self) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, args=(theirs,), daemon=True)
        with _no_interrupt():
            self._process.start()
        theirs.close()  # else the pipe would not end with the process

    def get_ready(self, work: bytes) -> object:
        """Hand over the work; the answer is `_READY` or what was raised."""
        self._pipe.send_bytes(work)
        return self._pipe.recv()

    def ask(self, shard: Shard) -> object:
        """The reading of `shard`, or what was raised; one of `_CUT_OFF` where the process is gone."""
        self._pipe.send(shard)
        return self._pipe.recv()

    def cause(self) -> str:
        """How the process, which is gone, ended."""
        self._process.join(timeout=1)  # its pipe ends a moment before it does
        self.end()
        code = self._process.exitcode or 0
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"it ended with exit code {code}"

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """What is started meanwhile never sees Ctrl-C, which is for the process that asks; that one ends the others."""
    resource_tracker.ensure_running()  # starting it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection) -> None:
    """What a worker process does: get ready, then answer until nobody asks any more."""
    try:
        work: ShardWork = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from the process that started this one
        pipe.send(_prepared(work))
        while True:
            pipe.send(_answer(work, pipe.recv()))
    except _CUT_OFF:
        return


def _prepared(work: ShardWork) -> object:
    try:
        work.prepare()
    except Exception as problem:
        return _sendable(problem)
    return _READY


def _answer(work: ShardWork, shard: Shard) -> object:
    try:
        return work(shard)
    except Exception as problem:
        return _sendable(problem)


def _sendable(problem: Exception) -> Exception:
    """The error with its traceback as a note; one that cannot be pickled as its text."""
    told = traceback.format_exc()
    problem.add_note(told)
    try:
        pickle.loads(pickle.dumps(problem))  # noqa: S301 - just made
    except Exception:
        return RuntimeError(told)
    return problem
