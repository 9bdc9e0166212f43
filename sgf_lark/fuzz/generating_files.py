"""Random files that conform, in many games, sizes, charsets and layouts."""

from __future__ import annotations

import codecs
import random
from dataclasses import dataclass
from functools import cache

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, RandomChoices, word, word_of_pattern
from sgf_lark.fuzz.generating_trees import SHAPES, NewNode, Property, Shape, Trees
from sgf_lark.fuzz.generating_values import Values, largest_side
from sgf_lark.model.values import Context
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT
from sgf_lark.text import charsets

#: The charset is picked at random, or the file has none.
ANY = "any"

Size = int | tuple[int, int]

FILE_FORMATS = (1, 2, 3, 4)

_USUAL = "UTF-8"
#: Letters of several scripts.
_LETTERS = "\u00e9\u0101\u03b1\u0430\u3042\u4e00\uac00\u570b\U0001f300"

#: Before FF[4] boards are square, with at most this many lines.
_LARGEST_BEFORE_FF4 = 19
#: Files of more nodes are determined by one choice of Hypothesis.
MANY_NODES = 150
#: One in this many files has a chain of nodes, each nested in the one before it, of at most the
#: second number of nodes. There are 256 numbers of nodes, so that it takes no draw of its own, and
#: Hypothesis can leave the chain out.
_DEEP, _DEEPEST = 100, MANY_NODES + 256
#: Boards on which "tt" is a point, or a letter of another case is needed.
_SPECIAL_SIDES = (19, 20, 21, 26, 27, 52)
_BACKGAMMON, _HEX, _GESS = 6, 11, 20
#: Boards of Hex and Gess have at least three lines.
_LEAST_SIDES = {_HEX: 3, _GESS: 3}


@cache
def usual_charsets() -> tuple[str, ...]:
    """Return the charsets of ``charsets.toml`` that files get if none is asked for.

    They contain ASCII, and encode other characters without control characters.
    """
    return tuple(
        charset.name
        for charset in grammar.charsets()
        # A few letters take much less time than all of them; some have no code in a charset.
        if charset.superset
        and not any(b"" < letter.encode(charset.codec, "ignore") < b" " for letter in _LETTERS)
    )


@dataclass(frozen=True)
class Options:
    """The parameters of :func:`generate`; None means that the value is picked at random.

    Before FF[4], files with `long_names` may have lowercase letters in identifiers.
    """

    game: int | None = None
    file_format: int | None = None
    size: Size | None = None
    charset: str | None = ANY
    trees: int | None = None
    nodes: int | None = None
    shape: Shape | None = None
    long_names: bool = True

    @property
    def sides(self) -> tuple[int, int] | None:
        """The numbers of columns and rows, or None."""
        return (self.size, self.size) if isinstance(self.size, int) else self.size

    @property
    def fits_older_formats(self) -> bool:
        """Whether a board of that size is allowed before FF[4]."""
        return self.sides is None or self.sides[0] == self.sides[1] <= _LARGEST_BEFORE_FF4

    def __post_init__(self) -> None:
        """Check the values; raise ValueError or LookupError as :func:`generate` does."""
        older = self.file_format is not None and self.file_format < LATEST_FILE_FORMAT
        if self.file_format not in (None, *FILE_FORMATS):
            raise ValueError(f"no such file format: {self.file_format}")
        if self.game is not None and self.game not in grammar.games():
            raise ValueError(f"not in the list of games: {self.game}")
        if older and self.charset not in (None, ANY):
            raise ValueError("CA is new in FF[4]")
        if self.charset not in (None, ANY):
            charsets.named(self.charset)
        largest = largest_side(self.game or 1)
        if not all(1 <= side <= largest for side in self.sides or ()):
            raise ValueError(f"boards have 1 to {largest} lines")
        if older and not self.fits_older_formats:
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
    """Return a file that conforms.

    :func:`sgf_lark.validate` reports neither an error nor a warning for it, and nothing at
    all if it has one game tree.

    `game` is a GM number, `file_format` from 1 to 4, `size` the number of lines or (columns,
    rows), `charset` a name for CA, or None for a file without CA. `trees` is the number of
    game trees, `nodes` the number of nodes after the root of each, `shape` "line", "bushy" or
    "mixed". Parameters that are not given are picked with `source`. Raises ValueError for
    values that the file format does not allow, LookupError for an unknown charset. UTF-16 and
    UTF-32 are used only if they are given: their files violate SGF208 and SGF214.
    """
    options = Options(game, file_format, size, charset, trees, nodes, shape)
    return make_file(RandomChoices(source), options)


def make_file(choices: Choices, options: Options) -> bytes:
    """Return a conforming file, as :func:`generate` does, from any source of choices."""
    count = options.trees
    if count is None:
        count = 1 + (choices.count(0, 2) if choices.chance(6) else 0)
    deep = 0
    if options.nodes is None and options.shape is None and choices.chance(_DEEP):
        deep, count = choices.integer(MANY_NODES + 1, _DEEPEST), 1
    if count * (options.nodes or 0) > MANY_NODES:
        choices = choices.bulk()
    context, name = pick_context(choices, options)
    long_names = options.long_names and context.file_format < LATEST_FILE_FORMAT
    writer = Writer(choices, long_names=long_names, wraps=deep > 0)
    parts = []
    for number in range(count):
        if number and choices.chance(3):
            context, _ = pick_context(choices, options, context)
        root = make_tree(choices, context, name, options)
        if deep:
            _lengthen(root, deep)
        part = writer.tree(root)
        if name is None and charsets.guess(part) is not None:
            # A reader that guesses would take its letters for those of another charset.
            part = part.decode("ascii", "ignore").encode()
        parts.append(part)
    data = writer.gap("tree") + writer.gap("tree").join(parts) + writer.gap("tree")
    return encode_file(data, name)


def encode_file(data: bytes, name: str | None) -> bytes:
    """Return the bytes of the file: encoded anew if the charset does not contain ASCII."""
    charset = None if name is None else charsets.named(name)
    if charset is None or charset.superset:
        return data
    wide = {"utf-16-be": codecs.BOM_UTF16_BE, "utf-32-be": codecs.BOM_UTF32_BE}
    return wide.get(charset.codec, b"") + data.decode("utf-8").encode(charset.codec)


# --- Properties of the tree: game, file format, board, charset ----------------------------


def pick_context(
    choices: Choices, options: Options, other: Context | None = None
) -> tuple[Context, str | None]:
    """Return game, file format, board and codec of a tree, and the name of the charset.

    `other` is the context of another tree of the same file, which has the same codec.
    """
    game = options.game
    if game is None:
        game = 1 if choices.integer(0, 2) < 2 else choices.choice(list(grammar.games()))
    file_format = _pick_file_format(choices, options, other)
    name = _pick_charset(choices, options.charset, file_format)
    codec = _codec(name) if other is None else other.codec
    size = _pick_size(choices, options.sides, game, file_format)
    return Context(game, file_format, size, codec), name


def _pick_file_format(choices: Choices, options: Options, other: Context | None) -> int:
    if options.file_format is not None:
        return options.file_format
    needs_ff4 = options.charset not in (None, ANY) or not options.fits_older_formats
    # Chosen for the other trees as well, though without effect: without that choice, each seed and
    # each example that Hypothesis has saved would give another file.
    older = not needs_ff4 and choices.chance(4)
    if other is not None:
        return other.file_format
    return choices.integer(1, 3) if older else LATEST_FILE_FORMAT


def _pick_charset(choices: Choices, name: str | None, file_format: int) -> str | None:
    """Return the name for CA, or None for a tree without CA."""
    if name != ANY:
        return name
    if file_format != LATEST_FILE_FORMAT or not choices.integer(0, 3):
        return None
    return choices.choice(usual_charsets()) if choices.chance(2) else _USUAL


def _codec(name: str | None) -> str:
    """Return the codec in which the tree is generated; :func:`encode_file` may change it."""
    if name is None:
        return charsets.default().codec
    charset = charsets.named(name)
    return charset.codec if charset.superset else "utf-8"


def _pick_size(
    choices: Choices, asked: tuple[int, int] | None, game: int, file_format: int
) -> tuple[int, int] | None:
    default = grammar.game(game).size
    if game == _BACKGAMMON:
        return None
    if asked is not None:
        return asked
    if choices.chance(2):
        return default
    if file_format == LATEST_FILE_FORMAT and game == 1 and choices.chance(4):
        side = choices.choice(_SPECIAL_SIDES)
        return side, side
    least, largest = _LEAST_SIDES.get(game, 1), largest_side(game)
    if file_format < LATEST_FILE_FORMAT:
        largest = min(largest, _LARGEST_BEFORE_FF4)
    columns = choices.integer(least, largest)
    if file_format < LATEST_FILE_FORMAT or choices.chance(2):
        return columns, columns
    return columns, choices.integer(least, largest)


def make_tree(choices: Choices, context: Context, name: str | None, options: Options) -> NewNode:
    """Return a game tree; FF, GM, CA and SZ come first in its root."""
    nodes = options.nodes
    if nodes is None:
        nodes = choices.count(0, 60 if choices.chance(10) else 8)
    # Whether other letters are mistaken for a charset has to be checked, which takes time.
    ascii_only = name is None and choices.chance(2)
    values = Values(choices, context, ascii_only=ascii_only, without_charset=name is None)
    shape = options.shape if options.shape is not None else choices.choice(SHAPES)
    root = Trees(values).tree(nodes, shape)
    root.properties[:0] = root_properties(choices, context, name)
    return root


def _lengthen(root: NewNode, count: int) -> None:
    """Add that many nodes to the main line, the last of them with a comment.

    They take no choices, so that Hypothesis can leave them out and keep the rest of the tree.
    """
    last = root.last_of_main_line()
    for _ in range(count):
        last.children.append(NewNode())
        last = last.children[0]
    last.properties.append(("C", [b"a"]))


def root_properties(choices: Choices, context: Context, name: str | None) -> list[Property]:
    """Return FF, GM, CA and SZ, of which those with the default value may be missing."""
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
    """Return a Number, which may begin with a sign and zeros."""
    return b"%s%d" % (choices.choice((b"+", b"0", b"+0")) if choices.chance(30) else b"", number)


# --- Layouts ------------------------------------------------------------------------------

#: The layouts: one line, a line for each node, lines of several nodes, any white space.
_ONE_LINE, _ANY_WHITE_SPACE = 0, 3
#: For each layout how often white space comes before something: in one of how many places.
_GAPS = {
    "tree": (0, 1, 1, 3),
    "node": (0, 1, 9, 3),
    "property": (0, 0, 0, 4),
    "value": (0, 0, 0, 5),
}


class Writer:
    """Writes trees in one layout.

    The layout decides on the white space between tokens, on whether an only child may have
    parentheses of its own, and before FF[4] on whether identifiers have lowercase letters.
    """

    def __init__(self, choices: Choices, *, long_names: bool = False, wraps: bool = False) -> None:
        """Pick a layout; with `wraps` each only child has parentheses of its own."""
        self.choices = choices
        self._has_long_names = long_names and choices.chance(4)
        self._layout = choices.integer(_ONE_LINE, _ANY_WHITE_SPACE)
        self._line_break = choices.choice((b"\n", b"\r\n", b"\r", b"\n\r"))
        #: An only child has parentheses of its own in one of so many places.
        self._wrap_out_of = 1 if wraps else 3 * choices.chance(8)

    def gap(self, before: str) -> bytes:
        """Return white space, or nothing, before a "tree", "node", "property" or "value"."""
        out_of = _GAPS[before][self._layout]
        if not out_of or (out_of > 1 and not self.choices.chance(out_of)):
            return b""
        if self._layout != _ANY_WHITE_SPACE:
            return self._line_break
        return word("sgf.lark", "WHITE_SPACE", Making(self.choices))

    def tree(self, root: NewNode) -> bytes:
        """Return the text of the game tree with that root."""
        parts = [b"("]
        pending: list[NewNode | bytes] = [b")", root]
        while pending:
            item = pending.pop()
            if isinstance(item, bytes):
                parts += self.gap("tree"), item
                continue
            parts.append(self.node(item))
            branches = len(item.children) > 1 or (
                bool(item.children and self._wrap_out_of) and self.choices.chance(self._wrap_out_of)
            )
            for child in reversed(item.children):
                pending += [b")", child, b"("] if branches else [child]
        return b"".join(parts)

    def _name(self, ident: str) -> bytes:
        """Return the identifier, at times with lowercase letters, which mean nothing."""
        name = ident.encode()
        if not self._has_long_names:
            return name
        at = self.choices.integer(0, len(name))
        return name[:at] + word_of_pattern("[a-z]{0,4}", self.choices) + name[at:]

    def node(self, node: NewNode) -> bytes:
        """Return the text of one node."""
        parts = [self.gap("node"), b";"]
        for ident, raws in node.properties:
            parts += self.gap("property"), self._name(ident)
            for raw in raws:
                parts += self.gap("value"), b"[", raw, b"]"
        return b"".join(parts)
