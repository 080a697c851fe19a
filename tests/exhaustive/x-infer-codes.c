/* Inference from the predictions of an attack certifies at least what the attack's own decoder certifies of the same
 * predictions and scores: every code that plans of any metric of the tables can have, several numbers of scores. With
 * more scores never fewer labels are certain; none is wrong, and the truth is always a candidate.
 * Counts and ranks of more than two classes are left out: there inference tries every labelling. So it does of the
 * metrics in `without_equations`, where it may refuse.
 * LL_TEST_LONG=1: every metric, more rows and releases, and averages with fewer scores than all. LL_TEST_METRIC,
 * LL_TEST_CODE: one alone. */
#include "worlds.h"

#include "../unit/curator_tools.h"
#include "infer/evidence.h"

enum { MOST = 64 };

static struct {
    long worlds, plans, compared, decoded, inferred, refused, failed, fewer;
} counts;

typedef struct {
    const char *settings, *code;
    const ll_scorer *scorer;
    ll_plan_info info;
    ll_plan *plan;
    ll_curator *curator;
    ll_decoder *decoder;
    ll_evidence *evidence;
    int32_t truth[MOST];
    int32_t before[MOST];
    long certain;
} world;

static void blame(const world *w, long scores, const char *what)
{
    counts.failed++;
    print_message("'%s' code %s, %ld rows, %ld of %ld scores: %s\n", w->settings, w->code, w->info.rows, scores,
                  w->info.queries, what);
}

/* What was inferred, against the truth, the decoder and what was certain before. */
static void compare(world *w, const ll_verdict *decoded, const ll_inference *found, long scores)
{
    const ll_verdict *v = found->verdict;
    long certain = 0, own = 0;
    if (v->kind == LL_NONE)
        blame(w, scores, "no labelling is left");
    for (long i = 0; i < v->rows && v->kind != LL_NONE; i++) {
        int32_t label = found->is_likely ? -1 : v->labels[i];
        certain += label >= 0;
        own += decoded->guarantee == LL_CERTIFIED && decoded->labels[i] >= 0;
        if (label >= 0 && label != w->truth[i])
            blame(w, scores, "a wrong label is certain");
        if (!found->is_likely && !v->candidates[i * v->classes + w->truth[i]])
            blame(w, scores, "the truth is excluded");
        if (!found->is_likely && w->before[i] >= 0 && label < 0)
            blame(w, scores, "a label is no longer certain");
        w->before[i] = label >= 0 ? label : w->before[i];
    }
    if (v->certain < w->certain)
        blame(w, scores, "fewer labels are certain than with fewer scores");
    w->certain = v->certain;
    counts.decoded += own;
    counts.inferred += v->certain;
    if (v->certain < own) {
        char text[200];
        (void)snprintf(text, sizeof text, "%ld labels inferred, %ld decoded", v->certain, own);
        counts.fewer++;
        blame(w, scores, text);
    }
}

static ll_status score(world *w, long query, ll_error *error)
{
    ll_predictions predictions, watched;
    ll_score score;
    ll_score_init(&score);
    ll_status status = ll_plan_predictions(w->plan, &predictions, query, error);
    if (status == LL_OK)
        status = ll_decoder_watch(w->decoder, &watched, &predictions, query, error);
    if (status == LL_OK)
        status = ll_curator_score(w->curator, &score, &watched, error);
    if (status == LL_OK)
        status = ll_decoder_score(w->decoder, score.text, error);
    if (status == LL_OK)
        status = ll_evidence_add(w->evidence, &predictions, score.text, error);
    ll_score_clear(&score);
    return status;
}

/* Metrics of two classes whose scores are no equations for inference, and why. */
static const struct {
    const char *metric, *why;
} without_equations[] = {
    {"average-precision", "its number depends on how many positives each tie has, which are many sums"},
};

/* Refused, and said to be so for want of equations. */
static int is_excepted(const world *w, const char *refusal)
{
    for (long i = 0; i < WORLDS_COUNT(without_equations); i++)
        if (strcmp(ll_scorer_get(w->scorer, "metric"), without_equations[i].metric) == 0)
            return strstr(refusal, "without equations") != NULL;
    return 0;
}

static ll_status infer(world *w, long scores)
{
    static const ll_budget little = {.size = sizeof little, .memory = 1e9, .seconds = 12, .threads = 1};
    ll_inference found;
    ll_verdict decoded;
    ll_error error = {0};
    ll_inference_init(&found);
    ll_verdict_init(&decoded);
    assert_int_equal(ll_decoder_verdict(w->decoder, &decoded, &error), LL_OK);
    ll_status status = ll_evidence_infer(w->evidence, &found, LL_METHOD_AUTO, &little, &error);
    if (status == LL_OK)
        compare(w, &decoded, &found, scores);
    else {
        counts.refused++;
        if (decoded.certain > 0 && decoded.guarantee == LL_CERTIFIED) {
            counts.fewer++;
            if (!is_excepted(w, error.text))
                blame(w, scores, error.text);
        }
    }
    counts.compared++;
    ll_inference_clear(&found);
    ll_verdict_clear(&decoded);
    return status;
}

static void try_plan(world *w)
{
    ll_error error = {0};
    counts.plans++;
    memset(w->before, -1, sizeof w->before);
    w->certain = 0;
    for (long i = 0; i < w->info.rows; i++)
        w->truth[i] = (int32_t)below(w->info.classes);
    if (ll_evidence_create(&w->evidence, w->scorer, &error) != LL_OK) {
        counts.refused++;
        return;
    }
    assert_int_equal(ll_curator_create(&w->curator, w->scorer, w->truth, w->info.rows, &error), LL_OK);
    assert_int_equal(ll_decoder_create(&w->decoder, w->plan, &error), LL_OK);
    ll_status status = LL_OK;
    long step = w->info.queries / 3 + 1;
    if (getenv("LL_TEST_LONG") == NULL && strncmp(w->code, "hadamard", strlen("hadamard")) == 0)
        step = w->info.queries;
    for (long q = 0; q < w->info.queries && status == LL_OK; q++) {
        status = score(w, q, &error);
        if (status == LL_OK && ((q + 1) % step == 0 || q + 1 == w->info.queries))
            (void)infer(w, q + 1);
    }
    ll_decoder_destroy(w->decoder);
    ll_curator_destroy(w->curator);
    ll_evidence_destroy(w->evidence);
    w->evidence = NULL;
    w->decoder = NULL;
    w->curator = NULL;
}

/* Each by its name, and each of its variants. */
static world_list list_all_codes(void)
{
    world_list list = {0};
    for (long i = 0; i < ll_code_count(); i++) {
        const ll_code_info *info = ll_code_get_info(i);
        world_list_add(&list, info->name, strlen(info->name), "", 0);
        for (const char *at = info->variants; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
            world_list_add(&list, info->name, strlen(info->name), at, strcspn(at, " "));
    }
    return list;
}

static void try_codes(const char *settings)
{
    static world_list codes;
    ll_scorer *scorer = NULL;
    if (try_scorer_text(&scorer, settings, NULL) != LL_OK)
        return;
    if (codes.count == 0)
        codes = list_all_codes();
    counts.worlds++;
    const char *only = getenv("LL_TEST_CODE");
    for (long c = 0; c < codes.count; c++) {
        world w = {.settings = settings, .code = codes.names[c], .scorer = scorer};
        if (only != NULL && strcmp(only, w.code) != 0)
            continue;
        w.plan = plan_of_code(scorer, w.code, NULL);
        if (w.plan == NULL)
            continue;
        ll_plan_get_info(w.plan, &w.info);
        try_plan(&w);
        ll_plan_destroy(w.plan);
    }
    ll_scorer_destroy(scorer);
}

static int has_all_columns(const char *metric)
{
    ll_scorer *scorer = NULL;
    char text[200];
    (void)snprintf(text, sizeof text, "metric=%s; rows=9; classes=2; columns=all", metric);
    int has = try_scorer_text(&scorer, text, NULL) == LL_OK;
    ll_scorer_destroy(scorer);
    return has;
}

static int is_asked(const char *metric)
{
    static const char *const few[] = {"log-loss", "squared", "accuracy", "f1", "mcc", "auc"};
    const char *only = getenv("LL_TEST_METRIC");
    int is_one = getenv("LL_TEST_LONG") != NULL;
    for (long i = 0; i < WORLDS_COUNT(few); i++)
        is_one |= strcmp(few[i], metric) == 0;
    return only != NULL ? strcmp(only, metric) == 0 : is_one;
}

static int is_covered(const char *name, long classes)
{
    ll_metric *metric = NULL;
    int is = ll_metric_create(&metric, name, NULL) == LL_OK && (classes == 2 || ll_metric_has_terms(metric));
    ll_metric_destroy(metric);
    return is;
}

static void test_codes(void **state)
{
    static const char *const releases[] = {"decimals=5", "", "decimals=3", "noise=bounded:0.0001"};
    static const long sizes[] = {30, 12, 40, 60};
    static const char *const arithmetics[] = {"fp64", "exact"};
    (void)state;
    world_list metrics = list_metrics();
    long turn = 0, last = getenv("LL_TEST_LONG") ? 4 : 1;
    for (long m = 0; m < metrics.count; m++)
        for (long a = 0; a < 2; a++)
            for (long classes = 2; classes <= 3; classes++)
                for (long n = 0; n < last; n++, turn++) {
                    char text[300];
                    (void)snprintf(text, sizeof text, "metric=%s; arithmetic=%s; rows=%ld; classes=%ld; %s%s",
                                   metrics.names[m], arithmetics[a], sizes[n], classes,
                                   has_all_columns(metrics.names[m]) ? "columns=all; " : "",
                                   a == 0 ? releases[n] : "noise=bounded:0.0001");
                    if (is_asked(metrics.names[m]) && is_covered(metrics.names[m], classes))
                        try_codes(text);
                }
    print_message(
        "%ld worlds, %ld plans, %ld inferences, %ld refused: %ld labels decoded, %ld inferred, fewer in %ld\n",
        counts.worlds, counts.plans, counts.compared, counts.refused, counts.decoded, counts.inferred, counts.fewer);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.inferred > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes)};
    read_environment("x-infer-codes");
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
