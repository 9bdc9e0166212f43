"""The properties are judged as properties.toml says, in every game and file format.

The expected verdict follows from the table alone: on an empty value, a second one, a repeated one,
one of the wrong type, on two properties that list the same point or exclude each other, and on a
place where the property does not belong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import sgf_lark
from sgf_lark import grammar
from tests.kit.tables import for_each

#: All games with a notation of their own; games without one, listed and not.
GAMES = [number for number, game in grammar.games().items() if game.point] + [2, 3, 4, 7, 21, 41]
CONTEXTS = [(game, file_format) for game in GAMES for file_format in (1, 2, 3, 4)]
#: Games that have the same properties and types as GM[2].
ALIKE = [3, 4, 7, 21]
IDENTS = dict.fromkeys(entry.ident for entry in grammar.properties())

ERROR, WARNING, STYLE, CLEAN = "error", "warning", "style", "clean"
ORDER = [CLEAN, STYLE, WARNING, ERROR]

# --- Values -------------------------------------------------------------------------------

#: Two values of each type, of each notation ("" where no page defines one) and of each format.
GOOD = {
    "none": ("", ""), "number": ("1", "2"), "real": ("1", "2.5"), "double": ("1", "2"),
    "color": ("B", "W"), "simpletext": ("x", "y"), "text": ("x", "y"), "unknown": ("x", "y"),
    "go_point": ("bb", "cc"), "backgammon_point": ("b", "c"), "loa_point": ("b2", "c3"),
    "hex_point": ("b2", "c3"), "octi_point": ("22", "33"), "octi_stone": ("22A", "33B"),
    "go_move": ("bb", "cc"), "backgammon_move": ("31hefe", "double"), "": ("x1", "y2"),
    "loa_move": ("b2-c3", "pass"), "hex_move": ("b2", "c3"), "octi_move": ("22", "33"),
    "amazons_move": ("djddgd", "addgad"), "gess_move": ("cc:cf", "dd:dg"),
    "charset": ("UTF-8", "US-ASCII"), "date": ("1996", "1997"), "result": ("B+R", "0"),
    "backgammon_result": ("B+6R", "0"), "rank": ("5k", "3d"), "round": ("1", "2"),
    "rules": ("AGA", "NZ"), "handicap": ("2", "3"), "size": ("9", "13"), "dice": ("31", "66"),
    "cube_value": ("2", "4"), "cube_owner": ("b", "w"), "match_info": ("length:7", "game:1"),
    "loa_adding": ("Black", "None"), "loa_initial_position": ("End", "end"),
    "loa_invert": ("true", "false"), "loa_setup": ("Standard", "Gemma"), "figure": ("", ""),
    "hex_initial_position": ("", ""), "viewer_settings": ("tried:on", "lock:off"),
    "octi_rules": ("kids", "full"),
}  # fmt: skip
#: What is not of the type, or not of a format that a page makes mandatory; others it recommends.
WRONG = {
    "none": "x", "number": "x", "real": "x", "double": "3", "color": "b",
    "point": "?", "move": "?", "stone": "?",
    "date": "May", "result": "black", "backgammon_result": "black", "charset": "?",
    "loa_adding": "x", "loa_invert": "x", "octi_rules": "x:",
}  # fmt: skip
#: Formats of texts that became mandatory with FF[4].
SINCE_FF4 = ("date", "result")


@dataclass(frozen=True)
class Defined:
    """A property as it is defined in a game and file format."""

    game: int
    file_format: int
    definition: grammar.PropertyDefinition

    @property
    def kind(self) -> str:
        """The type of a value, or of its first half."""
        return self.definition.alternatives[0].first

    @property
    def is_older(self) -> bool:
        """Whether its value was another one in this file format."""
        return self.file_format < 4 and self.definition.older_value != ""

    def notation(self, kind: str) -> str:
        """The production of a type in the game; "" where no page defines it."""
        of_game = kind in ("point", "stone", "move")
        return str(getattr(grammar.game(self.game), kind)) if of_game else kind

    def good(self, which: int = 0) -> str:
        """One of two values without a finding."""
        if self.definition.format in ("file_format", "game"):
            return str(self.file_format if self.definition.ident == "FF" else self.game)
        if self.definition.format and self.definition.format in GOOD:
            return GOOD[self.definition.format][which]
        value = self.definition.alternatives[0]
        kinds = [kind for kind in (value.first, value.second) if kind]
        # The ends of an arrow differ.
        return ":".join(GOOD[self.notation(kind)][which - at] for at, kind in enumerate(kinds))

    def wrong(self) -> str | None:
        """A value of the wrong type or format; None where everything is allowed."""
        value, format_ = self.definition.alternatives[0], self.definition.format
        if self.notation(self.kind) == "":
            return None if not value.composed else "x"
        if value.composed:
            return f"{WRONG[self.kind]}:{self.good()}" if self.kind in WRONG else "x"
        if self.definition.is_text:
            is_free = format_ in SINCE_FF4 and self.file_format < 4
            return None if is_free else WRONG.get(format_)
        return WRONG.get(self.kind)

    def names_points(self) -> bool:
        """Whether its values are points, or are not known to be anything else."""
        return self.notation(self.kind) in (self.notation("point"), "")

    def written(self, *values: str) -> str:
        """The property with these values, or with a good one."""
        return self.definition.ident + "".join(f"[{value}]" for value in values or [self.good()])


@cache
def defined(game: int, file_format: int) -> dict[str, Defined]:
    """The properties of a game and file format, by identifier."""
    found = {ident: grammar.definition(ident, game, file_format) for ident in IDENTS}
    return {
        ident: Defined(game, file_format, definition)
        for ident, definition in found.items()
        if definition is not None and file_format in definition.file_formats
    }


# --- Verdicts -----------------------------------------------------------------------------


def of_empty_value(entry: Defined) -> str:
    value, format_ = entry.definition.alternatives[0], entry.definition.format
    if value.first in ("none", "unknown") or format_ == "hex_initial_position":
        return CLEAN
    if value.empty:  # other programs delete it where nothing is inherited that it could end
        return CLEAN if entry.definition.inherit else STYLE
    if value.first == "move" and not value.many:
        is_pass = entry.notation("move") == "go_move" and entry.file_format >= 4
        return CLEAN if is_pass or not entry.notation("move") else ERROR
    if entry.definition.is_text and (entry.wrong() is None or format_ == "octi_rules"):
        return WARNING
    return ERROR


def of_repeated_value(entry: Defined) -> str:
    unique = entry.definition.unique
    if not entry.definition.takes_many or unique in ("label", "arrow", "line"):
        return ERROR
    if unique == "tag":
        return WARNING
    if unique in ("own", "setup", "markup", "territory") and entry.names_points():
        return CLEAN if is_counted(entry) else ERROR
    return CLEAN


def is_counted(entry: Defined) -> bool:
    """Whether several of the stones that it sets up may be on one point."""
    return entry.definition.unique == "setup" and grammar.game(entry.game).shared_points


def of_values(entry: Defined) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Values of a property, each time with a name and the verdict."""
    definition, good, other = entry.definition, entry.good(), entry.good(1)
    yield "good", (good,), CLEAN
    yield "empty", ("",), of_empty_value(entry)
    if (wrong := entry.wrong()) is not None:
        yield "wrong type", (wrong,), ERROR
    verdict = STYLE if definition.unique == "line" else CLEAN  # in both directions
    yield "two values", (good, other), verdict if definition.takes_many else ERROR
    yield "repeated", (good, good), of_repeated_value(entry)
    if definition.takes_many:
        yield "empty in list", (good, ""), ERROR
    if definition.minimum is not None:
        yield "too small", (str(definition.minimum - 1),), ERROR
    if definition.maximum is not None:
        yield "too large", (str(definition.maximum + 1),), ERROR


def of_pair(first: Defined, second: Defined) -> str:
    """The verdict on two properties in one node that have the same value."""
    one, two = first.definition, second.definition
    if one.exclusive and one.exclusive == two.exclusive:
        is_old_pair = first.file_format < 4 and {one.ident, two.ident} == {"BM", "TE"}
        return STYLE if is_old_pair else ERROR
    if {one.type, two.type} == {"move", "setup"}:
        return ERROR if first.file_format >= 4 else STYLE
    if one.unique == two.unique and one.unique in ("setup", "markup", "territory"):
        is_known = first.names_points() and second.names_points()
        return ERROR if is_known and not is_counted(first) else CLEAN
    uniques = {one.unique, two.unique}
    if uniques == {"stone-mark"}:
        return STYLE
    # What one game adds: arrows beside stones, points of both players.
    is_hint = one.type == two.type != "none" and "own" in uniques <= {"own", "setup"}
    return STYLE if is_hint else CLEAN


def of_places(entry: Defined) -> Iterator[tuple[str, str, str]]:
    """Places of a property, each a name, a tree and the verdict."""
    definition, text = entry.definition, entry.written()
    root = f"FF[{entry.file_format}]GM[{entry.game}]"
    move = defined(entry.game, entry.file_format)["B"].written()
    if definition.type == "root":
        yield "below the root", f"(;{root};{text})", ERROR
    elif definition.type == "move":
        yield "move in the root", f"(;{root}{'' if definition.is_move else move}{text})", WARNING
    if definition.needs_move:
        yield "without a move", f"(;{root};{text}C[x])", ERROR
    if definition.type == "game-info":
        is_exempt = definition.format == "hex_initial_position"
        verdict = ERROR if entry.file_format >= 4 else STYLE
        tree = f"(;{root}GN[x];{text})"
        yield "second game-info node", tree, CLEAN if is_exempt else verdict


def tree_of(entry: Defined, text: str) -> str:
    """A game tree with the property where it belongs."""
    root = {"FF": f"FF[{entry.file_format}]", "GM": f"GM[{entry.game}]"}
    root.pop(entry.definition.ident, None)
    if entry.definition.type == "root":
        return f"(;{''.join(root.values())}{text}C[x])"
    needs = entry.definition.type == "move" and not entry.definition.is_move
    move = defined(entry.game, entry.file_format)["B"].written() if needs else ""
    return f"(;{''.join(root.values())}(;C[x])(;{move}{text};C[x]))"


def codes_of(trees: list[str]) -> list[dict[str, str]]:
    """The codes that are reported for each tree, with their severity."""
    found: list[dict[str, str]] = [{} for _ in trees]
    for diagnostic in sgf_lark.validate("\n".join(trees).encode(), profile="strict").diagnostics:
        if diagnostic.tree is not None and not diagnostic.code.startswith("SGF7"):
            found[diagnostic.tree][diagnostic.code] = str(diagnostic.severity)
    return found


def worst(found: dict[str, str], known: dict[str, str]) -> str:
    """The worst severity of codes that are not known."""
    new = [severity for code, severity in found.items() if code not in known]
    return max(new, key=ORDER.index, default=CLEAN)


# --- Tests --------------------------------------------------------------------------------


def name_of(game: int, file_format: int) -> str:
    return f"GM[{game}]"


@for_each(CONTEXTS, by=name_of)
def test_values(game: int, file_format: int) -> None:
    rows = [
        (entry, name, entry.written(*values), verdict)
        for entry in defined(game, file_format).values()
        for name, values, verdict in of_values(entry)
    ]
    found = codes_of([tree_of(entry, text) for entry, _, text, _ in rows])
    wrong = []
    known: dict[str, str] = {}
    for (_, name, text, verdict), codes in zip(rows, found, strict=True):
        if name == "good":
            known = codes
        elif worst(codes, known) != verdict:
            wrong.append((name, text, verdict, codes))
    assert not wrong


@for_each([each for each in CONTEXTS if each[0] not in ALIKE and each[1] >= 3], by=name_of)
def test_pairs(game: int, file_format: int) -> None:
    entries = [
        each for each in defined(game, file_format).values() if each.definition.type != "root"
    ]
    alone = codes_of([tree_of(entry, entry.written()) for entry in entries])
    pairs = list(combinations(range(len(entries)), 2))
    trees = []
    for one, two in pairs:
        first, second = entries[one], entries[two]
        both = first.definition, second.definition
        text = first.written() + second.written()
        if any(each.needs_move for each in both) and not any(each.is_move for each in both):
            text = defined(game, file_format)["B"].written() + text
        trees.append(f"(;FF[{file_format}]GM[{game}](;C[x])(;{text};C[x]))")
    wrong = []
    for (one, two), tree, codes in zip(pairs, trees, codes_of(trees), strict=True):
        # Advice on style may be about two properties that have nothing else to do with each other.
        of_style = {code: text for code, text in codes.items() if code.startswith("SGF9")}
        verdict = worst(codes, alone[one] | alone[two] | of_style)
        if verdict != of_pair(entries[one], entries[two]):
            wrong.append((tree, codes, of_pair(entries[one], entries[two])))
    assert not wrong


@for_each(CONTEXTS, by=name_of)
def test_places(game: int, file_format: int) -> None:
    rows = [
        (tree_of(entry, entry.written()), name, tree, verdict)
        for entry in defined(game, file_format).values()
        for name, tree, verdict in of_places(entry)
    ]
    known = codes_of([tree for tree, *_ in rows])
    found = codes_of([tree for _, _, tree, _ in rows])
    wrong = [
        (name, tree, verdict, codes)
        for (_, name, tree, verdict), alone, codes in zip(rows, known, found, strict=True)
        if worst(codes, alone) != verdict
    ]
    assert not wrong


@for_each(CONTEXTS, by=name_of)
def test_properties_of_other_formats_and_games(game: int, file_format: int) -> None:
    private = {each.ident for each in grammar.properties() if each.private}
    known = {*defined(game, file_format), *private}
    others = [ident for ident in IDENTS if ident not in known]
    codes = codes_of([f"(;FF[{file_format}]GM[{game}]{ident}[1])" for ident in others])
    wrong = {
        ident: found
        for ident, found in zip(others, codes, strict=True)
        if ("SGF430" in found) != (grammar.definition(ident, game, file_format) is not None)
        or ("SGF803" in found) == ("SGF430" in found)
    }
    assert not wrong
