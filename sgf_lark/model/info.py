"""The information about a game: players, result, dates, komi and so on, typed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from sgf_lark import grammar
from sgf_lark.model import informal
from sgf_lark.model.context import in_format, largest_komi
from sgf_lark.model.informal import Interpretation
from sgf_lark.model.programs import meanings_in_root
from sgf_lark.model.values import Color
from sgf_lark.model.values.formats import (
    PartialDate,
    Rank,
    Result,
    Round,
    in_calendar,
    parse_dates,
    read_format,
    shortest,
)

if TYPE_CHECKING:
    from sgf_lark.model.node import Node
    from sgf_lark.model.property import Property
    from sgf_lark.model.tree import GameTree

Read = TypeVar("Read")
Written = TypeVar("Written")


class InfoField(Generic[Read, Written]):
    """An attribute of :class:`GameInfo` or :class:`Player` that is a property of SGF.

    It is None where the property is missing and where its value cannot be understood. A value that
    is not in the form of SGF is read as people mean it; then it is one of
    :attr:`GameInfo.interpretations`. Setting it writes the property, setting None or ``del``
    removes it.
    """

    def __init__(
        self,
        idents: str | dict[Color, str],
        doc: str,
        understand: Callable[[GameInfo, Any], Read],
        write: Callable[[GameInfo, Written], Any] = lambda _, value: value,
    ) -> None:
        #: The identifier of the property; for players by their colors.
        self._idents = idents
        self.__doc__ = doc
        self._understand = understand
        # By default the value as it is: where properties are written, their types are checked.
        self._write = write

    def ident(self, owner: GameInfo | Player) -> str:
        """The identifier of the property."""
        if isinstance(self._idents, str):
            return self._idents
        assert isinstance(owner, Player)
        return self._idents[owner.color]

    @overload
    def __get__(self, owner: None, kind: type) -> InfoField[Read, Written]: ...
    @overload
    def __get__(self, owner: GameInfo | Player, kind: type) -> Read | None: ...
    def __get__(
        self, owner: GameInfo | Player | None, kind: type
    ) -> Read | InfoField[Read, Written] | None:
        return self if owner is None else self.read(owner)[0]

    def read(self, owner: GameInfo | Player) -> tuple[Read | None, Interpretation | None]:
        """The value, and the interpretation that it comes from, if it is not in the form of SGF."""
        info = owner._info
        return info._understood(self.ident(owner), lambda value: self._understand(info, value))

    def __set__(self, owner: GameInfo | Player, value: Written | None) -> None:
        info = owner._info
        info._set(self.ident(owner), None if value is None else self._write(info, value))

    def __delete__(self, owner: GameInfo | Player) -> None:
        owner._info._set(self.ident(owner), None)


Text = TypeVar("Text", bound=str)


def _text(idents: str | dict[Color, str], doc: str, kind: type[Text]) -> InfoField[Text, str]:
    return InfoField(idents, doc, lambda _, value: kind(_of_type(str, value)))


def _real(ident: str, doc: str) -> InfoField[float, float]:
    return InfoField(ident, doc, lambda _, value: float(_of_type((int, float), value)))


def _of_type(kind: Any, value: Any) -> Any:
    """`value`, if it is of that type; raises ValueError."""
    if not isinstance(value, kind):
        raise ValueError(f"{value!r} cannot be understood")
    return value


def _write_rank(_: GameInfo, value: Rank | str) -> str:
    if not isinstance(value, (Rank, str)):
        raise TypeError(f'a rank is a Rank or its text, such as "5k", not {value!r}')
    return str(value)


def _write_handicap(_: GameInfo, value: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"HA takes a whole number, such as 2, not {value!r}")
    if value < 0 or value == 1:
        raise ValueError(f"HA takes a number of at least 2, or 0 for no handicap, not {value}")
    return value or None


def _understand_result(info: GameInfo, value: Any) -> Result:
    return Result.parse(_of_type(str, value), game=info.tree.game)


def _write_result(info: GameInfo, value: Result | str) -> str:
    if not isinstance(value, (Result, str)):
        raise TypeError(f'RE takes a Result or its text, such as "B+3.5", not {value!r}')
    # Only in Backgammon a resignation has a margin.
    return str(Result.parse(str(value), game=info.tree.game))


def _understand_dates(_: GameInfo, value: Any) -> tuple[PartialDate, ...]:
    return tuple(parse_dates(_of_type(str, value)))


def _write_dates(_: GameInfo, value: Dates) -> str | None:
    if isinstance(value, str):
        return shortest([date.parts for date in parse_dates(value)])
    given = [value] if isinstance(value, (PartialDate, datetime.date)) else value
    if not isinstance(given, Iterable):
        raise TypeError(f'DT takes dates or their text, such as "1996-05-06,07", not {value!r}')
    found: list[PartialDate] = []
    for date in given:
        if isinstance(date, datetime.date):
            found.append(PartialDate(date.year, date.month, date.day))
        elif isinstance(date, PartialDate):
            found.append(date)
        elif isinstance(date, str):
            found.append(PartialDate.parse(date))
        else:
            raise TypeError(f"DT takes PartialDate, datetime.date or text, not {date!r}")
    return shortest([date.parts for date in found]) if found else None


#: What `GameInfo.dates` can be set to.
Dates = PartialDate | datetime.date | str | Iterable[PartialDate | datetime.date | str]


class GameInfo:
    """The information about a game, read from and written to the game-info properties of a node.

    SGF allows game-info properties in one node of each path (sgf4, property types), mostly the
    root. `node` is the first node of the main line that has any; the root, if none has. In a
    tree of several games with a common beginning, ``GameInfo(tree, node)`` is that of another
    node.

    Nothing raises when it is read: what is missing or cannot be understood is None. Values are
    also read where they are written as people write them, such as ``KM[6,5]`` and ``BR[9段]``, in
    the way in which :func:`sgf_lark.fix` writes them; :attr:`interpretations` lists these, and says
    of each whether it is certain. The text of any property is ``text(ident)``, and
    :attr:`not_understood` lists what is only there as text.
    Setting an attribute writes the property, None removes it; a value that the property cannot
    hold raises TypeError or ValueError, and nothing is changed.
    """

    __slots__ = ("node", "tree")

    def __init__(self, tree: GameTree, node: Node | None = None) -> None:
        self.tree = tree
        self.node = info_node(tree) if node is None else node

    name = _text("GN", "The name of the game (GN).", str)
    event = _text("EV", "The event, such as a tournament (EV).", str)
    round = _text("RO", 'The round and, in parentheses, its kind: "2 (final)" (RO).', Round)
    place = _text("PC", "The place (PC).", str)
    rules = _text("RU", 'The rules, in Go "AGA", "GOE", "Japanese", "NZ" or others (RU).', str)
    overtime = _text("OT", "How overtime works, in words (OT).", str)
    opening = _text("ON", "The opening (ON).", str)
    comment = _text("GC", "Background or summary of the game (GC).", str)
    annotator = _text("AN", "Who wrote the comments (AN).", str)
    user = _text("US", "Person or program that entered the game (US).", str)
    source = _text("SO", "Where the record comes from, such as a book (SO).", str)
    copyright = _text("CP", "Who holds the rights (CP).", str)
    komi = _real("KM", "Go: the points that White receives; it may be negative (KM).")
    time = _real("TM", "The main time of each player, in seconds (TM).")
    handicap: InfoField[int, int] = InfoField(
        "HA",
        "Go: the number of handicap stones, at least 2; setting 0 removes it (HA).",
        lambda _, value: int(_of_type(int, value)),
        _write_handicap,
    )
    result: InfoField[Result, Result | str] = InfoField(
        "RE", 'The result; to be set as Result or text: "B+3.5" (RE).', _understand_result,
        _write_result,
    )  # fmt: skip
    dates: InfoField[tuple[PartialDate, ...], Dates] = InfoField(
        "DT",
        "All dates, in their order, each with the parts that are known; to be set as dates, as "
        'datetime.date or as text: "1996-05-06,07" (DT).',
        _understand_dates,
        _write_dates,
    )

    @property
    def black(self) -> Player:
        """The player of Black."""
        return Player(self, Color.BLACK)

    @property
    def white(self) -> Player:
        """The player of White."""
        return Player(self, Color.WHITE)

    @property
    def players(self) -> dict[Color, Player]:
        """Both players by their colors."""
        return {Color.BLACK: self.black, Color.WHITE: self.white}

    # Everything else, and what is not understood

    def text(self, ident: str) -> str | None:
        """The decoded text of a property as written; several values in lines; None if missing."""
        found = self.node.property(ident, None)
        return None if found is None else _decoded(found)

    @property
    def others(self) -> dict[str, Any]:
        """The typed values of game-info properties that have no attribute, by identifier.

        Such are SU of Lines of Action, MI of Backgammon and older properties. Set them as
        ``info.node["MI"] = …``. A value that cannot be understood is its text.
        """
        known = {field.ident(owner) for owner, field in self._fields()}
        found: dict[str, Any] = {}
        for entry in self.node.select(type="game-info"):
            if entry.ident not in known:
                value = self._value(entry.ident)
                found[entry.ident] = _decoded(entry) if value is None else value
        return found

    @property
    def interpretations(self) -> dict[str, Interpretation]:
        """How each value is read that is not in the form of SGF, by identifier, with those of GM
        and SZ in the root.

        Each has `value`, in the form of SGF; `certain`, whether the text can mean nothing else;
        `rest`, the text that the value does not hold; and `complete`, whether the value is certain
        and all that the text means. A value in the form of SGF that cannot be meant is among them:
        a komi in hundredths.
        """
        found: dict[str, Interpretation] = {}
        for ident in ("GM", "SZ"):
            entry = self.tree.root.property(ident, None)
            meant = None if entry is None else self._interpretation(entry)
            if meant is not None:
                found[ident] = meant
        fields = {field.ident(owner): field.read(owner)[1] for owner, field in self._fields()}
        return found | {ident: meant for ident, meant in fields.items() if meant is not None}

    @property
    def not_understood(self) -> dict[str, str]:
        """The texts of properties whose attribute is None although they are there and not empty;
        that of SZ if it is not a size, so that the board has the default size of the game."""
        found: dict[str, str] = {}
        size = self.tree.root.property("SZ", None)
        if size is not None and in_format(size.raw[0], "size", self.tree.charset) is None:
            found["SZ"] = _decoded(size)
        for owner, field in self._fields():
            ident = field.ident(owner)
            if ident in self.node and field.read(owner)[0] is None:
                found[ident] = self.text(ident) or ""
        has_attribute = {field.ident(self) for owner, field in self._fields() if owner is self}
        for entry in self.node.select(type="game-info"):
            if entry.ident not in has_attribute and self._value(entry.ident) is None:
                found[entry.ident] = _decoded(entry)
        return {ident: text for ident, text in found.items() if text.strip()}

    def __repr__(self) -> str:
        players = f"{self.black.name or '?'} (B) and {self.white.name or '?'} (W)"
        parts = [players, *map(str, self.dates or ())]
        result = self.text("RE")
        return f"<GameInfo: {', '.join([*parts, result] if result else parts)}>"

    @property
    def _info(self) -> GameInfo:
        return self

    def _fields(self) -> Iterator[tuple[GameInfo | Player, InfoField[Any, Any]]]:
        """All attributes, each with what has it: the game or a player."""
        owners: list[GameInfo | Player] = [self, *self.players.values()]
        for owner in owners:
            for field in vars(type(owner)).values():
                if isinstance(field, InfoField):
                    yield owner, field

    def _value(self, ident: str) -> Any:
        """The typed value of a property, as the program of the tree means it; None where it has
        none."""
        definition = self.tree.define(ident)
        if definition is None:
            return None
        raw = self._meant_by_program(ident)
        if raw is None:
            return self.node.get(ident)
        try:
            return self.tree.parsed.reader.read_all(definition, [raw])
        except ValueError:
            return None

    def _meant_by_program(self, ident: str) -> bytes | None:
        """The value in the form of SGF, where the program of the tree writes it in another one."""
        if not self.tree.parsed.context.program or self.tree.edited or not self.node._is_root:
            return None
        return next(
            (found.raw for found in meanings_in_root(self.tree) if found.ident == ident), None
        )

    def _understood(
        self, ident: str, understand: Callable[[Any], Read]
    ) -> tuple[Read | None, Interpretation | None]:
        """What `understand` makes of the value of a property, in the form of SGF or as people mean
        it, and the interpretation in the second case; None for what it cannot understand."""
        entry = self.node.property(ident, None)
        is_of_program = self._meant_by_program(ident) is not None
        if entry is None and not is_of_program:
            overtime = self._overtime() if ident == "OT" else None
            return (understand(overtime.value), overtime) if overtime else (None, None)
        meant = None if entry is None or is_of_program else self._interpretation(entry)
        if meant is None:
            value = self._value(ident)
        else:
            value = self.tree.parsed.reader.read_single(ident, meant.value.encode())
        try:
            return (None if value is None else understand(value)), meant
        except ValueError:
            return None, None

    def _interpretation(self, entry: Property) -> Interpretation | None:
        """How the only value of a property is read if it is not in the form of SGF, or has the
        form, but cannot be meant; None if it is in that form, or is not understood."""
        definition = self.tree.define(entry.ident)
        if definition is None or definition.format not in informal.BY_FORMAT or len(entry.raw) > 1:
            return None
        text = _decoded(entry)
        if self.tree.parsed.reader.matches(definition.format, text.encode()):
            if definition.format == "date":
                dates = read_format("DT", text)
                return None if all(in_calendar(*date) for date in dates) else informal.dates(text)
            is_komi = definition.format == "komi"
            points = informal.points_of_hundredths(text) if is_komi else None
            if not points or abs(float(text)) <= largest_komi(self.tree.size):
                return None
            return Interpretation(points, certain=False)
        meant = informal.BY_FORMAT[definition.format](text) if text.strip() else None
        return meant if meant and meant.value != text else None

    def _overtime(self) -> Interpretation | None:
        """The overtime that a time limit describes."""
        entry = self.node.property("TM", None)
        limit = informal.time_limit(_decoded(entry)) if entry is not None else None
        return Interpretation(limit[1]) if limit and limit[1] and limit[0].complete else None

    def _set(self, ident: str, value: Any) -> None:
        """Write a property, or remove it for None."""
        if value is None:
            if ident in self.node:
                del self.node[ident]
            return
        if self.tree.define(ident) is None:
            game = self.tree.game_definition
            name = grammar.definitions(ident)[0].name
            raise ValueError(f"{ident} ({name}) is not defined for {game.name}, GM[{game.number}]")
        self.node[ident] = value


class Player:
    """A player in the information about a game: name, rank and team, to be read and set."""

    __slots__ = ("_info", "color")

    def __init__(self, info: GameInfo, color: Color) -> None:
        self._info = info
        #: The color of the player.
        self.color = color

    name = _text({Color.BLACK: "PB", Color.WHITE: "PW"}, "The name (PB, PW).", str)
    rank: InfoField[Rank, Rank | str] = InfoField(
        {Color.BLACK: "BR", Color.WHITE: "WR"},
        "The rank, see :attr:`rank_text` for others than those of kyu and dan; to be set as Rank "
        "or as text in any form (BR, WR).",
        lambda _, value: Rank.parse(_of_type(str, value)),
        _write_rank,
    )
    team = _text({Color.BLACK: "BT", Color.WHITE: "WT"}, "The team (BT, WT).", str)

    @property
    def rank_text(self) -> str | None:
        """The rank as written."""
        value = self._info._value(Player.rank.ident(self))
        return value if isinstance(value, str) else None

    @property
    def not_understood(self) -> dict[str, str]:
        """Those of :attr:`GameInfo.not_understood` that are about the player."""
        own = {field.ident(self) for field in (Player.name, Player.rank, Player.team)}
        found = self._info.not_understood
        return {ident: text for ident, text in found.items() if ident in own}

    def __eq__(self, other: object) -> bool:
        """Whether color, name, rank and team are the same."""
        return isinstance(other, Player) and self._parts == other._parts

    __hash__ = None  # type: ignore[assignment]

    @property
    def _parts(self) -> tuple[object, ...]:
        return self.color, self.name, self.rank_text, self.team

    def __repr__(self) -> str:
        return f"Player(name={self.name!r}, rank={self.rank_text!r}, team={self.team!r})"


def info_node(tree: GameTree) -> Node:
    """The first node of the main line with game-info properties; the root, if none has any."""

    def is_info(ident: str) -> bool:
        definition = tree.define(ident)
        return definition is not None and definition.type == "game-info"

    return next((node for node in tree.main_line() if any(map(is_info, node))), tree.root)


def _decoded(entry: Property) -> str:
    """The values of a property as text, in lines."""
    reader = entry.node.tree.parsed.reader
    texts = []
    for raw in entry.raw:
        try:
            texts.append(str(reader.read("text", raw)))
        except ValueError:
            texts.append(reader.context.decode(raw))
    return "\n".join(texts)
