"""Reads the bytes of a wei7 text: its value, and the broken rules with their places."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

from sgf_lark.diagnostics import Words
from sgf_lark.wei7.checking import check_game
from sgf_lark.wei7.findings import Located
from sgf_lark.wei7.json_text import NotJSONError, build, locate
from sgf_lark.wei7.values import ValueCheck

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: Bytes that are not UTF-8, as the error handler "surrogateescape" decodes them.
_UNDECODABLE_BYTES = re.compile("[\udc80-\udcff]+")
#: Escapes: pairs of surrogates, lone surrogates as group 1, and others.
_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\[\s\S]"
)


class Reading(NamedTuple):
    """A text, what is left of it as dicts and lists, and the broken rules.

    `skipped` bytes precede the text in the file; `document` is None for a text that is not JSON;
    `dropped` are the pointers of the values that it lacks.
    """

    text: str
    skipped: int
    document: dict[str, Any] | None
    findings: list[Located]
    dropped: list[str]


def read(data: bytes) -> Reading:
    """Parse a text and check it; what is not JSON is reported at the first place.

    Values that no member of wei7 can hold are dropped from the document, and objects of which a
    required member is missing. Whole numbers become int.
    """
    findings: list[Located] = []
    skipped = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
    if skipped:
        findings.append(Located("WEI003", -skipped, 0, {}))
    text = data[skipped:].decode(errors="surrogateescape")
    readable = _replace_what_is_not_utf_8(text, findings)
    try:
        value = json.loads(readable, object_pairs_hook=_members, parse_constant=_refuse)
        built = None
    except (ValueError, RecursionError):
        # It is not JSON, or is nested too deeply, repeats a name or has a huge number.
        try:
            built = build(readable)
        except NotJSONError as error:
            return Reading(text, skipped, None, [*findings, error.fault], [])
        # The checks change the value, but not the places.
        value = built.value
        findings += built.repeated
    check = ValueCheck(value)
    broken = check.findings + check_game(check.document)
    check.close_gaps()
    if broken:
        place = (built or build(readable)).place
        findings += [locate(each, place) for each in broken]
    return Reading(text, skipped, check.document, findings, [str(each) for each in check.dropped])


def _replace_what_is_not_utf_8(text: str, findings: list[Located]) -> str:
    """Report bytes and escapes for which UTF-8 has no character; each becomes U+FFFD."""
    if text.isascii() and "\\u" not in text:
        return text
    for bad in _UNDECODABLE_BYTES.finditer(text):
        byte = f"{ord(bad[0][0]) - 0xDC00:02X}"
        found = Words(f"the byte {byte}", f"字节 {byte}")
        findings.append(Located("WEI002", *bad.span(), {"found": found}))
    for escape in _ESCAPES.finditer(text):
        if escape[1]:
            found = Words(f"the lone surrogate {escape[1]}", f"单个代理项 {escape[1]}")
            findings.append(Located("WEI002", *escape.span(), {"found": found}))
    # Both replacements have the length of what they replace.
    text = _ESCAPES.sub(lambda escape: r"\ufffd" if escape[1] else escape[0], text)
    return _UNDECODABLE_BYTES.sub(lambda bad: "\ufffd" * len(bad[0]), text)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is repeated")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")
