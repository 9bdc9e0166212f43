"""Splits a text into the tokens of JSON, and pieces that may be meant as such."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from sgf_lark.diagnostics import Words, shorten
from sgf_lark.wei7.findings import Located, not_json
from sgf_lark.wei7.shapes import KINDS


class Piece(NamedTuple):
    """A token of JSON, a COMMENT, or JUNK.

    `text` is the token as JSON writes it; `fault` is set if the text differs from that.
    """

    type: str
    start: int
    end: int
    text: str
    fault: Located | None = None


#: Tokens in words; TRUE, FALSE and NULL are words themselves.
WORDS = {
    "STRING": KINDS["string"],
    "NUMBER": KINDS["number"],
    "LBRACE": Words('"{"', "“{”"),
    "RBRACE": Words('"}"', "“}”"),
    "LSQB": Words('"["', "“[”"),
    "RSQB": Words('"]"', "“]”"),
    "COMMA": Words('","', "“,”"),
    "COLON": Words('":"', "“:”"),
    "$END": Words("the end of the text", "文本结尾"),
}

#: The tokens of JSON (RFC 8259), then pieces that are written otherwise than JSON demands. JUNK
#: includes a quotation mark right after it, because no string starts there. A quotation mark
#: right before a letter does not end a string if a later one can. Quantifiers are possessive, so
#: that matching takes linear time.
_PATTERN = re.compile(
    r"""
      (?P<SPACE>[ \t\n\r]++)
    | (?P<quotes_inside>"(?:[^"\\\r\n]|\\.)*+"(?=\w)[^\r\n]{0,999}?"(?=\s*+[,:}\]]))
    | (?P<STRING>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    | (?P<NUMBER>(?>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))(?![\w.])
    | (?P<TRUE>true)(?![\w.]) | (?P<FALSE>false)(?![\w.]) | (?P<NULL>null)(?![\w.])
    | (?P<LBRACE>{) | (?P<RBRACE>}) | (?P<LSQB>\[) | (?P<RSQB>\]) | (?P<COMMA>,) | (?P<COLON>:)
    | (?P<COMMENT>//[^\r\n]* | /\*[\s\S]*?\*/ | [\s\ufeff]+)
    | (?P<loose_string>"(?:[^"\\]|\\[\s\S])*"(?=\s*+(?:[,:}\]]|\Z)))
    | (?P<unclosed>"[^"\r\n]*"?)
    | (?P<quoted>'[^'\r\n]*' | “[^”\r\n]*”)
    | (?P<loose_number>(?>[+-]?(?:[0-9]++\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))(?![\w.])
    | (?P<name>[A-Za-z_]\w*+)(?=\s*+:)
    | (?P<word>(?i:true|false|null|none|undefined)\b)
    | (?P<comma>[;，；、]) | (?P<colon>=>?|：)
    | (?P<JUNK>/ | [^\s\ufeff{}\[\],:"/;=，：；、]+"?)
    """,
    re.VERBOSE,
)
_SEPARATORS = {"comma": ",", "colon": ":"}
_LITERALS = {"true": "TRUE", "false": "FALSE"}
_VALID_START = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?')
_ESCAPE_WORDS = Words('an escape such as \\n or \\"', '如 \\n 或 \\" 的转义')
_QUOTE = Words("'\"'", '“"”')
_END_OF_LINE = Words("the end of the line", "行尾")


def lex(text: str) -> Iterator[Piece]:
    """The pieces of `text`: all of it but white space."""
    position = 0
    while position < len(text):
        match = _PATTERN.match(text, position)
        assert match is not None and match.lastgroup is not None
        kind, found, position = match.lastgroup, match[0], match.end()
        if kind == "unclosed":
            piece = _unclosed_string(found, match.start())
            position = piece.end
            yield piece
        elif kind != "SPACE":
            yield _piece(kind, found, match.start())


def _piece(kind: str, found: str, start: int) -> Piece:
    end = start + len(found)
    if kind in ("loose_string", "quotes_inside"):
        return _loose_string(found, start)
    if kind == "quoted":
        return _faulty("STRING", start, end, found, _json(found[1:-1]))
    if kind == "name":
        return _faulty("STRING", start, end, found, _json(found))
    if kind in _SEPARATORS:
        return _faulty(kind.upper(), start, end, found, _SEPARATORS[kind])
    if kind == "loose_number":
        return _faulty("NUMBER", start, end, found, _number(found))
    if kind == "word":
        word = found.lower() if found.lower() in _LITERALS else "null"
        return _faulty(_LITERALS.get(word, "NULL"), start, end, found, word)
    return Piece(kind, start, end, found)


def _faulty(kind: str, start: int, end: int, found: str, text: str) -> Piece:
    expected = WORDS.get(kind) or Words(f'"{text}"', f"“{text}”")
    return Piece(kind, start, end, text, not_json(start, end, quoted(found), expected))


def _loose_string(found: str, start: int) -> Piece:
    """A string with line breaks, control characters, quotation marks or invalid escapes."""
    valid = _VALID_START.match(found)
    assert valid is not None
    wrong = found[valid.end() :][: 2 if found[valid.end()] == "\\" else 1]
    fault_start = start + valid.end()
    fault = not_json(fault_start, fault_start + len(wrong), quoted(wrong), _ESCAPE_WORDS)
    return Piece("STRING", start, start + len(found), _json(found[1:-1]), fault)


def _unclosed_string(found: str, start: int) -> Piece:
    """A string without a closing quotation mark: it ends with its line, before a comma there."""
    if not found.endswith('"') or found == '"':
        found = found.rstrip().removesuffix(",")
    end = start + len(found)
    fault = not_json(end, end, _END_OF_LINE, _QUOTE)
    return Piece("STRING", start, end, _json(found[1:].removesuffix('"')), fault)


def _json(content: str) -> str:
    """The JSON string for `content`, which was between quotation marks."""
    escaped = _ESCAPE.sub(lambda match: match[0] if match[1] else "\\\\", content)
    escaped = re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', escaped)
    return json.dumps(json.loads(f'"{escaped}"', strict=False))


def _number(found: str) -> str:
    try:
        return str(int(found))
    except ValueError:
        return repr(float(found)) if abs(float(found)) != float("inf") else "1e999"


def quoted(text: str) -> Words:
    """A part of the text, in a message."""
    shown = shorten(text)
    return Words(f'"{shown}"', f"“{shown}”")
