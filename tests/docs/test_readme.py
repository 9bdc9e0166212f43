"""What the README shows is true; ``test_docs.py`` runs its examples."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

import sgf_lark

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text("utf-8")


def test_shown_diagnostics_are_those_of_the_sample() -> None:
    path = "tests/samples/broken.sgf"
    report = sgf_lark.validate((README.parent / path).read_bytes())
    lines = {
        f"{path}:{found.span.line}:{found.span.column}: "
        f"{found.severity} {found.code} {found.name}: {found.message}"
        for found in report.diagnostics
    }
    shown = [line.removesuffix(" [fixable]") for line in TEXT.splitlines() if line.startswith(path)]
    assert shown
    assert set(shown) <= lines


def test_the_test_of_a_parser_finds_what_the_parser_cannot_read() -> None:
    """The block of the kind "python": a test that the reader is to put into a file of his own."""
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    read: list[bytes] = []
    names: dict[str, Any] = {"my_parser": read.append}
    exec(program, names)
    # Hypothesis tries some files more than once.
    generate = settings(max_examples=100, phases=[Phase.generate])
    test = generate(names["test_it_reads_what_conforms"])
    test()
    assert len(set(read)) > 25
    names["my_parser"] = lambda data: data.decode("ascii")
    with pytest.raises(UnicodeDecodeError):
        test()
