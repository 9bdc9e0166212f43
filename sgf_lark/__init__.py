"""The strict toolkit for SGF (Smart Game Format), driven by its grammar.

>>> import sgf_lark
>>> game = sgf_lark.loads(b"(;FF[4]GM[1]SZ[19];B[pd])")[0]
>>> [node.get("B") for node in game.main_line()]
[None, Move(point=Point(column=15, row=3))]
"""

from __future__ import annotations

from sgf_lark.annotations import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: Public names and the modules they come from, imported at first use.
_EXPORTS = {
    "Collection": "old_model",
    "GameTree": "old_model",
    "Node": "old_model",
    "Property": "old_model",
    "AmazonsMove": "types",
    "BackgammonMove": "types",
    "Color": "types",
    "Compose": "types",
    "Double": "types",
    "GessMove": "types",
    "HexMove": "types",
    "LinesOfActionMove": "types",
    "Move": "types",
    "OctiMove": "types",
    "OctiStone": "types",
    "Point": "types",
    "SGFValueError": "values",
    "Stone": "types",
    "Diagnostic": "diagnostics",
    "Severity": "diagnostics",
    "Span": "diagnostics",
    "Report": "report",
    "SGFSyntaxError": "strict",
    "load": "reading",
    "loads": "reading",
    "parse_tree": "strict",
    "dump": "serialize",
    "dumps": "serialize",
    "validate": "validation",
    "Applied": "fixing",
    "FixResult": "fixing",
    "Rewriting": "fixing.rewriting",
    "fix": "fixing",
}

__all__ = [
    "AmazonsMove",
    "Applied",
    "BackgammonMove",
    "Collection",
    "Color",
    "Compose",
    "Diagnostic",
    "Double",
    "FixResult",
    "GameTree",
    "GessMove",
    "HexMove",
    "LinesOfActionMove",
    "Move",
    "Node",
    "OctiMove",
    "OctiStone",
    "Point",
    "Property",
    "Report",
    "Rewriting",
    "SGFSyntaxError",
    "SGFValueError",
    "Severity",
    "Span",
    "Stone",
    "__version__",
    "dump",
    "dumps",
    "fix",
    "load",
    "loads",
    "parse_tree",
    "validate",
]

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Diagnostic, Severity, Span
    from sgf_lark.fixing import Applied, FixResult, fix
    from sgf_lark.fixing.rewriting import Rewriting
    from sgf_lark.old_model import Collection, GameTree, Node, Property
    from sgf_lark.reading import load, loads
    from sgf_lark.report import Report
    from sgf_lark.serialize import dump, dumps
    from sgf_lark.strict import SGFSyntaxError, parse_tree
    from sgf_lark.types import (
        AmazonsMove,
        BackgammonMove,
        Color,
        Compose,
        Double,
        GessMove,
        HexMove,
        LinesOfActionMove,
        Move,
        OctiMove,
        OctiStone,
        Point,
        Stone,
    )
    from sgf_lark.validation import validate
    from sgf_lark.values import SGFValueError


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"sgf_lark.{_EXPORTS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
