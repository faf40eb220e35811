"""Encoded copies: what a decoder finds, what it leaves alone, and that no text makes it work without end."""

import base64
import gzip
import random
import urllib.parse
import zlib
from collections.abc import Callable

import pytest

from litmusgate.corpora.engines import ENGINES, engine_named
from litmusgate.provenance.encoded import MOST_INFLATED_BYTES, Encoding, decoded_texts, rotated
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from unit.provenance.made_suite import TAU, document, instance, prose

TEXT = prose(1, 60)
BYTES = TEXT.encode()


def _based(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _wrapped(text: str, width: int, end: str) -> str:
    return end.join(text[start : start + width] for start in range(0, len(text), width))


def _dumped(before: str, after: str = "") -> str:
    return "".join(f"{before}{byte:02x}{after}" for byte in BYTES)


WAYS: dict[str, tuple[Encoding, Callable[[], str]]] = {
    "base64": (Encoding.BASE64, lambda: _based(BYTES)),
    "base64 without padding": (Encoding.BASE64, lambda: _based(BYTES).rstrip("=")),
    "base64 URL-safe": (Encoding.BASE64, lambda: base64.urlsafe_b64encode(BYTES).decode()),
    "base64 in lines of 76": (Encoding.BASE64, lambda: _wrapped(_based(BYTES), 76, "\n")),
    "base64 in lines of 77": (Encoding.BASE64, lambda: _wrapped(_based(BYTES), 77, "\r\n")),
    "base64 in lines inside JSON": (Encoding.BASE64, lambda: _wrapped(_based(BYTES), 64, r"\n")),
    "base64 in indented lines": (Encoding.BASE64, lambda: _wrapped(_based(BYTES), 64, "\n    ")),
    "base64 behind a path": (Encoding.BASE64, lambda: f"https://host.example/go/{_based(BYTES)}"),
    "base64 that was cut": (Encoding.BASE64, lambda: _based(BYTES)[:-7]),
    "base64 of UTF-16": (Encoding.BASE64, lambda: _based(TEXT.encode("utf-16-le"))),
    "base64 of UTF-16 with a mark": (Encoding.BASE64, lambda: _based(TEXT.encode("utf-16"))),
    "base64 of UTF-16, high byte first": (Encoding.BASE64, lambda: _based(TEXT.encode("utf-16-be"))),
    "base64 twice": (Encoding.BASE64, lambda: _based(_based(BYTES).encode())),
    "hex": (Encoding.HEX, BYTES.hex),
    "hex in upper case": (Encoding.HEX, lambda: BYTES.hex().upper()),
    "hex after 0x": (Encoding.HEX, lambda: f"0x{BYTES.hex()}"),
    "hex behind one more digit": (Encoding.HEX, lambda: f"id{BYTES.hex()}"),
    "hex in lines": (Encoding.HEX, lambda: _wrapped(BYTES.hex(), 61, "\n")),
    r"hex as \x41": (Encoding.HEX, lambda: _dumped(r"\x")),
    r"hex as \x41 inside JSON": (Encoding.HEX, lambda: _dumped(r"\\x")),
    "hex as 0x41, ": (Encoding.HEX, lambda: _dumped("0x", ", ")),
    "hex with spaces": (Encoding.HEX, lambda: BYTES.hex(" ")),
    "hex with colons": (Encoding.HEX, lambda: BYTES.hex(":")),
    "percent": (Encoding.URL, lambda: urllib.parse.quote(TEXT)),
    "percent, every byte": (Encoding.URL, lambda: _dumped("%")),
    "percent, marks left": (Encoding.URL, lambda: urllib.parse.quote(TEXT.replace("a ", "a? "), safe="?:/,")),
    "percent with +": (Encoding.URL, lambda: urllib.parse.quote_plus(TEXT.replace(" ", " “") + "”")),
    "percent twice": (Encoding.URL, lambda: urllib.parse.quote(urllib.parse.quote(TEXT))),
    "gzip": (Encoding.GZIP, lambda: _based(gzip.compress(BYTES, mtime=0))),
    "gzip that was cut": (Encoding.GZIP, lambda: _based(gzip.compress(BYTES, mtime=0)[:-9])),
    "gzip in hex": (Encoding.GZIP, lambda: gzip.compress(BYTES, mtime=0).hex()),
    "zlib": (Encoding.GZIP, lambda: _based(zlib.compress(BYTES))),
}


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Both engines: the compiled one looks into a document only when a quick look says that there may be something."""
    if request.param == "compiled":
        pytest.importorskip("numba", reason="the extra [corpora] is not installed")
    return engine_named(request.param)


@pytest.mark.parametrize("way", WAYS)
def test_an_encoded_copy_contaminates_and_is_named(way: str, engine: Engine) -> None:
    """A2: in the middle of other text, whichever way it is written; the match says which encoding it was."""
    encoding, write = WAYS[way]
    known = document("d", f"{prose(2, 50)} {write()} {prose(3, 50)}")
    found = scan_suite([instance("i", TEXT)], [known], tau=TAU, engine=engine)[0]
    assert found.status is ProvenanceStatus.CONTAMINATED
    assert found.matches[0].encoding is encoding
    assert (found.matches[0].document, found.matches[0].similarity > 0.9) == ("d", True)


def test_a_rotated_copy_is_found_and_digits_and_other_scripts_stay() -> None:
    """rot13 moves Latin letters only: a text of Han and digits is the same, and is a plain copy, not a rotated one."""
    moved = " ".join(rotated(fold_words(TEXT)))
    found = scan_suite([instance("i", TEXT)], [document("d", moved.upper())], tau=TAU)[0]
    assert (found.status, found.matches[0].encoding) == (ProvenanceStatus.CONTAMINATED, Encoding.ROT13)
    assert rotated(["abz", "2024", "狐", "é"]) == ["nom", "2024", "狐", "é"]
    han = "狐狸跳过了篱笆看见一座大房子里面住着二十个善良的人他们来自一九九四年"
    plain = scan_suite([instance("i", han)], [document("d", han)], tau=TAU)[0]
    assert [match.encoding for match in plain.matches] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "",
        prose(4, 200),
        "sha256:" + "0123456789abcdef" * 4,
        "https://host.example/" + "a-long-name/" * 20,
        "12, 34, 56",
        "%41%42%43",
        base64.b64encode(random.Random(1).randbytes(3000)).decode(),
        random.Random(2).randbytes(3000).hex(),
        base64.b64encode(BYTES[:30]).decode(),
    ],
)
def test_what_decodes_to_no_text_is_left_alone(text: str) -> None:
    """Prose, digests, addresses, random bytes and short runs give nothing: garbage must not cost false pairs."""
    assert decoded_texts(text) == []


def test_two_texts_on_two_lines_are_two_texts() -> None:
    """Unpadded base64 of another length on the next line is decoded from its own beginning."""
    first, second = prose(5, 31), prose(6, 52)
    lines = "\n".join(base64.urlsafe_b64encode(text.encode()).decode().rstrip("=") for text in (first, second))
    assert decoded_texts(lines) == [(Encoding.BASE64, f"{first}\n{second}")]


def test_a_bomb_is_read_to_a_bound_and_all_bombs_of_a_document_share_it() -> None:
    """What is compressed gives at most 4 MiB of text for each step, however many pieces there are."""
    bomb = _based(gzip.compress(b"a " * (MOST_INFLATED_BYTES // 3 * 2), mtime=0))
    found = dict(decoded_texts(" ".join([bomb] * 5)))
    assert len(found[Encoding.GZIP].encode()) <= MOST_INFLATED_BYTES + 10


@pytest.mark.parametrize(
    "text",
    ["A" * 300_000, "%41" * 100_000, "a\n" * 150_000, "a" * 300_000 + "%41%41%41", "a%4" * 100_000,
     ("A" * 47 + " ") * 6_000, "A" * 48 + "\n" + " " * 300_000, "41 " * 100_000, "\\x41" * 75_000, "0x" * 150_000,
     ("41 " * 22 + ".") * 4_500, "A" * 48 + "\nA" * 150_000],
    ids=lambda text: f"{text[:8]!r}",
)  # fmt: skip
def test_hostile_text_does_not_stall_the_decoder(text: str) -> None:
    """Runs that never become a match take time linear in the text: quadratic time would not end here for minutes."""
    assert sum(len(found) for _, found in decoded_texts(text)) <= 4 * len(text)
