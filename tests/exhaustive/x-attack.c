/* Small worlds, exhaustively: every metric, code and variant of the tables x arithmetic x transform x noise x rounding,
 * every labelling. What the decoder calls certain is the truth, at both ends of the interval of the real program too;
 * no "none"; a plan that promises every label gives them; and where it does, no other labelling could have got the
 * same scores, as scoring every one of them shows. Scores that somebody shortened make no wrong label certain.
 *
 * LL_TEST_LONG=1 takes more rows and every combination; without it every name is there, and combinations are drawn.
 * LL_TEST_LIGHT=1 (sanitizers) takes fewer. */
#include <math.h>

#include "worlds.h"

#include "number/random.h"

#include <arb.h>

enum { MOST_ROWS = 12, MOST_QUERIES = 64, SHOWN = 20 };

static const char *const roundings[] = {"", "decimals=3", "decimals=3; truncate=yes", "digits=4",
                                        "digits=3; truncate=yes"};

typedef struct {
    char settings[512];
    const char *metric, *code;
    ll_scorer *scorer;
    ll_plan *plan;
    ll_plan_info info;
    long count; /* labellings */
} world;

static struct {
    long plans, refused, attacks, compared, open, valueless, failed, shortened, still_certain;
} counts;

static void blame(const world *w, const int32_t *truth, const char *what)
{
    if (counts.failed++ >= SHOWN)
        return;
    print_message("'%s' code %s labels", w->settings, w->code);
    for (long i = 0; i < w->info.rows; i++)
        print_message(" %d", (int)truth[i]);
    print_message(": %s\n", what);
}

/* ---- one attack */

typedef struct {
    ll_verdict verdict;
    char *scores[MOST_QUERIES];
    long fewest;
} outcome;

static void outcome_clear(outcome *o)
{
    for (long q = 0; q < MOST_QUERIES; q++)
        free(o->scores[q]);
    ll_verdict_clear(&o->verdict);
}

static ll_status attack(const world *w, outcome *out, const int32_t *truth, int which, const char *shorten,
                        ll_error *error)
{
    world_oracle o = {.which = which, .shorten = shorten, .scores = out->scores};
    ll_oracle oracle = {.self = &o, .ask = world_answer};
    ll_verdict_init(&out->verdict);
    assert_true(w->info.queries <= MOST_QUERIES);
    ll_status status = ll_curator_create(&o.curator, w->scorer, truth, w->info.rows, error);
    if (status == LL_OK)
        status = ll_attack_run(w->plan, &out->verdict, &oracle, NULL, error);
    ll_curator_destroy(o.curator);
    out->fewest = o.fewest;
    return status;
}

/* Are labels all the same? Then R^2 is one number, whatever is predicted wrongly. */
static int is_constant(const int32_t *labels, long rows)
{
    long same = 1;
    while (same < rows && labels[same] == labels[0])
        same++;
    return same == rows;
}

/* A number that is short by chance is taken for a shortened one; averages promise no label; nor do counts that are
 * read by their parity, nor explained variance, which is the same of labels that are shifted, nor R^2 of constant
 * labels. */
static int promises_all(const world *w, const outcome *o, const int32_t *labels)
{
    int whole = strstr(w->settings, "digits=") == NULL && strstr(w->settings, "decimals=") == NULL;
    return !(whole && o->fewest < 12) && strncmp(w->info.code, "hadamard", 8) != 0 &&
           !(strcmp(w->info.writer, "labels") == 0 && w->info.classes == 2) &&
           strstr(w->settings, "explained-variance") == NULL &&
           !(strcmp(w->info.writer, "fit") == 0 && is_constant(labels, w->info.rows));
}

/* ---- every other labelling, scored */

/* Labels for which the metric has no value, or a rounded one below 0, which has no root: the program fails, and no
 * score is shown. */
static int has_no_value(const ll_error *error)
{
    return error->status == LL_DOMAIN &&
           (strstr(error->text, "has no value") != NULL || strstr(error->text, "is 0/0") != NULL ||
            strstr(error->text, "has no root") != NULL);
}

/* Both ends of the number of these labels before noise and rounding; 0 where there is none. */
static int score_ends(const ll_scorer *plain, const ll_plan *plan, arb_t low, arb_t high, const int32_t *labels,
                      long rows, long query)
{
    ll_curator *curator;
    ll_predictions predictions;
    ll_score score;
    ll_error error = {0};
    ll_score_init(&score);
    assert_int_equal(ll_curator_create(&curator, plain, labels, rows, NULL), LL_OK);
    assert_int_equal(ll_plan_predictions(plan, &predictions, query, NULL), LL_OK);
    int has = ll_curator_score(curator, &score, &predictions, &error) == LL_OK;
    if (has) {
        assert_int_equal(arb_set_str(low, score.lower, 900), 0);
        assert_int_equal(arb_set_str(high, score.upper, 900), 0);
    } else {
        assert_true(has_no_value(&error));
    }
    ll_score_clear(&score);
    ll_curator_destroy(curator);
    return has;
}

/* Would noise of less than tau, and nothing else, take a number of [low, high] to the score? Without rounding only. */
static int could_be(const arb_t low, const arb_t high, const char *score, int has_noise)
{
    arb_t released, tau, end;
    arb_init(released);
    arb_init(tau);
    arb_init(end);
    assert_int_equal(arb_set_str(released, score, 900), 0);
    arb_set_d(tau, has_noise ? 0.00999999 : 0);
    arb_sub(end, low, tau, 900);
    int fits = !arb_lt(released, end);
    arb_add(end, high, tau, 900);
    fits = fits && !arb_gt(released, end);
    arb_clear(released);
    arb_clear(tau);
    arb_clear(end);
    return fits;
}

static int explains(const world *w, const ll_scorer *plain, const outcome *o, const int32_t *labels)
{
    arb_t low, high;
    int fits = 1, noise = strstr(w->settings, "noise=none") == NULL;
    arb_init(low);
    arb_init(high);
    for (long q = 0; q < w->info.queries && fits; q++) {
        fits =
            score_ends(plain, w->plan, low, high, labels, w->info.rows, q) && could_be(low, high, o->scores[q], noise);
    }
    arb_clear(low);
    arb_clear(high);
    return fits;
}

/* The verdict says that one labelling explains the scores: trying all of them says so too. */
static void compare(const world *w, const outcome *o, const int32_t *truth)
{
    if (strstr(w->settings, "digits=") != NULL || strstr(w->settings, "decimals=") != NULL)
        return;
    ll_scorer *plain = vary_scorer(w->scorer, "noise=none");
    for (long s = 0; s < w->count; s++) {
        int32_t labels[MOST_ROWS];
        world_labelling(labels, s, w->info.rows, w->info.classes);
        if (memcmp(labels, truth, sizeof *labels * (size_t)w->info.rows) != 0 && explains(w, plain, o, labels))
            blame(w, labels, "these labels explain the scores too");
    }
    counts.compared++;
    ll_scorer_destroy(plain);
}

static void check_labelling(const world *w, const int32_t *truth, int which, int with_reference)
{
    outcome o = {0};
    ll_error error = {0};
    ll_status status = attack(w, &o, truth, which, NULL, &error);
    counts.attacks++;
    if (status != LL_OK && has_no_value(&error)) {
        counts.valueless++;
        outcome_clear(&o);
        return;
    }
    const char *fault = status != LL_OK ? error.text : world_fault(&o.verdict, truth, w->info.rows, w->info.classes);
    if (fault == NULL && o.verdict.kind != LL_UNIQUE) {
        counts.open++;
        fault = promises_all(w, &o, truth) ? "a label is open that the plan promised" : NULL;
    }
    if (fault != NULL)
        blame(w, truth, fault);
    else if (with_reference && which == WORLD_SIMULATED && o.verdict.kind == LL_UNIQUE &&
             o.verdict.guarantee == LL_CERTIFIED)
        compare(w, &o, truth);
    outcome_clear(&o);
}

/* ---- refusals */

/* A combination that cannot be is refused with a reason; most of them for one of these. */
static void check_refusal(const world *w, const ll_error *error)
{
    counts.refused++;
    if (error->text[0] == '\0' || error->status == LL_MEMORY)
        blame(w, (const int32_t[MOST_ROWS]){0}, "refused without a reason");
}

/* ---- one world */

static int begin(world *w)
{
    ll_error error = {0};
    ll_plan_request request;
    ll_plan_request_init(&request);
    request.code = w->code;
    request.budget = LL_BUDGET(.memory = 1e9, .seconds = 60);
    w->info = (ll_plan_info){0};
    if (try_scorer_text(&w->scorer, w->settings, &error) != LL_OK) {
        check_refusal(w, &error);
        return 0;
    }
    if (ll_plan_create(&w->plan, w->scorer, &request, &error) != LL_OK) {
        check_refusal(w, &error);
        ll_scorer_destroy(w->scorer);
        return 0;
    }
    counts.plans++;
    ll_plan_get_info(w->plan, &w->info);
    w->count = world_power(w->info.classes, w->info.rows);
    return 1;
}

static void end(world *w)
{
    ll_plan_destroy(w->plan);
    ll_scorer_destroy(w->scorer);
}

static int run_world(world *w)
{
    if (!begin(w))
        return 0;
    for (long s = 0; s < w->count; s++) {
        int32_t truth[MOST_ROWS];
        world_labelling(truth, s, w->info.rows, w->info.classes);
        check_labelling(w, truth, (int)(s % WORLD_ANSWERS), w->count <= 16 && s % 5 == 0);
    }
    end(w);
    return 1;
}

/* ---- all of them */

static long stride = 1, taken;
static world_list arithmetics, transforms, noises;

/* With a stride, worlds are taken by a hash of their number, so that every pair of names meets. */
static int is_taken(long number)
{
    return stride == 1 || ll_random_below(5, 1, (uint64_t)number, (uint64_t)stride) == 0;
}

static void run_release(const char *metric, const char *code, long rows, long classes, int *made)
{
    for (long a = 0; a < arithmetics.count; a++)
        for (long t = 0; t < transforms.count; t++)
            for (long n = 0; n < noises.count; n++)
                for (long r = 0; r < WORLDS_COUNT(roundings); r++) {
                    world w = {.metric = metric, .code = code};
                    if (!is_taken(taken++))
                        continue;
                    (void)snprintf(w.settings, sizeof w.settings,
                                   "metric=%s; arithmetic=%s; transform=%s; noise=%s; rows=%ld; classes=%ld; "
                                   "sum=pairwise; %s",
                                   metric, arithmetics.names[a], transforms.names[t], noises.names[n], rows, classes,
                                   roundings[r]);
                    *made |= run_world(&w);
                }
}

static void run_size(const world_list *metrics, const world_list *codes, int *metric_made, int *code_made, long rows,
                     long classes)
{
    for (long m = 0; m < metrics->count; m++)
        for (long c = 0; c < codes->count; c++) {
            int made = 0;
            run_release(metrics->names[m], codes->names[c], rows, classes, &made);
            metric_made[m] |= made;
            code_made[c] |= made;
        }
}

/* Metrics of counts and ranks have one code that serves: x-counts.c tries them all. Of some errors of numeric targets
 * none does; gains need three classes, and x-counts.c tries them too. The support tells of no row. */
static int is_elsewhere(const char *name)
{
    static const char *const unplanned[] = {"mape", "smape", "msle",   "quantile:0.75", "top-k:1",  "top-k:2",
                                            "mrr",  "map:2", "ndcg:2", "ndcg:100",      "support:1"};
    for (long i = 0; i < WORLDS_COUNT(unplanned); i++)
        if (strcmp(unplanned[i], name) == 0)
            return 1;
    for (long i = 0; i < ll_metric_count(); i++)
        if (strcmp(ll_metric_get_info(i)->name, name) == 0)
            return ll_metric_get_info(i)->formula != NULL;
    return strncmp(name, "fbeta:", 6) == 0;
}

/* What the stride passed over, once more with smaller ones. */
static void run_missed(const world_list *metrics, const world_list *codes, int *metric_made, int *code_made)
{
    for (stride /= 8; stride >= 1; stride /= 8)
        for (long m = 0; m < metrics->count; m++)
            for (long c = 0; c < codes->count; c++) {
                int made = (metric_made[m] || is_elsewhere(metrics->names[m])) && code_made[c];
                if (!made)
                    run_release(metrics->names[m], codes->names[c], 2, 2, &made);
                metric_made[m] |= made;
                code_made[c] |= made;
            }
}

static void check_made(const world_list *list, const int *made)
{
    for (long i = 0; i < list->count; i++)
        if (!made[i] && !is_elsewhere(list->names[i]))
            fail_msg("no plan was made with %s: nothing was tried", list->names[i]);
}

/* Noise with a bound, drawn in every way; laws without one leave nothing certain and are x-likely's. */
static world_list list_noises(void)
{
    world_list list = {0}, laws = list_laws();
    char text[WORLD_NAME];
    world_list_add(&list, "none", strlen("none"), "", 0);
    for (long i = 0; i < laws.count; i++) {
        world_noise(text, sizeof text, laws.names[i], 0.01);
        if (strncmp(text, "bounded", strlen("bounded")) == 0)
            world_list_add(&list, text, strlen(text), "", 0);
    }
    return list;
}

static void small_worlds(void **state)
{
    (void)state;
    arithmetics = list_arithmetics();
    transforms = list_transforms();
    noises = list_noises();
    int is_long = world_is_one("LL_TEST_LONG");
    int metric_made[WORLD_NAMES] = {0}, code_made[WORLD_NAMES] = {0};
    world_list metrics = list_metrics(), codes = list_codes();
    const char *text = getenv("LL_TEST_STRIDE");
    stride = text != NULL ? strtol(text, NULL, 0) : is_long ? 40 : world_is_one("LL_TEST_LIGHT") ? 30000 : 5000;
    for (long rows = 1; rows <= (is_long ? 5 : 3); rows++)
        run_size(&metrics, &codes, metric_made, code_made, rows, 2);
    for (long rows = 1; rows <= (is_long ? 3 : 2); rows++)
        run_size(&metrics, &codes, metric_made, code_made, rows, 3);
    if (!world_is_one("LL_TEST_LIGHT"))
        run_missed(&metrics, &codes, metric_made, code_made);
    print_message("%ld plans, %ld attacks, %ld without a value, %ld with a label open, %ld compared with every "
                  "labelling, %ld refused, %ld faults\n",
                  counts.plans, counts.attacks, counts.valueless, counts.open, counts.compared, counts.refused,
                  counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.plans > 0 && counts.compared > 0 && counts.refused > 0);
    if (world_is_one("LL_TEST_LIGHT"))
        return;
    check_made(&metrics, metric_made);
    check_made(&codes, code_made);
}

/* ---- scores that somebody shortened */

static const char *const shorter[] = {"%.1g",  "%.2g",  "%.3g",  "%.4g", "%.5g", "%.6g", "%.8g", "%.10g", "%.12g",
                                      "%.13g", "%.14g", "%.15g", "%.0f", "%.2f", "%.4f", "%.6f", "%.3e"};

/* infer on the same predictions and shortened texts: a label that is certain is right. */
static void infer_shortened(const world *w, const outcome *o, const int32_t *truth)
{
    ll_evidence *evidence;
    ll_inference inference;
    ll_error error = {0};
    ll_inference_init(&inference);
    assert_int_equal(ll_evidence_create(&evidence, w->scorer, &error), LL_OK);
    ll_status status = LL_OK;
    for (long q = 0; q < w->info.queries && o->scores[q] != NULL && status == LL_OK; q++) {
        ll_predictions predictions;
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, &error), LL_OK);
        status = ll_evidence_add(evidence, &predictions, o->scores[q], &error);
    }
    if (status == LL_OK)
        status = ll_evidence_infer(evidence, &inference, LL_METHOD_AUTO,
                                   LL_BUDGET(.memory = 1e9, .seconds = 60, .threads = 1), &error);
    for (long i = 0; status == LL_OK && inference.verdict->certain > 0 && i < w->info.rows; i++)
        if (inference.verdict->labels[i] >= 0 && inference.verdict->labels[i] != truth[i])
            blame(w, truth, "infer: a shortened score makes a wrong label certain");
    ll_inference_clear(&inference);
    ll_evidence_destroy(evidence);
}

static void check_shortened(const world *w, const int32_t *truth, const char *format)
{
    outcome o = {0};
    ll_error error = {0};
    int read = attack(w, &o, truth, WORLD_SIMULATED, format, &error) == LL_OK;
    counts.shortened++;
    for (long i = 0; read && o.verdict.certain > 0 && i < w->info.rows; i++)
        if (o.verdict.labels[i] >= 0 && o.verdict.labels[i] != truth[i])
            blame(w, truth, format);
    counts.still_certain += read && o.verdict.certain == w->info.rows;
    if (read && o.scores[w->info.queries - 1] != NULL)
        infer_shortened(w, &o, truth);
    outcome_clear(&o);
}

static void shortened_scores(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "metric=log-loss; clip=none; noise=bounded:2.7; rows=8",
        "metric=log-loss; arithmetic=fp64; rows=8",
        "metric=log-loss; arithmetic=fp64; rows=8; noise=bounded:0.01",
        "metric=log-loss; arithmetic=fp64; rows=8; decimals=8",
        "metric=squared; arithmetic=fp64; rows=6; digits=9",
        "metric=sigmoid-ce; arithmetic=fp32; rows=8",
        "metric=accuracy; arithmetic=fp64; rows=8",
        "metric=squared; arithmetic=fp64; rows=8; transform=root",
    };
    counts.failed = 0;
    for (long i = 0; i < WORLDS_COUNT(settings); i++) {
        world w = {.code = strstr(settings[i], "accuracy") ? "detecting" : "powers"};
        (void)snprintf(w.settings, sizeof w.settings, "classes=2; %s", settings[i]);
        assert_true(begin(&w));
        for (long s = 0; s < w.count; s += world_is_one("LL_TEST_LONG") ? 1 : 37)
            for (long f = 0; f < WORLDS_COUNT(shorter); f++) {
                int32_t truth[MOST_ROWS];
                world_labelling(truth, s, w.info.rows, w.info.classes);
                check_shortened(&w, truth, shorter[f]);
            }
        end(&w);
    }
    print_message("%ld attacks with shortened scores, %ld of them with all labels certain, %ld faults\n",
                  counts.shortened, counts.still_certain, counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.still_certain > 0 && counts.still_certain < counts.shortened);
}

/* Exact arithmetic and a dozen rows: the heaviest weights of a code are then far out, where predictions are next to 0 or
 * to 1, and a plan that was made is one that can be written. */
static void heavy_weights(void **state)
{
    (void)state;
    world_list metrics = list_metrics(), codes = list_codes();
    long plans = counts.plans;
    counts.failed = 0;
    for (long m = 0; m < metrics.count; m++)
        for (long c = 0; c < codes.count; c++) {
            world w = {.metric = metrics.names[m], .code = codes.names[c]};
            (void)snprintf(w.settings, sizeof w.settings,
                           "metric=%s; arithmetic=exact; rows=%d; classes=2; decimals=5; queries=%d", w.metric,
                           MOST_ROWS, MOST_QUERIES);
            if (!begin(&w))
                continue;
            for (long s = 1; w.info.queries <= MOST_QUERIES && s < w.count; s += 1021) {
                int32_t truth[MOST_ROWS];
                world_labelling(truth, s, w.info.rows, w.info.classes);
                check_labelling(&w, truth, WORLD_SIMULATED, 0);
            }
            end(&w);
        }
    print_message("%ld plans of heavy weights, %ld faults\n", counts.plans - plans, counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.plans > plans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortened_scores), cmocka_unit_test(heavy_weights),
                                       cmocka_unit_test(small_worlds)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
