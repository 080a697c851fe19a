#include "investigate/knowledge.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of positives that are followed at once. */
enum { MOST_BRANCHES = 4, MOST_ORDERS = 16 };

typedef struct {
    long positives;
    ll_pool *pool;
} branch;

struct ll_knowledge {
    long rows, classes, variables, submissions, orders, residues;
    const ll_score_sums *revealed;
    long *added;
    long added_count;
    ll_pool *base;         /* sums that hold whatever the class counts are */
    unsigned char *may_be; /* [positives] */
    branch branches[MOST_BRANCHES];
    long branch_count;
    int has_views, is_branched, is_contradicted;
};

/* Elimination of m sums of V labels in one order takes about m^2 (V + m) steps. */
static long choose_orders(double variables, double submissions, double members)
{
    const double steps = 3e10;
    double each = members * members * (variables + submissions) + 1, orders = steps / each;
    return orders >= MOST_ORDERS ? MOST_ORDERS : (long)orders;
}

ll_knowledge *ll_knowledge_create(long rows, long classes, const ll_score_sums *revealed, long submissions,
                                  long members, long residues)
{
    ll_knowledge *k = calloc(1, sizeof *k);
    if (k == NULL)
        return NULL;
    k->rows = rows;
    k->classes = classes;
    k->variables = rows * (classes - 1);
    k->submissions = submissions;
    k->revealed = revealed;
    k->residues = residues;
    k->orders = choose_orders((double)k->variables, (double)submissions, (double)members);
    k->added = malloc(sizeof *k->added * (size_t)submissions + 1);
    k->may_be = malloc((size_t)rows + 1);
    k->base = ll_pool_create(k->variables, submissions, k->orders, k->residues);
    if (k->added == NULL || k->may_be == NULL || k->base == NULL) {
        ll_knowledge_destroy(k);
        return NULL;
    }
    memset(k->may_be, 1, (size_t)rows + 1);
    return k;
}

void ll_knowledge_destroy(ll_knowledge *k)
{
    if (k == NULL)
        return;
    for (long b = 0; b < k->branch_count; b++)
        ll_pool_destroy(k->branches[b].pool);
    ll_pool_destroy(k->base);
    free(k->may_be);
    free(k->added);
    free(k);
}

/* ---- numbers of positives ---- */

static ll_status add_feature_sum(const ll_knowledge *k, branch *b, const ll_view_sums *view, long submission)
{
    ll_known_sum sum;
    if (ll_known_sum_init(&sum, k->rows) != LL_OK)
        return LL_MEMORY;
    for (long i = 0; i < k->rows; i++)
        if (view->features[i] != 0) {
            sum.variables[sum.count] = (int32_t)i;
            sum.weights[sum.count++] = view->features[i];
        }
    sum.low = view->low[b->positives];
    sum.high = view->high[b->positives];
    ll_status status = ll_pool_add(b->pool, &sum, submission);
    /* The least feature of all times P is known, too: the difference has smaller weights and larger divisors. */
    int64_t least = k->rows > 0 ? view->features[0] : 0;
    for (long i = 0; i < k->rows; i++)
        least = view->features[i] < least ? view->features[i] : least;
    if (status == LL_OK && least > 0) {
        sum.count = 0;
        for (long i = 0; i < k->rows; i++)
            if (view->features[i] != least) {
                sum.variables[sum.count] = (int32_t)i;
                sum.weights[sum.count++] = view->features[i] - least;
            }
        sum.low = view->low[b->positives] - least * b->positives;
        sum.high = view->high[b->positives] - least * b->positives;
        status = ll_pool_add(b->pool, &sum, submission);
    }
    ll_known_sum_clear(&sum);
    return status;
}

static ll_status add_to_branch(const ll_knowledge *k, branch *b, long submission)
{
    const ll_score_sums *revealed = &k->revealed[submission];
    ll_status status = LL_OK;
    for (long i = 0; i < revealed->count && status == LL_OK; i++)
        status = ll_pool_add(b->pool, &revealed->sums[i], submission);
    for (long i = 0; i < revealed->view_count && status == LL_OK; i++)
        status = add_feature_sum(k, b, &revealed->views[i], submission);
    return status;
}

static ll_status add_positives(const ll_knowledge *k, branch *b)
{
    ll_known_sum sum;
    if (ll_known_sum_init(&sum, k->rows) != LL_OK)
        return LL_MEMORY;
    for (long i = 0; i < k->rows; i++) {
        sum.variables[i] = (int32_t)i;
        sum.weights[i] = 1;
    }
    sum.count = k->rows;
    sum.low = sum.high = b->positives;
    ll_status status = ll_pool_add(b->pool, &sum, -1);
    ll_known_sum_clear(&sum);
    return status;
}

static ll_status begin_branch(ll_knowledge *k, long positives)
{
    branch *b = &k->branches[k->branch_count];
    *b = (branch){positives, ll_pool_create(k->variables, k->submissions, k->orders, k->residues)};
    if (b->pool == NULL)
        return LL_MEMORY;
    k->branch_count++;
    ll_status status = add_positives(k, b);
    for (long i = 0; i < k->added_count && status == LL_OK; i++)
        status = add_to_branch(k, b, k->added[i]);
    return status;
}

static ll_status begin_branches(ll_knowledge *k)
{
    ll_status status = LL_OK;
    k->is_branched = 1;
    for (long p = 0; p <= k->rows && status == LL_OK; p++)
        if (k->may_be[p])
            status = begin_branch(k, p);
    return status;
}

static void drop_contradicted(ll_knowledge *k)
{
    long left = 0;
    for (long b = 0; b < k->branch_count; b++) {
        branch *one = &k->branches[b];
        if (!k->may_be[one->positives] || ll_pool_is_contradicted(one->pool))
            ll_pool_destroy(one->pool);
        else
            k->branches[left++] = *one;
    }
    k->branch_count = left;
}

/* A multiple of the features' common divisor must lie in the interval, too. */
static int has_sum(const ll_view_sums *view, long rows, long positives, int64_t least, int64_t divisor)
{
    int64_t low = view->low[positives] - least * positives, high = view->high[positives] - least * positives;
    (void)rows;
    if (low > high)
        return 0;
    if (divisor == 0)
        return low <= 0 && high >= 0;
    int64_t rest = ((high % divisor) + divisor) % divisor;
    return high - rest >= low;
}

static void narrow(unsigned char *may_be, long rows, const ll_view_sums *view)
{
    int64_t least = view->features[0], divisor = 0;
    for (long i = 0; i < rows; i++)
        least = view->features[i] < least ? view->features[i] : least;
    for (long i = 0; i < rows; i++) {
        int64_t a = view->features[i] - least, b = divisor;
        while (b != 0) {
            int64_t rest = a % b;
            a = b;
            b = rest;
        }
        divisor = a;
    }
    for (long p = 0; p <= rows; p++)
        may_be[p] = may_be[p] && has_sum(view, rows, p, least, divisor);
}

void ll_score_sums_narrow(const ll_score_sums *revealed, long rows, unsigned char *may_be)
{
    for (long i = 0; i < revealed->view_count; i++)
        narrow(may_be, rows, &revealed->views[i]);
}

static long count_possible(const ll_knowledge *k)
{
    long count = 0;
    for (long p = 0; p <= k->rows; p++)
        count += k->may_be[p];
    return count;
}

static ll_status add_views(ll_knowledge *k, long submission)
{
    const ll_score_sums *revealed = &k->revealed[submission];
    ll_status status = LL_OK;
    ll_score_sums_narrow(revealed, k->rows, k->may_be);
    k->has_views = k->has_views || revealed->view_count > 0;
    drop_contradicted(k);
    for (long b = 0; b < k->branch_count && status == LL_OK; b++)
        status = add_to_branch(k, &k->branches[b], submission);
    if (status == LL_OK && k->has_views && !k->is_branched && count_possible(k) <= MOST_BRANCHES)
        status = begin_branches(k);
    drop_contradicted(k);
    k->is_contradicted = k->is_contradicted || (k->is_branched && k->branch_count == 0);
    return status;
}

/* ---- all together ---- */

ll_status ll_knowledge_add(ll_knowledge *k, long submission)
{
    const ll_score_sums *revealed = &k->revealed[submission];
    ll_status status = LL_OK;
    k->added[k->added_count++] = submission;
    for (long i = 0; i < revealed->count && status == LL_OK; i++)
        status = ll_pool_add(k->base, &revealed->sums[i], submission);
    k->is_contradicted = k->is_contradicted || ll_pool_is_contradicted(k->base);
    return status == LL_OK ? add_views(k, submission) : status;
}

int ll_knowledge_is_contradicted(const ll_knowledge *k)
{
    return k->is_contradicted;
}

int ll_knowledge_is_complete(const ll_knowledge *k)
{
    return k->orders > 0;
}

/* The value on which all branches agree; *pool: one that has it. */
static int get_variable(const ll_knowledge *k, long variable, const ll_pool **pool)
{
    int value = ll_pool_get(k->base, variable);
    *pool = k->base;
    if (value >= 0 || k->branch_count == 0)
        return value;
    *pool = k->branches[0].pool;
    value = ll_pool_get(*pool, variable);
    for (long b = 1; b < k->branch_count; b++)
        if (ll_pool_get(k->branches[b].pool, variable) != value)
            return -1;
    return value;
}

/* A label is known where its variable is 1, or where all variables of the row are 0. */
long ll_knowledge_get(const ll_knowledge *k, long row)
{
    const ll_pool *pool;
    long zeros = 0;
    if (k->is_contradicted)
        return -1;
    for (long j = 0; j < k->classes - 1; j++) {
        int value = get_variable(k, row * (k->classes - 1) + j, &pool);
        if (value == 1)
            return j + 1;
        zeros += value == 0;
    }
    return zeros == k->classes - 1 ? 0 : -1;
}

long ll_knowledge_count(const ll_knowledge *k)
{
    long count = 0;
    for (long i = 0; i < k->rows; i++)
        count += ll_knowledge_get(k, i) >= 0;
    return count;
}

ll_reading ll_knowledge_get_from(const ll_knowledge *k, long row, uint64_t *from)
{
    const ll_pool *pool;
    ll_reading best = LL_READ_ALIKE;
    long label = ll_knowledge_get(k, row);
    for (long j = 0; j < k->classes - 1; j++) {
        long variable = row * (k->classes - 1) + j;
        if (get_variable(k, variable, &pool) != (label == j + 1))
            continue;
        for (long w = 0; w < k->submissions / 64 + 1; w++)
            from[w] |= ll_pool_from(pool, variable)[w];
        best = ll_pool_reading(pool, variable) > best ? ll_pool_reading(pool, variable) : best;
    }
    return best;
}
