/*
 * From options as text to the structures of the library: numbers, words and lists, for all commands
 * that use a model.
 *
 * Every value is read completely or refused, with the name of the option and its valid values.
 */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void settings_clear(settings *s) {
    hcbr_options_clear(&s->set);
    free(s->thresholds);
    free(s->costs);
    hcbr_emphases_free(s->emphases);
    one_case_clear(&s->one);
    *s = (settings){0};
}

int settings_set(settings *s, const args *given, hcbr_option_part part) {
    const char *command = given->command->name;
    char text[1024];
    hcbr_error err = {0};
    for (size_t i = 0; i < given->given_count; i++) {
        const hcbr_option *option = given->given[i].spec->option;
        if (!option || option->part != part)
            continue;
        if (hcbr_options_set(&s->set, option->name, given->given[i].value, &err) == HCBR_OK)
            continue;
        opt_spell(text, sizeof text, err.message);
        return err.status == HCBR_ENOMEM ? say_no_memory(command) : say_usage(command, "%s", text);
    }
    return EXIT_DONE;
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

const char *settings_shown(const char *text) {
    return text[0] ? text : "''";
}

int settings_number(const args *given, const char *id, uint64_t least, uint64_t most,
                    uint64_t *out) {
    const char *text = args_get(given, id);
    uint64_t value;
    bool fits;
    if (!text)
        return EXIT_DONE;
    if (!parse_u64(text, strcmp(id, "max-memory") == 0, &value, &fits))
        return say_usage(given->command->name, "%s%s %s: a whole number was expected",
                         opt_dashes(id), opt_name(id), settings_shown(text));
    if (!fits || value < least || value > most)
        return say_usage(given->command->name, "%s%s %s: a number from %llu to %llu was expected",
                         opt_dashes(id), opt_name(id), text, (unsigned long long)least,
                         (unsigned long long)most);
    *out = value;
    return EXIT_DONE;
}

int settings_choice(const args *given, const char *id, const char *const *words, int *out) {
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
    return say_usage(given->command->name, "--%s %s: %s was expected", opt_name(id), text, list);
}

int settings_list(const args *given, const char *id, char **text, const char ***list,
                  size_t *count) {
    size_t bytes = 0, items = 0;
    for (size_t i = 0; i < given->given_count; i++) {
        if (!opt_is(given->given[i].spec, id))
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
        if (!opt_is(given->given[i].spec, id))
            continue;
        (*list)[(*count)++] = to;
        for (const char *at = given->given[i].value; *at; at++) {
            if (at[0] == '\\' && at[1] == ',') {
                *to++ = *++at; // a comma in a name
                continue;
            }
            *to++ = *at == ',' ? '\0' : *at;
            if (*at == ',')
                (*list)[(*count)++] = to;
        }
        *to++ = '\0';
    }
    return EXIT_DONE;
}

bool settings_is_model(const char *path) {
    static const unsigned char MAGIC[8] = {0x89, 'H', 'C', 'B', 'R', '\r', '\n', 0x1A};
    unsigned char first[sizeof MAGIC];
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(first, 1, sizeof first, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof first && memcmp(first, MAGIC, sizeof first) == 0;
}

/* The model cannot be loaded; often because it was given after the data. */
static int no_model(const args *given, term *t, const hcbr_error *err) {
    for (size_t i = 1; err->status == HCBR_EFORMAT && i < given->operand_count; i++)
        if (!settings_is_model(given->operands[0]) && settings_is_model(given->operands[i]))
            return say_usage(given->command->name,
                             "%s is no model, but %s is: the model comes first, then the data",
                             given->operands[0], given->operands[i]);
    return term_fail(t, err);
}

int settings_load(settings *s, const args *given, term *t, hcbr_model **model,
                  hcbr_read_options *read, hcbr_rule *rule, bool *own) {
    hcbr_error err = {0};
    int code;
    const bool whole = !s->decides_only || args_has(given, "memory");
    *own = args_has(given, "eta") || args_has(given, "eta-share") || args_has(given, "fallback") ||
           args_has(given, "memory") || args_has(given, "no-memory");
    hcbr_read_options_init(read);
    hcbr_rule_init(rule);
    // To report their mistakes before a model is loaded.
    settings first = {0};
    if ((code = one_case_check(given)) == EXIT_DONE &&
        (code = settings_read(&first, given, read)) == EXIT_DONE)
        code = settings_rule(&first, given, NULL, rule);
    settings_clear(&first);
    if (code != EXIT_DONE)
        return code;
    if ((whole ? hcbr_model_load : hcbr_model_load_without_cases)(model, given->operands[0],
                                                                  &err) != HCBR_OK)
        return no_model(given, t, &err);
    hcbr_rule_init(rule);
    hcbr_model_get_read_options(*model, read);
    if ((code = settings_read(s, given, read)) ||
        (*own && (code = settings_rule(s, given, *model, rule))))
        return code;
    s->paths = given->operands + 1;
    s->path_count = given->operand_count - 1;
    if (args_has(given, "one-case")) {
        if ((code = one_case_make(&s->one, given, read)))
            return code;
        one_case_compare(given, t, *model, read);
        s->paths = &ONE_CASE_PATH;
        s->path_count = 1;
        t->no_lines = true;
    }
    read->notify = term_notify;
    read->progress = term_progress;
    read->notify_context = read->progress_context = t;
    return EXIT_DONE;
}
