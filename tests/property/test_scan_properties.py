"""The scan on any suite: order changes nothing, and a verbatim copy is never clean."""

import base64
import gzip
import random
import urllib.parse

from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.provenance.allowed import AllowedText
from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from unit.provenance.made_suite import TAU, document, instance, prose

FILLER = [document(f"other-{number}", prose(1000 + number, 120)) for number in range(5)]


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_inputs_changes_nothing(rng: random.Random) -> None:
    """Instances and documents in any order give equal results, matches included."""
    suite = [instance(f"i{n}", prose(n, 40), attack=prose(70 + n % 2, 30)) for n in range(4)]
    documents = [document(f"d{n}", f"{prose(n % 3, 40)} {prose(90 + n, 20)}", corpus=f"c{n % 2}") for n in range(6)]
    expected = scan_suite(suite, documents, tau=TAU)
    rng.shuffle(suite)
    rng.shuffle(documents)
    assert scan_suite(suite, documents, tau=TAU) == expected


@settings(max_examples=30, deadline=None)
@given(st.text(min_size=1, max_size=200))
def test_any_text_is_found_in_itself_or_not_assessable(text: str) -> None:
    """A2: whatever the script, a verbatim copy is contaminated or says that it could not be measured; never clean."""
    found = scan_suite([instance("i", text)], [document("copy", text), *FILLER], tau=TAU)[0]
    assert found.status in (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.NOT_ASSESSABLE)


WORDS = [f"{first}{second}n" for first in "bdfgklmprst" for second in ("a", "e", "i", "o", "u")]
ENCODERS = {
    "base64": lambda data: base64.b64encode(data).decode(),
    "base64 in lines": lambda data: base64.encodebytes(data).decode(),
    "URL-safe": lambda data: base64.urlsafe_b64encode(data).decode().rstrip("="),
    "hex": bytes.hex,
    "hex apart": lambda data: data.hex(" "),
    "gzip": lambda data: base64.b64encode(gzip.compress(data, mtime=0)).decode(),
    "percent": urllib.parse.quote,
}


@settings(max_examples=60, deadline=None)
@given(
    st.permutations(WORDS).map(lambda words: words[:30]),
    st.sampled_from(sorted(ENCODERS)),
    st.text("xyz/._-\n ", max_size=20),
    st.text("xyz._\n ", max_size=20),
)
def test_an_encoded_copy_is_found_whatever_stands_around_it(
    words: list[str], way: str, before: str, after: str
) -> None:
    """A2: text glued to the run in front of it or behind it hides nothing."""
    text = " ".join(words)
    known = document("copy", f"{before}{ENCODERS[way](text.encode())} {after}")
    found = scan_suite([instance("i", text)], [known, *FILLER], tau=TAU)[0]
    assert found.status is ProvenanceStatus.CONTAMINATED


@settings(max_examples=60, deadline=None)
@given(st.integers(26, 120), st.data())
def test_any_half_of_a_text_in_one_piece_is_found(count: int, data: st.DataObject) -> None:
    """A2: at least half of a text, and at least 25 words, from anywhere in it, in the middle of other text."""
    words = prose(7, count).split()
    least = max(25, -(-count // 2))
    length = data.draw(st.integers(least, count))
    start = data.draw(st.integers(0, count - length))
    known = document("half", f"{prose(8, 50)} {' '.join(words[start : start + length])} {prose(9, 50)}")
    found = scan_suite([instance("i", " ".join(words))], [known, *FILLER], tau=TAU)[0]
    assert found.status is ProvenanceStatus.CONTAMINATED
    assert found.run >= length


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.integers(0, 3))
def test_allowing_a_text_never_raises_a_score_and_never_makes_a_leak_clean(leaks: list[int], allowed: int) -> None:
    """A2: words are only taken away; what is left of a leaked prompt is contaminated, suspect or not assessable."""
    pieces = [prose(30 + number, 30) for number in range(4)]
    suite = [instance("i", " ".join(pieces[number] for number in dict.fromkeys(leaks)), page=prose(60, 60))]
    known = [document("leak", " ".join(pieces)), *FILLER]
    exempt = (AllowedText(name="a", text=pieces[allowed], reason="for the test"),)
    found = scan_suite(suite, known, tau=TAU, allowed=exempt)[0]
    assert found.status in (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.SUSPECT, ProvenanceStatus.NOT_ASSESSABLE)
    assert found.allowed == (("a",) if allowed in leaks else ())
