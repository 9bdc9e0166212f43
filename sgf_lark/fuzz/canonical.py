"""The canonical tree: the result of parsing a file, as JSON that any language can print.

A collection is a list of games, a game the list of its nodes in pre-order, a node::

    {"parent": 0, "properties": [["B", ["pd"]], ["C", ["a comment"]]]}

``parent`` is the 0-based index of the parent in the same game, or null for the root.
``properties`` is a list of pairs of PropIdent and the list of its PropValues, each a string,
in the order of the file. Variations do not nest, so the depth of the JSON is constant.
``(;FF[4]C[root](;B[aa])(;B[bb];W[]))`` is::

    [[{"parent": null, "properties": [["FF", ["4"]], ["C", ["root"]]]},
      {"parent": 0, "properties": [["B", ["aa"]]]},
      {"parent": 0, "properties": [["B", ["bb"]]]},
      {"parent": 2, "properties": [["W", [""]]]}]]

Compressed point lists stay compressed, "tt" stays "tt". The list of games alone is in the form
"text"; ``{"form": "raw", "games": […]}`` names another form. The same holds for what a program
prints and for what a function returns:

``text``
    Each value as Text of FF[4]: a "\\" is removed and the character after it kept; a line break
    after a "\\" is removed, too; other line breaks are "\\n", other white space of the format is a
    space. ``C[a\\]b]``: ``"a]b"``.
``raw``
    What is between the brackets, decoded, with its escapes; line breaks are "\\n".
    ``C[a\\]b]``: ``"a\\]b"``.
``mixed``
    Some properties are text and others raw, such as those that a parser does not know.

After any of them ``+points`` says that compressed point lists may be expanded: ``text+points``.
Then the order of points does not count.

A comparison ignores the order of the properties in a node, and values with control
characters or undecodable bytes, which the specification does not define. Everything else is
compared as it is given. The order of values counts, unless the target keeps them as a set.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Literal, TypeVar, get_args

from sgf_lark import grammar
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import loads
from sgf_lark.model.node import Node
from sgf_lark.model.values import Context
from sgf_lark.model.values.notations import NOTATIONS
from sgf_lark.model.values.points import expand
from sgf_lark.model.values.reader import reader
from sgf_lark.syntax import Engine
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT
from sgf_lark.text.decoding import decode

Form = Literal["raw", "text"]
FORMS = get_args(Form)

#: Games, each a list of nodes, as described above.
Games = list[list[dict[str, Any]]]

T = TypeVar("T")


def canonical(
    source: Collection | bytes,
    form: Form = "raw",
    *,
    charset: str | None = None,
    engine: Engine = "tables",
) -> Games:
    """Return the canonical tree of a collection, or of the bytes of a file.

    `charset` and `engine` are those of :func:`sgf_lark.loads`, which parses the bytes; text
    without CA is in ISO-8859-1, as the specification says. Raises
    SGFSyntaxError for bytes that do not follow the grammar.
    """
    if isinstance(source, bytes):
        source = loads(source, charset=charset, charset_mode="text", engine=engine)
    decode = _raw if form == "raw" else _text

    def properties(node: Node) -> Iterable[tuple[str, list[str]]]:
        return (
            (entry.ident, [decode(node, raw) for raw in entry.raw]) for entry in node.properties
        )

    return [flatten(game.root, lambda node: node.children, properties) for game in source]


def flatten(
    root: T,
    children: Callable[[T], Iterable[T]],
    properties: Callable[[T], Iterable[tuple[str, Iterable[str]]]],
) -> list[dict[str, Any]]:
    """Return one game of a canonical tree from nodes of any type."""
    nodes: list[dict[str, Any]] = []
    stack: list[tuple[T, int | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        index = len(nodes)
        found = [[ident, list(values)] for ident, values in properties(node)]
        nodes.append({"parent": parent, "properties": found})
        stack += [(child, index) for child in reversed([*children(node)])]
    return nodes


def decoded(data: bytes) -> str:
    """Return the text of a file, for parsers that take text.

    The charset is that of a byte order mark or of the first CA, by default ISO-8859-1.
    """
    decoding = decode(data, mode="file", default_charset="ISO-8859-1")
    texts = decoding.sections[0].texts or decoding.charsets.choose(None, b"")
    return decoding.sections[0].shown(decoding.data).decode(texts.codec, "replace")


LINE_BREAK = re.compile("\r\n|\n\r|\r")
#: Control characters other than white space, and what undecodable bytes are replaced by.
_UNSPECIFIED = re.compile("[\0-\x08\x0e-\x1f\x7f\ufffd]")


def _raw(node: Node, raw: bytes) -> str:
    return LINE_BREAK.sub("\n", raw.decode(node.tree.charset, "replace"))


def _text(node: Node, raw: bytes) -> str:
    return str(node.tree.parsed.reader.read("text", raw))


# --- The output of a target ---------------------------------------------------


def parse_document(value: Any) -> tuple[str, Games]:
    """Return form and games of a canonical tree that a program printed as JSON.

    Raises ValueError for another value.
    """
    form: Any = "text"
    if isinstance(value, dict):
        form, value = value.get("form", form), value.get("games")
    if not isinstance(form, str) or form.removesuffix("+points") not in (*FORMS, "mixed"):
        raise ValueError(f"unknown form of values: {form!r}")
    if not isinstance(value, list):
        raise ValueError("a canonical tree is a list of games")
    for game in value:
        if not isinstance(game, list):
            raise ValueError("a game is a list of nodes")
        for index, node in enumerate(game):
            _check_node(node, index)
    return form, value


def _check_node(node: Any, index: int) -> None:
    if not isinstance(node, dict) or not isinstance(node.get("properties"), list):
        raise ValueError('a node is an object with "parent" and "properties"')
    parent = node.get("parent")
    if index and (not isinstance(parent, int) or not 0 <= parent < index):
        raise ValueError(f"node {index} has the parent {parent!r}, not one of the nodes before it")
    for entry in node["properties"]:
        if not (
            isinstance(entry, list)
            and len(entry) == 2
            and isinstance(entry[0], str)
            and isinstance(entry[1], list)
            and all(isinstance(item, str) for item in entry[1])
        ):
            raise ValueError("a property is a pair of PropIdent and a list of strings")


# --- Comparison ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of two canonical trees.

    `kind` names the class of difference, such as "number of games" or "value with an
    escape". `place` is 0-based: "game 0, node 3, C". `expected` and `found` are the values
    at that place.
    """

    kind: str
    place: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        """Return the difference in one line."""
        where = f" in {self.place}" if self.place else ""
        return f"{self.kind}{where}: {self.expected!r} expected, not {self.found!r}"


def compare(
    tree: Callable[[Form], Games | None], found: Games, form: str, *, ordered: bool = True
) -> Difference | None:
    """Return the first difference of a tree that a target gave in `form` to the right one, or None.

    `tree` returns the right tree, or None if it is not defined. A tree in another form than the
    target says is a difference of its own, which names the form.
    """
    values, _, expands = form.partition("+")
    expected = tree("raw" if values == "raw" else "text")
    if expected is None:
        return None
    if values == "mixed":
        expected = _as_given(tree("raw") or [], expected, found)
    if expands:
        expected, found = _expanded(expected), _expanded(found)
    different = difference(expected, found, ordered=ordered)
    other: Form = "raw" if values == "text" else "text"
    if different is None or values == "mixed" or different.kind == _WHITE_SPACE:
        return different
    others = tree(other) or []
    if not difference(_expanded(others) if expands else others, found, ordered=ordered):
        kind = f'the tree is in the form "{other}"; say so: {{"form": "{other}", "games": […]}}'
        return replace(different, kind=kind)
    return different


def _as_given(raw: Games, text: Games, found: Games) -> Games:
    """Return the tree with the values of a property raw where they are so in the tree found."""

    def chosen(raw: dict[str, Any], text: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        pairs = zip(raw["properties"], text["properties"], strict=True)
        given = found["properties"]
        return {**text, "properties": [one if one in given else other for one, other in pairs]}

    if [*map(len, text)] != [*map(len, found)]:
        return text
    games = zip(raw, text, found, strict=True)
    return [[chosen(*nodes) for nodes in zip(*game, strict=True)] for game in games]


def _expanded(games: Games) -> Games:
    """Return games with the points of all compressed lists, each list in one order."""

    def expanded(game: int, entry: list[Any]) -> list[Any]:
        found = grammar.definition(entry[0], game, LATEST_FILE_FORMAT)
        point = grammar.game(game).point
        is_list = found and found.takes_many and not found.alternatives[0].composed
        if not is_list or point not in NOTATIONS:
            return entry
        read, points = reader(Context(game)).read, set[str]()
        for value in entry[1]:
            try:
                ends = [read(point, half.encode("ascii")) for half in value.split(":")]
                points.update(NOTATIONS[point](each) for each in expand(ends[0], ends[-1]))
            except ValueError:
                points.add(value)
        return [entry[0], sorted(points)]

    numbers = {str(number): number for number in grammar.games()}
    made = []
    for nodes in games:
        root = dict(reversed(nodes[0]["properties"]))
        game = numbers.get("".join(root.get("GM", ())[:1]), 1)
        found = [[expanded(game, entry) for entry in node["properties"]] for node in nodes]
        made.append([{**node, "properties": new} for node, new in zip(nodes, found, strict=True)])
    return made


def difference(expected: Games, found: Games, *, ordered: bool = True) -> Difference | None:
    """Return the first difference of two trees in the same form, or None.

    If not `ordered`, the values of a property are compared as a set.
    """
    if len(expected) != len(found):
        return Difference("number of games", "", len(expected), len(found))
    for game, (wanted, given) in enumerate(zip(expected, found, strict=True)):
        if len(wanted) != len(given):
            return Difference("number of nodes", f"game {game}", len(wanted), len(given))
        for index, (one, other) in enumerate(zip(wanted, given, strict=True)):
            place = f"game {game}, node {index}"
            if index and one["parent"] != other["parent"]:
                return Difference("parent", place, one["parent"], other["parent"])
            different = _node_difference(one, other, ordered)
            if different is not None:
                kind, ident, left, right = different
                return Difference(kind, f"{place}, {ident}" if ident else place, left, right)
    return None


def _node_difference(
    expected: dict[str, Any], found: dict[str, Any], ordered: bool
) -> tuple[str, str, Any, Any] | None:
    wanted, given = expected["properties"], found["properties"]
    idents = sorted(ident for ident, _ in wanted), sorted(ident for ident, _ in given)
    if idents[0] != idents[1]:
        extra = Counter(idents[1]) - Counter(idents[0])
        return "extra property" if extra else "missing property", "", *idents
    # A stable sort keeps repeated identifiers in their order.
    by_ident = itemgetter(0)
    pairs = zip(sorted(wanted, key=by_ident), sorted(given, key=by_ident), strict=True)
    for (ident, left), (_, right) in pairs:
        if not ordered:
            left, right = sorted({*left}), sorted({*right})
        if len(left) != len(right):
            return "number of values", ident, left, right
        for one, other in zip(left, right, strict=True):
            # The specification does not define what becomes of these characters.
            if one != other and not _UNSPECIFIED.search(one):
                return _value_kind(one, other), ident, one, other
    return None


#: The class of a value of which only that differs: many values are so in the form "raw" as well.
_WHITE_SPACE = 'white space other than a space and "\\n" in a value'


def _value_kind(expected: str, found: str) -> str:
    """Return the class of difference of two values: the kind of character that differs."""
    if re.sub("[\t\v\f]", " ", LINE_BREAK.sub("\n", found)) == expected:
        return _WHITE_SPACE
    if not (expected + found).isascii():
        ascii_only = [re.sub(r"[^\x00-\x7f]+", "", text) for text in (expected, found)]
        if ascii_only[0] == ascii_only[1]:
            return "value beyond ASCII"
    if expected.replace("\n", "") == found.replace("\n", ""):
        return "value with a line break"
    if expected.strip() == found.strip():
        return "white space around a value"
    if expected.replace("\\", "").replace("\n", "") == found.replace("\\", "").replace("\n", ""):
        return "value with an escape"
    return "value"
