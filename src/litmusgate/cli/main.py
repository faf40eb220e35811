"""The `litmusgate` command: verbs, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
from typing import Annotated

import typer

from litmusgate.cli import admit, calibrate, corpus, demo, explain, gate, import_, init, report, suite, verify
from litmusgate.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_INVALID, EXIT_USAGE, LitmusGateError
from litmusgate.text import shown_line, visible
from litmusgate.version import __version__

_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""What a write to stdout ends with when it goes to a full or failing disk; files of ours have errors of their own."""

EXIT_BROKEN_PIPE = 141
"""What a shell reports for a reader that went away (128 + SIGPIPE); never a decision."""

app = typer.Typer(
    name="litmusgate",
    help="Decides whether an AI agent's safety evidence may be believed, and whether the build may ship.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("init")(init.init)
app.command("explain")(explain.explain)
app.add_typer(suite.app, name="suite", help="Check, digest, compare, import and prune suites.")
app.add_typer(corpus.app, name="corpus", help="The provenance index: the known corpora a suite is checked against.")
app.command("admit")(admit.admit)
app.add_typer(calibrate.app, name="calibrate", help="Find the one threshold on your own suite and corpora.")
app.add_typer(import_.app, name="import", help="Turn a log into a run. The format is always named, never guessed.")
app.command("gate")(gate.gate)
app.command("report")(report.report)
app.command("verify")(verify.verify)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"litmusgate {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Decides whether an AI agent's safety evidence may be believed, and whether the build may ship."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; every error is a message on stderr, never a bare traceback.

    An uncaught exception is 70, so that no crash can be mistaken for a decision (B13).
    """
    try:
        outcome = app(arguments, standalone_mode=False)
    except LitmusGateError as error:
        typer.echo("\n".join(map(shown_line, error.lines())), err=True)
        return error.exit_code
    except typer.TyperException as error:
        _show_usage_error(error)
        return EXIT_USAGE  # the library's own code for some of these is 1, which here means BLOCK
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except SystemExit:
        return EXIT_BROKEN_PIPE  # the command line library ends so when the reader of stdout is gone
    except OSError as error:
        if error.errno not in _DISK_ERRORS:
            return _bug()
        return _unwritable(error)
    except MemoryError:
        typer.echo("the input needs more memory than there is; nothing was decided", err=True)
        return EXIT_INVALID
    except Exception:
        return _bug()
    return outcome if isinstance(outcome, int) else 0


def _bug() -> int:
    typer.echo("\n".join(map(shown_line, traceback.format_exc().splitlines())), err=True)
    typer.echo("this is a bug in litmusgate, not a decision about your build (exit 70)", err=True)
    return EXIT_BUG


def _unwritable(error: OSError) -> int:
    """Say that the output could not be printed; what stands on disk by then is whole."""
    typer.echo(f"the output cannot be written\n  got: {shown_line(error.strerror or str(error))}", err=True)
    return EXIT_USAGE


def _show_usage_error(error: typer.TyperException) -> None:
    message, show = error.format_message(), getattr(error, "show", None)
    if show is None or visible(message) != message:  # the library's own box would print it raw
        typer.echo(shown_line(message), err=True)
    else:
        show()


def run() -> None:
    """Entry point of the console script; keeps the decision's exit code when the reader of stdout has gone."""
    # What we read are trees without cycles: looking for cycles in them again and again costs a fifth of a large gate.
    gc.set_threshold(200_000, 50, 1_000)
    # No command multiplies matrices, and starting the pool of threads that would costs a third of a start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = main()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _unwritable(error)
    sys.exit(code)
