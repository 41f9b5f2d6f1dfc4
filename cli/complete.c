/*
 * Completions for bash, zsh and fish, made from the tables of commands and options.
 *
 * The completions of a value follow from its argument in help: words in lower case between | are
 * choices, FILE..., OUT and MODEL are files, COL is a column of the data on the line, found by a
 * call of the program, COL,... a list of them, and there are none for other values. A first operand
 * KIND is a kind of study.
 */
#include "opt.h"
#include "study/study.h"
#include "term.h"

#include <ctype.h>
#include <string.h>

typedef enum value_kind {
    VALUE_NONE,
    VALUE_OWN,
    VALUE_CHOICE,
    VALUE_FILE,
    VALUE_MODEL,
    VALUE_COLUMN,
    VALUE_COLUMNS
} value_kind;

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The choices of an argument one by one; at: where to go on. NULL: no more. */
static const char *next_choice(const char **at, size_t *length) {
    while (**at) {
        const char *word = *at;
        *length = strcspn(word, "|");
        *at += *length + (word[*length] == '|');
        if (islower((unsigned char)*word))
            return word;
    }
    return NULL;
}

static value_kind kind_of(const opt_spec *spec) {
    const char *argument = spec->argument;
    if (!argument)
        return VALUE_NONE;
    if (strchr(argument, '|'))
        return VALUE_CHOICE;
    if (strcmp(argument, "COL") == 0)
        return VALUE_COLUMN;
    if (strcmp(argument, "COL,...") == 0)
        return VALUE_COLUMNS;
    if (opt_file_of(spec) == OPT_FILE_NONE)
        return VALUE_OWN;
    return starts(argument, "MODEL") ? VALUE_MODEL : VALUE_FILE;
}

static void put_choices(const opt_spec *spec) {
    const char *at = spec->argument, *word, *blank = "";
    size_t length;
    for (; (word = next_choice(&at, &length)) != NULL; blank = " ")
        printf("%s%.*s", blank, (int)length, word);
}

/* Whether the command's first operand is a model. */
static bool takes_model(const struct command *command) {
    return starts(command->operand, "MODEL");
}

/* Whether it is a kind of study. */
static bool takes_kind(const struct command *command) {
    return starts(command->operand, "KIND");
}

static void put_kinds(void) {
    for (const study_kind *k = STUDY_KINDS; k->name; k++)
        printf("%s%s", k > STUDY_KINDS ? " " : "", k->name);
}

static bool takes(const struct command *command, const opt_spec *spec) {
    return (spec->commands & command->bit) != 0;
}

/* The summary cut to fit on a line of a list: up to its default or a semicolon. */
static void put_summary(const char *summary, const char *escaped) {
    const char *end = strstr(summary, " (default");
    size_t length = end ? (size_t)(end - summary) : strlen(summary);
    for (size_t i = 0; i < length && summary[i] != ';'; i++) {
        if (summary[i] == '\'')
            printf("'\\'"); // and the quote itself opens the rest
        else if (strchr(escaped, summary[i]))
            putchar('\\');
        putchar(summary[i]);
    }
}

static void put_flags(const opt_spec *spec, const char *between) {
    if (spec->letter)
        printf("-%c%s", spec->letter, spec->name ? between : "");
    if (spec->name)
        printf("--%s", spec->name);
}

static void put_commands(void) {
    for (size_t i = 0; i < command_count; i++)
        printf("%s%s", i ? " " : "", command_table[i].name);
}

/* ---- bash ------------------------------------------------------------------------------------ */

static const char BASH_HEAD[] =
    "# Completion of hcbr for bash, written by hcbr --print-completion bash.\n"
    "_hcbr_files() { # CURRENT [GLOB]: files, of that pattern if there are any\n"
    "    COMPREPLY=()\n"
    "    compopt -o filenames 2> /dev/null\n"
    "    if [ $# -gt 1 ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -f -X \"!$2\" -- \"$1\"; compgen -d -- \"$1\")\n"
    "    fi\n"
    "    [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
    "}\n"
    "_hcbr_words() { # CURRENT WORDS\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$1\")\n"
    "}\n"
    "_hcbr_columns() { # CURRENT [list]: columns of the data, quoted as it is\n"
    "    local words=() ask i word quote= start=$1 bad=$'\\\\\"$`!'\n"
    "    for ((i = 1; i < ${#COMP_WORDS[@]}; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        case $word in\n"
    "        \\\"* | \\'*) word=${word:1} word=${word%[\\\"\\']} ;;\n"
    "        *) word=${word//\\\\/} ;;\n"
    "        esac\n"
    "        if [ $i -eq \"$COMP_CWORD\" ]; then\n"
    "            words+=(value)\n"
    "        elif [ \"$word\" != = ]; then\n"
    "            words+=(\"$word\")\n"
    "        fi\n"
    "    done\n"
    "    case $start in\n"
    "    \\\"* | \\'*) quote=${start:0:1} start=${start:1} ;;\n"
    "    *)\n"
    "        start=${start//\\\\\\\\/$'\\1'} start=${start//\\\\/}\n"
    "        start=${start//$'\\1'/\\\\}\n"
    "        ;;\n"
    "    esac\n"
    "    ask=(--print-columns)\n"
    "    if [ $# -gt 1 ]; then\n"
    "        ask=(--print-list \"$start\")\n"
    "        compopt -o nospace 2> /dev/null\n"
    "    fi\n"
    "    [ \"$quote\" != \"'\" ] || bad=$quote\n"
    "    while IFS= read -r word; do\n"
    "        [[ $word == \"$start\"* ]] || continue\n"
    "        if [ -z \"$quote\" ]; then\n"
    "            word=$(printf %q \"$word\")\n"
    "            COMPREPLY+=(\"${word//\\\\,/,}\")\n"
    "        elif [[ $word != *[\"$bad\"]* ]]; then # others need another quote\n"
    "            COMPREPLY+=(\"$word\")\n"
    "        fi\n"
    "    done < <(hcbr \"${ask[@]}\" \"${words[@]}\" 2> /dev/null)\n"
    "}\n"
    "_hcbr() {\n"
    "    local command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]}\n"
    "    local before=${COMP_WORDS[COMP_CWORD - 1]} options= valued= model= kinds= operands=0 "
    "rest= i word at=$COMP_CWORD\n"
    "    COMPREPLY=()\n";

static const char BASH_TAIL[] = "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
                                "        word=${COMP_WORDS[i]}\n"
                                "        if [ -z \"$rest\" ] && [ \"$word\" = -- ]; then\n"
                                "            rest=yes\n"
                                "        elif [ -z \"$rest\" ] && [[ $word == -?* ]]; then\n"
                                "            [[ $valued != *\" $word \"* ]] ||\n"
                                "                [ \"${COMP_WORDS[i + 1]}\" = = ] || i=$((i + 1))\n"
                                "        else\n"
                                "            operands=$((operands + 1))\n"
                                "        fi\n"
                                "        while [ \"${COMP_WORDS[i + 1]}\" = = ]; do\n"
                                "            i=$((i + 2))\n"
                                "        done\n"
                                "    done\n"
                                "    if [ -z \"$rest\" ] && [[ $current == -* ]]; then\n"
                                "        _hcbr_words \"$current\" \"$options\"\n"
                                "    elif [ -n \"$kinds\" ] && [ \"$operands\" -eq 0 ]; then\n"
                                "        _hcbr_words \"$current\" \"$kinds\"\n"
                                "    elif [ -n \"$model\" ] && [ \"$operands\" -eq 0 ]; then\n"
                                "        _hcbr_files \"$current\" '*.hcbr'\n"
                                "    else\n"
                                "        _hcbr_files \"$current\"\n"
                                "    fi\n"
                                "}\n"
                                "complete -F _hcbr hcbr\n";

/* The completions after the option. */
static void bash_case(const struct command *command, const opt_spec *spec) {
    printf("    ");
    if (spec->letter)
        printf("%s:-%c%s", command->name, spec->letter, spec->name ? " | " : "");
    if (spec->name)
        printf("%s:--%s", command->name, spec->name);
    printf(") ");
    switch (kind_of(spec)) {
    case VALUE_CHOICE:
        printf("_hcbr_words \"$current\" '");
        put_choices(spec);
        printf("' && return ;;\n");
        break;
    case VALUE_FILE:
        printf("_hcbr_files \"$current\" && return ;;\n");
        break;
    case VALUE_MODEL:
        printf("_hcbr_files \"$current\" '*.hcbr' && return ;;\n");
        break;
    case VALUE_COLUMN:
        printf("_hcbr_columns \"$current\" && return ;;\n");
        break;
    case VALUE_COLUMNS:
        printf("_hcbr_columns \"$current\" list && return ;;\n");
        break;
    default:
        printf("return ;;\n");
    }
}

static void bash_command(const struct command *command) {
    printf("    %s)\n        options='", command->name);
    const char *blank = "";
    for (size_t i = 0; i < opt_count; i++) {
        if (!takes(command, &opt_table[i]))
            continue;
        printf("%s", blank);
        put_flags(&opt_table[i], " ");
        blank = " ";
    }
    printf("'\n        valued=' ");
    for (size_t i = 0; i < opt_count; i++) {
        if (!takes(command, &opt_table[i]) || !opt_table[i].argument)
            continue;
        put_flags(&opt_table[i], " ");
        putchar(' ');
    }
    printf("'\n        model=%s\n", takes_model(command) ? "yes" : "");
    if (takes_kind(command)) {
        printf("        kinds='");
        put_kinds();
        printf("'\n");
    }
    printf("        ;;\n");
}

static void print_bash(void) {
    printf("%s", BASH_HEAD);
    printf("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        _hcbr_words \"$current\" '");
    for (size_t i = 0; i < command_count; i++)
        printf("%s ", command_table[i].name);
    printf("help --help --version'\n        return\n    fi\n");
    printf("    if [ \"$command\" = help ]; then\n"
           "        [ \"$COMP_CWORD\" -gt 2 ] || _hcbr_words \"$current\" '");
    put_commands();
    printf("'\n        return\n    fi\n");
    /* bash cuts --format=csv into three words, and age=39 too: at is where the word begins. */
    printf("    if [ \"$current\" = = ]; then\n        current= at=$((at - 1))\n    fi\n"
           "    while [ \"$at\" -gt 2 ] && [ \"${COMP_WORDS[at - 1]}\" = = ] &&\n"
           "        [[ $current != --* ]]; do\n        at=$((at - 2))\n    done\n"
           "    if [ \"$at\" -lt \"$COMP_CWORD\" ]; then\n"
           "        before=${COMP_WORDS[at]}\n"
           "        [[ $before == --* ]] || before=${COMP_WORDS[at - 1]}\n"
           "    fi\n    case $command:$before in\n");
    for (size_t c = 0; c < command_count; c++)
        for (size_t i = 0; i < opt_count; i++)
            if (takes(&command_table[c], &opt_table[i]) && opt_table[i].argument)
                bash_case(&command_table[c], &opt_table[i]);
    printf("    esac\n    case $command in\n");
    for (size_t c = 0; c < command_count; c++)
        bash_command(&command_table[c]);
    printf("    *) return ;;\n    esac\n%s", BASH_TAIL);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void zsh_value(const opt_spec *spec) {
    printf(":");
    for (const char *at = spec->argument; *at; at++)
        printf(strchr(":[]", *at) ? "\\%c" : "%c", *at);
    switch (kind_of(spec)) {
    case VALUE_CHOICE:
        printf(":(");
        put_choices(spec);
        printf(")");
        break;
    case VALUE_FILE:
        printf(":_files");
        break;
    case VALUE_MODEL:
        printf(":_files -g \"*.hcbr\"");
        break;
    case VALUE_COLUMN:
        printf(":_hcbr_columns");
        break;
    case VALUE_COLUMNS:
        printf(":_hcbr_list");
        break;
    default:
        printf(": ");
    }
}

static void zsh_option(const opt_spec *spec, const char *flag, const char *joins) {
    bool ends = opt_is(spec, "help") || opt_is(spec, "version");
    bool again = strstr(opt_summary(spec), "may be given again") != NULL;
    printf(" \\\n            '%s%s%s[",
           ends    ? "(- *)"
           : again ? "*"
                   : "",
           flag, spec->argument ? joins : "");
    put_summary(opt_summary(spec), "[]\\");
    printf("]");
    if (spec->argument)
        zsh_value(spec);
    printf("'");
}

static void zsh_command(const struct command *command) {
    char flag[64];
    printf("        %s)\n            _arguments -s -S", command->name);
    for (size_t i = 0; i < opt_count; i++) {
        const opt_spec *spec = &opt_table[i];
        if (!takes(command, spec))
            continue;
        if (spec->letter) {
            snprintf(flag, sizeof flag, "-%c", spec->letter);
            zsh_option(spec, flag, "+");
        }
        if (spec->name) {
            snprintf(flag, sizeof flag, "--%s", spec->name);
            zsh_option(spec, flag, "=");
        }
    }
    if (takes_model(command))
        printf(" \\\n            '1:model:_files -g \"*.hcbr\"'");
    if (takes_kind(command)) {
        printf(" \\\n            '1:kind:(");
        put_kinds();
        printf(")'");
    }
    if (command->most > 1 || !takes_model(command))
        printf(" \\\n            '*:data:_files'");
    printf("\n            ;;\n");
}

static void print_zsh(void) {
    printf("#compdef hcbr\n"
           "# Completion of hcbr for zsh, written by hcbr --print-completion zsh.\n"
           "_hcbr_columns() {\n    local -a names\n"
           "    names=(${(f)\"$(hcbr --print-columns \"${(@Q)words}\" 2> /dev/null)\"})\n"
           "    compadd -a names\n}\n"
           "_hcbr_list() {\n    local -a names\n"
           "    names=(${(f)\"$(hcbr --print-list \"${(Q)PREFIX}\" \"${(@Q)words}\" "
           "2> /dev/null)\"})\n"
           "    compadd -S '' -a names\n}\n"
           "_hcbr() {\n    local curcontext=$curcontext state line\n    local -a commands\n"
           "    commands=(\n");
    for (size_t i = 0; i < command_count; i++) {
        printf("        '%s:", command_table[i].name);
        put_summary(command_table[i].summary, ":\\");
        printf("'\n");
    }
    printf("        'help:say what a command does and takes'\n");
    printf("    )\n    _arguments -C '(- *)'{-h,--help}'[list the commands]' \\\n"
           "        '(- *)--version[print the version]' \\\n"
           "        '1: :->command' '*:: :->rest'\n"
           "    case $state in\n    command) _describe command commands ;;\n"
           "    rest)\n        case $words[1] in\n");
    for (size_t c = 0; c < command_count; c++)
        zsh_command(&command_table[c]);
    printf("        help)\n            _arguments '1: :(");
    put_commands();
    printf(")'\n            ;;\n");
    printf("        esac\n        ;;\n    esac\n}\n"
           "if [ \"$funcstack[1]\" = _hcbr ]; then\n    _hcbr \"$@\"\nelse\n"
           "    compdef _hcbr hcbr\nfi\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

/* fish passes the line up to the cursor only, so DATA must precede it. */
static const char FISH_HEAD[] =
    "# Completion of hcbr for fish, written by hcbr --print-completion fish.\n"
    "function __hcbr_columns # [list]: columns of the data on the line\n"
    "    set -l ask --print-columns\n"
    "    if set -q argv[1]\n"
    "        set -l typed (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))\n"
    "        set ask --print-list (string unescape -- \"$typed\")\n"
    "    end\n"
    "    hcbr $ask (commandline -opc)[2..-1] 2> /dev/null\n"
    "end\n";

static void fish_option(const struct command *command, const opt_spec *spec) {
    printf("complete -c hcbr -n '__fish_seen_subcommand_from %s'", command->name);
    if (spec->letter)
        printf(" -s %c", spec->letter);
    if (spec->name)
        printf(" -l %s", spec->name);
    switch (kind_of(spec)) {
    case VALUE_CHOICE:
        printf(" -x -a '");
        put_choices(spec);
        printf("'");
        break;
    case VALUE_FILE:
        printf(" -r -F");
        break;
    case VALUE_MODEL:
        printf(" -x -k -a '(__fish_complete_suffix .hcbr)'");
        break;
    case VALUE_COLUMN:
        printf(" -x -a '(__hcbr_columns)'");
        break;
    case VALUE_COLUMNS:
        printf(" -x -a '(__hcbr_columns list)'");
        break;
    case VALUE_OWN:
        printf(" -x");
        break;
    case VALUE_NONE:
        break;
    }
    printf(" -d '");
    put_summary(opt_summary(spec), "\\");
    printf("'\n");
}

/* Files, models first if one is wanted; or a kind, then files. */
static void fish_operands(const struct command *command) {
    const char *name = command->name;
    if (takes_kind(command)) {
        printf("complete -c hcbr -n '__fish_seen_subcommand_from %s; and not "
               "__fish_seen_subcommand_from ",
               name);
        put_kinds();
        printf("' -a '");
        put_kinds();
        printf("'\ncomplete -c hcbr -n '__fish_seen_subcommand_from %s; and "
               "__fish_seen_subcommand_from ",
               name);
        put_kinds();
        printf("' -F\n");
    } else {
        printf("complete -c hcbr -n '__fish_seen_subcommand_from %s' %s\n", name,
               takes_model(command) ? "-k -a '(__fish_complete_suffix .hcbr)'" : "-F");
    }
}

static void print_fish(void) {
    printf("%s", FISH_HEAD);
    printf("complete -c hcbr -f\n"
           "complete -c hcbr -n __fish_use_subcommand -s h -l help -d 'list the commands'\n"
           "complete -c hcbr -n __fish_use_subcommand -l version -d 'print the version'\n");
    for (size_t c = 0; c < command_count; c++) {
        const struct command *command = &command_table[c];
        printf("\ncomplete -c hcbr -n __fish_use_subcommand -a %s -d '", command->name);
        put_summary(command->summary, "\\");
        printf("'\n");
        fish_operands(command);
        for (size_t i = 0; i < opt_count; i++)
            if (takes(command, &opt_table[i]))
                fish_option(command, &opt_table[i]);
    }
    printf("\ncomplete -c hcbr -n __fish_use_subcommand -a help -d "
           "'say what a command does and takes'\n"
           "complete -c hcbr -n '__fish_seen_subcommand_from help' -a '");
    put_commands();
    printf("'\n");
}

int complete_print(const char *shell) {
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return say_usage(NULL, "--print-completion needs bash, zsh or fish");
    return EXIT_DONE;
}
