"""Completions of arguments and options for shells: paths, rules, charsets and names.

click prints the script of a shell: ``_SGF_LARK_COMPLETE=bash_source sgf-lark``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_paths(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Let the shell complete paths."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_rules(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the last of several codes and names of rules, with the summaries as help."""
    from click.shell_completion import CompletionItem

    from sgf_lark import grammar

    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(before + comma + text, help=rule.summary)
        for rule in grammar.rules().values()
        for text in (rule.code, rule.name)
        if text.startswith(last) or text.lower().startswith(last.lower())
    ]


def complete_charsets(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete names of charsets."""
    from sgf_lark import grammar

    return _starting(incomplete, (charset.name for charset in grammar.charsets()))


def complete_names(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete what ``explain`` explains."""
    return _starting(incomplete, known_names())


def _starting(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    lowered = incomplete.lower()
    return [CompletionItem(name) for name in names if name.lower().startswith(lowered)]


def known_names() -> list[str]:
    """Return all names that can be explained, each once."""
    from sgf_lark import grammar
    from sgf_lark.teaching.productions import EBNF, LARK_FILES, productions
    from sgf_lark.wei7.rules import rules as wei7_rules

    rules = grammar.rules()
    names = (
        *rules,
        *wei7_rules(),
        *(rule.name for rule in rules.values()),
        *(entry.ident for entry in grammar.properties()),
        *grammar.terms(),
        *(program.name for program in grammar.programs()),
        *(name for file in LARK_FILES for name in productions(f"{file}.lark")),
        *productions(EBNF),
    )
    return list(dict.fromkeys(names))
