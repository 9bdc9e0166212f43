"""``sgf-lark show``: draw a board in the terminal, or as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sgf_lark.cli import exit_code, options, terminal
from sgf_lark.cli.outputs import read_one
from sgf_lark.cli.settings import file_settings, settings_options
from sgf_lark.cli.words import message
from sgf_lark.drawing import DrawingError
from sgf_lark.files.inputs import Input, reason
from sgf_lark.text.escaping import escape, escape_lines, is_visible

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.diagnostics import Language
    from sgf_lark.drawing import Position
    from sgf_lark.drawing.characters import Characters
    from sgf_lark.files.inputs import Input
    from sgf_lark.model.node import Node
    from sgf_lark.model.tree import GameTree


FORMATS = ("svg", "png", "gif")


def _parse_numbers(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[Range, ...] | None:
    """Return the ranges in a text such as ``10,20-40,50-100/10,150-``."""
    if value is None:
        return None
    ranges = []
    for part in value.split(","):
        found = re.fullmatch(r"(\d{1,9})(-(\d{1,9})?)?(?:/([1-9]\d{0,8}))?", part.strip(), re.ASCII)
        if found is None:
            raise click.BadParameter(f"{value!r} is not a list of numbers and ranges", ctx, param)
        first = int(found[1])
        last = first if found[2] is None else None if found[3] is None else int(found[3])
        if last is not None and last < first:
            raise click.BadParameter(f"{part.strip()!r} ends before it begins", ctx, param)
        ranges.append(Range(first, last, int(found[4] or 1)))
    return tuple(ranges)


@click.command()
@options.path_argument
@click.option(
    "--game",
    "number",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Show the N-th game tree of the file.  [default: the first]",
)
@click.option(
    "--move",
    metavar="NUMBERS",
    callback=_parse_numbers,
    help="Show the position after the N-th move of the main line, with 0 before the first; or "
    "several, such as 10,20 or 0-100/10 (each tenth) or 50- (to the end).",
)
@click.option(
    "--node",
    metavar="NUMBERS",
    callback=_parse_numbers,
    help="Show this node, or several; they are counted as in diagnostics, from 0 in the order of "
    "the file.",
)
@click.option(
    "--numbers",
    metavar="FROM-TO",
    callback=_parse_numbers,
    help="Number these moves of the main line on their stones, as diagrams in books do.",
)
@options.output_option(
    "a picture, several boards as one sheet, or an animation of the game.",
    type=click.Path(path_type=Path, dir_okay=False),
)
@options.format_option(
    ("text", *FORMATS),
    "text, a picture, or an animation.  [default: by the name of OUTPUT, or else text]",
    default=None,
)
@click.option(
    "--width",
    type=click.IntRange(50, 10_000),
    metavar="PIXELS",
    help="Make a PNG picture or an animation this wide.  [default: 800, and 400 for an animation]",
)
@click.option(
    "--columns",
    type=click.IntRange(1),
    metavar="N",
    help="Put N boards in a row of a sheet.  [default: about as many as there are rows]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.02, 60),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Show each frame of an animation for this time.",
)
@click.option(
    "--theme",
    type=click.Choice(("light", "dark", "book", "auto")),
    help="Use these colors in a picture; book is black on white, auto follows the settings of the "
    "reader, in SVG.  [default: light, and book with --numbers]",
)
@click.option(
    "--coordinates/--no-coordinates",
    default=True,
    show_default=True,
    help="Label columns and rows, or do not.",
)
@options.color_option
@options.language_option
@options.reading_options
@options.size_option
@settings_options
@click.pass_context
def show(
    ctx: click.Context,
    /,
    path: str,
    number: int,
    output: Path | None,
    output_format: str | None,
    color: bool | None,
    language: Language,
    max_size: int | None,
    **options: Any,
) -> None:
    """Show the board of a game, or draw a picture of it.

    The game is Go, Hex, Amazons or Lines of Action. PATH is a file, - for standard input,
    or a folder or an archive with one file. Without --move, --node and --numbers, the
    position at the end of the main line is shown, with the markup, labels and comment of
    its node; in an animation, all moves of the main line. Damaged files are shown as far as
    they can be read.

    The exit code is 1 if the file is damaged or has no game, and 2 if there is nothing to show.
    """
    # Before the file is read: SVG on standard output decides on its encoding.
    chosen = chosen_format(output, output_format)
    terminal.prepare_streams("utf-8" if chosen == "svg" else None)
    if sum(options[name] is not None for name in ("move", "node", "numbers")) > 1:
        raise click.UsageError("--move, --node and --numbers exclude each other", ctx)
    options["theme"] = options["theme"] or ("light" if options["numbers"] is None else "book")
    names = ("coordinates", "theme", "width", "columns", "seconds")
    wanted = Wanted(output, chosen, language, **{name: options.pop(name) for name in names})
    chosen_ranges = [options.pop(name) for name in ("move", "node", "numbers")]
    file = read_one(path, max_size=max_size)
    if file.is_wei7():
        terminal.fail(f"{escape(path)}: it is wei7; convert it to SGF first")
    from sgf_lark.model.collection import Collection
    from sgf_lark.model.loading import ReadingOptions

    try:
        reading = ReadingOptions.of(file_settings(ctx).apply(path, options))
        collection = Collection.of_file(reading.parse(file.data or b""))
        damaged = bool(collection.file.places_of_damage)
        if not collection:
            from sgf_lark.syntax.signatures import why_no_tree

            why = why_no_tree(collection.file.decoding.data).en
            terminal.print_error(f"{escape(path)}: there is no game tree in it: {why}")
            ctx.exit(exit_code(None, damaged))
        if number > len(collection):
            raise LookupError(f"there is no game tree {number}; the file has {len(collection)}")
        tree = collection[number - 1]
        if damaged:
            click.echo(f"{escape(path)}: {message('show.damaged', language)}", err=True)
        shown = _boards(tree, *chosen_ranges, wanted=wanted)
        if chosen != "text":
            _write(shown, wanted, file)
        else:
            style = terminal.output_style(color, language)
            for index, each in enumerate(shown):
                terminal.write("\n" if index else "")
                terminal.write_all(_lines(each, style, coordinates=wanted.coordinates))
    except OSError as error:
        terminal.fail(f"{escape(output or error.filename)}: {reason(error)}")
    except (DrawingError, LookupError, ImportError, ValueError) as error:
        terminal.fail(f"{escape(path)}: {error.args[0] if error.args else error}")
    ctx.exit(exit_code(None, damaged))


def _lines(shown: Shown, style: OutputStyle, *, coordinates: bool) -> Iterator[str]:
    """Yield the board, the players, the legend and the comment for a terminal."""
    found, node = shown.position, shown.node
    from sgf_lark.drawing import characters
    from sgf_lark.model.values import Color

    language = style.language
    symbols = characters.characters(style.encoding)
    yield characters.text(found, coordinates=coordinates, color=style.color, symbols=symbols)
    for caption in shown.captions:
        yield caption + "\n"
    yield "\n" + style.paint(_players(node, symbols, language), bold=True) + "\n"
    state = message(
        "show.state",
        language,
        # From 0 in the game tree, as in diagnostics.
        node=(node.number or 0) - (node.tree.root.number or 0),
        move=found.move_number,
        played=_played(found, node, language),
        color=message(f"show.{found.to_move}", language),
    )
    yield state + "\n"
    if any(found.captured.values()):
        counts = {
            "black": found.captured.get(Color.BLACK, 0),
            "white": found.captured.get(Color.WHITE, 0),
        }
        yield message("show.captured", language, **counts) + "\n"
    for line in characters.legend(found, symbols=symbols, language=language):
        yield line + "\n"
    for ident in ("N", "C"):
        text = _text(node, ident)
        if text:
            yield "\n" + style.paint(text, bold=ident == "N") + "\n"


def _players(node: Node, symbols: Characters, language: Language) -> str:
    """Return the colors with the names and ranks of the players, as far as they are known."""
    parts = []
    for stone, color in ((symbols.black, "B"), (symbols.white, "W")):
        known = (_text(node.tree.root, ident) for ident in (f"P{color}", f"{color}R"))
        player = " ".join(filter(None, known))
        of_player = message("shared.colon", language) + player if player else ""
        parts.append(f"{stone} {message(f'show.{color}', language)}{of_player}")
    return "   ".join(parts)


def _played(found: Position, node: Node, language: Language) -> str:
    """Return the move of the node with its coordinates, or "" if none can be read."""
    for ident in ("B", "W"):
        move = node.get(ident)
        if move is None:
            continue
        point = getattr(move, "point", None)
        if point is None:
            name = getattr(move, "action", None) or message("show.pass", language)
        elif point.column < found.columns and point.row < found.rows:
            name = "".join(found.coordinates(point))
        else:
            name = found.notation(point)
        color = message(f"show.{ident}", language)
        return message("show.played", language, color=color, point=name)
    return ""


def _text(node: Node, ident: str) -> str:
    """Return the text of a property without control characters; "" where it has none."""
    found = node.get(ident)
    if not isinstance(found, str):
        return ""
    visible = "".join(
        character for character in found.strip() if character == "\n" or is_visible(character)
    )
    return escape_lines(visible)


# --- The nodes that are drawn ---------------------------------------------------------


#: More boards are not drawn at once.
_MOST = 2000


class Range(NamedTuple):
    """Numbers from `first` to `last`, or to the end, in steps."""

    first: int
    last: int | None
    step: int

    def numbers(self, end: int) -> range:
        """Return the numbers up to `end`, the highest number there is."""
        return range(self.first, (end if self.last is None else self.last) + 1, self.step)


class Shown(NamedTuple):
    """A board to draw, the node it belongs to, its title in a sheet, and lines of text below it."""

    position: Position
    node: Node
    title: str
    captions: tuple[str, ...] = ()


_Ranges = tuple[Range, ...] | None


def _boards(
    tree: GameTree, moves: _Ranges, nodes: _Ranges, numbers: _Ranges, *, wanted: Wanted
) -> list[Shown]:
    """Return the boards to draw, at least one; at most one of the options is not None.

    Raises LookupError where there is no node of that number, ValueError for too many, and
    what :func:`sgf_lark.drawing.position` and ``diagram`` raise.
    """
    from sgf_lark.drawing import position
    from sgf_lark.drawing.options import after_moves

    if numbers is not None:
        return [_diagram(each, tree, wanted.language) for each in numbers]
    if nodes is not None:
        chosen = _chosen("node", nodes, list(tree.nodes()))
    elif moves is not None or wanted.is_animation:
        chosen = _chosen("move", moves or (Range(0, None, 1),), after_moves(tree))
    else:
        chosen = [after_moves(tree)[-1]]
    boards = [(position(tree, node), node) for node in chosen]
    return [
        Shown(found, node, message("show.title", wanted.language, number=found.move_number))
        for found, node in boards
    ]


def _diagram(numbers: Range, tree: GameTree, language: Language) -> Shown:
    from sgf_lark.drawing import diagram

    moves = [node for node in tree.main_line() if node.moves()]
    first = max(numbers.first, 1)
    last = len(moves) if numbers.last is None else numbers.last
    if first > len(moves) or last > len(moves):
        raise LookupError(f"there is no move {max(first, last)}; the main line has {len(moves)}")
    chosen = moves[first - 1 : last]
    found = diagram(chosen, language=language)
    return Shown(found.position, chosen[-1], f"{first}–{last}", found.captions)


def _chosen(kind: str, ranges: Iterable[Range], nodes: list[Node]) -> list[Node]:
    """Return the nodes with these numbers; `kind` is for the message of a LookupError."""
    end = len(nodes) - 1
    found: list[Node] = []
    for number in (n for each in ranges for n in each.numbers(max(end, each.first))):
        if number > end:
            known = f"the main line has {end}" if kind == "move" else f"the last is {end}"
            raise LookupError(f"there is no {kind} {number}; {known}")
        found.append(nodes[number])
        if len(found) > _MOST:
            raise ValueError(f"more than {_MOST} boards; choose fewer")
    return found


# --- Pictures -------------------------------------------------------------------------


class Wanted(NamedTuple):
    """The options of the pictures."""

    output: Path | None
    format: str
    language: Language
    coordinates: bool
    theme: Any
    width: int | None
    columns: int | None
    seconds: float

    @property
    def is_animation(self) -> bool:
        """Whether the picture is an animation."""
        return self.format == "gif"


def chosen_format(output: Path | None, given: str | None) -> str:
    """Return the format that was given, or that the name of the output shows.

    Raises UsageError for a name that shows none, and where text or SVG alone can be printed.
    """
    if output is None:
        if given not in (None, "text", "svg"):
            raise click.UsageError(f"{given} is written to a file; give an --output")
        return given or "text"
    found = given or output.suffix.lower().removeprefix(".")
    if found not in FORMATS:
        names = ", ".join(f".{name}" for name in FORMATS)
        raise click.UsageError(f"{escape(output)}: the name of a picture ends in {names}")
    return found


def _write(shown: list[Shown], wanted: Wanted, file: Input) -> None:
    """Write the picture to the output, or SVG to standard output.

    Raises ImportError where an extra is not installed, OSError where nothing can be written.
    """
    from sgf_lark.cli.outputs import Outputs
    from sgf_lark.drawing import Picture, images, sheet, svg

    pictures = [
        svg(
            # VW would change the size of frames.
            replace(each.position, visible=None) if wanted.is_animation else each.position,
            coordinates=wanted.coordinates,
            theme=wanted.theme,
            language=wanted.language,
        )
        for each in shown
    ]
    if wanted.is_animation:
        width = wanted.width or images.ANIMATION_WIDTH
        data = images.animation(pictures, width=width, seconds=wanted.seconds)
    else:
        picture = pictures[0]
        if len(shown) > 1 or shown[0].captions:
            boards = [
                Picture(drawn, each.title if len(shown) > 1 else "", each.captions)
                for drawn, each in zip(pictures, shown, strict=True)
            ]
            picture = sheet(boards, columns=wanted.columns or 0, theme=wanted.theme)
        data = f"{picture}\n".encode()
        if wanted.format == "png":
            data = images.png(picture, width=wanted.width or images.WIDTH)
    if wanted.output is None:
        terminal.write_bytes(data)
    else:
        Outputs([file.path]).write(wanted.output, data, file.path)
