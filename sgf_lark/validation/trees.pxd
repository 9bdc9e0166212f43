# Types for trees.py, used where it is compiled.
cimport cython
from sgf_lark.engine.columns cimport Columns
from sgf_lark.engine.screen cimport Looked


cdef class Viewed:
    cdef readonly Columns columns
    cdef readonly bint is_plain
    cdef object _reading

    cdef object _see(self, Columns columns, reading)
    cdef bint is_ascii(self)
    cdef object stored(self)


@cython.final
cdef class CollectionView(Viewed):
    cdef readonly object file_format, game
    cdef readonly list trees

    cpdef tuple conditions(self)


cpdef CollectionView plain_view(bytes data)

cdef object _context_of(CollectionView collection, dict root, int first)


@cython.final
cdef class TreeView(Viewed):
    cdef dict __dict__
    cdef readonly object given_format, number, context, file_format
    cdef readonly int first, last
    cdef readonly dict root, expanded
    cdef public Looked seen
    cdef object _reader, _children, _is_all_text

    cpdef tuple conditions(self)
    cpdef bint is_all_text(self)
    cpdef forget(self)
