# Types for run.py, used where it is compiled.
cimport cython
from sgf_lark.engine.columns cimport Columns, Known
from sgf_lark.engine.screen cimport Looked
from sgf_lark.validation.planning cimport Memory, Plan
from sgf_lark.validation.trees cimport CollectionView, TreeView
from sgf_lark.validation.views cimport NodeView, PropertyView, Shape, ValueView


@cython.final
cdef class Examination:
    cdef readonly Plan plan
    cdef readonly dict severities
    cdef readonly CollectionView collection
    cdef readonly list found
    cdef readonly object report

    @cython.locals(tree=TreeView)
    cdef object _collection(self, CollectionView collection)
    cdef object _damage(self, damaged)
    @cython.locals(
        memory=Memory, seen=Looked, columns=Columns, leaves=set, others=set, silent=set, key=object,
        before=Py_ssize_t, number=int, turned=bint, is_leaf=bint, no_rules=bint,
    )
    cdef object _tree(self, TreeView tree)
    cdef object _walk(self, TreeView tree, Looked seen, Memory memory)
    cdef object _visit(self, NodeView node, object board, list rules)
    @cython.locals(idents=tuple, unknown=list, shape=Shape, rules=list, apart=list, node=NodeView, first=int, prop=int, columns=Columns, lists=int)
    cdef bint _node(self, TreeView tree, int number, bint turned, bint is_leaf, Memory memory) except? -1
    @cython.locals(node=NodeView, reads=tuple, words=tuple, key=tuple, before=Py_ssize_t)
    cdef object _rules_of_node(self, TreeView tree, int number, Shape shape, list rules, Memory memory)
    @cython.locals(before=Py_ssize_t, start=int, new=list)
    cdef object _property(self, PropertyView entry, object word, Memory memory)
    @cython.locals(ident=bytes, kinds=dict, before=Py_ssize_t, is_text=bint, counts=bint)
    cdef object _defined(self, PropertyView entry, object definition, Memory memory)
    @cython.locals(before=Py_ssize_t, new=list)
    cdef object _unknown(self, PropertyView entry, Memory memory)
    cdef object _rules_of(self, PropertyView entry)
    cdef object _values(self, PropertyView entry)
    @cython.locals(first=list, others=list)
    cdef object _value(self, ValueView value)
    cdef object _note(self, code, finding, node)
