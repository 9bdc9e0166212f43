"""The result of each checked file, and the counts over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sgf_lark.cli import CLEAN, COULD_NOT_RUN, VIOLATIONS
from sgf_lark.diagnostics import Severity, Span, make
from sgf_lark.validation.report import Report


@dataclass(frozen=True)
class Result:
    """One file: the path to print, its report, and whether it could be read at all."""

    path: str
    report: Report
    readable: bool = True


def unreadable(path: str, reason: str) -> Result:
    """Return the result for a file that could not be read."""
    found = make("SGF001", Severity.ERROR, Span(0, 0, 1, 1), reason=reason)
    return Result(path, Report([found]), readable=False)


@dataclass(frozen=True)
class CodeCount:
    """The number of diagnostics with a code and a severity, and of the files that have them."""

    code: str
    name: str
    severity: Severity
    count: int
    files: int


_SUMMARY_WORDS = {
    "clean": "没有问题",
    "with errors": "有错误",
    "with warnings": "有警告",
    "with style notes only": "只有风格提示",
    "could not be read": "无法读取",
}


@dataclass
class Tally:
    """Counts over all results; its size depends on the number of codes, not of files."""

    files: int = 0
    unreadable: int = 0
    #: Files by the highest severity in them; None where there is no diagnostic.
    worst: Counter[Severity | None] = field(default_factory=Counter)
    _counts: Counter[tuple[str, str, Severity]] = field(default_factory=Counter)
    _files: Counter[tuple[str, str, Severity]] = field(default_factory=Counter)

    def count(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield `results` as they come and count them."""
        for result in results:
            self._add(result)
            yield result

    def _add(self, result: Result) -> None:
        diagnostics = result.report.diagnostics
        keys = Counter([(found.code, found.name, found.severity) for found in diagnostics])
        keys += result.report.omitted
        self._counts.update(keys)
        self._files.update(keys.keys())
        self.files += 1
        if result.readable:
            self.worst[highest_severity(result.report)] += 1
        else:
            self.unreadable += 1

    @property
    def codes(self) -> list[CodeCount]:
        """The counts by code, in the order of the codes."""
        return [CodeCount(*key, self._counts[key], self._files[key]) for key in sorted(self._files)]

    @property
    def exit_code(self) -> int:
        """The exit code of ``check``."""
        if self.unreadable:
            return COULD_NOT_RUN
        violations = self.worst[Severity.ERROR] + self.worst[Severity.WARNING]
        return VIOLATIONS if violations else CLEAN

    def summary(self, language: str = "en") -> str:
        """Return one line, such as ``3 files, 1 clean, 2 with errors``."""
        counts = {
            "clean": self.worst[None],
            "with errors": self.worst[Severity.ERROR],
            "with warnings": self.worst[Severity.WARNING],
            "with style notes only": self.worst[Severity.STYLE],
            "could not be read": self.unreadable,
        }
        shown = {words: count for words, count in counts.items() if count}
        if language == "zh":
            parts = [f"{count} 个{_SUMMARY_WORDS[words]}" for words, count in shown.items()]
            return f"共 {self.files} 个文件：{'，'.join(parts)}"
        parts = [f"{count} {words}" for words, count in shown.items()]
        return ", ".join([plural(self.files, "file"), *parts])


def highest_severity(report: Report) -> Severity | None:
    """Return the highest severity in `report`, or None where there is no diagnostic."""
    return next((severity for severity in Severity if report.counts[severity]), None)


def plural(count: int, noun: str) -> str:
    """Return ``1 file``, ``2 files``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
