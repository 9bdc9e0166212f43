"""What two sequences have in common, for differences between texts."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import Match, SequenceMatcher

#: If there are more pairs of equal items than this for each item, the search for the longest common
#: parts would take too long.
_MOST_PAIRS = 16


def matching_blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Match]:
    """The parts that both sequences have, as ``SequenceMatcher.get_matching_blocks`` gives them.

    Where items are repeated many times, the first one is matched with the first one, the second
    with the second and so on, as far as their order allows: time grows in line with the length.
    """
    counts = Counter(new)
    if sum(counts[item] for item in old) <= _MOST_PAIRS * (len(old) + len(new)):
        return SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    blocks: list[Match] = []
    for before, after in _ascending(_pairs(old, new)):
        a, b, size = blocks[-1] if blocks else (before, after, 0)
        if (a + size, b + size) == (before, after):
            blocks[-1:] = [Match(a, b, size + 1)]
        else:
            blocks.append(Match(before, after, 1))
    return [*blocks, Match(len(old), len(new), 0)]


def _pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places of equal items with the same number among those that are equal."""
    seen: Counter[Hashable] = Counter()
    places: dict[tuple[Hashable, int], int] = {}
    for place, item in enumerate(new):
        seen[item] += 1
        places[item, seen[item]] = place
    seen.clear()
    found = []
    for place, item in enumerate(old):
        seen[item] += 1
        if (item, seen[item]) in places:
            found.append((place, places[item, seen[item]]))
    return found


def _ascending(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of pairs, sorted by the first number, in which the second ascends, too.

    There is at least one pair.
    """
    #: For each length, the lowest number at which a choice of that length can end, and its pair.
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [index]
    found = []
    index = last[-1]
    while index >= 0:
        found.append(pairs[index])
        index = before[index]
    return found[::-1]
