"""``sgf-lark schema``: print the JSON Schema of wei7."""

from __future__ import annotations

import json

import click

from sgf_lark.cli import terminal


@click.command()
@click.argument("name", type=click.Choice(["wei7"]), default="wei7")
def schema(name: str) -> None:
    """Print the JSON Schema (2020-12) of wei7, the JSON format for Go games.

    The schema constrains single values; `sgf-lark check` also finds what depends on
    several of them, such as moves onto stones.
    """
    from sgf_lark import wei7

    terminal.prepare_streams()
    terminal.write(json.dumps(wei7.schema(), indent=2) + "\n")
