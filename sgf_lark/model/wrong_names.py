"""Attributes that do not exist: assigning to one is an error that names what was meant."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from sgf_lark import grammar


class NoOtherAttributes:
    """An object that takes no attributes but its own, so that what users set is never lost."""

    __slots__ = ()

    #: The public attributes that are set.
    _own: ClassVar[frozenset[str]] = frozenset()
    #: How a program names the node whose properties may be meant.
    _node: ClassVar[str] = "node"
    #: Attributes that are only read, by the identifiers of the properties that they come from.
    _comes_from: ClassVar[Mapping[str, str]] = MappingProxyType({})

    # Not for type checkers, which would take any attribute then.
    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            """Set an attribute; raises AttributeError for one that the object does not have."""
            if not (name in self._own or name[:1] == "_" or hasattr(type(self), name)):
                meant = _meant(name, self._node)
                instead = f"; write {meant} = …" if meant else ""
                raise AttributeError(
                    f"a {type(self).__name__} has no attribute {name!r} to set{instead}",
                    name=name,
                    obj=self,
                )
            if name in self._comes_from:
                raise AttributeError(
                    f"{name!r} of a {type(self).__name__} cannot be set; write "
                    f'{self._node}["{self._comes_from[name]}"] = …',
                    name=name,
                    obj=self,
                )
            object.__setattr__(self, name, value)


def _meant(name: str, node: str) -> str | None:
    """The expression for the information or the property that has this name."""
    from sgf_lark.model.info import GameInfo

    if node != "node" and hasattr(GameInfo, name):
        return f"{node.rpartition('.')[0]}.info.{name}"
    names = (name, name.replace("_", " ").capitalize())
    for definition in grammar.properties():
        if definition.ident == names[0] or definition.name == names[1]:
            return f'{node}["{definition.ident}"]'
    return None
