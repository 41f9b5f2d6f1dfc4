/*
 * The evolution strategy of the paper: an individual has a change delta of the strengths and, for
 * each component, the probability nu that it mutates. A child is made of two parents by two-point
 * crossover, or of one by mutation, which adds normal numbers to the components drawn by nu. The
 * best 100 of 100 parents and 100 children survive, so the best fitness never falls.
 *
 * The paper's width of a mutation, the least difference of two strengths over a factor found by
 * hand, is 0 if two strengths are equal. Here it is the standard deviation of the strengths.
 */
#include "space.h"

#include <math.h>

enum { PARENTS = 100, CHILDREN = 100, ALL = PARENTS + CHILDREN };
#define CROSSOVER 0.5 /* of the children; the others mutate */
#define MOST_NU 0.1   /* upper bound of the probabilities drawn */

typedef struct individual {
    double *mu; /* changed strengths */
    float *nu;
    double fitness;
} individual;

typedef struct population {
    individual all[ALL]; /* the parents first */
    double *mu_room;
    float *nu_room;
    double width;
    space_random random;
    const space_job *job;
    uint32_t atoms;
} population;

double space_uniform(space_random *r) {
    return (double)(study_mix(r->state++) >> 11) * 0x1p-53;
}

double space_normal(space_random *r) {
    double x, y, square, spare = r->spare;
    r->spare = NAN;
    if (!isnan(spare))
        return spare;
    do {
        x = 2 * space_uniform(r) - 1;
        y = 2 * space_uniform(r) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double scale = sqrt(-2 * log(square) / square);
    r->spare = y * scale;
    return x * scale;
}

static void mutate(population *p, individual *x) {
    for (uint32_t e = 0; e < p->atoms; e++)
        if (space_uniform(&p->random) < (double)x->nu[e])
            x->mu[e] += p->width * space_normal(&p->random);
}

static void copy(const population *p, individual *to, const individual *from) {
    memcpy(to->mu, from->mu, p->atoms * sizeof *to->mu);
    memcpy(to->nu, from->nu, p->atoms * sizeof *to->nu);
}

/* One parent, with the components between two points from the other. */
static void cross(population *p, individual *to, const individual *a, const individual *b) {
    uint32_t first = (uint32_t)(space_uniform(&p->random) * p->atoms);
    uint32_t last = (uint32_t)(space_uniform(&p->random) * p->atoms);
    uint32_t low = first < last ? first : last, count = first < last ? last - first : first - last;
    copy(p, to, a);
    if (p->atoms == 0)
        return;
    memcpy(to->mu + low, b->mu + low, (count + 1) * sizeof *to->mu);
    memcpy(to->nu + low, b->nu + low, (count + 1) * sizeof *to->nu);
}

static void measure(const population *p, individual *x) {
    x->fitness = space_fitness(p->job->train, p->job->mu, x->mu);
}

static int by_fitness(const void *a, const void *b) {
    const individual *x = a, *y = b;
    if (x->fitness != y->fitness)
        return x->fitness > y->fitness ? -1 : 1;
    return (x->mu > y->mu) - (x->mu < y->mu); // pointers into one array
}

static void begin(population *p) {
    const double *mu = p->job->mu;
    double mean = 0, squares = 0;
    p->mu_room = study_alloc((size_t)ALL * p->atoms, sizeof *p->mu_room);
    p->nu_room = study_alloc((size_t)ALL * p->atoms, sizeof *p->nu_room);
    for (uint32_t e = 0; e < p->atoms; e++)
        mean += mu[e] / p->atoms;
    for (uint32_t e = 0; e < p->atoms; e++)
        squares += (mu[e] - mean) * (mu[e] - mean) / p->atoms;
    p->width = sqrt(squares);
    for (int i = 0; i < ALL; i++) {
        individual *x = &p->all[i];
        x->mu = p->mu_room + (size_t)i * p->atoms;
        x->nu = p->nu_room + (size_t)i * p->atoms;
        if (i >= PARENTS)
            continue;
        memcpy(x->mu, mu, p->atoms * sizeof *mu);
        for (uint32_t e = 0; e < p->atoms; e++)
            x->nu[e] = (float)(MOST_NU * space_uniform(&p->random));
        if (i > 0) // the first is unchanged
            mutate(p, x);
        measure(p, x);
    }
    qsort(p->all, PARENTS, sizeof *p->all, by_fitness);
}

static void next_generation(population *p) {
    for (int i = PARENTS; i < ALL; i++) {
        individual *child = &p->all[i];
        const individual *a = &p->all[study_draw_below(&p->random.state, PARENTS)];
        if (space_uniform(&p->random) < CROSSOVER) {
            cross(p, child, a, &p->all[study_draw_below(&p->random.state, PARENTS)]);
        } else {
            copy(p, child, a);
            mutate(p, child);
        }
        measure(p, child);
    }
    qsort(p->all, ALL, sizeof *p->all, by_fitness);
}

hcbr_status space_evolve(double *out, double *fitness, const space_job *job, hcbr_error *err) {
    population p = {.job = job, .atoms = job->train->atom_count, .random = {job->seed, NAN}};
    hcbr_status st = HCBR_OK;
    begin(&p);
    fitness[0] = p.all[0].fitness;
    for (uint32_t g = 0; st == HCBR_OK && g < job->generations; g++) {
        next_generation(&p);
        fitness[g + 1] = p.all[0].fitness;
        st = study_stopped(job->stop, err);
    }
    if (st == HCBR_OK)
        memcpy(out, p.all[0].mu, p.atoms * sizeof *out);
    free(p.mu_room);
    free(p.nu_room);
    return st;
}
