"""A file as text in which each token has characters of its own, for small changes by patterns: of
its properties, and of its charset.

:func:`mark` writes structure, identifiers, white space between tokens and escapes with characters
that no file contains, so that a pattern cannot take a part of a value for structure: a value is
``［…］``, an identifier is in full-width letters. All of them are listed in ``features.toml``.
"""

from __future__ import annotations

import codecs
import contextlib
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.canonical import decoded
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT

#: The terminal of values, and one that is only a part of it.
_VALUE, _CONTENT = "BRACKETED_VALUE", "CVALUETYPE"


def find_tokens(data: bytes, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[bytes]]:
    """Yield the tokens, in which the name of a terminal is that of the group, and other bytes."""
    for token in _token_pattern().finditer(data, start, end):
        yield token
        if token[0] == b"[":
            # No value is closed after one that is not: each "[" would be a search of the rest.
            yield from _token_pattern(_VALUE).finditer(data, token.end(), end)
            return


@cache
def _token_pattern(without: str = "") -> re.Pattern[bytes]:
    named = [
        f"(?P<{name}>{pattern})"
        for name, pattern in lark_grammars.terminal_patterns("sgf.lark").items()
        if name not in (_CONTENT, without)
    ]
    # Longer patterns come first, as Lark tries them.
    longest_first = sorted(named, key=len, reverse=True)
    return re.compile("|".join([*longest_first, "."]).encode("latin-1"), re.DOTALL)


# --- Marked text --------------------------------------------------------------------------

#: Parentheses around the first game tree, others, an only child, first and other variations; and
#: those that have no other one.
_FIRST, _OTHER, _ONLY, _FIRST_OF_SEVERAL, _LATER = "（）", "｟｠", "⟨⟩", "「」", "『』"
_ALONE = "〔〕"
PARENTHESES = _FIRST + _OTHER + _ONLY + _FIRST_OF_SEVERAL + _LATER + _ALONE
ESCAPE = "＼"
#: Line breaks of two bytes in a value, and a byte order mark.
_PAIRS = {"\r\n": "␤", "\n\r": "␥"}
_MARK = "\ufeff"
#: What is added to an ASCII letter for its full-width form, and to white space for its picture.
_WIDE, _PICTURE = 0xFEE0, 0x2400

_WIDE_FORMS = {code: code + _WIDE for code in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ;[]\\"}
_PICTURES = {code: code + _PICTURE for code in b"\t\n\v\f\r "}
_NARROW: dict[int, int | str] = {
    **{wide: code for forms in (_WIDE_FORMS, _PICTURES) for code, wide in forms.items()},
    **{ord(mark): "()"[index % 2] for index, mark in enumerate(PARENTHESES)},
    **{ord(mark): pair for pair, mark in _PAIRS.items()},
    ord(_MARK): codecs.BOM_UTF8.decode("latin-1"),
}
_PIECE = re.compile(r"\\(\r\n|\n\r|.)|\r\n|\n\r", re.DOTALL)


@lru_cache(maxsize=64)
def mark(data: bytes) -> str:
    """Return the file as marked text."""
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    found = find_tokens(data, start)
    tokens = [(token.lastgroup, token[0].decode("latin-1")) for token in found]
    roles = _roles([text for _, text in tokens])
    parts = [_MARK] if start else []
    for index, (kind, text) in enumerate(tokens):
        match kind:
            case "WHITE_SPACE":
                parts.append(text.translate(_PICTURES))
            case "UCLETTERS" | "SEMICOLON":
                parts.append(text.translate(_WIDE_FORMS))
            case "BRACKETED_VALUE":
                parts.append(f"［{mark_value(text[1:-1])}］")
            case _:
                parts.append(roles.get(index, text))
    return "".join(parts)


def mark_value(content: str) -> str:
    """Return the content of a value, in which each byte is a character, as marked text."""

    def marked(piece: re.Match[str]) -> str:
        text = piece[1] or piece[0]
        return (ESCAPE if piece[1] else "") + _PAIRS.get(text, text)

    return _PIECE.sub(marked, content)


def unmark(text: str) -> bytes:
    """Return the bytes of marked text."""
    return text.translate(_NARROW).encode("latin-1")


def wide(ident: str) -> str:
    """Return a property identifier as in marked text."""
    return ident.translate(_WIDE_FORMS)


def ident_of(text: str) -> str:
    """Return the identifier in marked text, without lowercase letters."""
    return "".join(chr(ord(letter) - _WIDE) for letter in text if letter > "\xff")


def narrow(text: str) -> str:
    """Return marked text as characters that are bytes of a file."""
    return text.translate(_NARROW)


def _roles(tokens: list[str]) -> dict[int, str]:
    """Return the marks of the parentheses that belong together, by the index of the token."""
    opened: list[int] = []
    pairs: dict[int, list[tuple[int, int]]] = {}
    roles: dict[int, str] = {}
    for index, text in enumerate(tokens):
        if text in ("(", ")"):
            roles[index] = _ALONE[text == ")"]
        if text == "(":
            opened.append(index)
        elif text == ")" and opened:
            start = opened.pop()
            pairs.setdefault(opened[-1] if opened else -1, []).append((start, index))
    for parent, found in pairs.items():
        several = _FIRST_OF_SEVERAL if len(found) > 1 else _ONLY
        first, others = (_FIRST, _OTHER) if parent < 0 else (several, _LATER)
        for number, (start, end) in enumerate(found):
            roles[start], roles[end] = tuple(others if number else first)
    return roles


_IDENTIFIER, _BLANKS_AND_VALUE = "(?:(?<![a-z])[a-z]++)?[Ａ-Ｚ][Ａ-Ｚa-z]*+", "[␉-␍␠]*+［[^［］]*］"
#: A property with its values, without white space after it, and a value in it. Before FF[4] an
#: identifier may have lowercase letters, which mean nothing.
PROPERTY = re.compile(f"({_IDENTIFIER})((?:{_BLANKS_AND_VALUE})*)")
#: Values, also those without an identifier, in which a parser fails as in others. A long run of
#: letters is tried from its first one alone.
_VALUES = re.compile(f"(?:(?<![Ａ-Ｚa-z])({_IDENTIFIER})|(?=［))((?:{_BLANKS_AND_VALUE})+)")
_VALUE_MARKS = re.compile("［[^［］]*］")


@lru_cache(maxsize=2)
def properties(text: str) -> list[tuple[str, str]]:
    """Return the properties of marked text, each after its identifier."""
    return [(ident_of(found[1]), found[0]) for found in PROPERTY.finditer(text)]


@lru_cache(maxsize=2)
def values(text: str) -> list[tuple[str, str]]:
    """Return the values of marked text in brackets, each after its identifier, or ""."""
    return [
        (ident_of(found[1] or ""), value)
        for found in _VALUES.finditer(text)
        for value in _VALUE_MARKS.findall(found[2])
    ]


def change_properties(
    text: str, change: Callable[[str], str], is_chosen: Callable[[str], bool]
) -> str:
    """Return marked text with other properties in place of those chosen by their identifiers."""
    return PROPERTY.sub(
        lambda found: change(found[0]) if is_chosen(ident_of(found[1])) else found[0], text
    )


def change_values(text: str, change: Callable[[str], str], is_chosen: Callable[[str], bool]) -> str:
    """Return marked text with other values, each with its brackets, in the properties chosen by
    their identifiers."""

    def changed(found: re.Match[str]) -> str:
        name = found[1] or ""
        if not is_chosen(ident_of(name)):
            return found[0]
        return name + _VALUE_MARKS.sub(lambda value: change(value[0]), found[2])

    return _VALUES.sub(changed, text)


# --- Properties in marked text ------------------------------------------------------------

#: The properties whose values are features of their own.
DECLARATIONS = frozenset({"FF", "GM", "CA"})
GO = 1
#: At most this many other identifiers are tried in place of one.
_SUBSTITUTES = 5
#: The simplest property with text.
_COMMENT = "C"
_DECLARED = re.compile("(ＦＦ|ＧＭ)[␉-␍␠]*［[+]?0*([0-9]{1,4})］")


def context_of(text: str) -> tuple[int, int]:
    """Return GM and FF of the first game tree in marked text, by default 1 and 4."""
    found = {ident_of(name): int(number) for name, number in reversed(_DECLARED.findall(text))}
    game, file_format = found.get("GM", GO), found.get("FF", LATEST_FILE_FORMAT)
    return (
        game if game in grammar.games() else GO,
        file_format if 1 <= file_format <= LATEST_FILE_FORMAT else LATEST_FILE_FORMAT,
    )


@cache
def substitutes(ident: str, game: int, file_format: int) -> tuple[str, ...]:
    """Return identifiers of properties with similar values, this one among them.

    They are in the order of the table: first those with exactly the same type and values, and C
    before them where the property takes text.
    """
    entry = grammar.definition(ident, game, file_format)
    if entry is None:
        return ("XX", "XY")
    takes_text = not entry.kinds.isdisjoint(grammar.TEXT_TYPES)
    same = [_COMMENT] if takes_text else []
    similar = []
    for other in dict.fromkeys(each.ident for each in grammar.properties()):
        found = grammar.definition(other, game, file_format)
        if found is None or file_format not in found.file_formats or found.private:
            continue
        if other in DECLARATIONS:
            continue
        if (found.value, found.type, found.exclusive) == (entry.value, entry.type, entry.exclusive):
            same.append(other)
        elif found.value == entry.value or (found.is_text and takes_text):
            similar.append(other)
    return tuple(dict.fromkeys(same + similar))


def renamings(text: str, ident: str) -> Iterator[str]:
    """Yield marked text with other properties of the same type in place of `ident`."""
    others = [name for name in substitutes(ident, *context_of(text)) if name != ident]
    for other in others[:_SUBSTITUTES]:
        yield re.sub(f"(?<![Ａ-Ｚ]){wide(ident)}(?![Ａ-Ｚ])", wide(other), text)


def replace_properties(text: str, is_chosen: Callable[[str], bool], new: str = "") -> str:
    """Return marked text with `new` for the properties whose identifier is chosen."""
    return change_properties(text, lambda found: new, is_chosen)


def idents_of(text: str) -> list[str]:
    """Return the identifiers in marked text, each once."""
    return list(dict.fromkeys(ident for ident, _ in properties(text)))


# --- Files in other charsets --------------------------------------------------------------

#: A letter outside of ASCII.
_LETTER = "\u0430"
#: Properties with any text.
_TEXTS = {entry.ident for entry in grammar.properties() if entry.is_text and not entry.format}
_TEXT = re.compile(rf"(?<![A-Z])({'|'.join(_TEXTS)})\s*\[(?:[^\]\\]|\\.)*\]", re.DOTALL)


def in_charset(data: bytes, name: str, letter: str = "") -> bytes:
    """Return a file in another charset, with a letter in place of each text if one is given.

    A byte order mark stays, and the charset is that of the mark.
    """
    start = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = decoded(data)
    if letter:
        text = _TEXT.sub(rf"\1[{letter}]", text)
    text = re.sub(r"(?<![A-Z])(CA\s*)\[[^\]]*\]", rf"\1[{name}]", text)
    return start + text.encode("UTF-8" if start else name, "replace")


def in_usual_charsets(data: bytes) -> Iterator[bytes]:
    """Yield a file in UTF-8, decoded before or after it is parsed, and then with simple texts, in
    UTF-8 and in a charset of single bytes. Nothing is yielded for a file in UTF-8."""
    changed = in_charset(data, "UTF-8")
    if changed == data:
        return
    yield changed
    with contextlib.suppress(LookupError, ValueError):
        yield sgf_lark.dumps(sgf_lark.loads(data, charset_mode="text"), charset="UTF-8")
    yield in_charset(data, "UTF-8", _LETTER)
    yield in_charset(data, "KOI8-R", _LETTER)


# --- Names of characters ------------------------------------------------------------------

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


def character_name(text: str) -> str:
    """Return the name of a character, or of two that are one line break, for a feature."""
    if text in _NAMES:
        return _NAMES[text]
    return unicodedata.name(text, f"control-{ord(text):02x}").lower().replace(" ", "-")


@cache
def characters_by_name() -> dict[str, str]:
    """Return the characters that are bytes, and line breaks of two, by these names."""
    return {character_name(text): text for text in (*map(chr, range(256)), *_NAMES)}
