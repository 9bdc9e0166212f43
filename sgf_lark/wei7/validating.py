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
    findings = sorted(findings, key=lambda item: (item.start, item.code))
    offsets = _byte_offsets(reading, findings)
    diagnostics = []
    for finding in findings:
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
                source.span(offsets[finding.start], offsets[finding.end]),
                fix=rule.fix_zh if language == "zh" else rule.fix,
                pointer=finding.pointer,
            )
        )
    return Report(diagnostics, [], source)


def _byte_offsets(reading: Reading, findings: Iterable[Located]) -> dict[int, int]:
    """The offsets in bytes of the starts and ends of findings, which count characters.

    Negative ones are in the byte order mark.
    """
    offsets: dict[int, int] = {}
    known, offset = 0, reading.skipped
    for index in sorted({index for each in findings for index in (each.start, each.end)}):
        if index > 0:
            offset += len(reading.text[known:index].encode("utf-8", "surrogateescape"))
            known = index
        offsets[index] = offset + min(index, 0)
    return offsets
