/*
 * From options as text to the structures of the library.
 *
 * Every value is read completely or refused, with the name of the option and what it accepts.
 */
#include "settings.h"

#include "label.h"
#include "term.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name_of(opt_id id) {
    for (size_t i = 0; i < opt_count; i++)
        if (opt_table[i].id == id)
            return opt_table[i].name ? opt_table[i].name : id == OPT_THREADS ? "j" : "o";
    return "";
}

static const char *dashes(opt_id id) {
    return id == OPT_THREADS || id == OPT_OUTPUT ? "-" : "--";
}

void settings_clear(settings *s) {
    free(s->numeric_text);
    free(s->categorical_text);
    free(s->numeric);
    free(s->categorical);
    free(s->ignore_text);
    free(s->na_text);
    free(s->eta_text);
    free(s->text_text);
    free(s->presence_text);
    free(s->split_text);
    free(s->ignore);
    free(s->na);
    free(s->text);
    free(s->presence);
    free(s->split);
    free(s->join_text);
    free(s->join);
    free(s->thresholds);
    free(s->costs);
    one_case_clear(&s->one);
    *s = (settings){0};
}

/* Digits and, for sizes, perhaps K, M or G. *fits: at most 64 bits. */
static bool parse_u64(const char *text, bool size, uint64_t *out, bool *fits) {
    uint64_t value = 0;
    size_t digits = strspn(text, "0123456789");
    *fits = true;
    for (size_t i = 0; i < digits; i++)
        *fits = *fits && !__builtin_mul_overflow(value, (uint64_t)10, &value) &&
                !__builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value);
    const char *rest = text + digits;
    unsigned shift = !size ? 0 : *rest == 'K' ? 10 : *rest == 'M' ? 20 : *rest == 'G' ? 30 : 0;
    rest += shift > 0;
    *fits = *fits && value <= UINT64_MAX >> shift;
    *out = value << shift;
    return digits > 0 && !*rest;
}

/* A value as it is shown, also an empty one. */
static const char *shown(const char *text) {
    return text[0] ? text : "''";
}

int settings_number(const args *given, opt_id id, uint64_t least, uint64_t most, uint64_t *out) {
    const char *text = args_get(given, id);
    uint64_t value;
    bool fits;
    if (!text)
        return EXIT_DONE;
    bool bytes =
        id == OPT_MAX_LINE || id == OPT_MAX_WINDOW || id == OPT_MAX_GRAMS || id == OPT_MAX_MEMORY;
    if (!parse_u64(text, bytes, &value, &fits))
        return say_usage(given->command->name, "%s%s %s: a whole number was expected", dashes(id),
                         name_of(id), shown(text));
    if (!fits || value < least || value > most)
        return say_usage(given->command->name, "%s%s %s: a number from %llu to %llu was expected",
                         dashes(id), name_of(id), text, (unsigned long long)least,
                         (unsigned long long)most);
    *out = value;
    return EXIT_DONE;
}

int settings_choice(const args *given, opt_id id, const char *const *words, int *out) {
    const char *text = args_get(given, id);
    char list[128];
    size_t used = 0;
    if (!text)
        return EXIT_DONE;
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return EXIT_DONE;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0         ? ""
                                 : words[i + 1] ? ", "
                                                : " or ",
                                 words[i]);
    }
    return say_usage(given->command->name, "--%s %s: %s was expected", name_of(id), text, list);
}

/* All values of a list option, cut at commas. *list stays NULL if it was not given. */
static int read_list(const args *given, opt_id id, char **text, const char ***list, size_t *count) {
    size_t bytes = 0, items = 0;
    for (size_t i = 0; i < given->given_count; i++) {
        if (given->given[i].id != id)
            continue;
        bytes += strlen(given->given[i].value) + 1;
        items++;
        for (const char *at = given->given[i].value; *at; at++)
            items += *at == ',';
    }
    if (items == 0)
        return EXIT_DONE;
    *text = malloc(bytes);
    *list = calloc(items, sizeof **list);
    if (!*text || !*list)
        return say_no_memory(given->command->name);
    *count = 0;
    char *to = *text;
    for (size_t i = 0; i < given->given_count; i++) {
        if (given->given[i].id != id)
            continue;
        (*list)[(*count)++] = to;
        for (const char *at = given->given[i].value; *at; at++) {
            *to++ = *at == ',' ? '\0' : *at;
            if (*at == ',')
                (*list)[(*count)++] = to;
        }
        *to++ = '\0';
    }
    return EXIT_DONE;
}

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
                         shown(text));
    *out = c;
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
                         shown(text));
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
                         shown(text));
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
        (code = read_list(given, OPT_TEXT, &s->text_text, &s->text, &options->text_count)) ||
        (code = read_list(given, OPT_PRESENCE, &s->presence_text, &s->presence,
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
    int format = (int)options->format - 1, bad_rows = (int)options->bad_rows, code;
    uint64_t max_line = options->max_line, max_depth = options->max_depth;
    uint64_t max_expand = options->max_expand, max_window = options->max_window;
    if ((code = settings_choice(given, OPT_FORMAT, FORMATS, &format)) ||
        (code = settings_choice(given, OPT_BAD_ROWS, BAD_ROWS, &bad_rows)) ||
        (code = settings_number(given, OPT_MAX_LINE, 1, UINT32_MAX, &max_line)) ||
        (code = settings_number(given, OPT_MAX_DEPTH, 1, UINT32_MAX, &max_depth)) ||
        (code = settings_number(given, OPT_MAX_EXPAND, 1, UINT32_MAX, &max_expand)) ||
        (code = settings_number(given, OPT_MAX_WINDOW, 1024, (uint64_t)1 << 31, &max_window)) ||
        (code = settings_number(given, OPT_MAX_GRAMS, 1, UINT64_MAX >> 1, &options->max_grams)) ||
        (code = read_delimiter(given, &options->delimiter)) ||
        (code =
             read_list(given, OPT_IGNORE, &s->ignore_text, &s->ignore, &options->ignore_count)) ||
        (code = read_list(given, OPT_NA, &s->na_text, &s->na, &options->na_count)) ||
        (code = read_texts(s, given, options)) || (code = read_joins(s, given, options)))
        return code;
    s->sqlite.given = given;
    options->open = sqlite_open;
    options->open_context = &s->sqlite;
    options->format = (hcbr_format)(format + 1);
    options->bad_rows = (hcbr_bad_rows)bad_rows;
    options->max_line = (size_t)max_line;
    options->max_depth = (size_t)max_depth;
    options->max_expand = (uint32_t)max_expand;
    options->max_window = (uint32_t)max_window;
    options->encoding = args_get(given, OPT_ENCODING);
    options->strict = args_has(given, OPT_STRICT);
    if (args_has(given, OPT_NO_HEADER))
        options->no_header = 1;
    if (args_has(given, OPT_LABEL))
        options->label = args_get(given, OPT_LABEL);
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
    if (s->na)
        options->na = s->na;
    return EXIT_DONE;
}

/* The threshold of a label, created if there is none yet; NULL: out of memory. */
static hcbr_threshold *threshold_of(settings *s, const char *label) {
    for (size_t i = 0; i < s->threshold_count; i++)
        if (strcmp(s->thresholds[i].label, label) == 0)
            return &s->thresholds[i];
    if (s->threshold_count == s->threshold_room) {
        size_t room = s->threshold_room ? 2 * s->threshold_room : 16;
        hcbr_threshold *grown = realloc(s->thresholds, room * sizeof *grown);
        if (!grown)
            return NULL;
        s->thresholds = grown;
        s->threshold_room = room;
    }
    s->thresholds[s->threshold_count] = (hcbr_threshold){.label = label};
    return &s->thresholds[s->threshold_count++];
}

/* One value "L=V,...", cut in place. A comma belongs to the label until an equals sign came. */
static int read_thresholds(settings *s, const args *given, opt_id id, char *text) {
    const char *command = given->command->name;
    while (text) {
        char *from = strchr(text, '='), *comma = from ? strchr(from, ',') : NULL;
        double value;
        if (comma)
            *comma = '\0';
        char *equals = strrchr(text, '=');
        if (!equals || equals == text || !hcbr_number_parse(&value, equals + 1, strlen(equals + 1)))
            return say_usage(command, "--%s %s: LABEL=NUMBER was expected", name_of(id), text);
        if (value < 0 || (id == OPT_ETA_SHARE && value >= 1))
            return say_usage(command, "--%s %s: a number %s was expected", name_of(id), text,
                             id == OPT_ETA ? "of 0 or more" : "from 0 to below 1");
        *equals = '\0';
        hcbr_threshold *threshold = threshold_of(s, text);
        if (!threshold)
            return say_no_memory(command);
        *(id == OPT_ETA ? &threshold->eta : &threshold->eta_share) = value;
        text = comma ? comma + 1 : NULL;
    }
    return EXIT_DONE;
}

/* --eta and --eta-share, as often as they were given. */
static int read_etas(settings *s, const args *given) {
    size_t bytes = 1;
    for (size_t i = 0; i < given->given_count; i++)
        if (given->given[i].id == OPT_ETA || given->given[i].id == OPT_ETA_SHARE)
            bytes += strlen(given->given[i].value) + 1;
    char *to = s->eta_text = malloc(bytes);
    if (!to)
        return say_no_memory(given->command->name);
    for (size_t i = 0; i < given->given_count; i++) {
        opt_id id = given->given[i].id;
        if (id != OPT_ETA && id != OPT_ETA_SHARE)
            continue;
        size_t length = strlen(given->given[i].value);
        memcpy(to, given->given[i].value, length + 1);
        int code = read_thresholds(s, given, id, to);
        if (code != EXIT_DONE)
            return code;
        to += length + 1;
    }
    return EXIT_DONE;
}

static const char *fallback_name(const hcbr_model *model, hcbr_label label) {
    if (label < 0)
        return label == HCBR_LABEL_PRIOR ? "prior" : "unknown";
    return hcbr_model_get_label(model, label, NULL);
}

/* The rule that a model holds, as thresholds that options can change. */
static int stored_rule(settings *s, const args *given, const hcbr_model *model, hcbr_rule *rule) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    rule->memory = info.memory;
    rule->fallback = info.on_nothing == HCBR_LABEL_PRIOR      ? "prior"
                     : info.on_nothing == HCBR_LABEL_PROBABLE ? "auto"
                                                              : "unknown";
    s->cut = (hcbr_cut){info.cut_low, info.cut_high};
    rule->cut = info.has_cut ? &s->cut : NULL;
    rule->by_cost = info.by_cost;
    if (!(s->costs = calloc((size_t)info.prices + 1, sizeof *s->costs)))
        return say_no_memory(given->command->name);
    for (uint64_t i = 0; i < info.prices; i++)
        hcbr_model_get_cost(model, i, &s->costs[i]);
    rule->costs = s->costs;
    rule->cost_count = (size_t)info.prices;
    for (uint32_t l = 0; l < info.labels; l++) {
        label_facts label = label_of(model, (hcbr_label)l);
        hcbr_threshold *threshold = threshold_of(s, label.name);
        if (!threshold)
            return say_no_memory(given->command->name);
        threshold->eta = label.info.eta;
        threshold->eta_share = label.info.eta_share;
        threshold->fallback = fallback_name(model, label.info.fallback);
    }
    return EXIT_DONE;
}

int settings_rule(settings *s, const args *given, const hcbr_model *model, hcbr_rule *rule) {
    const char *fallback = args_get(given, OPT_FALLBACK);
    int code;
    if (model && (code = stored_rule(s, given, model, rule)) != EXIT_DONE)
        return code;
    if ((code = read_etas(s, given)) != EXIT_DONE)
        return code;
    if (args_has(given, OPT_ETA) || args_has(given, OPT_ETA_SHARE)) {
        rule->cut = NULL; // thresholds replace what was tuned
        rule->by_cost = 0;
        rule->cost_count = 0;
    }
    if (fallback) {
        rule->fallback = fallback;
        for (size_t i = 0; i < s->threshold_count; i++)
            s->thresholds[i].fallback = NULL;
    }
    if (args_has(given, OPT_MEMORY) && args_has(given, OPT_NO_MEMORY))
        return say_usage(given->command->name, "--memory and --no-memory exclude each other");
    if (args_has(given, OPT_MEMORY))
        rule->memory = 1;
    if (args_has(given, OPT_NO_MEMORY))
        rule->memory = 0;
    rule->thresholds = s->thresholds;
    rule->threshold_count = s->threshold_count;
    return EXIT_DONE;
}

int settings_load(settings *s, const args *given, term *t, hcbr_model **model,
                  hcbr_read_options *read, hcbr_rule *rule, bool *own) {
    hcbr_error err = {0};
    int code;
    *own = args_has(given, OPT_ETA) || args_has(given, OPT_ETA_SHARE) ||
           args_has(given, OPT_FALLBACK) || args_has(given, OPT_MEMORY) ||
           args_has(given, OPT_NO_MEMORY);
    hcbr_read_options_init(read);
    hcbr_rule_init(rule);
    // To report their mistakes before a model is loaded.
    if ((code = one_case_check(given)) || (code = settings_read(s, given, read)) ||
        (code = settings_rule(s, given, NULL, rule)))
        return code;
    settings_clear(s);
    if (hcbr_model_load(model, given->operands[0], &err) != HCBR_OK)
        return term_fail(t, &err);
    hcbr_rule_init(rule);
    hcbr_model_get_read_options(*model, read);
    if ((code = settings_read(s, given, read)) ||
        (*own && (code = settings_rule(s, given, *model, rule))))
        return code;
    s->paths = given->operands + 1;
    s->path_count = given->operand_count - 1;
    if (args_has(given, OPT_ONE_CASE)) {
        if ((code = one_case_make(&s->one, given, read)))
            return code;
        s->paths = &ONE_CASE_PATH;
        s->path_count = 1;
        t->no_lines = true;
    }
    read->notify = term_notify;
    read->progress = term_progress;
    read->notify_context = read->progress_context = t;
    return EXIT_DONE;
}

/* Set what was given of a rich model. */
static int settings_rich(settings *s, const args *given, hcbr_train_options *options) {
    static const char *const MODELS[] = {"plain", "rich", NULL};
    static const char *const EFFORTS[] = {"lite", "normal", "max", NULL};
    int model = (int)options->model, effort = (int)options->effort, code;
    if ((code = settings_choice(given, OPT_MODEL, MODELS, &model)) ||
        (code = settings_choice(given, OPT_EFFORT, EFFORTS, &effort)) ||
        (code = read_list(given, OPT_NUMERIC, &s->numeric_text, &s->numeric,
                          &options->numeric_count)) ||
        (code = read_list(given, OPT_CATEGORICAL, &s->categorical_text, &s->categorical,
                          &options->categorical_count)))
        return code;
    static const struct {
        opt_id id;
        hcbr_model_kind model;
    } ONLY[] = {{OPT_EFFORT, HCBR_MODEL_RICH},       {OPT_NUMERIC, HCBR_MODEL_RICH},
                {OPT_CATEGORICAL, HCBR_MODEL_RICH},  {OPT_WEIGHT, HCBR_MODEL_RICH},
                {OPT_SCOPE, HCBR_MODEL_PLAIN},       {OPT_PASSES, HCBR_MODEL_PLAIN},
                {OPT_GIVEN_ORDER, HCBR_MODEL_PLAIN}, {OPT_TRY_PASSES, HCBR_MODEL_PLAIN},
                {OPT_TRY_SCOPES, HCBR_MODEL_PLAIN}};
    for (size_t i = 0; i < sizeof ONLY / sizeof *ONLY; i++)
        if (model != (int)ONLY[i].model && args_has(given, ONLY[i].id))
            return say_usage(given->command->name, "--%s is for --model %s", name_of(ONLY[i].id),
                             MODELS[ONLY[i].model]);
    options->model = (hcbr_model_kind)model;
    options->effort = (hcbr_effort)effort;
    options->numeric = s->numeric;
    options->categorical = s->categorical;
    return EXIT_DONE;
}

/* A column that an option names and no case has is a mistake. */
static int check_column(const args *given, const hcbr_cases *cases, const char *option,
                        const char *name) {
    const uint32_t count = hcbr_cases_key_count(cases);
    const size_t length = strlen(name);
    for (uint32_t k = 0; k < count; k++) {
        hcbr_feature key;
        hcbr_cases_get_key_name(cases, k, &key);
        if (key.key_length == length && memcmp(key.key, name, length) == 0)
            return EXIT_DONE;
    }
    return say_usage(given->command->name, "--%s %s: no case has this column or key", option,
                     shown(name));
}

int settings_check_columns(const args *given, const hcbr_cases *cases,
                           const hcbr_train_options *options) {
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < options->numeric_count; i++)
        code = check_column(given, cases, "numeric", options->numeric[i]);
    for (size_t i = 0; code == EXIT_DONE && i < options->categorical_count; i++)
        code = check_column(given, cases, "categorical", options->categorical[i]);
    return code;
}

static void format_time(char text[32], double seconds) {
    if (seconds < 90)
        snprintf(text, 32, "%.0f s", fmax(seconds, 1));
    else if (seconds < 5400)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600);
}

/* All memory of the machine; 0 if that is not known. */
static uint64_t machine_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/* Training would take too much: report it, and what takes less. */
static int refuse(term *t, const hcbr_cases *cases, const hcbr_train_options *options,
                  const hcbr_estimate *need) {
    hcbr_train_options less = *options;
    hcbr_estimate lite = {.size = sizeof lite};
    char instead[80] = "";
    less.effort = HCBR_EFFORT_LITE;
    if (options->model == HCBR_MODEL_RICH && options->effort != HCBR_EFFORT_LITE &&
        hcbr_model_estimate(cases, &less, &lite, NULL) == HCBR_OK &&
        lite.bytes <= options->max_memory)
        snprintf(instead, sizeof instead, "use --effort lite (about %.0f MB), or ",
                 lite.bytes / 1e6);
    hcbr_error err = {.status = HCBR_ENOMEM};
    snprintf(err.message, sizeof err.message,
             "training would take about %.0f MB of memory, expected at most %.0f MB: %sraise "
             "--max-memory",
             need->bytes / 1e6, options->max_memory / 1e6, instead);
    return term_fail(t, &err);
}

int settings_estimate(term *t, const hcbr_cases *cases, const hcbr_train_options *options,
                      double runs, hcbr_estimate *out) {
    enum { LONG = 10 }; // seconds
    char time[32];
    *out = (hcbr_estimate){.size = sizeof *out};
    if (hcbr_model_estimate(cases, options, out, NULL) != HCBR_OK)
        return EXIT_DONE; // training says why
    if (options->max_memory > 0 && out->bytes > options->max_memory)
        return refuse(t, cases, options, out);
    out->seconds *= runs;
    if ((out->seconds < LONG && !t->verbose) || (!t->live && !t->verbose))
        return EXIT_DONE;
    format_time(time, out->seconds);
    term_say(t, "about     %s, %.0f MB of memory; Ctrl-C stops", time, out->bytes / 1e6);
    return EXIT_DONE;
}

int settings_train(settings *s, const args *given, hcbr_train_options *options) {
    static const char *const SCOPES[] = {"class", "all", NULL};
    static const char *const KINDS[] = {"none", "platt", "isotonic", NULL};
    int scope = (int)options->scope, calibrate = (int)options->calibrate, code;
    uint64_t passes = options->passes, seed = options->seed, threads = options->threads;
    uint64_t memory = machine_memory(), least = options->min_cases;
    if ((code = settings_choice(given, OPT_SCOPE, SCOPES, &scope)) ||
        (code = settings_choice(given, OPT_CALIBRATE, KINDS, &calibrate)) ||
        (code = settings_number(given, OPT_PASSES, 0, UINT32_MAX, &passes)) ||
        (code = settings_number(given, OPT_SEED, 0, UINT64_MAX, &seed)) ||
        (code = settings_number(given, OPT_MAX_MEMORY, 1, UINT64_MAX >> 1, &memory)) ||
        (code = settings_number(given, OPT_THREADS, 1, 1024, &threads)) ||
        (code = settings_number(given, OPT_MIN_CASES, 1, UINT32_MAX, &least)) ||
        (code = settings_rich(s, given, options)))
        return code;
    options->scope = (hcbr_scope)scope;
    options->calibrate = (hcbr_calibrate)calibrate;
    options->passes = (uint32_t)passes;
    options->seed = seed;
    options->max_memory = (double)memory;
    options->min_cases = (uint32_t)least;
    options->threads = (uint32_t)threads;
    options->given_order = args_has(given, OPT_GIVEN_ORDER);
    return EXIT_DONE;
}
