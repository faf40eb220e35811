"""The compiled engine gives what the plain one gives, on any text; what is no text at all harms nobody."""

import base64

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.corpora.engines import engine_named
from litmusgate.provenance.batch import DocumentBatch, SameForAll
from litmusgate.provenance.encoded import decoded_texts
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.suite_texts import SuiteTexts, suite_texts
from property.compiled_texts import TEXTS, runs_of_words
from unit.provenance.made_suite import instance

pytest.importorskip("numba", reason="the compiled engine needs the extra [corpora]")

PLAIN, COMPILED = engine_named("plain"), engine_named("compiled")


def _batch(texts: list[bytes], *, before: bytes = b"", behind: bytes = b"") -> DocumentBatch:
    ends = np.cumsum([len(before), *(len(text) for text in texts)])
    return DocumentBatch(
        corpus="made",
        data=np.frombuffer(before + b"".join(texts) + behind, np.uint8),
        offsets=ends.astype(np.int64),
        ids=[f"d{number}" for number in range(len(texts))],
        sources=SameForAll("web", len(texts)),
    )


def _shown(document: TouchedDocument) -> tuple[object, ...]:
    arrays = (document.words, document.grams)
    return (
        *(document.corpus, document.id, document.source, document.encoding, document.short_texts, document.text),
        *((array.tolist(), array.dtype) for array in arrays),
    )


SUITES = st.lists(st.tuples(runs_of_words(9), st.one_of(runs_of_words(25), TEXTS)), min_size=1, max_size=5).map(
    lambda pairs: suite_texts(
        instance(f"i{number}", f"{first} q{number}", attack=second or "none")
        for number, (first, second) in enumerate(pairs)
    )
)


@settings(max_examples=300)
@given(texts=st.lists(TEXTS, max_size=4), around=st.binary(max_size=70))
def test_every_word_has_the_same_hash(texts: list[str], around: bytes) -> None:
    """The hashes of a batch's words, and where each document begins, are those of the reference, whatever surrounds it."""
    encoded = [text.encode() for text in texts]
    found = COMPILED.word_hashes(_batch(encoded, before=around[:20], behind=around[20:]))
    wanted = PLAIN.word_hashes(_batch(encoded))
    assert [array.tolist() for array in found] == [array.tolist() for array in wanted]


@settings(max_examples=300)
@given(TEXTS)
def test_every_word_has_the_same_span(text: str) -> None:
    """Words are located at the characters that the reference names."""
    found, wanted = COMPILED.spans(text.encode()), PLAIN.spans(text.encode())
    assert found.shape == wanted.shape
    assert found.tolist() == wanted.tolist()


@settings(max_examples=300)
@given(suite=SUITES, texts=st.lists(TEXTS, max_size=4), encoded=st.booleans(), around=st.binary(max_size=70))
def test_the_same_documents_are_found(suite: SuiteTexts, texts: list[str], encoded: bool, around: bytes) -> None:
    """Counts, documents, their order, words, grams and short texts are those of the reference finder."""
    documents = [text.encode() for text in texts]
    told, found = COMPILED.finder(suite, encoded=encoded).find(
        _batch(documents, before=around[:20], behind=around[20:])
    )
    wanted_told, wanted = PLAIN.finder(suite, encoded=encoded).find(_batch(documents))
    assert told == wanted_told
    assert [_shown(document) for document in found] == [_shown(document) for document in wanted]


@settings(max_examples=500)
@given(TEXTS)
def test_whatever_can_be_decoded_is_flagged(text: str) -> None:
    """No document in which `decoded_texts` finds something is passed over."""
    from litmusgate.provenance.compiled.encodings import flag_encoded
    from litmusgate.provenance.compiled.sources import packed

    flags = np.zeros(1, np.bool_)
    flag_encoded(*packed([text.encode()]), flags)
    assert flags[0] or not decoded_texts(text)


@settings(max_examples=300)
@given(
    data=st.binary(max_size=90).map(bytearray),
    alphabet=st.sampled_from([b"\xff\xc3\xe4\xf0\x80'a&\\u", b"0123456789abcdef\n", b"ABCab/+-_\n \\n"]),
    ends=st.tuples(st.integers(0, 3), st.integers(0, 3)),
)
def test_bytes_that_are_no_text_change_no_other_document(
    data: bytearray, alphabet: bytes, ends: tuple[int, int]
) -> None:
    """Invalid UTF-8 is read as something or nothing; its neighbours are read as without it, and nothing is read beyond."""
    broken = bytes(alphabet[byte % len(alphabet)] for byte in data)
    first, last = (runs * b"ka lo mi " for runs in ends)
    hashes, starts = COMPILED.word_hashes(_batch([first, broken, last]))
    alone, alone_starts = COMPILED.word_hashes(_batch([first, last]))
    assert [*hashes[: starts[1]], *hashes[starts[2] :]] == alone.tolist()
    assert starts[3] - starts[2] == alone_starts[2] - alone_starts[1]
    assert len(COMPILED.spans(broken)) == starts[2] - starts[1]


@given(st.binary(min_size=200, max_size=400), st.integers(0, 300))
def test_a_cut_encoding_is_flagged_as_far_as_it_decodes(data: bytes, cut: int) -> None:
    """Where a run begins or ends in the middle of a byte, the flag still covers whatever is read from it."""
    from litmusgate.provenance.compiled.encodings import flag_encoded
    from litmusgate.provenance.compiled.sources import packed

    text = base64.b64encode(bytes(byte % 0x60 + 0x1A for byte in data)).decode().rstrip("=")[cut:]
    flags = np.zeros(1, np.bool_)
    flag_encoded(*packed([text.encode()]), flags)
    assert flags[0] or not decoded_texts(text)
