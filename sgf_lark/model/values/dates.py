"""The format of DT: dates with shortcuts, as in "1996-05-06,07"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sgf_lark.syntax.lalr import Token

#: (year), (year, month) or (year, month, day).
Date = tuple[int, ...]


class DateFormat:
    """The production ``date``; a method of a Lark Transformer."""

    def date(self, children: list[Token]) -> list[Date]:
        """``date: (YEAR | …) _next_date*``; the shortcuts are filled in."""
        dates: list[Date] = []
        for token in children:
            parts = tuple(int(part) for part in token.lstrip(",").split("-"))
            if token.type in {"NEXT_MONTH", "NEXT_MONTH_DAY"}:
                parts = (*dates[-1][:1], *parts)
            elif token.type == "NEXT_DAY":
                parts = (*dates[-1][:2], *parts)
            dates.append(parts)
        return dates


def shortest(dates: list[Date]) -> str:
    """`dates`, which are sorted, each as short as the one before it allows (properties.html,
    DT)."""
    written: list[str] = []
    previous: Date = ()
    for date in dates:
        full = "-".join([f"{date[0]:04}", *(f"{part:02}" for part in date[1:])])
        kept = 0
        if len(previous) > 1 and len(date) >= len(previous) and date[0] == previous[0]:
            kept = 2 if len(date) == 3 == len(previous) and date[1] == previous[1] else 1
        written.append(full if not kept else "-".join(f"{part:02}" for part in date[kept:]))
        previous = date
    return ",".join(written)
