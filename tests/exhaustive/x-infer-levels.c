/* Inference from answers on a list of levels, held against every labelling of small worlds: a labelling explains the
 * answers where a curator that has these labels gives all of them, in their order. None of those is excluded, a label
 * that is called certain is that of all of them, and for sums of terms nothing else is left open, unless a score lies on a level.
 * LL_TEST_LONG=1: fifty times as many worlds. */
#include "../unit/curator_tools.h"
#include "../unit/scorer_tools.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 7, MOST_SCORES = 5, TEXT = 40 };
#define COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))

/* is_sharp: answers that show nothing are used too, so that what is known is all that is told. */
static const struct {
    const char *settings;
    int of_labels, is_sharp;
} kinds[] = {
    {"metric=accuracy; arithmetic=fp64; release=levels:0.41:0.99:5", 1, 1},
    {"metric=accuracy; arithmetic=exact; release=levels:0,0.31,0.53,0.83", 1, 1},
    {"metric=zero-one; arithmetic=fp64; release=ladder:0.19; start=0.9", 1, 0},
    {"metric=accuracy; arithmetic=fp64; improvements=1; release=levels:0.11:0.99:9", 1, 1},
    {"metric=accuracy; arithmetic=fp64; transform=percent; release=levels:21:99:6", 1, 1},
    {"metric=zero-one; arithmetic=fp64; transform=negate; release=levels:-0.97:-0.01:6", 1, 1},
    {"metric=log-loss; arithmetic=fp64; clip=auto; release=levels:1.2:0.001:9", 0, 1},
    {"metric=squared; arithmetic=fp64; release=levels:0.5:0.003:11", 0, 1},
    {"metric=squared; arithmetic=exact; transform=root; release=levels:0.9:0.003:11", 0, 1},
    {"metric=log-loss; arithmetic=exact; release=levels:2:0:9", 0, 0}, /* a loss may be infinite: that is not shown */
    {"metric=f1; arithmetic=fp64; release=levels:0.1:1:8", 1, 0},
    {"metric=auc; arithmetic=fp64; release=levels:0.2:1:7", 0, 0},
    {"metric=accuracy; arithmetic=fp64; scope=leaderboard; release=levels:0.41:0.99:5", 1, 0},
};

typedef struct {
    long kind, rows, scores;
    ll_scorer *scorer;
    double x[MOST_SCORES][MOST_ROWS];
    char answers[MOST_SCORES][TEXT];
} world;

static void answer(world *w, uint64_t labels, char (*texts)[TEXT])
{
    int32_t truth[MOST_ROWS];
    ll_curator *curator;
    ll_error error = {0};
    for (long i = 0; i < w->rows; i++)
        truth[i] = (int32_t)(labels >> i & 1);
    if (ll_curator_create(&curator, w->scorer, truth, w->rows, &error) != LL_OK)
        fail_msg("%s", error.text);
    for (long q = 0; q < w->scores; q++) {
        table t;
        ll_score score;
        table_set(&t, w->x[q], w->rows, 1, LL_ENTRIES_DOUBLE);
        ll_score_init(&score);
        if (ll_curator_score(curator, &score, &t.source, &error) != LL_OK)
            fail_msg("%s: %s", kinds[w->kind].settings, error.text);
        (void)snprintf(texts[q], TEXT, "%s", score.text);
        ll_score_clear(&score);
    }
    ll_curator_destroy(curator);
}

static double draw_entry(long kind)
{
    if (kinds[kind].of_labels)
        return (double)below(2);
    return below(12) == 0 ? (double)below(2) : (double)(1 + below(98)) / 99;
}

static void draw_world(world *w, long kind)
{
    *w = (world){.kind = kind, .rows = 2 + below(MOST_ROWS - 1), .scores = 1 + below(MOST_SCORES)};
    w->scorer = scorer_of_text("arithmetic=exact; rows=%ld; classes=2; %s", w->rows, kinds[kind].settings);
    for (long q = 0; q < w->scores; q++)
        for (long i = 0; i < w->rows; i++)
            w->x[q][i] = draw_entry(kind);
    answer(w, (uint64_t)below(1L << w->rows), w->answers);
}

/* The labels that all labellings share which give these answers: bits that are always 1, and always 0. */
static void enumerate(world *w, uint64_t *ones, uint64_t *zeros)
{
    *ones = *zeros = (UINT64_C(1) << w->rows) - 1;
    for (uint64_t labels = 0; labels < UINT64_C(1) << w->rows; labels++) {
        char texts[MOST_SCORES][TEXT];
        int fits = 1;
        answer(w, labels, texts);
        for (long q = 0; q < w->scores; q++)
            fits &= strcmp(texts[q], w->answers[q]) == 0;
        *ones &= fits ? labels : ~UINT64_C(0);
        *zeros &= fits ? ~labels : ~UINT64_C(0);
    }
}

static ll_status infer(world *w, ll_inference *out, ll_error *error)
{
    ll_evidence *evidence = NULL;
    ll_status status = ll_evidence_create(&evidence, w->scorer, error);
    for (long q = 0; q < w->scores && status == LL_OK; q++) {
        table t;
        table_set(&t, w->x[q], w->rows, 1, LL_ENTRIES_DOUBLE);
        status = ll_evidence_add(evidence, &t.source, w->answers[q], error);
    }
    if (status == LL_OK)
        status = ll_evidence_infer(evidence, out, LL_METHOD_AUTO, NULL, error);
    ll_evidence_destroy(evidence);
    return status;
}

static long certain, told;

static void compare(world *w)
{
    uint64_t ones, zeros;
    ll_inference found;
    ll_error error = {0};
    ll_inference_init(&found);
    ll_status status = infer(w, &found, &error);
    if (status == LL_DOMAIN && !kinds[w->kind].is_sharp && strstr(error.text, "nothing to infer from"))
        return; /* no answer shows anything that is used */
    if (status != LL_OK)
        fail_msg("%s: %s", kinds[w->kind].settings, error.text);
    enumerate(w, &ones, &zeros);
    const ll_verdict *v = found.verdict;
    if (v->kind == LL_VERDICT_NONE)
        fail_msg("%s, %ld rows: no labelling", kinds[w->kind].settings, w->rows);
    for (long i = 0; i < w->rows; i++) {
        int32_t known = ones >> i & 1 ? 1 : zeros >> i & 1 ? 0 : -1, read = v->labels != NULL ? v->labels[i] : -1;
        told += known >= 0;
        certain += read >= 0;
        if (read >= 0 && read != known)
            fail_msg("%s, row %ld of %ld: read as %d, may be both", kinds[w->kind].settings, i, w->rows, (int)read);
        if (read < 0 && known >= 0 && kinds[w->kind].is_sharp)
            fail_msg("%s, row %ld of %ld, %ld scores: %d in all labellings, left open", kinds[w->kind].settings, i,
                     w->rows, w->scores, (int)known);
    }
    ll_inference_clear(&found);
}

static void is_every_labelling_kept(void **state)
{
    long worlds = (getenv("LL_TEST_LIGHT") ? 6 : 30) * multiplier * (getenv("LL_TEST_LONG") ? 50 : 1);
    (void)state;
    for (long kind = 0; kind < COUNT(kinds); kind++)
        for (long i = 0; i < worlds; i++) {
            world w;
            draw_world(&w, kind);
            compare(&w);
            ll_scorer_destroy(w.scorer);
        }
    printf("%ld labels certain, %ld the same in every labelling that fits\n", certain, told);
    assert_true(certain > 20);
}

/* Texts that an account cannot have got. */
static void are_wrong_texts_refused(void **state)
{
    static const char *const texts[][2] = {{"0.7", "not one of the levels"}, {"nonsense", "not one of the levels"}};
    double x[] = {0, 1, 1};
    table t;
    ll_error error = {0};
    ll_evidence *evidence;
    (void)state;
    ll_scorer *s = scorer_of_text("arithmetic=exact; metric=accuracy; rows=3; classes=2; release=levels:0.5:1:4");
    assert_int_equal(ll_evidence_create(&evidence, s, &error), LL_OK);
    table_set(&t, x, 3, 1, LL_ENTRIES_DOUBLE);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(ll_evidence_add(evidence, &t.source, texts[i][0], &error), LL_DOMAIN);
        assert_non_null(strstr(error.text, texts[i][1]));
    }
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.75", &error), LL_OK);
    assert_int_equal(ll_evidence_add(evidence, &t.source, "0.625", &error), LL_DOMAIN);
    assert_non_null(strstr(error.text, "worse than one before it"));
    ll_evidence_destroy(evidence);
    ll_scorer_destroy(s);
}

int main(void)
{
    read_environment("x-infer-levels");
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_every_labelling_kept),
                                       cmocka_unit_test(are_wrong_texts_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
