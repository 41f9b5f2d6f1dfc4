/*
 * The types of labels for the caller (docs/FORMAT.md, section types): texts, booleans or numbers.
 *
 * They do not affect decisions: a reader that does not know the section may skip it. The section
 * exists only if some label is not a text, so that models of files keep their bytes.
 */
#include "model/model.h"

#define MOST_DIGITS 1000 /* which every reader can make a number of */

/* Digits, perhaps after a minus, as an integer is printed. */
static bool is_integer(const char *name) {
    const bool negative = *name == '-';
    const char *digits = name + negative;
    if (digits[0] == '0')
        return digits[1] == '\0' && !negative;
    const size_t length = strspn(digits, "0123456789");
    return length > 0 && length <= MOST_DIGITS && digits[length] == '\0';
}

/* Whether the name is the spelling of a value of the type. */
static bool spells(const char *name, uint32_t type) {
    char room[HCBR_NUMBER_SIZE];
    double value;
    switch (type) {
    case HCBR_LABEL_TYPE_TEXT:
        return true;
    case HCBR_LABEL_TYPE_BOOLEAN:
        return strcmp(name, "true") == 0 || strcmp(name, "false") == 0;
    case HCBR_LABEL_TYPE_INTEGER:
        return is_integer(name);
    case HCBR_LABEL_TYPE_NUMBER:
        if (!hcbr_number_parse(&value, name, strlen(name)))
            return false;
        room[hcbr_number_format(room, value)] = '\0';
        return strcmp(room, name) == 0;
    default:
        return false;
    }
}

hcbr_status hcbr_i_typed_labels_check(const hcbr_train_options *o, hcbr_error *err) {
    char quoted[200];
    for (size_t i = 0; i < o->typed_label_count; i++) {
        const hcbr_typed_label *x = &o->typed_labels[i];
        if (!spells(x->label, (uint32_t)x->type))
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "label %s has type %d, expected its name to spell a value of it",
                               hcbr_i_quote(quoted, x->label, strlen(x->label)), (int)x->type);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_model_set_types(hcbr_model *m, const hcbr_typed_label *typed, size_t count,
                                   hcbr_error *err) {
    for (size_t i = 0; i < count; i++) {
        const char *name = typed[i].label;
        const hcbr_label l = hcbr_model_find_label(m, name, strlen(name));
        if (l < 0 || typed[i].type == HCBR_LABEL_TYPE_TEXT)
            continue;
        if (!m->label_type &&
            !(m->label_type = hcbr_i_alloc_zero(m->labels.count, sizeof *m->label_type)))
            return hcbr_i_no_memory(err);
        m->label_type[l] = (uint8_t)typed[i].type;
    }
    return HCBR_OK;
}

void hcbr_i_model_write_types(hcbr_i_out *out, const hcbr_model *model) {
    hcbr_i_out_bytes(out, model->label_type, model->labels.count);
}

hcbr_status hcbr_i_model_read_types(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const uint32_t count = m->labels.count;
    const unsigned char *at;
    bool any = false;
    hcbr_status st = hcbr_i_in_take(in, count, 1, "types", &at, err);
    if (st != HCBR_OK || (st = hcbr_i_in_end(in, err)) != HCBR_OK)
        return st;
    if (!(m->label_type = hcbr_i_alloc(count, sizeof *m->label_type)))
        return hcbr_i_no_memory(err);
    memcpy(m->label_type, at, count);
    for (uint32_t l = 0; l < count; l++) {
        any = any || at[l] != HCBR_LABEL_TYPE_TEXT;
        if (!spells(m->labels.names[l], at[l]))
            return hcbr_i_model_bad(err, in->section,
                                    "label %lu has type %d, expected its name to spell a value of "
                                    "it",
                                    (unsigned long)l, at[l]);
    }
    return any ? HCBR_OK : hcbr_i_model_bad(err, in->section, "all are texts, expected no section");
}
