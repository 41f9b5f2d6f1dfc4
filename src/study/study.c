/*
 * A study from its options to its tables: what all kinds have in common.
 */
#include "study/study.h"

#include <math.h>

#define MOST_PARTS 100000u
#define MOST_THREADS 1024u
#define MOST_PASSES 10000u
#define MOST_GENERATIONS 1000000u
#define CURVE_REPEATS 10u

typedef struct kind_facts {
    const char *name;
    hcbr_status (*run)(hcbr_i_study_job *job, hcbr_error *err);
    bool plain_only;
    bool own_cases; /* it makes its own */
    bool equal;     /* it takes all features as equally important */
} kind_facts;

static const kind_facts KINDS[HCBR_STUDY_KINDS] = {
    [HCBR_STUDY_CURVE] = {"curve", hcbr_i_study_curve, false, false, false},
    [HCBR_STUDY_PARETO] = {"pareto", hcbr_i_study_pareto, false, false, false},
    [HCBR_STUDY_PASSES] = {"passes", hcbr_i_study_passes, true, false, false},
    [HCBR_STUDY_COVER] = {"cover", hcbr_i_study_cover, true, false, false},
    [HCBR_STUDY_TIME] = {"time", hcbr_i_study_time, true, true, true},
    [HCBR_STUDY_SPACE] = {"space", hcbr_i_study_space, true, false, true},
    [HCBR_STUDY_REACH] = {"reach", hcbr_i_study_reach, true, false, true},
    [HCBR_STUDY_PRUNE] = {"prune", hcbr_i_study_prune, true, false, false},
};

static const kind_facts *facts_of(hcbr_study_kind kind) {
    return (unsigned)kind < HCBR_STUDY_KINDS ? &KINDS[kind] : NULL;
}

const char *hcbr_study_kind_name(hcbr_study_kind kind) {
    const kind_facts *facts = facts_of(kind);
    return facts ? facts->name : NULL;
}

void(hcbr_study_options_init)(hcbr_study_options *options, size_t size) {
    static const hcbr_study_options full = {.size = sizeof full,
                                            .folds = 10,
                                            .seed = 1,
                                            .passes = 20,
                                            .threads = 1,
                                            .generations = 100};
    hcbr_i_set_defaults(options, size, &full, sizeof full);
}

/* ---- tables ---------------------------------------------------------------------------------- */

hcbr_i_study_table *hcbr_i_study_begin(hcbr_study *study, const char *name, const char *says,
                                       const char *const *columns) {
    assert(study->table_count < HCBR_I_STUDY_TABLES);
    hcbr_i_study_table *table = &study->tables[study->table_count++];
    table->name = name;
    table->says = says;
    while (columns[table->column_count]) {
        assert(table->column_count < HCBR_I_STUDY_COLUMNS);
        table->columns[table->column_count] = columns[table->column_count];
        table->column_count++;
    }
    return table;
}

double *hcbr_i_study_add(hcbr_i_study_table *table, const char *name) {
    size_t width = table->column_count;
    if (!hcbr_i_grow(&table->values, &table->row_capacity, table->row_count + 1,
                     width * sizeof *table->values))
        return NULL;
    if (name) {
        if (!hcbr_i_grow(&table->rows, &table->name_capacity, table->row_count + 1,
                         sizeof *table->rows))
            return NULL;
        table->rows[table->row_count] = name;
    }
    double *row = table->values + table->row_count++ * width;
    for (size_t i = 0; i < width; i++)
        row[i] = NAN;
    return row;
}

hcbr_i_spread hcbr_i_study_spread(const double *values, size_t count, size_t stride) {
    hcbr_i_spread out = {NAN, NAN};
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

double hcbr_i_study_exponent(const double *x, const double *y, size_t count) {
    double mx = 0, my = 0, above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        mx += hcbr_i_log(x[i]) / (double)count;
        my += hcbr_i_log(y[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double dx = hcbr_i_log(x[i]) - mx;
        above += dx * (hcbr_i_log(y[i]) - my);
        below += dx * dx;
    }
    return below > 0 ? above / below : NAN;
}

/* ---- running --------------------------------------------------------------------------------- */

static hcbr_status check(const kind_facts *facts, const hcbr_cases *cases,
                         const hcbr_study_options *o, hcbr_error *err) {
    bool plain = !o->train || o->train->model == HCBR_MODEL_PLAIN;
    if (facts->own_cases)
        return plain ? HCBR_OK
                     : hcbr_i_fail(err, HCBR_EUSAGE, "study %s is about plain models: option model",
                                   facts->name);
    if (!cases || !cases->finished)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is not finished");
    if (cases->consumed)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases was used up by an earlier model");
    if (o->threads > MOST_THREADS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u threads, expected at most %u", o->threads,
                           MOST_THREADS);
    if ((uint64_t)o->folds * (o->repeats ? o->repeats : CURVE_REPEATS) > MOST_PARTS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u folds in %u repeats, expected at most %u parts",
                           o->folds, o->repeats, MOST_PARTS);
    if (o->passes > MOST_PASSES)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u passes, expected at most %u", o->passes,
                           MOST_PASSES);
    if (o->generations > MOST_GENERATIONS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u generations, expected at most %u", o->generations,
                           MOST_GENERATIONS);
    if (facts->plain_only && !plain)
        return hcbr_i_fail(err, HCBR_EUSAGE, "study %s is about plain models: option model",
                           facts->name);
    if (cases->case_count < 2)
        return hcbr_i_fail(err, HCBR_EDATA, "found %u case%s, expected at least 2",
                           cases->case_count, cases->case_count == 1 ? "" : "s");
    return HCBR_OK;
}

/* With the cases in the form that models take, and what parts of them need. */
static hcbr_status run_on_cases(hcbr_i_study_job *job, const kind_facts *facts,
                                const hcbr_cases *cases, hcbr_error *err) {
    hcbr_i_taken_cases taken;
    hcbr_study *s = job->study;
    uint32_t *same = NULL;
    const hcbr_train_options given = job->train;
    hcbr_status st = hcbr_i_evaluate_train(&job->train, &given, &cases->labels, err);
    if (st != HCBR_OK)
        return st;
    const hcbr_i_watch watch =
        hcbr_i_evaluate_watch(cases, job->options->progress, job->options->progress_context);
    st = hcbr_i_evaluate_take(&taken, cases, &job->train, job->options->progress,
                              job->options->progress_context, err);
    if (st == HCBR_OK) {
        job->cases = taken.cases;
        s->cases = taken.cases->case_count;
        s->labels = taken.cases->labels.count;
        st = hcbr_i_cases_value_count(&s->features, taken.cases, &watch, err);
    }
    if (st == HCBR_OK && !(same = hcbr_i_alloc(taken.cases->case_count, sizeof *same)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_copies_number(same, taken.cases, &watch, err);
    if (st == HCBR_OK)
        st = hcbr_i_find_positive(&job->positive, NULL, &taken.cases->labels, err);
    job->same = same;
    if (st == HCBR_OK)
        st = facts->run(job, err);
    hcbr_i_free(same);
    hcbr_i_taken_clear(&taken);
    return st;
}

hcbr_status hcbr_study_run(hcbr_study **out, hcbr_study_kind kind, const hcbr_cases *cases,
                           const hcbr_study_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    const kind_facts *facts = facts_of(kind);
    hcbr_study_options o;
    hcbr_study_options_init(&o);
    if (options)
        o = *options;
    if (!facts)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found study %d, which there is none of", (int)kind);
    hcbr_i_study_job job = {
        .options = &o,
        .each = {o.threads ? o.threads : 1, "study", o.progress, o.progress_context}};
    hcbr_train_options_init(&job.train);
    job.train.model = HCBR_MODEL_PLAIN;
    if (HCBR_I_UNSIZED(err, o.train))
        return HCBR_EUSAGE;
    if (o.train)
        job.train = *o.train;
    if (facts->equal && job.train.emphasis_count)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "study %s takes all features as equally important, expected no "
                           "importances",
                           facts->name);
    o.train = &job.train;
    hcbr_status st = check(facts, cases, &o, err);
    if (st != HCBR_OK)
        return st;
    hcbr_study *s = hcbr_i_alloc_zero(1, sizeof *s);
    if (!s)
        return hcbr_i_no_memory(err);
    job.study = s;
    s->kind = kind;
    s->model = job.train.model;
    s->seed = o.seed;
    s->folds = kind == HCBR_STUDY_CURVE || facts->own_cases ? 1 : o.folds;
    s->repeats = o.repeats ? o.repeats : kind == HCBR_STUDY_CURVE ? CURVE_REPEATS : 1;
    st = facts->own_cases ? facts->run(&job, err) : run_on_cases(&job, facts, cases, err);
    if (st == HCBR_OK) {
        *out = s;
        s = NULL; // now the caller's
    }
    hcbr_study_free(s);
    return st;
}

/* ---- the result ------------------------------------------------------------------------------ */

void hcbr_study_free(hcbr_study *study) {
    if (!study)
        return;
    for (size_t t = 0; t < study->table_count; t++) {
        hcbr_i_free(study->tables[t].values);
        hcbr_i_free(study->tables[t].rows);
    }
    hcbr_i_free(study);
}

void hcbr_study_get_info(const hcbr_study *study, hcbr_study_info *info) {
    hcbr_study_info full = {.size = sizeof full,
                            .kind = study->kind,
                            .model = study->model,
                            .cases = study->cases,
                            .features = study->features,
                            .labels = study->labels,
                            .folds = study->folds,
                            .repeats = study->repeats,
                            .seed = study->seed,
                            .says = study->says};
    hcbr_i_hand_out(info, &full, sizeof full);
}

size_t hcbr_study_table_count(const hcbr_study *study) {
    return study->table_count;
}

void hcbr_study_get_table(const hcbr_study *study, size_t index, hcbr_study_table *out) {
    assert(index < study->table_count);
    const hcbr_i_study_table *t = &study->tables[index];
    hcbr_study_table full = {.size = sizeof full,
                             .name = t->name,
                             .says = t->says,
                             .columns = t->columns,
                             .column_count = t->column_count,
                             .rows = t->rows,
                             .row_count = t->row_count,
                             .values = t->values};
    hcbr_i_hand_out(out, &full, sizeof full);
}
