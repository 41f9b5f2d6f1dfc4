/*
 * Any file read by one thread and by three, in chunks of a few bytes.
 *
 * What must hold: the same cases, rows and names in the same order, the same warnings in the same
 * order, the same failure at the same place. With failures of memory and of reads: an error of that
 * kind, or the same cases.
 */
#include "fuzz.h"

#include "cases/cases.h"

#include <stdlib.h>
#include <unistd.h>

/** Warnings, as they came. */
typedef struct notices {
    uint64_t count, hash;
} notices;

static void on_notice(void *context, hcbr_notice kind, const hcbr_error *where) {
    notices *n = context;
    uint64_t parts[] = {(uint64_t)kind, where->line, where->column};
    n->count++;
    for (size_t i = 0; i < 3; i++)
        n->hash = hcbr_i_mix(n->hash ^ parts[i]);
    for (const char *at = where->message; *at != 0; at++)
        n->hash = hcbr_i_mix(n->hash ^ (unsigned char)*at);
}

static hcbr_status read_with(hcbr_cases **cases, hcbr_read_options *options, uint32_t threads,
                             notices *seen, hcbr_error *err) {
    static const char *const input[] = {"-"};
    *seen = (notices){0, 0};
    options->threads = threads;
    options->notify = on_notice;
    options->notify_context = seen;
    FUZZ_CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
    hcbr_status st = hcbr_cases_create(cases, 1, err);
    return st == HCBR_OK ? hcbr_cases_read(*cases, input, 1, options, err) : st;
}

/** What fuzz_check_cases() does not look at. */
static void check_rest(const hcbr_cases *a, const hcbr_cases *b) {
    FUZZ_CHECK(a->skipped == b->skipped && a->rows == b->rows);
    FUZZ_CHECK((a->id_start == NULL) == (b->id_start == NULL) && a->id_bytes == b->id_bytes);
    FUZZ_CHECK((a->group == NULL) == (b->group == NULL));
    for (uint32_t i = 0; i < a->case_count; i++) {
        FUZZ_CHECK((a->row != NULL ? a->row[i] : i + 1u) == (b->row != NULL ? b->row[i] : i + 1u));
        FUZZ_CHECK(a->id_start == NULL || a->id_start[i + 1] == b->id_start[i + 1]);
        FUZZ_CHECK(a->group == NULL || a->group[i] == b->group[i]);
    }
    FUZZ_CHECK(a->id_bytes == 0 || memcmp(a->ids, b->ids, a->id_bytes) == 0);
}

static void choose(hcbr_read_options *o, fuzz_input *in, unsigned *fault) {
    static const hcbr_format formats[] = {HCBR_FORMAT_CSV, HCBR_FORMAT_LIBSVM, HCBR_FORMAT_JSONL,
                                          HCBR_FORMAT_TSV};
    unsigned flags = fuzz_choice(in), sizes = fuzz_choice(in);
    hcbr_read_options_init(o);
    o->format = formats[flags & 3];
    o->bad_rows = flags & 4 ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
    o->no_header = (flags & 8) != 0;
    o->label = o->no_header ? "1" : NULL;
    o->id = !(flags & 16) ? NULL : o->no_header ? "2" : "id";
    o->group = !(flags & 32) ? NULL : o->no_header ? "3" : "group";
    if (flags & 48 && o->format == HCBR_FORMAT_LIBSVM)
        o->id = o->group = NULL;
    hcbr_i_reader_chunk = 1 + (size_t)(sizes & 31) * (sizes & 31);
    hcbr_i_reader_buffer = sizes & 32 ? 3 : 40;
    *fault = fuzz_choice(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    hcbr_read_options options;
    hcbr_cases *one, *three;
    notices seen[2];
    hcbr_error err[2];
    unsigned fault;
    choose(&options, &in, &fault);
    fuzz_give_file(in.at, in.left);
    hcbr_status st = read_with(&one, &options, 1, &seen[0], &err[0]);
    fuzz_arm(fault);
    hcbr_status again = read_with(&three, &options, 3, &seen[1], &err[1]);
    bool failed = fuzz_disarm();
    if (again != HCBR_OK)
        fuzz_check_error(again, &err[1]);
    FUZZ_CHECK(again == st || (failed && (again == HCBR_ENOMEM || again == HCBR_EIO)));
    if (again == st && !(failed && st != HCBR_OK)) {
        fuzz_check_cases(one, three);
        FUZZ_CHECK(seen[0].count == seen[1].count && seen[0].hash == seen[1].hash);
        check_rest(one, three);
        FUZZ_CHECK(st != HCBR_OK || one->bytes == three->bytes); // else some were read ahead
    }
    if (!failed && st != HCBR_OK)
        FUZZ_CHECK(err[0].line == err[1].line && err[0].column == err[1].column &&
                   strcmp(err[0].message, err[1].message) == 0);
    hcbr_cases_free(one);
    hcbr_cases_free(three);
    return 0;
}
