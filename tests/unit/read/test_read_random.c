// Random files: csv and libsvm against naive parsers written for these tests alone, any bytes in
// any format, and always the same outcome whether the bytes come at once or one by one.
#include "read_support.h"
#include "rounds.h"

#define FILES 2500

/* ---- a naive csv parser ---------------------------------------------------------------------- */

typedef struct cell {
    char bytes[200];
    size_t length, at; // where it stands in the file
} cell;

typedef struct naive {
    const char *s;
    size_t n, at, line_of_record;
    cell cells[40];
    size_t count, error; // error: 1 + offset of what is wrong, 0 if nothing is
} naive;

static size_t line_of(const char *s, size_t at) {
    size_t line = 1;

    for (size_t i = 0; i < at; i++)
        line += s[i] == '\n';
    return line;
}

static void print_place(text *out, const char *s, size_t at) {
    size_t start = at;

    while (start > 0 && s[start - 1] != '\n')
        start--;
    if (start == 0 && memcmp(s, "\xEF\xBB\xBF", 3) == 0)
        start = 3; // the mark is no column
    text_print(out, "EDATA %zu:%zu\n", line_of(s, at), at - start + 1);
}

/** Bytes of the character at s by the definition of UTF-8; 0 if there is none, or NUL. */
static size_t character(const char *s, size_t n) {
    static const uint32_t least[] = {0, 1, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)s[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);

    if (length == 0 || lead > 0xF7 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)s[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)s[i] & 0x3F);
    }
    if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    return code == 0xFEFF ? 0 : length; // nor a byte order mark
}

/** Offset of the first byte no text may have, or end. */
static size_t bad_byte(const char *s, size_t from, size_t end) {
    size_t i = from;

    while (i < end && character(s + i, end - i) > 0)
        i += character(s + i, end - i);
    return i;
}

static bool at_end_of_line(const naive *f, size_t i) {
    return i >= f->n || f->s[i] == '\n' ||
           (f->s[i] == '\r' && (i + 1 >= f->n || f->s[i + 1] == '\n'));
}

/** One cell at f->at, which is moved behind it. */
static void naive_cell(naive *f, char delimiter) {
    cell *c = &f->cells[f->count++];
    size_t i = f->at, from, end;

    c->length = 0;
    c->at = i;
    if (i < f->n && f->s[i] == '"') {
        from = ++i;
        for (;; i++) {
            if (i >= f->n) {
                f->error = c->at + 1;
                return;
            }
            if (f->s[i] == '"') {
                if (i + 1 >= f->n || f->s[i + 1] != '"')
                    break;
                i++;
            }
            c->bytes[c->length++] = f->s[i];
        }
        end = i++;
        if (!at_end_of_line(f, i) && f->s[i] != delimiter) {
            f->error = i + 1;
            return;
        }
    } else {
        from = i;
        for (; !at_end_of_line(f, i) && f->s[i] != delimiter; i++) {
            if (f->s[i] == '"' || f->s[i] == '\r') {
                f->error = i + 1;
                return;
            }
            c->bytes[c->length++] = f->s[i];
        }
        end = i;
    }
    if (bad_byte(f->s, from, end) < end)
        f->error = bad_byte(f->s, from, end) + 1;
    f->at = i;
}

static bool cell_is(const cell *c, const char *wanted) {
    return c->length == strlen(wanted) && memcmp(c->bytes, wanted, c->length) == 0;
}

static bool cell_is_missing(const cell *c) {
    return c->length == 0 || cell_is(c, "?") || cell_is(c, "NA") || cell_is(c, "NaN") ||
           cell_is(c, "null");
}

/** Go on at the next record; false at the end of the file. */
static bool naive_next(naive *f) {
    for (;;) {
        if (f->at >= f->n)
            return false;
        if (!at_end_of_line(f, f->at))
            break;
        f->at += f->s[f->at] == '\r' && f->at + 1 < f->n ? 2 : 1;
    }
    f->count = 0;
    f->line_of_record = line_of(f->s, f->at);
    return true;
}

static void naive_end_of_line(naive *f) {
    if (f->at < f->n && f->s[f->at] == '\r')
        f->at++;
    f->at++;
}

/** The columns; returns the label's. On an error f->error is set. */
static size_t naive_header(naive *f, cell *columns, size_t *count, char delimiter) {
    static const char *const names[] = {"label", "y", "class", "target", "outcome"};
    size_t start = f->at, best = SIZE_MAX;

    for (;; f->at++) {
        naive_cell(f, delimiter);
        if (f->error)
            return 0;
        if (at_end_of_line(f, f->at))
            break;
    }
    *count = f->count;
    for (size_t i = 0; i < f->count; i++) {
        columns[i] = f->cells[i];
        if (columns[i].length == 0)
            columns[i].length = (size_t)sprintf(columns[i].bytes, "%zu", i + 1);
        for (size_t k = 0; k < i; k++)
            if (columns[k].length == columns[i].length &&
                !memcmp(columns[k].bytes, columns[i].bytes, columns[i].length)) {
                f->error = columns[i].at + 1;
                return 0;
            }
    }
    for (size_t k = 0; k < 5 && best == SIZE_MAX; k++)
        for (size_t i = 0; i < f->count; i++)
            if (cell_is(&columns[i], names[k]))
                best = i;
    if (best == SIZE_MAX)
        f->error = start + 1;
    return best;
}

/** A row after the header; its line in out, or f->error. */
static void naive_row(text *out, naive *f, const cell *columns, size_t count, size_t label,
                      char delimiter, size_t row) {
    text features = {NULL, 0, 0};

    for (;;) {
        const cell *c = &f->cells[f->count];

        naive_cell(f, delimiter);
        if (!f->error && f->count - 1 == label && cell_is_missing(c))
            f->error = c->at + 1;
        if (f->error)
            break;
        if (f->count - 1 != label && !cell_is_missing(c)) {
            text_add(&features, " ", 1);
            text_add(&features, columns[f->count - 1].bytes, columns[f->count - 1].length);
            text_add(&features, "=", 1);
            text_add(&features, c->bytes, c->length);
        }
        if (at_end_of_line(f, f->at)) {
            if (f->count < count)
                f->error = f->at + 1;
            break;
        }
        f->at++;
        if (f->count == count) {
            f->error = f->at + 1;
            break;
        }
    }
    if (!f->error) {
        text_print(out, "%zu@%zu ", row, f->line_of_record);
        text_add(out, f->cells[label].bytes, f->cells[label].length);
        text_add(out, features.at, features.length);
        text_add(out, "\n", 1);
    }
    text_free(&features);
}

static void naive_csv(text *out, const char *s, size_t n, char delimiter) {
    static naive f;
    static cell columns[40];
    size_t count = 0, label, row = 0;

    f = (naive){.s = s, .n = n};
    if (n >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0)
        f.at = 3;
    text_add(out, "", 0);
    if (!naive_next(&f)) {
        text_print(out, "EDATA\n");
        return;
    }
    label = naive_header(&f, columns, &count, delimiter);
    while (!f.error) {
        naive_end_of_line(&f);
        if (!naive_next(&f))
            break;
        naive_row(out, &f, columns, count, label, delimiter, ++row);
    }
    if (f.error)
        print_place(out, s, f.error - 1);
    else if (row == 0)
        text_print(out, "EDATA\n");
}

/* ---- random csv ------------------------------------------------------------------------------ */

static void draw_value(text *out, uint64_t *seed, char delimiter) {
    static const char *const pieces[] = {
        "a",        "bc",           "7", "n",  "N",  "?",    "NA", " ", "=",
        "\xC3\xA9", "\xE2\x82\xAC", "-", "\t", "x1", "\x1F", "|",  ";", "null"};
    size_t parts = draw(seed, 5) == 0 ? draw(seed, 12) : draw(seed, 4);
    bool quoted = draw(seed, 3) == 0;
    text value = {NULL, 0, 0};

    text_add(&value, "", 0);
    for (size_t i = 0; i < parts; i++) {
        const char *piece = pieces[draw(seed, sizeof pieces / sizeof *pieces)];

        if (quoted && draw(seed, 4) == 0)
            piece = draw(seed, 3) == 0 ? "\"\"" : draw(seed, 2) == 0 ? "\n" : "\r\n,";
        if (!quoted && *piece == delimiter)
            piece = "z";
        text_add(&value, piece, strlen(piece));
    }
    text_print(out, quoted ? "\"%s\"" : "%s", value.at);
    text_free(&value);
}

static void draw_csv(text *out, uint64_t *seed, char delimiter) {
    size_t columns = 1 + draw(seed, 5), rows = draw(seed, 8), label = draw(seed, columns);
    bool crlf = draw(seed, 2) == 0;

    if (draw(seed, 4) == 0)
        text_add(out, "\xEF\xBB\xBF", 3);
    for (size_t r = 0; r <= rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            if (c > 0)
                text_add(out, &delimiter, 1);
            if (r == 0)
                text_print(out,
                           c == label      ? "label"
                           : draw(seed, 3) ? "k%zu"
                                           : "a long name %zu",
                           c);
            else if (c == label)
                text_print(out, "L%d", (int)draw(seed, 3));
            else
                draw_value(out, seed, delimiter);
        }
        if (r < rows || draw(seed, 2) == 0)
            text_add(out, crlf ? "\r\n" : "\n", crlf ? 2 : 1);
        if (draw(seed, 10) == 0)
            text_add(out, "\n", 1);
    }
}

/** Spoil some bytes. */
static void spoil(text *file, uint64_t *seed, const char *bytes, size_t count) {
    for (size_t k = 1 + draw(seed, 3); k > 0 && file->length > 0; k--) {
        size_t at = draw(seed, file->length);

        if (draw(seed, 3) == 0) { // take one out
            memmove(file->at + at, file->at + at + 1, file->length - at);
            file->length--;
        } else {
            file->at[at] = bytes[draw(seed, count)];
        }
    }
}

static void compare(const char *format, uint64_t seed, const text *file, const text *wanted,
                    const text *found) {
    if (wanted->length == found->length && memcmp(wanted->at, found->at, found->length) == 0)
        return;
    print_message("%s, seed %llu\n--- file\n%.*s\n--- wanted\n%s\n--- found\n%s\n", format,
                  (unsigned long long)seed, (int)file->length, file->at, wanted->at, found->at);
    fail();
}

static void random__csv_is_read_as_a_naive_parser_does(void **state) {
    static const char odd[] = "\"\",,\n\r\0\xFFx;\t";

    (void)state;
    for (uint64_t number = 1; number <= test_rounds(FILES); number++) {
        uint64_t seed = number * 7919;
        bool tsv = draw(&seed, 4) == 0;
        job j = job_make(tsv ? ".tsv" : ".csv", true);
        text file = {NULL, 0, 0}, wanted = {NULL, 0, 0}, found = {NULL, 0, 0};

        draw_csv(&file, &seed, tsv ? '\t' : ',');
        if (draw(&seed, 2) == 0)
            spoil(&file, &seed, odd, sizeof odd - 1);
        j.brief = true;
        j.options.format = tsv ? HCBR_FORMAT_TSV : HCBR_FORMAT_CSV;
        naive_csv(&wanted, file.at, file.length, tsv ? '\t' : ',');
        read_bytes(&found, file.at, file.length, &j);
        compare("csv at once", number, &file, &wanted, &found);
        text_free(&found);
        j.numeric = true;
        read_bytes(&found, file.at, file.length, &j);
        compare("csv in codes", number, &file, &wanted, &found);
        text_free(&found);
        j.numeric = number % 2 == 0;
        j.packets = 1 + (number % 4 == 0 ? draw(&seed, 9) : 0);
        read_bytes(&found, file.at, file.length, &j);
        compare("csv in packets", number, &file, &wanted, &found);
        text_free(&file);
        text_free(&wanted);
        text_free(&found);
    }
}

/* ---- libsvm ---------------------------------------------------------------------------------- */

/** Is [s, s + n) a decimal number, by a plain reading of the rule? */
static bool is_number(const char *s, size_t n) {
    size_t i = 0, digits = 0, exponent = 0;

    if (i < n && (s[i] == '+' || s[i] == '-'))
        i++;
    for (; i < n && strchr("0123456789", s[i]) && s[i]; i++)
        digits++;
    if (i < n && s[i] == '.')
        for (i++; i < n && strchr("0123456789", s[i]) && s[i]; i++)
            digits++;
    if (digits == 0)
        return false;
    if (i == n)
        return true;
    if (s[i] != 'e' && s[i] != 'E')
        return false;
    i++;
    if (i < n && (s[i] == '+' || s[i] == '-'))
        i++;
    for (; i < n && strchr("0123456789", s[i]) && s[i]; i++)
        exponent++;
    return exponent > 0 && i == n;
}

/** The feature of a token in out; else *wrong receives where in the token it is wrong. */
static bool naive_token(text *out, const char *t, size_t n, size_t *wrong) {
    char copy[400], number[HCBR_NUMBER_SIZE] = "1";
    size_t digits = 0, zeros = 0, bad = bad_byte(t, 0, n);
    const char *cr = memchr(t, '\r', n);

    while (digits < n && t[digits] >= '0' && t[digits] <= '9')
        digits++;
    if (digits == 0 || (digits < n && t[digits] != ':')) {
        *wrong = bad < n ? bad : cr != NULL ? (size_t)(cr - t) : 0;
        return false;
    }
    if (digits < n) {
        double value;

        *wrong = bad < n ? bad : cr != NULL ? (size_t)(cr - t) : digits + 1;
        if (!is_number(t + digits + 1, n - digits - 1))
            return false;
        memcpy(copy, t + digits + 1, n - digits - 1);
        copy[n - digits - 1] = '\0';
        value = strtod(copy, NULL);
        if (value > 1.7976931348623157e308 || value < -1.7976931348623157e308)
            return false;
        hcbr_number_format(number, value == 0 ? 0 : value);
    }
    while (zeros + 1 < digits && t[zeros] == '0')
        zeros++;
    text_print(out, " %.*s=%s", (int)(digits - zeros), t + zeros, number);
    return true;
}

/** A line without its end. Returns whether it is a row; *wrong: 1 + offset of an error, or 0. */
static bool naive_line(text *out, const char *s, size_t n, size_t *wrong) {
    bool first = true;

    *wrong = 0;
    for (size_t i = 0; i < n;) {
        size_t end, place;

        if (s[i] == ' ' || s[i] == '\t') {
            i++;
            continue;
        }
        if (s[i] == '#') {
            if (bad_byte(s, i, n) < n)
                *wrong = bad_byte(s, i, n) + 1;
            return !first;
        }
        for (end = i; end < n && s[end] != ' ' && s[end] != '\t';)
            end++;
        if (first) {
            char label[400];

            memcpy(label, s + i, end - i);
            label[end - i] = '\0';
            if (bad_byte(s, i, end) < end)
                *wrong = bad_byte(s, i, end) + 1;
            else if (strchr(label, '\r'))
                *wrong = i + (size_t)(strchr(label, '\r') - label) + 1;
            else if (strpbrk(label, ",:") || !strcmp(label, "?") || !strcmp(label, "NA"))
                *wrong = i + 1;
            if (*wrong)
                return true;
            text_print(out, "%s", label);
            first = false;
        } else if (!naive_token(out, s + i, end - i, &place)) {
            *wrong = i + place + 1;
            return true;
        }
        i = end;
    }
    return !first;
}

static void naive_libsvm(text *out, const char *s, size_t n) {
    size_t at = n >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0, row = 0;

    text_add(out, "", 0);
    for (size_t end; at < n; at = end + 1) {
        text line = {NULL, 0, 0};
        size_t length, wrong;
        bool is_row;

        for (end = at; end < n && s[end] != '\n';)
            end++;
        length = end - at - (end > at && s[end - 1] == '\r');
        is_row = naive_line(&line, s + at, length, &wrong);
        if (is_row && !wrong) {
            text_print(out, "%zu@%zu ", ++row, line_of(s, at));
            text_add(out, line.at, line.length);
            text_add(out, "\n", 1);
        }
        text_free(&line);
        // A line of blanks and returns is blank, wherever the returns stand.
        for (size_t i = at; wrong && i <= end; i++) {
            if (i == end || s[i] == '\n')
                wrong = 0;
            else if (s[i] != ' ' && s[i] != '\t' && s[i] != '\r')
                break;
        }
        if (wrong) {
            print_place(out, s, at + wrong - 1);
            return;
        }
    }
    if (row == 0)
        text_print(out, "EDATA\n");
}

static void draw_libsvm(text *out, uint64_t *seed) {
    static const char *const values[] = {"1",    "1",  "1",   "1",     "0",
                                         "2.50", "-3", "1e3", "0.125", "7"};
    size_t rows = draw(seed, 8);

    if (draw(seed, 4) == 0)
        text_add(out, "\xEF\xBB\xBF", 3);
    for (size_t r = 0; r <= rows; r++) {
        text_print(out, "%s%s", draw(seed, 9) ? "" : " \t", draw(seed, 2) ? "+1" : "caf\xC3\xA9");
        for (size_t k = draw(seed, 9); k > 0; k--) {
            text_print(out, "%s", draw(seed, 8) ? " " : "\t ");
            for (size_t d = draw(seed, 6) ? 1 + draw(seed, 9) : 1 + draw(seed, 20); d > 0; d--)
                text_print(out, "%d", (int)draw(seed, 10));
            if (draw(seed, 8))
                text_print(out, ":%s", values[draw(seed, sizeof values / sizeof *values)]);
        }
        if (draw(seed, 8) == 0)
            text_print(out, " # 3:1 words");
        if (draw(seed, 8) == 0)
            text_print(out, " ");
        if (r < rows || draw(seed, 2))
            text_print(out, draw(seed, 3) ? "\n" : "\r\n");
        if (draw(seed, 8) == 0)
            text_print(out, draw(seed, 2) ? "# words\n" : " \t\r\n");
    }
}

static void random__libsvm_is_read_as_a_naive_parser_does(void **state) {
    static const char odd[] = " :\t1.x#,-\r\n\0\xFF"
                              "9e";

    (void)state;
    for (uint64_t number = 1; number <= test_rounds(FILES); number++) {
        uint64_t seed = number * 104729;
        job j = job_make(".svm", true);
        text file = {NULL, 0, 0}, wanted = {NULL, 0, 0}, found = {NULL, 0, 0};

        draw_libsvm(&file, &seed);
        if (draw(&seed, 2) == 0)
            spoil(&file, &seed, odd, sizeof odd - 1);
        j.brief = true;
        j.options.format = HCBR_FORMAT_LIBSVM;
        naive_libsvm(&wanted, file.at, file.length);
        read_bytes(&found, file.at, file.length, &j);
        compare("libsvm at once", number, &file, &wanted, &found);
        text_free(&found);
        j.numeric = true;
        read_bytes(&found, file.at, file.length, &j);
        compare("libsvm in numbers", number, &file, &wanted, &found);
        text_free(&found);
        j.packets = 1 + (number % 4 == 0 ? draw(&seed, 9) : 0);
        read_bytes(&found, file.at, file.length, &j);
        compare("libsvm in packets", number, &file, &wanted, &found);
        text_free(&file);
        text_free(&wanted);
        text_free(&found);
    }
}

/* ---- any bytes ------------------------------------------------------------------------------- */

static void draw_bytes(text *out, uint64_t *seed) {
    static const char likely[] = "\"\"\",,,\n\n\r:::1123 4\t#{}[]ax\\-.e\xC3\xA9\xEF\xBB\xBF\0";
    uint64_t kind = draw(seed, 3);

    if (draw(seed, 3) == 0)
        text_print(out, "label,a,b\n");
    for (size_t n = draw(seed, 120); n > 0; n--) {
        char c = kind == 0 ? (char)draw(seed, 256) : likely[draw(seed, sizeof likely - 1)];

        text_add(out, &c, 1);
    }
    text_add(out, "", 0);
}

// Rows are skipped, so that all of the file is read; the words of the warnings count too.
static void random__bytes_of_any_kind_end_the_same_way(void **state) {
    (void)state;
    for (uint64_t number = 1; number <= test_rounds(2 * FILES); number++) {
        uint64_t seed = number * 15485863;
        job j = job_make("", draw(&seed, 2) == 0);
        text file = {NULL, 0, 0}, wanted = {NULL, 0, 0}, found = {NULL, 0, 0};

        draw_bytes(&file, &seed);
        j.options.format = (hcbr_format)draw(&seed, 5);
        j.options.bad_rows = draw(&seed, 4) ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
        j.options.no_header = draw(&seed, 3) == 0;
        j.options.max_line = draw(&seed, 3) ? 1000 : 1 + draw(&seed, 40);
        if (j.options.no_header && draw(&seed, 2))
            j.options.label = "1";
        read_bytes(&wanted, file.at, file.length, &j);
        j.packets = 1 + (number % 2 == 0 ? draw(&seed, 9) : 0);
        j.numeric = draw(&seed, 2) == 0;
        read_bytes(&found, file.at, file.length, &j);
        compare(hcbr_status_name(HCBR_OK), number, &file, &wanted, &found);
        text_free(&file);
        text_free(&wanted);
        text_free(&found);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random__csv_is_read_as_a_naive_parser_does),
        cmocka_unit_test(random__libsvm_is_read_as_a_naive_parser_does),
        cmocka_unit_test(random__bytes_of_any_kind_end_the_same_way),
    };

    print_message("seeds 1 to %u\n", test_rounds(2 * FILES));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
