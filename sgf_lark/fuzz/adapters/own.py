"""sgf_lark itself as a target."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import sgf_lark
from sgf_lark import engine
from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.canonical import Games, canonical
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.validation.report import Report


def tables(data: bytes) -> Games:
    """Return the canonical tree of the compiled engine; raise SGFSyntaxError."""
    return canonical(data)


def lark(data: bytes) -> Games:
    """Return the canonical tree of Lark's parser; raise SGFSyntaxError."""
    return canonical(data, engine="lark")


def tolerant(data: bytes) -> Games:
    """Return the canonical tree of any bytes."""
    return canonical(sgf_lark.loads(data, tolerant=True, charset_mode="text"))


def fixed(data: bytes) -> Games:
    """Return the canonical tree of the fixed file; raise SGFSyntaxError if it is still damaged."""
    return canonical(sgf_lark.fix(data).data)


def written(data: bytes) -> dict[str, Any]:
    """Write a canonical tree, given as JSON, and return the tree of what was written."""
    model = json.loads(data)
    collection = sgf_lark.Collection(_game(nodes, model["charset"]) for nodes in model["games"])
    return {"form": "text", "games": canonical(sgf_lark.dumps(collection), "text")}


def _game(nodes: list[dict[str, Any]], charset: str) -> sgf_lark.GameTree:
    game = sgf_lark.new_game(charset=charset)
    made: list[sgf_lark.Node] = []
    for entry in nodes:
        node = game.root if entry["parent"] is None else made[entry["parent"]].add_child()
        # Texts are written as typed values. Others need escapes only in unknown properties.
        properties = [
            sgf_lark.Property(node, ident, [_escaped(value).encode(charset) for value in values])
            for ident, values in entry["properties"]
        ]
        node.set_properties(properties)
        for item, (ident, values) in zip(properties, entry["properties"], strict=True):
            if item.definition is not None and item.definition.is_text:
                node[ident] = values[0] if len(values) == 1 else values
        made.append(node)
    return game


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def promises(data: bytes) -> bool:
    """Return whether `data` follows the grammar; raise AssertionError for a broken promise."""
    report = sgf_lark.validate(data)
    _check_engines_agree(data, report.diagnostics)
    for unsafe in (False, True):
        _check_fixes(data, report, unsafe)
    try:
        collection = sgf_lark.loads(data)
    except sgf_lark.SGFSyntaxError:
        if report.ok:
            raise AssertionError("validate finds no error in what loads refuses") from None
        return report.ok
    if sgf_lark.dumps(collection) != data:
        raise AssertionError("dumps does not give the bytes that were read")
    for form in ("raw", "text"):
        canonical(collection, form)
    return True


def _check_engines_agree(data: bytes, diagnostics: list[Any]) -> None:
    if engine.can_parse(data) and engine.parse(data) != parse_if_strict(data, "lark"):
        raise AssertionError("the trees of the engines differ")
    if sgf_lark.validate(data, engine="lark").diagnostics != diagnostics:
        raise AssertionError("the diagnostics of the engines differ")


def _check_fixes(data: bytes, report: Report, unsafe: bool) -> None:
    """Check what both kinds of fixes promise.

    A fixed error may have hidden another one in the same place, so new errors are compared only
    where none was fixed.
    """
    command = "fix --unsafe" if unsafe else "fix"
    fixed = sgf_lark.fix(data, unsafe=unsafe)
    fixed_twice = sgf_lark.fix(fixed.data, unsafe=unsafe)
    if fixed_twice.data != fixed.data:
        raise AssertionError(f"{command} changes what it has fixed")
    after = sgf_lark.validate(fixed.data)
    if after.diagnostics != fixed.remaining:
        raise AssertionError(f"{command} reports other diagnostics than validate does afterwards")
    if report.ok and not after.ok:
        raise AssertionError(f"{command} breaks a file without errors")
    if not unsafe and not all(change.safe for change in fixed.applied):
        raise AssertionError("fix applies an unsafe fix")
    if after.ok and not _is_accepted_by_lark(fixed.data):
        raise AssertionError(f"{command} leaves what Lark refuses and validate accepts")
    broken = _errors(report)
    if broken.keys().isdisjoint(change.code for change in fixed.applied):
        new = _errors(after) - broken
        if new:
            raise AssertionError(f"{command} brings a new error: {', '.join(sorted(new))}")


def _is_accepted_by_lark(data: bytes) -> bool:
    try:
        sgf_lark.loads(data, engine="lark")
    except sgf_lark.SGFSyntaxError:
        return False
    return True


def _errors(report: Report) -> Counter[str]:
    """Return how often each rule is violated."""
    errors = [item for item in report.diagnostics if item.severity is Severity.ERROR]
    return Counter(item.code for item in errors)
