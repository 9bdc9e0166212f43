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
from sgf_lark.fuzz.judging import ABOUT_RULES, VALID, Judge, Judgement, Key, Kind, Observation
from sgf_lark.fuzz.minimising import minimise
from sgf_lark.fuzz.outcomes import Outcome, TargetError
from sgf_lark.fuzz.targets import Target, open_target

#: Seconds between two messages about progress.
_NEWS = 0.2
#: Minimising one finding takes at most so many tries and seconds; a hang is waited for
#: each time, so it gets fewer tries, more time and a shorter time limit.
_ATTEMPTS = 1000
_SECONDS = 30.0
_HANG_ATTEMPTS = 300
_HANG_SHARE = 5
_HANG_SECONDS = 90.0
_SHORTEST_TIMEOUT = 0.5


@dataclass(frozen=True)
class Settings:
    """What a run is made of. `targets` as for :func:`open_target`; `memory` in bytes,
    `timeout` in seconds, both for one input."""

    targets: tuple[str, ...]
    seed: int = 0
    corpus: tuple[bytes, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    timeout: float = 5.0
    memory: int = 1 << 30
    judge: Judge = field(default_factory=Judge)

    @property
    def inputs(self) -> Inputs:
        return Inputs(self.seed, self.corpus, self.options)

    def open(self) -> list[Target]:
        """The targets; raises TargetError where one is not there."""
        return [
            open_target(spec, timeout=self.timeout, memory=self.memory) for spec in self.targets
        ]


@dataclass(frozen=True)
class Finding:
    """What was found, in the first input that shows it, a valid one if there is any.

    `number` and `source` tell which input of the run that is; `rules` what sgf_lark says
    of `data`; `count` how many inputs showed the same. `repeatable` is false where a
    fresh process does not show it. `original` is the input before it was minimised.
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
        """Whether the input conforms: then even a crash is graver."""
        return self.rules == VALID


@dataclass
class News:
    """What a worker has done since it last said so: how often there was which verdict of
    which target, how often which finding, and those that are new."""

    examples: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    keys: Counter[Key] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


@dataclass
class Result:
    """What a run came to. `next_number` is that of the first input not looked at."""

    settings: Settings
    examples: int = 0
    next_number: int = 0
    seconds: float = 0.0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    interrupted: bool = False
    lost_workers: int = 0

    def add(self, news: News) -> None:
        """Count what a worker did; of the same findings the one of the first input stays."""
        self.examples += news.examples
        self.verdicts += news.verdicts
        by_key = {finding.key: finding for finding in self.findings}
        for finding in news.findings:
            known = by_key.get(finding.key)
            count = known.count if known else 0
            if known is None or _rank(finding) < _rank(known):
                known = finding
            by_key[finding.key] = replace(known, count=count)
        for key, count in news.keys.items():
            by_key[key] = replace(by_key[key], count=by_key[key].count + count)
        kinds = list(Kind)
        self.findings = sorted(
            by_key.values(),
            key=lambda found: (kinds.index(found.key.kind), found.key.target, found.key.place),
        )


def _rank(finding: Finding) -> tuple[bool, int]:
    """Of the same findings the first in a valid input is kept, or else the first."""
    return not finding.valid, finding.number


class Worker:
    """Runs inputs on targets of its own; `is_stopped` ends what takes long."""

    def __init__(self, settings: Settings, is_stopped: Callable[[], bool] = lambda: False) -> None:
        self.settings = settings
        self._is_stopped = is_stopped
        self.inputs = settings.inputs
        self._known: set[tuple[Key, bool]] = set()
        self._exit = contextlib.ExitStack()
        self.targets = [self._exit.enter_context(target) for target in settings.open()]

    def close(self) -> None:
        """End the targets for good."""
        self._exit.close()

    def work(self, first: int, step: int, stop: Callable[[int], bool]) -> Iterator[News]:
        """Look at the inputs `first`, `first` + `step`, … until `stop(number)`; news at
        intervals, and once more at the end, also where Ctrl-C is the end."""
        number = first
        last = time.monotonic()
        news = News()
        try:
            while not stop(number):
                self._add(number, news)
                number += step
                if time.monotonic() - last > _NEWS:
                    yield news
                    last, news = time.monotonic(), News()
        except KeyboardInterrupt:
            yield news
            raise
        yield news

    def _add(self, number: int, news: News) -> None:
        found = self._look(number, news.verdicts)
        news.keys.update(finding.key for finding in found)
        news.findings += [finding for finding in found if not self._knows(finding)]
        self._known.update((finding.key, finding.valid) for finding in found)
        news.examples += 1

    def _knows(self, finding: Finding) -> bool:
        """Whether it was seen in an input that says as much: a valid one says more."""
        return (finding.key, True) in self._known or (finding.key, finding.valid) in self._known

    def _look(self, number: int, verdicts: Counter[tuple[str, str]]) -> list[Finding]:
        given = self.inputs[number]
        outcomes, observations, rules = self._seen(given.data)
        for target, outcome in zip(self.targets, outcomes, strict=False):
            verdicts[target.name, str(outcome.verdict)] += 1
        found = []
        for seen in observations:
            finding = Finding(seen.key, number, given.source, given.data, seen.detail, rules)
            if not self._knows(finding) and not self._is_repeatable(seen.key, given.data):
                finding = replace(finding, repeatable=False)
            found.append(finding)
        return found

    def _seen(self, data: bytes) -> tuple[list[Outcome], list[Observation], str]:
        """Outcomes, observations, and what sgf_lark says of the rules."""
        judgement = Judgement(data)
        outcomes: list[Outcome] = []
        try:
            outcomes, observations = self.settings.judge.look(self.targets, judgement)
            return outcomes, observations, str(judgement) if observations else ""
        except TargetError:
            raise
        except Exception as error:
            return outcomes, [_own_failure(error)], "sgf_lark fails"

    def _is_repeatable(self, key: Key, data: bytes) -> bool:
        """Whether processes that have seen nothing else show it too."""
        for target in self.targets:
            target.close()
        return self.shows(key, data) is not None

    def shows(self, key: Key, data: bytes) -> str | None:
        """The detail of that finding in `data`, or None where it is not there."""
        _, observations, _ = self._seen(data)
        return next((seen.detail for seen in observations if seen.key == key), None)

    def minimise(self, finding: Finding) -> Finding:
        """The same with a small input, where the targets show it again."""
        if not finding.repeatable:
            return finding
        hang = finding.key.kind is Kind.HANG
        deadline = time.monotonic() + (_HANG_SECONDS if hang else _SECONDS)
        about_rules = finding.valid or finding.key.kind in ABOUT_RULES
        original = Judgement(finding.data)

        def keeps(data: bytes) -> bool:
            if time.monotonic() > deadline or self._is_stopped():
                return False
            if self.shows(finding.key, data) is None:
                return False
            # What is valid in FF[1], or in a property nobody knows, would convince nobody.
            made = Judgement(data)
            if finding.valid and not made.valid:
                return False
            return not about_rules or (
                made.idents <= original.idents and made.formats <= original.formats
            )

        timeout = max(_SHORTEST_TIMEOUT, self.settings.timeout / _HANG_SHARE)
        if hang:
            self._limit(timeout)
        try:
            data = minimise(finding.data, keeps, _HANG_ATTEMPTS if hang else _ATTEMPTS)
        finally:
            self._limit(self.settings.timeout)
        detail = self.shows(finding.key, data)
        if detail is None:
            return finding
        rules = self._seen(data)[2]
        return replace(finding, data=data, detail=detail, rules=rules, original=finding.data)

    def _limit(self, timeout: float) -> None:
        for target in self.targets:
            target.limits = replace(target.limits, timeout=timeout)


def _own_failure(error: Exception) -> Observation:
    """That sgf_lark itself fails: it is a parser among others, so that is a finding."""
    frames = traceback.extract_tb(error.__traceback__)
    frame = next(frame for frame in reversed(frames) if "sgf_lark" in Path(frame.filename).parts)
    name = type(error).__name__
    place = f"{name} at {Path(frame.filename).name}:{frame.lineno} {frame.name}"
    return Observation(Key("sgf_lark", Kind.CRASH, place), f"{name}: {error}")


#: What is told of a run while it goes on.
Watcher = Callable[[Result], None]


def run(
    settings: Settings,
    *,
    seconds: float | None = None,
    examples: int | None = None,
    workers: int = 1,
    watch: Watcher = lambda result: None,
) -> Result:
    """Run until the time is over or so many inputs were looked at; then minimise.

    Ctrl-C ends the run, with what it has found so far. The same settings and number of
    `examples` give the same findings, whatever the number of `workers`. Raises
    TargetError where a target cannot be run at all.
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


def stopper(seconds: float | None, examples: int | None) -> Callable[[int], bool]:
    """Tells when a run is over, by the number of the next input and by the clock."""
    deadline = None if seconds is None else time.monotonic() + seconds

    def stop(number: int) -> bool:
        if examples is not None and number >= examples:
            return True
        return deadline is not None and time.monotonic() >= deadline

    return stop


def _run_here(result: Result, seconds: float | None, examples: int | None, watch: Watcher) -> None:
    with contextlib.closing(Worker(result.settings)) as worker:
        try:
            for news in worker.work(0, 1, stopper(seconds, examples)):
                result.add(news)
                result.next_number += news.examples
                watch(result)
            for index, finding in enumerate(result.findings):
                result.findings[index] = replace(worker.minimise(finding), count=finding.count)
                watch(result)
        except KeyboardInterrupt:
            result.interrupted = True
