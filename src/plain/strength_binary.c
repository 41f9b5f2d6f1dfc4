/*
 * Strengths before training with two labels and scope class (METHOD 2.2-2.5): as strength.c does,
 * in a quarter of the memory, which determines the time.
 *
 * A case adds only to its own label, so each label has an array of its own, by atom: the weight |e|
 * d_l(e) in the upper 32 bits of a cell and the sum of 1/D_l(x) in the lower 96. The weight fits as
 * long as there are fewer than 2^32 occurrences. The sum is at most 1, as each of its d_l(e) terms
 * is at most 1/d_l(e), and at the end never 0 if the label occurs: a sum of 1 carries into the
 * weight, which is no longer read, so 0 means 1.
 *
 * Threads that work on different labels share nothing. If a label has more than one thread, the
 * others have copies of its array, which are added up.
 */
#include "plain/signature.h"
#include "plain/strength_build.h"

#define AHEAD 96u        /* occurrences between a prefetch and its use, about */
#define NEAR 8192u       /* cells by label that a second-level cache holds */
#define ATOM_CHUNK 4096u /* atoms whose S are added up together, independent of threads */
#define SUM_BITS 96
#define RANGE 8192u /* cases summed between two progress calls */
#define BOTH 2u     /* as a label: the label of the case */

typedef hcbr_i_u128 cell;

/* Cases to be summed by one thread. */
typedef struct part {
    uint32_t label;      /* only cases of this label, or BOTH */
    uint32_t begin, end; /* cases */
    cell *cells[2];      /* by label, by atom */
    bool copied;         /* the array is the part's own, to be added to the first */
} part;

typedef struct binary_job {
    const struct hcbr_cases *cases;
    const hcbr_i_atoms *atoms;
    const hcbr_i_projections *projections;
    cell *cells[2];
    part *parts;
    uint32_t part_count;
    double (*partial)[2]; /* sums of S by chunk of atoms */
    const hcbr_i_means *means;
    hcbr_i_strength *out;
    atomic_bool stop; /* set if a progress call asked to stop */
    hcbr_error *err;  /* of the caller's thread */
} binary_job;

static inline uint32_t count_of(const hcbr_i_atoms *atoms, uint64_t e, uint32_t label) {
    return label ? atoms->labels[e] : atoms->degree[e] - atoms->labels[e];
}

static void fill_cells(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const binary_job *job = context;
    (void)worker;
    for (uint64_t e = begin; e < end; e++)
        for (uint32_t l = 0; l < 2; l++) {
            uint64_t weight = (uint64_t)job->atoms->mass[e] * count_of(job->atoms, e, l);
            job->cells[l][e] = (cell)weight << SUM_BITS;
        }
}

/* ---- sums of 1/D_l(x) ------------------------------------------------------------------------ */

/* Fetch the cells of cases from *next on until enough are on their way. */
static inline __attribute__((always_inline)) void fetch(const binary_job *job, const part *p,
                                                        uint32_t *next, uint64_t *fetched) {
    const hcbr_i_atom_id *atoms = job->projections->atoms;
    const uint64_t *start = job->projections->start;
    for (; *next < p->end && *fetched < AHEAD; ++*next) {
        uint32_t label = job->cases->label[*next];
        if (p->label != BOTH && label != p->label)
            continue;
        const cell *cells = p->cells[label];
        for (uint64_t j = start[*next]; j < start[*next + 1]; j++)
            __builtin_prefetch(&cells[atoms[j]], 1);
        *fetched += start[*next + 1] - start[*next];
    }
}

/* `far`, a compile-time constant: the cells do not fit into a near cache. */
static inline __attribute__((always_inline)) void sum_part(const binary_job *job, const part *p,
                                                           bool far) {
    const hcbr_i_atom_id *atoms = job->projections->atoms;
    const uint64_t *start = job->projections->start;
    uint64_t fetched = 0;
    uint32_t next = p->begin;
    for (uint32_t i = p->begin; i < p->end; i++) {
        uint32_t label = job->cases->label[i];
        if (p->label != BOTH && label != p->label)
            continue;
        if (far)
            fetch(job, p, &next, &fetched);
        cell *cells = p->cells[label];
        uint64_t divisor = 0, first = start[i], last = start[i + 1];
        fetched -= last - first;
        for (uint64_t j = first; j < last; j++)
            divisor += (uint32_t)(cells[atoms[j]] >> SUM_BITS);
        if (!divisor)
            continue;
        hcbr_i_sum term = hcbr_i_sum_reciprocal(divisor);
        for (uint64_t j = first; j < last; j++)
            cells[atoms[j]] += term;
    }
}

/* Sum one part for each thread; the caller's thread reports progress between its ranges. */
static void sum_parts(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    binary_job *job = context;
    (void)end; // parts come one by one
    part range = job->parts[begin];
    for (uint32_t last = range.end; range.begin < last; range.begin = range.end) {
        range.end = last - range.begin < RANGE ? last : range.begin + RANGE;
        if (atomic_load(&job->stop))
            return;
        if (worker == 0 && hcbr_i_watch_ask(job->means->watch, job->err) != HCBR_OK) {
            atomic_store(&job->stop, true);
            return;
        }
        if (job->atoms->count > NEAR)
            sum_part(job, &range, true);
        else
            sum_part(job, &range, false);
    }
}

/* Upper bits are ignored: every array began with the same weights. */
static void add_copies(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const binary_job *job = context;
    (void)worker;
    for (uint32_t n = 0; n < job->part_count; n++) {
        const part *p = &job->parts[n];
        for (uint64_t e = begin; p->copied && e < end; e++)
            job->cells[p->label][e] += p->cells[p->label][e];
    }
}

/*
 * The number of parts of a label's cases: threads in proportion. A thread is left idle rather than
 * copying an array for a fifth of its work.
 */
static uint32_t parts_of(uint64_t count, uint64_t all, uint32_t threads) {
    uint64_t fifths = count * threads * 5 / all;
    return fifths < 6 ? 1 : (uint32_t)((fifths + 3) / 5);
}

static bool parts_make(binary_job *job, uint32_t threads) {
    uint32_t cases = job->cases->case_count, label = 0;
    const uint64_t *by_label = job->out->cases;
    uint32_t first = parts_of(by_label[0], cases, threads);
    uint32_t second = parts_of(by_label[1], cases, threads);
    job->part_count = threads > 1 ? first + second : 1;
    job->parts = hcbr_i_alloc_zero(job->part_count, sizeof *job->parts);
    if (!job->parts)
        return false;
    if (threads <= 1) {
        job->parts[0] = (part){BOTH, 0, cases, {job->cells[0], job->cells[1]}, false};
        return true;
    }
    for (uint32_t n = 0; n < job->part_count; n++) {
        label = n >= first;
        uint64_t number = label ? n - first : n, count = label ? second : first;
        part *p = &job->parts[n];
        *p = (part){.label = label,
                    .begin = (uint32_t)(number * cases / count),
                    .end = (uint32_t)((number + 1) * cases / count),
                    .cells = {job->cells[0], job->cells[1]}};
        if (number == 0)
            continue;
        p->copied = true;
        p->cells[label] = hcbr_i_pool_take(job->means->pool, job->atoms->count, sizeof(cell));
        if (!p->cells[label])
            return false;
        memcpy(p->cells[label], job->cells[label], job->atoms->count * sizeof(cell));
    }
    return true;
}

/* ---- S and mu -------------------------------------------------------------------------------- */

/* |F| S_l(e) */
static inline double scaled(const binary_job *job, uint64_t e, uint32_t label) {
    double size = (double)job->atoms->mass[e];
    uint32_t count = count_of(job->atoms, e, label);
    hcbr_i_sum one = (hcbr_i_sum)1 << SUM_BITS, sum = job->cells[label][e] & (one - 1);
    if (count == 0)
        return 0;
    return size * size * (double)count * hcbr_i_sum_value(sum ? sum : one);
}

/* |F| S of both labels, which replace the cell of the first label. */
static void total_chunk(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const binary_job *job = context;
    double sums[2] = {0, 0};
    (void)worker;
    _Static_assert(sizeof(double[2]) == sizeof(cell), "they take its place");
    for (uint64_t e = begin; e < end; e++) {
        double both[2] = {scaled(job, e, 0), scaled(job, e, 1)};
        sums[0] += both[0];
        sums[1] += both[1];
        memcpy(&job->cells[0][e], both, sizeof both);
    }
    job->partial[begin / ATOM_CHUNK][0] = sums[0];
    job->partial[begin / ATOM_CHUNK][1] = sums[1];
}

static void finish_chunk(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const binary_job *job = context;
    hcbr_i_strength *s = job->out;
    (void)worker;
    for (uint64_t e = begin; e < end; e++) {
        double both[2];
        memcpy(both, &job->cells[0][e], sizeof both);
        double first = s->total[0] > 0 ? both[0] / s->total[0] : 0;
        double second = s->total[1] > 0 ? both[1] / s->total[1] : 0;
        s->mu[e] = hcbr_i_strength_difference(second, first);
        s->sigma[e] = second + first;
    }
}

static void count_chunk(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const binary_job *job = context;
    (void)worker;
    for (uint64_t e = begin; e < end; e++)
        for (uint32_t l = 0; l < 2; l++)
            job->out->d[2 * e + l] = count_of(job->atoms, e, l);
}

/* The cells of a label are no longer needed; their memory is reused. */
static void give_cells(binary_job *job, uint32_t label) {
    hcbr_i_pool_give(job->means->pool, job->cells[label], job->atoms->count, sizeof(cell));
    job->cells[label] = NULL;
}

static hcbr_status make_mu(binary_job *job, hcbr_error *err) {
    const hcbr_i_means *means = job->means;
    hcbr_i_strength *s = job->out;
    uint32_t atoms = job->atoms->count, chunks = atoms / ATOM_CHUNK + 1;
    job->partial = hcbr_i_alloc_zero(chunks, sizeof *job->partial);
    if (!job->partial)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_means_run(means, atoms, ATOM_CHUNK, total_chunk, job, err);
    if (st != HCBR_OK)
        return st;
    give_cells(job, 1);
    s->mu = hcbr_i_pool_take(means->pool, atoms, sizeof *s->mu);
    s->sigma = hcbr_i_pool_take(means->pool, atoms, sizeof *s->sigma);
    if (!s->mu || !s->sigma)
        return hcbr_i_no_memory(err);
    for (uint32_t c = 0; c < chunks; c++)
        for (uint32_t l = 0; l < 2; l++)
            s->total[l] += job->partial[c][l];
    st = hcbr_i_means_run(means, atoms, ATOM_CHUNK, finish_chunk, job, err);
    give_cells(job, 0);
    if (st == HCBR_OK && !(s->d = hcbr_i_pool_take(means->pool, (size_t)atoms * 2, sizeof *s->d)))
        st = hcbr_i_no_memory(err);
    return st == HCBR_OK ? hcbr_i_means_run(means, atoms, ATOM_CHUNK, count_chunk, job, err) : st;
}

/* ---- all strengths --------------------------------------------------------------------------- */

hcbr_status hcbr_i_strength_binary(hcbr_i_strength *out, const struct hcbr_cases *cases,
                                   const hcbr_i_atoms *atoms, const hcbr_i_projections *projections,
                                   const hcbr_i_means *means, hcbr_error *err) {
    hcbr_i_pool *pool = means->pool;
    binary_job job = {.cases = cases,
                      .atoms = atoms,
                      .projections = projections,
                      .means = means,
                      .out = out,
                      .err = err};
    job.cells[0] = hcbr_i_pool_take(pool, atoms->count, sizeof(cell));
    job.cells[1] = hcbr_i_pool_take(pool, atoms->count, sizeof(cell));
    hcbr_status st = job.cells[0] && job.cells[1]
                         ? hcbr_i_means_run(means, atoms->count, ATOM_CHUNK, fill_cells, &job, err)
                         : hcbr_i_no_memory(err);
    if (st == HCBR_OK && !parts_make(&job, means->threads))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        hcbr_i_parallel(means->threads, job.part_count, 1, sum_parts, &job);
    if (atomic_load(&job.stop))
        st = HCBR_ECANCELLED;
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, atoms->count, ATOM_CHUNK, add_copies, &job, err);
    if (st == HCBR_OK)
        st = make_mu(&job, err);
    for (uint32_t n = 0; job.parts && n < job.part_count; n++)
        if (job.parts[n].copied)
            hcbr_i_pool_give(pool, job.parts[n].cells[job.parts[n].label], atoms->count,
                             sizeof(cell));
    hcbr_i_free(job.parts);
    give_cells(&job, 0);
    give_cells(&job, 1);
    hcbr_i_free(job.partial);
    return st;
}
