"""What a scan looks for: a suite's folder, or bare JSON lines of conversations from anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from litmusgate.app.files import MAX_TABLE_BYTES, read_bytes
from litmusgate.app.suites import load_suite
from litmusgate.digest import Json, digest_json
from litmusgate.documents import decode_utf8, parse_json
from litmusgate.errors import Location, SuiteError
from litmusgate.suite.instance import Instance, Role, Turn
from litmusgate.suite.rubric import External, Rubric
from litmusgate.text import name_problem

_READ_KEYS = frozenset({"id", "category", "turns", "text"})
_UNTOLD = "scan"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedSuite:
    """The instances, the digest that names them, and the keys of bare rows that were not looked at, sorted."""

    instances: tuple[Instance, ...]
    digest: str
    unread_keys: tuple[str, ...] = ()


def load_scanned_suite(path: Path) -> ScannedSuite:
    """The suite at `path`: a folder or canonical .json as for every command, or `.jsonl` of `{id, turns}` or `{id, text}`.

    The digest of bare lines is that of their ids and turns. Raises `SuiteError` with the line: no instance at all, an id
    twice or unusable, a turn without content, a role that there is not.
    """
    if path.suffix not in (".jsonl", ".ndjson"):
        suite = load_suite(path)
        return ScannedSuite(instances=suite.instances, digest=suite.digest)
    text = decode_utf8(
        read_bytes(path, what="the suite", error=SuiteError, max_bytes=MAX_TABLE_BYTES),
        path=str(path),
        error=SuiteError,
    )
    instances: dict[str, Instance] = {}
    unread: set[str] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        at = Location(path=str(path), line=number)
        row = parse_json(line, path=str(path), error=SuiteError, first_line=number).value
        if not isinstance(row, dict):
            raise SuiteError("the line is not a JSON object", got=repr(line[:80]), at=at)
        instance = _instance(row, at)
        if instance.id in instances:
            raise SuiteError("an id stands twice", got=repr(instance.id), at=at)
        instances[instance.id] = instance
        unread.update(row.keys() - _READ_KEYS)
    if not instances:
        raise SuiteError("the suite holds no instance", at=Location(path=str(path)))
    ordered = tuple(instances[name] for name in sorted(instances))
    return ScannedSuite(instances=ordered, digest=_digest(ordered), unread_keys=tuple(sorted(unread)))


def _instance(row: dict[str, Json], at: Location) -> Instance:
    name, category = row.get("id"), row.get("category")
    problem = name_problem(name) if isinstance(name, str) else "it is not a text"
    if not isinstance(name, str) or problem is not None:
        wanted = f"a name under the key id; {problem}"
        raise SuiteError("the row has no usable id", got=repr(name)[:80], wanted=wanted, at=at)
    if ("turns" in row) == ("text" in row):
        raise SuiteError("the row wants exactly one of the keys turns and text", got=f"keys {sorted(row)!r}", at=at)
    turns = _turns(row["turns"], at) if "turns" in row else (Turn(content=_content(row["text"], "text", at)),)
    return Instance(
        id=name,
        category=category if isinstance(category, str) and category else _UNTOLD,
        turns=turns,
        rubric=Rubric(violation=External(grader="not graded: text only")),
    )


def _turns(value: Json, at: Location) -> tuple[Turn, ...]:
    if not isinstance(value, list) or not value:
        raise SuiteError("turns is not a list of turns", got=repr(value)[:80], at=at)
    turns: list[Turn] = []
    for number, item in enumerate(value):
        turn = item if isinstance(item, dict) else {"content": item}
        role = turn.get("role", Role.USER.value)
        if role not in list(Role):
            known = ", ".join(role.value for role in Role)
            raise SuiteError(f"turns[{number}] has an unknown role", got=repr(role)[:80], wanted=known, at=at)
        turns.append(Turn(content=_content(turn.get("content"), f"turns[{number}]", at), role=Role(role)))
    return tuple(turns)


def _content(value: Json, where: str, at: Location) -> str:
    if not isinstance(value, str):
        raise SuiteError(f"{where} holds no text", got=repr(value)[:80], wanted="a text", at=at)
    return value


def _digest(instances: tuple[Instance, ...]) -> str:
    return digest_json(
        [
            {"id": item.id, "turns": [{"role": turn.role.value, "content": turn.content} for turn in item.turns]}
            for item in instances
        ]
    )
