/*
 * The columns of the data on an incomplete command line, one on a line, for completions.
 *
 * The words may be incomplete or wrong, so there are no messages: unreadable data has no columns.
 * Of a file only its beginning is read, and only of a regular one: reading a pipe would block.
 */
#include "opt.h"

#include <hcbr/preview.h>
#include <hcbr/text.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether the word after this one is its value. */
static bool takes_next(const struct command *command, const char *word) {
    const size_t length = strlen(word);
    for (size_t i = 0; i < opt_count; i++) {
        const opt_spec *spec = &opt_table[i];
        if (!(spec->commands & command->bit) || !spec->argument)
            continue;
        if (word[1] == '-' ? spec->name && strcmp(word + 2, spec->name) == 0
                           : spec->letter && word[length - 1] == spec->letter)
            return true;
    }
    return false;
}

/* The first operand that is DATA; NULL: none. */
static const char *find_data(const struct command *command, int count, char **words) {
    const char *first = command->operand;
    int before = strncmp(first, "MODEL", 5) == 0 || strncmp(first, "KIND", 4) == 0;
    bool options = true;
    for (int i = 0; i < count; i++) {
        if (options && strcmp(words[i], "--") == 0)
            options = false;
        else if (options && words[i][0] == '-')
            i += takes_next(command, words[i]);
        else if (words[i][0] && before-- == 0)
            return words[i];
    }
    return NULL;
}

/* A path of the command line, which the shell has not expanded; to be freed. */
static char *expand(const char *word) {
    const char *home = getenv("HOME");
    if (strncmp(word, "~/", 2) != 0 || !home)
        return strdup(word);
    const size_t room = strlen(home) + strlen(word);
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s%s", home, word + 1);
    return path;
}

/* An item of a list of columns ends at a comma; a comma in a name has a backslash before it. */
static size_t item_length(const char *at) {
    size_t length = 0;
    while (at[length] && at[length] != ',')
        length += at[length] == '\\' && at[length + 1] == ',' ? 2 : 1;
    return length;
}

/* The number of bytes of complete items, with their commas, in a list being typed. */
static size_t typed_length(const char *list) {
    size_t typed = 0;
    for (size_t end = item_length(list); list[end]; end = typed + item_length(list + typed))
        typed = end + 1;
    return typed;
}

static bool has_item(const char *list, size_t typed, const char *item) {
    for (size_t at = 0; at < typed; at += item_length(list + at) + 1) {
        const size_t length = item_length(list + at);
        if (length == strlen(item) && memcmp(list + at, item, length) == 0)
            return true;
    }
    return false;
}

/* The list with this column added, unless it has it; NULL: no list. */
static void put_column(const char *list, const char *name, size_t length) {
    char *item = malloc(2 * length + 1);
    size_t used = 0;
    for (size_t i = 0; item && i < length; i++) {
        if (list && name[i] == ',')
            item[used++] = '\\';
        item[used++] = name[i];
    }
    if (item) {
        item[used] = 0;
        const size_t typed = list ? typed_length(list) : 0;
        if (!list || !has_item(list, typed, item))
            printf("%.*s%s\n", (int)typed, list ? list : "", item);
    }
    free(item);
}

static void put_columns(const char *path, const char *list) {
    hcbr_read_options options;
    hcbr_preview *preview = NULL;
    hcbr_error err = {0};
    struct stat st;
    hcbr_read_options_init(&options);
    options.label_need = HCBR_LABEL_NONE;
    options.max_line = 1 << 16;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
        hcbr_preview_create(&preview, &path, 1, &options, 1, &err) != HCBR_OK)
        return;
    const bool named = hcbr_preview_get_format(preview) != HCBR_FORMAT_LIBSVM; // ids are not names
    for (size_t i = 0; named && i < hcbr_preview_column_count(preview); i++) {
        hcbr_preview_column c = {.size = sizeof c};
        hcbr_preview_get_column(preview, i, &c);
        if (c.name_length && hcbr_text_plain(c.name, c.name_length) == c.name_length)
            put_column(list, c.name, c.name_length); // others would need several lines
    }
    hcbr_preview_free(preview);
}

int complete_columns(const char *list, int count, char **words) {
    const struct command *command = count > 0 ? command_find(words[0]) : NULL;
    const char *data = command ? find_data(command, count - 1, words + 1) : NULL;
    char *path = data ? expand(data) : NULL;
    if (path)
        put_columns(path, list);
    free(path);
    return EXIT_DONE;
}
