"""The accelerated validation: gives what the plain one gives, and skips what is known to be clean.

It wraps :class:`Runner`. A compiled scan finds the nodes that need checking
(:mod:`sgf_lark.engine.screen`), findings of equal properties are taken from a cache, and only
the rules that may report a node are asked about it. What may be skipped is derived from the
declarations of the rules (:mod:`sgf_lark.validation.derivation`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from sgf_lark import grammar
from sgf_lark.engine import kinds
from sgf_lark.engine.columns import Columns, PropertyCache
from sgf_lark.engine.screen import ScanResult, Screen
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.position import PLAYED, SET_UP
from sgf_lark.model.board import BLACK, EMPTY, WHITE
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.registry import Needs, Plain, Rule, Scope, Stones
from sgf_lark.types import INDEX
from sgf_lark.validation.cache import (
    LONGEST_NODE,
    LONGEST_PROPERTY,
    FindingsCache,
    ShapeRules,
)
from sgf_lark.validation.derivation import (
    clean_in_nodes,
    clean_kinds,
    has_lettered_board,
    may_report_node,
)
from sgf_lark.validation.findings import Located
from sgf_lark.validation.runner import ActiveRules, Runner
from sgf_lark.values import Context
