"""The parser of values: Lark's LALR(1) table of ``values.lark``, run without Lark."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

END = "$END"

# What becomes of a symbol among the children of its rule: left out, or a child, or its
# own children in its place.
DROPPED = 0
CHILD = 1
CHILDREN = 2


class Token(str):
    """A part of a value, and in `type` the name of the terminal that it is."""

    __slots__ = ("type",)
    type: str


class ValueParser:
    """Reads values by the tables that :func:`sgf_lark.lark_grammars.values` gives.

    `meanings` is asked for a method of the name of each rule, which is given the list of
    its children and gives what the rule stands for. Without such a method it stands for
    its children.
    """

    def __init__(self, tables: dict[str, Any]) -> None:
        self._starts: dict[str, Sequence[int]] = tables["starts"]
        self._states: Sequence[dict[str, int]] = tables["states"]
        self._lexers: Sequence[int] = tables["lexer_of_state"]
        #: The terminals as regular expressions.
        self.terminals: dict[str, str] = tables["terminals"]
        self._looked_for: Sequence[Sequence[str]] = tables["lexers"]
        self._rules: Sequence[tuple[int, str, Sequence[int] | None]] = tables["rules"]
        self._match: dict[int, Callable[[str, int], re.Match[str] | None]] = {}

    def parse(self, text: str, start: str, meanings: object) -> Any:
        """What `text` means by the rule `start`; raises ValueError where it is not in its
        language. `text` is bytes decoded as Latin-1."""
        first, final = self._starts[start]
        states, values, table = [first], list[Any](), self._states
        position, end = 0, len(text)
        token: Token | None = None
        while True:
            kind = END
            if position < end:
                found = self._matcher(states[-1])(text, position)
                if found is None:
                    raise ValueError(f"{text!r} is no {start}")
                kind, position = found.lastgroup or "", found.end()
                token = Token(found[0])
                token.type = kind
            while True:
                action = table[states[-1]].get(kind)
                if action is None:
                    raise ValueError(f"{text!r} is no {start}")
                if action >= 0:
                    break
                size, name, places = self._rules[-1 - action]
                children = values[-size:] if size else []
                if size:
                    del states[-size:], values[-size:]
                if places is not None:
                    children = _placed(children, places)
                method = None if name[0] == "_" else getattr(meanings, name, None)
                values.append(children if method is None else method(children))
                states.append(table[states[-1]][name])
                if kind == END and states[-1] == final:
                    return values[-1]
            states.append(action)
            values.append(token)

    def _matcher(self, state: int) -> Callable[[str, int], re.Match[str] | None]:
        """What finds the next token in that state."""
        number = self._lexers[state]
        if number not in self._match:
            parts = (f"(?P<{name}>{self.terminals[name]})" for name in self._looked_for[number])
            self._match[number] = re.compile("|".join(parts) or "(?!)").match
        return self._match[number]


def _placed(children: list[Any], places: Sequence[int]) -> list[Any]:
    placed: list[Any] = []
    for child, place in zip(children, places, strict=True):
        if place == CHILD:
            placed.append(child)
        elif place == CHILDREN:
            placed += child
    return placed
