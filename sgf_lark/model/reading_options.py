"""How a file is read: the options that all functions which read files have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sgf_lark.grammar import CharsetMode
from sgf_lark.syntax import Engine
from sgf_lark.syntax.game_trees import parse
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.syntax.values import FILE_FORMATS
from sgf_lark.text.decoding import FileCharsets, choose_charsets, decode


@dataclass(frozen=True)
class ReadingOptions:
    """The options of :func:`sgf_lark.loads` and :func:`sgf_lark.validate`, which explain them."""

    charset: str | None = None
    default_charset: str | None = None
    charset_mode: CharsetMode = "auto"
    file_format: int | None = None
    game: int | None = None
    engine: Engine = "tables"

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Those of these options that are about reading."""
        return cls(**{name: options[name] for name in cls.__dataclass_fields__ if name in options})

    def check(self) -> None:
        """Raise ValueError for a file format or a game that does not exist."""
        if self.file_format is not None and self.file_format not in FILE_FORMATS:
            raise ValueError(f"no such file format: {self.file_format}")
        if self.game is not None and self.game < 1:
            raise ValueError(f"no such game: {self.game}")

    def parse(self, data: bytes | str) -> ParsedFile:
        """A file or its text, decoded and parsed.

        A `str` is in UTF-8, unless a charset is named. Raises LookupError for an unknown charset,
        ValueError for an unknown mode or engine, TypeError for anything but bytes and str.
        """
        charset = self.charset
        if isinstance(data, str):
            data, charset = data.encode("utf-8", "surrogatepass"), charset or "UTF-8"
        decoding = decode(
            data,
            charset=charset,
            default_charset=self.default_charset,
            mode=self.charset_mode,
        )
        return parse(decoding, self.engine).overriding(self.file_format, self.game)

    def choose_charsets(self, start: bytes) -> FileCharsets:
        """What determines the charsets of a file with that start; errors are those of parse."""
        return choose_charsets(start, self.charset, self.default_charset, self.charset_mode)


AS_USUAL = ReadingOptions()
