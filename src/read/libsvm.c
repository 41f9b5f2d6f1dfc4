/*
 * Lines of LIBSVM: a label, then `id:value` or bare `id` tokens; `#` begins a comment.
 *
 * Nearly every token of real files is `digits:1`. ids_of_one() packs those directly from the words
 * of the buffer; anything else goes to token(), which is complete and strict. Invariant: both give
 * the same name for the same token, and equal features have equal text: ids lose their leading
 * zeros, values are written as hcbr_number_format() writes them. Ids are text and are never
 * converted to numbers.
 */
#include "read/lane.h"

#define HIGH HCBR_I_EACH(0x80)

static inline bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/**
 * The high bit of the first byte that is not a digit (bits above it have no meaning), 0 if all are.
 */
static inline uint64_t no_digits(uint64_t word) {
    uint64_t t = word ^ HCBR_I_EACH('0');
    return ((t + HCBR_I_EACH(0x76)) | t) & HIGH;
}

/** The same for the first word of an id, in which a first digit 0 does not count: both sums are
 * right up to the first byte that is not a digit, since none before it borrows or carries. */
static inline uint64_t no_id_digits(uint64_t word) {
    return ((word + HCBR_I_EACH(0x80 - ':')) | (word - HCBR_I_EACH('0') - 1)) & HIGH;
}

/** The bytes that may follow the digits of an id in a plain token, as three bytes. */
#define ONE_THEN(end) ((uint32_t)':' | (uint32_t)'1' << 8 | (uint32_t)(end) << 16)

static inline uint32_t load3(const char *at) {
    return (uint32_t)(hcbr_i_load64(at) & 0xFFFFFF);
}

/** The tag of a name of `digits` digits with a value of one byte, in place. */
#define TAG(digits) (((uint64_t)(digits) | 0x20) << 56)

/**
 * The name of an id that ends in this word, its `:` made the value `1`.
 *
 * @param stop no_digits() of the word; its lowest bit is the high one of the `:`.
 * @param bit  number of that bit.
 */
static inline uint64_t with_one(uint64_t word, uint64_t stop, unsigned bit) {
    const uint64_t flip = (uint64_t)(':' ^ '1') << 57; // turned by bit - 7 + 64 places: at the `:`

    return (word & (stop ^ (stop - 1))) ^ (flip << bit | flip >> (64 - bit));
}

/** The destination of tokens: one of the two, advanced past the additions. */
typedef struct sink {
    hcbr_i_name *names;
    uint32_t *numbers;
} sink;

/**
 * Pack `id:1` tokens as long as they have this form: an id of at most 13 digits (7 in a numeric
 * block) without a leading zero, `:1`, one blank, tab or the end of the line.
 *
 * @param out   receives them; there must be room for every token of the line.
 * @param numeric as the block is; known when this is compiled.
 * @param at    first byte of a token; moved to the first byte that was not understood.
 * @return whether the line is at its end.
 */
static inline __attribute__((always_inline)) bool ids_of_one(sink *out, bool numeric,
                                                             const char **at) {
    sink to = *out;
    const char *s = *at;
    bool end = false;
    for (;;) {
        uint64_t word = hcbr_i_load64(s), stop = no_id_digits(word), low, high;
        size_t digits = 8;
        if (HCBR_I_UNLIKELY((stop & 0x80) != 0)) // there is no digit from 1 to 9
            break;
        if (HCBR_I_LIKELY(stop != 0)) {
            unsigned bit = (unsigned)__builtin_ctzll(stop);
            digits = bit >> 3;
            low = numeric ? hcbr_i_digits_value(word, 71 - bit) : with_one(word, stop, bit);
            // The bit is 8 * digits + 7: in place it is the number of digits and seven eighths.
            high = ((uint64_t)bit << 53) + (TAG(0) - (UINT64_C(7) << 53));
        } else if (numeric) {
            break;
        } else {
            low = word;
            high = TAG(8) | '1';
            if (s[8] != ':') {
                uint64_t more = hcbr_i_load64(s + 8);

                // Of the second word at most 5 bytes belong to an id of 13 digits.
                stop = no_digits(more) & UINT64_C(0x0000808080808080);
                if (stop == 0)
                    break;
                unsigned bit = (unsigned)__builtin_ctzll(stop);
                digits = 8 + (bit >> 3);
                high = with_one(more, stop, bit) | TAG(digits);
            }
        }
        uint32_t tail = load3(s + digits);
        if (HCBR_I_UNLIKELY(tail != ONE_THEN(' '))) {
            end = tail == ONE_THEN('\n') || (tail == ONE_THEN('\r') && s[digits + 3] == '\n');
            if (!end && tail != ONE_THEN('\t'))
                break;
        }
        if (numeric)
            *to.numbers++ = (uint32_t)low;
        else
            *to.names++ = (hcbr_i_name){low, high};
        s += digits + 3;
        if (HCBR_I_UNLIKELY(tail != ONE_THEN(' ')) && end)
            break;
    }
    *out = to;
    *at = s;
    return end;
}

/**
 * Whether the text is the number as hcbr_number_format() would write it. true only if that is
 * obvious: digits, perhaps a point and digits, at most 15 in all. Two different decimals of 15
 * digits are never the same double, so the shortest text of such a number is its own, without
 * needless zeros.
 */
static bool is_canonical(const char *text, size_t length) {
    size_t i = 0, point;
    if (length == 0 || length > 16)
        return false;
    while (i < length && hcbr_i_is_digit(text[i]))
        i++;
    if (i == 0 || (text[0] == '0' && i > 1))
        return false;
    if (i == length)
        return length <= 15;
    if (text[i] != '.')
        return false;
    for (point = i++; i < length && hcbr_i_is_digit(text[i]);)
        i++;
    if (i < length || i == point + 1 || text[length - 1] == '0')
        return false;
    // Below 0.01 the notation may change: leave those to the slow path.
    return text[0] != '0' || length == 3 || text[2] != '0' || text[3] != '0';
}

/** HCBR_EDATA with its place if a token holds bytes that are not allowed. */
static hcbr_status check_token(hcbr_i_parser *p, const char *at, size_t length, hcbr_error *err) {
    hcbr_status st = hcbr_i_parser_check(p, at, length, err);
    const char *cr = memchr(at, '\r', length);
    if (st == HCBR_OK && cr != NULL)
        return hcbr_i_parser_fail(p, cr, err,
                                  "found a carriage return, expected it only before a newline");
    return st;
}

/**
 * The value of a token in its shortest form; *text and *length are changed if that differs.
 * HCBR_EDATA if it is not a finite number.
 */
static hcbr_status shorten(hcbr_i_parser *p, const char **text, size_t *length, hcbr_error *err) {
    char number[HCBR_NUMBER_SIZE], quoted[200], *copy;
    double value;
    size_t size;
    hcbr_status st;
    if (is_canonical(*text, *length))
        return HCBR_OK;
    if (!hcbr_number_parse(&value, *text, *length)) {
        if ((st = check_token(p, *text, *length, err)) != HCBR_OK)
            return st;
        return hcbr_i_parser_fail(p, *text, err, "found %s as a value, expected a finite number",
                                  hcbr_i_quote(quoted, *text, *length));
    }
    if (value == 0)
        value = 0; // minus zero is zero
    size = hcbr_number_format(number, value);
    if (size == *length && memcmp(number, *text, size) == 0)
        return HCBR_OK;
    copy = hcbr_i_arena_copy(&p->block->arena, number, size);
    if (copy == NULL)
        return hcbr_i_no_memory(err);
    *text = copy;
    *length = size;
    return HCBR_OK;
}

static hcbr_status bad_token(hcbr_i_parser *p, const char *at, size_t length, hcbr_error *err) {
    char quoted[200];
    hcbr_status st = check_token(p, at, length, err);
    if (st != HCBR_OK)
        return st;
    if (length >= 4 && memcmp(at, "qid:", 4) == 0)
        return hcbr_i_parser_fail(p, at, err,
                                  "found %s: query ids are not supported, expected id:value",
                                  hcbr_i_quote(quoted, at, length));
    return hcbr_i_parser_fail(p, at, err, "found %s, expected id:value with an id of digits",
                              hcbr_i_quote(quoted, at, length));
}

/** Any token: check it completely and add its feature. */
static hcbr_status token(hcbr_i_parser *p, const char *at, const char *end, hcbr_error *err) {
    const char *id = at, *colon, *value = "1";
    size_t length = 1;
    for (colon = at; colon < end && hcbr_i_is_digit(*colon);)
        colon++;
    if (colon == at || (colon < end && *colon != ':'))
        return bad_token(p, at, (size_t)(end - at), err);
    while (id < colon - 1 && *id == '0')
        id++;
    if (colon < end) {
        hcbr_status st;
        value = colon + 1;
        length = (size_t)(end - value);
        if ((st = shorten(p, &value, &length, err)) != HCBR_OK)
            return st;
    }
    return hcbr_i_block_add(p->block, id, (size_t)(colon - id), value, length)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

/** The label, if the line has one; *at is moved after it. */
static hcbr_status take_label(hcbr_i_parser *p, const char **at, const char *end, hcbr_error *err) {
    const char *token_end = *at, *label = *at;
    bool colon = false, comma = false, odd = false;
    char quoted[200];
    hcbr_status st;

    // Most labels are short and plain, and end at a blank.
    while (token_end < end && (unsigned char)*token_end > ',' && (unsigned char)*token_end < ':')
        token_end++;
    for (; token_end < end && !is_blank(*token_end); token_end++) {
        unsigned char c = (unsigned char)*token_end;
        colon = colon || c == ':';
        comma = comma || c == ',';
        odd = odd || c < ' ' || c >= 0x80;
    }
    size_t length = (size_t)(token_end - label);
    if (odd && (st = hcbr_i_parser_check(p, label, length, err)) != HCBR_OK)
        return st;
    if (odd && memchr(label, '\r', length) != NULL)
        return bad_token(p, label, length, err);
    if (comma)
        return hcbr_i_parser_fail(p, label, err,
                                  "found %s, expected one label without a comma (csv, or several "
                                  "labels of a case?)",
                                  hcbr_i_quote(quoted, label, length));
    if (colon && length >= 4 && memcmp(label, "qid:", 4) == 0)
        return bad_token(p, label, length, err);
    if (colon) {
        if (!p->labelled)
            return HCBR_OK;
        return hcbr_i_parser_fail(p, label, err, "found %s, expected a label before the features",
                                  hcbr_i_quote(quoted, label, length));
    }
    *at = token_end;
    p->label = (hcbr_i_text){label, length};
    if (HCBR_I_LIKELY(length > 0 && !hcbr_i_parser_is_na(p, label, length)))
        return HCBR_OK;
    return hcbr_i_parser_take_label(p, label, label, length, err);
}

/**
 * Add plain tokens to the block; *at is moved to the first byte that was not understood.
 *
 * @param done receives whether the line is at its end.
 * @return false: out of memory.
 */
static inline bool take_plain(hcbr_i_block *block, const char **at, const char *end, bool *done) {
    // Each token has two bytes at least, its blank among them: room for all that may come.
    size_t need = block->name_count + (size_t)(end - *at) / 2 + 1;
    sink out;
    if (HCBR_I_UNLIKELY(block->numeric)) {
        if (!hcbr_i_grow(&block->numbers, &block->number_capacity, need + HCBR_I_AHEAD,
                         sizeof *block->numbers))
            return false;
        out.numbers = block->numbers + block->name_count;
        *done = ids_of_one(&out, true, at);
        block->name_count = (size_t)(out.numbers - block->numbers);
        return true;
    }
    if (!hcbr_i_grow(&block->names, &block->name_capacity, need, sizeof *block->names))
        return false;
    out.names = block->names + block->name_count;
    *done = ids_of_one(&out, false, at);
    block->name_count = (size_t)(out.names - block->names);
    return true;
}

/** The features from `at` to the end of the line. */
static hcbr_status take_features(hcbr_i_parser *p, const char *at, const char *end,
                                 hcbr_error *err) {
    hcbr_i_block *block = p->block;
    for (;;) {
        const char *token_end;
        hcbr_status st;
        bool done;
        while (at < end && is_blank(*at))
            at++;
        if (at == end)
            return HCBR_OK;
        if (!take_plain(block, &at, end, &done))
            return hcbr_i_no_memory(err);
        if (done)
            return HCBR_OK;
        if (at == end || is_blank(*at))
            continue;
        if (*at == '#')
            return hcbr_i_parser_check(p, at, (size_t)(end - at), err);
        for (token_end = at; token_end < end && !is_blank(*token_end);)
            token_end++;
        if ((st = token(p, at, token_end, err)) != HCBR_OK)
            return st;
        at = token_end;
    }
}

static hcbr_status record(hcbr_i_parser *p, const char *line, const char *newline,
                          hcbr_error *err) {
    const char *at = line, *end = newline;
    size_t first = p->block->name_count;
    hcbr_status st;
    if (end > line && end[-1] == '\r')
        end--;
    while (at < end && is_blank(*at))
        at++;
    if (*at == '#') {
        p->no_row = true;
        return hcbr_i_parser_check(p, at, (size_t)(end - at), err);
    }
    if (p->block->case_count == 0 && first == 0)
        p->block->numeric =
            p->numeric && p->names == NULL && p->joins == NULL && p->ignore_count == 0;
    if ((st = take_label(p, &at, end, err)) != HCBR_OK ||
        (st = take_features(p, at, end, err)) != HCBR_OK)
        return st;
    if (p->names != NULL && (st = hcbr_i_names_apply(p, first, err)) != HCBR_OK)
        return st;
    if (p->ignore_count > 0)
        hcbr_i_parser_drop_ignored(p, first);
    return HCBR_OK;
}

/* ---- the format ------------------------------------------------------------------------------ */

static bool is_space(char c) {
    return is_blank(c) || c == '\r';
}

/** Whether the token is digits, or digits:number. *pair: the latter. */
static bool is_feature(const char *token, size_t length, bool *pair) {
    size_t digits = 0;
    double value;
    while (digits < length && hcbr_i_is_digit(token[digits]))
        digits++;
    *pair = digits > 0 && digits < length && token[digits] == ':' &&
            hcbr_number_parse(&value, token + digits + 1, length - digits - 1);
    return *pair || (digits > 0 && digits == length);
}

/** All tokens except a first one without comma are features, and at least one token is a pair. */
static bool looks_like_libsvm(const char *line, size_t length, int delimiter) {
    const char *at = line, *end = line + length;
    bool first = true, any = false;
    (void)delimiter;
    if (*line == '[') // a list
        return false;
    for (;;) {
        const char *token;
        bool pair, feature;
        while (at < end && is_space(*at))
            at++;
        if (at == end || *at == '#')
            return any;
        for (token = at; at < end && !is_space(*at);)
            at++;
        feature = is_feature(token, (size_t)(at - token), &pair);
        if (!feature && (!first || memchr(token, ',', (size_t)(at - token)) != NULL))
            return false;
        any = any || pair;
        first = false;
    }
}

/** The colon may be of a time of day in one of several fields. */
static bool may_be_header(const char *line, size_t length, char delimiter) {
    return !is_blank(delimiter) && memchr(line, delimiter, length) != NULL;
}

/** Tabs are allowed, and a comma may be a decimal one: only a token is wrong. */
static bool suits(const char *line, size_t length, const hcbr_i_format *looks) {
    return looks->has_columns && memchr(line, ':', length) != NULL;
}

const hcbr_i_format hcbr_i_format_libsvm = {.id = HCBR_FORMAT_LIBSVM,
                                            .name = "libsvm",
                                            .endings = {"libsvm", "svm"},
                                            .unnamed = true,
                                            .has_ids = true,
                                            .has_values = true,
                                            .looks = looks_like_libsvm,
                                            .may_be_header = may_be_header,
                                            .suits = suits,
                                            .parse = hcbr_i_lane_lines,
                                            .record = record};
