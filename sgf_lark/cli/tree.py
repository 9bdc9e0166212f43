"""``sgf-lark tree``: how the grammar reads a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import reading_options
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import Look
    from sgf_lark.decoding import Reading
    from sgf_lark.diagnostics import SourceText

#: A tree or a token of Lark's.
Item = Any

#: Longer tokens are cut in the text output.
_LONGEST = 60


@click.command()
@click.argument("path")
@click.option(
    "--tolerant", is_flag=True, help="Read damaged files too; the damage is marked with its code."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object: rules with their children.")
@click.option("--color/--no-color", default=None, help="Colour or none.")
@reading_options
@settings_options
@click.pass_context
def tree(
    ctx: click.Context,
    /,
    path: str,
    tolerant: bool,
    as_json: bool,
    color: bool | None,
    charset: str | None,
    default_charset: str | None,
    charset_mode: Any,
    **context: Any,
) -> None:
    """Show the parse tree of an SGF file, by the rules of grammar/sgf.lark.

    PATH is a file, or - for standard input. Each line has a rule or a terminal,
    the line and column where it begins, and the text it stands for. With
    --tolerant the rules are those of grammar/tolerant.lark.

    The exit code is 1 where the file leaves the grammar, 2 where it could not be
    read.
    """
    from sgf_lark.cli import inputs, terminal
    from sgf_lark.decoding import readings
    from sgf_lark.strict import SGFSyntaxError, parse_tree

    terminal.prepare_streams("utf-8" if as_json else None)
    file = next(iter(inputs.read_all([path])))
    if file.data is None:
        click.echo(f"sgf-lark: {path}: {file.reason}", err=True)
        ctx.exit(2)
    reading = readings(
        file.data, charset=charset, default_charset=default_charset, mode=charset_mode
    )[0]
    try:
        root = parse_tree(reading.data, tolerant=tolerant)
    except SGFSyntaxError as error:
        click.echo(f"{path}: {error}\n(--tolerant shows a tree of any file)", err=True)
        ctx.exit(1)
    shown = _Shown(reading, tolerant)
    lines = shown.as_json(root) if as_json else shown.as_text(root, terminal.look(color))
    for line in lines:
        terminal.write(line)


class _Shown:
    """A parse tree on its way to the reader."""

    def __init__(self, reading: Reading, tolerant: bool) -> None:
        from sgf_lark import grammar
        from sgf_lark.tolerant import parse_tolerant

        self._source: SourceText = reading.source("utf-8")
        self._data = reading.data
        self._regular = grammar.regular_symbols()
        self._damage: dict[int, list[str]] = {}
        if tolerant:
            result = parse_tolerant(reading.data)
            for damage in result.damage + result.lowercase:
                self._damage.setdefault(damage.start, []).append(damage.code)

    def as_text(self, root: Item, look: Look) -> Iterator[str]:
        """A line for each rule and each terminal, indented by its depth."""
        from sgf_lark.cli.text import one_line
        from sgf_lark.strict import pre_order

        # In deep trees the indentation would grow with the square of the depth.
        for depth, item in pre_order(root):
            name, start, end = _symbol(item)
            line = "  " * min(depth, 60) + look.style(name, **self._color(item))
            span = self._source.span(start, end)
            line += look.style(f"  {span.line}:{span.column}", dim=True)
            if _is_token(item):
                text = one_line(self._text(start, end))
                line += "  " + (text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
            if codes := self._codes(item):
                line += "  " + look.style(" ".join(codes), fg="red", bold=True)
            yield line + "\n"

    def as_json(self, root: Item) -> Iterator[str]:
        """Without recursion: the stack holds what is still to be written, last first."""
        stack: list[tuple[Item, str]] = [(root, "")]
        while stack:
            item, closing = stack.pop()
            text = json.dumps(self._object(item), ensure_ascii=False)
            children = [] if _is_token(item) else item.children
            if not children:
                yield text + closing
                continue
            yield text[:-1] + ', "children": ['
            for child in reversed(children):
                # What stands behind the last child closes this item too.
                stack.append((child, "]}" + closing if child is children[-1] else ", "))
        yield "\n"

    def _object(self, item: Item) -> dict[str, object]:
        name, start, end = _symbol(item)
        span = self._source.span(start, end)
        found: dict[str, object] = {
            "terminal" if _is_token(item) else "rule": name,
            "start": span.start,
            "end": span.end,
            "line": span.line,
            "column": span.column,
        }
        if _is_token(item):
            found["text"] = self._text(start, end)
        if codes := self._codes(item):
            found["codes"] = codes
        return found

    def _text(self, start: int, end: int) -> str:
        from sgf_lark.charset import decodes

        part = self._data[start:end]
        return part.decode("utf-8" if decodes(part, "utf-8") else "latin-1")

    def _codes(self, item: Item) -> list[str]:
        """Damage that begins where a symbol does that sgf.lark does not have, told once."""
        name, start, end = _symbol(item)
        if name in self._regular:
            return []
        # A token may be damaged in its middle.
        places = range(start, end) if _is_token(item) else (start,)
        return [code for place in places for code in self._damage.pop(place, ())]

    def _color(self, item: Item) -> dict[str, Any]:
        if _symbol(item)[0] not in self._regular:
            return {"fg": "red", "bold": True}
        return {"fg": "green"} if _is_token(item) else {"fg": "cyan"}


def _is_token(item: object) -> bool:
    return hasattr(item, "type")


def _symbol(item: Any) -> tuple[str, int, int]:
    """Its name, and where it begins and ends."""
    if _is_token(item):
        return item.type, item.start_pos or 0, item.end_pos or 0
    meta = item.meta
    return item.data, getattr(meta, "start_pos", 0), getattr(meta, "end_pos", 0)
