"""Plots of the report, drawn by Vega-Altair."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair

_WIDTH = 680
_HEIGHT = 260
#: The height of a horizontal bar.
_BAR_HEIGHT = 22
#: Stands for the color of the text in a page, which is light or dark.
_INK = "#010203"
_FONT = "system-ui, 'Noto Sans CJK SC', 'WenQuanYi Zen Hei', sans-serif"

#: The colors of values that mean the same in all plots; readable on white and on black.
_COLORS = {
    "1 unreadable": "#8a6fb0",
    "2 errors": "#d1495b",
    "3 warnings": "#d99114",
    "4 style": "#4f8fcf",
    "5 clean": "#3f9b62",
    "error": "#d1495b",
    "warning": "#d99114",
    "style": "#4f8fcf",
    "safe": "#3f9b62",
    "unsafe": "#d99114",
    "B": "#5b6770",
    "W": "#b5a27b",
    "–": "#8d99a6",
}
_OTHER_COLORS = ("#4f8fcf", "#d99114", "#3f9b62", "#d1495b", "#8a6fb0", "#3aa6a6", "#a0785a")


@dataclass(frozen=True)
class Plot:
    """A plot as SVG for a page, where text has the color of the page, and as SVG and PNG files."""

    inline: str
    svg: str
    png: bytes


def draw(
    kind: str,
    rows: list[dict[str, Any]],
    axes: dict[str, str],
    titles: dict[str, str],
    words: dict[str, str],
) -> Plot:
    """Draw rows as bars, columns or a stack of columns.

    `axes` names the columns for x, y and color; `titles` are the titles of columns, and `words`
    those of values.
    """
    import vl_convert

    chart = _chart(kind, rows, axes, titles, words)
    specification = json.loads(chart.to_json())
    inline = vl_convert.vegalite_to_svg(_with_ink(specification, _INK))
    plain = _with_ink(specification, "#1f2328")
    return Plot(
        inline.replace(_INK, "currentColor"),
        vl_convert.vegalite_to_svg({**plain, "background": "#ffffff"}),
        vl_convert.vegalite_to_png({**plain, "background": "#ffffff"}, scale=2),
    )


def _chart(
    kind: str,
    rows: list[dict[str, Any]],
    axes: dict[str, str],
    titles: dict[str, str],
    words: dict[str, str],
) -> altair.Chart:
    import altair

    x, y = axes["x"], axes["y"]
    data = [{name: _plain(value) for name, value in row.items()} for row in rows]
    shown = [{name: words.get(str(value), value) for name, value in row.items()} for row in data]
    number = altair.Axis(tickCount=6, format=",~f", labelFlush=True)
    if kind == "bars":
        order = _values(shown, y)
        encoding: dict[str, Any] = {
            "x": altair.X(f"{x}:Q", title=titles[x], axis=number),
            "y": altair.Y(f"{y}:N", title=None, sort=order, axis=altair.Axis(labelLimit=260)),
        }
        height: float = _BAR_HEIGHT * max(1, len(order))
    else:
        few = altair.Axis(labelOverlap=True, labelAngle=0)
        places = altair.Scale(domain=_without_gaps(_values(shown, x)))
        encoding = {
            "x": altair.X(f"{x}:O", title=titles[x], scale=places, axis=few),
            "y": altair.Y(f"{y}:Q", title=titles[y], axis=number),
        }
        height = _HEIGHT
    color = axes.get("color")
    if color is not None:
        legend = altair.Legend(title=titles[color], orient="bottom")
        encoding["color"] = _color(data, color, words, legend)
    elif kind == "bars" and set(_values(data, y)) <= set(_COLORS):
        encoding["color"] = _color(data, y, words, None)
    else:
        encoding["color"] = altair.value(_OTHER_COLORS[0])
    bars = altair.Chart(altair.InlineData(values=shown)).mark_bar().encode(**encoding)
    chart: altair.Chart = bars.properties(width=_WIDTH, height=height)
    return chart


def _color(
    data: list[dict[str, Any]], name: str, words: dict[str, str], legend: altair.Legend | None
) -> altair.Color:
    """A color for each value of a column."""
    import altair

    values = _values(data, name)
    domain = [words.get(str(value), value) for value in values]
    scale = altair.Scale(domain=domain, range=_colors(values))
    return altair.Color(f"{name}:N", scale=scale, legend=legend)


def _values(rows: list[dict[str, Any]], name: str) -> list[Any]:
    """The values of a column: numbers sorted, others in their order."""
    found = list(dict.fromkeys(row[name] for row in rows))
    return sorted(found) if all(isinstance(value, (int, float)) for value in found) else found


def _without_gaps(values: list[Any]) -> list[Any]:
    """Sorted integers with those between them that are as far apart as the closest ones.

    Where that would be many more, as after a wrong year, the gaps stay.
    """
    step = min((after - before for before, after in pairwise(values)), default=1)
    whole = range(values[0], values[-1] + 1, step) if values else range(0)
    is_possible = set(values) <= set(whole[: 2 * len(values)])
    return list(whole) if is_possible else values


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, float, str, type(None))) else float(value)


def _colors(values: list[Any]) -> list[str]:
    others = iter(_OTHER_COLORS * (len(values) // len(_OTHER_COLORS) + 1))
    return [_COLORS.get(str(value)) or next(others) for value in values]


def _with_ink(specification: dict[str, Any], ink: str) -> dict[str, Any]:
    return {**specification, "config": _configuration(ink), "background": "transparent"}


@cache
def _configuration(ink: str) -> dict[str, Any]:
    text = {"labelColor": ink, "titleColor": ink, "labelFont": _FONT, "titleFont": _FONT}
    return {
        "view": {"stroke": None},
        # Browsers may use a wider font than that in which the labels are measured.
        "padding": {"left": 32, "top": 5, "right": 24, "bottom": 5},
        "axis": {
            **text,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "domainColor": ink,
            "domainOpacity": 0.4,
            "tickColor": ink,
            "tickOpacity": 0.4,
            "gridColor": ink,
            "gridOpacity": 0.12,
        },
        "legend": {
            **text,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "columnPadding": 28,
        },
    }
