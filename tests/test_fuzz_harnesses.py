"""The harnesses in ``docs/harnesses``, each with a small parser in its language."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sgf_lark.fuzz.outcomes import TargetError, Verdict
from sgf_lark.fuzz.targets import Target, open_target
from tests.waiting import LIMIT

HARNESSES = Path(__file__).parent.parent / "docs" / "harnesses"

#: For each harness a parser that crashes on "(crash", hangs on "(hang", accepts other files that
#: begin with "(" and rejects the rest; the program that builds or runs it, and how.
PARSERS = {
    "harness.py": (
        """
def parse(data):
    if data.startswith(b"(crash"):
        raise KeyError("crash")
    while data.startswith(b"(hang"):
        pass
    if data.startswith(b"(tree"):
        print("noise")
        return [[{"parent": None, "properties": [["B", ["aa"]]]}]]
    if not data.startswith(b"("):
        raise ValueError("no\\nSGF")
""",
        sys.executable,
        "{python} harness.py",
    ),
    "harness.cjs": (
        """
exports.parse = data => {
  const text = data.toString('latin1')
  if (text.startsWith('(crash')) throw new TypeError('crash')
  while (text.startsWith('(hang')) {}
  if (text.startsWith('(tree')) return [[{parent: null, properties: [['B', ['aa']]]}]]
  if (!text.startsWith('(')) throw new SyntaxError('no\\nSGF')
}
""",
        "node",
        "node harness.cjs",
    ),
    "harness.c": (
        """
#include <stdlib.h>
#include <string.h>
const char *parse(const unsigned char *data, size_t size) {
    if (size >= 6 && memcmp(data, "(crash", 6) == 0) abort();
    while (size >= 5 && memcmp(data, "(hang", 5) == 0) continue;
    return size && data[0] == '(' ? NULL : "no SGF";
}
""",
        "gcc",
        "gcc -o harness harness.c tested_parser.c",
    ),
    "harness.rs": (
        """
pub fn parse(data: &[u8]) -> Result<(), String> {
    if data.starts_with(b"(crash") { panic!("crash"); }
    while data.starts_with(b"(hang") {}
    if data.starts_with(b"(") { Ok(()) } else { Err("no\\nSGF".to_string()) }
}
""",
        "rustc",
        "rustc -O harness.rs",
    ),
    "harness.go": (
        """
package main

import (
	"bytes"
	"errors"
)

func parse(data []byte) error {
	if bytes.HasPrefix(data, []byte("(crash")) {
		panic("crash")
	}
	for bytes.HasPrefix(data, []byte("(hang")) {
	}
	if !bytes.HasPrefix(data, []byte("(")) {
		return errors.New("no\\nSGF")
	}
	return nil
}
""",
        "go",
        "go build -o harness harness.go tested_parser.go",
    ),
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
    source, program, how = PARSERS[name]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    shutil.copy(HARNESSES / name, folder)
    (folder / f"tested_parser{Path(name).suffix}").write_text(source)
    if name in ("harness.py", "harness.cjs"):
        return how.format(python=sys.executable).replace(name, str(folder / name))
    subprocess.run(how.split(), cwd=folder, check=True, capture_output=True)
    return str(folder / "harness")


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
        if name in ("harness.py", "harness.cjs"):
            tree = target.run(b"(tree)").tree
            assert tree == [[{"parent": None, "properties": [["B", ["aa"]]]}]]
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
