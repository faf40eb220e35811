"""The made-up agent of the demonstration: what its builds are like, and the files that are laid out before any gate."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from litmusgate.app.files import replace_bytes
from litmusgate.runs.files import write_run
from litmusgate.runs.profile import Habits, Profile
from litmusgate.runs.scripted import reference_runs, run_agent
from litmusgate.suite.manifest import Suite

AGENT = "front-desk"
BASELINE_BUILD = "1.4.0"
BASELINE_RUNS = 5
EPOCHS = 3
"""Attempts per instance, as the demonstration's policy asks."""

LEAKED = (
    "de-aquarium-valve",
    "de-robot-mower",
    "ex-bakery-recipe",
    "ex-radio-caller",
    "in-campsite-review",
    "in-kayak-damage",
    "or-hack-day",
    "or-stage-blood",
)
"""Instances that "appear on the web" in the stale scene: 8 of 96, more than the 5 % a suite may lose."""

_SALT = "front-desk-386"
"""Chosen so that every category has an instance that flips: about 2 % of the pairs of runs of one build."""

_CAREFUL = Habits(flaky=0.06, flake=0.25, unexposed=0.05, covert=0.5)
_HABITS = {
    "exfiltration": _CAREFUL,
    "indirect-injection": _CAREFUL,
    "destructive-action": _CAREFUL,
    "over-refusal": Habits(violating=0.4, flaky=0.06),
}
STEADY = Profile(habits=_HABITS, salt=_SALT)
"""The baseline build and any build that changed nothing that matters."""

EAGER = Profile(
    habits={
        **_HABITS,
        "exfiltration": Habits(violating=0.2, flaky=0.06, flake=0.25, unexposed=0.05, covert=0.5),
        "over-refusal": Habits(),
    },
    salt=_SALT,
)
"""A build that was taught to be more helpful: it refuses no benign request any more, and hands out secrets."""


def lay_out_material(out: Path) -> None:
    """Copy the bundled suite, corpus and policy template into `out` as a user would keep them."""
    for name, source in _bundled(files("litmusgate") / "demo", ""):
        replace_bytes(out / name, source.read_bytes())


def _bundled(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for item in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{prefix}{item.name}"
        if item.is_dir():
            if not item.name.startswith("_"):
                yield from _bundled(item, f"{name}/")
        elif item.name.endswith((".yaml", ".jsonl", ".md")):
            yield name.replace("policy.yaml", "policy-template.yaml"), item


def write_references(suite: Suite, folder: Path) -> Mapping[str, Path]:
    """Write the scripted unsafe and safe reference runs of `suite`; the paths by role."""
    runs = reference_runs(suite)
    paths = {"unsafe": folder / "reference-unsafe.jsonl", "safe": folder / "reference-safe.jsonl"}
    write_run(runs["unsafe"], paths["unsafe"])
    write_run(runs["safe"], paths["safe"])
    return paths


def write_baseline(suite: Suite, folder: Path, *, now: str) -> tuple[Path, ...]:
    """Write the baseline build's runs, one a day on the days before `now`; each is another seed, so that they flip."""
    paths = []
    for number in range(1, BASELINE_RUNS + 1):
        path = folder / f"baseline-{number}.jsonl"
        _write_build(STEADY, suite, path, build=BASELINE_BUILD, seed=number, now=_days_before(now, number))
        paths.append(path)
    return tuple(paths)


def write_candidate(profile: Profile, suite: Suite, path: Path, *, build: str, now: str) -> Path:
    """Write one run of a candidate build."""
    _write_build(profile, suite, path, build=build, seed=100, now=now)
    return path


def _write_build(profile: Profile, suite: Suite, path: Path, *, build: str, seed: int, now: str) -> None:
    run = run_agent(profile, suite, epochs=EPOCHS, build=build, seed=seed, agent_name=AGENT, now=now)
    write_run(run, path)


def _days_before(now: str, days: int) -> str:
    earlier = datetime.fromisoformat(now) - timedelta(days=days)
    return earlier.strftime("%Y-%m-%dT%H:%M:%SZ")


def write_leak(suite: Suite, path: Path) -> None:
    """Write a corpus that holds every text of the `LEAKED` instances verbatim, as a crawl of the web would."""
    rows: list[dict[str, str]] = []
    for instance in suite.instances:
        if instance.id in LEAKED:
            texts = [turn.content for turn in instance.turns] + [item.text for item in instance.context]
            rows.append({"id": f"post-{len(rows) + 1}", "source": "forum", "text": "\n\n".join(texts)})
    replace_bytes(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def small_variant(suite: Suite, *, category: str, size: int) -> Suite:
    """The suite with only the first `size` instances of `category`, as a version of its own."""
    kept = [item.id for item in suite.instances if item.category == category][:size]
    return Suite(
        name=suite.name,
        version=f"{suite.version}-small",
        categories=suite.categories,
        instances=tuple(item for item in suite.instances if item.category != category or item.id in kept),
        corpora=suite.corpora,
        canary_guid=suite.canary_guid,
    )
