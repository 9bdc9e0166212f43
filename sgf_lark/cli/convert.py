"""``sgf-lark convert``: convert between SGF, JSON and wei7."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, get_args

import click

from sgf_lark.cli import CLEAN, VIOLATIONS, inputs, terminal
from sgf_lark.diagnostics import shorten

Format = Literal["sgf", "json", "wei7"]
FORMATS: tuple[Format, ...] = get_args(Format)


@click.command()
@click.argument("source")
@click.argument("target", required=False, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target_format",
    type=click.Choice(FORMATS),
    help="Write this format.  [default: by the name of TARGET; without one, JSON from SGF and "
    "SGF from the others]",
)
@click.option(
    "--tolerant",
    is_flag=True,
    help="Fix a wei7 text that breaks rules or is not JSON, and report each violation.",
)
@click.pass_context
def convert(
    ctx: click.Context,
    /,
    source: str,
    target: Path | None,
    target_format: Format | None,
    tolerant: bool,
) -> None:
    """Convert between SGF, JSON and wei7.

    SOURCE is a file, or - for standard input; without TARGET the result is written to
    standard output. In JSON a collection is a list of games, a game is a list of
    nodes, and a node is an object with its properties and its "variations": the data of
    sgf_lark.grove. wei7 represents one game of Go. What the target format cannot
    represent is reported on standard error.

    The exit code is 1 if something could not be represented or was fixed. It is 2 if
    SOURCE could not be read or cannot be converted; nothing is written then.
    """
    terminal.prepare_streams()
    data = inputs.read_data(source)
    source_format = "wei7" if _format_by_name(Path(source)) == "wei7" else _detect_format(data)
    if target_format is None:
        target_format = _format_by_name(target) or ("json" if source_format == "sgf" else "sgf")
    try:
        if tolerant and source_format == "wei7":
            result, notes = _convert_damaged_wei7(data, target_format)
        else:
            result, notes = _convert(data, source_format, target_format)
        _write(result, target)
    except RecursionError:
        terminal.fail(f"{source}: the variations are nested too deeply for JSON")
    except (ValueError, TypeError, LookupError, OSError) as error:
        terminal.fail(f"{source}: {error}")
    for line in notes:
        click.echo(f"{source}:{line}", err=True)
    ctx.exit(VIOLATIONS if notes else CLEAN)


def _format_by_name(path: Path | None) -> Format | None:
    suffix = path.suffix.lower().lstrip(".") if path is not None else ""
    return next((name for name in FORMATS if name == suffix), None)


def _detect_format(data: bytes) -> Format:
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return "wei7"
    return "json" if start.startswith(b"[") else "sgf"


# --- Converting: the result, and a line for each loss or fix -----------------------------


def _convert(data: bytes, source: Format, target: Format) -> tuple[bytes, list[str]]:
    if source == target == "wei7":
        raise ValueError("this is wei7 already")
    lost: list[str] = []
    if source == "wei7":
        data, lost = _sgf_from_wei7(data)
    elif source == "json":
        data = _sgf_from_json(data)
    match target:
        case "sgf":
            return data, lost
        case "json":
            return _json_from_sgf(data), lost
        case "wei7":
            return _wei7_from_sgf(data)


def _convert_damaged_wei7(data: bytes, target: Format) -> tuple[bytes, list[str]]:
    """Fix the text first, whatever it is."""
    from sgf_lark.wei7 import dumps, recover

    recovered = recover(data)
    fixed = [
        f"{found.span.line}:{found.span.column}: {found.code} {found.message}"
        for found in recovered.report.diagnostics
    ]
    text = dumps(recovered.document)
    if target == "wei7":
        return text, fixed
    result, lost = _convert(text, "wei7", target)
    return result, fixed + lost


def _sgf_from_wei7(data: bytes) -> tuple[bytes, list[str]]:
    from sgf_lark.wei7 import to_sgf

    written = to_sgf(data)
    return written.data, [f" lost {item.pointer}: {item.reason.en}" for item in written.lost]


def _wei7_from_sgf(data: bytes) -> tuple[bytes, list[str]]:
    from sgf_lark.wei7 import dumps, from_sgf

    conversion = from_sgf(data)
    lost = []
    for entry in conversion.lost:
        place = "" if entry.span is None else f"{entry.span.line}:{entry.span.column}:"
        what = shorten(entry.what, 60) if entry.what != ";" else f"node {entry.node}"
        lost.append(f"{place} lost {what}: {entry.reason.en}")
    return dumps(conversion.document), lost


def _sgf_from_json(data: bytes) -> bytes:
    from sgf_lark.grove import encode_sgf

    games: Any = json.loads(data.decode("utf-8-sig"))
    if not isinstance(games, list) or not all(
        isinstance(game, list) and all(isinstance(node, dict) for node in game) for game in games
    ):
        raise ValueError("no list of games, each a list of nodes")
    return encode_sgf(games)


def _json_from_sgf(data: bytes) -> bytes:
    from sgf_lark.grove import decode_sgf

    text = json.dumps(decode_sgf(data), ensure_ascii=False, indent=1)
    # Lone surrogates, which represent undecodable bytes, are escaped as JSON escapes them.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _write(result: bytes, target: Path | None) -> None:
    from sgf_lark.model.writing import write_file

    if target is not None:
        write_file(target, result)
        return
    terminal.write_bytes(result)
