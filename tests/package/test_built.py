"""Kept content: used while it is right, ignored and made anew in every other case."""

from __future__ import annotations

import errno
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sgf_lark import built, grammar_files

#: A value of each type that content may have.
PLAIN = {
    "tuples": ((1, 2.5), ("左", b"\x00\xff")),
    "lists": [None, True, -(2**70)],
    2: frozenset({"a", "b"}),
}


@pytest.fixture(autouse=True)
def grammar_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of grammar files to change, and an empty folder for the content."""
    monkeypatch.setattr(built, "FOLDER", tmp_path / "_built")
    folder = tmp_path / "grammar"
    folder.mkdir()
    (folder / "one.toml").write_text("key = 1\n")
    monkeypatch.setattr(grammar_files, "folder", lambda: folder)
    return folder


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of the content "plain", which is kept."""
    assert built.content("plain", ("one.toml",), lambda: PLAIN) == PLAIN
    return tmp_path / "_built" / "plain.pickle"


def _content(*sources: str) -> Any:
    """The content "plain" from these sources, or from "one.toml"; a text if it had to be made."""
    return built.content("plain", sources or ("one.toml",), lambda: "made anew")


@pytest.mark.usefixtures("kept")
def test_content_is_kept_as_it_is() -> None:
    found = _content()
    assert found == PLAIN
    assert [type(item) for item in found.values()] == [tuple, list, frozenset]


def test_content_of_other_sources_is_made_anew(kept: Path, grammar_folder: Path) -> None:
    (grammar_folder / "two.toml").write_text("key = 1\n")
    data = kept.read_bytes()
    for sources in (["two.toml"], ["two.toml", "one.toml"], ["one.toml", "built.py"]):
        kept.write_bytes(data)
        assert _content(*sources) == "made anew"
    kept.write_bytes(data)
    (grammar_folder / "one.toml").write_bytes(b"key = 1\r\n")
    assert _content() == PLAIN  # line ends do not count
    (grammar_folder / "one.toml").write_text("key = 2\n")
    assert _content() == "made anew"
    assert built.content("plain", ("one.toml",), lambda: None) == "made anew"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("installed", [True, False])
def test_content_of_another_lark_is_made_anew(
    installed: bool, grammar_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (grammar_folder / "one.lark").write_text("start:\n")
    assert built.content("tables", ("one.toml", "one.lark"), lambda: 1) == 1
    other = tmp_path / "__init__.py"
    other.write_text('__version__ = "0.0.0"\n')
    spec = SimpleNamespace(origin=str(other)) if installed else None
    monkeypatch.setattr(built, "find_spec", lambda name: spec)
    monkeypatch.setattr(built, "_lark", built._lark.__wrapped__)
    assert _content() == PLAIN  # no grammar of Lark is among its sources
    assert built.content("tables", ("one.toml", "one.lark"), lambda: 2) == 2
    assert built.content("tables", ("one.toml", "one.lark"), lambda: 3) == 2


@pytest.mark.usefixtures("kept")
def test_content_of_another_format_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "FORMAT", built.FORMAT + 1)
    assert _content() == "made anew"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"\n",
        lambda data: data[:20],
        lambda data: data[:-1],
        lambda data: data + b".",
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        lambda data: data.partition(b"\n")[0],
        lambda data: b"\xff\xfe\n" + data,
        lambda data: bytes(range(200)),
    ],
)
def test_a_damaged_file_is_replaced(kept: Path, damage: Callable[[bytes], bytes]) -> None:
    kept.write_bytes(damage(kept.read_bytes()))
    assert _content() == "made anew"
    assert built.content("plain", ("one.toml",), lambda: None) == "made anew"


class _Caller:
    """As a pickle, a call of :func:`os.mkdir`."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


def test_a_file_cannot_run_code(kept: Path, tmp_path: Path) -> None:
    forged = pickle.dumps(_Caller(tmp_path / "made by a pickle"))
    kept.write_bytes(built._first_line(built._description(("one.toml",)), forged) + b"\n" + forged)
    assert _content() == "made anew"
    assert not (tmp_path / "made by a pickle").exists()


def test_only_plain_data_is_kept(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="not plain data"):
        built.content("odd", ("one.toml",), lambda: Path("x"))
    assert not (tmp_path / "_built" / "odd.pickle").exists()


def test_without_a_folder_to_write_in_content_is_made_each_time(tmp_path: Path) -> None:
    (tmp_path / "_built").write_text("a file where the folder should be")
    assert _content() == "made anew"
    assert built.content("plain", ("one.toml",), lambda: 2) == 2
    with pytest.raises(OSError, match="_built"):
        built.build()


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The only module with content, of which a test can change `build_content`."""
    found = SimpleNamespace(build_content=_content)
    monkeypatch.setattr(built, "MODULES", ("module",))
    monkeypatch.setattr(built, "import_module", lambda name: found)
    return found


@pytest.mark.usefixtures("kept", "module")
def test_build_makes_all_content_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "_built"
    for stale in (folder / "old.pickle", folder / "old.pyi"):
        stale.write_bytes(b"")
    assert built.build() == [folder / "plain.pickle"]
    assert [*folder.iterdir()] == [folder / "plain.pickle"]
    assert _content() == "made anew"


@pytest.mark.usefixtures("kept")
def test_build_leaves_other_processes_all_content(module: SimpleNamespace, tmp_path: Path) -> None:
    folder = tmp_path / "_built"
    files = {folder / "plain.pickle", folder / "plain.pickle.1-00000000", folder / "other.pyi"}
    for path in files:
        path.touch()

    def build_content() -> None:
        assert {*folder.iterdir()} == files
        _content()
        assert {*folder.iterdir()} == files

    module.build_content = build_content
    built.build()
    # The other process renames it.
    assert folder / "plain.pickle.1-00000000" in folder.iterdir()


@pytest.mark.usefixtures("module")
def test_a_write_that_fails_leaves_no_file_and_deletes_none(
    kept: Path, grammar_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "cannot replace", str(target))

    before = kept.read_bytes()
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PermissionError):
        built.build()
    assert _content() == PLAIN
    (grammar_folder / "one.toml").write_text("key = 2\n")
    assert _content() == "made anew"
    assert [*kept.parent.iterdir()] == [kept] and kept.read_bytes() == before
