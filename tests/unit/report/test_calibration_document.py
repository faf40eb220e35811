"""The calibration file: canonical, strict, and held to its own counts."""

import json

import pytest

from litmusgate.digest import canonical_bytes
from litmusgate.errors import RecordError
from litmusgate.report.calibration_document import read_tau, tau_bytes
from unit.report.calibration_worlds import calibrated, disputed, with_canary, with_embedding


@pytest.mark.parametrize("made", [calibrated, disputed, with_canary, with_embedding])
def test_a_calibration_is_read_as_it_was_written(made):
    """Bytes, document and bytes again are the same, with and without a τ and a canary."""
    document = made()
    data = tau_bytes(document)
    assert read_tau(data, path="tau.json") == document
    assert canonical_bytes(json.loads(data)) == data


def _edited(made=calibrated, **changes):
    value = json.loads(tau_bytes(made()))
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


@pytest.mark.parametrize(
    "changes",
    [
        {"embedding__tau": "0.99"},
        {"embedding__tau": None},
        {"embedding__problem": "recall"},
        {"embedding__bound_instances": 0.001},
        {"embedding__kinds__0__found": 3},
        {"embedding__kinds__0__found": None},
        {"embedding__kinds__0__planted": 3},
        {"embedding__nearest__0__cosine": 1.5},
        {"embedding__model__digest": "minilm"},
        {"embedding__unknown": 1},
        {"embedding": None},
        {"channels__2__name": "canary"},
        {"channels__2__points__60__found": 9999},
        {"corpus__not_sampled": ["hidden 1"]},
    ],
    ids=str,
)
def test_an_edited_embedding_channel_is_refused(changes):
    """Its τ is held to its counts like the other one, and names the model it belongs to."""
    with pytest.raises(RecordError):
        read_tau(_edited(with_embedding, **changes), path="tau.json")


def test_a_calibration_of_before_the_channel_is_read():
    """The key is optional: a file without it says that the channel was not asked for."""
    value = json.loads(tau_bytes(calibrated()))
    del value["embedding"], value["corpus"]["not_sampled"]
    assert read_tau(canonical_bytes(value), path="tau.json") == calibrated()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"schema": "litmusgate/tau/1"}', b"\xff", b'{"a": NaN}'])
def test_what_is_no_calibration_is_refused(data):
    """Truncated, empty and foreign files name the file they are."""
    with pytest.raises(RecordError, match=r"tau\.json"):
        read_tau(data, path="tau.json")


def test_other_white_space_is_an_edit():
    """The digest is over the bytes, so bytes that say the same are not the same file."""
    with pytest.raises(RecordError, match="not as it was written"):
        read_tau(tau_bytes(calibrated()) + b"\n", path="tau.json")
