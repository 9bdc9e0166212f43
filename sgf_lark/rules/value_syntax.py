"""Rules about the syntax of single values (3xx), in the order in which they speak.

The first that finds a fault has the last word on a value, so a rule may rely on
those above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark import grammar
from sgf_lark.diagnostics import Words
from sgf_lark.grammar import ValueType
from sgf_lark.rules.fixes import Correction, Edit, Site, correction
from sgf_lark.rules.registry import Finding, formats, kinds, not_text, rule, uniques
from sgf_lark.types import Point
from sgf_lark.validation.views import PropertyView, ValueView, points_in
from sgf_lark.values import expand

#: As numbers, which are found sooner than bytes are.
_COLON, _BACKSLASH = b":\\"
_SPACE = re.compile(rb"[ \t\n\r\v\f]")

#: Formats whose own rule speaks of an empty value, or of one with ":" in it.
_SPEAK_OF_EMPTY = {"file_format", "game", "size", "variation_style", "print_mode", "charset"}
_SPEAK_OF_NUMBERS = {
    "file_format",
    "game",
    "size",
    "variation_style",
    "print_mode",
    "handicap",
}
_SPEAK_OF_COLON = {"size", "seconds"}


def _in_words(expected: ValueType) -> Words:
    """The type as a reader knows it, without whether it is one of a list."""
    titles = [grammar.terms()[kind] for kind in (expected.first, expected.second) if kind]
    return Words(
        ' ":" '.join(term.title for term in titles),
        " “:” ".join(term.title_zh for term in titles),
    )


@rule("SGF301", "property", lambda definition: not definition.takes_many)
def several_values(entry: PropertyView) -> Iterator[Finding]:
    if entry.count > 1:
        yield entry.finding(count=entry.count)


@correction("SGF301")
def one_value(site: Site) -> Correction | None:
    """Texts are joined, further moves get nodes of their own; of others the first is
    kept, which loses nothing where all are the same. Of texts that follow a format, such
    as that of CA, the first is kept too: two of them in a row would follow none."""
    entry = site.entry
    if entry is None or entry.definition is None:
        return None
    start, end = entry.span
    if entry.definition.exclusive == "move":
        moves = b";".join(entry.ident.encode() + b"[" + raw + b"]" for raw in entry.raw[1:])
        behind = site.node.span[1]
        values = list(entry.values())
        without = Edit(values[1].start - 1, values[-1].end + 1)
        return Correction((without, Edit(behind, behind, b";" + moves)))
    raws = list(dict.fromkeys(raw for raw in entry.raw if raw)) or [b""]
    form = entry.definition.format
    formal = [raw for raw in raws if form and grammar.pattern(form).fullmatch(raw)]
    kept = (formal or raws)[0]
    if entry.definition.is_text and not formal:
        kept = (b"\n" if entry.definition.alternatives[0].first == "text" else b" ").join(raws)
        raws = raws[:1]
    new = entry.ident.encode() + b"[" + kept + b"]"
    return Correction((Edit(start, end, new),), safe=len(raws) == 1)


@rule("SGF308", "property", lambda definition: definition.alternatives[0].empty)
def empty_value_in_list(entry: PropertyView) -> Iterator[Finding]:
    values = list(entry.values())
    if len(values) > 1:
        yield from (value.finding() for value in values if not value.raw)


@correction("SGF307", "SGF308")
def without_empty_value(site: Site) -> Correction | None:
    return site.delete()


@rule("SGF302", "value", kinds("none"))
def none_with_content(value: ValueView) -> Finding | None:
    alternatives = value.definition.alternatives
    if value.raw and all(alternative.first == "none" for alternative in alternatives):
        return value.finding()
    return None


@correction("SGF302")
def emptied(site: Site) -> Correction | None:
    """Content that only says "yes" goes; any other becomes a remark."""
    value = site.value
    if value is None or value.raw.strip().lower() not in (b"", b"1", b"true", b"yes"):
        return None
    return site.replace(b"")


@rule("SGF311", "value", not_text)
def unexpected_compose(value: ValueView) -> Finding | None:
    definition = value.definition
    if value.composed or definition.is_text or definition.format in _SPEAK_OF_COLON:
        return None
    if value.kind == "move" and value.tree.game.number != 1:
        return None
    may_be_rectangle = definition.takes_many and value.kind in {"point", "stone"}
    if _COLON in value.raw and not may_be_rectangle and not value.matches(value.kind):
        return value.finding(expected=_in_words(ValueType(value.kind)))
    return None


@rule("SGF215", "value", not_text)
def escape_outside_text(value: ValueView) -> Finding | None:
    if any(_BACKSLASH in raw for kind, raw in value.other_parts if kind != "unknown"):
        return value.finding()
    return None


@correction("SGF215")
def without_escapes(site: Site) -> Correction | None:
    value = site.value
    if value is None or value.text_parts:
        return None
    # In pairs, because the "\" behind another is no escape.
    raw = re.compile(rb"(?s)\\(.)").sub(
        lambda pair: pair[0] if pair[1] in b"]\\" else pair[1], value.raw
    )
    return site.replace(raw) if raw != value.raw else None


@rule("SGF202", "value", not_text)
def non_ascii_value(value: ValueView) -> Finding | None:
    if any(not raw.isascii() for kind, raw in value.other_parts if kind != "unknown"):
        return value.finding()
    return None


@rule("SGF307", "value", not_text)
def empty_value(value: ValueView) -> Finding | None:
    definition = value.definition
    if value.raw or definition.is_text or definition.format in _SPEAK_OF_EMPTY:
        return None
    if value.kind in {"double", "color", "none", "unknown"} or value.matches(value.kind):
        return None
    if definition.alternatives[0].empty:
        return None
    sgfc = 23 if value.composed else None
    return value.finding(sgfc, expected=_in_words(definition.alternatives[0]))


@rule("SGF303", "value", kinds("number"))
def malformed_number(value: ValueView) -> Finding | None:
    if not value.composed and value.definition.format not in _SPEAK_OF_NUMBERS:
        return None if value.matches("number") else value.finding()
    return None


@rule("SGF304", "value", kinds("real"))
def malformed_real(value: ValueView) -> Finding | None:
    if not value.definition.format:
        return None if value.matches("real") else value.finding()
    return None


@correction("SGF303", "SGF304")
def number_as_meant(site: Site) -> Correction | None:
    from sgf_lark.rules import informal

    value = site.value
    found = informal.number(value.raw.decode("latin-1")) if value is not None else None
    if value is None or found is None or not value.matches(value.kind, found.value.encode()):
        return None
    return site.replace(found.value, safe=not found.rest)


@rule("SGF305", "value", kinds("double"))
def malformed_double(value: ValueView) -> Finding | None:
    return None if value.matches("double") else value.finding()


@correction("SGF305")
def double_as_meant(site: Site) -> Correction | None:
    raw = site.value.raw.strip() if site.value else b""
    plain = {b"": b"1", b"+": b"1", b"++": b"2", b"3": b"2"}.get(raw)
    return site.replace(plain, safe=raw != b"3") if plain else None


@rule("SGF306", "value", kinds("color"))
def malformed_color(value: ValueView) -> Finding | None:
    if value.matches("color"):
        return None
    return value.finding(None if value.raw[:1].upper() in b"BW" and value.raw else 17)


@correction("SGF306")
def color_as_meant(site: Site) -> Correction | None:
    raw = site.value.raw.strip().lower() if site.value else b""
    meant = {b"1": "B", b"2": "W", b"b": "B", b"w": "W", b"black": "B", b"white": "W"}.get(raw)
    return site.replace(meant) if meant else None


@rule("SGF310", "value", kinds("point", "stone", "move"))
def white_space_in_value(value: ValueView) -> Finding | None:
    kinds = {"point", "move", "stone"}
    rules = {value.tree.reader.rule(kind) for kind, _ in value.other_parts if kind in kinds}
    if "unknown" in rules:
        return None
    if any(_SPACE.search(raw) for kind, raw in value.other_parts if kind in kinds):
        return value.finding(25 if value.composed else None)
    return None


@correction("SGF310")
def without_white_space(site: Site) -> Correction | None:
    value = site.value
    if value is None or value.text_parts:
        return None
    return site.replace(_SPACE.sub(b"", value.raw))


@rule("SGF411", "value", formats("figure"))
def figure_shape(value: ValueView) -> Finding | None:
    return None if value.matches("figure") else value.finding()


@correction("SGF411")
def figure_in_both_parts(site: Site) -> Correction | None:
    """Flags alone get an empty name, a name alone gets no flags."""
    raw = site.value.raw if site.value else b""
    if re.compile(rb"\d+").fullmatch(raw):
        return site.replace(raw + b":")
    return site.replace(b"0:" + re.compile(rb"(?<!\\):").sub(rb"\\:", raw)) if raw.strip() else None


@rule("SGF309", "value", not_text)
def malformed_compose(value: ValueView) -> Finding | None:
    """No ":", or a half that is empty where its type has no empty form."""
    if not value.composed or (
        not value.raw
        and value.matches("none", value.raw)
        and value.definition.alternatives[0].first == "none"
    ):
        return None
    expected = _in_words(value.definition.alternatives[-1])
    if not value.halves:
        return value.finding(expected=expected)
    for kind, raw in value.other_parts:
        if not raw and not value.matches(kind, raw):
            return value.finding(17 if value.raw.startswith(b":") else 14, expected=expected)
    return None


@correction("SGF309")
def both_halves(site: Site) -> Correction | None:
    """Of two texts the second may be empty."""
    value = site.value
    if value is None or value.halves or not value.raw:
        return None
    halves = value.definition.alternatives[-1]
    if {halves.first, halves.second} != {"simpletext"}:
        return None
    return site.replace(value.raw + b":")


@rule("SGF313", "value", kinds("point", "stone"))
def pass_as_point(value: ValueView) -> Finding | None:
    for kind, raw in value.other_parts:
        if kind in {"point", "stone"} and raw and value.names_pass(raw):
            return value.finding()
    return None


@rule("SGF315", "value", kinds("point", "stone"))
def one_point_rectangle(value: ValueView) -> Finding | None:
    corners = value.rectangle
    return value.finding() if corners is not None and corners[0] == corners[1] else None


@rule("SGF314", "value", kinds("point", "stone"))
def malformed_rectangle(value: ValueView) -> Finding | None:
    """A ":" in a list of points whose sides are not both points of the board."""
    definition = value.definition
    if not value.is_point or value.kind == "move" or value.composed:
        return None
    if not definition.takes_many or _COLON not in value.raw:
        return None
    corners = value.rectangle
    if corners is not None and all(map(value.on_board, corners)):
        return None
    return value.finding()


@rule("SGF316", "value", kinds("point", "stone"))
def rectangle_corners(value: ValueView) -> Finding | None:
    corners = value.rectangle
    if corners is None:
        return None
    first, last = corners
    if value.tree.game.upward:
        first, last = first._replace(row=last.row), last._replace(row=first.row)
    in_order = first.column <= last.column and first.row <= last.row
    return None if in_order else value.finding()


@correction("SGF315", "SGF316")
def rectangle_as_meant(site: Site) -> Correction | None:
    corners = site.value.rectangle if site.value else None
    if site.value is None or corners is None:
        return None
    columns, rows = zip(*corners, strict=True)
    first, last = Point(min(columns), min(rows)), Point(max(columns), max(rows))
    if site.tree.game.upward:
        first, last = first._replace(row=last.row), last._replace(row=first.row)
    ends = [site.tree.write(first), site.tree.write(last)]
    return site.replace(ends[0] if ends[0] == ends[1] else ":".join(ends))


def points_one_by_one(site: Site, left_out: set[Point]) -> Correction | None:
    """The value without those of its points that are left out: these are elsewhere."""
    value = site.value
    if value is None:
        return None
    corners = value.rectangle
    if corners is None:
        return site.delete()
    kept = [site.tree.write(point) for point in expand(*corners) if point not in left_out]
    return site.replace("][".join(kept)) if kept else site.delete()


@rule("SGF312", "value", kinds("point", "stone"))
def malformed_point(value: ValueView) -> Finding | None:
    """Not in the notation of the game, where its stones are written as points are."""
    for kind, raw in value.other_parts:
        if kind == "stone" and not value.stone_is_point:
            continue
        if kind in {"point", "stone"} and value.rectangle is None and not value.matches(kind, raw):
            return value.finding(15 if len(raw) > 2 else None, expected=value.form(kind))
    return None


@rule("SGF320", "value", kinds("stone"))
def malformed_stone(value: ValueView) -> Finding | None:
    """Not in the notation of a game that writes stones otherwise than points."""
    for kind, raw in value.other_parts:
        if kind == "stone" and not value.stone_is_point and not value.matches(kind, raw):
            return value.finding(expected=value.form(kind))
    return None


@rule("SGF319", "value", kinds("move"))
def malformed_move(value: ValueView) -> Finding | None:
    if value.matches("move"):
        return None
    return value.finding(15 if len(value.raw) > 2 else None, expected=value.form("move"))


@rule("SGF401", "value", kinds("point", "stone", "move"))
def point_off_board(value: ValueView) -> Finding | None:
    size = value.tree.context.size
    if size is None or not value.is_point or value.rectangle is not None:
        return None
    for kind, raw in value.other_parts:
        if kind not in {"point", "move", "stone"} or value.names_pass(raw):
            continue
        if not all(map(value.on_board, points_in(value.tree.reader.read(kind, raw)))):
            return value.finding(columns=size[0], rows=size[1])
    return None


@rule("SGF318", "content", uniques("label"))
def label_without_text(value: ValueView) -> Finding | None:
    if value.halves and not value.halves[1]:
        return value.finding()
    return None


@rule("SGF906", "content", kinds("number"))
def oversized_number(value: ValueView) -> Finding | None:
    """Beyond 64 bits, which most programs use for a Number."""
    if value.composed or len(value.raw) < 19:
        return None
    if not value.matches("number"):
        return None
    number = value.tree.reader.read("number", value.raw)
    return None if -(2**63) <= number < 2**63 else value.finding()
