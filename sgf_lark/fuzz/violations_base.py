"""The registry of recipes, and the conforming game tree that most recipes start from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, word_of_pattern
from sgf_lark.fuzz.generating_files import (
    ANY,
    Options,
    Writer,
    pick_context,
    root_properties,
    usual_charsets,
)
from sgf_lark.fuzz.generating_trees import SHAPES, NewNode, Property, Trees
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.values import Context
from sgf_lark.syntax import values as value_grammar

#: Generates a file that violates one rule.
Recipe = Callable[[Choices], bytes]
Function = TypeVar("Function", bound=Callable[..., bytes])

#: Smaller boards may have too few points for a violation.
_LEAST_SIDE = 7

#: The recipes of each code.
RECIPES: dict[str, list[Recipe]] = {}


def violates(*codes: str) -> Callable[[Function], Function]:
    """Register a recipe under the codes of the rules that its files violate.

    A recipe for several codes takes the code as the parameter `code`.
    """

    def register(function: Function) -> Function:
        for code in codes:
            recipe = function if len(codes) == 1 else partial(function, code=code)
            RECIPES.setdefault(code, []).append(recipe)
        return function

    return register


class Draft:
    """A conforming game tree to which a recipe adds one violation. All its texts are ASCII."""

    def __init__(
        self,
        choices: Choices,
        game: int | None = None,
        file_format: int = 4,
        *,
        context: Context | None = None,
        leave_out: Iterable[str] = (),
        charset: str | None = ANY,
        least: int = 0,
    ) -> None:
        """Generate a tree of at least `least` nodes after the root.

        The tree has that `context`, or a random one with that `game` and `file_format`.
        Properties of the types to `leave_out` do not occur in it. `charset` is as in
        :func:`~sgf_lark.fuzz.generating_files.generate`.
        """
        self.choices = choices
        if context is None:
            game = game or (1 if choices.integer(0, 3) < 3 else choices.choice([*grammar.games()]))
            context, _ = pick_context(choices, Options(game, file_format, charset=None))
            if context.size is not None and min(context.size) < _LEAST_SIDE:
                context = context._replace(size=grammar.game(game).size)
        self.context = context
        self.name = charset
        if charset == ANY:
            free = context.file_format >= 4 and choices.chance(2)
            self.name = choices.choice(usual_charsets()) if free else None
        self.values = Values(choices, context, ascii_only=True)
        self.game = self.values.game
        self.trees = Trees(self.values, frozenset(leave_out))
        count = choices.integer(least, 30 if choices.chance(10) else max(5, least))
        self.root = self.trees.tree(count, choices.choice(SHAPES))
        self.root.properties[:0] = root_properties(choices, context, self.name)
        self._taken: set[bytes] = set()
        #: Whether the file may not contain another game tree.
        self.alone = False

    # --- Values ---

    def word(self, pattern: str = "[a-z]{1,8}") -> bytes:
        """Return a word that matches the pattern, by default meaningless letters."""
        return word_of_pattern(pattern, self.choices)

    def define(self, ident: str) -> PropertyDefinition:
        """Return the definition of the property in this tree; raise ValueError if it has none."""
        found = grammar.definition(ident, self.context.game, self.context.file_format)
        if found is None:
            raise ValueError(f"{ident} means nothing in game {self.context.game}")
        return found

    def points(self, count: int) -> list[bytes]:
        """Return `count` different points without stones and moves, or all if there are fewer."""
        if not self._taken:
            setup = [raw for ident in ("AB", "AW", "AE") for raw in self.root.get(ident) or ()]
            self._taken.update(point for raw in setup for point in self._covered_points(raw))
            for node in self.root.nodes():
                self._taken.update(
                    *(raws for ident, raws in node.properties if ident in ("B", "W"))
                )
        found = [self.values.free_point(self._taken) for _ in range(count)]
        return [raw for raw in found if raw is not None]

    def _covered_points(self, raw: bytes) -> list[bytes]:
        """Return the points of a value, which may be a rectangle of Go."""
        if self.context.game != 1:
            return [raw]
        return [self.values.write(point) for point in self.trees.covered_points(raw)]

    def valid(self, entry: PropertyDefinition) -> list[bytes]:
        """Return conforming values of the property."""
        if entry.exclusive == "move":
            return [self.move()]
        return self.trees.values_of(entry, {}) or [self.values.plain_word()]

    def move(self) -> bytes:
        """Return a move; in Go on a point without a stone."""
        if self.context.game != 1:
            return self.trees.any_move() or b""
        return (self.points(1) or [b"tt" if self.context.file_format < 4 else b""])[0]

    # --- Places ---

    def in_root(self, ident: str, *raws: bytes) -> None:
        """Set the property in the root."""
        for index, (name, _) in enumerate(self.root.properties):
            if name == ident:
                self.root.properties[index] = ident, list(raws)
                return
        self.root.properties.append((ident, list(raws)))

    def add(self, *properties: Property, anywhere: bool = False) -> NewNode:
        """Add a node with these properties and return it.

        It becomes a variation of the root outside the main line, or a node `anywhere`.
        """
        node = NewNode(list(properties))
        if not anywhere or self.choices.chance(2):
            if not self.root.children:
                self.root.children.append(NewNode([("C", [self.word()])]))
            self.root.children.append(node)
        elif self.choices.chance(2):
            node.children = self.root.children
            self.root.children = [node]
        else:
            leaves = [leaf for leaf in self.root.nodes() if not leaf.children]
            self.choices.choice(leaves).children.append(node)
        return node

    def place(self, entry: PropertyDefinition, *raws: bytes) -> None:
        """Add the property at a place where its type is allowed."""
        new: Property = (entry.ident, list(raws))
        in_root = (
            entry.type == "setup"
            and "setup" in self.trees.leave_out
            and not self.root.children  # whose moves might be played on it
        )
        if entry.type in {"root", "game-info"} or (in_root and self.choices.chance(2)):
            self.in_root(entry.ident, *raws)
        elif entry.needs_move:
            self.add(("B", [self.move()]), new)
        elif entry.type == "setup" or entry.exclusive == "move":
            self.add(new)
        else:
            self.add(new, anywhere=True)

    def data(self) -> bytes:
        """Return the file, which may contain another game tree before or after this one."""
        writer = Writer(self.choices)
        trees = [self.root]
        if not self.alone and self.choices.chance(12):
            other = Trees(self.values, self.trees.leave_out).tree(
                self.choices.integer(0, 3), "line"
            )
            other.properties[:0] = root_properties(self.choices, self.context, self.name)
            trees.insert(self.choices.integer(0, 1), other)
        return writer.gap("tree").join(map(writer.tree, trees))


def near_miss(draft: Draft, symbol: str, insertions: Sequence[bytes]) -> bytes:
    """Return almost a word of `symbol` of ``values.lark``: not blank, and not a word of it.

    Some of `insertions` are inserted into a word, or replace a byte of it.
    """
    choices, pattern = draft.choices, value_grammar.pattern(symbol)
    raw = draft.values.word(symbol)
    for _ in range(4):
        start = choices.integer(0, len(raw))
        end = min(len(raw), start + choices.integer(0, 1))
        raw = raw[:start] + choices.choice(insertions) + raw[end:]
        if raw.strip() and not pattern.fullmatch(raw):
            return raw
    return next(raw for new in insertions for raw in (new, new * 5) if not pattern.fullmatch(raw))
