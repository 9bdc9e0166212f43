"""JSON pointers whose text is only built when one is shown."""

from __future__ import annotations

from typing import NamedTuple


class Pointer(NamedTuple):
    """A JSON pointer (RFC 6901): its parent, None for the root, and a name or index.

    The texts of all pointers in a deep tree would take quadratic memory.
    """

    parent: Pointer | None = None
    token: str | int = ""

    def __truediv__(self, token: str | int) -> Pointer:
        """The pointer to a member or an item of this value."""
        return Pointer(self, token)

    def __str__(self) -> str:
        """The pointer as text, with its tokens escaped."""
        tokens: list[str] = []
        pointer = self
        while pointer.parent is not None:
            tokens.append(str(pointer.token).replace("~", "~0").replace("/", "~1"))
            pointer = pointer.parent
        return "".join(f"/{token}" for token in reversed(tokens))
