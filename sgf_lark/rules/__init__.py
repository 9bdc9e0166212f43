"""The rules: one module for each family, with each check next to its fix.

The catalogue ``grammar/rules.toml`` has the texts, severities and examples of every rule;
:mod:`sgf_lark.rules.registry` describes what a rule declares.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from sgf_lark.rules.registry import RULES

#: The modules of rules, in the order in which their rules are called. The order matters for
#: values, where only the first rule that reports a value counts.
FAMILIES = (
    "value_syntax",
    "ranges",
    "texts",
    "file_formats",
    "other_games",
    "nodes",
    "paths",
    "programs",
    "style",
)


@cache
def load_rules() -> None:
    """Import the modules of all rules, which register themselves, and put the rules in order."""
    for family in FAMILIES:
        import_module(f"{__name__}.{family}")
    for rules in RULES.values():
        rules.sort(key=lambda rule: FAMILIES.index(rule.function.__module__.rpartition(".")[2]))


def load_fixes() -> None:
    """Import the rules, and the fixes that are in modules of their own."""
    load_rules()
    import_module(f"{__name__}.damage")
    import_module(f"{__name__}.trees")
    import_module(f"{__name__}.moves")
