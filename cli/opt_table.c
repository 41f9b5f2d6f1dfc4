/*
 * The option table, from which parsing, help, manual pages and completions come, and what it says
 * of one option.
 */
#include "opt.h"

#include <ctype.h>
#include <string.h>

static const char READING[] = "Reading";
static const char BUILDING[] = "Building";
static const char HOLDING[] = "Holding out";
static const char DECIDING[] = "Deciding";
static const char TUNING[] = "Tuning";
static const char OUTPUT[] = "Output";

/* Commands that use a model on data, that build models, that decide, that read data. */
enum {
    FOR_USE = FOR_PREDICT | FOR_EXPLAIN,
    FOR_MAKE = FOR_TRAIN | FOR_TUNE,
    FOR_BUILD = FOR_MAKE | FOR_EVALUATE,
    FOR_DATA = FOR_BUILD | FOR_USE,
    FOR_FIT = FOR_BUILD | FOR_STUDY | FOR_REPORT,
    FOR_READING = FOR_DATA | FOR_CONVERT | FOR_AUDIT | FOR_STUDY | FOR_DRIFT | FOR_REPORT,
};

const opt_spec opt_table[] = {
    {OPT_ONE_CASE, 0, "case", "COL=VALUE", READING, FOR_USE,
     "a feature of one case to decide, instead of DATA: a column or key and its value, or a bare "
     "feature; give it once for each feature of the case"},
    {OPT_FORMAT, 0, "format", "csv|tsv|jsonl|libsvm|text|cases", READING, FOR_READING,
     "format of the data (default: from the ending of the file, else from its first line)"},
    {OPT_NO_HEADER, 0, "no-header", NULL, READING, FOR_READING,
     "csv, tsv: the first line is a case; columns are named 1, 2, ..."},
    {OPT_HEADER, 0, "header", "N", READING, FOR_READING,
     "csv, tsv: lines of the header, 0 to 16; 0 is --no-header (default: 1, or what the file "
     "shows)"},
    {OPT_DELIMITER, 0, "delimiter", "C", READING, FOR_READING,
     "csv, tsv: the character between fields; tab means a tab (default: a comma or tab, or what "
     "the file shows)"},
    {OPT_QUOTE, 0, "quote", "C", READING, FOR_READING,
     "csv, tsv: the character around fields, doubled inside of them; none: quotes stand for "
     "themselves (default: \", or what the file shows)"},
    {OPT_ESCAPE, 0, "escape", "C", READING, FOR_READING,
     "csv, tsv: the character before a quote or delimiter that stands for itself (default: none, "
     "or "
     "what the file shows)"},
    {OPT_ENCODING, 0, "encoding", "NAME", READING, FOR_READING,
     "encoding of the data: utf-8, utf-16, utf-32, windows-1252, windows-1250, windows-1251, "
     "latin-1, latin-9 or macintosh (default: auto, from the bytes of the file)"},
    {OPT_STRICT, 0, "strict", NULL, READING, FOR_READING,
     "guess nothing about the data: what is not plain is an error"},
    {OPT_LABEL, 0, "label", "COL", READING, FOR_READING,
     "column or key of the label, whatever its case (default: label, else y, class, target, "
     "outcome); for cases: last or none"},
    {OPT_NO_LABEL, 0, "no-label", NULL, READING, FOR_TRAIN | FOR_CONVERT,
     "there is no label: every column is a feature; to train, only with --explain-input"},
    {OPT_BINS, 0, "bins", "K|median|CUTS", READING, FOR_FIT | FOR_AUDIT | FOR_CONVERT,
     "labels are numbers: make K ranges of about as many cases, two at the median, or those that "
     "end at CUTS, as in 12.5,30 (one cut: at:30); their names are <= 12.5, 12.5 to 30, > 30"},
    {OPT_LABELS_AS_THEY_ARE, 0, "labels-as-they-are", NULL, READING, FOR_FIT | FOR_AUDIT,
     "labels that look like measurements, numbers of many values, are labels nevertheless"},
    {OPT_ID, 0, "id", "COL", READING, FOR_READING,
     "column or key that names the case; never a feature"},
    {OPT_GROUP, 0, "group", "COL", READING, FOR_TRAIN | FOR_EVALUATE | FOR_TUNE,
     "column or key that cases of one group share, as the rows of one patient: no group is held "
     "out in part, nor by training itself; cases without a value are one group; never a feature"},
    {OPT_WEIGHT, 0, "weight", "COL", READING, FOR_TRAIN | FOR_EVALUATE | FOR_TUNE,
     "rich: column or key of the weight of each case, a number of 0 or more: weight n counts as n "
     "copies, 0 leaves the row out; never a feature"},
    {OPT_IGNORE, 0, "ignore", "COL,...", READING, FOR_READING,
     "columns or keys to leave out; a comma in a name is written \\,; may be given again"},
    {OPT_NA, 0, "na", "LIST", READING, FOR_READING,
     "more values that mean missing, separated by commas (beside the empty value, ?, NA, NaN, "
     "null; beside numbers and dates N/A, -, None and their like, too)"},
    {OPT_NA_ONLY, 0, "na-only", "LIST", READING, FOR_READING,
     "the only values that mean missing, separated by commas; beside numbers and dates an empty "
     "cell does, too"},
    {OPT_TYPE, 0, "type", "COL=KIND", READING, FOR_FIT,
     "what a column or key is, whatever its values say: number, category, date, text, set:SEP, "
     "flag, id or ignore; number:comma and number:point say which mark is the decimal one; may be "
     "given again"},
    {OPT_DATES, 0, "dates", "dmy|mdy", READING, FOR_FIT,
     "day or month first in dates such as 3/4/2021 (default: as the column shows, else dmy)"},
    {OPT_SPLIT, 0, "split", "COL:SEP", READING, FOR_READING,
     "a column or key that holds a set: its value is split at each SEP, and each part is a "
     "feature; may be given again"},
    {OPT_TEXT, 0, "text", "COL,...", READING, FOR_READING,
     "columns or keys that hold texts: a feature for each word, with its count"},
    {OPT_PRESENCE, 0, "presence", "COL,...", READING, FOR_READING,
     "columns or keys that count as present or absent, whatever their value"},
    {OPT_NGRAMS, 0, "ngrams", "N", READING, FOR_READING,
     "texts: also sequences of up to N words (default: 1, but 2 in columns that are found to be "
     "texts, if these have at most 4 MiB)"},
    {OPT_MIN_COUNT, 0, "min-count", "N", READING, FOR_FIT | FOR_CONVERT | FOR_AUDIT,
     "texts: leave out words that fewer than N cases have (default: 1)"},
    {OPT_OUTCOMES, 0, "outcomes", "FILE", READING, FOR_READING,
     "file with the label of each row, a line each; a label in the data is left out"},
    {OPT_JOIN, 0, "join", "FILE:KEY[@NAME]", READING, FOR_READING,
     "add the features of all rows of FILE that have the same value of KEY as the case, named "
     "NAME.feature (default: the name of the file without its ending); may be given again"},
    {OPT_QUERY, 0, "query", "SELECT", READING, FOR_READING,
     "SQLite: the query whose rows are the cases (default: all rows of the only table, or of "
     "TABLE in FILE#TABLE)"},
    {OPT_NAMES, 0, "names", "FILE", READING, FOR_READING,
     "libsvm, cases: file with the names of ids and labels, as convert writes it"},
    {OPT_BAD_ROWS, 0, "bad-rows", "auto|stop|skip", READING, FOR_READING,
     "what to do with a row that cannot be used: stop, or skip and count it; auto takes short "
     "rows, "
     "leaves out rows without a label and stops at others (default: auto)"},
    {OPT_MAX_LINE, 0, "max-line", "BYTES", READING, FOR_READING,
     "length of the longest row allowed; K, M and G are powers of 1024 (default: 64M)"},
    {OPT_MAX_DEPTH, 0, "max-depth", "N", READING, FOR_READING,
     "jsonl: deepest nesting allowed (default: 32)"},
    {OPT_MAX_NAMES, 0, "max-names", "BYTES", READING, FOR_READING,
     "jsonl: bytes that the dotted names of nested keys may take in one row, beside 12 times those "
     "of the row; K, M and G are powers of 1024 (default: 64K)"},
    {OPT_MAX_EXPAND, 0, "max-expand", "N", READING, FOR_READING,
     "compressed files: stop if the data exceed both N times the size of the file and 64 MiB "
     "(default: 200)"},
    {OPT_MAX_WINDOW, 0, "max-window", "BYTES", READING, FOR_READING,
     "zstd: largest window that a file may need, up to 2G (default: 128M)"},
    {OPT_MAX_GRAMS, 0, "max-grams", "BYTES", READING, FOR_READING,
     "with --ngrams: stop if the features take more memory, counted as their names and 96 bytes "
     "each (default: 1G)"},
    {OPT_EXPLAIN_INPUT, 0, "explain-input", NULL, READING, FOR_TRAIN,
     "show how each column is read, and the first cases as the model will get them; do not train"},
    {OPT_MODEL, 0, "model", "plain|rich", BUILDING, FOR_BUILD | FOR_REPORT,
     "plain: atoms and their strengths; rich: ordered tests of numbers, conjunctions of tests and "
     "probabilities as well (default: rich)"},
    {OPT_MODEL, 0, "model", "plain|rich", BUILDING, FOR_STUDY,
     "plain: the model of the paper, atoms and their strengths; rich, for curve and pareto: that "
     "of "
     "train (default: plain)"},
    {OPT_EFFORT, 0, "effort", "lite|normal|max", BUILDING, FOR_FIT,
     "rich: lite is fast, for very large data; max is slow and takes smaller steps (default: "
     "normal)"},
    {OPT_MAX_MEMORY, 0, "max-memory", "BYTES", BUILDING, FOR_FIT,
     "do not start if the estimate exceeds this; K, M and G are powers of 1024 (default: the "
     "memory of the machine)"},
    {OPT_MAX_MEMORY, 0, "max-memory", "BYTES", OUTPUT, FOR_EXPLAIN,
     "rich: memory for what past cases did in training, which is else found again for each row; K, "
     "M and G are powers of 1024 (default: 1536M)"},
    {OPT_MIN_CASES, 0, "min-cases", "K", BUILDING, FOR_FIT,
     "leave out words, categories and other features that fewer than K training cases have, "
     "whatever these weigh; numbers of the number columns of a rich model stay (default: 1)"},
    {OPT_PRUNE, 0, "prune", NULL, BUILDING, FOR_TRAIN | FOR_EVALUATE,
     "plain: keep only the features that tell the labels apart most, as many as decide held-out "
     "cases best"},
    {OPT_IMPORTANCE, 0, "importance", "FILE", BUILDING, FOR_FIT,
     "plain: how important columns or single features are (csv: column, value, importance; 0 "
     "leaves one out; default: 1 for all)"},
    {OPT_BELIEF, 0, "belief", "FILE", BUILDING, FOR_FIT,
     "cases that experts state (csv: columns of the data, belief_source, belief_weight): trained "
     "on like others, never held out, and shown in reasons as what they are"},
    {OPT_NUMERIC, 0, "numeric", "COL,...", BUILDING, FOR_FIT,
     "rich: columns or keys whose values are ordered numbers, even if there are few (default: "
     "those with three or more different values, all of them numbers)"},
    {OPT_CATEGORICAL, 0, "categorical", "COL,...", BUILDING, FOR_FIT,
     "rich: columns or keys whose values have no order, even if they are numbers"},
    {OPT_SCOPE, 0, "scope", "class|all", BUILDING, FOR_FIT,
     "plain: cases that a strength adds up: those with the atom and the label (class), or all "
     "with the atom (all) (default: class)"},
    {OPT_PASSES, 0, "passes", "K", BUILDING, FOR_BUILD | FOR_REPORT,
     "plain: number of training passes over the cases, 0 or more (default: 1)"},
    {OPT_PASSES, 0, "passes", "K", BUILDING, FOR_STUDY,
     "plain: number of training passes over the cases, 0 or more (default: 1); of study passes the "
     "most, 1 or more (default: 20)"},
    {OPT_SEED, 0, "seed", "N", BUILDING, FOR_TRAIN,
     "seed of the random order of the cases in training (default: 1)"},
    {OPT_SEED, 0, "seed", "N", BUILDING, FOR_EVALUATE | FOR_TUNE | FOR_REPORT,
     "seed of the folds, and of the random order of the cases in training (default: 1)"},
    {OPT_SEED, 0, "seed", "N", BUILDING, FOR_AUDIT,
     "seed that selects the held-out tenth of the cases (default: 1)"},
    {OPT_SEED, 0, "seed", "N", BUILDING, FOR_STUDY, "seed of all that is drawn (default: 1)"},
    {OPT_GIVEN_ORDER, 0, "given-order", NULL, BUILDING, FOR_FIT,
     "plain: train in the order of the data; do not use it if the data are sorted by label"},
    {OPT_THREADS, 'j', NULL, "N", BUILDING, FOR_TRAIN,
     "number of threads; the model is the same for any number (default: 1)"},
    {OPT_THREADS, 'j', NULL, "N", BUILDING, FOR_STUDY,
     "number of threads, each for a different model; the figures are the same for any number, but "
     "for times (default: 1)"},
    {OPT_THREADS, 'j', NULL, "N", BUILDING, FOR_EVALUATE | FOR_TUNE | FOR_REPORT,
     "number of threads, each for a different fold; the figures are the same for any number "
     "(default: 1)"},
    {OPT_THREADS, 'j', NULL, "N", OUTPUT, FOR_EXPLAIN,
     "explain N rows at once; the output is the same for any N (default: 1)"},
    {OPT_THREADS, 'j', NULL, "N", BUILDING, FOR_PREDICT,
     "number of threads that read and decide a large file; the output is the same for any number "
     "(default: 1)"},
    {OPT_KEEP_CASES, 0, "keep-cases", "none|anonymous|full", BUILDING, FOR_MAKE,
     "what the model keeps of the cases: none, anonymous (without their names) or full "
     "(default: full)"},
    {OPT_CALIBRATE, 0, "calibrate", "none|platt|isotonic", BUILDING, FOR_FIT,
     "plain: learn probabilities from held-out cases, as a logistic curve (platt) or a rising "
     "function (isotonic); rich models have calibrated probabilities anyway (default: none)"},
    {OPT_FOLDS, 0, "folds", "K", HOLDING, FOR_EVALUATE | FOR_TUNE | FOR_STUDY | FOR_REPORT,
     "parts of the cases, each held out once and decided by a model of the others; each has its "
     "share of every label (default: 10)"},
    {OPT_REPEATS, 0, "repeats", "N", HOLDING, FOR_EVALUATE,
     "draw the folds, or what is held out, so many times (default: 1)"},
    {OPT_REPEATS, 0, "repeats", "N", HOLDING, FOR_STUDY,
     "draw the folds, or for curve the tenth that is held out, so many times (default: 1, for "
     "curve 10)"},
    {OPT_GENERATIONS, 0, "generations", "N", HOLDING, FOR_STUDY,
     "space: generations of the evolution strategy, 0 or more (default: 100)"},
    {OPT_HOLDOUT, 0, "holdout", "SHARE", HOLDING, FOR_EVALUATE,
     "hold out one part of this share, above 0 and below 1, instead of folds"},
    {OPT_PAST_ONLY, 0, "past-only", NULL, HOLDING, FOR_EVALUATE,
     "train on the past only: of K + 1 parts in the order of the data, each but the first is "
     "decided by a model of those before it; with --holdout the last cases are held out"},
    {OPT_EQUAL_ROWS, 0, "equal-rows", "beside|apart|together", HOLDING, FOR_EVALUATE | FOR_REPORT,
     "rows whose features are equal, whatever their labels: apart draws them one by one, together "
     "keeps them in one fold; beside does both if one in a hundred held-out rows equals a "
     "training row, which takes twice as long (default: beside)"},
    {OPT_TEST, 0, "test", "FILE", HOLDING, FOR_EVALUATE,
     "train on all of DATA, decide the cases of this file; may be given again"},
    {OPT_FOLDS_FILE, 0, "folds-file", "FILE", HOLDING, FOR_EVALUATE,
     "take the folds from a file: a whole number on each line, one for each data row; each "
     "different number is a fold"},
    {OPT_METRIC, 0, "metric", "accuracy|balanced|f1|mcc", TUNING, FOR_TUNE,
     "choose the thresholds that maximise this measure; all except accuracy need two labels "
     "(default: accuracy)"},
    {OPT_COST, 0, "cost", "fp=V,fn=V", TUNING, FOR_TUNE,
     "minimise the cost of a false positive and a false negative (see --positive). "
     "TRUE:GIVEN=V,... sets the costs of pairs of labels; other mistakes cost 1. With unknown=V "
     "or TRUE:unknown=V the answer is unknown if that costs less than every label is expected to "
     "cost. May be given again"},
    {OPT_MAX_ERROR, 0, "max-error", "E", TUNING, FOR_TUNE,
     "give a label only where the error stays below E, else unknown; E is above 0 and below 1"},
    {OPT_CONFIDENCE, 0, "confidence", "C", TUNING, FOR_TUNE,
     "confidence that --max-error holds, above 0 and below 1 (default: 0.95)"},
    {OPT_TRY_PASSES, 0, "try-passes", "K,...", TUNING, FOR_TUNE,
     "plain: numbers of training passes to try"},
    {OPT_TRY_SCOPES, 0, "try-scopes", NULL, TUNING, FOR_TUNE, "plain: choose the scope as well"},
    {OPT_ETA, 0, "eta", "L=V,...", DECIDING, FOR_DATA,
     "threshold: give label L only if its support (rich: its probability) is above V, which is 0 "
     "or more; may be given again"},
    {OPT_ETA_SHARE, 0, "eta-share", "L=V,...", DECIDING, FOR_DATA,
     "give label L only if its share against the best other label is above V, from 0 to below 1 "
     "(rich: the share of the probabilities)"},
    {OPT_FALLBACK, 0, "fallback", "auto|LABEL|unknown|prior", DECIDING, FOR_DATA,
     "the answer if a label does not reach its threshold: a label, unknown (also with auto), or "
     "prior (the most frequent label). If no feature of a case is known, prior gives that label, "
     "and auto lets a rich model without thresholds give its most probable label; otherwise the "
     "answer is unknown (default: auto)"},
    {OPT_MEMORY, 0, "memory", NULL, DECIDING, FOR_DATA,
     "a case identical to past cases gets the label that most of them have"},
    {OPT_NO_MEMORY, 0, "no-memory", NULL, DECIDING, FOR_USE,
     "do not use the memory rule, even if the model was trained with --memory"},
    {OPT_POSITIVE, 0, "positive", "LABEL", OUTPUT, FOR_EVALUATE | FOR_TUNE | FOR_REPORT,
     "label that recall, precision and the like are about (default: the second of two; of more "
     "labels, the mean over all)"},
    {OPT_AT, 0, "at", "K", OUTPUT, FOR_EVALUATE,
     "also the precision among the K cases with the highest scores for the label (see --positive), "
     "of all that are held out"},
    {OPT_PREDICTIONS, 0, "predictions", "FILE", OUTPUT, FOR_EVALUATE,
     "write each held-out decision to a file of JSON Lines"},
    {OPT_FOLDS_OUT, 0, "folds-out", "FILE", OUTPUT, FOR_EVALUATE,
     "write the folds to a file as --folds-file reads it"},
    {OPT_QUICK, 0, "quick", NULL, HOLDING, FOR_REPORT,
     "leave out the learning curve and the frontier of fewer, surer answers, which take most of "
     "the "
     "time"},
    {OPT_LIMIT, 0, "limit", "D", OUTPUT, FOR_DRIFT,
     "drift above it is too much, and the exit status is 1; 0 to 1 (default: 0.1)"},
    {OPT_TOP, 0, "top", "N", OUTPUT, FOR_DRIFT,
     "how many columns to show; 0: none; JSON has all (default: 10)"},
    {OPT_TOP, 0, "top", "N", OUTPUT, FOR_INSPECT,
     "how many columns, past cases and, for each label, atoms (rich: features and conjunctions) to "
     "show; 0: none (default: 10)"},
    {OPT_ATOM, 0, "atom", "FEATURE|N", OUTPUT, FOR_INSPECT,
     "show one atom in full, named by one of its features as explain prints them, as in colour=red "
     "or age=39, or by its number; rich: also the conjunctions with it"},
    {OPT_CASE, 0, "case", "CASE", OUTPUT, FOR_INSPECT,
     "show one past case in full, named by its id or, if it has none, by its row"},
    {OPT_TOP, 0, "top", "N", OUTPUT, FOR_EXPLAIN,
     "how many columns and groups of features to show; 0: none (default: 10, in text 5 columns "
     "and no groups)"},
    {OPT_TOP, 0, "top", "N", OUTPUT, FOR_AUDIT,
     "how many findings of each kind to show; 0: none (default: 5)"},
    {OPT_CASES, 0, "cases", "N", OUTPUT, FOR_EXPLAIN,
     "how many past cases to show for the answer, and how many against it (default: 5, in text 2); "
     "0 skips "
     "past cases, which is faster if there are many"},
    {OPT_ALL_REASONS, 0, "all", NULL, OUTPUT, FOR_EXPLAIN,
     "show every group of features and every past case with an influence on any label"},
    {OPT_ROWS, 0, "rows", "LIST", OUTPUT, FOR_EXPLAIN,
     "rows to explain, as in 3,7-20 (default: all)"},
    {OPT_VERSUS, 0, "versus", "CASE", OUTPUT, FOR_EXPLAIN,
     "compare each case with a past case, named by its id or, if it has none, by its row: what "
     "they share, what only one has, and how much each difference moves the lead"},
    {OPT_FLIP, 0, "flip", NULL, OUTPUT, FOR_EXPLAIN,
     "show the smallest changes that would change the answer, each with the nearest value that "
     "does"},
    {OPT_FIXED, 0, "fixed", "COL,...", OUTPUT, FOR_EXPLAIN,
     "columns or keys that --flip must not change"},
    {OPT_ONLY, 0, "only", "COL,...", OUTPUT, FOR_EXPLAIN,
     "columns or keys that --flip alone may change"},
    {OPT_RANGE, 0, "range", "COL=LOW..HIGH,...", OUTPUT, FOR_EXPLAIN,
     "what --flip may make of a column of numbers or dates, as in age=30..60, age=30.. or "
     "since=2020-01-01..2021-12-31"},
    {OPT_INCREASE_ONLY, 0, "increase-only", "COL,...", OUTPUT, FOR_EXPLAIN,
     "columns of numbers or dates that --flip may only make larger"},
    {OPT_DECREASE_ONLY, 0, "decrease-only", "COL,...", OUTPUT, FOR_EXPLAIN,
     "columns of numbers or dates that --flip may only make smaller"},
    {OPT_FLIP_LIMIT, 0, "flip-limit", "N", OUTPUT, FOR_EXPLAIN,
     "most steps of --flip for one row; a step looks at a feature or at a test of a tree "
     "(default: 500000000, about 2 seconds)"},
    {OPT_ASK, 0, "ask", NULL, OUTPUT, FOR_EXPLAIN,
     "show which missing values are worth asking for first, by how much they are expected to move "
     "the lead"},
    {OPT_SUMMARY, 0, "summary", NULL, OUTPUT, FOR_EXPLAIN,
     "show the reasons of all rows together: which of them occur how often for which answers, rows "
     "with strong reasons for and against, rows unlike past cases"},
    {OPT_HTML, 0, "html", "FILE", OUTPUT, FOR_EVALUATE | FOR_TUNE,
     "also write a page of HTML with charts and tables, completely or not at all (see "
     "hcbr-report)"},
    {OPT_HTML, 0, "html", "FILE", OUTPUT, FOR_EXPLAIN,
     "write an HTML page to FILE instead of text, completely or not at all; if FILE is a folder or "
     "ends with /, a page for each case, and index.html that lists them"},
    {OPT_HIDE, 0, "hide", "COL,...", OUTPUT, FOR_EXPLAIN,
     "columns that text, pages and JSON must not show; what they add is still in the sums"},
    {OPT_PAST, 0, "past", "DATA", OUTPUT, FOR_EXPLAIN,
     "the data that the model was trained with: past cases are cited with its name and, on pages, "
     "their texts are shown with the words that weighed marked"},
    {OPT_DATE, 0, "date", NULL, OUTPUT, FOR_EXPLAIN,
     "put today's date (UTC) on pages; SOURCE_DATE_EPOCH names another day"},
    {OPT_TO, 0, "to", "csv|tsv|jsonl", OUTPUT, FOR_PREDICT,
     "write a table with a header, or JSON Lines, with the probability of every label (default: "
     "text; with --add-columns csv)"},
    {OPT_ADD_COLUMNS, 0, "add-columns", NULL, OUTPUT, FOR_PREDICT,
     "csv, tsv, jsonl: write the columns of DATA, and the answer beside them; an answer whose name "
     "a column has gets _2 behind it"},
    {OPT_SORT, 0, "sort", "LABEL", OUTPUT, FOR_PREDICT,
     "write the rows by the probability of LABEL, the largest first, those with the same in the "
     "order of DATA; not for standard input"},
    {OPT_TO, 0, "to", "csv|tsv|jsonl|libsvm|cases", OUTPUT, FOR_CONVERT,
     "format to write (default: from the ending of OUT)"},
    {OPT_OUTPUT, 'o', NULL, "OUT", OUTPUT, FOR_CONVERT,
     "file to write to, completely or not at all; - is standard output (required)"},
    {OPT_SORTED, 0, "sorted", NULL, OUTPUT, FOR_CONVERT,
     "libsvm, cases: sort the ids of each case, even if the order of the features is then lost"},
    {OPT_NAMES_OUT, 0, "names-out", "FILE", OUTPUT, FOR_CONVERT,
     "libsvm, cases: file for the names of ids and labels (default: OUT.names)"},
    {OPT_OUTCOMES_OUT, 0, "outcomes-out", "FILE", OUTPUT, FOR_CONVERT,
     "cases: file for the labels, a line each (default: OUT.outcomes)"},
    {OPT_OUTPUT, 'o', NULL, "MODEL", OUTPUT, FOR_MAKE,
     "file to write the model to, completely or not at all (required)"},
    {OPT_OUTPUT, 'o', NULL, "FILE", OUTPUT, FOR_USE | FOR_REPORT,
     "file to write to, completely or not at all (default: standard output)"},
    {OPT_JSON, 0, "json", NULL, OUTPUT, FOR_ALL, "print JSON (see docs/JSON.md)"},
    {OPT_QUIET, 'q', NULL, NULL, OUTPUT, FOR_ALL,
     "no summary and no progress; warnings and errors remain"},
    {OPT_VERBOSE, 'v', NULL, NULL, OUTPUT, FOR_ALL,
     "print more: time and memory of each stage, rates"},
    {OPT_HELP, 'h', "help", NULL, OUTPUT, FOR_ALL, "print this help"},
    {OPT_VERSION, 0, "version", NULL, OUTPUT, FOR_ALL, "print the version"},
};
const size_t opt_count = sizeof opt_table / sizeof opt_table[0];

const char *opt_name(opt_id id) {
    for (size_t i = 0; i < opt_count; i++)
        if (opt_table[i].id == id)
            return opt_table[i].name ? opt_table[i].name : id == OPT_THREADS ? "j" : "o";
    return "";
}

const char *opt_dashes(opt_id id) {
    return id == OPT_THREADS || id == OPT_OUTPUT ? "-" : "--";
}

const opt_spec *opt_find(const struct command *command, opt_id id) {
    for (size_t i = 0; i < opt_count; i++)
        if (opt_table[i].id == id && (opt_table[i].commands & command->bit))
            return &opt_table[i];
    return NULL;
}

/* The option of a field of the library's options; NULL: there is none. */
static const char *option_of(const char *field, size_t length) {
    if (length == 9 && memcmp(field, "join.name", 9) == 0)
        return "join FILE:KEY@NAME";
    for (size_t i = 0; i < opt_count; i++) {
        const char *name = opt_table[i].name;
        size_t n = 0;
        while (name && n < length && name[n] && name[n] == (field[n] == '_' ? '-' : field[n]))
            n++;
        if (name && n == length && !name[n])
            return name;
    }
    return NULL;
}

void opt_spell(char *to, size_t room, const char *text) {
    static const char WORD[] = "option ";
    bool quoted = false;
    size_t used = 0;
    while (*text && used + 1 < room) {
        size_t length = quoted || strncmp(text, WORD, strlen(WORD)) != 0
                            ? 0
                            : strspn(text + strlen(WORD), "abcdefghijklmnopqrstuvwxyz_.");
        const char *name = length ? option_of(text + strlen(WORD), length) : NULL;
        if (name) {
            used += (size_t)snprintf(to + used, room - used, "--%s", name);
            used = used < room ? used : room - 1;
            text += strlen(WORD) + length;
            continue;
        }
        if (*text == '\'' && (quoted || used == 0 || !isalnum((unsigned char)to[used - 1])))
            quoted = !quoted; // the other ones are apostrophes
        to[used++] = *text++;
    }
    to[used] = 0;
}

opt_file opt_file_of(const opt_spec *spec) {
    const char *argument = spec->argument;
    if (argument && strncmp(argument, "DATA", 4) == 0)
        return OPT_FILE_READ;
    if (!argument || (strncmp(argument, "FILE", 4) != 0 && strncmp(argument, "OUT", 3) != 0 &&
                      strncmp(argument, "MODEL", 5) != 0))
        return OPT_FILE_NONE;
    return spec->group == OUTPUT ? OPT_FILE_WRITTEN : OPT_FILE_READ;
}
