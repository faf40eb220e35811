"""Characters that look like Latin letters, curated by hand for fold version 1; read by `build_fold.py` only.

Sources are written in their case-folded form, because the fold is case-insensitive: where the capital and the small
letter of another script resemble different Latin letters (Greek eta), the small letter decides.
"""

from __future__ import annotations


def _pairs(sources: str, targets: str) -> dict[str, str]:
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} look-alikes for {len(targets)} letters: {sources!r}")
    return dict(zip(sources, targets, strict=True))


_CYRILLIC = _pairs(
    "авекмнорстухѕіјһԁԛԝѵьгпӏѡөүұҽқҝҡҟӄҫңҥӈһћђҭҳӽӿԃһѳ",
    "abekmhopctyxsijhdqwvbrnlwoyyekkkkkchhhhhhtxxxdho",
)
_GREEK = _pairs("αβγεικνορτυχηωσμϳ", "abyeikvoptuxnwouj")
_ARMENIAN = _pairs("ոսօհցյգզռլ", "nuohgjqqnl")
_CHEROKEE = _pairs(
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏴ",
    "drtiyajewmhygzbrwsvslcpkdb",
)
_COPTIC = _pairs("ⲁⲃⲉⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ", "abeikmnopctyx")
_LISU = _pairs("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczfmnlsrvhwxyaeiou")
_LATIN = {
    source: target
    for target, sources in {
        "a": "ɑᴀɐ", "b": "ƅɓƀʙ", "c": "ƈᴄ", "d": "ɖɗđᴅð", "e": "ɛɘǝᴇꬲ", "f": "ƒꜰꬵ", "g": "ɡɠɢǥ", "h": "ɦħʜ",
        "i": "ıɩɨɪ", "j": "ȷʝᴊ", "k": "ƙᴋ", "l": "łɫɭʟ", "m": "ɱᴍɯ", "n": "ɲŋɳɴ", "o": "øɔɵᴏꬽ", "p": "ƥᴘ",
        "q": "ɋʠꞯ", "r": "ɍɽʀɹ", "s": "ʂꜱ", "t": "ŧƫʈᴛ", "u": "ʉʊᴜ", "v": "ʋᴠ", "w": "ʍᴡ", "y": "ʏƴɏ", "z": "ƶʐᴢ",
        "x": "ꭗ",
    }.items()
    for source in sources
}  # fmt: skip
_LIGATURES = {"æ": "ae", "œ": "oe", "þ": "th", "ĳ": "ij"}
_ENCLOSED = {
    chr(first + offset): chr(ord("a") + offset) for first in (0x1F150, 0x1F170, 0x1F1E6) for offset in range(26)
}
"""Negative circled and squared letters and regional indicators: symbols to Unicode, letters to the eye."""

CONFUSABLES: dict[str, str] = {
    **_CYRILLIC,
    **_GREEK,
    **_ARMENIAN,
    **_CHEROKEE,
    **_COPTIC,
    **_LISU,
    **_LATIN,
    **_LIGATURES,
    **_ENCLOSED,
}
"""Case-folded look-alike → Latin; every other character is left as it is."""

OVERRIDES: dict[str, str] = {"ϲ": "c", "Ϲ": "c"}
"""Characters whose compatibility decomposition would lead away from what the eye sees."""
