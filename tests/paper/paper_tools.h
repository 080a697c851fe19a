/* Tools of the paper's tests: Lambda of numbers and of plans, exactly. */
#ifndef LL_TESTS_PAPER_TOOLS_H
#define LL_TESTS_PAPER_TOOLS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"

typedef struct {
    const double *entries;
    long columns;
} paper_rows;

static ll_status paper_get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const paper_rows *r = self;
    ll_exact *array = ll_block_reserve_exacts(out, count, r->columns);
    char text[64];
    for (long i = 0; array && i < count * r->columns; i++) {
        (void)snprintf(text, sizeof text, "%a", r->entries[first * r->columns + i]);
        if (ll_exact_read(array, i, text, strlen(text)) != LL_OK)
            return ll_fail(error, LL_DOMAIN, "%s is no number", text);
    }
    return array ? LL_OK : LL_MEMORY;
}

/* Lambda of predictions under a scorer that is exact but for its noise; proved, or the test fails. */
static double paper_separate(const ll_scorer *scorer, const ll_predictions *predictions, ll_truth *separable)
{
    ll_separation s;
    ll_error error;
    ll_separation_init(&s);
    if (ll_separate(&s, scorer, predictions, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_true(s.proved);
    double gap = s.gap.value;
    if (separable)
        *separable = s.separable;
    ll_separation_clear(&s);
    return gap;
}

/* Lambda of rows x columns doubles, taken as they are. */
static inline double paper_lambda(const char *loss, const double *entries, long rows, long columns)
{
    paper_rows r = {entries, columns};
    ll_predictions predictions = {
        .self = &r, .rows = rows, .columns = columns, .entries = LL_ENTRIES_EXACT, .get = paper_get};
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=%s; classes=%ld", loss, columns > 1 ? columns : 2);
    double gap = paper_separate(scorer, &predictions, NULL);
    ll_scorer_destroy(scorer);
    return gap;
}

/* Lambda of the one query that this library's code makes against noise tau; *separable: is it 2 tau? */
static inline double paper_plan_lambda(const char *loss, const char *code, long rows, long classes, const char *tau,
                                       ll_truth *separable)
{
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=%s; rows=%ld; classes=%ld; noise=bounded:%s", loss,
                                       rows, classes, tau);
    ll_plan_request request;
    ll_plan *plan;
    ll_predictions predictions;
    ll_error error;
    ll_plan_request_init(&request);
    request.code = code;
    request.block = rows;
    if (ll_plan_create(&plan, scorer, &request, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ll_plan_predictions(plan, &predictions, 0, &error), LL_OK);
    double gap = paper_separate(scorer, &predictions, separable);
    ll_plan_destroy(plan);
    ll_scorer_destroy(scorer);
    return gap;
}

#endif
