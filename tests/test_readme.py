"""The README is run: what it shows is what happens."""

from __future__ import annotations

import doctest
from pathlib import Path

import sgf_lark

README = Path(__file__).parent.parent / "README.md"


def test_examples_of_the_readme() -> None:
    failed, attempted = doctest.testfile(
        str(README), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
    )
    assert attempted > 5
    assert failed == 0


def test_shown_diagnostics_are_those_of_the_sample() -> None:
    path = "tests/samples/broken.sgf"
    report = sgf_lark.validate((README.parent / path).read_bytes())
    lines = {
        f"{path}:{found.span.line}:{found.span.column}: "
        f"{found.severity} {found.code} {found.name}: {found.message}"
        for found in report.diagnostics
    }
    shown = [line for line in README.read_text("utf-8").splitlines() if line.startswith(path)]
    assert shown
    assert set(shown) <= lines
