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
from sgf_lark.model.property import Property, PropValue, points_in
from sgf_lark.model.values import Point
from sgf_lark.model.values.points import expand
from sgf_lark.rules.fixes import Edit, Fix, Site, fix_for
from sgf_lark.rules.registry import (
    Finding,
    Plain,
    Scope,
    at,
    formats,
    kinds,
    may_be_empty,
    not_text,
    rule,
    takes_one,
    uniques,
)
from sgf_lark.syntax import values as value_grammar

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


def _form(value: PropValue, kind: str) -> Words:
    """What a point, move or stone of the game looks like."""
    game = value.tree.game_definition
    return Words(getattr(game, f"{kind}_form"), getattr(game, f"{kind}_form_zh"))


@rule("SGF301", Scope.PROPERTY, takes_one, ignores=Plain.ANY)
def several_values(entry: Property) -> Iterator[Finding]:
    if entry.count > 1:
        yield at(entry, count=entry.count)


@fix_for("SGF301")
def one_value(site: Site) -> Fix | None:
    """Texts are joined, further moves get nodes of their own; of others the first is
    kept, which loses nothing where all are the same. Of texts that follow a format, such
    as that of CA, the first is kept too: two of them in a row would follow none."""
    entry = site.entry
    if entry is None or entry.definition is None:
        return None
    start, end = entry.offsets
    if entry.definition.exclusive == "move":
        moves = b";".join(entry.ident.encode() + b"[" + raw + b"]" for raw in entry.raw[1:])
        behind = site.node.offsets[1]
        values = list(entry.prop_values())
        without = Edit(values[1].start - 1, values[-1].end + 1)
        return Fix((without, Edit(behind, behind, b";" + moves)))
    raws = list(dict.fromkeys(raw for raw in entry.raw if raw)) or [b""]
    form = entry.definition.format
    formal = [raw for raw in raws if form and value_grammar.pattern(form).fullmatch(raw)]
    kept = (formal or raws)[0]
    if entry.definition.is_text and not formal:
        kept = (b"\n" if entry.definition.alternatives[0].first == "text" else b" ").join(raws)
        raws = raws[:1]
    new = entry.ident.encode() + b"[" + kept + b"]"
    return Fix((Edit(start, end, new),), safe=len(raws) == 1)


@rule("SGF308", Scope.PROPERTY, may_be_empty, ignores=Plain.ANY)
def empty_value_in_list(entry: Property) -> Iterator[Finding]:
    values = list(entry.prop_values())
    if len(values) > 1:
        yield from (at(value) for value in values if not value.raw)


@fix_for("SGF307", "SGF308")
def without_empty_value(site: Site) -> Fix | None:
    return site.delete()


@rule("SGF302", Scope.VALUE, kinds("none"))
def none_with_content(value: PropValue) -> Finding | None:
    alternatives = value.definition.alternatives
    if value.raw and all(alternative.first == "none" for alternative in alternatives):
        return at(value)
    return None


@fix_for("SGF302")
def emptied(site: Site) -> Fix | None:
    """Content that only says "yes" goes; any other becomes a remark."""
    value = site.value
    if value is None or value.raw.strip().lower() not in (b"", b"1", b"true", b"yes"):
        return None
    return site.replace(b"")


@rule("SGF311", Scope.VALUE, not_text, ignores=Plain.ANY)
def unexpected_compose(value: PropValue) -> Finding | None:
    definition = value.definition
    if value.composed or definition.is_text or definition.format in _SPEAK_OF_COLON:
        return None
    if value.kind == "move" and value.tree.game != 1:
        return None
    may_be_rectangle = definition.takes_many and value.kind in {"point", "stone"}
    if _COLON in value.raw and not may_be_rectangle and not value.matches(value.kind):
        return at(value, expected=_in_words(ValueType(value.kind)))
    return None


@rule("SGF215", Scope.VALUE, not_text, ignores=Plain.ANY)
def escape_outside_text(value: PropValue) -> Finding | None:
    if any(_BACKSLASH in raw for kind, raw in value.other_parts if kind != "unknown"):
        return at(value)
    return None


@fix_for("SGF215")
def without_escapes(site: Site) -> Fix | None:
    value = site.value
    if value is None or value.text_parts:
        return None
    # In pairs, because the "\" behind another is no escape.
    raw = re.compile(rb"(?s)\\(.)").sub(
        lambda pair: pair[0] if pair[1] in b"]\\" else pair[1], value.raw
    )
    return site.replace(raw) if raw != value.raw else None


@rule("SGF202", Scope.VALUE, not_text, ignores=Plain.ANY)
def non_ascii_value(value: PropValue) -> Finding | None:
    if any(not raw.isascii() for kind, raw in value.other_parts if kind != "unknown"):
        return at(value)
    return None


@rule("SGF307", Scope.VALUE, not_text, ignores=Plain.ANY)
def empty_value(value: PropValue) -> Finding | None:
    definition = value.definition
    if value.raw or definition.is_text or definition.format in _SPEAK_OF_EMPTY:
        return None
    if value.kind in {"double", "color", "none", "unknown"} or value.matches(value.kind):
        return None
    if definition.alternatives[0].empty:
        return None
    sgfc = 23 if value.composed else None
    return at(value, sgfc, expected=_in_words(definition.alternatives[0]))


@rule("SGF303", Scope.VALUE, kinds("number"), ignores=Plain.NUMBER)
def malformed_number(value: PropValue) -> Finding | None:
    if not value.composed and value.definition.format not in _SPEAK_OF_NUMBERS:
        return None if value.matches("number") else at(value)
    return None


@rule("SGF304", Scope.VALUE, kinds("real"), ignores=Plain.REAL)
def malformed_real(value: PropValue) -> Finding | None:
    if not value.definition.format:
        return None if value.matches("real") else at(value)
    return None


@fix_for("SGF303", "SGF304")
def number_as_meant(site: Site) -> Fix | None:
    from sgf_lark.rules import informal

    value = site.value
    found = informal.number(value.raw.decode("latin-1")) if value is not None else None
    if value is None or found is None or not value.matches(value.kind, found.value.encode()):
        return None
    return site.replace(found.value, safe=not found.rest)


@rule("SGF305", Scope.VALUE, kinds("double"))
def malformed_double(value: PropValue) -> Finding | None:
    return None if value.matches("double") else at(value)


@fix_for("SGF305")
def double_as_meant(site: Site) -> Fix | None:
    raw = site.value.raw.strip() if site.value else b""
    plain = {b"": b"1", b"+": b"1", b"++": b"2", b"3": b"2"}.get(raw)
    return site.replace(plain, safe=raw != b"3") if plain else None


@rule("SGF306", Scope.VALUE, kinds("color"))
def malformed_color(value: PropValue) -> Finding | None:
    if value.matches("color"):
        return None
    return at(value, None if value.raw[:1].upper() in b"BW" and value.raw else 17)


@fix_for("SGF306")
def color_as_meant(site: Site) -> Fix | None:
    raw = site.value.raw.strip().lower() if site.value else b""
    meant = {b"1": "B", b"2": "W", b"b": "B", b"w": "W", b"black": "B", b"white": "W"}.get(raw)
    return site.replace(meant) if meant else None


@rule("SGF310", Scope.VALUE, kinds("point", "stone", "move"), ignores=Plain.ANY)
def white_space_in_value(value: PropValue) -> Finding | None:
    kinds = {"point", "move", "stone"}
    rules = {value.tree.reader.rule(kind) for kind, _ in value.other_parts if kind in kinds}
    if "unknown" in rules:
        return None
    if any(_SPACE.search(raw) for kind, raw in value.other_parts if kind in kinds):
        return at(value, 25 if value.composed else None)
    return None


@fix_for("SGF310")
def without_white_space(site: Site) -> Fix | None:
    value = site.value
    if value is None or value.text_parts:
        return None
    return site.replace(_SPACE.sub(b"", value.raw))


@rule("SGF411", Scope.VALUE, formats("figure"))
def figure_shape(value: PropValue) -> Finding | None:
    return None if value.matches("figure") else at(value)


@fix_for("SGF411")
def figure_in_both_parts(site: Site) -> Fix | None:
    """Flags alone get an empty name, a name alone gets no flags."""
    raw = site.value.raw if site.value else b""
    if re.compile(rb"\d+").fullmatch(raw):
        return site.replace(raw + b":")
    return site.replace(b"0:" + re.compile(rb"(?<!\\):").sub(rb"\\:", raw)) if raw.strip() else None


@rule("SGF309", Scope.VALUE, not_text, ignores=Plain.ANY)
def malformed_compose(value: PropValue) -> Finding | None:
    """No ":", or a half that is empty where its type has no empty form."""
    if not value.composed or (
        not value.raw
        and value.matches("none", value.raw)
        and value.definition.alternatives[0].first == "none"
    ):
        return None
    expected = _in_words(value.definition.alternatives[-1])
    if not value.halves:
        return at(value, expected=expected)
    for kind, raw in value.other_parts:
        if not raw and not value.matches(kind, raw):
            return at(value, 17 if value.raw.startswith(b":") else 14, expected=expected)
    return None


@fix_for("SGF309")
def both_halves(site: Site) -> Fix | None:
    """Of two texts the second may be empty."""
    value = site.value
    if value is None or value.halves or not value.raw:
        return None
    halves = value.definition.alternatives[-1]
    if {halves.first, halves.second} != {"simpletext"}:
        return None
    return site.replace(value.raw + b":")


@rule("SGF313", Scope.VALUE, kinds("point", "stone"), ignores=Plain.ANY)
def pass_as_point(value: PropValue) -> Finding | None:
    for kind, raw in value.other_parts:
        if kind in {"point", "stone"} and raw and value.names_pass(raw):
            return at(value)
    return None


@rule("SGF315", Scope.VALUE, kinds("point", "stone"), ignores=Plain.ANY)
def one_point_rectangle(value: PropValue) -> Finding | None:
    corners = value.rectangle
    return at(value) if corners is not None and corners[0] == corners[1] else None


@rule("SGF314", Scope.VALUE, kinds("point", "stone"), ignores=Plain.ANY)
def malformed_rectangle(value: PropValue) -> Finding | None:
    """A ":" in a list of points whose sides are not both points of the board."""
    definition = value.definition
    if not value.is_point or value.kind == "move" or value.composed:
        return None
    if not definition.takes_many or _COLON not in value.raw:
        return None
    corners = value.rectangle
    if corners is not None and all(map(value.tree.has_point, corners)):
        return None
    return at(value)


@rule("SGF316", Scope.VALUE, kinds("point", "stone"), ignores=Plain.ANY)
def rectangle_corners(value: PropValue) -> Finding | None:
    corners = value.rectangle
    if corners is None:
        return None
    first, last = corners
    if value.tree.game_definition.upward:
        first, last = first._replace(row=last.row), last._replace(row=first.row)
    in_order = first.column <= last.column and first.row <= last.row
    return None if in_order else at(value)


@fix_for("SGF315", "SGF316")
def rectangle_as_meant(site: Site) -> Fix | None:
    corners = site.value.rectangle if site.value else None
    if site.value is None or corners is None:
        return None
    columns, rows = zip(*corners, strict=True)
    first, last = Point(min(columns), min(rows)), Point(max(columns), max(rows))
    if site.tree.game_definition.upward:
        first, last = first._replace(row=last.row), last._replace(row=first.row)
    ends = [site.tree.write_point(first), site.tree.write_point(last)]
    return site.replace(ends[0] if ends[0] == ends[1] else ":".join(ends))


def points_one_by_one(site: Site, left_out: set[Point]) -> Fix | None:
    """The value without those of its points that are left out: these are elsewhere."""
    value = site.value
    if value is None:
        return None
    corners = value.rectangle
    if corners is None:
        return site.delete()
    kept = [site.tree.write_point(point) for point in expand(*corners) if point not in left_out]
    return site.replace("][".join(kept)) if kept else site.delete()


@rule("SGF312", Scope.VALUE, kinds("point", "stone"), ignores=Plain.ANY)
def malformed_point(value: PropValue) -> Finding | None:
    """Not in the notation of the game, where its stones are written as points are."""
    for kind, raw in value.other_parts:
        if kind == "stone" and not value.stone_is_point:
            continue
        if kind in {"point", "stone"} and value.rectangle is None and not value.matches(kind, raw):
            return at(value, 15 if len(raw) > 2 else None, expected=_form(value, kind))
    return None


@rule("SGF320", Scope.VALUE, kinds("stone"), ignores=Plain.ANY)
def malformed_stone(value: PropValue) -> Finding | None:
    """Not in the notation of a game that writes stones otherwise than points."""
    for kind, raw in value.other_parts:
        if kind == "stone" and not value.stone_is_point and not value.matches(kind, raw):
            return at(value, expected=_form(value, kind))
    return None


@rule("SGF319", Scope.VALUE, kinds("move"), ignores=Plain.ANY)
def malformed_move(value: PropValue) -> Finding | None:
    if value.matches("move"):
        return None
    return at(value, 15 if len(value.raw) > 2 else None, expected=_form(value, "move"))


@rule("SGF401", Scope.VALUE, kinds("point", "stone", "move"), ignores=Plain.ANY)
def point_off_board(value: PropValue) -> Finding | None:
    size = value.tree.context.size
    if size is None or not value.is_point or value.rectangle is not None:
        return None
    for kind, raw in value.other_parts:
        if kind not in {"point", "move", "stone"} or value.names_pass(raw):
            continue
        if not all(map(value.tree.has_point, points_in(value.tree.reader.read(kind, raw)))):
            return at(value, columns=size[0], rows=size[1])
    return None


@rule("SGF318", Scope.CONTENT, uniques("label"), ignores=Plain.ANY)
def label_without_text(value: PropValue) -> Finding | None:
    if value.halves and not value.halves[1]:
        return at(value)
    return None


@rule("SGF906", Scope.CONTENT, kinds("number"), ignores=Plain.NUMBER)
def oversized_number(value: PropValue) -> Finding | None:
    """Beyond 64 bits, which most programs use for a Number."""
    if value.composed or len(value.raw) < 19:
        return None
    if not value.matches("number"):
        return None
    number = value.tree.reader.read("number", value.raw)
    return None if -(2**63) <= number < 2**63 else at(value)
