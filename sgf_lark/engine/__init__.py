"""The strict grammar's own tables, run over bytes: the same trees as Lark's, sooner."""

from __future__ import annotations

from typing import Literal, get_args

#: Which parser reads the structure: the engine, which runs the tables of the grammar, or Lark.
Engine = Literal["tables", "lark"]
ENGINES = get_args(Engine)
