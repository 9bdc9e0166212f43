"""Settings from a file: ``sgf-lark.toml``, or ``[tool.sgf-lark]`` in ``pyproject.toml``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from sgf_lark.cli.settings_files import OWN_FILE, SHARED_FILE, TABLE, candidates

Command = TypeVar("Command", bound=Callable[..., Any])

_NO_FILE = "sgf_lark.no_settings_file"


def settings_options(command: Command) -> Command:
    """Adds ``--config`` and ``--no-config``, and defaults from the file they name."""
    command = click.option(
        "--config",
        type=click.Path(path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_read,
        help=f"Settings are in this file, not in the nearest {OWN_FILE} or {SHARED_FILE}.",
    )(command)
    return click.option(
        "--no-config",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_forbid,
        help="Read no settings.",
    )(command)


def _forbid(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[_NO_FILE] = True


def _read(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    if ctx.meta.get(_NO_FILE):
        if value is not None:
            raise click.UsageError("--config and --no-config exclude each other", ctx)
        return
    file = value or nearest(Path.cwd())
    if file is not None:
        ctx.default_map = dict(_defaults(ctx, file))


def nearest(folder: Path) -> Path | None:
    """The settings file in `folder` or the first folder above it that has one, if any does.

    A ``pyproject.toml`` counts where it has the table.
    """
    for file in map(Path, candidates(str(folder))):
        if file.name == OWN_FILE or _table(file, _load(file)) is not None:
            return file
    return None


def _defaults(ctx: click.Context, file: Path) -> Iterator[tuple[str, Any]]:
    """Parameters of the command and their values: keys are names of its options,
    by themselves, or in a table of its name, which go before the others."""
    table = _table(file, _load(file)) or {}
    command = str(ctx.info_name)
    own = table.get(command, {})
    if not isinstance(own, dict):
        raise click.UsageError(f"{file}: {command} is no table", ctx)
    options = {
        name.lstrip("-"): option
        for option in ctx.command.params
        if isinstance(option, click.Option) and option.expose_value
        for name in (*option.opts, *option.secondary_opts)
        if name.startswith("--")
    }
    shared = {key: value for key, value in table.items() if not isinstance(value, dict)}
    for key, value in {**shared, **own}.items():
        option = options.get(key)
        if option is None or key in (name.lstrip("-") for name in option.secondary_opts):
            known = ", ".join(sorted(key for key in options if not key.startswith("no-")))
            raise click.UsageError(f"{file}: no setting is named {key!r}; there are: {known}", ctx)
        if isinstance(value, list) != option.multiple:
            if not option.multiple:
                raise click.UsageError(f"{file}: {key} takes one value, not a list", ctx)
            value = [value]
        yield str(option.name), value


def _load(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.UsageError(f"{file}: {reason}") from None


def _table(file: Path, content: dict[str, Any]) -> dict[str, Any] | None:
    """The settings in the content of a file; None where it is a ``pyproject.toml`` without."""
    if file.name != SHARED_FILE:
        return content
    tools = content.get("tool")
    table = tools.get(TABLE) if isinstance(tools, dict) else None
    return table if isinstance(table, dict) else None
