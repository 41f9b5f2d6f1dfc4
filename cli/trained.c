/*
 * Whether data are those that a model was trained on, which tell nothing about new cases.
 *
 * The first rows of files that can be read twice are compared, before anything else is read.
 */
#include "trained.h"

#include <string.h>
#include <sys/stat.h>

enum { LOOKED = 200 };

static void ignore(void *context, hcbr_notice kind, const hcbr_error *where) {
    (void)context, (void)kind, (void)where;
}

static bool all_regular(const char *const *paths, size_t count) {
    struct stat about;
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], "-") == 0 || stat(paths[i], &about) != 0 || !S_ISREG(about.st_mode))
            return false;
    return true;
}

trained_rows trained_count(const hcbr_model *model, const char *const *paths, size_t count,
                           const hcbr_read_options *read) {
    trained_rows found = {0, 0};
    hcbr_decision d = {.size = sizeof d};
    hcbr_read_options how = *read;
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    uint64_t index;
    int more = 1;
    how.threads = 1;
    how.notify = ignore;
    how.progress = NULL;
    if (hcbr_model_kept_count(model) == 0 || !all_regular(paths, count) ||
        hcbr_decider_create(&decider, model, NULL, NULL) != HCBR_OK ||
        hcbr_stream_create(&stream, decider, paths, count, &how, NULL) != HCBR_OK)
        more = 0;
    while (more && found.looked < LOOKED && hcbr_stream_next(stream, &d, &more, NULL) == HCBR_OK &&
           more && hcbr_stream_find_itself(stream, &index, NULL) == HCBR_OK) {
        found.looked++;
        found.trained += index != UINT64_MAX;
    }
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    return found;
}

void trained_note(term *t, trained_rows rows) {
    if (rows.trained)
        term_note(t,
                  "%llu of the first %llu rows were a part of the training: how well they are "
                  "answered says nothing about new cases",
                  (unsigned long long)rows.trained, (unsigned long long)rows.looked);
}
