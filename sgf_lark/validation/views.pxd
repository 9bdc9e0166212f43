# Types for views.py, used where it is compiled.
cimport cython
from sgf_lark.engine.columns cimport Columns
from sgf_lark.validation.trees cimport TreeView


@cython.final
cdef class Shape:
    cdef readonly tuple kinds
    cdef readonly dict first
    cdef readonly object lists
    cdef dict _places

    cpdef object places(self, attribute, wanted)


@cython.final
@cython.freelist(32)
cdef class NodeView:
    cdef readonly TreeView tree
    cdef readonly int number
    cdef dict _properties
    cdef Shape _shape
    cdef int _first

    @cython.locals(columns=Columns, prop=int, kinds=list)
    cdef Shape _known_shape(self)
    cdef PropertyView _view(self, int place)
    @cython.locals(place=object)
    cpdef object get(self, ident)
    @cython.locals(found=list, place=int)
    cpdef list of(self, attribute, wanted)


@cython.final
@cython.freelist(32)
cdef class PropertyView:
    cdef readonly TreeView tree
    cdef readonly int number, node
    cdef readonly object ident, definition


@cython.final
@cython.freelist(32)
cdef class ValueView:
    cdef dict __dict__
    cdef readonly PropertyView owner
    cdef readonly TreeView tree
    cdef readonly int number
    cdef readonly bytes raw
