"""The README and the pages in docs/ are run: their examples give what they show."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

import sgf_lark
from tests.kit.commands import invoke
from tests.kit.waiting import LIMIT

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_EXAMPLES = [page for page in PAGES if ">>> " in page.read_text("utf-8")]
WITH_COMMANDS = [page for page in PAGES if "```console\n" in page.read_text("utf-8")]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, attempted = doctest.testfile(
        str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
    )
    assert attempted > 0
    assert failed == 0


@pytest.fixture(scope="session")
def as_installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of modules for a program as users have it: without interegular, with which Lark
    compares the terminals of each grammar that it reads, which takes longer than all the rest."""
    folder = tmp_path_factory.mktemp("as_installed")
    (folder / "interegular.py").write_text("raise ImportError")
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="the pages show commands of a Unix shell")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name)
def test_commands(
    page: Path, tmp_path: Path, as_installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks of the kind "console", run one after the other in one folder.

    Of a Chinese page, what is the same on the English one is not run again.
    """
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": as_installed,
        "COLUMNS": "120",
        "PYTHONIOENCODING": "utf-8",
    }

    def run_by_shell(command: str) -> str:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT,
        ).stdout.decode("utf-8")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    other = page.with_name(page.name.replace(".zh", ""))
    elsewhere = commands(other) if other != page else []
    for command, shown in commands(page):
        # A command that shows nothing may write a file.
        if shown and (command, shown) in elsewhere:
            continue
        if by_itself := _BY_ITSELF.fullmatch(command):
            given = run_by_shell(by_itself["given"] or "true")
            output = invoke(*shlex.split(by_itself["words"]), stdin=given).stdout
        else:
            output = run_by_shell(command)
        assert output == "" or shown, f"{command}: nothing is shown of {output}"
        assert is_shown(shown, output), f"{command}:\n{output}"


#: A command of this package, perhaps with what is printed as its input: it runs in this process.
_BY_ITSELF = re.compile(r"((?P<given>(printf|echo) [^|]*)\| *)?sgf-lark (?P<words>[^|<>&;$]*)")


def commands(page: Path) -> list[tuple[str, str]]:
    """The commands of the blocks of a page, each with what is shown of its output."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    pieces = (piece for block in blocks for piece in re.split(r"(?m)^\$ ", block)[1:])
    return [(command, shown) for command, _, shown in (piece.partition("\n") for piece in pieces)]


def is_shown(shown: str, output: str) -> bool:
    """Whether `shown` is `output`; a line of "..." leaves out lines, or none, and " ..." at
    the end of a line its rest."""
    pattern = "".join(
        r"(?:.*\n)*?"
        if line == "..."
        else re.escape(line.removesuffix(" ...")) + (".*" if line.endswith(" ...") else "") + r"\n"
        for line in shown.rstrip("\n").split("\n")
    )
    return re.fullmatch(pattern, output.rstrip("\n") + "\n") is not None


#: Runs the program of the tutorial for one file after the other, in one process of Node: as the
#: function that is tested by the harness.
HARNESS = """
import fs from 'node:fs'
const file = new URL('parser.mjs', import.meta.url)
const source = fs.readFileSync(file, 'utf-8').replace(/^import .*/m, '')
const program = new Function('readFileSync', 'process', 'console', source)
const process = {argv: [], exit() { throw new SyntaxError('rejected') }}
export const parse = data => program(() => data.toString('utf-8'), process, {error() {}})
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_parser_of_the_tutorial(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "tutorials" / "parser.md").read_text("utf-8")
    program, lines = re.findall(r"```js\n(.*?)```", text, re.DOTALL)
    fixed = re.sub(r" *at = text.indexOf.*\n.*\n", lambda _: lines, program)
    shutil.copy(ROOT / "docs" / "harnesses" / "harness.mjs", tmp_path)
    (tmp_path / "my-parser.mjs").write_text(HARNESS, "utf-8")
    adapter = f"persistent: node {tmp_path / 'harness.mjs'}"
    for source, passed in zip((program, fixed), re.findall(r"(\d+)/76", text), strict=True):
        (tmp_path / "parser.mjs").write_text(source, "utf-8")
        options = ["--target", adapter, "--group", "escaping", "--timeout", str(LIMIT)]
        result = invoke("conformance", "run", *options)
        assert f" {passed}/76" in result.stdout
    for name, code in (("accept-bracket", 0), ("reject-backslash-ends-file", 1)):
        file = ROOT / "tests" / "conformance" / "files" / "escaping" / f"{name}.sgf"
        command: list[str | Path] = ["node", tmp_path / "parser.mjs", file]
        assert subprocess.run(command, capture_output=True, timeout=LIMIT).returncode == code


def test_chinese_pages_have_the_examples_of_the_english_ones() -> None:
    """Those of the shell are translated, and run where they differ."""
    for page in (ROOT / "docs" / "tutorials").glob("*.zh.md"):
        english = page.with_name(page.name.replace(".zh", "")).read_text("utf-8")
        for kind in ("js", "json", "pycon", "python"):
            pattern = rf"```{kind}\n.*?```"
            blocks = re.findall(pattern, page.read_text("utf-8"), re.DOTALL)
            assert blocks == re.findall(pattern, english, re.DOTALL)


def test_what_is_shown_has_to_be_in_the_output() -> None:
    assert is_shown("a ...\n...\nd\n", "a b\nc\nd\n")
    assert not is_shown("a\n...\nd\n", "a b\nc\nd\n")
    assert not is_shown("a ...\nd\n", "a b\nc\nd\n")


# --- What else the README shows -------------------------------------------------------


README = ROOT / "README.md"
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
