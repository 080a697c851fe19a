/* A unit is looked for in steps, the differences of sizes, by their coherence: the mean of cos(2 pi step / unit), which
 * is near 1 on a lattice and near 0 off it. Steps of a few units give the unit roughly; steps three times as long,
 * again and again, give it three times as well, until the whole range is covered. */
#include "audit/near_lattice.h"

#include "number/order.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLE = 512, STRIDES = 9, WINDOW = 256 };

typedef struct {
    const double *sizes;                  /* sorted */
    long count, stride;                   /* every stride-th is looked at */
    double steps[SAMPLE * (STRIDES + 1)]; /* sorted */
    long step_count;
} search;

static long sampled(const search *s)
{
    return (s->count - 1) / s->stride + 1;
}

static void collect_steps(search *s)
{
    long n = sampled(s);
    for (long far = 0; far < STRIDES && 1L << far < n; far++)
        for (long i = 0; i + (1L << far) < n; i++)
            s->steps[s->step_count++] = s->sizes[(i + (1L << far)) * s->stride] - s->sizes[i * s->stride];
    for (long i = 0; i < n; i++)
        s->steps[s->step_count++] = s->sizes[i * s->stride];
    qsort(s->steps, (size_t)s->step_count, sizeof *s->steps, ll_compare_doubles);
}

/* The first step that is not below `size`. */
static long seek(const search *s, double size)
{
    long low = 0, high = s->step_count;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (s->steps[middle] < size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of the steps [first, last), at most WINDOW of them. */
static double coherence(const search *s, long first, long last, double unit)
{
    long stride = (last - first) / WINDOW + 1, count = 0;
    double sum = 0;
    for (long i = first; i < last; i += stride, count++)
        sum += cos(2 * M_PI * s->steps[i] / unit);
    return count > 0 ? sum / (double)count : 0;
}

/* The unit to a sixteenth of a turn over steps up to `far`, where it is known to a quarter of one over `near`. */
static double sharpen(const search *s, double unit, double near, double far)
{
    long first = seek(s, near), last = seek(s, far), around = (long)ceil(4 * far / near);
    double best = unit, most = -1;
    for (long k = -around; k <= around; k++) {
        double tried = 1 / (1 / unit + (double)k / (16 * far)), value = coherence(s, first, last, tried);
        if (tried > 0 && value > most) {
            most = value;
            best = tried;
        }
    }
    return best;
}

/* Over the whole range; stretches without steps are crossed at once, up to 300 times as long. */
static double follow(const search *s, double unit)
{
    double near = 8 * unit, end = s->steps[s->step_count - 1] * 1.0001;
    for (double far = 3 * near; near < end; far *= 3) {
        far = fmin(far, end);
        if (far / near > 300)
            return 0;
        if (seek(s, far) > seek(s, near)) {
            unit = sharpen(s, unit, near, far);
            near = far;
        } else if (far == end)
            break;
    }
    return unit;
}

/* Codes may set weights at odd multiples of half a unit, so sizes are multiples of it from a start that is not 0: their
 * mean phase, in units. */
static double find_start(const search *s, double unit)
{
    double x = 0, y = 0;
    for (long i = 0; i < s->count; i++)
        if (s->sizes[i] >= unit / 2) {
            x += cos(2 * M_PI * s->sizes[i] / unit);
            y += sin(2 * M_PI * s->sizes[i] / unit);
        }
    return atan2(y, x) / (2 * M_PI);
}

/* Least squares over the multiples that unit and start give. */
static void fit(const search *s, double *unit, double *start)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (long i = 0; i < s->count; i++) {
        double multiple = rint(s->sizes[i] / *unit - *start);
        if (s->sizes[i] < *unit / 2)
            continue;
        n++;
        x += (multiple - x) / n;
        y += (s->sizes[i] - y) / n;
    }
    for (long i = 0; i < s->count; i++) {
        double multiple = rint(s->sizes[i] / *unit - *start) - x;
        if (s->sizes[i] < *unit / 2)
            continue;
        xx += multiple * multiple;
        xy += multiple * (s->sizes[i] - y);
    }
    if (xx > 0 && xy > 0) {
        *unit = xy / xx;
        *start = y / *unit - x;
    }
}

/* Units between this one and the largest size: a net of range / (off unit) of them has one that every unit is near
 * enough to, with 3/2 off in place of off; and one of 1 / off starts. off and the unit are chosen by the data: 10 bits,
 * for 2^10 choices of both up to a factor of 2. */
static double weigh(const ll_near_lattice *found, double range)
{
    double off = fmax(found->off, 0x1p-20);
    return -(double)found->multiples * log2(3 * off) - log2(range / (off * found->unit)) + log2(off) - 10;
}

typedef struct {
    double unit, start;
} net;

static double to_multiple(const net *of, double size)
{
    return size / of->unit - of->start;
}

/* The sizes from `first` that are nearest to one multiple; their mean distance from it, and the largest of one. */
static long next_multiple(const search *s, long first, const net *of, double *mean, double *most)
{
    double multiple = rint(to_multiple(of, s->sizes[first])), sum = 0;
    long i = first;
    for (; i < s->count && rint(to_multiple(of, s->sizes[i])) == multiple; i++) {
        double off = to_multiple(of, s->sizes[i]) - multiple;
        sum += off;
        *most = fmax(*most, fabs(off));
    }
    *mean = fabs(sum / (double)(i - first));
    return i;
}

static void consider(ll_near_lattice *out, const search *s, double unit)
{
    net of = {unit, find_start(s, unit)};
    fit(s, &of.unit, &of.start);
    ll_near_lattice found = {.unit = of.unit};
    double mean, most = 0;
    long first = 0;
    while (first < s->count && s->sizes[first] < of.unit / 2)
        first++; /* rows that say nothing, blurred */
    for (long i = first; i < s->count; found.multiples++) {
        i = next_multiple(s, i, &of, &mean, &most);
        found.off = fmax(found.off, mean);
    }
    found.evidence = most < 0.2 && found.off < 0.15 ? weigh(&found, s->sizes[s->count - 1]) : 0;
    if (found.evidence > out->evidence)
        *out = found;
}

/* With the steps of half a unit to eight units. */
static void try_unit(ll_near_lattice *out, const search *s, double unit)
{
    long first = seek(s, unit / 2), last = seek(s, 8 * unit);
    if (last - first < 2 || coherence(s, first, last, unit) < 0.6)
        return;
    double sharp = follow(s, unit);
    if (sharp > 0)
        consider(out, s, sharp);
}

/* Rough units, each a fiftieth less than the one before. */
static void scan(ll_near_lattice *out, const search *s)
{
    double range = s->sizes[s->count - 1], unit = range;
    while (unit > range * 0x1p-24) {
        try_unit(out, s, unit);
        unit /= 1.02;
    }
}

void ll_near_lattice_find(ll_near_lattice *out, const ll_sizes *sizes)
{
    *out = (ll_near_lattice){0};
    if (sizes->count < 3)
        return;
    search s = {.sizes = sizes->sizes, .count = sizes->count, .stride = sizes->count / SAMPLE + 1};
    collect_steps(&s);
    scan(out, &s);
}
