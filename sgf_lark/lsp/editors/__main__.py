"""``python -m sgf_lark.lsp.editors``: the files that editors need.

``vsix`` packages the extension for Visual Studio Code with npm's packages; ``textmate`` writes
only the TextMate grammar, for other editors that take one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import click

from sgf_lark import __version__
from sgf_lark.lsp.editors.textmate import textmate_grammar

SOURCES = Path(__file__).parent / "vscode"
GRAMMAR = "sgf.tmLanguage.json"


@click.group()
def main() -> None:
    """Write the files that editors need."""


@main.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
def textmate(path: Path) -> None:
    """Write the TextMate grammar to PATH."""
    path.write_text(json.dumps(textmate_grammar(), indent=2) + "\n", encoding="utf-8")


@main.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
def vsix(path: Path) -> None:
    """Package the extension for Visual Studio Code as PATH, with npm."""
    npm = shutil.which("npm")
    if npm is None:
        raise click.ClickException("packaging the extension needs npm (Node.js 20 or later)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "extension"
        prepare(folder)
        for arguments in (
            ["install", "--no-audit", "--no-fund", "--ignore-scripts=false"],
            ["run", "bundle"],
            ["run", "package"],
        ):
            if subprocess.run([npm, *arguments], cwd=folder, check=False).returncode:
                raise click.ClickException(f"npm {arguments[0]} failed")
        shutil.copyfile(folder / "sgf-lark.vsix", path)
    click.echo(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def prepare(folder: Path) -> None:
    """Copy the sources of the extension into a new folder, with grammar and version."""
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    (folder / GRAMMAR).write_text(json.dumps(textmate_grammar()), encoding="utf-8")
    package = folder / "package.json"
    content = json.loads(package.read_text(encoding="utf-8"))
    content["version"] = __version__
    package.write_text(json.dumps(content, indent=2), encoding="utf-8")
    license_file = SOURCES.parents[3] / "LICENSE"
    if license_file.is_file():
        shutil.copyfile(license_file, folder / "LICENSE")


if __name__ == "__main__":
    main()
