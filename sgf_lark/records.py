"""Classes that only hold values."""

from __future__ import annotations

from collections import namedtuple

from sgf_lark.annotations import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Self,
    TypeVar,
    dataclass_transform,
)

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _NamedTuples(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            fields = body["__annotations__"]
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            return made

    #: What typing.NamedTuple is, which compiles each annotation to see that it is an expression.
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
