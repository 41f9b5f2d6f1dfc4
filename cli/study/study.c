/*
 * A study from its options to its tables: the common parts of all kinds.
 */
#include "study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const study_kind STUDY_KINDS[] = {
    {"curve", study_curve, false, false, false},
    {"pareto", study_pareto, false, false, false},
    {"passes", study_passes, true, false, false},
    {"cover", study_cover, true, false, false},
    {"time", study_time, true, true, true},
    {"space", study_space, true, false, true},
    {"reach", study_reach, true, false, true},
    {"prune", study_prune, true, false, false},
    {.name = NULL},
};

const study_kind *study_find(const char *name) {
    const study_kind *k = STUDY_KINDS;
    while (k->name && strcmp(name, k->name) != 0)
        k++;
    return k->name ? k : NULL;
}

void *study_alloc(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        study_no_memory();
    return memory;
}

hcbr_status study_fail(hcbr_error *err, hcbr_status status, const char *format, ...) {
    va_list list;
    *err = (hcbr_error){.status = status};
    va_start(list, format);
    (void)vsnprintf(err->message, sizeof err->message, format, list);
    va_end(list);
    return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

study_table *study_begin(study *s, const char *name, const char *says, const char *const *columns) {
    assert(s->table_count < STUDY_TABLES);
    study_table *table = &s->tables[s->table_count++];
    table->name = name;
    table->says = says;
    while (columns[table->column_count]) {
        assert(table->column_count < STUDY_COLUMNS);
        table->columns[table->column_count] = columns[table->column_count];
        table->column_count++;
    }
    return table;
}

double *study_add(study_table *table, const char *name) {
    size_t width = table->column_count, count = table->row_count + 1;
    if ((count & table->row_count) == 0) { // full: all powers of two are
        double *values = realloc(table->values, 2 * count * width * sizeof *values);
        const char **rows = realloc(table->rows, 2 * count * sizeof *rows);
        if (!values || !rows)
            study_no_memory();
        table->values = values;
        table->rows = rows;
    }
    table->rows[table->row_count] = name;
    double *row = table->values + table->row_count++ * width;
    for (size_t i = 0; i < width; i++)
        row[i] = NAN;
    return row;
}

study_spread study_spread_of(const double *values, size_t count, size_t stride) {
    study_spread out = {NAN, NAN};
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i * stride])) {
            sum += values[i * stride];
            n++;
        }
    if (n == 0)
        return out;
    out.mean = sum / (double)n;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i * stride]))
            squares += (values[i * stride] - out.mean) * (values[i * stride] - out.mean);
    if (n > 1)
        out.sd = sqrt(squares / (double)(n - 1));
    return out;
}

double study_exponent(const double *x, const double *y, size_t count) {
    double mx = 0, my = 0, above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        mx += log(x[i]) / (double)count;
        my += log(y[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double dx = log(x[i]) - mx;
        above += dx * (log(y[i]) - my);
        below += dx * dx;
    }
    return below > 0 ? above / below : NAN;
}

/* ---- running --------------------------------------------------------------------------------- */

hcbr_status study_run(study *s, const hcbr_cases *cases, hcbr_error *err) {
    const study_kind *kind = s->kind;
    if (kind->equal && s->train.emphasis_count)
        return study_fail(
            err, HCBR_EUSAGE,
            "study %s takes all features as equally important, expected no importances",
            kind->name);
    if (kind->plain_only && s->train.model != HCBR_MODEL_PLAIN)
        return study_fail(err, HCBR_EUSAGE, "study %s is about plain models: option model",
                          kind->name);
    if (s->repeats == 0)
        s->repeats = kind->run == study_curve ? 10 : 1;
    if (kind->run == study_curve || kind->own_cases)
        s->folds = 1;
    s->train.read = NULL;
    s->train.notify = NULL;
    if (kind->own_cases)
        return kind->run(s, err);
    hcbr_status st = hcbr_cases_copy(&s->cases, cases, &s->train, NULL, 0, err);
    if (st != HCBR_OK)
        return st;
    s->case_count = hcbr_cases_count(s->cases);
    s->labels = hcbr_cases_get_info(s->cases).labels;
    if (s->case_count < 2)
        return study_fail(err, HCBR_EDATA, "found 1 case, expected at least 2");
    return kind->run(s, err);
}

void study_clear(study *s) {
    for (size_t t = 0; t < s->table_count; t++) {
        free(s->tables[t].values);
        free(s->tables[t].rows);
    }
    hcbr_cases_free(s->cases);
    *s = (study){0};
}
