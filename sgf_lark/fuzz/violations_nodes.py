"""Recipes for violations in nodes, paths, collections and positions (5xx to 9xx)."""

from __future__ import annotations

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices
from sgf_lark.fuzz.generating_files import Writer, root_properties
from sgf_lark.fuzz.generating_trees import NewNode, Property, Trees
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.fuzz.violations_base import Draft, violates
from sgf_lark.fuzz.violations_values import definitions, draft_for, kind_of
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


@violates("SGF501")
def duplicate_property(choices: Choices) -> bytes:
    """Write a property twice in a node."""
    kinds = {"text", "simpletext", "real", "number", "point", "double"}
    draft, entry = draft_for(
        choices,
        lambda entry: (
            kind_of(entry) in kinds
            and entry.type in {"none", "game-info"}
            and entry.format not in {"handicap", "hex_initial_position"}
        ),
    )
    between: list[Property] = [("N", [draft.word()])] if choices.chance(2) else []
    twice = [(entry.ident, raws) for raws in (draft.valid(entry), draft.valid(entry))]
    if kind_of(entry) == "point":
        twice = [(entry.ident, [raw]) for raw in draft.points(2)]
    if entry.ident == "N":
        between = []
    properties = [twice[0], *between, twice[1]]
    if entry.type == "game-info":
        draft.root.properties += [one for one in properties if one[0] != "N"]
    else:
        draft.add(*properties, anywhere=True)
    return draft.data()


@violates("SGF502")
def black_and_white_move(choices: Choices) -> bytes:
    """Put a black and a white move into a node."""
    draft = Draft(choices)
    moves: list[Property] = [("B", [draft.move()]), ("W", [draft.move()])]
    if choices.chance(2):
        moves.reverse()
    draft.add(*moves, *_remark(draft))
    return draft.data()


def _remark(draft: Draft) -> list[Property]:
    return [("C", [draft.word()])] if draft.choices.chance(2) else []


@violates("SGF503", "SGF520")
def move_with_setup(choices: Choices, code: str) -> bytes:
    """Put a move and a setup property into a node, in FF[4] or in an older format."""
    draft = Draft(choices, 1, 4 if code == "SGF503" else 3)
    move, stone = (draft.points(2) * 2)[:2]
    setup = [("PL", [choices.choice((b"B", b"W"))]), (choices.choice(("AB", "AW")), [stone])]
    played = [(choices.choice("BW"), [move]), ("MN", [b"%d" % choices.integer(1, 300)])]
    properties = [choices.choice(setup), choices.choice(played)]
    if move == stone:
        properties[0] = setup[0]
    draft.add(*(properties if choices.chance(2) else properties[::-1]))
    return draft.data()


@violates("SGF504", "SGF505")
def annotation_without_move(choices: Choices, code: str) -> bytes:
    """Put a move annotation into a node without a move."""
    annotates = code == "SGF505"
    entries = [e for e in definitions(_in_ff4) if e.needs_move and bool(e.exclusive) == annotates]
    draft = Draft(choices)
    entry = choices.choice(entries)
    draft.add((entry.ident, draft.valid(entry)), *_remark(draft), anywhere=True)
    return draft.data()


@violates("SGF506", "SGF507")
def annotations_that_exclude_each_other(choices: Choices, code: str) -> bytes:
    """Put two annotations of one kind into a node."""
    draft = Draft(choices)
    entries = _two(choices, "move-annotation" if code == "SGF506" else "position-annotation")
    both: list[Property] = [(entry.ident, draft.valid(entry)) for entry in entries]
    if code == "SGF506":
        draft.add(("B", [draft.move()]), *both)
    else:
        draft.add(*both, anywhere=True)
    return draft.data()


#: Groups of properties that share no point, and the rules about them.
_OVERLAP = {"SGF508": "setup", "SGF510": "markup", "SGF516": "territory"}


@violates(*_OVERLAP)
def overlap(choices: Choices, code: str) -> bytes:
    """Two properties that name the same point, one of them perhaps in a rectangle."""
    draft = Draft(choices, 1, leave_out=["setup"])
    entries = _two_of_territory(choices) if code == "SGF516" else _two(choices, _OVERLAP[code])
    if code == "SGF508":
        entries = [draft.define(ident) for ident in choices.choice((("AB", "AW"), ("AW", "AB")))]
    first, *others = draft.points(3)
    raws = [[first], [first]]
    raws[choices.integer(0, 1)] += others
    draft.add(*((entry.ident, raw) for entry, raw in zip(entries, raws, strict=True)))
    return draft.data()


def _two_of_territory(choices: Choices) -> list[PropertyDefinition]:
    entries = list(definitions(lambda entry: entry.unique == "territory"))
    return entries if choices.chance(2) else entries[::-1]


@violates("SGF511", "SGF512", "SGF513", "SGF514", "SGF515")
def pairs(choices: Choices, code: str) -> bytes:
    """Write a label, an arrow or a line twice or in a malformed way."""
    draft = Draft(choices, context=Context(1, 4, (choices.integer(7, 19),) * 2))
    one, two = draft.points(2)
    label = draft.values.label()
    made = {
        "SGF511": ("LB", [one + b":" + label, one + b":" + draft.values.label()]),
        "SGF512": ("AR", [one + b":" + two] * 2),
        "SGF513": ("LN", [one + b":" + two] * 2),
        "SGF514": ("LN", [one + b":" + two, two + b":" + one]),
        "SGF515": (choices.choice(("AR", "LN")), [one + b":" + one]),
    }
    ident, raws = made[code]
    draft.add((ident, raws), anywhere=True)
    return draft.data()


@violates("SGF517")
def root_property(choices: Choices) -> bytes:
    """Put a root property into another node."""
    draft = Draft(choices)
    entries = definitions(lambda entry: _in_ff4(entry) and entry.type == "root")
    ident = choices.choice(sorted(entry.ident for entry in entries))
    raws = {"CA": b"UTF-8", "FF": b"4", "GM": b"1", "SZ": b"9"}
    raw = raws.get(ident) or draft.valid(draft.define(ident))[0]
    if ident == "SZ" and draft.context.game == 6:
        ident, raw = "GM", b"6"
    draft.add((ident, [raw]), *_remark(draft), anywhere=True)
    return draft.data()


@violates("SGF518")
def move_in_root(choices: Choices) -> bytes:
    """Put a move property into the root."""
    draft = Draft(choices, leave_out=["setup"])
    # Black plays first in the nodes below.
    ident = choices.choice(("W", "BL", "WL", "MN", "OB"))
    draft.in_root(ident, *draft.valid(draft.define(ident)))
    return draft.data()


@violates("SGF519")
def old_move_annotation(choices: Choices) -> bytes:
    """Put two move annotations of an older file format into a node."""
    draft = Draft(choices, 1, choices.integer(1, 3))
    both: list[Property] = [("TE", [b"1"]), ("BM", [choices.choice((b"1", b"2"))])]
    draft.add(("B", [draft.move()]), *(both if choices.chance(2) else both[::-1]))
    return draft.data()


# --- Paths --------------------------------------------------------------------------


@violates("SGF601", "SGF606")
def game_info_twice(choices: Choices, code: str) -> bytes:
    """Put game information into two nodes of a path, in FF[4] or in an older format."""
    file_format = 4 if code == "SGF601" else choices.integer(1, 3)
    draft = Draft(choices, 1, file_format, leave_out=["game-info"])
    draft.in_root(choices.choice(("PB", "EV", "GN")), draft.word())
    ident = choices.choice(("PW", "RE", "PB", "KM", "TM", "GC"))
    draft.add((ident, draft.valid(draft.define(ident))), *_remark(draft), anywhere=True)
    return draft.data()


@violates("SGF602")
def game_info_not_in_root(choices: Choices) -> bytes:
    """Put game information into another node than the root."""
    draft = Draft(choices, 1, leave_out=["game-info"])
    ident = choices.choice(("PW", "RE", "PB", "KM", "TM", "GC"))
    draft.add((ident, draft.valid(draft.define(ident))), *_remark(draft), anywhere=True)
    return draft.data()


def _line(*nodes: list[Property]) -> NewNode:
    """Nodes one below the other; the first of them."""
    first = last = NewNode(list(nodes[0]))
    for properties in nodes[1:]:
        last.children = [NewNode(list(properties))]
        last = last.children[0]
    return first


def _with_line(draft: Draft, *nodes: list[Property], main: bool = False) -> bytes:
    """The nodes as a variation below the root, or as the `main` line."""
    first = _line(*nodes)
    if not draft.root.children and not main:
        draft.root.children.append(NewNode([("C", [draft.word()])]))
    draft.root.children.insert(0 if main else len(draft.root.children), first)
    return draft.data()


@violates("SGF603")
def same_color_twice(choices: Choices) -> bytes:
    """Let a color move twice in a row."""
    draft = Draft(choices, 1)
    ident = choices.choice("BW")
    first, second = draft.points(2)
    return _with_line(draft, [(ident, [first])], [(ident, [second]), *_remark(draft)])


@violates("SGF604")
def setup_in_main_line(choices: Choices) -> bytes:
    """Put setup stones into the main line."""
    draft = Draft(choices, 1)
    setup: Property = (choices.choice(("AB", "AW")), draft.points(choices.integer(1, 3)))
    return _with_line(draft, [setup, *_remark(draft)], main=True)


@violates("SGF605")
def imitated_variation(choices: Choices) -> bytes:
    """The variation clears what was played above it and plays another move instead."""
    draft = Draft(choices, 1)
    one, two, three = draft.points(3)
    ident, other = choices.choice((("B", "W"), ("W", "B")))
    line = _line([(ident, [one])], [("C", [draft.word()])])
    line.children.append(_line([("AE", [one])], [(ident, [two])], [(other, [three])]))
    if not draft.root.children:
        draft.root.children.append(NewNode([("C", [draft.word()])]))
    draft.root.children.append(line)
    return draft.data()


# --- Collections --------------------------------------------------------------------


@violates("SGF701", "SGF702", "SGF703", "SGF704")
def several_trees(choices: Choices, code: str) -> bytes:
    """Further trees, perhaps of another format, game or charset."""
    draft = Draft(choices, 1, charset="UTF-8")
    context, name = draft.context, draft.name
    if code == "SGF702":
        context, name = context._replace(file_format=choices.integer(1, 3), size=(9, 9)), None
        draft = Draft(choices, 1, charset=None)
    elif code == "SGF703":
        game = choices.choice([number for number in grammar.games() if number != 1])
        context = Context(game, 4, grammar.game(game).size)
    elif code == "SGF704":
        name = "ISO-8859-1"
    writer = Writer(choices)
    trees = [writer.tree(draft.root)]
    for _ in range(choices.integer(1, 3)):
        values = Values(choices, context, ascii_only=True)
        root = Trees(values).tree(choices.integer(0, 5), "mixed")
        root.properties[:0] = root_properties(choices, context, name)
        trees.append(writer.tree(root))
    return b"\n".join(trees)


# --- The position -------------------------------------------------------------------


@violates("SGF801")
def move_on_occupied_point(choices: Choices) -> bytes:
    """Put a move on a stone."""
    draft = Draft(choices, 1)
    (point,) = draft.points(1)
    ident, other = choices.choice((("B", "W"), ("W", "B")))
    return _with_line(draft, [(ident, [point])], [(other, [point]), *_remark(draft)])


@violates("SGF802")
def setup_without_effect(choices: Choices) -> bytes:
    """Set up a stone or an empty point that is already there."""
    draft = Draft(choices, 1)
    point, another = draft.points(2)
    ident, color = choices.choice((("B", "AB"), ("W", "AW")))
    if choices.chance(3):
        return _with_line(draft, [("AE", [another])], [("C", [draft.word()])])
    return _with_line(draft, [(ident, [point])], [(color, [another, point]), *_remark(draft)])


@violates("SGF803")
def property_of_another_game(choices: Choices) -> bytes:
    """Add a property that only other games have."""
    draft = Draft(choices)
    game = draft.context.game
    idents = {entry.ident for entry in grammar.properties() if entry.games}
    others = [ident for ident in sorted(idents) if grammar.definition(ident, game, 4) is None]
    ident = choices.choice([ident for ident in others if len(ident) == 2])
    draft.add((ident, [draft.word() for _ in range(choices.integer(1, 2))]), anywhere=True)
    return draft.data()


@violates("SGF804")
def unknown_property(choices: Choices) -> bytes:
    """Add a property that no definition names."""
    draft = Draft(choices)
    ident = ""
    while not ident or grammar.definitions(ident):
        ident = draft.word("[A-Z]{1,2}").decode()
    draft.add((ident, [draft.word() for _ in range(choices.integer(1, 3))]), anywhere=True)
    return draft.data()


@violates("SGF115", "SGF116")
def long_identifier(choices: Choices, code: str) -> bytes:
    """Add a property with a long identifier."""
    draft = Draft(choices)
    length = choices.integer(3, 100) if code == "SGF115" else choices.integer(101, 300)
    ident = draft.word(f"[A-Z]{{{length}}}").decode()
    draft.add((ident, [draft.word()]), anywhere=True)
    return draft.data()


# --- Single games ---------------------------------------------------------------------


@violates("SGF832")
def several_initial_positions(choices: Choices) -> bytes:
    """Set the initial position of Hex in two nodes."""
    draft = Draft(choices, 11, leave_out=["game-info"])
    for _ in range(2):
        draft.add(("B", [draft.move()]), ("IP", [b""]))
    return draft.data()


#: Properties of one game that may not name the same point or stone.
_SHARED = {"SGF840": (18, ("AA", "AB")), "SGF851": (19, ("BO", "WO")), "SGF853": (19, ("CS", "MS"))}


@violates(*_SHARED)
def shared_point(choices: Choices, code: str) -> bytes:
    """Name a point or stone in two properties that exclude each other."""
    game, (first, second) = _SHARED[code]
    draft = Draft(choices, game, leave_out=["setup", "game-info"])
    raws = draft.points(choices.integer(1, 3))
    properties = [(first, raws), (second, [choices.choice(raws)])]
    if choices.chance(2):
        properties.reverse()
    if code == "SGF851":
        draft.root.properties += properties
    else:
        draft.add(*properties)
    return draft.data()


# --- Style --------------------------------------------------------------------------


@violates("SGF901")
def setup_instead_of_move(choices: Choices) -> bytes:
    """Write two moves as setup stones."""
    draft = Draft(choices, 1)
    first, second = draft.points(2)
    idents = choices.choice((("AB", "AW"), ("AW", "AB")))
    return _with_line(draft, [(idents[0], [first])], [(idents[1], [second])])


def _end_of_main_line(draft: Draft) -> tuple[NewNode, str]:
    """The last node of the main line, and who moved last."""
    node, turn = draft.root, "W"
    while node.children:
        node = node.children[0]
        turn = next((ident for ident, _ in node.properties if ident in ("B", "W")), turn)
    return node, turn


@violates("SGF902")
def trailing_pass(choices: Choices) -> bytes:
    """End the main line with a pass."""
    draft = Draft(choices, context=Context(1, choices.integer(1, 4), (19, 19)))
    node, turn = _end_of_main_line(draft)
    written = b"" if draft.context.file_format == 4 and choices.chance(2) else b"tt"
    node.children.append(NewNode([("B" if turn == "W" else "W", [written])]))
    return draft.data()


@violates("SGF903")
def trailing_empty_node(choices: Choices) -> bytes:
    """End a variation with empty nodes."""
    draft = Draft(choices)
    leaves = [node for node in draft.root.nodes() if not node.children]
    choices.choice(leaves).children.append(_line(*([[]] * choices.integer(1, 3))))
    return draft.data()


@violates("SGF904")
def game_info_in_comment(choices: Choices) -> bytes:
    """Write game information into a comment."""
    draft = Draft(choices, leave_out=["game-info"])
    label = choices.choice((b"Black", b"White", b"Result", b"Date", b"Komi"))
    before = choices.choice((b"", b"The game. ", b"Round 1, "))
    draft.in_root("C", before + label + choices.choice((b": ", b" : ", b":")) + draft.word())
    return draft.data()
