"""Recipes for violations of the rules of value ranges and formats (4xx) and of games (8xx)."""

from __future__ import annotations

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices
from sgf_lark.fuzz.violations_base import Draft, near_miss, violates
from sgf_lark.fuzz.violations_values import (
    NEAR_MISS_BYTES,
    draft_for,
    of_formats,
    without_format,
)
from sgf_lark.model.values import Context, Point
from sgf_lark.syntax import values as value_grammar

# --- Ranges and formats ---------------------------------------------------------------


@violates("SGF402", "SGF403", "SGF405", "SGF406", "SGF407", "SGF408")
def invalid_root_property(choices: Choices, code: str) -> bytes:
    """Set FF, GM or SZ; the tree conforms in the format, game and board that readers assume."""
    number = choices.integer(5, 99)
    side, other = choices.integer(2, 19), choices.integer(20, 52)
    default = Context(1, 4, (19, 19))
    variants: dict[str, tuple[str, bytes, Context]] = {
        "SGF402": ("FF", b"%d" % number, default),
        "SGF403": ("GM", choices.choice((b"0", b"", b"-1", b"x", b"1.0")), default),
        "SGF405": ("SZ", choices.choice((b"0", b"-%d" % side, b"", b"%d:" % side, b"x")), default),
        "SGF406": ("SZ", b"%d:%d" % (side, side), default._replace(size=(side, side))),
        "SGF407": ("SZ", b"%d" % (52 + side), default._replace(size=(52, 52))),
        "SGF408": ("SZ", b"%dx%d" % (side, other), default),
    }
    ident, raw, context = variants[code]
    if code == "SGF402" and choices.chance(2):
        raw = choices.choice((b"0", b"", b"-4", b"four", b"00"))
        context = default._replace(file_format=1)
    draft = Draft(choices, context=context)
    draft.in_root(ident, raw)
    return draft.data()


@violates("SGF404")
def unlisted_game(choices: Choices) -> bytes:
    """Set GM to a number that is not in the list of games."""
    last = max(grammar.games())
    return Draft(choices, context=Context(last + choices.integer(1, 100), 4, None)).data()


@violates("SGF412")
def figure_flags(choices: Choices) -> bytes:
    """Write a figure with undefined flags."""
    draft = Draft(choices)
    flags = choices.integer(0, 1) + choices.choice([8, 16, 32, 64, 128, 1024, 65536, -2])
    draft.place(draft.define("FG"), b"%d:" % flags + draft.word())
    return draft.data()


@violates("SGF411")
def figure_without_name(choices: Choices) -> bytes:
    """Write a figure without flags and colon."""
    draft = Draft(choices)
    draft.place(draft.define("FG"), draft.word("[a-z0-9]{1,5}( [a-z0-9]{1,5})?"))
    return draft.data()


@violates("SGF414")
def handicap_without_setup(choices: Choices) -> bytes:
    """Set a handicap that is not the number of handicap stones."""
    draft = Draft(choices, 1, leave_out=["setup", "game-info"])
    stones = draft.points(choices.integer(0, 5))
    if stones:
        draft.in_root("AB", *stones)
    wrong = [count for count in range(2, 10) if count != len(stones)]
    draft.in_root("HA", b"%d" % choices.choice(wrong))
    return draft.data()


@violates("SGF417")
def negative_time(choices: Choices) -> bytes:
    """Write a negative time."""
    draft, entry = draft_for(choices, of_formats("seconds"))
    draft.place(entry, b"-" + draft.word("[1-9][0-9]{0,3}([.][0-9])?"))
    return draft.data()


def _date(choices: Choices) -> tuple[int, int, int]:
    return choices.integer(1900, 2099), choices.integer(1, 12), choices.integer(1, 28)


@violates("SGF418")
def date_in_another_form(choices: Choices) -> bytes:
    """Write a date that is not in ISO order or has other separators."""
    year, month, day = _date(choices)
    forms = ("{0}/{1:02}/{2:02}", "{0}.{1:02}.{2:02}", "{0}-{1}-{2}-1", "{2:02}-{1:02}-{0}")
    form = choices.choice((*forms, "{0}{1:02}{2:02}", "on {0}-{1:02}-{2:02}", "{0}-{1:02}/{2:02}"))
    return _with_info(choices, "DT", form.format(year, month, day).encode())


@violates("SGF419")
def date_out_of_place(choices: Choices) -> bytes:
    """Write a list of dates with a malformed abbreviation."""
    year, month, day = _date(choices)
    forms = ("{0},{1:02}", "{0},{1:02}-{2:02}", "{1:02}-{2:02}", "{0}-{1:02}-{2:02}, {2:02}")
    form = choices.choice((*forms, "{0},", ",{0}", "{0}-{1:02},,{0}", "{0} ,{0}"))
    return _with_info(choices, "DT", form.format(year, month, day).encode())


@violates("SGF420")
def no_such_date(choices: Choices) -> bytes:
    """Write a date that is not in the calendar."""
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


@violates("SGF421")
def date_without_shortcut(choices: Choices) -> bytes:
    """Write two dates of a month in full."""
    year, month, day = _date(choices)
    text = f"{year}-{month:02}-{day:02},{year}-{month:02}-{choices.integer(1, 28):02}"
    return _with_info(choices, "DT", text.encode())


def _with_info(choices: Choices, ident: str, raw: bytes) -> bytes:
    """Return a game of Go with that game information and other."""
    draft = Draft(choices, 1, leave_out=["game-info"])
    draft.in_root(ident, raw)
    for other in choices.some(("PB", "PW", "EV", "GN", "PC"), 2):
        draft.in_root(other, draft.word())
    return draft.data()


@violates("SGF441")
def implausible_komi(choices: Choices) -> bytes:
    """Write a komi in hundredths."""
    draft = Draft(choices, 1, leave_out=["game-info"])
    draft.in_root("KM", b"%d" % (choices.choice((-1, 1)) * choices.integer(1000, 100000)))
    return draft.data()


@violates("SGF424")
def zero_margin(choices: Choices) -> bytes:
    """Write a win by zero points."""
    raw = choices.choice((b"B+", b"W+")) + choices.choice((b"0", b"0.0", b"00", b"0.00"))
    return _with_info(choices, "RE", raw)


@violates("SGF425")
def rules_name(choices: Choices) -> bytes:
    """Write the name of a ruleset in another spelling than the fixed one."""
    draft = Draft(choices, 1, leave_out=["game-info"])
    names = [name.encode() for name in grammar.rule("SGF425").data]
    name = choices.choice(names)
    raw = choices.choice((name, name.title(), name.upper(), name + b" "))
    draft.in_root("RU", name if value_grammar.pattern("rules").fullmatch(raw) else raw)
    return draft.data()


# --- Single games ----------------------------------------------------------------------


@violates("SGF813")
def cube_value(choices: Choices) -> bytes:
    """Write a value of the doubling cube that is not a power of two."""
    draft, entry = draft_for(choices, of_formats("cube_value"))
    draft.place(entry, b"%d" % (2 ** choices.integer(1, 8) + 1))
    return draft.data()


@violates("SGF814")
def resignation_without_points(choices: Choices) -> bytes:
    """Write a resignation in backgammon without its points."""
    draft = Draft(choices, 6, leave_out=["game-info"])
    draft.in_root("RE", choices.choice((b"B+R", b"W+R", b"B+Resign", b"W+Resign")))
    return draft.data()


@violates("SGF815", "SGF817")
def match_info(choices: Choices, code: str) -> bytes:
    """Write match information with a malformed number or twice."""
    draft = Draft(choices, 6, leave_out=["game-info"])
    tag, number = draft.values.word("match_info").split(b":")
    raws = [tag + b":" + number, tag.swapcase() + b":" + number]
    if code == "SGF815":
        raws = [tag + b":" + near_miss(draft, "number", NEAR_MISS_BYTES)]
    draft.in_root("MI", *raws)
    return draft.data()


@violates("SGF816")
def size_in_backgammon(choices: Choices) -> bytes:
    """Set a board size in backgammon."""
    draft = Draft(choices, 6)
    draft.in_root("SZ", b"%d" % choices.integer(1, 52))
    return draft.data()


@violates("SGF831")
def hex_board_size(choices: Choices) -> bytes:
    """Set a board size that Hex does not have."""
    least, most = grammar.rule("SGF831").data["sides"]
    side = choices.choice((choices.integer(1, least - 1), choices.integer(most + 1, 99)))
    return Draft(choices, context=Context(11, 4, (side, side))).data()


@violates("SGF834")
def viewer_setting(choices: Choices) -> bytes:
    """Write a viewer setting of Hex with an unknown key or value."""
    draft = Draft(choices, 11, leave_out=["root"])
    key, value = draft.values.word("viewer_settings").split(b":")
    other = draft.word("[a-z]{4,8}")
    draft.in_root("IS", choices.choice((key + b":" + other, other + b":" + value)))
    return draft.data()


@violates("SGF850")
def octi_rules(choices: Choices) -> bytes:
    """Write malformed rules of Octi."""
    draft = Draft(choices, 19, leave_out=["game-info"])
    draft.in_root("RU", draft.word("[a-z]{1,3}:[a-z]{1,5}"))
    return draft.data()


@violates("SGF861")
def gess_perimeter(choices: Choices) -> bytes:
    """Write a move of Gess from or to the edge."""
    draft = Draft(choices, 20)
    columns, rows = draft.context.size or (20, 20)
    inner = Point(choices.integer(1, columns - 2), choices.integer(1, rows - 2))
    edge = choices.choice(
        (
            Point(choices.choice((0, columns - 1)), choices.integer(0, rows - 1)),
            Point(choices.integer(0, columns - 1), choices.choice((0, rows - 1))),
        )
    )
    ends = choices.choice(((inner, edge), (edge, inner)))
    draft.add((choices.choice("BW"), [b":".join(map(draft.values.write, ends))]))
    return draft.data()


@violates("SGF905")
def long_label(choices: Choices) -> bytes:
    """Write a label of more than two characters."""
    draft, entry = draft_for(choices, lambda entry: entry.unique == "label")
    draft.place(entry, choices.choice(draft.points(1)) + b":" + draft.word("[A-Za-z0-9]{3,9}"))
    return draft.data()


@violates("SGF906")
def oversized_number(choices: Choices) -> bytes:
    """Write a number of more than 64 bits."""
    is_number = without_format("number")
    draft, entry = draft_for(choices, lambda entry: is_number(entry) and not entry.has_range)
    sign = choices.choice((b"", b"-", b"+"))
    draft.place(
        entry, sign + b"%d" % (2**63 + 1 + choices.integer(0, 2**40)) + draft.word("[0-9]*")
    )
    return draft.data()


@violates("SGF907")
def empty_territory(choices: Choices) -> bytes:
    """Write an empty list of territory."""
    draft, entry = draft_for(choices, lambda entry: entry.unique == "territory")
    draft.place(entry, b"")
    return draft.data()
