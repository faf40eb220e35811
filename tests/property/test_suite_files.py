"""Suite files: whatever a suite holds, its files give it back, and its digest forgets how it was written."""

import json
import random

import rfc8785
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.digest import canonical_bytes
from litmusgate.suite.codec import canonical_suite_bytes, suite_files, suite_from_canonical, suite_from_files
from property.suites import scalars, suites, texts, values


class Quoting(yaml.SafeDumper):
    """PyYAML with every string quoted, as a careful author writes it, and no aliases."""

    def ignore_aliases(self, data):
        """Write everything out."""
        return True


Quoting.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))
Quoting.add_representer(
    float, lambda dumper, number: dumper.represent_scalar("tag:yaml.org,2002:float", json.dumps(number))
)


@given(suites())
@settings(max_examples=150, deadline=None)
def test_files_give_back_the_suite(suite):
    """Folder and canonical file give back an equal suite with an equal digest, and equal suites equal bytes (T2)."""
    files = suite_files(suite)
    again = suite_from_files(files, path="s")
    assert (again, again.digest) == (suite, suite.digest)
    assert again.canary_guid == suite.canary_guid
    assert suite_files(again) == files
    data = canonical_suite_bytes(suite)
    kept = suite_from_canonical(data)
    assert (kept, kept.digest) == (suite, suite.digest)
    assert canonical_suite_bytes(kept) == data


@given(suites(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_digest_forgets_layout_and_order(suite, rng):
    """One YAML file per instance, lists of them, lines in any order, keys in any order: one digest (B2)."""
    files = suite_files(suite)
    lines = [json.loads(line) for line in files.pop("instances.jsonl").split(b"\n") if line]
    rng.shuffle(lines)
    cut = rng.randint(0, len(lines))
    in_lines, in_yaml = lines[:cut], lines[cut:]
    shuffled = [_shuffled(line, rng) for line in in_lines]
    files["instances.jsonl"] = "\r\n".join(json.dumps(line) for line in shuffled).encode()
    for number, line in enumerate(in_yaml):
        document = line if number % 2 else [_shuffled(line, rng)]
        text = yaml.dump(document, Dumper=Quoting, allow_unicode=False, sort_keys=False, width=60)
        files[f"instances/{number}.yaml"] = text.encode()
    again = suite_from_files(files, path="s")
    assert (again, again.digest) == (suite, suite.digest)


@given(st.one_of(values, st.dictionaries(st.one_of(texts, st.text(max_size=3)), scalars)))
@settings(max_examples=300)
def test_canonical_bytes_are_those_of_the_standard(value):
    """The fast path for plain values writes exactly what the RFC 8785 library writes."""
    assert canonical_bytes(value) == rfc8785.dumps(value)


def _shuffled(value, rng: random.Random):
    if isinstance(value, dict):
        keys = sorted(value)
        rng.shuffle(keys)
        return {key: _shuffled(value[key], rng) for key in keys}
    return [_shuffled(item, rng) for item in value] if isinstance(value, list) else value
