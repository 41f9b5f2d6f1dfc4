/*
 * The counts of cases of each label by value, as bytes (docs/FORMAT.md, section counts): for every
 * value a list of labels and counts, in as few bits as the largest of each needs.
 */
#include "rich/encode/kept_cases.h"
#include "rich/file/rich_file.h"

static uint32_t largest(const uint32_t *list, uint64_t count) {
    uint32_t most = 0;
    for (uint64_t n = 0; n < count; n++)
        most = list[n] > most ? list[n] : most;
    return most;
}

void hcbr_i_rich_counts_write(hcbr_i_out *out, const hcbr_i_rich *r) {
    const hcbr_i_rich_counts *c = &r->counts;
    uint64_t all = c->start[c->values];
    uint32_t longest = 0, most = largest(c->cases, all);
    uint32_t *length = hcbr_i_alloc(c->values, sizeof *length);
    out->failed |= !length;
    for (uint32_t v = 0; length && v < c->values; v++)
        length[v] = (uint32_t)(c->start[v + 1] - c->start[v]);
    if (length)
        longest = largest(length, c->values);
    hcbr_i_out_u32(out, longest);
    hcbr_i_out_u32(out, most);
    if (length) {
        hcbr_i_rich_bits_write(out, length, c->values, hcbr_i_rich_bits_of(longest));
        hcbr_i_rich_bits_write(out, c->label, all, hcbr_i_rich_bits_of(r->labels - 1));
        hcbr_i_rich_bits_write(out, c->cases, all, hcbr_i_rich_bits_of(most));
    }
    hcbr_i_free(length);
}

/* Whether every count is possible, and every feature has a case. A case has a value once. */
static hcbr_status check(const hcbr_i_rich *r, const hcbr_i_frame *frame, const hcbr_i_in *in,
                         hcbr_error *err) {
    const hcbr_i_rich_counts *c = &r->counts;
    uint64_t left = frame->occurrence_count;
    for (uint32_t v = 0; v < c->values; v++) {
        bool rises = true;
        uint64_t sum = 0;
        for (uint64_t n = c->start[v]; n < c->start[v + 1]; n++) {
            rises &= c->cases[n] > 0 && (n == c->start[v] || c->label[n - 1] < c->label[n]);
            sum += c->cases[n];
        }
        if (!rises || sum > frame->case_count || (v < r->encoder.feature_count && sum == 0))
            return hcbr_i_model_bad(err, in->section,
                                    "value %lu stands in %llu cases, expected 1 to %llu, by rising "
                                    "label",
                                    (unsigned long)v, (unsigned long long)sum,
                                    (unsigned long long)frame->case_count);
        if (sum > left)
            return hcbr_i_model_bad(err, in->section, "more than the %llu values of all cases",
                                    (unsigned long long)frame->occurrence_count);
        left -= sum;
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_counts_read(hcbr_i_rich *r, const hcbr_i_frame *frame, hcbr_i_in *in,
                                    hcbr_error *err) {
    hcbr_i_rich_counts *c = &r->counts;
    const unsigned char *at;
    uint32_t *length = NULL;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "counts", &at, err);
    if (st != HCBR_OK)
        return st;
    uint32_t longest = hcbr_i_u32_at(at), most = hcbr_i_u32_at(at + 4);
    if (longest > r->labels)
        return hcbr_i_model_bad(err, in->section, "%lu labels of a value, expected at most %lu",
                                (unsigned long)longest, (unsigned long)r->labels);
    c->values = hcbr_i_rich_value_count(&r->encoder);
    if (!(c->start = hcbr_i_alloc_zero((size_t)c->values + 2, sizeof *c->start)))
        return hcbr_i_no_memory(err);
    st = hcbr_i_rich_bits_read(in, &length, c->values, longest, "length", err);
    for (uint32_t v = 0; st == HCBR_OK && v < c->values; v++)
        c->start[v + 1] = c->start[v] + length[v];
    uint64_t all = c->start[c->values];
    if (st == HCBR_OK && largest(length, c->values) != longest)
        st = hcbr_i_model_bad(err, in->section, "no value has %lu labels, expected one",
                              (unsigned long)longest);
    hcbr_i_free(length);
    if (st == HCBR_OK)
        st = hcbr_i_rich_bits_read(in, &c->label, all, r->labels - 1, "label", err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_bits_read(in, &c->cases, all, most, "count", err);
    if (st == HCBR_OK && largest(c->cases, all) != most)
        st = hcbr_i_model_bad(err, in->section, "no count is %lu, expected one",
                              (unsigned long)most);
    if (st == HCBR_OK)
        st = check(r, frame, in, err);
    return st == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}
