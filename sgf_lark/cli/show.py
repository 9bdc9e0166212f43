"""``sgf-lark show``: a board in the terminal, or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import language_option, reading_options
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import Look
    from sgf_lark.diagnostics import Language
    from sgf_lark.drawing import Position
    from sgf_lark.drawing.characters import Characters
    from sgf_lark.model.collection import Collection
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree

_PICTURES = (".svg", ".png")

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "state": "node {node}, move {move}{played}, {color} to move",
        "played": " ({color} {point})",
        "pass": "pass",
        "captured": "captured: {black} black, {white} white",
        "B": "Black",
        "W": "White",
        "damaged": "the file is damaged; this is what can be read of it",
    },
    "zh": {
        "state": "节点 {node}，第 {move} 手{played}，轮到{color}",
        "played": "（{color} {point}）",
        "pass": "停一手",
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
@click.option("--svg", "as_svg", is_flag=True, help="Write SVG, to standard output without -o.")
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
@reading_options
@settings_options
@click.pass_context
def show(
    ctx: click.Context,
    /,
    source: str,
    number: int,
    move: int | None,
    node_number: int | None,
    output: Path | None,
    as_svg: bool,
    width: int,
    theme: str,
    coordinates: bool,
    color: bool | None,
    language: Language,
    **reading: Any,
) -> None:
    """Show the board of a game of Go or Hex.

    SOURCE is a file, or - for standard input. Without --move and --node the position
    at the end of the main line is shown, with the marks, labels and comment of its
    node. Damaged files are shown as far as they can be read.

    The exit code is 2 where there is nothing to show.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.drawing import DrawingError, position

    terminal.prepare_streams("utf-8" if as_svg else None)
    if move is not None and node_number is not None:
        raise click.UsageError("--move and --node exclude each other", ctx)
    _check_name(ctx, output, as_svg)
    try:
        collection, damaged = _read(source, **reading)
        tree = _tree(collection, number, reading["file_format"], reading["game"])
        node = _node(tree, move, node_number)
        found = position(node.tree, node)
        if damaged:
            click.echo(f"{source}: {_WORDS[language]['damaged']}", err=True)
        if output is not None:
            is_png = not as_svg and output.suffix.lower() == ".png"
            _draw(found, output, width if is_png else None, theme, coordinates, language)
            return
        if as_svg:
            terminal.write(_svg(found, theme, coordinates, language) + "\n")
            return
    except OSError as error:
        click.echo(f"sgf-lark: {output}: {error.strerror or error}", err=True)
        ctx.exit(2)
    except (DrawingError, LookupError, ImportError) as error:
        click.echo(f"sgf-lark: {source}: {error.args[0] if error.args else error}", err=True)
        ctx.exit(2)
    terminal.write_all(_lines(found, node, terminal.look(color, language), coordinates, language))


def _check_name(ctx: click.Context, output: Path | None, as_svg: bool) -> None:
    """Raises UsageError for a file of which nobody knows what picture it is to be."""
    if output is not None and not as_svg and output.suffix.lower() not in _PICTURES:
        raise click.UsageError(f"{output}: the name of a picture ends in .svg or .png", ctx)


def _read(
    source: str, charset: str | None, default_charset: str | None, charset_mode: Any, **_: Any
) -> tuple[Collection, bool]:
    """The collection, from the tolerant reading where the strict one fails."""
    from sgf_lark.cli import inputs
    from sgf_lark.model.collection import Collection
    from sgf_lark.syntax.parsing import parse_best
    from sgf_lark.syntax.tolerant import parse_tolerant
    from sgf_lark.text.decoding import decodings

    file = next(iter(inputs.read_all([source])), None)
    if file is None or file.data is None:
        raise LookupError("there is no file in it" if file is None else file.reason)
    found = decodings(
        file.data, charset=charset, default_charset=default_charset, mode=charset_mode
    )
    best = parse_best(found)
    if best is not None:
        return Collection(*best), False
    return Collection(found[0], parse_tolerant(found[0].data).flat), True


def _tree(
    collection: Collection, number: int, file_format: int | None, game: int | None
) -> GameTree:
    """The game tree of that number, from 1; `file_format` and `game` go before FF and GM."""
    from sgf_lark.model.context import root_context

    if not collection:
        raise LookupError("there is no game tree in it")
    if number > len(collection):
        raise LookupError(f"there is no game tree {number}; the file has {len(collection)}")
    tree = collection[number - 1]
    tree.context = root_context(tree.root_values, tree.charset, file_format=file_format, game=game)
    return tree


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


def _svg(found: Position, theme: str, coordinates: bool, language: Language) -> str:
    from sgf_lark.drawing import svg

    return svg(found, coordinates=coordinates, theme=theme, language=language)  # type: ignore[arg-type]


def _draw(
    found: Position,
    output: Path,
    width: int | None,
    theme: str,
    coordinates: bool,
    language: Language,
) -> None:
    """Write PNG of that width, or SVG where there is none."""
    from sgf_lark.drawing import png
    from sgf_lark.model.writing import write_file

    picture = _svg(found, theme, coordinates, language)
    write_file(output, (picture + "\n").encode() if width is None else png(picture, width=width))


def _lines(
    found: Position, node: Node, look: Look, coordinates: bool, language: Language
) -> Iterator[str]:
    """What the terminal shows: players, board, legend and comment."""
    from sgf_lark.drawing import characters
    from sgf_lark.model.values import Color

    words = _WORDS[language]
    symbols = characters.characters(look.encoding)
    yield characters.text(found, coordinates=coordinates, color=look.color, symbols=symbols)
    yield "\n" + look.style(_players(node, symbols, words), bold=True) + "\n"
    state = words["state"].format(
        node=_number(node),
        move=found.move_number,
        played=_played(found, node, words),
        color=words[str(found.to_move)],
    )
    yield state + "\n"
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


def _players(node: Node, symbols: Characters, words: dict[str, str]) -> str:
    """Which stones are whose, with names and ranks as far as they are known."""
    parts = []
    for sign, color in ((symbols.black, "B"), (symbols.white, "W")):
        known = (_text(node.tree.root, ident) for ident in (f"P{color}", f"{color}R"))
        player = " ".join(filter(None, known))
        parts.append(f"{sign} {words[color]}" + (f": {player}" if player else ""))
    return "   ".join(parts)


def _played(found: Position, node: Node, words: dict[str, str]) -> str:
    """The move of the node, as people call the point; "" where it has none to read."""
    for ident in ("B", "W"):
        move = _value(node, ident)
        if move is None:
            continue
        point = getattr(move, "point", None)
        if point is None:
            name = getattr(move, "action", None) or words["pass"]
        elif point.column < found.columns and point.row < found.rows:
            name = "".join(found.coordinates(point))
        else:
            name = found.notation(point)
        return words["played"].format(color=words[ident], point=name)
    return ""


def _number(node: Node) -> int:
    """Where the node stands among those of its tree, from 0."""
    tree = node.tree
    return (node.number or 0) - (tree.root.number or 0)


def _value(node: Node, ident: str) -> Any:
    """The value of a property; None where the node lacks it or it cannot be read."""
    try:
        return node.get(ident)
    except ValueError:
        return None


def _text(node: Node, ident: str) -> str:
    """The text of a property, without control characters; "" where there is none to read."""
    found = _value(node, ident)
    if not isinstance(found, str):
        return ""
    return "".join(sign for sign in found.strip() if sign == "\n" or sign.isprintable())
