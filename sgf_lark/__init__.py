"""The strict toolkit for SGF (Smart Game Format), driven by its grammar.

>>> import sgf_lark
>>> game = sgf_lark.loads(b"(;FF[4]GM[1]SZ[19];B[pd])")[0]
>>> [node.get("B") for node in game.main_line()]
[None, Move(point=Point(column=15, row=3))]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

#: Public names and the modules they come from, imported at first use.
_EXPORTS = {
    "Collection": "model.collection",
    "GameTree": "model.tree",
    "Node": "model.node",
    "Property": "model.property",
    "Board": "model.board_value",
    "BoardError": "model.board_value",
    "GameInfo": "model.info",
    "Player": "model.info",
    "PartialDate": "model.values.dates",
    "Rank": "model.values.ranks",
    "Reason": "model.values.results",
    "Result": "model.values.results",
    "Round": "model.values.rounds",
    "AmazonsMove": "model.values",
    "BackgammonMove": "model.values",
    "Color": "model.values",
    "Compose": "model.values",
    "Double": "model.values",
    "GessMove": "model.values",
    "HexMove": "model.values",
    "LinesOfActionMove": "model.values",
    "Move": "model.values",
    "OctiMove": "model.values",
    "OctiStone": "model.values",
    "Point": "model.values",
    "SGFValueError": "model.values.reader",
    "Stone": "model.values",
    "Symmetry": "model.symmetry",
    "Diagnostic": "diagnostics",
    "Severity": "diagnostics",
    "Span": "diagnostics",
    "Report": "validation.report",
    "SGFSyntaxError": "syntax.errors",
    "iter_games": "model.iterating",
    "new_game": "model.new_games",
    "load": "model.loading",
    "loads": "model.loading",
    "parse_tree": "syntax.parse_trees",
    "dump": "model.writing",
    "dumps": "model.writing",
    "validate": "validation",
    "Applied": "fixing",
    "FixResult": "fixing",
    "Rewriting": "fixing.rewriting",
    "compare": "model.differences",
    "fix": "fixing",
}

__all__ = [
    "AmazonsMove",
    "Applied",
    "BackgammonMove",
    "Board",
    "BoardError",
    "Collection",
    "Color",
    "Compose",
    "Diagnostic",
    "Double",
    "FixResult",
    "GameInfo",
    "GameTree",
    "GessMove",
    "HexMove",
    "LinesOfActionMove",
    "Move",
    "Node",
    "OctiMove",
    "OctiStone",
    "PartialDate",
    "Player",
    "Point",
    "Property",
    "Rank",
    "Reason",
    "Report",
    "Result",
    "Rewriting",
    "Round",
    "SGFSyntaxError",
    "SGFValueError",
    "Severity",
    "Span",
    "Stone",
    "Symmetry",
    "__version__",
    "compare",
    "dump",
    "dumps",
    "fix",
    "iter_games",
    "load",
    "loads",
    "new_game",
    "parse_tree",
    "validate",
]

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Diagnostic, Severity, Span
    from sgf_lark.fixing import Applied, FixResult, fix
    from sgf_lark.fixing.rewriting import Rewriting
    from sgf_lark.model.board_value import Board, BoardError
    from sgf_lark.model.collection import Collection
    from sgf_lark.model.differences import compare
    from sgf_lark.model.info import GameInfo, Player
    from sgf_lark.model.iterating import iter_games
    from sgf_lark.model.loading import load, loads
    from sgf_lark.model.new_games import new_game
    from sgf_lark.model.node import Node
    from sgf_lark.model.property import Property
    from sgf_lark.model.symmetry import Symmetry
    from sgf_lark.model.tree import GameTree
    from sgf_lark.model.values import (
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
    from sgf_lark.model.values.dates import PartialDate
    from sgf_lark.model.values.ranks import Rank
    from sgf_lark.model.values.reader import SGFValueError
    from sgf_lark.model.values.results import Reason, Result
    from sgf_lark.model.values.rounds import Round
    from sgf_lark.model.writing import dump, dumps
    from sgf_lark.syntax.errors import SGFSyntaxError
    from sgf_lark.syntax.parse_trees import parse_tree
    from sgf_lark.validation import validate
    from sgf_lark.validation.report import Report


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"sgf_lark.{_EXPORTS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
