"""The programs of the suite's README run from the archive, in each language whose tools are here.

Each is run with a parser that accepts what begins with "(;" as one empty node, and has to print
exactly the cases in which that is wrong.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.conformance.build.packing import packages
from tests.test_conformance import SUITE
from tests.waiting import LIMIT

PYTHON = """
def parse(data):
    if not data.startswith(b"(;"):
        raise ValueError
    return [[{"parent": None, "properties": []}]]
"""
JAVASCRIPT = """
export function parse(data) {
  if (!data.toString("latin1").startsWith("(;")) throw new Error("rejected");
  return [[{ parent: null, properties: [] }]];
}
"""
GO = """
package main

import ("bytes"; "errors")

func parse(data []byte) ([][]Node, error) {
	if !bytes.HasPrefix(data, []byte("(;")) { return nil, errors.New("rejected") }
	return [][]Node{{{Properties: []Property{}}}}, nil
}
"""
RUST = """
pub fn parse(data: &[u8]) -> Result<(), ()> {
    if data.starts_with(b"(;") { Ok(()) } else { Err(()) }
}
"""
C = """
#include <stddef.h>
const char *parse(const unsigned char *data, size_t size) {
    return size >= 2 && data[0] == '(' && data[1] == ';' ? NULL : "no game tree";
}
"""


JAVA = """
class MyParser {
    static void parse(byte[] data) {
        if (data.length < 2 || data[0] != '(' || data[1] != ';') {
            throw new IllegalArgumentException("rejected");
        }
    }
}
"""


def failures(*, trees: bool) -> list[str]:
    """Return the cases that the parser fails, with or without comparing trees."""
    smallest: list[list[dict[str, object]]] = [[{"parent": None, "properties": []}]]
    found = []
    for case in SUITE.cases:
        if not case.data.startswith(b"(;"):
            failed = case.verdict == "accept"
        else:
            expected = case.tree("text") if trees else None
            failed = case.verdict == "reject" or expected not in (None, smallest)
        if failed:
            found.append(case.id)
    return found


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked archive of the suite."""
    folder = tmp_path_factory.mktemp("archive")
    name = f"sgf-conformance-{SUITE.version}"
    with tarfile.open(fileobj=io.BytesIO(packages()[f"{name}.tar.gz"])) as packed:
        packed.extractall(folder, filter="data")
    return folder / name


def run(folder: Path, *words: str | Path) -> list[str]:
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "GOCACHE": str(folder / "cache"), "GO111MODULE": "off"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def needs(tool: str) -> str:
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is not installed")
    return found


def test_python(tmp_path: Path, archive: Path) -> None:
    shutil.copy(archive / "runners" / "run.py", tmp_path)
    (tmp_path / "my_parser.py").write_text(PYTHON)
    assert run(tmp_path, sys.executable, "run.py", archive) == failures(trees=True)


def test_javascript(tmp_path: Path, archive: Path) -> None:
    node = needs("node")
    shutil.copy(archive / "runners" / "run.mjs", tmp_path)
    (tmp_path / "my-parser.mjs").write_text(JAVASCRIPT)
    assert run(tmp_path, node, "run.mjs", archive) == failures(trees=True)


def test_package_for_npm(tmp_path: Path) -> None:
    node, npm = needs("node"), needs("npm")
    for name, data in packages().items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "package.json").write_text("{}")
    archive = f"./sgf-conformance-npm-{SUITE.version}.tgz"
    run(tmp_path, npm, "install", "--offline", "--no-audit", "--no-fund", archive)
    (tmp_path / "run.mjs").write_text(
        'import { cases, read, tree, manifest } from "sgf-conformance";\n'
        "console.log(manifest.suite, cases.length, cases.filter((one) => tree(one)).length,"
        " cases.reduce((sum, one) => sum + read(one).length, 0),"
        " read('cases.tsv').length);"
    )
    expected = [
        len(SUITE.cases),
        sum(case.trees is not None for case in SUITE.cases),
        sum(len(case.data) for case in SUITE.cases),
        (SUITE.folder / "cases.tsv").stat().st_size,
    ]
    assert run(tmp_path, node, "run.mjs") == [SUITE.version, *map(str, expected)]


def test_packages_are_the_same_each_time() -> None:
    first = packages()
    assert packages() == first
    with tarfile.open(
        fileobj=io.BytesIO(first[f"sgf-conformance-{SUITE.version}.tar.gz"])
    ) as plain:
        names = {name.partition("/")[2] for name in plain.getnames()}
    assert {case.path.relative_to(SUITE.folder).as_posix() for case in SUITE.cases} <= names
    assert {"README.md", "LICENSE", "manifest.json", "cases.tsv"} <= names


def test_go(tmp_path: Path, archive: Path) -> None:
    go = needs("go")
    shutil.copy(archive / "runners" / "run.go", tmp_path)
    (tmp_path / "my_parser.go").write_text(GO)
    run(tmp_path, go, "build", "-o", "run", "run.go", "my_parser.go")
    assert run(tmp_path, tmp_path / "run", archive) == failures(trees=True)


def test_rust(tmp_path: Path, archive: Path) -> None:
    compiler = needs("rustc")
    shutil.copy(archive / "runners" / "run.rs", tmp_path)
    (tmp_path / "my_parser.rs").write_text(RUST)
    run(tmp_path, compiler, "run.rs")
    assert run(tmp_path, tmp_path / "run", archive) == failures(trees=False)


def test_c(tmp_path: Path, archive: Path) -> None:
    compiler = needs("cc")
    shutil.copy(archive / "runners" / "run.c", tmp_path)
    (tmp_path / "my_parser.c").write_text(C)
    run(tmp_path, compiler, "-Wall", "run.c", "my_parser.c", "-o", "run")
    assert run(tmp_path, tmp_path / "run", archive) == failures(trees=False)


def test_java(tmp_path: Path, archive: Path) -> None:
    compiler, java = needs("javac"), needs("java")
    shutil.copy(archive / "runners" / "Run.java", tmp_path)
    (tmp_path / "MyParser.java").write_text(JAVA)
    run(tmp_path, compiler, "Run.java", "MyParser.java")
    assert run(tmp_path, java, "Run", archive) == failures(trees=False)
