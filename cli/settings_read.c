/*
 * The options of reading that are not in the library's table.
 */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

/* --header N and --no-header. */
static int check_header(const args *given) {
    uint64_t lines = 0;
    int code = settings_number(given, "header", 0, 16, &lines);
    if (code == EXIT_DONE && lines > 0 && args_has(given, "no-header"))
        return say_usage(given->command->name, "--header %llu and --no-header exclude each other",
                         (unsigned long long)lines);
    return code;
}

int settings_read(settings *s, const args *given, hcbr_read_options *options) {
    const bool convert = given->command->bit == HCBR_FOR_CONVERT;
    int code = check_header(given);
    s->set.read = options;
    if (code != EXIT_DONE || (code = settings_set(s, given, HCBR_OPTION_OF_READ)) != EXIT_DONE)
        return code;
    s->sqlite.given = given;
    options->open = sqlite_open;
    options->open_context = &s->sqlite;
    if (!args_has(given, "no-label") && (convert || args_has(given, "explain-input")))
        options->label_need = HCBR_LABEL_OPTIONAL;
    if (convert)
        options->labels_as_they_are = HCBR_LABELS_ALL;
    return EXIT_DONE;
}
