/*
 * hcbr evaluate MODEL DATA: decides labelled cases with a model that exists.
 */
#include "evaluation.h"
#include "trained.h"

#include <string.h>

bool evaluates_stored(const args *given) {
    return given->operand_count > 1 && settings_is_model(given->operands[0]);
}

/* Refuse options about building a model or holding cases out, which do not apply to an existing
 * model. */
static int check_options(const args *given) {
    static const char *const TOO_LATE[] = {
        "group",       "weight",      "bins",      "labels-as-they-are",
        "type",        "dates",       "min-count", "model",
        "effort",      "max-memory",  "min-cases", "numeric",
        "scope",       "categorical", "passes",    "seed",
        "given-order", "calibrate",   "folds",     "repeats",
        "holdout",     "past-only",   "test",      "folds-file",
        "folds-out",   "importance",  "belief",    "equal-rows"};
    for (size_t i = 0; i < sizeof TOO_LATE / sizeof *TOO_LATE; i++)
        if (args_has(given, TOO_LATE[i]))
            return say_usage("evaluate",
                             "--%s: %s is a model, which is trained already; leave the option out, "
                             "or the model",
                             opt_name(TOO_LATE[i]), given->operands[0]);
    return EXIT_DONE;
}

int evaluate_stored(evaluation *e) {
    hcbr_error err = {0};
    bool own;
    uint64_t threads = 1;
    int code = check_options(e->given);
    if (code ||
        (code = settings_load(&e->settings, e->given, &e->term, &e->model, &e->read, &e->rule,
                              &own)) ||
        (code = settings_number(e->given, "threads", 1, 1024, &threads)))
        return code;
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    e->read.threads = (uint32_t)threads;
    e->stored = true;
    term_begin(&e->term, "read");
    if (hcbr_decider_create(&decider, e->model, own ? &e->rule : NULL, &err) != HCBR_OK ||
        hcbr_stream_create(&stream, decider, e->settings.paths, e->settings.path_count, &e->read,
                           &err) != HCBR_OK ||
        hcbr_evaluate_stream(&e->result, e->model, stream, &e->options, &err) != HCBR_OK)
        code = term_fail(&e->term, &err);
    if (stream)
        e->skipped = hcbr_stream_skipped_count(stream);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    if (code != EXIT_DONE)
        return code;
    term_end(&e->term);
    trained_note(&e->term,
                 trained_count(e->model, e->settings.paths, e->settings.path_count, &e->read));
    e->info.size = sizeof e->info;
    hcbr_evaluation_get_info(e->result, &e->info);
    return EXIT_DONE;
}
