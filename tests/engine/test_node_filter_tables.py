"""What the filter and the cache are given: identifiers, the board, and how a pass is written."""

from __future__ import annotations

from typing import Any

import pytest

from sgf_lark import engine
from sgf_lark.engine.kinds import CleanIf, PropertyBits
from sgf_lark.model import node_filters
from sgf_lark.model.values import Context
from sgf_lark.validation import active_rules, selected_codes
from tests.kit.tables import for_each

if not engine.available:
    pytest.skip("the engine is not compiled", allow_module_level=True)

from sgf_lark.engine import node_filter
from sgf_lark.validation import derivation

RULES = active_rules("strict", selected_codes(None, None))
B = PropertyBits

#: Game and file format; the identifiers with each bit of the filter, and those with each form
#: that the cache knows as clean.
IDENTIFIERS: list[tuple[int, int, dict[PropertyBits, str], dict[CleanIf, str]]] = [
    (1, 4, {
        B.BLACK_MOVE: "B",
        B.WHITE_MOVE: "W",
        B.PLAIN_MOVE: "B W",
        B.PLAIN_REAL: "BL TM V WL",
        B.PLAIN_NUMBER: "MN OB OW",
        B.PLAIN_TEXT: "AN BT C CP EV GC GN N ON OT PB PC PW SO US WT",
        B.PLAIN_POINTS: "CR DD MA SL SQ TB TR TW",  # no setup
        B.PLAIN_LABELS: "LB",
        B.SETUP: "AB AE AW PL",
        B.SETS_BLACK: "AB",
        B.SETS_WHITE: "AW",
        B.SETS_EMPTY: "AE",
        B.GAME_INFO: (
            "AN BR BS BT CI CP DT EV GC GN HA ID KI KM ON OT PB PC PW RE RO RU SO TM US WR WS WT"
        ),
    }, {
        CleanIf.POINT: "B W",
        CleanIf.LIST: "AB AE AW CR DD MA SL SQ TB TR TW",
        CleanIf.LABELS: "LB",
        CleanIf.TEXT: "AN BT C CP EV GC GN N ON OT PB PC PW SO US WT",
        CleanIf.DATE: "DT",
    }),
    (6, 4, {
        B.BLACK_MOVE: "B",
        B.WHITE_MOVE: "W",
        B.PLAIN_REAL: "BL TM V WL",
        B.PLAIN_NUMBER: "MN OB OW",
        B.PLAIN_TEXT: "AN BT C CP EV GC GN N ON OT PB PC PW RU SO US WT",
        B.SETUP: "AB AE AW CO CV DI PL",
        B.SETS_BLACK: "AB",
        B.SETS_WHITE: "AW",
        B.SETS_EMPTY: "AE",
        B.GAME_INFO: (
            "AN BR BS BT CP DT EV GC GN ID MI ON OT PB PC PW RE RO RU SO TM US WR WS WT"
        ),
    }, {
        CleanIf.TEXT: "AN BT C CP EV GC GN N ON OT PB PC PW RU SO US WT",
        CleanIf.DATE: "DT",
    }),
]  # fmt: skip


@for_each(IDENTIFIERS)
def test_identifiers(
    game: int, file_format: int, bits: dict[PropertyBits, str], forms: dict[CleanIf, str]
) -> None:
    clean_if, found = derivation.clean_tables(RULES, game, file_format)
    assert (clean_if, found) == derivation._derived(RULES, game, file_format)
    by_bit = {bit: " ".join(sorted(i for i in found if bit & found[i])) for bit in PropertyBits}
    assert by_bit == {bit: bits.get(bit, "") for bit in PropertyBits}
    assert all(len(ident) <= 2 for ident in found) and {"B", "XX"} & found.keys() == {"B"}
    by_form = {
        form: " ".join(sorted(i.decode() for i, value in clean_if.items() if value == form))
        for form in CleanIf
    }
    assert by_form == {form: forms.get(form, "") for form in CleanIf}


@for_each([(["SGF1"],), (["SGF4"],), (["SGF501"],)])
def test_tables_of_some_rules_are_not_the_built_ones(select: list[str]) -> None:
    some = active_rules("strict", selected_codes(select, None))
    assert derivation._checksum(some) != derivation._checksum(RULES)
    assert derivation.clean_tables(some, 1, 4) == derivation._derived(some, 1, 4)


@for_each(
    [
        # Game, file format, size; the size of the points, whether positions are followed, "tt",
        # and whether a pass may be empty.
        (1, 4, (19, 19), (19, 19), True, b"tt", True),
        (1, 3, (19, 19), (19, 19), True, b"tt", False),
        (1, 4, (9, 13), (9, 13), True, b"tt", True),
        (1, 4, (20, 19), (20, 19), True, b"", True),
        (1, 4, (52, 52), (52, 52), True, b"", True),
        (6, 4, None, (0, 0), False, b"", False),
        (11, 4, (11, 11), (11, 11), False, b"", False),
    ]
)
def test_boards_and_passes(
    game: int,
    file_format: int,
    size: tuple[int, int] | None,
    of_points: tuple[int, int],
    is_followed: bool,
    short_pass: bytes,
    has_empty_pass: bool,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        given: list[Any] = []
        patch.setattr(node_filter, "CleanNodeFilter", lambda *arguments: given.extend(arguments))
        node_filters.node_filter_of(Context(game, file_format, size), {})
    points = given[1]
    assert (points.columns, points.rows) == of_points
    assert given[2:] == [is_followed, short_pass, has_empty_pass]
