"""What two sequences have in common."""

from __future__ import annotations

from sgf_lark.text.matching import matching_blocks

#: Sequences, and the places and lengths of their equal parts. Where items are repeated many times,
#: the first one is matched with the first one and so on.
BLOCKS: list[tuple[str, str, list[tuple[int, int, int]]]] = [
    ("", "", []),
    ("abc", "abc", [(0, 0, 3)]),
    ("abcd", "xbcy", [(1, 1, 2)]),
    ("a" * 40, "a" * 40, [(0, 0, 40)]),
    ("a" * 40, "a" * 50, [(0, 0, 40)]),
    ("a" * 40 + "b", "b" + "a" * 40, [(0, 1, 40)]),
    ("b" + "a" * 40, "a" * 40 + "b", [(1, 0, 40)]),
    ("bc" + "a" * 40, "a" * 40 + "bc", [(2, 0, 40)]),
    ("a" * 20 + "x" + "a" * 20, "a" * 40, [(0, 0, 20), (21, 20, 20)]),
    (
        "a" * 20 + "x" + "a" * 20,
        "a" * 10 + "y" + "a" * 30,
        [(0, 0, 10), (10, 11, 10), (21, 21, 20)],
    ),
    ("bcde" + "a" * 60, "bdec" + "a" * 60, [(0, 0, 1), (2, 1, 2), (4, 4, 60)]),
    ("bcd" + "a" * 60, "dbc" + "a" * 60, [(0, 1, 2), (3, 3, 60)]),
    ("abcdefghijklmnopqrst" * 10, "x" + "abcdefghijklmnopqrst" * 10, [(0, 1, 200)]),
    # 16 pairs for each item, where the longest part is still searched for; and more
    ("a" + "x" * 9 + "a" * 35, "a" * 36, [(10, 0, 35)]),
    ("a" + "x" * 8 + "a" * 35, "a" * 36, [(0, 0, 1), (9, 1, 35)]),
]


def test_matching_blocks() -> None:
    for old, new, expected in BLOCKS:
        *blocks, end = matching_blocks(old, new)
        assert blocks == expected, (old, new)
        assert end == (len(old), len(new), 0)
