/* Sizes of weights, sorted and each once. */
#include "audit/traces.h"

#include "number/order.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double size, error;
} sized;

static int compare(const void *a, const void *b)
{
    double x = ((const sized *)a)->size, y = ((const sized *)b)->size;
    return (x > y) - (x < y);
}

static long collect(ll_sizes *out, sized *all, const ll_weights *w)
{
    long count = 0;
    for (long i = 0; i < w->rows; i++) {
        if (ll_weights_is_neutral(w, i)) {
            out->neutral++;
            continue;
        }
        if (w->is_saturated[i] || w->is_beyond[i])
            continue;
        out->rows++;
        for (long k = 1; k < w->classes; k++)
            if (fabs(ll_weights_get(w, i, k)) > w->errors[i])
                all[count++] = (sized){fabs(ll_weights_get(w, i, k)), w->errors[i]};
    }
    return count;
}

/* ---- quiet rows ---- */

/* Rows no louder than `most` whose weights are all different, and no more on one side of 0 than chance has it: noise,
 * and no leaves of a tree, which are shared. */
static int is_noise(const ll_weights *w, const double *loud, long count, double most)
{
    double sum = 0, square = 0;
    for (long i = 1; i < count; i++)
        if (loud[i] == loud[i - 1])
            return 0;
    for (long i = 0; i < w->rows; i++)
        if (ll_weights_loudest(w, i) <= most) {
            sum += ll_weights_get(w, i, 1);
            square += ll_weights_get(w, i, 1) * ll_weights_get(w, i, 1);
        }
    return fabs(sum) <= 4 * sqrt(square);
}

/* Do most of the quiet rows share one weight that is not 0? Then they are a leaf of a tree near 1/2, and no blur. */
static int is_leaf(const double *loud, long count)
{
    const double neutral = 1e-9;
    long run = 0, longest = 0;
    for (long i = 0; i < count; i++) {
        run = i > 0 && loud[i] == loud[i - 1] ? run + 1 : 1;
        longest = loud[i] > neutral && run > longest ? run : longest;
    }
    return 2 * longest > count;
}

/* Blur of n rows adds about sqrt(n) blur to the sum; a weight is read where that is below half of it. Beside that, a
 * blur of a 500th of the largest weight at most, or noise: leaves of a tree near 1/2 beside pure ones are neither. */
static void find_quiet(ll_sizes *out, const ll_weights *w)
{
    const double most_blur = 500, clip = 35; /* 35: -ln of the least clip in use */
    double *loud = out->scratch, square = 0;
    for (long i = 0; i < w->rows; i++)
        loud[i] = ll_weights_loudest(w, i);
    qsort(loud, (size_t)w->rows, sizeof *loud, ll_compare_doubles);
    double blur = fmin(loud[w->rows - 1], clip) / most_blur;
    for (long i = 0; i < w->rows; square += loud[i] * loud[i], i++)
        if (5 * i >= 4 * w->rows && 2 * sqrt(square) < loud[i] &&
            ((square <= (double)i * blur * blur && !is_leaf(loud, i)) || is_noise(w, loud, i, loud[i - 1]))) {
            out->quiet = i;
            out->blur = sqrt(square / (double)i);
            return;
        }
}

ll_status ll_sizes_init(ll_sizes *out, const ll_weights *w, ll_error *error)
{
    *out = (ll_sizes){0};
    size_t most = (size_t)w->rows * (size_t)(w->classes - 1);
    sized *all = malloc(most * sizeof *all);
    out->sizes = malloc(most * sizeof *out->sizes);
    out->errors = malloc(most * sizeof *out->errors);
    out->scratch = malloc((most + 1) * sizeof *out->scratch);
    if (all == NULL || out->sizes == NULL || out->errors == NULL || out->scratch == NULL) {
        free(all);
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", w->rows);
    }
    long count = collect(out, all, w);
    qsort(all, (size_t)count, sizeof *all, compare);
    for (long i = 0; i < count; i++) {
        long at = out->count;
        if (at > 0 && all[i].size - out->sizes[at - 1] <= all[i].error + out->errors[at - 1]) {
            out->errors[at - 1] = fmax(out->errors[at - 1], all[i].error);
            continue;
        }
        out->sizes[at] = all[i].size;
        out->errors[at] = all[i].error;
        out->count++;
    }
    free(all);
    find_quiet(out, w);
    return LL_OK;
}

void ll_sizes_clear(ll_sizes *sizes)
{
    free(sizes->sizes);
    free(sizes->errors);
    free(sizes->scratch);
    *sizes = (ll_sizes){0};
}
