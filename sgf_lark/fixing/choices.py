"""Chooses the fixes that may be applied to a file."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark import grammar
from sgf_lark.diagnostics import Severity
from sgf_lark.fixing.charsets import (
    can_be_read_in_two_ways,
    is_charset_for_all,
    is_declared_in_a_value,
)
from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.cells import PLAYED
from sgf_lark.model.collection import Collection
from sgf_lark.model.context import is_read_with_doubt
from sgf_lark.model.node import Node
from sgf_lark.model.tree import GameTree
from sgf_lark.rules import load_fixes
from sgf_lark.rules.damage import is_name_of
from sgf_lark.rules.fixes import (
    AMBIGUOUS_TREES,
    FIXES,
    LOCAL_FIXES,
    Edit,
    Fix,
    FixContext,
    fix_of_rule,
    last_resort,
)
from sgf_lark.rules.trees import TEXT_OUTSIDE, move_text_to_comment
from sgf_lark.syntax.tolerant import Damage
from sgf_lark.text.decoding import Section
from sgf_lark.validation import ValidatedFile, active_rules
from sgf_lark.validation.report import PlacedFinding

if TYPE_CHECKING:
    from sgf_lark.fixing.readings import Attempts
    from sgf_lark.fixing.rewriting import Header

#: The rules about where game trees begin and end: damage anywhere before can be the cause.
CODES_OF_TREES = {"SGF103", "SGF105", "SGF106", "SGF107", "SGF108"}
#: The rule about a value that is open at the end of the file.
UNCLOSED_VALUE = "SGF119"
#: The root properties that decide what other values mean.
_OF_CONTEXT = {"FF", "GM", "SZ"}


class Choice(NamedTuple):
    """A finding, its site, the fix for it, and the number of the game tree that it is in. `number`
    is its index in the report."""

    number: int
    found: PlacedFinding
    site: FixContext
    fix: Fix
    tree: int

    @property
    def place(self) -> tuple[str, int]:
        """The code and the offset of the finding, which no two places of damage share."""
        return self.site.code, self.site.start


def applicable(
    validated: ValidatedFile,
    *,
    unsafe: bool,
    header: Header | None = None,
    attempts: Attempts | None = None,
    numbers: Container[int] | None = None,
) -> list[Choice]:
    """The fixes that may be applied to a file now, those of damage first; they may overlap.

    With `numbers`, of findings that wait for others only the fixes of those with these numbers.
    `attempts` are the repairs tried in earlier rounds.

    Where places of a game tree are repaired, nothing else in it is fixed. Until its damage is fixed
    it is uncertain how a game tree has to be read, so nothing else in it is fixed. If there is
    damage without a safe fix, nothing in the tree is fixed safely, nor where other trees begin and
    end. A value that is open at the end of the file is closed first.
    """
    severities = validated.report.findings.severities
    collection = validated.collection
    shared: dict[Hashable, Any] = {} if attempts is None else {"attempts": attempts}
    damage = {(each.code, each.start) for each in validated.damage}

    def choices(findings: Iterable[tuple[int, PlacedFinding]]) -> Iterator[Choice]:
        for number, each in findings:
            site = FixContext(collection, each.code, each.placed(), each.node, shared)
            fix = _repair_or_fix(site, severities[site.code], unsafe, header)
            if fix is not None:
                yield Choice(number, each, site, fix, tree_at(collection.flat, site.start))

    # Only damage and, if it may be unsafe, an error can have a fix that others wait for. In a
    # damaged file most of the other findings have to wait, so no fix is made for them before.
    first: list[tuple[int, PlacedFinding]] = []
    later: list[tuple[int, PlacedFinding]] = []
    for number, each in _fixable(validated, severities):
        is_first = unsafe or (each.code, each.start) in damage
        (first if is_first else later).append((number, each))
    found = list(choices(first))
    of_damage, repaired_trees = _of_damage(found, damage)
    open_values = [each for each in of_damage if each.site.code == UNCLOSED_VALUE]
    uncertain_after = _Uncertainty(validated).after
    #: The trees in which nothing else is fixed in this round.
    waiting = uncertain_after(()) | repaired_trees
    if not open_values:
        # They would wait forever where the fixes leave them uncertain.
        waiting -= uncertain_after(each.place for each in of_damage) - repaired_trees
    uncertain_trees = uncertain_after(each.place for each in of_damage if each.fix.safe)
    done = {each.place for each in of_damage}
    others = [each for each in found if each.place not in done and each.tree not in waiting]
    unfixed = waiting | uncertain_trees
    others += choices(
        each
        for each in later
        if (numbers is None or each[0] in numbers)
        and tree_at(collection.flat, each[1].start) not in unfixed
    )
    return [
        certain
        for each in [*(open_values or of_damage), *others]
        if each.fix.edits and (certain := _in_trees(each, uncertain_trees, unsafe)) is not None
    ]


def _of_damage(found: list[Choice], damage: set[tuple[str, int]]) -> tuple[list[Choice], set[int]]:
    """The repairs and, in trees without one, the fixes of damage at these places; and the trees
    with a repair."""
    # A fix with a reason changes where values, nodes or games begin and end.
    repairs = [each for each in found if each.fix.reason]
    repaired_trees = {each.tree for each in repairs}
    others = [each for each in found if each.place in damage and each.tree not in repaired_trees]
    return repairs + others, repaired_trees


def safe_first(choices: list[Choice]) -> list[Choice]:
    """These fixes but for the unsafe ones in trees that have safe ones too.

    An unsafe fix may drop what a safe one makes sense of, as `GC[HA: 2]` for ``HA[ ]HA[2]`` does.
    So unsafe fixes of a file give the same, whether safe ones were applied before or not. Repairs
    are not concerned, since nothing else is fixed in their trees.
    """
    trees = {each.tree for each in choices if each.fix.safe}
    return [each for each in choices if each.fix.safe or each.tree not in trees]


def context_first(choices: list[Choice]) -> list[Choice]:
    """These fixes but for those in trees in which another one changes what values mean, as GM is
    moved from the second node to the root: the others are made anew after it."""
    first = [each for each in choices if _changes_context(each)]
    trees = {each.tree for each in first}
    return first + [each for each in choices if each.tree not in trees]


def _changes_context(choice: Choice) -> bool:
    """Whether the fix changes or moves a property that decides what other values mean."""
    flat = choice.site.flat
    places = ((edit.start, flat.property_at(edit.start)) for edit in choice.fix.edits)
    return any(
        number >= 0 and flat.ident(number) in _OF_CONTEXT and start < flat.property_span(number)[1]
        for start, number in places
    )


def fixability(validated: ValidatedFile) -> dict[int, bool]:
    """The diagnostics that :func:`sgf_lark.fix` can fix: their numbers in the report, and whether
    the fix is safe.

    Only one round is considered: what can be fixed after damage in the same tree counts too, what
    fixes bring about does not. The profile does not matter, since files are always fixed with the
    severities of "strict".
    """
    load_fixes()
    # All rules, also those that are off until they are selected.
    severities = active_rules("strict", frozenset(grammar.codes())).severities
    flat = validated.collection.flat
    uncertainty = _Uncertainty(validated)
    shared: dict[Hashable, Any] = {AMBIGUOUS_TREES: uncertainty.ambiguous}
    known: dict[Hashable, bool] = {}
    found: list[tuple[int, bool, str, int]] = []
    for number, each in _fixable(validated, severities):
        safe = _has_safe_fix(validated.collection, each, severities[each.code], known, shared)
        if safe is not None:
            found.append((number, safe, each.code, each.start))
    fixed = {(code, start) for _, safe, code, start in found if safe}
    fixed |= _presumed_fixed(validated, {code for _, safe, code, _ in found if not safe})
    uncertain_trees = uncertainty.after(fixed)
    return {
        number: safe and not _is_in_trees(code, tree_at(flat, start), uncertain_trees)
        for number, safe, code, start in found
    }


def _presumed_fixed(validated: ValidatedFile, unsafe: set[str]) -> set[tuple[str, int]]:
    """The places of damage that the report does not list because a rule is broken too often.

    They count as fixed if all that is listed of that rule has a safe fix, since they mostly have
    the same cause.
    """
    codes = {code for code, _, _ in validated.report.omitted} - unsafe
    listed = {(each.code, each.start) for each in validated.findings} if codes else set()
    places = {(each.code, each.start) for each in validated.damage if each.code in codes}
    return places - listed


def _has_safe_fix(
    collection: Collection,
    found: PlacedFinding,
    severity: Severity,
    known: dict[Hashable, bool],
    shared: dict[Hashable, Any],
) -> bool | None:
    """Whether the fix for a finding is safe; None if there is none.

    `known` has what was found for equal properties, `shared` is what the sites share.
    """
    is_local = found.code in LOCAL_FIXES
    key = _equal_properties(collection, found) if is_local else None
    if key in known:
        return known[key]
    site = FixContext(collection, found.code, found.placed(), found.node, shared)
    fix = _fix_of(site, severity, unsafe=True, header=None)
    if fix is not None and key is not None:
        known[key] = fix.safe
    if fix is None and severity is Severity.ERROR:
        from sgf_lark.fixing.repair import repair

        fix = repair(site)
    return fix.safe if fix is not None and fix.edits else None


def _equal_properties(collection: Collection, found: PlacedFinding) -> Hashable:
    """What findings have in common of which one has a safe local fix if the others have one.

    Equal properties of trees with equal contexts share their finding if it is cached.
    """
    flat, finding = collection.flat, found.finding
    is_certain = collection[flat.tree_of(found.node)].has_certain_charset
    is_repeated = len(flat.of_ident(found.node, finding.ident)) > 1
    # By single identifiers, for which a node with many properties has an index.
    has_several_moves = sum(len(flat.of_ident(found.node, ident)) for ident in PLAYED) > 1
    return finding, is_certain, is_repeated, found.node if has_several_moves else None


def _in_trees(choice: Choice, uncertain_trees: set[int], unsafe: bool) -> Choice | None:
    """The choice where these trees have damage without a safe fix; None if it is not allowed."""
    if not _is_in_trees(choice.site.code, choice.tree, uncertain_trees):
        return choice
    return choice._replace(fix=choice.fix._replace(safe=False)) if unsafe else None


def _is_in_trees(code: str, tree: int, uncertain_trees: set[int]) -> bool:
    """Whether a finding is in one of these trees, or is about where trees begin and end."""
    return bool(uncertain_trees) and (code in CODES_OF_TREES or tree in uncertain_trees)


def _fixable(
    validated: ValidatedFile, severities: Mapping[str, Severity]
) -> Iterator[tuple[int, PlacedFinding]]:
    """The findings that may have a fix, each with the number of its diagnostic.

    These are the findings of rules with fixes, and errors, for which there is a last resort.
    """
    for number, found in enumerate(validated.findings):
        if found.code not in FIXES and severities[found.code] is not Severity.ERROR:
            continue
        yield number, found


def tree_at(flat: FlatTree, start: int) -> int:
    """The number of the game tree at an offset, or before it, or of the first."""
    return flat.tree_of(flat.node_at(start))


def _ambiguous_trees(validated: ValidatedFile) -> set[int]:
    """The numbers of the game trees that programs read in several ways: because bytes may be
    brackets or halves of characters, or the root has several games, formats or sizes, or one in
    words; or that are several games, because a "]" is lost at the end of one."""
    file = validated.collection.file
    if file.layers is not None:
        return {tree.number for tree in validated.collection}
    trees = {
        tree.number
        for tree in validated.collection
        if _has_several_contexts(tree)
        or is_read_with_doubt(tree.parsed.root_values, tree.charset)
        or tree.parsed.games_in_values
    }
    for section, group in groupby(validated.collection, key=lambda tree: tree.parsed.section):
        members = list(group)
        if _is_uncertain(file.decoding.data, section, members):
            trees |= {tree.number for tree in members}
    return trees


class _Uncertainty:
    """The game trees of a file of which it is uncertain how they have to be read.

    Text outside a game tree can open a value that reaches into the next one. A tree without FF and
    GM after a damaged one may be the rest of it, to which its FF and SZ apply.
    """

    def __init__(self, validated: ValidatedFile) -> None:
        flat = validated.collection.flat
        #: The trees that are uncertain whatever is fixed.
        self.ambiguous = _ambiguous_trees(validated)
        self._root_values = validated.collection.file.root_values
        #: The place of each damage -> the trees that it makes uncertain.
        self._damaged: dict[tuple[str, int], range] = {}
        for each in validated.damage:
            if _makes_uncertain(each, flat.data):
                tree = tree_at(flat, each.start)
                trees = range(tree, tree + 1 + (each.code in TEXT_OUTSIDE))
                self._damaged[each.code, each.start] = trees

    def after(self, fixed: Iterable[tuple[str, int]]) -> set[int]:
        """The numbers of the trees that are uncertain where the damage at these places is fixed."""
        left = self._damaged.keys() - fixed
        trees = {tree for place in left for tree in self._damaged[place]}
        for number, values in enumerate(self._root_values):
            if number - 1 in trees and not {"FF", "GM"} & values.keys():
                trees.add(number)
        return trees | self.ambiguous


def _has_several_contexts(tree: GameTree) -> bool:
    """Whether GM, FF or SZ has different values in the root. One program takes the first, another
    the last, and what a value means depends on it."""
    known: dict[str, bytes] = {}
    return any(
        known.setdefault(ident, raw) != raw
        for prop, ident in tree.parsed.flat.idents(tree.parsed.numbers[0])
        if ident in _OF_CONTEXT
        for raw in tree.parsed.flat.raw(prop)
    )


def has_uncertain_structure(collection: Collection) -> bool:
    """Whether in a file of one section bytes that are brackets may be halves of characters, or the
    other way round."""
    decoding = collection.file.decoding
    (section,) = decoding.sections
    return _is_uncertain(decoding.data, section, collection)


def _is_uncertain(text: bytes, section: Section, trees: Sequence[GameTree]) -> bool:
    """The same for a section with these game trees."""
    return (
        _may_have_escapes_of_bytes(text, section)
        or is_declared_in_a_value(section, trees)
        or any(map(can_be_read_in_two_ways, trees))
    )


def _may_have_escapes_of_bytes(text: bytes, section: Section) -> bool:
    """Whether a section that was decoded before it was parsed has an escape character after a
    character of which one byte is a bracket or an escape: that byte may be what is escaped.

    Where the charset is a guess, programs that know no charset take that byte for a bracket or an
    escape, so the value ends elsewhere for them if it is a "]" or has a "]" after it.
    """
    return any(
        section.has_escape(end)
        or (
            section.is_guess
            and (text[end : end + 1] == b"]" or section.encode(text[start:end])[-1:] == b"]")
        )
        for start, end in section.unescaped_trail_bytes()
    )


def _makes_uncertain(damage: Damage, data: bytes) -> bool:
    """Whether the damage makes it uncertain where values and game trees end.

    Text outside the game trees does so only if it has brackets.
    """
    text = data[damage.start : damage.end]
    return damage.code not in TEXT_OUTSIDE or b"[" in text or b"]" in text


def _fix_of(
    site: FixContext, severity: Severity, unsafe: bool, header: Header | None
) -> Fix | None:
    """The fix for the finding that the options allow, or None."""
    if site.code in TEXT_OUTSIDE and header is not None:
        if header == "comment":
            return move_text_to_comment(site)
        return Fix((Edit(site.start, site.end),), safe=False) if header == "drop" else None
    fix = fix_of_rule(site)
    if fix and fix.safe:
        is_safe = not _has_two_meanings(site) and not _is_between_equal_moves(site, fix)
        fix = fix._replace(safe=is_safe and is_charset_for_all(site))
    if fix is not None and (fix.safe or unsafe):
        return fix
    return last_resort(site) if unsafe and severity is Severity.ERROR else None


#: The rules whose fixes leave the values of a property as they are.
_KEEP_VALUES = ("SGF114", "SGF501")


def _has_two_meanings(site: FixContext) -> bool:
    """Whether programs differ on what the property is: to the program of the tree it is another one
    than to all others, as the event TE is, which is a good move to them; or small letters are in
    its identifier, which some take for an unknown one: then no value of it is changed, and nothing
    at all if they are not from its name."""
    ident = site.finding.ident
    number = site.flat.property_at(site.start)
    if ident is None or number < 0:
        return False
    written = site.data[site.flat.ident_start[number] : site.flat.ident_end[number]]
    if written != written.upper():
        return site.code not in _KEEP_VALUES or not is_name_of(site.tree.define(ident), written)
    context = site.tree.parsed.context
    if not context.program:
        return False
    standard = grammar.definition(ident, context.game, context.file_format)
    return standard is not None and standard is not site.tree.define(ident)


def _is_between_equal_moves(site: FixContext, fix: Fix) -> bool:
    """Whether the fix changes two equal moves of a node, or something between them: they may be of
    two nodes, and without it they would be one move that is written twice."""
    if not site.flat.roots:
        return False
    start, end = site.cached(("equal moves", site.node.number), lambda: _equal_moves(site.node))
    return any(edit.start < end and edit.end > start for edit in fix.edits)


def _equal_moves(node: Node) -> tuple[int, int]:
    """Where the first of the moves begins that the node has more than once, and where the last one
    ends; a property may list several moves."""
    found: dict[tuple[str, bytes], list[tuple[int, int]]] = {}
    for move in node.moves():
        for raw in dict.fromkeys(move.raw):
            found.setdefault((move.ident, raw), []).append(move.offsets)
    repeated = [place for places in found.values() if len(places) > 1 for place in places]
    return min(repeated, default=(0, 0))[0], max(repeated, default=(0, 0))[1]


def _repair_or_fix(
    site: FixContext, severity: Severity, unsafe: bool, header: Header | None
) -> Fix | None:
    """The fix for the finding that the options allow, or None: a safe one, or the repair of the
    place, or else an unsafe one."""
    fix = _fix_of(site, severity, unsafe, header)
    if not unsafe or severity is not Severity.ERROR:
        return fix
    from sgf_lark.fixing.parentheses import close_before_games
    from sgf_lark.fixing.repair import repair

    if site.flat.roots and site.tree.parsed.games_in_values:
        return close_before_games(site)
    if (fix is not None and fix.safe) or (header is not None and site.code in TEXT_OUTSIDE):
        return fix
    return repair(site) or fix
