"""Copies of functions in which one condition is dropped: to see whether the tests notice."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple


class Dropped(NamedTuple):
    """A function without one of its conditions, and which one that is."""

    condition: str
    function: Callable[..., Any]


#: Puts a replacement into the syntax tree.
_Place = Callable[[ast.expr], None]


def without_conditions(function: FunctionType) -> Iterator[Dropped]:
    """The function without each of its conditions, one at a time.

    Conditions are the tests of early returns and of conditional expressions, what is given as
    `safe`, and each operand of "and" and "or".
    """
    source = textwrap.dedent(inspect.getsource(function))
    for number in range(len(list(_conditions(ast.parse(source))))):
        tree = ast.parse(source)
        name, old, new, place = list(_conditions(tree))[number]
        place(new)
        yield Dropped(f"{name}: {ast.unparse(old)}", _compiled(tree, function))


def _compiled(tree: ast.Module, original: FunctionType) -> Callable[..., Any]:
    """The only function of the syntax tree, with the module and the defaults of the original."""
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    namespace = dict(original.__globals__)
    exec(compile(ast.fix_missing_locations(tree), original.__code__.co_filename, "exec"), namespace)
    new = FunctionType(
        namespace[definition.name].__code__,
        original.__globals__,
        original.__name__,
        original.__defaults__,
        original.__closure__,
    )
    new.__kwdefaults__ = original.__kwdefaults__
    return new


def _conditions(tree: ast.Module) -> Iterator[tuple[str, ast.expr, ast.expr, _Place]]:
    """What kind each condition is, the expression, what replaces it, and how."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return):
            yield "early return", node.test, ast.Constant(False), _attribute(node, "test")
        elif isinstance(node, ast.IfExp):
            yield "conditional", node.test, ast.Constant(True), _attribute(node, "test")
        elif isinstance(node, ast.BoolOp):
            for number, operand in enumerate(node.values):
                neutral = ast.Constant(isinstance(node.op, ast.And))
                yield "operand", operand, neutral, _item(node.values, number)
        elif isinstance(node, ast.keyword) and node.arg == "safe":
            yield "safe", node.value, ast.Constant(True), _attribute(node, "value")
        elif isinstance(node, ast.Call) and _is_fix(node) and len(node.args) > 1:
            yield "safe", node.args[1], ast.Constant(True), _item(node.args, 1)


def _is_fix(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "Fix"


def _attribute(node: ast.AST, name: str) -> _Place:
    return lambda new: setattr(node, name, new)


def _item(nodes: list[ast.expr], number: int) -> _Place:
    return lambda new: nodes.__setitem__(number, new)
