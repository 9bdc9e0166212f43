"""sgf_lark itself as a target."""

from __future__ import annotations

from typing import Any

import sgf_lark
from sgf_lark import engine
from sgf_lark.fuzz.canonical import Games, canonical
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.tolerant import parse_tolerant


def tables(data: bytes) -> Games:
    """Return the canonical tree of the compiled engine; raise SGFSyntaxError."""
    return canonical(data)


def lark(data: bytes) -> Games:
    """Return the canonical tree of Lark's parser; raise SGFSyntaxError."""
    return canonical(data, engine="lark")


def promises(data: bytes) -> bool:
    """Return whether `data` conforms; raise AssertionError for a broken promise.

    A file without errors follows the strict grammar, unless its identifiers have lowercase
    letters: FF[1] to FF[3] allow them, the EBNF of FF[4] does not.
    """
    report = sgf_lark.validate(data)
    _check_engines_agree(data, report.diagnostics)
    fixed = sgf_lark.fix(data)
    fixed_twice = sgf_lark.fix(fixed.data)
    if fixed_twice.data != fixed.data:
        raise AssertionError("fix changes what it has fixed")
    if report.ok and not sgf_lark.validate(fixed.data).ok:
        raise AssertionError("fix breaks a file without errors")
    try:
        collection = sgf_lark.loads(data)
    except sgf_lark.SGFSyntaxError:
        if report.ok and not parse_tolerant(data).lowercase:
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
