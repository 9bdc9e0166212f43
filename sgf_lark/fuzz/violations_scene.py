"""A conforming file into which one violation is put."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, of_pattern
from sgf_lark.fuzz.generating_files import ANY, Options, Writer, head, pick_context, usual_charsets
from sgf_lark.fuzz.generating_trees import SHAPES, NewNode, Property, Trees, defined
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.grammar import PropertyDefinition, Role
from sgf_lark.model.values import Context
from sgf_lark.syntax import values as value_grammar

#: Makes a file that breaks one rule.
Recipe = Callable[[Choices], bytes]
Function = TypeVar("Function", bound=Callable[..., bytes])

#: Boards have so many lines at least, so that there are points enough.
_LEAST_SIDE = 7

#: The recipes of each code.
RECIPES: dict[str, list[Recipe]] = {}


def breaks(*codes: str) -> Callable[[Function], Function]:
    """Registers a recipe under the codes of the rules that its files break.

    A recipe for several codes is told which one is wanted.
    """

    def register(function: Function) -> Function:
        for code in codes:
            recipe = function if len(codes) == 1 else partial(function, code=code)
            RECIPES.setdefault(code, []).append(recipe)
        return function

    return register


class Scene:
    """A conforming game tree, and the means to put something into it.

    Its texts are ASCII. `context` is what the tree is read in, by default that of Go or
    another game in FF[4]; types to `leave_out` do not occur in it.
    """

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
        self.root.properties[:0] = head(choices, context, self.name)
        self._taken: set[bytes] = set()
        #: Whether no other tree may stand beside this one.
        self.alone = False

    # --- Values ---

    def word(self, pattern: str = "[a-z]{1,8}") -> bytes:
        """Letters that mean nothing, or what else the pattern asks for."""
        return of_pattern(pattern)(Making(self.choices))

    def define(self, ident: str) -> PropertyDefinition:
        found = grammar.definition(ident, self.context.game, self.context.file_format)
        if found is None:
            raise ValueError(f"{ident} means nothing in game {self.context.game}")
        return found

    def of_role(self, role: Role) -> tuple[PropertyDefinition, ...]:
        return defined(self.context.game, self.context.file_format, role)

    def points(self, count: int) -> list[bytes]:
        """Different points on which nothing stands or is played; as many as there are."""
        if not self._taken:
            named = [raw for ident in ("AB", "AW", "AE") for raw in self.root.get(ident) or ()]
            self._taken.update(point for raw in named for point in self.covered(raw))
            for node in self.root.nodes():
                self._taken.update(
                    *(raws for ident, raws in node.properties if ident in ("B", "W"))
                )
        found = [self.values.fresh(self._taken) for _ in range(count)]
        return [raw for raw in found if raw is not None]

    def covered(self, raw: bytes) -> list[bytes]:
        """The points of a value that may be a rectangle, of Go; other values as they are."""
        if self.context.game != 1:
            return [raw]
        return [self.values.written(point) for point in self.trees.covered(raw)]

    def valid(self, entry: PropertyDefinition) -> list[bytes]:
        """Values that the property may have."""
        if entry.exclusive == "move":
            return [self.move()]
        return self.trees.values_of(entry, {}) or [self.values.plain_word()]

    def move(self) -> bytes:
        """A move; in Go on a point on which nothing stands."""
        if self.context.game != 1:
            return self.trees.any_move() or b""
        return (self.points(1) or [b"tt" if self.context.file_format < 4 else b""])[0]

    # --- Places ---

    def in_root(self, ident: str, *raws: bytes) -> None:
        """The property in the root, instead of what it says there."""
        for index, (name, _) in enumerate(self.root.properties):
            if name == ident:
                self.root.properties[index] = ident, list(raws)
                return
        self.root.properties.append((ident, list(raws)))

    def add(self, *properties: Property, anywhere: bool = False) -> NewNode:
        """A new node with these properties: a variation right below the root, never the
        main line, or else `anywhere`."""
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
        """The property where it may stand."""
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
        """The file, now and then with another tree before or behind."""
        writer = Writer(self.choices)
        trees = [self.root]
        if not self.alone and self.choices.chance(12):
            other = Trees(self.values, self.trees.leave_out).tree(
                self.choices.integer(0, 3), "line"
            )
            other.properties[:0] = head(self.choices, self.context, self.name)
            trees.insert(self.choices.integer(0, 1), other)
        return writer.gap("tree").join(map(writer.tree, trees))


def near_miss(scene: Scene, symbol: str, signs: Sequence[bytes]) -> bytes:
    """Almost a word of ``values.lark``: not empty, and not one of its words.

    `signs` are what is put in or taken instead of something.
    """
    choices, pattern = scene.choices, value_grammar.pattern(symbol)
    raw = scene.values.word(symbol)
    for _ in range(4):
        start = choices.integer(0, len(raw))
        end = min(len(raw), start + choices.integer(0, 1))
        raw = raw[:start] + choices.choice(signs) + raw[end:]
        if raw.strip() and not pattern.fullmatch(raw):
            return raw
    return next(raw for sign in signs for raw in (sign, sign * 5) if not pattern.fullmatch(raw))
