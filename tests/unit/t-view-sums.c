/* Scores of counts, ranks and R^2 as sums of labels: every labelling of a few rows has a sum that the interval of its
 * number of positives holds, whichever of the numbers that the real program may have is the score; and most others are
 * left out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "infer/joint.h"
#include "infer/view_sums.h"
#include "number/random.h"
#include "scorer_tools.h"

enum { MOST_ROWS = 8, ISOLATED_ROWS = 5, ENDS = 3 };

static const char *const metrics[] = {"r2; targets=0:1:1",
                                      "r2; targets=0.1:0.4:0.3",
                                      "r2; targets=-5:3:8",
                                      "r2; targets=1000.1:1000.2:0.1",
                                      "r2; targets=0:1:1; undefined=fails",
                                      "auc; classes=2",
                                      "f1; classes=2",
                                      "mcc; classes=2"};
static const char *const releases[] = {
    "", "decimals=5", "decimals=2", "digits=3", "noise=bounded:0.001; decimals=6", "noise=bounded:0.2"};

typedef struct {
    double x[MOST_ROWS];
} values;

static ll_status get(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const values *v = self;
    double *x = ll_block_reserve_doubles(out, count, 1);
    if (x == NULL)
        return ll_fail(error, LL_MEMORY, "no memory");
    for (long i = 0; i < count; i++)
        x[i] = v->x[first + i];
    return LL_OK;
}

/* Of few bits, of many, far off, alike. */
static double draw(uint64_t seed, uint64_t row, int is_label)
{
    uint64_t any = ll_random_below(seed, 1, row, 1 << 30);
    double few = (double)(any % 17) / 16;
    if (is_label)
        return (double)(any % 2);
    return seed % 4 == 0   ? few
           : seed % 4 == 1 ? (double)any / 0x1.fffp29
           : seed % 4 == 2 ? 40 * few - 20
                           : (double)(any % 2);
}

static long held, excluded, refused, isolated, possible;

/* What these equations exclude of single labels, for every number of positives: none that a labelling has which
 * explains the score. */
static void check_isolated(const ll_evidence *e, long rows)
{
    unsigned char candidates[2 * MOST_ROWS], seen[2 * MOST_ROWS] = {0};
    memset(candidates, 1, sizeof candidates);
    assert_int_equal(ll_joint_isolate(e, candidates, 1), LL_OK);
    for (int32_t number = 0; number < 1 << rows; number++) {
        int32_t labels[MOST_ROWS];
        int fits = 0;
        for (long i = 0; i < rows; i++)
            labels[i] = number >> i & 1;
        assert_int_equal(ll_evidence_explains_view(e, e->observations, labels, &fits, NULL), LL_OK);
        for (long i = 0; i < rows; i++)
            seen[2 * i + labels[i]] |= fits != 0;
    }
    for (long i = 0; i < 2 * rows; i++) {
        if (seen[i] && !candidates[i])
            fail_msg("a label of a labelling that has this score is excluded");
        isolated += !candidates[i];
        possible += !seen[i];
    }
}

static void check(const ll_scorer *scorer, ll_predictions *p, const char *score, int32_t number, long rows)
{
    ll_evidence *e = NULL;
    ll_view_sums sums;
    ll_error error = {0};
    if (ll_evidence_create(&e, scorer, &error) != LL_OK)
        fail_msg("%s", error.text);
    if (ll_evidence_add(e, p, score, &error) != LL_OK)
        fail_msg("%s", error.text);
    if (ll_evidence_view_sums(e, 0, &sums, &error) != LL_OK) {
        refused++;
        ll_evidence_destroy(e);
        return;
    }
    for (int32_t other = 0; other < 1 << rows; other++) {
        int64_t sum = 0, positives = 0;
        for (long i = 0; i < rows; i++)
            if (other >> i & 1) {
                assert_true(sums.features[i] >= 0);
                sum += sums.features[i];
                positives++;
            }
        int is_held = sums.low[positives] <= sum && sum <= sums.high[positives];
        if (other == number && !is_held)
            fail_msg("%s of %s: a labelling that has this score is left out", score, ll_scorer_get(scorer, "metric"));
        held += is_held;
        excluded += !is_held;
    }
    ll_view_sums_clear(&sums);
    if (rows <= ISOLATED_ROWS)
        check_isolated(e, rows);
    ll_evidence_destroy(e);
}

static void try_world(const ll_scorer *scorer, values *v, long rows)
{
    ll_predictions p = {.self = v, .rows = rows, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get};
    for (int32_t number = 0; number < 1 << rows; number++) {
        int32_t labels[MOST_ROWS];
        ll_curator *curator = NULL;
        ll_score score;
        ll_error error = {0};
        for (long i = 0; i < rows; i++)
            labels[i] = number >> i & 1;
        ll_score_init(&score);
        assert_int_equal(ll_curator_create(&curator, scorer, labels, rows, &error), LL_OK);
        if (ll_curator_score(curator, &score, &p, &error) == LL_OK) {
            const char *const ends[ENDS] = {score.text, score.lower, score.upper};
            for (int i = 0; i < ENDS; i++)
                check(scorer, &p, ends[i], number, rows);
        }
        ll_score_clear(&score);
        ll_curator_destroy(curator);
    }
}

static void test_sums(void **state)
{
    (void)state;
    const uint64_t times = getenv("LL_TEST_LONG") != NULL ? 200 : 24;
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        held = excluded = refused = isolated = possible = 0;
        for (size_t r = 0; r < sizeof releases / sizeof *releases; r++)
            for (uint64_t seed = 0; seed < times; seed++) {
                char text[200];
                long rows = 1 + (long)(seed % MOST_ROWS);
                ll_scorer *scorer = NULL;
                ll_error error = {0};
                values v;
                const int is_label = m > 5;
                (void)snprintf(text, sizeof text, "metric=%s; arithmetic=fp64; rows=%ld; %s", metrics[m], rows,
                               releases[r]);
                for (long i = 0; i < rows; i++)
                    v.x[i] = draw(seed, (uint64_t)i, is_label);
                if (try_scorer_text(&scorer, text, &error) == LL_OK)
                    try_world(scorer, &v, rows);
                ll_scorer_destroy(scorer);
            }
        printf("%s: %ld held, %ld left out, %ld refused; %ld labels of %ld excluded\n", metrics[m], held, excluded,
               refused, isolated, possible);
        assert_true(held > 100 && excluded > held / 4 && refused == 0);
        assert_true((double)isolated > 0.05 * (double)possible);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
