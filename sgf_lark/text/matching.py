"""What differs between two sequences, such as the lines of two texts."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple


class Difference(NamedTuple):
    """The items of the old sequence from `start` to `end`, and those of the new one that replace
    them; one of the two may have none."""

    start: int
    end: int
    new_start: int
    new_end: int


#: Pairs that ascend: the last one, and those before it.
_Choice = tuple[tuple[int, int], "_Choice | None"]


def differences(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Difference]:
    """Yield what differs between two sequences, in order; all between it is equal.

    Items that both have once are matched first. Between those, the first of equal items is matched
    with the first one, the second with the second and so on, as far as their order allows. So time
    grows in line with the length, but for a logarithm.
    """
    counts, new_counts = Counter(old), Counter(new)
    once = {item for item, count in counts.items() if count == new_counts[item] == 1}
    pairs = [pair for pair in _pairs(old, new) if old[pair[0]] in once]
    for start, end, new_start, new_end in _between(old, new, pairs):
        before, after = old[start:end], new[new_start:new_end]
        for part in _between(before, after, _pairs(before, after)):
            yield Difference(
                start + part.start,
                start + part.end,
                new_start + part.new_start,
                new_start + part.new_end,
            )


def _between(
    old: Sequence[Hashable], new: Sequence[Hashable], pairs: Iterable[tuple[int, int]]
) -> Iterator[Difference]:
    """Yield what differs between pairs of equal items, as many of them as can be in order."""
    start = new_start = 0
    for place, new_place in (*_ascending(pairs), (len(old), len(new))):
        end, new_end = place, new_place
        while start < end and new_start < new_end and old[start] == new[new_start]:
            start, new_start = start + 1, new_start + 1
        while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
            end, new_end = end - 1, new_end - 1
        if start < end or new_start < new_end:
            yield Difference(start, end, new_start, new_end)
        start, new_start = place + 1, new_place + 1


def _pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places of equal items with the same number among those that are equal."""
    places = {numbered: place for place, numbered in enumerate(_numbered(new))}
    return [
        (place, places[numbered])
        for place, numbered in enumerate(_numbered(old))
        if numbered in places
    ]


def _numbered(items: Iterable[Hashable]) -> Iterator[tuple[Hashable, int]]:
    """Yield each item with its number among those that are equal."""
    seen: Counter[Hashable] = Counter()
    for item in items:
        seen[item] += 1
        yield item, seen[item]


def _ascending(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of pairs, sorted by the first number, in which the second ascends, too."""
    #: For each length, the lowest number at which a choice of that length can end.
    ends: list[int] = []
    choices: list[_Choice] = []
    for pair in pairs:
        length = bisect_left(ends, pair[1])
        ends[length : length + 1] = [pair[1]]
        choices[length : length + 1] = [(pair, choices[length - 1] if length else None)]
    found = []
    choice = choices[-1] if choices else None
    while choice is not None:
        pair, choice = choice
        found.append(pair)
    return found[::-1]
