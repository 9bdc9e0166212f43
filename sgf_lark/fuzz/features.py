"""Features of a file in the words of the grammar, each with changes that remove it.

A feature is what the cause of a finding may be: "vertical tab as white space between tokens",
"escaped “]” in a value", "KO". A *change* gives the file without the feature and as similar
as possible; often there are several, the smallest first. Nearly all features are rows of
``features.toml``: a pattern finds them, a replacement removes them, a parent is more general.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

from sgf_lark import grammar
from sgf_lark.fuzz.generating import RandomChoices
from sgf_lark.fuzz.generating_trees import Trees
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.fuzz.tokens import (
    PARENTHESES,
    PROPERTY,
    VALUE_MARKS,
    change_values,
    ident_of,
    mark,
    mark_value,
    narrow,
    unmark,
)
from sgf_lark.model.values import Context
from sgf_lark.text.escaping import escape

#: From the features whose removal changes least to those that take others with them.
LEVELS = ("between", "value", "property", "structure", "rule")
#: The properties whose values are features of their own.
DECLARATIONS = frozenset({"FF", "GM", "CA"})
#: What stands for parts of patterns.
_MACROS = {
    "{W}": "[␉-␍␠]",
    "{ident}": "[a-z]*[Ａ-Ｚ][Ａ-Ｚa-z]*",
    "{value}": "［[^［］]*］",
    "{open}": f"[{PARENTHESES[::2]}]",
    "{close}": f"[{PARENTHESES[1::2]}]",
    "{inside}": f"[^；{PARENTHESES}]",
}
#: The names of characters that Unicode does not name.
_NAMES = {
    "\t": "tab",
    "\n": "line-feed",
    "\r": "carriage-return",
    "\v": "vertical-tab",
    "\f": "form-feed",
    "\r\n": "carriage-return-line-feed",
    "\n\r": "line-feed-carriage-return",
    " ": "space",
}

#: What replaces a match of the row itself, or steps: patterns and replacements.
Step = str | list[list[str]]


@dataclass(frozen=True, slots=True, order=True)
class Feature:
    """One feature: its family, what distinguishes it there, and a property it is limited to."""

    family: str
    argument: str = ""
    ident: str = ""

    @property
    def name(self) -> str:
        """The name for ``--without``, such as ``white-space:vertical-tab`` or ``property:KO``."""
        scope = f"@{self.ident}" if self.ident else ""
        return f"{self.family}:{self.argument}{scope}" if self.argument or scope else self.family

    @property
    def row(self) -> Row:
        """The row of the table. Raises LookupError if there is none."""
        rows = table()
        named = f"{self.family}:{self.argument}" if self.argument else self.family
        return rows[named if named in rows else f"{self.family}:{{}}"]

    @property
    def title(self) -> str:
        """The feature in words."""
        words = self.row.words(self.argument)
        return f"{words} in {self.ident or f'a {self.row.where}'}" if self.row.where else words

    @property
    def level(self) -> int:
        """The index of its level in :data:`LEVELS`."""
        return LEVELS.index(self.row.level)

    def is_in(self, data: bytes) -> bool:
        """Whether the file has the feature."""
        return self.row.has(mark(data), self)

    def changes(self, data: bytes) -> Iterator[bytes]:
        """Yield the file without the feature, the smallest change first."""
        for changed in self.row.changes(mark(data), self):
            made = unmark(changed)
            if made != data:
                yield made

    def parents(self, data: bytes) -> Iterator[tuple[Feature, list[bytes]]]:
        """Yield more general features, each with files that have only that one."""
        text = mark(data)
        general = replace(self, ident="").name
        for row in table().values():
            if row.name != general and any(fnmatchcase(general, each) for each in row.of):
                family, _, argument = row.name.partition(":")
                ident = self.ident if row.where else ""
                others = [self.row.apply(text, step, self) for step in row.samples]
                yield Feature(family, argument, ident), [unmark(each) for each in others]

    def samples(self, data: bytes) -> list[bytes]:
        """Return files with special features in place of this general one; none for others."""
        text = mark(data)
        return [unmark(self.row.apply(text, step, self)) for step in self.row.samples]


@dataclass(frozen=True)
class Row:
    """A row of the table; the keys are explained at the top of ``features.toml``.

    `finder`, `changer`, `checker` and `titles` do what patterns cannot: they find the features in
    marked text, remove one, find one, and describe the one with an argument. A `general` feature
    is a cause only in place of a more special one, or if there is no other.
    """

    name: str
    title: str = ""
    level: str = "structure"
    pattern: str = ""
    argument: str = ""
    form: str = ""
    where: str = ""
    type: str = ""
    arguments: tuple[str, ...] = ()
    remove: tuple[Step, ...] = ()
    of: tuple[str, ...] = ()
    samples: tuple[Step, ...] = ()
    alone: str = ""
    general: bool = False
    finder: Callable[[str], Iterable[Feature]] | None = None
    changer: Callable[[str, Feature], Iterable[str]] | None = None
    checker: Callable[[str, Feature], bool] | None = None
    titles: Callable[[str], str] | None = None

    @property
    def family(self) -> str:
        """The name without the argument."""
        return self.name.partition(":")[0]

    @property
    def takes_usual_values(self) -> bool:
        """Whether it is removed by other values of the same property."""
        return self.where == "value" and not self.remove and self.changer is None

    def words(self, argument: str) -> str:
        """Return the title for an argument. Raises LookupError or ValueError for a wrong one."""
        if self.titles is not None:
            return self.titles(argument)
        if "{}" not in self.name:
            return self.title
        if not re.fullmatch(_expand(self.argument), self._marked(argument)):
            raise ValueError(argument)
        if self.form == "characters":
            words = _character_title(argument)
            is_break = self.family == "escape" and words.replace(" ", "-") == argument
            if is_break and ("line" in argument or "carriage" in argument):
                return f"soft line break ({words})"
        else:
            words = escape(unquote_to_bytes(argument).decode("latin-1"))
        return self.title.replace("{}", words)

    def find(self, text: str) -> Iterator[Feature]:
        """Yield the features of this row in marked text."""
        if self.finder is not None:
            yield from self.finder(text)
            return
        fixed = self.name.partition(":")[2]
        pattern = _compiled(self.pattern, f"(?P<argument>{self.argument})")
        for ident, unit in self._units(text):
            for found in pattern.finditer(unit):
                argument = self._name(found["argument"]) if fixed == "{}" else fixed
                yield Feature(self.family, argument, ident)

    def has(self, text: str, feature: Feature) -> bool:
        """Whether marked text has a feature of this row."""
        if self.checker is not None:
            return self.checker(text, feature)
        if self.finder is not None:
            return any(found.argument == feature.argument for found in self.finder(text))
        pattern = self._own_pattern(feature)
        units = self._units(text, feature.ident)
        return any(pattern.search(unit) for _, unit in units)

    def changes(self, text: str, feature: Feature) -> Iterator[str]:
        """Yield marked text without the feature."""
        if self.changer is not None:
            yield from self.changer(text, feature)
            return
        steps: Iterable[Step] = self.remove
        if self.takes_usual_values:
            steps = [f"［{_template(word)}］" for word in usual_values(feature.ident)]
        for step in steps:
            yield self.apply(text, step, feature)

    def apply(self, text: str, step: Step, feature: Feature) -> str:
        """Return marked text after a step of the table, in the scope of the feature."""
        if isinstance(step, str):
            pattern = self._own_pattern(feature)
            return self._substitute(text, feature.ident, lambda unit: pattern.sub(step, unit))

        def changed(unit: str) -> str:
            for pattern, new in step:
                while (made := _compiled(pattern).sub(new, unit)) != unit:
                    unit = made
            return unit

        return self._substitute(text, feature.ident, changed)

    # --- Patterns ---

    def _own_pattern(self, feature: Feature) -> re.Pattern[str]:
        argument = re.escape(self._marked(feature.argument)) if "{}" in self.name else ""
        return _compiled(self.pattern, f"(?:{argument})")

    def _name(self, found: str) -> str:
        """Return the argument as in names for what the pattern has found."""
        if self.form == "characters":
            return character_name(narrow(found))
        return quote_from_bytes(unmark(found)) if self.form == "bytes" else found

    def _marked(self, argument: str) -> str:
        """Return what the pattern finds for an argument as in names."""
        if self.form == "bytes":
            return mark_value(unquote_to_bytes(argument).decode("latin-1"))
        if self.form != "characters":
            return argument
        text = _by_name()[argument]
        return mark_value(text) if self.where else mark(text.encode())

    # --- Where it is matched ---

    def _units(self, text: str, ident: str = "") -> Iterator[tuple[str, str]]:
        """Yield what the pattern is matched with, and the property in which that is."""
        if not self.where:
            yield "", text
            return
        for name, whole, values in _properties(text):
            if not self._takes(name, ident):
                continue
            if self.where == "property":
                yield name, whole
            else:
                yield from ((name, value[0]) for value in VALUE_MARKS.finditer(values))

    def _substitute(self, text: str, ident: str, change: Callable[[str], str]) -> str:
        if not self.where:
            return change(text)
        if self.where == "value":
            return change_values(text, change, lambda name: self._takes(name, ident))
        return PROPERTY.sub(
            lambda found: change(found[0]) if self._takes(ident_of(found[1]), ident) else found[0],
            text,
        )

    def _takes(self, name: str, ident: str) -> bool:
        return name not in DECLARATIONS and ident in ("", name) and _is_of_type(name, self.type)


@lru_cache(maxsize=2)
def _properties(text: str) -> list[tuple[str, str, str]]:
    """Return the properties of marked text: the identifier, all of it, and all its values."""
    return [(ident_of(found[1]), found[0], found[2]) for found in PROPERTY.finditer(text)]


@cache
def _is_of_type(ident: str, kind: str) -> bool:
    entry = grammar.definition(ident, 1, 4)
    if kind == "list":
        return bool(entry and entry.takes_many and not entry.alternatives[0].composed)
    return not kind or (entry is not None and entry.value == kind)


@cache
def _compiled(pattern: str, argument: str = "") -> re.Pattern[str]:
    return re.compile(_expand(pattern.replace("{}", argument)), re.DOTALL)


@cache
def _expand(pattern: str) -> str:
    for macro, meaning in _MACROS.items():
        pattern = pattern.replace(macro, meaning)
    return pattern


def _template(word: bytes) -> str:
    return mark_value(word.decode("latin-1")).replace("\\", "\\\\")


# --- The table ----------------------------------------------------------------------------


@cache
def table() -> dict[str, Row]:
    """Return the rows by name, in the order in which features are described."""
    text = (Path(__file__).parent / "features.toml").read_text("utf-8")
    properties = import_module("sgf_lark.fuzz.features_properties")
    amounts = import_module("sgf_lark.fuzz.features_amounts")
    computed = {row.name: row for row in (*amounts.ROWS, *properties.DECLARATION_ROWS)}
    written = [
        replace(computed[entry["name"]], **_hashable(entry))
        if entry["name"] in computed
        else Row(**_hashable(entry))
        for entry in tomllib.loads(text)["row"]
    ]
    rows = (*properties.ROWS, *written, *properties.LAST_ROWS)
    return {row.name: replace(row, general=row.general or bool(row.of)) for row in rows}


def _hashable(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(item) if isinstance(item, list) else item for key, item in entry.items()}


def find_features(data: bytes) -> list[Feature]:
    """Return the features of a file; those of values once for each property."""
    text = mark(data)
    return list(dict.fromkeys(found for row in table().values() for found in row.find(text)))


def listed() -> Iterator[Feature]:
    """Yield the features whose arguments come from the grammar and the property table."""
    for row in table().values():
        argument = row.name.partition(":")[2]
        if argument != "{}":
            yield Feature(row.family, argument)
            continue
        for each in row.arguments:
            is_character = row.form == "characters"
            yield Feature(row.family, character_name(narrow(each)) if is_character else each)


def parse(name: str) -> Feature:
    """Return the feature of that name. Raises ValueError for a name that means none."""
    name, _, ident = name.partition("@")  # Arguments have no "@": it is quoted in them.
    family, _, argument = name.partition(":")
    feature = Feature(family, argument, ident)
    families = dict.fromkeys(row.family for row in table().values())
    if family not in families:
        raise ValueError(f"no such family of features: {family!r}; {', '.join(families)}")
    try:
        row = feature.row
        row.words(argument)
    except (LookupError, ValueError) as error:
        raise ValueError(f"no such feature: {name!r}") from error
    if ident and not row.where:
        raise ValueError(f"{family} is not a feature of the values of one property")
    return feature


def describe(features: Iterable[Feature]) -> str:
    """Return the features that together are a cause, in words."""
    order = list(table().values())
    ordered = sorted(features, key=lambda feature: (order.index(feature.row), feature))
    return " with ".join(feature.title for feature in ordered)


# --- Characters and usual values -------------------------------------------------------------


def character_name(text: str) -> str:
    """Return the name of a character, or of two that are one line break, for a feature."""
    if text in _NAMES:
        return _NAMES[text]
    return unicodedata.name(text, f"control-{ord(text):02x}").lower().replace(" ", "-")


@cache
def _by_name() -> dict[str, str]:
    return {character_name(text): text for text in (*map(chr, range(256)), *_NAMES)}


def _character_title(name: str) -> str:
    text = _by_name()[name]
    return f"“{text}”" if text.isprintable() and text != " " else name.replace("-", " ")


@cache
def usual_values(ident: str) -> tuple[bytes, ...]:
    """Return short values: simple ones, and some of the property in Go."""
    entry = grammar.definition(ident, 1, 4) if ident else None
    found = [b"aa", b"1", b"a", b"aa:ba", b"bb", b"2"]
    if entry is not None:
        # The same words in each run.
        made = Values(RandomChoices(Random(ident)), Context(1, 4, (19, 19), "latin-1"))
        found += [raw for _ in range(6) for raw in Trees(made).values_of(entry, {})[:1]]
    return tuple(dict.fromkeys(word for word in found if word))
