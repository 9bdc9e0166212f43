"""Validation on several processors: results come in the order of the files."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sgf_lark.cli.inputs import WEI7_SUFFIXES, Input
from sgf_lark.cli.tally import Result, unreadable

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

#: Files go out in parcels of at most so many, or so many bytes.
_FILES = 64
_BYTES = 1 << 19

#: So many parcels a process are under way at most, so that memory is bounded.
_AHEAD = 3

_Parcel = list[Input]


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def validated(
    files: Iterable[Input], jobs: int, with_source: bool, **options: Any
) -> Iterator[Result]:
    """The result of each file. With one job, or where all files fit in one parcel,
    no process is started. `with_source` is for output that shows places."""
    parcels = _parcels(files)
    first = next(parcels, [])
    second = next(parcels, None) if jobs > 1 else None
    if second is None:
        for parcel in (first, *parcels):
            for file in parcel:
                yield _validate(file, options)
                if not gc.isenabled():
                    # The first file has been checked, and all is imported that will be.
                    gc.freeze()
                    gc.enable()
        return
    gc.enable()
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs)
    try:
        yield from _in_order(pool, _chain(first, second, parcels), jobs, with_source, options)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _chain(first: _Parcel, second: _Parcel, others: Iterator[_Parcel]) -> Iterator[_Parcel]:
    yield first
    yield second
    yield from others


def _in_order(
    pool: Executor,
    parcels: Iterator[_Parcel],
    jobs: int,
    with_source: bool,
    options: dict[str, Any],
) -> Iterator[Result]:
    waiting: deque[tuple[_Parcel, Future[list[Result]]]] = deque()
    for parcel in parcels:
        waiting.append((parcel, pool.submit(_work, parcel, with_source, options)))
        if len(waiting) >= jobs * _AHEAD:
            yield from _result(*waiting.popleft())
    while waiting:
        yield from _result(*waiting.popleft())


def _result(parcel: _Parcel, future: Future[list[Result]]) -> list[Result]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        return [unreadable(file.path, "the process that checked it ended") for file in parcel]


def _parcels(files: Iterable[Input]) -> Iterator[_Parcel]:
    parcel: _Parcel = []
    size = 0
    for file in files:
        parcel.append(file)
        size += len(file.data or b"")
        if len(parcel) >= _FILES or size >= _BYTES:
            yield parcel
            parcel, size = [], 0
    if parcel:
        yield parcel


def _work(parcel: _Parcel, with_source: bool, options: dict[str, Any]) -> list[Result]:
    """In another process: what is given back is made of plain data."""
    from sgf_lark.validation.report import Report

    found = []
    for file in parcel:
        result = _validate(file, options)
        report = result.report
        source = report.source if with_source and report.diagnostics else None
        plain = Report(report.diagnostics, report.trees, source)
        found.append(Result(result.path, plain, result.readable))
    return found


def _validate(file: Input, options: dict[str, Any]) -> Result:
    if file.data is None:
        return unreadable(file.path, file.reason)
    if file.path.lower().endswith(WEI7_SUFFIXES):
        from sgf_lark import wei7

        own = {name: options[name] for name in ("select", "ignore", "language")}
        return Result(file.path, wei7.validate(file.data, **own))
    from sgf_lark.validation import validate

    return Result(file.path, validate(file.data, **options))
