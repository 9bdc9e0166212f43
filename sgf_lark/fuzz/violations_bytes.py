"""Recipes for violations of the rules of syntax (0xx, 1xx) and of charset and text (2xx)."""

from __future__ import annotations

import codecs
import re
from itertools import pairwise

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, word_of_pattern
from sgf_lark.fuzz.generating_values import non_ascii_letters
from sgf_lark.fuzz.violations_base import Draft, violates
from sgf_lark.fuzz.violations_values import draft_for, kind_of
from sgf_lark.text import charsets

#: The tokens of a conforming file.
_TOKEN = re.compile(
    rb"(?P<mark>[();])|(?P<ident>[A-Z]+)|(?P<value>\[(?:[^\]\\]|\\.)*\])", re.DOTALL
)

Span = tuple[int, int]


def _word(choices: Choices, pattern: str = "[a-z]{1,8}") -> bytes:
    return word_of_pattern(pattern, choices)


def _tokens(data: bytes) -> list[tuple[bytes, int, int]]:
    """Return kind, start and end of each token.

    The kind is "i" for an identifier, "v" for a value, and else the token itself.
    """
    found = []
    for match in _TOKEN.finditer(data):
        kind = match[0] if match["mark"] else (b"i" if match["ident"] else b"v")
        found.append((kind, *match.span()))
    return found


def _offset(choices: Choices, data: bytes, after: bytes, before: bytes) -> int:
    """Return an offset after a token of one kind in `after` and before one in `before`."""
    found = [
        end
        for (kind, _, end), (following, _, _) in pairwise(_tokens(data))
        if kind in after and following in before
    ]
    return choices.choice(found)


def _insert(choices: Choices, new: bytes, after: bytes = b"v", before: bytes = b";()") -> bytes:
    """Return a conforming file with `new` inserted between two tokens of these kinds."""
    data = Draft(choices, least=1).data()
    at = _offset(choices, data, after, before)
    return data[:at] + new + data[at:]


# --- Outside the game trees -----------------------------------------------------------


@violates("SGF002")
def no_game_tree(choices: Choices) -> bytes:
    """Return an empty or blank file, or text without a game tree."""
    return choices.choice((b"", b" \n", _word(choices, r"[a-z ,;\[\]A-Z0-9)]{1,30}"), b"("))


_OUTSIDE = r"[a-z][a-z ,.;!0-9-]{0,20}"


@violates("SGF101", "SGF102", "SGF108", "SGF109")
def text_outside(choices: Choices, code: str) -> bytes:
    """Put text, parentheses or a property before or after the game trees."""
    data = Draft(choices).data()
    if code == "SGF101":
        return _word(choices, _OUTSIDE) + choices.choice((b"", b" ", b"\n")) + data
    rest = {
        "SGF102": _word(choices, _OUTSIDE),
        "SGF108": b")" * choices.integer(1, 3),
        "SGF109": _word(choices, r"[A-Z]{1,2}\[[a-z]{0,3}\]"),
    }[code]
    return data.rstrip() + choices.choice((b"", b" ", b"\n")) + rest


# --- Game trees ---------------------------------------------------------------------


@violates("SGF103")
def missing_semicolon(choices: Choices) -> bytes:
    """Remove the semicolon of the first node of a game tree."""
    data = Draft(choices, least=2).data()
    tokens = _tokens(data)
    found = [
        start
        for (before, _, _), (kind, start, _), (after, _, _) in zip(
            tokens, tokens[1:], tokens[2:], strict=False
        )
        if (before, kind, after) == (b"(", b";", b"i")
    ]
    at = choices.choice(found)
    return data[:at] + choices.choice((b"", b" ")) + data[at + 1 :]


@violates("SGF104")
def empty_tree(choices: Choices) -> bytes:
    """Insert a game tree without nodes."""
    return _insert(choices, choices.choice((b"()", b"( )", b"\n()")), b"v)", b")")


@violates("SGF105")
def tree_without_sequence(choices: Choices) -> bytes:
    """Put a second pair of parentheses around a game tree."""
    data = Draft(choices, least=1).data()
    stack: list[int] = []
    found: list[Span] = []
    for kind, start, end in _tokens(data):
        if kind == b"(":
            stack.append(start)
        elif kind == b")":
            found.append((stack.pop(), end))
    start, end = choices.choice(found)
    return data[:start] + b"(" + data[start:end] + b")" + data[end:]


@violates("SGF106")
def node_after_variation(choices: Choices) -> bytes:
    """Insert a node after a variation."""
    draft = Draft(choices, least=1)
    draft.add(("C", [draft.word()]))
    draft.add(("C", [draft.word()]))
    data = draft.data()
    at = _offset(choices, data, b")", b")")
    return data[:at] + b";C[" + draft.word() + b"]" + data[at:]


@violates("SGF107")
def unclosed_tree(choices: Choices) -> bytes:
    """Remove closing parentheses at the end."""
    data = Draft(choices).data().rstrip(b") \t\r\n\v\f") if choices.chance(2) else None
    if data is None:
        data = Draft(choices).data().rstrip()[:-1]
    return data + choices.choice((b"", b"\n"))


# --- Properties and values --------------------------------------------------------------


@violates("SGF110")
def property_without_value(choices: Choices) -> bytes:
    """Insert an identifier without a value."""
    return _insert(choices, choices.choice((b"", b" ")) + _word(choices, "[A-Z]{1,2}"))


@violates("SGF111")
def value_without_property(choices: Choices) -> bytes:
    """Insert values without an identifier."""
    return _insert(choices, _word(choices, r"(\[[a-z ]{0,5}\]){1,2}"), b";", b"i")


def _in_identifier(choices: Choices, least: int, most: int) -> tuple[bytes, int, int]:
    """Return a file, and start and end of an identifier of `least` to `most` letters in it.

    Both are 0 if white space follows each identifier.
    """
    draft = Draft(choices)
    word = draft.word()
    draft.add(("N", [word]), ("C", [word]), ("GB", [b"1"]), anywhere=True)
    data = draft.data()
    found = [
        (start, end)
        for (kind, start, end), (_, value, _) in pairwise(_tokens(data))
        if kind == b"i"
        and end == value
        and least <= end - start <= most
        and data[start:end] not in (b"CA", b"FF", b"GM", b"SZ")
    ]
    return data, *(choices.choice(found) if found else (0, 0))


@violates("SGF112", "SGF113", "SGF114")
def damaged_identifier(choices: Choices, code: str) -> bytes:
    """Insert white space, digits or lowercase letters into an identifier."""
    data, start, end = _in_identifier(choices, 2 if code == "SGF112" else 1, 2)
    if start == end:
        return damaged_identifier(choices.bulk(), code)
    insertions = {
        "SGF112": (choices.choice((b" ", b"\n", b"\t")), start + 1),
        "SGF113": (_word(choices, "[0-9_]{1,3}"), choices.integer(start, end)),
        "SGF114": (_word(choices, "[a-z]{1,5}"), choices.integer(start, end)),
    }
    new, at = insertions[code]
    return data[:at] + new + data[at:]


@violates("SGF118")
def unescaped_bracket(choices: Choices) -> bytes:
    """Write a text with an unescaped bracket."""
    draft = Draft(choices)
    entry = draft.define(choices.choice(("C", "N")))
    inner = choices.choice((b"%s [%s] %s", b"%s] %s%s", b"%s [%s]%s"))
    draft.place(entry, inner % (draft.word(), draft.word(), draft.word()))
    return draft.data()


@violates("SGF119")
def unclosed_value(choices: Choices) -> bytes:
    """End the file inside a value."""
    data = Draft(choices).data().rstrip(b") \t\r\n\v\f")
    text = _word(choices, r"[A-Za-z ]{0,10}[a-z](\\\]|\)|\\\\){0,3}")
    return data + b";" + choices.choice((b"C[", b"N [")) + text


@violates("SGF120")
def junk(choices: Choices) -> bytes:
    """Insert characters that are not part of any token."""
    return _insert(choices, choices.choice((b",", b" 5", b"-", b".", b"#7", b" abc ", b"!?", b'"')))


@violates("SGF121", "SGF122")
def control_characters(choices: Choices, code: str) -> bytes:
    """Insert NUL bytes or other control characters between tokens."""
    new = b"\0" if code == "SGF121" else choices.choice((b"\x01", b"\x1f", b"\x7f", b"\x02\x03"))
    if code == "SGF121" and choices.chance(2):
        draft = Draft(choices)
        draft.place(draft.define("C"), draft.word() + new + draft.word())
        return draft.data()
    return _insert(choices, new, b"v", b";()i")


# --- Charsets -------------------------------------------------------------------------

#: Charsets in which the second byte of a character can be a delimiter of SGF.
_WITH_ASCII_TRAIL_BYTES = ("Shift_JIS", "Big5", "GBK", "GB18030")


def _with_text(choices: Choices, name: str | None, text: bytes, ca: bytes | None = None) -> bytes:
    """Return a tree with that text in a comment, whose CA is `name` or the bytes `ca`."""
    draft = Draft(choices, charset=name)
    draft.alone = True
    if ca is not None:
        draft.root.properties.insert(1, ("CA", [ca]))
    draft.add(("C", [text]), anywhere=True)
    return draft.data()


def _text(choices: Choices, codec: str, count: int) -> bytes:
    """Return `count` non-ASCII letters, none of which needs an escape."""
    plain = [letter for letter in non_ascii_letters(codec) if not set(letter) & set(b"\\]:[")]
    return b"".join(choices.choice(plain) for _ in range(count))


@violates("SGF201")
def byte_order_mark(choices: Choices) -> bytes:
    """Put a byte order mark before the file."""
    draft = Draft(choices, charset=None)
    return codecs.BOM_UTF8 + draft.data()


#: Value types whose values are neither texts nor empty, and have one notation in all games.
_PLAIN_TYPES = frozenset({"number", "real", "double", "color", "point", "stone"})


@violates("SGF202")
def non_ascii_value(choices: Choices) -> bytes:
    """Insert a non-ASCII byte into a value that is not a text."""
    draft, entry = draft_for(
        choices, lambda entry: kind_of(entry) in _PLAIN_TYPES and entry.type != "root"
    )
    raw = draft.valid(entry)[0]
    at = choices.integer(0, len(raw))
    draft.name = None
    draft.root.properties = [one for one in draft.root.properties if one[0] != "CA"]
    draft.place(entry, raw[:at] + choices.choice((b"\xe9", b"\xbd", b"\xf6")) + raw[at:])
    return draft.data()


@violates("SGF203")
def unknown_charset(choices: Choices) -> bytes:
    """Name an unknown charset."""
    name = b""
    while not name or charsets.lookup(name.decode())[0] is not None:
        name = _word(choices, r"[a-z]{2,6}-[0-9]{1,4}|[A-Za-z]{4,9}|UTF 8!|[a-z]+ [a-z]+")
    return _with_text(choices, None, b"x", name)


@violates("SGF204", "SGF208")
def charset_name(choices: Choices, code: str) -> bytes:
    """Name a charset by an unregistered name, or one that does not contain ASCII."""
    is_near = code == "SGF204"
    names = [
        name
        for entry in grammar.charsets()
        for name in (*entry.near, entry.codec, entry.name, *entry.aliases)
        if entry.superset == is_near and charsets.lookup(name)[1] != is_near
    ]
    return _with_text(choices, None, b"x", choices.choice(names).encode())


@violates("SGF205")
def probably_missing_charset(choices: Choices) -> bytes:
    """Write UTF-8 text without naming the charset."""
    return _with_text(choices, None, _text(choices, "utf-8", choices.integer(1, 12)))


@violates("SGF206")
def undecodable_text(choices: Choices) -> bytes:
    """Add an undecodable byte to text that is otherwise UTF-8."""
    text = _text(choices, "utf-8", choices.integer(3, 9))
    bad = choices.choice((b"\xff", b"\xe6\xa3", b"\xc3", b"\xfe"))
    where = choices.choice((b"%s%s", b"%s a%sz"))
    return _with_text(choices, "UTF-8", where % (text, bad))


@violates("SGF207")
def unescaped_trail_byte(choices: Choices) -> bytes:
    """Write a character with an unescaped delimiter as its second byte."""
    name = choices.choice(_WITH_ASCII_TRAIL_BYTES)
    codec = charsets.named(name).codec
    ambiguous = [letter for letter in non_ascii_letters(codec) if letter[1:] in (b"\\", b"]")]
    letter = choices.choice(ambiguous)
    return _with_text(choices, name, _text(choices, codec, choices.integer(1, 4)) + letter)


@violates("SGF209")
def wrong_charset(choices: Choices) -> bytes:
    """Write text in another charset than the one that CA names."""
    if choices.chance(2):
        latin = b"".join(
            choices.choice((b"\xe9", b"\xe4", b"\xdf", b"\xf1")) + _word(choices, "[a-z]")
            for _ in range(choices.integer(1, 5))
        )
        return _with_text(choices, choices.choice(("UTF-8", "US-ASCII")), latin)
    return _with_text(choices, "US-ASCII", _text(choices, "utf-8", choices.integer(1, 9)))


@violates("SGF210")
def empty_charset(choices: Choices) -> bytes:
    """Write an empty CA."""
    return _with_text(choices, None, b"x", b"")


# --- Texts ----------------------------------------------------------------------------


@violates("SGF211")
def unescaped_colon(choices: Choices) -> bytes:
    """Write a composed text with an unescaped colon."""
    draft = Draft(choices, choices.choice((1, 9, 11)), leave_out=["root"])
    one, two, three = (draft.word() for _ in range(3))
    values = {"AP": b"%s:%s:%s" % (one, two, three), "FG": b"257:%s:%s" % (one, two)}
    ident = choices.choice(("AP", "FG"))
    if choices.chance(3):
        (point,) = draft.points(1)
        ident, values["LB"] = "LB", point + b":" + choices.choice((b"x:", b":x", b"::"))
    draft.place(draft.define(ident), values[ident])
    return draft.data()


def _is_free_text(entry: grammar.PropertyDefinition) -> bool:
    return entry.is_text and not entry.format and entry.type in {"none", "game-info"}


@violates("SGF212", "SGF213")
def control_characters_or_blank_text(choices: Choices, code: str) -> bytes:
    """Write a text with a control character, or a blank text."""
    draft, entry = draft_for(choices, _is_free_text)
    control = choices.choice((b"\x01", b"\x1b", b"\x7f", b"\x08"))
    raw = draft.word() + control + draft.word()
    if code == "SGF213":
        raw = choices.choice((b"", b" ", b"\n", b" \t "))
    draft.place(entry, raw)
    return draft.data()


@violates("SGF214")
def file_without_ascii(choices: Choices) -> bytes:
    """Encode the file in UTF-16 or UTF-32."""
    text = Draft(choices, charset=None).data().decode("ascii")
    codec = choices.choice(("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"))
    mark = "\ufeff" if choices.chance(2) else ""
    return (mark + text).encode(codec)


@violates("SGF215")
def escape_outside_text(choices: Choices) -> bytes:
    """Insert a backslash into a value that is not a text."""
    draft, entry = draft_for(
        choices,
        lambda entry: (
            kind_of(entry) in _PLAIN_TYPES
            and entry.type != "root"
            and entry.format not in {"print_mode", "handicap"}
        ),
    )
    raw = draft.valid(entry)[0] or draft.points(1)[0]
    at = choices.integer(0, len(raw) - 1)
    draft.place(entry, raw[:at] + b"\\" + raw[at:])
    return draft.data()
