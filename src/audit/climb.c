/* Reading a Ladder. Labels of a submission are changed, one row after the other or some at random, and what the Ladder
 * answers anew is kept: an answer that moves says that the change was right. The first answer of all is a plain score,
 * rounded to the step: a code for so much noise reads it.
 *
 * Which number of rows to change at once is found with sums of labels, then that climb is run against a curator. */
#include "audit/climb.h"

#include "audit/label_law.h"
#include "audit/trial.h"
#include "number/random.h"
#include "number/text_number.h"
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 500000, CLIMBS = 5, PATIENCE = 6, MOST_RUNS = 4, STREAM = 0x6c6164 };

#define HAIR 0x1p-16

/* ---- one climb ---- */

typedef struct climb climb;
struct climb {
    const ll_channel *channel;
    int32_t *truth, *current;
    long *rows;      /* changed last */
    int32_t *before; /* what they were */
    uint64_t seed, drawn;
    /* Does the submission, which has so many more right labels than the last one kept, move the answer? */
    ll_status (*ask)(climb *self, int *moved, long gain, ll_error *error);
    double score, released, step; /* asked by sums */
    const ll_trial *trial;        /* asked by a curator */
    ll_curator *curator;
    char *answer;
};

static uint64_t draw(climb *w, uint64_t n)
{
    return ll_random_below(w->seed, STREAM, w->drawn++, n);
}

/* Change `count` labels; the change of the number of right ones. */
static long change(climb *w, long count, long first)
{
    long gain = 0;
    for (long i = 0; i < count; i++) {
        long row = count == 1 ? first : (long)draw(w, (uint64_t)w->channel->rows);
        int32_t shift = 1 + (int32_t)draw(w, (uint64_t)w->channel->classes - 1);
        w->rows[i] = row;
        w->before[i] = w->current[row];
        gain -= w->current[row] == w->truth[row];
        w->current[row] = (int32_t)((w->current[row] + shift) % w->channel->classes);
        gain += w->current[row] == w->truth[row];
    }
    return gain;
}

static void undo(climb *w, long count)
{
    for (long i = count - 1; i >= 0; i--)
        w->current[w->rows[i]] = w->before[i];
}

/* The answer shown is rounded, so that one label may stay just short of a step for ever; after some failures in a row
 * two labels are changed at once, then one again, by turns: few wrong labels are seldom found by twos. Where two move
 * the answer, the rows that failed since the last time are tried again. */
static ll_status run_climb(climb *w, long size, double queries, ll_error *error)
{
    const ll_channel *c = w->channel;
    long limit = (long)fmin(queries, (double)MOST_STEPS / (double)size), end = c->rows * (c->classes - 1);
    long next = 0, missed = 0, failures = 0;
    ll_status status = LL_OK;
    for (long q = 0; q < limit && status == LL_OK; q++) {
        if (w->trial != NULL && ll_trial_is_stopped(w->trial))
            return LL_UNABLE;
        int single = size == 1 && next < end && failures / PATIENCE % 2 == 0, moved = 0;
        if (size == 1 && next >= end && (missed == 0 || c->rows == 1 || q >= end * PATIENCE))
            break;
        long count = size > 1 ? size : single || c->rows == 1 ? 1 : 2, gain = change(w, count, next % c->rows);
        status = w->ask(w, &moved, gain, error);
        next += moved && !single ? -missed : single;
        missed = moved ? 0 : missed + single;
        failures = moved ? 0 : failures + 1;
        if (!moved)
            undo(w, count);
    }
    return status;
}

static double right_share(const climb *w)
{
    long right = 0;
    for (long i = 0; i < w->channel->rows; i++)
        right += w->current[i] == w->truth[i];
    return (double)right / (double)w->channel->rows;
}

/* ---- by sums ---- */

/* A new best, rounded to the step, where it beats the old one by a step: or by a hair less, since the sensitivity is
 * rounded up and a step may be just one label. */
static ll_status ask_sums(climb *w, int *moved, long gain, ll_error *error)
{
    double score = w->score - w->channel->sensitivity * (double)gain;
    (void)error;
    *moved = score <= w->released - w->step * (1 - HAIR);
    if (*moved) {
        w->score = score;
        w->released = w->step * rint(score / w->step);
    }
    return LL_OK;
}

/* Rows to change at once. n rows move the score by chance as sqrt(n) labels do; a step is worth `needed` of them. */
static long change_size(const ll_channel *c, double step, int size)
{
    double needed = step / c->sensitivity, most = fmax(1, needed * needed * 2);
    double rows = ceil(needed) * pow(fmax(1, most / ceil(needed)), (double)size / (CLIMBS - 1));
    return (long)fmax(1, fmin((double)c->rows / 2, rows));
}

static int32_t guessed_class(const ll_channel *c)
{
    return (int32_t)c->guess_class;
}

static ll_status climb_by_sums(climb *w, long size, double queries, ll_error *error)
{
    const ll_channel *c = w->channel;
    for (long i = 0; i < c->rows; i++)
        w->current[i] = guessed_class(c);
    w->score = c->sensitivity * (double)c->rows * (1 - right_share(w));
    w->released = w->step * rint(w->score / w->step); /* the first answer is rounded, too */
    w->ask = ask_sums;
    return run_climb(w, size, queries - 1, error);
}

/* ---- by a curator ---- */

static ll_status ask_curator(climb *w, int *moved, long gain, ll_error *error)
{
    char *text;
    ll_submission submission = {.trial = w->trial, .labels = w->current, .sure = ll_channel_sure(w->channel)};
    ll_predictions predictions;
    (void)gain;
    ll_submission_predictions(&submission, &predictions);
    ll_status status = ll_trial_ask(w->curator, &text, &predictions, error);
    if (status != LL_OK)
        return status;
    *moved = text[0] != '\0' && (w->answer == NULL || strcmp(text, w->answer) != 0);
    if (*moved) {
        free(w->answer);
        w->answer = text;
    } else {
        free(text);
    }
    return LL_OK;
}

static ll_status climb_by_curator(climb *w, long size, double queries, ll_error *error)
{
    int moved;
    for (long i = 0; i < w->channel->rows; i++)
        w->current[i] = guessed_class(w->channel);
    w->ask = ask_curator;
    w->answer = NULL;
    ll_status status = ll_curator_create(&w->curator, w->trial->scorer, w->truth, w->channel->rows, error);
    if (status != LL_OK)
        return status;
    status = ask_curator(w, &moved, 0, error);
    if (status == LL_OK)
        status = run_climb(w, size, queries - 1, error);
    ll_curator_destroy(w->curator);
    free(w->answer);
    return status;
}

/* ---- shares ---- */

static ll_status climb_init(climb *w, const ll_channel *c, const ll_scorer *scorer, uint64_t seed, ll_error *error)
{
    size_t count = (size_t)c->rows;
    *w = (climb){.channel = c, .seed = seed};
    w->rows = malloc((count + 2) * sizeof *w->rows);
    w->before = malloc((count + 2) * sizeof *w->before);
    w->truth = calloc(count, sizeof *w->truth);
    w->current = calloc(count, sizeof *w->current);
    if (w->rows == NULL || w->before == NULL || w->truth == NULL || w->current == NULL)
        return ll_fail(error, LL_MEMORY, "no memory to simulate %ld rows", c->rows);
    ll_labels_draw(w->truth, scorer, c->rows, c->classes, seed, STREAM + 1);
    return LL_OK;
}

static void climb_clear(climb *w)
{
    free(w->rows);
    free(w->before);
    free(w->truth);
    free(w->current);
}

ll_status ll_climb_forecast(const ll_channel *c, const ll_scorer *scorer, double *share, long *size, double step,
                            double queries, uint64_t seed, ll_error *error)
{
    climb w;
    *share = c->guess;
    *size = 1;
    if (!isfinite(c->sensitivity) || !(c->sensitivity > 0) || !isfinite(queries) || step <= 0)
        return LL_OK;
    ll_status status = climb_init(&w, c, scorer, seed, error);
    w.step = step;
    for (int i = 0; i < CLIMBS && status == LL_OK; i++) {
        long rows = change_size(c, step, i);
        status = climb_by_sums(&w, rows, queries, error);
        if (status == LL_OK && right_share(&w) > *share) {
            *share = right_share(&w);
            *size = rows;
        }
    }
    climb_clear(&w);
    return status;
}

static double climb_work(const ll_channel *c)
{
    double most = fmin(c->queries, (double)c->rows * ((double)c->classes - 1) * PATIENCE);
    return c->ladder > 0 ? (double)c->rows * most * c->cost : 0;
}

double ll_climb_work(const ll_trial *t)
{
    return climb_work(t->channel);
}

ll_status ll_climb_share(double *out, const ll_channel *c, const ll_scorer *scorer, uint64_t seed, ll_error *error)
{
    double share;
    long size;
    ll_tried seen;
    *out = c->guess;
    if (climb_work(c) <= LL_TRIAL_WORK)
        return LL_OK;
    ll_status status =
        ll_climb_forecast(c, scorer, &share, &size, c->ladder, fmin(c->queries, MOST_STEPS), seed, error);
    ll_tried_set(&seen, "climbing", &share, 1, c->rows);
    if (status == LL_OK)
        *out = ll_tried_share(&seen, 1, c->guess);
    return status;
}

ll_status ll_climb_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    const ll_channel *c = t->channel;
    double shares[MOST_RUNS], share, most = fmin(c->queries, MOST_STEPS);
    long size, runs = ll_trial_runs(t, ll_climb_work(t), 2, MOST_RUNS);
    ll_status status = ll_climb_forecast(c, t->scorer, &share, &size, c->ladder, most, t->seed, error);
    for (long run = 0; run < runs && status == LL_OK; run++) {
        climb w;
        status = climb_init(&w, c, t->scorer, t->seed + 1 + (uint64_t)run, error);
        w.trial = t;
        if (status == LL_OK)
            status = ll_trial_is_stopped(t) ? LL_UNABLE : climb_by_curator(&w, size, most, error);
        shares[run] = status == LL_OK ? right_share(&w) : 0;
        climb_clear(&w);
    }
    if (status == LL_OK)
        ll_tried_set(out, "climbing", shares, runs, c->rows);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}

/* ---- the first answer ---- */

double ll_first_answer_work(const ll_trial *t)
{
    return t->channel->ladder > 0 ? (double)t->channel->rows * 16 : 0;
}

/* Rounding to a step is noise of half a step; a hair more, since noise is below its bound. */
static ll_status vary_to_first(ll_scorer **out, const ll_trial *t, ll_error *error)
{
    char noise[64];
    double tau = t->channel->noise != NULL && !t->channel->noise->is_random ? t->channel->noise_size : 0;
    (void)ll_print(noise, sizeof noise, "bounded:%.17g", (tau + t->channel->ladder / 2) * (1 + 0x1p-40));
    return ll_scorer_vary(out, t->scorer, error, "release", "plain", "noise", noise, "queries", "1", (char *)NULL);
}

ll_status ll_first_answer_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    double share, certain;
    ll_plan *plan = NULL;
    ll_scorer *first = NULL;
    ll_plan_request request = *t->request;
    request.code = NULL;
    ll_status status = vary_to_first(&first, t, error);
    if (status == LL_OK)
        status = ll_plan_create(&plan, first, &request, error);
    if (status == LL_OK)
        status = ll_trial_plan(t, plan, &share, &certain, 0, error);
    ll_plan_destroy(plan);
    ll_scorer_destroy(first);
    if (status == LL_OK)
        ll_tried_set(out, "first answer", &share, 1, t->channel->rows);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}
