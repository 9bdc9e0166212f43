"""Lark's parse trees of the structure, for those who want to see the grammar at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from lark import Token, Tree

from sgf_lark.syntax.errors import error_of, syntax_error
from sgf_lark.syntax.grammars import structure_parser
from sgf_lark.syntax.parsing import parse, parse_if_strict
from sgf_lark.syntax.text_ends import brackets_in_values
from sgf_lark.syntax.tolerant import parse_tolerant, with_inner_brackets
from sgf_lark.text.decoding import decode
from sgf_lark.text.positions import SourceText


def parse_tree(data: bytes | str, *, tolerant: bool = False) -> Tree[Token]:
    """Lark's parse tree of a collection, with the productions and terminals of ``sgf.lark``.

    With `tolerant`, with those of ``tolerant.lark``: then any input has a tree, in which each
    kind of damage is a production. Tokens and productions have offsets in bytes
    (``start_pos``, ``meta.start_pos``). Each character of a token is a byte: text is encoded as
    UTF-8 first, and so are a file in UTF-16 or UTF-32 and a game tree that has to be decoded
    before it is parsed; blanks replace a byte order mark. Raises SGFSyntaxError for what
    :func:`sgf_lark.loads` does not accept.
    """
    if isinstance(data, str):
        decoding = decode(data.encode("utf-8", "surrogatepass"), charset="UTF-8")
    else:
        file = parse(decode(data))
        if file.layers is not None and not tolerant:
            raise error_of(file)
        decoding = file.as_written.decoding
    return structure_of(decoding.data, tolerant=tolerant)


def structure_of(data: bytes, *, tolerant: bool, source: SourceText | None = None) -> Tree[Token]:
    """The same for what the parser reads; `source` gives the places of a syntax error."""
    parser = structure_parser(tolerant)
    if tolerant:
        inner = brackets_in_values(data)
        tree = parser.parse(with_inner_brackets(data, inner))
        if inner:
            _restore_tokens(tree, data)
        return tree
    plain = in_uppercase(data)
    if parse_if_strict(plain) is None:
        raise syntax_error(data, source)
    tree = parser.parse(plain.decode("latin-1"))
    if plain != data:
        _restore_tokens(tree, data)
    return tree


class Symbol(NamedTuple):
    """A production or a terminal of a parse tree.

    `number` is that in pre-order, and `parent` that of the production above it, -1 for the root. A
    production reaches from its first terminal to its last, punctuation included, which is no symbol
    of its own; only a collection can be without.
    """

    number: int
    parent: int
    depth: int
    name: str
    start: int
    end: int
    is_terminal: bool


def in_preorder(tree: Tree[Token]) -> Iterator[Symbol]:
    """Yield the symbols of a parse tree, each before those below it, without recursion."""
    waiting: list[tuple[Any, int, int]] = [(tree, -1, 0)]
    number = 0
    while waiting:
        item, parent, depth = waiting.pop()
        is_terminal = isinstance(item, Token)
        # A production without terminals has no place.
        place = item if is_terminal else item.meta
        start, end = (getattr(place, f"{name}_pos", None) or 0 for name in ("start", "end"))
        name = str(item.type if is_terminal else item.data)
        yield Symbol(number, parent, depth, name, start, end, is_terminal)
        if not is_terminal:
            waiting += [(child, number, depth + 1) for child in reversed(item.children)]
        number += 1


def in_uppercase(data: bytes) -> bytes:
    """`data` for the strict grammar: before FF[4] identifiers may have lowercase letters, which
    only add to the name of the property."""
    return data if parse_if_strict(data) is not None else parse_tolerant(data).in_uppercase()


def _restore_tokens(tree: Tree[Token], data: bytes) -> None:
    """Give the tokens of the tree the bytes of `data`."""
    for subtree in tree.iter_subtrees():
        for index, child in enumerate(subtree.children):
            if isinstance(child, Token) and child.start_pos is not None:
                written = data[child.start_pos : child.start_pos + len(child)].decode("latin-1")
                subtree.children[index] = child.update(value=written)
