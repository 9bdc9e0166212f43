"""Converts wei7 to SGF, and reports each item that FF[4] cannot hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sgf_lark.diagnostics import Words
from sgf_lark.model.loading import loads
from sgf_lark.model.node import Node
from sgf_lark.model.values import Compose, Double, Move, Point, Stone
from sgf_lark.model.values.points import LETTERS
from sgf_lark.model.writing import dumps
from sgf_lark.wei7.checking import board_size
from sgf_lark.wei7.from_sgf import REASONS, SCORING, handicap
from sgf_lark.wei7.json_text import Place
from sgf_lark.wei7.json_text import dumps as json_dumps
from sgf_lark.wei7.loading import load_place

_COLORS = {1: "B", 2: "W"}
_EVALUATIONS = {"good": "TE", "bad": "BM"}


@dataclass(frozen=True, slots=True)
class LostMember:
    """An item of a wei7 text without a counterpart in SGF; `pointer` is its JSON pointer."""

    pointer: str
    reason: Words


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of an SGF file, and the items that it lacks."""

    data: bytes
    lost: tuple[LostMember, ...]


def to_sgf(document: Mapping[str, Any] | bytes | str) -> Written:
    """A wei7 document or text as SGF, FF[4] in UTF-8, and what has no place there.

    Raises Wei7Error, a ValueError, for a document that breaks a rule of wei7, and
    ValueError for a board wider than 52 lines.
    """
    text = document if isinstance(document, bytes | str) else json_dumps(document)
    converter = _Converter()
    converter.convert(load_place(text))
    return Written(dumps(converter.collection), tuple(converter.lost))


class _Converter:
    """Converts one document."""

    def __init__(self) -> None:
        # A file that is edited, not bytes that are put together: escapes and the order of
        # properties are the business of the model.
        self.collection = loads(b"(;FF[4]GM[1]CA[UTF-8])")
        self.root = self.collection[0].root
        self.lost: list[LostMember] = []

    def convert(self, document: Place) -> None:
        width, height = board_size(document)
        if max(width, height) > len(LETTERS):
            raise ValueError(f"SGF has boards up to {len(LETTERS)} lines, not {width} by {height}")
        self.root["SZ"] = width if width == height else (width, height)
        if "info" in document.inner:
            self._information(document.inner["info"])
        game = document.inner["tree"]
        stack: list[tuple[Place, Node]] = [(game, self.root)]
        while stack:
            tree, parent = stack.pop()
            end = self._tree(tree, parent, is_root=tree is game)
            stack.extend((branch, end) for branch in reversed(tree.items("branches")))
        stones = handicap(game.value)
        if stones is not None:
            self.root["HA"] = stones

    def _lose(self, place: Place, reason: str = "no_place_in_sgf") -> None:
        self.lost.append(LostMember(place.pointer(), REASONS[reason]))

    def _text(self, place: Place, breaks: bool = False) -> str:
        """The text without the characters that SGF cannot hold there; reports if there are any."""
        kept = re.sub(r"\r\n|\n\r|[\r\n]", "\n" if breaks else " ", place.value)
        kept = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", " ", kept)
        if kept != place.value:
            self._lose(place, "control_characters")
        return kept

    # The tree

    def _tree(self, tree: Place, node: Node, *, is_root: bool) -> Node:
        """Convert a tree to nodes after `node`, or from `node` on if it is the root.

        The result is the last node.
        """
        title, pre, steps = tree.inner.get("title"), tree.inner.get("pre"), tree.items("steps")
        has_pre = pre is not None and bool(pre.inner)
        first_is_move = bool(steps) and steps[0].value["action"]["type"] == "move"
        if not is_root and (has_pre or not steps or (title is not None and not first_is_move)):
            node = node.add_child()
        if title is not None and (is_root or has_pre or not first_is_move):
            node["N"] = self._text(title)
            title = None
        if pre is not None:
            self._before(pre, node)
        newest = False
        for step in steps:
            node, newest = self._step(step, node, newest)
            if title is not None:
                node["N"] = self._text(title)
                title = None
        return node

    def _before(self, pre: Place, node: Node) -> None:
        for color, ident in _COLORS.items():
            stones = [
                Stone(*_point(stone.value["point"]))
                for stone in pre.items("stones")
                if stone.value["color"] == color
            ]
            if stones:
                node[f"A{ident}"] = stones
        if "problem" in pre.inner:
            node["PL"] = _COLORS[pre.value["problem"]["color"]]
            self._lose(pre.inner["problem"], "problem")
        self._remark(pre, node)

    def _step(self, step: Place, node: Node, newest: bool) -> tuple[Node, bool]:
        """The node after the step, and whether the next move becomes its first child."""
        action, value = step.inner["action"], step.value["action"]["value"]
        for name in step.inner.keys() & {"time", "actor"}:
            self._lose(step.inner[name])
        match action.value["type"]:
            case "move":
                # The first variation is the game itself: what is played after a takeback, not what
                # was taken back.
                node = node.add_child(index=0 if newest else None)
                point = value["point"]
                move = Move(None if point is None else Point(*_point(point)))
                node[_COLORS[value["color"]]] = move
                if "evaluation" in value:
                    node[_EVALUATIONS[value["evaluation"]]] = Double.NORMAL
                newest = False
            case "takeback":
                self._lose(action, "variation")
                node, newest = _taken_back(node, value), True
            case _:
                self._lose(action)
        self._remark(step, node)
        return node, newest

    def _remark(self, holder: Place, node: Node) -> None:
        """Convert comment and marks; those of steps without a move go to the previous node."""
        if "comment" in holder.inner:
            text = self._text(holder.inner["comment"], breaks=True)
            node["C"] = f"{node['C']}\n\n{text}" if "C" in node else text
        labels = {label.left: label for label in node.get("LB", ())}
        for mark in holder.items("marks"):
            point = Point(*_point(mark.value["point"]))
            if point in labels:
                self._lose(mark, "second_mark")
            else:
                labels[point] = Compose(point, mark.value["symbol"])
        if labels:
            node["LB"] = [*labels.values()]

    # Game information

    def _information(self, info: Place) -> None:
        members = info.inner
        for name in "domain", "id":
            if name in members:
                self._lose(members[name])
        for name, ident in ("name", "GN"), ("place", "PC"):
            if name in members:
                self.root[ident] = self._text(members[name])
        self._players(info)
        if "rules" in members:
            self._rules(members["rules"])
        if "time" in members:
            self.root["DT"] = info.value["time"].partition("T")[0]
            self._lose(members["time"], "day")
        if "result" in members:
            self._result(members["result"])

    def _rules(self, rules: Place) -> None:
        for name, ident in ("komi", "KM"), ("type", "RU"):
            if name in rules.value:
                self.root[ident] = rules.value[name]
        implied = SCORING.get(rules.value.get("type", ""))
        if rules.value.get("scoring", implied) != implied:
            self._lose(rules.inner["scoring"])

    def _players(self, info: Place) -> None:
        participants = info.items("participants")
        sides: dict[int, list[Place]] = {1: [], 2: []}
        for player in info.items("players"):
            if "color" in player.value:
                side = sides[player.value["color"]]
                side.append(participants[player.value["participant"]])
            else:
                self._lose(player)
        for participant in participants:
            given = participant.inner.keys()
            is_on = [participant in side for side in sides.values()]
            if all(is_on):
                self._lose(participant, "two_sides")
            if not any(is_on):
                self._lose(participant)
                continue
            for name in given - {"name", "rank"}:
                self._lose(participant.inner[name])
            if given.isdisjoint({"name", "rank"}):
                self._lose(participant, "no_name")
        for color, people in sides.items():
            self._side(_COLORS[color], people)

    def _side(self, letter: str, people: list[Place]) -> None:
        names = [person.inner["name"] for person in people if "name" in person.inner]
        if names:
            self.root[f"P{letter}"] = ", ".join(map(self._text, names))
        if len(people) == 1 and "rank" in people[0].inner:
            self.root[f"{letter}R"] = self._text(people[0].inner["rank"])
        if len(people) > 1:
            for person in people:
                self._lose(person, "joined")

    def _result(self, result: Place) -> None:
        winner, margin = result.value["winner"], result.value.get("margin")
        if winner is not None:
            self.root["RE"] = f"{_COLORS[winner]}+{'R' if margin is None else f'{margin:g}'}"
            return
        self.root["RE"] = "0"
        if margin is not None:
            self._lose(result.inner["margin"])


def _point(point: Mapping[str, int]) -> tuple[int, int]:
    return point["x"], point["y"]


def _taken_back(node: Node, moves: int) -> Node:
    """The node before the last `moves` moves."""
    while moves and node.parent is not None:
        moves -= "B" in node or "W" in node
        node = node.parent
    return node
