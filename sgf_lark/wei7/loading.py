"""Validates and loads wei7 texts."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from typing import Any

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
    _, findings = read(data)
    kept = [
        finding
        for finding in findings
        if finding.code.startswith(wanted) and not finding.code.startswith(unwanted)
    ]
    return _report(data, kept, language)


def loads(data: bytes | str) -> dict[str, Any]:
    """Load `data`, the text of a wei7 file, as dicts and lists; 7.0 becomes 7.

    Raises Wei7Error, a ValueError with diagnostics, for a text that breaks a rule.
    """
    document: dict[str, Any] = load_place(data).value
    return document


def load_place(data: bytes | str) -> Place:
    """Load a text as the place of its value; raises Wei7Error if it breaks a rule."""
    data = _as_bytes(data)
    root, findings = read(data)
    report = _report(data, findings, "en")
    if not report.ok or root is None:
        raise Wei7Error(report.diagnostics)
    return root


def _as_bytes(data: bytes | str) -> bytes:
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def _report(data: bytes, findings: Iterable[Finding], language: Language) -> Report:
    """The findings in `data` as diagnostics."""
    source = SourceText(data, "utf-8")
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
                Severity(rule.severity["strict"]),
                message,
                source.span(finding.start, finding.end),
                fix=rule.fix_zh if language == "zh" else rule.fix,
                pointer=finding.pointer,
            )
        )
    return Report(diagnostics, [], source)


#: Bytes that are not UTF-8, as the error handler "surrogateescape" decodes them.
_UNDECODABLE_BYTES = re.compile("[\udc80-\udcff]+")
#: Escapes: pairs of surrogates, lone surrogates as group 1, and others.
_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\[\s\S]"
)


def read(data: bytes) -> tuple[Place | None, list[Finding]]:
    """The place of the value of a text, and the rules that it breaks; None if it is not JSON, which
    is reported at the first place."""
    findings = [*_what_is_not_utf_8(data)]
    if data.startswith(BOM_UTF8):
        findings.append(Finding("WEI003", 0, len(BOM_UTF8), {}))
        # Blanks, so that the places of what follows are those in the file.
        data = b"   " + data[len(BOM_UTF8) :]
    try:
        root = parse(data)
    except NotJSONError as error:
        return None, [*findings, error.finding]
    findings += check_values(root)
    findings += check_game(root)
    return root, findings


def _what_is_not_utf_8(data: bytes) -> Iterator[Finding]:
    """Yield findings for bytes and escapes for which UTF-8 has no character."""
    text = data.decode(errors="surrogateescape")
    known = offset = 0
    for bad in _UNDECODABLE_BYTES.finditer(text):
        offset += len(text[known : bad.start()].encode(errors="surrogateescape"))
        known = bad.start()
        byte = f"{ord(bad[0][0]) - 0xDC00:02X}"
        found = Words(f"the byte {byte}", f"字节 {byte}")
        yield Finding("WEI002", offset, offset + len(bad[0]), {"found": found})
    for escape in _ESCAPES.finditer(data):
        if escape[1]:
            name = escape[1].decode("ascii")
            found = Words(f"the lone surrogate {name}", f"单个代理项 {name}")
            yield Finding("WEI002", *escape.span(), {"found": found})
