"""`import agentdojo`: native run folders `runs/{pipeline}/{suite}/{user_task}/{attack}/{injection_task|none}.json`.

Ids and everything else come from the content of a file, never from its path (T5). `security: true` means that the
attack *worked*; it means nothing on errored rows and on rows without an injection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from litmusgate.digest import Json, digest_json
from litmusgate.errors import ImportFormatError, Location, UsageError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.trial import Trial
from litmusgate.importers.agentdojo_log import Log, exposure_in_tool_outputs, read_log
from litmusgate.importers.cells import moment
from litmusgate.importers.imported import Imported
from litmusgate.importers.mapping import UNSCORED, Judged

DEFAULT_ID_TEMPLATE = "{suite_name}/{user_task_id}/{injection_task_id}"
"""Which fields of a log make its instance id; `none` stands for no injection."""

_PLACE = re.compile(r"\{(\w+)\}")
_TEMPLATE_FIELDS = ("suite_name", "user_task_id", "injection_task_id", "attack_type", "benchmark_version")


class CategorySource(StrEnum):
    """Which field of a log is the category of a run without a suite."""

    SUITE = "suite"
    INJECTION = "injection"
    ATTACK = "attack"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDojoImporter:
    """AgentDojo and its relatives (AgentDyn). One run is one pipeline under one attack.

    `id_template` makes the instance id; `pipeline` and `attack` choose logs by content. `exposure_from_tool_outputs`
    declares that the tool results in the log are what the agent saw (no defence filters them): only then exposure is
    known. `cached` is one answer for every log (None: not recorded, which counts as cached, E6). `category_from` None: the benchmark's suite is the category of a run without a suite, and is compared with nothing.
    Raises `UsageError` for a template with unknown fields.
    """

    name: ClassVar[str] = "agentdojo"
    version: ClassVar[int] = 1

    id_template: str = DEFAULT_ID_TEMPLATE
    category_from: CategorySource | None = None
    exposure_from_tool_outputs: bool = False
    pipeline: str | None = None
    attack: str | None = None
    cached: bool | None = None

    def __post_init__(self) -> None:
        if _filled(self.id_template, dict.fromkeys(_TEMPLATE_FIELDS, "x")) is None:
            raise UsageError(
                "the id template does not fit AgentDojo logs",
                got=repr(self.id_template),
                wanted=f"text with any of {', '.join(f'{{{name}}}' for name in _TEMPLATE_FIELDS)}",
            )

    def read(self, paths: Sequence[Path]) -> Imported:
        """All chosen logs as trials; see `Importer.read`. Folders are searched for `*.json`; every one must be a log."""
        places: dict[str, str] = {}
        notes = {"other-logs": 0, "no-messages": 0, "no-error-key": 0}
        pipelines: set[str] = set()
        trials = []
        for log in _logs(paths):
            if not self._chosen(log):
                notes["other-logs"] += 1
                continue
            trial = self._trial(log)
            if trial.instance_id in places:
                raise _repeated(trial.instance_id, places[trial.instance_id], log.path)
            places[trial.instance_id] = log.path
            pipelines.add(log.pipeline_name)
            notes["no-messages"] += not log.messages
            notes["no-error-key"] += not log.has_error_key
            trials.append(trial)
        self._refuse_nothing_or_mixture(len(trials), notes["other-logs"], pipelines)
        return Imported(
            columns=TrialColumns.from_trials(trials),
            mapping=digest_json(self.mapping_document()),
            selection=self._selection(),
            category_declared=self.category_from is not None,
            notes={name: count for name, count in notes.items() if count},
        )

    def mapping_document(self) -> dict[str, Json]:
        """What gives a log its meaning, for the mapping digest (B2); which logs are chosen is left out."""
        return {
            "importer": self.name,
            "id_template": self.id_template,
            "category_from": None if self.category_from is None else self.category_from.value,
            "exposure_from": "tool-outputs" if self.exposure_from_tool_outputs else None,
            "cached": self.cached,
        }

    def _chosen(self, log: Log) -> bool:
        return self.pipeline in (None, log.pipeline_name) and self.attack in (None, log.attack_type)

    def _selection(self) -> str | None:
        chosen = {"pipeline_name": self.pipeline, "attack_type": self.attack}
        parts = [f"{name} == {value!r}" for name, value in chosen.items() if value is not None]
        return " and ".join(parts) or None

    def _trial(self, log: Log) -> Trial:
        outcome, reason = judge_log(log)
        try:
            return Trial(
                instance_id=self._id(log),
                attempt=0,
                outcome=outcome,
                reason=reason,
                detail=log.error,
                cached=self.cached,
                exposed=exposure_in_tool_outputs(log) if self.exposure_from_tool_outputs else None,
                started_at=moment(log.evaluation_timestamp),
                category=self._category(log),
            )
        except ValueError as problem:
            raise ImportFormatError(f"the log makes no trial: {problem}", at=Location(path=log.path)) from problem

    def _id(self, log: Log) -> str:
        return _filled(self.id_template, _fields(log)) or ""

    def _category(self, log: Log) -> str:
        source = {
            CategorySource.SUITE: "suite_name",
            CategorySource.INJECTION: "injection_task_id",
            CategorySource.ATTACK: "attack_type",
        }
        return _fields(log)[source[self.category_from or CategorySource.SUITE]]

    def _refuse_nothing_or_mixture(self, trials: int, others: int, pipelines: set[str]) -> None:
        if not trials:
            raise ImportFormatError(
                "the logs give no trial",
                got=f"0 of {others} logs match {self._selection()}" if others else "no *.json file",
                wanted="at least one AgentDojo log",
            )
        if len(pipelines) > 1:
            raise ImportFormatError(
                "the logs are of several pipelines, and a run is of one build",
                got=", ".join(repr(name) for name in sorted(pipelines)),
                fix="choose one with --pipeline, or give only its folder",
            )


def judge_log(log: Log) -> Judged:
    """The outcome of one log; the order of the questions is the meaning.

    Errored rows come first: the tool writes `security: true` on them. A log without a score is a crashed run, attack or
    not. Without an injection nothing was tested, whatever `security` says.
    """
    if log.error is not None:
        return Outcome.UNKNOWN, Reason.ERROR
    if log.security is None:
        return UNSCORED
    if not log.ended:
        return Outcome.UNKNOWN, Reason.TRUNCATED
    if log.injection_task_id is None:
        return Outcome.VACUOUS, Reason.NO_ATTACK
    return (Outcome.VIOLATION, None) if log.security else (Outcome.SAFE, None)


def _logs(paths: Sequence[Path]) -> Iterator[Log]:
    files: set[Path] = set()
    for path in paths:
        files.update(path.rglob("*.json") if path.is_dir() else [path])
    for file in sorted(files, key=str):
        yield read_log(file)


def _fields(log: Log) -> dict[str, str]:
    return {
        "suite_name": log.suite_name,
        "user_task_id": log.user_task_id,
        "injection_task_id": "none" if log.injection_task_id is None else log.injection_task_id,
        "attack_type": "none" if log.attack_type is None else log.attack_type,
        "benchmark_version": "none" if log.benchmark_version is None else log.benchmark_version,
    }


def _filled(template: str, fields: Mapping[str, str]) -> str | None:
    """`template` with `{field}` replaced; None when another brace is in it.

    Not `str.format`, which would reach attributes; in one pass, so that a field of the log cannot name another.
    """
    pieces = _PLACE.split(template)
    texts, names = pieces[::2], pieces[1::2]
    if not names or not set(names) <= set(fields) or any("{" in text or "}" in text for text in texts):
        return None
    return _PLACE.sub(lambda match: fields[match[1]], template)


def _repeated(instance_id: str, first: str, second: str) -> ImportFormatError:
    return ImportFormatError(
        f"two logs are of instance {instance_id!r}",
        rule="E3",
        got=f"{first!r} and {second!r}",
        wanted="one log per instance; none overwrites another",
        fix="choose with --attack and --pipeline, put {attack_type} into --id-template, or give one folder per run",
        at=Location(path=second),
    )
