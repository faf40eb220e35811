"""Which engine is used, and where its kernels are kept."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from litmusgate.corpora.engines import FEW_BYTES, best_engine, engine_for, engine_named
from litmusgate.errors import UsageError

COUNT = """
import sys
from litmusgate.corpora.engines import engine_named
engine_named("compiled")
from litmusgate.provenance.compiled.words import finalised
from litmusgate.provenance.compiled.tables import first_place
import numpy as np
first_place(np.zeros(64, np.uint64), np.uint64(5))
print(len(first_place.stats.cache_hits), sum(first_place.stats.cache_misses.values()), sum(first_place.stats.cache_hits.values()))
"""


def _count(**environment: str) -> tuple[int, int]:
    """Kernels that a new process compiled, and that it found on disk."""
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, env=environment, check=True)
    _, compiled, kept = done.stdout.split()
    return int(compiled), int(kept)


def test_the_plain_engine_needs_no_extra_and_can_be_asked_for() -> None:
    """Named `plain`, the reference engine answers, whatever is installed."""
    assert engine_named("plain").name == "plain"


def test_the_best_engine_is_the_compiled_one_where_numba_is() -> None:
    """With the extra the best engine is the compiled one."""
    pytest.importorskip("numba")
    assert best_engine().name == "compiled"


def test_little_is_read_plainly() -> None:
    """To load kernels takes longer than to read a little; both engines find the same."""
    assert engine_for(FEW_BYTES).name == "plain"
    assert engine_for(FEW_BYTES + 1).name == best_engine().name


def test_without_numba_the_best_engine_is_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra a scan is slower, not impossible."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert best_engine().name == "plain"


def test_the_compiled_engine_without_numba_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for it by name is told what to install, not given another one."""
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(UsageError, match=r"(?s)numba.*corpora"):
        engine_named("compiled")


def test_an_unknown_engine_is_an_error_that_lists_the_known_ones() -> None:
    """A misspelt name is never a default."""
    with pytest.raises(UsageError, match="plain or compiled"):
        engine_named("quick")


def test_the_seam_imports_no_numba() -> None:
    """Whoever needs only the rules does not pay for the compiler."""
    program = "import sys, litmusgate.provenance.engine, litmusgate.corpora.engines; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_kernels_are_kept_in_the_users_cache_folder(tmp_path: Path) -> None:
    """The first process compiles, the next one reads what it compiled."""
    pytest.importorskip("numba")
    assert _count(XDG_CACHE_HOME=str(tmp_path)) == (1, 0)
    assert _count(XDG_CACHE_HOME=str(tmp_path)) == (0, 1)
    assert list(tmp_path.glob("litmusgate/numba-*/litmusgate-*"))


def test_a_named_cache_folder_is_used(tmp_path: Path) -> None:
    """`NUMBA_CACHE_DIR` says where kernels are kept."""
    pytest.importorskip("numba")
    assert _count(NUMBA_CACHE_DIR=str(tmp_path / "named"), HOME=str(tmp_path)) == (1, 0)
    assert list(tmp_path.glob("named/litmusgate-*"))


def test_a_cache_folder_that_cannot_be_made_breaks_nothing(tmp_path: Path) -> None:
    """It costs time at the most: the kernel runs, compiled now or kept elsewhere."""
    pytest.importorskip("numba")
    (tmp_path / "file").touch()
    assert sum(_count(NUMBA_CACHE_DIR=str(tmp_path / "file" / "folder"), HOME=str(tmp_path / "file"))) == 1
