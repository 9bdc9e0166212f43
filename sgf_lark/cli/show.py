"""``sgf-lark show``: a board in the terminal, or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli.options import language_option

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import Look
    from sgf_lark.diagnostics import Language
    from sgf_lark.drawing import Position
    from sgf_lark.model import Collection, GameTree, Node

_PICTURES = (".svg", ".png")

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "head": "{black} (Black) against {white} (White)",
        "state": "node {node}, move {move}, {color} to move",
        "captured": "captured: {black} black, {white} white",
        "B": "Black",
        "W": "White",
        "damaged": "the file is damaged; this is what can be read of it",
    },
    "zh": {
        "head": "{black}（黑）对 {white}（白）",
        "state": "节点 {node}，第 {move} 手，轮到{color}",
        "captured": "提子：黑子 {black}，白子 {white}",
        "B": "黑方",
        "W": "白方",
        "damaged": "文件已损坏；这是能读出的部分",
    },
}


@click.command()
@click.argument("source")
@click.option(
    "--game",
    "number",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="The N-th game tree of the file.  [default: the first]",
)
@click.option(
    "--move",
    type=click.IntRange(0),
    metavar="N",
    help="Behind the N-th move of the main line; 0 is the position before the first.",
)
@click.option(
    "--node",
    "node_number",
    type=click.IntRange(0),
    metavar="N",
    help="At this node, counted as in diagnostics: from 0 in the order of the file.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a picture instead: a file whose name ends in .svg or .png.",
)
@click.option(
    "--width",
    type=click.IntRange(50, 10_000),
    default=800,
    show_default=True,
    metavar="PIXELS",
    help="The width of a PNG picture.",
)
@click.option(
    "--theme",
    type=click.Choice(("light", "dark", "auto")),
    default="light",
    show_default=True,
    help="The colors of a picture; auto follows the reader's, in SVG.",
)
@click.option("--coordinates/--no-coordinates", default=True, help="Name columns and rows, or not.")
@click.option("--color/--no-color", default=None, help="Colors; by default on a terminal only.")
@language_option
@click.pass_context
def show(
    ctx: click.Context,
    /,
    source: str,
    number: int,
    move: int | None,
    node_number: int | None,
    output: Path | None,
    width: int,
    theme: str,
    coordinates: bool,
    color: bool | None,
    language: Language,
) -> None:
    """Show the board of a game of Go or Hex.

    SOURCE is a file, or - for standard input. Without --move and --node the position
    at the end of the main line is shown, with the marks, labels and comment of its
    node. Damaged files are shown as far as they can be read.

    The exit code is 2 where there is nothing to show.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.drawing import DrawingError, position

    terminal.prepare_streams()
    if move is not None and node_number is not None:
        raise click.UsageError("--move and --node exclude each other", ctx)
    if output is not None and output.suffix.lower() not in _PICTURES:
        raise click.UsageError(f"{output}: the name of a picture ends in .svg or .png", ctx)
    try:
        collection, damaged = _read(source)
        node = _node(_tree(collection, number), move, node_number)
        found = position(node.tree, node)
        if damaged:
            click.echo(f"{source}: {_WORDS[language]['damaged']}", err=True)
        if output is not None:
            _draw(found, output, width, theme, coordinates, language)
            return
    except (DrawingError, LookupError, ImportError, OSError) as error:
        click.echo(f"{source}: {error.args[0] if error.args else error}", err=True)
        ctx.exit(2)
    terminal.write_all(_lines(found, node, terminal.look(color, language), coordinates, language))


def _read(source: str) -> tuple[Collection, bool]:
    """The collection, from the tolerant reading where the strict one fails."""
    from sgf_lark.cli import inputs
    from sgf_lark.decoding import readings
    from sgf_lark.model import Collection
    from sgf_lark.reading import parse_best
    from sgf_lark.tolerant import parse_tolerant

    file = next(iter(inputs.read_all([source])), None)
    if file is None or file.data is None:
        raise LookupError("there is no file in it" if file is None else file.reason)
    found = readings(file.data)
    best = parse_best(found)
    if best is not None:
        return Collection(*best), False
    return Collection(found[0], parse_tolerant(found[0].data).flat), True


def _tree(collection: Collection, number: int) -> GameTree:
    if not collection:
        raise LookupError("there is no game tree in it")
    if number > len(collection):
        raise LookupError(f"there is no game tree {number}; the file has {len(collection)}")
    return collection[number - 1]


def _node(tree: GameTree, move: int | None, number: int | None) -> Node:
    if number is not None:
        found = next(islice(tree.nodes(), number, None), None)
        if found is None:
            raise LookupError(f"there is no node {number}; the last is {_count(tree) - 1}")
        return found
    played = 0
    last = tree.root
    for node in tree.main_line():
        played += "B" in node or "W" in node
        if move is not None and played > move:
            return last
        last = node
    if move is not None and played < move:
        raise LookupError(f"there is no move {move}; the main line has {played}")
    return last


def _count(tree: GameTree) -> int:
    return sum(1 for _ in tree.nodes())


def _draw(
    found: Position, output: Path, width: int, theme: str, coordinates: bool, language: Language
) -> None:
    from sgf_lark.drawing import images, svg
    from sgf_lark.serialize import write_file

    picture = svg(found, coordinates=coordinates, theme=theme, language=language)  # type: ignore[arg-type]
    is_png = output.suffix.lower() == ".png"
    data = images.png(picture, width=width) if is_png else picture.encode()
    write_file(output, data)


def _lines(
    found: Position, node: Node, look: Look, coordinates: bool, language: Language
) -> Iterator[str]:
    """What the terminal shows: players, board, legend and comment."""
    from sgf_lark.drawing import characters
    from sgf_lark.types import Color

    words = _WORDS[language]
    players = [_text(node.tree.root, ident) for ident in ("PB", "PW")]
    if any(players):
        names = dict(zip(("black", "white"), [name or "?" for name in players], strict=True))
        yield look.style(words["head"].format(**names), bold=True) + "\n"
    symbols = characters.characters(look.encoding)
    board = characters.text(found, coordinates=coordinates, color=look.color, symbols=symbols)
    yield board
    yield (
        words["state"].format(
            node=_number(node), move=found.move_number, color=words[str(found.to_move)]
        )
        + "\n"
    )
    if any(found.captured.values()):
        counts = {
            "black": found.captured.get(Color.BLACK, 0),
            "white": found.captured.get(Color.WHITE, 0),
        }
        yield words["captured"].format(**counts) + "\n"
    for line in characters.legend(found, symbols=symbols, language=language):
        yield line + "\n"
    for ident in ("N", "C"):
        text = _text(node, ident)
        if text:
            yield "\n" + look.style(text, bold=ident == "N") + "\n"


def _number(node: Node) -> int:
    """Where the node stands among those of its tree, from 0."""
    tree = node.tree
    return (node.number or 0) - (tree.root.number or 0)


def _text(node: Node, ident: str) -> str:
    """The text of a property, without control characters; "" where there is none to read."""
    try:
        found = node.get(ident, "")
    except ValueError:
        return ""
    if not isinstance(found, str):
        return ""
    return "".join(sign for sign in found.strip() if sign == "\n" or sign.isprintable())
