"""``sgf-lark completion``: what shells need to complete commands, options and names of rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import terminal

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: The variable in which the script of a shell asks the program for completions.
_VARIABLE = "_SGF_LARK_COMPLETE"

#: Shells, and where the script of each is found, below the prefix of an installation.
PLACES = {
    "bash": "share/bash-completion/completions/sgf-lark",
    "zsh": "share/zsh/site-functions/_sgf-lark",
    "fish": "share/fish/vendor_completions.d/sgf-lark.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(list(PLACES)))
def completion(shell: str) -> None:
    """Print the script that completes commands, options and rules in a shell.

    A system-wide installation has the scripts in place. Elsewhere write them to a file:

    \b
      sgf-lark completion bash > ~/.local/share/bash-completion/completions/sgf-lark
      sgf-lark completion fish > ~/.config/fish/completions/sgf-lark.fish
      sgf-lark completion zsh > ~/.zfunc/_sgf-lark

    For zsh the folder has to be in fpath before compinit runs:

    \b
      fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit
    """
    terminal.prepare_streams("utf-8")
    terminal.write(script(shell))


def script(shell: str) -> str:
    """Return the script for one of these shells."""
    from click.shell_completion import get_completion_class

    from sgf_lark.cli.commands import main

    found = get_completion_class(shell)
    assert found is not None
    made = found(main, {}, "sgf-lark", _VARIABLE)
    # The method source() would run the shell to find out its version.
    return made.source_template % made.source_vars() + "\n"


# --- Completions of arguments and options ---------------------------------------------


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
        *(name for file in LARK_FILES for name in productions(f"{file}.lark")),
        *productions(EBNF),
    )
    return list(dict.fromkeys(names))
