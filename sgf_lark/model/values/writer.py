"""Writing property values: typed values to raw bytes."""

from __future__ import annotations

import re
import sys
from typing import Any

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.model.values.basic import Color, Context
from sgf_lark.model.values.notations import (
    MOVES,
    MOVES_TO_A_POINT,
    NOTATIONS,
    WITH_OBJECTS,
    Move,
    OctiStone,
    has_short_pass,
    write_point,
)
from sgf_lark.model.values.points import LETTERS, Point, is_on_board, ordered
from sgf_lark.model.values.reader import reader
from sgf_lark.model.values.value_errors import coerced, refusal, refusal_of_unknown
from sgf_lark.syntax.grammars import pattern
from sgf_lark.text.charsets import name_of
from sgf_lark.text.escaping import short_repr

#: Before, a pass is "tt"; on boards on which that is a point, it is empty in every format.
_FIRST_FORMAT_WITH_EMPTY_PASS = 4


def write_all(
    definition: PropertyDefinition | None, value: Any, context: Context, ident: str = ""
) -> list[bytes]:
    """The raw values of a property, from which :meth:`ValueReader.read_all` gives `value` back.

    White space in texts is written as it would be read: a tab as a blank, and in
    a SimpleText a line break as a blank. For a property without definition,
    `value` is bytes, taken as they are, or a text, or a list of these; `ident` names it in the
    message.
    Raises TypeError or ValueError for a value that the property cannot hold.
    """
    if definition is None:
        items = [value] if isinstance(value, (str, bytes)) else value
        is_list = isinstance(items, (list, tuple)) and len(items) > 0
        if not (is_list and all(isinstance(item, (str, bytes)) for item in items)):
            raise TypeError(refusal_of_unknown(ident, value, context))
        raws = [
            item if isinstance(item, bytes) else _write_text(item, context, True, composed=False)
            for item in items
        ]
    elif not definition.takes_many:
        raws = [_write_one(definition, coerced(definition, value, context), context)]
    else:
        items = coerced(definition, value, context)
        raws = [_write_one(definition, item, context) for item in items]
        if not raws:
            if not definition.may_be_empty:
                raise ValueError(refusal(definition, value, context, "it may not be empty"))
            raws = [b""]
    for raw in raws:
        if not ends_at_bracket(raw):
            raise ValueError(f"the value would not end at its bracket: {raw!r}")
    return raws


_CLOSED = re.compile(rb"(?:[^\]\\]|\\.)*", re.DOTALL)


def ends_at_bracket(raw: bytes) -> bool:
    """Whether all brackets and backslashes in a value as written are escaped."""
    return _CLOSED.fullmatch(raw) is not None


def _write_one(definition: PropertyDefinition, value: Any, context: Context) -> bytes:
    values = reader(context)
    if definition.format == "size" and isinstance(value, tuple) and value[1:] == value[:1]:
        value = value[0]  # properties.html, SZ: one number for a square board
    for alternative in definition.alternatives:
        try:
            if definition.takes_many and isinstance(value, str) and ":" in value:
                rectangle = _rectangle(alternative, value, context)
                if rectangle is not None:
                    return rectangle
            if alternative.composed:
                if isinstance(value, (int, str, bytes)):
                    raise TypeError("a composed value is a pair")
                left, right = value
                raw = b":".join(
                    _write(values.rule(kind), half, context, composed=True)
                    for kind, half in ((alternative.first, left), (alternative.second, right))
                )
            else:
                raw = _write(values.rule(alternative.first), value, context, composed=False)
            values.read_alternative(alternative, raw)
        except (TypeError, ValueError) as error:
            failure = error
            continue
        return raw
    raise ValueError(refusal(definition, value, context, str(failure))) from failure


def _rectangle(alternative: ValueType, text: str, context: Context) -> bytes | None:
    """A compressed point list, given as its text, from upper left to lower right; None if
    the text is none."""
    values = reader(context)
    corners = values.rectangle(alternative.first, text.encode("ascii", "replace"))
    if corners is None or alternative.composed:
        return None
    production = values.rule(alternative.first)
    written = (_write_point(production, point, context) for point in ordered(*corners))
    return b":".join(dict.fromkeys(written))


def _from_text(production: str, text: str, context: Context) -> Any:
    """The point, stone or move with this text in SGF."""
    try:
        return reader(context).read(production, text.encode("ascii"))
    except ValueError as error:
        kind = production.rpartition("_")[2]
        raise ValueError(
            f"{short_repr(text)} is not a {kind} of {grammar.game(context.game).name}"
        ) from error


def _write(production: str, value: Any, context: Context, *, composed: bool) -> bytes:
    if isinstance(value, str) and production in WITH_OBJECTS:
        value = _from_text(production, value, context)
    if production in grammar.TEXT_TYPES:
        return _write_text(value, context, production == "text", composed=composed)
    if production == "none" or (isinstance(value, Move) and value.is_pass):
        if value is not None and not isinstance(value, Move):
            raise TypeError(f"expected None, not {value!r}")
        is_short = context.size is None or has_short_pass(context.size)
        is_old = context.file_format < _FIRST_FORMAT_WITH_EMPTY_PASS
        return b"tt" if production != "none" and is_old and is_short else b""
    if production == "unknown":
        if not isinstance(value, bytes):
            raise TypeError(f"expected bytes, not {value!r}")
        return value
    if production in NOTATIONS:
        return _write_point(production, value, context)
    if production in MOVES:
        return _write_move(production, value, context)
    return _write_other(production, value, context)


def _write_other(production: str, value: Any, context: Context) -> bytes:
    match production:
        case "octi_stone" if not isinstance(value, str):
            stone = OctiStone(*value) if isinstance(value[0], Point) else OctiStone(Point(*value))
            return str(stone).encode()
        case "real":
            return _write_real(value)
        case "number" | "double":
            return str(int(value)).encode()
        case "color":
            return str(Color(value)).encode()
    _from_text(production, value, context)
    return str(value).encode()


def _write_point(production: str, value: Any, context: Context) -> bytes:
    point = Point(*value)
    _check_on_board(point, context.size or _largest_size(production))
    return write_point(production, point)


def _write_move(production: str, value: Any, context: Context) -> bytes:
    """A move, or a point in games where that is a move."""
    move = value
    if not isinstance(value, MOVES[production]):
        move = MOVES_TO_A_POINT[production](Point(*value))
    for point in move.points:
        _check_on_board(point, context.size or _largest_size(production))
    return str(move).encode()


def _largest_size(production: str) -> tuple[int, int]:
    """The size of the largest board whose points have names; in Hex all numbers have."""
    side = sys.maxsize if production.startswith("hex_") else len(LETTERS)
    return side, side


def _check_on_board(point: Point, size: tuple[int, int]) -> None:
    if not is_on_board(point, size):
        raise ValueError(
            f"{short_repr(tuple(point))} is not on the board of {size[0]} by {size[1]}"
        )


def _write_real(value: Any) -> bytes:
    """A Real has no exponent, so floats are written out in full."""
    from decimal import Decimal  # slow to import

    if isinstance(value, int):
        text = str(value)
    else:
        # The shortest digits that give the number back; -0.0 is 0.
        text = f"{Decimal(float.__repr__(value + 0.0)):f}".removesuffix(".0")
    raw = text.encode()
    if not pattern("real").fullmatch(raw) or float(text) != value:
        raise ValueError("SGF has no way to write it so that the same number is read back")
    return raw


_LINE_BREAKS = re.compile("\r\n|\n\r|\r|\n")


def _write_text(value: Any, context: Context, keep_breaks: bool, *, composed: bool) -> bytes:
    """Encode first, escape the bytes second: the order in which they are read."""
    if not isinstance(value, str):
        raise TypeError(f"expected a text, not {value!r}")
    text = _LINE_BREAKS.sub("\n" if keep_breaks else " ", value)
    text = re.sub("[\t\v\f]", " ", text)
    try:
        raw = text.encode(context.codec)
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name_of(context.codec)} has no {short_repr(text[error.start])}"
        ) from error
    special = rb"[\]\\:]" if composed else rb"[\]\\]"
    return re.sub(special, rb"\\\g<0>", raw)
