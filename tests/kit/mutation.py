"""Changes one condition at a time in a module, and counts the changes that the tests notice.

python -m tests.kit.mutation sgf_lark/rules/damage.py [--sample N] [--seed N] [--wanted PERCENT]

Takes modules and folders. The changes are those of :mod:`tests.kit.dropping`, made in a copy of the
working tree; each is tried with the tests that belong to the module, until one fails. Prints the
changes that no test notices. Some of them no test can notice, as they save time only.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.kit.dropping import changed

_ROOT = Path(__file__).parents[2]
_PYTEST = (
    "-m pytest -x -q -n0 -p no:cacheprovider --assert=plain --tb=no --hypothesis-profile=unshrunk"
)
#: What the tests read besides the files of git: compiled modules, and what is built from grammar/.
_BUILT = ("sgf_lark/engine/*.so", "sgf_lark/_built")


class Change(NamedTuple):
    """A module, the line of a condition, what is changed, and the source afterwards."""

    module: str
    line: int
    condition: str
    source: str


def main() -> int:
    """Try the changes of all modules given; 1 if the tests notice too few of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", type=Path, nargs="+", help="Modules, or folders of modules.")
    parser.add_argument("--sample", type=int, help="Try this many changes, at random.")
    parser.add_argument("--seed", type=int, default=0, help="Another seed is another sample.")
    parser.add_argument("--wanted", type=float, default=90, help="Percent to be noticed.")
    options = parser.parse_args()
    changes = [change for module in _modules(options.paths) for change in _changes(module)]
    if options.sample is not None and options.sample < len(changes):
        changes = sorted(random.Random(options.seed).sample(changes, options.sample))
    limits: dict[str, float] = {}
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = _copy(Path(folder))
        for change in changes:
            tests = _tests_of(change.module)
            if tests not in limits:
                limits[tests] = _limit(copy, tests)
            if _is_noticed(copy, change, tests, limits[tests]):
                noticed += 1
            else:
                print(f"{change.module}:{change.line}: {change.condition}", flush=True)
    percent = 100 * noticed / max(len(changes), 1)
    print(f"{len(changes)} tried, {noticed} noticed ({percent:.1f} %)")
    return 0 if percent >= options.wanted else 1


def _modules(paths: list[Path]) -> Iterator[str]:
    """The modules of these files and folders, relative to the checkout."""
    for path in paths:
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            yield str(file.resolve().relative_to(_ROOT))


def _changes(module: str) -> Iterator[Change]:
    tree = ast.parse((_ROOT / module).read_text(encoding="utf-8"))
    for condition, line, new in changed(tree):
        yield Change(module, line, condition, ast.unparse(new))


def _tests_of(module: str) -> str:
    """The tests that belong to a module: those of the longest path that it begins with."""
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tests: dict[str, list[str]] = settings["tool"]["mutation"]["tests"]
    return " ".join(tests[max((path for path in tests if module.startswith(path)), key=len)])


def _copy(target: Path) -> Path:
    """A copy of the working tree."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=_ROOT, capture_output=True, check=True).stdout
    built = (path for pattern in _BUILT for path in _ROOT.glob(pattern))
    for path in (*(_ROOT / name for name in listed.decode().split("\0") if name), *built):
        new = target / path.relative_to(_ROOT)
        new.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, new)
        elif path.exists():
            shutil.copy2(path, new)
    return target


def _run(copy: Path, tests: str, timeout: float | None) -> int:
    """How these tests end in the copy; 1 after the timeout."""
    command = [sys.executable, *_PYTEST.split(), *tests.split()]
    try:
        return subprocess.run(
            command, cwd=copy, timeout=timeout, capture_output=True, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return 1


def _limit(copy: Path, tests: str) -> float:
    """The most seconds that the tests of a change may take: some times those without a change."""
    start = time.monotonic()
    if _run(copy, tests, None):
        raise SystemExit(f"These tests fail without a change: {tests}")
    return 60 + 5 * (time.monotonic() - start)


def _is_noticed(copy: Path, change: Change, tests: str, limit: float) -> bool:
    path = copy / change.module
    before = path.read_text(encoding="utf-8")
    path.write_text(change.source, encoding="utf-8")
    try:
        return _run(copy, tests, limit) != 0
    finally:
        path.write_text(before, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
