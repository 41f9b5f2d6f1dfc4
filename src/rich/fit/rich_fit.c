/*
 * The rich model: fit the families one after the other, then the trust in each.
 *
 * The support of a case is bias + sum over families of trust x support by the family; that of the
 * boosted family is the mean of its fold models.
 */
#include "rich/encode/column_encoding.h"
#include "rich/encode/kept_cases.h"
#include "rich/rich_draw.h"
#include "rich/rich_math.h"

#define ALL_COLUMNS (1 - 0x1p-52) /* all of them as a share, rounded up */
#define FOREST_CASES 30000
#ifdef HCBR_FAULTS
double hcbr_i_rich_forest_cases = FOREST_CASES;
#else
#define hcbr_i_rich_forest_cases FOREST_CASES
#endif

void hcbr_i_rich_tuning_init(hcbr_i_rich_tuning *tuning, hcbr_i_rich_effort effort) {
    *tuning = (hcbr_i_rich_tuning){.family = {true, effort != HCBR_I_RICH_LITE, true},
                                   .fewest_numbers = HCBR_I_FEWEST_NUMBERS,
                                   .linear_cuts = 16,
                                   .linear_passes = 20,
                                   .linear_precision = 0.2,
                                   .linear_c = 10,
                                   .newton = 200,
                                   .depth = {6, 6},
                                   .most_trees = 500,
                                   .patience = 12,
                                   .stop_gain = 0.0005,
                                   .rate = 0.2,
                                   .draw = 0.85,
                                   .least_draw = 0.4,
                                   .most_drawn = 80000,
                                   .columns = 0.35,
                                   .fewest_columns = 8,
                                   .lambda = 1,
                                   .least_h = 0.3,
                                   .cuts = 2,
                                   .cases_per_cut = 200,
                                   .forest_trees = 100,
                                   .forest_prior = 1,
                                   .forest_least = 1,
                                   .forest_cases = hcbr_i_rich_forest_cases,
                                   .forest_first = 0.2,
                                   .forest_trust = 0.1,
                                   .linear_trust = 0.1,
                                   .forest_cuts = 1,
                                   .forest_columns = 1,
                                   .stack_pull = 5,
                                   .stack_cases = 1u << 16,
                                   .stack_many = 8192,
                                   .laid = 2000,
                                   .medium = 2000,
                                   .large = 10000,
                                   .many = 64,
                                   .rivals = 64,
                                   .samples = 1u << 20,
                                   .fewest_samples = 256};
    if (effort == HCBR_I_RICH_LITE)
        tuning->forest_trees = 60;
    if (effort == HCBR_I_RICH_MAX) {
        tuning->rate = 0.1;
        tuning->most_trees = 1500;
        tuning->patience = 36;
        tuning->forest_trees = 300;
    }
}

/* Many cases allow larger steps and deeper trees, of which fewer are needed, and they need less
 * randomness: trees are grown on all cases and try more cuts. With still more cases nodes try all
 * columns, and with very many a smaller share of the cases is enough for a tree. With many labels
 * each is fitted to few cases against the rest, with a larger C. */
static void adapt(hcbr_i_rich_tuning *t, uint32_t rows, uint32_t labels) {
    t->linear_c *= labels > 2 ? (labels < t->many ? labels : t->many) / 2.0 : 1;
    if (rows >= t->medium) {
        t->rate *= 1.25;
        t->draw = 1;
        t->cuts *= 4;
        t->depth[1] += 6;
        t->most_trees /= 4;
        t->forest_trees /= 2;
    }
    if (rows >= t->large) {
        t->most_trees = t->most_trees * 3 / 5;
        t->forest_least *= 2;
        t->forest_trust *= 3;
        t->columns = labels == 2 ? ALL_COLUMNS : t->columns; // for several labels it gains nothing
        t->draw = fmin(t->draw, fmax(t->least_draw, t->most_drawn / rows));
    }
}

/* ---- training -------------------------------------------------------------------------------- */

/* With very many labels or cases held-out supports are kept for some cases only, unless all are
 * wanted. */
static bool choose_sample(hcbr_i_rich_table *t, const hcbr_i_rich_options *o) {
    const hcbr_i_rich_tuning *tuning = &o->tuning;
    uint32_t most = tuning->samples / t->labels;
    most = most > tuning->fewest_samples ? most : tuning->fewest_samples;
    if (o->heldout)
        return true;
    return hcbr_i_rich_table_sample(t, t->labels > tuning->many ? most : tuning->stack_cases);
}

/* The inputs of more_linear() and more_trees(), once boosted trees are fitted. */
typedef struct trial {
    hcbr_i_rich *rich;
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    double *const *held; /* of each family */
    hcbr_error *err;
    hcbr_status status;
    bool known; /* the stack is that of the trees there are */
} trial;

static void forget_stack(hcbr_i_rich_stack *stack) {
    hcbr_i_free(stack->bias);
    *stack = (hcbr_i_rich_stack){0};
}

/* Whether the first linear model has trust in addition to its boosted trees. */
static bool more_linear(void *context) {
    trial *x = context;
    hcbr_i_rich_stack stack = {0};
    x->status = hcbr_i_rich_stack_fit(&stack, x->table, x->options, x->held, 1u, 1, x->err);
    bool trusted = x->status == HCBR_OK && stack.trust[0] >= x->options->tuning.linear_trust;
    forget_stack(&stack);
    return trusted;
}

/* Whether the first trees of the forest have trust. With many cases boosted trees often make them
 * redundant; then the stack is complete. */
static bool more_trees(void *context) {
    trial *x = context;
    hcbr_i_rich_stack *stack = &x->rich->stack;
    x->status = hcbr_i_rich_stack_fit(stack, x->table, x->options, x->held, HCBR_I_RICH_ALL_FOLDS,
                                      1, x->err);
    x->known = x->status == HCBR_OK && stack->trust[2] < x->options->tuning.forest_trust;
    if (x->known || x->status != HCBR_OK)
        return false;
    forget_stack(stack);
    return true;
}

/* Whether to test, with many cases, if other families add to boosted trees. */
static bool tries(const trial *x) {
    return x->table->rows >= x->options->tuning.medium && x->options->tuning.family[1];
}

static hcbr_status fit_linear(trial *x, double **held) {
    hcbr_i_rich *rich = x->rich;
    bool asks = tries(x) && x->table->labels <= x->options->tuning.many;
    hcbr_status st = hcbr_i_rich_linear_fit(&rich->linear, &rich->kept, x->table, x->options, *held,
                                            asks ? more_linear : NULL, x, x->err);
    if (st != HCBR_OK || x->status != HCBR_OK)
        return st == HCBR_OK ? x->status : st;
    rich->family[0] = rich->linear.outputs > 0;
    if (!rich->family[0]) {
        hcbr_i_free(*held);
        *held = NULL;
    }
    return HCBR_OK;
}

static hcbr_status fit_forest(trial *x, double *held) {
    hcbr_status st =
        hcbr_i_rich_forest_fit(&x->rich->forest, &x->rich->shares, x->table, x->options, held,
                               tries(x) ? more_trees : NULL, x, x->err);
    return st == HCBR_OK ? x->status : st;
}

static hcbr_status fit(hcbr_i_rich *rich, hcbr_i_rich_table *t, const hcbr_i_rich_options *o,
                       const hcbr_i_rich_view *view, const uint32_t *row_of, hcbr_error *err) {
    double *held[HCBR_I_RICH_FAMILIES] = {0}, *honest = NULL;
    const bool looks_back = o->heldout || o->record;
    trial x = {.rich = rich, .table = t, .options = o, .held = held, .err = err};
    bool lay = o->tuning.family[1] && t->rows >= o->tuning.laid && t->bag_count == 0;
    bool ok = choose_sample(t, o) && (!lay || hcbr_i_rich_table_lay(t));
    hcbr_status st = ok ? HCBR_OK : hcbr_i_no_memory(err);
    static const uint32_t ORDER[HCBR_I_RICH_FAMILIES] = {1, 0, 2}; // boosted trees are needed by
                                                                   // the later ones
    for (uint32_t i = 0; st == HCBR_OK && i < HCBR_I_RICH_FAMILIES; i++) {
        uint32_t f = ORDER[i];
        rich->family[f] = o->tuning.family[f];
        if (!rich->family[f])
            continue;
        if (!hcbr_i_rich_progress_family(o->progress_of, &o->tuning, f, t->labels))
            break;
        held[f] = hcbr_i_alloc(t->sample_count, rich->outputs * sizeof *held[f]);
        if (f == 1 && looks_back)
            honest = hcbr_i_alloc(t->sample_count, rich->outputs * sizeof *honest);
        if (!held[f] || (f == 1 && looks_back && !honest))
            st = hcbr_i_no_memory(err);
        else if (f == 0)
            st = fit_linear(&x, &held[f]);
        else if (f == 1)
            st = hcbr_i_rich_boost_fit(&rich->boosted, t, o, held[f], honest, err);
        else
            st = fit_forest(&x, held[f]);
        hcbr_i_rich_leave_out(t, f < 2 ? held[f] : NULL);
        hcbr_i_rich_leave_out(t, f == 1 ? honest : NULL);
    }
    if (atomic_load(&o->progress_of->stop)) // whatever the result of the families
        st = hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
    if (st == HCBR_OK && !hcbr_i_rich_progress_trust(o->progress_of))
        st = hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
    if (st == HCBR_OK && !x.known)
        st = hcbr_i_rich_stack_fit(&rich->stack, t, o, held, HCBR_I_RICH_ALL_FOLDS, 1, err);
    if (st == HCBR_OK &&
        !hcbr_i_rich_temperature_fit(&rich->stack, t, o, held, HCBR_I_RICH_ALL_FOLDS, 1))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && looks_back) {
        double *const seen[HCBR_I_RICH_FAMILIES] = {held[0], honest, held[2]};
        st = hcbr_i_rich_look_back(rich, t, o, seen, view, row_of, err);
    }
    hcbr_i_free(honest);
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        hcbr_i_free(held[f]);
    if (st == HCBR_OK && !hcbr_i_rich_progress_end(o->progress_of))
        st = hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
    return st;
}

/* Count the cases without a feature by label. False: no memory. */
static bool count_empty(hcbr_i_rich *rich, const hcbr_i_rich_view *view) {
    const struct hcbr_cases *cases = view->cases;
    uint32_t count = view->index ? view->count : cases->case_count;
    for (uint32_t j = 0; j < count; j++) {
        uint32_t i = view->index ? view->index[j] : j;
        double w = hcbr_i_case_is_empty(cases, i) ? hcbr_i_rich_weight(view, i) : 0;
        if (!(w > 0))
            continue;
        if (!rich->empty && !(rich->empty = hcbr_i_alloc_zero(rich->labels, sizeof *rich->empty)))
            return false;
        rich->empty[cases->label[i]] += w;
    }
    return true;
}

/* Encode and merge the cases of a view with separate numbers; row_of is the caller's. */
static hcbr_status prepare(hcbr_i_rich *rich, hcbr_i_rich_table *table, uint32_t **row_of,
                           const hcbr_i_rich_view *view, const hcbr_i_rich_options *o,
                           hcbr_error *err) {
    hcbr_i_rich_coded coded = {0};
    uint32_t count = hcbr_i_rich_view_count(view);
    if (o->keep && !(rich->past = hcbr_i_alloc_zero(1, sizeof *rich->past)))
        return hcbr_i_no_memory(err);
    if (rich->past)
        rich->past->count = count;
    if (!(*row_of = hcbr_i_alloc(count, sizeof **row_of)) || !count_empty(rich, view))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_rich_encode(&rich->encoder, &coded, rich->past, view, o, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_go_on(o, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_table_make(table, &rich->encoder, view, &coded, o->seed, o->threads,
                                    *row_of, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_go_on(o, err);
    if (st == HCBR_OK &&
        (!hcbr_i_rich_counts_make(&rich->counts, &rich->encoder, table, *row_of, count, coded.words,
                                  coded.word_count) ||
         !hcbr_i_rich_twins_make(&rich->twin, table) || !hcbr_i_rich_classes_make(rich)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && rich->past) {
        uint32_t *copy = hcbr_i_alloc(count, sizeof *copy);
        if (copy)
            memcpy(copy, *row_of, count * sizeof *copy);
        if (!copy || !hcbr_i_rich_past_end(rich->past, &rich->encoder, table, copy))
            st = hcbr_i_no_memory(err);
        rich->past->words = coded.words;
        rich->past->word_count = coded.word_count;
        coded.words = NULL; // now the past's
    }
    hcbr_i_rich_coded_clear(&coded);
    return st;
}

/* The other steps, once the cases are merged. */
static hcbr_status train(hcbr_i_rich *rich, hcbr_i_rich_table *table, hcbr_i_rich_options *o,
                         const hcbr_i_rich_view *view, const uint32_t *row_of, hcbr_error *err) {
    rich->rows = table->rows;
    adapt(&o->tuning, table->rows, rich->labels);
    rich->kept.rate = o->tuning.rate;
    rich->kept.lambda = o->tuning.lambda;
    rich->kept.draw = o->tuning.draw;
    rich->kept.prior = o->tuning.forest_prior;
    rich->kept.part = hcbr_i_rich_forest_part(o->tuning.forest_cases, table->rows);
    if (table->rows && rich->labels > 1)
        return fit(rich, table, o, view, row_of, err);
    // one label, or nothing to learn from: no family, no bias
    rich->stack.bias = hcbr_i_alloc_zero(rich->outputs, sizeof *rich->stack.bias);
    if (!rich->stack.bias)
        return hcbr_i_no_memory(err);
    return hcbr_i_rich_progress_end(o->progress_of)
               ? HCBR_OK
               : hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
}

hcbr_status hcbr_i_rich_train(hcbr_i_rich **out, const hcbr_i_rich_view *given,
                              const hcbr_i_rich_options *options, hcbr_error *err) {
    hcbr_i_rich_view view = *given;
    struct hcbr_cases *apart = NULL;
    *out = NULL;
    hcbr_status st =
        given->cases->apart ? HCBR_OK : hcbr_i_cases_set_apart(&apart, given->cases, err);
    hcbr_i_rich *rich = st == HCBR_OK ? hcbr_i_alloc_zero(1, sizeof *rich) : NULL;
    if (!rich) {
        hcbr_cases_free(apart);
        return st == HCBR_OK ? hcbr_i_no_memory(err) : st;
    }
    view.cases = apart ? apart : given->cases;
    view.grid = hcbr_i_rich_weight_grid(given);
    hcbr_i_rich_options o = *options;
    hcbr_i_rich_progress progress;
    o.threads = o.threads ? o.threads : 1;
    o.progress_of = &progress;
    hcbr_i_rich_progress_begin(&progress, &o);
    hcbr_i_rich_table table = {0};
    uint32_t *row_of = NULL;
    rich->labels = view.cases->labels.count;
    rich->outputs = hcbr_i_rich_outputs(rich->labels);
    rich->seed = o.seed;
    st = hcbr_i_rich_go_on(&o, err);
    if (st == HCBR_OK)
        st = prepare(rich, &table, &row_of, &view, &o, err);
    hcbr_cases_free(apart);
    view.cases = given->cases;
    if (o.used_up)
        hcbr_i_numbers_drop(&o.used_up->numbers);
    if (st == HCBR_OK)
        st = train(rich, &table, &o, &view, row_of, err);
    hcbr_i_rich_table_clear(&table);
    hcbr_i_free(row_of);
    if (st == HCBR_OK && !hcbr_i_rich_layout_make(&rich->layout, rich))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK) {
        hcbr_i_rich_free(rich);
        return st;
    }
    *out = rich;
    return HCBR_OK;
}

void hcbr_i_rich_kept_clear(hcbr_i_rich_kept *kept) {
    hcbr_i_free(kept->weight);
    hcbr_i_free(kept->alpha);
    hcbr_i_free(kept->alpha_low);
    hcbr_i_free(kept->alpha_start);
    hcbr_i_free(kept->alpha_label);
    *kept = (hcbr_i_rich_kept){0};
}

void hcbr_i_rich_free(hcbr_i_rich *rich) {
    if (!rich)
        return;
    hcbr_i_rich_encoder_clear(&rich->encoder);
    hcbr_i_rich_linear_clear(&rich->linear);
    hcbr_i_rich_boosted_clear(&rich->boosted);
    hcbr_i_rich_forest_clear(&rich->forest);
    hcbr_i_rich_shares_clear(&rich->shares);
    hcbr_i_free(rich->stack.bias);
    hcbr_i_free(rich->empty);
    hcbr_i_rich_kept_clear(&rich->kept);
    hcbr_i_rich_counts_clear(&rich->counts);
    hcbr_i_free(rich->twin);
    hcbr_i_rich_classes_clear(&rich->classes);
    hcbr_i_rich_past_free(rich->past);
    hcbr_i_rich_layout_free(rich->layout);
    hcbr_i_free(rich);
}
