"""``check --baseline``: what was there before does not fail."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.cli import parallel
from sgf_lark.cli.check import FORMATS
from tests.kit.commands import invoke
from tests.kit.packed import zip_of
from tests.kit.tables import for_each

#: A file with three errors, two of which are alike but for their places.
OLD = b"(;FF[4]GM[1]SZ[9]CA[UTF-8]KM[6,5];B[zz];W[bb];B[zz])"
KNOWN = 3


check = partial(invoke, "check", "--profile", "interchange", "--baseline", "known.json")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    Path("games/a.sgf").write_bytes(OLD)
    done = check("games", "--write-baseline")
    assert (done.exit_code, done.stderr) == (0, f"known.json: {KNOWN} findings\n")
    return tmp_path


def known() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("known.json").read_text("utf-8"))["files"]
    return found


def write(path: str, data: bytes) -> None:
    Path(path).write_bytes(data)


def test_the_file_is_readable() -> None:
    [(path, entry)] = known().items()
    assert path == "games/a.sgf"
    assert {"code": "SGF415", "ident": "KM", "text": "6,5"} in entry["findings"]
    assert sum(each.get("count", 1) for each in entry["findings"]) == KNOWN
    assert max(map(len, Path("known.json").read_text("utf-8").splitlines())) < 200


@pytest.mark.parametrize(
    "data",
    [
        OLD,
        OLD.replace(b";", b"\n\n;"),
        b"\n\n\n" + OLD,
        OLD.replace(b"KM", b"C[some text\nand more]KM"),
        OLD.replace(b";W[bb]", b";W[cc]MN[4];B[dd]"),
        OLD.replace(b"CA[UTF-8]KM[6,5]", b"KM[6,5]CA[UTF-8]"),
    ],
    ids=str,
)
def test_findings_are_known_wherever_they_are(data: bytes) -> None:
    write("games/a.sgf", data)
    done = check("games")
    assert done.exit_code == 0, done.output
    assert f"baseline: {KNOWN} known\n" in done.stdout and "SGF" not in done.stdout


@pytest.mark.parametrize("name", FORMATS)
def test_only_new_findings_are_reported(name: str) -> None:
    write("games/a.sgf", OLD.replace(b";W[bb]", b"\nMN[x];W[bb]"))
    done = check("games", "--format", name)
    assert done.exit_code == 1
    assert "SGF303" in done.stdout and "SGF415" not in done.stdout and "SGF401" not in done.stdout
    if name == "json":
        [item] = json.loads(done.stdout)
        assert (item["ok"], len(item["diagnostics"])) == (False, 1)
    write("games/a.sgf", OLD)
    assert check("games", "--format", name).exit_code == 0


@pytest.mark.parametrize(
    "options",
    [["-q"], ["-qq"], ["--statistics"], ["--lang", "zh"], ["-j1"]],
)
def test_counts_leave_out_what_is_known(options: list[str]) -> None:
    done = check("games", *options)
    assert done.exit_code == 0 and "SGF" not in done.output and "error" not in done.output


@for_each([(b")", b";W[cc];B[zz])", "zz"), (b"6,5", b"7,5", "7,5")])
def test_one_more_of_the_same_or_a_changed_value_is_new(old: bytes, new: bytes, text: str) -> None:
    write("games/a.sgf", OLD.replace(old, new))
    done = check("games", "--format", "concise")
    assert done.exit_code == 1 and done.stdout.count("\n") == 1 and text in done.stdout


def test_a_renamed_file_is_new() -> None:
    Path("games/a.sgf").rename("games/b.sgf")
    assert check("games").exit_code == 1
    assert check("games", "--write-baseline").exit_code == 0
    assert list(known()) == ["games/b.sgf"]
    assert check("games").exit_code == 0


def test_baselines_of_earlier_versions_are_read() -> None:
    """They had the hash of each file."""
    before = Path("known.json").read_text("utf-8")
    Path("known.json").write_text(before.replace('"findings"', '"sha256": "00", "findings"'))
    assert check("games").exit_code == 0


def test_fixed_findings_are_reported_until_the_baseline_is_written() -> None:
    write("games/a.sgf", OLD.replace(b"6,5", b"6.5"))
    done = check("games")
    assert done.exit_code == 0 and "2 known, 1 fixed since" in done.stdout
    assert "1 fixed since" in check("games", "--format", "sarif").stderr
    check("games", "--write-baseline")
    assert "fixed since" not in check("games").output
    Path("games/a.sgf").unlink()
    check("games", "--write-baseline")
    assert known() == {}


def test_files_that_are_not_checked_stay_in_the_baseline() -> None:
    write("other.sgf", OLD)
    assert check("other.sgf").exit_code == 1
    assert check("other.sgf", "--write-baseline").exit_code == 0
    assert list(known()) == ["games/a.sgf", "other.sgf"]
    assert "fixed" not in check("other.sgf").output


def test_several_processes_and_kinds_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_BATCH_FILES", 8)
    for number in range(20):
        write(f"games/{number}.sgf", OLD.replace(b"bb", b"%c%c" % (97 + number % 9, 97)))
    write("games/z.zip", zip_of({"inner/x.sgf": OLD}))
    write("games/x.wei7", b'{"wei7": 1, "games": [}')
    write("games/chinese.sgf", "(;CA[GB18030]PB[李]KM[六目半]C[\udcff])".encode("gbk", "ignore"))
    paths = ("games", "games/z.zip")
    before = check(*paths, "-j1", "--format", "json").stdout
    assert before == check(*paths, "-j2", "--format", "json").stdout
    assert check(*paths, "-j2", "--write-baseline").exit_code == 0
    assert "games/z.zip!inner/x.sgf" in known()
    written = Path("known.json").read_bytes()
    check(*paths, "-j1", "--write-baseline")
    assert Path("known.json").read_bytes() == written
    for jobs in ("-j1", "-j2"):
        assert check(*paths, jobs).exit_code == 0
    write("games/9.sgf", OLD.replace(b"KM", b"HA[x]KM"))
    assert check("games", "-j2", "--format", "concise").stdout.count("\n") == 1


def test_a_file_that_cannot_be_read_is_not_known() -> None:
    for options in (["--write-baseline"], []):
        done = check("games", "missing.sgf", *options)
        assert done.exit_code == 2 and "missing.sgf" in done.output
    assert list(known()) == ["games/a.sgf"]


def test_standard_input() -> None:
    for options, code in (([], 1), (["--write-baseline"], 0), ([], 0)):
        words = ["check", "-", "--baseline", "known.json", "--profile", "interchange", *options]
        assert invoke(*words, stdin=OLD).exit_code == code


def test_settings_name_the_baseline(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("sgf-lark.toml").write_text('profile = "interchange"\n[check]\nbaseline = "known.json"\n')
    monkeypatch.chdir(folder / "games")
    done = invoke("check", "a.sgf")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", "{", '{"sgf-lark baseline": 2}', '{"sgf-lark baseline": 1, "files": []}']
    + [f'{{"sgf-lark baseline": 1, "files": {{"a": {each}}}}}' for each in ("1", "{}", "[[]]")],
)
def test_what_is_no_baseline(content: str) -> None:
    Path("known.json").write_text(content)
    done = check("games")
    assert done.exit_code == 2 and "known.json" in done.stderr and "Traceback" not in done.output


@pytest.mark.parametrize(
    "words",
    [
        ["--baseline", "missing.json"],
        ["--write-baseline"],
        ["--baseline", "no/folder.json", "--write-baseline"],
        ["--baseline", "games", "--write-baseline"],
    ],
)
def test_wrong_use(words: list[str]) -> None:
    done = invoke("check", "games", *words)
    assert done.exit_code == 2 and "Traceback" not in done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert [each.name for each in Path("games").iterdir()] == ["a.sgf"]
