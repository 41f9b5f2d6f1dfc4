/*
 * Cases as Python objects, and their features.
 *
 * A dict is like a line of jsonl (docs/INPUT.md): `key=value`, a feature for each item of a list,
 * dotted keys for a dict inside. A set, list or tuple holds bare features. A text is like a line of
 * the text format: `word=count` for each word.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32 }; /* as of jsonl */

void features_clear(features *f) {
    arena_clear(&f->texts);
    free(f->items);
    memset(f, 0, sizeof *f);
}

static hcbr_feature *grow(features *f) {
    if (f->count == f->room) {
        size_t room = f->room ? f->room * 2 : 64;
        hcbr_feature *more =
            room > SIZE_MAX / sizeof *more ? NULL : realloc(f->items, room * sizeof *more);
        if (!more) {
            PyErr_NoMemory();
            return NULL;
        }
        f->items = more;
        f->room = room;
    }
    return &f->items[f->count];
}

/* A feature; the key is in the arena, the value is copied there. value NULL: a bare key. */
static int put(features *f, const char *key, size_t key_length, const char *value,
               size_t value_length) {
    hcbr_feature *to = grow(f);
    char *copy = NULL;
    if (!to || (value && !(copy = arena_text(&f->texts, value, value_length))))
        return -1;
    *to = (hcbr_feature){key, key_length, copy, value_length};
    f->count++;
    return 0;
}

int features_put(features *f, const hcbr_feature *one) {
    char *key = arena_text(&f->texts, one->key, one->key_length);
    return key ? put(f, key, one->key_length, one->value, one->value_length) : -1;
}

/* ---- words ----------------------------------------------------------------------------------- */

static int take_word(void *to, const char *word, size_t length) {
    features *f = to;
    char *copy = arena_text(&f->texts, word, length);
    return copy ? put(f, copy, length, NULL, 0) : -1;
}

static int by_key(const void *a, const void *b) {
    const hcbr_feature *p = a, *q = b;
    size_t least = p->key_length < q->key_length ? p->key_length : q->key_length;
    int order = memcmp(p->key, q->key, least);
    return order ? order : (p->key_length > q->key_length) - (p->key_length < q->key_length);
}

/* The words of a text, counted: `word=count`, by the bytes of the word. */
static int add_words(features *f, PyObject *text) {
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    const size_t first = f->count;
    if (!bytes || hcbr_words_split(NULL, bytes, (size_t)length, take_word, f) != 0)
        return -1;
    if (f->count > first)
        qsort(f->items + first, f->count - first, sizeof *f->items, by_key);
    size_t kept = first;
    for (size_t i = first, next; i < f->count; i = next) {
        char digits[HCBR_NUMBER_SIZE];
        for (next = i + 1; next < f->count && by_key(&f->items[i], &f->items[next]) == 0;)
            next++;
        size_t used = hcbr_number_format(digits, (double)(next - i));
        char *count = arena_text(&f->texts, digits, used);
        if (!count)
            return -1;
        f->items[kept] = f->items[i];
        f->items[kept].value = count;
        f->items[kept++].value_length = used;
    }
    f->count = kept;
    return 0;
}

static int add_bare(features *f, PyObject *list);

/* ---- dicts ----------------------------------------------------------------------------------- */

static bool is_name(const char *name, const char *key, size_t length) {
    return name && strlen(name) == length && memcmp(name, key, length) == 0;
}

/* Whether the key is not a feature: the label, the id, or ignored. */
static bool is_left_out(const hcbr_read_options *o, const char *key, size_t length) {
    for (size_t i = 0; i < o->ignore_count; i++)
        if (is_name(o->ignore[i], key, length))
            return true;
    return is_name(o->label, key, length) || is_name(o->id, key, length) ||
           is_name(o->group, key, length) || is_name(o->weight, key, length);
}

static int add_value(features *f, const char *key, size_t length, PyObject *value, int depth);

/* key, or above.key, in the arena. */
static char *join_key(features *f, const char *above, size_t above_length, PyObject *key,
                      size_t *length) {
    value_text k;
    if (!PyUnicode_Check(key) && !PyLong_Check(key)) {
        PyErr_Format(PyExc_TypeError, "keys of a case must be str, not %R",
                     (PyObject *)Py_TYPE(key));
        return NULL;
    }
    if (value_get(key, &k) != 0)
        return NULL;
    size_t start = above ? above_length + 1 : 0;
    char *made = arena_get(&f->texts, start + k.length + 1, 1);
    if (made) {
        if (above) {
            memcpy(made, above, above_length);
            made[above_length] = '.';
        }
        memcpy(made + start, k.text, k.length);
        made[start + k.length] = 0;
        *length = start + k.length;
    }
    value_clear(&k);
    return made;
}

static int add_dict(features *f, const char *above, size_t above_length, PyObject *dict,
                    int depth) {
    // Items are copied first: an object may change the dict when its text is requested.
    PyObject *items = PyDict_Items(dict);
    int failed = items ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(items); i++) {
        PyObject *pair = PyList_GetItem(items, i);
        size_t length = 0;
        char *key = join_key(f, above, above_length, PyTuple_GetItem(pair, 0), &length);
        PyObject *value = PyTuple_GetItem(pair, 1);
        if (!key)
            failed = -1;
        else if (is_left_out(f->options, key, length))
            continue;
        else if (depth == 1 && strcmp(key, "features") == 0 && value_is_list(value))
            failed = add_bare(f, value);
        else
            failed = add_value(f, key, length, value, depth);
    }
    Py_XDECREF(items);
    return failed;
}

static int add_items(features *f, const char *key, size_t length, PyObject *list, int depth) {
    PyObject *items = PySequence_List(list), *item;
    int failed = items ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(items); i++) {
        item = PyList_GetItem(items, i);
        failed = add_value(f, key, length, item, depth);
    }
    Py_XDECREF(items);
    return failed;
}

static int add_value(features *f, const char *key, size_t length, PyObject *value, int depth) {
    if (depth > MAX_DEPTH) {
        PyErr_Format(PyExc_ValueError, "a case is nested deeper than %d", (int)MAX_DEPTH);
        return -1;
    }
    if (PyDict_Check(value))
        return add_dict(f, key, length, value, depth + 1);
    if (value_is_list(value) || value_is_array(value))
        return add_items(f, key, length, value, depth + 1);
    value_text v;
    if (value_get(value, &v) != 0)
        return -1;
    int failed = 0;
    if (v.text && !hcbr_read_is_missing(f->options, v.text, v.length))
        failed = put(f, key, length, v.text, v.length);
    value_clear(&v);
    return failed;
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* A pair of key and value, or the key alone. */
static int add_pair(features *f, PyObject *pair) {
    const Py_ssize_t size = PySequence_Size(pair);
    PyObject *key = size == 1 || size == 2 ? PySequence_GetItem(pair, 0) : NULL, *value = NULL;
    value_text k = {0}, v = {0};
    int failed = -1;
    if (key && (size == 1 || (value = PySequence_GetItem(pair, 1))) && value_get(key, &k) == 0 &&
        (!value || value_get(value, &v) == 0)) {
        char *copy = k.text && (!value || v.text) ? arena_text(&f->texts, k.text, k.length) : NULL;
        if (copy)
            failed = put(f, copy, k.length, v.text, v.length);
    }
    if (failed && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a bare feature must be a text, or a pair of texts");
    value_clear(&k);
    value_clear(&v);
    Py_XDECREF(key);
    Py_XDECREF(value);
    return failed;
}

/* Bare features and pairs; None adds none. A set has no order of its own: its features are sorted
 * by text. */
static int add_bare(features *f, PyObject *list) {
    PyObject *items = PySequence_List(list);
    const size_t first = f->count;
    int failed = items ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(items); i++) {
        PyObject *item = PyList_GetItem(items, i);
        value_text v;
        if (PyList_Check(item) || PyTuple_Check(item)) {
            failed = add_pair(f, item);
            continue;
        }
        if ((failed = value_get(item, &v)) != 0)
            break;
        char *key = v.text ? arena_text(&f->texts, v.text, v.length) : NULL;
        if (v.text)
            failed = key ? put(f, key, v.length, NULL, 0) : -1;
        value_clear(&v);
    }
    if (!failed && PyAnySet_Check(list) && f->count > first)
        qsort(f->items + first, f->count - first, sizeof *f->items, by_key);
    Py_XDECREF(items);
    return failed;
}

/* A row of a frame, a Series of pandas, as a dict of its columns; NULL with an exception. */
static PyObject *row_dict(PyObject *one) {
    PyObject *dict = NULL, *dimensions = PyObject_HasAttrString(one, "to_dict")
                                             ? PyObject_GetAttrString(one, "ndim")
                                             : NULL;
    if (dimensions && PyLong_Check(dimensions) && PyLong_AsLong(dimensions) == 1)
        dict = PyObject_CallMethod(one, "to_dict", NULL);
    Py_XDECREF(dimensions);
    if (dict && PyDict_Check(dict))
        return dict;
    Py_CLEAR(dict);
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Format(PyExc_TypeError, "a case must be a dict, set, list, tuple or str, not %R",
                     (PyObject *)Py_TYPE(one));
    return NULL;
}

int features_add(features *f, PyObject *one) {
    if (PyDict_Check(one))
        return add_dict(f, NULL, 0, one, 1);
    if (PyUnicode_Check(one)) {
        f->any_word = true;
        return add_words(f, one);
    }
    if (value_is_list(one))
        return add_bare(f, one);
    PyObject *dict = row_dict(one);
    int failed = dict ? add_dict(f, NULL, 0, dict, 1) : -1;
    Py_XDECREF(dict);
    return failed;
}
