"""Work on files in several processes; the results come in the order of the files."""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.cli.results import Result, unreadable
from sgf_lark.cli.settings import FileSettings
from sgf_lark.diagnostics import Severity
from sgf_lark.files.inputs import Input
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.validation import ValidatedFile, selected_codes, validate_file
from sgf_lark.validation.report import Report

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.context import BaseContext

    from sgf_lark.cli.check_baseline import BaselineFile, Comparison

#: A batch is closed when it has this many files or bytes.
_BATCH_FILES = 64
_BATCH_BYTES = 1 << 19

#: At most this number of batches for each process are submitted at a time: memory is bounded.
_BATCHES_AHEAD = 3

_Batch = list[Input]


class Checking(NamedTuple):
    """How files are checked. `options` are those of :func:`sgf_lark.validate`.

    `settings` change them for some files. Where `max_diagnostics` is not None, at most that
    number of diagnostics of a file are kept, and the others are counted, as are the style notes
    with `hides_style`. `max_per_rule` is that of :func:`sgf_lark.validate`. `with_source` is for
    output that shows the source, `with_trees` for output that describes the game trees,
    `with_fixes` for output that marks what can be fixed. Findings of the `baseline` are left out.
    """

    options: dict[str, Any]
    settings: FileSettings = FileSettings()
    max_diagnostics: int | None = None
    max_per_rule: int | None = None
    hides_style: bool = False
    with_source: bool = False
    with_trees: bool = False
    with_fixes: bool = False
    baseline: BaselineFile | None = None


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def validate_all(files: Iterable[Input], jobs: int, checking: Checking) -> Iterator[Result]:
    """Yield the result of each file, in their order.

    No process is started for one job, or where all files fit in one batch.
    """
    work = partial(_validate, checking=checking)
    if jobs > 1:
        batches = _batches(files)
        first = list(islice(batches, 2))
        if len(first) > 1:
            yield from _in_processes(chain(first, batches), jobs, work)
            return
        files = chain.from_iterable(first)
    yield from map(work, files)


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


def _in_processes(
    batches: Iterator[_Batch], jobs: int, work: Callable[[Input], Result]
) -> Iterator[Result]:
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs, _context(), initializer=_ignore_interrupts)
    waiting: deque[tuple[_Batch, Future[list[Result]] | None]] = deque()
    try:
        for batch in batches:
            waiting.append((batch, _submitted(pool, batch, work)))
            if len(waiting) >= jobs * _BATCHES_AHEAD:
                yield from _results(*waiting.popleft())
        while waiting:
            yield from _results(*waiting.popleft())
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    else:
        pool.shutdown()


def _submitted(
    pool: Executor, batch: _Batch, work: Callable[[Input], Result]
) -> Future[list[Result]] | None:
    """The results to wait for; None after a process has ended, when no batch can be submitted."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        return pool.submit(_work_on_batch, batch, work)
    except BrokenProcessPool:
        return None


def _work_on_batch(batch: _Batch, work: Callable[[Input], Result]) -> list[Result]:
    """Do the work in another process."""
    return [work(file) for file in batch]


def _results(batch: _Batch, future: Future[list[Result]] | None) -> list[Result]:
    """The results of a batch, or that its files were lost when a process ended."""
    from concurrent.futures.process import BrokenProcessPool

    with suppress(BrokenProcessPool):
        if future is not None:
            return future.result()
    problem = "not checked, because a process of sgf-lark ended; try -j 1"
    return [unreadable(file.path, problem) for file in batch]


def _context() -> BaseContext:
    """Return what starts the processes.

    A fork is there at once, with all modules; other processes import them first, which takes two
    tenths of a second. But a fork also has the locks that other threads hold, and nobody releases
    them there: where this process has threads, such as those of a program that calls the command
    as a function, a server without threads forks the others.
    """
    import multiprocessing

    if sys.platform != "linux":
        return multiprocessing.get_context()
    has_threads = threading.active_count() > 1
    return multiprocessing.get_context("forkserver" if has_threads else "fork")


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C, which goes to all processes of a terminal: the first one ends the others."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- Validation -----------------------------------------------------------------------


def _validate(file: Input, checking: Checking) -> Result:
    """Validate a file. The source, which is large to pickle, stays if it is needed."""
    if file.data is None:
        return unreadable(file.path, file.reason)
    options = checking.settings.apply(file.path, checking.options)
    validated: ValidatedFile | None = None
    if file.is_wei7():
        from sgf_lark import wei7

        how = {name: options[name] for name in ("select", "ignore", "language")}
        report = wei7.validate(file.data, **how)
    else:
        validated = validate_file(
            file.data,
            ReadingOptions.of(options),
            options["profile"],
            selected_codes(options["select"], options["ignore"]),
            options["language"],
            # A baseline has all findings.
            checking.max_per_rule if checking.baseline is None else None,
        )
        report = validated.report
    fixes: dict[int, bool] = {}
    if checking.with_fixes and validated is not None and any(report.counts.values()):
        from sgf_lark.analysis import Analysis

        fixes = Analysis(validated).fixability
    compared: Comparison | None = None
    if checking.baseline is not None:
        from sgf_lark.cli.check_baseline import compare

        new, compared = compare(checking.baseline, file.path, report)
        fixes = {place: fixes[index] for place, index in enumerate(new) if index in fixes}
        found = report.diagnostics
        report = Report([found[index] for index in new], report.trees, report.source)
    counts = report.counts
    hidden = counts[Severity.STYLE] if checking.hides_style else 0
    indexes = report.indexes(checking.max_diagnostics, hides_style=checking.hides_style)
    listed = report if len(indexes) == sum(counts.values()) else report.part(indexes)
    listed = Report(
        listed.diagnostics,
        listed.trees if checking.with_trees else None,
        listed.source if checking.with_source and indexes else None,
        listed.omitted,
    )
    return Result(
        file.path,
        listed,
        fixes={place: fixes[index] for place, index in enumerate(indexes) if index in fixes},
        all_fixes=Counter(fixes.values()),
        hidden=hidden,
        repeated=0 if validated is None else validated.report.omitted.total(),
        compared=compared,
    )
