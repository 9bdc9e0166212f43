"""What a worker does with a chunk: its files become rows of tables, as Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any

from sgf_lark.archive.chunks import Chunk, Piece, member_name, read_piece
from sgf_lark.archive.columns import schema
from sgf_lark.archive.sources import Selection
from sgf_lark.files.inputs import Input

if TYPE_CHECKING:
    import pyarrow.parquet

#: The values of a row by column.
Row = dict[str, Any]
#: The rows of a file by table.
Rows = dict[str, list[Row]]

#: Rows become columns when there are this many of a table: as dictionaries they take several
#: times the memory.
_ROWS_AT_ONCE = 1000
#: They are written when there are this many, or contents of files of this size.
_ROWS_OF_GROUP = 20_000
_BYTES_OF_GROUP = 2**23

#: Held by the thread of a worker that processes a chunk.
_ONE_AT_A_TIME = Lock()


@dataclass
class Outcome:
    """The rows of a chunk as Parquet by table, empty where there are none, and counts.

    `findings` are the diagnostics or changes, and `hashes` the SHA-256 of the files outside
    archives, by path.
    """

    parquet: dict[str, bytes]
    files: int = 0
    bytes: int = 0
    findings: int = 0
    hashes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Process:
    """What is done with the files of a chunk.

    `rows_of` makes the rows of a file, which the file or archive of a path has at a number, and
    `unreadable` those for a problem in a place. Of the `tables`, one has a row for each file, and
    one for each finding.
    """

    tables: tuple[str, ...]
    table_of_files: str
    table_of_findings: str
    selection: Selection
    rows_of: Callable[[Input, str, int], Rows]
    unreadable: Callable[[Row, str], Rows]

    def __call__(self, chunk: Chunk) -> Outcome:
        """Process the files of a chunk.

        In a worker with several threads one of them does this at a time: Python would not run them
        at the same time, and the caches of the validation are those of the process.
        """
        with _ONE_AT_A_TIME:
            return self._outcome(
                self.rows_of(file, piece.source.path, number)
                for piece in chunk
                for number, file in enumerate(read_piece(piece, self.selection), piece.first)
            )

    def not_processed(self, piece: Piece, problem: str) -> Outcome:
        """The outcome for one file that ended the process that read it, or that raised an error."""
        place = {"path": piece.source.path, "member": member_name(piece, self.selection)}
        return self._outcome([self.unreadable(place, problem)])

    def _outcome(self, files: Iterable[Rows]) -> Outcome:
        writers = {table: TableWriter(table) for table in self.tables}
        outcome = Outcome({})
        for rows in files:
            for table, some in rows.items():
                writers[table].add(some)
            [row] = rows[self.table_of_files]
            outcome.files += 1
            outcome.bytes += row.get("size") or 0
            found = rows.get(self.table_of_findings, ())
            outcome.findings += sum(each.get("times", 1) for each in found)
            if row["member"] is None and "sha256" in row:
                outcome.hashes[row["path"]] = row["sha256"].hex()
        outcome.parquet = {table: writer.finish() for table, writer in writers.items()}
        return outcome


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

        columns = []
        for name, kind in zip(self.schema.names, self.schema.types, strict=True):
            values = [row.get(name) for row in self.rows]
            try:
                columns.append(pyarrow.array(values, kind))
            except (ValueError, OverflowError):
                end = 2**64 if kind == pyarrow.uint64() else 2**63
                values = [_storable(value, end) for value in values]
                columns.append(pyarrow.array(values, kind))
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
