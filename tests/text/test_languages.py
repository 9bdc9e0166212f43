"""What texts cost in the models of languages, where no guess of `test_guesses.py` shows it."""

from __future__ import annotations

from sgf_lark import grammar
from sgf_lark.text.languages import DecodedText, Model
from tests.kit.tables import for_each

INVALID = "\N{REPLACEMENT CHARACTER}"


@for_each(
    [
        ("abc", 0),
        ("Abc", 2.5),
        ("Abc Def", 5.0),
        ("АБ", 2.5),  # only the first of some upper-case letters
        ("ABC", 2.5),
        ("aB", 8.0),
        ("ABc", 2.5 + 8.0),
        ("aBc", 8.0),
        ("éàü", 8.0),
        ("éàüéàü", 16.0),
        ("éaüéa", 0),
        ("aж", 8.0),
        ("жa", 8.0),
        ("a ж", 0),
        ("棋a", 0),
        ("a棋a", 10.0),  # one character of East Asia within a word
        ("A棋A", 5.0),
        ("a棋棋a", 0),
        ("³\\a", 10.0),  # a "\\" that escapes nothing
        ("³\\]", 0),
        ("GÃ¶ran", 2.5 + 10.0),  # what UTF-8 becomes
        ("é", 8.0),  # all of a value
        ("pb[éü", 8.0),
        ("é a", 0),
        ("ԯБ", 8.0),  # the last of the lower-case letters
    ]
)
def test_unusual_spelling(text: str, bits: float) -> None:
    assert DecodedText("UTF-8", text).spelling_cost == bits


LANGUAGE = grammar.languages()[0]
BITS = {"a": 1.0, "b": 2.0, "c": 3.0, " ": 0.5, "\n": 0.0, "p": 0.0, "[": 0.0, "柯": 4.0, "洁": 4.0}
SAVINGS = {"bc": 1.0, "ca": 0.25, "abc": 2.0}


@for_each(
    [
        ("", 0),
        ("aab", 1 + 1 + 2),
        ("x", 18),
        ("aax", 1 + 1 + 18),
        ("Ab", 2.5 + 1 + 2),
        # Of the words the longest counts, each as often as it occurs.
        ("abc", 6 - 2),
        ("abc abc", 12 + 0.5 - 4),
        ("abc bc bc", 6 + 10 + 1 - 4),
        ("Bc", 2.5 + 5 - 1),
        ("bca", 6 - 1),
        ("bcaca", 10 - 1 - 0.25),
        ("cabc", 9 - 2),
        # A surname counts at the start of a name only.
        ("pb[柯洁", 2 + 8 - 1.5),
        ("pw[柯洁", 18 + 8 - 1.5),
        ("pb[洁柯", 2 + 8),
        ("pc[柯", 3 + 4),
        ("apb[柯", 1 + 2 + 4),
    ]
)
def test_known_language(text: str, bits: float) -> None:
    model = Model(LANGUAGE, BITS, SAVINGS, {"柯": 1.5})
    assert model.cost(DecodedText("UTF-8", text)) == bits
    without = Model(LANGUAGE, BITS, SAVINGS, {})
    saved = 1.5 if text in ("pb[柯洁", "pw[柯洁") else 0
    assert without.cost(DecodedText("UTF-8", text)) == bits + saved
