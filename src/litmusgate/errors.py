"""The error tree: one base, one branch per exit code, every message in four parts (STYLE S5).

LitmusGateError                 base; never raised itself
├── UsageError                  exit 2: flags, or a policy or suite that does not parse
│   ├── SuiteError              a suite file is not a suite (path:line:column)
│   └── PolicyError             a policy file is not a policy (path:line:column)
└── EvidenceError               exit 4: a run, admission, baseline, index or record that cannot be believed
    ├── RunError                a run file is truncated, unreadable or contradicts itself
    ├── ImportFormatError       a foreign log is truncated, unreadable or not the format it was called
    ├── AdmissionError          an admission record is unreadable or was made for something else
    ├── CorpusError             a corpus or the provenance index is unreadable or incomplete
    └── RecordError             a stored record is missing, altered or cannot be written

Findings are values, broken contracts are exceptions (S4): nothing here is raised to say that an instance
is inadmissible or that a build is blocked.
"""

from __future__ import annotations

from dataclasses import dataclass

EXIT_PASS = 0
EXIT_BLOCK = 1
EXIT_USAGE = 2
EXIT_REVIEW = 3
EXIT_INVALID = 4
EXIT_BUG = 70
EXIT_INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place in a file: path as the user wrote it, line and column counted from 1 (None: unknown)."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """`path`, `path:line` or `path:line:column`."""
        parts = [self.path, *(str(part) for part in (self.line, self.column) if part is not None)]
        return ":".join(parts)


class LitmusGateError(Exception):
    """Base of every error this package raises on purpose.

    `rule` is the id of the rule that was broken (None: none), `got` and `wanted` are short phrases with
    values in `repr`, `fix` is the next step for the user, `at` is the place in the input.
    """

    exit_code: int = EXIT_BUG

    def __init__(
        self,
        what: str,
        *,
        rule: str | None = None,
        got: str | None = None,
        wanted: str | None = None,
        fix: str | None = None,
        at: Location | None = None,
    ) -> None:
        self.what = what
        self.rule = rule
        self.got = got
        self.wanted = wanted
        self.fix = fix
        self.at = at
        super().__init__(self.render())

    def render(self) -> str:
        """The message as one line per part; control characters are escaped by the printer, not here."""
        return "\n".join(self.lines())

    def lines(self) -> tuple[str, ...]:
        """The parts of the message: what and where, then what was got, what was wanted, how to fix it."""
        head = self.what if self.at is None else f"{self.at}: {self.what}"
        lines = [head if self.rule is None else f"{head} [{self.rule}]"]
        for label, value in (("got", self.got), ("wanted", self.wanted), ("fix", self.fix)):
            if value is not None:
                lines.append(f"  {label}: {value}")
        return tuple(lines)


class UsageError(LitmusGateError):
    """The command was called wrongly; nothing was read as evidence and nothing was written."""

    exit_code = EXIT_USAGE


class SuiteError(UsageError):
    """A suite file does not parse or contradicts itself."""


class PolicyError(UsageError):
    """A gate policy does not parse or contradicts itself."""


class EvidenceError(LitmusGateError):
    """Evidence is missing, broken or about something else: the gate fails closed."""

    exit_code = EXIT_INVALID


class RunError(EvidenceError):
    """A run file is truncated, unreadable or contradicts itself."""


class ImportFormatError(EvidenceError):
    """A foreign log is truncated, unreadable or not of the format it was called."""


class AdmissionError(EvidenceError):
    """An admission record is unreadable, altered or belongs to another suite, index or agent."""


class CorpusError(EvidenceError):
    """A known corpus or the provenance index is unreadable, incomplete or of another fold version."""


class RecordError(EvidenceError):
    """A stored record is missing, altered or cannot be written."""
