"""The strict toolkit for SGF (Smart Game Format), driven by its grammar.

>>> import sgf_lark
>>> game = sgf_lark.loads(b"(;FF[4]GM[1]SZ[19];B[pd])")[0]
>>> [node.get("B") for node in game.main_line()]
[None, Move(point=Point(column=15, row=3))]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

#: The public names by the modules that they are imported from, at first use. Type checkers need the
#: import statements below; a test holds both lists together.
_NAMES = {
    "model.collection": "Collection",
    "model.tree": "GameTree",
    "model.node": "Node",
    "model.property": "Property",
    "model.board": "Board BoardError",
    "model.info": "GameInfo Player",
    "model.values.formats": "PartialDate Rank Reason Result Round",
    "model.values": "AmazonsMove BackgammonMove Color Compose Double GessMove "
    "HexMove LinesOfActionMove Move OctiMove OctiStone Point Stone",
    "model.values.reader": "SGFValueError",
    "model.symmetry": "Symmetry",
    "diagnostics": "Diagnostic Severity Span",
    "validation.report": "Report",
    "syntax.errors": "SGFSyntaxError",
    "model.loading": "iter_games load loads",
    "model.new_games": "new_game",
    "syntax.parse_trees": "parse_tree",
    "model.writing": "dump dumps",
    "validation": "validate",
    "fixing": "Applied FixResult fix",
    "fixing.rewriting": "Rewriting",
    "model.differences": "compare",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Diagnostic as Diagnostic
    from sgf_lark.diagnostics import Severity as Severity
    from sgf_lark.diagnostics import Span as Span
    from sgf_lark.fixing import Applied as Applied
    from sgf_lark.fixing import FixResult as FixResult
    from sgf_lark.fixing import fix as fix
    from sgf_lark.fixing.rewriting import Rewriting as Rewriting
    from sgf_lark.model.board import Board as Board
    from sgf_lark.model.board import BoardError as BoardError
    from sgf_lark.model.collection import Collection as Collection
    from sgf_lark.model.differences import compare as compare
    from sgf_lark.model.info import GameInfo as GameInfo
    from sgf_lark.model.info import Player as Player
    from sgf_lark.model.loading import iter_games as iter_games
    from sgf_lark.model.loading import load as load
    from sgf_lark.model.loading import loads as loads
    from sgf_lark.model.new_games import new_game as new_game
    from sgf_lark.model.node import Node as Node
    from sgf_lark.model.property import Property as Property
    from sgf_lark.model.symmetry import Symmetry as Symmetry
    from sgf_lark.model.tree import GameTree as GameTree
    from sgf_lark.model.values import AmazonsMove as AmazonsMove
    from sgf_lark.model.values import BackgammonMove as BackgammonMove
    from sgf_lark.model.values import Color as Color
    from sgf_lark.model.values import Compose as Compose
    from sgf_lark.model.values import Double as Double
    from sgf_lark.model.values import GessMove as GessMove
    from sgf_lark.model.values import HexMove as HexMove
    from sgf_lark.model.values import LinesOfActionMove as LinesOfActionMove
    from sgf_lark.model.values import Move as Move
    from sgf_lark.model.values import OctiMove as OctiMove
    from sgf_lark.model.values import OctiStone as OctiStone
    from sgf_lark.model.values import Point as Point
    from sgf_lark.model.values import Stone as Stone
    from sgf_lark.model.values.formats import PartialDate as PartialDate
    from sgf_lark.model.values.formats import Rank as Rank
    from sgf_lark.model.values.formats import Reason as Reason
    from sgf_lark.model.values.formats import Result as Result
    from sgf_lark.model.values.formats import Round as Round
    from sgf_lark.model.values.reader import SGFValueError as SGFValueError
    from sgf_lark.model.writing import dump as dump
    from sgf_lark.model.writing import dumps as dumps
    from sgf_lark.syntax.errors import SGFSyntaxError as SGFSyntaxError
    from sgf_lark.syntax.parse_trees import parse_tree as parse_tree
    from sgf_lark.validation import validate as validate
    from sgf_lark.validation.report import Report as Report


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"sgf_lark.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_MODULES, "__version__"])
