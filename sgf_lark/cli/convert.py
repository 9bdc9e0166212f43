"""``sgf-lark convert``: convert between SGF, JSON and wei7."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import click

from sgf_lark.cli import CLEAN, COULD_NOT_RUN, VIOLATIONS, inputs, terminal
from sgf_lark.cli.completion import complete_paths
from sgf_lark.cli.inputs import Input
from sgf_lark.cli.options import size_option
from sgf_lark.cli.outputs import (
    Outputs,
    check_collisions,
    check_folder,
    path_in_folder,
    report_failure,
)
from sgf_lark.diagnostics import shorten
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.text.escaping import escape, to_json

Format = Literal["sgf", "json", "wei7"]
FORMATS: tuple[Format, ...] = get_args(Format)


#: In folders and archives, besides the suffixes of game files.
_SUFFIXES = (*inputs.GAME_SUFFIXES, ".json")


@click.command()
@click.argument("source", shell_complete=complete_paths)
@click.argument("target", required=False, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target_format",
    type=click.Choice(FORMATS),
    help="Write this format.  [default: by the name of TARGET; for a folder and without TARGET, "
    "JSON from SGF and SGF from the others]",
)
@click.option(
    "--tolerant",
    is_flag=True,
    help="Fix a wei7 text that breaks rules or is not JSON, and report each violation.",
)
@size_option
@click.pass_context
def convert(
    ctx: click.Context,
    /,
    source: str,
    target: Path | None,
    target_format: Format | None,
    tolerant: bool,
    max_size: int | None,
) -> None:
    """Convert between SGF, JSON and wei7.

    SOURCE is a file, or - for standard input; without TARGET the result is written to
    standard output. If SOURCE is a folder or an archive, every .sgf, .mgt, .json and
    .wei7 file in it is converted into the folder TARGET, with its path and the suffix of
    the new format.

    In JSON a collection is a list of games, a game is a list of nodes, and a node is an
    object with its properties and its "variations": the data of sgf_lark.grove. wei7
    represents one game of Go. What the target format cannot represent is reported on
    standard error.

    The exit code is 1 if something could not be represented or was fixed. It is 2 if a
    file could not be read, converted or written; nothing is written for it then.
    """
    terminal.prepare_streams()
    is_folder = target is not None and (inputs.holds_files(source) or inputs.is_folder(target))
    if target is not None and target_format is None and not is_folder:
        target_format = _format_of_target(target)
    if target is not None and inputs.holds_files(source):
        check_folder(target, [source], _SUFFIXES)
        check_collisions(target, [source], _SUFFIXES, partial(_new_suffix, target_format))
    outputs = Outputs([source], target)
    codes = []
    for file in _read(source, target, max_size):
        result = _convert_file(file, target_format, tolerant)
        if result is None:
            codes.append(COULD_NOT_RUN)
            continue
        data, notes, name = result
        place = target
        if target is not None and is_folder:
            place = target / path_in_folder(file).with_suffix(f".{name}")
        if not _write(data, place, file, outputs):
            codes.append(COULD_NOT_RUN)
            continue
        for line in notes:
            click.echo(f"{escape(file.path)}:{escape(line)}", err=True)
        codes.append(VIOLATIONS if notes else CLEAN)
    ctx.exit(max(codes, default=COULD_NOT_RUN))


def _read(source: str, target: Path | None, max_size: int | None) -> Iterable[Input]:
    """Read the files to convert: all those of a folder or archive, if there is a target."""
    if target is None or not inputs.holds_files(source):
        return [inputs.read_one(source, _SUFFIXES, max_size)]
    left_out = inputs.real_path(target)
    return inputs.read_all([source], suffixes=_SUFFIXES, left_out=left_out, max_size=max_size)


def _convert_file(
    file: Input, target: Format | None, tolerant: bool
) -> tuple[bytes, list[str], Format] | None:
    """Return the result, the losses and fixes, and the format; None after printing an error."""
    if file.data is None:
        terminal.print_error(f"{escape(file.path)}: {file.reason}")
        return None
    is_wei7 = file.is_wei7()
    source: Format = "wei7" if is_wei7 else _detect_format(file.data)
    target = target or ("json" if source == "sgf" else "sgf")
    try:
        if tolerant and source == "wei7":
            return *_convert_damaged_wei7(file.data, target), target
        return *_convert(file.data, source, target), target
    except RecursionError:
        terminal.print_error(f"{escape(file.path)}: the variations are nested too deeply for JSON")
    except (ValueError, TypeError, LookupError, ImportError) as error:
        hint = _way_out(file) if source == "sgf" and isinstance(error, SGFSyntaxError) else ""
        terminal.print_error(f"{escape(file.path)}: {error}{hint}")
    return None


def _way_out(file: Input) -> str:
    """Return how to fix a file that cannot be parsed, or "" if that is not possible."""
    from sgf_lark import fixing
    from sgf_lark.fixing.rewriting import Rewriting
    from sgf_lark.syntax.parsing import parse_if_strict

    ways: dict[str, dict[str, Any]] = {
        "": {},
        " --header comment": {"rewriting": Rewriting(header="comment")},
        " --unsafe": {"unsafe": True},
    }
    for arguments, options in ways.items():
        if parse_if_strict(fixing.fix(file.data or b"", **options).data) is not None:
            return f"\nsgf-lark fix{arguments} makes a file that can be converted"
    return ""


def _write(data: bytes, target: Path | None, file: Input, outputs: Outputs) -> bool:
    """Whether the result was written; if not, the error is printed."""
    if target is None:
        terminal.write_bytes(data)
        return True
    try:
        if file.inner:
            target.parent.mkdir(parents=True, exist_ok=True)
        outputs.write(target, data, file)
    except (OSError, ValueError) as error:
        report_failure(error, file)
        return False
    return True


# --- Formats --------------------------------------------------------------------------


def _format_of_target(target: Path) -> Format:
    found = _format_by_name(target)
    if found is None:
        suffixes = ", ".join(f".{name}" for name in FORMATS)
        raise click.UsageError(
            f"no format is known for {target}: its name has to end in {suffixes}, "
            "or say --to with a format"
        )
    return found


def _format_by_name(path: Path) -> Format | None:
    suffix = path.suffix.lower()
    if suffix in inputs.SGF_SUFFIXES:
        return "sgf"
    return next((name for name in FORMATS if f".{name}" == suffix), None)


def _new_suffix(target: Format | None, path: Path) -> str:
    """Return the suffix of the result for a file, as far as its name tells its format."""
    return f".{target or ('json' if _format_by_name(path) == 'sgf' else 'sgf')}"


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

    text = to_json(decode_sgf(data), indent=1)
    # Lone surrogates, which represent undecodable bytes, are escaped as JSON escapes them.
    return text.encode("utf-8", "backslashreplace") + b"\n"
