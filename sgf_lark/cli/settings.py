"""Settings from a file: ``sgf-lark.toml``, or ``[tool.sgf-lark]`` in ``pyproject.toml``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from sgf_lark.files.patterns import Patterns

Command = TypeVar("Command", bound=Callable[..., Any])

OWN_FILE = "sgf-lark.toml"
SHARED_FILE = "pyproject.toml"
TABLE = "sgf-lark"

#: The table with settings for files that match a pattern, and what may be set there.
FILES = "files"
FILE_KEYS = (
    "profile",
    "select",
    "ignore",
    "charset",
    "default-charset",
    "charset-mode",
    "ff",
    "gm",
)

#: The key in the meta data of click's context that ``--no-config`` sets.
_NO_SETTINGS = "sgf_lark.no_settings"
#: The key for the settings file that was read.
_FILE = "sgf_lark.settings_file"


def settings_options(command: Command) -> Command:
    """Add ``--config`` and ``--no-config``, and defaults from the settings file."""
    command = click.option(
        "--config",
        type=click.Path(path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_read_settings,
        help=f"Read settings from this file, not from the nearest {OWN_FILE} or {SHARED_FILE}.",
    )(command)
    return click.option(
        "--no-config",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_forbid_settings,
        help="Read no settings.",
    )(command)


def _forbid_settings(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[_NO_SETTINGS] = True


def _read_settings(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    if ctx.meta.get(_NO_SETTINGS):
        if value is not None:
            raise click.UsageError("--config and --no-config exclude each other", ctx)
        return
    file = value or _nearest_file()
    if file is not None:
        ctx.meta[_FILE] = file
        ctx.default_map = dict(_defaults(ctx, file))


# --- The file -------------------------------------------------------------------------


def _nearest_file() -> Path | None:
    """Return the settings file of the current folder or of the nearest folder above it."""
    try:
        folder = Path.cwd()
    except FileNotFoundError:  # it was removed
        return None
    for parent in (folder, *folder.parents):
        for file in (parent / OWN_FILE, parent / SHARED_FILE):
            if _is_file(file) and _has_settings(file):
                return file
    return None


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # it is in a folder without permission
        return False


def _has_settings(file: Path) -> bool:
    """Whether the file has settings: ``sgf-lark.toml``, or ``pyproject.toml`` with the table."""
    if file.name == OWN_FILE:
        return True
    # Errors in a pyproject.toml that does not name the table are for other programs to report.
    content = _read(file)
    return TABLE.encode() in content and _table(file, _parse(file, content)) is not None


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}") from None


def _parse(file: Path, content: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8"))
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from None


def _table(file: Path, content: dict[str, Any]) -> dict[str, Any] | None:
    """Return the settings in a file; None for a ``pyproject.toml`` without the table."""
    if file.name != SHARED_FILE:
        return content
    tools = content.get("tool")
    table = tools.get(TABLE) if isinstance(tools, dict) else None
    return table if isinstance(table, dict) else None


# --- Defaults of the command ----------------------------------------------------------


def _defaults(ctx: click.Context, file: Path) -> Iterator[tuple[str, Any]]:
    """Yield parameters of the command and their values.

    The keys in the file are names of options. Those in a table with the name of the
    command override the others.
    """
    table = _table(file, _parse(file, _read(file))) or {}
    command = str(ctx.info_name)
    own = table.get(command, {})
    if not isinstance(own, dict):
        raise click.UsageError(f"{file}: {command} is no table", ctx)
    options = _options_by_key(ctx.command)
    _refuse_unknown_tables(ctx, file, table)
    shared = {key: value for key, value in table.items() if not isinstance(value, dict)}
    for key, value in {**shared, **own}.items():
        option = options.get(key)
        if option is None:
            if key not in own and _is_known_elsewhere(ctx, key):
                continue
            known = ", ".join(sorted(options))
            raise click.UsageError(f"{file}: no setting is named {key!r}; there are: {known}", ctx)
        if isinstance(value, list) and not option.multiple:
            raise click.UsageError(f"{file}: {key} takes one value, not a list", ctx)
        is_single = option.multiple and not isinstance(value, list)
        yield str(option.name), [value] if is_single else value


def _refuse_unknown_tables(ctx: click.Context, file: Path, table: dict[str, Any]) -> None:
    """Raise UsageError for a table that is neither for a command nor for files."""
    group = ctx.find_root().command
    if not isinstance(group, click.Group):
        return
    known = [*group.list_commands(ctx), FILES]
    for key, value in table.items():
        if isinstance(value, dict) and key not in known:
            raise click.UsageError(
                f"{file}: [{key}] is no table of settings; there are: {', '.join(known)}", ctx
            )


def _is_known_elsewhere(ctx: click.Context, key: str) -> bool:
    """Whether another command has an option of that name, to which a shared setting applies."""
    group = ctx.find_root().command
    if not isinstance(group, click.Group):
        return False
    commands = (group.get_command(ctx, name) for name in group.list_commands(ctx))
    return any(command is not None and key in _options_by_key(command) for command in commands)


def _options_by_key(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their long names without the hyphens."""
    return {
        name.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option) and option.expose_value
        for name in option.opts
        if name.startswith("--")
    }


# --- Settings for some files ----------------------------------------------------------


@dataclass(frozen=True)
class FileSettings:
    """Settings for the files that match patterns; the names are those of parameters."""

    tables: tuple[tuple[Patterns, dict[str, Any]], ...] = ()

    def apply(self, path: str, options: dict[str, Any]) -> dict[str, Any]:
        """Return `options` as they are for the file at `path`.

        A later table overrides an earlier one, but what is ignored adds up.
        """
        for patterns, values in self.tables:
            if patterns.match(path):
                ignored = (*(options.get("ignore") or ()), *(values.get("ignore") or ()))
                options = {**options, **values}
                if ignored:
                    options["ignore"] = ignored
        return options


def file_settings(ctx: click.Context) -> FileSettings:
    """Return the tables ``[files."PATTERN"]`` of the settings file, as far as the command has
    these options; those on the command line override them."""
    file = ctx.meta.get(_FILE)
    if file is None:
        return FileSettings()
    tables = (_table(file, _parse(file, _read(file))) or {}).get(FILES, {})
    if not isinstance(tables, dict) or not all(isinstance(each, dict) for each in tables.values()):
        raise click.UsageError(f'{file}: {FILES} is no table of tables, as [{FILES}."old/*"]', ctx)
    base = str(Path(file).absolute().parent)
    return FileSettings(
        tuple(
            (Patterns((pattern,), base), dict(_values_for_files(ctx, file, pattern, table)))
            for pattern, table in tables.items()
        )
    )


def _values_for_files(
    ctx: click.Context, file: Path, pattern: str, table: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    options = _options_by_key(ctx.command)
    for key, value in table.items():
        if key not in FILE_KEYS:
            known = ", ".join(FILE_KEYS)
            raise click.UsageError(
                f"{file}: for {pattern!r} {key!r} cannot be set; there are: {known}", ctx
            )
        option = options.get(key)
        if option is None:
            continue
        name = str(option.name)
        is_given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and key != "ignore":
            continue
        is_single = option.multiple and not isinstance(value, list)
        yield name, option.process_value(ctx, [value] if is_single else value)
