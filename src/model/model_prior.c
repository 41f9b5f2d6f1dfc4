/*
 * Prior knowledge: importances of features and beliefs, as a model stores them (docs/FORMAT.md,
 * sections importance and beliefs). Both sections exist only if they are not empty, so that other
 * models keep their bytes.
 */
#include "model/model.h"

#include <math.h>

#define L(x) ((unsigned long)(x))

size_t hcbr_model_emphasis_count(const hcbr_model *model) {
    return model->emphases ? model->emphases->count : 0;
}

void hcbr_model_get_emphasis(const hcbr_model *model, size_t index, hcbr_emphasis *out) {
    assert(index < hcbr_model_emphasis_count(model));
    const hcbr_i_emphasis *x = &model->emphases->all[index];
    *out = (hcbr_emphasis){x->column, x->value, x->importance};
}

size_t hcbr_model_belief_count(const hcbr_model *model) {
    return model->beliefs ? model->beliefs->count : 0;
}

void hcbr_model_get_belief(const hcbr_model *model, size_t index, hcbr_belief *out) {
    assert(index < hcbr_model_belief_count(model));
    const hcbr_i_beliefs *b = model->beliefs;
    hcbr_belief full = {
        .source = b->source[index], .weight = b->weight[index], .label = HCBR_LABEL_UNKNOWN};
    uint32_t at = 0;
    while (b->of[at] < index)
        at++;
    full.first = model->case_count - b->case_count + at;
    for (; at < b->case_count && b->of[at] == index; at++)
        full.cases++;
    if (model->kept_label)
        full.label = (hcbr_label)model->kept_label[full.first];
    hcbr_i_hand_out(out, &full, sizeof full);
}

/* ---- importance ------------------------------------------------------------------------------ */

void hcbr_i_model_write_importance(hcbr_i_out *out, const hcbr_model *model) {
    const hcbr_i_emphases *e = model->emphases;
    hcbr_i_out_u32(out, e->count);
    for (uint32_t i = 0; i < e->count; i++) {
        hcbr_i_out_u32(out, e->all[i].column_length);
        hcbr_i_out_u32(out, e->all[i].value ? e->all[i].value_length : HCBR_I_MODEL_BARE);
    }
    for (uint32_t i = 0; i < e->count; i++)
        hcbr_i_out_f64s(out, &e->all[i].importance, 1);
    for (uint32_t i = 0; i < e->count; i++) {
        hcbr_i_out_bytes(out, e->all[i].column, e->all[i].column_length);
        if (e->all[i].value)
            hcbr_i_out_bytes(out, e->all[i].value, e->all[i].value_length);
    }
}

/** Read the texts of a list, each with a NUL after it. */
static hcbr_status read_texts(hcbr_emphasis *list, uint32_t count, const unsigned char *lengths,
                              hcbr_i_in *in, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t i = 0; st == HCBR_OK && i < count; i++)
        for (uint32_t k = 0; st == HCBR_OK && k < 2; k++) {
            const uint32_t length = hcbr_i_u32_at(lengths + 8 * (size_t)i + 4 * k);
            const char *text;
            if (k == 1 && length == HCBR_I_MODEL_BARE)
                continue;
            st =
                hcbr_i_in_text(in, length, k ? "the value of importance" : "the name of importance",
                               i, &text, err);
            if (st != HCBR_OK)
                break;
            char *copy = hcbr_i_text_copy(text, length);
            *(k ? &list[i].value : &list[i].column) = copy;
            st = copy ? HCBR_OK : hcbr_i_no_memory(err);
        }
    return st;
}

/** Check and take over the importances, as training does. */
static hcbr_status take_importance(hcbr_model *m, const hcbr_emphasis *list, uint32_t count,
                                   hcbr_error *err) {
    hcbr_error why = {0};
    hcbr_i_emphases *e = NULL;
    hcbr_status st = hcbr_i_emphases_make(&e, list, count, &why);
    if (st == HCBR_OK) {
        m->emphases = e;
        for (uint32_t i = 0; i < count; i++)
            if (strcmp(e->all[i].column, list[i].column) != 0 ||
                !e->all[i].value != !list[i].value ||
                (list[i].value && strcmp(e->all[i].value, list[i].value) != 0))
                return hcbr_i_model_bad(err, HCBR_I_IMPORTANCE,
                                        "importance %lu is out of order, expected by column, then "
                                        "value",
                                        L(i));
    }
    if (st == HCBR_ENOMEM)
        return hcbr_i_no_memory(err);
    return st == HCBR_OK ? st : hcbr_i_model_bad(err, HCBR_I_IMPORTANCE, "%s", why.message);
}

hcbr_status hcbr_i_model_read_importance(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at, *lengths;
    double *importance = NULL;
    hcbr_emphasis *list = NULL;
    hcbr_status st = hcbr_i_in_take(in, 1, 4, "how many importances", &at, err);
    const uint32_t count = st == HCBR_OK ? hcbr_i_u32_at(at) : 0;
    if (st == HCBR_OK && count == 0)
        st = hcbr_i_model_bad(err, in->section, "no importance, expected one or no section");
    if (st == HCBR_OK)
        st = hcbr_i_in_take(in, 2 * (uint64_t)count, 4, "lengths", &lengths, err);
    if (st == HCBR_OK)
        st = hcbr_i_in_f64s(in, count, "importances", &importance, err);
    if (st == HCBR_OK && !(list = hcbr_i_alloc_zero(count, sizeof *list)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = read_texts(list, count, lengths, in, err);
    for (uint32_t i = 0; st == HCBR_OK && i < count; i++)
        list[i].importance = importance[i];
    if (st == HCBR_OK)
        st = hcbr_i_in_end(in, err);
    if (st == HCBR_OK)
        st = take_importance(m, list, count, err);
    for (uint32_t i = 0; list && i < count; i++) {
        hcbr_i_free((char *)list[i].column);
        hcbr_i_free((char *)list[i].value);
    }
    hcbr_i_free(list);
    hcbr_i_free(importance);
    return st;
}

/* ---- beliefs --------------------------------------------------------------------------------- */

void hcbr_i_model_write_beliefs(hcbr_i_out *out, const hcbr_model *model) {
    const hcbr_i_beliefs *b = model->beliefs;
    hcbr_i_out_u32(out, b->count);
    hcbr_i_out_u32(out, b->case_count);
    hcbr_i_out_f64s(out, b->weight, b->count);
    for (uint32_t i = 0; i < b->count; i++)
        hcbr_i_out_u32(out, (uint32_t)strlen(b->source[i]));
    hcbr_i_out_u32s(out, b->of, b->case_count);
    for (uint32_t i = 0; i < b->count; i++)
        hcbr_i_out_bytes(out, b->source[i], strlen(b->source[i]));
}

/** The belief of each case: all in turn, and in a plain model as many cases as it weighs. */
static hcbr_status check_of(const hcbr_model *m, const hcbr_i_beliefs *b, hcbr_error *err) {
    uint32_t next = 0, cases = 0;
    for (uint32_t i = 0; i < b->case_count; i++) {
        if (i == 0 || b->of[i] != b->of[i - 1]) {
            if (b->of[i] != next++)
                return hcbr_i_model_bad(err, HCBR_I_BELIEFS, "case %lu is belief %lu, expected %lu",
                                        L(i), L(b->of[i]), L(next - 1));
            cases = 0;
        }
        cases++;
        const bool last = i + 1 == b->case_count || b->of[i + 1] != b->of[i];
        const double weight = b->weight[b->of[i]];
        if (!(weight > 0 && weight <= HCBR_I_MOST_WEIGHT))
            return hcbr_i_model_bad(err, HCBR_I_BELIEFS,
                                    "weight of belief %lu is %s, expected above 0 to 1e9",
                                    L(b->of[i]), hcbr_i_number_text(weight).text);
        if (last && !m->engine->weighs && weight != (double)cases)
            return hcbr_i_model_bad(err, HCBR_I_BELIEFS,
                                    "belief %lu of weight %s is %lu cases, expected as many",
                                    L(b->of[i]), hcbr_i_number_text(weight).text, L(cases));
    }
    return next == b->count
               ? HCBR_OK
               : hcbr_i_model_bad(err, HCBR_I_BELIEFS, "%lu beliefs have cases, expected %lu",
                                  L(next), L(b->count));
}

hcbr_status hcbr_i_model_read_beliefs(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at, *lengths, *of;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "how many beliefs", &at, err);
    if (st != HCBR_OK)
        return st;
    const uint32_t count = hcbr_i_u32_at(at), cases = hcbr_i_u32_at(at + 4);
    if (count == 0 || cases < count || cases > m->case_count)
        return hcbr_i_model_bad(err, in->section,
                                "%lu beliefs in %lu cases, expected one or more in at most %llu",
                                L(count), L(cases), (unsigned long long)m->case_count);
    const unsigned char *weights;
    if ((st = hcbr_i_in_take(in, count, 8, "weights", &weights, err)) != HCBR_OK ||
        (st = hcbr_i_in_take(in, count, 4, "lengths", &lengths, err)) != HCBR_OK ||
        (st = hcbr_i_in_take(in, cases, 4, "beliefs of cases", &of, err)) != HCBR_OK)
        return st;
    hcbr_i_beliefs *b = m->beliefs = hcbr_i_beliefs_create(count, cases);
    if (!b)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bits = hcbr_i_u64_at(weights + 8 * (size_t)i);
        memcpy(&b->weight[i], &bits, sizeof bits);
    }
    for (uint32_t i = 0; i < cases; i++)
        b->of[i] = hcbr_i_u32_at(of + 4 * (size_t)i);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t length = hcbr_i_u32_at(lengths + 4 * (size_t)i);
        const char *text;
        if ((st = hcbr_i_in_text(in, length, "the source of belief", i, &text, err)) != HCBR_OK)
            return st;
        if (length == 0)
            return hcbr_i_model_bad(err, in->section, "belief %lu has no source", L(i));
        if (!(b->source[i] = hcbr_i_text_copy(text, length)))
            return hcbr_i_no_memory(err);
    }
    return (st = check_of(m, b, err)) == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}

hcbr_status hcbr_i_model_check_beliefs(const hcbr_model *m, hcbr_error *err) {
    const hcbr_i_beliefs *b = m->beliefs;
    if (!b || !m->kept_label)
        return HCBR_OK;
    const uint32_t *label = m->kept_label + (m->case_count - b->case_count);
    for (uint32_t i = 1; i < b->case_count; i++)
        if (b->of[i] == b->of[i - 1] && label[i] != label[i - 1])
            return hcbr_i_model_bad(err, HCBR_I_BELIEFS,
                                    "belief %lu has cases of two labels, expected one",
                                    L(b->of[i]));
    return HCBR_OK;
}
