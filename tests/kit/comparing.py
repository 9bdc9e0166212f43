"""Compares what the readers read in a file before and after safe fixes.

Each reader of :data:`READERS` that could read the file reads the same afterwards. Where this is not
so on purpose, :data:`INTENDED` names the class: the fixes, the readers that read otherwise, what
they are to read afterwards. docs/fixes.md has the same table for people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from sgf_lark import grammar
from sgf_lark.fixing import FixResult
from tests.kit.meaning import Game, Leaf, Step, Text, meanings
from tests.kit.meaning_of_values import UNKNOWN
from tests.kit.readers import (
    AS_WRITTEN,
    BYTES,
    FIRST,
    JOINED,
    LAST,
    MODEL,
    TEXT,
    TEXT_OF_GAMES,
    UNKNOWN_AS_LATIN_1,
    RawGame,
    Reader,
    in_utf_8,
    short_name,
)
from tests.kit.sgfmill_reader import SGFMILL

#: All readers but the model of this library.
_OTHERS = (
    *(BYTES, AS_WRITTEN, UNKNOWN_AS_LATIN_1),
    *(TEXT_OF_GAMES, TEXT, FIRST, LAST, JOINED, SGFMILL),
)
READERS = (MODEL, *_OTHERS)

# --- Same ---------------------------------------------------------------------------


def differences(before: list[Game], after: list[Game]) -> list[str]:
    """What of the meaning was changed, in words; empty if nothing was."""
    if len(before) != len(after):
        return [f"games: {len(before)} -> {len(after)}"]
    found = []
    for old, new in zip(before, after, strict=True):
        if (old.game, old.size) != (new.game, new.size):
            found.append(f"game or board: {old.game}, {old.size} -> {new.game}, {new.size}")
        found += _leaf_differences(old.leaves, new.leaves)
        found += _text_differences(old.texts, new.texts)
    return found


def _leaf_differences(before: list[Leaf], after: list[Leaf]) -> list[str]:
    """Leaves with other moves, another position or other game information."""
    found = []
    if Counter(leaf.state for leaf in before) != Counter(leaf.state for leaf in after):
        found.append("moves at the leaves")
    if Counter(leaf.position for leaf in before) != Counter(leaf.position for leaf in after):
        found.append("position at the leaves")
    unknown = _unknown(before)
    old_infos, new_infos = (
        {(leaf.state, frozenset(_known(leaf.info, unknown))) for leaf in leaves}
        for leaves in (before, after)
    )
    if not found and old_infos != new_infos:
        lost = {item for leaf in old_infos for item in leaf[1]}
        new = {item for leaf in new_infos for item in leaf[1]}
        found.append(f"game information: {lost - new} -> {new - lost}")
    return found


def _unknown(leaves: Iterable[Leaf]) -> set[str]:
    """The game information in words, and what fixes of it may write besides."""
    unknown = {ident for leaf in leaves for ident, content in leaf.info if content == UNKNOWN}
    return unknown | ({"OT"} if "TM" in unknown else set())


def _known(items: Iterable[tuple[str, object]], unknown: Iterable[str]) -> list[tuple[str, object]]:
    """The items without those of these identifiers."""
    return [item for item in items if item[0] not in unknown]


def _text_differences(before: list[Text], after: list[Text]) -> list[str]:
    """Texts that were lost, are new, or are at another node."""
    informal = {text.ident for text in before if text.content == UNKNOWN}
    before, after = (
        [text for text in texts if text.ident not in informal] for texts in (before, after)
    )
    left = Counter((text.ident, text.content) for text in before)
    left.subtract((text.ident, text.content) for text in after)
    found = [f"text {key}: {-count:+}" for key, count in left.items() if count]
    if found:
        return found
    moved = Counter(after) - Counter(before)
    return [f"text {text.ident, text.content}: at another node" for text in moved]


# --- The same or more -----------------------------------------------------------------


def losses(before: list[Game], after: list[Game]) -> list[str]:
    """What of the meaning was lost, in words; empty if all is there, and perhaps more.

    Moves and setup may come between others, points and values to a list, text to a text.
    """
    if len(before) != len(after):
        return [f"games: {len(before)} -> {len(after)}"]
    found = []
    for old, new in zip(before, after, strict=True):
        if (old.game, old.size, len(old.leaves)) != (new.game, new.size, len(new.leaves)):
            found.append("game, board or leaves")
            continue
        unknown = _unknown(old.leaves)
        for old_leaf, new_leaf in zip(old.leaves, new.leaves, strict=True):
            if old_leaf.state != new_leaf.state:
                steps = old.steps_to(old_leaf.state), new.steps_to(new_leaf.state)
                found += [] if _are_among(*steps) else ["moves at a leaf"]
            elif old_leaf.position != new_leaf.position:
                found.append("position at a leaf")
            infos = _known(old_leaf.info, unknown), [*new_leaf.info]
            found += [f"game information {item}: lost" for item in _lost(*infos)]
        informal = {text.ident for text in old.texts if text.content == UNKNOWN}
        texts = [[text[:2] for text in each.texts] for each in (old, new)]
        others = texts[1] + [item for leaf in new.leaves for item in leaf.info]
        found += [f"text {item}: lost" for item in _lost(_known(texts[0], informal), others)]
    return found


def missing(before: list[Game], after: list[Game]) -> list[str]:
    """What of the meaning is in none of the games afterwards, in words.

    What was read as games of their own may be variations of one game.
    """
    leaves = [new.steps_to(leaf.state) for new in after for leaf in new.leaves]
    ways = [old.steps_to(leaf.state) for old in before for leaf in old.leaves]
    found = [
        "moves at a leaf" for way in ways if not any(_are_among(way, steps) for steps in leaves)
    ]
    texts, others = (
        [text[:2] for game in games for text in game.texts]
        + [item for game in games for leaf in game.leaves for item in leaf.info]
        for games in (before, after)
    )
    known = _known(texts, {ident for ident, content in texts if content == UNKNOWN})
    return found + [f"text {item}: lost" for item in _lost(list(dict.fromkeys(known)), others)]


def _are_among(steps: list[Step], more: list[Step]) -> bool:
    """Whether these steps are among the others, in their order."""
    others = iter(more)
    return all(any(_is_part(step, other) for other in others) for step in steps)


def _is_part(step: Step, other: Step) -> bool:
    """Whether a step is the same as the other; of setup, whether the other sets up more."""
    if step[0] != "setup" or other[0] != "setup":
        return step == other
    (_, points), (_, others) = step, other
    assert isinstance(points, frozenset)
    assert isinstance(others, frozenset)
    return Counter(dict(points)) <= Counter(dict(others))


def _lost(
    before: list[tuple[str, object]], after: list[tuple[str, object]]
) -> list[tuple[str, object]]:
    """The items that are not there any more, nor all their lines in the text of another.

    A word of a text with a bracket after it is an unknown property to readers that ended the text
    before it.
    """
    counts = Counter(before)
    counts.subtract(after)
    texts = [(ident, content) for ident, content in after if isinstance(content, (str, tuple))]
    return [
        (ident, content)
        for (ident, content), count in counts.items()
        if count > 0
        and not any(
            (ident == other or ident.islower()) and _is_in(content, text) for other, text in texts
        )
    ]


def _is_in(content: object, text: object) -> bool:
    """Whether the content is a text of which each line is in the other text, or a label of the same
    point of which this is true."""
    match content, text:
        case (str(), str()):
            return all(line in text for line in content.split("\n"))
        case (str(point), str(label)), (str(other), str(longer)):
            return point == other and _is_in(label, longer)
    return False


# --- Intended differences ---------------------------------------------------------------

Compare = Callable[[list[Game], list[Game]], list[str]]


#: The comparisons, strictest first.
_COMPARISONS: list[Compare] = [differences, losses, missing]


class Intended(NamedTuple):
    """A class of differences that are intended.

    If one of these fixes was applied, these readers read afterwards what they would have read
    before if the file had been what it was `meant` to be; or more, if they are compared by
    :func:`losses`.
    """

    name: str
    fixes: frozenset[str]
    readers: tuple[Reader, ...]
    compare: Compare = differences
    meant: Callable[[bytes], bytes] = bytes


def in_capitals(data: bytes) -> bytes:
    """The file with each name of a property in place of an identifier shortened to that."""
    return _NAME.sub(_shortened, data)


def _shortened(found: re.Match[bytes]) -> bytes:
    ident = short_name(found[0])
    return ident if (ident.decode(), found[0].decode().lower()) in _names() else found[0]


#: Letters before a value, of which some are small.
_NAME = re.compile(rb"[A-Za-z]*[a-z][A-Za-z]*(?=[\x00-\x20\x7f]*\[)")


@cache
def _names() -> set[tuple[str, str]]:
    """The identifier of each property with some words of its name, also in the other order, without
    blanks and capitals."""
    words = ((each.ident, each.name.lower().split()) for each in grammar.properties())
    return {
        (ident, "".join(row[start:end]))
        for ident, row_of_words in words
        for row in (row_of_words, row_of_words[::-1])
        for start, end in combinations(range(len(row) + 1), 2)
    }


INTENDED = (
    Intended(
        "repeated properties and values are joined, further moves get nodes of their own",
        frozenset({"SGF501", "SGF502", "SGF301", "SGF307", "SGF308", "SGF213", "SGF820", "SGF822"}),
        (FIRST, LAST, SGFMILL),
        compare=losses,
    ),
    Intended(
        "a game gets the semicolon that readers look for, who took its variations for games",
        frozenset({"SGF103"}),
        _OTHERS,
        compare=missing,
    ),
    Intended(
        "a bracket in a text is escaped, at which readers stopped",
        frozenset({"SGF118"}),
        _OTHERS,
        compare=losses,
    ),
    Intended(
        'a bracket is escaped before a ")" of a text, at which readers ended the game',
        frozenset({"SGF118 )"}),
        _OTHERS,
        compare=missing,
    ),
    Intended(
        "text is written in UTF-8, which readers took for another charset",
        frozenset({"charset"}),
        (BYTES, AS_WRITTEN, TEXT, SGFMILL),
        meant=in_utf_8,
    ),
    Intended(
        "the name of a property is written in capitals",
        frozenset({"SGF114"}),
        (AS_WRITTEN,),
        meant=in_capitals,
    ),
)


#: A ")" in a text after a bracket in it that is not escaped.
_PARENTHESIS_AFTER_BRACKET = re.compile(
    rb"\[[^\[\]\\]*\][^\[\];]*\)[^\[\];()]*[^\[\];()\s][^\[\];()]*\]"
)


# --- All readers ------------------------------------------------------------------------


def changes_by_fix(before: bytes, result: FixResult) -> list[str]:
    """What a reader reads otherwise after a file was fixed; empty for safe fixes."""
    if result.data == before:
        return []
    fixes = {change.code or change.name for change in result.applied}
    if "SGF118" in fixes and _PARENTHESIS_AFTER_BRACKET.search(before):
        fixes.add("SGF118 )")
    done: list[tuple[list[RawGame], list[RawGame] | None]] = []
    found = []
    for reader in READERS:
        games = reader.read(before)
        if not games:
            continue
        after = reader.read(result.data)
        if (games, after) in done:
            continue  # another reader has read the same
        done.append((games, after))
        intended = [each for each in INTENDED if reader in each.readers and each.fixes & fixes]
        changes = ["cannot be read"] if after is None else _changes(games, after)
        if changes and after is not None and intended:
            meant, compare = before, _COMPARISONS[0]
            for each in intended:
                meant = each.meant(meant)
                compare = max(compare, each.compare, key=_COMPARISONS.index)
            changes = _changes_of_each(games, reader.read(meant) or [], after, compare)
        found += [f"{reader.name}: {change}" for change in changes]
    return found


def inventions(intact: bytes, damaged: bytes, fixed: bytes) -> list[str]:
    """What a reader finds in a fixed file that it finds neither in the damaged one nor in what that
    was before: moves, setup, texts and game information. What a safe fix writes is no guess.

    One that takes one of several values may find them joined, as another reader does before."""
    joined = _items_of(JOINED, intact, damaged)
    found = []
    for reader in READERS:
        known = _items_of(reader, intact, damaged)
        if reader in INTENDED[0].readers:
            known |= joined
        found += [f"{reader.name}: {item}" for item in _items_of(reader, fixed) - known]
    return found


def _items_of(reader: Reader, *files: bytes) -> set[object]:
    """What the reader finds in these files."""
    return {item for data in files for item in _items(reader.read(data) or [])}


def _items(games: list[RawGame]) -> Iterator[object]:
    """The contents of the games: of each leaf the moves and setup on the way, and the texts."""
    for game in meanings(games):
        for leaf in game.leaves:
            yield tuple(game.steps_to(leaf.state))
            yield from leaf.info
        yield from (text[:2] for text in game.texts)


def _changes(
    before: list[RawGame], after: list[RawGame], compare: Compare = differences
) -> list[str]:
    """The differences between the meanings of games."""
    return compare(meanings(before), meanings(after))


def _changes_of_each(
    before: list[RawGame], meant: list[RawGame], after: list[RawGame], compare: Compare
) -> list[str]:
    """The differences of each game to what was read before, or to what was meant."""
    if not len(before) == len(meant) == len(after):
        return _changes(meant, after, compare)
    return [
        change
        for old, other, new in zip(before, meant, after, strict=True)
        if _changes([old], [new], compare)
        for change in _changes([other], [new], compare)
    ]
