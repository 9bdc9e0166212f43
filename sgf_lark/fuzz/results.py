"""The result of a run, to which its workers add what they find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sgf_lark.fuzz.causes import Cause
from sgf_lark.fuzz.judging import Key, Kind
from sgf_lark.fuzz.working import Analysis, Finding, Progress, Settings


@dataclass
class Result:
    """The result of a run. `next_number` is the number of the first input that did not run.

    `findings` are new, one for each cause. `known` are those of earlier runs that occurred again.
    `unexamined` counts inputs with findings of which the cause was not searched. `attempts` is
    the number of inputs that were run to minimize findings and to search their causes.
    `idents` and `codes` count inputs by the identifiers in them and by the rules that they break,
    of most inputs only the rule that they break on purpose.
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
    idents: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    interrupted: bool = False
    lost_workers: int = 0

    @property
    def causes(self) -> tuple[Cause, ...]:
        """All causes that are known so far."""
        earlier = [finding.cause for finding in self.settings.known]
        return (*earlier, *(finding.cause for finding in self.findings))

    @property
    def keys(self) -> set[Key]:
        """The kinds and places of all findings whose causes are known so far."""
        found = (*self.settings.known, *self.known, *self.findings)
        return {key for each in found for key in (each.key, *each.also)}

    @property
    def not_minimized(self) -> int:
        """The number of findings whose input could not be minimized in time."""
        return sum(found.original is None and found.repeatable for found in self.findings)

    def add(self, progress: Progress) -> None:
        """Add what a worker has counted; its findings are to be analyzed."""
        self.examples += progress.examples
        self.next_number = max(self.next_number, progress.next_number)
        self.interrupted = self.interrupted or progress.interrupted
        self.verdicts += progress.verdicts
        self.idents += progress.idents
        self.codes += progress.codes
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
