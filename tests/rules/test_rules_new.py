"""The command that writes the stubs of a new rule, in a copy of the checkout."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from sgf_lark.rules import load_rules
from sgf_lark.rules.__main__ import _family_near
from sgf_lark.rules.registry import RULES

CHECKOUT = Path(__file__).parents[2]
ROW = "grammar/rules.toml"
CHECK = "sgf_lark/rules/nodes.py"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the package and the grammar, with what was compiled and built of them in Python."""
    ignored = shutil.ignore_patterns("*.so", "*.c", "*.pyc.*", "*.pickle.*")
    for name in ("sgf_lark", "grammar"):
        shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=ignored)
    return tmp_path


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def new(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "sgf_lark.rules", "new", *arguments)


def files(folder: Path) -> dict[str, str]:
    """The sources and the grammar in `folder`."""
    found = (path for suffix in ("py", "toml") for path in folder.rglob(f"*.{suffix}"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


def test_two_files_get_a_stub(checkout: Path) -> None:
    before = files(checkout)
    result = new(checkout, "SGF509", "too-many-properties", "--scope", "node")
    assert result.returncode == 0, result.stderr
    after = files(checkout)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {ROW, CHECK}
    *places, command = result.stdout.splitlines()
    assert command.endswith(".venv/bin/pytest tests/contract")
    for line, name in zip(places, (ROW, CHECK), strict=True):
        path, number, _ = line.split(":", 2)
        assert path == str(checkout / name)
        line, following = after[name].splitlines()[int(number) - 1 :][:2]
        assert (line, following) == ("[[rule]]", 'code = "SGF509"') or line.startswith(
            '@rule("SGF509", Scope.NODE)'
        )
    result = new(checkout, "SGF590", "another-rule", "--scope", "path", "--family", "paths")
    assert "paths.py" in result.stdout
    assert "another_rule" in (checkout / "sgf_lark/rules/paths.py").read_text("utf-8")


def test_stubs_of_all_scopes_are_rules_that_report_nothing(checkout: Path) -> None:
    """Their rows are in the order of codes, before and after all others of their hundred too."""
    catalogue = checkout / ROW
    added = dict(
        zip(
            ["SGF500", "SGF509", *(f"SGF59{number}" for number in range(5))],
            ["value", "content", "property", "node", "path", "tree", "collection"],
            strict=True,
        )
    )
    for code, scope in added.items():
        assert new(checkout, code, f"another-{scope}-rule", "--scope", scope).returncode == 0
        rows = catalogue.read_text("utf-8").partition(f'code = "{code}"')
        assert "# --- 5xx" in rows[0] and "# --- 6xx" in rows[2]
        active = rows[2].replace('strict = "off"', 'strict = "error"', 1)
        catalogue.write_text(rows[0] + rows[1] + active, "utf-8")
    source = (
        "import sgf_lark; from sgf_lark import grammar; from sgf_lark.rules import load_rules; "
        "from sgf_lark.rules.registry import RULES; load_rules(); "
        "print(*grammar.rules()); print(*(rule.code for rules in RULES.values() for rule in rules))"
        "; print(sgf_lark.validate('(;FF[4]GM[1];B[aa])', profile='strict').diagnostics)"
    )
    result = python(checkout, "-c", source)
    codes, registered, found = result.stdout.splitlines()
    assert codes.split() == sorted(codes.split())
    assert added.keys() <= {*codes.split()} & {*registered.split()}
    assert found == "[]", result.stderr


def test_the_family_is_that_of_the_nearest_code() -> None:
    load_rules()
    for rule in chain.from_iterable(RULES.values()):
        assert rule.function.__module__ == f"sgf_lark.rules.{_family_near(rule.code)}"


#: A code, a name, and what is reported about them.
REFUSED = [
    ("SGF501", "another-rule", "duplicate-property"),
    ("SGF509", "duplicate-property", "SGF501"),
    ("SGF509", "free-colon", "permission"),
    ("SGF509", "merge-properties", "sgf_lark.rules.nodes"),
    ("509", "another-rule", "three digits"),
    ("SGF509", "Another_Rule", "lowercase"),
    ("SGF009", "another-rule", "--family"),
]
#: One process, as nothing is changed that the next call would read.
_ALL_REFUSED = """
import json, sys
from click.testing import CliRunner
from sgf_lark.rules.__main__ import main

for code, name, _ in json.loads(sys.argv[1]):
    done = CliRunner().invoke(main, ["new", code, name, "--scope", "node"])
    print(json.dumps([done.exit_code, done.output]))
"""


def test_what_exists_or_is_malformed_is_refused(checkout: Path) -> None:
    before = files(checkout)
    done = python(checkout, "-c", _ALL_REFUSED, json.dumps(REFUSED))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(REFUSED), done.stderr
    for (_, _, problem), (code, output) in zip(REFUSED, found, strict=True):
        assert code == 1 and problem in output
    assert files(checkout) == before


def test_an_installed_package_is_not_changed(checkout: Path) -> None:
    (checkout / "grammar").rename(checkout / "sgf_lark" / "_grammar")
    before = files(checkout)
    result = new(checkout, "SGF509", "another-rule", "--scope", "node")
    assert result.returncode == 1
    assert "checkout" in result.stderr
    assert files(checkout) == before
