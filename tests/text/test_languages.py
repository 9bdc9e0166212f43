"""What texts cost in the models of languages, by which charsets are guessed: each of the bits."""

from __future__ import annotations

from math import log2

from sgf_lark import grammar
from sgf_lark.text.languages import DecodedText, Model, models
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


@for_each(
    [
        ("", 0),
        ("abc", 0),
        ("é", 0),
        (INVALID, 1),
        (f"é{INVALID}", 1 / 2),
        (f"é{INVALID}{INVALID}", 2 / 3),
        (f"aaaa{INVALID}", 1),
        (f"ééé{INVALID}", 1 / 4),
    ]
)
def test_share_of_invalid_characters(text: str, share: float) -> None:
    assert DecodedText("UTF-8", text).invalid_share == share


@for_each(
    [
        ("", 0),
        ("ab", 12),
        ("é", 5 + 8.0),  # nothing but one letter
        ("aé", 6 + 5),
        ("a¶", 6 + 13),
        ("aÃ¶", 6 + 5 + 13 + 10.0 + 8.0),
        ("aéé棋", 6 + 3 * 5),
        (INVALID, 22),
        (f"a{INVALID}é", 6 + 22 + 5),
        ("A", 2.5 + 6),
    ]
)
def test_unknown_language(text: str, bits: float) -> None:
    assert DecodedText("UTF-8", text).unknown_cost(5) == bits


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


def test_models_of_the_languages() -> None:
    made = {model.language.name: model for model in models()}
    assert [*made] == [language.name for language in grammar.languages()]
    for model in made.values():
        language = model.language
        assert [model.bits[character] for character in "az~\n"] == [6.0] * 4
        assert [model.bits[character] for character in f"{INVALID}\x80\x9f"] == [22.0] * 3
        share, characters = language.characters[0]
        frequent = [each for each in characters if each > "\x9f"]
        assert {model.bits[each] for each in frequent} == {log2(100 * len(characters) / share)}
        assert model.savings.keys() == {*language.words}
        for word, saving in model.savings.items():
            whole = sum(model.bits.get(character, 18.0) for character in word)
            assert saving == max(whole - 9, 0)
        for surname, saving in model.surnames.items():
            cost = log2(len(language.surnames))
            assert saving == max(model.bits.get(surname, 18.0) - cost, 0)
        if language.block:
            _, codec, first, last = language.block
            for lead in (first, last):
                assert bytes((lead, 0xA1)).decode(codec, "replace")[0] in model.bits
