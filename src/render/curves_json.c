/*
 * Curves of an evaluation as JSON (docs/JSON.md, hcbr.curves/1): of long ones some points, evenly
 * spaced, the first and the last among them.
 *
 * Invariant: which answers are listed does not depend on anything but their scores and rows.
 */
#include "render/items.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 200, PLANE = 400, BINS = 20, LABELS = 12, CASES = 8 };

/* How an answer came about, for the histogram, the plane and the lists. */
typedef struct placed {
    uint64_t index; /* of the answer */
    double size;    /* probability of the strongest label, or its support */
    double share;   /* of it against the best other one */
    double certain; /* by which cases are listed: size and share in one figure */
    double place;   /* in the plane: size or, where that is the share, support */
    bool right, decided;
} placed;

typedef struct drawing {
    hcbr_writer *w;
    const hcbr_evaluation *e;
    hcbr_evaluation_info info;
    uint64_t row_base;
    placed *list; /* of the first repeat, by answer */
    size_t count;
} drawing;

/* ---- curves ---------------------------------------------------------------------------------- */

static void put_points(drawing *d, const char *key, const hcbr_curve_point *points, size_t count) {
    size_t shown = count < POINTS ? count : POINTS;
    PUT(d->w, OPEN(key, '['));
    for (size_t n = 0; n < shown; n++) {
        const hcbr_curve_point *p =
            &points[shown < 2 || shown == count ? n : n * (count - 1) / (shown - 1)];
        PUT(d->w, OPEN(NULL, '['), NUMBER(NULL, p->x), NUMBER(NULL, p->y), NUMBER(NULL, p->score),
            CLOSE(']'));
    }
    PUT(d->w, CLOSE(']'));
}

static hcbr_status put_label(drawing *d, hcbr_label label, hcbr_error *err) {
    static const char *const NAMES[] = {"roc", "pr", "lift"};
    PUT(d->w, OPEN(NULL, '{'), hcbr_i_item_of_label("name", d->e, label));
    for (int kind = HCBR_CURVE_ROC; kind <= HCBR_CURVE_LIFT; kind++) {
        hcbr_curve_point *points;
        size_t count;
        hcbr_status st =
            hcbr_evaluation_copy_curve(d->e, (hcbr_curve_kind)kind, label, &points, &count, err);
        if (st != HCBR_OK)
            return st;
        put_points(d, NAMES[kind], points, count);
        hcbr_bytes_free(points);
    }
    PUT(d->w, CLOSE('}'));
    return HCBR_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The probabilities of two labels are their shares: the plane then needs something else. */
static bool by_support(bool probabilities, uint32_t labels) {
    return !probabilities || labels == 2;
}

static placed place(const hcbr_answer *a, uint32_t labels) {
    const double *values = a->probability ? a->probability : a->support;
    double best = -INFINITY, other = -INFINITY;
    for (uint32_t l = 0; l < labels; l++) {
        if (values[l] > best) {
            other = best;
            best = values[l];
        } else if (values[l] > other)
            other = values[l];
    }
    other = other > 0 ? other : 0;
    placed p = {.size = best, .right = a->label == a->truth, .decided = a->label >= 0};
    p.share = best > 0 ? best / (best + other) : 0;
    p.certain = best - other;
    p.place = p.size;
    if (by_support(a->probability != NULL, labels)) {
        p.place = a->support[0];
        for (uint32_t l = 1; l < labels; l++)
            p.place = a->support[l] > p.place ? a->support[l] : p.place;
    }
    return p;
}

static hcbr_status take_answers(drawing *d, hcbr_error *err) {
    uint64_t all = hcbr_evaluation_answer_count(d->e);
    if (all == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the evaluation has not kept its answers");
    if (!(d->list = hcbr_i_alloc((size_t)all, sizeof *d->list)))
        return hcbr_i_no_memory(err);
    for (uint64_t i = 0; i < all; i++) {
        hcbr_answer a = {.size = sizeof a};
        hcbr_evaluation_get_answer(d->e, i, &a);
        if (a.repeat > 0)
            continue;
        d->list[d->count] = place(&a, d->info.labels);
        d->list[d->count++].index = i;
    }
    return HCBR_OK;
}

/* Right and wrong answers by the size of their support: bins from 0 to the largest. */
static void put_histogram(drawing *d) {
    double most = d->info.probabilities ? 1 : 0;
    uint64_t right[BINS] = {0}, wrong[BINS] = {0};
    for (size_t n = 0; n < d->count; n++)
        most = d->list[n].size > most ? d->list[n].size : most;
    for (size_t n = 0; n < d->count; n++) {
        double size = d->list[n].size > 0 ? d->list[n].size : 0;
        int bin = most > 0 ? (int)(size / most * BINS) : 0;
        (d->list[n].right ? right : wrong)[bin < BINS ? bin : BINS - 1]++;
    }
    PUT(d->w, OPEN("histogram", '['));
    for (int b = 0; b < BINS; b++)
        PUT(d->w, OPEN(NULL, '{'), NUMBER("low", most * b / BINS),
            NUMBER("high", most * (b + 1) / BINS), U64("right", right[b]), U64("wrong", wrong[b]),
            CLOSE('}'));
    PUT(d->w, CLOSE(']'));
}

static void put_plane(drawing *d) {
    size_t shown = d->count < PLANE ? d->count : PLANE;
    PUT(d->w,
        STRING("plane_by",
               by_support(d->info.probabilities, d->info.labels) ? "support" : "probability"),
        OPEN("plane", '['));
    for (size_t n = 0; n < shown; n++) {
        const placed *p =
            &d->list[shown < 2 || shown == d->count
                         ? n
                         : (size_t)((double)n * (double)(d->count - 1) / (double)(shown - 1))];
        PUT(d->w, OPEN(NULL, '['), NUMBER(NULL, p->place), NUMBER(NULL, p->share),
            U64(NULL, p->right), CLOSE(']'));
    }
    PUT(d->w, CLOSE(']'));
}

/* Most certain first, equal ones in the order of the data. */
static int compare_certain(const void *a, const void *b) {
    const placed *x = a, *y = b;
    int order = hcbr_i_order_double(y->certain, x->certain);
    return order ? order : hcbr_i_order_u64(x->index, y->index);
}

static void put_case(drawing *d, const placed *p) {
    hcbr_answer a = {.size = sizeof a};
    hcbr_evaluation_get_answer(d->e, p->index, &a);
    PUT(d->w, OPEN(NULL, '{'), U64("row", a.row - d->row_base), TEXT("id", a.id, a.id_length),
        hcbr_i_item_of_label("truth", d->e, a.truth), hcbr_i_item_of_label("label", d->e, a.label),
        NUMBER("size", p->size), NUMBER("share", p->share), CLOSE('}'));
}

/* The first cases of a list that are right, or wrong; from the end where `last`. */
static void put_list(drawing *d, const char *key, int wanted, bool last) {
    size_t shown = 0;
    PUT(d->w, OPEN(key, '['));
    for (size_t n = 0; n < d->count && shown < CASES; n++) {
        const placed *p = &d->list[last ? d->count - 1 - n : n];
        if (wanted >= 0 && (p->right != (wanted == 1) || !p->decided))
            continue;
        put_case(d, p);
        shown++;
    }
    PUT(d->w, CLOSE(']'));
}

/* ---- all curves ------------------------------------------------------------------------------ */

static hcbr_status put_labels(drawing *d, hcbr_error *err) {
    bool one = d->info.labels == 2 && d->info.positive >= 0;
    uint32_t count = one ? 1 : d->info.labels < LABELS ? d->info.labels : LABELS;
    hcbr_status st = HCBR_OK;
    PUT(d->w, OPEN("labels", '['));
    for (uint32_t l = 0; st == HCBR_OK && l < count; l++)
        st = put_label(d, one ? d->info.positive : (hcbr_label)l, err);
    PUT(d->w, CLOSE(']'));
    return st;
}

static hcbr_status put_all(drawing *d, hcbr_error *err) {
    PUT(d->w, OPEN(NULL, '{'), STRING("schema", "hcbr.curves/1"), U64("cases", d->count),
        U64("label_count", d->info.labels), BOOL("probabilities", d->info.probabilities));
    hcbr_status st = put_labels(d, err);
    if (st != HCBR_OK)
        return st;
    put_histogram(d);
    put_plane(d);
    qsort(d->list, d->count, sizeof *d->list, compare_certain);
    put_list(d, "typical", 1, false);
    put_list(d, "contested", -1, true);
    put_list(d, "mistaken", 0, false);
    return hcbr_write_end(d->w, HCBR_JSON, err);
}

hcbr_status hcbr_json_curves(hcbr_writer *w, const hcbr_evaluation *evaluation, uint64_t row_base,
                             hcbr_error *err) {
    if (HCBR_I_NULL(err, w, evaluation))
        return HCBR_EUSAGE;
    drawing d = {.w = w, .e = evaluation, .row_base = row_base};
    hcbr_error why = {0};
    d.info.size = sizeof d.info;
    hcbr_evaluation_get_info(evaluation, &d.info);
    hcbr_status st = take_answers(&d, &why);
    if (st == HCBR_OK)
        st = put_all(&d, &why);
    if (st != HCBR_OK)
        hcbr_i_writer_fail(w, &why);
    hcbr_i_free(d.list);
    return hcbr_i_writer_status(w, err);
}
