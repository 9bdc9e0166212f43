"""Copies of functions in which one condition is dropped: to see whether the tests notice."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from itertools import islice
from types import FunctionType
from typing import Any, NamedTuple, TypeGuard


class Dropped(NamedTuple):
    """A function without one of its conditions, and which one that is."""

    condition: str
    function: Callable[..., Any]


#: Puts a replacement into the syntax tree.
_Place = Callable[[ast.expr], None]
#: What kind a condition is, the expression, what replaces it, and how.
_Condition = tuple[str, ast.expr, ast.expr, _Place]

#: The same comparisons with the bound on the other side.
_OTHER_SIDE: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
}
#: What a constant becomes to move the bound in the other direction.
_STEP: dict[type[ast.cmpop], int] = {ast.Lt: -1, ast.LtE: 1, ast.Gt: 1, ast.GtE: -1}


def without_conditions(function: FunctionType) -> Iterator[Dropped]:
    """The function without each of its conditions, one at a time.

    Conditions are the tests of branches and of conditional expressions, filters, what is given
    as `safe` or is returned as a truth value, and each operand of "and" and "or". Of comparisons
    with a bound, the bound is moved by one in both directions.
    """
    whole = ast.parse(textwrap.dedent(inspect.getsource(function)))
    for condition, _, tree in changed(whole):
        yield Dropped(condition, _compiled(tree, function))


def watched(function: FunctionType, noted: str) -> Callable[..., Any]:
    """The function as it is, which calls the function `noted` of its module for each condition:
    with its name, its value, and the value that takes its place where it is dropped.

    A moved bound has none: there is None, and one side of the comparison as the value.
    """

    def call(*arguments: Any) -> ast.Call:
        given = [each if isinstance(each, ast.expr) else ast.Constant(each) for each in arguments]
        return ast.Call(ast.Name(noted, ast.Load()), given, [])

    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    conditions = list(_conditions(tree))
    of = function.__qualname__
    names = [f"{of}: {name}: {ast.unparse(old)}" for name, old, *_ in conditions]
    for name, (_, old, new, place) in zip(names, conditions, strict=True):
        if isinstance(new, ast.Constant):
            place(call(name, old, new.value))
        else:
            assert isinstance(old, ast.Compare)
            old.comparators[0] = call(name, old.comparators[0], None)
    return _compiled(tree, function)


def changed(whole: ast.Module) -> Iterator[tuple[str, int, ast.Module]]:
    """Each condition with its line, and a copy of the syntax tree without it."""
    for number in range(len(list(_conditions(whole)))):
        tree = copy.deepcopy(whole)
        name, old, new, place = next(islice(_conditions(tree), number, None))
        condition = f"{name}: {ast.unparse(old)}"
        place(new)
        yield condition, old.lineno, ast.fix_missing_locations(tree)


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


def _conditions(tree: ast.Module) -> Iterator[_Condition]:
    """The conditions of a function, but for those that it asserts."""
    asserted = {
        node for each in ast.walk(tree) if isinstance(each, ast.Assert) for node in ast.walk(each)
    }
    for node in ast.walk(tree):
        if node not in asserted:
            yield from _conditions_of(node)


def _conditions_of(node: ast.AST) -> Iterator[_Condition]:
    """The conditions that a node of the syntax tree has itself."""
    if isinstance(node, ast.If):
        is_early = isinstance(node.body[-1], ast.Return | ast.Continue)
        name = "early return" if is_early else "branch"
        yield name, node.test, ast.Constant(not is_early), _attribute(node, "test")
    elif isinstance(node, ast.IfExp):
        yield "conditional", node.test, ast.Constant(True), _attribute(node, "test")
    elif isinstance(node, ast.comprehension):
        for number, test in enumerate(node.ifs):
            yield "filter", test, ast.Constant(True), _item(node.ifs, number)
    elif isinstance(node, ast.BoolOp):
        for number, operand in enumerate(node.values):
            neutral = ast.Constant(isinstance(node.op, ast.And))
            yield "operand", operand, neutral, _item(node.values, number)
    elif isinstance(node, ast.Compare):
        yield from _bounds(node)
    elif isinstance(node, ast.Return) and _is_truth_value(node.value):
        yield "returned", node.value, ast.Constant(True), _attribute(node, "value")
    else:
        yield from _safety(node)


def _safety(node: ast.AST) -> Iterator[_Condition]:
    """What is given as `safe`, by name or to a fix."""
    if isinstance(node, ast.Assign | ast.keyword) and _is_safe(node):
        yield "safe", node.value, ast.Constant(True), _attribute(node, "value")
    elif isinstance(node, ast.Call) and _is_fix(node) and len(node.args) > 1:
        yield "safe", node.args[1], ast.Constant(True), _item(node.args, 1)


def _bounds(comparison: ast.Compare) -> Iterator[_Condition]:
    """A comparison with its bound moved by one, in each direction."""
    operator, right = comparison.ops[0], comparison.comparators[0]
    if len(comparison.ops) > 1 or type(operator) not in _OTHER_SIDE:
        return
    other = ast.Compare(comparison.left, [_OTHER_SIDE[type(operator)]], [right])
    yield "bound", comparison, other, _content(comparison)
    if isinstance(right, ast.Constant) and isinstance(right.value, int):
        moved = ast.Constant(right.value + _STEP[type(operator)])
        new = ast.Compare(comparison.left, [operator], [moved])
        yield "other bound", comparison, new, _content(comparison)


def _is_truth_value(value: ast.expr | None) -> TypeGuard[ast.expr]:
    """Whether the expression certainly is a truth value, apart from "and" and "or"."""
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in ("all", "any")
    return isinstance(value, ast.Compare)


def _is_safe(node: ast.Assign | ast.keyword) -> bool:
    """Whether it says that a fix is safe, under a condition."""
    if isinstance(node, ast.keyword):
        name = node.arg
    else:
        name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else None
    is_true = isinstance(node.value, ast.Constant) and node.value.value is True
    return name == "safe" and not is_true


def _is_fix(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "Fix"


def _attribute(node: ast.AST, name: str) -> _Place:
    return lambda new: setattr(node, name, new)


def _item(nodes: list[ast.expr], number: int) -> _Place:
    return lambda new: nodes.__setitem__(number, new)


def _content(node: ast.expr) -> _Place:
    """Gives the node the content of a replacement of its kind."""
    return lambda new: vars(node).update(vars(new))
