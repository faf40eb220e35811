"""Texts that a fold could stumble over: every script, entities and escapes whole and broken, encodings, odd spacing."""

import base64
import codecs
import gzip
import urllib.parse

from hypothesis import strategies as st

WORDS = ["ka", "lo", "mi", "4cc0unt", "don't", "route66", "straße", "한국어", "ﷺ", "12", "7", "ñandú", "ﬁne", "x" * 23]
"""Words that suites and documents have in common, so that something is found."""

_SPECIAL = [
    *(
        "&",
        "\\",
        "'",
        "\u2019",
        "\u200b",
        "\u00ad",
        "&amp;",
        "&amp;amp;#39;",
        "&#39;",
        "&#x27",
        "&APOS;",
        "&nbsp;",
        "&#8217;",
    ),
    *("&lsquo;", "&#12345678;", "&a;", "&" + "a" * 32 + ";", "&" + "a" * 33 + ";", "&#xFFFFFFF;", "&#;", "&;", "&amp"),
    *("\\n", "\\t", "\\u0041", "\\u0027", "\\ud83d\\ude00", "\\ud83d", "\\uD835\\uDCB3", "\\u00", "\\ufdfa", "\\udc00"),
    *(
        "語",
        "か",
        "ไทย",
        "ம்",
        "𝒳",
        "İ",
        "Ω",
        "ŉ",
        "½",
        "㌖",
        "١٢",
        "\u0000",
        "\ufffd",
        "\U0010ffff",
        "\ud7a3",
        "é",
        "e\u0301",
    ),
]


def runs_of_words(most: int) -> st.SearchStrategy[str]:
    """Words with one space between them."""
    return st.lists(st.sampled_from(WORDS), max_size=most).map(" ".join)


def _encoded(text: str) -> st.SearchStrategy[str]:
    data = text.encode("utf-8")
    packed = base64.b64encode(data).decode()
    return st.sampled_from(
        [
            packed,
            packed.replace("+", "-").replace("/", "_").rstrip("="),
            "\n".join(packed[start : start + 64] for start in range(0, len(packed), 64)),
            "\\n".join(packed[start : start + 60] for start in range(0, len(packed), 60)),
            data.hex(),
            data.hex(" "),
            base64.b64encode(text.encode("utf-16")).decode(),
            base64.b64encode(gzip.compress(data, mtime=0)).decode(),
            "".join(f"%{byte:02x}" for byte in data),
            urllib.parse.quote(text),
            codecs.encode(text, "rot13"),
        ]
    )


PIECES = st.one_of(
    runs_of_words(12),
    st.sampled_from(_SPECIAL),
    st.text(max_size=8),
    st.text(alphabet="ab1' &;#x39u\\nr\u2019", max_size=12),
    runs_of_words(20).flatmap(_encoded),
    st.text(alphabet="abcXYZ019+/_-%", min_size=30, max_size=90),
    st.sampled_from([" ", " ", "\n", "", ". ", " " * 70, "-" * 50, "k" * 130]),
)

TEXTS = st.lists(PIECES, max_size=14).map("".join).map(lambda text: text.encode("utf-8", "replace").decode("utf-8"))
"""Texts without lone surrogates."""
