"""Damage of the syntax (1xx), and bytes that break the rules of charset and text (2xx)."""

from __future__ import annotations

import codecs
import re
from itertools import pairwise

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, Making, of_pattern
from sgf_lark.fuzz.generating_values import letters
from sgf_lark.fuzz.violations_scene import Scene, breaks
from sgf_lark.fuzz.violations_values import kind_of, scene_for
from sgf_lark.text import charsets

#: Tokens of a conforming file: signs, identifiers, values.
_TOKEN = re.compile(
    rb"(?P<sign>[();])|(?P<ident>[A-Z]+)|(?P<value>\[(?:[^\]\\]|\\.)*\])", re.DOTALL
)

Span = tuple[int, int]


def _scene(choices: Choices, least: int = 0) -> Scene:
    return Scene(choices, least=least)


def _word(choices: Choices, pattern: str = "[a-z]{1,8}") -> bytes:
    return of_pattern(pattern)(Making(choices))


def _tokens(data: bytes) -> list[tuple[bytes, int, int]]:
    """The tokens with their places; "i" stands for an identifier, "v" for a value."""
    found = []
    for match in _TOKEN.finditer(data):
        kind = match[0] if match["sign"] else (b"i" if match["ident"] else b"v")
        found.append((kind, *match.span()))
    return found


def _place(choices: Choices, data: bytes, behind: bytes, before: bytes) -> int:
    """An offset behind a token of one of the kinds and before one of the others."""
    tokens = _tokens(data)
    found = [
        end
        for (kind, _, end), (following, _, _) in pairwise(tokens)
        if kind in behind and following in before
    ]
    return choices.choice(found)


def _put(choices: Choices, new: bytes, behind: bytes = b"v", before: bytes = b";()") -> bytes:
    """A conforming file with something put between two tokens."""
    data = _scene(choices, 1).data()
    at = _place(choices, data, behind, before)
    return data[:at] + new + data[at:]


# --- Around the trees -----------------------------------------------------------------


@breaks("SGF002")
def no_game_tree(choices: Choices) -> bytes:
    return choices.choice((b"", b" \n", _word(choices, r"[a-z ,;\[\]A-Z0-9)]{1,30}"), b"("))


_OUTSIDE = r"[a-z][a-z ,.;!0-9-]{0,20}"


@breaks("SGF101", "SGF102", "SGF108", "SGF109")
def text_outside(choices: Choices, code: str) -> bytes:
    data = _scene(choices).data()
    if code == "SGF101":
        return _word(choices, _OUTSIDE) + choices.choice((b"", b" ", b"\n")) + data
    rest = {
        "SGF102": _word(choices, _OUTSIDE),
        "SGF108": b")" * choices.integer(1, 3),
        "SGF109": _word(choices, r"[A-Z]{1,2}\[[a-z]{0,3}\]"),
    }[code]
    return data.rstrip() + choices.choice((b"", b" ", b"\n")) + rest


# --- Trees --------------------------------------------------------------------------


@breaks("SGF103")
def missing_semicolon(choices: Choices) -> bytes:
    data = _scene(choices, 2).data()
    tokens = _tokens(data)
    found = [
        start
        for (before, _, _), (kind, start, _), (behind, _, _) in zip(
            tokens, tokens[1:], tokens[2:], strict=False
        )
        if (before, kind, behind) == (b"(", b";", b"i")
    ]
    at = choices.choice(found)
    return data[:at] + choices.choice((b"", b" ")) + data[at + 1 :]


@breaks("SGF104")
def empty_tree(choices: Choices) -> bytes:
    return _put(choices, choices.choice((b"()", b"( )", b"\n()")), b"v)", b")")


@breaks("SGF105")
def tree_without_sequence(choices: Choices) -> bytes:
    """Two parentheses around a variation."""
    data = _scene(choices, 1).data()
    stack: list[int] = []
    found: list[Span] = []
    for kind, start, end in _tokens(data):
        if kind == b"(":
            stack.append(start)
        elif kind == b")":
            found.append((stack.pop(), end))
    start, end = choices.choice(found)
    return data[:start] + b"(" + data[start:end] + b")" + data[end:]


@breaks("SGF106")
def node_after_variation(choices: Choices) -> bytes:
    scene = _scene(choices, 1)
    scene.add(("C", [scene.word()]))
    scene.add(("C", [scene.word()]))
    data = scene.data()
    at = _place(choices, data, b")", b")")
    return data[:at] + b";C[" + scene.word() + b"]" + data[at:]


@breaks("SGF107")
def unclosed_tree(choices: Choices) -> bytes:
    data = _scene(choices).data().rstrip(b") \t\r\n\v\f") if choices.chance(2) else None
    if data is None:
        data = _scene(choices).data().rstrip()[:-1]
    return data + choices.choice((b"", b"\n"))


# --- Properties and values --------------------------------------------------------------


@breaks("SGF110")
def property_without_value(choices: Choices) -> bytes:
    return _put(choices, choices.choice((b"", b" ")) + _word(choices, "[A-Z]{1,2}"))


@breaks("SGF111")
def value_without_property(choices: Choices) -> bytes:
    return _put(choices, _word(choices, r"(\[[a-z ]{0,5}\]){1,2}"), b";", b"i")


def _in_identifier(choices: Choices, least: int, most: int) -> tuple[bytes, int, int]:
    """A file, and where an identifier of `least` to `most` letters in it begins and ends."""
    scene = _scene(choices)
    word = scene.word()
    scene.add(("N", [word]), ("C", [word]), ("GB", [b"1"]), anywhere=True)
    data = scene.data()
    found = [
        (start, end)
        for (kind, start, end), (_, value, _) in pairwise(_tokens(data))
        if kind == b"i"
        and end == value
        and least <= end - start <= most
        and data[start:end] not in (b"CA", b"FF", b"GM", b"SZ")
    ]
    return data, *(choices.choice(found) if found else (0, 0))


@breaks("SGF112", "SGF113", "SGF114")
def damaged_identifier(choices: Choices, code: str) -> bytes:
    data, start, end = _in_identifier(choices, 2 if code == "SGF112" else 1, 2)
    if start == end:  # white space stands behind every identifier
        return damaged_identifier(choices.apart(), code)
    put = {
        "SGF112": (choices.choice((b" ", b"\n", b"\t")), start + 1),
        "SGF113": (_word(choices, "[0-9_]{1,3}"), choices.integer(start, end)),
        "SGF114": (_word(choices, "[a-z]{1,5}"), choices.integer(start, end)),
    }
    new, at = put[code]
    return data[:at] + new + data[at:]


@breaks("SGF118")
def unescaped_bracket(choices: Choices) -> bytes:
    scene = _scene(choices)
    entry = scene.define(choices.choice(("C", "N")))
    inner = choices.choice((b"%s [%s] %s", b"%s] %s%s", b"%s [%s]%s"))
    scene.place(entry, inner % (scene.word(), scene.word(), scene.word()))
    return scene.data()


@breaks("SGF119")
def unclosed_value(choices: Choices) -> bytes:
    data = _scene(choices).data().rstrip(b") \t\r\n\v\f")
    text = _word(choices, r"[A-Za-z ]{0,10}[a-z](\\\]|\)|\\\\){0,3}")
    return data + b";" + choices.choice((b"C[", b"N [")) + text


@breaks("SGF120")
def junk(choices: Choices) -> bytes:
    return _put(choices, choices.choice((b",", b" 5", b"-", b".", b"#7", b" abc ", b"!?", b'"')))


@breaks("SGF121", "SGF122")
def control_characters(choices: Choices, code: str) -> bytes:
    new = b"\0" if code == "SGF121" else choices.choice((b"\x01", b"\x1f", b"\x7f", b"\x02\x03"))
    if code == "SGF121" and choices.chance(2):
        scene = _scene(choices)
        scene.place(scene.define("C"), scene.word() + new + scene.word())
        return scene.data()
    return _put(choices, new, b"v", b";()i")


# --- Charsets -------------------------------------------------------------------------

#: Charsets in which the second byte of a character can be one of the structure.
_WITH_TRAIL = ("Shift_JIS", "Big5", "GBK", "GB18030")


def _with_text(choices: Choices, name: str | None, text: bytes, ca: bytes | None = None) -> bytes:
    """A tree whose CA is `name`, or the bytes `ca`, with that text in a comment."""
    scene = Scene(choices, charset=name)
    scene.alone = True
    if ca is not None:
        scene.root.properties.insert(1, ("CA", [ca]))
    scene.add(("C", [text]), anywhere=True)
    return scene.data()


def _text(choices: Choices, codec: str, count: int) -> bytes:
    """Words of letters beyond ASCII, none of which has to be escaped."""
    plain = [letter for letter in letters(codec) if not set(letter) & set(b"\\]:[")]
    return b"".join(choices.choice(plain) for _ in range(count))


@breaks("SGF201")
def byte_order_mark(choices: Choices) -> bytes:
    scene = Scene(choices, charset=None)
    return codecs.BOM_UTF8 + scene.data()


@breaks("SGF202")
def non_ascii_value(choices: Choices) -> bytes:
    kinds = {"number", "real", "double", "color", "point", "stone"}
    scene, entry = scene_for(
        choices, lambda entry: kind_of(entry) in kinds and entry.type != "root"
    )
    raw = scene.valid(entry)[0]
    at = choices.integer(0, len(raw))
    scene.name = None
    scene.root.properties = [one for one in scene.root.properties if one[0] != "CA"]
    scene.place(entry, raw[:at] + choices.choice((b"\xe9", b"\xbd", b"\xf6")) + raw[at:])
    return scene.data()


@breaks("SGF203")
def unknown_charset(choices: Choices) -> bytes:
    name = b""
    while not name or charsets.lookup(name.decode())[0] is not None:
        name = _word(choices, r"[a-z]{2,6}-[0-9]{1,4}|[A-Za-z]{4,9}|UTF 8!|[a-z]+ [a-z]+")
    return _with_text(choices, None, b"x", name)


@breaks("SGF204", "SGF208")
def charset_name(choices: Choices, code: str) -> bytes:
    names = [
        name
        for entry in grammar.charsets()
        for name in (entry.near if code == "SGF204" else (entry.name, *entry.aliases))
        if entry.superset == (code == "SGF204")
    ]
    return _with_text(choices, None, b"x", choices.choice(names).encode())


@breaks("SGF205")
def probably_missing_charset(choices: Choices) -> bytes:
    return _with_text(choices, None, _text(choices, "utf-8", choices.integer(1, 12)))


@breaks("SGF206")
def undecodable_text(choices: Choices) -> bytes:
    """Few bytes without meaning among many with one."""
    text = _text(choices, "utf-8", choices.integer(3, 9))
    bad = choices.choice((b"\xff", b"\xe6\xa3", b"\xc3", b"\xfe"))
    where = choices.choice((b"%s%s", b"%s a%sz"))
    return _with_text(choices, "UTF-8", where % (text, bad))


@breaks("SGF207")
def unescaped_trail_byte(choices: Choices) -> bytes:
    name = choices.choice(_WITH_TRAIL)
    codec = charsets.named(name).codec
    odd = [letter for letter in letters(codec) if letter[1:] in (b"\\", b"]")]
    letter = choices.choice(odd)
    return _with_text(choices, name, _text(choices, codec, choices.integer(1, 4)) + letter)


@breaks("SGF209")
def wrong_charset(choices: Choices) -> bytes:
    if choices.chance(2):
        latin = b"".join(
            choices.choice((b"\xe9", b"\xe4", b"\xdf", b"\xf1")) + _word(choices, "[a-z]")
            for _ in range(choices.integer(1, 5))
        )
        return _with_text(choices, choices.choice(("UTF-8", "US-ASCII")), latin)
    return _with_text(choices, "US-ASCII", _text(choices, "utf-8", choices.integer(1, 9)))


@breaks("SGF210")
def empty_charset(choices: Choices) -> bytes:
    return _with_text(choices, None, b"x", b"")


# --- Texts ----------------------------------------------------------------------------


@breaks("SGF211")
def unescaped_colon(choices: Choices) -> bytes:
    scene = Scene(choices, choices.choice((1, 9, 11)), leave_out=["root"])
    one, two, three = (scene.word() for _ in range(3))
    made = {"AP": b"%s:%s:%s" % (one, two, three), "FG": b"257:%s:%s" % (one, two)}
    ident = choices.choice(("AP", "FG"))
    if choices.chance(3):
        (point,) = scene.points(1)
        ident, made["LB"] = "LB", point + b":" + choices.choice((b"x:", b":x", b"::"))
    scene.place(scene.define(ident), made[ident])
    return scene.data()


def _is_free_text(entry: grammar.PropertyDefinition) -> bool:
    return entry.is_text and not entry.format and entry.type in {"none", "game-info"}


@breaks("SGF212", "SGF213")
def text_that_says_little(choices: Choices, code: str) -> bytes:
    scene, entry = scene_for(choices, _is_free_text)
    control = choices.choice((b"\x01", b"\x1b", b"\x7f", b"\x08"))
    raw = scene.word() + control + scene.word()
    if code == "SGF213":
        raw = choices.choice((b"", b" ", b"\n", b" \t "))
    scene.place(entry, raw)
    return scene.data()


@breaks("SGF214")
def file_without_ascii(choices: Choices) -> bytes:
    text = Scene(choices, charset=None).data().decode("ascii")
    codec = choices.choice(("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"))
    mark = "\ufeff" if choices.chance(2) else ""
    return (mark + text).encode(codec)


@breaks("SGF215")
def escape_outside_text(choices: Choices) -> bytes:
    kinds = {"number", "real", "double", "color", "point", "stone"}
    scene, entry = scene_for(
        choices,
        lambda entry: (
            kind_of(entry) in kinds
            and entry.type != "root"
            and entry.format not in {"print_mode", "handicap"}
        ),
    )
    raw = scene.valid(entry)[0] or scene.points(1)[0]
    at = choices.integer(0, len(raw) - 1)
    scene.place(entry, raw[:at] + b"\\" + raw[at:])
    return scene.data()
