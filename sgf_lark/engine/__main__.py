"""``python -m sgf_lark.engine`` works out anew what is stored of the grammars."""

from sgf_lark import grammar, stored
from sgf_lark.engine.tables import made
from sgf_lark.validation import validate


def _ask_for_expressions() -> None:
    """Has the regular expressions made that the examples of the rules need."""
    for rule in grammar.rules().values():
        for example in rule.bad + rule.good:
            validate(example.data, charset_mode=example.charset_mode)


print(*stored.store([made(), *grammar.made()]), sep="\n")
_ask_for_expressions()
print(stored.store_expressions())
