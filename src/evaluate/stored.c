/*
 * A stored model, evaluated on labelled cases: a stream decides them, and the answers are one part.
 *
 * Labels are numbered by the model until all rows are read; new ones follow its own. Then all get
 * their fixed order, as if the cases had been read together with those of training.
 */
#include "evaluate/evaluate.h"

#include <math.h>
#include <time.h>

#define STAGE "evaluate"
#define TOLD 4096u /* rows between two reports */

/* Answers so far. Arrays by case; those by label have as many as the model. */
typedef struct gathering {
    const hcbr_model *model;
    const hcbr_i_rule *rule; /* the rule that decides */
    hcbr_i_labels labels;    /* of the model, then new ones */
    uint32_t *map;           /* by label: its number in the fixed order */
    uint32_t count;
    uint64_t unlabelled;
    uint32_t *truth;
    hcbr_label *label;
    uint8_t *reason;
    double *difference, *support, *probability;
    uint64_t *row, *id_start;
    char *ids;
    size_t truth_room, label_room, reason_room, difference_room, support_room, probability_room,
        row_room, id_room, text_room;
    bool keep; /* rows and ids */
} gathering;

static void gathering_clear(gathering *g) {
    hcbr_i_labels_clear(&g->labels);
    hcbr_i_free(g->map);
    hcbr_i_free(g->truth);
    hcbr_i_free(g->label);
    hcbr_i_free(g->reason);
    hcbr_i_free(g->difference);
    hcbr_i_free(g->support);
    hcbr_i_free(g->probability);
    hcbr_i_free(g->row);
    hcbr_i_free(g->id_start);
    hcbr_i_free(g->ids);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- gathering ------------------------------------------------------------------------------- */

static bool make_room(gathering *g, const hcbr_decision *d) {
    size_t n = (size_t)g->count + 1, labels = d->label_count;
    return hcbr_i_grow(&g->truth, &g->truth_room, n, sizeof *g->truth) &&
           hcbr_i_grow(&g->label, &g->label_room, n, sizeof *g->label) &&
           hcbr_i_grow(&g->reason, &g->reason_room, n, sizeof *g->reason) &&
           hcbr_i_grow(&g->difference, &g->difference_room, n, sizeof *g->difference) &&
           hcbr_i_grow(&g->support, &g->support_room, n, labels * sizeof *g->support) &&
           (!d->probability ||
            hcbr_i_grow(&g->probability, &g->probability_room, n, labels * sizeof *g->probability));
}

/* Keep row and id, for access to single answers. */
static bool keep_name(gathering *g, const hcbr_decision *d) {
    size_t n = (size_t)g->count + 2, at = g->count ? (size_t)g->id_start[g->count] : 0;
    size_t length = d->id ? d->id_length : 0;
    if (!hcbr_i_grow(&g->row, &g->row_room, n, sizeof *g->row) ||
        !hcbr_i_grow(&g->id_start, &g->id_room, n, sizeof *g->id_start) ||
        !hcbr_i_grow(&g->ids, &g->text_room, at + length + 1, 1))
        return false;
    if (length)
        memcpy(g->ids + at, d->id, length);
    g->row[g->count] = d->row;
    g->id_start[g->count] = at;
    g->id_start[g->count + 1] = at + length;
    return true;
}

static hcbr_status keep_answer(gathering *g, const hcbr_decision *d, hcbr_error *err) {
    uint32_t truth;
    if (!d->given) {
        g->unlabelled++;
        return HCBR_OK;
    }
    if (g->count == UINT32_MAX - 1)
        return hcbr_i_fail(err, HCBR_EDATA, "found more than %u labelled cases", UINT32_MAX - 1);
    hcbr_status st = hcbr_i_labels_intern(&g->labels, d->given, d->given_length, &truth, err);
    if (st != HCBR_OK)
        return st;
    if (!make_room(g, d) || (g->keep && !keep_name(g, d)))
        return hcbr_i_no_memory(err);
    size_t n = g->count++, labels = d->label_count;
    g->truth[n] = truth;
    g->label[n] = d->label;
    g->reason[n] = (uint8_t)d->reason;
    memcpy(g->support + n * labels, d->support, labels * sizeof *g->support);
    if (d->probability)
        memcpy(g->probability + n * labels, d->probability, labels * sizeof *g->probability);
    // the lead is exact; the difference of two supports may have lost digits
    g->difference[n] = labels != 2      ? 0
                       : d->winner >= 0 ? (d->winner ? d->lead : -d->lead)
                                        : d->support[1] - d->support[0];
    return HCBR_OK;
}

static hcbr_status gather(gathering *g, hcbr_stream *stream, const hcbr_evaluate_options *o,
                          hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    for (uint64_t rows = 1;; rows++) {
        int more = 0;
        hcbr_status st = hcbr_stream_next(stream, &d, &more, err);
        if (st != HCBR_OK || !more)
            return st;
        if ((st = keep_answer(g, &d, err)) != HCBR_OK)
            return st;
        if (rows % TOLD == 0 && o->progress &&
            o->progress(o->progress_context, STAGE, rows, 0) != 0)
            return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
    }
}

/* ---- the part -------------------------------------------------------------------------------- */

/* Values by label of the model become values by label of all. */
static double *spread(const double *from, const gathering *g, uint32_t labels, uint32_t all) {
    double *to = hcbr_i_alloc_zero(g->count, (size_t)all * sizeof *to);
    for (size_t n = 0; to && n < g->count; n++)
        for (uint32_t l = 0; l < labels; l++)
            to[n * all + g->map[l]] = from[n * labels + l];
    return to;
}

/* Numbers in the fixed order of all labels. */
static hcbr_status order_labels(gathering *g, hcbr_error *err) {
    if (!(g->map = hcbr_i_alloc(g->labels.count, sizeof *g->map)))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_labels_sort(&g->labels, g->map, err);
    for (uint32_t n = 0; st == HCBR_OK && n < g->count; n++) {
        g->truth[n] = g->map[g->truth[n]];
        if (g->label[n] >= 0)
            g->label[n] = (hcbr_label)g->map[g->label[n]];
    }
    return st;
}

/* Of two labels, the model's and only them, the difference is exact. */
static const double *differences(gathering *g, uint32_t labels, uint32_t all) {
    if (all != 2 || labels != 2)
        return NULL;
    for (uint32_t n = 0; g->map[0] == 1 && n < g->count; n++)
        g->difference[n] = -g->difference[n];
    return g->difference;
}

static hcbr_status fill_part(hcbr_evaluation *e, gathering *g, hcbr_error *err) {
    hcbr_i_eval_part *part = e->parts;
    uint32_t labels = g->model->labels.count, all = e->labels.count;
    hcbr_status st = HCBR_OK;
    double *share = hcbr_i_alloc_zero(all, sizeof *share);
    uint32_t *cost_label = hcbr_i_alloc(all, sizeof *cost_label);
    part->test = hcbr_i_alloc(g->count, sizeof *part->test);
    part->copy = hcbr_i_alloc_zero(g->count, 1);
    part->support = spread(g->support, g, labels, all);
    if (g->probability)
        part->probability = spread(g->probability, g, labels, all);
    if (!share || !cost_label || !part->test || !part->copy || !part->support ||
        (g->probability && !part->probability))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        double sum = 0;
        for (uint32_t l = 0; l < all; l++)
            cost_label[l] = HCBR_I_NONE;
        for (uint32_t l = 0; l < labels; l++) {
            cost_label[g->map[l]] = l;
            sum += share[g->map[l]] = hcbr_i_model_label_weight(g->model, l);
        }
        for (uint32_t l = 0; l < all; l++)
            share[l] /= sum;
        for (uint32_t n = 0; n < g->count; n++)
            part->test[n] = n;
        hcbr_i_answers answers = {
            g->count,          all, g->truth, g->label, differences(g, labels, all), part->support,
            part->probability, NULL};
        hcbr_i_measured what = {share, e->positive, HCBR_LABEL_UNKNOWN, NULL, cost_label};
        part->has_costs = g->rule->costs.by_given != NULL;
        part->has_cut = g->rule->has_cut;
        if (part->has_costs)
            what.costs = &g->rule->costs;
        part->trained_weight = sum;
        part->held_weight = g->count;
        part->copies = NAN; // past cases need not be kept
        part->probabilities = part->probability != NULL;
        st = hcbr_i_eval_part_measure(part, &answers, &what, err);
    }
    part->label = g->label; // now the part's
    part->reason = g->reason;
    g->label = NULL;
    g->reason = NULL;
    if (all == 2 && labels == 2) {
        part->difference = g->difference;
        g->difference = NULL;
    }
    hcbr_i_free(share);
    hcbr_i_free(cost_label);
    return st;
}

/* Single answers, in the order of the rows. */
static hcbr_status keep_answers(hcbr_evaluation *e, gathering *g, hcbr_error *err) {
    if (!(e->answers = hcbr_i_alloc(g->count, sizeof *e->answers)))
        return hcbr_i_no_memory(err);
    for (uint32_t n = 0; n < g->count; n++)
        e->answers[n] = n;
    e->answer_count = g->count;
    e->truth = g->truth;
    e->row = g->row;
    e->ids = g->ids;
    e->id_start = g->id_start;
    g->truth = NULL; // now the evaluation's
    g->row = g->id_start = NULL;
    g->ids = NULL;
    return HCBR_OK;
}

/* ---- the whole result ------------------------------------------------------------------------ */

static hcbr_status evaluate(hcbr_evaluation *e, gathering *g, hcbr_stream *stream,
                            const hcbr_evaluate_options *o, hcbr_error *err) {
    hcbr_model_info info = {.size = sizeof info};
    double begin = seconds();
    g->keep = o->keep_answers;
    hcbr_status st = hcbr_i_labels_copy(&g->labels, &g->model->labels, err);
    if (st == HCBR_OK)
        st = gather(g, stream, o, err);
    if (st == HCBR_OK && g->count == 0)
        st = hcbr_i_fail(err, HCBR_EDATA,
                         "found no labelled case among %llu, expected the label of each in the "
                         "column that training had",
                         (unsigned long long)g->unlabelled);
    if (st == HCBR_OK)
        st = order_labels(g, err);
    e->labels = g->labels; // now the evaluation's
    g->labels = (hcbr_i_labels){0};
    if (st == HCBR_OK)
        st = hcbr_i_find_positive(&e->positive, o->positive, &e->labels, err);
    if (st == HCBR_OK && !(e->parts = hcbr_i_alloc_zero(1, sizeof *e->parts)))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK)
        return st;
    hcbr_model_get_info(g->model, &info);
    e->part_count = e->fold_count = e->repeats = 1;
    e->case_count = g->count;
    e->feature_count = info.features;
    for (int m = 0; m < HCBR_METRIC_END; m++)
        e->parts->value[m] = e->parts->baseline[m] = NAN;
    e->parts->value[HCBR_METRIC_FEATURES] = info.features;
    e->parts->value[HCBR_METRIC_ATOMS] = info.atoms;
    e->parts->value[HCBR_METRIC_PREDICT] = seconds() - begin;
    e->parts->trained = (uint32_t)info.cases;
    e->parts->held_out = g->count;
    e->parts->labels = g->model->labels.count;
    st = fill_part(e, g, err);
    if (st == HCBR_OK)
        st = hcbr_i_evaluation_merge(e, g->truth, NULL, err);
    if (st == HCBR_OK && o->keep_answers)
        st = keep_answers(e, g, err);
    else if (st == HCBR_OK)
        hcbr_i_evaluation_drop(e);
    return st;
}

static void warn(const gathering *g, const hcbr_evaluation *e, const hcbr_evaluate_options *o) {
    uint32_t extra = e->labels.count - g->model->labels.count;
    if (g->unlabelled)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "%llu case%s without a label: left out", (unsigned long long)g->unlabelled,
                      g->unlabelled == 1 ? "" : "s");
    if (extra)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "%u label%s that the model does not know: %s cases are decided wrongly",
                      extra, extra == 1 ? "" : "s", extra == 1 ? "its" : "their");
}

hcbr_status hcbr_evaluate_stream(hcbr_evaluation **out, const hcbr_model *model,
                                 hcbr_stream *stream, const hcbr_evaluate_options *options,
                                 hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, model, stream) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_evaluate_options o;
    gathering g = {.model = model, .rule = hcbr_i_stream_rule(stream)};
    hcbr_evaluate_options_init(&o);
    if (options)
        o = *options;
    hcbr_evaluation *e = hcbr_i_alloc_zero(1, sizeof *e);
    if (!e)
        return hcbr_i_no_memory(err);
    e->seed = o.seed;
    e->at = o.at;
    hcbr_status st = evaluate(e, &g, stream, &o, err);
    if (st == HCBR_OK) {
        warn(&g, e, &o);
        *out = e;
        e = NULL; // now the caller's
    }
    hcbr_evaluation_free(e);
    gathering_clear(&g);
    return st;
}
