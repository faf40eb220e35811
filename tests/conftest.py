"""What every test may ask for: the shared real data, or a skip that says why."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

PROJECT = Path(__file__).resolve().parent.parent
REQUIRE_ALL = os.environ.get("LITMUSGATE_REQUIRE") == "all"

for name, steady in (("steady", True), ("roaming", False)):
    settings.register_profile(name, deadline=None, derandomize=steady, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
"""Properties draw the same examples every time and race no clock; `--hypothesis-profile=roaming` draws others."""


def skip_or_fail(reason: str) -> None:
    """Skip with `reason`, or fail where the environment promises that nothing is absent."""
    if REQUIRE_ALL:
        pytest.fail(f"LITMUSGATE_REQUIRE=all, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the project (`../shared`)."""
    folder = PROJECT.parent / "shared"
    if not (folder / "data").is_dir():
        skip_or_fail("the real data folder ../shared/data is absent")
    return folder
