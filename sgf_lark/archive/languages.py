"""The likely language of the texts of a game."""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.text.languages import Reading, models

#: At most this number of characters is looked at, and at least that number is needed.
_MOST = 2000
_LEAST = 20
#: The bits by which a language has to be likelier than all others, for each character.
_MARGIN = 0.01
#: Words that show that a text of ASCII characters, which cost the same in all languages, is
#: English: a share of them is needed.
_ENGLISH = frozenset(
    [
        *("a", "and", "are", "at", "but", "for", "in", "is", "it", "not", "of", "on", "that"),
        *("the", "this", "to", "was", "with"),
    ]
)
_ENGLISH_SHARE = 0.1


def language_of(texts: Iterable[str]) -> str | None:
    """The name of the language, as in ``languages.toml``; None where it is not known."""
    parts: list[str] = []
    length = 0
    for text in texts:
        parts.append(text[: _MOST - length])
        length += len(parts[-1])
        if length >= _MOST:
            break
    text = "\n".join(parts)
    if length < _LEAST:
        return None
    if text.isascii():
        words = text.lower().split()
        return "English" if _share_of_english(words) >= _ENGLISH_SHARE else None
    reading = Reading("", text)
    costs = sorted((model.cost(reading), model.language.name) for model in models())
    (least, name), (second, _) = costs[:2]
    return name if second - least > _MARGIN * len(text) else None


def _share_of_english(words: list[str]) -> float:
    return sum(word in _ENGLISH for word in words) / max(1, len(words))
