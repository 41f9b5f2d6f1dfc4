/**
 * @file kinds_text.h
 * The kinds of the data's columns.
 */
#ifndef HCBR_CLI_KINDS_TEXT_H
#define HCBR_CLI_KINDS_TEXT_H

#include "cell.h"
#include "term.h"

/** Report the kinds that are not obvious on standard error, unless quiet. Returns whether all were
 *  reported. */
bool kinds_say(term *t, const hcbr_cases *cases, const hcbr_train_options *train);
/** All columns of a list, or of a model, a line each. */
void kinds_put_cases(out *o, const hcbr_cases *cases);
void kinds_put_model(out *o, const hcbr_model *model);
/** The same of a list as an array of JSON. */
void kinds_json_cases(hcbr_writer *w, const hcbr_cases *cases);

#endif
