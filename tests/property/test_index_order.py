"""Sorting on disk: any records, in any run size, come back as a plain sort would give them."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litmusgate.corpora import segment_order
from litmusgate.corpora.scratch import Scratch
from litmusgate.corpora.segment_order import SortedRecords

RECORD = np.dtype([("key", "<u8"), ("document", "<u4")], align=True)
KEYS = st.integers(0, 5) | st.integers(0, 2**64 - 1) | st.sampled_from([2**64 - 1, 2**63, 2**32, 2**20])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(KEYS, st.integers(0, 2**32 - 1)), max_size=80), st.integers(1, 90), st.integers(1, 9))
def test_records_come_back_sorted(tmp_path: Path, rows: list[tuple[int, int]], run: int, sampled: int) -> None:
    """By key, then by the other fields; equal keys in one piece, and no record is lost or made."""
    with pytest.MonkeyPatch.context() as patch, Scratch(tmp_path) as scratch:
        patch.setattr(segment_order, "RUN_RECORDS", run)
        patch.setattr(segment_order, "_SAMPLED", sampled)
        records = SortedRecords(RECORD, scratch)
        for start in range(0, len(rows), 7):
            records.add(np.array(rows[start : start + 7], RECORD))
        pieces = [[(int(key), int(owner)) for key, owner in piece.tolist()] for piece in records.in_order()]
    assert [row for piece in pieces for row in piece] == sorted(rows)
    edges = [(before[-1][0], after[0][0]) for before, after in pairwise(pieces)]
    assert all(before < after for before, after in edges)
