/*
 * Options about the columns of a list, and the kinds found for them, as the public interface shows
 * them.
 */
#include "cases/append.h"

static hcbr_status ask_one(hcbr_cases *cases, hcbr_i_asked one, const char *column,
                           hcbr_error *err) {
    const hcbr_i_text name = {column, strlen(column)};
    if (hcbr_i_cases_find_asked(cases, name))
        return HCBR_OK; // of a file before
    if (!hcbr_i_grow(&cases->asked, &cases->asked_capacity, cases->asked_count + 1,
                     sizeof *cases->asked) ||
        !(one.column = hcbr_i_text_copy(name.at, name.length)))
        return hcbr_i_no_memory(err);
    cases->asked[cases->asked_count++] = one;
    return HCBR_OK;
}

hcbr_status hcbr_i_cases_ask(hcbr_cases *cases, const hcbr_i_reader *reader,
                             const hcbr_read_options *options, hcbr_error *err) {
    hcbr_read_options o;
    const hcbr_i_asked leave = {.leave = true};
    hcbr_status st = HCBR_OK;
    hcbr_i_options_fill(&o, options);
    *(hcbr_i_reader_is_table(reader) ? &cases->tabled : &cases->untabled) = true;
    cases->strict |= o.strict != 0;
    cases->listed |= o.na_only != 0;
    cases->ngrams = o.ngrams;
    cases->min_count = o.min_count;
    cases->dates = (uint8_t)(o.dates == HCBR_DATES_DMY   ? HCBR_I_ORDER_DMY
                             : o.dates == HCBR_DATES_MDY ? HCBR_I_ORDER_MDY
                                                         : HCBR_I_ORDER_CLEAR);
    for (size_t i = 0; st == HCBR_OK && i < o.split_count; i++)
        st = ask_one(cases, leave, o.split[i].column, err);
    for (size_t i = 0; st == HCBR_OK && i < o.text_count; i++)
        st = ask_one(cases, leave, o.text[i], err);
    for (size_t i = 0; st == HCBR_OK && i < o.type_count; i++) {
        hcbr_i_asked one = {.leave = false};
        if (hcbr_i_kind_parse(&one.wish, o.types[i].kind))
            st = ask_one(cases, one, o.types[i].column, err);
    }
    return st;
}

const hcbr_i_asked *hcbr_i_cases_find_asked(const hcbr_cases *cases, hcbr_i_text key) {
    for (size_t i = 0; i < cases->asked_count; i++) {
        const char *column = cases->asked[i].column;
        if (strlen(column) == key.length && memcmp(column, key.at, key.length) == 0)
            return &cases->asked[i];
    }
    return NULL;
}

bool hcbr_i_cases_is_word(const hcbr_cases *cases, hcbr_i_text key) {
    for (size_t i = 0; i < cases->asked_count; i++) {
        const size_t length = strlen(cases->asked[i].column);
        if (cases->asked[i].leave && length < key.length && key.at[length] == ':' &&
            memcmp(cases->asked[i].column, key.at, length) == 0)
            return true;
    }
    return false;
}

/* ---- public view ----------------------------------------------------------------------------- */

static bool is_obvious(const hcbr_i_schema_column *c) {
    return c->use == HCBR_I_USE_AS_IT_IS && c->said == HCBR_I_SAID_FOUND && !c->kind.doubtful &&
           !c->kind.ambiguous && c->kind.kind != HCBR_I_KIND_ID;
}

bool hcbr_i_schema_is_id_left_out(const hcbr_i_schema_column *c) {
    return c->kind.kind == HCBR_I_KIND_ID && c->use == HCBR_I_USE_NOTHING &&
           c->said == HCBR_I_SAID_FOUND;
}

bool hcbr_i_schema_is_shared(const hcbr_i_schema_column *c) {
    return hcbr_i_schema_is_id_left_out(c) &&
           !hcbr_i_nearly_all(c->kind.distinct, c->kind.values - c->kind.forms);
}

void hcbr_i_schema_show(const hcbr_i_schema *schema, size_t column, hcbr_kind *out) {
    static const char *const uses[HCBR_I_USES] = {"as it is",        "number",   "date parts",
                                                  "date parts only", "words",    "members",
                                                  "category",        "left out", "as it is"};
    const hcbr_i_schema_column *c = hcbr_i_schema_get(schema, column);
    const hcbr_kind all = {.name = c->name.at,
                           .name_length = c->name.length,
                           .kind = hcbr_i_kind_name(c->kind.kind),
                           .becomes = uses[c->use],
                           .why = c->why.at,
                           .values = c->kind.values,
                           .missing = c->kind.forms,
                           .odd = c->kind.odd,
                           .given = c->said == HCBR_I_SAID_GIVEN,
                           .obvious = is_obvious(c),
                           .ambiguous = c->kind.ambiguous,
                           .shared = hcbr_i_schema_is_shared(c)};
    hcbr_i_hand_out(out, &all, sizeof all);
}
