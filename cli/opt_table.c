/*
 * The options of the program: those of the library, and those of the program only, about files and
 * output. Parsing, help, manual pages and completions come from them.
 */
#include "opt.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const char READING[] = "Reading";
static const char BUILDING[] = "Building";
static const char HOLDING[] = "Holding out";
static const char TUNING[] = "Tuning";
static const char DECIDING[] = "Deciding";
static const char OUTPUT[] = "Output";
static const char *const GROUPS[] = {READING, BUILDING, HOLDING, TUNING, DECIDING, OUTPUT};

/* Commands that use a model on data, that make models, that read data. */
enum {
    FOR_USE = HCBR_FOR_PREDICT | HCBR_FOR_EXPLAIN,
    FOR_MAKE = HCBR_FOR_TRAIN | HCBR_FOR_TUNE,
    FOR_READING = FOR_ALL & ~HCBR_FOR_INSPECT
};

/* The program's own. */
static const opt_spec OWN[] = {
    {"one-case", 0, "case", "COL=VALUE", READING, FOR_USE,
     "a feature of one case to decide, instead of DATA: a column or key and its value, or a bare "
     "feature; give it once for each feature of the case",
     NULL},
    {"query", 0, "query", "SELECT", READING, FOR_READING,
     "SQLite: the query whose rows are the cases (default: all rows of the only table, or of TABLE "
     "in FILE#TABLE)",
     NULL},
    {"explain-input", 0, "explain-input", NULL, READING, HCBR_FOR_TRAIN,
     "show how each column is read, and the first cases as the model will get them; do not train",
     NULL},
    {"generations", 0, "generations", "N", HOLDING, HCBR_FOR_STUDY,
     "space: generations of the evolution strategy, 0 or more (default: 100)", NULL},
    {"test", 0, "test", "FILE", HOLDING, HCBR_FOR_EVALUATE,
     "train on all of DATA, decide the cases of this file; may be given again", NULL},
    {"folds-file", 0, "folds-file", "FILE", HOLDING, HCBR_FOR_EVALUATE,
     "take the folds from a file: a whole number on each line, one for each data row; each "
     "different number is a fold",
     NULL},
    {"quick", 0, "quick", NULL, HOLDING, HCBR_FOR_REPORT,
     "leave out the learning curve and the frontier of fewer, surer answers, which take most of "
     "the time",
     NULL},
    {"no-memory", 0, "no-memory", NULL, DECIDING, FOR_USE,
     "do not use the memory rule, even if the model was trained with --memory", NULL},
    {"max-memory", 0, "max-memory", "BYTES", OUTPUT, HCBR_FOR_EXPLAIN,
     "rich: memory for what past cases did in training, which is else found again for each row; K, "
     "M and G are powers of 1024 (default: 1536M)",
     NULL},
    {"predictions", 0, "predictions", "FILE", OUTPUT, HCBR_FOR_EVALUATE,
     "write each held-out decision to a file of JSON Lines", NULL},
    {"folds-out", 0, "folds-out", "FILE", OUTPUT, HCBR_FOR_EVALUATE,
     "write the folds to a file as --folds-file reads it", NULL},
    {"limit", 0, "limit", "D", OUTPUT, HCBR_FOR_DRIFT,
     "drift above it is too much, and the exit status is 1; 0 to 1 (default: 0.1)", NULL},
    {"top", 0, "top", "N", OUTPUT, HCBR_FOR_DRIFT,
     "how many columns to show; 0: none; JSON has all (default: 10)", NULL},
    {"top", 0, "top", "N", OUTPUT, HCBR_FOR_INSPECT,
     "how many columns, past cases and, for each label, atoms (rich: features and conjunctions) to "
     "show; 0: none (default: 10)",
     NULL},
    {"atom", 0, "atom", "FEATURE|N", OUTPUT, HCBR_FOR_INSPECT,
     "show one atom in full, named by one of its features as explain prints them, as in colour=red "
     "or age=39, or by its number; rich: also the conjunctions with it",
     NULL},
    {"case", 0, "case", "CASE", OUTPUT, HCBR_FOR_INSPECT,
     "show one past case in full, named by its id or, if it has none, by its row", NULL},
    {"top", 0, "top", "N", OUTPUT, HCBR_FOR_EXPLAIN,
     "how many columns and groups of features to show; 0: none (default: 10, in text 5 columns and "
     "no groups)",
     NULL},
    {"top", 0, "top", "N", OUTPUT, HCBR_FOR_AUDIT,
     "how many findings of each kind to show; 0: none (default: 5)", NULL},
    {"cases", 0, "cases", "N", OUTPUT, HCBR_FOR_EXPLAIN,
     "how many past cases to show for the answer, and how many against it (default: 5, in text 2); "
     "0 skips past cases, which is faster if there are many",
     NULL},
    {"all", 0, "all", NULL, OUTPUT, HCBR_FOR_EXPLAIN,
     "show every group of features and every past case with an influence on any label", NULL},
    {"rows", 0, "rows", "LIST", OUTPUT, HCBR_FOR_EXPLAIN,
     "rows to explain, as in 3,7-20 (default: all)", NULL},
    {"versus", 0, "versus", "CASE", OUTPUT, HCBR_FOR_EXPLAIN,
     "compare each case with a past case, named by its id or, if it has none, by its row: what "
     "they share, what only one has, and how much each difference moves the lead",
     NULL},
    {"flip", 0, "flip", NULL, OUTPUT, HCBR_FOR_EXPLAIN,
     "show the smallest changes that would change the answer, each with the nearest value that "
     "does",
     NULL},
    {"fixed", 0, "fixed", "COL,...", OUTPUT, HCBR_FOR_EXPLAIN,
     "columns or keys that --flip must not change", NULL},
    {"only", 0, "only", "COL,...", OUTPUT, HCBR_FOR_EXPLAIN,
     "columns or keys that --flip alone may change", NULL},
    {"range", 0, "range", "COL=LOW..HIGH,...", OUTPUT, HCBR_FOR_EXPLAIN,
     "what --flip may make of a column of numbers or dates, as in age=30..60, age=30.. or "
     "since=2020-01-01..2021-12-31",
     NULL},
    {"increase-only", 0, "increase-only", "COL,...", OUTPUT, HCBR_FOR_EXPLAIN,
     "columns of numbers or dates that --flip may only make larger", NULL},
    {"decrease-only", 0, "decrease-only", "COL,...", OUTPUT, HCBR_FOR_EXPLAIN,
     "columns of numbers or dates that --flip may only make smaller", NULL},
    {"flip-limit", 0, "flip-limit", "N", OUTPUT, HCBR_FOR_EXPLAIN,
     "most steps of --flip for one row; a step looks at a feature or at a test of a tree (default: "
     "500000000, about 2 seconds)",
     NULL},
    {"ask", 0, "ask", NULL, OUTPUT, HCBR_FOR_EXPLAIN,
     "show which missing values are worth asking for first, by how much they are expected to move "
     "the lead",
     NULL},
    {"summary", 0, "summary", NULL, OUTPUT, HCBR_FOR_EXPLAIN,
     "show the reasons of all rows together: which of them occur how often for which answers, rows "
     "with strong reasons for and against, rows unlike past cases",
     NULL},
    {"html", 0, "html", "FILE", OUTPUT, HCBR_FOR_EVALUATE | HCBR_FOR_TUNE,
     "also write a page of HTML with charts and tables, completely or not at all (see hcbr-report)",
     NULL},
    {"html", 0, "html", "FILE", OUTPUT, HCBR_FOR_EXPLAIN,
     "write an HTML page to FILE instead of text, completely or not at all; if FILE is a folder or "
     "ends with /, a page for each case, and index.html that lists them",
     NULL},
    {"hide", 0, "hide", "COL,...", OUTPUT, HCBR_FOR_EXPLAIN,
     "columns that text, pages and JSON must not show; what they add is still in the sums", NULL},
    {"past", 0, "past", "DATA", OUTPUT, HCBR_FOR_EXPLAIN,
     "the data that the model was trained with: past cases are cited with its name and, on pages, "
     "their texts are shown with the words that weighed marked",
     NULL},
    {"date", 0, "date", NULL, OUTPUT, HCBR_FOR_EXPLAIN,
     "put today's date (UTC) on pages; SOURCE_DATE_EPOCH names another day", NULL},
    {"to", 0, "to", "csv|tsv|jsonl", OUTPUT, HCBR_FOR_PREDICT,
     "write a table with a header, or JSON Lines, with the probability of every label (default: "
     "text; with --add-columns csv)",
     NULL},
    {"add-columns", 0, "add-columns", NULL, OUTPUT, HCBR_FOR_PREDICT,
     "csv, tsv, jsonl: write the columns of DATA, and the answer beside them; an answer whose name "
     "a column has gets _2 behind it",
     NULL},
    {"sort", 0, "sort", "LABEL", OUTPUT, HCBR_FOR_PREDICT,
     "write the rows by the probability of LABEL, the largest first, those with the same in the "
     "order of DATA; not for standard input",
     NULL},
    {"to", 0, "to", "csv|tsv|jsonl|libsvm|cases", OUTPUT, HCBR_FOR_CONVERT,
     "format to write (default: from the ending of OUT)", NULL},
    {"output", 'o', NULL, "OUT", OUTPUT, HCBR_FOR_CONVERT,
     "file to write to, completely or not at all; - is standard output (required)", NULL},
    {"sorted", 0, "sorted", NULL, OUTPUT, HCBR_FOR_CONVERT,
     "libsvm, cases: sort the ids of each case, even if the order of the features is then lost",
     NULL},
    {"names-out", 0, "names-out", "FILE", OUTPUT, HCBR_FOR_CONVERT,
     "libsvm, cases: file for the names of ids and labels (default: OUT.names)", NULL},
    {"outcomes-out", 0, "outcomes-out", "FILE", OUTPUT, HCBR_FOR_CONVERT,
     "cases: file for the labels, a line each (default: OUT.outcomes)", NULL},
    {"output", 'o', NULL, "MODEL", OUTPUT, FOR_MAKE,
     "file to write the model to, completely or not at all (required)", NULL},
    {"output", 'o', NULL, "FILE", OUTPUT, FOR_USE | HCBR_FOR_REPORT,
     "file to write to, completely or not at all (default: standard output)", NULL},
    {"json", 0, "json", NULL, OUTPUT, FOR_ALL, "print JSON (see docs/JSON.md)", NULL},
    {"quiet", 'q', NULL, NULL, OUTPUT, FOR_ALL,
     "no summary and no progress; warnings and errors remain", NULL},
    {"verbose", 'v', NULL, NULL, OUTPUT, FOR_ALL,
     "print more: time and memory of each stage, rates", NULL},
    {"help", 'h', "help", NULL, OUTPUT, FOR_ALL, "print this help", NULL},
    {"version", 0, "version", NULL, OUTPUT, FOR_ALL, "print the version", NULL},
};

enum { MOST = 160, LONGEST = 32 };
opt_spec opt_table[MOST];
size_t opt_count;

static void add(opt_spec spec, const char *group) {
    assert(opt_count < MOST);
    spec.group = group;
    opt_table[opt_count++] = spec;
}

/* An option of the library: its name with a hyphen where that has an underscore. */
static void add_shared(const hcbr_option *option, const char *group) {
    static char names[MOST][LONGEST];
    char *name = names[opt_count];
    assert(strlen(option->name) < LONGEST);
    for (size_t i = 0; option->name[i]; i++)
        name[i] = option->name[i] == '_' ? '-' : option->name[i];
    add((opt_spec){name, option->letter, option->letter ? NULL : name, option->argument, NULL,
                   option->commands, option->help, option},
        group);
}

void opt_fill(void) {
    const hcbr_option *option;
    for (size_t g = 0; g < sizeof GROUPS / sizeof *GROUPS; g++) {
        for (size_t i = 0; (option = hcbr_option_at(i)); i++)
            if (strcmp(option->section, GROUPS[g]) == 0)
                add_shared(option, GROUPS[g]);
        for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
            if (OWN[i].group == GROUPS[g])
                add(OWN[i], GROUPS[g]);
    }
}

bool opt_is(const opt_spec *spec, const char *id) {
    return strcmp(spec->id, id) == 0;
}

/* The first entry of an id. */
static const opt_spec *find(const char *id) {
    for (size_t i = 0; i < opt_count; i++)
        if (opt_is(&opt_table[i], id))
            return &opt_table[i];
    assert(false && "an option of this id");
    return &opt_table[0];
}

const char *opt_name(const char *id) {
    static char letter[2];
    const opt_spec *spec = find(id);
    letter[0] = spec->letter;
    return spec->name ? spec->name : letter;
}

const char *opt_dashes(const char *id) {
    return find(id)->name ? "--" : "-";
}

/* The option of a field of the library's options; NULL: none. */
static const char *option_of(const char *field, size_t length) {
    static char text[LONGEST + 2];
    if (length == 9 && memcmp(field, "join.name", 9) == 0)
        return "--join FILE:KEY@NAME";
    for (size_t i = 0; i < opt_count; i++) {
        const char *id = opt_table[i].id;
        size_t n = 0;
        while (n < length && id[n] && id[n] == (field[n] == '_' ? '-' : field[n]))
            n++;
        if (n == length && !id[n]) {
            snprintf(text, sizeof text, "%s%s", opt_dashes(id), opt_name(id));
            return text;
        }
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
            used += (size_t)snprintf(to + used, room - used, "%s", name);
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

/* How values are written. */
static const char *syntax_of(const opt_spec *spec) {
    if (!spec->option)
        return "";
    switch (spec->option->kind) {
    case HCBR_OPTION_TEXTS:
        return "; may be given again, and a comma in one is written \\,";
    case HCBR_OPTION_SIZE:
        return "; K, M and G are powers of 1024";
    case HCBR_OPTION_PAIRS:
    case HCBR_OPTION_VALUES:
        return "; may be given again";
    default:
        return "";
    }
}

const char *opt_summary(const opt_spec *spec) {
    static char text[1000];
    opt_spell(text, sizeof text, spec->summary);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s", syntax_of(spec));
    return text;
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
