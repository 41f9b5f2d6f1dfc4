/*
 * Lists by label as bytes (docs/FORMAT.md, section rich): the start of each, the labels, then the
 * values. Labels of a list ascend, so there are no duplicates.
 */
#include "rich/encode/kept_cases.h"
#include "rich/file/rich_file.h"

hcbr_status hcbr_i_rich_lists_check_starts(const hcbr_i_in *in, const uint64_t *start, size_t count,
                                           const char *what, hcbr_error *err) {
    for (size_t i = 0; i <= count; i++)
        if (i ? start[i] < start[i - 1] : start[0] != 0)
            return hcbr_i_model_bad(err, in->section, "list %zu of %s begins at %llu, expected %s",
                                    i, what, (unsigned long long)start[i],
                                    i ? "no less than the one before" : "0");
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_lists_check(const hcbr_i_in *in, const uint64_t *start, size_t count,
                                    const uint32_t *label, uint32_t labels, const char *what,
                                    hcbr_error *err) {
    for (size_t i = 0; i < count; i++)
        for (uint64_t k = start[i]; k < start[i + 1]; k++)
            if (label[k] >= labels || (k > start[i] && label[k] <= label[k - 1]))
                return hcbr_i_model_bad(err, in->section,
                                        "list %zu of %s has label %lu, expected labels below %lu "
                                        "that rise",
                                        i, what, (unsigned long)label[k], (unsigned long)labels);
    return HCBR_OK;
}

void hcbr_i_rich_lists_write(hcbr_i_out *out, const hcbr_i_rich_lists *lists, size_t count) {
    size_t all = (size_t)lists->start[count];
    hcbr_i_out_u64s(out, lists->start, count + 1);
    hcbr_i_out_u32s(out, lists->label, all);
    hcbr_i_out_f64s(out, lists->value, all);
}

hcbr_status hcbr_i_rich_lists_read(hcbr_i_in *in, hcbr_i_rich_lists *lists, size_t count,
                                   uint32_t labels, const char *what, hcbr_error *err) {
    hcbr_status st = hcbr_i_in_u64s(in, (uint64_t)count + 1, what, &lists->start, err);
    if (st != HCBR_OK ||
        (st = hcbr_i_rich_lists_check_starts(in, lists->start, count, what, err)) != HCBR_OK ||
        (st = hcbr_i_in_u32s(in, lists->start[count], what, &lists->label, err)) != HCBR_OK ||
        (st = hcbr_i_rich_lists_check(in, lists->start, count, lists->label, labels, what, err)) !=
            HCBR_OK)
        return st;
    return hcbr_i_in_f64s(in, lists->start[count], what, &lists->value, err);
}

/* ---- numbers of few bits --------------------------------------------------------------------- */

void hcbr_i_rich_bits_write(hcbr_i_out *out, const uint32_t *values, uint64_t count,
                            unsigned bits) {
    size_t size = (size_t)((count * bits + 7) / 8);
    unsigned char *at = size ? hcbr_i_out_take(out, size, 1) : NULL;
    if (at)
        memset(at, 0, size);
    for (uint64_t i = 0; at && i < count; i++)
        hcbr_i_rich_put_bits(at, i * bits, bits, values[i]);
}

/* Read packed values as an array; none may be above `most`, and unused bits must be 0. */
hcbr_status hcbr_i_rich_bits_read(hcbr_i_in *in, uint32_t **out, uint64_t count, uint32_t most,
                                  const char *what, hcbr_error *err) {
    unsigned bits = hcbr_i_rich_bits_of(most);
    const unsigned char *at;
    uint64_t size = (count * bits + 7) / 8;
    hcbr_status st = hcbr_i_in_take(in, size, 1, what, &at, err);
    if (st != HCBR_OK)
        return st;
    *out = count > SIZE_MAX / 8 ? NULL : hcbr_i_alloc((size_t)count, sizeof **out);
    if (!*out)
        return hcbr_i_no_memory(err);
    uint64_t word = 0, byte = 0;
    unsigned have = 0;
    for (uint64_t i = 0; i < count; i++) {
        for (; have < bits; have += 8)
            word |= (uint64_t)at[byte++] << have;
        (*out)[i] = (uint32_t)(word & (((uint64_t)1 << bits) - 1));
        word >>= bits;
        have -= bits;
        if ((*out)[i] > most)
            return hcbr_i_model_bad(err, in->section, "%s %llu is %lu, expected at most %lu", what,
                                    (unsigned long long)i, (unsigned long)(*out)[i],
                                    (unsigned long)most);
    }
    if (word)
        return hcbr_i_model_bad(err, in->section, "bits behind the %s are not 0", what);
    return HCBR_OK;
}
