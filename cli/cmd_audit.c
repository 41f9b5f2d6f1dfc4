/*
 * hcbr audit: reads labelled cases and says what should be known of them before training. The exit
 * status is negative if something serious was found.
 */
#include "cell.h"
#include "commands.h"
#include "json_write.h"
#include "settings.h"

#include <stdlib.h>

enum { ROWS = 10, FEATURE_WIDTH = 70 };

typedef struct auditing {
    const args *given;
    term term;
    settings settings;
    hcbr_read_options read;
    hcbr_audit_options options;
    hcbr_cases *cases;
    hcbr_audit *audit;
    hcbr_audit_figures figures;
    out *out;
} auditing;

/* ---- sentences ------------------------------------------------------------------------------- */

static hcbr_feature nth_feature(const void *context, size_t n) {
    return ((const hcbr_finding *)context)->features[n];
}

/* The features a finding is about, as many as fit. */
static void name_features(char *to, size_t room, const hcbr_finding *f) {
    cell c = {.used = 0};
    cell_add_features(&c, nth_feature, f, f->feature_count, FEATURE_WIDTH);
    snprintf(to, room, "%.*s", (int)c.used, c.text);
}

static void name_text(char *to, size_t room, const char *text, size_t length) {
    cell c = {.used = 0};
    cell_add_cut(&c, text, length, FEATURE_WIDTH);
    snprintf(to, room, "%.*s", (int)c.used, c.text);
}

/* What was found, in one sentence. */
static void say(const auditing *a, const hcbr_finding *f, char *to, size_t room) {
    char features[600] = "", key[600] = "", label[600] = "";
    unsigned long long n = f->count, all = f->all_features;
    double percent = 100 * f->share;
    name_features(features, sizeof features, f);
    if (f->feature_count)
        name_text(key, sizeof key, f->features[0].key, f->features[0].key_length);
    if (f->label >= 0) {
        const char *name = hcbr_cases_get_label(a->cases, f->label, NULL);
        name_text(label, sizeof label, name, strlen(name));
    }
    switch (f->kind) {
    case HCBR_FOUND_ONE_LABEL:
        snprintf(to, room, "all cases have the label %s: there is nothing to decide", label);
        return;
    case HCBR_FOUND_LEAK:
        snprintf(to, room, "gives the label %s away (%.4g %% of %llu cases): %s", label, percent, n,
                 features);
        return;
    case HCBR_FOUND_LEAK_KEY:
        snprintf(to, room, "the %llu values of %s give the labels away (%.4g %% of %llu cases)",
                 all, key, percent, n);
        return;
    case HCBR_FOUND_IDS:
        snprintf(to, room, "%s has %llu values in %llu cases, like an id: --id or --ignore?", key,
                 all, n);
        return;
    case HCBR_FOUND_CONTRADICTION:
        snprintf(to, room, "%llu identical cases, %.4g %% of them %s: %s", n, percent, label,
                 features);
        return;
    case HCBR_FOUND_COVERAGE:
        snprintf(to, room,
                 "%.4g %% of the features of held-out cases are known; %llu cases have none that "
                 "is",
                 percent, n);
        return;
    case HCBR_FOUND_EMPTY:
        snprintf(to, room, "%llu %s (%.4g %%) without any feature", n, n == 1 ? "case" : "cases",
                 percent);
        return;
    case HCBR_FOUND_RARE_LABEL:
        snprintf(to, room, "only %llu %s (%.2g %%) with the label %s", n, n == 1 ? "case" : "cases",
                 percent, label);
        return;
    case HCBR_FOUND_ORDER:
        snprintf(to, room,
                 "sorted by label: it changes %llu %s, %.2g %% of what a random order gives; do "
                 "not use --given-order",
                 n, n == 1 ? "time" : "times", percent);
        return;
    case HCBR_FOUND_DUPLICATE:
        snprintf(to, room, "%llu identical cases with the label %s: %s", n, label, features);
        return;
    case HCBR_FOUND_CONSTANT:
        snprintf(to, room, "%llu %s in every case: %s", all, all == 1 ? "feature" : "features",
                 features);
        return;
    case HCBR_FOUND_ONE_OFF:
        snprintf(to, room, "%llu %s (%.3g %%) in one case only: %s", all,
                 all == 1 ? "feature" : "features", percent, features);
        return;
    }
}

/* ---- for people ------------------------------------------------------------------------------ */

static void put_figures(auditing *a) {
    const hcbr_audit_figures *g = &a->figures;
    out *o = a->out;
    char text[256];
    uint64_t *count = calloc(g->labels + 1, sizeof *count);
    snprintf(text, sizeof text, "cases     %llu, %llu of them empty\n",
             (unsigned long long)g->cases, (unsigned long long)g->empty);
    out_string(o, text);
    snprintf(text, sizeof text, "features  %u of %u keys in %u atoms, %.4g in a case\n",
             g->features, g->keys, g->atoms, (double)g->occurrences / (double)g->cases);
    out_string(o, text);
    for (uint64_t i = 0; count && i < g->cases; i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(a->cases, i, &x);
        count[x.label]++;
    }
    for (uint32_t l = 0; count && l < g->labels && l < 12; l++) {
        const char *name = hcbr_cases_get_label(a->cases, (hcbr_label)l, NULL);
        out_string(o, l == 0 ? "labels    " : ", ");
        out_text(o, name, strlen(name));
        snprintf(text, sizeof text, " %llu (%.3g %%)", (unsigned long long)count[l],
                 100.0 * (double)count[l] / (double)g->cases);
        out_string(o, text);
    }
    free(count);
    if (g->labels > 12) {
        snprintf(text, sizeof text, " and %u more", g->labels - 12);
        out_string(o, text);
    }
    snprintf(text, sizeof text,
             "\nsets      %llu different, %llu duplicates, %llu cases contradict another\n",
             (unsigned long long)g->different, (unsigned long long)g->duplicates,
             (unsigned long long)g->contradictory);
    out_string(o, text);
    snprintf(text, sizeof text, "accuracy  at most %.4g %%\n", 100 * g->accuracy_limit);
    out_string(o, text);
    if (g->held_out) {
        snprintf(text, sizeof text, "coverage  %.4g %% of the features of %llu held-out cases\n",
                 100 * g->coverage, (unsigned long long)g->held_out);
        out_string(o, text);
    }
}

static void put_finding(auditing *a, const hcbr_finding *f) {
    out *o = a->out;
    char text[2600];
    say(a, f, text, sizeof text);
    out_string(o, f->serious ? "SERIOUS  " : "note     ");
    out_string(o, text);
    out_row(o);
    if (f->row_count == 0)
        return;
    out_string(o, f->row_count == 1 ? "           row " : "           rows ");
    for (size_t i = 0; i < f->row_count; i++) {
        if (i > 0)
            out_string(o, ", ");
        out_u64(o, f->rows[i]);
    }
    if (f->kind != HCBR_FOUND_ONE_OFF && f->row_count < f->count)
        out_string(o, ", ...");
    out_row(o);
}

static void audit_text(auditing *a) {
    out *o = a->out;
    size_t count = hcbr_audit_count(a->audit);
    put_figures(a);
    out_row(o);
    for (size_t i = 0; i < count; i++) {
        hcbr_finding f = {.size = sizeof f}, next = {.size = sizeof next};
        hcbr_audit_get(a->audit, i, &f);
        put_finding(a, &f);
        if (i + 1 < count)
            hcbr_audit_get(a->audit, i + 1, &next);
        if ((i + 1 == count || next.kind != f.kind) &&
            hcbr_audit_count_kind(a->audit, f.kind) > a->options.most) {
            out_string(o, "         ");
            out_u64(o, hcbr_audit_count_kind(a->audit, f.kind) - a->options.most);
            out_string(o, " more of this kind (--top)");
            out_row(o);
        }
    }
    if (count == 0) {
        out_string(o, "nothing was found");
        out_row(o);
    }
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void json_finding(auditing *a, json *j, const hcbr_finding *f) {
    char text[2600];
    bool key = f->kind == HCBR_FOUND_LEAK_KEY || f->kind == HCBR_FOUND_IDS;
    say(a, f, text, sizeof text);
    json_open(j, '{');
    json_key(j, "kind"), json_string(j, hcbr_finding_name(f->kind));
    json_key(j, "serious"), json_bool(j, f->serious);
    json_key(j, "says"), json_string(j, text);
    json_key(j, "count"), json_u64(j, f->count);
    json_key(j, "rows"), json_open(j, '[');
    for (size_t i = 0; i < f->row_count; i++)
        json_u64(j, f->rows[i]);
    json_close(j, ']');
    json_key(j, "features"), json_feature_list(j, f->features, f->feature_count);
    json_key(j, "feature_count"), json_u64(j, f->all_features);
    json_key(j, "key");
    if (key)
        json_text(j, f->features[0].key, f->features[0].key_length);
    else
        json_null(j);
    json_key(j, "label");
    json_string(j, f->label < 0 ? NULL : hcbr_cases_get_label(a->cases, f->label, NULL));
    json_key(j, "share"), json_number(j, f->share);
    json_close(j, '}');
}

static int audit_json(auditing *a) {
    const hcbr_audit_figures *g = &a->figures;
    json json_out = {.to = a->out}, *j = &json_out;
    uint64_t *count = calloc(g->labels + 1, sizeof *count);
    if (!count)
        return say_no_memory("audit");
    for (uint64_t i = 0; i < g->cases; i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(a->cases, i, &x);
        count[x.label]++;
    }
    json_open(j, '{');
    json_key(j, "schema"), json_string(j, "hcbr.audit/1");
    json_key(j, "cases"), json_u64(j, g->cases);
    json_key(j, "empty"), json_u64(j, g->empty);
    json_key(j, "occurrences"), json_u64(j, g->occurrences);
    json_key(j, "features"), json_u64(j, g->features);
    json_key(j, "keys"), json_u64(j, g->keys);
    json_key(j, "atoms"), json_u64(j, g->atoms);
    json_key(j, "labels"), json_open(j, '{');
    for (uint32_t l = 0; l < g->labels; l++) {
        const char *name = hcbr_cases_get_label(a->cases, (hcbr_label)l, NULL);
        json_key_text(j, name, strlen(name)), json_u64(j, count[l]);
    }
    json_close(j, '}');
    free(count);
    json_key(j, "different"), json_u64(j, g->different);
    json_key(j, "duplicates"), json_u64(j, g->duplicates);
    json_key(j, "contradictory"), json_u64(j, g->contradictory);
    json_key(j, "accuracy_limit"), json_number(j, g->accuracy_limit);
    json_key(j, "constant"), json_u64(j, g->constant);
    json_key(j, "one_off"), json_u64(j, g->one_off);
    json_key(j, "held_out"), json_u64(j, g->held_out);
    json_key(j, "coverage"), json_number(j, g->coverage);
    json_key(j, "serious"), json_u64(j, g->serious);
    json_key(j, "found"), json_open(j, '{');
    for (int k = 0; k < HCBR_FOUND_KINDS; k++) {
        json_key(j, hcbr_finding_name((hcbr_finding_kind)k));
        json_u64(j, hcbr_audit_count_kind(a->audit, (hcbr_finding_kind)k));
    }
    json_close(j, '}');
    json_key(j, "findings"), json_open(j, '[');
    for (size_t i = 0; i < hcbr_audit_count(a->audit); i++) {
        hcbr_finding f = {.size = sizeof f};
        hcbr_audit_get(a->audit, i, &f);
        json_finding(a, j, &f);
    }
    json_close(j, ']');
    json_row(j);
    return EXIT_DONE;
}

/* ---- the work -------------------------------------------------------------------------------- */

static int audit(auditing *a) {
    hcbr_error err = {0};
    uint64_t top = 5;
    int code;
    hcbr_read_options_init(&a->read);
    a->read.numbers = HCBR_NUMBERS_SPELLED;
    hcbr_audit_options_init(&a->options);
    a->read.notify = term_notify;
    a->read.progress = term_progress;
    a->read.notify_context = a->read.progress_context = &a->term;
    if ((code = settings_read(&a->settings, a->given, &a->read)) ||
        (code = settings_number(a->given, OPT_TOP, 0, UINT32_MAX, &top)) ||
        (code = settings_number(a->given, OPT_SEED, 0, UINT64_MAX, &a->options.seed)))
        return code;
    a->options.most = (size_t)top;
    a->options.rows = ROWS;
    term_begin(&a->term, "read");
    if (hcbr_cases_create(&a->cases, 0, &err) != HCBR_OK ||
        hcbr_cases_read(a->cases, a->given->operands, a->given->operand_count, &a->read, &err) !=
            HCBR_OK ||
        hcbr_cases_finish(a->cases, &err) != HCBR_OK)
        return term_fail(&a->term, &err);
    term_begin(&a->term, "audit");
    if (hcbr_audit_create(&a->audit, a->cases, &a->options, &err) != HCBR_OK)
        return term_fail(&a->term, &err);
    term_finish(&a->term);
    term_skipped(&a->term, hcbr_cases_skipped_count(a->cases));
    a->figures.size = sizeof a->figures;
    hcbr_audit_get_figures(a->audit, &a->figures);
    if (!(a->out = malloc(sizeof *a->out)))
        return say_no_memory("audit");
    out_open(a->out, NULL);
    if (!args_has(a->given, OPT_JSON))
        audit_text(a);
    else if ((code = audit_json(a)))
        return code;
    code = out_close(a->out, "audit");
    return code == EXIT_DONE && a->figures.serious ? EXIT_NO : code;
}

int cmd_audit(const args *given) {
    auditing a = {.given = given};
    term_init(&a.term, "audit", args_has(given, OPT_QUIET), args_has(given, OPT_VERBOSE), true);
    int code = audit(&a);
    term_finish(&a.term);
    free(a.out);
    hcbr_audit_free(a.audit);
    hcbr_cases_free(a.cases);
    settings_clear(&a.settings);
    return code;
}
