"""Exports the page as static files: Python runs in the browser, without a server program.

The files of Pyodide are copied from its npm package, those of the libraries from this
installation. Nothing is downloaded, neither during the export nor by the page.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePath

import sgf_lark
from sgf_lark import grammar
from sgf_lark.playground import operations

STATIC = Path(__file__).parent / "static"

#: The files of the package that Pyodide needs to start.
_RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)

#: The libraries that the operations import, by the names of their distributions.
LIBRARIES = ("lark", "railroad-diagrams", "rich")

#: The suffixes of the files to copy. Compiled files only run on this machine.
_SUFFIXES = frozenset({".py", ".json", ".lark", ".pickle", ".toml", ".ebnf", ".typed"})

#: Packages that the operations do not need, and the grammar, which is copied separately.
_EXCLUDED = frozenset({"_conformance", "_grammar", "archive", "cli", "conformance", "fuzz", "wei7"})

_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)


def export(folder: Path, pyodide: Path) -> int:
    """Write the page to `folder`, which is created or must be empty; return its size in bytes.

    `pyodide` is the folder of the npm package. Raises FileNotFoundError if it is something
    else, FileExistsError if `folder` has files, and other OSErrors.
    """
    for name in _RUNTIME:
        if not (pyodide / name).is_file():
            raise FileNotFoundError(
                f"{pyodide} is not the npm package pyodide: it has no {name}. "
                "Run: npm install pyodide"
            )
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Beside the folder, so that it can be renamed to it: the page is there whole or not at all.
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        built = Path(temporary) / "page"
        _write(built, pyodide)
        if folder.exists():
            folder.rmdir()
        built.rename(folder)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _write(folder: Path, pyodide: Path) -> None:
    shutil.copytree(STATIC, folder, ignore=shutil.ignore_patterns("in_browser"))
    shutil.copytree(STATIC / "in_browser", folder, dirs_exist_ok=True)
    page = folder / "index.html"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    charset = '<meta charset="utf-8">'
    text = page.read_text(encoding="utf-8").replace(charset, f"{charset}\n{policy}", 1)
    page.write_text(text, encoding="utf-8", newline="\n")
    # Without this the page would be blank until Python is ready.
    begin = json.dumps(operations.begin({}), ensure_ascii=False)
    (folder / "begin.json").write_text(begin, encoding="utf-8", newline="\n")
    (folder / "python.zip").write_bytes(python_archive())
    (folder / "pyodide").mkdir()
    for name in _RUNTIME:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    version = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"]
    (folder / "pyodide" / "VERSION").write_text(f"{version}\n", encoding="utf-8")


def python_archive() -> bytes:
    """A zip file with this package, its grammar files and the libraries.

    It is reproducible: the same files result in the same bytes.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(_files()):
            archive.writestr(
                # The time of a file would make each export different.
                zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)),
                path.read_bytes(),
                zipfile.ZIP_DEFLATED,
            )
    return stream.getvalue()


def _files() -> Iterator[tuple[str, Path]]:
    """The name in the archive and the path of each file."""
    package = Path(sgf_lark.__file__).parent
    for path in package.rglob("*"):
        inner = path.relative_to(package)
        if (
            path.suffix in _SUFFIXES
            and inner.parts[0] not in _EXCLUDED
            and "static" not in inner.parts
        ):
            yield f"sgf_lark/{inner.as_posix()}", path
    for path in grammar.folder().iterdir():
        if path.suffix in _SUFFIXES:
            yield f"sgf_lark/_grammar/{path.name}", path
    for library in LIBRARIES:
        for file in importlib.metadata.files(library) or ():
            if (file.suffix in _SUFFIXES or _is_license(file)) and ".." not in file.parts:
                yield file.as_posix(), Path(str(file.locate()))


def _is_license(file: PurePath) -> bool:
    return file.parts[0].endswith(".dist-info") and "licen" in str(file).partition("/")[2].lower()
