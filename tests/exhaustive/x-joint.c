/* Several numbers of one honest model, and metrics of counts and ranks: how many labellings are left and which labels
 * are certain, against trying every labelling. The reference takes the numbers of a curator that does not round, one
 * labelling after another, and compares; for 20 rows (LL_TEST_LONG=1: 30) it counts pairs by itself. */
#include "../unit/curator_tools.h"
#include "../unit/scorer_tools.h"

#include "infer/evidence.h"
#include "infer/view_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 9, MOST_NUMBERS = 8 };
#define COUNT(array) ((long)(sizeof(array) / sizeof(array[0])))
#define SLACK 1e-11

typedef struct {
    const char *first; /* settings */
    int labels;        /* predictions are labels */
    const char *also[4];
} description;

static const description descriptions[] = {
    {"metric=auc; arithmetic=fp64", 0, {"f1", "accuracy", "average-precision", "ks"}},
    {"metric=gini", 0, {"f1", "mcc", "jaccard", "macro-f1"}},
    {"metric=log-loss; arithmetic=fp64; clip=1e-6", 0, {"auc", "f1", "accuracy", "squared"}},
    {"metric=squared", 0, {"auc", "kappa", "accuracy", "recall"}},
    {"metric=average-precision; arithmetic=fp64", 0, {"auc", "ks", "gini", "precision"}},
    {"metric=f1; zero-division=1", 1, {"mcc", "accuracy", "auc", "specificity"}},
    {"metric=confusion-matrix", 1, {NULL}},
    {"metric=classification-report", 1, {"auc", NULL}},
    {"metric=auc; arithmetic=fp32", 0, {NULL}},
    {"metric=ks", 0, {NULL}},
};

/* ---- one world ---- */

typedef struct {
    ll_scorer *rounded, *plain;
    long rows, answers, numbers;
    int decimals; /* 0: all digits */
    double x[2 * MOST_ROWS];
    int32_t truth[MOST_ROWS];
    long ones; /* told; -1: not */
    char texts[2][400];
} world;

static void draw_settings(char *text, size_t size, const description *d)
{
    size_t used = (size_t)snprintf(text, size, "%s", d->first);
    const char *before = "; also=";
    for (long i = 0; i < 4 && d->also[i] != NULL; i++)
        if (below(2) == 0) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", before, d->also[i]);
            before = ",";
        }
}

/* Items of `also` are separated by semicolons, which separate settings here. */
static ll_scorer *make_scorer(const char *settings, const char *more)
{
    char text[800], also[200] = "";
    ll_error error = {0};
    ll_scorer *scorer = NULL;
    (void)snprintf(text, sizeof text, "%s", settings);
    char *list = strstr(text, "; also=");
    if (list != NULL) {
        (void)snprintf(also, sizeof also, "%s", list + 7);
        *list = '\0';
    }
    for (char *c = also; *c; c++)
        *c = *c == ',' ? ';' : *c;
    assert_int_equal(ll_scorer_create(&scorer, &error), LL_OK);
    assert_int_equal(set_scorer_text(scorer, text, &error), LL_OK);
    assert_int_equal(set_scorer_text(scorer, more, &error), LL_OK);
    /* one way to take probabilities for classes, as the reference does; x-random-releases has the others */
    assert_int_equal(ll_scorer_set(scorer, "threshold", "above:0.5", &error), LL_OK);
    if (also[0])
        assert_int_equal(ll_scorer_set(scorer, "also", also, &error), LL_OK);
    if (ll_scorer_resolve(scorer, NULL, &error) != LL_OK)
        fail_msg("%s %s: %s", text, also, error.text);
    return scorer;
}

static void draw_world(world *w)
{
    const description *d = &descriptions[below(COUNT(descriptions))];
    char settings[400], more[200], counts[60] = "";
    long positives = 0, levels = 2 + below(12);
    *w = (world){
        .rows = 3 + below(MOST_ROWS - 2), .answers = 1 + (below(4) == 0), .decimals = (int)below(5), .ones = -1};
    for (long i = 0; i < 2 * MOST_ROWS; i++)
        w->x[i] = d->labels ? (double)below(2) : (double)(1 + below(levels)) / (double)(levels + 1);
    for (long i = 0; i < w->rows; i++)
        positives += w->truth[i] = (int32_t)below(2);
    if (below(4) == 0) {
        w->ones = positives;
        (void)snprintf(counts, sizeof counts, "; counts=%ld,%ld", w->rows - positives, positives);
    }
    draw_settings(settings, sizeof settings, d);
    if (w->decimals > 0)
        (void)snprintf(more, sizeof more, "rows=%ld; classes=2; decimals=%d%s", w->rows, w->decimals, counts);
    else
        (void)snprintf(more, sizeof more, "rows=%ld; classes=2; decimals=none%s", w->rows, counts);
    w->rounded = make_scorer(settings, more);
    (void)snprintf(more, sizeof more, "rows=%ld; classes=2; precision=128", w->rows);
    w->plain = make_scorer(settings, more);
    w->numbers = ll_scorer_count_numbers(w->rounded);
}

/* The answer to set q of the predictions; LL_DOMAIN where labels have none. */
static ll_status answer(const world *w, const ll_scorer *scorer, const int32_t *labels, long q, char *text, size_t size)
{
    ll_score score;
    table t;
    ll_score_init(&score);
    table_set(&t, w->x + q * MOST_ROWS, w->rows, 1,
              scorer->computation.kind == LL_KIND_EXACT ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
    ll_status status = score_table(&score, scorer, labels, &t, NULL);
    if (status == LL_OK)
        (void)snprintf(text, size, "%s", score.text);
    ll_score_clear(&score);
    return status;
}

/* ---- the reference ---- */

static int is_near(const world *w, const char *plain, const char *released)
{
    char *next = (char *)plain, *other = (char *)released;
    for (long i = 0; i < w->numbers; i++)
        if (fabs(strtod(next, &next) - strtod(other, &other)) >
            (w->decimals > 0 ? 0.5 * pow(10, -w->decimals) : 0) + SLACK)
            return 0;
    return 1;
}

static int fits(const world *w, const int32_t *labels)
{
    long ones = 0;
    char text[4000];
    for (long i = 0; i < w->rows; i++)
        ones += labels[i];
    if (w->ones >= 0 && ones != w->ones)
        return 0;
    for (long q = 0; q < w->answers; q++)
        if (answer(w, w->plain, labels, q, text, sizeof text) != LL_OK || !is_near(w, text, w->texts[q]))
            return 0;
    return 1;
}

typedef struct {
    long count;
    unsigned char candidates[2 * MOST_ROWS];
} left_over;

static left_over try_every(const world *w)
{
    left_over out = {0};
    for (long n = 0; n < 1L << w->rows; n++) {
        int32_t labels[MOST_ROWS];
        for (long i = 0; i < w->rows; i++)
            labels[i] = (int32_t)(n >> i & 1);
        if (!fits(w, labels))
            continue;
        out.count++;
        for (long i = 0; i < w->rows; i++)
            out.candidates[2 * i + labels[i]] = 1;
    }
    return out;
}

/* ---- worlds ---- */

static void check_inference(const world *w, const ll_inference *i, const left_over *want)
{
    const ll_verdict *v = i->verdict;
    long certain = 0;
    if (atol(i->count) != want->count)
        fail_msg("%s also %s, %ld rows, method %d: %s labellings, but %ld", ll_scorer_get(w->rounded, "metric"),
                 ll_scorer_get(w->rounded, "also"), w->rows, (int)i->method, i->count, want->count);
    assert_memory_equal(v->candidates, want->candidates, 2 * (size_t)w->rows);
    for (long row = 0; row < w->rows; row++) {
        certain += v->labels[row] >= 0;
        assert_true(v->labels[row] < 0 || v->labels[row] == w->truth[row]);
    }
    assert_int_equal(v->certain, certain);
    if (i->method == LL_METHOD_STATES) /* others may show one of rows that can change places */
        assert_int_equal(i->kept, want->count < 16 ? want->count : 16);
    assert_true(i->kept > 0 && i->kept <= want->count);
    for (long n = 0; n < i->kept; n++)
        assert_true(fits(w, i->labellings + n * w->rows));
}

static int check_world(world *w, ll_method method)
{
    ll_evidence *e = NULL;
    ll_inference i;
    ll_error error = {0};
    for (long q = 0; q < w->answers; q++)
        if (answer(w, w->rounded, w->truth, q, w->texts[q], sizeof w->texts[q]) != LL_OK)
            return 0;
    ll_inference_init(&i);
    assert_int_equal(ll_evidence_create(&e, w->rounded, &error), LL_OK);
    for (long q = 0; q < w->answers; q++) {
        table t;
        table_set(&t, w->x + q * MOST_ROWS, w->rows, 1,
                  w->rounded->computation.kind == LL_KIND_EXACT ? LL_ENTRIES_EXACT : LL_ENTRIES_DOUBLE);
        if (ll_evidence_add(e, &t.source, w->texts[q], &error) != LL_OK)
            fail_msg("%s", error.text);
    }
    ll_status status = ll_evidence_infer(e, &i, method, NULL, &error);
    if (status == LL_OK) {
        left_over want = try_every(w);
        assert_true(want.count > 0);
        check_inference(w, &i, &want);
    } else
        assert_non_null(strstr(error.text, "digits")); /* texts that are too short by chance */
    ll_inference_clear(&i);
    ll_evidence_destroy(e);
    return status == LL_OK;
}

static void test_small_worlds(void **state)
{
    long done = 0, worlds = (getenv("LL_TEST_LIGHT") != NULL  ? 40
                             : getenv("LL_TEST_LONG") != NULL ? 5000
                                                              : 600) *
                            multiplier;
    (void)state;
    for (long n = 0; n < worlds; n++) {
        world w;
        draw_world(&w);
        done += check_world(&w, n % 8 == 0 && w.ones < 0 ? LL_METHOD_EXHAUSTIVE : LL_METHOD_AUTO);
        ll_scorer_destroy(w.rounded);
        ll_scorer_destroy(w.plain);
    }
    print_message("%ld of %ld worlds\n", done, worlds);
    assert_true(done > worlds / 2);
}

/* ---- one number as a sum of labels ---- */

/* The sums that are allowed are those of the labellings that explain the score, and no others. */
static long compare_sums(const world *w, const ll_view_sums *s)
{
    long left = 0;
    for (long n = 0; n < 1L << w->rows; n++) {
        int32_t labels[MOST_ROWS];
        long ones = 0, sum = 0;
        for (long i = 0; i < w->rows; i++) {
            labels[i] = (int32_t)(n >> i & 1);
            ones += labels[i];
            sum += labels[i] ? s->features[i] : 0;
        }
        int is_allowed = s->low[ones] <= sum && sum <= s->high[ones], is_right = fits(w, labels);
        if (is_allowed != is_right)
            fail_msg("%s, %ld rows, score %s: sum %ld of %ld positives is %s", ll_scorer_get(w->rounded, "metric"),
                     w->rows, w->texts[0], sum, ones, is_right ? "left out" : "allowed");
        left += is_right;
    }
    return left;
}

static int check_sums(world *w)
{
    ll_evidence *e = NULL;
    ll_error error = {0};
    ll_view_sums sums;
    table t;
    if (answer(w, w->rounded, w->truth, 0, w->texts[0], sizeof w->texts[0]) != LL_OK)
        return 0;
    table_set(&t, w->x, w->rows, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(ll_evidence_create(&e, w->rounded, &error), LL_OK);
    assert_int_equal(ll_evidence_add(e, &t.source, w->texts[0], &error), LL_OK);
    ll_status status = ll_evidence_view_sums(e, 0, &sums, &error);
    if (status == LL_OK) {
        assert_true(compare_sums(w, &sums) > 0);
        ll_view_sums_clear(&sums);
    }
    ll_evidence_destroy(e);
    return status == LL_OK;
}

/* Every metric of the table that is such a sum. */
static void test_sums(void **state)
{
    long done = 0;
    (void)state;
    for (long n = 0; n < 24 * ll_metric_count() * multiplier; n++) {
        const ll_metric_info *info = ll_metric_get_info(n % ll_metric_count());
        char settings[100], more[100];
        int of_labels = strcmp(info->input, "label") == 0;
        if (info->formula == NULL || info->classes[0] != '2')
            continue;
        world w = {.rows = below(2) ? MOST_ROWS : 3 + below(MOST_ROWS - 2),
                   .answers = 1,
                   .numbers = 1,
                   .decimals = 1 + (int)below(3),
                   .ones = -1};
        for (long i = 0; i < w.rows; i++) {
            w.x[i] = of_labels ? (double)below(2) : (double)(1 + below(6)) / 8;
            w.truth[i] = (int32_t)below(2);
        }
        (void)snprintf(settings, sizeof settings, "metric=%.*s%s; arithmetic=fp64", (int)strcspn(info->name, ":"),
                       info->name, strchr(info->name, ':') != NULL ? ":1" : "");
        (void)snprintf(more, sizeof more, "rows=%ld; classes=2; decimals=%d", w.rows, w.decimals);
        w.rounded = make_scorer(settings, more);
        (void)snprintf(more, sizeof more, "rows=%ld; classes=2", w.rows);
        w.plain = make_scorer(settings, more);
        done += ll_scorer_count_numbers(w.rounded) == 1 && check_sums(&w);
        ll_scorer_destroy(w.rounded);
        ll_scorer_destroy(w.plain);
    }
    print_message("%ld worlds of one sum\n", done);
    assert_true(done > 50);
}

/* ---- 20 or 30 rows: AUC, F1 and accuracy ---- */

enum { MANY = 30 };

typedef struct {
    long rows, guessed, ones;
    long adds[MANY]; /* rows below, twice, and ties, once */
    int guess[MANY];
    double released[3];
    signed char *known; /* [(P * (MANY + 1) + hits) * span + sum] */
    long span;
} pairs;

static int is_explained(pairs *p, long ones, long hits, long sum)
{
    signed char *known = &p->known[(ones * (MANY + 1) + hits) * p->span + sum];
    if (*known >= 0)
        return *known;
    double zeros = (double)(p->rows - ones), all = (double)p->rows;
    double area = (double)(sum - ones * (ones - 1)) / 2 / ((double)ones * zeros);
    double f1 = ones + p->guessed > 0 ? 2.0 * (double)hits / (double)(ones + p->guessed) : 0;
    double accuracy = (all - (double)(ones + p->guessed - 2 * hits)) / all;
    *known = ones > 0 && ones < p->rows && fabs(area - p->released[0]) < 0.5e-4 + SLACK &&
             fabs(f1 - p->released[1]) < 0.5e-4 + SLACK && fabs(accuracy - p->released[2]) < 0.5e-4 + SLACK;
    return *known;
}

/* Gray code: one label changes at a time. */
static long count_all(pairs *p, unsigned char *candidates)
{
    long count = 0, ones = 0, hits = 0, sum = 0;
    uint64_t labels = 0, ever = 0, never = 0;
    for (uint64_t n = 0;;) {
        if (is_explained(p, ones, hits, sum)) {
            count++;
            ever |= labels;
            never |= ~labels;
        }
        if (++n >> p->rows)
            break;
        int row = __builtin_ctzll(n);
        long way = labels >> row & 1 ? -1 : 1;
        labels ^= UINT64_C(1) << row;
        ones += way;
        hits += way * p->guess[row];
        sum += way * p->adds[row];
    }
    for (long i = 0; i < p->rows; i++) {
        candidates[2 * i] = never >> i & 1;
        candidates[2 * i + 1] = ever >> i & 1;
    }
    return count;
}

static void set_pairs(pairs *p, const double *x)
{
    p->span = 2 * MANY * MANY;
    p->known = malloc((size_t)(MANY + 1) * (MANY + 1) * (size_t)p->span);
    assert_non_null(p->known);
    memset(p->known, -1, (size_t)(MANY + 1) * (MANY + 1) * (size_t)p->span);
    for (long i = 0; i < p->rows; i++) {
        p->guess[i] = x[i] > 0.5;
        p->guessed += p->guess[i];
        for (long j = 0; j < p->rows; j++)
            p->adds[i] += x[j] < x[i] ? 2 : x[j] == x[i] && j != i;
    }
}

static void draw_model(double *x, int32_t *truth, long rows)
{
    for (long i = 0; i < rows; i++) {
        truth[i] = uniform() < 0.4;
        x[i] = round(100 * (0.7 * uniform() + 0.3 * truth[i])) / 100; /* hundredths, with ties */
    }
    truth[0] = 0;
    truth[1] = 1;
}

static void check_many(long rows)
{
    double x[MANY];
    int32_t truth[MANY];
    unsigned char candidates[2 * MANY];
    pairs p = {.rows = rows};
    ll_error error = {0};
    ll_score score;
    ll_evidence *e = NULL;
    ll_inference i;
    table t;
    char more[100];
    draw_model(x, truth, rows);
    (void)snprintf(more, sizeof more, "rows=%ld; classes=2; decimals=4", rows);
    ll_scorer *scorer = make_scorer("metric=auc; arithmetic=fp64; also=f1,accuracy", more);
    ll_score_init(&score);
    ll_inference_init(&i);
    table_set(&t, x, rows, 1, LL_ENTRIES_DOUBLE);
    assert_int_equal(score_table(&score, scorer, truth, &t, &error), LL_OK);
    assert_int_equal(sscanf(score.text, "%lf %lf %lf", &p.released[0], &p.released[1], &p.released[2]), 3);
    assert_int_equal(ll_evidence_create(&e, scorer, &error), LL_OK);
    assert_int_equal(ll_evidence_add(e, &t.source, score.text, &error), LL_OK);
    assert_int_equal(ll_evidence_infer(e, &i, LL_METHOD_AUTO, NULL, &error), LL_OK);
    set_pairs(&p, x);
    long count = count_all(&p, candidates);
    print_message("%ld rows, %s: %ld labellings\n", rows, score.text, count);
    assert_int_equal(atol(i.count), count);
    assert_memory_equal(i.verdict->candidates, candidates, 2 * (size_t)rows);
    free(p.known);
    ll_inference_clear(&i);
    ll_evidence_destroy(e);
    ll_score_clear(&score);
    ll_scorer_destroy(scorer);
}

static void test_many_rows(void **state)
{
    (void)state;
    for (long n = 0; n < (getenv("LL_TEST_LIGHT") != NULL ? 1 : 20); n++)
        check_many(20);
    if (getenv("LL_TEST_LONG") != NULL)
        check_many(MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_worlds), cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_many_rows)};
    read_environment("x-joint");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
