"""What rules declare is true: the accelerated validation relies on it."""

from __future__ import annotations

import datetime
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import grammar
from sgf_lark.model.property import Property
from sgf_lark.rules import load_rules
from sgf_lark.rules.registry import RULES, CleanForm, Rule, Scope
from sgf_lark.syntax.grammars import FILE_FORMATS
from sgf_lark.validation.derivation import kind_of

load_rules()
IGNORING = [rule for rules in RULES.values() for rule in rules if rule.ignores]


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
VISIBLE = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)
DIGITS = st.text("0123456789", min_size=1, max_size=7)
LABEL = st.from_regex("[0-9A-Za-z]{1,2}", fullmatch=True)


def points(size: tuple[int, int]) -> st.SearchStrategy[str]:
    """Points of a board of Go, as they are written."""
    return st.builds(str.__add__, *(st.sampled_from(LETTERS[:side]) for side in size))


@cache  # to make a strategy takes longer than to draw from it
def plain_values(
    kind: CleanForm, size: tuple[int, int], file_format: int
) -> st.SearchStrategy[list[str]]:
    """The values of a property, all of them plain of that kind."""
    passes = [""] if file_format >= 4 else []
    passes += ["tt"] if max(size) <= 19 else []
    match kind:
        case CleanForm.TEXT:
            escaped = st.sampled_from(["", " ", "\n", "\\]", "\\\\", ": "])
            return st.tuples(escaped, VISIBLE.map(escape), escaped).map(
                lambda each: ["".join(each)]
            )
        case CleanForm.DATE:
            days = st.dates(datetime.date(1000, 1, 1))
            return days.filter(lambda day: day.day <= 28).map(lambda day: [day.isoformat()])
        case CleanForm.NUMBER:
            return DIGITS.map(lambda each: [each])
        case CleanForm.REAL:
            fraction = st.just("") | DIGITS.map(lambda digits: "." + digits)
            return st.builds(lambda left, right: [left + right], DIGITS, fraction)
        case CleanForm.MOVE:
            moves = st.one_of(points(size), *map(st.just, passes))
            return moves.map(lambda move: [move])
        case CleanForm.POINTS:
            return st.lists(points(size), min_size=1, max_size=4, unique=True)
        case _:
            pairs = st.dictionaries(points(size), LABEL, min_size=1, max_size=4)
            return pairs.map(lambda labels: [f"{point}:{labels[point]}" for point in labels])


def escape(text: str) -> str:
    """`text` as a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def reports(rule: Rule, entry: Property) -> bool:
    """Whether the rule finds anything in the property or in any of its values."""
    if rule.scope is Scope.PROPERTY:
        return any(rule.function(entry))
    return any(rule.function(value) is not None for value in entry.prop_values())


def head_of(file_format: int, size: tuple[int, int]) -> str:
    return f"(;FF[{file_format}]GM[1]CA[UTF-8]SZ[{size[0]}:{size[1]}]"


@cache
def plain_kinds(
    file_format: int, size: tuple[int, int]
) -> list[tuple[grammar.PropertyDefinition, CleanForm]]:
    """The properties of a file format that have plain values, and of which kind they are."""
    (tree,) = sgf_lark.loads(head_of(file_format, size) + ")", charset="UTF-8")
    definitions = (tree.define(ident) for ident in {each.ident for each in grammar.properties()})
    return [
        (definition, kind)
        for definition in definitions
        if definition is not None and file_format in definition.file_formats
        if (kind := kind_of(definition, tree.parsed.context))
    ]


@pytest.mark.parametrize("kind", [*CleanForm], ids=lambda kind: kind.name)
@given(data=st.data())
def test_plain_values_make_no_difference(kind: CleanForm, data: st.DataObject) -> None:
    """To no rule that ignores values of this kind."""
    formats = (3, 4) if kind is CleanForm.LABELS else FILE_FORMATS
    file_format = data.draw(st.sampled_from(formats))
    size = data.draw(st.sampled_from([(19, 19), (2, 3), (9, 7), (20, 20), (52, 52)]))
    definitions = {each.ident: each for each, its in plain_kinds(file_format, size) if its is kind}
    definition = definitions[data.draw(st.sampled_from(sorted(definitions)))]
    written = data.draw(st.lists(plain_values(kind, size, file_format), min_size=2, max_size=6))
    nodes = ";".join(
        definition.ident + "".join(f"[{each}]" for each in values) for values in written
    )
    (tree,) = sgf_lark.loads(f"{head_of(file_format, size)};{nodes})".encode())
    entries = [node.properties[0] for node in tree.nodes() if node.parent is not None]
    for rule in IGNORING:
        if kind in rule.ignores and (rule.about is None or rule.about(definition)):
            found = {reports(rule, entry) for entry in entries}
            assert len(found) == 1, (rule.code, definition.ident, written)
