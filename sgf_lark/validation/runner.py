"""The plain validation: every rule is asked about everything, in plain Python.

It is the specification of what is reported. The accelerated validation gives the same sooner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark import grammar
from sgf_lark.diagnostics import Severity
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.board import Board
from sgf_lark.model.board_walk import walk
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.rules import load_rules
from sgf_lark.rules.registry import RULES, Finding, Rule, Scope
from sgf_lark.validation.report import FoundAt, by_place, code_of

if TYPE_CHECKING:
    from sgf_lark.syntax.tolerant import Damage


class ActiveRules:
    """The rules of a profile whose codes are selected, and their severities."""

    def __init__(self, profile: str, codes: frozenset[str]) -> None:
        load_rules()
        self.severities = {
            code: Severity.STYLE if code in grammar.on_request() else Severity(severity)
            for code, severity in grammar.severities(profile).items()
            if code in codes and (severity != "off" or code in grammar.on_request())
        }
        self._of: dict[PropertyDefinition | None, RulesOfProperty] = {}

    @cached_property
    def by_scope(self) -> dict[Scope, list[Rule]]:
        """The active rules of each scope.

        VALUE rules are all active, and some only hold back others: what one of them reports
        is not the business of the rules after it, also where its code is not selected.
        """
        return {
            scope: [rule for rule in rules if scope is Scope.VALUE or rule.code in self.severities]
            for scope, rules in RULES.items()
        }

    @cached_property
    def once(self) -> frozenset[str]:
        """The codes of the rules that report an identifier once for a file."""
        return frozenset(each.code for of_scope in RULES.values() for each in of_scope if each.once)

    def about(self, definition: PropertyDefinition | None) -> RulesOfProperty:
        """The active rules that can report a property of that definition, or without one."""
        known = self._of.get(definition)
        if known is None:
            known = self._of[definition] = RulesOfProperty(
                *(
                    [
                        rule
                        for rule in self.by_scope[scope]
                        if rule.about is None or (definition is not None and rule.about(definition))
                    ]
                    for scope in (Scope.PROPERTY, Scope.VALUE, Scope.CONTENT)
                )
            )
        return known


class RulesOfProperty(NamedTuple):
    """The rules for a property of one definition, for its values, and for their content."""

    property: list[Rule]
    value: list[Rule]
    content: list[Rule]


#: Findings beyond the limit are dropped when there are this many times more than are kept.
_TIMES_KEPT = 2


class Runner:
    """One run of the active rules over a collection.

    Of each rule at most `max_per_rule` findings are kept, the first ones in the file, if that is
    not None; `omitted` counts the others by their codes.
    """

    def __init__(self, rules: ActiveRules, max_per_rule: int | None = None) -> None:
        self.rules = rules
        self.found: list[FoundAt] = []
        self.omitted: dict[str, int] = {}
        self._max_per_rule = max_per_rule
        self._most_found = self._next_limit()

    def run(self, collection: Collection, damage: Sequence[Damage]) -> list[FoundAt]:
        """The findings in the collection and the `damage` in its file, in any order."""
        self.check_damage(collection, damage)
        if collection:
            self.check_collection(collection)
        self._drop_repeated()
        self._keep_first()
        return self.found

    # A file of some megabytes can break a rule hundreds of thousands of times for one cause, such
    # as a bracket that is missing, and a finding takes half a kilobyte.

    def drop_repeated(self) -> None:
        """Drop the findings beyond the limit, if there are enough for that to be worth the time.

        Where the number of findings before and after something is compared, this must not be
        called in between.
        """
        if self._most_found is not None and len(self.found) > self._most_found:
            self._drop_repeated()

    def _drop_repeated(self) -> None:
        if self._max_per_rule is None or len(self.found) <= self._max_per_rule:
            return
        self._keep_first()
        kept: Counter[str] = Counter()
        found, self.found = self.found, []
        for each in sorted(found, key=by_place):
            code = code_of(each)
            if kept[code] < self._max_per_rule:
                kept[code] += 1
                self.found.append(each)
            else:
                self.omitted[code] = self.omitted.get(code, 0) + 1
        self._most_found = self._next_limit()

    def _keep_first(self) -> None:
        """Keep the first finding of each identifier, of rules that report it once."""
        codes = self.rules.once
        if codes.isdisjoint(map(code_of, self.found)):
            return
        known: set[tuple[str, str | None]] = set()
        found, self.found = self.found, []
        for each in sorted(found, key=by_place):
            _, code, _, finding, _ = each
            key = code, finding.ident
            if code not in codes or key not in known:
                known.add(key)
                self.found.append(each)

    def _next_limit(self) -> int | None:
        if self._max_per_rule is None:
            return None
        return _TIMES_KEPT * max(len(self.found), self._max_per_rule)

    def check_damage(self, collection: Collection, damage: Sequence[Damage]) -> None:
        """Report what the tolerant parser passed over."""
        if not damage:
            return
        from sgf_lark.syntax.tolerant import message_values  # not for intact files

        flat = collection.flat
        for each in damage:
            code, start, end, ident, _ = each
            if code in self.rules.severities:
                values = message_values(each, flat.data)
                finding = Finding(start, end, values, ident)
                self.report(code, finding, flat.node_at(start))
                self.drop_repeated()

    def check_collection(self, collection: Collection) -> None:
        """Ask the rules of the collection, then those of each tree."""
        for rule in self.rules_of_collection(collection):
            self.report_bounded(rule, rule.function(collection), None)
        for tree in collection:
            self.check_tree(tree)
            tree.forget_nodes()

    def check_tree(self, tree: GameTree) -> None:
        """Ask the rules of the tree, of its positions, and of each node."""
        for rule in self.rules_of_tree(tree):
            self.report_bounded(rule, rule.function(tree), None)
        self.check_nodes(tree)

    # What rules are asked: all of them here, and fewer in subclasses.

    def rules_of_collection(self, collection: Collection) -> Sequence[Rule]:
        """The rules that are asked about a collection."""
        return self.rules.by_scope[Scope.COLLECTION]

    def rules_of_tree(self, tree: GameTree) -> Sequence[Rule]:
        """The rules that are asked about a tree."""
        return self.rules.by_scope[Scope.TREE]

    def check_nodes(self, tree: GameTree) -> None:
        """Ask the rules of positions, and those of each node."""
        self.check_positions(walk(tree))
        for number in tree.parsed.numbers:
            self.check_node(Node(tree, number))
            self.drop_repeated()

    def check_positions(self, nodes: Iterable[tuple[Node, Board | None]]) -> None:
        """Ask the rules of positions about these nodes, with the board before each; it is None in
        games whose moves are not played out."""
        rules = self.rules.by_scope[Scope.POSITION]
        for node, board in nodes:
            if board is None:
                break
            for rule in rules:
                self.report_bounded(rule, rule.function(node, board), node.number)

    def check_node(self, node: Node) -> None:
        """Ask the rules of nodes, then those of each property."""
        for rule in self.rules.by_scope[Scope.NODE]:
            self.report_all(rule, rule.function(node), node.number)
        for entry in node.properties:
            self.check_property(entry)

    def check_property(self, entry: Property) -> None:
        """Ask the rules of the property, then those of each value.

        A property of another file format has the type that it has there.
        """
        definition = entry.definition
        rules = self.rules.about(definition)
        for rule in rules.property:
            self.report_all(rule, rule.function(entry), entry.node.number)
        if definition is None:
            return
        for value in entry.prop_values():
            # The empty value of an elist is not a value of its own (SGF308).
            if value.raw or not definition.may_be_empty:
                self.check_value(value, rules)

    def check_value(self, value: PropValue, rules: RulesOfProperty) -> None:
        """Ask the VALUE rules until one reports; if none does, ask the CONTENT rules."""
        node = value.property.node.number
        for rule in rules.value:
            finding = rule.function(value)
            if finding is not None:
                if rule.code in self.rules.severities:
                    self.report(rule.code, finding, node)
                return
        for rule in rules.content:
            finding = rule.function(value)
            if finding is not None:
                self.report(rule.code, finding, node)

    def report_all(self, rule: Rule, findings: Iterable[Finding], node: int | None) -> None:
        """Record what a rule reports for the node of that number, or for its own."""
        for finding in findings:
            self.report(rule.code, finding, node if finding.node is None else finding.node)

    def report_bounded(self, rule: Rule, findings: Iterable[Finding], node: int | None) -> None:
        """Record what a rule reports as :meth:`report_all` does, up to the limit."""
        for finding in findings:
            self.report(rule.code, finding, node if finding.node is None else finding.node)
            self.drop_repeated()

    def report(self, code: str, finding: Finding, node: int | None) -> None:
        """Record a finding."""
        number = -1 if node is None else node
        self.found.append((finding.start, code, finding.end, finding, number))
