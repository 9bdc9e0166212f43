"""Damage: the places at which a file leaves the grammar, as the tolerant parser lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sgf_lark.diagnostics import Diagnostic, Severity, make
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax.values import LATEST_FILE_FORMAT, file_format
from sgf_lark.text.positions import SourceText


class Damage(NamedTuple):
    """A place at which the input leaves the grammar: the bytes from `start` to `end`.

    `code` is the rule of the catalogue that it violates, `ident` the property concerned, or
    None.
    """

    code: str
    start: int
    end: int
    ident: str | None = None


#: A property value, or a parenthesis outside of values.
VALUE_OR_PARENTHESIS = re.compile(rb"(?s)\[(?:[^\]\\]|\\.)*\]|[()]")
#: By how much a token that matches changes the number of open parentheses.
DEPTHS = {b"(": 1, b")": -1}


def diagnostic(
    damage: Damage,
    flat: FlatTree,
    source: SourceText,
    tree: int | None = None,
    node: int | None = None,
) -> Diagnostic:
    """The damage as a diagnostic; `tree` and `node` are where it is."""
    return make(
        damage.code,
        Severity.ERROR,
        source.span(damage.start, damage.end),
        tree=tree,
        node=node,
        ident=damage.ident,
        **message_values(damage, flat.data),
    )


def message_values(damage: Damage, data: bytes) -> dict[str, Any]:
    """The values for the placeholders in the message about damage in `data`."""
    if damage.code != "SGF002":
        return {"value": data[damage.start : damage.end]}
    from sgf_lark.syntax.signatures import why_no_tree

    return {"reason": why_no_tree(data)}


@dataclass
class DamagedTree:
    """What the tolerant parser could read, and the damage that it found, sorted by offset.

    `lowercase` are identifiers with lowercase letters: whether these are damage depends on
    the FF of their game tree.
    """

    flat: FlatTree
    damage: list[Damage] = field(default_factory=list)
    lowercase: list[Damage] = field(default_factory=list)

    def found(self, file_format: int | None = None) -> list[Damage]:
        """All damage; `file_format` overrides FF.

        Lowercase letters in identifiers are damage in FF[4], and in an identifier without
        uppercase letters.
        """
        wrong = [each for each in self.lowercase if not self._is_allowed(each, file_format)]
        return self.damage + wrong

    def in_uppercase(self) -> bytes:
        """The data with identifiers in uppercase where lowercase letters in them are allowed."""
        parts: list[bytes] = []
        position = 0
        for each in self.lowercase:
            if self._is_allowed(each, None):
                parts += [self.flat.data[position : each.start]]
                parts += [self.flat.data[each.start : each.end].upper()]
                position = each.end
        return b"".join([*parts, self.flat.data[position:]])

    def _is_allowed(self, lowercase: Damage, override: int | None) -> bool:
        if (lowercase.ident or "").islower():
            return False
        flat = self.flat
        root = flat.roots[flat.tree_of(flat.node_at(lowercase.start))]
        found = override or file_format(flat.first_values(root, ("FF",)).get("FF"))
        return found < LATEST_FILE_FORMAT
