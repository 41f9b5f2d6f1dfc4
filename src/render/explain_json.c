/*
 * The reasons for a decision in JSON (docs/JSON.md, hcbr.explain/1), and what may stand beside
 * them: the case beside a past one, what would change the answer, what is still to be asked.
 *
 * Invariant: the object stays open until hcbr_write_end(), so that any of them can follow.
 */
#include "model/model.h"
#include "render/html.h"

#include <math.h>

static void put_cases(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *cases,
                      size_t count) {
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_case *c = &cases[n];
        hcbr_json_open(w, '{');
        hcbr_i_json_origin(w, model, c);
        hcbr_json_key(w, "label"), hcbr_json_label(w, model, c->label);
        hcbr_json_key(w, "lead"), hcbr_json_number(w, c->lead);
        hcbr_json_key(w, "influence"), hcbr_json_by_label(w, model, c->influence);
        hcbr_json_close(w, '}');
    }
}

static void put_atoms(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    hcbr_json_open(w, '[');
    for (size_t n = 0; n < e->atom_count; n++) {
        const hcbr_explained_atom *a = &e->atoms[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "kind"),
            hcbr_json_string(w, a->kind == HCBR_ATOM_TESTS ? "tests" : "features");
        hcbr_json_key(w, "features"), hcbr_json_features(w, a->features, a->feature_count);
        hcbr_i_json_words(w, model, a->features, a->feature_count);
        hcbr_json_key(w, "size"), hcbr_json_u64(w, a->all_features);
        hcbr_json_key(w, "weight"), hcbr_json_number(w, a->weight);
        hcbr_json_key(w, "lead"), hcbr_json_number(w, a->lead);
        hcbr_json_key(w, "contribution"), hcbr_json_by_label(w, model, a->contribution);
        hcbr_json_key(w, "case_count");
        e->no_cases && a->case_count == 0 ? hcbr_json_null(w) : hcbr_json_u64(w, a->case_count);
        hcbr_json_key(w, "cases");
        if (e->no_cases)
            hcbr_json_null(w);
        else {
            hcbr_json_open(w, '[');
            put_cases(w, model, a->cases, a->shown_cases);
            hcbr_json_close(w, ']');
        }
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_columns(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    hcbr_json_open(w, '[');
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "name"), hcbr_i_json_column(w, c->name, c->name_length);
        hcbr_json_key(w, "lead"), hcbr_json_number(w, c->lead);
        hcbr_json_key(w, "contribution"), hcbr_json_by_label(w, model, c->contribution);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

/* Of columns of texts. */
static void put_words(hcbr_writer *w, const hcbr_explanation *e) {
    hcbr_json_open(w, '[');
    for (size_t n = 0; n < e->word_count; n++) {
        const hcbr_explained_word *x = &e->words[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "column"), hcbr_i_json_column(w, x->key, x->column_length);
        hcbr_json_key(w, "word");
        if (hcbr_i_page_hides(w, x->key, x->column_length))
            hcbr_json_string(w, hcbr_word_get(HCBR_WORD_HIDDEN_VALUE));
        else
            hcbr_json_text(w, x->key + x->column_length + 1, x->key_length - x->column_length - 1);
        hcbr_json_key(w, "present"), hcbr_json_bool(w, x->present);
        hcbr_json_key(w, "lead"), hcbr_json_number(w, x->lead);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

/* A label as sentences have it. */
static void escape_label(hcbr_writer *w, const hcbr_model *model, hcbr_label label) {
    size_t length;
    const char *name = hcbr_model_get_label(model, label, &length);
    bool quoted = hcbr_text_is_unknown(name, length);
    hcbr_i_json_escape(w, "\"", quoted);
    hcbr_i_json_escape(w, name, length);
    hcbr_i_json_escape(w, "\"", quoted);
}

/* How the rule turned the answer, in words. */
static void put_turned(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    const char *how = hcbr_i_decision_turned(d);
    hcbr_json_key(w, "turned");
    if (!how) {
        hcbr_json_null(w);
        return;
    }
    hcbr_i_put_string(w, "\"the largest support is for ");
    escape_label(w, model, d->winner);
    hcbr_i_put_string(w, ", ");
    hcbr_i_json_escape(w, how, strlen(how));
    hcbr_i_put_string(w, d->label >= 0 ? ": the answer is " : ": there is no answer");
    if (d->label >= 0)
        escape_label(w, model, d->label);
    hcbr_i_put_byte(w, '"');
    w->comma = true;
}

void hcbr_i_json_range(hcbr_writer *w, size_t range, const hcbr_heldout_bin *sum) {
    hcbr_json_key(w, "from"), hcbr_json_number(w, (double)range / HCBR_HELDOUT_BINS);
    hcbr_json_key(w, "to"), hcbr_json_number(w, (double)(range + 1) / HCBR_HELDOUT_BINS);
    hcbr_json_key(w, "cases"), hcbr_json_number(w, sum->cases);
    hcbr_json_key(w, "right"), hcbr_json_number(w, sum->right);
}

/* How often such an answer was right. */
static void put_how_often(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    hcbr_how_often h = {.size = sizeof h};
    hcbr_json_key(w, "how_often");
    if (!hcbr_decision_how_often(model, d, &h)) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "from"), hcbr_json_number(w, h.from);
    hcbr_json_key(w, "to"), hcbr_json_number(w, h.to);
    hcbr_json_key(w, "cases"), hcbr_json_number(w, h.cases);
    hcbr_json_key(w, "right"), hcbr_json_number(w, h.right);
    hcbr_json_key(w, "enough"), hcbr_json_bool(w, h.enough);
    hcbr_json_close(w, '}');
}

void hcbr_i_json_explanation(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                             const hcbr_explanation *e) {
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.explain/1");
    hcbr_i_json_decision(w, model, d);
    hcbr_json_key(w, "winner"), hcbr_json_label(w, model, d->winner);
    hcbr_json_key(w, "explained"), hcbr_json_label(w, model, e->label);
    hcbr_json_key(w, "against"), hcbr_json_label(w, model, e->against);
    hcbr_json_key(w, "lead"), hcbr_json_number(w, e->lead);
    put_turned(w, model, d);
    put_how_often(w, model, d);
    hcbr_json_key(w, "close"), hcbr_json_bool(w, d->close);
    hcbr_json_key(w, "bias"), hcbr_json_by_label(w, model, e->bias);
    hcbr_json_key(w, "rest"), hcbr_json_by_label(w, model, e->rest);
    hcbr_json_key(w, "column_count"), hcbr_json_u64(w, e->all_columns);
    hcbr_json_key(w, "columns"), put_columns(w, model, e);
    hcbr_json_key(w, "text_words"), put_words(w, e);
    hcbr_json_key(w, "influence_sum");
    hcbr_json_by_label(w, model, e->influence_sum);
    hcbr_json_key(w, "atom_count"), hcbr_json_u64(w, e->all_atoms);
    hcbr_json_key(w, "atoms"), put_atoms(w, model, e);
    if (e->no_cases) {
        hcbr_json_key(w, "itself"), hcbr_json_null(w);
        hcbr_json_key(w, "for_count"), hcbr_json_null(w);
        hcbr_json_key(w, "against_count"), hcbr_json_null(w);
        hcbr_json_key(w, "other_count"), hcbr_json_null(w);
        hcbr_json_key(w, "cases"), hcbr_json_null(w);
        hcbr_json_key(w, "no_cases"), hcbr_json_string(w, e->no_cases);
    } else {
        hcbr_json_key(w, "itself"), hcbr_json_open(w, '[');
        put_cases(w, model, e->itself, e->itself != NULL);
        hcbr_json_close(w, ']');
        hcbr_json_key(w, "for_count"), hcbr_json_u64(w, e->all_for);
        hcbr_json_key(w, "against_count"), hcbr_json_u64(w, e->all_against);
        hcbr_json_key(w, "other_count"), hcbr_json_u64(w, e->all_others);
        hcbr_json_key(w, "cases"), hcbr_json_open(w, '[');
        put_cases(w, model, e->cases_for, e->for_count);
        put_cases(w, model, e->cases_against, e->against_count);
        put_cases(w, model, e->others, e->other_count);
        hcbr_json_close(w, ']');
    }
}

static void put_heldout(hcbr_writer *w, const hcbr_model *model) {
    hcbr_heldout h = {.size = sizeof h};
    double cases = 0, off = 0;
    hcbr_json_key(w, "held_out");
    if (!hcbr_model_get_heldout(model, &h)) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "cases"), hcbr_json_number(w, h.cases);
    hcbr_json_key(w, "right"), hcbr_json_number(w, h.right);
    hcbr_json_key(w, "accuracy");
    h.cases > 0 ? hcbr_json_number(w, h.right / h.cases) : hcbr_json_null(w);
    for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
        cases += h.bins[b].cases;
        off += fabs(h.bins[b].right - h.bins[b].probability);
    }
    hcbr_json_key(w, "calibration_error");
    cases > 0 ? hcbr_json_number(w, off / cases) : hcbr_json_null(w);
    hcbr_json_key(w, "bins"), hcbr_json_open(w, '[');
    for (size_t n = 0; n < model->record.answered_count; n++) {
        const hcbr_i_answered *a = &model->record.answered[n];
        if (a->range == HCBR_HELDOUT_BINS)
            continue;
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "label"), hcbr_json_label(w, model, (hcbr_label)a->label);
        hcbr_i_json_range(w, a->range, &a->sum);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
    hcbr_json_close(w, '}');
}

void hcbr_i_json_page(hcbr_writer *w, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    hcbr_json_key(w, "origin"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "model"), hcbr_json_string(w, w->page.options.name);
    hcbr_json_key(w, "data"), hcbr_json_string(w, w->page.options.data);
    hcbr_json_key(w, "past"), hcbr_json_string(w, w->page.options.past);
    hcbr_json_key(w, "date"), hcbr_json_string(w, w->page.options.date);
    hcbr_json_key(w, "version"), hcbr_json_string(w, hcbr_version());
    hcbr_json_key(w, "fingerprint"), hcbr_json_string(w, info.fingerprint);
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, info.cases);
    put_heldout(w, model);
    hcbr_json_close(w, '}');
}

/* Features of a comparison from number `first` on. */
static void put_compared(hcbr_writer *w, const hcbr_model *model, const char *name,
                         const hcbr_comparison *c, size_t first, size_t count) {
    hcbr_json_key(w, name), hcbr_json_open(w, '[');
    for (size_t n = first; n < first + count; n++) {
        const hcbr_compared_feature *f = &c->features[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "feature"), hcbr_json_feature(w, &f->feature);
        hcbr_i_json_shown(w, model, "words", &f->feature);
        hcbr_json_key(w, "known"), hcbr_json_bool(w, f->known);
        hcbr_json_key(w, "here"), hcbr_json_number(w, f->here);
        hcbr_json_key(w, "there"), hcbr_json_number(w, f->there);
        hcbr_json_key(w, "moves"), hcbr_json_number(w, f->here - f->there);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_held(hcbr_writer *w, const hcbr_model *model, hcbr_label label,
                     double probability) {
    hcbr_json_key(w, "held_out");
    if (label < 0) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "label"), hcbr_json_label(w, model, label);
    hcbr_json_key(w, "probability");
    probability > 0 ? hcbr_json_number(w, probability) : hcbr_json_null(w);
    hcbr_json_close(w, '}');
}

void hcbr_i_json_aligned(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    static const char *const alike[] = {"same", "near", "different", "only here", "only there"};
    put_held(w, model, c->held_label, c->held_probability);
    hcbr_json_key(w, "columns"), hcbr_json_open(w, '[');
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "name");
        k->name_length ? hcbr_i_json_column(w, k->name, k->name_length) : hcbr_json_null(w);
        hcbr_json_key(w, "alike"),
            hcbr_json_string(
                w, alike[k->alike <= HCBR_ALIKE_ONLY_THERE ? k->alike : HCBR_ALIKE_DIFFERENT]);
        hcbr_json_key(w, "values_here"), hcbr_json_features(w, k->here, k->here_count);
        hcbr_json_key(w, "values_there"), hcbr_json_features(w, k->there, k->there_count);
        hcbr_json_key(w, "here"), hcbr_json_number(w, k->lead_here);
        hcbr_json_key(w, "there"), hcbr_json_number(w, k->lead_there);
        hcbr_json_key(w, "moves"), hcbr_json_number(w, k->lead_here - k->lead_there);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

void hcbr_i_json_comparison(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    hcbr_json_key(w, "versus"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "case"), hcbr_json_open(w, '[');
    put_cases(w, model, c->past, 1);
    hcbr_json_close(w, ']');
    hcbr_json_key(w, "empty"), hcbr_json_bool(w, c->past_empty);
    hcbr_json_key(w, "lead_here"), hcbr_json_number(w, c->lead_here);
    hcbr_json_key(w, "lead_there"), hcbr_json_number(w, c->lead_there);
    put_compared(w, model, "shared", c, 0, c->shared);
    put_compared(w, model, "only_here", c, c->shared, c->only_here);
    put_compared(w, model, "only_there", c, c->shared + c->only_here, c->only_there);
    hcbr_json_key(w, "rest"), hcbr_json_number(w, c->rest);
    hcbr_i_json_aligned(w, model, c);
    hcbr_json_close(w, '}');
}

void hcbr_i_json_flips(hcbr_writer *w, const hcbr_model *model, const hcbr_flips *f) {
    hcbr_json_key(w, "flip"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "exact"), hcbr_json_bool(w, f->exact);
    hcbr_json_key(w, "exhaustive"), hcbr_json_bool(w, f->exhaustive);
    hcbr_json_key(w, "searched"), hcbr_json_u64(w, f->searched);
    hcbr_json_key(w, "tried"), hcbr_json_u64(w, f->tried);
    hcbr_json_key(w, "steps"), hcbr_json_u64(w, f->steps);
    hcbr_json_key(w, "limit"), hcbr_json_u64(w, f->limit);
    hcbr_json_key(w, "limited"), hcbr_json_bool(w, f->limited);
    hcbr_json_key(w, "bounded"), hcbr_json_bool(w, f->bounded);
    hcbr_json_key(w, "flips"), hcbr_json_open(w, '[');
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = &f->flips[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "changes"), hcbr_json_open(w, '[');
        for (size_t k = 0; k < flip->count; k++) {
            hcbr_json_open(w, '{');
            hcbr_json_key(w, "removed"), hcbr_json_feature(w, &flip->changes[k].removed);
            hcbr_json_key(w, "added"), hcbr_json_feature(w, &flip->changes[k].added);
            hcbr_i_json_shown(w, model, "removed_words", &flip->changes[k].removed);
            hcbr_i_json_shown(w, model, "added_words", &flip->changes[k].added);
            hcbr_json_close(w, '}');
        }
        hcbr_json_close(w, ']');
        hcbr_json_key(w, "label"), hcbr_json_label(w, model, flip->label);
        hcbr_json_key(w, "winner"), hcbr_json_label(w, model, flip->winner);
        hcbr_json_key(w, "lead"), hcbr_json_number(w, flip->lead);
        hcbr_json_key(w, "support"), hcbr_json_by_label(w, model, flip->support);
        hcbr_json_key(w, "probability");
        flip->probability ? hcbr_json_by_label(w, model, flip->probability) : hcbr_json_null(w);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
    hcbr_json_close(w, '}');
}

static void put_outcome(hcbr_writer *w, const hcbr_model *model, const char *name,
                        const hcbr_possible_value *o) {
    hcbr_json_key(w, name), hcbr_json_open(w, '{');
    hcbr_json_key(w, "feature"), hcbr_json_feature(w, &o->feature);
    hcbr_i_json_shown(w, model, "words", &o->feature);
    hcbr_json_key(w, "lead"), hcbr_json_number(w, o->lead);
    hcbr_json_key(w, "label"), hcbr_json_label(w, model, o->label);
    hcbr_json_key(w, "share"), hcbr_json_number(w, o->share);
    hcbr_json_key(w, "probability");
    o->probability ? hcbr_json_by_label(w, model, o->probability) : hcbr_json_null(w);
    hcbr_json_close(w, '}');
}

void hcbr_i_json_questions(hcbr_writer *w, const hcbr_model *model, const hcbr_questions *q) {
    hcbr_json_key(w, "ask"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "of"), hcbr_json_label(w, model, q->of);
    hcbr_json_key(w, "lead"), hcbr_json_number(w, q->lead);
    hcbr_json_key(w, "open"), hcbr_json_u64(w, q->all);
    hcbr_json_key(w, "questions"), hcbr_json_open(w, '[');
    for (size_t n = 0; n < q->count; n++) {
        const hcbr_question *open = &q->questions[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "key");
        hcbr_i_json_column(w, open->lowest->feature.key, open->lowest->feature.key_length);
        hcbr_json_key(w, "values"), hcbr_json_u64(w, open->values);
        hcbr_json_key(w, "expected"), hcbr_json_number(w, open->expected);
        hcbr_json_key(w, "chance"), hcbr_json_number(w, open->chance);
        put_outcome(w, model, "lowest", open->lowest);
        put_outcome(w, model, "highest", open->highest);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
    hcbr_json_close(w, '}');
}
