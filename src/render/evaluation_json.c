/*
 * An evaluation as JSON: the report (hcbr.evaluate/1), and held-out decisions line by line
 * (hcbr.evaluate.prediction/1). docs/JSON.md defines the keys. Absent values are null.
 */
#include "render/items.h"

static hcbr_figure figure_of(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(e, metric, label, &figure);
    return figure;
}

hcbr_item hcbr_i_item_of_label(const char *key, const hcbr_evaluation *e, hcbr_label label) {
    size_t length = 0;
    const char *name = label < 0 ? NULL : hcbr_evaluation_get_label(e, label, &length);
    return TEXT(key, name, length);
}

/* A range, null unless it has both ends. */
static void put_pair(hcbr_writer *w, const char *key, double low, double high) {
    if (low != low || high != high)
        PUT(w, NONE(key));
    else
        PUT(w, OPEN(key, '['), NUMBER(NULL, low), NUMBER(NULL, high), CLOSE(']'));
}

static void put_figure(hcbr_writer *w, hcbr_metric metric, const hcbr_figure *figure,
                       const hcbr_figure *baseline) {
    PUT(w, OPEN(hcbr_metric_name(metric), '{'), NUMBER("mean", figure->mean),
        NUMBER("sd", figure->sd));
    put_pair(w, "ci", figure->low, figure->high);
    PUT(w, NUMBER("pooled", figure->pooled), U64("parts", figure->count),
        NUMBER("value", figure->value));
    if (baseline)
        PUT(w, NUMBER("baseline", baseline->value));
    PUT(w, CLOSE('}'));
}

static void put_labels(hcbr_writer *w, const hcbr_evaluation *e, const hcbr_evaluation_info *info) {
    static const hcbr_metric SHOWN[] = {
        HCBR_METRIC_F1,  HCBR_METRIC_RECALL, HCBR_METRIC_SPECIFICITY, HCBR_METRIC_PRECISION,
        HCBR_METRIC_NPV, HCBR_METRIC_AUC,    HCBR_METRIC_PR_AUC};
    PUT(w, OPEN("labels", '['));
    for (uint32_t l = 0; l < info->labels; l++) {
        PUT(w, OPEN(NULL, '{'), hcbr_i_item_of_label("name", e, (hcbr_label)l));
        for (size_t m = 0; m < sizeof SHOWN / sizeof *SHOWN; m++) {
            hcbr_figure figure = figure_of(e, SHOWN[m], (hcbr_label)l);
            put_figure(w, SHOWN[m], &figure, NULL);
        }
        PUT(w, CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_confusion(hcbr_writer *w, const hcbr_evaluation *e) {
    size_t count = hcbr_evaluation_confusion_count(e);
    PUT(w, OPEN("confusion", '['));
    for (size_t i = 0; i < count; i++) {
        hcbr_confusion cell = {.size = sizeof cell};
        hcbr_evaluation_get_confusion(e, i, &cell);
        PUT(w, OPEN(NULL, '{'), hcbr_i_item_of_label("truth", e, cell.truth),
            hcbr_i_item_of_label("label", e, cell.label), NUMBER("count", cell.count), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_reliability(hcbr_writer *w, const hcbr_evaluation *e) {
    size_t count = hcbr_evaluation_reliability_count(e);
    if (count == 0) {
        PUT(w, NONE("reliability"));
        return;
    }
    PUT(w, OPEN("reliability", '['));
    for (size_t b = 0; b < count; b++) {
        hcbr_reliability bin = {.size = sizeof bin};
        hcbr_evaluation_get_reliability(e, b, &bin);
        PUT(w, OPEN(NULL, '{'), NUMBER("low", bin.low), NUMBER("high", bin.high),
            NUMBER("count", bin.count), NUMBER("probability", bin.probability),
            NUMBER("share", bin.share), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_answered(hcbr_writer *w, const hcbr_evaluation *e, uint32_t labels) {
    PUT(w, OPEN("answered", '['));
    for (uint32_t l = 0; l < labels; l++) {
        hcbr_heldout h = {.size = sizeof h};
        hcbr_evaluation_get_answered(e, (hcbr_label)l, &h);
        for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
            if (!(h.bins[b].cases > 0))
                continue;
            PUT(w, OPEN(NULL, '{'), hcbr_i_item_of_label("label", e, (hcbr_label)l));
            hcbr_i_json_range(w, b, &h.bins[b]);
            PUT(w, CLOSE('}'));
        }
    }
    PUT(w, CLOSE(']'));
}

static void put_calibration(hcbr_writer *w, const hcbr_verdict *v) {
    if (v->error != v->error) {
        PUT(w, NONE("calibration"));
        return;
    }
    PUT(w, OPEN("calibration", '{'), NUMBER("error", v->error), NUMBER("by_chance", v->error_mean),
        NUMBER("limit", v->error_most), BOOL("holds", v->calibrated), CLOSE('}'));
}

static void put_verdict(hcbr_writer *w, const hcbr_evaluation *e) {
    static const char *const PURPOSES[] = {"accuracy", "answers", "ranking", "ranking", "cost"};
    static const char *const GRADES[] = {"none", "weak", "useful", "good"};
    static const char *const KEYS[] = {"says", "why", "probabilities"};
    hcbr_verdict v = {.size = sizeof v};
    char text[HCBR_VERDICT_SIZE];
    hcbr_evaluation_get_verdict(e, &v);
    PUT(w, OPEN("verdict", '{'), STRING("about", PURPOSES[v.purpose]),
        STRING("metric", hcbr_metric_name(v.metric)), STRING("grade", GRADES[v.grade]),
        NUMBER("value", v.value));
    put_pair(w, "ci", v.low, v.high);
    PUT(w, NUMBER("baseline", v.baseline), BOOL("better", v.better));
    put_calibration(w, &v);
    for (int n = 0; n < 3; n++) {
        hcbr_verdict_say(e, (hcbr_verdict_part)n, text);
        PUT(w, STRING(KEYS[n], text));
    }
    PUT(w, CLOSE('}'));
}

static void put_parts(hcbr_writer *w, const hcbr_evaluation *e, const hcbr_evaluation_info *info) {
    PUT(w, OPEN("parts", '['));
    for (uint64_t p = 0; p < (uint64_t)info->folds * info->repeats; p++) {
        hcbr_part_info part = {.size = sizeof part};
        hcbr_evaluation_get_part(e, p, &part);
        PUT(w, OPEN(NULL, '{'), U64("repeat", part.repeat), U64("fold", part.fold),
            U64("trained", part.trained), U64("held_out", part.held_out));
        for (int m = 0; m < HCBR_METRIC_END; m++)
            PUT(w, NUMBER(hcbr_metric_name((hcbr_metric)m),
                          hcbr_evaluation_get_value(e, p, (hcbr_metric)m)));
        PUT(w, CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

/* The metrics over all parts, and the share without an answer. */
static void put_figures(hcbr_writer *w, const hcbr_evaluation *e) {
    static const hcbr_metric SHOWN[] = {
        HCBR_METRIC_ACCURACY, HCBR_METRIC_MCC,          HCBR_METRIC_F1,
        HCBR_METRIC_RECALL,   HCBR_METRIC_SPECIFICITY,  HCBR_METRIC_PRECISION,
        HCBR_METRIC_NPV,      HCBR_METRIC_PRECISION_AT, HCBR_METRIC_AUC,
        HCBR_METRIC_PR_AUC,   HCBR_METRIC_LOG_LOSS,     HCBR_METRIC_BRIER,
        HCBR_METRIC_ECE,      HCBR_METRIC_COST,         HCBR_METRIC_DECIDED};
    for (size_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++) {
        hcbr_metric m = SHOWN[i];
        hcbr_figure figure = figure_of(e, m, HCBR_LABEL_UNKNOWN);
        hcbr_figure baseline = {.size = sizeof baseline};
        hcbr_evaluation_get_baseline(e, m, &baseline);
        put_figure(w, m, &figure, &baseline);
    }
    PUT(w, NUMBER("unknown", figure_of(e, HCBR_METRIC_UNKNOWN, HCBR_LABEL_UNKNOWN).pooled));
}

static void put_together(hcbr_writer *w, const hcbr_evaluation *together) {
    hcbr_evaluation_info info = {.size = sizeof info};
    if (!together) {
        PUT(w, NONE("together"));
        return;
    }
    hcbr_evaluation_get_info(together, &info);
    PUT(w, OPEN("together", '{'), U64("folds", info.folds), U64("held_out", info.held_out));
    put_figures(w, together);
    PUT(w, CLOSE('}'));
}

hcbr_status hcbr_json_evaluation(hcbr_writer *w, const hcbr_evaluation *evaluation,
                                 uint64_t skipped_rows, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, evaluation))
        return HCBR_EUSAGE;
    const hcbr_evaluation *e = evaluation;
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_evaluation_get_info(e, &info);
    PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.evaluate/1"), U64("cases", info.cases),
        U64("skipped_rows", skipped_rows), U64("held_out", info.held_out),
        U64("features", info.features), NUMBER("atoms", figure_of(e, HCBR_METRIC_ATOMS, -1).mean),
        U64("folds", info.folds), U64("repeats", info.repeats), U64("seed", info.seed),
        hcbr_i_item_of_label("positive", e, info.positive),
        info.at ? U64("at", info.at) : NONE("at"), BOOL("by_parts", info.by_parts));
    put_verdict(w, e);
    put_figures(w, e);
    for (int m = HCBR_METRIC_COPIES; m <= HCBR_METRIC_NEW; m++) {
        hcbr_figure figure = figure_of(e, (hcbr_metric)m, HCBR_LABEL_UNKNOWN);
        put_figure(w, (hcbr_metric)m, &figure, NULL);
    }
    put_together(w, hcbr_evaluation_get_together(e));
    put_labels(w, e, &info);
    put_confusion(w, e);
    put_reliability(w, e);
    put_answered(w, e, info.labels);
    put_parts(w, e, &info);
    PUT(w, NUMBER("fit_seconds", figure_of(e, HCBR_METRIC_FIT, HCBR_LABEL_UNKNOWN).mean),
        NUMBER("predict_seconds", figure_of(e, HCBR_METRIC_PREDICT, HCBR_LABEL_UNKNOWN).mean));
    return hcbr_write_end(w, HCBR_JSON, err);
}

static void put_by_label(hcbr_writer *w, const char *key, const hcbr_evaluation *e, uint32_t labels,
                         const double *values) {
    if (!values) {
        PUT(w, NONE(key));
        return;
    }
    PUT(w, OPEN(key, '{'));
    for (uint32_t l = 0; l < labels; l++) {
        size_t length;
        const char *name = hcbr_evaluation_get_label(e, (hcbr_label)l, &length);
        PUT(w, KEY_TEXT(name, length), NUMBER(NULL, values[l]));
    }
    PUT(w, CLOSE('}'));
}

hcbr_status hcbr_json_answers(hcbr_writer *w, const hcbr_evaluation *evaluation, uint64_t row_base,
                              hcbr_error *err) {
    if (HCBR_I_NULL(err, w, evaluation))
        return HCBR_EUSAGE;
    const hcbr_evaluation *e = evaluation;
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_evaluation_get_info(e, &info);
    for (uint64_t i = 0; i < hcbr_evaluation_answer_count(e); i++) {
        hcbr_answer a = {.size = sizeof a};
        hcbr_evaluation_get_answer(e, i, &a);
        PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.evaluate.prediction/1"),
            U64("row", a.row - row_base), TEXT("id", a.id, a.id_length), U64("repeat", a.repeat),
            U64("fold", a.fold), hcbr_i_item_of_label("truth", e, a.truth),
            hcbr_i_item_of_label("label", e, a.label), STRING("reason", hcbr_reason_name(a.reason)),
            BOOL("copy", a.copy));
        put_by_label(w, "support", e, info.labels, a.support);
        put_by_label(w, "probability", e, info.labels, a.probability);
        hcbr_status status = hcbr_write_end(w, HCBR_JSON, err);
        if (status != HCBR_OK)
            return status;
    }
    return hcbr_i_writer_status(w, err);
}
