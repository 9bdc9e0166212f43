"""A run: rounds in which inputs run, and the findings in them are traced to their causes.

After each round most inputs avoid the features of the causes that are known, so that one cause
does not hide others.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator

from sgf_lark.fuzz.judging import BY_RULE, Key, Kind
from sgf_lark.fuzz.results import Result, Watcher
from sgf_lark.fuzz.workers import Crew, Task
from sgf_lark.fuzz.working import Analysis, Finding, Settings, Worker

__all__ = [
    "Finding",
    "Result",
    "Settings",
    "Watcher",
    "Worker",
    "run",
]

#: The number of inputs in the first round; each round has twice as many as the one before.
_FIRST_ROUND = 100
#: The share of the time in which the inputs of one round run.
_ROUND_SHARE = 0.15
#: Seconds that the inputs of one task should take at least, and at most twice as long.
_INTERVAL = 0.1
#: A run ends when the workers were lost more often.
_MOST_LOST = 3
#: Inputs of one kind that are kept for the analysis, as in one round of a worker.
_MOST_SAMPLES = 8


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
    result = Result(settings)
    start = time.monotonic()
    crew = Crew(settings, workers)
    try:
        deadline = None if seconds is None else start + seconds
        _Run(result, crew, seconds, deadline, examples, watch).rounds()
    except KeyboardInterrupt:
        result.interrupted = True
    finally:
        crew.close()
        result.lost_workers = crew.lost
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
        self._part = 1

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
        """Run the inputs of one round, and return what is found."""
        result = self._result
        last = None if self._examples is None else min(result.next_number + size, self._examples)
        deadline = self._deadline
        if deadline is not None and self._seconds is not None:
            deadline = min(deadline, time.monotonic() + self._seconds * _ROUND_SHARE)
        found: list[Finding] = []
        try:
            self._add_progress(self._parts(last, deadline), found)
        except KeyboardInterrupt:
            result.interrupted = True
            self._crew.stop()
            with contextlib.suppress(KeyboardInterrupt):
                self._add_progress((), found)
        return found

    def _parts(self, last: int | None, deadline: float | None) -> Iterator[Task]:
        """Yield numbers of inputs for one worker, which take about as long as the interval."""
        first = self._result.next_number
        while first != last and not self._result.interrupted:
            if deadline is not None and time.monotonic() >= deadline:
                return
            end = first + self._part if last is None else min(first + self._part, last)
            yield range(first, end), self._result.causes, deadline
            first = end

    def _add_progress(self, parts: Iterable[Task], found: list[Finding]) -> None:
        for _, progress in self._crew.results("work", parts):
            self._result.add(progress)
            found += progress.findings
            self._part = self._part * 2 if progress.seconds < _INTERVAL else max(1, self._part // 2)
            self._watch(self._result)

    def _is_over(self) -> bool:
        if self._result.interrupted or self._is_late() or self._crew.lost > _MOST_LOST:
            return True
        return self._examples is not None and self._result.next_number >= self._examples

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _analyze(self) -> None:
        """Search the causes of what is pending, one finding of each kind at a time."""
        result = self._result
        while self._pending and not self._is_late() and not result.interrupted:
            batch = _batch(self._pending)
            tasks = [(finding, result.causes, self._deadline) for finding in batch]
            analyses = dict(self._crew.results("analyze", tasks))
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
        if finding.key in result.keys and _is_without_cause(analysis):
            result.unexamined[finding.key] += 1
        else:
            result.add_analysis(finding, analysis)

    def _merge(self) -> None:
        """Remove findings that the causes of others explain.

        A known finding without a cause, as there was no time to find it, is not new when it is
        found.
        """
        result = self._result
        if self._is_late():
            return
        without_cause = [each for each in result.settings.known if not each.features]
        questions: list[Task] = []
        for finding in (*result.findings, *without_cause):
            others = [each for each in result.findings if _may_be_part_of(finding, each)]
            if others:
                questions.append((finding, [each.cause for each in others], self._deadline))
        for index, identity in sorted(self._crew.results("explains", questions)):
            part = questions[index][0]
            # The other one may have been merged just now.
            if any(found.cause.identity == identity for found in result.findings):
                pair = part.cause.identity, str(identity)
                result.merge(*(reversed(pair) if part.known else pair))

    def _keep_unexamined(self) -> None:
        """Keep one finding of each kind and place of which no cause is known; count the others.

        What seems to be slow, or to hang, is only counted if it has not been confirmed.
        """
        result = self._result
        for finding in self._pending:
            if finding.key in result.keys or finding.is_doubtful(result.settings.timeout):
                result.unexamined[finding.key] += 1
            else:
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
    if finding is other or not finding.repeatable or one.identity == two.identity:
        return False
    return two.comprises(one.target, one.kind, one.place) or (
        two.may_explain(one.target, one.kind, one.data)
        and not one.may_explain(two.target, two.kind, two.data)
    )
