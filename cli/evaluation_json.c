/*
 * hcbr evaluate as JSON: the report, and held-out decisions line by line. docs/JSON.md says what
 * the keys mean. What does not exist is null.
 */
#include "evaluation.h"

static void put_pair(json *j, double low, double high) {
    if (low != low || high != high) {
        json_null(j);
        return;
    }
    json_open(j, '[');
    json_number(j, low);
    json_number(j, high);
    json_close(j, ']');
}

static void put_figure(json *j, const hcbr_figure *figure, const hcbr_figure *baseline) {
    json_open(j, '{');
    json_key(j, "mean"), json_number(j, figure->mean);
    json_key(j, "sd"), json_number(j, figure->sd);
    json_key(j, "ci"), put_pair(j, figure->low, figure->high);
    json_key(j, "pooled"), json_number(j, figure->pooled);
    json_key(j, "parts"), json_u64(j, figure->count);
    if (baseline)
        json_key(j, "baseline"), json_number(j, baseline->mean);
    json_close(j, '}');
}

static void put_label(json *j, const evaluation *e, hcbr_label label) {
    size_t length;
    if (label < 0) {
        json_null(j);
        return;
    }
    const char *name = hcbr_evaluation_get_label(e->result, label, &length);
    json_text(j, name, length);
}

static void put_labels(const evaluation *e, json *j) {
    static const hcbr_metric SHOWN[] = {HCBR_METRIC_F1,          HCBR_METRIC_RECALL,
                                        HCBR_METRIC_SPECIFICITY, HCBR_METRIC_PRECISION,
                                        HCBR_METRIC_NPV,         HCBR_METRIC_AUC};
    json_key(j, "labels"), json_open(j, '[');
    for (uint32_t l = 0; l < e->info.labels; l++) {
        json_open(j, '{');
        json_key(j, "name"), put_label(j, e, (hcbr_label)l);
        for (size_t m = 0; m < sizeof SHOWN / sizeof *SHOWN; m++) {
            hcbr_figure figure = evaluation_figure(e, SHOWN[m], (hcbr_label)l);
            json_key(j, hcbr_metric_name(SHOWN[m])), put_figure(j, &figure, NULL);
        }
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_confusion(const evaluation *e, json *j) {
    size_t count = hcbr_evaluation_confusion_count(e->result);
    json_key(j, "confusion"), json_open(j, '[');
    for (size_t i = 0; i < count; i++) {
        hcbr_confusion cell = {.size = sizeof cell};
        hcbr_evaluation_get_confusion(e->result, i, &cell);
        json_open(j, '{');
        json_key(j, "truth"), put_label(j, e, cell.truth);
        json_key(j, "label"), put_label(j, e, cell.label);
        json_key(j, "count"), json_number(j, cell.count);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_reliability(const evaluation *e, json *j) {
    size_t count = hcbr_evaluation_reliability_count(e->result);
    json_key(j, "reliability");
    if (count == 0) {
        json_null(j);
        return;
    }
    json_open(j, '[');
    for (size_t b = 0; b < count; b++) {
        hcbr_reliability bin = {.size = sizeof bin};
        hcbr_evaluation_get_reliability(e->result, b, &bin);
        json_open(j, '{');
        json_key(j, "low"), json_number(j, bin.low);
        json_key(j, "high"), json_number(j, bin.high);
        json_key(j, "count"), json_number(j, bin.count);
        json_key(j, "probability"), json_number(j, bin.probability);
        json_key(j, "share"), json_number(j, bin.share);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_parts(const evaluation *e, json *j) {
    json_key(j, "parts"), json_open(j, '[');
    for (uint64_t p = 0; p < (uint64_t)e->info.folds * e->info.repeats; p++) {
        hcbr_part_info part = {.size = sizeof part};
        hcbr_evaluation_get_part(e->result, p, &part);
        json_open(j, '{');
        json_key(j, "repeat"), json_u64(j, part.repeat);
        json_key(j, "fold"), json_u64(j, part.fold);
        json_key(j, "trained"), json_u64(j, part.trained);
        json_key(j, "held_out"), json_u64(j, part.held_out);
        for (int m = 0; m < HCBR_METRIC_END; m++) {
            json_key(j, hcbr_metric_name((hcbr_metric)m));
            json_number(j, hcbr_evaluation_get_value(e->result, p, (hcbr_metric)m));
        }
        json_close(j, '}');
    }
    json_close(j, ']');
}

void evaluation_json(evaluation *e) {
    json all = {.to = e->out}, *j = &all;
    json_open(j, '{');
    json_key(j, "schema"), json_string(j, "hcbr.evaluate/1");
    json_key(j, "cases"), json_u64(j, e->info.cases);
    json_key(j, "skipped_rows"), json_u64(j, e->skipped);
    json_key(j, "held_out"), json_u64(j, e->info.held_out);
    json_key(j, "features"), json_u64(j, e->info.features);
    json_key(j, "atoms"), json_number(j, evaluation_figure(e, HCBR_METRIC_ATOMS, -1).mean);
    json_key(j, "folds"), json_u64(j, e->info.folds);
    json_key(j, "repeats"), json_u64(j, e->info.repeats);
    json_key(j, "seed"), json_u64(j, e->info.seed);
    json_key(j, "positive"), put_label(j, e, e->info.positive);
    for (int m = HCBR_METRIC_ACCURACY; m <= HCBR_METRIC_DECIDED; m++) {
        hcbr_figure figure = evaluation_figure(e, (hcbr_metric)m, HCBR_LABEL_UNKNOWN);
        hcbr_figure baseline = evaluation_baseline(e, (hcbr_metric)m);
        json_key(j, hcbr_metric_name((hcbr_metric)m)), put_figure(j, &figure, &baseline);
    }
    json_key(j, "unknown");
    json_number(j, evaluation_figure(e, HCBR_METRIC_UNKNOWN, HCBR_LABEL_UNKNOWN).pooled);
    for (int m = HCBR_METRIC_COPIES; m <= HCBR_METRIC_NEW; m++) {
        hcbr_figure figure = evaluation_figure(e, (hcbr_metric)m, HCBR_LABEL_UNKNOWN);
        json_key(j, hcbr_metric_name((hcbr_metric)m)), put_figure(j, &figure, NULL);
    }
    put_labels(e, j);
    put_confusion(e, j);
    put_reliability(e, j);
    put_parts(e, j);
    json_key(j, "fit_seconds");
    json_number(j, evaluation_figure(e, HCBR_METRIC_FIT, HCBR_LABEL_UNKNOWN).mean);
    json_key(j, "predict_seconds");
    json_number(j, evaluation_figure(e, HCBR_METRIC_PREDICT, HCBR_LABEL_UNKNOWN).mean);
    json_row(j);
}

static void put_by_label(const evaluation *e, json *j, const double *values) {
    if (!values) {
        json_null(j);
        return;
    }
    json_open(j, '{');
    for (uint32_t l = 0; l < e->info.labels; l++) {
        size_t length;
        const char *name = hcbr_evaluation_get_label(e->result, (hcbr_label)l, &length);
        json_key_text(j, name, length), json_number(j, values[l]);
    }
    json_close(j, '}');
}

void evaluation_predictions(const evaluation *e, out *to) {
    json all = {.to = to}, *j = &all;
    for (uint64_t i = 0; i < hcbr_evaluation_answer_count(e->result) && out_good(to); i++) {
        hcbr_answer a = {.size = sizeof a};
        hcbr_evaluation_get_answer(e->result, i, &a);
        json_open(j, '{');
        json_key(j, "schema"), json_string(j, "hcbr.evaluate.prediction/1");
        json_key(j, "row"), json_u64(j, a.row - e->test_row_base);
        json_key(j, "id");
        if (a.id)
            json_text(j, a.id, a.id_length);
        else
            json_null(j);
        json_key(j, "repeat"), json_u64(j, a.repeat);
        json_key(j, "fold"), json_u64(j, a.fold);
        json_key(j, "truth"), put_label(j, e, a.truth);
        json_key(j, "label"), put_label(j, e, a.label);
        json_key(j, "reason"), json_string(j, hcbr_reason_name(a.reason));
        json_key(j, "copy"), json_bool(j, a.copy);
        json_key(j, "support"), put_by_label(e, j, a.support);
        json_key(j, "probability"), put_by_label(e, j, a.probability);
        json_row(j);
    }
}
