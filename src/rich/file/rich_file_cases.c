/*
 * The kept cases as bytes (docs/FORMAT.md, section cases of a rich model): numbers with the bits
 * that the largest needs, one after the other, each list up to a whole byte.
 *
 * The result of reading can be used without further checks: every code, member, key and feature
 * exists. That the cases of a row agree is checked when the table is made again (table_rebuild.c).
 */
#include "rich/encode/kept_cases.h"
#include "rich/file/rich_file.h"

#include <assert.h>
#include <math.h>

/* ---- lists of bits --------------------------------------------------------------------------- */

/* Room for a list; NULL: memory is short, or the list is empty. */
static unsigned char *take_list(hcbr_i_out *out, uint64_t count, unsigned bits) {
    size_t size = (size_t)((count * bits + 7) / 8);
    unsigned char *at = size ? hcbr_i_out_take(out, size, 1) : NULL;
    if (at)
        memset(at, 0, size);
    return at;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_packed(hcbr_i_out *out, const hcbr_i_rich_packed *p, const unsigned char *bytes,
                         uint64_t count) {
    const unsigned char head[4] = {p->bits, p->power, 0, 0};
    hcbr_i_out_bytes(out, head, sizeof head);
    hcbr_i_out_u64(out, (uint64_t)p->base);
    hcbr_i_out_bytes(out, bytes, (size_t)hcbr_i_rich_packed_size(p, count));
}

static void write_rows(hcbr_i_out *out, const hcbr_i_rich *r) {
    const hcbr_i_rich_past *p = r->past;
    const hcbr_i_rich_encoder *e = &r->encoder;
    uint32_t longest = 0;
    for (uint32_t c = 0, category = 0; c < e->column_count; c++) {
        unsigned bits = hcbr_i_rich_bits_of(e->columns[c].codes);
        unsigned char *at = e->columns[c].ordered ? NULL : take_list(out, p->rows, bits);
        for (uint32_t i = 0; at && i < p->rows; i++)
            hcbr_i_rich_put_bits(at, (uint64_t)i * bits, bits,
                                 p->codes[(size_t)i * p->categories + category]);
        category += !e->columns[c].ordered;
    }
    for (uint32_t i = 0; i < p->rows; i++)
        longest = p->bag_start[i + 1] - p->bag_start[i] > longest
                      ? (uint32_t)(p->bag_start[i + 1] - p->bag_start[i])
                      : longest;
    hcbr_i_out_u32(out, longest);
    unsigned bits = hcbr_i_rich_bits_of(longest);
    unsigned char *at = take_list(out, p->rows, bits);
    for (uint32_t i = 0; at && i < p->rows; i++)
        hcbr_i_rich_put_bits(at, (uint64_t)i * bits, bits, p->bag_start[i + 1] - p->bag_start[i]);
    if (longest)
        hcbr_i_rich_bits_write(out, p->bag, p->bag_start[p->rows],
                               hcbr_i_rich_bits_of(e->bag_count - 1));
}

/* Sparse numbers: their count by case, their keys, and the numbers of each key. */
static void write_sparse(hcbr_i_out *out, const hcbr_i_rich *r) {
    const hcbr_i_rich_past *p = r->past;
    uint32_t longest = 0;
    size_t used = 0, capacity = 0;
    unsigned char *bytes = NULL;
    for (uint32_t i = 0; p->sparse_start && i < p->count; i++)
        longest = p->sparse_start[i + 1] - p->sparse_start[i] > longest
                      ? (uint32_t)(p->sparse_start[i + 1] - p->sparse_start[i])
                      : longest;
    hcbr_i_out_u32(out, longest);
    if (!longest)
        return;
    unsigned bits = hcbr_i_rich_bits_of(longest);
    unsigned char *at = take_list(out, p->count, bits);
    for (uint32_t i = 0; at && i < p->count; i++)
        hcbr_i_rich_put_bits(at, (uint64_t)i * bits, bits,
                             p->sparse_start[i + 1] - p->sparse_start[i]);
    hcbr_i_rich_bits_write(out, p->sparse_key, p->sparse_count,
                           hcbr_i_rich_bits_of(r->encoder.key_count - 1));
    size_t *start = hcbr_i_alloc_zero((size_t)r->encoder.key_count + 2, sizeof *start);
    double *values = hcbr_i_alloc(p->sparse_count, sizeof *values);
    out->failed |= !start || !values;
    for (size_t n = 0; !out->failed && n < p->sparse_count; n++)
        start[p->sparse_key[n] + 2]++;
    for (uint32_t k = 0; !out->failed && k < r->encoder.key_count; k++)
        start[k + 2] += start[k + 1];
    for (size_t n = 0; !out->failed && n < p->sparse_count; n++)
        values[start[p->sparse_key[n] + 1]++] = p->sparse_value[n];
    for (uint32_t k = 0; !out->failed && k < r->encoder.key_count; k++) {
        hcbr_i_rich_packed packed;
        size_t count = start[k + 1] - start[k];
        used = 0;
        if (r->encoder.keys[k].kind != HCBR_I_RICH_SPARSE)
            continue;
        if (hcbr_i_rich_pack(&packed, values + start[k], count, &bytes, &used, &capacity))
            write_packed(out, &packed, bytes, count);
        else
            out->failed = true;
    }
    hcbr_i_free(bytes);
    hcbr_i_free(start);
    hcbr_i_free(values);
}

void hcbr_i_rich_past_write(hcbr_i_out *out, const hcbr_i_rich *r) {
    const hcbr_i_rich_past *p = r->past;
    unsigned bits = hcbr_i_rich_bits_of(p->rows);
    hcbr_i_out_u32(out, (uint32_t)p->word_count);
    hcbr_i_out_u32(out, (uint32_t)p->text_count);
    unsigned char *at = take_list(out, p->count, bits);
    for (uint32_t i = 0; at && i < p->count; i++)
        hcbr_i_rich_put_bits(at, (uint64_t)i * bits, bits,
                             p->row_of[i] == HCBR_I_NONE ? p->rows : p->row_of[i]);
    uint32_t groups = 0;
    for (uint32_t i = 0; p->group && i < p->rows; i++)
        groups = p->group[i] >= groups ? p->group[i] + 1 : groups;
    hcbr_i_out_u32(out, groups);
    if (groups)
        hcbr_i_rich_bits_write(out, p->group, p->rows, hcbr_i_rich_bits_of(groups - 1));
    write_rows(out, r);
    for (size_t c = 0; c < p->column_count; c++)
        write_packed(out, &p->columns[c], p->bytes + p->columns[c].at, p->count);
    write_sparse(out, r);
    for (size_t w = 0; w < p->word_count; w++) {
        hcbr_i_out_u32(out, p->words[w].place);
        hcbr_i_out_u32(out, p->words[w].feature);
    }
    for (size_t t = 0; t < p->text_count; t++) {
        hcbr_i_out_u32(out, p->texts[t].key);
        hcbr_i_out_u32(out, p->texts[t].place);
        hcbr_i_out_u32(out, p->texts[t].length);
    }
    hcbr_i_out_bytes(out, p->text, p->text_bytes);
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_packed(hcbr_i_rich_packed *p, uint64_t count, hcbr_i_in *in,
                               const unsigned char **bytes, hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 12, 1, "numbers", &at, err);
    if (st != HCBR_OK)
        return st;
    *p =
        (hcbr_i_rich_packed){.bits = at[0], .power = at[1], .base = (int64_t)hcbr_i_u64_at(at + 4)};
    bool doubles = p->bits == HCBR_I_RICH_DOUBLES;
    const int64_t most = (int64_t)1 << 51;
    if (at[2] || at[3] || (!doubles && p->bits > HCBR_I_RICH_MOST_BITS) ||
        p->power > (doubles ? 0 : HCBR_I_RICH_MOST_POWER) || p->base < -most || p->base > most ||
        (doubles && p->base))
        return hcbr_i_model_bad(err, in->section,
                                "numbers of %d bits and the power %d, which do not fit", at[0],
                                at[1]);
    return hcbr_i_in_take(in, hcbr_i_rich_packed_size(p, count), 1, "numbers", bytes, err);
}

/* Whether every number is valid, and packed in the one possible way. NAN: no number, where that is
 * allowed. */
static hcbr_status check_packed(const hcbr_i_rich_packed *p, const unsigned char *bytes,
                                uint64_t count, bool all, const hcbr_i_in *in, hcbr_error *err) {
    const bool any = !all && p->bits != HCBR_I_RICH_DOUBLES; // bits of a whole number, or of none
    for (uint64_t i = 0; !any && i < count; i++) {
        double value = hcbr_i_rich_unpack(p, bytes, (size_t)i);
        uint64_t stored = hcbr_i_rich_get_bits(bytes, i * p->bits, p->bits);
        bool is_none =
            isnan(value) && (p->bits != HCBR_I_RICH_DOUBLES || stored == hcbr_i_bits_of(NAN));
        if ((all && isnan(value)) || (!isfinite(value) && !is_none) ||
            (value == 0 && signbit(value)))
            return hcbr_i_model_bad(err, in->section, "number %llu of a column is none",
                                    (unsigned long long)i);
    }
    if (!hcbr_i_rich_is_packed(p, bytes, (size_t)count))
        return hcbr_i_model_bad(err, in->section,
                                "numbers of %d bits and the power %d, expected the fewest", p->bits,
                                p->power);
    return HCBR_OK;
}

/* Numbers of dense columns; they are copied, with padding. */
static hcbr_status read_dense(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_past *p = r->past;
    hcbr_status st = HCBR_OK;
    for (uint32_t c = 0; st == HCBR_OK && c < r->encoder.column_count; c++) {
        hcbr_i_rich_packed packed = {0};
        const unsigned char *bytes = NULL;
        if (!r->encoder.columns[c].ordered)
            continue;
        if ((st = read_packed(&packed, p->count, in, &bytes, err)) != HCBR_OK)
            return st;
        size_t size = (size_t)hcbr_i_rich_packed_size(&packed, p->count);
        packed.at = p->byte_count;
        if (!hcbr_i_grow(&p->bytes, &p->byte_capacity, p->byte_count + size + 8, 1) ||
            !hcbr_i_grow(&p->columns, &p->column_capacity, p->column_count + 1, sizeof *p->columns))
            return hcbr_i_no_memory(err);
        if (size && bytes)
            memcpy(p->bytes + p->byte_count, bytes, size);
        memset(p->bytes + p->byte_count + size, 0, 8);
        st = check_packed(&packed, p->bytes + packed.at, p->count, false, in, err);
        p->byte_count += size;
        p->columns[p->column_count++] = packed;
    }
    return st;
}

static hcbr_status read_categories(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_past *p = r->past;
    const hcbr_i_rich_encoder *e = &r->encoder;
    hcbr_status st = HCBR_OK;
    for (uint32_t c = 0; c < e->column_count; c++)
        p->categories += !e->columns[c].ordered;
    if (!(p->codes = hcbr_i_alloc(p->rows, p->categories)))
        return hcbr_i_no_memory(err);
    for (uint32_t c = 0, category = 0; st == HCBR_OK && c < e->column_count; c++) {
        uint32_t *codes = NULL;
        if (e->columns[c].ordered)
            continue;
        st = hcbr_i_rich_bits_read(in, &codes, p->rows, e->columns[c].codes, "code", err);
        for (size_t i = 0; st == HCBR_OK && i < p->rows; i++)
            p->codes[i * p->categories + category] = (uint8_t)codes[i];
        category++;
        hcbr_i_free(codes);
    }
    return st;
}

static hcbr_status read_bags(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_past *p = r->past;
    const unsigned char *at;
    uint32_t *lengths = NULL;
    hcbr_status st = hcbr_i_in_take(in, 1, 4, "members", &at, err);
    uint32_t longest = st == HCBR_OK ? hcbr_i_u32_at(at) : 0, met = 0;
    p->bag_start = hcbr_i_alloc((size_t)p->rows + 1, sizeof *p->bag_start);
    if (st == HCBR_OK && !p->bag_start)
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && longest > r->encoder.bag_count)
        st = hcbr_i_model_bad(err, in->section, "%lu members of a case, expected at most %lu",
                              (unsigned long)longest, (unsigned long)r->encoder.bag_count);
    if (st == HCBR_OK)
        st = hcbr_i_rich_bits_read(in, &lengths, p->rows, longest, "length", err);
    if (st == HCBR_OK) {
        p->bag_start[0] = 0;
        for (uint32_t i = 0; i < p->rows; i++) {
            p->bag_start[i + 1] = p->bag_start[i] + lengths[i];
            met = lengths[i] > met ? lengths[i] : met;
        }
        if (met != longest)
            st = hcbr_i_model_bad(err, in->section,
                                  "%lu members of a case at the most, expected "
                                  "%lu",
                                  (unsigned long)met, (unsigned long)longest);
    }
    if (st == HCBR_OK)
        st = hcbr_i_rich_bits_read(in, &p->bag, p->bag_start[p->rows],
                                   r->encoder.bag_count ? r->encoder.bag_count - 1 : 0, "member",
                                   err);
    for (uint32_t i = 0; st == HCBR_OK && i < p->rows; i++)
        for (uint64_t b = p->bag_start[i]; st == HCBR_OK && b < p->bag_start[i + 1]; b++) {
            hcbr_i_key_id key = hcbr_i_rich_key_of_member(&r->encoder, p->bag[b]);
            if (r->encoder.keys[key].kind != HCBR_I_RICH_BAG ||
                (b > p->bag_start[i] && p->bag[b - 1] >= p->bag[b]))
                st = hcbr_i_model_bad(err, in->section,
                                      "member %lu of row %lu is no feature, or not behind the one "
                                      "before it",
                                      (unsigned long)p->bag[b], (unsigned long)i);
        }
    hcbr_i_free(lengths);
    return st;
}

/* The numbers of sparse keys, once the cases that have them are known. */
static hcbr_status read_sparse_values(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_past *p = r->past;
    const hcbr_i_rich_encoder *e = &r->encoder;
    size_t *start = hcbr_i_alloc_zero((size_t)e->key_count + 2, sizeof *start);
    size_t *items = hcbr_i_alloc(p->sparse_count, sizeof *items);
    unsigned char *room = NULL;
    size_t capacity = 0;
    hcbr_status st = start && items ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t n = 0; st == HCBR_OK && n < p->sparse_count; n++)
        start[p->sparse_key[n] + 2]++;
    for (uint32_t k = 0; st == HCBR_OK && k < e->key_count; k++)
        start[k + 2] += start[k + 1];
    for (size_t n = 0; st == HCBR_OK && n < p->sparse_count; n++)
        items[start[p->sparse_key[n] + 1]++] = n;
    for (uint32_t k = 0; st == HCBR_OK && k < e->key_count; k++) {
        hcbr_i_rich_packed packed = {0};
        const unsigned char *bytes = NULL;
        size_t count = start[k + 1] - start[k];
        if (e->keys[k].kind != HCBR_I_RICH_SPARSE)
            continue;
        if ((st = read_packed(&packed, count, in, &bytes, err)) != HCBR_OK)
            break;
        size_t size = (size_t)hcbr_i_rich_packed_size(&packed, count);
        if (!hcbr_i_grow(&room, &capacity, size + 8, 1)) {
            st = hcbr_i_no_memory(err);
            break;
        }
        assert(room);
        memset(room + size, 0, 8);
        if (size && bytes)
            memcpy(room, bytes, size);
        st = check_packed(&packed, room, count, true, in, err);
        for (size_t n = 0; st == HCBR_OK && n < count; n++)
            p->sparse_value[items[start[k] + n]] = hcbr_i_rich_unpack(&packed, room, n);
    }
    hcbr_i_free(room);
    hcbr_i_free(start);
    hcbr_i_free(items);
    return st;
}

static hcbr_status read_sparse(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_past *p = r->past;
    const unsigned char *at;
    uint32_t *lengths = NULL;
    hcbr_status st = hcbr_i_in_take(in, 1, 4, "sparse numbers", &at, err);
    uint32_t longest = st == HCBR_OK ? hcbr_i_u32_at(at) : 0, met = 0;
    if (st != HCBR_OK || longest == 0)
        return st;
    if (!(p->sparse_start = hcbr_i_alloc((size_t)p->count + 1, sizeof *p->sparse_start)))
        return hcbr_i_no_memory(err);
    if (longest > r->encoder.key_count)
        return hcbr_i_model_bad(err, in->section, "%lu numbers of a case, expected at most %lu",
                                (unsigned long)longest, (unsigned long)r->encoder.key_count);
    st = hcbr_i_rich_bits_read(in, &lengths, p->count, longest, "length", err);
    p->sparse_start[0] = 0;
    for (uint32_t i = 0; st == HCBR_OK && i < p->count; i++) {
        p->sparse_start[i + 1] = p->sparse_start[i] + lengths[i];
        met = lengths[i] > met ? lengths[i] : met;
    }
    hcbr_i_free(lengths);
    if (st == HCBR_OK && met != longest)
        st = hcbr_i_model_bad(err, in->section, "%lu numbers of a case at the most, expected %lu",
                              (unsigned long)met, (unsigned long)longest);
    p->sparse_count = st == HCBR_OK ? (size_t)p->sparse_start[p->count] : 0;
    if (st == HCBR_OK)
        st = hcbr_i_rich_bits_read(in, &p->sparse_key, p->sparse_count, r->encoder.key_count - 1,
                                   "key", err);
    for (uint32_t i = 0; st == HCBR_OK && i < p->count; i++)
        for (uint64_t n = p->sparse_start[i]; st == HCBR_OK && n < p->sparse_start[i + 1]; n++)
            if (r->encoder.keys[p->sparse_key[n]].kind != HCBR_I_RICH_SPARSE ||
                (n > p->sparse_start[i] && p->sparse_key[n - 1] >= p->sparse_key[n]))
                st = hcbr_i_model_bad(err, in->section,
                                      "key %lu of case %lu is no sparse number, or not behind the "
                                      "one before it",
                                      (unsigned long)p->sparse_key[n], (unsigned long)i);
    if (st == HCBR_OK &&
        !(p->sparse_value = hcbr_i_alloc(p->sparse_count, sizeof *p->sparse_value)))
        st = hcbr_i_no_memory(err);
    return st == HCBR_OK ? read_sparse_values(r, in, err) : st;
}

static hcbr_status read_words(hcbr_i_rich *r, uint32_t count, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_past *p = r->past;
    const hcbr_i_rich_encoder *e = &r->encoder;
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, count, 8, "words", &at, err);
    if (st == HCBR_OK && !(p->words = hcbr_i_alloc(count, sizeof *p->words)))
        st = hcbr_i_no_memory(err);
    for (uint32_t w = 0; st == HCBR_OK && w < count; w++, at += 8) {
        hcbr_i_rich_word x = {hcbr_i_u32_at(at), hcbr_i_u32_at(at + 4)};
        const hcbr_i_rich_word *before = w ? &p->words[w - 1] : NULL;
        if (x.place >= p->count || x.feature >= e->feature_count ||
            !hcbr_i_rich_is_number(&e->keys[hcbr_i_dict_get(e->dict, x.feature).key]) ||
            (before && (before->place > x.place ||
                        (before->place == x.place && before->feature >= x.feature))))
            st = hcbr_i_model_bad(err, in->section, "word %lu of case %lu does not fit",
                                  (unsigned long)w, (unsigned long)x.place);
        p->words[w] = x;
        p->word_count = w + 1;
    }
    return st;
}

/* The number of a key in a case; NAN: none. dense: index of the key among the packed columns. */
static double number_of(const hcbr_i_rich *r, uint32_t key, uint32_t place, size_t dense) {
    const hcbr_i_rich_past *p = r->past;
    if (r->encoder.keys[key].kind == HCBR_I_RICH_NUMBER)
        return hcbr_i_rich_unpack(&p->columns[dense], p->bytes + p->columns[dense].at, place);
    if (!p->sparse_start)
        return NAN;
    uint64_t low = p->sparse_start[place], end = p->sparse_start[place + 1], high = end;
    while (low < high) { // keys of a case rise
        uint64_t middle = low + (high - low) / 2;
        if (p->sparse_key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && p->sparse_key[low] == key ? p->sparse_value[low] : NAN;
}

/* The index of a key among the packed columns. */
static size_t dense_of(const hcbr_i_rich_encoder *e, uint32_t key) {
    size_t dense = 0;
    for (uint32_t c = 0; e->columns[c].key < key; c++)
        dense += e->columns[c].ordered;
    return dense;
}

/* Whether it is the canonical text of a number with more digits than its double, which the case
 * has. */
static hcbr_status check_text(hcbr_i_text text, double number, char **room, size_t *capacity,
                              bool *good, hcbr_error *err) {
    double value;
    uint8_t spelling;
    *good = hcbr_i_decimal_read(&value, &spelling, text.at, text.length) &&
            spelling == HCBR_I_SPELLED_WIDE && value == number;
    if (!*good)
        return HCBR_OK;
    if (!hcbr_i_grow(room, capacity, text.length + HCBR_NUMBER_SIZE, 1))
        return hcbr_i_no_memory(err);
    *good = hcbr_i_decimal_canonical(*room, text.at, text.length) == text.length &&
            memcmp(*room, text.at, text.length) == 0;
    return HCBR_OK;
}

static hcbr_status read_texts(hcbr_i_rich *r, uint32_t count, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_past *p = r->past;
    const hcbr_i_rich_encoder *e = &r->encoder;
    const unsigned char *at;
    char *room = NULL;
    size_t capacity = 0, dense = 0;
    bool good = true;
    hcbr_status st = hcbr_i_in_take(in, count, 12, "texts", &at, err);
    if (st == HCBR_OK && (!(p->texts = hcbr_i_alloc(count, sizeof *p->texts)) ||
                          !(p->text = hcbr_i_alloc(in->left, 1))))
        st = hcbr_i_no_memory(err);
    for (uint32_t t = 0; st == HCBR_OK && t < count; t++, at += 12) {
        hcbr_i_rich_text x = {hcbr_i_u32_at(at), hcbr_i_u32_at(at + 4), hcbr_i_u32_at(at + 8),
                              p->text_bytes};
        const hcbr_i_rich_text *before = t ? &p->texts[t - 1] : NULL;
        const char *text;
        good =
            x.key < e->key_count && hcbr_i_rich_is_number(&e->keys[x.key]) && x.place < p->count &&
            (!before || before->key < x.key || (before->key == x.key && before->place < x.place));
        if (!good || (st = hcbr_i_in_text(in, x.length, "text", t, &text, err)) != HCBR_OK)
            break;
        if (e->keys[x.key].kind == HCBR_I_RICH_NUMBER && (!before || before->key != x.key))
            dense = dense_of(e, x.key);
        st = check_text((hcbr_i_text){text, x.length}, number_of(r, x.key, x.place, dense), &room,
                        &capacity, &good, err);
        if (st != HCBR_OK || !good)
            break;
        memcpy(p->text + p->text_bytes, text, x.length);
        p->text_bytes += x.length;
        p->texts[p->text_count++] = x;
    }
    if (!good)
        st = hcbr_i_model_bad(err, in->section,
                              "text %zu does not fit, or is not that of the number of its case",
                              p->text_count);
    hcbr_i_free(room);
    return st;
}

/* Groups are numbered in order of appearance. */
static hcbr_status read_groups(hcbr_i_rich_past *p, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 1, 4, "groups", &at, err);
    const uint32_t groups = st == HCBR_OK ? hcbr_i_u32_at(at) : 0;
    if (st != HCBR_OK || groups == 0)
        return st;
    st = hcbr_i_rich_bits_read(in, &p->group, p->rows, groups - 1, "group", err);
    uint32_t met = 0;
    for (uint32_t i = 0; st == HCBR_OK && i < p->rows; i++) {
        if (p->group[i] > met)
            break;
        met += p->group[i] == met;
    }
    return st == HCBR_OK && met != groups
               ? hcbr_i_model_bad(err, in->section, "groups that are not numbered in order")
               : st;
}

hcbr_status hcbr_i_rich_past_read(hcbr_i_rich *r, const hcbr_i_frame *frame, hcbr_i_in *in,
                                  hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "counts", &at, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_rich_past *p = r->past = hcbr_i_alloc_zero(1, sizeof *p);
    if (!p)
        return hcbr_i_no_memory(err);
    p->count = (uint32_t)frame->case_count;
    p->rows = r->rows;
    if (p->rows > p->count)
        return hcbr_i_model_bad(err, in->section, "%lu merged cases, expected at most %lu",
                                (unsigned long)p->rows, (unsigned long)p->count);
    if ((st = hcbr_i_rich_bits_read(in, &p->row_of, p->count, p->rows, "row", err)) != HCBR_OK)
        return st;
    for (uint32_t i = 0; i < p->count; i++)
        p->row_of[i] = p->row_of[i] == p->rows ? HCBR_I_NONE : p->row_of[i];
    if ((st = read_groups(p, in, err)) != HCBR_OK ||
        (st = read_categories(r, in, err)) != HCBR_OK || (st = read_bags(r, in, err)) != HCBR_OK ||
        (st = read_dense(r, in, err)) != HCBR_OK || (st = read_sparse(r, in, err)) != HCBR_OK ||
        (st = read_words(r, hcbr_i_u32_at(at), in, err)) != HCBR_OK ||
        (st = read_texts(r, hcbr_i_u32_at(at + 4), in, err)) != HCBR_OK)
        return st;
    return hcbr_i_in_end(in, err);
}
