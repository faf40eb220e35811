"""What the tests of hostile files share: one command run, one file written, one import."""

import contextlib
import io

from litmusgate.cli.main import main


def run(*words):
    """Exit code and stderr of one of our commands."""
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    return code, err.getvalue()


def written(path, data):
    """`data` (text or bytes) at `path`, whose folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def importing(log, out):
    """The words of an import of `log`."""
    return ["import", "table", log, "--agent", "a", "--build", "b", "--column", "id=id", "--column", "outcome=o",
            "--map", "x=safe", "--out", out]  # fmt: skip
