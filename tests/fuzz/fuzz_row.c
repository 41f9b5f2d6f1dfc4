/*
 * Rows as they stood in the data, of cases that are decided: csv, tsv and JSON Lines as they come.
 *
 * What must hold: a row is given for every case, or never; it is the same however few bytes come
 * at a time and however small the buffer is, and when it is asked for twice; the columns of a table
 * are the same in all rows of it; names and texts are text; a value of JSON is where no text is, or
 * spells it; a failure of memory is reported, and the case is decided all the same.
 */
#include "fuzz.h"

#include "read/read.h"

#define MOST 4096

typedef struct result {
    uint64_t hash, rows, refused;
    hcbr_status status;
} result;

static void add(uint64_t *hash, const char *text, size_t length) {
    *hash = (*hash ^ (text == NULL ? UINT64_MAX : length)) * UINT64_C(0x100000001B3);
    for (size_t i = 0; text != NULL && i < length; i++)
        *hash = (*hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
}

/** A model that knows next to nothing. */
static hcbr_model *make_model(void) {
    static const char bytes[] = "label,a,b\nx,1,red\ny,2,blue\n";
    fuzz_memory m = {(const uint8_t *)bytes, sizeof bytes - 1, 0, SIZE_MAX};
    const char *path = "input.csv";
    hcbr_read_options read;
    hcbr_train_options o;
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_read_options_init(&read);
    read.open = fuzz_memory_open;
    read.open_context = &m;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    FUZZ_CHECK(hcbr_cases_create(&cases, 0, NULL) == HCBR_OK);
    FUZZ_CHECK(hcbr_cases_read(cases, &path, 1, &read, NULL) == HCBR_OK);
    FUZZ_CHECK(hcbr_cases_finish(cases, NULL) == HCBR_OK);
    FUZZ_CHECK(hcbr_model_train(&model, cases, &o, NULL) == HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static uint64_t hash_row(const hcbr_field *fields, size_t count) {
    uint64_t hash = 7;
    for (size_t f = 0; f < count; f++) {
        fuzz_check_text(fields[f].name, fields[f].name_length);
        if (fields[f].text != NULL)
            fuzz_check_text(fields[f].text, fields[f].text_length);
        if (fields[f].json != NULL)
            fuzz_check_text(fields[f].json, fields[f].json_length);
        FUZZ_CHECK(fields[f].json == NULL || fields[f].json_length > 0);
        add(&hash, fields[f].name, fields[f].name_length);
        add(&hash, fields[f].text, fields[f].text_length);
        add(&hash, fields[f].json, fields[f].json_length);
    }
    return hash;
}

/** The row of the case decided last. */
static void take_row(result *r, hcbr_stream *stream, unsigned fault) {
    const hcbr_field *fields = NULL;
    size_t count = 0, again = 0;
    hcbr_error err;
    fuzz_arm(fault);
    hcbr_status st = hcbr_stream_get_fields(stream, &fields, &count, &err);
    bool failed = fuzz_disarm();
    if (failed && st != HCBR_OK)
        FUZZ_CHECK(st == HCBR_ENOMEM && fields == NULL && count == 0);
    else if (st != HCBR_OK)
        FUZZ_CHECK(st == HCBR_EUSAGE && fields == NULL && count == 0);
    if (st != HCBR_OK)
        fuzz_check_error(st, &err);
    uint64_t hash = st == HCBR_OK ? hash_row(fields, count) : 0;
    st = hcbr_stream_get_fields(stream, &fields, &again, &err);
    r->refused += st != HCBR_OK;
    r->rows += st == HCBR_OK;
    if (st == HCBR_OK) {
        FUZZ_CHECK(hash == 0 || (count == again && hash == hash_row(fields, again)));
        r->hash = r->hash * 31 + hash_row(fields, again);
    }
}

static void decide_all(result *r, const hcbr_model *model, const char *path, const fuzz_input *in,
                       hcbr_read_options options, size_t piece, size_t buffer, unsigned fault) {
    fuzz_memory m = {in->at, in->left, 0, piece};
    hcbr_decider *decider;
    hcbr_stream *stream = NULL;
    hcbr_error err;
    int more = 1;
    *r = (result){.hash = 7};
    options.open = fuzz_memory_open;
    options.open_context = &m;
    hcbr_i_reader_buffer = buffer;
    FUZZ_CHECK(hcbr_decider_create(&decider, model, NULL, NULL) == HCBR_OK);
    FUZZ_CHECK(hcbr_stream_create(&stream, decider, &path, 1, &options, &err) == HCBR_OK);
    while (more) {
        hcbr_decision d = {.size = sizeof d};
        if ((r->status = hcbr_stream_next(stream, &d, &more, &err)) != HCBR_OK) {
            fuzz_check_error(r->status, &err);
            break;
        }
        if (more)
            take_row(r, stream, fault);
    }
    FUZZ_CHECK(r->rows == 0 || r->refused == 0);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = {"input.csv", "input.tsv", "input.jsonl", "input.json"};
    static hcbr_model *model;
    fuzz_input in = {data, size};
    unsigned kind = fuzz_choice(&in), fault = fuzz_choice(&in) & 31, piece = fuzz_choice(&in);
    result whole, pieces;
    hcbr_read_options options;
    if (model == NULL)
        model = make_model();
    hcbr_read_options_init(&options);
    options.hash_key = 7;
    options.strict = (kind & 4) != 0;
    if (kind & 8)
        options.bad_rows = HCBR_BAD_ROWS_SKIP;
    options.id = kind & 16 ? "b" : NULL;
    if (in.left > MOST)
        in.left = MOST;
    decide_all(&whole, model, paths[kind & 3], &in, options, SIZE_MAX, 1 << 16, fault);
    decide_all(&pieces, model, paths[kind & 3], &in, options, 1 + piece, 3 + piece, 0);
    if (whole.status == HCBR_OK || pieces.status == HCBR_OK)
        FUZZ_CHECK(whole.status == pieces.status && whole.rows == pieces.rows &&
                   whole.refused == pieces.refused && whole.hash == pieces.hash);
    return 0;
}
