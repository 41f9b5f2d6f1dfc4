/*
 * Tuning: the number of passes, the scope and the rule, chosen on held-out cases.
 *
 * Passes and scope are those whose largest support decides the held-out cases best. If a model has
 * probabilities, costs need no choice: the least expected cost decides. Otherwise two labels get a
 * cut of the score, so that a decision never changes back as the score rises, and more labels get
 * the thresholds of rule R2. Both are found in two ways: in each held-out part alone and averaged
 * over the parts, as the paper does, and in all parts together. Which way is better, and whether it
 * is better than no threshold, is measured on each part with the thresholds of the other parts,
 * because a threshold always looks good in-sample. A limit on the error is found over all parts
 * together, since a bound needs all cases.
 */
#include "tuner.h"

#include <math.h>
#include <stdio.h>

#define ANSWER_NOTHING 1e150 /* a least support that no case has */

void hcbr_i_tuned_clear(hcbr_i_tuned *tuned) {
    hcbr_i_free(tuned->eta);
    hcbr_i_free(tuned->fallback);
    hcbr_i_costs_clear(&tuned->costs);
    hcbr_i_heldout_clear(&tuned->heldout);
    *tuned = (hcbr_i_tuned){0};
}

hcbr_status hcbr_i_tuner_step(hcbr_i_tuner *t, hcbr_error *err) {
    const hcbr_i_heldout_options *o = t->watch;
    if (!o->progress || o->progress(o->progress_context, "tune", t->done++, t->steps) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
}

/* ---- options --------------------------------------------------------------------------------- */

static hcbr_status check(const hcbr_i_tuner *t, hcbr_error *err) {
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
    if (hcbr_i_tuner_is_pair_goal(o->goal) && t->labels > 2)
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

static uint32_t find_label(const hcbr_i_tuner *t, const char *name, hcbr_notify_fn *warn,
                           void *context) {
    char quoted[200];
    uint32_t label = hcbr_i_labels_find(&t->cases->labels, name, strlen(name));
    if (label == HCBR_I_NONE)
        hcbr_i_notify(warn, context, HCBR_WARNING, NULL, 0, 0, "no case has the label %s",
                      hcbr_i_quote(quoted, name, strlen(name)));
    return label;
}

static hcbr_status make_costs(hcbr_i_tuner *t, hcbr_notify_fn *warn, void *context,
                              hcbr_error *err) {
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

/** Whether probabilities and costs decide, so that there is nothing to choose. */
static bool by_expected_cost(const hcbr_i_tuner *t) {
    return t->costs.by_given && (t->probable || t->calibrated);
}

/* ---- passes and scope ------------------------------------------------------------------------ */

static hcbr_status choose_build(hcbr_i_tuner *t, const hcbr_i_heldout_options *held,
                                hcbr_error *err) {
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
                one.part.scope = scope ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
            if (o->passes && o->pass_count)
                one.part.passes = o->passes[p];
            if ((st = hcbr_i_heldout_make(&h, t->cases, &one, err)) != HCBR_OK)
                break;
            double value = hcbr_i_tuner_measure(t, &h);
            bool first = !t->out->heldout.support;
            if (first || value > best) {
                hcbr_i_heldout_clear(&t->out->heldout);
                t->out->heldout = h;
                t->out->scope = one.part.scope;
                t->out->passes = one.part.passes;
                best = value;
            } else {
                hcbr_i_heldout_clear(&h);
            }
        }
    return st;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/** There is nothing to choose: only report the least expected cost. */
static hcbr_status take_costs(hcbr_i_tuner *t, hcbr_error *err) {
    double before = hcbr_i_tuner_measure(t, &t->out->heldout);
    hcbr_status st = hcbr_i_costs_copy(&t->out->costs, &t->costs, err);
    if (st != HCBR_OK)
        return st;
    if (t->probable)
        snprintf(t->out->why, sizeof t->out->why,
                 "least expected cost: %.4f on held-out cases, %.4f by the most probable label",
                 -hcbr_i_tuner_measure(t, &t->out->heldout), -before);
    else
        snprintf(t->out->why, sizeof t->out->why,
                 "least expected cost by calibrated probabilities");
    return HCBR_OK;
}

/* ---- a largest error ------------------------------------------------------------------------- */

/** How sure a decision is: with two labels the score of the winner, so that the answer is a cut. */
static double sureness(const hcbr_i_tuner *t, const hcbr_i_heldout *h, uint32_t i) {
    if (t->labels > 2)
        return hcbr_i_heldout_share(h, i, (uint32_t)h->winner[i]);
    double score = hcbr_i_tuner_score(t, h, i);
    return h->winner[i] == 1 ? score : (t->probable ? 1 : 0) - score;
}

static hcbr_status limit_error(hcbr_i_tuner *t, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    const hcbr_tune_options *o = t->options;
    hcbr_i_limit limit;
    size_t count = 0;
    hcbr_status st = hcbr_i_tuner_need_eta(t, err);
    hcbr_i_answer *answers = hcbr_i_alloc(h->case_count, sizeof *answers);
    if (st == HCBR_OK && !answers)
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK) {
        hcbr_i_free(answers);
        return st;
    }
    double all = 0;
    for (uint32_t i = 0; i < h->case_count; i++) {
        all += hcbr_i_heldout_weight(h, i);
        if (h->winner[i] != HCBR_LABEL_UNKNOWN)
            answers[count++] = (hcbr_i_answer){.sure = sureness(t, h, i),
                                               .weight = hcbr_i_heldout_weight(h, i),
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

/* ---- tuning ---------------------------------------------------------------------------------- */

hcbr_status hcbr_i_tune_run(hcbr_i_tuned *out, const struct hcbr_cases *cases,
                            const hcbr_tune_options *options, const hcbr_i_heldout_options *held,
                            hcbr_i_heldout *given, bool calibrated, hcbr_notify_fn *warn,
                            void *warn_context, hcbr_error *err) {
    hcbr_tune_options o;
    hcbr_tune_options_init(&o);
    if (options)
        o = *options;
    *out = (hcbr_i_tuned){.scope = held->part.scope, .passes = held->part.passes};
    hcbr_i_tuner t = {.cases = cases,
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
             : t.labels == 2               ? hcbr_i_tuner_choose_cut(&t, err)
                                           : hcbr_i_tuner_choose_eta(&t, err);
    t.done = t.steps;
    if (st == HCBR_OK)
        st = hcbr_i_tuner_step(&t, err);
    hcbr_i_costs_clear(&t.costs);
    hcbr_i_free(t.scores);
    hcbr_i_free(t.points);
    hcbr_i_free(t.point_of);
    hcbr_i_free(t.truths);
    if (st != HCBR_OK)
        hcbr_i_tuned_clear(out);
    return st;
}
