/* Calls the mutator many times, and prints some of what it makes. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
size_t sgf_mutate(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
int main(void) {
    for (unsigned int seed = 0; seed < 20000; seed++) {
        uint8_t data[64] = "(;B[aa]C[a\\]b];W[";
        size_t size = sgf_mutate(data, strlen((char *)data), sizeof data, seed);
        if (size > sizeof data) return 1;
        if (seed < 200) fwrite(data, 1, size, stdout);
    }
    return sgf_mutate((uint8_t[1]){0}, 0, 0, 3) != 0;
}
