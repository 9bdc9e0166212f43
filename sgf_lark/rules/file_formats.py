"""Rules about properties and values of other file formats and other games (1xx, 4xx, 8xx)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark import grammar
from sgf_lark.diagnostics import Words
from sgf_lark.model.context import board_sides
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.notations import has_short_pass
from sgf_lark.model.values.points import count_points, expand
from sgf_lark.rules.fixes import FIXED_WITH_ANOTHER, Fix, FixContext, fix_for
from sgf_lark.rules.ranges import (
    declare_latest_file_format,
    other_format,
    rules_name,
    write_in_format,
)
from sgf_lark.rules.registry import CleanForm, Finding, Scope, at, kinds, rule, where

#: Before FF[4] boards are square and have up to 19 lines, and labels four characters.
_LARGEST_BOARD_BEFORE_FF4 = 19
_LONGEST_LABEL_IN_FF3 = 4
#: What no time has in it, in any unit.
_STRUCTURE = re.compile(r"[()\[\]{};]")


@rule("SGF430", Scope.PROPERTY, ignores=CleanForm.ANY)
def property_not_in_file_format(entry: Property) -> Iterator[Finding]:
    """Reports a standard property that the tree's file format does not define."""
    if entry.definition is None or entry.definition.private:
        return
    if entry.tree.file_format not in entry.definition.file_formats:
        known = [f"FF[{number}]" for number in entry.definition.file_formats]
        formats = Words(", ".join(known), "、".join(known))
        yield at(entry, format=entry.tree.file_format, formats=formats)


@rule("SGF437", Scope.PROPERTY, where(takes_many=True), ignores=CleanForm.ANY, until=3)
def rectangle_before_ff4(entry: Property) -> Iterator[Finding]:
    """Reports a compressed point list in a file format before FF[4]."""
    for value in entry.prop_values():
        if value.rectangle is not None:
            yield at(value, format=entry.tree.file_format)


@fix_for("SGF437")
def expand_rectangle(site: FixContext) -> Fix | None:
    """List the points of the rectangle one by one, if they are on the board.

    VW takes two corners; this is not safe, because newer programs show these two points. Nor is
    FF[4], which is declared where there are very many points, and where VW has more than corners.
    """
    corners, tree = site.value.rectangle, site.tree
    assert corners is not None
    if not all(map(tree.has_point, corners)):
        return None
    is_view = site.ident == "VW"
    if is_view and site.entry.count == 1:
        return site.replace("][".join(map(tree.write_point, corners)), safe=False)
    named = site.cached(("points of rectangles", tree.number), lambda: _count_points(tree))
    if is_view or named > max(_MOST_POINTS, tree.parsed.bounds[1] - tree.parsed.bounds[0]):
        is_first = site.is_first("FF", tree.number)
        return declare_latest_file_format(site) if is_first else FIXED_WITH_ANOTHER
    return site.replace(
        site.cached(
            ("rectangle", tree.number, corners),
            lambda: "][".join(map(tree.write_point, expand(*corners))),
        )
    )


#: The points that rectangles of a game tree may have to be listed one by one, in a larger tree as
#: many as it has bytes: seven bytes can name a whole board, in each of many nodes.
_MOST_POINTS = 50_000


def _count_points(tree: GameTree) -> int:
    """The number of points that the rectangles of a game tree have."""
    rectangles = (
        value.rectangle
        for node in tree.nodes()
        for entry in node.select(takes_many=True)
        for value in entry.prop_values()
    )
    return sum(count_points(*corners) for corners in filter(None, rectangles))


@rule("SGF803", Scope.PROPERTY, ignores=CleanForm.ANY)
def property_of_another_game(entry: Property) -> Iterator[Finding]:
    """Reports a property that only other games define."""
    if entry.definition is not None:
        return
    numbers = {number for each in grammar.definitions(entry.ident) for number in each.games}
    if numbers:
        found = [grammar.game(number) for number in sorted(numbers)]
        games = Words(
            ", ".join(game.name for game in found), "、".join(game.name_zh for game in found)
        )
        own = entry.tree.game_definition
        yield at(entry, games=games, game=Words(own.name, own.name_zh))


@rule("SGF804", Scope.PROPERTY, ignores=CleanForm.ANY)
def unknown_property(entry: Property) -> Iterator[Finding]:
    """Reports a property that is not in the table, or that one program added."""
    definition = entry.definition
    if definition is not None and definition.private and not definition.replaced_by:
        program = definition.private
        what = Words(
            f"a property of {program}, not a standard one", f"是 {program} 的属性，不是标准属性"
        )
        yield at(entry, what=what)
    elif definition is None and entry.ident.isupper() and not grammar.definitions(entry.ident):
        yield at(entry, what=Words("not a standard property", "不是标准属性"))


@rule("SGF115", Scope.PROPERTY, ignores=CleanForm.ANY, once=True)
def long_identifier(entry: Property) -> Iterator[Finding]:
    """Reports an identifier of 3 to 100 letters that is not a property of a known program."""
    if entry.definition is not None and entry.definition.private:
        return
    if 2 < len(entry.ident) <= 100 and entry.ident.isupper():
        yield at(entry)


@rule("SGF116", Scope.PROPERTY, ignores=CleanForm.ANY)
def oversized_identifier(entry: Property) -> Iterator[Finding]:
    """Reports an identifier of more than 100 letters."""
    if len(entry.ident) > 100:
        yield at(entry)


# --- Trees older than FF[4] -------------------------------------------------------


@rule("SGF433", Scope.CONTENT, where(format="size"), until=3)
def board_before_ff4(value: PropValue) -> Finding | None:
    """Reports a board that is not square or, in Go, too large for the file format."""
    largest = max(board_sides(value.raw))
    if value.halves or (value.tree.game == 1 and largest > _LARGEST_BOARD_BEFORE_FF4):
        return at(value, format=value.tree.file_format)
    return None


@rule("SGF434", Scope.CONTENT, kinds("move"), ignores=CleanForm.MOVE, until=3)
def empty_pass_before_ff4(value: PropValue) -> Finding | None:
    """Reports a pass that is written as an empty value before FF[4]."""
    is_empty_pass = not value.raw and value.names_pass(b"")
    return at(value, format=value.tree.file_format) if is_empty_pass else None


@fix_for("SGF434")
def write_pass_as_tt(site: FixContext) -> Fix | None:
    """Write the pass as "tt"; if that is a point of the board, declare FF[4] instead.

    FF[4] it is, too, if another node has SZ, which may be moved to the root. "tt" is not safe if SZ
    cannot be read, so that the size of the board is unknown.
    """
    tree = site.tree
    may_have_another = site.cached(("further sizes", tree.number), lambda: _has_further_size(tree))
    if not has_short_pass(tree.size) or may_have_another:
        return declare_latest_file_format(site)
    size = site.tree.root.property("SZ") if "SZ" in site.tree.root else None
    is_known = size is None or all(value.matches("size") for value in size.prop_values())
    return site.replace("tt", safe=is_known)


def _has_further_size(tree: GameTree) -> bool:
    """Whether a node other than the root has SZ."""
    flat = tree.parsed.flat
    return any("SZ" in flat.identifiers(node) for node in tree.parsed.numbers[1:])


@rule("SGF435", Scope.PROPERTY, where(ident="VW"), until=3)
def view_before_ff4(entry: Property) -> Iterator[Finding]:
    """Reports VW without the two corners that it takes before FF[4]."""
    values = list(entry.prop_values())
    if not (len(values) == 2 or entry.raw == [b""] or any(value.rectangle for value in values)):
        yield at(entry, format=entry.tree.file_format)


@fix_for("SGF435")
def declare_format_of_view(site: FixContext) -> Fix | None:
    """Declare FF[4], in which VW is a list of points, if all values are points."""
    if not all(value.area for value in site.entry.prop_values()):
        return None
    is_first = site.is_first("FF", site.tree.number)
    return declare_latest_file_format(site) if is_first else FIXED_WITH_ANOTHER


@rule("SGF436", Scope.CONTENT, where(unique="label"), ignores=CleanForm.LABELS, since=3, until=3)
def long_label_in_ff3(value: PropValue) -> Finding | None:
    """Reports a label of more than four characters in FF[3]."""
    assert value.halves is not None
    label = value.tree.parsed.reader.read("simpletext", value.halves[1])
    return at(value, value=label) if len(label) > _LONGEST_LABEL_IN_FF3 else None


@rule(
    "SGF438",
    Scope.CONTENT,
    where(format=("date", "result", "backgammon_result", "seconds", "rules")),
    ignores=CleanForm.REAL | CleanForm.DATE,
    until=3,
)
def loose_format_before_ff4(value: PropValue) -> Finding | None:
    """Reports free text where FF[4] requires a format."""
    if not value.raw.strip():
        return None
    return rules_name(value) if value.definition.format == "rules" else other_format(value)


@fix_for("SGF438", local=True)
def write_format_of_ff4(site: FixContext) -> Fix | None:
    """Write dates, results, names of rules and plain numbers as in FF[4].

    Any other time would lose its unit. A number that only brackets and ";" make something else is
    a guess: they came there by damage.
    """
    from sgf_lark.model import informal

    if site.value.definition.format != "seconds":
        return write_in_format(site)
    if number := informal.number(site.text):
        return site.replace(number.value)
    number = informal.number(_STRUCTURE.sub("", site.text))
    return site.replace(number.value, safe=False) if number else None


@rule("SGF431", Scope.CONTENT, where(format="figure"), until=3)
def figure_before_ff4(value: PropValue) -> Finding | None:
    """Reports flags or a name of a figure before FF[4]."""
    return at(value, format=value.tree.file_format) if value.raw else None


@rule("SGF432", Scope.PROPERTY, where(ident="KI"))
def integer_komi(entry: Property) -> Iterator[Finding]:
    """Reports a komi in half points, which another property replaces."""
    definition = entry.definition
    if definition is not None and definition.replaced_by:
        yield at(entry, value=entry.raw[0], other=definition.replaced_by)
