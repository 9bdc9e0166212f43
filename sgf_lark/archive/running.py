"""The run of an audit, or of another process for chunks: they go to workers, and their rows into
the result."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
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
    is_divided,
    pieces_of,
)
from sgf_lark.archive.clusters import RunError, client_for
from sgf_lark.archive.columns import TABLES
from sgf_lark.archive.processing import Outcome, Process
from sgf_lark.archive.results import Result, archive_name, chunk_name
from sgf_lark.archive.sources import Selection, Source, list_sources
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
    chunk_bytes: int = CHUNK_BYTES,
    max_size: int | None = None,
    exclude: Iterable[str] = (),
    watch: Callable[[Progress], None] | None = None,
    **reading: Any,
) -> Progress:
    """Validate and summarize all files of `sources` into tables in the folder `result`.

    `sources` are files, folders, zip and tar archives, glob patterns and URLs of fsspec. The work
    is done by the workers of `client`, a :class:`distributed.Client`, or by `jobs` processes of
    this machine, by default one for each processor. What `result` has already is kept: only chunks
    with new and changed files are read, and files that are gone are dropped. A file counts as
    unchanged if its size and time are the same. Without `resume` the tables are made anew. Files
    that match a pattern in `exclude`, relative to the current folder, are left out. `watch` is
    called with the progress after each chunk. `reading` are the options of
    :func:`sgf_lark.validate`: profile, select, ignore, charset, default_charset, charset_mode,
    file_format, game.

    Without `client` an active one is used, as in other functions of Dask, unless `jobs` are given.

    Raises ValueError or LookupError for options that :func:`sgf_lark.validate` does not take;
    ResultError if `result` is a folder of something else or of other options, or if another run
    begins to write there; RunError if no cluster can be started, or if all files
    of a chunk raise the same error; OSError.
    """
    folder = Path(result)
    paths = [each if isinstance(each, str) else str(Path(each)) for each in sources]
    how = Reading(**reading)
    validate(b"(;)", **vars(how))  # raises for wrong options
    patterns = tuple(exclude)
    selection = Selection(max_size=max_size, folder=str(Path.cwd()), excluded=Patterns(patterns))
    options = {name: value for name, value in vars(how).items() if name != "engine"}
    found = Result(folder, TABLES)
    found.begin({**options, **selection.description()}, paths, resume=resume)
    rows_of = partial(summarize, reading=how)
    process = Process(tuple(TABLES), selection, rows_of, unreadable)
    run = Run(found, process, watch)
    with ExitStack() as stack:
        run.all(paths, chunk_bytes, lambda: client_for(stack, client, jobs))
    return run.progress


@dataclass
class Run:
    """A run: workers call `process` with the chunks that the result does not have."""

    result: Result
    process: Process
    watch: Callable[[Progress], None] | None
    progress: Progress = field(default_factory=Progress)

    def all(self, paths: list[str], chunk_bytes: int, connect: Callable[[], Client]) -> None:
        """Process all that is new or changed, on a cluster that is started if there is any."""
        self._drop_others(paths, chunk_bytes)
        found = chunks(self._pieces(self.sources(paths), chunk_bytes), chunk_bytes)
        self._process(filter(self._is_left, found), connect)

    def sources(self, paths: list[str]) -> Iterator[Source]:
        """Yield the files and archives of `paths`, each once."""
        seen: set[int] = set()
        for source in list_sources(paths, real_path(self.left_out), self.process.selection):
            number = hash(source.path)
            if number not in seen:
                seen.add(number)
                yield source

    @property
    def left_out(self) -> Path:
        """The folder that is not read."""
        return self.result.folder

    def _drop_others(self, paths: list[str], chunk_bytes: int) -> None:
        """Drop the rows of what has changed and what is gone, before there are others.

        The sources are listed twice for that: to keep the list would take memory.
        """
        names, archives = set(), set()

        def whole() -> Iterator[Piece]:
            for source in self.sources(paths):
                if is_divided(source, chunk_bytes):
                    archives.add(archive_name(source))
                    # What is before and after it is not in one chunk.
                    yield Piece(source, is_part=True)
                else:
                    yield from pieces_of(source, (), chunk_bytes)

        for chunk in chunks(whole(), chunk_bytes):
            names.add(chunk_name(chunk))
        self.result.keep(names, archives)

    def _pieces(self, found: Iterable[Source], chunk_bytes: int) -> Iterator[Piece]:
        for source in found:
            done = self.result.done_pieces(source) if is_divided(source, chunk_bytes) else ()
            yield from pieces_of(source, done, chunk_bytes, self.process.selection)

    def _is_left(self, chunk: Chunk) -> bool:
        """Whether a chunk is still to be processed; count it if not."""
        name = chunk_name(chunk)
        if not self.result.is_done(name):
            return True
        self.progress.known += self.result.count_files(name)
        self.progress.stored_before += sum(piece.stored for piece in chunk)
        return False

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
            self._process_suspect(client, suspect)

    def _process_suspect(self, client: Client, suspect: Chunk) -> None:
        """Process a chunk in parts, each while nothing else is processed."""
        waiting = deque([suspect])
        done: list[Outcome] = []
        failed: list[tuple[Chunk, str]] = []
        while waiting:
            outcome = self._process_alone(client, waiting[0])
            chunk = waiting.popleft()
            if isinstance(outcome, Outcome):
                done.append(outcome)
            elif isinstance(outcome, str):
                failed.append((chunk, outcome))
            else:
                waiting.extend(outcome)
        problems = {problem for _, problem in failed}
        if len(failed) > 1 and len(problems) == 1 and _ENDED not in problems and not done:
            raise RunError(f"each of {len(failed)} files fails alike: {problems.pop()}")
        for chunk, problem in failed:
            self.progress.failed.append((chunk[0].source.path, problem))
            done.append(self.process.not_processed(chunk[0], problem))
        self.store(suspect, Outcome.joined(done))

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

    def _process_alone(self, client: Client, chunk: Chunk) -> Outcome | str | list[Chunk]:
        """Process a chunk while nothing else is processed: its outcome, its halves if that fails,
        or why a single file fails."""
        from distributed import KilledWorker

        parts = halves(chunk, self.process.selection)
        for _ in range(_MOST_TRIES_OF_A_FILE if len(parts) == 1 else 1):
            future = self._submit(client, chunk)
            outcome = _outcome(future)
            if isinstance(outcome, Outcome):
                return outcome
            future.release()
            if not isinstance(outcome, KilledWorker):
                break
        if len(parts) > 1:
            return parts
        is_killed = isinstance(outcome, KilledWorker)
        return _ENDED if is_killed else f"{type(outcome).__name__}: {outcome}"

    def _submit(self, client: Client, chunk: Chunk) -> Future:
        future: Future = client.submit(self.process, chunk, pure=False)
        return future

    def store(self, chunk: Chunk, outcome: Outcome) -> None:
        """Store the outcome of a chunk."""
        self.result.add(chunk_name(chunk), outcome)
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
