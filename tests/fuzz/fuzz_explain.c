/*
 * Reasons for a row by a model, both of any bytes: the first 16 choose the row among the features
 * of the model, numbers and names it has never seen, the others are the model. What is said of the
 * row holds together, or the model is refused.
 */
#include "fuzz.h"

enum { ROW = 16, VALUES = 8 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    if (size <= ROW || most <= ROW)
        return LLVMFuzzerMutate(data, size, most);
    if (seed % 3 == 0) {
        for (unsigned n = 0; n < 1 + seed / 3 % 4; n++)
            data[hcbr_i_mix(seed + n) % ROW] = (uint8_t)hcbr_i_mix(seed ^ n);
        return size;
    }
    return ROW + fuzz_mutate_model(data + ROW, size - ROW, most - ROW, seed);
}

/* Features of the row that the bytes choose: of the model, or other values of its keys. */
static size_t choose_row(const hcbr_model *model, const hcbr_model_info *info, const uint8_t *data,
                         hcbr_feature *out) {
    static const char *const values[VALUES] = {"0",   "-1e9",       "2.5", "1e300",
                                               "nan", "never seen", "1.0", "12345678901234567890"};
    static const char *const others[VALUES] = {"12 kg", "1.234,5",   "14/03/2019", "-",
                                               "a|b;c", "two words", "20190314",   "$1.2M"};
    const size_t kinds = hcbr_model_kind_count(model), keys = info->keys + kinds;
    size_t count = 0;
    for (size_t i = 0; i < ROW; i++) {
        hcbr_column column = {.size = sizeof column};
        if (data[i] == 0 || (data[i] & 1 ? keys : info->features) == 0)
            continue;
        if (data[i] & 1 && data[i] / 2 % keys >= info->keys) {
            const char *value = others[(data[i] / 32 + i) % VALUES];
            hcbr_kind kind = {.size = sizeof kind};
            hcbr_model_get_kind(model, data[i] / 2 % keys - info->keys, &kind);
            out[count] = (hcbr_feature){kind.name, kind.name_length, value, strlen(value)};
        } else if (data[i] & 1) {
            const char *value = values[(data[i] / 32 + i) % VALUES];
            hcbr_model_get_column(model, (uint32_t)(data[i] / 2 % keys), &column);
            out[count] = (hcbr_feature){column.name, column.name_length, value, strlen(value)};
        } else {
            hcbr_model_get_feature(model, (uint32_t)(data[i] / 2 % info->features), &out[count]);
        }
        count++;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hcbr_model *model;
    hcbr_error err;
    hcbr_feature row[ROW];
    hcbr_model_info info = {.size = sizeof info};
    if (size < ROW)
        return 0;
    hcbr_status st = hcbr_model_parse(&model, data + ROW, size - ROW, &err);
    if (st != HCBR_OK) {
        fuzz_check_error(st, &err);
        return 0;
    }
    hcbr_model_get_info(model, &info);
    size_t count = choose_row(model, &info, data, row);
    fuzz_explain_row(model, &info, row, count, data[0] % 4 == 0);
    hcbr_model_free(model);
    return 0;
}
