/*
 * The options of deciding: thresholds, what is answered below them, and memory.
 *
 * A rule that a model holds comes first; what was given changes it label by label.
 */
#include "label.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

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
            return say_usage(command, "--%s %s: LABEL=NUMBER was expected", opt_name(id), text);
        if (value < 0 || (id == OPT_ETA_SHARE && value >= 1))
            return say_usage(command, "--%s %s: a number %s was expected", opt_name(id), text,
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
