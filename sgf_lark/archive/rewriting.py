"""Fixes and conversions of archives: the chunks of an audit, whose new files go to a folder.

Workers return the new content of files; the command writes it, and then the rows of the chunk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from sgf_lark.archive.results import (
    REWRITE_TABLES,
    Processed,
    Result,
    ResultError,
    Row,
    Rows,
)
from sgf_lark.archive.running import Outcome, Process, Progress, Run
from sgf_lark.archive.sources import Chunk, Selection, Source
from sgf_lark.atomic_files import write_file
from sgf_lark.conversion import (
    ERRORS,
    NO_CHARSETS,
    SUFFIXES,
    Format,
    convert,
    new_suffix,
    source_format,
)
from sgf_lark.diagnostics import Severity
from sgf_lark.files.inputs import (
    SGF_SUFFIXES,
    Input,
    Patterns,
    exists,
    is_folder,
    path_below,
    real_path,
    reason,
)
from sgf_lark.files.packed import unpacked_name
from sgf_lark.fixing import fix
from sgf_lark.fixing.rewriting import Rewriting

if TYPE_CHECKING:
    from distributed import Client

#: Writes the content of a file that was made from the file or archive of a path. Raises OSError,
#: and ValueError where there is another new file of that name.
Write = Callable[[Path, bytes, str], None]


def rewrite(
    sources: Iterable[str | PathLike[str]],
    result: str | PathLike[str],
    output: str | PathLike[str],
    transform: Transform,
    client: Client | None = None,
    *,
    jobs: int | None = None,
    max_size: int | None = None,
    exclude: Iterable[str] = (),
    watch: Callable[[Progress], None] | None = None,
    write: Write = lambda target, data, _: write_file(target, data),
) -> Progress:
    """Fix or convert all files of `sources`, and write them to the folder `output`.

    There they have the paths that they have in their own folder, and those in an archive are in a
    folder with its name. `result` is a folder for the tables rewritten and changes. The options,
    and what is raised for them, are those of :func:`sgf_lark.archive.audit`. Files that could not
    be written are in the `failed` of the progress, with the reason; a later run tries again.

    Raises ResultError before anything is written if two files would be written to the same one, or
    if `result` is a folder of something else or of other options; OSError.
    """
    folder, paths = Path(output), [os.fspath(each) for each in sources]
    transform.check()
    _check_output(paths, folder)
    selection = Selection(transform.suffixes, max_size, str(Path.cwd()), Patterns(tuple(exclude)))
    options = {
        "transform": transform.description(),
        **selection.description(),
        "output": str(real_path(folder)),
    }
    run = _Rewriting(
        Result(Path(result), REWRITE_TABLES),
        Process(
            tuple(REWRITE_TABLES), selection, partial(_rows_of, transform=transform), _unreadable
        ),
        watch,
        output=folder,
        new_name=transform.new_name,
        write=write,
    )
    run.check_targets(paths)
    return run.all(paths, options, client, jobs)


def _check_output(paths: list[str], output: Path) -> None:
    """Raise ResultError if what is made of `paths` cannot be written to `output`."""
    for path in paths:
        if real_path(path) == real_path(output):
            raise ResultError(f"{path} is both the input and the output")
    source = Source(str(output), 0, "")
    if not is_folder(output) and (exists(output) or source.is_archive):
        problem = "has the name of an archive" if source.is_archive else "is a file"
        raise ResultError(f"{output} {problem}; the output is a folder")


# --- In workers -----------------------------------------------------------------------


def _rows_of(file: Input, path: str, transform: Transform) -> Processed:
    """Fix or convert a file: the rows about it, and its new content, if any."""
    row: Row = {"path": path, "member": file.inner if file.path != path else None}
    if file.data is None:
        return _unreadable(row, file.reason), None
    rewritten = transform(file)
    new = rewritten.data
    changes = [{**row, **change} for change in rewritten.changes]
    row |= {
        "size": len(file.data),
        "new_size": None if new is None else len(new),
        "is_changed": new is not None and new != file.data,
        "changes": len(changes),
        "error": rewritten.errors,
        "warning": rewritten.warnings,
        "problem": rewritten.problem,
    }
    return {"rewritten": [row], "changes": changes}, new


def _unreadable(place: Row, problem: str) -> Rows:
    return {"rewritten": [{**place, "is_changed": False, "changes": 0, "problem": problem}]}


# --- In the command -------------------------------------------------------------------


@dataclass
class _Rewriting(Run):
    """A run that writes the files of each chunk before its rows."""

    output: Path = field(kw_only=True)
    new_name: Callable[[str], str] = field(kw_only=True)
    write: Write = field(kw_only=True)

    @property
    def left_out(self) -> Path:
        return self.output

    def check_targets(self, paths: list[str]) -> None:
        """Raise ResultError if two of the files and archives would be written to the same place."""
        seen: set[int] = set()
        for source in self.sources(paths):
            target = self._target(source, None)
            # Numbers and not paths, for an archive of millions of files.
            number = hash(target)
            if number in seen:
                raise ResultError(
                    f"{source.path} and another file would both be written to {target}; nothing "
                    "was written"
                )
            seen.add(number)

    def _target(self, source: Source, member: str | None) -> Path:
        """Where a file is written, or the folder for an archive, if `member` is None."""
        if source.is_archive:
            folder = self.output / path_below(source.inner)
            return folder if member is None else folder / path_below(self.new_name(member))
        return self.output / path_below(self.new_name(source.inner))

    def store(self, chunk: Chunk, outcome: Outcome) -> None:
        """Write the new files of a chunk, and store its rows if all could be written."""
        sources = {piece.source.path: piece.source for piece in chunk}
        failed = len(self.progress.failed)
        for path, member, data in outcome.written:
            target = self._target(sources[path], member)
            place = path if member is None else f"{path}!{member}"
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                self.write(target, data, place)
            except (OSError, ValueError) as error:
                self.progress.failed.append((place, f"not written: {reason(error)}"))
        if len(self.progress.failed) == failed:
            super().store(chunk, outcome)


@dataclass(frozen=True)
class Rewritten:
    """The new bytes of a file, or None if nothing is written for it, and the rows of its changes.

    `errors` and `warnings` are left in the new file, if that is known. With a `problem` there is
    no new file, and `errors` is None where what is in the file is not to blame.
    """

    data: bytes | None
    changes: list[Row] = field(default_factory=list)
    errors: int | None = None
    warnings: int | None = None
    problem: str | None = None


@dataclass(frozen=True)
class Fixing:
    """Fixes SGF files; `options` are those of :func:`sgf_lark.fix`."""

    options: dict[str, Any] = field(default_factory=dict)
    rewriting: Rewriting = field(default_factory=Rewriting)
    suffixes = SGF_SUFFIXES

    def __call__(self, file: Input) -> Rewritten:
        """The fixed file."""
        assert file.data is not None
        if file.is_wei7():
            return Rewritten(None, problem="it is not SGF, but wei7")
        result = fix(file.data, rewriting=self.rewriting, **self.options)
        changes: list[Row] = [
            change.as_dict() | {"column_number": change.span.column} for change in result.applied
        ]
        counts = result.report.counts
        return Rewritten(result.data, changes, counts[Severity.ERROR], counts[Severity.WARNING])

    def new_name(self, name: str) -> str:
        """The name without the suffix of a packed file."""
        return unpacked_name(name)

    def check(self) -> None:
        """Raise what :func:`sgf_lark.fix` raises for these options."""
        fix(b"(;)", rewriting=self.rewriting, **self.options)

    def description(self) -> dict[str, Any]:
        """The options as JSON has them."""
        rewriting = asdict(self.rewriting)
        rewriting["delete"] = sorted(rewriting["delete"])
        return {"fix": self.options, "rewriting": rewriting}


@dataclass(frozen=True)
class Converting:
    """Converts to a format, by default JSON from SGF and SGF from wei7.

    `charsets` are options of :func:`sgf_lark.loads` for SGF.
    """

    target: Format | None = None
    tolerant: bool = False
    charsets: dict[str, Any] = field(default_factory=lambda: dict(NO_CHARSETS))
    suffixes = SUFFIXES

    def __call__(self, file: Input) -> Rewritten:
        """The file in the new format; a problem if it cannot be converted."""
        assert file.data is not None
        try:
            source = source_format(file)
            converted = convert(file.data, source, self.target, self.tolerant, self.charsets)
        except ERRORS as error:
            return Rewritten(None, errors=1, problem=str(error))
        changes: list[Row] = [
            {
                "code": note.code or None,
                "safe": bool(note.code),
                "line": note.line,
                "column_number": note.column,
                "before": note.what,
                "after": "",
                "message": note.reason,
            }
            for note in converted.notes
        ]
        return Rewritten(converted.data, changes)

    def new_name(self, name: str) -> str:
        """The name with the suffix of the new format."""
        plain = PurePosixPath(unpacked_name(name))
        return str(plain.with_suffix(new_suffix(self.target, plain)))

    def check(self) -> None:
        """Raise what converting raises for these options."""
        convert(b"(;)", "sgf", self.target, self.tolerant, self.charsets)

    def description(self) -> dict[str, Any]:
        """The options as JSON has them."""
        return {"convert": self.target, "tolerant": self.tolerant, **self.charsets}


#: What is done with each file of an archive.
Transform = Fixing | Converting
