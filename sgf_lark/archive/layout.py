"""Where the files and archives of sources are written: with the paths that they have there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from sgf_lark.archive.manifest import ResultError
from sgf_lark.archive.sources import Selection, Source, is_url, list_sources
from sgf_lark.files.inputs import TAR_SUFFIXES, ZIP_SUFFIXES, exists, is_folder, real_path
from sgf_lark.files.names import path_below

_ARCHIVE_SUFFIXES = ZIP_SUFFIXES + TAR_SUFFIXES


def check_output(paths: list[str], output: Path) -> None:
    """Raise ResultError if what is made of `paths` cannot be written to `output`."""
    for path in paths:
        if not is_url(path) and real_path(path) == real_path(output):
            raise ResultError(f"{path} is both the input and the output")
    kind = _kind(output.name)
    if is_folder(output) or (kind is None and not exists(output)):
        return
    if not _is_single_file(paths):
        problem = "is a file" if exists(output) else "has the name of an archive"
        raise ResultError(f"{output} {problem}; for several files it has to be a folder")
    if _kind(paths[0]) != kind:
        raise ResultError(f"{output} has to be an archive of the kind of {paths[0]}, or a folder")


def targets(
    paths: list[str], output: Path, new_name: Callable[[str], str], selection: Selection
) -> Iterator[tuple[Source, Path]]:
    """Yield each file and archive of `paths`, and where it is written.

    What is in a folder has its path in that folder in the folder `output`; what a pattern finds,
    its path after the folder in which the pattern begins; other files have their name. One archive
    is written to `output` itself if that has the name of one. `new_name` is applied to the names
    of files, not of archives.
    """
    to_itself = _is_single_file(paths) and not is_folder(output) and _kind(output.name) is not None
    for base in paths:
        for source in list_sources([base], real_path(output), selection):
            if to_itself:
                yield source, output
                continue
            inner = _path_after(base, source.path)
            name = inner if source.is_archive else new_name(inner)
            yield source, output / path_below(name)


def _is_single_file(paths: list[str]) -> bool:
    return len(paths) == 1 and not is_folder(paths[0]) and not set("*?[") & set(paths[0])


def _kind(name: str) -> str | None:
    """The suffix of an archive, one for each kind; None for other names."""
    suffix = next((each for each in _ARCHIVE_SUFFIXES if name.lower().endswith(each)), None)
    if suffix is None:
        return None
    short = {".tgz": "gz", ".tbz": "bz2", ".tbz2": "bz2", ".txz": "xz", ".tzst": "zst"}
    return f".tar.{short[suffix]}" if suffix in short else suffix


def _path_after(base: str, path: str) -> str:
    """The path of a source after the folder, URL or beginning of the pattern that found it."""
    base, path = base.replace("\\", "/"), path.replace("\\", "/")
    special = min((base.find(each) for each in "*?[" if each in base), default=None)
    folder = base if special is None else base[:special].rpartition("/")[0]
    start = PurePosixPath(folder).as_posix() if not is_url(folder) else folder.rstrip("/")
    plain = path if is_url(path) else PurePosixPath(path).as_posix()
    if start == "." and not plain.startswith("/"):
        return plain if special is not None or plain != base else plain.rpartition("/")[2]
    if plain.startswith(f"{start.rstrip('/')}/"):
        return plain[len(start.rstrip("/")) + 1 :]
    return plain.rpartition("/")[2]
