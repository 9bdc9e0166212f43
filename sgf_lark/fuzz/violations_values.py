"""Recipes for violations of the rules of value types and formats (3xx, 4xx and 8xx)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices
from sgf_lark.fuzz.generating_values import largest_side
from sgf_lark.fuzz.violations_base import Draft, near_miss, violates
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.points import LETTERS

#: The insertions of near misses: no byte for which there is a rule of its own.
NEAR_MISS_BYTES = tuple(b"%c" % byte for byte in b"x1z0+-.,/?Q")
#: The insertions where white space is as wrong as any other character.
NEAR_MISS_BYTES_AND_SPACE = (*NEAR_MISS_BYTES, b" ")

PropertyFilter = Callable[[PropertyDefinition], bool]


def definitions(wanted: PropertyFilter) -> tuple[PropertyDefinition, ...]:
    """Return the property definitions that pass the filter, other than private ones."""
    return tuple(entry for entry in grammar.properties() if not entry.private and wanted(entry))


def draft_for(choices: Choices, wanted: PropertyFilter) -> tuple[Draft, PropertyDefinition]:
    """Return a property that passes the filter, and a tree that may contain it."""
    entry = choices.choice(definitions(wanted))
    file_format = 4 if 4 in entry.file_formats else entry.file_formats[-1]
    game = choices.choice(entry.games) if entry.games else 1
    return Draft(choices, game, file_format, leave_out=[entry.type]), entry


def kind_of(entry: PropertyDefinition) -> str:
    """Return the value type of the property, or "" for a composed value."""
    kind = entry.alternatives[0]
    return "" if kind.composed else kind.first


def without_format(kind: str) -> PropertyFilter:
    """Return the filter for properties of that value type and no special format."""
    return lambda entry: kind_of(entry) == kind and not entry.format


def of_formats(*formats: str) -> PropertyFilter:
    """Return the filter for properties of one of the formats."""
    return lambda entry: entry.format in formats


#: Rules that the type or format of one value violates: its properties, and the insertions.
_NEAR_MISSES: dict[str, tuple[PropertyFilter, tuple[bytes, ...]]] = {
    "SGF303": (without_format("number"), NEAR_MISS_BYTES_AND_SPACE),
    "SGF304": (without_format("real"), NEAR_MISS_BYTES_AND_SPACE),
    "SGF305": (without_format("double"), NEAR_MISS_BYTES_AND_SPACE),
    "SGF306": (without_format("color"), NEAR_MISS_BYTES_AND_SPACE),
    "SGF409": (of_formats("variation_style"), NEAR_MISS_BYTES),
    "SGF410": (of_formats("print_mode"), NEAR_MISS_BYTES),
    "SGF413": (of_formats("handicap"), NEAR_MISS_BYTES),
    "SGF415": (of_formats("komi"), NEAR_MISS_BYTES_AND_SPACE),
    "SGF416": (of_formats("seconds"), (*NEAR_MISS_BYTES_AND_SPACE, b":")),
    "SGF423": (of_formats("result", "backgammon_result"), NEAR_MISS_BYTES_AND_SPACE),
    "SGF426": (of_formats("rank"), NEAR_MISS_BYTES),
    "SGF427": (of_formats("round"), NEAR_MISS_BYTES),
    "SGF811": (of_formats("cube_owner"), NEAR_MISS_BYTES),
    "SGF812": (of_formats("dice"), (b"7", b"1", b"0")),
    "SGF820": (of_formats("loa_adding"), NEAR_MISS_BYTES),
    "SGF821": (of_formats("loa_initial_position"), NEAR_MISS_BYTES),
    "SGF822": (of_formats("loa_invert"), NEAR_MISS_BYTES),
    "SGF823": (of_formats("loa_setup"), NEAR_MISS_BYTES),
    "SGF833": (of_formats("hex_initial_position"), NEAR_MISS_BYTES),
}


@violates(*_NEAR_MISSES)
def malformed_value(choices: Choices, code: str) -> bytes:
    """Change a few bytes of a value so that it is not of its type or format."""
    wanted, insertions = _NEAR_MISSES[code]
    draft, entry = draft_for(choices, wanted)
    draft.place(entry, near_miss(draft, entry.format or kind_of(entry), insertions))
    return draft.data()


#: Game, property identifier and property values.
CatalogueProperty = tuple[int, str, tuple[bytes, ...]]


@cache
def catalogue_properties(code: str) -> tuple[CatalogueProperty, ...]:
    """Return each property that violates the rule in an example of the catalogue.

    Examples that violate other rules too are left out.
    """
    found = []
    for example in grammar.rule(code).bad:
        collection = sgf_lark.loads(example.data)
        for diagnostic in sgf_lark.validate(example.data).diagnostics:
            node = list(collection[diagnostic.tree or 0].nodes())[diagnostic.node or 0]
            ident = diagnostic.ident
            if diagnostic.code == code and ident is not None and not example.also:
                found.append((collection[0].game, ident, tuple(node.property(ident).raw)))
    return tuple(found)


@violates(
    *("SGF303", "SGF304", "SGF305", "SGF306", "SGF411", "SGF413", "SGF415", "SGF416", "SGF418"),
    *("SGF419", "SGF420", "SGF421", "SGF423", "SGF834", "SGF850"),
)
def value_from_catalogue(choices: Choices, code: str) -> bytes:
    """Copy values of an example, perhaps to another property of the same type and format."""
    game, ident, raws = choices.choice(catalogue_properties(code))
    draft = Draft(choices, game, leave_out=["game-info", "root", "move"])
    example = draft.define(ident)
    alike = [
        entry
        for entry in grammar.properties()
        if entry.in_game(game)
        and 4 in entry.file_formats
        and not entry.private
        and (entry.alternatives, entry.format) == (example.alternatives, example.format)
    ]
    draft.place(choices.choice(alike), *raws)
    return draft.data()


# --- Value types --------------------------------------------------------------------------


@violates("SGF301")
def several_values(choices: Choices) -> bytes:
    """Give several values to a property that takes one."""
    draft, entry = draft_for(
        choices,
        lambda entry: (
            not entry.takes_many
            and entry.type in {"none", "move", "game-info"}
            and kind_of(entry) not in {"none", "unknown"}
            and entry.format not in {"handicap", "hex_initial_position"}
        ),
    )
    first = draft.valid(entry)
    draft.place(entry, *first, *(draft.valid(entry) * choices.integer(1, 2)))
    return draft.data()


@violates("SGF302")
def none_with_content(choices: Choices) -> bytes:
    """Write a value that has to be empty."""
    draft, entry = draft_for(choices, without_format("none"))
    draft.place(entry, draft.word("[A-Za-z0-9 ]{0,6}[a-z0-9]"))
    return draft.data()


@violates("SGF307")
def empty_value(choices: Choices) -> bytes:
    """Write an empty value of a type that is never empty."""
    kinds = {"number", "real", "point", "stone"}
    draft, entry = draft_for(
        choices,
        lambda entry: (
            kind_of(entry) in kinds
            and not entry.alternatives[0].empty
            and entry.type != "root"
            and entry.format != "print_mode"
        ),
    )
    draft.place(entry, b"")
    return draft.data()


@violates("SGF307")
def no_move(choices: Choices) -> bytes:
    """Add an empty move in a game other than Go, where it would be a pass."""
    known = [game.number for game in grammar.games().values() if game.move and game.number != 1]
    draft = Draft(choices, choices.choice(known))
    draft.add((choices.choice("BW"), [b""]), ("C", [draft.word()]))
    return draft.data()


@violates("SGF308")
def empty_value_in_list(choices: Choices) -> bytes:
    """Put an empty value into a list of points."""
    draft, entry = draft_for(choices, lambda entry: entry.alternatives[0].empty)
    raws = draft.points(choices.integer(1, 3))
    raws.insert(choices.integer(0, len(raws)), b"")
    draft.place(entry, *raws)
    return draft.data()


@violates("SGF309")
def malformed_compose(choices: Choices) -> bytes:
    """Write a composed value without ":" or without one of its points."""
    draft, entry = draft_for(
        choices,
        lambda entry: (
            entry.alternatives[-1].composed
            and entry.format in {"", "match_info"}
            and entry.ident != "AP"
        ),
    )
    kind = entry.alternatives[-1]
    if kind.first in {"point", "stone"}:
        point = choices.choice(draft.points(1))
        raws = [point]
        if kind.second == "point":
            raws += [point + b":", b":" + point]
        draft.place(entry, choices.choice(raws))
    else:
        draft.place(entry, draft.values.text("simpletext", composed=True))
    return draft.data()


@violates("SGF321")
def application_without_version(choices: Choices) -> bytes:
    """Name a program without its version."""
    draft = Draft(choices, leave_out=["root"])
    draft.in_root("AP", draft.values.text("simpletext", composed=True))
    return draft.data()


def is_point_list(entry: PropertyDefinition) -> bool:
    """Whether the property is a list of points or stones in FF[4]."""
    return kind_of(entry) in {"point", "stone"} and 4 in entry.file_formats and entry.takes_many


@violates("SGF310")
def white_space_in_value(choices: Choices) -> bytes:
    """Insert white space into a point, stone or move."""
    draft, entry = draft_for(choices, is_point_list)
    if entry.games == (19,) and kind_of(entry) == "stone":
        raw = draft.values.word(draft.game.stone)
    elif choices.chance(3):
        entry, raw = draft.define(choices.choice("BW")), draft.move()
    else:
        raw = choices.choice(draft.points(1))
    at = choices.integer(0, len(raw))
    raw = raw[:at] + choices.choice((b" ", b"\n", b"\t", b"  ")) + raw[at:]
    draft.place(entry, raw)
    return draft.data()


@violates("SGF311")
def unexpected_compose(choices: Choices) -> bytes:
    """Write a composed value where a plain one is required."""
    kinds = {"number", "real", "double", "color"}
    draft, entry = draft_for(
        choices,
        lambda entry: (
            kind_of(entry) in kinds and entry.type != "root" and entry.format != "seconds"
        ),
    )
    kind = kind_of(entry)
    draft.place(entry, draft.values.word(kind) + b":" + draft.values.word(kind))
    return draft.data()


@violates("SGF311")
def move_with_colon(choices: Choices) -> bytes:
    """Write a composed value as a move."""
    draft = Draft(choices, 1)
    draft.add((choices.choice("BW"), [b":".join(draft.points(2))]))
    return draft.data()


def _point_notation(draft: Draft) -> bytes:
    """Return a malformed point that is not a composed value or a pass."""
    while True:
        raw = near_miss(draft, draft.game.point, tuple(b"%c" % byte for byte in b"1a0z9?/_"))
        if raw != b"tt" and b":" not in raw:
            return raw


@violates("SGF312")
def malformed_point(choices: Choices) -> bytes:
    """Write a malformed point."""
    draft, entry = draft_for(
        choices, lambda entry: is_point_list(entry) and kind_of(entry) == "point"
    )
    if entry.ident not in {"BO", "WO", "AA"} and choices.chance(2):
        draft = _other_game(choices, entry, "point")
    draft.place(entry, _point_notation(draft))
    return draft.data()


@violates("SGF312")
def malformed_point_with_text(choices: Choices) -> bytes:
    """Write a label at a malformed point."""
    draft, entry = draft_for(choices, lambda entry: entry.unique == "label")
    draft.place(entry, _point_notation(draft) + b":" + draft.values.label())
    return draft.data()


def _other_game(choices: Choices, entry: PropertyDefinition, kind: str) -> Draft:
    known = [
        game.number
        for game in grammar.games().values()
        if getattr(game, kind) and entry.in_game(game.number)
    ]
    return Draft(choices, choices.choice(known), leave_out=[entry.type])


@violates("SGF313")
def pass_as_point(choices: Choices) -> bytes:
    """Write a pass in a list of points."""
    size = choices.integer(1, 19)
    draft = Draft(choices, context=Context(1, 4, (size, size)), leave_out=["setup"])
    entries = definitions(lambda entry: is_point_list(entry) and entry.in_game(1))
    draft.place(choices.choice(entries), b"tt")
    return draft.data()


def compressible(entry: PropertyDefinition) -> bool:
    """Whether the property is a list that may be compressed in any position.

    AE is not: it has to change something.
    """
    clears = entry.effect_required and kind_of(entry) == "point"
    return is_point_list(entry) and not entry.games and not clears


def _board_draft(choices: Choices, least: int = 3) -> tuple[Draft, PropertyDefinition]:
    """Return a tree with a board of any size, and a point list that it may contain."""
    entry = choices.choice(definitions(compressible))
    game = choices.choice([game.number for game in grammar.games().values() if game.size])
    game = game if grammar.game(game).stone == grammar.game(game).point != "" else 1
    largest = largest_side(game)
    size = choices.integer(least, largest), choices.integer(least, largest)
    if choices.chance(2) and grammar.game(game).size:
        size = grammar.game(game).size or size
    context = Context(game, 4, size)
    return Draft(choices, context=context, leave_out=["setup"]), entry


def corners(draft: Draft) -> tuple[Point, Point]:
    """Return the upper left and the lower right point of a part of the board, as displayed."""
    columns, rows = draft.context.size or (2, 2)
    left, top = draft.choices.integer(0, columns - 2), draft.choices.integer(0, rows - 2)
    right = draft.choices.integer(left + 1, min(columns - 1, left + 4))
    bottom = draft.choices.integer(top + 1, min(rows - 1, top + 4))
    first, last = Point(left, top), Point(right, bottom)
    if draft.game.upward:
        first, last = Point(left, bottom), Point(right, top)
    return first, last


@violates("SGF314", "SGF315", "SGF316")
def rectangles(choices: Choices, code: str) -> bytes:
    """Write a malformed rectangle, one of a single point, or swapped corners."""
    draft, entry = _board_draft(choices)
    first, last = corners(draft)
    write = draft.values.write
    if code == "SGF315":
        raw = write(first) + b":" + write(first)
    elif code == "SGF316":
        other = Point(first.column, last.row), Point(last.column, first.row)
        one, two = choices.choice(((last, first), other, other[::-1]))
        raw = write(one) + b":" + write(two)
    else:
        broken = choices.choice((b"", b"?", write(last)[:1]))
        raw = choices.choice((write(first) + b":" + broken, broken + b":" + write(last)))
    draft.place(entry, raw)
    return draft.data()


@violates("SGF317")
def repeated_point(choices: Choices) -> bytes:
    """Write a point twice in a list."""
    draft, entry = _board_draft(choices)
    first, last = corners(draft)
    write = draft.values.write
    raws = choices.choice(
        (
            [write(first), write(first)],
            [write(first) + b":" + write(last), write(choices.choice((first, last)))],
            [write(last), write(first), write(last)],
        )
    )
    draft.place(entry, *raws)
    return draft.data()


@violates("SGF318")
def label_without_text(choices: Choices) -> bytes:
    """Write a label without text."""
    draft, entry = draft_for(choices, lambda entry: entry.unique == "label")
    raws = [point + b":" + draft.values.label() for point in draft.points(3)]
    raws[0] = raws[0].split(b":")[0] + b":"
    draft.place(entry, *raws)
    return draft.data()


@violates("SGF319")
def malformed_move(choices: Choices) -> bytes:
    """Write a malformed move."""
    known = [game.number for game in grammar.games().values() if game.move]
    draft = Draft(choices, choices.choice(known))
    insertions = tuple(b"%c" % byte for byte in b"10?/_,")
    raw = near_miss(draft, draft.game.move, insertions)
    draft.add((choices.choice("BW"), [raw]))
    return draft.data()


@violates("SGF320")
def malformed_stone(choices: Choices) -> bytes:
    """Write a malformed stone of Octi."""
    draft, entry = draft_for(
        choices, lambda entry: entry.games == (19,) and kind_of(entry) == "stone"
    )
    draft.place(entry, near_miss(draft, "octi_stone", (b"I", b"a", b"0", b"?", b"-")))
    return draft.data()


@violates("SGF401")
def point_off_board(choices: Choices) -> bytes:
    """Write a point that is not on the board."""
    games = [
        game
        for game in grammar.games().values()
        if game.size and game.point in {"go_point", "hex_point"}
    ]
    game = choices.choice(games)
    side = choices.integer(3, 19 if game.point == "go_point" else 26)
    context = Context(game.number, 4, (side, choices.integer(3, 19)))
    draft = Draft(choices, context=context, leave_out=["setup"])
    columns, rows = context.size or (0, 0)
    point = Point(choices.integer(0, columns - 1), rows + choices.integer(0, 20))
    if choices.chance(2):
        point = Point(columns, choices.integer(0, rows - 1))
    raw = draft.values.write(point)
    if raw == b"tt":
        raw = LETTERS[columns].encode() * 2 if columns > 20 else b"zz"
    wanted = definitions(compressible)
    draft.place(choices.choice(wanted), raw)
    return draft.data()
