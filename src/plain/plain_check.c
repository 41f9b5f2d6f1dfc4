/*
 * Consistency of the plain engine's parts with each other and with the model (docs/FORMAT.md, the
 * column "rule"): every index is below its bound, every number finite, every count right.
 */
#include "plain/plain.h"

#include <math.h>

#define LL(x) ((unsigned long long)(x))
#define L(x) ((unsigned long)(x))

/* ---- atoms and strengths --------------------------------------------------------------------- */

/** The first atom without a feature, with no case or too many, or out of order; the number of atoms
 *  if all are good. */
static uint32_t first_wrong(const hcbr_i_atoms *a, const uint32_t *first, uint64_t filled) {
    uint64_t before = 0;
    for (uint32_t e = 0; e < a->count; e++) {
        // descending degree, then ascending first feature
        const uint64_t now = (uint64_t)~a->degree[e] << 32 | first[e];
        if ((a->size[e] == 0) | (a->degree[e] - (uint64_t)1 >= filled) | (now < before))
            return e;
        before = now;
    }
    return a->count;
}

/** Check sizes, degrees and order of the atoms, given the first feature of each. */
static hcbr_status check_order(const hcbr_i_plain *p, const hcbr_i_frame *m, const uint32_t *first,
                               hcbr_error *err) {
    const hcbr_i_atoms *a = &p->atoms;
    const uint64_t filled = m->case_count - m->empty_count;
    const uint32_t wrong = first_wrong(a, first, filled);
    uint64_t occurrences = 0, incidences = 0; // below 2^64: fewer than 2^31 features
    if (wrong < a->count && a->size[wrong] == 0)
        return hcbr_i_model_bad(err, HCBR_I_ATOMS, "atom %lu has no feature, expected one",
                                L(wrong));
    if (wrong < a->count && (a->degree[wrong] < 1 || a->degree[wrong] > filled))
        return hcbr_i_model_bad(err, HCBR_I_ATOMS, "atom %lu is in %lu cases, expected 1 to %llu",
                                L(wrong), L(a->degree[wrong]), LL(filled));
    if (wrong < a->count)
        return hcbr_i_model_bad(err, HCBR_I_ATOMS,
                                "atom %lu does not follow atom %lu, expected falling degree, "
                                "then first feature",
                                L(wrong), L(wrong - 1));
    for (uint32_t e = 0; e < a->count; e++) {
        occurrences += (uint64_t)a->size[e] * a->degree[e];
        incidences += a->degree[e];
    }
    if (occurrences != m->occurrence_count)
        return hcbr_i_model_bad(err, HCBR_I_FACTS, "%llu occurrences, expected %llu",
                                LL(m->occurrence_count), LL(occurrences));
    if (incidences < filled || (filled == 0) != (a->count == 0))
        return hcbr_i_model_bad(err, HCBR_I_FACTS, "%llu empty cases of %llu do not fit the atoms",
                                LL(m->empty_count), LL(m->case_count));
    return HCBR_OK;
}

static hcbr_status check_atoms(const hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_error *err) {
    const hcbr_i_atoms *a = &p->atoms;
    uint32_t *first = hcbr_i_alloc(a->count, sizeof *first);
    if (!first)
        return hcbr_i_no_memory(err);
    for (uint32_t f = a->feature_count; f-- > 0;)
        first[a->of[f]] = f;
    hcbr_status st = check_order(p, m, first, err);
    hcbr_i_free(first);
    return st;
}

static hcbr_status check_count(const hcbr_i_frame *m, uint32_t atom, uint32_t label, uint32_t count,
                               hcbr_error *err) {
    if (count > m->label_cases[label])
        return hcbr_i_model_bad(err, HCBR_I_STRENGTHS,
                                "atom %lu is in %lu cases of label %lu, expected at most %llu",
                                L(atom), L(count), L(label), LL(m->label_cases[label]));
    return HCBR_OK;
}

/** Two atoms side by side, their counts of both labels too: a quarter of the instructions. */
typedef int64_t both __attribute__((vector_size(16)));
typedef uint32_t counts __attribute__((vector_size(16)));

/** The test of check_two() for all atoms, two at once; *met as there. */
static bool is_two_good(const hcbr_i_strength *s, const uint64_t *label_cases, bool *met) {
    const hcbr_i_pair most = {HCBR_I_MOST_MU, HCBR_I_MOST_MU}, zero = {0, 0};
    const uint32_t first = (uint32_t)(label_cases[0] < UINT32_MAX ? label_cases[0] : UINT32_MAX);
    const uint32_t second = (uint32_t)(label_cases[1] < UINT32_MAX ? label_cases[1] : UINT32_MAX);
    const counts bound = {first, second, first, second};
    const size_t last = s->atom_count ? s->atom_count - 1 : 0;
    counts any = {0}, over = {0};
    both good = {-1, -1};
    for (size_t e = 0; e < last; e += 2) {
        hcbr_i_pair mu, sigma;
        counts d;
        memcpy(&mu, s->mu + e, sizeof mu);
        memcpy(&sigma, s->sigma + e, sizeof sigma);
        memcpy(&d, s->d + 2 * e, sizeof d);
        good &= (hcbr_i_pair_absolute(mu) <= most) & (sigma >= zero) & (sigma <= most);
        any |= d;
        over |= (counts)(d > bound);
    }
    if (s->atom_count % 2) {
        const uint32_t d[2] = {s->d[2 * last], s->d[2 * last + 1]};
        const bool fits = fabs(s->mu[last]) <= HCBR_I_MOST_MU && s->sigma[last] >= 0 &&
                          s->sigma[last] <= HCBR_I_MOST_MU && d[0] <= first && d[1] <= second;
        any |= (counts){d[0], d[1]};
        good &= (both){fits ? -1 : 0, -1};
    }
    met[0] = (any[0] | any[2]) > 0;
    met[1] = (any[1] | any[3]) > 0;
    return (good[0] & good[1]) == -1 && (over[0] | over[1] | over[2] | over[3]) == 0;
}

static hcbr_status check_two(const hcbr_i_plain *p, const hcbr_i_frame *m, bool *met,
                             hcbr_error *err) {
    const hcbr_i_strength *s = &p->strength;
    if (is_two_good(s, m->label_cases, met))
        return HCBR_OK;
    for (uint32_t e = 0; e < s->atom_count; e++) {
        const uint32_t *d = s->d + 2 * (size_t)e;
        hcbr_status st;
        if (!(fabs(s->mu[e]) <= HCBR_I_MOST_MU))
            return hcbr_i_model_bad(err, HCBR_I_STRENGTHS,
                                    "mu of atom %lu is %s, expected -1e150 to 1e150", L(e),
                                    hcbr_i_number_text(s->mu[e]).text);
        if (!(s->sigma[e] >= 0 && s->sigma[e] <= HCBR_I_MOST_MU))
            return hcbr_i_model_bad(err, HCBR_I_STRENGTHS,
                                    "sigma of atom %lu is %s, expected 0 to 1e150", L(e),
                                    hcbr_i_number_text(s->sigma[e]).text);
        for (uint32_t l = 0; l < 2; l++) {
            if ((st = check_count(m, e, l, d[l], err)) != HCBR_OK)
                return st;
            met[l] |= d[l] > 0;
        }
    }
    return HCBR_OK;
}

static hcbr_status check_sparse(const hcbr_i_plain *p, const hcbr_i_frame *m, bool *met,
                                hcbr_error *err) {
    const hcbr_i_strength *s = &p->strength;
    for (uint32_t e = 0; e < s->atom_count; e++) {
        uint64_t least = 0; // the least label allowed next
        for (uint64_t i = s->row[e]; i < s->row[e] + s->length[e]; i++) {
            const uint32_t label = s->entry_label[i];
            hcbr_status st;
            if (label < least || label >= s->label_count)
                return hcbr_i_model_bad(err, HCBR_I_STRENGTHS,
                                        "label %lu of atom %lu, expected %llu to %lu", L(label),
                                        L(e), LL(least), L(s->label_count - 1));
            if (!(fabs(s->entry_mu[i]) <= HCBR_I_MOST_MU))
                return hcbr_i_model_bad(err, HCBR_I_STRENGTHS,
                                        "mu of atom %lu is %s, expected -1e150 to 1e150", L(e),
                                        hcbr_i_number_text(s->entry_mu[i]).text);
            if ((st = check_count(m, e, label, s->entry_count[i], err)) != HCBR_OK)
                return st;
            met[label] |= s->entry_count[i] > 0;
            least = (uint64_t)label + 1;
        }
    }
    return HCBR_OK;
}

static hcbr_status check_strengths(const hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_error *err) {
    const hcbr_i_strength *s = &p->strength;
    for (uint32_t l = 0; l < s->label_count; l++)
        if (!isfinite(s->total[l]) || s->total[l] < 0)
            return hcbr_i_model_bad(err, HCBR_I_LABELS,
                                    "total of label %lu is %s, expected a number >= 0", L(l),
                                    hcbr_i_number_text(s->total[l]).text);
    bool *met = hcbr_i_alloc_zero(s->label_count, sizeof *met); // by label: whether it has any atom
    if (!met)
        return hcbr_i_no_memory(err);
    hcbr_status st = s->mu ? check_two(p, m, met, err) : check_sparse(p, m, met, err);
    for (uint32_t l = 0; l < s->label_count && st == HCBR_OK; l++) {
        // Each non-empty case of a label shares out 1, times the size of an atom, over |F|.
        double least = 0.5 / (double)p->atoms.mass_all, most = 2 * (double)m->case_count;
        if (met[l] && s->total[l] > 0 && !(s->total[l] >= least && s->total[l] <= most))
            st = hcbr_i_model_bad(err, HCBR_I_LABELS, "total of label %lu is %s, expected %s to %s",
                                  L(l), hcbr_i_number_text(s->total[l]).text,
                                  hcbr_i_number_text(least).text, hcbr_i_number_text(most).text);
        if (met[l] != (s->total[l] > 0))
            st = hcbr_i_model_bad(err, HCBR_I_LABELS, "total of label %lu is %s, expected %s", L(l),
                                  hcbr_i_number_text(s->total[l]).text,
                                  met[l] ? "more than 0" : "0");
    }
    hcbr_i_free(met);
    return st;
}

/* ---- kept cases ------------------------------------------------------------------------------ */

/** Facts counted from the kept cases, to be compared with the model's. */
typedef struct tally {
    uint64_t *label_cases; /**< by label */
    uint32_t *counts;      /**< as strength.d or strength.entry_count */
    uint32_t *last;        /**< by atom: number of the last case that had it, from 1 */
    uint64_t empty;
} tally;

/** Place of d^(l)(e) among the counts; false if the atom has no entry for the label. */
static bool count_place(const hcbr_i_strength *s, uint32_t atom, uint32_t label, uint64_t *place) {
    if (s->mu) {
        *place = 2 * (uint64_t)atom + label;
        return true;
    }
    uint64_t low = s->row[atom], end = low + s->length[atom], high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (s->entry_label[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    *place = low;
    return low < end && s->entry_label[low] == label;
}

static hcbr_status tally_case(const hcbr_i_plain *p, const hcbr_i_frame *m, tally *t, uint32_t i,
                              hcbr_error *err) {
    const uint32_t label = m->kept_label[i];
    const uint64_t first = p->kept.start[i], end = p->kept.start[i + 1];
    if (label >= m->label_count)
        return hcbr_i_model_bad(err, HCBR_I_CASES, "label of case %lu is %lu, expected below %lu",
                                L(i), L(label), L(m->label_count));
    t->label_cases[label]++;
    t->empty += first == end;
    for (uint64_t j = first; j < end; j++) {
        const uint32_t atom = p->kept.atoms[j];
        uint64_t place;
        if (atom >= p->atoms.count)
            return hcbr_i_model_bad(err, HCBR_I_CASES, "case %lu has atom %lu, expected below %lu",
                                    L(i), L(atom), L(p->atoms.count));
        if (t->last[atom] == i + 1)
            return hcbr_i_model_bad(err, HCBR_I_CASES, "case %lu has atom %lu twice", L(i),
                                    L(atom));
        t->last[atom] = i + 1;
        if (!count_place(&p->strength, atom, label, &place))
            return hcbr_i_model_bad(err, HCBR_I_CASES,
                                    "case %lu of label %lu has atom %lu, expected no such case",
                                    L(i), L(label), L(atom));
        t->counts[place]++;
    }
    return HCBR_OK;
}

static hcbr_status tally_compare(const hcbr_i_plain *p, const hcbr_i_frame *m, const tally *t,
                                 hcbr_error *err) {
    const hcbr_i_strength *s = &p->strength;
    if (t->empty != m->empty_count)
        return hcbr_i_model_bad(err, HCBR_I_CASES, "%llu cases are empty, expected %llu",
                                LL(t->empty), LL(m->empty_count));
    for (uint32_t l = 0; l < s->label_count; l++)
        if (t->label_cases[l] != m->label_cases[l])
            return hcbr_i_model_bad(err, HCBR_I_CASES, "%llu cases of label %lu, expected %llu",
                                    LL(t->label_cases[l]), L(l), LL(m->label_cases[l]));
    for (uint32_t e = 0; e < s->atom_count; e++) {
        const uint64_t first = s->mu ? 2 * (uint64_t)e : s->row[e];
        const uint64_t end = first + (s->mu ? 2 : s->length[e]);
        const uint32_t *expected = s->mu ? s->d : s->entry_count;
        for (uint64_t i = first; i < end; i++)
            if (t->counts[i] != expected[i])
                return hcbr_i_model_bad(err, HCBR_I_CASES,
                                        "%lu cases of label %lu have atom %lu, expected %lu",
                                        L(t->counts[i]), L(s->mu ? i - first : s->entry_label[i]),
                                        L(e), L(expected[i]));
    }
    return HCBR_OK;
}

static hcbr_status check_cases(const hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_error *err) {
    const hcbr_i_strength *s = &p->strength;
    const size_t places = s->mu ? 2 * (size_t)s->atom_count : (size_t)s->entry_count_all;
    hcbr_status st = HCBR_OK;
    tally t = {
        .label_cases = hcbr_i_alloc_zero(s->label_count, sizeof *t.label_cases),
        .counts = hcbr_i_alloc_zero(places, sizeof *t.counts),
        .last = hcbr_i_alloc_zero(s->atom_count, sizeof *t.last),
    };
    if (!t.label_cases || !t.counts || !t.last)
        st = hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < p->kept.case_count && st == HCBR_OK; i++)
        st = tally_case(p, m, &t, i, err);
    if (st == HCBR_OK)
        st = tally_compare(p, m, &t, err);
    hcbr_i_free(t.label_cases);
    hcbr_i_free(t.counts);
    hcbr_i_free(t.last);
    return st;
}

static hcbr_status check_moves(const hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_error *err) {
    const hcbr_i_moves *v = &p->moves;
    uint64_t wrong = 0; // below 2^64: fewer than 2^32 passes, each below 2^32
    for (uint32_t i = 0; i < m->passes; i++)
        wrong += m->pass_errors[i];
    if (v->count > wrong)
        return hcbr_i_model_bad(err, HCBR_I_MOVES, "%llu records, expected at most %llu",
                                LL(v->count), LL(wrong));
    for (uint64_t r = 0; r < v->count; r++) {
        const uint32_t label = v->decided[r];
        if (label >= m->label_count || label == m->kept_label[v->case_of[r]])
            return hcbr_i_model_bad(err, HCBR_I_MOVES,
                                    "record %llu is decided as label %lu, expected one below %lu "
                                    "and not its own",
                                    LL(r), L(label), L(m->label_count));
        if (r > 0 && (v->case_of[r] < v->case_of[r - 1] ||
                      (v->case_of[r] == v->case_of[r - 1] && label <= v->decided[r - 1])))
            return hcbr_i_model_bad(err, HCBR_I_MOVES,
                                    "record %llu is out of order, expected by case, then label",
                                    LL(r));
        if (v->start[r] == v->start[r + 1])
            return hcbr_i_model_bad(err, HCBR_I_MOVES, "record %llu is of case %lu, which is empty",
                                    LL(r), L(v->case_of[r]));
        for (uint64_t j = v->start[r]; j < v->start[r + 1]; j++)
            if (!isfinite(v->delta[j]) || v->delta[j] < 0)
                return hcbr_i_model_bad(err, HCBR_I_MOVES,
                                        "delta %s in record %llu, expected a number >= 0",
                                        hcbr_i_number_text(v->delta[j]).text, LL(r));
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_plain_check(const void *state, const hcbr_i_frame *m, bool fitted,
                               hcbr_error *err) {
    const hcbr_i_plain *p = state;
    (void)fitted;
    hcbr_status st;
    if ((st = check_atoms(p, m, err)) != HCBR_OK || (st = check_strengths(p, m, err)) != HCBR_OK ||
        m->keep == HCBR_KEEP_NONE || (st = check_cases(p, m, err)) != HCBR_OK)
        return st;
    return check_moves(p, m, err);
}
