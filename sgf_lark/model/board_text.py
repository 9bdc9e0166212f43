"""Reads boards that are drawn with characters, as programs and people write them."""

from __future__ import annotations

import re
import unicodedata

from sgf_lark.model.cells import ARROW, BLACK, EMPTY, WHITE

#: What the characters mean; those of the frame, and the last move's parentheses, mean nothing.
_CELLS = {
    **dict.fromkeys("Xx#@●⚫⬤", BLACK),
    **dict.fromkeys("Oo○⚪◯", WHITE),
    **dict.fromkeys(".,+·・┌┬┐├┼┤└┴┘╋╵╷╴╶│─", EMPTY),
    **dict.fromkeys("█%", ARROW),
}
#: The crossings of lines, of which each second character of a row is one.
_LINES = frozenset("┌┬┐├┼┤└┴┘╋╵╷╴╶│─")
#: The number of a row before its points, and the one after them, perhaps with a remark.
_NUMBER = re.compile(r"\s*\d+")
_NUMBER_AFTER = re.compile(r"\s\d+(?:\s.*)?$")
#: What is drawn between the points.
_BETWEEN = re.compile(r"[\s|()]")
#: Lines that are no rows: the names of the columns, and frames.
_NO_ROW = re.compile(r"[\s|+=─-]*[=─-]{2}[\s|+=─-]*|\s*[Aa](?:\s*[A-Za-z])*\s*|\s*")


def rows_of(text: str) -> list[bytes]:
    """The cells of a drawn board, row by row from the top.

    Raises ValueError for a character that is not a point, and for rows of different lengths.
    """
    rows: list[bytes] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.replace("$$", "")
        if _NO_ROW.fullmatch(line):
            continue
        row = bytearray()
        for character in _points_of_row(line):
            if character not in _CELLS:
                name = unicodedata.name(character, "no character")
                raise ValueError(
                    f"line {number}: {character!r} ({name}) is not a point of a board; black "
                    "stones are X, # or ●, white ones O or ○, empty points . or +"
                )
            row.append(_CELLS[character])
        if rows and len(row) != len(rows[0]):
            raise ValueError(
                f"line {number}: {len(row)} points, where the rows before have {len(rows[0])}"
            )
        rows.append(bytes(row))
    if not rows or not rows[0]:
        raise ValueError("the text has no row of a board, such as '. X O .'")
    return rows


def _points_of_row(line: str) -> str:
    """The characters of the points of a row."""
    number = _NUMBER.match(line)
    points = line[number.end() :] if number else line
    remark = _NUMBER_AFTER.search(points)
    points = points[: remark.start()] if remark else points
    if _LINES & {*points}:
        # The points are one apart, and joined or in parentheses.
        points = points.lstrip(" (")[::2]
    return _BETWEEN.sub("", points)
