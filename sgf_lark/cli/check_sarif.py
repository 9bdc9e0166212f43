"""The results of ``check`` as SARIF 2.1.0, which code hosts and editors read.

One log with one run, in pieces: results as they come, then the rules they refer to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from sgf_lark import __version__, grammar
from sgf_lark.cli.results import Result
from sgf_lark.diagnostics import Diagnostic, Severity, Span
from sgf_lark.documentation import rule_page
from sgf_lark.text.escaping import to_json
from sgf_lark.validation.report import Report
from sgf_lark.wei7.rules import Rule as Wei7Rule
from sgf_lark.wei7.rules import rules as wei7_rules

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "note"}

_LINE_BREAK = re.compile("\r\n|\n|\r")


def log(results: Iterable[Result], profile: str) -> Iterator[str]:
    """Yield the log of all results."""
    head = {"$schema": SCHEMA, "version": "2.1.0"}
    yield json.dumps(head)[:-1] + ', "runs": [{"columnKind": "unicodeCodePoints", "results": ['
    indexes: dict[str, int] = {}
    separator = "\n"
    for result in results:
        for found in result.report.diagnostics:
            index = indexes.setdefault(found.code, len(indexes))
            item = _result(result.path, result.report, found, index)
            yield separator + to_json(item)
            separator = ",\n"
    driver = {
        "name": "sgf-lark",
        "version": __version__,
        "rules": [_rule(code, profile) for code in indexes],
    }
    tool = to_json({"driver": driver})
    yield f'\n], "tool": {tool}}}]}}\n'


def _result(path: str, report: Report, found: Diagnostic, index: int) -> dict[str, object]:
    item: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [_location(path, report, found.span)],
    }
    if found.related:
        item["relatedLocations"] = [_location(path, report, span) for span in found.related]
    properties = {
        "tree": found.tree,
        "node": found.node,
        "ident": found.ident,
        "sgfc": found.sgfc,
        "fix": found.fix,
    }
    item["properties"] = {key: value for key, value in properties.items() if value is not None}
    return item


def _location(path: str, report: Report, span: Span) -> dict[str, object]:
    lines = _LINE_BREAK.split(report.source.text(span))
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.line + len(lines) - 1,
        "endColumn": len(lines[-1]) + (span.column if len(lines) == 1 else 1),
        "byteOffset": span.start,
        "byteLength": span.end - span.start,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(path)}, "region": region}}


def _uri(path: str) -> str:
    """Return the path as a URI; a relative path stays relative, as RFC 3986 allows."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(Path(path).as_posix().encode("utf-8", "surrogateescape"))


def _rule(code: str, profile: str) -> dict[str, object]:
    rule: grammar.Rule | Wei7Rule
    tags: dict[str, object] = {}
    if code in wei7_rules():
        rule = wei7_rules()[code]
        severity = rule.severity
    else:
        rule = sgf_rule = grammar.rule(code)
        severity = sgf_rule.severity[profile]
        tags["reference"] = list(sgf_rule.reference)
        if sgf_rule.sgfc is not None:
            tags["sgfc"] = sgf_rule.sgfc
    level = "none" if severity == "off" else LEVELS[Severity(severity)]
    page = rule_page(rule.code)
    more = "" if page else f" (more: sgf-lark explain {rule.code})"
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": f"{rule.fix}{more}"},
        **({"helpUri": page} if page else {}),
        "defaultConfiguration": {"level": level},
        "properties": {"source": rule.source, **tags},
    }
