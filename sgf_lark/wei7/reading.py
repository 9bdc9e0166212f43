"""Reads the bytes of a wei7 text: its value, the findings, and plain dicts and lists."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sgf_lark.wei7.checks import Checker, Finding
from sgf_lark.wei7.json import JSONSyntaxError, Value, parse
from sgf_lark.wei7.pointers import Pointer
from sgf_lark.wei7.rules import actions, objects

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: A byte that is not UTF-8, as the error handler "surrogateescape" decodes it.
_UNDECODABLE_BYTE = "[\udc80-\udcff]"
_UNDECODABLE_BYTES = re.compile(f"{_UNDECODABLE_BYTE}+")
#: The codes of rules that a value of the right type can break.
_KEEPS_TYPE = ("WEI3", "WEI004", "WEI207", "WEI208", "WEI213")
#: Floats below this represent all integers exactly.
_EXACT_FLOATS = 2**53


class Reading(NamedTuple):
    """A text and its findings.

    `skipped` bytes precede the text in the file; `root` is None if the text has no value.
    """

    text: str
    skipped: int
    root: Value | None
    findings: list[Finding]


def read(data: bytes) -> Reading:
    """Parse a text, repair it if it is not JSON, and check it."""
    findings: list[Finding] = []
    skipped = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
    if skipped:
        findings.append(Finding("WEI003", -skipped, 0))
    text = data[skipped:].decode(errors="surrogateescape")
    for bad in _UNDECODABLE_BYTES.finditer(text):
        values: dict[str, object] = {"found": f"{ord(bad[0][0]) - 0xDC00:02X}"}
        findings.append(Finding("WEI002", bad.start(), bad.end(), "", values))
    root: Value | None
    try:
        root = parse(text)
    except JSONSyntaxError:
        from sgf_lark.wei7.repair import repair

        root, faults = repair(text)
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
    """A text as dicts and lists, and the JSON pointers of the values that it lacks."""

    document: dict[str, Any]
    dropped: list[str]


def plain(reading: Reading) -> Plain:
    """The text as dicts and lists, without values that no model of wei7 can hold.

    An object is dropped if a member that it requires is dropped. An object without required
    members stays in its array, empty, so that the others keep their index. A missing format,
    version or tree is added. Whole numbers become int.
    """
    bad = {
        id(finding.value)
        for finding in reading.findings
        if finding.value is not None and not finding.code.startswith(_KEEPS_TYPE)
    }
    dropped: list[str] = []
    document: Any = {}
    if reading.root is not None and reading.root.kind == "object":
        has_undecodable_bytes = _UNDECODABLE_BYTES.search(reading.text) is not None
        document = _Converter(bad, dropped, has_undecodable_bytes).document(reading.root)
    document = {"format": "wei7", "version": "3.0", **document}
    document.setdefault("tree", {})
    return Plain(document, dropped)


class _Container(NamedTuple):
    """An object or array that is being converted to the dict or list `result`."""

    value: Value
    pointer: Pointer
    type: str
    result: Any
    parent: _Container | None


_DROPPED: Any = object()


class _Converter:
    """Converts values to dicts and lists, without recursion."""

    def __init__(self, bad: set[int], dropped: list[str], has_undecodable_bytes: bool) -> None:
        self.bad = bad
        self.dropped = dropped
        self.has_undecodable_bytes = has_undecodable_bytes

    def document(self, root: Value) -> dict[str, Any]:
        found: dict[str, Any] = {}
        containers = [_Container(root, Pointer(), "document", found, None)]
        for container in containers:
            self._convert(container, containers)
        # Inner containers come later in the list, so they are complete before the outer ones.
        for container in reversed(containers):
            if container.value.kind == "array":
                container.result[:] = [item for item in container.result if item is not _DROPPED]
            elif container.parent is not None and self._is_incomplete(container):
                self.dropped.append(str(container.pointer))
                parent = container.parent
                if parent.value.kind == "array":
                    parent.result[container.pointer.token] = _DROPPED
                else:
                    del parent.result[container.pointer.token]
        self.dropped.reverse()
        return found

    def _convert(self, container: _Container, containers: list[_Container]) -> None:
        """Convert the entries of a container, and append the containers among them."""
        is_array = container.value.kind == "array"
        # Of members with the same name the last one counts, as in the checks.
        entries = (
            dict(enumerate(container.value.content))
            if is_array
            else {member.name: member.value for member in container.value.content}
        )
        for name, value in entries.items():
            pointer = container.pointer / name
            expected = self._type(container, name)
            found: Any = _DROPPED
            if id(value) in self.bad:
                self.dropped.append(str(pointer))
                if is_array and expected in objects() and not objects()[expected].required:
                    found = {}
            elif value.kind in ("object", "array"):
                found = {} if value.kind == "object" else []
                containers.append(_Container(value, pointer, expected, found, container))
            else:
                found = self._scalar(value)
            if is_array:
                container.result.append(found)
            elif found is not _DROPPED:
                container.result[name] = found

    @staticmethod
    def _type(container: _Container, name: Any) -> str:
        """The type in wei7 of a member or an item; "" if it is unknown."""
        if container.type.startswith("list of "):
            return container.type.removeprefix("list of ")
        known = objects().get(container.type)
        expected = known.members.get(name, "") if known is not None else ""
        if expected != "value":
            return expected
        kinds = [member.value for member in container.value.content if member.name == "type"]
        return actions().get(str(kinds[-1].content), "") if kinds else ""

    @staticmethod
    def _is_incomplete(container: _Container) -> bool:
        """Whether a required member is missing."""
        known = objects().get(container.type)
        return known is not None and not known.required.keys() <= container.result.keys()

    def _scalar(self, value: Value) -> Any:
        if value.kind == "string":
            text: str = value.content
            return re.sub(_UNDECODABLE_BYTE, "\ufffd", text) if self.has_undecodable_bytes else text
        if value.kind == "number":
            number = value.content
            whole = isinstance(number, float) and number.is_integer()
            return int(number) if whole and abs(number) < _EXACT_FLOATS else number
        return {"true": True, "false": False}.get(value.kind)
