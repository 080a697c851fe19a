/* When is the labelling that was found the only one? (docs/proofs/hadamard.md)
 *
 * With all lines of a group asked, H' H = n: labellings that differ in the bits of D rows have sums whose squared
 * differences add up to n D. Both must lie in the intervals, so the difference in query q is at most M(q), the distance
 * of the found sum from the farther end, in whole numbers. Two labels differ in 2^(m-1) bits:
 *
 *     rows that differ <= sum over q of M(q)^2 / (n 2^(m-1)).
 *
 * Two classes: each of D rows changes every sum by 1, so all differences are even or all odd, as D is. Even D >= 2:
 * even parts of M count, and must reach 2 n. Odd D: no M may be 0, odd parts count; D >= 3 needs 3 n, and D = 1 is one
 * row, which is tried for every row at once by one more transform. */
#include "posterior/posterior.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double up, down; /* by how much the found sum may rise and fall, whole numbers; negative: it does not fit */
} room;

/* Sums of weights 0 and 1 are z + rows/2, whole numbers. */
static room room_of(const ll_posterior_problem *s, long q, double twice)
{
    double half = (double)s->rows / 2, sum = (twice + (double)s->rows) / 2;
    double low = ceil(nextafter(s->low[q] + half, -INFINITY)), high = floor(nextafter(s->high[q] + half, INFINITY));
    return (room){fmin(high, (double)s->rows) - sum, sum - fmax(low, 0)};
}

static int is_complete(const ll_posterior_problem *s)
{
    if (s->is_random || s->queries != (long)s->groups << s->bits)
        return 0;
    for (long q = 0; q < s->queries; q++)
        if (!s->answered[q])
            return 0;
    return 1;
}

/* Does every change of one row leave some interval? The changes that leave the interval of q: those that raise the sum
 * where up is 0, and those that lower it where down is 0. */
static int no_single(const ll_posterior_problem *s, const room *rooms, const int32_t *labels, int *out)
{
    double *x = calloc((size_t)1 << s->bits, sizeof *x), all = 0;
    if (x == NULL)
        return 0;
    for (long q = 0; q < s->queries; q++) {
        x[s->lines[q]] = (rooms[q].up < 1) - (rooms[q].down < 1);
        all += (rooms[q].up < 1) + (rooms[q].down < 1);
    }
    ll_posterior_transform(x, s->bits);
    *out = 1;
    for (long row = 0; row < s->rows; row++) {
        double sign = (s->columns[row] & 1) == (labels[row] == 1) ? 1 : -1; /* label 1 falls where the sign is + */
        *out = *out && all + sign * x[s->columns[row] >> 1] > 0;
    }
    free(x);
    return 1;
}

static ll_status two_classes(const ll_posterior_problem *s, const room *rooms, const int32_t *labels, int *is_only)
{
    double even = 0, odd = 0, n = (double)s->queries;
    int has_still = 0;
    for (long q = 0; q < s->queries; q++) {
        double most = fmax(rooms[q].up, rooms[q].down), half = floor(most / 2),
               odd_part = 2 * floor((most - 1) / 2) + 1;
        even += 4 * half * half;
        odd += odd_part * odd_part;
        has_still = has_still || most < 1;
    }
    *is_only = even < 2 * n && has_still;
    if (has_still || even >= 2 * n || odd >= 3 * n)
        return LL_OK;
    return no_single(s, rooms, labels, is_only) ? LL_OK : LL_MEMORY;
}

static int many_classes(const ll_posterior_problem *s, const room *rooms)
{
    double sum = 0;
    for (long q = 0; q < s->queries; q++) {
        double most = fmax(rooms[q].up, rooms[q].down);
        sum += most * most;
    }
    return sum < ldexp(1, s->bits) * (s->groups + 1) / 2;
}

ll_status ll_posterior_certify(const ll_posterior_problem *s, ll_posterior_proof *out, const int32_t *labels)
{
    double *sums = malloc(sizeof *sums * (size_t)s->queries);
    room *rooms = malloc(sizeof *rooms * (size_t)s->queries);
    ll_status status = sums != NULL && rooms != NULL ? ll_posterior_sums(s, sums, labels) : LL_MEMORY;
    *out = (ll_posterior_proof){.fits = 1};
    for (long q = 0; q < s->queries && status == LL_OK; q++) {
        if (!s->answered[q])
            continue;
        rooms[q] = room_of(s, q, sums[q]);
        out->fits = out->fits && rooms[q].up >= 0 && rooms[q].down >= 0;
        out->impossible = out->impossible || rooms[q].up + rooms[q].down < 0;
    }
    if (s->noise.law != NULL)
        *out = (ll_posterior_proof){.fits = 1};
    else if (status == LL_OK && out->fits && is_complete(s)) {
        if (s->classes == 2)
            status = two_classes(s, rooms, labels, &out->is_only);
        else
            out->is_only = many_classes(s, rooms);
    }
    free(sums);
    free(rooms);
    return status;
}
