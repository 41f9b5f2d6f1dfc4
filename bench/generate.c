/*
 * generate KIND T [SEED [LABELS [COLUMNS]]]: data for measurements, on standard output; T is the
 * number of feature occurrences (about), and the same arguments give the same bytes. LABELS (2) and
 * COLUMNS (28) are for `numbers` only.
 *
 *   zipf         LIBSVM; T/20 features by Zipf's law (exponent 1), 20 a case on average
 *   categorical  LIBSVM; 40 columns, 1096 features in all, the frequent ones first in each column
 *   worst        LIBSVM; case i holds features i .. i+10: no two features share an atom
 *   csv          the cases of `categorical` as CSV: 40 columns of words under a header
 *   numbers      CSV; COLUMNS columns of standard normal numbers with 6 digits behind the point
 *
 * A label leans to one side by the features of its case, with noise, so that a classifier finds
 * something to learn and still errs: every feature votes +1 or -1 by a hash of its number. That of
 * `numbers` depends on two products, two thresholds and one column, with noise.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 40
#define FEATURES 1096 /* of `categorical`: 16 columns of 28 values, 24 of 27 */
#define LONGEST 30    /* features in a case of `zipf` */

static uint64_t state;
static uint64_t labels = 2, columns = 28;
static char buffer[1 << 16];
static size_t filled;

static uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static uint64_t draw(void) {
    return mix(state++);
}

/* Uniform in [0, 1). */
static double draw_real(void) {
    return (double)(draw() >> 11) * 0x1p-53;
}

static void flush(void) {
    if (fwrite(buffer, 1, filled, stdout) != filled) {
        perror("generate");
        exit(1);
    }
    filled = 0;
}

static void put_text(const char *text, size_t length) {
    if (filled + length > sizeof buffer) {
        flush();
    }
    memcpy(buffer + filled, text, length);
    filled += length;
}

static void put_number(uint64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    put_text(digits + at, sizeof digits - at);
}

/* The side that the features vote for, in doubt by chance: noise as large as the vote. */
static int label_of(const uint64_t *features, size_t count) {
    double vote = 0;
    for (size_t i = 0; i < count; i++) {
        vote += mix(features[i] * 31 + 7) & 1 ? 1 : -1;
    }
    return vote + (draw_real() - 0.5) * 2 * sqrt((double)count) > 0;
}

static void put_libsvm(const uint64_t *features, size_t count) {
    if (!label_of(features, count)) {
        put_text("-", 1);
    }
    put_text("1", 1);
    for (size_t i = 0; i < count; i++) {
        put_text(" ", 1);
        put_number(features[i]);
        put_text(":1", 2);
    }
    put_text("\n", 1);
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Ranks by Zipf's law are spread over the numbers, so that small numbers are not the frequent ones.
 */
static void zipf(uint64_t total) {
    uint64_t count = total / 20 > LONGEST ? total / 20 : LONGEST;
    uint64_t step = (uint64_t)((double)count * 0.618) | 1;
    for (uint64_t a = step, b = count; b != 0;) { /* until step and count have no common factor */
        uint64_t rest = a % b;
        a = b;
        b = rest;
        if (b == 0 && a != 1) {
            step += 2;
            a = step;
            b = count;
        }
    }
    double scale = log((double)count + 1);
    while (total > 0) {
        uint64_t features[LONGEST];
        size_t want = 10 + draw() % (LONGEST - 9), got = 0;
        want = want < total ? want : total;
        while (got < want) {
            uint64_t rank = (uint64_t)exp(draw_real() * scale) - 1;
            uint64_t feature = (rank < count ? rank : count - 1) * step % count + 1;
            size_t i = 0;
            while (i < got && features[i] != feature) {
                i++;
            }
            if (i == got) {
                features[got++] = feature;
            }
        }
        qsort(features, got, sizeof features[0], by_number);
        put_libsvm(features, got);
        total -= got;
    }
}

/* One feature of each column; the value is the smaller of two draws, so that low ones are frequent.
 */
static void draw_categories(uint64_t features[COLUMNS]) {
    uint64_t first = 1;
    for (size_t c = 0; c < COLUMNS; c++) {
        uint64_t values = FEATURES / COLUMNS + (c < FEATURES % COLUMNS);
        uint64_t a = draw() % values, b = draw() % values;
        features[c] = first + (a < b ? a : b);
        first += values;
    }
}

static void categorical(uint64_t total) {
    uint64_t features[COLUMNS];
    for (uint64_t done = 0; done < total; done += COLUMNS) {
        draw_categories(features);
        put_libsvm(features, COLUMNS);
    }
}

static void worst(uint64_t total) {
    uint64_t features[11];
    for (uint64_t i = 1; i <= total / 11; i++) {
        for (uint64_t k = 0; k < 11; k++) {
            features[k] = i + k;
        }
        put_libsvm(features, 11);
    }
}

/* A pronounceable word of `syllables` syllables that belongs to the number. */
static void put_word(uint64_t number, size_t syllables) {
    static const char first[] = "bdfgklmnprstvz", second[] = "aeiou";
    uint64_t bits = mix(number);
    for (size_t i = 0; i < syllables; i++) {
        put_text(&first[bits % 14], 1);
        put_text(&second[bits / 14 % 5], 1);
        bits /= 70;
    }
}

static void csv(uint64_t total) {
    uint64_t features[COLUMNS];
    put_text("label", 5);
    for (uint64_t c = 1; c <= COLUMNS; c++) {
        put_text(",", 1);
        put_word(100000 + c, 1 + c % 3);
        put_number(c);
    }
    put_text("\n", 1);
    for (uint64_t done = 0; done < total; done += COLUMNS) {
        draw_categories(features);
        int yes = label_of(features, COLUMNS);
        put_text(yes ? "yes" : "no", yes ? 3 : 2);
        for (size_t c = 0; c < COLUMNS; c++) {
            put_text(",", 1);
            put_word(features[c], 1 + mix(features[c]) % 4);
        }
        put_text("\n", 1);
    }
}

/* Standard normal. */
static double draw_normal(void) {
    double radius = sqrt(-2 * log(1 - draw_real()));
    return radius * cos(2 * 3.14159265358979323846 * draw_real());
}

/* How much speaks for a label: other columns for each of them. */
static double score(const double *x, uint64_t label) {
    const double *c[7];
    for (uint64_t i = 0; i < 7; i++) {
        c[i] = &x[(label * 7 + i) % columns];
    }
    return *c[0] * *c[1] + 0.8 * *c[2] * *c[3] + (*c[4] > 0.5) - (*c[5] < -0.5) + 0.7 * *c[6] +
           draw_normal();
}

static uint64_t best_label(const double *x) {
    uint64_t best = 0;
    double most = score(x, 0);
    if (labels == 2) {
        return most > 0;
    }
    for (uint64_t label = 1; label < labels; label++) {
        double s = score(x, label);
        if (s > most) {
            most = s;
            best = label;
        }
    }
    return best;
}

static void numbers(uint64_t total) {
    double *x = malloc(columns * sizeof *x);
    if (!x) {
        perror("generate");
        exit(1);
    }
    put_text("label", 5);
    for (uint64_t c = 1; c <= columns; c++) {
        put_text(",x", 2);
        put_number(c);
    }
    put_text("\n", 1);
    for (uint64_t done = 0; done < total; done += columns) {
        for (uint64_t c = 0; c < columns; c++) {
            x[c] = draw_normal();
        }
        put_number(best_label(x));
        for (uint64_t c = 0; c < columns; c++) {
            char text[32];
            put_text(text, (size_t)snprintf(text, sizeof text, ",%.6f", x[c]));
        }
        put_text("\n", 1);
    }
    free(x);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(uint64_t total);
    } kinds[] = {{"zipf", zipf},
                 {"categorical", categorical},
                 {"worst", worst},
                 {"csv", csv},
                 {"numbers", numbers}};
    double total = argc > 2 ? atof(argv[2]) : 0;
    state = argc > 3 ? mix((uint64_t)atoll(argv[3])) : mix(1);
    labels = argc > 4 ? (uint64_t)atoll(argv[4]) : labels;
    columns = argc > 5 ? (uint64_t)atoll(argv[5]) : columns;
    bool fits = total >= 1 && labels >= 2 && columns >= 1 && columns <= 1000000;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && fits; i++) {
        if (strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].run((uint64_t)total);
            flush();
            return 0;
        }
    }
    fprintf(stderr, "usage: generate zipf|categorical|worst|csv|numbers OCCURRENCES [SEED [LABELS "
                    "[COLUMNS]]]\n");
    return 2;
}
