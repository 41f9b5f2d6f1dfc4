/*
 * What an option of the library is called in Python, and how its value is set.
 */
#ifndef HCBR_PYTHON_OPTIONS_H
#define HCBR_PYTHON_OPTIONS_H

#include "binding.h"

typedef enum option_kind {
    CHOICE,    /* an enumeration: one of the words, by its number */
    FLAG,      /* int */
    U32,       /* uint32_t, at least `least` */
    U64,       /* uint64_t, likewise */
    DOUBLE,    /* double */
    BYTES,     /* double that is a number of bytes */
    BYTE,      /* int: an ASCII character */
    TEXT,      /* const char * */
    PATH,      /* const char *: the name of a file */
    TEXTS,     /* const char *const *, and the count `beside` */
    ADDED,     /* the same: texts behind the values that mean missing anyway */
    MARK,      /* int: an ASCII character, or "none": -1 */
    HEADER,    /* lines of the header */
    NO_LABEL,  /* there is no label */
    CHOOSE,    /* double: choose it on held-out cases */
    COUNTS,    /* const uint32_t *, and the count `beside` */
    JOINS,     /* dict of files and keys, or (key, name) */
    SPLITS,    /* dict of column and separator */
    TYPES,     /* dict of column and kind */
    ETA,       /* dict of label and least support */
    ETA_SHARE, /* dict of label and least share */
    METRIC,    /* a goal of tuning */
    MAX_ERROR, /* a goal of tuning */
    COST,      /* a goal of tuning: dict of fp, fn and unknown */
    EMPHASIS   /* dict of columns, or of columns with values, and numbers */
} option_kind;

typedef struct option {
    const char *name;
    option_kind kind;
    size_t at, beside; /* places in the settings */
    const char *const *words;
    uint64_t least;
} option;

/* The option of a name that need not end; NULL: there is none. */
const option *option_find(const char *name, size_t length);
/* Set an option to a value that is not None; 0 or -1. */
int option_set(settings *o, const option *row, PyObject *value);

#endif
