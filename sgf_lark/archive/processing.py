"""What a worker does with a chunk: its files become rows of tables, as Parquet, and new files."""

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

#: The rows of a file, and its new content, if it is to be written.
Processed = tuple[Rows, bytes | None]

#: A file to write: the path of its source, its name in that, if it is an archive, and its content.
Written = tuple[str, str | None, bytes]

#: Rows become columns when there are this many of a table: as dictionaries they take several
#: times the memory.
_ROWS_AT_ONCE = 1000
#: They are written when there are this many.
_ROWS_OF_GROUP = 20_000

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
        if len(parts) == 1:
            return parts[0]
        return cls(
            {table: _joined([each.parquet[table] for each in parts]) for table in parts[0].parquet},
            sum(each.files for each in parts),
            sum(each.bytes for each in parts),
            sum(each.findings for each in parts),
            [file for each in parts for file in each.written],
        )


def _joined(contents: list[bytes]) -> bytes:
    """One Parquet file for several, some of which may be empty."""
    import pyarrow
    import pyarrow.parquet

    tables = [pyarrow.parquet.read_table(BytesIO(content)) for content in contents if content]
    if not tables:
        return b""
    buffer = BytesIO()
    pyarrow.parquet.write_table(pyarrow.concat_tables(tables), buffer, compression="zstd")
    return buffer.getvalue()


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
        at the same time, and the caches of the validation are those of the process.
        """
        with _ONE_AT_A_TIME:
            return self._outcome(
                (piece.source.path, file.inner, *self.rows_of(file, piece.source.path))
                for piece in chunk
                for file in read_piece(piece, self.selection)
            )

    def not_processed(self, piece: Piece, problem: str) -> Outcome:
        """The outcome for one file that ended the process that read it, or that raised an error."""
        member = member_name(piece, self.selection)
        place = {"path": piece.source.path, "member": member}
        return self._outcome([(piece.source.path, member, self.unreadable(place, problem), None)])

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


class TableWriter:
    """Rows of one table on their way to Parquet."""

    def __init__(self, table: str) -> None:
        self.schema = schema(table)
        self.rows: list[Row] = []
        self.packed: list[pyarrow.Table] = []
        self.buffer = BytesIO()
        self.writer: pyarrow.parquet.ParquetWriter | None = None

    def add(self, rows: list[Row]) -> None:
        """Add rows; columns that they lack are null."""
        self.rows.extend(rows)
        if len(self.rows) >= _ROWS_AT_ONCE:
            self._pack()
        if sum(table.num_rows for table in self.packed) >= _ROWS_OF_GROUP:
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
        return storable_text(value)
    if isinstance(value, int) and not -end < value < end:
        return None
    return value


def storable_text(text: str) -> str:
    """The text with escapes for lone surrogates, which stand for bytes in names of files."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
