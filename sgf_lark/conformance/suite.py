"""The cases, read from a manifest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from sgf_lark.fuzz.canonical import Form, Games
from sgf_lark.fuzz.outcomes import Expected

EXPECTED = get_args(Expected)

MANIFEST = "manifest.json"
#: The layout of manifests that this module reads.
VERSION = 1


class SuiteError(Exception):
    """The suite is missing or cannot be read; the message explains why."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation in a file: the code of the rule and the place.

    The code is None if more than one rule applies, the place is None if it is not defined.
    `start` is a 0-based byte offset; `line` and `column` are 1-based, and columns count
    characters.
    """

    code: str | None
    start: int | None
    line: int | None
    column: int | None

    def __str__(self) -> str:
        """Return code and offset, as far as they are defined."""
        where = "" if self.start is None else f" at byte {self.start}"
        return f"{self.code or 'a violation'}{where}"


@dataclass(frozen=True)
class Case:
    """One file, and the result that the specification requires for it.

    A parser that takes decoded text cannot pass a `bytes_only` case, because decoding the
    file as a whole changes its meaning. `trees` are the canonical trees by form, or None if
    the file has none or its tree is not defined; "text" is missing if it is the same as
    "raw". `value` is the typed value of the last property of the file, or None. `recovered` is
    what a tolerant parser reads, `fixed` what remains after a safe fix; `write` is whether the tree
    is one to write. `tags` are what the file has, such as ``ff-3`` or ``compressed-list``.
    """

    id: str
    path: Path
    group: str
    verdict: Expected
    about: str
    rules: tuple[str, ...]
    source: str
    charset: str
    bytes_only: bool
    violations: tuple[Violation, ...]
    trees: dict[Form, Games] | None
    value: dict[str, Any] | None
    recovered: dict[Form, Games] | None = None
    fixed: dict[Form, Games] | None = None
    write: bool = False
    tags: tuple[str, ...] = ()

    def matches(self, name: str) -> bool:
        """Whether `name` is a tag of the case, its id, or a pattern of ids such as "dates/*"."""
        return name in self.tags or fnmatchcase(self.id, name)

    @cached_property
    def data(self) -> bytes:
        """The content of the file."""
        return self.path.read_bytes()

    def tree(self, form: Form) -> Games | None:
        """Return the canonical tree with values in that form, or None."""
        if self.trees is None:
            return None
        return self.trees.get(form, self.trees["raw"])


@dataclass(frozen=True)
class Suite:
    """All cases, in the order of the manifest; `digest` is the SHA-256 of the manifest."""

    folder: Path
    digest: str
    cases: tuple[Case, ...]
    version: str = ""

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups, in the order of the manifest."""
        return tuple(dict.fromkeys(case.group for case in self.cases))


def load_suite(folder: Path | None = None) -> Suite:
    """Return the suite in `folder`, by default the one of this version. Raises SuiteError."""
    if folder is None:
        # That inside the installed package, or in the repository.
        package = Path(__file__).parent.parent
        places = (package / "_conformance", package.parent / "tests" / "conformance")
        folder = next((place for place in places if (place / MANIFEST).is_file()), None)
    if folder is None:
        raise SuiteError("the conformance suite is not here; name its folder with --suite")
    try:
        data = (folder / MANIFEST).read_bytes()
        content = json.loads(data)
        if content["version"] != VERSION:
            raise SuiteError(f"{folder}: a manifest of version {content['version']}")
        cases = tuple(_case(folder, entry) for entry in content["cases"])
    except OSError as error:
        raise SuiteError(f"{error.filename}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise SuiteError(f"{folder / MANIFEST} is not a manifest of a suite: {error!r}") from None
    digest = hashlib.sha256(data).hexdigest()
    return Suite(folder, digest, cases, content.get("suite", ""))


def _case(folder: Path, entry: dict[str, Any]) -> Case:
    trees = entry["tree"]
    if entry["tree_file"] is not None:
        trees = json.loads((folder / entry["tree_file"]).read_bytes())
    if entry["verdict"] not in EXPECTED:
        raise ValueError(f"unknown verdict: {entry['verdict']!r}")
    return Case(
        id=entry["id"],
        path=folder / entry["file"],
        group=entry["group"],
        verdict=entry["verdict"],
        about=entry["about"],
        rules=tuple(entry["rules"]),
        source=entry["source"],
        charset=entry["charset"],
        bytes_only=entry["bytes_only"],
        violations=tuple(Violation(**violation) for violation in entry["violations"]),
        trees=trees,
        value=entry["value"],
        recovered=entry.get("recovered"),
        fixed=entry.get("fixed"),
        write=entry.get("write", False),
        tags=tuple(entry.get("tags", ())),
    )


def group_of(case: str) -> str:
    """Return the group of a case by its id."""
    return case.partition("/")[0]


def verdict_of(case: str) -> str:
    """Return the verdict of a case by its id."""
    return case.partition("/")[2].partition("-")[0]
