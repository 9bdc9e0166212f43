"""Rules about the range and the format of values (4xx).

Functions import :mod:`sgf_lark.model.informal` where they need it: to import it takes as long as to
check some files, of which most need none of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sgf_lark import grammar
from sgf_lark.diagnostics import Words
from sgf_lark.model.context import DEFAULT_GAME, board_sides, largest_komi
from sgf_lark.model.node import Node
from sgf_lark.model.programs import may_mean_something_else
from sgf_lark.model.property import PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.basic import bounded
from sgf_lark.model.values.formats import in_calendar, shortest
from sgf_lark.model.values.points import PointSet
from sgf_lark.rules.fixes import Edit, Fix, FixContext, fix_for
from sgf_lark.rules.moves import write_point_or_move
from sgf_lark.rules.registry import CleanForm, Finding, Needs, Scope, at, rule, where
from sgf_lark.rules.value_syntax import write_color
from sgf_lark.syntax import grammars as value_grammar

if TYPE_CHECKING:
    from sgf_lark.model.informal import Interpretation

_NUMBER = re.compile(rb"\d+")
#: A board size with white space in it.
_SPACED_SIZE = re.compile(rb"(?=.*\s)\s*\d+\s*:\s*\d+\s*", re.DOTALL)
#: One part of a date list: a date, a shortcut, or nothing.
_DATE_PART = re.compile(r"\s*(?:\d{4}(?:-\d\d(?:-\d\d)?)?|\d\d-\d\d|\d\d|)\s*")
_ZERO_MARGIN = re.compile(r"[BW]\+0+(?:\.0+)?")


def _violates_format(value: PropValue) -> bool:
    """Whether the value does not follow the format of its property; a text without its escapes,
    which the formats do not know."""
    raw = value.text.encode() if value.definition.is_text else value.raw
    return not value.matches(value.definition.format, raw)


# --- Root properties ------------------------------------------------------------


@fix_for("SGF402")
def write_file_format(site: FixContext) -> Fix | None:
    """Write the number without white space and the like; declare FF[4] for other values."""
    return write_number(site) or site.replace_keeping_text(b"4")


@fix_for("SGF433", "SGF436")
def declare_latest_file_format(site: FixContext) -> Fix | None:
    """Declare FF[4]; this is not safe, because properties may have another meaning in it."""
    entry = site.tree.root.property("FF", None)
    if entry is None:
        return None
    value = next(entry.prop_values())
    return Fix((Edit(value.start, value.end, b"4"),), safe=False)


@rule("SGF408", Scope.VALUE, where(format="size"))
def board_size_notation(value: PropValue) -> Finding | None:
    """Reports two numbers of a board size that are not joined by only ":"."""
    numbers = _NUMBER.findall(value.raw)
    if len(numbers) != 2 or b"0" in numbers or not _violates_format(value):
        return None
    is_spaced = _SPACED_SIZE.fullmatch(value.raw) is not None
    return at(value) if is_spaced or not value.matches("compose") else None


_OF_FORMATS = ("SGF405", "SGF408", "SGF418", "SGF419", "SGF420", "SGF423", "SGF425", "SGF426")


@fix_for(*_OF_FORMATS, local=True)
def write_in_format(site: FixContext) -> Fix | None:
    """Write a board size, dates, a result, the name of rules or a rank as its format has them."""
    from sgf_lark.model import informal

    value = site.value
    understand = informal.BY_FORMAT.get(value.definition.format)
    text = value.text if value.definition.is_text else site.text
    return site.write_interpretation(understand(text)) if understand else None


@rule("SGF402", Scope.VALUE, where(format="file_format"))
@rule("SGF403", Scope.VALUE, where(format="game"))
@rule("SGF405", Scope.VALUE, where(format="size"))
@rule("SGF409", Scope.VALUE, where(format="variation_style"))
@rule("SGF410", Scope.VALUE, where(format="print_mode"))
@rule("SGF413", Scope.VALUE, where(format="handicap"))
@rule("SGF415", Scope.VALUE, where(format="komi"), ignores=CleanForm.REAL)
@rule("SGF416", Scope.VALUE, where(format="seconds"), ignores=CleanForm.REAL, since=4)
@rule("SGF423", Scope.VALUE, where(format=("result", "backgammon_result")), since=4)
def other_format(value: PropValue) -> Finding | None:
    """Reports a value that does not follow the format of its property, whatever is wrong: of a
    board size what is not known better (SGF408). The formats of times and results are new in FF[4].
    """
    return at(value) if _violates_format(value) else None


@rule("SGF406", Scope.CONTENT, where(format="size"))
def square_board_as_pair(value: PropValue) -> Finding | None:
    """Reports a square board that is written as two numbers."""
    if not value.halves:
        return None
    columns, rows = (side.lstrip(b"+0") for side in value.halves)
    return at(value) if columns == rows else None


@fix_for("SGF406", local=True)
def write_square_size(site: FixContext) -> Fix | None:
    """Write the size of a square board as one number."""
    return site.replace(site.value.raw.split(b":")[0])


@rule("SGF407", Scope.CONTENT, where(format="size"))
def board_too_large(value: PropValue) -> Finding | None:
    """Reports a board that is larger than the game's maximum."""
    maximum = value.tree.game_definition.maximum_size
    if maximum is None:
        return None
    largest = max(board_sides(value.raw))
    return at(value, maximum=maximum) if largest > maximum else None


@fix_for("SGF407", local=True)
def write_largest_size(site: FixContext) -> Fix | None:
    """Write the largest size of the game, so that points on that board stay; this is not safe."""
    maximum = site.tree.game_definition.maximum_size
    assert maximum is not None
    sides = [min(side, maximum) for side in board_sides(site.value.raw)]
    return site.replace_keeping_text(":".join(map(str, dict.fromkeys(sides))))


@rule("SGF404", Scope.CONTENT, where(format="game"))
def unlisted_game(value: PropValue) -> Finding | None:
    """Reports a game number that the specification does not list."""
    return None if value.tree.game in grammar.games() else at(value)


@rule("SGF439", Scope.TREE, needs=Needs.NO_FILE_FORMAT)
def missing_file_format(tree: GameTree) -> Iterator[Finding]:
    """Reports a root without FF, and the file format that the tree is in."""
    if tree.parsed.file.file_format is None and "FF" not in tree.parsed.root_values:
        start = tree.parsed.flat.node_start[tree.parsed.numbers[0]]
        yield Finding(start, start + 1, {"format": tree.file_format}, node=tree.parsed.numbers[0])


@fix_for("SGF439")
def write_likely_file_format(site: FixContext) -> Fix | None:
    """Write FF; this is not safe, since what the tree is in is a guess.

    There is none where FF is in a later node, or where the trees may be parts of one.
    """
    tree = site.tree
    is_part = len(site.collection) > 1 and not any(
        tree.root.select(type=each) for each in ("root", "game-info")
    )
    if is_part or tree.parsed.flat.properties_of_ident(tree.parsed.numbers, "FF"):
        return None
    written = b"FF[%d]" % site.tree.file_format
    return Fix((Edit(site.end, site.end, written),), safe=False)


# --- Game information -----------------------------------------------------------


@fix_for("SGF413", local=True)
def write_handicap(site: FixContext) -> Fix | None:
    """Write the number of stones; a game without handicap has no HA.

    That HA[0] is deleted is not safe if there is another number, which programs would then read.
    HA[1] is left to the last resort: it may mean that Black gives no komi.
    """
    from sgf_lark.model import informal

    found = informal.handicap(site.text)
    if not site.text.strip() or (found and found.complete and int(found.value) == 0):
        is_only = site.entry.count == 1 and not site.is_repeated
        return site.delete(safe=not site.text.strip() or is_only)
    return site.write_interpretation(found) if found and int(found.value) > 1 else None


@rule("SGF414", Scope.NODE, having=(where(format="handicap"),))
def handicap_without_setup(node: Node) -> Iterator[Finding]:
    """Reports a handicap that differs from the number of black stones that AB sets up."""
    is_number = value_grammar.pattern("handicap").fullmatch
    entries = [entry for entry in node.select(format="handicap") if is_number(entry.raw[0])]
    if not entries:
        return
    points = PointSet()
    for black in node.select("AB"):
        for value in black.prop_values():
            if value.area is not None:
                points.add(value.area)
    count = len(points)
    for entry in entries:
        stones = entry.raw[0]
        if count != bounded(stones):
            yield at(entry, value=stones, count=count)


@fix_for("SGF415", local=True)
def write_komi(site: FixContext) -> Fix | None:
    """Write the komi as a real number."""
    return write_in_format(site) if site.text.strip() else site.delete()


@rule("SGF441", Scope.CONTENT, where(format="komi"))
def implausible_komi(value: PropValue) -> Finding | None:
    """Reports a komi that is too large for the board."""
    if may_mean_something_else(value.tree, value.property.ident, value.raw):
        return None
    limit = largest_komi(value.tree.size)
    return at(value, limit=limit) if abs(float(value.raw)) > limit else None


@fix_for("SGF441", local=True)
def write_komi_in_points(site: FixContext) -> Fix | None:
    """Write hundredths as points, or as stones if they are quarters; this is not safe."""
    from sgf_lark.model import informal

    points = informal.points_of_hundredths(site.text)
    return site.replace_keeping_text(points) if points else None


@fix_for("SGF416")
def write_seconds(site: FixContext) -> Fix | None:
    """Write the time in seconds; a description of overtime in a time limit goes to OT."""
    from sgf_lark.model import informal

    text = site.text
    if not text.strip():
        return site.delete()
    if plain := site.cached(("number", text), lambda: informal.number(text)):
        return site.replace(plain.value)
    if site.value.definition.type != "game-info":
        meant = site.cached(("seconds", text), lambda: informal.seconds(text))
        return site.write_interpretation(meant)
    limit = site.cached(("time limit", text), lambda: informal.time_limit(text))
    if limit is None:
        return None
    found, overtime = limit
    if overtime:
        return _write_with_overtime(site, found, overtime)
    return site.write_interpretation(found)


def _write_with_overtime(site: FixContext, found: Interpretation, overtime: str) -> Fix | None:
    """Write a time limit, and the overtime in OT, which a node of FF[4] may have."""
    value, entry = site.value, site.entry
    if not found.complete or site.node.property("OT", None):
        return site.replace_keeping_text(found.value)
    end = entry.offsets[1]
    added = b"OT[" + site.write(overtime) + b"]"
    return Fix((Edit(value.start, value.end, found.value.encode()), Edit(end, end, added)))


@rule("SGF417", Scope.CONTENT, where(format="seconds"), ignores=CleanForm.REAL)
def negative_time(value: PropValue) -> Finding | None:
    """Reports a negative time."""
    negative = value.raw.startswith(b"-") and not _violates_format(value)
    return at(value) if negative and float(value.raw) < 0 else None


def _quoted(text: str) -> Words:
    """The text in quotation marks."""
    return Words(f'"{text}"', f"“{text}”")


@rule("SGF418", Scope.VALUE, where(format="date"), ignores=CleanForm.DATE, since=4)
def date_format(value: PropValue) -> Finding | None:
    """Reports the first part of a date list that has not the form of a date."""
    for part in value.text.split(",") if _violates_format(value) else ():
        if not _DATE_PART.fullmatch(part) or not value.text:
            return at(value, detail=part.strip() or _quoted(""))
    return None


@rule("SGF419", Scope.VALUE, where(format="date"), ignores=CleanForm.DATE, since=4)
def date_list(value: PropValue) -> Finding | None:
    """Reports the first part of a date list that cannot follow the parts before it."""
    if not _violates_format(value):
        return None
    parts = value.text.split(",")

    def is_wrong(count: int) -> bool:
        """Whether the list is wrong up to there; then it is with each further part, too."""
        return not value.matches("date", ",".join(parts[:count]).encode())

    # Not one by one: a list may have many thousand parts.
    first_wrong = bisect_left(range(len(parts)), True, lo=1, key=is_wrong)
    return at(value, detail=_quoted(parts[first_wrong - 1]))


@fix_for("SGF421", local=True)
def shorten_dates(site: FixContext) -> Fix | None:
    """Write dates with the shortcuts of DT."""
    return site.replace(shortest(_dates(site.value)))


def _dates(value: PropValue) -> list[tuple[int, ...]]:
    """The dates of a value that follows the format."""
    found: list[tuple[int, ...]] = value.tree.parsed.reader.read("date", value.text.encode())
    return found


@rule("SGF420", Scope.CONTENT, where(format="date"), ignores=CleanForm.DATE, since=4)
def no_such_date(value: PropValue) -> Finding | None:
    """Reports a date that is not in the calendar."""
    for date in _dates(value):
        if not in_calendar(*date):
            return at(value, detail="-".join(f"{part:02}" for part in date))
    return None


@rule("SGF421", Scope.CONTENT, where(format="date"), ignores=CleanForm.DATE, since=4)
def date_shortcut(value: PropValue) -> Finding | None:
    """Reports a date list that the shortcuts of DT make shorter."""
    if "," not in value.text:
        return None
    shorter = shortest(_dates(value))
    return at(value, detail=shorter) if len(shorter) < len(value.text) else None


@rule("SGF424", Scope.CONTENT, where(format=("result", "backgammon_result")), since=4)
def zero_margin(value: PropValue) -> Finding | None:
    """Reports a win by zero points."""
    return at(value) if _ZERO_MARGIN.fullmatch(value.text) else None


@rule("SGF425", Scope.CONTENT, where(format="rules"), since=4)
def rules_name(value: PropValue) -> Finding | None:
    """Reports other spellings and other names of the rules of Go that RU has fixed names for."""
    if value.tree.game != 1 or not _violates_format(value):
        return None
    from sgf_lark.model import informal

    meant = informal.rules(value.text)
    return at(value, meant=meant.value) if meant else None


@rule("SGF426", Scope.CONTENT, where(format="rank"))
@rule("SGF427", Scope.CONTENT, where(format="round"))
def recommended_form(value: PropValue) -> Finding | None:
    """Reports a rank of Go, or a round, that is not written in the recommended form."""
    format_ = value.definition.format
    has_form = format_ == "round" or value.tree.game == 1
    is_other = value.raw.strip() and not value.matches(format_)
    return at(value) if has_form and is_other else None


# --- FG -------------------------------------------------------------------------


@rule("SGF412", Scope.CONTENT, where(format="figure"))
def figure_flags(value: PropValue) -> Finding | None:
    """Reports flags that FG does not define; the catalogue lists those that it defines."""
    if not value.halves:
        return None
    undefined = bounded(value.halves[0]) & ~sum(grammar.rule("SGF412").data["flags"])
    return at(value) if undefined else None


# --- Numbers in general ---------------------------------------------------------


@rule("SGF440", Scope.CONTENT, where(has_range=True, format=""))
def number_out_of_range(value: PropValue) -> Finding | None:
    """Reports a number outside the range of its property; rules about formats report theirs."""
    definition = value.definition
    for kind, raw in value.other_parts:
        if kind in ("number", "real") and value.matches(kind, raw) and not definition.in_range(raw):
            return at(value, limits=Words(*definition.limits))
    return None


@fix_for("SGF403", local=True)
def write_game_number(site: FixContext) -> Fix | None:
    """Write the number of the game; this is not safe if the tree would then be read as another
    game by programs that take an invalid number for that of Go."""
    from sgf_lark.model import informal

    found = informal.game(site.text)
    if found is None:
        return None
    if found.complete:
        return site.replace(found.value, safe=not _is_other_game(site, found.value))
    return site.replace_keeping_text(found.value)


@fix_for("SGF303", "SGF304", "SGF409", "SGF410", local=True)
def write_number(site: FixContext) -> Fix | None:
    """Write the number in the form of SGF; keep text after it that is not a unit in a comment."""
    from sgf_lark.model import informal

    value = site.value
    if value.definition.format == "handicap":
        return write_handicap(site)
    found = informal.number_with_text(site.text)
    if found is None or not _is_correct(value, found.value.encode()):
        return None
    if not found.complete and value.definition.format == "seconds":
        return None
    return site.write_interpretation(found)


def _is_other_game(site: FixContext, number: str) -> bool:
    """Whether the value is a GM that programs may take for that of Go, and that would then be that
    of another game."""
    return site.value.definition.format == "game" and number != str(DEFAULT_GAME)


def _is_correct(value: PropValue, raw: bytes) -> bool:
    """Whether `raw` would be a correct value of the property."""
    format_ = value.definition.format
    return value.matches(format_, raw) if format_ else value.matches(value.kind, raw)


@fix_for("SGF202", "SGF311")
def write_in_ascii(site: FixContext) -> Fix | None:
    """Write full-width characters as ASCII; fix other text as if it were in ASCII without ":".

    This is not safe for what has to be known to understand it: another game, or the notation of
    a game. Times in words would lose their unit before FF[4].
    """
    from sgf_lark.model.informal.words import narrow

    value = site.value
    if value.composed:
        return None
    written = narrow(site.text).strip()
    if written.isascii() and _is_correct(value, written.encode()):
        is_known = all(value.is_known(kind) for kind, _ in value.other_parts)
        return site.replace(written, safe=is_known and not _is_other_game(site, written))
    by_format = {
        "game": write_game_number,
        "komi": write_komi,
        "size": write_in_format,
    }
    if site.tree.file_format >= 4:
        by_format["seconds"] = write_seconds
    by_kind = {
        "number": write_number,
        "real": write_number,
        "color": write_color,
        "move": write_point_or_move,
    }
    fix = by_format.get(value.definition.format) or by_kind.get(value.kind)
    return fix(site) if fix else None
