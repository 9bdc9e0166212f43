"""A text that is no JSON, cut into what it may have been meant to hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from sgf_lark.diagnostics import Words, shorten
from sgf_lark.wei7.json import WORDS, terminals


class Fault(NamedTuple):
    """A place (in characters) at which the text is no JSON."""

    start: int
    end: int
    found: Words
    expected: Words


class Piece(NamedTuple):
    """A token: a terminal of ``json.lark``, a COMMENT, or JUNK; `text` is as JSON has it."""

    type: str
    start: int
    end: int
    text: str
    fault: Fault | None = None


#: Tokens as they are found where they are not written as JSON has them. JUNK takes a
#: quotation mark with it that stands right behind: no string begins there. What has been
#: taken is not given back, so that no text takes long.
_LOOSE = r"""
    | (?P<COMMENT>//[^\r\n]* | /\*[\s\S]*?\*/ | [\s\ufeff]+)
    | (?P<loose_string>"(?:[^"\\]|\\[\s\S])*"(?=\s*+(?:[,:}\]]|\Z)))
    | (?P<unclosed>"[^"\r\n]*"?)
    | (?P<quoted>'[^'\r\n]*' | “[^”\r\n]*”)
    | (?P<loose_number>(?>[+-]?(?:[0-9]++\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))(?![\w.])
    | (?P<name>[A-Za-z_]\w*+)(?=\s*+:)
    | (?P<word>(?i:true|false|null|none|undefined)\b)
    | (?P<comma>[;，；、]) | (?P<colon>=>?|：)
    | (?P<JUNK>/ | [^\s\ufeff{}\[\],:"/;=，：；、]+"?)
"""


@cache
def _pattern() -> re.Pattern[str]:
    """All pieces: tokens by the grammar, longer words apart, and then the loose ones."""
    # A string that seems to end within a word goes on to a better end.
    inside = r'(?P<quotes_inside>"(?:[^"\\\r\n]|\\.)*+"(?=\w)[^\r\n]{0,999}?"(?=\s*+[,:}\]]))|'
    parts = [
        f"(?P<{name}>(?>{pattern}))" + (r"(?![\w.])" if re.match(r"[-\w]", pattern) else "")
        for name, pattern in terminals().items()
    ]
    return re.compile(inside + "|".join(parts) + _LOOSE, re.VERBOSE)


_SIGNS = {"comma": ",", "colon": ":"}
_LITERALS = {"true": "TRUE", "false": "FALSE"}
_RIGHT_IN_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?')
_AN_ESCAPE = Words('an escape such as \\n or \\"', '如 \\n 或 \\" 的转义')
_QUOTE = Words("'\"'", '“"”')
_END_OF_LINE = Words("the end of the line", "行尾")


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of `text`; all but blanks belong to one."""
    place = 0
    while place < len(text):
        match = _pattern().match(text, place)
        assert match is not None and match.lastgroup is not None
        kind, found, place = match.lastgroup, match[0], match.end()
        if kind == "unclosed":
            piece = _unclosed(found, match.start())
            place = piece.end
            yield piece
        elif kind != "WHITE_SPACE":
            yield _piece(kind, found, match.start())


def _piece(kind: str, found: str, start: int) -> Piece:
    end = start + len(found)
    if kind in ("loose_string", "quotes_inside"):
        return _loose_string(found, start)
    if kind == "quoted":
        return _mended("STRING", start, end, found, _json(found[1:-1]))
    if kind == "name":
        return _mended("STRING", start, end, found, _json(found))
    if kind in _SIGNS:
        return _mended(kind.upper(), start, end, found, _SIGNS[kind])
    if kind == "loose_number":
        return _mended("NUMBER", start, end, found, _number(found))
    if kind == "word":
        word = found.lower() if found.lower() in _LITERALS else "null"
        return _mended(_LITERALS.get(word, "NULL"), start, end, found, word)
    return Piece(kind, start, end, found)


def _mended(kind: str, start: int, end: int, found: str, text: str) -> Piece:
    expected = WORDS.get(kind) or Words(f'"{text}"', f"“{text}”")
    return Piece(kind, start, end, text, Fault(start, end, quoted(found), expected))


def _loose_string(found: str, start: int) -> Piece:
    """With line breaks, control characters, quotation marks, or escapes not of JSON."""
    right = _RIGHT_IN_STRING.match(found)
    assert right is not None
    wrong = found[right.end() :][: 2 if found[right.end()] == "\\" else 1]
    at = start + right.end()
    fault = Fault(at, at + len(wrong), quoted(wrong), _AN_ESCAPE)
    return Piece("STRING", start, start + len(found), _json(found[1:-1]), fault)


def _unclosed(found: str, start: int) -> Piece:
    """To the end of its line, but for a comma there."""
    if not found.endswith('"') or found == '"':
        found = found.rstrip().removesuffix(",")
    end = start + len(found)
    fault = Fault(end, end, _END_OF_LINE, _QUOTE)
    return Piece("STRING", start, end, _json(found[1:].removesuffix('"')), fault)


def _json(content: str) -> str:
    """The string with what stands between its quotation marks."""
    escaped = _ESCAPE.sub(lambda match: match[0] if match[1] else "\\\\", content)
    escaped = re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', escaped)
    return json.dumps(json.loads(f'"{escaped}"', strict=False))


def _number(found: str) -> str:
    try:
        return str(int(found))
    except ValueError:
        return repr(float(found)) if abs(float(found)) != float("inf") else "1e999"


def quoted(text: str) -> Words:
    """What was found, in a message."""
    shown = shorten(text)
    return Words(f'"{shown}"', f"“{shown}”")
