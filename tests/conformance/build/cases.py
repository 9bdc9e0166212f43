"""Parses ``cases/*.toml``; the README of the suite explains the notation."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SUITE = Path(__file__).parent.parent
VERDICTS = ("accept", "reject", "either")
#: The order of the groups in the manifest; each is a file of cases. The groups of ``damage.py``
#: and ``writing.py`` follow.
GROUPS = (
    "structure",
    "escaping",
    "linebreaks",
    "charsets",
    "points",
    "passes",
    "compression",
    "numbers",
    "dates",
    "results",
    "placement",
    "uniqueness",
    "other-games",
    "ff1-ff3",
    "size-and-depth",
    "junk",
)
#: Violations after which the tree is not defined: repeated properties, white space and escapes
#: in values that allow none, NUL bytes and control characters.
OPEN = {"SGF501", "SGF310", "SGF215", "SGF121", "SGF212"}
#: Marks the byte at which a violation begins; the mark comes before it.
MARK = "▸"

_CODES = re.compile(r"SGF\d{3}(?: SGF\d{3})*")


@dataclass
class Case:
    """One case as written by its author; `given` is its text with marks."""

    group: str
    name: str
    verdict: str
    about: str
    source: str
    given: str
    encode: str = ""
    codes: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    #: The texts of the last property, written by hand.
    reads: list[str] | None = None
    #: The parents of all nodes, -1 for roots, written by hand.
    shape: list[int] | None = None
    #: False: the tree is not defined. A text: an SGF file with the same tree.
    tree: bool | str = True
    #: An SGF file with the tree that a tolerant parser recovers.
    recovered: str | None = None
    #: An SGF file with the tree that remains after a safe fix.
    fixed: str | None = None
    #: Whether the tree is also one to write.
    write: bool = False

    @property
    def file(self) -> str:
        """The path of the file in the suite."""
        return f"files/{self.group}/{self.verdict}-{self.name}.sgf"

    @property
    def data(self) -> bytes:
        """The content of the file."""
        return self.encoded(self.given.replace(MARK, ""))

    def encoded(self, text: str) -> bytes:
        """Return `text` as bytes; without `encode`, each character is the byte of its number."""
        return text.encode(self.encode or "latin-1")

    @property
    def marks(self) -> list[int]:
        """The byte offsets of the marks."""
        parts = self.given.split(MARK)
        return [len(self.encoded("".join(parts[:count]))) for count in range(1, len(parts))]


def read_cases() -> Iterator[Case]:
    """Yield all cases in the order of the files; raise ValueError for a malformed one."""
    text = (SUITE / "cases" / "fixes.toml").read_text("utf-8")
    fixed: dict[str, str] = tomllib.loads(text)["fixed"]
    for case in _read_groups():
        case.fixed = fixed.pop(f"{case.group}/{case.verdict}-{case.name}", None)
        yield case
    if fixed:
        raise ValueError(f"fixes.toml has no case {', '.join(fixed)}")


def _read_groups() -> Iterator[Case]:
    for group in GROUPS:
        path = SUITE / "cases" / f"{group}.toml"
        content = tomllib.loads(path.read_text("utf-8"))
        for section in content["section"]:
            for verdict in VERDICTS:
                for name, given in section.get(verdict, {}).items():
                    try:
                        yield _case(group, name, verdict, section, given)
                    except (KeyError, TypeError) as error:
                        raise ValueError(f"{path.name}: {verdict} {name}: {error!r}") from None


def _case(group: str, name: str, verdict: str, section: dict[str, Any], given: Any) -> Case:
    row = given if isinstance(given, dict) else _row(given)
    text = row.get("sgf")
    if text is None:
        text = "".join(part * count for part, count in row["parts"])
    else:
        text = section.get("wrap", "@").replace("@", text, 1)
    reads = row.get("reads")
    codes = row.get("codes", "").split()
    return Case(
        group=group,
        name=name,
        verdict=verdict,
        about=row["about"],
        source=row.get("source", section["source"]),
        given=text,
        encode=row.get("encode", ""),
        codes=codes,
        rules=list(dict.fromkeys(codes or section.get("rules", "").split())),
        reads=[reads] if isinstance(reads, str) else reads,
        shape=row.get("shape"),
        tree=not OPEN & {*codes} and row.get("tree", section.get("tree", True)),
        recovered=row.get("recovered"),
    )


def _row(given: list[Any]) -> dict[str, Any]:
    """Return the long form of a case written as text, description, and an item of any type."""
    row: dict[str, Any] = dict(zip(("sgf", "about"), given, strict=False))
    match given[2:]:
        case []:
            pass
        case [dict() as more]:
            row |= more
        case [str() as codes] if _CODES.fullmatch(codes):
            row["codes"] = codes
        case [str() as reads]:
            row["reads"] = reads
        case [[int(), *_] as shape]:
            row["shape"] = shape
        case [[str(), *_] as reads]:
            row["reads"] = reads
        case other:
            raise TypeError(f"not understood: {other!r}")
    return row
