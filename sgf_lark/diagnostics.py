"""What is said about a file: severities, places, diagnostics."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from itertools import accumulate
from typing import Literal, Protocol, get_args

from sgf_lark import grammar
from sgf_lark.lazy import lazy
from sgf_lark.records import NamedTuple

#: Languages in which the catalogue speaks.
Language = Literal["en", "zh"]
LANGUAGES = get_args(Language)


class Severity(StrEnum):
    """How grave a diagnostic is, by the words of the specification.

    `error`: illegal; `warning`: bad style by the specification's own words;
    `style`: a recommendation not followed, or a hint.
    """

    ERROR = "error"
    WARNING = "warning"
    STYLE = "style"

    # Enum has one of its own, which counting by severity would call again and again.
    __hash__ = str.__hash__


class Span(NamedTuple):
    """A place in the input as given.

    `start` and `end` are byte offsets, 0-based, `end` exclusive. `line` and
    `column` are those of `start`, 1-based; columns count characters.
    """

    start: int
    end: int
    line: int
    column: int


class Diagnostic(NamedTuple):
    """One finding.

    `tree` and `node` are 0-based (`node` in pre-order within the tree) and None
    where the finding belongs to none. `sgfc` is the number that SGFC prints for
    the same thing, or None. `fix` says how to mend it, or is None. `related`
    are further places that belong to the finding.
    """

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    tree: int | None = None
    node: int | None = None
    ident: str | None = None
    sgfc: int | None = None
    fix: str | None = None
    related: tuple[Span, ...] = ()
    #: In JSON the pointer (RFC 6901) of the value; None in SGF.
    pointer: str | None = None

    def as_dict(self) -> dict[str, object]:
        """The diagnostic as the object of the JSON formats."""
        where = {} if self.pointer is None else {"pointer": self.pointer}
        return {
            **where,
            "code": self.code,
            "name": self.name,
            "severity": str(self.severity),
            "message": self.message,
            "line": self.span.line,
            "column": self.span.column,
            "start": self.span.start,
            "end": self.span.end,
            "tree": self.tree,
            "node": self.node,
            "ident": self.ident,
            "sgfc": self.sgfc,
            "fix": self.fix,
        }


class Places(Protocol):
    """Offsets in the file as given, and in what it was decoded to."""

    def given(self, offset: int) -> int: ...

    def read(self, offset: int) -> int: ...


class SourceText:
    """Finds lines and columns in the bytes of a file.

    `codec` is a Python codec name in which columns are counted, or a function
    that gives the one that holds at a byte offset. Lines end at LF, CR or CRLF.
    Where `data` is not the file as given, but what it was decoded to, `places`
    leads from the one to the other: spans are always places in the file.
    """

    def __init__(
        self,
        data: bytes,
        codec: str | Callable[[int], str] = "latin-1",
        places: Places | None = None,
    ) -> None:
        self.data = data
        self._codec = codec
        self._places = places
        self._line_starts: list[int] | None = None
        # Where the last span began: (line, offset, column). Places mostly come in
        # order, and a line can be as long as the file.
        self._last = (1, 0, 1)

    @property
    def line_starts(self) -> list[int]:
        if self._line_starts is None:
            lines = self.data.splitlines(keepends=True)
            if lines and not lines[-1].endswith((b"\n", b"\r")):
                lines.pop()
            self._line_starts = [0, *accumulate(map(len, lines))]
        return self._line_starts

    def span(self, start: int, end: int) -> Span:
        """The span of the bytes of `data` from `start` to `end`."""
        line, known, column = self._last
        if start < known or not self._ends_lines_with_lf:
            known_line, line = line, bisect_right(self.line_starts, start)
            if line != known_line or start < known:
                known, column = self.line_starts[line - 1], 1
        elif (last := self.data.rfind(b"\n", known, start)) >= 0:
            line += self.data.count(b"\n", known, start)
            known, column = last + 1, 1
        if self._is_ascii:
            column += start - known
        else:
            part = self.data[known:start]
            column += len(part) if part.isascii() else len(self._decode(part, start))
        self._last = (line, start, column)
        if self._places is not None:
            start, end = self._places.given(start), self._places.given(end)
        return _new(Span, (start, end, line, column))

    @lazy
    def _is_ascii(self) -> bool:
        return self.data.isascii()

    @lazy
    def _ends_lines_with_lf(self) -> bool:
        """Whether each line ends with LF, be it alone or behind a CR."""
        return b"\r" not in self.data or self.data.count(b"\r") == self.data.count(b"\r\n")

    def text(self, span: Span) -> str:
        """The characters of `span`."""
        start = self._offset(span.start)
        return self._decode(self.data[start : self._offset(span.end)], start)

    def line(self, span: Span) -> str:
        """The line of text at which `span` begins, without its end of line."""
        return self.excerpt(span, 0, len(self.data))[0]

    def excerpt(self, span: Span, before: int, after: int) -> tuple[str, int]:
        """The line at which `span` begins, and the 0-based column of `span` in it.

        At most `before` characters in front of the span and `after` behind its
        start are shown where `before` is not 0; "…" stands for what is left out.
        """
        place = self._offset(span.start)
        start = self.line_starts[span.line - 1]
        end = self.line_starts[span.line] if span.line < len(self.line_starts) else len(self.data)
        if before:
            # No character has more than four bytes, so these cuts are wide enough.
            start = max(start, place - 4 * (before + 2))
            end = min(end, place + 4 * (after + 2))
        head = self._decode(self.data[start:place], place)
        tail = self._decode(self.data[place:end], place).rstrip("\r\n")
        if before and len(head) > before:
            head = "…" + head[-before:]
        if before and len(tail) > after:
            tail = tail[:after] + "…"
        return head + tail, len(head)

    def _offset(self, given: int) -> int:
        return given if self._places is None else self._places.read(given)

    def _decode(self, part: bytes, offset: int) -> str:
        codec = self._codec if isinstance(self._codec, str) else self._codec(offset)
        return part.decode(codec, "replace")


class Words(NamedTuple):
    """A part of a message that is itself words: in English and in Chinese."""

    en: str
    zh: str


def shorten(raw: bytes | str, limit: int = 40) -> str:
    """`raw` on one line for a message: control characters escaped, long values cut."""
    text = raw.decode("latin-1") if isinstance(raw, bytes) else raw
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text
    )


def make(
    code: str,
    severity: Severity,
    span: Span,
    *,
    tree: int | None = None,
    node: int | None = None,
    ident: str | None = None,
    sgfc: int | None = None,
    related: tuple[Span, ...] = (),
    language: Language = "en",
    **values: object,
) -> Diagnostic:
    """A diagnostic with the catalogue's text for `code`; `values` fill its placeholders."""
    said = told(code, ident, sgfc, values, language)
    return build(code, severity, span, tree, node, ident, related, said)


#: The name of a rule, a message, the number that SGFC has for it, and a fix.
Told = tuple[str, str, int | None, str | None]


def build(
    code: str,
    severity: Severity,
    span: Span,
    tree: int | None,
    node: int | None,
    ident: str | None,
    related: tuple[Span, ...],
    said: Told,
) -> Diagnostic:
    """The diagnostic that says what :func:`told` gives."""
    name, message, number, fix = said
    return _new(
        Diagnostic,
        (code, name, severity, message, span, tree, node, ident, number, fix, related, None),
    )


def told(
    code: str,
    ident: str | None,
    sgfc: int | None,
    values: Mapping[str, object],
    language: Language,
    codec: str = "latin-1",
) -> Told:
    """What the catalogue says for `code`; `values` fill its placeholders, those that are
    bytes are read in `codec`."""
    name, template, number, fix = _texts(code, language)
    if values:
        filled: dict[str, object] = {"ident": ident}
        for key, value in values.items():
            if isinstance(value, bytes):
                filled[key] = shorten(value.decode(codec, "replace"))
            elif isinstance(value, Words):
                filled[key] = value.zh if language == "zh" else value.en
            else:
                filled[key] = value
        message = template.format_map(filled)
    else:
        message = _message(template, ident)
    return name, message, number if sgfc is None else sgfc, fix


#: Makes a named tuple of all its fields without the function that fills in defaults.
_new = tuple.__new__


@cache
def _texts(code: str, language: Language) -> Told:
    """The name of the rule, its message, the number that SGFC has for it, and its fix."""
    rule = grammar.rules()[code]
    if language == "zh":
        return rule.name, rule.message_zh, rule.sgfc, rule.fix_zh or None
    return rule.name, rule.message, rule.sgfc, rule.fix or None


@lru_cache(maxsize=4096)
def _message(template: str, ident: str | None) -> str:
    return template.format_map({"ident": ident})
