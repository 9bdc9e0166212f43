"""Takes a minimal input to a canonical form, so that inputs with one cause become equal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from sgf_lark.fuzz.features import DECLARATIONS, find_features, usual_values
from sgf_lark.fuzz.features_amounts import amount, at_most, is_limit
from sgf_lark.fuzz.features_properties import context_of, substitutes
from sgf_lark.fuzz.tokens import PROPERTY, ident_of, mark, narrow, unmark, wide

#: Whether an input still shows the finding.
Keeps = Callable[[bytes], bool]
#: What may replace a match, the simplest first.
Options = Callable[[re.Match[str]], Iterable[str]]

#: Simple properties of several types.
_USUAL = ("ＡＢ［aa:ba］", "ＡＢ［aa］", "ＴＲ［aa:ba］", "Ｃ［a］", "Ｃ［:］", "ＫＭ［1］")
_SIMPLE_VALUES = ("［］", "［1］", "［aa］", "［a］", "［aa:ba］")
_VALUE = "［[^［］]*］"
#: Of larger files only few variants are tried.
_LARGE = 100
#: More matches of a pattern are first replaced at once.
_MANY = 4
#: At most this many changes are tried to remove a feature.
_MOST_CHANGES = 4
#: At most this many properties are tried in place of one.
_MOST_SUBSTITUTES = 3


def simplify(data: bytes, keeps: Keeps) -> bytes:
    """Return the canonical form of a minimal input: as simple as `keeps` allows.

    White space becomes a space, a property the first one of the same type in the property
    table, a value the simplest one, a number the smallest one, and the file one of Go and FF[4].
    """
    for pattern, options in _STEPS:
        data = _replace_each(data, pattern, options, keeps)
    return _lower(data, keeps)


def strip(data: bytes, keeps: Keeps) -> bytes:
    """Return a file without the properties and the structure that `keeps` does not need.

    A feature is removed from the whole file at once, which takes few attempts. The file has as few
    nodes, as little depth and as short values as `keeps` allows.
    """
    features = [each for each in find_features(data) if each.row.level not in ("value", "rule")]
    for feature in reversed(features):
        shorter = (each for each in feature.changes(data) if len(each) < len(data))
        data = next(filter(keeps, islice(shorter, _MOST_CHANGES)), data)
    return _lower(data, keeps)


def valid_variants(data: bytes) -> Iterator[bytes]:
    """Yield variants of a file that may conform: with FF[4], and with usual values."""
    text = mark(data)
    if "；" in text and "ＦＦ" not in text:
        text = text.replace("；", "；ＦＦ［4］", 1)
        yield unmark(text)
    if len(data) > _LARGE:
        return
    for found in PROPERTY.finditer(text):
        ident = ident_of(found[1])
        if ident in DECLARATIONS:
            continue
        own = [f"{found[1]}［{value.decode('latin-1')}］" for value in usual_values(ident)]
        for new in (*own, *_USUAL):
            yield unmark(text[: found.start()] + new + text[found.end() :])


def _replace_each(data: bytes, pattern: str, options: Options, keeps: Keeps) -> bytes:
    """Replace each match in marked text by the first option with which `keeps` is true.

    All of many matches are replaced at once if that is possible.
    """
    text, compiled, at = mark(data), re.compile(pattern), 0
    if len(compiled.findall(text)) > _MANY:
        changed = compiled.sub(lambda found: next(iter(options(found)), found[0]), text)
        text = changed if keeps(unmark(changed)) else text
    while found := compiled.search(text, at):
        at = found.end()
        for new in options(found):
            if new == found[0]:
                break
            changed = text[: found.start()] + new + text[found.end() :]
            if keeps(unmark(changed)):
                text, at = changed, found.start() + len(new)
                break
    return unmark(text)


def _ident_of(found: re.Match[str]) -> str:
    """Return the identifier of the property in which a match is, or "" outside of values."""
    before = found.string[: found.start()]
    idents: list[str] = re.findall("[Ａ-Ｚ]+", before)
    return narrow(idents[-1]) if idents else ""


def _simpler_idents(found: re.Match[str]) -> Iterable[str]:
    """Return the similar properties, the most usual first, up to this one."""
    ident = narrow(found[0])
    others = () if ident in DECLARATIONS else substitutes(ident, *context_of(found.string))
    return map(wide, others[:_MOST_SUBSTITUTES])


def _simple_values(found: re.Match[str]) -> tuple[str, ...]:
    return () if _ident_of(found) in DECLARATIONS else _SIMPLE_VALUES


_STEPS: tuple[tuple[str, Options], ...] = (
    ("[␉-␍␠]+", lambda found: ["␠"]),
    ("ＧＭ［[^］]*］", lambda found: [""]),
    ("ＦＦ［[1-3]］", lambda found: ["ＦＦ［4］"]),
    ("[Ａ-Ｚ]+(?=[␉-␍␠]*［)", _simpler_idents),
    (_VALUE, _simple_values),
)


def _lower(data: bytes, keeps: Keeps) -> bytes:
    """Return the file with the smallest numbers, lengths and numbers of parts from 1."""
    for feature in filter(is_limit, find_features(data)):
        text, low = mark(data), 1
        high = amount(text, feature)
        while low < high:
            middle = (low + high) // 2
            changed = unmark(at_most(text, feature, middle))
            if keeps(changed):
                data, high = changed, middle
            else:
                low = middle + 1
    return data
