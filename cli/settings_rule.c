/*
 * The options of deciding: thresholds, fallbacks, and memory.
 *
 * The stored rule of a model comes first; options change it label by label.
 */
#include "label.h"
#include "settings.h"

#include <stdlib.h>

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
    if (!(s->thresholds = calloc((size_t)info.labels + 1, sizeof *s->thresholds)))
        return say_no_memory(given->command->name);
    for (uint32_t l = 0; l < info.labels; l++) {
        label_facts label = label_of(model, (hcbr_label)l);
        s->thresholds[l] = (hcbr_threshold){label.name, label.info.eta, label.info.eta_share,
                                            fallback_name(model, label.info.fallback)};
    }
    rule->thresholds = s->thresholds;
    rule->threshold_count = info.labels;
    return EXIT_DONE;
}

int settings_rule(settings *s, const args *given, const hcbr_model *model, hcbr_rule *rule) {
    int code;
    s->set.rule = rule;
    if (args_has(given, "memory") && args_has(given, "no-memory"))
        return say_usage(given->command->name, "--memory and --no-memory exclude each other");
    if ((model && (code = stored_rule(s, given, model, rule)) != EXIT_DONE) ||
        (code = settings_set(s, given, HCBR_OPTION_OF_RULE)) != EXIT_DONE)
        return code;
    if (args_has(given, "no-memory"))
        rule->memory = 0;
    return EXIT_DONE;
}
