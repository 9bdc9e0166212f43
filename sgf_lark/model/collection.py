"""The collection: the game trees of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from functools import cached_property
from typing import Any, overload

from sgf_lark.diagnostics import Diagnostic
from sgf_lark.flat_tree import FlatTree
from sgf_lark.model.pictures import drawing
from sgf_lark.model.tree import GameTree
from sgf_lark.model.wrong_names import NoOtherAttributes
from sgf_lark.syntax.parsing import ParsedFile, plain_file
from sgf_lark.text.positions import SourceText


class Collection(NoOtherAttributes, MutableSequence[GameTree]):
    """The game trees of a file, or of one that is to be written: a mutable sequence.

    ``Collection(games)`` makes one of game trees from anywhere. A slice is a collection as well.
    A game tree may be in several collections; it is the same one in all of them.

    ``==`` holds only for a collection and itself; :meth:`equals` compares contents. A copy by
    :mod:`copy` or :mod:`pickle` keeps everything; ``copy.copy`` shares the game trees. In a
    pickle each game tree has its own bytes with it, so that games can be sent to other processes
    one by one.
    """

    _own = frozenset({"file"})
    _node = "collection[0].root"
    #: The bytes it was read from, how they were decoded, and what was parsed from them.
    file: ParsedFile

    def __init__(self, games: Iterable[GameTree] = ()) -> None:
        """Raises TypeError for what is not a game tree."""
        self.file = plain_file(b"")
        self._trees = [_checked(game) for game in games]
        #: Whether it has other game trees than its file, or in another order.
        self._rearranged = True

    @classmethod
    def of_file(cls, file: ParsedFile) -> Collection:
        """The collection in a parsed file."""
        found = cls.__new__(cls)
        vars(found).update(file=file, _rearranged=False)
        return found

    @cached_property
    def _trees(self) -> list[GameTree]:
        """The game trees, those of the file as long as there are no others."""
        return [GameTree(self.file, number) for number in range(len(self.file.flat.roots))]

    @property
    def data(self) -> bytes:
        """The bytes of the file as given; none for a collection that was not read."""
        return self.file.data

    @property
    def flat(self) -> FlatTree:
        """The structure of its file as columns of numbers."""
        return self.file.flat

    @property
    def source(self) -> SourceText:
        """Lines and columns of :attr:`data`."""
        return self.file.source

    @property
    def damage(self) -> Sequence[Diagnostic]:
        """What a tolerant parser passed over, in the order of the file."""
        return self.file.damage

    @property
    def edited(self) -> bool:
        """Whether anything was changed since it was parsed."""
        return self._rearranged or any(tree.edited for tree in self._trees)

    @overload
    def __getitem__(self, index: int) -> GameTree: ...
    @overload
    def __getitem__(self, index: slice) -> Collection: ...
    def __getitem__(self, index: int | slice) -> GameTree | Collection:
        """A game tree by its index, 0-based, or a collection of some of them."""
        if isinstance(index, slice):
            return _restored(self.file, self._trees[index], rearranged=True)
        return self._trees[index]

    @overload
    def __setitem__(self, index: int, value: GameTree) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[GameTree]) -> None: ...
    def __setitem__(self, index: int | slice, value: GameTree | Iterable[GameTree]) -> None:
        """Put a game tree, or several for a slice, in the place of others."""
        if isinstance(index, slice):
            if isinstance(value, GameTree):
                raise TypeError("a slice takes several game trees, such as [game]")
            self._trees[index] = [_checked(game) for game in value]
        else:
            self._trees[index] = _checked(value)
        self._rearranged = True

    def __delitem__(self, index: int | slice) -> None:
        """Remove a game tree, or those of a slice."""
        del self._trees[index]
        self._rearranged = True

    def insert(self, index: int, value: GameTree) -> None:
        """Insert a game tree before that index; raises TypeError for anything else."""
        self._trees.insert(index, _checked(value))
        self._rearranged = True

    def __iter__(self) -> Iterator[GameTree]:
        return iter(self._trees)

    def __len__(self) -> int:
        return len(self._trees)

    def equals(self, other: Collection) -> bool:
        """Whether both have equal game trees in the same order; see :meth:`GameTree.equals`."""
        return (
            isinstance(other, Collection)
            and len(self) == len(other)
            and all(one.equals(two) for one, two in zip(self, other, strict=True))
        )

    def merged(self) -> Collection:
        """A collection in which games that begin alike are one game tree with variations.

        Games begin alike if game, file format, size and the position of the root are the same. What
        several games have in a node is kept: lists are joined, comments and what else differs
        become paragraphs of the comment. The information about a game (players, result) goes to
        the first node that belongs to this game alone, as sgf4, game-info, asks; of a game that
        ends where others go on it becomes a comment. Root properties are those of the first game,
        and a joined tree is in UTF-8; games that begin like no other are the same objects.
        """
        from sgf_lark.model.merging import merged

        return Collection(merged(self))

    def __copy__(self) -> Collection:
        return _restored(self.file, [*self._trees], self._rearranged)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.file, self._trees, self._rearranged)

    def _repr_html_(self) -> str:
        """A table of the games, for notebooks; one game with its board."""
        return drawing("notebook").collection_html(self)  # type: ignore[no-any-return]

    def _repr_svg_(self) -> str | None:
        """The board at the end of the first game; None where there is none."""
        return self[0]._repr_svg_() if self else None

    def __repr__(self) -> str:
        return f"<Collection of {len(self)} game tree{'s' if len(self) != 1 else ''}>"


def _restored(file: ParsedFile, trees: list[GameTree], rearranged: bool) -> Collection:
    """A collection with these game trees."""
    found = Collection.__new__(Collection)
    vars(found).update(file=file, _trees=trees, _rearranged=rearranged)
    return found


def _checked(game: object) -> GameTree:
    if not isinstance(game, GameTree) or not game.root._is_root:
        raise TypeError(
            f"a collection holds game trees, as loads() and new_game() give; given {game!r:.80}"
        )
    return game
