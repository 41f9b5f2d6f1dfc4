/*
 * An audit as JSON (docs/JSON.md, hcbr.audit/1), and its findings in sentences.
 */
#include "audit/audit.h"
#include "render/items.h"

#include <stdio.h>

enum { FEATURE_WIDTH = 70 };

/* ---- sentences ------------------------------------------------------------------------------- */

static hcbr_feature nth_feature(const void *context, size_t n) {
    return ((const hcbr_finding *)context)->features[n];
}

/* The features a finding is about, as many as fit. */
static void name_features(char *to, size_t room, const hcbr_finding *f) {
    hcbr_cell c = {.used = 0};
    hcbr_cell_add_features(&c, nth_feature, f, f->feature_count, FEATURE_WIDTH);
    snprintf(to, room, "%.*s", (int)c.used, c.text);
}

static void name_text(char *to, size_t room, const char *text, size_t length) {
    hcbr_cell c = {.used = 0};
    hcbr_cell_add_cut(&c, text, length, FEATURE_WIDTH);
    snprintf(to, room, "%.*s", (int)c.used, c.text);
}

void hcbr_finding_say(const hcbr_audit *audit, const hcbr_finding *f,
                      char text[HCBR_FINDING_SIZE]) {
    const size_t room = HCBR_FINDING_SIZE;
    text[0] = 0;
    if (HCBR_I_UNSIZED(NULL, f))
        return;
    char features[600] = "", key[600] = "", label[600] = "";
    unsigned long long n = f->count, all = f->all_features;
    int digits = f->kind == HCBR_FOUND_RARE_LABEL || f->kind == HCBR_FOUND_ORDER ? 2
                 : f->kind == HCBR_FOUND_ONE_OFF                                 ? 3
                                                                                 : 4;
    char percent[HCBR_I_PRINTED];
    hcbr_i_print(percent, 'g', digits, 100 * f->share);
    name_features(features, sizeof features, f);
    if (f->feature_count)
        name_text(key, sizeof key, f->features[0].key, f->features[0].key_length);
    if (f->label >= 0) {
        const char *name = hcbr_cases_get_label(audit->cases, f->label, NULL);
        name_text(label, sizeof label, name, strlen(name));
    }
    switch (f->kind) {
    case HCBR_FOUND_ONE_LABEL:
        snprintf(text, room, "all cases have the label %s: there is nothing to decide", label);
        return;
    case HCBR_FOUND_LEAK:
        snprintf(text, room, "gives the label %s away (%s %% of %llu cases): %s", label, percent, n,
                 features);
        return;
    case HCBR_FOUND_LEAK_KEY:
        snprintf(text, room, "the %llu values of %s give the labels away (%s %% of %llu cases)",
                 all, key, percent, n);
        return;
    case HCBR_FOUND_IDS:
        snprintf(text, room, "%s has %llu values in %llu cases, like an id%s?", key, all, n,
                 hcbr_i_nearly_all(f->all_features, f->count)
                     ? ": option id or option ignore"
                     : " that several rows share: option group or option ignore");
        return;
    case HCBR_FOUND_TEXT:
        snprintf(text, room,
                 "%s has %llu values in %llu cases, which are words: option text makes a feature "
                 "of each word",
                 key, all, n);
        return;
    case HCBR_FOUND_CONTRADICTION:
        snprintf(text, room, "%llu identical cases, %s %% of them %s: %s", n, percent, label,
                 features);
        return;
    case HCBR_FOUND_COVERAGE:
        snprintf(text, room,
                 "%s %% of the features of held-out cases are known; %llu cases have none that is",
                 percent, n);
        return;
    case HCBR_FOUND_EMPTY:
        snprintf(text, room, "%llu %s (%s %%) without any feature", n, n == 1 ? "case" : "cases",
                 percent);
        return;
    case HCBR_FOUND_RARE_LABEL:
        snprintf(text, room, "only %llu %s (%s %%) with the label %s", n, n == 1 ? "case" : "cases",
                 percent, label);
        return;
    case HCBR_FOUND_ORDER:
        snprintf(text, room,
                 "sorted by label: it changes %llu %s, %s %% of what a random order gives; "
                 "do not use option given_order",
                 n, n == 1 ? "time" : "times", percent);
        return;
    case HCBR_FOUND_DUPLICATE:
        snprintf(text, room, "%llu identical cases with the label %s: %s", n, label, features);
        return;
    case HCBR_FOUND_CONSTANT:
        snprintf(text, room, "%llu %s in every case: %s", all, all == 1 ? "feature" : "features",
                 features);
        return;
    case HCBR_FOUND_ONE_OFF:
        snprintf(text, room, "%llu %s (%s %%) in one case only: %s", all,
                 all == 1 ? "feature" : "features", percent, features);
        return;
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_finding(hcbr_writer *w, const hcbr_audit *audit, const hcbr_finding *f) {
    char text[HCBR_FINDING_SIZE];
    bool key =
        f->kind == HCBR_FOUND_LEAK_KEY || f->kind == HCBR_FOUND_IDS || f->kind == HCBR_FOUND_TEXT;
    hcbr_finding_say(audit, f, text);
    PUT(w, OPEN(NULL, '{'), STRING("kind", hcbr_finding_name(f->kind)), BOOL("serious", f->serious),
        STRING("says", text), U64("count", f->count), OPEN("rows", '['));
    for (size_t i = 0; i < f->row_count; i++)
        PUT(w, U64(NULL, f->rows[i]));
    PUT(w, CLOSE(']'), FEATURES("features", f->features, f->feature_count),
        U64("feature_count", f->all_features),
        TEXT("key", key ? f->features[0].key : NULL, key ? f->features[0].key_length : 0),
        STRING("label", f->label < 0 ? NULL : hcbr_cases_get_label(audit->cases, f->label, NULL)),
        NUMBER("share", f->share), CLOSE('}'));
}

static void put_labels(hcbr_writer *w, const hcbr_audit *audit, uint32_t labels) {
    hcbr_error err;
    uint64_t *count = hcbr_i_alloc_zero((size_t)labels + 1, sizeof *count);
    if (!count) {
        (void)hcbr_i_no_memory(&err);
        hcbr_i_writer_fail(w, &err);
        return;
    }
    for (uint64_t i = 0; i < hcbr_cases_count(audit->cases); i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(audit->cases, i, &x);
        count[x.label]++;
    }
    PUT(w, OPEN("labels", '{'));
    for (uint32_t l = 0; l < labels; l++) {
        const char *name = hcbr_cases_get_label(audit->cases, (hcbr_label)l, NULL);
        PUT(w, KEY_TEXT(name, strlen(name)), U64(NULL, count[l]));
    }
    PUT(w, CLOSE('}'));
    hcbr_i_free(count);
}

hcbr_status hcbr_json_audit(hcbr_writer *w, const hcbr_audit *audit, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, audit))
        return HCBR_EUSAGE;
    hcbr_audit_figures figures = {.size = sizeof figures}, *g = &figures;
    hcbr_audit_get_figures(audit, g);
    PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.audit/1"), U64("cases", g->cases),
        U64("empty", g->empty), U64("occurrences", g->occurrences),
        U64("features", g->model_features), U64("values", g->features), U64("keys", g->keys),
        U64("atoms", g->atoms));
    put_labels(w, audit, g->labels);
    PUT(w, U64("different", g->different), U64("duplicates", g->duplicates),
        U64("contradictory", g->contradictory), NUMBER("accuracy_limit", g->accuracy_limit),
        U64("constant", g->constant), U64("one_off", g->one_off), U64("held_out", g->held_out),
        NUMBER("coverage", g->coverage), U64("serious", g->serious), OPEN("found", '{'));
    for (int k = 0; k < HCBR_FOUND_KINDS; k++)
        PUT(w, U64(hcbr_finding_name((hcbr_finding_kind)k),
                   hcbr_audit_count_kind(audit, (hcbr_finding_kind)k)));
    PUT(w, CLOSE('}'), OPEN("findings", '['));
    for (size_t i = 0; i < hcbr_audit_count(audit); i++) {
        hcbr_finding f = {.size = sizeof f};
        hcbr_audit_get(audit, i, &f);
        put_finding(w, audit, &f);
    }
    PUT(w, CLOSE(']'));
    return hcbr_write_end(w, HCBR_JSON, err);
}
