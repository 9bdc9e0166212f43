"""Random changes of a file: of tokens, of bytes, and additions.

Mutants have any of them, grammatical files some that keep the grammar, and the files of
:mod:`~sgf_lark.fuzz.violations` those after which a file still violates its rule.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import product

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, RandomChoices, word
from sgf_lark.fuzz.generating_files import Options, Writer, make_file, root_properties
from sgf_lark.fuzz.generating_trees import SHAPES, NewNode, Trees
from sgf_lark.fuzz.generating_values import VALUES, Values, non_ascii_letters
from sgf_lark.fuzz.tokens import find_tokens
from sgf_lark.model.loading import loads
from sgf_lark.model.values import Context
from sgf_lark.syntax import grammars as lark_grammars

Change = Callable[[bytes, Choices], bytes]

#: The default limit of the number of changes.
MOST_CHANGES = 4


def mutate(data: bytes, source: random.Random, *, changes: int = MOST_CHANGES) -> bytes:
    """Return `data` with 1 to `changes` changes at random places.

    Half of the changes concern tokens of ``sgf.lark``: they delete, repeat, swap, copy or
    insert tokens, unbalance parentheses, or replace identifiers, values, escapes and charset
    names. The others concern bytes. The outcome may conform; it may even be the same as
    `data`. The same `data` and the same state of `source` give the same outcome.
    """
    return make_mutant(data, RandomChoices(source), changes)


def make_mutant(data: bytes, choices: Choices, changes: int = MOST_CHANGES) -> bytes:
    """Return a mutant of `data`, as :func:`mutate` does, from any source of choices."""
    count = choices.count(1, changes)
    return _changed(data, choices, count, (_TOKEN_CHANGES, _BYTE_CHANGES))


def _changed(
    data: bytes, choices: Choices, count: int, groups: Sequence[Sequence[Change]]
) -> bytes:
    """Return the file after that many changes, each of any of the groups."""

    def change(data: bytes) -> bytes:
        return choices.choice(choices.choice(groups))(data, choices)

    for _ in range(count):
        data = choices.part(partial(change, data))
    return data


def enlarge(data: bytes, source: random.Random) -> bytes:
    """Return `data` with a large number in place of all, other than FF, GM and SZ."""
    return _replace_number(data, RandomChoices(source))


# --- Limits of parsers --------------------------------------------------------------

#: Sizes of buffers and numbers of bits, at which parsers are wrong by one.
_BOUNDARIES = (4096, 8192, 16384, 32768, 65536)
#: What must not be cut in two at a boundary.
_UNITS = (b"\\]", b"\\]", b"\\\\", b"\\\n", b"\r\n")
_LEAF = re.compile(rb"(?<=[\];])(?=\s*\))")


def stretch(data: bytes, source: random.Random) -> bytes:
    """Return a conforming file with something long or many at one place, as none has by chance.

    A long identifier is a warning, but the specification allows it.
    """
    choices = RandomChoices(source)
    places = [found.end() for found in _LEAF.finditer(data)]
    if not places or b"\0" in data:
        return data  # The tokens of UTF-16 and UTF-32 are not found in the bytes.
    at = choices.choice(places)
    return data[:at] + choices.choice(_STRETCHED)(data[:at], choices) + data[at:]


def _long_identifier(before: bytes, choices: Choices) -> bytes:
    length = choices.choice((3, 3, 4, 8, 9, 16, 17, 32, 33, 64, 65, 100))
    letters = (choices.integer(0, 25) for _ in range(length))
    return b";" + b"".join(b"%c" % (65 + letter) for letter in letters) + b"[a]"


def _long_value(before: bytes, choices: Choices) -> bytes:
    """Return a node with a comment of about as many bytes as a boundary.

    There are units around each boundary, counted from the beginning of the value and of the file.
    """
    # With eight bytes more there is room for units around the last boundary.
    more = choices.choice((-1, 0, 1, 8, 8, 8, 8, 8))
    content = bytearray(b"a" * (choices.choice((4096, 4096, 4096, 65536)) + more))
    phase, unit = choices.integer(0, 1), choices.choice(_UNITS)
    for boundary, start in product(_BOUNDARIES, (0, len(before) + len(b";C["))):
        at = boundary - start - 2 - phase
        if 0 <= at <= len(content) - 4:
            content[at : at + 4] = unit * 2
    return b";C[" + bytes(content) + b"]"


def _long_list(before: bytes, choices: Choices) -> bytes:
    return b";XX" + b"[a]" * (choices.choice((255, 256, 65535, 65536)) + choices.integer(0, 1))


#: A list is a hundred times as long as a usual file, and takes as much time.
_STRETCHED = (*[_long_identifier, _long_value, _long_value] * 5, _long_list)


# --- Changes of one part --------------------------------------------------------------

#: Finds the span of the part that a change is about, or None if there is none.
Find = Callable[[bytes, Choices], tuple[int, int] | None]
#: Returns what replaces a part; the arguments are the part, the file and the choices.
New = Callable[[bytes, bytes, Choices], bytes]


def _changing(find: Find, new: New) -> Change:
    """Return the change that replaces the part that `find` finds by what `new` returns for it."""

    def change(data: bytes, choices: Choices) -> bytes:
        found = find(data, choices)
        if found is None:
            return data
        start, end = found
        return data[:start] + new(data[start:end], data, choices) + data[end:]

    return change


def _nothing(part: bytes, data: bytes, choices: Choices) -> bytes:
    return b""


def _twice(part: bytes, data: bytes, choices: Choices) -> bytes:
    return part * 2


def _one_of(*words: bytes) -> New:
    return lambda part, data, choices: choices.choice(words)


# --- Tokens -------------------------------------------------------------------------

#: The number of bytes around a place that a change may read, so that its cost is constant.
_WINDOW = 400


def _place(pattern: re.Pattern[bytes], data: bytes, choices: Choices) -> tuple[int, int] | None:
    """Return the span of a match of `pattern` near a random place, or else in the first bytes."""
    start = choices.integer(0, len(data))
    end = min(start, _WINDOW)
    found = pattern.search(data, start, start + _WINDOW) or pattern.search(data, 0, end)
    return found.span() if found else None


def _tokens(data: bytes, choices: Choices) -> list[tuple[int, int]]:
    """Return the spans of the tokens near a random place."""
    start = choices.integer(0, len(data))
    begin = max(data.rfind(b";", 0, start), 0)
    end = min(len(data), start + _WINDOW)
    return [found.span() for found in find_tokens(data, begin, end)]


def _some_token(data: bytes, choices: Choices) -> tuple[int, int]:
    found = _tokens(data, choices)
    return choices.choice(found) if found else (0, 0)


def _in_value(data: bytes, choices: Choices) -> tuple[int, int]:
    """Return a place in a value, or the end of the file."""
    place = _place(_VALUE, data, choices)
    at = choices.integer(*place) if place else len(data)
    return at, at


def _swap_tokens(data: bytes, choices: Choices) -> bytes:
    found = _tokens(data, choices)
    if len(found) < 2:
        return data
    (start, middle), (_, end) = found[(at := choices.integer(0, len(found) - 2))], found[at + 1]
    return data[:start] + data[middle:end] + data[start:middle] + data[end:]


def _copy_tokens(data: bytes, choices: Choices) -> bytes:
    """Copy a few tokens to another place."""
    found = _tokens(data, choices)
    if not found:
        return data
    first = choices.integer(0, len(found) - 1)
    copied = found[first : first + choices.integer(0, 6) + 1]
    _, place = _some_token(data, choices)
    return data[:place] + data[copied[0][0] : copied[-1][1]] + data[place:]


def _and_token(part: bytes, data: bytes, choices: Choices) -> bytes:
    """Return the token with another one after it."""
    terminals = sorted(lark_grammars.terminal_patterns("sgf.lark"))
    return part + word("sgf.lark", choices.choice(terminals), Making(choices))


_IDENT = re.compile(rb"(?<![A-Z])[A-Z]++(?=\s*+\[)")
_PROPERTY = re.compile(rb"(?<![A-Z])[A-Z]++(?:\s*\[(?:[^\]\\]|\\.)*\])+", re.DOTALL)
_VALUE = re.compile(rb"(?<=\[)(?:[^\]\\]|\\.)*(?=\])", re.DOTALL)


@cache
def _idents() -> tuple[bytes, ...]:
    known = dict.fromkeys(entry.ident.encode() for entry in grammar.properties())
    return (*known, b"ZZ", b"X")


def _some_ident(part: bytes, data: bytes, choices: Choices) -> bytes:
    """Return an identifier of the file, or any."""
    own: list[bytes] = sorted({*_IDENT.findall(data)})
    return choices.choice(_idents() if choices.integer(0, 1) else own)


def _some_value(part: bytes, data: bytes, choices: Choices) -> bytes:
    """Return a word of any type, or another value of the file."""
    new = word(VALUES, choices.choice(sorted(lark_grammars.value_types())), Making(choices))
    other = _place(_VALUE, data, choices) if choices.integer(0, 1) else None
    return new if other is None else data[other[0] : other[1]]


def _some_letter(part: bytes, data: bytes, choices: Choices) -> bytes:
    """Return a non-ASCII letter in the charset of the file, or in another one."""
    codec = choices.choice((_context(data).codec, "utf-8", "latin-1"))
    return choices.choice(non_ascii_letters(codec) or (b"?",))


_replace_ident = _changing(partial(_place, _IDENT), _some_ident)
_replace_value = _changing(partial(_place, _VALUE), _some_value)
_insert_token = _changing(_some_token, _and_token)
_insert_letter = _changing(_in_value, _some_letter)
#: Escapes, and characters that need one.
_ESCAPES = (b"\\", b"\\\\", b"\\]", b"\\:", b"\\\n", b"]", b":", b"[")
_UNBALANCED = (b"", b"((", b"))", b"(", b")", b")(", b"(;")

#: A number, other than those that decide on the meaning of the others.
_NUMBER = re.compile(rb"(?<=\[)(?<!FF\[)(?<!GM\[)(?<!SZ\[)[+-]?[0-9]+(?=\])")
#: Numbers that do not fit into 16, 32 or 64 bits, with and without a sign.
_LARGE_NUMBERS = tuple(b"%d" % (1 << bits) for bits in (15, 16, 31, 32, 63, 64))


def _replace_number(data: bytes, choices: Choices) -> bytes:
    """Replace all numbers by a large one."""
    return _NUMBER.sub(choices.choice(_LARGE_NUMBERS), data)


_CHARSET = re.compile(rb"(?<=CA\[)[^\]]*")


def _replace_charset(data: bytes, choices: Choices) -> bytes:
    charset = choices.choice(grammar.charsets())
    name = choices.choice((charset.name, *charset.aliases, *charset.near)).encode()
    place = _place(_CHARSET, data, choices)
    if place is not None:
        return data[: place[0]] + name + data[place[1] :]
    at = data.find(b";") + 1
    return data[:at] + b"CA[" + name + b"]" + data[at:]


_WORD = re.compile(rb"[A-Za-z]+|[0-9]+")
_ALPHABETS = (string.ascii_lowercase.encode(), string.ascii_uppercase.encode(), b"0123456789")


def _rename_word(data: bytes, choices: Choices) -> bytes:
    """Replace a word by another one of as many letters or digits, wherever it occurs."""
    words = sorted({*_WORD.findall(data)})
    if not words:
        return data
    old = choices.choice(words)
    alphabets = [next(found for found in _ALPHABETS if byte in found) for byte in old]
    new = b"".join(b"%c" % choices.choice(alphabet) for alphabet in alphabets)
    return _WORD.sub(lambda found: new if found[0] == old else found[0], data)


_TOKEN_CHANGES: tuple[Change, ...] = (
    _changing(_some_token, _nothing),
    _changing(_some_token, _twice),
    _swap_tokens,
    _copy_tokens,
    # Parsers keep the first one of a repeated property, the last or both.
    _changing(partial(_place, _PROPERTY), _twice),
    _insert_token,
    _changing(partial(_place, re.compile(rb"[()]")), _one_of(*_UNBALANCED)),
    _replace_ident,
    _replace_value,
    _replace_number,
    _changing(_in_value, _one_of(*_ESCAPES)),
    _insert_letter,
    _rename_word,
    _replace_charset,
)


# --- Bytes --------------------------------------------------------------------------

_STRUCTURE = b"()[];:\\,ABWCtt19 \n"


def _range(limit: int, data: bytes, choices: Choices) -> tuple[int, int]:
    """Return the span of 1 to `limit` bytes; it is shorter at the end of the data."""
    start = choices.integer(0, len(data))
    return start, min(len(data), start + choices.integer(1, limit))


def _flipped(part: bytes, data: bytes, choices: Choices) -> bytes:
    return bytes(byte ^ (1 << choices.integer(0, 7)) for byte in part)


def _after_byte(part: bytes, data: bytes, choices: Choices) -> bytes:
    """Return the part with another byte before it."""
    new = choices.choice((choices.choice(_STRUCTURE), 0, 0xFF, 0xE9))
    if choices.chance(3):
        new = choices.integer(0, 255)
    return b"%c" % new + part


def _truncate(data: bytes, choices: Choices) -> bytes:
    start, _ = _range(1, data, choices)
    return data[start:] if choices.chance(4) else data[:start]


def _repeated(part: bytes, data: bytes, choices: Choices) -> bytes:
    return part * (1 + choices.integer(1, 8))


#: Control characters, byte order marks, parts of multibyte characters and escape sequences.
_INTERESTING = (
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x80", b"\xe8\xa1\xa8", b"\x95\\", b"\x1a", b"\r"),
    *(b"\xc3", b"\x7f", b"\x01", b"\xed\xa0\x80", b"\x1b$B"),
)


_MARKS = (b"\xef\xbb\xbf", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def _mark(data: bytes, choices: Choices) -> bytes:
    """Insert a byte order mark at the start."""
    return choices.choice(_MARKS) + data


_insert_byte = _changing(partial(_range, 1), _after_byte)
_BYTE_CHANGES: tuple[Change, ...] = (
    _changing(partial(_range, 1), _flipped),
    _insert_byte,
    _changing(partial(_range, 20), _nothing),
    _truncate,
    _changing(partial(_range, 20), _repeated),
    _changing(partial(_range, 2), _one_of(*_INTERESTING)),
    _mark,
)


# --- Additions ----------------------------------------------------------------------------

_END_OF_NODE = re.compile(rb"(?<=[\];])(?=\s*[();])")


@lru_cache(maxsize=16)
def _context(data: bytes) -> Context:
    """Return game, file format and board of the first game tree."""
    tree = next(iter(loads(data, tolerant=True, charset_mode="auto")), None)
    return Context(1, 4, (19, 19)) if tree is None else tree.parsed.context


def _insert_in_node(data: bytes, choices: Choices, new: bytes) -> bytes:
    """Insert at the end of a node."""
    places = [found.end() for found in _END_OF_NODE.finditer(data)]
    at = choices.choice(places) if places else len(data)
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
    return _insert_in_node(data, choices, line)


def _add_property(data: bytes, choices: Choices) -> bytes:
    """Add properties to a node."""
    new = _generated(data, choices, 0, frozenset({"setup"}))
    return _insert_in_node(data, choices, Writer(choices).node(new).lstrip().lstrip(b";"))


def _add_tree(data: bytes, choices: Choices) -> bytes:
    """Write another game tree before or after the file."""
    root = _generated(data, choices, choices.integer(0, 3), frozenset())
    root.properties[:0] = root_properties(choices, _context(data), None)
    tree = Writer(choices).tree(root)
    return tree + data if choices.chance(2) else data + tree


#: Changes after which a file often violates the same rule as before.
SMALL_CHANGES: tuple[Change, ...] = (
    *(_rename_word, _rename_word, _rename_word, _replace_ident),
    *(_insert_token, _insert_byte, _insert_letter, _replace_charset),
)
ADDITIONS: tuple[Change, ...] = (_add_nodes, _add_property, _add_tree)
#: Changes after which a file still follows the grammar.
_GRAMMATICAL_CHANGES: tuple[Change, ...] = (_replace_ident, _replace_value, _replace_number)
_MOST_GRAMMATICAL_CHANGES = 12


def make_grammatical(choices: Choices, options: Options) -> bytes:
    """Return a file that follows the EBNF, with any properties and values in any nodes."""
    data = make_file(choices, replace(options, long_names=False))
    if b"\0" in data:
        return data  # The tokens of UTF-16 and UTF-32 are not found in the bytes.
    count = choices.count(0, _MOST_GRAMMATICAL_CHANGES)
    return _changed(data, choices, count, (_GRAMMATICAL_CHANGES,))


def make_syntactic(choices: Choices) -> bytes:
    """Return a word of ``sgf.lark``, with identifiers and values that mean nothing."""

    def gap() -> bytes:
        return word("sgf.lark", "WHITE_SPACE", Making(choices)) if choices.chance(6) else b""

    return word("sgf.lark", "collection", Making(choices, fuel=20, gap=gap))
