"""Minimizes an input that has some property, in as few attempts as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sgf_lark.fuzz.tokens import token_pattern

#: Spans of the input to remove together, in order.
_Cut = tuple[tuple[int, int], ...]

#: Single bytes are removed from inputs up to this length.
_SHORT = 200


def minimize(data: bytes, keeps: Callable[[bytes], bool], attempts: int = 500) -> bytes:
    """Return a smaller input for which `keeps` is true, as it is for `data`.

    Syntactic parts are removed first, larger parts before smaller ones: game trees, nodes,
    properties, values, the contents of values. Then runs of bytes and single bytes are
    removed, and last bytes are replaced by "a". `keeps` is called at most `attempts` times.
    """
    search = _Search(data, keeps, attempts)
    while search.shrink(_parts) or search.shrink(_halves) or search.shrink(_bytes):
        pass
    search.simplify()
    return search.data


def shorten(data: bytes, keeps: Callable[[bytes], bool], attempts: int = 100) -> bytes:
    """Return a shorter input for which `keeps` is true, without half of its tokens and so on.

    That takes few attempts if what matters is that something is repeated.
    """
    search = _Search(data, keeps, attempts)
    search.shrink(_runs)
    return search.data


class _Search:
    """The smallest input so far, and the attempts that are left."""

    def __init__(self, data: bytes, keeps: Callable[[bytes], bool], attempts: int) -> None:
        self.data = data
        self._keeps = keeps
        self._attempts_left = attempts
        self._tried: set[bytes] = {data}

    def _is_kept(self, candidate: bytes) -> bool:
        if candidate in self._tried or self._attempts_left <= 0:
            return False
        self._tried.add(candidate)
        self._attempts_left -= 1
        return self._keeps(candidate)

    def shrink(self, cuts: Callable[[bytes], Iterator[_Cut]]) -> bool:
        """Remove cuts until none can be removed; return whether the input became smaller."""
        length = len(self.data)
        largest = length
        while self._attempts_left > 0:
            for cut in cuts(self.data):
                size = sum(last - first for first, last in cut)
                candidate = _without(self.data, cut)
                if size <= largest and self._is_kept(candidate):
                    self.data = candidate
                    # Larger cuts have just failed; they are tried again at the end.
                    largest = size
                    break
            else:
                if largest >= len(self.data):
                    break
                largest = len(self.data)
        return len(self.data) < length

    def simplify(self) -> None:
        """Replace bytes by "a" where possible."""
        for index in range(len(self.data) - 1, -1, -1):
            if self.data[index : index + 1] not in b"a()[];":
                candidate = self.data[:index] + b"a" + self.data[index + 1 :]
                if self._is_kept(candidate):
                    self.data = candidate


def _without(data: bytes, cut: _Cut) -> bytes:
    parts, start = [], 0
    for first, last in cut:
        parts.append(data[start:first])
        start = last
    return b"".join([*parts, data[start:]])


def _parts(data: bytes) -> Iterator[_Cut]:
    """Yield the syntactic parts, largest first."""
    found: set[_Cut] = set()
    tokens = [(match.start(), match.end()) for match in token_pattern().finditer(data)]
    opened: list[int] = []
    node = ident = -1
    for start, end in [*tokens, (len(data), len(data))]:
        first = data[start : start + 1]
        structural = first in (b"(", b")", b";", b"")
        if structural and node >= 0:
            found.add(((node, start),))
        if (structural or first.isalpha()) and ident >= 0:
            found.add(((ident, start),))
        node = start if first == b";" else -1 if structural else node
        ident = start if first.isalpha() else -1 if structural else ident
        if first == b"(":
            opened.append(start)
        elif first == b")" and opened:
            opening = opened.pop()
            found.add(((opening, end),))
            found.add(((opening, opening + 1), (start, end)))
        elif first:
            found.add(((start, end),))
            if first == b"[" and end - start > 2:
                found.add(((start + 1, end - 1),))
    yield from sorted(found, key=lambda cut: (sum(a - b for a, b in cut), cut))


def _runs(data: bytes) -> Iterator[_Cut]:
    """Yield runs of tokens: halves, quarters, eighths and sixteenths."""
    starts = [match.start() for match in token_pattern().finditer(data)]
    for share in (2, 4, 8, 16):
        length = max(1, len(starts) // share)
        for first in range(0, len(starts), length):
            end = starts[first + length] if first + length < len(starts) else len(data)
            yield ((starts[first], end),)


def _halves(data: bytes) -> Iterator[_Cut]:
    """Yield runs of bytes: halves, quarters and so on."""
    length = len(data) // 2
    while length > 1:
        for start in range(0, len(data), length):
            yield ((start, min(start + length, len(data))),)
        length //= 2


def _bytes(data: bytes) -> Iterator[_Cut]:
    if len(data) <= _SHORT:
        for start in range(len(data) - 1, -1, -1):
            yield ((start, start + 1),)
