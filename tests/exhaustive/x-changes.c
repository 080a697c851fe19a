/* The codes changes and single, exhaustively: weighted scores and terms that no other code chooses, up to five rows,
 * and weighted metrics of counts, up to six, every labelling, against the curator's number and both ends of where the
 * real program's may lie. No label that is certain is wrong, no true label is left out, every labelling whose texts are
 * the same is still there, and a plan that promises all labels of scores that are rounded or have noise gives them. */
#include "plan/plan.h"
#include "worlds.h"

#include <math.h>

enum { MOST_LISTED = 5, MOST_ROWS = 6, MOST_QUERIES = 96 };

enum { SHIFTED = 2 };

typedef struct {
    const char *text;
    long classes;
    int weighted; /* is one of the lists of weights given to it? else it needs none; SHIFTED: the code shifts alone */
} description;

static const description descriptions[] = {
    {"metric=log-loss; arithmetic=fp64; sum=pairwise", 2, 1},
    {"scorer=sklearn-1.2/log_loss", 2, 1},
    {"scorer=sklearn-1.2/log_loss", 3, 1},
    {"metric=squared; arithmetic=fp64", 2, 1},
    {"metric=squared; arithmetic=fp64; columns=all", 3, 1},
    {"metric=accuracy; arithmetic=fp64; sum=pairwise", 2, 1},
    {"metric=accuracy", 3, 1},
    {"metric=zero-one; arithmetic=fp64", 2, 1},
    {"metric=sigmoid-ce; arithmetic=fp64", 2, 1},
    {"metric=hinge; arithmetic=fp64", 2, 1},
    {"metric=log-loss; transform=negate", 2, 1},
    {"metric=mse; targets=0:2:1; arithmetic=fp64; transform=root", 3, 1},
    {"metric=mae; targets=-1:1:1; arithmetic=fp64", 3, 1},
    {"metric=mrr; arithmetic=fp64", 3, 1},
    {"metric=mape; targets=1:3:1; arithmetic=fp64; sum=pairwise", 3, 0},
    {"metric=mape; targets=0:2:1; arithmetic=fp64", 3, 0},
    {"metric=mape; targets=0:2:1; arithmetic=fp32; transform=root", 3, 0},
    {"metric=msle; targets=0:3:1; arithmetic=fp64", 4, 0},
    {"metric=rmsle; targets=0.5:2:0.5; arithmetic=fp64", 4, 0},
    {"metric=quantile:0.75; targets=0:2:1; arithmetic=fp64", 3, 0},
    {"metric=quantile:0.1; targets=0:2:1; arithmetic=fp64; clip-targets=yes", 3, 0},
    {"metric=mse; targets=0:2:1; arithmetic=fp64; clip-targets=yes", 3, SHIFTED},
    {"metric=mse; targets=-0.1:0.2:0.1; arithmetic=fp32", 4, SHIFTED},
    {"metric=mse; targets=0.1:0.3:0.1; arithmetic=exact", 3, SHIFTED},
    {"metric=huber:1; targets=0:3:1; arithmetic=fp64", 4, SHIFTED},
    {"metric=smape; targets=0:2:1; arithmetic=fp64", 3, 0},
    {"metric=mae; targets=1000.1:1000.3:0.1; arithmetic=fp32; transform=root", 3, SHIFTED},
    {"metric=top-k:2; arithmetic=fp64", 4, 0},
    {"metric=top-k:2", 4, 0},
    {"scorer=xgboost/map", 3, 0},
    {"metric=ndcg-first:2; arithmetic=fp64", 4, 0},
};

static const char *const weights[][MOST_LISTED] = {
    {"1", "1,2", "1,2,0.5", "3,1,2,0.25", "1,1,1,1,1"},
    {"0.3", "0,1", "0.1,0.2,0.3", "5,0,1e-3,2", "0.7,0.11,1.3,2.9,0.017"},
    {"2", "1e-9,1", "1,1,0", "0,0,0,1", "1,3,9,27,81"},
};

static const char *const releases[] = {"",         "decimals=2",         "decimals=5",
                                       "digits=4", "noise=bounded:1e-4", "decimals=4; truncate=yes"};

static long worlds, plans, attacks, certain, opened;
static unsigned seed = 20261116;

typedef struct {
    ll_scorer *scorer;
    ll_plan *plan;
    long rows, classes, queries, count;
    int is_promised;              /* every label */
    char *(*texts)[MOST_QUERIES]; /* [labelling]: what a curator of it answers */
} world;

/* Counts of one class alone, or that cancel. */
static int has_no_number(const char *text)
{
    return strstr(text, "one class") != NULL;
}

static void attack(const world *w, long number, int which)
{
    int32_t truth[MOST_ROWS];
    ll_verdict verdict;
    ll_error error = {0};
    world_oracle self = {.which = which, .scores = which == WORLD_SIMULATED ? w->texts[number] : NULL};
    world_labelling(truth, number, w->rows, w->classes);
    ll_verdict_init(&verdict);
    assert_int_equal(ll_curator_create(&self.curator, w->scorer, truth, w->rows, &error), LL_OK);
    ll_oracle oracle = {.self = &self, .ask = world_answer};
    ll_status status = ll_attack_run(w->plan, &verdict, &oracle, NULL, &error);
    if (status != LL_OK && strstr(error.text, "shortened") == NULL && !has_no_number(error.text))
        fail_msg("%s", error.text);
    const char *fault = status == LL_OK ? world_fault(&verdict, truth, w->rows, w->classes) : NULL;
    if (fault != NULL)
        fail_msg("%s", fault);
    if (w->is_promised && status == LL_OK && verdict.kind != LL_UNIQUE)
        fail_msg("a label is open that the plan promised");
    for (long i = 0; i < w->rows && status == LL_OK; i++) {
        certain += verdict.labels[i] >= 0;
        opened += verdict.labels[i] < 0;
    }
    ll_verdict_clear(&verdict);
    ll_curator_destroy(self.curator);
    attacks++;
}

/* What the answers of a labelling say, from query `first` on. */
static ll_status decode(const world *w, long labelling, long first, ll_verdict *out)
{
    ll_decoder *decoder;
    ll_verdict_init(out);
    assert_int_equal(ll_decoder_create(&decoder, w->plan, NULL), LL_OK);
    for (long q = first; q < w->queries; q++) {
        ll_predictions own, watched;
        assert_int_equal(ll_plan_predictions(w->plan, &own, q, NULL), LL_OK);
        assert_int_equal(ll_decoder_watch(decoder, &watched, &own, q, NULL), LL_OK);
        assert_int_equal(ll_decoder_score(decoder, w->texts[labelling][q], NULL), LL_OK);
    }
    ll_status status = ll_decoder_verdict(decoder, out, NULL);
    ll_decoder_destroy(decoder);
    return status;
}

/* Labellings whose texts are the same: where they differ no label is certain. Noise is drawn anew: nothing to compare.
 */
static void compare(const world *w, long a, long b)
{
    int32_t one[MOST_ROWS], other[MOST_ROWS];
    ll_verdict verdict;
    for (long q = 0; q < w->queries; q++)
        if (w->texts[a][q] == NULL || w->texts[b][q] == NULL || strcmp(w->texts[a][q], w->texts[b][q]) != 0)
            return;
    world_labelling(one, a, w->rows, w->classes);
    world_labelling(other, b, w->rows, w->classes);
    if (decode(w, a, 0, &verdict) == LL_OK)
        for (long i = 0; i < w->rows; i++)
            assert_true(verdict.candidates[i * w->classes + one[i]] && verdict.candidates[i * w->classes + other[i]]);
    ll_verdict_clear(&verdict);
}

/* Sums are read as differences from the first: without it nothing is told. */
static void leave_out_first(const world *w)
{
    ll_verdict verdict;
    if (w->texts[0][0] == NULL)
        return;
    if (decode(w, 0, 1, &verdict) == LL_OK)
        assert_int_equal(verdict.certain, 0);
    ll_verdict_clear(&verdict);
}

static void check_world(world *w)
{
    w->texts = calloc((size_t)w->count, sizeof *w->texts);
    assert_non_null(w->texts);
    for (long s = 0; s < w->count; s++)
        for (int which = 0; which < WORLD_ANSWERS; which++)
            attack(w, s, which);
    for (long a = 0; a < w->count && strcmp(ll_scorer_get(w->scorer, "noise"), "none") == 0; a++)
        for (long b = 0; b < a; b++)
            compare(w, a, b);
    leave_out_first(w);
    for (long s = 0; s < w->count; s++)
        for (long q = 0; q < w->queries; q++)
            free(w->texts[s][q]);
    free(w->texts);
}

static void try_world(const char *text, const char *code, long rows, long classes, int is_rounded)
{
    world w = {.rows = rows, .classes = classes, .scorer = scorer_of_text("%s", text)};
    ll_plan_request request;
    ll_plan_info info;
    ll_error error = {0};
    ll_plan_request_init(&request);
    request.code = code;
    worlds++;
    if (ll_plan_create(&w.plan, w.scorer, &request, &error) == LL_OK) {
        ll_plan_get_info(w.plan, &info);
        assert_string_equal(info.code, code);
        assert_int_equal(info.classes, classes);
        w.queries = info.queries;
        w.is_promised = is_rounded && ll_plan_rows_within(w.plan, 0) == rows;
        assert_true(w.queries <= MOST_QUERIES);
        w.count = world_power(classes, rows);
        check_world(&w);
        plans++;
        ll_plan_destroy(w.plan);
    } else
        assert_true(strlen(error.text) > 20);
    ll_scorer_destroy(w.scorer);
}

static void try_description(const description *d, long list, const char *release, long rows)
{
    char text[400], more[120] = "";
    if (d->weighted == 1)
        (void)snprintf(more, sizeof more, "; weights=%s", weights[list][rows - 1]);
    (void)snprintf(text, sizeof text, "%s; classes=%ld; rows=%ld%s; %s", d->text, d->classes, rows, more, release);
    if (d->weighted != SHIFTED)
        try_world(text, "changes", rows, d->classes, *release != '\0');
    if (strstr(d->text, "targets") != NULL && list == 0) {
        (void)snprintf(text, sizeof text, "%s; classes=%ld; rows=%ld; %s", d->text, d->classes, rows, release);
        try_world(text, "shifts", rows, d->classes, *release != '\0');
    }
}

static void test_worlds(void **state)
{
    (void)state;
    const long step = getenv("LL_TEST_LONG") != NULL    ? 1
                      : getenv("LL_TEST_LIGHT") == NULL ? 23
                                                        : 97,
               all = step == 97 ? 1 : 2;
    long number = 0;
    for (long d = 0; d < WORLDS_COUNT(descriptions); d++)
        for (long list = 0; list < (descriptions[d].weighted == 1 ? WORLDS_COUNT(weights) : 1); list++)
            for (long r = 0; r < WORLDS_COUNT(releases); r++)
                for (long rows = 1; rows <= (descriptions[d].classes > 2 ? 4 : MOST_LISTED); rows++)
                    if (rows <= all || ++number % step == 0)
                        try_description(&descriptions[d], list, releases[r], rows);
    print_message("%ld worlds, %ld with a plan, %ld attacks: %ld labels certain, %ld open\n", worlds, plans, attacks,
                  certain, opened);
    assert_true(plans > worlds / 2 && attacks > 1000 && opened < certain);
}

/* ---- metrics of counts ---- */

static double draw(long from)
{
    return (double)rand_r(&seed) / RAND_MAX * (double)from;
}

/* Even, of many sizes, small whole numbers with zeros, all alike, one far heavier than the rest. */
static void write_weights(char *text, size_t size, long rows, int style)
{
    size_t used = 0;
    long one = (long)draw(rows);
    for (long i = 0; i < rows; i++) {
        const double each[] = {0.05 + draw(1), pow(10, draw(9) - 5), floor(draw(4)) + (i == one), 0.1,
                               i == one ? 1e6 : 0.1 + draw(1)};
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", i > 0 ? "," : "", each[style]);
    }
}

static void test_counts(void **state)
{
    (void)state;
    world_list metrics = list_metrics();
    const long turns = getenv("LL_TEST_LONG") != NULL ? 60 : getenv("LL_TEST_LIGHT") == NULL ? 2 : 1;
    long before = worlds, planned = plans, tried = attacks;
    certain = opened = 0;
    for (long m = 0; m < metrics.count; m++)
        for (long turn = 0; turn < turns * 5; turn++) {
            ll_metric *metric = NULL;
            assert_int_equal(ll_metric_create(&metric, metrics.names[m], NULL), LL_OK);
            int serves = ll_metric_is_counts(metric) && !ll_metric_is_whole(metric);
            ll_metric_destroy(metric);
            long rows = 1 + (long)draw(turn % 5 == 0 ? MOST_ROWS : MOST_LISTED);
            char list[300], text[500];
            write_weights(list, sizeof list, rows, (int)(turn % 5));
            (void)snprintf(text, sizeof text, "metric=%s; arithmetic=%s; classes=2; rows=%ld; weights=%s; %s; %s",
                           metrics.names[m], turn % 11 == 3 ? "exact" : "fp64", rows, list,
                           turn % 7 == 2 ? "zero-division=1" : "", releases[(long)draw(WORLDS_COUNT(releases))]);
            if (serves)
                try_world(text, "single", rows, 2, 0);
        }
    print_message("counts: %ld worlds, %ld with a plan, %ld attacks: %ld labels certain, %ld open\n", worlds - before,
                  plans - planned, attacks - tried, certain, opened);
    assert_true(plans - planned > (worlds - before) / 2 && attacks - tried > 1000 && opened < certain / 2);
}

/* Class weights: the divisor follows from the counts, so that they must be told, and then the truth must have them. */
static void test_class_weights(void **state)
{
    static const char *const lists[] = {"balanced", "1,3", "0,2"};
    long told = 0;
    (void)state;
    for (long l = 0; l < WORLDS_COUNT(lists); l++)
        for (long ones = 0; ones <= 4; ones++) {
            world w = {.rows = 4, .classes = 2, .count = 16};
            ll_error error = {0};
            ll_plan_request request;
            ll_plan_request_init(&request);
            w.scorer =
                scorer_of_text("scorer=sklearn-1.2/log_loss; rows=4; class-weights=%s; counts=%ld,%ld; decimals=5",
                               lists[l], 4 - ones, ones);
            if (ll_plan_create(&w.plan, w.scorer, &request, &error) != LL_OK) {
                ll_scorer_destroy(w.scorer);
                continue;
            }
            char *texts[16][MOST_QUERIES] = {{NULL}};
            w.texts = texts;
            for (long s = 0; s < 16; s++)
                if (__builtin_popcountl((unsigned long)s) == (int)ones)
                    attack(&w, s, WORLD_SIMULATED), told++;
            for (long s = 0; s < 16; s++)
                for (long q = 0; q < MOST_QUERIES; q++)
                    free(texts[s][q]);
            ll_plan_destroy(w.plan);
            ll_scorer_destroy(w.scorer);
        }
    assert_true(told > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds), cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_class_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
