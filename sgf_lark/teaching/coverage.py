"""Which productions of the grammar files use, and which alternatives of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition, ValueType
from sgf_lark.model.context import root_context
from sgf_lark.model.parsed import GOVERNING
from sgf_lark.model.values.reader import ValueReader, reader
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import values as value_grammar
from sgf_lark.syntax.flat_tree import FlatTree
from sgf_lark.syntax.parsing import parse_best
from sgf_lark.syntax.tolerant import parse_tolerant
from sgf_lark.teaching.productions import productions
from sgf_lark.text.decoding import decodings

#: An alternative of a production, as Lark has it: the origin and the symbols.
_Key = tuple[str, tuple[str, ...]]

#: What values of up to so many bytes use is remembered, for so many values.
_SHORT = 16
_REMEMBERED = 50_000


@dataclass(frozen=True)
class Use:
    """How often something was used: an alternative as text, or a production by name."""

    text: str
    count: int


@dataclass(frozen=True)
class ProductionUse(Use):
    """A production with its alternatives.

    `repeated` are the alternatives of parts that may come again and again, and "… x"
    for an x that followed another.
    """

    alternatives: tuple[Use, ...]
    repeated: tuple[Use, ...]

    @property
    def all_alternatives(self) -> tuple[Use, ...]:
        return self.alternatives + self.repeated


class Coverage:
    """What of the grammar the files that were added use.

    `files` were added, of which `damaged` are outside ``sgf.lark`` and were read by
    ``tolerant.lark``. Of their `values`, `unread` fit no type of their property.
    """

    def __init__(self) -> None:
        self.files = self.damaged = self.values = self.unread = 0
        self._strict = _CountingParser("sgf.lark", ["collection"])
        self._tolerant: _CountingParser | None = None
        self._values = _ValueUse()

    def add(self, data: bytes) -> None:
        """Counts what a file uses. Any bytes will do.

        Its values are read by the types of their properties in its games, and where
        the property has a format, such as that of dates, by that too if they fit.
        """
        self.files += 1
        found = decodings(data, mode="auto")
        best = parse_best(found)
        if best is not None:
            reading, flat = best
            self._strict.count(reading.data, "collection")
        else:
            self.damaged += 1
            flat = parse_tolerant(found[0].data).flat
            if self._tolerant is None:
                self._tolerant = _CountingParser("tolerant.lark", ["collection"])
            self._tolerant.count(found[0].data, "collection")
        values, unread = self._values.count(flat)
        self.values += values
        self.unread += unread

    def uses(self) -> dict[str, tuple[ProductionUse, ...]]:
        """The productions by grammar file; ``tolerant.lark`` is there where a file needed it."""
        parsers = [self._strict, self._values.parser]
        parsers += [self._tolerant] if self._tolerant is not None else []
        return {parser.file: tuple(parser.uses()) for parser in parsers}


class _Repeated(Counter[_Key]):
    """How often each alternative came in a repetition."""


class _CountingParser:
    """Lark's parser of a grammar file, which builds no tree but counts reductions."""

    def __init__(self, file: str, start: list[str]) -> None:
        self.file = file
        self.counts: Counter[tuple[str, _Key]] = Counter()
        self._current: Counter[tuple[str, _Key]] = Counter()
        self._lark = Lark(grammar.source(file), parser="lalr", start=start)
        inside: Any = self._lark
        callbacks: dict[Any, Callable[[list[Any]], object]] = inside.parser.parser.parser.callbacks
        for rule in callbacks:
            callbacks[rule] = self._counted(_key(rule))
        self._remembered: dict[tuple[str, bytes], Counter[tuple[str, _Key]]] = {}

    def _counted(self, key: _Key) -> Callable[[list[Any]], _Repeated | None]:
        """Counts an alternative, or gathers what a repetition holds for the production in
        which it stands: Lark has one rule for all repetitions that are written the same."""

        def count(children: list[Any]) -> None:
            self._current[key[0], key] += 1
            for child in children:
                if isinstance(child, _Repeated):
                    for part, number in child.items():
                        self._current[key[0], part] += number

        def gather(children: list[Any]) -> _Repeated:
            # The first is what was gathered so far, and grows in its place.
            gathered = children[0] if isinstance(children[0], _Repeated) else _Repeated()
            for child in children[1:]:
                if isinstance(child, _Repeated):
                    gathered.update(child)
            gathered[key] += 1
            return gathered

        return gather if _is_helper(key[0]) else count

    def count(self, data: bytes, start: str) -> bool:
        """Counts what `data` uses; False, and nothing is counted, where it does not fit."""
        key = start, data
        used = self._remembered.get(key)
        if used is None:
            used = self._current = Counter()
            try:
                self._lark.parse(data.decode("latin-1"), start=start)
            except UnexpectedInput:
                return False
            if len(data) <= _SHORT and len(self._remembered) < _REMEMBERED:
                self._remembered[key] = used
        self.counts.update(used)
        return True

    def uses(self) -> Iterator[ProductionUse]:
        """The productions in the order of the file."""
        written = _Written(self._lark, self.file)
        for name in map(str, lark_grammars.rule_trees(self.file)):
            keys = written.rules[name]
            yield ProductionUse(
                name,
                sum(self.counts[name, key] for key in keys),
                tuple(Use(written.alternative(key), self.counts[name, key]) for key in keys),
                tuple(self._repeated(written, name)),
            )

    def _repeated(self, written: _Written, name: str) -> Iterator[Use]:
        """What stands in repetitions: its alternatives, or how often the only one came again."""
        for helper in written.helpers(name):
            first = written.first_alternatives(helper)
            for key in first:
                again = self.counts[name, (helper, (helper, *key[1]))]
                text = written.alternative(key)
                if len(first) == 1:
                    yield Use(f"… {text}", again)
                else:
                    yield Use(text, self.counts[name, key] + again)


def _key(rule: Any) -> _Key:
    return str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion)


def _is_helper(symbol: str) -> bool:
    """Whether Lark made the rule, for a repetition."""
    return symbol.startswith("__")


class _Written:
    """The alternatives of a grammar as a reader would write them."""

    def __init__(self, lark: Lark, file: str) -> None:
        self.rules: dict[str, list[_Key]] = {}
        for rule in lark.rules:
            key = _key(rule)
            self.rules.setdefault(key[0], []).append(key)
        known = productions(file)
        self._literals = {
            terminal.name: f'"{terminal.pattern.value}"'
            for terminal in lark.terminals
            if terminal.name not in known
        }

    def helpers(self, name: str) -> list[str]:
        """The rules for the repetitions in a production."""
        symbols = [symbol for _, symbols in self.rules[name] for symbol in symbols]
        return list(dict.fromkeys(filter(_is_helper, symbols)))

    def first_alternatives(self, helper: str) -> list[_Key]:
        """What is repeated: the alternatives that do not call the rule itself."""
        return [key for key in self.rules[helper] if helper not in key[1]]

    def alternative(self, key: _Key) -> str:
        return " ".join(map(self._symbol, key[1])) or "()"

    def _symbol(self, symbol: str) -> str:
        if not _is_helper(symbol):
            return self._literals.get(symbol, symbol)
        parts = [self.alternative(key) for key in self.first_alternatives(symbol)]
        if len(parts) == 1 and " " not in parts[0]:
            return parts[0] + "+"
        return f"({' | '.join(parts)})+"


class _ValueUse:
    """Counts what the values of files use of ``values.lark``."""

    def __init__(self) -> None:
        self.parser = _CountingParser("values.lark", sorted(value_grammar.value_types()))

    def count(self, flat: FlatTree) -> tuple[int, int]:
        """How many values there are, and how many fit no type of their property."""
        values = unread = 0
        for tree, root in enumerate(flat.roots):
            context = reader(root_context(flat.first_values(root, GOVERNING), "latin-1"))
            nodes = flat.nodes_of(tree)
            for prop in range(flat.properties_of(nodes[0])[0], flat.properties_of(nodes[-1])[1]):
                raws = flat.raw(prop)
                definition = context.definition(flat.ident(prop))
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
        if definition is None:
            return self.parser.count(raw, "unknown")
        if definition.alternatives[0].empty and raws == [b""]:
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
    """Productions used, all productions, alternatives used, all alternatives."""
    uses = tuple(uses)
    alternatives = [use for production in uses for use in production.all_alternatives]
    return (
        sum(use.count > 0 for use in uses),
        len(uses),
        sum(use.count > 0 for use in alternatives),
        len(alternatives),
    )
