"""From the bytes of one file to its rows in the tables of an audit.

A file is decoded and parsed once: its diagnostics and its games come from the same reading.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from operator import add
from time import perf_counter

from sgf_lark.archive.main_lines import hashed, main_line, other_moves
from sgf_lark.archive.results import Processed, Row, Rows
from sgf_lark.diagnostics import Diagnostic, Severity, Span, make
from sgf_lark.files.inputs import Input
from sgf_lark.fixing.choices import fixability
from sgf_lark.flat_tree import last_up_to
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.model.tree import GameTree
from sgf_lark.text import charsets
from sgf_lark.text.languages import DecodedText, models
from sgf_lark.validation import MAX_PER_RULE, selected_codes, validate_file
from sgf_lark.validation.report import Report


@dataclass(frozen=True, kw_only=True)
class AuditOptions(ReadingOptions):
    """How files are read and judged; the names are those of :func:`sgf_lark.validate`."""

    profile: str = "strict"
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None


def summarize(file: Input, path: str, reading: AuditOptions) -> Processed:
    """Validate and summarize one file, which `path` or an archive of that path holds.

    Bad input never raises: a file that cannot be read has a row, too.
    """
    start = perf_counter()
    place: Row = {"path": path, "member": file.inner if file.path != path else None}
    if file.data is None:
        return unreadable(place, file.reason), None
    if file.is_wei7():
        rows = _summarize_wei7(file.data, place, reading)
    else:
        rows = _summarize_sgf(file.data, place, reading)
    rows["files"][0]["seconds"] = perf_counter() - start
    return rows, None


def unreadable(place: Row, reason: str) -> Rows:
    """The rows of a file that could not be read: SGF001 with the reason."""
    report = Report([make("SGF001", Severity.ERROR, Span(0, 0, 1, 1), reason=reason)])
    row = _file_row(place, report.counts, 0) | {"problem": reason}
    return {"files": [row], "diagnostics": _diagnostic_rows(place, report, {})}


def _summarize_sgf(data: bytes, place: Row, reading: AuditOptions) -> Rows:
    codes = selected_codes(reading.select, reading.ignore)
    validated = validate_file(data, reading, reading.profile, codes, max_per_rule=MAX_PER_RULE)
    report = validated.report
    fixes = fixability(validated) if any(report.counts.values()) else {}
    collection = validated.collection
    row = _file_row(place, report.counts, len(collection)) | _content(data)
    if collection:
        tree = collection[0]
        declared = tree.parsed.root_values.get("CA")
        row |= {
            "charset": _charset_name(tree),
            "declared_charset": None if declared is None else declared.decode("latin-1"),
            "program": _program(tree),
        }
    return {
        "files": [row],
        "diagnostics": _diagnostic_rows(place, report, fixes),
        "games": [_game_row(place, tree) for tree in collection],
    }


def _summarize_wei7(data: bytes, place: Row, reading: AuditOptions) -> Rows:
    """The rows of a file of wei7; its games are not in the table of games."""
    from sgf_lark import wei7

    report = wei7.validate(data, select=reading.select, ignore=reading.ignore)
    row = _file_row(place, report.counts, len(report.trees)) | _content(data)
    return {"files": [row], "diagnostics": _diagnostic_rows(place, report, {})}


def _content(data: bytes) -> Row:
    return {"size": len(data), "sha256": sha256(data).digest()}


def _file_row(place: Row, counts: dict[str, int], games: int) -> Row:
    return {**place, "ok": not counts[Severity.ERROR], **counts, "games": games}


def _diagnostic_rows(place: Row, report: Report, fixes: dict[int, bool]) -> list[Row]:
    """The rows for all that is listed; the last one of a rule stands for what is not listed."""
    rows = [
        _diagnostic_row(place, each, fixes.get(number))
        for number, each in enumerate(report.diagnostics)
    ]
    last = {row["code"]: row for row in rows}
    for (code, _, _), count in report.omitted.items():
        last[code]["times"] += count
    return rows


def _diagnostic_row(place: Row, found: Diagnostic, is_safe: bool | None) -> Row:
    return {
        **place,
        "game_index": None if found.tree is None else found.tree + 1,
        "node": found.node,
        "code": found.code,
        "severity": str(found.severity),
        "line": found.span.line,
        "column_number": found.span.column,
        "ident": found.ident,
        "times": 1,
        "fix": {True: "safe", False: "unsafe", None: None}[is_safe],
    }


def _charset_name(tree: GameTree) -> str:
    """The name of the charset in which the texts of a game are decoded."""
    charset = tree.parsed.section.charset or charsets.lookup(tree.charset)[0]
    return tree.charset if charset is None else charset.name


def _program(tree: GameTree) -> str | None:
    prop = tree.parsed.flat.first_of_ident(tree.parsed.numbers[0], "AP")
    if prop < 0:
        return None
    raw = tree.parsed.flat.raw(prop)[0]
    return str(tree.parsed.reader.read("simpletext", raw)).replace("\\:", ":")


# --- Games ----------------------------------------------------------------------------


def _game_row(place: Row, tree: GameTree) -> Row:
    width, height = tree.size or (None, None)
    comments = [
        str(tree.parsed.reader.read("text", raw))
        for prop in tree.parsed.flat.properties_of_ident(tree.parsed.numbers, "C")
        for raw in tree.parsed.flat.raw(prop)
    ]
    return {
        **place,
        "game_index": tree.number + 1,
        "gm": tree.game,
        "ff": tree.file_format,
        "width": width,
        "height": height,
        **_information(tree),
        **_shape(tree),
        "comment_length": sum(map(len, comments)),
        "language": language_of(comments),
        **_main_line(tree),
    }


def _information(tree: GameTree) -> Row:
    """The columns about players, dates, result and so on, by name."""
    info = tree.info
    result = info.result
    dates = info.dates or ()
    meant = info.interpretations

    def text(ident: str) -> str | None:
        return meant[ident].value if ident in meant else info.text(ident) or None

    return {
        "black": info.black.name,
        "black_team": info.black.team,
        "black_rank": text("BR"),
        "white": info.white.name,
        "white_team": info.white.team,
        "white_rank": text("WR"),
        "date": text("DT"),
        "first_date": min((each.first for each in dates), default=None),
        "last_date": max((each.last for each in dates), default=None),
        "result": text("RE"),
        "winner": None if result is None or result.winner is None else str(result.winner),
        "margin": None if result is None else result.margin,
        "reason": None if result is None else str(result.reason),
        "komi": info.komi,
        "handicap": info.handicap,
        "rules": info.rules,
        "time_limit": info.time,
        "overtime": info.overtime,
        # With "?" what does not certainly mean that, and only that.
        "interpreted": " ".join(
            ident if each.complete else f"{ident}?" for ident, each in meant.items()
        )
        or None,
        "event": info.event,
        "place": info.place,
    }


def _main_line(tree: GameTree) -> Row:
    """The columns about the moves and the position."""
    line = main_line(tree)
    if line is None:
        written = other_moves(tree)
        content = b";".join(written)
        return {
            "moves": len(written),
            "moves_hash": hashed(f"{tree.game}:{tree.size}", content) if written else None,
        }
    moves = len(line.colors)
    text, orientation = line.canonical()
    return {
        "moves": moves,
        "moves_hash": (
            hashed(f"{line.columns}x{line.rows}", text.encode("ascii")) if moves else None
        ),
        "position_hash": line.position_hash(),
        "signature": line.dyer_signature,
        "canonical_moves": text,
        "orientation": orientation,
    }


def _shape(tree: GameTree) -> Row:
    """The columns about nodes and variations."""
    flat, numbers = tree.parsed.flat, tree.parsed.numbers
    starts = [numbers.start]
    #: The number of nodes before each of these on its path, and of those after it up to a leaf.
    depths, lengths = [0], [len(tree.parsed.main_line_numbers)]
    # By branches and not node by node: a main line of any length is one step.
    later = flat.variations_of(numbers)
    for start, end in pairwise([*later, numbers.stop]):
        above = last_up_to(starts, flat.parent[start])
        depths.append(depths[above] + flat.parent[start] - starts[above] + 1)
        starts.append(start)
        lengths.append(end - start)
    return {
        "main_line": lengths[0],
        "nodes": len(numbers),
        "variations": len(later),
        "depth": max(map(add, depths, lengths)),
    }


#: At most this number of characters is looked at, and at least that number is needed.
_MOST = 2000
_LEAST = 20
#: The bits by which a language has to be likelier than all others, for each character.
_MARGIN = 0.01
#: Words that show that a text of ASCII characters, which cost the same in all languages, is
#: English: a share of them is needed.
_ENGLISH = frozenset(
    [
        *("a", "and", "are", "at", "but", "for", "in", "is", "it", "not", "of", "on", "that"),
        *("the", "this", "to", "was", "with"),
    ]
)
_ENGLISH_SHARE = 0.1


def language_of(texts: Iterable[str]) -> str | None:
    """The name of the language, as in ``languages.toml``; None where it is not known."""
    parts: list[str] = []
    length = 0
    for text in texts:
        parts.append(text[: _MOST - length])
        length += len(parts[-1])
        if length >= _MOST:
            break
    text = "\n".join(parts)
    if length < _LEAST:
        return None
    if text.isascii():
        words = text.lower().split()
        count = sum(word in _ENGLISH for word in words)
        return "English" if count >= _ENGLISH_SHARE * max(1, len(words)) else None
    decoded = DecodedText("", text)
    costs = sorted((model.cost(decoded), model.language.name) for model in models())
    (least, name), (second, _) = costs[:2]
    return name if second - least > _MARGIN * len(text) else None
