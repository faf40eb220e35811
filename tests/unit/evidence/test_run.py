"""A run is named by its header and its trials."""

import pytest

from evidence_builders import columns, header, trial
from litmusgate.evidence.run import make_run


def test_the_order_of_trials_does_not_change_the_run():
    """Two runs of the same header and trials are one run."""
    one = make_run(header(["a", "b"]), columns(trial("a"), trial("b")))
    other = make_run(header(["b", "a"]), columns(trial("b"), trial("a")))
    assert (one.digest, one.trials_digest) == (other.digest, other.trials_digest)
    assert one.columns.to_trials() == other.columns.to_trials()


def test_the_header_is_part_of_the_run_but_not_of_its_trials():
    """Another build with the same trials is another run, recognisable by its trials."""
    one = make_run(header(build="b1"), columns(trial("a")))
    other = make_run(header(build="b2"), columns(trial("a")))
    assert one.digest != other.digest
    assert one.trials_digest == other.trials_digest


@pytest.mark.parametrize("fields", [{"agent": ""}, {"build": "b\n1"}, {"engine": " e"}, {"epochs": 0}])
def test_a_header_that_names_nothing_is_refused(fields):
    """Agent, build and engine are names, and epochs are at least one."""
    with pytest.raises(ValueError, match=next(iter(fields))):
        header(**fields)
