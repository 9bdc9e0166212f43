"""The record of changes: what was changed, and where that is in the input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sgf_lark.diagnostics import Span
from sgf_lark.fixing.edits import Change
from sgf_lark.model.collection import Collection
from sgf_lark.text.decoding import Section
from sgf_lark.text.edits import Edit, Origins


class Applied(NamedTuple):
    """One change: the finding, its place in the input, and the text before and after.

    `safe` is true if nothing that means anything was dropped.
    """

    code: str
    name: str
    message: str
    span: Span
    before: str
    after: str
    safe: bool

    def as_dict(self) -> dict[str, object]:
        """The change as an object of JSON."""
        return {
            "code": self.code,
            "name": self.name,
            "message": self.message,
            "line": self.span.line,
            "column": self.span.column,
            "start": self.span.start,
            "end": self.span.end,
            "before": self.before,
            "after": self.after,
            "safe": self.safe,
        }


class Record:
    """The changes of a text, each with its place in the text as it was at first.

    The text is edited in rounds: changes are added with their places in the text before a round,
    and then :meth:`follow` takes the edits of that round.
    """

    def __init__(self, collection: Collection) -> None:
        self.applied: list[Applied] = []
        self._source = collection.source
        self._length = len(collection.data)
        self._is_decoded = not collection.file.decoding.sections.are_bytes
        self._origins = Origins(len(collection.flat.data))

    def origin(self, offset: int) -> int:
        """Where an offset in the text as it is now was at first."""
        return self._origins.was_at(offset)

    def add(self, change: Change, data: bytes, codec: str, message: str, section: Section) -> None:
        """Add a change of the text `data` of a section, which is in this codec there."""
        start, end = sorted((self.origin(change.start), self.origin(change.end)))
        before, after = change.texts or _texts(change.edits, data, codec, section)
        span = self._source.span(start, end)
        self.applied.append(
            Applied(change.code, change.name, message, span, before, after, change.safe)
        )

    def follow(self, edits: list[Edit]) -> None:
        """Follow the text through edits that are sorted and do not overlap."""
        self._origins.follow(edits)

    def span(self, span: Span, start: int) -> Span:
        """What a span in the bytes of the result, which begin at the offset `start` of the text,
        was at first. It is approximate in a file that was decoded before it was parsed."""
        return self._source.span(
            *(
                min(offset, self._length) if self._is_decoded else self.origin(offset + start)
                for offset in (span.start, span.end)
            )
        )


def _texts(edits: Iterable[Edit], data: bytes, codec: str, section: Section) -> tuple[str, str]:
    """What edits replace, and by what, without white space around it that is not the change."""
    edits = sorted(edits)
    before = section.shown(b" ".join(data[edit.start : edit.end] for edit in edits))
    after = section.shown(b" ".join(edit.replacement for edit in edits))
    both = before.decode(codec, "backslashreplace"), after.decode(codec, "replace")
    stripped = both[0].strip(), both[1].strip()
    return both if stripped[0] == stripped[1] else stripped
