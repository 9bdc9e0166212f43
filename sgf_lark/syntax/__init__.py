"""From bytes to syntax: strict and tolerant parsing, values, syntax errors, the flat tree."""

from typing import Literal, get_args

#: Which parser reads the structure of a file: the compiled engine, which runs the tables that
#: Lark made of the grammar, or Lark's own parser.
Engine = Literal["tables", "lark"]
ENGINES = get_args(Engine)
