"""One name for one thing: options mean the same in all commands."""

from __future__ import annotations

from collections import defaultdict

import click
import pytest
from click.testing import CliRunner

from sgf_lark.cli import manual
from sgf_lark.cli.commands import main


def test_name_means_one_thing() -> None:
    for entry in manual.all_options():
        assert len(entry.meanings) == 1, f"{entry.names} means: {entry.meanings}"
        assert all(entry.meanings), f"{entry.names} has no help"


def test_meaning_has_one_name() -> None:
    names = defaultdict(set)
    for entry in manual.all_options():
        [meaning] = entry.meanings
        names[meaning].add(entry.names)
    assert [found for found in names.values() if len(found) > 1] == []


def test_names_and_kinds_do_not_depend_on_the_command() -> None:
    found = defaultdict(set)
    for command, _ in manual.commands(main):
        for option in command.params:
            if isinstance(option, click.Option):
                kind = (option.is_flag, *sorted(option.opts), *sorted(option.secondary_opts))
                for name in (*option.opts, *option.secondary_opts):
                    found[name].add(kind)
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


@pytest.mark.parametrize(("name", "most"), [("fix", 18), ("check", 20)])
def test_options_are_few_and_listed_in_groups(name: str, most: int) -> None:
    """What people use first is listed first."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    known = [each for each in command.params if isinstance(each, click.Option)]
    assert len(known) <= most and all(hasattr(each, "group") for each in known)
    shown = CliRunner().invoke(main, [name, "--help"]).output
    titles = [line for line in shown.splitlines() if line.endswith(":") and line[:1].strip()]
    assert titles[0] == "Options:" and titles[-1] == "Other options:" and len(titles) == 5
