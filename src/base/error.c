/*
 * Messages: statuses, errors, notices, and text from outside prepared for display. Filling an error
 * never fails: what does not fit is cut between two UTF-8 sequences.
 */
#include "base/base.h"

#include <hcbr/text.h>
#include <hcbr/version.h>

#include <stdio.h>

const char *hcbr_version(void) {
    return HCBR_VERSION;
}

int hcbr_version_number(void) {
    return HCBR_VERSION_NUMBER;
}

const char *hcbr_status_name(hcbr_status status) {
    switch (status) {
    case HCBR_OK:
        return "HCBR_OK";
    case HCBR_EUSAGE:
        return "HCBR_EUSAGE";
    case HCBR_EDATA:
        return "HCBR_EDATA";
    case HCBR_EFORMAT:
        return "HCBR_EFORMAT";
    case HCBR_EIO:
        return "HCBR_EIO";
    case HCBR_ENOMEM:
        return "HCBR_ENOMEM";
    case HCBR_ECANCELLED:
        return "HCBR_ECANCELLED";
    }
    return "unknown status";
}

/** Whether this byte is inside a UTF-8 sequence, not at its start. */
static bool continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/** Copy a name; if it is too long, "..." and its end, which is more specific. */
static void copy_file_name(char out[512], const char *file) {
    size_t length = strlen(file);
    if (length < 512) {
        memcpy(out, file, length + 1);
        return;
    }
    const char *tail = file + (length - 508);
    while (continues(*tail))
        tail++;
    memcpy(out, "...", 3);
    memcpy(out + 3, tail, strlen(tail) + 1);
}

/** Print one line into 512 bytes, whatever the arguments hold; cut with "..." if too long. */
static void print_message(char out[512], const char *format, va_list args) {
    int length = vsnprintf(out, 512, format, args);
    if (length < 0)
        snprintf(out, 512, "%s", format);
    if (length >= 512) {
        size_t cut = 508;
        while (cut > 0 && continues(out[cut]))
            cut--;
        memcpy(out + cut, "...", 4);
    }
    size_t left = strlen(out);
    for (char *c = out; left > 0; left--) {
        size_t plain = hcbr_text_plain(c, left);
        c += plain;
        if ((left -= plain) == 0)
            break;
        *c++ = '?';
    }
}

static void HCBR_I_PRINTF(6, 0)
    fill(hcbr_error *err, hcbr_status status, const char *file, uint64_t line, uint64_t column,
         const char *format, va_list args) {
    char message[512]; // an argument may point into err itself
    print_message(message, format, args);
    err->status = status;
    err->line = line;
    err->column = column;
    if (file == NULL)
        err->file[0] = 0;
    else if (file != err->file)
        copy_file_name(err->file, file);
    memcpy(err->message, message, sizeof message);
}

hcbr_status hcbr_i_fail(hcbr_error *err, hcbr_status status, const char *format, ...) {
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        fill(err, status, NULL, 0, 0, format, args);
        va_end(args);
    }
    return status;
}

hcbr_status hcbr_i_fail_at(hcbr_error *err, hcbr_status status, const char *file, uint64_t line,
                           uint64_t column, const char *format, ...) {
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        fill(err, status, file, line, column, format, args);
        va_end(args);
    }
    return status;
}

/* Name `number` of a list as the preprocessor spells it: "model, o->rule". */
static const char *name_of(char *out, size_t room, const char *names, size_t number) {
    while (number-- > 0)
        names = strchr(names, ',') + 2;
    const char *end = names + strcspn(names, ","), *at = end;
    while (at > names && strchr(">.&", at[-1]) == NULL)
        at--;
    snprintf(out, room, "%.*s", (int)(end - at), at);
    return out;
}

bool hcbr_i_say_null(const char *names, size_t number, hcbr_error *err) {
    char name[40];
    hcbr_i_fail(err, HCBR_EUSAGE, "argument %s is NULL, expected a pointer",
                name_of(name, sizeof name, names, number));
    return true;
}

bool hcbr_i_say_unsized(const char *names, size_t number, size_t found, size_t expected,
                        hcbr_error *err) {
    char name[40];
    hcbr_i_fail(err, HCBR_EUSAGE,
                "found %zu as the size of argument %s, expected %zu: it is set by the init "
                "function, or to sizeof",
                found, name_of(name, sizeof name, names, number), expected);
    return true;
}

hcbr_status hcbr_i_no_memory(hcbr_error *err) {
    return hcbr_i_fail(err, HCBR_ENOMEM, "out of memory");
}

void hcbr_i_notify(hcbr_notify_fn *notify, void *context, hcbr_notice kind, const char *file,
                   uint64_t line, uint64_t column, const char *format, ...) {
    if (notify == NULL)
        return;
    hcbr_error where;
    va_list args;
    va_start(args, format);
    fill(&where, HCBR_OK, file, line, column, format, args);
    va_end(args);
    notify(context, kind, &where);
}

hcbr_status hcbr_i_ask(hcbr_progress_fn *progress, void *context, const char *stage, uint64_t done,
                       uint64_t total, hcbr_error *err) {
    if (!progress || progress(context, stage, done, total) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
}

hcbr_status hcbr_i_watch_ask(const hcbr_i_watch *watch, hcbr_error *err) {
    if (watch == NULL)
        return HCBR_OK;
    return hcbr_i_ask(watch->progress, watch->context, watch->stage, watch->done, watch->total,
                      err);
}

/** Bytes of the character at text, 0 if it must not be shown as it is. */
static size_t printable(const char *text, size_t length) {
    size_t used;
    hcbr_text_code(text, length, &used);
    return hcbr_text_plain(text, used) == used ? used : 0;
}

const char *hcbr_i_quote(char buffer[200], const char *text, size_t length) {
    static const char hex[] = "0123456789abcdef";
    char *out = buffer;
    size_t i = 0;
    *out++ = '\'';
    while (i < length && i < 40) {
        size_t n = printable(text + i, length - i);
        if (n > 0) {
            memcpy(out, text + i, n);
            out += n;
            i += n;
        } else {
            unsigned char byte = (unsigned char)text[i++];
            *out++ = '\\';
            *out++ = 'x';
            *out++ = hex[byte >> 4];
            *out++ = hex[byte & 15];
        }
    }
    if (i < length) {
        memcpy(out, "...", 3);
        out += 3;
    }
    *out++ = '\'';
    *out = 0;
    return buffer;
}
