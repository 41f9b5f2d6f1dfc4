/*
 * From the words of a command line to options and operands.
 *
 * An option is known by its whole name only: an abbreviation that works today would break a script
 * when a similar name is added to the table.
 */
#include "opt.h"

#include "term.h"

#include <hcbr/hcbr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool word_is_nearer(const char *word, const char *name, unsigned *least) {
    return hcbr_text_near(word, strlen(word), name, strlen(name), least);
}

const struct command *command_find(const char *name) {
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    return NULL;
}

const char *command_suggest(const char *name) {
    unsigned least = HCBR_TEXT_FAR;
    const char *best = word_is_nearer(name, "help", &least) ? "help" : NULL;
    for (size_t i = 0; i < command_count; i++)
        if (word_is_nearer(name, command_table[i].name, &least))
            best = command_table[i].name;
    return best;
}

static const opt_spec *find_long(unsigned command, const char *name, size_t length) {
    for (size_t i = 0; i < opt_count; i++) {
        const opt_spec *spec = &opt_table[i];
        if ((spec->commands & command) && spec->name && strlen(spec->name) == length &&
            memcmp(spec->name, name, length) == 0)
            return spec;
    }
    return NULL;
}

static const opt_spec *find_letter(unsigned command, char letter) {
    for (size_t i = 0; i < opt_count; i++)
        if ((opt_table[i].commands & command) && opt_table[i].letter == letter)
            return &opt_table[i];
    return NULL;
}

static int unknown_long(const struct command *command, const char *word, size_t length) {
    char name[64];
    const char *best = NULL;
    unsigned least = HCBR_TEXT_FAR;
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    for (size_t i = 0; i < opt_count; i++)
        if ((opt_table[i].commands & command->bit) && opt_table[i].name &&
            word_is_nearer(name, opt_table[i].name, &least))
            best = opt_table[i].name;
    if (best)
        return say_usage(command->name, "there is no option --%s; did you mean --%s?", name, best);
    return say_usage(command->name, "there is no option --%s", name);
}

static void add(args *out, const opt_spec *spec, const char *value) {
    out->given[out->given_count++] = (opt_given){spec, value};
}

/* One word that begins with "--". next is the word after it or NULL; *used: it was the value. */
static int parse_long(args *out, const char *word, const char *next, bool *used) {
    const struct command *command = out->command;
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const opt_spec *spec = find_long(command->bit, name, length);
    if (!spec)
        return unknown_long(command, name, length);
    if (!spec->argument && equals)
        return say_usage(command->name, "--%s takes no value", spec->name);
    if (spec->argument && !equals && !next)
        return say_usage(command->name, "--%s needs a value: --%s %s", spec->name, spec->name,
                         spec->argument);
    *used = spec->argument && !equals;
    add(out, spec, !spec->argument ? NULL : equals ? equals + 1 : next);
    return EXIT_DONE;
}

/* One word of letters: flags together, the last one possibly with its value. */
static int parse_letters(args *out, const char *word, const char *next, bool *used) {
    const struct command *command = out->command;
    for (const char *at = word + 1; *at; at++) {
        const opt_spec *spec = find_letter(command->bit, *at);
        if (!spec)
            return say_usage(command->name, "there is no option -%.1s", at);
        if (!spec->argument) {
            add(out, spec, NULL);
            continue;
        }
        if (!at[1] && !next)
            return say_usage(command->name, "-%c needs a value: -%c %s", spec->letter, spec->letter,
                             spec->argument);
        *used = !at[1];
        add(out, spec, at[1] ? at + 1 : next);
        return EXIT_DONE;
    }
    return EXIT_DONE;
}

static int parse_words(args *out, int count, char **words) {
    bool options = true;
    for (int i = 0; i < count; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : NULL;
        bool used = false;
        int code = EXIT_DONE;
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && strncmp(word, "--", 2) == 0)
            code = parse_long(out, word, next, &used);
        else if (options && word[0] == '-' && word[1])
            code = parse_letters(out, word, next, &used);
        else
            out->operands[out->operand_count++] = word;
        if (code != EXIT_DONE)
            return code;
        i += used;
        if (args_has(out, "help") || args_has(out, "version"))
            return EXIT_DONE;
    }
    return EXIT_DONE;
}

static int check_operands(const args *given) {
    const struct command *command = given->command;
    bool one = args_has(given, "one-case"); // in place of DATA
    if (one && given->operand_count > 1)
        return say_usage(command->name,
                         "--case gives the case to decide, so DATA cannot be given "
                         "too: found %s",
                         given->operands[1]);
    if (given->operand_count < command->least - one)
        return say_usage(command->name, "%s is missing",
                         given->operand_count == 0 ? command->operand : "DATA");
    if (given->operand_count > command->most)
        return say_usage(command->name, "one argument too many: %s",
                         given->operands[command->most]);
    return EXIT_DONE;
}

bool args_parse(args *out, const struct command *command, int count, char **words, int *code) {
    size_t room = 1;
    for (int i = 0; i < count; i++)
        room += strlen(words[i]); // every letter of a word may be a flag
    *out = (args){.command = command};
    out->given = calloc(room, sizeof *out->given);
    out->operands = calloc((size_t)count + 1, sizeof *out->operands);
    if (!out->given || !out->operands)
        *code = say_no_memory(command->name);
    else if ((*code = parse_words(out, count, words)) == EXIT_DONE) {
        if (args_has(out, "help"))
            help_command(command);
        else if (args_has(out, "version"))
            printf("hcbr %s\n", hcbr_version());
        else if ((*code = check_operands(out)) == EXIT_DONE)
            return true;
    }
    args_clear(out);
    return false;
}

void args_clear(args *given) {
    free(given->given);
    free(given->operands);
    *given = (args){0};
}

bool args_has(const args *given, const char *id) {
    for (size_t i = 0; i < given->given_count; i++)
        if (opt_is(given->given[i].spec, id))
            return true;
    return false;
}

const char *args_get(const args *given, const char *id) {
    for (size_t i = given->given_count; i > 0; i--)
        if (opt_is(given->given[i - 1].spec, id))
            return given->given[i - 1].value;
    return NULL;
}
