/*
 * hcbr explain in JSON Lines (docs/JSON.md, hcbr.explain/1).
 */
#include "decision_json.h"
#include "explaining.h"

#include <stdio.h>
#include <stdlib.h>

static void put_cases(explaining *x, json *j, const hcbr_explained_case *cases, size_t count) {
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_case *c = &cases[n];
        json_open(j, '{');
        json_key(j, "row"), json_u64(j, c->row);
        json_key(j, "id"), json_text_or_null(j, c->id, c->id_length);
        json_key(j, "label"), json_label(j, x->model, c->label);
        json_key(j, "lead"), json_number(j, c->lead);
        json_key(j, "influence"), json_by_label(j, x->model, c->influence, x->info.labels);
        json_close(j, '}');
    }
}

static void put_atoms(explaining *x, json *j, const hcbr_explanation *e) {
    json_open(j, '[');
    for (size_t n = 0; n < e->group_count; n++) {
        const hcbr_explained_group *a = &e->groups[n];
        json_open(j, '{');
        json_key(j, "kind"), json_string(j, a->kind == HCBR_GROUP_TESTS ? "tests" : "features");
        json_key(j, "features"), json_feature_list(j, a->features, a->feature_count);
        json_key(j, "size"), json_u64(j, a->all_features);
        json_key(j, "weight"), json_number(j, a->weight);
        json_key(j, "lead"), json_number(j, a->lead);
        json_key(j, "contribution"), json_by_label(j, x->model, a->contribution, x->info.labels);
        json_key(j, "case_count");
        e->no_cases && a->case_count == 0 ? json_null(j) : json_u64(j, a->case_count);
        json_key(j, "cases");
        if (e->no_cases)
            json_null(j);
        else {
            json_open(j, '[');
            put_cases(x, j, a->cases, a->shown_cases);
            json_close(j, ']');
        }
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* How the rule turned the answer, in words. */
static void put_turned(explaining *x, json *j, const hcbr_decision *d) {
    static const char START[] = "the largest support is for ";
    const char *how = explain_turned(d),
               *end = d->label >= 0 ? ": the answer is " : ": there is no answer";
    if (!how) {
        json_null(j);
        return;
    }
    label_facts winner = explain_label(x, d->winner), label = explain_label(x, d->label);
    size_t most = sizeof START + winner.name_length + strlen(how) + strlen(end) + label.name_length;
    char *text = malloc(most + 4);
    if (!text) { // the answer says as much
        json_null(j);
        return;
    }
    size_t n = (size_t)snprintf(text, most + 4, "%s%.*s, %s%s", START, (int)winner.name_length,
                                winner.name, how, end);
    if (d->label >= 0) {
        memcpy(text + n, label.name, label.name_length);
        n += label.name_length;
    }
    json_text(j, text, n);
    free(text);
}

void explain_json(explaining *x, json *j, const hcbr_decision *d, const hcbr_explanation *e) {
    json_open(j, '{');
    json_key(j, "schema"), json_string(j, "hcbr.explain/1");
    json_decision(j, x->model, d);
    json_key(j, "winner"), json_label(j, x->model, d->winner);
    json_key(j, "explained"), json_label(j, x->model, e->label);
    json_key(j, "against"), json_label(j, x->model, e->against);
    json_key(j, "lead"), json_number(j, e->lead);
    json_key(j, "turned"), put_turned(x, j, d);
    json_key(j, "bias"), json_by_label(j, x->model, e->bias, x->info.labels);
    json_key(j, "influence_sum");
    if (e->influence_sum)
        json_by_label(j, x->model, e->influence_sum, x->info.labels);
    else
        json_null(j);
    json_key(j, "atom_count"), json_u64(j, e->all_groups);
    json_key(j, "atoms"), put_atoms(x, j, e);
    if (e->no_cases) {
        json_key(j, "for_count"), json_null(j);
        json_key(j, "against_count"), json_null(j);
        json_key(j, "other_count"), json_null(j);
        json_key(j, "cases"), json_null(j);
        json_key(j, "no_cases"), json_string(j, e->no_cases);
    } else {
        json_key(j, "for_count"), json_u64(j, e->all_for);
        json_key(j, "against_count"), json_u64(j, e->all_against);
        json_key(j, "other_count"), json_u64(j, e->all_others);
        json_key(j, "cases"), json_open(j, '[');
        put_cases(x, j, e->analogies, e->analogy_count);
        put_cases(x, j, e->counter_examples, e->counter_count);
        put_cases(x, j, e->others, e->other_count);
        json_close(j, ']');
    }
}

static void put_feature(json *j, const hcbr_feature *f) {
    if (f->key)
        json_feature(j, f->key, f->key_length, f->value, f->value_length);
    else
        json_null(j);
}

static void put_compared(json *j, const char *name, const hcbr_compared_feature *list,
                         size_t count) {
    json_key(j, name), json_open(j, '[');
    for (size_t n = 0; n < count; n++) {
        json_open(j, '{');
        json_key(j, "feature"), put_feature(j, &list[n].feature);
        json_key(j, "known"), json_bool(j, list[n].known);
        json_key(j, "here"), json_number(j, list[n].here);
        json_key(j, "there"), json_number(j, list[n].there);
        json_key(j, "moves"), json_number(j, list[n].here - list[n].there);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void explain_versus_json(explaining *x, json *j, const hcbr_comparison *c) {
    const hcbr_compared_feature *f = c->features;
    json_key(j, "versus"), json_open(j, '{');
    json_key(j, "case"), json_open(j, '[');
    put_cases(x, j, c->past, 1);
    json_close(j, ']');
    json_key(j, "empty"), json_bool(j, c->past_empty);
    json_key(j, "lead_here"), json_number(j, c->lead_here);
    json_key(j, "lead_there"), json_number(j, c->lead_there);
    put_compared(j, "shared", f, c->shared);
    put_compared(j, "only_here", f + c->shared, c->only_here);
    put_compared(j, "only_there", f + c->shared + c->only_here, c->only_there);
    json_key(j, "rest"), json_number(j, c->rest);
    json_close(j, '}');
}

void explain_flip_json(explaining *x, json *j, const hcbr_flips *f) {
    json_key(j, "flip"), json_open(j, '{');
    json_key(j, "exact"), json_bool(j, f->exact);
    json_key(j, "exhaustive"), json_bool(j, f->exhaustive);
    json_key(j, "searched"), json_u64(j, f->searched);
    json_key(j, "tried"), json_u64(j, f->tried);
    json_key(j, "steps"), json_u64(j, f->steps);
    json_key(j, "limit"), json_u64(j, f->limit);
    json_key(j, "limited"), json_bool(j, f->limited);
    json_key(j, "flips"), json_open(j, '[');
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = &f->flips[n];
        json_open(j, '{');
        json_key(j, "changes"), json_open(j, '[');
        for (size_t k = 0; k < flip->count; k++) {
            json_open(j, '{');
            json_key(j, "removed"), put_feature(j, &flip->changes[k].removed);
            json_key(j, "added"), put_feature(j, &flip->changes[k].added);
            json_close(j, '}');
        }
        json_close(j, ']');
        json_key(j, "label"), json_label(j, x->model, flip->label);
        json_key(j, "winner"), json_label(j, x->model, flip->winner);
        json_key(j, "lead"), json_number(j, flip->lead);
        json_key(j, "support"), json_by_label(j, x->model, flip->support, x->info.labels);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void put_outcome(explaining *x, json *j, const char *name, const hcbr_possible_value *o) {
    json_key(j, name), json_open(j, '{');
    json_key(j, "feature"), put_feature(j, &o->feature);
    json_key(j, "lead"), json_number(j, o->lead);
    json_key(j, "label"), json_label(j, x->model, o->label);
    json_close(j, '}');
}

void explain_ask_json(explaining *x, json *j, const hcbr_questions *q) {
    json_key(j, "ask"), json_open(j, '{');
    json_key(j, "of"), json_label(j, x->model, q->of);
    json_key(j, "lead"), json_number(j, q->lead);
    json_key(j, "open"), json_u64(j, q->all);
    json_key(j, "questions"), json_open(j, '[');
    for (size_t n = 0; n < q->count; n++) {
        const hcbr_question *open = &q->questions[n];
        json_open(j, '{');
        json_key(j, "key");
        json_text(j, open->lowest->feature.key, open->lowest->feature.key_length);
        json_key(j, "values"), json_u64(j, open->values);
        put_outcome(x, j, "lowest", open->lowest);
        put_outcome(x, j, "highest", open->highest);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}
