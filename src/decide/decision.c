/*
 * One decision (METHOD 3): the engine's supports of the known features and rule R1, then rule R2,
 * the memory rule, and the names that no past case has.
 *
 * A feature counts once however often it is given.
 */
#include "decide/decide.h"

#define AHEAD HCBR_I_AHEAD

const char *hcbr_reason_name(hcbr_reason reason) {
    static const char *const names[] = {"support",       "memory",     "eta", "eta-share",
                                        "nothing known", "empty case", "cut", "cost"};
    return (unsigned)reason < sizeof names / sizeof *names ? names[reason] : "unknown reason";
}

/* ---- one decision ---------------------------------------------------------------------------- */

/* Probabilities of a calibrated model. If nothing is known: the frequencies of the labels, or the
 * engine's probabilities of such cases. */
static void find_probabilities(hcbr_decider *d, hcbr_decision *decision) {
    const hcbr_model *m = d->model;
    decision->probability = d->probability;
    if (decision->winner != HCBR_LABEL_UNKNOWN) {
        if (!d->engine->probable) // else the score has set them
            hcbr_i_calibration_apply(&m->calibration, d->support, m->labels.count, decision->winner,
                                     decision->lead, d->probability);
        return;
    }
    for (uint32_t l = 0; l < m->labels.count; l++)
        d->probability[l] = hcbr_i_model_label_weight(m, l) / d->total_weight;
    if (d->engine->of_nothing)
        d->engine->of_nothing(m->state, d->probability);
}

static hcbr_label most_probable(const hcbr_decider *d) {
    uint32_t best = 0;
    for (uint32_t l = 1; l < d->model->labels.count; l++)
        best = d->probability[l] > d->probability[best] ? l : best;
    return (hcbr_label)best;
}

static void apply_rule(hcbr_decider *d, hcbr_decision *decision, uint32_t other) {
    const hcbr_i_scores x = {d->support,     d->probability,      decision->winner, other,
                             decision->lead, d->engine->probable, d->model->prior};
    const uint32_t labels = d->model->labels.count;
    if (d->thresholds || d->scored)
        decision->label = hcbr_i_rule_decide(&d->rule, &x, &decision->reason);
    if (d->room_of_labels)
        decision->close =
            hcbr_i_rule_is_close(&d->rule, &x, labels, decision->label, d->room_of_labels);
}

/* Nothing is known of the case: no support for any label; a model that has probabilities has some
 * even then. */
static void decide_nothing(hcbr_decider *d, hcbr_decision *decision) {
    memset(d->support, 0, d->model->labels.count * sizeof *d->support);
    decision->winner = HCBR_LABEL_UNKNOWN;
    decision->lead = 0;
    if (d->probability)
        find_probabilities(d, decision);
    decision->label = d->rule.on_nothing == HCBR_LABEL_PRIOR ? d->model->prior : d->rule.on_nothing;
    if (d->rule.on_nothing == HCBR_LABEL_PROBABLE) {
        decision->label = d->probability ? most_probable(d) : d->model->prior;
        if (d->scored)
            apply_rule(d, decision, HCBR_I_NONE);
    }
    decision->reason = decision->feature_count ? HCBR_NOTHING_KNOWN : HCBR_EMPTY_CASE;
}

/* The memory rule; false if no identical case is known, or its labels are tied. */
static hcbr_status decide_by_memory(hcbr_decider *d, const hcbr_i_feature_id *ids, size_t count,
                                    hcbr_decision *decision, bool *decided, hcbr_error *err) {
    size_t known = 0;
    if (!hcbr_i_grow(&d->same, &d->same_capacity, count, sizeof *d->same))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_decider_unique(d, ids, count, d->same, &known, err);
    *decided = false;
    uint64_t values[2] = {0, 0};
    if (st != HCBR_OK || (known != decision->feature_count && !d->engine->values))
        return st; // a value that no past case has
    if (d->engine->values)
        d->engine->values(d->scorer, values);
    hcbr_label past = hcbr_i_memory_find(d->memory, d->same, known, values);
    if (past == HCBR_LABEL_UNKNOWN)
        return st;
    decision->label = past;
    decision->reason = HCBR_BY_MEMORY;
    *decided = true;
    return st;
}

/* The facts found about a case. */
typedef struct found {
    const hcbr_i_feature_id *ids; /* NULL: it was found by numbers or codes */
    size_t count;                 /* of ids */
    const hcbr_i_pair_sums *sums; /* NULL: the engine has gathered it */
    size_t known, unseen;
    uint64_t units; /* of the unseen features, if features differ in importance */
    uint32_t held;  /* its number among those scored together; HCBR_I_NONE: not scored yet */
} found;

/* Decide a case of which `known` features were gathered and `unseen` others were counted. */
static inline __attribute__((always_inline)) hcbr_status
decide_found(hcbr_decider *d, const found *f, hcbr_decision *decision, hcbr_error *err) {
    decision->support = d->support;
    decision->label_count = d->model->labels.count;
    decision->probability = NULL;
    decision->unseen_count = f->unseen;
    decision->known_count = f->known;
    decision->feature_count = f->known + f->unseen;
    decision->close = 0;
    decision->own_rule = d->own_rule;
    if (!f->known) {
        decide_nothing(d, decision);
        return HCBR_OK;
    }
    const hcbr_i_score score =
        f->sums ? d->engine->score_pair(d->scorer, f->sums, decision->feature_count)
        : f->held != HCBR_I_NONE
            ? d->engine->held(d->scorer, f->held, d->probability)
            : d->engine->score(d->scorer, d->emphases ? f->units : decision->feature_count,
                               d->probability);
    decision->winner = (hcbr_label)score.winner;
    decision->label = decision->winner;
    decision->reason = HCBR_BY_SUPPORT;
    decision->lead = score.lead;
    if (d->probability)
        find_probabilities(d, decision);
    if (d->memory && !f->unseen) {
        bool decided;
        hcbr_status st = decide_by_memory(d, f->ids, f->count, decision, &decided, err);
        if (st != HCBR_OK || decided)
            return st;
    }
    apply_rule(d, decision, score.other);
    return HCBR_OK;
}

/* Count the features of a case that no past case has, and list them if requested. */
static inline size_t find_unseen(hcbr_decider *d, const hcbr_i_block *block,
                                 const hcbr_i_raw_case *x, size_t known) {
    const size_t count = x->count + x->item_count;
    if (known == count)
        return 0;
    if (d->counts && block->coded && !d->emphases)
        return count - known; // none of a coded block is there twice
    return hcbr_i_decider_list_unseen(d, block, x);
}

/* The units of unseen features in |x|. Those of importance 0 are as if absent. */
static void weigh_unseen(hcbr_decider *d, found *f) {
    const size_t count = f->unseen;
    f->unseen = 0;
    for (size_t n = 0; n < count; n++) {
        const uint32_t units = hcbr_i_emphases_units(d->emphases, &d->unseen[n]);
        f->units += units;
        if (units > 0)
            d->unseen[f->unseen++] = d->unseen[n];
    }
}

bool hcbr_i_decider_is_number(const hcbr_decider *d, hcbr_i_key_id key, const hcbr_feature *feature,
                              double *number) {
    return key != HCBR_I_NONE && feature->value && d->engine->has_cuts &&
           d->engine->has_cuts(d->model->state, key) &&
           hcbr_i_kind_number(number, feature->value, feature->value_length);
}

hcbr_status hcbr_i_decider_add_number(hcbr_decider *d, const hcbr_i_case_item *item, bool *again,
                                      hcbr_error *err) {
    const hcbr_i_text text = {item->feature.value, item->feature.value_length};
    return d->engine->number(d->scorer, item->key, item->number, text, again, err);
}

/* Add a value that no past case has, if the engine knows it. */
static hcbr_status add_value(hcbr_decider *d, const hcbr_feature *f, bool *known, bool *again,
                             hcbr_error *err) {
    hcbr_i_case_item item = {.feature = *f};
    item.key = hcbr_i_dict_find_key(d->model->dict, f->key, f->key_length);
    *known = hcbr_i_decider_is_number(d, item.key, f, &item.number);
    *again = false;
    return *known ? hcbr_i_decider_add_number(d, &item, again, err) : HCBR_OK;
}

static void unmark_values(hcbr_i_feature_id *ids, size_t count) {
    for (size_t n = 0; n < count; n++)
        if (ids[n] == HCBR_I_KNOWN_VALUE)
            ids[n] = HCBR_I_NONE;
}

/* Features of a case among its names and its separate numbers. False: no memory. */
static bool join_items(hcbr_decider *d, const hcbr_i_raw_case *x, found *f) {
    const hcbr_i_feature_id *items = d->by_item.ids + x->first_item;
    if (!hcbr_i_grow(&d->joined, &d->joined_capacity, x->count + x->item_count + AHEAD,
                     sizeof *d->joined))
        return false;
    if (x->count)
        memcpy(d->joined, f->ids, x->count * sizeof *d->joined);
    for (size_t n = 0; n < x->item_count; n++)
        if (items[n] < HCBR_I_KNOWN_VALUE)
            d->joined[f->count++] = items[n];
    memset(d->joined + f->count, 0xFF, AHEAD * sizeof *d->joined); // HCBR_I_NONE
    f->ids = d->joined;
    return true;
}

/* Numbers of keys with cuts, from *item on: those before name n, or all after the last. */
static inline hcbr_status add_items(hcbr_decider *d, const hcbr_i_block *block,
                                    const hcbr_i_raw_case *x, size_t n, size_t *item, size_t *known,
                                    hcbr_error *err) {
    const size_t end = x->first_item + x->item_count;
    hcbr_status st = HCBR_OK;
    for (; st == HCBR_OK && *item < end && (n >= x->count || block->items[*item].before <= n);
         ++*item) {
        bool again = false;
        if (d->by_item.ids[*item] != HCBR_I_KNOWN_VALUE)
            continue;
        st = hcbr_i_by_item_add(&d->by_item, d->engine, d->scorer, block, *item, &again, err);
        *known += !again;
    }
    return st;
}

/* Values that the engine knows without a feature, in the order of the case. Names are marked among
 * the ids. */
static hcbr_status add_values(hcbr_decider *d, const hcbr_i_block *block, const hcbr_i_raw_case *x,
                              size_t *known, hcbr_error *err) {
    hcbr_i_feature_id *ids = d->ids + x->first;
    const hcbr_i_block *names = block->numeric ? &d->spelled : block;
    char text[HCBR_I_NAME_TEXT];
    hcbr_status st = HCBR_OK;
    size_t item = x->first_item;
    for (size_t n = 0; st == HCBR_OK && n < x->count; n++) {
        bool is_known = false, again = false;
        if (ids[n] != HCBR_I_NONE)
            continue;
        if ((st = add_items(d, block, x, n, &item, known, err)) != HCBR_OK)
            break;
        hcbr_feature f = hcbr_i_block_get(names, x->first + n, text);
        st = add_value(d, &f, &is_known, &again, err);
        ids[n] = is_known ? HCBR_I_KNOWN_VALUE : HCBR_I_NONE;
        *known += is_known && !again;
    }
    return st == HCBR_OK ? add_items(d, block, x, x->count, &item, known, err) : st;
}

/* By ids, which the engine gathers. *values: names of the case are marked among the ids. */
static hcbr_status gather_ids(hcbr_decider *d, const hcbr_i_block *block, const hcbr_i_raw_case *x,
                              found *f, bool *values, hcbr_error *err) {
    *f = (found){.ids = d->ids + x->first, .count = x->count, .held = HCBR_I_NONE};
    if (x->item_count && !join_items(d, x, f))
        return hcbr_i_no_memory(err);
    hcbr_status st = d->engine->gather(d->scorer, f->ids, f->count, &f->known, err);
    size_t item = x->first_item;
    *values = d->engine->number && f->known < f->count;
    if (st != HCBR_OK)
        return st;
    return *values ? add_values(d, block, x, &f->known, err)
                   : add_items(d, block, x, x->count, &item, &f->known, err);
}

/* Gather a case and following ones, as many as the engine can hold, and score them together. */
static hcbr_status hold_cases(hcbr_decider *d, const hcbr_i_block *block, size_t c,
                              hcbr_error *err) {
    const size_t left = block->case_count - c;
    uint32_t n = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
    found f;
    d->held_count = 0;
    hcbr_status st = d->engine->reserve(d->scorer, &n, err);
    if (st == HCBR_OK && !hcbr_i_grow(&d->held, &d->held_capacity, n, sizeof *d->held))
        st = hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < n; i++) {
        st = gather_ids(d, block, &block->cases[c + i], &f, &d->held[i].values, err);
        d->held[i].known = f.known;
        if (st == HCBR_OK)
            d->engine->hold(d->scorer);
    }
    if (st != HCBR_OK)
        return st;
    d->engine->score_held(d->scorer);
    d->held_first = c;
    d->held_count = n;
    return HCBR_OK;
}

/* The facts about a case by its ids; it may have been scored with others. */
static hcbr_status find_ids(hcbr_decider *d, const hcbr_i_block *block, size_t c, found *f,
                            bool *values, hcbr_error *err) {
    const hcbr_i_raw_case *x = &block->cases[c];
    if (!d->engine->reserve)
        return gather_ids(d, block, x, f, values, err);
    if (c < d->held_first || c - d->held_first >= d->held_count) {
        hcbr_status st = hold_cases(d, block, c, err);
        if (st != HCBR_OK)
            return st;
    }
    *f = (found){.ids = d->ids + x->first,
                 .count = x->count,
                 .known = d->held[c - d->held_first].known,
                 .held = (uint32_t)(c - d->held_first)};
    *values = d->held[f->held].values;
    return HCBR_OK;
}

/* Separate, since its use of the stack would slow the fast paths down. */
static __attribute__((noinline)) hcbr_status run_ids(hcbr_decider *d, const hcbr_i_block *block,
                                                     size_t c, hcbr_decision *decision,
                                                     hcbr_error *err) {
    const hcbr_i_raw_case *x = &block->cases[c];
    found f;
    bool values;
    hcbr_status st = find_ids(d, block, c, &f, &values, err);
    if (st != HCBR_OK)
        return st;
    f.unseen = find_unseen(d, block, x, f.known);
    if (d->emphases)
        weigh_unseen(d, &f);
    if (values)
        unmark_values(d->ids + x->first, x->count);
    if (f.held != HCBR_I_NONE && d->memory && x->item_count && !join_items(d, x, &f))
        return hcbr_i_no_memory(err);
    decision->unseen = d->unseen;
    return decide_found(d, &f, decision, err);
}

hcbr_status hcbr_i_decider_run(hcbr_decider *d, const hcbr_i_block *block, size_t c,
                               hcbr_decision *decision, hcbr_error *err) {
    block = d->takes ? &d->taken : block;
    const hcbr_i_raw_case *x = &block->cases[c];
    hcbr_i_pair_sums *sums = &d->sums;
    found f = {.count = x->count, .sums = sums, .held = HCBR_I_NONE};
    if (d->coded) {
        const uint32_t *codes = x->count > 0 ? block->numbers + x->first : NULL;
        f.known = hcbr_i_by_code_gather(&d->by_code, codes, x->count, sums);
    } else if (d->named) {
        f.ids = d->ids + x->first;
        hcbr_i_decider_mark(d);
        f.known = hcbr_i_name_table_gather(d->by_name, block, x, d->serial, d->ids, sums);
    } else if (!d->numeric ||
               (f.known = hcbr_i_by_number_gather(d, block, x, sums)) == HCBR_I_NOT_GATHERED) {
        hcbr_status st = d->numeric ? hcbr_i_decider_find_names(d, block, err) : HCBR_OK;
        return st == HCBR_OK ? run_ids(d, block, c, decision, err) : st; // of all that follows
    }
    f.unseen = find_unseen(d, block, x, f.known);
    decision->unseen = d->unseen;
    return decide_found(d, &f, decision, err);
}

/* A feature of a list that no past case has. */
static void add_unseen(const hcbr_decider *d, const hcbr_feature *name, found *f) {
    const uint32_t units = d->emphases ? hcbr_i_emphases_units(d->emphases, name) : 1;
    f->units += units;
    f->unseen += units > 0;
}

static void add_unseen_item(const hcbr_decider *d, const hcbr_i_numbered_case *x, uint64_t n,
                            found *f) {
    char room[HCBR_NUMBER_SIZE];
    const hcbr_i_text key = hcbr_i_dict_key(x->dict, x->numbers->key[n]);
    const hcbr_i_text text = hcbr_i_numbers_text(x->numbers, n, room);
    const hcbr_feature name = {key.at, key.length, text.at, text.length};
    add_unseen(d, &name, f);
}

/* Numbers of a case of a list: features after those of its names, numbers to the engine. */
static hcbr_status add_numbered(hcbr_decider *d, const hcbr_i_numbered_case *x, bool numbers,
                                found *f, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint64_t n = x->first_item; st == HCBR_OK && n < x->first_item + x->item_count; n++) {
        bool again = false;
        hcbr_i_key_id key;
        hcbr_i_feature_id id = hcbr_i_item_find(x->keys, d->model, x->dict, x->numbers, n, &key);
        if (!numbers) {
            if (id == HCBR_I_NONE)
                add_unseen_item(d, x, n, f);
            if (id < HCBR_I_KNOWN_VALUE)
                d->ids[f->count++] = id;
        } else if (id == HCBR_I_KNOWN_VALUE) {
            hcbr_i_text text = {NULL, 0};
            char room[HCBR_NUMBER_SIZE];
            if (x->numbers->spelling && x->numbers->spelling[n] == HCBR_I_SPELLED_WIDE)
                text = hcbr_i_numbers_text(x->numbers, n, room);
            st = d->engine->number(d->scorer, key, x->numbers->value[n], text, &again, err);
            f->known += !again;
        }
    }
    return st;
}

hcbr_status hcbr_i_decider_run_numbered(hcbr_decider *d, const hcbr_i_numbered_case *x,
                                        hcbr_decision *decision, hcbr_error *err) {
    if (!hcbr_i_grow(&d->ids, &d->id_capacity, x->count + (size_t)x->item_count + AHEAD,
                     sizeof *d->ids))
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < x->count; n++)
        d->ids[n] = x->known[x->features[n]];
    d->loads++;
    d->held_count = 0;
    found f = {.ids = d->ids, .count = x->count, .held = HCBR_I_NONE};
    hcbr_status st = add_numbered(d, x, false, &f, err);
    for (size_t n = f.count; n < f.count + AHEAD; n++)
        d->ids[n] = HCBR_I_NONE; // readable after the last
    if (st == HCBR_OK)
        st = d->engine->gather(d->scorer, d->ids, f.count, &f.known, err);
    size_t others = f.count - f.known; // of the names, or spelled otherwise
    for (size_t n = 0; st == HCBR_OK && (d->engine->number || d->emphases) && n < x->count; n++) {
        bool known, again;
        if (d->ids[n] != HCBR_I_NONE)
            continue;
        hcbr_i_dict_feature y = hcbr_i_dict_get(x->dict, x->features[n]);
        hcbr_i_text key = hcbr_i_dict_key(x->dict, y.key);
        hcbr_feature name = {key.at, key.length, y.value, y.value ? y.value_length : 0};
        if (d->emphases) { // of an engine that knows features alone
            add_unseen(d, &name, &f);
            others--;
            continue;
        }
        st = add_value(d, &name, &known, &again, err);
        f.known += known && !again;
        others -= known && !again;
    }
    f.unseen += others;
    if (st == HCBR_OK)
        st = add_numbered(d, x, true, &f, err);
    if (st != HCBR_OK)
        return st;
    decision->unseen = NULL;
    return decide_found(d, &f, decision, err);
}

hcbr_status hcbr_i_decider_run_case(hcbr_decider *d, const hcbr_i_case *x, hcbr_decision *decision,
                                    hcbr_error *err) {
    found f = {.count = 0, .held = HCBR_I_NONE};
    if (!hcbr_i_grow(&d->ids, &d->id_capacity, x->count + AHEAD, sizeof *d->ids))
        return hcbr_i_no_memory(err);
    d->loads++;
    d->held_count = 0;
    for (size_t n = 0; n < x->count; n++)
        if (x->items[n].id != HCBR_I_NONE)
            d->ids[f.count++] = x->items[n].id;
    for (size_t n = f.count; n < f.count + AHEAD; n++)
        d->ids[n] = HCBR_I_NONE; // readable after the last
    f.ids = d->ids;
    hcbr_status st = d->engine->gather(d->scorer, f.ids, f.count, &f.known, err);
    for (size_t n = 0; st == HCBR_OK && n < x->count; n++) {
        const hcbr_i_case_item *item = &x->items[n];
        bool again;
        if (item->id == HCBR_I_NONE && item->known)
            st = hcbr_i_decider_add_number(d, item, &again, err);
        else if (item->id == HCBR_I_NONE && d->emphases)
            f.units += hcbr_i_emphases_units(d->emphases, &item->feature);
    }
    if (st != HCBR_OK)
        return st;
    f.known = x->known;
    f.unseen = x->count - x->known;
    decision->unseen = NULL;
    return decide_found(d, &f, decision, err);
}
