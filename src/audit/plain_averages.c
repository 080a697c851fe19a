/* An attack that needs no plan and no decoder: submissions that say a random label in every row, and for each row and
 * label the mean of the answers to those that said it. Scores are better where the label was right. It takes rows x
 * queries steps under any noise, so it is what large settings are tried with. */
#include "audit/trial.h"

#include "audit/label_law.h"
#include "number/random.h"
#include "number/text_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STREAM = 0x706c61, MOST_RUNS = 32, FEWEST = 8 };

typedef struct {
    const ll_trial *trial;
    long rows, classes, queries;
    int32_t *truth, *said;
    double *sums;          /* [row * classes + label]: of the answers */
    double *times;         /* how often it was said */
    double mean, variance; /* of all answers */
} averages;

static void clear(averages *a)
{
    free(a->truth);
    free(a->said);
    free(a->sums);
    free(a->times);
}

static ll_status init(averages *a, const ll_trial *t, ll_error *error)
{
    const ll_channel *c = t->channel;
    size_t rows = (size_t)c->rows, cells = rows * (size_t)c->classes;
    *a = (averages){.trial = t, .rows = c->rows, .classes = c->classes, .queries = (long)c->queries};
    a->truth = malloc(sizeof *a->truth * rows);
    a->said = malloc(sizeof *a->said * rows);
    a->sums = malloc(sizeof *a->sums * cells);
    a->times = malloc(sizeof *a->times * cells);
    if (a->truth && a->said && a->sums && a->times)
        return LL_OK;
    clear(a);
    return ll_fail(error, LL_MEMORY, "no memory for averages");
}

static void begin(averages *a, uint64_t run)
{
    a->mean = a->variance = 0;
    ll_trial_labels(a->trial, a->truth, run);
    for (long i = 0; i < a->rows * a->classes; i++)
        a->sums[i] = a->times[i] = 0;
}

static void take(averages *a, double answer, long query)
{
    double off = answer - a->mean;
    a->mean += off / (double)(query + 1);
    a->variance += off * (answer - a->mean);
    for (long i = 0; i < a->rows; i++) {
        a->sums[i * a->classes + a->said[i]] += answer;
        a->times[i * a->classes + a->said[i]] += 1;
    }
}

static ll_status ask_all(averages *a, ll_curator *curator, uint64_t run, ll_error *error)
{
    ll_submission submission = {.trial = a->trial, .labels = a->said, .sure = ll_channel_sure(a->trial->channel)};
    ll_predictions predictions;
    ll_status status = LL_OK;
    ll_submission_predictions(&submission, &predictions);
    for (long q = 0; q < a->queries && status == LL_OK; q++) {
        char *text = NULL;
        for (long i = 0; i < a->rows; i++)
            a->said[i] =
                (int32_t)ll_random_below(a->trial->seed + run, STREAM + (uint64_t)q, (uint64_t)i, (uint64_t)a->classes);
        status = ll_trial_ask(curator, &text, &predictions, error);
        if (status == LL_OK && text[0] == '\0')
            status = LL_UNABLE;
        if (status == LL_OK)
            take(a, ll_read_double(text, NULL), q);
        free(text);
    }
    return status;
}

/* How far the mean answer to this label is from the mean of all, better being positive. */
static double lead(const averages *a, long row, long label)
{
    double times = a->times[row * a->classes + label];
    double lead = times > 0 ? a->sums[row * a->classes + label] / times - a->mean : 0;
    return ll_release_is_better_high(&a->trial->scorer->release) ? lead : -lead;
}

static double prior_of(const averages *a, long label)
{
    return fmax(ll_label_share(a->trial->scorer, a->classes, label), 1e-12);
}

/* Leads are normal with the noise of a mean of so many answers, and a right label's is larger by a common step, which
 * their variance shows: each counts step / noise^2 times against the prior. */
static double evidence(const averages *a)
{
    double noise = a->variance / (double)a->queries * (double)a->classes / (double)a->queries, square = 0;
    for (long i = 0; i < a->rows; i++)
        for (long k = 0; k < a->classes; k++)
            square += lead(a, i, k) * lead(a, i, k) / (double)(a->rows * a->classes);
    double share = 1 / (double)a->classes, step = sqrt(fmax(square - noise * (1 - share), 0) / (share * (1 - share)));
    return noise > 0 ? step / noise : 0;
}

static double share_right(const averages *a)
{
    double each = evidence(a);
    long right = 0;
    for (long i = 0; i < a->rows; i++) {
        long best = a->trial->channel->guess_class;
        for (long k = 0; k < a->classes; k++)
            if (log(prior_of(a, k)) + each * lead(a, i, k) > log(prior_of(a, best)) + each * lead(a, i, best))
                best = k;
        right += best == a->truth[i];
    }
    return (double)right / (double)a->rows;
}

static ll_status run_once(averages *a, double *share, uint64_t run, ll_error *error)
{
    char seed[32];
    ll_scorer *own = NULL;
    ll_curator *curator = NULL;
    begin(a, run);
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)(a->trial->seed + run));
    ll_status status = ll_scorer_vary(&own, a->trial->scorer, error, "seed", seed, (char *)NULL);
    if (status == LL_OK)
        status = ll_curator_create(&curator, own, a->truth, a->rows, error);
    if (status == LL_OK)
        status = ask_all(a, curator, run, error);
    *share = status == LL_OK ? share_right(a) : 0;
    ll_curator_destroy(curator);
    ll_scorer_destroy(own);
    return status;
}

double ll_averages_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    if (c->ladder > 0 || !isfinite(c->queries) || c->queries < FEWEST)
        return 0;
    return ll_trial_work(c, c->queries, c->cost);
}

ll_status ll_averages_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    averages a;
    double shares[MOST_RUNS];
    long runs = ll_trial_runs(ll_averages_work(t), 1, MOST_RUNS);
    ll_status status = init(&a, t, error);
    if (status != LL_OK)
        return status;
    for (long run = 0; run < runs && status == LL_OK; run++)
        status = ll_trial_is_stopped(t) ? LL_UNABLE : run_once(&a, &shares[run], (uint64_t)run, error);
    if (status == LL_OK)
        ll_tried_set(out, "averages", shares, runs, a.rows);
    clear(&a);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}
