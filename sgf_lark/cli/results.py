"""The result of each checked file, and the counts over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.cli.words import message
from sgf_lark.diagnostics import Kind, Language, Severity, Span, make
from sgf_lark.validation.report import Report

if TYPE_CHECKING:
    from sgf_lark.cli.check_baseline import Comparison


class Result(NamedTuple):
    """One file: the path to print, its report, and whether it could be read at all.

    `fixes` maps the numbers of diagnostics that can be fixed to whether that is safe, `all_fixes`
    counts these and those that the report leaves out. `hidden` is the number of style notes that
    are not listed, `repeated` that of the findings that are only counted, since a rule has too
    many.
    `compared` is what came of comparing it with a baseline, whose findings are not in the report.
    """

    path: str
    report: Report
    fixes: dict[int, bool]
    all_fixes: Counter[bool]
    readable: bool = True
    hidden: int = 0
    repeated: int = 0
    compared: Comparison | None = None

    @property
    def omitted(self) -> int:
        """The number of diagnostics that a limit leaves out."""
        return self.report.omitted.total() - self.hidden

    @property
    def omitted_by_code(self) -> Counter[str]:
        """That number by the codes of the rules."""
        return Counter(
            {
                code: count
                for (code, _, severity), count in self.report.omitted.items()
                if not (self.hidden and severity is Severity.STYLE)
            }
        )


def unreadable(path: str, reason: str) -> Result:
    """Return the result for a file that could not be read."""
    found = make("SGF001", Severity.ERROR, Span(0, 0, 1, 1), reason=reason)
    return Result(path, Report([found]), {}, Counter(), readable=False)


@dataclass(frozen=True)
class CodeCount:
    """The number of diagnostics with a code and a severity, and of the files that have them."""

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
        #: The diagnostics that can be fixed, by whether that is safe.
        self.fixes: Counter[bool] = Counter()
        #: Style notes that are not listed.
        self.hidden = 0
        #: Findings of rules that a file breaks too often, which are only counted.
        self.repeated = 0
        #: Findings of the baseline that are there, and those that are not there any more.
        self.known = 0
        self.fixed = 0
        #: Files by the highest severity in them; None where there is no diagnostic.
        self.worst: Counter[Severity | None] = Counter()
        self._counts: Counter[Kind] = Counter()
        self._files: Counter[Kind] = Counter()

    def count(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield `results` as they come and count them."""
        for result in results:
            self.files += 1
            if kinds := result.report.kinds:
                self._counts.update(kinds)
                self._files.update(kinds.keys())
            self.fixes.update(result.all_fixes)
            self.hidden += result.hidden
            self.repeated += result.repeated
            if result.compared is not None:
                self.known += result.compared.known
                self.fixed += result.compared.fixed
            if result.readable:
                counts = result.report.counts
                self.worst[next((each for each in Severity if counts[each]), None)] += 1
            else:
                self.unreadable += 1
            yield result

    @property
    def codes(self) -> list[CodeCount]:
        """The counts by code, in the order of the codes."""
        return [CodeCount(*key, self._counts[key], self._files[key]) for key in sorted(self._files)]

    @property
    def violations(self) -> int:
        """The number of files with errors or warnings."""
        return self.worst[Severity.ERROR] + self.worst[Severity.WARNING]

    def summary(self, language: Language = "en") -> str:
        """Return one line, such as ``3 files, 1 clean, 2 with errors``."""
        counts = {"clean": self.worst[None]}
        counts |= {f"with_{severity}": self.worst[severity] for severity in Severity}
        counts["unreadable"] = self.unreadable
        parts = [
            message(f"check.{key}", language, n=count) for key, count in counts.items() if count
        ]
        files = message("check.files", language, n=self.files)
        listed = message("check.between", language).join(parts)
        return files + (message("check.of_files", language) if parts else "") + listed


def counts_in_words(counts: Mapping[str, int], language: Language = "en") -> str:
    """Return ``2 errors, 1 style note``, without severities that do not occur."""
    parts = [
        message(f"shared.{severity}s", language, n=counts[severity])
        for severity in Severity
        if counts[severity]
    ]
    return message("shared.comma", language).join(parts)


def plural(count: int, noun: str) -> str:
    """Return ``1 file``, ``2 files``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
