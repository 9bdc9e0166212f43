"""The bytes of a wei7 text read: its value, what is wrong, and plain dicts and lists of it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sgf_lark.wei7.checks import Checker, Finding
from sgf_lark.wei7.json import JSONSyntaxError, Value, parse
from sgf_lark.wei7.pointers import Pointer
from sgf_lark.wei7.rules import actions, objects

_MARK = b"\xef\xbb\xbf"
#: A byte that is not UTF-8, as Python's "surrogateescape" decodes it.
_BAD_BYTE = "[\udc80-\udcff]"
_BAD_BYTES = re.compile(f"{_BAD_BYTE}+")
#: Rules about how values fit together: what breaks them is still a value of its type.
_BETWEEN_VALUES = ("WEI3", "WEI004", "WEI207", "WEI208", "WEI213")
_FLOAT_INTEGERS = 2**53


class Reading(NamedTuple):
    """A text: `skipped` bytes stand before it; `root` is None where nothing is left."""

    text: str
    skipped: int
    root: Value | None
    findings: list[Finding]


def read(data: bytes) -> Reading:
    """Reads a text, mends it where it is no JSON, and checks it."""
    findings: list[Finding] = []
    skipped = len(_MARK) if data.startswith(_MARK) else 0
    if skipped:
        findings.append(Finding("WEI003", -skipped, 0))
    text = data[skipped:].decode(errors="surrogateescape")
    for bad in _BAD_BYTES.finditer(text):
        values: dict[str, object] = {"found": f"{ord(bad[0][0]) - 0xDC00:02X}"}
        findings.append(Finding("WEI002", bad.start(), bad.end(), "", values))
    root: Value | None
    try:
        root = parse(text)
    except JSONSyntaxError:
        from sgf_lark.wei7.mending import mend

        root, faults = mend(text)
        findings += [
            Finding("WEI001", start, end, "", {"found": found, "expected": expected})
            for start, end, found, expected in faults
        ]
    if root is not None:
        checker = Checker()
        checker.root(root)
        findings += checker.findings
    return Reading(text, skipped, root, findings)


class Plain(NamedTuple):
    """Dicts and lists, and the JSON pointers of what was left out."""

    document: dict[str, Any]
    dropped: list[str]


def plain(reading: Reading) -> Plain:
    """What a text says, without values that no model of wei7 can hold.

    With such a value goes the object that requires it; an object that requires nothing
    stays empty in its array, so that others keep their index. Format, version and an
    empty tree stand in where these are missing. Numbers that are whole are int.
    """
    bad = {
        id(finding.value)
        for finding in reading.findings
        if finding.value is not None and not finding.code.startswith(_BETWEEN_VALUES)
    }
    dropped: list[str] = []
    document: Any = {}
    if reading.root is not None and reading.root.kind == "object":
        has_bad_bytes = _BAD_BYTES.search(reading.text) is not None
        document = _Unwrapped(bad, dropped, has_bad_bytes).document(reading.root)
    document = {"format": "wei7", "version": "3.0", **document}
    document.setdefault("tree", {})
    return Plain(document, dropped)


class _Container(NamedTuple):
    """An object or array that is being filled."""

    value: Value
    pointer: Pointer
    type: str
    into: Any
    #: The container that it goes into itself.
    above: _Container | None


_NOTHING: Any = object()


class _Unwrapped:
    """Values to dicts and lists, without recursion: inner ones after outer ones."""

    def __init__(self, bad: set[int], dropped: list[str], has_bad_bytes: bool) -> None:
        self.bad = bad
        self.dropped = dropped
        self.has_bad_bytes = has_bad_bytes

    def document(self, root: Value) -> dict[str, Any]:
        found: dict[str, Any] = {}
        containers = [_Container(root, Pointer(), "document", found, None)]
        for container in containers:
            self._fill(container, containers)
        # Inner ones are complete before the outer ones are looked at.
        for container in reversed(containers):
            if container.value.kind == "array":
                container.into[:] = [item for item in container.into if item is not _NOTHING]
            elif container.above is not None and self._lacks(container):
                self.dropped.append(str(container.pointer))
                above = container.above
                if above.value.kind == "array":
                    above.into[container.pointer.token] = _NOTHING
                else:
                    del above.into[container.pointer.token]
        self.dropped.reverse()
        return found

    def _fill(self, container: _Container, containers: list[_Container]) -> None:
        is_array = container.value.kind == "array"
        entries = (
            [*enumerate(container.value.content)]
            if is_array
            else [(member.name, member.value) for member in container.value.content]
        )
        for name, value in entries:
            pointer = container.pointer / name
            meant = self._type(container, name)
            found: Any = _NOTHING
            if id(value) in self.bad:
                self.dropped.append(str(pointer))
                if is_array and meant in objects() and not objects()[meant].required:
                    found = {}
            elif value.kind in ("object", "array"):
                found = {} if value.kind == "object" else []
                containers.append(_Container(value, pointer, meant, found, container))
            else:
                found = self._scalar(value)
            if is_array:
                container.into.append(found)
            elif found is not _NOTHING:
                container.into[name] = found

    @staticmethod
    def _type(container: _Container, name: Any) -> str:
        if container.type.startswith("list of "):
            return container.type.removeprefix("list of ")
        known = objects().get(container.type)
        meant = known.members.get(name, "") if known is not None else ""
        if meant != "value":
            return meant
        kinds = [member.value for member in container.value.content if member.name == "type"]
        return actions().get(str(kinds[-1].content), "") if kinds else ""

    @staticmethod
    def _lacks(container: _Container) -> bool:
        known = objects().get(container.type)
        return known is not None and not known.required.keys() <= container.into.keys()

    def _scalar(self, value: Value) -> Any:
        if value.kind == "string":
            text: str = value.content
            return re.sub(_BAD_BYTE, "\ufffd", text) if self.has_bad_bytes else text
        if value.kind == "number":
            number = value.content
            whole = isinstance(number, float) and number.is_integer()
            return int(number) if whole and abs(number) < _FLOAT_INTEGERS else number
        return {"true": True, "false": False}.get(value.kind)
