# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""A Go board for the filter: it sets up, plays, captures, and undoes changes.

Moves are executed as :class:`sgf_lark.model.board.Board` does it. A place is the index
of a point among the cells, see :meth:`Board.place_of`.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    # Added to the color of stones that the search for a liberty has found; no sum is MARGIN.
    FOUND = 4


cdef inline bint is_shut_in(const unsigned char *cells, int place, int color, int width) noexcept:
    """Whether a stone of that color is at `place`, with no empty point next to it."""
    # No branches, as a processor cannot predict what is next to a stone.
    return (
        (cells[place] == color)
        & (cells[place - 1] != EMPTY)
        & (cells[place + 1] != EMPTY)
        & (cells[place - width] != EMPTY)
        & (cells[place + width] != EMPTY)
    )


cdef class Board:
    """Stones on a board of `columns` by `rows`, at first empty.

    It can undo at most `capacity` changes. One more, and it has `overflowed`.
    """

    def __cinit__(self, int columns, int rows, int capacity):
        cdef int width = columns + 1, row
        # Two rows of margin on each side, as is_shut_in() is asked about the margin, too.
        cdef Py_ssize_t size = width * (rows + 4) + 1
        self.columns = columns
        self.rows = rows
        self.width = width
        self.capacity = capacity
        self.steps = [1, -1, width, -width]
        self.memory = <unsigned char *>malloc(size)
        self.group = <int *>malloc((columns * rows + 1) * sizeof(int))
        self.history = <Change *>malloc((capacity + 1) * sizeof(Change))
        if self.memory == NULL or self.group == NULL or self.history == NULL:
            raise MemoryError
        self.cells = self.memory + width
        memset(self.memory, MARGIN, size)
        for row in range(rows):
            memset(&self.cells[self.place_of(0, row)], EMPTY, columns)

    def __dealloc__(self):
        free(self.memory)
        free(self.group)
        free(self.history)

    cpdef int place_of(self, int column, int row) noexcept:
        """The place of a point of the board; column and row are 0-based."""
        return (row + 1) * self.width + column + 1

    cpdef int color_at(self, int place) noexcept:
        """EMPTY, BLACK or WHITE."""
        return self.cells[place]

    cpdef void put(self, int place, int color) noexcept:
        """Set a place up, whatever it held; nothing is captured."""
        if self.changes >= self.capacity:
            self.overflowed = True
            return
        self.history[self.changes].place = place
        self.history[self.changes].before = self.cells[place]
        self.changes += 1
        self.cells[place] = color

    cpdef void play(self, int place, int color) noexcept:
        """Play a stone, whatever was there, and capture what has no liberty then."""
        cdef const unsigned char *cells = self.cells
        cdef int width = self.width, other = BLACK + WHITE - color, changes, side
        cdef bint has_liberty, threatens
        self.put(place, color)
        changes = self.changes
        # Most stones, and those of the other color next to them, have a liberty of their own.
        has_liberty = (
            (cells[place + 1] == EMPTY)
            | (cells[place - 1] == EMPTY)
            | (cells[place + width] == EMPTY)
            | (cells[place - width] == EMPTY)
        )
        threatens = (
            is_shut_in(cells, place + 1, other, width)
            | is_shut_in(cells, place - 1, other, width)
            | is_shut_in(cells, place + width, other, width)
            | is_shut_in(cells, place - width, other, width)
        )
        if threatens:
            for side in range(4):
                if is_shut_in(cells, place + self.steps[side], other, width):
                    self.capture(place + self.steps[side])
        # Only a stone that captured nothing can be without a liberty itself.
        if not has_liberty and self.changes == changes:
            self.capture(place)

    cdef void capture(self, int place) noexcept:
        """Take the group at `place` off the board if it has no liberty."""
        # Copies of what is in `self`, which the compiler need not read again after each change.
        cdef unsigned char *cells = self.cells
        cdef int *group = self.group
        cdef int steps[4]
        steps[:] = [1, -1, self.width, -self.width]
        cdef unsigned char color = cells[place]
        cdef int count = 1, searched = 0, side, neighbor, index
        cdef bint has_liberty = False
        group[0] = place
        cells[place] = color + FOUND
        # The first `count` places of the group are known, `searched` of them with all their
        # neighbors.
        while searched < count and not has_liberty:
            for side in range(4):
                neighbor = group[searched] + steps[side]
                if cells[neighbor] == EMPTY:
                    has_liberty = True
                    break
                if cells[neighbor] == color:
                    cells[neighbor] = color + FOUND
                    group[count] = neighbor
                    count += 1
            searched += 1
        for index in range(count):
            cells[group[index]] = color
        if not has_liberty:
            for index in range(count):
                self.put(group[index], EMPTY)

    cpdef void undo_to(self, int mark) noexcept:
        """Undo all changes but the first `mark`."""
        # self.changes is the number of changes that are on the board.
        while self.changes > mark:
            self.changes -= 1
            self.cells[self.history[self.changes].place] = self.history[self.changes].before

    cpdef bytes snapshot(self, int mark):
        """The cells, as :class:`sgf_lark.model.board.Board` has them, after the first `mark`
        changes."""
        cdef bytearray found = bytearray(self.cells[:self.width * (self.rows + 2)])
        cdef unsigned char *cells = found
        cdef int index
        # `cells` is the position after the first `index` changes, for each index.
        for index in range(self.changes - 1, mark - 1, -1):
            cells[self.history[index].place] = self.history[index].before
        return bytes(found)
