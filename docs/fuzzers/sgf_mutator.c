/* A mutator that knows the tokens of SGF. For libFuzzer and AFL++ (afl-clang-fast with
   libFuzzer targets) compile it with the target; other programs call sgf_mutate.

   sgf_words.h, which seeds.py writes, has the words of the grammar. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sgf_words.h"

enum { MAX_TOKENS = 4096, MAX_PIECE = 512 };

typedef struct {
    size_t start, end;
} span_t;

static uint32_t random_state;

static uint32_t below(uint32_t limit) {
    /* xorshift32: its state is never 0 */
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return limit ? random_state % limit : 0;
}

static int is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
static int is_capital(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }

/* The end of the token that begins at `at`. */
static size_t token_end(const uint8_t *data, size_t size, size_t at) {
    size_t end = at + 1;
    if (data[at] == '[') {
        while (end < size && data[end] != ']')
            end += data[end] == '\\' ? 2 : 1;
        return end < size ? end + 1 : size;
    }
    if (is_capital(data[at]))
        while (end < size && is_capital(data[end])) end++;
    else if (is_space(data[at]))
        while (end < size && is_space(data[end])) end++;
    return end;
}

static size_t tokens_of(const uint8_t *data, size_t size, span_t *tokens) {
    size_t count = 0;
    for (size_t at = 0; at < size && count < MAX_TOKENS; count++) {
        tokens[count].start = at;
        at = tokens[count].end = token_end(data, size, at);
    }
    return count;
}

/* Replaces `removed` bytes at `at` by `piece`; does nothing if the result is too large. */
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t at, size_t removed,
                     const uint8_t *piece, size_t length) {
    if (size - removed + length > max_size) return size;
    memmove(data + at + length, data + at + removed, size - at - removed);
    memcpy(data + at, piece, length);
    return size - removed + length;
}

static size_t insert_word(uint8_t *data, size_t size, size_t max_size, size_t at) {
    const sgf_word_t *word = &sgf_words[below(SGF_WORD_COUNT)];
    return splice(data, size, max_size, at, 0, word->bytes, word->length);
}

/* Changes `data` in place and returns its new size, at most `max_size`. */
size_t sgf_mutate(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    static span_t tokens[MAX_TOKENS];
    uint8_t piece[MAX_PIECE];
    random_state = seed * 2654435761u + 1u;
    if (random_state == 0) random_state = 1;
    for (uint32_t changes = 1 + below(4); changes > 0; changes--) {
        size_t count = tokens_of(data, size, tokens);
        if (count == 0) {
            size = insert_word(data, size, max_size, 0);
            continue;
        }
        span_t one = tokens[below((uint32_t)count)], other = tokens[below((uint32_t)count)];
        size_t length = one.end - one.start;
        if (length > sizeof piece) length = sizeof piece;
        memcpy(piece, data + one.start, length);
        switch (below(6)) {
        case 0: /* delete */
            size = splice(data, size, max_size, one.start, one.end - one.start, piece, 0);
            break;
        case 1: /* repeat */
            size = splice(data, size, max_size, one.end, 0, piece, length);
            break;
        case 2: /* copy to another place */
            size = splice(data, size, max_size, other.start, 0, piece, length);
            break;
        case 3: /* put in place of another token */
            size = splice(data, size, max_size, other.start, other.end - other.start, piece, length);
            break;
        case 4: /* insert a word between two tokens */
            size = insert_word(data, size, max_size, one.start);
            break;
        default: /* insert a word inside a token, such as an escape in a value */
            size = insert_word(data, size, max_size, one.start + below((uint32_t)(one.end - one.start)));
        }
    }
    return size;
}

#ifndef SGF_NO_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    if (seed % 5 == 0) return LLVMFuzzerMutate(data, size, max_size);
    return sgf_mutate(data, size, max_size, seed);
}
#endif
