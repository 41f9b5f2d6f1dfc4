/**
 * @file json_line.h
 * A line of JSON in memory, for data that are not a file and yet are read like one.
 */
#ifndef HCBR_CLI_JSON_LINE_H
#define HCBR_CLI_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

/** Zero it first; free the bytes when done. */
typedef struct json_line {
    char *bytes;
    size_t size, room;
    size_t given; /**< of them, handed out by json_line_take() */
} json_line;

/** Add bytes as they are. @return false: out of memory. */
bool json_line_put(json_line *line, const char *bytes, size_t count);
/** Add a string: quotes, and escapes where they are needed. @return false: out of memory. */
bool json_line_text(json_line *line, const char *text, size_t length);
/** Hand out the next bytes, at most `room`. @return how many; 0: all were handed out. */
size_t json_line_take(json_line *line, char *to, size_t room);

#endif
