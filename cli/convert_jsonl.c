/*
 * Cases as JSON Lines that read back as the same cases, whatever they hold.
 *
 * A feature is written under its key if that is unambiguous: `"key":"value"`, or a list for several
 * values in sequence. The others are in the list `features`: bare keys as strings, and as a pair
 * ["key","value"] or ["key"] everything that would be read as something else, such as a key with
 * the name of the label or id, or a value that means missing. Values are always strings, so that 01
 * and 1.0 are not changed. Invariant: a line gives the features in the order of the case.
 */
#include "convert.h"

#include <assert.h>
#include <stdlib.h>

/** Where a feature may be written. */
enum { UNDER_KEY, LISTED, PAIRED };

typedef struct lines {
    conversion *c;
    hcbr_writer *w;
    unsigned char *place; /* of each feature */
    uint32_t *seen;       /* by key: the last case that had it, from 1 */
} lines;

/* Whether the key would have another meaning at the top of a line. */
static bool is_special(const conversion *c, const char *key, size_t length) {
    static const char *const NAMES[] = {"label", "y", "class", "target", "outcome", "features", ""};
    for (size_t i = c->unlabelled ? 5 : 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (convert_same(key, length, NAMES[i]))
            return true;
    return (!c->unlabelled && convert_same(key, length, c->label_name)) ||
           (c->id_name && convert_same(key, length, c->id_name));
}

static unsigned char place_of(const conversion *c, const hcbr_feature *f) {
    if (!f->value)
        return f->key_length == 0 || hcbr_read_is_missing(&c->read, f->key, f->key_length) ? PAIRED
                                                                                           : LISTED;
    return is_special(c, f->key, f->key_length) ||
                   hcbr_read_is_missing(&c->read, f->value, f->value_length)
               ? PAIRED
               : UNDER_KEY;
}

/* Whether the case can be written by keys, with at most one list of the rest, in its order. */
static bool fits_keys(lines *l, const hcbr_case *x, uint32_t serial) {
    const uint32_t *f = x->features;
    bool listed = false;
    assert(l->place && l->seen);
    for (size_t i = 0; i < x->feature_count; i++) {
        bool was_listed = i > 0 && l->place[f[i - 1]] != UNDER_KEY;
        uint32_t key = hcbr_cases_get_key(l->c->cases, f[i]);
        if (l->place[f[i]] != UNDER_KEY) {
            if (listed && !was_listed)
                return false;
            listed = true;
            continue;
        }
        bool same = i > 0 && !was_listed && hcbr_cases_get_key(l->c->cases, f[i - 1]) == key;
        if (!same && l->seen[key] == serial)
            return false;
        l->seen[key] = serial;
    }
    return true;
}

static void write_listed(lines *l, uint32_t number) {
    hcbr_feature f;
    hcbr_cases_get_feature(l->c->cases, number, &f);
    if (l->place[number] == LISTED) {
        HCBR_PUT(l->w, hcbr_item_text(NULL, f.key, f.key_length));
        return;
    }
    HCBR_PUT(l->w, hcbr_item_open(NULL, '['), hcbr_item_text(NULL, f.key, f.key_length));
    if (f.value)
        HCBR_PUT(l->w, hcbr_item_text(NULL, f.value, f.value_length));
    HCBR_PUT(l->w, hcbr_item_close(']'));
}

/* Features from `i` on that share a key, or a list; returns the first that does not. */
static size_t write_run(lines *l, const hcbr_case *x, size_t i) {
    const uint32_t *f = x->features;
    size_t end = i + 1;
    hcbr_feature feature;
    if (l->place[f[i]] != UNDER_KEY) {
        HCBR_PUT(l->w, hcbr_item_open("features", '['));
        for (; i < x->feature_count && l->place[f[i]] != UNDER_KEY; i++)
            write_listed(l, f[i]);
        HCBR_PUT(l->w, hcbr_item_close(']'));
        return i;
    }
    uint32_t key = hcbr_cases_get_key(l->c->cases, f[i]);
    while (end < x->feature_count && l->place[f[end]] == UNDER_KEY &&
           hcbr_cases_get_key(l->c->cases, f[end]) == key)
        end++;
    hcbr_cases_get_feature(l->c->cases, f[i], &feature);
    HCBR_PUT(l->w, hcbr_item_key(feature.key, feature.key_length));
    if (end > i + 1)
        HCBR_PUT(l->w, hcbr_item_open(NULL, '['));
    for (size_t k = i; k < end; k++) {
        hcbr_cases_get_feature(l->c->cases, f[k], &feature);
        HCBR_PUT(l->w, hcbr_item_text(NULL, feature.value, feature.value_length));
    }
    if (end > i + 1)
        HCBR_PUT(l->w, hcbr_item_close(']'));
    return end;
}

static int write_case(lines *l, const hcbr_case *x, uint32_t serial) {
    hcbr_error err = {0};
    const conversion *c = l->c;
    HCBR_PUT(l->w, hcbr_item_open(NULL, '{'));
    if (!c->unlabelled)
        HCBR_PUT(l->w, hcbr_item_key(c->label_name, strlen(c->label_name)),
                 hcbr_item_string(NULL, hcbr_cases_get_label(c->cases, x->label, NULL)));
    if (x->id)
        HCBR_PUT(l->w, hcbr_item_key(c->id_name, strlen(c->id_name)),
                 hcbr_item_text(NULL, x->id, x->id_length));
    if (fits_keys(l, x, serial)) {
        for (size_t i = 0; i < x->feature_count;)
            i = write_run(l, x, i);
    } else {
        HCBR_PUT(l->w, hcbr_item_open("features", '['));
        for (size_t i = 0; i < x->feature_count; i++)
            write_listed(l, x->features[i]);
        HCBR_PUT(l->w, hcbr_item_close(']'));
    }
    return term_written(&l->c->term, c->files[OUT_DATA], hcbr_write_end(l->w, HCBR_JSON, &err),
                        &err);
}

int convert_jsonl(conversion *c) {
    uint32_t features = hcbr_cases_get_info(c->cases).features;
    uint64_t cases = hcbr_cases_count(c->cases);
    lines l = {.c = c};
    l.place = malloc((size_t)features + 1);
    l.seen = calloc((size_t)hcbr_cases_get_info(c->cases).keys + 1, sizeof *l.seen);
    int code = l.place && l.seen ? out_writer(c->files[OUT_DATA], "convert", &l.w)
                                 : say_no_memory("convert");
    for (uint32_t f = 0; code == EXIT_DONE && f < features; f++) {
        hcbr_feature feature;
        hcbr_cases_get_feature(c->cases, f, &feature);
        assert(l.place);
        l.place[f] = place_of(c, &feature);
    }
    for (uint64_t i = 0; code == EXIT_DONE && i < cases && out_good(c->files[OUT_DATA]); i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(c->cases, i, &x);
        code = write_case(&l, &x, (uint32_t)i + 1);
    }
    free(l.place);
    free(l.seen);
    return code;
}
