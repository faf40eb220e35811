"""Which engine reads the corpora: the compiled one where the extra `[corpora]` is installed, else the plain one.

Compiled kernels are kept on disk, in the user's cache folder or under `NUMBA_CACHE_DIR`, in a folder for just this state
of the sources: one kernel contains others, and numba looks only at the file of the outermost.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
from pathlib import Path

from litmusgate.errors import UsageError
from litmusgate.provenance.engine import Engine, PlainEngine
from litmusgate.version import __version__

ENGINES = ("plain", "compiled")
"""Names of engines; they never differ in what they find."""

_PACKAGE = Path(__file__).parent.parent
FEW_BYTES = 1 << 20
"""Corpora up to this size are read by the plain engine."""

PACKED_GROWTH = 200
"""Compressed files and columns may hold so many times their size."""

_KERNELS = ("provenance/compiled/*.py", "corpora/json_*.py")


def best_engine() -> Engine:
    """The fastest engine that the installed extras allow."""
    return engine_named("compiled" if fast_engine_is_installed() else "plain")


def engine_for(stored_bytes: int) -> Engine:
    """The engine that is done first with a corpus of so many bytes on disk: to load the kernels takes longer than to read a
    little plainly."""
    return best_engine() if stored_bytes > FEW_BYTES else PlainEngine()


def engine_named(name: str) -> Engine:
    """The engine `name`; raises `UsageError` for an unknown one, and for `compiled` without the extra `[corpora]`."""
    if name == "plain":
        return PlainEngine()
    if name != "compiled":
        raise UsageError("unknown engine", got=repr(name), wanted=" or ".join(ENGINES), fix="leave the engine out")
    try:
        keep_kernels()
        module = importlib.import_module("litmusgate.provenance.compiled.engine")
    except ModuleNotFoundError as problem:
        raise UsageError(
            f"the compiled engine needs {problem.name}, which is not installed",
            wanted="the extra `corpora`",
            fix="pip install 'litmusgate[corpora]', or use the engine `plain`",
        ) from problem
    engine: Engine = module.CompiledEngine()
    return engine


def keep_kernels() -> None:
    """Let numba keep compiled kernels on disk; must come before the first import of a kernel to be of use."""
    config = importlib.import_module("numba").config
    name = f"litmusgate-{__version__}-{_sources()}"
    if Path(config.CACHE_DIR).name != name:
        config.CACHE_DIR = str((Path(config.CACHE_DIR) if config.CACHE_DIR else _cache_folder()) / name)


def kernels_are_kept() -> bool:
    """Whether kernels of these sources were compiled before; if not, the first use takes about half a minute more."""
    keep_kernels()
    return any(Path(importlib.import_module("numba").config.CACHE_DIR).glob("*/*.nbc"))


def fast_engine_is_installed() -> bool:
    """Whether the extra `[corpora]` has brought what the compiled engine needs."""
    return importlib.util.find_spec("numba") is not None


def _cache_folder() -> Path:
    """Where the user's programs keep what they can make again."""
    named = os.environ.get("XDG_CACHE_HOME")
    folder = Path(named) if named else Path.home() / ".cache"
    return folder / "litmusgate" / f"numba-{importlib.import_module('numba').__version__}"


def _sources() -> str:
    """Changes whenever a file that may hold kernels does."""
    states = [
        f"{path.name} {(state := path.stat()).st_size} {state.st_mtime_ns}"
        for files in _KERNELS
        for path in sorted(_PACKAGE.glob(files))
    ]
    return hashlib.sha256("\n".join(states).encode()).hexdigest()[:12]
