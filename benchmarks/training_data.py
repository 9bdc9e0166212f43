"""Training data from archives: the board before each move, and the move.

python benchmarks/training_data.py SOURCE... -o FOLDER [--size 19]

writes a folder of Parquet files, one for each partition of the bag of games: `planes`, the bytes of
two planes of the board (own stones, stones of the opponent; row by row, 0 or 1), `move`, the number
of the point that was played (row * size + column, or size * size for a pass), and `won`, whether
the player won the game, or null. Only games of Go without setup after the root are used.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sgf_lark import GameTree, loads
from sgf_lark.archive.main_lines import main_line
from sgf_lark.files.contents import read_all
from sgf_lark.files.inputs import ARCHIVE_SUFFIXES, SGF_SUFFIXES
from sgf_lark.model.board import Board
from sgf_lark.model.cells import BLACK, COLORS, WHITE


def examples(game: GameTree, size: int) -> Iterator[dict[str, Any]]:
    """Yield an example for each move on the main line of a game."""
    line = main_line(game)
    if line is None or (line.columns, line.rows) != (size, size):
        return
    if any(setup.before for setup in line.setups):
        return
    board = Board(size, size)
    for setup in line.setups:
        for color, points in setup.points.items():
            for point in points:
                board.put(point, color)
    result = str(game.root.get("RE") or "")[:2]
    winner = {"B+": BLACK, "W+": WHITE}.get(result)
    for color, column, row in zip(line.colors, line.xs, line.ys, strict=True):
        is_pass = column >= size
        yield {
            "planes": planes(board, color, size),
            "move": size * size if is_pass else row * size + column,
            "won": None if winner is None else color == winner,
        }
        if not is_pass:
            board.add_stone((column, row), color)


def planes(board: Board, color: int, size: int) -> bytes:
    """Return the stones of the player and those of the opponent, a byte for each point."""
    found = bytearray(2 * size * size)
    for (column, row), owner in board.stones.items():
        plane = 0 if owner is COLORS[color] else 1
        found[plane * size * size + row * size + column] = 1
    return bytes(found)


def write(number: int, games: Iterable[GameTree], folder: str, size: int) -> list[int]:
    """Write the examples of a partition; return their number, in a list for a bag."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema(
        {"planes": pyarrow.binary(), "move": pyarrow.int16(), "won": pyarrow.bool_()}
    )
    rows = [row for game in games for row in examples(game, size)]
    table = pyarrow.Table.from_pylist(rows, schema=schema)
    path = Path(folder) / f"{number:06}.parquet"
    pyarrow.parquet.write_table(table, path, compression="zstd")
    return [len(rows)]


def _games(path: str) -> list[GameTree]:
    """Return the games in a file or an archive."""
    files = read_all([path] if path.endswith((*SGF_SUFFIXES, *ARCHIVE_SUFFIXES)) else [])
    return [game for file in files for game in loads(file.data or b"", tolerant=True)]


def make(sources: list[str], folder: Path, size: int = 19) -> int:
    """Write the training data of `sources` to `folder`; return the number of examples."""
    import dask
    import dask.bag

    folder.mkdir(parents=True, exist_ok=True)
    names = [Path(source) for source in sources]
    paths = [path for name in names for path in (name.rglob("*") if name.is_dir() else [name])]
    games = dask.bag.from_sequence(map(str, paths)).map(_games).flatten()
    partitions = games.to_delayed()
    written = [
        dask.delayed(write)(number, games, str(folder), size)
        for number, games in enumerate(partitions)
    ]
    return int(sum(dask.bag.from_delayed(written).compute()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("sources", nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--size", type=int, default=19)
    options = parser.parse_args()
    print(f"{make(options.sources, options.output, options.size)} examples")


if __name__ == "__main__":
    main()
