"""wei7 as JSON text, at any depth of branches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from sgf_lark.wei7.models import Document


@runtime_checkable
class _Model(Protocol):
    """The models have this; here they are not imported, as they need msgspec."""

    def members(self) -> dict[str, Any]: ...


class _Text(str):
    """A part of the text, as opposed to a string in the document."""

    __slots__ = ()


def dumps(document: Document | Mapping[str, Any]) -> bytes:
    """The UTF-8 text of a model, or of dicts, lists, strings and numbers, an object to a line.

    Raises TypeError for what JSON does not know, and ValueError for numbers that
    are not finite. Surrogates, which are no characters, are escaped.
    """
    return ("".join(_parts(document)) + "\n").encode("utf-8", "backslashreplace")


def _parts(document: Document | Mapping[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, float) and item.is_integer() and abs(item) < 2**53:
            # 7 is the same number as 7.0, and the way the document writes it.
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
