"""Recipes for violations of the rules of FF[1] to FF[3] (43x)."""

from __future__ import annotations

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices
from sgf_lark.fuzz.violations_base import Draft, violates
from sgf_lark.fuzz.violations_values import corners, definitions, kind_of
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.values import Context


@violates("SGF430")
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
    draft = Draft(choices, context=context, leave_out=[entry.type, "setup"])
    raws = [b"UTF-8"] if entry.format == "charset" else draft.valid(entry)
    if entry.ident == "VW" or kind_of(entry) in {"point", "stone"}:
        raws = draft.points(2)[: 2 if entry.takes_many else 1]
    draft.place(entry, *raws)
    return draft.data()


def _only_meaning(entry: PropertyDefinition) -> bool:
    return len(grammar.definitions(entry.ident)) == 1 and entry.format not in {
        "hex_initial_position"
    }


@violates("SGF432")
def integer_komi(choices: Choices) -> bytes:
    """Write KI, the komi in half points of one old program."""
    draft = Draft(choices, 1, choices.integer(1, 2), leave_out=["game-info"])
    draft.in_root("KI", b"%d" % choices.integer(-20, 20))
    return draft.data()


@violates("SGF433")
def board_before_ff4(choices: Choices) -> bytes:
    """Set a board that older file formats do not allow."""
    side = choices.integer(20, 52), choices.integer(2, 10)
    size = (side[0], side[0]) if choices.chance(2) else (side[1], side[1] + choices.integer(1, 9))
    context = Context(1, choices.integer(1, 3), size)
    return Draft(choices, context=context, leave_out=["setup"]).data()


@violates("SGF434")
def empty_pass_before_ff4(choices: Choices) -> bytes:
    """Write an empty pass in an older file format."""
    draft = Draft(choices, 1, choices.integer(1, 3))
    draft.add((choices.choice("BW"), [b""]), ("C", [draft.word()]))
    return draft.data()


@violates("SGF435", "SGF437")
def points_before_ff4(choices: Choices, code: str) -> bytes:
    """Write point lists that older file formats do not allow."""
    size = choices.integer(7, 19)
    context = Context(1, choices.integer(1, 3), (size, size))
    draft = Draft(choices, context=context, leave_out=["setup"])
    if code == "SGF435":
        draft.place(draft.define("VW"), *draft.points(choices.choice((1, 3, 4, 5))))
        return draft.data()
    entries = definitions(
        lambda entry: (
            kind_of(entry) in {"point", "stone"}
            and not entry.games
            and context.file_format in entry.file_formats
            and entry.ident != "AE"
        )
    )
    draft.place(choices.choice(entries), b":".join(map(draft.values.write, corners(draft))))
    return draft.data()


@violates("SGF436")
def long_label_in_ff3(choices: Choices) -> bytes:
    """Write a label that is too long for FF[3]."""
    draft = Draft(choices, 1, 3)
    (point,) = draft.points(1)
    draft.place(draft.define("LB"), point + b":" + draft.word("[A-Za-z0-9]{5,9}"))
    return draft.data()


@violates("SGF438")
def loose_format_before_ff4(choices: Choices) -> bytes:
    """Write a date, a result, a time or the name of rules in a free form of older formats."""
    ident = choices.choice(("DT", "RE", "TM", "RU"))
    file_format = 3 if ident == "RU" else choices.integer(1, 3)
    draft = Draft(choices, 1, file_format, leave_out=["game-info"])
    names = list(grammar.rule("SGF425").data)
    free = draft.word("[1-9][0-9] [a-z]{1,5}" if ident == "TM" else "[A-Za-z]{3,9} [a-z]{1,5}")
    draft.in_root(ident, choices.choice(names).encode() if ident == "RU" else free)
    return draft.data()


@violates("SGF439")
def missing_file_format(choices: Choices) -> bytes:
    """Remove FF."""
    draft = Draft(choices, file_format=1)
    draft.root.properties = [one for one in draft.root.properties if one[0] != "FF"]
    return draft.data()
