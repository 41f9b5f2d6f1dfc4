/*
 * hcbr inspect: loads a model and shows its content, as text or as JSON.
 */
#include "commands.h"
#include "inspect.h"
#include "settings.h"

#include <stdlib.h>
#include <unistd.h>

label_facts inspect_label(const inspection *i, hcbr_label label) {
    return label_of(i->model, label);
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

static int inspect_json(inspection *i) {
    hcbr_error err = {0};
    hcbr_writer *w;
    int code = out_writer(i->out, "inspect", &w);
    if (code != EXIT_DONE)
        return code;
    hcbr_writer_watch(w, term_progress, &i->term);
    return term_written(&i->term, i->out, hcbr_json_inspection(w, i->model, i->most, &err), &err);
}

static int load(inspection *i) {
    hcbr_error err = {0};
    uint64_t top = 10;
    int code = settings_number(i->given, "top", 0, UINT32_MAX, &top);
    if (code != EXIT_DONE)
        return code;
    if (hcbr_model_load(&i->model, i->given->operands[0], &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    i->info.size = sizeof i->info;
    hcbr_model_get_info(i->model, &i->info);
    hcbr_read_options_init(&i->read);
    hcbr_model_get_read_options(i->model, &i->read);
    i->most = (size_t)top;
    i->top = top < i->info.atoms ? (size_t)top : i->info.atoms;
    i->atoms = calloc(i->top + 1, sizeof *i->atoms);
    i->counts = calloc((size_t)i->info.labels + 1, sizeof *i->counts);
    i->out = calloc(1, sizeof *i->out);
    if (!i->atoms || !i->counts || !i->out ||
        (i->info.atoms && !hcbr_model_get_atom_features(i->model, 0))) // makes room for all
        return say_no_memory("inspect");
    out_open(i->out, NULL);
    return EXIT_DONE;
}

int cmd_inspect(const args *given) {
    inspection i = {.given = given};
    // Progress must not interrupt a half-written line of JSON.
    bool progress = !args_has(given, "json") || !isatty(STDOUT_FILENO);
    term_init(&i.term, "inspect", args_has(given, "quiet"), args_has(given, "verbose"), progress);
    int code = load(&i);
    if (code == EXIT_DONE && (args_has(given, "atom") || args_has(given, "case")))
        code = inspect_one(&i);
    else if (code == EXIT_DONE)
        code = args_has(given, "json") ? inspect_json(&i) : inspect_text(&i);
    term_finish(&i.term);
    if (code == EXIT_DONE)
        code = out_close(i.out, "inspect");
    if (i.out)
        out_discard(i.out);
    free(i.out);
    free(i.atoms);
    free(i.counts);
    hcbr_importance_free(i.importance);
    hcbr_explainer_free(i.explainer);
    hcbr_model_free(i.model);
    return code;
}
