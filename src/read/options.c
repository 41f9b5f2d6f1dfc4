/*
 * Options of reading: their defaults, their check, and the reader's own copy of them.
 *
 * Invariant: after hcbr_i_parser_init() nothing points into what the caller gave, except the two
 * callbacks and their contexts.
 */
#include "read/parse.h"

static const char *const default_na[] = {"", "?", "NA", "NaN", "null"};

#define MAX_LINE ((size_t)64 << 20)
#define MAX_DEPTH 32
#define MAX_EXPAND 200

void hcbr_read_options_init(hcbr_read_options *options) {
    *options = (hcbr_read_options){.size = sizeof *options,
                                   .format = HCBR_FORMAT_AUTO,
                                   .bad_rows = HCBR_BAD_ROWS_STOP,
                                   .max_line = MAX_LINE,
                                   .max_depth = MAX_DEPTH,
                                   .max_expand = MAX_EXPAND,
                                   .ngrams = 1,
                                   .min_count = 1,
                                   .threads = 1};
}

/** Does one text stand for both uses? NULL is none. */
static bool same(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static hcbr_status check_names(const hcbr_read_options *o, hcbr_error *err) {
    char quoted[200];

    if (same(o->label, o->id))
        return hcbr_i_fail(err, HCBR_EUSAGE, "found %s for both --label and --id, expected two",
                           hcbr_i_quote(quoted, o->label, strlen(o->label)));
    if (same(o->group, o->label) || same(o->group, o->id))
        return hcbr_i_fail(err, HCBR_EUSAGE, "found %s for both --%s and --group, expected two",
                           hcbr_i_quote(quoted, o->group, strlen(o->group)),
                           same(o->group, o->label) ? "label" : "id");
    for (size_t i = 0; i < o->ignore_count; i++) {
        const char *name = o->ignore[i];

        if (same(o->label, name) || same(o->id, name) || same(o->group, name))
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "found %s for both --%s and --ignore, expected it in one of them",
                               hcbr_i_quote(quoted, name, strlen(name)),
                               same(o->label, name) ? "label"
                               : same(o->id, name)  ? "id"
                                                    : "group");
    }
    return HCBR_OK;
}

static hcbr_status check(const hcbr_read_options *o, hcbr_error *err) {
    int d = o->delimiter;

    if ((int)o->format < HCBR_FORMAT_AUTO || o->format > HCBR_FORMAT_JSONL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found format %d, expected one of hcbr_format",
                           (int)o->format);
    if (o->bad_rows != HCBR_BAD_ROWS_STOP && o->bad_rows != HCBR_BAD_ROWS_SKIP)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found bad_rows %d, expected stop or skip",
                           (int)o->bad_rows);
    if (d < 0 || d > 126 || d == '"' || d == '\n' || d == '\r')
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found delimiter %d, expected an ASCII character that is no quote, no "
                           "end of line (--delimiter)",
                           d);
    if (o->max_line == 0 || o->max_line > UINT32_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a longest line of %zu bytes, expected 1 to 4294967295 "
                           "(--max-line)",
                           o->max_line);
    if (o->max_depth == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a depth of 0, expected at least 1 (--max-depth)");
    return check_names(o, err);
}

/** Copy a list of strings; with it, if asked, their lengths. NULL: out of memory. */
static const char *const *copy_list(const char *const *list, size_t count, hcbr_i_arena *arena,
                                    hcbr_i_text **texts) {
    size_t pointers = count * sizeof(char *), all;
    char *room;
    const char **copy;

    if (count > SIZE_MAX / 64)
        return NULL;
    // The arena gives unaligned bytes: take a few more and begin at a multiple of 16.
    all = pointers + count * sizeof(hcbr_i_text) + 32;
    room = hcbr_i_arena_take(arena, all);
    if (room == NULL)
        return NULL;
    room += 16 - (uintptr_t)room % 16;
    *texts = (hcbr_i_text *)(void *)room;
    copy = (const char **)(void *)(room + count * sizeof(hcbr_i_text));
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(list[i]);

        copy[i] = hcbr_i_arena_copy(arena, list[i], length);
        if (copy[i] == NULL)
            return NULL;
        (*texts)[i] = (hcbr_i_text){copy[i], length};
    }
    return copy;
}

/** Copy a string that may be absent. false: out of memory. */
static bool copy_text(const char **text, hcbr_i_arena *arena) {
    if (*text != NULL)
        *text = hcbr_i_arena_copy(arena, *text, strlen(*text));
    else
        return true;
    return *text != NULL;
}

static void index_na(hcbr_i_parser *p) {
    memset(p->na_lengths, 0, sizeof p->na_lengths);
    p->na_empty = false;
    for (size_t i = 0; i < p->na_count; i++) {
        size_t length = p->na[i].length;

        if (length == 0)
            p->na_empty = true;
        else
            p->na_lengths[(unsigned char)p->na[i].at[0]] |=
                (uint16_t)(1u << (length < 15 ? length : 15));
    }
}

hcbr_status hcbr_i_parser_init(hcbr_i_parser *p, hcbr_read_options *copy,
                               const hcbr_read_options *options, bool labelled, hcbr_i_arena *arena,
                               hcbr_error *err) {
    hcbr_i_text *ignore = NULL, *na = NULL;
    hcbr_status st;

    hcbr_read_options_init(copy);
    if (options != NULL) {
        // A caller built against a shorter structure leaves the rest at the defaults.
        size_t size = options->size < sizeof *copy ? options->size : sizeof *copy;

        memcpy(copy, options, size);
        copy->size = sizeof *copy;
    }
    if (copy->ignore == NULL)
        copy->ignore_count = 0;
    if ((st = check(copy, err)) != HCBR_OK)
        return st;
    if (copy->na == NULL) {
        copy->na = default_na;
        copy->na_count = sizeof default_na / sizeof *default_na;
    }
    copy->ignore = copy_list(copy->ignore, copy->ignore_count, arena, &ignore);
    copy->na = copy_list(copy->na, copy->na_count, arena, &na);
    if (copy->ignore == NULL || copy->na == NULL || !copy_text(&copy->label, arena) ||
        !copy_text(&copy->id, arena) || !copy_text(&copy->group, arena))
        return hcbr_i_no_memory(err);
    *p = (hcbr_i_parser){.options = copy,
                         .ignore = ignore,
                         .ignore_count = copy->ignore_count,
                         .na = na,
                         .na_count = copy->na_count,
                         .labelled = labelled};
    index_na(p);
    return HCBR_OK;
}
