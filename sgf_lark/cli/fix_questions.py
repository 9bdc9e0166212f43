"""``fix --interactive``: asks before each fix."""

from __future__ import annotations

import sys
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import INTERRUPTED, terminal
from sgf_lark.cli.check_text import severity_name
from sgf_lark.cli.words import say
from sgf_lark.diagnostics import Language
from sgf_lark.fixing import Proposal
from sgf_lark.fixing.diff import shortened
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.model.node import Node

#: The answers; words.toml has what they mean.
_ANSWERS = "ynasq"
_LONGEST = 60


class Questions:
    """The answers so far. `has_ended` is true after the answer that ends the program."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.has_ended = False
        self._rules: dict[str, bool] = {}

    def ask(self, path: str, proposal: Proposal) -> bool:
        """Show a fix in the file at `path`, and return whether it is to be made."""
        code = proposal.change.code
        if self.has_ended:
            return False
        if code in self._rules:
            return self._rules[code]
        for line in _lines(path, proposal, self.language):
            click.echo(line, err=True)
        answer = _prompt(self.language)
        if answer in ("a", "s"):
            self._rules[code] = answer == "a"
        self.has_ended = answer == "q"
        return answer in ("y", "a")


def _prompt(language: Language) -> str:
    while True:
        try:
            answer = click.prompt(say("fix.question", language), err=True, prompt_suffix=" ")
        except click.Abort:
            click.echo(err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None
        if answer.strip().lower() in {*_ANSWERS}:
            return str(answer.strip().lower())
        for letter in _ANSWERS:
            click.echo(f"  {letter}  {say(f'fix.answer_{letter}', language)}", err=True)


def _lines(path: str, proposal: Proposal, language: Language) -> list[str]:
    """Return the diagnostic, the text before and after, and the boards if they differ."""
    change, found = proposal.change, proposal.diagnostic
    place = f"{escape(path)}:{change.span.line}:{change.span.column}:"
    how = "" if change.safe else say("fix.why_unsafe", language)
    severity = severity_name(found.severity, language)
    nothing = say("shared.nothing", language)
    before, after = shortened(change.before, change.after, _LONGEST)
    return [
        "",
        f"{place} {severity} {change.code} {change.name}: {escape(change.message)}{how}",
        f"  - {escape(before) or nothing}",
        f"  + {escape(after) or nothing}",
        *_boards(proposal, language),
    ]


def _boards(proposal: Proposal, language: Language) -> list[str]:
    """Return the boards before and after, side by side where they fit; none where both are the
    same or cannot be drawn."""
    tree, node = proposal.diagnostic.tree, proposal.diagnostic.node
    if tree is None or node is None:
        return []
    before, after = (_nodes(data, tree) for data in (proposal.before, proposal.after))
    # Where a fix splits or deletes the node, the last node in its place is compared.
    boards = [_board(before, node), _board(after, node + len(after) - len(before))]
    if boards[0] == boards[1] or not all(boards):
        return []
    left, right = (board.splitlines() for board in boards)
    titles = [say("fix.before", language), say("fix.after", language)]
    width = max(map(terminal.cell_width, left)) + 4
    if width + max(map(terminal.cell_width, right)) > terminal.error_width():
        return ["", f"{titles[0]}:", *left, "", f"{titles[1]}:", *right, ""]
    rows = zip_longest([titles[0], *left], [titles[1], *right], fillvalue="")
    return ["", *(f"{a}{' ' * (width - terminal.cell_width(a))}{b}" for a, b in rows), ""]


def _nodes(data: bytes, tree: int) -> list[Node]:
    """Return the nodes of a game tree, none if there is no such tree."""
    from sgf_lark.model.loading import loads

    return [node for found in loads(data, tolerant=True)[tree : tree + 1] for node in found.nodes()]


def _board(nodes: list[Node], number: int) -> str:
    """Return the board after a node; "" where it cannot be drawn."""
    from sgf_lark.drawing import DrawingError, characters, position

    if not 0 <= number < len(nodes):
        return ""
    node = nodes[number]
    symbols = characters.characters(sys.stderr.encoding or "ascii")
    try:
        return characters.text(
            position(node.tree, node), coordinates=True, color=False, symbols=symbols
        )
    except DrawingError:
        return ""
