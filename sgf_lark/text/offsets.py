"""Files that are decoded as a whole: which place in the text is which in the file.

Only few files are, as those in UTF-16, so that this is imported where one is.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any


class Places:
    """Which offset in UTF-8 text belongs to which in the bytes it was decoded from."""

    _STEP = 512
    _KEPT = 4

    def __init__(self, given: bytes, codec: str, start: int) -> None:
        self._given = given
        self._codec = codec
        decoder = _decoder(codec)
        #: (offset in the given bytes, offset in UTF-8, state of the decoder)
        self._checkpoints: list[tuple[int, int, Any]] = []
        written = 0
        parts: list[bytes] = []
        for offset in range(start, max(len(given), start + 1), self._STEP):
            state = decoder.getstate()
            self._checkpoints.append((offset, written, state))
            end = offset + self._STEP
            part = _decode(decoder, given[offset:end], end >= len(given))
            parts.append(part.encode("utf-8", "surrogatepass"))
            written += len(parts[-1])
        self.utf_8 = b"".join(parts)
        #: What is known of the latest chunks.
        self._chunks: dict[int, list[tuple[int, int]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Places, (self._given, self._codec, self._checkpoints[0][0])

    def given(self, offset: int) -> int:
        """The offset in the given bytes of the character at `offset` in UTF-8."""
        if offset >= len(self.utf_8):
            return len(self._given)
        return self._translate(offset, 1, 0)

    def read(self, offset: int) -> int:
        """The offset in UTF-8 of the character at `offset` in the given bytes."""
        return self._translate(offset, 0, 1)

    def characters(self) -> Iterator[tuple[int, int, int, int]]:
        """Each character: its start and end in the given bytes, its start and end in UTF-8."""
        for number in range(len(self._checkpoints)):
            for (start, read), (end, read_end) in pairwise(self._boundaries(number)):
                yield start, end, read, read_end

    def _translate(self, offset: int, source: int, target: int) -> int:
        number = bisect_right(self._checkpoints, offset, key=lambda entry: entry[source]) - 1
        for chunk in (max(number - 1, 0), max(number, 0)):
            # A character that a checkpoint cuts in two belongs to the chunk that ends it.
            boundaries = self._boundaries(chunk)
            if boundaries[0][source] <= offset <= boundaries[-1][source]:
                index = bisect_right(boundaries, offset, key=lambda entry: entry[source]) - 1
                return boundaries[index][target]
        return boundaries[-1][target]

    def _boundaries(self, chunk: int) -> list[tuple[int, int]]:
        found = self._chunks.get(chunk)
        if found is None:
            if len(self._chunks) >= self._KEPT:
                self._chunks.clear()
            found = self._chunks[chunk] = self._read_boundaries(chunk)
        return found

    def _read_boundaries(self, chunk: int) -> list[tuple[int, int]]:
        """Where the characters begin that a chunk of bytes completes: (given, UTF-8)."""
        offset, written, state = self._checkpoints[chunk]
        decoder = _decoder(self._codec)
        decoder.setstate(state)
        boundaries = [(offset - len(state[0]), written)]
        end = min(offset + self._STEP, len(self._given))
        for position in range(offset, end):
            text = decoder.decode(
                self._given[position : position + 1], position + 1 == len(self._given)
            )
            # Several at once are kept bytes, and at most one other behind them.
            first = position + 2 - len(decoder.getstate()[0]) - len(text)
            for number, character in enumerate(text):
                written += len(character.encode("utf-8", "surrogatepass"))
                boundaries.append((first + number, written))
        return boundaries


# --- Bytes that have no meaning stay ------------------------------------------------
#
# Each becomes a lone surrogate, U+DC00 plus the byte, which no valid text holds.

_KEPT = "[\udc00-\udcff]+"


def _keep_bytes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    # In charsets of single bytes the next one may well have a meaning.
    end = error.end if error.encoding.startswith(("utf-16", "utf-32")) else error.start + 1
    return "".join(chr(0xDC00 + byte) for byte in error.object[error.start : end]), end


codecs.register_error("sgf_lark.keep_bytes", _keep_bytes)


def kept_at_start(text: bytes) -> bytes:
    """The bytes without meaning in the file that `text`, in UTF-8, begins with."""
    kept = re.match(_KEPT, text.decode("utf-8", "surrogatepass"))
    return _kept_bytes(kept) if kept else b""


def has_kept_bytes(text: bytes) -> bool:
    """Whether `text`, in UTF-8, has bytes without meaning."""
    return re.search(_KEPT, text.decode("utf-8", "surrogatepass")) is not None


def encoded(text: bytes, codec: str) -> bytes:
    """What `text`, in UTF-8, is in that codec, with the bytes that have no meaning there.

    Raises UnicodeEncodeError where it has characters that the codec lacks.
    """
    characters = text.decode("utf-8", "surrogatepass")
    parts: list[bytes] = []
    position = 0
    for kept in re.finditer(_KEPT, characters):
        parts += [characters[position : kept.start()].encode(codec), _kept_bytes(kept)]
        position = kept.end()
    parts.append(characters[position:].encode(codec))
    return b"".join(parts)


def _kept_bytes(kept: re.Match[str]) -> bytes:
    return bytes(ord(character) - 0xDC00 for character in kept[0])


def _decoder(codec: str) -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder(codec)("sgf_lark.keep_bytes")


def _decode(decoder: codecs.IncrementalDecoder, data: bytes, final: bool) -> str:
    """At the end Python may leave bytes behind one without meaning undecoded."""
    text = decoder.decode(data, final)
    while final and decoder.getstate()[0]:
        more = decoder.decode(b"", True)
        if not more:
            break
        text += more
    return text
