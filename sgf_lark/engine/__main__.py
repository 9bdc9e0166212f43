"""``python -m sgf_lark.engine`` works out anew what is stored of the grammars."""

from sgf_lark import grammar
from sgf_lark.engine.tables import store

print(store(), *grammar.store(), sep="\n")
