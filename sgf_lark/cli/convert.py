"""``sgf-lark convert``: between SGF, JSON and wei7."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from sgf_lark.diagnostics import shorten

FORMATS = ("sgf", "json", "wei7")


@click.command()
@click.argument("source")
@click.argument("target", required=False, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target_format",
    type=click.Choice(FORMATS),
    help="Write this. Without it: what the name of TARGET says, or else what SOURCE is not.",
)
@click.option(
    "--tolerant",
    is_flag=True,
    help="Mend a wei7 text that breaks rules, or is no JSON, and tell each fault of it.",
)
@click.pass_context
def convert(
    ctx: click.Context,
    /,
    source: str,
    target: Path | None,
    target_format: str | None,
    tolerant: bool,
) -> None:
    """Convert between SGF, JSON and wei7.

    SOURCE is a file, or - for standard input; without TARGET the result goes to
    standard output. In JSON a collection is a list of games, a game a list of
    nodes, a node an object with its properties and its "variations": the data of
    sgf_lark.grove. wei7 holds one game of Go; what has no place in the format that
    is written is told on standard error.

    The exit code is 1 where something had no place or was mended, and 2 where SOURCE could not be
    read or has no form in the other format; nothing is written then.
    """
    from sgf_lark.cli import inputs, terminal

    terminal.prepare_streams()
    file = next(iter(inputs.read_all([source])))
    if file.data is None:
        _fail(ctx, source, file.reason)
    data = file.data or b""
    read = "wei7" if _by_name(Path(source)) == "wei7" else _format_of(data)
    wanted = target_format or _by_name(target) or ("json" if read == "sgf" else "sgf")
    mended: list[str] = []
    try:
        if tolerant and read == "wei7":
            data, mended = _mended(data)
        is_there = tolerant and read == wanted == "wei7"
        result, lost = (data, []) if is_there else _converted(data, read, wanted)
        _write(result, target)
    except RecursionError:
        _fail(ctx, source, "the variations are nested too deeply for JSON")
    except (ValueError, TypeError, LookupError, OSError) as error:
        _fail(ctx, source, str(error))
    for line in mended + lost:
        click.echo(f"{source}:{line}", err=True)
    ctx.exit(1 if mended or lost else 0)


def _format_of(data: bytes) -> str:
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return "wei7"
    return "json" if start.startswith(b"[") else "sgf"


def _mended(data: bytes) -> tuple[bytes, list[str]]:
    """A wei7 text without faults, and a line for each that it had."""
    from sgf_lark.wei7 import dumps, recover

    recovered = recover(data)
    return dumps(recovered.document), [
        f"{found.span.line}:{found.span.column}: {found.code} {found.message}"
        for found in recovered.report.diagnostics
    ]


def _converted(data: bytes, read: str, wanted: str) -> tuple[bytes, list[str]]:
    """The text in the other format, and what had no place, a line for each item."""
    if read == wanted == "wei7":
        raise ValueError("this is wei7 already")
    lost: list[str] = []
    if read == "wei7":
        from sgf_lark.wei7 import to_sgf

        written = to_sgf(data)
        lost = [f" lost {item.pointer}: {item.reason.en}" for item in written.lost]
        data = written.data
    elif read == "json":
        data = _written(_games(data, is_json=True), "sgf")
    if wanted == "sgf":
        return data, lost
    if wanted == "json":
        return _written(_games(data, is_json=False), "json"), lost
    from sgf_lark.wei7 import dumps, from_sgf

    conversion = from_sgf(data)
    for entry in conversion.lost:
        at = "" if entry.span is None else f"{entry.span.line}:{entry.span.column}:"
        what = shorten(entry.what, 60) if entry.what != ";" else f"node {entry.node}"
        lost.append(f"{at} lost {what}: {entry.reason.en}")
    return dumps(conversion.document), lost


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
    from sgf_lark.model.writing import write_file

    if target is not None:
        write_file(target, result)
        return
    terminal.write_bytes(result)
