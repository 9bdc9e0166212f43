"""Random files that follow the EBNF and most value types, but no other rule."""

from __future__ import annotations

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, word
from sgf_lark.fuzz.generating_files import (
    MANY_NODES,
    Options,
    Writer,
    encode_file,
    pick_context,
    root_properties,
)
from sgf_lark.fuzz.generating_trees import NewNode, Property
from sgf_lark.fuzz.generating_values import VALUES, Values, largest_side
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.values import Context
from sgf_lark.model.values.games import NOTATIONS
from sgf_lark.syntax import values as value_grammar


def make_grammatical(choices: Choices, options: Options) -> bytes:
    """Return a file of one or two trees, with any properties in any nodes.

    Most values are of the type of their property. Moves are frequent, in and out of turn.
    """
    if (options.trees or 2) * (options.nodes or 0) > MANY_NODES:
        choices = choices.bulk()
    context, name = pick_context(choices, options)
    writer = Writer(choices)
    trees = []
    for _ in range(options.trees or 1 + choices.integer(0, 1) * choices.integer(0, 1)):
        count = choices.integer(0, 20) if options.nodes is None else options.nodes
        root = _tree(_AnyProperties(choices, context), count)
        if choices.integer(0, 9):
            root.properties[:0] = root_properties(choices, context, name)
        trees.append(writer.tree(root))
    return encode_file(writer.gap("tree").join(trees), name)


def make_syntactic(choices: Choices) -> bytes:
    """Return a word of ``sgf.lark``, with identifiers and values that mean nothing."""

    def gap() -> bytes:
        return word("sgf.lark", "WHITE_SPACE", Making(choices)) if choices.chance(6) else b""

    return word("sgf.lark", "collection", Making(choices, fuel=20, gap=gap))


def _tree(generator: _AnyProperties, count: int) -> NewNode:
    choices = generator.choices
    root = NewNode(generator.of_node())
    path = [root]
    for _ in range(count):
        if choices.chance(8):
            del path[choices.integer(1, len(path)) :]
        node = NewNode(generator.of_node())
        path[-1].children.append(node)
        path.append(node)
    return root


class _AnyProperties:
    """Generates properties for one context, at times with points one line off its board."""

    def __init__(self, choices: Choices, context: Context) -> None:
        self.choices = choices
        size = context.size
        if size is not None and max(size) < largest_side(context.game) and choices.chance(3):
            context = context._replace(size=(size[0] + 1, size[1] + 1))
        if grammar.game(context.game).point not in NOTATIONS:
            context = context._replace(size=None)
        self.values = Values(choices, context)
        self._entries = [entry for entry in grammar.properties() if entry.in_game(context.game)]
        self._moves = [entry for entry in self._entries if entry.exclusive == "move"]

    def of_node(self) -> list[Property]:
        choices = self.choices
        choices.begin_part()
        found = []
        if choices.integer(0, 2):
            found.append(self._property(choices.choice(self._moves)))
        for _ in range(choices.integer(1, 3) if choices.chance(3) else 0):
            found.append(self._property(choices.choice(self._entries)))
        return found

    def _property(self, entry: PropertyDefinition) -> Property:
        count = self.choices.integer(1, 3) if entry.takes_many or self.choices.chance(40) else 1
        return entry.ident, [self._value(entry) for _ in range(count)]

    def _value(self, entry: PropertyDefinition) -> bytes:
        choices = self.choices
        if choices.chance(20):
            return word(
                VALUES, choices.choice(sorted(value_grammar.value_types())), Making(choices)
            )
        kind = choices.choice(entry.alternatives)
        if entry.format and choices.integer(0, 1):
            return self.values.word(entry.format)
        halves = [half for half in (kind.first, kind.second) if half]
        return b":".join(self._half(half, kind.composed) for half in halves)

    def _half(self, kind: str, composed: bool) -> bytes:
        values = self.values
        if kind in grammar.TEXT_TYPES:
            return values.text(kind, composed=composed)
        rule = {"point": values.game.point, "stone": values.game.stone, "move": values.game.move}
        symbol = rule.get(kind, kind)
        return values.word(symbol) if symbol else values.plain_word()
