"""Writes ``docs/terminal.svg``, the picture of a terminal in the README, and the same in Chinese.

python docs/site/picture.py
"""

from __future__ import annotations

import io
import re
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner
from rich.console import Console
from rich.text import Text

from sgf_lark.cli.commands import main

_DOCS = Path(__file__).parent.parent
PICTURES = {"en": _DOCS / "terminal.svg", "zh": _DOCS / "terminal.zh.svg"}
_GAME = b"(;FF[4]GM[1]CA[UTF-8]SZ[9]PB[Ann]PW[Bea]KM[6,5];B[ee];W[cc];B[gc];W[eg]C[What now?])"


def svg(language: str) -> str:
    """The picture in a language; it needs no font from a server."""
    console = Console(record=True, width=96, file=io.StringIO(), force_terminal=True)
    runner = CliRunner()
    with TemporaryDirectory() as folder, chdir(folder):
        Path("game.sgf").write_bytes(_GAME)
        for command in ("check", "show"):
            console.print(Text(f"$ sgf-lark {command} game.sgf", style="bold"))
            arguments = [command, "--config", "none", "--color", "--lang", language, "game.sgf"]
            output = runner.invoke(main, arguments, color=True).stdout
            if command == "check":
                output = output.partition("\n\n")[0] + "\n"
            console.print(Text.from_ansi(output))
    found = console.export_svg(title="sgf-lark", unique_id="terminal")
    found = re.sub(r"@font-face \{.*?\}\n", "", found, flags=re.DOTALL)
    return found.replace("Fira Code", "ui-monospace, DejaVu Sans Mono")


if __name__ == "__main__":
    for language, path in PICTURES.items():
        path.write_text(svg(language), encoding="utf-8", newline="\n")
