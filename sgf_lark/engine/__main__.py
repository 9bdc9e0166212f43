"""``python -m sgf_lark.engine`` works out anew what is stored of the grammars."""

from sgf_lark import grammar, stored
from sgf_lark.engine.tables import store
from sgf_lark.validation import validate


def _ask_for_expressions() -> None:
    """Has the regular expressions made that the grammar and the rules use."""
    for value_type in grammar.value_types():
        grammar.pattern(value_type)
    for rule in grammar.rules().values():
        for example in rule.bad + rule.good:
            validate(example.data, charset_mode=example.charset_mode)


print(store(), *grammar.store(), sep="\n")
_ask_for_expressions()
print(stored.store_expressions())
