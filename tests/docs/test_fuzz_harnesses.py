"""The harnesses in ``docs/harnesses``, each with a small parser in its language, of the folder
``parsers``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sgf_lark.fuzz.outcomes import TargetError, Verdict
from sgf_lark.fuzz.targets import Target, open_target
from tests.docs.parsers.my_parser import TREE
from tests.kit.waiting import LIMIT

HARNESSES = Path(__file__).parents[2] / "docs" / "harnesses"

#: For each harness a parser of the folder, the program that builds or runs it, and how.
PARSERS = {
    "harness.py": ("my_parser.py", sys.executable, f"{sys.executable} harness.py"),
    "harness.mjs": ("my-parser.mjs", "node", "node harness.mjs"),
    "harness.pl": ("MyParser.pm", "perl", "perl harness.pl"),
    "harness.c": (
        "my_parser.c",
        "gcc",
        "gcc -Wall -Wextra -Werror -o harness harness.c my_parser.c",
    ),
    "harness.rs": ("my_parser.rs", "rustc", "rustc -O harness.rs"),
    "harness.go": ("my_parser.go", "go", "go build -o harness harness.go my_parser.go"),
    "Harness.java": ("MyParser.java", "javac", "javac Harness.java SgfTree.java MyParser.java"),
}

EXPECTED = [
    (b"(;C[a\nb])", Verdict.ACCEPT),
    (b"", Verdict.REJECT),
    (b"hello\n", Verdict.REJECT),
    (b"(" * 100_000, Verdict.ACCEPT),
    (b"(crash)", Verdict.CRASH),
    (b"12\n(;)", Verdict.REJECT),
    (b"(hang)", Verdict.HANG),
    (b"(;)", Verdict.ACCEPT),
]


def command(name: str, folder: Path) -> str:
    """Build the harness in a folder and return the command that runs it."""
    file, program, how = PARSERS[name]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    shutil.copytree(HARNESSES, folder, dirs_exist_ok=True)
    shutil.copy(Path(__file__).parent / "parsers" / file, folder)
    if name in ("harness.py", "harness.mjs", "harness.pl"):
        return how.replace(name, str(folder / name))
    environment = {**os.environ, "GOCACHE": str(folder / "cache"), "GO111MODULE": "off"}
    subprocess.run(how.split(), cwd=folder, env=environment, check=True, capture_output=True)
    return f"java -cp {folder} Harness" if program == "javac" else str(folder / "harness")


def _run(target: Target, data: bytes, expected: Verdict) -> Verdict:
    """Run with a short timeout for hangs only, so that the test passes on a slow machine."""
    timeout = 0.5 if expected is Verdict.HANG else LIMIT
    target.limits = replace(target.limits, timeout=timeout)
    return target.run(data).verdict


@pytest.mark.parametrize("name", PARSERS)
def test_harness(name: str, tmp_path: Path) -> None:
    with open_target(f"persistent: {command(name, tmp_path)}") as target:
        assert [_run(target, data, verdict) for data, verdict in EXPECTED] == [
            verdict for _, verdict in EXPECTED
        ]
        assert target.run(b"(tree)").tree == TREE
        assert target.run(b"no").detail == "no SGF"


@pytest.mark.parametrize(
    "program", ["print('hello', flush=True)", "import sys; sys.exit('broken')"]
)
def test_program_without_the_protocol(program: str) -> None:
    spec = f'persistent: {sys.executable} -c "{program}; input()"'
    with open_target(spec) as target, pytest.raises(TargetError, match="cannot be run"):
        target.limits = replace(target.limits)
        target.run(b"(;)")


def test_other_output_is_no_reply() -> None:
    program = "print('ready', flush=True); input(); print('perhaps', flush=True); input()"
    with open_target(f'persistent: {sys.executable} -c "{program}"', timeout=LIMIT) as target:
        outcome = target.run(b"(;)")
    assert (outcome.verdict, outcome.place) == (
        Verdict.CRASH,
        "it answered with what is not an answer",
    )
