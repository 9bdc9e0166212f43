"""Writes wei7 as JSON text, without recursion: branches can have any depth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from sgf_lark.wei7.models import Document


@runtime_checkable
class _Model(Protocol):
    """The interface of the models, which are not imported here because they need msgspec."""

    def members(self) -> dict[str, Any]:
        """The members that are set, by name."""
        ...


class _Text(str):
    """A part of the JSON text, unlike a string in the document."""

    __slots__ = ()


def dumps(document: Document | Mapping[str, Any]) -> bytes:
    """The UTF-8 text of a model, or of dicts and lists; each item of a list has its own line.

    Raises TypeError for types that JSON lacks, and ValueError for numbers that are not
    finite. Lone surrogates are escaped.
    """
    return ("".join(_parts(document)) + "\n").encode("utf-8", "backslashreplace")


def _parts(document: Document | Mapping[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, float) and item.is_integer() and abs(item) < 2**53:
            # 7 and 7.0 are the same number; the document writes 7.
            item = int(item)
        elif not isinstance(item, str | Mapping) and isinstance(item, _Model):
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
