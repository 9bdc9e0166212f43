cimport cython


cdef enum:
    EMPTY = 0
    BLACK = 1
    WHITE = 2
    MARGIN = 4


cdef struct Change:
    int place               # the place that changed
    unsigned char before    # what it held


@cython.final
cdef class Board:
    cdef readonly int columns, rows
    # From a place to the one below it.
    cdef readonly int width
    # The number of changes so far: a mark for undo_to().
    cdef readonly int changes
    # Whether a change could not be recorded for lack of room: then the board is useless.
    cdef readonly bint overflowed
    cdef int capacity
    # The points row by row, with a margin all around; `memory` begins a row before them.
    cdef unsigned char *cells
    cdef unsigned char *memory
    # The places of a group while it is searched for a liberty.
    cdef int *group
    cdef Change *history
    # From a place to its neighbors.
    cdef int steps[4]

    cpdef int place_of(self, int column, int row) noexcept
    cpdef int color_at(self, int place) noexcept
    cpdef void put(self, int place, int color) noexcept
    cpdef void play(self, int place, int color) noexcept
    cpdef void undo_to(self, int mark) noexcept
    cpdef bytes snapshot(self, int mark)
    cdef void capture(self, int place) noexcept
