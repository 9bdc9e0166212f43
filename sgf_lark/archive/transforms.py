"""What is done with each file of an archive: fixing, or converting to another format."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import Any

from sgf_lark.archive.processing import Row
from sgf_lark.conversion import (
    ERRORS,
    NO_CHARSETS,
    SUFFIXES,
    Format,
    convert,
    new_suffix,
    source_format,
)
from sgf_lark.diagnostics import Severity
from sgf_lark.files.inputs import SGF_SUFFIXES, Input
from sgf_lark.files.packed import unpacked_name
from sgf_lark.fixing import fix
from sgf_lark.fixing.rewriting import Rewriting


@dataclass(frozen=True)
class Rewritten:
    """The new bytes of a file, or None if nothing is written for it, and the rows of its changes.

    `errors` and `warnings` are left in the new file, if that is known. With a `problem` there is
    no new file, and `errors` is None where what is in the file is not to blame.
    """

    data: bytes | None
    changes: list[Row] = field(default_factory=list)
    errors: int | None = None
    warnings: int | None = None
    problem: str | None = None


@dataclass(frozen=True)
class Fixing:
    """Fixes SGF files; `options` are those of :func:`sgf_lark.fix`."""

    options: dict[str, Any] = field(default_factory=dict)
    rewriting: Rewriting = field(default_factory=Rewriting)
    suffixes = SGF_SUFFIXES

    def __call__(self, file: Input) -> Rewritten:
        """The fixed file."""
        assert file.data is not None
        if file.is_wei7():
            return Rewritten(None, problem="it is not SGF; convert --tolerant fixes wei7")
        result = fix(file.data, rewriting=self.rewriting, **self.options)
        changes: list[Row] = [
            change.as_dict() | {"column_number": change.span.column} for change in result.applied
        ]
        counts = result.report.counts
        return Rewritten(result.data, changes, counts[Severity.ERROR], counts[Severity.WARNING])

    def new_name(self, name: str) -> str:
        """The name without the suffix of a packed file."""
        return unpacked_name(name)

    def check(self) -> None:
        """Raise what :func:`sgf_lark.fix` raises for these options."""
        fix(b"(;)", rewriting=self.rewriting, **self.options)

    def description(self) -> dict[str, Any]:
        """The options as JSON has them."""
        rewriting = asdict(self.rewriting)
        rewriting["delete"] = sorted(rewriting["delete"])
        return {"fix": self.options, "rewriting": rewriting}


@dataclass(frozen=True)
class Converting:
    """Converts to a format, by default JSON from SGF and SGF from wei7.

    `charsets` are options of :func:`sgf_lark.loads` for SGF.
    """

    target: Format | None = None
    tolerant: bool = False
    charsets: dict[str, Any] = field(default_factory=lambda: dict(NO_CHARSETS))
    suffixes = SUFFIXES

    def __call__(self, file: Input) -> Rewritten:
        """The file in the new format; a problem if it cannot be converted."""
        assert file.data is not None
        try:
            source = source_format(file)
            converted = convert(file.data, source, self.target, self.tolerant, self.charsets)
        except ERRORS as error:
            errors = None if isinstance(error, ImportError) else 1
            return Rewritten(None, errors=errors, problem=str(error))
        changes: list[Row] = [
            {
                "code": note.code or None,
                "safe": bool(note.code),
                "line": note.line,
                "column_number": note.column,
                "before": note.what,
                "after": "",
                "message": note.reason,
            }
            for note in converted.notes
        ]
        return Rewritten(converted.data, changes)

    def new_name(self, name: str) -> str:
        """The name with the suffix of the new format."""
        plain = PurePosixPath(unpacked_name(name))
        return str(plain.with_suffix(new_suffix(self.target, plain)))

    def check(self) -> None:
        """Raise what converting raises for these options."""
        convert(b"(;)", "sgf", self.target, self.tolerant, self.charsets)

    def description(self) -> dict[str, Any]:
        """The options as JSON has them."""
        return {"convert": self.target, "tolerant": self.tolerant, **self.charsets}


#: What is done with each file of an archive.
Transform = Fixing | Converting
