/**
 * @file render.h
 * Results as text: the writer, and code shared by its users.
 *
 * A writer that has failed has no room: every put then ends in hcbr_i_put_long(), which does
 * nothing. So only that function checks for the failure.
 */
#ifndef HCBR_I_RENDER_H
#define HCBR_I_RENDER_H

#include "base/base.h"

#include <hcbr/render.h>
#include <hcbr/text.h>
#include <hcbr/words.h>

/** The state of the page being written. */
typedef struct hcbr_i_page {
    hcbr_page_options options;
    const hcbr_model *model; /**< of the page */
    uint64_t cases;          /**< number of cases begun */
    char *list;              /**< of them, as HTML */
    size_t list_used, list_capacity;
    bool plain; /**< it is text for a terminal */
} hcbr_i_page;

struct hcbr_writer {
    hcbr_write_fn *write; /**< NULL: bytes are kept */
    void *context;
    char *bytes;
    size_t used, room;          /**< there is one more byte, for a NUL */
    bool comma;                 /**< the next item of JSON follows another one */
    hcbr_progress_fn *progress; /**< for slow computations; may be NULL */
    void *progress_context;
    hcbr_error failure;
    hcbr_i_page page;
};

/** Bytes that do not fit into the room left. */
void hcbr_i_put_long(hcbr_writer *w, const char *bytes, size_t count);

static inline void hcbr_i_put(hcbr_writer *w, const char *bytes, size_t count) {
    if (HCBR_I_LIKELY(count <= w->room - w->used)) {
        memcpy(w->bytes + w->used, bytes, count);
        w->used += count;
    } else {
        hcbr_i_put_long(w, bytes, count);
    }
}

static inline void hcbr_i_put_byte(hcbr_writer *w, char byte) {
    if (HCBR_I_LIKELY(w->used < w->room))
        w->bytes[w->used++] = byte;
    else
        hcbr_i_put_long(w, &byte, 1);
}

static inline void hcbr_i_put_string(hcbr_writer *w, const char *text) {
    hcbr_i_put(w, text, strlen(text));
}

/** A whole number. */
void hcbr_i_put_u64(hcbr_writer *w, uint64_t value);

/** Answers of one range of probabilities, into an open object (explain_json.c). */
void hcbr_i_json_range(hcbr_writer *w, size_t range, const hcbr_heldout_bin *sum);
/** Keys with the origin of a past case, and of a belief (prior_render.c). */
void hcbr_i_json_origin(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *c);
void hcbr_i_json_belief(hcbr_writer *w, const char *source, double weight);

/** How the rule turned the answer away from the largest support, but for the labels: the largest
 *  support is for decision->winner, <this>: the answer is decision->label. NULL: it did not. */
const char *hcbr_i_decision_turned(const hcbr_decision *d);
/** Room for hcbr_i_flips_not_found(), with the final NUL. */
#define HCBR_I_NOT_FOUND_SIZE 200

/** Say that nothing was found that changes an answer, and how far it was looked for. */
void hcbr_i_flips_not_found(const hcbr_flips *f, char text[HCBR_I_NOT_FOUND_SIZE]);
/** The name of a reason in the table of words. */
const char *hcbr_i_reason_word(hcbr_reason reason);
/** Words with {0}, {1}, ... replaced by parts, cut to the size, which is not 0. */
void hcbr_i_word_fill(char *to, size_t size, hcbr_word word, const char *const *parts,
                      size_t count);

/** Room for hcbr_i_print(), with the final NUL. */
#define HCBR_I_PRINTED 64

/** printf's %.Ng ('g') or %.Nf ('f') of a number, with a point in every locale. */
void hcbr_i_print(char text[HCBR_I_PRINTED], char form, int digits, double value);
void hcbr_i_put_printed(hcbr_writer *w, char form, int digits, double value);

/**
 * A number for display: whole ones in full, others with four significant digits and at least two
 * after the point, 24.87 for 24.869999999999997.
 *
 * @param text receives it, with a NUL.
 * @param way  0: the nearest; -1: not above the number; 1: not below it, apart from rounding errors
 *             after the twelfth digit.
 * @return its length.
 */
size_t hcbr_i_figure_say(char text[HCBR_NUMBER_SIZE], double value, int way);

/** The first failure so far, copied to err; HCBR_OK: none. */
hcbr_status hcbr_i_writer_status(const hcbr_writer *w, hcbr_error *err);

/** Whether nothing has failed so far. */
static inline bool hcbr_i_writer_good(const hcbr_writer *w) {
    return w->failure.status == HCBR_OK;
}

/** Fail with the error of err; an earlier failure stays. */
void hcbr_i_writer_fail(hcbr_writer *w, const hcbr_error *err);

/** Text within a string of JSON. */
void hcbr_i_json_escape(hcbr_writer *w, const char *text, size_t length);

/** Close an object and end the line. */
void hcbr_i_json_close_line(hcbr_writer *w);

/* Inside an open object, keys and values of a decision; of an explanation, with it; `origin`, by
 * the options of the page; `beside`, `versus`, `flip` and `ask`. The arguments are good. */
void hcbr_i_json_decision(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d);
void hcbr_i_json_explanation(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                             const hcbr_explanation *e);
void hcbr_i_json_page(hcbr_writer *w, const hcbr_model *model);
hcbr_status hcbr_i_json_beside(hcbr_writer *w, const hcbr_model *model,
                               const hcbr_explained_row *row, hcbr_error *err);
void hcbr_i_json_comparison(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c);
void hcbr_i_json_flips(hcbr_writer *w, const hcbr_model *model, const hcbr_flips *f);
void hcbr_i_json_questions(hcbr_writer *w, const hcbr_model *model, const hcbr_questions *q);

/** The key `name` with the result of hcbr_shown_feature(), if that differs from the feature. */
void hcbr_i_json_shown(hcbr_writer *w, const hcbr_model *model, const char *name,
                       const hcbr_feature *feature);
/** The key `words`: a list of these results, if any differs. */
void hcbr_i_json_words(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *features,
                       size_t count);
/** The same, also if none differs. */
void hcbr_i_json_all_words(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *features,
                           size_t count);

/** Whether it is a text column of a model. */
bool hcbr_i_is_text_column(const hcbr_model *model, const char *name, size_t length);
/** The word or words in a key of a text column (shown_word.c); absent for other keys. */
hcbr_i_text hcbr_i_word_of(const hcbr_model *model, hcbr_i_text key);
/** A word of a text likewise (shown_word.c). */
size_t hcbr_i_shown_word(const hcbr_model *model, const hcbr_feature *feature, char *room);
/** A test or value of a number for display (shown_number.c), in HCBR_SHOWN_SIZE bytes of room.
 *  @return its length; 0: not a number, or unchanged. */
size_t hcbr_i_shown_number(const hcbr_model *model, const hcbr_feature *feature, char *room);

/** A test of a category likewise (shown_category.c). */
size_t hcbr_i_shown_category(const hcbr_model *model, const hcbr_feature *feature, char *room);

/** The key `columns` of a comparison, and `held_out` of its past case. */
void hcbr_i_json_aligned(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c);

/** The number of labels of a model. */
static inline uint32_t hcbr_i_label_count(const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    return info.labels;
}

#endif
