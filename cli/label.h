/**
 * @file label.h
 * Labels in text, where unknown means that there is no label; the model's figures of one.
 */
#ifndef HCBR_CLI_LABEL_H
#define HCBR_CLI_LABEL_H

#include "term.h"

#include <hcbr/hcbr.h>

#include <stddef.h>

/**
 * How text shows a label: as it is, but a label called unknown in quotes, and one called unknown in
 * quotes with one more pair of quotes. So unknown without quotes is never a label. Not for JSON,
 * which has null.
 *
 * @param length of the name; becomes that of the result.
 * @return the name, or a text that lives as long as the program; not NUL-terminated.
 */
const char *label_shown(const char *name, size_t *length);

/** The summary of the labels of all cases. */
typedef struct label_summary {
    hcbr_cell column; /**< the name of the label's column */
    uint32_t labels;
    uint32_t single; /**< labels that a single case has */
    char list[256];  /**< the first of them */
} label_summary;
label_summary label_count(const hcbr_cases *cases);
/** Say it, unless quiet: which column the label is, how many labels there are, and which of them a
 *  single case has. */
void label_say(term *t, const label_summary *said);

/** A label of a model: its name and figures. */
typedef struct label_facts {
    const char *name; /**< NUL-terminated; borrowed from the model */
    size_t name_length;
    hcbr_label_info info;
} label_facts;

static inline label_facts label_of(const hcbr_model *model, hcbr_label label) {
    label_facts facts = {.info = {.size = sizeof facts.info}};
    facts.name = hcbr_model_get_label(model, label, &facts.name_length);
    hcbr_model_get_label_info(model, label, &facts.info);
    return facts;
}

#endif
