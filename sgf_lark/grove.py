"""Converts SGF to plain lists and dicts, which JSON can hold, and back.

The interface is that of the Perl module Games::Go::SGF::Grove: a collection is a
list of games, a game a list of nodes (the main line), a node a dict with its
properties under their upper-case identifiers and, under ``variations``, a list of
games that continue it.

======================  ==========================================================
value                   here
======================  ==========================================================
None                    ``None``
Number, Double          an ``int``
Real                    a ``float``, or an ``int`` where it is written as one
Color                   ``"B"`` or ``"W"``
SimpleText, Text        a ``str``, decoded
Point, Stone            ``[x, y]``, 0-based from the upper left
Move                    ``[x, y]``, or ``[]`` for a pass; in games other than Go a
                        move that is not a single point is its text in SGF
Compose                 a list of two
list, elist             a list; rectangles are expanded
unknown property        a list of the values as written, escapes included
invalid value           the text as written
======================  ==========================================================

Keys that begin with ``_`` or have lower-case letters are ignored and not written.

The evident errors of the Perl module are not copied:

* A rectangle includes both corners; the Perl module omits its lower and right sides.
* Colons are only escaped inside composed values, not in every text.
* A list property is always a list and any other never. The table of the Perl module lacks
  the ``:`` of composed values, so it splits labels, lines and arrows in another way, and
  ``SZ[19:13]`` becomes 19.
* Soft line breaks are removed; the Perl module replaces them by blanks, and takes ``\\\\``
  before a line break for one.
* ``PL[b]``, ``PL[1]`` and ``PL[2]`` are ``"B"`` or ``"W"``; the Perl module returns a
  lower-case letter for the first.
* ``B[tt]`` is a pass, ``[]``, on boards of up to 19 lines, and ``[19, 19]`` is refused there; for
  the Perl module it is a point on all boards.
* Where a sequence goes on after a node with variations, its rest is written as the first of them;
  the Perl module writes it after them, which is not SGF.
* A value that is not of its type is returned as it is written; the Perl module stops at an
  invalid Double, Color or None, and reads other values as far as they look like numbers.
* Text that cannot be decoded in its charset is still text; the Perl module returns an
  internal structure for it, and for empty texts and the text ``0``.

As in the Perl module, a "]" that ends no value is a part of the text; all other damage raises
SGFSyntaxError. Text without CA is decoded as windows-1252, because many files are in it.

What :func:`decode_sgf` returns can always be encoded, and decodes to the same again, except that
the root has FF, GM, CA and AP then, and that text may be read in another charset then where it is
uncertain in which one it is. For that, CA is left out where the text is not in the
charset that it names, or may have no equivalent in it (as in ISO-2022 and HZ); a "]" in a value
that is returned as written is escaped; and of several FF, GM, CA or SZ in a root the first counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sgf_lark import __version__, grammar
from sgf_lark.atomic_files import write_file
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.collection import Collection
from sgf_lark.model.context import root_context
from sgf_lark.model.property import Expansion
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Compose, Context, Move, Point
from sgf_lark.model.values.notations import has_short_pass
from sgf_lark.model.values.points import LETTERS
from sgf_lark.model.values.reader import ValueReader, reader
from sgf_lark.model.values.writer import write_all
from sgf_lark.syntax.errors import syntax_error
from sgf_lark.syntax.parsing import CONTEXT_PROPERTIES, ParsedFile, parse_if_strict
from sgf_lark.syntax.tolerant import parse_tolerant
from sgf_lark.text.charsets import lookup
from sgf_lark.text.decoding import decode

Game = list[dict[str, Any]]

#: The key for the games that continue a node.
VARIATIONS = "variations"

#: The codes of accepted damage: a "]" in a text, lower-case letters beside capital ones in
#: identifiers.
_ACCEPTED_DAMAGE = {"SGF114", "SGF118"}

_DEFAULT_CHARSET = "windows-1252"


def load_sgf(path: str | os.PathLike[str]) -> list[Game]:
    """Read the games in a file. Raises OSError, and SGFSyntaxError as :func:`decode_sgf`."""
    return decode_sgf(Path(path).read_bytes())


def save_sgf(path: str | os.PathLike[str], game: Sequence[Game]) -> None:
    """Write games to a file, which is only replaced after everything is written.

    Raises OSError, and ValueError or TypeError as :func:`encode_sgf`.
    """
    write_file(Path(path), encode_sgf(game))


# --- Decoding -------------------------------------------------------------------------


def decode_sgf(data: bytes | str) -> list[Game]:
    """Convert `data`, the content of an SGF file, to games.

    Raises SGFSyntaxError; ValueError if its rectangles have many times more points than it has
    bytes.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
        decoding = decode(data, charset="UTF-8", mode="text")
    else:
        decoding = decode(data, default_charset=_DEFAULT_CHARSET)
    flat = parse_if_strict(decoding.data)
    if flat is None:
        damaged = parse_tolerant(decoding.data)
        codes = {damage.code for damage in damaged.damage + damaged.lowercase}
        has_names = not any((damage.ident or "").islower() for damage in damaged.lowercase)
        if not codes <= _ACCEPTED_DAMAGE or not has_names or not damaged.flat.roots:
            raise syntax_error(decoding.data, decoding.source("latin-1"))
        flat = damaged.flat
    expansion = Expansion(len(data))
    return [_game(tree, expansion) for tree in Collection.of_file(ParsedFile(decoding, flat))]


class _ValueContext(NamedTuple):
    """How the values of a tree are read; `to_utf_8` is whether they will be written in UTF-8, and
    not in the charset of the tree."""

    reader: ValueReader
    to_utf_8: bool
    expansion: Expansion

    @property
    def codec(self) -> str:
        """The codec of the charset of the tree."""
        return self.reader.context.codec


def _game(tree: GameTree, expansion: Expansion) -> Game:
    """The main line with what continues it, without recursion. CA is left out if not all text can
    be written in its charset."""
    how = _ValueContext(tree.parsed.reader, not _can_be_written_in_ca(tree), expansion)
    main: Game = []
    flat, root = tree.parsed.flat, tree.parsed.numbers[0]
    # Each node with the sequence to which it belongs.
    stack: list[tuple[int, Game]] = [(root, main)]
    while stack:
        node, sequence = stack.pop()
        plain = _node(flat, node, how, is_root=node == root)
        sequence.append(plain)
        children = flat.children_of(node)
        if len(children) == 1 and children[0] not in flat.opening:
            stack.append((children[0], sequence))
        elif children:
            games: list[Game] = [[] for _ in children]
            plain[VARIATIONS] = games
            stack.extend(reversed(list(zip(children, games, strict=True))))
    if how.to_utf_8:
        main[0].pop("CA", None)
    return main


#: In place of bytes that are not valid in the charset; not all charsets have it.
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def _can_be_written_in_ca(tree: GameTree) -> bool:
    """Whether the charset that CA names is that of the tree, and has all of its text.

    Charsets that shift between character sets are excluded: what is not valid in them has no
    equivalent.
    """
    flat, codec = tree.parsed.flat, tree.charset
    named = lookup(tree.parsed.root_values.get("CA", b"").decode("latin-1"))[0]
    if named is None or not named.superset or named.codec != codec or _has_shifts(codec):
        return False
    props = (prop for node in tree.parsed.numbers for prop, _ in flat.idents(node))
    try:
        if not flat.data.isascii() and not _REPLACEMENT.encode(codec, "ignore"):
            b"\n".join(raw for prop in props for raw in flat.raw(prop)).decode(codec)
    except UnicodeDecodeError:
        return False
    return True


@cache
def _has_shifts(codec: str) -> bool:
    """Whether the codec writes Chinese characters in bytes of ASCII."""
    written = "\u4e2d".encode(codec, "ignore")
    return written != b"" and written.isascii()


def _node(flat: FlatTree, node: int, how: _ValueContext, *, is_root: bool) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for prop, ident in flat.idents(node):
        definition = how.reader.definitions[ident]
        found = _property(definition, flat.raw(prop), how)
        if ident in plain:
            known = plain[ident]
            if isinstance(known, list) and (definition is None or definition.takes_many):
                known.extend(found)
                continue
            if is_root and ident in CONTEXT_PROPERTIES:
                continue
        plain[ident] = found
    return plain


def _property(definition: PropertyDefinition | None, raws: list[bytes], how: _ValueContext) -> Any:
    if definition is None:
        return [_as_written(raw, how) for raw in raws]
    if not definition.takes_many:
        return _value(definition, raws[0], how)
    if definition.may_be_empty and raws == [b""]:
        return []
    found: list[Any] = []
    for raw in raws:
        try:
            values = how.reader.read_all(definition, [raw])
        except ValueError:
            found.append(_as_written(raw, how))
            continue
        how.expansion.add(len(values) - 1)
        found += [_plain(value, how) for value in values]
    return found


def _value(definition: PropertyDefinition, raw: bytes, how: _ValueContext) -> Any:
    if definition.alternatives[0].first == "color":
        raw = {b"1": b"B", b"2": b"W", b"b": b"B", b"w": b"W"}.get(raw, raw)
    try:
        value = how.reader.read_single(definition.ident, raw)
    except ValueError:
        return _as_written(raw, how)
    if not definition.is_text and not raw.isascii() and not isinstance(value, Compose):
        return _as_written(raw, how)
    if isinstance(value, float) and value.is_integer() and b"." not in raw:
        return int(value)
    return _plain(value, how)


#: An escaped character; or a "]" or an escape character that is not escaped.
_ESCAPED_OR_SPECIAL = re.compile(rb"(?s)(\\.)|[\]\\]")


def _as_written(raw: bytes, how: _ValueContext) -> str:
    """The value with its escapes, and one for each "]" that lacks it."""
    if not how.to_utf_8:
        return _closed(raw).decode(how.codec, "surrogateescape")
    codec = how.codec
    # Here, a "\\" may be a byte of a character, so that the text decides what is escaped.
    text = raw.decode("latin-1" if _has_shifts(codec) else codec, "replace")
    return _closed(text.encode()).decode()


def _closed(raw: bytes) -> bytes:
    """The value with an escape for each "]" that lacks it, and for one at its end."""
    return _ESCAPED_OR_SPECIAL.sub(lambda found: found[1] or b"\\" + found[0], raw)


def _plain(value: Any, how: _ValueContext) -> Any:
    """A typed value as JSON can hold it."""
    if isinstance(value, Compose):
        return [_plain(value.left, how), _plain(value.right, how)]
    if isinstance(value, Move):
        return list(value.point) if value.point is not None else []
    if isinstance(value, Point):
        return [value.column, value.row]
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, bytes):
        return _as_written(value, how)
    return str(value)


# --- Encoding -------------------------------------------------------------------------


def encode_sgf(game: Sequence[Sequence[Mapping[str, Any]]]) -> bytes:
    """Convert games to the content of an SGF file.

    Roots without FF, GM, CA or AP are written with FF[4], GM[1], CA[UTF-8] and the name of
    this package; `game` itself is not changed. Raises ValueError or TypeError for a value
    that SGF cannot hold, with the identifier in the message.
    """
    return b"\n".join(_write_game(nodes) for nodes in game) + b"\n"


def _write_game(nodes: Sequence[Mapping[str, Any]]) -> bytes:
    _check_nodes(nodes, "game")
    defaults: dict[str, Any] = {"FF": 4, "GM": 1, "CA": "UTF-8", "AP": ["sgf_lark", __version__]}
    own = {key: value for key, value in nodes[0].items() if key not in defaults or value}
    root = {**defaults, **own}
    context = _context(root)
    parts: list[bytes] = []
    # Sequences and closing parentheses that are not written yet; the next one is the last.
    stack: list[bytes | Sequence[Mapping[str, Any]]] = [[root, *nodes[1:]]]
    while stack:
        item = stack.pop()
        if isinstance(item, bytes):
            parts.append(item)
            continue
        _check_nodes(item, "variation")
        parts.append(b"(")
        stack.append(b")")
        for index, node in enumerate(item):
            parts.append(b";" + b"".join(_write_node(node, context)))
            if games := node.get(VARIATIONS):
                if not isinstance(games, (list, tuple)):
                    raise TypeError(f"{VARIATIONS} are a list of games")
                if index + 1 < len(item):
                    # The rest of the sequence is the first variation.
                    games = [item[index + 1 :], *games]
                stack.extend(reversed(games))
                break
    return b"".join(parts)


def _check_nodes(nodes: object, what: str) -> None:
    if not isinstance(nodes, (list, tuple)) or not all(isinstance(each, Mapping) for each in nodes):
        raise TypeError(f"a {what} is a list of nodes, each a dict with properties")
    if not nodes:
        raise ValueError(f"a {what} has at least one node")


#: The point that "tt" names, which is a pass on boards of up to 19 lines.
_SHORT_PASS = ([19, 19], (19, 19))
#: The size of the largest board whose points have names.
_LARGEST_SIZE = len(LETTERS), len(LETTERS)


def _context(root: Mapping[str, Any]) -> Context:
    """The context for writing values, from the properties of the root."""
    charset = str(root["CA"])
    known = lookup(charset)[0]
    if known is None or not known.superset:
        raise ValueError(f"no SGF file can be in {charset!r}")
    raw = {}
    for ident in ("FF", "GM", "SZ"):
        value = root.get(ident)
        if isinstance(value, (list, tuple)):
            value = ":".join(map(str, value))
        if value is not None:
            raw[ident] = str(value).encode("ascii", "replace")
    context = root_context(raw, known.codec)
    # Points outside the board are written as they were read, passes as they are on the board.
    is_large_board_of_go = reader(context).rule("move") == "go_move" and not has_short_pass(
        context.size
    )
    return context._replace(size=_LARGEST_SIZE if is_large_board_of_go else None)


def _write_node(node: Mapping[str, Any], context: Context) -> Iterator[bytes]:
    for ident, value in node.items():
        if not _is_identifier(ident):
            continue
        definition = grammar.definition(ident, context.game, context.file_format)
        try:
            raws = _raws(definition, value, context)
            if any(b"\0" in raw for raw in raws):
                raise ValueError("SGF is text, which has no zero byte (U+0000)")
        except TypeError as error:
            raise TypeError(f"{ident}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{ident}: {error}") from None
        yield ident.encode() + b"".join(b"[" + raw + b"]" for raw in raws)


def _is_identifier(key: str) -> bool:
    return key.isascii() and key.isalpha() and key.isupper()


def keys_left_out(games: Sequence[Game]) -> Iterator[tuple[str, str]]:
    """Yield the key of each entry that :func:`encode_sgf` leaves out of these games, which it has
    accepted, with the JSON pointer of its node, in no order; keys that begin with "_" are meant to
    be left out."""
    lists = [("", games)]
    while lists:
        pointer, found = lists.pop()
        for number, game in enumerate(found):
            for index, node in enumerate(game):
                place = f"{pointer}/{number}/{index}"
                for key, value in node.items():
                    if key == VARIATIONS:
                        lists.append((f"{place}/{key}", value or ()))
                    elif not (_is_identifier(key) or key.startswith("_")):
                        yield place, key


def _raws(definition: PropertyDefinition | None, value: Any, context: Context) -> list[bytes]:
    if definition is None:
        items = value if isinstance(value, (list, tuple)) else [value]
        return write_all(None, [_raw(item, context) for item in items], context)
    if not definition.takes_many:
        return [_write_value(definition, value, context)]
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"a list is needed, not {value!r}")
    if not value:
        return write_all(definition, [], context)
    return [_write_value(definition, item, context) for item in value]


def _write_value(definition: PropertyDefinition, value: Any, context: Context) -> bytes:
    """Write a value by its type, or a text as it is if the type does not allow it."""
    typed = value
    kind = definition.alternatives[-1]
    if kind.first == "move" and value == []:
        typed = Move(None)
    elif kind.first == "move" and value in _SHORT_PASS and context.size is None:
        if reader(context).rule("move") == "go_move":
            raise ValueError(f"{value!r} would be read as a pass on a board of this size")
    elif kind.composed and isinstance(value, (list, tuple)) and len(value) == 2:
        # Points in an unknown notation are written as they are.
        rules = map(reader(context).rule, (kind.first, kind.second))
        typed = tuple(
            _raw(half, context) if rule == "unknown" else half
            for rule, half in zip(rules, value, strict=True)
        )
    try:
        many = [typed] if definition.takes_many else typed
        return write_all(definition, many, context)[0]
    except (TypeError, ValueError):
        if not isinstance(value, str):
            raise
    return write_all(None, _raw(value, context), context)[0]


def _raw(value: Any, context: Context) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"a text is needed, not {value!r}")
    return value.encode(context.codec, "surrogateescape")


__all__ = ["decode_sgf", "encode_sgf", "load_sgf", "save_sgf"]
