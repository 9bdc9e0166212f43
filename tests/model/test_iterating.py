"""iter_games gives the games that load gives, one at a time."""

from __future__ import annotations

import gc
import gzip
import io
import itertools
import pickle
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

import sgf_lark
from sgf_lark import GameTree, SGFSyntaxError, SGFValueError, iter_games
from sgf_lark.model import loading
from tests.kit.tables import for_each

TEXT = "棋譜表ソ能"

FILES = [
    b"",
    b" \n",
    b"(;)",
    b"(;)(;)\n",
    b"(;)\r\n(;B[aa])\r\nx",
    b"x(;)",
    b"(;)x(;)",
    b"(;))(;)",
    b"(;)\x1a",
    b"()(;)",
    b"((;))(;)",
    b"(;B[aa](;W[bb])(;C[:)])",
    b"(;C[a]b)](;B[aa])",
    b"(;C[a] :) b];B[aa])(;C[x])",
    b"(;B[",
    b"(;B[aa](;)(;FF[4])",
    b"(;FF[3];Black[aa])(;FF[4];Black[aa])",
    b"(;FF[3];Black[aa])(;FF[3];Black[bb])  ",
    b"\xef\xbb\xbf(;C[\xc3\xa9])(;C[\xc3\xa9]X[)",
    b"\xef\xbb\xbf",
    b"\x89PNG\r\n\x1a\n(;)",
    "(;CA[Shift_JIS]C[表])\n(;CA[Shift_JIS]C[表ソ])(;B[aa]".encode("cp932"),
    f"(;FF[4]C[{TEXT}])\n(;C[{TEXT}N(])".encode("utf-16"),
    f"(;FF[4]C[{TEXT}])\n(;C[{TEXT}N(])x".encode("utf-16-le"),
    f"(;FF[4]C[{TEXT}])\n(;C[{TEXT}N(]x)(;)".encode("utf-32"),
    f"(;FF[4]C[{TEXT}]x)\n(;C[{TEXT}])".encode("utf-16"),
    f"(;C[黒の好手。ここで白は手を抜けない。])(;C[黒])(;C[{TEXT}])".encode("cp932"),
    "(;C[黑棋這一手很好，白棋必須應。功])(;C[黑])(;C[功許蓋])".encode("big5"),
    "(;CA[UTF-8]C[é])\n(;CA[ISO-8859-1]C[é])".encode(),
]


def content(games: Iterator[GameTree] | sgf_lark.Collection) -> list[Any]:
    """All that a user sees of games: values and their places, size and damage."""
    found = []
    for game in games:
        nodes = [
            [(each.ident, value(each), each.span) for each in n.properties] for n in game.nodes()
        ]
        found.append((game.size, nodes, list(game.damage)))
    return found


def value(entry: sgf_lark.Property) -> Any:
    try:
        return repr(entry.value)
    except SGFValueError:
        return entry.raw


def without_damage(found: list[Any]) -> list[Any]:
    return [each[:2] for each in found]


#: Files whose first bytes tell their charset, at the latest those of a block of 64.
TOLD = [data for data in FILES if data.isascii() or data[:2] in (b"\xef\xbb", b"\xff\xfe", b"(\0")]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 64, 200])
@for_each([*TOLD, b"(;C[" + b"x" * 99 + b"])\n(;N[y])" * 9])
def test_the_games_do_not_depend_on_the_blocks(
    data: bytes, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    least = 1 if data.isascii() else 4 if data.startswith((b"\xef", b"\xff")) else 64
    monkeypatch.setattr(loading, "_BLOCK_SIZE", max(size, least))
    expected = sgf_lark.loads(data, tolerant=True)
    found = content(iter_games(io.BytesIO(data), tolerant=True))
    assert without_damage(found) == without_damage(content(expected))
    has_same_error(data)


#: Games that are read by parts: by their codec, with their number in the file.
LONG = {
    "ascii": "(;FF[4]N[{}];B[aa](;W[bb]{})(;W[cc]C[:-) \\]]))\n",
    "utf-8": "(" + ";B[aa];W[bb]" * 30 + "N[{}];C[é{}])",
    "utf-16-le": "(;GM[1]PB[棋譜{}];W[dd]{}) ",
    "cp932": "(;FF[4]CA[Shift_JIS]C[表]N[{}](;B[bb])(;{}C[ソ]))\n",
    "gbk": "(;CA[GBK]PB[古力 功許{}](;B[bb]{})(;B[cc]))",
}


@pytest.mark.parametrize(
    ("wrong", "engine"),
    [("", "tables"), (",", "tables"), ("]", "tables"), ("(", "tables"), ("(", "lark")],
)
@for_each(LONG)
def test_a_long_file_is_read_by_parts(
    codec: str, wrong: str, engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_BLOCK_SIZE", 1 << 9)
    monkeypatch.setattr(loading, "LOOKAHEAD", 1 << 7)
    games = [LONG[codec].format(number, number) for number in range(10 if codec == "utf-8" else 20)]
    games[-5] = wrong + games[-5]
    data = "".join(games).encode(codec)
    found = content(iter_games(io.BytesIO(data), tolerant=True, engine=engine))
    expected = content(sgf_lark.loads(data, tolerant=True))
    assert without_damage(found) == without_damage(expected)
    has_same_error(data)


def has_same_error(data: bytes) -> None:
    """Check that a strict reading gives what `loads` gives, or its error."""
    try:
        expected = content(sgf_lark.loads(data))
    except SGFSyntaxError as error:
        with pytest.raises(SGFSyntaxError) as raised:
            content(iter_games(io.BytesIO(data)))
        assert raised.value.diagnostic == error.diagnostic
        assert raised.value.expected == error.expected
    else:
        assert content(iter_games(io.BytesIO(data))) == expected


def test_all_damage_belongs_to_a_game() -> None:
    data = b"x(;B[aa]y)z(;W[bb])\n(;C[)"
    games = list(iter_games(io.BytesIO(data), tolerant=True))
    damage = [each for game in games for each in game.damage]
    assert damage == [
        each if each.tree is None else each._replace(tree=tree)
        for each, tree in zip(sgf_lark.loads(data, tolerant=True).damage, (0, 0, 0, 2), strict=True)
    ]


def test_games_before_the_damage_are_given_first() -> None:
    games = iter_games(io.BytesIO(b"(;N[1])\n(;N[2])\n(;N[3],)"))
    assert [game.root["N"] for game in itertools.islice(games, 2)] == ["1", "2"]
    with pytest.raises(SGFSyntaxError) as raised:
        next(games)
    span = raised.value.diagnostic.span
    assert (span.start, span.line, span.column) == (22, 3, 7)


class Endless(io.RawIOBase):
    """Games without end, in parts of any size; it counts what was read."""

    def __init__(self, game: bytes) -> None:
        self.game = game
        self.position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), 10_007)
        offset = self.position % len(self.game)
        games = self.game * (size // len(self.game) + 2)
        buffer[:size] = games[offset : offset + size]
        self.position += size
        return size


@for_each(
    [
        (b"(;FF[4]C[" + b"x" * 3000 + b"];B[aa](;W[bb])(;W[cc]))\n", False),
        (b"(;FF[4]C[" + b"x" * 3000 + b"],;B[aa])\n", True),
        (f"(;FF[4]CA[GBK]C[{'功許' * 800}])\n".encode("gbk"), False),
    ]
)
def test_one_game_is_in_memory(
    game: bytes, tolerant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_BLOCK_SIZE", 1 << 16)
    monkeypatch.setattr(loading, "LOOKAHEAD", 1 << 12)
    stream = Endless(game)
    games = iter_games(cast(BinaryIO, stream), tolerant=tolerant)
    alive = []
    for number, found in enumerate(itertools.islice(games, 110)):
        alive.append(weakref.ref(found))
        assert stream.position - number * len(game) < 3 << 16
    del found
    gc.collect()
    # Those of a part that was damaged are read at once.
    assert sum(each() is not None for each in alive[:-1]) == 0


def test_paths_and_packed_files(tmp_path: Path) -> None:
    data = b"(;N[1])(;N[2])"
    path = tmp_path / "games.sgf"
    path.write_bytes(data)
    packed = tmp_path / "games.sgf.gz"
    packed.write_bytes(gzip.compress(data))
    names = [game.root["N"] for game in iter_games(path)]
    with gzip.open(packed) as stream:
        assert [game.root["N"] for game in iter_games(cast(BinaryIO, stream))] == names
    assert [game.root["N"] for game in iter_games(str(path))] == names == ["1", "2"]


def test_wrong_arguments_are_refused_at_once() -> None:
    for options, error in (
        ({"charset": "no-such"}, LookupError),
        ({"charset_mode": "no-such"}, ValueError),
        ({"engine": "no-such"}, ValueError),
    ):
        arguments = cast(dict[str, Any], options)
        with pytest.raises(error, match="no-such"):
            iter_games(io.BytesIO(b"(;)"), **arguments)
    with pytest.raises(TypeError):
        next(iter_games(cast(BinaryIO, io.StringIO("(;)"))))


def test_places_survive_pickling() -> None:
    *_, game = iter_games(io.BytesIO(b"(;N[1])\n(;N[2])"))
    source = game.parsed.file.source
    span = game.root.property("N").span
    assert span is not None
    assert span == (10, 14, 2, 3)
    assert source.text(span) == pickle.loads(pickle.dumps(source)).text(span) == "N[2]"
    assert source.line(span) == "(;N[2])"
