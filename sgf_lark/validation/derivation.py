"""What the accelerated validation derives from the declarations of the rules.

Nothing here knows a rule: which nodes and properties can be skipped follows from what the rules
declare (:mod:`sgf_lark.rules.registry`), from ``properties.toml``, and from asking the rules
about a sample of every property.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context
from sgf_lark.model.values.games import names_of_points
from sgf_lark.model.values.reader import reader
from sgf_lark.rules.registry import Needs, Plain, Rule, Scope, Selector
from sgf_lark.syntax.game_trees import parse
from sgf_lark.text.decoding import decode
from sgf_lark.validation.runner import ActiveRules, Runner

#: A plain value of each kind; %b is the point in the upper left.
_SAMPLES = {
    Plain.TEXT: b"a",
    Plain.NUMBER: b"1",
    Plain.REAL: b"1.5",
    Plain.MOVE: b"%b",
    Plain.POINTS: b"%b",
    Plain.LABELS: b"%b:a",
    Plain.DATE: b"2001-02-03",
}

#: The kinds of texts that are plain, by their format.
_KINDS_OF_TEXT = {"": Plain.TEXT, "date": Plain.DATE}

#: A number that no game has.
_UNLISTED_GAME = 0

#: Kinds of value that name points of the board.
_OF_POINTS = Plain.MOVE | Plain.POINTS | Plain.LABELS


@lru_cache(maxsize=64)
def first_point(context: Context) -> bytes:
    """The point in the upper left as the game writes it; b"" if there is no board whose points
    the game can write."""
    names = names_of_points(reader(context).rule("point"), context.size)
    return names[0] if names else b""


def kind_of(definition: PropertyDefinition, context: Context) -> Plain:
    """The kind of plain value that a property of that definition can have."""
    point, known = first_point(context), reader(context)
    if definition.is_text:
        found = _KINDS_OF_TEXT.get(definition.format, Plain.NONE)
    elif definition.value in ("number", "real"):
        found = Plain.NUMBER if definition.value == "number" else Plain.REAL
    elif definition.is_move:
        found = Plain.MOVE if known.matches("move", point) else Plain.NONE
    elif definition.list_kind == "label":
        found = Plain.LABELS
    elif definition.list_kind is not None:
        is_of_points = known.rule(definition.list_kind) == known.rule("point")
        found = Plain.POINTS if is_of_points else Plain.NONE
    else:
        found = Plain.NONE
    return Plain.NONE if found in _OF_POINTS and not point else found


def sample_context(game: int, file_format: int) -> Context:
    """A context that stands for all of that game and file format.

    What the rules find in plain values depends on neither the size of the board nor the
    charset. All games that are not listed have the same properties.
    """
    listed = game if game in grammar.games() else _UNLISTED_GAME
    return Context(listed, file_format, grammar.game(listed).size)


def clean_kinds(rules: ActiveRules, context: Context) -> dict[str, Plain]:
    """For each identifier the kind of plain value that no rule of properties or values reports
    in a tree of that context; properties without such a kind are left out.

    A rule that does not ignore the kind may report one plain value and not another, so that
    nothing is known of them. If all ignore it, one sample represents all.
    """
    kinds: dict[str, Plain] = {}
    for ident in dict.fromkeys(entry.ident for entry in grammar.properties()):
        definition = grammar.definition(ident, context.game, context.file_format)
        if definition is None:
            continue
        kind = kind_of(definition, context)
        if kind is not Plain.NONE and _all_ignore(rules, definition, kind):
            kinds[ident] = kind
    reported = _reported_samples(rules, context, kinds)
    return {ident: kind for ident, kind in kinds.items() if ident not in reported}


def _all_ignore(rules: ActiveRules, definition: PropertyDefinition, kind: Plain) -> bool:
    """Whether it makes no difference to any rule which plain value of that kind a property
    has."""
    return all(kind in rule.ignores for of_scope in rules.about(definition) for rule in of_scope)


def _reported_samples(rules: ActiveRules, context: Context, kinds: dict[str, Plain]) -> set[str]:
    """The identifiers of which rules report a property with the sample value."""
    point = first_point(context)
    samples = {kind: text.replace(b"%b", point) for kind, text in _SAMPLES.items()}
    written = [ident.encode() + b"[" + samples[kind] + b"]" for ident, kind in kinds.items()]
    tree = _sample_tree(b"(;%s;%s)" % (_size(context), b"".join(written)), context)
    reported = set()
    for entry in tree.node(tree.numbers[-1]).properties:
        runner = Runner(rules)
        runner.check_property(entry)
        if runner.found:
            reported.add(entry.ident)
    return reported


def _size(context: Context) -> bytes:
    return b"SZ[%d:%d]" % context.size if context.size is not None else b""


def _sample_tree(data: bytes, context: Context) -> GameTree:
    """The tree in `data` in that context but for its charset."""
    file = parse(decode(data))
    assert file.damaged is None
    return Collection.of_file(file.overriding(context.file_format, context.game))[0]


# --- Nodes ----------------------------------------------------------------------------

#: What no plain node is: one that is not the root, and has one move and other properties with
#: plain values, all with different identifiers, whose lists name no point twice.
_NEVER_PLAIN = (
    Needs.ROOT,
    Needs.NO_MOVE,
    Needs.OUT_OF_TURN,
    Needs.EMPTY,
    Needs.REPEATED_IDENTIFIER,
    Needs.SHARED_POINT,
    Needs.LEAF | Needs.ONLY_PASS,
)


def clean_in_nodes(
    rules: Iterable[Rule], kinds: dict[str, Plain], context: Context
) -> dict[str, Plain]:
    """Those of the `kinds` whose plain properties no rule of nodes reports in a plain node.

    From each rule that may report a plain node one of the properties that it needs is
    withheld. A rule that needs none but the move may report every node: then nothing is left.
    """
    left = dict(kinds)
    for rule in rules:
        if any(need in rule.needs for need in _NEVER_PLAIN):
            continue
        matching = [_matching(selector, left, context) for selector in rule.having]
        if not all(matching):
            continue
        without_move = [
            idents for idents in matching if all(left[ident] is not Plain.MOVE for ident in idents)
        ]
        only_moves = [
            idents for idents in matching if all(left[ident] is Plain.MOVE for ident in idents)
        ]
        if len(only_moves) > 1:  # a plain node has one
            continue
        if not without_move:
            return {}
        for ident in min(without_move, key=len):
            del left[ident]
    return left


def _matching(selector: Selector, kinds: dict[str, Plain], context: Context) -> list[str]:
    """The identifiers whose definition the selector accepts."""
    return [
        ident
        for ident in kinds
        if (definition := grammar.definition(ident, context.game, context.file_format)) is not None
        and selector(definition)
    ]


@lru_cache(maxsize=4096)
def numbered(selectors: tuple[Selector, ...]) -> frozenset[tuple[Selector, int]]:
    """Each selector with the number of times that it came before, so that none are equal.

    A node with properties that some selectors select has a different property for each of
    others, or may have, if these numbered ones contain the numbered others.
    """
    counts: Counter[Selector] = Counter()
    found = set()
    for selector in selectors:
        found.add((selector, counts[selector]))
        counts[selector] += 1
    return frozenset(found)


@lru_cache(maxsize=4096)
def selectors_of(rules: ActiveRules, definition: PropertyDefinition) -> tuple[Selector, ...]:
    """The selectors by which rules of nodes select a property of that definition."""
    every = dict.fromkeys(each for rule in rules.by_scope[Scope.NODE] for each in rule.having)
    return tuple(selector for selector in every if selector(definition))
