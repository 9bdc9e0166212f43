"""A run: rounds in which inputs run, and the findings in them are traced to their causes.

After each round most inputs avoid the features of the causes that are known, so that one cause
does not hide others.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from sgf_lark.fuzz.causes import Cause
from sgf_lark.fuzz.exercising import Exercised
from sgf_lark.fuzz.judging import BY_RULE, Key, Kind
from sgf_lark.fuzz.working import Analysis, Finding, Progress, Settings, Worker

__all__ = ["Finding", "Progress", "Result", "Settings", "Watcher", "Worker", "run"]

#: The number of inputs in the first round; each round has twice as many as the one before.
_FIRST_ROUND = 100
#: The share of the time in which the inputs of one round run.
_ROUND_SHARE = 0.15
#: Inputs of one kind that are kept for the analysis, as in one round of a worker.
_MOST_SAMPLES = 8


@dataclass(frozen=True)
class Alternatives:
    """The alternatives of productions that inputs used: numbers, and those that none used."""

    productions: int
    all_productions: int
    used: int
    all: int
    never: tuple[str, ...]


@dataclass
class Result:
    """The result of a run. `next_number` is the number of the first input that did not run.

    `findings` are new, one for each cause. `known` are those of earlier runs that occurred again.
    `unexamined` counts inputs with findings of which the cause was not searched. `attempts` is
    the number of inputs that were run to minimize findings and to search their causes.
    `exercised` is what was sent, `alternatives` the parts of the grammar that it used, if counted.
    """

    settings: Settings
    examples: int = 0
    next_number: int = 0
    seconds: float = 0.0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    known: list[Finding] = field(default_factory=list)
    unexamined: Counter[Key] = field(default_factory=Counter)
    attempts: int = 0
    exercised: Exercised = field(default_factory=Exercised)
    alternatives: Alternatives | None = None
    interrupted: bool = False
    lost_workers: int = 0

    @property
    def causes(self) -> tuple[Cause, ...]:
        """All causes that are known so far."""
        earlier = [finding.cause for finding in self.settings.known]
        return (*earlier, *(finding.cause for finding in self.findings))

    @property
    def not_minimized(self) -> int:
        """The number of findings whose input could not be minimized in time."""
        return sum(found.original is None and found.repeatable for found in self.findings)

    def add(self, progress: Progress) -> None:
        """Add what a worker has counted; its findings are to be analyzed."""
        self.examples += progress.examples
        self.verdicts += progress.verdicts
        self.exercised.add(progress.exercised)
        for identity, count in progress.explained.items():
            self._count(identity, count)

    def add_analysis(self, sample: Finding, analysis: Analysis) -> None:
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
        for found in (self.findings, self.known):
            for index, finding in enumerate(found):
                if finding.cause.identity == identity:
                    found[index] = _with(finding, count, key)
                    return True
        for finding in self.settings.known:
            if finding.cause.identity == identity:
                self.known.append(_with(replace(finding, count=0, known=True), count, key))
                return True
        return False

    def merge(self, merged: str, identity: str) -> None:
        """Remove the finding whose cause has the first identity: its cause is the second one."""
        identities = [finding.cause.identity for finding in self.findings]
        finding = self.findings.pop(identities.index(merged))
        for key in (finding.key, *finding.also):
            self._count(identity, 0, key)
        self._count(identity, finding.count)


def _with(finding: Finding, count: int, key: Key | None) -> Finding:
    also = finding.also
    if key is not None and key != finding.key and key not in also:
        also = (*also, key)
    return replace(finding, count=finding.count + count, also=also)


#: Called with the intermediate result while a run is in progress.
Watcher = Callable[[Result], None]


class Crew(Protocol):
    """Workers, in this process or in others."""

    def collect(
        self, result: Result, last: int | None, deadline: float | None, watch: Watcher
    ) -> list[Finding]:
        """Run inputs from ``result.next_number`` to before `last`, and return what is found."""

    def analyze(
        self, findings: Sequence[Finding], causes: Sequence[Cause], deadline: float | None
    ) -> Iterator[tuple[int, Analysis]]:
        """Yield the causes of findings with their index, in any order."""

    def explain(
        self, findings: Sequence[tuple[Finding, Sequence[Cause]]], deadline: float | None
    ) -> list[str | None]:
        """Return for each finding the identity of a cause that explains it, or None."""

    def close(self) -> int:
        """End all processes and return the number of those that were lost."""


def run(
    settings: Settings,
    *,
    seconds: float | None = None,
    examples: int | None = None,
    workers: int = 1,
    watch: Watcher = lambda result: None,
) -> Result:
    """Run for the given number of seconds, all included, or of inputs, until all are analyzed.

    Ctrl-C ends the run and keeps the findings so far. The same settings and number of
    `examples` give the same findings with any number of `workers`. Raises TargetError if a
    target cannot be run.
    """
    from sgf_lark.fuzz.workers import LocalCrew, ProcessCrew

    result = Result(settings)
    start = time.monotonic()
    crew: Crew = LocalCrew(settings) if workers == 1 else ProcessCrew(settings, workers)
    try:
        deadline = None if seconds is None else start + seconds
        _Run(result, crew, seconds, deadline, examples, watch).rounds()
    except KeyboardInterrupt:
        result.interrupted = True
    finally:
        result.lost_workers = crew.close()
        result.seconds = time.monotonic() - start
    return result


class _Run:
    """The rounds of a run."""

    def __init__(
        self,
        result: Result,
        crew: Crew,
        seconds: float | None,
        deadline: float | None,
        examples: int | None,
        watch: Watcher,
    ) -> None:
        self._result = result
        self._crew = crew
        self._examples = examples
        self._seconds = seconds
        self._deadline = deadline
        self._watch = watch
        self._pending: list[Finding] = []

    def rounds(self) -> None:
        """Run all rounds; what has not been analyzed at the end is counted."""
        try:
            size = _FIRST_ROUND
            while not self._is_over():
                self._pending += _lowest(self._collect(size))
                self._analyze()
                size *= 2
        finally:
            self._keep_unexamined()

    def _collect(self, size: int) -> list[Finding]:
        result = self._result
        last = None
        deadline = self._deadline
        if self._examples is not None:
            last = min(result.next_number + size, self._examples)
        if deadline is not None and self._seconds is not None:
            deadline = min(deadline, time.monotonic() + self._seconds * _ROUND_SHARE)
        return self._crew.collect(result, last, deadline, self._watch)

    def _is_over(self) -> bool:
        if self._result.interrupted or self._is_late():
            return True
        return self._examples is not None and self._result.next_number >= self._examples

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _analyze(self) -> None:
        """Search the causes of what is pending, one finding of each kind at a time."""
        result = self._result
        while self._pending and not self._is_late() and not result.interrupted:
            batch = _batch(self._pending)
            analyses = dict(self._crew.analyze(batch, result.causes, self._deadline))
            for index, finding in enumerate(batch):
                if index in analyses and not analyses[index].late:
                    self._pending.remove(finding)
                    self._add_analysis(finding, analyses[index])
            self._watch(result)
            if not analyses:
                return
        self._merge()

    def _add_analysis(self, finding: Finding, analysis: Analysis) -> None:
        """Add the causes of a finding; one that took too long only if its place is new."""
        result = self._result
        keys = {key for each in result.findings for key in (each.key, *each.also)}
        if finding.key in keys and _is_without_cause(analysis):
            result.unexamined[finding.key] += 1
        else:
            result.add_analysis(finding, analysis)

    def _merge(self) -> None:
        """Remove findings that the causes of others cover or explain."""
        result = self._result
        for cause in [each.cause for each in result.findings if each.original is not None]:
            for finding in list(result.findings):
                if cause.covers(finding.cause):
                    result.merge(finding.cause.identity, cause.identity)
        if self._is_late():
            return
        questions = []
        for finding in result.findings:
            others = [each for each in result.findings if _may_be_part_of(finding, each)]
            if others:
                questions.append((finding, [each.cause for each in others]))
        answers = self._crew.explain(questions, self._deadline)
        for (finding, _), identity in zip(questions, answers, strict=True):
            # The other one may have been merged just now.
            if any(cause.identity == identity for cause in result.causes):
                result.merge(finding.cause.identity, str(identity))

    def _keep_unexamined(self) -> None:
        """Keep one finding of each kind and place of which no cause is known; count the others.

        What seems to be slow is only counted: it has not been confirmed.
        """
        result = self._result
        found = {key for each in result.findings for key in (each.key, *each.also)}
        for finding in self._pending:
            if finding.key in found or finding.key.kind is Kind.SLOW:
                result.unexamined[finding.key] += 1
            else:
                found.add(finding.key)
                result.add_analysis(finding, Analysis(found=(finding,)))


def _lowest(findings: Iterable[Finding]) -> list[Finding]:
    """Return the first findings of each kind and place; they do not depend on the workers."""
    counts: Counter[tuple[Key, bool]] = Counter()
    kept = []
    for finding in sorted(findings, key=lambda each: each.number):
        sample = finding.key, finding.valid
        counts[sample] += 1
        if counts[sample] <= (1 if finding.key.kind in BY_RULE else _MOST_SAMPLES):
            kept.append(finding)
    return kept


def _batch(pending: list[Finding]) -> list[Finding]:
    """Return one finding of each kind, valid and short inputs first, and of each rule."""
    chosen: dict[tuple[str, Kind, str], Finding] = {}
    for finding in sorted(pending, key=lambda each: (not each.valid, len(each.data), each.number)):
        key = finding.key
        place = key.place if key.kind in BY_RULE else ""
        chosen.setdefault((key.target, key.kind, place), finding)
    return list(chosen.values())


def _is_without_cause(analysis: Analysis) -> bool:
    """Whether there was no time to find a cause, or to make the input smaller."""
    return bool(analysis.found) and all(
        each.repeatable and each.original is None and not each.features for each in analysis.found
    )


def _may_be_part_of(finding: Finding, other: Finding) -> bool:
    """Whether the cause of another finding may be that of this one, but not the reverse."""
    one, two = finding.cause, other.cause
    return (
        finding is not other
        and finding.repeatable
        and one.identity != two.identity
        and two.may_explain(one.target, one.kind, one.data)
        and not one.may_explain(two.target, two.kind, two.data)
    )


def stop_condition(last: int | None, deadline: float | None) -> Callable[[int], bool]:
    """Return the function that decides, by the number of the next input, whether to stop."""

    def stop(number: int) -> bool:
        if last is not None and number >= last:
            return True
        return deadline is not None and time.monotonic() >= deadline

    return stop


@contextlib.contextmanager
def interruption(result: Result) -> Iterator[None]:
    """Note Ctrl-C in the result, and go on."""
    try:
        yield
    except KeyboardInterrupt:
        result.interrupted = True
