/*
 * The engines of a model: the one place outside their folders that names them. All others ask
 * model->engine.
 *
 * The past cases of a model of either kind are kept as atoms, in the form of the plain engine.
 */
#include "model/model.h"
#include "plain/plain.h"
#include "rich/rich.h"

#include <assert.h>
#include <math.h>

static hcbr_i_plain *plain_of(const hcbr_model *model) {
    return model->past;
}

static hcbr_i_rich *rich_of(const hcbr_model *model) {
    return model->engine == &hcbr_i_rich_engine ? model->state : NULL;
}

const hcbr_i_engine *hcbr_i_engine_of(hcbr_model_kind kind) {
    return kind == HCBR_MODEL_RICH ? &hcbr_i_rich_engine : &hcbr_i_plain_engine;
}

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_status hcbr_i_model_create(hcbr_model **out, hcbr_error *err) {
    hcbr_model *m = *out = hcbr_i_alloc_zero(1, sizeof *m);
    if (m) {
        m->min_cases = 1;
        m->engine = &hcbr_i_plain_engine;
        m->state = m->past = hcbr_i_alloc_zero(1, sizeof(hcbr_i_plain));
    }
    if (m && m->past)
        return HCBR_OK;
    hcbr_i_free(m);
    *out = NULL;
    return hcbr_i_no_memory(err);
}

void hcbr_i_model_release(hcbr_model *m) {
    hcbr_i_plain_drop_lent(plain_of(m), m->file, m->file_size);
    if (m->state != m->past)
        m->engine->free(m->state);
    hcbr_i_plain_free(plain_of(m));
}

hcbr_i_frame hcbr_i_model_frame(const hcbr_model *m) {
    return (hcbr_i_frame){.dict = m->dict,
                          .feature_count = m->dict ? hcbr_i_dict_count(m->dict) : 0,
                          .label_count = m->labels.count,
                          .case_count = m->case_count,
                          .empty_count = m->empty_count,
                          .occurrence_count = m->occurrence_count,
                          .passes = m->passes,
                          .pass_errors = m->pass_errors,
                          .seed = m->seed,
                          .keep = m->keep,
                          .scope = m->scope,
                          .label_cases = m->label_cases,
                          .past = rich_of(m) ? hcbr_i_rich_past_view(rich_of(m))
                                             : hcbr_i_plain_past(plain_of(m)),
                          .kept_label = m->kept_label,
                          .kept_row = m->kept_row,
                          .kept_ids = m->kept_ids,
                          .kept_id_start = m->kept_id_start,
                          .beliefs = m->beliefs};
}

/* ---- fit ------------------------------------------------------------------------------------- */

/* From the probabilities of held-out cases to decisions; the arrays of heldout are taken over. */
static hcbr_status to_heldout(hcbr_i_heldout *out, hcbr_i_rich_heldout *heldout, uint32_t labels,
                              hcbr_error *err) {
    uint32_t n = heldout->count;
    const bool *empty = heldout->empty;
    *out = (hcbr_i_heldout){.case_count = n,
                            .label_count = labels,
                            .support = heldout->probability,
                            .label = heldout->label,
                            .weight = heldout->weight,
                            .fold = heldout->fold,
                            .fold_count = HCBR_I_RICH_FOLDS};
    heldout->probability = heldout->weight = NULL; // now of out
    heldout->label = heldout->fold = NULL;
    out->lead = hcbr_i_alloc_zero(n, sizeof *out->lead);
    out->winner = hcbr_i_alloc(n, sizeof *out->winner);
    if (!out->lead || !out->winner) {
        hcbr_i_heldout_clear(out);
        return hcbr_i_no_memory(err);
    }
    for (uint32_t i = 0; i < n; i++) {
        double *p = out->support + (size_t)i * labels, other = 0;
        uint32_t winner = 0;
        out->winner[i] = HCBR_LABEL_UNKNOWN;
        if (out->fold[i] == HCBR_I_NONE || empty[i]) {
            out->fold[i] = out->fold[i] == HCBR_I_NONE ? 0 : out->fold[i];
            memset(p, 0, labels * sizeof *p);
            continue;
        }
        for (uint32_t l = 1; l < labels; l++)
            winner = p[l] > p[winner] ? l : winner;
        for (uint32_t l = 0; l < labels; l++)
            other = l != winner && p[l] > other ? p[l] : other;
        out->winner[i] = (hcbr_label)winner;
        out->lead[i] = p[winner] - other;
    }
    return HCBR_OK;
}

static hcbr_i_rich_options rich_options(const hcbr_train_options *o) {
    hcbr_i_rich_options rich = {.seed = o->seed,
                                .threads = o->threads ? o->threads : 1,
                                .numeric = o->numeric,
                                .numeric_count = o->numeric_count,
                                .categorical = o->categorical,
                                .categorical_count = o->categorical_count,
                                .notify = o->notify,
                                .notify_context = o->notify_context,
                                .kinds_said = o->kinds_said != 0,
                                .progress = o->progress,
                                .progress_context = o->progress_context,
                                .keep = o->keep != HCBR_KEEP_NONE};
    hcbr_i_rich_tuning_init(&rich.tuning, (hcbr_i_rich_effort)o->effort);
    return rich;
}

/* hcbr_i_number_keys_fn; the context is the options of training. */
static hcbr_status find_number_keys(void *context, const hcbr_cases *cases, bool *by_key,
                                    hcbr_error *err) {
    const hcbr_train_options *o = context;
    const hcbr_i_rich_options rich = rich_options(o);
    const hcbr_i_rich_view view = {.cases = cases, .weight = o->weight};
    return hcbr_i_rich_number_keys(&view, &rich, by_key, err);
}

hcbr_status hcbr_i_model_common(hcbr_cases **out, const hcbr_cases *cases, hcbr_train_options *o,
                                hcbr_error *err) {
    return hcbr_i_cases_common(out, cases, o->min_cases,
                               o->model == HCBR_MODEL_RICH ? find_number_keys : NULL, o, err);
}

static hcbr_status fit_rich(hcbr_model *model, hcbr_cases *cases, const hcbr_train_options *o,
                            hcbr_i_rich_heldout *heldout, hcbr_error *err) {
    hcbr_i_rich_view view = {.cases = cases, .weight = o->weight};
    hcbr_i_rich_options rich = rich_options(o);
    hcbr_i_rich *fitted = NULL;
    rich.heldout = heldout;
    rich.record = &model->record;
    rich.used_up = o->consume ? cases : NULL;
    hcbr_status st = hcbr_i_rich_train(&fitted, &view, &rich, err);
    model->engine = &hcbr_i_rich_engine;
    model->state = fitted;
    if (st == HCBR_OK && !hcbr_i_rich_has_reasons(fitted, model->keep))
        hcbr_i_rich_kept_clear(&fitted->kept);
    if (st == HCBR_OK) { // its names are those of its encoder
        hcbr_i_dict_release(model->dict);
        model->dict = hcbr_i_dict_share(fitted->encoder.dict);
    }
    return st == HCBR_OK ? hcbr_i_model_keep_weights(model, cases, o->weight, err) : st;
}

/* Of a rich model, which keeps its cases itself: how many each label has, how many of these have a
 * feature, and how many values they have, all and different ones; and what the fingerprint is made
 * of. */
static hcbr_status count_cases(hcbr_model *model, const hcbr_cases *cases,
                               const hcbr_train_options *o, uint64_t digest[2], hcbr_error *err) {
    // the beginning of the first stage of the fit
    const hcbr_i_watch watch = {o->progress, o->progress_context, "columns", 0, HCBR_I_RICH_WAY};
    hcbr_i_strength *s = &plain_of(model)->strength;
    s->label_count = cases->labels.count;
    s->total = hcbr_i_alloc_zero(s->label_count, sizeof *s->total);
    model->label_cases = hcbr_i_alloc_zero(s->label_count, sizeof *model->label_cases);
    if (!s->total || !model->label_cases)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count; i++) {
        model->label_cases[cases->label[i]]++;
        s->total[cases->label[i]] += !hcbr_i_case_is_empty(cases, i);
    }
    hcbr_status st = hcbr_i_cases_value_count(&model->value_count, cases, &watch, err);
    return st != HCBR_OK ? st
                         : hcbr_i_cases_digest(digest, &model->occurrence_count, cases, o->threads,
                                               &watch, err);
}

hcbr_status hcbr_i_model_fit_rich(hcbr_model *model, hcbr_cases *cases, hcbr_train_options *o,
                                  hcbr_i_tuned *tuned, hcbr_error *err) {
    hcbr_i_rich_heldout heldout = {0};
    hcbr_i_heldout held = {0};
    *tuned = (hcbr_i_tuned){.scope = o->scope};
    // before the fit, which may use the numbers up; hcbr_i_model_fit_cases() hands it on
    hcbr_status st = count_cases(model, cases, o, model->fingerprint, err);
    if (st == HCBR_OK)
        st = fit_rich(model, cases, o, o->tune ? &heldout : NULL, err);
    if (st != HCBR_OK || !o->tune) {
        hcbr_i_rich_heldout_clear(&heldout);
        return st;
    }
    if (st == HCBR_OK)
        st = to_heldout(&held, &heldout, cases->labels.count, err);
    if (st == HCBR_OK)
        st = hcbr_i_model_learn(model, cases, o, &held, tuned, err);
    hcbr_i_rich_heldout_clear(&heldout);
    hcbr_i_heldout_clear(&held);
    return st;
}

hcbr_status hcbr_i_model_fit_cases(hcbr_model *model, hcbr_cases *cases,
                                   const hcbr_train_options *o, uint64_t digest[2], bool *borrowed,
                                   hcbr_error *err) {
    hcbr_i_plain *p = plain_of(model);
    if (rich_of(model)) {
        memcpy(digest, model->fingerprint, 2 * sizeof *digest);
        return HCBR_OK;
    }
    hcbr_status st = hcbr_i_plain_fit(p, cases, o, digest, model->pass_errors, err);
    if (st == HCBR_OK) {
        *borrowed = p->kept.borrowed && o->keep != HCBR_KEEP_NONE;
        if (*borrowed)
            p->kept.borrowed = false;
        model->label_cases = p->strength.cases;
        p->strength.cases = NULL; // now the model's
    }
    return st;
}

void hcbr_i_model_take_emphases(hcbr_model *model, hcbr_i_emphases *emphases) {
    model->emphases = emphases;
    plain_of(model)->emphases = hcbr_i_emphases_share(emphases);
}

hcbr_status hcbr_i_model_weigh_features(hcbr_model *model, hcbr_error *err) {
    hcbr_status st = hcbr_i_plain_weigh(plain_of(model), model->dict, err);
    for (uint32_t f = 0; st == HCBR_OK && f < hcbr_i_dict_count(model->dict); f++)
        if (plain_of(model)->units[f] == 0)
            st =
                hcbr_i_fail(err, HCBR_EDATA, "feature %lu has importance 0, expected none that has",
                            (unsigned long)f);
    return st;
}

void hcbr_i_model_forget_cases(hcbr_model *model) {
    hcbr_i_projections_clear(&plain_of(model)->kept);
}

hcbr_status hcbr_i_model_decide_own(const hcbr_model *model, uint32_t *winner, double *support,
                                    double *other, hcbr_error *err) {
    return hcbr_i_plain_decide_own(plain_of(model), winner, support, other, err);
}

hcbr_status hcbr_i_model_exact_weights(double **out, const hcbr_cases *cases, const double *weight,
                                       hcbr_error *err) {
    hcbr_i_rich_view view = {.cases = cases, .weight = weight};
    *out = NULL;
    double *exact = hcbr_i_alloc(cases->case_count, sizeof *exact);
    if (!exact)
        return hcbr_i_no_memory(err);
    view.grid = hcbr_i_rich_weight_grid(&view);
    for (uint32_t i = 0; i < cases->case_count; i++)
        exact[i] = hcbr_i_rich_weight(&view, i);
    *out = exact;
    return HCBR_OK;
}

bool hcbr_i_model_take_weights(hcbr_model *model, double *weight) {
    hcbr_i_rich *rich = rich_of(model);
    if (!rich || !hcbr_i_rich_has_reasons(rich, model->keep))
        return false;
    rich->kept.weight = weight;
    return true;
}

/* ---- the file -------------------------------------------------------------------------------- */

hcbr_i_facts hcbr_i_model_facts(const hcbr_model *model) {
    return hcbr_i_plain_facts(plain_of(model));
}

double hcbr_i_model_total(const hcbr_model *model, uint32_t label) {
    return plain_of(model)->strength.total[label];
}

hcbr_status hcbr_i_model_read_totals(hcbr_model *model, uint32_t labels, hcbr_i_in *in,
                                     hcbr_error *err) {
    plain_of(model)->strength.label_count = labels;
    return hcbr_i_in_f64s(in, labels, "totals", &plain_of(model)->strength.total, err);
}

hcbr_status hcbr_i_model_read_part(hcbr_model *model, const hcbr_i_facts *facts, hcbr_i_in *in,
                                   hcbr_error *err) {
    hcbr_i_frame frame = hcbr_i_model_frame(model);
    frame.facts = *facts;
    if (rich_of(model))
        return in->section == HCBR_I_CASES ? hcbr_i_rich_past_read(rich_of(model), &frame, in, err)
                                           : HCBR_OK;
    return hcbr_i_plain_read(plain_of(model), &frame, in, err);
}

hcbr_status hcbr_i_model_read_engine(hcbr_model *model, hcbr_i_in *sections, hcbr_error *err) {
    const hcbr_i_frame frame = hcbr_i_model_frame(model);
    if (sections[HCBR_I_RICH].at) {
        model->engine = &hcbr_i_rich_engine;
        return model->engine->read(&model->state, &frame, sections, err);
    }
    return sections[HCBR_I_REASONS].at
               ? hcbr_i_model_bad(err, HCBR_I_REASONS, "present, expected none in this model")
           : sections[HCBR_I_COUNTS].at
               ? hcbr_i_model_bad(err, HCBR_I_COUNTS, "present, expected none in this model")
               : HCBR_OK;
}

void hcbr_i_model_write_parts(hcbr_i_out *out, const hcbr_model *model, hcbr_i_section section) {
    const hcbr_i_frame frame = hcbr_i_model_frame(model);
    if (!rich_of(model))
        hcbr_i_plain_write(out, plain_of(model), section);
    if (model->engine->write)
        model->engine->write(out, model->state, &frame, section);
}

/* What a rich model says of its cases: their labels, and who has a feature. */
static hcbr_status check_rich(const hcbr_model *m, hcbr_error *err) {
    uint64_t filled = 0, *cases = hcbr_i_alloc_zero(m->labels.count, sizeof *cases);
    hcbr_status st = cases ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t l = 0; st == HCBR_OK && l < m->labels.count; l++) {
        const double total = plain_of(m)->strength.total[l];
        if (!(total >= 0 && total <= (double)m->label_cases[l]) || total != floor(total))
            st = hcbr_i_model_bad(err, HCBR_I_LABELS,
                                  "%g cases of label %lu have a feature, expected at most %llu",
                                  total, (unsigned long)l, (unsigned long long)m->label_cases[l]);
        else
            filled += (uint64_t)total;
    }
    if (st == HCBR_OK && filled != m->case_count - m->empty_count)
        st = hcbr_i_model_bad(err, HCBR_I_LABELS, "%llu cases have a feature, expected %llu",
                              (unsigned long long)filled,
                              (unsigned long long)(m->case_count - m->empty_count));
    for (uint64_t i = 0; st == HCBR_OK && m->kept_label && i < m->case_count; i++) {
        if (m->kept_label[i] >= m->labels.count)
            st = hcbr_i_model_bad(err, HCBR_I_CASES, "case %llu has label %lu, expected less",
                                  (unsigned long long)i, (unsigned long)m->kept_label[i]);
        else
            cases[m->kept_label[i]]++;
    }
    for (uint32_t l = 0; st == HCBR_OK && m->kept_label && l < m->labels.count; l++)
        if (cases[l] != m->label_cases[l])
            st = hcbr_i_model_bad(err, HCBR_I_CASES, "%llu cases of label %lu, expected %llu",
                                  (unsigned long long)cases[l], (unsigned long)l,
                                  (unsigned long long)m->label_cases[l]);
    hcbr_i_free(cases);
    return st;
}

hcbr_status hcbr_i_model_check_parts(const hcbr_model *model, hcbr_error *err) {
    const hcbr_i_frame frame = hcbr_i_model_frame(model);
    return rich_of(model) ? check_rich(model, err)
                          : hcbr_i_plain_check(plain_of(model), &frame, err);
}

/* ---- atoms ----------------------------------------------------------------------------------- */

/* Intervals of numbers that a rich model counts, and tests by themselves: they follow its atoms. */
static uint32_t interval_count(const hcbr_i_rich *rich) {
    return rich->counts.values - rich->encoder.feature_count;
}

uint32_t hcbr_i_model_atom_count(const hcbr_model *model) {
    const hcbr_i_rich *rich = rich_of(model);
    return rich ? rich->classes.count + interval_count(rich) : plain_of(model)->atoms.count;
}

const uint32_t *hcbr_i_model_kept_atoms(const hcbr_model *model, uint64_t index, size_t *count) {
    const hcbr_i_projections *kept = &plain_of(model)->kept;
    *count = 0;
    if (!kept->start)
        return NULL;
    *count = (size_t)(kept->start[index + 1] - kept->start[index]);
    return kept->atoms + kept->start[index];
}

uint32_t hcbr_model_get_atom(const hcbr_model *model, uint32_t feature) {
    assert(feature < hcbr_i_dict_count(model->dict));
    const hcbr_i_rich *rich = rich_of(model);
    return rich ? rich->classes.of[feature] : plain_of(model)->atoms.of[feature];
}

uint32_t hcbr_model_find_atom(const hcbr_model *model, const hcbr_feature *feature) {
    const hcbr_i_rich *rich = rich_of(model);
    const uint32_t id = hcbr_model_find_feature(model, feature);
    double value;
    if (id != HCBR_I_NONE)
        return hcbr_model_get_atom(model, id);
    if (!rich || !feature->value || hcbr_i_dict_need_tables(model->dict, NULL) != HCBR_OK)
        return HCBR_I_NONE;
    const hcbr_i_rich_encoder *e = &rich->encoder;
    const hcbr_i_key_id k = hcbr_i_dict_find_key(model->dict, feature->key, feature->key_length);
    if (k == HCBR_I_NONE ||
        !hcbr_i_rich_number(&e->keys[k], feature->value, feature->value_length, &value))
        return HCBR_I_NONE;
    const uint8_t code =
        hcbr_i_rich_code(e->cuts + e->keys[k].cut_start, e->keys[k].cut_count, value);
    return rich->classes.count + e->keys[k].count_start + code - 1 - e->feature_count;
}

int hcbr_model_get_atom_range(const hcbr_model *model, uint32_t atom, hcbr_atom_range *out) {
    const hcbr_i_rich *rich = rich_of(model);
    assert(atom < hcbr_i_model_atom_count(model));
    if (!rich || atom < rich->classes.count)
        return 0;
    const hcbr_i_rich_encoder *e = &rich->encoder;
    const uint32_t counted = atom - rich->classes.count + e->feature_count;
    hcbr_i_key_id k = 0;
    while (!hcbr_i_rich_is_number(&e->keys[k]) || counted < e->keys[k].count_start ||
           counted - e->keys[k].count_start > e->keys[k].cut_count)
        k++;
    const double *cuts = e->cuts + e->keys[k].cut_start;
    const uint32_t below = counted - e->keys[k].count_start;
    const hcbr_i_text name = hcbr_i_dict_key(model->dict, k);
    hcbr_atom_range full = {.name = name.at,
                            .name_length = name.length,
                            .above = below > 0 ? cuts[below - 1] : -INFINITY,
                            .most = below < e->keys[k].cut_count ? cuts[below] : INFINITY};
    hcbr_i_hand_out(out, &full, sizeof full);
    return 1;
}

uint32_t hcbr_model_get_atom_size(const hcbr_model *model, uint32_t atom) {
    const hcbr_i_rich *rich = rich_of(model);
    assert(atom < hcbr_i_model_atom_count(model));
    if (!rich)
        return plain_of(model)->atoms.size[atom];
    return atom < rich->classes.count ? rich->classes.start[atom + 1] - rich->classes.start[atom]
                                      : 0;
}

uint32_t hcbr_model_get_atom_count(const hcbr_model *model, uint32_t atom, hcbr_label label) {
    const hcbr_i_rich *rich = rich_of(model);
    assert(label >= 0 && (uint32_t)label < model->labels.count);
    if (rich)
        return hcbr_i_rich_count(&rich->counts,
                                 atom < rich->classes.count
                                     ? rich->classes.members[rich->classes.start[atom]]
                                     : rich->encoder.feature_count + (atom - rich->classes.count),
                                 (uint32_t)label);
    return hcbr_i_strength_count(&plain_of(model)->strength, atom, (uint32_t)label);
}

double hcbr_model_get_atom_strength(const hcbr_model *model, uint32_t atom, hcbr_label label) {
    assert(label >= 0 && (uint32_t)label < model->labels.count);
    return rich_of(model) ? 0
                          : hcbr_i_strength_get(&plain_of(model)->strength, atom, (uint32_t)label);
}

const uint32_t *hcbr_model_get_atom_features(const hcbr_model *model, uint32_t atom) {
    const hcbr_i_rich *rich = rich_of(model);
    if (rich)
        return rich->classes.members + (atom < rich->classes.count ? rich->classes.start[atom] : 0);
    const hcbr_i_atom_index *index = hcbr_i_plain_index(plain_of(model));
    return index ? index->features + index->start[atom] : NULL;
}

hcbr_status hcbr_model_rank_atoms(const hcbr_model *model, hcbr_label label, uint32_t *atoms,
                                  size_t capacity, size_t *count, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, count))
        return HCBR_EUSAGE;
    return hcbr_i_plain_rank(plain_of(model), (uint32_t)label, atoms, capacity, count, err);
}

/* ---- features of kept cases ------------------------------------------------------------------ */

/* A list of features with the texts behind it, in one block. */
typedef struct listing {
    hcbr_feature *features;
    size_t count;
    char *text; /* room for numbers */
} listing;

static void add_number(listing *l, const hcbr_i_dict *dict,
                       const struct hcbr_i_rich_past_number *n) {
    hcbr_i_text key = hcbr_i_dict_key(dict, n->key);
    size_t length = n->text.length;
    if (n->text.at)
        memcpy(l->text, n->text.at, length);
    else
        length = hcbr_number_format(l->text, n->value);
    l->features[l->count++] = (hcbr_feature){key.at, key.length, l->text, length};
    l->text += length + 1;
}

static hcbr_status copy_rich(const hcbr_model *m, uint32_t index, listing *l, hcbr_error *err) {
    hcbr_i_rich_past_case past = {0};
    bool ok = hcbr_i_rich_past_get(rich_of(m)->past, &rich_of(m)->encoder, index, &past);
    size_t size = (past.feature_count + past.number_count) * sizeof *l->features;
    size_t text = past.number_count * (HCBR_NUMBER_SIZE + 1);
    for (size_t n = 0; n < past.number_count; n++)
        text += past.numbers[n].text.length;
    ok = ok && (l->features = hcbr_i_alloc(size + text, 1));
    l->text = ok ? (char *)l->features + size : NULL;
    for (size_t f = 0; ok && f < past.feature_count; f++)
        hcbr_model_get_feature(m, past.features[f], &l->features[l->count++]);
    for (size_t n = 0; ok && n < past.number_count; n++)
        add_number(l, m->dict, &past.numbers[n]);
    hcbr_i_rich_past_case_clear(&past);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status copy_plain(const hcbr_model *m, uint64_t index, listing *l, hcbr_error *err) {
    const hcbr_i_atom_index *of = hcbr_i_plain_index(plain_of(m));
    size_t count = 0;
    for (uint64_t k = plain_of(m)->kept.start[index]; k < plain_of(m)->kept.start[index + 1]; k++)
        count += plain_of(m)->atoms.size[plain_of(m)->kept.atoms[k]];
    if (!of || !(l->features = hcbr_i_alloc(count, sizeof *l->features)))
        return hcbr_i_no_memory(err);
    for (uint64_t k = plain_of(m)->kept.start[index]; k < plain_of(m)->kept.start[index + 1]; k++)
        for (uint32_t n = 0; n < plain_of(m)->atoms.size[plain_of(m)->kept.atoms[k]]; n++)
            hcbr_model_get_feature(m, of->features[of->start[plain_of(m)->kept.atoms[k]] + n],
                                   &l->features[l->count++]);
    return HCBR_OK;
}

hcbr_status hcbr_model_copy_kept(const hcbr_model *model, uint64_t index, hcbr_feature **out,
                                 size_t *count, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, out, count))
        return HCBR_EUSAGE;
    listing l = {0};
    hcbr_status st = rich_of(model) ? copy_rich(model, (uint32_t)index, &l, err)
                                    : copy_plain(model, index, &l, err);
    *out = st == HCBR_OK ? l.features : NULL;
    *count = st == HCBR_OK ? l.count : 0;
    return st;
}

hcbr_status hcbr_model_copy_kept_atoms(const hcbr_model *model, uint64_t index, uint32_t **out,
                                       size_t *count, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, out, count))
        return HCBR_EUSAGE;
    const hcbr_i_plain *p = plain_of(model);
    *count = 0;
    if (rich_of(model)) {
        bool ok = hcbr_i_rich_past_atoms(rich_of(model), (uint32_t)index, out, count);
        return ok ? HCBR_OK : hcbr_i_no_memory(err);
    }
    if (!(*out = hcbr_i_alloc((size_t)hcbr_i_model_kept_size(model, index), sizeof **out)))
        return hcbr_i_no_memory(err);
    for (uint64_t k = p->kept.start[index]; k < p->kept.start[index + 1]; k++)
        for (uint32_t n = 0; n < p->atoms.size[p->kept.atoms[k]]; n++)
            (*out)[(*count)++] = p->kept.atoms[k];
    return HCBR_OK;
}

uint64_t hcbr_i_model_kept_size(const hcbr_model *model, uint64_t index) {
    const hcbr_i_projections *kept = &plain_of(model)->kept;
    uint64_t count = 0;
    if (rich_of(model))
        return rich_of(model)->past ? hcbr_i_rich_past_size(rich_of(model)->past, (uint32_t)index)
                                    : 0;
    for (uint64_t k = kept->start[index]; k < kept->start[index + 1]; k++)
        count += plain_of(model)->atoms.size[kept->atoms[k]];
    return count;
}
