/*
 * Small random case bases and their rich models (rich_sample.h).
 */
#include "unit/explain/rich_sample.h"
#include "add_case.h"
#include "engines.h"

#include <stdio.h>
#include <string.h>

uint64_t sample_seed = 20260;

uint64_t sample_draw(uint64_t below) {
    sample_seed += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(sample_seed) % below;
}

size_t sample_draw_case(hcbr_feature *f, char (*text)[RICH_TEXT], uint32_t labels,
                        uint32_t *label) {
    static const char *const WORDS[] = {"ape", "bee", "cat", "dog"};
    size_t n = 0;
    double x = (double)sample_draw(40) / 4;
    uint64_t colour = sample_draw(4), words = sample_draw(16) & sample_draw(16);
    if (sample_draw(30) == 0) { // nothing is known of it
        *label = (uint32_t)sample_draw(labels);
        return 0;
    }
    snprintf(text[n], RICH_TEXT, "%.2f", x);
    f[n] = (hcbr_feature){"x", 1, text[n], strlen(text[n])};
    n++;
    if (sample_draw(3)) {
        snprintf(text[n], RICH_TEXT, "%d", (int)sample_draw(6));
        f[n] = (hcbr_feature){"y", 1, text[n], 1};
        n++;
    }
    if (sample_draw(12) == 0) {
        snprintf(text[n], RICH_TEXT, "%d", (int)sample_draw(9));
        f[n] = (hcbr_feature){"z", 1, text[n], 1};
        n++;
    }
    snprintf(text[n], RICH_TEXT, "c%d", (int)colour);
    f[n] = (hcbr_feature){"colour", 6, text[n], 2};
    n++;
    for (int w = 0; w < 4; w++)
        if (words >> w & 1)
            f[n++] = (hcbr_feature){WORDS[w], 3, NULL, 0};
    *label = (uint32_t)(((x > 4) + (colour == 2) + (int)(words & 1)) % (int)labels);
    if (sample_draw(8) == 0)
        *label = (uint32_t)sample_draw(labels);
    return n;
}

void rich_sample_make(rich_sample *s, uint32_t cases, hcbr_keep keep, hcbr_effort effort) {
    static const char *const LABELS[] = {"p", "q", "r", "s"};
    hcbr_cases *list;
    hcbr_error err;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&list, 0, NULL), HCBR_OK);
    s->labels = 2 + (uint32_t)sample_draw(3);
    s->weighted = sample_draw(3) == 0;
    for (uint32_t i = 0; i < cases;) {
        hcbr_feature f[RICH_FEATURES];
        char text[RICH_FEATURES][RICH_TEXT];
        uint32_t label;
        size_t n = sample_draw_case(f, text, s->labels, &label);
        for (uint64_t times = 1 + (sample_draw(6) == 0); times > 0 && i < cases; times--) {
            s->copies[i] = i ? (double)sample_draw(4) : 1;
            i++;
            assert_int_equal(add_one_case(list, f, n, LABELS[label], "an id", NULL), HCBR_OK);
        }
    }
    assert_int_equal(hcbr_cases_finish(list, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = effort;
    o.seed = sample_draw(1000);
    o.keep = keep;
    o.weight = s->weighted ? s->copies : NULL;
    if (hcbr_model_train(&s->model, list, &o, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_cases_free(list);
    // So few cases leave no trust in the linear model; reasons are exact whatever the trust.
    if (sample_draw(3))
        hcbr_i_model_rich(s->model)->stack.trust[0] = 0.4;
}

void rich_sample_reload(rich_sample *s) {
    void *bytes;
    size_t size;
    hcbr_error err;
    assert_int_equal(hcbr_model_serialize(s->model, &bytes, &size, NULL), HCBR_OK);
    hcbr_model_free(s->model);
    if (hcbr_model_parse(&s->model, bytes, size, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_bytes_free(bytes);
}

void rich_sample_encode(const rich_sample *s, const hcbr_feature *f, size_t n,
                        hcbr_i_rich_row *row) {
    const hcbr_i_rich_encoder *e = &hcbr_i_model_rich(s->model)->encoder;
    hcbr_i_rich_row_begin(e, row);
    for (size_t i = 0; i < n; i++) {
        bool known;
        assert_int_equal(hcbr_i_dict_need_tables(e->dict, NULL), HCBR_OK);
        assert_true(hcbr_i_rich_row_add_text(e, &f[i], row, &known));
    }
    hcbr_i_rich_row_end(row);
}

bool rich_sample_has(const hcbr_i_rich_row *row, uint32_t member) {
    for (uint32_t b = 0; b < row->bag_count; b++)
        if (row->bag[b] == member)
            return true;
    return false;
}
