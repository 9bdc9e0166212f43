"""Hypothesis strategies for conforming Go collections, driven by ``properties.toml``."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.types import Point

WHITE_SPACE = st.text(" \t\r\n\v\f", max_size=2).map(str.encode)

_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=12
)


@st.composite
def raw_texts(draw: st.DrawFn, composed: bool = False) -> bytes:
    """A text with escapes, soft and hard line breaks; never only white space."""
    pieces = []
    special = b"]\\:" if composed else b"]\\"
    for character in draw(_TEXT) + "x":
        encoded = character.encode()
        escape = encoded in special or (len(encoded) == 1 and draw(st.integers(0, 9)) == 0)
        pieces.append(b"\\" + encoded if escape else encoded)
    for piece in draw(st.lists(st.sampled_from([b"\\\n", b"\r\n", b"\t", b"\\\n\r"]), max_size=2)):
        pieces.insert(draw(st.integers(0, len(pieces))), piece)
    return b"".join(pieces)


_FORMATS: dict[str, st.SearchStrategy[bytes]] = {
    "date": st.sampled_from([b"1996", b"1996-05,06", b"1996-05-06,07", b"1996-02-29,1997"]),
    "result": st.sampled_from([b"0", b"Draw", b"B+", b"W+12.5", b"B+R", b"W+Time", b"Void", b"?"]),
    "rank": st.sampled_from([b"5k", b"9 dan", b"3d?"]),
    "round": st.sampled_from([b"1", b"2 (final)"]),
    "rules": st.sampled_from([b"Japanese", b"AGA", b"Chinese"]),
    "komi": st.sampled_from([b"6.5", b"-59.5", b"0"]),
    "seconds": st.integers(0, 10**6).map(lambda n: str(n).encode()),
    "print_mode": st.sampled_from([b"0", b"1", b"2"]),
    "variation_style": st.sampled_from([b"0", b"3"]),
    "figure": st.sampled_from([b"", b"257:Figure 1", b"32768:"]),
}

_PLAIN: dict[str, st.SearchStrategy[bytes]] = {
    "none": st.just(b""),
    "number": st.integers(-(10**9), 10**9).map(lambda n: str(n).encode()),
    "real": st.sampled_from([b"0.5", b"-3", b"+12.50", b"7"]),
    "double": st.sampled_from([b"1", b"2"]),
    "color": st.sampled_from([b"B", b"W"]),
    "simpletext": raw_texts(),
    "text": raw_texts(),
}


@st.composite
def _collection_node(
    draw: st.DrawFn, size: tuple[int, int], role: str, taken: dict[str, set[Point]]
) -> bytes:
    """The properties of one node, `role` being what kind of node it is."""
    types = {"move": ("move", "none"), "setup": ("setup", "none"), "root": ("root", "game-info")}
    candidates = [
        entry
        for entry in grammar.properties()
        if entry.in_game(1)
        and 4 in entry.file_formats
        and entry.type in types[role]
        and not entry.private
        and entry.format not in {"handicap", "file_format", "game", "size", "charset"}
    ]
    chosen = draw(st.lists(st.sampled_from(candidates), max_size=5, unique_by=lambda e: e.ident))
    groups: set[str] = set()
    parts = []
    has_move = any(entry.exclusive == "move" for entry in chosen)
    for entry in chosen:
        if entry.exclusive and entry.exclusive in groups:
            continue
        if entry.needs_move and not has_move:
            continue
        groups.add(entry.exclusive)
        raws = draw(_values(entry, size, taken))
        if raws:
            space = draw(WHITE_SPACE)
            parts.append(entry.ident.encode() + b"".join(space + b"[" + r + b"]" for r in raws))
    return b"".join(part + draw(WHITE_SPACE) for part in parts)


@st.composite
def _values(
    draw: st.DrawFn,
    entry: PropertyDefinition,
    size: tuple[int, int],
    taken: dict[str, set[Point]],
) -> list[bytes]:
    point: Callable[[], Point] = lambda: Point(  # noqa: E731
        draw(st.integers(0, size[0] - 1)), draw(st.integers(0, size[1] - 1))
    )
    kind = entry.alternatives[0]
    if entry.format in _FORMATS:
        return [draw(_FORMATS[entry.format])]
    if entry.ident == "AP":
        return [draw(raw_texts(composed=True)) + b":" + draw(raw_texts(composed=True))]
    if kind.first in {"point", "stone"} and not kind.composed:
        used = taken.setdefault(entry.unique, set())
        fresh = {point() for _ in range(draw(st.integers(1, 4)))} - used
        used |= fresh
        return [str(p).encode() for p in sorted(fresh)]
    if kind.first == "point":
        left, right = point(), point()
        if left == right:
            return []
        half = (
            draw(raw_texts(composed=True)) if kind.second == "simpletext" else str(right).encode()
        )
        return [str(left).encode() + b":" + half]
    if kind.first == "move":
        return [draw(st.sampled_from([b"", str(point()).encode()]))]
    return [draw(_PLAIN[kind.first])]


@st.composite
def collections(draw: st.DrawFn) -> bytes:
    """A conforming FF[4] Go collection with variations."""
    trees = []
    for _ in range(draw(st.integers(1, 2))):
        size = (draw(st.integers(2, 52)), draw(st.integers(2, 52)))
        written = b"%d" % size[0] if size[0] == size[1] else b"%d:%d" % size
        root = (
            b";FF[4]GM[1]CA[UTF-8]SZ[" + written + b"]" + draw(_collection_node(size, "root", {}))
        )
        body = [root]
        depth = 0
        for _ in range(draw(st.integers(0, 6))):
            if draw(st.booleans()):
                body.append(b"(")
                depth += 1
            body.append(b";" + draw(_node(size)))
            if depth and draw(st.integers(0, 3)) == 0:
                body.append(b")")
                depth -= 1
                body.append(b"(;" + draw(_node(size)) + b")")
                body.append(b"(;")
                depth += 1
        trees.append(
            b"(" + b"".join(part + draw(WHITE_SPACE) for part in body) + b")" * (depth + 1)
        )
    return draw(WHITE_SPACE).join(trees)


def _node(size: tuple[int, int]) -> st.SearchStrategy[bytes]:
    return st.sampled_from(["move", "setup"]).flatmap(lambda role: _collection_node(size, role, {}))


_DAMAGE = st.sampled_from(
    [b"(", b")", b"[", b"]", b";", b"\\", b":", b"\0", b"\x01", b"x", b"B", b"Bx", b",", b"\xe9"]
) | st.sampled_from(
    [b"FF[3]", b"CA[GBK]", b"\xef\xbb\xbf", b"B[tt]", b"AW[aa:cc]", b"SZ[5]", b"]]"]
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A Go collection in which something was cut out or put in, a few times."""
    data = draw(collections())
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 3)))
        data = data[:start] + draw(_DAMAGE | st.just(b"")) + data[end:]
    return data


@st.composite
def games(draw: st.DrawFn) -> bytes:
    """Play on a small board: captures, occupied points, passes, clocks, comments, setup
    and variations, in and out of turn."""
    size = draw(st.integers(1, 4))
    letters = st.sampled_from("abcde"[: size + 1])
    point = st.tuples(letters, letters).map("".join)
    move = st.tuples(st.sampled_from("BW"), point | st.just("") | st.just("tt")).map(
        lambda item: f"{item[0]}[{item[1]}]"
    )
    setup = st.tuples(st.sampled_from(["AB", "AW", "AE"]), st.lists(point, min_size=1, max_size=3))
    setup_text = setup.map(lambda item: item[0] + "".join(f"[{at}]" for at in item[1]))
    extra = st.sampled_from(
        [
            "C[x]",
            "C[\n]",
            "C[a\\]b]",
            "C[\x01]",
            "BL[9]",
            "BL[.5]",
            "BL[5.]",
            "WL[1.5]",
            "OB[3]",
            "OW[x]",
            "MN[7]",
            "N[n]",
            "KO[]",
            "PL[B]",
            "GB[1]",
            "TE[1]",
            "DM[1]",
            "RE[0]",
            "AB[aa:bb]",
            "CR[aa]",
            "ZZ[x]",
        ]
    )
    node = st.lists(move | move | move | extra | setup_text, min_size=0, max_size=3).map("".join)
    parts = [f"(;FF[{draw(st.integers(1, 4))}]GM[1]SZ[{size}]" + draw(node)]
    depth = 0
    for _ in range(draw(st.integers(0, 25))):
        turn = draw(st.integers(0, 11))
        if turn == 0:
            parts.append("(")
            depth += 1
        parts.append(";" + draw(node | move | move))
        if turn == 1 and depth:
            parts.append(")(;" + draw(node))
    parts.append(")" * (depth + 1))
    return "".join(parts).encode()
