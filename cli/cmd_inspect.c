/*
 * hcbr inspect: loads a model and shows what it holds, as text or as JSON.
 */
#include "commands.h"
#include "inspect.h"
#include "settings.h"

#include <stdlib.h>

label_facts inspect_label(const inspection *i, hcbr_label label) {
    return label_of(i->model, label);
}

const char *inspect_fallback(const inspection *i, hcbr_label label) {
    if (label < 0)
        return label == HCBR_LABEL_PRIOR      ? "prior"
               : label == HCBR_LABEL_PROBABLE ? "auto"
                                              : "unknown";
    return inspect_label(i, label).name;
}

const char *inspect_model(const inspection *i) {
    return i->info.model == HCBR_MODEL_RICH ? "rich" : "plain";
}

const char *inspect_scope(const inspection *i) {
    return i->info.scope == HCBR_SCOPE_ALL ? "all" : "class";
}

const char *inspect_keep(const inspection *i) {
    switch (i->info.keep) {
    case HCBR_KEEP_NONE:
        return "none";
    case HCBR_KEEP_ANONYMOUS:
        return "anonymous";
    case HCBR_KEEP_FULL:
        break;
    }
    return "full";
}

const char *inspect_calibrate(const inspection *i) {
    return i->info.calibrate == HCBR_CALIBRATE_PLATT      ? "platt"
           : i->info.calibrate == HCBR_CALIBRATE_ISOTONIC ? "isotonic"
                                                          : "none";
}

double inspect_best_other(const inspection *i, uint32_t atom, hcbr_label label) {
    double best = 0;
    bool any = false;
    for (uint32_t l = 0; l < i->info.labels; l++) {
        double mu = hcbr_model_get_atom_strength(i->model, atom, (hcbr_label)l);
        if ((hcbr_label)l == label || (any && mu <= best))
            continue;
        best = mu;
        any = true;
    }
    return best;
}

const uint64_t *inspect_atom_counts(const inspection *i, uint32_t atom) {
    for (uint32_t l = 0; l < i->info.labels; l++)
        i->counts[l] = hcbr_model_get_atom_count(i->model, atom, (hcbr_label)l);
    return i->counts;
}

int inspect_rank(inspection *i, hcbr_label label, size_t *count) {
    hcbr_error err = {0};
    if (hcbr_model_rank_atoms(i->model, label, i->atoms, i->top, count, &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    return EXIT_DONE;
}

static int load(inspection *i) {
    hcbr_error err = {0};
    uint64_t top = 10;
    int code = settings_number(i->given, OPT_TOP, 0, UINT32_MAX, &top);
    if (code != EXIT_DONE)
        return code;
    if (hcbr_model_load(&i->model, i->given->operands[0], &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    i->info.size = sizeof i->info;
    hcbr_model_get_info(i->model, &i->info);
    hcbr_read_options_init(&i->read);
    hcbr_model_get_read_options(i->model, &i->read);
    i->most_cases = (size_t)top;
    i->top = top < i->info.atoms ? (size_t)top : i->info.atoms;
    i->atoms = calloc(i->top + 1, sizeof *i->atoms);
    i->counts = calloc((size_t)i->info.labels + 1, sizeof *i->counts);
    i->out = malloc(sizeof *i->out);
    if (!i->atoms || !i->counts || !i->out ||
        (i->info.atoms && !hcbr_model_get_atom_features(i->model, 0))) // makes room for all
        return say_no_memory("inspect");
    out_open(i->out, NULL);
    return EXIT_DONE;
}

int cmd_inspect(const args *given) {
    inspection i = {.given = given};
    term_init(&i.term, "inspect", args_has(given, OPT_QUIET), args_has(given, OPT_VERBOSE), false);
    int code = load(&i);
    if (code == EXIT_DONE && (args_has(given, OPT_ATOM) || args_has(given, OPT_CASE)))
        code = inspect_one(&i);
    else if (code == EXIT_DONE)
        code = args_has(given, OPT_JSON) ? inspect_json(&i) : inspect_text(&i);
    if (code == EXIT_DONE)
        code = out_close(i.out, "inspect");
    free(i.out);
    free(i.atoms);
    free(i.counts);
    hcbr_explainer_free(i.explainer);
    hcbr_model_free(i.model);
    return code;
}
