/*
 * A study as JSON (docs/JSON.md, hcbr.study/1): each table is a list of rows, each row an object
 * with the columns as keys. What does not exist is null.
 */
#include "study.h"

static void put_table(hcbr_writer *w, const study_table *t) {
    hcbr_json_key(w, t->name), hcbr_json_open(w, '[');
    for (size_t r = 0; r < t->row_count; r++) {
        hcbr_json_open(w, '{');
        if (t->rows[r])
            hcbr_json_key(w, "name"), hcbr_json_string(w, t->rows[r]);
        for (size_t c = 0; c < t->column_count; c++) {
            hcbr_json_key(w, t->columns[c]);
            hcbr_json_number(w, t->values[r * t->column_count + c]);
        }
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

hcbr_status study_json(hcbr_writer *w, const study *s, uint64_t skipped_rows, hcbr_error *err) {
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.study/1");
    hcbr_json_key(w, "kind"), hcbr_json_string(w, s->kind->name);
    hcbr_json_key(w, "model"), hcbr_json_string(w, hcbr_model_kind_name(s->train.model));
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, s->case_count);
    hcbr_json_key(w, "skipped_rows"), hcbr_json_u64(w, skipped_rows);
    hcbr_json_key(w, "features"), hcbr_json_u64(w, s->features);
    hcbr_json_key(w, "labels"), hcbr_json_u64(w, s->labels);
    hcbr_json_key(w, "folds"), hcbr_json_u64(w, s->folds);
    hcbr_json_key(w, "repeats"), hcbr_json_u64(w, s->repeats);
    hcbr_json_key(w, "seed"), hcbr_json_u64(w, s->seed);
    hcbr_json_key(w, "says"), hcbr_json_string(w, s->says);
    hcbr_json_key(w, "about"), hcbr_json_open(w, '{');
    for (size_t i = 0; i < s->table_count; i++)
        hcbr_json_key(w, s->tables[i].name), hcbr_json_string(w, s->tables[i].says);
    hcbr_json_close(w, '}');
    hcbr_json_key(w, "tables"), hcbr_json_open(w, '{');
    for (size_t i = 0; i < s->table_count; i++)
        put_table(w, &s->tables[i]);
    hcbr_json_close(w, '}');
    return hcbr_write_end(w, HCBR_JSON, err);
}
