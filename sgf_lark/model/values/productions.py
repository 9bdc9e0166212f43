"""From a parsed value to a Python value: one method for each production of ``values.lark``.

A production in ``grammar/values.lark`` and the method that is called for it have the same
name. The methods are in these modules, in the order of the sections of the grammar:
``basic`` (basic types, SZ), ``go``, ``dates`` (DT), ``results`` (RE), ``ranks``
(BR, WR), ``backgammon``, ``lines_of_action``, ``hex``,
``amazons``, ``gess``, ``octi``. Productions that only lay down a format, such as ``round``,
have no method.
"""

from __future__ import annotations

from typing import Any

from sgf_lark.model.values.amazons import AmazonsNotation
from sgf_lark.model.values.backgammon import BackgammonNotation
from sgf_lark.model.values.basic import BasicTypes
from sgf_lark.model.values.context import Context
from sgf_lark.model.values.dates import DateFormat
from sgf_lark.model.values.gess import GessNotation
from sgf_lark.model.values.go import GoNotation
from sgf_lark.model.values.hex import HexNotation
from sgf_lark.model.values.lines_of_action import LinesOfActionNotation
from sgf_lark.model.values.octi import OctiNotation
from sgf_lark.model.values.ranks import RankFormat
from sgf_lark.model.values.results import ResultFormat


class ValueProductions(
    BasicTypes,
    GoNotation,
    DateFormat,
    ResultFormat,
    RankFormat,
    BackgammonNotation,
    LinesOfActionNotation,
    HexNotation,
    AmazonsNotation,
    GessNotation,
    OctiNotation,
):
    """The methods for the values of a game tree with that context.

    They are the `transformer` of :func:`sgf_lark.syntax.values.value_parser`, which needs no Lark;
    :class:`sgf_lark.model.values.transformer.ValueTransformer` is the same for Lark's own trees.
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def __default__(self, data: object, children: list[Any], meta: object) -> list[Any]:
        """A production without a method gives its children."""
        return list(children)
