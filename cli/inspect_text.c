/*
 * The text of hcbr inspect, in 80 to 100 columns.
 */
#include "cell.h"
#include "inspect.h"
#include "kinds_text.h"

#include <stdio.h>

enum { TITLE_WIDTH = 16, ATOM_WIDTH = 44, NAME_WIDTH = 24, COUNT_WIDTH = 11, SHOWN_COUNTS = 3 };

typedef struct shown_atom {
    const hcbr_model *model;
    uint32_t atom;
    char *room; /* HCBR_SHOWN_SIZE bytes */
} shown_atom;

/* The atom's feature number n, for its cell. */
static hcbr_feature atom_feature(const void *context, size_t n) {
    const shown_atom *x = context;
    hcbr_feature f;
    hcbr_model_get_feature(x->model, hcbr_model_get_atom_features(x->model, x->atom)[n], &f);
    return hcbr_shown_feature(x->model, &f, x->room);
}

static void line_u64(out *o, const char *name, uint64_t value) {
    put_text(o, name, strlen(name), TITLE_WIDTH, false);
    out_u64(o, value);
    out_row(o);
}

static void line_text(out *o, const char *name, const char *value) {
    put_text(o, name, strlen(name), TITLE_WIDTH, false);
    out_text(o, value, strlen(value));
    out_row(o);
}

static void put_labels(inspection *i) {
    out *o = i->out;
    line_u64(o, "labels", i->info.labels);
    for (uint32_t l = 0; l < i->info.labels; l++) {
        label_facts label = inspect_label(i, (hcbr_label)l);
        char share[32];
        out_string(o, "  ");
        put_text(o, label.name, label.name_length, NAME_WIDTH, false);
        put_count(o, label.info.cases, COUNT_WIDTH);
        snprintf(share, sizeof share, "%8.1f %%",
                 i->info.weight > 0 ? 100.0 * label.info.weight / i->info.weight : 0);
        out_string(o, share);
        if (label.info.eta > 0) {
            out_string(o, i->info.model == HCBR_MODEL_RICH ? "  probability > " : "  support > ");
            out_rounded(o, label.info.eta);
        }
        if (label.info.eta_share > 0) {
            out_string(o, "  share > ");
            out_rounded(o, label.info.eta_share);
        }
        if (label.info.eta > 0 || label.info.eta_share > 0) {
            out_string(o, " else ");
            out_string(o, hcbr_fallback_name(i->model, label.info.fallback));
        }
        out_row(o);
    }
}

enum { WORD_SIZE = 16 };

/* An option of the training that is a word. */
static const char *word_of(const inspection *i, const char *name, char word[WORD_SIZE]) {
    hcbr_train_options train = {
        .scope = i->info.scope, .keep = i->info.keep, .calibrate = i->info.calibrate};
    const hcbr_options options = {.train = &train};
    hcbr_options_get(&options, name, word, WORD_SIZE);
    return word;
}

static void put_training(inspection *i) {
    out *o = i->out;
    char text[160], scope[WORD_SIZE];
    if (i->info.model == HCBR_MODEL_RICH) {
        snprintf(text, sizeof text, "seed %llu", (unsigned long long)i->info.seed);
        line_text(o, "training", text);
        return;
    }
    int n = snprintf(text, sizeof text, "scope %s, %u %s", word_of(i, "scope", scope),
                     i->info.passes, i->info.passes == 1 ? "pass" : "passes");
    if (i->info.given_order)
        snprintf(text + n, sizeof text - (size_t)n, " in the given order");
    else
        snprintf(text + n, sizeof text - (size_t)n, ", seed %llu",
                 (unsigned long long)i->info.seed);
    line_text(o, "training", text);
    if (i->info.passes == 0)
        return;
    put_text(o, "wrong", 5, TITLE_WIDTH, false);
    const uint64_t *errors = hcbr_model_get_pass_errors(i->model);
    uint32_t shown = i->info.passes < 10 ? i->info.passes : 10;
    for (uint32_t p = 0; p < shown; p++) {
        if (p > 0)
            out_string(o, ", ");
        out_u64(o, errors[p]);
    }
    if (shown < i->info.passes) {
        out_string(o, ", ... ");
        out_u64(o, errors[i->info.passes - 1]);
    }
    out_string(o, i->info.passes == 1 ? " in the pass" : " in the passes");
    out_row(o);
}

static void put_list(out *o, const char *name, const char *const *items, size_t count) {
    if (count == 0)
        return;
    put_text(o, name, strlen(name), TITLE_WIDTH, false);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            out_string(o, ", ");
        if (items[i][0])
            out_text(o, items[i], strlen(items[i]));
        else
            out_string(o, "(empty)");
    }
    out_row(o);
}

/* How columns are read that are not read as column=value. */
static void put_columns(inspection *i) {
    out *o = i->out;
    for (size_t k = 0; k < i->read.split_count; k++) {
        const hcbr_split *split = &i->read.split[k];
        put_text(o, k == 0 ? "split" : "", k == 0 ? 5 : 0, TITLE_WIDTH, false);
        out_text(o, split->column, strlen(split->column));
        out_string(o, " at ");
        out_text(o, split->separator, strlen(split->separator));
        out_row(o);
    }
    put_list(o, "texts", i->read.text, i->read.text_count);
    put_list(o, "presence", i->read.presence, i->read.presence_count);
    if (i->read.ngrams > 1)
        line_u64(o, "words in a row", i->read.ngrams);
    for (size_t k = 0; k < i->read.join_count; k++) {
        const hcbr_join *join = &i->read.join[k];
        put_text(o, k == 0 ? "joined" : "", k == 0 ? 6 : 0, TITLE_WIDTH, false);
        out_text(o, join->name, strlen(join->name));
        out_string(o, " by ");
        out_text(o, join->key, strlen(join->key));
        out_row(o);
    }
}

static void put_price(out *o, const hcbr_cost *cost, bool first) {
    put_text(o, first ? "costs" : "", first ? 5 : 0, TITLE_WIDTH, false);
    out_rounded(o, cost->cost);
    out_string(o, cost->given ? " to give " : " to give no decision");
    if (cost->given)
        out_text(o, cost->given, strlen(cost->given));
    out_string(o, " where it is ");
    out_text(o, cost->truth, strlen(cost->truth));
    out_row(o);
}

/* The rule of decision, with its thresholds or costs. */
static void put_rule(inspection *i) {
    enum { MOST_PRICES = 20 };
    out *o = i->out;
    label_facts second = inspect_label(i, i->info.labels > 1);
    put_text(o, "decided by", 10, TITLE_WIDTH, false);
    out_string(o, i->info.memory ? "identical past cases, then the " : "the ");
    out_string(o, i->info.by_cost ? "least expected cost" : "largest support");
    if (i->info.has_cut) {
        out_string(o, ", but ");
        out_text(o, second.name, second.name_length);
        out_string(o, i->info.model == HCBR_MODEL_RICH ? " where its probability is above "
                                                       : " where its lead is above ");
        out_rounded(o, i->info.cut_high);
        if (i->info.cut_low < i->info.cut_high) {
            out_string(o, ", unknown above ");
            out_rounded(o, i->info.cut_low);
        }
    }
    out_row(o);
    for (uint64_t p = 0; p < i->info.prices && p < MOST_PRICES; p++) {
        hcbr_cost cost;
        hcbr_model_get_cost(i->model, p, &cost);
        put_price(o, &cost, p == 0);
    }
    if (i->info.by_cost) {
        put_text(o, i->info.prices ? "" : "costs", i->info.prices ? 0 : 5, TITLE_WIDTH, false);
        out_string(o, i->info.prices > MOST_PRICES ? "others with --json; " : "");
        out_string(o, i->info.prices ? "1 for all other mistakes" : "1 for every mistake");
        out_row(o);
    }
}

/* The contents of the file that a reader can see. */
static void put_reveals(inspection *i) {
    out *o = i->out;
    hcbr_reveals r = {.size = sizeof r};
    char text[160];
    hcbr_reveals_measure(i->model, &r);
    if (r.cases) {
        line_text(o, "reveals",
                  i->info.keep == HCBR_KEEP_FULL
                      ? "all cases, which are in the file"
                      : "all cases, which are in the file without names");
        return;
    }
    int n = snprintf(text, sizeof text, "%llu %s", (unsigned long long)r.values,
                     r.values == 1 ? "name of a value" : "names of values");
    if (r.of_one_case)
        snprintf(text + n, sizeof text - (size_t)n,
                 ", %llu of them of a single case (see --min-cases)",
                 (unsigned long long)r.of_one_case);
    else if (r.values)
        snprintf(text + n, sizeof text - (size_t)n, ", of at least %llu cases each",
                 (unsigned long long)r.least_cases);
    line_text(o, "reveals", text);
    if (r.number_columns == 0)
        return;
    n = snprintf(text, sizeof text, "cuts of %u number %s", r.number_columns,
                 r.number_columns == 1 ? "column" : "columns");
    if (r.exact_columns)
        snprintf(text + n, sizeof text - (size_t)n, ", all values of %u of them", r.exact_columns);
    line_text(o, "", text);
}

/* Values that mean missing, where that is not the default list. */
static void put_missing(const inspection *i) {
    size_t count = i->read.na_count;
    const char *const *list = i->read.na;
    if (!list && i->read.na_only)
        list = hcbr_read_default_missing(&count);
    if (list && count == 0)
        line_text(i->out, "missing", "no value");
    else if (list)
        put_list(i->out, i->read.na_only ? "missing, only" : "missing", list, count);
}

static void put_options(inspection *i) {
    out *o = i->out;
    char delimiter[2] = {(char)i->read.delimiter, 0}, word[WORD_SIZE];
    put_rule(i);
    line_text(o, "nothing known",
              i->info.on_nothing == HCBR_LABEL_PROBABLE
                  ? "what the label frequencies give"
                  : hcbr_fallback_name(i->model, i->info.on_nothing));
    if (i->info.why)
        line_text(o, "tuned", i->info.why);
    if (i->info.calibrate != HCBR_CALIBRATE_NONE)
        line_text(o, "probabilities", word_of(i, "calibrate", word));
    if (i->read.label)
        line_text(o, "label", i->read.label);
    if (i->read.id)
        line_text(o, "id", i->read.id);
    if (i->read.weight)
        line_text(o, "weight", i->read.weight);
    if (i->read.group)
        line_text(o, "group", i->read.group);
    put_list(o, "ignored", i->read.ignore, i->read.ignore_count);
    put_missing(i);
    put_columns(i);
    if (i->read.no_header)
        line_text(o, "header", "none");
    if (i->read.delimiter)
        line_text(o, "delimiter", delimiter);
    line_text(o, "cases kept", word_of(i, "keep_cases", word));
    inspect_prior_text(i);
    if (i->info.min_cases > 1)
        line_u64(o, "least cases", i->info.min_cases);
    put_reveals(i);
    line_text(o, "fingerprint", i->info.fingerprint);
}

static void put_overview(inspection *i) {
    out *o = i->out;
    const char *path = i->given->operands[0];
    out_text(o, path, strlen(path));
    out_string(o, ": ");
    out_string(o, hcbr_model_kind_name(i->info.model));
    out_string(o, " model, file format ");
    out_u64(o, i->info.format_version);
    out_row(o);
    out_row(o);
    line_u64(o, "cases", i->info.cases);
    if (i->info.empty_cases)
        line_u64(o, "empty cases", i->info.empty_cases);
    line_u64(o, "occurrences", i->info.occurrences);
    line_u64(o, "keys", i->info.keys);
    line_u64(o, i->info.model == HCBR_MODEL_RICH ? "names" : "features", i->info.features);
    line_u64(o, "atoms", i->info.atoms);
    put_labels(i);
    inspect_columns_text(i);
    if (hcbr_model_kind_count(i->model)) {
        put_text(i->out, "taken for", 9, 16, false);
        out_row(i->out);
        kinds_put_model(i->out, i->model);
    }
    inspect_hypergraph_text(i);
    put_training(i);
    put_options(i);
}

size_t inspect_counts_columns(const inspection *i) {
    return i->info.labels <= SHOWN_COUNTS ? i->info.labels : 2;
}

void inspect_counts_text(inspection *i, const uint64_t *counts, hcbr_label label, size_t width) {
    uint64_t others = 0;
    for (uint32_t l = 0; l < i->info.labels; l++) {
        if (i->info.labels <= SHOWN_COUNTS)
            put_count(i->out, counts[l], width);
        else if ((hcbr_label)l != label)
            others += counts[l];
    }
    if (i->info.labels > SHOWN_COUNTS) {
        put_count(i->out, counts[label], width);
        put_count(i->out, others, width);
    }
}

void inspect_counts_heading(inspection *i, size_t width) {
    for (uint32_t l = 0; l < i->info.labels && i->info.labels <= SHOWN_COUNTS; l++) {
        label_facts column = inspect_label(i, (hcbr_label)l);
        put_text(i->out, column.name, column.name_length, width, true);
    }
    if (i->info.labels > SHOWN_COUNTS) {
        put_text(i->out, "cases", 5, width, true);
        put_text(i->out, "others", 6, width, true);
    }
}

static void put_heading(inspection *i, hcbr_label label) {
    out *o = i->out;
    hcbr_cell head = {.used = 0};
    label_facts info = inspect_label(i, label);
    hcbr_cell_add(&head, "strongest for ", 14, ATOM_WIDTH);
    hcbr_cell_add_cut(&head, info.name, info.name_length, ATOM_WIDTH);
    out_row(o);
    const size_t mark = out_mark(o);
    put_cell(o, &head, ATOM_WIDTH, false);
    put_text(o, "strength", 8, COUNT_WIDTH, true);
    put_text(o, "lead", 4, COUNT_WIDTH, true);
    inspect_counts_heading(i, COUNT_WIDTH);
    out_row(o);
    out_style(o, mark, OUT_BOLD);
}

static int put_strongest(inspection *i, hcbr_label label) {
    size_t count = 0;
    int code = inspect_rank(i, label, &count);
    if (code != EXIT_DONE)
        return code;
    put_heading(i, label);
    if (count == 0) {
        out_string(i->out, "(no atom is stronger for it than for another label)");
        out_row(i->out);
        return EXIT_DONE;
    }
    int decimals = decimals_for(hcbr_model_get_atom_strength(i->model, i->atoms[0], label));
    for (size_t k = 0; k < count; k++) {
        hcbr_cell atom = {.used = 0};
        char room[HCBR_SHOWN_SIZE];
        double mu = hcbr_model_get_atom_strength(i->model, i->atoms[k], label);
        hcbr_cell_add_features(&atom, atom_feature, &(shown_atom){i->model, i->atoms[k], room},
                               hcbr_model_get_atom_size(i->model, i->atoms[k]), ATOM_WIDTH);
        put_cell(i->out, &atom, ATOM_WIDTH, false);
        put_number(i->out, mu, decimals, COUNT_WIDTH);
        put_number(i->out, hcbr_atom_lead(i->model, i->atoms[k], label), decimals, COUNT_WIDTH);
        inspect_counts_text(i, inspect_atom_counts(i, i->atoms[k]), label, COUNT_WIDTH);
        out_row(i->out);
    }
    return EXIT_DONE;
}

int inspect_text(inspection *i) {
    int code = inspect_importance_find(i);
    bool rich = i->info.model == HCBR_MODEL_RICH;
    if (code != EXIT_DONE)
        return code;
    put_overview(i);
    if (i->top == 0)
        return EXIT_DONE;
    for (uint32_t l = 0; !rich && l < i->info.labels && out_good(i->out); l++)
        if ((code = put_strongest(i, (hcbr_label)l)) != EXIT_DONE)
            return code;
    if (rich)
        code = inspect_atoms_text(i);
    if (code == EXIT_DONE)
        code = inspect_importance_text(i);
    return code == EXIT_DONE ? inspect_cases_text(i) : code;
}
