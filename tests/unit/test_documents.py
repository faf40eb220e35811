"""Documents: strict YAML and JSON, and a place for every error."""

import json
from typing import Annotated, Literal

import pytest
import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from litmusgate.documents import Document, decode_utf8, parse_json, parse_yaml, validate, yaml_text
from litmusgate.documents.document import MAX_DEPTH
from litmusgate.errors import PolicyError, SuiteError

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)


def refuse_control(name):
    """A validator that dislikes one key."""
    if name == "bad":
        raise ValueError("it is bad")
    return name


class Part(BaseModel):
    """A nested model."""

    model_config = STRICT

    severity: Literal["critical", "standard"]
    weight: int = 1


class Whole(BaseModel):
    """The model the tests hold documents against."""

    model_config = STRICT

    version: str
    parts: dict[Annotated[str, AfterValidator(refuse_control)], Part] = {}
    numbers: tuple[int, ...] = ()
    schema_: Literal["x/1"] | None = Field(default=None, alias="schema")


def from_yaml(text):
    """The value of a YAML text."""
    return parse_yaml(text, path="f.yaml", error=SuiteError).value


def yaml_error(text):
    """The error that a YAML text raises."""
    with pytest.raises(SuiteError) as caught:
        parse_yaml(text, path="f.yaml", error=SuiteError)
    return caught.value


def json_error(text, first_line=1):
    """The error that a JSON text raises."""
    with pytest.raises(SuiteError) as caught:
        parse_json(text, path="f.json", error=SuiteError, first_line=first_line)
    return caught.value


def place(error):
    """Line and column of an error."""
    return error.at.line, error.at.column


def test_plain_yaml_scalars_are_those_of_json():
    """Unquoted scalars are null, booleans, decimal numbers, or strings; quoted ones are strings."""
    text = "a: null\nb: ~\nc: true\nd: false\ne: -12\nf: 1.5e3\ng: text with spaces\nh: '1'\ni: \"no\"\nj: 1.4.0\nk: 2026-11\n"
    assert from_yaml(text) == {
        "a": None, "b": None, "c": True, "d": False, "e": -12, "f": 1500.0,
        "g": "text with spaces", "h": "1", "i": "no", "j": "1.4.0", "k": "2026-11",
    }  # fmt: skip


@pytest.mark.parametrize(
    "scalar",
    [
        *("no", "No", "NO", "yes", "on", "OFF", "True", "NULL"),
        *("12:30", "1:30:00", "010", "0x1F", "0o17", "0b1", "2020-01-01", "2020-1-1T10:00:00Z"),
        *(".nan", ".inf", "-.INF", "1_000", "+5", ".5", "5.", "1e999", "9007199254740992", "9" * 5000, "<<", "="),
    ],
)
def test_unquoted_scalars_that_readers_disagree_about_are_refused(scalar):
    """Every YAML 1.1 trap is an error with its place and what to write instead, never a guess."""
    error = yaml_error(f"x: 1\nkey: {scalar}\n")
    assert place(error) == (2, 6)
    assert error.fix is not None
    assert from_yaml(f'key: "{scalar}"') == {"key": scalar}


def test_an_empty_value_is_refused():
    """A key left without a value is an accident: it must be written as null or as an empty string."""
    assert place(yaml_error("a: 1\nb:\n")) == (2, 3)
    assert from_yaml("a: ''\n") == {"a": ""}


def test_keys_are_strings_and_stand_once():
    """Keys that are not strings or stand twice are refused, naming both lines; y and n are plain text."""
    assert place(yaml_error("1.10: a\n")) == (1, 1)
    assert "quote the key" in yaml_error("true: a\n").fix
    assert place(yaml_error("on: a\n")) == (1, 1)
    assert yaml_error("{a: 1}: 2\n").what == "a key is a list or a mapping"
    twice = yaml_error("a: 1\nb: 2\na: 3\n")
    assert (place(twice), twice.got) == ((3, 1), "first on line 1")
    assert from_yaml("{x: 1, y: 2, n: 3, a: {a: 1}}") == {"x": 1, "y": 2, "n": 3, "a": {"a": 1}}
    assert from_yaml("lane_on: n\nz: Y\n") == {"lane_on": "n", "z": "Y"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &x 1\n", "anchors"),
        ("a: *x\n", "aliases"),
        ("a: &x [1]\nb: [*x, *x]\n", "anchors"),
        ("a: !!str 1\n", "tags"),
        ("a: !!python/object:os.system 1\n", "tags"),
        ("<<: {a: 1}\n", "merge key"),
        ("a: 1\n---\nb: 2\n", "second document"),
        ("%YAML 1.1\n---\na: 1\n", "directives"),
        ("%TAG ! tag:x,2000:\n---\na: 1\n", "directives"),
        ("a: b: c\n", "mapping values"),
        ("a: [1\n", "not valid YAML"),
        ('a: "\\ud800"\n', "not valid YAML"),
        ("", "empty"),
        ("# only a comment\n", "empty"),
        ("---\n", "empty"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "levels deep"),
        ("a: \x1b[31m\n", "U+001B"),
        ("a: \ud800\n", "U+D800"),
        ("a: b\ufeff\n", "U+FEFF"),
    ],
)
def test_what_could_surprise_a_reader_of_yaml_is_refused(text, words):
    """Anchors, aliases, tags, merge keys, directives, control characters, bombs and empty texts are errors with a place."""
    error = yaml_error(text)
    assert words in error.what
    assert error.at.line is not None


def test_tabs_in_the_indentation_are_named():
    """A tab where spaces belong is said to be one."""
    assert "tabs" in yaml_error("a:\n\t- b\n").fix


def test_crlf_and_a_byte_order_mark_change_nothing():
    """Windows line ends and a BOM give the same value and the same lines."""
    document = parse_yaml("\ufeffa: 1\r\nb: |\r\n  x\r\n  y\r\n", path="f", error=SuiteError)
    assert document.value == {"a": 1, "b": "x\ny\n"}
    assert (document.at(("a",)).column, document.at(("b",)).line) == (4, 2)


def test_the_fallback_loader_reads_the_same(monkeypatch):
    """Without libyaml PyYAML's own parser gives the same values, places and refusals, lone surrogates included."""
    text = "a: [1, 'x', {b: 2.5}]\nc: |\n  hi\n"
    fast = parse_yaml(text, path="f", error=SuiteError)
    monkeypatch.setattr(yaml_text, "_LOADER", yaml.SafeLoader)
    slow = parse_yaml(text, path="f", error=SuiteError)
    assert (slow.value, slow.positions) == (fast.value, fast.positions)
    assert "lone surrogate" in yaml_error('a: "\\ud800"\n').what
    assert "anchors" in yaml_error("a: &x 1\n").what


def test_every_part_of_a_yaml_document_has_a_place():
    """`at` gives line and column of a value, of its key, and of the nearest enclosing part for what is not there."""
    document = parse_yaml("a:\n  - b: 1\n    c: 2\n", path="f.yaml", error=SuiteError)
    assert str(document.at(("a", 0, "c"))) == "f.yaml:3:8"
    assert str(document.at(("a", 0, "c"), key=True)) == "f.yaml:3:5"
    assert str(document.at(("a", 0, "missing"))) == "f.yaml:2:5"
    assert str(Document(value=None, path="g").at(("x",))) == "g:1"


def test_a_part_of_a_document_keeps_its_places():
    """A part is a document whose places and sources are those of the whole; what is not there is a KeyError."""
    text = "a:\n  - b: 1.10\n"
    part = parse_yaml(text, path="f", error=SuiteError).part(("a", 0))
    assert (part.value, str(part.at(("b",))), str(part.at(("c",))), part.source(("b",))) == (
        {"b": 1.1},
        "f:2:8",
        "f:2:5",
        "1.10",
    )
    inner = parse_json('{"a":\n [{"b": 1}]}', path="f", error=SuiteError).part(("a",)).part((0,))
    assert (inner.value, str(inner.at(("b",))), inner.json_text) == ({"b": 1}, "f:2:9", None)
    for keys in (("b",), (0,), ("a", 1), ("a", "x")):
        with pytest.raises(KeyError):
            parse_yaml(text, path="f", error=SuiteError).part(keys)


def test_every_part_of_a_json_document_has_a_place():
    """Places in JSON are found on demand, through strings that hold brackets and escapes."""
    text = '{"a": "]}\\"{",\n "b": [1, {"c": [true, "x"], "d": -1.5e3}, []]}'
    document = parse_json(text, path="f.json", error=SuiteError, first_line=7)
    assert str(document.at(("b", 1, "d"))) == "f.json:8:35"
    assert str(document.at(("b", 1, "d"), key=True)) == "f.json:8:30"
    assert str(document.at(("b", 2))) == "f.json:8:44"
    assert str(document.at(("b", 9))) == "f.json:8:7"


@pytest.mark.parametrize(
    ("text", "words", "where"),
    [
        ('{"a": NaN}', "NaN is not JSON", (1, 7)),
        ('["NaN", "\\"", -Infinity]', "-Infinity", (1, 15)),
        ('{"a": {"b": 1,\n "b": 2}}', "'b' stands twice", (2, 2)),
        ('{"a": [1e999]}', "too large", (1, 8)),
        ('{"a": "\\ud800"}', "lone surrogate", (1, 7)),
        ('[["x"], {"\\udfff": 1}]', "lone surrogate", (1, 10)),
        ('["\ud800"]', "lone surrogate", (1, 2)),
        ("", "empty", (1, 1)),
        (" \n", "empty", (1, 1)),
        ('{"a": 1,}', "not valid JSON", (1, 9)),
        ('{"a": "cut', "not valid JSON", (1, 7)),
        ('{"a": 1} x', "not valid JSON", (1, 10)),
        ('["tab\tin string"]', "not valid JSON", (1, 6)),
        ('[1e999, {"a": ', "too large", (1, 2)),
        ("9" * 5000, "not readable", (1, None)),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "too deeply", (1, None)),
        ("[" * 100_000 + "]" * 100_000, "too deeply", (1, None)),
    ],
)
def test_json_that_only_python_would_read_is_refused(text, words, where):
    """NaN, overflow, keys that stand twice, lone surrogates, bombs and cut texts are errors with a place."""
    error = json_error(text)
    assert words in error.what
    if where[0] == 1 and text.strip(" \n") == text:
        assert place(error) == where
    assert error.at.line is not None


def test_a_duplicate_key_before_the_malformed_part_still_has_a_line():
    """A hook may refuse before the reader meets malformed text; the error then stands at the start of the text."""
    assert place(json_error('{"x": {"b": 1, "b": 2}, @', first_line=3)) == (3, 16)
    assert place(json_error('{"x" {"b": 1, "b": 2}}', first_line=3))[0] == 3


def test_many_shallow_brackets_are_not_deep():
    """A long document is accepted; only nesting is limited."""
    value = [[[]]] * 200
    assert parse_json(json.dumps(value), path="f", error=SuiteError).value == value


def test_surrogate_pairs_are_characters():
    """An escaped pair is one character, not two lone surrogates."""
    assert parse_json('{"a": "\\ud83d\\ude00"}', path="f", error=SuiteError).value == {"a": "😀"}


def test_bytes_must_be_utf8():
    """A BOM is dropped; UTF-16 and UTF-32 are named; invalid bytes have line and offset; empty stays empty."""
    assert decode_utf8(b"\xef\xbb\xbfa", path="f", error=SuiteError) == "a"
    assert decode_utf8(b"", path="f", error=SuiteError) == ""
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"):
        with pytest.raises(PolicyError, match="UTF-16"):
            decode_utf8("schema".encode(encoding), path="f", error=PolicyError)
    with pytest.raises(SuiteError) as caught:
        decode_utf8(b"\xef\xbb\xbfab\ncd\xff", path="f", error=SuiteError)
    assert (caught.value.at.line, caught.value.got) == (2, "byte 0xff at offset 8")


def refusal(text):
    """The error of holding a YAML text against `Whole`."""
    document = parse_yaml(text, path="f.yaml", error=SuiteError)
    with pytest.raises(SuiteError) as caught:
        validate(Whole, document, what="thing", error=SuiteError)
    return caught.value


def test_a_valid_document_becomes_the_model():
    """YAML and JSON lists fill tuples, and aliases are read by their names in the file."""
    document = parse_yaml("schema: x/1\nversion: '1'\nnumbers: [1, 2]\n", path="f", error=SuiteError)
    model = validate(Whole, document, what="thing", error=SuiteError)
    assert (model.schema_, model.numbers) == ("x/1", (1, 2))
    again = parse_json('{"version": "1", "numbers": [1, 2], "schema": "x/1"}', path="f", error=SuiteError)
    assert validate(Whole, again, what="thing", error=SuiteError) == model


def test_an_unquoted_version_is_never_shortened():
    """`1.10` where a string belongs says to quote it, as it was written, with its place."""
    error = refusal("parts: {}\nversion: 1.10\n")
    assert (place(error), error.got, error.fix) == ((2, 10), "1.10", 'quote it: "1.10"')


def test_an_unknown_key_names_the_nearest_known_one():
    """Unknown keys stand at their key, list the known ones, and suggest the nearest, in nested models too."""
    error = refusal("version: '1'\nparts:\n  a: {severity: critical, wieght: 2}\n")
    assert place(error) == (3, 27)
    assert error.fix == "did you mean 'weight'?"
    assert error.wanted == "one of severity, weight"
    far = refusal("version: '1'\nzzzzzz: 2\n")
    assert (far.fix, far.wanted) == ("remove it", "one of numbers, parts, schema, version")


def test_all_problems_are_listed_with_their_places():
    """The first problem leads, every other one follows with line and column; beyond 20 they are counted."""
    error = refusal("parts:\n  a: {severity: bad}\n  b: {}\nnumbers: ['x']\n")
    assert "key 'version' is missing" in error.what
    assert "f.yaml:2:17: parts.a.severity" in error.what
    assert "f.yaml:3:6: key 'severity' is missing in parts.b" in error.what
    assert "f.yaml:4:11: numbers[0]" in error.what
    many = refusal("version: '1'\nnumbers: [" + "'x', " * 30 + "]\n")
    assert "and 10 more" in many.what


def test_a_bad_key_stands_at_the_key():
    """A key that a validator dislikes is shown where the key stands."""
    assert place(refusal("version: '1'\nparts:\n  bad: {severity: critical}\n")) == (3, 3)


def test_long_values_are_cut_in_messages():
    """A message never carries a megabyte of somebody's text."""
    error = refusal("version: '1'\nnumbers: '" + "x" * 1_000_000 + "'\n")
    assert len(str(error)) < 1000
    assert len(str(refusal("version: '1'\n" + "k" * 500 + ": 1\n"))) < 1000


def test_a_document_of_another_shape_is_refused():
    """A list where an object belongs is an error at its place."""
    assert place(refusal("\n- 1\n")) == (2, 1)
