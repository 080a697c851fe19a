/* Limits where class counts are known (docs/proofs/told-counts.md), against exact Bayes over all labellings that have
 * them: two to four classes, the Brier score and accuracy, noise in proportion and of one size, four strategies, two of
 * them adaptive. Scores, spreads and posteriors are computed here, with no code of the library. The expected share of
 * right labels never passes the proved limit by more than chance. And the arithmetic of cycles, against trying.
 * LL_TEST_LONG: 4000 runs of each, else 80. */
#include "../unit/curator_tools.h"
#include "worlds.h"

#include "audit/known_counts.h"

#include <math.h>

enum { MOST_ROWS = 8, MOST_CLASSES = 4, MOST_SLICE = 2600 };

static long count_runs(void)
{
    return world_is_one("LL_TEST_LONG") ? 4000 : 80;
}

/* ---- worlds ---- */

typedef struct {
    long counts[MOST_CLASSES], rows, classes, answers;
    char law; /* p(roportional), g(aussian), l(aplace) */
    double size;
    int is_match; /* accuracy; else the Brier score */
    long slice;
    unsigned char labels[MOST_SLICE][MOST_ROWS];
} world;

static void list_slice(world *w)
{
    w->slice = 0;
    for (long n = 0; n < world_power(w->classes, w->rows); n++) {
        int32_t labels[MOST_ROWS];
        long left[MOST_CLASSES], fits = 1;
        memcpy(left, w->counts, sizeof left);
        world_labelling(labels, n, w->rows, w->classes);
        for (long i = 0; i < w->rows; i++)
            fits &= left[labels[i]]-- > 0;
        for (long i = 0; i < w->rows && fits; i++)
            w->labels[w->slice][i] = (unsigned char)labels[i];
        w->slice += fits;
        assert_true(w->slice < MOST_SLICE);
    }
}

static double limit_of(const world *w)
{
    static const char *const laws[] = {['p'] = "proportional", ['g'] = "gaussian", ['l'] = "laplace"};
    char counts[80] = "";
    ll_audit_bound bound;
    ll_error error = {0};
    for (long k = 0; k < w->classes; k++)
        (void)snprintf(counts + strlen(counts), sizeof counts - strlen(counts), "%s%ld", k ? "," : "", w->counts[k]);
    ll_scorer *s = scorer_of_text("metric=%s; arithmetic=exact; counts=%s; noise=%s:%.17g; columns=%s",
                                  w->is_match ? "accuracy" : "squared", counts, laws[(int)w->law], w->size,
                                  w->is_match ? "either" : "all");
    if (ll_audit_limit(&bound, s, (double)w->answers, &error) != LL_OK)
        fail_msg("%s", error.text);
    ll_scorer_destroy(s);
    return bound.max_share;
}

/* ---- a game ---- */

typedef struct {
    const world *w;
    double belief[MOST_SLICE];
    double mean[MOST_ROWS][MOST_CLASSES];
    double row[MOST_ROWS][MOST_CLASSES]; /* submitted: probabilities */
} game;

static void set_means(game *g)
{
    memset(g->mean, 0, sizeof g->mean);
    for (long l = 0; l < g->w->slice; l++)
        for (long i = 0; i < g->w->rows; i++)
            g->mean[i][g->w->labels[l][i]] += g->belief[l];
}

static double term(const game *g, long row, long label)
{
    double sum = 0;
    if (g->w->is_match)
        return g->row[row][label] > 0.5;
    for (long k = 0; k < g->w->classes; k++)
        sum += ((k == label) - g->row[row][k]) * ((k == label) - g->row[row][k]);
    return sum;
}

static void say(game *g, long row, long label)
{
    for (long k = 0; k < g->w->classes; k++)
        g->row[row][k] = k == label;
}

static void say_nothing(game *g, long row)
{
    for (long k = 0; k < g->w->classes; k++)
        g->row[row][k] = 1 / (double)g->w->classes;
}

static void random_labels(game *g)
{
    for (long i = 0; i < g->w->rows; i++)
        say(g, i, below(g->w->classes));
}

static void two_rows(game *g)
{
    long one = below(g->w->rows), other = below(g->w->rows);
    for (long i = 0; i < g->w->rows; i++)
        say_nothing(g, i);
    say(g, one, below(g->w->classes));
    say(g, other, below(g->w->classes));
}

/* What the likeliest labelling says, where the second likeliest says something else. */
static void best_two(game *g)
{
    long best = 0, next = -1;
    for (long l = 1; l < g->w->slice; l++)
        best = g->belief[l] > g->belief[best] ? l : best;
    for (long l = 0; l < g->w->slice; l++)
        next = l != best && (next < 0 || g->belief[l] > g->belief[next]) ? l : next;
    for (long i = 0; i < g->w->rows; i++)
        if (next >= 0 && g->w->labels[best][i] != g->w->labels[next][i])
            say(g, i, g->w->labels[best][i]);
        else
            say_nothing(g, i);
}

/* Labels drawn by what is believed of each row. */
static void open_rows(game *g)
{
    for (long i = 0; i < g->w->rows; i++) {
        double at = uniform();
        long k = 0;
        for (; k < g->w->classes - 1 && at >= g->mean[i][k]; k++)
            at -= g->mean[i][k];
        say(g, i, k);
    }
}

static void (*const strategies[])(game *) = {random_labels, two_rows, best_two, open_rows};

static double draw_noise(char law)
{
    if (law == 'l')
        return (below(2) ? 1 : -1) * -log(1 - uniform());
    return sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
}

/* The root of the sum of squares of what each row can move, over 2. */
static double spread(const game *g)
{
    double sum = 0;
    for (long i = 0; i < g->w->rows; i++) {
        double least = INFINITY, most = -INFINITY;
        for (long k = 0; k < g->w->classes; k++) {
            least = fmin(least, term(g, i, k));
            most = fmax(most, term(g, i, k));
        }
        sum += (most - least) * (most - least);
    }
    return sqrt(sum) / (double)g->w->rows / 2;
}

static double score(const game *g, long labelling)
{
    double sum = 0;
    for (long i = 0; i < g->w->rows; i++)
        sum += term(g, i, g->w->labels[labelling][i]);
    return sum / (double)g->w->rows;
}

static void ask(game *g, long truth, int strategy)
{
    const world *w = g->w;
    double sum = 0;
    strategies[strategy](g);
    double size = w->law == 'p' ? w->size * spread(g) : w->size;
    if (!(size > 0))
        return;
    double answer = score(g, truth) + size * draw_noise(w->law);
    for (long l = 0; l < w->slice; l++) {
        double off = (answer - score(g, l)) / size;
        sum += g->belief[l] *= w->law == 'l' ? exp(-fabs(off)) : exp(-off * off / 2);
    }
    for (long l = 0; l < w->slice; l++)
        g->belief[l] /= sum;
    set_means(g);
}

/* The share that is expected of the best guess. */
static double play(const world *w, int strategy)
{
    game g = {.w = w};
    double share = 0;
    long truth = below(w->slice);
    for (long l = 0; l < w->slice; l++)
        g.belief[l] = 1 / (double)w->slice;
    set_means(&g);
    for (long t = 0; t < w->answers; t++)
        ask(&g, truth, strategy);
    for (long i = 0; i < w->rows; i++) {
        double most = 0;
        for (long k = 0; k < w->classes; k++)
            most = fmax(most, g.mean[i][k]);
        share += most / (double)w->rows;
    }
    return share;
}

static double nearest;

static void check_world(const world *w)
{
    double limit = limit_of(w), guess = 0;
    for (long k = 0; k < w->classes; k++)
        guess = fmax(guess, (double)w->counts[k] / (double)w->rows);
    if (limit < guess - 1e-12)
        fail_msg("a limit of %.4f where saying one class everywhere gets %.4f", limit, guess);
    for (int s = 0; s < WORLDS_COUNT(strategies); s++) {
        double sum = 0, square = 0, runs = (double)count_runs();
        for (long run = 0; run < count_runs(); run++) {
            double share = play(w, s);
            sum += share / runs;
            square += share * share / runs;
        }
        double error = sqrt(fmax(0, square - sum * sum) / runs);
        if (sum - 4.5 * error > limit + 1e-9)
            fail_msg("%ld,%ld,%ld,%ld: law %c %g, %ld answers, strategy %d, accuracy %d: %.4f +- %.4f above %.4f",
                     w->counts[0], w->counts[1], w->counts[2], w->counts[3], w->law, w->size, w->answers, s,
                     w->is_match, sum, error, limit);
        if (limit > guess + 1e-9)
            nearest = fmax(nearest, (sum - 2 * error - guess) / (limit - guess));
    }
}

static void test_limits(void **state)
{
    static const long counts[][MOST_CLASSES] = {{1, 1},    {2, 2},    {3, 1},    {1, 4},    {4, 3},       {1, 1, 1},
                                                {2, 2, 2}, {3, 2, 1}, {4, 1, 1}, {2, 0, 2}, {1, 1, 1, 1}, {3, 1, 1, 1}};
    static const struct {
        char law;
        double size;
        long answers;
    } laws[] = {{'p', 2, 2},    {'p', 1, 3}, {'p', 3, 12},  {'p', 20, 2},  {'g', 0.5, 2},
                {'g', 0.15, 1}, {'g', 2, 6}, {'l', 0.7, 2}, {'l', 0.2, 1}, {'l', 4, 6}};
    (void)state;
    static world w;
    long worlds = 0;
    for (long c = 0; c < WORLDS_COUNT(counts); c++)
        for (long l = 0; l < WORLDS_COUNT(laws); l++) {
            w = (world){
                .answers = laws[l].answers, .law = laws[l].law, .size = laws[l].size, .is_match = (int)below(2)};
            memcpy(w.counts, counts[c], sizeof w.counts);
            for (long k = 0; k < MOST_CLASSES; k++) {
                w.rows += w.counts[k];
                w.classes = w.counts[k] > 0 ? k + 1 : w.classes;
            }
            list_slice(&w);
            check_world(&w);
            worlds++;
        }
    print_message("%ld worlds; the nearest is %.2f of the room between guessing and the limit\n", worlds, nearest);
    assert_true(nearest > 0.3);
}

/* ---- the arithmetic of cycles ---- */

/* Whatever probabilities of turns take no more bits get no more labels. */
static void check_cycles(const ll_cycles *c)
{
    for (int i = 0; i < 200; i++) {
        double bits = 0, share = c->count[1] / c->rows;
        for (int m = 2; m <= c->longest; m++) {
            double wrong = (1 - 1 / (double)m) * pow(uniform(), 2);
            double open = wrong > 0 ? -wrong * log2(wrong) - (1 - wrong) * log2(1 - wrong) + wrong * log2(m - 1) : 0;
            bits += c->count[m] * (log2(m) - open);
            share += c->count[m] * m * (1 - wrong) / c->rows;
        }
        assert_true(ll_cycles_share_of_bits(c, bits) >= share - 1e-12);
        assert_true(ll_cycles_share_of_bits(c, ll_cycles_bits_of_share(c, share)) <= share + 1e-12);
        assert_true(ll_cycles_bits_of_share(c, share) <= bits + 1e-9);
    }
    double base = ll_cycles_share_of_bits(c, 0), open = ll_cycles_open(c) + c->count[1];
    assert_true(base >= open / c->rows && base < open / c->rows + 1e-5);
}

static void test_cycles(void **state)
{
    (void)state;
    for (int trial = 0; trial < 400; trial++) {
        ll_cycles ways[LL_CYCLE_WAYS];
        int64_t counts[LL_LONGEST_CYCLE + 10], most = 0;
        long classes = 2 + below(below(4) ? 6 : LL_LONGEST_CYCLE + 8);
        double rows = 0;
        for (long k = 0; k < classes; k++) {
            counts[k] = below(below(2) ? 4 : 50);
            most = counts[k] > most ? counts[k] : most;
            rows += (double)counts[k];
        }
        if (rows < 1)
            continue;
        ll_cycles_init(ways, counts, classes);
        for (int way = 0; way < LL_CYCLE_WAYS; way++) {
            double all = 0;
            for (int m = 1; m <= LL_LONGEST_CYCLE; m++) {
                assert_true(ways[way].count[m] >= 0);
                all += m * ways[way].count[m];
            }
            assert_true(all == rows && ways[way].rows == rows);
            assert_true(ll_cycles_open(&ways[way]) + ways[way].count[1] >= (double)most); /* who says it everywhere */
            check_cycles(&ways[way]);
        }
        if (classes <= LL_LONGEST_CYCLE) /* nothing told: the most frequent class, everywhere */
            assert_true(ll_cycles_open(&ways[0]) + ways[0].count[1] == (double)most);
    }
}

int main(void)
{
    read_environment("x-told-counts");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cycles), cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
