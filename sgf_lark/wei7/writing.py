"""wei7 as JSON text, at any depth of branches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


class _Text(str):
    """A part of the text, as opposed to a string in the document."""

    __slots__ = ()


def dumps(document: Mapping[str, Any]) -> bytes:
    """The UTF-8 text of a document of dicts, lists, strings and numbers, an object to a line.

    Raises TypeError for what JSON does not know, and ValueError for numbers that
    are not finite and for surrogates.
    """
    return ("".join(_parts(document)) + "\n").encode()


def _parts(document: Mapping[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, _Text):
            yield item
        elif isinstance(item, Mapping):
            parts: list[Any] = [_Text("{")]
            for name, value in item.items():
                parts += [
                    _Text(f"{json.dumps(str(name), ensure_ascii=False)}: "),
                    value,
                    _Text(", "),
                ]
            parts[len(parts) - bool(item) :] = [_Text("}")]
            waiting.extend(reversed(parts))
        elif isinstance(item, list | tuple):
            parts = [_Text("[")]
            for value in item:
                parts += [_Text("\n"), value, _Text(",")]
            parts[len(parts) - bool(item) :] = [_Text("]")]
            waiting.extend(reversed(parts))
        else:
            yield json.dumps(item, ensure_ascii=False, allow_nan=False)
