"""What a worker does with a chunk: read, validate and summarize its files, as Parquet."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from sgf_lark.archive.chunks import Chunk, Piece, member_name, read_piece
from sgf_lark.archive.columns import TABLES, schema
from sgf_lark.archive.sources import GAMES, Selection
from sgf_lark.archive.summarizing import Reading, Row, Rows, summarize, unreadable

if TYPE_CHECKING:
    import pyarrow.parquet

#: Rows become columns when there are this many of a table: as dictionaries they take several
#: times the memory.
_ROWS_AT_ONCE = 1000
#: They are written when there are this many, or contents of files of this size.
_ROWS_OF_GROUP = 20_000
_BYTES_OF_GROUP = 2**23

#: Held by the thread of a worker that processes a chunk.
ONE_AT_A_TIME = Lock()


@dataclass
class Outcome:
    """The rows of a chunk as Parquet by table, empty where there are none, and counts.

    `hashes` are the SHA-256 of the files outside archives, by path.
    """

    parquet: dict[str, bytes]
    files: int = 0
    bytes: int = 0
    findings: int = 0
    hashes: dict[str, str] = field(default_factory=dict)


def process(chunk: Chunk, reading: Reading, selection: Selection = GAMES) -> Outcome:
    """Read, validate and summarize the files of a chunk.

    In a worker with several threads one of them does this at a time: Python would not run them
    at the same time, and the caches of the validation are those of the process.
    """
    with ONE_AT_A_TIME:
        return _process(chunk, reading, selection)


def _process(chunk: Chunk, reading: Reading, selection: Selection) -> Outcome:
    writers = {table: TableWriter(table) for table in TABLES}
    outcome = Outcome({})
    for piece in chunk:
        path = piece.source.path
        for file in read_piece(piece, selection):
            _add(summarize(file, path, reading), writers, outcome)
    outcome.parquet = {table: writer.finish() for table, writer in writers.items()}
    return outcome


def not_processed(piece: Piece, problem: str, selection: Selection) -> Outcome:
    """The outcome for one file that ended the process that read it, or that raised an error."""
    place: Row = {"path": piece.source.path, "member": member_name(piece, selection)}
    writers = {table: TableWriter(table) for table in TABLES}
    outcome = Outcome({})
    _add(unreadable(place, problem), writers, outcome)
    outcome.parquet = {table: writer.finish() for table, writer in writers.items()}
    return outcome


def _add(rows: Rows, writers: dict[str, TableWriter], outcome: Outcome) -> None:
    """Add the rows of a file, and count it."""
    for table, writer in writers.items():
        writer.add(rows.of(table))
    [row] = rows.files
    outcome.files += 1
    outcome.bytes += row.get("size") or 0
    outcome.findings += len(rows.diagnostics)
    if row["member"] is None and "sha256" in row:
        outcome.hashes[row["path"]] = row["sha256"].hex()


class TableWriter:
    """Rows of one table on their way to Parquet."""

    def __init__(self, table: str) -> None:
        self.schema = schema(table)
        self.rows: list[Row] = []
        self.bytes = 0
        self.packed: list[pyarrow.Table] = []
        self.buffer = BytesIO()
        self.writer: pyarrow.parquet.ParquetWriter | None = None

    def add(self, rows: list[Row]) -> None:
        """Add rows; columns that they lack are null."""
        self.rows.extend(rows)
        self.bytes += sum(len(row.get("data") or b"") for row in rows)
        is_large = self.bytes >= _BYTES_OF_GROUP
        if len(self.rows) >= _ROWS_AT_ONCE or is_large:
            self._pack()
        if is_large or sum(table.num_rows for table in self.packed) >= _ROWS_OF_GROUP:
            self._write()

    def _pack(self) -> None:
        import pyarrow

        columns = {}
        for column in self.schema:
            end = 2**64 if column.type == pyarrow.uint64() else 2**63
            columns[column.name] = [_storable(row.get(column.name), end) for row in self.rows]
        self.packed.append(pyarrow.table(columns, schema=self.schema))
        self.rows.clear()

    def _write(self) -> None:
        import pyarrow
        import pyarrow.parquet

        if self.writer is None:
            self.writer = pyarrow.parquet.ParquetWriter(
                self.buffer, self.schema, compression="zstd"
            )
        self.writer.write_table(pyarrow.concat_tables(self.packed))
        self.packed.clear()
        self.bytes = 0

    def finish(self) -> bytes:
        """The Parquet file, empty where there are no rows."""
        if self.rows:
            self._pack()
        if self.packed:
            self._write()
        if self.writer is not None:
            self.writer.close()
        return self.buffer.getvalue()


def _storable(value: object, end: int) -> object:
    """The value as Parquet can hold it: no lone surrogates, only integers before `end`."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int) and not -end < value < end:
        return None
    return value
