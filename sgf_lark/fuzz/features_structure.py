"""Features of the structure: white space, byte order mark, nodes, variations, game trees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from sgf_lark.fuzz.features import Family, Feature
from sgf_lark.fuzz.features_values import character_name, character_of
from sgf_lark.fuzz.tokens import (
    CLOSE,
    GAP,
    IDENT,
    JUNK,
    MARK,
    NODE,
    OPEN,
    VALUE,
    Token,
    children,
    closing,
    join,
    properties,
    split,
)

#: The white space of ``sgf.lark``.
_WHITE_SPACE = " \t\n\r\v\f"
#: Kinds of white space that parsers treat alike, smaller ones first.
_GROUPS = ("\f\v", "\n\r", "\t\f\v", "\t\n\r\f\v")
_OR = "+"
_PLACES = {
    IDENT: "before-identifier",
    VALUE: "before-value",
    NODE: "before-node",
    OPEN: "before-game-tree",
    CLOSE: "before-parenthesis",
    JUNK: "before-other-bytes",
    "": "at-the-end",
}
_PLACE_TITLES = {
    "before-identifier": "before a property identifier",
    "before-value": "before a property value",
    "before-node": "before a node",
    "before-game-tree": "before a game tree",
    "before-parenthesis": "before “)”",
    "before-other-bytes": "before other bytes",
    "at-the-end": "at the end of the file",
}
_DEEP, _MANY = 3, 3


# --- White space and what is before the collection ----------------------------------------


def _gaps(tokens: list[Token]) -> Iterator[tuple[int, str]]:
    """Yield the index of each gap, and its place."""
    for index, token in enumerate(tokens):
        if token.kind == GAP:
            following = tokens[index + 1].kind if index + 1 < len(tokens) else ""
            yield index, _PLACES.get(following, _PLACES[JUNK])


def _find_white_space(data: bytes) -> Iterator[Feature]:
    tokens = split(data)
    for index, _ in _gaps(tokens):
        for byte in tokens[index].data:
            yield Feature("white-space", character_name(chr(byte)))


def _characters(argument: str) -> list[bytes]:
    """Return the characters of a feature of white space: one, or any of several."""
    return [character_of(name).encode() for name in argument.split(_OR)]


def _has_white_space(data: bytes, feature: Feature) -> bool:
    tokens = split(data)
    characters = _characters(feature.argument)
    return any(old in tokens[index].data for index, _ in _gaps(tokens) for old in characters)


def _with_white_space(data: bytes, argument: str, new: bytes) -> bytes:
    tokens = split(data)
    for index, _ in _gaps(tokens):
        for old in _characters(argument):
            tokens[index] = Token(GAP, tokens[index].data.replace(old, new))
    return join(tokens)


def _change_white_space(data: bytes, feature: Feature) -> Iterator[bytes]:
    yield _with_white_space(data, feature.argument, b"\n" if feature.argument == "space" else b" ")


def _widen_white_space(data: bytes, feature: Feature) -> Iterator[tuple[Feature, list[bytes]]]:
    """Yield the features of any of several characters, with each of the others instead."""
    for group in _GROUPS:
        names = [character_name(text) for text in group]
        if feature.argument in names:
            others = [text.encode() for text in group if character_name(text) != feature.argument]
            changed = [_with_white_space(data, feature.argument, other) for other in others]
            yield Feature("white-space", _OR.join(names)), changed


def _white_space_title(argument: str) -> str:
    if any(character.decode() not in _WHITE_SPACE for character in _characters(argument)):
        raise ValueError(argument)
    words = [name.replace("-", " ") for name in argument.split(_OR)]
    return f"{' or '.join(words)} as white space between tokens"


def _find_gaps(data: bytes) -> Iterator[Feature]:
    for _, place in _gaps(split(data)):
        yield Feature("gap", place)


def _change_gap(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = split(data)
    gone = {index for index, place in _gaps(tokens) if place == feature.argument}
    yield join([token for index, token in enumerate(tokens) if index not in gone])


def _gap_title(argument: str) -> str:
    return f"white space {_PLACE_TITLES[argument]}"


def _find_mark(data: bytes) -> Iterator[Feature]:
    if any(token.kind == MARK for token in split(data)):
        yield Feature("byte-order-mark")


def _change_mark(data: bytes, feature: Feature) -> Iterator[bytes]:
    yield join([token for token in split(data) if token.kind != MARK])


# --- Lowercase letters in identifiers -----------------------------------------------------


def _lowercase(tokens: list[Token]) -> Iterator[int]:
    """Yield the indices of lowercase letters before or after the capital ones of an identifier."""
    kinds = ["", *(token.kind for token in tokens), ""]
    for index, token in enumerate(tokens):
        is_at_identifier = IDENT in (kinds[index], kinds[index + 2])
        if token.kind == JUNK and is_at_identifier and re.fullmatch(b"[a-z]+", token.data):
            yield index


def _find_lowercase(data: bytes) -> Iterator[Feature]:
    if any(True for _ in _lowercase(split(data))):
        yield Feature("lowercase-letters")


def _change_lowercase(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = split(data)
    gone = {*_lowercase(tokens)}
    yield join([token for index, token in enumerate(tokens) if index not in gone])


# --- Nodes and trees ----------------------------------------------------------------------


def _find_trees(data: bytes) -> Iterator[Feature]:
    tokens = split(data)
    for parent, found in children(tokens).items():
        if parent == -1:
            if len(found) > 1:
                yield Feature("several-game-trees")
        elif found:
            yield Feature("variations" if len(found) > 1 else "only-variation")
            yield Feature("child-trees")


def _change_child_trees(data: bytes, feature: Feature) -> Iterator[bytes]:
    """Yield the file without any parentheses inside a game tree but the first and last."""
    tokens = split(data)
    ends = closing(tokens)
    inner = {start for parent, found in children(tokens).items() if parent >= 0 for start in found}
    gone = inner | {ends[start] for start in inner}
    yield _without_indices(tokens, gone)
    whole = {index for start in inner for index in range(start, ends[start] + 1)}
    yield _without_indices(tokens, whole)


def _widen_trees(data: bytes, feature: Feature) -> Iterator[tuple[Feature, list[bytes]]]:
    """Yield the feature of child trees of any number, with twice as many or with one of them."""
    tokens = split(data)
    ends = closing(tokens)
    changed = list(tokens)
    for parent, found in sorted(children(tokens).items(), reverse=True):
        is_single = feature.family == "only-variation"
        if parent < 0 or not found or is_single != (len(found) == 1):
            continue
        if is_single:
            changed[found[0] : found[0]] = tokens[found[0] : ends[found[0]] + 1]
        else:
            del changed[found[1] : ends[found[-1]] + 1]
        break
    yield Feature("child-trees"), [join(changed)]


def _change_game_trees(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = split(data)
    ends = closing(tokens)
    for start in children(tokens)[-1][:2]:
        yield join(tokens[start : ends[start] + 1])


def _without_indices(tokens: list[Token], gone: set[int]) -> bytes:
    return join([token for index, token in enumerate(tokens) if index not in gone])


def _change_variations(data: bytes, feature: Feature) -> Iterator[bytes]:
    """Yield the file with only the first, and with only the last of several variations."""
    for kept in (0, -1):
        tokens = split(data)
        ends = closing(tokens)
        gone: set[int] = set()
        for parent, found in children(tokens).items():
            if parent >= 0 and len(found) > 1:
                for start in found:
                    is_kept = start == found[kept]
                    whole = range(start, ends[start] + 1)
                    gone.update((start, ends[start]) if is_kept else whole)
        yield _without_indices(tokens, gone)


def _change_only_variations(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = split(data)
    ends = closing(tokens)
    gone: set[int] = set()
    for parent, found in children(tokens).items():
        if parent >= 0 and len(found) == 1:
            gone.update((found[0], ends[found[0]]))
    yield _without_indices(tokens, gone)


def _depth(data: bytes) -> int:
    depth = deepest = 0
    for token in split(data):
        depth += (token.kind == OPEN) - (token.kind == CLOSE)
        deepest = max(deepest, depth)
    return deepest


def _find_depth(data: bytes) -> Iterator[Feature]:
    if (depth := _depth(data)) >= _DEEP:
        yield Feature("nesting", str(depth))


def _change_depth(data: bytes, feature: Feature) -> Iterator[bytes]:
    """Yield the file without the parentheses, or the trees, that are nested too deep."""
    limit = int(feature.argument)
    for whole in (False, True):
        kept = []
        depth = 0
        for token in split(data):
            depth += token.kind == OPEN
            is_parenthesis = token.kind in (OPEN, CLOSE)
            if depth < limit or not (whole or is_parenthesis):
                kept.append(token)
            depth -= token.kind == CLOSE
        yield join(kept)


def _node_count(data: bytes) -> int:
    return sum(token.kind == NODE for token in split(data))


def _find_nodes(data: bytes) -> Iterator[Feature]:
    tokens = [token for token in split(data) if token.kind != GAP]
    in_sequence = False
    for token in tokens:
        if token.kind == NODE and in_sequence:
            yield Feature("second-node")
            break
        in_sequence = token.kind == NODE or (in_sequence and token.kind not in (OPEN, CLOSE))
    for token, following in pairwise(tokens):
        if token.kind == NODE and following.kind != IDENT:
            yield Feature("empty-node")
    count = sum(token.kind == NODE for token in tokens)
    if count >= _MANY:
        yield Feature("nodes", str(count))


def _change_second_node(data: bytes, feature: Feature) -> Iterator[bytes]:
    """Yield the file with one node in each sequence: all in one, or only the first."""
    for whole in (False, True):
        kept = []
        in_sequence = skipped = False
        for token in split(data):
            is_later = token.kind == NODE and in_sequence
            if token.kind in (OPEN, CLOSE):
                in_sequence = skipped = False
            elif token.kind == NODE:
                in_sequence, skipped = True, is_later
            if not (is_later or (whole and skipped)):
                kept.append(token)
        yield join(kept)


def _change_empty_nodes(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = [token for token in split(data) if token.kind != GAP]
    changed = []
    for index, token in enumerate(tokens):
        changed.append(token)
        if (
            token.kind == NODE
            and tokens[index + 1 : index + 2] != []
            and (tokens[index + 1].kind != IDENT)
        ):
            changed.append(Token("", b"C[a]"))
    yield join(changed)


def _change_nodes(data: bytes, feature: Feature) -> Iterator[bytes]:
    """Yield the file with one node fewer than the limit in its longest branch."""
    kept = []
    count = 0
    for token in split(data):
        count += token.kind == NODE
        if count < int(feature.argument) or token.kind in (OPEN, CLOSE):
            kept.append(token)
    yield join(kept)


def _at_least(count: Callable[[bytes], int]) -> Callable[[bytes, Feature], bool]:
    return lambda data, feature: count(data) >= int(feature.argument)


def _with_family(
    name: str, find: Callable[[bytes], Iterable[Feature]]
) -> Callable[[bytes], list[Feature]]:
    """Return the function that finds only the features of that family."""
    return lambda data: [feature for feature in find(data) if feature.family == name]


def _fixed(words: str, argument: str) -> str:
    if argument:
        raise ValueError(argument)
    return words


def _simple(
    name: str,
    find: Callable[[bytes], Iterable[Feature]],
    change: Callable[[bytes, Feature], Iterable[bytes]],
    words: str,
    **more: Any,
) -> Family:
    return Family(name, _with_family(name, find), change, partial(_fixed, words), **more)


# --- Any property ----------------------------------------------------------------------------


def _find_property(data: bytes) -> Iterator[Feature]:
    if any(True for _ in properties(split(data))):
        yield Feature("any-property")


def _change_property(data: bytes, feature: Feature) -> Iterator[bytes]:
    tokens = split(data)
    for span in reversed([*properties(tokens)]):
        if span.ident not in (b"FF", b"GM"):
            del tokens[span.first : span.last]
    yield join(tokens)


FAMILIES = (
    _simple("any-property", _find_property, _change_property, "a property"),
    _simple(
        "byte-order-mark", _find_mark, _change_mark, "byte order mark at the start of the file"
    ),
    _simple(
        "lowercase-letters",
        _find_lowercase,
        _change_lowercase,
        "lowercase letters in a property identifier",
    ),
    Family(
        "white-space",
        _find_white_space,
        _change_white_space,
        _white_space_title,
        lambda: map(character_name, _WHITE_SPACE),
        has_feature=_has_white_space,
        widen=_widen_white_space,
    ),
    Family("gap", _find_gaps, _change_gap, _gap_title, lambda: _PLACE_TITLES),
    _simple("several-game-trees", _find_trees, _change_game_trees, "several game trees"),
    _simple(
        "variations",
        _find_trees,
        _change_variations,
        "several variations of a node",
        widen=_widen_trees,
    ),
    _simple(
        "only-variation",
        _find_trees,
        _change_only_variations,
        "parentheses around an only child",
        widen=_widen_trees,
    ),
    _simple(
        "child-trees",
        _find_trees,
        _change_child_trees,
        "a game tree inside a game tree",
        general=frozenset({""}),
    ),
    _simple("second-node", _find_nodes, _change_second_node, "a second node in a sequence"),
    _simple("empty-node", _find_nodes, _change_empty_nodes, "a node without properties"),
    Family(
        "nodes",
        _with_family("nodes", _find_nodes),
        _change_nodes,
        lambda argument: f"{int(argument)} nodes or more",
        lambda: (),
        has_feature=_at_least(_node_count),
        least=str(_MANY),
    ),
    Family(
        "nesting",
        _find_depth,
        _change_depth,
        lambda argument: f"game trees nested {int(argument)} deep or more",
        lambda: (),
        has_feature=_at_least(_depth),
        least=str(_DEEP),
    ),
)
