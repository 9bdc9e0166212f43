"""Settings files: ``sgf-lark.toml``, or the table ``[tool.sgf-lark]`` in ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sgf_lark.files.inputs import is_file

OWN_FILE = "sgf-lark.toml"
SHARED_FILE = "pyproject.toml"
TABLE = "sgf-lark"

#: The table with settings for files that match a pattern.
FILES = "files"


def nearest_settings(folder: Path) -> tuple[Path, dict[str, Any]] | None:
    """The settings of a folder or of the nearest folder above it, with their file.

    Raises what :func:`settings_in` raises.
    """
    for parent in (folder, *folder.parents):
        for file in (parent / OWN_FILE, parent / SHARED_FILE):
            if is_file(file) and (table := settings_in(file)) is not None:
                return file, table
    return None


def settings_in(file: Path) -> dict[str, Any] | None:
    """The settings in a file; None for a ``pyproject.toml`` without the table.

    Raises OSError, and ValueError for a file that is not TOML; both begin with its name.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise OSError(f"{file}: {error.strerror}") from None
    # Errors in a pyproject.toml that does not name the table are for other programs to report.
    if file.name == SHARED_FILE and TABLE.encode() not in content:
        return None
    import tomllib

    try:
        found: Any = tomllib.loads(content.decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    if file.name == SHARED_FILE:
        tools = found.get("tool")
        found = tools.get(TABLE) if isinstance(tools, dict) else None
    return found if isinstance(found, dict) else None
