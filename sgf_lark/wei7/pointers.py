"""JSON pointers that are put together only where one is shown."""

from __future__ import annotations

from typing import NamedTuple


class Pointer(NamedTuple):
    """A JSON pointer (RFC 6901): the one above it, None at the root, and a name or index.

    In a tree of many levels the texts of all pointers together would be large.
    """

    above: Pointer | None = None
    token: str | int = ""

    def __truediv__(self, token: str | int) -> Pointer:
        return Pointer(self, token)

    def __str__(self) -> str:
        tokens: list[str] = []
        each = self
        while each.above is not None:
            tokens.append(str(each.token).replace("~", "~0").replace("/", "~1"))
            each = each.above
        return "".join(f"/{token}" for token in reversed(tokens))
