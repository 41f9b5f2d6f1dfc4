/**
 * @file report.h
 * A page of HTML from results: charts, tables, and first of all whether to trust the model.
 *
 * A report is made from the JSON of results, as hcbr_json_*() writes it, `--json` prints it and
 * docs/JSON.md describes it: evaluations, curves, inspections, audits, studies, drift, training. It
 * shows its input in a fixed order, and holds all of it in the page, for programs. The page has no
 * scripts and loads nothing. It follows the reader's light or dark theme, and can be printed. Every
 * chart has its table, and every text of the data is escaped.
 */
#ifndef HCBR_REPORT_H
#define HCBR_REPORT_H

#include <hcbr/render.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Results to show; one thread at a time. */
typedef struct hcbr_report hcbr_report;

/**
 * Make a report without results.
 *
 * @param out   receives it, NULL on failure; release with hcbr_report_free().
 * @param title of the page; text of any kind; copied.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_report_create(hcbr_report **out, const char *title,
                                                        hcbr_error *err);

/** Release a report. NULL is fine. */
HCBR_API void hcbr_report_free(hcbr_report *report);

/**
 * Add results: one or more objects of JSON, one after the other.
 *
 * A schema without a section of its own is listed with its figures. A later object of the same
 * schema, and for studies of the same kind, replaces an earlier one.
 *
 * @param json   UTF-8; copied.
 * @param name   its source, for messages; may be NULL.
 * @return HCBR_OK, HCBR_EDATA (no JSON, no object with a `schema` that begins with "hcbr."; with
 *         the place), or HCBR_ENOMEM. On failure nothing is added.
 *
 * Cost: about ten times the text in memory.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_report_add(hcbr_report *report, const char *json,
                                                     size_t length, const char *name,
                                                     hcbr_error *err);

/**
 * Write the page; as HCBR_JSON the results without replaced ones, each unchanged and on lines of
 * its own.
 *
 * The same results in the same order give the same bytes.
 *
 * @return as hcbr_writer_flush().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_write_report(hcbr_writer *w, hcbr_form form,
                                                       const hcbr_report *report, hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
