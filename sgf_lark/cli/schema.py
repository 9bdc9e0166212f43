"""``sgf-lark schema``: the JSON Schema of wei7."""

from __future__ import annotations

import json

import click


@click.command()
@click.argument("name", type=click.Choice(["wei7"]), default="wei7")
@click.pass_context
def schema(ctx: click.Context, name: str) -> None:
    """Print the JSON Schema (2020-12) of wei7, the JSON format for Go games.

    It says what can be said of single values; `sgf-lark check` finds all the rest,
    such as moves onto stones. Needs the extra wei7.
    """
    from sgf_lark import wei7

    try:
        text = json.dumps(wei7.schema(), indent=2)
    except ImportError as error:
        click.echo(f"sgf-lark: {error}", err=True)
        ctx.exit(2)
    click.echo(text)
