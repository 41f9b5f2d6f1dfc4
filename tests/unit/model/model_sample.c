/*
 * Small models made by hand. Atoms and counts are computed in the plainest way from the cases;
 * strengths are any numbers, since a file does not care where they come from.
 */
#include "unit/model/model_sample.h"
#include "engines.h"

#include <stdlib.h>
#include <xxhash.h>

/** A case base of at most 32 cases; a feature is in the cases whose bits are set. */
typedef struct recipe {
    uint32_t feature_count, case_count, label_count;
    struct {
        const char *key, *value;
        uint32_t cases;
    } feature[8];
    const char *label[3];
    uint32_t label_of[8];
    hcbr_keep keep;
    uint32_t passes;
    bool extras; /**< rows, ids where kept, reading options, memory */
    bool moves, gaps;
} recipe;

static const recipe recipes[MODEL_SAMPLES] = {
    [SAMPLE_TWO] = {7,
                    5,
                    2,
                    {{"colour", "red", 0x3},
                     {"a key that is long", "and its value that is longer", 0x3},
                     {"size", "", 0x6},
                     {"round", NULL, 0x1},
                     {"colour", "bleu clair \xc3\xa9", 0xC},
                     {"", NULL, 0xC},
                     {"", "", 0xF}},
                    {"no", "yes"},
                    {0, 1, 1, 0, 1},
                    HCBR_KEEP_FULL,
                    3,
                    true,
                    true,
                    false},
    [SAMPLE_BARE] = {3,
                     3,
                     2,
                     {{"x", "1", 0x1}, {"x", "2", 0x6}, {"y", "1", 0x6}},
                     {"-1", "1"},
                     {0, 1, 1},
                     HCBR_KEEP_NONE,
                     1,
                     false,
                     false,
                     false},
    [SAMPLE_ONE] = {2,
                    2,
                    1,
                    {{"x", "1", 0x3}, {"x", "2", 0x2}},
                    {"only"},
                    {0, 0},
                    HCBR_KEEP_ANONYMOUS,
                    1,
                    false,
                    false,
                    false},
    [SAMPLE_THREE] = {5,
                      5,
                      3,
                      {{"a", NULL, 0x0B},
                       {"b", NULL, 0x05},
                       {"c", NULL, 0x0C},
                       {"d", NULL, 0x06},
                       {"e", NULL, 0x0C}},
                      {"A", "B", "C"},
                      {2, 1, 0, 2, 1},
                      HCBR_KEEP_FULL,
                      2,
                      false,
                      true,
                      true},
    [SAMPLE_EMPTY] =
        {0, 2, 2, {{NULL, NULL, 0}}, {"a", "b"}, {1, 0}, HCBR_KEEP_FULL, 1, false, false, false},
    [SAMPLE_PLAIN] = {3,
                      4,
                      2,
                      {{"p", "1", 0x7}, {"q", "1", 0x8}, {"q", "2", 0x4}},
                      {"9", "10"},
                      {0, 0, 1, 1},
                      HCBR_KEEP_FULL,
                      0,
                      false,
                      false,
                      false},
    [SAMPLE_NUMBERS] = {3,
                        4,
                        2,
                        {{"17", "1", 0x7}, {"9999999", "1", 0x8}, {"0", "1", 0x4}},
                        {"9", "10"},
                        {0, 0, 1, 1},
                        HCBR_KEEP_FULL,
                        0,
                        false,
                        false,
                        false},
};

static void *must_alloc(size_t count, size_t size) {
    void *block = hcbr_i_alloc_zero(count, size);
    assert_non_null(block);
    return block;
}

static void build_names(hcbr_model *m, const recipe *r) {
    hcbr_i_block block = {0};
    hcbr_i_raw_case all = {.count = r->feature_count};
    hcbr_i_feature_id ids[16];
    uint32_t number;
    assert_int_equal(hcbr_i_dict_create(&m->dict, 7, NULL), HCBR_OK);
    for (uint32_t f = 0; f < r->feature_count; f++) {
        const char *key = r->feature[f].key, *value = r->feature[f].value;
        assert_true(hcbr_i_block_add(&block, key, strlen(key), value, value ? strlen(value) : 0));
    }
    block.cases = &all;
    block.case_count = 1;
    assert_int_equal(hcbr_i_dict_intern(m->dict, &block, 0, ids, &number, NULL), HCBR_OK);
    assert_int_equal(number, r->feature_count);
    block.cases = NULL;
    hcbr_i_block_clear(&block);
    for (uint32_t l = 0; l < r->label_count; l++)
        assert_int_equal(
            hcbr_i_labels_intern(&m->labels, r->label[l], strlen(r->label[l]), &number, NULL),
            HCBR_OK);
}

/** Groups of features with equal cases, by falling degree, then first feature. cases_of is by atom.
 */
static void build_atoms(hcbr_model *m, const recipe *r, uint32_t cases_of[8]) {
    hcbr_i_atoms *a = &hcbr_i_model_plain(m)->atoms;
    a->feature_count = r->feature_count;
    a->of = must_alloc(r->feature_count, sizeof *a->of);
    a->size = a->mass = must_alloc(r->feature_count, sizeof *a->size);
    a->mass_all = r->feature_count;
    a->degree = must_alloc(r->feature_count, sizeof *a->degree);
    for (int degree = 32; degree > 0; degree--)
        for (uint32_t f = 0; f < r->feature_count; f++) {
            if (__builtin_popcount(r->feature[f].cases) != degree)
                continue;
            uint32_t e = 0;
            while (e < a->count && cases_of[e] != r->feature[f].cases)
                e++;
            if (e == a->count) {
                cases_of[a->count++] = r->feature[f].cases;
                a->degree[e] = (uint32_t)degree;
            }
            a->of[f] = e;
            a->size[e]++;
        }
    for (uint32_t e = 0; e < a->count; e++)
        m->occurrence_count += (uint64_t)a->size[e] * a->degree[e];
    assert_non_null(hcbr_i_plain_index(hcbr_i_model_plain(m)));
}

static uint32_t count_of(const recipe *r, uint32_t cases, uint32_t label) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->case_count; i++)
        count += (cases >> i & 1) && r->label_of[i] == label;
    return count;
}

static void build_strength(hcbr_model *m, const recipe *r, const uint32_t cases_of[8]) {
    hcbr_i_strength *s = &hcbr_i_model_plain(m)->strength;
    const uint32_t atoms = hcbr_i_model_plain(m)->atoms.count, labels = r->label_count;
    s->atom_count = atoms;
    s->label_count = labels;
    s->total = must_alloc(labels, sizeof *s->total);
    m->label_cases = must_alloc(labels, sizeof *m->label_cases);
    for (uint32_t i = 0; i < r->case_count; i++)
        m->label_cases[r->label_of[i]]++;
    for (uint32_t e = 0; e < atoms; e++)
        for (uint32_t l = 0; l < labels; l++)
            if (count_of(r, cases_of[e], l))
                s->total[l] = 0.25 + l;
    if (labels == 2) {
        s->mu = must_alloc(atoms, sizeof *s->mu);
        s->sigma = must_alloc(atoms, sizeof *s->sigma);
        s->d = must_alloc(2 * (size_t)atoms, sizeof *s->d);
        for (uint32_t e = 0; e < atoms; e++) {
            s->mu[e] = (e % 2 ? -1.0 : 1.0) / (3.0 + e);
            s->sigma[e] = 1 / (2.0 + e);
            s->d[2 * e] = count_of(r, cases_of[e], 0);
            s->d[2 * e + 1] = count_of(r, cases_of[e], 1);
        }
        return;
    }
    s->row = must_alloc(atoms, sizeof *s->row);
    s->length = must_alloc(atoms, sizeof *s->length);
    s->entry_capacity = 64;
    s->entry_label = must_alloc(64, sizeof *s->entry_label);
    s->entry_count = must_alloc(64, sizeof *s->entry_count);
    s->entry_mu = must_alloc(64, sizeof *s->entry_mu);
    for (uint32_t e = 0; e < atoms; e++) {
        s->entry_count_all += r->gaps ? 2 * (e % 2) : 0;
        s->row[e] = s->entry_count_all;
        for (uint32_t l = 0; l < labels; l++) {
            uint32_t d = count_of(r, cases_of[e], l);
            if (d == 0 && !(r->moves && e == 1)) // training gave atom 1 entries for all labels
                continue;
            uint64_t at = s->entry_count_all++;
            s->entry_label[at] = l;
            s->entry_count[at] = d;
            s->entry_mu[at] = d ? 1 / (1.0 + e + 2 * l) : -0.125;
            s->length[e]++;
        }
    }
}

static void build_kept(hcbr_model *m, const recipe *r, const uint32_t cases_of[8]) {
    const uint32_t cases = r->case_count;
    uint64_t at = 0;
    hcbr_i_model_plain(m)->kept.case_count = cases;
    hcbr_i_model_plain(m)->kept.start =
        must_alloc((size_t)cases + 1, sizeof *hcbr_i_model_plain(m)->kept.start);
    hcbr_i_model_plain(m)->kept.atoms = must_alloc(64, sizeof *hcbr_i_model_plain(m)->kept.atoms);
    m->kept_label = must_alloc(cases, sizeof *m->kept_label);
    for (uint32_t i = 0; i < cases; i++) {
        hcbr_i_model_plain(m)->kept.start[i] = at;
        m->kept_label[i] = r->label_of[i];
        for (uint32_t e = hcbr_i_model_plain(m)->atoms.count; e-- > 0;)
            if (cases_of[e] >> i & 1)
                hcbr_i_model_plain(m)->kept.atoms[at++] = e;
    }
    hcbr_i_model_plain(m)->kept.start[cases] = at;
    if (r->extras) {
        const char *ids[] = {"first", "", "third \xe2\x82\xac", "4", ""};
        m->kept_row = must_alloc(cases, sizeof *m->kept_row);
        m->kept_id_start = must_alloc((size_t)cases + 1, sizeof *m->kept_id_start);
        m->kept_ids = must_alloc(64, 1);
        for (uint32_t i = 0; i < cases; i++) {
            m->kept_row[i] = 2 * (uint64_t)i + 1 + (i == 3 ? (uint64_t)1 << 40 : 0);
            if (i == 4)
                m->kept_row[i] = ((uint64_t)1 << 40) + 20;
            memcpy(m->kept_ids + m->kept_id_start[i], ids[i], strlen(ids[i]));
            m->kept_id_start[i + 1] = m->kept_id_start[i] + strlen(ids[i]);
        }
    }
}

static void build_moves(hcbr_model *m, const recipe *r) {
    hcbr_i_moves *v = &hcbr_i_model_plain(m)->moves;
    v->case_of = must_alloc(3, sizeof *v->case_of);
    v->decided = must_alloc(3, sizeof *v->decided);
    v->start = must_alloc(4, sizeof *v->start);
    v->delta = must_alloc(64, sizeof *v->delta);
    for (uint32_t i = 0; i < 2; i++) // cases 0 and 1, wrongly decided as every other label
        for (uint32_t l = 0; l < r->label_count && v->count < 3; l++) {
            if (l == m->kept_label[i])
                continue;
            v->case_of[v->count] = i;
            v->decided[v->count] = l;
            uint64_t at = v->start[v->count++];
            for (uint64_t j = hcbr_i_model_plain(m)->kept.start[i];
                 j < hcbr_i_model_plain(m)->kept.start[i + 1]; j++)
                v->delta[at++] = (double)j / 8;
            v->start[v->count] = at;
        }
    for (uint32_t p = 0; p < r->passes; p++)
        m->pass_errors[p] = 3 - p;
}

static void build_options(hcbr_model *m, const recipe *r) {
    static const char *const ignore[] = {"junk", "\xc3\xa9t\xc3\xa9"};
    static const char *const na[] = {"", "none"};
    static const hcbr_split split = {"tags", "|"};
    static const char *const text = "body", *const presence = "seen";
    static const hcbr_join join = {"/some/where/v.csv.gz", "k", NULL};
    hcbr_read_options read;
    hcbr_rule rule;
    hcbr_threshold threshold = {r->label[0], 0.125, 0.5, "prior"};
    hcbr_read_options_init(&read);
    hcbr_rule_init(&rule);
    if (r->extras) {
        read.id = "name";
        read.ignore = ignore;
        read.ignore_count = 2;
        read.na = na;
        read.na_count = 2;
        read.no_header = 1;
        read.delimiter = ';';
        read.split = &split;
        read.split_count = read.text_count = read.presence_count = read.join_count = 1;
        read.text = &text;
        read.presence = &presence;
        read.join = &join;
        read.ngrams = 2;
        rule.memory = 1;
        rule.fallback = r->label[1];
        rule.thresholds = &threshold;
        rule.threshold_count = 1;
    }
    assert_int_equal(hcbr_i_stored_read_make(&m->read, r->extras ? "verdict" : NULL,
                                             r->extras ? "-1.5,30" : NULL, &read, NULL),
                     HCBR_OK);
    assert_int_equal(
        hcbr_i_rule_resolve(&m->rule, &rule, &m->labels, (hcbr_i_rule_kind){false, false}, NULL),
        HCBR_OK);
}

/* What was learnt from held-out cases: a curve for two labels, a map for each of three. */
static void build_learnt(hcbr_model *m, const recipe *r) {
    hcbr_i_calibration *c = &m->calibration;
    if (r->extras) {
        *c = (hcbr_i_calibration){.kind = HCBR_CALIBRATE_PLATT, .count = 1};
        c->platt = must_alloc(1, sizeof *c->platt);
        *c->platt = (hcbr_i_platt){2.5, -0.25};
        m->why = hcbr_i_text_copy("for 98 \xe2\x82\xac", 10);
        assert_non_null(m->why);
    } else if (r->label_count == 3) {
        *c = (hcbr_i_calibration){.kind = HCBR_CALIBRATE_ISOTONIC, .count = 3};
        c->isotonic = must_alloc(3, sizeof *c->isotonic);
        for (uint32_t l = 0; l < 3; l++) {
            hcbr_i_isotonic *map = &c->isotonic[l];
            map->count = 2;
            map->score = must_alloc(2, sizeof *map->score);
            map->p = must_alloc(2, sizeof *map->p);
            map->score[0] = -0.5 - l;
            map->score[1] = -0.25;
            map->p[0] = 0.125;
            map->p[1] = 0.5 + l / 8.0;
        }
    }
}

hcbr_model *model_sample_build(model_sample which) {
    const recipe *r = &recipes[which];
    uint32_t cases_of[8] = {0}, filled = 0;
    hcbr_model *m;
    assert_int_equal(hcbr_i_model_create(&m, NULL), HCBR_OK);
    m->engine = &hcbr_i_plain_engine;
    m->state = must_alloc(1, sizeof(hcbr_i_plain));
    *hcbr_i_model_plain(m) = (hcbr_i_plain){.file = NULL};
    for (uint32_t f = 0; f < r->feature_count; f++)
        filled |= r->feature[f].cases;
    m->case_count = r->case_count;
    m->empty_count = r->case_count - (uint32_t)__builtin_popcount(filled);
    m->scope = r->extras ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
    m->given_order = r->extras;
    m->seed = 0x0123456789ABCDEFu + which;
    m->fingerprint[0] = 0xFEDCBA9876543210u;
    m->fingerprint[1] = which;
    m->keep = r->keep;
    m->passes = r->passes;
    m->pass_errors = must_alloc(r->passes, sizeof *m->pass_errors);
    build_names(m, r);
    build_atoms(m, r, cases_of);
    build_strength(m, r, cases_of);
    m->prior = hcbr_i_model_prior(m);
    if (r->keep != HCBR_KEEP_NONE)
        build_kept(m, r, cases_of);
    if (r->moves)
        build_moves(m, r);
    build_options(m, r);
    build_learnt(m, r);
    m->facts = hcbr_i_plain_facts(hcbr_i_model_plain(m));
    m->label_total = must_alloc(r->label_count, sizeof *m->label_total);
    memcpy(m->label_total, hcbr_i_model_plain(m)->strength.total,
           r->label_count * sizeof *m->label_total);
    assert_int_equal(hcbr_i_model_validate(m, true, NULL), HCBR_OK);
    return m;
}

unsigned char *model_sample_bytes(model_sample which, size_t *size) {
    hcbr_model *model = model_sample_build(which);
    void *bytes;
    assert_int_equal(hcbr_model_serialize(model, &bytes, size, NULL), HCBR_OK);
    unsigned char *copy = malloc(*size); // so that a sanitizer sees the exact end
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    hcbr_bytes_free(bytes);
    hcbr_model_free(model);
    return copy;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

void put_value(unsigned char *at, size_t width, uint64_t value) {
    for (size_t i = 0; i < width; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

pieces pieces_take(const unsigned char *bytes, size_t size) {
    pieces p = {.count = hcbr_i_u32_at(bytes + 12)};
    assert_in_range(p.count, 1, 39);
    for (uint32_t i = 0; i < p.count; i++) {
        const unsigned char *entry = bytes + 24 + 32 * i;
        const uint64_t offset = hcbr_i_u64_at(entry + 8);
        p.type[i] = hcbr_i_u32_at(entry);
        p.flags[i] = hcbr_i_u32_at(entry + 4);
        p.length[i] = (size_t)hcbr_i_u64_at(entry + 16);
        assert_true(offset + p.length[i] <= size);
        p.bytes[i] = malloc(p.length[i] + 1);
        memcpy(p.bytes[i], bytes + offset, p.length[i]);
    }
    return p;
}

void redigest(unsigned char *bytes, size_t size) {
    XXH128_hash_t digest = XXH3_128bits(bytes, size - 16);
    put_value(bytes + size - 16, 8, digest.low64);
    put_value(bytes + size - 8, 8, digest.high64);
}

void reseal(unsigned char *bytes, size_t size) {
    const uint32_t count = hcbr_i_u32_at(bytes + 12);
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *entry = bytes + 24 + 32 * i;
        put_value(entry + 24, 8,
                  XXH3_64bits(bytes + hcbr_i_u64_at(entry + 8), hcbr_i_u64_at(entry + 16)));
    }
    redigest(bytes, size);
}

unsigned char *pieces_join(const pieces *p, size_t *size) {
    static const unsigned char magic[8] = {0x89, 0x48, 0x43, 0x42, 0x52, 0x0D, 0x0A, 0x1A};
    size_t at = 24 + 32 * (size_t)p->count;
    *size = at + 16;
    for (uint32_t i = 0; i < p->count; i++)
        *size += (p->length[i] + 7) / 8 * 8;
    unsigned char *bytes = calloc(*size, 1);
    assert_non_null(bytes);
    memcpy(bytes, magic, 8);
    put_value(bytes + 8, 4, 3);
    put_value(bytes + 12, 4, p->count);
    put_value(bytes + 16, 8, *size);
    for (uint32_t i = 0; i < p->count; i++) {
        unsigned char *entry = bytes + 24 + 32 * i;
        put_value(entry, 4, p->type[i]);
        put_value(entry + 4, 4, p->flags[i]);
        put_value(entry + 8, 8, at);
        put_value(entry + 16, 8, p->length[i]);
        memcpy(bytes + at, p->bytes[i], p->length[i]);
        at += (p->length[i] + 7) / 8 * 8;
    }
    reseal(bytes, *size);
    return bytes;
}

void pieces_clear(pieces *p) {
    for (uint32_t i = 0; i < p->count; i++)
        free(p->bytes[i]);
    p->count = 0;
}

uint32_t pieces_find(const pieces *p, uint32_t type) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->type[i] == type)
            return i;
    fail_msg("no section of type %u", type);
    return 0;
}

void pieces_resize(pieces *p, uint32_t index, size_t length) {
    p->bytes[index] = realloc(p->bytes[index], length + 1);
    assert_non_null(p->bytes[index]);
    if (length > p->length[index])
        memset(p->bytes[index] + p->length[index], 0, length - p->length[index]);
    p->length[index] = length;
}

void pieces_insert(pieces *p, uint32_t index, uint32_t type, uint32_t flags, const void *bytes,
                   size_t length) {
    for (uint32_t i = p->count++; i > index; i--) {
        p->type[i] = p->type[i - 1];
        p->flags[i] = p->flags[i - 1];
        p->bytes[i] = p->bytes[i - 1];
        p->length[i] = p->length[i - 1];
    }
    p->type[index] = type;
    p->flags[index] = flags;
    p->length[index] = length;
    p->bytes[index] = malloc(length + 1);
    assert_non_null(p->bytes[index]);
    memcpy(p->bytes[index], bytes, length);
}

void pieces_remove(pieces *p, uint32_t index) {
    free(p->bytes[index]);
    p->count--;
    for (uint32_t i = index; i < p->count; i++) {
        p->type[i] = p->type[i + 1];
        p->flags[i] = p->flags[i + 1];
        p->bytes[i] = p->bytes[i + 1];
        p->length[i] = p->length[i + 1];
    }
}

pieces pieces_of(hcbr_model *model) {
    void *bytes;
    size_t size;
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    pieces p = pieces_take(bytes, size);
    hcbr_bytes_free(bytes);
    hcbr_model_free(model);
    return p;
}

void pieces_check(const pieces *p, const char *expected) {
    size_t size;
    unsigned char *bytes = pieces_join(p, &size);
    hcbr_model *model;
    hcbr_error err;
    const hcbr_status st = hcbr_model_parse(&model, bytes, size, &err);
    if (!expected && st != HCBR_OK)
        fail_msg("refused: %s, expected to be taken", err.message);
    if (expected && (st != HCBR_EFORMAT || model || !strstr(err.message, expected)))
        fail_msg("message \"%s\", expected \"%s\"", st == HCBR_OK ? "" : err.message, expected);
    hcbr_model_free(model);
    free(bytes);
}

void pieces_check_value(pieces p, uint32_t type, size_t at, size_t width, uint64_t value,
                        const char *expected) {
    put_value(p.bytes[pieces_find(&p, type)] + at, width, value);
    pieces_check(&p, expected);
    pieces_clear(&p);
}
