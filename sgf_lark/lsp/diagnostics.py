"""Diagnostics as the protocol has them."""

from __future__ import annotations

from lsprotocol import types

from sgf_lark.diagnostics import Diagnostic, Severity, most_severe
from sgf_lark.documentation import rule_page
from sgf_lark.lsp.analysis import Analysis

SOURCE = "sgf-lark"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.STYLE: types.DiagnosticSeverity.Information,
}


def diagnostic(analysis: Analysis, uri: str, one: Diagnostic) -> types.Diagnostic:
    """A diagnostic for the document at that address."""
    text, page = analysis.text, rule_page(one.code, analysis.language)
    return types.Diagnostic(
        range=text.range(one.span.start, one.span.end),
        message=one.message,
        severity=_SEVERITIES[one.severity],
        code=one.code,
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(uri, text.range(place.start, place.end)),
                one.message,
            )
            for place in one.related
        ]
        or None,
    )


def diagnostics(analysis: Analysis, uri: str, limit: int) -> list[types.Diagnostic]:
    """The most severe diagnostics of a text; the last of them counts those that were left out."""
    indexes = most_severe([each.severity for each in analysis.diagnostics], limit)
    shown = [diagnostic(analysis, uri, analysis.diagnostics[index]) for index in indexes]
    omitted = len(analysis.diagnostics) - len(shown)
    if omitted:
        shown.append(
            types.Diagnostic(
                range=analysis.text.range(0, 0),
                message=_OMITTED[analysis.language].format(count=omitted),
                severity=types.DiagnosticSeverity.Information,
                source=SOURCE,
            )
        )
    return shown


_OMITTED = {
    "en": "further findings that are not listed: {count}; run sgf-lark check to see all",
    "zh": "另有 {count} 条诊断未列出；运行 sgf-lark check 可查看全部",
}
