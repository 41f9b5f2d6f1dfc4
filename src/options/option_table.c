/*
 * The table of options.
 *
 * To add an option: its field in a public header, its default in defaults.c, an entry here, and the
 * code that reads the field. Then tools/options writes docs/OPTIONS.md and the types of the Python
 * package.
 */
#include "options/options.h"

static const char READING[] = "Reading";
static const char BUILDING[] = "Building";
static const char HOLDING[] = "Holding out";
static const char TUNING[] = "Tuning";
static const char DECIDING[] = "Deciding";
static const char OUTPUT[] = "Output";

/* Groups of commands: those that use a model on data, build models, decide, read data. */
enum {
    FOR_TRAIN = HCBR_FOR_TRAIN,
    FOR_PREDICT = HCBR_FOR_PREDICT,
    FOR_EXPLAIN = HCBR_FOR_EXPLAIN,
    FOR_CONVERT = HCBR_FOR_CONVERT,
    FOR_EVALUATE = HCBR_FOR_EVALUATE,
    FOR_TUNE = HCBR_FOR_TUNE,
    FOR_AUDIT = HCBR_FOR_AUDIT,
    FOR_STUDY = HCBR_FOR_STUDY,
    FOR_DRIFT = HCBR_FOR_DRIFT,
    FOR_REPORT = HCBR_FOR_REPORT,
    FOR_USE = FOR_PREDICT | FOR_EXPLAIN,
    FOR_MAKE = FOR_TRAIN | FOR_TUNE,
    FOR_BUILD = FOR_MAKE | FOR_EVALUATE,
    FOR_DATA = FOR_BUILD | FOR_USE,
    FOR_FIT = FOR_BUILD | FOR_STUDY | FOR_REPORT,
    FOR_READING = FOR_DATA | FOR_CONVERT | FOR_AUDIT | FOR_STUDY | FOR_DRIFT | FOR_REPORT
};

/* Words of the enumerations, by their values. */
static const char *const FORMATS[] = {"auto",  "csv",  "tsv",   "libsvm",
                                      "jsonl", "text", "cases", NULL};
static const char *const BAD_ROWS[] = {"stop", "skip", "auto", NULL};
static const char *const DATES[] = {"auto", "dmy", "mdy", NULL};
static const char *const MODELS[] = {"plain", "rich", NULL};
static const char *const EFFORTS[] = {"lite", "normal", "max", NULL};
static const char *const SCOPES[] = {"class", "all", NULL};
static const char *const KEEPS[] = {"none", "anonymous", "full", NULL};
static const char *const CALIBRATES[] = {"none", "platt", "isotonic", NULL};
static const char *const EQUALS[] = {"beside", "apart", "together", NULL};
static const char *const METRICS[] = {"none", "accuracy", "balanced", "f1", "mcc", NULL};

/* The field that an option sets. */
#define FIELD(structure, field)                                                                    \
    .at = offsetof(structure, field), .size = sizeof((structure *)0)->field,                       \
    .real = _Generic(((structure *)0)->field, double : 1, default : 0)
#define READ(field) .part = HCBR_OPTION_OF_READ, FIELD(hcbr_read_options, field)
#define TRAIN(field) .part = HCBR_OPTION_OF_TRAIN, FIELD(hcbr_train_options, field)
#define RULE(field) .part = HCBR_OPTION_OF_RULE, FIELD(hcbr_rule, field)
#define TUNE(field) .part = HCBR_OPTION_OF_TUNE, FIELD(hcbr_tune_options, field)
#define EVALUATE(field) .part = HCBR_OPTION_OF_EVALUATE, FIELD(hcbr_evaluate_options, field)
#define CALLER(field) .part = HCBR_OPTION_OF_CALLER, FIELD(hcbr_options, field)
#define READ_LIST(field, count) READ(field), .count_at = offsetof(hcbr_read_options, count)
#define TRAIN_LIST(field, count) TRAIN(field), .count_at = offsetof(hcbr_train_options, count)
#define TUNE_LIST(field, count) TUNE(field), .count_at = offsetof(hcbr_tune_options, count)
#define RULE_LIST(field, count) RULE(field), .count_at = offsetof(hcbr_rule, count)

static const hcbr_option TABLE[] = {
    {"format", HCBR_OPTION_WORD, "csv|tsv|jsonl|libsvm|text|cases", FORMATS, 0, 0, READING,
     FOR_READING,
     "format of the data (default: from the ending of the file, else from its first line)",
     READ(format)},
    {"no_header", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, READING, FOR_READING,
     "csv, tsv: the first line is a case; columns are named 1, 2, ...", READ(no_header),
     .stored = 1},
    {"header", HCBR_OPTION_COUNT, "N", NULL, 0, 16, READING, FOR_READING,
     "csv, tsv: lines of the header, 0 to 16; 0 is option no_header (default: 1, or what the file "
     "shows)",
     READ(header)},
    {"delimiter", HCBR_OPTION_CHARACTER, "C", NULL, 0, 0, READING, FOR_READING,
     "csv, tsv: the character between fields; tab means a tab (default: a comma or tab, or what "
     "the file shows)",
     READ(delimiter), .stored = 1},
    {"quote", HCBR_OPTION_CHARACTER, "C", NULL, 0, 0, READING, FOR_READING,
     "csv, tsv: the character around fields, doubled inside of them; none: quotes stand for "
     "themselves (default: \", or what the file shows)",
     READ(quote)},
    {"escape", HCBR_OPTION_CHARACTER, "C", NULL, 0, 0, READING, FOR_READING,
     "csv, tsv: the character before a quote or delimiter that stands for itself (default: none, "
     "or what the file shows)",
     READ(escape)},
    {"encoding", HCBR_OPTION_TEXT, "NAME", NULL, 0, 0, READING, FOR_READING,
     "encoding of the data: utf-8, utf-16, utf-32, windows-1252, windows-1250, windows-1251, "
     "latin-1, latin-9 or macintosh (default: auto, from the bytes of the file)",
     READ(encoding)},
    {"strict", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, READING, FOR_READING,
     "guess nothing about the data: what is not plain is an error", READ(strict)},
    {"label", HCBR_OPTION_TEXT, "COL", NULL, 0, 0, READING, FOR_READING,
     "column or key of the label, whatever its case (default: label, else y, class, target, "
     "outcome); for cases: last or none",
     READ(label), .stored = 1},
    {"no_label", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, READING, FOR_TRAIN | FOR_CONVERT,
     "there is no label: every column is a feature", READ(label_need), .yes = HCBR_LABEL_NONE},
    {"bins", HCBR_OPTION_TEXT, "K|median|CUTS", NULL, 0, 0, READING,
     FOR_FIT | FOR_AUDIT | FOR_CONVERT,
     "labels are numbers: make K ranges of about as many cases, two at the median, or those that "
     "end at CUTS, as in 12.5,30 (one cut: at:30); their names are <= 12.5, 12.5 to 30, > 30",
     READ(bins), .stored = 1},
    {"labels_as_they_are", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, READING, FOR_FIT | FOR_AUDIT,
     "labels that look like measurements, numbers of many values, are labels nevertheless",
     READ(labels_as_they_are)},
    {"id", HCBR_OPTION_TEXT, "COL", NULL, 0, 0, READING, FOR_READING,
     "column or key that names the case; never a feature", READ(id), .stored = 1},
    {"group", HCBR_OPTION_TEXT, "COL", NULL, 0, 0, READING, FOR_TRAIN | FOR_EVALUATE | FOR_TUNE,
     "column or key that cases of one group share, as the rows of one patient: no group is held "
     "out in part, nor by training itself; cases without a value are one group; never a feature",
     READ(group), .stored = 1},
    {"weight", HCBR_OPTION_TEXT, "COL", NULL, 0, 0, READING, FOR_TRAIN | FOR_EVALUATE | FOR_TUNE,
     "rich: column or key of the weight of each case, a number of 0 or more: weight n counts as n "
     "copies, 0 leaves the row out; never a feature",
     READ(weight), .stored = 1},
    {"ignore", HCBR_OPTION_TEXTS, "COL,...", NULL, 0, 0, READING, FOR_READING,
     "columns or keys to leave out", READ_LIST(ignore, ignore_count), .stored = 1},
    {"na", HCBR_OPTION_TEXTS, "LIST", NULL, 0, 0, READING, FOR_READING,
     "more values that mean missing (beside the empty value, ?, NA, NaN, null; beside numbers and "
     "dates N/A, -, None and their like, too)",
     READ_LIST(na, na_count), .stored = 1},
    {"na_only", HCBR_OPTION_TEXTS, "LIST", NULL, 0, 0, READING, FOR_READING,
     "the only values that mean missing; beside numbers and dates an empty "
     "cell does, too",
     READ_LIST(na, na_count), .stored = 1},
    {"type", HCBR_OPTION_PAIRS, "COL=KIND", NULL, 0, 0, READING, FOR_FIT,
     "what a column or key is, whatever its values say: number, category, date, text, set:SEP, "
     "flag, id or ignore; number:comma and number:point say which mark is the decimal one",
     READ_LIST(types, type_count)},
    {"dates", HCBR_OPTION_WORD, "dmy|mdy", DATES, 0, 0, READING, FOR_FIT,
     "day or month first in dates such as 3/4/2021 (default: as the column shows, else dmy)",
     READ(dates)},
    {"split", HCBR_OPTION_PAIRS, "COL:SEP", NULL, 0, 0, READING, FOR_READING,
     "a column or key that holds a set: its value is split at each SEP, and each part is a "
     "feature",
     READ_LIST(split, split_count), .stored = 1},
    {"text", HCBR_OPTION_TEXTS, "COL,...", NULL, 0, 0, READING, FOR_READING,
     "columns or keys that hold texts: a feature for each word, with its count",
     READ_LIST(text, text_count), .stored = 1},
    {"presence", HCBR_OPTION_TEXTS, "COL,...", NULL, 0, 0, READING, FOR_READING,
     "columns or keys that count as present or absent, whatever their value",
     READ_LIST(presence, presence_count), .stored = 1},
    {"ngrams", HCBR_OPTION_COUNT, "N", NULL, 1, 16, READING, FOR_READING,
     "texts: also sequences of up to N words (default: 1, but 2 in columns that are found to be "
     "texts, if these have at most 4 MiB)",
     READ(ngrams), .stored = 1},
    {"min_count", HCBR_OPTION_COUNT, "N", NULL, 1, UINT32_MAX, READING,
     FOR_FIT | FOR_CONVERT | FOR_AUDIT,
     "texts: leave out words that fewer than N cases have (default: 1)", READ(min_count)},
    {"outcomes", HCBR_OPTION_FILE, "FILE", NULL, 0, 0, READING, FOR_READING,
     "file with the label of each row, a line each; a label in the data is left out",
     READ(outcomes)},
    {"join", HCBR_OPTION_PAIRS, "FILE:KEY[@NAME]", NULL, 0, 0, READING, FOR_READING,
     "add the features of all rows of FILE that have the same value of KEY as the case, named "
     "NAME.feature (default: the name of the file without its ending)",
     READ_LIST(join, join_count), .stored = 1},
    {"names", HCBR_OPTION_FILE, "FILE", NULL, 0, 0, READING, FOR_READING,
     "libsvm, cases: file with the names of ids and labels, as convert writes it", READ(names)},
    {"bad_rows", HCBR_OPTION_WORD, "auto|stop|skip", BAD_ROWS, 0, 0, READING, FOR_READING,
     "what to do with a row that cannot be used: stop, or skip and count it; auto takes short "
     "rows, leaves out rows without a label and stops at others (default: auto)",
     READ(bad_rows)},
    {"max_line", HCBR_OPTION_SIZE, "BYTES", NULL, 1, UINT32_MAX, READING, FOR_READING,
     "length of the longest row allowed (default: 64M)", READ(max_line)},
    {"max_depth", HCBR_OPTION_COUNT, "N", NULL, 1, UINT32_MAX, READING, FOR_READING,
     "jsonl: deepest nesting allowed (default: 32)", READ(max_depth)},
    {"max_names", HCBR_OPTION_SIZE, "BYTES", NULL, 0, UINT64_MAX >> 1, READING, FOR_READING,
     "jsonl: bytes that the dotted names of nested keys may take in one row, beside 12 times those "
     "of the row (default: 64K)",
     READ(max_names)},
    {"max_expand", HCBR_OPTION_COUNT, "N", NULL, 1, UINT32_MAX, READING, FOR_READING,
     "compressed files: stop if the data exceed both N times the size of the file and 64 MiB "
     "(default: 200)",
     READ(max_expand)},
    {"max_window", HCBR_OPTION_SIZE, "BYTES", NULL, 1024, (uint64_t)1 << 31, READING, FOR_READING,
     "zstd: largest window that a file may need, up to 2G (default: 128M)", READ(max_window)},
    {"max_grams", HCBR_OPTION_SIZE, "BYTES", NULL, 1, UINT64_MAX >> 1, READING, FOR_READING,
     "with option ngrams: stop if the features take more memory, counted as their names and 96 "
     "bytes each (default: 1G)",
     READ(max_grams)},
    {"model", HCBR_OPTION_WORD, "plain|rich", MODELS, 0, 0, BUILDING, FOR_BUILD | FOR_REPORT,
     "plain: atoms and their strengths; rich: ordered tests of numbers, conjunctions of tests and "
     "probabilities as well (default: rich)",
     TRAIN(model), .stored = 1},
    {"model", HCBR_OPTION_WORD, "plain|rich", MODELS, 0, 0, BUILDING, FOR_STUDY,
     "plain: the model of the paper, atoms and their strengths; rich, for curve and pareto: that "
     "of train (default: plain)",
     TRAIN(model), .stored = 1},
    {"effort", HCBR_OPTION_WORD, "lite|normal|max", EFFORTS, 0, 0, BUILDING, FOR_FIT,
     "rich: lite is fast, for very large data; max is slow and takes smaller steps (default: "
     "normal)",
     TRAIN(effort)},
    {"max_memory", HCBR_OPTION_SIZE, "BYTES", NULL, 1, UINT64_MAX >> 1, BUILDING, FOR_FIT,
     "do not start if the estimate exceeds this (default: the memory of the machine)",
     TRAIN(max_memory)},
    {"min_cases", HCBR_OPTION_COUNT, "K", NULL, 1, UINT32_MAX, BUILDING, FOR_FIT,
     "leave out words, categories and other features that fewer than K training cases have, "
     "whatever these weigh; numbers of the number columns of a rich model stay (default: 1)",
     TRAIN(min_cases), .stored = 1},
    {"prune", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, BUILDING, FOR_TRAIN | FOR_EVALUATE,
     "plain: keep only the features that tell the labels apart most, as many as decide held-out "
     "cases best",
     TRAIN(prune), .yes = -1},
    {"importance", HCBR_OPTION_FILE, "FILE", NULL, 0, 0, BUILDING, FOR_FIT,
     "plain: how important columns or single features are (csv: column, value, importance; 0 "
     "leaves one out; default: 1 for all)",
     CALLER(importance)},
    {"belief", HCBR_OPTION_FILE, "FILE", NULL, 0, 0, BUILDING, FOR_FIT,
     "cases that experts state (csv: columns of the data, belief_source, belief_weight): trained "
     "on like others, never held out, and shown in reasons as what they are",
     CALLER(belief)},
    {"numeric", HCBR_OPTION_TEXTS, "COL,...", NULL, 0, 0, BUILDING, FOR_FIT,
     "rich: columns or keys whose values are ordered numbers, even if there are few (default: "
     "those with three or more different values, all of them numbers)",
     TRAIN_LIST(numeric, numeric_count)},
    {"categorical", HCBR_OPTION_TEXTS, "COL,...", NULL, 0, 0, BUILDING, FOR_FIT,
     "rich: columns or keys whose values have no order, even if they are numbers",
     TRAIN_LIST(categorical, categorical_count)},
    {"scope", HCBR_OPTION_WORD, "class|all", SCOPES, 0, 0, BUILDING, FOR_FIT,
     "plain: cases that a strength adds up: those with the atom and the label (class), or all with "
     "the atom (all) (default: class)",
     TRAIN(scope), .stored = 1},
    {"passes", HCBR_OPTION_COUNT, "K", NULL, 0, UINT32_MAX, BUILDING, FOR_BUILD | FOR_REPORT,
     "plain: number of training passes over the cases, 0 or more (default: 1)", TRAIN(passes),
     .stored = 1},
    {"passes", HCBR_OPTION_COUNT, "K", NULL, 0, UINT32_MAX, BUILDING, FOR_STUDY,
     "plain: number of training passes over the cases, 0 or more (default: 1); of study passes the "
     "most, 1 or more (default: 20)",
     TRAIN(passes), .stored = 1},
    {"seed", HCBR_OPTION_COUNT, "N", NULL, 0, UINT64_MAX, BUILDING, FOR_TRAIN,
     "seed of the random order of the cases in training (default: 1)", TRAIN(seed), .stored = 1},
    {"seed", HCBR_OPTION_COUNT, "N", NULL, 0, UINT64_MAX, BUILDING,
     FOR_EVALUATE | FOR_TUNE | FOR_REPORT,
     "seed of the folds, and of the random order of the cases in training (default: 1)",
     TRAIN(seed), .stored = 1},
    {"seed", HCBR_OPTION_COUNT, "N", NULL, 0, UINT64_MAX, BUILDING, FOR_AUDIT,
     "seed that selects the held-out tenth of the cases (default: 1)", TRAIN(seed), .stored = 1},
    {"seed", HCBR_OPTION_COUNT, "N", NULL, 0, UINT64_MAX, BUILDING, FOR_STUDY,
     "seed of all that is drawn (default: 1)", TRAIN(seed), .stored = 1},
    {"given_order", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, BUILDING, FOR_FIT,
     "plain: train in the order of the data; do not use it if the data are sorted by label",
     TRAIN(given_order), .stored = 1},
    {"threads", HCBR_OPTION_COUNT, "N", NULL, 1, 1024, BUILDING, FOR_TRAIN,
     "number of threads; the model is the same for any number (default: 1)", TRAIN(threads),
     .letter = 'j'},
    {"threads", HCBR_OPTION_COUNT, "N", NULL, 1, 1024, BUILDING, FOR_STUDY,
     "number of threads, each for a different model; the figures are the same for any number, but "
     "for times (default: 1)",
     TRAIN(threads), .letter = 'j'},
    {"threads", HCBR_OPTION_COUNT, "N", NULL, 1, 1024, BUILDING,
     FOR_EVALUATE | FOR_TUNE | FOR_REPORT,
     "number of threads, each for a different fold; the figures are the same for any number "
     "(default: 1)",
     TRAIN(threads), .letter = 'j'},
    {"threads", HCBR_OPTION_COUNT, "N", NULL, 1, 1024, BUILDING, FOR_PREDICT,
     "number of threads that read and decide a large file; the output is the same for any number "
     "(default: 1)",
     TRAIN(threads), .letter = 'j'},
    {"keep_cases", HCBR_OPTION_WORD, "none|anonymous|full", KEEPS, 0, 0, BUILDING, FOR_MAKE,
     "what the model keeps of the cases: none, anonymous (without their names) or full (default: "
     "full)",
     TRAIN(keep), .stored = 1},
    {"calibrate", HCBR_OPTION_WORD, "none|platt|isotonic", CALIBRATES, 0, 0, BUILDING, FOR_FIT,
     "plain: learn probabilities from held-out cases, as a logistic curve (platt) or a rising "
     "function (isotonic); rich models have calibrated probabilities anyway (default: none)",
     TRAIN(calibrate), .stored = 1},
    {"folds", HCBR_OPTION_COUNT, "K", NULL, 1, 1000000, HOLDING,
     FOR_EVALUATE | FOR_TUNE | FOR_STUDY | FOR_REPORT,
     "parts of the cases, each held out once and decided by a model of the others; each has its "
     "share of every label (default: 10)",
     EVALUATE(folds)},
    {"repeats", HCBR_OPTION_COUNT, "N", NULL, 1, 1000000, HOLDING, FOR_EVALUATE,
     "draw the folds, or what is held out, so many times (default: 1)", EVALUATE(repeats)},
    {"repeats", HCBR_OPTION_COUNT, "N", NULL, 1, 1000000, HOLDING, FOR_STUDY,
     "draw the folds, or for curve the tenth that is held out, so many times (default: 1, for "
     "curve 10)",
     EVALUATE(repeats)},
    {"holdout", HCBR_OPTION_SHARE, "SHARE", NULL, 0, 0, HOLDING, FOR_EVALUATE,
     "hold out one part of this share, above 0 and below 1, instead of folds", EVALUATE(holdout)},
    {"past_only", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, HOLDING, FOR_EVALUATE,
     "train on the past only: of K + 1 parts in the order of the data, each but the first is "
     "decided by a model of those before it; with option holdout the last cases are held out",
     EVALUATE(past_only)},
    {"equal_rows", HCBR_OPTION_WORD, "beside|apart|together", EQUALS, 0, 0, HOLDING,
     FOR_EVALUATE | FOR_REPORT,
     "rows whose features are equal, whatever their labels: apart draws them one by one, together "
     "keeps them in one fold; beside does both if one in a hundred held-out rows equals a training "
     "row, which takes twice as long (default: beside)",
     EVALUATE(equal)},
    {"metric", HCBR_OPTION_WORD, "accuracy|balanced|f1|mcc", METRICS, 0, 0, TUNING, FOR_TUNE,
     "choose the thresholds that maximise this measure; all except accuracy need two labels "
     "(default: accuracy)",
     TUNE(goal)},
    {"cost", HCBR_OPTION_VALUES, "fp=V,fn=V", NULL, 0, 0, TUNING, FOR_TUNE,
     "minimise the cost of a false positive and a false negative (see option positive). "
     "TRUE:GIVEN=V,... sets the costs of pairs of labels; other mistakes cost 1. With unknown=V or "
     "TRUE:unknown=V the answer is unknown if that costs less than every label is expected to "
     "cost",
     TUNE_LIST(costs, cost_count)},
    {"max_error", HCBR_OPTION_SHARE, "E", NULL, 0, 0, TUNING, FOR_TUNE,
     "give a label only where the error stays below E, else unknown; E is above 0 and below 1",
     TUNE(max_error)},
    {"confidence", HCBR_OPTION_SHARE, "C", NULL, 0, 0, TUNING, FOR_TUNE,
     "confidence that option max_error holds, above 0 and below 1 (default: 0.95)",
     TUNE(confidence)},
    {"try_passes", HCBR_OPTION_COUNTS, "K,...", NULL, 0, 0, TUNING, FOR_TUNE,
     "plain: numbers of training passes to try", TUNE_LIST(passes, pass_count)},
    {"try_scopes", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, TUNING, FOR_TUNE,
     "plain: choose the scope as well", TUNE(choose_scope)},
    {"eta", HCBR_OPTION_VALUES, "L=V,...", NULL, 0, 0, DECIDING, FOR_DATA,
     "threshold: give label L only if its support (rich: its probability) is above V, which is 0 "
     "or more",
     RULE_LIST(thresholds, threshold_count), .stored = 1},
    {"eta_share", HCBR_OPTION_VALUES, "L=V,...", NULL, 0, 0, DECIDING, FOR_DATA,
     "give label L only if its share against the best other label is above V, from 0 to below 1 "
     "(rich: the share of the probabilities)",
     RULE_LIST(thresholds, threshold_count), .stored = 1},
    {"fallback", HCBR_OPTION_TEXT, "auto|LABEL|unknown|prior", NULL, 0, 0, DECIDING, FOR_DATA,
     "the answer if a label does not reach its threshold: a label, unknown (also with auto), or "
     "prior (the most frequent label). If no feature of a case is known, prior gives that label, "
     "and auto lets a rich model without thresholds give its most probable label; otherwise the "
     "answer is unknown (default: auto)",
     RULE(fallback), .stored = 1},
    {"memory", HCBR_OPTION_FLAG, NULL, NULL, 0, 0, DECIDING, FOR_DATA,
     "a case identical to past cases gets the label that most of them have", RULE(memory),
     .stored = 1},
    {"threads", HCBR_OPTION_COUNT, "N", NULL, 1, 1024, OUTPUT, FOR_EXPLAIN,
     "explain N rows at once; the output is the same for any N (default: 1)", TRAIN(threads),
     .letter = 'j'},
    {"positive", HCBR_OPTION_TEXT, "LABEL", NULL, 0, 0, OUTPUT,
     FOR_EVALUATE | FOR_TUNE | FOR_REPORT,
     "label that recall, precision and the like are about (default: the second of two; of more "
     "labels, the mean over all)",
     EVALUATE(positive)},
    {"at", HCBR_OPTION_COUNT, "K", NULL, 1, UINT32_MAX, OUTPUT, FOR_EVALUATE,
     "also the precision among the K cases with the highest scores for the label (see option "
     "positive), of all that are held out",
     EVALUATE(at)},
};

const hcbr_option *hcbr_option_at(size_t index) {
    return index < sizeof TABLE / sizeof *TABLE ? &TABLE[index] : NULL;
}

const hcbr_option *hcbr_i_option_find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (strlen(TABLE[i].name) == length && memcmp(TABLE[i].name, name, length) == 0)
            return &TABLE[i];
    return NULL;
}

void *hcbr_i_option_structure(const hcbr_options *options, const hcbr_option *option) {
    switch (option->part) {
    case HCBR_OPTION_OF_READ:
        return options->read;
    case HCBR_OPTION_OF_TRAIN:
        return options->train;
    case HCBR_OPTION_OF_RULE:
        return options->rule;
    case HCBR_OPTION_OF_TUNE:
        return options->tune;
    case HCBR_OPTION_OF_EVALUATE:
        return options->evaluate;
    case HCBR_OPTION_OF_CALLER:
        return (hcbr_options *)(uintptr_t)options;
    }
    return NULL;
}
