/* A harness for sgf-lark fuzz: cc -o harness harness.c tested_parser.c
   --target 'persistent: ./harness' */
#include <stdio.h>
#include <stdlib.h>

/* Returns NULL if it accepts, or else a message of one line. A signal is a crash. */
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
        if (message == NULL)
            puts("accept");
        else
            printf("reject %s\n", message);
        fflush(stdout);
        free(data);
    }
    return 0;
}
