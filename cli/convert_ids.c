/*
 * Cases as ids: LIBSVM, or the author's cases with their outcomes; and the names of the ids.
 *
 * The ids of a case ascend, as other programs require, and are still in the order of the case,
 * which a model keeps: ids follow the order of the keys (convert_order.c). If cases contradict each
 * other, there are no such ids. Then ids are assigned by first appearance and written in the order
 * of the case, unless --sorted asks for ascending ones. Labels are unchanged if all are numbers,
 * else label n in the fixed order is n. With its names (docs/INPUT.md) a file reads back as the
 * same cases: features, labels, names of cases.
 */
#include "convert.h"

#include <hcbr/number.h>

#include <assert.h>
#include <stdlib.h>

typedef struct writer {
    conversion *c;
    uint32_t *id_of; /* by feature: its id - 1 */
    uint32_t *with;  /* the opposite */
    uint32_t *ids;   /* of the current case */
    size_t room;
    bool sort;     /* ids ascend only if they are sorted */
    bool numbered; /* labels are */
} writer;

/* ---- ids ------------------------------------------------------------------------------------- */

/* Ids by the place of the key, features of a key by first appearance. */
static void number_by_keys(writer *w, const uint32_t *keys, uint32_t *next) {
    const hcbr_cases *cases = w->c->cases;
    const hcbr_cases_info all = hcbr_cases_get_info(cases);
    const uint32_t features = all.features, key_count = all.keys;
    memset(next, 0, ((size_t)key_count + 1) * sizeof *next);
    for (uint32_t f = 0; f < features; f++)
        next[hcbr_cases_get_key(cases, f)]++;
    uint32_t first = 0;
    for (uint32_t k = 0; k < key_count; k++) {
        uint32_t count = next[keys[k]];
        next[keys[k]] = first;
        first += count;
    }
    for (uint32_t f = 0; f < features; f++)
        w->id_of[f] = next[hcbr_cases_get_key(cases, f)]++;
}

/* Whether the ids of every case ascend in its order. */
static bool all_ascend(const writer *w) {
    uint64_t cases = hcbr_cases_count(w->c->cases);
    for (uint64_t i = 0; i < cases; i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(w->c->cases, i, &x);
        for (size_t f = 1; f < x.feature_count; f++)
            if (w->id_of[x.features[f - 1]] > w->id_of[x.features[f]])
                return false;
    }
    return true;
}

static int give_ids(writer *w) {
    const hcbr_cases_info all = hcbr_cases_get_info(w->c->cases);
    const uint32_t features = all.features;
    const size_t keys = (size_t)all.keys + 1;
    uint32_t *order = calloc(keys, sizeof *order), *next = calloc(keys, sizeof *next);
    bool good = false;
    w->id_of = calloc((size_t)features + 1, sizeof *w->id_of);
    w->with = calloc((size_t)features + 1, sizeof *w->with);
    int code = order && next && w->id_of && w->with ? convert_order(w->c, order, &good)
                                                    : say_no_memory("convert");
    if (code == EXIT_DONE) {
        assert(order && next && w->id_of && w->with);
        number_by_keys(w, order, next);
        good = good && all_ascend(w);
        for (uint32_t f = 0; f < features; f++) {
            if (!good)
                w->id_of[f] = f;
            w->with[w->id_of[f]] = f;
        }
        w->sort = !good && args_has(w->c->given, "sorted");
        w->c->unsorted = !good && !w->sort;
        w->c->other_order = w->sort;
    }
    free(order);
    free(next);
    return code;
}

static int compare_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The ids of a case in the order to write; NULL: out of memory. */
static const uint32_t *ids_of(writer *w, const hcbr_case *x) {
    if (x->feature_count + 1 > w->room) {
        size_t room = 2 * x->feature_count + 16;
        uint32_t *ids = realloc(w->ids, room * sizeof *ids);
        if (!ids)
            return NULL;
        w->ids = ids;
        w->room = room;
    }
    assert(w->ids && w->id_of);
    for (size_t i = 0; i < x->feature_count; i++)
        w->ids[i] = w->id_of[x->features[i]];
    if (w->sort)
        qsort(w->ids, x->feature_count, sizeof *w->ids, compare_ids);
    return w->ids;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Whether every label can be written unchanged. */
static bool all_numbers(const hcbr_cases *cases) {
    uint32_t labels = hcbr_cases_get_info(cases).labels;
    for (uint32_t l = 0; l < labels; l++) {
        const char *label = hcbr_cases_get_label(cases, (hcbr_label)l, NULL);
        double value;
        if (!hcbr_number_parse(&value, label, strlen(label)))
            return false;
    }
    return true;
}

static void write_label(const writer *w, out *o, hcbr_label label) {
    if (w->numbered)
        out_u64(o, (uint64_t)label);
    else
        out_string(o, hcbr_cases_get_label(w->c->cases, label, NULL));
}

static int write_case(writer *w, const hcbr_case *x) {
    out *o = w->c->files[OUT_DATA];
    bool libsvm = !w->c->to->outcomes;
    const uint32_t *ids = ids_of(w, x);
    if (!ids)
        return say_no_memory("convert");
    if (libsvm)
        write_label(w, o, x->label);
    for (size_t i = 0; i < x->feature_count; i++) {
        if (libsvm || i > 0)
            out_byte(o, ' ');
        out_u64(o, (uint64_t)ids[i] + 1);
        if (libsvm)
            out_bytes(o, ":1", 2);
    }
    out_row(o);
    if (!libsvm) {
        write_label(w, w->c->files[OUT_OUTCOMES], x->label);
        out_row(w->c->files[OUT_OUTCOMES]);
    }
    return EXIT_DONE;
}

static void write_name(out *o, const char *kind, uint64_t number, const char *text, size_t length) {
    out_string(o, kind);
    out_byte(o, '\t');
    out_u64(o, number);
    out_byte(o, '\t');
    out_text(o, text, length);
}

static void write_names(const writer *w) {
    const hcbr_cases *cases = w->c->cases;
    out *o = w->c->files[OUT_NAMES];
    uint64_t count = hcbr_cases_count(cases);
    const hcbr_cases_info all = hcbr_cases_get_info(cases);
    const uint32_t labels = all.labels, features = all.features;
    out_string(o, "label_name\t");
    out_text(o, w->c->label_name, strlen(w->c->label_name));
    out_row(o);
    if (all.kinds)
        out_string(o, "table\n");
    for (uint32_t l = 0; w->numbered && l < labels; l++) {
        const char *label = hcbr_cases_get_label(cases, (hcbr_label)l, NULL);
        write_name(o, "label", l, label, strlen(label));
        out_row(o);
    }
    for (uint32_t n = 0; n < features && out_good(o); n++) {
        hcbr_feature f;
        hcbr_cases_get_feature(cases, w->with[n], &f);
        write_name(o, "feature", (uint64_t)n + 1, f.key, f.key_length);
        if (f.value) {
            out_byte(o, '\t');
            out_text(o, f.value, f.value_length);
        }
        out_row(o);
    }
    for (uint64_t i = 0; w->c->id_name && i < count && out_good(o); i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(cases, i, &x);
        if (!x.id)
            continue;
        write_name(o, "case", i + 1, x.id, x.id_length);
        out_row(o);
    }
}

int convert_ids(conversion *c) {
    writer w = {.c = c, .numbered = !all_numbers(c->cases)};
    uint64_t cases = hcbr_cases_count(c->cases);
    int code = give_ids(&w);
    for (uint64_t i = 0; code == EXIT_DONE && i < cases && out_good(c->files[OUT_DATA]); i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(c->cases, i, &x);
        code = write_case(&w, &x);
    }
    if (code == EXIT_DONE)
        write_names(&w);
    free(w.id_of);
    free(w.with);
    free(w.ids);
    return code;
}
