"""Finds the productions in the text of the grammar files, and the names in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from sgf_lark import grammar
from sgf_lark.syntax import grammars as lark_grammars

#: The grammars for Lark, without ".lark".
LARK_FILES = ("sgf", "values", "tolerant")
EBNF = "sgf.ebnf"


@dataclass(frozen=True)
class Production:
    """A production: its name, its lines in the file, and the comment right above it."""

    name: str
    text: str
    comment: str = ""

    @property
    def is_terminal(self) -> bool:
        """Whether this is a terminal of a grammar for Lark, which has a name in capitals."""
        return self.name.isupper()


_LARK = re.compile(
    r"(?P<comment>(?:^//.*\n)*)"
    r"(?P<text>^[?!]?(?P<name>_?[A-Za-z]\w*)(?:\.\d+)?[ ]*:.*(?:\n[ \t]+[|].*)*)",
    re.MULTILINE,
)
_EBNF = re.compile(r"(?P<comment>)(?P<text>^(?P<name>\w+)[ ]*=.*(?:\n[ \t]+[|].*)*)", re.MULTILINE)


@cache
def productions(file: str) -> dict[str, Production]:
    """The productions of a file such as ``sgf.ebnf`` or ``values.lark``, by name, in order."""
    pattern = _EBNF if file == EBNF else _LARK
    found = (
        Production(
            match["name"], match["text"], " ".join(match["comment"].replace("//", "").split())
        )
        for match in pattern.finditer(grammar.source(file))
    )
    return {production.name: production for production in found}


_NAMES = {
    # What contains no names (comments, strings, expressions, directives), or a name.
    True: re.compile(r'\(\*.*?\*\)|"[^"]*"|\?[^?]*\?|(?P<name>\b[A-Za-z]\w*)', re.DOTALL),
    False: re.compile(
        r'//.*|"(?:[^"\\]|\\.)*"|/(?:[^/\\\n]|\\.)+/i?|%\w+|(?P<name>\b[_A-Za-z]\w*)'
    ),
}


def pieces(file: str, text: str) -> Iterator[tuple[str, bool]]:
    """Split `text`, a part of the grammar `file`, into pieces.

    Each piece comes with whether it is a name, of a production or of something else.
    """
    position = 0
    for match in _NAMES[file == EBNF].finditer(text):
        if match["name"] is not None:
            if position < match.start():
                yield text[position : match.start()], False
            yield match["name"], True
            position = match.end()
    if position < len(text):
        yield text[position:], False


@cache
def rules_of_ebnf() -> dict[str, tuple[str, str]]:
    """Production of ``sgf.ebnf`` -> the file and the name of the same rule for Lark.

    Points, moves and stones are those of Go, as in the EBNF. Productions without such a
    rule are missing.
    """
    go = grammar.game(1)
    of_game = {kind: getattr(go, kind) for kind in ("point", "move", "stone")}
    found: dict[str, tuple[str, str]] = {}
    for name in productions(EBNF):
        lower = name.lower()
        for file in ("sgf.lark", "values.lark"):
            for rule in (of_game.get(lower, lower), f"_{lower}"):
                if rule in lark_grammars.rule_trees(file):
                    found.setdefault(name, (file, rule))
    return found
