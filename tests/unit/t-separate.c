/* Separability of given predictions, against brute force: every labelling scored by a curator, every pair compared.
 * The curator knows nothing of the search; the reference below compares the texts that it releases. */
#include "separate_tools.h"

#include "metric/metric_private.h"

static void read_ball(arb_t out, const char *text)
{
    ll_exact x;
    ll_exact_init(&x);
    assert_int_equal(ll_exact_set_text(&x, text, strlen(text)), LL_OK);
    ll_exact_get_ball(out, &x, 900);
    ll_exact_clear(&x);
}

/* A float's text is the shortest that reads back. */
static void read_number(arb_t out, const brute *b, long n)
{
    if (b->is_exact)
        read_ball(out, b->scores[n].text);
    else
        arb_set_d(out, strtod(b->scores[n].text, NULL));
}

typedef struct {
    arb_t number, lower, upper; /* least |difference| of the numbers; of the intervals: at least, at most */
} least;

/* Pair by pair: O(count^2), no sorting, nothing shared with the product. */
static void compare_all(const brute *b, least *out)
{
    arb_ptr number = _arb_vec_init(b->count), low = _arb_vec_init(b->count), high = _arb_vec_init(b->count);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_init(out->number);
    arb_init(out->lower);
    arb_init(out->upper);
    arb_pos_inf(out->number);
    arb_pos_inf(out->lower);
    arb_pos_inf(out->upper);
    for (long n = 0; n < b->count; n++) {
        read_number(number + n, b, n);
        read_ball(low + n, b->scores[n].lower);
        read_ball(high + n, b->scores[n].upper);
    }
    for (long i = 0; i < b->count; i++)
        for (long j = 0; j < i; j++) {
            arb_sub(x, number + i, number + j, 900);
            arb_abs(x, x);
            arb_min(out->number, out->number, x, 900);
            arb_sub(x, low + i, high + j, 900);
            arb_sub(y, low + j, high + i, 900);
            arb_max(x, x, y, 900);
            arb_min(out->lower, out->lower, x, 900);
            arb_sub(x, high + i, low + j, 900);
            arb_sub(y, high + j, low + i, 900);
            arb_max(x, x, y, 900);
            arb_min(out->upper, out->upper, x, 900);
        }
    arb_nonnegative_part(out->lower, out->lower);
    _arb_vec_clear(number, b->count);
    _arb_vec_clear(low, b->count);
    _arb_vec_clear(high, b->count);
    arb_clear(x);
    arb_clear(y);
}

static void least_clear(least *l)
{
    arb_clear(l->number);
    arb_clear(l->lower);
    arb_clear(l->upper);
}

/* ---- one world ---- */

static long worlds, zeros, refused;

static void fail_world(const ll_scorer *s, const ll_separation *a, const least *l, const char *why)
{
    fail_msg("%s %s %s, %ld x %ld: %s: gap %s in [%s, %s], brute force %s in [%s, %s]", ll_scorer_get(s, "metric"),
             ll_scorer_get(s, "arithmetic"), ll_scorer_get(s, "transform"), a->rows, a->classes, why, a->gap.text,
             a->lower.text, a->upper.text, arb_get_str(l->number, 20, 0), arb_get_str(l->lower, 20, 0),
             arb_get_str(l->upper, 20, 0));
}

/* The witness's scores are those that the curator gives, and as far apart as the gap. */
static void check_witness(const ll_scorer *s, const ll_separation *a, const brute *b, const least *l)
{
    long index[2] = {0, 0};
    arb_t x, y, gap;
    arb_init(x);
    arb_init(y);
    arb_init(gap);
    for (int n = 0; n < 2; n++)
        for (long i = a->rows - 1; i >= 0; i--)
            index[n] = index[n] * a->classes + a->witness[n * a->rows + i];
    assert_int_not_equal(index[0], index[1]);
    read_number(x, b, index[0]);
    read_number(y, b, index[1]);
    arb_sub(x, x, y, 900);
    arb_abs(x, x);
    read_ball(gap, a->gap.text);
    arb_sub(x, x, gap, 900);
    arb_abs(x, x);
    mag_t allowed; /* 17 digits of the gap, and those of an exact score */
    mag_init(allowed);
    arb_get_mag(allowed, gap);
    mag_mul_2exp_si(allowed, allowed, -52);
    if (b->is_exact)
        mag_add_2exp_fmpz(allowed, allowed, &(fmpz){10 - exact_bits(s)});
    arb_add_error_mag(x, allowed);
    if (!arb_contains_zero(x))
        fail_world(s, a, l, "the witness does not attain the gap");
    mag_clear(allowed);
    arb_clear(x);
    arb_clear(y);
    arb_clear(gap);
}

static void check_world(const ll_scorer *s, const double *x, long rows, long classes, long columns)
{
    ll_separation a;
    ll_error error;
    least l;
    int exact = s->computation.kind == LL_KIND_EXACT;
    ll_separation_init(&a);
    ll_status expected = score_all(&reference, s, x, rows, classes, columns);
    ll_status status = separate(&a, s, x, rows, columns, exact, &error);
    if (status != expected)
        fail_msg("%s %s %ld x %ld: status %d, the curator's is %d: %s", ll_scorer_get(s, "metric"),
                 ll_scorer_get(s, "arithmetic"), rows, classes, status, expected, error.text);
    if (status != LL_OK) {
        refused++;
        forget(&reference);
        return;
    }
    compare_all(&reference, &l);
    arb_t gap, lower, upper;
    arb_init(gap);
    arb_init(lower);
    arb_init(upper);
    read_ball(gap, a.gap.text);
    read_ball(lower, a.lower.text);
    read_ball(upper, a.upper.text);
    worlds++;
    zeros += strcmp(a.gap.text, "0") == 0;
    double gap_text = strtod(a.gap.text, NULL); /* of 17 digits: rounded twice */
    assert_true(fabs(a.gap.value - gap_text) <= 0x1p-52 * gap_text);
    assert_true(a.lower.value <= strtod(a.lower.text, NULL) && strtod(a.upper.text, NULL) <= a.upper.value);
    assert_true(a.largest_noise.value <= a.lower.value); /* half of it; 0 is 0 */
    if (arb_gt(lower, l.upper) || arb_lt(upper, l.lower))
        fail_world(s, &a, &l, "the interval is wrong");
    if (exact && (!a.proved || a.separable == LL_UNKNOWN))
        fail_world(s, &a, &l, "not proved");
    if (exact && strcmp(a.gap.text, "0") == 0 && !arb_contains_zero(l.lower))
        fail_world(s, &a, &l, "0 is wrong");
    if (!exact) {
        arb_sub(gap, gap, l.number, 900);
        mag_t allowed;
        mag_init(allowed);
        arb_get_mag(allowed, l.number);
        mag_mul_2exp_si(allowed, allowed, -52);
        arb_add_error_mag(gap, allowed);
        if (!arb_contains_zero(gap))
            fail_world(s, &a, &l, "not the least difference of numbers");
        mag_clear(allowed);
    }
    check_witness(s, &a, &reference, &l);
    arb_clear(gap);
    arb_clear(lower);
    arb_clear(upper);
    least_clear(&l);
    ll_separation_clear(&a);
    forget(&reference);
}

/* ---- predictions ---- */

static int takes(const ll_scorer *s, ll_input input)
{
    return ll_metric_input(s->computation.metric) == input;
}

/* One of several kinds: anything, a grid (so that sums collide), some rows equal, all near one half. */
static double entry(const ll_scorer *s, long kind)
{
    double p = kind == 0 ? uniform() : kind == 1 ? (double)(1 + below(19)) / 20 : (double)(1 + below(7)) / 8;
    if (kind == 3)
        p = 0.5 + (uniform() - 0.5) * 0x1p-30;
    return takes(s, LL_INPUT_LOGIT) ? (p - 0.5) * 8 : p;
}

static void fill(const ll_scorer *s, double *x, long rows, long classes, long columns)
{
    long kind = below(4);
    int labels = takes(s, LL_INPUT_LABEL);
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (long c = 0; c < columns; c++) {
            x[i * columns + c] = labels ? (double)below(classes) : entry(s, kind);
            sum += x[i * columns + c];
        }
        if (columns > 1 && !takes(s, LL_INPUT_LOGIT))
            for (long c = 0; c < columns; c++)
                x[i * columns + c] /= sum;
        if (i > 0 && below(12) == 0)
            memcpy(x + i * columns, x + (i - 1) * columns, (size_t)columns * sizeof *x);
    }
}

static const char *const losses[] = {"log-loss", "sigmoid-ce", "softmax-ce", "itakura-saito",
                                     "squared",  "norm:3",     "norm:2.5",   "accuracy",
                                     "zero-one", "lp:2",       "lp:1",       "bregman:x^4+x^2+2*x"};
static const char *const many[] = {"log-loss", "softmax-ce", "squared", "accuracy", "zero-one", "lp:3"};
static const char *const arithmetics[] = {"exact", "fp64", "fpa:16"};

static ll_scorer *scorer_of(const char *loss, const char *arithmetic, long classes)
{
    static const char *const transforms[] = {"negate", "root", "percent", "root,percent"};
    const char *order = below(3) ? "pairwise" : "naive", *transform = below(4) ? "identity" : transforms[below(4)];
    return scorer_of_text("metric=%s; arithmetic=%s; sum=%s; transform=%s; classes=%ld", loss, arithmetic, order,
                          transform, classes);
}

static void small_worlds(const char *const *names, long name_count, long classes, long most_rows)
{
    double x[MOST_ROWS * 4];
    for (long rows = 1; rows <= most_rows; rows++) {
        long count = power(classes, rows), repeats = count > 256 ? 1 : (count < 100 ? 2 : 1) * multiplier;
        for (long l = 0; l < name_count; l++)
            for (long a = 0; a < COUNT(arithmetics); a++)
                for (long n = 0; n < repeats; n++) {
                    ll_scorer *s = scorer_of(names[l], arithmetics[a], classes);
                    int labels = takes(s, LL_INPUT_LABEL);
                    long columns = classes == 2 || labels ? 1 : classes;
                    if (classes == 2 && !labels && l % 2 == 0 && strcmp(names[l], "log-loss") == 0 && below(2))
                        columns = 2;
                    fill(s, x, rows, classes, columns);
                    check_world(s, x, rows, classes, columns);
                    ll_scorer_destroy(s);
                }
    }
}

static void two_classes(void **state)
{
    (void)state;
    small_worlds(losses, COUNT(losses), 2, getenv("LL_TEST_LONG") ? 10 : 6);
}

static void three_classes(void **state)
{
    (void)state;
    small_worlds(many, COUNT(many), 3, getenv("LL_TEST_LONG") ? 6 : 4);
}

static void four_classes(void **state)
{
    (void)state;
    small_worlds(many, COUNT(many), 4, getenv("LL_TEST_LONG") ? 5 : 3);
}

/* ---- refusals ---- */

static ll_status refuse(const char *settings, const double *x, long rows, long columns, const char *why)
{
    ll_scorer *s = scorer_of_text("arithmetic=exact; %s", settings);
    ll_separation a;
    ll_error error = {0};
    ll_separation_init(&a);
    ll_status status = separate(&a, s, x, rows, columns, 0, &error);
    assert_null(a.gap.text);
    if (strstr(error.text, why) == NULL)
        fail_msg("'%s' is not in '%s'", why, error.text);
    ll_scorer_destroy(s);
    return status;
}

static void bad_input(void **state)
{
    (void)state;
    const double x[] = {0.25, NAN, 0.5}, y[] = {0.25, 0.75, 1.5}, zero[] = {0.5, 0};
    assert_int_equal(refuse("", x, 3, 1, "row 1"), LL_DOMAIN);
    assert_int_equal(refuse("", y, 3, 1, "row 2"), LL_DOMAIN);
    assert_int_equal(refuse("", zero, 2, 1, "row 1"), LL_DOMAIN);
    assert_int_equal(refuse("", y, 0, 1, "no predictions"), LL_DOMAIN);
    assert_int_equal(refuse("classes=3", y, 1, 2, "columns"), LL_DOMAIN);
    assert_int_equal(refuse("noise=gaussian:1", y, 2, 1, "without a bound"), LL_DOMAIN);
    assert_int_equal(refuse("release=ladder:0.1", y, 2, 1, "Ladder"), LL_DOMAIN);
    assert_int_equal(refuse("digits=3", y, 2, 1, "digits"), LL_DOMAIN);
}

/* Equal predictions are an answer. */
static void equal_predictions(void **state)
{
    (void)state;
    double x[100];
    ll_separation a;
    ll_error error;
    ll_scorer *s = scorer_of_text("arithmetic=exact; metric=bregman:x^4+x^2+2*x");
    for (long i = 0; i < 100; i++)
        x[i] = i == 41 || i == 97 ? 0.3 : uniform();
    ll_separation_init(&a);
    assert_int_equal(separate(&a, s, x, 100, 1, 1, &error), LL_OK);
    assert_true(a.proved);
    assert_string_equal(a.gap.text, "0");
    assert_string_equal(a.upper.text, "0");
    assert_int_equal(a.separable, LL_FALSE);
    for (long i = 0; i < 100; i++)
        assert_int_equal(a.witness[i] != a.witness[100 + i], i == 41 || i == 97);
    ll_separation_clear(&a);
    ll_scorer_destroy(s);
}

int main(void)
{
    read_environment("t-separate");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_classes), cmocka_unit_test(three_classes),     cmocka_unit_test(four_classes),
        cmocka_unit_test(bad_input),   cmocka_unit_test(equal_predictions),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%ld worlds, %ld of them with gap 0, %ld refused\n", worlds, zeros, refused);
    flint_cleanup();
    return failed;
}
