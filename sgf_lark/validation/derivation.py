"""What the accelerated validation derives from the declarations of the rules.

Nothing here knows a rule: which nodes and properties can be skipped follows from what the rules
declare (:mod:`sgf_lark.rules.registry`), from ``properties.toml``, and from asking the rules
about a sample of every property."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

from sgf_lark import built, grammar
from sgf_lark.engine.kinds import CleanIf, PropertyBits
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.cells import BITS_OF_BOARD
from sgf_lark.model.collection import Collection
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values import Context
from sgf_lark.model.values.notations import names_of_points
from sgf_lark.model.values.reader import reader
from sgf_lark.rules import FAMILIES
from sgf_lark.rules.registry import CleanForm, Needs, Rule, Scope, Selector, plays
from sgf_lark.syntax.parsing import parse
from sgf_lark.syntax.programs import program_named
from sgf_lark.text.decoding import decode
from sgf_lark.validation.runner import ActiveRules, Runner

#: A plain value of each kind; %b is the point in the upper left.
_SAMPLES = {
    CleanForm.TEXT: b"a",
    CleanForm.NUMBER: b"1",
    CleanForm.REAL: b"1.5",
    CleanForm.MOVE: b"%b",
    CleanForm.POINTS: b"%b",
    CleanForm.LABELS: b"%b:a",
    CleanForm.DATE: b"2001-02-03",
}

#: The kinds of texts that are plain, by their format.
_KINDS_OF_TEXT = {"": CleanForm.TEXT, "date": CleanForm.DATE}

#: A number that no game has.
_UNLISTED_GAME = 0

#: Kinds of value that name points of the board.
_OF_POINTS = CleanForm.MOVE | CleanForm.POINTS | CleanForm.LABELS


@lru_cache(maxsize=64)
def first_point(context: Context) -> bytes:
    """The point in the upper left as the game writes it; b"" if there is no board whose points
    the game can write."""
    names = names_of_points(reader(context).rule("point"), context.size)
    return names[0] if names else b""


def kind_of(definition: PropertyDefinition, context: Context) -> CleanForm:
    """The kind of plain value that a property of that definition can have."""
    point, known = first_point(context), reader(context)
    if definition.is_text:
        found = _KINDS_OF_TEXT.get(definition.format, CleanForm.NONE)
    elif definition.value in ("number", "real"):
        found = CleanForm.NUMBER if definition.value == "number" else CleanForm.REAL
    elif definition.is_move:
        found = CleanForm.MOVE if known.matches("move", point) else CleanForm.NONE
    elif definition.list_kind == "label":
        found = CleanForm.LABELS
    elif definition.list_kind is not None:
        is_of_points = known.rule(definition.list_kind) == known.rule("point")
        found = CleanForm.POINTS if is_of_points else CleanForm.NONE
    else:
        found = CleanForm.NONE
    return CleanForm.NONE if found in _OF_POINTS and not point else found


def sample_context(game: int, file_format: int) -> Context:
    """A context that stands for all of that game and file format.

    What the rules find in plain values depends on neither the size of the board nor the
    charset. All games that are not listed have the same properties.
    """
    listed = game if game in grammar.games() else _UNLISTED_GAME
    return Context(listed, file_format, grammar.game(listed).size)


def clean_kinds(rules: ActiveRules, context: Context) -> dict[str, CleanForm]:
    """For each identifier the kind of plain value that no rule of properties or values reports
    in a tree of that context; properties without such a kind are left out.

    A rule that does not ignore the kind may report one plain value and not another, so that
    nothing is known of them. If all ignore it, one sample represents all.
    """
    kinds: dict[str, CleanForm] = {}
    for ident in dict.fromkeys(entry.ident for entry in grammar.properties()):
        definition = grammar.definition(ident, context.game, context.file_format)
        if definition is None:
            continue
        kind = kind_of(definition, context)
        if kind is not CleanForm.NONE and _all_ignore(rules, definition, kind):
            kinds[ident] = kind
    reported = _reported_samples(rules, context, kinds)
    return {ident: kind for ident, kind in kinds.items() if ident not in reported}


def _all_ignore(rules: ActiveRules, definition: PropertyDefinition, kind: CleanForm) -> bool:
    """Whether it makes no difference to any rule which plain value of that kind a property
    has."""
    return all(kind in rule.ignores for of_scope in rules.about(definition) for rule in of_scope)


def _reported_samples(
    rules: ActiveRules, context: Context, kinds: dict[str, CleanForm]
) -> set[str]:
    """The identifiers of which rules report a property with the sample value."""
    point = first_point(context)
    samples = {kind: text.replace(b"%b", point) for kind, text in _SAMPLES.items()}
    written = [ident.encode() + b"[" + samples[kind] + b"]" for ident, kind in kinds.items()]
    size = b"" if context.size is None else b"SZ[%d:%d]" % context.size
    tree = _sample_tree(b"(;%s;%s)" % (size, b"".join(written)), context)
    reported = set()
    for entry in tree.node(tree.parsed.numbers[-1]).properties:
        runner = Runner(rules)
        runner.check_property(entry)
        if runner.found:
            reported.add(entry.ident)
    return reported


def _sample_tree(data: bytes, context: Context) -> GameTree:
    """The tree in `data` in that context but for its charset."""
    file = parse(decode(data))
    assert file.damaged is None
    return Collection.of_file(file.overriding(context.file_format, context.game))[0]


# --- Nodes ----------------------------------------------------------------------------

#: What no plain node is: one that is not the root, and has one move and other properties with
#: plain values, all with different identifiers, whose lists name no point twice.
_NEVER_PLAIN = (
    Needs.ROOT,
    Needs.NO_MOVE,
    Needs.OUT_OF_TURN,
    Needs.EMPTY,
    Needs.REPEATED_IDENTIFIER,
    Needs.SHARED_POINT,
    Needs.LEAF | Needs.ONLY_PASS,
)


def clean_in_nodes(
    rules: Iterable[Rule], kinds: dict[str, CleanForm], context: Context
) -> dict[str, CleanForm]:
    """Those of the `kinds` whose plain properties no rule of nodes reports in a plain node.

    From each rule that may report a plain node one of the properties that it needs is
    withheld. A rule that needs none but the move may report every node: then nothing is left.
    """
    left = dict(kinds)
    for rule in rules:
        if any(need in rule.needs for need in _NEVER_PLAIN):
            continue
        matching = [_matching(selector, left, context) for selector in rule.having]
        if not all(matching):
            continue
        without_move = [
            idents
            for idents in matching
            if all(left[ident] is not CleanForm.MOVE for ident in idents)
        ]
        only_moves = [
            idents for idents in matching if all(left[ident] is CleanForm.MOVE for ident in idents)
        ]
        if len(only_moves) > 1:  # a plain node has one
            continue
        if not without_move:
            return {}
        for ident in min(without_move, key=len):
            del left[ident]
    return left


def _matching(selector: Selector, kinds: dict[str, CleanForm], context: Context) -> list[str]:
    """The identifiers whose definition the selector accepts."""
    return [
        ident
        for ident in kinds
        if (definition := grammar.definition(ident, context.game, context.file_format)) is not None
        and selector(definition)
    ]


@lru_cache(maxsize=4096)
def numbered(selectors: tuple[Selector, ...]) -> frozenset[tuple[Selector, int]]:
    """Each selector with the number of times that it came before, so that none are equal.

    A node with properties that some selectors select has a different property for each of
    others, or may have, if these numbered ones contain the numbered others.
    """
    counts: Counter[Selector] = Counter()
    found = set()
    for selector in selectors:
        found.add((selector, counts[selector]))
        counts[selector] += 1
    return frozenset(found)


@lru_cache(maxsize=4096)
def selectors_of(rules: ActiveRules, definition: PropertyDefinition) -> tuple[Selector, ...]:
    """The selectors by which rules of nodes select a property of that definition."""
    every = dict.fromkeys(each for rule in rules.by_scope[Scope.NODE] for each in rule.having)
    return tuple(selector for selector in every if selector(definition))


# --- Tables by identifiers, which are built with the package for Go -------------------


#: How properties are clean, and their bits for the filter, by identifiers.
CleanTables = tuple[dict[bytes, int], dict[str, int]]

#: How properties of each kind of plain value are clean, where the cache knows the kind.
_CLEAN_IF = {
    CleanForm.TEXT: CleanIf.TEXT,
    CleanForm.MOVE: CleanIf.POINT,
    CleanForm.POINTS: CleanIf.LIST,
    CleanForm.LABELS: CleanIf.LABELS,
    CleanForm.DATE: CleanIf.DATE,
}

#: The same for the filter.
_PLAIN_BITS = {
    CleanForm.TEXT: PropertyBits.PLAIN_TEXT,
    CleanForm.NUMBER: PropertyBits.PLAIN_NUMBER,
    CleanForm.REAL: PropertyBits.PLAIN_REAL,
    CleanForm.MOVE: PropertyBits.PLAIN_MOVE,
    CleanForm.POINTS: PropertyBits.PLAIN_POINTS,
    CleanForm.LABELS: PropertyBits.PLAIN_LABELS,
}

#: The filter knows identifiers of at most this many letters.
_LONGEST_IDENT = 2

#: The game and file formats whose tables are built with the package, for each profile: with these
#: nearly all files are validated.
_BUILT_GAME, _BUILT_FORMATS = 1, (1, 3, 4)
#: What the built tables are made from.
_SOURCES = (
    *("properties.toml", "programs.toml", "rules.toml", "rules/registry.py", "engine/kinds.py"),
    "validation/derivation.py",
    *(f"rules/{family}.py" for family in FAMILIES),
)


@lru_cache(maxsize=256)
def clean_tables(rules: ActiveRules, game: int, file_format: int, program: str = "") -> CleanTables:
    """What is clean in trees of that game and file format; nothing is known of the properties that
    the `program` has for itself."""
    if program:
        of_all, bits_of_all = clean_tables(rules, game, file_format)
        own = {each.ident: each for each in program_named(program).properties}
        bits = {ident: bit for ident, bit in bits_of_all.items() if ident not in own}
        for ident, definition in own.items():
            if len(ident) <= _LONGEST_IDENT:
                bits[ident] = int(_role_bits(ident, definition))
        return {ident: form for ident, form in of_all.items() if ident.decode() not in own}, bits
    if game == _BUILT_GAME and file_format in _BUILT_FORMATS:
        found = _built_tables().get((_checksum(rules), file_format))
        if found is not None:
            return found
    return _derived(rules, game, file_format)


def build_content() -> None:
    """Ask for all content that :mod:`sgf_lark.built` keeps for this module."""
    _built_tables()


@cache
def _built_tables() -> dict[tuple[int, int], CleanTables]:
    """The tables by the checksum of the rules and the file format."""
    return built.content("clean", _SOURCES, _build_tables)


def _build_tables() -> dict[tuple[int, int], CleanTables]:
    codes = frozenset(grammar.codes()) - grammar.on_request()
    every = [ActiveRules(profile, codes) for profile in grammar.PROFILES]
    return {
        (_checksum(rules), file_format): _derived(rules, _BUILT_GAME, file_format)
        for rules in every
        for file_format in _BUILT_FORMATS
    }


def _checksum(rules: ActiveRules) -> int:
    """The same number for the same active rules."""
    functions = [
        f"{scope.name} {rule.code} {rule.function.__module__} {rule.function.__qualname__}"
        for scope in (Scope.PROPERTY, Scope.VALUE, Scope.CONTENT, Scope.NODE)
        for rule in rules.by_scope[scope]
    ]
    return zlib.crc32("\n".join(functions).encode())


def _derived(rules: ActiveRules, game: int, file_format: int) -> CleanTables:
    context = sample_context(game, file_format)
    kinds = clean_kinds(rules, context)
    clean_if = {
        ident.encode("latin-1"): int(_CLEAN_IF[kind])
        for ident, kind in kinds.items()
        if kind in _CLEAN_IF
    }
    bits = _bits(rules, kinds, context)
    return clean_if, {ident: int(bit) for ident, bit in bits.items()}


def _bits(
    rules: ActiveRules, kinds: dict[str, CleanForm], context: Context
) -> dict[str, PropertyBits]:
    """What the filter has to know of each identifier of one or two letters."""
    definitions = {
        entry.ident: definition
        for entry in grammar.properties()
        if len(entry.ident) <= _LONGEST_IDENT
        and (definition := grammar.definition(entry.ident, context.game, context.file_format))
    }
    candidates = {
        ident: kind
        for ident, kind in kinds.items()
        if ident in definitions and kind in _PLAIN_BITS and definitions[ident].type != "setup"
    }
    plain = clean_in_nodes(rules.by_scope[Scope.NODE], candidates, context)
    return {
        ident: _role_bits(ident, definition)
        | (_PLAIN_BITS[plain[ident]] if ident in plain else PropertyBits(0))
        for ident, definition in definitions.items()
    }


def _role_bits(ident: str, definition: PropertyDefinition) -> PropertyBits:
    """What a property of that identifier does to its tree and the board."""
    if plays(definition):
        return BITS_OF_BOARD[ident]
    if definition.type == "game-info":
        return PropertyBits.GAME_INFO
    if definition.type != "setup":
        return PropertyBits(0)
    return BITS_OF_BOARD.get(ident, PropertyBits.SETUP)
