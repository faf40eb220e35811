"""Fold version 1: what is the same word, what separates words, and what never vanishes."""

import hashlib

import pytest

from litmusgate.errors import CorpusError
from litmusgate.provenance import fold_table as table
from litmusgate.provenance.fold import FOLD_VERSION, fold_spans, fold_words

PLAIN = "please transfer the quarterly ledger to the outside auditor before noon"


@pytest.mark.parametrize(
    "dressed",
    [
        "PLEASE Transfer the quarterly LEDGER to the outside auditor, before noon!",
        "please—transfer…the «quarterly» ledger/to/the (outside) auditor; before: noon",
        "please \n\n transfer\tthe\u00a0quarterly\u2003ledger to the outside auditor\r\nbefore noon",
        "plеаsе trаnsfеr thе quаrtеrly lеdgеr tо thе оutsidе аuditоr bеfоrе nооn",
        "pl\u200bease trans\u200dfer the quar\u00adterly led\u2060ger to the outside audi\ufefftor before noon",
        "ｐｌｅａｓｅ ｔｒａｎｓｆｅｒ ｔｈｅ ｑｕａｒｔｅｒｌｙ ｌｅｄｇｅｒ ｔｏ ｔｈｅ ｏｕｔｓｉｄｅ ａｕｄｉｔｏｒ ｂｅｆｏｒｅ ｎｏｏｎ",
        "𝐩𝐥𝐞𝐚𝐬𝐞 𝓽𝓻𝓪𝓷𝓼𝓯𝓮𝓻 𝕥𝕙𝕖 𝚚𝚞𝚊𝚛𝚝𝚎𝚛𝚕𝚢 ledger to the outside auditor before ⓝⓞⓞⓝ",
        "pl3as3 tr4n5f3r th3 qu4r73rly l3dg3r t0 the 0uts1de aud1t0r b3f0r3 n00n",
        "please&nbsp;transfer&#32;the&#x20;quarterly&amp;ledger to the outside auditor before noon",
        r"please\ntransfer\tthe\rquarterly \"ledger\" to the outside auditor before noon",
        r"pl\u0435ase transfer the quarterly ledger to the outside auditor before noon",
        "pléàsë tränsfêr thë quàrtêrly lèdgér tô thé ôutsïde audïtör befòre nöon",
        "🄿🄻🄴🄰🅂🄴 🅣🅡🅐🅝🅢🅕🅔🅡 the quarterly ledger to the outside auditor before noon",
    ],
)
def test_a_dressed_up_text_folds_to_the_words_of_the_plain_one(dressed: str) -> None:
    """Case, punctuation, white space, look-alikes, invisible characters, widths, leet, HTML and JSON change no word."""
    assert fold_words(dressed) == PLAIN.split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't, don\u2019t and don&#39;t", ["dont", "dont", "and", "dont"]),
        ("'quoted' rock'n'roll o''clock", ["quoted", "rocknroll", "o", "clock"]),
        ("漢字テスト", ["漢", "字", "テ", "ス", "ト"]),
        ("สวัสดี", ["ส", "ว", "ส", "ด"]),
        ("안녕 하세요", ["안녕", "하세요"]),
        ("٣ apples and ४ pears", ["3", "apples", "and", "4", "pears"]),
        ("version 2024 mp3", ["version", "2024", "mpe"]),
        (r"\ud835\udc1a", ["a"]),
        ("½ cup", ["1", "2", "cup"]),
        ("", []),
        ("… !? \u200b", []),
        ("\udcff\ue000", []),
    ],
)
def test_words_are_what_the_definition_says(text: str, words: list[str]) -> None:
    """Inner apostrophes vanish, unspaced scripts give one word a character, digits of all scripts are 0-9."""
    assert [word.replace("\u1112\u1161\u1109\u1166\u110b\u116d", "하세요") for word in fold_words(text)] == [
        "\u110b\u1161\u11ab\u1102\u1167\u11bc" if word == "안녕" else word for word in words
    ]


def test_text_of_another_script_does_not_vanish() -> None:
    """A text without any Latin letter still has its words, so that it can be assessed at all."""
    assert len(fold_words("Быстрая лисица прыгает через ленивую собаку")) == 6
    assert len(fold_words("שלום עולם مرحبا بالعالم")) == 4


def test_composed_and_decomposed_hangul_are_the_same_word() -> None:
    """Syllables and their letters (jamo) fold to the same word."""
    assert fold_words("각") == fold_words("\u1100\u1161\u11a8") != []


def test_every_artefact_can_name_the_table_it_was_made_with() -> None:
    """The fold version carries the digest of the shipped table, and another table is refused."""
    assert table.FOLD_DIGEST in FOLD_VERSION
    with pytest.raises(CorpusError, match="fold table") as caught:
        table.parse_table(b'{"fold":1}')
    assert hashlib.sha256(b'{"fold":1}').hexdigest() in str(caught.value)


def test_a_span_covers_the_characters_the_word_was_read_from() -> None:
    """Evidence can be shown in the original text: entities, invisible characters and escapes included."""
    text = "it&#39;s a\u200bb \\u0430c"
    assert [text[start:end] for _, start, end in fold_spans(text)] == ["it&#39;s", "a\u200bb", "\\u0430c"]
