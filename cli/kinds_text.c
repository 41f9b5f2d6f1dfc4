/*
 * The kinds of the data's columns, a line each.
 */
#include "kinds_text.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 12, NAME = 24, BECOMES = 16 };

static bool is_said(const hcbr_kind *k, bool rich) {
    return rich ? !k->obvious : k->given;
}

/* The name of a kind, at most NAME wide. */
static hcbr_cell name_of(const hcbr_kind *k) {
    hcbr_cell name = {.used = 0};
    hcbr_cell_add_cut(&name, k->name, k->name_length, NAME);
    return name;
}

/* The option that overrules the kind. */
static void add_cure(char *to, size_t room, const hcbr_kind *k, const hcbr_cell *name) {
    *to = '\0';
    const bool left = strcmp(k->becomes, "left out") == 0;
    if (strcmp(k->kind, "id") == 0 && !k->given && !left)
        snprintf(to, room, " (--ignore leaves it out)");
    else if (strcmp(k->kind, "id") == 0 && left)
        snprintf(to, room, " (--type %.*s=id takes it in)", (int)name->used, name->text);
    else if (strcmp(k->kind, "category") == 0 && !k->given && strcmp(k->becomes, "left out") != 0)
        snprintf(to, room, " (--type %.*s=number takes it for one)", (int)name->used, name->text);
    else if (k->ambiguous && strcmp(k->kind, "date") == 0)
        snprintf(to, room, " (--dates says which)");
    else if (k->ambiguous)
        snprintf(to, room, " (--type %.*s=number:comma or %.*s=number:point says which)",
                 (int)name->used, name->text, (int)name->used, name->text);
}

/* The use of a column, if its kind does not show it, and the option that changes it. */
static void say_kind(term *t, const hcbr_kind *k, bool first, size_t width) {
    const hcbr_cell name = name_of(k);
    const bool same = strcmp(k->kind, k->becomes) == 0;
    char cure[2 * sizeof name.text + 80];
    add_cure(cure, sizeof cure, k, &name);
    term_say(t, "%s%.*s%*s  %s%s%s%s: %s%s", first ? "columns   " : "          ", (int)name.used,
             name.text, (int)(width - name.width), "", k->kind, same ? "" : " (",
             same ? "" : k->becomes, same ? "" : ")", k->why, cure);
}

bool kinds_say(term *t, const hcbr_cases *cases, const hcbr_train_options *train) {
    const bool rich = train->model == HCBR_MODEL_RICH;
    const size_t count = hcbr_cases_get_info(cases).kinds;
    size_t width = 0, said = 0, more = 0;
    hcbr_kind k = {.size = sizeof k};
    for (size_t i = 0, named = 0; i < count && named < NAMED; i++) {
        hcbr_cases_get_kind(cases, i, &k);
        if (!is_said(&k, rich))
            continue;
        const hcbr_cell name = name_of(&k);
        width = name.width > width ? name.width : width;
        named++;
    }
    for (size_t i = 0; i < count; i++) {
        hcbr_cases_get_kind(cases, i, &k);
        if (is_said(&k, rich) && said++ < NAMED)
            say_kind(t, &k, said == 1, width);
    }
    more = said > NAMED ? said - NAMED : 0;
    if (more)
        term_say(t, "          ... and %zu more (--explain-input shows all)", more);
    return more == 0 && !t->quiet;
}

static void put_line(out *o, const hcbr_kind *k) {
    out_string(o, "  ");
    put_text(o, k->name_length ? k->name : "-", k->name_length ? k->name_length : 1, NAME, false);
    put_text(o, k->kind, strlen(k->kind), 10, false);
    put_text(o, k->becomes, strlen(k->becomes), BECOMES, false);
    out_string(o, k->given ? "by option; " : "");
    out_string(o, k->why);
    out_row(o);
}

void kinds_put_cases(out *o, const hcbr_cases *cases) {
    for (size_t i = 0; i < hcbr_cases_get_info(cases).kinds; i++) {
        hcbr_kind k = {.size = sizeof k};
        hcbr_cases_get_kind(cases, i, &k);
        put_line(o, &k);
    }
}

void kinds_put_model(out *o, const hcbr_model *model) {
    for (size_t i = 0; i < hcbr_model_kind_count(model); i++) {
        hcbr_kind k = {.size = sizeof k};
        hcbr_model_get_kind(model, i, &k);
        put_line(o, &k);
    }
}

void kinds_json_cases(hcbr_writer *w, const hcbr_cases *cases) {
    HCBR_PUT(w, hcbr_item_open(NULL, '['));
    for (size_t i = 0; i < hcbr_cases_get_info(cases).kinds; i++) {
        hcbr_kind k = {.size = sizeof k};
        hcbr_cases_get_kind(cases, i, &k);
        HCBR_PUT(w, hcbr_item_kind_of(&k));
    }
    HCBR_PUT(w, hcbr_item_close(']'));
}
