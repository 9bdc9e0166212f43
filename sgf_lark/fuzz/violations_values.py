"""Values that are not of their type or format (3xx, 4xx and 8xx)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices
from sgf_lark.fuzz.generating_values import largest_side
from sgf_lark.fuzz.violations_scene import Scene, breaks, near_miss
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.points import LETTERS

#: What near misses are made with: nothing that has a rule of its own.
SIGNS = tuple(b"%c" % sign for sign in b"x1z0+-.,/?Q")
#: For values in which white space is as wrong as any other sign.
SIGNS_AND_SPACE = (*SIGNS, b" ")

Wanted = Callable[[PropertyDefinition], bool]


def definitions(wanted: Wanted) -> tuple[PropertyDefinition, ...]:
    """The properties of FF[4], and of older formats what these alone have."""
    return tuple(entry for entry in grammar.properties() if not entry.private and wanted(entry))


def scene_for(choices: Choices, wanted: Wanted) -> tuple[Scene, PropertyDefinition]:
    """One of the properties that are wanted, and a tree that may hold it."""
    entry = choices.choice(definitions(wanted))
    file_format = 4 if 4 in entry.file_formats else entry.file_formats[-1]
    game = choices.choice(entry.games) if entry.games else 1
    return Scene(choices, game, file_format, leave_out=[entry.type]), entry


def kind_of(entry: PropertyDefinition) -> str:
    """The type of a plain value, or "" for a composed one."""
    kind = entry.alternatives[0]
    return "" if kind.composed else kind.first


def without_format(kind: str) -> Wanted:
    return lambda entry: kind_of(entry) == kind and not entry.format


def of_formats(*formats: str) -> Wanted:
    return lambda entry: entry.format in formats


#: Rules about one value whose type or format it misses: the properties, and with what.
_MISSED: dict[str, tuple[Wanted, tuple[bytes, ...]]] = {
    "SGF303": (without_format("number"), SIGNS_AND_SPACE),
    "SGF304": (without_format("real"), SIGNS_AND_SPACE),
    "SGF305": (without_format("double"), SIGNS_AND_SPACE),
    "SGF306": (without_format("color"), SIGNS_AND_SPACE),
    "SGF409": (of_formats("variation_style"), SIGNS),
    "SGF410": (of_formats("print_mode"), SIGNS),
    "SGF413": (of_formats("handicap"), SIGNS),
    "SGF415": (of_formats("komi"), SIGNS_AND_SPACE),
    "SGF416": (of_formats("seconds"), (*SIGNS_AND_SPACE, b":")),
    "SGF423": (of_formats("result", "backgammon_result"), SIGNS_AND_SPACE),
    "SGF426": (of_formats("rank"), SIGNS),
    "SGF427": (of_formats("round"), SIGNS),
    "SGF811": (of_formats("cube_owner"), SIGNS),
    "SGF812": (of_formats("dice"), (b"7", b"1", b"0")),
    "SGF820": (of_formats("loa_adding"), SIGNS),
    "SGF821": (of_formats("loa_initial_position"), SIGNS),
    "SGF822": (of_formats("loa_invert"), SIGNS),
    "SGF823": (of_formats("loa_setup"), SIGNS),
    "SGF833": (of_formats("hex_initial_position"), SIGNS),
}


@breaks(*_MISSED)
def value_that_misses(choices: Choices, code: str) -> bytes:
    """One or two signs away from a value of the type or format."""
    wanted, signs = _MISSED[code]
    scene, entry = scene_for(choices, wanted)
    scene.place(entry, near_miss(scene, entry.format or kind_of(entry), signs))
    return scene.data()


Shown = tuple[int, str, tuple[bytes, ...]]


@cache
def shown(code: str) -> tuple[Shown, ...]:
    """Game, identifier and values of each property that breaks the rule in an example of
    the catalogue, where that breaks no other."""
    found = []
    for example in grammar.rule(code).bad:
        collection = sgf_lark.loads(example.data)
        for said in sgf_lark.validate(example.data).diagnostics:
            node = list(collection[said.tree or 0].nodes())[said.node or 0]
            if said.code == code and said.ident is not None and not example.also:
                raws = tuple(node.property(said.ident).raw)
                found.append((collection[0].game, said.ident, raws))
    return tuple(found)


@breaks(
    *("SGF303", "SGF304", "SGF305", "SGF306", "SGF411", "SGF413", "SGF415", "SGF416", "SGF418"),
    *("SGF419", "SGF420", "SGF421", "SGF423", "SGF834", "SGF850"),
)
def value_of_the_catalogue(choices: Choices, code: str) -> bytes:
    """What the catalogue shows, perhaps in another property of the same type and format."""
    game, ident, raws = choices.choice(shown(code))
    scene = Scene(choices, game, leave_out=["game-info", "root", "move"])
    shown_in = scene.define(ident)
    alike = [
        entry
        for entry in grammar.properties()
        if entry.in_game(game)
        and 4 in entry.file_formats
        and not entry.private
        and (entry.alternatives, entry.format) == (shown_in.alternatives, shown_in.format)
    ]
    scene.place(choices.choice(alike), *raws)
    return scene.data()


# --- Types of values ----------------------------------------------------------------------


@breaks("SGF301")
def several_values(choices: Choices) -> bytes:
    scene, entry = scene_for(
        choices,
        lambda entry: (
            not entry.takes_many
            and entry.type in {"none", "move", "game-info"}
            and kind_of(entry) not in {"none", "unknown"}
            and entry.format not in {"handicap", "hex_initial_position"}
        ),
    )
    first = scene.valid(entry)
    scene.place(entry, *first, *(scene.valid(entry) * choices.integer(1, 2)))
    return scene.data()


@breaks("SGF302")
def none_with_content(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, without_format("none"))
    scene.place(entry, scene.word("[A-Za-z0-9 ]{0,6}[a-z0-9]"))
    return scene.data()


@breaks("SGF307")
def empty_value(choices: Choices) -> bytes:
    kinds = {"number", "real", "point", "stone"}
    scene, entry = scene_for(
        choices,
        lambda entry: (
            kind_of(entry) in kinds
            and not entry.alternatives[0].empty
            and entry.type != "root"
            and entry.format != "print_mode"
        ),
    )
    scene.place(entry, b"")
    return scene.data()


@breaks("SGF307")
def no_move(choices: Choices) -> bytes:
    """A pass that is empty is a custom of Go."""
    known = [game.number for game in grammar.games().values() if game.move and game.number != 1]
    scene = Scene(choices, choices.choice(known))
    scene.add((choices.choice("BW"), [b""]), ("C", [scene.word()]))
    return scene.data()


@breaks("SGF308")
def empty_value_in_list(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, lambda entry: entry.alternatives[0].empty)
    raws = scene.points(choices.integer(1, 3))
    raws.insert(choices.integer(0, len(raws)), b"")
    scene.place(entry, *raws)
    return scene.data()


@breaks("SGF309")
def malformed_compose(choices: Choices) -> bytes:
    """Without ":", or without one of two points."""
    scene, entry = scene_for(
        choices,
        lambda entry: entry.alternatives[-1].composed and entry.format in {"", "match_info"},
    )
    kind = entry.alternatives[-1]
    if kind.first in {"point", "stone"}:
        point = choices.choice(scene.points(1))
        raws = [point]
        if kind.second == "point":
            raws += [point + b":", b":" + point]
        scene.place(entry, choices.choice(raws))
    else:
        scene.place(entry, scene.values.text("simpletext", composed=True))
    return scene.data()


def is_plain_point(entry: PropertyDefinition) -> bool:
    """Lists of points, in FF[4]."""
    return kind_of(entry) in {"point", "stone"} and 4 in entry.file_formats and entry.takes_many


@breaks("SGF310")
def white_space_in_value(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, is_plain_point)
    if entry.games == (19,) and kind_of(entry) == "stone":
        raw = scene.values.word(scene.game.stone)
    elif choices.chance(3):
        entry, raw = scene.define(choices.choice("BW")), scene.move()
    else:
        raw = choices.choice(scene.points(1))
    at = choices.integer(0, len(raw))
    raw = raw[:at] + choices.choice((b" ", b"\n", b"\t", b"  ")) + raw[at:]
    scene.place(entry, raw)
    return scene.data()


@breaks("SGF311")
def unexpected_compose(choices: Choices) -> bytes:
    kinds = {"number", "real", "double", "color"}
    scene, entry = scene_for(
        choices,
        lambda entry: (
            kind_of(entry) in kinds and entry.type != "root" and entry.format != "seconds"
        ),
    )
    kind = kind_of(entry)
    scene.place(entry, scene.values.word(kind) + b":" + scene.values.word(kind))
    return scene.data()


@breaks("SGF311")
def move_with_colon(choices: Choices) -> bytes:
    scene = Scene(choices, 1)
    scene.add((choices.choice("BW"), [b":".join(scene.points(2))]))
    return scene.data()


def _point_notation(scene: Scene) -> bytes:
    """Nothing that could be read as white space, ":" or a pass."""
    while True:
        raw = near_miss(scene, scene.game.point, tuple(b"%c" % sign for sign in b"1a0z9?/_"))
        if raw != b"tt" and b":" not in raw:
            return raw


@breaks("SGF312")
def malformed_point(choices: Choices) -> bytes:
    scene, entry = scene_for(
        choices, lambda entry: is_plain_point(entry) and kind_of(entry) == "point"
    )
    if entry.ident not in {"BO", "WO", "AA"} and choices.chance(2):
        scene = _other_game(choices, entry, "point")
    scene.place(entry, _point_notation(scene))
    return scene.data()


@breaks("SGF312")
def malformed_point_with_text(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, lambda entry: entry.unique == "label")
    scene.place(entry, _point_notation(scene) + b":" + scene.values.label())
    return scene.data()


def _other_game(choices: Choices, entry: PropertyDefinition, kind: str) -> Scene:
    known = [
        game.number
        for game in grammar.games().values()
        if getattr(game, kind) and entry.in_game(game.number)
    ]
    return Scene(choices, choices.choice(known), leave_out=[entry.type])


@breaks("SGF313")
def pass_as_point(choices: Choices) -> bytes:
    size = choices.integer(1, 19)
    scene = Scene(choices, context=Context(1, 4, (size, size)), leave_out=["setup"])
    entries = definitions(lambda entry: is_plain_point(entry) and entry.in_game(1))
    scene.place(choices.choice(entries), b"tt")
    return scene.data()


def compressible(entry: PropertyDefinition) -> bool:
    """Lists that may hold rectangles; not AE, which would have to change something."""
    clears = entry.effect_required and kind_of(entry) == "point"
    return is_plain_point(entry) and not entry.games and not clears


def _board_scene(choices: Choices, least: int = 3) -> tuple[Scene, PropertyDefinition]:
    """A tree with a board of some size, and a list of points that it may hold."""
    entry = choices.choice(definitions(compressible))
    game = choices.choice([game.number for game in grammar.games().values() if game.size])
    game = game if grammar.game(game).stone == grammar.game(game).point != "" else 1
    most = largest_side(game)
    size = choices.integer(least, most), choices.integer(least, most)
    if choices.chance(2) and grammar.game(game).size:
        size = grammar.game(game).size or size
    context = Context(game, 4, size)
    return Scene(choices, context=context, leave_out=["setup"]), entry


def corners(scene: Scene) -> tuple[Point, Point]:
    """The upper left and the lower right point of a part of the board, as they look."""
    columns, rows = scene.context.size or (2, 2)
    left, top = scene.choices.integer(0, columns - 2), scene.choices.integer(0, rows - 2)
    right = scene.choices.integer(left + 1, min(columns - 1, left + 4))
    bottom = scene.choices.integer(top + 1, min(rows - 1, top + 4))
    first, last = Point(left, top), Point(right, bottom)
    if scene.game.upward:
        first, last = Point(left, bottom), Point(right, top)
    return first, last


@breaks("SGF314", "SGF315", "SGF316")
def rectangles(choices: Choices, code: str) -> bytes:
    scene, entry = _board_scene(choices)
    first, last = corners(scene)
    write = scene.values.written
    if code == "SGF315":
        raw = write(first) + b":" + write(first)
    elif code == "SGF316":
        other = Point(first.column, last.row), Point(last.column, first.row)
        one, two = choices.choice(((last, first), other, other[::-1]))
        raw = write(one) + b":" + write(two)
    else:
        broken = choices.choice((b"", b"?", write(last)[:1]))
        raw = choices.choice((write(first) + b":" + broken, broken + b":" + write(last)))
    scene.place(entry, raw)
    return scene.data()


@breaks("SGF317")
def repeated_point(choices: Choices) -> bytes:
    scene, entry = _board_scene(choices)
    first, last = corners(scene)
    write = scene.values.written
    raws = choices.choice(
        (
            [write(first), write(first)],
            [write(first) + b":" + write(last), write(choices.choice((first, last)))],
            [write(last), write(first), write(last)],
        )
    )
    scene.place(entry, *raws)
    return scene.data()


@breaks("SGF318")
def label_without_text(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, lambda entry: entry.unique == "label")
    raws = [point + b":" + scene.values.label() for point in scene.points(3)]
    raws[0] = raws[0].split(b":")[0] + b":"
    scene.place(entry, *raws)
    return scene.data()


@breaks("SGF319")
def malformed_move(choices: Choices) -> bytes:
    known = [game.number for game in grammar.games().values() if game.move]
    scene = Scene(choices, choices.choice(known))
    signs = tuple(b"%c" % sign for sign in b"10?/_,")
    raw = near_miss(scene, scene.game.move, signs)
    scene.add((choices.choice("BW"), [raw]))
    return scene.data()


@breaks("SGF320")
def malformed_stone(choices: Choices) -> bytes:
    scene, entry = scene_for(
        choices, lambda entry: entry.games == (19,) and kind_of(entry) == "stone"
    )
    scene.place(entry, near_miss(scene, "octi_stone", (b"I", b"a", b"0", b"?", b"-")))
    return scene.data()


@breaks("SGF401")
def point_off_board(choices: Choices) -> bytes:
    games = [
        game
        for game in grammar.games().values()
        if game.size and game.point in {"go_point", "hex_point"}
    ]
    game = choices.choice(games)
    side = choices.integer(3, 19 if game.point == "go_point" else 26)
    context = Context(game.number, 4, (side, choices.integer(3, 19)))
    scene = Scene(choices, context=context, leave_out=["setup"])
    columns, rows = context.size or (0, 0)
    point = Point(choices.integer(0, columns - 1), rows + choices.integer(0, 20))
    if choices.chance(2):
        point = Point(columns, choices.integer(0, rows - 1))
    raw = scene.values.written(point)
    if raw == b"tt":
        raw = LETTERS[columns].encode() * 2 if columns > 20 else b"zz"
    wanted = definitions(compressible)
    scene.place(choices.choice(wanted), raw)
    return scene.data()
