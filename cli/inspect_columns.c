/*
 * hcbr inspect: how a rich model treats its columns.
 */
#include "cell.h"
#include "inspect.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40, TITLE = 16, NAME = 28, KIND = 11, LONGEST = 1000 };

static hcbr_column column_of(const inspection *i, uint32_t key) {
    hcbr_column column = {.size = sizeof column};
    hcbr_model_get_column(i->model, key, &column);
    return column;
}

/* A cut; that of days is the last day before it. */
static void put_cut(out *o, const hcbr_model *model, const hcbr_column *c, double cut) {
    char test[LONGEST], number[HCBR_NUMBER_SIZE], room[HCBR_SHOWN_SIZE];
    const size_t length = hcbr_number_format(number, cut);
    const hcbr_feature f = {test, c->name_length + 2 + length, NULL, 0};
    if (f.key_length <= sizeof test) {
        memcpy(test, c->name, c->name_length);
        memcpy(test + c->name_length, "<=", 2);
        memcpy(test + c->name_length + 2, number, length);
        const hcbr_feature shown = hcbr_shown_feature(model, &f, room);
        const size_t day = shown.key_length - strlen("2019-03-14");
        if (shown.key == room && shown.key_length > strlen(" <= 2019-03-14") &&
            memcmp(room + day - 4, " <= ", 4) == 0) {
            out_bytes(o, room + day, shown.key_length - day);
            return;
        }
    }
    out_rounded(o, cut);
}

static void put_number_range(out *o, const hcbr_model *model, const hcbr_column *c) {
    out_string(o, c->cuts == 1 ? ", 1 cut at " : ", ");
    if (c->cuts > 1) {
        out_u64(o, c->cuts);
        out_string(o, " cuts from ");
    }
    put_cut(o, model, c, c->lowest);
    if (c->cuts > 1) {
        out_string(o, " to ");
        put_cut(o, model, c, c->highest);
    }
}

static void put_column(out *o, const hcbr_model *model, const hcbr_column *c) {
    out_string(o, "  ");
    put_text(o, c->name, c->name_length, NAME, false);
    const char *kind = hcbr_column_kind_name(c->kind);
    put_text(o, kind, strlen(kind), KIND, false);
    if (c->kind == HCBR_COLUMN_NUMBER || c->kind == HCBR_COLUMN_CATEGORY) {
        out_u64(o, c->values);
        out_string(o, c->values == 1 ? " value" : " values");
        if (c->kind == HCBR_COLUMN_NUMBER && c->cuts)
            put_number_range(o, model, c);
        if (c->sparse)
            out_string(o, c->kind == HCBR_COLUMN_NUMBER ? ", in few cases" : ", each by itself");
    }
    out_row(o);
}

/* Names (present or absent) are only counted: texts have many words. */
void inspect_columns_text(inspection *i) {
    out *o = i->out;
    uint64_t counts[4] = {0};
    if (i->info.model != HCBR_MODEL_RICH)
        return;
    for (uint32_t k = 0; k < i->info.keys; k++)
        counts[column_of(i, k).kind]++;
    char text[160];
    put_text(o, "columns", 7, TITLE, false);
    snprintf(text, sizeof text, "%llu numbers, %llu categories, %llu present or absent",
             (unsigned long long)counts[HCBR_COLUMN_NUMBER],
             (unsigned long long)counts[HCBR_COLUMN_CATEGORY],
             (unsigned long long)counts[HCBR_COLUMN_NAME]);
    out_string(o, text);
    out_row(o);
    uint64_t shown = 0, wanted = counts[HCBR_COLUMN_NUMBER] + counts[HCBR_COLUMN_CATEGORY];
    for (uint32_t k = 0; k < i->info.keys && shown < SHOWN; k++) {
        hcbr_column c = column_of(i, k);
        if (c.kind != HCBR_COLUMN_NUMBER && c.kind != HCBR_COLUMN_CATEGORY)
            continue;
        put_column(o, i->model, &c);
        shown++;
    }
    if (shown < wanted) {
        snprintf(text, sizeof text, "  ... and %llu more (--json shows all)",
                 (unsigned long long)(wanted - shown));
        out_string(o, text);
        out_row(o);
    }
}
