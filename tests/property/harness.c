/*
 * Random case bases and the way from bits to the public API.
 *
 * Invariant: everything follows from the seed, so that a printed seed repeats a failure.
 */
#include "harness.h"
#include "add_case.h"
#include "rounds.h"
#include "row_of.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t harness_next(harness_random *r) {
    uint64_t x = r->state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

int harness_below(harness_random *r, int n) {
    return (int)((harness_next(r) >> 32) * (uint64_t)n >> 32);
}

void harness_permute(harness_random *r, int *order, int n) {
    for (int i = 0; i < n; i++) {
        int j = harness_below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

void harness_compress(oracle_base *base) {
    int map[ORACLE_LABELS];
    bool used[ORACLE_LABELS] = {false};
    for (int i = 0; i < base->cases; i++)
        used[base->label[i]] = true;
    base->labels = 0;
    for (int l = 0; l < ORACLE_LABELS; l++)
        map[l] = used[l] ? base->labels++ : -1;
    for (int i = 0; i < base->cases; i++)
        base->label[i] = map[base->label[i]];
}

void harness_draw(oracle_base *base, harness_random *r, harness_shape shape) {
    bool exact = shape.exact;
    base->features = exact ? shape.features : 1 + harness_below(r, shape.features);
    base->cases = exact ? shape.cases : 1 + harness_below(r, shape.cases);
    int labels = exact ? shape.labels : 1 + harness_below(r, shape.labels);
    int density = 1 + harness_below(r, 7); /* of 8 */
    int copied = harness_below(r, 3);      /* of 8: cases that repeat an earlier one */
    int twins = harness_below(r, 4);       /* of 8: features that follow another one */
    for (int i = 0; i < base->cases; i++) {
        uint64_t set = 0;
        for (int f = 0; f < base->features; f++)
            if (harness_below(r, 8) < density)
                set |= (uint64_t)1 << f;
        if (i > 0 && harness_below(r, 8) < copied)
            set = base->set[harness_below(r, i)];
        base->set[i] = harness_below(r, 16) == 0 ? 0 : set;
        base->label[i] = harness_below(r, labels);
    }
    for (int f = 1; f < base->features; f++) {
        if (harness_below(r, 8) >= twins)
            continue;
        int g = harness_below(r, f);
        for (int i = 0; i < base->cases; i++)
            base->set[i] = (base->set[i] & ~((uint64_t)1 << f)) | (base->set[i] >> g & 1) << f;
    }
    harness_compress(base);
}

void harness_print(const oracle_base *base) {
    print_message("%d features, %d cases, %d labels\n", base->features, base->cases, base->labels);
    for (int i = 0; i < base->cases && i < 40; i++) {
        print_message("  case %d label %d {", i, base->label[i]);
        for (int f = 0; f < base->features; f++)
            if (base->set[i] >> f & 1)
                print_message(" %d", f);
        print_message(" }\n");
    }
}

/* ---- names ---------------------------------------------------------------------------------- */

#define ALL_NAMES (ORACLE_FEATURES + HARNESS_UNSEEN)

/* Writes one name; a value that begins with NUL and a bare key are told apart by the result. */
static bool write_name(int names, int feature, char key[48], char value[48]) {
    value[0] = '\0';
    switch (names) {
    case 0: /* short bare keys */
        snprintf(key, 48, "f%d", feature);
        return true;
    case 1: /* few keys with many short values */
        snprintf(key, 48, "c%d", feature % 5);
        snprintf(value, 48, "%d", 900 - feature);
        return false;
    case 2: /* long names that differ late, and not in length */
        snprintf(key, 48, "a column with a long name %02d", feature / 3);
        snprintf(value, 48, "and a longer value %d", feature % 3);
        return false;
    default: /* k=1, k with 1, k=1 with nothing: the same text if key and value were joined */
        snprintf(key, 48, "k=%d", feature / 3);
        if (feature % 3 == 1) {
            snprintf(value, 48, "%d", feature / 3);
            key[1] = '\0';
        }
        return feature % 3 == 0;
    }
}

hcbr_feature harness_feature(int names, int feature) {
    static char key[HARNESS_NAMES][ALL_NAMES][48], value[HARNESS_NAMES][ALL_NAMES][48];
    static hcbr_feature made[HARNESS_NAMES][ALL_NAMES];
    assert_true(feature >= 0 && feature < ALL_NAMES);
    hcbr_feature *f = &made[names][feature];
    if (!f->key) {
        bool bare = write_name(names, feature, key[names][feature], value[names][feature]);
        f->key = key[names][feature];
        f->key_length = strlen(f->key);
        f->value = bare ? NULL : value[names][feature];
        f->value_length = strlen(value[names][feature]);
    }
    return *f;
}

const char *harness_label(int labels, int label) {
    static const char *const name[HARNESS_LABELS][ORACLE_LABELS] = {
        {"A", "B", "C", "D"},
        {"-1", "1", "2", "10"}, /* by value */
        {"+", "10", "9", "a"},  /* by bytes, since not all are numbers */
        {"no", "noon", "yes and more of it than fits into a word", "\xC3\xA9"},
    };
    return name[labels][label];
}

size_t harness_features(const harness_style *style, uint64_t salt, uint64_t set, int unseen,
                        hcbr_feature *out, size_t capacity) {
    harness_random r = {style->shuffle ^ salt * 0xD1342543DE82EF95u};
    size_t n = 0;
    for (int f = 0; f < ORACLE_FEATURES; f++)
        if (set >> f & 1)
            out[n++] = harness_feature(style->names, f);
    for (int u = 0; u < unseen; u++)
        out[n++] = harness_feature(style->names, ORACLE_FEATURES + u);
    if (style->shuffle == 0 || n == 0)
        return n;
    for (int again = harness_below(&r, 4); again > 0 && n < capacity; again--, n++)
        out[n] = out[harness_below(&r, (int)n)];
    for (size_t i = 1; i < n; i++) {
        size_t j = (size_t)harness_below(&r, (int)i + 1);
        hcbr_feature other = out[i];
        out[i] = out[j];
        out[j] = other;
    }
    return n;
}

/* ---- the public API ------------------------------------------------------------------------- */

void harness_ok(hcbr_status status, const hcbr_error *err) {
    if (status != HCBR_OK)
        fail_msg("%s: %s", hcbr_status_name(status), err->message);
}

hcbr_cases *harness_cases(const oracle_base *base, const harness_style *style) {
    hcbr_cases *cases = NULL;
    hcbr_error err = {0};
    hcbr_feature features[ALL_NAMES];
    harness_ok(hcbr_cases_create(&cases, style->hash_key ? style->hash_key : 1, &err), &err);
    for (int i = 0; i < base->cases; i++) {
        size_t n = harness_features(style, (uint64_t)i + 1, base->set[i], 0, features, ALL_NAMES);
        const char *label = harness_label(style->labels, base->label[i]);
        harness_ok(add_one_case(cases, features, n, label, NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

hcbr_model *harness_train(const oracle_base *base, const harness_style *style,
                          const hcbr_train_options *options) {
    hcbr_cases *cases = harness_cases(base, style);
    hcbr_model *model = NULL;
    hcbr_error err = {0};
    harness_ok(hcbr_model_train(&model, cases, options, &err), &err);
    hcbr_cases_free(cases);
    return model;
}

uint32_t harness_atom(const hcbr_model *model, int names, int feature) {
    hcbr_feature name = harness_feature(names, feature);
    uint32_t number = hcbr_model_find_feature(model, &name);
    return number == UINT32_MAX ? UINT32_MAX : hcbr_model_get_atom(model, number);
}

hcbr_decider *harness_decider(const hcbr_model *model, const hcbr_rule *rule) {
    hcbr_decider *decider = NULL;
    hcbr_error err = {0};
    harness_ok(hcbr_decider_create(&decider, model, rule, &err), &err);
    return decider;
}

hcbr_decision harness_decide(hcbr_decider *decider, const harness_style *style, uint64_t set,
                             int unseen) {
    static hcbr_feature features[ALL_NAMES]; /* unseen features of a decision are borrowed */
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_error err = {0};
    size_t n =
        harness_features(style, set ^ (uint64_t)unseen << 60, set, unseen, features, ALL_NAMES);
    harness_ok(hcbr_decider_decide(decider, row_by(decider, features, n), &decision, &err), &err);
    return decision;
}

uint64_t harness_seed(uint64_t otherwise) {
    return test_seed(otherwise);
}

bool harness_long(int argc, char **argv) {
    const char *around = getenv("HCBR_LONG");
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--long") == 0)
            return true;
    return around && strcmp(around, "1") == 0;
}

bool harness_sanitized(void) {
    return test_sanitized();
}

int harness_rounds(int all) {
    return (int)test_rounds((unsigned)all);
}
