"""The package without its extras: entry points, and one line for each command that needs one."""

import json
import re
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, requires
from pathlib import Path

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

#: Commands that need an extra.
NEEDS = {
    "audit game.sgf --result new": "archive",
    "archive convert game.sgf --format json --result new -o new2": "archive",
    "duplicates folder": "archive",
    "archive fix game.sgf --result new -o new2": "archive",
    "query folder 'SELECT 1'": "archive",
    "report folder": "archive",
    "conformance run --target sgf_lark -o new.html": "fuzz",
    "grammar --format html -o new.html": "teach",
    "lsp --port 1": "lsp",
    "playground --no-browser": "web",
    "show game.sgf -o new.png": "png",
    "show game.sgf -o new.gif": "animation",
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


def run(code: str, folder: Path, *arguments: str) -> str:
    blocked = BLOCKED.format(missing=json.dumps(modules_of_extras()))
    command = [sys.executable, "-c", blocked + code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_extras_are_those_of_the_package() -> None:
    assert {"dask", "lsprotocol", "hypothesis"} <= set(modules_of_extras())
    assert not {"lark", "click", "rich", "pygments"} & set(modules_of_extras())
    provided = set(distribution("sgf-lark").metadata.get_all("Provides-Extra") or ())
    assert set(extras._MODULES) <= provided


def test_entry_points_and_commands_are_loaded(tmp_path: Path) -> None:
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
    assert run(code, tmp_path) == "Python Text only Smart Game Format (sgf_lark)\n"


def test_a_missing_extra_is_named_in_one_line(tmp_path: Path) -> None:
    game, folder = tmp_path / "game.sgf", tmp_path / "folder"
    game.write_bytes(GAME)
    folder.mkdir()
    code = """
import json, shlex
from click.testing import CliRunner
from sgf_lark.cli.commands import main
for line in sys.argv[1:]:
    result = CliRunner().invoke(main, shlex.split(line))
    print(json.dumps([line, result.exit_code, result.stderr]))
"""
    shown = [json.loads(line) for line in run(code, tmp_path, *NEEDS).splitlines()]
    for line, exit_code, errors in shown:
        assert (exit_code, errors.count("\n")) == (2, 1), (line, errors)
        assert f"pip install 'sgf-lark[{NEEDS[line]}]'" in errors, line
    assert [line for line, *_ in shown] == [*NEEDS]
    assert sorted(tmp_path.iterdir()) == [folder, game]
    assert not [*folder.iterdir()]
