/*
 * Two sources in one input, joined: the bytes before the first NUL are the data, those after it the
 * source, both opened from memory.
 *
 * What must hold: read in pieces of any size they give the same cases, or the same failure; every
 * name is text; a case's own features are those it has without the join; what is joined has the
 * name of the source, and only a case that has the key gets it.
 */
#include "fuzz.h"

#include "read/read.h"

#include <stdlib.h>

/** What is opened, and how much of it one read gives. */
typedef struct memory {
    const char *bytes;
    size_t size, piece;
} memory;

typedef struct opened {
    const memory *from;
    size_t at;
} opened;

typedef struct plan {
    memory data, source;
    hcbr_format source_format;
    hcbr_read_options options;
    hcbr_join join[2];
    bool labelled;
} plan;

/** Cases as bytes: own names and joined ones apart. */
typedef struct transcript {
    char *own, *joined;
    size_t own_size, own_room, joined_size, joined_room;
    uint64_t cases, with_joined;
    hcbr_status status;
    hcbr_error err;
} transcript;

/* ---- sources in memory ----------------------------------------------------------------------- */

static hcbr_status read_some(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    opened *o = context;
    size_t n = o->from->size - o->at;
    (void)err;
    n = n < room ? n : room;
    n = n < o->from->piece ? n : o->from->piece;
    if (n > 0)
        memcpy(to, o->from->bytes + o->at, n);
    o->at += n;
    *got = n;
    return HCBR_OK;
}

static hcbr_status open_memory(void *context, const char *path, hcbr_input *input,
                               hcbr_error *err) {
    plan *p = context;
    bool data = strcmp(path, "data") == 0;
    opened *o = malloc(sizeof *o);
    (void)err;
    FUZZ_CHECK(o != NULL);
    *o = (opened){data ? &p->data : &p->source, 0};
    *input = (hcbr_input){read_some, free, o, data ? p->options.format : p->source_format};
    return HCBR_OK;
}

static void make_plan(plan *p, fuzz_input *in) {
    static const hcbr_format formats[] = {HCBR_FORMAT_CSV, HCBR_FORMAT_JSONL, HCBR_FORMAT_LIBSVM,
                                          HCBR_FORMAT_TSV};
    static const char *const hidden[] = {"k"}, *const odd[] = {"s.a", "7"};
    static const hcbr_split split = {"s.b", ";"};
    unsigned formats_of = fuzz_choice(in), flags = fuzz_choice(in);
    const uint8_t *end = memchr(in->at, 0, in->left);
    hcbr_read_options_init(&p->options);
    p->options.hash_key = 1;
    p->options.format = formats[formats_of & 3];
    p->source_format = formats[formats_of >> 2 & 3];
    p->options.max_expand = formats_of & 16 ? 1 : 200;
    p->labelled = !(flags & 1);
    p->options.bad_rows = flags & 2 ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
    p->options.id = flags & 4 ? "k" : NULL;
    p->options.ignore = flags & 8 ? hidden : odd;
    p->options.ignore_count = flags & 8 ? (flags & 4 ? 0 : 1) : flags & 16 ? 2 : 0;
    p->options.split = &split;
    p->options.split_count = flags & 32 ? 1 : 0;
    const char *key = p->options.format == HCBR_FORMAT_LIBSVM ? "7" : "k";
    p->join[0] = (hcbr_join){"source", key, "s"};
    p->join[1] = (hcbr_join){"source", key, "the name of another"};
    p->options.join = p->join;
    p->options.open = open_memory;
    p->options.open_context = p;
    p->data = (memory){(const char *)in->at, end != NULL ? (size_t)(end - in->at) : in->left, 0};
    p->source = (memory){"", 0, 0};
    if (end != NULL)
        p->source = (memory){(const char *)end + 1, in->left - p->data.size - 1, 0};
}

/* ---- output ---------------------------------------------------------------------------------- */

static void put(char **bytes, size_t *size, size_t *room, const void *from, size_t n) {
    if (*size + n > *room) {
        *room = (*size + n) * 2;
        *bytes = realloc(*bytes, *room);
        FUZZ_CHECK(*bytes != NULL);
    }
    if (n > 0)
        memcpy(*bytes + *size, from, n);
    *size += n;
}

static void put_name(transcript *t, bool joined, const hcbr_feature *f) {
    char **bytes = joined ? &t->joined : &t->own;
    size_t *size = joined ? &t->joined_size : &t->own_size;
    size_t *room = joined ? &t->joined_room : &t->own_room;
    size_t lengths[2] = {f->key_length, f->value != NULL ? f->value_length : SIZE_MAX};
    put(bytes, size, room, lengths, sizeof lengths);
    put(bytes, size, room, f->key, f->key_length);
    put(bytes, size, room, f->value, f->value != NULL ? f->value_length : 0);
}

static void take_case(transcript *t, const plan *p, const hcbr_i_block *block,
                      const hcbr_i_raw_case *x) {
    const char *key = p->join[0].key;
    bool has_key = x->id.at != NULL || p->options.ignore_count > 0; // or it was taken out
    FUZZ_CHECK(x->joined <= x->count && x->first + x->count <= block->name_count);
    put(&t->own, &t->own_size, &t->own_room, &x->row, sizeof x->row);
    for (size_t i = 0; i < x->count; i++) {
        char text[HCBR_I_NAME_TEXT];
        hcbr_feature f = hcbr_i_block_get(block, x->first + i, text);
        bool joined = i >= x->count - x->joined;
        fuzz_check_text(f.key, f.key_length);
        if (f.value != NULL)
            fuzz_check_text(f.value, f.value_length);
        FUZZ_CHECK(!joined || memcmp(f.key, "s.", 2) == 0 ||
                   memcmp(f.key, "the name of another.", 20) == 0);
        has_key = has_key || (f.key_length == strlen(key) && memcmp(f.key, key, f.key_length) == 0);
        put_name(t, joined, &f);
    }
    FUZZ_CHECK(x->joined == 0 || has_key);
    t->cases++;
    t->with_joined += x->joined > 0;
}

static void run(transcript *t, plan *p, size_t joins, size_t piece) {
    static const char *const path = "data";
    hcbr_i_reader *reader;
    const hcbr_i_block *block = NULL;
    t->own_size = t->joined_size = 0;
    t->cases = t->with_joined = 0;
    p->data.piece = p->source.piece = piece;
    p->options.join_count = joins;
    t->status = hcbr_i_reader_create(&reader, &path, 1, &p->options, p->labelled, &t->err);
    while (t->status == HCBR_OK &&
           (t->status = hcbr_i_reader_next(reader, &block, &t->err)) == HCBR_OK && block != NULL)
        for (size_t i = 0; i < block->case_count; i++)
            take_case(t, p, block, &block->cases[i]);
    if (t->status != HCBR_OK)
        fuzz_check_error(t->status, &t->err);
    hcbr_i_reader_free(reader);
}

static bool same(const char *a, size_t a_size, const char *b, size_t b_size) {
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

static bool is_packed(const transcript *t) {
    return t->status != HCBR_OK && strstr(t->err.message, "compressed") != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static transcript whole, pieces, alone;
    fuzz_input in = {data, size};
    unsigned more = fuzz_choice(&in), fault = fuzz_choice(&in);
    plan p;
    make_plan(&p, &in);
    size_t joins = 1 + (more & 1);
    run(&whole, &p, joins, SIZE_MAX);
    run(&pieces, &p, joins, 1 + (more >> 1) % 7);
    FUZZ_CHECK((whole.status == HCBR_OK) == (pieces.status == HCBR_OK));
    // Where compressed bytes are damaged is seen by the packet, before or after what else is wrong.
    if (!is_packed(&whole) && !is_packed(&pieces)) {
        FUZZ_CHECK(whole.status == pieces.status && whole.cases == pieces.cases);
        FUZZ_CHECK(same(whole.own, whole.own_size, pieces.own, pieces.own_size));
        FUZZ_CHECK(same(whole.joined, whole.joined_size, pieces.joined, pieces.joined_size));
        FUZZ_CHECK(whole.status == HCBR_OK || (strcmp(whole.err.message, pieces.err.message) == 0 &&
                                               whole.err.line == pieces.err.line));
    }
    if (whole.status == HCBR_OK && p.options.ignore_count == 0 && p.options.split_count == 0 &&
        p.options.bad_rows == HCBR_BAD_ROWS_STOP) {
        run(&alone, &p, 0, SIZE_MAX);
        FUZZ_CHECK(alone.status == HCBR_OK && alone.cases == whole.cases);
        FUZZ_CHECK(same(whole.own, whole.own_size, alone.own, alone.own_size));
    }
    fuzz_arm(fault);
    run(&pieces, &p, joins, SIZE_MAX);
    bool failed = fuzz_disarm();
    FUZZ_CHECK(!failed || pieces.status != HCBR_OK);
    FUZZ_CHECK(failed || pieces.status == whole.status);
    return 0;
}
