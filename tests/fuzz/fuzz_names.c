/*
 * A file of names and a libsvm file that it names, in one input: the bytes before the first NUL are
 * the names.
 *
 * What must hold: every name, label and id that comes out is text; a failure says why and where; a
 * failure of memory or of a file is reported. Without labels and cases among the names, as many
 * features come out as the data has alone.
 */
#define _GNU_SOURCE // memfd_create()
#include "fuzz.h"

#include "read/read.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/** A file in memory with these bytes; path receives how to open it. */
static int make_file(char path[64], const char *ending, const uint8_t *bytes, size_t size) {
    int fd = memfd_create(ending, 0);
    FUZZ_CHECK(fd >= 0);
    FUZZ_CHECK(size == 0 || write(fd, bytes, size) == (ssize_t)size);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static void check_text(hcbr_i_text text) {
    if (text.at != NULL)
        fuzz_check_text(text.at, text.length);
}

/** Read everything; *features receives how many came out. */
static hcbr_status read_all(const char *path, const hcbr_read_options *options,
                            uint64_t *features) {
    hcbr_i_reader *reader;
    const hcbr_i_block *block = NULL;
    hcbr_error err = {.status = HCBR_OK};
    hcbr_status st = hcbr_i_reader_create(&reader, &path, 1, options, false, &err);
    *features = 0;
    while (st == HCBR_OK && (st = hcbr_i_reader_next(reader, &block, &err)) == HCBR_OK &&
           block != NULL)
        for (size_t i = 0; i < block->case_count; i++) {
            const hcbr_i_raw_case *x = &block->cases[i];
            check_text(x->label);
            check_text(x->id);
            *features += x->count;
            for (size_t n = 0; n < x->count; n++) {
                char text[HCBR_I_NAME_TEXT];
                hcbr_feature f = hcbr_i_block_get(block, x->first + n, text);
                fuzz_check_text(f.key, f.key_length);
                if (f.value != NULL)
                    fuzz_check_text(f.value, f.value_length);
            }
        }
    if (st != HCBR_OK)
        fuzz_check_error(st, &err);
    hcbr_i_reader_free(reader);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    unsigned fault = fuzz_choice(&in);
    const uint8_t *end = in.left > 0 ? memchr(in.at, 0, in.left) : NULL;
    size_t length = end != NULL ? (size_t)(end - in.at) : in.left;
    char names[64], rows[64];
    uint64_t with, without;
    hcbr_read_options options;
    int first = make_file(names, "names", in.at, length);
    int second = make_file(rows, "rows", end != NULL ? end + 1 : in.at,
                           end != NULL ? in.left - length - 1 : 0);
    hcbr_read_options_init(&options);
    options.hash_key = 1;
    options.format = HCBR_FORMAT_LIBSVM;
    options.names = names;
    hcbr_status st = read_all(rows, &options, &with);
    fuzz_arm(fault);
    hcbr_status again = read_all(rows, &options, &without);
    bool failed = fuzz_disarm();
    FUZZ_CHECK(failed ? again != HCBR_OK : again == st && with == without);
    options.names = NULL;
    if (st == HCBR_OK) {
        FUZZ_CHECK(read_all(rows, &options, &without) == HCBR_OK);
        FUZZ_CHECK(with == without);
    }
    close(first);
    close(second);
    return 0;
}
