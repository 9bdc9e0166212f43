"""The wheel carries every package, the grammar, the conformance suite and the kept content."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from setuptools import Distribution

from sgf_lark import built, grammar
from sgf_lark._build import BuildPy

ROOT = Path(__file__).parents[2]


@pytest.fixture
def settings() -> dict[str, Any]:
    """The part of pyproject.toml for setuptools."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)["tool"]["setuptools"]
    return found


def test_every_package_is_listed(settings: dict[str, Any]) -> None:
    found = {
        ".".join(init.parent.relative_to(ROOT).parts)
        for init in (ROOT / "sgf_lark").rglob("__init__.py")
    }
    assert sorted(settings["packages"]) == sorted(
        found | {"sgf_lark._conformance", "sgf_lark._grammar"}
    )


def test_every_cython_module_is_compiled_where_that_is_possible(settings: dict[str, Any]) -> None:
    found = [path.relative_to(ROOT) for path in (ROOT / "sgf_lark").rglob("*.pyx")]
    names = sorted(".".join(path.with_suffix("").parts) for path in found)
    assert sorted(module["name"] for module in settings["ext-modules"]) == names
    for module in settings["ext-modules"]:
        assert module["sources"] == [module["name"].replace(".", "/") + ".pyx"]
        assert module["optional"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuildPy:
    monkeypatch.chdir(ROOT)
    found = BuildPy(Distribution({"packages": ["sgf_lark"], "script_name": "pyproject.toml"}))
    found.build_lib = str(tmp_path)
    found.ensure_finalized()
    return found


def test_content_is_built_with_the_package(command: BuildPy, tmp_path: Path) -> None:
    command.run()
    copied = {path.name for path in (tmp_path / "sgf_lark" / "_built").iterdir()}
    assert copied == {path.name for path in built.FOLDER.iterdir()}
    assert {path.stem for path in built.FOLDER.iterdir()} > set(grammar.TABLES)


def test_content_of_an_editable_install_stays_in_the_checkout(
    command: BuildPy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda words, **options: programs.append(words))
    monkeypatch.setattr(command, "editable_mode", True)
    command.run()
    assert [words[1:] for words in programs] == [["-m", "sgf_lark.built"]]
    assert not (tmp_path / "sgf_lark" / "_built").exists()
