"""The wheel carries every package, the grammar, the conformance suite and the kept content."""

from __future__ import annotations

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


@pytest.mark.parametrize("editable", [False, True])
def test_content_is_built_with_the_package(
    editable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    command = BuildPy(Distribution({"packages": ["sgf_lark"], "script_name": "pyproject.toml"}))
    command.build_lib = str(tmp_path)
    command.ensure_finalized()
    monkeypatch.setattr(command, "editable_mode", editable)
    command.run()
    names = {path.name for path in (tmp_path / "sgf_lark" / "_built").glob("*")}
    assert names == (set() if editable else {path.name for path in built.FOLDER.iterdir()})
    assert {path.stem for path in built.FOLDER.iterdir()} > set(grammar.TABLES)
