# Types for screen.py, used where it is compiled.
cimport cython
from cpython cimport array as c_array
from sgf_lark.engine.layout cimport zeros
from sgf_lark.engine.columns cimport Columns

cdef int _BLACK, _WHITE, _PLAIN_REAL, _PLAIN_NUMBER, _PLAIN_TEXT, _PLAIN_MARK, _SETUP, _GAME_INFO
cdef int _SETS_BLACK, _SETS_WHITE, _SETS_EMPTY
cdef int _ON_BOARD, _INFO_BELOW, _SINGLE_STONES


@cython.final
cdef class Looked:
    cdef readonly Columns columns
    cdef readonly c_array.array numbers
    cdef int* seen
    cdef readonly int first, last, found, flags

    @cython.locals(index=int, begin=int, node=int, turned=int, is_leaf=bint, key=bytes, found=list)
    cpdef list deserving(self, Columns columns, int longest, set leaves, set others)


@cython.final
cdef class Screen:
    cdef c_array.array known
    cdef const short* codes
    cdef bytes letters
    cdef bint has_board, short_pass, empty_pass
    cdef readonly int columns, rows, picture_size

    @cython.locals(
        history=Py_ssize_t, size=Py_ssize_t, board=Py_ssize_t, count=Py_ssize_t,
        said=cython.longlong, looked=Looked, numbers=c_array.array,
    )
    cpdef Looked look(
        self, Columns flat, int first, int last, bint high_bytes, int pictures, int skipped,
    )
    @cython.locals(
        width=int, other=int, place=Py_ssize_t, free=int, threatened=int, taken=int, side=int,
        step=int, begun=int,
    )
    cdef int _play(
        self, int* scratch, int index, int color, Py_ssize_t cells, Py_ssize_t group,
        Py_ssize_t history, int noted, Py_ssize_t room,
    ) noexcept
    cdef bint _is_shut_in(self, int* scratch, Py_ssize_t place, int color, int width) noexcept
    @cython.locals(
        width=int, owner=int, count=int, free=int, seen=int, place=int, turned=int, step=int,
    )
    cdef int _take(
        self, int* scratch, int begun, Py_ssize_t cells, Py_ssize_t group, Py_ssize_t history,
        int noted, Py_ssize_t room,
    ) noexcept
    @cython.locals(
        codes="const short*", data="const unsigned char*", arena="const int*",
        letters="const unsigned char*", has_board=cython.int,
        columns=cython.int, rows=cython.int, short_pass=cython.int, empty_pass=cython.int,
        parent=cython.Py_ssize_t, property_end=cython.Py_ssize_t, ident_start=cython.Py_ssize_t,
        ident_end=cython.Py_ssize_t, value_end=cython.Py_ssize_t, value_from=cython.Py_ssize_t,
        value_to=cython.Py_ssize_t, children=cython.Py_ssize_t, look=cython.Py_ssize_t,
        marks=cython.Py_ssize_t, turns=cython.Py_ssize_t, group=cython.Py_ssize_t,
        cells=cython.Py_ssize_t, history=cython.Py_ssize_t, picture=cython.Py_ssize_t,
        before=cython.Py_ssize_t, asked=cython.int, out_of_turn=cython.int, lost=cython.int, pictured=cython.int,
        width=cython.int, flags=cython.longlong, found=cython.longlong, main_line_end=cython.int, noted=cython.Py_ssize_t,
        node=cython.int, above=cython.int, target=cython.int, turn=cython.int, start=cython.int,
        end=cython.int, plain=cython.int, moves=cython.int, setup=cython.int, passed=cython.int,
        marks_here=cython.int, played=cython.int, single=cython.int, single_above=cython.int,
        prop=cython.int, length=cython.int, at=cython.int, code=cython.int, begin=cython.int,
        stop=cython.int, raw=cython.int, size=cython.int, other=cython.int, column=cython.int,
        row=cython.int, blank=cython.int, place=cython.int, byte=cython.int, points=cython.int,
        color=cython.int, value=cython.int, right=cython.int, bottom=cython.int, line=cython.int,
        index=cython.int, cell=cython.int, shift=cython.int, slot=cython.Py_ssize_t, old=cython.int,
        picture_size=cython.int, taken=cython.int, side=cython.int, step=cython.int, begun=cython.int,
        owner=cython.int, count=cython.int, free=cython.int, threatened=cython.int, seen=cython.int, turned=cython.int, phase=cython.int,
    )
    cdef long long screen(
        self, Columns flat, int first, int last, bint high_bytes, int* scratch,
        Py_ssize_t room, int pictures, int skipped,
    ) noexcept
