"""What a run has sent: properties, rules that were broken, and the first inputs as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from sgf_lark import grammar
from sgf_lark.fuzz.judging import identifiers
from sgf_lark.fuzz.violations import UNREACHABLE
from sgf_lark.grammar import PropertyDefinition

#: The first inputs are kept, except those that are larger than the second number.
_KEPT, _LARGEST = 1_000, 4_000


@dataclass
class Exercised:
    """What the inputs of a run contain.

    `idents` counts inputs by the identifiers in them, `codes` by the rules that they break, of most
    inputs only the one that they break on purpose.
    `examples` are the first inputs, which in practice use what later ones use. `complete` is false
    if there were others.
    """

    idents: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    examples: list[bytes] = field(default_factory=list)
    complete: bool = True

    def record(self, number: int, data: bytes, codes: Iterable[str]) -> None:
        """Record the input of that number, and rules that it breaks."""
        self.idents.update(ident.decode() for ident in identifiers(data))
        self.codes.update(codes)
        if number < _KEPT and len(data) <= _LARGEST:
            self.examples.append(data)
        else:
            self.complete = False

    def add(self, other: Exercised) -> None:
        """Add what another worker has sent."""
        self.idents += other.idents
        self.codes += other.codes
        self.examples += other.examples
        self.complete = self.complete and other.complete

    def never_sent_properties(self, games: tuple[int, ...], formats: tuple[int, ...]) -> list[str]:
        """Return the properties of these games and file formats that no input had."""
        return sorted(
            {
                entry.ident
                for entry in grammar.properties()
                if entry.ident not in self.idents and _belongs(entry, games, formats)
            }
        )

    def never_broken_rules(self) -> list[str]:
        """Return the codes of the rules that no input broke."""
        return [code for code in _errors() if code not in self.codes]

    def count_rules(self) -> tuple[int, int]:
        """Return the number of rules that inputs broke, and of all that a file can break."""
        errors = _errors()
        return sum(code in self.codes for code in errors), len(errors)


def _errors() -> list[str]:
    return [
        rule.code
        for rule in grammar.rules().values()
        if rule.severity["strict"] == "error" and rule.code not in UNREACHABLE
    ]


def _belongs(entry: PropertyDefinition, games: tuple[int, ...], formats: tuple[int, ...]) -> bool:
    return (
        not entry.private
        and (not games or not entry.games or not set(games).isdisjoint(entry.games))
        and (not formats or not set(formats).isdisjoint(entry.file_formats))
    )
