"""What a hover shows: the findings, the property, the meaning of the value, the board."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from lsprotocol import types

from sgf_lark import drawing, grammar
from sgf_lark.diagnostics import Diagnostic, Language, Words
from sgf_lark.documentation import rule_page
from sgf_lark.grammar import PropertyDefinition, PropertyType
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.teaching import facts
from sgf_lark.teaching.described_values import described_values

#: A picture in a hover is this many pixels wide.
_PICTURE = 320
#: At most this many findings are shown.
_MOST_FINDINGS = 5
_LONGEST_VALUE = 300

_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&])")

_THIS_VALUE = Words("this value", "此处的值")
_BOARD = Words("board after this node", "本节点之后的棋盘")
_UNKNOWN = Words("no property of this name is known", "没有这个名称的属性")


def hover(analysis: Analysis, position: types.Position, *, pictures: bool) -> types.Hover | None:
    """What is known of the place: with `pictures` the board is an image, else text."""
    offset = analysis.text.offset(position)
    language = analysis.language
    entry = analysis.property_at(offset)
    found = [
        one
        for one in analysis.between(offset, offset).values()
        if offset < max(one.span.end, one.span.start + 1)
    ]
    parts = [_finding(each, language) for each in found[:_MOST_FINDINGS]]
    node = entry.node if entry is not None else analysis.node_at(offset)
    if entry is not None:
        parts += _property(entry, offset, language)
    if node is not None and _is_in(node, offset) and _concerns_board(entry):
        parts += _board(node, language, pictures)
    if not parts:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(parts))
    return types.Hover(content, _range(analysis, entry, offset))


def escape(text: str) -> str:
    """Text of a file or of the catalogue, so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def _is_in(node: Node, here: int) -> bool:
    """Whether a byte offset is in a node, and not in what follows it."""
    assert node.number is not None
    start, end = node.tree.flat.node_span(node.number)
    return start <= here <= end


def _concerns_board(entry: Property | None) -> bool:
    """Whether a property is about the position, not about the game as a whole."""
    if entry is None or entry.definition is None:
        return entry is None
    return entry.definition.type not in (PropertyType.ROOT, PropertyType.GAME_INFO)


def _finding(one: Diagnostic, language: Language) -> str:
    """A finding with the explanation of its rule."""
    texts = facts.of_rule(grammar.rule(one.code), language).texts[1:]
    page, name = rule_page(one.code, language), f"{one.code} {one.name}"
    title = f"[{name}]({page})" if page else name
    more = [] if page else [f"`sgf-lark explain {one.code}`"]
    return "\n\n".join([f"**{title}**: {escape(one.message)}", *map(escape, texts), *more])


def _property(entry: Property, here: int, language: Language) -> Iterator[str]:
    """What a property is, and what the value at an offset means."""
    definition = entry.definition
    if definition is None:
        yield f"**{escape(entry.ident)}**: {getattr(_UNKNOWN, language)}"
        return
    yield property_text(definition, language)
    for value in described_values(entry.node, language):
        if value.ident == entry.ident and value.start <= here < value.end:
            result = value.result
            if len(result) > _LONGEST_VALUE:
                result = result[:_LONGEST_VALUE] + "…"
            yield f"{getattr(_THIS_VALUE, language)}: {escape(result)}"


def property_text(definition: PropertyDefinition, language: Language) -> str:
    """The name, the type and the description of a property, in Markdown."""
    found = facts.of_property(definition, language)
    labels = {fact.key: fact.label for fact in found.facts}
    types = f"{labels['value']}: `{found.fact('value')}` · {labels['type']}: {found.fact('type')}"
    head = f"**{found.name}** {escape(found.title)}"
    return "\n\n".join(
        [head, types, *map(escape, filter(None, (*found.texts, found.fact("range"))))]
    )


def _board(node: Node, language: Language, pictures: bool) -> Iterator[str]:
    """The board after a node; nothing for a game without one."""
    try:
        position = drawing.position(node.tree, node)
    except drawing.DrawingError:
        return
    if not pictures:
        yield f"```text\n{drawing.text(position)}```"
        return
    svg = _SIZE.sub(f'width="{_PICTURE}"', drawing.svg(position, language=language), count=1)
    data = base64.b64encode(svg.encode()).decode()
    yield f"![{getattr(_BOARD, language)}](data:image/svg+xml;base64,{data})"


def _range(analysis: Analysis, entry: Property | None, here: int) -> types.Range | None:
    """The identifier or the value at an offset."""
    if entry is None or entry.number is None:
        return None
    flat = analysis.flat
    start, end = flat.ident_start[entry.number], flat.ident_end[entry.number]
    for value in range(*flat.values_of(entry.number)):
        if flat.value_from[value] - 1 <= here <= flat.value_to[value]:
            start, end = flat.value_from[value] - 1, flat.value_to[value] + 1
    return analysis.text.range(start, end)
