#include "investigate/suspicion.h"

#include "investigate/residue_sum.h"

#include <stdlib.h>
#include <string.h>

/* Classes tell one sum each. Scores of honest models with few different numbers tell more, of rows that happen to stand
 * alone: nine tenths of all labels are needed, of enough rows. */
enum { LEAST_ROWS = 80 };

ll_status ll_design_init(ll_design *design, long submissions)
{
    *design = (ll_design){.from = calloc((size_t)submissions / 64 + 1, sizeof *design->from)};
    return design->from != NULL ? LL_OK : LL_MEMORY;
}

void ll_design_clear(ll_design *design)
{
    free(design->from);
    *design = (ll_design){0};
}

int ll_design_has(const ll_design *design, long submission)
{
    return (int)(design->from[submission / 64] >> (submission % 64) & 1);
}

static long count_bits(const uint64_t *bits, long count)
{
    long set = 0;
    for (long s = 0; s < count; s++)
        set += (long)(bits[s / 64] >> (s % 64) & 1);
    return set;
}

/* Have all submissions of it at most two different numbers in each column? */
static int has_two_values(const ll_design *design, const ll_history *h)
{
    for (long s = 0; s < h->count; s++)
        for (long k = 0; ll_design_has(design, s) && k < h->items[s].columns; k++) {
            const double *x = h->items[s].values + k;
            double other = x[0];
            for (long i = 1; i < h->rows; i++) {
                double now = x[i * h->items[s].columns];
                if (now != x[0] && other != x[0] && now != other)
                    return 0;
                other = now != x[0] ? now : other;
            }
        }
    return 1;
}

/* The labels that were read so well at least, and the submissions behind them. */
static int collect(ll_design *design, const ll_history *h, const ll_knowledge *knowledge, ll_reading least)
{
    size_t words = (size_t)h->count / 64 + 1;
    uint64_t *one = malloc(sizeof *one * words);
    memset(design->from, 0, sizeof *design->from * words);
    design->labels = 0;
    for (long i = 0; one != NULL && i < h->rows; i++) {
        memset(one, 0, sizeof *one * words);
        if (ll_knowledge_get(knowledge, i) < 0 || ll_knowledge_get_from(knowledge, i, one) < least)
            continue;
        design->labels++;
        for (size_t w = 0; w < words; w++)
            design->from[w] |= one[w];
    }
    free(one);
    design->submissions = count_bits(design->from, h->count);
    return one != NULL;
}

static int is_design(const ll_design *design, const ll_history *h, long gain)
{
    return design->labels >= design->submissions + gain && 5 * design->labels >= 6 * design->submissions &&
           (has_two_values(design, h) || (h->rows >= LEAST_ROWS && 10 * design->labels >= 9 * h->rows));
}

int ll_design_find(ll_design *design, const ll_history *h, const ll_knowledge *knowledge, long gain)
{
    if ((collect(design, h, knowledge, LL_READ_WEIGHT) && is_design(design, h, gain)) ||
        (collect(design, h, knowledge, LL_READ_RESIDUE) && is_design(design, h, gain + LL_RESIDUE_LABELS)))
        return 1;
    memset(design->from, 0, sizeof *design->from * ((size_t)h->count / 64 + 1));
    design->submissions = design->labels = 0;
    return 0;
}
