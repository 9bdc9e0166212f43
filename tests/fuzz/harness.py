"""What the project promises of any bytes, as functions that raise where a promise is broken."""

from __future__ import annotations

from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import sgf_lark
from sgf_lark import engine
from sgf_lark.diagnostics import Severity
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.tolerant import parse_tolerant
from sgf_lark.validation.report import Report
from tests.kit.comparing import changes_by_fix

#: The examples for users of other fuzzers.
EXAMPLES = Path(__file__).parents[2] / "docs" / "fuzzers"


def example(name: str) -> Any:
    """Return the module of an example."""
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def promises(data: bytes) -> bool:
    """All that the project promises of a file of SGF, as a target for ``sgf-lark fuzz``."""
    parsers_agree(data)
    validation_takes_all(data)
    fixes_bring_no_errors(data)
    try:
        assert sgf_lark.dumps(sgf_lark.loads(data)) == data
    except sgf_lark.SGFSyntaxError:
        assert not sgf_lark.validate(data).ok
        return False
    return True


def parsers_agree(data: bytes) -> None:
    """The compiled parser, filter and board give what Lark and all rules on all nodes give."""
    assert engine.parse(data) == parse_if_strict(data, "lark")
    assert parse_tolerant(data) == parse_tolerant(data, "lark")
    found = sgf_lark.validate(data).diagnostics
    assert found == sgf_lark.validate(data, engine="lark").diagnostics


def validation_takes_all(data: bytes) -> None:
    """Spans are inside of the file, and each node can be read."""
    for diagnostic in sgf_lark.validate(data).diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(data)
    for tree in sgf_lark.loads(data, tolerant=True):
        for node in tree.nodes():
            assert len(node.properties) == len([entry.raw for entry in node.properties])


def fixes_bring_no_errors(data: bytes) -> None:
    """``fix``, safe and unsafe, is idempotent; safe fixes keep the meaning."""
    before = sgf_lark.validate(data)
    for unsafe in (False, True):
        fixed = sgf_lark.fix(data, unsafe=unsafe)
        assert sgf_lark.fix(fixed.data, unsafe=unsafe).data == fixed.data
        after = sgf_lark.validate(fixed.data)
        assert after.diagnostics == fixed.remaining
        assert after.ok or not before.ok
        if after.ok:
            sgf_lark.loads(fixed.data, engine="lark")
        # A fixed error may have hidden another one in the same place.
        if _errors(before).keys().isdisjoint(change.code for change in fixed.applied):
            assert not _errors(after) - _errors(before)
        if not unsafe:
            assert all(change.safe for change in fixed.applied)
            assert changes_by_fix(data, fixed) == []


def _errors(report: Report) -> Counter[str]:
    """How often each rule is violated."""
    return Counter(each.code for each in report.diagnostics if each.severity is Severity.ERROR)
