"""The calibration file: canonical, strict, and held to its own counts."""

import json

import pytest

from litmusgate.digest import canonical_bytes
from litmusgate.errors import RecordError
from litmusgate.report.calibration_document import read_tau, tau_bytes
from unit.report.calibration_worlds import calibrated, disputed, with_canary


@pytest.mark.parametrize("made", [calibrated, disputed, with_canary])
def test_a_calibration_is_read_as_it_was_written(made):
    """Bytes, document and bytes again are the same, with and without a τ and a canary."""
    document = made()
    data = tau_bytes(document)
    assert read_tau(data, path="tau.json") == document
    assert canonical_bytes(json.loads(data)) == data


def _edited(**changes):
    value = json.loads(tau_bytes(calibrated()))
    for where, new in changes.items():
        *path, last = where.split("__")
        part = value
        for key in path:
            part = part[int(key) if key.isdigit() else key]
        part[last] = new
    return canonical_bytes(value)


@pytest.mark.parametrize(
    "changes",
    [
        {"tau": "0.60"},
        {"tau": "0.49"},
        {"tau": None},
        {"tau": "0.5"},
        {"problem": "recall"},
        {"bound_instances": 0.001},
        {"bound_instances": None},
        {"wanted__max_false": "1/100"},
        {"kinds__0__similar": 3},
        {"channels__0__wins": 3},
        {"channels__0__auc": 0.5},
        {"channels__0__name": "run"},
        {"channels__0__points__50__found": 9999},
        {"corpus__sampled_bytes": 10**9},
        {"corpus__index": "sha256:" + "0" * 64},
        {"schema": "litmusgate/tau/2"},
        {"seed": -1},
        {"unknown": 1},
    ],
    ids=str,
)
def test_an_edited_calibration_is_refused(changes):
    """A3: a τ that the counts do not give, a changed count, an unknown key or another schema is no calibration."""
    with pytest.raises(RecordError):
        read_tau(_edited(**changes), path="tau.json")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"schema": "litmusgate/tau/1"}', b"\xff", b'{"a": NaN}'])
def test_what_is_no_calibration_is_refused(data):
    """Truncated, empty and foreign files name the file they are."""
    with pytest.raises(RecordError, match=r"tau\.json"):
        read_tau(data, path="tau.json")


def test_other_white_space_is_an_edit():
    """The digest is over the bytes, so bytes that say the same are not the same file."""
    with pytest.raises(RecordError, match="not as it was written"):
        read_tau(tau_bytes(calibrated()) + b"\n", path="tau.json")
