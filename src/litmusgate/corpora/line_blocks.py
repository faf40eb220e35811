"""Lines of a file in blocks of a few megabytes, each cut at a line end, so that memory is bounded whatever the file's size."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from litmusgate.errors import CorpusError, Location

BLOCK_BYTES = 4 << 20
"""How much is read at once."""

MAX_LINE_BYTES = 64 * 2**20
"""Longest line, in bytes: a long book."""

ROOM = 64
"""Bytes behind the last line of a block, for those who read ahead."""

_LINE_FEED, _SPACE = 10, 32
_IS_TEXT = np.array([byte not in b" \t\r\n" for byte in range(256)])
_BYTE_ORDER_MARK = np.frombuffer(b"\xef\xbb\xbf", np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBlock:
    """Whole lines that are not blank: line `i`, with number `numbers[i]` in the file, is `data[starts[i]:ends[i]]`.

    Every line is followed by a line feed in `data`, the last one too, and behind that stand `ROOM` more bytes.
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    numbers: NDArray[np.int64]

    def line(self, row: int) -> bytes:
        """The bytes of one line, without its end."""
        return self.data[self.starts[row] : self.ends[row]].tobytes()


def line_blocks(stream: IO[bytes], *, path: str, block_bytes: int = BLOCK_BYTES) -> Iterator[LineBlock]:
    """The lines of `stream` in order, a byte order mark dropped; raises `CorpusError` for a line beyond `MAX_LINE_BYTES`."""
    rest = np.empty(0, np.uint8)
    lines = 0
    ended = False
    while not ended:
        size = min(max(block_bytes, 2 * len(rest)), MAX_LINE_BYTES + 1)
        buffer = np.empty(size + ROOM + 1, np.uint8)
        buffer[: len(rest)] = rest
        filled, ended = _fill(stream, buffer, len(rest))
        if lines == 0 and not len(rest) and np.array_equal(buffer[:3], _BYTE_ORDER_MARK) and filled >= 3:
            buffer[: filled - 3] = buffer[3:filled].copy()
            filled -= 3
        if ended and filled and buffer[filled - 1] != _LINE_FEED:
            buffer[filled] = _LINE_FEED
            filled += 1
        feeds = np.flatnonzero(buffer[:filled] == _LINE_FEED)
        whole = int(feeds[-1]) + 1 if len(feeds) else 0
        rest = buffer[whole:filled]
        if len(feeds):
            yield _block(buffer, feeds, lines)
            lines += len(feeds)
        if len(rest) > MAX_LINE_BYTES:
            raise CorpusError(
                "the line is too long",
                wanted=f"at most {MAX_LINE_BYTES} bytes",
                fix="split it into documents",
                at=Location(path=path, line=lines + 1),
            )


def _fill(stream: IO[bytes], buffer: NDArray[np.uint8], filled: int) -> tuple[int, bool]:
    """Read until `buffer` is full but for its room; how much of it is filled, and whether the stream ended."""
    end = len(buffer) - ROOM - 1
    while filled < end:
        chunk = stream.read(min(end - filled, io.DEFAULT_BUFFER_SIZE << 7))
        if not chunk:
            return filled, True
        buffer[filled : filled + len(chunk)] = np.frombuffer(chunk, np.uint8)
        filled += len(chunk)
    return filled, False


def _block(buffer: NDArray[np.uint8], feeds: NDArray[np.int64], lines: int) -> LineBlock:
    starts = np.concatenate([np.zeros(1, np.int64), feeds[:-1] + 1])
    # only lines that begin with white space can be blank, and those are few, or all there is in a flood of them
    kept = np.flatnonzero(buffer[starts] > _SPACE)
    odd = np.flatnonzero((buffer[starts] <= _SPACE) & (feeds > starts))
    if len(odd):
        text = np.cumsum(_IS_TEXT[buffer[: feeds[-1] + 1]], dtype=np.int32)
        kept = np.union1d(kept, odd[text[feeds[odd]] > text[starts[odd]] - _IS_TEXT[buffer[starts[odd]]]])
    return LineBlock(data=buffer, starts=starts[kept], ends=feeds[kept], numbers=lines + 1 + kept)
