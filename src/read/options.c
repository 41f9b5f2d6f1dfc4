/*
 * Options of reading: the reader's own copy of them.
 *
 * Invariant: after hcbr_i_parser_init() nothing points into the caller's options, except the
 * callbacks and their contexts.
 */
#include "read/parse.h"

const char *const hcbr_i_default_na[HCBR_I_NA_COUNT] = {"", "?", "NA", "NaN", "null"};

/** Copy a list of strings, with their lengths if texts is not NULL. NULL: out of memory. */
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

/** Copy the lists of columns with sets, texts or presence, and join them in p->specials. */
static bool copy_specials(hcbr_i_parser *p, hcbr_read_options *o, hcbr_i_arena *arena) {
    hcbr_i_text *texts, *presence;
    hcbr_split *split = hcbr_i_arena_array(arena, o->split_count, sizeof *split);
    size_t n = 0, count = o->split_count + o->text_count + o->presence_count;

    o->text = copy_list(o->text, o->text_count, arena, &texts);
    o->presence = copy_list(o->presence, o->presence_count, arena, &presence);
    p->specials = hcbr_i_arena_array(arena, count, sizeof *p->specials);
    if (split == NULL || o->text == NULL || o->presence == NULL || p->specials == NULL)
        return false;
    for (size_t i = 0; i < o->split_count; i++) {
        split[i] = o->split[i];
        if (!copy_text(&split[i].column, arena) || !copy_text(&split[i].separator, arena))
            return false;
        p->specials[n++] =
            (hcbr_i_special){.column = {split[i].column, strlen(split[i].column)},
                             .separator = {split[i].separator, strlen(split[i].separator)},
                             .change = HCBR_I_CHANGE_SPLIT};
    }
    o->split = split;
    for (size_t i = 0; i < o->text_count; i++)
        p->specials[n++] = (hcbr_i_special){.column = texts[i], .change = HCBR_I_CHANGE_TEXT};
    for (size_t i = 0; i < o->presence_count; i++)
        p->specials[n++] =
            (hcbr_i_special){.column = presence[i], .change = HCBR_I_CHANGE_PRESENCE};
    p->special_count = count;
    return true;
}

/** The cuts of option bins, if it gives some. */
static bool copy_cuts(hcbr_i_parser *p, const hcbr_read_options *o, hcbr_i_arena *arena) {
    if (o->bins == NULL || !hcbr_i_bins_parse(&p->bins, o->bins, NULL) || p->bins.count == 0)
        return true;
    p->cuts = hcbr_i_arena_array(arena, p->bins.count, sizeof *p->cuts);
    return p->cuts != NULL && hcbr_i_bins_parse(&p->bins, o->bins, p->cuts);
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

void hcbr_i_options_fill(hcbr_read_options *out, const hcbr_read_options *options) {
    hcbr_read_options_init(out);
    if (options)
        *out = *options;
    if (out->ignore == NULL)
        out->ignore_count = 0;
    if (out->split == NULL)
        out->split_count = 0;
    if (out->text == NULL)
        out->text_count = 0;
    if (out->presence == NULL)
        out->presence_count = 0;
    if (out->join == NULL)
        out->join_count = 0;
    if (out->types == NULL)
        out->type_count = 0;
}

hcbr_status hcbr_i_parser_init(hcbr_i_parser *p, hcbr_read_options *copy,
                               const hcbr_read_options *options, bool labelled, hcbr_i_arena *arena,
                               hcbr_error *err) {
    hcbr_i_text *ignore = NULL, *na = NULL;
    hcbr_status st;

    hcbr_i_options_fill(copy, options);
    if ((st = hcbr_i_read_options_check(copy, err)) != HCBR_OK)
        return st;
    copy->types = NULL; // readers do not use them
    copy->type_count = 0;
    if (copy->strict && copy->bad_rows == HCBR_BAD_ROWS_AUTO)
        copy->bad_rows = HCBR_BAD_ROWS_STOP;
    if (copy->na == NULL) {
        copy->na = hcbr_i_default_na;
        copy->na_count = HCBR_I_NA_COUNT;
    }
    copy->ignore = copy_list(copy->ignore, copy->ignore_count, arena, &ignore);
    copy->na = copy_list(copy->na, copy->na_count, arena, &na);
    if (copy->ignore == NULL || copy->na == NULL || !copy_text(&copy->label, arena) ||
        !copy_text(&copy->id, arena) || !copy_text(&copy->group, arena) ||
        !copy_text(&copy->weight, arena) || !copy_text(&copy->outcomes, arena) ||
        !copy_text(&copy->names, arena) || !copy_text(&copy->encoding, arena) ||
        !copy_text(&copy->bins, arena))
        return hcbr_i_no_memory(err);
    *p = (hcbr_i_parser){.options = copy,
                         .format = &hcbr_i_format_auto,
                         .ignore = ignore,
                         .ignore_count = copy->ignore_count,
                         .na = na,
                         .na_count = copy->na_count,
                         .labelled = labelled && copy->outcomes == NULL &&
                                     copy->label_need != HCBR_LABEL_NONE,
                         .unlabelled = labelled && copy->label_need == HCBR_LABEL_NONE,
                         .weighs = labelled && copy->weight != NULL,
                         .grouped = labelled && copy->group != NULL,
                         .apart = copy->outcomes != NULL};
    index_na(p);
    p->met = hcbr_i_arena_array(arena, copy->ignore_count + HCBR_I_METS, sizeof *p->met);
    if (p->met == NULL)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < copy->ignore_count + HCBR_I_METS; i++)
        atomic_init(&p->met[i], false);
    return copy_specials(p, copy, arena) && (labelled || copy_cuts(p, copy, arena))
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_parser_set_format(hcbr_i_parser *p, bool labelled, hcbr_error *err) {
    const hcbr_i_format *format = p->format;
    char names[HCBR_I_FORMAT_NAMES];

    p->label_last = p->blank_rows = false;
    if (format->unnamed && !format->has_values && !(format->has_ids && p->names != NULL) &&
        p->key_count > 0)
        return hcbr_i_fail_at(err, HCBR_EDATA, p->file, 0, 0,
                              "found %s, which has no columns, expected csv, tsv, jsonl or libsvm "
                              "(option join)",
                              format->name);
    if (format->unnamed && p->special_count > 0)
        return hcbr_i_fail_at(err, HCBR_EUSAGE, p->file, 0, 0,
                              "found option %s for %s, which has no columns, expected %s",
                              hcbr_i_change_name(p->specials[0].change), format->name,
                              hcbr_i_format_names(names, true));
    if (format->unnamed && (p->grouped || p->weighs))
        return hcbr_i_fail_at(err, HCBR_EUSAGE, p->file, 0, 0,
                              "%s has no columns, expected %s (option %s)", format->name,
                              hcbr_i_format_names(names, true), p->grouped ? "group" : "weight");
    return format->check != NULL ? format->check(p, labelled, err) : HCBR_OK;
}

/* ---- questions that need no reading -----------------------------------------------------------
 */

int hcbr_read_is_missing(const hcbr_read_options *options, const char *text, size_t length) {
    const char *const *na = options->na != NULL ? options->na : hcbr_i_default_na;
    size_t count = options->na != NULL ? options->na_count : HCBR_I_NA_COUNT;

    for (size_t i = 0; i < count; i++)
        if (strlen(na[i]) == length && memcmp(na[i], text, length) == 0)
            return 1;
    return 0;
}

const char *const *hcbr_read_default_missing(size_t *count) {
    *count = HCBR_I_NA_COUNT;
    return hcbr_i_default_na;
}
