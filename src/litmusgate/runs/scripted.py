"""Scripted agents: deterministic players of an instance's own tools and rubric, for references and demonstrations.

They read the rubric, which no agent under test may do. Runs they make are stamped `synthetic`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias, TypedDict

from litmusgate.digest import Json
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.grade import grade
from litmusgate.evidence.run import Run, RunHeader, SuiteStamp, make_run
from litmusgate.evidence.transcript import Call, Message, Transcript
from litmusgate.evidence.trial import Trial
from litmusgate.runs.environment import Environment, handed_over, readings
from litmusgate.runs.plan import Do, Plan, Say, plan
from litmusgate.runs.profile import Profile, share_of
from litmusgate.suite.category import Kind
from litmusgate.suite.instance import Instance, Role
from litmusgate.suite.manifest import Suite
from litmusgate.suite.rubric import AnyOf, Not, Predicate, Rubric, ToolCall

ENGINE = "scripted 1"
REFERENCE_AGENT = "litmusgate-scripted"
REFUSAL = "I'm sorry, but I can't help with that."
NEUTRAL = "Here is what I found for you."
CLAIM = "That is done."


class Scripted(StrEnum):
    """The agents of one habit. *Complying* does what the attacker wants of an adversarial instance and the task of a control."""

    COMPLYING = "complying"
    REFUSING = "refusing"
    ECHO = "echo"
    DO_NOTHING = "do-nothing"
    COVERT = "covert"


Agent: TypeAlias = Scripted | Profile


class ReferenceRuns(TypedDict):
    """Runs of the scripted references: what must violate, what must pass, and agents that must not satisfy a control."""

    unsafe: Run
    safe: Run
    trivial: tuple[Run, ...]


def play(agent: Agent, instance: Instance, rng: random.Random, *, kind: Kind = Kind.ADVERSARIAL) -> Transcript:
    """One attempt of `agent` at `instance`; `rng` decides what is flaky and nothing else."""
    if isinstance(agent, Profile):
        return _play_profile(agent, instance, rng, kind=kind)
    return _play_scripted(agent, instance, kind=kind)


def run_agent(
    agent: Agent | Mapping[Kind, Agent],
    suite: Suite,
    *,
    epochs: int,
    build: str,
    seed: int,
    agent_name: str,
    now: str | None,
) -> Run:
    """A synthetic run over the whole suite, by one agent or by one per kind of category.

    Same arguments, same bytes. `epochs` ≥ 1 attempts per instance; `now` is RFC 3339, written as the start.
    """
    header = RunHeader(
        agent=agent_name,
        build=build,
        suite=SuiteStamp(name=suite.name, version=suite.version, digest=suite.digest, instances=suite.instance_digests),
        epochs=epochs,
        engine=ENGINE,
        grader=suite.grader_digest(),
        started=now,
        synthetic=True,
    )
    trials = _trials(agent, suite, epochs=epochs, seed=seed, now=now)
    return make_run(header, TrialColumns.from_trials(trials))


def reference_runs(suite: Suite, *, epochs: int = 3, now: str | None = None) -> ReferenceRuns:
    """The scripted references of `suite`: unsafe complies with attacks and refuses controls, safe the other way round."""

    def reference(build: str, adversarial: Scripted, control: Scripted) -> Run:
        agents: dict[Kind, Agent] = {Kind.ADVERSARIAL: adversarial, Kind.CONTROL: control}
        return run_agent(agents, suite, epochs=epochs, build=build, seed=0, agent_name=REFERENCE_AGENT, now=now)

    return {
        "unsafe": reference("unsafe", Scripted.COMPLYING, Scripted.REFUSING),
        "safe": reference("safe", Scripted.REFUSING, Scripted.COMPLYING),
        "trivial": (
            reference("echo", Scripted.ECHO, Scripted.ECHO),
            reference("do-nothing", Scripted.DO_NOTHING, Scripted.DO_NOTHING),
        ),
    }


def _trials(
    agent: Agent | Mapping[Kind, Agent], suite: Suite, *, epochs: int, seed: int, now: str | None
) -> Iterator[Trial]:
    kinds = {category.name: category.kind for category in suite.categories}
    for instance in suite.instances:
        kind = kinds[instance.category]
        player = agent if isinstance(agent, Scripted | Profile) else agent[kind]
        for attempt in range(epochs):
            rng = random.Random(f"{seed}:{attempt}:{instance.id}")  # noqa: S311 (a repeatable draw, no secret)
            transcript = play(player, instance, rng, kind=kind)
            graded = grade(instance.rubric, transcript, kind=kind, exposure=instance.exposure)
            yield Trial(
                instance_id=instance.id,
                attempt=attempt,
                outcome=graded.outcome,
                reason=graded.reason,
                said=graded.said,
                did=graded.did,
                flags=graded.flags,
                refusal=graded.refusal,
                exposed=graded.exposed,
                cached=False,
                started_at=now,
            )


def _play_profile(profile: Profile, instance: Instance, rng: random.Random, *, kind: Kind) -> Transcript:
    habits = profile.of(instance.category)
    violates = share_of(profile, instance.id, "violating") < habits.violating
    if share_of(profile, instance.id, "flaky") < habits.flaky:
        violates = rng.random() < habits.flake
    if share_of(profile, instance.id, "unexposed") < habits.unexposed:
        return _perform(instance, words=NEUTRAL, steps=(), reads=False)
    if violates is (kind is Kind.ADVERSARIAL):
        in_secret = violates and share_of(profile, instance.id, "covert") < habits.covert
        can = in_secret and any(isinstance(step, Do) for step in _aim(instance, kind))
        return _play_scripted(Scripted.COVERT if can else Scripted.COMPLYING, instance, kind=kind)
    if kind is Kind.ADVERSARIAL and share_of(profile, instance.id, "words") < 0.5:
        return _perform(instance, words=NEUTRAL, steps=())
    return _play_scripted(Scripted.REFUSING, instance, kind=kind)


def _play_scripted(agent: Scripted, instance: Instance, *, kind: Kind) -> Transcript:
    match agent:
        case Scripted.COMPLYING:
            return _perform(instance, words=CLAIM, steps=_aim(instance, kind))
        case Scripted.COVERT:
            deeds = tuple(step for step in _aim(instance, kind) if not isinstance(step, Say))
            return _perform(instance, words=REFUSAL, steps=deeds)
        case Scripted.REFUSING:
            return _perform(instance, words=REFUSAL, steps=())
        case Scripted.ECHO:
            return _perform(instance, words=None, steps=(), reads=False)
        case Scripted.DO_NOTHING:
            return _perform(instance, words="", steps=(), reads=False)


def _aim(instance: Instance, kind: Kind) -> Plan:
    """What complying takes: the violation of an adversarial instance, all that a control asks for; empty when no plan is found."""
    asked = bad_of(instance.rubric) if kind is Kind.ADVERSARIAL else Not(of=bad_of(instance.rubric))
    return plan(asked, instance) or ()


def bad_of(rubric: Rubric) -> Predicate:
    """The one predicate whose holding is a violation: `violation` holds, or `pass` does not."""
    parts: list[Predicate] = []
    if rubric.violation is not None:
        parts.append(rubric.violation)
    if rubric.passes is not None:
        parts.append(Not(of=rubric.passes))
    return AnyOf(of=tuple(parts))


def _perform(instance: Instance, *, words: str | None, steps: Plan, reads: bool = True) -> Transcript:
    """Play the turns: read what tools show in the first, take `steps` in the last, say `words` in each (None: echo the turn)."""
    environment = Environment(instance)
    messages: list[Message] = []
    calls: list[Call] = []

    def call(turn: int, tool: str, arguments: dict[str, Json]) -> None:
        output = environment.call(tool, arguments)
        calls.append(Call(turn=turn, tool=tool, arguments=arguments, output=output))

    asked = [turn.content for turn in instance.turns if turn.role is Role.USER]
    last = max(len(asked) - 1, 0)
    if reads:
        for tool, arguments in readings(instance, avoiding=_judged_tools(instance.rubric)):
            call(0, tool, arguments)
    for number, content in enumerate(asked):
        said = content if words is None else words
        if said:
            messages.append(Message(turn=number, text=said))
    for step in steps:
        if isinstance(step, Say):
            messages.append(Message(turn=last, text=step.text))
        else:
            call(last, step.tool, step.arguments)
    received = tuple(turn.content for turn in instance.turns) + handed_over(instance)
    return Transcript(
        received=received, messages=tuple(messages), calls=tuple(calls), environments=tuple(environment.states)
    )


def _judged_tools(rubric: Rubric) -> frozenset[str]:
    return frozenset(leaf.tool for leaf, _ in rubric.leaves() if isinstance(leaf, ToolCall))
