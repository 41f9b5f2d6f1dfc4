/*
 * What training will cost, roughly, before it begins.
 *
 * Fitted to runs on a dozen data sets (docs/MODEL.md): time follows the features of all cases, some
 * work per case and, sub-linearly, the number of labels. Within a factor of three on most data; the
 * memory within two.
 */
#include "model/model.h"

#include <math.h>

#define CASE_WORTH 8.0 /* features that the work for a case itself is worth */

hcbr_status hcbr_model_estimate(const hcbr_cases *cases, const hcbr_train_options *options,
                                hcbr_estimate *out, hcbr_error *err) {
    static const double MICROSECONDS[] = {1.1, 2.5, 9}; // by effort, of a feature of a case
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    if (options)
        memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    const hcbr_estimate none = {.size = 0};
    hcbr_status st = hcbr_i_train_options_check(&o, err);
    if (st == HCBR_OK && (!cases->finished || cases->consumed))
        st = hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is not finished, or used up");
    if (st != HCBR_OK) {
        hcbr_i_hand_out(out, &none, sizeof none);
        return st;
    }
    double n = cases->case_count, occurrences = (double)cases->start[cases->case_count];
    double outputs = hcbr_i_rich_outputs(cases->labels.count);
    double keys = hcbr_i_dict_key_count(cases->dict), threads = o.threads ? o.threads : 1;
    hcbr_estimate full = {.seconds = 5e-8 * occurrences * (1 + o.passes),
                          .bytes = 8e6 + 24 * occurrences + 40 * n};
    if (o.model == HCBR_MODEL_RICH) {
        full.seconds = 1e-6 * MICROSECONDS[o.effort] * (occurrences + CASE_WORTH * n) *
                       hcbr_i_exp(0.7 * hcbr_i_log(outputs)) / fmin(threads, HCBR_I_RICH_FOLDS);
        full.bytes +=
            n * (3 * fmin(keys, 300) + 250 + 120 * outputs) + // one thread's work included
            (threads - 1) * n * (60 + 40 * outputs);
    }
    hcbr_i_hand_out(out, &full, sizeof full);
    return HCBR_OK;
}
