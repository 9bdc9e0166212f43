"""The parse tree of the playground: the same as that of Lark's own parser."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from lark import Token

from sgf_lark import grammar
from sgf_lark.playground.document import Document
from sgf_lark.syntax.grammars import load_lark
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.text_ends import brackets_in_values
from sgf_lark.syntax.tolerant import with_inner_brackets
from tests.kit.tables import for_each

PUNCTUATION = {"LPAR", "RPAR", "SEMICOLON"}
Item = tuple[str, int, int, int]

#: Parts of texts, so that intact regions and damage of all kinds are next to each other.
PARTS = ["(", ";", ")", "[", "]", "\\", "x", "X", ",", "\x00", "\n", "é", "9", "(;", ")("]
INTACT = [
    "b[aa]",
    "(;FF[4]GM[1])",
    "(;B[aa](;W[bb];B[cc][dd])(;W[ee]))",
    ";B[aa]W[bb];",
    "C[a\\]b]",
    "GM[1]",
]
TEXTS = st.lists(st.sampled_from(PARTS + INTACT), max_size=14).map("".join)
EXAMPLES = [
    example.data for rule in grammar.rules().values() for example in rule.bad[:2] + rule.good[:1]
]


def by_lark(data: bytes) -> list[Item]:
    """The items, each with the number of its parent."""
    is_strict = parse_if_strict(data) is not None
    inner = [] if is_strict else brackets_in_values(data)
    text = with_inner_brackets(data, inner)
    root = load_lark("strict" if is_strict else "tolerant").parse(text)
    items: list[tuple[str, int]] = []
    covered: list[list[int]] = []
    stack: list[tuple[Any, int]] = [(root, -1)]
    while stack:
        item, parent = stack.pop()
        if isinstance(item, Token):
            start = item.start_pos or 0
            if item.type not in PUNCTUATION:
                items.append((item.type, parent))
                covered.append([])
                parent = len(items) - 1
            while parent >= 0:
                covered[parent] += [start, start + len(item)]
                parent = items[parent][1]
        else:
            items.append((item.data, parent))
            covered.append([])
            stack += [(child, len(items) - 1) for child in reversed(item.children)]
    return [
        (str(name), min(places, default=0), max(places, default=0), parent)
        for (name, parent), places in zip(items, covered, strict=True)
    ]


def check(data: bytes) -> None:
    found = Document(data.decode("utf-8", "replace"), "en", "strict")
    tree = found.syntax
    items = by_lark(found.collection.file.decoding.data)
    assert [item[:4] for item in tree] == items
    for number, item in enumerate(tree):
        below = [other for other in range(len(items)) if number in tree.path(other)]
        assert item.last == below[-1] and below == list(range(number, item.last + 1))
        assert item.depth == len(tree.path(number)) - 1


@given(TEXTS)
def test_parse_tree_is_that_of_lark(text: str) -> None:
    check(text.encode())


@for_each(EXAMPLES)
def test_parse_tree_of_examples_is_that_of_lark(data: bytes) -> None:
    check(data)
