"""Checks each value by itself: its type and its range, as its annotation in the models says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from sgf_lark.diagnostics import shorten
from sgf_lark.wei7.findings import Finding, Pointer, shown
from sgf_lark.wei7.models import CONTROL_CHARACTER, Document
from sgf_lark.wei7.shapes import KINDS, Shape, kind_of, shape_of

#: Stands for a dropped item of an array until all checks are done, so that indices stay.
DROPPED: Any = object()
#: Floats below this represent all integers exactly.
_EXACT_FLOATS = 2**53


class _Container(NamedTuple):
    """An object or array, and the one that contains it."""

    value: Any
    shape: Shape
    pointer: Pointer
    parent: Any


class ValueCheck:
    """Checks the values of a document and drops the wrong ones.

    `findings` are the broken rules, and `dropped` the pointers of the values that are dropped. An
    object is dropped if a member that it requires is missing or dropped; in an array it stays,
    empty, if it requires none, so that the others keep their index.
    """

    def __init__(self, document: Any) -> None:
        """Check the document and change it: wrong values are dropped, 7.0 becomes 7."""
        self.findings: list[Finding] = []
        self.dropped: list[Pointer] = []
        self._gaps: list[list[Any]] = []
        root = shape_of(Document)
        containers = []
        if self._is_right(document, root, Pointer()):
            containers.append(_Container(document, root, Pointer(), None))
        for container in containers:
            if isinstance(container.value, dict):
                self._check_members(container, containers)
            else:
                self._check_items(container, containers)
        # Inner containers come later in the list, so they are complete before the outer ones.
        for container in reversed(containers[1:]):
            is_object = isinstance(container.value, dict)
            if is_object and not container.value.keys() >= {*container.shape.required}:
                self._drop(container.parent, container.pointer)
        self.document: dict[str, Any] = document if containers else {}

    def close_gaps(self) -> None:
        """Remove what is left of dropped items."""
        for items in self._gaps:
            items[:] = [item for item in items if item is not DROPPED]

    def _drop(self, container: Any, pointer: Pointer) -> None:
        self.dropped.append(pointer)
        if isinstance(container, dict):
            del container[pointer.token]
        else:
            container[pointer.token] = DROPPED
            self._gaps.append(container)

    def _is_right(self, value: Any, shape: Shape, holder: Pointer, token: Any = None) -> bool:
        """Whether a value is right by itself; reports the rules that it breaks."""
        codes = [*shape.broken(value)]
        for code in codes:
            pointer = holder if token is None else holder / token
            self.findings.append(Finding(code, pointer, _values(code, value, shape)))
        return not codes

    def _check_entry(self, container: _Container, token: Any, shape: Shape) -> bool:
        """Whether a member or an item is right by itself; drops it otherwise."""
        value = container.value[token]
        if not self._is_right(value, shape, container.pointer, token):
            self._drop(container.value, container.pointer / token)
            return False
        if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOATS:
            container.value[token] = int(value)
        return True

    def _check_members(self, container: _Container, containers: list[_Container]) -> None:
        members, pointer = container.value, container.pointer
        whole = container.shape.of(members)
        shapes = whole.members
        for name in whole.required:
            if name not in members:
                self.findings.append(Finding("WEI103", pointer / name, {}, "bracket"))
        for name, value in [*members.items()]:
            shape = shapes.get(name)
            if shape is None:
                names: dict[str, object] = {
                    "name": f'"{shorten(name)}"',
                    "expected": ", ".join(shapes),
                }
                self.findings.append(Finding("WEI102", pointer / name, names, "name"))
                self._drop(members, pointer / name)
            elif len(whole.models) > 1 and name != "type":
                continue  # Without a valid type it is unknown what the action needs.
            elif self._check_entry(container, name, shape) and isinstance(value, dict | list):
                containers.append(_Container(value, shape, pointer / name, members))

    def _check_items(self, container: _Container, containers: list[_Container]) -> None:
        shape = container.shape.item
        assert shape is not None
        for index, value in enumerate(container.value):
            if self._check_entry(container, index, shape):
                if isinstance(value, dict | list):
                    pointer = container.pointer / index
                    containers.append(_Container(value, shape, pointer, container.value))
            elif shape.models and not shape.required:
                container.value[index] = {}


def _values(code: str, value: Any, shape: Shape) -> dict[str, object]:
    """The values in the message of a rule that a value breaks."""
    if code == "WEI101":
        kind = kind_of(value)
        found: object = str(value) if kind == "number" and kind in shape.kinds else KINDS[kind]
        return {"found": found, "expected": shape.expected}
    if code == "WEI204":
        return {"found": len(value)}
    if code == "WEI205":
        control = re.search(CONTROL_CHARACTER, value)
        return {"found": f"U+{ord(control[0]):04X}" if control else ""}
    return {"found": shown(value), "expected": _quoted(shape.choices)}


def _quoted(words: Iterable[Any]) -> str:
    return ", ".join(f'"{word}"' for word in words)
