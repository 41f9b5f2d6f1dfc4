/* One line of JSON in, its case as readable text out; shared by the tests of the JSON Lines parser.
 */
#ifndef JSONL_SUPPORT_H
#define JSONL_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/parse.h"

/** A parser with its buffers, as the reader sets it up. */
typedef struct bench {
    hcbr_i_parser p;
    hcbr_read_options copy;
    hcbr_i_arena arena;
    hcbr_i_block block;
    hcbr_error err;
    char *buffer; /**< the line, its '\n' and the padding, exactly */
} bench;

/** The defaults with another label, id and list of keys to ignore. */
static inline hcbr_read_options options_with(const char *label, const char *id,
                                             const char *const *ignore, size_t ignore_count) {
    hcbr_read_options options;
    hcbr_read_options_init(&options);
    options.format = HCBR_FORMAT_JSONL;
    options.label = label;
    options.id = id;
    options.ignore = ignore;
    options.ignore_count = ignore_count;
    return options;
}

static inline hcbr_status bench_init(bench *b, const hcbr_read_options *options, bool labelled) {
    memset(b, 0, sizeof *b);
    hcbr_status st = hcbr_i_parser_init(&b->p, &b->copy, options, labelled, &b->arena, &b->err);
    b->p.file = "rows.jsonl";
    b->p.format = &hcbr_i_format_jsonl;
    b->p.block = &b->block;
    b->p.line = 7;
    return st;
}

static inline void bench_clear(bench *b) {
    hcbr_i_jsonl_free(&b->p);
    hcbr_i_block_clear(&b->block);
    hcbr_i_arena_clear(&b->arena);
    hcbr_i_free(b->p.label_name);
    free(b->buffer);
    memset(b, 0, sizeof *b);
}

/** Parse one row into an empty block. */
static inline hcbr_status bench_row(bench *b, const char *line, size_t length) {
    free(b->buffer);
    b->buffer = malloc(length + 1 + HCBR_I_PAD);
    assert_non_null(b->buffer);
    memcpy(b->buffer, line, length);
    b->buffer[length] = '\n';
    memset(b->buffer + length + 1, '"', HCBR_I_PAD); // tempting, but it means nothing
    hcbr_i_block_reset(&b->block);
    b->p.record = b->buffer;
    b->p.label = b->p.id = (hcbr_i_text){NULL, 0};
    b->p.no_row = false;
    memset(&b->err, 0x55, sizeof b->err);
    return hcbr_i_parse_jsonl(&b->p, b->buffer, b->buffer + length, &b->err);
}

/** Name i of the block; value NULL: a bare key. Short ones are unpacked into text. */
static inline hcbr_feature bench_feature(const bench *b, size_t i, char text[HCBR_I_NAME_TEXT]) {
    hcbr_i_name name = b->block.names[i];
    if (hcbr_i_name_is_long(name)) {
        const hcbr_i_long_name *l = &b->block.longs[name.lo];
        return (hcbr_feature){l->key, l->key_length, l->value, l->value_length};
    }
    hcbr_feature feature;
    bool bare;
    hcbr_i_name_unpack(name, text, &feature.key_length, &bare, &feature.value_length);
    feature.key = text;
    feature.value = bare ? NULL : text + feature.key_length;
    return feature;
}

/**
 * The case as text: "key=value" and "!bare" in their order, then "L:label" and "I:id", each
 * followed by '|'. The caller's to free.
 */
static inline char *bench_text(const bench *b) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < b->block.name_count; i++) {
        char room[HCBR_I_NAME_TEXT];
        hcbr_feature f = bench_feature(b, i, room);
        if (f.value == NULL)
            fputc('!', out);
        fwrite(f.key, 1, f.key_length, out);
        if (f.value != NULL) {
            fputc('=', out);
            fwrite(f.value, 1, f.value_length, out);
        }
        fputc('|', out);
    }
    if (b->p.label.at != NULL)
        fprintf(out, "L:%.*s|", (int)b->p.label.length, b->p.label.at);
    if (b->p.id.at != NULL)
        fprintf(out, "I:%.*s|", (int)b->p.id.length, b->p.id.at);
    fclose(out);
    return text;
}

/** The row must be accepted and give this text. */
static inline void expect_row(bench *b, const char *line, const char *text) {
    if (bench_row(b, line, strlen(line)) != HCBR_OK)
        fail_msg("%s: %s", line, b->err.message);
    char *got = bench_text(b);
    assert_string_equal(got, text);
    free(got);
}

#endif
