"""Which rules of wei7 3.0 a text breaks."""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.diagnostics import (
    LANGUAGES,
    Diagnostic,
    Language,
    Severity,
    Words,
    shorten,
)
from sgf_lark.text.positions import SourceText
from sgf_lark.validation.report import Report
from sgf_lark.wei7.checks import Finding
from sgf_lark.wei7.reading import Reading, read
from sgf_lark.wei7.rules import rules


def validate(
    data: bytes | str,
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    language: Language = "en",
) -> Report:
    """Everything that `data`, the text of a wei7 file, breaks. Bad input never raises.

    Where `data` is no JSON, it is mended as it may have been meant, and the other
    rules look at that. A `str` is taken as UTF-8. Diagnostics have a JSON pointer, and
    spans that count bytes of `data`. `select` and `ignore` are codes or beginnings of
    codes: only those, or all but those. Raises ValueError for an unknown language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language: {language!r}; one of {', '.join(LANGUAGES)}")
    data = as_bytes(data)
    wanted = ("",) if select is None else tuple(select)
    unwanted = tuple(ignore or ())
    reading = read(data)
    kept = [
        finding
        for finding in reading.findings
        if finding.code.startswith(wanted) and not finding.code.startswith(unwanted)
    ]
    return report(data, reading, kept, language)


def as_bytes(data: bytes | str) -> bytes:
    """The bytes of a text."""
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def report(
    data: bytes, reading: Reading, findings: Iterable[Finding], language: Language
) -> Report:
    """The findings of a reading of `data` as diagnostics."""
    source = SourceText(data, "utf-8")
    places = _Places(reading.text, reading.skipped, len(data))
    diagnostics = []
    for finding in sorted(findings, key=lambda item: (item.start, item.code)):
        rule = rules()[finding.code]
        values = {
            key: getattr(value, language) if isinstance(value, Words) else value
            for key, value in finding.values.items()
        }
        message = (rule.message_zh if language == "zh" else rule.message).format_map(
            {"name": shorten(finding.pointer, 60) or "/", **values}
        )
        diagnostics.append(
            Diagnostic(
                rule.code,
                rule.name,
                Severity(rule.severity),
                message,
                source.span(places.offset(finding.start), places.offset(finding.end)),
                fix=rule.fix_zh if language == "zh" else rule.fix,
                pointer=finding.pointer,
            )
        )
    return Report(diagnostics, [], source)


class _Places:
    """From characters to bytes, for offsets that mostly grow; below 0 in the mark."""

    def __init__(self, text: str, skipped: int, length: int) -> None:
        self._text = None if text.isascii() else text
        self._skipped = skipped
        self._length = length
        self._last = (0, skipped)

    def offset(self, place: int) -> int:
        if self._text is None or place <= 0:
            return min(place + self._skipped, self._length)
        known, offset = self._last if place >= self._last[0] else (0, self._skipped)
        offset += len(self._text[known:place].encode("utf-8", "surrogateescape"))
        self._last = (place, offset)
        return min(offset, self._length)
