/**
 * @file render_world.h
 * Models and cases whose names hold every kind of character, for the tests of what is written.
 */
#ifndef HCBR_TESTS_RENDER_WORLD_H
#define HCBR_TESTS_RENDER_WORLD_H

#include "base/base.h"

#include <hcbr/hcbr.h>

/** A list of cases and a model of it. */
typedef struct render_world {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_explainer *explainer;
    hcbr_row *row;
} render_world;

#define WORLD_FEATURES 3

/** A new case; static storage. */
extern const hcbr_feature world_case[WORLD_FEATURES];

/** Fails the test if that fails. */
render_world world_make(hcbr_model_kind kind, hcbr_keep keep);
void world_free(render_world *w);

/** Everything that can be written of a world, one after the other; the first failure. */
hcbr_status world_write(const render_world *world, hcbr_writer *w, hcbr_error *err);
/** The page of an explanation with all that can stand beside it. */
hcbr_status world_write_page(const render_world *world, hcbr_writer *w, hcbr_error *err);

#endif
