"""Writes wei7 as JSON text, without recursion: branches can have any depth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sgf_lark.wei7.models import Document, Model


class _Text(str):
    """A part of the JSON text, unlike a string in the document."""

    __slots__ = ()


def dumps(document: Document | Mapping[str, Any]) -> bytes:
    """The UTF-8 text of a model, or of dicts and lists; each item of a list has its own line.

    Raises TypeError for types that JSON lacks, and ValueError for numbers that are not
    finite and for lone surrogates, which UTF-8 cannot encode.
    """
    return ("".join(_parts(document)) + "\n").encode()


def _parts(document: Document | Mapping[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, float) and item.is_integer() and abs(item) < 2**53:
            # 7 and 7.0 are the same number; the document writes 7.
            item = int(item)
        elif isinstance(item, Model):
            item = item.members()
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
