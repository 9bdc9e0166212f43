# Types for columns.py, used where it is compiled.
cimport cython
from cpython cimport array as c_array
from sgf_lark.engine.layout cimport arena_of, roots_of, zeros

cdef int _TEXT, _LIST, _LABELS, _POINT, _HEAD, _NODES, _NODE_ROOM, _VALUE_ROOM
cdef tuple _GOVERNING
cdef int _FF, _GM, _SZ, _CA
cdef list _WORDS
cdef dict _NO_NAMES


@cython.final
cdef class Known:
    cdef readonly dict said, kinds
    cdef readonly int longest, columns, rows
    cdef readonly bytes letters


@cython.final
cdef class Columns:
    cdef object _flat
    cdef bytes data
    cdef const char* text
    cdef const unsigned char* bytes
    cdef dict names
    cdef c_array.array numbers
    cdef const int* arena
    cdef Py_ssize_t parent, node_start, property_end, ident_start, ident_end
    cdef Py_ssize_t value_end, value_from, value_to
    cdef c_array.array links
    cdef int* following
    cdef dict idents
    cdef int count
    cdef bint linked

    cpdef list roots(self)
    cpdef int first_property(self, int node)
    cpdef int behind_properties(self, int node)
    @cython.locals(low=int, high=int)
    cpdef int count_values(self, int first, int last)
    cpdef int first_value(self, int prop)
    cpdef int behind_values(self, int prop)
    cpdef bytes value(self, int number)
    cpdef tuple span(self, int prop)
    cdef int end(self, int prop)
    @cython.locals(behind=int, start=int, end=int)
    cpdef bytes node_bytes(self, int node, int longest)
    cpdef str ident(self, int prop)
    @cython.locals(first=int)
    cpdef object only_value(self, int prop)
    @cython.locals(value=int, found=list)
    cpdef list raw(self, int prop)
    cpdef int first_child(self, int node)
    cpdef int next_sibling(self, int node)
    @cython.locals(node=int, above=int, heads=c_array.array, leading="int*")
    cpdef object _link(self)

    @cython.locals(prop=int, found=dict)
    cpdef dict governing(self, int node)
    @cython.locals(start=int, letters=int)
    cdef str _governs(self, int prop)
    @cython.locals(prop=int, start=int, end=int, found=list)
    cpdef tuple words(self, int node, tuple idents, int longest)
    @cython.locals(start=int, end=int, length=int, first=int, last=int, place=int, found=bytes)
    cdef bytes _word(self, int prop)
    @cython.locals(
        prop=int, behind=int, idents=list, unknown=list, ident=bytes,
        named=bytearray, lists=int, kind=int, plain=int,
    )
    cpdef tuple look_up(self, int node, Known known, bint high_bytes, list found)
    @cython.locals(start=int, end=int, begin=int, until=int)
    cdef object _look_up(self, int prop, int node, Known known, list found, list unknown)
    @cython.locals(prop=int, kind=int, named=bytearray, plain=int)
    cpdef bint are_plain(
        self, list props, bint labels, const unsigned char* letters, int columns, int rows,
    )
    @cython.locals(value=int, index=int, byte=int, blank=bint)
    cdef bint _is_plain_text(self, int prop, bint high_bytes)
    @cython.locals(
        value=int, own=int, plain=int, start=int, end=int, index=int, byte=int, column=int,
        row=int,
    )
    cdef int _is_plain(
        self, int prop, int kind, const unsigned char* letters, int columns, int rows,
        unsigned char* named,
    )
