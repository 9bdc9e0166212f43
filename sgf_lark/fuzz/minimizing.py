"""Minimizes an input that has some property, in as few attempts as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from sgf_lark.fuzz.tokens import token_pattern

_Span = tuple[int, int]
#: Spans of the input to remove together, in order.
_Cut = tuple[_Span, ...]

#: Single bytes are removed from inputs up to this length.
_SHORT = 200
#: So many parts of one kind are first removed in runs.
_MANY = 16
#: If this many parts of one kind are needed, one after the other, so probably are the next ones.
_MOST_FAILURES = 50


def minimize(data: bytes, keeps: Callable[[bytes], bool], attempts: int = 500) -> bytes:
    """Return a smaller input for which `keeps` is true, as it is for `data`.

    Runs of many parts are removed first, which takes few attempts where something is repeated;
    then syntactic parts, larger parts before smaller ones: game trees, nodes, properties,
    values, the contents of values. Then runs of bytes and single bytes are
    removed, and last bytes are replaced by "a". `keeps` is called at most `attempts` times.
    """
    search = _Search(data, keeps, attempts)
    search.shrink(_runs)
    while search.shrink(_parts) or search.shrink(_halves) or search.shrink(_bytes):
        pass
    search.simplify()
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
        failures: Counter[tuple[int, bytes]] = Counter()
        while self._attempts_left > 0:
            for cut in cuts(self.data):
                size = sum(last - first for first, last in cut)
                kind = len(cut), self.data[cut[0][0] : cut[0][0] + 1]
                if size > largest or failures[kind] >= _MOST_FAILURES:
                    continue
                candidate = _without(self.data, cut)
                if self._is_kept(candidate):
                    self.data = candidate
                    failures[kind] = 0
                    # Larger cuts have just failed; they are tried again at the end.
                    largest = size
                    break
                failures[kind] += 1
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


def _spans(data: bytes) -> tuple[list[_Span], ...]:
    """Return the spans of game trees, nodes, properties and tokens, each in their order."""
    tokens = [match.span() for match in token_pattern().finditer(data)]
    trees: list[_Span] = []
    nodes: list[_Span] = []
    properties: list[_Span] = []
    opened: list[int] = []
    node = ident = -1
    for start, end in [*tokens, (len(data), len(data))]:
        first = data[start : start + 1]
        structural = first in (b"(", b")", b";", b"")
        if structural and node >= 0:
            nodes.append((node, start))
        if (structural or first.isalpha()) and ident >= 0:
            properties.append((ident, start))
        node = start if first == b";" else -1 if structural else node
        ident = start if first.isalpha() else -1 if structural else ident
        if first == b"(":
            opened.append(start)
        elif first == b")" and opened:
            trees.append((opened.pop(), end))
    return sorted(trees), nodes, properties, tokens


def _runs(data: bytes) -> Iterator[_Cut]:
    """Yield halves, quarters, eighths and sixteenths of many parts of one kind."""
    for spans in _spans(data):
        for share in (2, 4, 8, _MANY) if len(spans) >= _MANY else ():
            length = len(spans) // share
            for first in range(0, len(spans), length):
                yield ((spans[first][0], spans[first : first + length][-1][1]),)


def _parts(data: bytes) -> Iterator[_Cut]:
    """Yield the syntactic parts, largest first."""
    trees, nodes, properties, tokens = _spans(data)
    pairs = [((start, start + 1), (end - 1, end)) for start, end in trees]
    paired = {span for pair in pairs for span in pair}
    values = [(start, end) for start, end in tokens if data[start] == ord("[")]
    contents = [(start + 1, end - 1) for start, end in values if end - start > 2]
    single = {*trees, *nodes, *properties, *contents, *tokens} - paired
    found: list[_Cut] = [*pairs, *((span,) for span in single)]
    yield from sorted(found, key=lambda cut: (sum(a - b for a, b in cut), cut))


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
