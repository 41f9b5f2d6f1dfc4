/*
 * Decisions on a large file by several threads: each decides the cases of the chunks that it has
 * parsed itself, with a decider of its own, and keeps the decisions; they are returned in the order
 * of the file.
 *
 * Invariants: decisions, rows, warnings and the place of a failure are those of one thread. The
 * decisions of a round are returned before the next round begins.
 */
#include "decide/stream.h"

/* A decision with its lists, by index in the lists of its piece. */
typedef struct kept {
    hcbr_decision decision; /* pointers into the lists are set when it is handed out */
    size_t first_unseen;
    bool has_probability;
} kept;

/* The decisions on a chunk. */
typedef struct piece {
    kept *kept;
    size_t count, capacity;
    double *values; /* supports, then probabilities, of each decision */
    size_t value_capacity;
    hcbr_feature *unseen;
    size_t unseen_count, unseen_capacity;
    hcbr_i_arena text;
} piece;

struct hcbr_i_rounds_decide {
    hcbr_decider **deciders; /* by worker */
    uint32_t threads;
    piece *pieces; /* by chunk */
    uint32_t piece_count;
    uint32_t labels;
    uint32_t ready; /* valid pieces of the current round */
    uint32_t now;   /* piece that is handed out */
    size_t next;    /* decision of it */
};

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_status hcbr_i_rounds_decide_create(hcbr_i_rounds_decide **out, const hcbr_decider *decider,
                                        hcbr_i_reader *reader, hcbr_error *err) {
    hcbr_i_rounds_decide *r = hcbr_i_alloc_zero(1, sizeof *r);
    hcbr_status st = HCBR_OK;
    *out = NULL;
    if (!r)
        return hcbr_i_no_memory(err);
    r->threads = hcbr_i_reader_threads(reader);
    r->piece_count = hcbr_i_reader_most_chunks(reader);
    r->labels = decider->model->labels.count;
    r->deciders = hcbr_i_alloc_zero(r->threads, sizeof *r->deciders);
    r->pieces = hcbr_i_alloc_zero(r->piece_count, sizeof *r->pieces);
    if (!r->deciders || !r->pieces)
        st = hcbr_i_no_memory(err);
    for (uint32_t t = 0; st == HCBR_OK && t < r->threads; t++)
        st = hcbr_i_decider_clone(&r->deciders[t], decider, err);
    if (st == HCBR_OK) {
        *out = r;
        r = NULL; // now the caller's
    }
    hcbr_i_rounds_decide_free(r);
    return st;
}

void hcbr_i_rounds_decide_free(hcbr_i_rounds_decide *r) {
    if (!r)
        return;
    for (uint32_t t = 0; r->deciders && t < r->threads; t++)
        hcbr_decider_free(r->deciders[t]);
    for (uint32_t c = 0; r->pieces && c < r->piece_count; c++) {
        piece *p = &r->pieces[c];
        hcbr_i_free(p->kept);
        hcbr_i_free(p->values);
        hcbr_i_free(p->unseen);
        hcbr_i_arena_clear(&p->text);
    }
    hcbr_i_free(r->deciders);
    hcbr_i_free(r->pieces);
    hcbr_i_free(r);
}

/* ---- in parallel: deciding ------------------------------------------------------------------- */

/* A copy of a text that lives as long as the piece. False: no memory. */
static bool keep_text(piece *p, const char **text, size_t length) {
    if (!*text)
        return true;
    char *copy = hcbr_i_arena_take(&p->text, length + 1);
    if (!copy)
        return false;
    if (length)
        memcpy(copy, *text, length);
    *text = copy;
    return true;
}

static bool keep_unseen(piece *p, kept *k) {
    const hcbr_decision *d = &k->decision;
    k->first_unseen = p->unseen_count;
    if (!hcbr_i_grow(&p->unseen, &p->unseen_capacity, p->unseen_count + d->unseen_count,
                     sizeof *p->unseen))
        return false;
    for (size_t n = 0; n < d->unseen_count; n++) {
        hcbr_feature *f = &p->unseen[p->unseen_count];
        *f = d->unseen[n];
        if (!keep_text(p, &f->key, f->key_length) || !keep_text(p, &f->value, f->value_length))
            return false;
        p->unseen_count++;
    }
    return true;
}

/* Keep a decision until it is handed out. */
static bool keep(const hcbr_i_rounds_decide *r, piece *p, const hcbr_decision *d) {
    size_t labels = r->labels, at = p->count * 2 * labels;
    if (!hcbr_i_grow(&p->kept, &p->capacity, p->count + 1, sizeof *p->kept) ||
        !hcbr_i_grow(&p->values, &p->value_capacity, at + 2 * labels, sizeof *p->values))
        return false;
    kept *k = &p->kept[p->count];
    *k = (kept){.decision = *d, .has_probability = d->probability != NULL};
    memcpy(p->values + at, d->support, labels * sizeof *p->values);
    if (d->probability)
        memcpy(p->values + at + labels, d->probability, labels * sizeof *p->values);
    if (!keep_text(p, &k->decision.id, d->id_length) ||
        !keep_text(p, &k->decision.given, d->given_length) || !keep_unseen(p, k))
        return false;
    p->count++;
    return true;
}

/* Decide the cases of a block of a chunk. */
static hcbr_status decide_block(void *context, uint32_t worker, uint32_t chunk,
                                const hcbr_i_block *block, hcbr_error *err) {
    hcbr_i_rounds_decide *r = context;
    hcbr_decider *decider = r->deciders[worker];
    piece *p = &r->pieces[chunk];
    hcbr_status st = hcbr_i_decider_load(decider, block, err);
    for (size_t c = 0; st == HCBR_OK && c < block->case_count; c++) {
        hcbr_decision d = {.size = sizeof d};
        st = hcbr_i_decider_run(decider, block, c, &d, err);
        hcbr_i_decision_place(&d, &block->cases[c]);
        if (st == HCBR_OK && !keep(r, p, &d))
            st = hcbr_i_no_memory(err);
    }
    return st;
}

/* ---- in sequence: returning decisions -------------------------------------------------------- */

/* Count the chunks of a round in, up to the first that failed; rows count over all files from now
 * on. The reader keeps a failure: it says so when it is read again, after these decisions. */
static void settle(hcbr_i_rounds_decide *r, hcbr_i_reader *reader, uint32_t chunks) {
    hcbr_status st = HCBR_OK;
    bool stop = false;
    for (uint32_t c = 0; st == HCBR_OK && !stop && c < chunks; c++) {
        uint64_t rows = 0;
        st = hcbr_i_reader_settle(reader, c, &rows, &stop, NULL);
        for (size_t n = 0; n < r->pieces[c].count; n++)
            r->pieces[c].kept[n].decision.row += rows;
        r->ready = c + 1;
    }
}

hcbr_status hcbr_i_rounds_decide_begin(hcbr_i_rounds_decide *r, hcbr_i_reader *reader, bool *any,
                                       hcbr_error *err) {
    uint32_t chunks = 0;
    r->ready = r->now = 0;
    r->next = 0;
    for (uint32_t c = 0; c < r->piece_count; c++) {
        r->pieces[c].count = r->pieces[c].unseen_count = 0;
        hcbr_i_arena_reset(&r->pieces[c].text);
    }
    hcbr_status st = hcbr_i_reader_round(reader, decide_block, r, &chunks, err);
    *any = chunks > 0;
    if (st == HCBR_OK)
        settle(r, reader, chunks);
    return st;
}

bool hcbr_i_rounds_decide_next(hcbr_i_rounds_decide *r, hcbr_decision *out) {
    while (r->now < r->ready && r->next == r->pieces[r->now].count) {
        r->now++;
        r->next = 0;
    }
    if (r->now >= r->ready)
        return false;
    piece *p = &r->pieces[r->now];
    const kept *k = &p->kept[r->next];
    const double *values = p->values + r->next * 2 * (size_t)r->labels;
    *out = k->decision;
    out->support = values;
    out->probability = k->has_probability ? values + r->labels : NULL;
    out->unseen = k->decision.unseen_count ? p->unseen + k->first_unseen : NULL;
    r->next++;
    return true;
}
