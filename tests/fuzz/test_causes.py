"""Causes of findings: features, the search for them, known causes, games and formats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given

from sgf_lark import grammar, validate
from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.canonical import decoded
from sgf_lark.fuzz.causes import Cause, Probe, Search
from sgf_lark.fuzz.features import describe, find_features, listed, parse
from sgf_lark.fuzz.inputs import Inputs, is_of
from sgf_lark.fuzz.judging import Judge, Kind
from sgf_lark.fuzz.outcomes import Outcome, Verdict
from sgf_lark.fuzz.running import run
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.fuzz.targets import Limits, Target
from sgf_lark.fuzz.tokens import mark, unmark
from sgf_lark.fuzz.working import CauseAnalysis, Settings, Worker
from tests.kit.commands import invoke
from tests.kit.tables import for_each
from tests.kit.waiting import LIMIT

# --- Features -----------------------------------------------------------------


@given(mutants())
def test_marked_text_is_the_file(data: bytes) -> None:
    assert unmark(mark(data)) == data


@given(collections())
def test_features_are_found_and_removed(data: bytes) -> None:
    for feature in find_features(data):
        assert feature.is_in(data)
        assert parse(feature.name) == feature
        assert feature.title


def test_listed_features_have_names_and_titles() -> None:
    found = list(listed())
    assert [parse(feature.name) for feature in found] == found
    assert {entry.ident for entry in grammar.properties() if not entry.private} <= {
        feature.argument for feature in found if feature.family == "property"
    }
    titles = [feature.title for feature in found]
    assert all(title == title.strip() and title for title in titles)


_VERTICAL_TAB = "vertical tab as white space between tokens"
_FORM_FEED_OR_TAB = "form feed or vertical tab as white space between tokens"
_EUC_JP = "Extended_UNIX_Code_Packed_Format_for_Japanese"
_NO_MOVE = grammar.rule("SGF319").name
#: A file, one of its features with its title, and the first change that removes it.
FEATURES = [
    (b"(;\vFF[4])", "white-space:vertical-tab", _VERTICAL_TAB, b"(; FF[4])"),
    (b"(;\fFF[4])", "white-space:form-feed+vertical-tab", _FORM_FEED_OR_TAB, b"(; FF[4])"),
    (b"(;FF [4])", "gap:before-value", "white space before a property value", b"(;FF[4])"),
    (b"\xef\xbb\xbf(;)", "byte-order-mark", "byte order mark at the start of the file", b"(;)"),
    (b"(;C[a\\]])", "escape:right-square-bracket", "escaped “]” in a value", b"(;C[aa])"),
    (b"(;C[a\\\n])", "escape:line-break", "soft line break in a value", b"(;C[aa])"),
    (b"(;[a\v])", "character:vertical-tab", "vertical tab in a value", b"(;[aa])"),
    (b"(;a[\\\v])", "escape:vertical-tab", "escaped vertical tab in a value", b"(;a[a])"),
    (b"[a]C [a]\n[a:]", "character:colon", "“:” in a value", b"[a]C [a]\n[aa]"),
    (b"(;KM[-1])", "character:hyphen-minus@KM", "“-” in KM", b"(;KM[a1])"),
    (b"(;SZ[30])", "number:27+@SZ", "number 27 or more in SZ", b"(;SZ[26])"),
    (b"(;AB[aa:ba])", "compressed-list:@AB", "compressed point list in AB", b"(;AB[aa][ba])"),
    (b"(;AB[aa][ba])", "several-values", "several values in a property", b"(;AB[aa])"),
    (b"(;DT[2000-01-02])", "word:2000-01-02@DT", "“2000-01-02” in DT", b"(;DT[aa])"),
    (b"(;B[tt])", "word:tt@B", "“tt” in B", b"(;B[aa])"),
    (b"(;SZ[9])", "property:SZ", "SZ", b"(;)"),
    (b"(;KO[])", "property:KO", "KO", b"(;DO[])"),
    (b"(;ABC[a])", "long-identifier:3", "property identifier of 3 letters or more", b"(;AB[a])"),
    (b"(;XX[a])", "property:unknown", "a property that the format does not define", b"(;)"),
    (b"(;GM[6])", "game:6", "Backgammon (GM[6])", b"(;GM[1])"),
    (b"(;FF[3])", "file-format:3", "FF[3]", b"(;FF[4])"),
    (b"(;CA[Big5])", "charset:Big5", "CA[Big5]", b"(;CA[UTF-8])"),
    (b"(;CA[%s])" % _EUC_JP.encode(), f"charset:{_EUC_JP}", f"CA[{_EUC_JP}]", b"(;CA[UTF-8])"),
    (b"(;)", "no-property:SZ", "no SZ in the root", b"(;SZ[19])"),
    (b"(;)(;)", "several-game-trees", "several game trees", b"(;)"),
    (b"(;(;)(;))", "variations", "several variations of a node", b"(;;)"),
    (b"(;(;))", "only-variation", "parentheses around an only child", b"(;;)"),
    (b"(;(;))", "child-trees", "a game tree inside a game tree", b"(;;)"),
    (b"(;;C[a])", "second-node", "a second node in a sequence", b"(;C[a])"),
    (b"(;;;)", "nodes:3", "3 nodes or more", b"(;;)"),
    (b"(;(;(;)))", "nesting:3", "game trees nested 3 deep or more", b"(;(;;))"),
    (b"(;B[z1])", "rule:SGF319", f"{_NO_MOVE.replace('-', ' ')} (SGF319)", None),
]


@for_each(FEATURES)
def test_feature(data: bytes, name: str, title: str, changed: bytes | None) -> None:
    feature = parse(name)
    assert feature.is_in(data)
    assert feature.title == title
    first = next(feature.changes(data), None)
    if changed is None:
        assert first is not None and not feature.is_in(first)
    else:
        assert first == changed
        assert not feature.is_in(changed)


@pytest.mark.parametrize(
    "name", ["", "no-such", "property:lower", "game:99", "white-space:colon", "game:6@B"]
)
def test_name_of_no_feature(name: str) -> None:
    with pytest.raises(ValueError, match="feature"):
        parse(name)


def test_cause_with_several_features() -> None:
    features = [parse("game:6"), parse("property:KO")]
    assert describe(features) == "KO with Backgammon (GM[6])"


# --- The search for a cause ------------------------------------------------------


def shows(pattern: bytes) -> Callable[[bytes], bool]:
    """A parser that is wrong about the files in which the pattern is found."""
    return lambda data: re.search(pattern, data) is not None


def search(
    wrong: Callable[[bytes], bool], data: bytes, causes: tuple[Cause, ...] = ()
) -> list[str]:
    """Return the causes of the finding that `wrong` is true of an input."""

    def probe(changed: bytes) -> Probe:
        is_wrong = wrong(changed)
        return Probe("place" if is_wrong else None, not is_wrong, validate(changed).ok)

    explained, new = Search("t", Kind.REJECTS_VALID, causes, probe, 1000).run(data)
    return [f"known {cause.title}" for cause in explained] + [cause.title for cause in new]


SAMPLE = (
    b"(;\vFF[4]GM[1] SZ[30]KM[-6.5]C[a\\]b]\n(;B[aa]TR[bb][cc];W[];B[bb])(;B[cc]C[c\\\nd];W[dd]))"
)
SEARCHES = [
    (rb"\v", _VERTICAL_TAB),
    (rb"[\v\f]", _FORM_FEED_OR_TAB),
    (rb"\\\]", "escaped “]” in a value"),
    (rb"\\\n", "soft line break (line feed) in a value"),
    (rb"KM\[-", "“-” in KM"),
    (rb"SZ\[(29|3\d)\]", "number 29 or more in SZ"),
    (rb"TR\[", "TR"),
    (rb"B\[bb", "“bb” in B"),
    (rb"(?s)(KM|SZ)\[.*(?!\1)(KM|SZ)\[", "KM with SZ"),
    (rb"\\[^\]\\]", "escape of anything but “]” and “\\” in a value"),
    (rb"(?s).\(", "a game tree inside a game tree"),
    (rb"(?<!FF)(?<!GM)\[", "a property"),
]


@for_each(SEARCHES)
def test_cause_is_named(pattern: bytes, title: str) -> None:
    assert search(shows(pattern), SAMPLE) == [f"known {title}", title]


#: What a parser does not read, its cause, and files that all show it.
ONE_CAUSE: list[tuple[bytes, str, tuple[bytes, ...]]] = [
    (
        rb"\[[A-Za-z]{2}:[A-Za-z]{2}\]",
        "compressed point list in a property",
        (b"(;FF[4]DD[aa:qd])", b"(;FF[4]SZ[41:3]CR[aa:Oc])", b"(;FF[4]AB[aa:ac])"),
    ),
    (
        rb"[A-Z][a-z]+\[",
        "lowercase letters in a property identifier",
        (b"(;FFa[3]GM[1]C[a])", b"(;FF[3]Ko[1])", b"(;FF[3]GaMe[1];Black[aa];W[bb])"),
    ),
    (
        rb"(?s)\A\xef\xbb\xbf.*CA\[(?!UTF-8)",
        "a charset other than UTF-8 in CA with byte order mark at the start of the file",
        tuple(
            b"\xef\xbb\xbf(;FF[4]CA[%s]C[a];B[aa])" % name
            for name in (b"US-ASCII", b"windows-1250", b"GBK")
        ),
    ),
    # What a parser makes of letters without a charset depends on all of them.
    (
        rb"[\x82\x87]|\xff\xeb|a\xd9d",
        "character outside ASCII in a value",
        tuple(
            b"(;FF[4]N[x];C[%s])" % letters
            for letters in (b"\x82", b"g\x87a", b"\xff\xeb", b"a\xd9da")
        ),
    ),
]


@for_each(ONE_CAUSE)
def test_files_have_one_cause(pattern: bytes, title: str, files: tuple[bytes, ...]) -> None:
    for data in files:
        assert search(shows(pattern), data)[-1:] == [title]


def test_part_of_a_character_is_no_escape() -> None:
    def wrong(data: bytes) -> bool:
        return re.search(r"\\[^\]\\]", decoded(data)) is not None

    title = "escape of anything but “]” and “\\” in a value"
    known = Cause("t", Kind.REJECTS_VALID, "", b"", (parse("escape:most"),))
    # The bytes 8D 5C are one character, after which the text has an escape.
    data = b"(;FF[4]CA[Shift_JIS]C[\x8d\\\\a])"
    assert search(wrong, data, (known,)) == [f"known {title}"]
    assert search(wrong, data)[-1:] == [title]


def test_charsets_that_fail_in_one_place_are_one_cause() -> None:
    wrong = shows(rb"(?i)CA\[(windows-874|Windows-31J)\]")
    known = Cause("t", Kind.REJECTS_VALID, "place", b"", (parse("charset:windows-874"),))
    data = b"(;FF[4]CA[Windows-31J]C[a];B[aa])"
    assert search(wrong, data) == ["known CA[Windows-31J]", "CA[Windows-31J]"]
    assert search(wrong, data, (known,)) == ["known CA[windows-874]"]
    assert search(wrong, data, (replace(known, place="other"),))[-1] == "CA[Windows-31J]"


def test_a_charset_that_is_taken_for_another_is_one_cause() -> None:
    """A program that reads names that it does not know as Latin-1 is wrong in each of them."""
    names = (b"IBM850", b"ISO-8859-7", b"KZ-1048", b"IBM864")
    found: list[Cause] = []
    for name, letter in zip(names, (b"\x8a", b"\xe2", b"\xc2", b"%"), strict=True):

        def probe(data: bytes) -> Probe:
            shown = re.search(rb"CA\[(?!UTF|ISO-8859-1\]|KOI8).*[%\x80-\xff]", data) is not None
            return Probe("place" if shown else None, not shown, validate(data).ok)

        data = b"(;FF[4]CA[%s]GM[1];C[a%s])" % (name, letter)
        found += Search("t", Kind.WRONG_TREE, found, probe, 1000).run(data)[1]
    assert [cause.title for cause in found] == [
        "CA[IBM850] with character outside ASCII in a value"
    ]


def test_long_identifiers_become_one_that_no_rule_is_about() -> None:
    """AA, which is like AB, has a warning."""
    *_, last = parse("long-identifier:101").changes(b"(;C[a]" + b"A" * 110 + b"[x])")
    assert last == b"(;C[a]XX[x])" and not validate(last).counts[Severity.WARNING]


def test_amounts_with_which_a_program_fails_in_one_place_are_one_cause() -> None:
    deep = Cause("t", Kind.CRASH, "RecursionError at a: parse", b"", (parse("nesting:990"),))
    other = replace(deep, features=(parse("nesting:986"),))
    assert deep.is_same(other) and deep.identity != other.identity
    assert not deep.is_same(replace(other, place="a.py:1"))
    assert not deep.is_same(replace(other, features=(parse("nodes:986"),)))
    tree = replace(deep, kind=Kind.WRONG_TREE)
    assert not tree.is_same(replace(other, kind=Kind.WRONG_TREE))


def test_a_crash_may_be_in_another_place_when_it_is_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Deep(Target):
        """Fails in another place of the stack each time."""

        count = 0

        def _run(self, data: bytes) -> Outcome:
            if data.count(b"(") < 3:
                return Outcome(Verdict.ACCEPT)
            self.count += 1
            return Outcome(Verdict.CRASH, detail="RangeError: stack", place=f"f{self.count}")

    monkeypatch.setattr(Settings, "open", lambda self: [Deep("deep", Limits())])
    settings = Settings(("deep",), 1, (b"(;FF[4](;(;(;(;))(;)))",))
    (finding,) = run(settings, examples=1).findings
    assert finding.repeatable and finding.original is not None


@pytest.mark.parametrize(
    "data",
    [
        b"(;FF[4]SZ[30];B[DD])",
        b"(;FF[4]SZ[30:32];B[Da])",
        b"(;FF[4]SZ[30:32];B[Da])(;FF[4]SZ[30];W[DD])",
    ],
)
def test_known_causes_explain_what_has_several_or_breaks_rules_without_them(data: bytes) -> None:
    """Without the cause, points are outside of the board, but the parser does not check that."""

    def probe(changed: bytes) -> Probe:
        sizes = re.findall(rb"SZ\[([^\]]*)\]", changed)
        refused = not all(size.isdigit() and int(size) <= 26 for size in sizes)
        valid = validate(changed).ok
        shown = "place" if refused and valid else None
        return Probe(shown, shown is None, valid, accepted=not refused)

    known = [
        Cause("t", Kind.REJECTS_VALID, "", b"", (parse(name),))
        for name in ("number:27+@SZ", "character:colon@SZ")
    ]
    assert probe(data).shown
    assert Search("t", Kind.REJECTS_VALID, known, probe, 1000).explain(data) in known


#: A known cause, what a parser does not read, a file, and the last cause that is found in it.
KNOWN = [
    ("property:TR", rb"TR\[", SAMPLE, "known TR"),
    ("property:TR", rb"TR\[|\v", SAMPLE, _VERTICAL_TAB),
    # A broad one has the features of the file, but is another bug.
    ("property:C", rb"\v", b"(;\vFF[4]C[a])", _VERTICAL_TAB),
    (
        "property:C",
        rb"\[[^]]* \]",
        b"(;FF[4]C[a ])",
        "white space after other text at the end in a value",
    ),
    ("escape:any", rb"\\:", b"(;FF[4]C[a\\:a])", "escaped “:” in a value"),
    (
        "character:non-ascii",
        rb"\xf0[\x80-\xbf]{3}",
        b"(;FF[4]CA[UTF-8]C[\xf0\x9f\x8c\x80])",
        "character above U+FFFF in a value",
    ),
]


@for_each(KNOWN)
def test_a_known_cause_explains_its_findings_and_hides_no_other(
    name: str, pattern: bytes, data: bytes, title: str
) -> None:
    known = Cause("t", Kind.REJECTS_VALID, "", b"", (parse(name),))
    assert search(shows(pattern), data, (known,))[-1] == title


def test_crash_without_parts_explains_those_in_the_same_place() -> None:
    crash = Cause("t", Kind.CRASH, "a.py:1", b"(")
    assert crash.identity == replace(crash, data=b"a").identity
    assert crash.comprises("t", Kind.CRASH, "a.py:1")
    assert not crash.comprises("t", Kind.CRASH, "a.py:2")
    assert not crash.comprises("u", Kind.CRASH, "a.py:1")
    assert not crash.comprises("t", Kind.HANG, "a.py:1")
    for other in (
        replace(crash, data=b"(;TR[aa])"),  # perhaps not minimized
        replace(crash, features=(parse("property:TR"),)),
        replace(crash, kind=Kind.HANG),
    ):
        assert not other.comprises("t", Kind.CRASH, "a.py:1")
    probe = lambda data: Probe("a.py:1", False, False)  # noqa: E731
    assert Search("t", Kind.CRASH, [crash], probe, 0).explain(SAMPLE) is crash
    assert Search("t", Kind.REJECTS_VALID, [crash], probe, 0).explain(SAMPLE) is None


def test_crash_in_one_place_is_one_finding() -> None:
    settings = Settings(("tests.kit.weak:guesses_charset",), seed=3, timeout=LIMIT)
    result = run(settings, examples=60)
    (finding,) = result.findings
    assert finding.key.kind is Kind.CRASH and finding.features == () and finding.count > 5
    known = Settings(settings.targets, 6, timeout=LIMIT, known=(replace(finding, known=True),))
    again = run(known, examples=30)
    assert again.findings == [] and again.known[0].count > 2


def test_a_known_finding_without_a_cause_is_not_new_when_its_cause_is_found() -> None:
    settings = Settings(("tests.kit.weak:dislikes_komi",), 1, (b"(;FF[4](;KM[1]))",), timeout=LIMIT)
    (finding,) = run(settings, examples=1).findings
    assert finding.features
    late = replace(
        finding, data=b"(;FF[4]C[x](;KM[6.5]B[aa]))", features=(), neighbor=None, known=True
    )
    again = run(replace(settings, known=(late,)), examples=1)
    assert again.findings == [] and [found.cause for found in again.known] == [late.cause]
    other = replace(late, key=replace(late.key, place="elsewhere"), data=b"(;FF[4]AB[aa:bb])")
    assert len(run(replace(settings, known=(other,)), examples=1).findings) == 1


def test_two_causes_in_one_input() -> None:
    found = search(shows(rb"TR\[|KM\[-"), SAMPLE)
    assert {*found[1:]} == {"TR", "“-” in KM"}


# --- The command ----------------------------------------------------------------


def fuzz(*arguments: object) -> Result:
    """Run the command; on a busy machine no target hangs."""
    return invoke("fuzz", "-j", 1, *arguments, "--timeout", LIMIT)


def test_known_causes_are_silent_and_another_is_found(tmp_path: Path) -> None:
    first, both = "tests.kit.weak:refuses_markup", "tests.kit.weak:refuses_markup_and_komi"
    corpus = ("--examples", 10, "--corpus", tmp_path / "one.sgf")
    (tmp_path / "one.sgf").write_bytes(b"(;FF[4]TR[aa])")
    found, report = tmp_path / "found", tmp_path / "known.json"
    done = fuzz("--target", first, "--seed", 1, *corpus, "-o", found, "--report", report)
    assert done.exit_code == 1
    again = fuzz("--target", first, "--seed", 2, *corpus, "--known", found, "--format", "json")
    shown = json.loads(again.stdout)
    assert again.exit_code == 0 and shown["findings"] == [] and shown["known"]
    # Findings are known by the name of the target, whatever its command is.
    report.write_text(report.read_text("utf-8").replace(first, "mine"), "utf-8")
    (tmp_path / "one.sgf").write_bytes(b"(;FF[4]KM[1])")
    knowing = ("--known", report, "--format", "json", "-o", tmp_path / "new")
    more = fuzz("--target", f"mine={both}", "--seed", 1, *corpus, *knowing)
    assert more.exit_code == 1 and "mine" in json.loads(more.stdout)["verdicts"]
    (finding,) = json.loads(more.stdout)["findings"]
    assert finding["feature"] == "KM" and finding["neighbor"] is not None


def test_features_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "one.sgf").write_bytes(b"(;FF[4]TR[aa])")
    corpus = ("--target", "tests.kit.weak:refuses_markup", "--corpus", tmp_path / "one.sgf")
    arguments = (*corpus, "--seed", 1, "--examples", 8, "-o", tmp_path / "out")
    assert "cause: TR (property:TR)" in fuzz(*arguments).output
    assert fuzz(*arguments, "--without", "property:TR").exit_code == 0
    assert fuzz(*arguments, "--without", "no-such-feature").exit_code == 2
    assert fuzz("--target", "sgf_lark", "--gm", "99").exit_code == 2
    assert "white-space:vertical-tab" in fuzz("--list-features").output


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"findings": [{"target": "a"}]}'])
def test_file_without_findings(content: str, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    file.write_text(content)
    result = fuzz("--target", "sgf_lark", "--known", file, "--examples", 1)
    assert result.exit_code == 2
    assert "describes no findings" in result.output


# --- Games and file formats ---------------------------------------------------------


@pytest.mark.parametrize(("games", "formats"), [((1,), (4,)), ((6, 11), ()), ((), (1, 3))])
def test_inputs_are_of_the_games_and_formats(
    games: tuple[int, ...], formats: tuple[int, ...]
) -> None:
    corpus = (b"(;GM[1]FF[4])", b"(;GM[6]FF[3])", b"(;GM[11]FF[4])(;GM[2]FF[1])")
    inputs = Inputs(1, corpus, games, formats)
    given = [inputs[number] for number in range(100)]
    assert all(is_of(each.data, games, formats) for each in given)
    sources = [each.source for each in given]
    assert sources.count("corpus") == 1 and {"conforming", "violating"} <= {*sources}


def test_known_causes_that_are_not_examined_are_not_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no time to find out whether the cause in a known place is the known one."""
    settings = Settings(("tests.kit.weak:refuses_markup",), seed=1, timeout=LIMIT)
    (finding,) = run(settings, examples=60).findings
    known = replace(finding, features=(), known=True)
    monkeypatch.setattr(Worker, "analyze", lambda self, found, *rest: CauseAnalysis(found=(found,)))
    again = run(replace(settings, known=(known,)), examples=60)
    assert not again.findings and again.unexamined[finding.key] > 0


def test_time_limits_the_whole_run() -> None:
    settings = Settings(("tests.kit.weak:accepts_all",), 1, judge=Judge(strict="rules"))
    result = run(settings, seconds=0.01)
    assert result.examples <= 1
    assert result.not_minimized == len(result.findings)


def test_identity_depends_on_target_and_features_only() -> None:
    one = Cause("t", Kind.CRASH, "a", b"(;KM[1])", (parse("property:KM"),))
    other = replace(one, kind=Kind.REJECTS_VALID, place="b", data=b"(;KM[2])")
    assert one.identity == other.identity
    assert one.identity != replace(one, target="u").identity
