"""The format as data: the properties, games, rules, charsets, terms and value types that the
files in ``grammar/`` define, each file loaded at first use.

This module names no property, rule or value type: they are all in the files. Everything
that it gives is shared and not to be changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, NamedTuple, get_args

from sgf_lark import built
from sgf_lark.grammar_files import PROFILES as PROFILES
from sgf_lark.grammar_files import folder as folder
from sgf_lark.grammar_files import read as read
from sgf_lark.grammar_files import source as source

#: The TOML files, without ".toml".
TABLES = (
    "charsets",
    "informal",
    "languages",
    "layers",
    "programs",
    "properties",
    "rules",
    "signatures",
    "terms",
    "wei7",
)


@cache
def table(name: str) -> dict[str, Any]:
    """The content of one of the :data:`TABLES`; arrays are tuples."""
    return built.content(name, (f"{name}.toml",), lambda: _parse_table(name))


def _parse_table(name: str) -> dict[str, Any]:
    import tomllib

    content: dict[str, Any] = with_tuples(tomllib.loads(source(f"{name}.toml")))
    return content


def with_tuples(content: Any) -> Any:
    """`content` with its lists as tuples."""
    if isinstance(content, dict):
        return {key: with_tuples(item) for key, item in content.items()}
    return tuple(map(with_tuples, content)) if isinstance(content, list) else content


# --- Properties and games -----------------------------------------------------


class PropertyType(StrEnum):
    """Where a property may be, and what it does there, by section 2.2 of the specification."""

    MOVE = "move"
    SETUP = "setup"
    ROOT = "root"
    GAME_INFO = "game-info"
    NONE = "none"


#: The values of :class:`PropertyType`.
Role = Literal["move", "setup", "root", "game-info", "none"]


class ValueType(NamedTuple):
    """One alternative of a value expression, such as ``list of composed point ":" text``.

    `many` allows several values, `empty` one empty value in their place (an
    elist); `second` is the type after the ":" of a composed value, or "".
    """

    first: str
    second: str = ""
    many: bool = False
    empty: bool = False

    @property
    def composed(self) -> bool:
        """Whether a value has two parts."""
        return bool(self.second)

    def __str__(self) -> str:
        """The type in the notation of the specification."""
        value = f'{self.first} ":" {self.second}' if self.second else self.first
        return f"list of {value}" if self.many else value


_VALUE_TYPE = (
    r'(?:(?P<list>e?list) of )?(?:composed (?P<left>\w+) ":" (?P<right>\w+)|(?P<plain>\w+))'
)


@cache
def parse_value_expression(expression: str) -> tuple[ValueType, ...]:
    """The alternatives of `expression`, in the specification's notation.

    Raises ValueError where the expression is not in that notation.
    """
    alternatives = []
    for part in expression.split(" | "):
        match = re.compile(_VALUE_TYPE).fullmatch(part)
        if match is None:
            raise ValueError(f"not a value expression: {expression!r}")
        alternatives.append(
            ValueType(
                match["left"] or match["plain"],
                match["right"] or "",
                many=match["list"] is not None,
                empty=match["list"] == "elist",
            )
        )
    return tuple(alternatives)


@dataclass(frozen=True, eq=False, kw_only=True)
class PropertyDefinition:
    """One entry of ``properties.toml``; the keys are explained at its top."""

    ident: str
    name: str
    name_zh: str
    games: tuple[int, ...]
    file_formats: tuple[int, ...]
    value: str
    type: PropertyType
    text: str
    text_zh: str
    range: str = ""
    range_zh: str = ""
    related: tuple[str, ...] = ()
    older_value: str = ""
    inherit: bool = False
    exclusive: str = ""
    needs_move: bool = False
    unique: str = ""
    effect_required: bool = False
    distinct_ends: bool = False
    minimum: int | None = None
    maximum: int | None = None
    format: str = ""
    obsolete: bool = False
    private: str = ""
    unsupported: tuple[str, ...] = ()
    replaced_by: str = ""

    @cached_property
    def alternatives(self) -> tuple[ValueType, ...]:
        """What a value may be in FF[4], in the order of the specification."""
        return parse_value_expression(self.value)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The value types in its value expression."""
        found = (kind for each in self.alternatives for kind in (each.first, each.second))
        return frozenset(found) - {""}

    @cached_property
    def takes_many(self) -> bool:
        """Whether a list of values is allowed."""
        return any(alternative.many for alternative in self.alternatives)

    @cached_property
    def may_be_empty(self) -> bool:
        """Whether one empty value is allowed in place of a list."""
        return any(alternative.empty for alternative in self.alternatives)

    @cached_property
    def is_text(self) -> bool:
        """Whether the whole value is one SimpleText or Text."""
        return self.alternatives[0].first in TEXT_TYPES and not self.alternatives[0].composed

    @cached_property
    def is_long_text(self) -> bool:
        """Whether the whole value is one Text, which may have several lines."""
        return self.is_text and self.alternatives[0].first == "text"

    @cached_property
    def is_move(self) -> bool:
        """Whether the property plays a move."""
        return self.exclusive == "move" and self.type == "move"

    @cached_property
    def has_range(self) -> bool:
        """Whether the numbers in a value have a least or a greatest one."""
        return self.minimum is not None or self.maximum is not None

    def in_range(self, digits: bytes) -> bool:
        """Whether a Number or Real, as written, is from `minimum` to `maximum`."""
        from decimal import Decimal

        number = Decimal(digits.decode("ascii"))
        return (self.minimum is None or number >= self.minimum) and (
            self.maximum is None or number <= self.maximum
        )

    @cached_property
    def limits(self) -> tuple[str, str]:
        """The range of the numbers in words, in English and Chinese; empty where there is none."""
        match self.minimum, self.maximum:
            case None, None:
                return "", ""
            case least, None:
                return f"at least {least}", f"不小于 {least}"
            case None, greatest:
                return f"at most {greatest}", f"不大于 {greatest}"
            case least, greatest:
                return f"{least} to {greatest}", f"{least} 至 {greatest}"

    @cached_property
    def list_kind(self) -> str | None:
        """The type of the entries of a list: "point", "stone", or "label" for points with
        labels; None for any other value."""
        kind = self.alternatives[0]
        is_for_labels = self.unique == "label"
        if not self.takes_many or kind.first not in ("point", "stone"):
            return None
        if kind.composed != is_for_labels:
            return None
        return "label" if is_for_labels else kind.first

    def in_game(self, game: int) -> bool:
        """Whether the property is defined in the game of that GM number."""
        return not self.games or game in self.games


TEXT_TYPES = frozenset({"simpletext", "text"})


class Game(NamedTuple):
    """One game of the GM list: its default board and its own value types.

    `size` and `maximum_size` count lines (columns, rows); `point`, `move` and
    `stone` name start rules of ``values.lark`` and are empty where no source
    defines them; the forms describe these in words. `upward`: rows are
    counted from the bottom. `shared_points`: a point may hold several stones.
    """

    number: int
    name: str
    name_zh: str
    size: tuple[int, int] | None = None
    maximum_size: int | None = None
    point: str = ""
    move: str = ""
    stone: str = ""
    point_form: str = ""
    point_form_zh: str = ""
    stone_form: str = ""
    stone_form_zh: str = ""
    move_form: str = ""
    move_form_zh: str = ""
    upward: bool = False
    shared_points: bool = False


@cache
def properties() -> tuple[PropertyDefinition, ...]:
    """All definitions, in the order of the file. An identifier can have several."""
    return tuple(map(_definition_of, table("properties")["property"]))


def _definition_of(row: dict[str, Any]) -> PropertyDefinition:
    """The definition in a row; its range is put in words where the row does not do so."""
    found = PropertyDefinition(**{**row, "type": PropertyType(row["type"])})
    if found.range or not found.has_range:
        return found
    english, chinese = found.limits
    return replace(found, range=f"{english[0].upper()}{english[1:]}.", range_zh=f"{chinese}。")


@cache
def _by_ident() -> dict[str, list[PropertyDefinition]]:
    found: dict[str, list[PropertyDefinition]] = {}
    for entry in properties():
        found.setdefault(entry.ident, []).append(entry)
    return found


def definitions(ident: str) -> tuple[PropertyDefinition, ...]:
    """All definitions of `ident`, in any game and file format."""
    return tuple(_by_ident().get(ident, ()))


@cache
def definition(
    ident: str, game: int, file_format: int, program: str = ""
) -> PropertyDefinition | None:
    """The definition of `ident` for a game tree of that GM and FF, or None.

    A definition of the `program` that wrote the tree overrides all others. A property of more
    than two letters may be of any program, since no standard has such.

    A definition for the game overrides one for all games. If there is none for the file
    format, one for another file format is taken, because it shows how the value was meant;
    one for another game is not.
    """
    if program and (own := _of_programs().get((program, ident))):
        return own
    found = [entry for entry in _by_ident().get(ident, ()) if entry.in_game(game)]
    if not found and len(ident) > _LONGEST_STANDARD_IDENT:
        return next((own for (_, each), own in _of_programs().items() if each == ident), None)
    if len(found) < 2:
        return found[0] if found else None

    def order(entry: PropertyDefinition) -> tuple[bool, bool]:
        return file_format not in entry.file_formats, not entry.games

    return min(found, key=order)


class Definitions(dict[str, PropertyDefinition | None]):
    """The definitions for a game tree by identifier; ``definitions[ident]`` is None without one."""

    def __missing__(self, ident: str) -> None:
        """None, and nothing is kept: a file may have any number of identifiers."""


@lru_cache(maxsize=64)
def definitions_in(game: int, file_format: int, program: str = "") -> Definitions:
    """The definitions for such a game tree, see :func:`definition`."""
    idents = {*_by_ident(), *(ident for _, ident in _of_programs())}
    found = {ident: definition(ident, game, file_format, program) for ident in sorted(idents)}
    return Definitions((ident, each) for ident, each in found.items() if each is not None)


class Habit(NamedTuple):
    """One habit of ``programs.toml``; the keys are explained at its top."""

    ident: str
    writes: str
    pattern: str = ""
    when: dict[str, str] = {}  # noqa: RUF012 - a NamedTuple, which nothing changes
    factor: float = 0
    value: str = ""
    takes: tuple[str, ...] = ()
    everywhere: bool = False
    unless: tuple[str, ...] = ()


class Program(NamedTuple):
    """One program of ``programs.toml``; the keys are explained at its top."""

    name: str
    title: str
    title_zh: str
    signs: tuple[dict[str, str], ...]
    text: str
    text_zh: str
    source: str
    also: tuple[str, ...] = ()
    handicap_as_moves: bool = False
    properties: tuple[PropertyDefinition, ...] = ()
    habits: tuple[Habit, ...] = ()


#: The longest identifier of a standard property.
_LONGEST_STANDARD_IDENT = 2


@cache
def programs() -> tuple[Program, ...]:
    """The programs whose habits are known, in the order of the file."""
    found = []
    for row in table("programs")["program"]:
        fixed = {"games": (), "file_formats": (1, 2, 3, 4), "private": row["title"]}
        own = tuple(
            PropertyDefinition(**fixed, type=PropertyType.NONE, **each)
            for each in row.get("property", ())
        )
        habits = tuple(Habit(**each) for each in row.get("habit", ()))
        rest = {key: each for key, each in row.items() if key not in ("property", "habit")}
        found.append(Program(**rest, properties=own, habits=habits))
    return tuple(found)


@cache
def _of_programs() -> dict[tuple[str, str], PropertyDefinition]:
    """The properties of programs, by program and identifier."""
    return {(each.name, own.ident): own for each in programs() for own in each.properties}


@cache
def games() -> dict[int, Game]:
    """The games by their GM number."""
    return {row["number"]: Game(**row) for row in table("properties")["game"]}


@cache
def game(number: int) -> Game:
    """The game of that GM number; a game without value types where it is not listed."""
    row = next((row for row in table("properties")["game"] if row["number"] == number), None)
    return Game(**row) if row else Game(number, f"game {number}", f"游戏{number}")


# --- The rule catalogue -------------------------------------------------------


#: How the text of a file is decoded. "text": the structure is parsed as bytes, and each text
#: is decoded after its escapes are resolved, in the charset of its game tree, as FF[4]
#: specifies. "file": the file is decoded as a whole, as most programs do it. "none": nothing is
#: decoded; each byte counts as a character of ISO-8859-1. "auto": as "text", but as "file"
#: where only that gives a valid file.
CharsetMode = Literal["auto", "file", "text", "none"]
CHARSET_MODES = get_args(CharsetMode)


class Example(NamedTuple):
    """A file of the catalogue, as bytes, and the codes it yields besides the rule's own."""

    data: bytes
    reference: str = ""
    also: tuple[str, ...] = ()
    charset_mode: CharsetMode = "auto"


class Rule(NamedTuple):
    """One entry of ``rules.toml``; the keys are explained at its top.

    `severity` maps each profile to a severity or "off". `data` has the parameters of the
    check.
    """

    code: str
    name: str
    severity: dict[str, str]
    reference: tuple[str, ...]
    source: str
    message: str
    message_zh: str
    summary: str
    summary_zh: str
    data: dict[str, Any]
    explanation: str = ""
    explanation_zh: str = ""
    fix: str = ""
    fix_zh: str = ""
    sgfc: int | None = None
    bad: tuple[Example, ...] = ()
    good: tuple[Example, ...] = ()

    @property
    def noted(self) -> tuple[Example, ...]:
        """The good examples that the rule reports, as a note."""
        return tuple(example for example in self.good if self.code in example.also)

    @property
    def kept(self) -> tuple[Example, ...]:
        """The good examples that the rule does not report."""
        return tuple(example for example in self.good if self.code not in example.also)

    @property
    def related(self) -> list[Rule]:
        """Other rules that come from the same requirement of the specification."""
        return [
            other
            for other in rules().values()
            if other is not self and set(other.reference) & set(self.reference)
        ]


class Permission(NamedTuple):
    """What the format allows and no rule may object to, or advice no machine can check."""

    name: str
    reference: tuple[str, ...]
    source: str
    summary: str
    summary_zh: str
    explanation: str = ""
    explanation_zh: str = ""
    good: tuple[Example, ...] = ()


def _examples(row: dict[str, Any], key: str) -> tuple[Example, ...]:
    return tuple(
        Example(
            entry["sgf"].encode("latin-1"),
            entry.get("reference", ""),
            entry.get("also", ()),
            entry.get("charset_mode", "auto"),
        )
        for entry in row.get(key, ())
    )


@cache
def _rows_of_rules() -> dict[str, dict[str, Any]]:
    return {row["code"]: row for row in table("rules")["rule"]}


@cache
def _severities() -> dict[str, dict[str, str]]:
    """The severities of each rule. To validate needs no more of the catalogue."""

    def make() -> dict[str, dict[str, str]]:
        return {code: row["severity"] for code, row in _rows_of_rules().items()}

    return built.content("severities", ("rules.toml",), make)


def codes() -> Iterable[str]:
    """The codes of the rules, in their order."""
    return _severities().keys()


def severities(profile: str) -> dict[str, str]:
    """The severity of each rule in a profile, or "off", by its code."""
    return {code: severity[profile] for code, severity in _severities().items()}


@cache
def on_request() -> frozenset[str]:
    """The codes of the rules that are off in every profile: hints for those who select them."""
    return frozenset(
        code for code, severity in _severities().items() if {*severity.values()} == {"off"}
    )


@cache
def rule(code: str) -> Rule:
    """The rule of that code; raises KeyError where there is none."""
    row = _rows_of_rules()[code]
    examples = {key: _examples(row, key) for key in ("bad", "good")}
    return Rule(**{"data": {}, **row, **examples})


@cache
def rules() -> dict[str, Rule]:
    """The rules by code, in the order of the codes."""
    return {code: rule(code) for code in codes()}


@cache
def permissions() -> tuple[Permission, ...]:
    """The permissions, in the order of the file."""
    return tuple(
        Permission(**{**row, "good": _examples(row, "good")})
        for row in table("rules")["permission"]
    )


class Charset(NamedTuple):
    """One entry of ``charsets.toml``; the keys are explained at its top."""

    name: str
    codec: str
    aliases: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    superset: bool = True
    character: str = ""
    familiar: str = ""
    rare: bool = False

    @property
    def trail(self) -> bool:
        """Whether a byte of a character after the first may be a bracket or an escape."""
        return self.character != ""

    @property
    def shown(self) -> str:
        """The name by which people know it."""
        return self.familiar or self.name


@cache
def charsets() -> tuple[Charset, ...]:
    """The charsets, in the order of the file."""
    return tuple(Charset(**row) for row in table("charsets")["charset"])


class Language(NamedTuple):
    """One entry of ``languages.toml``; the keys are explained at its top."""

    name: str
    charsets: tuple[str, ...]
    characters: tuple[tuple[float, str], ...]
    block: tuple[float, str, int, int] | None = None
    surnames: str = ""
    words: tuple[str, ...] = ()


@cache
def languages() -> tuple[Language, ...]:
    """The languages, in the order of the file."""
    return tuple(Language(**row) for row in table("languages")["language"])


# --- Terms -----------------------------------------------------------------------


class Term(NamedTuple):
    """One entry of ``terms.toml``; the keys are explained at its top."""

    name: str
    kind: Literal["production", "type"]
    title: str
    title_zh: str
    text: str
    text_zh: str


@cache
def terms() -> dict[str, Term]:
    """The words of the grammar, by name, in the order of the file."""
    return {row["name"]: Term(**row) for row in table("terms")["term"]}


def build_content() -> None:
    """Ask for all content that :mod:`sgf_lark.built` keeps for this module."""
    for name in TABLES:
        table(name)
    _severities()
