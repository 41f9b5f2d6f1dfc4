/*
 * Types of columns given by a caller (option type): each column once, and without another option
 * that fixes its kind.
 */
#include "kinds/kinds.h"
#include "read/parse.h"

/** Whether two names are equal. */
static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

hcbr_status hcbr_i_types_check(const hcbr_read_options *o, hcbr_error *err) {
    char quoted[200], column[200];
    hcbr_i_kind_wish wish;
    for (size_t i = 0; i < o->type_count; i++) {
        const hcbr_type *type = &o->types[i];
        const char *other = NULL;
        size_t length = strlen(type->column);
        hcbr_i_quote(column, type->column, length);
        if (length == 0 || hcbr_i_utf8_check(type->column, length) != length)
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "found the column %s, expected a name (option type)", column);
        if (!hcbr_i_kind_parse(&wish, type->kind))
            return hcbr_i_fail(
                err, HCBR_EUSAGE,
                "found %s for %s, expected number, number:comma, number:point, "
                "category, date, text, set:SEP with one character, flag, id or ignore "
                "(option type)",
                hcbr_i_quote(quoted, type->kind, strlen(type->kind)), column);
        for (size_t k = 0; k < i; k++)
            other = same(o->types[k].column, type->column) ? "type" : other;
        for (size_t k = 0; k < o->split_count; k++)
            other = same(o->split[k].column, type->column) ? "split" : other;
        for (size_t k = 0; k < o->text_count; k++)
            other = same(o->text[k], type->column) ? "text" : other;
        for (size_t k = 0; k < o->presence_count; k++)
            other = same(o->presence[k], type->column) ? "presence" : other;
        for (size_t k = 0; k < o->ignore_count; k++)
            other = same(o->ignore[k], type->column) ? "ignore" : other;
        if (other != NULL)
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "found %s for both option %s and option type, expected it once",
                               column, other);
    }
    return HCBR_OK;
}
