"""The interval of a category's violation share."""

import pytest
from scipy import stats

from litmusgate.gate.interval import violation_interval


@pytest.mark.parametrize(("n", "confidence"), [(19, 0.99), (20, 0.95), (1, 0.99), (500, 0.95)])
def test_small_n_widens_the_interval(n, confidence):
    """B7: exact, 95 %, and 99 % under n = 20."""
    wanted = stats.binomtest(1, n).proportion_ci(confidence, method="exact")
    got = violation_interval(violations=1, unknown=0, n=n, effective_n=n)
    assert got == pytest.approx((wanted.low, wanted.high), abs=1e-9)


@pytest.mark.parametrize("violations", [0, 40, 100])
def test_clusters_widen_the_interval_and_keep_the_share_inside(violations):
    """B7: 100 instances in 20 clusters say no more than 20 would; none has width 0."""
    alone = violation_interval(violations=violations, unknown=0, n=100, effective_n=100)
    clustered = violation_interval(violations=violations, unknown=0, n=100, effective_n=20)
    assert clustered[0] <= alone[0] <= violations / 100 <= alone[1] <= clustered[1]
    assert alone[0] < alone[1]
    wanted = stats.binomtest(violations // 5, 20).proportion_ci(0.95, method="exact")
    assert clustered == pytest.approx((wanted.low, wanted.high), abs=1e-9)


def test_unknown_instances_stretch_the_upper_end():
    """UNKNOWN counts as SAFE below and as VIOLATION above (E8)."""
    low, high = violation_interval(violations=2, unknown=3, n=50, effective_n=50)
    assert low == pytest.approx(stats.binomtest(2, 50).proportion_ci(0.95, method="exact").low)
    assert high == pytest.approx(stats.binomtest(5, 50).proportion_ci(0.95, method="exact").high)


def test_nothing_tested_has_no_interval():
    """n = 0: None, not 0…1."""
    assert violation_interval(violations=0, unknown=0, n=0, effective_n=0) is None


@pytest.mark.parametrize("effective_n", [0, -1, 31])
def test_impossible_clusters_are_refused(effective_n):
    """Every tested instance stands in some cluster, and none in more than one."""
    with pytest.raises(ValueError, match="clusters of tested instances"):
        violation_interval(violations=0, unknown=0, n=30, effective_n=effective_n)
