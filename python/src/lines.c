/*
 * Cases to learn from, as lines of jsonl in memory. The library reads them as it reads a file, so
 * the meaning of a value, and the kind of a key from all its values, is decided in one place.
 *
 * A line is made on demand: label and weight first, then the text made of the case when the table
 * was made.
 */
#include "binding.h"

#include <string.h>

/* ---- cases as JSON --------------------------------------------------------------------------- */

/* A value as JSON; texts and numbers are strings, as `--case` of the program gives them. */
int json_write(hcbr_writer *w, PyObject *value, int depth) {
    if (depth > 32) {
        PyErr_SetString(PyExc_ValueError, "a case is nested deeper than 32");
        return -1;
    }
    int failed = 0;
    value_text v;
    if (PyDict_Check(value) || value_is_list(value) || value_is_array(value)) {
        bool dict = PyDict_Check(value);
        PyObject *items = dict ? PyDict_Items(value) : PySequence_List(value);
        failed = items ? 0 : -1;
        HCBR_PUT(w, hcbr_item_open(NULL, dict ? '{' : '['));
        for (Py_ssize_t i = 0; !failed && i < PyList_Size(items); i++) {
            PyObject *item = PyList_GetItem(items, i);
            if (dict) {
                failed = value_get(PyTuple_GetItem(item, 0), &v);
                if (!failed)
                    HCBR_PUT(w, hcbr_item_key(v.text ? v.text : "", v.length));
                value_clear(&v);
                item = PyTuple_GetItem(item, 1);
            }
            failed = failed ? failed : json_write(w, item, depth + 1);
        }
        HCBR_PUT(w, hcbr_item_close(dict ? '}' : ']'));
        Py_XDECREF(items);
        return failed;
    }
    failed = value_get(value, &v);
    if (!failed)
        HCBR_PUT(w, hcbr_item_text(NULL, v.text, v.length)); // NULL gives null
    value_clear(&v);
    return failed;
}

/* Bare features and pairs, in the list for them. A set has no order of its own: its features are
 * sorted by text. */
static int write_bare(hcbr_writer *w, const features *f) {
    HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_open("features", '['));
    for (size_t i = 0; i < f->count; i++) {
        const hcbr_feature *one = &f->items[i];
        HCBR_PUT(w, hcbr_item_open(NULL, '['), hcbr_item_text(NULL, one->key, one->key_length));
        if (one->value)
            HCBR_PUT(w, hcbr_item_text(NULL, one->value, one->value_length));
        HCBR_PUT(w, hcbr_item_close(']'));
    }
    HCBR_PUT(w, hcbr_item_close(']'), hcbr_item_close('}'));
    return 0;
}

int lines_add(hcbr_writer *w, PyObject *one) {
    if (PyDict_Check(one))
        return json_write(w, one, 1);
    hcbr_read_options defaults;
    hcbr_read_options_init(&defaults);
    features f = {.options = &defaults};
    int failed = features_add(&f, one);
    if (!failed)
        failed = write_bare(w, &f);
    features_clear(&f);
    return failed;
}

/* ---- lines with labels ----------------------------------------------------------------------- */

/* A key after others, up to its value. */
static const char *next_key(lines *l, const char *name) {
    size_t length;
    hcbr_writer_clear(l->line);
    HCBR_PUT(l->line, hcbr_item_open(NULL, '{'), hcbr_item_key(name, strlen(name)));
    const char *bytes = hcbr_writer_get(l->line, &length);
    char *text = bytes ? arena_text(&l->made, bytes, length) : NULL;
    if (!bytes)
        PyErr_NoMemory();
    if (text)
        text[0] = ','; // in the place of the brace
    return text;
}

static void put_number(lines *l, const char *key, double value) {
    char number[HCBR_NUMBER_SIZE];
    hcbr_writer_put(l->line, key, strlen(key));
    hcbr_writer_put(l->line, number, hcbr_number_format(number, value));
}

int lines_open(lines *l, const char *const *labels, size_t count, const hcbr_read_options *read) {
    hcbr_error err;
    l->begins = arena_get(&l->made, count + 1, sizeof *l->begins);
    if (!l->begins || hcbr_writer_create(&l->line, NULL, NULL, &err) != HCBR_OK) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        size_t length;
        hcbr_writer_clear(l->line);
        HCBR_PUT(l->line, hcbr_item_open(NULL, '{'),
                 hcbr_item_key(read->label, strlen(read->label)));
        HCBR_PUT(l->line, hcbr_item_string(NULL, labels[i])); // NULL gives null
        const char *bytes = hcbr_writer_get(l->line, &length);
        if (!bytes || !(l->begins[i] = arena_text(&l->made, bytes, length)))
            return PyErr_Occurred() ? -1 : (PyErr_NoMemory(), -1);
    }
    if ((l->weight && !(l->weight_key = next_key(l, read->weight))) ||
        (l->group && !(l->group_key = next_key(l, read->group))))
        return -1;
    l->bodies = hcbr_writer_get(l->t->lines, NULL);
    return l->bodies ? 0 : (PyErr_NoMemory(), -1);
}

void lines_close(lines *l) {
    hcbr_writer_free(l->line);
    arena_clear(&l->made);
}

/* Make the next line. */
static void next_line(lines *l) {
    const char *begin = l->begins[l->codes[l->row]];
    const char *body = l->bodies + l->t->starts[l->row];
    size_t length = l->t->starts[l->row + 1] - l->t->starts[l->row];
    if (*body == ',') { // the writer sets one between objects
        body++;
        length--;
    }
    hcbr_writer_clear(l->line);
    hcbr_writer_put(l->line, begin, strlen(begin));
    if (l->weight)
        put_number(l, l->weight_key, l->weight[l->row]);
    if (l->group && l->group[l->row] == l->group[l->row]) // else it has none
        put_number(l, l->group_key, l->group[l->row]);
    if (length > 2)
        hcbr_writer_put(l->line, ",", 1);
    hcbr_writer_put(l->line, body + 1, length - 1); // its brace is open already
    hcbr_writer_put(l->line, "\n", 1);
    l->row++;
    l->used = 0;
}

static hcbr_status lines_read(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    lines *l = context;
    *got = 0;
    while (*got < room) {
        if (l->used == l->length) {
            if (l->row == l->t->rows)
                break;
            next_line(l);
            if (!(l->text = hcbr_writer_get(l->line, &l->length))) {
                l->length = 0;
                return err->status = HCBR_ENOMEM;
            }
        }
        size_t part = l->length - l->used < room - *got ? l->length - l->used : room - *got;
        memcpy(to + *got, l->text + l->used, part);
        l->used += part;
        *got += part;
    }
    return HCBR_OK;
}

static void lines_end(void *context) {
    (void)context;
}

const char LINES_PATH[] = "cases of Python";

hcbr_status lines_input(void *context, const char *path, hcbr_input *input, hcbr_error *err) {
    (void)err;
    if (strcmp(path, LINES_PATH) == 0) // else a joined source, which is an ordinary file
        *input = (hcbr_input){lines_read, lines_end, context, HCBR_FORMAT_JSONL};
    return HCBR_OK;
}
