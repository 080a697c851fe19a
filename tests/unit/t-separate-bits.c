/* The smallest formats against a curator, and floats of more labellings than are scored one by one. */
#include "separate_tools.h"

/* Floats of too many labellings to be scored: the interval holds what scoring them all the same gives. */
static void many_floats(void **state)
{
    (void)state;
    enum { ROWS = 17 };
    static const char *const names[] = {"fpa:80", "fpa:24", "fpa:5,30"};
    double x[ROWS];
    for (long n = 0; n < (getenv("LL_TEST_LONG") ? COUNT(names) : 1); n++) {
        ll_separation a;
        ll_error error;
        ll_terms terms;
        ll_scores scores;
        ll_scores_gap gap;
        table t;
        ll_scorer *s = scorer_of_text("arithmetic=%s; transform=%s", names[n], n == 1 ? "root" : "identity");
        ll_scoring scoring = {.how = &s->computation, .rows = ROWS, .classes = 2};
        for (long i = 0; i < ROWS; i++) /* nearly superincreasing, so that there is a gap */
            x[i] = n == 1 ? uniform() : 1 / (1 + exp(ldexp(1 + uniform() / 9, (int)i - 12)));
        table_set(&t, x, ROWS, 1, LL_ENTRIES_DOUBLE);
        ll_separation_init(&a);
        assert_int_equal(ll_separate(&a, s, &t.source, NULL, &error), LL_OK);
        assert_string_not_equal(a.method, "every labelling scored");
        assert_int_equal(ll_terms_init(&terms, s, &scoring, &t.source, 1e9, &error), LL_OK);
        ll_scores_gap_init(&gap);
        assert_int_equal(ll_scores_init(&scores, &terms, UINT64_MAX, 128, &error), LL_OK);
        assert_int_equal(ll_scores_find(&scores, &gap), LL_OK);
        char *text = ll_separate_text(gap.gap, 40, ARF_RND_NEAR);
        if (compare_texts(a.lower.text, text) > 0 || compare_texts(text, a.upper.text) > 0)
            fail_msg("%s: [%s, %s] does not hold %s", names[n], a.lower.text, a.upper.text, text);
        if (n == 0)
            assert_string_not_equal(a.lower.text, "0");
        free(text);
        ll_scores_clear(&scores);
        ll_scores_gap_clear(&gap);
        ll_terms_clear(&terms);
        ll_scorer_destroy(s);
        ll_separation_clear(&a);
    }
}

/* More labellings than the format has numbers: two have one score, and a curator says the same of those shown. */
static void small_format(void **state)
{
    (void)state;
    enum { ROWS = 24 };
    static const char *const names[] = {"fpa:16", "fpa:24", "fpa:6,10", "fpa:32"};
    double x[ROWS];
    for (long n = 0; n < COUNT(names); n++) {
        ll_scorer *s = scorer_of_text("arithmetic=%s; metric=%s", names[n], n % 2 ? "log-loss" : "squared");
        ll_separation a;
        ll_error error;
        ll_score scores[2];
        table t;
        ll_separation_init(&a);
        random_rows(x, ROWS);
        assert_int_equal(separate(&a, s, x, ROWS, 1, 0, &error), LL_OK);
        assert_true(a.proved);
        assert_int_equal(a.separable, LL_FALSE);
        assert_string_equal(a.gap.text, "0");
        for (long i = 0; i < 2; i++) {
            ll_score_init(&scores[i]);
            table_set(&t, x, ROWS, 1, LL_ENTRIES_DOUBLE);
            assert_int_equal(score_table(&scores[i], s, a.witness + i * ROWS, &t, &error), LL_OK);
        }
        assert_string_equal(scores[0].text, scores[1].text);
        assert_memory_not_equal(a.witness, a.witness + ROWS, sizeof *a.witness * ROWS);
        ll_score_clear(&scores[0]);
        ll_score_clear(&scores[1]);
        ll_separation_clear(&a);
        ll_scorer_destroy(s);
    }
}

/* ---- bits ---- */

static long seen_collisions;

/* Are all scores different in fpa:exponent,fraction? By a curator. */
static int is_apart(const ll_scorer *given, const double *x, long rows, long exponent, long fraction)
{
    ll_scorer *s = vary_scorer(given, "arithmetic=fpa:%ld,%ld", exponent, fraction);
    int apart = score_all(&reference, s, x, rows, 2, 1) == LL_OK;
    ll_scorer_destroy(s);
    for (long i = 0; i < reference.count && apart; i++)
        for (long j = 0; j < i && apart; j++)
            apart = compare_texts(reference.scores[i].text, reference.scores[j].text) != 0;
    forget(&reference);
    return apart;
}

static int is_apart_phi(const ll_scorer *s, const double *x, long rows, long phi)
{
    return is_apart(s, x, rows, (phi - 1) / 2, phi - 1 - (phi - 1) / 2);
}

static long index_of(const int32_t *labels, long rows)
{
    long index = 0;
    for (long i = rows - 1; i >= 0; i--)
        index = 2 * index + labels[i];
    return index;
}

/* A format that is one bit too small: the two labellings of the witness get one score, as a curator says too, or some
 * score is not finite. */
static void check_below(const ll_scorer *given, const double *x, long rows, const ll_separation_below *below_it,
                        long bits, long exponent, long fraction)
{
    if (below_it->bits == 0) /* there is no smaller format */
        return;
    assert_int_equal(below_it->bits, bits);
    assert_false(is_apart(given, x, rows, exponent, fraction));
    ll_scorer *s = vary_scorer(given, "arithmetic=fpa:%ld,%ld", exponent, fraction);
    ll_status status = score_all(&reference, s, x, rows, 2, 1);
    assert_int_equal(status == LL_OK, !below_it->overflows);
    if (status == LL_OK) {
        long one = index_of(below_it->witness, rows), two = index_of(below_it->witness + rows, rows);
        assert_int_not_equal(one, two);
        assert_int_equal(compare_texts(reference.scores[one].text, reference.scores[two].text), 0);
        seen_collisions++;
    }
    forget(&reference);
    ll_scorer_destroy(s);
}

/* Right on both sides: every size of the sweep from the smallest on keeps the scores apart, one bit less does not. */
static void check_formats(const ll_scorer *s, const double *x, long rows)
{
    ll_separation_bits b;
    ll_error error;
    table t;
    table_set(&t, x, rows, 1, LL_ENTRIES_DOUBLE);
    ll_separation_bits_init(&b);
    if (ll_separate_bits(&b, s, &t.source, NULL, &error) != LL_OK)
        fail_msg("%s: %s", ll_scorer_get(s, "metric"), error.text);
    assert_true(b.fraction >= 1 && b.exponent >= 2 && b.phi >= 5);
    assert_in_range(b.first_fraction, 1, b.fraction);
    for (long f = b.fraction; f <= b.sweep; f++)
        assert_true(is_apart(s, x, rows, 20, f));
    for (long f = 1; f < b.first_fraction; f++)
        assert_false(is_apart(s, x, rows, 20, f));
    assert_true(is_apart(s, x, rows, 20, b.first_fraction));
    assert_true(is_apart(s, x, rows, b.exponent, b.fraction));
    for (long phi = b.phi; phi <= b.phi + 8; phi++)
        assert_true(is_apart_phi(s, x, rows, phi));
    assert_int_equal(b.fraction_below.bits, b.fraction - 1);
    check_below(s, x, rows, &b.fraction_below, b.fraction - 1, 20, b.fraction - 1);
    check_below(s, x, rows, &b.exponent_below, b.exponent - 1, b.exponent - 1, b.fraction);
    check_below(s, x, rows, &b.phi_below, b.phi - 1, (b.phi - 2) / 2, b.phi - 2 - (b.phi - 2) / 2);
    ll_separation_bits_clear(&b);
}

static void smallest_formats(void **state)
{
    (void)state;
    static const char *const names[] = {"log-loss", "squared", "itakura-saito", "sigmoid-ce"};
    double x[6];
    for (long n = 0; n < 6 * COUNT(names) * multiplier; n++) {
        long rows = 1 + n / COUNT(names) % 6;
        ll_scorer *s = scorer_of_text("metric=%s", names[n % COUNT(names)]);
        random_rows(x, rows);
        check_formats(s, x, rows);
        ll_scorer_destroy(s);
    }
    assert_true(seen_collisions > 20);
}

int main(void)
{
    read_environment("t-separate-bits");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest_formats),
        cmocka_unit_test(many_floats),
        cmocka_unit_test(small_format),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
