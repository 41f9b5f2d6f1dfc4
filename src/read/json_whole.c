/*
 * Objects of JSON that go over several lines, one after the other or as the items of a list.
 *
 * Each object is a record. Where one ends is found by its braces outside of strings; a list around
 * the objects and the commas between them are taken off. The parser of jsonl sees an object as one
 * line: line ends within it become carriage returns, by which messages count lines then. Invariant:
 * no byte is searched twice, whatever the sizes of reads.
 */
#include "read/lane.h"

bool hcbr_i_json_is_whole(const char *bytes, size_t size, bool *list) {
    const char *end = bytes + size, *at;
    hcbr_i_json_scan scan = {.on = true};
    while (bytes < end && (*bytes == ' ' || *bytes == '\t' || *bytes == '\r' || *bytes == '\n'))
        bytes++;
    *list = bytes < end && *bytes == '[';
    if (*list)
        for (bytes++; bytes < end && (unsigned char)*bytes <= ' ';)
            bytes++;
    if (*list)
        return bytes == end || *bytes == '{' || *bytes == ']';
    if (bytes == end || *bytes != '{')
        return false;
    // Programs break lines after these; a line that ends otherwise is damaged.
    for (at = end; at > bytes && (unsigned char)at[-1] <= ' ';)
        at--;
    return hcbr_i_json_end(&scan, bytes, end) == NULL &&
           (at[-1] == '{' || at[-1] == '[' || at[-1] == ',');
}

const char *hcbr_i_json_end(hcbr_i_json_scan *scan, const char *object, const char *end) {
    for (const char *at = object + scan->offset; at < end; at++) {
        if (scan->escaped)
            scan->escaped = false;
        else if (scan->in_string) {
            scan->escaped = *at == '\\';
            scan->in_string = *at != '"';
        } else if (*at == '"')
            scan->in_string = true;
        else if (*at == '{' || *at == '[')
            scan->depth++;
        else if (*at == '}' || *at == ']')
            scan->depth--;
        scan->lines += *at == '\n';
        if (scan->depth <= 0 && !scan->in_string)
            return at + 1;
    }
    scan->offset = (size_t)(end - object);
    return NULL;
}

/** Line ends become carriage returns: blanks to JSON. */
static void join_lines(char *at, const char *end) {
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        if (at[-1] == '\r')
            at[-1] = ' ';
        *at++ = '\r';
    }
}

static hcbr_i_json_found wrong(hcbr_i_lane *lane, const char *at, const char *expected) {
    char quoted[200];
    hcbr_error err;
    lane->p.record = at;
    lane->p.line = lane->line;
    hcbr_i_parser_fail(&lane->p, at, &err, "found %s, expected %s", hcbr_i_quote(quoted, at, 1),
                       expected);
    hcbr_i_lane_fail(lane, HCBR_EDATA, &err);
    return HCBR_I_NEXT_FAILED;
}

/** Skip to the next object, over the tokens between two. */
static hcbr_i_json_found skip(hcbr_i_lane *lane) {
    hcbr_i_json_scan *scan = &lane->json;
    for (; lane->begin < lane->end; lane->begin++, scan->column++) {
        const char *at = lane->buffer + lane->begin;
        lane->line += *at == '\n';
        lane->p.before = scan->column;
        if (*at == '\n')
            scan->column = SIZE_MAX; // 0 after this byte
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
            continue;
        if (*at == '{' && !scan->ended && (scan->state != HCBR_I_JSON_AFTER || !scan->list))
            return HCBR_I_NEXT_OBJECT;
        if (*at == '[' && scan->list && scan->state == HCBR_I_JSON_BEGIN) {
            scan->state = HCBR_I_JSON_OPEN;
        } else if (*at == ',' && scan->list && scan->state == HCBR_I_JSON_AFTER && !scan->ended) {
            scan->state = HCBR_I_JSON_COMMA;
        } else if (*at == ']' && scan->list && !scan->ended &&
                   (scan->state == HCBR_I_JSON_OPEN || scan->state == HCBR_I_JSON_AFTER)) {
            scan->ended = true;
        } else {
            return wrong(lane, at,
                         scan->ended                        ? "the end of the file"
                         : !scan->list                      ? "an object"
                         : scan->state == HCBR_I_JSON_AFTER ? "a comma or the end of the list"
                                                            : "an object");
        }
    }
    return HCBR_I_NEXT_MORE;
}

hcbr_i_json_found hcbr_i_json_next(hcbr_i_lane *lane, const char **end) {
    hcbr_i_json_scan *scan = &lane->json;
    hcbr_i_json_found found = scan->offset > 0 ? HCBR_I_NEXT_OBJECT : skip(lane);
    if (found != HCBR_I_NEXT_OBJECT)
        return found;
    char *object = lane->buffer + lane->begin;
    *end = hcbr_i_json_end(scan, object, lane->buffer + lane->end);
    if (*end == NULL && !lane->last)
        return HCBR_I_NEXT_MORE;
    if (*end == NULL)
        *end = lane->buffer + lane->end - 1; // its parser reports the missing part
    join_lines(object, *end);
    return HCBR_I_NEXT_OBJECT;
}

void hcbr_i_json_done(hcbr_i_lane *lane, const char *end) {
    hcbr_i_json_scan *scan = &lane->json;
    const char *object = lane->buffer + lane->begin, *at = end;
    while (at > object && at[-1] != '\r')
        at--;
    size_t column = scan->lines > 0 ? (size_t)(end - at) : scan->column + (size_t)(end - object);

    *scan = (hcbr_i_json_scan){.on = true,
                               .list = scan->list,
                               .ended = scan->ended,
                               .state = HCBR_I_JSON_AFTER,
                               .column = column};
}
