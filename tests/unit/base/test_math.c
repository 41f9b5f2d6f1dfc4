// Exponential, logarithms and arc tangent against the same in long double.
#include "base/base.h"
#include "base/blocks.h"
#include "base/simd.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define DRAWS 300000

static_assert(LDBL_MANT_DIG >= 64, "long double is more precise than double");

static uint64_t state, seed;

static uint64_t draw(void) {
    return hcbr_i_mix(state++);
}

/** A draw in [0, 1). */
static double unit(void) {
    return (double)(draw() >> 11) * 0x1p-53;
}

/** How far got is from the answer, in units of the answer's last place; 2^-1074 at the least. */
static double off(double got, long double wanted) {
    int exponent;
    (void)frexpl(wanted, &exponent);
    long double place = ldexpl(1, exponent - 53 < -1074 ? -1074 : exponent - 53);
    return (double)(fabsl((long double)got - wanted) / place);
}

typedef struct function {
    const char *name;
    double (*ours)(double);
    long double (*precise)(long double);
    double bound; /* units in the last place */
    double worst, at;
} function;

static function functions[] = {
    {"exp", hcbr_i_exp, expl, 1.5, 0, 0},
    {"log", hcbr_i_log, logl, 1, 0, 0},
    {"log1p", hcbr_i_log1p, log1pl, 2, 0, 0},
    {"atan", hcbr_i_atan, atanl, 6, 0, 0},
};
enum { EXP, LOG, LOG1P, ATAN };

static void check(function *f, double x) {
    double got = f->ours(x);
    long double wanted = f->precise(x);
    if (fabsl(wanted) > (long double)DBL_MAX) {
        assert_true(got == (wanted > 0 ? INFINITY : -INFINITY));
        return;
    }
    double error = off(got, wanted);
    if (!(error <= f->worst)) {
        f->worst = error;
        f->at = x;
    }
}

static void show_worst(void) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        function *f = &functions[i];
        print_message("%s: off by at most %.3f units, at %a\n", f->name, f->worst, f->at);
        assert_true(f->worst <= f->bound);
    }
}

static void holds_for_draws(void **unused) {
    (void)unused;
    for (int i = 0; i < DRAWS; i++) {
        double any = hcbr_i_from_bits(draw()), positive = fabs(any), u = unit();
        double near = 1 + ldexp(u - 0.5, -(int)(draw() % 52));
        double tiny = ldexp(u + 0.5, -(int)(draw() % 1070)), sign = draw() & 1 ? 1 : -1;
        if (!isfinite(any))
            continue;
        check(&functions[EXP], 1456 * u - 746);
        check(&functions[EXP], 2 * u - 1);
        check(&functions[EXP], sign * tiny);
        check(&functions[LOG], positive);
        check(&functions[LOG], near);
        check(&functions[LOG], u);
        check(&functions[LOG], 1000 * u);
        check(&functions[LOG1P], positive);
        check(&functions[LOG1P], near - 1);
        check(&functions[LOG1P], 3 * u - 1);
        check(&functions[LOG1P], sign * fmin(tiny, 0.999));
        check(&functions[LOG1P], ldexp(u, -(int)(draw() % 52)) - 1);
        check(&functions[ATAN], any);
        check(&functions[ATAN], 40 * u - 20);
        check(&functions[ATAN], sign * tiny);
    }
    show_worst();
}

/* The numbers at which a way of computing changes, and their neighbours. */
static void holds_at_borders(void **unused) {
    (void)unused;
    const double borders[] = {
        0x1p-1074,       0x1p-1022, 0x1p-54, 0x1p-53, 0.125, 0.2928,
        0.29289321881,   0.3465736, 0.4142,  0.5,     1,     0.70710678118654752,
        1.4142135623731, 2,         0x1p52,  0x1p53,  0x1p60};
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
        for (int away = -100; away <= 100; away++) {
            double x = hcbr_i_from_bits(hcbr_i_bits_of(borders[i]) + (uint64_t)(int64_t)away);
            if (!(x > 0 && x < 1e300))
                continue;
            for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
                if (f != EXP || x < 700)
                    check(&functions[f], x);
                if (f == ATAN || (f == EXP && x < 700) || (f == LOG1P && x < 1))
                    check(&functions[f], -x);
            }
        }
    for (int k = -1074; k < 1024; k++) { // halves of log 2 are where e^x changes its power of two
        check(&functions[EXP], fmin((k + 0.5) * 0.69314718055994531, 709));
        check(&functions[LOG], ldexp(1, k));
        check(&functions[LOG], nextafter(ldexp(1, k), 0));
    }
    show_worst();
}

static void logarithms_of_blocks_are_those_of_numbers(void **unused) {
    (void)unused;
    uint64_t random = 20261117;
    for (int round = 0; round < 200000; round++) {
        double x[HCBR_I_LOG_BLOCK], logs[HCBR_I_LOG_BLOCK];
        for (uint32_t i = 0; i < HCBR_I_LOG_BLOCK; i++) {
            uint64_t bits = hcbr_i_mix(random++) >> 1;
            x[i] = hcbr_i_from_bits(bits);
            if (round % 2) // near 1
                x[i] = 1 + (double)(bits >> 10) * 0x1p-53 * 3;
            if (!(x[i] >= 0x1p-1022 && x[i] < INFINITY))
                x[i] = round % 3 ? 0x1p-1022 : 0x1.fffffffffffffp1023;
        }
        for (int way = 0; way < 2; way++) { // four at a time, if the processor can, and two
            hcbr_i_simd_off = way;
            memcpy(logs, x, sizeof logs);
            hcbr_i_log_block(logs);
            for (uint32_t i = 0; i < HCBR_I_LOG_BLOCK; i++)
                assert_int_equal(hcbr_i_bits_of(logs[i]), hcbr_i_bits_of(hcbr_i_log(x[i])));
        }
    }
    hcbr_i_simd_off = false;
}

static void is_defined_everywhere(void **unused) {
    (void)unused;
    assert_true(hcbr_i_exp(0) == 1 && hcbr_i_exp(-0.0) == 1);
    assert_true(hcbr_i_exp(INFINITY) == INFINITY && hcbr_i_exp(-INFINITY) == 0);
    assert_true(hcbr_i_exp(709.78) < INFINITY && hcbr_i_exp(709.79) == INFINITY);
    assert_true(hcbr_i_exp(DBL_MAX) == INFINITY && hcbr_i_exp(-DBL_MAX) == 0);
    assert_true(hcbr_i_exp(-745.13) == 0x1p-1074 && hcbr_i_exp(-745.14) == 0);
    assert_true(isnan(hcbr_i_exp(NAN)));
    assert_true(hcbr_i_log(1) == 0 && !signbit(hcbr_i_log(1)));
    assert_true(hcbr_i_log(0) == -INFINITY && hcbr_i_log(-0.0) == -INFINITY);
    assert_true(hcbr_i_log(INFINITY) == INFINITY);
    assert_true(isnan(hcbr_i_log(NAN)) && isnan(hcbr_i_log(-1)) && isnan(hcbr_i_log(-INFINITY)));
    assert_true(isnan(hcbr_i_log(-0x1p-1074)));
    assert_true(hcbr_i_log1p(0) == 0 && signbit(hcbr_i_log1p(-0.0)));
    assert_true(hcbr_i_log1p(-1) == -INFINITY && hcbr_i_log1p(INFINITY) == INFINITY);
    assert_true(isnan(hcbr_i_log1p(NAN)) && isnan(hcbr_i_log1p(-1.5)));
    assert_true(isnan(hcbr_i_log1p(-INFINITY)));
    assert_true(hcbr_i_log1p(0x1p-1074) == 0x1p-1074 && hcbr_i_log1p(-0x1p-1074) == -0x1p-1074);
    assert_true(hcbr_i_atan(0) == 0 && signbit(hcbr_i_atan(-0.0)) && isnan(hcbr_i_atan(NAN)));
    assert_true(hcbr_i_atan(INFINITY) == 0x1.921fb54442d18p0);
    assert_true(hcbr_i_atan(-INFINITY) == -0x1.921fb54442d18p0);
}

static void inverse_gives_back(void **unused) {
    (void)unused;
    for (int i = 0; i < DRAWS; i++) {
        double x = 1400 * unit() - 700;
        assert_true(fabs(hcbr_i_log(hcbr_i_exp(x)) - x) <= 2e-16 * fmax(fabs(x), 2));
        double y = 2 * unit() - 0.999;
        assert_true(fabs(hcbr_i_exp(hcbr_i_log1p(y)) - (1 + y)) <= 4e-16 * fmax(1, 8 * (1 + y)));
    }
}

static int start(void **unused) {
    (void)unused;
    const char *given = getenv("HCBR_SEED");
    seed = given ? strtoull(given, NULL, 10) : 20240611u;
    state = hcbr_i_mix(seed);
    print_message("seed %llu\n", (unsigned long long)seed);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_for_draws),
        cmocka_unit_test(holds_at_borders),
        cmocka_unit_test(logarithms_of_blocks_are_those_of_numbers),
        cmocka_unit_test(is_defined_everywhere),
        cmocka_unit_test(inverse_gives_back),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
