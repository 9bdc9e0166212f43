"""A parse tree as text, JSON, or a graph for Graphviz."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import Look
    from sgf_lark.teaching.readings import Reading as Value
    from sgf_lark.text.decoding import Decoding

#: A tree or a token of Lark's.
Item = Any

#: Longer tokens and values are cut, but in JSON.
_LONGEST = 60
#: In deep trees the indentation would grow with the square of the depth.
_DEEPEST = 60


class Shown:
    """A parse tree on its way to the reader.

    `values` tells how a value was read, by the byte offset of its "[".
    """

    def __init__(self, reading: Decoding, tolerant: bool, values: Mapping[int, Value]) -> None:
        from sgf_lark.syntax import grammars as lark_grammars
        from sgf_lark.syntax.tolerant import parse_tolerant

        self._source = reading.source("utf-8")
        self._data = reading.data
        self._values = values
        self._grammar = "tolerant.lark" if tolerant else "sgf.lark"
        self._regular = lark_grammars.regular_symbols()
        self._damage: dict[int, list[str]] = {}
        if tolerant:
            result = parse_tolerant(reading.data)
            for damage in result.damage + result.lowercase:
                self._damage.setdefault(damage.start, []).append(damage.code)

    def as_text(self, root: Item, look: Look) -> Iterator[str]:
        """A line for each rule, each terminal and each value, indented by its depth."""
        for _, _, depth, item in _walk(root):
            indent = "  " * min(depth, _DEEPEST)
            name, start, end = _symbol(item)
            line = indent + look.style(name, **self._color(item))
            span = self._source.span(start, end)
            line += look.style(f"  {span.line}:{span.column}", dim=True)
            if _is_token(item):
                line += "  " + _short(source_text(self._data[start:end]))
            if codes := self._codes(item):
                line += "  " + look.style(" ".join(codes), fg="red", bold=True)
            yield line + "\n"
            if value := self._value(item):
                yield f"{indent}  {_in_words(value, look)}\n"

    def as_json(self, root: Item, look: Look) -> Iterator[str]:
        """One object, flat, because readers of JSON do not reach the depth of every tree."""
        yield f'{{"grammar": "{self._grammar}", "symbols": [\n'
        for number, parent, _, item in _walk(root):
            name, start, end = _symbol(item)
            span = self._source.span(start, end)
            found: dict[str, object] = {
                "parent": parent,
                "terminal" if _is_token(item) else "rule": name,
                "start": span.start,
                "end": span.end,
                "line": span.line,
                "column": span.column,
            }
            if _is_token(item):
                found["text"] = source_text(self._data[start:end])
            if codes := self._codes(item):
                found["codes"] = codes
            if value := self._value(item):
                found["value"] = {
                    "property": value.ident,
                    "name": value.name,
                    "type": value.type,
                    "raw": value.raw,
                    "result": value.result,
                    "fits": value.fits,
                    "rules": value.rules,
                }
            yield (",\n" if number else "") + json.dumps(found, ensure_ascii=False)
        yield "\n]}\n"

    def as_dot(self, root: Item, look: Look) -> Iterator[str]:
        """Rules are ellipses, terminals boxes, values notes; what is damaged is red."""
        yield "digraph parse_tree {\n  node [fontname=monospace];\n"
        for number, parent, _, item in _walk(root):
            name, start, end = _symbol(item)
            lines = [name]
            if _is_token(item):
                lines.append(_short(source_text(self._data[start:end])))
            lines += self._codes(item)
            span = self._source.span(start, end)
            more = f", tooltip={_quoted(f'{span.line}:{span.column}')}"
            more += ", shape=box" if _is_token(item) else ""
            more += "" if name in self._regular else ", color=red"
            yield f"  s{number} [label={_quoted(*lines)}{more}];\n"
            if parent is not None:
                yield f"  s{parent} -> s{number};\n"
            if value := self._value(item):
                color = "" if value.fits else ", color=red"
                label = _quoted(value.type or value.ident, _short(value.result), *value.rules)
                yield f"  v{number} [label={label}, shape=note{color}];\n"
                yield f"  s{number} -> v{number} [style=dashed];\n"
        yield "}\n"

    def _value(self, item: Item) -> Value | None:
        """How the value was read whose terminal `item` is."""
        return self._values.get(item.start_pos or 0) if _is_token(item) else None

    def _codes(self, item: Item) -> list[str]:
        """Damage that begins where a symbol does that sgf.lark does not have, told once."""
        name, start, end = _symbol(item)
        if name in self._regular:
            return []
        # A token may be damaged in its middle.
        places = range(start, end) if _is_token(item) else (start,)
        return [code for place in places for code in self._damage.pop(place, ())]

    def _color(self, item: Item) -> dict[str, Any]:
        if _symbol(item)[0] not in self._regular:
            return {"fg": "red", "bold": True}
        return {"fg": "green"} if _is_token(item) else {"fg": "cyan"}


def source_text(part: bytes) -> str:
    """A part of the source as text: in UTF-8 where it is that, or else each byte as a character."""
    from sgf_lark.text.charsets import decodes

    return part.decode("utf-8" if decodes(part, "utf-8") else "latin-1")


def _in_words(value: Value, look: Look) -> str:
    result = look.style(_short(value.result), **({"bold": True} if value.fits else {"fg": "red"}))
    first, *halves = value.rules
    how = f"by {first}" + (f": {', '.join(halves)}" if halves else "")
    how = f"{value.type}, {how}" if value.type else how
    return f"= {result}  " + look.style(f"({how})", dim=True)


def _short(text: str) -> str:
    from sgf_lark.cli.text import one_line

    text = one_line(text[: _LONGEST + 1])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _quoted(*lines: str) -> str:
    """A string of the DOT language in which each of `lines` is shown as it stands."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


def _walk(root: Item) -> Iterator[tuple[int, int | None, int, Item]]:
    """Each symbol in pre-order: its number, that of its parent, its depth, and itself."""
    stack: list[tuple[int | None, int, Item]] = [(None, 0, root)]
    number = 0
    while stack:
        parent, depth, item = stack.pop()
        yield number, parent, depth, item
        if not _is_token(item):
            stack += [(number, depth + 1, child) for child in reversed(item.children)]
        number += 1


def _is_token(item: object) -> bool:
    return hasattr(item, "type")


def _symbol(item: Any) -> tuple[str, int, int]:
    """Its name, and where it begins and ends."""
    if _is_token(item):
        return item.type, item.start_pos or 0, item.end_pos or 0
    meta = item.meta
    return item.data, getattr(meta, "start_pos", 0), getattr(meta, "end_pos", 0)
