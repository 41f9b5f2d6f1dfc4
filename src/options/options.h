/**
 * @file options.h
 * Options by name: the table, and values from text and to text.
 */
#ifndef HCBR_I_OPTIONS_H
#define HCBR_I_OPTIONS_H

#include "base/base.h"

#include <hcbr/options.h>

/** The first entry of that name; NULL: none. */
const hcbr_option *hcbr_i_option_find(const char *name, size_t length);

/** The structure whose field the option sets; NULL: the caller has none. */
void *hcbr_i_option_structure(const hcbr_options *options, const hcbr_option *option);

/** Whether it is this option. */
static inline bool hcbr_i_option_is(const hcbr_option *option, const char *name) {
    return strcmp(option->name, name) == 0;
}

/** The name of a joined source: the given one, else the stem of its path. Not NUL-terminated. */
const char *hcbr_i_join_name(const hcbr_join *join, size_t *length);

/* ---- one pair or value, cut from a text (option_pairs.c) ------------------------------------- */

/** A value being read, with its option. */
typedef struct hcbr_i_setting {
    hcbr_options *options;
    const hcbr_option *option;
    const char *first; /**< after the dot of a name; NULL: it is in the value */
    const char *value;
    hcbr_error *err;
} hcbr_i_setting;

/** HCBR_EUSAGE with "option NAME VALUE: ..."; `shown`: the part of the value that is wrong. */
hcbr_status hcbr_i_setting_refuse(const hcbr_i_setting *s, const char *shown, const char *format,
                                  ...) HCBR_I_PRINTF(3, 4);

/** Memory that lives as long as the options; NULL: out of memory, which *err says. */
void *hcbr_i_setting_memory(const hcbr_i_setting *s, size_t count, size_t size);
char *hcbr_i_setting_copy(const hcbr_i_setting *s, const char *text);

/** Whether it was set before. */
bool hcbr_i_option_is_given(const hcbr_options *o, const char *name);

/** Set options of HCBR_OPTION_PAIRS: type, split, join. */
hcbr_status hcbr_i_setting_pair(const hcbr_i_setting *s);
/** Set options of HCBR_OPTION_VALUES: eta, eta_share, cost. */
hcbr_status hcbr_i_setting_values(const hcbr_i_setting *s);

/** Bits of hcbr_options.given after those of the table: fp, fn and unknown of option cost. */
enum { HCBR_I_GIVEN_SIDES = 128 };
void hcbr_i_option_give(hcbr_options *o, size_t bit);
bool hcbr_i_option_has(const hcbr_options *o, size_t bit);

#endif
