"""Readers of any bytes, as there are in the world: for comparing what they read before and after
safe fixes.

A reader takes the bytes of a file, and returns the games as it finds them, or None if it cannot
read the file. :data:`READERS` lists them by name:

- the model of this library, which reads tolerantly and executes setup before moves;
- a small reader, for which an identifier is the letters before a "[", of which small ones are left
  out. It skips whatever else is between tokens, executes the properties of a node in the order of
  the file, and decodes texts after it has parsed the bytes;
- the same reader of text: of each game decoded in the charset that its CA names, and of the whole
  file decoded in the charset that the first CA names;
- the small reader of bytes with identifiers as they are written, in which small letters count;
- the small reader of bytes for which a charset that it does not know is Latin-1, as FF[4] says of
  a game without CA;
- readers with one entry for each identifier in a node: of repeated properties and values they take
  the first, or the last, or join the values;
- sgfmill, see :mod:`tests.kit.sgfmill_reader`.

A byte that is half of a character is taken for a bracket or an escape by those who read bytes, and
the other way round. A reader whose texts do not decode after that has not read the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple

from sgf_lark import grammar, loads
from sgf_lark.text import charsets
from sgf_lark.text.charsets import Reason

Properties = list[tuple[str, list[bytes]]]

#: The values of a property that the reader cannot interpret.
UNREAD = [b"\0unread"]


@dataclass
class RawNode:
    """A node as a reader finds it: the index of its parent, or -1, and raw values."""

    parent: int
    properties: Properties = field(default_factory=list)


class RawGame(NamedTuple):
    """The nodes of a game in pre-order, whether setup is executed before moves, the codec of the
    texts, if it is not the one that CA names, and the positions at the leaves, if the reader has
    executed the game itself."""

    nodes: list[RawNode]
    setup_first: bool
    codec: str | None = None
    positions: dict[int, int] | None = None

    @property
    def root(self) -> dict[str, bytes]:
        """The first value of each property in the root."""
        entries = [(ident, raws[0]) for ident, raws in self.nodes[0].properties if raws]
        return dict(reversed(entries)) if self.nodes else {}

    def raws(self) -> Iterator[bytes]:
        """All values."""
        return (raw for node in self.nodes for _, raws in node.properties for raw in raws)


Games = list[RawGame] | None


def codec_of_texts(game: RawGame) -> str | None:
    """The codec of the texts of a game: that of the reader or of CA, or UTF-8 if all bytes are in
    it; None if unknown."""
    known = game.codec or declared_codec(game)
    if known is not None:
        return known
    return "utf-8" if charsets.decodes(b" ".join(game.raws()), "utf-8") else None


def declared_codec(game: RawGame) -> str | None:
    """The codec of the charset that CA names, if it is known."""
    return charsets.codec_of(game.root["CA"]) if "CA" in game.root else None


# --- The model ----------------------------------------------------------------------


def read_by_model(data: bytes) -> list[RawGame]:
    """The games as the model reads them, with values in the bytes of the file, if possible."""
    games = []
    collection = loads(data, charset_mode="auto", tolerant=True)
    decoding = collection.file.decoding
    for tree in collection:
        section = tree.parsed.section
        is_guess = section.texts is not None and section.texts.reason is Reason.GUESSED
        is_declared = "CA" in tree.parsed.root_values or not is_guess
        codec = tree.charset if section.charset is not None and is_declared else None
        nodes = []
        for node in tree.nodes():
            above = node.parent
            parent = (
                -1
                if above is None or above.number is None
                else above.number - tree.parsed.numbers[0]
            )
            properties = []
            for entry in node.properties:
                raws = entry.raw
                if entry.ident in ("B", "W"):
                    raws = raws[:1]  # the model plays no other
                elif not is_declared:
                    raws = [
                        decoding.original_bytes(value.start, value.end)
                        for value in entry.prop_values()
                    ]
                properties.append((entry.ident, raws))
            nodes.append(RawNode(parent, properties))
        games.append(RawGame(nodes, setup_first=True, codec=codec))
    return games


# --- A small reader of bytes --------------------------------------------------------

_TOKEN = re.compile(
    rb"(?s)\[(?P<value>(?:[^\]\\]|\\.)*)(?P<bracket>\]?)|(?P<ident>[A-Za-z]+)(?=[\x00-\x20\x7f]*\[)|[();]"
)
_START = re.compile(rb"\([\x00-\x20\x7f]*;")


def read_classically(data: bytes, *, as_written: bool = False) -> Games:
    """The games as a small reader finds them, with or without small letters in identifiers; None if
    a value or a tree is not closed."""
    games: list[RawGame] = []
    position = 0
    while (start := _START.search(data, position)) is not None:
        found = _read_game(data, start.start(), as_written=as_written)
        if found is None:
            return None
        nodes, position = found
        games.append(RawGame(nodes, setup_first=False))
    return games


def _read_game(
    data: bytes, start: int, *, as_written: bool = False
) -> tuple[list[RawNode], int] | None:
    """The nodes of the game that begins there, and where it ends; None if it does not."""
    nodes: list[RawNode] = []
    branches: list[int] = []
    last = -1
    for token in _TOKEN.finditer(data, start):
        ident, value, bracket = token["ident"], token["value"], token["bracket"]
        if token[0] == b"(":
            branches.append(last)
        elif token[0] == b")":
            last = branches.pop()
            if not branches:
                return nodes, token.end()
        elif token[0] == b";":
            nodes.append(RawNode(last))
            last = len(nodes) - 1
        elif ident and nodes:
            name = ident if as_written else short_name(ident)
            nodes[last].properties.append((name.decode(), []))
        elif value is not None and not bracket:
            return None
        elif value is not None and nodes and nodes[last].properties:
            nodes[last].properties[-1][1].append(value)
    return None


def short_name(ident: bytes) -> bytes:
    """An identifier without small letters, unless it has no others."""
    return re.sub(rb"[a-z]", b"", ident) or ident


def read_bytes(data: bytes, *, as_written: bool = False) -> Games:
    """The games as the small reader finds them, if their texts can then be decoded."""
    if not _is_read_by_bytes(data):
        return None
    games = read_classically(data, as_written=as_written)
    return games if games and all(map(decodes_after_parsing, games)) else None


def read_unknown_as_latin_1(data: bytes) -> Games:
    """The games as the small reader finds them, in Latin-1 where CA names no known charset, unless
    a byte order mark or so many bytes as a word has say that it is UTF-8."""
    games = read_bytes(data)
    if charsets.unicode_signature(data).charset:
        return games
    return games and [
        game._replace(codec="latin-1")
        if "CA" in game.root and declared_codec(game) is None and not _is_clearly_utf_8(game)
        else game
        for game in games
    ]


def _is_clearly_utf_8(game: RawGame) -> bool:
    """Whether the values are UTF-8, with so many bytes beyond ASCII that they are nothing else."""
    text = b"".join(game.raws())
    return charsets.decodes(text, "utf-8") and sum(byte > 127 for byte in text) >= 12


def _is_read_by_bytes(data: bytes) -> bool:
    """Whether the file is in a charset in which ASCII is ASCII, unlike UTF-16."""
    return charsets.unicode_signature(data).charset in ("", "UTF-8")


def decodes_after_parsing(game: RawGame) -> bool:
    """Whether all values of a game can be decoded, if its charset has bytes of brackets in
    characters; in other charsets a wrong byte spoils no more than itself."""
    codec = game.codec or declared_codec(game)
    if codec is None or not _has_trail_bytes(codec):
        return True
    return all(raw.isascii() or charsets.decodes(unescaped(raw), codec) for raw in game.raws())


@cache
def _has_trail_bytes(codec: str) -> bool:
    """Whether the second byte of a character can be that of a bracket or an escape."""
    charset, _ = charsets.lookup(codec)
    return charset is not None and charset.trail


_ESCAPE = re.compile(rb"(?s)\\(?:\r\n|\n\r|[\r\n]|(.))")


def unescaped(raw: bytes) -> bytes:
    """A value without its escape characters and soft line breaks."""
    return _ESCAPE.sub(lambda escape: escape[1] or b"", raw)


# --- Readers of text ----------------------------------------------------------------

_CA = re.compile(rb"(?<![A-Z])CA[\x00-\x20\x7f]*\[([^\]\\]*)\]")
_VALUE_OR_CA = re.compile(rb"(?s)" + _CA.pattern + rb"|\[(?:[^\]\\]|\\.)*\]")
_ESCAPED_HALF = re.compile(rb"[\x80-\xff]\\\\")
_NEXT_GAME = re.compile(rb"\)[\x00-\x20\x7f]*\([\x00-\x20\x7f]*;")


def read_text_of_games(data: bytes) -> Games:
    """The games, each decoded in the charset that its own CA names before it is parsed."""
    if not _is_read_by_bytes(data):
        return None
    games: list[RawGame] = []
    position = 0
    while (start := _START.search(data, position)) is not None:
        codec = _declared(data, start.end())
        if codec is not None and _has_trail_bytes(codec):
            text = _decoded(data[start.start() :], codec)
            found = _read_game(text, 0)
            end = found and _end_in(codec, data, start.start(), text[: found[1]])
            if found is None or end is None:
                return None
            position = end
            games.append(RawGame(found[0], setup_first=False, codec="utf-8"))
        else:
            found = _read_game(data, start.start())
            if found is None:
                return None
            position = found[1]
            games.append(RawGame(found[0], setup_first=False))
    return games if games and _is_text(data, games) else None


def _is_text(data: bytes, games: list[RawGame]) -> bool:
    """Whether the games, of which texts were decoded before they were parsed, have not run values
    together because the file, or one of them, has escapes for readers of bytes.

    They have not if the model, from which fixes are made, finds the same structure.
    """
    if data.isascii():
        return True
    if _has_shape(games, read_by_model(data)):
        return True
    starts = (start.start() for start in _START.finditer(data))
    return _has_shape(games, read_bytes(data)) and not any(_is_for_bytes(data, at) for at in starts)


def _is_for_bytes(data: bytes, start: int) -> bool:
    """Whether the game there has its own values only for readers of bytes."""
    codec = _declared(data, start)
    as_bytes = _read_game(data, start) if codec and _has_trail_bytes(codec) else None
    if codec is None or as_bytes is None:
        return False
    as_text = _read_game(_decoded(data[start:], codec), 0)
    games = [[RawGame(found[0], False)] for found in (as_text, as_bytes) if found]
    return decodes_after_parsing(games[-1][0]) and not _has_shape(games[0], games[-1])


def _has_shape(games: list[RawGame], others: Games) -> bool:
    """Whether the games have the same nodes and properties as the others, if those were read."""
    return others is None or list(map(_shape, games)) == list(map(_shape, others))


def _shape(game: RawGame) -> list[tuple[int, list[tuple[str, int]]]]:
    """The nodes of a game with the number of values of each property."""
    return [
        (node.parent, [(ident, len(raws)) for ident, raws in node.properties])
        for node in game.nodes
    ]


def _declared(data: bytes, start: int) -> str | None:
    """The codec of the charset that the CA of the game names of which the root begins there."""
    end = _NEXT_GAME.search(data, start)
    named = _CA.search(data, start, end.start() if end else len(data))
    return charsets.codec_of(named[1]) if named else None


def _decoded(data: bytes, codec: str) -> bytes:
    """The text in UTF-8; bytes that cannot be decoded stay, and all of them where the codec has no
    way to skip some."""
    try:
        return data.decode(codec, "surrogateescape").encode("utf-8", "surrogateescape")
    except UnicodeDecodeError:
        return data


def _end_in(codec: str, data: bytes, start: int, text: bytes) -> int | None:
    """Where a text ends in the data that begins at `start` and was decoded to UTF-8; None where it
    has bytes that are not in the codec, or is written otherwise by it, as by one that switches
    between character sets."""
    if not charsets.decodes(text, "utf-8"):
        return None
    written = text.decode().encode(codec, "replace")
    return start + len(written) if data.startswith(written, start) else None


def in_utf_8(data: bytes) -> bytes:
    """The file with each game decoded in the charset that its own CA names, and written in UTF-8
    with a CA that says so. A game stays as it is if it cannot be decoded, or has an escaped half of
    a character, as readers of bytes need it, that others read otherwise."""
    parts: list[bytes] = []
    position = 0
    while (start := _START.search(data, position)) is not None:
        as_bytes = _read_game(data, start.start())
        codec = _declared(data, start.end()) or "utf-8"
        text = _decoded(data[start.start() :], codec)
        found = _read_game(text, 0)
        if found is None:
            return data
        game = text[: found[1]]
        if as_bytes is not None and (
            (
                _ESCAPED_HALF.search(data[start.start() : as_bytes[1]])
                and _texts(as_bytes[0], codec) != _texts(found[0], "utf-8")
            )
            or not charsets.decodes(game, "utf-8")
        ):
            position = as_bytes[1]
            parts.append(data[start.start() : position])
            continue
        end = _end_in(codec, data, start.start(), game)
        if end is None:
            return data
        position = end
        mark = game.index(b";") + 1
        parts += [game[:mark], b"CA[UTF-8]", _without_ca(game[mark:])]
    return b"".join(parts)


def _without_ca(text: bytes) -> bytes:
    """The text without its CA, but for what looks so in a value."""
    return _VALUE_OR_CA.sub(lambda found: found[0] if found[0][:1] == b"[" else b"", text)


def _texts(nodes: list[RawNode], codec: str) -> list[list[tuple[str, list[str]]]]:
    """The values of each node as texts, decoded after their escapes are resolved."""
    return [
        [
            (ident, [unescaped(raw).decode(codec, "replace") for raw in raws])
            for ident, raws in node.properties
        ]
        for node in nodes
    ]


def read_text(data: bytes) -> Games:
    """The games of a file that is decoded as a whole: as its first bytes show that it is in UTF-8
    or UTF-16, else in the first charset that a CA names, or in UTF-8."""
    named = _CA.search(data)
    signature = charsets.unicode_signature(data)
    codec = signature.codec or (charsets.codec_of(named[1]) if named else "utf-8")
    rest = data[signature.length :]
    if codec is None and rest.isascii():
        codec = "utf-8"  # the text is the same in any charset
    if codec is None or not charsets.decodes(rest, codec):
        return None
    text = rest.decode(codec).encode("utf-8", "replace")
    games = read_classically(text)
    if games and not signature.codec and _codecs_in_use(games) - {codec}:
        return None  # it reads at least one game wrongly
    if not games or not _is_text(data, games) or not _has_shape(games, read_text_of_games(data)):
        return None
    return [game._replace(codec="utf-8") for game in games]


def _codecs_in_use(games: list[RawGame]) -> set[str | None]:
    """The codecs of the charsets that CA names in the roots of games with text outside ASCII."""
    return {
        declared_codec(game)
        for game in games
        if "CA" in game.root and not all(map(bytes.isascii, game.raws()))
    }


# --- Readers with one entry for each identifier --------------------------------------

_Choose = Callable[[list[list[bytes]], bool], list[bytes]]


def _first(entries: list[list[bytes]], takes_many: bool) -> list[bytes]:
    return entries[0] if takes_many else entries[0][:1]


def _last(entries: list[list[bytes]], takes_many: bool) -> list[bytes]:
    return entries[-1] if takes_many else entries[-1][-1:]


def _joined(entries: list[list[bytes]], takes_many: bool) -> list[bytes]:
    """All values; of equal properties that take one value the first."""
    if not takes_many and all(raws == entries[0] for raws in entries):
        return entries[0]
    return [raw for raws in entries for raw in raws]


def read_chosen(choose: _Choose, data: bytes) -> Games:
    """The games with one property of each identifier in a node; Black moves before White, and
    only Black if one move is taken."""
    games = read_text_of_games(data)
    if games is None:
        return None
    chosen = []
    for game in games:
        nodes = [RawNode(node.parent, _chosen(choose, node.properties)) for node in game.nodes]
        codec = codec_of_texts(game) or "ascii"
        chosen.append(game._replace(nodes=nodes, setup_first=True, codec=codec))
    return chosen


def _chosen(choose: _Choose, properties: Properties) -> Properties:
    """The properties of a node, one for each identifier."""
    found: dict[str, list[list[bytes]]] = {}
    for ident, raws in properties:
        if raws:
            found.setdefault(ident, []).append(raws)
    if choose is not _joined and "B" in found:
        found.pop("W", None)
    chosen = [(ident, choose(entries, _takes_many(ident))) for ident, entries in found.items()]
    return sorted(chosen, key=lambda entry: entry[0] == "W")


@cache
def _takes_many(ident: str) -> bool:
    """Whether the property takes a list of values in any game, or is unknown."""
    definitions = grammar.definitions(ident)
    return not definitions or any(each.takes_many for each in definitions)


# --- All readers ---------------------------------------------------------------------


class Reader(NamedTuple):
    """A reader of files and its name."""

    name: str
    read: Callable[[bytes], Games]


MODEL = Reader("model", read_by_model)
BYTES = Reader("bytes", read_bytes)
AS_WRITTEN = Reader("identifiers as written", partial(read_bytes, as_written=True))
UNKNOWN_AS_LATIN_1 = Reader("unknown charsets as Latin-1", read_unknown_as_latin_1)
TEXT_OF_GAMES = Reader("text of each game", read_text_of_games)
TEXT = Reader("text", read_text)
FIRST = Reader("first", partial(read_chosen, _first))
LAST = Reader("last", partial(read_chosen, _last))
JOINED = Reader("joined", partial(read_chosen, _joined))
