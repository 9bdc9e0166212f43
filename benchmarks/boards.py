"""Measures walks through games with the board at every node, and of other libraries, in one run.

python benchmarks/boards.py [FOLDER] [--rounds N] [--games N]

The input is the main lines of games of Go on 19 by 19: those in the .sgf files of FOLDER, or
generated ones. One core is used; the files are in memory. The rounds of all contestants are
interleaved, and the result is the median. A game that a library cannot read, or whose moves it
refuses, counts as unread, and its moves are not counted.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

#: Walks through one game and returns the number of boards that it had.
Contestant = Callable[[bytes], int]

SGFMILL = "sgfmill: one board that changes"
_LETTERS = "abcdefghijklmnopqrs"


def own_walk(data: bytes) -> int:
    import sgf_lark

    return sum(1 for node in sgf_lark.loads(data)[0].main_line() if node.board())


def own_arrays(data: bytes) -> int:
    import sgf_lark

    tree = sgf_lark.loads(data)[0]
    return sum(1 for node in tree.main_line() if node.board().to_numpy().size)


def _sgfmill_boards(data: bytes) -> Iterator[object]:
    """The board of sgfmill after each node; it is the same object each time."""
    from sgfmill.boards import Board
    from sgfmill.sgf import Sgf_game

    game = Sgf_game.from_bytes(data)
    board = Board(game.get_size())
    for node in game.get_main_sequence():
        if node.has_setup_stones():
            board.apply_setup(*node.get_setup_stones())
        color, move = node.get_move()
        if move is not None:
            board.play(*move, color)
        yield board


def sgfmill_walk(data: bytes) -> int:
    return sum(1 for _ in _sgfmill_boards(data))


def sgfmill_copies(data: bytes) -> int:
    """With a copy of each board, as sgf_lark gives it."""
    return len([board.copy() for board in _sgfmill_boards(data)])  # type: ignore[attr-defined]


def sente_walk(data: bytes) -> int:
    """With the array of each position, as sente does not give out boards."""
    import sente

    game = sente.sgf.loads(data.decode("latin-1"))
    count = 0
    for move in game.get_default_sequence():
        game.play(move)
        count += game.numpy(["black_stones", "white_stones"]).size > 0
    return count


def pgx_walk() -> Contestant:
    """One compiled step of pgx for each move; no setup, and no SGF: sgfmill reads the moves."""
    import jax
    import jax.numpy as jnp
    import pgx
    from sgfmill.sgf import Sgf_game

    environment = pgx.make("go_19x19")
    first = jax.jit(environment.init)(jax.random.PRNGKey(0))
    step = jax.jit(environment.step)

    def walk(data: bytes) -> int:
        state, count = first, 0
        for node in Sgf_game.from_bytes(data).get_main_sequence():
            color, move = node.get_move()
            if color is not None:
                action = 361 if move is None else (18 - move[0]) * 19 + move[1]
                state = step(state, jnp.int32(action))
                count += 1
        state.terminated.block_until_ready()
        return count

    return walk


def contestants() -> dict[str, Contestant]:
    """What can be measured here; the libraries that are not installed are printed."""
    found: dict[str, Contestant] = {
        "sgf_lark: board of each node": own_walk,
        "sgf_lark: board and array of each node": own_arrays,
    }
    others: dict[str, dict[str, Callable[[], Contestant]]] = {
        "sgfmill": {
            SGFMILL: lambda: sgfmill_walk,
            "sgfmill: a copy of the board of each node": lambda: sgfmill_copies,
        },
        "sente": {"sente: array of each move": lambda: sente_walk},
        "pgx": {"pgx: state of each move, jitted, one game at a time": pgx_walk},
    }
    for module, made in others.items():
        if importlib.util.find_spec(module) is None:
            print(f"{module} is not installed: left out")
            continue
        found.update({name: make() for name, make in made.items()})
    return found


def generated(count: int) -> list[bytes]:
    """Games of 300 moves at random points, each of which is legal."""
    return [_game(Random(seed)) for seed in range(count)]


def _game(source: Random) -> bytes:
    import sgf_lark

    board = sgf_lark.loads(b"(;SZ[19])")[0].root.board()
    written = ["(;FF[4]GM[1]SZ[19]PB[Black]PW[White]KM[6.5]"]
    while len(written) < 301:
        point = source.choice(_LETTERS) + source.choice(_LETTERS)
        if board.legal(point):
            written.append(f";{board.to_play}[{point}]")
            board.play(point)
    return ("".join(written) + ")").encode()


def read(folder: Path, count: int) -> list[bytes]:
    """The first game of each file, if it is Go on 19 by 19."""
    import sgf_lark

    found: list[bytes] = []
    for path in sorted(folder.rglob("*.sgf")):
        try:
            tree = sgf_lark.loads(path.read_bytes())[0]
        except ValueError:
            continue
        if tree.game == 1 and tree.size == (19, 19) and len(found) < count:
            found.append(path.read_bytes())
    return found


def measure(files: list[bytes], rounds: int) -> dict[str, tuple[float, int, int]]:
    """Microseconds for a board (the median of the rounds), boards, and unread games."""
    found = contestants()
    readable: dict[str, list[bytes]] = {}
    boards: dict[str, int] = {}
    for name, walk in found.items():
        counts = {data: _count(walk, data) for data in files}
        readable[name] = [data for data, count in counts.items() if count]
        boards[name] = sum(counts.values())
    times: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(rounds):
        for name, walk in found.items():
            gc.collect()
            start = time.process_time()
            for data in readable[name]:
                walk(data)
            times[name].append(time.process_time() - start)
    return {
        name: (
            statistics.median(times[name]) / max(boards[name], 1) * 1e6,
            boards[name],
            len(set(files)) - len(readable[name]),
        )
        for name in found
    }


def _count(walk: Contestant, data: bytes) -> int:
    """The boards of a game; 0 if the library cannot read it or refuses a move."""
    try:
        return walk(data)
    except Exception:  # whatever a library raises
        return 0


def inputs_and_rounds(description: str) -> tuple[list[bytes], int]:
    """The games and the number of rounds that the arguments of the program ask for."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=100, help="At most this many games.")
    options = parser.parse_args()
    files = read(options.folder, options.games) if options.folder else generated(options.games)
    return files, options.rounds


def main() -> None:
    files, rounds = inputs_and_rounds(__doc__)
    measured = measure(files, rounds)
    base = measured.get(SGFMILL, (0.0, 0, 0))[0]
    print(f"{len(files)} games; with parsing; one core, median of {rounds} rounds")
    for name, (micros, boards, unread) in measured.items():
        ratio = f"{base / micros:6.2f} x sgfmill" if base and micros else ""
        print(f"{name:52} {micros:9.1f} us a board  {boards:7} boards  {unread:3} unread {ratio}")


if __name__ == "__main__":
    main()
