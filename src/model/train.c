/*
 * Building a model, from a finished list of cases to the model: hcbr_model_train() names the steps
 * in their order, and the rest of the file is one function for each.
 *
 * Invariant: a model is built from the list that a reader would have given without the cases and
 * values that are left out, so that it has the same bytes.
 */
#include "model/training.h"

/* ---- the list of cases ----------------------------------------------------------------------- */

/* Mark the caller's list as changed. */
static void use_up(hcbr_i_training *t) {
    t->given->consumed |= t->options.consume != 0;
}

void hcbr_i_training_replace(hcbr_i_training *t, hcbr_cases *next) {
    if (!next)
        return;
    if (t->cases == t->given)
        use_up(t);
    else
        hcbr_cases_free(t->cases);
    t->cases = next;
    t->owned = true;
}

/* ---- 1. options ------------------------------------------------------------------------------ */

/* Complete options, with copies of the structures they point to. */
static hcbr_status begin(hcbr_i_training *t, hcbr_cases *cases, const hcbr_train_options *options,
                         hcbr_error *err) {
    hcbr_train_options *o = &t->options;
    *t = (hcbr_i_training){.given = cases, .cases = cases};
    hcbr_train_options_init(o);
    if (options)
        *o = *options;
    hcbr_rule_init(&t->rule);
    hcbr_tune_options_init(&t->tune);
    o->weight = o->weight ? o->weight : cases->weight;
    hcbr_status st = hcbr_i_train_check(o, cases, err);
    if (st != HCBR_OK)
        return st;
    if (o->rule)
        t->rule = *o->rule;
    if (o->tune)
        t->tune = *o->tune;
    o->rule = o->rule ? &t->rule : NULL;
    o->tune = o->tune ? &t->tune : NULL;
    t->owned = o->consume != 0;
    t->engine = hcbr_i_engine_of(o->model);
    return HCBR_OK;
}

/* ---- 2. columns ------------------------------------------------------------------------------ */

hcbr_i_left hcbr_i_model_left(const hcbr_train_options *o) {
    return (hcbr_i_left){{o->numeric, o->categorical},
                         {o->numeric_count, o->categorical_count},
                         o->model == HCBR_MODEL_PLAIN};
}

hcbr_status hcbr_i_model_understand(hcbr_cases **out, const hcbr_cases *cases,
                                    const hcbr_train_options *o, hcbr_error *err) {
    const hcbr_i_left leave = hcbr_i_model_left(o);
    return hcbr_i_cases_understand(out, cases, &leave, err);
}

/* Apply the schema, which was judged when the list was finished. For an engine that knows features
 * only, numbers become features. */
static hcbr_status apply_schema(hcbr_i_training *t, hcbr_error *err) {
    const hcbr_train_options *o = &t->options;
    hcbr_cases *typed = NULL, *spelled = NULL;
    hcbr_status st = hcbr_i_model_understand(&typed, t->cases, o, err);
    if (typed)
        hcbr_i_model_warn_ids(t->cases, o, o->notify, o->notify_context);
    hcbr_i_training_replace(t, typed);
    if (st == HCBR_OK && t->cases->apart && !t->engine->number_keys)
        st = hcbr_i_cases_spell(&spelled, t->cases, "numbers", o->progress, o->progress_context,
                                err);
    hcbr_i_training_replace(t, spelled);
    return st;
}

/* ---- 4. the model without learnt parts ------------------------------------------------------- */

/* The number of cases of each label. */
static hcbr_status count_labels(hcbr_model *m, const hcbr_cases *cases, hcbr_error *err) {
    m->label_cases = hcbr_i_alloc_zero(cases->labels.count, sizeof *m->label_cases);
    if (!m->label_cases)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count; i++)
        m->label_cases[cases->label[i]]++;
    return HCBR_OK;
}

static hcbr_status describe(hcbr_i_training *t, hcbr_error *err) {
    hcbr_train_options *o = &t->options;
    const hcbr_cases *cases = t->cases;
    hcbr_i_train_warn_labels(o, cases);
    hcbr_status st = hcbr_i_model_create(&t->model, err);
    if (st != HCBR_OK)
        return st;
    hcbr_model *m = t->model;
    m->engine = t->engine;
    m->case_count = cases->case_count;
    m->empty_count = cases->empty_count;
    m->scope = o->scope;
    m->passes = o->passes = m->engine->part_create ? o->passes : 0;
    m->seed = o->seed;
    m->given_order = o->given_order != 0;
    m->keep = o->keep;
    m->min_cases = o->min_cases;
    m->schema = cases->understood ? hcbr_i_schema_share(cases->schema) : NULL;
    m->emphases = hcbr_i_emphases_share(t->emphases);
    m->beliefs = hcbr_i_beliefs_share(cases->beliefs);
    if ((st = hcbr_i_labels_copy(&m->labels, &cases->labels, err)) != HCBR_OK ||
        (st = count_labels(m, cases, err)) != HCBR_OK ||
        (st = hcbr_i_model_set_types(m, o->typed_labels, o->typed_label_count, err)) != HCBR_OK ||
        (st = hcbr_i_rule_resolve(&m->rule, o->rule, &m->labels, hcbr_i_rule_of(o), err)) !=
            HCBR_OK)
        return st;
    st = hcbr_i_stored_read_make(&m->read, cases->label_name, cases->bins, o->read, err);
    m->read.listed |= hcbr_i_schema_is_listed(m->schema); // as its cases were read
    return st;
}

/* ---- 5. and 7. tuning ------------------------------------------------------------------------ */

/* Tune rule, passes and scope by models of parts of the cases, for an engine that has such
 * models. */
static hcbr_status tune_on_parts(hcbr_i_training *t, hcbr_error *err) {
    if (!t->engine->part_create)
        return HCBR_OK;
    return hcbr_i_model_learn(t->model, t->cases, &t->options, NULL, &t->tuned, err);
}

/* Tune the rule on cases held out by the fit; otherwise bring thresholds to the scale of the whole
 * model. */
static hcbr_status tune_on_fit(hcbr_i_training *t, hcbr_error *err) {
    if (t->engine->part_create)
        return t->tuned.eta ? hcbr_i_model_settle(t->model, &t->tuned, &t->fitted.own, err)
                            : HCBR_OK;
    if (!t->options.tune)
        return HCBR_OK;
    return hcbr_i_model_learn(t->model, t->cases, &t->options, &t->fitted.heldout, &t->tuned, err);
}

/* ---- 6. the fit ------------------------------------------------------------------------------ */

/* Move the results of the engine into the model. */
static void take_fitted(hcbr_model *m, hcbr_i_fitted *f) {
    m->dict = f->dict;
    m->occurrence_count = f->occurrence_count;
    m->value_count = f->value_count;
    m->label_total = f->label_total;
    m->label_weight = f->label_weight;
    m->pass_errors = f->pass_errors;
    m->facts = f->facts;
    f->dict = NULL;
    f->label_total = f->label_weight = NULL;
    f->pass_errors = NULL;
    if (m->record.held) // on parts
        return;
    m->record = f->record;
    f->record = (hcbr_i_record){0};
}

static hcbr_status fit(hcbr_i_training *t, hcbr_error *err) {
    hcbr_model *m = t->model;
    const hcbr_i_fit_options options = {.train = &t->options,
                                        .emphases = t->emphases,
                                        .owned = t->owned,
                                        .heldout = t->options.tune != NULL,
                                        .own = t->tuned.eta != NULL};
    use_up(t);
    hcbr_status st = t->engine->fit(&m->state, &t->fitted, t->cases, &options, err);
    if (st != HCBR_OK)
        return st;
    if (t->fitted.borrowed) {
        t->cases->start = NULL;
        t->cases->features = NULL;
    }
    hcbr_i_model_fingerprint(m->fingerprint, t->cases, t->fitted.digest);
    take_fitted(m, &t->fitted);
    m->prior = hcbr_i_model_prior(m);
    return HCBR_OK;
}

/* ---- 8. kept cases --------------------------------------------------------------------------- */

static void *copy_array(const void *array, size_t count, size_t size) {
    void *copy = hcbr_i_alloc(count, size);
    if (copy && count)
        memcpy(copy, array, count * size);
    return copy;
}

/* Labels, rows and names of cases that are used up. */
static void take_cases(hcbr_model *m, hcbr_cases *cases) {
    m->kept_label = cases->label;
    m->kept_row = cases->row;
    cases->label = NULL;
    cases->row = NULL;
    if (cases->id_start && m->keep == HCBR_KEEP_FULL) {
        m->kept_ids = cases->ids;
        m->kept_id_start = cases->id_start;
        cases->ids = NULL;
        cases->id_start = NULL;
    }
}

static hcbr_status copy_cases(hcbr_model *m, const hcbr_cases *cases, hcbr_error *err) {
    m->kept_label = copy_array(cases->label, cases->case_count, sizeof *cases->label);
    bool ok = m->kept_label;
    if (ok && cases->row)
        ok = (m->kept_row = copy_array(cases->row, cases->case_count, sizeof *cases->row));
    if (ok && cases->id_start && m->keep == HCBR_KEEP_FULL) {
        m->kept_ids = copy_array(cases->ids, cases->id_bytes, 1);
        m->kept_id_start =
            copy_array(cases->id_start, (size_t)cases->case_count + 1, sizeof *cases->id_start);
        ok = m->kept_ids && m->kept_id_start;
    }
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status keep(hcbr_i_training *t, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (t->model->keep != HCBR_KEEP_NONE && t->owned)
        take_cases(t->model, t->cases);
    else if (t->model->keep != HCBR_KEEP_NONE)
        st = copy_cases(t->model, t->cases, err);
    return st == HCBR_OK ? hcbr_i_model_decide_record(t->model, err) : st;
}

/* ---- all steps ------------------------------------------------------------------------------- */

static void end(hcbr_i_training *t) {
    hcbr_i_tuned_clear(&t->tuned);
    hcbr_i_fitted_clear(&t->fitted);
    hcbr_i_emphases_release(t->emphases);
    hcbr_i_free(t->weight);
    if (t->cases != t->given)
        hcbr_cases_free(t->cases);
    hcbr_model_free(t->model);
}

hcbr_status hcbr_model_train(hcbr_model **out, hcbr_cases *cases, const hcbr_train_options *options,
                             hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_training t;
    hcbr_status st;
    if ((st = begin(&t, cases, options, err)) == HCBR_OK &&
        (st = apply_schema(&t, err)) == HCBR_OK &&
        (st = hcbr_i_model_afford(t.cases, &t.options, err)) == HCBR_OK &&
        (st = hcbr_i_training_select(&t, err)) == HCBR_OK && (st = describe(&t, err)) == HCBR_OK &&
        (st = tune_on_parts(&t, err)) == HCBR_OK && (st = fit(&t, err)) == HCBR_OK &&
        (st = tune_on_fit(&t, err)) == HCBR_OK && (st = keep(&t, err)) == HCBR_OK) {
        *out = t.model;
        t.model = NULL; // now the caller's
    }
    end(&t);
    return st;
}
