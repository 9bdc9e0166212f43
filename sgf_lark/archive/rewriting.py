"""Fixes and conversions of archives: the chunks of an audit, written to files of the same layout.

Workers return the new bytes of files. They are kept with the rows of the chunk until the files
and archives that they belong to are complete, and written then.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import count
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from sgf_lark.archive.chunks import CHUNK_BYTES, Chunk
from sgf_lark.archive.clusters import client_for
from sgf_lark.archive.columns import CONTENTS, REWRITE_TABLES
from sgf_lark.archive.layout import check_output, targets
from sgf_lark.archive.manifest import Manifest, reserved
from sgf_lark.archive.processing import Outcome, Process, Row, Rows
from sgf_lark.archive.running import Progress, Run, delete_result, is_complete
from sgf_lark.archive.sources import Selection, Source, is_url, list_sources, opened
from sgf_lark.archive.transforms import Transform
from sgf_lark.atomic_files import TEMPORARY, write_stream
from sgf_lark.files import packed
from sgf_lark.files.archives import ERRORS, most_unpacked
from sgf_lark.files.inputs import Input, real_path, reason
from sgf_lark.files.patterns import Patterns
from sgf_lark.files.repacking import DROP, Replacement, repack

if TYPE_CHECKING:
    from distributed import Client

_TABLES = (*REWRITE_TABLES, CONTENTS)

#: Files that are read at once from what is kept until it is written.
_ROWS_AT_ONCE = 64

#: Writes the target from what the function writes. The texts are the path of the source, and
#: digits for the name of the temporary file.
Write = Callable[[Path, Callable[[BinaryIO], None], str, str], None]


def _write(target: Path, write: Callable[[BinaryIO], None], path: str, token: str) -> None:
    write_stream(target, write, token=token)


def rewrite(
    sources: Iterable[str | PathLike[str]],
    result: str | PathLike[str],
    output: str | PathLike[str] | None,
    transform: Transform,
    client: Client | None = None,
    *,
    jobs: int | None = None,
    resume: bool = True,
    chunk_bytes: int = CHUNK_BYTES,
    max_size: int | None = None,
    exclude: Iterable[str] = (),
    watch: Callable[[Progress], None] | None = None,
    write: Write = _write,
) -> Progress:
    """Fix or convert all files of `sources`, and write them to `output` with the same layout.

    `result` is a folder for the tables changes and rewritten; without `output` nothing else is
    written. The options, and what is raised for them, are those of
    :func:`sgf_lark.archive.audit`. Files and archives that
    could not be written are in the `failed` of the progress, with the reason.

    Raises ResultError before anything is written if two files would be written to the same one, or
    if `result` is a folder of something else or of other options; as in an audit where another run
    is writing there or the disk is full; OSError.
    """
    folder, paths = Path(result), [each if isinstance(each, str) else str(each) for each in sources]
    place = None if output is None else Path(output)
    transform.check()
    if place is not None:
        check_output(paths, place)
    selection = Selection(transform.suffixes, max_size, str(Path.cwd()), Patterns(tuple(exclude)))
    with ExitStack() as stack:
        stack.enter_context(reserved(folder, _TABLES))
        if not resume:
            delete_result(folder, _TABLES)
        options = {"transform": transform.description(), **selection.description()}
        manifest = stack.enter_context(closing(_manifest(folder, options, place is None)))
        manifest.begin({**options, "is_dry": place is None}, paths)
        rows_of = partial(_rows_of, transform=transform, with_contents=place is not None)
        run = _Rewriting(
            manifest,
            Process(_TABLES, "rewritten", "changes", selection, rows_of, _unreadable),
            watch,
            output=place,
            transform=transform,
            write=write,
        )
        if place is not None:
            for source, target in targets(paths, place, transform.new_name, selection):
                manifest.plan(source.path, str(target))
        run.all(paths, False, chunk_bytes, lambda: client_for(stack, client, jobs))
        return run.progress


def _manifest(folder: Path, options: dict[str, Any], is_dry: bool) -> Manifest:
    """The manifest in `folder`; that of a dry run is deleted for another run.

    The tables are made again then, together with the files.
    """
    manifest = Manifest(folder, _TABLES)
    if is_dry or not manifest.has_options({**options, "is_dry": True}):
        return manifest
    manifest.close()
    delete_result(folder, _TABLES)
    return Manifest(folder, _TABLES)


# --- In workers -----------------------------------------------------------------------


def _rows_of(
    file: Input, path: str, number: int, transform: Transform, with_contents: bool
) -> Rows:
    """Fix or convert a file: the rows about it, and its new content as it is stored, if any."""
    row: Row = {"path": path, "member": file.inner if file.path != path else None}
    if file.data is None:
        return _unreadable(row, file.reason)
    rewritten = transform(file)
    new = rewritten.data
    changes = [{**row, **change} for change in rewritten.changes]
    size = len(file.data)
    row |= {
        "size": size,
        "new_size": None if rewritten.problem else size if new is None else len(new),
        "is_changed": new is not None and new != file.data,
        "changes": len(changes),
        "error": rewritten.errors,
        "warning": rewritten.warnings,
        "problem": rewritten.problem,
    }
    rows = {"rewritten": [row], "changes": changes}
    if new is not None and with_contents:
        packed_data = packed.pack(new, transform.new_name(file.inner or path))
        rows[CONTENTS] = [{"path": path, "number": number, "data": packed_data}]
    return rows


def _unreadable(place: Row, problem: str) -> Rows:
    return {"rewritten": [{**place, "is_changed": False, "changes": 0, "problem": problem}]}


# --- In the command -------------------------------------------------------------------


@dataclass
class _Rewriting(Run):
    """A run that writes each file and archive when all of it is processed."""

    output: Path | None = field(kw_only=True)
    transform: Transform = field(kw_only=True)
    write: Write = field(kw_only=True)
    #: The folders that were written to.
    folders: set[Path] = field(default_factory=set)

    def sources(self, paths: list[str]) -> Iterator[Source]:
        left_out = self.output if self.output is not None else self.manifest.folder
        return list_sources(paths, real_path(left_out), self.process.selection)

    def is_unchanged(self, source: Source, before: Source, compare_content: bool) -> bool:
        if not super().is_unchanged(source, before, compare_content):
            return False
        if self.output is None:
            return True
        recorded = self.manifest.output_of(source.path)
        if recorded is None:
            # A run that was stopped had processed it and not written it yet.
            if is_complete(self.manifest.finished(source.path)):
                self._write_complete([source])
            return True
        target, size, time = recorded
        if not target:
            return True
        planned = self.manifest.planned(source.path)
        return target == str(planned) and (size, time) == _size_and_time(planned)

    def store(self, chunk: Chunk, outcome: Outcome) -> None:
        super().store(chunk, outcome)
        if self.output is not None:
            found = dict.fromkeys(piece.source for piece in chunk)
            self._write_complete(
                source for source in found if is_complete(self.manifest.finished(source.path))
            )

    def _write_complete(self, found: Iterable[Source]) -> None:
        """Write files and archives of which all is processed, and drop what was kept for that."""
        records: list[tuple[str, str, int, int]] = []
        identities: set[str] = set()
        of_files: tuple[str, dict[str, bytes]] = ("", {})
        for source in found:
            chunks = self.manifest.chunks_of(source.path)
            identities.update(chunks)
            target = self.manifest.planned(source.path)
            try:
                if source.is_archive:
                    is_written = self._write_archive(source, target, chunks)
                else:
                    if of_files[0] != chunks[0]:
                        of_files = chunks[0], dict(self._contents_of_files(chunks[0]))
                    is_written = self._write_file(source, target, of_files[1].get(source.path))
            except ERRORS as error:
                self._fail(source, reason(error))
                continue
            except Exception as error:
                if not packed.is_unpacking_error(error):
                    raise
                self._fail(source, reason(error))
                continue
            size, time = _size_and_time(target) if is_written else (0, 0)
            records.append((source.path, str(target) if is_written else "", size, time))
        self.manifest.record_outputs(records)
        for identity in filter(self.manifest.is_written, identities):
            self.manifest.rows_of(identity, CONTENTS).unlink(missing_ok=True)

    def _fail(self, source: Source, problem: str) -> None:
        self.progress.failed.append((source.path, f"not written: {problem}"))

    def _write_file(self, source: Source, target: Path, data: bytes | None) -> bool:
        """Write a file; return whether there is anything to write."""
        if data is None and not self.transform.keeps_others:
            return False
        if data is None and not source.version:
            return False

        def write(stream: BinaryIO) -> None:
            if data is not None:
                stream.write(data)
                return
            with opened(source.path) as file:
                shutil.copyfileobj(file, stream)

        self._write_target(source, target, write)
        return True

    def _write_archive(self, source: Source, target: Path, chunks: list[str]) -> bool:
        """Write an archive; return True, since there is always one to write."""
        contents = self._contents_of_archive(source.path, chunks)
        waiting = next(contents, None)
        numbers = count()

        def replace(name: str) -> Replacement | str | None:
            nonlocal waiting
            if self.process.selection.excludes(source.path, name):
                return DROP
            number = next(numbers)
            if waiting is None or waiting[0] != number:
                return None if self.transform.keeps_others else DROP
            data = waiting[1]
            waiting = next(contents, None)
            return Replacement(self.transform.new_name(name), data)

        def write(stream: IO[bytes]) -> None:
            with opened(source.path) as file:
                most = most_unpacked(source.size, self.process.selection.max_size)
                repack(source.path, file, stream, self.process.selection.suffixes, replace, most)

        self._write_target(source, target, write)
        return True

    def _write_target(
        self, source: Source, target: Path, write: Callable[[BinaryIO], None]
    ) -> None:
        if not is_url(source.path) and [source] != list(list_sources([source.path])):
            raise ValueError("it was changed while it was processed; run the command again")
        target.parent.mkdir(parents=True, exist_ok=True)
        token = sha256(os.fsencode(real_path(self.manifest.folder))).hexdigest()[:8]
        if target.parent not in self.folders:
            # What a run for this result left that was killed.
            for stray in target.parent.glob(f"{TEMPORARY}{token}*"):
                stray.unlink()
            self.folders.add(target.parent)
        self.write(target, write, source.path, token)

    # What is kept until it is written

    def _rows(self, identity: str) -> Iterator[Row]:
        import pyarrow.parquet

        place = self.manifest.rows_of(identity, CONTENTS)
        if place.exists():
            with pyarrow.parquet.ParquetFile(place) as file:
                for batch in file.iter_batches(_ROWS_AT_ONCE):
                    yield from batch.to_pylist()

    def _contents_of_files(self, identity: str) -> Iterator[tuple[str, bytes]]:
        for row in self._rows(identity):
            yield row["path"], row["data"]

    def _contents_of_archive(self, path: str, chunks: list[str]) -> Iterator[tuple[int, bytes]]:
        for identity in chunks:
            for row in self._rows(identity):
                if row["path"] == path:
                    yield row["number"], row["data"]


def _size_and_time(target: Path) -> tuple[int, int]:
    """The size and time of a file, negative if it is missing."""
    try:
        status = target.stat()
    except OSError:
        return -1, -1
    return status.st_size, status.st_mtime_ns
