"""Classes that only hold values, and attributes that are worked out when they are first asked
for: what the standard library has, at less cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sgf_lark.annotations import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Self,
    TypeVar,
    dataclass_transform,
    overload,
)

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    # Those of typing and of collections compile Python for each class: together that takes
    # longer than to check a small file.
    from collections import _tuplegetter
    from types import FunctionType

    _new = tuple.__new__

    #: What makes the tuple, by the number of fields, of which no class has more than twelve;
    #: the names are put in for each class.
    _MAKERS = (
        lambda c: _new(c, ()),
        lambda c, f0: _new(c, (f0,)),
        lambda c, f0, f1: _new(c, (f0, f1)),
        lambda c, f0, f1, f2: _new(c, (f0, f1, f2)),
        lambda c, f0, f1, f2, f3: _new(c, (f0, f1, f2, f3)),
        lambda c, f0, f1, f2, f3, f4: _new(c, (f0, f1, f2, f3, f4)),
        lambda c, f0, f1, f2, f3, f4, f5: _new(c, (f0, f1, f2, f3, f4, f5)),
        lambda c, f0, f1, f2, f3, f4, f5, f6: _new(c, (f0, f1, f2, f3, f4, f5, f6)),
        lambda c, f0, f1, f2, f3, f4, f5, f6, f7: _new(c, (f0, f1, f2, f3, f4, f5, f6, f7)),
        lambda c, f0, f1, f2, f3, f4, f5, f6, f7, f8: _new(c, (f0, f1, f2, f3, f4, f5, f6, f7, f8)),
        lambda c, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9: _new(
            c, (f0, f1, f2, f3, f4, f5, f6, f7, f8, f9)
        ),
        lambda c, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10: _new(
            c, (f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10)
        ),
        lambda c, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11: _new(
            c, (f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11)
        ),
    )

    def _maker(name: str, fields: dict[str, str], defaults: tuple[Any, ...]) -> FunctionType:
        code = _MAKERS[len(fields)].__code__
        code = code.replace(co_varnames=("_cls", *fields), co_qualname=f"{name}.__new__")
        made = FunctionType(code, globals(), "__new__", defaults)
        made.__annotations__ = fields
        return made

    class _Named(tuple):
        """What all named tuples have."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            made = _new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
            return made

        def _replace(self, /, **changes: Any) -> Self:
            made = _new(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"{type(self).__name__} has no fields {', '.join(changes)}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            pairs = zip(self._fields, self, strict=True)
            return f"{type(self).__name__}({', '.join(f'{key}={item!r}' for key, item in pairs)})"

    class _NamedTuples(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            annotations = body["__annotations__"]
            fields = tuple(annotations)
            defaults = {field: body.pop(field) for field in fields if field in body}
            for place, field in enumerate(fields):
                body[field] = _tuplegetter(place, f"Alias for field number {place}")
            body["__slots__"] = ()
            body["__match_args__"] = body["_fields"] = fields
            body["_field_defaults"] = defaults
            body["__new__"] = _maker(body["__qualname__"], annotations, tuple(defaults.values()))
            return type(name, (_Named,), body)

    #: What typing.NamedTuple is, defined in no time.
    NamedTuple = type.__new__(_NamedTuples, "NamedTuple", (), {})


@dataclass_transform(frozen_default=True)
class Record:
    """What a frozen dataclass is, to Python and to type checkers, but defined in no time.

    The program starts, and checks a small file, in less time than it takes to import
    dataclasses and to have them write the methods of some dozen classes. A field is an
    annotation in the body of a class that derives from this one; a value there is its
    default, shared by all, so that it has to be immutable. With ``eq=False`` each object
    equals itself only.
    """

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()
    _known: ClassVar[frozenset[str]]
    _needed: ClassVar[frozenset[str]]

    def __init_subclass__(cls, *, eq: bool = True) -> None:
        fields = tuple(cls.__annotations__)
        cls.__match_args__ = fields  # type: ignore[misc]
        cls._known = frozenset(fields)
        cls._needed = frozenset(name for name in fields if name not in vars(cls))
        if not eq:
            cls.__eq__ = object.__eq__  # type: ignore[method-assign]
            cls.__hash__ = object.__hash__  # type: ignore[method-assign]

    def __init__(self, *values: Any, **named: Any) -> None:
        state = self.__dict__
        state.update(zip(self.__match_args__, values, strict=False), **named)
        given = state.keys()
        if len(given) != len(values) + len(named) or not self._needed <= given <= self._known:
            fields = ", ".join(self.__match_args__)
            needed = ", ".join(sorted(self._needed))
            raise TypeError(f"{type(self).__name__} takes {fields}, each once, and needs {needed}")

    @classmethod
    def of(cls, row: dict[str, Any]) -> Self:
        """The record with these fields, in less time; raises TypeError where some are not its
        own, or are missing."""
        if not cls._needed <= row.keys() <= cls._known:
            cls(**row)  # tells what is wrong
        record = cls.__new__(cls)
        record.__dict__.update(row)
        return record

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        pairs = zip(self.__match_args__, self._values(), strict=True)
        return (
            f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()


R = TypeVar("R", bound=Record)


def replace(record: R, **changes: Any) -> R:
    """A record like `record` but for these fields."""
    fields = zip(record.__match_args__, record._values(), strict=True)
    return type(record)(**{**dict(fields), **changes})


Value = TypeVar("Value")


class lazy(Generic[Value]):
    """What functools.cached_property is, without the lock that costs more than most of
    what is worked out here: two threads may both work a value out, which is the same."""

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self.function = function
        self.__doc__ = function.__doc__
        self.name = function.__name__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> lazy[Value] | Value:
        if instance is None:
            return self
        value = self.function(instance)
        instance.__dict__[self.name] = value
        return value
