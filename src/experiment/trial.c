/* The paper's experiments: draw labels from a data set, score the construction's predictions, add noise, run LabelInf,
 * count. Every draw is a function of (seed, stream, place), so that a result does not depend on what ran before. */
#include "experiment/experiment.h"
#include "number/random.h"

#include <math.h>
#include <time.h>

enum { DRAWS_BITS = 20, NOISE_DRAW = (1 << DRAWS_BITS) - 1 }; /* counters of one attack */

/* Of this thread: other work on the machine does not count. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t place(long attack, long draw)
{
    return (uint64_t)attack << DRAWS_BITS | (uint64_t)draw;
}

/* Uniform in (-tau, tau). */
static double draw_noise(const ll_experiment *e, long attack)
{
    return e->tau * (2 * ll_random_uniform(e->seed, e->stream, place(attack, NOISE_DRAW)) - 1);
}

static int is_taken(const long *rows, long count, long row)
{
    for (long i = 0; i < count; i++)
        if (rows[i] == row)
            return 1;
    return 0;
}

/* `length` different rows of the data set, in random order. */
static void draw_labels(const ll_experiment *e, int32_t *labels, long attack)
{
    long rows[LL_EXPERIMENT_ROWS], count = 0;
    for (long draw = 0; count < e->length; draw++) {
        long row = (long)ll_random_below(e->seed, e->stream, place(attack, draw), (uint64_t)e->rows);
        if (is_taken(rows, count, row))
            continue;
        labels[count] = e->labels[row];
        rows[count++] = row;
    }
}

static void count_attack(ll_experiment_count *out, const int32_t *truth, const int32_t *found, long rows)
{
    long right = 0;
    for (long i = 0; found && i < rows; i++)
        right += truth[i] == found[i];
    out->attacks++;
    out->attacks_right += right == rows;
    out->labels += rows;
    out->labels_right += right;
    out->silent += found == NULL;
}

static void attack_once(const ll_experiment *e, const ll_weighing *w, ll_experiment_count *out, const int32_t *truth,
                        long attack)
{
    int32_t found[LL_EXPERIMENT_ROWS];
    double distance, start = seconds();
    double score = ll_weighing_score(w, truth) + draw_noise(e, attack);
    int is_found = ll_label_inference(w, found, &distance, score);
    double taken = seconds() - start;
    count_attack(out, truth, is_found ? found : NULL, w->rows);
    out->longest = fmax(out->longest, taken);
}

static ll_status check(const ll_experiment *e, const ll_construction **construction, ll_error *error)
{
    *construction = ll_construction_find(e->construction);
    if (!*construction)
        return ll_fail(error, LL_DOMAIN, "%.60s: no such construction", e->construction);
    if (e->classes < 2 || e->classes > LL_EXPERIMENT_CLASSES ||
        ((*construction)->classes && (*construction)->classes != e->classes))
        return ll_fail(error, LL_DOMAIN, "%s: not for %ld classes", e->construction, e->classes);
    if (e->length < 1 || e->length > LL_EXPERIMENT_ROWS || e->length > e->rows)
        return ll_fail(error, LL_DOMAIN, "%s: 1 to %d labels a query, and no more than there are, not %ld",
                       e->construction, LL_EXPERIMENT_ROWS, e->length);
    return e->tau > 0 && isfinite(e->tau) ? LL_OK : ll_fail(error, LL_DOMAIN, "noise must be above 0");
}

ll_status ll_experiment_single(ll_experiment_count *out, const ll_experiment *e, long runs, ll_error *error)
{
    const ll_construction *construction;
    ll_weighing w;
    int32_t truth[LL_EXPERIMENT_ROWS];
    ll_status status = check(e, &construction, error);
    if (status != LL_OK)
        return status;
    double n = (double)e->length;
    status = ll_weighing_init(&w, construction, e->length, e->classes, n * e->tau, n, error);
    if (status != LL_OK)
        return status;
    *out = (ll_experiment_count){0};
    for (long run = 0; run < runs; run++) {
        draw_labels(e, truth, run);
        attack_once(e, &w, out, truth, run);
    }
    ll_weighing_clear(&w);
    return LL_OK;
}

/* Blocks of one length, from row `first` on up to `end`; all of one shape. */
static ll_status attack_blocks(const ll_experiment *e, const ll_construction *construction, ll_experiment_count *out,
                               long first, long end, long length, int all_rows, ll_error *error)
{
    ll_weighing w;
    double n = (double)(all_rows ? e->rows : length);
    ll_status status = ll_weighing_init(&w, construction, length, e->classes, n * e->tau, n, error);
    if (status != LL_OK)
        return status;
    w.before = all_rows ? ll_repeated_sum(0, w.constant, first) : 0;
    for (; first < end; first += length) {
        w.after = all_rows ? e->rows - first - length : 0;
        attack_once(e, &w, out, e->labels + first, first);
        w.before = all_rows ? ll_repeated_sum(w.before, w.constant, length) : 0;
    }
    ll_weighing_clear(&w);
    return LL_OK;
}

ll_status ll_experiment_blocks(ll_experiment_count *out, const ll_experiment *e, int all_rows, ll_error *error)
{
    const ll_construction *construction;
    ll_experiment_count count = {0};
    ll_status status = check(e, &construction, error);
    if (status != LL_OK)
        return status;
    long rest = e->rows % e->length, whole = e->rows - rest;
    status = attack_blocks(e, construction, &count, 0, whole, e->length, all_rows, error);
    if (status == LL_OK && rest > 0)
        status = attack_blocks(e, construction, &count, whole, e->rows, rest, all_rows, error);
    if (status == LL_OK)
        *out = count;
    return status;
}

/* ---- one attack in two ways ---- */

static ll_status begin_one(const ll_experiment *e, ll_weighing *w, int32_t *truth, double *score, ll_error *error)
{
    const ll_construction *construction;
    ll_status status = check(e, &construction, error);
    double n = (double)e->length;
    if (status == LL_OK)
        status = ll_weighing_init(w, construction, e->length, e->classes, n * e->tau, n, error);
    if (status != LL_OK)
        return status;
    draw_labels(e, truth, 0);
    *score = ll_weighing_score(w, truth) + draw_noise(e, 0);
    return LL_OK;
}

static uint64_t as_number(const int32_t *labels, long rows)
{
    uint64_t number = 0;
    for (long i = 0; i < rows; i++)
        number |= (uint64_t)labels[i] << i;
    return number;
}

static ll_status refuse_classes(const ll_experiment *e, ll_error *error)
{
    return e->classes == 2 ? LL_OK : ll_fail(error, LL_DOMAIN, "a labelling is a number only for two classes");
}

ll_status ll_experiment_nearest(ll_nearest *out, const ll_experiment *e, ll_error *error)
{
    ll_weighing w;
    int32_t truth[LL_EXPERIMENT_ROWS], found[LL_EXPERIMENT_ROWS] = {0};
    double score;
    ll_status status = refuse_classes(e, error);
    if (status == LL_OK)
        status = begin_one(e, &w, truth, &score, error);
    if (status != LL_OK)
        return status;
    *out = (ll_nearest){.truth = as_number(truth, e->length)};
    out->found = ll_label_inference(&w, found, &out->distance, score);
    out->labelling = as_number(found, e->length);
    ll_weighing_clear(&w);
    return LL_OK;
}

ll_status ll_experiment_exhaustive(ll_nearest *out, const ll_experiment *e, long slice, long slices, ll_error *error)
{
    ll_weighing w;
    int32_t truth[LL_EXPERIMENT_ROWS];
    double score;
    ll_status status = refuse_classes(e, error);
    if (status == LL_OK && (slice < 0 || slice >= slices || slices > 1L << 20 || (slices & (slices - 1)) != 0))
        status = ll_fail(error, LL_DOMAIN, "slice %ld of %ld: their number must be a power of two", slice, slices);
    if (status == LL_OK)
        status = begin_one(e, &w, truth, &score, error);
    if (status != LL_OK)
        return status;
    if (e->length < 62 && slices > 1L << e->length)
        status = ll_fail(error, LL_DOMAIN, "%ld slices of 2^%ld labellings", slices, e->length);
    *out = (ll_nearest){.truth = as_number(truth, e->length)};
    if (status == LL_OK)
        status = ll_label_inference_all(&w, &out->labelling, &out->distance, &out->found, score, slice, slices, error);
    ll_weighing_clear(&w);
    return status;
}
