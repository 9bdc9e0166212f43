"""Text from files, names of files and messages of other programs, so that no terminal, log or
editor takes a part of it for a command."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import Any

_LONGEST_SHOWN = 60
#: Longer integers are not shown by their digits.
_MOST_BITS = 160
#: Types that are known by their repr.
_PLAIN = (type(None), bool, int, float, str, bytes, list, tuple, dict, set, frozenset)

#: What begins a command in a log of GitHub: "::" at the beginning of a line, "##[" anywhere.
_COMMAND = re.compile(r"^\s*:(?=:)|#(?=#\[)")


def is_visible(character: str) -> bool:
    """Whether a terminal shows this character, as a glyph or as a space.

    Control characters, characters that change the direction of text, and lone surrogates are
    not visible.
    """
    # str.isprintable excludes all spaces but U+0020, the ideographic space too.
    return character.isprintable() or unicodedata.category(character) == "Zs"


def escape(text: str | PurePath) -> str:
    """`text` on one line: what is not visible is escaped as in Python, and so is the first
    character of what GitHub would take for a command in a log."""
    text = str(text)
    if "::" in text or "##[" in text:
        text = _COMMAND.sub(lambda match: f"{match[0][:-1]}\\x{ord(match[0][-1]):02x}", text)
    if text.isprintable():
        return text
    return "".join(
        character if is_visible(character) else ascii(character)[1:-1] for character in text
    )


def escape_lines(text: str) -> str:
    """`text` with its line breaks; other characters are escaped as by :func:`escape`."""
    return "\n".join(map(escape, text.split("\n")))


def to_json(value: Any, indent: int | None = None) -> str:
    """JSON text for `value`, in which what is not visible is escaped; without `indent` it has no
    spaces."""
    return escape_json(_encoded(value, indent))


def _encoded(value: Any, indent: int | None) -> str:
    import json

    if indent is None:
        try:
            import orjson

            return orjson.dumps(value).decode()
        # It refuses what Python's encoder takes: lone surrogates, named tuples, large numbers.
        except (ImportError, TypeError):
            pass
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def escape_json(text: str) -> str:
    """JSON text with escapes for what is not visible, but for its line breaks."""
    import json

    if text.replace("\n", "").isprintable():
        return text
    escaped = {
        ord(character): json.dumps(character)[1:-1]
        for character in {*text}
        if character != "\n" and not is_visible(character)
    }
    return text.translate(escaped) if escaped else text


def short_repr(value: Any) -> str:
    """A value of any type, in one short line."""
    name = type(value).__qualname__
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _MOST_BITS:
        return f"a whole number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:  # the repr of a class of the user can raise anything
        return f"<{name}>"
    if " at 0x" in text:
        return f"<{name}>"
    text = escape(text[: _LONGEST_SHOWN + 1])
    text = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
    return text if name in text or isinstance(value, _PLAIN) else f"{text} ({name})"
