"""Rules about the syntax of single values (2xx to 4xx), in the order in which they are called.

The first rule that reports a value is the only one, so a rule may rely on those above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isinf

from sgf_lark import grammar
from sgf_lark.diagnostics import Words
from sgf_lark.grammar import TEXT_TYPES, ValueType
from sgf_lark.model.property import Property, PropValue, points_in
from sgf_lark.model.values import Point
from sgf_lark.model.values.points import Rectangle, ordered
from sgf_lark.rules.fixes import (
    FIXED_WITH_ANOTHER,
    Edit,
    Fix,
    FixContext,
    count_open_brackets,
    distinct_texts,
    escape_colons_in,
    fix_for,
    has_type,
    is_name,
    join_texts,
    may_be_part_of_text,
    one_of,
)
from sgf_lark.rules.moves import (
    PLACES,
    is_on_board,
    separate_points,
    write_missing_colon,
    write_size_of_moves,
)
from sgf_lark.rules.order import split_moves
from sgf_lark.rules.registry import CleanForm, Finding, Scope, at, kinds, not_text, rule, where
from sgf_lark.syntax import grammars as value_grammar

#: As integers, because the search for these is faster.
_COLON, _BACKSLASH = b":\\"
_SPACE = re.compile(rb"[ \t\n\r\v\f]")
#: A point in letters, which a ":" may follow.
_LETTERS = re.compile(rb"[A-Za-z]{2}(?=:|\Z)")
_DIGIT = re.compile(rb"[0-9]")
#: A soft line break, or an escape character and the character after it.
_ESCAPE = re.compile(rb"(?s)\\(?:\r\n|\n\r|[\r\n]|(.))")
#: What may be the flags of a figure, without white space and zero bytes.
_FLAGS = re.compile(rb"[+-]?[0-9]+")
_SPACE_OR_ZERO = re.compile(rb"[\s\0]")

#: Formats with rules of their own for empty values and malformed numbers, for ":" in a value.
_OWN_RULE = {"file_format", "game", "size", "variation_style", "print_mode"}
_OWN_RULE_FOR_COLON = {"size", "seconds"}


def _type_titles(expected: ValueType) -> Words:
    """The names of the types of a value, for people."""
    titles = [grammar.terms()[kind] for kind in (expected.first, expected.second) if kind]
    return Words(
        ' ":" '.join(term.title for term in titles),
        "“:”".join(term.title_zh for term in titles),
    )


def _form(value: PropValue, kind: str) -> Words:
    """How the game writes a point, move or stone, in words."""
    game = value.tree.game_definition
    return Words(getattr(game, f"{kind}_form"), getattr(game, f"{kind}_form_zh"))


@rule("SGF301", Scope.PROPERTY, where(takes_many=False), ignores=CleanForm.ANY)
def several_values(entry: Property) -> Iterator[Finding]:
    """Reports several values of a property that takes one."""
    if entry.count > 1:
        yield at(entry, count=entry.count)


@fix_for("SGF301")
def keep_one_value(site: FixContext) -> Fix | None:
    """Join texts, move further moves to new nodes, and keep the first of names and other values.

    Of dates and results the first is kept that says all that the very first does, and the most.
    Dropping values is safe if all are equal, joining them if they are a Text of which no bracket is
    open: two names in a row are not a name. Neither is where white space is between the brackets of
    a text, because "] [" can be part of it, with an escape that was lost. Where the property is
    repeated, programs may take all of its values, so that the fix of that decides. Texts with a
    format, such as that of CA, are not joined. Values that are dropped are kept in a comment.
    """
    entry = site.entry
    assert entry.definition is not None
    if entry.definition.is_move:
        return split_moves(site)
    if site.is_repeated:
        return FIXED_WITH_ANOTHER
    definition = entry.definition
    is_free_text = definition.is_text and not definition.format
    given = [raw for raw in entry.raw if raw] or [b""]
    raws = distinct_texts(entry, given) if is_free_text else list(dict.fromkeys(given))
    safe = len(raws) == 1 and (b"" not in entry.raw or is_free_text)
    valid = [
        raw
        for raw in raws
        if definition.format and value_grammar.pattern(definition.format).fullmatch(raw)
    ]
    if definition.is_text and not valid and not is_name(definition):
        value = b"[" + join_texts(definition, raws) + b"]"
        safe = safe or (definition.is_long_text and not any(map(count_open_brackets, given)))
    else:
        value = one_of(site, raws, valid)
    if is_free_text and any(map(may_be_part_of_text, entry.prop_values())):
        safe = False
    return Fix((Edit(*entry.offsets, entry.ident.encode() + value),), safe)


@rule("SGF308", Scope.PROPERTY, where(may_be_empty=True), ignores=CleanForm.ANY)
def empty_value_in_list(entry: Property) -> Iterator[Finding]:
    """Reports an empty value in a list with other values."""
    values = list(entry.prop_values())
    if len(values) > 1:
        yield from (at(value) for value in values if not value.raw)


@fix_for("SGF307", "SGF308", local=True)
def delete_empty_value(site: FixContext) -> Fix | None:
    """Delete the value, but for one of several empty ones that say "none" by themselves; this is
    not safe for a move, which may be any move, nor in a list that is inherited and that the empty
    value ends: it may be meant in place of the others."""
    value, definition = site.value, site.value.definition
    if site.code == "SGF308" and not any(value.property.raw):
        is_kept = value.start == next(iter(value.property.prop_values())).start
        return None if is_kept else site.delete()
    return site.delete(safe=not definition.is_move and not definition.inherit)


@rule("SGF302", Scope.VALUE, kinds("none"))
def none_with_content(value: PropValue) -> Finding | None:
    """Reports content of a property that takes none."""
    alternatives = value.definition.alternatives
    if value.raw and all(alternative.first == "none" for alternative in alternatives):
        return at(value)
    return None


@fix_for("SGF302", local=True)
def delete_content(site: FixContext) -> Fix | None:
    """Delete content that means "yes"; keep other content in a comment."""
    is_yes = site.text.strip().lower() in ("", "1", "true", "yes")
    return site.replace(b"") if is_yes else site.replace_keeping_text(b"")


@rule("SGF311", Scope.VALUE, not_text, ignores=CleanForm.ANY)
def unexpected_compose(value: PropValue) -> Finding | None:
    """Reports a ":" in a value of a type that is not composed."""
    definition = value.definition
    if value.composed or definition.format in _OWN_RULE_FOR_COLON:
        return None
    if value.kind == "move" and value.tree.game != 1:
        return None
    may_be_rectangle = definition.takes_many and value.kind in {"point", "stone"}
    if _COLON in value.raw and not may_be_rectangle and not value.matches(value.kind):
        return at(value, expected=_type_titles(ValueType(value.kind)))
    return None


@rule("SGF215", Scope.VALUE, not_text, ignores=CleanForm.ANY)
def escape_outside_text(value: PropValue) -> Finding | None:
    r"""Reports a "\" in a value that is not a text."""
    if any(_BACKSLASH in raw for kind, raw in value.other_parts if kind != "unknown"):
        return at(value)
    return None


@fix_for("SGF215")
def delete_escapes(site: FixContext) -> Fix | None:
    r"""Delete the escapes, except those of "]" and "\"; numbers are not read through them.

    This is safe only if it gives a correct value: what an escape does in another is unknown.
    """
    value = site.value
    if value.text_parts:
        return None
    raw = _ESCAPE.sub(
        # Nothing is left of a soft line break.
        lambda found: found[0] if found[1] in (b"]", b"\\") else found[1] or b"",
        value.raw,
    )
    kinds = {kind for kind, _ in value.other_parts}
    is_known = kinds <= {"point", "stone", "move"} and all(map(value.is_known, kinds))
    # Without a character it can be a pass, or an empty list.
    safe = is_known and raw != b"" and has_type(site.tree, value.definition, [raw])
    if safe:
        points = points_in(site.tree.parsed.reader.read_all(value.definition, [raw]))
        safe = all(map(site.tree.has_point, points))
    return site.replace(raw, safe=safe)


@rule("SGF202", Scope.VALUE, not_text, ignores=CleanForm.ANY)
def non_ascii_value(value: PropValue) -> Finding | None:
    """Reports bytes above 127 in a value that is not a text."""
    if any(not raw.isascii() for kind, raw in value.other_parts if kind != "unknown"):
        return at(value, expected=_type_titles(value.definition.alternatives[0]))
    return None


@rule("SGF307", Scope.VALUE, not_text, ignores=CleanForm.ANY)
def empty_value(value: PropValue) -> Finding | None:
    """Reports an empty value of a type that has no empty form."""
    definition = value.definition
    if value.raw or definition.format in _OWN_RULE:
        return None
    if value.kind in {"double", "color", "none", "unknown"}:
        return None
    # A point is never empty, in whatever notation; an empty move may be a pass.
    has_notation = value.tree.parsed.reader.rule(value.kind) != "unknown"
    if value.matches(value.kind) and (has_notation or value.kind == "move"):
        return None
    return at(value, expected=_type_titles(definition.alternatives[0]))


@rule("SGF303", Scope.VALUE, kinds("number"), ignores=CleanForm.NUMBER)
def malformed_number(value: PropValue) -> Finding | None:
    """Reports a value that is not a number."""
    is_asked = not value.composed and value.definition.format not in _OWN_RULE
    return at(value) if is_asked and not value.matches("number") else None


@rule("SGF304", Scope.VALUE, kinds("real"), ignores=CleanForm.REAL)
def malformed_real(value: PropValue) -> Finding | None:
    """Reports a value that is not a real number; before FF[4] a time may have a unit in words."""
    if value.composed:
        return None
    format_ = value.definition.format
    is_old_time = format_ == "seconds" and value.tree.file_format < 4
    if value.matches("real") or (is_old_time and _DIGIT.search(value.raw)):
        return None
    return at(value) if is_old_time or not format_ else None


@rule("SGF305", Scope.VALUE, kinds("double"))
@rule("SGF306", Scope.VALUE, kinds("color"))
def malformed_double_or_color(value: PropValue) -> Finding | None:
    """Reports a Double other than 1 and 2, and a Color other than B and W."""
    return None if value.composed or value.matches(value.kind) else at(value)


#: Values of a Double that may mean that it does not apply.
_NOT_AT_ALL = {"0", "-", "no", "none", "false", "off"}


@fix_for("SGF305", local=True)
def write_double(site: FixContext) -> Fix | None:
    """Write an empty value as 1, and 1 or 2 in the form of SGF.

    Other numbers are written as 2 if they are at least 2, other text as 1; this is not safe.
    """
    from sgf_lark.model import informal

    text = site.text.strip().lower()
    found = informal.number(text)
    plain = found.value if found else "1" if not text else ""
    if text in _NOT_AT_ALL or (found and float(plain) <= 0):
        return None
    is_strong = text == "++" or (found and float(plain) >= 2)
    written = "2" if is_strong else "1"
    return site.replace(written) if plain == written else site.replace_keeping_text(written)


#: Numbers of colors, and what stands for stones in diagrams of ASCII.
_SIGNS_OF_COLORS = {"1": "B", "2": "W", "x": "B", "#": "B", "o": "W", "●": "B", "○": "W"}


@fix_for("SGF306", local=True)
def write_color(site: FixContext) -> Fix | None:
    """Write a color that is given in lowercase, in words or, in Go, as a number.

    A wrong list of properties in an older version of the specification had 1 for Black and 2
    for White; this is not safe, because other programs count from 0. Nor is X for Black and O for
    White.
    """
    from sgf_lark.model import informal

    meant = _SIGNS_OF_COLORS.get(site.text.strip().lower()) if site.tree.game == 1 else None
    if meant is not None:
        return site.replace(meant, safe=False)
    return site.write_interpretation(informal.color(site.text))


@rule("SGF310", Scope.VALUE, kinds("point", "stone", "move"), ignores=CleanForm.ANY)
def white_space_in_value(value: PropValue) -> Finding | None:
    """Reports white space in a point, stone or move."""
    places = [(kind, raw) for kind, raw in value.other_parts if kind in PLACES]
    is_known = all(value.is_known(kind) for kind, _ in places)
    return at(value) if is_known and any(_SPACE.search(raw) for _, raw in places) else None


#: White space between two digits, which may separate two numbers.
_BETWEEN_DIGITS = re.compile(rb"[0-9][ \t\n\r\v\f]+[0-9]")


@fix_for("SGF310")
def delete_white_space(site: FixContext) -> Fix | None:
    """Delete the white space, if this gives a correct value; it may also separate two points.

    This is not safe if nothing else is in the value, which would be a pass then, or if the points
    would not be on the board.
    """
    value = site.value
    if value.composed and not value.halves:
        return write_missing_colon(site)
    parts = [
        (kind, raw if kind in TEXT_TYPES else _SPACE.sub(b"", raw)) for kind, raw in value.parts
    ]
    corners = [(kind, raw) for kind, part in parts for raw in part.split(b":")]
    changed = [raw for kind, raw in value.parts if kind not in TEXT_TYPES]
    if any(map(_BETWEEN_DIGITS.search, changed)):
        return None
    if all(kind in TEXT_TYPES or value.matches(kind, raw) for kind, raw in corners):
        written = b":".join(raw for _, raw in parts)
        are_on_board = all(is_on_board(value, kind, raw) for kind, raw in corners)
        return site.replace(written, safe=written != b"" and are_on_board)
    return separate_points(site)


@rule("SGF411", Scope.VALUE, where(format="figure"))
def figure_shape(value: PropValue) -> Finding | None:
    """Reports FG that is neither empty nor flags and a name."""
    return None if value.matches("figure") else at(value)


@fix_for("SGF411", local=True)
def complete_figure(site: FixContext) -> Fix | None:
    """Add the missing half: an empty name to flags, the flags 0 to a name.

    This is not safe for a number, which may be the flags or the name, nor before FF[4], where
    the value had another form.
    """
    raw = site.value.raw
    flags = _SPACE_OR_ZERO.sub(b"", raw)
    if _FLAGS.fullmatch(flags):
        return site.replace(flags + b":", safe=False)
    if not raw.strip():
        return None
    safe = site.tree.file_format >= 4 and b":" not in raw[1:]
    return site.replace(b"0:" + escape_colons_in(raw.removeprefix(b":")), safe=safe)


@rule("SGF321", Scope.VALUE, where(ident="AP"), ignores=CleanForm.ANY)
def application_without_version(value: PropValue) -> Finding | None:
    """Reports AP with only the name of a program."""
    return at(value) if value.raw and not value.halves else None


@rule("SGF309", Scope.VALUE, not_text, ignores=CleanForm.ANY)
def malformed_compose(value: PropValue) -> Finding | None:
    """Reports a composed value without ":", or with a half that may not be empty, or is not the
    number, Double or Color that it should be; points have rules of their own."""
    if not value.composed or (
        not value.raw
        and value.matches("none", value.raw)
        and value.definition.alternatives[0].first == "none"
    ):
        return None
    expected = _type_titles(value.definition.alternatives[-1])
    if not value.halves:
        return at(value, expected=expected)
    for kind, raw in value.other_parts:
        if not (raw and kind in PLACES) and not value.matches(kind, raw):
            return at(value, expected=expected)
    return None


@fix_for("SGF309", "SGF321")
def add_second_half(site: FixContext) -> Fix | None:
    """Add an empty second half if both halves are SimpleText; write a label without text as a mark
    of its point, and the ":" after a point."""
    value = site.value
    if not value.raw:
        return None
    halves = value.definition.alternatives[-1]
    if value.definition.unique == "label" and value.matches("point"):
        edits = site.delete().edits
        is_labeled = any(
            other.raw.startswith(value.raw + b":") for other in site.entry.prop_values()
        )
        end = site.entry.offsets[1]
        mark = () if is_labeled else (Edit(end, end, b"MA[" + value.raw + b"]"),)
        return Fix((*edits, *mark), safe=False)
    if {halves.first, halves.second} != {"simpletext"}:
        return write_missing_colon(site)
    return site.replace(value.raw + b":")


@rule("SGF313", Scope.VALUE, kinds("point", "stone"), ignores=CleanForm.ANY)
def pass_as_point(value: PropValue) -> Finding | None:
    """Reports a pass where a point or stone is expected."""
    for kind, raw in value.other_parts:
        if kind in {"point", "stone"} and raw and value.names_pass(raw):
            return at(value)
    return None


@rule("SGF315", Scope.VALUE, kinds("point", "stone"), ignores=CleanForm.ANY)
def one_point_rectangle(value: PropValue) -> Finding | None:
    """Reports a rectangle of one point."""
    corners = value.rectangle
    return at(value) if corners is not None and corners[0] == corners[1] else None


@rule("SGF314", Scope.VALUE, kinds("point", "stone"), ignores=CleanForm.ANY)
def malformed_rectangle(value: PropValue) -> Finding | None:
    """Reports a ":" in a point list whose sides are not two points of the board."""
    definition = value.definition
    if not value.is_point or value.kind == "move" or value.composed:
        return None
    if not definition.takes_many or _COLON not in value.raw:
        return None
    corners = value.rectangle
    if corners is not None and all(map(value.tree.has_point, corners)):
        return None
    return at(value)


@rule("SGF316", Scope.VALUE, kinds("point", "stone"), ignores=CleanForm.ANY)
def rectangle_corners(value: PropValue) -> Finding | None:
    """Reports a rectangle that does not name upper left and lower right corner in this order."""
    return at(value) if value.rectangle != _corners_in_order(value) else None


def _corners_in_order(value: PropValue) -> Rectangle | None:
    """The upper left and the lower right corner of a rectangle; None where the value is none."""
    if value.rectangle is None:
        return None
    first, last = ordered(*value.rectangle)
    if value.tree.game_definition.upward:
        first, last = first._replace(row=last.row), last._replace(row=first.row)
    return first, last


@fix_for("SGF315", "SGF316", local=True)
def write_rectangle(site: FixContext) -> Fix | None:
    """Write the rectangle with its corners in order, or as a point if it has one point."""
    corners = _corners_in_order(site.value)
    assert corners is not None
    return site.replace(":".join(dict.fromkeys(map(site.tree.write_point, corners))))


@rule("SGF320", Scope.VALUE, kinds("stone"), ignores=CleanForm.ANY, is_point=False)
@rule("SGF312", Scope.VALUE, kinds("point", "stone"), ignores=CleanForm.ANY, is_point=True)
def malformed_point_or_stone(value: PropValue, is_point: bool) -> Finding | None:
    """Reports a point, or a stone that is written as one, that is not in the notation of the game;
    or a stone in a game whose stones are not points."""
    for kind, raw in value.other_parts if value.rectangle is None else ():
        is_written_as_point = kind == "point" or value.stone_is_point
        if kind not in {"point", "stone"} or is_written_as_point is not is_point:
            continue
        if not value.matches(kind, raw):
            return at(value, expected=_form(value, kind))
    return None


@rule("SGF319", Scope.VALUE, kinds("move"), ignores=CleanForm.ANY)
def malformed_move(value: PropValue) -> Finding | None:
    """Reports a move that is not in the notation of the game."""
    if value.matches("move"):
        return None
    return at(value, expected=_form(value, "move"))


@rule("SGF401", Scope.VALUE, kinds("point", "stone", "move"), ignores=CleanForm.ANY)
def point_off_board(value: PropValue) -> Finding | None:
    """Reports a point outside the board."""
    size = value.tree.size
    if size is None or not value.is_point or value.rectangle is not None:
        return None
    if all(is_on_board(value, kind, raw) for kind, raw in value.other_parts):
        return None
    return at(value, columns=size[0], rows=size[1])


@fix_for("SGF401")
def write_pass_or_point_in_lowercase(site: FixContext) -> Fix | None:
    """Write a move one beyond the lower right corner, as some programs write a pass, as one, and a
    point in lowercase letters, if that is one of the board or a pass; this is not safe, because
    these are the points of larger boards. Where many points are beyond the board, its size is
    wrong."""
    value, tree = site.value, site.tree
    fix = write_size_of_moves(site)
    if fix is not None:
        return fix
    if value.kind == "move" and tree.game == 1:
        corner: Point = tree.parsed.reader.read("point", value.raw)
        if tuple(corner) == tree.size:
            return site.replace("", safe=False)
    point = _LETTERS.match(value.raw)
    if point is None:
        return None
    raw = point[0].lower()
    is_meant = value.names_pass(raw) or is_on_board(value, "point", raw)
    # Of a line it may be the other end that is not on the board.
    if raw == point[0] or not is_meant:
        return None
    return Fix((Edit(value.start, value.start + len(raw), raw),), safe=False)


@rule("SGF318", Scope.CONTENT, where(unique="label"), ignores=CleanForm.ANY)
def label_without_text(value: PropValue) -> Finding | None:
    """Reports a label without text, or with nothing but blanks."""
    assert value.halves is not None
    label: str = value.tree.parsed.reader.read("simpletext", value.halves[1])
    return at(value) if not label.strip() else None


@rule("SGF906", Scope.CONTENT, kinds("number", "real"), ignores=CleanForm.NUMBER | CleanForm.REAL)
def oversized_number(value: PropValue) -> Finding | None:
    """Reports a number that does not fit into 64 bits, which most programs use; of a real number
    that is one that they read as infinite."""
    if not value.composed and value.kind == "real" and value.matches("real"):
        return at(value) if isinf(float(value.raw)) else None
    if value.composed or not value.matches("number"):
        return None
    digits = value.raw.lstrip(b"+-0")
    most = b"%d" % (2**63 if value.raw.startswith(b"-") else 2**63 - 1)
    return at(value) if (len(digits), digits) > (len(most), most) else None
