/* One row at a time: an attack that needs nothing but answers (docs/proofs/designs.md). A first submission says a random
 * label in every row; each further one says the other label in one row, and the answer is better where that was right.
 * It reads one label per submission wherever one row moves the text of the score, whatever the metric is. A sample of
 * rows is tried; the others do as well on average. */
#include "audit/trial.h"

#include "number/random.h"
#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>

enum { STREAM = 0x726f77, MOST_SAMPLED = 64, FEWEST_SAMPLED = 12 };
/* Rows x submissions that the sample may take. */
#define SAMPLE_WORK 1.5e6

static long count_sampled(const ll_channel *c)
{
    double cost = (double)c->rows * c->cost + LL_TRIAL_ANSWER;
    return (long)fmin(fmin(MOST_SAMPLED, (double)c->rows), SAMPLE_WORK / cost);
}

/* Does a plan read for certain what this could at most? */
static int is_beaten(const ll_trial *t)
{
    const ll_plan_choice *code = t->code;
    return t->channel->is_sum && code != NULL && code->guarantee == LL_CERTIFIED &&
           (double)code->recovered >= fmin(t->channel->queries - 1, (double)t->channel->rows);
}

double ll_row_by_row_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    if (is_beaten(t) || c->classes != 2 || c->numbers > 0 || c->noise != NULL ||
        ll_release_is_history(&t->scorer->release) || !(c->queries >= 2) ||
        count_sampled(c) < fmin(FEWEST_SAMPLED, (double)c->rows))
        return 0;
    return ll_trial_work(c, (double)count_sampled(c) + 1, c->cost);
}

/* +1: the second text is the better score; -1: the worse; 0: they are the same, or one is none. */
static int compare(const ll_trial *t, const char *before, const char *after)
{
    if (before[0] == '\0' || after[0] == '\0')
        return 0;
    double step = ll_read_double(after, NULL) - ll_read_double(before, NULL);
    if (step == 0)
        return 0;
    return (step > 0) == (ll_release_is_better_high(&t->scorer->release) != 0) ? 1 : -1;
}

/* How many of the sampled rows get their label; where nothing moves, the likelier one. */
static ll_status try_rows(const ll_trial *t, ll_curator *curator, const int32_t *truth, int32_t *predicted,
                          long sampled, long *right, ll_error *error)
{
    ll_submission submission = {.trial = t, .labels = predicted, .sure = ll_channel_sure(t->channel)};
    ll_predictions predictions;
    char *start = NULL;
    ll_submission_predictions(&submission, &predictions);
    ll_status status = ll_trial_ask(curator, &start, &predictions, error);
    for (long j = 0; j < sampled && status == LL_OK; j++) {
        long row = j * (t->channel->rows / sampled);
        char *text = NULL;
        predicted[row] = 1 - predicted[row];
        status = ll_trial_ask(curator, &text, &predictions, error);
        int step = status == LL_OK ? compare(t, start, text) : 0;
        int32_t label = step > 0 ? predicted[row] : step < 0 ? 1 - predicted[row] : (int32_t)t->channel->guess_class;
        *right += label == truth[row];
        predicted[row] = 1 - predicted[row];
        free(text);
    }
    free(start);
    return status;
}

ll_status ll_row_by_row_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    const ll_channel *c = t->channel;
    ll_curator *curator = NULL;
    ll_scorer *endless = NULL; /* the sample is no attack: it may take more than the limit */
    long sampled = count_sampled(c), right = 0;
    int32_t *truth = malloc(sizeof *truth * (size_t)c->rows), *predicted = malloc(sizeof *predicted * (size_t)c->rows);
    ll_status status = truth && predicted ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld labels", c->rows);
    if (status == LL_OK) {
        ll_trial_labels(t, truth, 0);
        for (long i = 0; i < c->rows; i++)
            predicted[i] = (int32_t)ll_random_below(t->seed, STREAM, (uint64_t)i, 2);
        status = ll_scorer_vary(&endless, t->scorer, error, "queries", (char *)NULL, (char *)NULL);
    }
    if (status == LL_OK)
        status = ll_curator_create(&curator, endless, truth, c->rows, error);
    if (status == LL_OK)
        status = try_rows(t, curator, truth, predicted, sampled, &right, error);
    ll_curator_destroy(curator);
    ll_scorer_destroy(endless);
    free(truth);
    free(predicted);
    if (status != LL_OK)
        return status == LL_MEMORY ? status : LL_UNABLE;
    double asked = fmin(1, (c->queries - 1) / (double)c->rows), read = (double)right / (double)sampled;
    double spread = fmax(read * (1 - read), 1 / ((double)sampled + 2)) / (double)sampled;
    *out = (ll_tried){.attack = "row by row",
                      .runs = sampled,
                      .share = asked * read + (1 - asked) * c->guess,
                      .error = asked * sqrt(spread)};
    return LL_OK;
}
