"""Applies fixes until none is left, and rewrites files on request.

The fixes are defined next to the checks, in :mod:`sgf_lark.rules`. This package chooses and
applies them, writes the texts in one charset, and makes the changes that the caller requests:

- this module decodes: a file is fixed section by section, each in its own charset;
- :mod:`.rounds` applies the fixes that :mod:`.choices` allows, until none is left;
- :mod:`.charsets` decides on the charset of the result;
- :mod:`.record` says what was changed, and where that is in the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from sgf_lark.diagnostics import Diagnostic, Language
from sgf_lark.fixing.choices import has_uncertain_structure
from sgf_lark.fixing.record import Applied as Applied
from sgf_lark.fixing.rounds import Request, Rounds
from sgf_lark.grammar import CharsetMode
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import DEFAULT_OPTIONS, ReadingOptions
from sgf_lark.rules import load_fixes
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.syntax.tolerant import LAYER
from sgf_lark.text.charsets import decodes
from sgf_lark.text.validity import is_plain_ascii
from sgf_lark.validation import selected_codes, validate_file
from sgf_lark.validation.report import Report

if TYPE_CHECKING:
    from sgf_lark.fixing.rewriting import Rewriting

#: The maximal number of times that a file is decoded anew.
_MAX_DECODINGS = 4


@dataclass(frozen=True)
class FixResult:
    """The bytes of the fixed file, the changes, and the report on the fixed file."""

    data: bytes
    applied: list[Applied] = field(default_factory=list)
    #: How the fixed file is read, and the language of its report.
    _reading: ReadingOptions = field(default=DEFAULT_OPTIONS, repr=False)
    _language: Language = field(default="en", repr=False)
    #: The report, if it is known.
    _report: Report | None = field(default=None, repr=False)

    @cached_property
    def report(self) -> Report:
        """The report on the fixed file, which is validated when this is first asked for."""
        if self._report is not None:
            return self._report
        return validate_file(self.data, self._reading, language=self._language).report

    @property
    def remaining(self) -> list[Diagnostic]:
        """The diagnostics that are left; their places are in :attr:`data`."""
        return self.report.diagnostics

    @property
    def ok(self) -> bool:
        """Whether no error is left."""
        return self.report.ok


def fix(
    data: bytes | str,
    *,
    unsafe: bool = False,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "auto",
    file_format: int | None = None,
    game: int | None = None,
    rewriting: Rewriting | None = None,
    language: Language = "en",
) -> FixResult:
    """`data` with all fixes applied. Bad input never raises.

    Only safe fixes are applied, or with `unsafe` also those that drop something or rest on a
    guess; errors that have no fix are then moved to comments. `select` and `ignore` choose
    findings by their codes. The other options determine how `data` is read, as for
    :func:`sgf_lark.validate`. `rewriting` requests further changes; without it text is written
    in UTF-8, and nothing else is rewritten. `language` is that of the messages about findings,
    "en" or "zh". Raises ValueError and LookupError for unknown names.
    """
    from sgf_lark.fixing.rewriting import Rewriting

    load_fixes()
    if isinstance(data, str):
        data, charset = data.encode("utf-8", "surrogatepass"), charset or "UTF-8"
    options = ReadingOptions(charset, default_charset, charset_mode, file_format, game)
    options.check()
    codes = selected_codes(select, ignore)
    request = Request(unsafe, codes, rewriting or Rewriting(), language)
    parsed = options.parse(data)
    if parsed.layers is None or LAYER not in codes:
        return _fix_file(parsed.as_written, options, request)
    if unsafe:
        return _fix_without_layers(parsed, options, request)
    # To read the file without them is a guess, and nothing in it can be fixed without it.
    return _result(data, [], options, request)


def _result(
    data: bytes, applied: list[Applied], options: ReadingOptions, request: Request
) -> FixResult:
    """The result for a file that was read with these options. It is in the charsets that it
    declares, whatever the input was in."""
    return FixResult(data, applied, _without_charset(options), request.language)


def _without_charset(options: ReadingOptions) -> ReadingOptions:
    return ReadingOptions(file_format=options.file_format, game=options.game)


def _fix_without_layers(parsed: ParsedFile, options: ReadingOptions, request: Request) -> FixResult:
    """A file without the layers over it, fixed as a file of its own."""
    found = request.validate(parsed, options).report.diagnostics
    layers = [each for each in found if each.code == LAYER]
    undone = parsed.layers.undone if parsed.layers else []
    applied = [
        Applied(
            LAYER,
            each.name,
            each.message,
            each.span,
            layer.before.decode("utf-8", "backslashreplace"),
            layer.after.decode("utf-8", "backslashreplace"),
            safe=False,
        )
        for each, layer in zip(layers, undone, strict=True)
    ]
    decoding = parsed.decoding
    override = decoding.charsets.override
    options = replace(options, charset=override.name if override else None)
    inner = options.parse(decoding.original).as_written
    result = _fix_file(inner, options, request._replace(codes=request.codes - {LAYER}))
    for change in result.applied:
        place = (decoding.sections.to_text(each) for each in change.span[:2])
        applied.append(change._replace(span=parsed.source.span(*place)))
    return replace(result, applied=applied)


def _fix_file(parsed: ParsedFile, options: ReadingOptions, request: Request) -> FixResult:
    """A file fixed section by section.

    Nothing is changed safely if a game tree would be stored in another charset and the file as a
    whole would not be in one: programs that decode a file as a whole would read no game.
    """
    data, decoding = parsed.decoding.original, parsed.decoding
    result = _result(data, [], options, request)
    applied: list[Applied] = []
    again = parsed
    for number in range(_MAX_DECODINGS):
        if len(again.decoding.sections) == 1:
            result = _fix_section(again, options, request)
        else:
            result = _fix_sections(again, options, request)
        for change in result.applied:
            span = change.span
            if number:  # where it was before the other changes is known roughly
                place = decoding.sections.to_text(min(span.start, len(data)))
                span = parsed.source.span(place, place)
            applied.append(change._replace(span=span))
        is_one = len(again.decoding.sections) == 1
        # Safe fixes make no second section. Options that the user gave describe the input, and the
        # result may be in another charset.
        is_named = options != _without_charset(options)
        is_last = is_one and (not request.unsafe or is_named or is_plain_ascii(result.data))
        if is_last or not result.applied:
            break
        # Without its damage, or in other charsets, the file may have other sections.
        again = options.parse(result.data).as_written
        if is_one and len(again.decoding.sections) == 1:
            break  # it was fixed as it is read now
    if not request.unsafe and len(decoding.sections) > 1:
        is_recoded = _charsets(data) != _charsets(result.data)
        codecs = set(_charsets(result.data))
        # Programs that decode a file as a whole can read it in one charset.
        if is_recoded and not (len(codecs) == 1 and decodes(result.data, *codecs)):
            return _result(data, [], options, request)
    return replace(result, applied=applied)


def _fix_sections(parsed: ParsedFile, options: ReadingOptions, request: Request) -> FixResult:
    """Each section of a file fixed as a file of its own, because its charset is its own. Nothing is
    changed if the game trees would not be read in the same charsets afterwards."""
    data, sections = parsed.decoding.original, parsed.decoding.sections
    applied: list[Applied] = []
    parts: list[bytes] = []
    codecs: list[str] = []
    for start, end in pairwise([*(each.file_start for each in sections), len(data)]):
        part = options.parse(data[start:end]).as_written
        if len(part.decoding.sections) > 1:
            return _result(data, [], options, request)
        result = _fix_section(part, options, request)
        parts.append(result.data)
        codecs += _codecs(result.data)
        for change in result.applied:
            place = (sections.to_text(start + each) for each in change.span[:2])
            applied.append(change._replace(span=parsed.source.span(*place)))
    fixed = b"".join(parts)
    if codecs != _codecs(fixed):
        return _result(data, [], options, request)
    return _result(fixed, applied, options, request)


def _fix_section(parsed: ParsedFile, options: ReadingOptions, request: Request) -> FixResult:
    """A file of one section fixed."""
    context = _without_charset(options)
    validated = request.validate(parsed, context)
    unchanged = _result(parsed.data, [], options, request)
    if not request.unsafe and has_uncertain_structure(validated.collection):
        return unchanged
    rounds = Rounds(validated, request, context)
    rounds.run()
    applied = list(rounds.record.applied)
    earlier: list[Rounds] = []
    while (
        options == context and rounds.may_be_decoded_differently and (len(earlier) < _MAX_DECODINGS)
    ):
        # Without its damage, or in another charset, the file may be decoded differently. Its new
        # findings are fixed too, so that a second run on the result changes nothing.
        parsed = context.parse(rounds.data)
        sections = parsed.decoding.sections
        is_alike = [each.charset for each in sections] == [rounds.section.charset]
        if not request.unsafe and not is_alike:
            # All texts would be read differently. No fix is worth that.
            return unchanged
        if len(sections) > 1:
            break
        earlier.append(rounds)
        rounds = Rounds(request.validate(parsed, context), request, context)
        rounds.run()
        new = rounds.record.applied
        for each in reversed(earlier):
            new = [change._replace(span=each.origin(change.span)) for change in new]
        applied += new
    result = _result(rounds.data, applied, options, request)
    is_complete = options == context and request.codes == selected_codes(None, None)
    if is_complete and not rounds.is_changed:
        # All that was found in what was decoded last is left.
        return replace(result, _report=rounds.first.report)
    return result


def _charsets(data: bytes) -> list[str]:
    """The codecs in which the game trees of a file are stored, without trees in ASCII that declare
    no charset."""
    trees = Collection.of_file(DEFAULT_OPTIONS.parse(data))
    return [
        tree.charset if (whole := tree.parsed.section.charset) is None else whole.codec
        for tree in trees
        if tree.parsed.declared_charset
        or not tree.parsed.flat.data[slice(*tree.parsed.bounds)].isascii()
    ]


def _codecs(data: bytes) -> list[str]:
    """The codec of each game tree of a file."""
    return DEFAULT_OPTIONS.parse(data).codecs
