"""Applies fixes until none is left, and rewrites files on request.

The fixes are defined next to the checks, in :mod:`sgf_lark.rules`. This package chooses and
applies them, writes the texts in one charset, and makes the changes that the caller requests.

Fixes are applied in rounds: the file is validated, all fixes that do not overlap are applied, and
so on until no fix is left. Each fix is charged to its rule and to the place in the input that its
finding comes from. A rule fixes a place in at most `_MAX_ROUNDS_FOR_PLACE` rounds, and each round
but the last makes a charge. So the rounds end, after at most that number × rules × (bytes + 1).

The number of rounds that a file needs is the length of its longest chain of fixes of which each
makes the next one possible: damage, then what the damage hid, then what a comment collects, then
nodes left empty. No order of the rules gives a smaller bound for all files, because chains of two
rules run both ways: joining two lists can repeat a point, and moving a point to a comment makes
two comments to join. A round takes time in line with the size of the file, and a chain that gets
longer with the file is a defect of a fix; tests double hostile files and count the rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.diagnostics import Diagnostic, Language, Span
from sgf_lark.fixing.choices import applicable, has_uncertain_structure, tree_at
from sgf_lark.fixing.edits import Change, Chosen, with_identifiers
from sgf_lark.fixing.tree_changes import recoded
from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import Charset, CharsetMode
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import DEFAULT_OPTIONS, ReadingOptions
from sgf_lark.model.writing import dumps
from sgf_lark.rules import load_fixes
from sgf_lark.rules.fixes import Edit, Fix
from sgf_lark.syntax.parsing import ParsedFile, parse_decoded, parse_if_strict
from sgf_lark.syntax.tolerant import LAYER, parse_tolerant
from sgf_lark.text.charsets import NO_SIGNATURE, decodes, is_name
from sgf_lark.text.decoding import Decoding
from sgf_lark.text.edits import Origins, apply
from sgf_lark.text.sections import AS_BYTES, Section, Sections
from sgf_lark.text.validity import is_plain_ascii, reads_ascii_alike
from sgf_lark.validation import (
    ValidatedFile,
    selected_codes,
    validate_file,
    validate_parsed,
)
from sgf_lark.validation.report import Report

if TYPE_CHECKING:
    from sgf_lark.fixing.readings import Attempts
    from sgf_lark.fixing.rewriting import Rewriting, Step

#: The maximal number of rounds in which a rule fixes one place of the input.
_MAX_ROUNDS_FOR_PLACE = 5
#: The maximal number of times that a file is decoded anew.
_MAX_DECODINGS = 4


class Applied(NamedTuple):
    """One change: the finding, its place in the input, and the text before and after.

    `safe` is true if nothing that means anything was dropped.
    """

    code: str
    name: str
    message: str
    span: Span
    before: str
    after: str
    safe: bool

    def as_dict(self) -> dict[str, object]:
        """The change as an object of JSON."""
        return {
            "code": self.code,
            "name": self.name,
            "message": self.message,
            "line": self.span.line,
            "column": self.span.column,
            "start": self.span.start,
            "end": self.span.end,
            "before": self.before,
            "after": self.after,
            "safe": self.safe,
        }


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
    request = _Request(unsafe, codes, rewriting or Rewriting(), language)
    return _fix(data, options, request)


class _Request(NamedTuple):
    """What is fixed: findings with these codes, safely only or not, and what is rewritten; the
    language of messages."""

    unsafe: bool
    codes: frozenset[str]
    rewriting: Rewriting
    language: Language

    def validate(self, parsed: ParsedFile, context: ReadingOptions) -> ValidatedFile:
        """The file with the findings that may be fixed."""
        return validate_parsed(parsed, context, codes=self.codes, language=self.language)

    @property
    def finds_all(self) -> bool:
        """Whether findings of all rules may be fixed."""
        return self.codes == selected_codes(None, None)

    def without_changes(self, data: bytes, context: ReadingOptions) -> FixResult:
        """The result for a file that stays as it is."""
        return self.result(data, [], context)

    def result(self, data: bytes, applied: list[Applied], context: ReadingOptions) -> FixResult:
        """The result with that fixed file."""
        return FixResult(data, applied, context, self.language)


def _fix(data: bytes, options: ReadingOptions, request: _Request) -> FixResult:
    """A file with fixes applied."""
    parsed = options.parse(data)
    if parsed.layers is not None and LAYER in request.codes:
        return _fix_without_layers(parsed, options, request)
    parsed = parsed.as_written
    if len(parsed.decoding.sections) > 1:
        return _fix_sections(parsed, options, request)
    #: How the fixed file is read.
    context = ReadingOptions(file_format=options.file_format, game=options.game)
    validated = request.validate(parsed, context)
    if not request.unsafe and has_uncertain_structure(validated.collection):
        return request.without_changes(data, context)
    fixer = _Fixer(validated, request, context)
    applied = fixer.fix()
    if options != context:
        return request.result(fixer.data, applied, context)
    earlier: list[_Fixer] = []
    while fixer.may_decode_differently and len(earlier) < _MAX_DECODINGS:
        # Without its damage, or in another charset, the file may be decoded differently. Its new
        # findings are fixed too, so that a second run on the result changes nothing.
        parsed = context.parse(fixer.data)
        sections = parsed.decoding.sections
        is_alike = [section.charset for section in sections] == [fixer.charset]
        if not request.unsafe and not is_alike:
            # All texts would be read differently. No fix is worth that.
            return request.without_changes(data, context)
        if len(sections) > 1:
            break
        earlier.append(fixer)
        fixer = _Fixer(request.validate(parsed, context), request, context)
        new = fixer.fix()
        for each in reversed(earlier):
            new = [change._replace(span=each.origin(change.span)) for change in new]
        applied += new
    result = request.result(fixer.data, applied, context)
    if request.finds_all and not fixer.is_changed:
        return replace(result, _report=fixer.first.report)
    return result


class _Fixer:
    """The text while it is fixed, and a record of the changes."""

    def __init__(
        self,
        validated: ValidatedFile,
        request: _Request,
        options: ReadingOptions,
    ) -> None:
        self.first = validated
        self.request = request
        self.rewriting = request.rewriting
        self.unsafe = request.unsafe
        self.options = options
        self.applied: list[Applied] = []
        self.decoding = validated.collection.file.decoding
        self._is_edited = False
        self._is_recoded = False
        self._source = validated.report.source
        self._origins = Origins(len(validated.collection.flat.data))
        #: The code of a rule, or the name of a change, and an offset in the input -> the number
        #: of rounds in which it was fixed there.
        self._charges: Counter[tuple[str, int]] = Counter()

    @property
    def data(self) -> bytes:
        """The bytes to store."""
        first, decoding = self.first.collection.file.decoding, self.decoding
        if not self._is_edited:
            return first.original
        if decoding.unicode_signature.length and self._needs_byte_order_mark:
            length = decoding.unicode_signature.length
            return first.original[:length] + decoding.data[length:]
        data = decoding.data[decoding.unicode_signature.length :]
        if self.charset is None:
            return data
        return first.original[: first.unicode_signature.length] + self.section.encode(data)

    @property
    def _needs_byte_order_mark(self) -> bool:
        """Whether the byte order mark is all that says that the texts are in UTF-8."""
        flat = parse_tolerant(self.decoding.data).flat
        declared = (tree.parsed.declared_charset for tree in self._collection(flat))
        codecs = {charset.codec if charset else None for charset in declared} - {"utf-8"}
        if flat.data.isascii():
            return not all(reads_ascii_alike(flat.data, codec) for codec in codecs if codec)
        return bool(codecs)

    @property
    def section(self) -> Section:
        """The only section of the input."""
        (section,) = self.first.collection.file.decoding.sections
        return section

    @property
    def charset(self) -> Charset | None:
        """The charset in which :attr:`data` is to be decoded before it is parsed, if it is."""
        return None if self._is_recoded else self.section.charset

    @property
    def _keeps_charset(self) -> bool:
        """Whether a file that is decoded before it is parsed keeps its charset.

        It does on request, if some of its bytes cannot be decoded, if its charset is a guess,
        or if a CA that is not a name has to stay.
        """
        section = self.section
        if self.charset is None:
            return False
        if self.rewriting.charset is None or section.has_undecodable_bytes(self.decoding.data):
            return True
        if section.is_guess and not self.unsafe:
            return True
        named = (tree.parsed.root_values.get("CA", b"") for tree in self.first.collection)
        names = (name.decode("utf-8", "replace") for name in named)
        return not self.unsafe and not all(map(is_name, names))

    def fix(self) -> list[Applied]:
        """Apply the fixes and rewrite the text; return the changes."""
        self.apply_fixes()
        self.rewrite()
        return self.applied

    @property
    def is_changed(self) -> bool:
        """Whether the bytes to store are other ones."""
        return self.data != self.first.collection.data

    @property
    def may_decode_differently(self) -> bool:
        """Whether the charset of the new bytes may be detected differently."""
        return self.is_changed and not is_plain_ascii(self.data)

    def origin(self, span: Span) -> Span:
        """The span in the input that the span in :attr:`data` comes from.

        It is approximate in a file that is decoded before it is parsed.
        """
        length = len(self.first.collection.data)
        if self.section.charset is not None:
            return self._source.span(min(span.start, length), min(span.end, length))
        start, end = (
            self._origins.place(place + self.decoding.unicode_signature.length)
            for place in (span.start, span.end)
        )
        return self._source.span(start, end)

    # Fixing

    def apply_fixes(self) -> None:
        """Validate and fix in rounds, until no fix is left."""
        validated = self._validate() if self._is_edited else self.first
        while self._apply(*self._choose(validated)):
            validated = self._validate()

    def _validate(self) -> ValidatedFile:
        """The text as it is now, with its findings."""
        return self.request.validate(parse_decoded(self.decoding), self.options)

    def _apply(self, chosen: Chosen, notes: list[Applied]) -> bool:
        """Whether the edits change anything; they are applied, and the changes recorded."""
        data = apply(self.decoding.data, chosen.edits)
        if data == self.decoding.data or not self._can_store(data):
            return False
        self.applied += notes
        self._replace(data, chosen)
        return True

    def _replace(self, data: bytes, chosen: Chosen) -> None:
        """Continue with `data`, the text after the edits."""
        self._origins.apply(chosen.edits)
        self.decoding = _edited(self.decoding, data)
        self._is_edited = True

    def _choose(self, validated: ValidatedFile) -> tuple[Chosen, list[Applied]]:
        """The fixes for this round, without overlap, and a record of each."""
        chosen = Chosen(self.decoding.data)
        notes: list[Applied] = []
        # A place is charged once for a round: all that was inserted there comes from it.
        charged: set[tuple[str, int]] = set()
        attempts = self._attempts if self.unsafe else None
        choices = applicable(
            validated, unsafe=self.unsafe, header=self.rewriting.header, attempts=attempts
        )
        for _, found, site, fix in choices:
            charge = site.code, self._origins.place(site.start)
            if self._charges[charge] == _MAX_ROUNDS_FOR_PLACE:
                continue
            if not self._can_encode(fix) or not chosen.has_room_for(fix):
                continue
            # Its message and lines are computed only now, for what is fixed.
            [diagnostic] = validated.report.findings.diagnostics([found])
            # A file without a game tree has no charset.
            codec = site.tree.charset if site.collection else "latin-1"
            change = Change(fix.edits, site.start, site.end, diagnostic.name, fix.safe)
            chosen.add(fix)
            charged.add(charge)
            notes.append(self._record(change, codec, site.code, fix.reason or diagnostic.message))
        self._charges.update(charged)
        chosen.edits = with_identifiers(chosen.edits, validated.collection.flat)
        return chosen, sorted(notes, key=lambda note: note.span.start)

    @cached_property
    def _attempts(self) -> Attempts:
        """The repairs tried in all rounds."""
        from sgf_lark.fixing.readings import Attempts

        return Attempts(len(self.first.collection.flat.data))

    def _can_store(self, data: bytes) -> bool:
        """Whether the undecodable bytes of a file that is decoded stay what they are."""
        return self._is_recoded or self.section.can_be_stored(data)

    def _can_encode(self, fix: Fix) -> bool:
        """Whether the charset of a file that is decoded has the new characters, all of them
        whole."""
        if self._is_recoded:
            return True
        try:
            for edit in fix.edits:
                self.section.encode(edit.replacement)
        except UnicodeError:
            return False
        return True

    def _record(
        self, change: Change, codec: str = "latin-1", code: str = "", message: str = ""
    ) -> Applied:
        """The record of a change for the caller: of a fix for the rule of that code, or of a
        requested change."""
        origin = sorted(map(self._origins.place, (change.start, change.end)))
        before, after = change.texts or self._texts(change.edits, codec)
        span = self._source.span(*origin)
        return Applied(code, change.name, message, span, before, after, change.safe)

    def _texts(self, edits: Iterable[Edit], codec: str) -> tuple[str, str]:
        """What edits replace, and by what, without white space around it that is not the change."""
        edits, data = sorted(edits), self.decoding.data
        before = b" ".join(data[edit.start : edit.end] for edit in edits)
        after = b" ".join(edit.replacement for edit in edits)
        both = before.decode(codec, "backslashreplace"), after.decode(codec, "replace")
        stripped = both[0].strip(), both[1].strip()
        return both if stripped[0] == stripped[1] else stripped

    # Rewriting

    def rewrite(self) -> None:
        """Make the requested changes; damaged text stays as it is."""
        from sgf_lark.fixing.rewriting import steps

        for step in steps(self.rewriting):
            while self._step(step):
                pass
            self.apply_fixes()
        if self.rewriting.charset is not None and not self._keeps_charset:
            self._recode(self.rewriting.charset)

    def _view(self) -> Collection | None:
        """The text as a collection; None if it has damage other than lowercase letters."""
        flat = parse_if_strict(self.decoding.data)
        if flat is None:
            damaged = parse_tolerant(self.decoding.data)
            if damaged.damage or not damaged.flat.roots:
                return None
            flat = damaged.flat
        return self._collection(flat)

    def _collection(self, flat: FlatTree) -> Collection:
        """The text as it is now."""
        file_format, game = self.options.file_format, self.options.game
        file = ParsedFile(self.decoding, flat, file_format=file_format, game=game)
        return Collection.of_file(file)

    def _step(self, step: Step) -> bool:
        """Whether anything was changed."""
        collection = self._view()
        if collection is None:
            return False
        chosen = Chosen(self.decoding.data)
        notes: list[Applied] = []
        charged: set[tuple[str, int]] = set()
        for change in step(collection):
            charge = change.name, self._origins.place(change.start)
            if self._charges[charge] < _MAX_ROUNDS_FOR_PLACE and chosen.take(
                Fix(change.edits, change.safe)
            ):
                charged.add(charge)
                tree = collection[tree_at(collection.flat, change.start)]
                notes.append(self._record(change, tree.charset))
        self._charges.update(charged)
        return self._apply(chosen, notes)

    def _recode(self, charset: str) -> None:
        """Write the texts in this charset, which needs the model."""
        view = self._view()
        if view is None:
            return
        collection = Collection.of_file(
            ParsedFile(_edited(self.decoding, self.decoding.data), view.flat)
        )
        whole = self.section.charset
        changes = recoded(collection, charset, unsafe=self.unsafe, whole=whole)
        if not changes and whole is None:
            return
        data = dumps(collection)
        self.applied += [self._record(change) for change in changes]
        self.decoding = _recoded(_edited(self.decoding, data))
        self._is_edited = self._is_recoded = True
        # The new CA in the root may make other CA properties superfluous.
        self.apply_fixes()


def _edited(decoding: Decoding, data: bytes) -> Decoding:
    """The same decoding for edited text, as the parser reads it."""
    [section] = decoding.sections
    charsets = decoding.charsets
    if section.charset is not None:
        # The text is UTF-8 by now, and nothing may have it decoded once more.
        charsets = charsets._replace(whole=None, unicode_signature=NO_SIGNATURE)
    return Decoding(data, data, charsets, Sections([Section(texts=section.texts)]))


def _recoded(decoding: Decoding) -> Decoding:
    """The same decoding for text in which the game trees have the charsets that they declare."""
    charsets = decoding.charsets
    charsets = charsets._replace(
        mode="text" if charsets.mode == "none" else charsets.mode,
        override=None,
        default=charsets.default or charsets.override,
        whole=None,
    )
    return replace(decoding, charsets=charsets, sections=AS_BYTES)


def _fix_without_layers(
    parsed: ParsedFile, options: ReadingOptions, request: _Request
) -> FixResult:
    """A file without the layers over it, fixed as a file of its own. That is a guess, and nothing
    in the file can be fixed without it."""
    if not request.unsafe:
        context = ReadingOptions(file_format=options.file_format, game=options.game)
        return request.without_changes(parsed.data, context)
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
    override = parsed.decoding.charsets.override
    charset = override.name if override else None
    result = _fix(
        parsed.decoding.original,
        replace(options, charset=charset),
        request._replace(codes=request.codes - {LAYER}),
    )
    source = parsed.source
    for change in result.applied:
        place = (parsed.decoding.sections.to_text(each) for each in change.span[:2])
        applied.append(change._replace(span=source.span(*place)))
    return replace(result, applied=applied)


def _fix_sections(parsed: ParsedFile, options: ReadingOptions, request: _Request) -> FixResult:
    """Each section of a file fixed as a file of its own, because its charset is its own.

    Nothing is changed if the game trees would not be read in the same charsets afterwards, and
    nothing safely if one would be stored in another charset and the file as a whole would not be in
    one: programs that decode a file as a whole would read no game.
    """
    decoding, source = parsed.decoding, parsed.source
    data, sections = decoding.original, decoding.sections
    applied: list[Applied] = []
    parts: list[bytes] = []
    codecs: list[str] = []

    def moved(change: Applied, start: int) -> Applied:
        """A change of the section that starts at `start`, with its place in the file."""
        place = (sections.to_text(start + each) for each in change.span[:2])
        return change._replace(span=source.span(*place))

    for start, end in pairwise([*(each.file_start for each in sections), len(data)]):
        result = _fix(data[start:end], options, request)
        parts.append(result.data)
        codecs += _codecs(result.data)
        applied += [moved(change, start) for change in result.applied]
    fixed = b"".join(parts)
    context = ReadingOptions(file_format=options.file_format, game=options.game)
    if not applied or codecs != _codecs(fixed):
        return request.without_changes(data, context)
    # Without its damage, or in other charsets, the file may have other sections.
    again = _fix(fixed, options, request)
    is_recoded = _charsets(data) != _charsets(again.data)
    if not request.unsafe and is_recoded and not _is_in_one_charset(again.data):
        return request.without_changes(data, context)
    for change in again.applied:  # where it was before the other changes is known roughly
        place = sections.to_text(min(change.span.start, len(data)))
        applied.append(change._replace(span=source.span(place, place)))
    return replace(again, applied=applied)


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


def _is_in_one_charset(data: bytes) -> bool:
    """Whether programs that decode a file as a whole can read all of it."""
    codecs = set(_charsets(data))
    return len(codecs) == 1 and decodes(data, *codecs)


def _codecs(data: bytes) -> list[str]:
    """The codec of each game tree of a file."""
    return DEFAULT_OPTIONS.parse(data).codecs
