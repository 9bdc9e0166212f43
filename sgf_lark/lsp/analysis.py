"""The analysis of a text in an editor, with the settings of the client."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from sgf_lark import analysis
from sgf_lark.diagnostics import Language
from sgf_lark.lsp.positions import Text
from sgf_lark.validation import selected_codes


@dataclass(frozen=True)
class Settings:
    """What a client can set: which rules apply, and the language of the messages."""

    profile: str = "strict"
    language: Language = "en"
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the selected rules."""
        return selected_codes(self.select, self.ignore)


class Analysis(analysis.Analysis):
    """A text of one version, validated as a whole: 100 kilobytes take some milliseconds."""

    def __init__(self, text: Text, settings: Settings) -> None:
        super().__init__(text.data, settings.profile, settings.codes, settings.language)
        self.text = text
        self.settings = settings

    @cached_property
    def move_numbers(self) -> list[int]:
        """For each node the number of its move, or of the last one before it; MN sets it."""
        flat, found = self.flat, [0] * len(self.flat.node_start)
        for tree in self.collection:
            first = tree.numbers[0]
            for number in range(first, tree.numbers[-1] + 1):
                idents = [ident for _, ident in flat.idents(number)]
                moves = sum(ident in ("B", "W") for ident in idents)
                found[number] = moves + (found[flat.parent[number]] if number > first else 0)
                if moves and "MN" in idents:
                    with suppress(ValueError):
                        found[number] = int(tree.node(number)["MN"])
        return found
