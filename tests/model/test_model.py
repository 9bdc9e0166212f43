"""The model: reading, editing, and writing without loss."""

from __future__ import annotations

from typing import Any

from hypothesis import given

import sgf_lark
from sgf_lark.fuzz.strategies import collections
from tests.kit.tables import for_each


@given(collections(charset="UTF-8"))
def test_untouched_collection_keeps_its_bytes(data: bytes) -> None:
    collection = sgf_lark.loads(data)
    assert sgf_lark.dumps(collection) == data
    # Through the writer for edited collections as well.
    for tree in collection:
        tree.edited = True
    assert sgf_lark.dumps(collection) == data


# --- Repeated properties --------------------------------------------------------------


@for_each(
    [
        ("AB[dd]AB[aa]", "AB", ["dd", "aa"], ["bb"], "AB[bb]"),
        ("AB[dd]C[x]AB[aa]AB[bb:bc]", "AB", ["dd", "aa", "bb", "bc"], ["ee"], "AB[ee]C[x]"),
        ("XX[a]XX[b]", "XX", [b"a", b"b"], [b"c"], "XX[c]"),
        ("VW[]VW[aa]", "VW", ["aa"], [], "VW[]"),
        ("DD[]DD[]", "DD", [], ["aa"], "DD[aa]"),
        ("C[a]N[n]C[b]", "C", "a", "c", "C[c]N[n]C[b]"),
        ("B[aa]B[bb]", "B", "aa", "cc", "B[cc]B[bb]"),
    ]
)
def test_assigning_replaces_what_reading_gives(
    text: str, ident: str, read: Any, written: Any, after: str
) -> None:
    """Of a property that takes lists all lists are read; of another one the first is."""
    node = sgf_lark.loads(f"(;FF[4]GM[1];{text})", tolerant=True)[0].root.children[0]

    def shown(value: Any) -> Any:
        return [shown(each) for each in value] if isinstance(value, list) else _text(value)

    assert shown(node[ident]) == shown(node.get(ident)) == read
    if ident in ("AB", "B"):
        assert set(read if isinstance(read, list) else [read]) <= {
            str(point) for point in node.board().stones
        }
    node[ident] = written
    assert sgf_lark.dumps(node.tree) == f"(;FF[4]GM[1];{after})".encode()
    assert shown(node[ident]) == written


def _text(value: Any) -> Any:
    return value if isinstance(value, bytes) else str(value)


# --- What a user sees ---------------------------------------------------------------------

NODE = """
    add_child board children clear color copy depth detach equals get inherited invalid items keys
    main_line move move_number move_to moves nodes number parent path play png pop popitem
    properties property select setdefault svg tree update values
"""
GAME_TREE = """
    charset damage define edited equals file_format forget_nodes game game_definition gif
    has_certain_charset has_point info leaves main_line node nodes number parsed root size split
    transformed write_point
"""


@for_each([(sgf_lark.Node, NODE), (sgf_lark.GameTree, GAME_TREE)])
def test_public_names(owner: type, names: str) -> None:
    """What a name of these is for has to be worth a place among few: at most 35 and 30."""
    game = sgf_lark.loads(b"(;FF[4])")[0]
    of_object = game.root if owner is sgf_lark.Node else game
    assert [name for name in dir(of_object) if not name.startswith("_")] == names.split()
