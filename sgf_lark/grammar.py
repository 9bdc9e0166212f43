"""Loads the format from the files in ``grammar/``: each once, at first use.

Nothing here knows a property, a rule or a value type by name: the files say all.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Literal, get_args

from sgf_lark import stored
from sgf_lark.value_parser import ValueParser

Role = Literal["move", "setup", "root", "game-info", "none"]


@cache
def folder() -> str:
    """Where the grammar files are: inside an installed package, else beside it."""
    package = os.path.dirname(__file__)
    packaged = os.path.join(package, "_grammar")
    beside = os.path.join(os.path.dirname(package), "grammar")
    return packaged if os.path.isdir(packaged) else beside


def read(name: str) -> bytes:
    """The bytes of the grammar file `name`, such as ``"sgf.lark"``; lines end with LF."""
    with open(os.path.join(folder(), name), "rb") as file:
        data = file.read()
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def source(name: str) -> str:
    """The text of the grammar file `name`."""
    return read(name).decode("utf-8")


#: The files that are tables.
TABLES = ("charsets", "informal", "properties", "rules", "terms", "wei7")


@cache
def table(name: str) -> dict[str, Any]:
    """The content of the TOML file of that name in :data:`TABLES`, with tuples as its arrays.
    It is shared, and not to be changed."""
    return stored.table(name, read(f"{name}.toml"))


# --- Properties and games -----------------------------------------------------


@dataclass(frozen=True)
class ValueType:
    """One alternative of a value expression, such as ``list of composed point ":" text``.

    `many` allows several values, `empty` one empty value in their place (an
    elist); `second` is the type behind the ":" of a composed value, or "".
    """

    first: str
    second: str = ""
    many: bool = False
    empty: bool = False

    @property
    def composed(self) -> bool:
        return bool(self.second)

    def __str__(self) -> str:
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


class _Text:
    """A text for readers: read from the row of a record when it is asked for."""

    def __init__(self, default: str | None = None) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, record: Any, owner: type) -> str:
        row = record._row
        return str(row[self._name] if self._default is None else row.get(self._name, self._default))


@dataclass(frozen=True, eq=False)
class PropertyDefinition:
    """One entry of ``properties.toml``; the keys are explained at its top.

    What only readers of the table ask for is read when they do.
    """

    ident: str
    games: tuple[int, ...]
    file_formats: tuple[int, ...]
    value: str
    type: Role
    #: Its place in the file, 0-based.
    place: int
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

    name = _Text()
    name_zh = _Text()
    text = _Text()
    text_zh = _Text()
    range = _Text("")
    range_zh = _Text("")

    @cached_property
    def _row(self) -> dict[str, Any]:
        row: dict[str, Any] = table("properties")["property"][self.place]
        return row

    @property
    def related(self) -> tuple[str, ...]:
        return tuple(self._row.get("related", ()))

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
        return any(alternative.many for alternative in self.alternatives)

    @cached_property
    def is_text(self) -> bool:
        """Whether the whole value is one SimpleText or Text."""
        return self.alternatives[0].first in TEXT_TYPES and not self.alternatives[0].composed

    @cached_property
    def list_kind(self) -> str | None:
        """What a list names: "point", "stone", or "label" for points with labels; None for
        what is no such list."""
        kind = self.alternatives[0]
        is_for_labels = self.unique == "label"
        if not self.takes_many or kind.first not in ("point", "stone"):
            return None
        if kind.composed != is_for_labels:
            return None
        return "label" if is_for_labels else kind.first

    @cached_property
    def roles(self) -> tuple[tuple[str, object], ...]:
        """What rules of nodes ask for: each such attribute that says something, and what."""
        names = ("type", "format", "unique", "exclusive", "needs_move")
        return tuple((name, getattr(self, name)) for name in names if getattr(self, name))

    def in_game(self, game: int) -> bool:
        return not self.games or game in self.games


TEXT_TYPES = frozenset({"simpletext", "text"})


@dataclass(frozen=True)
class Game:
    """One game of the GM list: its default board and its own value types.

    `size` and `maximum_size` count lines (columns, rows); `point`, `move` and
    `stone` name start rules of ``values.lark`` and are empty where no source
    defines them; the forms say in words what these look like. `upward`: rows are
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
def _tables() -> dict[str, Any]:
    return stored.definitions(read("properties.toml"))


@cache
def properties() -> tuple[PropertyDefinition, ...]:
    """All definitions, in the order of the file. An identifier can have several."""
    return tuple(PropertyDefinition(**row) for row in _tables()["property"])


@cache
def _by_ident() -> dict[str, list[PropertyDefinition]]:
    found: dict[str, list[PropertyDefinition]] = {}
    for entry in properties():
        found.setdefault(entry.ident, []).append(entry)
    return found


def definitions(ident: str) -> tuple[PropertyDefinition, ...]:
    """All definitions of `ident`, of whatever game and file format."""
    return tuple(_by_ident().get(ident, ()))


@cache
def definition(ident: str, game: int, file_format: int) -> PropertyDefinition | None:
    """What `ident` means in a tree of that GM and FF, or None.

    A definition of the game goes before one of all games. A definition of
    another file format still tells how the value was meant, so it is taken
    where there is none of this one; one of another game alone is not.
    """
    found = [entry for entry in _by_ident().get(ident, ()) if entry.in_game(game)]
    if len(found) < 2:
        return found[0] if found else None

    def order(entry: PropertyDefinition) -> tuple[bool, bool]:
        return file_format not in entry.file_formats, not entry.games

    return min(found, key=order)


@cache
def games() -> dict[int, Game]:
    """The games by their GM number."""
    return {row["number"]: Game(**row) for row in _tables()["game"]}


@cache
def game(number: int) -> Game:
    """The game of that GM number; a game without value types where it is not listed."""
    row = next((row for row in _tables()["game"] if row["number"] == number), None)
    return Game(**row) if row else Game(number, f"game {number}", f"游戏{number}")


# --- The rule catalogue -------------------------------------------------------


#: How the text of a file is found. "text": the structure is read on bytes, each text
#: is decoded behind its escapes, in the charset of its tree: the letter of FF[4].
#: "file": the file is decoded as a whole, as most programs do it. "none": no byte
#: is decoded, each counts as a character of ISO-8859-1. "auto": by the letter, but
#: as a whole file where that alone makes sense of it.
CharsetMode = Literal["auto", "file", "text", "none"]
CHARSET_MODES = get_args(CharsetMode)


@dataclass(frozen=True)
class Example:
    """A file of the catalogue, as bytes, and the codes it yields besides the rule's own."""

    data: bytes
    reference: str
    also: tuple[str, ...] = ()
    charset_mode: CharsetMode = "auto"


@dataclass(frozen=True, eq=False)
class Rule:
    """One entry of ``rules.toml``. `severity` maps each profile to a severity or "off".

    What only readers of the catalogue ask for is read when they do.
    """

    code: str
    name: str
    severity: dict[str, str]
    message: str
    #: Its place in the file, 0-based.
    place: int
    #: What the rule itself works with; shared, and not to be changed.
    data: dict[str, Any] = field(default_factory=dict)
    sgfc: int | None = None
    fix: str = ""

    message_zh = _Text()
    fix_zh = _Text("")
    source = _Text()
    summary = _Text()
    summary_zh = _Text()
    explanation = _Text("")
    explanation_zh = _Text("")

    @cached_property
    def _row(self) -> dict[str, Any]:
        row: dict[str, Any] = table("rules")["rule"][self.place]
        return row

    @property
    def reference(self) -> tuple[str, ...]:
        return tuple(self._row["reference"])

    @cached_property
    def bad(self) -> tuple[Example, ...]:
        return _examples(self._row, "bad")

    @cached_property
    def good(self) -> tuple[Example, ...]:
        return _examples(self._row, "good")


@dataclass(frozen=True, eq=False)
class Permission:
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
            entry["reference"],
            tuple(entry.get("also", ())),
            entry.get("charset_mode", "auto"),
        )
        for entry in row.get(key, ())
    )


@cache
def _rows_of_rules() -> dict[str, dict[str, Any]]:
    return {row["code"]: row for row in stored.rules(read("rules.toml"))}


def codes() -> Iterable[str]:
    """The codes of the rules, in their order."""
    return _rows_of_rules().keys()


def severities(profile: str) -> dict[str, str]:
    """How grave each rule is in a profile, or "off", by its code."""
    return {code: row["severity"][profile] for code, row in _rows_of_rules().items()}


@cache
def rule(code: str) -> Rule:
    """The rule of that code; raises KeyError where there is none."""
    return Rule(**_rows_of_rules()[code])


@cache
def rules() -> dict[str, Rule]:
    """The rules by code, in the order of the codes."""
    return {code: rule(code) for code in codes()}


@cache
def permissions() -> tuple[Permission, ...]:
    """What must never be refused."""
    return tuple(
        Permission(**dict(row, reference=tuple(row["reference"]), good=_examples(row, "good")))
        for row in table("rules")["permission"]
    )


@dataclass(frozen=True)
class Charset:
    """One entry of ``charsets.toml``; the keys are explained at its top."""

    name: str
    codec: str
    aliases: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    superset: bool = True
    trail: bool = False
    guess: bool = False


@cache
def charsets() -> tuple[Charset, ...]:
    """The charsets, in the order of the file."""
    return tuple(Charset(**row) for row in table("charsets")["charset"])


# --- Terms -----------------------------------------------------------------------


@dataclass(frozen=True)
class Term:
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


# --- Values -------------------------------------------------------------------


@cache
def _values() -> dict[str, Any]:
    """What is stored of ``values.lark``, or what Lark makes of it where that has changed."""
    known = stored.load("values", read("values.lark"))
    if known is None:
        from sgf_lark.syntax import grammars as lark_grammars

        known = lark_grammars.values()
    return known


@cache
def value_types() -> frozenset[str]:
    """The names of the start rules of ``values.lark``."""
    return frozenset(_values()["patterns"])


@cache
def value_parser() -> ValueParser:
    """The parser of ``values.lark``; each value type is a start rule."""
    return ValueParser(_values()["tables"])


@cache
def pattern(value_type: str) -> re.Pattern[bytes]:
    """The language of a value type as a regular expression over bytes.

    It is derived from ``values.lark``, whose rules never call themselves, and
    only tells whether a value belongs to the type: what it says is read by
    :func:`value_parser`. Raises KeyError for a type that the grammar lacks.
    """
    text: str = _values()["patterns"][value_type]
    return re.compile(b"(?s)" + text.encode("latin-1"))


def made() -> list[stored.Made]:
    """What is to be stored for :func:`table`, :func:`properties`, :func:`rules`,
    :func:`pattern` and :func:`value_parser`."""
    from sgf_lark.syntax import grammars as lark_grammars

    found: list[stored.Made] = [("values", read("values.lark"), lark_grammars.values())]
    for name in TABLES:
        found += stored.made_of_table(name, read(f"{name}.toml"))
    return found
