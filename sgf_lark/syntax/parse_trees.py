"""Lark's parse trees of the structure, for those who want to see the grammar at work."""

from __future__ import annotations

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.syntax.errors import explain
from sgf_lark.syntax.grammars import structure_parser


def parse_tree(data: bytes | str, *, tolerant: bool = False) -> Tree[Token]:
    """Lark's parse tree of a collection, with the productions and terminals of ``sgf.lark``.

    With `tolerant`, with those of ``tolerant.lark``: then any input has a tree, in which each
    kind of damage is a production. Tokens and productions have offsets in bytes
    (``start_pos``, ``meta.start_pos``). Text is encoded as UTF-8 first. Raises
    SGFSyntaxError.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    try:
        return structure_parser(tolerant).parse(data.decode("latin-1"))
    except UnexpectedInput as error:
        raise explain(data, error) from None
