/*
 * The approximate cost of fitting a rich model: time follows the features of all cases, some work
 * per case and, sub-linearly, the number of labels (bench/estimate).
 */
#include "rich/rich.h"

#include <math.h>

#define CASE_WORTH 8.0  /* work for a case itself, in features */
#define SPARSE_WORTH .5 /* work for a feature if most keys are absent from a case */
#define MANY 64.0       /* labels from which they are fitted on samples (rich_fit.h) */

static double seconds(const hcbr_i_shape *s) {
    static const double MICROSECONDS[] = {0.7, 1.25, 4.5}; // by effort, of a feature of a case
    double outputs = hcbr_i_rich_outputs((uint32_t)s->labels);
    double labels = s->effort == HCBR_EFFORT_LITE ? fmin(outputs, 2 * MANY) : outputs;
    bool sparse = s->occurrences < 0.5 * s->cases * s->keys;
    double work = s->occurrences * (sparse ? SPARSE_WORTH : 1) + CASE_WORTH * s->cases;
    return 1e-6 * MICROSECONDS[s->effort] * work * hcbr_i_exp(0.8 * hcbr_i_log(labels)) /
           fmin(s->threads, HCBR_I_RICH_FOLDS);
}

/* Memory besides the cases: by case and label, and with many labels by the sample (all of it if
 * thresholds are tuned). */
static double bytes(const hcbr_i_shape *s) {
    double outputs = hcbr_i_rich_outputs((uint32_t)s->labels), threads = s->threads, n = s->cases;
    double sum = n * (3 * fmin(s->keys, 300) + 250) + (threads - 1) * n * 60;
    if (outputs <= MANY)
        return sum + n * outputs * (120 + 40 * (threads - 1)); // one thread's work included
    double sample = s->tuned ? n : fmin(n, fmax(0x1p20 / outputs, 256));
    sum += sample * outputs * 8 * (s->tuned + 6 + threads) + 16 * (MANY + 1) * n;
    if (s->effort != HCBR_EFFORT_LITE)
        sum += sample * outputs * 8 * HCBR_I_RICH_FOLDS +
               n * outputs * 32 * fmin(threads, HCBR_I_RICH_FOLDS) +
               HCBR_I_RICH_FOLDS * 50 * 64 * 8 * outputs; // its leaves have all labels
    return sum;
}

void hcbr_i_rich_estimate(const hcbr_i_shape *shape, hcbr_estimate *out) {
    out->seconds += seconds(shape);
    out->bytes += bytes(shape);
}
