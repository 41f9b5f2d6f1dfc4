/*
 * Use of a model that the library has accepted, whatever its bytes were: every figure, name and
 * list it offers is consistent, every decision is one of its labels or none, and saving and loading
 * change nothing.
 */
#include "fuzz.h"
#include "row_of.h"

#include <math.h>
#include <stdlib.h>

#define MOST_DECIDED 40 /* cases */

static void check_labels(const hcbr_model *model, const hcbr_model_info *info) {
    uint64_t cases = 0;
    for (uint32_t l = 0; l < info->labels; l++) {
        hcbr_label_info label = {.size = sizeof label};
        hcbr_model_get_label_info(model, (hcbr_label)l, &label);
        size_t length;
        const char *name = hcbr_model_get_label(model, (hcbr_label)l, &length);
        FUZZ_CHECK(length > 0 && strlen(name) == length);
        fuzz_check_text(name, length);
        FUZZ_CHECK(hcbr_model_find_label(model, name, length) == (hcbr_label)l);
        FUZZ_CHECK(isfinite(label.total) && label.total >= 0 && label.cases > 0);
        FUZZ_CHECK(label.eta >= 0 && label.eta_share >= 0 && label.eta_share < 1);
        FUZZ_CHECK(label.fallback >= HCBR_LABEL_PRIOR && label.fallback < (hcbr_label)info->labels);
        cases += label.cases;
    }
    FUZZ_CHECK(cases == info->cases);
    FUZZ_CHECK(info->prior >= 0 && info->prior < (hcbr_label)info->labels);
    FUZZ_CHECK(isfinite(info->weight) && info->weight > 0);
}

static void check_rule(const hcbr_model *model, const hcbr_model_info *info) {
    FUZZ_CHECK(!info->has_cut || (info->labels == 2 && info->cut_low <= info->cut_high));
    FUZZ_CHECK(!(info->has_cut && info->by_cost) && (info->by_cost || info->prices == 0));
    for (uint64_t i = 0; i < info->prices; i++) {
        hcbr_cost cost;
        hcbr_model_get_cost(model, i, &cost);
        FUZZ_CHECK(cost.truth && cost.cost >= 0 && cost.cost <= 1e6);
        FUZZ_CHECK(!cost.given || strcmp(cost.truth, cost.given) != 0);
    }
}

/* In a rich model the atoms of features are followed by the intervals of numbers, which have none.
 */
static void check_atoms(const hcbr_model *model, const hcbr_model_info *info) {
    const bool rich = info->model == HCBR_MODEL_RICH;
    bool intervals = false;
    uint64_t features = 0, occurrences = 0;
    for (uint32_t e = 0; e < info->atoms; e++) {
        uint32_t size = hcbr_model_get_atom_size(model, e);
        const uint32_t *of = hcbr_model_get_atom_features(model, e);
        uint64_t degree = 0;
        FUZZ_CHECK(size > 0 ? !intervals : rich);
        intervals = size == 0;
        for (uint32_t i = 0; i < size; i++) {
            FUZZ_CHECK(of[i] < info->features && (i == 0 || of[i] > of[i - 1]));
            FUZZ_CHECK(hcbr_model_get_atom(model, of[i]) == e);
        }
        for (uint32_t l = 0; l < info->labels; l++) {
            FUZZ_CHECK(!isnan(hcbr_model_get_atom_strength(model, e, (hcbr_label)l)));
            degree += hcbr_model_get_atom_count(model, e, (hcbr_label)l);
        }
        FUZZ_CHECK((degree > 0 || intervals) && degree <= info->cases - info->empty_cases);
        features += size;
        occurrences += size * degree;
    }
    FUZZ_CHECK(features == info->features);
    FUZZ_CHECK(rich ? occurrences <= info->occurrences : occurrences == info->occurrences);
}

static void check_ranking(const hcbr_model *model, const hcbr_model_info *info) {
    uint32_t atoms[8];
    size_t count;
    hcbr_error err;
    for (uint32_t l = 0; l < info->labels; l++) {
        hcbr_status st = hcbr_model_rank_atoms(model, (hcbr_label)l, atoms, 8, &count, &err);
        FUZZ_CHECK_OK(st, err);
        FUZZ_CHECK(count <= 8 && count <= info->atoms);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j <= i; j++)
                FUZZ_CHECK(atoms[i] < info->atoms && (i == j || atoms[i] != atoms[j]));
    }
}

static void check_read_options(const hcbr_model *model) {
    hcbr_read_options options;
    hcbr_model_get_read_options(model, &options);
    FUZZ_CHECK(options.label != NULL);
    fuzz_check_text(options.label, strlen(options.label));
    for (size_t i = 0; i < options.ignore_count; i++)
        fuzz_check_text(options.ignore[i], strlen(options.ignore[i]));
    for (size_t i = 0; options.na != NULL && i < options.na_count; i++)
        fuzz_check_text(options.na[i], strlen(options.na[i]));
    for (size_t i = 0; i < options.split_count; i++) {
        fuzz_check_text(options.split[i].column, strlen(options.split[i].column));
        FUZZ_CHECK(options.split[i].separator[0] != 0);
    }
    for (size_t i = 0; i < options.text_count; i++)
        fuzz_check_text(options.text[i], strlen(options.text[i]));
    for (size_t i = 0; i < options.presence_count; i++)
        fuzz_check_text(options.presence[i], strlen(options.presence[i]));
    for (size_t i = 0; i < options.join_count; i++)
        FUZZ_CHECK(options.join[i].path == NULL && options.join[i].name[0] != 0 &&
                   options.join[i].key[0] != 0);
    FUZZ_CHECK(options.ngrams >= 1 && options.ngrams <= 16);
}

static void check_kinds(const hcbr_model *model) {
    for (size_t c = 0; c < hcbr_model_kind_count(model); c++) {
        hcbr_kind kind = {.size = sizeof kind};
        hcbr_model_get_kind(model, c, &kind);
        fuzz_check_text(kind.name, kind.name_length);
        fuzz_check_text(kind.why, strlen(kind.why));
        FUZZ_CHECK(kind.kind[0] && kind.becomes[0] && kind.why[0]);
        FUZZ_CHECK(kind.missing <= kind.values && kind.odd <= kind.values - kind.missing);
    }
}

/* ---- deciding ------------------------------------------------------------------------------- */

/* Features whose columns are taken for something may become others, more or none. */
static void decide_taken(hcbr_decider *decider, const hcbr_model_info *info,
                         const hcbr_feature *features, size_t count) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_error err;
    hcbr_status st = hcbr_decider_decide(decider, row_by(decider, features, count), &d, &err);
    FUZZ_CHECK_OK(st, err);
    FUZZ_CHECK(d.label >= HCBR_LABEL_UNKNOWN && d.label < (hcbr_label)info->labels);
    FUZZ_CHECK(d.label_count == info->labels);
    FUZZ_CHECK(d.feature_count == d.known_count + d.unseen_count);
    FUZZ_CHECK((d.known_count == 0) == (d.winner == HCBR_LABEL_UNKNOWN));
    FUZZ_CHECK(d.reason != HCBR_BY_SUPPORT || d.label == d.winner);
    for (size_t i = 0; i < d.unseen_count; i++)
        fuzz_check_text(d.unseen[i].key, d.unseen[i].key_length);
}

/* Values of every column of the schema. */
static void decide_kinds(hcbr_decider *decider, const hcbr_model *model,
                         const hcbr_model_info *info) {
    static const char *const values[] = {
        "0",          "1.234",     "1,234", "12 kg",     "-",   "14/03/2019 10:20",
        "1552521600", "a|b; c, a", "$1.2M", "two words", "yes", "123456789012345678901234567890",
        "",           "\xC3\xA9"};
    enum { VALUES = sizeof values / sizeof *values };
    for (size_t c = 0; c < hcbr_model_kind_count(model) && c < MOST_DECIDED; c++) {
        hcbr_kind kind = {.size = sizeof kind};
        hcbr_feature row[VALUES];
        hcbr_model_get_kind(model, c, &kind);
        for (size_t v = 0; v < VALUES; v++) {
            row[v] = (hcbr_feature){kind.name, kind.name_length, values[v], strlen(values[v])};
            decide_taken(decider, info, &row[v], 1);
        }
        decide_taken(decider, info, row, VALUES);
    }
}

static void decide(hcbr_decider *decider, const hcbr_model *model, const hcbr_model_info *info,
                   const hcbr_feature *features, size_t count, size_t known) {
    if (hcbr_model_kind_count(model) > 0) {
        decide_taken(decider, info, features, count);
        return;
    }
    hcbr_decision d = {.size = sizeof d};
    hcbr_error err;
    hcbr_status st = hcbr_decider_decide(decider, row_by(decider, features, count), &d, &err);
    FUZZ_CHECK_OK(st, err);
    FUZZ_CHECK(d.label >= HCBR_LABEL_UNKNOWN && d.label < (hcbr_label)info->labels);
    FUZZ_CHECK(d.winner >= HCBR_LABEL_UNKNOWN && d.winner < (hcbr_label)info->labels);
    FUZZ_CHECK(d.label_count == info->labels);
    FUZZ_CHECK(d.known_count == known && d.feature_count == known + d.unseen_count);
    FUZZ_CHECK((known == 0) == (d.winner == HCBR_LABEL_UNKNOWN));
    FUZZ_CHECK(known > 0 || d.reason == (count ? HCBR_NOTHING_KNOWN : HCBR_EMPTY_CASE));
    FUZZ_CHECK(d.reason != HCBR_BY_SUPPORT || d.label == d.winner);
    for (size_t i = 0; i < d.unseen_count; i++)
        fuzz_check_text(d.unseen[i].key, d.unseen[i].key_length);
}

/* Kept case `index`: all that it had is known. */
static void decide_kept(hcbr_decider *decider, const hcbr_model *model, const hcbr_model_info *info,
                        uint64_t index) {
    hcbr_kept_case kept = {.size = sizeof kept};
    hcbr_feature *features;
    uint32_t *atoms;
    size_t count, atom_count;
    hcbr_error err;
    hcbr_model_get_kept(model, index, &kept);
    FUZZ_CHECK(kept.row > index && kept.label >= 0 && kept.label < (hcbr_label)info->labels);
    if (kept.id != NULL)
        fuzz_check_text(kept.id, kept.id_length);
    FUZZ_CHECK_OK(hcbr_model_copy_kept(model, index, &features, &count, &err), err);
    FUZZ_CHECK_OK(hcbr_model_copy_kept_atoms(model, index, &atoms, &atom_count, &err), err);
    FUZZ_CHECK(count == kept.feature_count && atom_count == count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(atoms[i] < info->atoms);
        fuzz_check_text(features[i].key, features[i].key_length);
    }
    decide(decider, model, info, features, count, count);
    hcbr_bytes_free(features);
    hcbr_bytes_free(atoms);
}

static void decide_all(const hcbr_model *model, const hcbr_model_info *info, const hcbr_rule *rule,
                       hcbr_feature *features, hcbr_feature *room) {
    const hcbr_feature strange = {"\x01", 1, "never seen in any case", 22};
    hcbr_decider *decider;
    hcbr_error err;
    hcbr_status st = hcbr_decider_create(&decider, model, rule, &err);
    FUZZ_CHECK_OK(st, err);
    uint64_t kept = hcbr_model_kept_count(model);
    FUZZ_CHECK(kept == (info->keep == HCBR_KEEP_NONE ? 0 : info->cases));
    uint32_t place = hcbr_model_find_feature(model, &strange);
    decide(decider, model, info, &strange, 1, place != UINT32_MAX);
    decide(decider, model, info, NULL, 0, 0);
    decide(decider, model, info, features, info->features, info->features);
    for (size_t i = 0; i < info->features && i < MOST_DECIDED; i++) {
        room[0] = room[2] = features[i];
        room[1] = strange;
        decide(decider, model, info, room, 3, 1 + (size_t)(place != UINT32_MAX && place != i));
    }
    decide_kinds(decider, model, info);
    for (uint64_t i = 0; i < kept && i < MOST_DECIDED; i++)
        decide_kept(decider, model, info, i);
    hcbr_decider_free(decider);
}

void fuzz_use_model(const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    FUZZ_CHECK(info.cases > 0 && info.labels > 0 && info.empty_cases <= info.cases);
    FUZZ_CHECK(strlen(info.fingerprint) == 32 && info.min_cases > 0);
    FUZZ_CHECK(info.model == HCBR_MODEL_RICH || info.keys <= info.features);
    check_labels(model, &info);
    check_rule(model, &info);
    check_atoms(model, &info);
    check_ranking(model, &info);
    check_read_options(model);
    check_kinds(model);
    for (uint32_t p = 0; p < info.passes; p++)
        FUZZ_CHECK(hcbr_model_get_pass_errors(model)[p] <= info.cases);
    hcbr_feature *features = malloc(((size_t)info.features + 3) * 2 * sizeof *features);
    FUZZ_CHECK(features != NULL);
    for (uint32_t f = 0; f < info.features; f++) {
        hcbr_model_get_feature(model, f, &features[f]);
        fuzz_check_text(features[f].key, features[f].key_length);
        FUZZ_CHECK(features[f].value != NULL || features[f].value_length == 0);
        if (features[f].value != NULL)
            fuzz_check_text(features[f].value, features[f].value_length);
        FUZZ_CHECK(hcbr_model_find_feature(model, &features[f]) == f);
    }
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.memory = info.keep != HCBR_KEEP_NONE;
    decide_all(model, &info, NULL, features, features + info.features);
    decide_all(model, &info, &rule, features, features + info.features);
    fuzz_explain(model, &info, features);
    free(features);
}

hcbr_model *fuzz_reload(const hcbr_model *model, void **bytes, size_t *size) {
    hcbr_model *again;
    void *other;
    size_t other_size;
    hcbr_error err;
    FUZZ_CHECK_OK(hcbr_model_serialize(model, bytes, size, &err), err);
    FUZZ_CHECK_OK(hcbr_model_parse(&again, *bytes, *size, &err), err);
    FUZZ_CHECK_OK(hcbr_model_serialize(again, &other, &other_size, &err), err);
    FUZZ_CHECK(other_size == *size && memcmp(other, *bytes, *size) == 0);
    hcbr_bytes_free(other);
    return again;
}
