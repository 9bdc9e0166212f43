"""The report of a validation."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from sgf_lark.diagnostics import Diagnostic, Severity
from sgf_lark.model.collection import Collection
from sgf_lark.text.positions import SourceText


class TreeSummary(NamedTuple):
    """GM, FF, SZ (columns, rows) and CA of a game tree.

    The values are those the tree is read with: a missing property counts with
    its default, and `sz` is None where the game has no default board.
    """

    gm: int
    ff: int
    sz: tuple[int, int] | None
    ca: str | None

    def as_dict(self) -> dict[str, object]:
        """The summary as an object of the JSON formats."""
        size = None if self.sz is None else list(self.sz)
        return {"gm": self.gm, "ff": self.ff, "sz": size, "ca": self.ca}


class Report:
    """The diagnostics of one input, in the order of their places.

    `trees` are the summaries of the game trees; `source` gives lines and columns
    of the input, for excerpts. `omitted` counts the diagnostics that :meth:`limited` left out,
    by code, name and severity.
    """

    def __init__(
        self,
        diagnostics: list[Diagnostic],
        trees: list[TreeSummary] | None = None,
        source: SourceText | None = None,
        omitted: Counter[tuple[str, str, Severity]] | None = None,
    ) -> None:
        self.diagnostics = diagnostics
        self.trees = trees or []
        self.source = source or SourceText(b"")
        self.omitted = omitted or Counter()

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not self.counts[Severity.ERROR]

    @property
    def counts(self) -> dict[str, int]:
        """The number of diagnostics of each severity, with those that are omitted."""
        counts = Counter(found.severity for found in self.diagnostics)
        for (_, _, severity), count in self.omitted.items():
            counts[severity] += count
        return {str(severity): counts[severity] for severity in Severity}

    def limited(self, number: int) -> Report:
        """The report with the first `number` diagnostics; the others are only counted."""
        if len(self.diagnostics) <= number:
            return self
        rest = self.diagnostics[number:]
        omitted = self.omitted + Counter((each.code, each.name, each.severity) for each in rest)
        return Report(self.diagnostics[:number], self.trees, self.source, omitted)

    def __repr__(self) -> str:
        return f"<Report {self.counts}>"

    def as_dict(self, path: str) -> dict[str, object]:
        """The object that represents this file in the JSON formats."""
        return {
            "path": path,
            "ok": self.ok,
            "counts": self.counts,
            **({"omitted": self.omitted.total()} if self.omitted else {}),
            "trees": [tree.as_dict() for tree in self.trees],
            "diagnostics": [found.as_dict() for found in self.diagnostics],
        }


def summaries(collection: Collection) -> list[TreeSummary]:
    """The summary of each tree of a collection."""
    return [
        TreeSummary(
            tree.game,
            tree.file_format,
            tree.size,
            ca.decode("latin-1") if (ca := tree.root_values.get("CA")) is not None else None,
        )
        for tree in collection
    ]
