"""Rules about the range and the format of values (4xx).

Fixs alone need to know what people write, so that they import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark import grammar
from sgf_lark.model.node import Node
from sgf_lark.model.property import PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.dates import shortest
from sgf_lark.rules.fixes import Edit, Fix, Site, fix_for
from sgf_lark.rules.registry import Finding, Needs, Plain, Scope, at, formats, rule
from sgf_lark.syntax import values as value_grammar

#: A size as people may mean it.
_SPACED_SIZE = re.compile(rb"\s*\d+\s*:\s*\d+\s*")
_ZERO_MARGIN = re.compile(r"[BW]\+0+(?:\.0+)?")


def _outside(value: PropValue) -> bool:
    """Whether the value does not follow the format of its property."""
    return not value.matches(value.definition.format)


# --- Root properties ------------------------------------------------------------


@rule("SGF402", Scope.VALUE, formats("file_format"))
def file_format_range(value: PropValue) -> Finding | None:
    if not _outside(value):
        return None
    return at(value, 46 if value.matches("game") else None)


@fix_for("SGF402", "SGF433", "SGF436")
def latest_file_format(site: Site) -> Fix | None:
    """What is used needs FF[4]; other properties may mean something else in it."""
    entry = site.tree.root.find("FF")
    if entry is None:
        return None
    value = next(entry.prop_values())
    return Fix((Edit(value.start, value.end, b"4"),), safe=False)


@rule("SGF403", Scope.VALUE, formats("game"))
def game_number(value: PropValue) -> Finding | None:
    return at(value) if _outside(value) else None


@rule("SGF408", Scope.VALUE, formats("size"))
def board_size_notation(value: PropValue) -> Finding | None:
    """Two numbers, but not joined by ":" alone."""
    if not _outside(value) or value.matches("compose"):
        spaced = _SPACED_SIZE.fullmatch(value.raw)
        if not spaced or not _outside(value) or value.raw.replace(b":", b"").isdigit():
            return None
    numbers = re.compile(rb"\d+").findall(value.raw)
    return at(value) if len(numbers) == 2 and b"0" not in numbers else None


@fix_for("SGF408")
def size_as_meant(site: Site) -> Fix | None:
    numbers = re.compile(r"\d+").findall(site.value.raw.decode("latin-1")) if site.value else []
    if len(numbers) != 2:
        return None
    return site.replace(numbers[0] if numbers[0] == numbers[1] else ":".join(numbers))


@rule("SGF405", Scope.VALUE, formats("size"))
def board_size(value: PropValue) -> Finding | None:
    return at(value) if _outside(value) else None


@rule("SGF406", Scope.CONTENT, formats("size"))
def square_board_as_pair(value: PropValue) -> Finding | None:
    if not value.halves:
        return None
    columns, rows = value.tree.reader.read("size", value.raw)
    return at(value) if columns == rows else None


@fix_for("SGF406")
def one_number_for_a_square(site: Site) -> Fix | None:
    return site.replace(site.value.raw.split(b":")[0]) if site.value else None


@rule("SGF407", Scope.CONTENT, formats("size"))
def board_too_large(value: PropValue) -> Finding | None:
    maximum = value.tree.game_definition.maximum_size
    if maximum is None:
        return None
    largest = max(value.tree.reader.read("size", value.raw))
    return at(value, maximum=maximum) if largest > maximum else None


@rule("SGF404", Scope.CONTENT, formats("game"))
def unlisted_game(value: PropValue) -> Finding | None:
    return None if value.tree.game in grammar.games() else at(value)


@rule("SGF409", Scope.VALUE, formats("variation_style"))
def variation_style(value: PropValue) -> Finding | None:
    return at(value) if _outside(value) else None


@rule("SGF410", Scope.VALUE, formats("print_mode"))
def print_mode(value: PropValue) -> Finding | None:
    return at(value, None if value.raw else 17) if _outside(value) else None


@rule("SGF439", Scope.TREE, needs=Needs.NO_FILE_FORMAT)
def missing_file_format(tree: GameTree) -> Iterator[Finding]:
    if tree.file.file_format is None and "FF" not in tree.root_values:
        start = tree.flat.node_start[tree.first]
        yield Finding(start, start + 1, {}, node=tree.first)


# --- Game information -----------------------------------------------------------


@rule("SGF413", Scope.VALUE, formats("handicap"))
def handicap(value: PropValue) -> Finding | None:
    return at(value) if _outside(value) else None


@fix_for("SGF413")
def no_handicap(site: Site) -> Fix | None:
    """HA[0] says nothing; HA[1] may be meant to say that there is no komi."""
    from sgf_lark.rules import informal

    raw = site.value.raw.strip() if site.value else b""
    if re.compile(rb"0*[01]?(?:\.0*)?").fullmatch(raw):
        return site.delete(safe=not re.compile(rb"1").search(raw))
    found = informal.number(raw.decode("latin-1"))
    if found is None or not found.value.isdigit() or int(found.value) < 2:
        return None
    return site.replace(found.value, safe=not found.rest)


@rule("SGF414", Scope.NODE, having=(formats("handicap"),), depends_on=("HA", "AB"))
def handicap_without_setup(node: Node) -> Iterator[Finding]:
    """HA promises a position; the stones are set up by AB in the same node."""
    for entry in node.of_format("handicap"):
        stones = entry.raw[0]
        if not value_grammar.pattern("handicap").fullmatch(stones):
            continue
        black = node.find("AB")
        count = 0 if black is None else black.count_points()
        if count != int(stones):
            yield at(entry, value=stones, count=count)


@rule("SGF415", Scope.VALUE, formats("komi"), ignores=Plain.REAL)
def komi(value: PropValue) -> Finding | None:
    return at(value) if _outside(value) else None


@fix_for("SGF415")
def komi_as_meant(site: Site) -> Fix | None:
    return _number_of(site)


def _number_of(site: Site) -> Fix | None:
    """A number that was written otherwise; what says nothing at all is deleted."""
    from sgf_lark.rules import informal

    text = _text_of(site)
    if not re.compile(r"\w").search(text):
        return site.delete()
    found = informal.number(text)
    if found is None:
        return None
    return site.replace(found.value, safe=not found.rest)


def _text_of(site: Site) -> str:
    return site.value.raw.decode(site.tree.context.codec, "replace") if site.value else ""


@rule("SGF416", Scope.VALUE, formats("seconds"), ignores=Plain.REAL)
def time_not_in_seconds(value: PropValue) -> Finding | None:
    return at(value) if _outside(value) else None


@fix_for("SGF416")
def seconds_as_meant(site: Site) -> Fix | None:
    """What the time limit says of the overtime goes to the property for it."""
    from sgf_lark.rules import informal

    text, entry = _text_of(site), site.entry
    found = informal.seconds(text)
    if found is None or entry is None or not site.value:
        return _number_of(site)
    if not found.rest or site.value.definition.type != "game-info" or site.node.find("OT"):
        return site.replace(found.value, safe=not found.rest)
    end = entry.offsets[1]
    overtime = b"OT[" + site.write(found.rest) + b"]"
    return Fix(
        (Edit(site.value.start, site.value.end, found.value.encode()), Edit(end, end, overtime))
    )


@rule("SGF417", Scope.CONTENT, formats("seconds"), ignores=Plain.REAL)
def negative_time(value: PropValue) -> Finding | None:
    negative = value.raw.startswith(b"-")
    return at(value) if negative and float(value.raw) < 0 else None


def _follows_format(value: PropValue) -> bool:
    """Whether a text, once read, has the form that its property asks for."""
    return value.matches(value.definition.format, value.text.encode())


def _mandatory(value: PropValue) -> bool:
    """Formats of texts are mandatory from FF[4] on."""
    return value.tree.file_format >= 4


_DATE_PART = r"\s*(?:\d{4}(?:-\d\d(?:-\d\d)?)?|\d\d-\d\d|\d\d|)\s*"


@rule("SGF418", Scope.VALUE, formats("date"))
def date_format(value: PropValue) -> Finding | None:
    text = value.text
    if not _mandatory(value) or value.matches("date", text.encode()):
        return None
    for part in text.split(","):
        if not re.compile(_DATE_PART).fullmatch(part) or not text:
            return at(value, detail=part.strip() or '""')
    return None


@rule("SGF419", Scope.VALUE, formats("date"))
def date_list(value: PropValue) -> Finding | None:
    """Every part looks like a date, but not where it stands."""
    if not _mandatory(value) or value.matches("date", value.text.encode()):
        return None
    parts = value.text.split(",")
    for count in range(1, len(parts) + 1):
        if not value.matches("date", ",".join(parts[:count]).encode()):
            break
    return at(value, detail=f'"{parts[count - 1]}"')


@fix_for("SGF418", "SGF419", "SGF421", "SGF438")
def dates_as_meant(site: Site) -> Fix | None:
    from sgf_lark.rules import informal

    value = site.value
    if value is None or value.definition.format != "date":
        return result_as_meant(site)
    if value.matches("date", value.text.encode()):
        return site.replace(shortest(_dates(value)))
    found = informal.dates(value.text)
    return site.replace(found.value, safe=not found.rest) if found else None


def _dates(value: PropValue) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = value.tree.reader.read("date", value.text.encode())
    return found


@rule("SGF420", Scope.CONTENT, formats("date"))
def no_such_date(value: PropValue) -> Finding | None:
    if not _mandatory(value):
        return None
    for date in _dates(value):
        if not _in_calendar(*date):
            sgfc = 33 if 0 in date else None
            return at(value, sgfc, detail="-".join(f"{part:02}" for part in date))
    return None


_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _in_calendar(year: int, month: int = 1, day: int = 1) -> bool:
    """Whether the Gregorian calendar, carried on backwards, has that day."""
    if year < 1 or not 1 <= month <= 12:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + (month == 2 and is_leap)


@rule("SGF421", Scope.CONTENT, formats("date"))
def date_shortcut(value: PropValue) -> Finding | None:
    if not _mandatory(value) or "," not in value.text:
        return None
    shorter = shortest(_dates(value))
    return at(value, detail=shorter) if len(shorter) < len(value.text) else None


@rule("SGF423", Scope.VALUE, formats("result", "backgammon_result"))
def result_format(value: PropValue) -> Finding | None:
    if not _mandatory(value) or _follows_format(value):
        return None
    return at(value)


@rule("SGF424", Scope.CONTENT, formats("result", "backgammon_result"))
def zero_margin(value: PropValue) -> Finding | None:
    if not _mandatory(value):
        return None
    return at(value) if _ZERO_MARGIN.fullmatch(value.text) else None


@fix_for("SGF423", "SGF424")
def result_as_meant(site: Site) -> Fix | None:
    from sgf_lark.rules import informal

    value = site.value
    if value is None or value.definition.format != "result":
        return None
    found = informal.result(value.text)
    return site.replace(found.value, safe=not found.rest) if found else None


@rule("SGF425", Scope.CONTENT, formats("rules"))
def rules_name(value: PropValue) -> Finding | None:
    """A fixed name in other letters, or by a name it goes by elsewhere."""
    if value.matches("rules"):
        return None
    synonyms: dict[str, str] = grammar.rule("SGF425").data
    meant = synonyms.get(value.text.strip().lower())
    return at(value, meant=meant) if meant else None


@fix_for("SGF425")
def rules_as_fixed(site: Site) -> Fix | None:
    meant = site.finding.values.get("meant")
    return site.replace(str(meant)) if meant else None


@rule("SGF426", Scope.CONTENT, formats("rank"))
def rank_format(value: PropValue) -> Finding | None:
    return at(value) if _recommended(value) and value.tree.game == 1 else None


@fix_for("SGF426")
def rank_as_recommended(site: Site) -> Fix | None:
    from sgf_lark.rules import informal

    found = informal.rank(site.value.text) if site.value else None
    return site.replace(found.value) if found else None


@rule("SGF427", Scope.CONTENT, formats("round"))
def round_format(value: PropValue) -> Finding | None:
    return at(value) if _recommended(value) else None


def _recommended(value: PropValue) -> bool:
    """Whether a value says something, but not in the recommended form."""
    return bool(value.raw.strip()) and _outside(value)


# --- FG -------------------------------------------------------------------------


@rule("SGF412", Scope.CONTENT, formats("figure"))
def figure_flags(value: PropValue) -> Finding | None:
    """The catalogue lists the flags that FG defines (properties.html, FG)."""
    if not value.halves:
        return None
    flags = int(value.halves[0][:20])
    return at(value) if flags < 0 or flags & ~sum(grammar.rule("SGF412").data["flags"]) else None
