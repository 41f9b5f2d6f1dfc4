/*
 * Signatures of features: the sum of the hashes of the cases that contain them (METHOD 2.1).
 *
 * Sums of integers do not depend on the order of the terms, so any number of threads gives the
 * same signatures; each thread has its own table and the tables are added up.
 */
#include "plain/signature.h"

typedef struct sign_job {
    const struct hcbr_cases *cases;
    uint64_t key;
    hcbr_i_signature **tables; /* one per worker */
    uint32_t workers;
    uint32_t feature_count;
} sign_job;

#define NEAR 16384u  /* signatures that a second-level cache holds */
#define PIECE 65536u /* signatures that are cleared together */
#define AHEAD 60     /* occurrences between a prefetch and its use, at most HCBR_I_SLACK */

/* `far`, a compile-time constant: the table does not fit into a near cache. */
static inline __attribute__((always_inline)) void
sign_range(const sign_job *job, uint32_t worker, uint64_t begin, uint64_t end, bool far) {
    const hcbr_i_feature_id *features = job->cases->features;
    const uint64_t *start = job->cases->start;
    hcbr_i_signature *table = job->tables[worker];
    for (uint64_t i = begin; i < end; i++) {
        uint64_t hash = hcbr_i_mix(i ^ job->key);
        uint32_t label = job->cases->label[i];
        for (uint64_t j = start[i]; j < start[i + 1]; j++) {
            if (far)
                __builtin_prefetch(&table[features[j + AHEAD]], 1);
            hcbr_i_signature *s = &table[features[j]];
            s->sum += hash;
            s->count++;
            s->labels += label;
        }
    }
}

/* The tables of all workers, all zero; by pieces of PIECE, so that all threads touch new memory in
 * parallel. */
static void clear_piece(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const sign_job *job = context;
    const uint64_t pieces = job->feature_count / PIECE + 1;
    (void)worker;
    for (uint64_t n = begin; n < end; n++) {
        uint64_t first = n % pieces * PIECE, left = job->feature_count - first;
        memset(job->tables[n / pieces] + first, 0,
               (left < PIECE ? left : PIECE) * sizeof **job->tables);
    }
}

static void sign_cases(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const sign_job *job = context;
    if (job->feature_count > NEAR)
        sign_range(job, worker, begin, end, true);
    else
        sign_range(job, worker, begin, end, false);
}

static void add_tables(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const sign_job *job = context;
    (void)worker;
    for (uint32_t w = 1; w < job->workers; w++)
        for (uint64_t f = begin; f < end; f++) {
            job->tables[0][f].sum += job->tables[w][f].sum;
            job->tables[0][f].count += job->tables[w][f].count;
            job->tables[0][f].labels += job->tables[w][f].labels;
        }
}

hcbr_status hcbr_i_signature_build(hcbr_i_signature **out, const struct hcbr_cases *cases,
                                   uint64_t key, const hcbr_i_means *means, hcbr_error *err) {
    uint32_t features = hcbr_i_dict_count(cases->dict), threads = means->threads;
    sign_job job = {cases, key, NULL, threads, features};
    hcbr_status st = HCBR_OK;
    *out = NULL;
    job.tables = hcbr_i_alloc_zero(threads, sizeof *job.tables);
    if (!job.tables)
        return hcbr_i_no_memory(err);
    for (uint32_t w = 0; w < threads && st == HCBR_OK; w++)
        if (!(job.tables[w] = hcbr_i_pool_take(means->pool, features, sizeof **job.tables)))
            st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, threads * (features / PIECE + UINT64_C(1)), 1, clear_piece,
                              &job, err);
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, cases->case_count, HCBR_I_CHUNK, sign_cases, &job, err);
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, features, HCBR_I_CHUNK, add_tables, &job, err);
    if (st == HCBR_OK) {
        *out = job.tables[0];
        job.tables[0] = NULL;
    }
    for (uint32_t w = 0; w < threads; w++)
        hcbr_i_pool_give(means->pool, job.tables[w], features, sizeof **job.tables);
    hcbr_i_free(job.tables);
    return st;
}

/* ---- digest: the content of a case base's fingerprint (docs/FORMAT.md) ----------------------- */

typedef struct digest_job {
    const hcbr_i_dict *dict;
    const hcbr_i_signature *signatures;
    size_t longest;      /* bytes of a name with the room for its digest */
    bool *numbers;       /* by key: all values are numbers */
    char **scratch;      /* one per worker, for long names */
    uint64_t (*sums)[2]; /* one per worker */
} digest_job;

#define SHORT 256 /* bytes of a name that fit on the stack, away from other threads */

static void digest_features(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const digest_job *job = context;
    char own[SHORT], *scratch = job->longest < SHORT ? own : job->scratch[worker];
    uint64_t sums[2] = {0, 0};
    for (uint64_t f = begin; f < end; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(job->dict, (hcbr_i_feature_id)f);
        uint64_t hash[2];
        hcbr_i_digest_value(hash, scratch, hcbr_i_dict_key(job->dict, x.key),
                            (hcbr_i_text){x.value, x.value_length}, job->numbers[x.key]);
        sums[0] += hash[0] * job->signatures[f].sum;
        sums[1] += hash[1] * job->signatures[f].sum;
    }
    job->sums[worker][0] += sums[0];
    job->sums[worker][1] += sums[1];
}

hcbr_status hcbr_i_signature_digest(uint64_t digest[2], const hcbr_i_dict *dict,
                                    const hcbr_i_signature *signatures, const hcbr_i_means *means,
                                    hcbr_error *err) {
    const uint32_t threads = means->threads;
    digest_job job = {dict,
                      signatures,
                      hcbr_i_dict_longest(dict) + HCBR_I_DIGEST_ROOM,
                      hcbr_i_alloc(hcbr_i_dict_key_count(dict), sizeof *job.numbers),
                      hcbr_i_alloc_zero(threads, sizeof *job.scratch),
                      hcbr_i_alloc_zero(threads, sizeof *job.sums)};
    bool ok = job.numbers && job.scratch && job.sums;
    for (uint32_t w = 0; ok && job.longest >= SHORT && w < threads; w++)
        ok = (job.scratch[w] = hcbr_i_alloc(job.longest, 1)) != NULL;
    digest[0] = digest[1] = 0;
    hcbr_status st =
        ok ? hcbr_i_dict_number_keys(dict, job.numbers, means->watch, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_means_run(means, hcbr_i_dict_count(dict), HCBR_I_CHUNK, digest_features, &job,
                              err);
    for (uint32_t w = 0; w < threads; w++) {
        if (st == HCBR_OK) {
            digest[0] += job.sums[w][0];
            digest[1] += job.sums[w][1];
        }
        if (job.scratch)
            hcbr_i_free(job.scratch[w]);
    }
    hcbr_i_free(job.numbers);
    hcbr_i_free(job.scratch);
    hcbr_i_free(job.sums);
    return st;
}
