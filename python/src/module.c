/*
 * The extension module hcbr._hcbr: models and tables. The user's classes are made from it in
 * Python.
 */
#include "binding.h"

static int add_type(PyObject *module, PyType_Spec *spec, const char *name, PyObject **out) {
    *out = PyType_FromModuleAndSpec(module, spec, NULL);
    return *out ? PyModule_AddObjectRef(module, name, *out) : -1;
}

static int module_exec(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    return errors_add(module) || add_type(module, &model_spec, "Model", &state->model_type) ||
                   add_type(module, &table_spec, "Table", &state->table_type) ||
                   add_type(module, &cases_spec, "Cases", &state->cases_type) ||
                   add_type(module, &row_spec, "Row", &state->row_type) || answer_add(module) ||
                   PyModule_AddStringConstant(module, "version", hcbr_version())
               ? -1
               : 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
    const module_state *state = PyModule_GetState(module);
    Py_VISIT(state->model_type);
    Py_VISIT(state->table_type);
    Py_VISIT(state->cases_type);
    Py_VISIT(state->answer_type);
    Py_VISIT(state->row_type);
    return 0;
}

static int module_clear(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->model_type);
    Py_CLEAR(state->table_type);
    Py_CLEAR(state->cases_type);
    Py_CLEAR(state->answer_type);
    Py_CLEAR(state->row_type);
    return 0;
}

static PyObject *read_is_missing(PyObject *module, PyObject *text) {
    (void)module;
    Py_ssize_t length;
    const char *bytes = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (!bytes)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a str was expected");
    hcbr_read_options defaults;
    hcbr_read_options_init(&defaults);
    return PyBool_FromLong(hcbr_read_is_missing(&defaults, bytes, (size_t)length));
}

static PyObject *value_to_text(PyObject *module, PyObject *object) {
    (void)module;
    value_text v;
    if (value_get(object, &v) != 0)
        return NULL;
    PyObject *text =
        v.text ? PyUnicode_DecodeUTF8(v.text, (Py_ssize_t)v.length, "strict") : Py_NewRef(Py_None);
    value_clear(&v);
    return text;
}

static PyMethodDef METHODS[] = {
    {"options", options_table, METH_NOARGS, "What each option does, by its name."},
    {"in_python", options_in_python, METH_O,
     "A message of the library with parameters in the place of options."},
    {"is_missing", read_is_missing, METH_O, "Whether a text means that a value is missing."},
    {"value_text", value_to_text, METH_O, "The text of a value as the library knows it, or None."},
    {"shown", value_shown, METH_O, "A value for a message: short, and never a whole table."},
    {"evaluate", (PyCFunction)(void (*)(void))study_evaluate, METH_VARARGS | METH_KEYWORDS,
     "evaluate(data, ...): as Model.fit(); JSON."},
    {"audit", (PyCFunction)(void (*)(void))study_audit, METH_VARARGS | METH_KEYWORDS,
     "audit(data, ...): as Model.fit(); JSON."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, (void *)module_exec}, {0, NULL}};

struct PyModuleDef hcbr_module = {.m_base = PyModuleDef_HEAD_INIT,
                                  .m_name = "_hcbr",
                                  .m_doc = "Models and tables of libhcbr.",
                                  .m_size = sizeof(module_state),
                                  .m_methods = METHODS,
                                  .m_slots = SLOTS,
                                  .m_traverse = module_traverse,
                                  .m_clear = module_clear};

PyMODINIT_FUNC PyInit__hcbr(void);
PyMODINIT_FUNC PyInit__hcbr(void) {
    return PyModuleDef_Init(&hcbr_module);
}
