"""Rules about the range and the format of values (4xx).

Corrections alone need to know what people write, so that they import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark import grammar
from sgf_lark.rules.fixes import Correction, Edit, Site, correction
from sgf_lark.rules.registry import Finding, formats, rule
from sgf_lark.validation.trees import TreeView
from sgf_lark.validation.views import NodeView, ValueView
from sgf_lark.values import shortest

#: A size as people may mean it.
_SPACED_SIZE = re.compile(rb"\s*\d+\s*:\s*\d+\s*")
_ZERO_MARGIN = re.compile(r"[BW]\+0+(?:\.0+)?")


def _outside(value: ValueView) -> bool:
    """Whether the value does not follow the format of its property."""
    return not value.matches(value.definition.format)


# --- Root properties ------------------------------------------------------------


@rule("SGF402", "value", formats("file_format"))
def file_format_range(value: ValueView) -> Finding | None:
    if not _outside(value):
        return None
    return value.finding(46 if value.matches("game") else None)


@correction("SGF402", "SGF433", "SGF436")
def latest_file_format(site: Site) -> Correction | None:
    """What is used needs FF[4]; other properties may mean something else in it."""
    entry = NodeView(site.tree, site.tree.first).get("FF")
    if entry is None:
        return None
    value = next(entry.values())
    return Correction((Edit(value.start, value.end, b"4"),), safe=False)


@rule("SGF403", "value", formats("game"))
def game_number(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF408", "value", formats("size"))
def board_size_notation(value: ValueView) -> Finding | None:
    """Two numbers, but not joined by ":" alone."""
    if not _outside(value) or value.matches("compose"):
        spaced = _SPACED_SIZE.fullmatch(value.raw)
        if not spaced or not _outside(value) or value.raw.replace(b":", b"").isdigit():
            return None
    numbers = re.compile(rb"\d+").findall(value.raw)
    return value.finding() if len(numbers) == 2 and b"0" not in numbers else None


@correction("SGF408")
def size_as_meant(site: Site) -> Correction | None:
    numbers = re.compile(r"\d+").findall(site.value.raw.decode("latin-1")) if site.value else []
    if len(numbers) != 2:
        return None
    return site.replace(numbers[0] if numbers[0] == numbers[1] else ":".join(numbers))


@rule("SGF405", "value", formats("size"))
def board_size(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF406", "content", formats("size"))
def square_board_as_pair(value: ValueView) -> Finding | None:
    if not value.halves:
        return None
    columns, rows = value.tree.reader.read("size", value.raw)
    return value.finding() if columns == rows else None


@correction("SGF406")
def one_number_for_a_square(site: Site) -> Correction | None:
    return site.replace(site.value.raw.split(b":")[0]) if site.value else None


@rule("SGF407", "content", formats("size"))
def board_too_large(value: ValueView) -> Finding | None:
    maximum = value.tree.game.maximum_size
    if maximum is None:
        return None
    largest = max(value.tree.reader.read("size", value.raw))
    return value.finding(maximum=maximum) if largest > maximum else None


@rule("SGF404", "content", formats("game"))
def unlisted_game(value: ValueView) -> Finding | None:
    return None if value.tree.context.game in grammar.games() else value.finding()


@rule("SGF409", "value", formats("variation_style"))
def variation_style(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF410", "value", formats("print_mode"))
def print_mode(value: ValueView) -> Finding | None:
    return value.finding(None if value.raw else 17) if _outside(value) else None


@rule("SGF439", "tree", when="unsaid")
def missing_file_format(tree: TreeView) -> Iterator[Finding]:
    if tree.given_format is None:
        start = tree.flat.node_start[tree.first]
        yield Finding(start, start + 1, {}, node=tree.first)


# --- Game information -----------------------------------------------------------


@rule("SGF413", "value", formats("handicap"))
def handicap(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@correction("SGF413")
def no_handicap(site: Site) -> Correction | None:
    """HA[0] says nothing; HA[1] may be meant to say that there is no komi."""
    from sgf_lark.rules import informal

    raw = site.value.raw.strip() if site.value else b""
    if re.compile(rb"0*[01]?(?:\.0*)?").fullmatch(raw):
        return site.delete(safe=not re.compile(rb"1").search(raw))
    found = informal.number(raw.decode("latin-1"))
    if found is None or not found.value.isdigit() or int(found.value) < 2:
        return None
    return site.replace(found.value, safe=not found.rest)


@rule("SGF414", "node", shape=lambda node: node.get("HA"), reads=("HA", "AB"))
def handicap_without_setup(node: NodeView) -> Iterator[Finding]:
    """HA promises a position; the stones are set up by AB in the same node."""
    for entry in node.of_format("handicap"):
        stones = entry.raw[0]
        if not grammar.pattern("handicap").fullmatch(stones):
            continue
        black = node.get("AB")
        count = 0 if black is None else black.count_points()
        if count != int(stones):
            yield entry.finding(value=stones, count=count)


@rule("SGF415", "value", formats("komi"))
def komi(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@correction("SGF415")
def komi_as_meant(site: Site) -> Correction | None:
    return _number_of(site)


def _number_of(site: Site) -> Correction | None:
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


@rule("SGF416", "value", formats("seconds"))
def time_not_in_seconds(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@correction("SGF416")
def seconds_as_meant(site: Site) -> Correction | None:
    """What the time limit says of the overtime goes to the property for it."""
    from sgf_lark.rules import informal

    text, entry = _text_of(site), site.entry
    found = informal.seconds(text)
    if found is None or entry is None or not site.value:
        return _number_of(site)
    if not found.rest or site.value.definition.type != "game-info" or site.node.get("OT"):
        return site.replace(found.value, safe=not found.rest)
    end = entry.span[1]
    overtime = b"OT[" + site.write(found.rest) + b"]"
    return Correction(
        (Edit(site.value.start, site.value.end, found.value.encode()), Edit(end, end, overtime))
    )


@rule("SGF417", "content", formats("seconds"))
def negative_time(value: ValueView) -> Finding | None:
    negative = value.raw.startswith(b"-")
    return value.finding() if negative and float(value.raw) < 0 else None


def _follows_format(value: ValueView) -> bool:
    """Whether a text, once read, has the form that its property asks for."""
    return value.matches(value.definition.format, value.text().encode())


def _mandatory(value: ValueView) -> bool:
    """Formats of texts are mandatory from FF[4] on."""
    return value.tree.file_format >= 4


_DATE_PART = r"\s*(?:\d{4}(?:-\d\d(?:-\d\d)?)?|\d\d-\d\d|\d\d|)\s*"


@rule("SGF418", "value", formats("date"))
def date_format(value: ValueView) -> Finding | None:
    text = value.text()
    if not _mandatory(value) or value.matches("date", text.encode()):
        return None
    for part in text.split(","):
        if not re.compile(_DATE_PART).fullmatch(part) or not text:
            return value.finding(detail=part.strip() or '""')
    return None


@rule("SGF419", "value", formats("date"))
def date_list(value: ValueView) -> Finding | None:
    """Every part looks like a date, but not where it stands."""
    if not _mandatory(value) or value.matches("date", value.text().encode()):
        return None
    parts = value.text().split(",")
    for count in range(1, len(parts) + 1):
        if not value.matches("date", ",".join(parts[:count]).encode()):
            break
    return value.finding(detail=f'"{parts[count - 1]}"')


@correction("SGF418", "SGF419", "SGF421", "SGF438")
def dates_as_meant(site: Site) -> Correction | None:
    from sgf_lark.rules import informal

    value = site.value
    if value is None or value.definition.format != "date":
        return result_as_meant(site)
    if value.matches("date", value.text().encode()):
        return site.replace(shortest(_dates(value)))
    found = informal.dates(value.text())
    return site.replace(found.value, safe=not found.rest) if found else None


def _dates(value: ValueView) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = value.tree.reader.read("date", value.text().encode())
    return found


@rule("SGF420", "content", formats("date"))
def no_such_date(value: ValueView) -> Finding | None:
    if not _mandatory(value):
        return None
    for date in _dates(value):
        if not _in_calendar(*date):
            sgfc = 33 if 0 in date else None
            return value.finding(sgfc, detail="-".join(f"{part:02}" for part in date))
    return None


_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _in_calendar(year: int, month: int = 1, day: int = 1) -> bool:
    """Whether the Gregorian calendar, carried on backwards, has that day."""
    if year < 1 or not 1 <= month <= 12:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + (month == 2 and is_leap)


@rule("SGF421", "content", formats("date"))
def date_shortcut(value: ValueView) -> Finding | None:
    if not _mandatory(value) or "," not in value.text():
        return None
    shorter = shortest(_dates(value))
    return value.finding(detail=shorter) if len(shorter) < len(value.text()) else None


@rule("SGF423", "value", formats("result", "backgammon_result"))
def result_format(value: ValueView) -> Finding | None:
    if not _mandatory(value) or _follows_format(value):
        return None
    return value.finding()


@rule("SGF424", "content", formats("result", "backgammon_result"))
def zero_margin(value: ValueView) -> Finding | None:
    if not _mandatory(value):
        return None
    return value.finding() if _ZERO_MARGIN.fullmatch(value.text()) else None


@correction("SGF423", "SGF424")
def result_as_meant(site: Site) -> Correction | None:
    from sgf_lark.rules import informal

    value = site.value
    if value is None or value.definition.format != "result":
        return None
    found = informal.result(value.text())
    return site.replace(found.value, safe=not found.rest) if found else None


@rule("SGF425", "content", formats("rules"))
def rules_name(value: ValueView) -> Finding | None:
    """A fixed name in other letters, or by a name it goes by elsewhere."""
    if value.matches("rules"):
        return None
    synonyms: dict[str, str] = grammar.rule("SGF425").data
    meant = synonyms.get(value.text().strip().lower())
    return value.finding(meant=meant) if meant else None


@correction("SGF425")
def rules_as_fixed(site: Site) -> Correction | None:
    meant = site.finding.values.get("meant")
    return site.replace(str(meant)) if meant else None


@rule("SGF426", "content", formats("rank"))
def rank_format(value: ValueView) -> Finding | None:
    return value.finding() if _recommended(value) and value.tree.context.game == 1 else None


@correction("SGF426")
def rank_as_recommended(site: Site) -> Correction | None:
    from sgf_lark.rules import informal

    found = informal.rank(site.value.text()) if site.value else None
    return site.replace(found.value) if found else None


@rule("SGF427", "content", formats("round"))
def round_format(value: ValueView) -> Finding | None:
    return value.finding() if _recommended(value) else None


def _recommended(value: ValueView) -> bool:
    """Whether a value says something, but not in the recommended form."""
    return bool(value.raw.strip()) and _outside(value)


# --- FG -------------------------------------------------------------------------


@rule("SGF412", "content", formats("figure"))
def figure_flags(value: ValueView) -> Finding | None:
    """The catalogue lists the flags that FG defines (properties.html, FG)."""
    if not value.halves:
        return None
    flags = int(value.halves[0][:20])
    return (
        value.finding() if flags < 0 or flags & ~sum(grammar.rule("SGF412").data["flags"]) else None
    )
