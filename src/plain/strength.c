/*
 * Strengths before training (METHOD 2.2-2.5).
 *
 * A case of the base is a union of whole atoms, so the sum under S of a case is the integer D_l(x)
 * = sum over its atoms of |e| d_l(e), and S_l(e) = |e|^2 d_l(e) / |F| * sum over x of 1/D_l(x). The
 * reciprocals are added up in fixed point: exactly the same for any order of cases and any number
 * of threads. |F| cancels in mu. Sizes |e| and |F| are sums of importances, if features have any
 * (METHOD 11). strength_binary.c handles the most frequent case, two labels and scope class.
 */
#include "plain/signature.h"
#include "plain/strength_build.h"

#define CHUNK 8192u      /* cases that a thread takes at a time */
#define ATOM_CHUNK 4096u /* atoms whose S are added up together, independent of threads */

/* The sums of an atom for one label. */
typedef struct cell {
    union {
        hcbr_i_sum sum; /* of 1/D_l(x) over the scope */
        double scaled;  /* afterwards: |F| S_l(e) */
    };
    uint64_t weight; /* |e| d_l(e) */
    uint32_t count;  /* d_l(e) */
    uint32_t label;
} cell;

typedef struct build_job {
    const struct hcbr_cases *cases;
    const hcbr_i_atoms *atoms;
    const hcbr_i_projections *projections;
    hcbr_scope scope;
    const hcbr_i_means *means;
    uint32_t label_count;
    bool binary;   /* two labels: the cells of atom e are 2e and 2e + 1 */
    uint64_t *row; /* otherwise: the cells of atom e are row[e] .. row[e+1] */
    cell *cells;
    uint64_t cell_count;
    hcbr_i_sum **sums;    /* by worker: sums of all cells; the first worker uses the cells */
    uint64_t **divisors;  /* by worker: D_l(x) by label, for scope all */
    double (*partial)[2]; /* two labels: sums of S by chunk of atoms */
    hcbr_i_strength *out;
} build_job;

/* ---- counts d_l(e) --------------------------------------------------------------------------- */

static void fill_binary(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const build_job *job = context;
    (void)worker;
    for (uint64_t e = begin; e < end; e++) {
        uint32_t size = job->atoms->mass[e], second = job->atoms->labels[e];
        uint32_t firsts = job->atoms->degree[e] - second;
        job->cells[2 * e] = (cell){{0}, (uint64_t)size * firsts, firsts, 0};
        job->cells[2 * e + 1] = (cell){{0}, (uint64_t)size * second, second, 1};
    }
}

static hcbr_status cells_binary(build_job *job, hcbr_error *err) {
    job->cell_count = (uint64_t)job->atoms->count * 2;
    job->cells = hcbr_i_alloc((size_t)job->cell_count, sizeof *job->cells);
    if (!job->cells)
        return hcbr_i_no_memory(err);
    return hcbr_i_means_run(job->means, job->atoms->count, ATOM_CHUNK, fill_binary, job, err);
}

/* Cases by label: list[first[l] .. first[l+1]) are the cases of label l. */
static void sort_cases(const struct hcbr_cases *cases, uint32_t *list, uint32_t *first) {
    uint32_t labels = cases->labels.count;
    for (uint32_t l = 0; l <= labels; l++)
        first[l] = 0;
    for (uint32_t i = 0; i < cases->case_count; i++)
        first[cases->label[i] + 1]++;
    for (uint32_t l = 0; l < labels; l++)
        first[l + 1] += first[l];
    for (uint32_t i = 0; i < cases->case_count; i++)
        list[first[cases->label[i]]++] = i;
    for (uint32_t l = labels; l > 0; l--)
        first[l] = first[l - 1];
    first[0] = 0;
}

/*
 * Visit the cases label by label. With cells NULL, count in row[e + 1] the labels of atom e;
 * otherwise fill the cells, next[e] being that of the current label plus one.
 */
static hcbr_status meet_labels(build_job *job, const uint32_t *list, const uint32_t *first,
                               uint32_t *last, uint64_t *next, hcbr_error *err) {
    const hcbr_i_projections *p = job->projections;
    hcbr_status st = HCBR_OK;
    memset(last, 0xFF, (size_t)job->atoms->count * sizeof *last);
    for (uint32_t l = 0; l < job->label_count; l++)
        for (uint32_t n = first[l]; n < first[l + 1]; n++) {
            if (n % CHUNK == 0 && (st = hcbr_i_watch_ask(job->means->watch, err)) != HCBR_OK)
                return st;
            for (uint64_t j = p->start[list[n]]; j < p->start[list[n] + 1]; j++) {
                uint32_t e = p->atoms[j];
                if (last[e] != l) {
                    last[e] = l;
                    if (job->cells)
                        job->cells[next[e]] = (cell){.label = l};
                    next[e]++;
                }
                if (job->cells)
                    job->cells[next[e] - 1].count++;
            }
        }
    return st;
}

static hcbr_status cells_many(build_job *job, hcbr_error *err) {
    uint32_t atoms = job->atoms->count;
    uint32_t *list = hcbr_i_alloc(job->cases->case_count, sizeof *list);
    uint32_t *first = hcbr_i_alloc((size_t)job->label_count + 1, sizeof *first);
    uint32_t *last = hcbr_i_alloc(atoms, sizeof *last);
    uint64_t *next = hcbr_i_alloc_zero(atoms, sizeof *next);
    job->row = hcbr_i_alloc((size_t)atoms + 1, sizeof *job->row);
    hcbr_status st = HCBR_OK;
    if (!list || !first || !last || !next || !job->row)
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        sort_cases(job->cases, list, first);
        st = meet_labels(job, list, first, last, next, err);
    }
    if (st == HCBR_OK) {
        uint64_t at = 0;
        for (uint32_t e = 0; e < atoms; e++) {
            job->row[e] = at;
            at += next[e];
            next[e] = job->row[e];
        }
        job->row[atoms] = job->cell_count = at;
        if (!(job->cells = hcbr_i_alloc((size_t)at, sizeof *job->cells)))
            st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK && (st = meet_labels(job, list, first, last, next, err)) == HCBR_OK) {
        for (uint32_t e = 0; e < atoms; e++)
            for (uint64_t c = job->row[e]; c < job->row[e + 1]; c++)
                job->cells[c].weight = (uint64_t)job->atoms->mass[e] * job->cells[c].count;
    }
    hcbr_i_free(list);
    hcbr_i_free(first);
    hcbr_i_free(last);
    hcbr_i_free(next);
    return st;
}

/* ---- sums of 1/D_l(x) ------------------------------------------------------------------------ */

/* The cell of an atom and a label that it has met. */
static inline uint64_t cell_of(const build_job *job, uint32_t atom, uint32_t label) {
    if (job->binary)
        return 2 * (uint64_t)atom + label;
    uint64_t low = job->row[atom], high = job->row[atom + 1] - 1;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (job->cells[middle].label < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline uint64_t cells_begin(const build_job *job, uint32_t atom) {
    return job->binary ? 2 * (uint64_t)atom : job->row[atom];
}

/* Scope class: a case adds to its own label only. */
static void sum_class(const build_job *job, hcbr_i_sum *sums, unsigned shift, uint64_t i) {
    const hcbr_i_projections *p = job->projections;
    uint32_t label = job->cases->label[i];
    uint64_t divisor = 0;
    for (uint64_t j = p->start[i]; j < p->start[i + 1]; j++)
        divisor += job->cells[cell_of(job, p->atoms[j], label)].weight;
    if (!divisor)
        return;
    hcbr_i_sum term = hcbr_i_sum_reciprocal(divisor);
    for (uint64_t j = p->start[i]; j < p->start[i + 1]; j++)
        sums[cell_of(job, p->atoms[j], label) << shift] += term;
}

/* Scope all: a case adds to every label that its atoms have met. */
static void sum_all(const build_job *job, hcbr_i_sum *sums, unsigned shift, uint64_t *divisors,
                    uint64_t i) {
    const hcbr_i_projections *p = job->projections;
    memset(divisors, 0, job->label_count * sizeof *divisors);
    for (uint64_t j = p->start[i]; j < p->start[i + 1]; j++) {
        uint32_t e = p->atoms[j];
        for (uint64_t c = cells_begin(job, e); c < cells_begin(job, e + 1); c++)
            divisors[job->cells[c].label] += job->cells[c].weight;
    }
    for (uint64_t j = p->start[i]; j < p->start[i + 1]; j++) {
        uint32_t e = p->atoms[j];
        for (uint64_t c = cells_begin(job, e); c < cells_begin(job, e + 1); c++)
            if (job->cells[c].weight)
                sums[c << shift] += hcbr_i_sum_reciprocal(divisors[job->cells[c].label]);
    }
}

static void sum_cases(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const build_job *job = context;
    /* the first worker adds into the cells themselves: a sum every sizeof(cell) bytes */
    hcbr_i_sum *sums = worker ? job->sums[worker] : &job->cells[0].sum;
    unsigned shift = worker ? 0 : 1;
    _Static_assert(sizeof(cell) == 2 * sizeof(hcbr_i_sum), "the shift above");
    for (uint64_t i = begin; i < end; i++)
        if (job->scope == HCBR_SCOPE_ALL)
            sum_all(job, sums, shift, job->divisors[worker], i);
        else
            sum_class(job, sums, shift, i);
}

static void add_sums(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const build_job *job = context;
    (void)worker;
    for (uint32_t w = 1; w < job->means->threads; w++)
        for (uint64_t c = begin; c < end; c++)
            job->cells[c].sum += job->sums[w][c];
}

static hcbr_status sum_reciprocals(build_job *job, hcbr_error *err) {
    const uint32_t threads = job->means->threads;
    job->sums = hcbr_i_alloc_zero(threads, sizeof *job->sums);
    job->divisors = hcbr_i_alloc_zero(threads, sizeof *job->divisors);
    bool ok = job->sums && job->divisors;
    for (uint32_t w = 0; ok && w < threads; w++) {
        if (w)
            job->sums[w] = hcbr_i_alloc_zero((size_t)job->cell_count, sizeof **job->sums);
        job->divisors[w] = hcbr_i_alloc(job->label_count, sizeof **job->divisors);
        ok = (!w || job->sums[w]) && job->divisors[w];
    }
    if (!ok)
        return hcbr_i_no_memory(err);
    hcbr_status st =
        hcbr_i_means_run(job->means, job->cases->case_count, CHUNK, sum_cases, job, err);
    if (st == HCBR_OK && threads > 1)
        st = hcbr_i_means_run(job->means, job->cell_count, CHUNK, add_sums, job, err);
    return st;
}

/* ---- S and mu -------------------------------------------------------------------------------- */

/* Replace the sum by |F| S_l(e). */
static inline double scale(cell *c, uint32_t size) {
    double sum = c->count ? hcbr_i_sum_value(c->sum) : 0;
    return c->scaled = (double)size * (double)size * (double)c->count * sum;
}

static void total_binary(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const build_job *job = context;
    double sums[2] = {0, 0};
    (void)worker;
    for (uint64_t e = begin; e < end; e++)
        for (uint32_t l = 0; l < 2; l++)
            sums[l] += scale(&job->cells[2 * e + l], job->atoms->mass[e]);
    job->partial[begin / ATOM_CHUNK][0] = sums[0];
    job->partial[begin / ATOM_CHUNK][1] = sums[1];
}

static double share(const cell *c, double total) {
    return total > 0 ? c->scaled / total : 0;
}

static void finish_binary(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const build_job *job = context;
    hcbr_i_strength *s = job->out;
    (void)worker;
    for (uint64_t e = begin; e < end; e++) {
        const cell *c = &job->cells[2 * e];
        double first = share(&c[0], s->total[0]);
        double second = share(&c[1], s->total[1]);
        s->mu[e] = hcbr_i_strength_difference(second, first);
        s->sigma[e] = second + first;
        s->d[2 * e] = c[0].count;
        s->d[2 * e + 1] = c[1].count;
    }
}

static hcbr_status mu_binary(build_job *job, hcbr_error *err) {
    hcbr_i_strength *s = job->out;
    uint32_t atoms = job->atoms->count, chunks = atoms / ATOM_CHUNK + 1;
    job->partial = hcbr_i_alloc_zero(chunks, sizeof *job->partial);
    s->mu = hcbr_i_alloc(atoms, sizeof *s->mu);
    s->sigma = hcbr_i_alloc(atoms, sizeof *s->sigma);
    s->d = hcbr_i_alloc((size_t)atoms * 2, sizeof *s->d);
    if (!job->partial || !s->mu || !s->sigma || !s->d)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_means_run(job->means, atoms, ATOM_CHUNK, total_binary, job, err);
    for (uint32_t c = 0; st == HCBR_OK && c < chunks; c++)
        for (uint32_t l = 0; l < 2; l++)
            s->total[l] += job->partial[c][l];
    if (st == HCBR_OK)
        st = hcbr_i_means_run(job->means, atoms, ATOM_CHUNK, finish_binary, job, err);
    return st;
}

static hcbr_status mu_many(build_job *job, hcbr_error *err) {
    hcbr_i_strength *s = job->out;
    uint32_t atoms = job->atoms->count;
    size_t cells = (size_t)job->cell_count;
    s->length = hcbr_i_alloc(atoms, sizeof *s->length);
    s->entry_label = hcbr_i_alloc(cells, sizeof *s->entry_label);
    s->entry_count = hcbr_i_alloc(cells, sizeof *s->entry_count);
    s->entry_mu = hcbr_i_alloc(cells, sizeof *s->entry_mu);
    if (!s->length || !s->entry_label || !s->entry_count || !s->entry_mu)
        return hcbr_i_no_memory(err);
    s->row = job->row;
    job->row = NULL;
    s->entry_count_all = cells;
    s->entry_capacity = cells;
    for (uint32_t e = 0; e < atoms; e++) {
        s->length[e] = (uint32_t)(s->row[e + 1] - s->row[e]);
        for (uint64_t c = s->row[e]; c < s->row[e + 1]; c++)
            s->total[job->cells[c].label] += scale(&job->cells[c], job->atoms->mass[e]);
    }
    for (uint32_t e = 0; e < atoms; e++)
        for (uint64_t c = s->row[e]; c < s->row[e + 1]; c++) {
            const cell *x = &job->cells[c];
            s->entry_label[c] = x->label;
            s->entry_count[c] = x->count;
            s->entry_mu[c] = share(x, s->total[x->label]);
        }
    return HCBR_OK;
}

/* ---- all strengths --------------------------------------------------------------------------- */

static void job_clear(build_job *job) {
    for (uint32_t w = 0; w < job->means->threads; w++) {
        if (job->sums)
            hcbr_i_free(job->sums[w]);
        if (job->divisors)
            hcbr_i_free(job->divisors[w]);
    }
    hcbr_i_free(job->sums);
    hcbr_i_free(job->divisors);
    hcbr_i_free(job->row);
    hcbr_i_free(job->cells);
    hcbr_i_free(job->partial);
}

static uint64_t occurrences(const hcbr_i_atoms *atoms) {
    uint64_t sum = 0;
    for (uint32_t e = 0; e < atoms->count; e++)
        sum += (uint64_t)atoms->mass[e] * atoms->degree[e];
    return sum;
}

hcbr_status hcbr_i_strength_build(hcbr_i_strength *out, const struct hcbr_cases *cases,
                                  const hcbr_i_atoms *atoms, const hcbr_i_projections *projections,
                                  hcbr_scope scope, const hcbr_i_means *means, hcbr_error *err) {
    uint32_t labels = cases->labels.count;
    *out = (hcbr_i_strength){.atom_count = atoms->count, .label_count = labels};
    build_job job = {.cases = cases,
                     .atoms = atoms,
                     .projections = projections,
                     .scope = scope,
                     .means = means,
                     .label_count = labels,
                     .binary = labels == 2,
                     .out = out};
    out->total = hcbr_i_alloc_zero(labels, sizeof *out->total);
    out->cases = hcbr_i_alloc_zero(labels, sizeof *out->cases);
    hcbr_status st = out->total && out->cases ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < cases->case_count; i++)
        out->cases[cases->label[i]]++;
    if (job.binary && scope == HCBR_SCOPE_CLASS && occurrences(atoms) <= UINT32_MAX) {
        if (st == HCBR_OK)
            st = hcbr_i_strength_binary(out, cases, atoms, projections, means, err);
    } else {
        if (st == HCBR_OK)
            st = job.binary ? cells_binary(&job, err) : cells_many(&job, err);
        if (st == HCBR_OK)
            st = sum_reciprocals(&job, err);
        if (st == HCBR_OK)
            st = job.binary ? mu_binary(&job, err) : mu_many(&job, err);
    }
    for (uint32_t l = 0; st == HCBR_OK && l < labels && atoms->feature_count; l++)
        out->total[l] /= (double)atoms->mass_all; /* mu is done: now S itself */
    job_clear(&job);
    if (st != HCBR_OK)
        hcbr_i_strength_clear(out);
    return st;
}
