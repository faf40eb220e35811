"""The public façade: everything a program (and our own command line) may use of litmusgate.

Values: `load_suite load_policy load_run load_admission load_verdict` read files, `admit` and `gate` decide on values. Files:
`admit_files gate_files …` do the same on paths, keep records and write reports, as the commands do. Everything raises
`LitmusGateError` subclasses whose `exit_code` is the command's. Nothing else in the package is promised to stay.
"""

from __future__ import annotations

from litmusgate.admission.record import AdmissionRecord, InstanceAdmission, ReferenceRole
from litmusgate.app.admit import AdmitFiles, AdmitOutcome, admit, admit_files
from litmusgate.app.corpus import AddRequest, add_corpus, list_index, verify_index
from litmusgate.app.decide import GateInputs
from litmusgate.app.demo import Scene, play_demo
from litmusgate.app.demo_text import closing_text, scene_text
from litmusgate.app.explain import explain
from litmusgate.app.funnel import admission_json, admission_text
from litmusgate.app.gate import (
    GateFiles,
    GateOutcome,
    gate,
    gate_files,
    load_admission,
    load_policy,
    write_verdict,
)
from litmusgate.app.import_ import (
    AgentDojoFlags,
    ImportSummary,
    ImportTarget,
    TableFlags,
    import_agentdojo,
    import_table,
)
from litmusgate.app.init import InitRequest, init_policy, parse_reference
from litmusgate.app.report import load_verdict, report_analysis, report_verdict
from litmusgate.app.suite_import import SuiteTable, import_suite
from litmusgate.app.suite_prune import PruneFiles, prune_files
from litmusgate.app.suites import load_suite, save_suite
from litmusgate.app.verify import VerifyResult, render_verification, verify_record
from litmusgate.corpora.manifest import Segment
from litmusgate.corpora.readers import Columns
from litmusgate.errors import (
    EXIT_BLOCK,
    EXIT_BUG,
    EXIT_INTERRUPTED,
    EXIT_INVALID,
    EXIT_PASS,
    EXIT_REVIEW,
    EXIT_USAGE,
    AdmissionError,
    CorpusError,
    EvidenceError,
    ImportFormatError,
    LitmusGateError,
    PolicyError,
    RecordError,
    RunError,
    SuiteError,
    UsageError,
)
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.run import Run, RunHeader, SuiteStamp, make_run
from litmusgate.evidence.trial import Trial
from litmusgate.gate.policy import Policy
from litmusgate.gate.verdict import Decision
from litmusgate.report.document import VerdictDocument as Verdict
from litmusgate.report.formats import render
from litmusgate.runs.files import read_run as load_run
from litmusgate.runs.files import write_run as save_run
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.check import SuiteFinding, check_suite
from litmusgate.suite.diff import SuiteDiff, diff_document, diff_suites
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import Suite
from litmusgate.text import visible

__all__ = [
    "EXIT_BLOCK",
    "EXIT_BUG",
    "EXIT_INTERRUPTED",
    "EXIT_INVALID",
    "EXIT_PASS",
    "EXIT_REVIEW",
    "EXIT_USAGE",
    "AddRequest",
    "AdmissionError",
    "AdmissionRecord",
    "AdmitFiles",
    "AdmitOutcome",
    "AgentDojoFlags",
    "Category",
    "Columns",
    "CorpusError",
    "Decision",
    "EvidenceError",
    "GateFiles",
    "GateInputs",
    "GateOutcome",
    "ImportFormatError",
    "ImportSummary",
    "ImportTarget",
    "InitRequest",
    "Instance",
    "InstanceAdmission",
    "LitmusGateError",
    "Outcome",
    "Policy",
    "PolicyError",
    "PruneFiles",
    "Reason",
    "RecordError",
    "ReferenceRole",
    "Run",
    "RunError",
    "RunHeader",
    "Scene",
    "Segment",
    "Severity",
    "Suite",
    "SuiteDiff",
    "SuiteError",
    "SuiteFinding",
    "SuiteStamp",
    "SuiteTable",
    "TableFlags",
    "Trial",
    "TrialColumns",
    "UsageError",
    "Verdict",
    "VerifyResult",
    "add_corpus",
    "admission_json",
    "admission_text",
    "admit",
    "admit_files",
    "check_suite",
    "closing_text",
    "diff_document",
    "diff_suites",
    "explain",
    "gate",
    "gate_files",
    "import_agentdojo",
    "import_suite",
    "import_table",
    "init_policy",
    "list_index",
    "load_admission",
    "load_policy",
    "load_run",
    "load_suite",
    "load_verdict",
    "make_run",
    "parse_reference",
    "play_demo",
    "prune_files",
    "render",
    "render_verification",
    "report_analysis",
    "report_verdict",
    "save_run",
    "save_suite",
    "scene_text",
    "verify_index",
    "verify_record",
    "visible",
    "write_verdict",
]
