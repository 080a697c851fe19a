/* Releases by levels (docs/proofs/levels.md) against the exact optimum over all adaptive strategies, by brute force in
 * small worlds: labellings are bits of a mask, submissions are tables of the level that each labelling gets. Metrics
 * are computed here, in plain doubles and with no code of the library; "any" is every function of the labels at all.
 * The expected share of right labels never passes the proved limit, and the number of transcripts never passes the
 * count, which "any" reaches wherever there are labellings enough. LL_TEST_LONG: larger worlds. */
#include "../unit/audit_tools.h"

#include "audit/limits.h"
#include "release/staircase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELLINGS = 64, ROWS = 6, ACCOUNTS = 2, SUBMISSIONS = 1 << 16, SLOTS = 1 << 20 };

typedef struct {
    long rows, classes, labellings, levels, improvements, submissions;
    int is_leaderboard; /* one staircase for all accounts, */
    long own;           /* and one of so many levels for each beside it */
    int has_groups;     /* all rows, the first half and the second have a staircase each */
    long from, to;      /* rows that are guessed */
    double weights[LABELLINGS];
    int is_even;
    uint64_t all, of_label[ROWS][4];
    unsigned char (*tables)[LABELLINGS];
} world;

/* What everybody knows: the labellings that are left, and what each account has seen. */
typedef struct {
    uint64_t mask;
    unsigned char level[ACCOUNTS], shown[ACCOUNTS], left[ACCOUNTS], record, records, group[2], groups[2];
} known;

typedef struct {
    known state;
    long game; /* whose this is; 0: nobody's */
    double share, transcripts;
} slot;

static slot *memory;
static long game;

/* ---- worlds ---- */

static long label(const world *w, long labelling, long row)
{
    for (long i = 0; i < row; i++)
        labelling /= w->classes;
    return labelling % w->classes;
}

static const double shares[3][4] = {{0.5, 0.5, 0, 0}, {0.7, 0.3, 0, 0}, {0.5, 0.25, 0.25, 0}};

/* prior: NULL for labels that are all alike. ones: told number of labels 1, or -1. */
static void world_init(world *w, long rows, long classes, const double *prior, long ones)
{
    double sum = 0;
    memset(w, 0, sizeof *w);
    w->rows = rows;
    w->classes = classes;
    w->labellings = (long)pow((double)classes, (double)rows);
    w->is_even = prior == NULL;
    w->to = rows;
    for (long y = 0; y < w->labellings; y++) {
        long count = 0;
        w->weights[y] = 1;
        for (long i = 0; i < rows; i++) {
            count += label(w, y, i) == 1;
            w->weights[y] *= prior != NULL ? prior[label(w, y, i)] : 1;
            w->of_label[i][label(w, y, i)] |= UINT64_C(1) << y;
        }
        if (ones >= 0 && count != ones)
            continue;
        w->all |= UINT64_C(1) << y;
        sum += w->weights[y];
    }
    for (long y = 0; y < w->labellings; y++)
        w->weights[y] /= sum;
    w->tables = malloc(SUBMISSIONS * sizeof *w->tables);
    assert_non_null(w->tables);
}

/* ---- submissions ---- */

/* Every function of the labels. */
static void any_metric(world *w)
{
    long values = (w->levels + 1) * (w->own + 1);
    double count = pow((double)values, (double)w->labellings);
    assert_true(count <= SUBMISSIONS);
    for (long s = 0; s < (long)count; s++)
        for (long y = 0, left = s; y < w->labellings; y++, left /= values)
            w->tables[s][y] = (unsigned char)(left % values);
    w->submissions = (long)count;
}

/* Three rows, one level: every function of all labels, beside every function of the first and every one of the others. */
static void any_groups(world *w)
{
    enum { WHOLE = 1 << 8, FIRST = 1 << 2, OTHERS = 1 << 4 };
    assert_true(w->labellings == 8 && w->levels == 1);
    for (long s = 0; s < WHOLE * FIRST * OTHERS; s++)
        for (long y = 0; y < w->labellings; y++) {
            long whole = s >> y & 1, first = s / WHOLE >> (y & 1) & 1, others = s / WHOLE / FIRST >> (y >> 1) & 1;
            w->tables[s][y] = (unsigned char)(whole | first << 1 | others << 2);
        }
    w->submissions = WHOLE * FIRST * OTHERS;
}

static double accuracy(const int *x, const int *y, long n)
{
    double right = 0;
    for (long i = 0; i < n; i++)
        right += x[i] == y[i];
    return right / (double)n;
}

static double brier(const int *x, const int *y, long n) /* predictions are halves; higher is better */
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += (x[i] / 2.0 - y[i]) * (x[i] / 2.0 - y[i]);
    return 1 - sum / (double)n;
}

static double f1(const int *x, const int *y, long n)
{
    double both = 0, either = 0;
    for (long i = 0; i < n; i++) {
        both += 2 * (x[i] == 1 && y[i] == 1);
        either += (x[i] == 1) + (y[i] == 1);
    }
    return either > 0 ? both / either : 0;
}

static double auc(const int *x, const int *y, long n) /* without a pair: no improvement */
{
    double good = 0, pairs = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            int is_pair = y[i] == 1 && y[j] == 0;
            pairs += is_pair;
            good += is_pair * (x[i] > x[j] ? 1 : x[i] == x[j] ? 0.5 : 0);
        }
    return pairs > 0 ? good / pairs : 0;
}

static const struct {
    const char *name;
    double (*score)(const int *x, const int *y, long n);
    int values; /* of a row's prediction; 0: as many as classes */
    double base;
} metrics[] = {{"accuracy", accuracy, 0, 0.5}, {"brier", brier, 3, 0.75}, {"f1", f1, 2, 0.5}, {"auc", auc, 3, 0.5}};
enum { METRICS = sizeof metrics / sizeof metrics[0] };

/* 0 at the base, 1 at the best score. */
static double height_of(int metric, const int *x, const int *y, long n)
{
    return (metrics[metric].score(x, y, n) - metrics[metric].base) / (1 - metrics[metric].base);
}

static long reach(double height, long steps, long levels)
{
    return (long)fmax(0, fmin((double)levels, floor(height * (double)steps + 1e-9)));
}

/* Levels are evenly spaced from the base to 1; the last is reached by 1 itself. An account's own are all below 1. */
static long answer_of(const world *w, int metric, const int *x, const int *y)
{
    long half = w->rows / 2, size = w->levels + 1;
    double height = height_of(metric, x, y, w->rows);
    if (!w->has_groups)
        return reach(height, w->levels, w->levels) * (w->own + 1) + reach(height, w->own + 1, w->own);
    double first = height_of(metric, x, y, half), second = height_of(metric, x + half, y + half, w->rows - half);
    return reach(height, w->levels, w->levels) + size * reach(first, w->levels, w->levels) +
           size * size * reach(second, w->levels, w->levels);
}

static void take_metric(world *w, int metric)
{
    long values = metrics[metric].values > 0 ? metrics[metric].values : w->classes;
    w->submissions = (long)pow((double)values, (double)w->rows);
    assert_true(w->submissions <= SUBMISSIONS);
    for (long s = 0; s < w->submissions; s++) {
        int x[ROWS], y[ROWS];
        for (long i = 0, left = s; i < w->rows; i++, left /= values)
            x[i] = (int)(left % values);
        for (long k = 0; k < w->labellings; k++) {
            for (long i = 0; i < w->rows; i++)
                y[i] = (int)label(w, k, i);
            w->tables[s][k] = (unsigned char)answer_of(w, metric, x, y);
        }
    }
}

/* ---- the optimum ---- */

static double weigh(const world *w, uint64_t mask)
{
    double sum = 0;
    if (w->is_even)
        return __builtin_popcountll(mask) * w->weights[0];
    for (; mask != 0; mask &= mask - 1)
        sum += w->weights[__builtin_ctzll(mask)];
    return sum;
}

/* The share of right labels that the best guess is expected to have, weighed with the labellings that are left. */
static double guess(const world *w, uint64_t mask)
{
    double sum = 0;
    for (long i = w->from; i < w->to; i++) {
        double most = 0;
        for (long k = 0; k < w->classes; k++)
            most = fmax(most, weigh(w, mask & w->of_label[i][k]));
        sum += most;
    }
    return sum / (double)(w->to - w->from);
}

static slot *find(const known *k)
{
    uint64_t hash = k->mask * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= (uint64_t)(k->record | k->records << 2 | k->group[0] << 4 | k->group[1] << 6 | k->groups[0] << 8 |
                       k->groups[1] << 10)
            << 40;
    for (int a = 0; a < ACCOUNTS; a++)
        hash = (hash ^ (uint64_t)(k->level[a] | k->shown[a] << 8 | k->left[a] << 16)) * UINT64_C(0xff51afd7ed558ccd);
    slot *s = &memory[(hash >> 40) % SLOTS];
    while (s->game == game && memcmp(&s->state, k, sizeof *k) != 0)
        s = s + 1 < memory + SLOTS ? s + 1 : memory;
    return s;
}

static void solve(const world *w, const known *k, double *share, double *transcripts);

/* A staircase takes a step up, if there is one and it may be shown. */
static void step(unsigned char *level, unsigned char *shown, long reached, const world *w)
{
    if (reached <= *level || *shown >= w->improvements)
        return;
    *level = (unsigned char)reached;
    (*shown)++;
}

/* What everybody knows after an answer, but for the labellings that are left; the answer as a number. */
static long answer(const world *w, known *next, const known *k, int account, long reached)
{
    *next = *k;
    next->left[account]--;
    if (w->has_groups) {
        long size = w->levels + 1;
        for (int g = 0; g < 2; g++)
            step(&next->group[g], &next->groups[g], g == 0 ? reached / size % size : reached / size / size, w);
        step(&next->level[account], &next->shown[account], reached % size, w);
        return next->level[account] + size * (next->group[0] + size * next->group[1]);
    }
    if (w->is_leaderboard)
        step(&next->record, &next->records, reached / (w->own + 1), w);
    step(&next->level[account], &next->shown[account], w->is_leaderboard ? reached % (w->own + 1) : reached, w);
    return w->is_leaderboard ? next->record * (w->own + 1) + next->level[account] : next->level[account];
}

/* One submission of one account: what its answers are worth together. */
static void ask(const world *w, const known *k, int account, const unsigned char *answers, double *share,
                double *transcripts)
{
    enum { ANSWERS = 64 };
    known parts[ANSWERS] = {{0}};
    *share = *transcripts = 0;
    for (uint64_t left = k->mask; left != 0; left &= left - 1) {
        known next;
        int y = __builtin_ctzll(left);
        known *part = &parts[answer(w, &next, k, account, answers[y])];
        next.mask = part->mask | UINT64_C(1) << y;
        *part = next;
    }
    for (long i = 0; i < ANSWERS; i++) {
        double value, count;
        if (parts[i].mask == 0)
            continue;
        solve(w, &parts[i], &value, &count);
        *share += value;
        *transcripts += count;
    }
}

static void solve(const world *w, const known *k, double *share, double *transcripts)
{
    int is_over = 1;
    for (int a = 0; a < ACCOUNTS; a++)
        is_over &= k->left[a] == 0;
    *share = guess(w, k->mask);
    *transcripts = 1;
    if (is_over || (k->mask & (k->mask - 1)) == 0)
        return;
    slot *s = find(k);
    if (s->game != game) {
        for (int a = 0; a < ACCOUNTS; a++)
            for (long i = 0; k->left[a] > 0 && i < w->submissions; i++) {
                double value, count;
                ask(w, k, a, w->tables[i], &value, &count);
                *share = fmax(*share, value);
                *transcripts = fmax(*transcripts, count);
            }
        s = find(k); /* others may have come since */
        *s = (slot){*k, game, *share, *transcripts};
    }
    *share = s->share;
    *transcripts = s->transcripts;
}

/* ---- against the limit ---- */

typedef struct {
    long answers, accounts; /* answers of each */
    const char *labels;     /* settings that tell the same of them */
    int is_any;
} question;

static void compare(const world *w, const question *q, const char *name)
{
    double share, transcripts,
        improvements = w->improvements < q->answers * q->accounts ? (double)w->improvements : INFINITY;
    known start = {.mask = w->all};
    ll_channel channel;
    ll_error error = {0};
    for (long a = 0; a < q->accounts; a++)
        start.left[a] = (unsigned char)q->answers;
    game++;
    solve(w, &start, &share, &transcripts);
    ll_scorer *s = scorer_of_text("metric=accuracy; rows=%ld; classes=%ld%s", w->rows, w->classes, q->labels);
    assert_int_equal(ll_channel_init(&channel, s, &error), LL_OK);
    channel.value_bits = channel.float_bits = INFINITY; /* of the metric nothing is known */
    channel.is_count = 0;
    channel.grid = 0;
    channel.stairs =
        (ll_staircases){(double)w->levels, improvements, (double)q->accounts, w->is_leaderboard, (double)w->own};
    if (w->has_groups) {
        channel.numbers =
            w->to - w->from < w->rows ? 2 : 3; /* of one group, its own scores and those of all rows tell */
        channel.rows = w->to - w->from;
        channel.joint_bits = channel.alone_bits = channel.joint_epsilon = channel.joint_distance = INFINITY;
    }
    double answers = (double)(q->answers * q->accounts), bits = ll_staircases_bits(&channel.stairs, answers);
    bits *= w->has_groups ? 3 : 1;
    double limit = ll_limit_share(&channel, answers), labellings = __builtin_popcountll(w->all);
    if (share > limit * (1 + 1e-12) || log2(transcripts) > bits * (1 + 1e-12) + 1e-12)
        fail_msg("%s, N=%ld K=%ld T=%ld L=%ld+%ld B=%ld A=%ld%s: %.9f above %.9f, or %.0f transcripts above 2^%.9f",
                 name, w->rows, w->classes, q->answers, w->levels, w->own, w->improvements, q->accounts, q->labels,
                 share, limit, transcripts, bits);
    if (q->is_any && exp2(bits) < labellings - 0.5 && fabs(log2(transcripts) - bits) > 1e-9)
        fail_msg("%s, N=%ld T=%ld L=%ld+%ld B=%ld A=%ld: %.0f transcripts, counted %.3f", name, w->rows, q->answers,
                 w->levels, w->own, w->improvements, q->accounts, transcripts, exp2(bits));
    ll_scorer_destroy(s);
}

static void world_try(world *w, long answers, long accounts, const char *labels, const char *name)
{
    const question q = {answers, accounts, labels, strcmp(name, "any") == 0};
    long all = w->is_leaderboard ? answers * accounts : answers;
    long most = w->levels > w->own ? w->levels : w->own;
    for (w->improvements = 1; w->improvements <= (most < all ? most : all); w->improvements++)
        compare(w, &q, name);
}

static void every_function(void **state)
{
    (void)state;
    for (long rows = 2; rows <= 3; rows++)
        for (long levels = 1; levels <= (rows == 2 ? 3 : 2); levels++) {
            world w;
            world_init(&w, rows, 2, NULL, -1);
            w.levels = levels;
            any_metric(&w);
            for (long answers = 1; answers <= (rows == 2 || levels == 1 ? 4 : is_long() ? 3 : 2); answers++)
                world_try(&w, answers, 1, "", "any");
            for (long answers = 1; answers <= (rows == 2 ? 2 : 1); answers++)
                world_try(&w, answers, 2, "", "any");
            free(w.tables);
        }
}

static void every_metric(void **state)
{
    (void)state;
    for (int m = 0; m < METRICS; m++)
        for (long rows = 2; rows <= (is_long() ? 6 : 4); rows++)
            for (long levels = 1; levels <= 3; levels++) {
                world w;
                world_init(&w, rows, 2, NULL, -1);
                w.levels = levels;
                take_metric(&w, m);
                long most = rows <= 3 ? 4 : rows <= 4 ? 3 : 2;
                for (long answers = 1; answers <= most + (is_long() && rows == 4); answers++)
                    world_try(&w, answers, 1, "", metrics[m].name);
                world_try(&w, rows <= 3 ? 2 : 1, 2, "", metrics[m].name);
                free(w.tables);
            }
}

/* Records of all accounts, alone and beside a staircase of each. */
static void records_beside_own_levels(void **state)
{
    (void)state;
    for (long rows = 2; rows <= (is_long() ? 3 : 2); rows++)
        for (long levels = 1; levels <= (rows == 3 ? 1 : is_long() ? 3 : 2); levels++)
            for (long own = 0; own <= (is_long() && levels < 3 && rows == 2 ? 2 : 1); own++) {
                world w;
                world_init(&w, rows, 2, NULL, -1);
                w.levels = levels;
                w.own = own;
                w.is_leaderboard = 1;
                any_metric(&w);
                for (long answers = 1; answers <= (rows == 2 ? 2 : 1); answers++)
                    for (long accounts = 1; accounts <= (is_long() || answers * levels * own < 4 ? ACCOUNTS : 1);
                         accounts++)
                        world_try(&w, answers, accounts, "", "any");
                free(w.tables);
            }
    for (int m = 0; m < METRICS; m++)
        for (long rows = 2; rows <= (is_long() ? 6 : m == 0 ? 3 : 2); rows++)
            for (long levels = 1; levels <= 3; levels++)
                for (long own = 0; own <= (is_long() ? levels : 1); own++) {
                    world w;
                    world_init(&w, rows, 2, NULL, -1);
                    w.levels = levels;
                    w.own = own;
                    w.is_leaderboard = 1;
                    take_metric(&w, m);
                    world_try(&w, rows <= 3 ? 2 : 1, ACCOUNTS, "", metrics[m].name);
                    free(w.tables);
                }
}

/* A staircase for all rows and one for each of two groups: all labels, and those of one group alone. */
static void levels_of_groups(void **state)
{
    (void)state;
    for (int part = -1; part < 2; part++) {
        world w;
        world_init(&w, 3, 2, NULL, -1);
        w.levels = w.has_groups = 1;
        w.from = part == 1;
        w.to = part == 0 ? 1 : 3;
        any_groups(&w);
        world_try(&w, 1, 1, "", "any function");
        free(w.tables);
    }
    for (int m = 0; m < METRICS; m++)
        for (long rows = 2; rows <= (is_long() ? 5 : 3); rows++)
            for (long levels = 1; levels <= (is_long() ? 3 : 2); levels++)
                for (int group = -1; group < 2; group++) {
                    world w;
                    world_init(&w, rows, 2, NULL, -1);
                    w.levels = levels;
                    w.has_groups = 1;
                    w.from = group == 1 ? rows / 2 : 0;
                    w.to = group == 0 ? rows / 2 : rows;
                    take_metric(&w, m);
                    for (long answers = 1; answers <= (rows <= 3 ? 3 : is_long() ? 2 : 1); answers++)
                        world_try(&w, answers, 1, "", metrics[m].name);
                    free(w.tables);
                }
}

/* Priors, three classes, known counts. */
static void labels_of_every_law(void **state)
{
    (void)state;
    static const struct {
        long rows, classes, ones;
        const double *prior;
        const char *text;
    } laws[] = {{4, 2, -1, shares[1], "; prior=0.7,0.3"},
                {3, 3, -1, NULL, ""},
                {3, 3, -1, shares[2], "; prior=0.5,0.25,0.25"},
                {4, 2, 2, NULL, "; counts=2,2"},
                {4, 2, 1, NULL, "; counts=3,1"},
                {5, 2, 2, NULL, "; counts=3,2"}};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        for (long levels = 1; levels <= 3; levels++)
            for (int m = 0; m < (laws[i].classes == 2 ? (int)METRICS : 1); m++) {
                world w;
                world_init(&w, laws[i].rows, laws[i].classes, laws[i].prior, laws[i].ones);
                w.levels = levels;
                take_metric(&w, m);
                for (long answers = 1; answers <= (laws[i].rows < 5 ? 3 : 2); answers++)
                    world_try(&w, answers, 1, laws[i].text, metrics[m].name);
                free(w.tables);
            }
}

/* ---- the count itself, and the price of an answer ---- */

/* By the recursion over the first answer, in whole numbers. */
static double count_staircases(long answers, long levels, long improvements)
{
    double sum = 1;
    if (answers == 0 || improvements == 0)
        return 1;
    for (sum = count_staircases(answers - 1, levels, improvements); levels > 0; levels--)
        sum += count_staircases(answers - 1, levels - 1, improvements - 1);
    return sum;
}

static void counts_are_exact(void **state)
{
    (void)state;
    for (long answers = 0; answers <= 7; answers++)
        for (long levels = 0; levels <= 5; levels++)
            for (long most = 0; most <= 8; most++) {
                double count = count_staircases(answers, levels, most);
                double bits = ll_staircase_bits((double)answers, (double)levels, (double)most);
                if (!(bits >= log2(count) - 1e-15 && bits <= log2(count) + 1e-12))
                    fail_msg("T=%ld L=%ld B=%ld: %.17g bits for %.0f", answers, levels, most, bits, count);
            }
}

/* More answers, levels, accounts or improvements never tell less; a limit that nobody reaches is none; one account is
 * a leaderboard. */
static void laws_of_the_count(void **state)
{
    static const double sizes[] = {1, 2, 7, 50, 150, 1000, 30000, 1e7};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    (void)state;
    for (int t = 0; t < SIZES; t++)
        for (int l = 0; l < SIZES; l++)
            for (int b = 0; b < SIZES - 2; b++)
                for (double accounts = 1; accounts <= 3; accounts++) {
                    double most = b == 0 ? INFINITY : sizes[b - 1];
                    ll_staircases s = {sizes[l], most, accounts, 0, 0}, other = s;
                    double bits = ll_staircases_bits(&s, accounts * sizes[t]);
                    assert_true(bits <= ll_staircases_bits(&s, accounts * sizes[t] + 1));
                    other.levels++;
                    assert_true(bits <= ll_staircases_bits(&other, accounts * sizes[t]));
                    other = s;
                    other.accounts++;
                    assert_true(bits < ll_staircases_bits(&other, (accounts + 1) * sizes[t]));
                    other = s;
                    other.improvements++;
                    assert_true(bits <= ll_staircases_bits(&other, accounts * sizes[t]));
                    other.improvements = INFINITY;
                    if (most >= sizes[t])
                        assert_true(bits == ll_staircases_bits(&other, accounts * sizes[t]));
                    other = s;
                    other.is_leaderboard = 1;
                    if (accounts == 1)
                        assert_true(bits == ll_staircases_bits(&other, sizes[t]));
                    double records = ll_staircases_bits(&other, accounts * sizes[t]); /* and the sum of both */
                    other.own = sizes[l];
                    assert_true(fabs(ll_staircases_bits(&other, accounts * sizes[t]) - records - bits) <= 1e-9 * bits);
                    double uneven = ll_staircase_bits(sizes[t] + 1, sizes[l], most) +
                                    (accounts - 1) * ll_staircase_bits(sizes[t], sizes[l], most);
                    assert_true(uneven <=
                                ll_staircases_bits(&s, accounts * sizes[t] + 1)); /* one account has an answer more */
                }
}

static void prices_are_a_code(void **state)
{
    static const double rates[] = {1e-6, 0.01, 0.08, 0.5, 0.9};
    (void)state;
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++)
        for (long left = 0; left <= 40; left++) {
            double sum = 0, most = 0;
            for (long climbed = 0; climbed <= left; climbed++) {
                double price = ll_answer_price(rates[r], climbed, left);
                sum += exp2(-price);
                most = fmax(most, price);
            }
            assert_true(sum <= 1 && sum > 1 - 1e-9);
            assert_true(most == ll_answer_most(rates[r], left));
        }
    assert_true(fabs(ll_answer_price(0.01, 0, 100) - 0.0145) < 1e-4); /* as docs/proofs/levels.md has it */
    assert_true(fabs(ll_answer_price(0.01, 1, 100) - 7.6439) < 1e-4);
    assert_true(isnan(ll_answer_price(0, 1, 2)) && isnan(ll_answer_price(1, 1, 2)) &&
                isnan(ll_answer_price(NAN, 0, 0)));
    assert_true(isnan(ll_answer_price(0.5, -1, 2)) && isnan(ll_answer_price(0.5, 3, 2)) &&
                isnan(ll_answer_most(0.5, -1)));
}

int main(void)
{
    memory = calloc(SLOTS, sizeof *memory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),      cmocka_unit_test(every_metric),
        cmocka_unit_test(labels_of_every_law), cmocka_unit_test(records_beside_own_levels),
        cmocka_unit_test(levels_of_groups),    cmocka_unit_test(counts_are_exact),
        cmocka_unit_test(laws_of_the_count),   cmocka_unit_test(prices_are_a_code),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(memory);
    return failed;
}
