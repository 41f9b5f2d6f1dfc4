/*
 * Explanations: rows of a table as JSON Lines, one case as JSON and as a page, and the importance
 * of columns.
 *
 * The past cases of a model are indexed once, when the first explanation needs it, and shared by
 * all explainers of the model.
 */
#include "binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- working memory -------------------------------------------------------------------------- */

/* Make the index without the GIL; of two threads that do so at once one wins. */
static int need_index(model *m, unsigned int threads, PyObject *progress) {
    if (m->index)
        return 0;
    hcbr_index *made = NULL;
    hcbr_index_options options;
    guard g;
    guard_begin(&g, progress);
    hcbr_index_options_init(&options);
    options.threads = threads ? threads : 1;
    options.progress = guard_progress;
    options.progress_context = &g;
    hcbr_status status = hcbr_index_create(&made, m->model, &options, &g.err);
    int failed = guard_end(&g, status);
    if (failed || m->index)
        hcbr_index_free(made);
    else
        m->index = made;
    return failed;
}

static hcbr_explainer *take_explainer(model *m) {
    if (need_index(m, 1, NULL) != 0)
        return NULL;
    if (m->explainer_count)
        return m->explainers[--m->explainer_count];
    hcbr_explainer *made = NULL;
    hcbr_error err;
    if (hcbr_explainer_create(&made, m->model, m->index, NULL, &err) != HCBR_OK)
        errors_raise(&err);
    return made;
}

static void return_explainer(model *m, hcbr_explainer *explainer) {
    hcbr_explainer_watch(explainer, NULL, NULL);
    if (m->explainer_count < SPARE)
        m->explainers[m->explainer_count++] = explainer;
    else
        hcbr_explainer_free(explainer);
}

static PyObject *written(const hcbr_writer *w) {
    size_t length = 0;
    const char *bytes = hcbr_writer_get(w, &length);
    return bytes ? PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "strict") : PyErr_NoMemory();
}

/* ---- rows of a table ------------------------------------------------------------------------- */

typedef struct rows {
    const model *m;
    hcbr_writer *w;
    hcbr_status status;
    hcbr_error *err;
    uint64_t before; /* rows of earlier batches */
    hcbr_row **kept;
    size_t count, room;
} rows;

/* Write a line and keep the row, which is taken over. */
static hcbr_status take(rows *r, const hcbr_explained_row *row, uint64_t number, hcbr_error *err) {
    hcbr_decision decision = *row->decision;
    hcbr_explained_row shown = *row;
    decision.row = number;
    shown.decision = &decision;
    shown.explainer = NULL; // past cases are not compared
    hcbr_status status = hcbr_write_explanation(r->w, HCBR_JSON, r->m->model, &shown, err);
    if (status == HCBR_OK)
        status = hcbr_write_end(r->w, HCBR_JSON, err);
    if (status == HCBR_OK && r->count == r->room) {
        const size_t room = 2 * r->room + 16;
        hcbr_row **more = realloc(r->kept, room * sizeof(hcbr_row *));
        r->kept = more ? more : r->kept;
        r->room = more ? room : r->room;
        if (!more)
            status = err->status = HCBR_ENOMEM;
    }
    if (status == HCBR_OK)
        r->kept[r->count++] = row->row;
    else
        hcbr_row_free(row->row);
    return status;
}

static int take_row(void *context, const hcbr_explained_row *row) {
    rows *r = context;
    r->status = take(r, row, row->decision->row + r->before, r->err);
    return r->status != HCBR_OK;
}

/* The rows as objects, which take them over. */
static PyObject *row_list(rows *r, model *m) {
    PyObject *list = PyList_New((Py_ssize_t)r->count);
    for (size_t i = 0; list && i < r->count; i++) {
        PyObject *one = row_wrap((PyObject *)m, r->kept[i]);
        r->kept[i] = NULL;
        if (!one || PyList_SetItem(list, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static hcbr_status explain_stream(rows *r, hcbr_decider *decider, hcbr_stream *stream,
                                  const hcbr_explain_rows_options *options, hcbr_status status,
                                  hcbr_error *err) {
    (void)decider;
    if (status == HCBR_OK) {
        status = hcbr_explain_rows(r->m->model, stream, NULL, options, take_row, r, err);
        if (r->status != HCBR_OK)
            status = err->status = r->status;
    }
    hcbr_stream_free(stream);
    return status;
}

static hcbr_status explain_cases(rows *r, const table *t, hcbr_decider *decider,
                                 hcbr_explainer *explainer, const hcbr_explain_options *options,
                                 guard *g) {
    hcbr_status status = HCBR_OK;
    for (uint64_t i = 0; i < t->rows && status == HCBR_OK; i++) {
        hcbr_explanation explanation = {.size = sizeof explanation};
        hcbr_explained_row row = {.size = sizeof row, .explanation = &explanation};
        status = hcbr_row_create(&row.row, decider, t->cases.items + t->starts[i],
                                 t->starts[i + 1] - t->starts[i], &g->err);
        if (status == HCBR_OK)
            status = hcbr_explainer_explain(explainer, row.row, options, &explanation, &g->err);
        row.decision = explanation.decision;
        if (status == HCBR_OK)
            status = take(r, &row, i + 1, &g->err);
        else
            hcbr_row_free(row.row);
        if (status == HCBR_OK && guard_progress(g, "explain", i, t->rows))
            status = HCBR_ECANCELLED;
    }
    return status;
}

static hcbr_status explain_table(rows *r, const table *t, hcbr_decider *decider,
                                 hcbr_explainer *explainer, const hcbr_read_options *read,
                                 const hcbr_explain_rows_options *options, guard *g) {
    hcbr_stream *stream = NULL;
    hcbr_status status = HCBR_OK;
    switch (t->kind) {
    case TABLE_COLUMNS:
        status = hcbr_stream_create_columns(&stream, decider, t->columns, t->column_count, read,
                                            &g->err);
        return explain_stream(r, decider, stream, options, status, &g->err);
    case TABLE_SPARSE:
        status = hcbr_stream_create_sparse(&stream, decider, &t->sparse, NULL, 0, read, &g->err);
        return explain_stream(r, decider, stream, options, status, &g->err);
    case TABLE_ARROW:
        for (size_t i = 0; i < t->batch_count && status == HCBR_OK; i++) {
            status =
                hcbr_stream_create_arrow(&stream, decider, t->schema, t->batches[i], read, &g->err);
            status = explain_stream(r, decider, stream, options, status, &g->err);
            r->before += (uint64_t)t->batches[i]->length;
        }
        return status;
    case TABLE_CASES:
        return explain_cases(r, t, decider, explainer, options->explain, g);
    case TABLE_LINES:
        break; // refused before
    }
    return status;
}

static size_t most(Py_ssize_t given) {
    return given < 0 ? SIZE_MAX : (size_t)given;
}

PyObject *model_explain(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"table", "atoms", "cases", "threads", "progress", NULL};
    PyObject *data, *progress = Py_None, *text = NULL, *list = NULL, *both = NULL;
    Py_ssize_t atoms = 10, cases = 5;
    unsigned int threads = 1;
    model *m = (model *)self;
    const module_state *state = PyType_GetModuleState(Py_TYPE(self));
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|nnIO:explain", names,
                                     (PyTypeObject *)state->table_type, &data, &atoms, &cases,
                                     &threads, &progress) ||
        need_index(m, threads, progress) != 0)
        return NULL;
    if (((table *)data)->kind == TABLE_LINES) {
        PyErr_SetString(PyExc_ValueError, "these cases are to learn from");
        return NULL;
    }
    hcbr_decider *decider = model_take_decider(m);
    hcbr_explainer *explainer = decider ? take_explainer(m) : NULL;
    if (explainer) {
        hcbr_explain_options shown;
        hcbr_explain_rows_options options;
        hcbr_read_options read = m->read;
        guard g;
        rows r = {.m = m, .err = &g.err};
        hcbr_explain_options_init(&shown);
        hcbr_explain_rows_options_init(&options);
        shown.atoms = most(atoms);
        shown.cases = most(cases);
        shown.atom_cases = cases == 0 ? 0 : shown.atom_cases;
        options.explain = &shown;
        options.threads = threads ? threads : 1;
        options.index = m->index;
        guard_begin(&g, progress);
        options.progress = read.progress = guard_progress;
        options.progress_context = read.progress_context = read.notify_context = &g;
        read.notify = guard_notify;
        read.threads = 1;
        hcbr_explainer_watch(explainer, guard_progress, &g);
        hcbr_status status = hcbr_writer_create(&r.w, NULL, NULL, &g.err);
        if (status == HCBR_OK)
            status = explain_table(&r, (table *)data, decider, explainer, &read, &options, &g);
        if (guard_end(&g, status) == 0 && (text = written(r.w)) && (list = row_list(&r, m)))
            both = PyTuple_Pack(2, text, list);
        for (size_t i = 0; i < r.count; i++)
            hcbr_row_free(r.kept[i]);
        free(r.kept);
        Py_XDECREF(text);
        Py_XDECREF(list);
        hcbr_writer_free(r.w);
        return_explainer(m, explainer);
    }
    if (decider)
        model_return_decider(m, decider);
    return both;
}

/* ---- one case in full ------------------------------------------------------------------------ */

/* The questions about a case. */
typedef struct question {
    hcbr_explain_options shown;
    const char *page;   /* name of the model on the page */
    uint64_t row;       /* 0: none */
    const char *versus; /* a past case; NULL: none */
    int flip, ask;      /* how many; 0: none */
    hcbr_flip_options flips;
    hcbr_writer *writers[2]; /* by their form */
} question;

/* Say which past cases there are. */
static hcbr_status no_such_case(const hcbr_model *m, const char *name, hcbr_error *err) {
    const uint64_t count = hcbr_model_kept_count(m);
    uint64_t last = 0;
    bool named = false;
    err->status = HCBR_EUSAGE;
    if (count == 0) {
        snprintf(err->message, sizeof err->message,
                 "there are no past cases: the model was trained with option keep_cases none");
        return err->status;
    }
    for (uint64_t i = 0; i < count; i++) {
        hcbr_kept_case x = {.size = sizeof x};
        hcbr_model_get_kept(m, i, &x);
        last = x.row > last ? x.row : last;
        named = named || x.id;
    }
    snprintf(err->message, sizeof err->message,
             "found no past case '%.100s', expected %sone of the rows 1 to %llu", name,
             named ? "the id of one, or " : "", (unsigned long long)last);
    return err->status;
}

static hcbr_status answer_versus(question *q, const model *m, hcbr_explainer *e,
                                 const hcbr_row *row, hcbr_error *err) {
    hcbr_comparison c = {.size = sizeof c};
    const uint64_t index = hcbr_model_find_kept(m->model, q->versus, strlen(q->versus));
    if (index == UINT64_MAX)
        return no_such_case(m->model, q->versus, err);
    hcbr_status status = hcbr_explainer_compare(e, row, index, 1, &c, err);
    for (hcbr_form n = HCBR_JSON; status == HCBR_OK && n <= HCBR_HTML; n++)
        status = hcbr_write_comparison(q->writers[n], n, m->model, &c, err);
    return status;
}

static hcbr_status answer_flip(question *q, const model *m, hcbr_explainer *e, const hcbr_row *row,
                               hcbr_error *err) {
    hcbr_flips found = {.size = sizeof found};
    hcbr_status status = hcbr_explainer_flip(e, row, &q->flips, &found, err);
    for (hcbr_form n = HCBR_JSON; status == HCBR_OK && n <= HCBR_HTML; n++)
        status = hcbr_write_flips(q->writers[n], n, m->model, &found, err);
    return status;
}

static hcbr_status answer_ask(question *q, const model *m, hcbr_explainer *e, const hcbr_row *row,
                              hcbr_error *err) {
    hcbr_questions open = {.size = sizeof open};
    hcbr_status status = hcbr_explainer_ask(e, row, (size_t)q->ask, &open, err);
    for (hcbr_form n = HCBR_JSON; status == HCBR_OK && n <= HCBR_HTML; n++)
        status = hcbr_write_questions(q->writers[n], n, m->model, &open, err);
    return status;
}

/* The reasons, and on the page past cases next to the case. */
static hcbr_status answer_why(question *q, const model *m, hcbr_explainer *e, hcbr_row *row,
                              hcbr_error *err) {
    hcbr_explanation explanation = {.size = sizeof explanation};
    hcbr_status status = hcbr_explainer_explain(e, row, &q->shown, &explanation, err);
    if (status != HCBR_OK)
        return status;
    hcbr_decision decision = *explanation.decision;
    hcbr_explained_row shown = {
        .size = sizeof shown, .decision = &decision, .explanation = &explanation, .row = row};
    decision.row = q->row;
    if ((status = hcbr_write_explanation(q->writers[HCBR_JSON], HCBR_JSON, m->model, &shown, err)))
        return status;
    shown.explainer = e;
    return hcbr_write_explanation(q->writers[HCBR_HTML], HCBR_HTML, m->model, &shown, err);
}

static hcbr_status answer_all(question *q, const model *m, hcbr_explainer *e, hcbr_row *row,
                              hcbr_error *err) {
    hcbr_writer *html = q->writers[HCBR_HTML];
    hcbr_status status;
    if ((status = hcbr_html_begin(html, m->model, err)) ||
        (status = answer_why(q, m, e, row, err)) ||
        (status = q->versus ? answer_versus(q, m, e, row, err) : HCBR_OK) ||
        (status = q->flip ? answer_flip(q, m, e, row, err) : HCBR_OK) ||
        (status = q->ask ? answer_ask(q, m, e, row, err) : HCBR_OK) ||
        (status = hcbr_write_end(q->writers[HCBR_JSON], HCBR_JSON, err)) ||
        (status = hcbr_write_end(html, HCBR_HTML, err)))
        return status;
    return hcbr_html_end(html, err);
}

/* Tuples (column, low, high, increase only, decrease only) of Python; the texts are theirs. */
static int get_bounds(hcbr_flip_options *flips, PyObject *object) {
    Py_ssize_t count = object == Py_None ? 0 : PySequence_Size(object);
    hcbr_flip_bound *list = count > 0 ? PyMem_Calloc((size_t)count, sizeof *list) : NULL;
    flips->bounds = list;
    if (count < 0 || (count > 0 && !list))
        return count < 0 ? -1 : (PyErr_NoMemory(), -1);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = PySequence_GetItem(object, i);
        hcbr_flip_bound *b = &list[flips->bound_count++];
        int good = one && PyArg_ParseTuple(one, "szzpp", &b->column, &b->low, &b->high,
                                           &b->increase_only, &b->decrease_only);
        Py_XDECREF(one); // the sequence still has it
        if (!good)
            return -1;
    }
    return 0;
}

/* A list of columns is read as the option `ignore` is. */
static int get_columns(settings *o, PyObject *columns, const char *const **names, size_t *count) {
    PyObject *dict = columns == Py_None ? NULL : Py_BuildValue("{sO}", "ignore", columns);
    int failed = columns != Py_None && !dict ? -1 : options_get(o, dict);
    *names = o->read.ignore;
    *count = o->read.ignore_count;
    Py_XDECREF(dict);
    return failed;
}

static PyObject *ask_all(model *m, question *q, hcbr_row *row) {
    hcbr_explainer *explainer = take_explainer(m);
    PyObject *json = NULL, *html = NULL, *both = NULL;
    hcbr_page_options page;
    hcbr_status status = HCBR_OK;
    guard g;
    if (!explainer)
        return NULL;
    guard_begin(&g, NULL);
    hcbr_explainer_watch(explainer, guard_progress, &g);
    hcbr_page_options_init(&page);
    page.name = q->page;
    for (hcbr_form n = HCBR_JSON; status == HCBR_OK && n <= HCBR_HTML; n++)
        if ((status = hcbr_writer_create(&q->writers[n], NULL, NULL, &g.err)) == HCBR_OK)
            hcbr_writer_set_page(q->writers[n], &page);
    if (status == HCBR_OK)
        status = answer_all(q, m, explainer, row, &g.err);
    if (guard_end(&g, status) == 0 && (json = written(q->writers[HCBR_JSON])) &&
        (html = written(q->writers[HCBR_HTML])))
        both = PyTuple_Pack(2, json, html);
    Py_XDECREF(json);
    Py_XDECREF(html);
    hcbr_writer_free(q->writers[HCBR_JSON]);
    hcbr_writer_free(q->writers[HCBR_HTML]);
    return_explainer(m, explainer);
    return both;
}

PyObject *model_reasons(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"case", "name", "row",   "atoms", "cases",  "versus",
                            "flip", "ask",  "fixed", "only",  "bounds", NULL};
    PyObject *given, *fixed = Py_None, *only = Py_None, *bounds = Py_None, *both = NULL;
    Py_ssize_t atoms = 10, cases = 5;
    unsigned long long row = 0;
    question q = {.page = "model"};
    settings stay = {0}, move = {0};
    hcbr_row *asked;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|sKnnziiOOO:reasons", names, &given, &q.page,
                                     &row, &atoms, &cases, &q.versus, &q.flip, &q.ask, &fixed,
                                     &only, &bounds))
        return NULL;
    hcbr_explain_options_init(&q.shown);
    hcbr_flip_options_init(&q.flips);
    q.row = row;
    q.shown.atoms = most(atoms);
    q.shown.cases = most(cases);
    q.flips.most = q.flip > 0 ? (size_t)q.flip : q.flips.most;
    if (!get_columns(&stay, fixed, &q.flips.fixed, &q.flips.fixed_count) &&
        !get_columns(&move, only, &q.flips.only, &q.flips.only_count) &&
        !get_bounds(&q.flips, bounds) && (asked = row_of((model *)self, given)))
        both = ask_all((model *)self, &q, asked);
    PyMem_Free((void *)(uintptr_t)q.flips.bounds);
    options_clear(&stay);
    options_clear(&move);
    return both;
}

/* ---- many cases together --------------------------------------------------------------------- */

/* Explain rows and add up their reasons. */
static hcbr_status sum_rows(hcbr_summary *summary, hcbr_explainer *explainer,
                            const hcbr_row *const *list, size_t count, guard *g) {
    hcbr_explain_options shown;
    hcbr_status status = HCBR_OK;
    hcbr_explain_options_init(&shown);
    shown.atoms = 3;
    shown.cases = shown.atom_cases = 0;
    for (size_t i = 0; i < count && status == HCBR_OK; i++) {
        hcbr_explanation explanation = {.size = sizeof explanation};
        status = hcbr_explainer_explain(explainer, list[i], &shown, &explanation, &g->err);
        if (status != HCBR_OK)
            break;
        hcbr_decision decision = *explanation.decision;
        decision.row = i + 1;
        decision.given = NULL; // labels of the data do not count
        status = hcbr_summary_add(summary, &decision, &explanation, &g->err);
    }
    return status;
}

static PyObject *sum_all(model *m, const hcbr_row *const *list, size_t count, Py_ssize_t shown) {
    hcbr_explainer *explainer = take_explainer(m);
    hcbr_summary *summary = NULL;
    hcbr_summary_options options;
    hcbr_summed summed = {.size = sizeof summed};
    hcbr_writer *w = NULL;
    PyObject *text = NULL;
    guard g;
    if (!explainer)
        return NULL;
    hcbr_summary_options_init(&options);
    options.most = most(shown);
    guard_begin(&g, NULL);
    hcbr_explainer_watch(explainer, guard_progress, &g);
    hcbr_status status = hcbr_writer_create(&w, NULL, NULL, &g.err);
    if (status == HCBR_OK)
        status = hcbr_summary_create(&summary, m->model, &options, &g.err);
    if (status == HCBR_OK)
        status = sum_rows(summary, explainer, list, count, &g);
    if (status == HCBR_OK)
        status = hcbr_summary_get(summary, &summed, &g.err);
    if (status == HCBR_OK)
        status = hcbr_json_summary(w, m->model, &summed, &g.err);
    if (guard_end(&g, status) == 0)
        text = written(w);
    hcbr_summary_free(summary);
    hcbr_writer_free(w);
    return_explainer(m, explainer);
    return text;
}

PyObject *model_summary(PyObject *self, PyObject *args) {
    PyObject *cases, *text = NULL;
    Py_ssize_t shown = 10;
    if (!PyArg_ParseTuple(args, "O|n:summary", &cases, &shown) || !(cases = PySequence_List(cases)))
        return NULL;
    const Py_ssize_t count = PyList_Size(cases);
    const hcbr_row **list = PyMem_Calloc((size_t)count + 1, sizeof(hcbr_row *));
    int failed = list ? 0 : (PyErr_NoMemory(), -1);
    for (Py_ssize_t i = 0; !failed && i < count; i++)
        failed = (list[i] = row_of((model *)self, PyList_GetItem(cases, i))) ? 0 : -1;
    if (!failed)
        text = sum_all((model *)self, list, (size_t)count, shown);
    PyMem_Free(list);
    Py_DECREF(cases);
    return text;
}

/* ---- importance ------------------------------------------------------------------------------ */

static PyObject *column_list(const hcbr_important_columns *columns) {
    PyObject *list = PyList_New((Py_ssize_t)columns->count);
    for (size_t i = 0; list && i < columns->count; i++) {
        const hcbr_important_column *c = &columns->columns[i];
        PyObject *name = PyUnicode_DecodeUTF8(c->name, (Py_ssize_t)c->name_length, "replace");
        PyObject *row =
            name ? Py_BuildValue("NddK", name, c->importance, c->lead, (unsigned long long)c->cases)
                 : NULL;
        if (!row || PyList_SetItem(list, (Py_ssize_t)i, row) != 0)
            Py_CLEAR(list);
    }
    return list;
}

PyObject *model_importance(PyObject *self, PyObject *args) {
    unsigned long long count = 0;
    model *m = (model *)self;
    if (!PyArg_ParseTuple(args, "|K:importance", &count))
        return NULL;
    hcbr_explainer *explainer = take_explainer(m);
    if (!explainer)
        return NULL;
    hcbr_important_columns columns = {.size = sizeof columns};
    hcbr_importance *sum = NULL;
    PyObject *list = NULL;
    guard g;
    guard_begin(&g, NULL);
    hcbr_explainer_watch(explainer, guard_progress, &g);
    hcbr_status status = hcbr_importance_create(&sum, &g.err);
    if (status == HCBR_OK)
        status = hcbr_importance_add_kept(sum, explainer, count, &g.err);
    if (status == HCBR_OK)
        status = hcbr_importance_get(sum, &columns, &g.err);
    if (guard_end(&g, status) == 0)
        list = column_list(&columns);
    hcbr_importance_free(sum);
    return_explainer(m, explainer);
    return list;
}
