/*
 * Blocks of raw cases, and code shared by the parsers of all formats: the place of a mistake,
 * checks of text, missing values and labels.
 *
 * Invariant: a name of at most HCBR_I_SHORT bytes is always packed, so that equal features have
 * equal names, from any file, format or path through a parser.
 */
#include "read/csv.h"
#include "read/encoding.h"

#include <assert.h>
#include <stdio.h>

const char *const hcbr_i_label_names[HCBR_I_LABEL_NAMES] = {"label", "y", "class", "target",
                                                            "outcome"};

void hcbr_i_block_reset(hcbr_i_block *block) {
    block->name_count = 0;
    block->long_count = 0;
    block->case_count = 0;
    block->numeric = block->coded = false;
    block->other_count = 0;
    block->item_count = block->spelled_count = block->own_key_count = block->text_count = 0;
    block->keys = NULL;
    block->key_serial = 0;
    hcbr_i_arena_reset(&block->arena);
}

void hcbr_i_block_clear(hcbr_i_block *block) {
    hcbr_i_free(block->names);
    hcbr_i_free(block->longs);
    hcbr_i_free(block->numbers);
    hcbr_i_free(block->cases);
    hcbr_i_free(block->items);
    hcbr_i_free(block->spelled);
    hcbr_i_free(block->own_keys);
    hcbr_i_free(block->texts);
    hcbr_i_arena_clear(&block->arena);
    memset(block, 0, sizeof *block);
}

hcbr_i_name hcbr_i_name_of_number(uint32_t number) {
    char text[10];
    size_t at = sizeof text;

    for (; number > 0 || at == sizeof text; number /= 10)
        text[--at] = (char)('0' + number % 10);
    return hcbr_i_name_pack(text + at, sizeof text - at, "1", 1);
}

bool hcbr_i_block_spell(hcbr_i_block *to, const hcbr_i_block *from) {
    if (!hcbr_i_grow(&to->names, &to->name_capacity, from->name_count, sizeof *to->names))
        return false;
    for (size_t n = 0; n < from->name_count; n++)
        to->names[n] = hcbr_i_name_of_number(from->numbers[n]);
    to->name_count = from->name_count;
    to->plain_ids = from->plain_ids;
    to->numeric = false;
    return true;
}

bool hcbr_i_block_add(hcbr_i_block *block, const char *key, size_t key_length, const char *value,
                      size_t value_length) {
    assert(value != NULL || value_length == 0);
    assert(key_length <= UINT32_MAX && value_length <= UINT32_MAX);
    if (HCBR_I_UNLIKELY(block->numeric) && !hcbr_i_block_spell(block, block))
        return false;
    if (!hcbr_i_grow(&block->names, &block->name_capacity, block->name_count + 1,
                     sizeof *block->names))
        return false;
    if (key_length + value_length <= HCBR_I_SHORT) {
        block->names[block->name_count++] = hcbr_i_name_pack(key, key_length, value, value_length);
        return true;
    }
    if (!hcbr_i_grow(&block->longs, &block->long_capacity, block->long_count + 1,
                     sizeof *block->longs))
        return false;
    block->longs[block->long_count] =
        (hcbr_i_long_name){key, value, (uint32_t)key_length, (uint32_t)value_length};
    block->names[block->name_count++] =
        (hcbr_i_name){block->long_count++, (uint64_t)HCBR_I_LONG << 56};
    return true;
}

/** Whether the key of a name of the block is in the list of ignored ones. */
static bool is_ignored(const hcbr_i_parser *p, hcbr_i_name name) {
    char text[HCBR_I_NAME_TEXT];
    const char *key = text;
    size_t length, value_length;
    bool bare;

    if (hcbr_i_name_is_long(name)) {
        key = p->block->longs[name.lo].key;
        length = p->block->longs[name.lo].key_length;
    } else {
        hcbr_i_name_unpack(name, text, &length, &bare, &value_length);
    }
    for (size_t i = 0; i < p->ignore_count; i++)
        if (p->ignore[i].length == length && memcmp(p->ignore[i].at, key, length) == 0)
            return !hcbr_i_parser_is_join_key(p, key, length); // joins need their keys first
    return false;
}

void hcbr_i_parser_drop_ignored(hcbr_i_parser *p, size_t first) {
    hcbr_i_block *block = p->block;
    size_t kept = first;

    for (size_t i = first; i < block->name_count; i++)
        if (!is_ignored(p, block->names[i]))
            block->names[kept++] = block->names[i];
    block->name_count = kept;
}

void hcbr_i_parser_clear(hcbr_i_parser *p) {
    hcbr_i_jsonl_free(p);
    hcbr_i_grams_free(p);
    hcbr_i_joined_free(p);
    hcbr_i_values_free(p);
}

void hcbr_i_parser_fork(hcbr_i_parser *out, const hcbr_i_parser *p, hcbr_i_block *block) {
    *out = *p;
    out->block = block;
    out->jsonl = NULL;
    out->grams = NULL;
    out->joined = NULL;
    out->values = NULL;
}

/**
 * The column of a byte in its line, from 1: bytes of UTF-8, or characters of another encoding,
 * which are the bytes of the file if it has one for each.
 */
static uint64_t column_of(const hcbr_i_parser *p, const char *line, const char *at) {
    uint64_t column = 1;

    if (p->source == NULL || hcbr_i_source_encoding(p->source) == NULL)
        return (uint64_t)(at - line) + 1;
    for (; line < at; line++)
        column += ((unsigned char)*line & 0xC0) != 0x80;
    return column;
}

hcbr_status hcbr_i_parser_fail(const hcbr_i_parser *p, const char *at, hcbr_error *err,
                               const char *format, ...) {
    const char *start = p->record, *newline;
    uint64_t line = p->line;
    char message[sizeof err->message];
    va_list args;

    assert(at >= p->record);
    while ((newline = memchr(start, p->joined_lines ? '\r' : '\n', (size_t)(at - start))) != NULL) {
        start = newline + 1;
        line++;
    }
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return hcbr_i_fail_at(err, HCBR_EDATA, p->file, line,
                          column_of(p, start, at) + (start == p->record ? p->before : 0), "%s",
                          message);
}

/** Bytes without a character in the encoding of the file: see hcbr_i_decoder_read(). */
static hcbr_status fail_encoded(const hcbr_i_parser *p, const char *at, const char *encoding,
                                hcbr_error *err) {
    unsigned what = (unsigned char)at[1];

    if (what == HCBR_I_BAD_HALF)
        return hcbr_i_parser_fail(p, at, err, "found half of a character, expected %s", encoding);
    if (what == HCBR_I_BAD_END)
        return hcbr_i_parser_fail(p, at, err, "the file ends within a character of %s", encoding);
    if (what == HCBR_I_BAD_CODE)
        return hcbr_i_parser_fail(p, at, err, "found no character, expected %s", encoding);
    return hcbr_i_parser_fail(p, at, err,
                              "found byte 0x%02x, which is no character of %s (option encoding "
                              "names another)",
                              what, encoding);
}

hcbr_status hcbr_i_parser_check(const hcbr_i_parser *p, const char *text, size_t length,
                                hcbr_error *err) {
    size_t good = hcbr_i_utf8_check(text, length);
    const char *mark = text, *encoding;

    while ((mark = memchr(mark, 0xEF, (size_t)(text + good - mark))) != NULL) {
        if (text + good - mark >= 3 && memcmp(mark, "\xEF\xBB\xBF", 3) == 0)
            return hcbr_i_parser_fail(p, mark, err,
                                      "found a byte order mark, expected one only "
                                      "at the beginning of a file");
        mark++;
    }
    if (good == length)
        return HCBR_OK;
    if (text[good] == '\0')
        return hcbr_i_parser_fail(p, text + good, err, "found a NUL byte, expected text");
    encoding = p->source != NULL ? hcbr_i_source_encoding(p->source) : NULL;
    if (encoding != NULL && (unsigned char)text[good] == 0xFF && good + 1 < length)
        return fail_encoded(p, text + good, encoding, err);
    return hcbr_i_parser_fail(p, text + good, err,
                              "found byte 0x%02x, expected UTF-8 (option encoding names another)",
                              (unsigned)(unsigned char)text[good]);
}

bool hcbr_i_parser_in_na(const hcbr_i_parser *p, const char *text, size_t length) {
    for (size_t i = 0; i < p->na_count; i++)
        if (p->na[i].length == length && memcmp(p->na[i].at, text, length) == 0)
            return true;
    return false;
}

hcbr_status hcbr_i_parser_take_label(hcbr_i_parser *p, const char *at, const char *text,
                                     size_t length, hcbr_error *err) {
    char quoted[200];

    if (length == 0 || (!(p->options->labels_as_they_are & HCBR_LABELS_KEPT) &&
                        hcbr_i_parser_is_na(p, text, length))) {
        p->label = (hcbr_i_text){NULL, 0};
        p->fault = p->labelled ? HCBR_I_FAULT_LABEL : HCBR_I_FAULT_NONE;
        if (p->labelled)
            return hcbr_i_parser_fail(p, at, err, "found %s, which means missing, expected a label",
                                      hcbr_i_quote(quoted, text, length));
        return HCBR_OK;
    }
    p->label = (hcbr_i_text){text, length};
    return HCBR_OK;
}

hcbr_status hcbr_i_parser_take_weight(hcbr_i_parser *p, const char *at, const char *text,
                                      size_t length, hcbr_error *err) {
    char quoted[200];
    double weight;

    if (!p->weighs)
        return HCBR_OK;
    if (!hcbr_number_parse(&weight, text, length) || !(weight >= 0 && weight <= HCBR_I_MOST_WEIGHT))
        return hcbr_i_parser_fail(p, at, err, "found %s, expected a weight, a number from 0 to %g",
                                  hcbr_i_quote(quoted, text, length), HCBR_I_MOST_WEIGHT);
    p->weight = weight;
    return HCBR_OK;
}

bool hcbr_i_parser_bin(const hcbr_i_parser *p, hcbr_i_text *label, hcbr_i_arena *arena) {
    char name[HCBR_I_BIN_NAME];
    double value;

    if (p->cuts == NULL || label->at == NULL ||
        !hcbr_i_bins_value(&p->bins, label->at, label->length, &value))
        return true;
    label->length = hcbr_i_bins_name(p->cuts, p->bins.count,
                                     hcbr_i_bins_find(p->cuts, p->bins.count, value), name);
    label->at = hcbr_i_arena_copy(arena, name, label->length);
    return label->at != NULL;
}

void hcbr_i_parser_unlabel(hcbr_i_parser *p) {
    p->labelled = false;
    p->unlabelled = true;
    hcbr_i_notify(p->options->notify, p->options->notify_context, HCBR_NOTE, p->file, 0, 0,
                  "found no label: every column is a feature (option label names one, option "
                  "no_label says that there is none)");
}

bool hcbr_i_parser_name_label(hcbr_i_parser *p, const char *name, size_t length) {
    if (p->label_name != NULL)
        return true;
    p->label_name = hcbr_i_text_copy(name, length);
    return p->label_name != NULL;
}

/** The block that has name n of a coded one among its own names; *n becomes its place. */
static const hcbr_i_block *decode(const hcbr_i_block *block, size_t *n) {
    uint32_t code = block->numbers[*n];

    *n = code & ~HCBR_I_OTHER;
    return code < HCBR_I_OTHER ? &block->values->names : block;
}

hcbr_feature hcbr_i_block_get(const hcbr_i_block *block, size_t n, char text[HCBR_I_NAME_TEXT]) {
    size_t key_length, value_length;
    hcbr_i_name name;
    bool bare;

    if (block->coded)
        block = decode(block, &n);
    name = block->numeric ? hcbr_i_name_of_number(block->numbers[n]) : block->names[n];

    if (hcbr_i_name_is_long(name)) {
        const hcbr_i_long_name *t = &block->longs[name.lo];

        return (hcbr_feature){t->key, t->key_length, t->value, t->value_length};
    }
    hcbr_i_name_unpack(name, text, &key_length, &bare, &value_length);
    return (hcbr_feature){text, key_length, bare ? NULL : text + key_length, value_length};
}
