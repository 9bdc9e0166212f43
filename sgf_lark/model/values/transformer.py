"""Values read by Lark itself, with ``engine="lark"``: Lark parses a value to a tree, of which a
Transformer makes the typed value.

This is the specification. :class:`ValueReader`, which does without trees, is held against it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, Tree
from lark.exceptions import UnexpectedInput, VisitError

from sgf_lark.model.values.basic import Context
from sgf_lark.model.values.notations import ValueProductions
from sgf_lark.model.values.reader import ValueReader, without_last_escape
from sgf_lark.syntax.grammars import load_lark


class ValueTransformer(ValueProductions, Transformer[Token, Any]):
    """Makes the typed value of Lark's tree of a value: one method for each production of
    ``values.lark``, grouped by types and games."""


class LarkReader(ValueReader):
    """Reads values with Lark's own parser of ``values.lark``."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._transformer = ValueTransformer(context)
        self._short = {}  # not those that others have read

    def matches(self, value_type: str, raw: bytes) -> bool:
        """Whether `raw` belongs to the type."""
        try:
            _tree(self.rule(value_type), raw)
        except ValueError:
            return False
        return True

    def _parse(self, production: str, raw: bytes) -> Any:
        tree = _tree(production, raw)
        try:
            return self._transformer.transform(tree)
        except VisitError as error:
            # Lark's wrapper of what a method raises, such as for a number of too many digits.
            raise error.orig_exc from None

    def _read_text(self, production: str, raw: bytes) -> str:
        return str(self._parse(production, without_last_escape(raw)))


def _tree(production: str, raw: bytes) -> Tree[Token]:
    """Lark's tree of a value; raises ValueError for what is not of that production."""
    try:
        # Each byte is the character of that number: texts are decoded after they are parsed.
        return _parser().parse(raw.decode("latin-1"), start=production)
    except UnexpectedInput as error:
        raise ValueError(f"{raw!r} is not a {production}") from error


@cache
def _parser() -> Lark:
    return load_lark("values")
