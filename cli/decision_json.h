/**
 * @file decision_json.h
 * How predict and explain write a decision in JSON.
 */
#ifndef HCBR_CLI_DECISION_JSON_H
#define HCBR_CLI_DECISION_JSON_H

#include "json_write.h"

#include <hcbr/hcbr.h>

/** The name of a label; null for none. */
void json_label(json *j, const hcbr_model *model, hcbr_label label);
/** An object of numbers with the labels as keys. */
void json_by_label(json *j, const hcbr_model *model, const double *values, size_t count);
/** A text; NULL gives null. */
void json_text_or_null(json *j, const char *text, size_t length);
/** The keys cut and costs of a model's rule, inside an open object. */
void json_rule(json *j, const hcbr_model *model);
/** Keys and values of a decision, inside an open object. */
void json_decision(json *j, const hcbr_model *model, const hcbr_decision *d);

#endif
