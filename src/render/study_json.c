/*
 * A study as JSON (docs/JSON.md, hcbr.study/1): each table is a list of rows, each row an object
 * with the columns as keys. What does not exist is null.
 */
#include "render/render.h"

static void put_table(hcbr_writer *w, const hcbr_study_table *t) {
    hcbr_json_key(w, t->name), hcbr_json_open(w, '[');
    for (size_t r = 0; r < t->row_count; r++) {
        hcbr_json_open(w, '{');
        if (t->rows)
            hcbr_json_key(w, "name"), hcbr_json_string(w, t->rows[r]);
        for (size_t c = 0; c < t->column_count; c++) {
            hcbr_json_key(w, t->columns[c]);
            hcbr_json_number(w, t->values[r * t->column_count + c]);
        }
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

hcbr_status hcbr_json_study(hcbr_writer *w, const hcbr_study *study, uint64_t skipped_rows,
                            hcbr_error *err) {
    if (HCBR_I_NULL(err, w, study))
        return HCBR_EUSAGE;
    hcbr_study_info info = {.size = sizeof info};
    hcbr_study_get_info(study, &info);
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.study/1");
    hcbr_json_key(w, "kind"), hcbr_json_string(w, hcbr_study_kind_name(info.kind));
    hcbr_json_key(w, "model"), hcbr_json_string(w, hcbr_model_kind_name(info.model));
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, info.cases);
    hcbr_json_key(w, "skipped_rows"), hcbr_json_u64(w, skipped_rows);
    hcbr_json_key(w, "features"), hcbr_json_u64(w, info.features);
    hcbr_json_key(w, "labels"), hcbr_json_u64(w, info.labels);
    hcbr_json_key(w, "folds"), hcbr_json_u64(w, info.folds);
    hcbr_json_key(w, "repeats"), hcbr_json_u64(w, info.repeats);
    hcbr_json_key(w, "seed"), hcbr_json_u64(w, info.seed);
    hcbr_json_key(w, "says"), hcbr_json_string(w, info.says);
    hcbr_json_key(w, "about"), hcbr_json_open(w, '{');
    for (size_t i = 0; i < hcbr_study_table_count(study); i++) {
        hcbr_study_table table = {.size = sizeof table};
        hcbr_study_get_table(study, i, &table);
        hcbr_json_key(w, table.name), hcbr_json_string(w, table.says);
    }
    hcbr_json_close(w, '}');
    hcbr_json_key(w, "tables"), hcbr_json_open(w, '{');
    for (size_t i = 0; i < hcbr_study_table_count(study); i++) {
        hcbr_study_table table = {.size = sizeof table};
        hcbr_study_get_table(study, i, &table);
        put_table(w, &table);
    }
    hcbr_json_close(w, '}');
    return hcbr_json_end(w, err);
}
