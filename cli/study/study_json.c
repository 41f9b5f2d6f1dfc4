/*
 * A study as JSON (docs/JSON.md, hcbr.study/1): each table is a list of rows, each row an object
 * with the columns as keys. A missing figure is null.
 */
#include "study.h"

static void put_table(hcbr_writer *w, const study_table *t) {
    HCBR_PUT(w, hcbr_item_open(t->name, '['));
    for (size_t r = 0; r < t->row_count; r++) {
        HCBR_PUT(w, hcbr_item_open(NULL, '{'));
        if (t->rows[r])
            HCBR_PUT(w, hcbr_item_string("name", t->rows[r]));
        for (size_t c = 0; c < t->column_count; c++)
            HCBR_PUT(w, hcbr_item_number(t->columns[c], t->values[r * t->column_count + c]));
        HCBR_PUT(w, hcbr_item_close('}'));
    }
    HCBR_PUT(w, hcbr_item_close(']'));
}

hcbr_status study_json(hcbr_writer *w, const study *s, uint64_t skipped_rows, hcbr_error *err) {
    HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_string("schema", "hcbr.study/1"),
             hcbr_item_string("kind", s->kind->name),
             hcbr_item_string("model", hcbr_model_kind_name(s->train.model)),
             hcbr_item_u64("cases", s->case_count), hcbr_item_u64("skipped_rows", skipped_rows),
             hcbr_item_u64("features", s->features), hcbr_item_u64("labels", s->labels),
             hcbr_item_u64("folds", s->folds), hcbr_item_u64("repeats", s->repeats),
             hcbr_item_u64("seed", s->seed), hcbr_item_string("says", s->says),
             hcbr_item_open("about", '{'));
    for (size_t i = 0; i < s->table_count; i++)
        HCBR_PUT(w, hcbr_item_string(s->tables[i].name, s->tables[i].says));
    HCBR_PUT(w, hcbr_item_close('}'), hcbr_item_open("tables", '{'));
    for (size_t i = 0; i < s->table_count; i++)
        put_table(w, &s->tables[i]);
    HCBR_PUT(w, hcbr_item_close('}'));
    return hcbr_write_end(w, HCBR_JSON, err);
}
