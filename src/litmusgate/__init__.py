"""litmusgate: may this evidence be believed, and may this build ship?

The names below are the public interface (see `litmusgate.api` for all of it); they are loaded on first use, so that
`import litmusgate` costs nothing. Everything else may change between versions.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from litmusgate.version import __version__

if TYPE_CHECKING:
    from litmusgate.api import (
        AdmissionRecord,
        Decision,
        LitmusGateError,
        Outcome,
        Policy,
        Run,
        Suite,
        Trial,
        Verdict,
        admit,
        gate,
        load_admission,
        load_policy,
        load_run,
        load_suite,
        load_verdict,
        render,
        save_run,
        save_suite,
        write_verdict,
    )

__all__ = [
    "AdmissionRecord",
    "Decision",
    "LitmusGateError",
    "Outcome",
    "Policy",
    "Run",
    "Suite",
    "Trial",
    "Verdict",
    "__version__",
    "admit",
    "gate",
    "load_admission",
    "load_policy",
    "load_run",
    "load_suite",
    "load_verdict",
    "render",
    "save_run",
    "save_suite",
    "write_verdict",
]


class _Facade(ModuleType):
    """This package, in which `litmusgate.gate` is the function even after the room of that name has been imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in __all__ and isinstance(value, ModuleType):
            return  # the import system binding a room: `from litmusgate.gate.policy import …` does not need it
        super().__setattr__(name, value)


def __getattr__(name: str) -> object:
    """The public name, from `litmusgate.api`, loaded on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from litmusgate import api

    value: object = getattr(api, name)
    globals()[name] = value
    return value


sys.modules[__name__].__class__ = _Facade
