"""A run: rounds in which inputs run, and the findings in them are traced to their causes.

After each round most inputs avoid the features of the causes that are known, so that one cause
does not hide others.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing.util import Finalize
from operator import itemgetter
from typing import Any

from sgf_lark.fuzz.causes import Cause
from sgf_lark.fuzz.judging import BY_RULE, Key, Kind
from sgf_lark.fuzz.working import CauseAnalysis, FuzzFinding, Progress, Settings, Worker

#: The number of inputs in the first round; each round has twice as many as the one before, so that
#: a frequent hang is met only a few times before its cause is known and left out. Only the first
#: takes the whole time limit.
_FIRST_ROUND = 25
#: The share of the time in which the inputs of one round run.
_ROUND_SHARE = 0.15
#: Seconds that the inputs of one task should take at least, and at most twice as long.
_INTERVAL = 0.1
#: Inputs of one kind and place that are kept for the analysis in one round.
_MOST_SAMPLES = 8

#: Called with the intermediate result while a run is in progress.
Watcher = Callable[["RunResult"], None]


def run(
    settings: Settings,
    *,
    seconds: float | None = None,
    examples: int | None = None,
    workers: int = 0,
    watch: Watcher = lambda result: None,
) -> RunResult:
    """Run for the given number of seconds, all included, or of inputs, until all are analyzed.

    The same settings and number of `examples` give the same findings with any number of `workers`,
    which are processes; with 0, all runs in this one. The first Ctrl-C, and the end of a worker,
    ends the run and keeps the findings so far. Raises TargetError if a target cannot be run.
    """
    result = RunResult(settings)
    start = time.monotonic()
    pool = WorkerPool(settings, workers)
    try:
        # A run of no seconds or of no inputs ends at once.
        seconds = math.inf if seconds is None else seconds
        examples = sys.maxsize if examples is None else examples
        _Run(result, pool, start, seconds, examples, watch).rounds()
    finally:
        pool.close()
        result.seconds = time.monotonic() - start
    return result


@dataclass
class _Run:
    """The rounds of a run.

    `found` are the findings of the present round, `pending` those of which the causes are still to
    be searched. `part` is the number of inputs of one task.
    """

    result: RunResult
    pool: WorkerPool
    start: float
    seconds: float
    examples: int
    watch: Watcher
    found: list[FuzzFinding] = field(default_factory=list)
    pending: list[FuzzFinding] = field(default_factory=list)
    part: int = 1

    @property
    def deadline(self) -> float:
        """When the run has to end, infinite if only the number of inputs is limited."""
        return self.start + self.seconds

    def rounds(self) -> None:
        """Run all rounds; what has not been analyzed at the end is counted."""
        result, size = self.result, _FIRST_ROUND
        try:
            while not self._is_late() and result.next_number < self.examples:
                self._collect(size)
                self._analyze()
                size *= 2
        except KeyboardInterrupt:
            # What the workers have counted is added, but nothing is analyzed any more.
            result.interrupted = True
            for done in self.pool.stop():
                if isinstance(done, Progress):
                    self._add(done)
        except BrokenProcessPool:
            result.lost_worker = True
        self._keep_unexamined()

    def _collect(self, size: int) -> None:
        """Run the inputs of one round, and add what is found to `pending`."""
        first = self.result.next_number
        numbers = range(first, min(first + size, self.examples))
        for _, progress in self.pool.results("work", self._parts(numbers)):
            self._add(progress)
            # Fast targets get more inputs at a time: sending them to a worker takes time, too.
            self.part = self.part * 2 if progress.seconds < _INTERVAL else max(1, self.part // 2)
            self.watch(self.result)
        self.pending += _lowest(self.found)
        self.found = []

    def _parts(self, left: range) -> Iterator[Task]:
        """Yield numbers of inputs for one worker, which take about as long as the interval."""
        end = min(self.deadline, time.monotonic() + self.seconds * _ROUND_SHARE)
        while left and time.monotonic() < end:
            part, left = left[: self.part], left[self.part :]
            yield part, self.result.causes, end

    def _add(self, progress: Progress) -> None:
        self.result.add(progress)
        self.found += progress.findings

    def _is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def _analyze(self) -> None:
        """Search the causes of what is pending, one finding of each kind at a time."""
        result = self.result
        while not self._is_late():
            self._leave_out_hangs()
            batch = _batch(self.pending)
            if not batch:
                self._merge()
                break
            tasks = [(finding, result.causes, self.deadline) for finding in batch]
            for finding, analysis in zip(batch, self._in_order("analyze", tasks), strict=True):
                if analysis.late:
                    continue
                self.pending.remove(finding)
                # What took too long to be traced is another finding only in another place.
                if finding.key in result.keys and _is_without_cause(analysis):
                    result.unexamined[finding.key] += 1
                else:
                    result.add_analysis(finding, analysis)
            self.watch(result)

    def _in_order(self, method: str, tasks: list[Task]) -> list[Any]:
        return [done for _, done in sorted(self.pool.results(method, tasks), key=itemgetter(0))]

    def _leave_out_hangs(self) -> None:
        """Only count a hang at a place for which a search has already found no cause: another
        search there would take as long and find none either."""
        without = {one.key for one in self.result.findings if not one.features}
        for finding in [*self.pending]:
            if finding.key.kind is Kind.HANG and finding.key in without:
                self.pending.remove(finding)
                self.result.unexamined[finding.key] += 1

    def _merge(self) -> None:
        """Remove findings that the causes of others explain.

        A known finding without a cause, as there was no time to find it, is not new when it is
        found.
        """
        result = self.result
        without_cause = [each for each in result.earlier if not each.features]
        tasks: list[Task] = []
        for finding in (*result.findings, *without_cause):
            others = [each for each in result.findings if _may_be_part_of(finding, each)]
            if others:
                tasks.append((finding, [each.cause for each in others], self.deadline))
        for (part, *_), identity in zip(tasks, self._in_order("explains", tasks), strict=True):
            # The other one may have been merged just now.
            if any(found.cause.identity == identity for found in result.findings):
                pair = part.cause.identity, identity
                result.merge(*(reversed(pair) if part.known else pair))

    def _keep_unexamined(self) -> None:
        """Keep one finding of each kind and place of which no cause is known; count the others.

        What seems to hang is only counted if it has not been confirmed.
        """
        result = self.result
        for finding in (*self.pending, *_lowest(self.found)):
            if finding.key in result.keys or finding.is_doubtful(result.settings.timeout):
                result.unexamined[finding.key] += 1
            else:
                result.add_analysis(finding, CauseAnalysis(found=(finding,)))


def _lowest(findings: Iterable[FuzzFinding]) -> list[FuzzFinding]:
    """Return the first findings of each kind and place; they do not depend on the workers."""
    counts: Counter[tuple[Key, bool]] = Counter()
    kept = []
    for finding in sorted(findings, key=lambda each: each.number):
        sample = finding.key, finding.valid
        counts[sample] += 1
        if counts[sample] <= (1 if finding.key.kind in BY_RULE else _MOST_SAMPLES):
            kept.append(finding)
    return kept


def _batch(pending: list[FuzzFinding]) -> list[FuzzFinding]:
    """Return one finding of each kind, valid and short inputs first, and of each rule."""
    chosen: dict[tuple[str, Kind, str], FuzzFinding] = {}
    for finding in sorted(pending, key=lambda each: (not each.valid, len(each.data), each.number)):
        key = finding.key
        place = key.place if key.kind in BY_RULE else ""
        chosen.setdefault((key.target, key.kind, place), finding)
    return list(chosen.values())


def _is_without_cause(analysis: CauseAnalysis) -> bool:
    """Whether there was no time to find a cause, or to make the input smaller."""
    return bool(analysis.found) and all(
        each.repeatable and each.original is None and not each.features for each in analysis.found
    )


def _may_be_part_of(finding: FuzzFinding, other: FuzzFinding) -> bool:
    """Whether the cause of another finding may be that of this one, but not the reverse."""
    one, two = finding.cause, other.cause
    if finding is other or not finding.repeatable or one.identity == two.identity:
        return False
    return two.comprises(one.target, one.kind, one.place) or (
        two.may_explain(one.target, one.kind, one.data)
        and not one.may_explain(two.target, two.kind, two.data)
    )


# --- Results ------------------------------------------------------------------------------------


@dataclass
class RunResult:
    """The result of a run. `next_number` is the one after the last input that ran.

    `findings` are new, one for each cause; `earlier` are those of earlier runs, with new counts.
    `unexamined` counts inputs with findings of which the cause was not searched. `attempts` is
    the number of inputs that were run to minimize findings and to search their causes. The run has
    ended early if it was `interrupted`, or has a `lost_worker`, a process that ended.
    """

    settings: Settings
    examples: int = 0
    next_number: int = 0
    seconds: float = 0.0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[FuzzFinding] = field(default_factory=list)
    earlier: list[FuzzFinding] = field(init=False)
    unexamined: Counter[Key] = field(default_factory=Counter)
    attempts: int = 0
    interrupted: bool = False
    lost_worker: bool = False

    def __post_init__(self) -> None:
        self.earlier = [replace(each, count=0, known=True) for each in self.settings.known]

    @property
    def known(self) -> list[FuzzFinding]:
        """The findings of earlier runs that occurred again."""
        return [finding for finding in self.earlier if finding.count]

    @property
    def causes(self) -> tuple[Cause, ...]:
        """All causes that are known so far."""
        return tuple(finding.cause for finding in (*self.earlier, *self.findings))

    @property
    def keys(self) -> set[Key]:
        """The kinds and places of all findings whose causes are known so far."""
        found = (*self.earlier, *self.findings)
        return {key for each in found for key in (each.key, *each.also)}

    @property
    def not_minimized(self) -> int:
        """The number of findings whose input could not be minimized in time."""
        return sum(found.original is None and found.repeatable for found in self.findings)

    def add(self, progress: Progress) -> None:
        """Add what a worker has counted; its findings are to be analyzed."""
        self.examples += progress.examples
        self.next_number = max(self.next_number, progress.next_number)
        self.verdicts += progress.verdicts
        for identity, count in progress.explained.items():
            self._count(identity, count)

    def add_analysis(self, sample: FuzzFinding, analysis: CauseAnalysis) -> None:
        """Add the causes of a finding."""
        self.attempts += analysis.attempts
        for identity in analysis.explained:
            self._count(identity, 1, sample.key)
        for finding in analysis.found:
            if not self._count(finding.cause.identity, finding.count, finding.key):
                self.findings.append(finding)
        kinds = list(Kind)
        self.findings.sort(
            key=lambda found: (kinds.index(found.key.kind), found.key.target, found.number)
        )

    def _count(self, identity: str, count: int, key: Key | None = None) -> bool:
        """Count inputs with a known cause; return whether there is such a cause."""
        for found in (self.findings, self.earlier):
            for index, finding in enumerate(found):
                if finding.cause.identity == identity:
                    also = finding.also
                    if key is not None and key != finding.key and key not in also:
                        also = (*also, key)
                    found[index] = replace(finding, count=finding.count + count, also=also)
                    return True
        return False

    def merge(self, merged: str, identity: str) -> None:
        """Remove the finding whose cause has the first identity: its cause is the second one."""
        identities = [finding.cause.identity for finding in self.findings]
        finding = self.findings.pop(identities.index(merged))
        for key in (finding.key, *finding.also):
            self._count(identity, 0, key)
        self._count(identity, finding.count)


# --- Worker processes ---------------------------------------------------------------------------


Task = tuple[Any, ...]


class WorkerPool:
    """Runs methods of :class:`Worker`."""

    def __init__(self, settings: Settings, count: int) -> None:
        """Use `count` processes, which start when they are needed, or with 0 this process.

        A process takes a second to start, longer than the run of a few inputs that a test needs.
        """
        self._count = count
        self._local = None if count else Worker(settings)
        # With "fork" a worker would inherit the descriptors and threads of this process.
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        given = (settings, self._stop)
        self._pool = ProcessPoolExecutor(count or 1, context, _prepare_process, given)
        self._running: dict[Future[Any], int] = {}

    def results(self, method: str, tasks: Iterable[Task]) -> Iterator[tuple[int, Any]]:
        """Yield the index of each task, which is the arguments of the method, and its result.

        The order is that in which they are done; a task is taken when a worker is idle. Raises
        TargetError, and BrokenProcessPool if a process has ended.
        """
        # Executor.map() takes all tasks at once: here each is made when a worker is idle, with the
        # size that suits the target by then, and none after the end of the round.
        waiting = enumerate(tasks)
        if self._local is not None:
            yield from ((at, getattr(self._local, method)(*task)) for at, task in waiting)
            return
        while True:
            for at, task in islice(waiting, self._count - len(self._running)):
                self._running[self._pool.submit(_call, method, task)] = at
            if not self._running:
                return
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            for future in done:
                yield self._running.pop(future), future.result()

    def stop(self) -> Iterator[Any]:
        """Let all processes end what they do as soon as possible, and yield what that gives."""
        self._stop.set()
        for future in self._running:
            with contextlib.suppress(BrokenProcessPool):
                yield future.result()

    def close(self) -> None:
        """End all processes."""
        self._stop.set()
        if self._local is not None:
            self._local.close()
        self._pool.shutdown(cancel_futures=True)


# --- In the processes -------------------------------------------------------------

#: The settings of this process and its worker, which is made when it is first needed.
_process: dict[str, Any] = {}


def _prepare_process(settings: Settings, stop: Any) -> None:
    # Ctrl-C goes to all processes of a terminal; the main process ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _process.update(settings=settings, stop=stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has ended, even if it was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _call(method: str, task: Task) -> Any:
    if "worker" not in _process:
        worker = Worker(_process["settings"], _process["stop"].is_set)
        _process["worker"] = worker
        # Functions of atexit are not called in these processes.
        Finalize(worker, worker.close, exitpriority=1)
    return getattr(_process["worker"], method)(*task)
