#include <stdlib.h>
#include <string.h>
#include "sgf_tree.h"
const char *parse(const unsigned char *data, size_t size) {
    if (size >= 6 && memcmp(data, "(crash", 6) == 0) abort();
    while (size >= 5 && memcmp(data, "(hang", 5) == 0) continue;
    if (size >= 5 && memcmp(data, "(tree", 5) == 0) {
        sgf_game();
        int root = sgf_node(-1);
        sgf_property("C");
        sgf_value("a\"\\\n\xc3\xa9", 6);
        sgf_property("AB");
        sgf_value("aa", 2);
        sgf_value("bb", 2);
        sgf_node(root);
        sgf_node(root);
        sgf_property("W");
        sgf_value("", 0);
        sgf_game();
        sgf_node(-1);
    }
    return size && data[0] == '(' ? NULL : "no SGF";
}
