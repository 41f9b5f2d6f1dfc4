/*
 * Rows as text: doubles in hexadecimal, so that no bit is lost.
 */
#include "row_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void row_record_begin(row_record *r) {
    *r = (row_record){.stop_at = r->stop_at};
    r->out = open_memstream(&r->text, &r->size);
    assert_non_null(r->out);
}

void row_record_end(row_record *r) {
    assert_int_equal(fclose(r->out), 0);
    r->out = NULL;
}

void row_record_clear(row_record *r) {
    free(r->text);
    r->text = NULL;
}

static void put_text(FILE *out, const char *text, size_t length) {
    fprintf(out, " %zu'%.*s'", length, (int)length, text ? text : "");
}

static void put_features(FILE *out, const hcbr_feature *f, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put_text(out, f[i].key, f[i].key_length);
        if (f[i].value)
            put_text(out, f[i].value, f[i].value_length);
    }
    fputc('\n', out);
}

static void put_numbers(FILE *out, const double *x, size_t count) {
    for (size_t i = 0; x && i < count; i++)
        fprintf(out, " %a", x[i]);
    fputc('\n', out);
}

static void put_decision(FILE *out, const hcbr_decision *d) {
    fprintf(out, "row %llu: %d %d %d %a %llu %llu", (unsigned long long)d->row, d->label, d->winner,
            (int)d->reason, d->lead, (unsigned long long)d->feature_count,
            (unsigned long long)d->known_count);
    if (d->id)
        put_text(out, d->id, d->id_length);
    if (d->given)
        put_text(out, d->given, d->given_length);
    put_numbers(out, d->support, d->label_count);
    put_numbers(out, d->probability, d->label_count);
    put_features(out, d->unseen, d->unseen_count);
}

static void put_cases(FILE *out, const hcbr_explained_case *cases, size_t count, size_t labels) {
    for (size_t i = 0; i < count; i++) {
        const hcbr_explained_case *c = &cases[i];
        fprintf(out, "case %llu %llu %d %a", (unsigned long long)c->index,
                (unsigned long long)c->row, c->label, c->lead);
        put_text(out, c->id, c->id_length);
        put_numbers(out, c->influence, labels);
    }
}

static void put_explanation(FILE *out, const hcbr_explanation *e) {
    const size_t labels = e->decision->label_count;
    fprintf(out, "%d against %d by %a; %llu groups, cases %llu %llu %llu, columns %zu\n", e->label,
            e->against, e->lead, (unsigned long long)e->all_atoms, (unsigned long long)e->all_for,
            (unsigned long long)e->all_against, (unsigned long long)e->all_others, e->all_columns);
    put_numbers(out, e->bias, labels);
    put_numbers(out, e->influence_sum, labels);
    put_numbers(out, e->influence_absolute, labels);
    put_numbers(out, e->rest, labels);
    for (size_t i = 0; i < e->atom_count; i++) {
        const hcbr_explained_atom *g = &e->atoms[i];
        fprintf(out, "group %u %d %u %a %a %llu", g->atom, (int)g->kind, g->all_features, g->weight,
                g->lead, (unsigned long long)g->case_count);
        put_features(out, g->features, g->feature_count);
        put_numbers(out, g->contribution, labels);
        put_cases(out, g->cases, g->shown_cases, labels);
    }
    put_cases(out, e->cases_for, e->for_count, labels);
    put_cases(out, e->cases_against, e->against_count, labels);
    put_cases(out, e->others, e->other_count, labels);
    for (size_t i = 0; i < e->column_count; i++) {
        const hcbr_explained_column *c = &e->columns[i];
        put_text(out, c->name, c->name_length);
        fprintf(out, " %a", c->lead);
        put_numbers(out, c->contribution, labels);
    }
}

int row_record_take(void *context, const hcbr_explained_row *row) {
    row_record *r = context;
    hcbr_row_info info = {.size = sizeof info};
    hcbr_row_get(row->row, &info);
    assert_true(row->size == sizeof *row && row->explainer != NULL);
    assert_true(row->decision->row > r->last);
    r->last = row->decision->row;
    put_decision(r->out, row->decision);
    put_features(r->out, info.features, info.feature_count);
    put_decision(r->out, row->explanation->decision);
    put_explanation(r->out, row->explanation);
    hcbr_row_free(row->row);
    return ++r->rows == r->stop_at;
}

void row_record_expect(const row_record *found, const row_record *expected) {
    assert_int_equal(found->rows, expected->rows);
    assert_int_equal(found->size, expected->size);
    assert_memory_equal(found->text, expected->text, found->size);
}
