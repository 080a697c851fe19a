/* Halving: an attack that needs nothing but answers (docs/proofs/designs.md). Every row says the likelier label but for a
 * block of them, which say the other one. A block in which nobody has that label scores least for its size; any other is
 * asked again by halves until the rows are found that have it. Where one label is rare this reads several rows with each
 * submission. As many submissions as the work allows are run; further ones read as many rows each. */
#include "audit/trial.h"

#include "audit/label_law.h"
#include "number/text_number.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_BLOCKS = 8, FEWEST = 16 };
/* Rows x submissions that a run may take, and the largest share of the rarer label that is halved for: of more of them
 * blocks are single rows. */
#define SAMPLE_WORK 1.5e6
#define RARE 0.25

typedef struct {
    const ll_trial *trial;
    ll_curator *curator;
    ll_predictions predictions;
    int32_t *predicted, *truth;
    int32_t likely;
    double start, wrong, tolerance; /* wrong: the least that a row which says the other label adds */
    long asked, most, resolved, right;
} halving;

static double rare_share(const ll_trial *t)
{
    return ll_label_share(t->scorer, t->channel->classes, 1 - t->channel->guess_class);
}

static long count_asked(const ll_channel *c)
{
    return (long)fmin(c->queries - 1, SAMPLE_WORK / ((double)c->rows * c->cost + LL_TRIAL_ANSWER));
}

double ll_halving_work(const ll_trial *t)
{
    const ll_channel *c = t->channel;
    if (c->classes != 2 || c->numbers > 0 || c->noise != NULL || ll_release_is_history(&t->scorer->release) ||
        !(rare_share(t) > 0 && rare_share(t) <= RARE) || count_asked(c) < FEWEST)
        return 0;
    return ll_trial_work(c, (double)count_asked(c) + 1, c->cost);
}

/* ---- questions ---- */

static ll_status ask(halving *h, double *score, ll_error *error)
{
    char *text = NULL;
    ll_status status = ll_trial_ask(h->curator, &text, &h->predictions, error);
    if (status == LL_OK && text[0] == '\0')
        status = LL_UNABLE;
    if (status == LL_OK)
        *score = (ll_release_is_better_high(&h->trial->scorer->release) ? 1 : -1) * ll_read_double(text, NULL);
    free(text);
    return status == LL_OK && !isfinite(*score) ? LL_UNABLE : status;
}

static void say(halving *h, long first, long count, int32_t label)
{
    for (long i = first; i < first + count; i++)
        h->predicted[i] = label;
}

/* What these rows add to the score when they say the other label. */
static ll_status ask_block(halving *h, long first, long count, double *step, ll_error *error)
{
    say(h, first, count, 1 - h->likely);
    ll_status status = ask(h, step, error);
    say(h, first, count, h->likely);
    *step -= h->start;
    h->asked++;
    return status;
}

static void settle(halving *h, long first, long count, int32_t label)
{
    h->resolved += count;
    for (long i = first; i < first + count; i++)
        h->right += h->truth[i] == label;
}

static int is_clean(const halving *h, long count, double step)
{
    return step <= (double)count * h->wrong + h->tolerance;
}

/* ---- halves ---- */

static ll_status search(halving *h, long first, long count, ll_error *error);

/* Some of these rows have the other label. */
static ll_status split(halving *h, long first, long count, ll_error *error)
{
    double step = 0;
    long half = count / 2;
    if (count == 1)
        settle(h, first, 1, 1 - h->likely);
    if (count == 1 || h->asked >= h->most)
        return LL_OK;
    ll_status status = ask_block(h, first, half, &step, error);
    if (status != LL_OK)
        return status;
    if (is_clean(h, half, step)) {
        settle(h, first, half, h->likely);
        return split(h, first + half, count - half, error);
    }
    status = split(h, first, half, error);
    return status == LL_OK ? search(h, first + half, count - half, error) : status;
}

static ll_status search(halving *h, long first, long count, ll_error *error)
{
    double step = 0;
    if (h->asked >= h->most)
        return LL_OK;
    ll_status status = ask_block(h, first, count, &step, error);
    if (status != LL_OK)
        return status;
    if (!is_clean(h, count, step))
        return split(h, first, count, error);
    settle(h, first, count, h->likely);
    return LL_OK;
}

/* The first blocks say what a row adds that is wrong: the least of them has no other one, or nearly never. */
static ll_status learn(halving *h, long block, ll_error *error)
{
    ll_status status = ask(h, &h->start, error);
    h->wrong = INFINITY;
    for (long b = 0; b < FIRST_BLOCKS && (b + 1) * block <= h->trial->channel->rows && status == LL_OK; b++) {
        double step = 0;
        status = ask_block(h, b * block, block, &step, error);
        h->wrong = fmin(h->wrong, step / (double)block);
    }
    h->tolerance = 1.01 * h->trial->channel->grid + 1e-9 * (fabs(h->start) + 1) / (double)h->trial->channel->rows;
    return status;
}

static ll_status attack(halving *h, ll_error *error)
{
    const ll_channel *c = h->trial->channel;
    long block = (long)fmin((double)c->rows, fmax(1, round(M_LN2 / rare_share(h->trial))));
    ll_status status = learn(h, block, error);
    for (long first = 0; first < c->rows && status == LL_OK && h->asked < h->most; first += block)
        status = search(h, first, block < c->rows - first ? block : c->rows - first, error);
    return status;
}

/* ---- the attack ---- */

static void set_share(const halving *h, ll_tried *out)
{
    const ll_channel *c = h->trial->channel;
    double rows = (double)c->rows, resolved = (double)h->resolved, asked = fmax(1, (double)(h->asked - FIRST_BLOCKS));
    double part = fmin(1, resolved / asked * (fmin(c->queries, 0x1p40) - 1 - FIRST_BLOCKS) / rows);
    part = h->resolved == c->rows ? 1 : part;
    double read = resolved > 0 ? (double)h->right / resolved : c->guess;
    double spread = fmax(read * (1 - read), 1 / (resolved + 2)) / fmax(1, resolved);
    *out = (ll_tried){
        .attack = "halving", .runs = 1, .share = part * read + (1 - part) * c->guess, .error = part * sqrt(spread)};
}

ll_status ll_halving_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    const ll_channel *c = t->channel;
    size_t size = sizeof(int32_t) * (size_t)c->rows;
    ll_scorer *endless = NULL;
    halving h = {.trial = t, .likely = (int32_t)c->guess_class, .most = count_asked(c)};
    h.predicted = malloc(size);
    h.truth = malloc(size);
    ll_status status = h.predicted && h.truth ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for %ld labels", c->rows);
    if (status == LL_OK)
        status = ll_scorer_vary(&endless, t->scorer, error, "queries", (char *)NULL, (char *)NULL);
    if (status == LL_OK) {
        ll_trial_labels(t, h.truth, 0);
        say(&h, 0, c->rows, h.likely);
        status = ll_curator_create(&h.curator, endless, h.truth, c->rows, error);
    }
    ll_submission submission = {.trial = t, .labels = h.predicted, .sure = ll_channel_sure(c)};
    ll_submission_predictions(&submission, &h.predictions);
    if (status == LL_OK)
        status = attack(&h, error);
    if (status == LL_OK)
        set_share(&h, out);
    ll_curator_destroy(h.curator);
    ll_scorer_destroy(endless);
    free(h.predicted);
    free(h.truth);
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}
