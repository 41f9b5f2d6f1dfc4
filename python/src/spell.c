/*
 * Messages of the library in the words of Python. The library names a helpful option as "option
 * max_line", perhaps followed by a value; the program makes `--max-line` of it, and Python a
 * parameter: `bad_rows="stop"`, `strict=True`, `max_line=...`.
 */
#include "binding.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz_.";

/* The length of a value of the option at the beginning of a text; 0: none. */
static size_t value_length(const hcbr_option *row, const char *text) {
    static const char *const LABELS[] = {"last", "none", NULL}, *const NONE[] = {"none", NULL};
    const char *const *words = strcmp(row->name, "label") == 0      ? LABELS
                               : row->kind == HCBR_OPTION_CHARACTER ? NONE
                                                                    : row->words;
    const size_t length = strspn(text, LETTERS), digits = strspn(text, "0123456789");
    if (row->kind == HCBR_OPTION_COUNT)
        return digits;
    for (size_t i = 0; words && words[i]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return length;
    return 0;
}

/* Write `name=value`; how many bytes of the text were the values. */
static size_t spell_one(char *to, const hcbr_option *row, const char *text) {
    size_t taken = 0, length;
    if (*text == ' ' && (length = value_length(row, text + 1)) > 0) {
        const char *quote = row->kind == HCBR_OPTION_COUNT ? "" : "\"";
        to += sprintf(to, "%s=%s%.*s%s", row->name, quote, (int)length, text + 1, quote);
        taken = 1 + length;
        if (strncmp(text + taken, " or ", 4) == 0 &&
            (length = value_length(row, text + taken + 4)) > 0) {
            sprintf(to, " or %s%.*s%s", quote, (int)length, text + taken + 4, quote);
            taken += 4 + length;
        }
        return taken;
    }
    sprintf(to, "%s=%s", row->name, row->kind == HCBR_OPTION_FLAG ? "True" : "...");
    return 0;
}

PyObject *options_spell(const char *text) {
    static const char WORD[] = "option ", JOIN[] = "join.name";
    char *made = malloc(6 * strlen(text) + 64), *to = made; // an option takes 8 bytes at least
    bool quoted = false;
    if (!made)
        return PyErr_NoMemory();
    while (*text) {
        const char *name = text + strlen(WORD);
        const size_t length =
            quoted || strncmp(text, WORD, strlen(WORD)) != 0 ? 0 : strspn(name, LETTERS);
        const hcbr_option *row = length ? option_find(name, length) : NULL;
        if (row) {
            text = name + length;
            text += spell_one(to, row, text);
            to += strlen(to);
        } else if (length == strlen(JOIN) && memcmp(name, JOIN, length) == 0) {
            to += sprintf(to, "join={file: (key, name)}");
            text = name + length;
        } else {
            if (*text == '\'' && (quoted || to == made || !isalnum((unsigned char)to[-1])))
                quoted = !quoted; // the other ones are apostrophes
            *to++ = *text++;
        }
    }
    PyObject *said = PyUnicode_DecodeUTF8(made, to - made, "replace");
    free(made);
    return said;
}

PyObject *options_in_python(PyObject *module, PyObject *text) {
    (void)module;
    Py_ssize_t length;
    const char *bytes = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (!bytes)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a str was expected");
    return options_spell(bytes);
}
