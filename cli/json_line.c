/*
 * A line of JSON in memory.
 */
#include "json_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool json_line_put(json_line *line, const char *bytes, size_t count) {
    if (line->size + count > line->room) {
        size_t room = 2 * (line->size + count) + 256;
        char *grown = realloc(line->bytes, room);
        if (!grown)
            return false;
        line->bytes = grown;
        line->room = room;
    }
    memcpy(line->bytes + line->size, bytes, count);
    line->size += count;
    return true;
}

bool json_line_text(json_line *line, const char *text, size_t length) {
    bool good = json_line_put(line, "\"", 1);
    for (size_t i = 0; good && i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        char escape[8];
        if (length - i > 2 && memcmp(text + i, "\xEF\xBB\xBF", 3) == 0) {
            good = json_line_put(line, "\\ufeff", 6); // as it is it may only begin a file
            i += 2;
        } else if (c >= 0x20 && c != '"' && c != '\\') {
            good = json_line_put(line, text + i, 1);
        } else {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            good = json_line_put(line, escape, 6);
        }
    }
    return good && json_line_put(line, "\"", 1);
}

size_t json_line_take(json_line *line, char *to, size_t room) {
    size_t n = line->size - line->given;
    n = n < room ? n : room;
    if (n > 0)
        memcpy(to, line->bytes + line->given, n);
    line->given += n;
    return n;
}
