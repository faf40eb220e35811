"""Run files as JSON lines: every byte is accounted for."""

import json

import pytest

from evidence_builders import columns, digest_of, header, run, trial
from litmusgate.errors import RunError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.run import make_run
from litmusgate.runs import run_jsonl
from litmusgate.runs.files import read_run, write_run

RUN = run(
    "ab",
    trial("a", 0, "violation", said=False, did=True, exposed=True, cached=False, flags=("leak",), refusal="under"),
    trial("a", 1, "unknown", "infra", detail="ü\x1b\n", started_at="2030-01-01T00:00:00Z"),
    trial("a", 1, refill=1, graded_score=0.1, transcript_ref="t", category="c"),
    trial("b", 0, "vacuous", "not-exposed", exposed=False),
    epochs=2,
    grader=digest_of("g"),
    left_out=3,
    selection="dir == 'x'",
    notes={"rows": 4},
)


def written(tmp_path, run=RUN):
    """The bytes of the file."""
    path = tmp_path / "run.jsonl"
    write_run(run, path)
    return path.read_bytes()


def read(tmp_path, data):
    """The run in these bytes."""
    path = tmp_path / "given.jsonl"
    path.write_bytes(data)
    return read_run(path)


def with_line(data, number, text):
    """The file with line `number` (from 1) exchanged."""
    lines = data.split(b"\n")
    lines[number - 1] = text if isinstance(text, bytes) else text.encode()
    return b"\n".join(lines)


def test_a_run_survives_writing_and_reading(tmp_path):
    """Header, trials and digest come back."""
    back = read(tmp_path, written(tmp_path))
    assert back.header == RUN.header
    assert (back.columns.to_trials(), back.digest) == (RUN.columns.to_trials(), RUN.digest)


def test_what_is_not_recorded_is_not_written(tmp_path):
    """Absent keys mean None; the file holds one object per trial and an end line."""
    lines = written(tmp_path, run(None, trial("a"))).decode().splitlines()
    assert json.loads(lines[0])["schema"] == "litmusgate/run/1"
    assert lines[1:] == [
        '{"instance_id":"a","attempt":0,"outcome":"safe"}',
        '{"schema":"litmusgate/run-end/1","trials":1}',
    ]


def test_the_same_run_gives_the_same_bytes(tmp_path):
    """The order of the trials changes no byte of the file."""
    trials = RUN.columns.to_trials()
    shuffled = make_run(RUN.header, TrialColumns.from_trials(trials[::-1]))
    assert written(tmp_path, shuffled) == written(tmp_path)


def test_the_file_may_hold_its_trials_in_any_order(tmp_path):
    """The digest is that of the trials, not of the lines."""
    first, *trials, end = written(tmp_path).splitlines(keepends=True)
    assert read(tmp_path, b"".join([first, *trials[::-1], end])).digest == RUN.digest


def test_truncation_at_any_byte_is_detected(tmp_path):
    """A file cut anywhere, also at a line end and before the last line end, is an error with its line."""
    data = written(tmp_path)
    for length in range(len(data)):
        with pytest.raises(RunError) as caught:
            read(tmp_path, data[:length])
        assert caught.value.at.line is not None


def test_a_header_alone_is_a_run_of_no_trials(tmp_path):
    """Header and end line read as 0 trials: that this is no evidence is the gate's to say."""
    assert len(read(tmp_path, written(tmp_path, run("ab"))).columns) == 0


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ('{"schema":"litmusgate/run-end/1","trials":3}', "end line does not fit"),
        ('{"schema":"litmusgate/run-end/1","trials":5}', "end line does not fit"),
        ('{"schema":"litmusgate/run-end/1"}', "end line does not fit"),
        ('{"schema":"litmusgate/run-end/2","trials":4}', "end line does not fit"),
        ('{"schema":"litmusgate/run-end/1","trials":4,"more":1}', "end line does not fit"),
        ('{"schema":"litmusgate/run-end/1","trials":"4"}', "end line does not fit"),
        ("", "empty"),
    ],
)
def test_the_end_line_must_say_what_the_file_holds(tmp_path, end, why):
    """Lost, added or uncounted trials are an error at the end line."""
    with pytest.raises(RunError, match=why) as caught:
        read(tmp_path, with_line(written(tmp_path), 6, end))
    assert caught.value.at.line == 6


def test_true_is_not_one_trial(tmp_path):
    """JSON true equals 1 in Python, but counts no trials."""
    data = with_line(written(tmp_path, run("ab", trial("a"))), 3, '{"schema":"litmusgate/run-end/1","trials":true}')
    with pytest.raises(RunError, match="end line does not fit"):
        read(tmp_path, data)


@pytest.mark.parametrize("more", [b"\n", b"x\n", b'{"instance_id":"b","attempt":1,"outcome":"safe"}\n', b"\x00\n"])
def test_nothing_may_follow_the_end_line(tmp_path, more):
    """Trailing lines would be trials that nobody counts."""
    with pytest.raises(RunError, match="goes on after its end line"):
        read(tmp_path, written(tmp_path) + more)


def test_garbage_without_a_line_end_is_noticed_too(tmp_path):
    """Bytes after the last line end are an error."""
    with pytest.raises(RunError, match=r"goes on|cut off"):
        read(tmp_path, written(tmp_path) + b"garbage")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "the text is empty"),
        ("{", "not valid JSON"),
        ("[]", "the line is no trial"),
        ("null", "the line is no trial"),
        ('{"attempt":0,"outcome":"safe"}', "the trial has no 'instance_id'"),
        ('{"instance_id":"b","outcome":"safe"}', "the trial has no 'attempt'"),
        ('{"instance_id":"b","attempt":0}', "the trial has no 'outcome'"),
        ('{"instance_id":"b","attempt":0,"outcome":null}', "outcome has the wrong type"),
        ('{"instance_id":"b","attempt":0,"outcome":"pass"}', "unknown outcome"),
        ('{"instance_id":"b","attempt":0,"outcome":"SAFE"}', "unknown outcome"),
        ('{"instance_id":"b","attempt":0,"outcome":"unknown"}', "has no reason"),
        ('{"instance_id":"b","attempt":0,"outcome":"unknown","reason":"bored"}', "unknown reason"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","refusal":"maybe"}', "unknown refusal"),
        ('{"instance_id":"b","attempt":true,"outcome":"safe"}', "attempt has the wrong type"),
        ('{"instance_id":"b","attempt":0.0,"outcome":"safe"}', "attempt has the wrong type"),
        ('{"instance_id":"b","attempt":-1,"outcome":"safe"}', "must be"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","exposed":0}', "exposed has the wrong type"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","exposed":"no"}', "exposed has the wrong type"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","colour":"red"}', "unknown key 'colour'"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","outcome":"violation"}', "stands twice"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","graded_score":NaN}', "NaN is not JSON"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","graded_score":1e999}', "too large"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","graded_score":2}', "not a share"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","flags":[1]}', "flags holds something else"),
        ('{"instance_id":"b","attempt":0,"outcome":"safe","flags":null}', "flags has the wrong type"),
        ('{"instance_id":"b\\ud800","attempt":0,"outcome":"safe"}', "lone surrogate"),
        ('{"instance_id":"b\\u001b","attempt":0,"outcome":"safe"}', "control character"),
        ('{"instance_id":"b\\n","attempt":0,"outcome":"safe"}', "white space"),
        (b'{"instance_id":"\xff","attempt":0,"outcome":"safe"}', "not valid UTF-8"),
        ('{"schema":"litmusgate/run/1","trials":3}', "end line does not fit"),
    ],
)
def test_a_line_that_is_no_trial_is_an_error_with_its_line(tmp_path, line, why):
    """E1: strict JSON, known keys, known words; nothing is guessed and the place is named."""
    with pytest.raises(RunError, match=why) as caught:
        read(tmp_path, with_line(written(tmp_path), 5, line))
    assert (caught.value.at.line, caught.value.at.path) == (5, str(tmp_path / "given.jsonl"))


def test_null_is_not_recorded(tmp_path):
    """An explicit null of a key that may be absent means the same as its absence."""
    line = '{"instance_id":"b","attempt":0,"outcome":"vacuous","reason":"not-exposed","exposed":false,"said":null}'
    assert read(tmp_path, with_line(written(tmp_path), 5, line)).digest == RUN.digest


def test_a_score_may_be_a_whole_number(tmp_path):
    """1 is the share 1.0."""
    data = with_line(
        written(tmp_path, run("a", trial("a"))), 2, '{"instance_id":"a","attempt":0,"outcome":"safe","graded_score":1}'
    )
    assert read(tmp_path, data).columns.graded_score.tolist() == [1.0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"schema": "litmusgate/run/2"}, "schema"),
        ({"schema": None}, "schema"),
        ({"colour": "red"}, "colour"),
        ({"agent": ""}, "agent"),
        ({"build": "b\n"}, "build"),
        ({"engine": 1}, "engine"),
        ({"epochs": 0}, "epochs"),
        ({"epochs": True}, "epochs"),
        ({"epochs": "1"}, "epochs"),
        ({"epochs": 2**31 + 1}, "epochs"),
        ({"left_out": 2**53}, "left_out"),
        ({"left_out": 2**40 + 1}, "left_out"),
        ({"grader": "sha256:abc"}, "grader"),
        ({"left_out": -1}, "left_out"),
        ({"notes": {"rows": -1}}, "notes"),
        ({"suite": {"name": "s"}}, "suite"),
        ({"suite": {"name": "s", "version": "1", "digest": digest_of("s"), "instances": {"a": "sha256:"}}}, "suite"),
        (
            {"suite": {"name": "s", "version": "1", "digest": digest_of("s"), "instances": {"a\n": digest_of("a")}}},
            "suite",
        ),
        ({"suite": {"name": "s", "version": 1.1, "digest": digest_of("s"), "instances": {}}}, "suite"),
    ],
)
def test_a_header_that_is_none_is_an_error_on_the_first_line(tmp_path, change, why):
    """The schema version is required, keys are known, and names and digests are well-formed."""
    document = RUN.header.document() | change
    with pytest.raises(RunError, match=why) as caught:
        read(tmp_path, with_line(written(tmp_path), 1, json.dumps(document)))
    assert caught.value.at.line == 1


@pytest.mark.parametrize("key", ["schema", "agent", "build", "suite", "epochs", "engine"])
def test_what_the_header_must_say_has_no_default(tmp_path, key):
    """A run without a suite says `suite: null`; silence is an error."""
    document = {name: value for name, value in RUN.header.document().items() if name != key}
    with pytest.raises(RunError, match=key):
        read(tmp_path, with_line(written(tmp_path), 1, json.dumps(document)))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"\xef\xbb\xbf", "cut off"),
        (b"\x00\x01\n", "UTF-8|UTF-16|JSON"),
        ("{}\n".encode("utf-16"), "UTF-8"),
        (b"[]\n", "run header"),
    ],
)
def test_a_file_that_is_no_run_is_an_error(tmp_path, data, why):
    """Empty, binary and foreign files are told apart from runs."""
    with pytest.raises(RunError, match=why):
        read(tmp_path, data)


def test_a_byte_order_mark_is_refused(tmp_path):
    """No writer of this format puts one there, so the file has been changed."""
    with pytest.raises(RunError, match="byte order mark"):
        read(tmp_path, b"\xef\xbb\xbf" + written(tmp_path))


def test_windows_line_ends_change_nothing(tmp_path):
    """A carriage return before the line end is white space to JSON."""
    assert read(tmp_path, written(tmp_path).replace(b"\n", b"\r\n")).digest == RUN.digest


def test_a_line_beyond_the_limit_is_refused(tmp_path):
    """Ten megabytes on one line are no trial, whether or not the line ends."""
    long = b'{"instance_id":"b","detail":"' + b"x" * run_jsonl.MAX_LINE_BYTES
    for line in (long + b'"}', long):
        with pytest.raises(RunError, match="too long") as caught:
            read(tmp_path, with_line(written(tmp_path), 3, line))
        assert caught.value.at.line == 3


def test_a_long_line_is_refused_before_it_is_held_in_memory(tmp_path, monkeypatch):
    """An endless line stops the reading at the limit, not at the end of the file."""
    monkeypatch.setattr(run_jsonl, "MAX_LINE_BYTES", 1000)
    seen = []

    def chunks():
        yield written(tmp_path, run(None)).splitlines(keepends=True)[0]
        for number in range(100):
            seen.append(number)
            yield b"x" * 400

    with pytest.raises(RunError, match="too long"):
        run_jsonl.run_from_chunks(chunks(), path="run.jsonl")
    assert len(seen) == 3


def test_an_attempt_twice_is_an_error_naming_the_file(tmp_path):
    """E3: a file that repeats an attempt is refused, and the message says which file."""
    first, trial_line, _ = written(tmp_path, run("a", trial("a"))).splitlines(keepends=True)
    end = b'{"schema":"litmusgate/run-end/1","trials":2}\n'
    with pytest.raises(RunError, match=r"given\.jsonl: 1 trials of 1 instances repeat"):
        read(tmp_path, first + trial_line * 2 + end)


def test_texts_that_look_like_lines_stay_texts(tmp_path):
    """Line ends and end lines inside a text neither end a line nor the file."""
    nasty = '\n{"schema":"litmusgate/run-end/1","trials":0}\n\u2028\x85'
    given = make_run(header(["a"]), columns(trial("a", detail=nasty)))
    assert read(tmp_path, written(tmp_path, given)).columns.detail.values == (nasty,)
