"""Features of a file in the words of the grammar, each with changes that remove it.

A feature is what the cause of a finding may be: "vertical tab as white space between tokens",
"escaped “]” in a value", "KO". A *change* gives the file without the feature and as similar
as possible; often there are several, the smallest first. All features are rows of
``features.toml``: a pattern finds them, a replacement removes them, a parent is more general.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, partial
from pathlib import Path
from random import Random
from urllib.parse import quote_from_bytes, unquote_to_bytes

import sgf_lark
from sgf_lark import grammar
from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.amounts import AMOUNTS, Amount
from sgf_lark.fuzz.generating import RandomChoices
from sgf_lark.fuzz.generating_trees import Trees
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.fuzz.tokens import (
    DECLARATIONS,
    GO,
    PARENTHESES,
    change_properties,
    change_values,
    character_name,
    characters_by_name,
    context_of,
    idents_of,
    in_charset,
    mark,
    mark_value,
    narrow,
    properties,
    renamings,
    replace_properties,
    unmark,
    values,
)
from sgf_lark.model.values import Context
from sgf_lark.text.escaping import escape

#: From the features whose removal changes least to those that take others with them.
LEVELS = ("between", "value", "property", "structure", "rule")
#: What stands for parts of patterns.
_MACROS = {
    "{W}": "[␉-␍␠]",
    # A long run is tried from its first character alone: from each one, it would take the square of
    # its length to see that something else follows it.
    "{gap}": "(?<![␉-␍␠])[␉-␍␠]++",
    "{ident}": "(?:(?<![a-z])[a-z]++)?[Ａ-Ｚ][Ａ-Ｚa-z]*",
    "{value}": "［[^［］]*］",
    "{open}": f"[{PARENTHESES[::2]}]",
    "{close}": f"[{PARENTHESES[1::2]}]",
    "{inside}": f"[^；{PARENTHESES}]",
    # Soft line breaks in it are nothing. It is never given back: other patterns would take the
    # square of its length.
    "{blanks}": "{soft}*+{blank}(?:{blank}|{soft})*+",
    "{soft}": "(?:＼[\n\r␤␥])",
    "{blank}": r"(?:＼?[\t\v\f ]|(?<!＼)[\n\r␤␥])",
    "{B}": r"\t\n\v\f\r ␤␥",
}
#: What replaces a match of the row itself, or steps: patterns and replacements.
Step = str | tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, order=True)
class Feature:
    """One feature: its family, what distinguishes it there, and a property it is limited to.

    It is not its row: a feature goes to other processes and is written to files by its name, which
    a row with its functions cannot.
    """

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
        general = replace(self, ident="").name
        for row in table().values():
            if row.name != general and any(fnmatchcase(general, each) for each in row.of):
                family, _, argument = row.name.partition(":")
                ident = self.ident if row.where else ""
                yield Feature(family, argument, ident), self._replaced(data, row.samples)

    def samples(self, data: bytes) -> list[bytes]:
        """Return files with special features in place of this general one; none for others."""
        return self._replaced(data, self.row.samples)

    def _replaced(self, data: bytes, steps: Iterable[Step]) -> list[bytes]:
        text = mark(data)
        return [unmark(self.row.apply(text, step, self)) for step in steps]


@dataclass(frozen=True)
class Row:
    """A row of the table; the keys are explained at the top of ``features.toml``.

    `finder`, `changer` and `titles` do what patterns cannot: they find the arguments of the
    features in marked text, remove one, and describe it. A row about an `amount` needs neither a
    pattern nor these. A `general` feature is a cause only in place of a more special one, or if
    there is no other.
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
    finder: Callable[[str], Iterable[str]] | None = None
    changer: Callable[[str, str], Iterable[str]] | None = None
    titles: Callable[[str], str] | None = None
    amount: Amount | None = None

    @property
    def family(self) -> str:
        """The name without the argument."""
        return self.name.partition(":")[0]

    @property
    def takes_usual_values(self) -> bool:
        """Whether it is removed by other values of the same property."""
        return self.where == "value" and not self.remove and self.amount is None

    def words(self, argument: str) -> str:
        """Return the title for an argument. Raises LookupError or ValueError for a wrong one."""
        if self.titles is not None:
            return self.titles(argument)
        if "{}" not in self.name:
            return self.title
        if not re.fullmatch(_expand(self.argument), self._marked(argument)):
            raise ValueError(argument)
        if self.form == "characters":
            text = characters_by_name()[argument]
            is_visible = text.isprintable() and text != " "
            words = f"“{text}”" if is_visible else argument.replace("-", " ")
            if self.family == "escape" and not text.strip("\r\n"):
                return f"soft line break ({words})"
        elif self.amount is not None:
            words = argument.replace("+", " or more")
        else:
            words = escape(unquote_to_bytes(argument).decode("latin-1"))
        return self.title.replace("{}", words)

    def find(self, text: str) -> Iterator[Feature]:
        """Yield the features of this row in marked text."""
        for ident, part in self.parts(text):
            for argument in self._arguments(part):
                yield Feature(self.family, argument, ident)

    def _arguments(self, part: str) -> Iterable[str]:
        if self.amount is not None:
            return self.amount.find(part)
        if self.finder is not None:
            return self.finder(part)
        fixed = self.name.partition(":")[2]
        found = _compiled(self.pattern, f"(?P<argument>{self.argument})").finditer(part)
        return (self.name_of(each["argument"]) if fixed == "{}" else fixed for each in found)

    def has(self, text: str, feature: Feature) -> bool:
        """Whether marked text has a feature of this row."""
        parts = (part for _, part in self.parts(text, feature.ident))
        if self.amount is not None:
            return any(self.amount.has(part, feature.argument) for part in parts)
        if self.finder is not None:
            return any(feature.argument in self.finder(part) for part in parts)
        return any(map(self._own_pattern(feature).search, parts))

    def changes(self, text: str, feature: Feature) -> Iterator[str]:
        """Yield marked text without the feature."""
        if self.changer is not None:
            yield from self.changer(text, feature.argument)
            return
        if self.amount is not None:
            for less in self.amount.less:
                yield self._substitute(text, feature.ident, partial(less, feature.argument))
            return
        steps: Iterable[Step] = self.remove
        if self.takes_usual_values:
            usual = (word.decode("latin-1") for word in usual_values(feature.ident))
            # The steps are templates of re.sub.
            steps = [f"［{mark_value(word)}］".replace("\\", "\\\\") for word in usual]
        for step in steps:
            yield self.apply(text, step, feature)

    def apply(self, text: str, step: Step, feature: Feature) -> str:
        """Return marked text after a step of the table, in the scope of the feature."""
        if isinstance(step, str):
            pattern = self._own_pattern(feature)
            return self._substitute(text, feature.ident, lambda part: pattern.sub(step, part))

        def changed(part: str) -> str:
            for pattern, new in step:
                # Again and again: a removal can bring together what the pattern finds.
                while (made := _compiled(pattern).sub(new, part)) != part:
                    part = made
            return part

        return self._substitute(text, feature.ident, changed)

    # --- Patterns ---

    def _own_pattern(self, feature: Feature) -> re.Pattern[str]:
        argument = re.escape(self._marked(feature.argument)) if "{}" in self.name else ""
        return _compiled(self.pattern, f"(?:{argument})")

    def name_of(self, found: str) -> str:
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
        text = characters_by_name()[argument]
        return mark_value(text) if self.where else mark(text.encode())

    # --- Where it is matched ---

    def parts(self, text: str, ident: str = "") -> Iterator[tuple[str, str]]:
        """Yield what the pattern is matched with, each after the property in which it is, or ""."""
        if not self.where:
            yield "", text
            return
        for name, part in properties(text) if self.where == "property" else values(text):
            if self._takes(name, ident):
                yield name, part

    def _substitute(self, text: str, ident: str, change: Callable[[str], str]) -> str:
        if not self.where:
            return change(text)
        change_parts = change_values if self.where == "value" else change_properties
        return change_parts(text, change, lambda name: self._takes(name, ident))

    def _takes(self, name: str, ident: str) -> bool:
        return name not in DECLARATIONS and ident in ("", name) and _is_of_type(name, self.type)


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


# --- The table ----------------------------------------------------------------------------


@cache
def table() -> dict[str, Row]:
    """Return the rows by name, in the order in which features are described."""
    text = (Path(__file__).parent / "features.toml").read_text("utf-8")
    computed = {row.name: row for row in _COMPUTED}
    rows = [
        replace(computed.get(entry["name"], Row("")), **entry)
        for entry in grammar.with_tuples(tomllib.loads(text))["row"]
    ]
    return {row.name: replace(row, general=row.general or bool(row.of)) for row in rows}


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
        for found in row.arguments:
            yield Feature(row.family, row.name_of(found))


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


# --- Amounts ------------------------------------------------------------------------------------


def least(feature: Feature) -> Feature:
    """Return the most general feature of its family, if only "or more" has a meaning there."""
    found = AMOUNTS.get(feature.family)
    if found is None or found.least is None:
        return feature
    return replace(feature, argument=str(found.least))


def is_limit(feature: Feature) -> bool:
    """Whether it is an amount of which a file may have less."""
    found = AMOUNTS.get(feature.family)
    return found is not None and (found.least is not None or feature.argument.endswith("+"))


def at_most(text: str, feature: Feature, number: int) -> str:
    """Return marked text with no more than that amount, of which the feature is a limit."""
    argument = f"{number + 1}{'+' * feature.argument.endswith('+')}"
    return next(iter(feature.row.changes(text, replace(feature, argument=argument))), text)


def amount(text: str, feature: Feature) -> int:
    """Return the amount in marked text of which a feature is a limit."""
    parts = feature.row.parts(text, feature.ident)
    measure = AMOUNTS[feature.family].measure
    return max((found for _, part in parts for found in measure(part)), default=0)


# --- Properties, declarations and rules ---------------------------------------------------------


#: An identifier that no game defines.
_UNKNOWN = "unknown"


def _find_idents(text: str) -> Iterator[str]:
    context = context_of(text)
    for ident in idents_of(text):
        if ident not in DECLARATIONS:
            known = grammar.definition(ident, *context) is not None
            yield ident if known else _UNKNOWN


def _change_ident(text: str, ident: str) -> Iterator[str]:
    if ident == _UNKNOWN:
        context = context_of(text)
        yield replace_properties(text, lambda each: grammar.definition(each, *context) is None)
        return
    yield from renamings(text, ident)
    yield replace_properties(text, ident.__eq__)


def _ident_title(argument: str) -> str:
    if argument == _UNKNOWN:
        return "a property that the format does not define"
    if not re.fullmatch("[A-Z]+", argument):
        raise ValueError(argument)
    return argument


@cache
def type_of(ident: str, game: int, file_format: int) -> str:
    """Return the type of the values of a property as in names of features, or ""."""
    entry = grammar.definition(ident, game, file_format)
    return "" if entry is None or ident in ("SZ", *DECLARATIONS) else _slug(entry.value)


def _find_types(text: str) -> Iterable[str]:
    context = context_of(text)
    return filter(None, (type_of(ident, *context) for ident in idents_of(text)))


def _slug(value: str) -> str:
    return re.sub(r"[^a-z0-9|]+", "-", value.lower()).strip("-")


@cache
def _value_types() -> dict[str, str]:
    return {_slug(entry.value): entry.value for entry in grammar.properties()}


def _change_types(text: str, kind: str) -> Iterator[str]:
    context = context_of(text)
    yield replace_properties(text, lambda ident: type_of(ident, *context) == kind)


# --- The root ---------------------------------------------------------------------------------


def _change_game(text: str, number: str) -> Iterator[str]:
    changed = replace_properties(text, "GM".__eq__, "ＧＭ［1］")
    yield changed
    context = context_of(changed)
    entries = {ident: grammar.definition(ident, *context) for ident in idents_of(changed)}
    usual = replace_properties(changed, lambda ident: entries[ident] is None)
    yield usual
    moves = {ident for ident, entry in entries.items() if entry and entry.exclusive == "move"}
    yield replace_properties(usual, moves.__contains__)


_CHARSET = re.compile("(?<![Ａ-Ｚ])(ＣＡ[␉-␍␠]*)［[^］]*］")


def _change_charset(text: str, name: str) -> Iterator[str]:
    """Yield the same text in UTF-8, other charsets for the same bytes, and no charset."""
    yield mark(in_charset(unmark(text), "UTF-8"))
    for name in ("UTF-8", "ISO-8859-1"):
        yield _CHARSET.sub(rf"\1［{name}］", text)
    yield replace_properties(text, "CA".__eq__)


# --- Buffers ------------------------------------------------------------------------------------

#: Parsers that read a file in blocks fail at the end of one; blocks are multiples of this.
_BLOCK = 4096
_BEFORE_TEXT = b"(;FF[4]C["
#: How far before the end of a block an escape begins that is cut in two, or not.
_BLOCK_ENDS = {"cut": 1, "at": 0}
#: So many backslashes in a row are counted.
_MOST_BACKSLASHES = 64


def _find_boundaries(name: str, text: str) -> Iterator[str]:
    data = unmark(text)
    for end in range(_BLOCK, len(data), _BLOCK):
        before = data[end - _MOST_BACKSLASHES : end]
        is_cut = (len(before) - len(before.rstrip(b"\\"))) % 2
        found = "cut" if is_cut else "at" if data[end : end + 1] == b"\\" else ""
        if found == name:
            yield name


def _change_boundary(text: str, name: str) -> Iterator[str]:
    """Yield marked text of which all is one byte later."""
    yield text.replace("（", "␠（", 1)


def _with_boundaries(before_end: int) -> str:
    """Return marked text with an escape of each kind near the end of a block."""
    content = bytearray(b"a" * 4 * _BLOCK)
    for number, escaped in enumerate((b"\\]", b"\\\n", b"\\\\"), 1):
        at = number * _BLOCK - before_end - len(_BEFORE_TEXT)
        content[at : at + 2] = escaped
    return mark(_BEFORE_TEXT + bytes(content) + b"])")


# --- Rules --------------------------------------------------------------------------------------


def _find_rules(text: str) -> Iterable[str]:
    found = sgf_lark.validate(unmark(text)).diagnostics
    return (each.code for each in found if each.severity is Severity.ERROR)


def _change_rule(text: str, code: str) -> Iterator[str]:
    yield mark(sgf_lark.fix(unmark(text), select=[code], unsafe=True).data)


#: What rows of ``features.toml`` cannot say.
_COMPUTED = (
    *(Row(f"{family}:{{}}", amount=amount) for family, amount in AMOUNTS.items()),
    Row(
        "property:{}",
        arguments=(
            *sorted({entry.ident for entry in grammar.properties() if not entry.private}),
            _UNKNOWN,
        ),
        finder=_find_idents,
        changer=_change_ident,
        titles=_ident_title,
    ),
    Row(
        "value-type:{}",
        arguments=tuple(_value_types()),
        finder=_find_types,
        changer=_change_types,
        titles=lambda argument: f"a property with a value of type {_value_types()[argument]}",
    ),
    Row(
        "rule:{}",
        arguments=tuple(grammar.rules()),
        finder=_find_rules,
        changer=_change_rule,
        titles=lambda code: f"{grammar.rules()[code].name.replace('-', ' ')} ({code})",
    ),
    Row(
        "game:{}",
        arguments=tuple(str(number) for number in grammar.games() if number != GO),
        changer=_change_game,
        titles=lambda number: f"{grammar.games()[int(number)].name} (GM[{number}])",
    ),
    Row("charset:not-utf-8", changer=_change_charset),
    *(
        Row(
            f"boundary:{name}",
            finder=partial(_find_boundaries, name),
            changer=_change_boundary,
            alone=_with_boundaries(before_end),
        )
        for name, before_end in _BLOCK_ENDS.items()
    ),
    Row(
        "charset:{}",
        arguments=tuple(charset.name for charset in grammar.charsets()),
        changer=_change_charset,
    ),
)
