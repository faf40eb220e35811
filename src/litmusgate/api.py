"""The public façade: everything a program (and our own command line) may use of litmusgate.

Values: `load_suite load_policy load_index load_run load_admission load_verdict` read files, `admit` and `gate` decide on
values. Files: `admit_files gate_files …` do the same on paths, keep records and write reports, as the commands do. Everything raises
`LitmusGateError` subclasses whose `exit_code` is the command's. Nothing else in the package is promised to stay.

Names are loaded on first use: `suite check` need not pay for the statistics of the gate.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litmusgate.admission.record import AdmissionRecord, InstanceAdmission, ReferenceRole
    from litmusgate.admission.references import Reference
    from litmusgate.app.admit import AdmitFiles, AdmitOutcome, admit, admit_files
    from litmusgate.app.calibrate import CalibrateFiles, CalibrateOutcome, calibrate_files
    from litmusgate.app.corpus import AddRequest, add_corpus, compact_index, list_index, retire_corpus, verify_index
    from litmusgate.app.corpus_scan import CorpusScan, ScanProgress, ScanRequest, scan_corpus
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
    from litmusgate.app.inputs import GateInputs
    from litmusgate.app.provenance_check import KnownTexts, read_scans
    from litmusgate.app.report import load_verdict, report_analysis, report_verdict
    from litmusgate.app.scan_report import scan_exit_code, scan_text, write_scan
    from litmusgate.app.suite_import import SuiteTable, import_suite
    from litmusgate.app.suite_prune import PruneFiles, prune_files
    from litmusgate.app.suites import load_suite, save_suite
    from litmusgate.app.verify import VerifyResult, render_verification, verify_record
    from litmusgate.corpora.index import Index
    from litmusgate.corpora.index import open_index as load_index
    from litmusgate.corpora.manifest import Retired, Segment
    from litmusgate.corpora.readers import Columns
    from litmusgate.corpora.scan_result import ScanResult, scan_bytes
    from litmusgate.corpora.source_texts import SourceTexts
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
    "CalibrateFiles",
    "CalibrateOutcome",
    "Category",
    "Columns",
    "CorpusError",
    "CorpusScan",
    "Decision",
    "EvidenceError",
    "GateFiles",
    "GateInputs",
    "GateOutcome",
    "ImportFormatError",
    "ImportSummary",
    "ImportTarget",
    "Index",
    "InitRequest",
    "Instance",
    "InstanceAdmission",
    "KnownTexts",
    "LitmusGateError",
    "Outcome",
    "Policy",
    "PolicyError",
    "PruneFiles",
    "Reason",
    "RecordError",
    "Reference",
    "ReferenceRole",
    "Retired",
    "Run",
    "RunError",
    "RunHeader",
    "ScanProgress",
    "ScanRequest",
    "ScanResult",
    "Scene",
    "Segment",
    "Severity",
    "SourceTexts",
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
    "calibrate_files",
    "check_suite",
    "closing_text",
    "compact_index",
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
    "load_index",
    "load_policy",
    "load_run",
    "load_suite",
    "load_verdict",
    "make_run",
    "parse_reference",
    "play_demo",
    "prune_files",
    "read_scans",
    "render",
    "render_verification",
    "report_analysis",
    "report_verdict",
    "retire_corpus",
    "save_run",
    "save_suite",
    "scan_bytes",
    "scan_corpus",
    "scan_exit_code",
    "scan_text",
    "scene_text",
    "verify_index",
    "verify_record",
    "visible",
    "write_scan",
    "write_verdict",
]

HOMES: dict[str, str] = {
    "read_scans": "litmusgate.app.provenance_check:read_scans",
    "KnownTexts": "litmusgate.app.provenance_check:KnownTexts",
    "scan_bytes": "litmusgate.corpora.scan_result:scan_bytes",
    "ScanResult": "litmusgate.corpora.scan_result:ScanResult",
    "write_scan": "litmusgate.app.scan_report:write_scan",
    "scan_text": "litmusgate.app.scan_report:scan_text",
    "scan_exit_code": "litmusgate.app.scan_report:scan_exit_code",
    "scan_corpus": "litmusgate.app.corpus_scan:scan_corpus",
    "ScanRequest": "litmusgate.app.corpus_scan:ScanRequest",
    "ScanProgress": "litmusgate.app.corpus_scan:ScanProgress",
    "CorpusScan": "litmusgate.app.corpus_scan:CorpusScan",
    "EXIT_BLOCK": "litmusgate.errors:EXIT_BLOCK",
    "EXIT_BUG": "litmusgate.errors:EXIT_BUG",
    "EXIT_INTERRUPTED": "litmusgate.errors:EXIT_INTERRUPTED",
    "EXIT_INVALID": "litmusgate.errors:EXIT_INVALID",
    "EXIT_PASS": "litmusgate.errors:EXIT_PASS",
    "EXIT_REVIEW": "litmusgate.errors:EXIT_REVIEW",
    "EXIT_USAGE": "litmusgate.errors:EXIT_USAGE",
    "AddRequest": "litmusgate.app.corpus:AddRequest",
    "AdmissionError": "litmusgate.errors:AdmissionError",
    "AdmissionRecord": "litmusgate.admission.record:AdmissionRecord",
    "AdmitFiles": "litmusgate.app.admit:AdmitFiles",
    "AdmitOutcome": "litmusgate.app.admit:AdmitOutcome",
    "AgentDojoFlags": "litmusgate.app.import_:AgentDojoFlags",
    "CalibrateFiles": "litmusgate.app.calibrate:CalibrateFiles",
    "CalibrateOutcome": "litmusgate.app.calibrate:CalibrateOutcome",
    "Category": "litmusgate.suite.category:Category",
    "Columns": "litmusgate.corpora.readers:Columns",
    "CorpusError": "litmusgate.errors:CorpusError",
    "Decision": "litmusgate.gate.verdict:Decision",
    "EvidenceError": "litmusgate.errors:EvidenceError",
    "GateFiles": "litmusgate.app.gate:GateFiles",
    "GateInputs": "litmusgate.app.inputs:GateInputs",
    "GateOutcome": "litmusgate.app.gate:GateOutcome",
    "ImportFormatError": "litmusgate.errors:ImportFormatError",
    "ImportSummary": "litmusgate.app.import_:ImportSummary",
    "ImportTarget": "litmusgate.app.import_:ImportTarget",
    "Index": "litmusgate.corpora.index:Index",
    "InitRequest": "litmusgate.app.init:InitRequest",
    "Instance": "litmusgate.suite.instance:Instance",
    "InstanceAdmission": "litmusgate.admission.record:InstanceAdmission",
    "LitmusGateError": "litmusgate.errors:LitmusGateError",
    "Outcome": "litmusgate.evidence.outcome:Outcome",
    "Policy": "litmusgate.gate.policy:Policy",
    "PolicyError": "litmusgate.errors:PolicyError",
    "PruneFiles": "litmusgate.app.suite_prune:PruneFiles",
    "Reason": "litmusgate.evidence.outcome:Reason",
    "RecordError": "litmusgate.errors:RecordError",
    "Reference": "litmusgate.admission.references:Reference",
    "ReferenceRole": "litmusgate.admission.record:ReferenceRole",
    "Retired": "litmusgate.corpora.manifest:Retired",
    "Run": "litmusgate.evidence.run:Run",
    "RunError": "litmusgate.errors:RunError",
    "RunHeader": "litmusgate.evidence.run:RunHeader",
    "Scene": "litmusgate.app.demo:Scene",
    "Segment": "litmusgate.corpora.manifest:Segment",
    "Severity": "litmusgate.suite.category:Severity",
    "SourceTexts": "litmusgate.corpora.source_texts:SourceTexts",
    "Suite": "litmusgate.suite.manifest:Suite",
    "SuiteDiff": "litmusgate.suite.diff:SuiteDiff",
    "SuiteError": "litmusgate.errors:SuiteError",
    "SuiteFinding": "litmusgate.suite.check:SuiteFinding",
    "SuiteStamp": "litmusgate.evidence.run:SuiteStamp",
    "SuiteTable": "litmusgate.app.suite_import:SuiteTable",
    "TableFlags": "litmusgate.app.import_:TableFlags",
    "Trial": "litmusgate.evidence.trial:Trial",
    "TrialColumns": "litmusgate.evidence.columns:TrialColumns",
    "UsageError": "litmusgate.errors:UsageError",
    "Verdict": "litmusgate.report.document:VerdictDocument",
    "VerifyResult": "litmusgate.app.verify:VerifyResult",
    "add_corpus": "litmusgate.app.corpus:add_corpus",
    "admission_json": "litmusgate.app.funnel:admission_json",
    "admission_text": "litmusgate.app.funnel:admission_text",
    "admit": "litmusgate.app.admit:admit",
    "admit_files": "litmusgate.app.admit:admit_files",
    "calibrate_files": "litmusgate.app.calibrate:calibrate_files",
    "check_suite": "litmusgate.suite.check:check_suite",
    "closing_text": "litmusgate.app.demo_text:closing_text",
    "compact_index": "litmusgate.app.corpus:compact_index",
    "diff_document": "litmusgate.suite.diff:diff_document",
    "diff_suites": "litmusgate.suite.diff:diff_suites",
    "explain": "litmusgate.app.explain:explain",
    "gate": "litmusgate.app.gate:gate",
    "gate_files": "litmusgate.app.gate:gate_files",
    "import_agentdojo": "litmusgate.app.import_:import_agentdojo",
    "import_suite": "litmusgate.app.suite_import:import_suite",
    "import_table": "litmusgate.app.import_:import_table",
    "init_policy": "litmusgate.app.init:init_policy",
    "list_index": "litmusgate.app.corpus:list_index",
    "load_admission": "litmusgate.app.gate:load_admission",
    "load_index": "litmusgate.corpora.index:open_index",
    "load_policy": "litmusgate.app.gate:load_policy",
    "load_run": "litmusgate.runs.files:read_run",
    "load_suite": "litmusgate.app.suites:load_suite",
    "load_verdict": "litmusgate.app.report:load_verdict",
    "make_run": "litmusgate.evidence.run:make_run",
    "parse_reference": "litmusgate.app.init:parse_reference",
    "play_demo": "litmusgate.app.demo:play_demo",
    "prune_files": "litmusgate.app.suite_prune:prune_files",
    "render": "litmusgate.report.formats:render",
    "render_verification": "litmusgate.app.verify:render_verification",
    "report_analysis": "litmusgate.app.report:report_analysis",
    "report_verdict": "litmusgate.app.report:report_verdict",
    "retire_corpus": "litmusgate.app.corpus:retire_corpus",
    "save_run": "litmusgate.runs.files:write_run",
    "save_suite": "litmusgate.app.suites:save_suite",
    "scene_text": "litmusgate.app.demo_text:scene_text",
    "verify_index": "litmusgate.app.corpus:verify_index",
    "verify_record": "litmusgate.app.verify:verify_record",
    "visible": "litmusgate.text:visible",
    "write_verdict": "litmusgate.app.gate:write_verdict",
}
"""Public name → `module:name` of its definition; a test holds it equal to `__all__` and to the imports above."""


def __getattr__(name: str) -> object:
    """The public name, loaded from its home on first use."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = HOMES[name].partition(":")
    value: object = getattr(importlib.import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted(__all__)
