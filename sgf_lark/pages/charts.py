"""Charts of bars for pages.

All lengths are shares of the chart in percent, so that one chart fits every width: text keeps its
size, and nothing has to be measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import gcd
from typing import Any, NamedTuple

from sgf_lark.pages import number

#: The colors of values that mean the same in all charts; readable on white and on black.
_COLORS = {
    "unreadable": "#8a6fb0",
    "error": "#d1495b",
    "warning": "#d99114",
    "style": "#4f8fcf",
    "clean": "#3f9b62",
    "safe": "#3f9b62",
    "unsafe": "#d99114",
    "won": "#3f9b62",
    "lost": "#d1495b",
    "black": "#5b6770",
    "white": "#c9b27e",
    "neither": "#8a6fb0",
    "other": "#8d99a6",
}
_OTHER_COLORS = ("#4f8fcf", "#d99114", "#3f9b62", "#d1495b", "#8a6fb0", "#3aa6a6", "#a0785a")
#: A chart has at most this many columns, and at most this many of them have a label on a wide page;
#: on a narrow one every second label is left out.
_MOST_COLUMNS = 150
_MOST_LABELS = 14
#: At most this many lines across the columns.
_MOST_LINES = 5


class Part(NamedTuple):
    """A part of a bar: where it begins, its length, its color, and what it stands for."""

    start: float
    length: float
    color: str
    text: str


@dataclass(frozen=True)
class Bar:
    """A bar: its place as text, its label, the sum of its parts as text, and the parts.

    For columns, `start` is where it begins on the axis. Its label is "" where it would be too close
    to the one before; a label that is minor is shown on wide pages only.
    """

    place: str
    label: str
    value: str
    parts: tuple[Part, ...]
    start: float = 0.0
    is_minor: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart: "bars" are horizontal, one below the other; "columns" stand beside each other, and
    "shares" are columns of one height, whose parts are shares of it.

    `lines` are the lines across columns: their height and label. `width` is that of a column.
    `outside` counts what is before and after the columns.
    """

    kind: str
    bars: tuple[Bar, ...]
    legend: tuple[tuple[str, str], ...]
    lines: tuple[tuple[float, str], ...] = ()
    width: float = 0.0
    outside: float = 0


def chart(
    kind: str,
    rows: Sequence[Mapping[str, Any]],
    axes: Mapping[str, str],
    text: Callable[[str, object], str] = lambda _, value: str(value),
) -> Chart:
    """Draw rows: `axes` are the columns for "place" and "size", and for "color" of parts.

    Rows of one place are the parts of its bar. Columns and shares have numbers as places, which are
    equally far apart. `text` gives the words for a value of a column.
    """
    of_place, of_color = axes["place"], axes.get("color")
    amounts: dict[Any, dict[Any, float]] = {}
    for row in rows:
        color = row[of_color] if of_color else ""
        bar = amounts.setdefault(row[of_place], {})
        bar[color] = bar.get(color, 0) + float(row[axes["size"]])
    everything = sum(sum(parts.values()) for parts in amounts.values())
    if kind != "bars":
        amounts = {place: amounts.get(place, {}) for place in _window(amounts)}
    # 1 for a chart of nothing, whose lengths are shares of it.
    sums = {place: sum(parts.values()) or 1 for place, parts in amounts.items()}
    most = max(sums.values(), default=1)
    colors = _colors([color for parts in amounts.values() for color in parts])
    bars = []
    shown = _labeled(list(amounts)) if kind != "bars" else ()
    for index, (place, parts) in enumerate(amounts.items()):
        drawn, start = [], 0.0
        for color in filter(parts.__contains__, colors):
            length = 100 * parts[color] / (sums[place] if kind == "shares" else most)
            name = f"{text(of_color, color)}: {number(parts[color])}" if of_color else ""
            drawn.append(Part(start, length, colors[color], name))
            start += length
        bars.append(
            Bar(
                place=str(place),
                label=text(of_place, place) if kind == "bars" or place in shown else "",
                value=number(sum(parts.values())),
                parts=tuple(drawn),
                start=100 * index / len(amounts),
                is_minor=place in shown[1::2] and len(shown) > _MOST_LABELS // 2,
            )
        )
    return Chart(
        kind,
        tuple(bars),
        tuple((text(of_color, color), colors[color]) for color in colors) if of_color else (),
        tuple((line, f"{line}%") for line in _lines(100))
        if kind == "shares"
        else tuple((100 * line / most, number(line)) for line in _lines(most)),
        100 / max(1, len(bars)),
        everything - sum(sum(parts.values()) for parts in amounts.values()),
    )


def _colors(values: Sequence[Any]) -> dict[Any, str]:
    """A color for each value: known ones in their order, numbers sorted, None last."""
    found = list(dict.fromkeys(values))
    if all(value in _COLORS for value in found):
        found = [value for value in _COLORS if value in found]
    elif any(isinstance(value, float) for value in found):
        found.sort(key=lambda value: (value is None, value))
    others = iter(_OTHER_COLORS * (len(found) // len(_OTHER_COLORS) + 1))
    return {value: _COLORS.get(value) or next(others) for value in found}


def _window(amounts: Mapping[int, Mapping[Any, float]]) -> Sequence[int]:
    """Places without gaps between them, at most as many as fit, that have the largest amounts."""
    places = sorted(amounts)
    # The places that occur may have gaps, such as years without games.
    step = gcd(*(after - before for before, after in pairwise(places))) or 1
    sums = Counter({place: sum(amounts[place].values()) for place in places})
    length = step * (_MOST_COLUMNS - 1)

    def amount(first: int) -> float:
        return sum(sums[place] for place in places if first <= place <= first + length)

    if not places:
        return ()
    first = max(places, key=lambda first: (amount(first), first))
    last = max(place for place in places if first <= place <= first + length)
    return range(first, last + 1, step)


def _lines(most: float) -> tuple[float, ...]:
    """Round numbers at equal distances, up to `most`."""
    unit = 10 ** (len(str(int(most))) - 1)
    steps = (unit // 10, unit // 5, unit // 2, unit, 2 * unit, 5 * unit)
    step = next(step for step in steps if step and most / step <= _MOST_LINES)
    return tuple(range(step, int(most) + 1, step))


def _labeled(places: Sequence[int]) -> Sequence[int]:
    """Round places that are far enough from each other."""
    step = places[1] - places[0] if len(places) > 1 else 1
    for factor in (1, 2, 5, 10, 20, 50):
        found = [place for place in places if place % (factor * step) == 0]
        if len(found) <= _MOST_LABELS:
            return found
    return ()
