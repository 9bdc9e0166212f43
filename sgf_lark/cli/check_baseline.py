"""Baselines of ``check``: a file with the findings that are known, so that only new ones count.

A finding is known again by its file, its rule, its property and its text, not by its line.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.diagnostics import Span
from sgf_lark.files import inputs
from sgf_lark.text.escaping import escape, to_json
from sgf_lark.validation.report import Report

if TYPE_CHECKING:
    from sgf_lark.cli.results import Result

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


class Comparison(NamedTuple):
    """What came of comparing a file: how many findings were known, how many of the baseline are
    not in the file any more, and all findings, for the baseline that is written."""

    known: int
    fixed: int
    findings: Counter[Fingerprint]


class BaselineFile(NamedTuple):
    """Where a baseline is, its folder as an absolute path, its time, and whether one is written:
    then all findings are known."""

    path: Path
    folder: str
    time: int
    is_written: bool

    def place(self, path: str) -> str:
        """Return the path of a file as the baseline has it, relative to its folder."""
        if path == inputs.STDIN:
            return path
        try:
            return PurePath(os.path.relpath(path, self.folder)).as_posix()
        except ValueError:  # it is on another drive, or has a zero byte
            return path

    def is_there(self, place: str) -> bool:
        """Whether there is a file at that path of the baseline, or the archive that it is in."""
        return place == inputs.STDIN or any(
            inputs.exists(Path(self.folder, path)) for path in (place, place.partition("!")[0])
        )


def compare(file: BaselineFile, path: str, report: Report) -> tuple[list[int], Comparison]:
    """Compare the report on a file with the baseline; return the numbers of new diagnostics too."""
    found = [_fingerprint(report, number) for number in range(len(report.diagnostics))]
    if file.is_written:
        return [], Comparison(len(found), 0, Counter(found))
    left = load(file).get(file.place(path), Counter()).copy()
    new = []
    for number, fingerprint in enumerate(found):
        if left[fingerprint]:
            left[fingerprint] -= 1
        else:
            new.append(number)
    return new, Comparison(len(found) - len(new), left.total(), Counter(found))


def _fingerprint(report: Report, number: int) -> Fingerprint:
    found = report.diagnostics[number]
    start, end, *place = found.span
    text = report.source.text(Span(start, min(end, start + _LONGEST), *place))
    return Fingerprint(found.code, found.ident or "", " ".join(text.split()))


def written(results: Iterable[Result], file: BaselineFile) -> Iterator[Result]:
    """Yield the results; then write the baseline with the findings of these files. It keeps those
    of other files that are there."""
    files = {place: known for place, known in load(file).items() if file.is_there(place)}
    for result in results:
        if result.compared is not None:
            files[file.place(result.path)] = result.compared.findings
        yield result
    _write(file.path, {place: known for place, known in files.items() if known})


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
def load(file: BaselineFile) -> dict[str, Counter[Fingerprint]]:
    """Read the findings of a baseline by the paths of their files, once in each process; raises
    UsageError for a file of something else."""
    if not file.time:
        return {}
    try:
        found = json.loads(file.path.read_text("utf-8"))
        if found.get(_FORMAT) != _VERSION:
            raise ValueError(f'it has no "{_FORMAT}": {_VERSION}')
        return {path: _known(item["findings"]) for path, item in found["files"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise click.UsageError(
            f"{escape(file.path)} is not a baseline: {escape(inputs.reason(error))}"
        ) from None


def _known(items: list[dict[str, Any]]) -> Counter[Fingerprint]:
    findings: Counter[Fingerprint] = Counter()
    for each in items:
        fingerprint = Fingerprint(each["code"], each.get("ident", ""), each["text"])
        findings[fingerprint] += int(each.get("count", 1))
    return findings


def _write(path: Path, files: dict[str, Counter[Fingerprint]]) -> None:
    """Write JSON, a finding a line, in an order that keeps differences small."""
    from sgf_lark.atomic_files import write_file

    entries = []
    for place, known in sorted(files.items()):
        lines = ",\n".join(map(_line, sorted(known.items())))
        entries.append(f'{to_json(place)}: {{"findings": [\n{lines}\n]}}')
    listed = ",\n".join(entries)
    text = f'{{\n"{_FORMAT}": {_VERSION},\n"files": {{\n{listed}\n}}\n}}\n'
    write_file(path, text.encode("utf-8", "backslashreplace"))


def _line(item: tuple[Fingerprint, int]) -> str:
    (code, ident, text), count = item
    fields = {"code": code, **({"ident": ident} if ident else {}), "text": text}
    return "  " + to_json({**fields, **({"count": count} if count > 1 else {})})
