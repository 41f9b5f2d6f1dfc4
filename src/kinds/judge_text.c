/*
 * Columns of sets, such as `a|b|c`. They are recognised in the sample of different values: the
 * parts between separators repeat, while most parts of texts occur once.
 */
#include "kinds/kinds.h"

enum {
    TABLE = 2048,    /* slots for hashes of parts; at most half of them are used */
    LEAST_VALUES = 4 /* different values in the sample */
};

/** The conditions for a separator. Shares are in hundredths. */
typedef struct rule {
    char separator;
    uint8_t least_with;  /**< share of the values that have it */
    uint8_t most_parts;  /**< different parts, as a share of all parts */
    uint8_t most_words;  /**< mean words of a part, tenths */
    uint8_t least_words; /**< and at least: 195/60 is not a set */
    uint8_t values;      /**< different values, at least */
} rule;

/* In the order of HCBR_I_SEPARATORS. Bars and semicolons have hardly any other use; commas and
 * slashes do. */
static const rule rules[] = {{'|', 10, 70, 50, 0, 4},
                             {';', 30, 60, 30, 0, 4},
                             {',', 30, 50, 25, 0, 10},
                             {'/', 25, 50, 20, 8, 10}};

/** The figures of a separator in the sample. */
typedef struct seen {
    uint32_t values, with, parts, different, words;
    uint32_t fewest, most; /**< parts of a value */
    uint32_t blanks;       /**< separators with a blank next to them */
    uint32_t broken;       /**< parts with one of two parentheses: the separator is inside */
    uint64_t table[TABLE];
} seen;

static void add_part(seen *s, const char *text, const char *end) {
    bool letter = false;
    hcbr_i_trim(&text, &end);
    if (text == end)
        return;
    size_t length = (size_t)(end - text);
    s->parts++;
    s->broken += (memchr(text, '(', length) == NULL) != (memchr(text, ')', length) == NULL);
    for (const char *p = text; p <= end; p++) {
        bool blank = p == end || *p == ' ';
        s->words += blank && letter;
        letter = !blank && (letter || !hcbr_i_ascii_digit(*p));
    }
    uint64_t hash = hcbr_i_value_hash(text, length) | 1;
    size_t slot = (size_t)(hash >> 32) % TABLE;
    while (s->table[slot] != 0 && s->table[slot] != hash)
        slot = (slot + 1) % TABLE;
    s->different += s->table[slot] == 0;
    s->table[slot] = hash;
}

static void add_value(seen *s, const hcbr_i_sampled *value, char separator) {
    bool cut = value->length > HCBR_I_SAMPLE_TEXT;
    const char *p = value->text, *end = p + (cut ? HCBR_I_SAMPLE_TEXT : value->length), *next;
    uint32_t parts = 0;
    s->values++;
    for (;; p = next + 1, parts++) {
        next = memchr(p, separator, (size_t)(end - p));
        if (next == NULL && cut)
            break; /* an incomplete part */
        add_part(s, p, next ? next : end);
        if (next == NULL) {
            parts++;
            break;
        }
        s->blanks += (next + 1 < end && next[1] == ' ') || (next > value->text && next[-1] == ' ');
    }
    s->with += parts > 1;
    s->fewest = parts < s->fewest ? parts : s->fewest;
    s->most = parts > s->most ? parts : s->most;
}

static size_t kept(const hcbr_i_sampled *value) {
    return value->length < HCBR_I_SAMPLE_TEXT ? value->length : HCBR_I_SAMPLE_TEXT;
}

/* The values of the sample that do not mean missing; returns their number. */
static size_t find_values(const hcbr_i_sampled **out, const hcbr_i_tally *c) {
    const hcbr_i_sample *sample = &c->different;
    size_t count = 0;
    for (size_t i = 0; i < sample->count; i++) {
        const hcbr_i_sampled *value = hcbr_i_sample_get(sample, i);
        if (!hcbr_i_says_missing(c->listed, value->text, kept(value)))
            out[count++] = value;
    }
    return count;
}

/* Whether the sample obeys the rule. The sample is cut so that the hashes of its parts fit the
 * table. */
static bool fits(seen *s, const hcbr_i_sampled *const *values, size_t count, const rule *r) {
    size_t with = 0;
    for (size_t i = 0; i < count; i++)
        with += memchr(values[i]->text, r->separator, kept(values[i])) != NULL;
    if (with * 100 < count * r->least_with) /* nearly all columns end here */
        return false;
    memset(s, 0, sizeof *s);
    s->fewest = UINT32_MAX;
    for (size_t i = 0; i < count && s->parts < TABLE / 2; i++)
        add_value(s, values[i], r->separator);
    return s->values >= r->values && s->values >= LEAST_VALUES && s->fewest < s->most &&
           s->broken * 5 <= s->parts && s->with * 100 >= s->values * r->least_with &&
           s->parts > s->values && s->different * 100 <= s->parts * r->most_parts &&
           s->words * 10 <= s->parts * r->most_words && s->words * 10 >= s->parts * r->least_words;
}

bool hcbr_i_judge_set(hcbr_i_kind *out, const hcbr_i_tally *c) {
    const hcbr_i_sampled *values[HCBR_I_SAMPLE_MOST];
    if (c->separators == 0) /* many columns end here */
        return false;
    const size_t count = find_values(values, c);
    seen s;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (c->separators >> i & 1 && fits(&s, values, count, rules + i)) {
            out->kind = HCBR_I_KIND_SET;
            out->separator = rules[i].separator;
            out->trimmed = s.blanks > 0;
            return true;
        }
    return false;
}
