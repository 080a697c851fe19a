/* Each test asks for something that would need a coincidence of odds below 2^-24 in predictions that nobody designed.
 * Where the line is drawn, and what crosses it on either side: docs/proofs/audit.md. */
#include "audit/traces.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define COINCIDENCE 24.0 /* bits of evidence */

__attribute__((format(printf, 2, 3))) static int say(ll_trace *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out->text, sizeof out->text, format, arguments);
    va_end(arguments);
    return 1;
}

/* ---- numbers that no model computes ---- */

static int is_beyond(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    (void)sizes;
    if (w->beyond == 0)
        return 0;
    return say(out, "%ld of %ld rows hold numbers, or cause losses, that no double can hold", w->beyond, w->rows);
}

/* ---- most rows say nothing ---- */

static int is_neutral(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    long others = w->rows - sizes->neutral;
    if (w->rows < 20 || others == 0 || (double)sizes->neutral < 0.8 * (double)w->rows)
        return 0;
    return say(out, "%ld of %ld rows are set so that their label does not matter: the score is about the other %ld",
               sizes->neutral, w->rows, others);
}

/* ---- two values ---- */

/* People who smooth hard answers write 0.01 and 0.99, or 1e-15. */
static int is_short_decimal(double x)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.2e", x);
    return fabs(strtod(text, NULL) - x) <= 1e-6 * x;
}

/* An answer that somebody else clipped. */
static int is_clip(const ll_weights *w, double x)
{
    const ll_computation *r = w->scoring.how;
    double exact = ll_exact_get_d(&r->low);
    return w->scoring.how->clip_mode != LL_CLIP_NONE &&
           (fabs(x - exact) <= 1e-9 * exact || fabs(x - r->float_low) <= 1e-9 * r->float_low);
}

/* Is the weight of every label of every row 0 or of one size? Counts the rows with the first label lighter. */
static int has_one_size(const ll_weights *w, double size, long *lighter)
{
    *lighter = 0;
    for (long i = 0; i < w->rows; i++) {
        double room = w->errors[i] + 1e-3 * size;
        int lightest = 0;
        for (long k = 1; k < w->classes; k++) {
            double weight = ll_weights_get(w, i, k);
            if (fabs(weight) > room && fabs(fabs(weight) - size) > room)
                return 0;
            lightest |= weight > room;
        }
        *lighter += lightest;
    }
    return 1;
}

/* One size, both signs: hard answers look like that too, at 0 and 1, at the clip or smoothed by a round number; these
 * are at none of them. */
static int is_two_valued(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    double size = 0;
    long lighter;
    for (long i = 0; i < w->rows; i++)
        for (long k = 1; k < w->classes; k++)
            size = fmax(size, fabs(ll_weights_get(w, i, k)));
    if (w->rows < 8 || sizes->neutral > 0 || !isfinite(size) || !has_one_size(w, size, &lighter))
        return 0;
    if (lighter == 0 || lighter == w->rows || w->smallest <= 0 || w->smallest > 0.05 || is_short_decimal(w->smallest) ||
        is_clip(w, w->smallest))
        return 0;
    return say(
        out,
        "every row says the same of its classes but for the sign, with %.8g where a hard answer would have 0, 1, the "
        "clip or a round number: %ld and %ld rows",
        w->smallest, lighter, w->rows - lighter);
}

/* ---- multiples of a unit ---- */

typedef struct {
    double size, error;
    int is_gap; /* between two neighbours, not a size itself */
} step;

static int compare_steps(const void *a, const void *b)
{
    double x = ((const step *)a)->size, y = ((const step *)b)->size;
    return (x > y) - (x < y);
}

/* The least sizes and gaps come first, so that the unit is known ever better as the multiples grow. At most 512 of
 * each. */
static long collect_steps(step *steps, const ll_sizes *sizes)
{
    long count = 0, stride = sizes->count / 512 + 1;
    for (long i = 0; i < sizes->count; i += stride) {
        steps[count++] = (step){sizes->sizes[i], sizes->errors[i], 0};
        if (i + 1 < sizes->count)
            steps[count++] = (step){sizes->sizes[i + 1] - sizes->sizes[i], sizes->errors[i + 1] + sizes->errors[i], 1};
    }
    qsort(steps, (size_t)count, sizeof *steps, compare_steps);
    return count;
}

/* Bits of evidence that all steps are multiples of about `unit`, which is refined; -1 where one is none. */
static double weigh_unit(double *unit, const step *steps, long count)
{
    double evidence = 0, known = steps[0].error; /* known: how far the unit may be off */
    for (long i = 0; i < count; i++) {
        double multiple = rint(steps[i].size / *unit), room = 2 * steps[i].error + multiple * known;
        if (multiple < 1 || room > *unit / 8)
            return -1;
        if (fabs(steps[i].size - multiple * *unit) > room)
            return -1;
        if (!steps[i].is_gap && multiple > 1)
            evidence += log2(*unit / (2 * fmax(room, *unit * 0x1p-20)));
        if (steps[i].error / multiple < known) {
            *unit = steps[i].size / multiple;
            known = steps[i].error / multiple;
        }
    }
    return evidence;
}

/* Probabilities that are decimals or shares of a number of trees or neighbours are multiples of 1/n, and so are the
 * weights that squared error makes of them, or logits as they are. */
static int is_share(double unit)
{
    for (int half = 1; half <= 2; half++) {
        double n = half / unit;
        if (n < 2e6 && n > 0.5 && fabs(n - rint(n)) < 1e-6 * fmax(1, n * 1e-3))
            return 1;
    }
    return 0;
}

static int is_lattice(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    if (sizes->count < 3)
        return 0;
    step steps[2 * 1024];
    long count = collect_steps(steps, sizes);
    int found = 0;
    for (int k = 1; k <= 3 && !found; k++) {
        double unit = steps[0].size / k;
        if (weigh_unit(&unit, steps, count) >= COINCIDENCE && !is_share(unit)) {
            out->unit = unit;
            found = say(out, "the weights of %ld rows are whole multiples of one unit, %.6g, %ld different ones",
                        w->rows - sizes->neutral, unit, sizes->count);
        }
    }
    return found;
}

/* ---- geometric rows ---- */

/* The longest run of neighbours in x whose ratio is `base`, give or take a seventh. */
static long longest_run(const double *x, long count, double base)
{
    long run = 0, best = 0;
    for (long i = 1; i < count; i++) {
        double ratio = x[i] / x[i - 1];
        run = ratio > base * 0.86 && ratio < base * 1.16 ? run + 1 : 0;
        best = run > best ? run : best;
    }
    return best;
}

/* Sizes, and their distances from the largest one below each gap: powers grow like the first, the sets of Conway and
 * Guy like the second. */
static int is_geometric(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    const long enough = 9;
    double base = (double)w->classes;
    double *gaps = sizes->scratch;
    if (sizes->count < enough)
        return 0;
    long run = longest_run(sizes->sizes, sizes->count, base), count = 0;
    for (long i = sizes->count - 1; i > 0; i--) { /* rising, seen from the top */
        double gap = sizes->sizes[i] - sizes->sizes[i - 1];
        if (gap > sizes->sizes[sizes->count - 1] * 0x1p-30)
            gaps[count++] = gap;
    }
    long below = longest_run(gaps, count, 2);
    run = below > run ? below : run;
    if (run < enough)
        return 0;
    return say(out, "%ld weights in a row grow by a factor of about %g", run + 1, base);
}

/* Each size more than all smaller ones together. */
static int is_superincreasing(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    double sum = 0;
    (void)w;
    if (sizes->count < 7 || sizes->rows != sizes->count)
        return 0;
    for (long i = 0; i < sizes->count; i++) {
        if (sizes->sizes[i] <= sum)
            return 0;
        sum += sizes->sizes[i];
    }
    return say(out, "each of %ld weights is more than all smaller ones together", sizes->count);
}

/* ---- primes ---- */

/* weight = unit * ln(integer): with the least weight taken for ln 2, are the others logarithms of whole numbers? */
static int is_logarithms(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    double evidence = 0;
    (void)w;
    for (long i = 1; i < sizes->count; i++) {
        double log_integer = sizes->sizes[i] / sizes->sizes[0] * log(2), integer = exp(log_integer);
        double room = 1e-9 + integer * log_integer *
                                 (sizes->errors[i] / sizes->sizes[i] + sizes->errors[0] / sizes->sizes[0]) * 4;
        if (log_integer > 20 || room > 0.125 || fabs(integer - rint(integer)) > room)
            return 0;
        evidence += -log2(2 * room);
    }
    if (sizes->count < 3 || evidence < COINCIDENCE)
        return 0;
    return say(out, "the weights are as the logarithms of %ld whole numbers", sizes->count);
}

static int is_prime(long n)
{
    for (long d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return n > 1;
}

static long next_prime(long n)
{
    do
        n++;
    while (!is_prime(n));
    return n;
}

/* Row j of K entries is proportional to the primes number jK .. jK + K - 1. */
static int is_prime_rows(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    long prime = 1, rows = 0;
    (void)sizes;
    for (long i = 0; i < w->rows && i < 2000; i++) {
        if (ll_weights_is_neutral(w, i))
            continue;
        double first = (double)(prime = next_prime(prime));
        for (long k = 1; k < w->classes; k++) {
            double wanted = log(first / (double)(prime = next_prime(prime)));
            if (fabs(ll_weights_get(w, i, k) - wanted) > 4 * w->errors[i] + 1e-12)
                return 0;
        }
        rows++;
    }
    if (rows * (w->classes - 1) < 3)
        return 0;
    return say(out, "the entries of %ld rows are as consecutive primes", rows);
}

/* ---- the table ---- */

typedef struct {
    const char *name;
    int (*is_there)(ll_trace *out, const ll_weights *weights, const ll_sizes *sizes);
} rule;

static const rule rules[] = {
    {"outside", ll_trace_outside},
    {"beyond-doubles", is_beyond},
    {"lattice", is_lattice},
    {"primes", is_logarithms},
    {"prime-rows", is_prime_rows},
    {"geometric", is_geometric},
    {"superincreasing", is_superincreasing},
    {"neutral", is_neutral},
    {"two-valued", is_two_valued},
};

int ll_trace_find(ll_trace *out, const ll_weights *weights, const ll_sizes *sizes)
{
    *out = (ll_trace){.name = "none"};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].is_there(out, weights, sizes)) {
            out->name = rules[i].name;
            return 1;
        }
    return 0;
}
