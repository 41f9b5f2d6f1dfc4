/*
 * Cases looked at without keeping a model: evaluations and audits, as the JSON of the program.
 */
#include "binding.h"

static hcbr_status evaluate(void *to, hcbr_cases *cases, settings *o, guard *g) {
    hcbr_evaluation *made = NULL;
    o->evaluate.by_group = o->read.group != NULL;
    hcbr_status status = hcbr_evaluate(&made, cases, &o->evaluate, &g->err);
    if (status == HCBR_OK)
        status = hcbr_json_evaluation(to, made, hcbr_cases_get_info(cases).skipped, &g->err);
    hcbr_evaluation_free(made);
    return status;
}

static hcbr_status audit(void *to, hcbr_cases *cases, settings *o, guard *g) {
    hcbr_audit *made = NULL;
    hcbr_audit_options how;
    hcbr_audit_options_init(&how);
    how.seed = o->train.seed;
    how.threads = o->train.threads;
    how.progress = guard_progress;
    how.progress_context = g;
    hcbr_status status = hcbr_audit_create(&made, cases, &how, &g->err);
    if (status == HCBR_OK)
        status = hcbr_json_audit(to, made, &g->err);
    hcbr_audit_free(made);
    return status;
}

static PyObject *study(PyObject *module, PyObject *args, PyObject *keywords, use_fn *use) {
    hcbr_writer *w = NULL;
    hcbr_error err;
    PyObject *text = NULL;
    if (hcbr_writer_create(&w, NULL, NULL, &err) != HCBR_OK)
        return PyErr_NoMemory();
    if (cases_use(PyModule_GetState(module), args, keywords, use, w) == 0) {
        size_t length = 0;
        const char *bytes = hcbr_writer_get(w, &length);
        text = bytes ? PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "strict") : PyErr_NoMemory();
    }
    hcbr_writer_free(w);
    return text;
}

PyObject *study_evaluate(PyObject *module, PyObject *args, PyObject *keywords) {
    return study(module, args, keywords, evaluate);
}

PyObject *study_audit(PyObject *module, PyObject *args, PyObject *keywords) {
    return study(module, args, keywords, audit);
}
