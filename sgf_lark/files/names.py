"""Names of files that are made up, or come from archives."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path, PurePosixPath

from sgf_lark.files.inputs import STDIN, Input
from sgf_lark.files.packed import unpacked_name

#: The longest name that is made up, in bytes; file systems allow 255, and more may be appended.
_LONGEST_NAME = 200


def cut_name(name: str) -> str:
    """Return the beginning of a name that is short enough for any file system."""
    return os.fsencode(name)[:_LONGEST_NAME].decode("utf-8", "ignore").strip(" .")


#: Names of devices on Windows, also with a suffix.
_DEVICE = re.compile(
    r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])(?= *(\.|$))", re.IGNORECASE
)


def file_name(name: str) -> str:
    """Return `name` as every system allows it as the name of a file: without the characters, the
    names of devices and the dots and blanks at the end that Windows takes for something else."""
    name = re.sub(r'[\x00-\x1f<>:"|?*\\/]|[. ](?=[. ]*$)', "_", name)
    return _DEVICE.sub(r"\1_", name, count=1) if _DEVICE.match(name) else name


def same_everywhere(path: Path) -> str:
    """Return what two paths have in common that are those of one file on some systems, because
    these ignore case, or how characters are composed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", str(path)).casefold())


def path_below(name: str) -> Path:
    """Return the path of that name as one below a folder, with such characters."""
    return Path(*(file_name(part) for part in PurePosixPath(name).parts if part not in ("..", "/")))


def path_in_folder(file: Input) -> Path:
    """Return where a file is written in an output folder: as it is in the folder or archive."""
    found = path_below(unpacked_name(file.inner or Path(file.path).name))
    return Path("game.sgf") if file.path == STDIN or not found.name else found
