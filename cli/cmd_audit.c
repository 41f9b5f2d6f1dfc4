/*
 * hcbr audit: reads labelled cases and reports facts that should be known before training. The exit
 * status is 1 if something serious was found.
 */
#include "cell.h"
#include "commands.h"
#include "label.h"
#include "settings.h"

#include <stdlib.h>

enum { ROWS = 10 };

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

/* ---- for people ------------------------------------------------------------------------------ */

static void put_figures(auditing *a) {
    const hcbr_audit_figures *g = &a->figures;
    out *o = a->out;
    char text[256];
    uint64_t *count = calloc(g->labels + 1, sizeof *count);
    snprintf(text, sizeof text, "cases     %llu, %llu of them empty\n",
             (unsigned long long)g->cases, (unsigned long long)g->empty);
    out_string(o, text);
    snprintf(text, sizeof text,
             "features  %u\nvalues    %u of %u keys as they stand, %.4g in a case\n",
             g->model_features, g->features, g->keys, (double)g->occurrences / (double)g->cases);
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
    if (g->held_out && g->coverage >= 0) { // else there is nothing to be known
        snprintf(text, sizeof text, "coverage  %.4g %% of the features of %llu held-out cases\n",
                 100 * g->coverage, (unsigned long long)g->held_out);
        out_string(o, text);
    }
}

static void put_finding(auditing *a, const hcbr_finding *f) {
    out *o = a->out;
    char text[HCBR_FINDING_SIZE];
    hcbr_finding_say(a->audit, f, text);
    const size_t mark = out_mark(o);
    out_string(o, f->serious ? "SERIOUS" : "note");
    out_style(o, mark, f->serious ? OUT_RED : OUT_BOLD);
    out_string(o, f->serious ? "  " : "     ");
    out_said(o, text);
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

/* ---- the work -------------------------------------------------------------------------------- */

static int audit_json(auditing *a) {
    hcbr_error err = {0};
    hcbr_writer *w;
    int code = out_writer(a->out, "audit", &w);
    if (code != EXIT_DONE)
        return code;
    return term_written(&a->term, a->out, hcbr_json_audit(w, a->audit, &err), &err);
}

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
    a->options.progress = term_progress;
    a->options.progress_context = &a->term;
    if ((code = settings_read(&a->settings, a->given, &a->read)) ||
        (code = settings_number(a->given, "top", 0, UINT32_MAX, &top)) ||
        (code = settings_number(a->given, "seed", 0, UINT64_MAX, &a->options.seed)))
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
    term_skipped(&a->term, hcbr_cases_get_info(a->cases).skipped);
    label_summary labels = label_count(a->cases);
    label_say(&a->term, &labels);
    a->figures.size = sizeof a->figures;
    hcbr_audit_get_figures(a->audit, &a->figures);
    if (!(a->out = malloc(sizeof *a->out)))
        return say_no_memory("audit");
    out_open(a->out, NULL);
    if (!args_has(a->given, "json"))
        audit_text(a);
    else if ((code = audit_json(a)))
        return code;
    code = out_close(a->out, "audit");
    return code == EXIT_DONE && a->figures.serious ? EXIT_NO : code;
}

int cmd_audit(const args *given) {
    auditing a = {.given = given};
    term_init(&a.term, "audit", args_has(given, "quiet"), args_has(given, "verbose"), true);
    int code = audit(&a);
    term_finish(&a.term);
    if (a.out)
        out_discard(a.out);
    free(a.out);
    hcbr_audit_free(a.audit);
    hcbr_cases_free(a.cases);
    settings_clear(&a.settings);
    return code;
}
