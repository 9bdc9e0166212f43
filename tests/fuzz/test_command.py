"""``sgf-lark fuzz``: runs, findings, reports and replay."""

from __future__ import annotations

import json
import multiprocessing
import re
import shlex
import signal
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import grammar, validate
from sgf_lark.fuzz import running
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.inputs import Inputs
from sgf_lark.fuzz.judging import Judge, Kind, Level
from sgf_lark.fuzz.minimizing import minimize
from sgf_lark.fuzz.reporting import as_text
from sgf_lark.fuzz.running import RunResult, run
from sgf_lark.fuzz.violations import syntax_codes
from sgf_lark.fuzz.working import Settings, Worker
from tests.fuzz.harness import promises
from tests.kit.commands import invoke
from tests.kit.hostile import BEGUN
from tests.kit.waiting import LIMIT, wait_until

SAMPLE = b"(;FF[4]GM[1]SZ[19]KM[6.5]C[a\\]b](;B[aa]TR[bb][cc];W[];B[bb])(;B[cc]C[c\\\nd];W[dd]))"


def fuzz(*arguments: object) -> Result:
    """Run the command; on a busy machine no target hangs."""
    limit = () if arguments[:1] in ((), ("replay",)) else ("--timeout", LIMIT)
    return invoke("fuzz", *arguments, *limit)


# --- Inputs -------------------------------------------------------------------


def test_input_depends_only_on_seed_and_number() -> None:
    one, other = Inputs(3, (SAMPLE,)), Inputs(3, (SAMPLE,))
    forwards = [one[number] for number in range(50)]
    backwards = [other[number] for number in reversed(range(50))]
    assert forwards == backwards[::-1]
    assert forwards[0].data == SAMPLE
    assert [item.data for item in forwards] != [Inputs(4)[n].data for n in range(50)]
    assert {item.source for item in forwards} >= {
        *("corpus", "corpus mutant", "conforming", "violating", "mutant")
    }


def test_conforming_inputs_conform() -> None:
    given = [Inputs(5)[number] for number in range(60)]
    known = [item for item in given if item.conforms]
    assert len(known) > 10 and {item.source for item in known} == {"conforming"}
    for item in known:
        assert validate(item.data).ok, item


# --- Minimizing ---------------------------------------------------------------

MINIMAL = [
    (lambda data: b"KM" in data, b"KM"),
    (lambda data: validate(data).ok and b"TR[" in data, b"(;TR[aa])"),
    (lambda data: data.count(b"(") == data.count(b")") == 2, b"(())"),
    (lambda data: b"\\\n" in data, b"\\\n"),
    (lambda data: len(data) >= 5, b"(a)aa"),
]


@pytest.mark.parametrize(("keeps", "smallest"), MINIMAL)
def test_minimal_form(keeps: object, smallest: bytes) -> None:
    assert callable(keeps)
    assert len(minimize(SAMPLE, keeps)) == len(smallest)
    assert keeps(minimize(SAMPLE, keeps))


@pytest.mark.parametrize(
    ("data", "part", "attempts"),
    [
        (b"(;FF[4])" * 600 + b"(;FF[4]C[here])", b"here", 80),
        (b"(;FF[4]" + b";B[aa]" * 600 + b"C[here])" + b"(;)" * 50, b"here", 80),
        (b"(;" * 500 + b")" * 500, b"(;" * 500, 600),
    ],
)
def test_what_is_repeated_takes_few_attempts(data: bytes, part: bytes, attempts: int) -> None:
    tried: list[bytes] = []

    def keeps(candidate: bytes) -> bool:
        tried.append(candidate)
        return part in candidate

    assert len(minimize(data, keeps, 5_000)) <= 2 * len(part)
    assert len(tried) < attempts


@given(st.binary(max_size=60), st.binary(min_size=1, max_size=2))
def test_minimized_input_keeps_its_property(data: bytes, wanted: bytes) -> None:
    data += wanted
    calls = 0

    def keeps(candidate: bytes) -> bool:
        nonlocal calls
        calls += 1
        return wanted in candidate

    made = minimize(data, keeps, attempts=100)
    assert wanted in made
    assert len(made) <= len(data)
    assert calls <= 100


# --- Runs ---------------------------------------------------------------------


def settings(function: str, **more: object) -> Settings:
    return Settings((f"tests.kit.weak:{function}",), 1, (SAMPLE,), timeout=LIMIT, **more)  # type: ignore[arg-type]


WEAK = [
    ("dislikes_komi", Kind.CRASH, b"(;FF[4]KM[1](;C[aa]))"),
    ("refuses_markup", Kind.REJECTS_VALID, b"(;FF[4]TR[aa])"),
    ("keeps_escapes", Kind.WRONG_TREE, b"(;FF[4]C[\\]])"),
]


@pytest.mark.parametrize(("function", "kind", "smallest"), WEAK)
def test_weakness_is_found_and_minimized(function: str, kind: Kind, smallest: bytes) -> None:
    found = [
        finding
        for finding in run(settings(function), examples=10).findings
        if finding.key.kind is kind
    ]
    assert found
    assert min(len(finding.data) for finding in found) <= len(smallest)
    assert all(finding.repeatable and finding.original for finding in found)


def test_findings_do_not_depend_on_the_number_of_workers() -> None:
    one = run(settings("keeps_escapes"), examples=10)
    two = run(settings("keeps_escapes"), examples=10, workers=2)
    assert one.findings == two.findings
    assert one.verdicts == two.verdicts
    assert (one.examples, one.next_number) == (two.examples, two.next_number) == (10, 10)
    assert not two.lost_worker


def test_a_run_of_no_time_or_no_inputs_ends_at_once() -> None:
    assert run(settings("keeps_escapes"), seconds=0).examples == 0
    assert run(settings("keeps_escapes"), examples=0).examples == 0


def test_a_run_ends_when_a_worker_is_lost() -> None:
    def kill(result: RunResult) -> None:
        for process in multiprocessing.active_children():
            process.kill()

    result = run(settings("keeps_escapes"), examples=60, workers=1, watch=kill)
    assert result.lost_worker and not result.interrupted
    assert 0 < result.next_number < 60
    assert "ended early" in as_text(result, Path())


def test_interrupted_run_reports_its_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(result: RunResult) -> None:
        if result.examples >= 10:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(
        running, "run", lambda *args, **given: run(*args, **given | {"watch": interrupt})
    )
    (tmp_path / "one.sgf").write_bytes(SAMPLE)
    done = fuzz(
        *("--target", "tests.kit.weak:refuses_markup", "--corpus", tmp_path / "one.sgf"),
        *("--examples", 1000, "-j", 1, "--report", tmp_path / "r.json", "-o", tmp_path / "out"),
    )
    assert done.exit_code == 130
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert report["interrupted"] and 10 <= report["examples"] < 1000
    assert {finding["kind"] for finding in report["findings"]} == {Kind.REJECTS_VALID}


def test_what_workers_are_doing_when_a_run_is_interrupted_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Ctrl-C one has finished, and the targets of the others do not answer."""
    monkeypatch.setenv(BEGUN, str(tmp_path))
    files = (b"(;)", b"sleep", b"(sleep)")
    hostile = Settings(("tests.kit.hostile:begins_to_sleep",), 1, files, timeout=1.0)

    def interrupt(result: RunResult) -> None:
        # A worker that has not begun when the run is interrupted does nothing.
        wait_until(lambda: len([*tmp_path.iterdir()]) == 2)
        raise KeyboardInterrupt

    result = run(hostile, examples=3, workers=3, watch=interrupt)
    assert result.interrupted and result.examples == 3
    assert [finding.key.kind for finding in result.findings] == [Kind.HANG]


# --- The command --------------------------------------------------------------

STRICT = (
    *("--target", "tests.kit.weak:accepts_all", "--strict", "--seed", 3),
    *("--examples", 5, "-j", 1),
)


def test_findings_are_written_and_replayed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "one.sgf").write_bytes(SAMPLE)
    result = fuzz(
        *("--target", "tests.kit.weak:refuses_markup", "--examples", 5, "--seed", 1, "-j", 1),
        *("--corpus", corpus, "-o", out),
    )
    assert result.exit_code == 1
    (description,) = out.glob("*.json")
    content = json.loads(description.read_text("utf-8"))
    assert (out / content["input"]).read_bytes() == b"(;TR[aa])"
    (command,) = re.findall(r"(sgf-lark fuzz replay .*)", result.stdout)
    replayed = invoke(*shlex.split(command)[1:])
    assert replayed.exit_code == 1
    assert "still there" in replayed.stdout
    # It is judged wrong in another place, with other words, or in another way: it is still there.
    for changed in ({"place": "weak.py:9 no"}, {"kind": "crash", "detail": "other words"}):
        description.write_text(json.dumps(content | changed))
        replayed = invoke(*shlex.split(command)[1:])
        assert replayed.exit_code == 1 and "still there" in replayed.stdout
    (out / content["input"]).write_bytes(b"(;FF[4])")
    assert invoke(*shlex.split(command)[1:]).exit_code == 0
    description.write_text("{}")
    assert invoke(*shlex.split(command)[1:]).exit_code == 2


def test_a_run_can_be_repeated_and_reported(tmp_path: Path) -> None:
    names = ("r.txt", "r.json", "r.html")
    reports = [option for name in names for option in ("--report", tmp_path / name)]
    outputs = []
    for folder, options in ((tmp_path / "a", reports), (tmp_path / "b", [])):
        result = fuzz(*STRICT, "-o", folder, *options)
        assert result.exit_code == 1
        if options:
            assert result.stdout == (tmp_path / "r.txt").read_text("utf-8")
        outputs.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert outputs[0] == outputs[1]
    codes = {json.loads(data)["place"] for name, data in outputs[0].items() if name[-5:] == ".json"}
    assert len(codes) > 1 and codes <= {*grammar.rules()}
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert report["examples"] == 5
    assert sum(report["verdicts"]["tests.kit.weak:accepts_all"].values()) == 5
    page = (tmp_path / "r.html").read_text("utf-8")
    assert page.count("<h2>") == len(report["findings"])
    assert not re.search(r"<script|https?://", page)


def test_level_of_the_grammar(tmp_path: Path) -> None:
    arguments = ("--target", "tests.kit.weak:accepts_all", "--strict", "grammar", "--seed", 1)
    result = fuzz(*arguments, "--examples", 6, "-j", 1, "-o", tmp_path, "--format", "json")
    found = json.loads(result.stdout)["findings"]
    assert len(found) > 1
    assert {finding["place"] for finding in found} <= syntax_codes()


def test_a_byte_order_mark_may_be_refused() -> None:
    marked = tuple(b"\xef\xbb\xbf" + data for data in (SAMPLE, b"(;FF[4]CA[UTF-8])"))
    levels: tuple[tuple[Level | None, int], ...] = ((None, 0), ("grammar", 1))
    for strict, count in levels:
        judge = Judge(strict=strict)
        run_settings = Settings(
            ("tests.kit.weak:refuses_mark",), 1, marked, timeout=LIMIT, judge=judge
        )
        assert len(run(run_settings, examples=2).findings) == count


#: Files, and whether it is open which characters they have: whether escapes or the charset come
#: first, and which characters the name of a charset means.
LEFT_OPEN = [
    (b"(;FF[4]CA[Big5]C[\xa6\\]])", True),
    (b"(;FF[4]CA[Big5]C[\xa5\\\\])", True),
    (b"(;FF[4]CA[Shift_JIS]C[\x95\\\\])", True),
    (b"(;FF[4]CA[Big5]C[\xa5\x40])", False),
    (b"(;FF[4]CA[UTF-8]C[\xc3\xa9\\]])", False),
    (b"(;FF[4]CA[KS_C_5601-1987]C[\x81\x5a])", True),
    (b"(;FF[4]CA[korean]C[\x81\x5a])", True),
    (b"(;FF[4]CA[KS_C_5601-1987]C[\xb0\xa1])", False),
    (b"(;FF[4]CA[EUC-KR]C[\xb0\xa1])", False),
    (b"(;FF[4]CA[Shift_JIS]C[\x8e\x96])", False),
]


def test_what_the_suite_leaves_open_is_no_finding() -> None:
    with closing(Worker(Settings(("tests.kit.weak:refuses_letters",), timeout=LIMIT))) as worker:
        for data, is_open in LEFT_OPEN:
            assert bool(worker.compare(data)[1]) is not is_open, data


def test_targets_are_compared(tmp_path: Path) -> None:
    result = fuzz(
        *("--target", "tests.kit.weak:accepts_all", "--target", "sgf_lark", "--seed", 1),
        *("--examples", 6, "-j", 1, "-o", tmp_path, "--format", "html"),
    )
    assert result.exit_code == 1 and result.stdout.startswith("<!DOCTYPE html>")
    assert "tests.kit.weak:accepts_all: accept, sgf_lark: reject (SGF" in result.stdout


def test_sgf_lark_keeps_its_promises(tmp_path: Path) -> None:
    target = "tests.fuzz.harness:promises"
    result = fuzz("--target", target, "--seed", 2, "--examples", 5, "-j", 1, "-o", tmp_path)
    assert result.exit_code == 0, result.stdout


@pytest.mark.parametrize(
    ("data", "is_grammatical"),
    [
        (b"\xef\xbb\xbf(;FF[4]GM[1]CA[UTF-8]C[x])", True),
        ("(;FF[4]GM[1]CA[UTF-16]C[x])".encode("utf-16"), True),
        (b"(;FF[3]GaMe[1]Comment[x])", True),
        (b"(;FF[4]Comment[x])", False),
        (b"(;FF[4]GM[1]", False),
    ],
)
def test_promises_are_kept_for(data: bytes, is_grammatical: bool) -> None:
    assert promises(data) is is_grammatical


def test_list_targets() -> None:
    shown = fuzz("--list-targets").stdout
    for name in adapters():
        state = "(available|not installed)"
        assert re.search(rf"^{re.escape(name)} +{state}", shown, re.M)


# --- Other programs and files --------------------------------------------------


def test_finding_in_the_readme() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    block = re.search(r"```\n\$ sgf-lark fuzz --target (\S+) .*\n((?:.*\n)*?)```", text)
    assert block is not None
    target, shown = block.groups()
    data = re.search(r"input: (.*)", shown)
    assert data is not None
    result = run(Settings((target,), corpus=(data[1].encode(),), timeout=LIMIT), examples=1)
    # Line numbers differ between versions of the other library.
    printed = re.sub(r":\d+ ", ": ", as_text(result, Path("x")))
    assert printed.startswith(re.sub(r":\d+ ", ": ", shown))
