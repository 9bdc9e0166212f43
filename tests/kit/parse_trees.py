"""A walk through parse trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lark import Token, Tree


def pre_order(tree: Tree[Token]) -> Iterator[tuple[int, Tree[Token] | Token]]:
    """Each subtree and token of a parse tree with its depth, without recursion."""
    stack: list[tuple[int, Any]] = [(0, tree)]
    while stack:
        depth, item = stack.pop()
        yield depth, item
        if isinstance(item, Tree):
            stack += [(depth + 1, child) for child in reversed(item.children)]
