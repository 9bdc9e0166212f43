/* The tree of a file, for harness.c. A parser calls these functions in the order of the file; it needs
   nothing but this header. Values are texts in UTF-8, without the escapes of the file. */
#ifndef SGF_TREE_H
#define SGF_TREE_H
#include <stddef.h>

/* Begins a game tree. */
void sgf_game(void);
/* Begins a node and returns its number in the game; parent is that of another node, -1 for the root. */
int sgf_node(int parent);
/* Begins a property of the last node. */
void sgf_property(const char *ident);
/* Adds a value to the last property. */
void sgf_value(const char *text, size_t size);
/* Returns the tree as JSON, "" if there is no game, and begins a new one. */
const char *sgf_tree(void);

#endif
#ifdef SGF_TREE_IMPLEMENTATION
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { char *json; size_t size, room; int level, nodes; } sgf_state;

static void sgf_add(const char *text, size_t size) {
    if (sgf_state.size + size >= sgf_state.room) {
        sgf_state.room = 2 * (sgf_state.size + size) + 256;
        sgf_state.json = realloc(sgf_state.json, sgf_state.room);
        if (sgf_state.json == NULL) abort();
    }
    memcpy(sgf_state.json + sgf_state.size, text, size);
    sgf_state.json[sgf_state.size += size] = '\0';
}

/* Ends what is open up to a level: 0 games, 1 nodes, 2 properties, 3 values. */
static void sgf_end(int level) {
    static const char *const ends[] = {"", "]", "]}", "]]"};
    for (; sgf_state.level > level; sgf_state.level--)
        sgf_add(ends[sgf_state.level], strlen(ends[sgf_state.level]));
}

static void sgf_begin(int level, const char *start) {
    if (sgf_state.size == 0) sgf_add("{\"form\":\"text\",\"games\":[", 24);
    sgf_end(level);
    if (strchr("]}\"", sgf_state.json[sgf_state.size - 1])) sgf_add(",", 1);
    sgf_add(start, strlen(start));
    sgf_state.level = level + 1;
}

static void sgf_string(const char *text, size_t size) {
    char code[8];
    sgf_add("\"", 1);
    for (size_t at = 0; at < size; at++) {
        unsigned char byte = (unsigned char)text[at];
        if (byte < 0x20 || byte == '"' || byte == '\\')
            sgf_add(code, (size_t)snprintf(code, sizeof code, "\\u%04x", byte));
        else
            sgf_add(text + at, 1);
    }
    sgf_add("\"", 1);
}

void sgf_game(void) { sgf_begin(0, "["); sgf_state.nodes = 0; }

int sgf_node(int parent) {
    char start[64];
    if (parent < 0) strcpy(start, "{\"parent\":null,\"properties\":[");
    else snprintf(start, sizeof start, "{\"parent\":%d,\"properties\":[", parent);
    sgf_begin(1, start);
    return sgf_state.nodes++;
}

void sgf_property(const char *ident) {
    sgf_begin(2, "[");
    sgf_string(ident, strlen(ident));
    sgf_add(",[", 2);
}

void sgf_value(const char *text, size_t size) {
    sgf_begin(3, "");
    sgf_state.level = 3;
    sgf_string(text, size);
}

const char *sgf_tree(void) {
    if (sgf_state.size == 0) return "";
    sgf_end(0);
    sgf_add("]}", 2);
    sgf_state.size = 0;
    return sgf_state.json;
}
#endif
