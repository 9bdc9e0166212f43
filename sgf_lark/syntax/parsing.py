"""From the bytes that the parser reads to a parsed file, by the engine's tables or by Lark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sgf_lark import engine as tables
from sgf_lark.diagnostics import Diagnostic
from sgf_lark.flat_tree import FlatTree
from sgf_lark.syntax import ENGINES, Engine
from sgf_lark.syntax.grammars import file_format
from sgf_lark.syntax.unnamed_format import unnamed_format
from sgf_lark.text import charsets
from sgf_lark.text.charsets import TextCharset
from sgf_lark.text.decoding import Decoding
from sgf_lark.text.positions import CodecAt, Position, SourceText

if TYPE_CHECKING:
    # Nothing of it is needed for an intact file: it is imported where damage is found.
    from sgf_lark.syntax.layers import Layers
    from sgf_lark.syntax.tolerant import Damage, DamagedTree

#: The root properties that govern how a tree is read.
CONTEXT_PROPERTIES = frozenset({"FF", "GM", "SZ", "CA"})


def check_engine(engine: str) -> None:
    """Raise ValueError for an unknown engine."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine: {engine!r}; one of {', '.join(ENGINES)}")


def parse_if_strict(data: bytes, engine: Engine = "tables") -> FlatTree | None:
    """The flat tree of `data`, a collection without a byte order mark; None where it
    leaves the grammar.

    Raises ValueError for an unknown engine.
    """
    check_engine(engine)
    if engine == "tables" and tables.can_parse(data):
        return tables.parse(data)
    from lark.exceptions import UnexpectedInput

    from sgf_lark.syntax.strict import parse_by_lark

    try:
        return parse_by_lark(data)
    except UnexpectedInput:
        return None


def parse_strictly(data: bytes) -> FlatTree:
    """The flat tree of `data`, a collection without a byte order mark; raises SGFSyntaxError."""
    flat = parse_if_strict(data)
    if flat is None:
        from sgf_lark.syntax.errors import syntax_error

        raise syntax_error(data)
    return flat


def parse_decoded(
    decoding: Decoding, engine: Engine = "tables", inner: list[int] | None = None
) -> ParsedFile:
    """The file as it is decoded. Any bytes are accepted."""
    flat = parse_if_strict(decoding.data, engine)
    if flat is None:
        return parse_damaged(decoding, engine, inner)
    return ParsedFile(decoding, flat, engine=engine)


def parse_damaged(
    decoding: Decoding, engine: Engine = "tables", inner: list[int] | None = None
) -> ParsedFile:
    """A file that leaves the grammar, with its damage. Each "]" at the offsets `inner` belongs to a
    value; they are searched if none are given."""
    from sgf_lark.syntax.tolerant import parse_tolerant

    damaged = parse_tolerant(decoding.data, engine, inner)
    return ParsedFile(decoding, damaged.flat, damaged, engine=engine)


class ParsedFile:
    """The bytes of a file, how they were decoded, the flat tree that was parsed from them, and the
    damage if they do not follow the grammar.

    `file_format` and `game` override FF and GM of every tree. Nothing of it changes, so that
    copies of game trees share it.
    """

    def __init__(
        self,
        decoding: Decoding,
        flat: FlatTree,
        damaged: DamagedTree | None = None,
        *,
        file_format: int | None = None,
        game: int | None = None,
        engine: Engine = "tables",
    ) -> None:
        self.decoding = decoding
        self.flat = flat
        self.damaged = damaged
        self.file_format = file_format
        self.game = game
        #: The engine by which it was parsed, and by which its values are read.
        self.engine = engine
        #: The layers that were undone before the file was parsed, if there were any.
        self.layers: Layers | None = None
        # What every reader of the trees asks for, and `loads` does not: worked out once.
        self._root_values: list[dict[str, bytes]] | None = None
        self._charsets: list[TextCharset] | None = None
        #: The file formats of trees without FF, by their numbers.
        self._unnamed_formats: dict[int, int] = {}

    @property
    def root_values(self) -> list[dict[str, bytes]]:
        """For each tree the first value of each root property that governs the reading."""
        if self._root_values is None:
            flat = self.flat
            self._root_values = [flat.first_values(root, CONTEXT_PROPERTIES) for root in flat.roots]
        return self._root_values

    def file_format_of(self, tree: int) -> int | None:
        """The file format of a tree that does not follow from the FF of its root: the one that
        overrides FF, or the one that a tree without FF is in; else None."""
        if self.file_format is not None or file_format(self.root_values[tree].get("FF")):
            return self.file_format
        if tree not in self._unnamed_formats:
            self._unnamed_formats[tree] = unnamed_format(self.flat, tree, self.game)
        return self._unnamed_formats[tree]

    @property
    def charsets(self) -> list[TextCharset]:
        """For each tree the charset of its texts."""
        if self._charsets is None:
            flat, decoding = self.flat, self.decoding
            self._charsets = [
                decoding.text_charset(values.get("CA"), *flat.bounds(root))
                for values, root in zip(self.root_values, flat.roots, strict=True)
            ]
        return self._charsets

    @property
    def codecs(self) -> list[str]:
        """For each tree Python's codec of its texts."""
        return [charset.codec for charset in self.charsets]

    def overriding(self, file_format: int | None, game: int | None) -> ParsedFile:
        """The same file with that FF and GM for every tree, as far as they are given."""
        if (file_format, game) == (self.file_format, self.game):
            return self
        found = ParsedFile(
            self.decoding,
            self.flat,
            self.damaged,
            file_format=file_format,
            game=game,
            engine=self.engine,
        )
        found.layers = self.layers
        return found

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.as_written.decoding.original

    @property
    def as_written(self) -> ParsedFile:
        """The file with the layers that were undone before it was parsed."""
        return self if self.layers is None else self.layers.before

    def _place(self, offset: int) -> int:
        """The offset in what is parsed of the file as it is written."""
        assert self.layers is not None
        return self.layers.was_at(self.decoding.sections.to_file(offset))

    @cached_property
    def source(self) -> SourceText:
        """Lines and columns of :attr:`data`; columns count characters of each tree's charset."""
        if self.layers is not None:
            return self.layers.before.source.seen_from(self._place)
        codecs = self.codecs
        if len(set(codecs)) < 2:
            return self.decoding.source(codecs[0] if codecs else charsets.default().codec)
        starts = [self.flat.bounds(root)[0] for root in self.flat.roots]
        return self.decoding.source(CodecAt(starts, codecs))

    @property
    def places_of_damage(self) -> list[Damage]:
        """What the tolerant parser passed over, and the layers that were undone before."""
        found = [] if self.damaged is None else self.damaged.found(self.file_format)
        return found if self.layers is None else [*self.layers.damage(self.decoding), *found]

    @cached_property
    def damage(self) -> Sequence[Diagnostic]:
        """What the tolerant parser passed over, in the order of the file."""
        places = sorted(self.places_of_damage, key=lambda each: each.start)
        if not places:
            return []
        from sgf_lark.syntax.tolerant import diagnostic

        flat, source = self.flat, self.source
        found = []
        for each in places:
            if not flat.roots:
                found.append(diagnostic(each, flat, source))
                continue
            node = flat.node_at(each.start)
            tree = flat.tree_of(node)
            found.append(diagnostic(each, flat, source, tree, node - flat.roots[tree]))
        return found

    def part(self, tree: int) -> tuple[ParsedFile, int]:
        """A file with one of the game trees, and the number of the tree in it.

        That is this file if there is no other tree in it, or if it was decoded as a whole.
        """
        flat, decoding = self.flat, self.decoding
        if len(flat.roots) == 1 or decoding.whole is not None or self.layers is not None:
            return self, tree
        starts = [flat.bounds(root)[0] for root in flat.roots[tree : tree + 2]]
        start, end = starts if len(starts) > 1 else (starts[0], len(flat.data))
        part = flat.part(tree, start, flat.data[start:end])
        span = self.source.span(start, start)
        begin = Position(span.start, span.line - 1, span.column - 1)
        own = decoding.part(start, end, begin)
        found = ParsedFile(
            own, part, file_format=self.file_format, game=self.game, engine=self.engine
        )
        found.damage = [each for each in self.damage if each.tree == tree]
        return found, 0

    def __deepcopy__(self, memo: dict[int, Any]) -> ParsedFile:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bytes; they are parsed again, unless they are damaged."""
        flat = None if parse_if_strict(self.decoding.data) == self.flat else self.flat
        return _restored, (
            self.decoding,
            flat,
            self.file_format,
            self.game,
            self.engine,
            self.damage,
            self.layers,
        )


def _restored(
    decoding: Decoding,
    flat: FlatTree | None,
    file_format: int | None,
    game: int | None,
    engine: Engine,
    damage: Sequence[Diagnostic],
    layers: Layers | None,
) -> ParsedFile:
    found = ParsedFile(
        decoding,
        flat or parse_strictly(decoding.data),
        file_format=file_format,
        game=game,
        engine=engine,
    )
    found.damage = damage
    found.layers = layers
    return found


def plain_file(data: bytes) -> ParsedFile:
    """A file of these bytes, which follow the grammar; none for no bytes."""
    return ParsedFile(Decoding(data, data), parse_strictly(data) if data else FlatTree(data))
