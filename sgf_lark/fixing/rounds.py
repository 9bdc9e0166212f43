"""Rounds: fixes are chosen and applied, and again, until none is left.

Each fix is charged to its rule and to the place in the input that its finding comes from. A rule
fixes a place in at most `_MAX_ROUNDS_FOR_PLACE` rounds, and each round but the last makes a charge.
So the rounds end, after at most that number × rules × (bytes + 1).

The number of rounds that a file needs is the length of its longest chain of fixes of which each
makes the next one possible: damage, then what the damage hid, then what a comment collects, then
nodes left empty. No order of the rules gives a smaller bound for all files, because chains of two
rules run both ways: joining two lists can repeat a point, and moving a point to a comment makes
two comments to join. A round takes time in line with the size of the file, and a chain that gets
longer with the file is a defect of a fix; tests double hostile files and count the rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.diagnostics import Language, Span, name_of
from sgf_lark.fixing import charsets
from sgf_lark.fixing.choices import Choice, applicable, context_first, safe_first, tree_at
from sgf_lark.fixing.edits import Change, Chosen, with_identifiers
from sgf_lark.fixing.record import Record
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.syntax.parsing import ParsedFile, parse_decoded
from sgf_lark.text.decoding import Decoding, Section
from sgf_lark.text.edits import apply
from sgf_lark.text.validity import is_plain_ascii
from sgf_lark.validation import ValidatedFile, validate_parsed

if TYPE_CHECKING:
    from sgf_lark.fixing.readings import Attempts
    from sgf_lark.fixing.rewriting import Rewriting, Step

#: The maximal number of rounds in which a rule fixes one place of the input.
_MAX_ROUNDS_FOR_PLACE = 5
#: The rule about lowercase letters in identifiers, which hide nothing of the structure.
_LOWERCASE = "SGF114"


class Request(NamedTuple):
    """What is fixed: findings with these codes, safely only or not, and what is rewritten; the
    language of messages."""

    unsafe: bool
    codes: frozenset[str]
    rewriting: Rewriting
    language: Language

    def validate(self, parsed: ParsedFile, context: ReadingOptions) -> ValidatedFile:
        """The file with the findings that may be fixed."""
        return validate_parsed(parsed, context, codes=self.codes, language=self.language)


class Rounds:
    """A text of one section while it is fixed."""

    def __init__(self, first: ValidatedFile, request: Request, options: ReadingOptions) -> None:
        self.first = first
        self.record = Record(first.collection)
        #: The text as it is now. It is validated when that is asked for.
        self.decoding = first.collection.file.decoding
        self._validated: ValidatedFile | None = first
        #: How the result is stored: as the input was, or as bytes once it is recoded.
        [self.section] = self.decoding.sections
        self._request = request
        self._options = options
        #: The code of a rule, or the name of a change, and an offset in the input -> the number
        #: of rounds in which it was fixed there.
        self._charges: Counter[tuple[str, int]] = Counter()

    def run(self) -> None:
        """Fix, make the requested changes, and fix what is left after each."""
        from sgf_lark.fixing.rewriting import steps

        self._fix()
        for step in steps(self._request.rewriting):
            while self._round(self._requested(step)):
                pass
            self._fix()
        self._recode()

    @property
    def validated(self) -> ValidatedFile:
        """The text as it is now, with its findings."""
        if self._validated is None:
            parsed = parse_decoded(self.decoding)
            self._validated = self._request.validate(parsed, self._options)
        return self._validated

    @property
    def data(self) -> bytes:
        """The bytes to store."""
        before, now = self.first.collection.file.decoding, self.decoding
        if now is before:
            return before.original
        length = now.unicode_signature.length
        if length and charsets.needs_byte_order_mark(self.validated.collection):
            return before.original[:length] + now.data[length:]
        if self.section.charset is None:
            return now.data[length:]
        signature = before.original[: before.unicode_signature.length]
        return signature + self.section.encode(now.data[length:])

    @property
    def is_changed(self) -> bool:
        """Whether the bytes to store are other ones."""
        return self.data != self.first.collection.data

    @property
    def may_be_decoded_differently(self) -> bool:
        """Whether the charset of the new bytes may be detected differently."""
        return self.is_changed and not is_plain_ascii(self.data)

    def origin(self, span: Span) -> Span:
        """What a span in :attr:`data` was in the input."""
        return self.record.span(span, self.decoding.unicode_signature.length)

    # Rounds

    def _fix(self) -> None:
        """Apply fixes until none is left."""
        is_changed = True
        while is_changed:
            choices = applicable(
                self.validated,
                unsafe=self._request.unsafe,
                header=self._request.rewriting.header,
                attempts=self._attempts if self._request.unsafe else None,
            )
            is_changed = self._round(
                map(_change, context_first(safe_first(choices)))
            ) or self._round(map(_change, choices))

    def _requested(self, step: Step) -> Iterator[Change]:
        """The changes of this step; none in damaged text, which stays as it is."""
        return iter(()) if self._is_damaged else step(self.validated.collection)

    @property
    def _is_damaged(self) -> bool:
        """Whether the text has damage other than lowercase letters, or no game tree."""
        validated = self.validated
        return not validated.collection or any(each.code != _LOWERCASE for each in validated.damage)

    def _round(self, changes: Iterable[Change]) -> bool:
        """Apply those of the changes that do not overlap; whether that changes anything."""
        before = self.decoding.data
        chosen = Chosen(before)
        taken: list[Change] = []
        # A place is charged once for a round: all that was inserted there comes from it.
        charged: set[tuple[str, int]] = set()
        for change in changes:
            charge = change.code or change.name, self.record.origin(change.start)
            if (
                self._charges[charge] < _MAX_ROUNDS_FOR_PLACE
                and self._can_encode(change)
                and chosen.take(change.edits)
            ):
                charged.add(charge)
                taken.append(change)
        self._charges.update(charged)
        validated = self.validated
        edits = with_identifiers(chosen.edits, validated.collection.flat)
        data = apply(before, edits)
        if data == before or not self.section.can_be_stored(data):
            return False
        self._note(taken)
        self.record.follow(edits)
        self._continue(charsets.edited(self.decoding, data))
        return True

    def _note(self, changes: list[Change]) -> None:
        """Record changes of the text as it is now. Messages are made only of what is fixed."""
        validated = self.validated
        collection, data = validated.collection, self.decoding.data
        changes.sort(key=attrgetter("start"))
        found = [validated.findings[each.number] for each in changes if each.number is not None]
        messages = (each.message for each in validated.report.findings.diagnostics(found))
        for change in changes:
            message = "" if change.number is None else next(messages)
            # A file without a game tree has no charset.
            tree = collection[tree_at(collection.flat, change.start)] if collection else None
            codec = "latin-1" if tree is None else tree.charset
            self.record.add(change, data, codec, change.reason or message, self.section)

    def _continue(self, decoding: Decoding) -> None:
        self.decoding = decoding
        self._validated = None

    def _can_encode(self, change: Change) -> bool:
        """Whether the charset of a file that is decoded has the new characters, all of them
        whole."""
        try:
            for edit in change.edits:
                self.section.encode(edit.replacement)
        except UnicodeError:
            return False
        return True

    @cached_property
    def _attempts(self) -> Attempts:
        """The repairs tried in all rounds."""
        from sgf_lark.fixing.readings import Attempts

        return Attempts(len(self.first.collection.flat.data))

    # The charset of the result

    def _recode(self) -> None:
        """Write the texts in the charset that is requested, which needs the model."""
        charset, unsafe = self._request.rewriting.charset, self._request.unsafe
        if charset is None or self._is_damaged:
            return
        if charsets.is_kept(self.section, self.first.collection, self.decoding.data, unsafe):
            return
        recoded = charsets.recoded(self.validated.collection, self.section, charset, unsafe)
        if recoded is None:
            return
        changes, decoding = recoded
        self._note(changes)
        self.section = Section()
        self._continue(decoding)
        # The new CA in the root may make other CA properties superfluous.
        self._fix()


def _change(choice: Choice) -> Change:
    site, fix = choice.site, choice.fix
    return Change(
        fix.edits,
        site.start,
        site.end,
        name_of(site.code),
        fix.safe,
        code=site.code,
        number=choice.number,
        reason=fix.reason,
    )
