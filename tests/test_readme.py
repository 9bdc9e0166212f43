"""The README and other documents are run: their examples give what they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import Phase, settings

import sgf_lark
from sgf_lark.cli.commands import main

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text("utf-8")


@pytest.mark.parametrize("document", [README, README.parent / "docs" / "reading.md"])
def test_examples(document: Path) -> None:
    failed, attempted = doctest.testfile(
        str(document), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
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
    shown = [line for line in TEXT.splitlines() if line.startswith(path)]
    assert shown
    assert set(shown) <= lines


def test_shown_commands_print_what_is_shown() -> None:
    """Blocks of the kind "console": a command that `printf` feeds, and its output."""
    blocks = re.findall(
        r"```console\n\$ printf '(.*?)' \| sgf-lark (.*)\n(.*?)```", TEXT, re.DOTALL
    )
    assert blocks
    for given, arguments, output in blocks:
        result = CliRunner().invoke(main, arguments.split(), input=given.encode())
        assert result.stdout.rstrip() == output.rstrip()


def test_the_test_of_a_parser_finds_what_the_parser_cannot_read() -> None:
    """The block of the kind "python": a test that the reader is to put into a file of his own."""
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    read: list[bytes] = []
    names: dict[str, Any] = {"my_parser": read.append}
    exec(program, names)
    # Hypothesis tries some files more than once.
    generate = settings(max_examples=300, phases=[Phase.generate])
    test = generate(names["test_it_reads_what_conforms"])
    test()
    assert len(set(read)) > 50
    names["my_parser"] = lambda data: data.decode("ascii")
    with pytest.raises(UnicodeDecodeError):
        test()
