"""Whole files that conform, in many games, sizes, charsets and styles of writing."""

from __future__ import annotations

import codecs
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, RandomChoices, word
from sgf_lark.fuzz.generating_trees import SHAPES, NewNode, Property, Shape, Trees
from sgf_lark.fuzz.generating_values import Values, largest_side, letters
from sgf_lark.model.context import LATEST_FILE_FORMAT
from sgf_lark.model.values import Context
from sgf_lark.text import charsets

#: Any charset will do, or none.
ANY = "any"

Size = int | tuple[int, int]

_USUAL = "UTF-8"

#: Before FF[4] boards are square, with at most so many lines.
_LARGEST_BEFORE_FF4 = 19
#: Trees of more nodes take choices that cost nothing.
_MANY_NODES = 30


@cache
def usual_charsets() -> tuple[str, ...]:
    """The charsets of ``charsets.toml`` that are taken where any will do: those that have
    ASCII in them and need no control characters for what is beyond it."""
    return tuple(
        charset.name
        for charset in grammar.charsets()
        if charset.superset and not any(letter[0] < 0x20 for letter in letters(charset.codec))
    )


@dataclass(frozen=True)
class Options:
    """What :func:`generate` was asked for; None where all is open."""

    game: int | None = None
    file_format: int | None = None
    size: Size | None = None
    charset: str | None = ANY
    trees: int | None = None
    nodes: int | None = None
    shape: Shape | None = None

    def __post_init__(self) -> None:
        sides = (self.size, self.size) if isinstance(self.size, int) else self.size
        older = self.file_format is not None and self.file_format < LATEST_FILE_FORMAT
        if self.file_format not in (None, 1, 2, 3, 4):
            raise ValueError(f"no such file format: {self.file_format}")
        if self.game is not None and self.game not in grammar.games():
            raise ValueError(f"not in the list of games: {self.game}")
        if older and self.charset not in (None, ANY):
            raise ValueError("CA is new in FF[4]")
        if self.charset not in (None, ANY):
            charsets.named(self.charset)
        if sides is None:
            return
        largest = largest_side(self.game or 1)
        if not all(1 <= side <= largest for side in sides):
            raise ValueError(f"boards have 1 to {largest} lines")
        if older and (sides[0] != sides[1] or sides[0] > _LARGEST_BEFORE_FF4):
            raise ValueError("before FF[4] boards are square, with up to 19 lines")


def generate(
    source: random.Random,
    *,
    game: int | None = None,
    file_format: int | None = None,
    size: Size | None = None,
    charset: str | None = ANY,
    trees: int | None = None,
    nodes: int | None = None,
    shape: Shape | None = None,
) -> bytes:
    """A file that conforms to the letter: :func:`sgf_lark.validate` finds neither error nor
    warning, and in a file of one tree nothing at all.

    `game` is a GM number, `file_format` from 1 to 4, `size` lines or (columns, rows),
    `charset` a name for CA, or None for no CA; `trees` is how many game trees there
    are, `nodes` how many each has behind its root, `shape` "line", "bushy" or "mixed".
    What is not given is picked from `source`. Raises ValueError for what FF[4] or an
    older format has no room for, LookupError for a charset nobody knows. UTF-16 and
    UTF-32 can be asked for by name: files that conform but for SGF208 and SGF214.
    """
    options = Options(game, file_format, size, charset, trees, nodes, shape)
    return make_file(RandomChoices(source), options)


def make_file(choices: Choices, options: Options) -> bytes:
    """:func:`generate` for any source of choices."""
    count = options.trees
    if count is None:
        count = 1 + (choices.integer(0, 2) if choices.chance(6) else 0)
    context, name = pick_context(choices, options)
    writer = Writer(choices)
    parts = []
    for number in range(count):
        if number and choices.chance(3):
            context, _ = pick_context(choices, options, context)
        parts.append(writer.tree(make_tree(choices, context, name, options)))
    data = writer.gap("tree") + writer.gap("tree").join(parts) + writer.gap("tree")
    return stored(data, name)


def stored(data: bytes, name: str | None) -> bytes:
    """The bytes of the file: recoded where the charset does not have ASCII in it."""
    charset = None if name is None else charsets.named(name)
    if charset is None or charset.superset:
        return data
    wide = {"utf-16-be": codecs.BOM_UTF16_BE, "utf-32-be": codecs.BOM_UTF32_BE}
    return wide.get(charset.codec, b"") + data.decode("utf-8").encode(charset.codec)


# --- What a tree says of itself ---------------------------------------------------------


def pick_context(
    choices: Choices, options: Options, other: Context | None = None
) -> tuple[Context, str | None]:
    """Game, file format, board and charset, as far as they are open; `other` is what
    another tree of the same file has, in whose charset this one is written too."""
    game = options.game
    if game is None:
        game = 1 if choices.integer(0, 2) < 2 else choices.choice(list(grammar.games()))
    asks_for_ff4 = options.charset not in (None, ANY) or not _is_old(options.size)
    file_format = options.file_format
    if file_format is None:
        old = not asks_for_ff4 and choices.chance(4) and other is None
        file_format = choices.integer(1, 3) if old else LATEST_FILE_FORMAT
        file_format = other.file_format if other is not None else file_format
    name = options.charset
    if name == ANY:
        name = None
        if file_format == LATEST_FILE_FORMAT and choices.integer(0, 3):
            name = choices.choice(usual_charsets()) if choices.chance(2) else _USUAL
    codec = charsets.default_codec() if name is None else charsets.named(name).codec
    if name is not None and not charsets.named(name).superset:
        codec = "utf-8"
    if other is not None:
        codec = other.codec
    size = _pick_size(choices, options.size, game, file_format)
    return Context(game, file_format, size, codec), name


def _is_old(size: Size | None) -> bool:
    """Whether a board could stand in a file older than FF[4]."""
    if size is None:
        return True
    columns, rows = (size, size) if isinstance(size, int) else size
    return columns == rows <= _LARGEST_BEFORE_FF4


def _pick_size(
    choices: Choices, asked: Size | None, game: int, file_format: int
) -> tuple[int, int] | None:
    default = grammar.game(game).size
    if game == 6:
        return None
    if asked is not None:
        return (asked, asked) if isinstance(asked, int) else asked
    if choices.chance(2):
        return default
    least, most = 3 if game in (11, 20) else 1, largest_side(game)
    if file_format < LATEST_FILE_FORMAT:
        most = min(most, _LARGEST_BEFORE_FF4)
    columns = choices.integer(least, most)
    if file_format < LATEST_FILE_FORMAT or choices.chance(2):
        return columns, columns
    return columns, choices.integer(least, most)


def make_tree(choices: Choices, context: Context, name: str | None, options: Options) -> NewNode:
    """A game tree, with what it says of itself first."""
    nodes = options.nodes
    if nodes is None:
        nodes = choices.integer(0, 60 if choices.chance(10) else 8)
    if nodes > _MANY_NODES:
        choices = choices.apart()
    values = Values(choices, context, without_charset=name is None)
    shape = options.shape if options.shape is not None else choices.choice(SHAPES)
    root = Trees(values).tree(nodes, shape)
    root.properties[:0] = head(choices, context, name)
    return root


def head(choices: Choices, context: Context, name: str | None) -> list[Property]:
    """FF, GM, CA and SZ, each as far as it has to be said."""
    found: list[Property] = [("FF", [_number(choices, context.file_format)])]
    if context.game != 1 or choices.integer(0, 5):
        found.append(("GM", [_number(choices, context.game)]))
    if name is not None:
        found.append(("CA", [name.encode()]))
    if context.size is not None and (
        context.size != grammar.game(context.game).size or choices.chance(2)
    ):
        columns, rows = context.size
        sides = [_number(choices, columns)] + [_number(choices, rows)] * (columns != rows)
        found.append(("SZ", [b":".join(sides)]))
    return found


def _number(choices: Choices, number: int) -> bytes:
    """A Number may have a sign and zeros in front."""
    return b"%s%d" % (choices.choice((b"+", b"0", b"+0")) if choices.chance(30) else b"", number)


# --- Styles of writing --------------------------------------------------------------------


class Writer:
    """Writes trees in one style: what stands between the tokens, and whether a node that
    goes on in one way only is sometimes followed by a variation all the same."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        style = choices.integer(0, 3)
        self._often = {"tree": (0, 1, 1, 3)[style], "node": (0, 1, 9, 3)[style]}
        self._often |= {"property": (0, 0, 0, 4)[style], "value": (0, 0, 0, 5)[style]}
        self._line_break = choices.choice((b"\n", b"\r\n", b"\r", b"\n\r"))
        self._free = style == 3
        self._wraps = choices.chance(8)

    def gap(self, before: str) -> bytes:
        """White space, or nothing, before a "tree", "node", "property" or "value"."""
        often = self._often[before]
        if not often or (often > 1 and not self.choices.chance(often)):
            return b""
        if not self._free:
            return self._line_break
        return word("sgf.lark", "WHITE_SPACE", Making(self.choices))

    def tree(self, root: NewNode) -> bytes:
        """The game tree with that root."""
        parts: list[bytes] = []
        pending: list[NewNode | Callable[[], bytes]] = [self._close, root]
        parts.append(b"(")
        while pending:
            item = pending.pop()
            if not isinstance(item, NewNode):
                parts.append(item())
                continue
            parts.append(self.node(item))
            branches = len(item.children) > 1 or (
                self._wraps and bool(item.children) and self.choices.chance(3)
            )
            for child in reversed(item.children):
                pending += [self._close, child, self._open] if branches else [child]
        return b"".join(parts)

    def _open(self) -> bytes:
        return self.gap("tree") + b"("

    def _close(self) -> bytes:
        return self.gap("tree") + b")"

    def node(self, node: NewNode) -> bytes:
        parts = [self.gap("node"), b";"]
        for ident, raws in node.properties:
            parts += self.gap("property"), ident.encode()
            for raw in raws:
                parts += self.gap("value"), b"[", raw, b"]"
        return b"".join(parts)
