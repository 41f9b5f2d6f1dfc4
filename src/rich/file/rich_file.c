/*
 * The rich part of a model as bytes (docs/FORMAT.md, section rich), and its checks.
 *
 * The result of reading may be used without further checks: every test names an existing column or
 * member, both branches of a node lead forward inside its tree, every number is finite.
 */
#include "rich/rich.h"

#include "rich/encode/kept_cases.h"

#include <float.h>
#include <math.h>

#define MOST_SUPPORT 1e18 /* of a strength, a leaf, a bias or a trust: sums of them stay finite */
#define LISTED 8u         /* besides the families: strengths of the linear model are listed, */
#define EMPTY 16u         /* there were cases without a feature, */
#define FLAT 32u          /* and the temperature differs from 1 */

/* ---- writing --------------------------------------------------------------------------------- */

static uint64_t tests_of(const hcbr_i_rich *r) {
    return (uint64_t)r->encoder.column_count + r->encoder.bag_count;
}

static unsigned twin_bits(const hcbr_i_rich *r) {
    return hcbr_i_rich_bits_of(r->encoder.bag_count ? r->encoder.bag_count - 1 : 0);
}

/* Offsets, codes and columns are not stored (hcbr_i_rich_encoder_place()). */
static void write_encoder(hcbr_i_out *out, const hcbr_i_rich_encoder *e) {
    for (uint32_t k = 0; k < e->key_count; k++) {
        hcbr_i_out_u32(out, (uint32_t)e->keys[k].kind);
        hcbr_i_out_u32(out, e->keys[k].cut_count);
        hcbr_i_out_u32(out, e->keys[k].value_count);
    }
    hcbr_i_out_f64s(out, e->cuts, e->cut_count);
    hcbr_i_out_f64s(out, e->values, e->value_count);
}

static void write_forests(hcbr_i_out *out, const hcbr_i_rich *r) {
    const hcbr_i_rich_forest *forests[HCBR_I_RICH_FOLDS + 1], *forest = &r->forest;
    size_t count = 0;
    for (uint32_t j = 0; r->family[1] && j < HCBR_I_RICH_FOLDS; j++)
        forests[count++] = &r->boosted.model[j];
    if (r->family[2])
        forests[count++] = forest;
    if (count)
        hcbr_i_rich_trees_write(out, forests, count, tests_of(r));
    if (r->family[1])
        hcbr_i_out_f64s(out, r->boosted.start, (size_t)HCBR_I_RICH_FOLDS * r->outputs);
    for (uint32_t j = 0; r->family[1] && j < HCBR_I_RICH_FOLDS; j++)
        hcbr_i_out_f64s(out, r->boosted.model[j].values,
                        r->boosted.model[j].leaf_count * r->outputs);
    if (r->family[2] && r->shares.prior)
        hcbr_i_rich_shares_write(out, &r->shares, forest->leaf_count, r->labels);
    else if (r->family[2])
        hcbr_i_rich_repeats_write(out, forest->values, forest->leaf_count);
}

void hcbr_i_rich_write(hcbr_i_out *out, const hcbr_i_rich *r) {
    const hcbr_i_rich_linear *a = &r->linear;
    uint32_t families = 0;
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        families |= (uint32_t)r->family[f] << f;
    bool listed = r->family[0] && !a->strength;
    hcbr_i_out_u32(out, families | (listed ? LISTED : 0) | (r->empty ? EMPTY : 0) |
                            (r->stack.power != 0 ? FLAT : 0));
    hcbr_i_out_u32(out, r->rows);
    write_encoder(out, &r->encoder);
    hcbr_i_rich_bits_write(out, r->twin, r->encoder.bag_count, twin_bits(r));
    if (r->family[0]) {
        hcbr_i_out_u32s(out, a->place, (size_t)a->columns + 1);
        hcbr_i_out_bytes(out, a->coarse, (size_t)a->columns * HCBR_I_RICH_CODES);
        if (listed)
            hcbr_i_rich_lists_write(out, &a->lists, hcbr_i_rich_linear_size(a));
        else
            hcbr_i_out_f64s(out, a->strength, hcbr_i_rich_linear_size(a) * a->outputs);
    }
    write_forests(out, r);
    hcbr_i_out_f64s(out, r->stack.trust, HCBR_I_RICH_FAMILIES);
    hcbr_i_out_f64s(out, r->stack.bias, r->outputs);
    if (r->empty)
        hcbr_i_out_f64s(out, r->empty, r->labels);
    if (r->stack.power != 0)
        hcbr_i_out_f64s(out, (double[]){r->stack.scale, r->stack.power}, 2);
}

/* ---- columns --------------------------------------------------------------------------------- */

void hcbr_i_rich_column_get(const hcbr_i_rich *r, uint32_t number, hcbr_column *out) {
    const hcbr_i_rich_encoder *e = &r->encoder;
    const hcbr_i_rich_key *key = &e->keys[number];
    out->values = key->value_count;
    out->sparse = key->kind == HCBR_I_RICH_SPARSE || key->kind == HCBR_I_RICH_BAG;
    if (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE)
        out->kind = HCBR_COLUMN_NUMBER;
    else if (key->kind != HCBR_I_RICH_UNUSED)
        out->kind = HCBR_COLUMN_CATEGORY;
    if (out->kind == HCBR_COLUMN_CATEGORY && key->value_count == 1)
        out->kind = HCBR_COLUMN_NAME;
    out->cuts = key->cut_count;
    out->exact = key->kind == HCBR_I_RICH_NUMBER && key->value_count <= HCBR_I_RICH_EXACT;
    if (key->cut_count) {
        out->lowest = e->cuts[key->cut_start];
        out->highest = e->cuts[key->cut_start + key->cut_count - 1];
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static hcbr_status check_numbers(const double *values, size_t count, double least, double most,
                                 const char *what, hcbr_error *err) {
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= least && values[i] <= most))
            return hcbr_i_model_bad(err, HCBR_I_RICH, "%s %zu is %g, expected %g to %g", what, i,
                                    values[i], least, most);
    return HCBR_OK;
}

static hcbr_status check_leaves(const hcbr_i_rich_forest *f, double least, double most,
                                hcbr_error *err) {
    return check_numbers(f->values, f->leaf_count * f->outputs, least, most, "leaf", err);
}

/* Shares must not be 0, for their logarithms. */
static hcbr_status check_shares(const hcbr_i_rich *r, hcbr_error *err) {
    const hcbr_i_rich_shares *s = &r->shares;
    size_t leaves = r->forest.leaf_count;
    hcbr_status st = check_numbers(s->prior, r->labels, 0x1p-60, 1, "prior", err);
    if (st == HCBR_OK)
        st = check_numbers(s->rest, leaves, 0x1p-40, 1, "rest", err);
    if (st == HCBR_OK)
        st = check_numbers(s->lists.value, (size_t)s->lists.start[leaves], 0, 1, "share", err);
    return st;
}

hcbr_status hcbr_i_rich_check(const hcbr_i_rich *r, hcbr_error *err) {
    const hcbr_i_rich_linear *a = &r->linear;
    const double most = MOST_SUPPORT;
    hcbr_status st =
        check_numbers(r->encoder.cuts, r->encoder.cut_count, -DBL_MAX, DBL_MAX, "cut", err);
    if (st == HCBR_OK && r->family[0] && a->strength)
        st = check_numbers(a->strength, hcbr_i_rich_linear_size(a) * a->outputs, -most, most,
                           "strength", err);
    if (st == HCBR_OK && r->family[0] && !a->strength)
        st = check_numbers(a->lists.value, (size_t)a->lists.start[hcbr_i_rich_linear_size(a)],
                           -most, most, "strength", err);
    if (st == HCBR_OK && r->family[1])
        st = check_numbers(r->boosted.start, (size_t)HCBR_I_RICH_FOLDS * r->outputs, -most, most,
                           "start", err);
    for (uint32_t j = 0; st == HCBR_OK && r->family[1] && j < HCBR_I_RICH_FOLDS; j++)
        st = check_leaves(&r->boosted.model[j], -most, most, err);
    if (st == HCBR_OK && r->family[2])
        st = r->shares.prior ? check_shares(r, err)
                             : check_leaves(&r->forest, 0x1p-40, 1 - 0x1p-40, err);
    if (st == HCBR_OK)
        st = check_numbers(r->stack.trust, HCBR_I_RICH_FAMILIES, 0, most, "trust", err);
    if (st == HCBR_OK)
        st = check_numbers(r->stack.bias, r->outputs, -most, most, "bias", err);
    if (st == HCBR_OK && r->empty)
        st = check_numbers(r->empty, r->labels, 0, most, "weight of empty cases of label", err);
    if (st == HCBR_OK)
        st = check_numbers(&r->stack.scale, 1, 0, most, "scale", err);
    if (st == HCBR_OK)
        st = check_numbers(&r->stack.power, 1, 0, 1, "power", err);
    return st;
}

/* ---- encoder --------------------------------------------------------------------------------- */

static hcbr_status bad_key(const hcbr_i_in *in, uint32_t key, const char *what, uint32_t value,
                           hcbr_error *err) {
    return hcbr_i_model_bad(err, in->section, "key %lu has %s %lu, which does not fit",
                            (unsigned long)key, what, (unsigned long)value);
}

/* Whether a key has the number of features, values and cuts that its kind implies. */
static hcbr_status check_key(const hcbr_i_rich_key *key, uint32_t k, uint32_t features,
                             const hcbr_i_in *in, hcbr_error *err) {
    bool number = hcbr_i_rich_is_number(key), exact = key->value_count <= HCBR_I_RICH_EXACT;
    if ((unsigned)key->kind > HCBR_I_RICH_SPARSE)
        return bad_key(in, k, "kind", (uint32_t)key->kind, err);
    if (number ? key->cut_count + 1 >= HCBR_I_RICH_CODES : key->cut_count != 0)
        return bad_key(in, k, "cuts", key->cut_count, err);
    if (number ? key->value_count <= key->cut_count || (key->kind == HCBR_I_RICH_NUMBER && exact &&
                                                        key->value_count != key->cut_count + 1)
               : key->value_count != features || (key->kind == HCBR_I_RICH_UNUSED) != !features)
        return bad_key(in, k, "values", key->value_count, err);
    if (key->kind == HCBR_I_RICH_CATEGORY && features >= HCBR_I_RICH_CODES)
        return bad_key(in, k, "features", features, err);
    return HCBR_OK;
}

/* Cuts of a key rise, with one of its values below each if they are few. */
static bool cuts_rise(const hcbr_i_rich_encoder *e, const hcbr_i_rich_key *key) {
    const double *cuts = e->cuts + key->cut_start, *values = e->values + key->value_start;
    bool exact = key->kind == HCBR_I_RICH_NUMBER && key->value_count <= HCBR_I_RICH_EXACT;
    for (uint32_t c = 0; c < key->cut_count; c++)
        if ((c > 0 && !(cuts[c - 1] < cuts[c])) ||
            (exact && !(values[c] <= cuts[c] && cuts[c] < values[c + 1])))
            return false;
    for (uint32_t v = 0; exact && v < key->value_count; v++)
        if (!isfinite(values[v]) || (values[v] == 0 && signbit(values[v])))
            return false;
    return true;
}

/* Keys rise by their bytes, features by key and value, a bare key first. */
static hcbr_status check_order_of_names(const hcbr_i_dict *dict, hcbr_error *err) {
    for (uint32_t k = 1; k < hcbr_i_dict_key_count(dict); k++) {
        hcbr_i_text a = hcbr_i_dict_key(dict, k - 1), b = hcbr_i_dict_key(dict, k);
        if (hcbr_i_text_compare(a.at, a.length, b.at, b.length) >= 0)
            return hcbr_i_model_bad(err, HCBR_I_KEYS, "key %lu is not behind the one before it",
                                    (unsigned long)k);
    }
    for (uint32_t f = 1; f < hcbr_i_dict_count(dict); f++) {
        hcbr_i_dict_feature a = hcbr_i_dict_get(dict, f - 1), b = hcbr_i_dict_get(dict, f);
        int order = a.key != b.key ? (a.key < b.key ? -1 : 1)
                    : !a.value || !b.value
                        ? (a.value != NULL) - (b.value != NULL)
                        : hcbr_i_text_compare(a.value, a.value_length, b.value, b.value_length);
        if (order >= 0 || (!a.value && !b.value && a.key == b.key))
            return hcbr_i_model_bad(err, HCBR_I_FEATURES,
                                    "feature %lu is not behind the one before it",
                                    (unsigned long)f);
    }
    return HCBR_OK;
}

static hcbr_status read_keys(hcbr_i_rich_encoder *e, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *keys;
    uint64_t cuts = 0, values = 0;
    hcbr_status st = hcbr_i_in_take(in, e->key_count, 12, "keys", &keys, err);
    if (st != HCBR_OK)
        return st;
    e->keys = hcbr_i_alloc_zero(e->key_count, sizeof *e->keys);
    uint32_t *features = hcbr_i_alloc_zero(e->key_count, sizeof *features);
    if (!e->keys || !features)
        st = hcbr_i_no_memory(err);
    for (uint32_t f = 0; st == HCBR_OK && f < e->feature_count; f++)
        features[hcbr_i_dict_get(e->dict, f).key]++;
    for (uint32_t k = 0; st == HCBR_OK && k < e->key_count; k++, keys += 12) {
        hcbr_i_rich_key *key = &e->keys[k];
        *key = (hcbr_i_rich_key){.kind = (hcbr_i_rich_kind)hcbr_i_u32_at(keys),
                                 .cut_count = hcbr_i_u32_at(keys + 4),
                                 .value_count = hcbr_i_u32_at(keys + 8)};
        st = check_key(key, k, features[k], in, err);
        cuts += key->cut_count;
        values += key->kind == HCBR_I_RICH_NUMBER && key->value_count <= HCBR_I_RICH_EXACT
                      ? key->value_count
                      : 0;
    }
    hcbr_i_free(features);
    if (st == HCBR_OK && cuts + e->feature_count + e->key_count > UINT32_MAX / 2)
        return hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_in_f64s(in, cuts, "cuts", &e->cuts, err);
    if (st == HCBR_OK)
        st = hcbr_i_in_f64s(in, values, "values", &e->values, err);
    e->cut_count = (uint32_t)cuts;
    e->value_count = (uint32_t)values;
    return st;
}

/* Members of the bag with exactly the same cases. */
static hcbr_status read_twins(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    uint32_t count = r->encoder.bag_count;
    hcbr_status st =
        hcbr_i_rich_bits_read(in, &r->twin, count, count ? count - 1 : 0, "member", err);
    for (uint32_t b = 0; st == HCBR_OK && b < count; b++)
        if (r->twin[b] > b || r->twin[r->twin[b]] != r->twin[b])
            st = hcbr_i_model_bad(err, in->section,
                                  "member %lu stands in the cases of member %lu, expected one "
                                  "before it, and the first",
                                  (unsigned long)b, (unsigned long)r->twin[b]);
    return st;
}

/* Numbers of a key that has cuts are not features. */
static hcbr_status check_words(const hcbr_i_rich_encoder *e, hcbr_error *err) {
    double value;
    for (uint32_t f = 0; f < e->feature_count; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(e->dict, f);
        if (x.value && hcbr_i_rich_plain_number(&e->keys[x.key], x.value, x.value_length, &value))
            return hcbr_i_model_bad(err, HCBR_I_FEATURES,
                                    "feature %lu is a number of a number column, expected a word",
                                    (unsigned long)f);
    }
    return HCBR_OK;
}

static hcbr_status read_encoder(const hcbr_i_frame *frame, hcbr_i_rich *r, hcbr_i_in *in,
                                hcbr_error *err) {
    hcbr_i_rich_encoder *e = &r->encoder;
    e->dict = hcbr_i_dict_share(frame->dict);
    e->key_count = hcbr_i_dict_key_count(frame->dict);
    e->feature_count = hcbr_i_dict_count(frame->dict);
    hcbr_status st = check_order_of_names(e->dict, err);
    if (st == HCBR_OK)
        st = read_keys(e, in, err);
    if (st == HCBR_OK && !hcbr_i_rich_encoder_place(e))
        st = hcbr_i_no_memory(err);
    for (uint32_t k = 0; st == HCBR_OK && k < e->key_count; k++)
        if (!cuts_rise(e, &e->keys[k]))
            st = bad_key(in, k, "cuts", e->keys[k].cut_count, err);
    if (st == HCBR_OK)
        st = check_words(e, err);
    return st == HCBR_OK ? read_twins(r, in, err) : st;
}

/* ---- families -------------------------------------------------------------------------------- */

static hcbr_status read_linear(hcbr_i_rich *r, bool listed, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_linear *a = &r->linear;
    const unsigned char *coarse;
    a->outputs = r->outputs;
    a->columns = r->encoder.column_count;
    a->bag_count = r->encoder.bag_count;
    hcbr_status st = hcbr_i_in_u32s(in, (uint64_t)a->columns + 1, "places", &a->place, err);
    if (st != HCBR_OK || (st = hcbr_i_in_take(in, (uint64_t)a->columns * HCBR_I_RICH_CODES, 1,
                                              "entries", &coarse, err)) != HCBR_OK)
        return st;
    a->coarse = hcbr_i_alloc(a->columns, HCBR_I_RICH_CODES);
    if (!a->coarse)
        return hcbr_i_no_memory(err);
    if (a->columns)
        memcpy(a->coarse, coarse, (size_t)a->columns * HCBR_I_RICH_CODES);
    for (uint32_t c = 0; c < a->columns; c++) {
        if (a->place[c + 1] <= a->place[c] || a->place[c + 1] - a->place[c] > HCBR_I_RICH_CODES)
            return hcbr_i_model_bad(err, in->section, "table of column %lu has a wrong size",
                                    (unsigned long)c);
        for (uint32_t v = 0; v < HCBR_I_RICH_CODES; v++)
            if (a->coarse[(size_t)c * HCBR_I_RICH_CODES + v] >= a->place[c + 1] - a->place[c])
                return hcbr_i_model_bad(err, in->section,
                                        "entry of code %lu of column %lu is not "
                                        "in its table",
                                        (unsigned long)v, (unsigned long)c);
    }
    if (a->place[0] != 0)
        return hcbr_i_model_bad(err, in->section, "tables begin at %lu, expected 0",
                                (unsigned long)a->place[0]);
    size_t entries = hcbr_i_rich_linear_size(a);
    uint64_t count;
    if (listed)
        return hcbr_i_rich_lists_read(in, &a->lists, entries, r->labels, "strengths", err);
    if (__builtin_mul_overflow((uint64_t)entries, (uint64_t)a->outputs, &count))
        return hcbr_i_no_memory(err);
    return hcbr_i_in_f64s(in, count, "strengths", &a->strength, err);
}

static hcbr_status read_forests(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_forest *forests[HCBR_I_RICH_FOLDS + 1], *forest = &r->forest;
    size_t count = 0;
    for (uint32_t j = 0; r->family[1] && j < HCBR_I_RICH_FOLDS; j++)
        forests[count++] = &r->boosted.model[j];
    if (r->family[2])
        forests[count++] = forest;
    hcbr_status st = count ? hcbr_i_rich_trees_read(in, forests, count, tests_of(r), err) : HCBR_OK;
    if (st == HCBR_OK && r->family[1])
        st = hcbr_i_in_f64s(in, (uint64_t)HCBR_I_RICH_FOLDS * r->outputs, "starts",
                            &r->boosted.start, err);
    r->boosted.outputs = r->family[1] ? r->outputs : 0;
    for (uint32_t j = 0; st == HCBR_OK && r->family[1] && j < HCBR_I_RICH_FOLDS; j++) {
        hcbr_i_rich_forest *f = &r->boosted.model[j];
        f->outputs = r->outputs;
        st = hcbr_i_in_f64s(in, (uint64_t)f->leaf_count * r->outputs, "leaves", &f->values, err);
    }
    if (st != HCBR_OK || !r->family[2])
        return st;
    forest->outputs = r->labels == 2;
    if (forest->tree_count == 0)
        return hcbr_i_model_bad(err, in->section, "no tree votes, expected one");
    return r->labels == 2
               ? hcbr_i_rich_repeats_read(in, &forest->values, forest->leaf_count, "leaves", err)
               : hcbr_i_rich_shares_read(in, &r->shares, forest->leaf_count, r->labels, err);
}

static hcbr_status read_stack(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    double *trust = NULL;
    hcbr_status st = hcbr_i_in_f64s(in, HCBR_I_RICH_FAMILIES, "trust", &trust, err);
    for (uint32_t f = 0; st == HCBR_OK && f < HCBR_I_RICH_FAMILIES; f++)
        r->stack.trust[f] = trust[f];
    hcbr_i_free(trust);
    if (st == HCBR_OK)
        st = hcbr_i_in_f64s(in, r->outputs, "biases", &r->stack.bias, err);
    return st;
}

static hcbr_status read_flat(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    double *flat = NULL;
    hcbr_status st = hcbr_i_in_f64s(in, 2, "scale and power", &flat, err);
    if (st == HCBR_OK && !(flat[1] > 0))
        st = hcbr_i_model_bad(err, in->section, "power %g, expected it above 0", flat[1]);
    if (st == HCBR_OK) {
        r->stack.scale = flat[0];
        r->stack.power = flat[1];
    }
    hcbr_i_free(flat);
    return st;
}

hcbr_status hcbr_i_rich_read(hcbr_i_rich **out, const hcbr_i_frame *frame, hcbr_i_in *in,
                             hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "counts", &at, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_rich *r = *out = hcbr_i_alloc_zero(1, sizeof *r);
    if (!r)
        return hcbr_i_no_memory(err);
    uint32_t families = hcbr_i_u32_at(at) & ~(LISTED | EMPTY | FLAT);
    bool listed = hcbr_i_u32_at(at) & LISTED, empty = hcbr_i_u32_at(at) & EMPTY;
    bool flat = hcbr_i_u32_at(at) & FLAT;
    r->labels = frame->label_count;
    r->outputs = hcbr_i_rich_outputs(r->labels);
    r->seed = frame->seed;
    r->rows = hcbr_i_u32_at(at + 4);
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        r->family[f] = families >> f & 1;
    if (families >> HCBR_I_RICH_FAMILIES || (families && r->labels < 2) ||
        (listed && (!r->family[0] || r->labels < 3)) || (flat && r->labels < 3))
        return hcbr_i_model_bad(err, in->section, "families %lu, which do not fit",
                                (unsigned long)hcbr_i_u32_at(at));
    if ((st = read_encoder(frame, r, in, err)) != HCBR_OK ||
        (st = hcbr_i_rich_classes_make(r) ? HCBR_OK : hcbr_i_no_memory(err)) != HCBR_OK ||
        (r->family[0] && (st = read_linear(r, listed, in, err)) != HCBR_OK) ||
        (st = read_forests(r, in, err)) != HCBR_OK || (st = read_stack(r, in, err)) != HCBR_OK ||
        (empty && (st = hcbr_i_in_f64s(in, r->labels, "empty cases", &r->empty, err)) != HCBR_OK) ||
        (flat && (st = read_flat(r, in, err)) != HCBR_OK) ||
        (st = hcbr_i_rich_check(r, err)) != HCBR_OK)
        return st;
    if (!hcbr_i_rich_layout_make(&r->layout, r))
        return hcbr_i_no_memory(err);
    return hcbr_i_in_end(in, err);
}
