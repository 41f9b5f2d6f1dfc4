/**
 * @file cases.h
 * Labelled cases: read from files or added one by one, then passed to hcbr_model_train().
 *
 * A case is a finite set of features with a label. A feature is a key with a value (`colour=red`)
 * or a bare key (a proposition). Keys and values are any UTF-8 text. A key and its value are stored
 * separately (`a=b` with `c` is not `a` with `b=c`).
 */
#ifndef HCBR_CASES_H
#define HCBR_CASES_H

#include <hcbr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Format of a data file. */
typedef enum hcbr_format {
    HCBR_FORMAT_AUTO = 0, /**< by the file's ending, else by its first line (a note says which) */
    HCBR_FORMAT_CSV = 1,
    HCBR_FORMAT_TSV = 2,
    HCBR_FORMAT_LIBSVM = 3,
    HCBR_FORMAT_JSONL = 4,
    HCBR_FORMAT_TEXT = 5, /**< a label, a tab, words */
    HCBR_FORMAT_CASES = 6 /**< ids of features separated by blanks; labels elsewhere or last */
} hcbr_format;

/** The treatment of unusable rows. */
typedef enum hcbr_bad_rows {
    HCBR_BAD_ROWS_STOP = 0, /**< the call fails with the place of the row */
    HCBR_BAD_ROWS_SKIP = 1, /**< the row is left out, counted, and reported as a warning */
    HCBR_BAD_ROWS_AUTO = 2  /**< of files: a row without a label and a line of one field are left
                                 out, a short row is accepted, with one warning for each kind; in
                                 csv and tsv of which ten of the first records agree, a row of stray
                                 quotes or delimiters is read in its likeliest form, or left out if
                                 it has none; others, a short last line that has no end, more than
                                 one such row of ten, and bad rows of a table in memory stop */
} hcbr_bad_rows;

/** The storage of numbers. */
typedef enum hcbr_numbers {
    HCBR_NUMBERS_APART = 0,   /**< separate from the features, for rich models */
    HCBR_NUMBERS_SPELLED = 1, /**< features like any other value, for plain models; in a key whose
                                   values are all numbers, spellings of one number are one feature.
                                   Kinds of columns come from options only */
    HCBR_NUMBERS_AS_READ = 2  /**< the same, but every spelling is a feature of its own: for lists
                                   that are written again */
} hcbr_numbers;

/** Whether cases need labels. */
typedef enum hcbr_label_need {
    HCBR_LABEL_NEEDED = 0,   /**< every case needs one */
    HCBR_LABEL_OPTIONAL = 1, /**< csv, tsv, jsonl: none if no column has the name of a label; a note
                                  reports it */
    HCBR_LABEL_NONE = 2      /**< cases have none: every column is a feature. The label of all cases
                                  is then the empty text, from which no model can be trained */
} hcbr_label_need;

/** A column or key with sets as values: one feature per part. */
typedef struct hcbr_split {
    const char *column;
    const char *separator; /**< the bytes between the parts, at least one */
} hcbr_split;

/** Another source: its features are added to the cases that have the same value of a key. */
typedef struct hcbr_join {
    const char *path; /**< file of any format but text and cases. NULL, for new cases: the source of
                           training is missing, with a warning */
    const char *key;  /**< column or key found in both sources */
    const char *name; /**< prefix of its features, `name.feature`; NULL: the stem of the path. Has
                           no dot; ignore, split, text and presence name its columns likewise */
} hcbr_join;

/** The kind of a column, given by the caller: it overrules the values. */
typedef struct hcbr_type {
    const char *column;
    const char *kind; /**< "number", "category", "date", "text", "set:SEP" (one ASCII character, or
                           `tab`), "flag", "id" or "ignore"; "number:comma" and "number:point" give
                           the decimal mark */
} hcbr_type;

/** The order of dates such as 3/4/2021 if the column does not determine it. */
typedef enum hcbr_dates {
    HCBR_DATES_FOUND = 0, /**< day first, unless the column shows otherwise; its verdict reports
                               it */
    HCBR_DATES_DMY = 1,   /**< day first */
    HCBR_DATES_MDY = 2    /**< month first */
} hcbr_dates;

/** Receives a word of a text, case-folded. Returns 0 to continue; any other value: out of
 *  memory. */
typedef int hcbr_word_fn(void *to, const char *word, size_t length);

/**
 * Cuts a text (UTF-8 without NUL) into words, and passes each of them to `add`, in order. Several
 * threads may call it at once.
 *
 * @return 0, or the value of `add` if that was not 0, or -1 if memory is short.
 */
typedef int hcbr_words_fn(void *context, const char *text, size_t length, hcbr_word_fn *add,
                          void *to);

/**
 * Cut a text of any language into words: the default ::hcbr_words_fn of reading.
 *
 * A word is a run of letters, marks, numbers and connecting punctuation (`_`), with single
 * apostrophes or format characters inside. It is folded (NFKC, case, without ignorable characters,
 * every apostrophe a `'`), and cut again where folding introduced other characters. A run without a
 * letter and without a number is not a word; one of more than 4096 bytes is cut there. Bytes that
 * are not UTF-8 separate words.
 *
 * @param context not used; may be NULL.
 * @param text    need not end with NUL.
 * @param length  its bytes.
 * @param add     receives each word, in order; the word is borrowed until it returns.
 * @param to      passed to `add`.
 * @return 0, or the value of `add` if that was not 0.
 *
 * Cost: one pass; no memory but the stack's. Threads: any.
 */
HCBR_API int hcbr_words_split(void *context, const char *text, size_t length, hcbr_word_fn *add,
                              void *to);

/**
 * Bytes from another source than a file that the library can open. Its functions are called on the
 * thread of the call that reads.
 */
typedef struct hcbr_input {
    /** Read at most `room` bytes; *got = 0 at the end. */
    hcbr_status (*read)(void *context, char *to, size_t room, size_t *got, hcbr_error *err);
    void (*close)(void *context); /**< called once, also after a failure */
    void *context;
    hcbr_format format; /**< of the bytes, which are then UTF-8; HCBR_FORMAT_AUTO: as for any other
                             path */
} hcbr_input;

/** Called before a path is opened: fill input, or leave input->read NULL for an ordinary file. */
typedef hcbr_status hcbr_open_fn(void *context, const char *path, hcbr_input *input,
                                 hcbr_error *err);

/** Options of reading. Fill with hcbr_read_options_init(), then change fields. */
#define HCBR_LABELS_ALL 1
#define HCBR_LABELS_KEPT 2
typedef struct hcbr_read_options {
    size_t size;               /**< size of this structure, set by the init function */
    hcbr_format format;        /**< default HCBR_FORMAT_AUTO */
    const char *label;         /**< column or key of the label; NULL: `label`, else `y`, `class`,
                                    `target`, `outcome`. If cases need labels and none has this
                                    name, the only one that differs in the case of letters */
    const char *id;            /**< column or key of the name of the case; may be NULL */
    const char *group;         /**< column or key of the group of a case, for hcbr_evaluate(); never
                                    a feature; may be NULL */
    const char *const *ignore; /**< columns or keys to leave out */
    size_t ignore_count;
    const char *const *na; /**< values that mean "missing"; NULL: "", "?", "NA", "NaN", "null" */
    size_t na_count;
    int no_header;           /**< csv, tsv: the first line is a case; columns are named 1, 2, ... */
    int delimiter;           /**< csv: the byte between fields; 0: comma (csv) or tab (tsv) */
    hcbr_bad_rows bad_rows;  /**< default HCBR_BAD_ROWS_AUTO */
    size_t max_line;         /**< longest record in bytes; default 64 MiB */
    size_t max_depth;        /**< deepest nesting of JSON; default 32; see max_names */
    uint32_t max_expand;     /**< limit of growth: a compressed file to this many times its size,
                                  joined features to this many times those of the cases (64 Mi are
                                  always allowed); default 200 */
    uint32_t max_window;     /**< zstd: bytes of the largest window, 1024 to 2 GiB, a power of two
                                  or a remainder of one; default 128 MiB */
    const hcbr_split *split; /**< columns or keys with sets */
    size_t split_count;
    const char *const *text; /**< columns or keys with words: features `column:word=count` */
    size_t text_count;
    const char *const
        *presence; /**< columns or keys whose values are dropped: each becomes a bare key */
    size_t presence_count;
    uint32_t ngrams;      /**< texts: longest sequence of words that is a feature; default 0: 1, but
                               2 in columns found to be texts, if these have at most 4 MiB of
                               different texts in all */
    uint32_t min_count;   /**< texts: words in fewer cases than this are left out; default 1 */
    int keep_rare;        /**< rare words stay until hcbr_evaluate() removes them from each training
                               part; such a list can only be evaluated */
    const char *outcomes; /**< file with the label of each row, a line each; may be NULL */
    const char *names;    /**< libsvm, cases: file with the names of ids, labels and rows
                               (docs/INPUT.md); may be NULL */
    const hcbr_join *join; /**< other sources */
    size_t join_count;
    hcbr_words_fn *words; /**< cuts texts into words; NULL: hcbr_words_split() */
    void *words_context;
    hcbr_open_fn *open; /**< may be NULL */
    void *open_context;
    uint32_t threads;       /**< threads for one large file; default 1. Never changes a result */
    uint64_t hash_key;      /**< key of the hash tables; 0: drawn from the system. Never changes
                                 a result */
    hcbr_notify_fn *notify; /**< receives notes and warnings; may be NULL */
    void *notify_context;
    hcbr_progress_fn *progress; /**< stage "read", in bytes; may be NULL */
    void *progress_context;
    const char *weight;   /**< column or key of the weight of a case, a number from 0 to 1e9, for
                               rich models: n counts as n copies, 0 leaves the row out; never a
                               feature; new cases need none; NULL: each counts once */
    uint64_t max_grams;   /**< of texts with ngrams above 1: limit in bytes of the names of all
                               features, and 96 for each; sequences of words are many and long;
                               default 1 GiB */
    hcbr_numbers numbers; /**< the first call that adds cases to a list decides for all of it;
                               default HCBR_NUMBERS_APART. Any model can be trained from either */
    const char *encoding; /**< of the files, such as "windows-1252" (docs/INPUT.md); NULL or "auto":
                               UTF-8, or as their bytes show (with a note) */
    int strict;           /**< no guesses: ambiguity is an error, and values of columns are not
                               converted */
    int quote;  /**< csv, tsv: the byte around fields, doubled inside; 0 (the default): `"`, or as
                     the file shows; -1: quotes are text */
    int escape; /**< csv, tsv: the byte before a quote, a delimiter or itself; 0 (the default):
                     none, or as the file shows; -1: none */
    uint32_t header; /**< csv, tsv: lines of the header, at most 16; 0 (the default): one, or as the
                          file shows */
    hcbr_label_need label_need; /**< of hcbr_cases_read() and hcbr_preview_create(); default
                                     HCBR_LABEL_NEEDED */
    const char *bins; /**< labels are numbers and become ranges of them, `<= 12.5`, `12.5 to 30`, `>
                           30`: "3", a number of ranges with about as many cases each; "median", two
                           of them; "12.5,30", their upper ends ("at:30" or "30,", a single one).
                           Before each of these, "comma:" or "point:" sets the decimal mark of
                           labels, which is found otherwise, and "million:" that a bare m means
                           million. NULL: labels are not changed. The first call that adds cases to
                           a list decides for all of it; hcbr_cases_finish() finds the ends, and a
                           model stores them */
    int labels_as_they_are; /**< HCBR_LABELS_ALL: do not stop if labels look like measurements:
                                 numbers with more than 30 different values, or with more than five
                                 and than a tenth of the cases. HCBR_LABELS_KEPT: no text of a label
                                 but the empty one means "missing", whatever na has. Default 0 */
    const hcbr_type *types; /**< kinds of columns; for training */
    size_t type_count;
    hcbr_dates dates; /**< default HCBR_DATES_FOUND */
    int na_only;      /**< na, or its default, is the whole list. 0 (the default): in columns found
                           to be of another kind than categories, `N/A`, `-`, `none` and the like
                           (docs/INPUT.md) mean "missing", too */
    size_t max_names; /**< of JSON: limit in bytes of the dotted names of nested keys in one line,
                           in addition to twelve times the line's own; default 64 KiB */
    int may_be_empty; /**< of hcbr_cases_read(): a file without a row, or an empty one, gives a
                           warning, not an error. A list without a case cannot be finished */
} hcbr_read_options;

/** The values that mean "missing" if options->na is NULL; *count of them, static strings. */
HCBR_API const char *const *hcbr_read_default_missing(size_t *count);

/** Set every field to its default. */
#define hcbr_read_options_init(options) HCBR_INIT(hcbr_read_options, options)

/** The format of a path by its ending; HCBR_FORMAT_AUTO if it is unknown. */
HCBR_API hcbr_format hcbr_format_of_path(const char *path);

/** Its name, such as "csv"; a static string. */
HCBR_API const char *hcbr_format_name(hcbr_format format);

/** Whether the text means a missing value by options->na, or by the default list. */
HCBR_API int hcbr_read_is_missing(const hcbr_read_options *options, const char *text,
                                  size_t length);

/** Number of a label, in the fixed order of labels; or one of the values below. */
typedef int32_t hcbr_label;
#define HCBR_LABEL_UNKNOWN ((hcbr_label)-1)  /**< no decision */
#define HCBR_LABEL_PRIOR ((hcbr_label)-2)    /**< as a fallback: the most frequent label */
#define HCBR_LABEL_PROBABLE ((hcbr_label)-3) /**< if nothing is known: the answer of the rule */

/** A feature: text that need not end with NUL. */
typedef struct hcbr_feature {
    const char *key;
    size_t key_length;
    const char *value; /**< NULL: a bare key */
    size_t value_length;
} hcbr_feature;

/** A growing list of labelled cases. One thread at a time until it is finished. */
typedef struct hcbr_cases hcbr_cases;

/**
 * Create an empty list of cases.
 *
 * @param out      receives the list, NULL on failure; release with hcbr_cases_free().
 * @param hash_key key of the hash tables; 0: drawn from the system. Never changes a result.
 * @param err      receives the reason of a failure; may be NULL.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_create(hcbr_cases **out, uint64_t hash_key,
                                                       hcbr_error *err);

/** Release a list of cases. Models trained from it live on. NULL is fine. */
HCBR_API void hcbr_cases_free(hcbr_cases *cases);

/** A case to add. Fill with hcbr_labelled_case_init(), then set the label and the features. All
 *  text is UTF-8 without NUL in it; label, id and group end with a NUL. */
typedef struct hcbr_labelled_case {
    size_t size;
    const hcbr_feature *features; /**< in any order; duplicates count once */
    size_t feature_count;
    const char *label; /**< not empty */
    const char *id;    /**< its name; NULL (the default) or "": none */
    const char *group; /**< name of its group, for hcbr_evaluate(); NULL (the default) or
                            "": none */
    double weight; /**< for rich models, 0 to 1e9: n counts as n copies; the default is 1. A case
                        of weight 0 is counted as a data row and left out */
} hcbr_labelled_case;

/** Set every field to its default. */
#define hcbr_labelled_case_init(one) HCBR_INIT(hcbr_labelled_case, one)

/**
 * Add one case.
 *
 * The list is the same as if the case had been read from a file with columns for label, id, group
 * and weight, but its features are not converted: only the columns of tables are judged. A case
 * without features is valid: it is counted separately and changes no strength. On failure the list
 * is unchanged.
 *
 * @param one read during the call only.
 * @return HCBR_OK, HCBR_EDATA (no label, text that is not UTF-8, a weight out of range),
 *         HCBR_EUSAGE (the list is finished) or HCBR_ENOMEM.
 *
 * Cost: proportional to the bytes of the features.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_add(hcbr_cases *cases,
                                                    const hcbr_labelled_case *one, hcbr_error *err);

/**
 * Read labelled cases from files, in the order given, and add them.
 *
 * On failure cases of earlier rows may have been added; the list remains usable.
 *
 * @param paths   files; "-" is standard input.
 * @param count   number of files.
 * @param options reading options; NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA, HCBR_EIO, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: one pass over the bytes; memory by the bytes of the input, never by the value of an id.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_read(hcbr_cases *cases, const char *const *paths,
                                                     size_t count, const hcbr_read_options *options,
                                                     hcbr_error *err);

/**
 * Set a progress function for hcbr_cases_finish(), which can stop it: it then returns
 * HCBR_ECANCELLED, and the list can only be freed.
 *
 * @param progress stage "finish", called regularly, without figures; NULL (the default): none. It
 *                 is removed when the list is finished.
 */
HCBR_API void hcbr_cases_watch(hcbr_cases *cases, hcbr_progress_fn *progress, void *context);

/**
 * Complete the list: sort the labels into their fixed order and release working memory.
 *
 * Afterwards the list never changes and may be shared between threads. Calling it again does
 * nothing.
 *
 * Labels become ranges if `bins` of hcbr_read_options is set. Labels of cases that were read and
 * look like measurements are refused, unless `labels_as_they_are`.
 *
 * @return HCBR_OK, HCBR_EDATA (no case; labels that are measurements, or not numbers with `bins`),
 *         HCBR_ENOMEM or HCBR_ECANCELLED (hcbr_cases_watch()).
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_finish(hcbr_cases *cases, hcbr_error *err);

/** The number of cases, including beliefs. */
HCBR_API uint64_t hcbr_cases_count(const hcbr_cases *cases);

/** Facts about a list. */
typedef struct hcbr_cases_info {
    uint64_t cases;           /**< number of cases, including beliefs */
    uint64_t empty;           /**< number of cases with neither a feature nor a number */
    uint64_t rows;            /**< number of data rows, including skipped ones, without beliefs */
    uint64_t skipped;         /**< number of rows left out (::hcbr_bad_rows) */
    uint64_t occurrences;     /**< sum of the features of all cases; 0 if a model used them up */
    uint64_t numbers;         /**< sum of the separate numbers of all cases */
    uint64_t bytes;           /**< read from files so far, expanded where they were compressed */
    uint32_t features;        /**< number of different features, without separate numbers */
    uint32_t keys;            /**< number of different keys of features and of separate numbers */
    uint32_t labels;          /**< number of different labels */
    size_t columns;           /**< number of columns of the first csv or tsv file, including those
                                   without a value, but not those of labels, ids, groups, weights
                                   and texts, nor those left out; 0: no such file was read */
    size_t kinds;             /**< number of judged columns: those of tables that were read. With
                                   options.strict only those of numbers whose point may as well
                                   group thousands; they stay as they are */
    size_t beliefs;           /**< number of beliefs, without those of weight 0 */
    const char *label_column; /**< column or key of the labels, "label" where a format implies it;
                                   NULL: the list has no case, and the files no label. Borrowed */
} hcbr_cases_info;

HCBR_API hcbr_cases_info hcbr_cases_get_info(const hcbr_cases *cases);

/** The kind of a table's column, from all its values and its name; never from labels. */
typedef struct hcbr_kind {
    size_t size;
    const char *name; /**< of the column; not NUL-terminated */
    size_t name_length;
    const char *kind;    /**< number, date, text, set, flag, id, category, constant or empty */
    const char *becomes; /**< its form in a rich model: "as it is", "number", "date parts" (with the
                              value, or "date parts only"), "words", "members", "category" or "left
                              out" */
    const char *why;     /**< a sentence with the reason */
    uint64_t values;     /**< in all different rows: copies count once */
    uint64_t missing;    /**< of them, those that mean missing, and count as such */
    uint64_t odd;        /**< of them, those of another kind */
    int given;           /**< set by options */
    int obvious;         /**< it needs no explanation */
    int ambiguous; /**< its values have another reading, too: dates, or numbers whose mark before
                        three digits may group thousands; options choose one */
    int shared;    /**< an id that is left out, with the same value in several rows: they may belong
                        together (option group) */
} hcbr_kind;

/** A column of a finished list, by the bytes of its name; out->size must be set. Borrowed. */
HCBR_API void hcbr_cases_get_kind(const hcbr_cases *cases, size_t index, hcbr_kind *out);

/** One case of a finished list. */
typedef struct hcbr_case {
    size_t size;
    uint64_t row;   /**< data row it came from, from 1 */
    const char *id; /**< its name, NULL for none; not NUL-terminated */
    size_t id_length;
    hcbr_label label;
    const uint32_t *features; /**< numbers of its features, each once, in the order of the data */
    size_t feature_count;
    double weight;               /**< 1 unless weights were read */
    const uint32_t *number_keys; /**< of its separate numbers (HCBR_NUMBERS_APART) */
    const double *numbers;       /**< and their values; two spellings of a number may both be
                                      there */
    size_t number_count;
} hcbr_case;

/**
 * Fill out with case `index`, from 0; out->size must be set. Arrays and texts are borrowed.
 *
 * @param cases a finished list that no model has used up (consume).
 *
 * Threads: any number at once.
 */
HCBR_API void hcbr_cases_get(const hcbr_cases *cases, uint64_t index, hcbr_case *out);

/** Feature number `feature` (from 0, in order of first appearance); borrowed from the list. */
HCBR_API void hcbr_cases_get_feature(const hcbr_cases *cases, uint32_t feature, hcbr_feature *out);

/** Number of the key of a feature; keys are numbered from 0 in order of first appearance. */
HCBR_API uint32_t hcbr_cases_get_key(const hcbr_cases *cases, uint32_t feature);

/** The text of a key as out->key; it has no value. Borrowed from the list. */
HCBR_API void hcbr_cases_get_key_name(const hcbr_cases *cases, uint32_t key, hcbr_feature *out);

/** The name of column `index` in the order of the file, without a value; borrowed from the list. */
HCBR_API void hcbr_cases_get_column(const hcbr_cases *cases, size_t index, hcbr_feature *out);

/** Name of a label of a finished list, as hcbr_model_get_label(); borrowed from the list. */
HCBR_API const char *hcbr_cases_get_label(const hcbr_cases *cases, hcbr_label label,
                                          size_t *length);

#ifdef __cplusplus
}
#endif
#endif
