/* Metrics of counts and ranks, exhaustively: every row of the table x arithmetic x rounding x told or unknown counts,
 * every labelling of a few rows. All labellings are scored with the plan's predictions; those whose scores read the
 * same are what a decoder must leave, no more and no fewer. LL_TEST_LIGHT=1 (sanitizers) takes fewer rows. */
#include "worlds.h"

#include "metric/view.h"

enum { MOST_ROWS = 10, MOST_COUNT = 1024, MOST_QUERIES = 32, SHOWN = 20 };

static const char *const settings[] = {
    "arithmetic=fp64; decimals=5", "arithmetic=exact; decimals=4; zero-division=raise",
    "arithmetic=fp64; decimals=2; truncate=yes", "arithmetic=fp64; transform=percent; decimals=3; zero-division=1",
    "arithmetic=exact; decimals=1"};

typedef struct {
    char text[400];
    const char *code; /* NULL: any */
    long limit;       /* of submissions; 0: none */
    int is_kept;      /* labels that the plan promises within it are certain, whatever they are */
    ll_scorer *scorer;
    ll_plan *plan;
    ll_plan_info info;
    long count;
    char *scores[MOST_COUNT][MOST_QUERIES]; /* NULL: these labels have no value */
} world;

static struct {
    long plans, attacks, valueless, unique, open, loose, inferred, failed;
} counts;

static void blame(const world *w, long s, const char *what)
{
    if (counts.failed++ < SHOWN)
        print_message("'%s' code %s labelling %ld: %s\n", w->text, w->info.code, s, what);
}

/* ---- scores of every labelling ---- */

static void score_one(world *w, long s)
{
    int32_t labels[MOST_ROWS];
    ll_curator *curator;
    world_labelling(labels, s, w->info.rows, w->info.classes);
    assert_int_equal(ll_curator_create(&curator, w->scorer, labels, w->info.rows, NULL), LL_OK);
    for (long q = 0; q < w->info.queries; q++) {
        ll_score score;
        ll_predictions predictions;
        ll_score_init(&score);
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, NULL), LL_OK);
        if (ll_curator_score(curator, &score, &predictions, NULL) == LL_OK)
            w->scores[s][q] = strdup(score.text);
        ll_score_clear(&score);
    }
    ll_curator_destroy(curator);
}

static int has_value(const world *w, long s)
{
    for (long q = 0; q < w->info.queries; q++)
        if (w->scores[s][q] == NULL)
            return 0;
    return 1;
}

/* Would these labels have got the scores of those? Told counts rule out all others. */
static int is_alike(const world *w, long s, long other)
{
    int ones = 0;
    for (long q = 0; q < w->info.queries; q++)
        if (strcmp(w->scores[s][q], w->scores[other][q]) != 0)
            return 0;
    if (strstr(w->text, "counts=") == NULL)
        return 1;
    for (long i = 0, a = s, b = other; i < w->info.rows; i++, a /= w->info.classes, b /= w->info.classes)
        for (long k = 1; k < w->info.classes; k++)
            ones += (int)((k == 1 ? 1 : MOST_ROWS + 1) * ((a % w->info.classes == k) - (b % w->info.classes == k)));
    return ones == 0;
}

/* ---- one attack ---- */

typedef struct {
    char *const *scores;
} replay;

static ll_status answer(void *self, char **score, const ll_predictions *predictions, long query, ll_error *error)
{
    const replay *r = self;
    (void)predictions;
    (void)error;
    *score = strdup(r->scores[query]);
    return LL_OK;
}

/* candidates: just those of the labellings that are alike. Wider is sound, and counted. */
static void compare(const world *w, long s, const ll_verdict *v)
{
    unsigned char alike[MOST_ROWS * 4] = {0};
    int wider = 0;
    for (long other = 0; other < w->count; other++) {
        int32_t labels[MOST_ROWS];
        if (!has_value(w, other) || !is_alike(w, s, other))
            continue;
        world_labelling(labels, other, w->info.rows, w->info.classes);
        for (long i = 0; i < w->info.rows; i++)
            alike[i * w->info.classes + labels[i]] = 1;
    }
    for (long i = 0; i < w->info.rows * w->info.classes; i++) {
        if (alike[i] && !v->candidates[i])
            blame(w, s, "a labelling with these scores is ruled out");
        wider |= !alike[i] && v->candidates[i];
    }
    counts.loose += wider && w->limit == 0;
}

/* infer tries every labelling: from the same predictions, scores and known counts it leaves the same. */
static void infer(const world *w, long s, const ll_verdict *v)
{
    ll_evidence *evidence;
    ll_inference inference;
    ll_error error = {0};
    ll_inference_init(&inference);
    assert_int_equal(ll_evidence_create(&evidence, w->scorer, &error), LL_OK);
    ll_status status = LL_OK;
    for (long q = 0; q < w->info.queries && status == LL_OK; q++) {
        ll_predictions predictions;
        assert_int_equal(ll_plan_predictions(w->plan, &predictions, q, &error), LL_OK);
        status = ll_evidence_add(evidence, &predictions, w->scores[s][q], &error);
    }
    if (status == LL_OK)
        status = ll_evidence_infer(evidence, &inference, LL_METHOD_AUTO, NULL, &error);
    if (status != LL_OK)
        blame(w, s, error.text);
    else if (memcmp(inference.verdict->candidates, v->candidates, (size_t)(w->info.rows * w->info.classes)) != 0 ||
             inference.verdict->kind != v->kind)
        blame(w, s, "infer leaves other labels than decoding");
    counts.inferred++;
    ll_inference_clear(&inference);
    ll_evidence_destroy(evidence);
}

static void attack(const world *w, long s)
{
    int32_t truth[MOST_ROWS];
    ll_verdict verdict;
    ll_error error = {0};
    replay r = {w->scores[s]};
    ll_oracle oracle = {.self = &r, .ask = answer};
    ll_verdict_init(&verdict);
    world_labelling(truth, s, w->info.rows, w->info.classes);
    counts.attacks++;
    if (ll_attack_run(w->plan, &verdict, &oracle, NULL, &error) != LL_OK) {
        blame(w, s, error.text);
        return;
    }
    const char *fault = world_fault(&verdict, truth, w->info.rows, w->info.classes);
    if (fault != NULL)
        blame(w, s, fault);
    else
        compare(w, s, &verdict);
    if (fault == NULL && w->is_kept && verdict.certain < w->info.labels)
        blame(w, s, "fewer labels than the plan for a part of them promises");
    if (fault == NULL && w->limit == 0 && w->count <= 32 && ll_scorer_count_numbers(w->scorer) == 1)
        infer(w, s, &verdict);
    counts.unique += verdict.kind == LL_UNIQUE;
    counts.open += verdict.kind != LL_UNIQUE;
    ll_verdict_clear(&verdict);
}

/* ---- one world ---- */

static int begin(world *w)
{
    ll_error error = {0};
    if (try_scorer_text(&w->scorer, w->text, &error) != LL_OK)
        return 0;
    w->plan = plan_of_code(w->scorer, w->code, &error);
    if (w->plan == NULL) {
        ll_scorer_destroy(w->scorer);
        return 0;
    }
    ll_plan_get_info(w->plan, &w->info);
    if (w->limit > 0 && w->info.queries > w->limit) { /* for so few there is none */
        ll_plan_destroy(w->plan);
        ll_scorer_destroy(w->scorer);
        return 0;
    }
    w->count = world_power(w->info.classes, w->info.rows);
    assert_true(w->count <= MOST_COUNT && w->info.queries <= MOST_QUERIES);
    return 1;
}

static int has_counts(const world *w, long s, const char *told)
{
    long found[3] = {0}, wanted[3] = {0};
    for (long i = 0; i < w->info.rows; i++, s /= w->info.classes)
        found[s % w->info.classes]++;
    (void)sscanf(told, "%ld,%ld,%ld", wanted, wanted + 1, wanted + 2);
    return memcmp(found, wanted, sizeof found) == 0;
}

static int run_world(world *w)
{
    if (!begin(w))
        return 0;
    const char *told = strstr(w->text, "counts=");
    counts.plans++;
    for (long s = 0; s < w->count; s++)
        score_one(w, s);
    for (long s = 0; s < w->count; s++) {
        if (told != NULL && !has_counts(w, s, told + 7))
            continue;
        if (has_value(w, s))
            attack(w, s);
        else
            counts.valueless++;
    }
    for (long s = 0; s < w->count; s++)
        for (long q = 0; q < MOST_QUERIES; q++)
            free(w->scores[s][q]);
    ll_plan_destroy(w->plan);
    ll_scorer_destroy(w->scorer);
    return 1;
}

static int run(const char *metric, const char *code, const char *how, long rows, long classes, const char *told)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    (void)snprintf(w->text, sizeof w->text, "metric=%s; rows=%ld; classes=%ld; %s%s%s", metric, rows, classes, how,
                   *told ? "; counts=" : "", told);
    w->code = code;
    int made = run_world(w);
    free(w);
    return made;
}

/* Plans that read some of the rows within each limit; a larger one promises no fewer. Of some metrics a few labellings
 * cannot be told apart at all. */
static int run_limits(const char *metric, const char *code, const char *how, long rows, long classes, int is_kept)
{
    long least = 0;
    for (long limit = 1; limit < MOST_QUERIES; limit++) {
        world *w = calloc(1, sizeof *w);
        assert_non_null(w);
        (void)snprintf(w->text, sizeof w->text, "metric=%s; rows=%ld; classes=%ld; queries=%ld; %s", metric, rows,
                       classes, limit, how);
        w->code = code;
        w->limit = limit;
        w->is_kept = is_kept;
        long labels = run_world(w) ? w->info.labels : 0;
        assert_true(labels >= least);
        least = labels;
        free(w);
    }
    return least == rows;
}

static int run_metric(const char *metric)
{
    int made = 0;
    long most = world_is_one("LL_TEST_LIGHT") ? 4 : 8;
    for (long h = 0; h < WORLDS_COUNT(settings) - 1; h++) {
        for (long rows = 1; rows <= most; rows++)
            made |= run(metric, NULL, settings[h], rows, 2, "");
        made |= run(metric, NULL, settings[h], 5, 2, "2,3");
        made |= run(metric, NULL, settings[h], 4, 3, "");
        made |= run(metric, NULL, settings[h], 4, 3, "1,1,2");
    }
    (void)run_limits(metric, NULL, settings[0], most < 6 ? most : 6, 2, 0);
    (void)run_limits(metric, NULL, settings[0], 4, 3, 0);
    return made;
}

/* Codes that are not the one that is chosen for so few rows: an order of the rows, in several stages. */
static int run_code(const char *metric, const char *code)
{
    int made = 0;
    long most = world_is_one("LL_TEST_LIGHT") ? 5 : MOST_ROWS;
    for (long h = 0; h < WORLDS_COUNT(settings); h++) {
        for (long rows = 1; rows <= most; rows++)
            made |= run(metric, code, settings[h], rows, 2, "");
        made |= run(metric, code, settings[h], 7, 2, "3,4");
    }
    for (long rows = 3; rows <= most; rows++)
        made &= run_limits(metric, code, settings[0], rows, 2, 1) && run_limits(metric, code, settings[2], rows, 2, 1);
    return made;
}

/* A column a class, each ranked by itself: three classes or four, which all have rows. Nothing is left that need not
 * be: a row has one class, and no class is empty. */
static int run_columns(const char *metric)
{
    int made = 1;
    long loose = counts.loose;
    long most = world_is_one("LL_TEST_LIGHT") ? 4 : 6, ways = most == 4 ? 1 : WORLDS_COUNT(settings);
    for (long h = 0; h < ways; h++) {
        for (long rows = 3; rows <= most; rows++)
            (void)run(metric, "ranks", settings[h], rows, 3, "");
        made &= run(metric, "ranks", settings[0], 5, 3, "2,1,2") && run(metric, NULL, settings[h % 4], 4, 4, "");
    }
    made = made && (most == 4 || run(metric, "ranks", settings[0], 5, 4, ""));
    assert_int_equal(counts.loose, loose);
    return made;
}

/* Ordered classes: two rows a class at least. */
static int run_ordered(const char *metric)
{
    int made = 1;
    long most = world_is_one("LL_TEST_LIGHT") ? 2 : WORLDS_COUNT(settings);
    for (long h = 0; h < most; h++) {
        made &= run(metric, "ordered", settings[h], 6, 3, "");
        made &= run(metric, "ordered", settings[h], 6, 3, "3,1,2");
    }
    return made;
}

/* One number of right predictions, three classes or four; of some metrics more rows. None is planned for that fails at
 * 0/0. */
static int run_contrast(const char *metric, long most, long ways)
{
    int made = 1;
    for (long h = 0; h < ways; h++) {
        if (strstr(settings[h], "raise") != NULL)
            continue;
        for (long rows = 1; rows <= most; rows++)
            made &= run(metric, "cells", settings[h], rows, 3, "");
        made &= run(metric, "cells", settings[h], 5, 3, "2,1,2") && run(metric, "cells", settings[h], 4, 4, "");
    }
    return made;
}

static int run_contrasts(void)
{
    static const char *const names[] = {"balanced-accuracy", "kappa",        "macro-f1",         "youden",
                                        "macro-precision",   "macro-recall", "macro-jaccard",    "weighted-precision",
                                        "weighted-recall",   "weighted-f1",  "weighted-jaccard", "macro-precision-all",
                                        "macro-recall-all",  "macro-f1-all", "macro-jaccard-all"};
    int made = 1, light = world_is_one("LL_TEST_LIGHT");
    long ways = light ? 1 : world_is_one("LL_TEST_LONG") ? WORLDS_COUNT(settings) : 3;
    for (long i = 0; i < WORLDS_COUNT(names); i++)
        made &= run_contrast(names[i], i < 3 && !light ? 6 : 4, ways);
    return made;
}

/* Gains of ranks, asked like labels. */
static int run_gains(void)
{
    static const char *const names[] = {"mrr", "map:2", "ndcg:2", "ndcg:9", "top-k:1", "top-k:2"};
    int made = 1;
    long most = world_is_one("LL_TEST_LIGHT") ? 2 : 4;
    for (long i = 0; i < WORLDS_COUNT(names); i++)
        for (long h = 0; h < 3; h++)
            for (long rows = 1; rows <= most; rows++)
                made &= run(names[i], NULL, settings[h], rows, 3, "");
    return made;
}

/* R^2 of the targets 0 .. K-1. */
static int run_fit(void)
{
    int made = 1;
    long most = world_is_one("LL_TEST_LIGHT") ? 3 : 5;
    for (long h = 0; h < 4; h += 2)
        for (long rows = 2; rows <= most; rows++) {
            made &= run("r2", NULL, settings[h], rows, 2, "");
            made &= run("r2", NULL, settings[h], rows, 3, "");
            made &= run_limits("r2", NULL, settings[h], rows, 3, 0);
        }
    return made && run("r2", NULL, settings[0], 5, 3, "2,1,2") && run("r2", NULL, settings[3], 4, 4, "");
}

/* Explained variance, which is the same of labels that are shifted: two rows a target and more. */
static int run_explained(void)
{
    const char *metric = "explained-variance";
    int made = 1, light = world_is_one("LL_TEST_LIGHT");
    for (long h = 0; h < 4; h += 3) {
        for (long rows = 2; rows <= (light ? 4 : 8); rows++)
            made &= run(metric, NULL, settings[h], rows, 2, "");
        for (long rows = 4; rows <= (light ? 4 : 6); rows++)
            made &= run(metric, NULL, settings[h], rows, 3, "");
    }
    return made && run(metric, NULL, settings[0], 5, 3, "2,1,2") && run(metric, NULL, settings[0], 5, 4, "");
}

static void every_metric(void **state)
{
    (void)state;
    for (long i = 0; i < ll_metric_count(); i++) {
        const ll_metric_info *info = ll_metric_get_info(i);
        char name[64];
        if (info->formula == NULL || (strcmp(info->link, "counts") != 0 && strcmp(info->link, "ranks") != 0))
            continue; /* sums of terms; numeric targets */
        (void)snprintf(name, sizeof name, "%.*s%s", (int)strcspn(info->name, ":"), info->name,
                       strchr(info->name, ':') != NULL ? ":1" : "");
        if (!run_metric(name))
            fail_msg("no plan was made with %s: nothing was tried", name);
    }
    assert_true(run_code("auc", "ranks") && run_code("gini", "ranks"));
    assert_true(run_columns("macro-auc"));
    assert_true(run_gains() && run_fit() && run_explained());
    assert_true(run_contrasts());
    assert_true(run_ordered("quadratic-kappa") && run_ordered("linear-kappa"));
    print_message(
        "%ld plans, %ld attacks, %ld unique, %ld open, %ld with more candidates than there are, %ld without a "
        "value, %ld inferred, %ld faults\n",
        counts.plans, counts.attacks, counts.unique, counts.open, counts.loose, counts.valueless, counts.inferred,
        counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.unique > 1000 && counts.open > 0 && counts.inferred > 1000 &&
                counts.loose * 50 < counts.attacks);
}

/* ---- numbers that are functions of counts ---- */

enum { FEW_ROWS = 4 };

/* Row i is predicted bit i of *self. */
static ll_status get_bits(void *self, ll_block *out, long first, long count, ll_error *error)
{
    double *to = ll_block_reserve_doubles(out, count, 1);
    (void)error;
    assert_non_null(to);
    for (long i = 0; i < count; i++)
        to[i] = (double)(*(const long *)self >> (first + i) & 1);
    return LL_OK;
}

static void compare_two(const ll_scorer *scorer, const char *text, long rows, long guesses, long truth)
{
    int32_t labels[FEW_ROWS];
    const ll_computation *how = &scorer->computation;
    const ll_work work = ll_view_work(how, 64);
    ll_predictions predictions = {
        .self = &guesses, .rows = rows, .columns = 1, .entries = LL_ENTRIES_DOUBLE, .get = get_bits};
    ll_two two = {__builtin_popcountl(guesses & truth), __builtin_popcountl(guesses), __builtin_popcountl(truth), rows};
    ll_unreleased score;
    ll_worked number;
    ll_unreleased_init(&score);
    ll_worked_init(&number);
    for (long i = 0; i < rows; i++)
        labels[i] = (int32_t)(truth >> i & 1);
    const ll_scoring scoring = {how, labels, rows, 2};
    ll_status own = ll_score_any(&scoring, &score, &predictions, 64, NULL);
    ll_status status = ll_score_two(how, &work, &number, &two);
    if (own != status || (own == LL_OK && !arb_overlaps(number.ball, score.number)))
        fail_msg("%s: predictions %lx, labels %lx: the score of counts is another", text, (unsigned long)guesses,
                 (unsigned long)truth);
    ll_worked_clear(&number);
    ll_unreleased_clear(&score);
}

/* A metric that says so is a function of the counts of two classes, and this one. */
static void every_two(void **state)
{
    static const char *const arithmetics[] = {"fp64", "exact"};
    world_list metrics = list_metrics();
    long compared = 0;
    (void)state;
    for (long i = 0; i < metrics.count; i++)
        for (long n = 0; n < 2 * FEW_ROWS; n++) {
            char text[200];
            ll_scorer *scorer = NULL;
            long rows = 1 + n / 2;
            (void)snprintf(text, sizeof text, "metric=%s; arithmetic=%s; rows=%ld; classes=2", metrics.names[i],
                           arithmetics[n % 2], rows);
            if (try_scorer_text(&scorer, text, &(ll_error){0}) != LL_OK)
                continue;
            for (long pair = 0; pair < 1L << 2 * rows && ll_score_two_applies(&scorer->computation); pair++) {
                compare_two(scorer, text, rows, pair >> rows, pair & ((1L << rows) - 1));
                compared++;
            }
            ll_scorer_destroy(scorer);
        }
    print_message("%ld scores of two classes are those of their counts\n", compared);
    assert_true(compared > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_two), cmocka_unit_test(every_metric)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
