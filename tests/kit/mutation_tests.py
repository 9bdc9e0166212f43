"""A plugin of pytest for `tests/kit/mutation.py`: runs the tests of a module again and again,
each time with a change of the module.

The tests are collected once. Then each change is made in a process that is forked off, by putting
other code into the functions that exist: so a change costs hardly more than the tests that notice
it. Changes that are not inside a function are for a new process.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import coverage
import pytest

#: Bytes of memory that the tests of a change may take.
_MEMORY = 4 << 30
#: What the tests of the module run, and how long they take.
_RECORD = Path("mutation-record")
_Cached = type(cache(_RECORD.exists))


def _limit(seconds: int, timeout: int) -> None:
    """End this process after these seconds of processor time, at the latest after the timeout."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 10))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.alarm(timeout)


def pytest_configure(config: pytest.Config) -> None:
    """Serve, or only sort the tests."""
    wanted: dict[str, Any] = json.loads(os.environ["SGF_LARK_MUTATION"])
    config.pluginmanager.register(Ordering(**wanted) if "line" in wanted else Server(**wanted))


class Ordering:
    """Sorts the tests for a change of a line, which is made already."""

    def __init__(self, module: str, line: int, seconds: int, timeout: int) -> None:
        self._module, self._line = module, line
        _limit(seconds, timeout)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = Record().ordered(items, self._module, self._line)


class Record:
    """How long each test takes, and which tests run each line of a module, as measured."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = json.loads((_RECORD / "seconds.json").read_text())
        self._names = list(self.seconds)

    @staticmethod
    def write(seconds: dict[str, float], lines: dict[str, dict[int, list[str]]]) -> None:
        """Write what was measured: for each path of a module, the tests of each line."""
        shutil.rmtree(_RECORD, ignore_errors=True)
        _RECORD.mkdir()
        (_RECORD / "seconds.json").write_text(json.dumps(seconds))
        numbers = {name: number for number, name in enumerate(seconds)}
        for path, tests_of in lines.items():
            found = {
                line: [numbers[each] for each in tests if each] for line, tests in tests_of.items()
            }
            Record._file(path).write_text(json.dumps(found))

    @staticmethod
    def _file(module: str) -> Path:
        return _RECORD / Path(module).resolve().relative_to(Path.cwd()).as_posix().replace("/", ".")

    def tests(self, module: str, lines: Iterable[int]) -> set[str]:
        """The tests that run one of these lines."""
        file = self._file(module)
        of_module: dict[str, list[int]] = json.loads(file.read_text()) if file.exists() else {}
        return {self._names[test] for line in lines for test in of_module.get(str(line), ())}

    def ordered(self, items: list[pytest.Item], module: str, line: int) -> list[pytest.Item]:
        """The tests that run the line, then the others; those first that take less time."""
        first = self.tests(module, [line])
        return sorted(items, key=lambda item: (item.nodeid not in first, self.seconds[item.nodeid]))


class Server:
    """Runs the tests for the changes that it reads from one file descriptor, and writes how they
    end into another one.

    The first answer is the limit of processor time for all tests, or 0 if they fail without a
    change. The others are wait statuses, or empty if a new process is needed.
    """

    def __init__(
        self,
        modules: list[str],
        requests: int,
        answers: int,
        times: int,
        seconds: int,
        timeout: int,
    ) -> None:
        self._modules, self._requests, self._answers = modules, requests, answers
        self._times, self._seconds, self._timeout = times, seconds, timeout

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        with os.fdopen(self._requests) as requests, os.fdopen(self._answers, "w") as answers:
            status, usage = _forked(lambda: _measure(session.items, self._modules))
            limit = self._limit_for(usage.ru_utime + usage.ru_stime)
            print(0 if status else limit, file=answers, flush=True)
            for request in requests:
                print(self._try(session.items, **json.loads(request)), file=answers, flush=True)
        return True

    def _limit_for(self, seconds: float) -> int:
        """The limit of processor time for tests that take these seconds without a change."""
        return round(seconds * self._times + self._seconds)

    def _try(self, items: list[pytest.Item], module: str, line: int, source: str) -> int | str:
        """How the tests end that run the functions with a change."""
        path = Path(module).resolve()
        old, new = (compile(text, path, "exec") for text in (path.read_text("utf-8"), source))
        changed = [*_changes(old, new)]
        changes = {before: after for before, after in changed if before is not None}
        functions = [
            found
            for found in gc.get_objects()
            if isinstance(found, FunctionType)
            and found.__code__.co_filename == str(path)
            and found.__code__ in changes
        ]
        if len(functions) < len(changed):
            return ""
        record = Record()
        tests = record.tests(module, set().union(*map(_lines, changes)))
        chosen = [item for item in record.ordered(items, module, line) if item.nodeid in tests]
        limit = self._limit_for(sum(record.seconds[test] for test in tests))

        def run() -> bool:
            _limit(limit, self._timeout)
            for function in functions:
                function.__code__ = changes[function.__code__]
            return not any(map(_fails, chosen, [*chosen[1:], None]))

        return _forked(run)[0]


def _measure(items: list[pytest.Item], modules: list[str]) -> bool:
    """Run the tests without a change, and record what they run of these modules; whether they
    pass."""
    seconds = {}
    paths = [str(Path(module).resolve()) for module in modules]
    measured = coverage.Coverage(data_file=None, include=paths, config_file=False)
    measured.start()
    for item, following in zip(items, [*items[1:], None], strict=False):
        measured.switch_context(item.nodeid)
        before = time.process_time()
        if _fails(item, following):
            return False
        seconds[item.nodeid] = time.process_time() - before
    measured.stop()
    data = measured.get_data()
    Record.write(seconds, {path: data.contexts_by_lineno(path) for path in data.measured_files()})
    return True


def _changes(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType | None, CodeType]]:
    """The functions that differ in the code of a module or class, and None if other code does."""
    if len(old.co_consts) != len(new.co_consts) or old.co_code != new.co_code:
        yield None, new
        return
    for before, after in zip(old.co_consts, new.co_consts, strict=True):
        if not isinstance(before, CodeType):
            if before != after:
                yield None, new
        elif not before.co_flags & inspect.CO_OPTIMIZED:
            yield from _changes(before, after)
        elif before != after:
            yield (None if before.co_name.startswith("<") else before), after


def _lines(code: CodeType) -> set[int]:
    """The lines of a function without the first one, which runs when the function is defined."""
    inner = (_lines(each) for each in code.co_consts if isinstance(each, CodeType))
    return {line for *_, line in code.co_lines() if line and line > code.co_firstlineno}.union(
        *inner
    )


def _fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return item.session.testsfailed > 0


def _forked(run: Callable[[], bool]) -> tuple[int, Any]:
    """How a process ends that is forked off for `run`, and what it has used.

    It ends with 1 if `run` gives False, and with another code if it raises an exception.
    """
    child = os.fork()
    if child:
        return os.wait4(child, 0)[1:]
    status = os.EX_SOFTWARE
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        _clear_caches()
        status = 0 if run() else 1
    finally:
        os._exit(status)


def _clear_caches() -> None:
    """Forget what functions of the package gave while the tests were collected."""
    for found in gc.get_objects():
        if isinstance(found, _Cached) and found.__module__.startswith("sgf_lark"):
            found.cache_clear()
