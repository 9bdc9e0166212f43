# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Which nodes of a tree deserve a look, and what rules of paths have to be asked.

Plain Python, and with the types of ``screen.pxd`` compiled to C. It may point at a
clean node; it never passes over one of which a rule would speak. What a property
may do is told by the bits of its identifier in `codes`.
"""

from __future__ import annotations

from sgf_lark.engine import layout

_BLACK = layout.BLACK
_WHITE = layout.WHITE
_PLAIN_REAL = layout.PLAIN_REAL
_PLAIN_NUMBER = layout.PLAIN_NUMBER
_PLAIN_TEXT = layout.PLAIN_TEXT
_SETUP = layout.SETUP
_GAME_INFO = layout.GAME_INFO
_SETS_BLACK = layout.SETS_BLACK
_SETS_WHITE = layout.SETS_WHITE
_SETS_EMPTY = layout.SETS_EMPTY
_ON_BOARD = layout.ON_BOARD
_TURNS = layout.TURNS
_INFO_BELOW = layout.INFO_BELOW
_ERASES = layout.ERASES
_SETS_UP = layout.SETS_UP


def screen(  # type: ignore[no-untyped-def]  # C types are in screen.pxd
    data,
    parent,
    property_end,
    ident_start,
    ident_end,
    value_end,
    value_from,
    value_to,
    first,
    last,
    codes,
    letters,
    has_board,
    columns,
    rows,
    short_pass,
    empty_pass,
    high_bytes,
    cells,
    group,
    history,
    history_size,
    marks,
    turns,
    children,
    look,
):
    """The number of nodes to look at, in `look`, and flags times 2**32; -1 to give up.

    `children` counts those of each node from `first` on.
    """
    width = columns + 1
    flags = 0
    found = 0
    noted = 0
    for node in range(first, last + 1):
        above = parent[node]
        if above >= first:
            children[above - first] += 1
            if above != node - 1:
                # A variation: the board as it was behind the node above.
                target = marks[above - first]
                while noted > target:
                    noted -= 1
                    cells[history[2 * noted]] = history[2 * noted + 1]
            turn = turns[above - first]
        else:
            turn = 0
        start = property_end[node - 1] if node > 0 else 0
        end = property_end[node]
        plain = 1
        moves = 0
        setup = 0
        passed = 0
        for prop in range(start, end):
            length = ident_end[prop] - ident_start[prop]
            at = ident_start[prop]
            code = 0
            if data[at] < 65 or data[at] > 90:
                plain = 0  # damage
            elif length == 1:
                code = codes[(data[at] - 65) * 27]
            elif length == 2 and data[at + 1] >= 65 and data[at + 1] <= 90:
                code = codes[(data[at] - 65) * 27 + data[at + 1] - 64]
            begin = value_end[prop - 1] if prop > 0 else 0
            stop = value_end[prop]
            raw = value_from[begin]
            size = value_to[begin] - raw
            if code & _GAME_INFO and node != first:
                flags |= _INFO_BELOW
            if code & _SETUP:
                setup = 1
                if node != first:
                    flags |= _SETS_UP
                if code & _SETS_EMPTY:
                    flags |= _ERASES
                plain = 0
                continue
            if stop - begin != 1 or code == 0:
                plain = 0
                continue
            for other in range(start, prop):
                if ident_end[other] - ident_start[other] == length and (
                    data[ident_start[other]] == data[at]
                    and (length == 1 or data[ident_start[other] + 1] == data[at + 1])
                ):
                    plain = 0
            if code & (_BLACK | _WHITE):
                moves += 1
                if not has_board:
                    plain = 0
                elif size == 2:
                    column = letters[data[raw]]
                    row = letters[data[raw + 1]]
                    if short_pass and data[raw] == 116 and data[raw + 1] == 116:
                        passed = 1
                    elif column >= columns or row >= rows:
                        plain = 0
                elif size == 0 and empty_pass:
                    passed = 1
                else:
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
        # What happens on the board, in the order in which it is executed.
        if setup:
            turn = 0
            # Looked at as the board was before the node, and then set up.
            for phase in range(2 if has_board else 0):
                for prop in range(start, end):
                    length = ident_end[prop] - ident_start[prop]
                    at = ident_start[prop]
                    if length != 2 or data[at] != 65:
                        continue  # AB, AW and AE alone set points up
                    if data[at + 1] < 65 or data[at + 1] > 90:
                        continue
                    code = codes[data[at + 1] - 64]
                    if not code & (_SETS_BLACK | _SETS_WHITE | _SETS_EMPTY):
                        continue
                    color = 1 if code & _SETS_BLACK else 2 if code & _SETS_WHITE else 0
                    begin = value_end[prop - 1] if prop > 0 else 0
                    for value in range(begin, value_end[prop]):
                        raw = value_from[value]
                        size = value_to[value] - raw
                        if size != 2 and not (size == 5 and data[raw + 2] == 58):
                            flags |= _ON_BOARD
                            continue
                        column = letters[data[raw]]
                        row = letters[data[raw + 1]]
                        right = letters[data[raw + size - 2]]
                        bottom = letters[data[raw + size - 1]]
                        if right >= columns or bottom >= rows or column > right or row > bottom:
                            flags |= _ON_BOARD
                            continue
                        for line in range(row, bottom + 1):
                            for place in range(column, right + 1):
                                index = (line + 1) * width + place + 1
                                if cells[index] == color:
                                    if phase == 0:
                                        flags |= _ON_BOARD
                                    continue
                                if phase == 0:
                                    continue
                                if noted >= history_size:
                                    return -1
                                history[2 * noted] = index
                                history[2 * noted + 1] = cells[index]
                                noted += 1
                                cells[index] = color
        for prop in range(start, end):
            at = ident_start[prop]
            if ident_end[prop] - at != 1 or data[at] < 65 or data[at] > 90:
                continue
            code = codes[(data[at] - 65) * 27]
            if not code & (_BLACK | _WHITE):
                continue
            color = 1 if code & _BLACK else 2
            if turn == color:
                flags |= _TURNS
            turn = color
            begin = value_end[prop - 1] if prop > 0 else 0
            raw = value_from[begin]
            if (
                not has_board
                or value_to[begin] - raw != 2
                or (short_pass and data[raw] == 116 and data[raw + 1] == 116)
            ):
                continue
            column = letters[data[raw]]
            row = letters[data[raw + 1]]
            if column >= columns or row >= rows:
                continue
            index = (row + 1) * width + column + 1
            if cells[index] != 0:
                flags |= _ON_BOARD
            if noted >= history_size:
                return -1
            history[2 * noted] = index
            history[2 * noted + 1] = cells[index]
            noted += 1
            cells[index] = color
            taken = 0
            for side in range(5):
                if side == 4:
                    # Only a stone that took none can be without a liberty itself.
                    if taken:
                        break
                    begun = index
                else:
                    step = 1 if side == 0 else -1 if side == 1 else width if side == 2 else -width
                    begun = index + step
                    if cells[begun] != 3 - color:
                        continue
                # The group at `begun`: marked by adding 4 while it is searched.
                owner = cells[begun]
                if owner != 1 and owner != 2:
                    continue
                count = 1
                group[0] = begun
                cells[begun] = owner + 4
                free = 0
                seen = 0
                while seen < count and not free:
                    place = group[seen]
                    seen += 1
                    for turned in range(4):
                        step = (
                            1
                            if turned == 0
                            else -1
                            if turned == 1
                            else width
                            if turned == 2
                            else -width
                        )
                        if cells[place + step] == 0:
                            free = 1
                            break
                        if cells[place + step] == owner:
                            cells[place + step] = owner + 4
                            group[count] = place + step
                            count += 1
                for seen in range(count):
                    cells[group[seen]] = owner
                if free:
                    continue
                if noted + count >= history_size:
                    return -1
                taken += count
                for seen in range(count):
                    history[2 * noted] = group[seen]
                    history[2 * noted + 1] = owner
                    noted += 1
                    cells[group[seen]] = 0
        marks[node - first] = noted
        turns[node - first] = turn
        if not plain:
            look[found] = node
            found += 1
        elif passed and (node == last or parent[node + 1] != node):
            # The last move of a line, and a pass.
            look[found] = node
            found += 1
    return found + flags * 4294967296
