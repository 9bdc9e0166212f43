"""Options that several commands have, one name for one thing, and how shells complete them.

The help of an option begins with what its name means, up to the first colon, period or default.
That beginning is the same in all commands; what follows it is about the command. click prints the
script that lets a shell complete: ``_SGF_LARK_COMPLETE=bash_source sgf-lark``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sgf_lark.files.inputs import ARCHIVE_SUFFIXES, NONE, Patterns, is_folder
from sgf_lark.files.packed import is_packed
from sgf_lark.grammar_files import PROFILES
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MEGABYTE = 2**20

Command = TypeVar("Command", bound=Callable[..., Any])
#: Adds arguments or options to a command.
Decorator = Callable[[Command], Command]


def option_group(*decorators: Decorator[Any]) -> Decorator[Any]:
    """Return one decorator for several; help lists their options in this order."""

    def decorated(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorated


def titled_group(title: str, *decorators: Decorator[Any]) -> Decorator[Any]:
    """Return one decorator for several options, which :class:`GroupedCommand` lists under a
    title."""

    def decorated(function: Any) -> Any:
        before = len(getattr(function, "__click_params__", ()))
        function = option_group(*decorators)(function)
        for option in function.__click_params__[before:]:
            option.group = title
        return function

    return decorated


class GroupedCommand(click.Command):
    """A command whose help lists the options in groups; the last one is --help."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under the titles of their groups, in order."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                groups.setdefault(getattr(param, "group", "Other options"), []).append(record)
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)


# --- Completions for shells ------------------------------------------------------------


#: Lets the shell complete paths. Not as the type of the argument: click would ask for each file
#: whether it is there and can be read, and the commands report that file by file.
complete_paths = click.Path().shell_complete


def complete_rules(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the last of several codes and names of rules, with the summaries as help."""
    from click.shell_completion import CompletionItem

    from sgf_lark import grammar

    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(before + comma + text, help=rule.summary)
        for rule in grammar.rules().values()
        for text in (rule.code, rule.name)
        if text.startswith(last) or text.lower().startswith(last.lower())
    ]


def complete_charsets(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete names of charsets."""
    from sgf_lark import grammar

    return _starting(incomplete, (charset.name for charset in grammar.charsets()))


def complete_names(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete what ``explain`` explains."""
    return _starting(incomplete, known_names())


def _starting(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    lowered = incomplete.lower()
    return [CompletionItem(name) for name in names if name.lower().startswith(lowered)]


def known_names() -> list[str]:
    """Return all names that can be explained, each once."""
    from sgf_lark import grammar
    from sgf_lark.teaching.productions import EBNF, LARK_FILES, productions

    rules = grammar.rules()
    names = (
        *rules,
        *(row["code"] for row in grammar.table("wei7")["rule"]),
        *(rule.name for rule in rules.values()),
        *(entry.ident for entry in grammar.properties()),
        *grammar.terms(),
        *(program.name for program in grammar.programs()),
        *(name for file in LARK_FILES for name in productions(f"{file}.lark")),
        *productions(EBNF),
    )
    return list(dict.fromkeys(names))


# --- What is read, and what is written ------------------------------------------------


paths_argument = click.argument("paths", nargs=-1, required=True, shell_complete=complete_paths)
path_argument = click.argument("path", shell_complete=complete_paths)
sources_argument = click.argument("sources", nargs=-1, required=True, shell_complete=complete_paths)
result_argument = click.argument("result", type=click.Path(path_type=Path))


def format_option(
    formats: Iterable[str], detail: str, default: str | None = "text"
) -> Decorator[Any]:
    """Return the option that gives ``output_format``, one of `formats`."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(tuple(formats)),
        default=default,
        show_default=default is not None,
        help=f"Write this format: {detail}",
    )


def _refuse_packed(ctx: click.Context, param: click.Parameter, output: Path | None) -> Path | None:
    """Refuse the name of an archive or a packed file: nothing is packed, so it would be false."""
    if output is not None and not is_folder(output):
        if output.name.lower().endswith(ARCHIVE_SUFFIXES):
            problem = "no archive is written; give a folder, and pack it with another program"
            raise click.BadParameter(f"{escape(output)}: {problem}", ctx, param)
        if is_packed(output.name):
            problem = f"{escape(output)} would not be packed; drop {output.suffix}"
            raise click.BadParameter(problem, ctx, param)
    return output


def output_option(detail: str, **attributes: Any) -> Decorator[Any]:
    """Return the option that gives ``output``, a path or None."""
    attributes = {
        "type": click.Path(path_type=Path),
        "metavar": "OUTPUT",
        "callback": _refuse_packed,
        **attributes,
    }
    return click.option(
        "-o", "--output", help=f"Write to this file or folder: {detail}", **attributes
    )


exclude_option = click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    callback=lambda _, __, values: Patterns(values) if values else NONE,
    help="Leave out files and folders that match this pattern, such as old or 'games/19*/*.sgf', "
    "relative to the current folder. Repeat for several.",
)


result_option = click.option(
    "--result",
    type=click.Path(path_type=Path),
    required=True,
    metavar="RESULT",
    help="Write the tables to this folder, which query reads.",
)
size_option = click.option(
    "--max-size",
    type=click.IntRange(1),
    metavar="MB",
    callback=lambda _, __, value: value and value * MEGABYTE,
    help="Do not read files that are larger than this many megabytes.  "
    "[default: 1024, and 256 unpacked]",
)
tolerant_option = click.option(
    "--tolerant", is_flag=True, help="Read damaged files, too: what is damaged is reported."
)

# --- How it is reported ---------------------------------------------------------------


class _Profile(click.Choice[str]):
    """A profile, which may be given by a name that it had before."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in self.choices:
            return value
        from sgf_lark.validation import named_profile

        with suppress(ValueError):
            return named_profile(value)
        return super().convert(value, param, ctx)


profile_option = click.option(
    "--profile",
    type=_Profile(PROFILES),
    default="strict",
    show_default=True,
    help="Choose what is reported: everything with hints, what readers must be able to rely on, or "
    "only what loses or distorts content.",
)
language_option = click.option(
    "--lang",
    "language",
    type=click.Choice(("en", "zh")),
    default="en",
    show_default=True,
    help="Use English or Chinese.",
)
color_option = click.option(
    "--color/--no-color",
    default=None,
    help="Print in color, or do not.  [default: color on a terminal, unless NO_COLOR is set]",
)
exit_zero_option = click.option(
    "--exit-zero", is_flag=True, help="End with 0 even if a file breaks a rule."
)


def quiet_option(detail: str) -> Decorator[Any]:
    """Return the option that gives ``quiet``, how often it was given."""
    return click.option("-q", "--quiet", count=True, help=f"Print less: {detail}")


# --- Where the work is done -----------------------------------------------------------

jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Use N processes of this machine.  [default: one for each processor]",
)
#: Where archives are processed: ``jobs``; ``scheduler``, an address or None.
cluster_options = option_group(
    jobs_option,
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Use the workers of this scheduler of Dask, such as tcp://host:8786; they have to "
        "reach the sources.",
    ),
)

#: The limits of a tested parser: ``timeout`` in seconds and ``memory`` in megabytes.
limit_options = option_group(
    click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=5.0,
        show_default=True,
        metavar="SECONDS",
        help="Report a hang after this many seconds without an answer.",
    ),
    click.option(
        "--memory",
        type=click.IntRange(16),
        default=1024,
        show_default=True,
        metavar="MB",
        help="Limit the memory of a parser to this many megabytes.",
    ),
)


def port_option(detail: str, **attributes: Any) -> Decorator[Any]:
    """Return the option that gives ``port``."""
    attributes = {"type": click.IntRange(0, 65535), "metavar": "NUMBER", **attributes}
    return click.option(
        "--port", help=f"Listen on this port of this machine: {detail}", **attributes
    )


list_targets_option = click.option(
    "--list-targets", is_flag=True, help="List the adapters, and which of them are installed."
)


def target_option(detail: str, **attributes: Any) -> Decorator[Any]:
    """Return the option that gives ``targets``, which can be repeated."""
    text = "Test this parser: an adapter by name, a Python callable module:function, or a command"
    return click.option("--target", "targets", multiple=True, help=f"{text}{detail}", **attributes)


# --- Rules ----------------------------------------------------------------------------


def _parse_codes(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Return the codes in `values`, None where the option was not given.

    What is not a code, name or word of the catalog is refused: it would silently select nothing.
    """
    if not values:
        return None
    from sgf_lark import grammar

    names = {rule.code: rule.name for rule in grammar.rules().values()}
    # The table alone: what checks files of wei7 is slow to import.
    names |= {row["code"]: row["name"] for row in grammar.table("wei7")["rule"]}
    codes: dict[str, None] = {}
    for part in (part.strip() for value in values for part in value.split(",")):
        found = _codes_of(part, names)
        if not found:
            from difflib import get_close_matches

            # All names, and the words in them.
            known = [*dict.fromkeys([*names.values(), *"-".join(names.values()).split("-")])]
            close = get_close_matches(part.lower(), known, 3, 0.7)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise click.BadParameter(
                f"no rule has a code that begins with {part!r}, or a name with it{hint}", ctx, param
            )
        codes |= dict.fromkeys(found)
    return tuple(codes)


def _codes_of(part: str, names: Mapping[str, str]) -> list[str]:
    """Return the beginning of codes, or the codes of the rules with that name, or else with these
    words in their names."""
    if part and any(code.startswith(part.upper()) for code in names):
        return [part.upper()]
    # A word of a name is what people remember of a rule.
    words = part.lower()
    exact = [code for code, name in names.items() if name == words]
    return exact or [code for code, name in names.items() if f"-{words}-" in f"-{name}-"]


def _code_option(name: str, meaning: str) -> Decorator[Any]:
    return click.option(
        name,
        metavar="CODES",
        multiple=True,
        callback=_parse_codes,
        shell_complete=complete_rules,
        help=f"{meaning} these rules: codes or their beginnings, or names or words of them, "
        "separated by commas.",
    )


#: ``select`` and ``ignore``: codes of rules or their beginnings, or None.
code_options = option_group(
    _code_option("--select", "Apply only"), _code_option("--ignore", "Skip")
)

# --- How the bytes of a file are read -------------------------------------------------


def _parse_charset(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    from sgf_lark.text import charsets

    try:
        return name and charsets.named(name).name
    except LookupError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def _charset_option(name: str, detail: str) -> Decorator[Any]:
    return click.option(
        name,
        metavar="NAME",
        callback=_parse_charset,
        shell_complete=complete_charsets,
        help=detail,
    )


charset_option = _charset_option("--charset", "Decode text with this charset, whatever CA says.")

#: ``charset``, ``default_charset`` and ``charset_mode``, as :func:`sgf_lark.loads` takes them.
charset_options = option_group(
    charset_option,
    _charset_option(
        "--default-charset", "Decode text without CA with this charset.  [default: detected]"
    ),
    click.option(
        "--charset-mode",
        type=click.Choice(("auto", "file", "text", "none")),
        default="auto",
        show_default=True,
        help="Decode the whole file before it is parsed, or each text after that (as the "
        "specification of FF[4] says), or nothing; auto: as the specification says if the file "
        "makes sense that way.",
    ),
)


def ff_option(detail: str, name: str = "file_format", **attributes: Any) -> Decorator[Any]:
    """Return the option that gives ``file_format``, or what `attributes` make of it."""
    attributes = {"type": click.IntRange(1, 4), "metavar": "NUMBER", **attributes}
    return click.option("--ff", name, help=f"Use this file format (FF): {detail}", **attributes)


def gm_option(detail: str, name: str = "game", **attributes: Any) -> Decorator[Any]:
    """Return the option that gives ``game``, or what `attributes` make of it."""
    attributes = {"type": click.IntRange(1), "metavar": "NUMBER", **attributes}
    return click.option("--gm", name, help=f"Use this game (GM): {detail}", **attributes)


#: All options of :func:`sgf_lark.validate` for how a file is read.
reading_options = option_group(
    charset_options,
    ff_option("for every game tree, whatever its FF says."),
    gm_option("for every game tree, whatever its GM says."),
)
