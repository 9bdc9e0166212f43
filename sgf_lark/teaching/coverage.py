"""Counts which productions of the grammar, and which of their alternatives, files use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lark import Lark

from sgf_lark import grammar
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.lalr_tables import ITSELF, tables_of
from sgf_lark.model.context import root_context
from sgf_lark.model.values.reader import ValueReader, reader
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.syntax.game_trees import parse
from sgf_lark.syntax.lalr import LALRParser
from sgf_lark.syntax.parsing import CONTEXT_PROPERTIES
from sgf_lark.teaching.automaton import written_symbols
from sgf_lark.text.decoding import decode

#: An alternative of a production in Lark: the origin and the symbols of the expansion.
_Key = tuple[str, tuple[str, ...]]

#: The longest value, in bytes, for which the counts are cached.
_MAX_CACHED_LENGTH = 16
#: The maximum number of cached values.
_CACHE_SIZE = 50_000


@dataclass(frozen=True)
class Use:
    """The number of uses of an alternative, given as text, or of a production, by name."""

    text: str
    count: int


@dataclass(frozen=True)
class ProductionUse(Use):
    """A production with its alternatives.

    `repeated` are the alternatives of repeated parts; "… x" counts each x after the first.
    """

    alternatives: tuple[Use, ...]
    repeated: tuple[Use, ...]

    @property
    def all_alternatives(self) -> tuple[Use, ...]:
        """The alternatives of the production, then those of its repeated parts."""
        return self.alternatives + self.repeated


class Coverage:
    """Counts the parts of the grammar that files use.

    `files` is the number of files; `damaged` of them do not follow ``sgf.lark`` and were
    parsed by ``tolerant.lark``. `values` is the number of their values, of which `unread`
    fit no type of their property.
    """

    def __init__(self) -> None:
        """Start without any file."""
        self.files = self.damaged = self.values = self.unread = 0
        self._strict = _CountingParser("sgf.lark", ["collection"])
        self._tolerant: _CountingParser | None = None
        self._values = _ValueUse()

    def add(self, data: bytes) -> None:
        """Count the parts of the grammar that a file uses; any bytes are accepted.

        Values are parsed by the types of their properties in the game, and also by the
        format of the property, such as that of dates, if they fit it.
        """
        self.files += 1
        file = parse(decode(data)).as_written
        if file.damaged is None:
            self._strict.count(file.decoding.data, "collection")
        else:
            self.damaged += 1
            if self._tolerant is None:
                self._tolerant = _CountingParser("tolerant.lark", ["collection"])
            self._tolerant.count(file.decoding.data, "collection")
        values, unread = self._values.count(file.flat)
        self.values += values
        self.unread += unread

    def uses(self) -> dict[str, tuple[ProductionUse, ...]]:
        """The productions by grammar file, with ``tolerant.lark`` only if a file needed it."""
        parsers = [self._strict, self._values.parser]
        parsers += [self._tolerant] if self._tolerant is not None else []
        return {parser.file: tuple(parser.uses()) for parser in parsers}


class _Repeated(Counter[_Key]):
    """The number of uses of each alternative in a repetition."""


class _CountingParser:
    """A parser for a grammar file that counts reductions instead of building a tree."""

    def __init__(self, file: str, start: list[str]) -> None:
        self.file = file
        self.counts: Counter[tuple[str, _Key]] = Counter()
        self._current: Counter[tuple[str, _Key]] = Counter()
        self._lark = Lark(grammar.source(file), parser="lalr", start=start)
        self._counters = [self._counted(_key(rule)) for rule in self._lark.rules]
        tables = tables_of(self._lark)
        # The table of Lark, with the numbers of the productions as callbacks: no tree is made.
        productions = [
            (origin, str(number), (ITSELF,) * len(symbols))
            for number, (origin, _, symbols) in enumerate(tables.productions)
        ]
        self._parser = LALRParser(tables._replace(productions=productions), self)
        self._cache: dict[tuple[str, bytes], Counter[tuple[str, _Key]]] = {}

    def __default__(self, number: str, children: list[Any], meta: object) -> object:
        """What the parser calls for the production of that number."""
        return self._counters[int(number)](children)

    def _counted(self, key: _Key) -> Callable[[list[Any]], _Repeated | None]:
        """The callback that counts an alternative.

        For a repetition the callback returns the counts to the production that contains it,
        because Lark has one rule for all repetitions with the same text.
        """

        def count(children: list[Any]) -> None:
            self._current[key[0], key] += 1
            for child in children:
                if isinstance(child, _Repeated):
                    for part, number in child.items():
                        self._current[key[0], part] += number

        def gather(children: list[Any]) -> _Repeated:
            # The first child has the counts so far.
            gathered = children[0] if isinstance(children[0], _Repeated) else _Repeated()
            for child in children[1:]:
                if isinstance(child, _Repeated):
                    gathered.update(child)
            gathered[key] += 1
            return gathered

        return gather if _is_repetition(key[0]) else count

    def count(self, data: bytes, start: str) -> bool:
        """Count the alternatives that `data` uses; False, without counts, if it does not fit."""
        key = start, data
        used = self._cache.get(key)
        if used is None:
            used = self._current = Counter()
            try:
                self._parser.parse(data.decode("latin-1"), start)
            except ValueError:
                return False
            # Points and moves are the same few hundred texts in all files.
            if len(data) <= _MAX_CACHED_LENGTH and len(self._cache) < _CACHE_SIZE:
                self._cache[key] = used
        self.counts.update(used)
        return True

    def uses(self) -> Iterator[ProductionUse]:
        """The productions in the order of the file."""
        notation = _Notation(self._lark)
        for name in map(str, lark_grammars.rule_trees(self.file)):
            keys = notation.rules[name]
            yield ProductionUse(
                name,
                sum(self.counts[name, key] for key in keys),
                tuple(Use(notation.alternative(key), self.counts[name, key]) for key in keys),
                tuple(self._repeated(notation, name)),
            )

    def _repeated(self, notation: _Notation, name: str) -> Iterator[Use]:
        """The alternatives of the repetitions in a production.

        If there is only one, its uses after the first are counted.
        """
        for repetition in notation.repetitions(name):
            first = notation.first_alternatives(repetition)
            for key in first:
                again = self.counts[name, (repetition, (repetition, *key[1]))]
                text = notation.alternative(key)
                if len(first) == 1:
                    yield Use(f"… {text}", again)
                else:
                    yield Use(text, self.counts[name, key] + again)


def _key(rule: Any) -> _Key:
    return str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion)


def _is_repetition(symbol: str) -> bool:
    """Whether this is a rule that Lark made for a repetition."""
    return symbol.startswith("__")


class _Notation:
    """Writes the alternatives of a grammar as in a grammar file."""

    def __init__(self, lark: Lark) -> None:
        self.rules: dict[str, list[_Key]] = {}
        for rule in lark.rules:
            key = _key(rule)
            self.rules.setdefault(key[0], []).append(key)
        self._symbols = written_symbols(lark)

    def repetitions(self, name: str) -> list[str]:
        """The rules for the repetitions in a production."""
        symbols = [symbol for _, symbols in self.rules[name] for symbol in symbols]
        return list(dict.fromkeys(filter(_is_repetition, symbols)))

    def first_alternatives(self, repetition: str) -> list[_Key]:
        """The repeated alternatives: those that do not contain the rule itself."""
        return [key for key in self.rules[repetition] if repetition not in key[1]]

    def alternative(self, key: _Key) -> str:
        return " ".join(self._symbols[symbol] for symbol in key[1]) or "()"


class _ValueUse:
    """Counts the parts of ``values.lark`` that the values of files use."""

    def __init__(self) -> None:
        self.parser = _CountingParser("values.lark", sorted(value_grammar.value_types()))

    def count(self, flat: FlatTree) -> tuple[int, int]:
        """Count a file; the result is the number of values, and of those that fit no type."""
        values = unread = 0
        for tree, root in enumerate(flat.roots):
            context = reader(root_context(flat.first_values(root, CONTEXT_PROPERTIES), "latin-1"))
            nodes = flat.nodes_of(tree)
            for prop in range(flat.properties_of(nodes[0])[0], flat.properties_of(nodes[-1])[1]):
                raws = flat.raw(prop)
                definition = context.definitions[flat.ident(prop)]
                values += len(raws)
                unread += sum(not self._read(context, definition, raw, raws) for raw in raws)
        return values, unread

    def _read(
        self,
        context: ValueReader,
        definition: PropertyDefinition | None,
        raw: bytes,
        raws: list[bytes],
    ) -> bool:
        """Count a value; False if it fits no type of its property."""
        if definition is None:
            return self.parser.count(raw, "unknown")
        if definition.may_be_empty and raws == [b""]:
            return self.parser.count(raw, "none")
        if definition.format and value_grammar.pattern(definition.format).fullmatch(raw):
            self.parser.count(raw, definition.format)
        return any(self._alternative(context, kind, raw) for kind in definition.alternatives)

    def _alternative(self, context: ValueReader, kind: ValueType, raw: bytes) -> bool:
        if kind.composed:
            if not context.matches("compose", raw):
                return False
            left, right = context.read("compose", raw)
            if not (context.matches(kind.first, left) and context.matches(kind.second, right)):
                return False
            self.parser.count(raw, "compose")
            self.parser.count(left, context.rule(kind.first))
            return self.parser.count(right, context.rule(kind.second))
        if kind.many and context.rectangle(kind.first, raw) is not None:
            rule = context.rule(kind.first).removesuffix("point") + "rectangle"
            return self.parser.count(raw, rule)
        return self.parser.count(raw, context.rule(kind.first))


def totals(uses: Iterable[ProductionUse]) -> tuple[int, int, int, int]:
    """The numbers of used productions, productions, used alternatives, alternatives."""
    uses = tuple(uses)
    alternatives = [use for production in uses for use in production.all_alternatives]
    return (
        sum(use.count > 0 for use in uses),
        len(uses),
        sum(use.count > 0 for use in alternatives),
        len(alternatives),
    )
