"""Normal forms: a respelt or encoded text is found, and nothing is found where nothing stands (A4)."""

import base64
import codecs
from urllib.parse import quote

import pytest

from litmusgate.admission.normal_forms import is_blank, occurrences, spellings

TOKEN = "Zebra-Quay 81"


def base64_of(text: str) -> str:
    """Standard base64 of UTF-8."""
    return base64.b64encode(text.encode()).decode()


RESPELT = {
    "as it is": TOKEN,
    "upper case": TOKEN.upper(),
    "white space": "Zebra-Quay \n\t 81",
    "zero-width characters": "Ze\u200bbra-Qu\u00ada\u2060y 81",
    "look-alike letters": "Z\u0435br\u0430-Qu\u0430y 81",
    "full-width letters": "Ｚｅｂｒａ－Ｑｕａｙ ８１",
    "mathematical letters": "\U0001d419\U0001d41e\U0001d41b\U0001d42b\U0001d41a-Quay 81",
    "combining marks": "Ze\u0301bra-Quay 81",
    "other punctuation": "zebra quay, 81",
    "spelt out": "Z e b r a - Q u a y 8 1",
    "run together": "zebraquay81",
    "rot13": codecs.encode(TOKEN, "rot13"),
    "hexadecimal": TOKEN.encode().hex(),
    "hexadecimal with blanks": TOKEN.encode().hex(" ").upper(),
    "hexadecimal after an odd digit": f"a{TOKEN.encode().hex()}",
    "backslash escapes": "".join(f"\\x{byte:02x}" for byte in TOKEN.encode()),
    "unicode escapes": "".join(f"\\u{ord(character):04x}" for character in TOKEN),
    "URL encoding": quote(TOKEN),
    "URL encoding of every character": "".join(f"%{byte:02X}" for byte in TOKEN.encode()),
    "URL encoding with plus signs": "%5aebra-Quay+81",
    "HTML entities": "&#90;ebra-Quay&nbsp;81",
    "base64": base64_of(TOKEN),
    "base64 one byte in": base64_of(f"x{TOKEN}, and more"),
    "base64 two bytes in": base64_of(f"xy{TOKEN}, and more"),
    "base64 glued to a word": f"key={base64_of(TOKEN)}",
    "base64 after letters": f"abc{base64_of(TOKEN)}",
    "URL-safe base64": base64.urlsafe_b64encode(f"\u00fb\u00ff?>{TOKEN}".encode()).decode(),
    "base64 over several lines": "\r\n".join(base64_of(TOKEN)[start : start + 6] for start in range(0, 20, 6)),
    "base64 in base64": base64_of(base64_of(TOKEN)),
    "hexadecimal in base64": base64_of(TOKEN.encode().hex()),
    "rot13 in hexadecimal": codecs.encode(TOKEN, "rot13").encode().hex(),
}


@pytest.mark.parametrize("form", sorted(RESPELT))
def test_a_token_is_found_in_every_normal_form(form: str) -> None:
    """A4: case, compatibility forms, white space, zero-width, look-alikes and encodings hide nothing."""
    assert occurrences(TOKEN, f"Before it {RESPELT[form]} after it.")


@pytest.mark.parametrize("token", ["SECRET", "ZX81", "7431"])
@pytest.mark.parametrize(
    "encode", [base64_of, lambda text: text.encode().hex(), lambda text: codecs.encode(text, "rot13")]
)
def test_a_short_token_that_is_encoded_alone_is_found(token: str, encode: object) -> None:
    """A4: four letters or digits are enough, also when nothing but they is encoded."""
    assert callable(encode)
    assert occurrences(token, f"remember {encode(token)} well")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The heron stands in the reeds and waits for the fish.",
        "zebra crossing near the quay, 81 steps away from Zebra Street",
        "A" * 200,
        "deadbeef" * 20,
        base64_of("nothing of that kind stands here, only words"),
        "%zz %4 &amp;&amp; \\u12 \\x",
    ],
)
def test_a_token_is_not_found_where_it_does_not_stand(text: str) -> None:
    """Decoding noise does not make a token appear."""
    assert occurrences(TOKEN, text) == ()


@pytest.mark.parametrize("token", ["", " ", "\t\n", "\u200b", "\u00a0\u200d"])
def test_a_blank_token_stands_nowhere(token: str) -> None:
    """A blank text is in every text; finding it everywhere, or calling it checked, would both be wrong."""
    assert is_blank(token)
    assert occurrences(token, "any text at all") == ()


def test_a_short_token_counts_only_as_a_whole_word() -> None:
    """Two letters stand inside too many words to mean anything there."""
    assert occurrences("no", "nothing is known about the piano") == ()
    assert occurrences("no", "Answer with NO.")
    assert occurrences("no", "Answer with n%6F.")
    assert occurrences("no", f"Answer with {base64_of('no no no no')}") == ()


def test_a_longer_token_is_found_inside_a_word() -> None:
    """The predicate that reads the agent's answer finds it there too."""
    assert occurrences("refund", "It was refunded.")


def test_a_token_of_a_script_without_blanks_needs_no_word_ends() -> None:
    """Two Han characters in a sentence stand there, although letters touch them."""
    assert occurrences("秘密", "这是秘密吗")


def test_a_token_without_letters_is_found_as_it_is() -> None:
    """Symbols fold to nothing, so they are compared unfolded."""
    assert occurrences("✓", "done ✓ today")
    assert occurrences("###", "a ### b")
    assert occurrences("✓", "done today") == ()


def test_rot13_counts_only_whole_words() -> None:
    """Rot13 of ordinary words holds fragments of other ordinary words."""
    assert occurrences("terra", "an evergreen wood") == ()
    assert occurrences("terra", "a green wood")


def test_occurrences_are_counted_per_form_and_spelling() -> None:
    """A declaration covers as many occurrences as it names, so they are counted."""
    found = {(item.form, item.spelling): item.count for item in occurrences("Quay", "quay, Quay and QUAY")}
    assert found[("raw", "plain")] == 3


def test_the_text_itself_is_the_first_spelling() -> None:
    """Readers of findings see `raw` where the text stood as it is."""
    assert spellings("Plain Text")[0].form == "raw"
    assert occurrences("plain", "Plain Text")[0].form == "raw"
