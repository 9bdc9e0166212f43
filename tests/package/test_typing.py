"""Type checkers know the types of values, and accept the examples of the documentation."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import sgf_lark
from sgf_lark import grammar, stubs

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sgf_lark"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

#: Expressions about a node and their types, as both type checkers see them.
TYPES = {
    'node["C"]': "str",
    'node["MN"]': "int",
    'node["BL"]': "float",
    'node["TE"]': "Double",
    'node["PL"]': "Color",
    'node["KO"]': "None",
    'node["B"]': "Move | Any",
    'node["AB"]': "list[Stone | Any]",
    'node["TR"]': "list[Point | Any]",
    'node["LB"]': "list[Compose[Point | Any, str]]",
    'node["AP"]': "Compose[str, str]",
    'node["SZ"]': "int | Compose[int, int]",
    'node["KM"]': "float | Any",
    'node["XX"]': "Any",
    "node[ident]": "Any",
    'node.get("C")': "str | None",
    'node.get("C", "")': "str",
    'node.get("MN", "")': "int | str",
    'node.inherited("PB")': "str | None",
    "node.get(ident)": "Any | None",
    "node.children[0].parent": "Node | None",
    "node.move": "Move | Any",
    "node.tree.size": "tuple[int, int] | None",
}

#: What the reader has.
PARSER = "def my_parser(data: bytes) -> None: ...\n"

#: Lines after these, each an error.
WRONG = [
    "    assert_type(node['C'], int)\n",
    '    node.comment = "x"\n',
    "    node.tree.komi = 5\n",
]

HEAD = """
from typing import Any, assert_type
from sgf_lark import Color, Compose, Double, Move, Node, Point, Stone

def check(node: Node, ident: str) -> None:
"""


def mypy(folder: Path) -> str:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-color-output"]
    command.append("--follow-imports=silent")  # the functions of the package are checked elsewhere
    # With other settings than those of the package: each keeps what it knows of the package.
    command += ["--cache-dir", str(ROOT / ".mypy_cache" / "examples")]
    files = sorted(map(str, folder.glob("*.py")))
    run = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout


def pyright(folder: Path) -> str:
    pytest.importorskip("basedpyright")
    settings = {
        "typeCheckingMode": "strict",
        "extraPaths": [str(ROOT)],
        "pythonVersion": "3.11",
        "reportUnusedExpression": False,  # as at the prompt
        # The libraries of some extras have no types.
        "reportMissingTypeStubs": False,
        "reportUnknownArgumentType": False,
        "reportUnknownMemberType": False,
        "reportUnknownVariableType": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "-p", str(folder)]
    command += ["--pythonpath", sys.executable]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout


@pytest.fixture(autouse=True)
def stub() -> None:
    stubs.build_content()


def write_examples(folder: Path) -> None:
    """Write the examples of the documentation as programs, those of a page as one."""
    parser = doctest.DocTestParser()
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        examples = parser.get_examples(text)
        blocks = re.findall(r"```python[^\n]*\n((?!>>>).*?)```", text, re.DOTALL)
        sources = ["".join(example.source for example in examples), *blocks]
        for number, source in enumerate(filter(None, sources)):
            name = re.sub(r"\W", "_", str(document.relative_to(ROOT)))
            given = PARSER if "my_parser(" in source else ""
            (folder / f"{name}_{number}.py").write_text(given + source)


@pytest.mark.long
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_types_of_values_and_examples_of_the_documentation(
    checker: Callable[[Path], str], tmp_path: Path
) -> None:
    """All in one run: a type checker spends nearly all its time on the package."""
    write_examples(tmp_path)
    assert [*tmp_path.glob("*.py")]
    lines = [f"    assert_type({expression}, {wanted})\n" for expression, wanted in TYPES.items()]
    (tmp_path / "right.py").write_text(HEAD + "".join(lines))
    (tmp_path / "wrong.py").write_text(HEAD + "".join(lines + WRONG))
    found = errors(checker(tmp_path))
    wrong = [line for line in found if "wrong.py" in line]
    assert len(wrong) == len(WRONG)
    assert "\n".join(line for line in found if line not in wrong) == ""


def errors(output: str) -> list[str]:
    """The lines of the output of a type checker that report an error in the files it was given.

    The modules of the package are checked with its own settings, not here.
    """
    lines = [line for line in output.splitlines() if re.search(r":\d+: error|- error:", line)]
    return [line for line in lines if not line.lstrip().startswith(("sgf_lark/", str(PACKAGE)))]


def test_type_checkers_see_all_public_names() -> None:
    text = (PACKAGE / "__init__.py").read_text("utf-8")
    listed = re.findall(r"^    from sgf_lark\.([\w.]+) import (\w+) as \2$", text, re.MULTILINE)
    assert sorted(["__version__", *(name for _, name in listed)]) == sgf_lark.__all__
    for module, name in listed:
        assert getattr(sgf_lark, name) is getattr(import_module(f"sgf_lark.{module}"), name)


def test_every_property_has_a_type() -> None:
    stub = stubs.property_types()
    for definition in grammar.properties():
        assert stub.count(repr(definition.ident)) == 5  # [], and twice get and inherited
