/*
 * A page of reasons for a model of any bytes: nothing of its names is markup. Every tag is one that
 * pages have and is closed where it was opened, every attribute is in quotes, every & begins an
 * entity, and no byte could control a terminal or a browser.
 */
#include "fuzz.h"
#include "row_of.h"

enum { DEEPEST = 40, LONGEST = 12 };

static const char *const TAGS[] = {
    "html", "head",   "meta",    "title",   "style",   "body",    "main",    "nav",     "h1",
    "h2",   "h3",     "h4",      "p",       "a",       "span",    "div",     "section", "bdi",
    "dl",   "dt",     "dd",      "ul",      "li",      "table",   "thead",   "tbody",   "tfoot",
    "tr",   "th",     "td",      "svg",     "rect",    "path",    "mark",    "sup",     "wbr",
    "br",   "strong", "article", "caption", "details", "summary", "!DOCTYPE"};

static bool is_one_of(const char *name, size_t length, const char *const *list, size_t count) {
    for (size_t n = 0; n < count; n++)
        if (strlen(list[n]) == length && memcmp(list[n], name, length) == 0)
            return true;
    return false;
}

static bool is_empty(const char *name, size_t length) {
    static const char *const empty[] = {"meta", "wbr", "br", "!DOCTYPE"};
    return is_one_of(name, length, empty, sizeof empty / sizeof *empty);
}

/* From a < to behind its >. */
static const char *check_tag(const char *at, const char *end, const char *open[DEEPEST],
                             size_t *depth) {
    const bool closes = at + 1 < end && at[1] == '/';
    const char *name = at + 1 + closes, *stop = name;
    while (stop < end && *stop != ' ' && *stop != '>' && *stop != '/')
        stop++;
    const size_t length = (size_t)(stop - name);
    FUZZ_CHECK(length < LONGEST && is_one_of(name, length, TAGS, sizeof TAGS / sizeof *TAGS));
    for (bool quoted = false; stop < end && (quoted || *stop != '>'); stop++) {
        FUZZ_CHECK(*stop != '<');
        quoted ^= *stop == '"';
    }
    FUZZ_CHECK(stop < end);
    if (closes) {
        FUZZ_CHECK(*depth > 0 && memcmp(open[--*depth], name, length) == 0);
    } else if (stop[-1] != '/' && !is_empty(name, length)) {
        FUZZ_CHECK(*depth < DEEPEST);
        open[(*depth)++] = name;
    }
    return stop + 1;
}

static void check_entity(const char *at, const char *end) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t n = 0; n < sizeof entities / sizeof *entities; n++)
        if ((size_t)(end - at) >= strlen(entities[n]) &&
            memcmp(at, entities[n], strlen(entities[n])) == 0)
            return;
    FUZZ_CHECK(!"an & that begins no entity");
}

static void check_text(const char *text, size_t length) {
    const char *end = text + length, *good = text, *open[DEEPEST] = {NULL};
    size_t depth = 0;
    for (const char *at = text; at < end;) {
        if (at >= good) {
            good = at + hcbr_text_plain(at, (size_t)(end - at));
            FUZZ_CHECK(good > at || *at == '\n');
        }
        if (*at == '<') {
            const bool style = end - at > 7 && memcmp(at, "<style>", 7) == 0;
            at = check_tag(at, end, open, &depth);
            const char *behind = style ? strstr(at, "</style>") : at;
            FUZZ_CHECK(behind != NULL);
            at = behind;
            continue;
        }
        FUZZ_CHECK(*at != '>' && *at != '"');
        if (*at == '&')
            check_entity(at, end);
        at++;
    }
    FUZZ_CHECK(depth == 0);
}

void fuzz_check_page(const hcbr_model *model, hcbr_explainer *explainer,
                     const hcbr_feature *features, size_t count) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_writer *w;
    hcbr_error err;
    size_t length;
    hcbr_row *asked = row_of(explainer, features, count);
    FUZZ_CHECK_OK(hcbr_explainer_explain(explainer, asked, NULL, &e, &err), err);
    FUZZ_CHECK_OK(hcbr_writer_create(&w, NULL, NULL, &err), err);
    hcbr_page_options page;
    hcbr_page_options_init(&page);
    page.name = "<\"model\">";
    hcbr_writer_set_page(w, &page);
    const hcbr_explained_row row = {.size = sizeof row,
                                    .decision = e.decision,
                                    .explanation = &e,
                                    .row = asked,
                                    .explainer = explainer};
    FUZZ_CHECK_OK(hcbr_html_begin(w, model, &err), err);
    FUZZ_CHECK_OK(hcbr_write_explanation(w, HCBR_HTML, model, &row, &err), err);
    FUZZ_CHECK_OK(hcbr_write_end(w, HCBR_HTML, &err), err);
    FUZZ_CHECK_OK(hcbr_html_end(w, &err), err);
    const char *text = hcbr_writer_get(w, &length);
    FUZZ_CHECK(text != NULL);
    check_text(text, length);
    hcbr_writer_free(w);
}
