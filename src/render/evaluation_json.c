/*
 * An evaluation as JSON: the report (hcbr.evaluate/1), and held-out decisions line by line
 * (hcbr.evaluate.prediction/1). docs/JSON.md says what the keys mean. What does not exist is null.
 */
#include "render/render.h"

static void put_pair(hcbr_writer *w, double low, double high) {
    if (low != low || high != high) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '[');
    hcbr_json_number(w, low);
    hcbr_json_number(w, high);
    hcbr_json_close(w, ']');
}

static void put_figure(hcbr_writer *w, const hcbr_figure *figure, const hcbr_figure *baseline) {
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "mean"), hcbr_json_number(w, figure->mean);
    hcbr_json_key(w, "sd"), hcbr_json_number(w, figure->sd);
    hcbr_json_key(w, "ci"), put_pair(w, figure->low, figure->high);
    hcbr_json_key(w, "pooled"), hcbr_json_number(w, figure->pooled);
    hcbr_json_key(w, "parts"), hcbr_json_u64(w, figure->count);
    hcbr_json_key(w, "value"), hcbr_json_number(w, figure->value);
    if (baseline)
        hcbr_json_key(w, "baseline"), hcbr_json_number(w, baseline->value);
    hcbr_json_close(w, '}');
}

static void put_at(hcbr_writer *w, uint64_t at) {
    if (at)
        hcbr_json_u64(w, at);
    else
        hcbr_json_null(w);
}

static hcbr_figure figure_of(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(e, metric, label, &figure);
    return figure;
}

static void put_label(hcbr_writer *w, const hcbr_evaluation *e, hcbr_label label) {
    size_t length;
    if (label < 0) {
        hcbr_json_null(w);
        return;
    }
    const char *name = hcbr_evaluation_get_label(e, label, &length);
    hcbr_json_text(w, name, length);
}

static void put_labels(hcbr_writer *w, const hcbr_evaluation *e, const hcbr_evaluation_info *info) {
    static const hcbr_metric SHOWN[] = {
        HCBR_METRIC_F1,  HCBR_METRIC_RECALL, HCBR_METRIC_SPECIFICITY, HCBR_METRIC_PRECISION,
        HCBR_METRIC_NPV, HCBR_METRIC_AUC,    HCBR_METRIC_PR_AUC};
    hcbr_json_key(w, "labels"), hcbr_json_open(w, '[');
    for (uint32_t l = 0; l < info->labels; l++) {
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "name"), put_label(w, e, (hcbr_label)l);
        for (size_t m = 0; m < sizeof SHOWN / sizeof *SHOWN; m++) {
            hcbr_figure figure = figure_of(e, SHOWN[m], (hcbr_label)l);
            hcbr_json_key(w, hcbr_metric_name(SHOWN[m])), put_figure(w, &figure, NULL);
        }
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_confusion(hcbr_writer *w, const hcbr_evaluation *e) {
    size_t count = hcbr_evaluation_confusion_count(e);
    hcbr_json_key(w, "confusion"), hcbr_json_open(w, '[');
    for (size_t i = 0; i < count; i++) {
        hcbr_confusion cell = {.size = sizeof cell};
        hcbr_evaluation_get_confusion(e, i, &cell);
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "truth"), put_label(w, e, cell.truth);
        hcbr_json_key(w, "label"), put_label(w, e, cell.label);
        hcbr_json_key(w, "count"), hcbr_json_number(w, cell.count);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_reliability(hcbr_writer *w, const hcbr_evaluation *e) {
    size_t count = hcbr_evaluation_reliability_count(e);
    hcbr_json_key(w, "reliability");
    if (count == 0) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '[');
    for (size_t b = 0; b < count; b++) {
        hcbr_reliability bin = {.size = sizeof bin};
        hcbr_evaluation_get_reliability(e, b, &bin);
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "low"), hcbr_json_number(w, bin.low);
        hcbr_json_key(w, "high"), hcbr_json_number(w, bin.high);
        hcbr_json_key(w, "count"), hcbr_json_number(w, bin.count);
        hcbr_json_key(w, "probability"), hcbr_json_number(w, bin.probability);
        hcbr_json_key(w, "share"), hcbr_json_number(w, bin.share);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_answered(hcbr_writer *w, const hcbr_evaluation *e, uint32_t labels) {
    hcbr_json_key(w, "answered"), hcbr_json_open(w, '[');
    for (uint32_t l = 0; l < labels; l++) {
        hcbr_heldout h = {.size = sizeof h};
        hcbr_evaluation_get_answered(e, (hcbr_label)l, &h);
        for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
            if (!(h.bins[b].cases > 0))
                continue;
            hcbr_json_open(w, '{');
            hcbr_json_key(w, "label"), put_label(w, e, (hcbr_label)l);
            hcbr_i_json_range(w, b, &h.bins[b]);
            hcbr_json_close(w, '}');
        }
    }
    hcbr_json_close(w, ']');
}

static void put_calibration(hcbr_writer *w, const hcbr_verdict *v) {
    hcbr_json_key(w, "calibration");
    if (v->error != v->error) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "error"), hcbr_json_number(w, v->error);
    hcbr_json_key(w, "by_chance"), hcbr_json_number(w, v->error_mean);
    hcbr_json_key(w, "limit"), hcbr_json_number(w, v->error_most);
    hcbr_json_key(w, "holds"), hcbr_json_bool(w, v->calibrated);
    hcbr_json_close(w, '}');
}

static void put_verdict(hcbr_writer *w, const hcbr_evaluation *e) {
    static const char *const PURPOSES[] = {"accuracy", "answers", "ranking", "ranking", "cost"};
    static const char *const GRADES[] = {"none", "weak", "useful", "good"};
    static const char *const KEYS[] = {"says", "why", "probabilities"};
    hcbr_verdict v = {.size = sizeof v};
    char text[HCBR_VERDICT_SIZE];
    hcbr_evaluation_get_verdict(e, &v);
    hcbr_json_key(w, "verdict"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "about"), hcbr_json_string(w, PURPOSES[v.purpose]);
    hcbr_json_key(w, "metric"), hcbr_json_string(w, hcbr_metric_name(v.metric));
    hcbr_json_key(w, "grade"), hcbr_json_string(w, GRADES[v.grade]);
    hcbr_json_key(w, "value"), hcbr_json_number(w, v.value);
    hcbr_json_key(w, "ci"), put_pair(w, v.low, v.high);
    hcbr_json_key(w, "baseline"), hcbr_json_number(w, v.baseline);
    hcbr_json_key(w, "better"), hcbr_json_bool(w, v.better);
    put_calibration(w, &v);
    for (int n = 0; n < 3; n++) {
        hcbr_verdict_say(e, (hcbr_verdict_part)n, text);
        hcbr_json_key(w, KEYS[n]), hcbr_json_string(w, text);
    }
    hcbr_json_close(w, '}');
}

static void put_parts(hcbr_writer *w, const hcbr_evaluation *e, const hcbr_evaluation_info *info) {
    hcbr_json_key(w, "parts"), hcbr_json_open(w, '[');
    for (uint64_t p = 0; p < (uint64_t)info->folds * info->repeats; p++) {
        hcbr_part_info part = {.size = sizeof part};
        hcbr_evaluation_get_part(e, p, &part);
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "repeat"), hcbr_json_u64(w, part.repeat);
        hcbr_json_key(w, "fold"), hcbr_json_u64(w, part.fold);
        hcbr_json_key(w, "trained"), hcbr_json_u64(w, part.trained);
        hcbr_json_key(w, "held_out"), hcbr_json_u64(w, part.held_out);
        for (int m = 0; m < HCBR_METRIC_END; m++) {
            hcbr_json_key(w, hcbr_metric_name((hcbr_metric)m));
            hcbr_json_number(w, hcbr_evaluation_get_value(e, p, (hcbr_metric)m));
        }
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
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
        hcbr_json_key(w, hcbr_metric_name(m)), put_figure(w, &figure, &baseline);
    }
    hcbr_json_key(w, "unknown");
    hcbr_json_number(w, figure_of(e, HCBR_METRIC_UNKNOWN, HCBR_LABEL_UNKNOWN).pooled);
}

static void put_together(hcbr_writer *w, const hcbr_evaluation *together) {
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_json_key(w, "together");
    if (!together) {
        hcbr_json_null(w);
        return;
    }
    hcbr_evaluation_get_info(together, &info);
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "folds"), hcbr_json_u64(w, info.folds);
    hcbr_json_key(w, "held_out"), hcbr_json_u64(w, info.held_out);
    put_figures(w, together);
    hcbr_json_close(w, '}');
}

hcbr_status hcbr_json_evaluation(hcbr_writer *w, const hcbr_evaluation *evaluation,
                                 uint64_t skipped_rows, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, evaluation))
        return HCBR_EUSAGE;
    const hcbr_evaluation *e = evaluation;
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_evaluation_get_info(e, &info);
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.evaluate/1");
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, info.cases);
    hcbr_json_key(w, "skipped_rows"), hcbr_json_u64(w, skipped_rows);
    hcbr_json_key(w, "held_out"), hcbr_json_u64(w, info.held_out);
    hcbr_json_key(w, "features"), hcbr_json_u64(w, info.features);
    hcbr_json_key(w, "atoms"), hcbr_json_number(w, figure_of(e, HCBR_METRIC_ATOMS, -1).mean);
    hcbr_json_key(w, "folds"), hcbr_json_u64(w, info.folds);
    hcbr_json_key(w, "repeats"), hcbr_json_u64(w, info.repeats);
    hcbr_json_key(w, "seed"), hcbr_json_u64(w, info.seed);
    hcbr_json_key(w, "positive"), put_label(w, e, info.positive);
    hcbr_json_key(w, "at"), put_at(w, info.at);
    hcbr_json_key(w, "by_parts"), hcbr_json_bool(w, info.by_parts);
    put_verdict(w, e);
    put_figures(w, e);
    for (int m = HCBR_METRIC_COPIES; m <= HCBR_METRIC_NEW; m++) {
        hcbr_figure figure = figure_of(e, (hcbr_metric)m, HCBR_LABEL_UNKNOWN);
        hcbr_json_key(w, hcbr_metric_name((hcbr_metric)m)), put_figure(w, &figure, NULL);
    }
    put_together(w, hcbr_evaluation_get_together(e));
    put_labels(w, e, &info);
    put_confusion(w, e);
    put_reliability(w, e);
    put_answered(w, e, info.labels);
    put_parts(w, e, &info);
    hcbr_json_key(w, "fit_seconds");
    hcbr_json_number(w, figure_of(e, HCBR_METRIC_FIT, HCBR_LABEL_UNKNOWN).mean);
    hcbr_json_key(w, "predict_seconds");
    hcbr_json_number(w, figure_of(e, HCBR_METRIC_PREDICT, HCBR_LABEL_UNKNOWN).mean);
    return hcbr_write_end(w, HCBR_JSON, err);
}

static void put_by_label(hcbr_writer *w, const hcbr_evaluation *e, uint32_t labels,
                         const double *values) {
    if (!values) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    for (uint32_t l = 0; l < labels; l++) {
        size_t length;
        const char *name = hcbr_evaluation_get_label(e, (hcbr_label)l, &length);
        hcbr_json_key_text(w, name, length), hcbr_json_number(w, values[l]);
    }
    hcbr_json_close(w, '}');
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
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.evaluate.prediction/1");
        hcbr_json_key(w, "row"), hcbr_json_u64(w, a.row - row_base);
        hcbr_json_key(w, "id"), hcbr_json_text(w, a.id, a.id_length);
        hcbr_json_key(w, "repeat"), hcbr_json_u64(w, a.repeat);
        hcbr_json_key(w, "fold"), hcbr_json_u64(w, a.fold);
        hcbr_json_key(w, "truth"), put_label(w, e, a.truth);
        hcbr_json_key(w, "label"), put_label(w, e, a.label);
        hcbr_json_key(w, "reason"), hcbr_json_string(w, hcbr_reason_name(a.reason));
        hcbr_json_key(w, "copy"), hcbr_json_bool(w, a.copy);
        hcbr_json_key(w, "support"), put_by_label(w, e, info.labels, a.support);
        hcbr_json_key(w, "probability"), put_by_label(w, e, info.labels, a.probability);
        hcbr_status status = hcbr_write_end(w, HCBR_JSON, err);
        if (status != HCBR_OK)
            return status;
    }
    return hcbr_i_writer_status(w, err);
}
