"""CPU time of every command for hostile input of doubled size.

python benchmarks/hostile.py [--commands NAME ...] [--shapes NAME ...] [--sizes KB ...]
                             [--limit SECONDS] [--bad] [--list]

Each measurement is a child process with a limit of CPU time: input that takes longer, or that
ends the process, is a row of the table like any other. The output is a table in Markdown: the
seconds for each size, and the greatest growth of a doubling that takes long enough to measure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from multiprocessing.connection import Connection

from hostile_shapes import SHAPES

SIZES = [16, 32, 64, 128, 256]
#: A shorter time says nothing about growth.
MEASURABLE = 0.2
#: What growth of a doubling, and how many seconds, are too much.
GROWTH, SECONDS = 2.4, 5.0

SMALL = b"(;FF[4]GM[1]SZ[19]CA[UTF-8]DT[1996-05-06]RE[B+2]KM[6,5];B[aa]C[x];W[bb:])"


def validate(data: bytes) -> None:
    import sgf_lark

    sgf_lark.validate(data)


def plain(data: bytes) -> None:
    """Validate with Lark and all rules."""
    import sgf_lark

    sgf_lark.validate(data, engine="lark")


def read(data: bytes) -> None:
    """Load and read all values, by identifier too."""
    import sgf_lark

    for tree in sgf_lark.loads(data, tolerant=True):
        for node in tree.nodes():
            for entry in node.properties:
                try:
                    entry.values  # noqa: B018
                except ValueError:
                    continue
            for ident in node:
                node.property(ident)


def boards(data: bytes) -> None:
    """Load and give the position at the end of each main line."""
    import sgf_lark
    from sgf_lark.model.board_walk import Positions

    for tree in sgf_lark.loads(data, tolerant=True):
        *_, last = tree.main_line()
        Positions(tree).before(last.number)


def fix(data: bytes) -> None:
    import sgf_lark

    sgf_lark.fix(data)


def fix_unsafe(data: bytes) -> None:
    import sgf_lark

    sgf_lark.fix(data, unsafe=True)


def dump(data: bytes) -> None:
    """Load, edit and write."""
    import sgf_lark

    collection = sgf_lark.loads(data, tolerant=True)
    for tree in collection:
        tree.root["GN"] = "edited"
    sgf_lark.dumps(collection)


def tree(data: bytes) -> None:
    import sgf_lark

    sgf_lark.parse_tree(data, tolerant=True)


def _run(*arguments: str) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        from click.testing import CliRunner

        from sgf_lark.cli.commands import main

        result = CliRunner().invoke(main, list(arguments), input=data)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception

    return run


COMMANDS: dict[str, Callable[[bytes], None]] = {
    "validate": validate,
    "plain": plain,
    "read": read,
    "board": boards,
    "dump": dump,
    "fix": fix,
    "fix --unsafe": fix_unsafe,
    "parse_tree": tree,
    "check": _run("check", "-"),
    "check --format json": _run("check", "--format", "json", "-"),
    "tree": _run("tree", "--tolerant", "-"),
    "tree --values": _run("tree", "--tolerant", "--values", "-"),
    "tree --trace": _run("tree", "--tolerant", "--trace", "-"),
    "show": _run("show", "-"),
    "convert to JSON": _run("convert", "--format", "json", "-"),
    "convert to wei7": _run("convert", "--format", "wei7", "-"),
}


def measure_here(command: str, data: bytes, limit: int, answer: Connection) -> None:
    """Send the CPU seconds of one command, or the name of the exception."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    start = time.process_time()
    try:
        COMMANDS[command](data)
    except Exception as error:
        answer.send(type(error).__name__)
        return
    answer.send(time.process_time() - start)


def measure(command: str, data: bytes, limit: int) -> float | str:
    """Measure in a child process, which inherits what is imported here already."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=measure_here, args=(command, data, limit, there))
    child.start()
    there.close()
    try:
        found = here.recv() if here.poll(10 * limit) else f"over {limit} s"
    except EOFError:
        child.join()
        code = child.exitcode or 0
        is_limit = -code in (signal.SIGXCPU, signal.SIGKILL)
        found = f"over {limit} s" if is_limit else f"exit {code}"
    child.kill()
    child.join()
    return found


def growth(seconds: list[float | str]) -> float:
    """Return the greatest ratio of a doubling; infinite if a measurement has no time."""
    times = [each for each in seconds if not isinstance(each, str)]
    if len(times) < len(seconds):
        return float("inf")
    pairs = pairwise(times)
    return max((after / before for before, after in pairs if after >= MEASURABLE), default=0.0)


def is_bad(seconds: list[float | str]) -> bool:
    """Whether it takes too long, or grows too fast, or has no result."""
    return (
        any(isinstance(each, str) or each > SECONDS for each in seconds) or growth(seconds) > GROWTH
    )


def measure_all(
    commands: list[str], shapes: list[str], sizes: list[int], limit: int
) -> Iterator[tuple[str, str, list[float | str]]]:
    """Measure each command and shape, up to the first size without a time."""
    for name in shapes:
        for command in commands:
            seconds: list[float | str] = []
            for size in sizes:
                seconds.append(measure(command, SHAPES[name](size * 1024), limit))
                if isinstance(seconds[-1], str):
                    break
            yield name, command, seconds


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commands", nargs="*", default=list(COMMANDS), choices=list(COMMANDS))
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES), choices=list(SHAPES))
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, metavar="KB")
    parser.add_argument("--limit", type=int, default=20, metavar="SECONDS")
    parser.add_argument("--bad", action="store_true", help="Only rows above the limits.")
    parser.add_argument("--list", action="store_true", help="List the shapes and stop.")
    options = parser.parse_args()
    if options.list:
        for name, shape in SHAPES.items():
            print(f"{name}: {shape(64)!r}")
        return
    for command in options.commands:
        COMMANDS[command](SMALL)
    print(f"| shape | command | {' | '.join(f'{size} KB' for size in options.sizes)} | growth |")
    print("|---" * (len(options.sizes) + 3) + "|")
    bad = 0
    for name, command, seconds in measure_all(
        options.commands, options.shapes, options.sizes, options.limit
    ):
        bad += is_bad(seconds)
        if options.bad and not is_bad(seconds):
            continue
        cells = [each if isinstance(each, str) else f"{each:.2f}" for each in seconds]
        cells += [""] * (len(options.sizes) - len(cells))
        print(f"| {name} | {command} | {' | '.join(cells)} | {growth(seconds):.1f} |", flush=True)
    print(f"\n{bad} above the limits", file=sys.stderr)


if __name__ == "__main__":
    main()
