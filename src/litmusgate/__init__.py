"""litmusgate: may this evidence be believed, and may this build ship?

The names below are the public interface (see `litmusgate.api` for all of it); they are loaded on first use, so that
`import litmusgate` costs nothing. Everything else may change between versions.
"""

from __future__ import annotations

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


def __getattr__(name: str) -> object:
    """The public name, from `litmusgate.api`; all of them at once, so that `gate` is the function and not the package."""
    if name not in __all__:
        raise AttributeError(f"module 'litmusgate' has no attribute {name!r}")
    from litmusgate import api

    globals().update({public: getattr(api, public) for public in __all__ if public != "__version__"})
    return globals()[name]
