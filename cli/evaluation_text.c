/*
 * The text of hcbr evaluate, in 80 columns: the held-out parts, the figures with their intervals
 * next to those of the most frequent label, the verdict, the labels, and confusions.
 */
#include "cell.h"
#include "evaluation.h"
#include "label.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { TITLE_WIDTH = 13, NUMBER_WIDTH = 10, NAME_WIDTH = 20, COUNT_WIDTH = 11, SHOWN_LABELS = 20 };
enum { MATRIX_LABELS = 5 };

__attribute__((format(printf, 2, 3))) static void put_line(out *o, const char *format, ...) {
    char line[512];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    out_string(o, line);
    out_row(o);
}

static void put_title(out *o, const char *title) {
    put_text(o, title, strlen(title), TITLE_WIDTH, false);
}

static void put_value(out *o, double value, const char *format) {
    char text[32] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    put_text(o, text, strlen(text), NUMBER_WIDTH, true);
}

static void put_interval(out *o, const hcbr_figure *figure) {
    char text[48] = "-";
    if (!isnan(figure->low))
        snprintf(text, sizeof text, "%.4f to %.4f", figure->low, figure->high);
    put_text(o, text, strlen(text), 2 * NUMBER_WIDTH + 2, true);
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* Training cases of the first part. */
static uint64_t trained_on(const evaluation *e) {
    hcbr_part_info part = {.size = sizeof part};
    hcbr_evaluation_get_part(e->result, 0, &part);
    return part.trained;
}

void evaluation_plan(const evaluation *e, char text[160]) {
    unsigned folds = e->info.folds, repeats = e->info.repeats;
    const char *by = e->options.by_group                       ? " by group"
                     : e->options.equal == HCBR_EQUAL_TOGETHER ? ", equal rows together"
                                                               : "";
    if (e->stored)
        snprintf(text, 160, "the %llu labelled cases of the data, by a model of %llu",
                 (unsigned long long)e->info.cases, (unsigned long long)trained_on(e));
    else if (e->test_count)
        snprintf(text, 160, "the cases of --test, decided by a model of all others");
    else if (e->options.past_only)
        snprintf(text, 160, "%u part%s in order, each decided by a model of the cases before it",
                 folds, plural(folds));
    else if (e->options.holdout > 0)
        snprintf(text, 160, "%llu cases%s, drawn %u time%s, seed %llu",
                 (unsigned long long)e->info.held_out, by, repeats, plural(repeats),
                 (unsigned long long)e->info.seed);
    else if (e->options.given_folds)
        snprintf(text, 160, "%u given folds, each decided by a model of the others", folds);
    else if (repeats > 1)
        snprintf(text, 160, "%u times %u folds%s, each decided by a model of the others, seed %llu",
                 repeats, folds, by, (unsigned long long)e->info.seed);
    else
        snprintf(text, 160, "%u folds%s, each decided by a model of the others, seed %llu", folds,
                 by, (unsigned long long)e->info.seed);
}

static void put_head(const evaluation *e) {
    char plan[160];
    size_t length;
    if (!e->stored) {
        put_title(e->out, "cases");
        put_line(e->out, "%llu with %u feature%s and %u label%s", (unsigned long long)e->info.cases,
                 e->info.features, plural(e->info.features), e->info.labels,
                 plural(e->info.labels));
    }
    evaluation_plan(e, plan);
    put_title(e->out, e->stored ? "decided" : "held out");
    put_line(e->out, "%s", plan);
    if (e->info.positive >= 0) {
        const char *name = hcbr_evaluation_get_label(e->result, e->info.positive, &length);
        name = label_shown(name, &length);
        put_title(e->out, "positive");
        out_text(e->out, name, length);
        out_row(e->out);
    }
    out_row(e->out);
}

static void put_figures(const evaluation *e) {
    static const struct {
        hcbr_metric metric;
        bool optional; /* it is not shown if it does not exist */
    } SHOWN[] = {{HCBR_METRIC_ACCURACY, false},    {HCBR_METRIC_MCC, false},
                 {HCBR_METRIC_F1, false},          {HCBR_METRIC_RECALL, false},
                 {HCBR_METRIC_SPECIFICITY, false}, {HCBR_METRIC_PRECISION, false},
                 {HCBR_METRIC_NPV, false},         {HCBR_METRIC_PRECISION_AT, true},
                 {HCBR_METRIC_AUC, false},         {HCBR_METRIC_PR_AUC, false},
                 {HCBR_METRIC_LOG_LOSS, true},     {HCBR_METRIC_BRIER, true},
                 {HCBR_METRIC_ECE, true},          {HCBR_METRIC_COST, true}};
    out *o = e->out;
    const char *head = e->info.by_parts ? "mean" : "pooled";
    const size_t mark = out_mark(o);
    put_title(o, "");
    put_text(o, head, strlen(head), NUMBER_WIDTH, true);
    put_text(o, "sd", 2, NUMBER_WIDTH, true);
    put_text(o, "95 % interval", 13, 2 * NUMBER_WIDTH + 2, true);
    out_string(o, "    majority label");
    out_row(o);
    out_style(o, mark, OUT_BOLD);
    for (size_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++) {
        hcbr_metric m = SHOWN[i].metric;
        hcbr_figure figure = evaluation_figure(e, m, HCBR_LABEL_UNKNOWN);
        hcbr_figure baseline = evaluation_baseline(e, m);
        if (SHOWN[i].optional && isnan(figure.value))
            continue;
        put_title(o, hcbr_metric_name(m));
        put_value(o, figure.value, "%.4f");
        put_value(o, figure.by_parts ? figure.sd : NAN, "%.4f");
        put_interval(o, &figure);
        out_string(o, "        ");
        put_value(o, baseline.value, "%.4f");
        out_row(o);
    }
    out_row(o);
}

/* A sentence in lines of 80 columns, all but the first below its beginning. */
static void put_sentence(out *o, const char *title, const char *text) {
    enum { LINE = 80 - TITLE_WIDTH };
    put_title(o, title);
    while (strlen(text) > LINE) {
        size_t end = LINE;
        while (end > 0 && text[end] != ' ')
            end--;
        put_line(o, "%.*s", (int)end, text);
        put_title(o, "");
        text += end + 1;
    }
    put_line(o, "%s", text);
}

/* How reliable the model is, judged by the purpose of its rule. */
static void put_verdict(const evaluation *e) {
    static const char *const TITLES[] = {"verdict", "", ""};
    char text[HCBR_VERDICT_SIZE];
    hcbr_verdict v = {.size = sizeof v};
    hcbr_evaluation_get_verdict(e->result, &v);
    for (int n = 0; n < 3; n++) {
        const size_t mark = out_mark(e->out);
        hcbr_verdict_say(e->result, (hcbr_verdict_part)n, text);
        put_sentence(e->out, TITLES[n], text);
        if (n == 0)
            out_style(e->out, mark,
                      v.grade == HCBR_GRADE_NONE   ? OUT_RED
                      : v.grade == HCBR_GRADE_GOOD ? OUT_GREEN
                                                   : OUT_BOLD);
    }
    if (!e->info.by_parts && e->info.folds > 1)
        put_sentence(e->out, "pooled",
                     "A part holds fewer than 10 cases of a label, or fewer than 10 others: the "
                     "figures are those of all decisions together.");
    out_row(e->out);
}

/* Shares that say how far the figures can be trusted. */
static void put_notes(const evaluation *e) {
    char atoms[40] = "";
    hcbr_figure unknown = evaluation_figure(e, HCBR_METRIC_UNKNOWN, HCBR_LABEL_UNKNOWN);
    hcbr_figure decided = evaluation_figure(e, HCBR_METRIC_DECIDED, HCBR_LABEL_UNKNOWN);
    hcbr_figure copies = evaluation_figure(e, HCBR_METRIC_COPIES, HCBR_LABEL_UNKNOWN);
    hcbr_figure fresh = evaluation_figure(e, HCBR_METRIC_NEW, HCBR_LABEL_UNKNOWN);
    put_title(e->out, "undecided");
    if (unknown.pooled > 0 && !isnan(decided.pooled))
        put_line(e->out, "%.1f %% of the decisions; accuracy on the others %.4f",
                 100 * unknown.pooled, decided.pooled);
    else
        put_line(e->out, "%.1f %% of the decisions", 100 * unknown.pooled);
    if (e->stored)
        return;
    put_title(e->out, "copies");
    if (copies.pooled > 0 && !isnan(fresh.pooled))
        put_line(e->out,
                 "%.1f %% of the held-out cases are also in training; accuracy on the "
                 "others %.4f",
                 100 * copies.pooled, fresh.pooled);
    else
        put_line(e->out, "%.1f %% of the held-out cases are also in training", 100 * copies.pooled);
    put_title(e->out, "model");
    if (e->train.model == HCBR_MODEL_PLAIN)
        snprintf(atoms, sizeof atoms, " in %.0f atoms",
                 evaluation_figure(e, HCBR_METRIC_ATOMS, HCBR_LABEL_UNKNOWN).mean);
    put_line(e->out, "%.0f features%s on average; built in %.3f s, decided in %.3f s",
             evaluation_figure(e, HCBR_METRIC_FEATURES, HCBR_LABEL_UNKNOWN).mean, atoms,
             evaluation_figure(e, HCBR_METRIC_FIT, HCBR_LABEL_UNKNOWN).mean,
             evaluation_figure(e, HCBR_METRIC_PREDICT, HCBR_LABEL_UNKNOWN).mean);
}

/* The figures of folds that keep equal rows together, next to the usual ones. */
static void put_together(const evaluation *e) {
    static const hcbr_metric SHOWN[] = {HCBR_METRIC_ACCURACY, HCBR_METRIC_MCC, HCBR_METRIC_F1,
                                        HCBR_METRIC_AUC, HCBR_METRIC_LOG_LOSS};
    const hcbr_evaluation *together = hcbr_evaluation_get_together(e->result);
    out *o = e->out;
    if (!together)
        return;
    out_row(o);
    put_line(o, "Rows repeat. Folds that keep equal rows together say what to expect of cases");
    put_line(o, "that no past case equals:");
    const size_t mark = out_mark(o);
    put_title(o, "");
    put_text(o, "above", 5, NUMBER_WIDTH, true);
    put_text(o, "together", 8, NUMBER_WIDTH, true);
    out_row(o);
    out_style(o, mark, OUT_BOLD);
    for (size_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++) {
        hcbr_figure usual = evaluation_figure(e, SHOWN[i], HCBR_LABEL_UNKNOWN);
        hcbr_figure other = {.size = sizeof other};
        hcbr_evaluation_get_figure(together, SHOWN[i], HCBR_LABEL_UNKNOWN, &other);
        if (isnan(usual.value) && isnan(other.value))
            continue;
        put_title(o, hcbr_metric_name(SHOWN[i]));
        put_value(o, usual.value, "%.4f");
        put_value(o, other.value, "%.4f");
        out_row(o);
    }
}

static void put_name(const evaluation *e, hcbr_label label, size_t width, bool right) {
    size_t length;
    const char *name = hcbr_evaluation_get_label(e->result, label, &length);
    name = label_shown(name, &length);
    put_text(e->out, name, length, width, right);
}

/* Each label against the rest; two labels mirror each other in the figures above. */
static void put_labels(const evaluation *e) {
    static const struct {
        hcbr_metric metric;
        const char *name;
    } SHOWN[] = {{HCBR_METRIC_RECALL, "recall"},
                 {HCBR_METRIC_PRECISION, "precision"},
                 {HCBR_METRIC_F1, "f1"},
                 {HCBR_METRIC_AUC, "auc"}};
    uint32_t shown = e->info.labels < SHOWN_LABELS ? e->info.labels : SHOWN_LABELS;
    if (e->info.labels < 3)
        return;
    out_row(e->out);
    const size_t mark = out_mark(e->out);
    put_text(e->out, "label", 5, NAME_WIDTH, false);
    for (size_t m = 0; m < sizeof SHOWN / sizeof *SHOWN; m++)
        put_text(e->out, SHOWN[m].name, strlen(SHOWN[m].name), NUMBER_WIDTH, true);
    out_row(e->out);
    out_style(e->out, mark, OUT_BOLD);
    for (uint32_t l = 0; l < shown; l++) {
        put_name(e, (hcbr_label)l, NAME_WIDTH, false);
        for (size_t m = 0; m < sizeof SHOWN / sizeof *SHOWN; m++)
            put_value(e->out, evaluation_figure(e, SHOWN[m].metric, (hcbr_label)l).value, "%.4f");
        out_row(e->out);
    }
    if (shown < e->info.labels)
        put_line(e->out, "and %u more", e->info.labels - shown);
}

/* Decisions are counted by weight, which need not be whole. */
static void put_weight(out *o, double value) {
    char text[32];
    bool whole = value == (double)(uint64_t)value;
    int length = snprintf(text, sizeof text, whole ? "%.0f" : "%.6g", value);
    put_text(o, text, (size_t)length, COUNT_WIDTH, true);
}

static void put_matrix(const evaluation *e) {
    size_t count = hcbr_evaluation_confusion_count(e->result), n = 0;
    hcbr_confusion pair = {.size = sizeof pair};
    out *o = e->out;
    if (e->info.labels > MATRIX_LABELS)
        return;
    out_row(o);
    const size_t mark = out_mark(o);
    put_text(o, "true / decided", 14, NAME_WIDTH, false);
    for (uint32_t l = 0; l < e->info.labels; l++)
        put_name(e, (hcbr_label)l, COUNT_WIDTH, true);
    put_text(o, "unknown", 7, COUNT_WIDTH, true);
    out_row(o);
    out_style(o, mark, OUT_BOLD);
    for (uint32_t t = 0; t < e->info.labels; t++) {
        put_name(e, (hcbr_label)t, NAME_WIDTH, false);
        for (uint32_t l = 0; l <= e->info.labels; l++) {
            hcbr_label label = l < e->info.labels ? (hcbr_label)l : HCBR_LABEL_UNKNOWN;
            if (n < count)
                hcbr_evaluation_get_confusion(e->result, n, &pair);
            bool here = n < count && pair.truth == (hcbr_label)t && pair.label == label;
            put_weight(o, here ? pair.count : 0);
            n += here;
        }
        out_row(o);
    }
}

static void put_parts(const evaluation *e) {
    static const hcbr_metric SHOWN[] = {HCBR_METRIC_ACCURACY, HCBR_METRIC_MCC, HCBR_METRIC_F1,
                                        HCBR_METRIC_AUC, HCBR_METRIC_UNKNOWN};
    out *o = e->out;
    out_row(o);
    put_line(o, "repeat  fold    trained   held out   accuracy       mcc        f1       auc   "
                "unknown");
    for (uint64_t p = 0; p < (uint64_t)e->info.folds * e->info.repeats; p++) {
        hcbr_part_info part = {.size = sizeof part};
        hcbr_evaluation_get_part(e->result, p, &part);
        put_count(o, part.repeat, 6);
        put_count(o, part.fold, 6);
        put_count(o, part.trained, COUNT_WIDTH);
        put_count(o, part.held_out, COUNT_WIDTH);
        out_byte(o, ' ');
        for (size_t m = 0; m < sizeof SHOWN / sizeof *SHOWN; m++)
            put_value(o, hcbr_evaluation_get_value(e->result, p, SHOWN[m]), "%.4f");
        out_row(o);
    }
}

void evaluation_text(evaluation *e) {
    put_head(e);
    put_figures(e);
    put_verdict(e);
    put_notes(e);
    put_together(e);
    put_labels(e);
    put_matrix(e);
    if (e->term.verbose)
        put_parts(e);
}
