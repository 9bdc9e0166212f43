# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: annotation_typing=False, binding=False
"""Which nodes of a tree deserve a look, and what rules of paths have to be asked.

Plain Python, and with the types of ``screen.pxd`` compiled to C. It may point at a
clean node; it never passes over one of which a rule would speak. What a property
may do is told by the bits of its identifier in `codes`.
"""

from __future__ import annotations

from array import array

from sgf_lark.engine import layout
from sgf_lark.engine.columns import Columns
from sgf_lark.engine.layout import Numbers, zeros

_BLACK = layout.BLACK
_WHITE = layout.WHITE
_PLAIN_REAL = layout.PLAIN_REAL
_PLAIN_NUMBER = layout.PLAIN_NUMBER
_PLAIN_TEXT = layout.PLAIN_TEXT
_PLAIN_MARK = layout.PLAIN_MARK
_SETUP = layout.SETUP
_GAME_INFO = layout.GAME_INFO
_SETS_BLACK = layout.SETS_BLACK
_SETS_WHITE = layout.SETS_WHITE
_SETS_EMPTY = layout.SETS_EMPTY
_ON_BOARD = layout.ON_BOARD
_INFO_BELOW = layout.INFO_BELOW
_SINGLE_STONES = layout.SINGLE_STONES


class Looked:
    """What the screen tells of the nodes from `first` to `last`, a tree.

    `numbers` begin with how many nodes there are before which a rule has to see the board,
    or -1 where the screen does not know what is set up, and with the last node of the main
    line; then come the numbers of children of the nodes, then the nodes to look at, `found`
    many, each times two and 1 more where moves are out of turn. At the end are as many
    pictures as were asked for: such a node, and row by row the board before it, two bits a
    point, eight points a number. `flags` are the conditions that hold in the tree.
    """

    def __init__(self, columns: Columns, numbers: Numbers, first: int, last: int) -> None:
        #: The columns that were looked at.
        self.columns = columns
        self.numbers = numbers
        # Where it is compiled, the numbers themselves.
        self.seen = self.numbers.data.as_ints
        self.first = first
        self.last = last
        self.found = 0
        self.flags = 0

    def children(self) -> array[int]:
        """The numbers of children of the nodes from the first on."""
        return self.numbers[2 : 3 + self.last - self.first]

    def nodes(self) -> list[int]:
        """The nodes to look at."""
        begin = 3 + self.last - self.first
        return [look >> 1 for look in self.numbers[begin : begin + self.found]]

    def deserving(
        self, columns: Columns, longest: int, leaves: set[bytes], others: set[bytes]
    ) -> list[tuple[int, bool, bool, bytes | None]]:
        """The nodes to look at but those whose bytes are in `leaves` or `others`, with
        whether moves in them are out of turn, and whether they are leaves.

        Their bytes are what may be put into one of the sets; None for the root, for those
        out of turn, and for more than `longest`.
        """
        found: list[tuple[int, bool, bool, bytes | None]] = []
        begin = 3 + self.last - self.first
        for index in range(begin, begin + self.found):
            node, turned = self.seen[index] >> 1, self.seen[index] & 1
            is_leaf = self.seen[2 + node - self.first] == 0
            key = None
            if node != self.first and not turned:
                key = columns.node_bytes(node, longest)
                if key is not None and key in (leaves if is_leaf else others):
                    continue
            found.append((node, turned == 1, is_leaf, key))
        return found


class Screen:
    """What is known of a game and its board, to look at its trees.

    `codes` are the bits of each identifier of one or two letters; `letters` tells the
    column or row for each byte that stands for one, 255 for others. Of a game without
    such a board (`has_board`) moves are all looked at. `short_pass` tells whether "tt"
    is a pass, `empty_pass` whether an empty move is.
    """

    def __init__(
        self,
        codes: Numbers,
        letters: bytes,
        has_board: bool,
        columns: int,
        rows: int,
        short_pass: bool,
        empty_pass: bool,
    ) -> None:
        self.known = codes
        # Where it is compiled, the numbers themselves.
        self.codes = self.known.data.as_shorts
        self.letters = letters
        self.has_board = has_board
        self.columns = columns
        self.rows = rows
        self.short_pass = short_pass
        self.empty_pass = empty_pass
        #: How many numbers a picture takes.
        self.picture_size = 1 + (columns * rows + 7) // 8

    def look(
        self,
        flat: Columns,
        first: int,
        last: int,
        high_bytes: bool,
        pictures: int,
        skipped: int,
    ) -> Looked | None:
        """Looks at the nodes from `first` to `last` of a tree; `high_bytes` tells whether
        bytes above 127 mean something wherever they stand. None where it gives up.

        `pictures` are made of so many nodes before which a rule has to see the board, but
        for so many that are `skipped`.
        """
        size = self.columns * self.rows
        board = size + 1 + (self.columns + 1) * (self.rows + 2)
        count = last - first + 1
        # Each value changes a point, and each stone may be taken; but rectangles change many.
        history = 2 * flat.count_values(first, last) + 64
        for _ in range(2):
            numbers = zeros(3 + 4 * count + board + history + pictures * self.picture_size)
            looked = Looked(flat, numbers, first, last)
            said = self.screen(
                flat, first, last, high_bytes, looked.seen, history, pictures, skipped
            )
            if said >= 0:
                looked.found = said & 0xFFFFFFFF
                looked.flags = said >> 32
                return looked
            history = 2 * history + 4 * size + 1024
        return None

    def _play(
        self,
        scratch: Numbers,
        index: int,
        color: int,
        cells: int,
        group: int,
        history: int,
        noted: int,
        room: int,
    ) -> int:
        """Puts a stone at `index` of the board that begins at `cells`, and takes off what has no
        liberty then. What was at each point that changes is noted behind `history`: gives how
        many are noted, -1 where there is no `room` for so many."""
        if noted >= room:
            return -1
        width, other = self.columns + 1, 3 - color
        place = cells + index
        scratch[history + noted] = 4 * index + scratch[place]
        noted += 1
        scratch[place] = color
        # Most stones, and those of the other color beside them, have a liberty of their own.
        # Summed up, as a processor guesses badly what stands beside a stone.
        free = (
            (scratch[place + 1] == 0)
            + (scratch[place - 1] == 0)
            + (scratch[place + width] == 0)
            + (scratch[place - width] == 0)
        )
        threatened = (
            self._is_shut_in(scratch, place + 1, other, width)
            + self._is_shut_in(scratch, place - 1, other, width)
            + self._is_shut_in(scratch, place + width, other, width)
            + self._is_shut_in(scratch, place - width, other, width)
        )
        taken = noted
        for side in range(4 if threatened else 0):
            step = 1 if side < 2 else width
            begun = index - step if side & 1 else index + step
            if self._is_shut_in(scratch, cells + begun, other, width):
                noted = self._take(scratch, begun, cells, group, history, noted, room)
        # Only a stone that took none can be without a liberty itself.
        if not free and noted == taken:
            noted = self._take(scratch, index, cells, group, history, noted, room)
        return noted

    def _is_shut_in(self, scratch: Numbers, place: int, color: int, width: int) -> bool:
        """Whether a stone of that color is there, with no empty point beside it."""
        return (scratch[place] == color) & (
            (scratch[place - 1] != 0)
            & (scratch[place + 1] != 0)
            & (scratch[place - width] != 0)
            & (scratch[place + width] != 0)
        )

    def _take(
        self,
        scratch: Numbers,
        begun: int,
        cells: int,
        group: int,
        history: int,
        noted: int,
        room: int,
    ) -> int:
        """Takes the group at `begun` off where it has no liberty, and notes that as
        :meth:`_play` does."""
        if noted < 0:
            return -1
        width, owner = self.columns + 1, scratch[cells + begun]
        count = 1
        scratch[group] = begun
        # Marked by adding 4 while it is searched.
        scratch[cells + begun] = owner + 4
        free = seen = 0
        while seen < count and not free:
            place = scratch[group + seen]
            seen += 1
            for turned in range(4):
                step = 1 if turned < 2 else width
                step = -step if turned & 1 else step
                if scratch[cells + place + step] == 0:
                    free = 1
                    break
                if scratch[cells + place + step] == owner:
                    scratch[cells + place + step] = owner + 4
                    scratch[group + count] = place + step
                    count += 1
        if not free and noted + count >= room:
            return -1
        for seen in range(count):
            place = scratch[group + seen]
            scratch[cells + place] = owner if free else 0
            if not free:
                scratch[history + noted] = 4 * place + owner
                noted += 1
        return noted

    def screen(
        self,
        flat: Columns,
        first: int,
        last: int,
        high_bytes: bool,
        scratch: Numbers,
        room: int,
        pictures: int,
        skipped: int,
    ) -> int:
        """The number of nodes to look at, and flags times 2**32; -1 to give up. `scratch`
        holds zeros; behind what :class:`Looked` tells of is where it works."""
        codes = self.codes
        letters = self.letters
        has_board = self.has_board
        columns = self.columns
        rows = self.rows
        short_pass = self.short_pass
        empty_pass = self.empty_pass
        picture_size = self.picture_size
        data = flat.bytes
        arena = flat.arena
        parent = flat.parent
        property_end = flat.property_end
        ident_start = flat.ident_start
        ident_end = flat.ident_end
        value_end = flat.value_end
        value_from = flat.value_from
        value_to = flat.value_to
        children = 2
        look = children + last - first + 1
        marks = look + last - first + 1
        turns = marks + last - first + 1
        group = turns + last - first + 1
        cells = group + columns * rows + 1
        history = cells + (columns + 1) * (rows + 2) + 1
        picture = history + room
        width = columns + 1
        # A margin all around the empty points.
        for index in range(cells, history):
            scratch[index] = 3
        for line in range(1, rows + 1):
            for index in range(1, columns + 1):
                scratch[cells + line * width + index] = 0
        flags = 0
        found = 0
        noted = 0
        pictured = 0
        lost = 0
        main_line_end = -1
        # Properties and values stand one behind the other.
        end = flat.first_property(first)
        stop = arena[value_end + end - 1] if end > 0 else 0
        for node in range(first, last + 1):
            above = arena[parent + node]
            if above >= first:
                scratch[children + above - first] += 1
                if above != node - 1:
                    if main_line_end < 0:
                        main_line_end = node - 1
                    # A variation: the board as it was behind the node above.
                    target = scratch[marks + above - first]
                    while noted > target:
                        noted -= 1
                        place = scratch[history + noted]
                        scratch[cells + (place >> 2)] = place & 3
                turn = scratch[turns + above - first] & 3
                single_above = scratch[turns + above - first] >> 2
            else:
                turn = single_above = 0
            start = end
            end = arena[property_end + node]
            plain = 1
            moves = 0
            index = -1
            marks_here = 0
            played = 0
            setup = 0
            single = 0
            passed = 0
            asked = 0
            out_of_turn = 0
            before = noted
            for prop in range(start, end):
                length = arena[ident_end + prop] - arena[ident_start + prop]
                at = arena[ident_start + prop]
                code = 0
                if data[at] < 65 or data[at] > 90:
                    plain = 0  # damage
                elif length == 1:
                    code = codes[(data[at] - 65) * 27]
                elif length == 2 and data[at + 1] >= 65 and data[at + 1] <= 90:
                    code = codes[(data[at] - 65) * 27 + data[at + 1] - 64]
                begin = stop
                stop = arena[value_end + prop]
                raw = arena[value_from + begin]
                size = arena[value_to + begin] - raw
                if code & (_BLACK | _WHITE):
                    moves += 1
                    color = 1 if code & _BLACK else 2
                elif code & _GAME_INFO and node != first:
                    flags |= _INFO_BELOW
                elif code & _SETUP:
                    setup += 1
                    if code & (_SETS_BLACK | _SETS_WHITE | _SETS_EMPTY):
                        played = 1
                    single = 1 if code & (_SETS_BLACK | _SETS_WHITE) and stop - begin == 1 else 0
                    plain = 0
                    continue
                if stop - begin != 1 or code == 0:
                    plain = 0
                    continue
                for other in range(start, prop):
                    if arena[ident_end + other] - arena[ident_start + other] == length and (
                        data[arena[ident_start + other]] == data[at]
                        and (length == 1 or data[arena[ident_start + other] + 1] == data[at + 1])
                    ):
                        plain = 0
                if code & (_BLACK | _WHITE):
                    if not has_board:
                        plain = 0
                    elif size == 2:
                        column = letters[data[raw]]
                        row = letters[data[raw + 1]]
                        if short_pass and data[raw] == 116 and data[raw + 1] == 116:
                            passed = 1
                        elif column >= columns or row >= rows:
                            plain = 0
                        else:
                            index = (row + 1) * width + column + 1
                    elif size == 0 and empty_pass:
                        passed = 1
                    else:
                        plain = 0
                elif code & _PLAIN_MARK:
                    marks_here += 1
                    if (
                        not has_board
                        or size != 2
                        or marks_here > 1
                        or letters[data[raw]] >= columns
                        or letters[data[raw + 1]] >= rows
                    ):
                        plain = 0
                elif code & _PLAIN_TEXT:
                    blank = 1
                    for place in range(raw, raw + size):
                        byte = data[place]
                        if byte == 127 or byte < 9 or (byte > 13 and byte < 32):
                            plain = 0
                            break
                        if byte >= 128 and not high_bytes:
                            plain = 0
                            break
                        if byte > 32:
                            blank = 0
                    if blank:
                        plain = 0
                elif code & (_PLAIN_REAL | _PLAIN_NUMBER):
                    points = 0
                    if size == 0 or size > 15:
                        plain = 0
                    for place in range(raw, raw + size):
                        byte = data[place]
                        if byte == 46 and place > raw and place < raw + size - 1:
                            points += 1
                        elif byte < 48 or byte > 57:
                            points = 9
                    if points > 1 or (points == 1 and not code & _PLAIN_REAL):
                        plain = 0
                else:
                    plain = 0
            if moves != 1 or node == first:
                plain = 0
            if moves == 1 and index >= 0 and not setup:
                # As in most nodes: a move, and nothing else for the board.
                if turn == color:
                    out_of_turn = 1
                    plain = 0
                turn = color
                asked = scratch[cells + index] != 0
                noted = self._play(scratch, index, color, cells, group, history, noted, room)
                if noted < 0:
                    return -1
            elif setup or moves:
                # What happens on the board, in the order in which it is executed.
                if setup:
                    turn = 0
                    # Looked at as the board was before the node, and then set up.
                    for phase in range(2 if has_board else 0):
                        for prop in range(start, end):
                            length = arena[ident_end + prop] - arena[ident_start + prop]
                            at = arena[ident_start + prop]
                            if length != 2 or data[at] != 65:
                                continue  # AB, AW and AE alone set points up
                            if data[at + 1] < 65 or data[at + 1] > 90:
                                continue
                            code = codes[data[at + 1] - 64]
                            if not code & (_SETS_BLACK | _SETS_WHITE | _SETS_EMPTY):
                                continue
                            color = 1 if code & _SETS_BLACK else 2 if code & _SETS_WHITE else 0
                            begin = arena[value_end + prop - 1] if prop > 0 else 0
                            for value in range(begin, arena[value_end + prop]):
                                raw = arena[value_from + value]
                                size = arena[value_to + value] - raw
                                if size != 2 and not (size == 5 and data[raw + 2] == 58):
                                    asked = lost = 1
                                    continue
                                column = letters[data[raw]]
                                row = letters[data[raw + 1]]
                                right = letters[data[raw + size - 2]]
                                bottom = letters[data[raw + size - 1]]
                                if (
                                    right >= columns
                                    or bottom >= rows
                                    or column > right
                                    or row > bottom
                                ):
                                    asked = lost = 1
                                    continue
                                for line in range(row, bottom + 1):
                                    for place in range(column, right + 1):
                                        index = (line + 1) * width + place + 1
                                        if scratch[cells + index] == color:
                                            if phase == 0:
                                                asked = 1
                                            continue
                                        if phase == 0:
                                            continue
                                        if noted >= room:
                                            return -1
                                        scratch[history + noted] = (
                                            4 * index + scratch[cells + index]
                                        )
                                        noted += 1
                                        scratch[cells + index] = color
                for prop in range(start, end):
                    at = arena[ident_start + prop]
                    if arena[ident_end + prop] - at != 1 or data[at] < 65 or data[at] > 90:
                        continue
                    code = codes[(data[at] - 65) * 27]
                    if not code & (_BLACK | _WHITE):
                        continue
                    # Rules compare each move with the board before the node.
                    if played and has_board:
                        asked = 1
                    played = 1
                    color = 1 if code & _BLACK else 2
                    if turn == color:
                        out_of_turn = 1
                        plain = 0
                    turn = color
                    begin = arena[value_end + prop - 1] if prop > 0 else 0
                    raw = arena[value_from + begin]
                    if (
                        not has_board
                        or arena[value_to + begin] - raw != 2
                        or (short_pass and data[raw] == 116 and data[raw + 1] == 116)
                    ):
                        continue
                    column = letters[data[raw]]
                    row = letters[data[raw + 1]]
                    if column >= columns or row >= rows:
                        continue
                    index = (row + 1) * width + column + 1
                    asked |= scratch[cells + index] != 0
                    noted = self._play(scratch, index, color, cells, group, history, noted, room)
                    if noted < 0:
                        return -1
            scratch[marks + node - first] = noted
            if asked:
                flags |= _ON_BOARD
                if skipped <= pictured < skipped + pictures:
                    # The board as it is now, and each change of the node taken back.
                    scratch[picture] = node
                    cell = 0
                    for line in range(1, rows + 1):
                        for place in range(line * width + 1, line * width + columns + 1):
                            shift = 2 * (cell & 7)
                            scratch[picture + 1 + (cell >> 3)] |= scratch[cells + place] << shift
                            cell += 1
                    for place in range(noted - 1, before - 1, -1):
                        index = scratch[history + place] >> 2
                        cell = (index // width - 1) * columns + index % width - 1
                        shift = 2 * (cell & 7)
                        slot = picture + 1 + (cell >> 3)
                        old = (scratch[history + place] & 3) << shift
                        scratch[slot] = (scratch[slot] & ~(3 << shift)) | old
                    picture += picture_size
                pictured += 1
            if setup != 1 or node == first:
                single = 0
            if single and single_above:
                flags |= _SINGLE_STONES
            scratch[turns + node - first] = turn + 4 * single
            if not plain:
                scratch[look + found] = 2 * node + out_of_turn
                found += 1
            elif (
                passed and main_line_end < 0 and (node == last or arena[parent + node + 1] != node)
            ):
                # The last move of the main line, and a pass.
                scratch[look + found] = 2 * node
                found += 1
        scratch[0] = -1 if lost else pictured
        scratch[1] = last if main_line_end < 0 else main_line_end
        return found + flags * 4294967296
