"""``python -m sgf_lark.rules new CODE NAME``: write the stubs of a new rule.

A rule has two places: its row in ``grammar/rules.toml`` and its function in a module of this
package. The tests fail until the stubs are complete.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

from sgf_lark import grammar
from sgf_lark.rules import FAMILIES, load_rules
from sgf_lark.rules.registry import RULES, Scope

_CODE = re.compile(r"SGF\d{3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")

_ROW = """\
[[rule]]
code = "{code}"
name = "{name}"
severity = {{ strict = "off", default = "off", archive = "off" }}
reference = []
source = ""
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

@rule("{code}", Scope.{scope})
def {function}({signature}:
    \"\"\"TODO: Reports what the rule reports.\"\"\"
    {body}
"""

#: The parameters and the result of the functions of a scope.
_SIGNATURES = {
    Scope.VALUE: "value: PropValue) -> Finding | None",
    Scope.CONTENT: "value: PropValue) -> Finding | None",
    Scope.PROPERTY: "entry: Property) -> Iterator[Finding]",
    Scope.NODE: "node: Node) -> Iterator[Finding]",
    Scope.PATH: "tree: GameTree) -> PathVisitor",
    Scope.TREE: "tree: GameTree) -> Iterator[Finding]",
    Scope.COLLECTION: "collection: Collection) -> Iterator[Finding]",
}
_BODIES = {
    Scope.VALUE: "return None",
    Scope.CONTENT: "return None",
    Scope.PATH: "return lambda node, board: iter(())",
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
    catalogue = grammar.folder() / "rules.toml"
    if grammar.folder().name != "grammar":
        raise click.ClickException("this package is installed; run the command in a checkout")
    _refuse_if_taken(code, name)
    check_module = import_module(f"sgf_lark.rules.{family or _family_near(code)}")
    function = name.replace("-", "_")
    if hasattr(check_module, function):
        raise click.ClickException(f"{check_module.__name__} already has the name {function}")
    kind = Scope[scope.upper()]
    texts = {"code": code, "name": name, "function": function}
    stub = _FUNCTION.format(
        **texts,
        scope=kind.name,
        signature=_SIGNATURES[kind],
        body=_BODIES.get(kind, "yield from ()"),
    )
    row = _insert_row(catalogue, code, _ROW.format(**texts))
    check = _append(check_module, stub)
    click.echo(f"{row}: the texts, severities and examples")
    click.echo(f"{check}: the check, and its fix after it")
    click.echo("its tests: .venv/bin/pytest @tests/quick.txt")


def _refuse_if_taken(code: str, name: str) -> None:
    """Raise ClickException if the code or the name is malformed or exists."""
    if not _CODE.fullmatch(code):
        raise click.ClickException(f"not a code: {code}; a code is SGF and three digits")
    if not _NAME.fullmatch(name):
        raise click.ClickException(f"not a name: {name}; a name is lowercase words joined by -")
    names = {rule.name: rule.code for rule in grammar.rules().values()}
    names |= {permission.name: "a permission" for permission in grammar.permissions()}
    if code in grammar.rules():
        raise click.ClickException(f"{code} exists: {grammar.rule(code).name}")
    if name in names:
        raise click.ClickException(f"{name} exists: {names[name]}")


def _family_near(code: str) -> str:
    """The module of the rule with the nearest code."""
    load_rules()
    functions = {rule.code: rule.function for rules in RULES.values() for rule in rules}
    same_hundred = [other for other in functions if other[3] == code[3]]
    if not same_hundred:
        raise click.ClickException(f"no rule near {code} has a function; give a --family")
    nearest = min(same_hundred, key=lambda other: abs(int(other[3:]) - int(code[3:])))
    return functions[nearest].__module__.rpartition(".")[2]


def _insert_row(catalogue: Path, code: str, row: str) -> str:
    """Insert a row in the order of codes; return its place as path:line."""
    lines = catalogue.read_text(encoding="utf-8").split("\n")
    codes = {}
    for number, line in enumerate(lines):
        if match := re.match(r'code = "(SGF\d{3})"', line):
            codes[match[1]] = number - 1
    before = [other for other in codes if other < code and other[3] == code[3]]
    if before:
        start = codes[max(before)] + 1
        while not lines[start].startswith(("[[", "# ---")):
            start += 1
    else:
        start = min(number for other, number in codes.items() if other > code)
    lines[start:start] = row.split("\n")
    catalogue.write_text("\n".join(lines), encoding="utf-8")
    return f"{catalogue}:{start + 1}"


def _append(module: ModuleType, stub: str) -> str:
    """Append a stub to the source of a module; return its place as path:line."""
    path = Path(str(module.__file__))
    text = path.read_text(encoding="utf-8")
    path.write_text(text + stub, encoding="utf-8")
    return f"{path}:{text.count(chr(10)) + 3}"


if __name__ == "__main__":
    main(prog_name="python -m sgf_lark.rules")
