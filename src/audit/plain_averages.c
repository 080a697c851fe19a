/* An attack that needs no plan and no decoder: submissions that say a random label in every row, and for each row and
 * label the mean of the answers to those that said it. Scores are better where the label was right; of several numbers
 * each says so. It takes rows x queries steps under any noise, so it is what large settings are tried with. */
#include "audit/trial.h"

#include "audit/label_law.h"
#include "curator/curator.h"
#include "number/random.h"
#include "number/text_number.h"
#include "scorer/several.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STREAM = 0x706c61, MOST_RUNS = 32, FEWEST = 8, MOST_NUMBERS = 16 };

/* One number of an answer. */
typedef struct {
    const ll_scorer *scorer;
    double *sums;          /* [row * classes + label]: of the answers */
    double mean, variance; /* of all answers */
} seen;

typedef struct {
    const ll_trial *trial;
    long rows, classes, numbers;
    long queries, answers; /* submissions, and those of them that were answered */
    int32_t *truth, *predicted;
    seen *seen;    /* number by number */
    double *times; /* [row * classes + label]: how often it was said */
    double *odds;  /* [row * classes + label]: logarithms, up to a constant of the row */
} averages;

static void clear(averages *a)
{
    for (long j = 0; a->seen != NULL && j < a->numbers; j++)
        free(a->seen[j].sums);
    free(a->truth);
    free(a->predicted);
    free(a->seen);
    free(a->times);
    free(a->odds);
}

static ll_status init(averages *a, const ll_trial *t, ll_error *error)
{
    const ll_channel *c = t->channel;
    size_t rows = (size_t)c->rows, cells = rows * (size_t)c->classes;
    long numbers = ll_scorer_count_numbers(t->scorer);
    *a =
        (averages){.trial = t, .rows = c->rows, .classes = c->classes, .queries = (long)c->queries, .numbers = numbers};
    a->truth = malloc(sizeof *a->truth * rows);
    a->predicted = malloc(sizeof *a->predicted * rows);
    a->times = malloc(sizeof *a->times * cells);
    a->odds = malloc(sizeof *a->odds * cells);
    a->seen = calloc((size_t)numbers, sizeof *a->seen);
    int have = a->truth && a->predicted && a->times && a->odds && a->seen;
    for (long j = 0; j < numbers && have; j++) {
        a->seen[j].scorer = ll_scorer_get_number(t->scorer, j);
        a->seen[j].sums = malloc(sizeof *a->seen[j].sums * cells);
        have = a->seen[j].sums != NULL;
    }
    if (have)
        return LL_OK;
    clear(a);
    return ll_fail(error, LL_MEMORY, "no memory for averages");
}

static void begin(averages *a, uint64_t run)
{
    ll_trial_labels(a->trial, a->truth, run);
    a->answers = 0;
    for (long i = 0; i < a->rows * a->classes; i++)
        a->times[i] = 0;
    for (long j = 0; j < a->numbers; j++) {
        a->seen[j].mean = a->seen[j].variance = 0;
        for (long i = 0; i < a->rows * a->classes; i++)
            a->seen[j].sums[i] = 0;
    }
}

static void take(averages *a, seen *s, double answer)
{
    double off = answer - s->mean;
    s->mean += off / (double)a->answers;
    s->variance += off * (answer - s->mean);
    for (long i = 0; i < a->rows; i++)
        s->sums[i * a->classes + a->predicted[i]] += answer;
}

/* A refusal ("") tells nothing here. */
static ll_status take_all(averages *a, const char *text, ll_error *error)
{
    ll_answer answer;
    if (text[0] == '\0')
        return LL_OK;
    ll_status status = ll_answer_split(&answer, a->trial->scorer, text, error);
    if (status != LL_OK)
        return status;
    a->answers++;
    for (long j = 0; j < a->numbers; j++)
        take(a, &a->seen[j], ll_read_double(answer.texts[j], NULL));
    for (long i = 0; i < a->rows; i++)
        a->times[i * a->classes + a->predicted[i]] += 1;
    ll_answer_clear(&answer);
    return LL_OK;
}

static ll_status ask_all(averages *a, ll_curator *curator, uint64_t run, ll_error *error)
{
    ll_submission submission = {.trial = a->trial, .labels = a->predicted, .sure = ll_channel_sure(a->trial->channel)};
    ll_predictions predictions;
    ll_status status = LL_OK;
    ll_submission_predictions(&submission, &predictions);
    for (long q = 0; q < a->queries && status == LL_OK; q++) {
        char *text = NULL;
        for (long i = 0; i < a->rows; i++)
            a->predicted[i] =
                (int32_t)ll_random_below(a->trial->seed + run, STREAM + (uint64_t)q, (uint64_t)i, (uint64_t)a->classes);
        status = ll_trial_ask(curator, &text, &predictions, error);
        if (status == LL_OK)
            status = take_all(a, text, error);
        free(text);
    }
    return status == LL_OK && a->answers == 0 ? LL_UNABLE : status;
}

/* Rows that a number is of: all, or those of a group. */
static long rows_of(const averages *a, const seen *s)
{
    return s->scorer->own_rows != NULL ? s->scorer->rows : a->rows;
}

static long row_of(const seen *s, long i)
{
    return s->scorer->own_rows != NULL ? s->scorer->own_rows[i] : i;
}

/* How far the mean answer to this label is from the mean of all, better being positive. */
static double lead(const averages *a, const seen *s, long cell)
{
    double times = a->times[cell], lead = times > 0 ? s->sums[cell] / times - s->mean : 0;
    return ll_release_is_better_high(&s->scorer->release) ? lead : -lead;
}

/* Leads are normal with the noise of a mean of so many answers, and a right label's is larger by a common step, which
 * their variance shows: each counts step / noise^2 times against the prior. */
static double evidence(const averages *a, const seen *s)
{
    double answers = (double)a->answers, noise = s->variance / answers * (double)a->classes / answers, square = 0;
    long rows = rows_of(a, s);
    for (long i = 0; i < rows; i++)
        for (long k = 0; k < a->classes; k++) {
            double x = lead(a, s, row_of(s, i) * a->classes + k);
            square += x * x / (double)(rows * a->classes);
        }
    double share = 1 / (double)a->classes, step = sqrt(fmax(square - noise * (1 - share), 0) / (share * (1 - share)));
    return noise > 0 ? step / noise : 0;
}

/* What each number says of a row's label adds up: noise is drawn for each apart. */
static void add_number(averages *a, const seen *s)
{
    double each = evidence(a, s);
    for (long i = 0; i < rows_of(a, s); i++)
        for (long k = 0; k < a->classes; k++) {
            long cell = row_of(s, i) * a->classes + k;
            a->odds[cell] += each * lead(a, s, cell);
        }
}

static double share_right(averages *a)
{
    long right = 0;
    for (long i = 0; i < a->rows * a->classes; i++)
        a->odds[i] = log(fmax(ll_label_share(a->trial->scorer, a->classes, i % a->classes), 1e-12));
    for (long j = 0; j < a->numbers; j++)
        add_number(a, &a->seen[j]);
    for (long i = 0; i < a->rows; i++) {
        long best = a->trial->channel->guess_class;
        for (long k = 0; k < a->classes; k++)
            if (a->odds[i * a->classes + k] > a->odds[i * a->classes + best])
                best = k;
        right += best == a->truth[i];
    }
    return (double)right / (double)a->rows;
}

static ll_status run_once(averages *a, double *share, uint64_t run, ll_error *error)
{
    ll_curator *curator = NULL;
    begin(a, run);
    ll_status status =
        ll_curator_create_seeded(&curator, a->trial->scorer, a->truth, a->rows, a->trial->seed + run, error);
    if (status == LL_OK)
        status = ask_all(a, curator, run, error);
    *share = status == LL_OK ? share_right(a) : 0;
    ll_curator_destroy(curator);
    return status;
}

double ll_averages_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    long numbers = ll_scorer_count_numbers(t->scorer);
    if (c->ladder > 0 || c->queries < FEWEST || numbers > MOST_NUMBERS)
        return 0;
    return ll_trial_work(c, c->queries, c->cost) * (double)numbers;
}

ll_status ll_averages_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    averages a;
    double shares[MOST_RUNS];
    long runs = ll_trial_runs(t, ll_averages_work(t), 1, MOST_RUNS);
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
