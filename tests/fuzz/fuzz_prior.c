/*
 * Files of prior knowledge: importances of features, and cases that experts state. The data they
 * are about are always the same; the input is the file, after two choices.
 *
 * What must hold: a file is taken or refused with a place; what was taken trains a model that keeps
 * it and is read back with the same bytes; the order of the lines means nothing.
 */
#include "fuzz.h"

#include <hcbr/prior.h>

#include <ctype.h>
#include <stdlib.h>

#define MOST 4096 /* bytes of a file whose lines are turned round */

static const char DATA[] = "outlook,temp,says,tags,play\n"
                           "sunny,71,a hot day,a|b,no\n"
                           "sunny,80.5,hot,b,no\n"
                           "rain,60,wet day,a,yes\n"
                           "rain,71,a wet,,yes\n"
                           "fair,65,a day,c|a,yes\n"
                           "\"fair, cold\",50,,c,no\n";

typedef struct plan {
    bool beliefs, rich;
    unsigned fault;
    hcbr_read_options options;
} plan;

/** What a file led to. */
typedef struct outcome {
    hcbr_status status;
    void *bytes; /**< of the model; NULL: none */
    size_t size;
} outcome;

static hcbr_cases *read_data(const plan *p) {
    static fuzz_memory memory;
    static const char *const PATHS[] = {"data"};
    hcbr_cases *cases;
    hcbr_error err = {0};
    hcbr_read_options o = p->options;
    memory = (fuzz_memory){(const uint8_t *)DATA, sizeof DATA - 1, 0, 64};
    o.open = fuzz_memory_open;
    o.open_context = &memory;
    FUZZ_CHECK_OK(hcbr_cases_create(&cases, 1, &err), err);
    FUZZ_CHECK_OK(hcbr_cases_read(cases, PATHS, 1, &o, &err), err);
    return cases;
}

static void check_kept(const hcbr_model *model, const hcbr_emphasis *list, size_t count,
                       size_t beliefs) {
    hcbr_emphasis e;
    hcbr_model_info info = {.size = sizeof info};
    uint64_t stated = 0;
    FUZZ_CHECK(hcbr_model_emphasis_count(model) == count);
    for (size_t i = 0; i < count; i++) {
        hcbr_model_get_emphasis(model, i, &e);
        fuzz_check_text(e.column, strlen(e.column));
        FUZZ_CHECK(e.importance >= 0 && e.importance <= HCBR_MOST_IMPORTANCE);
        bool found = false;
        for (size_t k = 0; k < count && !found; k++)
            found = strcmp(list[k].column, e.column) == 0 && !list[k].value == !e.value &&
                    (!e.value || strcmp(list[k].value, e.value) == 0) &&
                    list[k].importance == e.importance;
        FUZZ_CHECK(found);
    }
    FUZZ_CHECK(hcbr_model_belief_count(model) == beliefs);
    for (size_t i = 0; i < beliefs; i++) {
        hcbr_belief b = {.size = sizeof b};
        hcbr_model_get_belief(model, i, &b);
        fuzz_check_text(b.source, strlen(b.source));
        FUZZ_CHECK(b.source[0] && b.weight > 0 && b.cases > 0);
        FUZZ_CHECK(b.first == 6 + stated); // behind the data, one after the other
        stated += b.cases;
    }
    hcbr_model_get_info(model, &info);
    FUZZ_CHECK(info.cases == 6 + stated);
}

/** Train with what the file says, keep the model's bytes. */
static void train(outcome *out, const plan *p, hcbr_cases *cases, const hcbr_emphases *emphases) {
    hcbr_train_options o;
    hcbr_error err = {0};
    hcbr_model *model;
    size_t beliefs = hcbr_cases_get_info(cases).beliefs;
    hcbr_train_options_init(&o);
    o.model = p->rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
    o.effort = HCBR_EFFORT_LITE;
    o.consume = 0;
    if (emphases)
        o.emphasis = hcbr_emphases_get(emphases, &o.emphasis_count);
    FUZZ_CHECK_OK(hcbr_model_train(&model, cases, &o, &err), err);
    check_kept(model, o.emphasis, o.emphasis_count, beliefs);
    hcbr_model *again = fuzz_reload(model, &out->bytes, &out->size);
    check_kept(again, o.emphasis, o.emphasis_count, beliefs);
    hcbr_model_free(again);
    hcbr_model_free(model);
}

static outcome use(const plan *p, const uint8_t *data, size_t size, bool fault) {
    outcome out = {.bytes = NULL};
    hcbr_error err = {0};
    hcbr_emphases *emphases = NULL;
    hcbr_cases *cases = read_data(p);
    if (!p->beliefs)
        FUZZ_CHECK_OK(hcbr_cases_finish(cases, &err), err);
    fuzz_give_file(data, size);
    fuzz_arm(fault ? p->fault : 0);
    out.status = p->beliefs ? hcbr_cases_read_beliefs(cases, "-", &p->options, !p->rich, &err)
                            : hcbr_emphases_load(&emphases, "-", cases, &err);
    bool failed = fuzz_disarm();
    if (out.status != HCBR_OK) {
        FUZZ_CHECK(out.status == HCBR_EDATA || failed);
        FUZZ_CHECK(emphases == NULL);
        fuzz_check_error(out.status, &err);
    } else {
        if (p->beliefs)
            FUZZ_CHECK_OK(hcbr_cases_finish(cases, &err), err);
        train(&out, p, cases, emphases);
    }
    hcbr_emphases_free(emphases);
    hcbr_cases_free(cases);
    return out;
}

/** The same file with its lines, all but the first, from the last to the first; 0: it is not so
 *  simple that its lines are those of the text. */
static size_t turn_round(uint8_t *to, const uint8_t *data, size_t size) {
    size_t used = 0, first = 0;
    if (size == 0 || size + 1 > MOST)
        return 0;
    for (size_t i = 0; i < size; i++)
        if (strchr("\"\r#", data[i]) || data[i] > 126) // NUL is in it, too
            return 0;
    while (first < size && data[first] != '\n')
        first++;
    if (first == size || isspace(data[0]))
        return 0;
    memcpy(to, data, first + 1);
    used = first + 1;
    for (size_t end = size; end > first + 1;) {
        size_t begin = end - (data[end - 1] == '\n' ? 1 : 0);
        while (begin > first + 1 && data[begin - 1] != '\n')
            begin--;
        memcpy(to + used, data + begin, end - begin);
        used += end - begin;
        if (to[used - 1] != '\n')
            to[used++] = '\n';
        end = begin;
    }
    return used;
}

/** Would a belief of a plain model become many cases? Its weight may be a million of them. */
static bool is_heavy(const uint8_t *data, size_t size) {
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = isdigit(data[i]) || data[i] == '.' ? digits + 1 : 0;
        if (digits > 3 || (digits > 0 && i + 1 < size && tolower(data[i + 1]) == 'e'))
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const TEXTS[] = {"says"};
    static const hcbr_split SPLIT = {"tags", "|"};
    static uint8_t turned[MOST];
    fuzz_input in = {data, size};
    plan p = {0};
    unsigned choice = fuzz_choice(&in);
    p.beliefs = choice & 1;
    p.rich = p.beliefs && choice & 2; // importances are those of plain models
    p.fault = fuzz_choice(&in);
    if (p.beliefs && !p.rich && is_heavy(in.at, in.left))
        return 0;
    hcbr_read_options_init(&p.options);
    p.options.hash_key = 1;
    p.options.label = "play";
    p.options.format = HCBR_FORMAT_CSV;
    p.options.text = TEXTS;
    p.options.text_count = choice & 4 ? 1 : 0;
    p.options.split = &SPLIT;
    p.options.split_count = choice & 8 ? 1 : 0;
    outcome first = use(&p, in.at, in.left, true);
    size_t length = turn_round(turned, in.at, in.left);
    if (length > 0 && p.fault == 0) {
        outcome second = use(&p, turned, length, false);
        FUZZ_CHECK(first.status == second.status && first.size == second.size);
        FUZZ_CHECK(first.size == 0 || memcmp(first.bytes, second.bytes, first.size) == 0);
        hcbr_bytes_free(second.bytes);
    }
    hcbr_bytes_free(first.bytes);
    return 0;
}
