"""What is lost between SGF and wei7: the items, and the reasons."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sgf_lark.diagnostics import Span, Words

_TEXT = Path(__file__).with_suffix(".toml").read_text("utf-8")
#: The reasons for which something is lost, by the keys of losses.toml.
REASONS = {key: Words(*texts) for key, texts in tomllib.loads(_TEXT).items()}


@dataclass(frozen=True, slots=True)
class Lost:
    """An item of an SGF file without a counterpart in wei7.

    `what` is a property as written, or ";" for a node; `node` is the number of the node,
    0-based, in the order of the file; `span` is None for an item that is not in a file.
    """

    what: str
    reason: Words
    node: int | None
    span: Span | None = None

    @property
    def ident(self) -> str:
        """The identifier of the property, or ";" for a node."""
        return self.what.partition("[")[0]


def handicap(tree: dict[str, Any]) -> int | None:
    """The handicap that the tree of a document shows, which HA is in SGF.

    It is the number of stones if there are several before the first move, all of them are Black,
    and White begins.
    """
    stones = tree.get("pre", {}).get("stones", ())
    while not tree.get("steps") and tree.get("branches"):
        tree = tree["branches"][0]
    first = tree.get("steps", [{}])[:1]
    if len(stones) < 2 or not first or any(stone["color"] == 2 for stone in stones):
        return None
    action = first[0].get("action", {})
    return len(stones) if action.get("type") == "move" and action["value"]["color"] == 2 else None
