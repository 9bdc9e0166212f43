"""The results of ``check`` as XML of JUnit: a test suite for each file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement, tostring

from sgf_lark.cli.results import Result
from sgf_lark.diagnostics import Diagnostic, Severity
from sgf_lark.text.escaping import escape


def suites(results: Iterable[Result]) -> Iterator[str]:
    """Yield the document, each suite when its file is done.

    Errors and warnings are failed tests, named by their rule and place; style notes are output of
    the suite. A file without errors and warnings is one test that passed, a file that could not be
    read is a test with an error.
    """
    yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="sgf-lark">\n'
    for result in results:
        yield tostring(_suite(result), encoding="unicode") + "\n"
    yield "</testsuites>\n"


def _suite(result: Result) -> Element:
    path = escape(result.path)
    found = result.report.diagnostics
    failed = [each for each in found if each.severity is not Severity.STYLE]
    notes = [each for each in found if each.severity is Severity.STYLE]
    suite = Element("testsuite", {"name": path, "tests": str(max(len(failed), 1))})
    suite.attrib["failures"] = str(len(failed) * result.readable)
    suite.attrib["errors"] = str(len(failed) * (not result.readable))
    for each in failed:
        name = f"{each.code} {each.name} {each.span.line}:{each.span.column}"
        case = SubElement(suite, "testcase", {"classname": path, "name": name})
        kind = "failure" if result.readable else "error"
        attributes = {"type": str(each.severity), "message": escape(each.message)}
        SubElement(case, kind, attributes).text = _text(path, each)
    if not failed:
        SubElement(suite, "testcase", {"classname": path, "name": "no error and no warning"})
    if notes:
        SubElement(suite, "system-out").text = "\n".join(_text(path, each) for each in notes)
    return suite


def _text(path: str, found: Diagnostic) -> str:
    place = f"{path}:{found.span.line}:{found.span.column}"
    text = f"{place}: {found.severity} {found.code} {found.name}: {found.message}"
    return escape(text + (f" (help: {found.fix})" if found.fix else ""))
