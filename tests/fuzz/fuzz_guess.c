/*
 * Files as they come: encoding, dialect, objects over several lines and odd rows are all found.
 *
 * What must hold: the same cases, notes and error come out however few bytes come at a time and
 * however small the buffer is; every label is text; a failure says why; with options.strict what is
 * read is read without a note of a guess.
 */
#include "fuzz.h"

#include "read/read.h"

#define MOST 4096

typedef struct result {
    uint64_t hash, notes, cases, skipped;
    hcbr_status status;
    hcbr_error err;
} result;

static void add(uint64_t *hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001B3);
}

static void on_notice(void *context, hcbr_notice kind, const hcbr_error *where) {
    result *r = context;
    uint64_t one = 7;
    (void)kind;
    FUZZ_CHECK(where->message[0] != 0);
    fuzz_check_text(where->message, strlen(where->message));
    add(&one, where->message, strlen(where->message));
    add(&one, &where->line, sizeof where->line);
    r->notes += one; // their order to cases may differ
}

static void read_all(result *r, const char *path, const fuzz_input *in, hcbr_read_options options,
                     size_t piece, size_t buffer) {
    fuzz_memory m = {in->at, in->left, 0, piece};
    hcbr_i_reader *reader;
    const hcbr_i_block *block;
    *r = (result){.hash = 7};
    options.open = fuzz_memory_open;
    options.open_context = &m;
    options.notify = on_notice;
    options.notify_context = r;
    hcbr_i_reader_buffer = buffer;
    r->status = hcbr_i_reader_create(&reader, &path, 1, &options, true, &r->err);
    FUZZ_CHECK(r->status == HCBR_OK);
    while ((r->status = hcbr_i_reader_next(reader, &block, &r->err)) == HCBR_OK && block != NULL) {
        for (size_t c = 0; c < block->case_count; c++) {
            const hcbr_i_raw_case *x = &block->cases[c];
            FUZZ_CHECK(x->label.at != NULL && x->label.length > 0);
            fuzz_check_text(x->label.at, x->label.length);
            add(&r->hash, &x->row, sizeof x->row);
            add(&r->hash, &x->line, sizeof x->line);
            add(&r->hash, &x->count, sizeof x->count);
            add(&r->hash, x->label.at, x->label.length);
        }
        r->cases += block->case_count;
    }
    r->skipped = hcbr_i_reader_skipped(reader);
    if (r->status != HCBR_OK)
        fuzz_check_error(r->status, &r->err);
    hcbr_i_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = {"input.csv", "input.tsv", "input.json", "input"};
    fuzz_input in = {data, size};
    unsigned kind = fuzz_choice(&in), piece = fuzz_choice(&in), buffer = fuzz_choice(&in);
    result whole, pieces;
    hcbr_read_options options;
    hcbr_read_options_init(&options);
    options.hash_key = 7;
    options.label = kind & 4 ? "1" : NULL;
    options.strict = (kind & 8) != 0;
    if (kind & 16)
        options.bad_rows = HCBR_BAD_ROWS_SKIP;
    if (in.left > MOST)
        in.left = MOST;
    read_all(&whole, paths[kind & 3], &in, options, SIZE_MAX, 1 << 16);
    // A format is told by what the buffer holds of the first line.
    read_all(&pieces, paths[kind & 3], &in, options, 1 + piece, (kind & 3) < 3 ? 3 + buffer : MOST);
    if (whole.status != HCBR_OK && strstr(whole.err.message, "of the compressed data") != NULL)
        return 0; // how much is known of damaged data depends on the pieces
    FUZZ_CHECK(whole.hash == pieces.hash && whole.notes == pieces.notes);
    FUZZ_CHECK(whole.cases == pieces.cases && whole.skipped == pieces.skipped);
    FUZZ_CHECK(whole.status == pieces.status);
    if (whole.status != HCBR_OK)
        FUZZ_CHECK(whole.err.line == pieces.err.line && whole.err.column == pieces.err.column &&
                   strcmp(whole.err.message, pieces.err.message) == 0);
    return 0;
}
