"""The values of Lark's own parse trees, by a Transformer of Lark's."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer

from sgf_lark.model.values.notations import ValueProductions


class ValueTransformer(ValueProductions, Transformer[Token, Any]):
    """Transforms Lark's tree of a property value to the typed value, by the same methods as
    those that read all values."""
