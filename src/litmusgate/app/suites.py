"""Suites on disk: read a folder or a canonical file, write a folder whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from litmusgate.app.files import MAX_FILE_BYTES, MAX_TABLE_BYTES, read_bytes
from litmusgate.errors import Location, SuiteError, UsageError
from litmusgate.suite.codec import suite_files, suite_from_canonical, suite_from_files
from litmusgate.suite.manifest import Suite
from litmusgate.suite.reading import INSTANCE_FOLDER, LINES_FILE, MANIFEST_FILE, PRUNED_FILE


def load_suite(path: Path | str) -> Suite:
    """The suite at `path`: a folder with `suite.yaml`, or a canonical `.json` file.

    Raises `SuiteError` (exit 2) with path, line and column; a missing or unreadable file is one too.
    """
    path = Path(path)
    if path.is_dir():
        return suite_from_files(_folder_files(path), path=str(path))
    if not path.exists():
        raise SuiteError("there is no such suite", got=repr(str(path)), wanted="a folder that holds suite.yaml")
    if path.suffix != ".json":
        raise SuiteError(
            "a suite is a folder, or one canonical .json file",
            got=repr(str(path)),
            fix=f"name the folder: {str(path.parent)!r}" if path.name == MANIFEST_FILE else None,
        )
    return suite_from_canonical(
        read_bytes(path, what="the suite", error=SuiteError, max_bytes=MAX_TABLE_BYTES), path=str(path)
    )


def save_suite(suite: Suite, path: Path | str, *, force: bool = False) -> None:
    """Write `suite` as the folder `path`, complete or not at all.

    A folder that holds the same suite is left alone. Raises `UsageError` when `path` is something else: a file, another
    suite (`force` replaces it), or a folder that is no suite (never replaced).
    """
    path = Path(path)
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise UsageError("the output is not a folder", at=Location(path=str(path)), fix="name another")
    occupied = path.exists() and any(path.iterdir())
    if occupied and _may_stay(suite, path, force=force):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_folder(suite_files(suite), path)
    except OSError as problem:
        raise UsageError(
            "the suite cannot be written", got=problem.strerror or str(problem), at=Location(path=str(path))
        ) from problem


def _folder_files(path: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name in (MANIFEST_FILE, LINES_FILE, PRUNED_FILE):
        if (path / name).exists():
            limit = MAX_FILE_BYTES if name == MANIFEST_FILE else MAX_TABLE_BYTES
            files[name] = read_bytes(path / name, what="the suite's file", error=SuiteError, max_bytes=limit)
    folder = path / INSTANCE_FOLDER
    if folder.is_dir():
        for item in sorted(folder.iterdir()):
            if not item.name.startswith("."):
                files[f"{INSTANCE_FOLDER}{item.name}"] = read_bytes(item, what="the instance file", error=SuiteError)
    return files


def _may_stay(suite: Suite, path: Path, *, force: bool) -> bool:
    """Whether the folder already holds `suite`; raises unless it does or may be replaced."""
    try:
        found = load_suite(path)
    except SuiteError:
        found = None
    if found == suite and found is not None and found.digest == suite.digest:
        return True
    names = {item.name for item in path.iterdir()}
    foreign = sorted(names - {MANIFEST_FILE, LINES_FILE, PRUNED_FILE, INSTANCE_FOLDER.rstrip("/")})
    if foreign or MANIFEST_FILE not in names:
        raise UsageError(
            "the output folder holds something that is not a suite's",
            got=repr((foreign or sorted(names))[:5]),
            fix="name an empty or new folder",
            at=Location(path=str(path)),
        )
    if not force:
        raise UsageError(
            "the output folder holds another suite",
            got="a suite that does not parse" if found is None else found.digest,
            wanted=suite.digest,
            fix="name another folder, or --force",
            at=Location(path=str(path)),
        )
    return False


def _write_folder(files: dict[str, bytes], path: Path) -> None:
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        new, old = temporary / "new", temporary / "old"
        new.mkdir()
        for name, data in files.items():
            with (new / name).open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        if path.exists():
            path.rename(old)
        try:
            new.rename(path)
        except OSError:
            if old.exists():
                old.rename(path)
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
