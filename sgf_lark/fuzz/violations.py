"""Random files that violate exactly one rule of the catalogue.

A file starts as an example of the catalogue, or as a file of :mod:`~sgf_lark.fuzz.violations_cores`
where random values matter. Random changes follow: other words and identifiers, nearly the same
values, more properties, nodes, game trees and white space. A change is kept if the validator still
reports that rule and no other.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable
from functools import cache, lru_cache

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, RandomChoices
from sgf_lark.fuzz.generating_files import Writer, root_properties
from sgf_lark.fuzz.generating_trees import SHAPES, NewNode, Trees
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.fuzz.violations_cores import CORES
from sgf_lark.model.loading import loads
from sgf_lark.model.values import Context
from sgf_lark.validation import validate

__all__ = ["COMPANIONS", "UNREACHABLE", "codes", "make_violation", "violate"]

#: Rules that no content of a file can violate, and why.
UNREACHABLE = {
    "SGF001": "it is about files that cannot be read, not about what is in them",
    "SGF440": "each property of the standard that has a range has a rule of its own about it",
}

#: Style diagnostics that a violation always causes as well.
COMPANIONS = {
    "SGF115": frozenset({"SGF804"}),
    "SGF116": frozenset({"SGF804"}),
    "SGF436": frozenset({"SGF905"}),
    "SGF702": frozenset({"SGF701"}),
    "SGF703": frozenset({"SGF701"}),
    "SGF704": frozenset({"SGF701"}),
}
#: The style diagnostic of a file with several game trees, which a change may add.
_SEVERAL_TREES = "SGF701"
#: At most this many small changes and additions are tried.
_MOST_CHANGES, _MOST_ADDITIONS = 10, 2


def codes() -> tuple[str, ...]:
    """Return the codes of the rules that :func:`violate` can violate."""
    return tuple(code for code in grammar.rules() if code not in UNREACHABLE)


def violate(source: random.Random, code: str | None = None) -> tuple[bytes, str]:
    """Return a file that violates the rule `code`, or any one rule, and the code of that rule.

    In the profile "strict" the only other diagnostics are those that :data:`COMPANIONS` lists,
    and SGF701 (style) if the file has several game trees. Raises KeyError for a code that
    :func:`codes` does not contain.
    """
    return make_violation(RandomChoices(source), code)


def make_violation(choices: Choices, code: str | None = None) -> tuple[bytes, str]:
    """Return a file and a code, as :func:`violate` does, from any source of choices."""
    if code is None:
        code = choices.choice(codes())
    data = choices.choice(examples(code))
    if code in CORES and choices.integer(0, 3):
        core = CORES[code](choices)
        data = core if violates_only(core, code) else data
    changes = [choices.choice(_SMALL_CHANGES) for _ in range(choices.integer(0, _MOST_CHANGES))]
    changes += [choices.choice(_ADDITIONS) for _ in range(choices.integer(0, _MOST_ADDITIONS))]
    for change in changes:
        choices.begin_part()
        changed = change(data, choices)
        if changed != data and violates_only(changed, code):
            data = changed
    return data, code


def violates_only(data: bytes, code: str) -> bool:
    """Whether the file violates that rule and no other, apart from :data:`COMPANIONS`."""
    found = {kind[0] for kind in validate(data).kinds}
    return found | {_SEVERAL_TREES} == {code, _SEVERAL_TREES, *COMPANIONS.get(code, ())}


@cache
def examples(code: str) -> tuple[bytes, ...]:
    """Return the examples of the catalogue that violate that rule and no other.

    Raises KeyError if there are none.
    """
    rule = grammar.rule(code)
    found = [each.data for each in (*rule.bad, *rule.noted) if violates_only(each.data, code)]
    if not found:
        raise KeyError(code)
    return tuple(found)


# --- Words, characters and identifiers ----------------------------------------------------

_WORD = re.compile(rb"[A-Za-z]+|[0-9]+")
_WORD_OR_REST = re.compile(rb"[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")
#: Identifiers other than FF and GM, which decide on the meaning of the others.
_IDENT = re.compile(rb"(?<![A-Z])(?!FF|GM)[A-Z]{1,2}(?=\s*\[)")
_ALPHABETS = (string.ascii_lowercase.encode(), string.ascii_uppercase.encode(), b"0123456789")
#: What is inserted at any place; it makes values that are nearly right.
_NEARLY: tuple[str, ...] = ("", *"x1z0+-.,/?Q :")


def _rename_word(data: bytes, choices: Choices) -> bytes:
    """Replace a word by another one of as many letters or digits, wherever it occurs."""
    words = sorted({*_WORD.findall(data)})
    if not words:
        return data
    old = choices.choice(words)
    alphabets = [next(found for found in _ALPHABETS if byte in found) for byte in old]
    new = b"".join(b"%c" % choices.choice(alphabet) for alphabet in alphabets)
    return b"".join(new if part == old else part for part in _WORD_OR_REST.findall(data))


def _change_character(data: bytes, choices: Choices) -> bytes:
    """Insert a character, or replace or delete one."""
    at = choices.integer(0, len(data))
    new = choices.choice(_NEARLY).encode()
    return data[:at] + new + data[at + choices.integer(0, 1) :]


def _change_ident(data: bytes, choices: Choices) -> bytes:
    """Swap an identifier with another one, often with the same type of values."""
    idents = sorted({*_IDENT.findall(data)})
    if not idents:
        return data
    old = choices.choice(idents)
    alike, others = _idents(old.decode())
    new = choices.choice(alike if choices.integer(0, 2) else others).encode()
    swapped = {old: new, new: old}
    return _IDENT.sub(lambda found: swapped.get(found[0], found[0]), data)


@cache
def _idents(ident: str) -> tuple[list[str], list[str]]:
    """Return the identifiers with values of the same type and format, and all."""
    entries = [entry for entry in grammar.properties() if not entry.private]
    kinds = {(entry.alternatives, entry.format) for entry in grammar.definitions(ident)}
    alike = {entry.ident for entry in entries if (entry.alternatives, entry.format) in kinds}
    return sorted(alike | {ident}), sorted({entry.ident for entry in entries})


# --- Additions ----------------------------------------------------------------------------

_TOKEN = re.compile(rb"[();]|[A-Z]+|\[(?:[^\]\\]|\\.)*\]", re.DOTALL)
_END_OF_NODE = re.compile(rb"(?<=[\];])(?=\s*[();])")


@lru_cache(maxsize=16)
def _context(data: bytes) -> Context:
    """Return game, file format and board of the first game tree."""
    tree = next(iter(loads(data, tolerant=True, charset_mode="auto")), None)
    return Context(1, 4, (19, 19)) if tree is None else tree.context


def _insert(data: bytes, choices: Choices, pattern: re.Pattern[bytes], new: bytes) -> bytes:
    """Insert at a match of the pattern."""
    places = [found.end() for found in pattern.finditer(data)]
    if not places:
        return data
    at = choices.choice(places)
    return data[:at] + new + data[at:]


def _generated(data: bytes, choices: Choices, count: int, leave_out: frozenset[str]) -> NewNode:
    """Return a conforming tree of the game, file format and board of the file; texts are ASCII."""
    values = Values(choices, _context(data), ascii_only=True)
    return Trees(values, leave_out).tree(count, choices.choice(SHAPES))


def _add_nodes(data: bytes, choices: Choices) -> bytes:
    """Insert nodes, or a variation."""
    count = choices.integer(0, 30 if choices.chance(10) else 2)
    root = _generated(data, choices, count, frozenset({"root", "game-info", "setup"}))
    tree = Writer(choices).tree(root).strip()
    line = tree[1:-1] if choices.chance(2) else tree
    return _insert(data, choices, _END_OF_NODE, line)


def _add_property(data: bytes, choices: Choices) -> bytes:
    """Add properties to a node."""
    new = _generated(data, choices, 0, frozenset({"setup"}))
    return _insert(data, choices, _END_OF_NODE, Writer(choices).node(new).lstrip().lstrip(b";"))


def _add_tree(data: bytes, choices: Choices) -> bytes:
    """Write another game tree before or after the file."""
    root = _generated(data, choices, choices.integer(0, 3), frozenset())
    root.properties[:0] = root_properties(choices, _context(data), None)
    tree = Writer(choices).tree(root)
    return tree + data if choices.chance(2) else data + tree


def _add_space(data: bytes, choices: Choices) -> bytes:
    """Write white space between two tokens."""
    return _insert(data, choices, _TOKEN, choices.choice((b"\n", b" ", b"\r\n", b"\t")))


Change = Callable[[bytes, Choices], bytes]

_SMALL_CHANGES: tuple[Change, ...] = (
    *(_rename_word, _rename_word, _change_ident, _change_ident, _change_character, _add_space),
)
_ADDITIONS: tuple[Change, ...] = (_add_nodes, _add_property, _add_tree)
