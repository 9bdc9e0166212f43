"""Features of property values: characters, escapes, numbers, fixed words, lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from random import Random
from urllib.parse import quote_from_bytes, unquote_to_bytes

from sgf_lark import grammar
from sgf_lark.fuzz.features import Family, Feature
from sgf_lark.fuzz.generating import RandomChoices
from sgf_lark.fuzz.generating_trees import Trees
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.fuzz.tokens import (
    VALUE,
    Token,
    change_values,
    join,
    properties,
    split,
    values,
)
from sgf_lark.model.values import Context
from sgf_lark.text.escaping import escape

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
_NON_ASCII = "non-ascii"
_CAPITAL = "capital-letter"
_OTHER, _COLON, _LINE_BREAK = "other", "colon", "line-break"
#: Escapes of all characters but those that end a value or an escape.
_MOST = "most"
_BREAKS = ("\n", "\r\n", "\r", "\n\r")
#: Arguments of features that are found together with a more special one.
_GENERAL = frozenset({_LINE_BREAK, _MOST})
#: What SGF requires to be escaped.
_WITH_ESCAPE = "]\\:"
_ENDS = "]\\"
#: A part of a value that is more than a letter or digit.
_PIECE = re.compile(
    rb"\\(?P<escaped>\r\n|\n\r|.)|(?P<break>\r\n|\n\r)|(?P<wide>[\x80-\xff]+)"
    rb"|(?P<capital>[A-Z])|(?P<single>[^a-z0-9])",
    re.DOTALL,
)
#: Longer values are a feature of their own.
_LONG = 64


def character_name(text: str) -> str:
    """Return the name of a character, or of two that are one line break, for a feature."""
    if text in _NAMES:
        return _NAMES[text]
    return unicodedata.name(text, f"control-{ord(text):02x}").lower().replace(" ", "-")


@cache
def _by_name() -> dict[str, str]:
    return {character_name(text): text for text in (*map(chr, range(128)), *_NAMES)}


def character_of(name: str) -> str:
    """Return the character of that name. Raises KeyError for an unknown name."""
    return _by_name()[name]


def character_title(name: str) -> str:
    """Return what a reader calls the character of that name."""
    text = character_of(name)
    return f"“{text}”" if text.isprintable() and text != " " else name.replace("-", " ")


# --- Characters and escapes ---------------------------------------------------------------


def _piece_arguments(piece: re.Match[bytes]) -> tuple[str, tuple[str, ...]]:
    """Return the family and the arguments for a part of a value, the most special one first."""
    kind, data = piece.lastgroup or "", piece[piece.lastgroup or 0]
    text = data.decode("latin-1")
    if kind == "wide":
        return "character", (_NON_ASCII,)
    if kind == "capital":
        return "character", (_CAPITAL,)
    family = "escape" if kind == "escaped" else "character"
    most = () if family == "character" or text in _ENDS else (_MOST,)
    if text in _BREAKS:
        return family, (character_name(text), _LINE_BREAK, *most)
    if family == "character" or text in _WITH_ESCAPE:
        return family, (character_name(text), *most)
    return family, (character_name(text), _OTHER, *most) if text in _NAMES else (_OTHER, *most)


def piece_names(raw: bytes) -> frozenset[tuple[str, str]]:
    """Return family and argument of the characters and escapes in a value, each once."""
    found = (_piece_arguments(piece) for piece in _PIECE.finditer(raw))
    return frozenset((family, arguments[0]) for family, arguments in found)


def _find_pieces(data: bytes, family: str) -> Iterator[Feature]:
    for ident, raw in values(data):
        if _is_rectangle(ident, raw):
            continue
        for piece in _PIECE.finditer(raw):
            found, arguments = _piece_arguments(piece)
            if found == family:
                for argument in arguments:
                    yield Feature(family, argument, ident.decode())


def _widen_pieces(data: bytes, feature: Feature) -> Iterator[tuple[Feature, list[bytes]]]:
    """Yield the features of all line breaks, of all escapes without a meaning, and of most."""
    ident = feature.ident.encode() or None
    escape = b"\\" if feature.family == "escape" else b""

    def with_others(others: Iterable[bytes]) -> list[bytes]:
        return [
            change_values(data, _replacing(feature, lambda old, new=other: escape + new), ident)  # type: ignore[misc]
            for other in others
        ]

    if feature.argument in map(character_name, _BREAKS):
        others = [other.encode() for other in _BREAKS if character_name(other) != feature.argument]
        yield replace(feature, argument=_LINE_BREAK), with_others(others)
    elif feature.family == "escape" and feature.argument in _NAMES.values():
        yield replace(feature, argument=_OTHER), with_others([b"a"])
    if feature.family == "escape" and feature.argument not in map(character_name, _ENDS):
        yield replace(feature, argument=_MOST), with_others([b"a", b":", b"\n"])


def _replacing(feature: Feature, new: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Return the function that replaces the parts of a value that have the feature."""

    def replace(piece: re.Match[bytes]) -> bytes:
        family, arguments = _piece_arguments(piece)
        is_it = family == feature.family and feature.argument in arguments
        return new(piece[0]) if is_it else piece[0]

    return partial(_PIECE.sub, replace)


def _change_pieces(data: bytes, feature: Feature) -> Iterator[bytes]:
    substitutes: list[Callable[[bytes], bytes]] = [lambda old: b"a", lambda old: b""]
    if feature.argument == _CAPITAL:
        substitutes.insert(0, bytes.lower)
    elif feature.family == "escape":
        substitutes.append(lambda old: old[1:])
    elif feature.argument in _NAMES.values():
        substitutes.insert(0, lambda old: b"\n" if old == b" " else b" ")
    ident = feature.ident.encode() or None
    for new in substitutes:
        yield change_values(data, _replacing(feature, new), ident)
    if feature.argument == _COLON:
        yield change_values(data, lambda raw: raw.split(b":")[0], ident)


def _escape_title(argument: str) -> str:
    if argument == _LINE_BREAK:
        return "soft line break"
    if argument == _OTHER:
        return "escaped character that needs no escape"
    if argument == _MOST:
        return "escape of anything but “]” and “\\”"
    if character_of(argument) in _BREAKS:
        return f"soft line break ({argument.replace('-', ' ')})"
    return f"escaped {character_title(argument)}"


def _character_title(argument: str) -> str:
    special = {
        _NON_ASCII: "character outside ASCII",
        _CAPITAL: "capital letter",
        _LINE_BREAK: "line break",
    }
    return special.get(argument) or character_title(argument)


def _escapes() -> Iterator[str]:
    yield from map(character_name, (*_WITH_ESCAPE, *_NAMES))
    yield from (_LINE_BREAK, _OTHER, _MOST)


def _characters() -> Iterator[str]:
    yield from map(character_name, _NAMES)
    yield from map(character_name, "[():;+-.,")
    yield from (_LINE_BREAK, _NON_ASCII, _CAPITAL)


# --- Empty and long values, numbers, words ------------------------------------------------


_NUMBER, _NUMERIC = re.compile(rb"[0-9]{1,15}"), re.compile(rb"[0-9+:-]{1,32}")
#: Their numbers are features of other families.
_DECLARATIONS = (b"FF", b"GM", b"CA")


def _find_empty(data: bytes) -> Iterator[Feature]:
    for ident, raw in values(data):
        if not raw:
            yield Feature("empty-value", "", ident.decode())


def _change_whole(
    data: bytes, ident: str, chosen: Callable[[bytes], bool], new: Iterable[bytes]
) -> Iterator[bytes]:
    """Yield the file with each of the new words in place of all values that are chosen."""

    def replaced(word: bytes) -> Callable[[bytes], bytes]:
        return lambda raw: word if chosen(raw) else raw

    for word in new:
        yield change_values(data, replaced(word), ident.encode() or None)


def _change_empty(data: bytes, feature: Feature) -> Iterator[bytes]:
    yield from _change_whole(data, feature.ident, lambda raw: not raw, usual_values(feature.ident))


def _find_words(data: bytes) -> Iterator[Feature]:
    for ident, raw in values(data):
        is_simple = _NUMBER.fullmatch(raw) or not raw.strip(b"a")
        if not is_simple and len(raw) <= _LONG and ident not in _DECLARATIONS:
            yield Feature("word", quote_from_bytes(raw), ident.decode())


def _change_word(data: bytes, feature: Feature) -> Iterator[bytes]:
    word = unquote_to_bytes(feature.argument)
    new = [other for other in usual_values(feature.ident) if other != word]
    yield from _change_whole(data, feature.ident, lambda raw: raw == word, new)


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


def _number_range(argument: str) -> tuple[int, bool]:
    return int(argument.removesuffix("+")), argument.endswith("+")


def _find_numbers(data: bytes) -> Iterator[Feature]:
    for ident, raw in values(data):
        if _NUMERIC.fullmatch(raw) and ident not in _DECLARATIONS:
            for number in map(int, _NUMBER.findall(raw)):
                yield Feature("number", f"{number}+", ident.decode())
                yield Feature("number", f"{number}", ident.decode())


def _fits(number: int, argument: str) -> bool:
    least, upwards = _number_range(argument)
    return number >= least if upwards else number == least


def _has_number(data: bytes, feature: Feature) -> bool:
    return any(
        _fits(int(number), feature.argument)
        for ident, raw in values(data)
        if feature.ident in ("", ident.decode()) and _NUMERIC.fullmatch(raw)
        for number in _NUMBER.findall(raw)
    )


def _change_number(data: bytes, feature: Feature) -> Iterator[bytes]:
    number, upwards = _number_range(feature.argument)
    if upwards and not number:
        return
    new = b"%d" % (number - 1 if upwards else number + 1)

    def replaced(found: re.Match[bytes]) -> bytes:
        return new if _fits(int(found[0]), feature.argument) else found[0]

    def changed(raw: bytes) -> bytes:
        return _NUMBER.sub(replaced, raw) if _NUMERIC.fullmatch(raw) else raw

    yield change_values(data, changed, feature.ident.encode() or None)


def _number_title(argument: str) -> str:
    number, upwards = _number_range(argument)
    return f"number {number} or more" if upwards else f"number {number}"


def _find_long(data: bytes) -> Iterator[Feature]:
    for ident, raw in values(data):
        if len(raw) > _LONG:
            yield Feature("long-value", str(len(raw)), ident.decode())


def _has_long(data: bytes, feature: Feature) -> bool:
    limit = int(feature.argument)
    return any(
        len(raw) >= limit for ident, raw in values(data) if feature.ident in ("", ident.decode())
    )


def _change_long(data: bytes, feature: Feature) -> Iterator[bytes]:
    limit = int(feature.argument) - 1
    for length in (limit, limit // 2):
        yield change_values(data, _cut(length), feature.ident.encode() or None)


def _cut(length: int) -> Callable[[bytes], bytes]:
    return lambda raw: raw[:length].rstrip(b"\\")


# --- Lists ----------------------------------------------------------------------------------


def _find_several(data: bytes) -> Iterator[Feature]:
    for span in properties(split(data)):
        if len(span.values) > 1:
            yield Feature("several-values", "", span.ident.decode())


def _change_several(data: bytes, feature: Feature) -> Iterator[bytes]:
    for last in (False, True):
        tokens = split(data)
        for span in reversed([*properties(tokens)]):
            if len(span.values) > 1 and feature.ident in ("", span.ident.decode()):
                kept = span.values[-1 if last else 0]
                tokens[span.first + 1 : span.last] = [tokens[kept]]
        yield join(tokens)


_RECTANGLE = re.compile(rb"([a-zA-Z])([a-zA-Z]):([a-zA-Z])([a-zA-Z])")


def _is_rectangle(ident: bytes, raw: bytes) -> bool:
    entry = grammar.definition(ident.decode(), 1, 4)
    is_list = entry is not None and entry.takes_many and not entry.alternatives[0].composed
    return bool(is_list and _RECTANGLE.fullmatch(raw))


def _find_rectangles(data: bytes) -> Iterator[Feature]:
    for ident, raw in values(data):
        if _is_rectangle(ident, raw):
            yield Feature("compressed-list", "", ident.decode())


def _change_rectangles(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = split(data)
    for span in reversed([*properties(tokens)]):
        for at in reversed(span.values):
            raw = tokens[at].data[1:-1]
            if feature.ident in ("", span.ident.decode()) and _is_rectangle(span.ident, raw):
                tokens[at : at + 1] = [Token(VALUE, b"[%s]" % end) for end in raw.split(b":")]
    yield join(tokens)


def _fixed(words: str) -> Callable[[str], str]:
    """Return the title of a family without arguments."""

    def title(argument: str) -> str:
        if argument:
            raise ValueError(argument)
        return words

    return title


def _nothing() -> tuple[str, ...]:
    return ()


FAMILIES = (
    Family(
        "escape",
        partial(_find_pieces, family="escape"),
        _change_pieces,
        _escape_title,
        _escapes,
        "a value",
        widen=_widen_pieces,
        general=_GENERAL,
    ),
    Family(
        "character",
        partial(_find_pieces, family="character"),
        _change_pieces,
        _character_title,
        _characters,
        "a value",
        widen=_widen_pieces,
        general=_GENERAL,
    ),
    Family(
        "compressed-list",
        _find_rectangles,
        _change_rectangles,
        _fixed("compressed point list"),
        where="a property",
    ),
    Family(
        "several-values",
        _find_several,
        _change_several,
        _fixed("several values"),
        where="a property",
    ),
    Family(
        "empty-value",
        _find_empty,
        _change_empty,
        _fixed("nothing between the brackets"),
        where="a value",
    ),
    Family(
        "number", _find_numbers, _change_number, _number_title, _nothing, "a value", _has_number
    ),
    Family(
        "long-value",
        _find_long,
        _change_long,
        lambda argument: f"{int(argument)} bytes or more",
        _nothing,
        "a value",
        _has_long,
        least=str(_LONG + 1),
    ),
    Family(
        "word",
        _find_words,
        _change_word,
        lambda argument: f"“{escape(unquote_to_bytes(argument).decode('latin-1'))}”",
        _nothing,
        "a value",
    ),
)
