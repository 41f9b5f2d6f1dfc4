/*
 * Atoms from signatures, and the projection of every case, which verifies them (METHOD 2.1).
 *
 * A candidate atom is a group of features of equal signature and count. Projecting a case emits the
 * atom of each feature that is its atom's first, and checks for the others that their first feature
 * was there. If all checks hold, every feature occurs only together with the first of its group,
 * and as often: the sets of cases are equal, and the candidates are the atoms. If one fails, new
 * hashes are drawn. Different groups differ in signature or count, hence in cases, so an atom is
 * never split.
 */
#include "plain/plain.h"

#include "plain/signature.h"

#include <stdatomic.h>

#define NEAR 65536u          /* atoms of features that a second-level cache holds */
#define FOLLOWER 0x80000000u /* flag: not the first feature of its atom */
#define AHEAD 60             /* occurrences between a prefetch and its use, at most HCBR_I_SLACK */

void hcbr_i_atoms_clear(hcbr_i_atoms *atoms) {
    hcbr_i_free(atoms->of);
    if (atoms->mass != atoms->size)
        hcbr_i_free(atoms->mass);
    hcbr_i_free(atoms->size);
    hcbr_i_free(atoms->degree);
    hcbr_i_free(atoms->labels);
    *atoms = (hcbr_i_atoms){0};
}

void hcbr_i_projections_clear(hcbr_i_projections *projections) {
    if (!projections->borrowed) {
        hcbr_i_free(projections->start);
        hcbr_i_free(projections->atoms);
    }
    *projections = (hcbr_i_projections){0};
}

/* ---- numbering ------------------------------------------------------------------------------- */

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

/* Stable sort by one digit, largest first; place[] has the count of each digit. */
static void sort_by_digit(uint64_t *to, const uint64_t *from, uint32_t count, int shift,
                          uint32_t *place) {
    uint32_t at = 0;
    for (uint32_t d = DIGITS; d-- > 0;) {
        uint32_t here = place[d];
        place[d] = at;
        at += here;
    }
    for (uint32_t n = 0; n < count; n++)
        to[place[(from[n] >> shift) % DIGITS]++] = from[n];
}

typedef struct number_job {
    hcbr_i_atoms *atoms;
    const uint32_t *first;
    const hcbr_i_signature *signatures;
    const uint64_t *order; /* by atom: its first feature, below its count */
} number_job;

static void number_firsts(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const number_job *job = context;
    (void)worker;
    for (uint64_t e = begin; e < end; e++) {
        if (e + AHEAD < end) {
            __builtin_prefetch(&job->signatures[(uint32_t)job->order[e + AHEAD]]);
            __builtin_prefetch(&job->atoms->of[(uint32_t)job->order[e + AHEAD]], 1);
        }
        uint32_t f = (uint32_t)job->order[e];
        job->atoms->of[f] = (uint32_t)e;
        job->atoms->size[e] = 1;
        job->atoms->degree[e] = job->signatures[f].count;
        job->atoms->labels[e] = job->signatures[f].labels;
    }
}

static void number_followers(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const number_job *job = context;
    (void)worker;
    for (uint64_t f = begin; f < end; f++)
        if (job->first[f] != f)
            job->atoms->of[f] = job->atoms->of[job->first[f]] | FOLLOWER;
}

/* List the first features with their counts, in order[0], by descending count; returns their
 * number. order[1] has as much room. */
static uint32_t sort_firsts(uint64_t *order[2], const uint32_t *first,
                            const hcbr_i_signature *signatures, uint32_t features) {
    uint32_t place[DIGITS] = {0}, count = 0, most = 0;
    for (uint32_t f = 0; f < features; f++) {
        if (first[f] != f)
            continue;
        uint32_t cases = signatures[f].count;
        order[0][count++] = (uint64_t)cases << 32 | f;
        most = cases > most ? cases : most;
        place[cases % DIGITS]++;
    }
    for (int shift = 0; shift < 32 && most >> shift; shift += DIGIT_BITS) {
        for (uint32_t n = 0; shift > 0 && n < count; n++)
            place[(order[0][n] >> (32 + shift)) % DIGITS]++;
        sort_by_digit(order[1], order[0], count, 32 + shift, place);
        memset(place, 0, sizeof place);
        uint64_t *swap = order[0];
        order[0] = order[1];
        order[1] = swap;
    }
    return count;
}

/* Number the atoms: by descending count, then by first feature. first[] names each group's
 * first. */
static hcbr_status number_atoms(hcbr_i_atoms *atoms, const uint32_t *first,
                                const hcbr_i_signature *signatures, const hcbr_i_means *means,
                                hcbr_error *err) {
    uint32_t features = atoms->feature_count, count = 0;
    hcbr_i_pool *pool = means->pool;
    uint64_t *order[2] = {hcbr_i_pool_take(pool, features, sizeof **order),
                          hcbr_i_pool_take(pool, features, sizeof **order)};
    bool ok = order[0] && order[1];
    if (ok) {
        atoms->count = count = sort_firsts(order, first, signatures, features);
        hcbr_i_pool_give(pool, order[1], features, sizeof **order);
        order[1] = NULL;
        atoms->of = hcbr_i_pool_take(pool, features, sizeof *atoms->of);
        atoms->size = hcbr_i_pool_take(pool, count, sizeof *atoms->size);
        atoms->degree = hcbr_i_pool_take(pool, count, sizeof *atoms->degree);
        atoms->labels = hcbr_i_pool_take(pool, count, sizeof *atoms->labels);
        ok = atoms->of && atoms->size && atoms->degree && atoms->labels;
    }
    number_job job = {atoms, first, signatures, order[0]};
    hcbr_status st = ok ? hcbr_i_means_run(means, count, HCBR_I_CHUNK, number_firsts, &job, err)
                        : hcbr_i_no_memory(err);
    if (st == HCBR_OK && count < features)
        st = hcbr_i_means_run(means, features, HCBR_I_CHUNK, number_followers, &job, err);
    for (uint32_t f = 0; st == HCBR_OK && count < features && f < features; f++)
        if (atoms->of[f] >= FOLLOWER)
            atoms->size[atoms->of[f] & ~FOLLOWER]++;
    hcbr_i_pool_give(pool, order[0], features, sizeof **order);
    hcbr_i_pool_give(pool, order[1], features, sizeof **order);
    return st;
}

/* ---- projection ------------------------------------------------------------------------------ */

/* Working memory of one thread. */
typedef struct project_scratch {
    uint32_t *mark;      /* last case (+ 1) that had the atom's first feature */
    uint32_t *followers; /* features of the current case that are not the first of their atom */
} project_scratch;

typedef struct project_job {
    const struct hcbr_cases *cases;
    const hcbr_i_atoms *atoms;
    hcbr_i_projections *projections;
    uint32_t *length; /* of the projection of each case */
    project_scratch *scratch;
    atomic_bool *refuted;
} project_job;

/*
 * Project one case to `out`, where its own features may be: the atoms, then the features that
 * follow, as many entries as the case has features. Returns the number of atoms. Below `limit` no
 * other thread writes over features. *held becomes false for a feature without the first of its
 * atom. `far`, a compile-time constant: prefetch.
 */
static inline __attribute__((always_inline)) size_t
project_case(const project_job *job, const project_scratch *scratch, uint64_t i, uint64_t limit,
             bool far, uint32_t *out, bool *held) {
    const hcbr_i_feature_id *features = job->cases->features;
    const uint32_t *of = job->atoms->of;
    uint32_t *followers = scratch->followers, *last = out;
    size_t follower_count = 0;
    for (uint64_t j = job->cases->start[i], end = job->cases->start[i + 1]; j < end; j++) {
        if (far && j + AHEAD < limit)
            __builtin_prefetch(&of[features[j + AHEAD]]);
        uint32_t feature = features[j], atom = of[feature];
        *last = atom;
        followers[follower_count] = feature;
        last += atom < FOLLOWER;
        follower_count += atom >= FOLLOWER;
    }
    if (!follower_count)
        return (size_t)(last - out);
    for (const uint32_t *e = out; e < last; e++)
        scratch->mark[*e] = (uint32_t)i + 1;
    for (size_t n = 0; n < follower_count; n++) {
        *held &= scratch->mark[of[followers[n]] & ~FOLLOWER] == (uint32_t)i + 1;
        last[n] = followers[n];
    }
    return (size_t)(last - out);
}

/* The projection of a case is written over its features in the base. */
static void project_chunk(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const project_job *job = context;
    const uint64_t *start = job->cases->start;
    const project_scratch *scratch = &job->scratch[worker];
    uint32_t *atoms = job->projections->atoms;
    bool held = true;
    if (job->atoms->feature_count > NEAR)
        for (uint64_t i = begin; i < end; i++)
            job->length[i] =
                (uint32_t)project_case(job, scratch, i, start[end], true, atoms + start[i], &held);
    else
        for (uint64_t i = begin; i < end; i++)
            job->length[i] =
                (uint32_t)project_case(job, scratch, i, start[end], false, atoms + start[i], &held);
    if (!held)
        atomic_store(job->refuted, true);
}

/* Close the gaps that followers left and count starts from the beginning. */
static void close_gaps(const project_job *job) {
    hcbr_i_projections *p = job->projections;
    uint64_t at = 0;
    for (uint64_t i = 0; i < p->case_count; i++) {
        uint64_t from = job->cases->start[i]; // may be the place that is written to
        if (at != from)
            memmove(p->atoms + at, p->atoms + from, job->length[i] * sizeof *p->atoms);
        p->start[i] = at;
        at += job->length[i];
    }
    p->start[p->case_count] = at;
    memset(p->atoms + at, 0, HCBR_I_SLACK * sizeof *p->atoms);
    if (p->borrowed)
        return;
    uint32_t *smaller = hcbr_i_realloc(p->atoms, at + HCBR_I_SLACK, sizeof *p->atoms);
    p->atoms = smaller ? smaller : p->atoms;
}

/* The atoms were refuted: restore the features of the case base, in another order. */
static hcbr_status restore(const project_job *job, hcbr_error *err) {
    const hcbr_i_projections *p = job->projections;
    uint32_t *first = hcbr_i_alloc(job->atoms->count, sizeof *first);
    if (!first)
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < job->atoms->feature_count; f++)
        if (job->atoms->of[f] < FOLLOWER)
            first[job->atoms->of[f]] = f;
    for (uint64_t i = 0; i < p->case_count; i++)
        for (uint64_t j = 0; j < job->length[i]; j++) {
            uint32_t *entry = &p->atoms[job->cases->start[i] + j];
            *entry = first[*entry];
        }
    hcbr_i_free(first);
    return HCBR_OK;
}

static uint64_t longest_case(const struct hcbr_cases *cases) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < cases->case_count; i++) {
        uint64_t length = cases->start[i + 1] - cases->start[i];
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Project all cases; *refuted: the candidates are not atoms, and the features are restored. */
static hcbr_status project(hcbr_i_projections *projections, const struct hcbr_cases *cases,
                           const hcbr_i_atoms *atoms, const hcbr_i_partition_options *options,
                           const hcbr_i_means *means, bool *refuted, hcbr_error *err) {
    atomic_bool failed = false;
    uint32_t threads = options->threads;
    uint64_t occurrences = cases->start[cases->case_count];
    size_t longest = (size_t)longest_case(cases);
    project_job job = {cases, atoms, projections, NULL, NULL, &failed};
    hcbr_status st;
    *projections =
        (hcbr_i_projections){.case_count = cases->case_count, .borrowed = options->in_place};
    if (options->in_place) {
        projections->start = cases->start;
        projections->atoms = cases->features;
    } else {
        projections->start =
            hcbr_i_pool_take(options->pool, (size_t)cases->case_count + 1, sizeof(uint64_t));
        projections->atoms =
            hcbr_i_pool_take(options->pool, (size_t)occurrences + HCBR_I_SLACK, sizeof(uint32_t));
    }
    job.length = hcbr_i_pool_take(options->pool, cases->case_count, sizeof *job.length);
    job.scratch = hcbr_i_alloc_zero(threads, sizeof *job.scratch);
    bool ok = projections->start && projections->atoms && job.length && job.scratch;
    size_t marks = atoms->count < atoms->feature_count ? atoms->count : 0; // otherwise every
                                                                           // feature is a first one
    for (uint32_t w = 0; ok && w < threads; w++) {
        job.scratch[w].mark = hcbr_i_pool_take_zero(options->pool, marks, sizeof(uint32_t));
        job.scratch[w].followers = hcbr_i_alloc(longest + 1, sizeof(uint32_t));
        ok = job.scratch[w].mark && job.scratch[w].followers;
    }
    st = ok ? hcbr_i_means_run(means, cases->case_count, HCBR_I_CHUNK, project_chunk, &job, err)
            : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        *refuted = atomic_load(&failed);
        if (!*refuted)
            close_gaps(&job);
        else if (options->in_place)
            st = restore(&job, err);
    }
    for (uint32_t w = 0; job.scratch && w < threads; w++) {
        hcbr_i_pool_give(options->pool, job.scratch[w].mark, marks, sizeof(uint32_t));
        hcbr_i_free(job.scratch[w].followers);
    }
    hcbr_i_free(job.scratch);
    hcbr_i_pool_give(options->pool, job.length, cases->case_count, sizeof *job.length);
    return st;
}

static void drop_flags(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    uint32_t *of = context;
    (void)worker;
    for (uint64_t f = begin; f < end; f++)
        of[f] &= ~FOLLOWER;
}

/* ---- a partition ----------------------------------------------------------------------------- */

/* One attempt with hashes of one key. *refuted: try another. */
static hcbr_status attempt(hcbr_i_atoms *atoms, hcbr_i_projections *projections,
                           const struct hcbr_cases *cases, const hcbr_i_partition_options *options,
                           uint64_t key, uint64_t mask, uint64_t *digest, bool *refuted,
                           hcbr_error *err) {
    // the number of attempts is not known
    const hcbr_i_watch watch = {options->progress, options->progress_context, "partition", 0, 0};
    const hcbr_i_means means = {options->threads, options->pool, &watch};
    hcbr_i_pool *pool = options->pool;
    hcbr_i_signature *signatures = NULL;
    uint32_t *first = NULL;
    *atoms = (hcbr_i_atoms){.feature_count = hcbr_i_dict_count(cases->dict)};
    hcbr_status st = hcbr_i_signature_build(&signatures, cases, key, &means, err);
    if (st == HCBR_OK && digest)
        st = hcbr_i_signature_digest(digest, cases->dict, signatures, &means, err);
    if (st == HCBR_OK && !(first = hcbr_i_pool_take(pool, atoms->feature_count, sizeof *first)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_signature_group(first, signatures, atoms->feature_count, mask, &means, err);
    if (st == HCBR_OK)
        st = number_atoms(atoms, first, signatures, &means, err);
    hcbr_i_pool_give(pool, first, atoms->feature_count, sizeof *first);
    hcbr_i_pool_give(pool, signatures, atoms->feature_count, sizeof *signatures);
    if (st == HCBR_OK)
        st = project(projections, cases, atoms, options, &means, refuted, err);
    return st;
}

hcbr_status hcbr_i_partition_build(hcbr_i_atoms *atoms, hcbr_i_projections *projections,
                                   const struct hcbr_cases *cases,
                                   const hcbr_i_partition_options *options, hcbr_error *err) {
    uint64_t digest[2], key = 0, mask = options->forged_mask ? options->forged_mask : UINT64_MAX;
    hcbr_status st = HCBR_OK;
    bool refuted = true;
    *projections = (hcbr_i_projections){0};
    /* The first key is fixed, for the digest; data cannot be prepared against the others. */
    for (uint32_t n = 1; st == HCBR_OK && refuted; n++) {
        st = attempt(atoms, projections, cases, options, key, mask, n == 1 ? digest : NULL,
                     &refuted, err);
        if (st != HCBR_OK || refuted) {
            hcbr_i_atoms_clear(atoms);
            hcbr_i_projections_clear(projections);
        }
        if (options->attempts)
            *options->attempts = n;
        key = hcbr_i_hash_key_make(0).a;
        mask = UINT64_MAX;
    }
    if (st != HCBR_OK)
        return st;
    hcbr_i_parallel(options->threads, atoms->feature_count, HCBR_I_CHUNK, drop_flags, atoms->of);
    atoms->signature_digest[0] = digest[0];
    atoms->signature_digest[1] = digest[1];
    atoms->mass = atoms->size;
    atoms->mass_all = atoms->feature_count;
    return HCBR_OK;
}
