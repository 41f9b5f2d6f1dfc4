/*
 * One case on the command line. Its features become a line of JSON Lines, which the library reads
 * with the options of the model. So the library decides the meaning of a value, as for values of a
 * file.
 *
 * A column is a key, its values a string or a list of strings. Bare features are in the list
 * `features`, as in a file (docs/INPUT.md).
 */
#include "one_case.h"

#include <hcbr/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ONE_CASE_PATH = "--case";

static const char BARE[] = "features"; /* the key of bare features */

/* A value of --case; those of one column are linked by `next`. */
typedef struct piece {
    const char *key;
    size_t length;
    const char *value; /* NULL: a bare feature */
    struct piece *next;
    bool follows; /* it is not the first of its column */
} piece;

/* Bare features first, then column by column; each of these as they were given. */
static int compare(const void *a, const void *b) {
    const piece *p = *(piece *const *)a, *q = *(piece *const *)b;
    if (!p->value || !q->value)
        return p->value || q->value ? (p->value ? 1 : -1) : (p > q) - (p < q);
    int order = memcmp(p->key, q->key, p->length < q->length ? p->length : q->length);
    if (order == 0)
        order = (p->length > q->length) - (p->length < q->length);
    return order ? order : (p > q) - (p < q);
}

static bool is_key(const piece *p, const char *name) {
    return name && strlen(name) == p->length && memcmp(p->key, name, p->length) == 0;
}

/* Whether these are values of one key of the line. All bare features are. */
static bool is_same(const piece *a, const piece *b) {
    if (!a->value || !b->value)
        return !a->value && !b->value;
    return a->length == b->length && memcmp(a->key, b->key, a->length) == 0;
}

int one_case_check(const args *given) {
    static const char *const OF_DATA[] = {"format", "encoding", "query", "names"};
    const char *name = given->command->name;
    if (!args_has(given, "one-case"))
        return EXIT_DONE;
    for (size_t i = 0; i < sizeof OF_DATA / sizeof *OF_DATA; i++)
        if (args_has(given, OF_DATA[i]))
            return say_usage(name, "--%s is about DATA, which --case replaces",
                             opt_name(OF_DATA[i]));
    for (size_t i = 0; i < given->given_count; i++) {
        const opt_given *g = &given->given[i];
        if (opt_is(g->spec, "one-case") && (!g->value[0] || g->value[0] == '='))
            return say_usage(name,
                             "--case %s: COL=VALUE or a bare feature was expected, as in age=39",
                             g->value[0] ? g->value : "''");
    }
    return EXIT_DONE;
}

/* ---- columns in the options ------------------------------------------------------------------ */

static bool is_listed(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static bool is_role(const char *name, const char *role) {
    return role && strcmp(name, role) == 0;
}

/* Whether the column has another use than features column=value. */
static bool has_use(const hcbr_read_options *o, const char *name) {
    for (size_t i = 0; i < o->split_count; i++)
        if (strcmp(o->split[i].column, name) == 0)
            return true;
    return is_role(name, o->label) || is_role(name, o->id) || is_role(name, o->group) ||
           is_role(name, o->weight) || is_listed(name, o->ignore, o->ignore_count) ||
           is_listed(name, o->text, o->text_count) ||
           is_listed(name, o->presence, o->presence_count);
}

static bool is_joined(const hcbr_read_options *o, const char *column) {
    const char *dot = strchr(column, '.');
    for (size_t i = 0; dot && i < o->join_count; i++) {
        const char *path = o->join[i].path, *name = o->join[i].name;
        const char *slash = path ? strrchr(path, '/') : NULL;
        const char *stem = name ? name : slash ? slash + 1 : path;
        size_t length = (size_t)(dot - column);
        if (stem && strcspn(stem, ".") == length && memcmp(stem, column, length) == 0)
            return true;
    }
    return false;
}

/* ---- the line -------------------------------------------------------------------------------- */

static bool put(json_line *line, const char *text) {
    return json_line_put(line, text, strlen(text));
}

static bool put_key(json_line *line, const char *key, size_t length) {
    return put(line, line->size > 1 ? "," : "") && json_line_text(line, key, length) &&
           put(line, ":");
}

/* The values of a column: a single one by itself, several in a list. */
static bool put_column(json_line *line, const piece *p) {
    bool list = p->next != NULL,
         good = put_key(line, p->key, p->length) && put(line, list ? "[" : "");
    for (const piece *first = p; good && p; p = p->next)
        good = put(line, p == first ? "" : ",") && json_line_text(line, p->value, strlen(p->value));
    return good && put(line, list ? "]" : "");
}

/* The list of bare features. A column of that name would be taken for it, so it is written there as
 * pairs; the library does not check the values of pairs for missing ones. */
static bool put_bare(json_line *line, const hcbr_read_options *read, const piece *bare,
                     const piece *column) {
    const char *comma = "";
    bool good = put_key(line, BARE, sizeof BARE - 1) && put(line, "[");
    for (; good && bare; bare = bare->next, comma = ",")
        good = put(line, comma) && json_line_text(line, bare->key, bare->length);
    for (; good && column; column = column->next) {
        if (hcbr_read_is_missing(read, column->value, strlen(column->value)))
            continue;
        good = put(line, comma) && put(line, "[") &&
               json_line_text(line, column->key, column->length) && put(line, ",") &&
               json_line_text(line, column->value, strlen(column->value)) && put(line, "]");
        comma = ",";
    }
    return good && put(line, "]");
}

/* Sets and texts that the case does not have: a file without them might be the wrong one, but here
 * their values are simply not known. */
static bool put_absent(json_line *line, const hcbr_read_options *read, const char *column,
                       const piece *pieces, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (pieces[i].value && is_key(&pieces[i], column))
            return true;
    return is_joined(read, column) || (put_key(line, column, strlen(column)) && put(line, "null"));
}

static bool put_all(json_line *line, const hcbr_read_options *read, const piece *pieces,
                    size_t count) {
    const piece *bare = NULL, *column = NULL;
    bool good = put(line, "{"), kept = has_use(read, BARE);
    for (size_t i = 0; good && i < count; i++) {
        const piece *p = &pieces[i];
        if (p->follows)
            continue;
        if (!p->value)
            bare = p;
        else if (!kept && is_key(p, BARE))
            column = p;
        else
            good = put_column(line, p);
    }
    if (good && (bare || column))
        good = put_bare(line, read, bare, column);
    for (size_t i = 0; good && i < read->split_count; i++)
        good = put_absent(line, read, read->split[i].column, pieces, count);
    for (size_t i = 0; good && i < read->text_count; i++)
        good = put_absent(line, read, read->text[i], pieces, count);
    for (size_t i = 0; good && i < read->presence_count; i++)
        good = put_absent(line, read, read->presence[i], pieces, count);
    return good && put(line, "}\n");
}

/* Split the arguments at their first equals sign, and link the values of a column. */
static size_t cut(const args *given, piece *pieces, piece **order) {
    size_t count = 0;
    for (size_t i = 0; i < given->given_count; i++) {
        const char *text = given->given[i].value;
        if (!opt_is(given->given[i].spec, "one-case"))
            continue;
        size_t length = strcspn(text, "=");
        pieces[count] = (piece){text, length, text[length] ? text + length + 1 : NULL, NULL, false};
        order[count] = &pieces[count];
        count++;
    }
    qsort(order, count, sizeof *order, compare);
    for (size_t i = 1; i < count; i++) {
        order[i]->follows = is_same(order[i - 1], order[i]);
        if (order[i]->follows)
            order[i - 1]->next = order[i];
    }
    return count;
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_line(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    one_case *c = context;
    (void)err;
    *got = json_line_take(&c->line, to, room);
    return HCBR_OK;
}

static void close_line(void *context) {
    (void)context; // the line is released with the settings
}

static hcbr_status open_line(void *context, const char *path, hcbr_input *input, hcbr_error *err) {
    one_case *c = context;
    if (strcmp(path, ONE_CASE_PATH) != 0)
        return c->open ? c->open(c->open_context, path, input, err) : HCBR_OK;
    c->line.given = 0;
    *input = (hcbr_input){read_line, close_line, c, HCBR_FORMAT_JSONL};
    return HCBR_OK;
}

int one_case_make(one_case *c, const args *given, hcbr_read_options *read) {
    piece *pieces = calloc(given->given_count + 1, sizeof *pieces);
    piece **order = calloc(given->given_count + 1, sizeof *order);
    int code = EXIT_DONE;
    bool made = pieces && order;
    size_t count = made ? cut(given, pieces, order) : 0;
    if (count && !order[0]->value && has_use(read, BARE))
        code = say_usage(given->command->name,
                         "--case %s: a bare feature is not possible, because the column %s is "
                         "read as something else; COL=VALUE was expected",
                         order[0]->key, BARE);
    else if (!made || !put_all(&c->line, read, pieces, count))
        code = say_no_memory(given->command->name);
    free(pieces);
    free(order);
    if (code != EXIT_DONE)
        return code;
    c->open = read->open;
    c->open_context = read->open_context;
    read->open = open_line;
    read->open_context = c;
    return EXIT_DONE;
}

/* ---- unknown columns ------------------------------------------------------------------------- */

/* A search for a column, with the nearest existing one. */
typedef struct column_search {
    const char *name;
    size_t length;
    bool found;
    unsigned least;
    hcbr_feature near; /* its key */
} column_search;

static void look_at(column_search *s, const char *name, size_t length) {
    if (length == s->length && memcmp(name, s->name, length) == 0)
        s->found = true;
    else if (hcbr_text_near(s->name, s->length, name, length, &s->least))
        s->near = (hcbr_feature){.key = name, .key_length = length};
}

/* The columns of training: those that were judged, if any was converted; else the keys. */
static void look_at_all(column_search *s, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    for (size_t i = 0; i < hcbr_model_kind_count(model) && !s->found; i++) {
        hcbr_kind kind = {.size = sizeof kind};
        hcbr_model_get_kind(model, i, &kind);
        look_at(s, kind.name, kind.name_length);
    }
    for (uint32_t k = 0; k < info.keys && !s->found; k++) {
        hcbr_column column = {.size = sizeof column};
        hcbr_model_get_column(model, k, &column);
        look_at(s, column.name, column.name_length);
    }
}

/* Whether values of a column are converted, for example to parts of a date or words. */
static bool becomes_another(const hcbr_model *model, const char *name) {
    for (size_t i = 0; i < hcbr_model_kind_count(model); i++) {
        hcbr_kind kind = {.size = sizeof kind};
        hcbr_model_get_kind(model, i, &kind);
        if (kind.name_length == strlen(name) && memcmp(kind.name, name, kind.name_length) == 0)
            return strcmp(kind.becomes, "category") != 0 && strcmp(kind.becomes, "as it is") != 0;
    }
    return false;
}

/* ---- unseen values --------------------------------------------------------------------------- */

/* Compare a value with those of its column, to suggest one. For numbers any value is possible. */
static void compare_value(term *t, const hcbr_model *model, const char *name, const char *value) {
    hcbr_model_info info = {.size = sizeof info};
    const size_t name_length = strlen(name);
    column_search s = {.name = value, .length = strlen(value), .least = HCBR_TEXT_FAR};
    char known[120] = "";
    size_t used = 0, values = 0;
    double number;
    hcbr_model_get_info(model, &info);
    if (s.length == 0 || hcbr_number_parse(&number, value, s.length))
        return;
    for (uint64_t f = 0; f < info.features && !s.found; f++) {
        hcbr_feature have;
        hcbr_model_get_feature(model, (uint32_t)f, &have);
        if (have.value && have.key_length == name_length &&
            memcmp(have.key, name, name_length) == 0) {
            look_at(&s, have.value, have.value_length);
            if (used < sizeof known)
                used += (size_t)snprintf(known + used, sizeof known - used, "%s%.*s",
                                         values ? ", " : "", (int)have.value_length, have.value);
            values++;
        }
    }
    for (const char *at = value; !s.near.key && *at; at++)
        s.found |= *at < ' '; // the reader reports characters that cannot be shown
    if (values == 0 || s.found)
        return;
    if (s.near.key)
        term_warn(t, "--case %s=%s: no past case had this value; did you mean %.*s?", name, value,
                  (int)s.near.key_length, s.near.key);
    else if (used < sizeof known)
        term_warn(t, "--case %s=%s: no past case had this value; they have %s", name, value, known);
    else
        term_warn(t, "--case %s=%s: no past case had this value, but %zu others", name, value,
                  values);
}

void one_case_compare(const args *given, term *t, const hcbr_model *model,
                      const hcbr_read_options *read) {
    for (size_t i = 0; i < given->given_count; i++) {
        const char *text = given->given[i].value;
        if (!opt_is(given->given[i].spec, "one-case") || !strchr(text, '='))
            continue;
        char name[200];
        const size_t length = strcspn(text, "=");
        column_search s = {.name = text, .length = length, .least = HCBR_TEXT_FAR};
        if (length >= sizeof name)
            continue;
        memcpy(name, text, length);
        name[length] = '\0';
        if (has_use(read, name) || is_joined(read, name) || strcmp(name, BARE) == 0)
            continue;
        look_at_all(&s, model);
        if (!s.found && s.near.key)
            term_warn(t, "--case %s: no past case had such a column; did you mean %.*s?", name,
                      (int)s.near.key_length, s.near.key);
        else if (!s.found)
            term_warn(t, "--case %s: no past case had such a column", name);
        else if (!becomes_another(model, name))
            compare_value(t, model, name, text + length + 1);
    }
}

void one_case_clear(one_case *c) {
    free(c->line.bytes);
    *c = (one_case){0};
}
