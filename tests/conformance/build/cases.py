"""Reads ``cases/*.toml``; the notation is explained in the README of the suite."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SUITE = Path(__file__).parent.parent
VERDICTS = ("accept", "reject", "either")
#: The order of the groups in the manifest; each is a file of cases.
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
#: What is read of such a file is for each reader to decide: properties that stand twice,
#: white space and escapes in values that have none, zero bytes and control characters.
OPEN = {"SGF501", "SGF310", "SGF215", "SGF121", "SGF212"}
#: Stands in front of the byte at which a violation begins.
MARK = "▸"

_CODES = re.compile(r"SGF\d{3}(?: SGF\d{3})*")


@dataclass
class Case:
    """One case as it is written; `given` is its text with marks."""

    group: str
    name: str
    verdict: str
    about: str
    source: str
    given: str
    encode: str = ""
    codes: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    #: Texts that the last property says, by hand.
    reads: list[str] | None = None
    #: Parents of all nodes, -1 for roots, by hand.
    shape: list[int] | None = None
    #: False: what is read is left open. A text: an SGF file with the same tree.
    tree: bool | str = True

    @property
    def file(self) -> str:
        return f"files/{self.group}/{self.verdict}-{self.name}.sgf"

    @property
    def data(self) -> bytes:
        return self.encoded(self.given.replace(MARK, ""))

    def encoded(self, text: str) -> bytes:
        """Without `encode` each character is the byte of the same number."""
        return text.encode(self.encode or "latin-1")

    @property
    def marks(self) -> list[int]:
        """The byte offsets of the marks."""
        parts = self.given.split(MARK)
        return [len(self.encoded("".join(parts[:count]))) for count in range(1, len(parts))]


def read_cases() -> Iterator[Case]:
    """All cases, in the order of the files; raises ValueError where one is not clear."""
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
    )


def _row(given: list[Any]) -> dict[str, Any]:
    """The short form: text, description, and what the third item says by its type."""
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
