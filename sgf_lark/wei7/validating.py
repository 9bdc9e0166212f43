"""Validates wei7 3.0: finds the rules that a text breaks."""

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
from sgf_lark.wei7.places import Located
from sgf_lark.wei7.reading import Reading, read
from sgf_lark.wei7.rules import rules


def validate(
    data: bytes | str,
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    language: Language = "en",
) -> Report:
    """Report every rule that `data`, the text of a wei7 file, breaks.

    Bad input never raises. If `data` is not JSON, it is repaired, and the other rules check
    the repaired text. A `str` is encoded in UTF-8. Diagnostics have a JSON pointer, and
    spans that count bytes of `data`. `select` and `ignore` are codes or prefixes of codes:
    only those, or all but those. Raises ValueError for an unknown language.
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
    data: bytes, reading: Reading, findings: Iterable[Located], language: Language
) -> Report:
    """The findings in `data` as diagnostics."""
    source = SourceText(data, "utf-8")
    offsets = _ByteOffsets(reading.text, reading.skipped, len(data))
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
                source.span(offsets.at(finding.start), offsets.at(finding.end)),
                fix=rule.fix_zh if language == "zh" else rule.fix,
                pointer=finding.pointer,
            )
        )
    return Report(diagnostics, [], source)


class _ByteOffsets:
    """Translates offsets in characters to offsets in bytes, which is fast in ascending order.

    Negative offsets are in the byte order mark.
    """

    def __init__(self, text: str, skipped: int, length: int) -> None:
        self._text = None if text.isascii() else text
        self._skipped = skipped
        self._length = length
        #: The last offset in characters, and in bytes.
        self._last = (0, skipped)

    def at(self, index: int) -> int:
        if self._text is None or index <= 0:
            return min(index + self._skipped, self._length)
        known, offset = self._last if index >= self._last[0] else (0, self._skipped)
        offset += len(self._text[known:index].encode("utf-8", "surrogateescape"))
        self._last = (index, offset)
        return min(offset, self._length)
