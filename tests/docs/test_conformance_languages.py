"""The page on adopting the suite is followed in each language whose tools are here.

Its parsers accept what begins with "(;" as one empty node.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.conformance.build.packing import packages, runners
from tests.contract.test_conformance import SUITE
from tests.kit.waiting import LIMIT

PAGE = (Path(__file__).parents[2] / "docs" / "adopting-the-suite.md").read_text("utf-8")


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
def packed() -> dict[str, bytes]:
    """The packages, by the names of their files."""
    return packages()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, packed: dict[str, bytes]) -> Path:
    """The unpacked archive of the suite."""
    folder = tmp_path_factory.mktemp("archive")
    name = f"sgf-conformance-{SUITE.version}"
    with tarfile.open(fileobj=io.BytesIO(packed[f"{name}.tar.gz"])) as unpacked:
        unpacked.extractall(folder, filter="data")
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


def test_package_for_npm(tmp_path: Path, packed: dict[str, bytes]) -> None:
    node, npm = needs("node"), needs("npm")
    for name, data in packed.items():
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


def test_packages_are_the_same_each_time(packed: dict[str, bytes]) -> None:
    assert packages() == packed
    with tarfile.open(
        fileobj=io.BytesIO(packed[f"sgf-conformance-{SUITE.version}.tar.gz"])
    ) as plain:
        names = {name.partition("/")[2] for name in plain.getnames()}
    assert {case.path.relative_to(SUITE.folder).as_posix() for case in SUITE.cases} <= names
    assert {"README.md", "LICENSE", "manifest.json", "cases.tsv"} <= names


@pytest.mark.skipif(sys.platform == "win32", reason="the page shows commands of a Unix shell")
@pytest.mark.parametrize(
    ("language", "tool", "trees"),
    [
        ("C", "cc", False),
        ("Rust", "rustc", False),
        ("Go", "go", True),
        ("Java", "javac", False),
        ("JavaScript", "node", True),
        ("Python", "python3", True),
    ],
)
def test_commands_of_the_page(
    language: str, tool: str, trees: bool, tmp_path: Path, archive: Path
) -> None:
    """Run in a new folder, they list exactly the cases that the parser of the page fails."""
    needs(tool)
    shutil.copytree(archive, tmp_path / archive.name)
    run(tmp_path, "bash", "-e", "-c", commands(language))
    assert (tmp_path / "failures.txt").read_text().split() == failures(trees=trees)
    run(tmp_path, "bash", "-e", "-c", commands("Keep it so"))


VALUES = {
    "python3": (
        "run.py",
        "my_parser.py",
        "import json\n"
        "def parse(data):\n"
        "    if not data.startswith(b'(;'): raise ValueError\n"
        "    return [[{'parent': None, 'properties': []}]]\n"
        "def value(data, place): return None if place['property'] == 'W' else [place['game']]\n",
    ),
    "node": (
        "run.mjs",
        "my-parser.mjs",
        "export const parse = (data) => {\n"
        "  if (!data.toString('latin1').startsWith('(;')) throw new SyntaxError();\n"
        "  return [[{ parent: null, properties: [] }]];\n"
        "};\n"
        "export const value = (data, place) => place.property === 'W' ? null : [place.game];\n",
    ),
}


@pytest.mark.parametrize("tool", VALUES)
def test_typed_values_are_compared(tool: str, tmp_path: Path) -> None:
    """A parser that gives them fails the cases with other values; without a value none counts."""
    program, name, parser = VALUES[tool]
    tree: list[list[dict[str, object]]] = [[{"parent": None, "properties": []}]]
    rows: list[tuple[str, dict[str, object]]] = [
        ("right", {"game": 0, "node": 0, "property": "AB", "typed": [0]}),
        ("pass", {"game": 0, "node": 0, "property": "W", "typed": None}),
        ("wrong", {"game": 1, "node": 0, "property": "AB", "typed": [0]}),
        ("untyped", {"game": 0, "node": 0, "property": "AB"}),
    ]
    cases = [
        {"id": case, "file": "one.sgf", "verdict": "accept", "tree": {"raw": tree}, "value": value}
        for case, value in rows
    ]
    refused = {**cases[2], "id": "refused", "file": "refused.sgf", "verdict": "either"}
    (tmp_path / "manifest.json").write_text(json.dumps({"cases": [*cases, refused]}))
    (tmp_path / "one.sgf").write_text("(;)")
    (tmp_path / "refused.sgf").write_text("")
    (tmp_path / name).write_text(parser)
    programs = packed_runners(tmp_path)
    assert run(tmp_path, needs(tool), programs[program], ".") == ["wrong"]


def packed_runners(folder: Path) -> dict[str, Path]:
    """Write the programs of the suite to a folder, and return their paths by name."""
    readme = (SUITE.folder / "README.md").read_text("utf-8")
    found = {}
    for path, data in runners(readme).items():
        found[Path(path).name] = folder / Path(path).name
        found[Path(path).name].write_bytes(data)
    return found


def commands(section: str) -> str:
    """Return the commands of a section of the page, for the present version of the suite."""
    assert f"sgf-conformance-{SUITE.version}.tar.gz" in PAGE
    found = re.search(rf"^## {section}\n.*?```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found, section
    return found[1]
