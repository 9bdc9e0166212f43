"""``python -m sgf_lark.engine`` computes the stored tables anew."""

from sgf_lark.engine.tables import store

print(store())
