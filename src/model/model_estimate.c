/*
 * What training will cost, roughly, before it begins.
 *
 * Fitted to runs on eleven shapes of data (bench/estimate): time follows the features of all cases,
 * some work per case and, sub-linearly, the number of labels. Within a factor of three on these.
 */
#include "model/model.h"

#include <math.h>

#define CASE_WORTH 8.0  /* features that the work for a case itself is worth */
#define SPARSE_WORTH .5 /* of a feature where most keys are absent from a case */
#define MANY 64.0       /* labels from which they are fitted on samples (rich.h) */

typedef struct shape {
    double n, occurrences, features, labels, keys, threads, passes;
} shape;

/* How many labels the cases of a feature have, on average. */
static double labels_met(const shape *s) {
    double cases = s->features > 0 ? s->occurrences / s->features : 0;
    return s->labels * (1 - hcbr_i_exp(-cases / s->labels));
}

static hcbr_estimate plain(const shape *s) {
    double pairs = s->labels > 2 ? s->occurrences * labels_met(s) : 0;
    return (hcbr_estimate){.seconds =
                               5e-8 * s->occurrences * (1 + s->passes) + 1.5e-9 * pairs * s->passes,
                           .bytes = 8e6 + 24 * s->occurrences + 40 * s->n +
                                    (s->labels > 2 ? 40 * s->features * labels_met(s) : 0)};
}

static double rich_seconds(const shape *s, hcbr_effort effort) {
    static const double MICROSECONDS[] = {1.1, 2.5, 9}; // by effort, of a feature of a case
    double outputs = hcbr_i_rich_outputs((uint32_t)s->labels);
    double labels = effort == HCBR_EFFORT_LITE ? fmin(outputs, 2 * MANY) : outputs;
    bool sparse = s->occurrences < 0.5 * s->n * s->keys;
    double work = s->occurrences * (sparse ? SPARSE_WORTH : 1) + CASE_WORTH * s->n;
    return 1e-6 * MICROSECONDS[effort] * work * hcbr_i_exp(0.7 * hcbr_i_log(labels)) /
           fmin(s->threads, HCBR_I_RICH_FOLDS);
}

/* What stands beside the cases: by case and label, and with many labels by what is sampled (all of
 * it where thresholds are chosen). */
static double rich_bytes(const shape *s, hcbr_effort effort, bool tuned) {
    double outputs = hcbr_i_rich_outputs((uint32_t)s->labels), threads = s->threads;
    double bytes = s->n * (3 * fmin(s->keys, 300) + 250) + (threads - 1) * s->n * 60;
    if (outputs <= MANY)
        return bytes + s->n * outputs * (120 + 40 * (threads - 1)); // one thread's work included
    double sample = tuned ? s->n : fmin(s->n, fmax(0x1p20 / outputs, 256));
    bytes += sample * outputs * 8 * (tuned + 6 + threads) + 16 * (MANY + 1) * s->n;
    if (effort != HCBR_EFFORT_LITE)
        bytes += sample * outputs * 8 * HCBR_I_RICH_FOLDS +
                 s->n * outputs * 32 * fmin(threads, HCBR_I_RICH_FOLDS) +
                 HCBR_I_RICH_FOLDS * 50 * 64 * 8 * outputs; // its leaves have all labels
    return bytes;
}

hcbr_status hcbr_model_estimate(const hcbr_cases *cases, const hcbr_train_options *options,
                                hcbr_estimate *out, hcbr_error *err) {
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    if (options)
        hcbr_i_take_in(&o, sizeof o, options);
    const hcbr_estimate none = {.size = 0};
    hcbr_status st = hcbr_i_train_options_check(&o, err);
    if (st == HCBR_OK && (!cases->finished || cases->consumed))
        st = hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is not finished, or used up");
    if (st != HCBR_OK) {
        hcbr_i_hand_out(out, &none, sizeof none);
        return st;
    }
    shape s = {.n = cases->case_count,
               .occurrences = (double)cases->start[cases->case_count],
               .features = hcbr_i_dict_count(cases->dict),
               .labels = cases->labels.count ? cases->labels.count : 1,
               .keys = hcbr_i_dict_key_count(cases->dict),
               .threads = o.threads ? o.threads : 1,
               .passes = o.passes};
    hcbr_estimate full = plain(&s);
    if (o.model == HCBR_MODEL_RICH) {
        full.seconds = rich_seconds(&s, o.effort);
        full.bytes += rich_bytes(&s, o.effort, o.tune != NULL);
    }
    hcbr_i_hand_out(out, &full, sizeof full);
    return HCBR_OK;
}

hcbr_status hcbr_i_model_afford(const hcbr_cases *cases, const hcbr_train_options *options,
                                hcbr_error *err) {
    hcbr_estimate need = {.size = sizeof need};
    hcbr_status st = hcbr_model_estimate(cases, options, &need, err);
    if (st != HCBR_OK || options->max_memory == 0 || need.bytes <= options->max_memory)
        return st;
    return hcbr_i_fail(err, HCBR_ENOMEM,
                       "training would take about %.0f MB of memory, expected at most %.0f MB",
                       need.bytes / 1e6, options->max_memory / 1e6);
}
