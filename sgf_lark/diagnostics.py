"""Diagnostics: severities, spans, and the texts of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple, get_args

from sgf_lark import grammar
from sgf_lark.text.escaping import escape
from sgf_lark.text.positions import Span as Span

#: The languages of the catalogue.
Language = Literal["en", "zh"]
LANGUAGES = get_args(Language)


class Severity(StrEnum):
    """The severity of a diagnostic.

    `error`: illegal by the specification; `warning`: called bad style by the specification;
    `style`: a recommendation that is not followed, or a hint.
    """

    ERROR = "error"
    WARNING = "warning"
    STYLE = "style"

    # The hash function of Enum is written in Python, and slow when diagnostics are counted.
    __hash__ = str.__hash__


#: What diagnostics are counted by: code, name and severity.
Kind = tuple[str, str, Severity]


class Diagnostic(NamedTuple):
    """A violation of a rule, as reported to users.

    `tree` and `node` are 0-based, `node` in pre-order within the tree; they are None if the
    violation belongs to no tree or node. `sgfc` is the number of SGFC in the catalogue for the
    rule, or None: for some values SGFC has another number, or none. `fix` describes how to fix it,
    or is None. `related` are the spans of other places that belong to the violation.
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
    #: The JSON pointer (RFC 6901) of the value in a JSON document; None in SGF.
    pointer: str | None = None

    @property
    def kind(self) -> Kind:
        """What it is counted by."""
        return self.code, self.name, self.severity

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


def most_severe(severities: Sequence[Severity], number: int | None) -> list[int]:
    """The indexes, in their order, of at most `number` items: errors, then warnings, then style,
    and of the same severity the first ones. All of them if `number` is None.

    A list that is cut hides no error behind hints.
    """
    indexes = [*range(len(severities))]
    if number is None or number >= len(indexes):
        return indexes
    ranks = {severity: rank for rank, severity in enumerate(Severity)}
    return sorted(sorted(indexes, key=lambda index: ranks[severities[index]])[:number])


class Words(NamedTuple):
    """A part of a message in both languages: English and Chinese."""

    en: str
    zh: str

    def in_language(self, language: Language) -> str:
        """The part in that language."""
        return self.zh if language == "zh" else self.en


def shorten(raw: bytes | str, limit: int = 40) -> str:
    """`raw` on one line for a message: control characters are escaped, long values are cut."""
    text = raw[: limit + 1].decode("latin-1") if isinstance(raw, bytes) else raw
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return escape(text)


def make(
    code: str,
    severity: Severity,
    span: Span,
    *,
    tree: int | None = None,
    node: int | None = None,
    ident: str | None = None,
    related: tuple[Span, ...] = (),
    language: Language = "en",
    **values: object,
) -> Diagnostic:
    """A diagnostic with the texts of the catalogue for `code`; `values` fill the placeholders."""
    name, message, sgfc, fix = texts_of(code, ident, values, language)
    return Diagnostic(code, name, severity, message, span, tree, node, ident, sgfc, fix, related)


#: The name of a rule, its message, its number in SGFC, and how to fix a violation.
Texts = tuple[str, str, int | None, str | None]


def texts_of(
    code: str,
    ident: str | None,
    values: Mapping[str, object],
    language: Language,
    codec: str = "latin-1",
) -> Texts:
    """The catalogue's texts for `code`; `values` fill the placeholders of the message.

    Values that are bytes are decoded in `codec`.
    """
    name, template, sgfc, fix = _catalogue_texts(code, language)
    filled: dict[str, object] = {"ident": ident}
    for key, value in values.items():
        if isinstance(value, bytes):
            filled[key] = shorten(value.decode(codec, "replace"))
        elif isinstance(value, Words):
            filled[key] = value.zh if language == "zh" else value.en
        else:
            filled[key] = value
    fill = _fill_chinese if language == "zh" else str.format_map
    message = fill(template, filled)
    return name, message, sgfc, fix


def name_of(code: str) -> str:
    """The name of a rule in the catalogue."""
    return _catalogue_texts(code, "en")[0]


#: A Chinese character or punctuation mark before or after a blank that a Chinese text lacks.
_CHINESE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
_BLANK_IN_CHINESE = f"(?<={_CHINESE}) (?={_CHINESE})"
#: Between a Chinese character and a Latin letter or digit a Chinese text has a blank.
_CHINESE_TO_LATIN = "[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]"


def _fill_chinese(template: str, values: Mapping[str, object]) -> str:
    """The Chinese template with its values, and the blanks at their ends that they ask for."""
    import string  # slow to import

    text = ""
    for literal, name, _, _ in string.Formatter().parse(template):
        for part in (literal, "" if name is None else str(values[name])):
            near = text[-2:] + part[:2]
            spaced = re.fullmatch(_CHINESE_TO_LATIN, text[-1:] + part[:1])
            if spaced:
                text += " "
            elif re.search(_BLANK_IN_CHINESE, near):
                text, part = text.removesuffix(" "), part.removeprefix(" ")
            text += part
    return text


@cache
def _catalogue_texts(code: str, language: Language) -> Texts:
    """The texts of a rule in that language; its message still has its placeholders."""
    rule = grammar.rule(code)
    if language == "zh":
        return rule.name, rule.message_zh, rule.sgfc, rule.fix_zh or None
    return rule.name, rule.message, rule.sgfc, rule.fix or None
