"""Names of files that come from archives."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from sgf_lark.files.inputs import STDIN, Input
from sgf_lark.files.packed import unpacked_name


def file_name(name: str) -> str:
    """Return `name` with characters that every system allows in names of files."""
    return re.sub(r'[\x00-\x1f<>:"|?*\\/]', "_", name)


def path_below(name: str) -> Path:
    """Return the path of that name as one below a folder, with such characters."""
    return Path(*(file_name(part) for part in PurePosixPath(name).parts if part not in ("..", "/")))


def path_in_folder(file: Input) -> Path:
    """Return where a file is written in an output folder: as it is in the folder or archive."""
    found = path_below(unpacked_name(file.inner or Path(file.path).name))
    return Path("game.sgf") if file.path == STDIN or not found.name else found
