"""One gate of the demonstration: its files, what is done with them, and the commands that do the same by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from litmusgate.admission.record import ReferenceRole
from litmusgate.app.admit import AdmitFiles, admit_files
from litmusgate.app.corpus import AddRequest, add_corpus
from litmusgate.app.demo_builds import AGENT, BASELINE_RUNS
from litmusgate.app.gate import GateFiles, GateOutcome, gate_files
from litmusgate.app.init import InitRequest, init_policy
from litmusgate.corpora.readers import Columns

TEMPLATE = "policy-template.yaml"
_REFERENCES = ((ReferenceRole.UNSAFE, "reference-unsafe.jsonl"), (ReferenceRole.SAFE, "reference-safe.jsonl"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Everything one gate needs. `out` is the demo's folder, the rest are names in it; stages may share them.

    `now` is RFC 3339. A what-if has a `store` of its own: another suite or index after a PASS would be a change that needs an
    override (B2).
    """

    out: Path
    now: str
    suite: str = "suite"
    index: str = "index"
    runs: str = "runs"
    policy: str = "policy.yaml"
    admission: str = "admission.json"
    store: str = ".litmusgate"

    def at(self, name: str) -> Path:
        """The path called `name` in the demo's folder."""
        return self.out / name

    def add(self, file: str, name: str) -> str:
        """Add the corpus in `file` to the index as `name`; the command that does the same."""
        add_corpus(
            AddRequest(
                index=self.at(self.index),
                files=(self.at(file),),
                revision="1",
                columns=Columns(id="id", source="source"),
                name=name,
                now=self.now,
            )
        )
        columns = "--id-column id --source-column source"
        return f"litmusgate corpus add {self.index} {file} --name {name} --revision 1 {columns}"

    def prepare(self, baseline: Sequence[Path]) -> tuple[str, str]:
        """Pin everything in a policy, then ask which instances may vote; the commands that do the same."""
        init_policy(
            InitRequest(
                suite=self.at(self.suite),
                out=self.at(self.policy),
                template=self.at(TEMPLATE),
                index=self.at(self.index),
                references=tuple((role, self.at(self.runs) / name) for role, name in _REFERENCES),
                run=baseline[0],
                baseline=baseline,
            )
        )
        admit_files(
            AdmitFiles(
                policy=self.at(self.policy),
                suite=self.at(self.suite),
                agent=AGENT,
                out=self.at(self.admission),
                index=self.at(self.index),
                run_references=True,
                now=self.now,
            )
        )
        references = " ".join(f"--reference {role.value}={self.runs}/{name}" for role, name in _REFERENCES)
        init = (
            f"litmusgate init --suite {self.suite} --index {self.index} --from {TEMPLATE} {references}"
            f" --run {self.runs}/baseline-1.jsonl {self._baselines()} --out {self.policy}"
        )
        admit = (
            f"litmusgate admit --policy {self.policy} --suite {self.suite} --index {self.index} --agent {AGENT}"
            f" --run-references --out {self.admission}"
        )
        return init, admit

    def gate(self, run: Path, baseline: Sequence[Path], verdict: str) -> tuple[GateOutcome, str]:
        """Gate the candidate's run; the outcome, and the command that does the same."""
        outcome = gate_files(
            GateFiles(
                policy=self.at(self.policy),
                suite=self.at(self.suite),
                runs=(run,),
                admission=self.at(self.admission),
                baseline=baseline,
                now=self.now,
                out=self.at(verdict),
                store=self.at(self.store),
            )
        )
        command = (
            f"litmusgate gate --policy {self.policy} --suite {self.suite} --admission {self.admission}"
            f" --run {run.relative_to(self.out)} {self._baselines()} --store {self.store} --out {verdict}"
        )
        return outcome, command

    def _baselines(self) -> str:
        numbers = range(1, BASELINE_RUNS + 1)
        return " ".join(f"--baseline {self.runs}/baseline-{number}.jsonl" for number in numbers)
