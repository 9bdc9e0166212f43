"""Features of properties: identifiers, value types, games, file formats, charsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from sgf_lark import grammar
from sgf_lark.fuzz.features import Family, Feature
from sgf_lark.fuzz.tokens import IDENT, NODE, VALUE, Token, join, properties, split
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.syntax.values import LATEST_FILE_FORMAT
from sgf_lark.text import charsets

_GO = 1
#: At most this many other identifiers are tried in place of one.
_SUBSTITUTES = 5
#: An identifier that no game defines.
_UNKNOWN = "unknown"
#: Properties with a family of their own.
_FORMAT, _GAME, _CHARSET, _SIZE = "FF", "GM", "CA", "SZ"
#: The simplest property with text.
_COMMENT = "C"
_DECLARATIONS = (_FORMAT, _GAME, _CHARSET)
#: Any charset but UTF-8, and charsets of different kinds tried in its place.
NOT_UTF_8 = "not-utf-8"
_CHARSETS = (b"ISO-8859-1", b"KOI8-R", b"EUC-KR")
_DECLARED = re.compile(rb"(FF|GM)\s*\[\s*\+?0*([0-9]{1,4})\s*\]")


def context_of(data: bytes) -> tuple[int, int]:
    """Return GM and FF of the first game tree as written, by default 1 and 4."""
    found = {name: int(number) for name, number in reversed(_DECLARED.findall(data))}
    game = found.get(_GAME.encode(), _GO)
    file_format = found.get(_FORMAT.encode(), LATEST_FILE_FORMAT)
    return (
        game if game in grammar.games() else _GO,
        file_format if 1 <= file_format <= LATEST_FILE_FORMAT else LATEST_FILE_FORMAT,
    )


def _definition(ident: bytes, data: bytes) -> PropertyDefinition | None:
    return grammar.definition(ident.decode(), *context_of(data))


@cache
def substitutes(ident: str, game: int, file_format: int) -> tuple[str, ...]:
    """Return identifiers of properties with similar values, in the order of the table.

    Those with exactly the same type and values come first. If the property takes text, the
    others are those that take text as well.
    """
    entry = grammar.definition(ident, game, file_format)
    if entry is None:
        return ("XX", "XY")
    same, similar = [], []
    for other in dict.fromkeys(each.ident for each in grammar.properties()):
        found = grammar.definition(other, game, file_format)
        if (
            found is None
            or file_format not in found.file_formats
            or found.private
            or other in _DECLARATIONS
        ):
            continue
        if (found.value, found.type, found.exclusive) == (entry.value, entry.type, entry.exclusive):
            same.append(other)
        elif found.value == entry.value or (found.is_text and _takes_text(entry)):
            similar.append(other)
    return tuple(same + similar)


def _takes_text(entry: PropertyDefinition) -> bool:
    return not entry.kinds.isdisjoint(grammar.TEXT_TYPES)


@cache
def simpler(ident: str, game: int, file_format: int) -> tuple[str, ...]:
    """Return identifiers of similar properties, the most usual first, up to this one."""
    entry = grammar.definition(ident, game, file_format)
    others = {*substitutes(ident, game, file_format), ident}
    if entry is not None and _takes_text(entry):
        others.add(_COMMENT)
    order = [each.ident for each in grammar.properties() if each.ident in others]
    usual = [_COMMENT] if _COMMENT in others else []
    ordered = list(dict.fromkeys([*usual, *order]))
    return tuple(ordered[: ordered.index(ident)]) if ident in ordered else ()


def rename(data: bytes, ident: bytes, new: bytes) -> bytes:
    """Return the file with another identifier in place of `ident`."""
    tokens = split(data)
    return join([Token(IDENT, new) if token == Token(IDENT, ident) else token for token in tokens])


def remove_properties(data: bytes, is_chosen: Callable[[bytes], bool]) -> bytes:
    """Return the file without the properties whose identifier is chosen."""
    tokens = split(data)
    for span in reversed([*properties(tokens)]):
        if is_chosen(span.ident):
            del tokens[span.first : span.last]
    return join(tokens)


# --- Identifiers and value types ----------------------------------------------------------


def _idents(data: bytes) -> list[bytes]:
    return list(dict.fromkeys(span.ident for span in properties(split(data))))


def _find_idents(data: bytes) -> Iterator[Feature]:
    for ident in _idents(data):
        if ident.decode() not in _DECLARATIONS:
            known = _definition(ident, data) is not None
            yield Feature("property", ident.decode() if known else _UNKNOWN)


def _is_chosen(data: bytes, argument: str) -> Callable[[bytes], bool]:
    def chosen(ident: bytes) -> bool:
        if argument == _UNKNOWN:
            return _definition(ident, data) is None
        return ident == argument.encode()

    return chosen


def renamings(data: bytes, ident: str) -> Iterator[bytes]:
    """Yield the file with other properties of the same type in place of `ident`."""
    others = [name for name in substitutes(ident, *context_of(data)) if name != ident]
    for other in others[:_SUBSTITUTES]:
        yield rename(data, ident.encode(), other.encode())


def _change_ident(data: bytes, feature: Feature) -> Iterator[bytes]:
    if feature.argument != _UNKNOWN:
        yield from renamings(data, feature.argument)
    yield remove_properties(data, _is_chosen(data, feature.argument))


def _ident_title(argument: str) -> str:
    if argument == _UNKNOWN:
        return "a property that the format does not define"
    if not re.fullmatch("[A-Z]+", argument):
        raise ValueError(argument)
    return argument


def _all_idents() -> Iterator[str]:
    yield from sorted({entry.ident for entry in grammar.properties() if not entry.private})
    yield _UNKNOWN


def _find_values(data: bytes) -> Iterator[Feature]:
    for ident in _idents(data):
        entry = _definition(ident, data)
        if entry is not None and ident.decode() not in (*_DECLARATIONS, _SIZE):
            yield Feature("value-type", _slug(entry.value))


def _slug(value: str) -> str:
    return re.sub(r"[^a-z0-9|]+", "-", value.lower()).strip("-")


@cache
def _value_types() -> dict[str, str]:
    return {_slug(entry.value): entry.value for entry in grammar.properties()}


def _change_values(data: bytes, feature: Feature) -> Iterator[bytes]:
    def chosen(ident: bytes) -> bool:
        entry = _definition(ident, data)
        return entry is not None and _slug(entry.value) == feature.argument

    yield remove_properties(data, chosen)


def _value_title(argument: str) -> str:
    return f"a property with a value of type {_value_types()[argument]}"


# --- Games, file formats, charsets ----------------------------------------------------------


def _written(data: bytes, ident: str) -> list[str]:
    tokens = split(data)
    return [
        tokens[at].data[1:-1].decode("latin-1")
        for span in properties(tokens)
        if span.ident == ident.encode()
        for at in span.values
    ]


def _replace_value(data: bytes, ident: str, new: bytes) -> bytes:
    tokens = split(data)
    for span in properties(tokens):
        if span.ident == ident.encode():
            for at in span.values:
                tokens[at] = Token(VALUE, b"[%s]" % new)
    return join(tokens)


def _find_number(family: str, ident: str, usual: int) -> Callable[[bytes], Iterator[Feature]]:
    def find(data: bytes) -> Iterator[Feature]:
        for raw in _written(data, ident):
            if re.fullmatch("[+]?[0-9]{1,4}", raw) and int(raw) != usual:
                yield Feature(family, str(int(raw)))

    return find


def _change_game(data: bytes, feature: Feature) -> Iterator[bytes]:
    changed = _replace_value(data, _GAME, b"%d" % _GO)
    yield changed
    usual = remove_properties(changed, lambda ident: _definition(ident, changed) is None)
    yield usual
    yield remove_properties(usual, lambda ident: _is_move(ident, usual))


def _is_move(ident: bytes, data: bytes) -> bool:
    entry = _definition(ident, data)
    return entry is not None and entry.exclusive == "move"


def _change_format(data: bytes, feature: Feature) -> Iterator[bytes]:
    yield _replace_value(data, _FORMAT, b"%d" % LATEST_FILE_FORMAT)


def _game_title(argument: str) -> str:
    return f"{grammar.games()[int(argument)].name} (GM[{argument}])"


def _format_title(argument: str) -> str:
    if int(argument) < 0:
        raise ValueError(argument)
    return f"FF[{argument}]"


def _find_charset(data: bytes) -> Iterator[Feature]:
    for raw in _written(data, _CHARSET):
        if re.fullmatch(r"[\w.:+-]{1,40}", raw):
            yield Feature("charset", raw)
            if not _is_utf_8(raw):
                yield Feature("charset", NOT_UTF_8)


def _is_utf_8(name: str) -> bool:
    charset, _ = charsets.lookup(name)
    return charset is not None and charset.codec == "utf-8"


def _change_charset(data: bytes, feature: Feature) -> Iterator[bytes]:
    yield _replace_value(data, _CHARSET, b"UTF-8")
    if feature.argument != NOT_UTF_8:
        yield _replace_value(data, _CHARSET, b"ISO-8859-1")
    yield remove_properties(data, lambda ident: ident == _CHARSET.encode())


def _widen_charset(data: bytes, feature: Feature) -> Iterator[tuple[Feature, list[bytes]]]:
    """Yield the feature of all charsets but UTF-8, with others instead."""
    if not _is_utf_8(feature.argument):
        others = [_replace_value(data, _CHARSET, name) for name in _CHARSETS]
        yield Feature("charset", NOT_UTF_8), others


def _charset_title(argument: str) -> str:
    return "a charset other than UTF-8 in CA" if argument == NOT_UTF_8 else f"CA[{argument}]"


def _all_charsets() -> Iterator[str]:
    yield from (charset.name for charset in grammar.charsets())
    yield NOT_UTF_8


# --- Properties that are missing -------------------------------------------------------------

_USUAL_VALUES = {_FORMAT: b"4", _GAME: b"1", _CHARSET: b"UTF-8", _SIZE: b"19"}


def _find_missing(data: bytes) -> Iterator[Feature]:
    present = set(_idents(data))
    for ident in _USUAL_VALUES:
        if ident.encode() not in present:
            yield Feature("no-property", ident)


def _change_missing(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = split(data)
    for index, token in enumerate(tokens):
        if token.kind == NODE:
            new = b"%s[%s]" % (feature.argument.encode(), _USUAL_VALUES[feature.argument])
            yield join([*tokens[: index + 1], Token("", new), *tokens[index + 1 :]])
            return


def _missing_title(argument: str) -> str:
    if argument not in _USUAL_VALUES:
        raise ValueError(argument)
    return f"no {argument} in the root"


def _formats() -> Iterable[str]:
    return map(str, range(1, LATEST_FILE_FORMAT))


def _games() -> Iterable[str]:
    return (str(number) for number in grammar.games() if number != _GO)


FAMILIES = (
    Family("property", _find_idents, _change_ident, _ident_title, _all_idents),
    Family("value-type", _find_values, _change_values, _value_title, lambda: _value_types()),
    Family("no-property", _find_missing, _change_missing, _missing_title, lambda: _USUAL_VALUES),
    Family("game", _find_number("game", _GAME, _GO), _change_game, _game_title, _games),
    Family(
        "file-format",
        _find_number("file-format", _FORMAT, LATEST_FILE_FORMAT),
        _change_format,
        _format_title,
        _formats,
    ),
    Family(
        "charset",
        _find_charset,
        _change_charset,
        _charset_title,
        _all_charsets,
        widen=_widen_charset,
        general=frozenset({NOT_UTF_8}),
    ),
)
