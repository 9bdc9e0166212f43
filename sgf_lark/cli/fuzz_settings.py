"""The settings of ``sgf-lark fuzz`` from its options, and lists of targets and features."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import MEGABYTE
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.fuzz.features import Feature
    from sgf_lark.fuzz.judging import Level
    from sgf_lark.fuzz.running import Finding, Settings


class NumberOrAll(click.ParamType["int | None"]):
    """A number of the grammar, or "all", which gives None."""

    name = "number"

    def __init__(self, what: str) -> None:
        self._what = what

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | None:
        """Return the number; fail for one that the grammar does not have."""
        from sgf_lark import grammar
        from sgf_lark.fuzz.generating_files import FILE_FORMATS

        if value == "all":
            return None
        known = grammar.games() if self._what == "game" else FILE_FORMATS
        numbers = [str(number) for number in known]
        if value not in numbers:
            self.fail(f"no such {self._what}: {value}; all, or one of {', '.join(numbers)}")
        return int(value)


def make_settings(
    targets: tuple[str, ...],
    *,
    compare: str,
    strict: bool,
    level: Level | None,
    seed: int | None,
    corpora: tuple[str, ...],
    games: tuple[int | None, ...],
    file_formats: tuple[int | None, ...],
    known: tuple[Path, ...],
    without: tuple[str, ...],
    timeout: float,
    memory: int,
    slow: float,
) -> Settings:
    """Return the settings of a run; end the command if no file of the corpora can be read."""
    from secrets import randbits

    from sgf_lark.cli.terminal import fail, print_error
    from sgf_lark.files.contents import read_all
    from sgf_lark.fuzz.judging import Judge
    from sgf_lark.fuzz.running import Settings

    files = list(read_all(corpora))
    unreadable = [f"{escape(file.path)}: {file.reason}" for file in files if file.data is None]
    if unreadable and len(unreadable) == len(files):
        fail("\n".join(unreadable))
    for reason in unreadable:
        print_error(reason)
    return Settings(
        tuple(dict.fromkeys(targets)),
        randbits(32) if seed is None else seed,
        tuple(file.data for file in files if file.data is not None),
        _numbers(games),
        _numbers(file_formats),
        timeout,
        memory * MEGABYTE,
        Judge(compare == "tree", strict or level is not None, level or "rules"),
        _features(without),
        _known(known),
        slow,
    )


def _numbers(given: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the numbers without repetition, or none if "all" is among them."""
    numbers = tuple(number for number in dict.fromkeys(given) if number is not None)
    return numbers if None not in given else ()


def _features(names: tuple[str, ...]) -> tuple[Feature, ...]:
    from sgf_lark.fuzz.features import parse

    try:
        return tuple(parse(name) for name in names)
    except ValueError as error:
        raise click.BadParameter(f"{error}; --list-features shows them all") from error


def _known(paths: tuple[Path, ...]) -> tuple[Finding, ...]:
    from sgf_lark.cli.terminal import failing_on
    from sgf_lark.fuzz.findings import load_findings

    with failing_on(ValueError):
        return tuple(finding for path in paths for finding in load_findings(path))


def all_features() -> str:
    """Return a line for each feature of the grammar and the property table."""
    from sgf_lark.fuzz.features import listed

    return "".join(f"{feature.name:44} {feature.title}\n" for feature in listed())


def list_adapters() -> str:
    """Return lines on each adapter: whether it is installed, or how to install it."""
    from sgf_lark.fuzz.adapters import adapters

    lines = []
    for adapter in adapters().values():
        version = adapter.installed_version()
        if version is not None:
            state = f"available {version}".rstrip()
        else:
            state = "cannot be used" if adapter.kind == "none" else "not installed"
        lines.append(f"{adapter.name:14} {state:18} {adapter.title}\n")
        if adapter.note:
            lines.append(f"{'':14} {adapter.note}\n")
        if version is None and adapter.install:
            lines.append(f"{'':14} {adapter.install}\n")
    return "".join(lines)
