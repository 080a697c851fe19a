/* What an audit takes a scorer to be, against every labelling: for predictions of every kind the numbers of all labels
 * lie within the range, a single label moves them by no more than the sensitivity, they vary by no more than the
 * spread, and there are no more of them than an answer has bits for. Every metric of the table. */
#include "../unit/curator_tools.h"
#include "audit/channel.h"
#include "audit/limits.h"
#include "worlds.h"

#include <math.h>

enum { MOST_ROWS = 5, MOST_COUNT = 250, SHOWN = 20 };

typedef struct {
    char text[300];
    ll_scorer *scorer;
    ll_channel channel;
    long rows, classes, columns, count;
    double x[MOST_ROWS * 4];
    double numbers[MOST_COUNT]; /* the first of an answer; NAN: these labels have none */
    char *texts[MOST_COUNT];    /* all of it; NULL */
} world;

static long worlds, refused, failed;

static void blame(const world *w, const char *what, double found, double stated)
{
    if (failed++ < SHOWN)
        print_message("'%s' %ld columns, first row %g %g: %s %.12g, stated %.12g\n", w->text, w->columns, w->x[0],
                      w->x[1], what, found, stated);
}

/* ---- predictions ---- */

static double draw(const ll_metric_info *info, long classes)
{
    if (strcmp(info->input, "label") == 0)
        return (double)below(classes);
    if (strcmp(info->input, "probability") == 0)
        return below(3) ? uniform() : (double)below(2);
    if (below(4) == 0) /* so far off that sums are rounded, next to half a unit of others */
        return ldexp(1, (int)(below(2) ? 50 + below(8) : below(330))) + (double)below(3);
    return below(3) ? (double)below(4) : pow(10, 4 * uniform() - 2) * (below(2) ? 1 : -1);
}

/* Predicted labels in rising order: all there are, up to the order of rows. 0 at the end. */
static int next_labels(world *w)
{
    long i = w->rows - 1;
    while (i >= 0 && w->x[i] >= (double)(w->classes - 1))
        i--;
    if (i < 0)
        return 0;
    double next = w->x[i] + 1;
    for (; i < w->rows; i++)
        w->x[i] = next;
    return 1;
}

static void draw_all(world *w, const ll_metric_info *info)
{
    int shares = w->columns > 1 && strcmp(info->input, "probability") == 0;
    for (long i = 0; i < w->rows; i++) {
        double sum = 0, *row = w->x + i * w->columns;
        for (long k = 0; k < w->columns; k++)
            sum += row[k] = draw(info, w->classes);
        for (long k = 0; k < w->columns && shares; k++)
            row[k] = sum > 0 ? row[k] / sum : 1 / (double)w->columns;
    }
}

/* ---- every labelling ---- */

/* 0 where the program would not take such predictions at all. */
static int score_all(world *w)
{
    long scored = 0;
    for (long s = 0; s < w->count; s++) {
        int32_t labels[MOST_ROWS];
        ll_score score;
        ll_score_init(&score);
        world_labelling(labels, s, w->rows, w->classes);
        int has = score_doubles(&score, w->scorer, labels, w->x, w->rows, w->columns, NULL) == LL_OK;
        w->numbers[s] = has ? strtod(score.text, NULL) : (double)NAN;
        free(w->texts[s]);
        w->texts[s] = has ? strdup(score.text) : NULL;
        scored += has;
        ll_score_clear(&score);
    }
    return scored > 0;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What answers tell: log2 of how many there are, and their entropy where labels are uniform. Failing is one. */
typedef struct {
    double bits, entropy;
    long same; /* of the answer that is counted at present */
    long different;
} told;

static void end_answer(told *t, long all)
{
    double share = (double)t->same / (double)all;
    t->entropy -= share > 0 ? share * log2(share) : 0;
    t->different += t->same > 0;
    t->bits = log2((double)t->different);
    t->same = 0;
}

/* Answers of several numbers differ where any of them does. */
static told count_texts(const world *w)
{
    char *sorted[MOST_COUNT];
    told t = {0};
    long n = 0;
    for (long s = 0; s < w->count; s++)
        if (w->texts[s] != NULL)
            sorted[n++] = w->texts[s];
    qsort(sorted, (size_t)n, sizeof *sorted, by_text);
    for (long i = 0; i < n; i++) {
        if (i > 0 && strcmp(sorted[i], sorted[i - 1]) != 0)
            end_answer(&t, w->count);
        t.same++;
    }
    end_answer(&t, w->count);
    t.same = w->count - n;
    end_answer(&t, w->count);
    return t;
}

static told count_numbers(const world *w, const double *sorted, long n)
{
    told t = {0};
    for (long i = 0; i < n; i++) {
        if (i > 0 && sorted[i] - sorted[i - 1] > 1e-9 * fmax(1, fabs(sorted[i])))
            end_answer(&t, w->count);
        t.same++;
    }
    end_answer(&t, w->count);
    t.same = w->count - n;
    end_answer(&t, w->count);
    return t;
}

/* An answer alone tells no more than is stated of it, nor more than the figures for many answers say of one. */
static void check_bits(const world *w, const double *sorted, long n)
{
    const ll_channel *c = &w->channel;
    told t = c->numbers > 0 ? count_texts(w) : count_numbers(w, sorted, n);
    if (t.bits > ll_limit_bits_alone(c) + 1e-9)
        blame(w, "bits of an answer are", t.bits, ll_limit_bits_alone(c));
    if (t.bits > ll_limit_bits(c) + c->once_bits + 1e-9)
        blame(w, "bits of an answer and what is told once are", t.bits, ll_limit_bits(c) + c->once_bits);
    if (t.entropy > ll_limit_bits_alone_fixed(c) + 1e-9)
        blame(w, "the entropy of an answer is", t.entropy, ll_limit_bits_alone_fixed(c));
}

/* Of targets without a clip the answers are counted: as long as sums are not rounded by more than a step, they are all
 * multiples of it within so many steps. */
static double stated_range(const world *w)
{
    const ll_metric *metric = w->scorer->computation.metric;
    double largest = 0;
    for (long i = 0; i < w->rows * w->columns; i++)
        largest = fmax(largest, fabs(w->x[i]));
    int is_counted = ll_metric_takes_targets(metric) && ll_metric_has_terms(metric);
    if (!is_counted || isfinite(w->channel.range) || largest > 1e6)
        return w->channel.range;
    return exp2(w->channel.value_bits) * w->channel.grid;
}

static void check_values(const world *w)
{
    double sorted[MOST_COUNT], mean = 0, square = 0;
    long n = 0;
    for (long s = 0; s < w->count; s++)
        if (!isnan(w->numbers[s]))
            sorted[n++] = w->numbers[s];
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    for (long i = 0; i < n; i++)
        mean += sorted[i] / (double)n;
    for (long i = 0; i < n; i++)
        square += (sorted[i] - mean) * (sorted[i] - mean) / (double)n;
    double range = sorted[n - 1] - sorted[0];
    if (range > stated_range(w) + w->channel.grid) /* rounding comes after noise, and after these figures */
        blame(w, "the range is", range, stated_range(w));
    check_bits(w, sorted, n);
    if (n == w->count && sqrt(square) > w->channel.spread + w->channel.grid)
        blame(w, "the standard deviation is", sqrt(square), w->channel.spread);
    if (n < w->count && !w->channel.fails && isfinite(w->channel.range))
        blame(w, "labels without a number", (double)(w->count - n), 0);
}

static void check_moves(const world *w)
{
    double most = 0;
    for (long s = 0; s < w->count; s++)
        for (long i = 0, step = 1; i < w->rows; i++, step *= w->classes)
            for (long k = s / step % w->classes + 1; k < w->classes; k++) {
                double move = fabs(w->numbers[s] - w->numbers[s + (k - s / step % w->classes) * step]);
                most = move > most ? move : most;
            }
    if (most > w->channel.sensitivity + w->channel.grid)
        blame(w, "a label moves the number by", most, w->channel.sensitivity);
}

/* ---- one description ---- */

static int begin(world *w, const ll_metric_info *info, const char *release)
{
    static const char *const parameters[] = {"norm:2.5",       "focal:2",           "bregman:x^3 + x^2",
                                             "lp:2",           "fbeta:2",           "quantile:0.3",
                                             "huber:1",        "top-k:1",           "map:2",
                                             "map-first:2",    "top-k-first:2",     "ndcg-first:2",
                                             "ndcg:2",         "class-precision:1", "cell:1",
                                             "class-recall:1", "class-f1:1",        "support:1"};
    const char *name = info->name;
    size_t stem = strcspn(name, ":");
    for (size_t i = 0; name[stem] && i < sizeof parameters / sizeof *parameters; i++)
        if (strncmp(parameters[i], info->name, stem + 1) == 0)
            name = parameters[i];
    if (name[stem] && name == info->name)
        fail_msg("%s: a metric with a parameter of which this test knows no example", info->name);
    int clips = strcmp(info->name, "log-loss") == 0 || strcmp(info->name, "itakura-saito") == 0;
    (void)snprintf(w->text, sizeof w->text, "metric=%s; rows=%ld; %s%s%s", name, w->rows,
                   info->link != NULL && strstr(info->summary, "target") != NULL ? "targets=0:2:1" : "", release,
                   clips ? "; clip=0.01; clip-mode=clip" : "");
    size_t used = strlen(w->text);
    if (strstr(w->text, "targets=") == NULL)
        (void)snprintf(w->text + used, sizeof w->text - used, "; classes=%ld", w->classes);
    ll_error error = {0};
    if (try_scorer_text(&w->scorer, w->text, &error) != LL_OK)
        return 0;
    if (ll_channel_init(&w->channel, w->scorer, &error) == LL_OK) {
        w->classes = w->channel.classes;
        w->count = world_power(w->classes, w->rows);
        return 1;
    }
    ll_scorer_destroy(w->scorer);
    return 0;
}

static void check_submission(world *w)
{
    if (!score_all(w))
        return;
    check_values(w);
    if (!w->channel.fails)
        check_moves(w);
    worlds++;
}

static void run(const ll_metric_info *info, long rows, long classes, const char *release)
{
    world w = {.rows = rows, .classes = classes};
    if (!begin(&w, info, release)) {
        refused++;
        return;
    }
    for (long i = 0; i < (world_is_one("LL_TEST_LONG") ? 200 : 5); i++) {
        w.columns = below(2) ? 1 : w.classes;
        draw_all(&w, info);
        check_submission(&w);
    }
    w.columns = 1;
    memset(w.x, 0, sizeof w.x);
    if (strcmp(info->input, "label") == 0)
        do
            check_submission(&w);
        while (next_labels(&w));
    for (long k = 0; k < MOST_COUNT; k++)
        free(w.texts[k]);
    ll_scorer_destroy(w.scorer);
}

static void test_channels(void **state)
{
    (void)state;
    static const char *const releases[] = {"; arithmetic=fp64",
                                           "; arithmetic=fp64; transform=percent",
                                           "; arithmetic=fp64; transform=root; decimals=3",
                                           "; arithmetic=fp64; decimals=2",
                                           "; arithmetic=fp64; clip-targets=yes",
                                           "; arithmetic=fp32; decimals=0",
                                           "; arithmetic=fpa:5,1" /* fewer numbers than labellings */,
                                           "; arithmetic=fp64; weights=1,3,0.5",
                                           "; arithmetic=fp64; decimals=4; weights=0,1e-3,2,1",
                                           "; arithmetic=fp64; class-weights=1,4",
                                           "; arithmetic=fp64; decimals=5; class-weights=balanced",
                                           "; arithmetic=fp64; also=f1",
                                           "; arithmetic=fp64; also=confusion-matrix",
                                           "; arithmetic=fp64; decimals=2; also=accuracy:decimals=0",
                                           "; arithmetic=fp64; also=auc",
                                           "; arithmetic=fp64; decimals=3; groups=a,b,a,b,a"};
    for (long m = 0; m < ll_metric_count(); m++) {
        long before = worlds;
        for (long rows = 1; rows <= MOST_ROWS; rows++)
            for (long classes = 2; classes <= (rows < 5 ? 3 : 2); classes++)
                for (size_t r = 0; r < sizeof releases / sizeof *releases; r++)
                    run(ll_metric_get_info(m), rows, classes, releases[r]);
        if (worlds == before)
            print_message("%s: no world\n", ll_metric_get_info(m)->name);
    }
    print_message("%ld worlds, %ld refused, %ld faults\n", worlds, refused, failed);
    assert_int_equal(failed, 0);
    assert_true(worlds > 1000);
}

int main(void)
{
    read_environment("x-channel");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_channels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
