"""The tables of audits and of rewritten archives: names, columns, types, and what they mean."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pyarrow


class Column(NamedTuple):
    """A column: its name, its type as pyarrow names it, and what it means.

    A column of a type that ends in "not null" has a value in each row; "dictionary" are strings.
    """

    name: str
    type: str
    description: str


_PLACE = (
    Column("path", "dictionary not null", "the file or archive, as it was given or found"),
    Column("member", "string", "the name of the file in the archive; null outside archives"),
)
_GAME = Column("game_index", "int32 not null", "the number of the game in the file, from 1")

FILES = (
    *_PLACE,
    Column("size", "int64", "bytes, unpacked; null for a file that could not be read"),
    Column("sha256", "binary(32)", "SHA-256 of the unpacked bytes"),
    Column(
        "charset", "dictionary", "the charset in which the texts of the first game were decoded"
    ),
    Column("declared_charset", "dictionary", "CA of the first game, as written"),
    Column("ok", "bool not null", "whether there is no error"),
    Column("error", "int32 not null", "the number of errors"),
    Column("warning", "int32 not null", "the number of warnings"),
    Column("style", "int32 not null", "the number of style notes"),
    Column("games", "int32 not null", "the number of game trees"),
    Column("program", "dictionary", "AP of the first game: the program that wrote the file"),
    Column("seconds", "float32", "time for validating and summarizing the file"),
    Column("problem", "string", "why it could not be read; null if it was"),
)

GAMES = (
    *_PLACE,
    _GAME,
    Column("gm", "int64 not null", "GM, the kind of game; 1 is Go"),
    Column("ff", "int32 not null", "FF, the file format; 1 if it is missing"),
    Column("width", "int64", "the columns of the board; null for games without board size"),
    Column("height", "int64", "the rows of the board; null for games without board size"),
    Column("black", "string", "PB"),
    Column("black_rank", "dictionary", "BR"),
    Column("black_team", "string", "BT"),
    Column("white", "string", "PW"),
    Column("white_rank", "dictionary", "WR"),
    Column("white_team", "string", "WT"),
    Column("date", "string", "DT as written"),
    Column("first_date", "date32", "the first day that DT names; 1 January if DT is only a year"),
    Column("last_date", "date32", "the last day that DT names; 31 December if DT is only a year"),
    Column("result", "string", "RE as written"),
    Column("winner", "dictionary", "B or W; null for a draw, no result and what is not understood"),
    Column("margin", "float64", "the points by which the winner won"),
    Column(
        "reason",
        "dictionary",
        "how the game ended: score, resignation, time, forfeit, draw, void or unknown",
    ),
    Column("komi", "float64", "KM"),
    Column("handicap", "int64", "HA"),
    Column("rules", "dictionary", "RU"),
    Column("event", "string", "EV"),
    Column("place", "string", "PC"),
    Column("moves", "int32 not null", "the number of moves on the main line, passes included"),
    Column("main_line", "int32 not null", "the number of nodes on the main line"),
    Column("nodes", "int32 not null", "the number of nodes"),
    Column("variations", "int32 not null", "the number of leaves besides the end of the main line"),
    Column("depth", "int32 not null", "the greatest number of nodes from the root to a leaf"),
    Column("comment_length", "int64 not null", "characters in all comments (C)"),
    Column(
        "language", "dictionary", "the likely language of the texts; null where it is not known"
    ),
    Column(
        "moves_hash",
        "uint64",
        "64 bits of a hash of the main line, the same for all symmetries of the board and for "
        "swapped colors; null without a move",
    ),
    Column(
        "position_hash",
        "uint64",
        "64 bits of a hash of the position after the main line, the same for all symmetries and "
        "for swapped colors; null for games other than Go",
    ),
    Column(
        "signature",
        "string",
        "the Dyer signature: the points of moves 20, 40, 60, 31, 51 and 71 as written; ?? for a "
        "move that is missing, -- for a pass",
    ),
    Column("canonical_moves", "string", "the main line in the symmetry of moves_hash"),
    Column("orientation", "int8", "which symmetry and colors make the moves as written of these"),
)

DIAGNOSTICS = (
    *_PLACE,
    Column("game_index", "int32", "the number of the game in the file, from 1; null for none"),
    Column("node", "int32", "the number of the node in the game, 0-based in pre-order; or null"),
    Column("code", "dictionary not null", "the code of the rule"),
    Column("severity", "dictionary not null", "error, warning or style"),
    Column("line", "int64 not null", "the line of the file, 1-based"),
    Column("column_number", "int64 not null", "the column in characters, 1-based"),
    Column("ident", "dictionary", "the property identifier, or null"),
    Column(
        "fix",
        "dictionary",
        "safe if fix changes it, unsafe if only fix --unsafe does; null without fix",
    ),
)

#: What was changed in files, by fix or convert.
CHANGES = (
    *_PLACE,
    Column("code", "dictionary", "the code of the rule; null for what a format cannot represent"),
    Column("safe", "bool not null", "whether nothing was dropped or guessed"),
    Column("line", "int64", "the line of the file before, 1-based; null where it is not known"),
    Column(
        "column_number", "int64", "the column in characters, 1-based; null where it is not known"
    ),
    Column("before", "string", "the text before"),
    Column("after", "string", "the text after"),
    Column(
        "message", "string not null", "what was wrong, or why something could not be represented"
    ),
)

REWRITTEN = (
    *_PLACE,
    Column("size", "int64", "bytes before, unpacked; null for a file that could not be read"),
    Column("new_size", "int64", "bytes after, unpacked; null for a file that was not processed"),
    Column("is_changed", "bool not null", "whether the bytes were changed"),
    Column("changes", "int32 not null", "the number of rows in the table of changes"),
    Column("error", "int32", "the number of errors that are left or that prevent a conversion"),
    Column("warning", "int32", "the number of warnings that are left; null after archive convert"),
    Column("problem", "string", "why it was not processed; null if it was"),
)

#: The new bytes of files until they are written.
_CONTENTS = (
    Column("path", "string not null", "the file or archive"),
    Column("number", "int64 not null", "the number of the game file in the archive, 0-based"),
    Column("data", "binary", "the new content; null if there is none"),
)

#: The tables of an audit by name.
TABLES = {"files": FILES, "games": GAMES, "diagnostics": DIAGNOSTICS}
#: The tables about files that were rewritten by name.
REWRITE_TABLES = {"changes": CHANGES, "rewritten": REWRITTEN}
CONTENTS = "contents"
_ALL = {**TABLES, **REWRITE_TABLES, CONTENTS: _CONTENTS}


def readable_type(column: Column) -> str:
    """The type of the values in a column, such as "string" or "int32"."""
    return column.type.removesuffix(" not null").replace("dictionary", "string")


def columns_of(table: str) -> tuple[Column, ...]:
    """The columns of a table."""
    return _ALL[table]


@cache
def schema(table: str) -> pyarrow.Schema:
    """The schema of a table, with the descriptions of its columns as metadata."""
    import pyarrow

    # Words that are repeated often are stored once, with their numbers in the rows.
    special = {
        "dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
        "binary(32)": pyarrow.binary(32),
    }
    fields = []
    for name, written, description in _ALL[table]:
        kind = written.removesuffix(" not null")
        found = special.get(kind) or pyarrow.type_for_alias(kind)
        metadata = {"description": description}
        fields.append(pyarrow.field(name, found, kind == written, metadata))
    return pyarrow.schema(fields)
