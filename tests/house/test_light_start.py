"""What starting the command, or importing the package, must not load."""

import json
import subprocess
import sys

import pytest

HEAVY = (
    "scipy", "numpy", "numba", "pyarrow", "zstandard", "rapidfuzz", "ruamel", "yaml",
    "inspect_ai", "sqlalchemy", "cryptography", "starlette", "ray", "jinja2",
)  # fmt: skip

SNIPPET = """
import contextlib, io, json, sys
sys.argv = ["litmusgate", *json.loads(sys.argv[1])]
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    from litmusgate.cli.main import main
    code = main()
print(json.dumps([code, sorted({name.split(".")[0] for name in sys.modules})]))
"""


def loaded_after(arguments: list[str]) -> tuple[int, set[str]]:
    """Exit code of the command with `arguments`, and the top-level modules it loaded, in a fresh interpreter."""
    command = [sys.executable, "-c", SNIPPET, json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    code, names = json.loads(done.stdout)
    return code, set(names)


@pytest.mark.parametrize("arguments", [["--help"], ["gate", "--help"], ["suite", "prune", "--help"], ["--version"]])
def test_help_loads_no_heavy_library(arguments):
    """Asking for help costs neither numbers nor files: none of the heavy libraries is loaded."""
    code, loaded = loaded_after(arguments)
    assert code == 0
    assert "typer" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_checking_a_suite_loads_no_statistics(tmp_path):
    """`suite check` reads and compares texts; it does not pay for the mathematics of the gate."""
    code, loaded = loaded_after(["suite", "check", str(tmp_path / "absent")])
    assert code == 2
    assert {"pydantic", "litmusgate"} <= loaded
    assert loaded.isdisjoint({"scipy", "numpy", "pyarrow", "zstandard"})


def test_importing_the_package_costs_nothing():
    """`import litmusgate` loads no room; `litmusgate.gate` is the function even when the room of that name was imported."""
    script = (
        "import sys, litmusgate\n"
        "assert not [name for name in sys.modules if name.startswith('litmusgate.') and name != 'litmusgate.version']\n"
        "import litmusgate.gate.policy\n"
        "assert litmusgate.gate.__name__ == 'gate' and callable(litmusgate.gate)\n"
        "from litmusgate.gate.policy import Policy\n"
        "assert Policy is litmusgate.Policy\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
