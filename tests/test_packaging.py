"""The wheel carries every package, and the grammar and the conformance suite with them."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_package_is_listed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = settings["tool"]["setuptools"]["packages"]
    found = {
        ".".join(init.parent.relative_to(ROOT).parts)
        for init in (ROOT / "sgf_lark").rglob("__init__.py")
    }
    assert sorted(listed) == sorted(found | {"sgf_lark._conformance", "sgf_lark._grammar"})


def test_every_module_with_types_is_compiled() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    compiled = settings["tool"]["setuptools"]["ext-modules"]
    typed = [path.with_suffix("") for path in (ROOT / "sgf_lark").rglob("*.pxd")]
    found = sorted(".".join(path.relative_to(ROOT).parts) for path in typed)
    assert sorted(module["name"] for module in compiled) == found
    for module in compiled:
        assert module["sources"] == [module["name"].replace(".", "/") + ".py"]
        assert module["optional"]
