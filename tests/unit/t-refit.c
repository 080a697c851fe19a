/* Scores decoded again under another description: what is called proved rests on the labels that would be certain, half
 * of those that were asked about at least; and a description under which a true labelling is left is never excluded.
 * LL_TEST_SEED, LL_TEST_MULTIPLIER. */
#include "curator_tools.h"
#include "decode/decoder.h"
#include "refit/refit.h"
#include "scorer_tools.h"

enum { ROWS = 14 };

typedef struct {
    ll_scorer *stated, *real;
    ll_plan *plan;
    char *scores[ROWS * 8];
    long count;
} world;

/* Plans of one description, scores of another one. */
static int make_world(world *w)
{
    static const char *const metrics[] = {"squared", "log-loss; clip=1e-6; clip-mode=clip", "accuracy", "norm:2.5"};
    ll_plan_request request;
    ll_error error = {0};
    *w = (world){0};
    ll_plan_request_init(&request);
    w->stated = scorer_of_text("metric=%s; arithmetic=fp64; rows=%ld; decimals=%ld", metrics[below(4)],
                               4 + below(ROWS - 3), 3 + below(3));
    w->real = vary_scorer(w->stated, "decimals=%ld", below(4));
    if (ll_plan_create(&w->plan, w->stated, &request, &error) == LL_OK && w->plan->queries <= ROWS * 8)
        return 1;
    return 0;
}

static void clear_world(world *w)
{
    for (long q = 0; q < w->count; q++)
        free(w->scores[q]);
    ll_plan_destroy(w->plan);
    ll_scorer_destroy(w->stated);
    ll_scorer_destroy(w->real);
}

/* Scores of these labels, by the real description; some of the last are missing at times. */
static void ask(world *w, const int32_t *labels)
{
    ll_curator *curator;
    assert_int_equal(ll_curator_create(&curator, w->real, labels, w->plan->rows, NULL), LL_OK);
    long until = below(2) ? w->plan->queries : 1 + below(w->plan->queries);
    for (; w->count < until; w->count++) {
        ll_predictions predictions;
        ll_score score;
        ll_score_init(&score);
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, w->count, NULL), LL_OK);
        assert_int_equal(ll_curator_score(curator, &score, &predictions, NULL), LL_OK);
        w->scores[w->count] = strdup(score.text);
        ll_score_clear(&score);
    }
    ll_curator_destroy(curator);
}

/* Rows that the answered queries are about: of a code of one query for each block, the blocks that were asked. */
static long count_asked(const world *w)
{
    long blocks = w->count / w->plan->bounds.repeats * w->plan->block;
    return !ll_plan_is_joint(w->plan) && blocks < w->plan->rows ? blocks : w->plan->rows;
}

static void proofs_rest_on_labels(void **state)
{
    (void)state;
    long few = 0, many = 0;
    for (long i = 0; i < 40 * multiplier; i++) {
        world w;
        int32_t labels[ROWS];
        ll_refit_trial trial;
        for (long row = 0; row < ROWS; row++)
            labels[row] = (int32_t)below(2);
        if (make_world(&w)) {
            ask(&w, labels);
            const ll_refit_case c = {.scorer = w.stated,
                                     .plan = w.plan,
                                     .scores = (const char *const *)w.scores,
                                     .count = w.count,
                                     .until = INFINITY};
            assert_int_equal(ll_refit_decode(&trial, &c, w.real, LL_REFIT_RELEASE, 0), LL_OK);
            assert_true(trial.answer != LL_REFIT_NO); /* these labels explain them */
            assert_true(trial.proved == (trial.certain > 0 && 2 * trial.certain + 1 >= count_asked(&w)));
            assert_true((trial.answer == LL_REFIT_YES) == trial.proved);
            few += trial.certain > 0 && !trial.proved;
            many += trial.proved;
        }
        clear_world(&w);
    }
    print_message("%ld proved, %ld with too few labels\n", many, few);
    assert_true(few > 2 && many > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_rest_on_labels)};
    read_environment("t-refit");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
