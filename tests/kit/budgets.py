"""Counts the statements of each package, and keeps `tests/budgets.toml`: the most that it may have.

python -m tests.kit.budgets [--update]

Prints a table. `--update` lowers budgets that are too high, and adds and deletes rows as packages
come and go. To raise one is to write the number, in a commit of its own that says why.

A statement is one of the syntax tree, and documentation is none: to squeeze lines or to leave out
docstrings wins nothing. Compiled modules are not counted.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

_ROOT = Path(__file__).parents[2]
FILE = _ROOT / "tests" / "budgets.toml"
#: A budget is too high if this part of it is not used.
_MARGIN = 0.02
_TABLE = "[statements]\n"


def statements(source: str) -> int:
    """Return the number of statements of a module, without its strings that document."""
    return sum(1 for _ in _statements(ast.parse(source).body))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a block and of the blocks in it; no expression has any."""
    for node in body:
        match node:
            case ast.Expr(ast.Constant(str())):
                continue
        yield node
        for block in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, block, []))
        for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from _statements(branch.body)


def counted() -> dict[str, int]:
    """Return the statements of the modules at the top of the package, of each folder directly
    below it, and of the tests."""
    found: Counter[str] = Counter()
    for path in (*_ROOT.glob("sgf_lark/**/*.py"), *_ROOT.glob("tests/**/*.py")):
        top, *below, _ = path.relative_to(_ROOT).parts
        name = f"{top}.{below[0]}" if below and top == "sgf_lark" else top
        found[name] += statements(path.read_text("utf-8"))
    return dict(sorted(found.items()))


def budgets() -> dict[str, int]:
    """Return the budgets that the file holds."""
    found: dict[str, int] = tomllib.loads(FILE.read_text("utf-8"))["statements"]
    return found


def problems(now: Mapping[str, int], most: Mapping[str, int]) -> list[str]:
    """Return what is wrong, and what to do, for each package that does not keep its budget."""
    found = []
    for name in sorted({*now, *most}):
        count, budget = now.get(name, 0), most.get(name, 0)
        if count > budget:
            found.append(
                f'"{name}" = {budget}: it has {count} statements; make it smaller, or write that '
                "in a commit of its own that says why"
            )
        elif count < budget * (1 - _MARGIN):
            found.append(f'"{name}" has {count} of {budget} statements: --update lowers its row')
    return found


def updated(text: str, now: Mapping[str, int], most: Mapping[str, int]) -> str:
    """Return the text of the file with budgets lowered to what there is."""
    kept = {name: min(count, most.get(name, count)) for name, count in now.items()}
    rows = (f'"{name}" = {count}\n' for name, count in sorted(kept.items()))
    return text.partition(_TABLE)[0] + _TABLE + "".join(rows)


def main() -> None:
    now = counted()
    if sys.argv[1:] == ["--update"]:
        text = updated(FILE.read_text("utf-8"), now, budgets())
        FILE.write_text(text, "utf-8", newline="\n")
    most = budgets()
    for name, count in now.items():
        print(f"{name:24}{count:8}{count - most.get(name, 0):+8}")


if __name__ == "__main__":
    main()
