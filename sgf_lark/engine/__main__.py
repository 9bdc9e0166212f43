"""``python -m sgf_lark.engine`` works out anew what is stored of the grammars."""

from sgf_lark.engine.tables import store
from sgf_lark.grammar import store_tables, store_values

print(store())
print(store_values())
print(store_tables())
