"""Validates and loads wei7 texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from sgf_lark.diagnostics import LANGUAGES, Diagnostic, Language, Severity, Words, shorten
from sgf_lark.text.positions import SourceText
from sgf_lark.validation.report import Report
from sgf_lark.wei7.checking import check_game, check_values
from sgf_lark.wei7.json_text import Finding, NotJSONError, Place, parse
from sgf_lark.wei7.rules import rules


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


def validate(
    data: bytes | str,
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    language: Language = "en",
) -> Report:
    """Report every rule that `data`, the text of a wei7 file, breaks.

    Bad input never raises. If `data` is not JSON, the first place where it is not is reported. A
    `str` is encoded in UTF-8. Diagnostics have a JSON pointer, and
    spans that count bytes of `data`. `select` and `ignore` are codes or prefixes of codes:
    only those, or all but those. Raises ValueError for an unknown language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language: {language!r}; one of {', '.join(LANGUAGES)}")
    data = _as_bytes(data)
    wanted = ("",) if select is None else tuple(select)
    unwanted = tuple(ignore or ())
    reading = read(data)
    kept = [
        finding
        for finding in reading.findings
        if finding.code.startswith(wanted) and not finding.code.startswith(unwanted)
    ]
    return _report(data, reading, kept, language)


def loads(data: bytes | str) -> dict[str, Any]:
    """Load `data`, the text of a wei7 file, as dicts and lists; 7.0 becomes 7.

    Raises Wei7Error, a ValueError with diagnostics, for a text that breaks a rule.
    """
    document: dict[str, Any] = load_place(data).value
    return document


def load_place(data: bytes | str) -> Place:
    """Load a text as the place of its value; raises Wei7Error if it breaks a rule."""
    data = _as_bytes(data)
    reading = read(data)
    report = _report(data, reading, reading.findings, "en")
    if not report.ok or reading.root is None:
        raise Wei7Error(report.diagnostics)
    return reading.root


def _as_bytes(data: bytes | str) -> bytes:
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def _report(
    data: bytes, reading: LoadedText, findings: Iterable[Finding], language: Language
) -> Report:
    """The findings in `data` as diagnostics."""
    # Findings count characters of the text, spans count bytes of the file.
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
                Severity(rule.severity["strict"]),
                message,
                source.span(offsets[finding.start], offsets[finding.end]),
                fix=rule.fix_zh if language == "zh" else rule.fix,
                pointer=finding.pointer,
            )
        )
    return Report(diagnostics, [], source)


def _byte_offsets(reading: LoadedText, findings: Iterable[Finding]) -> dict[int, int]:
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


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: Bytes that are not UTF-8, as the error handler "surrogateescape" decodes them.
_UNDECODABLE_BYTES = re.compile("[\udc80-\udcff]+")
#: Escapes: pairs of surrogates, lone surrogates as group 1, and others.
_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\[\s\S]"
)


class LoadedText(NamedTuple):
    """A text, the broken rules, and the place of its value; None if it is not JSON.

    `skipped` bytes precede the text in the file.
    """

    text: str
    skipped: int
    root: Place | None
    findings: list[Finding]


def read(data: bytes) -> LoadedText:
    """Parse a text and check it; what is not JSON is reported at the first place."""
    findings: list[Finding] = []
    skipped = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
    if skipped:
        findings.append(Finding("WEI003", -skipped, 0, {}))
    text = data[skipped:].decode(errors="surrogateescape")
    try:
        root = parse(_replace_what_is_not_utf_8(text, findings))
    except NotJSONError as error:
        return LoadedText(text, skipped, None, [*findings, error.finding])
    findings += check_values(root)
    findings += check_game(root)
    return LoadedText(text, skipped, root, findings)


def _replace_what_is_not_utf_8(text: str, findings: list[Finding]) -> str:
    """Report bytes and escapes for which UTF-8 has no character; each becomes U+FFFD."""
    if text.isascii() and "\\u" not in text:
        return text
    for bad in _UNDECODABLE_BYTES.finditer(text):
        byte = f"{ord(bad[0][0]) - 0xDC00:02X}"
        found = Words(f"the byte {byte}", f"字节 {byte}")
        findings.append(Finding("WEI002", *bad.span(), {"found": found}))
    for escape in _ESCAPES.finditer(text):
        if escape[1]:
            found = Words(f"the lone surrogate {escape[1]}", f"单个代理项 {escape[1]}")
            findings.append(Finding("WEI002", *escape.span(), {"found": found}))
    # Both replacements have the length of what they replace.
    text = _ESCAPES.sub(lambda escape: r"\ufffd" if escape[1] else escape[0], text)
    return _UNDECODABLE_BYTES.sub(lambda bad: "\ufffd" * len(bad[0]), text)
