"""Features of properties, which depend on their table, and of the rules that a file breaks."""

from __future__ import annotations

import contextlib
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from functools import cache

import sgf_lark
from sgf_lark import grammar
from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.canonical import decoded
from sgf_lark.fuzz.features import DECLARATIONS, Feature, Row
from sgf_lark.fuzz.tokens import PROPERTY, ident_of, mark, unmark, wide
from sgf_lark.syntax.values import LATEST_FILE_FORMAT

_GO = 1
#: At most this many other identifiers are tried in place of one.
_SUBSTITUTES = 5
#: An identifier that no game defines.
_UNKNOWN = "unknown"
#: The simplest property with text.
_COMMENT = "C"
_DECLARED = re.compile("(ＦＦ|ＧＭ)[␉-␍␠]*［[+]?0*([0-9]{1,4})］")


def context_of(text: str) -> tuple[int, int]:
    """Return GM and FF of the first game tree in marked text, by default 1 and 4."""
    found = {ident_of(name): int(number) for name, number in reversed(_DECLARED.findall(text))}
    game, file_format = found.get("GM", _GO), found.get("FF", LATEST_FILE_FORMAT)
    return (
        game if game in grammar.games() else _GO,
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
    return PROPERTY.sub(lambda found: new if is_chosen(ident_of(found[1])) else found[0], text)


def _idents(text: str) -> list[str]:
    return list(dict.fromkeys(ident_of(found[1]) for found in PROPERTY.finditer(text)))


# --- Identifiers and value types ----------------------------------------------------------


def _find_idents(text: str) -> Iterator[Feature]:
    context = context_of(text)
    for ident in _idents(text):
        if ident not in DECLARATIONS:
            known = grammar.definition(ident, *context) is not None
            yield Feature("property", ident if known else _UNKNOWN)


def _change_ident(text: str, feature: Feature) -> Iterator[str]:
    if feature.argument == _UNKNOWN:
        context = context_of(text)
        yield replace_properties(text, lambda ident: grammar.definition(ident, *context) is None)
        return
    yield from renamings(text, feature.argument)
    yield replace_properties(text, feature.argument.__eq__)


def _ident_title(argument: str) -> str:
    if argument == _UNKNOWN:
        return "a property that the format does not define"
    if not re.fullmatch("[A-Z]+", argument):
        raise ValueError(argument)
    return argument


@cache
def type_of(ident: str, game: int, file_format: int) -> str:
    """Return the type of the values of a property as in names of features, or ""."""
    entry = grammar.definition(ident, game, file_format)
    return "" if entry is None or ident in ("SZ", *DECLARATIONS) else _slug(entry.value)


def _find_types(text: str) -> Iterator[Feature]:
    context = context_of(text)
    for kind in filter(None, (type_of(ident, *context) for ident in _idents(text))):
        yield Feature("value-type", kind)


def _slug(value: str) -> str:
    return re.sub(r"[^a-z0-9|]+", "-", value.lower()).strip("-")


@cache
def _value_types() -> dict[str, str]:
    return {_slug(entry.value): entry.value for entry in grammar.properties()}


def _change_types(text: str, feature: Feature) -> Iterator[str]:
    context = context_of(text)
    yield replace_properties(text, lambda ident: type_of(ident, *context) == feature.argument)


# --- The root ---------------------------------------------------------------------------------


def _change_game(text: str, feature: Feature) -> Iterator[str]:
    changed = replace_properties(text, "GM".__eq__, "ＧＭ［1］")
    yield changed
    context = context_of(changed)
    entries = {ident: grammar.definition(ident, *context) for ident in _idents(changed)}
    usual = replace_properties(changed, lambda ident: entries[ident] is None)
    yield usual
    moves = {ident for ident, entry in entries.items() if entry and entry.exclusive == "move"}
    yield replace_properties(usual, moves.__contains__)


#: A letter outside of ASCII.
_LETTER = "\u0430"
_CHARSET = re.compile("(?<![Ａ-Ｚ])(ＣＡ[␉-␍␠]*)［[^］]*］")


def _change_charset(text: str, feature: Feature) -> Iterator[str]:
    """Yield the same text in UTF-8, other charsets for the same bytes, and no charset."""
    yield mark(in_charset(unmark(text), "UTF-8"))
    for name in ("UTF-8", "ISO-8859-1"):
        yield _CHARSET.sub(rf"\1［{name}］", text)
    yield replace_properties(text, "CA".__eq__)


#: Properties with any text.
_TEXTS = {entry.ident for entry in grammar.properties() if entry.is_text and not entry.format}
_TEXT = re.compile(rf"(?<![A-Z])({'|'.join(_TEXTS)})\s*\[(?:[^\]\\]|\\.)*\]", re.DOTALL)


def in_charset(data: bytes, name: str, letter: str = "") -> bytes:
    """Return a file in another charset, with a letter in place of each text if one is given.

    A byte order mark stays, and the charset is that of the mark.
    """
    start = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
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


def _game_title(argument: str) -> str:
    return f"{grammar.games()[int(argument)].name} (GM[{argument}])"


# --- Rules --------------------------------------------------------------------------------------


def _find_rules(text: str) -> Iterator[Feature]:
    for diagnostic in sgf_lark.validate(unmark(text)).diagnostics:
        if diagnostic.severity is Severity.ERROR:
            yield Feature("rule", diagnostic.code)


def _change_rule(text: str, feature: Feature) -> Iterator[str]:
    yield mark(sgf_lark.fix(unmark(text), select=[feature.argument], unsafe=True).data)


def _rule_title(argument: str) -> str:
    rule = grammar.rules()[argument]
    return f"{rule.name.replace('-', ' ')} ({rule.code})"


#: The rows before those of ``features.toml``, and after them.
ROWS = (
    Row(
        "property:{}",
        level="property",
        arguments=(
            *sorted({entry.ident for entry in grammar.properties() if not entry.private}),
            _UNKNOWN,
        ),
        finder=_find_idents,
        changer=_change_ident,
        titles=_ident_title,
    ),
    Row(
        "value-type:{}",
        level="property",
        arguments=tuple(_value_types()),
        finder=_find_types,
        changer=_change_types,
        titles=lambda argument: f"a property with a value of type {_value_types()[argument]}",
        general=True,
    ),
)
LAST_ROWS = (
    Row(
        "rule:{}",
        level="rule",
        arguments=tuple(grammar.rules()),
        finder=_find_rules,
        changer=_change_rule,
        titles=_rule_title,
    ),
)
#: What rows of ``features.toml`` cannot say.
DECLARATION_ROWS = (
    Row(
        "game:{}",
        arguments=tuple(str(number) for number in grammar.games() if number != _GO),
        changer=_change_game,
        titles=_game_title,
    ),
    Row("charset:not-utf-8", changer=_change_charset),
    Row(
        "charset:{}",
        arguments=tuple(charset.name for charset in grammar.charsets()),
        changer=_change_charset,
    ),
)
