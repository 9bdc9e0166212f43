"""A run: inputs, targets, findings; in one process or in several."""

from __future__ import annotations

import contextlib
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sgf_lark.fuzz.inputs import Inputs
from sgf_lark.fuzz.judging import DEPENDS_ON_RULES, VALID, Assessment, Judge, Key, Kind, Observation
from sgf_lark.fuzz.minimizing import minimize
from sgf_lark.fuzz.outcomes import Outcome, TargetError
from sgf_lark.fuzz.pace import FACTOR, Timekeeper
from sgf_lark.fuzz.targets import Target, open_target

#: Seconds between two reports of progress.
_PROGRESS_INTERVAL = 0.2
#: The limits for minimizing one finding. Each attempt at a hang takes as long as the time
#: limit, so there are fewer attempts, in more time, with a shorter time limit. What is slow takes
#: several measurements.
_ATTEMPTS = 1000
_SECONDS = 30.0
_LONG_ATTEMPTS = 300
_LONG_SECONDS = 90.0
_HANG_TIMEOUT_DIVISOR = 5
_SHORTEST_TIMEOUT = 0.5


@dataclass(frozen=True)
class Settings:
    """The parameters of a run.

    `targets` are names as for :func:`open_target`. `timeout` in seconds and `memory` in bytes
    are the limits for one input. `slow` is the factor of :class:`Timekeeper`. `writable` are
    folders in which targets may write, in addition to their own.
    """

    targets: tuple[str, ...]
    seed: int = 0
    corpus: tuple[bytes, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    timeout: float = 5.0
    memory: int = 1 << 30
    judge: Judge = field(default_factory=Judge)
    slow: float = FACTOR
    writable: tuple[str, ...] = ()

    @property
    def inputs(self) -> Inputs:
        """The inputs of the run."""
        return Inputs(self.seed, self.corpus, self.options)

    def open(self) -> list[Target]:
        """Return the targets; raise TargetError if one is not available."""
        return [
            open_target(
                spec,
                timeout=self.timeout,
                memory=self.memory,
                writable=map(Path, self.writable),
            )
            for spec in self.targets
        ]


@dataclass(frozen=True)
class Finding:
    """A weakness of a target, with the first input that shows it, a valid one if possible.

    `number` and `source` identify the input in the run. `rules` is a summary of sgf_lark's
    diagnostics for `data`. `count` is the number of inputs with the same finding.
    `repeatable` is false if a new process does not show it. `original` is the input before it
    was minimized.
    """

    key: Key
    number: int
    source: str
    data: bytes
    detail: str
    rules: str
    repeatable: bool = True
    count: int = 1
    original: bytes | None = None

    @property
    def valid(self) -> bool:
        """Whether the input conforms: then even a crash is more severe."""
        return self.rules == VALID


@dataclass
class Progress:
    """The work of one worker since its last report.

    `verdicts` counts verdicts by target, `keys` counts findings, `findings` are the new ones.
    """

    examples: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    keys: Counter[Key] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


@dataclass
class Result:
    """The result of a run. `next_number` is the number of the first input that did not run."""

    settings: Settings
    examples: int = 0
    next_number: int = 0
    seconds: float = 0.0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    interrupted: bool = False
    lost_workers: int = 0

    def add(self, progress: Progress) -> None:
        """Add the work of a worker; of equal findings the one with the lower rank is kept."""
        self.examples += progress.examples
        self.verdicts += progress.verdicts
        by_key = {finding.key: finding for finding in self.findings}
        for finding in progress.findings:
            known = by_key.get(finding.key)
            count = known.count if known else 0
            if known is None or _rank(finding) < _rank(known):
                known = finding
            by_key[finding.key] = replace(known, count=count)
        for key, count in progress.keys.items():
            by_key[key] = replace(by_key[key], count=by_key[key].count + count)
        kinds = list(Kind)
        self.findings = sorted(
            by_key.values(),
            key=lambda found: (kinds.index(found.key.kind), found.key.target, found.key.place),
        )


def _rank(finding: Finding) -> tuple[bool, int]:
    """Return the rank among equal findings: valid inputs first, then by number."""
    return not finding.valid, finding.number


class Worker:
    """Runs inputs on targets of its own."""

    def __init__(self, settings: Settings, is_stopped: Callable[[], bool] = lambda: False) -> None:
        """Open the targets; minimizing stops as soon as `is_stopped` returns true."""
        self.settings = settings
        self._is_stopped = is_stopped
        self.inputs = settings.inputs
        self._timekeeper = Timekeeper(settings.slow)
        self._known: set[tuple[Key, bool]] = set()
        self._exit = contextlib.ExitStack()
        self.targets = [self._exit.enter_context(target) for target in settings.open()]

    def close(self) -> None:
        """Close the targets."""
        self._exit.close()

    def work(self, first: int, step: int, stop: Callable[[int], bool]) -> Iterator[Progress]:
        """Run the inputs `first`, `first` + `step`, … until `stop(number)`.

        Yields progress at intervals, and at the end, even if Ctrl-C is the reason.
        """
        number = first
        last = time.monotonic()
        progress = Progress()
        try:
            while not stop(number):
                self._add(number, progress)
                number += step
                if time.monotonic() - last > _PROGRESS_INTERVAL:
                    yield progress
                    last, progress = time.monotonic(), Progress()
        except KeyboardInterrupt:
            yield progress
            raise
        yield progress

    def _add(self, number: int, progress: Progress) -> None:
        found = self._examine(number, progress.verdicts)
        progress.keys.update(finding.key for finding in found)
        progress.findings += [finding for finding in found if not self._is_known(finding)]
        self._known.update((finding.key, finding.valid) for finding in found)
        progress.examples += 1

    def _is_known(self, finding: Finding) -> bool:
        """Whether there is an equal finding in a valid input, or in any if this is not valid."""
        return (finding.key, True) in self._known or (finding.key, finding.valid) in self._known

    def _examine(self, number: int, verdicts: Counter[tuple[str, str]]) -> list[Finding]:
        """Run one input and count the verdicts; return the findings."""
        given = self.inputs[number]
        outcomes, observations, rules = self._observe(given.data)
        for target, outcome in zip(self.targets, outcomes, strict=False):
            verdicts[target.name, str(outcome.verdict)] += 1
        found = []
        for observation in observations:
            key, detail = observation.key, observation.detail
            finding = Finding(key, number, given.source, given.data, detail, rules)
            if not self._is_known(finding) and not self._is_repeatable(key, given.data):
                finding = replace(finding, repeatable=False)
            found.append(finding)
        return found

    def _observe(self, data: bytes) -> tuple[list[Outcome], list[Observation], str]:
        """Return outcomes, observations, and the summary of sgf_lark's diagnostics."""
        assessment = Assessment(data)
        outcomes: list[Outcome] = []
        try:
            outcomes, observations = self.settings.judge.compare(self.targets, assessment)
            observations += self._timekeeper.observe(self.targets, outcomes, data)
            return outcomes, observations, str(assessment) if observations else ""
        except TargetError:
            raise
        except Exception as error:
            return outcomes, [_internal_error(error)], "sgf_lark fails"

    def _is_repeatable(self, key: Key, data: bytes) -> bool:
        """Whether new processes show the finding too."""
        for target in self.targets:
            target.close()
        return self.observed_detail(key, data) is not None

    def observed_detail(self, key: Key, data: bytes) -> str | None:
        """Return the detail of the finding in `data`, or None if `data` does not show it."""
        _, observations, _ = self._observe(data)
        return next((item.detail for item in observations if item.key == key), None)

    def minimize(self, finding: Finding) -> Finding:
        """Return the finding with a smaller input, if the targets show it again."""
        if not finding.repeatable:
            return finding
        hang = finding.key.kind is Kind.HANG
        long = hang or finding.key.kind is Kind.SLOW
        deadline = time.monotonic() + (_LONG_SECONDS if long else _SECONDS)
        original = Assessment(finding.data)

        def keeps(data: bytes) -> bool:
            return (
                time.monotonic() <= deadline
                and not self._is_stopped()
                and self.observed_detail(finding.key, data) is not None
                and _is_as_convincing(finding, original, Assessment(data))
            )

        if hang:
            timeout = self.settings.timeout / _HANG_TIMEOUT_DIVISOR
            self._set_timeout(max(_SHORTEST_TIMEOUT, timeout))
        try:
            data = minimize(finding.data, keeps, _LONG_ATTEMPTS if long else _ATTEMPTS)
        finally:
            self._set_timeout(self.settings.timeout)
        detail = self.observed_detail(finding.key, data)
        if detail is None:
            return finding
        rules = self._observe(data)[2]
        return replace(finding, data=data, detail=detail, rules=rules, original=finding.data)

    def _set_timeout(self, timeout: float) -> None:
        for target in self.targets:
            target.limits = replace(target.limits, timeout=timeout)


def _is_as_convincing(finding: Finding, original: Assessment, smaller: Assessment) -> bool:
    """Whether a smaller input demonstrates the finding as well as the original one does.

    A valid input must stay valid. It must not become valid through another file format or an
    unknown property.
    """
    if finding.valid and not smaller.valid:
        return False
    if not finding.valid and finding.key.kind not in DEPENDS_ON_RULES:
        return True
    return smaller.idents <= original.idents and smaller.formats <= original.formats


def _internal_error(error: Exception) -> Observation:
    """Return the finding that sgf_lark itself failed: it is a parser like the targets."""
    frames = traceback.extract_tb(error.__traceback__)
    frame = next(frame for frame in reversed(frames) if "sgf_lark" in Path(frame.filename).parts)
    name = type(error).__name__
    place = f"{name} at {Path(frame.filename).name}:{frame.lineno} {frame.name}"
    return Observation(Key("sgf_lark", Kind.CRASH, place), f"{name}: {error}")


#: Called with the intermediate result while a run is in progress.
Watcher = Callable[[Result], None]


def run(
    settings: Settings,
    *,
    seconds: float | None = None,
    examples: int | None = None,
    workers: int = 1,
    watch: Watcher = lambda result: None,
) -> Result:
    """Run for the given number of seconds or of inputs, then minimize the findings.

    Ctrl-C ends the run and keeps the findings so far. The same settings and number of
    `examples` give the same findings with any number of `workers`. Raises TargetError if a
    target cannot be run.
    """
    from sgf_lark.fuzz.workers import run_in_parallel

    result = Result(settings)
    start = time.monotonic()
    try:
        if workers > 1:
            run_in_parallel(result, workers, seconds, examples, watch)
        else:
            _run_here(result, seconds, examples, watch)
    finally:
        result.seconds = time.monotonic() - start
    return result


def stop_condition(seconds: float | None, examples: int | None) -> Callable[[int], bool]:
    """Return the function that decides, by the number of the next input, whether to stop."""
    deadline = None if seconds is None else time.monotonic() + seconds

    def stop(number: int) -> bool:
        if examples is not None and number >= examples:
            return True
        return deadline is not None and time.monotonic() >= deadline

    return stop


def _run_here(result: Result, seconds: float | None, examples: int | None, watch: Watcher) -> None:
    with contextlib.closing(Worker(result.settings)) as worker:
        try:
            for progress in worker.work(0, 1, stop_condition(seconds, examples)):
                result.add(progress)
                result.next_number += progress.examples
                watch(result)
            for index, finding in enumerate(result.findings):
                result.findings[index] = replace(worker.minimize(finding), count=finding.count)
                watch(result)
        except KeyboardInterrupt:
            result.interrupted = True
