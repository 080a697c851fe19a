/* Each test asks for something that would need a coincidence of odds below 2^-24 in predictions that nobody designed.
 * Where the line is drawn, and what crosses it on either side: docs/proofs/audit.md. */
#include "audit/traces.h"
#include "audit/near_lattice.h"
#include "number/agree.h"
#include "number/text_number.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define COINCIDENCE 24.0 /* bits of evidence */

int ll_trace_say(ll_trace *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)ll_print_list(out->text, sizeof out->text, format, arguments);
    va_end(arguments);
    ll_agree(out->text);
    return 1;
}

/* ---- numbers that no model computes ---- */

static int is_beyond(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    (void)sizes;
    if (w->beyond == 0)
        return 0;
    return ll_trace_say(out, "%ld of %ld rows hold numbers, or cause losses, that no double can hold", w->beyond,
                        w->rows);
}

/* ---- most rows say nothing ---- */

static int is_neutral(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    if (w->rows < 20 || sizes->quiet == 0)
        return 0;
    if (sizes->quiet > sizes->neutral)
        return ll_trace_say(
            out,
            "%ld of %ld rows are near neutral, by %.2g in the mean, and their labels together hardly matter "
            "beside any of the other %ld",
            sizes->quiet, w->rows, sizes->blur, w->rows - sizes->quiet);
    return ll_trace_say(out,
                        "%ld of %ld rows are set so that their label does not matter: the score is about the other %ld",
                        sizes->quiet, w->rows, w->rows - sizes->quiet);
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
    for (int part = 1; part <= 2; part++) {
        double n = part / unit;
        if (n < 2e6 && n > 0.5 && fabs(n - rint(n)) < 1e-6 * fmax(1, n * 1e-3))
            return 1;
    }
    return 0;
}

static int is_lattice(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    if (sizes->count < 3)
        return 0;
    step steps[2 * 1024] = {{0, 0, 0}};
    long count = collect_steps(steps, sizes);
    int found = 0;
    for (int k = 1; k <= 3 && !found; k++) {
        double unit = steps[0].size / k;
        if (weigh_unit(&unit, steps, count) >= COINCIDENCE && !is_share(unit)) {
            out->unit = unit;
            found =
                ll_trace_say(out, "the weights of %ld rows are whole multiples of one unit, %.6g, %ld different ones",
                             w->rows - sizes->neutral, unit, sizes->count);
        }
    }
    return found;
}

/* A unit that is known to some parts `room` of it may be 1/n: of up to 1000 trees, neighbours or steps, or of decimals.
 * The log-odds of decimals near 1/2 are nearly multiples of 4/n, of K classes near 1/K those of K/n. */
static int is_near_share(double unit, double room, long classes)
{
    const double parts[] = {1, 2, 4, 8, (double)classes, 2 * (double)classes};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double n = parts[i] / unit, whole = n < 1000 ? rint(n) : 1000 * rint(n / 1000);
        double clipped = n <= 20 ? 1e-5 : 3e-6; /* the last of few steps may be a clip below 1 */
        if (n < 2e6 && n > 0.5 && fabs(n - whole) < fmax(clipped, 4 * room) * n)
            return 1;
    }
    return 0;
}

/* The unit is known to `off` units over the largest multiple. */
static int is_near_lattice(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    ll_near_lattice near;
    ll_near_lattice_find(&near, sizes);
    if (near.evidence < COINCIDENCE ||
        is_near_share(near.unit, near.off * near.unit / sizes->sizes[sizes->count - 1], w->classes))
        return 0;
    out->unit = near.unit;
    return ll_trace_say(out,
                        "the weights of %ld rows are whole multiples of one unit, %.6g, give or take %.2g of it: %ld "
                        "different multiples",
                        w->rows - sizes->neutral, near.unit, near.off, near.multiples);
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
    return ll_trace_say(out, "%ld weights in a row grow by a factor of about %g", run + 1, base);
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
    return ll_trace_say(out, "each of %ld weights is more than all smaller ones together", sizes->count);
}

/* ---- primes ---- */

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

/* weight = unit * ln(prime): with the least weight taken for ln 2, are the others logarithms of primes? Ratios of
 * shares are whole numbers too, but not all prime. Each is evidence once. */
static int is_logarithms(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    double evidence = 0, last = 2;
    long numbers = 1;
    (void)w;
    for (long i = 1; i < sizes->count; i++) {
        double log_integer = sizes->sizes[i] / sizes->sizes[0] * log(2), integer = exp(log_integer);
        double room = 1e-9 + integer * log_integer *
                                 (sizes->errors[i] / sizes->sizes[i] + sizes->errors[0] / sizes->sizes[0]) * 4;
        if (log_integer > 20 || room > 0.125 || fabs(integer - rint(integer)) > room || !is_prime(lround(integer)))
            return 0;
        if (rint(integer) == last)
            continue;
        last = rint(integer);
        numbers++;
        evidence += -log2(2 * room);
    }
    if (numbers < 4 || evidence < COINCIDENCE)
        return 0;
    return ll_trace_say(out, "the weights are as the logarithms of %ld primes", numbers);
}

/* The furthest that the weights of rows louder than `quiet` are from those of consecutive primes; *count: those of them
 * that should be larger than `least`. */
static double prime_distance(const ll_weights *w, double quiet, double least, long *count)
{
    long prime = 1;
    double off = 0;
    *count = 0;
    for (long i = 0; i < w->rows && i < 2000 && off < 0.25; i++) {
        if (ll_weights_is_neutral(w, i) || ll_weights_loudest(w, i) < quiet)
            continue;
        double first = (double)(prime = next_prime(prime));
        for (long k = 1; k < w->classes; k++) {
            double wanted = log(first / (double)(prime = next_prime(prime)));
            *count += fabs(wanted) > least;
            off = fmax(off, fmax(0, fabs(ll_weights_get(w, i, k) - wanted) - 4 * w->errors[i]));
        }
    }
    return fmax(off, 1e-12);
}

/* Row j of K entries is proportional to the primes number jK .. jK + K - 1. How quiet the others are is not known: a
 * few sizes are tried. Quotients of large primes are close to 1, and so are the odds of a model that knows little:
 * only a weight that is larger than what all are off by is evidence. */
static int is_prime_rows(ll_trace *out, const ll_weights *w, const ll_sizes *sizes)
{
    static const double quiet[] = {0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    (void)sizes;
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        long count;
        double off = prime_distance(w, quiet[i], 0, &count);
        (void)prime_distance(w, quiet[i], 2 * off, &count);
        if (count >= 2 && off < 0.25 && -(double)count * log2(2 * off) - 4 >= COINCIDENCE)
            return ll_trace_say(out, "the entries of %ld rows are as consecutive primes, give or take %.2g",
                                count / (w->classes - 1), off);
    }
    return 0;
}

/* ---- the table ---- */

typedef struct {
    const char *name;
    int (*is_there)(ll_trace *out, const ll_weights *weights, const ll_sizes *sizes);
} rule;

static const rule rules[] = {
    {"outside", ll_trace_outside},     {"beyond-doubles", is_beyond},
    {"lattice", is_lattice},           {"near-lattice", is_near_lattice},
    {"primes", is_logarithms},         {"prime-rows", is_prime_rows},
    {"geometric", is_geometric},       {"superincreasing", is_superincreasing},
    {"neutral", is_neutral},           {"two-valued", ll_trace_two_values},
    {"half-open", ll_trace_half_open},
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
