/*
 * Tuning: the number of passes, the scope and the thresholds of rule R2, chosen on held-out cases.
 *
 * Passes and scope are those whose largest support decides the held-out cases best. Thresholds are
 * found in each held-out part by itself and averaged over the parts, as the paper does, and in all
 * parts together. Which way is better, and whether it is better than none, is judged on each part
 * by the thresholds that the other parts give: a threshold always looks good where it was chosen.
 * A limit on the error is found over
 * all parts together, since a bound needs all the cases there are.
 *
 * A cost is counted in units of 2^-20, so that sums do not depend on their order.
 */
#include "calibrate/calibrate.h"

#include <stdio.h>

#define UNIT 1048576.0        /* of a cost */
#define MOST_COST 1e6         /* sums of 2^32 of them are exact */
#define ANSWER_NOTHING 1e150  /* a least support that no case has */
#define MOST_COST_LABELS 1000 /* a table of costs has this many squared */

typedef struct tuning {
    const struct hcbr_cases *cases;
    const hcbr_tune_options *options;
    hcbr_i_tuned *out;
    uint32_t labels;
    uint32_t positive;
    int64_t *cost; /* [truth][given]; NULL: 1 for every wrong answer */
    hcbr_i_eta_point *points;
    uint32_t *point_of;  /* cases of the points, while a label is looked at */
    int64_t *truths;     /* of them, by label */
    uint32_t left_out;   /* a part that is not looked at; HCBR_I_NONE: none */
    hcbr_i_eta *by_part; /* while they are judged: thresholds for each part, by label */
} tuning;

void hcbr_tune_options_init(hcbr_tune_options *options) {
    *options = (hcbr_tune_options){.size = sizeof *options,
                                   .goal = HCBR_GOAL_ACCURACY,
                                   .cost_fp = 1,
                                   .cost_fn = 1,
                                   .confidence = 0.95,
                                   .folds = 10};
}

void hcbr_i_tuned_clear(hcbr_i_tuned *tuned) {
    hcbr_i_free(tuned->eta);
    hcbr_i_free(tuned->fallback);
    hcbr_i_heldout_clear(&tuned->heldout);
    *tuned = (hcbr_i_tuned){0};
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
    if (o->goal == HCBR_GOAL_COST && t->labels > MOST_COST_LABELS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u labels, expected at most %d to tune for costs",
                           t->labels, MOST_COST_LABELS);
    if (!(o->cost_fp >= 0 && o->cost_fp <= MOST_COST && o->cost_fn >= 0 && o->cost_fn <= MOST_COST))
        return hcbr_i_fail(err, HCBR_EUSAGE, "costs %g and %g, expected 0 to 1e6", o->cost_fp,
                           o->cost_fn);
    if (o->goal == HCBR_GOAL_COST && t->labels > 2 && o->cost_count == 0 &&
        (o->cost_fp != 1 || o->cost_fn != 1))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "%u labels, expected two for costs of a false positive and a false "
                           "negative; list the costs of pairs of labels",
                           t->labels);
    for (size_t i = 0; i < o->cost_count; i++)
        if (!(o->costs[i].cost >= 0 && o->costs[i].cost <= MOST_COST))
            return hcbr_i_fail(err, HCBR_EUSAGE, "cost %g, expected 0 to 1e6", o->costs[i].cost);
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
    if (t->options->goal != HCBR_GOAL_COST)
        return HCBR_OK;
    if (!(t->cost = hcbr_i_alloc((size_t)t->labels * t->labels, sizeof *t->cost)))
        return hcbr_i_no_memory(err);
    for (uint32_t truth = 0; truth < t->labels; truth++)
        for (uint32_t given = 0; given < t->labels; given++)
            t->cost[truth * t->labels + given] = truth == given ? 0 : (int64_t)UNIT;
    if (t->options->cost_count == 0 && t->labels == 2) {
        uint32_t p = t->positive, n = 1 - p;
        t->cost[n * t->labels + p] = (int64_t)(t->options->cost_fp * UNIT + 0.5);
        t->cost[p * t->labels + n] = (int64_t)(t->options->cost_fn * UNIT + 0.5);
    }
    for (size_t i = 0; i < t->options->cost_count; i++) {
        const hcbr_cost *c = &t->options->costs[i];
        uint32_t truth = find_label(t, c->truth, warn, context);
        uint32_t given = find_label(t, c->given, warn, context);
        if (truth != HCBR_I_NONE && given != HCBR_I_NONE)
            t->cost[truth * t->labels + given] = (int64_t)(c->cost * UNIT + 0.5);
    }
    return HCBR_OK;
}

static int64_t cost_of(const tuning *t, uint32_t truth, uint32_t given) {
    return t->cost ? t->cost[truth * t->labels + given] : truth != given;
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

/** The answer to held-out case i by what was chosen so far. */
static hcbr_label answer(const tuning *t, const hcbr_i_heldout *h, uint32_t i) {
    hcbr_label l = h->winner[i];
    const hcbr_i_tuned *out = t->out;
    if (l == HCBR_LABEL_UNKNOWN || !out->eta)
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
    const uint32_t *label = t->cases->label;
    double right = 0, cost = 0, decided[2] = {0, 0}, all[2] = {0, 0};
    for (uint32_t i = 0; i < h->case_count; i++) {
        hcbr_label given = answer(t, h, i);
        right += given == (hcbr_label)label[i];
        if (given == HCBR_LABEL_UNKNOWN)
            cost += UNIT; // no answer is an answer that is not listed
        else
            cost += (double)cost_of(t, label[i], (uint32_t)given);
        all[label[i] != t->positive]++;
        decided[label[i] != t->positive] += given == (hcbr_label)t->positive;
    }
    if (t->options->goal == HCBR_GOAL_COST)
        return -cost / UNIT / h->case_count;
    if (is_pair_goal(t->options->goal))
        return hcbr_i_measure_value(measure_of(t->options->goal), decided[0], decided[1], all[0],
                                    all[1]);
    return right / h->case_count;
}

/* ---- passes and scope ------------------------------------------------------------------------ */

static hcbr_status choose_build(tuning *t, const hcbr_i_heldout_options *held, hcbr_error *err) {
    const hcbr_tune_options *o = t->options;
    size_t choices = o->passes && o->pass_count ? o->pass_count : 1;
    double best = 0;
    hcbr_status st = HCBR_OK;
    for (int scope = 0; st == HCBR_OK && scope < (o->choose_scope ? 2 : 1); scope++)
        for (size_t p = 0; st == HCBR_OK && p < choices; p++) {
            hcbr_i_heldout_options one = *held;
            hcbr_i_heldout h;
            one.folds = o->folds;
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

/** The label to give where label l is not sure enough: it costs least where l is wrong. */
static hcbr_label choose_fallback(tuning *t, uint32_t l) {
    hcbr_label best = HCBR_LABEL_UNKNOWN;
    int64_t least = 0;
    size_t count = collect(t, HCBR_I_NONE, l);
    memset(t->truths, 0, t->labels * sizeof *t->truths);
    for (size_t n = 0; n < count; n++)
        t->truths[t->cases->label[t->point_of[n]]]++;
    for (uint32_t f = 0; f < t->labels; f++) {
        int64_t cost = 0;
        for (uint32_t truth = 0; truth < t->labels; truth++)
            if (truth != l)
                cost += t->truths[truth] * cost_of(t, truth, f);
        if (f != l && (best == HCBR_LABEL_UNKNOWN || cost < least)) {
            best = (hcbr_label)f;
            least = cost;
        }
    }
    return best;
}

/** Accuracy and costs are sums over cases: each label is tuned by itself. */
static hcbr_status tune_label(tuning *t, uint32_t fold, uint32_t l, hcbr_i_eta *out,
                              hcbr_error *err) {
    hcbr_i_eta_candidate *found;
    size_t count = collect(t, fold, l), found_count;
    uint32_t fallback = (uint32_t)t->out->fallback[l];
    for (size_t n = 0; n < count; n++) {
        uint32_t truth = t->cases->label[t->point_of[n]];
        t->points[n].value[0] = cost_of(t, truth, fallback) - cost_of(t, truth, l);
        t->points[n].right = t->points[n].value[0] > 0;
    }
    hcbr_status st = hcbr_i_eta_candidates(t->points, count, &found, &found_count, err);
    if (st == HCBR_OK)
        *out = found[hcbr_i_eta_best(found, found_count)].eta;
    hcbr_i_free(found);
    return st;
}

/** The others depend on both labels at once. */
static hcbr_status tune_pair(tuning *t, uint32_t fold, hcbr_i_eta out[2], hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_i_eta_candidate *found[2] = {NULL, NULL};
    size_t found_count[2], choice[2];
    int64_t totals[2] = {0, 0}, all[2] = {0, 0};
    uint32_t labels[2] = {1 - t->positive, t->positive};
    hcbr_status st = HCBR_OK;
    double value;
    for (uint32_t i = 0; i < h->case_count; i++)
        if (is_in(t, h->fold[i], fold))
            all[t->cases->label[i] != t->positive]++;
    for (int k = 0; st == HCBR_OK && k < 2; k++) {
        size_t count = collect(t, fold, labels[k]);
        for (size_t n = 0; n < count; n++) {
            uint32_t truth = t->cases->label[t->point_of[n]];
            t->points[n].value[0] = truth == t->positive;
            t->points[n].value[1] = truth != t->positive;
            t->points[n].right = truth == labels[k];
            totals[truth != t->positive] += k == 0;
        }
        st = hcbr_i_eta_candidates(t->points, count, &found[k], &found_count[k], err);
    }
    if (st == HCBR_OK)
        st = hcbr_i_eta_best_pair(measure_of(t->options->goal), found[0], found_count[0], found[1],
                                  found_count[1], totals, all, choice, &value, err);
    for (int k = 0; st == HCBR_OK && k < 2; k++)
        out[labels[k]] = found[k][choice[k]].eta;
    hcbr_i_free(found[0]);
    hcbr_i_free(found[1]);
    return st;
}

static hcbr_status make_thresholds(tuning *t, hcbr_error *err) {
    t->out->eta = hcbr_i_alloc_zero(t->labels, sizeof *t->out->eta);
    t->out->fallback = hcbr_i_alloc_zero(t->labels, sizeof *t->out->fallback);
    t->points = hcbr_i_alloc(t->cases->case_count, sizeof *t->points);
    t->point_of = hcbr_i_alloc(t->cases->case_count, sizeof *t->point_of);
    t->truths = hcbr_i_alloc(t->labels, sizeof *t->truths);
    if (t->out->eta && t->out->fallback && t->points && t->point_of && t->truths)
        return HCBR_OK;
    return hcbr_i_no_memory(err);
}

/** Thresholds of all labels from one part, or from all parts together (HCBR_I_NONE). */
static hcbr_status tune_part(tuning *t, uint32_t fold, hcbr_i_eta *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (is_pair_goal(t->options->goal))
        return t->labels == 2 ? tune_pair(t, fold, out, err) : HCBR_OK;
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
            // No share and one half ask the same, but only one half keeps the scale.
            out[l].share += (one.share > 0.5 ? one.share - 0.5 : 0) / count;
        }
        out[l].share += out[l].share > 0 ? 0.5 : 0;
    }
}

/**
 * What thresholds are worth that are chosen as the mean over the parts, or on all parts together:
 * every part is judged by what the others chose.
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
    double sign = t->cost ? -1 : 1;
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
    for (uint32_t l = 0; st == HCBR_OK && l < t->labels; l++)
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

/* ---- a largest error ------------------------------------------------------------------------- */

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
    for (uint32_t i = 0; i < h->case_count; i++)
        if (h->winner[i] != HCBR_LABEL_UNKNOWN)
            answers[count++] =
                (hcbr_i_answer){.sure = hcbr_i_heldout_share(h, i, (uint32_t)h->winner[i]),
                                .wrong = h->winner[i] != (hcbr_label)t->cases->label[i]};
    hcbr_i_limit_find(answers, count, o->max_error, 1 - o->confidence, &limit);
    hcbr_i_eta eta = {0, 0};
    if (limit.answered == 0)
        eta.support = ANSWER_NOTHING;
    else if (limit.answered < count) // half-way, so that no rounding decides
        eta.share = (answers[limit.answered - 1].sure + limit.above) / 2;
    for (uint32_t l = 0; l < t->labels; l++) {
        t->out->eta[l] = eta;
        t->out->fallback[l] = HCBR_LABEL_UNKNOWN;
    }
    double share = h->case_count ? 100.0 * (double)limit.answered / h->case_count : 0;
    if (limit.answered)
        snprintf(t->out->why, sizeof t->out->why,
                 "error at most %g with confidence %g: %.1f %% of %u held-out cases are answered, "
                 "%llu of %llu of them wrong (bound %.4f)",
                 o->max_error, o->confidence, share, h->case_count, (unsigned long long)limit.wrong,
                 (unsigned long long)limit.answered, limit.bound);
    else
        snprintf(t->out->why, sizeof t->out->why,
                 "error at most %g with confidence %g: nothing is answered, since among %zu "
                 "held-out cases no part is known to be that good",
                 o->max_error, o->confidence, count);
    hcbr_i_free(answers);
    return HCBR_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

hcbr_status hcbr_i_tune_run(hcbr_i_tuned *out, const struct hcbr_cases *cases,
                            const hcbr_tune_options *options, const hcbr_i_heldout_options *held,
                            hcbr_i_heldout *given, hcbr_notify_fn *warn, void *warn_context,
                            hcbr_error *err) {
    hcbr_tune_options o;
    hcbr_tune_options_init(&o);
    memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    *out = (hcbr_i_tuned){.scope = held->scope, .passes = held->passes};
    tuning t = {.cases = cases,
                .options = &o,
                .out = out,
                .labels = cases->labels.count,
                .left_out = HCBR_I_NONE};
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
        st = o.goal == HCBR_GOAL_MAX_ERROR ? limit_error(&t, err) : tune_thresholds(&t, err);
    hcbr_i_free(t.cost);
    hcbr_i_free(t.points);
    hcbr_i_free(t.point_of);
    hcbr_i_free(t.truths);
    if (st != HCBR_OK)
        hcbr_i_tuned_clear(out);
    return st;
}
