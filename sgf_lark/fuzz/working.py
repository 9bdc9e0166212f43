"""A worker of a run: it runs inputs on targets, and searches the causes of findings."""

from __future__ import annotations

import contextlib
import math
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sgf_lark.fuzz.causes import Cause, OutOfTimeError, Probe, Search
from sgf_lark.fuzz.features import Feature
from sgf_lark.fuzz.inputs import FEW, GROWING, Input, Inputs
from sgf_lark.fuzz.judging import (
    BY_RULE,
    REACHES_LIMIT,
    VALID,
    Assessment,
    Judge,
    Key,
    Kind,
    Observation,
    assess,
)
from sgf_lark.fuzz.outcomes import Outcome, TargetError, Verdict
from sgf_lark.fuzz.targets import Target, open_target, split_name
from sgf_lark.fuzz.violations import syntax_codes

#: The limits for minimizing one finding. Each attempt at a hang takes as long as the time
#: limit, so there are fewer attempts, in more time, with a shorter time limit.
_ATTEMPTS, _LONG_ATTEMPTS, _HANG_ATTEMPTS = 1000, 300, 200
_SECONDS, _LONG_SECONDS = 30.0, 90.0
_HANG_TIMEOUT_DIVISOR = 5
#: Once a target has not answered within the time limit, the limit is this many times what its
#: answers take, so that the same cause does not take the time of a run. In the search for a cause
#: it is no less than this many times what the input itself takes.
_TIMES_USUAL, _TIMES_OWN = 20, 4
#: The share of the time that is left in which one finding is analyzed.
_ANALYSIS_SHARE = 0.25
#: The share of the long time in which an input is made smaller; the rest is for its features.
_MINIMIZING_SHARE = 0.5
_SHORTEST_TIMEOUT = 0.25
#: The time grows too fast if four times as much takes this many times as long, where it takes that
#: many seconds; larger files than that many bytes are not made. With the square of the size it is
#: nearly 16 times, less by what the parser needs for each part.
_STEEP, _MEASURABLE, _LARGEST = 9, 0.02, 1 << 21


@dataclass(frozen=True)
class Settings:
    """The parameters of a run.

    `targets` are specifications as for :func:`open_target`, each with ``NAME=`` before it if its
    findings are to be known by that name, whatever the command is. `timeout` in seconds and
    `memory` in bytes are the limits for one input. `games` and `file_formats` are the GM and FF
    numbers of all that is sent; none means all. No input has a feature of `without`. `known` are
    findings of earlier runs.
    """

    targets: tuple[str, ...]
    seed: int = 0
    corpus: tuple[bytes, ...] = ()
    games: tuple[int, ...] = ()
    file_formats: tuple[int, ...] = ()
    timeout: float = 5.0
    memory: int = 1 << 30
    judge: Judge = field(default_factory=Judge)
    without: tuple[Feature, ...] = ()
    known: tuple[FuzzFinding, ...] = ()

    @property
    def inputs(self) -> Inputs:
        """The inputs of the run."""
        without = tuple((feature,) for feature in self.without)
        codes = tuple(sorted(syntax_codes())) if self.judge.strict == "grammar" else ()
        return Inputs(self.seed, self.corpus, self.games, self.file_formats, without, codes=codes)

    def open(self) -> list[Target]:
        """Return the targets; raise TargetError if one is not available."""
        targets = []
        for name, spec in map(split_name, self.targets):
            targets.append(open_target(spec, timeout=self.timeout, memory=self.memory))
            targets[-1].name = name
        return targets

    @property
    def names(self) -> list[str]:
        """The names of the targets."""
        return [name for name, _ in map(split_name, self.targets)]


@dataclass(frozen=True)
class FuzzFinding:
    """A weakness of a target, with an input that shows it.

    `number` and `source` identify the input in the run. `rules` is a summary of sgf_lark's
    diagnostics for `data`. `count` is the number of inputs that were examined and have the same
    cause. `repeatable` is false if a new process does not show it. `original` is the input before
    it was minimized, or None. `features` are the features of the minimal input that the finding
    needs, `neighbor` is almost the same input without the finding. `also` are kinds and places of
    other findings with the same cause. `known` is true if an earlier run has found the cause.
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
    features: tuple[Feature, ...] = ()
    neighbor: bytes | None = None
    also: tuple[Key, ...] = ()
    known: bool = False

    @property
    def valid(self) -> bool:
        """Whether the input conforms: then even a crash is more severe."""
        return self.rules == VALID

    def is_doubtful(self, timeout: float) -> bool:
        """Whether it has not been confirmed: it is a hang by a shorter time limit."""
        in_time = self.detail.startswith(f"no answer within {timeout:g} s")
        return self.key.kind is Kind.HANG and not in_time

    @property
    def cause(self) -> Cause:
        """The cause of the finding."""
        key = self.key
        return Cause(key.target, key.kind, key.place, self.data, self.features, self.neighbor)


@dataclass
class Progress:
    """What running some inputs gives.

    `next_number` is the one after the last that ran; `examples` is how many did, `seconds` how long
    they took. `verdicts` counts verdicts by target, `explained` findings with a known cause, by its
    identity; `findings` are the others.
    """

    examples: int = 0
    next_number: int = 0
    seconds: float = 0.0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    findings: list[FuzzFinding] = field(default_factory=list)


@dataclass(frozen=True)
class CauseAnalysis:
    """What the analysis of a finding gives: identities of known causes, and new findings.

    `attempts` is the number of inputs that were run for it. `late` is true if there was no time.
    """

    explained: tuple[str, ...] = ()
    found: tuple[FuzzFinding, ...] = ()
    attempts: int = 0
    late: bool = False


#: What is known of an input with the features of a hang, without running it.
_HANGS = Probe(None, clean=False, valid=False)


class Worker:
    """Runs inputs on targets of its own, and analyzes findings."""

    def __init__(self, settings: Settings, is_stopped: Callable[[], bool] = lambda: False) -> None:
        """Open the targets; the analysis of a finding ends as soon as `is_stopped` is true."""
        self.settings = settings
        self._deadline = math.inf
        self._minimizing_deadline = math.inf
        self._runs = 0
        self._avoided: Sequence[Cause] = ()
        self._inputs = settings.inputs
        self._answers, self._seconds = 0, 0.0
        self._has_hung = False
        self._is_stopped = is_stopped
        self._exit = contextlib.ExitStack()
        self.targets = [self._exit.enter_context(target) for target in settings.open()]

    def close(self) -> None:
        """Close the targets."""
        self._exit.close()

    # --- Inputs ---

    def work(
        self, numbers: range, causes: Sequence[Cause] = (), deadline: float = math.inf
    ) -> Progress:
        """Run the inputs of these numbers, until the deadline.

        Findings that one of the `causes` explains are only counted.
        """
        progress = Progress(next_number=numbers.start)
        start = time.monotonic()
        if causes != self._avoided:
            self._avoided, self._inputs = causes, self.settings.inputs.avoiding(causes)
        for number in numbers:
            if self._is_stopped() or time.monotonic() >= deadline:
                break
            if self._has_hung:
                self._set_timeout(self._short_timeout)
            for finding in self._examine(self._inputs[number], progress.verdicts):
                identity = self.explains(finding, causes, math.inf)
                if identity is None:
                    progress.findings.append(finding)
                else:
                    progress.explained[identity] += 1
            progress.examples += 1
            progress.next_number = number + 1
        progress.seconds = time.monotonic() - start
        return progress

    def _known_cause(self, finding: FuzzFinding, causes: Sequence[Cause]) -> Cause | None:
        key = finding.key
        if key.kind in BY_RULE:
            identity = finding.cause.identity
            return next((cause for cause in causes if cause.identity == identity), None)
        return self._search(key, causes).explain(finding.data)

    def _examine(self, given: Input, verdicts: Counter[tuple[str, str]]) -> list[FuzzFinding]:
        """Run one input and count the verdicts; return the findings."""
        data = given.data
        outcomes, observations = self.compare(data, conforms=given.conforms)
        for target, outcome in zip(self.targets, outcomes, strict=False):
            verdicts[target.name, str(outcome.verdict)] += 1
        if given.growing and not observations:
            for target in self.targets:
                data, observations = self.grow(target, given.growing)
                if observations:
                    break
        return [
            FuzzFinding(item.key, given.number, given.source, data, item.detail, _summary(data))
            for item in observations
        ]

    def compare(
        self, data: bytes, *, conforms: bool = False
    ) -> tuple[list[Outcome], list[Observation]]:
        """Return the outcomes of an input, and what they show.

        A file that is known to conform is only validated if it shows a finding.
        """
        assessment = Assessment(data, conforms=True) if conforms else assess(data)
        self._runs += 1
        outcomes: list[Outcome] = []
        judge = self.settings.judge
        start = time.monotonic()
        try:
            outcomes = [target.run(data) for target in self.targets]
            if any(outcome.verdict is Verdict.HANG for outcome in outcomes):
                self._has_hung = True
            else:
                self._answers += 1
                self._seconds += time.monotonic() - start
            observations = judge.observe(self.targets, outcomes, assessment)
            if observations and conforms:
                observations = judge.observe(self.targets, outcomes, assess(data))
            return outcomes, observations
        except TargetError:
            raise
        except Exception as error:
            # sgf_lark itself failed: it is a parser like the targets.
            frames = traceback.extract_tb(error.__traceback__)
            mine = [each for each in frames if "sgf_lark" in Path(each.filename).parts]
            place = f"{Path(mine[-1].filename).name}:{mine[-1].lineno} {mine[-1].name}"
            name = type(error).__name__
            key = Key("sgf_lark", Kind.CRASH, f"{name} at {place}")
            return outcomes, [Observation(key, f"{name}: {error}")]

    def grow(self, target: Target, growing: str) -> tuple[bytes, list[Observation]]:
        """Return a file of which more takes the target far longer than that much more.

        It has more and more parts of the kind `growing`, until the time can be measured or the
        file is large. Other programs that run at the same time seldom take time from both runs of a
        file, or from all four of the one that seems to take too long.
        """
        self._set_timeout(self.settings.timeout)
        count, times = FEW, [0.0, 0.0]
        while len(data := GROWING[growing](count)) <= _LARGEST:
            runs = [(target.run(data).verdict, target.elapsed) for _ in range(2)]
            times.append(min(elapsed for _, elapsed in runs))
            is_answer = runs[-1][0] in (Verdict.ACCEPT, Verdict.REJECT)
            first, second, last = times[-3:]
            if is_answer and last > _STEEP * first > _STEEP * _MEASURABLE:
                for _ in range(2):
                    target.run(data)
                    last = min(last, target.elapsed)
            # Where there is no answer, only the file before can have taken too long.
            is_steep = last > _STEEP * first if is_answer else second > math.sqrt(_STEEP) * first
            if is_steep and first > _MEASURABLE:
                key = Key(target.name, Kind.SLOW, growing)
                return data, [Observation(key, f"the time grows faster than the {growing}")]
            if not is_answer or first > _MEASURABLE:
                break
            count *= 2
        return data, []

    @property
    def _short_timeout(self) -> float:
        """The time limit for a target that is known to hang."""
        usual = self._seconds / max(1, self._answers)
        return min(max(_SHORTEST_TIMEOUT, _TIMES_USUAL * usual), self.settings.timeout)

    def _search_timeout(self, key: Key) -> float:
        """The time limit in the search for the cause of a finding that was just repeated.

        What is smaller answers as fast as the finding itself; one candidate in ten may meet a hang
        that has nothing to do with it.
        """
        if key.kind in REACHES_LIMIT:
            timeout = self.settings.timeout / _HANG_TIMEOUT_DIVISOR
            return max(_SHORTEST_TIMEOUT, min(timeout, self._short_timeout))
        own = max(target.elapsed for target in self.targets)
        return min(max(self._short_timeout, _TIMES_OWN * own), self.settings.timeout)

    # --- Causes ---

    def analyze(
        self, finding: FuzzFinding, causes: Sequence[Cause], deadline: float = math.inf
    ) -> CauseAnalysis:
        """Return the causes of a finding: known ones that explain it, or new ones."""
        before = self._runs
        analysis = self._analyze(finding, causes, deadline)
        return replace(analysis, attempts=self._runs - before)

    def _analyze(
        self, finding: FuzzFinding, causes: Sequence[Cause], deadline: float
    ) -> CauseAnalysis:
        if finding.key.kind is Kind.SLOW:
            # Other programs may have taken the time, but hardly twice where the file grows.
            targets = [each for each in self.targets if each.name == finding.key.target]
            again = self.grow(targets[0], finding.key.place)[1]
            return CauseAnalysis(found=(replace(finding, original=finding.data),) if again else ())
        now = time.monotonic()
        takes_long = finding.key.kind in REACHES_LIMIT
        seconds = min(
            _LONG_SECONDS if takes_long else _SECONDS,
            max(_SECONDS, (deadline - now) * _ANALYSIS_SHARE),
            deadline - now,
        )
        self._deadline = now + seconds
        self._minimizing_deadline = now + seconds * (_MINIMIZING_SHARE if takes_long else 1.0)
        search = self._search(finding.key, causes)
        explained: list[Cause] = []
        try:
            explaining = self._known_cause(finding, causes)
            if explaining is not None:
                return CauseAnalysis((explaining.identity,))
            repeated = self._repeated(finding.key, finding.data)
            if repeated is None and finding.is_doubtful(self.settings.timeout):
                return CauseAnalysis()
            if repeated is None:
                return CauseAnalysis(found=(replace(finding, repeatable=False),))
            finding = replace(finding, key=repeated.key, detail=repeated.detail)
            self._set_timeout(self._search_timeout(finding.key))
            explained, _ = search.run(finding.data)
        except OutOfTimeError:
            if not search.new:
                # With time left in the run, it is this finding that takes too long.
                is_late = time.monotonic() >= deadline
                return CauseAnalysis(found=() if is_late else (finding,), late=is_late)
        finally:
            self._set_timeout(self.settings.timeout)
        found = tuple(self._finding(finding, cause) for cause in search.new)
        return CauseAnalysis(tuple(cause.identity for cause in explained), found)

    def explains(
        self, finding: FuzzFinding, causes: Sequence[Cause], deadline: float
    ) -> str | None:
        """Return the identity of a cause that explains a finding, None if none does in time."""
        self._deadline = deadline
        try:
            cause = self._known_cause(finding, causes)
        except OutOfTimeError:
            return None
        return None if cause is None else cause.identity

    def _repeated(self, key: Key, data: bytes) -> Observation | None:
        """Return what new processes show of a finding, or None if they do not show it.

        A crash for want of stack may be in another place of the target.
        """
        self._set_timeout(self.settings.timeout)
        for target in self.targets:
            target.close()
        _, observations = self.compare(data)
        crashes = [item for item in observations if item.key.kind is key.kind is Kind.CRASH]
        same = [item for item in observations if item.key == key]
        return next((item for item in (*same, *crashes) if item.key.target == key.target), None)

    def _search(self, key: Key, causes: Sequence[Cause]) -> Search:
        attempts = _LONG_ATTEMPTS if key.kind in REACHES_LIMIT else _ATTEMPTS
        attempts = _HANG_ATTEMPTS if key.kind is Kind.HANG else attempts
        seen: dict[bytes, Probe] = {}

        def probe(data: bytes) -> Probe:
            if data not in seen:
                seen[data] = _HANGS if is_left_out(data) else self._probe(key, data)
            return seen[data]

        def is_left_out(data: bytes) -> bool:
            return key.kind is not Kind.HANG and any(cause.is_hang_of(data) for cause in causes)

        def is_late() -> bool:
            # Of a large file each change takes time, even if none of them is run any more.
            if time.monotonic() > self._deadline:
                raise OutOfTimeError
            return time.monotonic() > self._minimizing_deadline

        return Search(key.target, key.kind, causes, probe, attempts, is_late)

    def _probe(self, key: Key, data: bytes) -> Probe:
        """Run an input to search the cause of a finding. Raises OutOfTimeError."""
        if time.monotonic() > self._deadline or self._is_stopped():
            raise OutOfTimeError
        takes_text = any(each.takes_text for each in self.targets if each.name == key.target)
        valid = assess(data).valid_as_text if takes_text else assess(data).valid
        if key.kind is Kind.WRONG_TREE and not valid:
            # It shows nothing, and most parts that are left out make such files: one in ten is a
            # hang in a parser that waits for the end of a value.
            return Probe(None, clean=False, valid=False)
        outcomes, observations = self.compare(data)
        mine = [item.key for item in observations if item.key.target == key.target]
        places = [item.place for item in mine if item.kind is key.kind]
        accepted = key.kind is Kind.REJECTS_VALID and any(
            outcome.verdict is Verdict.ACCEPT
            for target, outcome in zip(self.targets, outcomes, strict=False)
            if target.name == key.target
        )
        return Probe(places[0] if places else None, not mine, valid, accepted)

    def _finding(self, finding: FuzzFinding, cause: Cause) -> FuzzFinding:
        """Return the finding with the smallest input of its cause."""
        for item in self.compare(cause.data)[1]:
            if item.key.target == cause.target and item.key.kind is cause.kind:
                return replace(
                    finding,
                    key=item.key,
                    data=cause.data,
                    detail=item.detail,
                    rules=_summary(cause.data),
                    original=finding.data,
                    features=cause.features,
                    neighbor=cause.neighbor,
                )
        if cause.kind in REACHES_LIMIT:
            # Only a shorter time limit than that of the run makes a hang of the smallest input.
            return replace(finding, features=cause.features, neighbor=cause.neighbor)
        return replace(finding, repeatable=False)

    def _set_timeout(self, timeout: float) -> None:
        for target in self.targets:
            target.limits = replace(target.limits, timeout=timeout)


def _summary(data: bytes) -> str:
    """Return sgf_lark's own results for a file."""
    try:
        return str(assess(data))
    except Exception:
        return "sgf_lark fails"
