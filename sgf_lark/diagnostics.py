"""Diagnostics: severities, places, and the texts of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple, get_args

from sgf_lark import grammar
from sgf_lark.text.positions import Span as Span

#: The languages of the catalogue.
Language = Literal["en", "zh"]
LANGUAGES = get_args(Language)


class Severity(StrEnum):
    """The severity of a diagnostic, in the words of the specification.

    `error`: illegal; `warning`: bad style by the specification's own words;
    `style`: a recommendation not followed, or a hint.
    """

    ERROR = "error"
    WARNING = "warning"
    STYLE = "style"

    # Enum has one of its own, which counting by severity would call again and again.
    __hash__ = str.__hash__


class Diagnostic(NamedTuple):
    """One finding.

    `tree` and `node` are 0-based (`node` in pre-order within the tree) and None
    where the finding belongs to none. `sgfc` is the number that SGFC prints for
    the same thing, or None. `fix` says how to fix it, or is None. `related`
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
    name, message, number, fix = texts_of(code, ident, sgfc, values, language)
    return Diagnostic(code, name, severity, message, span, tree, node, ident, number, fix, related)


#: The name of a rule, a message, the number that SGFC has for it, and how to fix it.
Texts = tuple[str, str, int | None, str | None]


def texts_of(
    code: str,
    ident: str | None,
    sgfc: int | None,
    values: Mapping[str, object],
    language: Language,
    codec: str = "latin-1",
) -> Texts:
    """The catalogue's texts for `code`; `values` fill the placeholders of the message.

    Those that are bytes are decoded in `codec`; `sgfc` overrides the catalogue's number.
    """
    name, template, number, fix = _catalogue_texts(code, language)
    filled: dict[str, object] = {"ident": ident}
    for key, value in values.items():
        if isinstance(value, bytes):
            filled[key] = shorten(value.decode(codec, "replace"))
        elif isinstance(value, Words):
            filled[key] = value.zh if language == "zh" else value.en
        else:
            filled[key] = value
    message = template.format_map(filled)
    return name, message, number if sgfc is None else sgfc, fix


@cache
def _catalogue_texts(code: str, language: Language) -> Texts:
    """The texts of a rule in that language, the message with its placeholders."""
    rule = grammar.rule(code)
    if language == "zh":
        return rule.name, rule.message_zh, rule.sgfc, rule.fix_zh or None
    return rule.name, rule.message, rule.sgfc, rule.fix or None
