"""The run of an audit, or of another process for chunks: they go to workers, and their rows into
the result."""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from sgf_lark.archive.chunks import (
    CHUNK_BYTES,
    Chunk,
    Piece,
    chunks,
    halves,
    pieces_of,
    read_piece,
)
from sgf_lark.archive.clusters import RunError, client_for
from sgf_lark.archive.columns import TABLES
from sgf_lark.archive.manifest import FILE, Manifest, reserved
from sgf_lark.archive.processing import Outcome, Process
from sgf_lark.archive.sources import (
    Selection,
    Source,
    content_hash,
    is_url,
    list_sources,
)
from sgf_lark.archive.summarizing import Reading, summarize, unreadable
from sgf_lark.files.inputs import real_path
from sgf_lark.files.patterns import Patterns
from sgf_lark.validation import validate

if TYPE_CHECKING:
    from distributed import Client, Future

#: At most this number of chunks for each thread of the cluster are submitted at a time.
_CHUNKS_AHEAD = 2
#: A single file is blamed after so many workers ended while they had nothing else to do.
_MOST_TRIES_OF_A_FILE = 2
_ENDED = "the process that read it ended"


@dataclass
class Progress:
    """What is finished: files, bytes unpacked, diagnostics, and bytes as stored.

    `known` are the files that were finished before this run, and `stored_before` their bytes.
    """

    files: int = 0
    bytes: int = 0
    findings: int = 0
    stored: int = 0
    known: int = 0
    stored_before: int = 0
    #: Files that ended workers or raised errors, each with the reason.
    failed: list[tuple[str, str]] = field(default_factory=list)
    started: float = field(default_factory=monotonic)

    def count(self, outcome: Outcome, chunk: Chunk) -> None:
        """Add a finished chunk."""
        self.files += outcome.files
        self.bytes += outcome.bytes
        self.findings += outcome.findings
        self.stored += sum(piece.stored for piece in chunk)


def audit(
    sources: Iterable[str | PathLike[str]],
    result: str | PathLike[str],
    client: Client | None = None,
    *,
    jobs: int | None = None,
    resume: bool = True,
    compare_content: bool = False,
    chunk_bytes: int = CHUNK_BYTES,
    max_size: int | None = None,
    exclude: Iterable[str] = (),
    watch: Callable[[Progress], None] | None = None,
    **reading: Any,
) -> Progress:
    """Validate and summarize all files of `sources` into tables in the folder `result`.

    `sources` are files, folders, zip and tar archives, glob patterns and URLs of fsspec. The work
    is done by the workers of `client`, a :class:`distributed.Client`, or by `jobs` processes of
    this machine, by default one for each processor. What `result` has already is kept: only new
    and changed files are read, and files that are gone are dropped. A file counts as unchanged if
    its size and time are the same, or its content is; with `compare_content` the content is
    always compared. Without `resume` the tables are made anew. Files that match a pattern in
    `exclude`, relative to the current folder, are left out. `watch` is called with the progress
    after each chunk. `reading` are the options of :func:`sgf_lark.validate`: profile,
    select, ignore, charset, default_charset, charset_mode, file_format, game.

    Without `client` an active one is used, as in other functions of Dask, unless `jobs` are given.

    Raises ValueError or LookupError for options that :func:`sgf_lark.validate` does not take;
    ResultError if `result` is a folder of something else or of other options, if another run is
    writing there, or if the disk is full; RunError if no cluster can be started, or if all files
    of a chunk raise the same error; OSError.
    """
    folder = Path(result)
    paths = [each if isinstance(each, str) else str(Path(each)) for each in sources]
    how = Reading(**reading)
    validate(b"(;)", **vars(how))  # raises for wrong options
    patterns = tuple(exclude)
    selection = Selection(max_size=max_size, folder=str(Path.cwd()), excluded=Patterns(patterns))
    with ExitStack() as stack:
        stack.enter_context(reserved(folder, TABLES))
        if not resume:
            delete_result(folder, TABLES)
        manifest = stack.enter_context(closing(Manifest(folder)))
        options = {name: value for name, value in vars(how).items() if name != "engine"}
        manifest.begin({**options, **selection.description()}, paths)
        rows_of = partial(summarize, reading=how)
        process = Process(tuple(TABLES), "files", "diagnostics", selection, rows_of, unreadable)
        run = Run(manifest, process, watch)
        run.all(paths, compare_content, chunk_bytes, lambda: client_for(stack, client, jobs))
        return run.progress


def delete_result(folder: Path, tables: Iterable[str]) -> None:
    """Delete the tables and the manifest, and nothing else; not those of another command."""
    if not (folder / next(iter(tables))).is_dir():
        return
    for table in tables:
        shutil.rmtree(folder / table, ignore_errors=True)
    for name in (FILE, f"{FILE}-journal"):
        with suppress(FileNotFoundError):
            (folder / name).unlink()


@dataclass
class Run:
    """A run: workers call `process` with chunks."""

    manifest: Manifest
    process: Process
    watch: Callable[[Progress], None] | None
    progress: Progress = field(default_factory=Progress)
    #: The SHA-256 of archives, by path.
    hashes: dict[str, str] = field(default_factory=dict)

    def all(
        self,
        paths: list[str],
        compare_content: bool,
        chunk_bytes: int,
        connect: Callable[[], Client],
    ) -> None:
        """Process all that is new or changed, on a cluster that is started if there is any."""
        self.progress.known, *_, self.progress.stored_before = self.manifest.totals()
        found = self._pieces(paths, compare_content, chunk_bytes)
        self._process(chunks(found, chunk_bytes), connect)

    # What is to be done

    def sources(self, paths: list[str]) -> Iterator[Source]:
        """Yield the files and archives of `paths`."""
        left_out = real_path(self.manifest.folder)
        return list_sources(paths, left_out, self.process.selection)

    def _pieces(self, paths: list[str], compare_content: bool, chunk_bytes: int) -> Iterator[Piece]:
        """Yield what is new or changed, and drop what is gone."""
        manifest = self.manifest
        for source in self.sources(paths):
            if not manifest.mark_listed(source.path):
                continue
            finished = manifest.finished(source.path)
            if finished and self.is_unchanged(source, finished[0].source, compare_content):
                if not is_complete(finished):
                    yield from self._divided(source, finished, chunk_bytes)
                continue
            if finished:
                yield from manifest.discard(source.path)
            yield from self._divided(source, [], chunk_bytes)
        yield from manifest.discard_unlisted()

    def _divided(self, source: Source, finished: list[Piece], chunk_bytes: int) -> Iterator[Piece]:
        if source.is_archive and not is_url(source.path):
            with suppress(OSError):
                self.hashes[source.path] = content_hash(source.path)

        def is_done(number: int) -> bool:
            return any(
                each.first <= number and (each.end is None or number < each.end)
                for each in finished
            )

        return pieces_of(source, is_done, chunk_bytes, self.process.selection)

    def is_unchanged(self, source: Source, before: Source, compare_content: bool) -> bool:
        """Whether a file or archive has the content that it had, by its size, time and hash."""
        if source.size != before.size:
            return False
        if source.version == before.version and not compare_content:
            return True
        if is_url(source.path) and source.is_archive:
            return source.version == before.version
        recorded = self.manifest.recorded_hash(source.path)
        if recorded != _present_hash(source, self.process.selection):
            return False
        if recorded is None and source.version != before.version:
            return False
        self.manifest.update_version(source)
        return True

    # Doing it

    def _process(self, found: Iterator[Chunk], connect: Callable[[], Client]) -> None:
        """Process the chunks on a cluster, which is started if there are any.

        Raises RunError where all files of a chunk raise the same error: that is not about them.
        """
        first = next(found, None)
        if first is None:
            return
        client = connect()
        for suspect in self._process_together(client, chain([first], found)):
            parts = deque([suspect])
            failed: list[tuple[Chunk, str]] = []
            files = self.progress.files
            while parts:
                parts.extend(self._process_alone(client, parts.popleft(), failed))
            problems = {problem for _, problem in failed}
            is_alike = len(problems) == 1 and _ENDED not in problems
            if len(failed) > 1 and is_alike and files == self.progress.files:
                raise RunError(f"each of {len(failed)} files fails alike: {problems.pop()}")
            for chunk, problem in failed:
                self.progress.failed.append((chunk[0].source.path, problem))
                self.store(chunk, self.process.not_processed(chunk[0], problem))

    def _process_together(self, client: Client, found: Iterator[Chunk]) -> list[Chunk]:
        """Keep all workers busy; return the chunks whose worker ended or raised an error.

        When a worker ends, it is unknown which of its chunks was the cause, if any was.
        """
        from distributed import as_completed

        suspects: list[Chunk] = []
        submitted: dict[Any, Chunk] = {}
        done = as_completed(loop=client.loop)
        while True:
            limit = _CHUNKS_AHEAD * max(1, sum(client.nthreads().values()))
            for chunk in islice(found, max(0, limit - len(submitted))):
                future = self._submit(client, chunk)
                submitted[future.key] = chunk
                done.add(future)
            if not submitted:
                return suspects
            future = next(done)
            chunk = submitted.pop(future.key)
            outcome = _outcome(future)
            if isinstance(outcome, Outcome):
                self.store(chunk, outcome)
            else:
                suspects.append(chunk)
            future.release()

    def _process_alone(
        self, client: Client, chunk: Chunk, failed: list[tuple[Chunk, str]]
    ) -> list[Chunk]:
        """Process a chunk while nothing else is processed; return its halves if that fails.

        A single file that fails comes to `failed`, with the reason.
        """
        from distributed import KilledWorker

        parts = halves(chunk, self.process.selection)
        for _ in range(_MOST_TRIES_OF_A_FILE if len(parts) == 1 else 1):
            future = self._submit(client, chunk)
            outcome = _outcome(future)
            if isinstance(outcome, Outcome):
                self.store(chunk, outcome)
                return []
            future.release()
            if not isinstance(outcome, KilledWorker):
                break
        if len(parts) > 1:
            return parts
        is_killed = isinstance(outcome, KilledWorker)
        problem = _ENDED if is_killed else f"{type(outcome).__name__}: {outcome}"
        failed.append((chunk, problem))
        return []

    def _submit(self, client: Client, chunk: Chunk) -> Future:
        future: Future = client.submit(self.process, chunk, pure=False)
        return future

    def store(self, chunk: Chunk, outcome: Outcome) -> None:
        """Store the outcome of a chunk."""
        self.manifest.add(chunk, outcome, self.hashes)
        self.progress.count(outcome, chunk)
        if self.watch is not None:
            self.watch(self.progress)


def _outcome(future: Future) -> Outcome | Exception:
    """What a worker returned, or the error that it raised or ended with.

    A worker can also end when it has the result, before it is fetched from there.
    """
    from distributed import KilledWorker

    error: Exception | None = future.exception()
    if error is None:
        try:
            outcome: Outcome = future.result()
        except KilledWorker as killed:
            error = killed
        else:
            return outcome
    return error


def is_complete(finished: list[Piece]) -> bool:
    """Whether these pieces of a file or archive, in order, are all of it."""
    end: int | None = 0
    for piece in finished:
        if piece.first != end:
            return False
        end = piece.end
    return end is None


def _present_hash(source: Source, selection: Selection) -> str | None:
    """The SHA-256 of the content now, as it is recorded; None if it cannot be read."""
    if source.is_archive:
        try:
            return content_hash(source.path)
        except OSError:
            return None
    [file] = read_piece(Piece(source), selection)
    return None if file.data is None else sha256(file.data).hexdigest()
