"""Changes one thing at a time in a module, and counts the changes that the tests notice.

python -m tests.kit.mutation sgf_lark/rules/damage.py [--sample N] [--seed N] [--jobs N]

Takes modules and folders. Cosmic Ray makes the changes, in a copy of the working tree; each of them
is tried with the tests that belong to the module, first with those that run the changed line, until
one fails. Prints the changes that no test notices, unless `tests/survivors.toml` has them with a
reason, and a table by module. The settings are in `pyproject.toml`, `[tool.cosmic-ray]`.

The tests of a change may take some times the processor time that they take without a change, so
that the figures do not depend on what else the machine does. Tests that are cut off for another
reason, such as the timeout, do not count.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

_ROOT = Path(__file__).parents[2]
#: Without other plugins pytest starts in half the time.
_PYTEST = (
    "-m pytest -x -q -c /dev/null --rootdir . -p no:cacheprovider --assert=plain --tb=no "
    "-p tests.kit.mutation_tests"
)
_ENVIRONMENT = {
    **os.environ,
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
#: What the tests read besides the files of git: compiled modules, and what is built from grammar/.
_BUILT = ("sgf_lark/engine/*.so", "sgf_lark/_built")
#: How tests end that fail: with an exit code of pytest, or by a signal of their own process. Tests
#: that others end, such as for want of memory, have not failed.
_FAILED = {1, 2, 3, 4, -signal.SIGXCPU, -signal.SIGABRT, -signal.SIGSEGV}


class Mutation(NamedTuple):
    """A change: the operator of Cosmic Ray, which of its changes it is, and the changed line."""

    operator: str
    occurrence: int
    line: int


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
    cut_off: int


def main() -> int:
    """Run the changes of all modules given; 1 if one of them is not noticed, and has no reason."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", type=Path, nargs="+", help="Modules, or folders of modules.")
    parser.add_argument("--sample", type=int, help="Try this many changes of a module, at random.")
    parser.add_argument("--seed", type=int, default=0, help="Another seed is another sample.")
    parser.add_argument("--jobs", type=int, default=2, help="Modules to try at the same time.")
    options = parser.parse_args()
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text())["tool"]["cosmic-ray"]
    reasons = {(each["module"], each["before"], each["after"]) for each in _known_survivors()}
    copies: SimpleQueue[Path] = SimpleQueue()
    outcomes: list[tuple[Outcome, int]] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        for number in range(options.jobs):
            copies.put(_copy(Path(folder) / str(number)))

        def try_some(modules: list[str]) -> None:
            copy = copies.get()
            try:
                for outcome in _try_modules(copy, modules, settings, options):
                    left = [each for each in outcome.survivors if _key(each) not in reasons]
                    lines = (
                        f"{each.module}:{each.line}\n  - {each.before}\n  + {each.after}\n"
                        for each in left
                    )
                    print(*lines, _row(outcome, len(left)), sep="", flush=True)
                    outcomes.append((outcome, len(left)))
            finally:
                copies.put(copy)

        by_tests: dict[str, list[str]] = {}
        for module in _modules(options.paths):
            by_tests.setdefault(shlex.join(_tests_of(module, settings)), []).append(module)
        for _ in pool.map(try_some, by_tests.values()):
            pass
    tried = sum(outcome.tried for outcome, _ in outcomes)
    survivors = [each for outcome, _ in outcomes for each in outcome.survivors]
    total = Outcome("total", tried, survivors, sum(each.cut_off for each, _ in outcomes))
    print(_row(total, sum(count for _, count in outcomes)))
    return 1 if any(count for _, count in outcomes) else 0


def _row(outcome: Outcome, left: int) -> str:
    killed = outcome.tried - len(outcome.survivors)
    share = killed / outcome.tried if outcome.tried else 1
    return (
        f"{outcome.module:45} {outcome.tried:5} tried {killed:5} noticed {share:7.1%} "
        f"{left:4} not noticed without a reason {outcome.cut_off:4} cut off"
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
    # Python notices a change by the content of a module: the time of the file is too coarse.
    compiling = f"{sys.executable} -m compileall -q --invalidation-mode checked-hash sgf_lark tests"
    subprocess.run(compiling.split(), cwd=target, check=True)
    return target


def _try_modules(
    copy: Path, modules: list[str], settings: dict[str, Any], options: argparse.Namespace
) -> Iterator[Outcome]:
    """Try the changes of modules in the copy, at most `sample` of each if given.

    The same tests belong to all these modules.
    """
    with closing(_Tests(copy, modules, settings)) as tests:
        for module in modules:
            yield _try_module(copy, module, settings, options, tests)


def _try_module(
    copy: Path, module: str, settings: dict[str, Any], options: argparse.Namespace, tests: _Tests
) -> Outcome:
    from cosmic_ray.mutating import MutationVisitor
    from cosmic_ray.plugins import get_operator

    source = (copy / module).read_text(encoding="utf-8")
    changes = sorted(_mutations(source, settings))
    if options.sample is not None:
        random.Random(options.seed).shuffle(changes)
    survivors, killed, cut_off = [], 0, 0
    for each in changes[: options.sample]:
        operator = get_operator(each.operator)()
        changed = MutationVisitor.mutate_code(source, operator, each.occurrence)
        if not _is_valid(changed):
            continue
        status = tests.status(module, each.line, changed)
        if status == 0:
            survivors.append(Survivor(module, each.line, *_changed_lines(source, changed)))
        killed += status in _FAILED
        cut_off += status not in {0, *_FAILED}
    return Outcome(module, killed + len(survivors), sorted(survivors), cut_off)


def _is_valid(source: str) -> bool:
    """Whether a change leaves valid Python: `not` cannot come before an assignment expression."""
    try:
        compile(source, "", "exec")
    except SyntaxError:
        return False
    return True


def _tests_of(module: str, settings: dict[str, Any]) -> list[str]:
    """The tests that belong to a module: those of the longest path that it begins with."""
    tests: dict[str, list[str]] = settings["tests"]
    return tests[max((path for path in tests if module.startswith(path)), key=len)]


def _mutations(source: str, settings: dict[str, Any]) -> Iterator[Mutation]:
    """The changes of a module that are not left out by the patterns of operators and lines."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    nodes, lines = list(ast_nodes(get_ast(source))), source.splitlines()
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments() or _matches(settings["exclude-operators"], name):
            continue
        places = (place for node in nodes for place in operator().mutation_positions(node))
        for occurrence, ((line, _), _) in enumerate(places):
            if not _matches(settings["exclude-lines"], lines[line - 1]):
                yield Mutation(name, occurrence, line)


def _matches(patterns: list[str], text: str) -> bool:
    return any(re.match(pattern, text) for pattern in patterns)


class _Tests:
    """The tests that belong to all these modules, in a copy of the working tree."""

    def __init__(self, copy: Path, modules: list[str], settings: dict[str, Any]) -> None:
        tests = _tests_of(modules[0], settings)
        self._command = [sys.executable, *_PYTEST.split(), *tests]
        self._copy, self._timeout = copy, settings["timeout"]
        requests, to_server = os.pipe()
        from_server, answers = os.pipe()
        limits = {name: settings[name] for name in ("times", "seconds", "timeout")}
        wanted = {"modules": modules, "requests": requests, "answers": answers, **limits}
        self._server = self._started(wanted, (requests, answers))
        os.close(requests)
        os.close(answers)
        self._requests, self._answers = os.fdopen(to_server, "w"), os.fdopen(from_server)
        self._seconds = int(self._answers.readline() or 0)
        if not self._seconds:
            raise SystemExit(f"These tests fail without a change: {shlex.join(tests)}")

    def _started(
        self, wanted: dict[str, Any], files: tuple[int, ...] = ()
    ) -> subprocess.Popen[bytes]:
        environment = {**_ENVIRONMENT, "SGF_LARK_MUTATION": json.dumps(wanted)}
        return subprocess.Popen(
            self._command,
            cwd=self._copy,
            env=environment,
            pass_fds=files,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def status(self, module: str, line: int, changed: str) -> int:
        """How the tests end after the change of a line, as an exit code or minus a signal.

        The server runs the tests of the changed function; if they pass, or if the change is outside
        of functions, a new process runs all tests.
        """
        change = {"module": module, "line": line}
        print(json.dumps({**change, "source": changed}), file=self._requests, flush=True)
        status = os.waitstatus_to_exitcode(int(self._answers.readline().strip() or 0))
        if status:
            return status
        path = self._copy / module
        source = path.read_text(encoding="utf-8")
        path.write_text(changed, encoding="utf-8")
        try:
            limits = {"seconds": self._seconds, "timeout": self._timeout}
            return self._started({**change, **limits}).wait()
        finally:
            path.write_text(source, encoding="utf-8")

    def close(self) -> None:
        """End the server."""
        self._requests.close()
        self._answers.close()
        self._server.wait()


def _changed_lines(before: str, after: str) -> tuple[str, str]:
    """The lines removed and added by a change, without indentation."""
    lines = [*difflib.ndiff(before.splitlines(), after.splitlines())]
    removed, added = (
        " ".join(line[2:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return removed, added


if __name__ == "__main__":
    sys.exit(main())
