"""Lines, columns and excerpts: of parts of a file, of long lines, and of texts of any charset."""

from __future__ import annotations

import pickle

from hypothesis import example, given
from hypothesis import strategies as st

from sgf_lark.text.positions import CodecAt, Position, SourceText
from tests.kit.tables import for_each

#: A text, and the position of its end.
ENDS = [
    ("", Position(0, 0, 0)),
    ("ab", Position(2, 0, 2)),
    ("ab\n", Position(3, 1, 0)),
    ("ab\r", Position(3, 1, 0)),
    ("ab\r\ncd\n\nxyz", Position(11, 3, 3)),
    ("é棋\né棋x", Position(12, 1, 3)),
]


@for_each(ENDS)
def test_the_next_part_of_a_file_begins_where_one_ends(text: str, end: Position) -> None:
    first = SourceText(text.encode(), "utf-8")
    assert first.position(len(first.data)) == end
    second = SourceText("pé\nq\nr".encode(), "utf-8", begin=end)
    whole = SourceText((text + "pé\nq\nr").encode(), "utf-8")
    for start in (0, 1, 3, 4, 6):
        span = second.span(start, start + 1)
        assert span == whole.span(end.offset + start, end.offset + start + 1)
        assert second.text(span) == whole.text(span)
    assert second.position(len(second.data)) == whole.position(len(whole.data))
    assert second.line(second.span(4, 5)) == "q"
    again = pickle.loads(pickle.dumps(second))
    assert again.span(1, 2) == second.span(1, 2)


@given(st.text("ab棋😀\n", max_size=40), st.integers(0, 40), st.integers(1, 12), st.integers(0, 12))
@example("😀" * 40, 20, 12, 12)
@example("棋" * 40, 20, 12, 12)
@example("x" * 40, 20, 12, 12)
def test_excerpt_is_a_part_of_the_line(text: str, place: int, before: int, after: int) -> None:
    place = min(place, len(text))
    start = len(text[:place].encode())
    source = SourceText(text.encode(), "utf-8")
    span = source.span(start, start)
    head = text[:place].split("\n")[-1]
    tail = text[place:].split("\n")[0]
    assert source.line(span) == head + tail
    if len(head) > before:
        head = "…" + head[-before:]
    if len(tail) > after:
        tail = tail[:after] + "…"
    assert source.excerpt(span, before, after) == (head + tail, len(head))


def test_parts_in_several_codecs() -> None:
    codecs = CodecAt([2, 7, 9], ["utf-8", "gb18030", "cp932"])
    for start, end, expected in [
        (3, 5, [(3, 5, "utf-8")]),
        (0, 7, [(0, 7, "utf-8")]),
        (7, 8, [(7, 8, "gb18030")]),
        (3, 12, [(3, 7, "utf-8"), (7, 9, "gb18030"), (9, 12, "cp932")]),
        (0, 1, [(0, 1, "utf-8")]),
        (20, 30, [(20, 30, "cp932")]),
        (7, 7, []),
    ]:
        assert list(codecs.parts(start, end)) == expected


@given(st.text("ab\r\né棋", max_size=30), st.lists(st.integers(0, 30), max_size=8))
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
