"""The grammars in ``grammar/*.lark`` as Lark reads them: parsers, tables, terminals."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from sgf_lark import built
from sgf_lark.grammar import source
from sgf_lark.lalr_tables import LALRTables, tables_of
from sgf_lark.syntax.lalr import LALRParser

if TYPE_CHECKING:
    from lark import Lark, Tree

_FILES = {
    "strict": "sgf.lark",
    "strict-tree": "sgf.lark",
    "tolerant": "tolerant.lark",
    "tolerant-tree": "tolerant.lark",
    "values": "values.lark",
}
T = TypeVar("T")

#: The parsers that keep punctuation, such as "(", among the children of a production.
_WITH_ALL_TOKENS = ("strict", "tolerant")
#: The parsers of which :class:`sgf_lark.syntax.lalr.LALRParser` runs the tables.
_RUN_BY_TABLES = ("strict", "tolerant", "values")
#: The names of the parsers that :func:`load_lark` gives.
PARSERS = tuple(_FILES)


def load_lark(name: str, **options: Any) -> Lark:
    """One of the :data:`PARSERS`, a new object each time.

    `options` are those that Lark applies to a stored parser, such as `transformer`,
    `lexer_callbacks` and `propagate_positions`.
    """
    from lark import Lark

    # Lark.load takes no options; parsers made by lark.tools.standalone call this instead.
    load: Callable[..., Lark] = getattr(Lark, "_load_from_dict")  # noqa: B009
    return load(**_stored(name), **options)


@contextmanager
def lent(at_rest: list[T], make: Callable[[], T]) -> Iterator[T]:
    """One of those `at_rest`, or a new one: a parser that is used for one file at a time.

    To load one takes longer than to parse most files. Threads do not get the same.
    """
    try:
        found = at_rest.pop()
    except IndexError:
        found = make()
    try:
        yield found
    finally:
        at_rest.append(found)


@cache
def _stored(name: str) -> dict[str, Any]:
    if name not in _FILES:
        raise ValueError(f"unknown parser: {name!r}; one of {', '.join(PARSERS)}")
    return built.content(f"lark-{name}", (_FILES[name],), lambda: build_lark(name))


def build_lark(name: str) -> dict[str, Any]:
    """One of the :data:`PARSERS` as plain data, which :meth:`lark.Lark.save` pickles."""
    from lark import Lark

    lark = Lark(
        source(_FILES[name]),
        parser="lalr",
        start=list(_value_types()) if name == "values" else "collection",
        keep_all_tokens=name in _WITH_ALL_TOKENS,
    )
    stream = io.BytesIO()
    lark.save(stream)
    saved: dict[str, Any] = pickle.loads(stream.getvalue())
    return saved


@cache
def tables(name: str) -> LALRTables:
    """The LALR(1) tables of one of the :data:`PARSERS`."""

    def make() -> tuple[Any, ...]:
        return tuple(tables_of(load_lark(name)))

    return LALRTables(*built.content(f"lalr-{name}", (_FILES[name], "lalr_tables.py"), make))


def build_content() -> None:
    """Ask for all content that this module stores."""
    for name in PARSERS:
        _stored(name)
    for name in _RUN_BY_TABLES:
        tables(name)
    value_patterns()


@cache
def structure_parser(tolerant: bool = False) -> Lark:
    """Lark's LALR(1) parser of ``sgf.lark`` or ``tolerant.lark``, which builds parse trees.

    It parses bytes decoded as Latin-1.
    """
    return load_lark("tolerant-tree" if tolerant else "strict-tree", propagate_positions=True)


@cache
def regular_symbols() -> frozenset[str]:
    """The productions and terminals of ``sgf.lark``; all others in a parse tree are damage."""
    parser = structure_parser()
    productions = {str(rule.origin.name) for rule in parser.rules}
    return frozenset(productions | {terminal.name for terminal in parser.terminals})


@cache
def rule_trees(name: str) -> dict[str, Tree[Any]]:
    """The productions of the grammar file `name`, as trees of Lark's grammar loader."""
    return {rule[0]: rule[2] for rule in _loaded(name).rule_defs}


@cache
def terminal_patterns(name: str) -> dict[str, str]:
    """The terminals of the grammar file `name` as regular expressions."""
    terminals, _, _ = _loaded(name).compile([str(rule) for rule in rule_trees(name)], "*")
    return {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}


def _loaded(name: str) -> Any:
    from lark.load_grammar import GrammarBuilder

    builder = GrammarBuilder()
    builder.load_grammar(source(name), name)
    return builder.build()


def is_operator(item: Any) -> bool:
    """Whether a child of such a tree is only a repetition operator, such as "+"."""
    return getattr(item, "type", "") in {"OP", "NUMBER", "TILDE"}


# --- Value types as regular expressions ----------------------------------------


def _value_types() -> tuple[str, ...]:
    names = map(str, rule_trees("values.lark"))
    return tuple(sorted(name for name in names if not name.startswith("_")))


@cache
def value_patterns() -> dict[str, str]:
    """The language of each value type, a start production of ``values.lark``, as a regular
    expression.

    There is one because no production of ``values.lark`` contains itself.
    """
    return built.content("value-patterns", ("values.lark",), _build_value_patterns)


def _build_value_patterns() -> dict[str, str]:
    rules, terminals = rule_trees("values.lark"), tables("values").terminals
    return {name: _expression(rules, terminals, name) for name in _value_types()}


def _expression(rules: dict[str, Tree[Any]], terminals: dict[str, str], name: str) -> str:
    """The regular expression for a production: Lark makes it as it makes that of a terminal of
    other terminals."""
    from lark import Transformer, Tree
    from lark.lexer import PatternRE
    from lark.load_grammar import PrepareLiterals, TerminalTreeToPattern

    class References(Transformer[Any, Any]):
        """Puts the expression of a symbol in the place of its name."""

        def value(self, children: list[Any]) -> Any:
            [symbol] = children
            of_symbol = getattr(symbol, "name", None)
            if of_symbol is None:
                return symbol
            found = terminals.get(of_symbol) or _expression(rules, terminals, of_symbol)
            return Tree("pattern", [PatternRE(f"(?:{found})")])

    found = (References() * PrepareLiterals() * TerminalTreeToPattern()).transform(rules[name])
    return str(found.to_regexp())


# ``values.lark`` as a parser of property values and as regular expressions.
#
# The callbacks of the parser, one for each production, are in :mod:`sgf_lark.model.values`.


@cache
def value_types() -> frozenset[str]:
    """The names of the start productions of ``values.lark``."""
    return frozenset(value_patterns())


@cache
def pattern(value_type: str) -> re.Pattern[bytes]:
    """The language of a value type as a regular expression over bytes.

    It only tests whether a value belongs to the type; the meaning of the value comes from
    :func:`value_parser`. Raises KeyError for a type that the grammar lacks.
    """
    return re.compile(b"(?s)" + value_patterns()[value_type].encode("latin-1"))


FILE_FORMATS = (1, 2, 3, 4)
LATEST_FILE_FORMAT = FILE_FORMATS[-1]


# Nearly all roots have one of a few values.
@lru_cache(maxsize=64)
def file_format(raw: bytes | None) -> int | None:
    """The file format that a value of FF names; None where there is none.

    One above 4 counts as FF[4], a value that is not valid as missing.
    """
    if raw is None or not pattern("game").fullmatch(raw):
        return None
    return int(raw[-1:]) if pattern("file_format").fullmatch(raw) else LATEST_FILE_FORMAT


def value_parser(transformer: Any) -> LALRParser:
    """The parser of ``values.lark`` with the callbacks of `transformer`; each value type is a
    start production. It parses bytes decoded as Latin-1."""
    return LALRParser(tables("values"), transformer)


def value_terminals() -> dict[str, str]:
    """The terminals of ``values.lark`` as regular expressions, by name."""
    return tables("values").terminals
