"""``python -m sgf_lark.rules new CODE NAME``: write the stubs of a new rule.

A rule has two places: its row in ``grammar/rules.toml`` and its function in a module of this
package. The tests fail until the stubs are complete.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import click

from sgf_lark import grammar
from sgf_lark.rules import FAMILIES, load_rules
from sgf_lark.rules.registry import RULES, Scope

_ROW = """\
[[rule]]
code = "{code}"
name = "{name}"
severity = {{ strict = "off", interchange = "off", archive = "off" }}
reference = []
source = "sgf-lark"
message = ""
message_zh = ""
summary = ""
summary_zh = ""
explanation = ""
explanation_zh = ""
fix = ""
fix_zh = ""
bad = [
]
good = [
]

"""

_FUNCTION = """

@rule("{code}", Scope.{scope.name})
def {function}({signature}:
    \"\"\"TODO: Reports what the rule reports.\"\"\"
    {body}
"""

#: For each scope the parameter and the result of its functions, and a body that reports nothing.
_OF_SCOPES = {
    Scope.VALUE: ("value: PropValue) -> Finding | None", "return None"),
    Scope.CONTENT: ("value: PropValue) -> Finding | None", "return None"),
    Scope.PROPERTY: ("entry: Property) -> Iterator[Finding]", "yield from ()"),
    Scope.NODE: ("node: Node) -> Iterator[Finding]", "yield from ()"),
    Scope.PATH: ("tree: GameTree) -> PathVisitor", "return lambda node, board: iter(())"),
    Scope.TREE: ("tree: GameTree) -> Iterator[Finding]", "yield from ()"),
    Scope.COLLECTION: ("collection: Collection) -> Iterator[Finding]", "yield from ()"),
}


@click.group()
def main() -> None:
    """Tools for people who work on the rules."""


@main.command()
@click.argument("code")
@click.argument("name")
@click.option(
    "--scope",
    required=True,
    type=click.Choice([scope.name.lower() for scope in Scope]),
    help="Call the function for each of these.",
)
@click.option(
    "--family",
    type=click.Choice(FAMILIES),
    help="Write the function to this module. Default: the module of the nearest code.",
)
def new(code: str, name: str, scope: str, family: str | None) -> None:
    """Write the stubs of a new rule, with a CODE such as SGF520 and a NAME-OF-WORDS."""
    if grammar.folder().name != "grammar":
        raise click.ClickException("this package is installed; run the command in a checkout")
    _refuse_if_taken(code, name)
    module = import_module(f"sgf_lark.rules.{family or _family_near(code)}")
    function = name.replace("-", "_")
    if hasattr(module, function):
        raise click.ClickException(f"{module.__name__} already has the name {function}")
    signature, body = _OF_SCOPES[Scope[scope.upper()]]
    stub = _FUNCTION.format(
        code=code, scope=Scope[scope.upper()], function=function, signature=signature, body=body
    )
    catalogue, source = grammar.folder() / "rules.toml", Path(str(module.__file__))
    row = _insert(catalogue, _place_of(code, catalogue), _ROW.format(code=code, name=name))
    check = _insert(source, len(source.read_text("utf-8")), stub)
    click.echo(f"{row}: the texts, severities and examples")
    click.echo(f"{check}: the check, and its fix after it")
    click.echo("its tests: .venv/bin/pytest tests/contract")


def _refuse_if_taken(code: str, name: str) -> None:
    """Raise ClickException if the code or the name is malformed or exists."""
    taken = {permission.name: "a permission" for permission in grammar.permissions()}
    for rule in grammar.rules().values():
        taken |= {rule.code: rule.name, rule.name: rule.code}
    for given, form, words in (
        (code, r"SGF\d{3}", "a code is SGF and three digits"),
        (name, r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", "a name is lowercase words joined by -"),
    ):
        if not re.fullmatch(form, given):
            raise click.ClickException(f"{given}: {words}")
        if given in taken:
            raise click.ClickException(f"{given} exists: {taken[given]}")


def _family_near(code: str) -> str:
    """The module of the rule with the nearest code."""
    load_rules()
    functions = {rule.code: rule.function for rules in RULES.values() for rule in rules}
    same_hundred = [other for other in functions if other[3] == code[3]]
    if not same_hundred:
        raise click.ClickException(f"no rule near {code} has a function; give a --family")
    nearest = min(same_hundred, key=lambda other: abs(int(other[3:]) - int(code[3:])))
    return functions[nearest].__module__.rpartition(".")[2]


def _place_of(code: str, catalogue: Path) -> int:
    """The offset in the catalogue at which a row is inserted, in the order of codes."""
    text = catalogue.read_text("utf-8")
    rows = re.finditer(r'^\[\[rule\]\]\ncode = "(SGF\d{3})"', text, re.MULTILINE)
    starts = {row[1]: row.start() for row in rows}
    before = [other for other in starts if other < code and other[3] == code[3]]
    if not before:
        return min(start for other, start in starts.items() if other > code)
    # A section has a headline before its first row.
    following = re.compile(r"^(?:\[\[|# ---)", re.MULTILINE)
    found = following.search(text, starts[max(before)] + 1)
    assert found is not None
    return found.start()


def _insert(path: Path, offset: int, stub: str) -> str:
    """Insert a stub in a file; return its place as path:line."""
    text = path.read_text("utf-8")
    path.write_text(text[:offset] + stub + text[offset:], "utf-8")
    blank = len(stub) - len(stub.lstrip("\n"))
    return f"{path}:{text.count(chr(10), 0, offset) + blank + 1}"


if __name__ == "__main__":
    main(prog_name="python -m sgf_lark.rules")
