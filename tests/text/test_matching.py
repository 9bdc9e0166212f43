"""What differs between two sequences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.text.matching import differences
from tests.kit.tables import for_each

#: Sequences, and the places of their differences.
DIFFERENCES: list[tuple[str, str, list[tuple[int, int, int, int]]]] = [
    ("", "", []),
    ("abc", "abc", []),
    ("", "abc", [(0, 0, 0, 3)]),
    ("abc", "", [(0, 3, 0, 0)]),
    ("abcd", "xbcy", [(0, 1, 0, 1), (3, 4, 3, 4)]),
    ("abcde", "acdxe", [(1, 2, 1, 1), (4, 4, 3, 4)]),
    # The longest part in order stays.
    ("abcd", "bcda", [(0, 1, 0, 0), (4, 4, 3, 4)]),
    ("abcd", "dabc", [(0, 0, 0, 1), (3, 4, 4, 4)]),
    ("bcde", "bdec", [(1, 2, 1, 1), (4, 4, 3, 4)]),
    # Equal items: as many as have equal ones before or after them, then by their number.
    ("a" * 40, "a" * 50, [(40, 40, 40, 50)]),
    ("a" * 40 + "b", "b" + "a" * 40, [(0, 40, 0, 0), (41, 41, 1, 41)]),
    ("aaxaa", "aaaa", [(2, 3, 2, 2)]),
    ("aaxaa", "ayaaa", [(1, 1, 1, 2), (2, 3, 3, 3)]),
    ("ca", "aab", [(0, 1, 0, 0), (2, 2, 1, 3)]),
    ("acb", "abc", [(1, 2, 1, 1), (3, 3, 2, 3)]),
    ("bbaa", "abbab", [(0, 0, 0, 1), (2, 3, 3, 3), (4, 4, 4, 5)]),
    ("axbaxbaxb", "axbxb", [(3, 7, 3, 3)]),
    (")A)B)", ")X)A)B)", [(1, 1, 1, 3)]),
    ("x)A)B)y", "x(A)B(C)y", [(1, 2, 1, 2), (5, 5, 5, 7)]),
    # Repeated items between items that are there once.
    ("1aba2bab3", "1baa2abb3", [(1, 2, 1, 1), (3, 3, 2, 3), (5, 6, 5, 5), (7, 7, 6, 7)]),
    ("abcdefghijklmnopqrst" * 10, "x" + "abcdefghijklmnopqrst" * 10, [(0, 0, 0, 1)]),
]


@for_each(DIFFERENCES)
def test_differences(old: str, new: str, expected: list[tuple[int, int, int, int]]) -> None:
    assert [*differences(old, new)] == expected


ITEMS = st.lists(st.sampled_from("abc"), max_size=40)


@given(ITEMS, ITEMS)
def test_differences_lead_from_the_old_items_to_the_new(old: list[str], new: list[str]) -> None:
    built: list[str] = []
    done = 0
    for each in differences(old, new):
        assert done <= each.start <= each.end and each.new_start <= each.new_end
        built += old[done : each.start]
        assert len(built) == each.new_start
        built += new[each.new_start : each.new_end]
        assert len(built) == each.new_end
        done = each.end
    assert built + old[done:] == new
    if old == new:
        assert done == 0
