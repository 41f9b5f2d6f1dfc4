// Files of random rows, good and bad, in the formats that several threads read.
#ifndef HCBR_TEST_RANDOM_FILES_H
#define HCBR_TEST_RANDOM_FILES_H

#include "read_support.h"

#include <stdlib.h>

/** The seed of a test: HCBR_SEED around the program, else this one. Prints it. */
static inline uint64_t random_seed(uint64_t own) {
    const char *given = getenv("HCBR_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : own;
    print_message("seed %llu (HCBR_SEED)\n", (unsigned long long)seed);
    return seed;
}

static inline void add_field(text *out, uint64_t *seed) {
    static const char *const plain[] = {"1", "22", "red", "", "NA", "x y", "long-value-of-a-field"};
    static const char *const quoted[] = {"\"a\nb\"",     "\"\"\"\"",      "\"c,\"", "\"\n\"",
                                         "\"x\"\"\ny\"", "\"\r\n,\"\"\"", "\"red\""};
    static const char *const bad[] = {"a\"b", "\"a\"b", "x,", "\xFF", "\"a\"\"b\"\"c\n\"d", "\r"};
    uint64_t kind = draw(seed, 40);

    if (kind == 0)
        text_print(out, "%s", bad[draw(seed, 6)]);
    else if (kind < 8)
        text_print(out, "%s", quoted[draw(seed, 7)]);
    else if (kind < 14)
        text_print(out, "%llu", (unsigned long long)draw(seed, 300));
    else
        text_print(out, "%s", plain[draw(seed, 7)]);
}

static inline void random_csv(text *out, size_t rows, uint64_t *seed) {
    text_print(out, "who,label,a,b,\"a rather long name\",set\n");
    for (size_t i = 0; i < rows; i++) {
        const char *end = draw(seed, 5) == 0 ? "\r\n" : "\n";

        if (draw(seed, 20) == 0)
            text_print(out, "%s", end); // no row
        text_print(out, "w%llu,l%llu", (unsigned long long)draw(seed, 1000),
                   (unsigned long long)draw(seed, draw(seed, 9) == 0 ? 40 : 2));
        for (int f = 0; f < 4; f++) {
            text_add(out, ",", 1);
            add_field(out, seed);
        }
        if (i + 1 < rows || draw(seed, 2))
            text_print(out, "%s", end);
    }
}

static inline void random_libsvm(text *out, size_t rows, uint64_t *seed) {
    static const char *const odd[] = {" 7:x",
                                      " # note",
                                      " 5:0.50",
                                      " 123456789012345678:1.25",
                                      "\t9",
                                      " 3:1 3:1",
                                      " 9999999:1 9999999:1",
                                      " 4095:1 4096:1 07:1"};

    for (size_t i = 0; i < rows; i++) {
        text_print(out, "%llu", (unsigned long long)draw(seed, 3));
        for (uint64_t n = draw(seed, 8); n > 0; n--)
            text_print(out, " %llu:1",
                       (unsigned long long)draw(seed, draw(seed, 9) == 0 ? 12000000 : 1 + i * 3));
        if (draw(seed, 6) == 0)
            text_print(out, "%s", odd[draw(seed, 8)]);
        text_print(out, "%s", draw(seed, 9) == 0 ? "\r\n" : draw(seed, 9) == 0 ? "\n \n\n" : "\n");
    }
}

static inline void random_jsonl(text *out, size_t rows, uint64_t *seed) {
    static const char *const odd[] = {"{\"label\": 1, \"k\": }\n", "[]\n", "{\"k\": 2}\n", "\n",
                                      "{\"label\": true, \"a\": {\"b\\u0041\": [1, 2, 1]}}\n"};

    for (size_t i = 0; i < rows; i++) {
        if (draw(seed, 8) == 0)
            text_print(out, "%s", odd[draw(seed, 5)]);
        text_print(out, "{\"label\": \"%llu\", \"who\": \"w\\\\%zu\"",
                   (unsigned long long)draw(seed, 3), i);
        for (int n = 0; n < 4; n++)
            if (draw(seed, 3) > 0)
                text_print(out, ", \"key%d\": \"v\\u00e9%llu\"", n,
                           (unsigned long long)draw(seed, 50));
        text_print(out, "}%s", i + 1 < rows || draw(seed, 2) ? "\n" : "");
    }
}

static const struct random_format {
    const char *ending;
    void (*make)(text *out, size_t rows, uint64_t *seed);
    bool id;
} random_formats[] = {{".csv", random_csv, true},
                      {".svm", random_libsvm, false},
                      {".jsonl", random_jsonl, true},
                      {".csv.gz", random_csv, true}};

#endif
