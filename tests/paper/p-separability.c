/* The paper's statements about separability that do not hold as printed, each with the example that refutes it and the
 * statement that does hold (docs/errata.md, docs/proofs/bounds.md). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/scorer_tools.h"
#include "bounds.h"

#include <flint/flint.h>

/* ---- tools: predictions out of texts, Lambda as a double ---- */

typedef struct {
    const char *const *texts;
    long rows;
} rows_of;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const rows_of *r = self;
    ll_exact *array = ll_block_reserve_exacts(out, count, 1);
    for (long i = 0; array && i < count; i++) {
        const char *text = r->texts[first + i];
        if (ll_exact_read(array, i, text, strlen(text)) != LL_OK)
            return ll_fail(error, LL_DOMAIN, "%s is no number", text);
    }
    return array ? LL_OK : LL_MEMORY;
}

static ll_predictions predictions_of(rows_of *r)
{
    return (ll_predictions){.self = r, .rows = r->rows, .columns = 1, .entries = LL_ENTRIES_EXACT, .get = get};
}

static double lambda(const char *loss, const char *arithmetic, const char *const *texts, long rows)
{
    rows_of r = {texts, rows};
    ll_predictions predictions = predictions_of(&r);
    ll_separation s;
    ll_error error;
    ll_scorer *scorer = scorer_of_text("metric=%s; arithmetic=%s", loss, arithmetic);
    ll_separation_init(&s);
    if (ll_separate(&s, scorer, &predictions, NULL, &error) != LL_OK)
        fail_msg("%s", error.text);
    assert_true(s.proved);
    double gap = s.gap.value;
    ll_separation_clear(&s);
    ll_scorer_destroy(scorer);
    return gap;
}

/* ---- prop:FPAAPA ---- */

/* "If f_phi is tau-separable, so is f, and f_phi' for every larger phi'." One row, squared error at x = 0.28125. */
static void rounding_widens_a_gap(void **state)
{
    (void)state;
    static const char *const x[] = {"0.28125"};
    double small = lambda("squared", "fpa:5,4", x, 1);
    assert_true(small == 0.453125);
    assert_true(lambda("squared", "exact", x, 1) == 0.4375);   /* smaller than tau = 0.453125 */
    assert_true(lambda("squared", "fpa:5,5", x, 1) == 0.4375); /* a larger phi too */
}

/* Even a gap of 0 is opened: two rows are equal, so exactly Lambda = 0, but sums in another order round differently. */
static void rounding_opens_a_gap(void **state)
{
    (void)state;
    static const char *const x[] = {"0x1.5p-4", "0x1.4p-4", "0x1.4p-4"};
    assert_true(lambda("squared", "fpa:5,8", x, 3) == 0x1p-10);
    assert_true(lambda("squared", "exact", x, 3) == 0);
    assert_true(lambda("squared", "fpa:5,9", x, 3) == 0);
    assert_true(lambda("squared", "fpa:5,20", x, 3) == 0);
}

/* ---- prop:APAFPA ---- */

static double paper_phi(double tau)
{
    return fmax(2 * log2(tau) + 5, -2 * log2(tau) - 1);
}

static const char *const heavy_and_light[] = {"0x1p-60", "0.49"}; /* weights 60 ln 2 and 0.04 of a log-loss */

/* "phi >= max(2 log2 tau + 5, -2 log2 tau - 1) bits suffice": they hold the gap, not the scores. 11 should be enough
 * here; with 18 the two scores around 21 are one number; with 16 they are apart, by chance. */
static void the_scores_must_fit(void **state)
{
    (void)state;
    double tau = lambda("log-loss", "exact", heavy_and_light, 2);
    assert_true(fabs(tau - 0.02) < 1e-5);
    assert_true(paper_phi(tau) <= 11);
    assert_true(lambda("log-loss", "fpa:16", heavy_and_light, 2) > 0);
    assert_true(lambda("log-loss", "fpa:18", heavy_and_light, 2) == 0);
    assert_true(lambda("log-loss", "fpa:20", heavy_and_light, 2) > 0);
}

/* What does hold: the fraction needs about log2(largest score / gap) bits. `separate --bits` finds the size, and one
 * bit less collides. */
static void the_fraction_that_is_needed(void **state)
{
    (void)state;
    rows_of r = {heavy_and_light, 2};
    ll_predictions predictions = predictions_of(&r);
    ll_separation_bits b;
    ll_error error;
    ll_scorer *scorer = scorer_of_text("arithmetic=exact; metric=log-loss");
    ll_separation_bits_init(&b);
    assert_int_equal(ll_separate_bits(&b, scorer, &predictions, NULL, &error), LL_OK);
    assert_true(b.needed > 10 && b.needed < 10.1);
    assert_int_equal(b.fraction, 10);
    assert_int_equal(b.first_fraction, 8);
    assert_int_equal(b.exponent, 7);
    assert_int_equal(b.phi, 20);
    assert_int_equal(b.fraction_below.bits, 9);
    assert_false(b.fraction_below.overflows);
    assert_int_equal(b.fraction_below.witness[0], b.fraction_below.witness[2]);
    assert_int_not_equal(b.fraction_below.witness[1], b.fraction_below.witness[3]);
    ll_separation_bits_clear(&b);
    ll_scorer_destroy(scorer);
}

/* ---- thm:separability_monotonic ---- */

static void set_table(ll_block *block, const char *const *texts, long count)
{
    ll_exact *array = ll_block_reserve_exacts(block, count, 1);
    assert_non_null(array);
    for (long i = 0; i < count; i++)
        assert_int_equal(ll_exact_read(array, i, texts[i], strlen(texts[i])), LL_OK);
}

/* "Not tau-separable for any tau above half the least marginal": f({}) = 0, f({1}) = 3 is 3-separable. The bound
 * without the half is right, and met. */
static void half_a_marginal(void **state)
{
    (void)state;
    static const char *const one[] = {"0", "3"}, *const two[] = {"0", "1", "2", "3"};
    ll_block block;
    ll_table_separation t;
    ll_error error;
    ll_block_init(&block);
    ll_table_separation_init(&t);
    set_table(&block, one, 2);
    assert_int_equal(ll_separate_table(&t, block.exacts, 2, "1.4", NULL, &error), LL_OK); /* 2.8-separable, 2.8 > 3/2 */
    assert_int_equal(t.monotone, 1);
    assert_int_equal(t.separable, 1);
    assert_string_equal(t.gap.text, "3");
    assert_string_equal(t.marginal.text, "3");
    set_table(&block, two, 4);
    assert_int_equal(ll_separate_table(&t, block.exacts, 4, NULL, NULL, &error), LL_OK);
    assert_string_equal(t.gap.text, "1");
    assert_string_equal(t.marginal.text, "1");
    ll_table_separation_clear(&t);
    ll_block_clear(&block);
}

/* thm:separability_monotonic_bounded's beta/N holds, but needs no monotone function: all 2^N values share the range. */
static void range_over_rows(void **state)
{
    (void)state;
    static const char *const f[] = {"0", "5", "3", "1", "7", "2", "6", "4"}; /* not monotone, as wide apart as can be */
    ll_block block;
    ll_table_separation t;
    ll_error error;
    ll_block_init(&block);
    ll_table_separation_init(&t);
    set_table(&block, f, 8);
    assert_int_equal(ll_separate_table(&t, block.exacts, 8, NULL, NULL, &error), LL_OK);
    assert_int_equal(t.monotone, 0);
    assert_string_equal(t.gap.text, "1");
    assert_string_equal(t.pigeonhole.text, "1");
    assert_true(ll_bound_pigeonhole(7, 3, 2) < ll_bound_monotone(7, 3));
    ll_table_separation_clear(&t);
    ll_block_clear(&block);
}

/* ---- smaller ones ---- */

/* Introduction: "g(theta_i) = b ln p_i" for a gap of b. With seven primes it is ln(715/714) b. */
static void logarithms_of_primes(void **state)
{
    (void)state;
    static const char *const logs[] = {"0.693147180559945309417232121458176568075500134360255",
                                       "1.098612288668109691395245236922525704647490557822749",
                                       "1.609437912434100374600759333226187639525601354268517",
                                       "1.945910149055313305105352743443179729637084729581861",
                                       "2.397895272798370544061943577965129299821706853937417",
                                       "2.564949357461536736053487441565318604805267944760267",
                                       "2.833213344056216080249534617873126535588253012585744"};
    double gap = 7 * lambda("sigmoid-ce", "exact", logs, 7);
    assert_true(fabs(gap - log(715.0 / 714.0)) < 1e-15); /* 2*3*7*17 and 5*11*13 */
    assert_true(gap < 0.0015);
}

/* thm:lp_loss: "not tau-separable for any tau": one row of two classes is. From two rows on it holds, and there are N
 * labellings at distance 1, not N-1. */
static void discrete_lp(void **state)
{
    (void)state;
    static const char *const x[] = {"1", "0", "1", "1"};
    static const char *const losses[] = {"lp:1", "lp:2", "lp:0.5"};
    for (int n = 0; n < 3; n++) {
        assert_true(lambda(losses[n], "exact", x, 1) == 1);
        for (long rows = 2; rows <= 4; rows++)
            assert_true(lambda(losses[n], "exact", x, rows) == ll_bound_discrete_lp(rows, 2));
    }
    assert_true(ll_bound_discrete_lp(1, 2) == 1);
    int at_distance_one = 0;
    for (int sigma = 0; sigma < 16; sigma++)
        at_distance_one += __builtin_popcount((unsigned)sigma ^ 13U) == 1; /* theta = 1, 0, 1, 1 */
    assert_int_equal(at_distance_one, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_widens_a_gap), cmocka_unit_test(rounding_opens_a_gap),
        cmocka_unit_test(the_scores_must_fit),   cmocka_unit_test(the_fraction_that_is_needed),
        cmocka_unit_test(half_a_marginal),       cmocka_unit_test(range_over_rows),
        cmocka_unit_test(logarithms_of_primes),  cmocka_unit_test(discrete_lp),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
