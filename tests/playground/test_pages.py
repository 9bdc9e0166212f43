"""Pages by templates, their words, and their charts."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("jinja2")

from sgf_lark import pages
from sgf_lark.pages import _environment, _words, charts, words
from sgf_lark.pages.charts import chart

_TEMPLATES = Path(pages.__file__).parent


@pytest.mark.parametrize("table", _words())
def test_words_have_the_same_fields_in_both_languages(table: str) -> None:
    english, chinese = words(table, "en"), words(table, "zh")
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        fields = [
            {name for _, name, _, _ in Formatter().parse(each) if name is not None}
            for each in (text, chinese[key])
        ]
        assert fields[0] - {"s"} == fields[1], key


@pytest.mark.parametrize("template", [path.name for path in _TEMPLATES.glob("*.html")])
def test_templates_have_words_that_are_there(template: str) -> None:
    text = (_TEMPLATES / template).read_text("utf-8")
    known = words("shared", "en") | words(template.removesuffix(".html"), "en")
    assert set(re.findall(r"\bwords\.(\w+)", text)) <= known.keys()


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (99_949, "99.9 kB"),
        (867_000, "867 kB"),
        (999_600, "1.0 MB"),
        (8_800_000, "8.8 MB"),
        (4_200_000_000, "4.2 GB"),
        (10**15, "1,000 TB"),
    ],
)
def test_sizes_are_decimal(count: int, text: str) -> None:
    assert pages.size(count) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (10, "10"), (6.5, "6.5"), (3.75, "3.75"), (-0.5, "-0.5"), (12345.6, "12,346")],
)
def test_numbers(value: float, text: str) -> None:
    assert pages.number(value) == text


@pytest.mark.parametrize(
    ("places", "columns", "outside"),
    [
        ([], [], 0),
        ([1999], [1999], 0),
        ([0, 20, 60], [0, 20, 40, 60], 0),
        ([0, 20, 50], [0, 10, 20, 30, 40, 50], 0),
        ([1, 1999, 2000], [1999, 2000], 1),
    ],
)
def test_columns_are_equally_far_apart(places: list[int], columns: list[int], outside: int) -> None:
    rows = [{"year": place, "files": 1} for place in reversed(places)]
    drawn = chart("columns", rows, {"place": "year", "size": "files"})
    assert [int(bar.place) for bar in drawn.bars] == columns
    assert drawn.outside == outside


rows = st.lists(
    st.fixed_dictionaries(
        {
            "year": st.integers(-3000, 3000),
            "files": st.integers(1, 10**9),
            "state": st.sampled_from(["error", "clean", "5.5", "<&>"]),
        }
    ),
    max_size=30,
)


@given(rows, st.sampled_from(["bars", "columns", "shares"]))
def test_charts_fit_any_width(rows: list[dict[str, object]], kind: str) -> None:
    drawn = chart(kind, rows, {"place": "year", "size": "files", "color": "state"})
    total = sum(int(str(row["files"])) for row in rows)
    shown = sum(int(bar.value.replace(",", "")) for bar in drawn.bars)
    assert shown + drawn.outside == total
    assert len(drawn.bars) <= (len(rows) if kind == "bars" else charts._MOST_COLUMNS)
    for bar in drawn.bars:
        assert 0 <= bar.start < 100
        assert sum(part.length for part in bar.parts) <= 100.001
        assert (
            kind != "shares" or not bar.parts or bar.parts[-1].start + bar.parts[-1].length > 99.9
        )
    if kind != "bars":
        assert sum(bool(bar.label) for bar in drawn.bars) <= charts._MOST_LABELS
    figure = vars(_environment().get_template("charts.html").module)["figure"](drawn, "a < b")
    ElementTree.fromstring(str(figure))
