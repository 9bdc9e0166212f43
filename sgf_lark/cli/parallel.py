"""Validation in several processes; the results come in the order of the files."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from sgf_lark.cli.inputs import Input
from sgf_lark.cli.results import Result, unreadable
from sgf_lark.cli.settings import FileSettings
from sgf_lark.diagnostics import Severity
from sgf_lark.validation import validate_file
from sgf_lark.validation.report import Report

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from sgf_lark.model.collection import Collection

#: A batch is closed when it has this many files or bytes.
_BATCH_FILES = 64
_BATCH_BYTES = 1 << 19

#: At most this number of batches for each process are submitted at a time: memory is bounded.
_BATCHES_AHEAD = 3

_Batch = list[Input]


@dataclass(frozen=True)
class Checking:
    """How files are checked. `options` are those of :func:`sgf_lark.validate`.

    `settings` change them for some files. Where `max_diagnostics` is not None, at most that
    number of diagnostics of a file are kept, and the others are counted, as are the style notes
    with `hides_style`. `with_source` is for output that shows the source, `with_fixes` for output
    that marks what can be fixed, `with_program` for output that names the program.
    """

    options: dict[str, Any]
    settings: FileSettings = field(default_factory=FileSettings)
    max_diagnostics: int | None = None
    hides_style: bool = False
    with_source: bool = False
    with_fixes: bool = False
    with_program: bool = False


_NOT_CHECKED = "not checked, because a process of sgf-lark ended; try -j 1"


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def validate_all(files: Iterable[Input], jobs: int, checking: Checking) -> Iterator[Result]:
    """Yield the result of each file.

    No process is started for one job, or where all files fit in one batch.
    """
    if jobs > 1:
        batches = _batches(files)
        first = list(islice(batches, 2))
        if len(first) > 1:
            yield from _in_processes(chain(first, batches), jobs, checking)
            return
        files = chain.from_iterable(first)
    for file in files:
        yield _validate(file, checking)


def _batches(files: Iterable[Input]) -> Iterator[_Batch]:
    batch: _Batch = []
    size = 0
    for file in files:
        batch.append(file)
        size += len(file.data or b"")
        if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _in_processes(batches: Iterator[_Batch], jobs: int, checking: Checking) -> Iterator[Result]:
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
    try:
        for batch, future in _submitted(pool, batches, jobs, checking):
            yield from _results(batch, future)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    else:
        pool.shutdown()


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C, which goes to all processes of a terminal: the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _submitted(
    pool: Executor,
    batches: Iterator[_Batch],
    jobs: int,
    checking: Checking,
) -> Iterator[tuple[_Batch, Future[list[Result]] | None]]:
    """Submit the batches and yield them in their order, with the results to wait for.

    There is nothing to wait for after a process has ended: no batch can be submitted then.
    """
    from concurrent.futures.process import BrokenProcessPool

    waiting: deque[tuple[_Batch, Future[list[Result]] | None]] = deque()
    for batch in batches:
        try:
            future = pool.submit(_validate_batch, batch, checking)
        except BrokenProcessPool:
            waiting.append((batch, None))
        else:
            waiting.append((batch, future))
        if len(waiting) >= jobs * _BATCHES_AHEAD:
            yield waiting.popleft()
    yield from waiting


def _results(batch: _Batch, future: Future[list[Result]] | None) -> list[Result]:
    from concurrent.futures.process import BrokenProcessPool

    if future is not None:
        with suppress(BrokenProcessPool):
            return future.result()
    return [unreadable(file.path, _NOT_CHECKED) for file in batch]


def _validate_batch(batch: _Batch, checking: Checking) -> list[Result]:
    """Validate in another process. The results are pickled, so the source stays if needed only."""
    results = []
    for file in batch:
        result = _validate(file, checking)
        report = result.report
        source = report.source if checking.with_source and report.diagnostics else None
        plain = Report(report.diagnostics, report.trees, source, report.omitted)
        results.append(replace(result, report=plain))
    return results


def _validate(file: Input, checking: Checking) -> Result:
    if file.data is None:
        return unreadable(file.path, file.reason)
    result = _checked(file, file.data, checking)
    limit = checking.max_diagnostics
    hides_style = checking.hides_style and result.report.counts[Severity.STYLE]
    if limit is None and not hides_style:
        return result
    return result.limited(limit, hides_style=bool(hides_style))


def _checked(file: Input, data: bytes, checking: Checking) -> Result:
    options = checking.settings.apply(file.path, checking.options)
    if file.is_wei7():
        from sgf_lark import wei7

        shared = {name: options[name] for name in ("select", "ignore", "language")}
        return Result(file.path, wei7.validate(data, **shared))
    validated = validate_file(data, **options)
    fixes = {}
    if checking.with_fixes and validated.report.diagnostics:
        from sgf_lark.fixing.choosing import fixability

        fixes = fixability(validated)
    program = _program(validated.collection) if checking.with_program else ""
    return Result(file.path, validated.report, fixes=fixes, program=program)


def _program(collection: Collection) -> str:
    """Return the program that wrote the file, as AP names it, without its version."""
    for tree in collection:
        if "AP" in tree.root:
            name = b"".join(tree.root.property("AP").raw[:1]).partition(b":")[0].strip()
            return name.decode("utf-8", "replace")
    return ""
