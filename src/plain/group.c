/*
 * Groups of features of equal signature.
 *
 * Features are dealt into buckets by bits of their signature, in ascending order within a bucket,
 * so that each bucket can be grouped separately, in the cache and on any thread, and the first
 * feature found of a group is its smallest.
 */
#include "plain/signature.h"

#define BUCKET 2048u /* features in a bucket, about */
#define MOST_BUCKETS 4096u
#define PIECES 64u /* of the features, dealt independently */
#define AHEAD 24   /* features between a prefetch and its use */

typedef struct group_job {
    const hcbr_i_signature *signatures;
    uint64_t mask;
    uint32_t *first;
    uint32_t buckets;  /* a power of two */
    uint64_t piece;    /* features in a piece */
    uint32_t *offset;  /* [piece][bucket]: first counts, then positions */
    uint32_t *start;   /* [bucket] and one more */
    uint32_t *dealt;   /* features by bucket */
    uint32_t **tables; /* one per worker */
} group_job;

/* The bits that choose the bucket are mixed: masked signatures may have few of their own. */
static inline uint64_t spread(const group_job *job, uint64_t f) {
    return ((job->signatures[f].sum & job->mask) + job->signatures[f].count) * 0x9E3779B97F4A7C15u;
}

static inline uint32_t bucket_of(const group_job *job, uint64_t f) {
    return (uint32_t)(spread(job, f) >> 40) & (job->buckets - 1);
}

static void count_piece(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const group_job *job = context;
    uint32_t *count = job->offset + begin / job->piece * job->buckets;
    (void)worker;
    for (uint64_t f = begin; f < end; f++)
        count[bucket_of(job, f)]++;
}

static void deal_piece(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const group_job *job = context;
    uint32_t *offset = job->offset + begin / job->piece * job->buckets;
    (void)worker;
    for (uint64_t f = begin; f < end; f++)
        job->dealt[offset[bucket_of(job, f)]++] = (uint32_t)f;
}

/* A feature, and the job with its signature. */
typedef struct wanted {
    const group_job *job;
    uint32_t feature;
} wanted;

static bool is_free(const void *slot) {
    return *(const uint32_t *)slot == HCBR_I_NONE;
}

static bool is_same(const void *slot, const void *what) {
    const wanted *w = what;
    const hcbr_i_signature *x = &w->job->signatures[*(const uint32_t *)slot],
                           *y = &w->job->signatures[w->feature];
    return ((x->sum ^ y->sum) & w->job->mask) == 0 && x->count == y->count;
}

/* The table is of this bucket alone and stays in the cache: a slot is the number of a feature. */
static void group_bucket(const group_job *job, uint32_t *table, const uint32_t *list,
                         uint32_t count) {
    uint32_t size = 16;
    while (size < count * 2)
        size *= 2;
    memset(table, 0xFF, size * sizeof *table);
    for (uint32_t n = 0; n < count; n++) {
        if (n + AHEAD < count)
            __builtin_prefetch(&job->signatures[list[n + AHEAD]]);
        const wanted w = {job, list[n]};
        uint32_t *slot = hcbr_i_hash_slots_find(table, sizeof *table, size - 1,
                                                spread(job, w.feature) >> 8, is_free, is_same, &w);
        if (*slot == HCBR_I_NONE)
            *slot = w.feature;
        job->first[w.feature] = *slot;
    }
}

static void group_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const group_job *job = context;
    for (uint64_t b = begin; b < end; b++)
        group_bucket(job, job->tables[worker], job->dealt + job->start[b],
                     job->start[b + 1] - job->start[b]);
}

/* From counts to positions: by bucket, then by piece. */
static uint32_t place(group_job *job, uint32_t pieces) {
    uint32_t at = 0, largest = 0;
    for (uint32_t b = 0; b < job->buckets; b++) {
        job->start[b] = at;
        for (uint32_t p = 0; p < pieces; p++) {
            uint32_t *o = &job->offset[(size_t)p * job->buckets + b], count = *o;
            *o = at;
            at += count;
        }
        largest = at - job->start[b] > largest ? at - job->start[b] : largest;
    }
    job->start[job->buckets] = at;
    return largest;
}

static hcbr_status tables_create(group_job *job, uint32_t largest, uint32_t threads,
                                 hcbr_error *err) {
    size_t size = 16;
    while (size < (size_t)largest * 2)
        size *= 2;
    job->tables = hcbr_i_alloc_zero(threads, sizeof *job->tables);
    for (uint32_t w = 0; job->tables && w < threads; w++)
        if (!(job->tables[w] = hcbr_i_alloc(size, sizeof **job->tables)))
            return hcbr_i_no_memory(err);
    return job->tables ? HCBR_OK : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_signature_group(uint32_t *first, const hcbr_i_signature *signatures,
                                   uint32_t feature_count, uint64_t mask, const hcbr_i_means *means,
                                   hcbr_error *err) {
    const uint32_t threads = means->threads;
    group_job job = {.signatures = signatures, .mask = mask, .buckets = 1};
    job.first = first;
    while (job.buckets < MOST_BUCKETS && (uint64_t)job.buckets * BUCKET < feature_count)
        job.buckets *= 2;
    job.piece = (uint64_t)feature_count / PIECES + 1;
    uint32_t pieces = (uint32_t)((feature_count + job.piece - 1) / job.piece);
    hcbr_status st = HCBR_OK;
    job.offset = hcbr_i_alloc_zero((size_t)PIECES * job.buckets, sizeof *job.offset);
    job.start = hcbr_i_alloc((size_t)job.buckets + 1, sizeof *job.start);
    job.dealt = hcbr_i_pool_take(means->pool, feature_count, sizeof *job.dealt);
    if (!job.offset || !job.start || !job.dealt)
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, feature_count, job.piece, count_piece, &job, err);
    if (st == HCBR_OK) {
        uint32_t largest = place(&job, pieces);
        st = tables_create(&job, largest, threads, err);
    }
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, feature_count, job.piece, deal_piece, &job, err);
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, job.buckets, 1, group_buckets, &job, err);
    for (uint32_t w = 0; job.tables && w < threads; w++)
        hcbr_i_free(job.tables[w]);
    hcbr_i_free(job.tables);
    hcbr_i_free(job.offset);
    hcbr_i_free(job.start);
    hcbr_i_pool_give(means->pool, job.dealt, feature_count, sizeof *job.dealt);
    return st;
}
