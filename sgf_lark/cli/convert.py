"""``sgf-lark convert``: SGF to JSON and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

FORMATS = ("sgf", "json")


@click.command()
@click.argument("source")
@click.argument("target", required=False, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target_format",
    type=click.Choice(FORMATS),
    help="Write this. Without it: what the name of TARGET says, or else what SOURCE is not.",
)
@click.pass_context
def convert(
    ctx: click.Context, /, source: str, target: Path | None, target_format: str | None
) -> None:
    """Convert between SGF and JSON.

    SOURCE is a file, or - for standard input; without TARGET the result goes to
    standard output. In JSON a collection is a list of games, a game a list of
    nodes, a node an object with its properties and its "variations": the data of
    sgf_lark.grove.

    The exit code is 2 where SOURCE could not be read or has no form in the other
    format; nothing is written then.
    """
    from sgf_lark.cli import inputs, terminal

    terminal.prepare_streams()
    file = next(iter(inputs.read_all([source])))
    if file.data is None:
        _fail(ctx, source, file.reason)
    data = file.data or b""
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{"))
    wanted = target_format or _by_name(target) or ("sgf" if is_json else "json")
    try:
        games = _games(data, is_json)
        result = _written(games, wanted)
        _write(result, target)
    except RecursionError:
        _fail(ctx, source, "the variations are nested too deeply for JSON")
    except (ValueError, TypeError, LookupError, OSError) as error:
        _fail(ctx, source, str(error))


def _fail(ctx: click.Context, source: str, reason: str) -> None:
    click.echo(f"sgf-lark: {source}: {reason}", err=True)
    ctx.exit(2)


def _by_name(target: Path | None) -> str | None:
    suffix = target.suffix.lower().lstrip(".") if target is not None else ""
    return suffix if suffix in FORMATS else None


def _games(data: bytes, is_json: bool) -> Any:
    from sgf_lark.grove import decode_sgf

    if not is_json:
        return decode_sgf(data)
    games = json.loads(data.decode("utf-8-sig"))
    if not isinstance(games, list) or not all(
        isinstance(game, list) and all(isinstance(node, dict) for node in game) for game in games
    ):
        raise ValueError("no list of games, each a list of nodes")
    return games


def _written(games: Any, wanted: str) -> bytes:
    from sgf_lark.grove import encode_sgf

    if wanted == "sgf":
        return encode_sgf(games)
    # What is no character, but a byte without meaning, is escaped as JSON does it.
    text = json.dumps(games, ensure_ascii=False, indent=1)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _write(result: bytes, target: Path | None) -> None:
    from sgf_lark.cli import terminal
    from sgf_lark.serialize import write_file

    if target is not None:
        write_file(target, result)
        return
    terminal.write_bytes(result)
