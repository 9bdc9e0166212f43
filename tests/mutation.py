"""Changes one thing at a time in a module, and counts the changes that the tests notice.

python -m tests.mutation sgf_lark/rules/damage.py [--sample N] [--jobs N]

Takes modules and folders. Cosmic Ray makes the changes, in a copy of the working tree; each of them
is tried with the tests that belong to the module. Prints the changes that no test notices, unless
`tests/survivors.toml` has them with a reason, and a table by module. The settings are in
`pyproject.toml`, `[tool.cosmic-ray]`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

_ROOT = Path(__file__).parents[1]
#: Without plugins pytest starts in half the time.
_PYTEST = "-m pytest -x -q -c /dev/null --rootdir . -p no:cacheprovider"
_ENVIRONMENT = {
    **os.environ,
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "SGF_LARK_MUTATION": "1",
}
#: What the tests read besides the files of git: compiled modules, and what is built from grammar/.
_BUILT = ("sgf_lark/engine/*.so", "sgf_lark/_built")


class Survivor(NamedTuple):
    """A change that no test notices: the line before and after it."""

    module: str
    line: int
    before: str
    after: str


class Outcome(NamedTuple):
    """What became of the changes of a module."""

    module: str
    tried: int
    survivors: list[Survivor]


def main() -> int:
    """Run the changes of all modules given; 1 if one of them is not noticed, and has no reason."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", type=Path, nargs="+", help="Modules, or folders of modules.")
    parser.add_argument("--sample", type=int, help="Try this many changes of a module, at random.")
    parser.add_argument("--jobs", type=int, default=2, help="Modules to try at the same time.")
    options = parser.parse_args()
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text())["tool"]["cosmic-ray"]
    reasons = {(each["module"], each["before"], each["after"]) for each in _known_survivors()}
    copies: SimpleQueue[Path] = SimpleQueue()
    outcomes = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        for number in range(options.jobs):
            copies.put(_copy(Path(folder) / str(number)))

        def try_one(module: str) -> Outcome:
            copy = copies.get()
            try:
                return _try_module(copy, module, settings, options.sample)
            finally:
                copies.put(copy)

        for outcome in pool.map(try_one, _modules(options.paths)):
            left = [each for each in outcome.survivors if _key(each) not in reasons]
            for each in left:
                print(f"{each.module}:{each.line}\n  - {each.before}\n  + {each.after}")
            print(_row(outcome, len(left)), flush=True)
            outcomes.append((outcome, len(left)))
    tried = sum(outcome.tried for outcome, _ in outcomes)
    survivors = [each for outcome, _ in outcomes for each in outcome.survivors]
    total = Outcome("total", tried, survivors)
    print(_row(total, sum(count for _, count in outcomes)))
    return 1 if any(count for _, count in outcomes) else 0


def _row(outcome: Outcome, left: int) -> str:
    killed = outcome.tried - len(outcome.survivors)
    share = killed / outcome.tried if outcome.tried else 1
    return (
        f"{outcome.module:45} {outcome.tried:5} tried {killed:5} noticed {share:7.1%} "
        f"{left:4} not noticed without a reason"
    )


def _known_survivors() -> list[dict[str, str]]:
    found: list[dict[str, str]] = tomllib.loads(
        (_ROOT / "tests/survivors.toml").read_text(encoding="utf-8")
    )["survivor"]
    return found


def _key(survivor: Survivor) -> tuple[str, str, str]:
    return survivor.module, survivor.before, survivor.after


def _modules(paths: list[Path]) -> Iterator[str]:
    """The modules of these files and folders, relative to the checkout."""
    for path in paths:
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            yield str(file.resolve().relative_to(_ROOT))


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


def _try_module(copy: Path, module: str, settings: dict[str, Any], sample: int | None) -> Outcome:
    """Try the changes of one module in the copy, at most `sample` of them if given."""
    config, session = copy / "cosmic-ray.toml", copy / "session.sqlite"
    session.unlink(missing_ok=True)
    command = f"{sys.executable} {_PYTEST} {shlex.join(_tests_of(module, settings['tests']))}"
    config.write_text(_config(module, command, settings))
    _run(copy, "cosmic-ray", "init", config.name, session.name)
    _run(copy, "cr-filter-operators", session.name, config.name)
    if sample is not None:
        _leave_out(session, sample)
    _run(copy, "cosmic-ray", "exec", config.name, session.name)
    return _outcome(module, session)


def _tests_of(module: str, tests: dict[str, list[str]]) -> list[str]:
    """The tests that belong to a module: those of the longest path that it begins with."""
    path = max((path for path in tests if module.startswith(path)), key=len)
    return tests[path]


def _config(module: str, command: str, settings: dict[str, Any]) -> str:
    """The configuration of Cosmic Ray for one module."""
    return "\n".join(
        [
            "[cosmic-ray]",
            f"module-path = {json.dumps(module)}",
            f"timeout = {float(settings['timeout'])}",
            "excluded-modules = []",
            f"test-command = {json.dumps(command)}",
            "[cosmic-ray.distributor]",
            'name = "local"',
            "[cosmic-ray.filters.operators-filter]",
            f"exclude-operators = {json.dumps(settings['exclude-operators'])}",
        ]
    )


def _run(folder: Path, program: str, *arguments: str) -> None:
    """Run a program of Cosmic Ray in a folder."""
    path = Path(sys.executable).parent / program
    subprocess.run(
        [path, *arguments], cwd=folder, env=_ENVIRONMENT, check=True, stdout=subprocess.DEVNULL
    )


def _leave_out(session: Path, sample: int) -> None:
    """Leave out all changes but some, which are the same in every run."""
    from cosmic_ray.work_db import use_db
    from cosmic_ray.work_item import WorkerOutcome, WorkResult

    with use_db(session) as database:
        pending = sorted(
            database.pending_work_items,
            key=lambda item: (item.mutations[0].operator_name, item.mutations[0].start_pos),
        )
        random.Random(0).shuffle(pending)
        skipped = WorkResult(worker_outcome=WorkerOutcome.SKIPPED)
        database.set_multiple_results([item.job_id for item in pending[sample:]], skipped)


def _outcome(module: str, session: Path) -> Outcome:
    """What a finished session found."""
    from cosmic_ray.work_db import use_db
    from cosmic_ray.work_item import TestOutcome

    tried, survivors = 0, []
    with use_db(session) as database:
        for item, result in database.completed_work_items:
            if result.test_outcome is not None:
                tried += 1
            if result.test_outcome is TestOutcome.SURVIVED:
                line = item.mutations[0].start_pos[0]
                survivors.append(Survivor(module, line, *_changed_lines(result.diff)))
    return Outcome(module, tried, sorted(survivors))


def _changed_lines(diff: str) -> tuple[str, str]:
    """The removed and the added lines of a unified diff, without indentation."""
    lines = diff.partition("\n@@")[2].splitlines()[1:]
    removed, added = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return removed, added


if __name__ == "__main__":
    sys.exit(main())
