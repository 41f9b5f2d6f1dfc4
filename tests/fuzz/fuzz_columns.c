/*
 * Tables in memory: descriptions of columns, record batches and matrices whose buffers have exactly
 * the size that is declared, so that a sanitizer sees the first byte read beyond them. What is in
 * them, and how they are described, comes from the input.
 *
 * What must hold: a failure says why and adds nothing; otherwise every row was counted, and the
 * same call adds the same again.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 5
#define MOST_ROWS 20
#define MOST_BLOCKS 256

/** Memory of one input. */
typedef struct memory {
    fuzz_input *in;
    void *blocks[MOST_BLOCKS];
    size_t count;
} memory;

static void *take(memory *m, size_t size) {
    FUZZ_CHECK(m->count < MOST_BLOCKS);
    void *block = calloc(1, size ? size : 1);
    FUZZ_CHECK(block != NULL);
    if (size == 0) { // a sanitizer sees that nothing of it is read
        free(block);
        block = malloc(0);
        FUZZ_CHECK(block != NULL);
    }
    return m->blocks[m->count++] = block;
}

/** So many bytes of the input; zeros behind its end. */
static void *fill(memory *m, size_t size) {
    unsigned char *block = take(m, size);
    size_t used = size < m->in->left ? size : m->in->left;
    if (used > 0)
        memcpy(block, m->in->at, used);
    m->in->at += used;
    m->in->left -= used;
    return block;
}

/** Offsets that rise for the most part: a byte of the input for each, of which some mean harm. */
static void *fill_offsets(memory *m, size_t count, bool large, int64_t *last) {
    unsigned char *block = take(m, count * (large ? 8 : 4));
    int64_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned step = fuzz_byte(m->in);
        offset = step == 0xFF   ? INT32_MAX
                 : step == 0xFE ? -1
                 : step == 0xFD ? offset - 1
                                : offset + (step & 7);
        int32_t small = (int32_t)offset;
        memcpy(block + i * (large ? 8 : 4), large ? (void *)&offset : (void *)&small,
               large ? 8 : 4);
    }
    *last = offset;
    return block;
}

static const size_t widths[] = {0, 8, 4, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1};

/** A column without its name. `inner`: it is inside of another one. */
static void describe(memory *m, hcbr_memory_column *c, uint64_t length, bool inner, bool arrow) {
    unsigned type = fuzz_choice(m->in), flags = fuzz_choice(m->in);
    int64_t last = 0;
    *c = (hcbr_memory_column){.size = sizeof *c,
                              .type = (hcbr_memory_type)(type % 20),
                              .length = length,
                              .offset = flags & 1 ? fuzz_choice(m->in) % 5 : 0};
    size_t count = (size_t)(c->offset + length);
    if (c->type == 19) // an invalid type, or one of Arrow alone
        c->type = arrow ? HCBR_MEMORY_I64 : (hcbr_memory_type)19;
    if (flags & 2)
        c->validity = fill(m, (count + 7) / 8);
    if (c->type >= HCBR_MEMORY_F64 && c->type <= HCBR_MEMORY_BOOL) {
        size_t stride = widths[c->type] + (flags & 4 && !arrow ? 3 : 0);
        c->stride = stride > widths[c->type] || flags & 8 ? (int64_t)stride : 0;
        c->values = fill(m, count ? (count - 1) * stride + widths[c->type] : 0);
    } else if (c->type == HCBR_MEMORY_BITS) {
        c->values = fill(m, (count + 7) / 8);
    } else if (c->type == HCBR_MEMORY_UTF8_VIEW) {
        int64_t *sizes = take(m, 2 * sizeof *sizes);
        const void **buffers = take(m, 2 * sizeof *buffers);
        c->values = fill(m, count * 16);
        for (int b = 0; b < 2; b++) {
            sizes[b] = fuzz_choice(m->in);
            buffers[b] = fill(m, (size_t)sizes[b]);
        }
        c->buffers = buffers;
        c->buffer_sizes = sizes;
        c->buffer_count = 2;
    } else if (c->type != HCBR_MEMORY_NULL) {
        bool large = c->type == HCBR_MEMORY_LARGE_UTF8 || c->type == HCBR_MEMORY_LARGE_LIST;
        c->values = fill_offsets(m, count + 1, large, &last);
        // Arrow does not say how much text there is: it must be as much as the last offset says.
        c->text_size = arrow ? (last > 0 && last < 4096 ? (uint64_t)last : 0) : flags * 4;
        c->text = arrow && last >= 4096 ? NULL : fill(m, (size_t)c->text_size);
    }
    if (!inner && flags & 16) {
        hcbr_memory_column *values = take(m, sizeof *values);
        describe(m, values, fuzz_choice(m->in) % 8, true, arrow);
        c->dictionary = values;
    }
    if (!inner && (c->type == HCBR_MEMORY_LIST || c->type == HCBR_MEMORY_LARGE_LIST)) {
        hcbr_memory_column *items = take(m, sizeof *items);
        describe(m, items, fuzz_choice(m->in), flags & 32, arrow);
        c->items = items;
    }
}

/* ---- Arrow ----------------------------------------------------------------------------------- */

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

/** The same column for Arrow, with its own formats for integers of 32 and 64 bits. */
static void to_arrow(memory *m, const hcbr_memory_column *c, const char *name,
                     struct ArrowSchema *schema, struct ArrowArray *array) {
    static const char *const formats[] = {"n", "g", "f", "e", "c", "s", "i",  "l",  "C", "S",
                                          "I", "L", "C", "b", "u", "U", "vu", "+l", "+L"};
    static const char *const wide[] = {"l",   "tdm",       "tss:", "tsn:UTC", "ttu",       "ttn",
                                       "tDs", "d:18,4,64", "d:3",  "tsx:",    "d:18,-3,64"};
    static const char *const narrow[] = {"i", "tdD", "tts", "ttm", "d:9,2,32"};
    unsigned choice = fuzz_choice(m->in);
    bool views = c->type == HCBR_MEMORY_UTF8_VIEW;
    bool texts = c->type == HCBR_MEMORY_UTF8 || c->type == HCBR_MEMORY_LARGE_UTF8;
    size_t count = c->type == HCBR_MEMORY_NULL ? 0 : views ? 5 : texts ? 3 : 2;
    const void **buffers = take(m, count * sizeof *buffers);
    const void *all[5] = {c->validity, c->values,
                          texts   ? c->text
                          : views ? c->buffers[0]
                                  : NULL,
                          views ? c->buffers[1] : NULL, c->buffer_sizes};
    if (count > 0)
        memcpy(buffers, all, count * sizeof *buffers);
    *schema = (struct ArrowSchema){.format = c->type == HCBR_MEMORY_I64   ? wide[choice % 11]
                                             : c->type == HCBR_MEMORY_I32 ? narrow[choice % 5]
                                                                          : formats[c->type],
                                   .name = name,
                                   .release = release_schema};
    *array = (struct ArrowArray){.length = (int64_t)c->length,
                                 .null_count = c->validity ? -1 : 0,
                                 .offset = (int64_t)c->offset,
                                 .n_buffers = (int64_t)count,
                                 .buffers = buffers,
                                 .release = choice == 63 ? NULL : release_array};
    if (choice == 62)
        array->n_buffers--;
    if (c->dictionary) {
        schema->dictionary = take(m, sizeof *schema);
        array->dictionary = choice == 61 ? NULL : take(m, sizeof *array);
        if (array->dictionary)
            to_arrow(m, c->dictionary, NULL, schema->dictionary, array->dictionary);
    }
    if (c->items) {
        schema->n_children = array->n_children = choice == 60 ? 0 : 1;
        schema->children = take(m, sizeof *schema->children);
        array->children = take(m, sizeof *array->children);
        schema->children[0] = take(m, sizeof *schema);
        array->children[0] = take(m, sizeof *array);
        to_arrow(m, c->items, "item", schema->children[0], array->children[0]);
    }
}

static hcbr_status add_arrow(memory *m, hcbr_cases *cases, const hcbr_memory_column *columns,
                             size_t count, uint64_t rows, const hcbr_read_options *options,
                             hcbr_error *err) {
    struct ArrowSchema schema = {.format = "+s", .release = release_schema};
    struct ArrowArray array = {.length = (int64_t)rows, .release = release_array};
    unsigned cut = fuzz_choice(m->in);
    schema.n_children = array.n_children = (int64_t)count;
    schema.children = take(m, count * sizeof *schema.children);
    array.children = take(m, count * sizeof *array.children);
    for (size_t i = 0; i < count; i++) {
        schema.children[i] = take(m, sizeof schema);
        array.children[i] = take(m, sizeof array);
        to_arrow(m, &columns[i], columns[i].name, schema.children[i], array.children[i]);
    }
    array.offset = cut % 4;
    array.length -= array.offset;
    return hcbr_cases_add_arrow(cases, &schema, &array, options, err);
}

/* ---- matrices -------------------------------------------------------------------------------- */

static void describe_sparse(memory *m, hcbr_sparse *s, uint64_t rows) {
    unsigned flags = fuzz_choice(m->in);
    int64_t last;
    *s = (hcbr_sparse){.size = sizeof *s,
                       .rows = rows,
                       .columns = fuzz_choice(m->in),
                       .start_type = flags & 1 ? HCBR_MEMORY_I32 : HCBR_MEMORY_I64,
                       .index_type = flags & 2 ? HCBR_MEMORY_I32 : HCBR_MEMORY_I64,
                       .value_type = flags & 4 ? HCBR_MEMORY_F32 : HCBR_MEMORY_F64,
                       .count = fuzz_choice(m->in),
                       .first = flags & 8 ? 1 : 0};
    s->starts = fill_offsets(m, (size_t)rows + 1, !(flags & 1), &last);
    s->indices = fill(m, (size_t)s->count * (flags & 2 ? 4 : 8));
    s->values = flags & 16 ? NULL : fill(m, (size_t)s->count * (flags & 4 ? 4 : 8));
}

/* ---- one input ------------------------------------------------------------------------------- */

static void choose(hcbr_read_options *o, fuzz_input *in, unsigned flags) {
    static const char *const named[] = {"b"}, *const missing[] = {"1", "x", ""};
    static const hcbr_split split[] = {{"b", "|"}};
    hcbr_read_options_init(o);
    o->labels_as_they_are = 1; // any numbers may be labels here
    o->hash_key = 1;
    o->label = "a";
    o->bad_rows = flags & 1 ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
    o->max_line = flags & 2 ? 3 : o->max_line;
    switch (fuzz_choice(in) % 9) {
    case 1:
        o->ignore = named;
        o->ignore_count = 1;
        break;
    case 2:
        o->text = named;
        o->text_count = 1;
        break;
    case 3:
        o->presence = named;
        o->presence_count = 1;
        break;
    case 4:
        o->split = split;
        o->split_count = 1;
        break;
    case 5:
        o->id = "b";
        break;
    case 6:
        o->group = "b";
        break;
    case 7:
        o->weight = "b";
        break;
    default:
        break;
    }
    if (flags & 4) {
        o->na = missing;
        o->na_count = 3;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a", "b", "c", "", "\xC3\xA9"};
    fuzz_input in = {data, size};
    memory m = {.in = &in};
    hcbr_memory_column columns[MOST_COLUMNS];
    hcbr_sparse matrix;
    hcbr_read_options options;
    hcbr_error err;
    hcbr_cases *cases = NULL;
    unsigned flags = fuzz_choice(&in), fault = fuzz_choice(&in), way = flags >> 4;
    size_t count = 1 + fuzz_choice(&in) % MOST_COLUMNS;
    uint64_t rows = fuzz_choice(&in) % MOST_ROWS;
    choose(&options, &in, flags);
    for (size_t i = 0; i < count; i++) {
        describe(&m, &columns[i], rows, false, way == 1);
        columns[i].name = names[i];
    }
    if (way == 2)
        describe_sparse(&m, &matrix, rows);
    FUZZ_CHECK_OK(hcbr_cases_create(&cases, 1, &err), err);
    if (fault < 32)
        fuzz_arm(fault);
    hcbr_status st = way == 1 ? add_arrow(&m, cases, columns, count, rows, &options, &err)
                     : way == 2
                         ? hcbr_cases_add_sparse(cases, &matrix, columns, count, &options, &err)
                         : hcbr_cases_add_columns(cases, columns, count, &options, &err);
    bool failed = fuzz_disarm();
    if (st != HCBR_OK) {
        fuzz_check_error(st, &err);
        FUZZ_CHECK(st == HCBR_EDATA || st == HCBR_EUSAGE || (failed && st == HCBR_ENOMEM));
        FUZZ_CHECK(hcbr_cases_count(cases) == 0 && hcbr_cases_get_info(cases).rows == 0 &&
                   hcbr_cases_get_info(cases).features == 0 &&
                   hcbr_cases_get_info(cases).labels == 0);
    } else {
        FUZZ_CHECK(hcbr_cases_get_info(cases).rows <= rows);
        FUZZ_CHECK(way == 1 || hcbr_cases_get_info(cases).rows == rows);
        FUZZ_CHECK(hcbr_cases_count(cases) + hcbr_cases_get_info(cases).skipped <=
                   hcbr_cases_get_info(cases).rows);
        uint64_t added = hcbr_cases_count(cases);
        if (way == 0) {
            FUZZ_CHECK_OK(hcbr_cases_add_columns(cases, columns, count, &options, &err), err);
            FUZZ_CHECK(hcbr_cases_count(cases) == 2 * added);
        }
        if (added > 0)
            FUZZ_CHECK_OK(hcbr_cases_finish(cases, &err), err);
    }
    hcbr_cases_free(cases);
    while (m.count > 0)
        free(m.blocks[--m.count]);
    return 0;
}
