"""Patterns for the paths of files, as in settings and ``--exclude``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePath


@dataclass(frozen=True)
class Patterns:
    """Patterns with ``*``, ``?`` and ``[…]``, and the folder that they are relative to.

    A pattern without a slash matches files and folders of that name at any depth; one with a slash
    matches paths below the folder `base`, where ``*`` matches slashes as well. What matches a
    folder matches everything in it.
    """

    patterns: tuple[str, ...] = ()
    base: str = field(default_factory=os.getcwd)

    def match(self, path: str) -> bool:
        """Whether a pattern matches the path, also that of a file in an archive."""
        return any(map(self._matches, self._relative_paths(path)) if self.patterns else ())

    def _relative_paths(self, path: str) -> Iterator[tuple[str, ...]]:
        try:
            relative = os.path.relpath(path, self.base)
        except ValueError:  # it is on another drive, or has a zero byte
            relative = path
        yield PurePath(relative).parts
        if "!" in relative:
            yield PurePath(relative.replace("!", "/")).parts

    def _matches(self, parts: tuple[str, ...]) -> bool:
        parents = ["/".join(parts[: number + 1]) for number in range(len(parts))]
        for pattern in self.patterns:
            pattern = pattern.rstrip("/")
            names = parents if "/" in pattern else parts
            anywhere = pattern.removeprefix("**/")
            pattern = pattern.lstrip("/")
            if any(fnmatchcase(name, each) for name in names for each in (pattern, anywhere)):
                return True
        return False


#: Matches no path.
NONE = Patterns((), "")
