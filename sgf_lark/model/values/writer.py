"""Writing property values: typed values to raw bytes, and what to say about values that a property
cannot hold."""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.model.values.basic import Color, Compose, Context
from sgf_lark.model.values.formats import written_out
from sgf_lark.model.values.notations import (
    EXAMPLES,
    MOVES,
    MOVES_TO_A_POINT,
    NOTATIONS,
    PASSES,
    WITH_OBJECTS,
    Move,
    OctiStone,
    has_short_pass,
    write_point,
)
from sgf_lark.model.values.points import LETTERS, Point, is_on_board, ordered
from sgf_lark.model.values.reader import reader
from sgf_lark.syntax.grammars import pattern
from sgf_lark.text.charsets import name_of
from sgf_lark.text.escaping import short_repr

#: Before, a pass is "tt"; on boards on which that is a point, it is empty in every format.
_FIRST_FORMAT_WITH_EMPTY_PASS = 4


def write_all(
    definition: PropertyDefinition | None, value: Any, context: Context, ident: str = ""
) -> list[bytes]:
    """The raw values of a property, from which :meth:`ValueReader.read_all` gives `value` back.

    Any iterable is taken for a list, a single value for a list of one, a mapping for a list of
    composed values, a pair for a point and for a composed value, and what converts to a number
    without loss, such as one of NumPy, for a number. None is a pass in games with passes. White
    space in texts is written as it would be read: a tab as a blank, and in a SimpleText a line
    break as a blank. For a property without definition, `value` is bytes, taken as they are, or a
    text, or a list of these; `ident` names it in the message.

    Raises TypeError for a type that the property does not take, ValueError for another value that
    it cannot hold.
    """
    if definition is None:
        items = [value] if isinstance(value, (str, bytes)) else value
        is_list = isinstance(items, (list, tuple)) and len(items) > 0
        if not (is_list and all(isinstance(item, (str, bytes)) for item in items)):
            raise TypeError(_refusal_of_unknown(ident, value, context))
        raws = [
            item if isinstance(item, bytes) else _write_text(item, context, True, composed=False)
            for item in items
        ]
    elif not definition.takes_many:
        raws = [_write_one(definition, value, context)]
    else:
        raws = [_write_one(definition, item, context) for item in _items(value)]
        if not raws:
            if not definition.may_be_empty:
                raise ValueError(_refusal(definition, value, context, "it may not be empty"))
            raws = [b""]
    for raw in raws:
        if not ends_at_bracket(raw):
            raise ValueError(f"the value would not end at its bracket: {raw!r}")
    return raws


_CLOSED = re.compile(rb"(?:[^\]\\]|\\.)*", re.DOTALL)


def ends_at_bracket(raw: bytes) -> bool:
    """Whether all brackets and backslashes in a value as written are escaped."""
    return _CLOSED.fullmatch(raw) is not None


def _items(value: Any) -> Iterable[Any]:
    """The values that are given for a list."""
    if isinstance(value, Mapping):
        return value.items()
    is_one = isinstance(value, (str, bytes, Point, Compose, OctiStone))
    return [value] if is_one or not isinstance(value, Iterable) else value


def _write_one(definition: PropertyDefinition, value: Any, context: Context) -> bytes:
    """One value, by the first alternative that takes its type and can hold it."""
    values = reader(context)
    if value is None and definition.is_move:
        value = _pass(definition, context)
    if definition.format == "size" and isinstance(value, (tuple, list)) and len(value) == 2:
        # One number for a square board (properties.html, SZ).
        value = value[0] if value[0] == value[1] else value
    failure: ValueError | None = None
    for alternative in definition.alternatives:
        try:
            if definition.takes_many and isinstance(value, str) and ":" in value:
                rectangle = _rectangle(alternative, value, context)
                if rectangle is not None:
                    return rectangle
            if alternative.composed:
                raw = b":".join(
                    _write(values.rule(kind), half, context, composed=True)
                    for kind, half in zip(alternative[:2], _pair(value), strict=True)
                )
            else:
                raw = _write(values.rule(alternative.first), value, context, composed=False)
            values.read_alternative(alternative, raw)
        except _WrongTypeError:
            continue
        except ValueError as error:
            failure = error
            continue
        return raw
    if failure is None:
        raise TypeError(_refusal(definition, value, context))
    raise ValueError(_refusal(definition, value, context, str(failure))) from failure


class _WrongTypeError(Exception):
    """The value is of no type for this alternative."""


def _pass(definition: PropertyDefinition, context: Context) -> Any:
    """The pass of the game, as a move."""
    production = reader(context).rule("move")
    if production not in PASSES:
        reason = f"SGF has no pass in {grammar.game(context.game).name}"
        raise ValueError(_refusal(definition, None, context, reason))
    return PASSES[production]


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
    """A value by a production of ``values.lark``; raises _WrongTypeError or ValueError."""
    match production:
        case "simpletext" | "text":
            text = _instance(value, str)
            return _write_text(text, context, production == "text", composed=composed)
        case "unknown":
            return bytes(_instance(value, bytes))
        case "none":
            _instance(value, type(None))
            return b""
        case "number" | "double":
            return str(_whole_number(value)).encode()
        case "real":
            return _write_real(_number(value))
        case "color":
            return _color(value).encode()
    return _write_of_game(production, value, context)


def _write_of_game(production: str, value: Any, context: Context) -> bytes:
    """A point, move or stone, or its text."""
    if isinstance(value, str):
        typed = _from_text(production, value, context)
        value = typed if production in WITH_OBJECTS else value
    if isinstance(value, Move) and value.is_pass and production == "go_move":
        is_short = context.size is None or has_short_pass(context.size)
        is_old = context.file_format < _FIRST_FORMAT_WITH_EMPTY_PASS
        return b"tt" if is_old and is_short else b""
    if production in NOTATIONS:
        return _write_point(production, _point(value), context)
    if production in MOVES:
        return _write_move(production, value, context)
    if production == "octi_stone":
        return str(_octi_stone(value)).encode()
    return str(_instance(value, str)).encode()


def _write_point(production: str, point: Point, context: Context) -> bytes:
    _check_on_board(point, production, context)
    return write_point(production, point)


def _write_move(production: str, value: Any, context: Context) -> bytes:
    """A move, or a point in games where that is a move."""
    if isinstance(value, MOVES[production]):
        move = _with_points(value)
    elif production in MOVES_TO_A_POINT:
        move = MOVES_TO_A_POINT[production](_point(value))
    else:
        raise _WrongTypeError
    for point in move.points:
        _check_on_board(point, production, context)
    return str(move).encode()


def _with_points(move: Any) -> Any:
    """The move, if its parts are of their types: the classes of moves do not check them."""
    try:
        points, text = move.points, str(move)
    except (TypeError, ValueError, AttributeError):
        raise _WrongTypeError from None
    if not (isinstance(text, str) and all(isinstance(point, Point) for point in points)):
        raise _WrongTypeError
    return move


def _check_on_board(point: Point, production: str, context: Context) -> None:
    """Raise ValueError for a point off the board, or without a name where there is no board: in
    Hex all numbers have one."""
    side = sys.maxsize if production.startswith("hex_") else len(LETTERS)
    columns, rows = context.size or (side, side)
    if not is_on_board(point, (columns, rows)):
        raise ValueError(f"{short_repr(tuple(point))} is not on the board of {columns} by {rows}")


def _write_real(value: Any) -> bytes:
    """A Real has no exponent, so floats are written out in full."""
    text = str(value) if isinstance(value, int) else written_out(value)
    raw = text.encode()
    if not pattern("real").fullmatch(raw) or float(text) != value:
        raise ValueError("SGF has no way to write it so that the same number is read back")
    return raw


_LINE_BREAKS = re.compile("\r\n|\n\r|\r|\n")


def _write_text(value: str, context: Context, keep_breaks: bool, *, composed: bool) -> bytes:
    """Encode first, escape the bytes second: the order in which they are read."""
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


# Python values as the types that a production takes.


def _pair(value: Any) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise _WrongTypeError
    return value[0], value[1]


def _instance(value: Any, wanted: type) -> Any:
    if not isinstance(value, wanted):
        raise _WrongTypeError
    return value


def _whole_number(value: Any) -> int:
    if isinstance(value, bool):
        raise _WrongTypeError
    try:
        return operator.index(value)
    except (TypeError, ValueError):
        raise _WrongTypeError from None


def _number(value: Any) -> int | float:
    """An int or float; other numbers only if a float holds them, or prints as they do."""
    if isinstance(value, (bool, str, bytes)):
        raise _WrongTypeError
    if isinstance(value, (int, float)):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _WrongTypeError from None
    return number


def _color(value: Any) -> Color:
    try:
        return Color(_instance(value, str))
    except ValueError:
        raise _WrongTypeError from None


def _point(value: Any) -> Point:
    if isinstance(value, Point) and type(value[0]) is type(value[1]) is int:
        return value
    column, row = _pair(value)
    return Point(_whole_number(column), _whole_number(row))


def _octi_stone(value: Any) -> OctiStone:
    if not isinstance(value, OctiStone):
        return OctiStone(_point(value))
    return OctiStone(_point(value.point), _instance(value.prongs, str))


# What to say about values that a property cannot hold: which types it takes.

#: The types that do not depend on the game, in words, and an example of each.
_WORDS = {
    "none": ("None", "None"),
    "number": ("a whole number", "5"),
    "real": ("a number", "6.5"),
    "double": ("1 for normal or 2 for emphasized", "1"),
    "color": ('Color.BLACK ("B") or Color.WHITE ("W")', '"B"'),
    "simpletext": ("a text of one line", '"a text"'),
    "text": ("a text", '"a text"'),
    "unknown": ("bytes, as written between the brackets", 'b"a value"'),
}

_LONGEST_REASON = 100


def _refusal(definition: PropertyDefinition, value: Any, context: Context, reason: str = "") -> str:
    """What to say about a value, or an item of a list, that the property cannot hold."""
    wanted, example = _described(definition, context)
    because = f": {reason}" if 0 < len(reason) <= _LONGEST_REASON else ""
    such_as = f', such as node["{definition.ident}"] = {example}' if example else ""
    return (
        f"{definition.ident} cannot hold {short_repr(value)}{because}; it takes {wanted}{such_as}"
    )


def _refusal_of_unknown(ident: str, value: Any, context: Context) -> str:
    """What to say about a value that a property without definition cannot hold."""
    game = grammar.game(context.game)
    others = grammar.definitions(ident)
    subject = (
        f"{ident} ({others[0].name}) is not defined for {game.name}, GM[{game.number}], and"
        if others
        else f"{ident or 'it'} is an unknown property and"
    )
    return (
        f"{subject} cannot hold {short_repr(value)}; it takes a text, bytes as written "
        'between brackets, or a list of these, such as ["a text", b"a value"]'
    )


def _described(definition: PropertyDefinition, context: Context) -> tuple[str, str]:
    """What a property takes, in words, and an example; "" where there is none."""
    found = [_describe_alternative(each, context) for each in definition.alternatives]
    wanted = " or ".join(words for words, _ in found)
    example = found[-1][1]
    if not definition.takes_many:
        return wanted, example
    empty = ", or an empty list" if definition.may_be_empty else ""
    return f"a list in which each item is {wanted}{empty}", example and f"[{example}]"


def _describe_alternative(alternative: ValueType, context: Context) -> tuple[str, str]:
    first, example = _describe_type(alternative.first, context)
    if not alternative.composed:
        return first, example
    second, other = _describe_type(alternative.second, context)
    both = f"({example}, {other})" if example and other else ""
    return f"a pair of {first} and {second}", both


def _describe_type(kind: str, context: Context) -> tuple[str, str]:
    production = reader(context).rule(kind)
    if production in _WORDS:
        return _WORDS[production]
    game = grammar.game(context.game)
    text = f"its text in SGF ({getattr(game, f'{kind}_form')})"
    if production not in WITH_OBJECTS:
        return f"a {kind} of {game.name} as {text}", ""
    example = EXAMPLES.get(production, "")
    if production in NOTATIONS:
        example = _example_of_point(production, context)
    return f"a {kind} of {game.name} or {text}", example


def _example_of_point(production: str, context: Context) -> str:
    """How messages show a point: (2, 2), or what its text means on a board with one row."""
    point = reader(context).read(production, write_point(production, Point(2, 2)))
    return f"Point({point.column}, {point.row})"
