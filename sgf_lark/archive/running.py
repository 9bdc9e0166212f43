"""The run of an audit, or of another process for chunks: they go to workers of a cluster of Dask,
where their files become rows of tables, and these go into the result."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from sgf_lark.archive.results import (
    TABLES,
    Processed,
    Result,
    Row,
    Rows,
    TableWriter,
    as_parquet,
    chunk_name,
    digest_of,
)
from sgf_lark.archive.sources import (
    Chunk,
    Piece,
    Selection,
    Source,
    chunks,
    is_divided,
    list_sources,
    pieces_of,
    read_piece,
    single_files,
    stored_size,
)
from sgf_lark.archive.summarizing import AuditOptions, summarize, unreadable
from sgf_lark.files.inputs import Input, Patterns, real_path
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
    """What this run has finished: files, bytes unpacked and diagnostics.

    `stored` are the bytes as stored of all that is finished, also by earlier runs, of `total`.
    """

    files: int = 0
    bytes: int = 0
    findings: int = 0
    stored: int = 0
    total: int = 0
    #: Files that ended workers or raised errors, each with the reason.
    failed: list[tuple[str, str]] = field(default_factory=list)
    started: float = field(default_factory=monotonic)


def audit(
    sources: Iterable[str | PathLike[str]],
    result: str | PathLike[str],
    client: Client | None = None,
    *,
    jobs: int | None = None,
    max_size: int | None = None,
    exclude: Iterable[str] = (),
    watch: Callable[[Progress], None] | None = None,
    **reading: Any,
) -> Progress:
    """Validate and summarize all files of `sources` into tables in the folder `result`.

    `sources` are files, folders, and zip and tar archives. The work is done by the workers of
    `client`, a :class:`distributed.Client`, or by `jobs` processes of this machine, by default one
    for each processor. What `result` has already is kept: only chunks with new and changed files
    are read, and files that are gone are dropped. A file counts as unchanged if its size and time
    are the same. Files that match a pattern in `exclude`, relative to the current folder, are left
    out. `watch` is called with the progress after each chunk. `reading` are the options of
    :func:`sgf_lark.validate`: profile, select, ignore, charset, default_charset, charset_mode,
    file_format, game.

    Without `client` an active one is used, as in other functions of Dask, unless `jobs` are given.

    Raises ValueError or LookupError for options that :func:`sgf_lark.validate` does not take;
    ResultError if `result` is a folder of something else or of other options, or if another run
    begins to write there; RunError if no cluster can be started, or if all files
    of a chunk raise the same error; OSError.
    """
    how = AuditOptions(**reading)
    validate(b"(;)", **vars(how))  # raises for wrong options
    patterns = tuple(exclude)
    selection = Selection(max_size=max_size, folder=str(Path.cwd()), excluded=Patterns(patterns))
    options = {name: value for name, value in vars(how).items() if name != "engine"}
    process = Process(tuple(TABLES), selection, partial(summarize, reading=how), unreadable)
    run = Run(Result(Path(result), TABLES), process, watch)
    options |= selection.description()
    return run.all([os.fspath(each) for each in sources], options, client, jobs)


@dataclass
class Run:
    """A run: workers call `process` with the chunks that the result does not have."""

    result: Result
    process: Process
    watch: Callable[[Progress], None] | None
    progress: Progress = field(default_factory=Progress)

    def all(
        self, paths: list[str], options: dict[str, Any], client: Client | None, jobs: int | None
    ) -> Progress:
        """Process all that is new or changed; if there is any, a cluster is started, unless
        :func:`client_for` has another client.

        Raises RunError where all files of a chunk raise the same error: that is not about them.
        """
        self.result.begin(options, paths)
        self._drop_others(paths)
        pieces = (
            piece
            for source in self.sources(paths)
            for piece in pieces_of(source, self.process.selection)
        )
        left = filter(self._is_left, chunks(pieces))
        first = next(left, None)
        if first is not None:
            with ExitStack() as stack:
                client = client_for(stack, client, jobs)
                for suspect in self._process_together(client, chain([first], left)):
                    self._process_suspect(client, suspect)
        return self.progress

    def sources(self, paths: list[str]) -> Iterator[Source]:
        """Yield the files and archives of `paths`, each once."""
        seen: set[int] = set()
        for source in list_sources(paths, real_path(self.left_out), self.process.selection):
            # Numbers, since an archive may have millions of paths; two that are equal by chance are
            # one in 2 ** 64.
            number = hash(source.path)
            if number not in seen:
                seen.add(number)
                yield source

    @property
    def left_out(self) -> Path:
        """The folder that is not read."""
        return self.result.folder

    def _drop_others(self, paths: list[str]) -> None:
        """Drop the rows of what has changed and what is gone, before there are others.

        The sources are listed twice for that: to keep the list would take memory.
        """
        names, archives = set(), set()

        def whole() -> Iterator[Piece]:
            for source in self.sources(paths):
                self.progress.total += source.size
                if is_divided(source):
                    archives.add(digest_of(source))
                    # What is before and after it is not in one chunk.
                    yield Piece(source, is_part=True)
                else:
                    yield from pieces_of(source)

        for chunk in chunks(whole()):
            names.add(chunk_name(chunk))
        self.result.keep(names, archives)

    def _is_left(self, chunk: Chunk) -> bool:
        """Whether a chunk is still to be processed; count its bytes if not."""
        if not self.result.is_done(chunk_name(chunk)):
            return True
        self.progress.stored += stored_size(chunk)
        return False

    # Doing it

    def _process_suspect(self, client: Client, suspect: Chunk) -> None:
        """Process the files of a chunk one by one, each while nothing else is processed."""
        done: list[Outcome] = []
        failed: list[tuple[Row, str]] = []
        for piece, member in single_files(suspect, self.process.selection):
            outcome = self._process_alone(client, piece)
            if isinstance(outcome, Outcome):
                done.append(outcome)
            else:
                failed.append(({"path": piece.source.path, "member": member}, outcome))
        problems = {problem for _, problem in failed}
        if len(failed) > 1 and len(problems) == 1 and _ENDED not in problems and not done:
            raise RunError(f"each of {len(failed)} files fails alike: {problems.pop()}")
        for place, problem in failed:
            self.progress.failed.append((place["path"], problem))
            done.append(self.process.not_processed(place, problem))
        self.store(suspect, Outcome.joined(done))

    def _process_together(self, client: Client, found: Iterator[Chunk]) -> list[Chunk]:
        """Keep all workers busy; return the chunks whose worker ended or raised an error.

        When a worker ends, it is unknown which of its chunks was the cause, if any was.
        """
        from distributed import as_completed

        suspects: list[Chunk] = []
        submitted: dict[Any, Chunk] = {}
        # The loop of this client: without it Dask takes that of the default client, if there is
        # one.
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

    def _process_alone(self, client: Client, piece: Piece) -> Outcome | str:
        """Process a file while nothing else is processed: its outcome, or why it fails."""
        from distributed import KilledWorker

        for _ in range(_MOST_TRIES_OF_A_FILE):
            future = self._submit(client, (piece,))
            outcome = _outcome(future)
            if isinstance(outcome, Outcome):
                return outcome
            future.release()
            if not isinstance(outcome, KilledWorker):
                return f"{type(outcome).__name__}: {outcome}"
        return _ENDED

    def _submit(self, client: Client, chunk: Chunk) -> Future:
        # Not pure: a second try would get the result of the first one, which failed.
        future: Future = client.submit(self.process, chunk, pure=False)
        return future

    def store(self, chunk: Chunk, outcome: Outcome) -> None:
        """Store the outcome of a chunk."""
        self.result.add(chunk_name(chunk), outcome.parquet)
        self.progress.files += outcome.files
        self.progress.bytes += outcome.bytes
        self.progress.findings += outcome.findings
        self.progress.stored += stored_size(chunk)
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


#: A file to write: the path of its source, its name in that, if it is an archive, and its content.
Written = tuple[str, str | None, bytes]

#: Held by the thread of a worker that processes a chunk.
_ONE_AT_A_TIME = Lock()


@dataclass
class Outcome:
    """The rows of a chunk as Parquet by table, empty where there are none, and counts.

    `findings` are the diagnostics or changes, and `written` the files to write.
    """

    parquet: dict[str, bytes]
    files: int = 0
    bytes: int = 0
    findings: int = 0
    written: list[Written] = field(default_factory=list)

    @classmethod
    def joined(cls, parts: list[Outcome]) -> Outcome:
        """The outcome of a chunk that was processed in parts."""
        return cls(
            {table: _joined(each.parquet[table] for each in parts) for table in parts[0].parquet},
            sum(each.files for each in parts),
            sum(each.bytes for each in parts),
            sum(each.findings for each in parts),
            [file for each in parts for file in each.written],
        )


def _joined(contents: Iterable[bytes]) -> bytes:
    """One Parquet file for several, some of which may be empty."""
    import pyarrow.parquet

    return as_parquet([pyarrow.parquet.read_table(BytesIO(each)) for each in contents if each])


@dataclass(frozen=True)
class Process:
    """What is done with the files of a chunk.

    `rows_of` makes the rows of a file that the file or archive of a path has, and `unreadable`
    those for a problem in a place. Of the `tables` the first has a row for each file, and the last
    one for each finding.
    """

    tables: tuple[str, ...]
    selection: Selection
    rows_of: Callable[[Input, str], Processed]
    unreadable: Callable[[Row, str], Rows]

    def __call__(self, chunk: Chunk) -> Outcome:
        """Process the files of a chunk.

        In a worker with several threads one of them does this at a time: Python would not run them
        at the same time, and the caches of the validation and the open archive are those of the
        process.
        """
        with _ONE_AT_A_TIME:
            return self._outcome(
                (piece.source.path, file.inner, *self.rows_of(file, piece.source.path))
                for piece in chunk
                for file in read_piece(piece, self.selection)
            )

    def not_processed(self, place: Row, problem: str) -> Outcome:
        """The outcome for one file that ended the process that read it, or that raised an error."""
        rows = self.unreadable(place, problem)
        return self._outcome([(place["path"], place["member"], rows, None)])

    def _outcome(self, files: Iterable[tuple[str, str | None, Rows, bytes | None]]) -> Outcome:
        writers = {table: TableWriter(table) for table in self.tables}
        outcome = Outcome({})
        for path, member, rows, data in files:
            for table, some in rows.items():
                writers[table].add(some)
            [row] = rows[self.tables[0]]
            outcome.files += 1
            outcome.bytes += row.get("size") or 0
            found = rows.get(self.tables[-1], ())
            outcome.findings += sum(each.get("times", 1) for each in found)
            if data is not None:
                outcome.written.append((path, member or None, data))
        outcome.parquet = {table: writer.finish() for table, writer in writers.items()}
        return outcome


#: Settings of Dask while a cluster of this machine starts.
_SETTINGS = {
    # The task of a worker that ended fails at once: the run decides whether it is tried again.
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.worker.multiprocessing-method": "spawn",
}
#: Those in its workers, also in those that start later.
_SETTINGS_OF_WORKERS = {
    # The profile of a worker, with the call stacks of an hour, grows to 50 MB.
    "distributed.worker.profile.enabled": False,
}
#: Ctrl-C goes to all processes of a terminal: the first one ends the others.
_PRELOAD = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"


class RunError(RuntimeError):
    """Why a run cannot be started, or goes on to no purpose."""


def client_for(stack: ExitStack, client: Client | None, jobs: int | None) -> Client:
    """The client to use: `client`; without `jobs` the one that is active, as Dask's own functions
    take it; or that of a new cluster of `jobs` processes on this machine, which `stack` closes.

    Raises RunError where that cluster does not start.
    """
    from distributed import Client

    if client is not None:
        return client
    if jobs is None:
        with suppress(ValueError):  # there is none
            return Client.current()
    return _local_client(stack, jobs)


def _local_client(stack: ExitStack, jobs: int | None) -> Client:
    import dask
    from dask.system import CPU_COUNT
    from distributed import Client, LocalCluster

    workers = jobs or CPU_COUNT
    try:
        # These are settings of the process: they stay only as long as something starts.
        with dask.config.set(_SETTINGS):
            cluster = stack.enter_context(
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    # To look for the packages of the dashboard changes the configuration of Dask.
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.CRITICAL,
                    config=_SETTINGS_OF_WORKERS,
                    preload=[_PRELOAD],
                )
            )
            # A worker that ends while it starts is not started again otherwise.
            cluster.adapt(minimum=workers, maximum=workers)
            return stack.enter_context(Client(cluster, set_as_default=False))
    except (OSError, RuntimeError) as error:
        raise RunError(f"the cluster of this machine does not start: {error}") from error


#: The longest wait for a scheduler.
TIME_LIMIT = "10s"


def connected_client(address: str) -> Client:
    """A client of the scheduler at that address, which is not the default of this process.

    Raises RunError.
    """
    from distributed import Client

    try:
        return Client(address, timeout=TIME_LIMIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(f"no scheduler answers at {address}: {error}") from error
