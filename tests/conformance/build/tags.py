"""The tags of a case, by which programs select cases or leave them out."""

from __future__ import annotations

import re
from collections.abc import Iterator

import sgf_lark
from sgf_lark.fuzz.features import Feature, amount, table
from sgf_lark.fuzz.tokens import mark

#: The features that are tags, by the names of their rows, which may have an argument.
_FEATURES = {
    "byte-order-mark": ("byte-order-mark",),
    "escape": ("escape:{}",),
    "two-byte-line-break": ("character:two-byte-line-break",),
    "non-ascii": ("character:non-ascii",),
    "compressed-list": ("compressed-list",),
    "empty-value": ("empty-value",),
    "lowercase-identifier": ("lowercase-letters",),
    "several-game-trees": ("several-game-trees",),
    "variations": ("variations",),
    "text-outside": ("text:before", "text:after"),
}
#: Tags of amounts of something in a file: from each of these numbers on there is one.
_LIMITS = (100, 1_000, 10_000)


_NUMBER = re.compile(rb"\s*\+?0*[1-9]\d*\s*")


def tags(data: bytes, charset: str) -> list[str]:
    """Return the tags of a file: of its trees, its charset, its features and its amounts."""
    name = re.sub("[^a-z0-9]+", "-", charset.lower()).strip("-")
    text = mark(data)
    return sorted({f"charset-{name}", *_trees(data), *_features(text), *_amounts(text)})


def _trees(data: bytes) -> Iterator[str]:
    for tree in sgf_lark.loads(data, tolerant=True, charset_mode="text"):
        yield f"gm-{tree.parsed.context.game}"
        # By the specification a tree without a usable FF is in FF[1].
        named = tree.root.property("FF", None)
        is_named = named is not None and _NUMBER.fullmatch(named.raw[0])
        yield f"ff-{tree.parsed.context.file_format if is_named else 1}"


def _features(text: str) -> Iterator[str]:
    rows = table()
    for tag, names in _FEATURES.items():
        if any(next(rows[name].find(text), None) for name in names):
            yield tag


def _amounts(text: str) -> Iterator[str]:
    rows = {"depth": "nesting", "nodes": "nodes", "value": "long-value"}
    for name, family in rows.items():
        found = amount(text, Feature(family))
        yield from (f"{name}-{limit}" for limit in _LIMITS if found >= limit)
