"""Fixes: each is defined next to the rule whose findings it fixes.

A fix is a few edits of the bytes that were parsed. It is safe if it drops nothing that means
anything, and if what it writes is certainly what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.registry import Finding
from sgf_lark.text.edits import Edit as Edit

if TYPE_CHECKING:
    from sgf_lark.model.informal import Interpretation

_SPECIAL = re.compile(rb"[\]\\]")
_ESCAPE_OR_COLON = re.compile(rb"(?s)(\\.)|:")
#: A bracket of a text, or an escape and what it escapes; the group is the bracket.
_BRACKET = re.compile(rb"(?s)\\?([\[\]])|\\.")
#: The number of bytes in which the neighbors of a place are searched.
_NEAR = 200
#: A result without a reason, or an unknown value, and a date in the form of FF[4].
_VAGUE = re.compile(rb"[BW]\+|\?")
_DATE = re.compile(rb"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?\Z")
_END_OF_LINE = re.compile(rb"[ \t]*\r?\n")


class Fix(NamedTuple):
    """Edits that belong together.

    `reason` says what they assume is wrong, if that is more than the message of the finding.
    """

    edits: tuple[Edit, ...]
    safe: bool = True
    reason: str = ""


#: The fix for a finding that the fix for another one also fixes.
FIXED_WITH_ANOTHER = Fix(())

#: What sites share under this key: the numbers of the game trees in which no fix is safe.
AMBIGUOUS_TREES = "ambiguous trees"

Cached = TypeVar("Cached")


class FixContext:
    """What a fix is made from: the place of a finding, with its tree, node, property and value."""

    def __init__(
        self,
        collection: Collection,
        code: str,
        finding: Finding,
        node: int,
        shared: dict[Hashable, Any],
    ) -> None:
        """The site of the `finding` of a rule in the node of that number.

        `shared` is what the sites of one validation share, see :meth:`cached`.
        """
        self.collection = collection
        self.flat = collection.flat
        self.data = collection.flat.data
        self.code = code
        self.finding = finding
        self.start = finding.start
        self.end = finding.end
        self._node = node
        self._shared = shared

    def cached(self, key: Hashable, compute: Callable[[], Cached]) -> Cached:
        """The result of `compute`, which is called once for all sites of a validation.

        This keeps the time of all fixes in line with the size of the file.
        """
        if key not in self._shared:
            self._shared[key] = compute()
        found: Cached = self._shared[key]
        return found

    @property
    def may_be_safe(self) -> bool:
        """Whether a fix in the tree can be safe. Where not, no board has to be followed for it."""
        ambiguous: set[int] = self.cached(AMBIGUOUS_TREES, set)
        return self.tree.number not in ambiguous

    def is_first(self, *key: Hashable) -> bool:
        """Whether no other site has asked for a fix with this key, which fixes all of them."""
        fixed: set[Hashable] = self.cached("fixed", set)
        is_first = key not in fixed
        fixed.add(key)
        return is_first

    def alone(self) -> FixContext:
        """The site as if no other one had asked for a fix."""
        self._shared.pop("fixed", None)
        return self

    @property
    def ident(self) -> str:
        """The identifier of the property concerned, for a rule whose findings all have one."""
        assert self.finding.ident is not None
        return self.finding.ident

    @cached_property
    def tree(self) -> GameTree:
        """The game tree of the finding."""
        return self.collection[self.flat.tree_of(self._node)]

    @cached_property
    def node(self) -> Node:
        """The node that the finding is in."""
        return self.tree.node(self.flat.node_at(self.start))

    @cached_property
    def entry(self) -> Property:
        """The property in which the finding begins."""
        number = self.flat.property_at(self.start)
        assert number >= 0
        node = self.tree.node(self.flat.node_of_property(number))
        return Property(node, self.flat.ident(number), self.flat, number)

    @property
    def is_repeated(self) -> bool:
        """Whether the node has another property with the same identifier."""
        return len(self.flat.of_ident(self.entry.node.number, self.entry.ident)) > 1

    @cached_property
    def value_if_any(self) -> PropValue | None:
        """The value that contains the start of the finding; damage may be outside of values."""
        number = self.flat.value_at(self.start)
        if number < 0:
            return None
        # Its bytes may be those of most of the file, and damaged at many places.
        return self.cached(("value", number), lambda: PropValue(self.entry, number))

    @property
    def value(self) -> PropValue:
        """The value that contains the start of the finding, for a rule about values."""
        assert self.value_if_any is not None
        return self.value_if_any

    @cached_property
    def text(self) -> str:
        """The decoded text of the value."""
        return self.tree.parsed.context.decode(self.value.raw)

    @property
    def previous_character(self) -> bytes:
        """The last character before the finding that is not white space, if it is near."""
        return self.data[max(0, self.start - _NEAR) : self.start].rstrip()[-1:]

    @property
    def next_character(self) -> bytes:
        """The first character after the finding that is not white space, if it is near."""
        return self.data[self.end : self.end + _NEAR].lstrip()[:1]

    # Fixes that many rules share

    def write(self, text: str) -> bytes:
        """`text`, escaped, in the charset of the tree; raises UnicodeEncodeError."""
        return escape_text(text.encode(self.tree.charset))

    def replace(self, raw: bytes | str, *, safe: bool = True) -> Fix | None:
        """Replace the value; None if nothing changes.

        This is not safe if the charset in which the value was read is a guess, nor for a property
        that is obsolete in the file format.
        """
        edit = self._edit_of_value(raw)
        if edit.replacement == self.value.raw:
            return None
        is_certain = self.value.raw.isascii() or self.tree.has_certain_charset
        return Fix((edit,), safe and is_certain and self._has_meaning)

    @property
    def _has_meaning(self) -> bool:
        """Whether the property has its meaning: in newer file formats an obsolete one may have any.

        In older ones it can only be what it is in newer ones.
        """
        definition = self.entry.definition
        assert definition is not None
        return self.tree.file_format <= max(definition.file_formats)

    def _edit_of_value(self, raw: bytes | str) -> Edit:
        """Replace the value by `raw`."""
        new = raw.encode("ascii") if isinstance(raw, str) else raw
        return Edit(self.value.start, self.value.end, new)

    def replace_keeping_text(self, raw: bytes | str) -> Fix:
        """Replace the value, and keep its text in a comment; this is not safe."""
        return self.keeping((self._edit_of_value(raw),), [self.value.raw])

    def write_interpretation(self, found: Interpretation | None) -> Fix | None:
        """Write what the text means; safe if the value is all that it can mean."""
        if found is None:
            return None
        write = self.replace if found.complete else self.replace_keeping_text
        return write(found.value)

    def delete(self, *, safe: bool = True) -> Fix:
        """Delete the value, or the property if it has no other.

        This is not safe for a property that is obsolete in the file format.
        """
        value, entry = self.value, self.entry
        safe = safe and self._has_meaning
        if entry.count == 1:
            return self.delete_property(safe=safe)
        return Fix((Edit(value.start - 1, value.end + 1),), safe)

    def delete_property(self, *, safe: bool = True) -> Fix:
        """Delete the property, and the line if nothing else is on it."""
        start, end = self.entry.offsets
        end_of_line = _END_OF_LINE.match(self.data, end)
        # Where the line begins is searched near the start: a file may be one line.
        before = self.data[max(0, start - _NEAR) : start].rpartition(b"\n")[2]
        if end_of_line and not before.strip():
            end = end_of_line.end()
        return Fix((Edit(start, end),), safe)

    def move(self, entries: Iterable[Property], node: Node) -> tuple[Edit, ...]:
        """Move properties to the end of another node."""
        end = self.flat.node_span(node.number)[1]
        places = [entry.offsets for entry in entries]
        written = b"".join(self.data[slice(*place)] for place in places)
        return Edit(end, end, written), *(Edit(*place) for place in places)

    def to_comment(self) -> Fix:
        """Move the text of the value to a comment, where no program interprets it."""
        value = self.value_if_any
        if value is None:
            return self.keeping(self.delete_property().edits, self.entry.raw)
        return self.keeping(self.delete().edits, [value.raw])

    def keeping(self, edits: tuple[Edit, ...], raws: list[bytes]) -> Fix:
        """These edits of the property, and a comment that says what its values `raws` were; this is
        not safe. An empty value says something only of a judgment, as that of DO does."""
        entry = self.entry
        is_judgment = entry.definition is not None and "annotation" in entry.definition.exclusive
        if not is_judgment and not any(raw.strip() for raw in raws):
            return Fix(edits, safe=False)
        start, end = entry.offsets
        remark = self.remark(labeled(entry, raws), entry)
        if edits[0].start == start:  # the whole property goes
            return Fix((edits[0]._replace(replacement=remark),), safe=False)
        return Fix((*edits, Edit(end, end, remark)), safe=False)

    def remark(self, text: bytes, entry: Property | None = None) -> bytes:
        """The property C with the escaped `text`; GC in place of game information."""
        definition = entry.definition if entry is not None else None
        is_about_game = definition is not None and definition.type == "game-info"
        return (b"GC[" if is_about_game else b"C[") + text + b"]"


def escape_text(text: bytes) -> bytes:
    """`text` as the raw value of a Text: "]" and the escape character are escaped."""
    return _SPECIAL.sub(rb"\\\g<0>", text)


def count_open_brackets(text: bytes) -> int:
    """How many "[" of a raw text, not escaped, no later "]" closes, escaped or not.

    A text may have a "[" that belongs to nothing.
    """
    opened: list[bool] = []
    for found in _BRACKET.finditer(text):
        if found[1] == b"[":
            opened.append(found[0] == b"[")
        elif found[1] and opened:
            opened.pop()
    return sum(opened)


def labeled(entry: Property, raws: list[bytes]) -> bytes:
    """The raw values after their identifier, or the identifier alone, as text of a comment."""
    text = b" ".join(_as_part_of_text(raw.strip()) for raw in raws if raw.strip())
    ident = entry.ident.encode("latin-1")
    return ident + b": " + text if text else ident


def distinct_texts(entry: Property, raws: Iterable[bytes]) -> list[bytes]:
    """The raw values of a Text or SimpleText without those that represent the same text as one
    before them, however it is escaped; zero bytes are blanks, by which another fix replaces them.
    """
    assert entry.definition is not None
    kind = "text" if entry.definition.is_long_text else "simpletext"
    texts: dict[bytes, bytes] = {}
    for raw in raws:
        text = entry.tree.parsed.reader.unescape(kind, raw).replace(b"\0", b" ")
        texts.setdefault(text, raw)
    return list(texts.values())


def has_type(tree: GameTree, definition: PropertyDefinition, raws: Sequence[bytes]) -> bool:
    """Whether values have the type of that property."""
    try:
        tree.parsed.reader.read_all(definition, raws)
    except ValueError:
        return False
    return True


def one_of(site: FixContext, raws: list[bytes], best: Sequence[bytes] = ()) -> bytes:
    """The first of several values of the property of the site, of the `best` if there are any, or
    one that says the same and more, as ``B+R`` does after ``B+``; and a comment with those that say
    something else."""
    first, *_ = best or raws
    kept = max((raw for raw in best or raws if _says_more(raw, first)), key=len)
    dropped = [raw for raw in raws if not _says_more(kept, raw)]
    remark = site.remark(labeled(site.entry, dropped), site.entry) if dropped else b""
    return b"[" + kept + b"]" + remark


def _says_more(raw: bytes, other: bytes) -> bool:
    """Whether a date or result says all that another one says; any other value does if it is the
    same."""
    if _VAGUE.fullmatch(other):
        return raw.startswith(other.rstrip(b"?"))
    return raw == other or (_DATE.match(raw) is not None and raw.startswith(other + b"-"))


def may_be_part_of_text(value: PropValue) -> bool:
    """Whether the value of a text may be one with that before or after it: "] [" can be part of a
    text, with an escape that was lost, while "][" is what programs write between two values."""
    entry = value.property
    assert entry.number is not None
    first, end = entry.tree.parsed.flat.values_of(entry.number)
    data = entry.tree.parsed.flat.data
    follows = value.number > first and data[value.start - 2 : value.start - 1] != b"]"
    return follows or (value.number + 1 < end and data[value.end + 1 : value.end + 2] != b"[")


def is_name(definition: PropertyDefinition) -> bool:
    """Whether texts of the property are names, such as those of players: two are not one."""
    return definition.type == "game-info" and not definition.is_long_text


def join_texts(definition: PropertyDefinition, raws: list[bytes]) -> bytes:
    """The raw values of a SimpleText as one, or those of a Text, each on a line of its own.

    A soft line break at the end of one of them does not take the line end after it.
    """
    if not definition.is_long_text:
        return b" ".join(raws)
    return b"".join(
        raw + (b" \n" if raw.endswith((b"\r", b"\n")) else b"\n") for raw in raws[:-1]
    ) + b"".join(raws[-1:])


def escape_colons_in(text: bytes) -> bytes:
    """`text` with an escape before each ":" that has none."""
    return _ESCAPE_OR_COLON.sub(lambda found: found[1] or rb"\:", text)


def _as_part_of_text(raw: bytes) -> bytes:
    """`raw`, fit to be followed by other text: an escape at its end is escaped."""
    trailing = len(raw) - len(raw.rstrip(b"\\"))
    return raw + b"\\" if trailing % 2 else raw


Function = TypeVar("Function", bound=Callable[[FixContext], Fix | None])

#: The fix of each rule that has one, by its code, and the codes of those that are local.
FIXES: dict[str, Callable[[FixContext], Fix | None]] = {}
LOCAL_FIXES: set[str] = set()


def fix_for(*codes: str, local: bool = False) -> Callable[[Function], Function]:
    """Registers a function that fixes the findings of these rules.

    It takes the site of a finding, and returns None if it has no fix for it. Whether a `local` fix
    exists, and whether it is safe, depends only on the bytes of the property, on the context of
    the tree, on whether its charset is certain, on whether the node repeats the property, and on
    its moves if it has several.
    """

    def register(function: Function) -> Function:
        for code in codes:
            assert code not in FIXES, code
            FIXES[code] = function
        if local:
            LOCAL_FIXES.update(codes)
        return function

    return register


def fix_of_rule(site: FixContext) -> Fix | None:
    """The fix that the rule of the site has for its finding; None if it has none, or if the charset
    of the tree lacks a character of it."""
    try:
        return FIXES[site.code](site) if site.code in FIXES else None
    except UnicodeEncodeError:
        return None


def last_resort(site: FixContext) -> Fix | None:
    """For errors of a property without a fix of their own: move the value to a comment.

    Errors of the file, such as a wrong charset, are not errors of the property at their place, and
    comments stay what they are.
    """
    if site.finding.ident in (None, "C", "GC") or site.code.startswith(("SGF0", "SGF1")):
        return None
    return site.to_comment()
