/*
 * From the sections of a file to the arrays of a model (docs/FORMAT.md, section 3).
 *
 * Each section must hold exactly the number of values that section facts implies. Memory is
 * allocated only for values present in the file, so a count alone never costs anything. Every text
 * is checked here, and every index that is used here; hcbr_i_model_validate() checks the rest.
 */
#include "model/model.h"

#include <assert.h>

/** Counts needed only to read the other sections. */
typedef struct counts {
    uint32_t features, keys, labels;
    bool numbers; /**< features are numbers */
    bool sorted;  /**< names rise, and no key or feature is there for a number: a rich model */
} counts;

#define LL(x) ((unsigned long long)(x))

/* ---- facts ----------------------------------------------------------------------------------- */

static hcbr_status check_facts(const hcbr_model *m, const counts *n, hcbr_error *err) {
    const hcbr_i_section s = HCBR_I_FACTS;
    if (m->case_count < 1 || m->case_count > HCBR_I_MOST_CASES)
        return hcbr_i_model_bad(err, s, "%llu cases, expected 1 to %lu", LL(m->case_count),
                                (unsigned long)HCBR_I_MOST_CASES);
    if (m->empty_count > m->case_count)
        return hcbr_i_model_bad(err, s, "%llu empty cases, expected at most %llu",
                                LL(m->empty_count), LL(m->case_count));
    if (n->features > HCBR_I_MOST_FEATURES)
        return hcbr_i_model_bad(err, s, "%lu features, expected at most %lu",
                                (unsigned long)n->features, (unsigned long)HCBR_I_MOST_FEATURES);
    if (n->sorted &&
        (m->facts.atoms || m->facts.entries || m->facts.moves || n->keys > HCBR_I_MOST_FEATURES))
        return hcbr_i_model_bad(err, s, "atoms, strengths or moves, or %lu keys of a rich model",
                                (unsigned long)n->keys);
    if (!n->sorted && (m->facts.atoms > n->features || n->keys > n->features))
        return hcbr_i_model_bad(err, s,
                                "%lu atoms and %lu keys, expected at most %lu, one for "
                                "each feature",
                                (unsigned long)m->facts.atoms, (unsigned long)n->keys,
                                (unsigned long)n->features);
    if (n->labels < 1 || n->labels > m->case_count || n->labels > HCBR_I_MODEL_MOST_LABELS)
        return hcbr_i_model_bad(err, s, "%lu labels of %llu cases, expected 1 to one for each case",
                                (unsigned long)n->labels, LL(m->case_count));
    if (n->labels == 2 && m->facts.entries != 0)
        return hcbr_i_model_bad(err, s, "%llu sparse strengths, expected none with two labels",
                                LL(m->facts.entries));
    if (m->keep == HCBR_KEEP_NONE && m->facts.moves != 0)
        return hcbr_i_model_bad(err, s, "%llu moves, expected none where no case is kept",
                                LL(m->facts.moves));
    return HCBR_OK;
}

static hcbr_status read_facts(hcbr_model *m, counts *n, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st;
    if ((st = hcbr_i_in_take(in, 1, 72, "the facts", &at, err)) != HCBR_OK ||
        (st = hcbr_i_in_end(in, err)) != HCBR_OK)
        return st;
    m->case_count = hcbr_i_u64_at(at);
    m->empty_count = hcbr_i_u64_at(at + 8);
    m->occurrence_count = hcbr_i_u64_at(at + 16);
    m->seed = hcbr_i_u64_at(at + 24);
    m->facts.entries = hcbr_i_u64_at(at + 32);
    m->facts.moves = hcbr_i_u64_at(at + 40);
    n->features = hcbr_i_u32_at(at + 48);
    m->facts.atoms = hcbr_i_u32_at(at + 52);
    n->keys = hcbr_i_u32_at(at + 56);
    n->labels = hcbr_i_u32_at(at + 60);
    m->passes = hcbr_i_u32_at(at + 64);
    if (at[68] > HCBR_SCOPE_ALL || at[69] > 1 || at[70] > HCBR_KEEP_FULL || at[71] > 1)
        return hcbr_i_model_bad(err, in->section,
                                "scope, order, keep and names %d, %d, %d, %d, expected at most "
                                "1, 1, 2, 1",
                                at[68], at[69], at[70], at[71]);
    m->scope = (hcbr_scope)at[68];
    m->given_order = at[69];
    m->keep = (hcbr_keep)at[70];
    n->numbers = at[71];
    return check_facts(m, n, err);
}

/* ---- names ----------------------------------------------------------------------------------- */

static hcbr_status read_labels(hcbr_model *m, const counts *n, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *lengths;
    hcbr_status st;
    if ((st = hcbr_i_in_u64s(in, n->labels, "cases", &m->label_cases, err)) != HCBR_OK ||
        (st = hcbr_i_in_f64s(in, n->labels, "totals", &m->label_total, err)) != HCBR_OK ||
        (st = hcbr_i_in_take(in, n->labels, 4, "lengths", &lengths, err)) != HCBR_OK)
        return st;
    for (uint32_t l = 0; l < n->labels; l++) {
        const uint32_t length = hcbr_i_u32_at(lengths + 4 * (size_t)l);
        const char *name;
        uint32_t number;
        if (length == 0)
            return hcbr_i_model_bad(err, in->section, "label %lu is empty, expected a text",
                                    (unsigned long)l);
        if ((st = hcbr_i_in_text(in, length, "label", l, &name, err)) != HCBR_OK ||
            (st = hcbr_i_labels_intern(&m->labels, name, length, &number, err)) != HCBR_OK)
            return st;
        if (number != l)
            return hcbr_i_model_bad(err, in->section, "label %lu is label %lu again",
                                    (unsigned long)l, (unsigned long)number);
    }
    m->prior = hcbr_i_model_prior(m);
    return hcbr_i_in_end(in, err);
}

/**
 * The text of many names, one after the other: UTF-8 without NUL, each of them. Checked at once;
 * one by one only after a failure, to find which one it is.
 */
static hcbr_status read_texts(hcbr_i_in *in, const char *what, const uint32_t *lengths,
                              uint32_t count, bool may_be_bare, hcbr_i_text *out, hcbr_error *err) {
    const hcbr_i_in from = *in;
    const char *text = (const char *)in->at;
    uint64_t total = 0;
    bool good = true;
    for (uint32_t n = 0; n < count; n++) {
        if (may_be_bare && lengths[n] == HCBR_I_MODEL_BARE)
            continue;
        // no name may begin in the middle of a character; an empty one begins nowhere
        good = good && (lengths[n] == 0 || total >= from.left ||
                        ((unsigned char)text[total] & 0xC0) != 0x80);
        total += lengths[n];
    }
    if (good && total <= from.left && hcbr_i_utf8_check(text, (size_t)total) == total) {
        *out = (hcbr_i_text){text, (size_t)total};
        in->at += total;
        in->left -= (size_t)total;
        return hcbr_i_in_end(in, err);
    }
    hcbr_status st = HCBR_OK;
    for (uint32_t n = 0; st == HCBR_OK && n < count; n++)
        if (!may_be_bare || lengths[n] != HCBR_I_MODEL_BARE)
            st = hcbr_i_in_text(in, lengths[n], what, n, &text, err);
    assert(st != HCBR_OK);
    return st;
}

/** Keys are numbered by first use: *used receives how many are. */
static hcbr_status check_keys(const uint32_t *keys, const counts *n, uint32_t *used,
                              hcbr_error *err) {
    *used = 0;
    for (uint32_t f = 0; f < n->features; f++) {
        if ((keys[f] > *used && !n->sorted) || keys[f] >= n->keys)
            return hcbr_i_model_bad(err, HCBR_I_FEATURES,
                                    "feature %lu has key %lu, expected at most %lu of %lu keys",
                                    (unsigned long)f, (unsigned long)keys[f], (unsigned long)*used,
                                    (unsigned long)n->keys);
        *used += keys[f] == *used;
    }
    return HCBR_OK;
}

/** Make the tables, which finds duplicate names. */
static hcbr_status build_dictionary(hcbr_model *m, const counts *n, hcbr_error *err) {
    hcbr_i_key_id key;
    hcbr_i_feature_id feature;
    if (n->sorted) // names in ascending order, which is checked, have no duplicates
        return HCBR_OK;
    hcbr_status st = hcbr_i_dict_build(m->dict, &key, &feature, err);
    if (key != HCBR_I_NONE)
        return hcbr_i_model_bad(err, HCBR_I_KEYS, "key %lu is an earlier key again",
                                (unsigned long)key);
    if (feature != HCBR_I_NONE)
        return hcbr_i_model_bad(err, HCBR_I_FEATURES, "feature %lu is an earlier feature again",
                                (unsigned long)feature);
    return st;
}

/** Features that are numbers. */
static hcbr_status read_numbers(hcbr_model *m, const counts *n, hcbr_i_in *keys,
                                hcbr_i_in *features, hcbr_error *err) {
    const unsigned char *numbers;
    hcbr_status st;
    if (n->features == 0 || n->keys != n->features)
        return hcbr_i_model_bad(err, HCBR_I_FACTS,
                                "%lu keys of %lu features that are numbers, expected as many, and "
                                "one at least",
                                (unsigned long)n->keys, (unsigned long)n->features);
    if ((st = hcbr_i_in_end(keys, err)) != HCBR_OK ||
        (st = hcbr_i_in_take(features, n->features, 4, "numbers", &numbers, err)) != HCBR_OK ||
        (st = hcbr_i_in_end(features, err)) != HCBR_OK)
        return st;
    for (uint32_t f = 0; f < n->features; f++) {
        const unsigned long number = hcbr_i_u32_at(numbers + 4 * (size_t)f);
        if (number > HCBR_I_DICT_MOST_NUMBER)
            return hcbr_i_model_bad(err, HCBR_I_FEATURES,
                                    "feature %lu is the number %lu, expected at most %u",
                                    (unsigned long)f, number, HCBR_I_DICT_MOST_NUMBER);
    }
    if ((st = hcbr_i_dict_create(&m->dict, 0, err)) != HCBR_OK ||
        (st = hcbr_i_dict_load_numbers(m->dict, numbers, n->features, err)) != HCBR_OK)
        return st;
    return build_dictionary(m, n, err);
}

static hcbr_status read_dictionary(hcbr_model *m, const counts *n, hcbr_i_in *keys,
                                   hcbr_i_in *features, hcbr_error *err) {
    if (n->numbers)
        return read_numbers(m, n, keys, features, err);
    hcbr_i_dict_names names = {.key_count = n->keys, .feature_count = n->features};
    uint32_t *key_lengths = NULL, *feature_keys = NULL, *value_lengths = NULL, used = 0;
    hcbr_status st;
    if ((st = hcbr_i_in_u32s(keys, n->keys, "lengths", &key_lengths, err)) == HCBR_OK &&
        (st = read_texts(keys, "key", key_lengths, n->keys, false, &names.key_text, err)) ==
            HCBR_OK &&
        (st = hcbr_i_in_u32s(features, n->features, "keys", &feature_keys, err)) == HCBR_OK &&
        (st = hcbr_i_in_u32s(features, n->features, "lengths", &value_lengths, err)) == HCBR_OK &&
        (st = check_keys(feature_keys, n, &used, err)) == HCBR_OK &&
        (st = read_texts(features, "the value of feature", value_lengths, n->features, true,
                         &names.value_text, err)) == HCBR_OK &&
        (st = hcbr_i_dict_create(&m->dict, 0, err)) == HCBR_OK) {
        names.key_lengths = key_lengths;
        names.keys = feature_keys;
        names.value_lengths = value_lengths;
        st = hcbr_i_dict_load(m->dict, &names, err);
    }
    hcbr_i_free(key_lengths);
    hcbr_i_free(feature_keys);
    hcbr_i_free(value_lengths);
    if (st == HCBR_OK)
        st = build_dictionary(m, n, err);
    if (st == HCBR_OK && used != n->keys && !n->sorted)
        st = hcbr_i_model_bad(err, HCBR_I_FEATURES, "%lu keys in use, expected %lu",
                              (unsigned long)used, (unsigned long)n->keys);
    if (st == HCBR_OK && hcbr_i_dict_has_numbers(m->dict))
        st = hcbr_i_model_bad(err, HCBR_I_FEATURES,
                              "all are numbers, expected them to stand as such");
    bool canonical = true;
    if (st == HCBR_OK)
        st = hcbr_i_dict_check_numbers(m->dict, &canonical, err);
    if (!canonical)
        st = hcbr_i_model_bad(err, HCBR_I_FEATURES,
                              "a number in another spelling, expected its canonical text");
    return st;
}

/* ---- rule, reading options, passes, fingerprint ---------------------------------------------- */

static hcbr_status read_rule(hcbr_model *m, const counts *n, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    hcbr_i_rule *rule = &m->rule;
    hcbr_status st;
    if ((st = hcbr_i_in_f64s(in, n->labels, "eta", &rule->eta, err)) != HCBR_OK ||
        (st = hcbr_i_in_f64s(in, n->labels, "share", &rule->eta_share, err)) != HCBR_OK ||
        (st = hcbr_i_in_u32s(in, n->labels, "fall-backs", &rule->fallback, err)) != HCBR_OK ||
        (st = hcbr_i_in_take(in, 2, 4, "answer on nothing, memory", &at, err)) != HCBR_OK ||
        (st = hcbr_i_in_end(in, err)) != HCBR_OK)
        return st;
    rule->on_nothing = (hcbr_label)hcbr_i_u32_at(at);
    if (hcbr_i_u32_at(at + 4) > 1)
        return hcbr_i_model_bad(err, in->section, "memory is %lu, expected 0 or 1",
                                (unsigned long)hcbr_i_u32_at(at + 4));
    rule->memory = hcbr_i_u32_at(at + 4) == 1;
    return HCBR_OK;
}

/** The next text as a string of its own. *lengths moves past its length. */
static hcbr_status read_string(char **out, hcbr_i_in *in, const unsigned char **lengths,
                               const char *what, uint64_t index, hcbr_error *err) {
    const char *text;
    const uint32_t length = hcbr_i_u32_at(*lengths);
    hcbr_status st = hcbr_i_in_text(in, length, what, index, &text, err);
    if (st != HCBR_OK)
        return st;
    *lengths += 4;
    *out = hcbr_i_text_copy(text, length);
    return *out ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status read_strings(char ***out, uint32_t *out_count, uint32_t count, hcbr_i_in *in,
                                const unsigned char **lengths, const char *what, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    *out = hcbr_i_alloc_zero(count, sizeof **out);
    if (!*out)
        return hcbr_i_no_memory(err);
    *out_count = count;
    for (uint32_t i = 0; i < count && st == HCBR_OK; i++)
        st = read_string(&(*out)[i], in, lengths, what, i, err);
    return st;
}

static hcbr_status read_read(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at, *lengths;
    hcbr_i_stored_read *r = &m->read;
    hcbr_status st = hcbr_i_in_take(in, 4, 4, "flags and counts", &at, err);
    if (st != HCBR_OK)
        return st;
    const uint32_t flags = hcbr_i_u32_at(at), delimiter = hcbr_i_u32_at(at + 4);
    const uint32_t ignored = hcbr_i_u32_at(at + 8), na = hcbr_i_u32_at(at + 12);
    const bool has_id = flags & HCBR_I_READ_ID, has_na = flags & HCBR_I_READ_NA;
    const bool has_weight = flags & HCBR_I_READ_WEIGHT, has_bins = flags & HCBR_I_READ_BINS;
    const bool has_group = flags & HCBR_I_READ_GROUP;
    if ((flags & ~(HCBR_I_READ_NO_HEADER | HCBR_I_READ_ID | HCBR_I_READ_NA | HCBR_I_READ_WEIGHT |
                   HCBR_I_READ_BINS | HCBR_I_READ_GROUP)) ||
        delimiter > UINT8_MAX || (!has_na && na > 0))
        return hcbr_i_model_bad(
            err, in->section,
            "flags %lu, delimiter %lu, %lu missing values, expected known ones, at most "
            "255, and none without flag 4",
            (unsigned long)flags, (unsigned long)delimiter, (unsigned long)na);
    r->ngrams = 1;
    r->no_header = flags & HCBR_I_READ_NO_HEADER;
    r->delimiter = (uint8_t)delimiter;
    const uint64_t texts = 1 + (uint64_t)has_id + has_weight + has_group + has_bins + ignored + na;
    if ((st = hcbr_i_in_take(in, texts, 4, "lengths", &lengths, err)) != HCBR_OK ||
        (st = read_string(&r->label, in, &lengths, "name of the label", 0, err)) != HCBR_OK ||
        (has_id && (st = read_string(&r->id, in, &lengths, "name of the id", 0, err)) != HCBR_OK) ||
        (has_weight &&
         (st = read_string(&r->weight, in, &lengths, "name of the weight", 0, err)) != HCBR_OK) ||
        (has_group &&
         (st = read_string(&r->group, in, &lengths, "name of the group", 0, err)) != HCBR_OK) ||
        (has_bins &&
         (st = read_string(&r->bins, in, &lengths, "ranges of labels", 0, err)) != HCBR_OK) ||
        (ignored > 0 && (st = read_strings(&r->ignore, &r->ignore_count, ignored, in, &lengths,
                                           "ignored column", err)) != HCBR_OK) ||
        (has_na && (st = read_strings(&r->na, &r->na_count, na, in, &lengths, "missing value",
                                      err)) != HCBR_OK) ||
        (st = hcbr_i_in_end(in, err)) != HCBR_OK)
        return st;
    return hcbr_i_model_check_reading(m, in->section, err);
}

static hcbr_status read_passes(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    hcbr_status st = hcbr_i_in_u64s(in, m->passes, "wrong decisions", &m->pass_errors, err);
    return st == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}

static hcbr_status read_fingerprint(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 2, 8, "the fingerprint", &at, err);
    if (st != HCBR_OK)
        return st;
    m->fingerprint[0] = hcbr_i_u64_at(at);
    m->fingerprint[1] = hcbr_i_u64_at(at + 8);
    return hcbr_i_in_end(in, err);
}

/* ---- kept cases ------------------------------------------------------------------------------ */

static hcbr_status read_rows(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    hcbr_status st = hcbr_i_in_u64s(in, m->case_count, "rows", &m->kept_row, err);
    bool counting = true; // then they should be absent
    for (uint64_t i = 0; st == HCBR_OK && i < m->case_count; i++)
        counting = counting && m->kept_row[i] == i + 1;
    if (st == HCBR_OK && counting)
        st = hcbr_i_model_bad(err, HCBR_I_ROWS, "rows are 1, 2, 3, ..., expected no section");
    return st == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}

static hcbr_status read_ids(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *lengths;
    uint64_t sum = 0;
    hcbr_status st = hcbr_i_in_take(in, m->case_count, 4, "lengths", &lengths, err);
    if (st != HCBR_OK)
        return st;
    const size_t cases = (size_t)m->case_count;
    m->kept_id_start = hcbr_i_alloc(cases + 1, sizeof *m->kept_id_start);
    m->kept_ids = hcbr_i_alloc(in->left, 1);
    if (!m->kept_id_start || !m->kept_ids)
        return hcbr_i_no_memory(err);
    if (in->left == 0)
        return hcbr_i_model_bad(err, in->section, "no case has a name, expected one that has");
    memcpy(m->kept_ids, in->at, in->left);
    for (size_t i = 0; i < cases; i++) {
        const uint32_t length = hcbr_i_u32_at(lengths + 4 * i);
        const char *text;
        m->kept_id_start[i] = sum;
        if ((st = hcbr_i_in_text(in, length, "the name of case", i, &text, err)) != HCBR_OK)
            return st;
        sum += length;
    }
    m->kept_id_start[cases] = sum;
    return hcbr_i_in_end(in, err);
}

/* ---- all sections ---------------------------------------------------------------------------- */

/** Whether the sections are those of a model of this kind. */
static hcbr_status check_presence(const hcbr_model *m, const hcbr_i_in *sections, hcbr_error *err) {
    for (uint32_t type = HCBR_I_FACTS; type < HCBR_I_SECTION_END; type++) {
        const bool kept = type >= HCBR_I_CASES && type <= HCBR_I_MOVES, named = type == HCBR_I_IDS;
        const bool plain = type == HCBR_I_ATOMS || type == HCBR_I_STRENGTHS || type == HCBR_I_MOVES;
        const bool choice = named || type == HCBR_I_ROWS || type >= HCBR_I_COLUMNS;
        const bool there = sections[type].at != NULL, rich = sections[HCBR_I_RICH].at != NULL;
        if (there && !rich && (type == HCBR_I_REASONS || type == HCBR_I_COUNTS))
            return hcbr_i_model_bad(err, (hcbr_i_section)type,
                                    "present, expected none in this model");
        if (plain && rich && there)
            return hcbr_i_model_bad(err, (hcbr_i_section)type,
                                    "present, expected none in a rich model");
        if (plain && rich)
            continue;
        if (there && ((kept && m->keep == HCBR_KEEP_NONE) || (named && m->keep != HCBR_KEEP_FULL)))
            return hcbr_i_model_bad(err, (hcbr_i_section)type,
                                    "present, expected none in a model that does not keep it");
        if (!there && !choice && !(kept && m->keep == HCBR_KEEP_NONE))
            return hcbr_i_model_bad(err, (hcbr_i_section)type, "absent, expected it in this model");
    }
    return HCBR_OK;
}

/** Read the kept data of the cases that the engine does not keep. */
static hcbr_status read_kept(hcbr_model *m, hcbr_i_in *s, hcbr_error *err) {
    hcbr_status st =
        hcbr_i_in_lend(&s[HCBR_I_CASES], m->case_count, 4, "labels", &m->kept_label, err);
    if (st == HCBR_OK && s[HCBR_I_ROWS].at)
        st = read_rows(m, &s[HCBR_I_ROWS], err);
    if (st == HCBR_OK && s[HCBR_I_IDS].at)
        st = read_ids(m, &s[HCBR_I_IDS], err);
    return st;
}

/** Read the sections of the engine, after those it depends on. */
static hcbr_status read_engine(hcbr_model *m, const counts *n, hcbr_i_in *s, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (s[HCBR_I_IMPORTANCE].at && n->sorted)
        return hcbr_i_model_bad(err, HCBR_I_IMPORTANCE, "present, expected none in a rich model");
    if (s[HCBR_I_IMPORTANCE].at)
        st = hcbr_i_model_read_importance(m, &s[HCBR_I_IMPORTANCE], err);
    if (st == HCBR_OK && m->keep != HCBR_KEEP_NONE)
        st = read_kept(m, s, err);
    if (st != HCBR_OK)
        return st;
    const hcbr_i_frame frame = hcbr_i_model_frame(m);
    m->engine = hcbr_i_engine_of(n->sorted ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN);
    return m->engine->read(&m->state, &frame, s, err);
}

static hcbr_status read_least(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 1, 4, "the least", &at, err);
    if (st != HCBR_OK || (st = hcbr_i_in_end(in, err)) != HCBR_OK)
        return st;
    m->min_cases = hcbr_i_u32_at(at);
    return m->min_cases > 1
               ? HCBR_OK
               : hcbr_i_model_bad(err, in->section, "%lu cases at the least, expected 2 or more",
                                  (unsigned long)m->min_cases);
}

/** Continue as if the model kept no cases. */
static void leave_cases_out(hcbr_model *m, hcbr_i_in *s) {
    const hcbr_i_section kept[] = {HCBR_I_CASES, HCBR_I_ROWS, HCBR_I_IDS, HCBR_I_MOVES,
                                   HCBR_I_REASONS};
    m->keep = HCBR_KEEP_NONE;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        s[kept[i]] = (hcbr_i_in){0};
}

hcbr_status hcbr_i_model_read_sections(hcbr_model *m, hcbr_i_in *s, bool without_cases,
                                       hcbr_error *err) {
    counts n = {0};
    hcbr_status st;
    n.sorted = s[HCBR_I_RICH].at != NULL;
    if (!s[HCBR_I_FACTS].at)
        return hcbr_i_model_bad(err, HCBR_I_FACTS, "absent, expected it in every model");
    if ((st = read_facts(m, &n, &s[HCBR_I_FACTS], err)) != HCBR_OK ||
        (st = check_presence(m, s, err)) != HCBR_OK)
        return st;
    if (without_cases)
        leave_cases_out(m, s);
    if ((st = read_labels(m, &n, &s[HCBR_I_LABELS], err)) != HCBR_OK ||
        (st = read_dictionary(m, &n, &s[HCBR_I_KEYS], &s[HCBR_I_FEATURES], err)) != HCBR_OK ||
        (st = read_engine(m, &n, s, err)) != HCBR_OK ||
        (st = read_rule(m, &n, &s[HCBR_I_RULE], err)) != HCBR_OK ||
        (st = read_read(m, &s[HCBR_I_READ], err)) != HCBR_OK ||
        (s[HCBR_I_COLUMNS].at &&
         (st = hcbr_i_model_read_columns(m, &s[HCBR_I_COLUMNS], err)) != HCBR_OK) ||
        (s[HCBR_I_CALIBRATION].at &&
         (st = hcbr_i_model_read_calibration(m, &s[HCBR_I_CALIBRATION], err)) != HCBR_OK) ||
        (s[HCBR_I_TUNING].at &&
         (st = hcbr_i_model_read_tuning(m, &s[HCBR_I_TUNING], err)) != HCBR_OK) ||
        (st = read_passes(m, &s[HCBR_I_PASSES], err)) != HCBR_OK ||
        (st = read_fingerprint(m, &s[HCBR_I_FINGERPRINT], err)) != HCBR_OK)
        return st;
    if (s[HCBR_I_WEIGHTS].at && !m->engine->weighs)
        return hcbr_i_model_bad(err, HCBR_I_WEIGHTS, "present, expected none in a plain model");
    if (s[HCBR_I_REASONS].at && !s[HCBR_I_WEIGHTS].at != !hcbr_i_model_past(m).weight)
        return hcbr_i_model_bad(err, HCBR_I_WEIGHTS, "%s, but the section reasons %s weights",
                                s[HCBR_I_WEIGHTS].at ? "present" : "absent",
                                s[HCBR_I_WEIGHTS].at ? "has no" : "has");
    if ((s[HCBR_I_BELIEFS].at &&
         (st = hcbr_i_model_read_beliefs(m, &s[HCBR_I_BELIEFS], err)) != HCBR_OK) ||
        (s[HCBR_I_WEIGHTS].at &&
         (st = hcbr_i_model_read_weights(m, &s[HCBR_I_WEIGHTS], err)) != HCBR_OK) ||
        (s[HCBR_I_CUT].at && (st = hcbr_i_model_read_cut(m, &s[HCBR_I_CUT], err)) != HCBR_OK) ||
        (s[HCBR_I_COSTS].at &&
         (st = hcbr_i_model_read_costs(m, &s[HCBR_I_COSTS], err)) != HCBR_OK) ||
        (s[HCBR_I_LEAST].at && (st = read_least(m, &s[HCBR_I_LEAST], err)) != HCBR_OK) ||
        (s[HCBR_I_SCHEMA].at &&
         (st = hcbr_i_model_read_schema(m, &s[HCBR_I_SCHEMA], err)) != HCBR_OK) ||
        (s[HCBR_I_HELDOUT].at &&
         (st = hcbr_i_model_read_record(m, &s[HCBR_I_HELDOUT], without_cases, err)) != HCBR_OK) ||
        (s[HCBR_I_TYPES].at && (st = hcbr_i_model_read_types(m, &s[HCBR_I_TYPES], err)) != HCBR_OK))
        return st;
    if (s[HCBR_I_LISTED].at) { // only its presence counts
        if ((st = hcbr_i_in_end(&s[HCBR_I_LISTED], err)) != HCBR_OK)
            return st;
        m->read.listed = true;
        if (m->schema)
            hcbr_i_schema_set_listed(m->schema, true);
    }
    m->value_count = n.sorted ? 0 : n.features;
    return HCBR_OK;
}
