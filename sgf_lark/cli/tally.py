"""What a run over many files came to: results one by one, and what is counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sgf_lark.diagnostics import Severity, Span, make
from sgf_lark.validation.report import Report

#: Exit codes: no error and no warning; some; could not run, or not to the end.
CLEAN = 0
VIOLATIONS = 1
COULD_NOT_RUN = 2


@dataclass(frozen=True)
class Result:
    """One file as it is shown, what was found in it, and whether it could be read at all."""

    path: str
    report: Report
    readable: bool = True


def unreadable(path: str, reason: str) -> Result:
    """The result for a file that could not be read."""
    found = make("SGF001", Severity.ERROR, Span(0, 0, 1, 1), reason=reason)
    return Result(path, Report([found]), readable=False)


@dataclass(frozen=True)
class CodeCount:
    """How often a code was given with a severity, and in how many files."""

    code: str
    name: str
    severity: Severity
    count: int
    files: int


class Tally:
    """Counts over all results; its size depends on the number of codes, not of files."""

    def __init__(self) -> None:
        self.files = 0
        self.unreadable = 0
        #: Files by the gravest severity in them; None where there is no diagnostic.
        self.worst: Counter[Severity | None] = Counter()
        self._counts: Counter[tuple[str, str, Severity]] = Counter()
        self._files: Counter[tuple[str, str, Severity]] = Counter()

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """Gives `results` on as they come and counts them."""
        for result in results:
            self._add(result)
            yield result

    def _add(self, result: Result) -> None:
        diagnostics = result.report.diagnostics
        keys = Counter([(found.code, found.name, found.severity) for found in diagnostics])
        self._counts.update(keys)
        self._files.update(keys.keys())
        self.files += 1
        if result.readable:
            self.worst[worst(result.report)] += 1
        else:
            self.unreadable += 1

    @property
    def codes(self) -> list[CodeCount]:
        """The counts by code, in the order of the codes."""
        return [CodeCount(*key, self._counts[key], self._files[key]) for key in sorted(self._files)]

    @property
    def exit_code(self) -> int:
        if self.unreadable:
            return COULD_NOT_RUN
        violations = self.worst[Severity.ERROR] + self.worst[Severity.WARNING]
        return VIOLATIONS if violations else CLEAN

    def summary(self, language: str = "en") -> str:
        """One line, such as ``3 files, 1 clean, 2 with errors``."""
        if language == "zh":
            return self._in_chinese()
        parts = [
            (self.worst[None], "clean"),
            (self.worst[Severity.ERROR], "with errors"),
            (self.worst[Severity.WARNING], "with warnings"),
            (self.worst[Severity.STYLE], "with style notes only"),
            (self.unreadable, "could not be read"),
        ]
        files = plural(self.files, "file")
        return ", ".join([files, *(f"{count} {text}" for count, text in parts if count)])

    def _in_chinese(self) -> str:
        parts = [
            (self.worst[None], "没有问题"),
            (self.worst[Severity.ERROR], "有错误"),
            (self.worst[Severity.WARNING], "有警告"),
            (self.worst[Severity.STYLE], "只有风格提示"),
            (self.unreadable, "无法读取"),
        ]
        found = "，".join(f"{count} 个{text}" for count, text in parts if count)
        return f"共 {self.files} 个文件：{found}"


def worst(report: Report) -> Severity | None:
    """The gravest severity in `report`, or None where there is no diagnostic."""
    return next((severity for severity in Severity if report.counts[severity]), None)


def plural(count: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
