"""Rules and tools use the documented names of the model: no private name outside of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import sgf_lark

PACKAGE = Path(sgf_lark.__file__).parent
MODEL = PACKAGE / "model"
#: Where a private name may be used: on the object whose method it is, or its class.
OWN = {"self", "cls"}
#: Methods of named tuples, which are public in spite of their names.
OF_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


def private_attributes(source: str) -> Iterator[tuple[int, str, str]]:
    """Each access to a private attribute of another object: its line, what it is asked of, and
    its name."""
    nodes = [*ast.walk(ast.parse(source))]
    own = OWN | {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    for node in nodes:
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            owner = ast.unparse(node.value)
            if owner not in own:
                yield node.lineno, owner, node.attr


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def names_of_the_model() -> set[str]:
    """The private names that the classes of the model define, or keep in their objects."""
    found = set()
    for path in MODEL.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in OWN:
                found.add(node.attr)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
    return {name for name in found if is_private(name)}


def test_the_model_has_private_names() -> None:
    assert {"_store", "_order", "_commit"} <= names_of_the_model()


def test_no_private_name_of_the_model_is_used_outside() -> None:
    private = names_of_the_model() - OF_TUPLES
    access = re.compile(rf"\.\s*(?:{'|'.join(private)})\b")
    used = [
        f"{path.relative_to(PACKAGE)}:{line}: {owner}.{name}"
        for path in PACKAGE.rglob("*.py")
        if MODEL not in path.parents and access.search(source := path.read_text())
        for line, owner, name in private_attributes(source)
        if name in private
    ]
    assert used == []
