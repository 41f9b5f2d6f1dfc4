/**
 * @file json_write.h
 * JSON, written item by item: commas are set here, nesting is up to the caller.
 */
#ifndef HCBR_CLI_JSON_WRITE_H
#define HCBR_CLI_JSON_WRITE_H

#include <hcbr/cases.h>

#include "out.h"

typedef struct json {
    out *to;
    bool comma; /**< the next item follows another one */
} json;

void json_open(json *j, char bracket);  /**< '{' or '[' */
void json_close(json *j, char bracket); /**< '}' or ']' */
void json_key(json *j, const char *name);
/** A key that comes from the data. */
void json_key_text(json *j, const char *name, size_t length);
void json_text(json *j, const char *text, size_t length);
/** NULL gives null. */
void json_string(json *j, const char *text);
void json_u64(json *j, uint64_t value);
void json_number(json *j, double value);
void json_bool(json *j, bool value);
void json_null(json *j);
/** "key=value", or the bare key. */
void json_feature(json *j, const char *key, size_t key_length, const char *value,
                  size_t value_length);
/** An array of them. */
void json_feature_list(json *j, const hcbr_feature *features, size_t count);
/** End of the object and of the line. */
void json_row(json *j);

#endif
