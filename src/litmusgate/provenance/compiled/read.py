"""A document's words, hashed: what every kernel begins with."""

from __future__ import annotations

from litmusgate.provenance.compiled.fold import FoldArrays, fold_document
from litmusgate.provenance.compiled.jit import compiled
from litmusgate.provenance.compiled.scratch import Scratch
from litmusgate.provenance.compiled.vectors import Bytes
from litmusgate.provenance.compiled.words import close_up, hash_words, split_words


@compiled
def read_words(source: Bytes, start: int, end: int, arrays: FoldArrays, scratch: Scratch) -> int:
    """Fold and hash `source[start:end]` into `scratch`: how many words, or `fold.NO_ROOM`."""
    size = fold_document(source, start, end, scratch.folded, arrays)
    if size < 0:
        return size
    count, joints = split_words(scratch.folded, size, scratch.edges, scratch.joined)
    close_up(scratch.folded, scratch.edges, scratch.joined, joints)
    hash_words(scratch.folded, scratch.edges, count, scratch.hashes, scratch.mixed)
    return count
