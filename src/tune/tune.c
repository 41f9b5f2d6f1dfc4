/*
 * Tuning: the number of passes, the scope and the rule, chosen on held-out cases.
 *
 * Passes and scope are those whose largest support decides the held-out cases best. If a model has
 * probabilities, costs need no choice: the least expected cost decides. Otherwise two labels get a
 * cut of the score, so that a decision never changes back as the score rises, and more labels get
 * the thresholds of rule R2. Both are found in two ways: in each held-out part alone and averaged
 * over the parts, as the paper does, and in all parts together. Which way is better, and whether it
 * is better than no threshold, is measured on each part with what the other parts give, because a
 * threshold always looks good where it was chosen. A limit on the error is found over all parts
 * together, since a bound needs all cases.
 *
 * Values of points are whole numbers of a unit, so that sums do not depend on their order.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>

#define UNIT 1048576.0       /* of a value: sums of 2^32 costs are exact */
#define ANSWER_NOTHING 1e150 /* a least support that no case has */

typedef struct tuning {
    const struct hcbr_cases *cases;
    const hcbr_tune_options *options;
    hcbr_i_tuned *out;
    uint32_t labels;
    uint32_t positive;
    bool probable;      /* supports are probabilities */
    bool calibrated;    /* they will become probabilities */
    hcbr_i_costs costs; /* by_given is NULL: 1 for every wrong answer */
    double unit;        /* of a value */
    hcbr_i_eta_point *points;
    uint32_t *point_of; /* cases of the points, while a label is tuned */
    double *truths;     /* weight of them, by label */
    hcbr_i_cut_point *scores;
    uint32_t left_out;   /* a part that is not looked at; HCBR_I_NONE: none */
    hcbr_i_eta *by_part; /* while they are compared: thresholds for each part, by label */
    hcbr_cut *cuts;      /* the same: cuts */
    const hcbr_i_heldout_options *watch; /* whose progress it is */
    uint64_t done, steps;                /* labels of parts, or parts */
} tuning;

void(hcbr_tune_options_init)(hcbr_tune_options *options, size_t size) {
    static const hcbr_tune_options full = {.size = sizeof full,
                                           .goal = HCBR_GOAL_ACCURACY,
                                           .cost_fp = 1,
                                           .cost_fn = 1,
                                           .cost_unknown = -1,
                                           .confidence = 0.95,
                                           .folds = 10};
    hcbr_i_set_defaults(options, size, &full, sizeof full);
}

void hcbr_i_tuned_clear(hcbr_i_tuned *tuned) {
    hcbr_i_free(tuned->eta);
    hcbr_i_free(tuned->fallback);
    hcbr_i_costs_clear(&tuned->costs);
    hcbr_i_heldout_clear(&tuned->heldout);
    *tuned = (hcbr_i_tuned){0};
}

/** Before a step, and after the last: report, and ask whether to stop. */
static hcbr_status step(tuning *t, hcbr_error *err) {
    const hcbr_i_heldout_options *o = t->watch;
    if (!o->progress || o->progress(o->progress_context, "tune", t->done++, t->steps) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static bool is_pair_goal(hcbr_goal goal) {
    return goal == HCBR_GOAL_BALANCED || goal == HCBR_GOAL_F1 || goal == HCBR_GOAL_MCC;
}

static hcbr_status check(const tuning *t, hcbr_error *err) {
    const hcbr_tune_options *o = t->options;
    if (o->goal <= HCBR_GOAL_NONE || o->goal > HCBR_GOAL_MAX_ERROR)
        return hcbr_i_fail(err, HCBR_EUSAGE, "goal %d, expected one to tune for", (int)o->goal);
    if (o->folds < 2)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u parts, expected at least 2", o->folds);
    if (o->goal == HCBR_GOAL_MAX_ERROR && !(o->max_error > 0 && o->max_error < 1))
        return hcbr_i_fail(err, HCBR_EUSAGE, "largest error %g, expected above 0 and below 1",
                           o->max_error);
    if (o->goal == HCBR_GOAL_MAX_ERROR && !(o->confidence > 0 && o->confidence < 1))
        return hcbr_i_fail(err, HCBR_EUSAGE, "confidence %g, expected above 0 and below 1",
                           o->confidence);
    if (is_pair_goal(o->goal) && t->labels > 2)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "%u labels, expected two to tune for this measure (accuracy, costs and "
                           "a largest error take any number)",
                           t->labels);
    if (!(o->cost_fp >= 0 && o->cost_fp <= HCBR_I_MOST_COST && o->cost_fn >= 0 &&
          o->cost_fn <= HCBR_I_MOST_COST && o->cost_unknown <= HCBR_I_MOST_COST))
        return hcbr_i_fail(err, HCBR_EUSAGE, "costs %g, %g and %g, expected 0 to 1e6", o->cost_fp,
                           o->cost_fn, o->cost_unknown);
    if (o->goal == HCBR_GOAL_COST && t->labels > 2 && o->cost_count == 0 &&
        (o->cost_fp != 1 || o->cost_fn != 1))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "%u labels, expected two for costs of a false positive and a false "
                           "negative; list the costs of pairs of labels",
                           t->labels);
    return HCBR_OK;
}

static uint32_t find_label(const tuning *t, const char *name, hcbr_notify_fn *warn, void *context) {
    char quoted[200];
    uint32_t label = hcbr_i_labels_find(&t->cases->labels, name, strlen(name));
    if (label == HCBR_I_NONE)
        hcbr_i_notify(warn, context, HCBR_WARNING, NULL, 0, 0, "no case has the label %s",
                      hcbr_i_quote(quoted, name, strlen(name)));
    return label;
}

static hcbr_status make_costs(tuning *t, hcbr_notify_fn *warn, void *context, hcbr_error *err) {
    const hcbr_tune_options *o = t->options;
    const hcbr_i_labels *labels = &t->cases->labels;
    hcbr_cost sides[3];
    const hcbr_cost *list = o->costs;
    size_t count = o->cost_count;
    if (o->goal != HCBR_GOAL_COST)
        return HCBR_OK;
    if (count == 0) {
        list = sides;
        if (t->labels == 2) {
            const char *positive = labels->names[t->positive];
            const char *negative = labels->names[1 - t->positive];
            sides[count++] = (hcbr_cost){negative, positive, o->cost_fp};
            sides[count++] = (hcbr_cost){positive, negative, o->cost_fn};
        }
        if (o->cost_unknown >= 0)
            sides[count++] = (hcbr_cost){NULL, NULL, o->cost_unknown};
    }
    hcbr_status st = hcbr_i_costs_make(&t->costs, labels, list, count, warn, context, err);
    if (st == HCBR_OK && t->costs.refuses && t->labels > 2 && !t->probable && !t->calibrated)
        st = hcbr_i_fail(err, HCBR_EUSAGE,
                         "a price of no decision and %u labels, expected a model with "
                         "probabilities: a rich or a calibrated one",
                         t->labels);
    return st;
}

/** Of giving a label or nothing. */
static double cost_of(const tuning *t, uint32_t truth, hcbr_label given) {
    return t->costs.by_given ? hcbr_i_costs_of(&t->costs, truth, given)
                             : given != (hcbr_label)truth;
}

/** Do probabilities and costs decide, so that there is nothing to choose? */
static bool by_expected_cost(const tuning *t) {
    return t->costs.by_given && (t->probable || t->calibrated);
}

static double weight_of(const hcbr_i_heldout *h, uint32_t i) {
    return h->weight ? h->weight[i] : 1;
}

/* ---- how good decisions are ------------------------------------------------------------------ */

double hcbr_i_heldout_share(const hcbr_i_heldout *h, uint32_t i, uint32_t winner) {
    const double *support = h->support + (size_t)i * h->label_count;
    double other = 0;
    bool any = false;
    for (uint32_t l = 0; l < h->label_count; l++)
        if (l != winner && (!any || support[l] > other)) {
            other = support[l];
            any = true;
        }
    return any ? hcbr_i_eta_share(support[winner], other) : 1;
}

/** The score of the second of two labels. */
static double score_of(const tuning *t, const hcbr_i_heldout *h, uint32_t i) {
    if (t->probable)
        return h->support[(size_t)i * 2 + 1];
    return h->winner[i] == 1 ? h->lead[i] : -h->lead[i];
}

/** The answer to held-out case i by the rule chosen so far. */
static hcbr_label answer(const tuning *t, const hcbr_i_heldout *h, uint32_t i) {
    hcbr_label l = h->winner[i];
    const hcbr_i_tuned *out = t->out;
    if (l == HCBR_LABEL_UNKNOWN)
        return l;
    if (t->cuts || out->has_cut)
        return hcbr_i_cut_decide(t->cuts ? t->cuts[h->fold[i]] : out->cut, score_of(t, h, i));
    if (out->costs.by_given)
        return hcbr_i_costs_decide(&out->costs, h->support + (size_t)i * h->label_count);
    if (!out->eta)
        return l;
    const hcbr_i_eta *eta = t->by_part ? t->by_part + (size_t)h->fold[i] * t->labels : out->eta;
    double support = h->support[(size_t)i * h->label_count + (uint32_t)l];
    if (hcbr_i_eta_passes(eta[l], support, hcbr_i_heldout_share(h, i, (uint32_t)l)))
        return l;
    return out->fallback[l];
}

static hcbr_i_measure measure_of(hcbr_goal goal) {
    return goal == HCBR_GOAL_BALANCED ? HCBR_I_BALANCED
           : goal == HCBR_GOAL_F1     ? HCBR_I_F1
           : goal == HCBR_GOAL_MCC    ? HCBR_I_MCC
                                      : HCBR_I_ACCURACY;
}

/** The measure that is tuned for, over all held-out cases; larger is better. */
static double measure(const tuning *t, const hcbr_i_heldout *h) {
    double right = 0, cost = 0, decided[2] = {0, 0}, all[2] = {0, 0};
    for (uint32_t i = 0; i < h->case_count; i++) {
        uint32_t truth = h->label[i], other = truth != t->positive;
        hcbr_label given = answer(t, h, i);
        double w = weight_of(h, i);
        right += given == (hcbr_label)truth ? w : 0;
        cost += w * cost_of(t, truth, given);
        all[other] += w;
        decided[other] += given == (hcbr_label)t->positive ? w : 0;
    }
    double count = all[0] + all[1];
    if (is_pair_goal(t->options->goal))
        return hcbr_i_measure_value(measure_of(t->options->goal), decided[0], decided[1], all[0],
                                    all[1]);
    if (count <= 0)
        return 0;
    return t->options->goal == HCBR_GOAL_COST ? -cost / count : right / count;
}

/* ---- passes and scope ------------------------------------------------------------------------ */

static hcbr_status choose_build(tuning *t, const hcbr_i_heldout_options *held, hcbr_error *err) {
    const hcbr_tune_options *o = t->options;
    size_t choices = o->passes && o->pass_count ? o->pass_count : 1;
    int scopes = o->choose_scope ? 2 : 1;
    double best = 0;
    hcbr_status st = HCBR_OK;
    for (int scope = 0; st == HCBR_OK && scope < scopes; scope++)
        for (size_t p = 0; st == HCBR_OK && p < choices; p++) {
            hcbr_i_heldout_options one = *held;
            hcbr_i_heldout h;
            one.folds = o->folds;
            one.round = (uint32_t)(scope ? choices + p : p);
            one.rounds = (uint32_t)(choices * (size_t)scopes);
            if (o->choose_scope)
                one.scope = scope ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
            if (o->passes && o->pass_count)
                one.passes = o->passes[p];
            if ((st = hcbr_i_heldout_make(&h, t->cases, &one, err)) != HCBR_OK)
                break;
            double value = measure(t, &h);
            bool first = !t->out->heldout.support;
            if (first || value > best) {
                hcbr_i_heldout_clear(&t->out->heldout);
                t->out->heldout = h;
                t->out->scope = one.scope;
                t->out->passes = one.passes;
                best = value;
            } else {
                hcbr_i_heldout_clear(&h);
            }
        }
    return st;
}

/* ---- thresholds ------------------------------------------------------------------------------ */

/** Is a case's part the one looked at, or one of all (HCBR_I_NONE) but the one left out? */
static bool is_in(const tuning *t, uint32_t part, uint32_t fold) {
    return fold == HCBR_I_NONE ? part != t->left_out : part == fold;
}

/** The held-out cases of a part that a label wins. Returns how many. */
static size_t collect(tuning *t, uint32_t fold, uint32_t l) {
    const hcbr_i_heldout *h = &t->out->heldout;
    size_t count = 0;
    for (uint32_t i = 0; i < h->case_count; i++)
        if (h->winner[i] == (hcbr_label)l && is_in(t, h->fold[i], fold)) {
            t->points[count] =
                (hcbr_i_eta_point){.support = h->support[(size_t)i * h->label_count + l],
                                   .share = hcbr_i_heldout_share(h, i, l)};
            t->point_of[count++] = i;
        }
    return count;
}

/** The label to give if label l is not sure enough: the one that costs least when l is wrong. */
static hcbr_label choose_fallback(tuning *t, uint32_t l) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_label best = HCBR_LABEL_UNKNOWN;
    double least = 0;
    size_t count = collect(t, HCBR_I_NONE, l);
    memset(t->truths, 0, t->labels * sizeof *t->truths);
    for (size_t n = 0; n < count; n++)
        t->truths[h->label[t->point_of[n]]] += weight_of(h, t->point_of[n]);
    for (uint32_t f = 0; f < t->labels; f++) {
        double cost = 0;
        for (uint32_t truth = 0; truth < t->labels; truth++)
            if (truth != l)
                cost += t->truths[truth] * cost_of(t, truth, (hcbr_label)f);
        if (f != l && (best == HCBR_LABEL_UNKNOWN || cost < least)) {
            best = (hcbr_label)f;
            least = cost;
        }
    }
    return best;
}

/** Accuracy and costs are sums over cases, so each label is tuned separately. */
static hcbr_status tune_label(tuning *t, uint32_t fold, uint32_t l, hcbr_i_eta *out,
                              hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_i_eta_candidate *found;
    size_t count = collect(t, fold, l), found_count;
    hcbr_label fallback = t->out->fallback[l];
    hcbr_status st = step(t, err);
    if (st != HCBR_OK)
        return st;
    for (size_t n = 0; n < count; n++) {
        uint32_t i = t->point_of[n], truth = h->label[i];
        double value = cost_of(t, truth, fallback) - cost_of(t, truth, (hcbr_label)l);
        t->points[n].value = (int64_t)floor(weight_of(h, i) * value * t->unit + 0.5);
        t->points[n].right = value > 0;
    }
    st = hcbr_i_eta_candidates(t->points, count, &found, &found_count, err);
    if (st == HCBR_OK)
        *out = found[hcbr_i_eta_best(found, found_count)].eta;
    hcbr_i_free(found);
    return st;
}

static hcbr_status make_thresholds(tuning *t, hcbr_error *err) {
    t->out->eta = hcbr_i_alloc_zero(t->labels, sizeof *t->out->eta);
    t->out->fallback = hcbr_i_alloc_zero(t->labels, sizeof *t->out->fallback);
    t->points = hcbr_i_alloc(t->out->heldout.case_count, sizeof *t->points);
    t->point_of = hcbr_i_alloc(t->out->heldout.case_count, sizeof *t->point_of);
    t->truths = hcbr_i_alloc(t->labels, sizeof *t->truths);
    if (!t->out->eta || !t->out->fallback || !t->points || !t->point_of || !t->truths)
        return hcbr_i_no_memory(err);
    double sum = 0;
    for (uint32_t i = 0; i < t->out->heldout.case_count; i++)
        sum += weight_of(&t->out->heldout, i);
    // Few cases and unweighted ones have the usual unit; sums of all values are below 2^61.
    t->unit = sum < 0x1p40 ? UNIT : ldexp(1, 60 - ilogb(sum));
    return HCBR_OK;
}

/** Thresholds of all labels from one part, or from all parts together (HCBR_I_NONE). */
static hcbr_status tune_part(tuning *t, uint32_t fold, hcbr_i_eta *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t l = 0; st == HCBR_OK && l < t->labels; l++)
        st = tune_label(t, fold, l, &out[l], err);
    return st;
}

/** Thresholds of every part by itself. */
static hcbr_status tune_parts(tuning *t, hcbr_i_eta *own, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t fold = 0; st == HCBR_OK && fold < t->out->heldout.fold_count; fold++)
        st = tune_part(t, fold, own + (size_t)fold * t->labels, err);
    return st;
}

/** The mean over the parts but one (HCBR_I_NONE: all) of their own thresholds. */
static void mean_but(const tuning *t, const hcbr_i_eta *own, uint32_t but, hcbr_i_eta *out) {
    uint32_t folds = t->out->heldout.fold_count, count = folds - (but != HCBR_I_NONE);
    for (uint32_t l = 0; l < t->labels; l++) {
        out[l] = (hcbr_i_eta){0, 0};
        for (uint32_t fold = 0; fold < folds; fold++) {
            hcbr_i_eta one = own[(size_t)fold * t->labels + l];
            if (fold == but)
                continue;
            out[l].support += one.support / count;
            // No share and one half mean the same, but only one half has the scale of the others.
            out[l].share += (one.share > 0.5 ? one.share - 0.5 : 0) / count;
        }
        out[l].share += out[l].share > 0 ? 0.5 : 0;
    }
}

/**
 * How good thresholds are that are chosen as the mean over the parts, or on all parts together.
 * Every part is decided with what the others chose.
 */
static hcbr_status judge(tuning *t, const hcbr_i_eta *own, bool together, double *value,
                         hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_status st = HCBR_OK;
    hcbr_i_eta *by_part = hcbr_i_alloc((size_t)h->fold_count * t->labels, sizeof *by_part);
    if (!by_part)
        return hcbr_i_no_memory(err);
    for (uint32_t fold = 0; st == HCBR_OK && fold < h->fold_count; fold++) {
        hcbr_i_eta *to = by_part + (size_t)fold * t->labels;
        t->left_out = fold;
        if (together) {
            memset(to, 0, t->labels * sizeof *to);
            st = tune_part(t, HCBR_I_NONE, to, err);
        } else {
            mean_but(t, own, fold, to);
        }
    }
    t->left_out = HCBR_I_NONE;
    t->by_part = by_part;
    if (st == HCBR_OK)
        *value = measure(t, h);
    t->by_part = NULL;
    hcbr_i_free(by_part);
    return st;
}

static void say_why(const tuning *t, double before, double after) {
    static const char *const names[] = {"", "accuracy", "balanced accuracy", "f1", "mcc", "cost"};
    double sign = t->costs.by_given ? -1 : 1;
    uint32_t folds = t->out->heldout.fold_count;
    if (after > before)
        snprintf(t->out->why, sizeof t->out->why,
                 "%s %.4f without thresholds, %.4f with them, on %u held-out parts judged by what "
                 "the others chose",
                 names[t->options->goal], sign * before, sign * after, folds);
    else
        snprintf(t->out->why, sizeof t->out->why,
                 "%s %.4f on %u held-out parts; thresholds chosen on some were no better on others",
                 names[t->options->goal], sign * before, folds);
}

/** The better of the mean over the parts and of all parts together; none if neither helps. */
static hcbr_status tune_thresholds(tuning *t, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    double before = measure(t, h), mean = 0, all = 0; // no thresholds yet
    hcbr_i_eta *own = hcbr_i_alloc_zero((size_t)h->fold_count * t->labels, sizeof *own);
    hcbr_status st = own ? make_thresholds(t, err) : hcbr_i_no_memory(err);
    t->steps = (uint64_t)t->labels * (2 + 2 * h->fold_count);
    for (uint32_t l = 0; st == HCBR_OK && l < t->labels; l++)
        if ((st = step(t, err)) == HCBR_OK)
            t->out->fallback[l] = choose_fallback(t, l);
    if (st == HCBR_OK && (st = tune_parts(t, own, err)) == HCBR_OK &&
        (st = judge(t, own, false, &mean, err)) == HCBR_OK &&
        (st = judge(t, own, true, &all, err)) == HCBR_OK) {
        if (all > mean && all > before)
            st = tune_part(t, HCBR_I_NONE, t->out->eta, err);
        else if (mean > before)
            mean_but(t, own, HCBR_I_NONE, t->out->eta);
        say_why(t, before, all > mean ? all : mean);
    }
    hcbr_i_free(own);
    return st;
}

/* ---- a cut of two labels --------------------------------------------------------------------- */

static hcbr_i_cut_goal goal_of(const tuning *t, uint32_t fold) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_i_cut_goal goal = {.by_cost = t->costs.by_given != NULL,
                            .refuses = t->costs.refuses,
                            .measure = measure_of(t->options->goal),
                            .positive = (int)t->positive,
                            .neutral = t->probable ? 0.5 : 0,
                            .least = t->probable ? 0 : -INFINITY,
                            .most = t->probable ? 1 : INFINITY};
    for (uint32_t truth = 0; truth < 2; truth++)
        for (int given = 0; given < 3; given++)
            goal.cost[truth][given] = cost_of(t, truth, given < 2 ? given : HCBR_LABEL_UNKNOWN);
    for (uint32_t i = 0; i < h->case_count; i++)
        if (is_in(t, h->fold[i], fold))
            goal.all[h->label[i]] += weight_of(h, i);
    return goal;
}

/** The cut of one part, or of all parts together (HCBR_I_NONE). */
static hcbr_status cut_part(tuning *t, uint32_t fold, hcbr_cut *out, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_i_cut_goal goal = goal_of(t, fold);
    size_t count = 0;
    hcbr_status st = step(t, err);
    if (st != HCBR_OK)
        return st;
    for (uint32_t i = 0; i < h->case_count; i++)
        if (h->winner[i] != HCBR_LABEL_UNKNOWN && is_in(t, h->fold[i], fold))
            t->scores[count++] =
                (hcbr_i_cut_point){score_of(t, h, i), weight_of(h, i), h->label[i] == 1};
    return hcbr_i_cut_best(out, t->scores, count, &goal, err);
}

/** The mean of the cuts of all parts but one (HCBR_I_NONE: of all). */
static hcbr_cut mean_cut(const tuning *t, const hcbr_cut *own, uint32_t but) {
    uint32_t folds = t->out->heldout.fold_count, count = folds - (but != HCBR_I_NONE);
    hcbr_cut mean = {0, 0};
    for (uint32_t fold = 0; fold < folds; fold++)
        if (fold != but) {
            mean.low += own[fold].low / count;
            mean.high += own[fold].high / count;
        }
    return mean;
}

/** As judge(), for cuts. */
static hcbr_status judge_cuts(tuning *t, const hcbr_cut *own, hcbr_cut *room, bool together,
                              double *value, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_status st = HCBR_OK;
    for (uint32_t fold = 0; st == HCBR_OK && fold < h->fold_count; fold++) {
        t->left_out = fold;
        if (together)
            st = cut_part(t, HCBR_I_NONE, &room[fold], err);
        else
            room[fold] = mean_cut(t, own, fold);
    }
    t->left_out = HCBR_I_NONE;
    t->cuts = room;
    if (st == HCBR_OK)
        *value = measure(t, h);
    t->cuts = NULL;
    return st;
}

/** The better of the mean over the parts and of all parts together; none if neither helps. */
static hcbr_status tune_cut(tuning *t, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    double before = measure(t, h), mean = 0, all = 0;
    hcbr_cut *own = hcbr_i_alloc(h->fold_count, 2 * sizeof *own), cut = {0, 0};
    t->scores = hcbr_i_alloc(h->case_count, sizeof *t->scores);
    hcbr_status st = own && t->scores ? HCBR_OK : hcbr_i_no_memory(err);
    t->steps = 1 + 2 * (uint64_t)h->fold_count;
    for (uint32_t fold = 0; st == HCBR_OK && fold < h->fold_count; fold++)
        st = cut_part(t, fold, &own[fold], err);
    if (st == HCBR_OK &&
        (st = judge_cuts(t, own, own + h->fold_count, false, &mean, err)) == HCBR_OK &&
        (st = judge_cuts(t, own, own + h->fold_count, true, &all, err)) == HCBR_OK) {
        if (all > mean && all > before)
            st = cut_part(t, HCBR_I_NONE, &cut, err);
        else if (mean > before)
            cut = mean_cut(t, own, HCBR_I_NONE);
        t->out->has_cut = all > before || mean > before;
        t->out->cut = cut;
        say_why(t, before, all > mean ? all : mean);
    }
    hcbr_i_free(own);
    return st;
}

/** Nothing is chosen: the least expected cost is only reported. */
static hcbr_status take_costs(tuning *t, hcbr_error *err) {
    double before = measure(t, &t->out->heldout);
    hcbr_status st = hcbr_i_costs_copy(&t->out->costs, &t->costs, err);
    if (st != HCBR_OK)
        return st;
    if (t->probable)
        snprintf(t->out->why, sizeof t->out->why,
                 "least expected cost: %.4f on held-out cases, %.4f by the most probable label",
                 -measure(t, &t->out->heldout), -before);
    else
        snprintf(t->out->why, sizeof t->out->why,
                 "least expected cost by calibrated probabilities");
    return HCBR_OK;
}

/* ---- a largest error ------------------------------------------------------------------------- */

/** How sure a decision is: with two labels the score of the winner, so that the answer is a cut. */
static double sureness(const tuning *t, const hcbr_i_heldout *h, uint32_t i) {
    if (t->labels > 2)
        return hcbr_i_heldout_share(h, i, (uint32_t)h->winner[i]);
    double score = score_of(t, h, i);
    return h->winner[i] == 1 ? score : (t->probable ? 1 : 0) - score;
}

static hcbr_status limit_error(tuning *t, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    const hcbr_tune_options *o = t->options;
    hcbr_i_limit limit;
    size_t count = 0;
    hcbr_status st = make_thresholds(t, err);
    hcbr_i_answer *answers = hcbr_i_alloc(h->case_count, sizeof *answers);
    if (st == HCBR_OK && !answers)
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK) {
        hcbr_i_free(answers);
        return st;
    }
    double all = 0;
    for (uint32_t i = 0; i < h->case_count; i++) {
        all += weight_of(h, i);
        if (h->winner[i] != HCBR_LABEL_UNKNOWN)
            answers[count++] = (hcbr_i_answer){.sure = sureness(t, h, i),
                                               .weight = weight_of(h, i),
                                               .wrong = h->winner[i] != (hcbr_label)h->label[i]};
    }
    hcbr_i_limit_find(answers, count, o->max_error, 1 - o->confidence, &limit);
    hcbr_i_eta eta = {0, 0};
    if (limit.answered == 0)
        eta.support = ANSWER_NOTHING;
    else if (limit.above > -INFINITY && t->labels > 2) // half-way, so that no rounding decides
        eta.share = (limit.least + limit.above) / 2;
    else if (limit.above > -INFINITY) {
        double high = limit.above + (limit.least - limit.above) / 2;
        t->out->has_cut = true;
        t->out->cut = (hcbr_cut){(t->probable ? 1 : 0) - high, high};
    }
    for (uint32_t l = 0; l < t->labels; l++) {
        t->out->eta[l] = eta;
        t->out->fallback[l] = HCBR_LABEL_UNKNOWN;
    }
    double share = all > 0 ? 100.0 * (double)limit.answered / all : 0;
    if (limit.answered)
        snprintf(
            t->out->why, sizeof t->out->why,
            "error at most %g with confidence %g: %.1f %% of %.10g held-out cases are answered, "
            "%llu of %llu of them wrong (bound %.4f)",
            o->max_error, o->confidence, share, all, (unsigned long long)limit.wrong,
            (unsigned long long)limit.answered, limit.bound);
    else
        snprintf(t->out->why, sizeof t->out->why,
                 "error at most %g with confidence %g: nothing is answered, since among %.10g "
                 "held-out cases no part is known to be that good",
                 o->max_error, o->confidence, all);
    hcbr_i_free(answers);
    return HCBR_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

hcbr_status hcbr_i_tune_run(hcbr_i_tuned *out, const struct hcbr_cases *cases,
                            const hcbr_tune_options *options, const hcbr_i_heldout_options *held,
                            hcbr_i_heldout *given, bool calibrated, hcbr_notify_fn *warn,
                            void *warn_context, hcbr_error *err) {
    hcbr_tune_options o;
    hcbr_tune_options_init(&o);
    hcbr_i_take_in(&o, sizeof o, options);
    *out = (hcbr_i_tuned){.scope = held->scope, .passes = held->passes};
    tuning t = {.cases = cases,
                .options = &o,
                .out = out,
                .labels = cases->labels.count,
                .probable = given != NULL,
                .calibrated = calibrated,
                .left_out = HCBR_I_NONE,
                .watch = held,
                .steps = 1};
    t.positive = t.labels - 1;
    hcbr_status st = check(&t, err);
    if (st == HCBR_OK && o.positive) {
        uint32_t label = find_label(&t, o.positive, warn, warn_context);
        t.positive = label == HCBR_I_NONE ? t.positive : label;
    }
    if (st == HCBR_OK)
        st = make_costs(&t, warn, warn_context, err);
    if (st == HCBR_OK && given) {
        out->heldout = *given;
        *given = (hcbr_i_heldout){0};
    } else if (st == HCBR_OK) {
        st = choose_build(&t, held, err);
    }
    if (st == HCBR_OK && t.labels > 1)
        st = o.goal == HCBR_GOAL_MAX_ERROR ? limit_error(&t, err)
             : by_expected_cost(&t)        ? take_costs(&t, err)
             : t.labels == 2               ? tune_cut(&t, err)
                                           : tune_thresholds(&t, err);
    t.done = t.steps;
    if (st == HCBR_OK)
        st = step(&t, err);
    hcbr_i_costs_clear(&t.costs);
    hcbr_i_free(t.scores);
    hcbr_i_free(t.points);
    hcbr_i_free(t.point_of);
    hcbr_i_free(t.truths);
    if (st != HCBR_OK)
        hcbr_i_tuned_clear(out);
    return st;
}
