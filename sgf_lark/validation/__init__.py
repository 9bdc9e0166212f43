"""Validation: decode, parse, ask the rules, report."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark import grammar
from sgf_lark.diagnostics import LANGUAGES, Language
from sgf_lark.grammar import PROFILES, CharsetMode
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import DEFAULT_OPTIONS, ReadingOptions
from sgf_lark.syntax import Engine
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.validation.report import Findings, PlacedFinding, Report
from sgf_lark.validation.runner import ActiveRules, Runner

if TYPE_CHECKING:
    from sgf_lark.syntax.tolerant import Damage

#: What a profile was called before.
_OLD_NAMES = {"default": "interchange"}

#: Of each rule at most this number of places in a file is listed by default.
MAX_PER_RULE = 1000


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
    max_per_rule: int | None = MAX_PER_RULE,
) -> Report:
    """The violations in `data`, as a Report. Bad input never raises.

    `data` is the content of a file; a `str` is encoded in UTF-8 first. `profile` is
    "strict" (the specification as written, with hints), "interchange" (what a reader must be able
    to rely on) or "archive" (what loses or distorts content).
    `select` and `ignore` are codes or beginnings of codes: only those rules, or all
    but those. `charset`, `default_charset` and `charset_mode` choose how text is
    decoded, as for :func:`sgf_lark.loads`. `file_format` (1 to 4) and `game` (from
    1) override FF and GM. With the `engine` "lark" Lark parses the file and each value, and every
    rule is asked about every node and value; the result is the same. `language` is that of the
    messages, "en" or "zh". Of each rule the first `max_per_rule` places are listed, and the others
    counted in ``report.omitted``, so that memory is bounded where one cause breaks a rule a million
    times; None lists all. Raises ValueError for a profile, charset mode, file format, game, engine
    or language that does not exist, LookupError for an unknown charset.
    """
    options = ReadingOptions(charset, default_charset, charset_mode, file_format, game, engine)
    codes = selected_codes(select, ignore)
    return validate_file(data, options, profile, codes, language, max_per_rule).report


class ValidatedFile(NamedTuple):
    """A file after validation: its collection and the report.

    `damage` is that of the file, whatever rules are selected, and all of it.
    """

    collection: Collection
    damage: list[Damage]
    report: Report

    @property
    def findings(self) -> list[PlacedFinding]:
        """One finding for each diagnostic of the report, in the same order."""
        return self.report.findings.in_order


def validate_file(
    data: bytes | str,
    options: ReadingOptions = DEFAULT_OPTIONS,
    profile: str = "strict",
    codes: frozenset[str] | None = None,
    language: Language = "en",
    max_per_rule: int | None = None,
) -> ValidatedFile:
    """The file that :func:`validate` reports on, with its findings; raises what that raises.

    `codes` are those of the rules, by default all. By default all findings are listed.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language: {language!r}; one of {', '.join(LANGUAGES)}")
    profile = named_profile(profile)
    options.check()
    return validate_parsed(options.parse(data), options, profile, codes, language, max_per_rule)


def validate_parsed(
    file: ParsedFile,
    options: ReadingOptions = DEFAULT_OPTIONS,
    profile: str = "strict",
    codes: frozenset[str] | None = None,
    language: Language = "en",
    max_per_rule: int | None = None,
) -> ValidatedFile:
    """Validate a file that was parsed; the options are those of :func:`validate_file`."""
    file = file.overriding(options.file_format, options.game)
    collection, damage = Collection.of_file(file), file.places_of_damage
    rules = active_rules(profile, selected_codes(None, None) if codes is None else codes)
    runner = _runner(options.engine)(rules, max_per_rule)
    found = runner.run(collection, damage)
    findings = Findings(found, collection, rules.severities, language, runner.omitted)
    return ValidatedFile(collection, damage, Report.of_findings(findings))


def named_profile(name: str) -> str:
    """The profile of that name, which may be one from before; raises ValueError."""
    profile = _OLD_NAMES.get(name, name)
    if profile not in PROFILES:
        raise ValueError(f"unknown profile: {name!r}; one of {', '.join(PROFILES)}")
    return profile


@cache
def _runner(engine: Engine) -> type[Runner]:
    """The plain runner with Lark, else one that skips what it knows."""
    from sgf_lark import engine as compiled

    if engine == "lark":
        return Runner
    if compiled.available:
        from sgf_lark.validation.accelerated import AcceleratedRunner

        return AcceleratedRunner
    from sgf_lark.validation.caching import CachingRunner

    return CachingRunner


@lru_cache(maxsize=16)
def active_rules(profile: str, codes: frozenset[str]) -> ActiveRules:
    """The rules of a profile whose codes are selected."""
    return ActiveRules(profile, codes)


def selected_codes(select: Iterable[str] | None, ignore: Iterable[str] | None) -> frozenset[str]:
    """The codes of the catalogue that are selected and not ignored, by their beginnings; without
    `select` all but those that are off in every profile, which are only reported on request."""
    return _selected_codes(None if select is None else tuple(select), tuple(ignore or ()))


@lru_cache(maxsize=32)
def _selected_codes(select: tuple[str, ...] | None, ignore: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        code
        for code in grammar.codes()
        if (code not in grammar.on_request() if select is None else code.startswith(select))
        and not code.startswith(ignore)
    )
