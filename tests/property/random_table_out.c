/*
 * A random table as a file, csv or jsonl, and as record batches of Arrow.
 */
#include "random_table.h"

#include "faults.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- files ----------------------------------------------------------------------------------- */

static void write_csv_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '\n') {
            fputs("\\n", out);
            continue;
        }
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_json_cell(FILE *out, const table_cell *cell) {
    if (cell->missing)
        fputs("null", out);
    else if (cell->quoted)
        write_json_text(out, cell->text);
    else
        fputs(cell->text, out);
}

static void table_write(const random_table *t, FILE *out) {
    for (int c = 0; c < t->count && !t->jsonl; c++) {
        fputs(c ? "," : "", out);
        write_csv_text(out, t->columns[c].name);
    }
    if (!t->jsonl)
        fputc('\n', out);
    for (int i = 0; i < t->rows; i++) {
        fputs(t->jsonl ? "{" : "", out);
        for (int c = 0; c < t->count; c++) {
            const table_column *x = &t->columns[c];
            fputs(c ? "," : "", out);
            if (!t->jsonl) {
                write_csv_text(out, x->cells[i][0].missing ? "" : x->cells[i][0].text);
                continue;
            }
            write_json_text(out, x->name);
            fputs(x->list ? ":[" : ":", out);
            for (int k = 0; k < (x->list ? x->count[i] : 1); k++) {
                fputs(k ? "," : "", out);
                write_json_cell(out, &x->cells[i][k]);
            }
            fputs(x->list ? "]" : "", out);
        }
        fputs(t->jsonl ? "}\n" : "\n", out);
    }
}

const char *table_file(const random_table *t) {
    const char *path = fault_path(t->jsonl ? "table.jsonl" : "table.csv");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    table_write(t, out);
    assert_int_equal(fclose(out), 0);
    return path;
}

int table_words(void *context, const char *text, size_t length, hcbr_word_fn *add, void *to) {
    const char *end = text + length;
    (void)context;
    while (text < end) {
        const char *blank = memchr(text, ' ', (size_t)(end - text));
        size_t size = (size_t)((blank ? blank : end) - text);
        int result = add(to, text, size);
        if (result)
            return result;
        text += size + 1;
        if (!blank)
            break;
    }
    return 0;
}

/* ---- Arrow ----------------------------------------------------------------------------------- */

static void *block(random_table *t, size_t size) {
    void *at = calloc(1, size ? size : 1);
    assert_non_null(at);
    assert_true(t->block_count < TABLE_BLOCKS);
    t->blocks[t->block_count++] = at;
    return at;
}

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static void describe(random_table *t, const hcbr_memory_column *c, const char *name,
                     struct ArrowSchema *schema, struct ArrowArray *array) {
    static const char *const formats[] = {"n", "g", "f", "e", "c", "s", "i",  "l",  "C", "S",
                                          "I", "L", "",  "b", "u", "U", "vu", "+l", "+L"};
    bool views = c->type == HCBR_MEMORY_UTF8_VIEW;
    bool texts = c->type == HCBR_MEMORY_UTF8 || c->type == HCBR_MEMORY_LARGE_UTF8;
    size_t count = views ? 3 + c->buffer_count : texts ? 3 : 2;
    const void **buffers = block(t, count * sizeof *buffers);
    buffers[0] = c->validity;
    buffers[1] = c->values;
    if (texts)
        buffers[2] = c->text;
    for (size_t b = 0; views && b < c->buffer_count; b++)
        buffers[2 + b] = c->buffers[b];
    if (views)
        buffers[count - 1] = c->buffer_sizes;
    *schema =
        (struct ArrowSchema){.format = formats[c->type], .name = name, .release = release_schema};
    *array = (struct ArrowArray){.length = (int64_t)c->length,
                                 .null_count = c->validity ? -1 : 0,
                                 .offset = (int64_t)c->offset,
                                 .n_buffers = (int64_t)count,
                                 .buffers = buffers,
                                 .release = release_array};
    if (c->dictionary) {
        schema->dictionary = block(t, sizeof *schema);
        array->dictionary = block(t, sizeof *array);
        describe(t, c->dictionary, NULL, schema->dictionary, array->dictionary);
    }
    if (c->items) {
        schema->n_children = array->n_children = 1;
        schema->children = block(t, sizeof *schema->children);
        array->children = block(t, sizeof *array->children);
        schema->children[0] = block(t, sizeof *schema);
        array->children[0] = block(t, sizeof *array);
        describe(t, c->items, "item", schema->children[0], array->children[0]);
    }
}

void table_to_arrow(random_table *t) {
    size_t count = (size_t)t->count;
    t->schema = (struct ArrowSchema){.format = "+s",
                                     .n_children = t->count,
                                     .children = block(t, count * sizeof(void *)),
                                     .release = release_schema};
    t->array = (struct ArrowArray){.length = t->rows,
                                   .n_buffers = 1,
                                   .buffers = block(t, sizeof(void *)),
                                   .n_children = t->count,
                                   .children = block(t, count * sizeof(void *)),
                                   .release = release_array};
    for (int c = 0; c < t->count; c++) {
        t->schema.children[c] = block(t, sizeof t->schema);
        t->array.children[c] = block(t, sizeof t->array);
        describe(t, &t->described[c], t->columns[c].name, t->schema.children[c],
                 t->array.children[c]);
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

static void release_given_schema(struct ArrowSchema *schema) {
    table_stream *s = schema->private_data;
    s->schema_released = true;
    schema->release = NULL;
}

static void release_given_array(struct ArrowArray *array) {
    table_stream *s = array->private_data;
    s->released++;
    array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    table_stream *s = stream->private_data;
    *out = s->table->schema;
    out->release = release_given_schema;
    out->private_data = s;
    s->schema_given = true;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    table_stream *s = stream->private_data;
    int64_t left = s->table->rows - s->at;
    memset(out, 0, sizeof *out);
    if (s->fail_at && s->given + 1 == s->fail_at)
        return EIO;
    if (left == 0)
        return 0;
    *out = s->table->array;
    out->offset = s->at;
    out->length = left < s->step ? left : s->step;
    out->release = release_given_array;
    out->private_data = s;
    s->at += out->length;
    s->given++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "the disk is gone";
}

static void release_stream(struct ArrowArrayStream *stream) {
    stream->release = NULL;
}

void table_stream_init(table_stream *s, const random_table *t, int64_t step) {
    *s = (table_stream){.table = t,
                        .step = step,
                        .stream = {.get_schema = get_schema,
                                   .get_next = get_next,
                                   .get_last_error = get_last_error,
                                   .release = release_stream}};
    s->stream.private_data = s;
}
