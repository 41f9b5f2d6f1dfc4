/*
 * hcbr drift: compares new cases with those a model was built from. The exit status is 1 if a
 * column, the labels, the answers or the scores have drifted by more than the limit.
 */
#include "cell.h"
#include "commands.h"
#include "settings.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

enum { NAME = 24, FIGURE = 9, CHANGE = 60, SHORT = 28 };

typedef struct drifting {
    const args *given;
    term term;
    settings settings;
    hcbr_read_options read;
    hcbr_rule rule;
    hcbr_drift_options options;
    hcbr_model *model;
    hcbr_drift *drift;
    hcbr_drift_info info;
    uint64_t top;
    uint64_t skipped;
    out *out;
} drifting;

/* ---- for people ------------------------------------------------------------------------------ */

static void put_format(out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_format(out *o, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    out_string(o, text);
}

static double percent(uint64_t part, uint64_t all) {
    return all ? 100 * (double)part / (double)all : 0;
}

/* "s" where there is not one. */
static const char *many(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* The content of a bin, in words. */
static void name_bin(hcbr_cell *c, const hcbr_drift_bin *b) {
    char text[120], low[HCBR_NUMBER_SIZE] = "", high[HCBR_NUMBER_SIZE] = "";
    if (!isnan(b->low))
        low[hcbr_number_round(low, b->low, 4)] = 0;
    if (!isnan(b->high))
        high[hcbr_number_round(high, b->high, 4)] = 0;
    switch (b->kind) {
    case HCBR_DRIFT_VALUE:
        hcbr_cell_add_cut(c, b->value, b->value_length, SHORT);
        return;
    case HCBR_DRIFT_RANGE:
        snprintf(text, sizeof text, "%s to %s", low, high);
        break;
    case HCBR_DRIFT_RARE:
        snprintf(text, sizeof text, "rare or new values");
        break;
    case HCBR_DRIFT_MISSING:
        snprintf(text, sizeof text, "none");
        break;
    case HCBR_DRIFT_BELOW:
        snprintf(text, sizeof text, "below %s", high);
        break;
    case HCBR_DRIFT_ABOVE:
        snprintf(text, sizeof text, "above %s", low);
        break;
    }
    hcbr_cell_add_cut(c, text, strlen(text), SHORT);
}

/* "40 to 52: 10.1 % -> 45 %" */
static void put_change(out *o, const hcbr_drift_bin *b) {
    hcbr_cell c = {.used = 0};
    name_bin(&c, b);
    out_bytes(o, c.text, c.used);
    put_format(o, ": %.3g %% -> %.3g %%", 100 * b->share[0], 100 * b->share[1]);
}

static void put_name(drifting *d, uint32_t column) {
    hcbr_drift_part p = {.size = sizeof p};
    hcbr_cell c = {.used = 0};
    hcbr_drift_get_column(d->drift, column, &p);
    hcbr_cell_add_cut(&c, p.name_length ? p.name : "(features)", p.name_length ? p.name_length : 10,
                      CHANGE);
    out_bytes(d->out, c.text, c.used);
}

static void put_verdict(drifting *d) {
    const hcbr_drift_info *i = &d->info;
    out *o = d->out;
    const size_t mark = out_mark(o);
    put_format(o, "drift     %.3g, %s the limit of %.3g: ", i->drift,
               i->drifted ? "above" : "not above", i->limit);
    out_string(o, !i->drifted ? "the data look like those of training"
                  : i->worst == HCBR_DRIFT_COLUMN
                      ? "the data differ from those of training, most in column "
                  : i->worst == HCBR_DRIFT_LABELS
                      ? "the labels are not distributed as in training"
                      : "the answers are not distributed as on the training cases");
    if (i->drifted && i->worst == HCBR_DRIFT_COLUMN)
        put_name(d, 0);
    out_row(o);
    out_style(o, mark, i->drifted ? OUT_RED : OUT_GREEN);
    put_format(o, "cases     %llu new, %llu of training\n", (unsigned long long)i->cases,
               (unsigned long long)i->trained);
    put_format(o, "columns   %u of %u drifted, %u gone, %u new\n", i->drifted_columns, i->columns,
               i->gone_columns, i->new_columns);
    put_format(o, "unseen    %.3g %% of the features, in %llu case%s; nothing is known of %llu\n",
               percent(i->unseen, i->features), (unsigned long long)i->unseen_cases,
               many(i->unseen_cases), (unsigned long long)i->unknown_cases);
}

static void put_part(drifting *d, hcbr_drift_kind kind) {
    hcbr_drift_part p = {.size = sizeof p};
    out *o = d->out;
    hcbr_drift_get_part(d->drift, kind, &p);
    put_format(o, "%-10s", hcbr_drift_kind_name(kind));
    if (!p.compared)
        out_string(o, kind == HCBR_DRIFT_LABELS
                          ? "not compared: the data have none"
                          : "not compared: the model keeps no past cases (--keep-cases)");
    else {
        put_format(o, "drift %.3g (shift %.3g, chance explains %.3g)", p.drift, p.shift, p.chance);
        hcbr_drift_bin b = {.size = sizeof b};
        if (p.bin_count && p.shift > 0) {
            hcbr_drift_get_bin(d->drift, kind, 0, &b);
            out_string(o, "; most: ");
            put_change(o, &b);
        }
    }
    out_row(o);
}

static void put_figure(out *o, double value) {
    char text[40] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.3g", value);
    put_text(o, text, strlen(text), FIGURE, true);
}

static void put_column(drifting *d, uint32_t index) {
    hcbr_drift_part p = {.size = sizeof p};
    hcbr_drift_bin b = {.size = sizeof b};
    out *o = d->out;
    hcbr_drift_get_column(d->drift, index, &p);
    if (p.name_length)
        put_text(o, p.name, p.name_length, NAME, false);
    else
        put_text(o, "(features)", 10, NAME, false);
    put_figure(o, p.drift);
    put_figure(o, p.shift);
    put_figure(o, p.chance);
    out_string(o, "  ");
    if (!p.compared)
        out_string(o, "numbers of training are not kept");
    else if (p.gone)
        out_string(o, "gone: no case has a value");
    else if (p.bin_count && p.shift > 0) {
        hcbr_drift_get_column_bin(d->drift, index, 0, &b);
        put_change(o, &b);
    }
    if (p.new_count) {
        hcbr_drift_new x = {.size = sizeof x};
        hcbr_cell c = {.used = 0};
        hcbr_drift_get_new_value(d->drift, index, 0, &x);
        hcbr_cell_add_cut(&c, x.name, x.name_length, SHORT);
        put_format(o, "; %llu new, such as ", (unsigned long long)p.new_count);
        out_bytes(o, c.text, c.used);
    }
    out_row(o);
}

static void put_new_columns(drifting *d) {
    out *o = d->out;
    for (uint32_t n = 0; n < d->info.new_columns && n < d->top; n++) {
        hcbr_drift_new x = {.size = sizeof x};
        hcbr_cell c = {.used = 0};
        hcbr_drift_get_new_column(d->drift, n, &x);
        hcbr_cell_add_cut(&c, x.name, x.name_length, CHANGE);
        out_string(o, n ? ", " : "\nnew columns, which the model does not use: ");
        out_bytes(o, c.text, c.used);
    }
    if (d->info.new_columns > d->top)
        put_format(o, " and %llu more", (unsigned long long)(d->info.new_columns - d->top));
    if (d->info.new_columns && d->top)
        out_row(o);
}

static void drift_text(drifting *d) {
    static const char *const HEADS[] = {"drift", "shift", "chance"};
    out *o = d->out;
    put_verdict(d);
    for (int k = HCBR_DRIFT_LABELS; k <= HCBR_DRIFT_SCORES; k++)
        put_part(d, (hcbr_drift_kind)k);
    if (d->top && d->info.columns) {
        out_row(o);
        const size_t mark = out_mark(o);
        put_text(o, "column", 6, NAME, false);
        for (size_t i = 0; i < 3; i++)
            put_text(o, HEADS[i], strlen(HEADS[i]), FIGURE, true);
        out_string(o, "  what changed most, from training to now");
        out_row(o);
        out_style(o, mark, OUT_BOLD);
    }
    for (uint32_t n = 0; n < d->info.columns && n < d->top; n++)
        put_column(d, n);
    if (d->top && d->info.columns > d->top)
        put_format(o, "%llu more columns (--top)\n",
                   (unsigned long long)(d->info.columns - d->top));
    put_new_columns(d);
}

/* ---- the work -------------------------------------------------------------------------------- */

static int read_limit(drifting *d) {
    const char *text = args_get(d->given, "limit");
    double limit;
    if (!text)
        return EXIT_DONE;
    if (!hcbr_number_parse(&limit, text, strlen(text)) || !(limit >= 0 && limit <= 1))
        return say_usage("drift", "--limit %s: a number from 0 to 1 was expected",
                         settings_shown(text));
    d->options.limit = limit;
    return EXIT_DONE;
}

static int measure(drifting *d) {
    hcbr_error err = {0};
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    int code = EXIT_DONE;
    if (hcbr_decider_create(&decider, d->model, NULL, &err) != HCBR_OK ||
        hcbr_stream_create(&stream, decider, d->settings.paths, d->settings.path_count, &d->read,
                           &err) != HCBR_OK ||
        hcbr_drift_measure(&d->drift, d->model, stream, &d->options, &err) != HCBR_OK)
        code = term_fail(&d->term, &err);
    if (stream)
        d->skipped = hcbr_stream_skipped_count(stream);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    return code;
}

static int drift_json(drifting *d) {
    hcbr_error err = {0};
    hcbr_writer *w;
    int code = out_writer(d->out, "drift", &w);
    if (code != EXIT_DONE)
        return code;
    return term_written(&d->term, d->out, hcbr_json_drift(w, d->drift, d->skipped, &err), &err);
}

static int drift(drifting *d) {
    bool own;
    int code;
    d->top = 10;
    if ((code = read_limit(d)) ||
        (code = settings_number(d->given, "top", 0, UINT32_MAX, &d->top)) ||
        (code = settings_load(&d->settings, d->given, &d->term, &d->model, &d->read, &d->rule,
                              &own)) ||
        (code = measure(d)))
        return code;
    term_finish(&d->term);
    term_skipped(&d->term, d->skipped);
    d->info.size = sizeof d->info;
    hcbr_drift_get_info(d->drift, &d->info);
    if (!(d->out = malloc(sizeof *d->out)))
        return say_no_memory("drift");
    out_open(d->out, NULL);
    if (!args_has(d->given, "json"))
        drift_text(d);
    else if ((code = drift_json(d)))
        return code;
    code = out_close(d->out, "drift");
    return code == EXIT_DONE && d->info.drifted ? EXIT_NO : code;
}

int cmd_drift(const args *given) {
    drifting d = {.given = given};
    term_init(&d.term, "drift", args_has(given, "quiet"), args_has(given, "verbose"), true);
    hcbr_drift_options_init(&d.options);
    d.options.progress = term_progress;
    d.options.progress_context = &d.term;
    int code = drift(&d);
    term_finish(&d.term);
    if (d.out)
        out_discard(d.out);
    free(d.out);
    hcbr_drift_free(d.drift);
    hcbr_model_free(d.model);
    settings_clear(&d.settings);
    return code;
}
