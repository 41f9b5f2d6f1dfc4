/*
 * How long one explanation takes once a model is loaded: explain_time MODEL DATA ROWS
 *
 * Prints the CPU seconds of loading, of making the index and of preparing to explain; then for each
 * row of DATA, up to ROWS, those of one hcbr_explainer_explain() and how many past cases it met.
 */
#include <hcbr/hcbr.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(hcbr_status st, const hcbr_error *err) {
    if (st == HCBR_OK)
        return;
    fprintf(stderr, "explain_time: %s\n", err->message);
    exit(1);
}

int main(int argc, char **argv) {
    hcbr_model *model;
    hcbr_decider *decider;
    hcbr_index *index;
    hcbr_explainer *explainer;
    hcbr_stream *stream;
    hcbr_error err = {0};
    if (argc != 4)
        return 2;
    double start = now();
    must(hcbr_model_load(&model, argv[1], &err), &err);
    double loaded = now();
    must(hcbr_index_create(&index, model, NULL, &err), &err);
    double indexed = now();
    must(hcbr_decider_create(&decider, model, NULL, &err), &err);
    must(hcbr_explainer_create(&explainer, model, index, NULL, &err), &err);
    printf("load %.6f index %.6f prepare %.6f\n", loaded - start, indexed - loaded,
           now() - indexed);
    must(hcbr_stream_create(&stream, decider, (const char *const *)&argv[2], 1, NULL, &err), &err);
    for (int row = 0, more = 1; row < atoi(argv[3]); row++) {
        hcbr_decision d = {.size = sizeof d};
        hcbr_explanation e = {.size = sizeof e};
        hcbr_row *taken;
        must(hcbr_stream_next(stream, &d, &more, &err), &err);
        if (!more)
            break;
        must(hcbr_stream_get_row(stream, &taken, &err), &err);
        double begin = now();
        must(hcbr_explainer_explain(explainer, taken, NULL, &e, &err), &err);
        printf("explain %.6f %llu\n", now() - begin,
               (unsigned long long)(e.all_for + e.all_against));
        hcbr_row_free(taken);
    }
    hcbr_stream_free(stream);
    hcbr_explainer_free(explainer);
    hcbr_index_free(index);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    return 0;
}
