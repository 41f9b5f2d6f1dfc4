/*
 * Figures and names of a model for display: its cases as a hypergraph in numbers, what its file
 * reveals about them, the lead of an atom, and the names of its options.
 */
#include "render/render.h"

static int class_of(uint64_t n) {
    int c = n > 1;
    for (uint64_t limit = 10; c > 0 && c < HCBR_HYPERGRAPH_CLASSES - 1 && n >= limit; limit *= 10)
        c++;
    return c;
}

const char *hcbr_hypergraph_class_name(int number) {
    static const char *const NAMES[HCBR_HYPERGRAPH_CLASSES] = {
        "1", "2-9", "10-99", "100-999", "1000-9999", "10000 or more"};
    return number >= 0 && number < HCBR_HYPERGRAPH_CLASSES ? NAMES[number] : "none";
}

/* In how many cases the features of an atom are. */
static uint64_t degree_of(const hcbr_model *model, uint32_t atom, uint32_t labels) {
    uint64_t degree = 0;
    for (uint32_t l = 0; l < labels; l++)
        degree += hcbr_model_get_atom_count(model, atom, (hcbr_label)l);
    return degree;
}

void hcbr_hypergraph_measure(const hcbr_model *model, hcbr_hypergraph *out) {
    hcbr_hypergraph h = {.least = UINT64_MAX};
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    for (uint32_t e = 0; e < info.atoms; e++) {
        uint64_t size = hcbr_model_get_atom_size(model, e);
        uint64_t degree = degree_of(model, e, info.labels);
        h.sizes[class_of(size)]++;
        h.degrees[class_of(degree)]++;
        h.incidences += degree;
        h.largest = size > h.largest ? size : h.largest;
        h.most = degree > h.most ? degree : h.most;
        if (degree > 1)
            h.shared += size * degree;
    }
    // Cases of a rich model are not kept as atoms.
    for (uint64_t k = 0; info.model == HCBR_MODEL_PLAIN && k < hcbr_model_kept_count(model); k++) {
        hcbr_kept_case x = {.size = sizeof x};
        hcbr_model_get_kept(model, k, &x);
        h.least = x.atom_count < h.least ? x.atom_count : h.least;
        h.longest = x.atom_count > h.longest ? x.atom_count : h.longest;
    }
    hcbr_i_hand_out(out, &h, sizeof h);
}

void hcbr_reveals_measure(const hcbr_model *model, hcbr_reveals *out) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    hcbr_reveals r = {.cases = hcbr_model_kept_count(model), .values = info.features};
    for (uint32_t e = 0; e < info.atoms; e++) {
        const uint64_t size = hcbr_model_get_atom_size(model, e);
        if (size == 0) // an interval of numbers
            continue;
        const uint64_t degree = degree_of(model, e, info.labels);
        r.of_one_case += degree == 1 ? size : 0;
        r.least_cases = !r.least_cases || degree < r.least_cases ? degree : r.least_cases;
    }
    for (uint32_t k = 0; k < info.keys; k++) {
        hcbr_column c = {.size = sizeof c};
        hcbr_model_get_column(model, k, &c);
        if (c.kind != HCBR_COLUMN_NUMBER)
            continue;
        r.number_columns++;
        r.cuts += c.cuts;
        r.exact_columns += c.exact != 0;
        r.exact_values += c.exact ? c.values : 0;
    }
    hcbr_i_hand_out(out, &r, sizeof r);
}

double hcbr_atom_lead(const hcbr_model *model, uint32_t atom, hcbr_label label) {
    double best = 0;
    bool any = false;
    uint32_t labels = hcbr_i_label_count(model);
    for (uint32_t l = 0; l < labels; l++) {
        double mu = hcbr_model_get_atom_strength(model, atom, (hcbr_label)l);
        if ((hcbr_label)l == label || (any && mu <= best))
            continue;
        best = mu;
        any = true;
    }
    return hcbr_model_get_atom_strength(model, atom, label) - best;
}

const char *hcbr_fallback_name(const hcbr_model *model, hcbr_label label) {
    if (label < 0)
        return label == HCBR_LABEL_PRIOR      ? "prior"
               : label == HCBR_LABEL_PROBABLE ? "auto"
                                              : "unknown";
    return hcbr_model_get_label(model, label, NULL);
}

const char *hcbr_model_kind_name(hcbr_model_kind kind) {
    return kind == HCBR_MODEL_RICH ? "rich" : "plain";
}

const char *hcbr_column_kind_name(hcbr_column_kind kind) {
    static const char *const NAMES[] = {"unused", "number", "category", "name"};
    return (unsigned)kind < sizeof NAMES / sizeof *NAMES ? NAMES[kind] : "unused";
}
