/*
 * Building a model: partition, strengths, training, and what is kept of the cases (METHOD 2-4).
 */
#include "model/model.h"

#define XXH_STATIC_LINKING_ONLY // for a state on the stack
#include <xxhash.h>

#define MOST_THREADS 1024u
#define MANY_LABELS 100u /* from here on, nearly as many labels as cases are a mistake */

/* ---- what the options say -------------------------------------------------------------------- */

hcbr_status hcbr_i_train_options_check(const hcbr_train_options *o, hcbr_error *err) {
    if (HCBR_I_UNSIZED(err, o->rule, o->tune, o->read))
        return HCBR_EUSAGE;
    if (o->scope != HCBR_SCOPE_CLASS && o->scope != HCBR_SCOPE_ALL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "scope %d, expected class or all", (int)o->scope);
    if (o->keep != HCBR_KEEP_NONE && o->keep != HCBR_KEEP_ANONYMOUS && o->keep != HCBR_KEEP_FULL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "keep %d, expected none, anonymous or full",
                           (int)o->keep);
    if ((unsigned)o->calibrate > HCBR_CALIBRATE_ISOTONIC)
        return hcbr_i_fail(err, HCBR_EUSAGE, "calibration %d, expected none, platt or isotonic",
                           (int)o->calibrate);
    if (o->threads > MOST_THREADS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u threads, expected at most %u", o->threads,
                           MOST_THREADS);
    if (o->model != HCBR_MODEL_PLAIN && o->model != HCBR_MODEL_RICH)
        return hcbr_i_fail(err, HCBR_EUSAGE, "model %d, expected plain or rich", (int)o->model);
    if (o->min_cases == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "min_cases 0, expected at least 1");
    if (o->prune != HCBR_PRUNE_CHOOSE && !(o->prune >= 0 && o->prune <= 1))
        return hcbr_i_fail(err, HCBR_EUSAGE, "prune %g, expected a share from 0 to 1", o->prune);
    if (o->prune != 0 && o->model != HCBR_MODEL_PLAIN)
        return hcbr_i_fail(err, HCBR_EUSAGE, "option prune is for plain models");
    if (o->emphasis_count && o->model != HCBR_MODEL_PLAIN)
        return hcbr_i_fail(err, HCBR_EUSAGE, "importance of features is for plain models");
    if ((unsigned)o->effort > HCBR_EFFORT_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE, "effort %d, expected lite, normal or max",
                           (int)o->effort);
    return hcbr_i_typed_labels_check(o, err);
}

static hcbr_status check_options(const hcbr_train_options *o, const hcbr_cases *cases,
                                 hcbr_error *err) {
    if (!cases->finished)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is not finished");
    if (cases->consumed)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases was used up by an earlier model");
    if (cases->least_count > 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases has kept its rare words");
    if (o->rule && o->rule->memory && o->keep == HCBR_KEEP_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "the memory rule needs the cases, expected keep anonymous or full");
    return HCBR_OK;
}

static hcbr_status check_rich(const hcbr_train_options *o, const hcbr_cases *cases,
                              hcbr_error *err) {
    char quoted[200];
    for (size_t i = 0; i < o->numeric_count; i++)
        for (size_t k = 0; k < o->categorical_count; k++)
            if (strcmp(o->numeric[i], o->categorical[k]) == 0)
                return hcbr_i_fail(
                    err, HCBR_EUSAGE,
                    "found %s for both option numeric and option categorical, expected it in "
                    "one of them",
                    hcbr_i_quote(quoted, o->numeric[i], strlen(o->numeric[i])));
    if (o->model == HCBR_MODEL_PLAIN)
        return !o->weight ? HCBR_OK
                          : hcbr_i_fail(err, HCBR_EUSAGE,
                                        "found weights, which a plain model has not, expected a "
                                        "rich one");
    if (o->calibrate != HCBR_CALIBRATE_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a rich model has probabilities that held-out cases have calibrated, "
                           "expected no other calibration");
    if (o->tune && (o->tune->pass_count || o->tune->choose_scope))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a rich model has no passes and no scope, expected none to choose from");
    return hcbr_i_model_check_weights(cases, o->weight, err);
}

/* Things about the labels that a user must know. */
static void warn_labels(const hcbr_train_options *o, const hcbr_cases *cases) {
    const hcbr_i_labels *labels = &cases->labels;
    char quoted[2][200];
    if (labels->count == 1)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "all cases have the label %s: it is all the model can decide",
                      hcbr_i_quote(quoted[0], labels->names[0], labels->lengths[0]));
    if (labels->count > MANY_LABELS && labels->count > cases->case_count / 2)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "%u different labels in %u cases: is the label column the right one?",
                      labels->count, cases->case_count);
    if (cases->empty_count == cases->case_count)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "no case has a feature: the model can decide nothing");
    for (uint32_t l = 1; l < labels->count; l++) {
        double a, b;
        if (hcbr_number_parse(&a, labels->names[l - 1], labels->lengths[l - 1]) &&
            hcbr_number_parse(&b, labels->names[l], labels->lengths[l]) && a == b)
            hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                          "labels %s and %s are the same number but different labels",
                          hcbr_i_quote(quoted[0], labels->names[l - 1], labels->lengths[l - 1]),
                          hcbr_i_quote(quoted[1], labels->names[l], labels->lengths[l]));
    }
}

/* ---- fingerprint (docs/FORMAT.md) ------------------------------------------------------------ */

static char *put(char *at, uint64_t value, int bytes) {
    for (int b = 0; b < bytes; b++)
        *at++ = (char)(value >> (8 * b));
    return at;
}

/* Numbers of 4 bytes, the lowest first. */
static void hash_labels(XXH3_state_t *state, const uint32_t *label, uint32_t count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    XXH3_128bits_update(state, label, count * sizeof *label);
#else
    char bytes[4096];
    for (uint32_t i = 0; i < count;) {
        char *at = bytes;
        for (; i < count && at < bytes + sizeof bytes; i++)
            at = put(at, label[i], 4);
        XXH3_128bits_update(state, bytes, (size_t)(at - bytes));
    }
#endif
}

static void fingerprint(uint64_t out[2], const hcbr_cases *cases, const uint64_t digest[2]) {
    const hcbr_i_labels *labels = &cases->labels;
    XXH3_state_t state;
    char head[32], *at = head;
    XXH3_128bits_reset(&state);
    at = put(at, digest[0], 8);
    at = put(at, digest[1], 8);
    at = put(at, cases->case_count, 8);
    put(at, labels->count, 8);
    XXH3_128bits_update(&state, head, sizeof head);
    for (uint32_t l = 0; l < labels->count; l++) {
        put(head, labels->lengths[l], 8);
        XXH3_128bits_update(&state, head, 8);
        XXH3_128bits_update(&state, labels->names[l], labels->lengths[l]);
    }
    hash_labels(&state, cases->label, cases->case_count);
    XXH128_hash_t h = XXH3_128bits_digest(&state);
    out[0] = h.low64;
    out[1] = h.high64;
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void *copy_array(const void *array, size_t count, size_t size) {
    void *copy = hcbr_i_alloc(count, size);
    if (copy && count)
        memcpy(copy, array, count * size);
    return copy;
}

/*
 * The cases are used up: what is kept of them is now the model's. This comes before all that may
 * fail, since the model releases their arrays.
 */
static void take_cases(hcbr_model *model, hcbr_cases *cases) {
    model->kept_label = cases->label;
    model->kept_row = cases->row;
    if (cases->id_start && model->keep == HCBR_KEEP_FULL) {
        model->kept_ids = cases->ids;
        model->kept_id_start = cases->id_start;
        cases->ids = NULL;
        cases->id_start = NULL;
    }
    cases->start = NULL;
    cases->features = NULL;
    cases->label = NULL;
    cases->row = NULL;
}

/* Projections are already in place; labels, rows and names are copied. */
static hcbr_status copy_cases(hcbr_model *model, const hcbr_cases *cases, hcbr_error *err) {
    model->kept_label = copy_array(cases->label, cases->case_count, sizeof *cases->label);
    bool ok = model->kept_label;
    if (ok && cases->row)
        ok = (model->kept_row = copy_array(cases->row, cases->case_count, sizeof *cases->row));
    if (ok && cases->id_start && model->keep == HCBR_KEEP_FULL) {
        model->kept_ids = copy_array(cases->ids, cases->id_bytes, 1);
        model->kept_id_start =
            copy_array(cases->id_start, (size_t)cases->case_count + 1, sizeof *cases->id_start);
        ok = model->kept_ids && model->kept_id_start;
    }
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

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

/* ---- all of it ------------------------------------------------------------------------------- */

static hcbr_status build(hcbr_model *model, hcbr_cases *cases, const hcbr_train_options *o,
                         const hcbr_i_tuned *tuned, hcbr_error *err) {
    uint64_t digest[2];
    bool borrowed = false;
    hcbr_status st = hcbr_i_model_fit_cases(model, cases, o, digest, &borrowed, err);
    if (st == HCBR_OK)
        fingerprint(model->fingerprint, cases, digest);
    if (borrowed)
        take_cases(model, cases);
    if (st == HCBR_OK && !model->engine->probable)
        st = hcbr_i_model_settle(model, tuned, err);
    if (st == HCBR_OK && o->keep == HCBR_KEEP_NONE)
        hcbr_i_model_forget_cases(model);
    else if (st == HCBR_OK && !borrowed)
        st = copy_cases(model, cases, err);
    return st;
}

static bool any_zero(const double *weight, uint32_t count) {
    for (uint32_t i = 0; weight && i < count; i++)
        if (weight[i] == 0)
            return true;
    return false;
}

/* A model of the cases whose weight is above 0. */
static hcbr_status train_weighed(hcbr_model **out, const hcbr_cases *cases, hcbr_train_options o,
                                 hcbr_error *err) {
    hcbr_cases *weighed = NULL;
    hcbr_status st = hcbr_i_model_weighed(&weighed, cases, o.weight, err);
    o.weight = NULL;
    o.consume = 1;
    if (st == HCBR_OK)
        st = hcbr_model_train(out, weighed, &o, err);
    hcbr_cases_free(weighed);
    return st;
}

/* A plain model of a list whose numbers stand apart. */
static hcbr_status train_spelled(hcbr_model **out, hcbr_cases *cases, hcbr_train_options o,
                                 hcbr_error *err) {
    hcbr_cases *spelled = NULL;
    hcbr_status st =
        hcbr_i_cases_spell(&spelled, cases, "numbers", o.progress, o.progress_context, err);
    if (o.consume)
        cases->consumed = true;
    o.consume = 1;
    if (st == HCBR_OK)
        st = hcbr_model_train(out, spelled, &o, err);
    hcbr_cases_free(spelled);
    return st;
}

/* A model of another form of the list: its columns as they were taken for, or fewer features. */
static hcbr_status train_understood(hcbr_model **out, hcbr_cases *cases, hcbr_cases *understood,
                                    hcbr_train_options o, hcbr_error *err) {
    cases->consumed |= o.consume != 0;
    o.consume = 1;
    hcbr_status st = hcbr_model_train(out, understood, &o, err);
    hcbr_cases_free(understood);
    return st;
}

/* A model of cases that all count. */
static hcbr_status train(hcbr_model **out, hcbr_cases *cases, hcbr_train_options o,
                         hcbr_error *err) {
    if (o.model == HCBR_MODEL_RICH)
        o.passes = 0; // its strengths are fitted otherwise
    warn_labels(&o, cases);
    hcbr_i_tuned tuned = {0};
    hcbr_model *model;
    hcbr_status st = hcbr_i_model_create(&model, err);
    if (st != HCBR_OK)
        return st;
    model->dict = hcbr_i_dict_share(cases->dict);
    model->case_count = cases->case_count;
    model->empty_count = cases->empty_count;
    model->occurrence_count = cases->start[cases->case_count]; // of a rich model it is set later
    model->scope = o.scope;
    model->passes = o.passes;
    model->seed = o.seed;
    model->given_order = o.given_order != 0;
    model->keep = o.keep;
    model->min_cases = o.min_cases;
    if (cases->understood)
        model->schema = hcbr_i_schema_share(cases->schema);
    if (!(model->pass_errors = hcbr_i_alloc_zero(o.passes, sizeof *model->pass_errors)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && o.emphasis_count) {
        hcbr_i_emphases *emphases;
        st = hcbr_i_emphases_make(&emphases, o.emphasis, o.emphasis_count, err);
        if (st == HCBR_OK)
            hcbr_i_model_take_emphases(model, emphases);
    }
    model->beliefs = hcbr_i_beliefs_share(cases->beliefs);
    if (st == HCBR_OK)
        st = hcbr_i_labels_copy(&model->labels, &cases->labels, err);
    if (st == HCBR_OK)
        st = hcbr_i_model_set_types(model, o.typed_labels, o.typed_label_count, err);
    if (st == HCBR_OK)
        st = hcbr_i_rule_resolve(&model->rule, o.rule, &model->labels, hcbr_i_rule_of(&o), err);
    if (st == HCBR_OK)
        st = hcbr_i_stored_read_make(&model->read, cases->label_name, cases->bins, o.read, err);
    model->read.listed |= hcbr_i_schema_is_listed(model->schema); // as its cases were read
    if (st == HCBR_OK && o.model == HCBR_MODEL_RICH)
        st = hcbr_i_model_fit_rich(model, cases, &o, &tuned, err);
    else if (st == HCBR_OK)
        st = hcbr_i_model_learn(model, cases, &o, NULL, &tuned, err);
    if (st == HCBR_OK) {
        if (o.consume)
            cases->consumed = true;
        st = build(model, cases, &o, &tuned, err);
    }
    if (st == HCBR_OK)
        model->prior = hcbr_i_model_prior(model);
    if (st == HCBR_OK)
        st = hcbr_i_model_decide_record(model, err);
    if (st == HCBR_OK) {
        *out = model;
        model = NULL; // now the caller's
    }
    hcbr_i_tuned_clear(&tuned);
    hcbr_model_free(model);
    return st;
}

/* The cases without features of importance 0; NULL: they have none. */
static hcbr_status leave_out(hcbr_cases **out, const hcbr_cases *cases, const hcbr_train_options *o,
                             hcbr_error *err) {
    hcbr_i_emphases *emphases;
    *out = NULL;
    hcbr_status st = hcbr_i_emphases_make(&emphases, o->emphasis, o->emphasis_count, err);
    if (st == HCBR_OK)
        st = hcbr_i_emphases_apply(out, cases, emphases, err);
    hcbr_i_emphases_release(emphases);
    return st;
}

/* A model of the features that tell most. */
static hcbr_status train_pruned(hcbr_model **out, hcbr_cases *cases, hcbr_train_options o,
                                hcbr_error *err) {
    hcbr_cases *pruned = NULL;
    if (o.prune == 0)
        return train(out, cases, o, err);
    hcbr_status st = hcbr_i_model_prune(&pruned, cases, &o, err);
    cases->consumed |= o.consume != 0;
    o.consume = 1;
    if (st == HCBR_OK)
        st = train(out, pruned, o, err);
    hcbr_cases_free(pruned);
    return st;
}

/* A model of the cases without what few of them have. */
static hcbr_status train_common(hcbr_model **out, hcbr_cases *cases, hcbr_train_options o,
                                hcbr_error *err) {
    hcbr_cases *common = NULL;
    hcbr_status st = hcbr_i_model_common(&common, cases, &o, err);
    cases->consumed |= o.consume != 0;
    o.consume = 1;
    if (st == HCBR_OK)
        st = train_pruned(out, common, o, err);
    hcbr_cases_free(common);
    return st;
}

/* What the options point to, as long as it is here. */
static void complete(hcbr_train_options *o, hcbr_rule *rule, hcbr_tune_options *tune) {
    hcbr_rule_init(rule);
    hcbr_i_take_in(rule, sizeof *rule, o->rule);
    hcbr_tune_options_init(tune);
    hcbr_i_take_in(tune, sizeof *tune, o->tune);
    o->rule = o->rule ? rule : NULL;
    o->tune = o->tune ? tune : NULL;
}

hcbr_status hcbr_model_train(hcbr_model **out, hcbr_cases *cases, const hcbr_train_options *options,
                             hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_train_options o;
    hcbr_rule rule;
    hcbr_tune_options tune;
    hcbr_train_options_init(&o);
    hcbr_i_take_in(&o, sizeof o, options);
    hcbr_status st = hcbr_i_train_options_check(&o, err);
    if (st != HCBR_OK)
        return st;
    complete(&o, &rule, &tune);
    st = check_options(&o, cases, err);
    if (!o.weight)
        o.weight = cases->weight;
    if (st == HCBR_OK)
        st = check_rich(&o, cases, err);
    hcbr_cases *understood = NULL;
    if (st == HCBR_OK)
        st = hcbr_i_model_understand(&understood, cases, &o, err);
    if (understood)
        hcbr_i_model_warn_ids(cases, &o, o.notify, o.notify_context);
    if (understood)
        return train_understood(out, cases, understood, o, err);
    if (st == HCBR_OK && cases->apart && o.model == HCBR_MODEL_PLAIN)
        return train_spelled(out, cases, o, err);
    if (st == HCBR_OK)
        st = hcbr_i_model_afford(cases, &o, err);
    if (st != HCBR_OK)
        return st;
    if (any_zero(o.weight, cases->case_count))
        return train_weighed(out, cases, o, err);
    hcbr_cases *fewer = NULL;
    if (o.emphasis_count && (st = leave_out(&fewer, cases, &o, err)) != HCBR_OK)
        return st;
    if (fewer)
        return train_understood(out, cases, fewer, o, err);
    return o.min_cases > 1 ? train_common(out, cases, o, err) : train_pruned(out, cases, o, err);
}
