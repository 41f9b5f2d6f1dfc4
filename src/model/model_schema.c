/*
 * The columns of training as a model stores them (docs/FORMAT.md, section schema), so that the
 * values of new cases are converted as those of training were.
 *
 * Invariant: columns are sorted by the bytes of their names, and every field is valid for reading,
 * so that a schema from a file is as good as a judged one.
 */
#include "model/model.h"

#define COLUMN 72u /* bytes of a column besides its name */

enum { NUMBERS = 1, PLAIN = 2, MILLION = 4, AMBIGUOUS = 8, DOUBTFUL = 16, TRIMMED = 32 };

/* ---- writing --------------------------------------------------------------------------------- */

static void write_column(hcbr_i_out *out, const hcbr_i_schema_column *c) {
    const hcbr_i_kind *k = &c->kind;
    const unsigned bits = (k->numbers ? NUMBERS : 0u) | (k->plain ? PLAIN : 0u) |
                          (k->million ? MILLION : 0u) | (k->ambiguous ? AMBIGUOUS : 0u) |
                          (k->doubtful ? DOUBTFUL : 0u) | (k->trimmed ? TRIMMED : 0u);
    const unsigned char head[13] = {(unsigned char)k->kind,
                                    (unsigned char)k->look,
                                    (unsigned char)bits,
                                    (unsigned char)k->separator,
                                    k->mark,
                                    (unsigned char)k->thousands,
                                    k->has,
                                    (unsigned char)k->order,
                                    (unsigned char)k->clock,
                                    (unsigned char)k->flags,
                                    c->use,
                                    c->said,
                                    k->unit.length};
    char unit[HCBR_I_UNIT_SIZE] = {0};
    memcpy(unit, k->unit.text, k->unit.length);
    hcbr_i_out_bytes(out, head, sizeof head);
    hcbr_i_out_bytes(out, unit, sizeof unit);
    hcbr_i_out_zeros(out, 4);
    hcbr_i_out_u64(out, k->values);
    hcbr_i_out_u64(out, k->forms);
    hcbr_i_out_u64(out, k->odd);
    hcbr_i_out_u64(out, k->distinct);
}

void hcbr_i_model_write_schema(hcbr_i_out *out, const hcbr_i_schema *schema) {
    const size_t count = hcbr_i_schema_count(schema);
    hcbr_i_out_u32(out, hcbr_i_schema_ngrams(schema));
    hcbr_i_out_u32(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        hcbr_i_out_u32(out, (uint32_t)hcbr_i_schema_get(schema, i)->name.length);
    for (size_t i = 0; i < count; i++)
        write_column(out, hcbr_i_schema_get(schema, i));
    for (size_t i = 0; i < count; i++) {
        const hcbr_i_text name = hcbr_i_schema_get(schema, i)->name;
        hcbr_i_out_bytes(out, name.at, name.length);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_column(hcbr_i_schema_column *c, const unsigned char *at) {
    hcbr_i_kind *k = &c->kind;
    memset(c, 0, sizeof *c);
    k->kind = (hcbr_i_kind_of)at[0];
    k->look = (hcbr_i_look)at[1];
    k->numbers = at[2] & NUMBERS;
    k->plain = at[2] & PLAIN;
    k->million = at[2] & MILLION;
    k->ambiguous = at[2] & AMBIGUOUS;
    k->doubtful = at[2] & DOUBTFUL;
    k->trimmed = at[2] & TRIMMED;
    k->separator = (char)at[3];
    k->mark = at[4];
    k->thousands = (char)at[5];
    k->has = at[6];
    k->order = (hcbr_i_order)at[7];
    k->clock = (hcbr_i_clock)at[8];
    k->flags = (hcbr_i_flags)at[9];
    c->use = at[10];
    c->said = at[11];
    k->unit.length = at[12];
    memcpy(k->unit.text, at + 13, HCBR_I_UNIT_SIZE);
    k->values = hcbr_i_u64_at(at + 40);
    k->forms = hcbr_i_u64_at(at + 48);
    k->odd = hcbr_i_u64_at(at + 56);
    k->distinct = hcbr_i_u64_at(at + 64);
}

/* Whether the use fits the kind. */
static bool use_is_good(const hcbr_i_schema_column *c) {
    switch (c->use) {
    case HCBR_I_USE_AS_IT_IS:
    case HCBR_I_USE_CATEGORY:
    case HCBR_I_USE_NOTHING:
        return true;
    case HCBR_I_USE_NUMBER:
        return c->kind.kind == HCBR_I_KIND_NUMBER;
    case HCBR_I_USE_DATE:
    case HCBR_I_USE_PARTS:
        return c->kind.kind == HCBR_I_KIND_DATE;
    case HCBR_I_USE_TEXT:
        return c->kind.kind == HCBR_I_KIND_TEXT;
    case HCBR_I_USE_SET:
        return c->kind.kind == HCBR_I_KIND_SET;
    case HCBR_I_USE_KNOWN:
        return c->kind.kind == HCBR_I_KIND_FLAG || c->kind.kind == HCBR_I_KIND_ID;
    default:
        return false;
    }
}

static hcbr_status check_column(const hcbr_i_schema_column *c, const unsigned char *at, uint64_t i,
                                hcbr_error *err) {
    bool padded = true;
    for (size_t n = 36; n < 40; n++)
        padded &= at[n] == 0;
    if (at[2] < 64 && padded && c->said <= HCBR_I_SAID_REPEATED && hcbr_i_kind_is_good(&c->kind) &&
        use_is_good(c))
        return HCBR_OK;
    return hcbr_i_model_bad(err, HCBR_I_SCHEMA, "column %llu is of no kind that there is",
                            (unsigned long long)i);
}

hcbr_status hcbr_i_model_read_schema(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at, *lengths, *columns;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "counts", &at, err);
    if (st != HCBR_OK)
        return st;
    const uint32_t ngrams = hcbr_i_u32_at(at), count = hcbr_i_u32_at(at + 4);
    if (ngrams < 1 || ngrams > HCBR_I_MOST_NGRAMS || count < 1)
        return hcbr_i_model_bad(err, in->section,
                                "sequences of %lu words and %lu columns, expected 1 to %d and one "
                                "column or more",
                                (unsigned long)ngrams, (unsigned long)count, HCBR_I_MOST_NGRAMS);
    if ((st = hcbr_i_in_take(in, count, 4, "lengths", &lengths, err)) != HCBR_OK ||
        (st = hcbr_i_in_take(in, count, COLUMN, "columns", &columns, err)) != HCBR_OK ||
        (st = hcbr_i_schema_create(&m->schema, count, err)) != HCBR_OK)
        return st;
    hcbr_i_schema_set_ngrams(m->schema, ngrams);
    hcbr_i_text before = {NULL, 0};
    for (uint32_t i = 0; i < count; i++) {
        hcbr_i_schema_column column;
        read_column(&column, columns + (size_t)i * COLUMN);
        column.name.length = hcbr_i_u32_at(lengths + 4 * (size_t)i);
        if ((st = hcbr_i_in_text(in, (uint32_t)column.name.length, "name", i, &column.name.at,
                                 err)) != HCBR_OK ||
            (st = check_column(&column, columns + (size_t)i * COLUMN, i, err)) != HCBR_OK)
            return st;
        if (before.at && hcbr_i_order_text(before, column.name) >= 0)
            return hcbr_i_model_bad(err, in->section, "name %lu is not above the one before it",
                                    (unsigned long)i);
        before = column.name;
        if ((st = hcbr_i_schema_add(m->schema, &column, err)) != HCBR_OK)
            return st;
    }
    if (!hcbr_i_schema_changes(m->schema))
        return hcbr_i_model_bad(err, in->section,
                                "every column stays as it is, expected one that "
                                "does not, or no section");
    return hcbr_i_in_end(in, err);
}
