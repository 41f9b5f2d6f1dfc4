/*
 * One decision (METHOD 3): supports of the known features, rule R1, rule R2, the memory rule, and
 * the names that no past case has.
 *
 * A feature counts once however often it is given: known ones are marked with the number of the
 * case at hand, unseen ones go through a small table.
 */
#include "decide/decide.h"

#include <assert.h>
#include <math.h>

#define AHEAD HCBR_I_AHEAD
#define SMALL 8192  /* features of a model that are worth a table by name */
#define CACHED 8192 /* so many parts fit into a cache: nothing is to be fetched ahead */

const char *hcbr_reason_name(hcbr_reason reason) {
    static const char *const names[] = {"support",       "memory",     "eta", "eta-share",
                                        "nothing known", "empty case", "cut", "cost"};
    return (unsigned)reason < sizeof names / sizeof *names ? names[reason] : "unknown reason";
}

/* ---- life ------------------------------------------------------------------------------------ */

static hcbr_status parts_need(hcbr_decider *d, hcbr_error *err) {
    const hcbr_model *model = d->model;
    uint32_t features = model->atoms.feature_count;
    if (d->parts)
        return HCBR_OK;
    if (!(d->parts = hcbr_i_alloc_zero(features, sizeof *d->parts)))
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < features; f++) {
        uint32_t e = model->atoms.of[f];
        d->parts[f].atom = e;
        if (model->strength.mu) {
            d->parts[f].mu = model->strength.mu[e];
            d->parts[f].sigma = model->strength.sigma[e];
        }
    }
    return HCBR_OK;
}

/* Parts by number, for two labels. */
static hcbr_status numbers_need(hcbr_decider *d, hcbr_error *err) {
    const hcbr_model *model = d->model;
    const uint32_t limit = hcbr_i_dict_limit(model->dict);
    if (d->by_number)
        return HCBR_OK;
    const uint32_t *ids = hcbr_i_dict_get_numbers(model->dict);
    hcbr_i_pair *parts = hcbr_i_alloc(limit, sizeof *parts);
    double most = 0;
    if (!parts)
        return hcbr_i_no_memory(err);
    for (uint32_t n = 0; n < limit; n++) {
        if (ids[n] == 0) {
            parts[n] = (hcbr_i_pair){0, -1};
            continue;
        }
        uint32_t e = model->atoms.of[ids[n] - 1];
        double size = fabs(model->strength.mu[e]);
        most = size > most ? size : most;
        /* the 0 takes the sign from a sigma of -0, which means the same */
        parts[n] = (hcbr_i_pair){model->strength.mu[e], model->strength.sigma[e] + 0.0};
    }
    d->by_number = parts;
    d->most = most;
    d->limit = limit;
    return HCBR_OK;
}

hcbr_status hcbr_i_decider_create(hcbr_decider **out, const hcbr_model *model,
                                  const hcbr_rule *rule, bool names, hcbr_error *err) {
    *out = NULL;
    hcbr_decider *d = hcbr_i_alloc_zero(1, sizeof *d);
    if (!d)
        return hcbr_i_no_memory(err);
    d->model = model;
    d->total_weight = hcbr_i_model_total_weight(model);
    d->key = hcbr_i_hash_key_make(0);
    bool probable = model->rich || model->calibration.kind != HCBR_CALIBRATE_NONE;
    hcbr_i_rule_kind kind = {model->rich != NULL, probable};
    hcbr_status st = rule ? hcbr_i_rule_resolve(&d->rule, rule, &model->labels, kind, err)
                          : hcbr_i_rule_copy(&d->rule, &model->rule, model->labels.count, err);
    for (uint32_t l = 0; st == HCBR_OK && l < model->labels.count; l++)
        d->thresholds = d->thresholds || d->rule.eta[l] > 0 || d->rule.eta_share[l] >= 0.5;
    d->scored = st == HCBR_OK && (d->rule.has_cut || d->rule.costs.by_given);
    if (st == HCBR_OK && (names || model->rich)) // numbers never seen are found by their keys
        st = hcbr_i_dict_need_tables(model->dict, err);
    if (st == HCBR_OK)
        st = hcbr_i_gather_init(&d->gather, &model->strength, err);
    if (st == HCBR_OK && probable &&
        !(d->probability = hcbr_i_alloc(model->labels.count, sizeof *d->probability)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && model->rich)
        st = hcbr_i_rich_scorer_create(&d->rich, model->rich, err);
    if (st == HCBR_OK && d->rule.memory)
        st = hcbr_i_memory_create(&d->memory, model, err);
    if (st == HCBR_OK) {
        *out = d;
        d = NULL; // now the caller's
    }
    hcbr_decider_free(d);
    return st;
}

hcbr_status hcbr_decider_create(hcbr_decider **out, const hcbr_model *model, const hcbr_rule *rule,
                                hcbr_error *err) {
    return hcbr_i_decider_create(out, model, rule, true, err);
}

hcbr_status hcbr_i_decider_clone(hcbr_decider **out, const hcbr_decider *decider, hcbr_error *err) {
    hcbr_i_rule rule = {0};
    hcbr_status st = hcbr_i_decider_create(out, decider->model, NULL, true, err);
    if (st == HCBR_OK)
        st = hcbr_i_rule_copy(&rule, &decider->rule, decider->model->labels.count, err);
    if (st == HCBR_OK && decider->rule.memory && !(*out)->memory)
        st = hcbr_i_memory_create(&(*out)->memory, decider->model, err);
    if (st != HCBR_OK) {
        hcbr_decider_free(*out);
        *out = NULL;
        return st;
    }
    if (!rule.memory) {
        hcbr_i_memory_free((*out)->memory);
        (*out)->memory = NULL;
    }
    hcbr_i_rule_clear(&(*out)->rule);
    (*out)->rule = rule;
    (*out)->thresholds = decider->thresholds;
    (*out)->scored = decider->scored;
    return HCBR_OK;
}

void hcbr_decider_free(hcbr_decider *d) {
    if (!d)
        return;
    hcbr_i_rule_clear(&d->rule);
    hcbr_i_memory_free(d->memory);
    hcbr_i_gather_clear(&d->gather);
    hcbr_i_rich_scorer_free(d->rich);
    hcbr_i_free(d->probability);
    hcbr_i_block_clear(&d->block);
    hcbr_i_block_clear(&d->spelled);
    hcbr_i_free(d->parts);
    hcbr_i_free(d->by_number);
    hcbr_i_name_table_free(d->by_name);
    hcbr_i_by_code_clear(&d->by_code);
    hcbr_i_free(d->atoms);
    hcbr_i_free(d->weights);
    hcbr_i_free(d->unseen);
    hcbr_i_free(d->text);
    hcbr_i_free(d->table);
    hcbr_i_free(d->ids);
    hcbr_i_free(d);
}

/* ---- unseen features ------------------------------------------------------------------------- */

/* Add an unseen feature unless it is there already; returns how many there are now. */
static size_t add_unseen(hcbr_decider *d, const hcbr_feature *x, size_t count, size_t table_size) {
    uint64_t h =
        hcbr_i_hash_text(&d->key, x->key, x->key_length, x->value ? x->value : "", x->value_length)
            .lo;
    size_t i = (size_t)h & (table_size - 1);
    for (; d->table[i]; i = (i + 1) & (table_size - 1))
        if (hcbr_i_feature_same(&d->unseen[d->table[i] - 1], x))
            return count;
    d->unseen[count] = *x;
    d->table[i] = (uint32_t)++count;
    return count;
}

/* A word with the sign of sigma: an absent feature has one. */
static inline bool is_absent(const hcbr_i_pair *part) {
    int64_t bits;
    memcpy(&bits, (const char *)part + sizeof(double), sizeof bits);
    return bits < 0;
}

static inline bool is_unseen(const hcbr_decider *d, const hcbr_i_block *block, size_t n) {
    if (d->coded)
        return d->by_code.ids[block->numbers[n]] == HCBR_I_NONE;
    if (!d->numeric)
        return d->ids[n] == HCBR_I_NONE;
    return block->numbers[n] >= d->limit || is_absent(&d->by_number[block->numbers[n]]);
}

/* The unseen features of a case, each once. */
static size_t list_unseen(hcbr_decider *d, const hcbr_i_block *block, const hcbr_i_raw_case *x) {
    size_t count = 0, table_size = 16;
    while (table_size < x->count * 2)
        table_size *= 2;
    memset(d->table, 0, table_size * sizeof *d->table);
    for (size_t n = x->first; n < x->first + x->count; n++)
        if (is_unseen(d, block, n)) {
            hcbr_feature f = hcbr_i_block_get(block, n, d->text + count * HCBR_I_NAME_TEXT);
            count = add_unseen(d, &f, count, table_size);
        }
    return count;
}

/* ---- the rules ------------------------------------------------------------------------------- */

/* The other label with the largest support, among those that can win; or HCBR_I_NONE. */
static inline uint32_t best_other(const hcbr_decider *d, uint32_t winner) {
    uint32_t best = HCBR_I_NONE;
    const double *support = d->gather.support;
    if (d->gather.label_count == 2)
        return d->model->strength.total[1 - winner] > 0 ? 1 - winner : HCBR_I_NONE;
    for (uint32_t l = 0; l < d->gather.label_count; l++)
        if (l != winner && d->model->strength.total[l] > 0 &&
            (best == HCBR_I_NONE || support[l] > support[best]))
            best = l;
    return best;
}

/* What a fall-back comes to. */
static hcbr_label fallback_label(const hcbr_decider *d, hcbr_label label) {
    return label == HCBR_LABEL_PRIOR ? d->model->prior : label;
}

/* Rule R2, by the probabilities of a rich model. A threshold of 0 asks nothing, nor does a share
 * below one half. */
static void apply_thresholds(const hcbr_decider *d, hcbr_decision *decision, uint32_t other) {
    uint32_t winner = (uint32_t)decision->winner;
    const double *by_label = d->rich ? d->probability : d->gather.support;
    assert(by_label); // a rich model always has probabilities
    double support = by_label[winner], eta = d->rule.eta[winner];
    double share = d->rule.eta_share[winner];
    if (eta > 0 && !hcbr_i_is_above(support, eta))
        decision->reason = HCBR_BY_LEAST;
    else if (share >= 0.5) {
        if (other == HCBR_I_NONE || by_label[other] < 0 ||
            hcbr_i_is_above((1 - share) * support, share * by_label[other]))
            return;
        decision->reason = HCBR_BY_SHARE;
    } else
        return;
    decision->label = fallback_label(d, d->rule.fallback[winner]);
}

/* The rule by a cut or by costs. No thresholds stand beside it. */
static void apply_score(const hcbr_decider *d, hcbr_decision *decision) {
    const hcbr_i_rule *rule = &d->rule;
    hcbr_label winner = decision->winner, label;
    assert(d->probability || (rule->has_cut && !d->rich)); // the rule was resolved so
    if (!rule->has_cut)
        label = hcbr_i_costs_decide(&rule->costs, d->probability);
    else if (d->rich)
        label = hcbr_i_cut_decide(rule->cut, d->probability[1]);
    else
        label = hcbr_i_cut_support(rule->cut, winner == 1 ? decision->lead : -decision->lead);
    if (label == winner && winner != HCBR_LABEL_UNKNOWN)
        return;
    decision->reason = rule->has_cut ? HCBR_BY_CUT : HCBR_BY_COST;
    // All fall-backs of such a rule are the same.
    decision->label = label < 0 ? fallback_label(d, rule->fallback[0]) : label;
}

/* ---- supports -------------------------------------------------------------------------------- */

/* Gather with two labels; returns how many different features are known. */
static size_t gather_pair(const hcbr_decider *d, const hcbr_i_feature_id *ids, size_t count,
                          hcbr_i_pair_sums *out) {
    hcbr_i_feature_part *parts = d->parts;
    const uint32_t serial = d->serial;
    hcbr_i_pair_sums sums = {0, 0, 0};
    size_t known = 0;
    for (size_t n = 0; n < count; n++) {
        hcbr_i_feature_id ahead = ids[n + AHEAD]; /* of a case behind, perhaps */
        __builtin_prefetch(&parts[ahead == HCBR_I_NONE ? 0 : ahead], 1);
        if (HCBR_I_UNLIKELY(ids[n] == HCBR_I_NONE))
            continue;
        hcbr_i_feature_part *part = &parts[ids[n]];
        if (HCBR_I_UNLIKELY(part->serial == serial))
            continue;
        part->serial = serial;
        known++;
        sums.mu += part->mu;
        sums.magnitude += fabs(part->mu);
        sums.sigma += part->sigma;
    }
    *out = sums;
    return known;
}

/*
 * Gather the features of numbers. They mostly rise, and then none stands there twice: no mark is
 * needed, and the table is only read. Returns false where that is not so, or where a feature may
 * stand elsewhere in the dictionary.
 */
static inline __attribute__((always_inline)) bool
gather_numbers_as(const hcbr_decider *d, const uint32_t *numbers, size_t count, bool fetch,
                  hcbr_i_pair_sums *out, size_t *known) {
    const hcbr_i_pair *parts = d->by_number;
    const uint32_t limit = d->limit;
    hcbr_i_pair sums = {0, 0};
    uint32_t before = 0;
    size_t unseen = 0;
    for (size_t n = 0; n < count; n++) {
        uint32_t number = numbers[n];
        if (fetch) /* of a case behind, perhaps; any address may be fetched */
            __builtin_prefetch((void *)((uintptr_t)parts + numbers[n + AHEAD] * sizeof *parts));
        if (HCBR_I_UNLIKELY(number <= before))
            return false;
        before = number;
        if (HCBR_I_UNLIKELY(number >= limit)) {
            if (!hcbr_i_dict_is_numeric(d->model->dict))
                return false;
            unseen++;
        } else if (HCBR_I_UNLIKELY(is_absent(&parts[number]))) {
            unseen++;
        } else {
            sums += parts[number];
        }
    }
    *out = (hcbr_i_pair_sums){.mu = sums[0], .sigma = sums[1]};
    *known = count - unseen;
    return true;
}

/* The magnitude of what the known features of a case add to mu. */
static double magnitude_of(const hcbr_decider *d, const uint32_t *numbers, size_t count) {
    double sum = 0;
    for (size_t n = 0; n < count; n++)
        if (numbers[n] < d->limit && !is_absent(&d->by_number[numbers[n]]))
            sum += fabs(d->by_number[numbers[n]][0]);
    return sum;
}

static bool gather_numbers(const hcbr_decider *d, const hcbr_i_block *block,
                           const hcbr_i_raw_case *x, hcbr_i_pair_sums *out, size_t *known) {
    // A block of empty cases has no list of numbers to point into.
    const uint32_t *numbers = x->count > 0 ? block->numbers + x->first : NULL;
    if (!(d->limit <= CACHED ? gather_numbers_as(d, numbers, x->count, false, out, known)
                             : gather_numbers_as(d, numbers, x->count, true, out, known)))
        return false;
    if (!hcbr_i_pair_clear(out->mu, x->count, d->most))
        out->magnitude = magnitude_of(d, numbers, x->count);
    return true;
}

/* The atoms of the different known features, one entry per feature. */
static size_t gather_atoms(hcbr_decider *d, const hcbr_i_feature_id *ids, size_t count) {
    size_t known = 0;
    for (size_t n = 0; n < count; n++) {
        if (ids[n] == HCBR_I_NONE || d->parts[ids[n]].serial == d->serial)
            continue;
        d->parts[ids[n]].serial = d->serial;
        d->atoms[known++] = d->parts[ids[n]].atom;
    }
    return known;
}

/* Mark a new case. Serials start again after 2^32 cases, with all marks wiped. */
static void next_serial(hcbr_decider *d) {
    if (++d->serial)
        return;
    for (uint32_t f = 0; d->parts && f < d->model->atoms.feature_count; f++)
        d->parts[f].serial = 0;
    d->serial = 1;
    if (d->by_name)
        hcbr_i_name_table_reset(d->by_name);
}

/* Supports and rule R1 for the known features; `features` is |x|. Returns the winner. */
static uint32_t decide_pair(hcbr_decider *d, const hcbr_i_pair_sums *sums, uint64_t features) {
    d->gather.support[0] = (sums->sigma - sums->mu) / 2 / (double)features;
    d->gather.support[1] = (sums->sigma + sums->mu) / 2 / (double)features;
    return sums->mu > HCBR_I_TIE * sums->magnitude;
}

static uint32_t decide_many(hcbr_decider *d, size_t known, uint64_t features) {
    const hcbr_i_strength *s = &d->model->strength;
    for (size_t n = 0; n < known; n++)
        d->weights[n] = 1 / (double)features;
    hcbr_i_strength_gather(s, &d->gather, d->atoms, d->weights, known);
    return hcbr_i_strength_decide(s, &d->gather, d->atoms, d->weights, known);
}

/* ---- rich models ----------------------------------------------------------------------------- */

#define KNOWN_NUMBER (HCBR_I_NONE - 1) /* stands for a number that no past case has */

/* A feature that the dictionary lacks is known all the same if it is a number among numbers. */
static hcbr_status add_number(hcbr_decider *d, const hcbr_feature *f, bool *known,
                              hcbr_error *err) {
    *known = false;
    if (!f->value)
        return HCBR_OK;
    hcbr_i_key_id key = hcbr_i_dict_find_key(d->model->dict, f->key, f->key_length);
    if (key == HCBR_I_NONE ||
        hcbr_i_rich_row_add_number(&d->model->rich->encoder, key, f->value, f->value_length,
                                   hcbr_i_rich_scorer_row(d->rich), known))
        return HCBR_OK;
    return hcbr_i_no_memory(err);
}

/* Encode what is known of a case. `ids` are its features, of names in a block or, without one, of
 * numbered; *known receives how many are known. Numbers never seen are marked among the ids. */
static hcbr_status encode_rich(hcbr_decider *d, hcbr_i_feature_id *ids, size_t count,
                               const hcbr_i_block *block, size_t first,
                               const hcbr_i_numbered_case *numbered, size_t *known,
                               hcbr_error *err) {
    const hcbr_i_rich_encoder *encoder = &d->model->rich->encoder;
    hcbr_i_rich_row *row = hcbr_i_rich_scorer_row(d->rich);
    char text[HCBR_I_NAME_TEXT];
    hcbr_status st = HCBR_OK;
    next_serial(d);
    *known = 0;
    hcbr_i_rich_row_begin(encoder, row);
    for (size_t n = 0; st == HCBR_OK && n < count; n++) {
        bool is_known = true;
        if (ids[n] == HCBR_I_NONE) {
            hcbr_feature f;
            if (block) {
                f = hcbr_i_block_get(block, first + n, text);
            } else {
                hcbr_i_dict_feature x = hcbr_i_dict_get(numbered->dict, numbered->features[n]);
                hcbr_i_text key = hcbr_i_dict_key(numbered->dict, x.key);
                f = (hcbr_feature){key.at, key.length, x.value, x.value ? x.value_length : 0};
            }
            st = add_number(d, &f, &is_known, err);
            ids[n] = is_known ? KNOWN_NUMBER : HCBR_I_NONE;
        } else if (d->parts[ids[n]].serial == d->serial) {
            is_known = false; // counted already
        } else {
            d->parts[ids[n]].serial = d->serial;
            if (!hcbr_i_rich_row_add(encoder, d->model->dict, ids[n], row))
                st = hcbr_i_no_memory(err);
        }
        *known += is_known;
    }
    hcbr_i_rich_row_end(row);
    return st;
}

static void unmark_numbers(hcbr_i_feature_id *ids, size_t count) {
    for (size_t n = 0; n < count; n++)
        if (ids[n] == KNOWN_NUMBER)
            ids[n] = HCBR_I_NONE;
}

/* Supports, probabilities and rule R1; supports of two labels are -s and s. */
static uint32_t decide_rich(hcbr_decider *d) {
    double *support = d->gather.support;
    uint32_t labels = d->gather.label_count, winner = 0;
    hcbr_i_rich_score(d->rich, support, d->probability, NULL);
    if (labels == 2) {
        support[1] = support[0];
        support[0] = -support[1];
    }
    for (uint32_t l = 1; l < labels; l++)
        if (support[l] > support[winner])
            winner = l;
    return winner;
}

/* ---- one decision ---------------------------------------------------------------------------- */

/* Look all names of a block up, those of a numeric one too. */
static hcbr_status find_names(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    hcbr_status st = parts_need(d, err);
    if (st != HCBR_OK)
        return st;
    d->numeric = false;
    d->spellings += block->numeric;
    if ((block->numeric && !hcbr_i_block_spell(&d->spelled, block)) ||
        !hcbr_i_grow(&d->ids, &d->id_capacity, block->name_count + AHEAD, sizeof *d->ids))
        return hcbr_i_no_memory(err);
    if (!block->coded)
        hcbr_i_dict_find_block(d->model->dict, block->numeric ? &d->spelled : block, d->ids);
    else if ((st = hcbr_i_by_code_find(&d->by_code, d->model, block, d->ids, err)) != HCBR_OK)
        return st;
    for (size_t n = block->name_count; n < block->name_count + AHEAD; n++)
        d->ids[n] = HCBR_I_NONE; // gather_pair() looks beyond the last name
    return HCBR_OK;
}

/* Can cases be decided by numbers or codes at all, without the ids of features? */
static bool by_numbers(const hcbr_decider *d) {
    return d->model->strength.mu && !d->memory && !d->rich;
}

bool hcbr_i_decider_wants_numbers(const hcbr_decider *d) {
    return by_numbers(d) && d->spellings * 4 <= d->loads;
}

/*
 * Is a table by name worth its making? It pays for a small model once as many names were given as
 * it has features.
 */
static bool by_names(const hcbr_decider *d) {
    const uint32_t features = d->model->atoms.feature_count;
    return d->model->strength.mu && !d->rich && features <= SMALL && d->names >= features;
}

/* Room for what a table by name finds. */
static hcbr_status names_need(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    hcbr_status st = d->memory ? parts_need(d, err) : HCBR_OK;
    if (st == HCBR_OK && !d->by_name)
        st = hcbr_i_name_table_create(&d->by_name, d->model, err);
    if (st == HCBR_OK && !hcbr_i_grow(&d->ids, &d->id_capacity, block->name_count, sizeof *d->ids))
        st = hcbr_i_no_memory(err);
    return st;
}

hcbr_status hcbr_i_decider_load(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    const size_t longest = block->name_count; // or less
    size_t table_size = 16;
    while (table_size < longest * 2)
        table_size *= 2;
    if (!hcbr_i_grow(&d->atoms, &d->atom_capacity, longest, sizeof *d->atoms) ||
        !hcbr_i_grow(&d->weights, &d->weight_capacity, longest, sizeof *d->weights) ||
        !hcbr_i_grow(&d->unseen, &d->unseen_capacity, longest, sizeof *d->unseen) ||
        !hcbr_i_grow(&d->text, &d->text_capacity, longest, HCBR_I_NAME_TEXT) ||
        !hcbr_i_grow(&d->table, &d->table_capacity, table_size, sizeof *d->table))
        return hcbr_i_no_memory(err);
    d->loads++;
    d->names += block->name_count;
    d->numeric = block->numeric && by_numbers(d);
    d->coded = false;
    d->named = !block->numeric && !block->coded && by_names(d);
    if (d->numeric)
        return numbers_need(d, err);
    if (block->coded) {
        hcbr_status st = hcbr_i_by_code_load(&d->by_code, d->model, by_numbers(d), block, err);
        d->coded = by_numbers(d) && block->other_count == 0;
        if (st != HCBR_OK || d->coded)
            return st;
    }
    return d->named ? names_need(d, block, err) : find_names(d, block, err);
}

/* Probabilities of a calibrated model. Where nothing is known: how frequent the labels are, of a
 * rich model that has met such cases among these. */
static void find_probabilities(hcbr_decider *d, hcbr_decision *decision) {
    const hcbr_model *m = d->model;
    decision->probability = d->probability;
    if (decision->winner != HCBR_LABEL_UNKNOWN) {
        if (!d->rich) // a rich decision has set them
            hcbr_i_calibration_apply(&m->calibration, d->gather.support, m->labels.count,
                                     decision->winner, decision->lead, d->probability);
        return;
    }
    for (uint32_t l = 0; l < m->labels.count; l++)
        d->probability[l] = hcbr_i_model_label_weight(m, l) / d->total_weight;
    if (m->rich)
        hcbr_i_rich_of_nothing(m->rich, d->probability, d->probability);
}

static hcbr_label most_probable(const hcbr_decider *d) {
    uint32_t best = 0;
    for (uint32_t l = 1; l < d->model->labels.count; l++)
        best = d->probability[l] > d->probability[best] ? l : best;
    return (hcbr_label)best;
}

/* Nothing is known of the case: no support for any label; a model that has probabilities has some
 * even then. */
static void decide_nothing(hcbr_decider *d, hcbr_decision *decision) {
    memset(d->gather.support, 0, d->gather.label_count * sizeof *d->gather.support);
    decision->winner = HCBR_LABEL_UNKNOWN;
    decision->lead = 0;
    if (d->probability)
        find_probabilities(d, decision);
    decision->label = fallback_label(d, d->rule.on_nothing);
    if (d->rule.on_nothing == HCBR_LABEL_PROBABLE) {
        decision->label = d->probability ? most_probable(d) : d->model->prior;
        if (d->scored)
            apply_score(d, decision);
    }
    decision->reason = decision->feature_count ? HCBR_NOTHING_KNOWN : HCBR_EMPTY_CASE;
}

/* The memory rule; false if no identical case is known, or its labels are tied. */
static bool decide_by_memory(hcbr_decider *d, const hcbr_i_feature_id *ids, size_t count,
                             hcbr_decision *decision) {
    next_serial(d);
    size_t known = gather_atoms(d, ids, count);
    hcbr_label past = hcbr_i_memory_find(d->memory, &d->model->atoms, d->atoms, known);
    if (past == HCBR_LABEL_UNKNOWN)
        return false;
    decision->label = past;
    decision->reason = HCBR_BY_MEMORY;
    return true;
}

/* Gather what is known of a case, as supports need it; returns how many different features. */
static inline size_t gather_known(hcbr_decider *d, const hcbr_i_feature_id *ids, size_t count,
                                  hcbr_i_pair_sums *sums) {
    next_serial(d);
    return d->model->strength.mu ? gather_pair(d, ids, count, sums) : gather_atoms(d, ids, count);
}

/* Decide a case of which `known` features were gathered and `unseen` others were counted. */
static inline __attribute__((always_inline)) void
decide_gathered(hcbr_decider *d, const hcbr_i_feature_id *ids, size_t count,
                const hcbr_i_pair_sums *sums, size_t known, size_t unseen,
                hcbr_decision *decision) {
    bool pair = d->model->strength.mu;
    decision->support = d->gather.support;
    decision->label_count = d->gather.label_count;
    decision->probability = NULL;
    decision->unseen_count = unseen;
    decision->known_count = known;
    decision->feature_count = known + unseen;
    if (!known) {
        decide_nothing(d, decision);
        return;
    }
    uint32_t winner = d->rich ? decide_rich(d)
                      : pair  ? decide_pair(d, sums, decision->feature_count)
                              : decide_many(d, known, decision->feature_count);
    uint32_t other = best_other(d, winner);
    decision->winner = (hcbr_label)winner;
    decision->label = decision->winner;
    decision->reason = HCBR_BY_SUPPORT;
    if (pair && !d->rich &&
        other != HCBR_I_NONE) /* exact: the difference of the supports may have lost it */
        decision->lead = (winner ? sums->mu : -sums->mu) / (double)decision->feature_count;
    else
        decision->lead =
            d->gather.support[winner] - (other == HCBR_I_NONE ? 0 : d->gather.support[other]);
    if (d->probability)
        find_probabilities(d, decision);
    if (d->memory && !unseen && decide_by_memory(d, ids, count, decision))
        return;
    if (d->thresholds)
        apply_thresholds(d, decision, other);
    else if (d->scored)
        apply_score(d, decision);
}

hcbr_status hcbr_i_decider_run(hcbr_decider *d, const hcbr_i_block *block, size_t c,
                               hcbr_decision *decision, hcbr_error *err) {
    const hcbr_i_raw_case *x = &block->cases[c];
    const hcbr_i_feature_id *ids = NULL;
    hcbr_i_pair_sums sums = {0, 0, 0};
    size_t known = 0;
    if (d->rich) {
        hcbr_i_feature_id *own = d->ids + x->first;
        hcbr_status st = encode_rich(d, own, x->count, block->numeric ? &d->spelled : block,
                                     x->first, NULL, &known, err);
        if (st != HCBR_OK)
            return st;
        size_t others = known == x->count ? 0 : list_unseen(d, block, x);
        unmark_numbers(own, x->count);
        decision->unseen = d->unseen;
        decide_gathered(d, own, x->count, &sums, known, others, decision);
        return HCBR_OK;
    }
    if (d->coded) {
        const uint32_t *codes = x->count > 0 ? block->numbers + x->first : NULL;
        known = hcbr_i_by_code_gather(&d->by_code, codes, x->count, &sums);
    } else if (!d->numeric || !gather_numbers(d, block, x, &sums, &known)) {
        hcbr_status st = d->numeric ? find_names(d, block, err) : HCBR_OK; // of all that follows
        if (st != HCBR_OK)
            return st;
        ids = d->ids + x->first;
        if (d->named) {
            next_serial(d);
            known = hcbr_i_name_table_gather(d->by_name, block, x, d->serial, d->ids, &sums);
        } else {
            known = gather_known(d, ids, x->count, &sums);
        }
    }
    size_t unseen = known == x->count ? 0 : list_unseen(d, block, x);
    decision->unseen = d->unseen;
    decide_gathered(d, ids, x->count, &sums, known, unseen, decision);
    return HCBR_OK;
}

hcbr_status hcbr_i_decider_run_numbered(hcbr_decider *d, const hcbr_i_numbered_case *x,
                                        hcbr_decision *decision, hcbr_error *err) {
    hcbr_i_pair_sums sums = {0, 0, 0};
    hcbr_status st = parts_need(d, err);
    if (st != HCBR_OK)
        return st;
    if (!hcbr_i_grow(&d->ids, &d->id_capacity, x->count + AHEAD, sizeof *d->ids) ||
        !hcbr_i_grow(&d->atoms, &d->atom_capacity, x->count, sizeof *d->atoms) ||
        !hcbr_i_grow(&d->weights, &d->weight_capacity, x->count, sizeof *d->weights))
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < x->count; n++)
        d->ids[n] = x->known[x->features[n]];
    for (size_t n = x->count; n < x->count + AHEAD; n++)
        d->ids[n] = HCBR_I_NONE; // gather_pair() looks beyond the last name
    d->loads++;
    size_t known = 0;
    if (!d->rich)
        known = gather_known(d, d->ids, x->count, &sums);
    else if ((st = encode_rich(d, d->ids, x->count, NULL, 0, x, &known, err)) != HCBR_OK)
        return st;
    unmark_numbers(d->ids, d->rich ? x->count : 0);
    decision->unseen = NULL;
    decide_gathered(d, d->ids, x->count, &sums, known, x->count - known, decision);
    return HCBR_OK;
}

hcbr_status hcbr_decider_decide(hcbr_decider *d, const hcbr_feature *features, size_t count,
                                hcbr_decision *decision, hcbr_error *err) {
    hcbr_decision full = {.size = sizeof full};
    hcbr_i_raw_case x = {.count = count};
    hcbr_i_block_reset(&d->block);
    hcbr_status st = hcbr_i_block_fill(&d->block, features, count, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_block view = d->block; /* the names are the decider's, the case is ours */
    view.cases = &x;
    view.case_count = 1;
    if ((st = hcbr_i_decider_load(d, &view, err)) != HCBR_OK)
        return st;
    if ((st = hcbr_i_decider_run(d, &view, 0, &full, err)) != HCBR_OK)
        return st;
    hcbr_i_hand_out(decision, &full, sizeof full);
    return HCBR_OK;
}
