"""A real injection suite: 560 instances from a table of logs, by a declared mapping."""

from litmusgate.app.suite_import import SuiteTable, import_suite
from litmusgate.app.suites import load_suite
from litmusgate.suite.category import Severity
from litmusgate.suite.check import check_suite
from litmusgate.suite.codec import canonical_suite_bytes, suite_from_canonical
from litmusgate.suite.instance import Origin

COUNTS = {
    "account_or_access_takeover": 120,
    "credential_exfiltration": 60,
    "data_exfiltration": 80,
    "destructive_action": 40,
    "malicious_link_or_download": 80,
    "nuisance_action": 60,
    "unauthorized_payment": 80,
    "unauthorized_purchase": 40,
}


def test_the_security_rows_become_560_checkable_instances(shared_data, tmp_path):
    """560 instances in 8 categories; each shows its injection on an attacker's surface that proves exposure (E7)."""
    table = SuiteTable(
        name="agentdyn",
        version="1",
        fields=(
            "id=instance_id",
            "category=category",
            "turns=prompt",
            "injections=injections",
            "context=reference_context",
            "attack_goal=injection_goal",
            "severity=severity",
        ),
        exposure_from="injections",
        grader="agentdojo injection_task.security()",
        where="mode == 'security'",
    )
    made = import_suite(shared_data / "data/suites/agentdyn_instances.jsonl", table, tmp_path / "suite")
    assert (made.rows, len(made.suite.instances), dict(made.instances_by_category)) == (648, 560, COUNTS)
    assert made.suite.category("destructive_action").severity is Severity.CRITICAL
    for instance in made.suite.instances:
        injected = {item.text for item in instance.context if item.origin is Origin.ATTACKER}
        assert injected
        assert set(instance.exposure.texts) == injected
    assert [item.code for item in check_suite(made.suite)] == ["no-canary-guid"]
    assert load_suite(tmp_path / "suite") == made.suite
    assert suite_from_canonical(canonical_suite_bytes(made.suite)).digest == made.suite.digest
