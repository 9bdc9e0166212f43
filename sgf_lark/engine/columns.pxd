# Types for columns.py, used where it is compiled.
cimport cython

cdef class Columns:
    cdef readonly object flat
    cdef bytes data
    cdef const char* text
    cdef const int[::1] parent, property_end, ident_start, ident_end
    cdef const int[::1] value_end, value_from, value_to
    cdef int[::1] following
    cdef dict idents
    cdef int count
    cdef bint linked

    cpdef int first_property(self, int node)
    cpdef int behind_properties(self, int node)
    @cython.locals(written=bytes, start=int, end=int)
    cpdef str ident(self, int prop)
    @cython.locals(first=int)
    cpdef object only_value(self, int prop)
    cpdef int first_child(self, int node)
    cpdef int next_sibling(self, int node)
    @cython.locals(node=int, above=int, leading="int[::1]")
    cpdef object _link(self)

@cython.locals(
    ident_end=Py_ssize_t, value_end=Py_ssize_t, value_to=Py_ssize_t, prop=int, start=int,
    end=int, idents=list, unknown=list, word=bytes,
)
cpdef tuple look_up(
    const char* data, const int[::1] arena, Py_ssize_t place, Py_ssize_t value_room,
    dict names, int first, int last, int longest, dict said, list found, int node,
)

@cython.locals(
    ident_end=Py_ssize_t, value_end=Py_ssize_t, value_from=Py_ssize_t, value_to=Py_ssize_t,
    prop=int, value=int, found=dict,
)
cpdef dict first_values(
    const char* data, const int[::1] arena, Py_ssize_t place, Py_ssize_t value_room, dict names,
    int first, int last,
)

@cython.locals(
    value_end=Py_ssize_t, value_from=Py_ssize_t, value_to=Py_ssize_t, first=int, last=int,
    value=int, start=int, end=int, index=int, byte=int, column=int, row=int, found=set,
)
cpdef object plain_points(
    const unsigned char* data, const int[::1] arena, Py_ssize_t place,
    Py_ssize_t value_room, int prop, const unsigned char* letters, int columns, int rows,
    bint labels,
)
