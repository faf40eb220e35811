"""The real AgentDyn table: its known counts come out, and its traps are errors."""

from collections import Counter

import pytest

from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.evidence.codes import NOT_RECORDED, OUTCOMES, VIOLATION, YES
from litmusgate.importers.exposure import ExposureTable
from litmusgate.importers.mapping import parse_value_map
from litmusgate.importers.table import TableImporter

VALUES = ("pass=safe", "violation=violation", "error=unknown:error")
SECURITY = "mode == 'security' and attack == 'important_instructions'"


def read(shared_data, where, *, values=VALUES, **options):
    """The chosen rows of the AgentDyn outcomes."""
    importer = TableImporter(
        fields={"id": "instance_id", "outcome": "outcome", "category": "category"},
        values=parse_value_map(values),
        where=f"{SECURITY} and {where}",
        **options,
    )
    return importer.read([shared_data / "data" / "outcomes" / "agentdyn.parquet"]).columns


def violations(columns):
    """Violations per category."""
    rows = columns.category.codes[columns.outcome == VIOLATION]
    return Counter(columns.category.values[code] for code in rows.tolist())


@pytest.mark.parametrize(
    ("build", "total", "takeovers"),
    [("qwen_qwen3-235b-a22b-2507", 82, 5), ("qwen_qwen3-235b-a22b-2507-drift", 52, 12), ("gpt-4o-2024-08-06", 218, 24)],
)
def test_violations_of_a_real_build_are_the_published_ones(shared_data, build, total, takeovers):
    """560 instances, with the known violations in all and in account takeover."""
    columns = read(shared_data, f"dir == {build!r} and head == true")
    assert len(columns) == len(columns.ids) == 560
    counts = violations(columns)
    assert sum(counts.values()) == total
    assert counts["account_or_access_takeover"] == takeovers


def test_exposure_is_known_only_for_undefended_builds(shared_data):
    """70.5 % of the undefended flash runs never met the attack; behind a defence nothing is known (E7)."""
    exposure = ExposureTable(
        path=shared_data / "data" / "outcomes" / "agentdyn_exposure.parquet",
        on=("dir", "instance_id"),
        where="defense == 'none'",
    )
    open_build = read(shared_data, "dir == 'google_gemini-2.5-flash' and head == true", exposure=exposure)
    assert round(1000 * int((open_build.exposed == YES).sum()) / len(open_build)) == 295
    defended = read(shared_data, "dir == 'google_gemini-2.5-flash-drift' and head == true", exposure=exposure)
    assert set(defended.exposed.tolist()) == {NOT_RECORDED}


def test_errors_of_a_real_build_are_unknown(shared_data):
    """One errored row of llama is UNKNOWN and nothing else."""
    columns = read(shared_data, "dir == 'meta-llama_llama-3.3-70b-instruct' and head == true")
    counts = Counter(OUTCOMES[code].value for code in columns.outcome.tolist())
    assert counts == {"safe": 490, "violation": 69, "unknown": 1}


def test_without_a_word_for_errors_the_real_build_is_not_imported(shared_data):
    """E1: the one errored row stops the import and is named."""
    with pytest.raises(UsageError) as raised:
        read(shared_data, "dir == 'meta-llama_llama-3.3-70b-instruct' and head == true", values=VALUES[:2])
    assert raised.value.got == "'error' (1 rows)"


def test_repeats_of_a_real_build_are_attempts_or_an_error(shared_data):
    """Two older runs of one pipeline share a name: their rows are repeats, never merged (E3)."""
    where = "dir == 'gpt-4o-mini-2024-07-18-drift' and head == false"
    with pytest.raises(ImportFormatError, match="560 trials of 560 instances repeat"):
        read(shared_data, where)


def test_a_pipeline_that_does_not_exist_is_an_error(shared_data):
    """A mistyped name gives 0 of 55,111 rows, not an empty run."""
    with pytest.raises(ImportFormatError, match="no trial") as raised:
        read(shared_data, "dir == 'gpt-9' and head == true")
    assert raised.value.got.startswith("0 of 55111 rows")
