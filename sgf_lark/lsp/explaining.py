"""What a hover and completion tell about a place."""

from __future__ import annotations

import ast
import base64
import datetime
import re
from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter

from lsprotocol import types

from sgf_lark import drawing, grammar
from sgf_lark.diagnostics import Diagnostic, Language, Words
from sgf_lark.documentation import rule_page
from sgf_lark.grammar import PropertyDefinition, PropertyType
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.teaching import facts
from sgf_lark.teaching.described_values import described_values, in_words, point_names
from sgf_lark.teaching.productions import productions

# --- Hover ----------------------------------------------------------------------------


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
    found = analysis.over(offset, offset)
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
    start, end = node.tree.parsed.flat.node_span(node.number)
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
        yield f"**{escape(entry.ident)}**: {_UNKNOWN.in_language(language)}"
        return
    yield property_text(definition, language)
    for value in described_values(entry.node, language):
        if value.ident == entry.ident and value.start <= here < value.end:
            result = value.result
            if len(result) > _LONGEST_VALUE:
                result = result[:_LONGEST_VALUE] + "…"
            yield f"{_THIS_VALUE.in_language(language)}: {escape(result)}"


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
    yield f"![{_BOARD.in_language(language)}](data:image/svg+xml;base64,{data})"


def _range(analysis: Analysis, entry: Property | None, here: int) -> types.Range | None:
    """The identifier or the value at an offset."""
    if entry is None or entry.number is None:
        return None
    flat = analysis.flat
    if (value := analysis.value_at(here)) is not None:
        start, end = flat.value_span(value[1])
        return analysis.text.range(start - 1, end + 1)
    return analysis.text.range(flat.ident_start[entry.number], flat.ident_end[entry.number])


# --- Completion -----------------------------------------------------------------------


#: What opens completion without being asked for.
TRIGGERS = [";", "["]

_PREFIX = re.compile(rb"[A-Za-z]*\Z")
#: The text that an editor asks about is cut here; no identifier is longer.
_LONGEST_IDENT = 20
_FILE = "values.lark"
_NAMES_OR_LITERALS = re.compile(r'"(?:[^"\\]|\\.)*"|/(?:[^/\\\n]|\\.)+/i?|\b[_A-Za-z]\w*')
_WORDS_IN_PATTERN = re.compile(r"/([A-Za-z|-]+)/i?")
#: A number that no enumeration has: a type that it matches has too many values to list.
_ANY_NUMBER = b"1234"


def completion(
    analysis: Analysis, position: types.Position, *, snippets: bool
) -> list[types.CompletionItem]:
    """What can be written at a place; with `snippets` an identifier comes with its brackets."""
    offset = analysis.text.offset(position)
    # Before a ";" the node to complete is the one before it.
    node = analysis.node_at(offset - 1)
    if node is None:
        return []
    found = analysis.value_at(offset)
    if found is not None and analysis.flat.value_from[found[1]] <= offset:
        entry, value = found
        raw, (start, end) = analysis.flat.value(value), analysis.flat.value_span(value)
        # A value that is still open ends at the cursor, not where the next bracket closes it.
        end = offset if b"[" in raw or b"\n" in raw else end
        return list(_values(entry, analysis.text.range(start, end), analysis.language))
    match = _PREFIX.search(analysis.text.data, max(0, offset - _LONGEST_IDENT), offset)
    start = match.start() if match else offset
    area = analysis.text.range(start, offset)
    return list(_identifiers(node, area, analysis.language, snippets))


# --- Identifiers ---------------------------------------------------------------------


def _identifiers(
    node: Node, area: types.Range, language: Language, snippets: bool
) -> Iterator[types.CompletionItem]:
    """The properties that a node may have and does not have."""
    for number, definition in enumerate(_possible(node)):
        ident = definition.ident
        several = "]" if definition.takes_many else ""
        text = f"{ident}[$1]$0" if snippets else ident
        yield types.CompletionItem(
            ident,
            kind=types.CompletionItemKind.Property,
            detail=facts.chosen(definition, "name", language),
            documentation=types.MarkupContent(
                types.MarkupKind.Markdown, property_text(definition, language)
            ),
            sort_text=f"{_rank(definition, node)}{number:03}{several}",
            insert_text_format=types.InsertTextFormat.Snippet
            if snippets
            else types.InsertTextFormat.PlainText,
            text_edit=types.TextEdit(area, text),
            # Values that the grammar enumerates are offered at once.
            command=types.Command("", "editor.action.triggerSuggest") if snippets else None,
        )


def _possible(node: Node) -> Iterator[PropertyDefinition]:
    """The definitions of the properties that can be added to a node, in the table's order."""
    tree = node.tree
    present = {entry.ident: entry.definition for entry in node.properties}
    kinds = {each.type for each in present.values() if each is not None}
    groups = {each.exclusive for each in present.values() if each is not None} - {""}
    clash = {PropertyType.MOVE: PropertyType.SETUP, PropertyType.SETUP: PropertyType.MOVE}
    for ident in dict.fromkeys(each.ident for each in grammar.properties()):
        definition = tree.define(ident)
        if definition is None or ident in present or definition.private or definition.obsolete:
            continue
        if tree.file_format not in definition.file_formats or definition.exclusive in groups:
            continue
        if definition.type == PropertyType.ROOT and node.parent is not None:
            continue
        if definition.type == PropertyType.MOVE and node.parent is None:
            continue
        if clash.get(definition.type) in kinds:
            continue
        yield definition


def _rank(definition: PropertyDefinition, node: Node) -> int:
    """Where a property is in the list: in the root that of roots first, elsewhere moves."""
    if node.parent is None:
        return {PropertyType.ROOT: 0, PropertyType.GAME_INFO: 1}.get(definition.type, 2)
    last = node.parent.color
    if definition.is_move:
        return 1 if last is not None and definition.ident == str(last) else 0
    return 4 if definition.type == PropertyType.GAME_INFO else 2


# --- Values --------------------------------------------------------------------------


def _values(
    entry: Property, area: types.Range, language: Language
) -> Iterator[types.CompletionItem]:
    """The values that a property can have, as far as they can be listed."""
    for number, (value, detail) in enumerate(_candidates(entry, language)):
        yield types.CompletionItem(
            value,
            kind=types.CompletionItemKind.EnumMember,
            detail=detail,
            sort_text=f"{number:03}",
            filter_text=value,
            text_edit=types.TextEdit(area, value),
        )


def _candidates(entry: Property, language: Language) -> Iterator[tuple[str, str | None]]:
    """Values, each with what it means."""
    definition = entry.definition
    if definition is None:
        return
    match definition.format:
        # Formats with too many values to derive them from the grammar.
        case "game":
            games = grammar.games().items()
            yield from ((str(each), facts.chosen(game, "name", language)) for each, game in games)
        case "charset":
            charsets = filter(attrgetter("superset"), grammar.charsets())
            yield from ((each.name, ", ".join(each.aliases[:3]) or None) for each in charsets)
        case "date":
            today = datetime.date.today()
            yield from ((today.strftime(form), None) for form in ("%Y-%m-%d", "%Y-%m", "%Y"))
        case "size":
            if (size := entry.tree.game_definition.size) is not None:
                columns, rows = size
                yield str(columns) if columns == rows else f"{columns}:{rows}", None
        case _:
            for kind in [definition.format] if definition.format else sorted(definition.kinds):
                rule = entry.tree.parsed.reader.rule(kind)
                values = enumerated(rule) if rule in value_grammar.value_types() else ()
                yield from ((each, _meaning(entry, kind, each, language)) for each in values)


def _meaning(entry: Property, kind: str, value: str, language: Language) -> str | None:
    """What a value of an enumeration means, if the model has more than its text."""
    try:
        read = entry.tree.parsed.reader.read(kind, value.encode())
    except ValueError:
        return None
    words = in_words(read, language, point_names(entry.tree))
    return words if words != value else None


@lru_cache(maxsize=128)
def enumerated(rule: str) -> tuple[str, ...]:
    """The values of a start production of ``values.lark`` that has a few only.

    They are the words in its text, one by one and in pairs, and the digits, that it matches.
    """
    matches = value_grammar.pattern(rule).fullmatch
    literals = list(dict.fromkeys(_literals(rule)))
    # Tried and not derived: a handful of texts by the pattern says the same as an analysis of the
    # grammar.
    candidates = [*literals]
    if not matches(_ANY_NUMBER):
        candidates += "0123456789"
        if not matches(b"q"):
            candidates += "BW"
    candidates += [first + second for first in literals for second in literals]
    return tuple(each for each in dict.fromkeys(candidates) if each and matches(each.encode()))


def _literals(name: str) -> Iterator[str]:
    """The words in a production and in those that it names."""
    waiting, seen = [name], {name}
    texts = productions(_FILE)
    while waiting:
        text = texts[waiting.pop()].text.partition(":")[2]
        for piece in _NAMES_OR_LITERALS.findall(text):
            if piece.startswith('"'):
                yield ast.literal_eval(piece)
            elif words := _WORDS_IN_PATTERN.fullmatch(piece):
                yield from words[1].split("|")
            elif piece in texts and piece not in seen:
                seen.add(piece)
                waiting.append(piece)
