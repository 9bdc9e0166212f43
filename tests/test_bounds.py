"""Bounds: files that are no SGF, large and packed files, devices, and the number of diagnostics."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

import sgf_lark
from sgf_lark.syntax.signatures import kind_of, signatures


def run_check(data: bytes) -> list[sgf_lark.Diagnostic]:
    return sgf_lark.validate(data).diagnostics


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("game.sgf", b"(;GM[1])" * 100)
    return stream.getvalue()


#: Files that are no SGF, and a part of the message.
OTHER_KINDS: dict[str, tuple[bytes, str]] = {
    "program": (b"\x7fELF" + random.Random(1).randbytes(200_000), "a program (ELF)"),
    "zip": (_zip(), "a zip archive"),
    "gzip": (b"\x1f\x8b\x08" + random.Random(2).randbytes(100), "packed with gzip"),
    "zstd, which begins with (": (b"(\xb5/\xfd(;B[aa])", "packed with zstd"),
    "image": (b"\x89PNG\r\n\x1a\n\0\0(;B[aa", "a PNG image"),
    "document": (b"%PDF-1.7 (;B[aa", "a PDF document"),
    "web page": (b"<!doctype html>\n<p>[x]</p>" * 9, "a web page"),
    "JSON": (b'{"a": [1, 2, "]["]}', "a JSON document"),
    "Windows": (b"MZ\x90\0\x03\0(;B[aa", "a program (Windows)"),
    "no known kind": (random.Random(3).randbytes(100_000), "binary data"),
}


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_other_kind_of_file_is_one_diagnostic(kind: str) -> None:
    data, message = OTHER_KINDS[kind]
    for engine in ("tables", "lark"):
        [found] = sgf_lark.validate(data, engine=engine).diagnostics
        assert found.code == "SGF002" and message in found.message
    [again] = sgf_lark.loads(data, tolerant=True).damage
    assert again.message == found.message
    with pytest.raises(sgf_lark.SGFSyntaxError) as caught:
        sgf_lark.loads(data)
    assert message in str(caught.value)
    for unsafe in (False, True):
        assert sgf_lark.fix(data, unsafe=unsafe).data == data


@pytest.mark.parametrize(
    "data",
    [
        b"(;GM[1]",
        b"MZ and BM and BZh (;GM[1]",
        b"<html>(;GM[1]B[aa])",
        b'{"sgf": "(\n;GM[1]B[aa])"}',
        b"\0" * 9000 + b"(;GM[1]",
        bytes(range(256)),
        bytes(range(256)) + b"(;GM[1]C[" + b"x" * 5000,
    ],
)
def test_what_may_be_a_damaged_game_is_parsed(data: bytes) -> None:
    assert kind_of(data) is None


def test_signatures_are_not_ambiguous() -> None:
    found = [(each.start, each.at) for each in signatures()]
    assert len(set(found)) == len(found)
    assert not any(each.start.startswith(b"(;") for each in signatures())
