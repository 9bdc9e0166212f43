# Types for screen.py, used where it is compiled.
cimport cython

cdef int _BLACK, _WHITE, _PLAIN_REAL, _PLAIN_NUMBER, _PLAIN_TEXT, _SETUP, _GAME_INFO
cdef int _SETS_BLACK, _SETS_WHITE, _SETS_EMPTY
cdef int _ON_BOARD, _TURNS, _INFO_BELOW, _ERASES, _SETS_UP

@cython.locals(
    width=cython.int, flags=cython.longlong, found=cython.longlong, noted=cython.int,
    node=cython.int, above=cython.int, target=cython.int, turn=cython.int, start=cython.int,
    end=cython.int, plain=cython.int, moves=cython.int, setup=cython.int, passed=cython.int,
    prop=cython.int, length=cython.int, at=cython.int, code=cython.int, begin=cython.int,
    stop=cython.int, raw=cython.int, size=cython.int, other=cython.int, column=cython.int,
    row=cython.int, blank=cython.int, place=cython.int, byte=cython.int, points=cython.int,
    color=cython.int, value=cython.int, right=cython.int, bottom=cython.int, line=cython.int,
    index=cython.int, taken=cython.int, side=cython.int, step=cython.int, begun=cython.int,
    owner=cython.int, count=cython.int, free=cython.int, seen=cython.int, turned=cython.int, phase=cython.int,
)
cpdef long long screen(
    const unsigned char[::1] data,
    const int[::1] parent,
    const int[::1] property_end,
    const int[::1] ident_start,
    const int[::1] ident_end,
    const int[::1] value_end,
    const int[::1] value_from,
    const int[::1] value_to,
    int first,
    int last,
    const short[::1] codes,
    const unsigned char[::1] letters,
    int has_board,
    int columns,
    int rows,
    int short_pass,
    int empty_pass,
    int high_bytes,
    signed char[::1] cells,
    int[::1] group,
    int[::1] history,
    int history_size,
    int[::1] marks,
    signed char[::1] turns,
    int[::1] children,
    int[::1] look,
)
