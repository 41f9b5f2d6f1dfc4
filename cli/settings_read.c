/*
 * The options of reading: columns, formats, limits, sources to be joined.
 *
 * A value that names several things is copied once and cut in place; the settings hold the copy.
 */
#include "settings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int read_delimiter(const args *given, int *out) {
    const char *text = args_get(given, OPT_DELIMITER);
    if (!text)
        return EXIT_DONE;
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        text = "\t";
    unsigned char c = (unsigned char)text[0];
    if (strlen(text) != 1 || c >= 0x7f || c == '"' || c == '\n' || c == '\r')
        return say_usage(given->command->name,
                         "--delimiter %s: one ASCII character (no quote, no end of line) or tab "
                         "was expected",
                         settings_shown(text));
    *out = c;
    return EXIT_DONE;
}

/* --quote and --escape: a character, or none, which is -1. */
static int read_mark(const args *given, opt_id id, int *out) {
    const char *text = args_get(given, id);
    if (!text)
        return EXIT_DONE;
    unsigned char c = (unsigned char)text[0];
    if (strcmp(text, "none") == 0) {
        *out = -1;
        return EXIT_DONE;
    }
    if (strlen(text) != 1 || c <= ' ' || c >= 0x7f)
        return say_usage(given->command->name,
                         "--%s %s: one ASCII character (no blank) or none was expected",
                         opt_name(id), settings_shown(text));
    *out = c;
    return EXIT_DONE;
}

/* --header N and --no-header. */
static int read_header(const args *given, hcbr_read_options *options) {
    uint64_t lines = 1;
    int code = settings_number(given, OPT_HEADER, 0, 16, &lines);
    if (code != EXIT_DONE)
        return code;
    if (args_has(given, OPT_HEADER) && args_has(given, OPT_NO_HEADER) && lines > 0)
        return say_usage(given->command->name, "--header %llu and --no-header exclude each other",
                         (unsigned long long)lines);
    if (args_has(given, OPT_HEADER)) {
        options->header = (uint32_t)lines;
        options->no_header = lines == 0;
    }
    if (args_has(given, OPT_NO_HEADER)) {
        options->header = 0;
        options->no_header = 1;
    }
    return EXIT_DONE;
}

/* --na adds to the values that mean missing, --na-only replaces them. */
static int read_missing(settings *s, const args *given, hcbr_read_options *options) {
    const bool only = args_has(given, OPT_NA_ONLY);
    const char *const *before = options->na;
    size_t count = options->na_count, added = 0;
    int code;
    if (only && args_has(given, OPT_NA))
        return say_usage(given->command->name,
                         "--na adds to the list that --na-only gives: name all values in one of "
                         "them");
    if ((code = settings_list(given, only ? OPT_NA_ONLY : OPT_NA, &s->na_text, &s->na, &added)) ||
        !s->na)
        return code;
    if (only) {
        options->na_only = 1;
        options->na = s->na;
        options->na_count = added;
        return EXIT_DONE;
    }
    if (!before)
        before = hcbr_read_default_missing(&count);
    const char **all = realloc(s->na, (added + count) * sizeof *all);
    if (!all)
        return say_no_memory(given->command->name);
    memmove(all + count, all, added * sizeof *all);
    memcpy(all, before, count * sizeof *all);
    options->na = s->na = all;
    options->na_count = added + count;
    return EXIT_DONE;
}

/*
 * A value COL:SEP, cut in place. A column may hold a colon: the last one counts, or the one before
 * it if the last is the separator itself.
 */
static int read_split(const args *given, char *text, hcbr_split *out) {
    size_t length = strlen(text);
    char *colon = NULL;
    for (size_t i = 1; i + 1 < length; i++)
        if (text[i] == ':')
            colon = text + i;
    if (!colon)
        return say_usage(given->command->name,
                         "--split %s: COL:SEP was expected, a column and what separates its parts",
                         settings_shown(text));
    *colon = '\0';
    *out = (hcbr_split){text, colon + 1};
    if (strcmp(out->separator, "tab") == 0 || strcmp(out->separator, "\\t") == 0)
        out->separator = "\t";
    return EXIT_DONE;
}

/* --split, as often as it was given. */
static int read_splits(settings *s, const args *given, hcbr_read_options *options) {
    size_t bytes = 0, count = 0;
    for (size_t i = 0; i < given->given_count; i++)
        if (given->given[i].id == OPT_SPLIT) {
            bytes += strlen(given->given[i].value) + 1;
            count++;
        }
    if (count == 0)
        return EXIT_DONE;
    char *to = s->split_text = malloc(bytes);
    s->split = calloc(count, sizeof *s->split);
    if (!to || !s->split)
        return say_no_memory(given->command->name);
    options->split = s->split;
    options->split_count = 0;
    for (size_t i = 0; i < given->given_count; i++) {
        if (given->given[i].id != OPT_SPLIT)
            continue;
        size_t length = strlen(given->given[i].value);
        memcpy(to, given->given[i].value, length + 1);
        int code = read_split(given, to, &s->split[options->split_count++]);
        if (code != EXIT_DONE)
            return code;
        to += length + 1;
    }
    return EXIT_DONE;
}

/* --type COL=KIND, as often as it was given; the last equals sign counts. */
static int read_types(settings *s, const args *given, hcbr_read_options *options) {
    size_t bytes = 0, count = 0;
    for (size_t i = 0; i < given->given_count; i++)
        if (given->given[i].id == OPT_TYPE) {
            bytes += strlen(given->given[i].value) + 1;
            count++;
        }
    if (count == 0)
        return EXIT_DONE;
    char *to = s->type_text = malloc(bytes);
    s->types = calloc(count, sizeof *s->types);
    if (!to || !s->types)
        return say_no_memory(given->command->name);
    options->types = s->types;
    options->type_count = 0;
    for (size_t i = 0; i < given->given_count; i++) {
        if (given->given[i].id != OPT_TYPE)
            continue;
        const char *value = given->given[i].value;
        size_t length = strlen(value);
        memcpy(to, value, length + 1);
        char *set = strstr(to, "=set:"), *mark = set ? set : strrchr(to, '=');
        if (!mark || mark == to)
            return say_usage(given->command->name,
                             "--type %s: COL=KIND was expected, a column and what it is",
                             settings_shown(value));
        *mark = '\0';
        s->types[options->type_count++] = (hcbr_type){to, mark + 1};
        to += length + 1;
    }
    return EXIT_DONE;
}

/*
 * "FILE:KEY[@NAME]", cut in place: at the last colon, and after it at the last at-sign. So a path
 * may hold anything, a key no colon, and a name neither.
 */
static int read_join(const args *given, char *text, hcbr_join *out) {
    char *colon = strrchr(text, ':'), *at = colon ? strrchr(colon, '@') : NULL;
    if (!colon || colon == text || !colon[1] || at == colon + 1 || (at && !at[1]))
        return say_usage(given->command->name,
                         "--join %s: FILE:KEY or FILE:KEY@NAME was expected, a file and the column "
                         "or key that it has in common with DATA",
                         settings_shown(text));
    *colon = '\0';
    if (at)
        *at = '\0';
    *out = (hcbr_join){.path = text, .key = colon + 1, .name = at ? at + 1 : NULL};
    return EXIT_DONE;
}

/* Does a source that was given have this name? The library finds the name of a file. */
static bool has_name(const hcbr_join *join, const char *name) {
    size_t length = strlen(name);
    const char *path = join->name;
    if (path)
        return strcmp(path, name) == 0;
    assert(join->path); // those of the command line have one
    path = strrchr(join->path, '/');
    path = path ? path + 1 : join->path;
    return strncmp(path, name, length) == 0 && (path[length] == '.' || path[length] == '\0');
}

/*
 * --join, as often as it was given; sources that a model stores and that were not given stay
 * without a file.
 */
static int read_joins(settings *s, const args *given, hcbr_read_options *options) {
    const hcbr_join *stored = options->join;
    size_t bytes = 0, count = 0, stored_count = options->join_count;
    for (size_t i = 0; i < given->given_count; i++)
        if (given->given[i].id == OPT_JOIN) {
            bytes += strlen(given->given[i].value) + 1;
            count++;
        }
    if (count == 0)
        return EXIT_DONE;
    char *to = s->join_text = malloc(bytes);
    s->join = calloc(count + stored_count, sizeof *s->join);
    if (!to || !s->join)
        return say_no_memory(given->command->name);
    options->join = s->join;
    options->join_count = 0;
    for (size_t i = 0; i < given->given_count; i++) {
        if (given->given[i].id != OPT_JOIN)
            continue;
        size_t length = strlen(given->given[i].value);
        memcpy(to, given->given[i].value, length + 1);
        int code = read_join(given, to, &s->join[options->join_count++]);
        if (code != EXIT_DONE)
            return code;
        to += length + 1;
    }
    for (size_t i = 0; i < stored_count; i++) {
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || has_name(&s->join[k], stored[i].name);
        if (!found)
            s->join[options->join_count++] = stored[i];
    }
    return EXIT_DONE;
}

/* How columns that hold sets and texts are read. */
static int read_texts(settings *s, const args *given, hcbr_read_options *options) {
    uint64_t ngrams = options->ngrams, min_count = options->min_count;
    int code;
    if ((code = read_splits(s, given, options)) ||
        (code = settings_list(given, OPT_TEXT, &s->text_text, &s->text, &options->text_count)) ||
        (code = settings_list(given, OPT_PRESENCE, &s->presence_text, &s->presence,
                              &options->presence_count)) ||
        (code = settings_number(given, OPT_NGRAMS, 1, 16, &ngrams)) ||
        (code = settings_number(given, OPT_MIN_COUNT, 1, UINT32_MAX, &min_count)))
        return code;
    options->ngrams = (uint32_t)ngrams;
    options->min_count = (uint32_t)min_count;
    if (s->text)
        options->text = s->text;
    if (s->presence)
        options->presence = s->presence;
    return EXIT_DONE;
}

int settings_read(settings *s, const args *given, hcbr_read_options *options) {
    static const char *const FORMATS[] = {"csv", "tsv", "libsvm", "jsonl", "text", "cases", NULL};
    static const char *const BAD_ROWS[] = {"stop", "skip", "auto", NULL};
    static const char *const DATES[] = {"dmy", "mdy", NULL};
    int dates = (int)options->dates - 1;
    int format = (int)options->format - 1, bad_rows = (int)options->bad_rows, code;
    uint64_t max_line = options->max_line, max_depth = options->max_depth;
    uint64_t max_names = options->max_names;
    uint64_t max_expand = options->max_expand, max_window = options->max_window;
    if ((code = settings_choice(given, OPT_FORMAT, FORMATS, &format)) ||
        (code = settings_choice(given, OPT_DATES, DATES, &dates)) ||
        (code = read_types(s, given, options)) ||
        (code = settings_choice(given, OPT_BAD_ROWS, BAD_ROWS, &bad_rows)) ||
        (code = settings_number(given, OPT_MAX_LINE, 1, UINT32_MAX, &max_line)) ||
        (code = settings_number(given, OPT_MAX_DEPTH, 1, UINT32_MAX, &max_depth)) ||
        (code = settings_number(given, OPT_MAX_NAMES, 0, UINT64_MAX >> 1, &max_names)) ||
        (code = settings_number(given, OPT_MAX_EXPAND, 1, UINT32_MAX, &max_expand)) ||
        (code = settings_number(given, OPT_MAX_WINDOW, 1024, (uint64_t)1 << 31, &max_window)) ||
        (code = settings_number(given, OPT_MAX_GRAMS, 1, UINT64_MAX >> 1, &options->max_grams)) ||
        (code = read_delimiter(given, &options->delimiter)) ||
        (code = read_mark(given, OPT_QUOTE, &options->quote)) ||
        (code = read_mark(given, OPT_ESCAPE, &options->escape)) ||
        (code = read_header(given, options)) ||
        (code = settings_list(given, OPT_IGNORE, &s->ignore_text, &s->ignore,
                              &options->ignore_count)) ||
        (code = read_missing(s, given, options)) || (code = read_texts(s, given, options)) ||
        (code = read_joins(s, given, options)))
        return code;
    s->sqlite.given = given;
    options->open = sqlite_open;
    options->open_context = &s->sqlite;
    options->format = (hcbr_format)(format + 1);
    options->bad_rows = (hcbr_bad_rows)bad_rows;
    options->dates = (hcbr_dates)(dates + 1);
    options->max_line = (size_t)max_line;
    options->max_depth = (size_t)max_depth;
    options->max_names = (size_t)max_names;
    options->max_expand = (uint32_t)max_expand;
    options->max_window = (uint32_t)max_window;
    options->encoding = args_get(given, OPT_ENCODING);
    options->strict = args_has(given, OPT_STRICT);
    if (args_has(given, OPT_LABEL))
        options->label = args_get(given, OPT_LABEL);
    if (args_has(given, OPT_BINS))
        options->bins = args_get(given, OPT_BINS);
    if (args_has(given, OPT_NO_LABEL))
        options->label_need = HCBR_LABEL_NONE;
    else if (given->command->bit == FOR_CONVERT || args_has(given, OPT_EXPLAIN_INPUT))
        options->label_need = HCBR_LABEL_OPTIONAL;
    options->labels_as_they_are =
        args_has(given, OPT_LABELS_AS_THEY_ARE) || given->command->bit == FOR_CONVERT;
    if (args_has(given, OPT_ID))
        options->id = args_get(given, OPT_ID);
    if (args_has(given, OPT_GROUP))
        options->group = args_get(given, OPT_GROUP);
    if (args_has(given, OPT_WEIGHT))
        options->weight = args_get(given, OPT_WEIGHT);
    if (args_has(given, OPT_OUTCOMES))
        options->outcomes = args_get(given, OPT_OUTCOMES);
    if (args_has(given, OPT_NAMES))
        options->names = args_get(given, OPT_NAMES);
    if (s->ignore)
        options->ignore = s->ignore;
    return EXIT_DONE;
}
