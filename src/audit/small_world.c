/* Worlds so small that every labelling can be asked about: what a fixed set of submissions tells, exactly. A curator
 * for each labelling answers the submissions; labellings with the same answers stay together, and the best guess of
 * each group is what an attacker gets. One constant submission tells the counts of a class in the same way. Releases
 * without random noise only; whatever the metric, the rounding and the Ladder are, the curators know. */
#include "audit/label_law.h"
#include "audit/trial.h"
#include "number/random.h"
#include "scorer/several.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LABELLINGS = 1024,
    MOST_ANSWERS = 8,
    MOST_SETS = 64,
    MOST_ASKED = 16384,
    MOST_COUNTED = 256,
    MOST_ROWS = 10
};

/* Worlds x so many: curators that are made and asked. */
typedef struct {
    const ll_trial *trial;
    long labellings;
    long *which; /* of every labelling that there may be, its number; NULL: these are no labellings */
    ll_curator **curators;
    char **answers;
    long *group; /* of each world: the first world with the same answers so far */
    int32_t *labels;
} batch;

static double share_of(const ll_trial *t, long label)
{
    return ll_label_share(t->scorer, t->channel->classes, label);
}

static void batch_clear(batch *w)
{
    for (long i = 0; i < w->labellings; i++) {
        if (w->curators != NULL)
            ll_curator_destroy(w->curators[i]);
        if (w->answers != NULL)
            free(w->answers[i]);
    }
    free(w->which);
    free(w->curators);
    free(w->answers);
    free(w->group);
    free(w->labels);
}

static ll_status batch_init(batch *w, const ll_trial *t, long labellings, ll_error *error)
{
    size_t count = (size_t)labellings;
    *w = (batch){.trial = t, .labellings = labellings};
    w->curators = calloc(count, sizeof(ll_curator *));
    w->answers = calloc(count, sizeof *w->answers);
    w->group = calloc(count, sizeof *w->group);
    w->labels = calloc((size_t)t->channel->rows, sizeof *w->labels);
    return w->curators && w->answers && w->group && w->labels
               ? LL_OK
               : ll_fail(error, LL_MEMORY, "no memory for %ld labellings", labellings);
}

/* One more submission to all. */
static ll_status batch_ask(batch *w, const ll_predictions *submission, ll_error *error)
{
    for (long i = 0; i < w->labellings; i++) {
        char *text;
        ll_status status = ll_trial_ask(w->curators[i], &text, submission, error);
        if (status != LL_OK)
            return status;
        free(w->answers[i]);
        w->answers[i] = text;
    }
    for (long i = w->labellings; i-- > 0;) { /* old groups of the worlds before are still there */
        long same = 0;
        while (same < i && (w->group[same] != w->group[i] || strcmp(w->answers[same], w->answers[i]) != 0))
            same++;
        w->group[i] = same;
    }
    return LL_OK;
}

/* Then further answers tell nothing more. */
static int are_apart(const batch *w)
{
    for (long i = 0; i < w->labellings; i++)
        if (w->group[i] != i)
            return 0;
    return 1;
}

/* ---- every labelling ---- */

static double count_labellings(const ll_channel *c)
{
    return c->rows <= MOST_ROWS ? pow((double)c->classes, (double)c->rows) : INFINITY;
}

double ll_labellings_work(const ll_trial *t)
{
    double count = count_labellings(t->channel);
    for (long i = 0; i < ll_scorer_count_numbers(t->scorer); i++)
        if (ll_scorer_get_number(t->scorer, i)->release.noise != NULL)
            return 0;
    return count <= MOST_LABELLINGS ? count : 0;
}

/* Has the labelling the counts that were told? Then it is as likely as every other one that has. */
static int has_counts(const ll_trial *t, long labelling)
{
    long classes = t->channel->classes, seen[MOST_LABELLINGS] = {0};
    for (long i = 0; i < t->channel->rows; i++, labelling /= classes)
        seen[labelling % classes]++;
    for (long k = 0; k < classes; k++)
        if (seen[k] != t->scorer->counts[k])
            return 0;
    return 1;
}

static double weight_of_all(const ll_trial *t, long labelling)
{
    double weight = 1;
    long classes = t->channel->classes;
    if (t->scorer->counts != NULL)
        return has_counts(t, labelling) ? exp2(-t->channel->label_bits * (double)t->channel->rows) : 0;
    for (long i = 0; i < t->channel->rows; i++, labelling /= classes)
        weight *= share_of(t, labelling % classes);
    return weight;
}

static long label_of(const ll_trial *t, long labelling, long row)
{
    for (; row > 0; row--)
        labelling /= t->channel->classes;
    return labelling % t->channel->classes;
}

/* Those that have a chance at all. */
static ll_status make_labellings(batch *w, ll_error *error)
{
    const ll_channel *c = w->trial->channel;
    const long all = w->labellings;
    ll_status status = LL_OK;
    w->which = malloc(sizeof *w->which * (size_t)all);
    if (w->which == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld labellings", all);
    w->labellings = 0;
    for (long l = 0; l < all && status == LL_OK; l++) {
        if (!(weight_of_all(w->trial, l) > 0))
            continue;
        for (long i = 0; i < c->rows; i++)
            w->labels[i] = (int32_t)label_of(w->trial, l, i);
        w->which[w->labellings] = l;
        status = ll_curator_create(&w->curators[w->labellings], w->trial->scorer, w->labels, c->rows, error);
        w->labellings++;
    }
    return status;
}

/* Sum over groups and rows of the weight of the best label. sums[group * classes + label]. */
static double value_of_groups(const batch *w, double *sums)
{
    const ll_channel *c = w->trial->channel;
    double value = 0;
    for (long row = 0; row < c->rows; row++) {
        memset(sums, 0, (size_t)(w->labellings * c->classes) * sizeof *sums);
        for (long l = 0; l < w->labellings; l++)
            sums[w->group[l] * c->classes + label_of(w->trial, w->which[l], row)] +=
                weight_of_all(w->trial, w->which[l]);
        for (long g = 0; g < w->labellings; g++) {
            double most = 0;
            for (long k = 0; k < c->classes; k++)
                most = fmax(most, sums[g * c->classes + k]);
            value += most / (double)c->rows;
        }
    }
    return value;
}

/* Every other set is of predictions at the ends of what they can be: rounding that hides all others shows those. Where
 * they have no end, half of these lie so far out that the score passes some edges of the rounding. */
static double draw_blur(const ll_trial *t, uint64_t set, uint64_t place)
{
    const ll_channel *c = t->channel;
    const ll_metric *metric = t->scorer->computation.metric;
    double u = ll_random_uniform(t->seed, 0x736d + set, place);
    if (set % 2 == 0 || c->is_label)
        return 0.02 + 0.96 * u;
    if (set % 4 == 3 && c->is_numeric && t->scorer->computation.clip_mode == LL_CLIP_NONE)
        return 0.5 + (2 * u - 1) * (1 + c->grid * (double)c->rows / ll_metric_target_width(metric));
    return u < 0.5 ? 0x1p-30 : 1;
}

/* One set of submissions, drawn at random. */
static ll_status try_set(const ll_trial *t, double *value, double *sums, long queries, uint64_t set, ll_error *error)
{
    batch w;
    double blurs[2 * MOST_LABELLINGS];
    const ll_channel *c = t->channel;
    ll_status status = batch_init(&w, t, (long)count_labellings(c), error);
    if (status == LL_OK)
        status = make_labellings(&w, error);
    for (long q = 0; q < queries && status == LL_OK && !are_apart(&w); q++) {
        ll_submission submission = {.trial = t, .blurs = blurs};
        ll_predictions predictions;
        for (long i = 0; i < c->rows * c->classes; i++)
            blurs[i] = draw_blur(t, set, (uint64_t)(q * MOST_LABELLINGS + i));
        ll_submission_predictions(&submission, &predictions);
        status = batch_ask(&w, &predictions, error);
    }
    *value = status == LL_OK ? value_of_groups(&w, sums) : 0;
    batch_clear(&w);
    return status;
}

ll_status ll_labellings_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    double best = 0, labellings = count_labellings(t->channel);
    long queries = (long)fmin(fmin(t->channel->queries, MOST_ANSWERS), 2 * (double)t->channel->rows);
    long sets = (long)fmax(1, fmin(MOST_SETS, MOST_ASKED / labellings / (double)queries));
    double *sums = calloc((size_t)(labellings * (double)t->channel->classes), sizeof *sums);
    if (sums == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for labellings");
    ll_status status = LL_OK;
    for (long set = 0; set < sets && status == LL_OK && best < 1; set++) {
        double value;
        status = try_set(t, &value, sums, queries, (uint64_t)set, error);
        best = fmax(best, value);
    }
    free(sums);
    *out = (ll_tried){.attack = "every labelling", .runs = (long)labellings, .share = fmin(1, best) * (1 - 1e-12)};
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}

/* ---- class counts ---- */

double ll_counts_work(const ll_trial *t)
{
    double rows = (double)t->channel->rows;
    int is_open = t->channel->noise == NULL && t->scorer->counts == NULL;
    return is_open && rows <= MOST_COUNTED ? rows * rows : 0;
}

static long likeliest(const ll_trial *t, long except)
{
    long best = except == 0;
    for (long k = 0; k < t->channel->classes; k++)
        if (k != except && share_of(t, k) > share_of(t, best))
            best = k;
    return best;
}

static double binomial(double n, double c, double p)
{
    if (p <= 0 || p >= 1)
        return c == n * p;
    return exp(lgamma(n + 1) - lgamma(c + 1) - lgamma(n - c + 1) + c * log(p) + (n - c) * log1p(-p));
}

/* World c has c rows of class `one`, the others of `other`, which stands for all of them: they are scored alike. */
static ll_status make_counts(batch *w, long one, long other, ll_error *error)
{
    long rows = w->trial->channel->rows;
    ll_status status = LL_OK;
    for (long c = 0; c < w->labellings && status == LL_OK; c++) {
        for (long i = 0; i < rows; i++)
            w->labels[i] = (int32_t)(i < c ? one : other);
        status = ll_curator_create(&w->curators[c], w->trial->scorer, w->labels, rows, error);
    }
    return status;
}

/* Each group: all rows said to be of class `one`, or all of the other. */
static double value_of_counts(const batch *w, long one, long other)
{
    double value = 0, rows = (double)w->trial->channel->rows, p = share_of(w->trial, one);
    double rest = p < 1 ? share_of(w->trial, other) / (1 - p) : 0;
    for (long g = 0; g < w->labellings; g++) {
        double ones = 0, others = 0;
        for (long c = g; c < w->labellings; c++)
            if (w->group[c] == g) {
                ones += binomial(rows, (double)c, p) * (double)c / rows;
                others += binomial(rows, (double)c, p) * (rows - (double)c) / rows * rest;
            }
        value += fmax(ones, others);
    }
    return value;
}

ll_status ll_counts_run(const ll_trial *t, ll_tried *out, ll_error *error)
{
    batch w;
    long one = likeliest(t, -1), other = likeliest(t, one);
    ll_submission submission = {.trial = t, .label = (int32_t)one, .sure = 0.7};
    ll_predictions predictions;
    ll_submission_predictions(&submission, &predictions);
    ll_status status = batch_init(&w, t, t->channel->rows + 1, error);
    if (status == LL_OK)
        status = make_counts(&w, one, other, error);
    if (status == LL_OK)
        status = batch_ask(&w, &predictions, error);
    double value = status == LL_OK ? value_of_counts(&w, one, other) : 0;
    batch_clear(&w);
    *out = (ll_tried){.attack = "class counts", .runs = t->channel->rows + 1, .share = fmin(1, value) * (1 - 1e-9)};
    return status == LL_OK || status == LL_MEMORY ? status : LL_UNABLE;
}
