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
from sgf_lark.wei7.checking import Pointer, board_size
from sgf_lark.wei7.from_sgf import REASONS, handicap
from sgf_lark.wei7.json_text import dumps as json_dumps
from sgf_lark.wei7.loading import load_plain
from sgf_lark.wei7.models import SCORING, Document

_INFO = Pointer() / "info"
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


def to_sgf(document: Document | Mapping[str, Any] | bytes | str) -> Written:
    """A wei7 document or text as SGF, FF[4] in UTF-8, and what has no place there.

    Raises Wei7Error, a ValueError, for a document that breaks a rule of wei7, and
    ValueError for a board wider than 52 lines.
    """
    text = document if isinstance(document, bytes | str) else json_dumps(document)
    converter = _Converter(load_plain(text))
    converter.convert()
    return Written(dumps(converter.collection), tuple(converter.lost))


class _Converter:
    """Converts one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        # A file that is edited, not bytes that are put together: escapes and the order of
        # properties are the business of the model.
        self.collection = loads(b"(;FF[4]GM[1]CA[UTF-8])")
        self.root = self.collection[0].root
        self.lost: list[LostMember] = []

    def convert(self) -> None:
        width, height = board_size(self.document)
        if max(width, height) > len(LETTERS):
            raise ValueError(f"SGF has boards up to {len(LETTERS)} lines, not {width} by {height}")
        self.root["SZ"] = int(width) if width == height else (int(width), int(height))
        self._information(self.document.get("info", {}))
        stack: list[tuple[Mapping[str, Any], Pointer, Node]] = [
            (self.document["tree"], Pointer() / "tree", self.root)
        ]
        while stack:
            tree, pointer, parent = stack.pop()
            end = self._tree(tree, pointer, parent)
            branches = tree.get("branches", ())
            stack.extend(
                (branch, pointer / "branches" / index, end)
                for index, branch in reversed([*enumerate(branches)])
            )
        stones = handicap(self.document["tree"])
        if stones is not None:
            self.root["HA"] = stones

    def _lose(self, pointer: Pointer, reason: str = "no_place_in_sgf") -> None:
        self.lost.append(LostMember(str(pointer), REASONS[reason]))

    def _text(self, text: str, pointer: Pointer, breaks: bool = False) -> str:
        """The text without the characters that SGF cannot hold there; reports if there are any."""
        kept = re.sub(r"\r\n|\n\r|[\r\n]", "\n" if breaks else " ", text)
        kept = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", " ", kept)
        if kept != text:
            self._lose(pointer, "control_characters")
        return kept

    # The tree

    def _tree(self, tree: Mapping[str, Any], pointer: Pointer, node: Node) -> Node:
        """Convert a tree to nodes after `node`, or from `node` on if it is the root.

        The result is the last node.
        """
        title, pre, steps = tree.get("title"), tree.get("pre"), tree.get("steps", ())
        first_is_move = bool(steps) and steps[0]["action"]["type"] == "move"
        is_root = tree is self.document["tree"]
        if not is_root and (pre or not steps or (title is not None and not first_is_move)):
            node = node.add_child()
        if title is not None and (is_root or pre or not first_is_move):
            node["N"] = self._text(title, pointer / "title")
            title = None
        if pre:
            self._before(pre, pointer / "pre", node)
        newest = False
        for index, step in enumerate(steps):
            place = pointer / "steps" / index
            node, newest = self._step(step, place, node, newest)
            if index == 0 and title is not None:
                node["N"] = self._text(title, pointer / "title")
        return node

    def _before(self, pre: Mapping[str, Any], pointer: Pointer, node: Node) -> None:
        for color, ident in (1, "AB"), (2, "AW"):
            stones = [
                Stone(int(stone["point"]["x"]), int(stone["point"]["y"]))
                for stone in pre.get("stones", ())
                if stone["color"] == color
            ]
            if stones:
                node[ident] = stones
        if "problem" in pre:
            node["PL"] = _COLORS[pre["problem"]["color"]]
            self._lose(pointer / "problem", "problem")
        self._remark(pre, pointer, node)

    def _step(
        self, step: Mapping[str, Any], pointer: Pointer, node: Node, newest: bool
    ) -> tuple[Node, bool]:
        """The node after the step, and whether the next move becomes its first child."""
        action = step["action"]
        kind, value = action["type"], action.get("value")
        for name in "time", "actor":
            if name in step:
                self._lose(pointer / name)
        if kind == "move":
            # The first variation is the game itself: what is played after a takeback, not what was
            # taken back.
            node = node.add_child(index=0 if newest else None)
            point = value["point"]
            at = None if point is None else Point(int(point["x"]), int(point["y"]))
            node[_COLORS[value["color"]]] = Move(at)
            if "evaluation" in value:
                node[_EVALUATIONS[value["evaluation"]]] = Double.NORMAL
            newest = False
        elif kind == "takeback":
            self._lose(pointer / "action", "variation")
            node, newest = _taken_back(node, int(value)), True
        else:
            self._lose(pointer / "action")
        self._remark(step, pointer, node)
        return node, newest

    def _remark(self, holder: Mapping[str, Any], pointer: Pointer, node: Node) -> None:
        """Convert comment and marks; those of steps without a move go to the previous node."""
        if "comment" in holder:
            text = self._text(holder["comment"], pointer / "comment", breaks=True)
            node["C"] = f"{node['C']}\n\n{text}" if "C" in node else text
        labels = {label.left: label for label in node.get("LB", ())}
        for index, mark in enumerate(holder.get("marks", ())):
            point = Point(int(mark["point"]["x"]), int(mark["point"]["y"]))
            if point in labels:
                self._lose(pointer / "marks" / index, "second_mark")
            else:
                labels[point] = Compose(point, mark["symbol"])
        if labels:
            node["LB"] = [*labels.values()]

    # Game information

    def _information(self, info: Mapping[str, Any]) -> None:
        for name in "domain", "id":
            if name in info:
                self._lose(_INFO / name)
        for name, ident in ("name", "GN"), ("place", "PC"):
            if name in info:
                self.root[ident] = self._text(info[name], _INFO / name)
        self._players(info)
        self._rules(info.get("rules", {}))
        if "time" in info:
            self.root["DT"] = info["time"].partition("T")[0]
            self._lose(_INFO / "time", "day")
        if "result" in info:
            self._result(info["result"])

    def _rules(self, rules: Mapping[str, Any]) -> None:
        if "komi" in rules:
            self.root["KM"] = rules["komi"]
        if "type" in rules:
            self.root["RU"] = rules["type"]
        if "scoring" in rules and rules["scoring"] != SCORING.get(rules.get("type", "")):
            self._lose(_INFO / "rules" / "scoring")

    def _players(self, info: Mapping[str, Any]) -> None:
        participants = info.get("participants", ())
        sides: dict[int, list[int]] = {1: [], 2: []}
        for index, player in enumerate(info.get("players", ())):
            if "color" in player:
                sides[player["color"]].append(int(player["participant"]))
            else:
                self._lose(_INFO / "players" / index)
        playing = {*sides[1], *sides[2]}
        for index in {*sides[1]} & {*sides[2]}:
            self._lose(_INFO / "participants" / index, "two_sides")
        for index, participant in enumerate(participants):
            pointer = _INFO / "participants" / index
            if index not in playing:
                self._lose(pointer)
                continue
            for name in participant.keys() - {"name", "rank"}:
                self._lose(pointer / name)
            if participant.keys().isdisjoint({"name", "rank"}):
                self._lose(pointer, "no_name")
        for color, indices in sides.items():
            people = [participants[index] for index in indices]
            self._side(_COLORS[color], people, indices)

    def _side(self, letter: str, people: list[Mapping[str, Any]], indices: list[int]) -> None:
        names = [person["name"] for person in people if "name" in person]
        pointers = [_INFO / "participants" / index for index in indices]
        if names:
            self.root[f"P{letter}"] = self._text(", ".join(names), pointers[0])
        if len(people) == 1 and "rank" in people[0]:
            self.root[f"{letter}R"] = self._text(people[0]["rank"], pointers[0] / "rank")
        if len(people) > 1:
            for pointer in pointers:
                self._lose(pointer, "joined")

    def _result(self, result: Mapping[str, Any]) -> None:
        winner, margin = result["winner"], result.get("margin")
        if winner is None:
            self.root["RE"] = "0"
            if margin is not None:
                self._lose(_INFO / "result" / "margin")
        else:
            self.root["RE"] = f"{_COLORS[winner]}+{'R' if margin is None else f'{margin:g}'}"


def _taken_back(node: Node, moves: int) -> Node:
    """The node before the last `moves` moves."""
    while moves and node.parent is not None:
        moves -= "B" in node or "W" in node
        node = node.parent
    return node
