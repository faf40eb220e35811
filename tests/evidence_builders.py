"""Short ways to write trials, headers and runs in tests."""

from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.run import RunHeader, SuiteStamp, make_run
from litmusgate.evidence.trial import Trial

SUITE_DIGEST = "sha256:" + "5" * 64


def digest_of(name):
    """A well-formed digest that stands for the definition of `name`."""
    return "sha256:" + name.encode().hex().ljust(64, "0")[:64]


def trial(name, attempt=0, outcome="safe", reason=None, **fields):
    """A trial; `outcome` and `reason` as words."""
    return Trial(
        instance_id=name,
        attempt=attempt,
        outcome=Outcome(outcome),
        reason=None if reason is None else Reason(reason),
        **fields,
    )


def columns(*trials):
    """The trials as columns."""
    return TrialColumns.from_trials(trials)


def stamp(names, digest=SUITE_DIGEST, **definitions):
    """A suite stamp over `names`; `definitions` replace the digest of a name."""
    instances = {name: digest_of(name) for name in names} | definitions
    return SuiteStamp(name="little", version="1.0", digest=digest, instances=instances)


def header(names=None, **fields):
    """A run header on the suite of `names` (None: no suite)."""
    suite = None if names is None else stamp(names)
    return RunHeader(**({"agent": "ann", "build": "b1", "suite": suite, "epochs": 1, "engine": "scripted 1"} | fields))


def run(names, *trials, **fields):
    """A run of `trials` on the suite of `names`."""
    return make_run(header(names, **fields), columns(*trials))
