"""The recipes of the cookbook are run, each in a folder of its own, and print what the page shows.

``python -m tests.docs.test_cookbook`` runs them, and writes what they print to the pages.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sgf_lark.cli import extras

FOLDER = Path(__file__).parents[2] / "docs" / "cookbook"
INDEX = FOLDER / "index.md"
PAGES = sorted(set(FOLDER.glob("*.md")) - {INDEX})
#: A program, the name of its file, and what it prints.
PROGRAM = re.compile(
    r"```python(?: title=\"(?P<name>[\w.]+)\")?\n(?P<program>.*?)```"
    r"(?:\n\n```text\n(?P<shown>.*?)```)?",
    re.DOTALL,
)


class Recipe(NamedTuple):
    """A section of a page."""

    page: Path
    title: str
    text: str

    @property
    def programs(self) -> list[re.Match[str]]:
        return [*PROGRAM.finditer(self.text)]


def recipes() -> Iterator[Recipe]:
    for page in PAGES:
        for section in re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            title, _, text = section.partition("\n")
            yield Recipe(page, title, text)


RECIPES = [*recipes()]


def prepare(folder: Path) -> None:
    """Write the files of the first page, and the programs that have names, to a folder."""
    (files,) = PROGRAM.findall(INDEX.read_text("utf-8"))
    run(files[1], folder)
    for recipe in RECIPES:
        for found in recipe.programs:
            if found["name"]:
                (folder / found["name"]).write_text(found["program"], "utf-8")


def run(program: str, folder: Path) -> str:
    """What a program prints that is run in that folder, with nothing on standard input."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.chdir(folder)
        patch.setattr(sys, "stdin", io.StringIO())
        patch.setattr(sys, "stderr", io.StringIO())
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        exec(compile(program, "recipe", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
def test_recipe_prints_what_it_shows(recipe: Recipe, tmp_path: Path) -> None:
    for extra in re.findall(r"[Ee]xtra `(\w+)`", recipe.text):
        try:
            extras.require(extra)
        except ModuleNotFoundError:
            pytest.skip(f"the extra {extra} is not installed")
    assert recipe.programs or "```console\n" in recipe.text  # which test_docs.py runs
    prepare(tmp_path)
    for found in recipe.programs:
        assert run(found["program"], tmp_path) == (found["shown"] or "")


def test_the_first_page_lists_all_recipes() -> None:
    listed = re.findall(r"^- \[(.*)\]\((\w+\.md)#", INDEX.read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted((recipe.title, recipe.page.name) for recipe in RECIPES)
    assert len(RECIPES) >= 30


def main() -> None:
    """Write what the programs print to the pages."""
    for page in PAGES:
        text = page.read_text("utf-8")

        def printed(found: re.Match[str]) -> str:
            with tempfile.TemporaryDirectory() as folder:
                prepare(Path(folder))
                output = run(found["program"], Path(folder))
            program = found[0].partition("\n```")[0] + "\n```"
            return f"{program}\n\n```text\n{output}```" if output else program

        page.write_text(PROGRAM.sub(printed, text), "utf-8")


if __name__ == "__main__":
    main()
