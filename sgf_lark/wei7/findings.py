"""What the checks find: the rule, the JSON pointer of the value, and values for the message."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from sgf_lark.diagnostics import shorten
from sgf_lark.wei7.shapes import kind_of


class Pointer(NamedTuple):
    """A JSON pointer (RFC 6901): its parent, None for the root, and a name or index.

    The texts of all pointers in a deep tree would take quadratic memory.
    """

    parent: Pointer | None = None
    token: str | int = ""

    def __truediv__(self, token: str | int) -> Pointer:
        """The pointer to a member or an item of this value."""
        return Pointer(self, token)

    def tokens(self) -> list[str | int]:
        """The names and indices from the root to the value."""
        tokens: list[str | int] = []
        pointer = self
        while pointer.parent is not None:
            tokens.append(pointer.token)
            pointer = pointer.parent
        return tokens[::-1]

    def __str__(self) -> str:
        """The pointer as text, with its tokens escaped."""
        tokens = (str(token).replace("~", "~0").replace("/", "~1") for token in self.tokens())
        return "".join(f"/{token}" for token in tokens)


class Finding(NamedTuple):
    """A broken rule, and the part of the text that is shown for it.

    The part is a value, the name of a member, or the bracket that opens the object in which the
    member is missing to which the pointer leads.
    """

    code: str
    pointer: Pointer
    values: dict[str, object]
    part: Literal["value", "name", "bracket"] = "value"


class Located(NamedTuple):
    """A broken rule from `start` to `end` (characters), and its JSON pointer as text."""

    code: str
    start: int
    end: int
    values: dict[str, object]
    pointer: str = ""


def shown(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, str):
        return f'"{shorten(value)}"'
    kind = kind_of(value)
    return str(value) if kind == "number" else kind
