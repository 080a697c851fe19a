/* Separability of given predictions, against brute force: every labelling scored by a curator, every pair compared.
 * The curator knows nothing of the search; the reference below compares the texts that it releases. */
#include "curator_tools.h"
#include "separate/separate_private.h"

#define COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))

enum { MOST_ROWS = 6, MOST_LABELLINGS = 4096 };

/* ---- brute force ---- */

typedef struct {
    long count;
    ll_score scores[MOST_LABELLINGS];
    int is_exact;
} brute;

static brute reference;

static void unpack(int32_t *labels, long n, long rows, long classes)
{
    for (long i = 0; i < rows; i++, n /= classes)
        labels[i] = (int32_t)(n % classes);
}

static long power(long base, long exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static ll_status score_all(brute *b, ll_scorer scorer, const double *x, long rows, long classes, long columns)
{
    ll_error error;
    int32_t labels[MOST_ROWS];
    scorer.classes = classes;
    scorer.precision = strcmp(scorer.arithmetic, "exact") == 0 ? (scorer.transform == LL_ROOT ? 110 : 200) : 0;
    b->is_exact = scorer.precision > 0;
    b->count = power(classes, rows);
    for (long n = 0; n < b->count; n++) {
        ll_score_init(&b->scores[n]);
        unpack(labels, n, rows, classes);
        table t;
        table_set(&t, x, rows, columns, b->is_exact ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
        ll_status status = score_table(&b->scores[n], &scorer, labels, &t, &error);
        if (status != LL_OK) {
            b->count = n;
            return status;
        }
    }
    return LL_OK;
}

static void forget(brute *b)
{
    for (long n = 0; n < b->count; n++)
        ll_score_clear(&b->scores[n]);
    b->count = 0;
}

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

static ll_status separate(ll_separation *out, const ll_scorer *scorer, const double *x, long rows, long columns,
                          int exact, ll_error *error)
{
    table t;
    table_set(&t, x, rows, columns, exact ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
    return ll_separate(out, scorer, &t.source, 1e9, 60, error);
}

static void fail_world(const ll_scorer *s, const ll_separation *a, const least *l, const char *why)
{
    fail_msg("%s %s %s, %ld x %ld: %s: gap %s in [%s, %s], brute force %s in [%s, %s]", s->loss, s->arithmetic,
             s->transform == LL_ROOT ? "root" : "", a->rows, a->classes, why, a->gap, a->lower, a->upper,
             arb_get_str(l->number, 20, 0), arb_get_str(l->lower, 20, 0), arb_get_str(l->upper, 20, 0));
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
    read_ball(gap, a->gap);
    arb_sub(x, x, gap, 900);
    arb_abs(x, x);
    mag_t allowed; /* 17 digits of the gap, and those of an exact score */
    mag_init(allowed);
    arb_get_mag(allowed, gap);
    mag_mul_2exp_si(allowed, allowed, -52);
    if (b->is_exact)
        mag_add_2exp_fmpz(allowed, allowed, &(fmpz){s->transform == LL_ROOT ? -100 : -190});
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
    int exact = strcmp(s->arithmetic, "exact") == 0;
    ll_separation_init(&a);
    ll_scorer scorer = *s;
    scorer.classes = classes;
    ll_status expected = score_all(&reference, scorer, x, rows, classes, columns);
    ll_status status = separate(&a, &scorer, x, rows, columns, exact, &error);
    if (status != expected)
        fail_msg("%s %s %ld x %ld: status %d, the curator's is %d: %s", s->loss, s->arithmetic, rows, classes, status,
                 expected, error.text);
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
    read_ball(gap, a.gap);
    read_ball(lower, a.lower);
    read_ball(upper, a.upper);
    worlds++;
    zeros += strcmp(a.gap, "0") == 0;
    if (arb_gt(lower, l.upper) || arb_lt(upper, l.lower))
        fail_world(s, &a, &l, "the interval is wrong");
    if (exact && (!a.proved || a.separable == LL_UNKNOWN))
        fail_world(s, &a, &l, "not proved");
    if (exact && strcmp(a.gap, "0") == 0 && !arb_contains_zero(l.lower))
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

/* One of several kinds: anything, a grid (so that sums collide), some rows equal, all near one half. */
static double entry(const ll_scorer *s, long kind)
{
    double p = kind == 0 ? uniform() : kind == 1 ? (double)(1 + below(19)) / 20 : (double)(1 + below(7)) / 8;
    if (kind == 3)
        p = 0.5 + (uniform() - 0.5) * 0x1p-30;
    return strstr(s->loss, "-ce") != NULL ? (p - 0.5) * 8 : p;
}

static void fill(const ll_scorer *s, double *x, long rows, long classes, long columns)
{
    long kind = below(4);
    int labels = strcmp(s->loss, "accuracy") == 0 || strcmp(s->loss, "zero-one") == 0 || s->loss[1] == 'p';
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (long c = 0; c < columns; c++) {
            x[i * columns + c] = labels ? (double)below(classes) : entry(s, kind);
            sum += x[i * columns + c];
        }
        if (columns > 1 && strstr(s->loss, "-ce") == NULL)
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

static ll_scorer scorer_of(const char *loss, const char *arithmetic)
{
    ll_scorer scorer;
    ll_scorer_init(&scorer);
    scorer.loss = loss;
    scorer.arithmetic = arithmetic;
    scorer.order = (ll_order)(below(3) ? LL_SUM_PAIRWISE : LL_SUM_NAIVE);
    scorer.transform = (ll_transform)(below(4) ? LL_IDENTITY : 1 + below(3));
    return scorer;
}

static void small_worlds(const char *const *names, long name_count, long classes, long most_rows)
{
    double x[MOST_ROWS * 4];
    for (long rows = 1; rows <= most_rows; rows++)
        for (long l = 0; l < name_count; l++)
            for (long a = 0; a < COUNT(arithmetics); a++)
                for (long n = 0; n < (rows < 5 && classes < 4 ? 2 : 1) * multiplier; n++) {
                    ll_scorer s = scorer_of(names[l], arithmetics[a]);
                    int labels = strcmp(s.loss, "accuracy") == 0 || strcmp(s.loss, "zero-one") == 0 || s.loss[1] == 'p';
                    long columns = classes == 2 || labels ? 1 : classes;
                    if (classes == 2 && !labels && l % 2 == 0 && strcmp(names[l], "log-loss") == 0 && below(2))
                        columns = 2;
                    fill(&s, x, rows, classes, columns);
                    check_world(&s, x, rows, classes, columns);
                }
}

static void two_classes(void **state)
{
    (void)state;
    small_worlds(losses, COUNT(losses), 2, 6);
}

static void three_classes(void **state)
{
    (void)state;
    small_worlds(many, COUNT(many), 3, getenv("LL_TEST_LONG") ? 6 : 4);
}

static void four_classes(void **state)
{
    (void)state;
    small_worlds(many, COUNT(many), 4, getenv("LL_TEST_LONG") ? 6 : 3);
}

/* ---- larger: integer logits, whose sums are integers ---- */

static int by_integer(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The least difference of two of the classes^rows sums of -z[row][label]. */
static int64_t least_integer(const int64_t *z, long rows, long classes)
{
    long count = 1;
    int64_t *sums = malloc((size_t)power(classes, rows) * sizeof *sums), smallest = INT64_MAX;
    assert_non_null(sums);
    sums[0] = 0;
    for (long i = 0; i < rows; i++, count *= classes)
        for (long k = classes - 1; k >= 0; k--)
            for (long n = 0; n < count; n++)
                sums[k * count + n] = sums[n] - z[i * classes + k];
    qsort(sums, (size_t)count, sizeof *sums, by_integer);
    for (long n = 1; n < count; n++)
        smallest = sums[n] - sums[n - 1] < smallest ? sums[n] - sums[n - 1] : smallest;
    free(sums);
    return smallest;
}

/* z of label 0 comes first and must be 0 where there is one column. */
static void separate_logits(ll_separation *out, const int64_t *z, long rows, long classes, const char *noise,
                            double max_memory)
{
    double x[64 * 4];
    long columns = classes == 2 ? 1 : classes;
    ll_scorer s;
    ll_error error;
    table t;
    ll_scorer_init(&s);
    s.loss = "softmax-ce";
    s.noise = noise ? LL_NOISE_BOUNDED : LL_NOISE_NONE;
    s.noise_size = noise;
    for (long i = 0; i < rows * columns; i++)
        x[i] = (double)(columns == 1 ? z[2 * i + 1] : z[i]);
    table_set(&t, x, rows, columns, LL_ENTRIES_EXACT);
    if (ll_separate(out, &s, &t.source, max_memory, 60, &error) != LL_OK)
        fail_msg("%s", error.text);
}

static void check_logits(const int64_t *z, long rows, long classes, const char *method)
{
    ll_separation a;
    ll_separation_init(&a);
    separate_logits(&a, z, rows, classes, NULL, 1e9);
    double expected = (double)least_integer(z, rows, classes), gap = strtod(a.gap, NULL) * (double)rows;
    if (fabs(gap - expected) > 1e-9 * expected || !a.proved || a.separable != (expected > 0 ? LL_TRUE : LL_FALSE))
        fail_msg("%ld x %ld: gap * rows %.17g, brute force %.17g", rows, classes, gap, expected);
    if (method != NULL)
        assert_string_equal(a.method, method);
    int64_t difference = 0;
    for (long i = 0; i < rows; i++)
        difference += z[i * classes + a.witness[rows + i]] - z[i * classes + a.witness[i]];
    assert_true(fabs(fabs((double)difference) - expected) <= 1e-9 * expected);
    ll_separation_clear(&a);
}

static void random_logits(int64_t *z, long rows, long classes, int64_t most)
{
    for (long i = 0; i < rows; i++)
        for (long k = 0; k < classes; k++)
            z[i * classes + k] = k == 0 && classes == 2 ? 0 : below((long)most) - (long)most / 2;
}

static void integer_sums(void **state)
{
    (void)state;
    static const struct {
        long rows, classes;
    } sizes[] = {{2, 2}, {5, 2}, {9, 2}, {13, 2}, {14, 2}, {3, 3}, {7, 3}, {8, 3}, {2, 4}, {5, 4}, {6, 4}};
    int64_t z[64 * 4];
    for (long n = 0; n < COUNT(sizes); n++)
        for (long bits = 8; bits <= 48; bits += 8) {
            random_logits(z, sizes[n].rows, sizes[n].classes, INT64_C(1) << bits);
            check_logits(z, sizes[n].rows, sizes[n].classes, NULL);
        }
}

/* Some rows to be searched, heavier ones above them that need no search. */
static void superincreasing_above(void **state)
{
    (void)state;
    int64_t z[64 * 4];
    for (long n = 0; n < 20 * multiplier; n++) {
        long classes = 2 + below(2), searched = 3 + below(4), rows = searched + 3;
        int64_t sum = 0;
        random_logits(z, searched, classes, 1000);
        for (long i = 0; i < searched; i++)
            sum += 1000;
        for (long i = searched; i < rows; i++) {
            for (long k = 0; k < classes; k++)
                z[i * classes + k] = k * (sum + below(50));
            sum += z[i * classes + classes - 1];
        }
        check_logits(z, rows, classes, NULL);
    }
}

/* Any number of rows: 1, 2, 4, ... and digits in base 3. */
static void structure(void **state)
{
    (void)state;
    ll_separation a;
    int64_t z[64 * 4];
    ll_separation_init(&a);
    for (long i = 0; i < 50; i++) {
        z[2 * i] = 0;
        z[2 * i + 1] = (i * 7 % 50 == 0 ? 1 : INT64_C(1) << (i * 7 % 50)) * (i % 3 ? 1 : -1);
    }
    separate_logits(&a, z, 50, 2, NULL, 1e9);
    assert_string_equal(a.method, "superincreasing rows");
    assert_string_equal(a.gap, "0.02");
    assert_int_equal(a.searched, 0);
    int64_t digit = 1;
    for (long i = 0; i < 30; i++, digit *= 3)
        for (long k = 0; k < 3; k++)
            z[3 * i + k] = digit * k;
    separate_logits(&a, z, 30, 3, NULL, 1e9);
    assert_string_equal(a.method, "superincreasing rows");
    assert_true(fabs(strtod(a.gap, NULL) * 30 - 1) < 1e-15);
    ll_separation_clear(&a);
}

/* At the threshold itself, and a little to either side. */
static void thresholds(void **state)
{
    (void)state;
    static const struct {
        const char *tau;
        ll_truth separable;
    } cases[] = {{"0.125", LL_TRUE}, {"0.12500000000000000000000001", LL_FALSE}, {"0.12499999999999999999", LL_TRUE}};
    int64_t superincreasing[8] = {0, 1, 0, 2, 0, 4, 0, 8}, searched[8] = {0, 3, 0, 5, 0, 6, 0, 7}; /* 3 + 5 - 7 = 1 */
    ll_separation a;
    ll_separation_init(&a);
    for (long n = 0; n < COUNT(cases); n++) {
        separate_logits(&a, superincreasing, 4, 2, cases[n].tau, 1e9);
        assert_int_equal(a.separable, cases[n].separable);
        assert_string_equal(a.largest_noise, "0.125");
        separate_logits(&a, searched, 4, 2, cases[n].tau, 1e9);
        assert_int_equal(a.separable, cases[n].separable);
    }
    ll_separation_clear(&a);
}

static ll_truth separable_by_decimals(const double *x, long rows, int places, int truncate)
{
    ll_separation a;
    ll_error error;
    ll_scorer s;
    ll_scorer_init(&s);
    s.loss = "sigmoid-ce";
    s.rounding = LL_ROUND_DECIMALS;
    s.places = places;
    s.truncate = truncate;
    ll_separation_init(&a);
    assert_int_equal(separate(&a, &s, x, rows, 1, 1, &error), LL_OK);
    ll_truth answer = a.separable;
    ll_separation_clear(&a);
    return answer;
}

/* The gap must be above a grid, but may be equal to what truncation cuts. */
static void decimals(void **state)
{
    (void)state;
    const double x[] = {1, 2}, y[] = {2, 4}; /* gaps 1/2 and 1 */
    assert_int_equal(separable_by_decimals(x, 2, 0, 0), LL_FALSE);
    assert_int_equal(separable_by_decimals(y, 2, 0, 0), LL_FALSE);
    assert_int_equal(separable_by_decimals(y, 2, 0, 1), LL_TRUE);
    assert_int_equal(separable_by_decimals(x, 2, 1, 0), LL_TRUE);
}

/* ---- plans: the gap that their code promises ---- */

static void check_plan(const char *loss, const char *code, const char *noise, long rows, long classes, int equal)
{
    ll_scorer s;
    ll_plan *plan;
    ll_error error;
    ll_predictions predictions;
    ll_separation a;
    ll_verdict verdict;
    ll_curator *curator;
    int32_t labels[64] = {0};
    ll_scorer_init(&s);
    s.loss = loss;
    s.rows = rows;
    s.classes = classes;
    s.noise = LL_NOISE_BOUNDED;
    s.noise_size = noise;
    s.precision = 400;
    if (ll_plan_create(&plan, &s, code, rows, 1e9, 60, &error) != LL_OK)
        fail_msg("%s %s: %s", loss, code, error.text);
    assert_int_equal(ll_plan_predictions(plan, &predictions, 0, &error), LL_OK);
    ll_separation_init(&a);
    ll_verdict_init(&verdict);
    if (ll_separate(&a, &s, &predictions, 1e9, 60, &error) != LL_OK)
        fail_msg("%s %s: %s", loss, code, error.text);
    assert_int_equal(ll_curator_create(&curator, &s, labels, rows, &error), LL_OK);
    ll_oracle oracle = ll_curator_oracle(curator);
    assert_int_equal(ll_attack_run(plan, &verdict, &oracle, NULL, NULL, &error), LL_OK);
    double gap = strtod(a.gap, NULL), promised = strtod(verdict.gap, NULL); /* six digits */
    if (!a.proved || a.separable != LL_TRUE || gap < promised * (1 - 1e-5) ||
        (equal && fabs(gap - promised) > 1e-5 * promised))
        fail_msg("%s %s %ld: gap %s, promised %s", loss, code, rows, a.gap, verdict.gap);
    ll_separation_clear(&a);
    ll_verdict_clear(&verdict);
    ll_curator_destroy(curator);
    ll_plan_destroy(plan);
}

static void plans(void **state)
{
    (void)state;
    check_plan("log-loss", "powers", "0.01", 9, 2, 1);
    check_plan("log-loss", "powers", "1", 60, 2, 1);
    check_plan("sigmoid-ce", "powers", "3", 40, 2, 1);
    check_plan("itakura-saito", "powers", "1", 20, 2, 1);
    check_plan("squared", "powers", "0.0001", 8, 2, 1);
    check_plan("log-loss", "icml21", "1", 30, 2, 1);
    check_plan("log-loss", "primes", "1", 12, 2, 0);
    check_plan("log-loss", "primes:c=sqrt", "1", 14, 2, 0);
    check_plan("softmax-ce", "paper-multiclass", "1", 12, 3, 0);
}

/* The gap of `primes` is that of the logarithms: 714 and 715 are products of the first seven primes. */
static void gap_of_primes(void **state)
{
    (void)state;
    ll_scorer s;
    ll_plan *plan;
    ll_error error;
    ll_predictions predictions;
    ll_separation a;
    ll_scorer_init(&s);
    s.loss = "sigmoid-ce";
    s.rows = 7;
    s.classes = 2;
    s.noise = LL_NOISE_BOUNDED;
    s.noise_size = "1";
    assert_int_equal(ll_plan_create(&plan, &s, "primes", 7, 1e9, 60, &error), LL_OK);
    assert_int_equal(ll_plan_predictions(plan, &predictions, 0, &error), LL_OK);
    ll_separation_init(&a);
    assert_int_equal(ll_separate(&a, &s, &predictions, 1e9, 60, &error), LL_OK);
    double expected = 3.0 * 510510 * log(715.0 / 714.0); /* c = 3P, tau = 1 */
    assert_true(a.proved);
    assert_true(fabs(strtod(a.gap, NULL) / expected - 1) < 1e-5);
    ll_separation_clear(&a);
    ll_plan_destroy(plan);
}

/* ---- twenty-six rows, and more than fit ---- */

static void random_rows(double *x, long rows)
{
    for (long i = 0; i < rows; i++)
        x[i] = uniform();
}

static void twenty_six(void **state)
{
    (void)state;
    double x[26];
    ll_separation a;
    ll_error error;
    ll_scorer s;
    ll_scorer_init(&s);
    ll_separation_init(&a);
    random_rows(x, 26);
    assert_int_equal(separate(&a, &s, x, 26, 1, 1, &error), LL_OK);
    assert_true(a.proved);
    assert_int_equal(a.separable, LL_TRUE);
    assert_int_equal(a.searched, 26);
    assert_true(strtod(a.gap, NULL) <= strtod(a.pigeonhole, NULL));
    /* a subset of the rows with all others alike has a gap that is no smaller */
    ll_separation fewer;
    ll_separation_init(&fewer);
    assert_int_equal(separate(&fewer, &s, x, 16, 1, 1, &error), LL_OK);
    assert_true(strtod(fewer.gap, NULL) * 16 >= strtod(a.gap, NULL) * 26);
    ll_separation_clear(&fewer);
    s.arithmetic = "fp64";
    assert_int_equal(separate(&fewer, &s, x, 26, 1, 0, &error), LL_OK);
    assert_true(compare_texts(fewer.lower, a.gap) <= 0 && compare_texts(a.gap, fewer.upper) <= 0);
    ll_separation_clear(&fewer);
    ll_separation_clear(&a);
}

static void beyond_the_budget(void **state)
{
    (void)state;
    double x[40];
    ll_separation a;
    ll_error error;
    ll_scorer s;
    table t;
    ll_scorer_init(&s);
    ll_separation_init(&a);
    random_rows(x, 40);
    table_set(&t, x, 40, 1, LL_ENTRIES_EXACT);
    assert_int_equal(ll_separate(&a, &s, &t.source, 1e6, 60, &error), LL_OK);
    assert_false(a.proved);
    assert_int_equal(a.separable, LL_UNKNOWN);
    assert_string_equal(a.lower, "0");
    assert_string_equal(a.largest_noise, "0");
    assert_true(compare_texts(a.upper, a.gap) <= 0 && strtod(a.upper, NULL) > 0);
    assert_true(a.searched > 10 && a.searched < 40);
    ll_separation_clear(&a);
}

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
        ll_scoring scoring = {0};
        ll_terms terms;
        ll_scores scores;
        ll_scores_gap gap;
        table t;
        ll_scorer_init(&scoring.scorer);
        scoring.scorer.arithmetic = names[n];
        scoring.scorer.transform = n == 1 ? LL_ROOT : LL_IDENTITY;
        scoring.rows = ROWS;
        scoring.classes = 2;
        for (long i = 0; i < ROWS; i++) /* nearly superincreasing, so that there is a gap */
            x[i] = n == 1 ? uniform() : 1 / (1 + exp(ldexp(1 + uniform() / 9, (int)i - 12)));
        table_set(&t, x, ROWS, 1, LL_ENTRIES_DOUBLE);
        ll_separation_init(&a);
        assert_int_equal(ll_separate(&a, &scoring.scorer, &t.source, 1e9, 60, &error), LL_OK);
        assert_string_not_equal(a.method, "every labelling scored");
        assert_int_equal(ll_resolved_init(&scoring.resolved, &scoring.scorer, &error), LL_OK);
        assert_int_equal(ll_terms_init(&terms, &scoring, &t.source, 1e9, &error), LL_OK);
        ll_scores_gap_init(&gap);
        assert_int_equal(ll_scores_init(&scores, &terms, 128, &error), LL_OK);
        assert_int_equal(ll_scores_find(&scores, &gap), LL_OK);
        char *text = ll_separate_text(gap.gap, 40, ARF_RND_NEAR);
        if (compare_texts(a.lower, text) > 0 || compare_texts(text, a.upper) > 0)
            fail_msg("%s: [%s, %s] does not hold %s", names[n], a.lower, a.upper, text);
        if (n == 0)
            assert_string_not_equal(a.lower, "0");
        free(text);
        ll_scores_clear(&scores);
        ll_scores_gap_clear(&gap);
        ll_terms_clear(&terms);
        ll_resolved_clear(&scoring.resolved);
        ll_separation_clear(&a);
    }
}

/* ---- bits ---- */

/* Are all scores different in fpa:exponent,fraction? By a curator. */
static int is_apart(ll_scorer s, const double *x, long rows, long exponent, long fraction)
{
    char name[40];
    (void)snprintf(name, sizeof name, "fpa:%ld,%ld", exponent, fraction);
    s.arithmetic = name;
    int apart = score_all(&reference, s, x, rows, 2, 1) == LL_OK;
    for (long i = 0; i < reference.count && apart; i++)
        for (long j = 0; j < i && apart; j++)
            apart = compare_texts(reference.scores[i].text, reference.scores[j].text) != 0;
    forget(&reference);
    return apart;
}

static long index_of(const int32_t *labels, long rows)
{
    long index = 0;
    for (long i = rows - 1; i >= 0; i--)
        index = 2 * index + labels[i];
    return index;
}

static void check_collision(ll_scorer s, const double *x, long rows, const ll_separation_below *below_it, long exponent,
                            long fraction)
{
    char name[40];
    (void)snprintf(name, sizeof name, "fpa:%ld,%ld", exponent, fraction);
    s.arithmetic = name;
    if (below_it->overflows)
        return;
    assert_int_equal(score_all(&reference, s, x, rows, 2, 1), LL_OK);
    long one = index_of(below_it->witness, rows), two = index_of(below_it->witness + rows, rows);
    assert_int_not_equal(one, two);
    assert_int_equal(compare_texts(reference.scores[one].text, reference.scores[two].text), 0);
    forget(&reference);
}

static void smallest_formats(void **state)
{
    (void)state;
    static const char *const names[] = {"log-loss", "squared", "itakura-saito", "sigmoid-ce"};
    enum { ROWS = 5 };
    double x[ROWS];
    for (long n = 0; n < COUNT(names) * multiplier; n++) {
        ll_separation_bits b;
        ll_error error;
        ll_scorer s;
        table t;
        ll_scorer_init(&s);
        s.loss = names[n % COUNT(names)];
        random_rows(x, ROWS);
        table_set(&t, x, ROWS, 1, LL_ENTRIES_DOUBLE);
        ll_separation_bits_init(&b);
        if (ll_separate_bits(&b, &s, &t.source, 1e9, 60, &error) != LL_OK)
            fail_msg("%s: %s", s.loss, error.text);
        assert_true(b.fraction > 1 && b.exponent >= 2 && b.phi >= 5 && b.first_fraction <= b.fraction);
        for (long f = b.fraction; f <= b.sweep; f++)
            assert_true(is_apart(s, x, ROWS, 20, f));
        assert_int_equal(b.fraction_below.bits, b.fraction - 1);
        assert_false(is_apart(s, x, ROWS, 20, b.fraction - 1));
        check_collision(s, x, ROWS, &b.fraction_below, 20, b.fraction - 1);
        assert_true(is_apart(s, x, ROWS, b.exponent, b.fraction));
        if (b.exponent > 2)
            assert_false(is_apart(s, x, ROWS, b.exponent - 1, b.fraction));
        assert_true(is_apart(s, x, ROWS, (b.phi - 1) / 2, b.phi - 1 - (b.phi - 1) / 2));
        assert_false(is_apart(s, x, ROWS, (b.phi - 2) / 2, b.phi - 2 - (b.phi - 2) / 2));
        ll_separation_bits_clear(&b);
    }
}

/* ---- refusals ---- */

static ll_status refuse(ll_scorer *s, const double *x, long rows, long columns, const char *why)
{
    ll_separation a;
    ll_error error = {0};
    ll_separation_init(&a);
    ll_status status = separate(&a, s, x, rows, columns, 0, &error);
    assert_null(a.gap);
    if (strstr(error.text, why) == NULL)
        fail_msg("'%s' is not in '%s'", why, error.text);
    return status;
}

static void bad_input(void **state)
{
    (void)state;
    const double x[] = {0.25, NAN, 0.5}, y[] = {0.25, 0.75, 1.5}, zero[] = {0.5, 0};
    ll_scorer s;
    ll_scorer_init(&s);
    assert_int_equal(refuse(&s, x, 3, 1, "row 1"), LL_DOMAIN);
    assert_int_equal(refuse(&s, y, 3, 1, "row 2"), LL_DOMAIN);
    assert_int_equal(refuse(&s, zero, 2, 1, "row 1"), LL_DOMAIN);
    assert_int_equal(refuse(&s, y, 0, 1, "no predictions"), LL_DOMAIN);
    s.classes = 3;
    assert_int_equal(refuse(&s, y, 1, 2, "columns"), LL_DOMAIN);
    s.classes = 0;
    s.noise = LL_NOISE_GAUSSIAN;
    s.noise_size = "1";
    assert_int_equal(refuse(&s, y, 2, 1, "no bound"), LL_DOMAIN);
    s.noise = LL_NOISE_NONE;
    s.ladder = "0.1";
    assert_int_equal(refuse(&s, y, 2, 1, "Ladder"), LL_DOMAIN);
    s.ladder = NULL;
    s.rounding = LL_ROUND_DIGITS;
    s.places = 3;
    assert_int_equal(refuse(&s, y, 2, 1, "digits"), LL_DOMAIN);
}

/* Equal predictions are an answer. */
static void equal_predictions(void **state)
{
    (void)state;
    double x[100];
    ll_separation a;
    ll_error error;
    ll_scorer s;
    for (long i = 0; i < 100; i++)
        x[i] = i == 41 || i == 97 ? 0.3 : uniform();
    ll_scorer_init(&s);
    ll_separation_init(&a);
    s.loss = "bregman:x^4+x^2+2*x";
    assert_int_equal(separate(&a, &s, x, 100, 1, 1, &error), LL_OK);
    assert_true(a.proved);
    assert_string_equal(a.gap, "0");
    assert_string_equal(a.upper, "0");
    assert_int_equal(a.separable, LL_FALSE);
    for (long i = 0; i < 100; i++)
        assert_int_equal(a.witness[i] != a.witness[100 + i], i == 41 || i == 97);
    ll_separation_clear(&a);
}

int main(void)
{
    read_environment("t-separate");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_classes),
        cmocka_unit_test(three_classes),
        cmocka_unit_test(four_classes),
        cmocka_unit_test(integer_sums),
        cmocka_unit_test(superincreasing_above),
        cmocka_unit_test(structure),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(decimals),
        cmocka_unit_test(plans),
        cmocka_unit_test(gap_of_primes),
        cmocka_unit_test(twenty_six),
        cmocka_unit_test(beyond_the_budget),
        cmocka_unit_test(many_floats),
        cmocka_unit_test(smallest_formats),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(equal_predictions),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%ld worlds, %ld of them with gap 0, %ld refused\n", worlds, zeros, refused);
    flint_cleanup();
    return failed;
}
