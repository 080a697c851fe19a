/* Are rows as sure as they say? Rows of many answers by the failure that they state (the shares of all labels but their
 * own), and two tests that hold whatever rows of one answer have to do with each other:
 *
 *   - an answer has some wrong row among those of a level with at most the sum of their stated failures, and at most 1;
 *   - the part of them that is wrong has the mean of their stated failures as its mean, and is at most 1.
 *
 * Answers are independent, and Chernoff's bound needs no more. */
#ifndef LL_TESTS_ROW_TALLY_H
#define LL_TESTS_ROW_TALLY_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { ROW_LEVELS = 5, ROW_SURE = 2 }; /* the first two state 0.999 or more */
static const double row_edges[ROW_LEVELS] = {1e-6, 1e-3, 1e-2, 0.1, 1};

typedef struct {
    long rows, wrong;
    double stated;                  /* sum of stated failures */
    double some_stated, some_wrong; /* answers with a wrong row */
    double part_stated, part_wrong; /* sum over answers of the part of wrong rows */
} row_level;

typedef struct {
    row_level levels[ROW_LEVELS];
} row_tally;

/* P(X >= wrong) for independent numbers from 0 to 1 with means of this sum, at most: Chernoff's bound. */
static inline double row_chance(double expected, double wrong)
{
    return wrong <= expected ? 1 : expected <= 0 ? 0 : exp(wrong - expected - wrong * log(wrong / expected));
}

static inline void row_level_add(row_level *to, const row_level *one)
{
    to->rows += one->rows;
    to->wrong += one->wrong;
    to->stated += one->stated;
    to->some_stated += one->some_stated;
    to->some_wrong += one->some_wrong;
    to->part_stated += one->part_stated;
    to->part_wrong += one->part_wrong;
}

static inline void row_tally_add(row_tally *to, const row_tally *one)
{
    for (int i = 0; i < ROW_LEVELS; i++)
        row_level_add(&to->levels[i], &one->levels[i]);
}

/* One answer; rows without a label state nothing. */
static inline void row_tally_count(row_tally *t, const double *shares, const int32_t *given, const int32_t *labels,
                                   long rows, long classes)
{
    row_tally own = {0};
    for (long i = 0; i < rows; i++) {
        double failure = 0;
        int level = 0;
        if (given[i] < 0)
            continue;
        for (long k = 0; k < classes; k++)
            failure += k == given[i] ? 0 : shares[i * classes + k];
        assert_true(fabs(failure + shares[i * classes + given[i]] - 1) < 1e-9);
        while (level < ROW_LEVELS - 1 && failure > row_edges[level] * (1 + 1e-6))
            level++;
        row_level one = {.rows = 1, .wrong = given[i] != labels[i], .stated = failure};
        row_level_add(&own.levels[level], &one);
    }
    for (int i = 0; i < ROW_LEVELS; i++) {
        row_level *l = &own.levels[i];
        l->some_stated = fmin(l->stated, 1);
        l->some_wrong = l->wrong > 0;
        l->part_stated = l->rows > 0 ? l->stated / (double)l->rows : 0;
        l->part_wrong = l->rows > 0 ? (double)l->wrong / (double)l->rows : 0;
    }
    row_tally_add(t, &own);
}

static inline void row_tally_check(const row_tally *t, const char *name)
{
    for (int i = 0; i < ROW_LEVELS; i++) {
        const row_level *l = &t->levels[i];
        if (row_chance(l->some_stated, l->some_wrong) < 1e-6 || row_chance(l->part_stated, l->part_wrong) < 1e-6)
            fail_msg("%s: of %ld rows that state a failure of at most %g, %ld are wrong in %g answers, %.3g in %.3g "
                     "expected",
                     name, l->rows, row_edges[i], l->wrong, l->some_wrong, l->stated, l->some_stated);
    }
}

/* Rows that state 0.999 or more. */
static inline row_level row_tally_sure(const row_tally *t)
{
    row_level sure = {0};
    for (int i = 0; i < ROW_SURE; i++)
        row_level_add(&sure, &t->levels[i]);
    return sure;
}

#endif
