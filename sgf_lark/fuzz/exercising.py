"""What a run has sent: properties, rules, and inputs that together have each form of value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from sgf_lark import grammar
from sgf_lark.fuzz.judging import identifiers
from sgf_lark.fuzz.tokens import VALUE, mark, split, values
from sgf_lark.fuzz.violations import UNREACHABLE
from sgf_lark.grammar import PropertyDefinition

#: At most this many bytes of inputs are kept, and none that is larger than the second number.
_KEPT, _LARGEST = 200_000, 4_000
_WORD = re.compile("[^0-9]{3,16}")
_CAPITALS, _SMALL, _DIGITS = re.compile("[A-Z]+"), re.compile("[a-z]+"), re.compile("[0-9]")
_NON_ASCII, _PIECE = re.compile("[\x80-\xff]+"), re.compile("＼?[^a-z0-9＼]|＼.", re.DOTALL)

#: An identifier and the form of a value, or the kinds of two tokens.
_Form = tuple[str, object]


@dataclass
class Exercised:
    """What the inputs of a run contain.

    `idents` counts inputs by the identifiers in them, `codes` by the rules that they break, of most
    inputs only the one that they break on purpose.
    `examples` are inputs in which all forms of values occurred first. `complete` is false if there
    were more of them than are kept.
    """

    idents: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    examples: list[bytes] = field(default_factory=list)
    complete: bool = True

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


class Recorder:
    """Records what inputs contain, those with a new form of a value as a whole."""

    def __init__(self) -> None:
        """Start without any input."""
        self._seen: set[_Form] = set()
        self._kept = 0

    def record(self, data: bytes, codes: Iterable[str], into: Exercised, forms: bool) -> None:
        """Record an input, the rules that it breaks, and if wanted the forms of its values."""
        into.idents.update(ident.decode() for ident in identifiers(data))
        into.codes.update(codes)
        new = [form for form in _forms(data) if form not in self._seen] if forms else []
        if not new or len(data) > _LARGEST:
            return
        if self._kept + len(data) > _KEPT:
            into.complete = False
            return
        self._seen.update(new)
        self._kept += len(data)
        into.examples.append(data)


def _forms(data: bytes) -> Iterator[_Form]:
    kinds = [token.kind for token in split(data)]
    yield from set(pairwise(kinds))
    for ident, content in values(mark(data)):
        yield ident, _form(ident, content)
    if VALUE not in kinds:
        yield "", "no value"


def _form(ident: str, content: str) -> object:
    """Return what distinguishes a value from others: in texts, special characters and escapes."""
    capitals = _CAPITALS.sub("A", content)
    entry = grammar.definition(ident, 1, 4)
    if entry is None or (entry.is_text and not entry.format):
        return frozenset(_PIECE.findall(_NON_ASCII.sub("\xe9", capitals)))
    if _WORD.fullmatch(content):
        return content
    return _DIGITS.sub("0", _SMALL.sub("a", capitals))[:24]
