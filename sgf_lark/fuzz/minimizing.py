"""Minimizes an input that has some property, in as few attempts as possible."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, pairwise

from sgf_lark.fuzz.features import amount, at_most, find_features, is_limit, usual_values
from sgf_lark.fuzz.tokens import (
    DECLARATIONS,
    PROPERTY,
    context_of,
    find_tokens,
    ident_of,
    mark,
    narrow,
    substitutes,
    unmark,
    wide,
)

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
                # What is larger has failed since the input last changed, or is not worth an attempt
                # after so many failures of its kind.
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
    ends = pairwise([0, *chain.from_iterable(cut), len(data)])
    # What is between two ends is kept, cut, kept and so on.
    return b"".join(data[start:end] for start, end in islice(ends, None, None, 2))


def _spans(data: bytes) -> tuple[list[_Span], ...]:
    """Return the spans of game trees, nodes, properties and tokens, each in their order."""
    # Not those of the parser: most inputs on the way are damaged, and a part that it skips or joins
    # with another one would never be cut.
    tokens = [match.span() for match in find_tokens(data)]
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


# --- Canonical forms ----------------------------------------------------------------------------


#: Whether an input still shows the finding.
Keeps = Callable[[bytes], bool]
#: What may replace a match, the simplest first.
Options = Callable[[re.Match[str]], Iterable[str]]

#: Simple properties of several types.
_USUAL = ("ＡＢ［aa:ba］", "ＡＢ［aa］", "ＴＲ［aa:ba］", "Ｃ［a］", "Ｃ［:］", "ＫＭ［1］")
_SIMPLE_VALUES = ("［］", "［1］", "［aa］", "［a］", "［aa:ba］")
_VALUE = "［[^［］]*］"
#: Of larger files only few variants are tried.
_LARGE = 100
#: More matches of a pattern are first replaced at once.
_MANY_MATCHES = 4
#: At most this many changes are tried to remove a feature.
_MOST_CHANGES = 4
#: At most this many properties are tried in place of one.
_MOST_SUBSTITUTES = 3


def simplify(data: bytes, keeps: Keeps) -> bytes:
    """Return the canonical form of a minimal input: as simple as `keeps` allows.

    White space becomes a space, a property the first one of the same type in the property
    table, a value the simplest one, a number the smallest one, and the file one of Go and FF[4].
    """
    for pattern, options in _STEPS:
        data = _replace_each(data, pattern, options, keeps)
    return _lower(data, keeps)


def strip(data: bytes, keeps: Keeps) -> bytes:
    """Return a file without the properties and the structure that `keeps` does not need.

    A feature is removed from the whole file at once, which takes few attempts. The file has as few
    nodes, as little depth and as short values as `keeps` allows.
    """
    features = [each for each in find_features(data) if each.row.level not in ("value", "rule")]
    # Features of the whole file come last in the list; without them there are fewer others.
    for feature in reversed(features):
        shorter = (each for each in feature.changes(data) if len(each) < len(data))
        data = next(filter(keeps, islice(shorter, _MOST_CHANGES)), data)
    return _lower(data, keeps)


def valid_variants(data: bytes) -> Iterator[bytes]:
    """Yield variants of a file that may conform: with FF[4], and with usual values."""
    text = mark(data)
    if "；" in text and "ＦＦ" not in text:
        text = text.replace("；", "；ＦＦ［4］", 1)
        yield unmark(text)
    if len(data) > _LARGE:
        return
    for found in PROPERTY.finditer(text):
        ident = ident_of(found[1])
        if ident in DECLARATIONS:
            continue
        own = [f"{found[1]}［{value.decode('latin-1')}］" for value in usual_values(ident)]
        for new in (*own, *_USUAL):
            yield unmark(text[: found.start()] + new + text[found.end() :])


def _replace_each(data: bytes, pattern: str, options: Options, keeps: Keeps) -> bytes:
    """Replace each match in marked text by the first option with which `keeps` is true.

    All of many matches are replaced at once if that is possible.
    """
    text, compiled, at = mark(data), re.compile(pattern), 0
    if len(compiled.findall(text)) > _MANY_MATCHES:
        changed = compiled.sub(lambda found: next(iter(options(found)), found[0]), text)
        text = changed if keeps(unmark(changed)) else text
    while found := compiled.search(text, at):
        at = found.end()
        for new in options(found):
            if new == found[0]:
                break
            changed = text[: found.start()] + new + text[found.end() :]
            if keeps(unmark(changed)):
                text, at = changed, found.start() + len(new)
                break
    return unmark(text)


def _ident_of(found: re.Match[str]) -> str:
    """Return the identifier of the property in which a match is, or "" outside of values."""
    before = found.string[: found.start()]
    idents: list[str] = re.findall("[Ａ-Ｚ]+", before)
    return narrow(idents[-1]) if idents else ""


def _simpler_idents(found: re.Match[str]) -> Iterable[str]:
    """Return the similar properties, the most usual first, up to this one."""
    ident = narrow(found[0])
    others = () if ident in DECLARATIONS else substitutes(ident, *context_of(found.string))
    return map(wide, others[:_MOST_SUBSTITUTES])


_STEPS: tuple[tuple[str, Options], ...] = (
    ("[␉-␍␠]+", lambda found: ["␠"]),
    ("ＧＭ［[^］]*］", lambda found: [""]),
    ("ＦＦ［[1-3]］", lambda found: ["ＦＦ［4］"]),
    ("(?<![Ａ-Ｚ])[Ａ-Ｚ]++(?=[␉-␍␠]*+［)", _simpler_idents),
    (_VALUE, lambda found: () if _ident_of(found) in DECLARATIONS else _SIMPLE_VALUES),
)


def _lower(data: bytes, keeps: Keeps) -> bytes:
    """Return the file with the smallest numbers, lengths and numbers of parts from 1."""
    for feature in filter(is_limit, find_features(data)):
        text, low = mark(data), 1
        high = amount(text, feature)
        while low < high:
            middle = (low + high) // 2
            changed = unmark(at_most(text, feature, middle))
            if keeps(changed):
                data, high = changed, middle
            else:
                low = middle + 1
    return data
