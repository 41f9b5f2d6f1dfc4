/*
 * Atoms: features in exactly the same training cases, derived from the twins among the members of
 * the bag. And access to the past cases.
 */
#include "rich/encode/kept_cases.h"

bool hcbr_i_rich_classes_make(hcbr_i_rich *r) {
    const hcbr_i_rich_encoder *e = &r->encoder;
    hcbr_i_rich_classes *c = &r->classes;
    c->of = hcbr_i_alloc(e->feature_count, sizeof *c->of);
    c->start = hcbr_i_alloc_zero((size_t)e->feature_count + 2, sizeof *c->start);
    c->members = hcbr_i_alloc(e->feature_count, sizeof *c->members);
    if (!c->of || !c->start || !c->members)
        return false;
    for (uint32_t f = 0; f < e->feature_count; f++) {
        bool member = e->keys[hcbr_i_dict_get(e->dict, f).key].kind == HCBR_I_RICH_BAG;
        uint32_t twin = member ? r->twin[e->code[f]] : HCBR_I_NONE;
        bool first = !member || twin == e->code[f] ||
                     e->keys[hcbr_i_rich_key_of_member(e, twin)].kind != HCBR_I_RICH_BAG;
        c->of[f] = first ? c->count++ : c->of[hcbr_i_rich_member_feature(e, twin)];
        c->start[c->of[f] + 2]++;
    }
    for (uint32_t n = 0; n < c->count; n++)
        c->start[n + 2] += c->start[n + 1];
    for (uint32_t f = 0; f < e->feature_count; f++)
        c->members[c->start[c->of[f] + 1]++] = f;
    return true;
}

void hcbr_i_rich_classes_clear(hcbr_i_rich_classes *c) {
    hcbr_i_free(c->of);
    hcbr_i_free(c->start);
    hcbr_i_free(c->members);
    *c = (hcbr_i_rich_classes){0};
}

/* ---- past cases ------------------------------------------------------------------------------ */

static size_t past_size(const void *state, uint64_t i) {
    const hcbr_i_rich *r = state;
    return r->past ? hcbr_i_rich_past_features(r->past, (uint32_t)i) : 0;
}

static bool past_list(const void *state, uint64_t i, hcbr_i_feature_id *out) {
    const hcbr_i_rich *r = state;
    hcbr_i_rich_past_case x = {0};
    bool ok = r->past && hcbr_i_rich_past_get(r->past, &r->encoder, (uint32_t)i, &x);
    if (ok && x.feature_count)
        memcpy(out, x.features, x.feature_count * sizeof *out);
    hcbr_i_rich_past_case_clear(&x);
    return ok;
}

void hcbr_i_rich_identity_add(const hcbr_i_rich_encoder *e, uint64_t identity[2], hcbr_i_key_id key,
                              double value, hcbr_i_text text) {
    if (!text.at)
        text = (hcbr_i_text){(const char *)&value, sizeof value};
    hcbr_i_name name = hcbr_i_hash_text(hcbr_i_dict_hash_key(e->dict), (const char *)&key,
                                        sizeof key, text.at, text.length);
    identity[0] += hcbr_i_mix(name.lo);
    identity[1] += hcbr_i_mix(name.hi);
}

static void past_numbers(const void *state, uint64_t i, uint64_t out[2]) {
    const hcbr_i_rich *r = state;
    out[0] = out[1] = 0;
    if (r->past)
        hcbr_i_rich_past_identity(r->past, &r->encoder, (uint32_t)i, out);
}

bool hcbr_i_rich_past_atoms(const hcbr_i_rich *r, uint32_t number, uint32_t **out, size_t *count) {
    const hcbr_i_rich_encoder *e = &r->encoder;
    hcbr_i_rich_past_case x = {0};
    uint32_t *atoms = NULL;
    *out = NULL;
    *count = 0;
    if (hcbr_i_rich_past_get(r->past, e, number, &x))
        atoms = hcbr_i_alloc(x.feature_count + x.number_count, sizeof *atoms);
    for (size_t f = 0; atoms && f < x.feature_count; f++)
        atoms[(*count)++] = r->classes.of[x.features[f]];
    for (size_t n = 0; atoms && n < x.number_count; n++) {
        const hcbr_i_rich_key *key = &e->keys[x.numbers[n].key];
        uint8_t code =
            hcbr_i_rich_code(e->cuts + key->cut_start, key->cut_count, x.numbers[n].value);
        atoms[(*count)++] = r->classes.count + key->count_start + code - 1 - e->feature_count;
    }
    hcbr_i_rich_past_case_clear(&x);
    *out = atoms;
    return atoms != NULL;
}

static uint32_t past_count(const void *state, hcbr_i_feature_id feature, uint32_t label) {
    return hcbr_i_rich_count(&((const hcbr_i_rich *)state)->counts, feature, label);
}

static uint32_t past_atom(const void *state, hcbr_i_feature_id feature) {
    return ((const hcbr_i_rich *)state)->classes.of[feature];
}

static const hcbr_i_feature_id *past_members(const void *state, uint32_t atom, uint32_t *count) {
    const hcbr_i_rich_classes *c = &((const hcbr_i_rich *)state)->classes;
    *count = c->start[atom + 1] - c->start[atom];
    return c->members + c->start[atom];
}

hcbr_i_past hcbr_i_rich_past_view(const void *state) {
    const hcbr_i_rich *rich = state;
    return (hcbr_i_past){.state = rich,
                         .size = past_size,
                         .list = past_list,
                         .numbers = past_numbers,
                         .count = past_count,
                         .atom = past_atom,
                         .atom_count = rich->classes.count,
                         .weight = rich->kept.weight,
                         .members = past_members};
}
