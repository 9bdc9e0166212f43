"""What an SGF file loses in wei7: the items, and the reasons for which they are lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sgf_lark.diagnostics import Span, Words

NO_PLACE = Words("wei7 has no place for it", "wei7 中没有它的位置")
INVALID = Words("its value cannot be read", "其值无法读取")
NOT_HERE = Words("wei7 has it for the whole game only", "wei7 只能对整局棋记录它")
TOO_LONG = Words(
    "wei7 holds at most 128 characters without line breaks", "wei7 最多容纳 128 个字符，不能换行"
)
KOMI = Words("a komi is from 0 to 9.5, in halves", "贴目为 0 至 9.5，以半目为单位")
MARGIN = Words("a margin is above 0 and below 512, in halves", "胜差大于 0、小于 512，以半目为单位")
NO_RESULT = Words("wei7 has a winner, a margin or a draw", "wei7 只有胜方、胜差或和棋")
HOW_WON = Words(
    "only the winner is kept; without a margin wei7 means resignation",
    "只保留胜方；wei7 中没有胜差即为中盘胜",
)
TIME = Words(
    "wei7 has a day with a time in UTC; 00:00 stands for the unknown time",
    "wei7 记录日期和 UTC 时刻；时刻不明，以 00:00 代替",
)
ONE_DAY = Words("wei7 has one full date", "wei7 只有一个完整日期")
RULES = Words("wei7 knows Chinese, Japanese and Korean rules", "wei7 只有中国、日本和韩国规则")
HANDICAP = Words(
    "wei7 has no handicap but Black stones set up before White begins, and they are other ones",
    "wei7 没有让子数，只有白先之前预置的黑子，两者不同",
)
LABEL = Words(
    "a label is one of a-z A-Z 0-9 @ # $ % & ?", "标签只能是 a-z A-Z 0-9 @ # $ % & ? 之一"
)
TWICE = Words("the node has another one that says this", "该节点已有表示此意的属性")
OVERRIDDEN = Words(
    "another setup property of the node sets the same point otherwise",
    "该节点的另一设置属性对同一点另有设置",
)
EMPHASIS = Words("how good or bad a move is has no place", "好坏的程度没有位置")
SECOND_GAME = Words("a wei7 text holds one game", "一个 wei7 文本只有一局棋")
EMPTY = Words("the node holds nothing for wei7", "节点中没有 wei7 可记录的内容")
SETUP = Words(
    "stones can only be set up once, on an empty board, before any move, and with liberties;"
    " the variation ends before this node",
    "只能在空棋盘上、任何着手之前设置一次棋子，且各块须有气；变化在此节点之前结束",
)
OFF_BOARD = Words("the point lies beside the board", "该点不在棋盘上")
OCCUPIED = Words(
    "wei7 forbids moves onto stones; the variation ends before this node",
    "wei7 不允许在有子处落子；变化在此节点之前结束",
)


@dataclass(frozen=True, slots=True)
class Lost:
    """An item of an SGF file without a counterpart in wei7.

    `what` is a property as written, or ";" for a node; `node` is the number of the node,
    0-based, in the order of the file; `span` is None for an item that is not in a file.
    """

    what: str
    reason: Words
    node: int | None
    span: Span | None = None

    @property
    def ident(self) -> str:
        """The identifier of the property, or ";" for a node."""
        return self.what.partition("[")[0]


def handicap(tree: dict[str, Any]) -> int | None:
    """The handicap that the tree of a document shows, which HA is in SGF.

    It is the number of stones if there are several before the first move, all of them are Black,
    and White begins.
    """
    stones = tree.get("pre", {}).get("stones", ())
    while not tree.get("steps") and tree.get("branches"):
        tree = tree["branches"][0]
    first = tree.get("steps", [{}])[:1]
    if len(stones) < 2 or not first or any(stone["color"] == 2 for stone in stones):
        return None
    action = first[0].get("action", {})
    return len(stones) if action.get("type") == "move" and action["value"]["color"] == 2 else None
