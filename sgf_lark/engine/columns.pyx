# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The columns of a flat tree as C arrays, for code that reads many of its nodes one by one."""

from functools import cached_property
from sys import intern

from cpython cimport array
from libc.stdlib cimport calloc, free
from libc.string cimport memchr

from sgf_lark.engine import kinds
from sgf_lark.flat_tree import (
    FEW_PROPERTIES,
    NODE_COLUMNS,
    PROPERTY_COLUMNS,
    VALUE_COLUMNS,
    FlatTree,
)

# The numbers of kinds.py as C integers.
cdef int TEXT = kinds.CleanIf.TEXT
cdef int LIST = kinds.CleanIf.LIST
cdef int LABELS = kinds.CleanIf.LABELS
cdef int POINT = kinds.CleanIf.POINT
cdef int DATE = kinds.CleanIf.DATE
cdef int BLANK = kinds.ByteClass.BLANK
cdef int VISIBLE = kinds.ByteClass.VISIBLE
cdef int HIGH = kinds.ByteClass.HIGH
cdef int ALPHANUMERIC = kinds.ByteClass.ALPHANUMERIC
cdef int DIGIT = kinds.ByteClass.DIGIT
cdef int DECIMAL_POINT = kinds.ByteClass.DECIMAL_POINT
cdef int SEPARATOR = kinds.ByteClass.SEPARATOR
cdef bytes BYTE_CLASSES = kinds.BYTE_CLASSES
cdef const unsigned char *byte_classes = BYTE_CLASSES

cdef enum:
    # Numbers with more characters than this are not plain.
    LONGEST_NUMBER = 15

# Each identifier of one or two letters is the same object wherever it occurs: then its hash is
# known.
cdef tuple IDENT_NAMES = tuple([
    intern(chr(ord("A") + index // 27) + (chr(ord("A") + index % 27 - 1) if index % 27 else ""))
    for index in range(IDENTS)
])
cdef tuple IDENT_BYTES = tuple([name.encode() for name in IDENT_NAMES])


cdef class PointTable:
    """The points of a board, found by how they are written.

    `names` are their names row by row, b"" for a point without one; names of more than
    LONGEST_NAME bytes are left out. A table of no columns and rows has no points.
    """

    def __cinit__(self, list names not None, int columns, int rows):
        cdef bytes name
        cdef NamedPoint *slot
        cdef uint64_t packed
        cdef int row, column
        if len(names) != columns * rows:
            raise ValueError(f"{columns * rows} names expected, not {len(names)}")
        self.columns = columns
        self.rows = rows
        self.shift = 63
        while 2 * columns * rows > 1 << (64 - self.shift):
            self.shift -= 1
        self.slots = <NamedPoint *>calloc(1 << (64 - self.shift), sizeof(NamedPoint))
        if self.slots == NULL:
            raise MemoryError
        for row in range(rows):
            for column in range(columns):
                name = names[row * columns + column]
                packed = packed_name(name, len(name))
                if not packed:
                    continue
                slot = self.slot_of(packed)
                if slot.name:
                    raise ValueError(f"two points are named {name}")
                slot[0] = NamedPoint(packed, column, row)

    def __dealloc__(self):
        free(self.slots)


cdef Py_ssize_t find_separator(const unsigned char *text, Py_ssize_t length) noexcept:
    """The index of the first separator in a value; its length if there is none."""
    cdef Py_ssize_t index
    for index in range(length):
        if byte_classes[text[index]] & SEPARATOR:
            return index
    return length


cdef class PropertyCache:
    """What is known of properties in trees of one context.

    `findings` has, for the bytes of a property from its identifier to after its last value,
    what rules find in it: start, end, code and finding, with offsets from where it begins. It
    is for properties of at most `longest` bytes. `clean_if` has, for an identifier, how a property
    is written (see :class:`sgf_lark.engine.kinds.CleanIf`) if no rule objects to it.
    """

    def __init__(self, int longest, PointTable points not None):
        self.findings = {}
        self.clean_if = {}
        self.longest = longest
        self.points = points


#: The columns of a flat tree that are read here.
NUMBERS_READ = NODE_COLUMNS + PROPERTY_COLUMNS + VALUE_COLUMNS


cdef const int *numbers(object column) except? NULL:
    return (<array.array?>column).data.as_ints


cdef class Columns:
    """The nodes, properties and values of a flat tree, by their numbers.

    It refers to the memory of the flat tree, which must not change from then on.
    """

    def __init__(self, flat):
        # The arrays own what the pointers below point to.
        self.arrays = tuple([getattr(flat, name) for name in NUMBERS_READ])
        self.data = flat.data
        self.text = self.data
        self.count = len(flat.parent)
        self.names = flat.names
        self.has_names = bool(self.names)
        self.parent = numbers(flat.parent)
        self.node_start = numbers(flat.node_start)
        self.property_end = numbers(flat.property_end)
        self.ident_start = numbers(flat.ident_start)
        self.ident_end = numbers(flat.ident_end)
        self.value_end = numbers(flat.value_end)
        self.value_from = numbers(flat.value_from)
        self.value_to = numbers(flat.value_to)

    # --- Nodes, properties, values -----------------------------------------------------

    cpdef int first_property(self, int node) noexcept:
        """The first property of a node, if it has one."""
        return self.property_end[node - 1] if node > 0 else 0

    cpdef int end_of_properties(self, int node) noexcept:
        """The number after the last property of a node."""
        return self.property_end[node]

    cpdef int first_value(self, int prop) noexcept:
        """The first value of a property."""
        return self.value_end[prop - 1] if prop > 0 else 0

    cpdef int end_of_values(self, int prop) noexcept:
        """The number after the last value of a property."""
        return self.value_end[prop]

    cpdef bytes value(self, int value):
        """A value as it is written between the brackets."""
        return self.text[self.value_from[value] : self.value_to[value]]

    cpdef bytes only_value(self, int prop):
        """The value of a property that has exactly one, as it is written; else None."""
        cdef int first = self.first_value(prop)
        return self.value(first) if self.end_of_values(prop) - first == 1 else None

    cpdef list raw(self, int prop):
        """The values of a property as they are written between the brackets."""
        cdef int value
        cdef list found = []
        for value in range(self.first_value(prop), self.end_of_values(prop)):
            found.append(self.value(value))
        return found

    cpdef list values_with(self, unsigned char byte, int first, int end):
        """The values from `first` to before `end` that have that byte."""
        cdef int value, start, length
        cdef list found = []
        for value in range(first, end):
            start = self.value_from[value]
            length = self.value_to[value] - start
            if length > 0 and memchr(self.text + start, byte, length) != NULL:
                found.append(value)
        return found

    cpdef tuple span(self, int prop):
        """The offset of the identifier of a property, and that after its last "]"."""
        return self.ident_start[prop], min(self.end_of(prop), len(self.data))

    cdef int end_of(self, int prop) noexcept:
        """The offset after the last "]" of a property. If the file breaks off before it, that
        is one more than the file has bytes; then a NUL, which ends all bytes in C, is taken
        for the bracket."""
        return self.value_to[self.end_of_values(prop) - 1] + 1

    cpdef str ident(self, int prop):
        """The identifier of a property, without what damage put into it."""
        cdef int index = self.ident_index(prop)
        return IDENT_NAMES[index] if index >= 0 else self.other_ident(prop)

    cdef str other_ident(self, int prop):
        """An identifier of more than two letters, or with other characters."""
        if self.has_names and prop in self.names:
            return self.names[prop]
        return self.text[self.ident_start[prop] : self.ident_end[prop]].decode("latin-1")

    cdef bytes ident_bytes(self, int prop):
        """The same as bytes."""
        cdef int index = self.ident_index(prop)
        return IDENT_BYTES[index] if index >= 0 else self.other_ident(prop).encode("latin-1")

    cdef int next_of_ident(self, int first, int end, object ident) except -2:
        """The first of these properties that has that identifier, or -1."""
        cdef int prop
        for prop in range(first, end):
            if self.ident(prop) == ident:
                return prop
        return -1

    cdef list all_of_ident(self, int first, int end, object ident):
        """Those of these properties that have that identifier."""
        cdef list found = []
        cdef int prop = self.next_of_ident(first, end, ident)
        while prop >= 0:
            found.append(prop)
            prop = self.next_of_ident(prop + 1, end, ident)
        return found

    cdef int ident_index(self, int prop) except -2:
        """The index of an identifier of one or two letters, without what damage put into it;
        -1 for others."""
        cdef bytes name
        if self.has_names and prop in self.names:
            name = self.names[prop].encode("latin-1")
            return ident_index(name, len(name))
        return ident_index(
            self.text + self.ident_start[prop], self.ident_end[prop] - self.ident_start[prop]
        )

    cpdef int first_child(self, int node) noexcept:
        """The first child of a node, or -1."""
        if node + 1 < self.count and self.parent[node + 1] == node:
            return node + 1
        return -1

    cpdef int next_sibling(self, int node) except -2:
        """The next child of the same node, or -1."""
        if self.next_siblings == NULL:
            self._link_siblings()
        return self.next_siblings[node]

    def _link_siblings(self):
        cdef array.array siblings = array.clone(array.array("i"), self.count, zero=False)
        cdef array.array heads = array.clone(array.array("i"), self.count + 1, zero=False)
        cdef int *following = siblings.data.as_ints
        cdef int *first_children = heads.data.as_ints + 1  # also of -1, the parent of roots
        cdef int node, parent
        for node in range(-1, self.count):
            first_children[node] = -1
        # first_children[n] is the first child of `n` among the nodes after `node`.
        for node in range(self.count - 1, -1, -1):
            parent = self.parent[node]
            following[node] = first_children[parent]
            first_children[parent] = node
        self.siblings = siblings
        self.next_siblings = following

    cpdef list after_other_nodes(self):
        """The nodes that do not follow their parent directly in the file, in pre-order."""
        cdef int node
        cdef list found = []
        for node in range(self.count):
            if self.parent[node] != node - 1:
                found.append(node)
        return found

    cpdef dict first_values(self, int node, object idents):
        """The first value of each property of a node with one of these identifiers."""
        cdef dict found = {}
        cdef int prop
        for prop in range(self.first_property(node), self.end_of_properties(node)):
            ident = self.ident(prop)
            if ident in idents and ident not in found:
                found[ident] = self.value(self.first_value(prop))
        return found

    # --- Cached findings ---------------------------------------------------------------

    cpdef tuple cached_findings(
        self, int node, PropertyCache cache, bint high_bytes, list found
    ):
        """What is known of the properties of a node. Findings are added to `found`, as start,
        code, end, finding, node. `high_bytes` is whether bytes above 127 always mean something.

        Gives the identifiers; the number of plain lists, or -1 if there are other lists or if
        two of them name the same point; and the properties whose findings are not cached, each
        with its bytes. The bytes are None if they are too many to be cached, or if damage
        makes the identifier differ from them.
        """
        cdef list idents = [], unknown = []
        cdef bytearray named = None
        cdef int prop, kind, plain, lists = 0
        cdef bytes ident, key
        for prop in range(self.first_property(node), self.end_of_properties(node)):
            ident = self.ident_bytes(prop)
            idents.append(ident)
            if self.has_names and prop in self.names:
                unknown.append((prop, None))
                continue
            kind = cache.clean_if.get(ident, 0)
            if kind == TEXT:
                plain = self.is_plain_text(prop, high_bytes)
            elif kind == DATE:
                plain = self.is_plain_date(prop)
            elif kind:
                if named is None:
                    named = bytearray(cache.points.columns * cache.points.rows)
                plain = self.name_points(prop, kind, cache.points, named)
                if kind != POINT:
                    lists = lists + 1 if plain == PLAIN and lists >= 0 else -1
            else:
                plain = NOT_PLAIN
            if plain:
                continue
            key = None
            if self.end_of(prop) - self.ident_start[prop] <= cache.longest:
                key = self.text[self.ident_start[prop] : self.end_of(prop)]
            if not self.add_cached(prop, node, key, cache.findings, found):
                unknown.append((prop, key))
        return tuple(idents), lists, unknown

    cdef bint add_cached(
        self, int prop, int node, bytes key, dict findings, list found
    ) except -1:
        """Add the findings that are cached for these bytes of a property: whether there is
        an entry for them."""
        cdef int start = self.ident_start[prop]
        cached = None if key is None else findings.get(key)
        if cached is None:
            return False
        for first, last, code, finding in cached:
            found.append((start + first, code, start + last, finding, node))
        return True

    # --- Plain properties --------------------------------------------------------------

    cdef bint is_plain_text(self, int prop, bint high_bytes) noexcept:
        """Whether the property is plain as TEXT; `high_bytes` is whether bytes above 127 are
        visible."""
        cdef int value = self.first_value(prop)
        return self.end_of_values(prop) - value == 1 and is_visible_text(
            self.text + self.value_from[value], self.value_to[value] - self.value_from[value],
            high_bytes,
        )

    cdef bint is_plain_date(self, int prop) noexcept:
        """Whether the property is plain as DATE."""
        cdef int value = self.first_value(prop), index, month, day
        cdef const unsigned char *text = self.text + self.value_from[value]
        if self.end_of_values(prop) - value != 1:
            return False
        if self.value_to[value] - self.value_from[value] != 10:
            return False
        for index in range(10):
            if index == 4 or index == 7:
                if text[index] != c"-":
                    return False
            elif not byte_classes[text[index]] & DIGIT:
                return False
        if text[0] == c"0":
            return False
        month = 10 * (text[5] - c"0") + text[6] - c"0"
        day = 10 * (text[8] - c"0") + text[9] - c"0"
        return 1 <= month <= 12 and 1 <= day <= (28 if month == 2 else 30)

    cdef bint is_plain_number(self, int value, int decimal_points) noexcept:
        """Whether a value has digits only, with at most that many decimal points, none of
        which is the first or last character."""
        cdef const unsigned char *text = self.text
        cdef int start = self.value_from[value], end = self.value_to[value]
        cdef int index
        if not 0 < end - start <= LONGEST_NUMBER:
            return False
        for index in range(start, end):
            if byte_classes[text[index]] & DIGIT:
                continue
            if not byte_classes[text[index]] & DECIMAL_POINT or index in (start, end - 1):
                return False
            decimal_points -= 1
        return decimal_points >= 0

    cdef bint is_label(self, int start, int end) noexcept:
        """Whether a separator and one or two letters or digits are there."""
        cdef int index
        if not 2 <= end - start <= 3 or not byte_classes[self.text[start]] & SEPARATOR:
            return False
        for index in range(start + 1, end):
            if not byte_classes[self.text[index]] & ALPHANUMERIC:
                return False
        return True

    cdef int name_points(
        self, int prop, int kind, PointTable points, unsigned char *named
    ) noexcept:
        """PLAIN if the property is plain as that kind, NAMED_BEFORE if it is but for a point
        that another list has named, else NOT_PLAIN.

        `named` has for each point the number of the list that named it, or 0. In a node with
        more than 128 lists some have the same number: then NOT_PLAIN may be a false alarm.
        """
        cdef int value, start, end, name_end, index, own = (prop & 127) + 1
        cdef int found = PLAIN
        cdef const NamedPoint *point
        if kind == POINT and self.end_of_values(prop) - self.first_value(prop) != 1:
            return NOT_PLAIN
        # The values before `value` are plain, and their points have `own` in `named`.
        for value in range(self.first_value(prop), self.end_of_values(prop)):
            start, end = self.value_from[value], self.value_to[value]
            name_end = end
            if kind == LABELS:
                name_end = start + find_separator(self.text + start, end - start)
                if not self.is_label(name_end, end):
                    return NOT_PLAIN
            point = points.find(self.text + start, name_end - start)
            if point == NULL:
                return NOT_PLAIN
            if kind == POINT:
                continue
            index = points.columns * point.row + point.column
            if named[index] == own:
                return NOT_PLAIN
            if named[index]:
                found = NAMED_BEFORE
            named[index] = own
        return found


cdef bint is_visible_text(const unsigned char *text, Py_ssize_t length, bint high_bytes) noexcept:
    """Whether a text has a visible character and no control character."""
    cdef int allowed = BLANK | VISIBLE | (HIGH if high_bytes else 0), byte_class, seen = 0
    cdef Py_ssize_t index
    for index in range(length):
        byte_class = byte_classes[text[index]]
        if not byte_class & allowed:
            return False
        seen |= byte_class
    return seen & (VISIBLE | HIGH) != 0


# --- Flat trees ------------------------------------------------------------------------


cdef Columns columns_with_node(object flat, int node):
    """The columns of a compiled flat tree, which have that node; raises IndexError."""
    cdef Columns columns = flat.columns
    if not 0 <= node < columns.count:
        raise IndexError(f"there is no node {node}")
    return columns


cdef Columns columns_with_property(object flat, int prop):
    """The same for a property."""
    cdef Columns columns = flat.columns
    if not 0 <= prop < (columns.end_of_properties(columns.count - 1) if columns.count else 0):
        raise IndexError(f"there is no property {prop}")
    return columns


class CompiledFlatTree(FlatTree):
    """A flat tree whose nodes and properties compiled code reads; it gives what FlatTree gives.

    `columns` are its columns, which must not change.
    """

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "columns"}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.columns = Columns(self)

    def ident(self, int prop):
        return columns_with_property(self, prop).ident(prop)

    def idents(self, int node):
        cdef Columns columns = columns_with_node(self, node)
        cdef int prop
        cdef list found = []
        for prop in range(columns.first_property(node), columns.end_of_properties(node)):
            found.append((prop, columns.ident(prop)))
        return found

    def identifiers(self, int node):
        cdef Columns columns = columns_with_node(self, node)
        cdef int prop
        cdef list found = []
        for prop in range(columns.first_property(node), columns.end_of_properties(node)):
            found.append(columns.ident(prop))
        return tuple(found)

    def of_idents(self, int node, object wanted):
        cdef Columns columns = columns_with_node(self, node)
        cdef int prop
        cdef list found = []
        for prop in range(columns.first_property(node), columns.end_of_properties(node)):
            ident = columns.ident(prop)
            if ident in wanted:
                found.append((prop, ident))
        return found

    def first_of_ident(self, int node, object ident):
        cdef Columns columns = columns_with_node(self, node)
        cdef int first = columns.first_property(node), end = columns.end_of_properties(node)
        if end - first > FEW_PROPERTIES:
            return FlatTree.first_of_ident(self, node, ident)
        return columns.next_of_ident(first, end, ident)

    def of_ident(self, int node, object ident):
        cdef Columns columns = columns_with_node(self, node)
        cdef int first = columns.first_property(node), end = columns.end_of_properties(node)
        if end - first > FEW_PROPERTIES:
            return FlatTree.of_ident(self, node, ident)
        return columns.all_of_ident(first, end, ident)

    def properties_of_ident(self, nodes, ident):
        cdef Columns columns = columns_with_node(self, nodes[0])
        cdef int end = columns_with_node(self, nodes[-1]).end_of_properties(nodes[-1])
        return columns.all_of_ident(columns.first_property(nodes[0]), end, ident)

    @cached_property
    def _after_other_nodes(self):
        return self.columns.after_other_nodes()

    def raw(self, int prop):
        return columns_with_property(self, prop).raw(prop)

    def only_value(self, int prop):
        return columns_with_property(self, prop).only_value(prop)

    def values_with(self, bytes byte, object values):
        if not 0 <= values.start <= values.stop <= len(self.value_from):
            raise IndexError(f"there are no values {values}")
        return self.columns.values_with(ord(byte), values.start, values.stop)

    def first_values(self, int node, object idents):
        return columns_with_node(self, node).first_values(node, idents)

    def property_span(self, int prop):
        return columns_with_property(self, prop).span(prop)

    def children_of(self, int node):
        cdef Columns columns = columns_with_node(self, node)
        cdef int child = columns.first_child(node)
        cdef list found = []
        while child >= 0:
            found.append(child)
            child = columns.next_sibling(child)
        return found


def compiled(flat):
    """The same flat tree, which must not change from then on, for compiled code to read."""
    found = CompiledFlatTree.__new__(CompiledFlatTree)
    found.__dict__.update(flat.__dict__)
    found.columns = Columns(found)
    return found


def columns_of(flat):
    """The columns of a flat tree, which must not change from then on."""
    return flat.columns if isinstance(flat, CompiledFlatTree) else Columns(flat)
