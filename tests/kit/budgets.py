"""Counts the statements of each package, and keeps `tests/budgets.toml`: the most that it may have.

python -m tests.kit.budgets [--update]

Prints a table. `--update` lowers budgets that are too high, and adds and deletes rows as packages
come and go. To raise one is to write the number, in a commit of its own that says why.

A statement is one of the syntax tree, and documentation is none: to squeeze lines or to leave out
docstrings wins nothing. Compiled modules are not counted.
"""

from __future__ import annotations

import argparse
import ast
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

_ROOT = Path(__file__).parents[2]
FILE = _ROOT / "tests" / "budgets.toml"
#: What has budgets: each folder directly below the package, the modules at its top, and the tests.
_PACKAGE, _TESTS = "sgf_lark", "tests"
#: A budget is too high if this part of it is not used.
_MARGIN = 0.02
_TABLE = "[statements]\n"


def statements(source: str) -> int:
    """Return the number of statements of a module, without its strings that document."""
    return sum(
        isinstance(node, ast.stmt) and not _documents(node) for node in ast.walk(ast.parse(source))
    )


def _documents(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def counted(root: Path = _ROOT) -> dict[str, int]:
    """Return the statements of each package in the checkout `root`, by its name."""
    found: Counter[str] = Counter()
    for path in (*root.glob(f"{_PACKAGE}/**/*.py"), *root.glob(f"{_TESTS}/**/*.py")):
        top, *below, _ = path.relative_to(root).parts
        name = f"{top}.{below[0]}" if below and top == _PACKAGE else top
        found[name] += statements(path.read_text("utf-8"))
    return dict(sorted(found.items()))


def budgets(text: str | None = None) -> dict[str, int]:
    """Return the budgets that the file holds, or `text` in its place."""
    table = tomllib.loads(FILE.read_text("utf-8") if text is None else text)
    found: dict[str, int] = table["statements"]
    return found


def problems(now: Mapping[str, int], most: Mapping[str, int]) -> list[str]:
    """Return what is wrong, and what to write, for each package that does not keep its budget."""
    found = []
    for name in sorted({*now, *most}):
        row = f'"{name}" = {now.get(name)}'
        if name not in most:
            found.append(f"{name} has no budget: write {row}")
        elif name not in now:
            found.append(f"there is no package {name}: delete its row")
        elif now[name] > most[name]:
            found.append(
                f"{name} has {now[name]} statements, {now[name] - most[name]} above its budget: "
                f"make it smaller, or write {row} in a commit of its own that says why"
            )
        elif now[name] < most[name] * (1 - _MARGIN):
            found.append(
                f"{name} has {now[name]} statements, and a budget of {most[name]}: write {row}"
            )
    return found


def updated(text: str, now: Mapping[str, int]) -> str:
    """Return the text of the file with budgets lowered to what there is."""
    most = budgets(text)
    head = text.partition(_TABLE)[0] + _TABLE
    kept = {name: min(count, most.get(name, count)) for name, count in now.items()}
    return head + "".join(f'"{name}" = {count}\n' for name, count in sorted(kept.items()))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.kit.budgets")
    parser.add_argument("--update", action="store_true", help="lower budgets that are too high")
    now = counted()
    if parser.parse_args().update:
        FILE.write_text(updated(FILE.read_text("utf-8"), now), "utf-8", newline="\n")
    most = budgets()
    for name, count in now.items():
        print(f"{name:24}{count:8}{count - most.get(name, 0):+8}")


if __name__ == "__main__":
    main()
