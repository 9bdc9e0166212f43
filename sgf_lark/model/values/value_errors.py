"""Python values that no property can hold: which types a property takes, and what to say
about others."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.model.values.basic import Color, Compose, Context
from sgf_lark.model.values.notations import (
    EXAMPLES,
    MOVES,
    MOVES_TO_A_POINT,
    NOTATIONS,
    PASSES,
    WITH_OBJECTS,
    OctiStone,
    write_point,
)
from sgf_lark.model.values.points import Point
from sgf_lark.model.values.reader import reader
from sgf_lark.text.escaping import short_repr

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


def coerced(definition: PropertyDefinition, value: Any, context: Context) -> Any:
    """`value` with the types that :func:`sgf_lark.model.values.writer.write_all` writes.

    Any iterable is taken for a list, a single value for a list of one, a mapping for a list of
    composed values, a pair for a point and for a composed value, and what converts to a number
    without loss, such as one of NumPy, for a number. None is a pass in games with passes. Raises
    TypeError for other types than those of the property, ValueError for a pass elsewhere.
    """
    if not definition.takes_many:
        if value is None and definition.is_move:
            return _pass(definition, context)
        return _item(definition, value, context)
    if isinstance(value, Mapping):
        value = value.items()
    is_list = isinstance(value, Iterable) and not isinstance(
        value, (str, bytes, Point, Compose, OctiStone)
    )
    if not is_list:
        return [_item(definition, value, context)]
    return [_item(definition, item, context) for item in value]


def _pass(definition: PropertyDefinition, context: Context) -> Any:
    """The pass of the game, as a move."""
    production = reader(context).rule("move")
    if production not in PASSES:
        reason = f"SGF has no pass in {grammar.game(context.game).name}"
        raise ValueError(refusal(definition, None, context, reason))
    return PASSES[production]


def refusal(definition: PropertyDefinition, value: Any, context: Context, reason: str = "") -> str:
    """What to say about a value, or an item of a list, that the property cannot hold."""
    wanted, example = _described(definition, context)
    because = f": {reason}" if 0 < len(reason) <= _LONGEST_REASON else ""
    such_as = f', such as node["{definition.ident}"] = {example}' if example else ""
    return (
        f"{definition.ident} cannot hold {short_repr(value)}{because}; it takes {wanted}{such_as}"
    )


def refusal_of_unknown(ident: str, value: Any, context: Context) -> str:
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


def _item(definition: PropertyDefinition, value: Any, context: Context) -> Any:
    """One value, by the first alternative that takes its type."""
    rule = reader(context).rule
    for alternative in definition.alternatives:
        try:
            if not alternative.composed:
                return _coerced(rule(alternative.first), value)
            left, right = _pair(value)
            return Compose(
                _coerced(rule(alternative.first), left), _coerced(rule(alternative.second), right)
            )
        except _WrongTypeError:
            continue
    raise TypeError(refusal(definition, value, context))


class _WrongTypeError(Exception):
    """The value is of no type for this alternative."""


def _pair(value: Any) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise _WrongTypeError
    return value[0], value[1]


def _coerced(production: str, value: Any) -> Any:
    """`value` with the types of a production of ``values.lark``; raises _WrongTypeError."""
    match production:
        case "simpletext" | "text":
            return _instance(value, str)
        case "unknown":
            return _instance(value, bytes)
        case "none":
            return _instance(value, type(None))
        case "number" | "double":
            return _whole_number(value)
        case "real":
            return _number(value)
        case "color":
            return _color(value)
    if isinstance(value, str):
        return value
    if production not in WITH_OBJECTS:
        raise _WrongTypeError
    if production == "octi_stone":
        return _octi_stone(value)
    return _point(value) if production in NOTATIONS else _move(production, value)


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


def _move(production: str, value: Any) -> Any:
    """A move, or a point in games in which that is a move."""
    if not isinstance(value, MOVES[production]):
        if production not in MOVES_TO_A_POINT:
            raise _WrongTypeError
        return _point(value)
    move: Any = value
    try:
        points, text = move.points, str(move)
    except (TypeError, ValueError, AttributeError):
        raise _WrongTypeError from None
    if not (isinstance(text, str) and all(isinstance(point, Point) for point in points)):
        raise _WrongTypeError
    return value
