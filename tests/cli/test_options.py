"""One name for one thing: options mean the same in all commands."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import click

from sgf_lark.cli.commands import commands, main
from tests.kit.commands import invoke
from tests.kit.tables import for_each


def _options() -> Iterator[tuple[str, str]]:
    """The long name of each option of each command, and its help up to the first colon, period or
    default."""
    for command, _ in commands():
        for option in command.params:
            if isinstance(option, click.Option):
                yield max(option.opts, key=len), re.split(r"[:.]|  \[", option.help or "")[0]


def test_name_means_one_thing_and_a_thing_has_one_name() -> None:
    meanings, names = defaultdict(set), defaultdict(set)
    for name, meaning in _options():
        assert meaning, f"{name} has no help"
        meanings[name].add(meaning)
        names[meaning].add(name)
    assert [found for found in (meanings | names).items() if len(found[1]) > 1] == []


def test_names_and_kinds_do_not_depend_on_the_command() -> None:
    found = defaultdict(set)
    for command, _ in commands():
        for option in command.params:
            if isinstance(option, click.Option):
                kind = (option.is_flag, *sorted(option.opts), *sorted(option.secondary_opts))
                for name in (*option.opts, *option.secondary_opts):
                    found[name].add(kind)
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


def test_help_says_what_the_exit_code_is() -> None:
    """In all commands that read or write something."""
    for command, names in commands():
        reads = any(
            param.name in {"paths", "path", "sources", "result"} for param in command.params
        )
        if reads and names[-1] not in ("known",):
            assert "The exit code is" in (command.help or ""), names


@for_each([("fix", 18), ("check", 20)])
def test_options_are_few_and_listed_in_groups(name: str, most: int) -> None:
    """What people use first is listed first."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    known = [each for each in command.params if isinstance(each, click.Option)]
    assert len(known) <= most and all(hasattr(each, "group") for each in known)
    shown = invoke(name, "--help").output
    titles = [line for line in shown.splitlines() if line.endswith(":") and line[:1].strip()]
    assert titles[0] == "Options:" and titles[-1] == "Other options:" and len(titles) == 5
