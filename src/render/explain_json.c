/*
 * The reasons for a decision in JSON (docs/JSON.md, hcbr.explain/1), and parts that may follow:
 * comparisons with past cases, what would change the answer, open questions.
 *
 * Invariant: the object stays open until hcbr_write_end(), so that any of them may follow.
 */
#include "model/model.h"
#include "render/html.h"
#include "render/items.h"

#include <math.h>

static void put_cases(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *cases,
                      size_t count) {
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_case *c = &cases[n];
        PUT(w, OPEN(NULL, '{'));
        hcbr_i_json_origin(w, model, c);
        PUT(w, LABEL("label", model, c->label), NUMBER("lead", c->lead),
            BY_LABEL("influence", model, c->influence), CLOSE('}'));
    }
}

static void put_atoms(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    PUT(w, OPEN("atoms", '['));
    for (size_t n = 0; n < e->atom_count; n++) {
        const hcbr_explained_atom *a = &e->atoms[n];
        PUT(w, OPEN(NULL, '{'), STRING("kind", a->kind == HCBR_ATOM_TESTS ? "tests" : "features"),
            FEATURES("features", a->features, a->feature_count));
        hcbr_i_json_words(w, model, a->features, a->feature_count);
        PUT(w, U64("size", a->all_features), NUMBER("weight", a->weight), NUMBER("lead", a->lead),
            BY_LABEL("contribution", model, a->contribution),
            e->no_cases && a->case_count == 0 ? NONE("case_count")
                                              : U64("case_count", a->case_count));
        if (e->no_cases) {
            PUT(w, NONE("cases"), CLOSE('}'));
            continue;
        }
        PUT(w, OPEN("cases", '['));
        put_cases(w, model, a->cases, a->shown_cases);
        PUT(w, CLOSE(']'), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_columns(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    PUT(w, OPEN("columns", '['));
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        PUT(w, OPEN(NULL, '{'), COLUMN("name", c->name, c->name_length), NUMBER("lead", c->lead),
            BY_LABEL("contribution", model, c->contribution), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

/* Of columns of texts. */
static void put_words(hcbr_writer *w, const hcbr_explanation *e) {
    PUT(w, OPEN("text_words", '['));
    for (size_t n = 0; n < e->word_count; n++) {
        const hcbr_explained_word *x = &e->words[n];
        const size_t behind = x->column_length + 1;
        PUT(w, OPEN(NULL, '{'), COLUMN("column", x->key, x->column_length),
            hcbr_i_page_hides(w, x->key, x->column_length)
                ? STRING("word", hcbr_word_get(HCBR_WORD_HIDDEN_VALUE))
                : TEXT("word", x->key + behind, x->key_length - behind),
            BOOL("present", x->present), NUMBER("lead", x->lead), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
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

/* How the rule changed the answer, in words. */
static void put_turned(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    const char *how = hcbr_i_decision_turned(d);
    if (!how) {
        PUT(w, NONE("turned"));
        return;
    }
    PUT(w, KEY("turned"));
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
    PUT(w, NUMBER("from", (double)range / HCBR_HELDOUT_BINS),
        NUMBER("to", (double)(range + 1) / HCBR_HELDOUT_BINS), NUMBER("cases", sum->cases),
        NUMBER("right", sum->right));
}

/* How often such an answer was right. */
static void put_how_often(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    hcbr_how_often h = {.size = sizeof h};
    if (!hcbr_decision_how_often(model, d, &h)) {
        PUT(w, NONE("how_often"));
        return;
    }
    PUT(w, OPEN("how_often", '{'), NUMBER("from", h.from), NUMBER("to", h.to),
        NUMBER("cases", h.cases), NUMBER("right", h.right), BOOL("enough", h.enough), CLOSE('}'));
}

void hcbr_i_json_explanation(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                             const hcbr_explanation *e) {
    PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.explain/1"));
    hcbr_i_json_decision(w, model, d);
    PUT(w, LABEL("winner", model, d->winner), LABEL("explained", model, e->label),
        LABEL("against", model, e->against), NUMBER("lead", e->lead));
    put_turned(w, model, d);
    put_how_often(w, model, d);
    PUT(w, BOOL("close", d->close), BY_LABEL("bias", model, e->bias),
        BY_LABEL("rest", model, e->rest), U64("column_count", e->all_columns));
    put_columns(w, model, e);
    put_words(w, e);
    PUT(w, BY_LABEL("influence_sum", model, e->influence_sum), U64("atom_count", e->all_atoms));
    put_atoms(w, model, e);
    if (e->no_cases) {
        PUT(w, NONE("itself"), NONE("for_count"), NONE("against_count"), NONE("other_count"),
            NONE("cases"), STRING("no_cases", e->no_cases));
    } else {
        PUT(w, OPEN("itself", '['));
        put_cases(w, model, e->itself, e->itself != NULL);
        PUT(w, CLOSE(']'), U64("for_count", e->all_for), U64("against_count", e->all_against),
            U64("other_count", e->all_others), OPEN("cases", '['));
        put_cases(w, model, e->cases_for, e->for_count);
        put_cases(w, model, e->cases_against, e->against_count);
        put_cases(w, model, e->others, e->other_count);
        PUT(w, CLOSE(']'));
    }
}

static void put_heldout(hcbr_writer *w, const hcbr_model *model) {
    hcbr_heldout h = {.size = sizeof h};
    double cases = 0, off = 0;
    if (!hcbr_model_get_heldout(model, &h)) {
        PUT(w, NONE("held_out"));
        return;
    }
    PUT(w, OPEN("held_out", '{'), NUMBER("cases", h.cases), NUMBER("right", h.right),
        h.cases > 0 ? NUMBER("accuracy", h.right / h.cases) : NONE("accuracy"));
    for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
        cases += h.bins[b].cases;
        off += fabs(h.bins[b].right - h.bins[b].probability);
    }
    PUT(w, cases > 0 ? NUMBER("calibration_error", off / cases) : NONE("calibration_error"),
        OPEN("bins", '['));
    for (size_t n = 0; n < model->record.answered_count; n++) {
        const hcbr_i_answered *a = &model->record.answered[n];
        if (a->range == HCBR_HELDOUT_BINS)
            continue;
        PUT(w, OPEN(NULL, '{'), LABEL("label", model, (hcbr_label)a->label));
        hcbr_i_json_range(w, a->range, &a->sum);
        PUT(w, CLOSE('}'));
    }
    PUT(w, CLOSE(']'), CLOSE('}'));
}

void hcbr_i_json_page(hcbr_writer *w, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    PUT(w, OPEN("origin", '{'), STRING("model", w->page.options.name),
        STRING("data", w->page.options.data), STRING("past", w->page.options.past),
        STRING("date", w->page.options.date), STRING("version", hcbr_version()),
        STRING("fingerprint", info.fingerprint), U64("cases", info.cases));
    put_heldout(w, model);
    PUT(w, CLOSE('}'));
}

/* Features of a comparison from number `first` on. */
static void put_compared(hcbr_writer *w, const hcbr_model *model, const char *name,
                         const hcbr_comparison *c, size_t first, size_t count) {
    PUT(w, OPEN(name, '['));
    for (size_t n = first; n < first + count; n++) {
        const hcbr_compared_feature *f = &c->features[n];
        PUT(w, OPEN(NULL, '{'), FEATURE("feature", &f->feature));
        hcbr_i_json_shown(w, model, "words", &f->feature);
        PUT(w, BOOL("known", f->known), NUMBER("here", f->here), NUMBER("there", f->there),
            NUMBER("moves", f->here - f->there), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_held(hcbr_writer *w, const hcbr_model *model, hcbr_label label,
                     double probability) {
    if (label < 0) {
        PUT(w, NONE("held_out"));
        return;
    }
    PUT(w, OPEN("held_out", '{'), LABEL("label", model, label),
        probability > 0 ? NUMBER("probability", probability) : NONE("probability"), CLOSE('}'));
}

void hcbr_i_json_aligned(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    static const char *const alike[] = {"same", "near", "different", "only here", "only there"};
    put_held(w, model, c->held_label, c->held_probability);
    PUT(w, OPEN("columns", '['));
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        PUT(w, OPEN(NULL, '{'),
            k->name_length ? COLUMN("name", k->name, k->name_length) : NONE("name"),
            STRING("alike",
                   alike[k->alike <= HCBR_ALIKE_ONLY_THERE ? k->alike : HCBR_ALIKE_DIFFERENT]),
            FEATURES("values_here", k->here, k->here_count),
            FEATURES("values_there", k->there, k->there_count), NUMBER("here", k->lead_here),
            NUMBER("there", k->lead_there), NUMBER("moves", k->lead_here - k->lead_there),
            CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

void hcbr_i_json_comparison(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    PUT(w, OPEN("versus", '{'), OPEN("case", '['));
    put_cases(w, model, c->past, 1);
    PUT(w, CLOSE(']'), BOOL("empty", c->past_empty), NUMBER("lead_here", c->lead_here),
        NUMBER("lead_there", c->lead_there));
    put_compared(w, model, "shared", c, 0, c->shared);
    put_compared(w, model, "only_here", c, c->shared, c->only_here);
    put_compared(w, model, "only_there", c, c->shared + c->only_here, c->only_there);
    PUT(w, NUMBER("rest", c->rest));
    hcbr_i_json_aligned(w, model, c);
    PUT(w, CLOSE('}'));
}

void hcbr_i_json_flips(hcbr_writer *w, const hcbr_model *model, const hcbr_flips *f) {
    PUT(w, OPEN("flip", '{'), BOOL("exact", f->exact), BOOL("exhaustive", f->exhaustive),
        U64("searched", f->searched), U64("tried", f->tried), U64("steps", f->steps),
        U64("limit", f->limit), BOOL("limited", f->limited), BOOL("bounded", f->bounded),
        OPEN("flips", '['));
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = &f->flips[n];
        PUT(w, OPEN(NULL, '{'), OPEN("changes", '['));
        for (size_t k = 0; k < flip->count; k++) {
            PUT(w, OPEN(NULL, '{'), FEATURE("removed", &flip->changes[k].removed),
                FEATURE("added", &flip->changes[k].added));
            hcbr_i_json_shown(w, model, "removed_words", &flip->changes[k].removed);
            hcbr_i_json_shown(w, model, "added_words", &flip->changes[k].added);
            PUT(w, CLOSE('}'));
        }
        PUT(w, CLOSE(']'), LABEL("label", model, flip->label), LABEL("winner", model, flip->winner),
            NUMBER("lead", flip->lead), BY_LABEL("support", model, flip->support),
            flip->probability ? BY_LABEL("probability", model, flip->probability)
                              : NONE("probability"),
            CLOSE('}'));
    }
    PUT(w, CLOSE(']'), CLOSE('}'));
}

static void put_outcome(hcbr_writer *w, const hcbr_model *model, const char *name,
                        const hcbr_possible_value *o) {
    PUT(w, OPEN(name, '{'), FEATURE("feature", &o->feature));
    hcbr_i_json_shown(w, model, "words", &o->feature);
    PUT(w, NUMBER("lead", o->lead), LABEL("label", model, o->label), NUMBER("share", o->share),
        o->probability ? BY_LABEL("probability", model, o->probability) : NONE("probability"),
        CLOSE('}'));
}

void hcbr_i_json_questions(hcbr_writer *w, const hcbr_model *model, const hcbr_questions *q) {
    PUT(w, OPEN("ask", '{'), LABEL("of", model, q->of), NUMBER("lead", q->lead),
        U64("open", q->all), OPEN("questions", '['));
    for (size_t n = 0; n < q->count; n++) {
        const hcbr_question *open = &q->questions[n];
        PUT(w, OPEN(NULL, '{'),
            COLUMN("key", open->lowest->feature.key, open->lowest->feature.key_length),
            U64("values", open->values), NUMBER("expected", open->expected),
            NUMBER("chance", open->chance));
        put_outcome(w, model, "lowest", open->lowest);
        put_outcome(w, model, "highest", open->highest);
        PUT(w, CLOSE('}'));
    }
    PUT(w, CLOSE(']'), CLOSE('}'));
}
