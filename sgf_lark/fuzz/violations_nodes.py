"""Nodes, paths, trees and collections that break a rule (5xx to 9xx), and older formats."""

from __future__ import annotations

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices
from sgf_lark.fuzz.generating_files import Writer, head
from sgf_lark.fuzz.generating_trees import NewNode, Property, Trees
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.fuzz.violations_scene import Scene, breaks
from sgf_lark.fuzz.violations_values import corners, definitions, kind_of, scene_for
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.values import Context


def _group(name: str) -> tuple[PropertyDefinition, ...]:
    """The properties of FF[4] and all games of which a node may hold one."""
    return tuple(entry for entry in definitions(_in_ff4) if name in (entry.exclusive, entry.unique))


def _in_ff4(entry: PropertyDefinition) -> bool:
    return 4 in entry.file_formats and not entry.games


def _two(choices: Choices, group: str) -> list[PropertyDefinition]:
    entries = list(_group(group))
    first = entries.pop(choices.integer(0, len(entries) - 1))
    return [first, choices.choice(entries)]


# --- One node -----------------------------------------------------------------------


@breaks("SGF501")
def duplicate_property(choices: Choices) -> bytes:
    kinds = {"text", "simpletext", "real", "number", "point", "double"}
    scene, entry = scene_for(
        choices,
        lambda entry: (
            kind_of(entry) in kinds
            and entry.type in {"none", "game-info"}
            and entry.format not in {"handicap", "hex_initial_position"}
        ),
    )
    between: list[Property] = [("N", [scene.word()])] if choices.chance(2) else []
    twice = [(entry.ident, raws) for raws in (scene.valid(entry), scene.valid(entry))]
    if kind_of(entry) == "point":
        twice = [(entry.ident, [raw]) for raw in scene.points(2)]
    if entry.ident == "N":
        between = []
    properties = [twice[0], *between, twice[1]]
    if entry.type == "game-info":
        scene.root.properties += [one for one in properties if one[0] != "N"]
    else:
        scene.add(*properties, anywhere=True)
    return scene.data()


@breaks("SGF502")
def black_and_white_move(choices: Choices) -> bytes:
    scene = Scene(choices)
    moves: list[Property] = [("B", [scene.move()]), ("W", [scene.move()])]
    if choices.chance(2):
        moves.reverse()
    scene.add(*moves, *_remark(scene))
    return scene.data()


def _remark(scene: Scene) -> list[Property]:
    return [("C", [scene.word()])] if scene.choices.chance(2) else []


@breaks("SGF503")
def move_with_setup(choices: Choices) -> bytes:
    scene = Scene(choices, 1)
    move, stone = (scene.points(2) * 2)[:2]
    setup = [("PL", [choices.choice((b"B", b"W"))]), (choices.choice(("AB", "AW")), [stone])]
    played = [(choices.choice("BW"), [move]), ("MN", [b"%d" % choices.integer(1, 300)])]
    properties = [choices.choice(setup), choices.choice(played)]
    if move == stone:
        properties[0] = setup[0]
    scene.add(*(properties if choices.chance(2) else properties[::-1]))
    return scene.data()


@breaks("SGF504", "SGF505")
def annotation_without_move(choices: Choices, code: str) -> bytes:
    annotates = code == "SGF505"
    entries = [e for e in definitions(_in_ff4) if e.needs_move and bool(e.exclusive) == annotates]
    scene = Scene(choices)
    entry = choices.choice(entries)
    scene.add((entry.ident, scene.valid(entry)), *_remark(scene), anywhere=True)
    return scene.data()


@breaks("SGF506", "SGF507")
def annotations_that_exclude_each_other(choices: Choices, code: str) -> bytes:
    scene = Scene(choices)
    entries = _two(choices, "move-annotation" if code == "SGF506" else "position-annotation")
    both: list[Property] = [(entry.ident, scene.valid(entry)) for entry in entries]
    if code == "SGF506":
        scene.add(("B", [scene.move()]), *both)
    else:
        scene.add(*both, anywhere=True)
    return scene.data()


#: Groups of properties that share no point, and the rules about them.
_OVERLAP = {"SGF508": "setup", "SGF510": "markup", "SGF516": "territory"}


@breaks(*_OVERLAP)
def overlap(choices: Choices, code: str) -> bytes:
    """Two properties that name the same point, one of them perhaps in a rectangle."""
    scene = Scene(choices, 1, leave_out=["setup"])
    entries = _two_of_territory(choices) if code == "SGF516" else _two(choices, _OVERLAP[code])
    if code == "SGF508":
        entries = [scene.define(ident) for ident in choices.choice((("AB", "AW"), ("AW", "AB")))]
    first, *others = scene.points(3)
    raws = [[first], [first]]
    raws[choices.integer(0, 1)] += others
    scene.add(*((entry.ident, raw) for entry, raw in zip(entries, raws, strict=True)))
    return scene.data()


def _two_of_territory(choices: Choices) -> list[PropertyDefinition]:
    entries = list(definitions(lambda entry: entry.unique == "territory"))
    return entries if choices.chance(2) else entries[::-1]


@breaks("SGF511", "SGF512", "SGF513", "SGF514", "SGF515")
def pairs(choices: Choices, code: str) -> bytes:
    scene = Scene(choices, context=Context(1, 4, (choices.integer(7, 19),) * 2))
    one, two = scene.points(2)
    label = scene.values.label()
    made = {
        "SGF511": ("LB", [one + b":" + label, one + b":" + scene.values.label()]),
        "SGF512": ("AR", [one + b":" + two] * 2),
        "SGF513": ("LN", [one + b":" + two] * 2),
        "SGF514": ("LN", [one + b":" + two, two + b":" + one]),
        "SGF515": (choices.choice(("AR", "LN")), [one + b":" + one]),
    }
    ident, raws = made[code]
    scene.add((ident, raws), anywhere=True)
    return scene.data()


@breaks("SGF517")
def root_property(choices: Choices) -> bytes:
    scene = Scene(choices)
    ident = choices.choice(("AP", "CA", "FF", "GM", "ST", "SZ"))
    raws = {"CA": b"UTF-8", "FF": b"4", "GM": b"1", "SZ": b"9"}
    raw = raws.get(ident) or scene.valid(scene.define(ident))[0]
    if ident == "SZ" and scene.context.game == 6:
        ident, raw = "GM", b"6"
    scene.add((ident, [raw]), *_remark(scene), anywhere=True)
    return scene.data()


@breaks("SGF518")
def move_in_root(choices: Choices) -> bytes:
    scene = Scene(choices, leave_out=["setup"])
    # Black plays first in the nodes below.
    ident = choices.choice(("W", "BL", "WL", "MN", "OB"))
    scene.in_root(ident, *scene.valid(scene.define(ident)))
    return scene.data()


@breaks("SGF519")
def old_move_annotation(choices: Choices) -> bytes:
    scene = Scene(choices, 1, choices.integer(1, 3))
    both: list[Property] = [("TE", [b"1"]), ("BM", [choices.choice((b"1", b"2"))])]
    scene.add(("B", [scene.move()]), *(both if choices.chance(2) else both[::-1]))
    return scene.data()


# --- Paths --------------------------------------------------------------------------


@breaks("SGF601")
def game_info_twice(choices: Choices) -> bytes:
    scene = Scene(choices, 1, leave_out=["game-info"])
    scene.in_root(choices.choice(("PB", "EV", "GN")), scene.word())
    ident = choices.choice(("PW", "RE", "PB", "KM", "TM", "GC"))
    scene.add((ident, scene.valid(scene.define(ident))), *_remark(scene), anywhere=True)
    return scene.data()


@breaks("SGF602")
def game_info_not_in_root(choices: Choices) -> bytes:
    scene = Scene(choices, 1, leave_out=["game-info"])
    ident = choices.choice(("PW", "RE", "PB", "KM", "TM", "GC"))
    scene.add((ident, scene.valid(scene.define(ident))), *_remark(scene), anywhere=True)
    return scene.data()


def _line(*nodes: list[Property]) -> NewNode:
    """Nodes one below the other; the first of them."""
    first = last = NewNode(list(nodes[0]))
    for properties in nodes[1:]:
        last.children = [NewNode(list(properties))]
        last = last.children[0]
    return first


def _with_line(scene: Scene, *nodes: list[Property], main: bool = False) -> bytes:
    """The nodes as a variation below the root, or as the `main` line."""
    first = _line(*nodes)
    if not scene.root.children and not main:
        scene.root.children.append(NewNode([("C", [scene.word()])]))
    scene.root.children.insert(0 if main else len(scene.root.children), first)
    return scene.data()


@breaks("SGF603")
def same_color_twice(choices: Choices) -> bytes:
    scene = Scene(choices, 1)
    ident = choices.choice("BW")
    first, second = scene.points(2)
    return _with_line(scene, [(ident, [first])], [(ident, [second]), *_remark(scene)])


@breaks("SGF604")
def setup_in_main_line(choices: Choices) -> bytes:
    scene = Scene(choices, 1)
    setup: Property = (choices.choice(("AB", "AW")), scene.points(choices.integer(1, 3)))
    return _with_line(scene, [setup, *_remark(scene)], main=True)


@breaks("SGF605")
def imitated_variation(choices: Choices) -> bytes:
    """The variation clears what was played above it and plays another move instead."""
    scene = Scene(choices, 1)
    one, two, three = scene.points(3)
    ident, other = choices.choice((("B", "W"), ("W", "B")))
    line = _line([(ident, [one])], [("C", [scene.word()])])
    line.children.append(_line([("AE", [one])], [(ident, [two])], [(other, [three])]))
    if not scene.root.children:
        scene.root.children.append(NewNode([("C", [scene.word()])]))
    scene.root.children.append(line)
    return scene.data()


# --- Collections --------------------------------------------------------------------


@breaks("SGF701", "SGF702", "SGF703", "SGF704")
def several_trees(choices: Choices, code: str) -> bytes:
    """Further trees, perhaps of another format, game or charset."""
    scene = Scene(choices, 1, charset="UTF-8")
    context, name = scene.context, scene.name
    if code == "SGF702":
        context, name = context._replace(file_format=choices.integer(1, 3), size=(9, 9)), None
        scene = Scene(choices, 1, charset=None)
    elif code == "SGF703":
        game = choices.choice([number for number in grammar.games() if number != 1])
        context = Context(game, 4, grammar.game(game).size)
    elif code == "SGF704":
        name = "ISO-8859-1"
    writer = Writer(choices)
    trees = [writer.tree(scene.root)]
    for _ in range(choices.integer(1, 3)):
        values = Values(choices, context, ascii_only=True)
        root = Trees(values).tree(choices.integer(0, 5), "mixed")
        root.properties[:0] = head(choices, context, name)
        trees.append(writer.tree(root))
    return b"\n".join(trees)


# --- The position -------------------------------------------------------------------


@breaks("SGF801")
def move_on_occupied_point(choices: Choices) -> bytes:
    scene = Scene(choices, 1)
    (point,) = scene.points(1)
    ident, other = choices.choice((("B", "W"), ("W", "B")))
    return _with_line(scene, [(ident, [point])], [(other, [point]), *_remark(scene)])


@breaks("SGF802")
def setup_without_effect(choices: Choices) -> bytes:
    scene = Scene(choices, 1)
    point, another = scene.points(2)
    ident, color = choices.choice((("B", "AB"), ("W", "AW")))
    if choices.chance(3):
        return _with_line(scene, [("AE", [another])], [("C", [scene.word()])])
    return _with_line(scene, [(ident, [point])], [(color, [another, point]), *_remark(scene)])


@breaks("SGF803")
def property_of_another_game(choices: Choices) -> bytes:
    scene = Scene(choices)
    game = scene.context.game
    idents = {entry.ident for entry in grammar.properties() if entry.games}
    others = [ident for ident in sorted(idents) if grammar.definition(ident, game, 4) is None]
    ident = choices.choice([ident for ident in others if len(ident) == 2])
    scene.add((ident, [scene.word() for _ in range(choices.integer(1, 2))]), anywhere=True)
    return scene.data()


@breaks("SGF804")
def unknown_property(choices: Choices) -> bytes:
    scene = Scene(choices)
    ident = ""
    while not ident or grammar.definitions(ident):
        ident = scene.word("[A-Z]{1,2}").decode()
    scene.add((ident, [scene.word() for _ in range(choices.integer(1, 3))]), anywhere=True)
    return scene.data()


@breaks("SGF115", "SGF116")
def long_identifier(choices: Choices, code: str) -> bytes:
    scene = Scene(choices)
    letters = choices.integer(3, 100) if code == "SGF115" else choices.integer(101, 300)
    ident = scene.word(f"[A-Z]{{{letters}}}").decode()
    scene.add((ident, [scene.word()]), anywhere=True)
    return scene.data()


# --- Single games ---------------------------------------------------------------------


@breaks("SGF832")
def several_initial_positions(choices: Choices) -> bytes:
    scene = Scene(choices, 11, leave_out=["game-info"])
    for _ in range(2):
        scene.add(("B", [scene.move()]), ("IP", [b""]))
    return scene.data()


#: Properties of one game that may not name the same point or stone.
_SHARED = {"SGF840": (18, ("AA", "AB")), "SGF851": (19, ("BO", "WO")), "SGF853": (19, ("CS", "MS"))}


@breaks(*_SHARED)
def shared_point(choices: Choices, code: str) -> bytes:
    game, (first, second) = _SHARED[code]
    scene = Scene(choices, game, leave_out=["setup", "game-info"])
    raws = scene.points(choices.integer(1, 3))
    properties = [(first, raws), (second, [choices.choice(raws)])]
    if choices.chance(2):
        properties.reverse()
    if code == "SGF851":
        scene.root.properties += properties
    else:
        scene.add(*properties)
    return scene.data()


# --- Style --------------------------------------------------------------------------


@breaks("SGF901")
def setup_instead_of_move(choices: Choices) -> bytes:
    scene = Scene(choices, 1)
    first, second = scene.points(2)
    idents = choices.choice((("AB", "AW"), ("AW", "AB")))
    return _with_line(scene, [(idents[0], [first])], [(idents[1], [second])])


def _end_of_main_line(scene: Scene) -> tuple[NewNode, str]:
    """The last node of the main line, and who moved last."""
    node, turn = scene.root, "W"
    while node.children:
        node = node.children[0]
        turn = next((ident for ident, _ in node.properties if ident in ("B", "W")), turn)
    return node, turn


@breaks("SGF902")
def trailing_pass(choices: Choices) -> bytes:
    scene = Scene(choices, context=Context(1, choices.integer(1, 4), (19, 19)))
    node, turn = _end_of_main_line(scene)
    written = b"" if scene.context.file_format == 4 and choices.chance(2) else b"tt"
    node.children.append(NewNode([("B" if turn == "W" else "W", [written])]))
    return scene.data()


@breaks("SGF903")
def trailing_empty_node(choices: Choices) -> bytes:
    scene = Scene(choices)
    leaves = [node for node in scene.root.nodes() if not node.children]
    choices.choice(leaves).children.append(_line(*([[]] * choices.integer(1, 3))))
    return scene.data()


@breaks("SGF904")
def game_info_in_comment(choices: Choices) -> bytes:
    scene = Scene(choices, leave_out=["game-info"])
    label = choices.choice((b"Black", b"White", b"Result", b"Date", b"Komi"))
    before = choices.choice((b"", b"The game. ", b"Round 1, "))
    scene.in_root("C", before + label + choices.choice((b": ", b" : ", b":")) + scene.word())
    return scene.data()


# --- Older formats --------------------------------------------------------------------


@breaks("SGF430")
def property_not_in_file_format(choices: Choices) -> bytes:
    """In a tree of FF[1] to FF[4] that none of its definitions counts for."""
    entries = [
        entry
        for entry in grammar.properties()
        if len(entry.file_formats) < 4 and not entry.private and _only_meaning(entry)
    ]
    entry = choices.choice(entries)
    others = [number for number in (1, 2, 3, 4) if number not in entry.file_formats]
    game = choices.choice(entry.games) if entry.games else 1
    size = grammar.game(game).size
    context = Context(game, choices.choice(others), size)
    scene = Scene(choices, context=context, leave_out=[entry.type, "setup"])
    raws = [b"UTF-8"] if entry.format == "charset" else scene.valid(entry)
    if entry.ident == "VW" or kind_of(entry) in {"point", "stone"}:
        raws = scene.points(2)[: 2 if entry.takes_many else 1]
    scene.place(entry, *raws)
    return scene.data()


def _only_meaning(entry: PropertyDefinition) -> bool:
    return len(grammar.definitions(entry.ident)) == 1 and entry.format not in {
        "hex_initial_position"
    }


@breaks("SGF432")
def integer_komi(choices: Choices) -> bytes:
    scene = Scene(choices, 1, choices.integer(1, 2), leave_out=["game-info"])
    scene.in_root("KI", b"%d" % choices.integer(-20, 20))
    return scene.data()


@breaks("SGF433")
def board_before_ff4(choices: Choices) -> bytes:
    side = choices.integer(20, 52), choices.integer(2, 10)
    size = (side[0], side[0]) if choices.chance(2) else (side[1], side[1] + choices.integer(1, 9))
    context = Context(1, choices.integer(1, 3), size)
    return Scene(choices, context=context, leave_out=["setup"]).data()


@breaks("SGF434")
def empty_pass_before_ff4(choices: Choices) -> bytes:
    scene = Scene(choices, 1, choices.integer(1, 3))
    scene.add((choices.choice("BW"), [b""]), ("C", [scene.word()]))
    return scene.data()


@breaks("SGF435", "SGF437")
def points_before_ff4(choices: Choices, code: str) -> bytes:
    size = choices.integer(7, 19)
    context = Context(1, choices.integer(1, 3), (size, size))
    scene = Scene(choices, context=context, leave_out=["setup"])
    if code == "SGF435":
        scene.place(scene.define("VW"), *scene.points(choices.choice((1, 3, 4, 5))))
        return scene.data()
    entries = definitions(
        lambda entry: (
            kind_of(entry) in {"point", "stone"}
            and not entry.games
            and context.file_format in entry.file_formats
            and entry.ident != "AE"
        )
    )
    scene.place(choices.choice(entries), b":".join(map(scene.values.written, corners(scene))))
    return scene.data()


@breaks("SGF436")
def long_label_in_ff3(choices: Choices) -> bytes:
    scene = Scene(choices, 1, 3)
    (point,) = scene.points(1)
    scene.place(scene.define("LB"), point + b":" + scene.word("[A-Za-z0-9]{5,9}"))
    return scene.data()


@breaks("SGF438")
def loose_format_before_ff4(choices: Choices) -> bytes:
    scene = Scene(choices, 1, choices.integer(1, 3), leave_out=["game-info"])
    scene.in_root(choices.choice(("DT", "RE")), scene.word("[A-Za-z]{3,9} [a-z]{1,5}"))
    return scene.data()


@breaks("SGF439")
def missing_file_format(choices: Choices) -> bytes:
    scene = Scene(choices, file_format=1)
    scene.root.properties = [one for one in scene.root.properties if one[0] != "FF"]
    return scene.data()
