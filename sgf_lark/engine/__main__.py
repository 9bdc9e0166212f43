"""``python -m sgf_lark.engine`` works out anew what is stored of the grammars."""

import sys

from sgf_lark import grammar, stored
from sgf_lark.engine.computing import made
from sgf_lark.validation import validate


def _forget_what_was_stored() -> None:
    for name in [name for name in sys.modules if name.startswith("sgf_lark._stored.")]:
        del sys.modules[name]


def _ask_for_expressions() -> None:
    """Has the regular expressions made that the examples of the rules need."""
    for rule in grammar.rules().values():
        for example in rule.bad + rule.good:
            validate(example.data, charset_mode=example.charset_mode)


print(*stored.store([made(), *grammar.made()]), sep="\n")
_forget_what_was_stored()
_ask_for_expressions()
print(stored.store_expressions())
