"""The validator: every rule on every node, then a report.

Each rule is a small function in one of the modules here, under its code; what it
says and how grave that is stands in ``rules.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from sgf_lark import grammar
from sgf_lark.diagnostics import LANGUAGES, Language
from sgf_lark.engine import Engine
from sgf_lark.engine.columns import columns_of
from sgf_lark.flat import DamagedTree
from sgf_lark.grammar import CharsetMode
from sgf_lark.model.context import FILE_FORMATS
from sgf_lark.validation.planning import plan
from sgf_lark.validation.report import Report
from sgf_lark.validation.run import Examination
from sgf_lark.validation.trees import CollectionView, plain_view

if TYPE_CHECKING:
    from sgf_lark.text.decoding import Decoding

PROFILES = ("strict", "default", "archive")


def validate(
    data: bytes | str,
    *,
    profile: str = "strict",
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    charset: str | None = None,
    default_charset: str | None = None,
    charset_mode: CharsetMode = "auto",
    file_format: int | None = None,
    game: int | None = None,
    engine: Engine = "tables",
    language: Language = "en",
) -> Report:
    """Everything that `data` breaks, as a Report. Bad input never raises.

    `data` is the content of a file; a `str` is taken as UTF-8. `profile` is
    "strict" (the letter of the specification), "default" (what every reader
    should object to) or "archive" (what loses or distorts information).
    `select` and `ignore` are codes or beginnings of codes: only those, or all
    but those. `charset`, `default_charset` and `charset_mode` tell how text is
    decoded, as for :func:`sgf_lark.loads`. `file_format` (1 to 4) and `game` (from
    1) go before FF and GM. With the `engine` "lark" the structure is read by Lark,
    and rules look at every node and value, whatever they said before; what is found is
    the same. `language` is that of the messages, "en" or "zh". Raises ValueError for a
    profile, charset mode, file format, game, engine or language that does not exist,
    LookupError for an unknown charset.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language: {language!r}; one of {', '.join(LANGUAGES)}")
    if profile not in PROFILES:
        raise ValueError(f"unknown profile: {profile!r}; one of {', '.join(PROFILES)}")
    if file_format is not None and file_format not in FILE_FORMATS:
        raise ValueError(f"no such file format: {file_format}")
    if game is not None and game < 1:
        raise ValueError(f"no such game: {game}")
    if isinstance(data, str):
        data, charset = data.encode("utf-8", "surrogatepass"), charset or "UTF-8"
    wanted = codes(select, ignore)
    given = charset, default_charset, file_format, game
    if engine == "tables" and charset_mode == "auto" and given == (None, None, None, None):
        collection = plain_view(data)
        if collection is not None:
            return Examination(plan(profile, wanted, True), language, collection).report
    from sgf_lark.text.decoding import decodings

    found = decodings(data, charset=charset, default_charset=default_charset, mode=charset_mode)
    return examine(
        found,
        profile,
        wanted,
        file_format=file_format,
        game=game,
        engine=engine,
        language=language,
    ).report


def examine(
    found: list[Decoding],
    profile: str,
    codes: frozenset[str],
    *,
    file_format: int | None = None,
    game: int | None = None,
    engine: Engine = "tables",
    language: Language = "en",
) -> Examination:
    """All findings under the first of these readings that makes sense."""
    from sgf_lark.parser import parse_best

    best = parse_best(found, engine)
    damaged = None
    if best is None:
        reading, damaged = _mend(found, engine)
        best = reading, damaged.flat
    collection = CollectionView(columns_of(best[1]), best[0], file_format, game)
    return Examination(plan(profile, codes, engine == "tables"), language, collection, damaged)


def _mend(found: list[Decoding], engine: Engine) -> tuple[Decoding, DamagedTree]:
    """The first reading of a damaged file under which its texts have a meaning, or else
    the first."""
    from sgf_lark.parser import has_meaning
    from sgf_lark.tolerant import parse_tolerant

    trees = []
    for reading in found:
        damaged = parse_tolerant(reading.data, engine)
        if len(found) == 1 or has_meaning(reading, damaged.flat):
            return reading, damaged
        trees.append((reading, damaged))
    return trees[0]


def codes(select: Iterable[str] | None, ignore: Iterable[str] | None) -> frozenset[str]:
    """The codes of the catalogue that are selected and not ignored, by their beginnings."""
    return _codes(None if select is None else tuple(select), tuple(ignore or ()))


@lru_cache(maxsize=32)
def _codes(wanted: tuple[str, ...] | None, unwanted: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        code
        for code in grammar.codes()
        if (wanted is None or code.startswith(wanted)) and not code.startswith(unwanted)
    )
