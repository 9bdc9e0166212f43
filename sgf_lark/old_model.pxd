# Types for model.py, used where it is compiled.
cimport cython
from sgf_lark.engine.columns cimport Columns


@cython.freelist(32)
cdef class Property:
    cdef Node _node
    cdef list _raw
    cdef public object ident
    cdef public object number


@cython.freelist(32)
cdef class Node:
    cdef public GameTree tree
    cdef public object number
    cdef Node _parent
    cdef list _properties
    cdef list _children
    cdef Node _child
    cdef bint _edited

    @cython.locals(columns=Columns, prop=int, behind=int, found=list)
    cpdef list _parsed(self)
    @cython.locals(columns=Columns, prop=int, behind=int, entry=Property)
    cpdef Property _find(self, object ident)
    @cython.locals(columns=Columns, child=int)
    cpdef Node _only_child(self)
    @cython.locals(columns=Columns, child=int, found=list)
    cpdef list _child_list(self)


cdef class GameTree:
    cdef public object collection
    cdef public object flat
    cdef readonly Columns columns
    cdef public object number
    cdef public Node root
    cdef public object reader
    cdef public dict known


@cython.locals(node=Node)
cdef Node _parsed_node(GameTree tree, object number, Node parent)
@cython.locals(entry=Property)
cdef Property _parsed_property(Node node, object ident, object number)
