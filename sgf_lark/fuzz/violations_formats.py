"""Values out of range, or not in the form or sense that their property asks for: 4xx, and
those of single games (8xx)."""

from __future__ import annotations

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices
from sgf_lark.fuzz.violations_scene import Scene, breaks, near_miss
from sgf_lark.fuzz.violations_values import (
    SIGNS,
    of_formats,
    scene_for,
    without_format,
)
from sgf_lark.model.values import Context, Point
from sgf_lark.syntax import values as value_grammar

# --- Ranges and formats ---------------------------------------------------------------


@breaks("SGF402", "SGF403", "SGF405", "SGF406", "SGF407", "SGF408")
def what_the_tree_says_of_itself(choices: Choices, code: str) -> bytes:
    """The tree is one that conforms when it is read as the wrong value makes readers read it."""
    number = choices.integer(5, 99)
    side, other = choices.integer(2, 19), choices.integer(20, 52)
    default = Context(1, 4, (19, 19))
    made: dict[str, tuple[str, bytes, Context]] = {
        "SGF402": ("FF", b"%d" % number, default),
        "SGF403": ("GM", choices.choice((b"0", b"", b"-1", b"x", b"1.0")), default),
        "SGF405": ("SZ", choices.choice((b"0", b"-%d" % side, b"", b"%d:" % side, b"x")), default),
        "SGF406": ("SZ", b"%d:%d" % (side, side), default._replace(size=(side, side))),
        "SGF407": ("SZ", b"%d" % (52 + side), default._replace(size=(52, 52))),
        "SGF408": ("SZ", b"%dx%d" % (side, other), default),
    }
    ident, raw, context = made[code]
    if code == "SGF402" and choices.chance(2):
        raw = choices.choice((b"0", b"", b"-4", b"four", b"00"))
        context = default._replace(file_format=1)
    scene = Scene(choices, context=context)
    scene.in_root(ident, raw)
    return scene.data()


@breaks("SGF404")
def unlisted_game(choices: Choices) -> bytes:
    last = max(grammar.games())
    return Scene(choices, context=Context(last + choices.integer(1, 100), 4, None)).data()


@breaks("SGF412")
def figure_flags(choices: Choices) -> bytes:
    scene = Scene(choices)
    flags = choices.integer(0, 1) + choices.choice([8, 16, 32, 64, 128, 1024, 65536, -2])
    scene.place(scene.define("FG"), b"%d:" % flags + scene.word())
    return scene.data()


@breaks("SGF411")
def figure_without_name(choices: Choices) -> bytes:
    scene = Scene(choices)
    scene.place(scene.define("FG"), scene.word("[a-z0-9]{1,5}( [a-z0-9]{1,5})?"))
    return scene.data()


@breaks("SGF414")
def handicap_without_setup(choices: Choices) -> bytes:
    scene = Scene(choices, 1, leave_out=["setup", "game-info"])
    stones = scene.points(choices.integer(0, 5))
    if stones:
        scene.in_root("AB", *stones)
    wrong = [count for count in range(2, 10) if count != len(stones)]
    scene.in_root("HA", b"%d" % choices.choice(wrong))
    return scene.data()


@breaks("SGF417")
def negative_time(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, of_formats("seconds"))
    scene.place(entry, b"-" + scene.word("[1-9][0-9]{0,3}([.][0-9])?"))
    return scene.data()


def _date(choices: Choices) -> tuple[int, int, int]:
    return choices.integer(1900, 2099), choices.integer(1, 12), choices.integer(1, 28)


@breaks("SGF418")
def date_in_another_form(choices: Choices) -> bytes:
    year, month, day = _date(choices)
    forms = ("{0}/{1:02}/{2:02}", "{0}.{1:02}.{2:02}", "{0}-{1}-{2}-1", "{2:02}-{1:02}-{0}")
    form = choices.choice((*forms, "{0}{1:02}{2:02}", "on {0}-{1:02}-{2:02}", "{0}-{1:02}/{2:02}"))
    return _with_info(choices, "DT", form.format(year, month, day).encode())


@breaks("SGF419")
def date_out_of_place(choices: Choices) -> bytes:
    year, month, day = _date(choices)
    forms = ("{0},{1:02}", "{0},{1:02}-{2:02}", "{1:02}-{2:02}", "{0}-{1:02}-{2:02}, {2:02}")
    form = choices.choice((*forms, "{0},", ",{0}", "{0}-{1:02},,{0}", "{0} ,{0}"))
    return _with_info(choices, "DT", form.format(year, month, day).encode())


@breaks("SGF420")
def no_such_date(choices: Choices) -> bytes:
    year, month, day = _date(choices)
    wrong = choices.choice(
        (
            (year, choices.integer(13, 99), day),
            (year, month, choices.integer(32, 99)),
            (year, 0, day),
            (year, choices.choice((4, 6, 9, 11)), 31),
            (year // 4 * 4 + choices.integer(1, 3), 2, 29),
        )
    )
    return _with_info(choices, "DT", b"%04d-%02d-%02d" % wrong)


@breaks("SGF421")
def date_without_shortcut(choices: Choices) -> bytes:
    year, month, day = _date(choices)
    text = f"{year}-{month:02}-{day:02},{year}-{month:02}-{choices.integer(1, 28):02}"
    return _with_info(choices, "DT", text.encode())


def _with_info(choices: Choices, ident: str, raw: bytes) -> bytes:
    """A game of Go with that and other game information."""
    scene = Scene(choices, 1, leave_out=["game-info"])
    scene.in_root(ident, raw)
    for other in choices.some(("PB", "PW", "EV", "GN", "PC"), 2):
        scene.in_root(other, scene.word())
    return scene.data()


@breaks("SGF424")
def zero_margin(choices: Choices) -> bytes:
    raw = choices.choice((b"B+", b"W+")) + choices.choice((b"0", b"0.0", b"00", b"0.00"))
    return _with_info(choices, "RE", raw)


@breaks("SGF425")
def rules_name(choices: Choices) -> bytes:
    scene = Scene(choices, 1, leave_out=["game-info"])
    names = [name.encode() for name in grammar.rule("SGF425").data]
    name = choices.choice(names)
    raw = choices.choice((name, name.title(), name.upper(), name + b" "))
    scene.in_root("RU", name if value_grammar.pattern("rules").fullmatch(raw) else raw)
    return scene.data()


# --- Single games ----------------------------------------------------------------------


@breaks("SGF813")
def cube_value(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, of_formats("cube_value"))
    scene.place(entry, b"%d" % (2 ** choices.integer(1, 8) + 1))
    return scene.data()


@breaks("SGF814")
def resignation_without_points(choices: Choices) -> bytes:
    scene = Scene(choices, 6, leave_out=["game-info"])
    scene.in_root("RE", choices.choice((b"B+R", b"W+R", b"B+Resign", b"W+Resign")))
    return scene.data()


@breaks("SGF815", "SGF817")
def match_info(choices: Choices, code: str) -> bytes:
    scene = Scene(choices, 6, leave_out=["game-info"])
    tag, number = scene.values.word("match_info").split(b":")
    raws = [tag + b":" + number, tag.swapcase() + b":" + number]
    if code == "SGF815":
        raws = [tag + b":" + near_miss(scene, "number", SIGNS)]
    scene.in_root("MI", *raws)
    return scene.data()


@breaks("SGF816")
def size_in_backgammon(choices: Choices) -> bytes:
    scene = Scene(choices, 6)
    scene.in_root("SZ", b"%d" % choices.integer(1, 52))
    return scene.data()


@breaks("SGF831")
def hex_board_size(choices: Choices) -> bytes:
    least, most = grammar.rule("SGF831").data["sides"]
    side = choices.choice((choices.integer(1, least - 1), choices.integer(most + 1, 99)))
    return Scene(choices, context=Context(11, 4, (side, side))).data()


@breaks("SGF834")
def viewer_setting(choices: Choices) -> bytes:
    scene = Scene(choices, 11, leave_out=["root"])
    key, value = scene.values.word("viewer_settings").split(b":")
    other = scene.word("[a-z]{4,8}")
    scene.in_root("IS", choices.choice((key + b":" + other, other + b":" + value)))
    return scene.data()


@breaks("SGF850")
def octi_rules(choices: Choices) -> bytes:
    scene = Scene(choices, 19, leave_out=["game-info"])
    scene.in_root("RU", scene.word("[a-z]{1,3}:[a-z]{1,5}"))
    return scene.data()


@breaks("SGF861")
def gess_perimeter(choices: Choices) -> bytes:
    scene = Scene(choices, 20)
    columns, rows = scene.context.size or (20, 20)
    inner = Point(choices.integer(1, columns - 2), choices.integer(1, rows - 2))
    edge = choices.choice(
        (
            Point(choices.choice((0, columns - 1)), choices.integer(0, rows - 1)),
            Point(choices.integer(0, columns - 1), choices.choice((0, rows - 1))),
        )
    )
    ends = choices.choice(((inner, edge), (edge, inner)))
    scene.add((choices.choice("BW"), [b":".join(map(scene.values.written, ends))]))
    return scene.data()


@breaks("SGF905")
def long_label(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, lambda entry: entry.unique == "label")
    scene.place(entry, choices.choice(scene.points(1)) + b":" + scene.word("[A-Za-z0-9]{3,9}"))
    return scene.data()


@breaks("SGF906")
def oversized_number(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, without_format("number"))
    sign = choices.choice((b"", b"-", b"+"))
    scene.place(
        entry, sign + b"%d" % (2**63 + 1 + choices.integer(0, 2**40)) + scene.word("[0-9]*")
    )
    return scene.data()


@breaks("SGF907")
def empty_territory(choices: Choices) -> bytes:
    scene, entry = scene_for(choices, lambda entry: entry.unique == "territory")
    scene.place(entry, b"")
    return scene.data()
