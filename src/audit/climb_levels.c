/* Attacks on a release by levels of two classes of labels (docs/proofs/levels.md). Each submission says a label in every
 * row, and an answer tells whether it has enough right labels for the next level: every answer is learned, those that
 * show nothing too (count_posterior.h), and rows are read by what is known at the end.
 *
 * best blocks      the next submission differs from the best guess in as many rows as make an improvement as likely as
 *                  it is in a random staircase: no answer could tell more
 * one row          the next submission differs from the last one in one row; where that crosses a level, the row's label
 *                  is certain
 * pooled accounts  best blocks by all accounts, which share what they see: the lowest staircase is climbed next */
#include "audit/count_posterior.h"
#include "audit/label_law.h"
#include "audit/trial.h"
#include "number/random.h"
#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STREAM = 0x6c6576,
    MOST_RUNS = 4,
    MOST_LEARNED = 600, /* answers; memory and time grow with their square */
    FEWEST = 10,
    POINTS = 6, /* shares of right labels at which the score is looked at */
    SURES = 4   /* and how sure a submission is of its labels */
};

typedef struct game game;
typedef struct {
    const char *name;
    int is_pooled;
    /* The next submission for this account, into g->next; needed[]: right labels for the next level, by how sure it is.
     * What is returned is how sure. */
    int (*choose)(game *g, long account);
    int is_single; /* it differs from the last one in one row */
} style;

typedef struct {
    ll_curator *curator;
    long level, asked, shown; /* improvements */
} account;

struct game {
    const ll_trial *trial;
    const style *style;
    ll_count_posterior posterior;
    int32_t *truth, *predicted;
    signed char *certain; /* -1: not known */
    uint64_t *next, *drawn, *shuffled;
    double *rows; /* probabilities of class 1 */
    double *odds, *chances;
    double sures[SURES], scores[SURES][POINTS];
    account *accounts;
    long account_count, each; /* answers per account */
    long row;                 /* that changed last */
    uint64_t seed, counter;
};

/* ---- levels as numbers of right labels ---- */

static double turned(const game *g, double score)
{
    return ll_release_is_better_high(&g->trial->scorer->release) ? -score : score;
}

/* Scores of submissions with so many right labels: they get better from point to point. */
static double share_at(const game *g, long point)
{
    double guess = g->trial->channel->guess;
    return guess + (1 - guess) * (double)point / (POINTS - 1);
}

/* The right labels that a level needs of a submission that is so sure; infinity: none has enough. */
static double labels_needed(const game *g, long level, int sure)
{
    const ll_release *r = &g->trial->scorer->release;
    fmpz_t at;
    fmpz_init(at);
    ll_levels_get(&r->levels, at, level);
    double goal = fmpz_get_d(at) * ll_exact_get_d(&r->ladder);
    fmpz_clear(at);
    const double *scores = g->scores[sure];
    double rows = (double)g->trial->channel->rows;
    for (long i = 0; i < POINTS - 1; i++)
        if (scores[i + 1] < scores[i] && scores[i + 1] <= goal) {
            double part = (scores[i] - goal) / (scores[i] - scores[i + 1]);
            return rows * (share_at(g, i) + part * (share_at(g, i + 1) - share_at(g, i)));
        }
    return INFINITY;
}

/* How sure to be so that the fewest right labels are enough. */
static int choose_sure(const game *g, long level, double *needed)
{
    int best = 0;
    *needed = labels_needed(g, level, 0);
    for (int s = 1; s < SURES; s++) {
        double other = labels_needed(g, level, s);
        if (other < *needed) {
            *needed = other;
            best = s;
        }
    }
    return best;
}

/* The level of an answer; the old one where it is no number. */
static long level_of(const game *g, const char *text, long old)
{
    const ll_release *r = &g->trial->scorer->release;
    double half = ll_exact_get_d(&r->ladder) / 2, score = turned(g, text[0] != '\0' ? ll_read_double(text, NULL) : 0);
    arf_t x;
    long level = old;
    arf_init(x);
    arf_set_d(x, score - half);
    if (text[0] == '\0' || ll_levels_reached(&r->levels, &level, x, &r->ladder) != LL_OK || level < old)
        level = old;
    arf_clear(x);
    return level;
}

/* ---- what scores mean ---- */

/* `wrong` labels of the hypothetical ones are said wrongly. */
static void say_wrong(game *g, const int32_t *labels, long wrong)
{
    long rows = g->trial->channel->rows;
    memcpy(g->predicted, labels, (size_t)rows * sizeof *labels);
    for (long i = 0; i < wrong; i++) { /* of the rows from i on, one comes next */
        long row = i + (long)ll_random_below(g->seed, STREAM, g->counter++, (uint64_t)(rows - i));
        long at = g->shuffled[row] != 0 ? (long)g->shuffled[row] - 1 : row;
        g->shuffled[row] = (uint64_t)(g->shuffled[i] != 0 ? (long)g->shuffled[i] : i + 1);
        g->predicted[at] = 1 - g->predicted[at];
    }
    memset(g->shuffled, 0, (size_t)rows * sizeof *g->shuffled);
}

static ll_status ask(game *g, ll_curator *curator, int sure, char **text, ll_error *error)
{
    ll_submission submission = {.trial = g->trial, .labels = g->predicted, .sure = g->sures[sure]};
    ll_predictions predictions;
    ll_submission_predictions(&submission, &predictions);
    return ll_trial_ask(curator, text, &predictions, error);
}

/* The attacker knows the metric: scores of hypothetical labels, before they are released. */
static ll_status look_at_scores(game *g, ll_error *error)
{
    const ll_channel *c = g->trial->channel;
    ll_scorer *plain = NULL;
    ll_curator *curator = NULL;
    int32_t *labels = malloc((size_t)c->rows * sizeof *labels);
    if (labels == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labels", c->rows);
    ll_labels_draw(labels, g->trial->scorer, c->rows, c->classes, g->seed, STREAM + 1);
    ll_status status = ll_scorer_vary(&plain, g->trial->scorer, error, "release", "plain", "start", (char *)NULL,
                                      "noise", "none", "decimals", "none", "digits", (char *)NULL, (char *)NULL);
    if (status == LL_OK)
        status = ll_curator_create(&curator, plain, labels, c->rows, error);
    for (int s = 0; s < SURES; s++)
        for (long i = 0; i < POINTS && status == LL_OK; i++) {
            char *text = NULL;
            say_wrong(g, labels, (long)((1 - share_at(g, i)) * (double)c->rows));
            status = ask(g, curator, s, &text, error);
            g->scores[s][i] = status == LL_OK && text[0] != '\0' ? turned(g, ll_read_double(text, NULL)) : NAN;
            free(text);
        }
    ll_curator_destroy(curator);
    ll_scorer_destroy(plain);
    free(labels);
    return status;
}

/* ---- the next submission ---- */

static void set_bit(uint64_t *words, long i, int value)
{
    words[i / 64] = (words[i / 64] & ~(UINT64_C(1) << (i % 64))) | (uint64_t)value << (i % 64);
}

static double logit(double p)
{
    return log(p / (1 - p));
}

/* What is known of the rows as odds, and what labels are drawn with. */
static void weigh_rows(game *g)
{
    ll_count_posterior_rows(&g->posterior, g->rows);
    for (long i = 0; i < g->posterior.rows; i++) {
        g->odds[i] = logit(fmin(0.999, fmax(0.001, g->rows[i])));
        g->chances[i] = logit(ll_random_uniform(g->seed, STREAM + 2, g->counter++));
    }
}

/* Labels drawn by their odds to the power `trust`: 0 is a random submission, a large one the best guess. */
static void draw_labels(game *g, double trust)
{
    for (long i = 0; i < g->posterior.rows; i++)
        set_bit(g->drawn, i, g->chances[i] < trust * g->odds[i]);
}

/* How far the odds are from even ones. */
static double spread_of_odds(const game *g)
{
    double sum = 0;
    for (long i = 0; i < g->posterior.rows; i++)
        sum += g->odds[i] * g->odds[i];
    return sqrt(sum / (double)g->posterior.rows);
}

/* In a random staircase each of the answers and levels that are left comes next with the same probability. */
static double wanted_chance(const game *g, const account *a)
{
    double levels = (double)(g->trial->scorer->release.levels.count - a->level), answers = (double)(g->each - a->asked);
    return fmin(0.5, fmax(0.02, levels / (levels + answers)));
}

static int choose_block(game *g, long index)
{
    static const double trusts[] = {0, 0.25, 0.5, 1, 2, 4, 16};
    const account *a = &g->accounts[index];
    double needed, best = INFINITY, unit, wanted = wanted_chance(g, a);
    int sure = choose_sure(g, a->level + 1, &needed);
    weigh_rows(g);
    unit = spread_of_odds(g);
    for (size_t i = 0; i < sizeof trusts / sizeof trusts[0] && (i == 0 || unit > 0); i++) {
        double mean, variance;
        draw_labels(g, i == 0 ? 0 : trusts[i] / unit);
        ll_count_posterior_look(&g->posterior, g->drawn, &mean, &variance);
        double distance = fabs(ll_gaussian_above(mean, variance, needed - 0.5) - wanted);
        if (distance < best) {
            best = distance;
            memcpy(g->next, g->drawn, (size_t)g->posterior.words * sizeof *g->next);
        }
    }
    return sure;
}

/* The first submission is random. */
static int choose_row(game *g, long index)
{
    const account *a = &g->accounts[index];
    double needed;
    long rows = g->posterior.rows;
    for (long i = 0; i < rows && a->asked == 0; i++)
        set_bit(g->next, i, (int)ll_random_below(g->seed, STREAM + 3, g->counter++, 2));
    g->row = a->asked == 0 ? -1 : (a->asked - 1) % rows;
    if (g->row >= 0)
        set_bit(g->next, g->row, !(g->next[g->row / 64] >> (g->row % 64) & 1));
    return choose_sure(g, a->level + 1, &needed);
}

/* ---- a game ---- */

/* Where one label is one step of the count, a level that is crossed by one row is met exactly. */
static int is_exact(const game *g)
{
    const ll_channel *c = g->trial->channel;
    return g->style->is_single && g->row >= 0 && c->is_linear && c->is_sum;
}

static void learn(game *g, account *a, long level, int sure)
{
    double low = level > a->level ? labels_needed(g, level, sure) - 0.5 : -INFINITY;
    double high = level < g->trial->scorer->release.levels.count ? labels_needed(g, level + 1, sure) - 0.5 : INFINITY;
    if (level > a->level && is_exact(g)) {
        g->certain[g->row] = (signed char)(g->next[g->row / 64] >> (g->row % 64) & 1);
        high = fmin(high, ceil(low) + 0.5);
    }
    if (isfinite(low) || isfinite(high))
        ll_count_posterior_learn(&g->posterior, g->next, isnan(low) ? -INFINITY : low, high);
    a->shown += level > a->level;
    a->level = level;
}

static int is_over(const game *g, const account *a)
{
    const ll_release *r = &g->trial->scorer->release;
    return a->asked >= g->each || a->level >= r->levels.count || (r->improvements > 0 && a->shown >= r->improvements);
}

/* The lowest staircase that is not over; -1: there is none. */
static long choose_account(const game *g)
{
    long best = -1;
    for (long i = 0; i < g->account_count; i++)
        if (!is_over(g, &g->accounts[i]) && (best < 0 || g->accounts[i].level < g->accounts[best].level))
            best = i;
    return best;
}

static ll_status play(game *g, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i; (i = choose_account(g)) >= 0 && g->posterior.count < g->posterior.most && status == LL_OK;) {
        account *a = &g->accounts[i];
        char *text = NULL;
        if (ll_trial_is_stopped(g->trial))
            return LL_UNABLE;
        int sure = g->style->choose(g, i);
        for (long row = 0; row < g->posterior.rows; row++)
            g->predicted[row] = (int32_t)(g->next[row / 64] >> (row % 64) & 1);
        status = ask(g, a->curator, sure, &text, error);
        a->asked++;
        if (status == LL_OK)
            learn(g, a, level_of(g, text, a->level), sure);
        free(text);
    }
    return status;
}

static double right_share(game *g)
{
    long rows = g->posterior.rows, right = 0;
    ll_count_posterior_rows(&g->posterior, g->rows);
    for (long i = 0; i < rows; i++) {
        int32_t read = g->certain[i] >= 0  ? g->certain[i]
                       : g->rows[i] == 0.5 ? (int32_t)g->trial->channel->guess_class
                                           : g->rows[i] > 0.5;
        right += read == g->truth[i];
    }
    return (double)right / (double)rows;
}

/* ---- runs ---- */

static long count_accounts(const ll_channel *c, const style *s)
{
    return s->is_pooled ? (long)c->stairs.accounts : 1;
}

/* Answers that one game takes, so that it takes no longer than other attacks do. */
static double count_answers(const ll_trial *t, const style *s)
{
    const ll_channel *c = t->channel;
    double each = c->stairs.is_leaderboard ? c->queries : ceil(c->queries / c->stairs.accounts);
    double asked = fmin(each * (double)count_accounts(c, s), MOST_LEARNED), rows = (double)c->rows;
    double most = LL_TRIAL_WORK / 2 / rows, half = 32 * c->cost; /* asked (cost + asked/64) = most */
    return floor(fmin(asked, sqrt(half * half + 64 * most) - half));
}

static double work(const ll_trial *t, const style *s)
{
    const ll_channel *c = t->channel;
    double asked = count_answers(t, s);
    if (!ll_release_has_levels(&t->scorer->release) || c->classes != 2 || c->numbers > 0 || !ll_trial_rows_alike(t) ||
        c->is_numeric || asked < fmin(FEWEST, c->queries))
        return 0;
    if (s->is_pooled && (c->stairs.is_leaderboard || !(c->stairs.accounts > 1)))
        return 0;
    return (double)c->rows * (asked * (c->cost + asked / 64) + SURES * POINTS * c->cost);
}

static ll_status allocate(game *g, ll_error *error)
{
    size_t rows = (size_t)g->trial->channel->rows, words = (rows + 63) / 64;
    g->truth = calloc(rows, sizeof *g->truth);
    g->predicted = calloc(rows, sizeof *g->predicted);
    g->certain = malloc(rows);
    g->rows = calloc(3 * rows, sizeof *g->rows);
    g->next = calloc(words, sizeof *g->next);
    g->drawn = calloc(words, sizeof *g->drawn);
    g->shuffled = calloc(rows, sizeof *g->shuffled);
    g->accounts = calloc((size_t)g->account_count, sizeof *g->accounts);
    if (!g->truth || !g->predicted || !g->certain || !g->rows || !g->next || !g->drawn || !g->shuffled || !g->accounts)
        return ll_fail(error, LL_MEMORY, "no memory to climb with %ld rows", g->trial->channel->rows);
    memset(g->certain, -1, rows);
    g->odds = g->rows + rows;
    g->chances = g->odds + rows;
    return LL_OK;
}

static void game_clear(game *g)
{
    for (long i = 0; i < g->account_count && g->accounts != NULL; i++)
        ll_curator_destroy(g->accounts[i].curator);
    free(g->truth);
    free(g->predicted);
    free(g->certain);
    free(g->rows);
    free(g->next);
    free(g->drawn);
    free(g->shuffled);
    free(g->accounts);
    ll_count_posterior_clear(&g->posterior);
}

static ll_status game_init(game *g, const ll_trial *t, const style *s, uint64_t run, ll_error *error)
{
    const ll_channel *c = t->channel;
    double sure = ll_channel_sure(c), asked = count_answers(t, s);
    *g = (game){.trial = t, .style = s, .account_count = count_accounts(c, s), .row = -1, .seed = t->seed + run};
    g->each = (long)ceil(asked / (double)g->account_count);
    for (int i = 0; i < SURES; i++) /* sure, and less and less so */
        g->sures[i] = i == 0 ? sure : 0.5 + (sure - 0.5) * pow(0.4, i);
    ll_status status =
        ll_count_posterior_init(&g->posterior, c->rows, (long)asked, ll_label_share(t->scorer, 2, 1), error);
    if (status == LL_OK)
        status = allocate(g, error);
    if (status == LL_OK) {
        ll_trial_labels(t, g->truth, run);
        status = look_at_scores(g, error);
    }
    for (long i = 0; i < g->account_count && status == LL_OK; i++)
        status = ll_curator_create(&g->accounts[i].curator, t->scorer, g->truth, c->rows, error);
    return status;
}

static ll_status run(const ll_trial *t, ll_tried *out, const style *s, ll_error *error)
{
    double shares[MOST_RUNS];
    long runs = ll_trial_runs(t, work(t, s), 1, MOST_RUNS);
    ll_status status = LL_OK;
    for (long i = 0; i < runs && status == LL_OK; i++) {
        game g;
        status = game_init(&g, t, s, (uint64_t)i, error);
        if (status == LL_OK)
            status = play(&g, error);
        if (status == LL_OK)
            shares[i] = right_share(&g);
        game_clear(&g);
    }
    if (status == LL_OK)
        ll_tried_set(out, s->name, shares, runs, t->channel->rows);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}

/* ---- the kinds ---- */

static const style blocks = {"best blocks", 0, choose_block, 0}, one_row = {"one row", 0, choose_row, 1},
                   pooled = {"pooled accounts", 1, choose_block, 0};

double ll_best_blocks_work(const ll_trial *t)
{
    return work(t, &blocks);
}

ll_status ll_best_blocks_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    return run(t, out, &blocks, error);
}

double ll_one_row_work(const ll_trial *t)
{
    return work(t, &one_row);
}

ll_status ll_one_row_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    return run(t, out, &one_row, error);
}

double ll_pooled_work(const ll_trial *t)
{
    return work(t, &pooled);
}

ll_status ll_pooled_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    return run(t, out, &pooled, error);
}
