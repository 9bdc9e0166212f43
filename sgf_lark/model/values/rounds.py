"""The format of RO: ``2``, ``3 (final)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sgf_lark.model.values.formats import read_format

if TYPE_CHECKING:
    from sgf_lark.syntax.lalr import Token


class Round(str):
    """A round: the text of RO, with its `number` and `kind` where it has the form recommended.

    That is "2" or "2 (final)" (properties.html, RO). In another form both are None.
    """

    __slots__ = ()

    @property
    def number(self) -> int | None:
        """The number of the round."""
        return self._parts[0]

    @property
    def kind(self) -> str | None:
        """What kind of round it is, such as "final"."""
        return self._parts[1]

    @property
    def _parts(self) -> tuple[int | None, str | None]:
        try:
            found: tuple[int, str | None] = read_format("RO", str(self), RoundFormat)
        except ValueError:
            return None, None
        return found


class RoundFormat:
    """The production of rounds; a method of a Lark Transformer."""

    def round(self, children: list[Token]) -> tuple[int, str | None]:
        """``round: DIGITS (BLANK "(" ROUND_KIND ")")?``."""
        parts = {token.type: str(token) for token in children}
        kind = parts.get("ROUND_KIND")
        # The grammar is about bytes.
        return int(parts["DIGITS"]), kind and kind.encode("latin-1").decode()
