#include "audit/known_counts.h"

#include <math.h>
#include <string.h>

#define MARGIN 0x1p-40 /* more than sums of doubles lose, of one bit */

/* ---- cycles ---- */

/* The largest counts, in falling order, and one place more; how many. Rows of other classes are taken as known. */
static int find_largest(double *out, const int64_t *counts, long classes)
{
    int found = 0;
    for (long k = 0; k < classes; k++) {
        int at = found;
        for (; at > 0 && out[at - 1] < (double)counts[k]; at--)
            out[at] = out[at - 1];
        out[at] = (double)counts[k];
        found += found < LL_LONGEST_CYCLE;
    }
    return found;
}

static void finish(ll_cycles *c)
{
    c->longest = 1;
    c->count[1] = c->rows;
    for (int m = 2; m <= LL_LONGEST_CYCLE; m++) {
        c->count[1] -= m * c->count[m];
        c->longest = c->count[m] > 0 ? m : c->longest;
    }
}

/* A row of every class as long as there are some, then of every class but the rarest, and so on. */
static void nest(ll_cycles *c, const double *largest, int found)
{
    for (int m = found; m >= 2; m--)
        c->count[m] = largest[m - 1] - (m < found ? largest[m] : 0);
}

void ll_cycles_init(ll_cycles out[LL_CYCLE_WAYS], const int64_t *counts, long classes)
{
    double largest[LL_LONGEST_CYCLE + 1] = {0}, rows = 0;
    int found = find_largest(largest, counts, classes);
    for (long k = 0; k < classes; k++)
        rows += (double)counts[k];
    memset(out, 0, sizeof *out * LL_CYCLE_WAYS);
    for (int way = 0; way < LL_CYCLE_WAYS; way++)
        out[way].rows = rows;
    nest(&out[0], largest, found);
    out[1].count[2] = fmin(floor(rows / 2), rows - largest[0]);
    for (int way = 0; way < LL_CYCLE_WAYS; way++)
        finish(&out[way]);
}

double ll_known_counts_bits(const int64_t *counts, long classes)
{
    double rows = 0, ways = 0;
    for (long k = 0; k < classes; k++) {
        rows += (double)counts[k];
        ways -= lgamma((double)counts[k] + 1);
    }
    return fmax(0, (ways + lgamma(rows + 1)) / M_LN2);
}

double ll_cycles_open(const ll_cycles *c)
{
    double open = 0;
    for (int m = 2; m <= c->longest; m++)
        open += c->count[m];
    return open;
}

/* ---- shares ---- */

double ll_cycles_share(const ll_cycles *c, double (*right)(const void *state, int length), const void *state)
{
    double share = c->count[1];
    for (int m = 2; m <= c->longest; m++)
        share += c->count[m] > 0 ? c->count[m] * m * right(state, m) : 0;
    return fmin(1, share / c->rows * (1 + MARGIN));
}

/* With so many bits the share is greatest where one more would be worth the same in every cycle: the turn of a cycle of
 * length m is right with odds of 2^(m worth) to m - 1. */
static double right_at(const void *worth, int length)
{
    return 1 / (1 + (length - 1) * exp2(-length * *(const double *)worth));
}

/* What a turn that is right with this probability takes: log2 m - h(d) - d log2(m - 1), d of it wrong. */
static double bits_at(double worth, int length)
{
    double right = right_at(&worth, length), wrong = (length - 1) * exp2(-length * worth) * right;
    double open = wrong > 0 ? -wrong * log2(wrong) - right * log2(right) + wrong * log2(length - 1) : 0;
    return fmax(0, log2(length) - open);
}

static double all_bits_at(const ll_cycles *c, double worth)
{
    double bits = 0;
    for (int m = 2; m <= c->longest; m++)
        bits += c->count[m] > 0 ? c->count[m] * bits_at(worth, m) : 0;
    return bits;
}

enum { MOST_WORTH = 60, STEPS = 100 };

double ll_cycles_share_of_bits(const ll_cycles *c, double bits)
{
    double low = 0, high = MOST_WORTH, enough = bits * (1 + MARGIN) + MARGIN * c->rows;
    if (c->longest == 1 || !(enough < all_bits_at(c, MOST_WORTH)))
        return 1;
    for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;
        if (all_bits_at(c, middle) < enough)
            low = middle;
        else
            high = middle;
    }
    return ll_cycles_share(c, right_at, &high);
}

double ll_cycles_bits_of_share(const ll_cycles *c, double share)
{
    double low = 0, high = MOST_WORTH;
    if (share >= 1)
        return all_bits_at(c, MOST_WORTH);
    for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;
        if (ll_cycles_share(c, right_at, &middle) <= share)
            low = middle;
        else
            high = middle;
    }
    return fmax(0, all_bits_at(c, low) * (1 - 4 * MARGIN) - 4 * MARGIN * c->rows);
}
