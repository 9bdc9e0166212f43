"""What the annotations of the models say about a JSON value, for the checks and the schema."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from sgf_lark.diagnostics import Words


class Limit:
    """A limit of a single value: the rule that other values break, and keywords of JSON Schema.

    The first limit of an annotation is also broken by a value of another type.
    """

    def __init__(self, code: str, **keywords: Any) -> None:
        self.code = code
        self.keywords = keywords

    def allows(self, value: Any) -> bool:
        """Whether a value of the right type is within the limit."""
        return all(_HOLDS[name](value, given) for name, given in self.keywords.items())


#: Keyword of JSON Schema -> whether it holds for a value.
_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
    "multipleOf": lambda value, unit: value % unit == 0,
    "maxLength": lambda value, length: len(value) <= length,
    "pattern": lambda value, pattern: re.search(pattern, value) is not None,
}

#: The kinds of JSON values in words.
KINDS = {
    "object": Words("an object", "对象"),
    "array": Words("an array", "数组"),
    "string": Words("a string", "字符串"),
    "number": Words("a number", "数"),
    "true": Words("true", "true"),
    "false": Words("false", "false"),
    "null": Words("null", "null"),
}
_KIND_OF_TYPE = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    NoneType: "null",
}


def kind_of(value: Any) -> str:
    """The kind of a JSON value, a key of KINDS."""
    return str(value).lower() if isinstance(value, bool) else _KIND_OF_TYPE[type(value)]


class Shape:
    """What a value may be: one kind of JSON value, or several if the annotation is a union."""

    def __init__(self, annotation: Any) -> None:
        self.is_required = True
        #: The models of objects; several for the actions, which have different `type` members.
        self.models: list[type] = []
        self._item: Any = None
        #: The Python type of strings or numbers.
        self.scalar: type | None = None
        #: The allowed values, if there are few.
        self.choices: tuple[Any, ...] = ()
        self.limits: list[Limit] = []
        #: What is expected, in words.
        self.words: Words | None = None
        self.kinds: list[str] = []
        parts = [annotation]
        for part in parts:
            self._add(part, parts)

    def _add(self, part: Any, parts: list[Any]) -> None:
        origin, arguments = get_origin(part), get_args(part)
        if origin is Annotated:
            parts.append(part.__origin__)
            for each in part.__metadata__:
                if isinstance(each, Limit):
                    self.limits.append(each)
                else:
                    self.words = each
        elif origin in (Union, UnionType):
            parts.extend(arguments)
        elif origin is NotRequired:
            parts.extend(arguments)
            self.is_required = False
        elif origin is Literal:
            self.choices += arguments
            self.kinds.append(kind_of(arguments[0]))
        elif origin is list:
            self._item = arguments[0]
            self.kinds.append("array")
        elif part in _KIND_OF_TYPE:
            self.scalar = part if part is not NoneType else self.scalar
            self.kinds.append(_KIND_OF_TYPE[part])
        else:
            self.models.append(part)
            self.kinds.append("object")

    @cached_property
    def item(self) -> Shape | None:
        """The shape of the items of an array."""
        return None if self._item is None else shape_of(self._item)

    @cached_property
    def members(self) -> dict[str, Shape]:
        """The members of an object, the required ones first; of several models all of them."""
        annotations: dict[str, list[Any]] = {}
        for model in self.models:
            for name, hint in get_type_hints(model, include_extras=True).items():
                annotations.setdefault(name, []).append(hint)
        shapes = {
            name: shape_of(hints[0] if len(hints) == 1 else Union[tuple(hints)])  # noqa: UP007
            for name, hints in annotations.items()
        }
        return dict(sorted(shapes.items(), key=lambda item: not item[1].is_required))

    @cached_property
    def required(self) -> list[str]:
        """The names of the members that an object requires, of several models each of them."""
        if len(self.models) > 1:
            several = [shape_of(model).required for model in self.models]
            return [name for name in several[0] if all(name in names for names in several)]
        return [name for name, shape in self.members.items() if shape.is_required]

    @cached_property
    def _by_type(self) -> dict[Any, Shape]:
        shapes = [shape_of(model) for model in self.models]
        return {shape.members["type"].choices[0]: shape for shape in shapes}

    def of(self, members: Mapping[str, Any]) -> Shape:
        """The shape of an object; of several models that of its `type`, if there is one."""
        kind = members.get("type")
        is_one = len(self.models) < 2 or not isinstance(kind, str)
        return self if is_one else self._by_type.get(kind, self)

    @property
    def expected(self) -> Words:
        """What is expected, in words."""
        words = [KINDS[kind] for kind in self.kinds]
        return self.words or Words(
            " or ".join(each.en for each in words), "或".join(each.zh for each in words)
        )

    def broken(self, value: Any) -> Iterator[str]:
        """The codes of the rules that a value breaks; the values in it are not checked."""
        kind = kind_of(value)
        first = self.limits[0].code if self.limits else "WEI101"
        if kind not in self.kinds:
            yield first if self.words is None else "WEI101"
        elif kind in ("string", "number"):
            is_fraction = self.scalar is int and isinstance(value, float) and not value.is_integer()
            # JSON has one type of numbers: 7.0 is a whole number.
            if is_fraction or (self.choices and value not in self.choices):
                yield first
            else:
                yield from (limit.code for limit in self.limits if not limit.allows(value))


def fits(value: Any, annotation: Any) -> bool:
    """Whether a string or number is within the limits of an annotation."""
    return next(shape_of(annotation).broken(value), None) is None


@cache
def shape_of(annotation: Any) -> Shape:
    """The shape of the values that an annotation of a model allows."""
    return Shape(annotation)
