"""The package without its extras: entry points, and one line for each command that needs one."""

import json
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, requires
from pathlib import Path

import pytest

from sgf_lark.cli import extras

GAME = b"(;FF[4]GM[1]SZ[9]CA[UTF-8];B[aa];W[bb])"

#: Runs what follows with modules that cannot be imported, as in an environment without them.
BLOCKED = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
import importlib.util
found = importlib.util.find_spec
def find_spec(name, package=None):
    return None if name.partition(".")[0] in {missing} else found(name, package)
importlib.util.find_spec = find_spec
"""

#: The arguments of commands that need an extra; the paths of a game and of a new folder.
NEEDS = {
    "audit {game} --result {new}": "archive",
    "archive convert {game} --format json --result {new} -o {new}2": "archive",
    "duplicates {folder}": "archive",
    "archive fix {game} --result {new} -o {new}2": "archive",
    "query {folder} 'SELECT 1'": "archive",
    "report {folder}": "archive",
    "conformance run --target sgf_lark -o {new}.html": "fuzz",
    "grammar --format html -o {new}.html": "teach",
    "lsp --port 1": "lsp",
    "playground --no-browser": "web",
    "show {game} -o {new}.png": "png",
    "show {game} -o {new}.gif": "animation",
}


@cache
def modules_of_extras() -> list[str]:
    """The modules of all distributions that an install without extras does not bring."""
    kept = ["sgf-lark"]
    for name in kept:  # grows by what each of them needs
        for requirement in requires(name) or ():
            match = re.match(r"[\w.-]+", requirement)
            if match and "extra ==" not in requirement and is_installed(match[0]):
                kept.append(match[0].lower())
    return sorted(
        module
        for module, names in packages_distributions().items()
        if not {*kept} & {name.lower() for name in names}
    )


def is_installed(name: str) -> bool:
    with suppress(PackageNotFoundError):
        return bool(distribution(name))
    return False


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    blocked = BLOCKED.format(missing=json.dumps(modules_of_extras()))
    command = [sys.executable, "-c", blocked + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_extras_are_those_of_the_package() -> None:
    assert {"dask", "lsprotocol", "hypothesis"} <= set(modules_of_extras())
    assert not {"lark", "click", "rich", "pygments"} & set(modules_of_extras())
    provided = set(distribution("sgf-lark").metadata.get_all("Provides-Extra") or ())
    assert set(extras._MODULES) <= provided


def test_entry_points_and_commands_are_loaded() -> None:
    code = """
from importlib.metadata import distribution
from pygments import plugin
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename, guess_lexer
own = distribution("sgf-lark").entry_points
plugin.iter_entry_points = lambda group: own.select(group=group)
for entry in own:
    if entry.group != "pytest11":
        entry.load()
lexers = get_lexer_for_filename("x.py"), guess_lexer("hello"), get_lexer_by_name("sgf-lark")
print(*(lexer.name for lexer in lexers))
from click.testing import CliRunner
from sgf_lark.cli.commands import main as commands
for name in commands.list_commands(None):
    result = CliRunner().invoke(commands, [name, "--help"])
    assert result.exit_code == 0, (name, result.output)
"""
    result = run(code)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "Python Text only Smart Game Format (sgf_lark)\n"


@pytest.mark.parametrize("arguments", NEEDS)
def test_a_missing_extra_is_named_in_one_line(arguments: str, tmp_path: Path) -> None:
    game, folder, new = tmp_path / "game.sgf", tmp_path / "folder", tmp_path / "new"
    game.write_bytes(GAME)
    folder.mkdir()
    words = shlex.split(arguments.format(game=game, folder=folder, new=new))
    result = run("from sgf_lark.__main__ import main; main()", *words)
    assert result.returncode == 2, result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert f"pip install 'sgf-lark[{NEEDS[arguments]}]'" in result.stderr
    assert sorted(tmp_path.iterdir()) == [folder, game]
    assert not [*folder.iterdir()]
