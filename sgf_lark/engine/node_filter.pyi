from collections.abc import Iterator, Mapping

from sgf_lark.engine.columns import Columns, PointTable

#: Node, number of moves before it, color, and rectangles of a setup property.
SetUp = tuple[int, int, int, list[tuple[tuple[int, int], tuple[int, int]]]]

class ScanResult:
    columns: Columns
    first: int
    last: int
    flags: int
    board_nodes: int
    def nodes_to_check(self) -> list[tuple[int, bool, bool]]: ...

class CleanNodeFilter:
    points: PointTable
    def __init__(
        self,
        bits: Mapping[str, int],
        points: PointTable,
        plays: bool,
        short_pass: bytes,
        empty_pass: bool,
    ) -> None: ...
    def scan(
        self, columns: Columns, first: int, last: int, high_bytes: bool
    ) -> ScanResult | None: ...
    def main_line(
        self, columns: Columns, first: int, last: int
    ) -> tuple[bytearray, bytearray, bytearray, list[SetUp], bytes] | None: ...
    def snapshots(
        self, result: ScanResult, memory: int = ...
    ) -> Iterator[tuple[int, bytes]] | None: ...
