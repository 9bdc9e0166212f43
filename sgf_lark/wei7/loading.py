"""wei7 texts as models, and what could be read of damaged ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sgf_lark.diagnostics import Diagnostic, Language, Severity
from sgf_lark.validation.report import Report
from sgf_lark.wei7.reading import plain, read
from sgf_lark.wei7.validating import as_bytes, report

if TYPE_CHECKING:
    from sgf_lark.wei7.models import Document


class Wei7Error(ValueError):
    """A text breaks rules of wei7.

    `diagnostics` has everything that was found, in the order of the text, and
    `diagnostic` the first error; where the text is no JSON, the first place of that.
    """

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
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
    """What could be read of a text, as dicts and lists.

    `report` says what was wrong, and so what was mended; `dropped` are the JSON
    pointers of the values that are not in `document`, because no member of wei7
    can hold them, or because what they require is missing.
    """

    document: dict[str, Any]
    report: Report
    dropped: tuple[str, ...]


def recover(data: bytes | str, *, language: Language = "en") -> Recovered:
    """What `data` says, whatever it breaks: bad input never raises.

    A text that is no JSON is mended with the fewest changes: brackets, commas and
    quotation marks that are missing or too many, comments, line breaks in strings.
    Values that no member of wei7 can hold are dropped. What breaks a rule about how
    values fit together, such as a move onto a stone, is kept.
    """
    data = as_bytes(data)
    reading = read(data)
    document, dropped = plain(reading)
    return Recovered(document, report(data, reading, reading.findings, language), tuple(dropped))


def load_plain(data: bytes | str) -> dict[str, Any]:
    """A text as dicts and lists; raises Wei7Error where it breaks a rule."""
    data = as_bytes(data)
    reading = read(data)
    found = report(data, reading, reading.findings, "en")
    if not found.ok:
        raise Wei7Error(found.diagnostics)
    return plain(reading).document


def loads(data: bytes | str, *, tolerant: bool = False) -> Document:
    """The model of `data`, the text of a wei7 file; needs msgspec.

    Raises Wei7Error, a ValueError with diagnostics, for a text that breaks a rule.
    With `tolerant` nothing is refused: see `recover`, which tells what was mended or
    dropped, as does `validate`.
    """
    from sgf_lark.wei7.models import build

    return build(recover(data).document if tolerant else load_plain(data))


def schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) for wei7, made from the models; needs msgspec.

    It says what can be said of single values. That points lie on the board, that
    participants exist, and all that follows from the order of the moves is beyond
    it: `validate` checks these too.
    """
    from sgf_lark.wei7 import models

    return models.schema()
