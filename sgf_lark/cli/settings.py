"""Settings from a file: ``sgf-lark.toml``, or ``[tool.sgf-lark]`` in ``pyproject.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click
from click.core import ParameterSource

from sgf_lark.files.inputs import Patterns
from sgf_lark.files.settings import FILES, OWN_FILE, SHARED_FILE, nearest_settings, settings_in

#: What may be set for files that match a pattern.
FILE_KEYS = ("profile", "select", "ignore", "charset")

#: What ``--config`` takes in place of a file to read no settings.
_NO_FILE = Path("none")
#: The key in the meta data of click's context for the settings that were read,
#: :class:`_Settings`.
_SETTINGS = "sgf_lark.settings"


class _Settings(NamedTuple):
    """The settings in a file."""

    file: Path
    table: dict[str, Any]

    def fail(self, message: str, ctx: click.Context) -> NoReturn:
        """Raise UsageError with the name of the file."""
        raise click.UsageError(f"{self.file}: {message}", ctx)


def _read_settings(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    """Keep the settings of that file, or of the folder nearest to the current one, as defaults."""
    if value == _NO_FILE:
        return
    try:
        found = nearest_settings(Path.cwd()) if value is None else (value, settings_in(value) or {})
    except FileNotFoundError:
        return  # The current folder was removed: for files, settings_in() raises OSError itself.
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    if found is not None:
        ctx.meta[_SETTINGS] = settings = _Settings(*found)
        ctx.default_map = dict(_defaults(ctx, settings))


#: Adds ``--config``, and defaults from the settings file.
settings_options = click.option(
    "--config",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=_read_settings,
    help=f"Read settings from this file, not from the nearest {OWN_FILE} or {SHARED_FILE}; "
    '"none": read no settings.',
)


# --- Defaults of the command ----------------------------------------------------------


def _defaults(ctx: click.Context, settings: _Settings) -> Iterator[tuple[str, Any]]:
    """Yield parameters of the command and their values.

    The keys in the file are names of options. Those in a table with the name of the
    command override the others; a command in a group has a table in that of the group.
    """
    group = ctx.find_root().command
    assert isinstance(group, click.Group)
    known = [*group.list_commands(ctx), FILES]
    for key, value in settings.table.items():
        if isinstance(value, dict) and key not in known:
            settings.fail(f"[{key}] is not a table of settings; there are: {', '.join(known)}", ctx)
    own: Any = settings.table
    for name in ctx.command_path.split(" ")[1:]:
        own = own.get(name, {})
        if not isinstance(own, dict):
            settings.fail(f"{name} is no table", ctx)
    options = _options_by_key(ctx.command)
    for key, value in {**_plain(settings.table), **_plain(own)}.items():
        option = options.get(key)
        if option is None:
            # A shared setting is for the commands that have it; in the table of a command a name
            # that it does not have is a mistake.
            commands = (group.get_command(ctx, name) for name in group.list_commands(ctx))
            if key not in own and any(each and key in _options_by_key(each) for each in commands):
                continue
            names = ", ".join(sorted(options))
            settings.fail(f"no setting is named {key!r}; there are: {names}", ctx)
        if isinstance(value, list) and not option.multiple:
            settings.fail(f"{key} takes one value, not a list", ctx)
        yield str(option.name), _as_list(option, value)


def _plain(table: dict[str, Any]) -> dict[str, Any]:
    """Return the settings in a table, without the tables in it."""
    return {key: value for key, value in table.items() if not isinstance(value, dict)}


def _as_list(option: click.Option, value: Any) -> Any:
    """Return a value as click wants it: a list for an option that can be repeated."""
    return [value] if option.multiple and not isinstance(value, list) else value


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


class FileSettings(NamedTuple):
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


def settings_folder(ctx: click.Context) -> Path:
    """Return the folder of the settings file, or the current one without such a file."""
    settings: _Settings | None = ctx.meta.get(_SETTINGS)
    return Path() if settings is None else settings.file.parent


def file_settings(ctx: click.Context) -> FileSettings:
    """Return the tables ``[files."PATTERN"]`` of the settings file, as far as the command has
    these options; those on the command line override them."""
    settings: _Settings | None = ctx.meta.get(_SETTINGS)
    if settings is None:
        return FileSettings()
    tables = settings.table.get(FILES, {})
    if not isinstance(tables, dict) or not all(isinstance(each, dict) for each in tables.values()):
        settings.fail(f'{FILES} is not a table of tables, as [{FILES}."old/*"]', ctx)
    base = str(settings.file.absolute().parent)
    return FileSettings(
        tuple(
            (Patterns((pattern,), base), dict(_values_for_files(ctx, settings, pattern, table)))
            for pattern, table in tables.items()
        )
    )


def _values_for_files(
    ctx: click.Context, settings: _Settings, pattern: str, table: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    options = _options_by_key(ctx.command)
    for key, value in table.items():
        if key not in FILE_KEYS:
            known = ", ".join(FILE_KEYS)
            settings.fail(f"for {pattern!r} {key!r} cannot be set; there are: {known}", ctx)
        option = options.get(key)
        if option is None:
            continue
        name = str(option.name)
        is_given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        # What is ignored adds up; anything else that is given with the command overrides the file.
        if not is_given or key == "ignore":
            yield name, option.process_value(ctx, _as_list(option, value))
