/* A copy of a resolved scorer may borrow its computation. Whatever is set in it, it must mean what a scorer of the same
 * settings means that was never a copy; and where it is refused, it is refused in the same words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scorer/scorer.h"
#include "scorer_tools.h"

static const char *const bases[] = {
    "metric=log-loss; rows=6",
    "metric=log-loss; rows=6; clip=0.01; clip-mode=clip; arithmetic=fp32; sum-arithmetic=fp64; decimals=5",
    "metric=log-loss; rows=6; classes=3; columns=all; log-ulps=3",
    "metric=log-loss; rows=6; weights=1,2,1,1,3,1",
    "metric=squared; rows=6; class-weights=1,2; counts=2,4",
    "scorer=sklearn/log_loss; rows=6; noise=gaussian:0.1",
    "metric=rmse; rows=6; targets=0:4:1",
    "metric=r2; rows=6; targets=0:4:1; undefined=0",
    "metric=f1; rows=6; zero-division=1",
    "metric=quadratic-kappa; rows=6; classes=4",
    "metric=auc; rows=6; public=0.5",
};

/* Each setting of the table that has a sample here, and some values that contradict others. */
static const char *const changes[][2] = {
    {"scorer", "sklearn/log_loss"},
    {"scorer", NULL},
    {"metric", "accuracy"},
    {"metric", "mae"},
    {"metric", "squared"},
    {"transform", "percent"},
    {"transform", "root"},
    {"rows", "7"},
    {"classes", "2"},
    {"classes", "3"},
    {"classes", "5"},
    {"targets", "0:3:1"},
    {"targets", "0:5:1"},
    {"targets", NULL},
    {"columns", "1"},
    {"columns", "all"},
    {"columns", "either"},
    {"clip", "0.02"},
    {"clip", NULL},
    {"clip-mode", "none"},
    {"clip-mode", "clip-renormalise"},
    {"clip-targets", "yes"},
    {"arithmetic", "exact"},
    {"arithmetic", "fp32"},
    {"sum", "naive"},
    {"sum-arithmetic", "fp64"},
    {"loss-arithmetic", "rows"},
    {"log-ulps", "7"},
    {"precision", "200"},
    {"decimals", "3"},
    {"digits", "4"},
    {"truncate", "yes"},
    {"noise", "laplace:0.2"},
    {"release", "ladder:0.01"},
    {"queries", "9"},
    {"prior", "0.7,0.3"},
    {"seed", "5"},
    {"zero-division", "0"},
    {"zero-division", "raise"},
    {"counts", "3,3"},
    {"counts", "4,3"},
    {"failures", "free"},
    {"public", "3"},
    {"public", NULL},
    {"also", "accuracy"},
    {"weights", "1,2,1,1,3,2"},
    {"weights", NULL},
    {"class-weights", "balanced"},
    {"class-weights", NULL},
    {"groups", "a*3,b*3"},
    {"undefined", "1"},
    {"undefined", NULL},
    {"threshold", "0.5"},
    {"start", "0.5"},
};

static void compare(const ll_scorer *a, const ll_scorer *b)
{
    const ll_computation *x = &a->computation, *y = &b->computation;
    assert_string_equal(ll_metric_row(x->metric)->name, ll_metric_row(y->metric)->name);
    assert_int_equal(ll_metric_target_count(x->metric), ll_metric_target_count(y->metric));
    for (long i = 0; i < ll_metric_target_count(x->metric); i++)
        assert_true(ll_metric_target_double(x->metric, i) == ll_metric_target_double(y->metric, i));
    assert_string_equal(x->arithmetic, y->arithmetic);
    assert_string_equal(x->sum_arithmetic, y->sum_arithmetic);
    assert_ptr_equal(x->rows.ops, y->rows.ops);
    assert_ptr_equal(x->term.ops, y->term.ops);
    assert_ptr_equal(x->total.ops, y->total.ops);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->order, y->order);
    assert_int_equal(x->clip_mode, y->clip_mode);
    assert_int_equal(x->columns, y->columns);
    assert_int_equal(x->zero_division, y->zero_division);
    assert_int_equal(x->has_undefined, y->has_undefined);
    assert_int_equal(x->precision, y->precision);
    assert_int_equal(x->is_weighted, y->is_weighted);
    assert_int_equal(x->is_balanced, y->is_balanced);
    assert_int_equal(x->knows_total, y->knows_total);
    assert_true(x->log_ulps == y->log_ulps && x->undefined == y->undefined);
    assert_int_equal(ll_exact_cmp(&x->low, &y->low), 0);
    assert_int_equal(ll_exact_cmp(&x->high, &y->high), 0);
    assert_int_equal(x->weight_count, y->weight_count);
    assert_true((x->weights == NULL) == (y->weights == NULL));
    assert_true((x->class_weights == NULL) == (y->class_weights == NULL));
    for (long i = 0; i < x->weight_count && x->weights != NULL; i++)
        assert_true(x->weights[i] == y->weights[i]);
    for (long i = 0; i < x->weight_count && x->class_weights != NULL; i++)
        assert_true(x->class_weights[i] == y->class_weights[i]);
    assert_true(arb_equal(x->weight_total, y->weight_total));
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->number_count, b->number_count);
    for (long i = 0; a->numbers != NULL && i < a->number_count; i++)
        compare(a->numbers[i], b->numbers[i]);
}

/* The same settings, and nothing to borrow from. */
static ll_status make_fresh(ll_scorer **out, const ll_scorer *base, const char *name, const char *value,
                            ll_error *error)
{
    ll_scorer *fresh = NULL;
    assert_int_equal(ll_scorer_copy(&fresh, base, NULL), LL_OK);
    ll_scorer_borrow(fresh, NULL);
    ll_status status = ll_scorer_set(fresh, name, value, error);
    if (status == LL_OK)
        status = ll_scorer_resolve(fresh, NULL, error);
    if (status == LL_OK)
        assert_false(fresh->is_borrowed);
    *out = fresh;
    return status;
}

static void copies(void **state)
{
    long borrowed = 0, own = 0, refused = 0;
    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        for (size_t j = 0; j < sizeof changes / sizeof changes[0]; j++) {
            ll_scorer *base = scorer_of_text("%s", bases[i]), *fresh = NULL, *varied = NULL;
            ll_error one = {0}, other = {0};
            ll_status status = make_fresh(&fresh, base, changes[j][0], changes[j][1], &one);
            assert_int_equal(ll_scorer_vary(&varied, base, &other, changes[j][0], changes[j][1], NULL), status);
            assert_string_equal(one.text, other.text);
            ll_scorer_destroy(base); /* whoever borrows keeps it */
            if (status == LL_OK)
                compare(varied, fresh);
            refused += status != LL_OK;
            borrowed += status == LL_OK && varied->is_borrowed;
            own += status == LL_OK && !varied->is_borrowed;
            ll_scorer_destroy(varied);
            ll_scorer_destroy(fresh);
        }
    print_message("%ld borrowed, %ld with a computation of their own, %ld refused\n", borrowed, own, refused);
    assert_true(borrowed > 100 && own > 50 && refused > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
