"""Places in the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.diagnostics import shorten
from sgf_lark.text.positions import SourceText


@given(
    st.text("ab\r\né棋", max_size=30),
    st.lists(st.integers(0, 30), max_size=8),
)
def test_line_and_column_in_any_order(text: str, places: list[int]) -> None:
    source = SourceText(text.encode(), "utf-8")
    for place in places:
        head = text[:place]
        if head.endswith("\r") and text[place : place + 1] == "\n":
            continue
        offset = len(head.encode())
        lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        span = source.span(offset, offset + 1)
        assert span == (offset, offset + 1, len(lines), len(lines[-1]) + 1)


@pytest.mark.parametrize(
    ("line", "at", "expected"),
    [
        ("abc", 1, ("abc", 1)),
        ("棋" * 50 + "X" + "盘" * 50, 50, ("…" + "棋" * 10 + "X" + "盘" * 9 + "…", 11)),
        ("a" * 10 + "X", 10, ("a" * 10 + "X", 10)),
    ],
)
def test_excerpt_is_cut_around_the_place(line: str, at: int, expected: tuple[str, int]) -> None:
    data = ("first\n" + line + "\nlast").encode()
    source = SourceText(data, "utf-8")
    start = len(("first\n" + line[:at]).encode())
    assert source.excerpt(source.span(start, start + 1), 10, 10) == expected


def test_long_line_is_shown_whole_when_asked() -> None:
    source = SourceText(b"a" * 500)
    assert source.line(source.span(250, 251)) == "a" * 500


def test_shorten_keeps_one_printable_line() -> None:
    assert shorten(b"a\nb\x00") == "a\\nb\\x00"
    assert len(shorten("x" * 100)) == 40


def test_columns_do_not_depend_on_the_order_of_spans() -> None:
    text = "äx\n" + "aé漢z" * 50 + "\r\nß" + "b" * 30
    data = text.encode()
    starts = [len(text[:index].encode()) for index in range(len(text))]
    ascending = SourceText(data, "utf-8")
    expected = [ascending.span(start, start) for start in starts]
    descending = SourceText(data, "utf-8")
    assert [descending.span(start, start) for start in reversed(starts)] == expected[::-1]
    jumping = SourceText(data, "utf-8")
    for low, high in zip(range(len(starts)), reversed(range(len(starts))), strict=True):
        assert jumping.span(starts[low], starts[low]) == expected[low]
        assert jumping.span(starts[high], starts[high]) == expected[high]
