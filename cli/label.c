/*
 * Labels in text, and the summary of those of the data. The quoted ones are kept: there are as many
 * as labels of such a name, one or two.
 */
#include "label.h"

#include "opt.h"
#include "term.h"

#include <hcbr/hcbr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct quoted {
    struct quoted *next;
    size_t length;
    char text[];
} quoted;

static quoted *all;

const char *label_shown(const char *name, size_t *length) {
    if (!hcbr_text_is_unknown(name, *length))
        return name;
    quoted *q = all;
    while (q && q->length != *length + 2) // they differ only in the quotes
        q = q->next;
    if (!q) {
        if (!(q = malloc(sizeof *q + *length + 2)))
            exit(say_no_memory(NULL));
        q->length = *length + 2;
        q->text[0] = q->text[*length + 1] = '"';
        memcpy(q->text + 1, name, *length);
        q->next = all;
        all = q;
    }
    *length = q->length;
    return q->text;
}

/* The first of the labels that a single case has, for a note; returns how many there are. */
static uint32_t list_single(const hcbr_cases *cases, char list[256]) {
    uint32_t labels = hcbr_cases_get_info(cases).labels, single = 0;
    uint64_t count = hcbr_cases_count(cases), *has = calloc((size_t)labels + 1, sizeof *has);
    size_t used = 0;
    list[0] = '\0';
    if (!has)
        return 0; // a note is not worth a failure
    for (uint64_t i = 0; i < count; i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(cases, i, &x);
        has[x.label]++;
    }
    for (uint32_t l = 0; l < labels; l++) {
        if (has[l] != 1)
            continue;
        single++;
        if (used > 160 || single > 5)
            continue;
        hcbr_cell cell = {.used = 0};
        size_t length;
        const char *name = hcbr_cases_get_label(cases, (hcbr_label)l, &length);
        hcbr_cell_add_cut(&cell, name, length, 30);
        used += (size_t)snprintf(list + used, 256 - used, "%s'%.*s'", used ? ", " : "",
                                 (int)cell.used, cell.text);
    }
    if (single > 5 && used < 240)
        snprintf(list + used, 256 - used, ", ...");
    free(has);
    return single;
}

label_summary label_count(const hcbr_cases *cases) {
    const hcbr_cases_info info = hcbr_cases_get_info(cases);
    label_summary said = {.labels = info.labels};
    const char *column = info.label_column;
    hcbr_cell_add_cut(&said.column, column, strlen(column), 60);
    said.single = list_single(cases, said.list);
    return said;
}

void label_say(term *t, const label_summary *said) {
    term_say(t, "label: column '%.*s', %u label%s", (int)said->column.used, said->column.text,
             said->labels, said->labels == 1 ? "" : "s");
    if (said->single == 1)
        term_note(t, "label %s has a single case", said->list);
    else if (said->single > 1)
        term_note(t, "%u labels have a single case: %s", said->single, said->list);
}
