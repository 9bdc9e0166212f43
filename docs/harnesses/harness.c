/* A harness for sgf-lark fuzz: cc -o harness harness.c my_parser.c
   --target 'persistent: ./harness' */
#define SGF_TREE_IMPLEMENTATION
#include "sgf_tree.h"
#include <stdio.h>
#include <stdlib.h>

/* Returns NULL if it accepts, or else a message of one line. A signal is a crash. To have its tree
   compared, it calls the functions of sgf_tree.h. */
const char *parse(const unsigned char *data, size_t size);

int main(void) {
    size_t size;
    puts("ready");
    fflush(stdout);
    while (scanf("%zu", &size) == 1) {
        unsigned char *data = malloc(size ? size : 1);
        if (data == NULL || getchar() != '\n' || fread(data, 1, size, stdin) != size)
            return 1;
        const char *message = parse(data, size);
        const char *tree = sgf_tree();
        if (message == NULL)
            printf("accept %s\n", tree);
        else
            printf("reject %s\n", message);
        fflush(stdout);
        free(data);
    }
    return 0;
}
