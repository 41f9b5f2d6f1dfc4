/*
 * The bins of single tests: the codes of a column, or at most `cuts` + 1 ranges of them.
 */
#include "rich/linear/linear_fit.h"

/* Choose at most `cuts` of a column's cuts so that the parts have about equal weight. Returns the
 * number of entries besides "absent". */
static uint32_t coarsen(const hcbr_i_rich_table *t, uint32_t column, uint32_t cuts,
                        uint8_t coarse[HCBR_I_RICH_CODES]) {
    uint32_t codes = t->column[column].codes;
    for (uint32_t v = 0; v < HCBR_I_RICH_CODES; v++)
        coarse[v] = (uint8_t)(v <= codes ? v : 0);
    if (!t->column[column].ordered || codes <= cuts + 1)
        return codes;
    double weight[HCBR_I_RICH_CODES] = {0}, total = 0, sum = 0;
    const uint8_t *code = t->codes + (size_t)column * t->rows;
    for (uint32_t i = 0; i < t->rows; i++)
        if (code[i]) {
            weight[code[i]] += t->weight[i];
            total += t->weight[i];
        }
    uint32_t entry = 1, taken = 0;
    for (uint32_t v = 1; v <= codes; v++) {
        coarse[v] = (uint8_t)entry;
        sum += weight[v];
        if (v < codes && taken < cuts && sum * (cuts + 1) >= total * (taken + 1)) {
            entry++;
            while (taken < cuts && sum * (cuts + 1) >= total * (taken + 1))
                taken++;
        }
    }
    return entry;
}

bool hcbr_i_rich_entries_init(hcbr_i_rich_linear *a, const hcbr_i_rich_table *t, uint32_t cuts) {
    a->place = hcbr_i_alloc((size_t)t->columns + 1, sizeof *a->place);
    a->coarse = hcbr_i_alloc(t->columns, HCBR_I_RICH_CODES);
    if (!a->place || !a->coarse)
        return false;
    a->place[0] = 0;
    cuts = cuts < HCBR_I_RICH_MOST_CUTS ? cuts : HCBR_I_RICH_MOST_CUTS;
    for (uint32_t c = 0; c < t->columns; c++)
        a->place[c + 1] =
            a->place[c] + 1 + coarsen(t, c, cuts, a->coarse + (size_t)c * HCBR_I_RICH_CODES);
    return true;
}

double hcbr_i_rich_entries_fill(const hcbr_i_rich_linear *linear, const hcbr_i_rich_table *table,
                                uint8_t *entry, double *self) {
    double weight = 0;
    for (uint32_t i = 0; i < table->rows; i++) {
        uint8_t *to = entry + (size_t)i * table->columns;
        self[i] = (double)(table->bag_start[i + 1] - table->bag_start[i]);
        for (uint32_t c = 0; c < table->columns; c++) {
            uint8_t code = table->codes[(size_t)c * table->rows + i];
            to[c] = linear->coarse[(size_t)c * HCBR_I_RICH_CODES + code];
            self[i] += to[c] != 0;
        }
        weight += self[i] * table->weight[i];
    }
    // If most cases pass no test, the others still have length 1 at most per test.
    double scale = weight > 0 ? fmin(table->total_weight / weight, 1) : 1;
    for (uint32_t i = 0; i < table->rows; i++)
        self[i] *= scale;
    return scale;
}
