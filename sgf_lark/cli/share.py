"""Writes the man page and the completions of shells: ``python -m sgf_lark.cli.share FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from sgf_lark.cli import completion, manual


def write(folder: Path) -> None:
    """Write the files to the places below `folder` where systems look for them."""
    contents = {place: completion.script(shell) for shell, place in completion.PLACES.items()}
    contents[manual.PLACE] = manual.page()
    for place, content in contents.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
