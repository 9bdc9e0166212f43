"""Which rules of wei7 3.0 a text breaks."""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.diagnostics import (
    LANGUAGES,
    Diagnostic,
    Language,
    Severity,
    SourceText,
    Words,
    shorten,
)
from sgf_lark.report import Report
from sgf_lark.wei7.checks import Checker, Finding
from sgf_lark.wei7.json import JSONSyntaxError, parse
from sgf_lark.wei7.rules import rules

_MARK = b"\xef\xbb\xbf"


def validate(
    data: bytes | str,
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    language: Language = "en",
) -> Report:
    """Everything that `data`, the text of a wei7 file, breaks. Bad input never raises.

    A `str` is taken as UTF-8. Diagnostics have a JSON pointer; their spans count
    bytes of `data`. `select` and `ignore` are codes or beginnings of codes: only
    those, or all but those. Raises ValueError for an unknown language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language: {language!r}; one of {', '.join(LANGUAGES)}")
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    wanted = ("",) if select is None else tuple(select)
    unwanted = tuple(ignore or ())
    text, length, findings = _findings(data)
    kept = [
        finding
        for finding in findings
        if finding.code.startswith(wanted) and not finding.code.startswith(unwanted)
    ]
    return _report(data, length, text, kept, language)


def _findings(data: bytes) -> tuple[str | None, int, list[Finding]]:
    """The text, or None where it is not UTF-8, the length of its mark, and what is wrong."""
    findings: list[Finding] = []
    length = len(_MARK) if data.startswith(_MARK) else 0
    body = data[length:]
    if length:
        findings.append(Finding("WEI003", 0, 0, ""))
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        bad = Finding("WEI002", error.start, error.end, "", {"found": f"{body[error.start]:02X}"})
        return None, length, [*findings, bad]
    try:
        root = parse(text)
    except JSONSyntaxError as error:
        values: dict[str, object] = {"found": error.found, "expected": error.expected}
        found = Finding("WEI001", error.offset, error.offset + 1, "", values)
        return text, length, [*findings, found]
    checker = Checker()
    checker.root(root)
    return text, length, findings + checker.findings


def _report(
    data: bytes, skipped: int, text: str | None, findings: list[Finding], language: Language
) -> Report:
    """The findings, whose offsets count characters of `text`, or bytes where it is None."""
    source = SourceText(data, "utf-8")
    places = _Places(text, skipped, len(data))
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
    """From characters to bytes, for offsets that mostly grow."""

    def __init__(self, text: str | None, skipped: int, length: int) -> None:
        self._text = None if text is None or text.isascii() else text
        self._skipped = skipped
        self._length = length
        self._last = (0, skipped)

    def offset(self, place: int) -> int:
        if self._text is None:
            return min(place + self._skipped, self._length)
        known, offset = self._last if place >= self._last[0] else (0, self._skipped)
        offset += len(self._text[known:place].encode("utf-8", "surrogatepass"))
        self._last = (place, offset)
        return min(offset, self._length)
