"""Loads wei7 texts as models, and recovers damaged ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.diagnostics import Diagnostic, Language, Severity
from sgf_lark.validation.report import Report
from sgf_lark.wei7.models import Document, build
from sgf_lark.wei7.reading import read
from sgf_lark.wei7.validating import as_bytes, report


class Wei7Error(ValueError):
    """A text breaks rules of wei7.

    `diagnostics` are all diagnostics, in the order of the text. `diagnostic` is the first
    syntax error of JSON, or else the first error.
    """

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        """Choose the diagnostic for the message; at least one has to be an error."""
        errors = [found for found in diagnostics if found.severity is Severity.ERROR]
        self.diagnostics = diagnostics
        self.diagnostic = min(errors, key=lambda found: found.code != "WEI001")
        span = self.diagnostic.span
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(
            f"line {span.line}, column {span.column}:"
            f" {self.diagnostic.code} {self.diagnostic.message}{more}"
        )


@dataclass(frozen=True, slots=True)
class Recovered:
    """A recovered text as dicts and lists.

    `report` has the diagnostics, which show what was repaired. `dropped` are the JSON
    pointers of the values that are not in `document`, because no member of wei7 can hold
    them, or because a member that they require is missing.
    """

    document: dict[str, Any]
    report: Report
    dropped: tuple[str, ...]


def recover(data: bytes | str, *, language: Language = "en") -> Recovered:
    """Load as much as possible of `data`; bad input never raises.

    A text that is not JSON is repaired with few edits: missing and redundant brackets, commas
    and quotation marks, comments, line breaks in strings. Values that no member of wei7 can
    hold are dropped. Values that only contradict other values, such as a move onto a stone,
    are kept. A missing format, version or tree is added.
    """
    data = as_bytes(data)
    reading = read(data)
    document = {"format": "wei7", "version": "3.0", **reading.document}
    document.setdefault("tree", {})
    found = report(data, reading, reading.findings, language)
    return Recovered(document, found, tuple(reading.dropped))


def load_plain(data: bytes | str) -> dict[str, Any]:
    """Load a text as dicts and lists; raises Wei7Error if it breaks a rule."""
    recovered = recover(data)
    if not recovered.report.ok:
        raise Wei7Error(recovered.report.diagnostics)
    return recovered.document


def loads(data: bytes | str, *, tolerant: bool = False) -> Document:
    """Load the model of `data`, the text of a wei7 file.

    Raises Wei7Error, a ValueError with diagnostics, for a text that breaks a rule. With
    `tolerant`, any text is loaded; `recover` also reports what was repaired or dropped.
    """
    return build(recover(data).document if tolerant else load_plain(data))
