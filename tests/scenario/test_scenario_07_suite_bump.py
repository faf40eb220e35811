"""Scenario 7: a suite bump without an override is INVALID, in the pin and behind it."""

from dataclasses import replace

from gate_world import admit, codes, made_up_instance, made_up_run, make_world, violating
from litmusgate import api


def bumped(world):
    """The world's suite as version 2 with one instance more, written over the old one; its run and reference are new too."""
    suite = replace(
        world.suite,
        version="2",
        instances=(*world.suite.instances, made_up_instance("exfiltration-new", "exfiltration")),
    )
    api.save_suite(suite, world.folder / "suite", force=True)
    world.write_run(made_up_run(suite, outcomes=violating(), build="3.0"))
    return suite


def test_a_bump_without_touching_the_pin_is_invalid(tmp_path):
    """B2: the policy pins version and digest; another suite exits with 4."""
    world = make_world(tmp_path)
    assert world.gate()[0] == 0
    bumped(world)
    code, verdict = world.gate()
    assert code == 4
    assert {"pin-suite-version", "pin-suite-digest"} <= codes(verdict)


def test_a_bump_that_edits_the_pin_too_is_invalid(tmp_path):
    """B2: moving the pin along with the suite needs a signed override; without one it exits with 4."""
    world = make_world(tmp_path)
    assert world.gate()[0] == 0
    suite = bumped(world)
    text = (world.folder / "policy.yaml").read_text("utf-8")
    start = text.index("suite: {name:")
    end = text.index("\n", start)
    line = f'suite: {{name: toy, version: "2", digest: "{suite.digest}"}}'
    (world.folder / "policy.yaml").write_text(text[:start] + line + text[end:], "utf-8")
    admit(world, wanted=0)
    code, verdict = world.gate()
    assert code == 4
    assert "pin-changed" in codes(verdict)
