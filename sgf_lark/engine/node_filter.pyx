# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The filter of clean nodes: which nodes of a tree need checking, and which rules about paths do.

It may report a clean node. It never passes over a node in which a rule would find something.
What a property means is given by the bits of its identifier, see
:class:`sgf_lark.engine.kinds.PropertyBits`.
"""

from array import array as python_array

cimport cython
from cpython cimport array
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memset

from sgf_lark.engine import kinds

from sgf_lark.engine.board cimport BLACK, EMPTY, WHITE, Board
from sgf_lark.engine.columns cimport (
    IDENTS,
    PLAIN,
    Columns,
    NamedPoint,
    PointTable,
    find_separator,
    ident_index,
)

# The numbers of kinds.py as C integers.
cdef int BLACK_MOVE = kinds.PropertyBits.BLACK_MOVE
cdef int WHITE_MOVE = kinds.PropertyBits.WHITE_MOVE
cdef int PLAIN_REAL = kinds.PropertyBits.PLAIN_REAL
cdef int PLAIN_NUMBER = kinds.PropertyBits.PLAIN_NUMBER
cdef int PLAIN_TEXT = kinds.PropertyBits.PLAIN_TEXT
cdef int PLAIN_POINTS = kinds.PropertyBits.PLAIN_POINTS
cdef int PLAIN_LABELS = kinds.PropertyBits.PLAIN_LABELS
cdef int PLAIN_MOVE = kinds.PropertyBits.PLAIN_MOVE
cdef int SETUP = kinds.PropertyBits.SETUP
cdef int SETS_BLACK = kinds.PropertyBits.SETS_BLACK
cdef int SETS_WHITE = kinds.PropertyBits.SETS_WHITE
cdef int SETS_EMPTY = kinds.PropertyBits.SETS_EMPTY
cdef int GAME_INFO = kinds.PropertyBits.GAME_INFO
cdef int LIST = kinds.CleanIf.LIST
cdef int LABELS = kinds.CleanIf.LABELS
cdef int OCCUPIED = kinds.Traits.OCCUPIED
cdef int INFO_BELOW_ROOT = kinds.Traits.INFO_BELOW_ROOT
cdef int SINGLE_STONE_SETUPS = kinds.Traits.SINGLE_STONE_SETUPS

cdef enum:
    # The memory, in bytes, that snapshots() uses at a time.
    SNAPSHOT_MEMORY = 4_000_000
    # The column and row of a move without a point, see CleanNodeFilter.main_line().
    NO_POINT = 255


cdef struct NodeState:
    # What the scan of a node needs to know of its parent.
    int changes             # the number of changes on the board after the node
    int last_color          # the color of the last move; 0 if there is none since a setup
    bint sets_single_stone  # whether it has exactly one setup property, of one stone


cdef struct Node:
    # What the scan finds in one node.
    int number
    int first_property
    int end_of_properties
    int setups              # the number of setup properties,
    int moves               # of moves, and
    int lists               # of lists of points
    int color               # the color of the last of its moves
    int place               # the place on the board of a plain move, or -1
    bint is_clean
    bint is_pass            # whether it has a plain move that is a pass
    bint sets_points        # whether a setup property changes points
    bint out_of_turn
    bint needs_board        # whether rules have to see the board before it
    NodeState state         # what it leaves to its children


cdef struct Rectangle:
    int left
    int top
    int right
    int bottom


# --- Results ---------------------------------------------------------------------------


@cython.final
cdef class ScanResult:
    """What a scan of the nodes from `first` to `last`, a tree, found.

    `flags` are :class:`sgf_lark.engine.kinds.Traits`. `board_nodes` is the number of nodes
    before which rules have to see the board; -1 if the scan does not know the position.
    """

    cdef readonly Columns columns
    cdef readonly int first, last, flags, board_nodes
    cdef bint high_bytes
    # The nodes that need checking, and for each of them whether moves are out of turn.
    cdef array.array numbers, out_of_turn
    cdef int count

    def nodes_to_check(self):
        """The nodes that need checking, each with whether its moves are out of turn, and whether
        it is a leaf."""
        cdef list found = []
        cdef int index, node
        cdef bint out_of_turn, is_leaf
        for index in range(self.count):
            node = self.numbers.data.as_ints[index]
            out_of_turn = self.out_of_turn.data.as_schars[index]
            is_leaf = node == self.last or self.columns.parent[node + 1] != node
            found.append((node, out_of_turn, is_leaf))
        return found


# --- The filter ------------------------------------------------------------------------


@cython.final
cdef class CleanNodeFilter:
    """Scans trees of one context.

    `bits` has PropertyBits for identifiers of one and two letters; all others have none.
    `points` are the points of the board. `plays` is whether moves and setup are executed, as in
    Go; positions are followed in no other game. `short_pass` is a value that is a pass, or b"";
    with `empty_pass` the empty value is one.
    """

    cdef short bits[IDENTS]
    cdef readonly PointTable points
    cdef bint plays
    cdef bytes short_pass_bytes
    cdef const unsigned char *short_pass
    cdef int short_pass_length
    cdef bint empty_pass

    def __init__(
        self, object bits, PointTable points not None, bint plays, bytes short_pass not None,
        bint empty_pass,
    ):
        cdef bytes letters
        cdef int index
        for index in range(IDENTS):
            self.bits[index] = 0
        for ident, ident_bits in bits.items():
            letters = ident.encode("latin-1")
            index = ident_index(letters, len(letters))
            if index < 0:
                raise ValueError(f"one or two uppercase letters expected, not {ident!r}")
            self.bits[index] = ident_bits
        self.points = points
        self.plays = plays
        self.short_pass_bytes = short_pass
        self.short_pass = self.short_pass_bytes
        self.short_pass_length = len(short_pass)
        self.empty_pass = empty_pass

    def scan(self, Columns columns not None, int first, int last, bint high_bytes):
        """What needs checking in the nodes from `first` to `last`, a tree; None if its setup
        changes more points than are kept track of. `high_bytes` is whether bytes above 127
        always mean something."""
        cdef Scan scan = Scan(self, columns, first, last, high_bytes, 0)
        return scan.result if scan.run() else None

    def main_line(self, Columns columns not None, int first, int last):
        """The main line of the nodes from `first` to `last`, a tree: the colors, columns and rows
        of its moves, where NO_POINT is for a pass and what is no point of the board; its setup;
        and the cells of the board after it.

        Setup is a list of node, number of moves before it, color, and the list of rectangles of
        a property. None if setup is not understood, or changes more points than are kept track
        of.
        """
        cdef Scan scan = Scan(self, columns, first, last, False, 0)
        return scan.main_line()

    def snapshots(self, ScanResult result not None, int memory=SNAPSHOT_MEMORY):
        """The nodes before which rules have to see the board, each with its cells there; None if
        the scan does not know them. About `memory` bytes are used at a time."""
        return None if result.board_nodes < 0 else self._snapshots(result, memory)

    def _snapshots(self, ScanResult result, int memory):
        cdef int at_once = max(1, memory // (self.points.columns * self.points.rows + 1))
        cdef Scan scan = Scan(
            self, result.columns, result.first, result.last, result.high_bytes, at_once
        )
        while scan.number <= scan.last:
            scan.snapshots = []
            scan.run()
            yield from scan.snapshots


@cython.final
cdef class Scan:
    """One scan of a tree. It makes snapshots for the nodes that need one, and pauses when there
    are `at_once` of them; none if that is 0."""

    cdef CleanNodeFilter node_filter
    cdef Columns columns
    cdef int first, last
    cdef int number             # the next node to scan
    cdef bint high_bytes
    cdef Board board
    cdef NodeState *states      # of all nodes, from the first on
    cdef unsigned char *named   # for each point whether a list of the node has named it
    cdef int board_nodes        # the number of nodes so far that need the board
    cdef bint is_lost           # whether a setup has a value that is not understood
    cdef int at_once
    cdef list snapshots
    cdef ScanResult result

    def __cinit__(
        self, CleanNodeFilter node_filter, Columns columns, int first, int last, bint high_bytes,
        int at_once,
    ):
        cdef PointTable points = node_filter.points
        cdef int count = last - first + 1
        cdef int properties = columns.first_property(first)
        cdef int values = 0
        if columns.end_of_properties(last) > properties:
            values = (
                columns.end_of_values(columns.end_of_properties(last) - 1)
                - columns.first_value(properties)
            )
        self.node_filter = node_filter
        self.columns = columns
        self.first = self.number = first
        self.last = last
        self.high_bytes = high_bytes
        # Each value changes a point and each stone may be captured; rectangles change more.
        self.board = Board(
            points.columns, points.rows, 4 * values + 4 * points.columns * points.rows + 1152
        )
        self.states = <NodeState *>malloc(count * sizeof(NodeState))
        self.named = <unsigned char *>malloc(points.columns * points.rows + 1)
        if self.states == NULL or self.named == NULL:
            raise MemoryError
        self.at_once = at_once
        self.snapshots = []
        self.result = ScanResult.__new__(ScanResult)
        self.result.columns = columns
        self.result.first = first
        self.result.last = last
        self.result.high_bytes = high_bytes
        self.result.numbers = array.clone(NUMBERS, count, zero=False)
        self.result.out_of_turn = array.clone(BYTES, count, zero=False)

    def __dealloc__(self):
        free(self.states)
        free(self.named)

    cdef bint run(self) except -1:
        """Scan the nodes from `number` on, to the last or until there are `at_once` snapshots;
        False if more points change than are kept track of."""
        cdef Node node
        cdef int prop
        # self.board is the position after the node before `number`, self.states has the
        # states of all nodes before it.
        while self.number <= self.last and not 0 < self.at_once <= len(self.snapshots):
            self.enter(&node, self.number)
            for prop in range(node.first_property, node.end_of_properties):
                self.classify(&node, prop)
            if node.moves != 1 or node.number == self.first:
                node.is_clean = False
            self.execute(&node)
            if self.board.overflowed:
                return False
            self.leave(&node)
            self.number += 1
        self.result.board_nodes = -1 if self.is_lost else self.board_nodes
        return True

    # --- The main line -----------------------------------------------------------------

    cdef tuple main_line(self):
        """See :meth:`CleanNodeFilter.main_line`."""
        cdef bytearray colors = bytearray(), columns = bytearray(), rows = bytearray()
        cdef list setup = [], areas
        cdef int number = self.first, prop, bits, color
        cdef const NamedPoint *point
        # The nodes before `number` are executed, and their moves and setup are in the lists.
        while True:
            for prop in range(
                self.columns.first_property(number), self.columns.end_of_properties(number)
            ):
                color = self.setup_color(prop)
                if color >= 0:
                    areas = self.set_up_property(prop, color)
                    if areas is None:
                        return None
                    setup.append((number, len(colors), color, areas))
            for prop in range(
                self.columns.first_property(number), self.columns.end_of_properties(number)
            ):
                bits = self.bits_of(prop)
                if not bits & (BLACK_MOVE | WHITE_MOVE):
                    continue
                color = self.color_of_move(bits)
                point = self.find_point(self.columns.first_value(prop))
                colors.append(color)
                columns.append(NO_POINT if point == NULL else point.column)
                rows.append(NO_POINT if point == NULL else point.row)
                if point != NULL:
                    self.board.play(self.board.place_of(point.column, point.row), color)
            if self.is_leaf(number):
                break
            number += 1
        if self.board.overflowed:
            return None
        return colors, columns, rows, setup, self.board.snapshot(self.board.changes)

    cdef list set_up_property(self, int prop, int color):
        """Set the points of a setup property: its rectangles, or None if one of its values is
        not understood."""
        cdef list areas = []
        cdef Rectangle area
        cdef int value
        for value in range(self.columns.first_value(prop), self.columns.end_of_values(prop)):
            if not self.read_rectangle(value, &area):
                return None
            self.fill(&area, color)
            areas.append(((area.left, area.top), (area.right, area.bottom)))
        return areas

    # --- Nodes -------------------------------------------------------------------------

    cdef void enter(self, Node *node, int number) noexcept:
        """Begin with a node: the board as it is after its parent, and what that left."""
        cdef int parent = self.columns.parent[number]
        node.number = number
        node.first_property = self.columns.first_property(number)
        node.end_of_properties = self.columns.end_of_properties(number)
        node.setups = node.moves = node.lists = 0
        node.color = 0
        node.place = -1
        node.is_clean = True
        node.is_pass = node.sets_points = node.out_of_turn = node.needs_board = False
        node.state.sets_single_stone = False
        node.state.last_color = 0
        if parent < self.first:
            return
        node.state.last_color = self.states[parent - self.first].last_color
        if parent != number - 1:  # a variation
            self.board.undo_to(self.states[parent - self.first].changes)

    cdef int leave(self, Node *node) except -1:
        """Keep what was found in a node."""
        cdef int parent = self.columns.parent[node.number]
        cdef ScanResult result = self.result
        if node.setups != 1 or node.number == self.first:
            node.state.sets_single_stone = False
        elif (
            node.state.sets_single_stone
            and parent >= self.first
            and self.states[parent - self.first].sets_single_stone
        ):
            result.flags |= SINGLE_STONE_SETUPS
        if node.needs_board:
            result.flags |= OCCUPIED
            self.take_snapshot(node)
        node.state.changes = self.board.changes
        self.states[node.number - self.first] = node.state
        if not node.is_clean or (node.is_pass and self.is_leaf(node.number)):
            result.numbers.data.as_ints[result.count] = node.number
            result.out_of_turn.data.as_schars[result.count] = node.out_of_turn
            result.count += 1
        return 0

    cdef int take_snapshot(self, Node *node) except -1:
        """Count a node that needs the board, and keep the position before it if it is wanted."""
        if self.at_once:
            cells = self.board.snapshot(self.changes_before(node))
            self.snapshots.append((node.number, cells))
        self.board_nodes += 1
        return 0

    cdef int changes_before(self, Node *node) noexcept:
        """The number of changes on the board before a node, none of them its own."""
        cdef int parent = self.columns.parent[node.number]
        return self.states[parent - self.first].changes if parent >= self.first else 0

    cdef bint is_leaf(self, int number) noexcept:
        """Whether a node has no children."""
        return number == self.last or self.columns.parent[number + 1] != number

    # --- Properties --------------------------------------------------------------------

    cdef inline int index_of(self, int prop) noexcept:
        """The index of the identifier of a property, or -1."""
        cdef Columns columns = self.columns
        cdef int start = columns.ident_start[prop]
        if columns.has_names:
            return columns.ident_index(prop)
        return ident_index(columns.text + start, columns.ident_end[prop] - start)

    cdef inline int bits_of(self, int prop) noexcept:
        """The bits of the identifier of a property."""
        cdef int index = self.index_of(prop)
        return self.node_filter.bits[index] if index >= 0 else 0

    cdef int color_of_move(self, int bits) noexcept:
        """The color of a move with these bits."""
        return BLACK if bits & BLACK_MOVE else WHITE

    cdef void classify(self, Node *node, int prop) noexcept:
        """Count a property, and find out whether it leaves its node clean."""
        cdef int bits = self.bits_of(prop)
        cdef int count = self.columns.end_of_values(prop) - self.columns.first_value(prop)
        cdef bint is_move = bits & (BLACK_MOVE | WHITE_MOVE) != 0
        if is_move:
            node.moves += 1
            node.color = self.color_of_move(bits)
        elif bits & GAME_INFO and node.number != self.first:
            self.result.flags |= INFO_BELOW_ROOT
        elif bits & SETUP:
            node.setups += 1
            node.sets_points |= bits & (SETS_BLACK | SETS_WHITE | SETS_EMPTY) != 0
            node.state.sets_single_stone = count == 1 and bits & (SETS_BLACK | SETS_WHITE)
            node.is_clean = False
            return
        if not node.is_clean and not is_move:
            return
        if bits & (PLAIN_POINTS | PLAIN_LABELS):
            node.is_clean = self.is_plain_list(node, prop, LABELS if bits & PLAIN_LABELS else LIST)
        else:
            node.is_clean &= count == 1 and self.is_plain(node, prop, bits)
        node.is_clean &= not self.is_repeated(node, prop)

    cdef bint is_repeated(self, Node *node, int prop) noexcept:
        """Whether a property before it in the node has the same identifier."""
        cdef int other
        for other in range(node.first_property, prop):
            if self.index_of(other) == self.index_of(prop):
                return True
        return False

    cdef bint is_plain(self, Node *node, int prop, int bits) noexcept:
        """Whether a property with one value is plain, according to its bits."""
        cdef int value = self.columns.first_value(prop)
        if bits & PLAIN_MOVE:
            return self.is_plain_move(node, value)
        if bits & PLAIN_TEXT:
            return self.columns.is_plain_text(prop, self.high_bytes)
        if bits & (PLAIN_REAL | PLAIN_NUMBER):
            return self.columns.is_plain_number(value, 1 if bits & PLAIN_REAL else 0)
        return False

    cdef bint is_plain_list(self, Node *node, int prop, int kind) noexcept:
        """Whether a property is plain as a list of that kind, and names no point that a list
        before it in the node has named."""
        cdef PointTable points = self.node_filter.points
        if node.lists == 0:
            memset(self.named, 0, points.columns * points.rows)
        node.lists += 1
        return self.columns.name_points(prop, kind, points, self.named) == PLAIN

    cdef bint is_plain_move(self, Node *node, int value) noexcept:
        """Whether a value is a move to a point of the board, or a pass; it is noted."""
        if self.is_pass(value):
            node.is_pass = True
            return True
        node.place = self.place_of(value)
        return node.place >= 0

    # --- Values ------------------------------------------------------------------------

    cdef bint is_pass(self, int value) noexcept:
        """Whether a value is a pass, if it is that of a move."""
        cdef const unsigned char *text = self.columns.text + self.columns.value_from[value]
        cdef const unsigned char *short_pass = self.node_filter.short_pass
        cdef int length = self.columns.value_to[value] - self.columns.value_from[value]
        if length == 0:
            return self.node_filter.empty_pass
        return (
            length == self.node_filter.short_pass_length
            and text[0] == short_pass[0]
            and memcmp(text, short_pass, length) == 0
        )

    cdef const NamedPoint *find_point(self, int value) noexcept:
        """The point of the board that a value is, or NULL."""
        cdef int start = self.columns.value_from[value], end = self.columns.value_to[value]
        return self.node_filter.points.find(self.columns.text + start, end - start)

    cdef int place_of(self, int value) noexcept:
        """The place of a value that is a point of the board; -1 for others."""
        cdef const NamedPoint *point = self.find_point(value)
        return -1 if point == NULL else self.board.place_of(point.column, point.row)

    cdef bint read_rectangle(self, int value, Rectangle *rectangle) noexcept:
        """Whether a value is a point or a rectangle of the board: its corners."""
        cdef const unsigned char *text = self.columns.text + self.columns.value_from[value]
        cdef int length = self.columns.value_to[value] - self.columns.value_from[value]
        cdef int end_of_first = find_separator(text, length)
        cdef int start_of_last = end_of_first + 1 if end_of_first < length else 0
        cdef const NamedPoint *first = self.node_filter.points.find(text, end_of_first)
        cdef const NamedPoint *last = self.node_filter.points.find(
            text + start_of_last, length - start_of_last
        )
        if first == NULL or last == NULL:
            return False
        rectangle.left, rectangle.top = first.column, first.row
        rectangle.right, rectangle.bottom = last.column, last.row
        return rectangle.left <= rectangle.right and rectangle.top <= rectangle.bottom

    # --- The board ---------------------------------------------------------------------

    cdef void execute(self, Node *node) noexcept:
        """Apply the setup and moves of a node, in the order that SGF defines."""
        cdef int prop, bits
        if node.moves == 1 and node.place >= 0 and not node.setups:  # as in most nodes
            self.take_turn(node, node.color)
            if self.node_filter.plays:
                self.play(node, node.place, node.color)
            return
        if node.setups:
            node.state.last_color = 0
            if self.node_filter.plays:
                self.compare_setup(node)
                self.set_up(node)
        if not node.moves:
            return
        for prop in range(node.first_property, node.end_of_properties):
            bits = self.bits_of(prop)
            if bits & (BLACK_MOVE | WHITE_MOVE):
                self.execute_move(node, prop, self.color_of_move(bits))

    cdef void execute_move(self, Node *node, int prop, int color) noexcept:
        """Play one of several moves, or a move after a setup."""
        cdef int value = self.columns.first_value(prop), place
        # Rules compare a move with the board before the node.
        if self.node_filter.plays and node.sets_points:
            node.needs_board = True
        node.sets_points = True
        self.take_turn(node, color)
        if self.node_filter.plays and not self.is_pass(value):
            place = self.place_of(value)
            if place >= 0:
                self.play(node, place, color)

    cdef void take_turn(self, Node *node, int color) noexcept:
        """Find out whether a move of that color is out of turn."""
        if node.state.last_color == color:
            node.out_of_turn = True
            node.is_clean = False
        node.state.last_color = color

    cdef void play(self, Node *node, int place, int color) noexcept:
        """Play a stone. Rules have to see an occupied point."""
        node.needs_board |= self.board.color_at(place) != EMPTY
        self.board.play(place, color)

    cdef int setup_color(self, int prop) noexcept:
        """The color that a property sets its points to; -1 if it sets none."""
        cdef int bits = self.bits_of(prop)
        if bits & SETS_BLACK:
            return BLACK
        if bits & SETS_WHITE:
            return WHITE
        return EMPTY if bits & SETS_EMPTY else -1

    cdef void compare_setup(self, Node *node) noexcept:
        """Rules have to see the board if a setup sets a point to what it already is, or if it
        is not understood."""
        cdef int prop, color, value
        cdef Rectangle rectangle
        for prop in range(node.first_property, node.end_of_properties):
            color = self.setup_color(prop)
            if color < 0:
                continue
            for value in range(self.columns.first_value(prop), self.columns.end_of_values(prop)):
                if not self.read_rectangle(value, &rectangle):
                    node.needs_board = self.is_lost = True
                elif self.holds(&rectangle, color):
                    node.needs_board = True

    cdef void set_up(self, Node *node) noexcept:
        """Set the points of all setup properties, as far as they are understood."""
        cdef int prop, color, value
        cdef Rectangle rectangle
        for prop in range(node.first_property, node.end_of_properties):
            color = self.setup_color(prop)
            if color < 0:
                continue
            for value in range(self.columns.first_value(prop), self.columns.end_of_values(prop)):
                if self.read_rectangle(value, &rectangle):
                    self.fill(&rectangle, color)

    cdef bint holds(self, const Rectangle *rectangle, int color) noexcept:
        """Whether some point of the rectangle has that color."""
        cdef int column, row
        for row in range(rectangle.top, rectangle.bottom + 1):
            for column in range(rectangle.left, rectangle.right + 1):
                if self.board.color_at(self.board.place_of(column, row)) == color:
                    return True
        return False

    cdef void fill(self, const Rectangle *rectangle, int color) noexcept:
        """Set all points of the rectangle to that color."""
        cdef int column, row, place
        for row in range(rectangle.top, rectangle.bottom + 1):
            for column in range(rectangle.left, rectangle.right + 1):
                place = self.board.place_of(column, row)
                if self.board.color_at(place) != color:
                    self.board.put(place, color)


cdef array.array NUMBERS = python_array("i")
cdef array.array BYTES = python_array("b")
