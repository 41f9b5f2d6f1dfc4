/*
 * Tests of categories as people say them: `job=cook|clerk` is `job: "cook" or "clerk"`, `job not
 * cook|clerk` is `job: not "cook" nor "clerk"`, `(job=cook or missing)` is `job: "cook" or
 * missing`.
 *
 * A test comes as the text that an engine gave it. Invariant: it is said in other words only if all
 * of it was understood, its key is one of the model and each of its values a value of that key.
 */
#include "model/model.h"
#include "render/render.h"

typedef struct said {
    char *text; /* HCBR_SHOWN_SIZE bytes */
    size_t used;
    bool failed;
} said;

static void say(said *s, const char *text, size_t length) {
    if (s->failed || length >= HCBR_SHOWN_SIZE - s->used) {
        s->failed = true;
        return;
    }
    memcpy(s->text + s->used, text, length);
    s->used += length;
}

static void say_string(said *s, const char *text) {
    say(s, text, strlen(text));
}

/* Take an end off a text, if it has it. */
static bool take_end(hcbr_i_text *t, const char *end) {
    const size_t size = strlen(end);
    if (t->length <= size || memcmp(t->at + t->length - size, end, size) != 0)
        return false;
    t->length -= size;
    return true;
}

/* `v|w` of a key; how many there are, 0: it is something else. */
static size_t say_values(said *s, const hcbr_i_dict *dict, hcbr_i_text key, hcbr_i_text values,
                         const char *between) {
    size_t count = 0;
    for (size_t from = 0, to; from <= values.length; from = to + 1) {
        for (to = from; to < values.length && values.at[to] != '|';)
            to++;
        if (hcbr_i_dict_find(dict, key.at, key.length, values.at + from, to - from) == HCBR_I_NONE)
            return 0;
        say_string(s, count++ ? between : "");
        say_string(s, "\"");
        say(s, values.at + from, to - from);
        say_string(s, "\"");
    }
    return count;
}

/* Write a key that ends at a place, and the test after its sign. */
static size_t say_test(said *s, const hcbr_i_dict *dict, hcbr_i_text test, size_t end, size_t sign,
                       bool denied) {
    const hcbr_i_text key = {test.at, end};
    const hcbr_i_text values = {test.at + end + sign, test.length - end - sign};
    *s = (said){.text = s->text};
    say(s, key.at, key.length);
    say_string(s, hcbr_word_get(denied ? HCBR_WORD_IS_NOT : HCBR_WORD_IS));
    return say_values(s, dict, key, values, hcbr_word_get(denied ? HCBR_WORD_NOR : HCBR_WORD_OR));
}

// NOLINTNEXTLINE(readability-non-const-parameter): it is filled through `said`.
size_t hcbr_i_shown_category(const hcbr_model *model, const hcbr_feature *f, char *room) {
    static const char NOT[] = " not ";
    said s = {.text = room};
    hcbr_i_text test = {f->key, f->key_length};
    if (f->value || hcbr_i_dict_need_tables(model->dict, NULL) != HCBR_OK)
        return 0;
    bool missing = test.length > 2 && *test.at == '(' && take_end(&test, " or missing)");
    if (missing) {
        test.at++;
        test.length--;
    }
    const bool never = !missing && take_end(&test, " nor missing");
    for (size_t end = 1; end + 1 < test.length; end++) {
        const bool equal = !never && test.at[end] == '=';
        const bool denied = !missing && test.length - end > strlen(NOT) &&
                            memcmp(test.at + end, NOT, strlen(NOT)) == 0;
        if (!equal && !denied)
            continue;
        const size_t count = say_test(&s, model->dict, test, end, equal ? 1 : strlen(NOT), denied);
        if (count == 0 || (count == 1 && equal && !missing)) // `job=cook` is as good
            continue;
        if (missing || never)
            say_string(&s, hcbr_word_get(missing ? HCBR_WORD_OR_MISSING : HCBR_WORD_NOR_MISSING));
        return s.failed ? 0 : s.used;
    }
    return 0;
}
