#include "investigate/suspicion.h"

#include <stdlib.h>
#include <string.h>

/* Labels beyond the number of submissions that read them. */
enum { GAIN_OF_WEAK = 12 };

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

int ll_design_find(ll_design *design, const ll_history *h, const ll_knowledge *knowledge, long gain)
{
    size_t words = (size_t)h->count / 64 + 1;
    uint64_t *one = malloc(sizeof *one * words);
    memset(design->from, 0, sizeof *design->from * words);
    design->labels = 0;
    for (long i = 0; one != NULL && i < h->rows; i++) {
        memset(one, 0, sizeof *one * words);
        if (ll_knowledge_get(knowledge, i) < 0 || !ll_knowledge_get_from(knowledge, i, one))
            continue;
        design->labels++;
        for (size_t w = 0; w < words; w++)
            design->from[w] |= one[w];
    }
    free(one);
    design->submissions = count_bits(design->from, h->count);
    if (design->labels >= design->submissions + gain && 5 * design->labels >= 6 * design->submissions &&
        (has_two_values(design, h) || (h->rows >= LEAST_ROWS && 10 * design->labels >= 9 * h->rows)))
        return 1;
    memset(design->from, 0, sizeof *design->from * words);
    design->submissions = design->labels = 0;
    return 0;
}

ll_status ll_design_find_weak(ll_design *design, const ll_history *h, const ll_history_marks *marks)
{
    ll_knowledge *knowledge = ll_knowledge_create(h->rows, h->classes, h->told, h->count, marks->weak);
    ll_status status = knowledge != NULL ? LL_OK : LL_MEMORY;
    for (long s = 0; s < h->count && status == LL_OK; s++)
        if (marks->is_weak[s])
            status = ll_knowledge_add(knowledge, s);
    if (status == LL_OK && !ll_knowledge_is_contradicted(knowledge))
        (void)ll_design_find(design, h, knowledge, GAIN_OF_WEAK);
    ll_knowledge_destroy(knowledge);
    return status;
}

/* Labels known from the submissions of a design without those of an account (-1: with all). -1: no memory. */
static long count_without(const ll_design *design, const ll_history *h, long account)
{
    ll_knowledge *knowledge = ll_knowledge_create(h->rows, h->classes, h->told, h->count, count_bits(design->from, h->count));
    ll_status status = knowledge != NULL ? LL_OK : LL_MEMORY;
    for (long s = 0; s < h->count && status == LL_OK; s++)
        if (ll_design_has(design, s) && h->items[s].account != account)
            status = ll_knowledge_add(knowledge, s);
    long count = status == LL_OK ? ll_knowledge_count(knowledge) : -1;
    ll_knowledge_destroy(knowledge);
    return count;
}

static int has_account(const ll_design *design, const ll_history *h, long account)
{
    for (long s = 0; s < h->count; s++)
        if (ll_design_has(design, s) && h->items[s].account == account)
            return 1;
    return 0;
}

static void drop_account(ll_design *design, const ll_history *h, long account)
{
    for (long s = 0; s < h->count; s++)
        if (h->items[s].account == account)
            design->from[s / 64] &= ~((uint64_t)1 << (s % 64));
}

ll_status ll_design_drop_bystanders(ll_design *design, const ll_history *h)
{
    long before = count_without(design, h, -1);
    for (long a = 0; a < h->account_count && before > 0; a++) {
        if (!has_account(design, h, a))
            continue;
        long after = count_without(design, h, a);
        if (after < 0)
            return LL_MEMORY;
        if (10 * after >= 9 * before)
            drop_account(design, h, a);
    }
    return before >= 0 ? LL_OK : LL_MEMORY;
}
