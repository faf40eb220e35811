"""Every rule taken away, one at a time: its home function gives its harmless default, and a named test must fail.

As a program: `python tests/house/mutants.py [RULE…]`. As a pytest plugin (`-p house.mutants`) it takes away the rule that the
environment variable LITMUSGATE_MUTANT names before any test is imported.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))

VARIABLE = "LITMUSGATE_MUTANT"
TIMEOUT_SECONDS = 120
WORKERS = 2

Function = Callable[..., Any]
Mutation = Callable[[Function], Function]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """`mutation` turns the home of a rule into its harmless default; `test` is what must then fail, below tests/.

    A part of a rule that has a function of its own has a mutant of its own, named `RULE part`; its `home` is
    `module:function`.
    """

    mutation: Mutation
    test: str
    home: str | None = None


def gives(value: Any) -> Mutation:
    """The function answers `value` whatever it is asked."""
    return lambda _: lambda *_args, **_kwargs: value


def gives_made(make: Function) -> Mutation:
    """The function answers what `make` says of its arguments, without the rule."""
    return lambda _: make


def everything_votes(original: Function) -> Function:
    """A1 without exclusion: the inadmissible instances are counted too."""
    return lambda columns, *, admissible, category_of, cluster_of, **rest: original(
        columns,
        admissible=frozenset(category_of),
        category_of=category_of,
        cluster_of={name: name for name in category_of},
        **rest,
    )


def clean(instance_id: str, findings: Any, *, tau: Any) -> Any:
    """A2 without findings: nothing is known, so it is clean."""
    from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus

    return ProvenanceResult(
        instance_id=instance_id, status=ProvenanceStatus.CLEAN, score=0.0, run=0, distinctive_words=0
    )


def no_overlap(_suite: Any) -> int:
    """Parts of a long document that have next to nothing in common: what stands across a cut is whole in neither."""
    return 2


def nothing_left(_in_suite: Any, left: Any) -> list[bool]:
    """A2 where only a text without any word of its own is common property."""
    return [not len(words) for words in left]


def alone(_: Function) -> Function:
    """A12 without likeness: every instance is a question of its own."""
    return lambda instances, *, tau: {item.id: item.id for item in instances}


def no_canary_passes(*_args: Any, **_kwargs: Any) -> Any:
    """A3 without labels: the canary qualifies and passes nothing."""
    from litmusgate.admission.canary import CanaryLabels

    return CanaryLabels(problem=None, passed={}, too_few=frozenset())


def nothing_leaks(*_args: Any, **_kwargs: Any) -> Any:
    """A4 without a search: checked, and no leak."""
    from litmusgate.admission.leakage import Leakage

    return Leakage(findings=(), checked=True)


def all_admitted(original: Function) -> Function:
    """A7 without consequences: every instance is admitted, whatever was found."""

    def admit(inputs: Any) -> Any:
        record = original(inputs)
        return replace(record, instances=tuple(replace(item, findings=()) for item in record.instances))

    return admit


def no_corpus_counts(corpora: Any, **_kwargs: Any) -> Any:
    """A10 turned to the harmless side: every corpus came too late."""
    from litmusgate.provenance.cutoff import CutoffSplit

    return CutoffSplit(counting=(), ignored=tuple(sorted(corpus.name for corpus in corpora)))


def no_counterfactual(**_kwargs: Any) -> Any:
    """A11 with nothing to show."""
    from litmusgate.admission.counterfactual import Counterfactual

    return Counterfactual(categories=())


def build_passes(original: Function) -> Function:
    """B1 without decision: the findings are computed, and the build passes."""
    from litmusgate.gate.verdict import Decision

    return lambda request: replace(original(request), decision=Decision.PASS, suite_reasons=())


def everything_tolerated(original: Function) -> Function:
    """B5 without bound: as many violations are tolerated as there are instances."""
    return lambda *, n, **rest: replace(original(n=n, **rest), applied=n, limit=n, problem=None)


def decides(name: str) -> Mutation:
    """The function answers the decision called `name`."""

    def mutation(_: Function) -> Function:
        from litmusgate.gate.verdict import Decision

        return lambda *_args, **_kwargs: Decision[name]

    return mutation


def hard_gated(**_kwargs: Any) -> Any:
    """B6 without the minimum: any number of instances may pass."""
    from litmusgate.gate.verdict import Lane

    return Lane.HARD_GATED


def perfect_power(**_kwargs: Any) -> Any:
    """B11 without mathematics: no false block, and a single regression is found."""
    from litmusgate.gate.power import Power

    return Power(false_block=0.0, detectable=1)


def mean_of_all(original: Function) -> Function:
    """B9 without the admissible: the mean is taken over every instance."""
    return lambda columns, *, admissible: original(columns, admissible=frozenset(columns.ids))


def no_counts(original: Function) -> Function:
    """B10 without the counts: only the mean is shown."""
    return lambda document: replace(original(document), rows=())


def everything_safe(counts: Mapping[str, int], mapping: Any, *, column: str) -> Any:
    """E1 with a default branch: what is not a declared violation is SAFE."""
    from litmusgate.evidence.outcome import Outcome
    from litmusgate.importers.mapping import Judged

    return {value: mapping.get(value, Judged(outcome=Outcome.SAFE)) for value in counts}


def missing_forgotten(original: Function) -> Function:
    """E2 without expectation: what is missing was never asked for."""
    import numpy as np

    def reconcile(*args: Any, **kwargs: Any) -> Any:
        from litmusgate.evidence.codes import REASON_CODE
        from litmusgate.evidence.outcome import Reason

        found = original(*args, **kwargs)
        there = np.asarray(found.columns.reason != REASON_CODE[Reason.MISSING])
        return replace(found, columns=found.columns.take(there), missing=0)

    return reconcile


def every_row_is_independent(columns: Any) -> Any:
    """E6 without the cache: every answer counts as a repeat."""
    import numpy as np

    return np.ones(len(columns), dtype=np.bool_)


def last_refill_whatever_went_before(original: Function) -> Function:
    """E9 without the condition: the last try counts."""
    import numpy as np

    def last(columns: Any, *, max_refill: int) -> Any:
        ordered = columns.sorted()
        final = np.ones(len(ordered), dtype=np.bool_)
        same = (ordered.id_code[1:] == ordered.id_code[:-1]) & (ordered.attempt[1:] == ordered.attempt[:-1])
        final[:-1] = ~same
        return replace(original(columns, max_refill=10**6), columns=ordered.take(final), problems=())

    return last


def nothing_counted(columns: Any, group: Any, groups: int) -> Any:
    """E10 without counting: zero of everything."""
    from litmusgate.evidence.trial_counts import TrialCounts

    return (TrialCounts(),) * groups


def believed(record: Any, store: Any) -> Any:
    """T2 without recomputing: what stands in the file is authentic."""
    from litmusgate.app.verify import Authenticity, VerifyResult
    from litmusgate.digest import digest_bytes
    from litmusgate.report.document import read_verdict

    data = record.read_bytes()
    decision = read_verdict(data, path=str(record)).decision
    return VerifyResult(authenticity=Authenticity.AUTHENTIC, decision=decision, digest=digest_bytes(data))


def _mutant(mutation: Mutation, test: str, home: str | None = None) -> Mutant:
    return Mutant(mutation=mutation, test=test, home=home and f"litmusgate.provenance.{home}")


MUTANTS: dict[str, Mutant] = {
    "A1": _mutant(everything_votes, "unit/evidence/test_tally.py::test_inadmissible_instances_reach_no_count"),
    "A2": _mutant(gives_made(clean), "unit/provenance/test_scan.py::test_a_perturbed_copy_inside_a_document_contaminates"),
    "A2 long runs": _mutant(gives(False), "unit/provenance/test_status.py::test_a_copy_cut_in_half_contaminates_through_its_run", "status:is_long_run"),
    "A2 suspicion": _mutant(gives(False), "unit/provenance/test_status.py::test_a_stray_clause_and_stop_words_are_no_suspicion", "status:is_more_than_chance"),
    "A2 encoded copies": _mutant(gives([]), "unit/provenance/test_encoded.py::test_an_encoded_copy_contaminates_and_is_named", "encoded:decoded_texts"),
    "A2 rotated copies": _mutant(gives_made(list), "unit/provenance/test_encoded.py::test_a_rotated_copy_is_found_and_digits_and_other_scripts_stay", "encoded:rotated"),
    "A2 long documents": _mutant(gives_made(no_overlap), "unit/provenance/test_batch.py::test_a_short_text_across_a_cut_is_found_however_it_is_spelt", "scan:overlap_bytes"),
    "A2 short texts": _mutant(gives(()), "unit/provenance/test_status.py::test_two_trigrams_of_a_short_text_must_stand_near_each_other", "engine:short_candidates"),
    "A2 mostly common": _mutant(gives_made(nothing_left), "unit/provenance/test_scan.py::test_a_text_that_is_mostly_common_property_is_suspect", "measuring:_mostly_common"),
    "A2 one run among many": _mutant(gives(0), "property/test_reading_properties.py::test_a_flood_of_scattered_quotations_does_not_hide_one_run", "reading:_longest_run"),
    "A2 allow-listed prompts": _mutant(gives(None), "unit/provenance/test_allowed.py::test_an_allowed_prompt_is_not_made_clean_by_fresh_material", "status:_emptied_ask"),
    "A2 allow-list": _mutant(gives({}), "unit/provenance/test_allowed.py::test_an_allowed_text_does_not_contaminate_and_is_named", "allowed:allowed_grams"),
    "A3": _mutant(gives_made(no_canary_passes), "unit/admission/test_canary.py::test_a_canary_that_is_safe_three_times_passes"),
    "A4": _mutant(gives_made(nothing_leaks), "unit/admission/test_leakage.py::test_a_pass_criterion_is_a_leak_on_every_surface"),
    "A5": _mutant(gives(()), "unit/admission/test_references.py::test_an_unsafe_reference_must_violate_k_of_its_first_m_attempts"),
    "A6": _mutant(gives(()), "unit/admission/test_references.py::test_a_safe_reference_must_pass"),
    "A7": _mutant(all_admitted, "unit/admission/test_admit.py::test_every_failing_reason_is_reported"),
    "A8": _mutant(gives(()), "cli/test_admit_command.py::test_a_contaminated_suite_is_stale_and_still_recorded"),
    "A9": _mutant(gives(()), "unit/admission/test_ledger.py::test_a_significant_rise_shows_for_suite_and_category"),
    "A10": _mutant(gives_made(no_corpus_counts), "unit/provenance/test_cutoff.py::test_only_what_came_later_is_ignored"),
    "A11": _mutant(gives_made(no_counterfactual), "unit/admission/test_counterfactual.py::test_counts_come_from_both_tallies_per_category"),
    "A12": _mutant(gives({}), "unit/admission/test_duplicates.py::test_identical_definitions_are_one_vote_of_the_smallest_id"),
    "A12 near-duplicates": _mutant(alone, "unit/provenance/test_near_duplicates.py::test_one_changed_value_is_the_same_question", "duplicates:near_duplicate_groups"),
    "A13": _mutant(gives(None), "unit/gate/test_exclusion.py::test_gate_reviews_and_lists_what_exclusion_hides"),
    "A14": _mutant(gives(()), "unit/gate/test_index_age.py::test_declared_corpus_must_be_held_at_its_revision"),
    "B1": _mutant(build_passes, "cli/test_exit_codes.py::test_more_violations_than_tolerated_block"),
    "B2": _mutant(gives(()), "cli/test_exit_codes.py::test_the_baseline_cannot_be_chosen"),
    "B3": _mutant(decides("PASS"), "cli/test_exit_codes.py::test_more_violations_than_tolerated_block"),
    "B4": _mutant(gives(()), "unit/gate/test_declared.py::test_category_that_the_policy_does_not_declare_is_invalid"),
    "B5": _mutant(everything_tolerated, "cli/test_exit_codes.py::test_more_violations_than_tolerated_block"),
    "B6": _mutant(gives_made(hard_gated), "unit/gate/test_lanes.py::test_twenty_instances_are_needed_whatever_the_severity"),
    "B7": _mutant(gives((0.0, 0.0)), "unit/gate/test_gate_interval.py::test_small_n_widens_the_interval"),
    "B8": _mutant(gives(False), "cli/test_exit_codes.py::test_more_violations_than_tolerated_block"),
    "B9": _mutant(mean_of_all, "unit/report/test_mean_trend.py::test_what_has_no_value_is_left_out"),
    "B10": _mutant(no_counts, "unit/report/test_report_rendering.py::test_counts_against_tolerance_stand_beside_the_mean_trend"),
    "B11": _mutant(gives_made(perfect_power), "unit/gate/test_power.py::test_too_blind_a_category_is_invalid_when_critical_and_review_when_standard"),
    "B13": _mutant(decides("PASS"), "cli/test_exit_codes.py::test_more_violations_than_tolerated_block"),
    "B14": _mutant(gives(None), "cli/test_exit_codes.py::test_a_build_with_nothing_hard_gated_is_invalid"),
    "B15": _mutant(gives(()), "cli/test_verdict_records.py::test_required_history_without_a_store_is_invalid"),
    "B16": _mutant(gives(None), "cli/test_exit_codes.py::test_unmeasured_flips_are_never_a_pass"),
    "E1": _mutant(gives_made(everything_safe), "unit/importers/test_import_table.py::test_an_unmapped_value_stops_the_import"),
    "E2": _mutant(missing_forgotten, "unit/evidence/test_expected.py::test_what_is_missing_is_unknown_and_counted"),
    "E3": _mutant(gives(None), "unit/evidence/test_attempts.py::test_no_run_holds_an_attempt_twice"),
    "E4": _mutant(gives(False), "unit/grade/test_grade.py::test_a_violation_in_the_first_turn_stays_one_when_the_agent_behaves_later"),
    "E5": _mutant(gives((False, False)), "unit/grade/test_grade.py::test_covert_execution_is_a_violation_with_said_false_and_did_true"),
    "E6": _mutant(gives_made(every_row_is_independent), "unit/evidence/test_flips.py::test_cached_answers_are_no_repeats"),
    "E7": _mutant(gives_made(lambda columns: columns), "unit/evidence/test_tally.py::test_vacuous_instances_leave_n_and_are_told_apart"),
    "E8": _mutant(gives(()), "unit/gate/test_unknown_bracket.py::test_gate_is_invalid_where_the_unknown_could_block"),
    "E9": _mutant(last_refill_whatever_went_before, "unit/evidence/test_refill.py::test_a_violation_cannot_be_run_away"),
    "E10": _mutant(gives_made(nothing_counted), "unit/evidence/test_tally.py::test_secondary_measures_are_counted_over_trials"),
    "E11": _mutant(gives(()), "unit/report/test_scope_and_analysis.py::test_what_is_outside_the_scope_is_stamped"),
    "T2": _mutant(gives_made(believed), "cli/test_verdict_records.py::test_an_edited_verdict_is_found"),
    "T4": _mutant(gives(()), "unit/gate/test_evaluate.py::test_stamps_join_what_policy_and_admission_name"),
    "T5": _mutant(gives_made(lambda text: text), "cli/test_admit_command.py::test_hostile_names_are_shown_and_never_sent_to_the_terminal"),
}  # fmt: skip
"""Rule → how its home is taken away, and the test that must notice."""


def take_away(rule: str) -> None:
    """Replace the home of `rule` by its mutant, in its module and wherever it has been imported already."""
    from house.rules import rule_homes

    mutant = MUTANTS[rule]
    (home,) = rule_homes()[rule] if mutant.home is None else (mutant.home,)
    module_name, _, name = home.partition(":")
    module = importlib.import_module(module_name)
    original = getattr(module, name)
    mutated = mutant.mutation(original)
    for loaded in [item for key, item in sys.modules.items() if key.startswith("litmusgate")]:
        for key in [key for key, value in vars(loaded).items() if value is original]:
            setattr(loaded, key, mutated)


def pytest_configure() -> None:
    """As a plugin: take away the rule named by the environment."""
    rule = os.environ.get(VARIABLE)
    if rule:
        take_away(rule)


def run_test(*tests: str, without: str | None) -> tuple[int, str]:
    """Exit code and output of pytest on `tests` in a process of its own, with the rule `without` taken away."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("COV", "PYTEST_"))}
    environment = kept | {"PYTHONPATH": str(TESTS), VARIABLE: without or ""}
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "house.mutants"]
    command += [str(TESTS / test) for test in tests]
    done = subprocess.run(
        command, cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS
    )
    return done.returncode, done.stdout + done.stderr


def survivor(rule: str) -> str | None:
    """Why the mutant of `rule` is not killed: its test passes without the rule, or does not fail in the proper way."""
    test = MUTANTS[rule].test
    code, output = run_test(test, without=rule)
    if code == 1:
        return None
    return f"{rule}: {test} ends with pytest code {code} instead of 1 (failed) when the rule is taken away\n{output}"


def main(rules: list[str]) -> int:
    """Run the mutants of `rules` (all, when none is named); 1 when any survives."""
    wanted = rules or list(MUTANTS)
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        alive = [why for why in pool.map(survivor, wanted) if why]
    print("\n".join([*alive, f"mutants: {len(wanted) - len(alive)} of {len(wanted)} killed"]))  # noqa: T201
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
