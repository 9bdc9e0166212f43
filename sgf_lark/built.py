"""Content that takes a while to work out from ``grammar/``, kept in files.

Parsed TOML files, LALR(1) tables and the like are plain data: dict, list, tuple, frozenset,
str, bytes, int, float, bool and None. They are kept in the folder ``_built`` of the package. A
wheel and an editable install have them from the start. In a plain checkout, and after an
update of Lark, they are made at first use and written if the folder is writable; otherwise
each process makes what it needs. ``python -m sgf_lark.built`` makes all of them anew.

A file has one line of text, which names what the content was made from, followed by the
content as a pickle. A pickle is the same for all versions of Python and loads about as fast as
``marshal``. It is loaded without any classes or functions, so that a file cannot run code. A
file that is damaged, or was made from other sources, is ignored and replaced.

The stub for type checkers is in the folder, too; see :mod:`sgf_lark.stubs`.
"""

from __future__ import annotations

import io
import pickle
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from sgf_lark import grammar_files

T = TypeVar("T")

#: The version of this way of keeping content; files of another version are ignored.
FORMAT = 1

#: The modules with content. Each has a function `build_content` that asks for all of its own.
MODULES = (
    "sgf_lark.grammar",
    "sgf_lark.text.languages",
    "sgf_lark.syntax.grammars",
    "sgf_lark.engine",
    "sgf_lark.validation.derivation",
    "sgf_lark.cli.words",
    "sgf_lark.stubs",
)

_PACKAGE = Path(__file__).parent
FOLDER = _PACKAGE / "_built"

#: During :func:`build`, the names of the files written so far; nothing is loaded then.
_written: set[str] | None = None


def content(name: str, sources: tuple[str, ...], make: Callable[[], T]) -> T:
    """The content kept under `name`, or the result of `make`, which is then kept.

    Kept content counts if it was made from the same `sources` in the same :data:`FORMAT`, and,
    if one of them is a grammar of Lark, with the same version of Lark. A source is a file in
    ``grammar/``, or a file of the package that `make` reads or runs, such as
    ``"syntax/values.py"``.

    The content is loaded at each call. Raises TypeError if `make` gives other than plain data.
    """
    path = FOLDER / f"{name}.pickle"
    made_from = _description(sources)
    if _written is None:
        with suppress(OSError, ValueError):
            kept: T = _load(path, made_from)
            return kept
    made = make()
    try:
        _store(path, made_from, made)
    except OSError:
        if _written is not None:
            raise
    return made


def build() -> list[Path]:
    """Make all content anew; the paths of the files. Raises OSError if they cannot be written.

    Each file is replaced as a whole, and other files are deleted at the end, so that other
    processes have all content at any time.
    """
    global _written
    FOLDER.mkdir(exist_ok=True)
    _written = set()
    try:
        for name in MODULES:
            import_module(name).build_content()
        made = _written
    finally:
        _written = None
    for path in FOLDER.iterdir():
        # Other names are those of files that another process is about to rename.
        if path.suffix in (".pickle", ".pyi") and path.name not in made:
            path.unlink(missing_ok=True)
    return sorted(FOLDER / name for name in made)


# --- What content was made from --------------------------------------------------


def _description(sources: tuple[str, ...]) -> str:
    """The sources with their checksums, as the first line of a file names them."""
    parts = [f"format {FORMAT}"]
    if any(source.endswith(".lark") for source in sources):
        parts.append(_lark())
    return "; ".join([*parts, *(_checksum(source, _read(source)) for source in sources)])


def _read(source: str) -> bytes:
    is_in_package = "/" in source or source.endswith(".py")
    return (_PACKAGE / source).read_bytes() if is_in_package else grammar_files.read(source)


@cache
def _lark() -> str:
    """The version of Lark, by the checksum of its ``__init__.py``, which contains the number.

    To import Lark for its number takes 30 ms, and to read its metadata 20 ms.
    """
    spec = find_spec("lark")
    if spec is None or spec.origin is None:
        return "lark"
    return _checksum("lark/__init__.py", Path(spec.origin).read_bytes())


def _checksum(name: str, data: bytes) -> str:
    return f"{name} {len(data)} {zlib.crc32(data):08x}"


# --- Files --------------------------------------------------------------------------


class _PlainUnpickler(pickle.Unpickler):
    """Loads plain data only."""

    def find_class(self, module: str, name: str) -> Any:
        """Refuse every class and function, so that a pickle cannot call any."""
        raise pickle.UnpicklingError(f"not plain data: {module}.{name}")


def _load(path: Path, made_from: str) -> Any:
    """The content of that file.

    Raises OSError where there is none, ValueError if it was made from something else or is
    damaged.
    """
    line, _, pickled = path.read_bytes().partition(b"\n")
    if line != _first_line(made_from, pickled):
        raise ValueError(f"{path} was made from other sources, or is damaged")
    return _unpickled(pickled)


def _unpickled(pickled: bytes) -> Any:
    try:
        return _PlainUnpickler(io.BytesIO(pickled)).load()
    except Exception as error:  # the manual of pickle: any can be raised for wrong bytes
        raise ValueError("not a pickle of plain data") from error


def _first_line(made_from: str, pickled: bytes) -> bytes:
    return f"sgf_lark: {made_from}; {_checksum('content', pickled)}".encode()


def _store(path: Path, made_from: str, made: object) -> None:
    """Write the file as a whole or not at all; raises OSError."""
    pickled = pickle.dumps(made, protocol=5)
    try:
        _unpickled(pickled)
    except ValueError as error:
        raise TypeError(f"the content {path.stem} is not plain data") from error
    write(path.name, _first_line(made_from, pickled) + b"\n" + pickled)


def write(name: str, data: bytes) -> None:
    """Write a file of the folder as a whole or not at all; raises OSError."""
    from sgf_lark.atomic_files import write_file

    FOLDER.mkdir(exist_ok=True)
    write_file(FOLDER / name, data)
    if _written is not None:
        _written.add(name)


if __name__ == "__main__":
    # The modules with content know this module under its own name.
    sys.stdout.writelines(f"{path}\n" for path in import_module("sgf_lark.built").build())
