/*
 * The columns of the first csv or tsv file of a list, including those without a value.
 */
#include "cases/append.h"

#include <assert.h>

hcbr_status hcbr_i_cases_keep_columns(hcbr_cases *cases, const hcbr_i_reader *reader,
                                      hcbr_error *err) {
    uint64_t serial;
    size_t count;
    const hcbr_i_text *columns = hcbr_i_reader_columns(reader, &count, &serial);
    if (cases->columns || count == 0)
        return HCBR_OK;
    cases->columns = hcbr_i_alloc(count, sizeof *cases->columns);
    if (!cases->columns)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        char *name = hcbr_i_arena_take(&cases->column_text, columns[i].length);
        if (!name)
            return hcbr_i_no_memory(err);
        memcpy(name, columns[i].at, columns[i].length);
        cases->columns[cases->column_count++] = (hcbr_i_text){name, columns[i].length};
    }
    return HCBR_OK;
}

void hcbr_cases_get_column(const hcbr_cases *cases, size_t index, hcbr_feature *out) {
    assert(index < cases->column_count);
    const hcbr_i_text *name = &cases->columns[index];
    *out = (hcbr_feature){name->at, name->length, NULL, 0};
}
