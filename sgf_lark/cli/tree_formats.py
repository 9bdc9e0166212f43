"""A parse tree as text, JSON, or a graph for Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Span
    from sgf_lark.teaching.described_values import DescribedValue
    from sgf_lark.text.decoding import Decoding

#: A tree or a token of Lark.
Item = Any

#: Longer tokens and values are cut, except in JSON.
_MAX_LENGTH = 60
#: Without this limit the size of the indentation grows with the square of the depth.
_MAX_INDENT = 60


@dataclass(frozen=True)
class Symbol:
    """A rule or a terminal in the parse tree.

    `number` is that in pre-order, and `parent` is the number of its parent. `text` is
    None for a rule. `is_regular` is False for what only tolerant.lark has. `codes` are
    those of damage that begins here, and `value` describes the property value.
    """

    number: int
    parent: int | None
    depth: int
    name: str
    span: Span
    text: str | None
    is_regular: bool
    codes: list[str]
    value: DescribedValue | None


def symbols(
    root: Item, decoding: Decoding, values: Mapping[int, DescribedValue], *, tolerant: bool
) -> Iterator[Symbol]:
    """Yield the symbols below `root` in pre-order.

    `values` has the descriptions of property values by the byte offset of their "[".
    """
    from sgf_lark.syntax import grammars as lark_grammars

    source = decoding.source("utf-8")
    regular = lark_grammars.regular_symbols()
    damage = _damage_by_offset(decoding) if tolerant else {}
    for number, parent, depth, item in _walk(root):
        name, start, end = _extent(item)
        is_token = _is_token(item)
        yield Symbol(
            number,
            parent,
            depth,
            name,
            source.span(start, end),
            source_text(decoding.data[start:end]) if is_token else None,
            name in regular,
            # A token may be damaged in its middle.
            [] if name in regular else _take(damage, start, end if is_token else start + 1),
            values.get(start) if is_token else None,
        )


def source_text(part: bytes) -> str:
    """Decode a part of the source: as UTF-8 where that is possible, otherwise byte by byte."""
    from sgf_lark.text.validity import decodes

    return part.decode("utf-8" if decodes(part, "utf-8") else "latin-1")


def _damage_by_offset(decoding: Decoding) -> dict[int, list[str]]:
    from sgf_lark.syntax.tolerant import parse_tolerant

    codes: dict[int, list[str]] = {}
    result = parse_tolerant(decoding.data)
    for damage in result.damage + result.lowercase:
        codes.setdefault(damage.start, []).append(damage.code)
    return codes


def _take(damage: dict[int, list[str]], start: int, end: int) -> list[str]:
    """Return the codes of damage in this range and remove them, so that each is shown once."""
    return [code for offset in range(start, end) for code in damage.pop(offset, ())]


def _walk(root: Item) -> Iterator[tuple[int, int | None, int, Item]]:
    """Yield each item in pre-order with its number, that of its parent, and its depth."""
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


def _extent(item: Any) -> tuple[str, int, int]:
    """Return the name, the start and the end."""
    if _is_token(item):
        return item.type, item.start_pos or 0, item.end_pos or 0
    meta = item.meta
    return item.data, getattr(meta, "start_pos", 0), getattr(meta, "end_pos", 0)


# --- Text -----------------------------------------------------------------------------


def as_text(symbols: Iterable[Symbol], style: OutputStyle) -> Iterator[str]:
    """Yield a line for each rule, terminal and value, indented by its depth."""
    for symbol in symbols:
        indent = "  " * min(symbol.depth, _MAX_INDENT)
        line = indent + style.paint(symbol.name, **_color(symbol))
        line += style.paint(f"  {symbol.span.line}:{symbol.span.column}", dim=True)
        if symbol.text is not None:
            line += "  " + _short(symbol.text)
        if symbol.codes:
            line += "  " + style.paint(" ".join(symbol.codes), fg="red", bold=True)
        yield line + "\n"
        if symbol.value:
            yield f"{indent}  {_value_line(symbol.value, style)}\n"


def _color(symbol: Symbol) -> dict[str, Any]:
    if not symbol.is_regular:
        return {"fg": "red", "bold": True}
    return {"fg": "cyan"} if symbol.text is None else {"fg": "green"}


def _value_line(value: DescribedValue, style: OutputStyle) -> str:
    result = style.paint(_short(value.result), **({"bold": True} if value.fits else {"fg": "red"}))
    first, *halves = value.rules
    how = f"by {first}" + (f": {', '.join(halves)}" if halves else "")
    how = f"{value.type}, {how}" if value.type else how
    return f"= {result}  " + style.paint(f"({how})", dim=True)


def _short(text: str) -> str:
    text = escape(text[: _MAX_LENGTH + 1])
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1] + "…"


# --- JSON -----------------------------------------------------------------------------


def as_json(symbols: Iterable[Symbol], grammar: str) -> Iterator[str]:
    """Yield one object with a flat list: few JSON parsers can nest as deep as some trees."""
    yield f'{{"grammar": "{grammar}", "symbols": [\n'
    for symbol in symbols:
        item = to_json(_symbol_object(symbol))
        yield (",\n" if symbol.number else "") + item
    yield "\n]}\n"


def place(span: Span) -> dict[str, int]:
    """Return the offsets in bytes, the line and the column of a span."""
    return {"start": span.start, "end": span.end, "line": span.line, "column": span.column}


def _symbol_object(symbol: Symbol) -> dict[str, object]:
    item: dict[str, object] = {
        "parent": symbol.parent,
        "rule" if symbol.text is None else "terminal": symbol.name,
        **place(symbol.span),
    }
    if symbol.text is not None:
        item["text"] = symbol.text
    if symbol.codes:
        item["codes"] = symbol.codes
    if value := symbol.value:
        item["value"] = {"property": value.ident, **value.as_dict()}
    return item


# --- Graphviz -------------------------------------------------------------------------


def as_dot(symbols: Iterable[Symbol]) -> Iterator[str]:
    """Yield a graph: rules are ellipses, terminals boxes, values notes; damage is red."""
    yield "digraph parse_tree {\n  node [fontname=monospace];\n"
    for symbol in symbols:
        lines = [symbol.name]
        if symbol.text is not None:
            lines.append(_short(symbol.text))
        lines += symbol.codes
        more = f", tooltip={quoted(f'{symbol.span.line}:{symbol.span.column}')}"
        more += "" if symbol.text is None else ", shape=box"
        more += "" if symbol.is_regular else ", color=red"
        yield f"  s{symbol.number} [label={quoted(*lines)}{more}];\n"
        if symbol.parent is not None:
            yield f"  s{symbol.parent} -> s{symbol.number};\n"
        if value := symbol.value:
            color = "" if value.fits else ", color=red"
            label = quoted(value.type or value.ident, _short(value.result), *value.rules)
            yield f"  v{symbol.number} [label={label}, shape=note{color}];\n"
            yield f"  s{symbol.number} -> v{symbol.number} [style=dashed];\n"
    yield "}\n"


def quoted(*lines: str) -> str:
    """Return a string of the DOT language that shows `lines`."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
