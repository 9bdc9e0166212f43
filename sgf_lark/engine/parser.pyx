# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The parser of ``sgf.lark``: a longest-match scanner and an LALR(1) automaton over bytes.

Both run on the tables of :mod:`sgf_lark.engine.tables` and write what they read into the
columns of a :class:`FlatTree`. The grammar is known here by its tables alone.

Columns are used as C pointers. A typed memoryview of each would cost more than it takes to
parse a small file, as it locks its array and fills a structure of shapes and strides.
"""

from array import array as python_array

from cpython cimport array
from libc.stdlib cimport free, malloc

from sgf_lark.engine import LARGEST, kinds
from sgf_lark.engine.columns import Columns, CompiledFlatTree

# The numbers of kinds.py as C integers.
cdef int OPEN_TREE = kinds.Shift.OPEN_TREE
cdef int CLOSE_TREE = kinds.Shift.CLOSE_TREE
cdef int NODE = kinds.Shift.NODE
cdef int IDENT = kinds.Shift.IDENT
cdef int VALUE = kinds.Shift.VALUE
cdef int CLOSES_PROPERTY = kinds.Closes.PROPERTY
cdef int CLOSES_NODE = kinds.Closes.NODE
cdef int IGNORED = kinds.IGNORED
cdef int NO_LONGER_TOKEN = kinds.NO_LONGER_TOKEN

cdef enum:
    # The terminal at the end of the input, and what the scanner gives where no token begins.
    END_OF_INPUT = 0
    NO_TOKEN = -1
    # What reductions come to before a lookahead that is not shifted.
    REFUSED = 0
    ACCEPTED = -1
    # The most states that one level of trees adds to the stack: "(", a sequence, the trees
    # after it, and what is incomplete in one of them.
    STATES_PER_LEVEL = 8


cdef struct Reduction:
    # In the order of the table "reductions".
    short size          # states to take off the stack
    short closes        # bits of Closes
    short symbol        # index of the nonterminal in a row
    short goto_state    # the state to go to if it is always the same, else 0
    short shift_state   # the state that the lookahead shifts to after that, or 0


cdef struct Tables:
    # scanner[state + byte] is the next state of the scanner, or -1; a state is 256 times its
    # number. accepts[number] is what ends in a state.
    const short *scanner
    const short *accepts
    # rows[state + terminal] is a state to shift to, -1 - reduction, or 0 for an error;
    # rows[state + symbol] is the state to go to.
    const short *rows
    const Reduction *reductions
    # shifts[terminal] is a Shift.
    const short *shifts


cdef struct Start:
    int state
    int final_state
    int ends                # bits of the terminals before which the input ends
    bint ends_with_tree     # whether it ends with the first tree that is closed


cdef struct Token:
    int terminal
    Py_ssize_t start
    Py_ssize_t end


cdef struct OpenTree:
    int tree            # its number
    int parent_node     # the node that precedes its "(", or -1


cdef struct Output:
    # The columns of a FlatTree, with room for all that the input may hold.
    int *parent
    int *node_start
    int *property_end
    int *ident_start
    int *ident_end
    int *value_end
    int *value_from
    int *value_to
    int *tree_node
    int *tree_open
    int *tree_close
    # How many entries are written.
    int nodes
    int properties
    int values
    int trees
    # How many nodes are complete, how many properties and values these have, and the offset
    # of the token after the last of them.
    int whole_nodes
    int whole_properties
    int whole_values
    Py_ssize_t whole_end
    # The node that the next one follows, or -1.
    int last_node
    # Whether a tree has begun and its first node has not.
    bint awaits_node
    # The trees that are open, the innermost last.
    OpenTree *open_trees
    int depth


# --- Scanner ---------------------------------------------------------------------------


cdef inline void scan_token(
    const Tables *tables, const unsigned char *text, Py_ssize_t length, Py_ssize_t position,
    Token *token,
) noexcept nogil:
    """Find the longest token at `position`, or the end of the input."""
    cdef int state = 0, accepted
    token.start = token.end = position
    if position >= length:
        token.terminal = END_OF_INPUT
        return
    token.terminal = NO_TOKEN
    # The bytes from token.start to `position` lead to `state`; token.end is after the last
    # of them at which a token could end.
    while position < length:
        state = tables.scanner[state + text[position]]
        if state < 0:
            return
        position += 1
        # Most bytes of a text lead from a state to itself.
        while position < length and tables.scanner[state + text[position]] == state:
            position += 1
        accepted = tables.accepts[state >> 8]
        if accepted >= 0:
            token.terminal = accepted & IGNORED
            token.end = position
            if accepted & NO_LONGER_TOKEN:
                return


# --- Parser ----------------------------------------------------------------------------


cdef inline void close(Output *out, int closes, Py_ssize_t offset) noexcept nogil:
    """Complete what a reduction closes before the token at `offset`."""
    if closes == 0:  # as for values and identifiers
        return
    if closes & CLOSES_PROPERTY:
        out.value_end[out.properties - 1] = out.values
    if closes & CLOSES_NODE:
        out.property_end[out.nodes - 1] = out.properties
        out.whole_nodes = out.nodes
        out.whole_properties = out.properties
        out.whole_values = out.values
        out.whole_end = offset


cdef inline int reduce_before(
    const Tables *tables, const Start *start, int terminal, Py_ssize_t offset, int **stack,
    Output *out,
) noexcept nogil:
    """Reduce until the terminal at `offset` can be shifted: the state to shift to, else
    REFUSED or ACCEPTED."""
    cdef const Reduction *rule
    cdef int *top = stack[0]
    cdef int state = top[0]
    cdef int action = tables.rows[state + terminal]
    # `state` is on top of the stack, `action` is what it does before the terminal.
    while action < 0:
        rule = &tables.reductions[-1 - action]
        top -= rule.size
        close(out, rule.closes, offset)
        state = rule.goto_state
        if state == 0:
            state = tables.rows[top[0] + rule.symbol]
        top += 1
        top[0] = state
        action = rule.shift_state
        if action > 0:
            break
        if state == start.final_state and (start.ends >> terminal) & 1:
            action = ACCEPTED
            break
        action = tables.rows[state + terminal]
    stack[0] = top
    return action


cdef inline void shift(Output *out, int kind, const Token *token) noexcept nogil:
    """Record a terminal that is shifted."""
    if kind == NODE:
        if out.awaits_node:
            out.awaits_node = False
            out.tree_node[out.open_trees[out.depth - 1].tree] = out.nodes
        out.node_start[out.nodes] = <int>token.start
        out.parent[out.nodes] = out.last_node
        out.last_node = out.nodes
        out.nodes += 1
    elif kind == VALUE:
        out.value_from[out.values] = <int>token.start + 1
        out.value_to[out.values] = <int>token.end - 1
        out.values += 1
    elif kind == IDENT:
        out.ident_start[out.properties] = <int>token.start
        out.ident_end[out.properties] = <int>token.end
        out.properties += 1
    elif kind == OPEN_TREE:
        out.open_trees[out.depth].tree = out.trees
        out.open_trees[out.depth].parent_node = out.last_node
        out.depth += 1
        out.tree_open[out.trees] = <int>token.start
        out.tree_close[out.trees] = 0
        out.trees += 1
        out.awaits_node = True
    elif kind == CLOSE_TREE:
        out.depth -= 1
        out.last_node = out.open_trees[out.depth].parent_node
        out.tree_close[out.open_trees[out.depth].tree] = <int>token.start


cdef Py_ssize_t run(
    const Tables *tables, const Start *start, const unsigned char *text, Py_ssize_t begin,
    Py_ssize_t length, int *stack, Output *output,
) noexcept nogil:
    """Parse `text` from `begin` on into `output`: -1 if it is accepted, else the offset of the
    first token that is not. Then only the whole nodes count, and the trees that are open
    close at 0."""
    cdef Output out = output[0]  # a copy, for the sake of registers
    cdef Token token
    cdef Py_ssize_t refused = -1
    cdef int state
    token.end = begin
    out.whole_end = begin
    stack[0] = start.state
    # All before token.end is read, `stack` is the top of the stack of states.
    while True:
        scan_token(tables, text, length, token.end, &token)
        if token.terminal == IGNORED:
            continue
        if token.terminal == NO_TOKEN:
            refused = token.start
            break
        state = reduce_before(tables, start, token.terminal, token.start, &stack, &out)
        if state <= 0:
            refused = token.start if state == REFUSED else -1
            break
        stack += 1
        stack[0] = state
        shift(&out, tables.shifts[token.terminal], &token)
        if out.depth == 0 and start.ends_with_tree:
            length = token.end
    output[0] = out
    return refused


# --- Columns ---------------------------------------------------------------------------


cdef struct Counts:
    Py_ssize_t nodes
    Py_ssize_t values
    Py_ssize_t trees


cdef Counts count_delimiters(const unsigned char *text, Py_ssize_t length) noexcept nogil:
    """How many nodes, values and trees the text can have at most: they begin with ";", "["
    and "("."""
    cdef Counts counts = Counts(0, 0, 0)
    cdef unsigned char nodes, values, trees
    cdef Py_ssize_t begin, index
    # Counted in single bytes, as the compiler then lets the processor add many at once; 255 of
    # them fit into a byte.
    for begin in range(0, length, 255):
        nodes = values = trees = 0
        for index in range(begin, min(begin + 255, length)):
            nodes += text[index] == c";"
            values += text[index] == c"["
            trees += text[index] == c"("
        counts.nodes += nodes
        counts.values += values
        counts.trees += trees
    return counts


cdef array.array NUMBERS = python_array("i")


cdef int *add_column(object flat, str name, Py_ssize_t room) except NULL:
    """Give a flat tree a column with that room: its numbers."""
    cdef array.array numbers = array.clone(NUMBERS, room + 1, zero=False)  # never without address
    setattr(flat, name, numbers)
    return numbers.data.as_ints


cdef object new_flat_tree(bytes data, Counts room, Output *out):
    """A flat tree with room for so much, into whose columns `out` is to write.

    FlatTree() would first make columns without room, which takes longer than to parse
    a hundred nodes.
    """
    flat = CompiledFlatTree.__new__(CompiledFlatTree)
    flat.data = data
    flat.names = {}
    out.parent = add_column(flat, "parent", room.nodes)
    out.node_start = add_column(flat, "node_start", room.nodes)
    out.property_end = add_column(flat, "property_end", room.nodes)
    # Each property has a value, but the last before an error.
    out.ident_start = add_column(flat, "ident_start", room.values + 1)
    out.ident_end = add_column(flat, "ident_end", room.values + 1)
    out.value_end = add_column(flat, "value_end", room.values + 1)
    out.value_from = add_column(flat, "value_from", room.values)
    out.value_to = add_column(flat, "value_to", room.values)
    out.tree_node = add_column(flat, "tree_node", room.trees)
    out.tree_open = add_column(flat, "tree_open", room.trees)
    out.tree_close = add_column(flat, "tree_close", room.trees)
    return flat


cdef int trim_columns(object flat, const Output *out) except -1:
    """Cut the columns of a flat tree to what was written. They keep the memory that is left."""
    array.resize_smart(<array.array>flat.parent, out.nodes)
    array.resize_smart(<array.array>flat.node_start, out.nodes)
    array.resize_smart(<array.array>flat.property_end, out.nodes)
    array.resize_smart(<array.array>flat.ident_start, out.properties)
    array.resize_smart(<array.array>flat.ident_end, out.properties)
    array.resize_smart(<array.array>flat.value_end, out.properties)
    array.resize_smart(<array.array>flat.value_from, out.values)
    array.resize_smart(<array.array>flat.value_to, out.values)
    array.resize_smart(<array.array>flat.tree_node, out.trees)
    array.resize_smart(<array.array>flat.tree_open, out.trees)
    array.resize_smart(<array.array>flat.tree_close, out.trees)
    return 0


cdef int append(
    object flat_column, const int *numbers, Py_ssize_t count, int added
) except -1:
    """Append numbers to a column of a flat tree, each with `added` to it."""
    cdef array.array target = <array.array?>flat_column
    cdef Py_ssize_t size = len(target), index
    array.resize_smart(target, size + count)
    for index in range(count):
        target.data.as_ints[size + index] = numbers[index] + added
    return 0


cdef void begin_output(Output *out) noexcept:
    """Let `out` write from the beginning of its columns."""
    out.nodes = out.properties = out.values = out.trees = 0
    out.whole_nodes = out.whole_properties = out.whole_values = 0
    out.last_node = -1
    out.awaits_node = False
    out.depth = 0


cdef class Stacks:
    """The stack of states and that of open trees, for texts with so many trees at most."""

    cdef int *states
    cdef OpenTree *open_trees

    def __cinit__(self, Py_ssize_t trees):
        self.states = <int *>malloc(STATES_PER_LEVEL * (trees + 2) * sizeof(int))
        self.open_trees = <OpenTree *>malloc((trees + 1) * sizeof(OpenTree))
        if self.states == NULL or self.open_trees == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.states)
        free(self.open_trees)


# --- Interface -------------------------------------------------------------------------


cdef class Parser:
    """Reads bytes by the tables of :func:`sgf_lark.engine.tables.compute_tables`."""

    cdef Tables tables
    cdef dict starts
    cdef tuple _arrays  # they own what `tables` points to

    def __init__(self, dict tables):
        cdef array.array scanner = python_array(
            "h",
            [
                256 * row[byte_class] if row[byte_class] >= 0 else -1
                for row in tables["scanner"]
                for byte_class in tables["byte_classes"]
            ],
        )
        cdef array.array accepts = python_array("h", tables["accepts"])
        cdef array.array rows = python_array("h", tables["rows"])
        cdef array.array reductions = python_array(
            "h", [number for rule in tables["reductions"] for number in rule]
        )
        cdef array.array shifts = python_array("h", tables["shifts"])
        self.starts = tables["starts"]
        self._arrays = scanner, accepts, rows, reductions, shifts
        self.tables.scanner = scanner.data.as_shorts
        self.tables.accepts = accepts.data.as_shorts
        self.tables.rows = rows.data.as_shorts
        self.tables.reductions = <const Reduction *>reductions.data.as_shorts
        self.tables.shifts = shifts.data.as_shorts

    cdef Start start_of(self, str symbol) except *:
        cdef Start start
        start.state, start.final_state, start.ends, start.ends_with_tree = self.starts[symbol]
        return start

    def parse(self, bytes data not None, str symbol="collection"):
        """The flat tree of `data`; None if it is too large, or is not what `symbol` derives."""
        cdef Output out
        cdef Py_ssize_t length = len(data)
        if length > LARGEST:
            return None
        cdef const unsigned char *text = data
        cdef Counts room = count_delimiters(text, length)
        cdef Stacks stacks = Stacks(room.trees)
        cdef Start start = self.start_of(symbol)
        flat = new_flat_tree(data, room, &out)
        out.open_trees = stacks.open_trees
        begin_output(&out)
        if run(&self.tables, &start, text, 0, length, stacks.states, &out) >= 0:
            return None
        trim_columns(flat, &out)
        flat.columns = Columns(flat)
        return flat

    def region_parser(self, bytes data not None):
        """What reads intact regions of `data`; None if it is too large."""
        return RegionParser(self, data) if len(data) <= LARGEST else None


cdef class RegionParser:
    """Reads what is intact in damaged data, region by region.

    A region is written into columns of its own, which have room for all of the data, so that
    one allocation serves all regions. What is wanted of it is then appended to a flat tree.
    """

    cdef Parser parser
    cdef bytes data
    cdef object flat        # owns the columns of `out`
    cdef Stacks stacks
    cdef Output out

    def __init__(self, Parser parser not None, bytes data not None):
        cdef Counts room = count_delimiters(data, len(data))
        self.parser = parser
        self.data = data
        self.flat = new_flat_tree(data, room, &self.out)
        self.stacks = Stacks(room.trees)
        self.out.open_trees = self.stacks.open_trees
        begin_output(&self.out)

    def parse(self, str symbol, Py_ssize_t begin):
        """Read a region that begins at that offset: -1 if all of it is accepted, else the
        offset of the first token that is not. Then only the whole nodes are kept."""
        cdef Start start = self.parser.start_of(symbol)
        cdef Py_ssize_t refused
        begin_output(&self.out)
        refused = run(
            &self.parser.tables, &start, self.data, begin, len(self.data), self.stacks.states,
            &self.out,
        )
        self.out.nodes = self.out.whole_nodes
        self.out.properties = self.out.whole_properties
        self.out.values = self.out.whole_values
        return refused

    @property
    def nodes(self):
        """The number of nodes in the region."""
        return self.out.nodes

    @property
    def end(self):
        """The offset of the token after the last node."""
        return self.out.whole_end

    @property
    def tree_end(self):
        """The offset after the ")" of the first tree."""
        return self.out.tree_close[0] + 1

    def trees_open_at(self, Py_ssize_t offset):
        """The offsets of the "(" of the trees that are not closed before `offset`."""
        cdef int tree
        found = []
        for tree in range(self.out.trees):
            if not 0 < self.out.tree_close[tree] < offset:
                found.append(self.out.tree_open[tree])
        return found

    def append_to(self, flat):
        """Append the region to a flat tree; its first node has no parent there yet."""
        cdef Output *out = &self.out
        cdef int nodes = len(flat.parent)
        cdef int properties = len(flat.ident_start)
        cdef int values = len(flat.value_from)
        append(flat.parent, out.parent, out.nodes, nodes)
        if out.nodes:
            flat.parent[nodes] = -1
        append(flat.node_start, out.node_start, out.nodes, 0)
        append(flat.property_end, out.property_end, out.nodes, properties)
        append(flat.ident_start, out.ident_start, out.properties, 0)
        append(flat.ident_end, out.ident_end, out.properties, 0)
        append(flat.value_end, out.value_end, out.properties, values)
        append(flat.value_from, out.value_from, out.values, 0)
        append(flat.value_to, out.value_to, out.values, 0)
        append(flat.tree_node, out.tree_node, out.trees, nodes)
        append(flat.tree_open, out.tree_open, out.trees, 0)
        append(flat.tree_close, out.tree_close, out.trees, 0)
