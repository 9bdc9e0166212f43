"""Lark's parse trees of the structure, for those who want to see the grammar at work."""

from __future__ import annotations

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.syntax.errors import explain
from sgf_lark.syntax.grammars import structure_parser
from sgf_lark.text.decoding import decode


def parse_tree(data: bytes | str, *, tolerant: bool = False) -> Tree[Token]:
    """Lark's parse tree of a collection, with the productions and terminals of ``sgf.lark``.

    With `tolerant`, with those of ``tolerant.lark``: then any input has a tree, in which each
    kind of damage is a production. Tokens and productions have offsets in bytes
    (``start_pos``, ``meta.start_pos``). Each character of a token is a byte: text is encoded as
    UTF-8 first, and so is a file in UTF-16 or UTF-32; blanks replace a byte order mark. Raises
    SGFSyntaxError.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    data = decode(data).data
    try:
        return structure_parser(tolerant).parse(data.decode("latin-1"))
    except UnexpectedInput as error:
        raise explain(data, error) from None
