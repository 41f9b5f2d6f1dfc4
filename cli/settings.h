/**
 * @file settings.h
 * From options as text to the structures of the library.
 */
#ifndef HCBR_CLI_SETTINGS_H
#define HCBR_CLI_SETTINGS_H

#include "one_case.h"
#include "opt.h"
#include "sqlite.h"
#include "term.h"

#include <hcbr/hcbr.h>

/** Memory of the structures. Zero it first; release with settings_clear(). */
typedef struct settings {
    hcbr_options set; /**< the structures that options set, with their memory */
    sqlite_context sqlite;
    one_case one;
    const char *const *paths; /**< of the cases to decide: DATA, or the path that means --case */
    size_t path_count;
    hcbr_cut cut; /**< of the model's own rule, as the next two */
    hcbr_threshold *thresholds;
    hcbr_cost *costs;
    hcbr_emphases *emphases;
    bool decides_only; /**< of settings_load(): the past cases are not shown */
} settings;

void settings_clear(settings *s);

/**
 * Set the given reading options; the others are unchanged.
 *
 * @return EXIT_DONE, EXIT_USAGE or EXIT_MEMORY, with a message.
 */
int settings_read(settings *s, const args *given, hcbr_read_options *options);

/**
 * Set the given options of deciding; the others are unchanged.
 *
 * @param model the model whose stored rule they change; NULL: they make a new rule.
 */
int settings_rule(settings *s, const args *given, const hcbr_model *model, hcbr_rule *rule);

/** Whether a file begins as a model does. */
bool settings_is_model(const char *path);

/**
 * Load the model that is the first operand, and set its use on data: the options stored in it,
 * changed by those given. s->paths are the cases.
 *
 * @param read  set, with notices and progress of t.
 * @param rule  set if *own is.
 * @param own   receives whether options of deciding were given; otherwise the model's rule is used.
 */
int settings_load(settings *s, const args *given, term *t, hcbr_model **model,
                  hcbr_read_options *read, hcbr_rule *rule, bool *own);

/** Set the given options of building; -j also sets the threads for reading, if options of reading
 *  were set before. */
int settings_train(settings *s, const args *given, hcbr_train_options *options);

/** Set the given options of holding out. Without --past-only there are two folds or more. */
int settings_evaluate(settings *s, const args *given, hcbr_evaluate_options *options);

/** Set the given options of tuning, and folds and positive. */
int settings_tune(settings *s, const args *given, hcbr_tune_options *options);

/** Check that the cases have the columns that --numeric and --categorical name. */
int settings_check_columns(const args *given, const hcbr_cases *cases,
                           const hcbr_train_options *options);

/** Add the beliefs of --belief to cases that are read, and finish them. */
int settings_finish(term *t, const args *given, const hcbr_read_options *read,
                    const hcbr_train_options *options, hcbr_cases *cases);

/** Load the file of --importance, and check it against finished cases. */
int settings_importance(settings *s, term *t, const args *given, const hcbr_cases *cases,
                        hcbr_train_options *options);

/**
 * Print an estimate of training, if it is long: on a terminal, or with -v.
 *
 * @param runs how many models are built, on options->threads threads.
 * @return EXIT_DONE or, having said why, EXIT_MEMORY: it would take more than options->max_memory.
 */
int settings_estimate(term *t, const hcbr_cases *cases, const hcbr_train_options *options,
                      double runs, hcbr_estimate *out);

/** Set the options given whose field is in one of the structures of s->set. */
int settings_set(settings *s, const args *given, hcbr_option_part part);

/** A whole number between least and most; *out stays unchanged if the option was not given. */
int settings_number(const args *given, const char *id, uint64_t least, uint64_t most,
                    uint64_t *out);

/** The index of the given word among words (ended by NULL); *out stays unchanged if none was
 *  given. */
int settings_choice(const args *given, const char *id, const char *const *words, int *out);

/**
 * All values of a list option, cut at commas, in a copy; both are the caller's. They stay NULL if
 * the option was not given.
 */
int settings_list(const args *given, const char *id, char **text, const char ***list,
                  size_t *count);

/** A value for display, also an empty one. */
const char *settings_shown(const char *text);

#endif
