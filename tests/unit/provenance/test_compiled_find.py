"""The compiled finder where it could go wrong: growth, room, sharing, offsets; and what it must find."""

import base64
import codecs
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from litmusgate.corpora.engines import engine_named
from litmusgate.provenance.batch import DocumentBatch, SameForAll, batch_of
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.hashing import MIX, word_hash
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.suite_texts import suite_texts
from unit.provenance.made_suite import document, instance, prose

pytest.importorskip("numba", reason="the compiled engine needs the extra [corpora]")

COMPILED, PLAIN = engine_named("compiled"), engine_named("plain")
LONG, SHORT, FIVE, NUMBERS = prose(1, 60), prose(2, 9), prose(3, 5), "11 22 33 66 77 88 99 222 333"
SUITE = suite_texts([instance("a", LONG, attack=SHORT), instance("b", FIVE, attack=NUMBERS)])


def _shown(documents: list[TouchedDocument]) -> list[tuple[object, ...]]:
    return [
        (item.id, item.encoding, item.text, item.short_texts, item.words.tolist(), item.grams.tolist())
        for item in documents
    ]


def _both(*texts: str) -> list[TouchedDocument]:
    """What both engines find, in documents named by their number."""
    batch = batch_of([document(str(number), text) for number, text in enumerate(texts)])
    told, found = COMPILED.finder(SUITE, encoded=True).find(batch)
    wanted_told, wanted = PLAIN.finder(SUITE, encoded=True).find(batch)
    assert (told, _shown(found)) == (wanted_told, _shown(wanted))
    return found


@pytest.mark.parametrize("text", [LONG, SHORT, FIVE, NUMBERS])
def test_every_length_of_text_is_found(text: str) -> None:
    """Texts with grams of six words, shorter ones, one of five words and one without letters are found in the middle."""
    found = _both(f"{prose(50, 30)} {text} {prose(51, 30)}")
    assert [item.encoding for item in found] == [None]
    assert len(found[0].grams)


def test_rot13_copies_are_found_and_texts_without_letters_are_none() -> None:
    """A turned text is found under its encoding; one that rot13 leaves as it is counts once, as it stands."""
    found = _both(codecs.encode(f"{SHORT} {FIVE} {LONG}", "rot13"), NUMBERS)
    assert [(item.id, item.encoding) for item in found] == [("0", Encoding.ROT13), ("1", None)]


def test_layers_of_one_document_stand_in_their_order() -> None:
    """As it stands, then rot13, then what was decoded, each as a document of its own."""
    packed = base64.b64encode(LONG.encode()).decode()
    found = _both("nothing here", f"{FIVE} {codecs.encode(LONG, 'rot13')} {packed} {LONG.encode().hex()}")
    assert [item.encoding for item in found] == [None, Encoding.ROT13, Encoding.HEX, Encoding.BASE64]


def test_text_that_grows_when_folded_is_given_room() -> None:
    """One character that becomes eighteen, a hundred thousand times, between copies of a text."""
    found = _both(LONG, f"{LONG} " + "\ufdfa" * 100_000 + f" {LONG}", LONG)
    assert [item.id for item in found] == ["0", "1", "2"]


def test_more_than_fits_is_found_in_turns() -> None:
    """Thousands of documents that all share something fill the memory for finds several times; none is lost."""
    found = _both(*(f"{SHORT} {number}" for number in range(3000)))
    assert [item.id for item in found] == [str(number) for number in range(3000)]


def test_words_with_the_hash_of_a_suite_word_are_not_that_word() -> None:
    """Two words of more than eight bytes can be made to have one hash; they are told apart by their letters."""
    from litmusgate.provenance.compiled.scratch import scratch_for
    from litmusgate.provenance.compiled.spelling import spelled, write_numbers
    from litmusgate.provenance.compiled.words import hash_word

    def state(lane: bytes) -> int:
        mixed = int.from_bytes(lane, "little") * MIX % (1 << 64)
        return mixed ^ (mixed >> 32)

    word = b"abcdefghijklmnop"
    twin = b"bbcdefgh" + (state(word[:8]) ^ int.from_bytes(word[8:], "little") ^ state(b"bbcdefgh")).to_bytes(
        8, "little"
    )
    scratch, numbers = scratch_for(256), np.zeros(2, np.uint32)
    scratch.folded[:32] = np.frombuffer(word + twin, np.uint8)
    scratch.edges[:4] = [0, 16, 16, 32]
    scratch.hashes[:2] = [hash_word(scratch.folded, 0, 16), hash_word(scratch.folded, 16, 32)]
    assert scratch.hashes[0] == scratch.hashes[1] == word_hash(word.decode())
    write_numbers(spelled(["other", word.decode()]), scratch, 2, numbers, 0)
    assert numbers.tolist() == [2, 0]


def test_threads_share_a_finder() -> None:
    """Four threads on one finder find what one does."""
    finder = COMPILED.finder(SUITE, encoded=True)
    batches = [batch_of([document(f"{part}-{n}", f"{prose(n, 20)} {LONG}") for n in range(50)]) for part in range(8)]
    wanted = [_shown(finder.find(batch)[1]) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(finder.find, batches * 4))
    assert [_shown(documents) for _, documents in found] == wanted * 4


@pytest.mark.parametrize("offsets", [[0, 9], [-1, 3], [2, 1], []])
def test_offsets_outside_the_data_are_refused(offsets: list[int]) -> None:
    """Kernels check no bounds, so nothing may reach them that is out of bounds."""
    batch = DocumentBatch(
        corpus="made",
        data=np.frombuffer(b"ka lo mi", np.uint8),
        offsets=np.asarray(offsets, np.int64),
        ids=["d"] * len(offsets),
        sources=SameForAll("web", len(offsets)),
    )
    with pytest.raises(ValueError, match="offsets"):
        COMPILED.word_hashes(batch)


def test_a_flood_of_apostrophes_takes_linear_time() -> None:
    """A megabyte of letters and apostrophes in turn is one word."""
    hashes, _ = COMPILED.word_hashes(batch_of([document("d", "a'" * 500_000)]))
    assert len(hashes) == 1


def test_a_function_that_cannot_be_kept_is_compiled_all_the_same() -> None:
    """A kernel without a file, so without a place on disk, runs."""
    from litmusgate.provenance.compiled.jit import compiled

    space: dict[str, object] = {}
    exec("def double(x):\n    return 2 * x", space)
    assert compiled(space["double"])(21) == 42  # type: ignore[type-var, operator]
