/**
 * @file hcbr.h
 * The whole interface of libhcbr, and an introduction to it.
 *
 * The library learns from past cases. A case is a set of features, such as `job=clerk`, with a
 * label. A model built from past cases decides new ones and gives the reasons: the atoms
 * (sets of features) and the past cases whose contributions add up to the decision.
 *
 * **Simple use.** Read cases, train a model, decide a case, explain it:
 *
 * @code
 * #include <hcbr/hcbr.h>
 * #include <stdio.h>
 *
 * int main(void) {
 *     const char *path = "votes.csv";
 *     const hcbr_feature vote = {"physician-fee-freeze", 20, "n", 1};
 *     hcbr_explanation why = {.size = sizeof why};
 *     hcbr_cases *cases = NULL;
 *     hcbr_model *model = NULL;
 *     hcbr_decider *decider = NULL;
 *     hcbr_row *row = NULL;
 *     hcbr_explainer *explainer = NULL;
 *     hcbr_error err = {0};
 *     if (hcbr_cases_create(&cases, 0, &err) == HCBR_OK &&
 *         hcbr_cases_read(cases, &path, 1, NULL, &err) == HCBR_OK &&
 *         hcbr_cases_finish(cases, &err) == HCBR_OK &&
 *         hcbr_model_train(&model, cases, NULL, &err) == HCBR_OK &&
 *         hcbr_decider_create(&decider, model, NULL, &err) == HCBR_OK &&
 *         hcbr_row_create(&row, decider, &vote, 1, &err) == HCBR_OK &&
 *         hcbr_explainer_create(&explainer, model, NULL, NULL, &err) == HCBR_OK &&
 *         hcbr_explainer_explain(explainer, row, NULL, &why, &err) == HCBR_OK)
 *         printf("%s, by %zu atoms and %llu past cases\n",
 *                hcbr_model_get_label(model, why.label, NULL), why.atom_count,
 *                (unsigned long long)why.all_for);
 *     else
 *         fprintf(stderr, "%s: %s\n", err.file, err.message);
 *     hcbr_explainer_free(explainer);
 *     hcbr_row_free(row);
 *     hcbr_decider_free(decider);
 *     hcbr_model_free(model);
 *     hcbr_cases_free(cases);
 *     return err.status == HCBR_OK ? 0 : 1;
 * }
 * @endcode
 *
 * Every call follows the same pattern. It returns a status, and its last parameter receives the
 * reason of a failure. An object received through `T **out` belongs to the caller and is released
 * by its own free function, which accepts NULL. A result returned as `const T *` is borrowed. NULL
 * options are the defaults, and an array of 0 elements may be NULL. NULL for any other pointer is
 * HCBR_EUSAGE unless its description allows it, as is a size that was not set; a function that
 * returns no status expects valid pointers.
 *
 * **Contexts.** A finished list of cases and a model never change, nor does a row
 * (hcbr_row_create()), a new case as a model sees it; any number of threads may read them at once.
 * Calls change other objects only, one for each thread: a decider (hcbr_decider_create()),
 * a stream of cases read from files (hcbr_stream_create()), an explainer (hcbr_explainer_create()).
 * Each of them holds the result of its last call. Creating one costs more than using it, so keep
 * it:
 *
 * @code
 * #include <hcbr/hcbr.h>
 * #include <stdio.h>
 *
 * // In a thread of its own: the number of rows of a file with an answer.
 * static hcbr_status decide_all(const hcbr_model *model, const char *path, int *decided,
 *                               hcbr_error *err) {
 *     hcbr_decision decision = {.size = sizeof decision};
 *     hcbr_decider *decider = NULL;
 *     hcbr_stream *stream = NULL;
 *     int more = 1;
 *     hcbr_status st = hcbr_decider_create(&decider, model, NULL, err);
 *     if (st == HCBR_OK)
 *         st = hcbr_stream_create(&stream, decider, &path, 1, NULL, err);
 *     while (st == HCBR_OK && (st = hcbr_stream_next(stream, &decision, &more, err)) == HCBR_OK &&
 *            more)
 *         *decided += decision.label != HCBR_LABEL_UNKNOWN;
 *     hcbr_stream_free(stream);
 *     hcbr_decider_free(decider);
 *     return st;
 * }
 *
 * int main(void) {
 *     hcbr_labelled_case one;
 *     hcbr_train_options options;
 *     hcbr_cases *cases = NULL;
 *     hcbr_model *model = NULL;
 *     hcbr_error err = {0};
 *     int decided = 0;
 *     const hcbr_feature yes = {"mx-missile", 10, "y", 1}, no = {"mx-missile", 10, "n", 1};
 *     hcbr_train_options_init(&options);
 *     options.model = HCBR_MODEL_PLAIN;
 *     hcbr_labelled_case_init(&one);
 *     one.feature_count = 1;
 *     hcbr_status st = hcbr_cases_create(&cases, 0, &err);
 *     for (int i = 0; i < 10 && st == HCBR_OK; i++) {
 *         one.features = i % 2 ? &yes : &no;
 *         one.label = i % 2 ? "democrat" : "republican";
 *         st = hcbr_cases_add(cases, &one, &err);
 *     }
 *     if (st == HCBR_OK && (st = hcbr_cases_finish(cases, &err)) == HCBR_OK &&
 *         (st = hcbr_model_train(&model, cases, &options, &err)) == HCBR_OK &&
 *         (st = decide_all(model, "votes.csv", &decided, &err)) == HCBR_OK)
 *         printf("%d decided\n", decided);
 *     else
 *         fprintf(stderr, "%s: %s\n", err.file, err.message);
 *     hcbr_model_free(model);
 *     hcbr_cases_free(cases);
 *     return st == HCBR_OK ? 0 : 1;
 * }
 * @endcode
 *
 * **The rest**, a header for each subject:
 *
 * | header | content |
 * | --- | --- |
 * | status.h | statuses, errors, notices, progress; how structures may grow |
 * | cases.h | cases: read from files, or added one by one |
 * | columns.h | cases from tables in memory: typed columns, Arrow, sparse matrices |
 * | preview.h | the reading of a file: the uses of its columns, its first cases |
 * | prior.h | importances of features, and cases stated by experts |
 * | audit.h | checks of cases before a model is built |
 * | model.h | training, thresholds, costs; loading, saving and inspecting a model |
 * | decision.h | deciding new cases |
 * | answers.h | tables in memory: decided into arrays, or read as a stream |
 * | explain.h | reasons; what would change an answer; what to ask next |
 * | summary.h | the reasons of many decisions together |
 * | render.h | results as JSON and as a page |
 * | report.h | a page of charts and tables from results |
 * | evaluate.h | how well models decide unseen cases |
 * | drift.h | whether new cases still look like those of training |
 * | options.h | options by name and as text: one table of all |
 * | words.h | words and sentences of pages and texts |
 * | allocator.h | an allocator of the caller |
 * | number.h, text.h | numbers as text, text made safe for display |
 * | version.h | the version of these headers |
 */
#ifndef HCBR_HCBR_H
#define HCBR_HCBR_H

#include <hcbr/allocator.h>
#include <hcbr/answers.h>
#include <hcbr/audit.h>
#include <hcbr/cases.h>
#include <hcbr/columns.h>
#include <hcbr/decision.h>
#include <hcbr/drift.h>
#include <hcbr/evaluate.h>
#include <hcbr/explain.h>
#include <hcbr/model.h>
#include <hcbr/number.h>
#include <hcbr/options.h>
#include <hcbr/preview.h>
#include <hcbr/prior.h>
#include <hcbr/render.h>
#include <hcbr/report.h>
#include <hcbr/status.h>
#include <hcbr/summary.h>
#include <hcbr/text.h>
#include <hcbr/version.h>
#include <hcbr/words.h>

#endif
