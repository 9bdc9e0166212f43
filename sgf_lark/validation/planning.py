"""Which rules are asked about what, and what is known from earlier validations.

Plain Python, and with the types of ``planning.pxd`` compiled to C.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from sgf_lark import grammar
from sgf_lark.diagnostics import Severity
from sgf_lark.engine.columns import Known
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.rules.registry import RULES, Finding, Scope, every
from sgf_lark.validation.screening import screen_of
from sgf_lark.validation.trees import BOARD_LETTERS, lettered_board
from sgf_lark.validation.views import NodeView, Shape
from sgf_lark.values import Context, reader, short_values

#: The order matters for value rules: the first that speaks has the last word.
_FAMILIES = (
    "value_syntax",
    "ranges",
    "texts",
    "file_formats",
    "other_games",
    "nodes",
    "paths",
    "position",
    "style",
)

#: What rules say of a property up to this many bytes is remembered, for so many
#: properties in a context, and for so many contexts.
SHORT = 48
SHORT_NODE = 64
REMEMBERED = 50_000
_CONTEXTS = 32


@cache
def load_rules() -> None:
    """Import the modules of all rules, which register themselves, and what corrects them.

    Whichever of them was imported first, the rules come in the order of the families.
    """
    for family in _FAMILIES:
        __import__(f"sgf_lark.rules.{family}")
    for rules in RULES.values():
        rules.sort(key=lambda entry: _FAMILIES.index(entry.function.__module__.split(".")[-1]))


def load_corrections() -> None:
    """The same, and what mends damage, for which there are no rules."""
    load_rules()
    import sgf_lark.rules.damage  # noqa: F401


#: Codes and functions of rules that are to run.
Active = list[tuple[str, Callable[..., Any]]]

#: The same of rules of nodes, and the identifiers of all that each reads, if that is known.
OfNode = list[tuple[str, Callable[..., Any], tuple[bytes, ...]]]

#: What rules say of a property: codes and findings, with offsets from its identifier.
Said = tuple[tuple[str, Finding], ...]


class Plan:
    """What is to be run under a profile, and what is known from earlier runs: where it
    `remembers`, what rules said of properties and nodes, which is not asked for again.
    Else every rule looks at everything."""

    def __init__(self, profile: str, codes: frozenset[str], remembers: bool) -> None:
        self.remembers = remembers
        known = {severity.value: severity for severity in Severity}
        self.severities = {
            code: known[severity]
            for code, severity in grammar.severities(profile).items()
            if code in codes and severity != "off"
        }
        load_rules()
        self._of_whole: dict[tuple[str, ...], Active] = {}
        self.paths = [entry for entry in RULES["path"] if entry.code in self.severities]
        #: By definitions, which are there for good.
        self._about: dict[int, tuple[Active, Active]] = {}
        self._of_property: dict[int, Active] = {}
        self._memories: dict[Context, Memory] = {}

    def of_whole(self, scope: Scope, one: str, another: str, third: str = "") -> Active:
        """The rules of collections or of trees that can speak under these conditions, of
        which some are ""."""
        key = scope, one, another, third
        found = self._of_whole.get(key)
        if found is None:
            found = self._of_whole[key] = [
                (entry.code, entry.function)
                for entry in RULES[scope]
                if entry.code in self.severities and entry.when in ("", one, another, third)
            ]
        return found

    def of_property(self, definition: PropertyDefinition | None) -> Active:
        """The rules of properties that can speak of one that means that."""
        found = self._of_property.get(id(definition))
        if found is None:
            found = self._of_property[id(definition)] = [
                (entry.code, entry.function)
                for entry in RULES["property"]
                if entry.code in self.severities
                and (entry.about is every or (definition is not None and entry.about(definition)))
            ]
        return found

    def about(self, definition: PropertyDefinition) -> tuple[Active, Active]:
        """The rules that can speak of values of that property: of "value" all, of
        "content" those that are wanted."""
        found = self._about.get(id(definition))
        if found is None:
            found = (
                [
                    (entry.code, entry.function)
                    for entry in RULES["value"]
                    if entry.about(definition)
                ],
                [
                    (entry.code, entry.function)
                    for entry in RULES["content"]
                    if entry.about(definition) and entry.code in self.severities
                ],
            )
            self._about[id(definition)] = found
        return found

    def of_node(self, node: NodeView, turned: bool) -> tuple[OfNode, OfNode]:
        """The rules that can speak of a node of that shape, with the identifiers of what each
        reads, and those of them that can where no point is named in two lists; `turned` tells
        whether moves in it may be out of turn."""
        found: OfNode = []
        apart: OfNode = []
        for entry in RULES["node"]:
            if entry.code not in self.severities or (entry.when == "turn" and not turned):
                continue
            if entry.shape is None or entry.shape(node):
                reads = tuple([ident.encode("latin-1") for ident in entry.reads])
                found.append((entry.code, entry.function, reads))
                if entry.when != "shared":
                    apart.append(found[-1])
        return found, apart

    def memory(self, context: Context) -> Memory:
        """What is known of nodes and properties in such a tree."""
        found = self._memories.get(context)
        if found is None:
            if len(self._memories) >= _CONTEXTS:
                self._memories.clear()
            found = self._memories[context] = Memory(context, self.remembers)
        return found


class Memory:
    """What rules said, which holds for the same elsewhere in trees of a context."""

    def __init__(self, context: Context, screening: bool) -> None:
        #: What tells which nodes rules have to look at.
        self.screen = screen_of(context) if screening else None
        #: Of a short property by its bytes, and what has to be plain.
        self.known = Known(SHORT, BOARD_LETTERS, *lettered_board(context))
        #: Identifiers of lists of which nothing is said while their points are plain, and
        #: these are not written as two letters.
        self.lists: set[bytes] = set()
        #: Identifiers of texts of which nothing is said as properties while they have one
        #: value: some texts have a form, so that plain ones are not all alike.
        self.texts: set[str] = set()
        #: Identifiers that nobody knows, and what is said of the property as a whole.
        self.unknown: dict[str, Said] = {}
        #: Which rules can speak of a node, and what its properties are, by whether moves are
        #: out of turn, whether it is a root or a leaf, and the identifiers in it.
        self.shapes: dict[tuple[object, ...], tuple[OfNode, OfNode, Shape]] = {}
        #: Codes of rules of nodes, and the bytes of all that they read, where they say nothing.
        self.unsaid: set[tuple[str, tuple[bytes, ...]]] = set()
        #: The bytes of short nodes of which nothing is said: of leaves, and of others.
        self.silent: tuple[set[bytes], set[bytes]] = set(), set()

    def remember(self, key: bytes, said: Said) -> None:
        if len(self.known.said) >= REMEMBERED:
            self.known.said.clear()
        self.known.said[key] = said


@lru_cache(maxsize=16)
def plan(profile: str, codes: frozenset[str], remembers: bool) -> Plan:
    return Plan(profile, codes, remembers)


def forget() -> None:
    """Forget what was learned from files: the next is validated as the first one is."""
    plan.cache_clear()
    reader.cache_clear()
    short_values.cache_clear()
