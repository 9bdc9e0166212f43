"""Baselines of ``check``: a file with the findings that are known, so that only new ones count.

A finding is known again by its file, its rule, its property and its text, not by its line. A file
that was renamed is known by its content.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.diagnostics import Span
from sgf_lark.files import inputs
from sgf_lark.text.escaping import escape, to_json
from sgf_lark.validation.report import Report

if TYPE_CHECKING:
    from sgf_lark.cli.results import Result, Tally

#: The key of the version, which changes when fingerprints do.
_FORMAT = "sgf-lark baseline"
_VERSION = 1
#: At most this many bytes of the text of a finding are compared.
_LONGEST = 80


class Fingerprint(NamedTuple):
    """What identifies a finding in a file; equal ones are counted."""

    code: str
    ident: str
    text: str


class KnownFile(NamedTuple):
    """The beginning of the SHA-256 of a file, and its findings."""

    sha256: str
    findings: Counter[Fingerprint]


class Comparison(NamedTuple):
    """What came of comparing a file: the path under which the baseline has it, "" if it has not;
    how many findings were known, and how many of the baseline are not in the file any more; and
    the file for the baseline that is written, if one is."""

    path: str
    known: int
    fixed: int
    now: KnownFile | None = None


class BaselineFile(NamedTuple):
    """Where a baseline is, its folder as an absolute path, its time, and whether one is written:
    then all findings are known."""

    path: Path
    folder: str
    time: int
    is_written: bool


@dataclass(frozen=True)
class Baseline:
    """The known files, by their paths relative to the folder of the baseline."""

    folder: str
    files: dict[str, KnownFile] = field(default_factory=dict)

    @cached_property
    def _paths(self) -> dict[str, list[str]]:
        """The paths of the files by their hashes."""
        paths: dict[str, list[str]] = {}
        for path, known in self.files.items():
            paths.setdefault(known.sha256, []).append(path)
        return paths

    def place(self, path: str) -> str:
        """Return the path of a file as the baseline has it."""
        if path == inputs.STDIN:
            return path
        try:
            return PurePath(os.path.relpath(path, self.folder)).as_posix()
        except ValueError:  # it is on another drive, or has a zero byte
            return path

    def is_gone(self, path: str) -> bool:
        """Whether there is no file at that path of the baseline, nor the archive that it was in."""
        places = (path, path.partition("!")[0])
        return path != inputs.STDIN and not any(
            inputs.exists(Path(self.folder, place)) for place in places
        )

    def find(self, path: str, hash_: str) -> str:
        """Return the path under which the baseline has a file, "" if it has not."""
        place = self.place(path)
        if place in self.files:
            return place
        return next(filter(self.is_gone, self._paths.get(hash_, ())), "")


def compare(
    file: BaselineFile, path: str, data: bytes, report: Report
) -> tuple[list[int], Comparison]:
    """Compare the report on a file with the baseline; return the numbers of new diagnostics too."""
    baseline = load(file)
    hash_ = sha256(data).hexdigest()[:16]
    found = [_fingerprint(report, number) for number in range(len(report.diagnostics))]
    place = baseline.find(path, hash_)
    if file.is_written:
        return [], Comparison(place, len(found), 0, KnownFile(hash_, Counter(found)))
    left = baseline.files[place].findings.copy() if place else Counter()
    new = []
    for number, fingerprint in enumerate(found):
        if left[fingerprint]:
            left[fingerprint] -= 1
        else:
            new.append(number)
    return new, Comparison(place, len(found) - len(new), left.total())


def _fingerprint(report: Report, number: int) -> Fingerprint:
    found = report.diagnostics[number]
    start, end, *place = found.span
    text = report.source.text(Span(start, min(end, start + _LONGEST), *place))
    return Fingerprint(found.code, found.ident or "", " ".join(text.split()))


def follow(results: Iterable[Result], file: BaselineFile, tally: Tally) -> Iterator[Result]:
    """Yield the results; then write the baseline, or count the findings of files that are gone.

    A baseline that is written keeps the files that are there but were not checked.
    """
    baseline = load(file)
    used: set[str] = set()
    now: dict[str, KnownFile] = {}
    for result in results:
        if result.compared is not None:
            used.add(result.compared.path)
            if result.compared.now is not None and result.compared.now.findings:
                now[baseline.place(result.path)] = result.compared.now
        yield result
    left = {path: known for path, known in baseline.files.items() if path not in used}
    gone = set(filter(baseline.is_gone, left))
    if file.is_written:
        _write(file.path, {path: left[path] for path in left if path not in gone} | now)
    else:
        tally.fixed += sum(left[path].findings.total() for path in gone)


# --- The file -------------------------------------------------------------------------


def baseline_file(path: Path, *, is_written: bool) -> BaselineFile:
    """Return where the baseline is; raises UsageError if it is missing and not to be written."""
    folder = os.path.abspath(path.parent)  # noqa: PTH100 (symbolic links stay)
    try:
        return BaselineFile(path, folder, path.stat().st_mtime_ns, is_written)
    except OSError as error:
        if not is_written:
            raise click.UsageError(
                f"{escape(path)}: {inputs.reason(error)}; --write-baseline writes it"
            ) from None
        return BaselineFile(path, folder, 0, is_written)


@lru_cache(maxsize=1)
def load(file: BaselineFile) -> Baseline:
    """Read a baseline, once in each process; raises UsageError for a file of something else."""
    if not file.time:
        return Baseline(file.folder)
    try:
        found = json.loads(file.path.read_text("utf-8"))
        if found.get(_FORMAT) != _VERSION:
            raise ValueError(f'it has no "{_FORMAT}": {_VERSION}')
        return Baseline(file.folder, {path: _known(item) for path, item in found["files"].items()})
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise click.UsageError(
            f"{escape(file.path)} is not a baseline: {escape(inputs.reason(error))}"
        ) from None


def _known(item: dict[str, Any]) -> KnownFile:
    findings: Counter[Fingerprint] = Counter()
    for each in item["findings"]:
        fingerprint = Fingerprint(each["code"], each.get("ident", ""), each["text"])
        findings[fingerprint] += int(each.get("count", 1))
    return KnownFile(item["sha256"], findings)


def _write(path: Path, files: dict[str, KnownFile]) -> None:
    from sgf_lark.cli.outputs import replace, writing

    replace(path, writing("".join(_lines(files)).encode("utf-8", "backslashreplace")))


def _lines(files: dict[str, KnownFile]) -> Iterator[str]:
    """Yield the JSON text, a finding a line, in an order that keeps differences small."""
    yield f'{{\n"{_FORMAT}": {_VERSION},\n"files": {{'
    separator = "\n"
    for path, known in sorted(files.items()):
        yield f'{separator}{to_json(path)}: {{"sha256": {to_json(known.sha256)}, "findings": [\n'
        yield ",\n".join(map(_line, sorted(known.findings.items())))
        yield "\n]}"
        separator = ",\n"
    yield "\n}\n}\n"


def _line(item: tuple[Fingerprint, int]) -> str:
    (code, ident, text), count = item
    fields = {"code": code, **({"ident": ident} if ident else {}), "text": text}
    return "  " + to_json({**fields, **({"count": count} if count > 1 else {})})
