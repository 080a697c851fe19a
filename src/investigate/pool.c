#include "investigate/pool.h"

#include "investigate/elimination.h"
#include "investigate/residue_sum.h"
#include "number/memory.h"

#include <stdlib.h>
#include <string.h>

/* Variables of a sum that elimination found and that is decided. */
enum { MOST_SUPPORT = 64 };

typedef struct {
    ll_known_sum sum;
    uint64_t *from;
    long submission;
    int is_due, is_eliminated;
} entry;

struct ll_pool {
    long variables, submissions, words;
    signed char *values;
    unsigned char *readings; /* ll_reading */
    uint64_t *from;          /* [variable * words] */
    entry *entries;
    long count, room;
    ll_elimination **orders;
    long order_count, residues;
    int32_t *news; /* variables that became known and were not substituted yet */
    long news_count;
    ll_known_sum found; /* scratch */
    uint64_t *found_from;
    signed char *decided;
    int consistent;
};

ll_pool *ll_pool_create(long variables, long submissions, long orders, long residues)
{
    ll_pool *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    size_t n = (size_t)variables;
    *p = (ll_pool){.variables = variables,
                   .submissions = submissions,
                   .words = submissions / 64 + 1,
                   .residues = residues,
                   .consistent = 1};
    p->values = malloc(n + 1);
    p->readings = calloc(n + 1, 1);
    p->from = calloc(n * (size_t)p->words + 1, sizeof *p->from);
    p->news = malloc(sizeof *p->news * (n + 1));
    p->decided = malloc(n + MOST_SUPPORT + 1);
    p->found_from = calloc((size_t)p->words, sizeof *p->found_from);
    p->orders = calloc((size_t)orders + 1, sizeof(ll_elimination *));
    int complete = p->values && p->readings && p->from && p->news && p->decided && p->found_from && p->orders &&
                   ll_known_sum_init(&p->found, MOST_SUPPORT) == LL_OK;
    for (; complete && p->order_count < orders; p->order_count++)
        if ((p->orders[p->order_count] = ll_elimination_create(variables, submissions, p->order_count)) == NULL)
            complete = 0;
    if (!complete) {
        ll_pool_destroy(p);
        return NULL;
    }
    memset(p->values, -1, n);
    return p;
}

void ll_pool_destroy(ll_pool *p)
{
    if (p == NULL)
        return;
    for (long i = 0; i < p->count; i++) {
        ll_known_sum_clear(&p->entries[i].sum);
        free(p->entries[i].from);
    }
    for (long i = 0; i < p->order_count; i++)
        ll_elimination_destroy(p->orders[i]);
    ll_known_sum_clear(&p->found);
    free(p->entries);
    free((void *)p->orders);
    free(p->values);
    free(p->readings);
    free(p->from);
    free(p->news);
    free(p->decided);
    free(p->found_from);
    free(p);
}

int ll_pool_is_contradicted(const ll_pool *p)
{
    return !p->consistent;
}

int ll_pool_get(const ll_pool *p, long variable)
{
    return p->values[variable];
}

const uint64_t *ll_pool_from(const ll_pool *p, long variable)
{
    return p->from + variable * p->words;
}

ll_reading ll_pool_reading(const ll_pool *p, long variable)
{
    return (ll_reading)p->readings[variable];
}

/* ---- entries ---- */

static int make_room(ll_pool *p)
{
    entry *grown = ll_grow(p->entries, &p->room, p->count, sizeof *grown);
    if (grown == NULL)
        return 0;
    p->entries = grown;
    return 1;
}

/* *sum is taken over, whatever happens. */
static ll_status push(ll_pool *p, ll_known_sum *sum, long submission, const uint64_t *from)
{
    uint64_t *copy = make_room(p) ? malloc(sizeof *copy * (size_t)p->words) : NULL;
    if (copy == NULL) {
        ll_known_sum_clear(sum);
        return LL_MEMORY;
    }
    memcpy(copy, from, sizeof *copy * (size_t)p->words);
    p->entries[p->count++] = (entry){.sum = *sum, .from = copy, .submission = submission, .is_due = 1};
    return LL_OK;
}

static void merge(uint64_t *to, const uint64_t *from, long words)
{
    for (long w = 0; w < words; w++)
        to[w] |= from[w];
}

/* ---- labels that became known ---- */

/* The bit behind those of the submissions: the sum was decided modulo a prime, or follows from one that was. Such labels
 * are known, but their weights were not told apart. */
static void mark_residue(const ll_pool *p, uint64_t *from)
{
    from[p->submissions / 64] |= (uint64_t)1 << (p->submissions % 64);
}

static int has_residue(const ll_pool *p, const uint64_t *from)
{
    return (int)(from[p->submissions / 64] >> (p->submissions % 64) & 1);
}

static void learn(ll_pool *p, const ll_known_sum *sum, const uint64_t *from, ll_reading reading)
{
    for (long j = 0; j < sum->count; j++) {
        int32_t variable = sum->variables[j];
        if (p->decided[j] < 0 || p->values[variable] >= 0)
            continue;
        p->values[variable] = p->decided[j];
        p->readings[variable] =
            (unsigned char)(reading > LL_READ_RESIDUE && has_residue(p, from) ? LL_READ_RESIDUE : reading);
        merge(p->from + variable * p->words, from, p->words);
        p->news[p->news_count++] = variable;
    }
}

static void substitute(ll_pool *p, int32_t variable)
{
    const uint64_t *from = ll_pool_from(p, variable);
    for (long i = 0; i < p->count; i++)
        if (ll_known_sum_substitute(&p->entries[i].sum, variable, p->values[variable])) {
            merge(p->entries[i].from, from, p->words);
            p->entries[i].is_due = 1;
        }
    for (long i = 0; i < p->order_count; i++)
        ll_elimination_substitute(p->orders[i], variable, p->values[variable], from, &p->consistent);
}

static void decide(ll_pool *p, const ll_known_sum *sum, const uint64_t *from)
{
    int is_extreme, status = ll_known_sum_decide(sum, p->decided, &is_extreme);
    p->consistent = p->consistent && status >= 0;
    if (status >= 0)
        learn(p, sum, from, status > 0 && (!is_extreme || sum->count == 1) ? LL_READ_WEIGHT : LL_READ_ALIKE);
}

static void decide_residue(ll_pool *p, const ll_known_sum *sum, uint32_t prime, uint64_t *from)
{
    uint32_t weights[LL_RESIDUE_LABELS];
    for (long j = 0; j < sum->count; j++)
        weights[j] = (uint32_t)sum->weights[j];
    int status = ll_residue_sum_decide(weights, sum->count, (uint32_t)sum->low, prime, p->decided);
    p->consistent = p->consistent && status >= 0;
    mark_residue(p, from);
    if (status > 0)
        learn(p, sum, from, LL_READ_RESIDUE);
}

/* ---- everything that follows ---- */

/* Sums that are exact go into every elimination, once. */
static ll_status eliminate(ll_pool *p, entry *e)
{
    ll_status status = LL_OK;
    e->is_eliminated = 1;
    for (long i = 0; i < p->order_count && status == LL_OK; i++)
        status = ll_elimination_add(p->orders[i], &e->sum, e->submission, e->from, &p->consistent);
    return status;
}

static ll_status look_at(ll_pool *p, long index)
{
    ll_known_sum large;
    ll_status status = LL_OK;
    entry *e = &p->entries[index];
    e->is_due = 0;
    p->consistent = p->consistent && ll_known_sum_normalise(&e->sum);
    if (!p->consistent || e->sum.count == 0)
        return LL_OK;
    int cut = ll_known_sum_cut(&e->sum, &large);
    p->consistent = cut >= 0;
    if (cut > 0) {
        status = push(p, &large, e->submission, e->from);
        e = &p->entries[index];
        e->is_due = 1; /* what is left may be cut again */
        e->is_eliminated = 0;
    }
    if (status == LL_OK && cut >= 0 && e->sum.low == e->sum.high && !e->is_eliminated)
        status = eliminate(p, e);
    if (status == LL_OK && cut >= 0)
        decide(p, &e->sum, e->from);
    return status;
}

static int look_at_eliminations(ll_pool *p)
{
    uint32_t prime;
    for (long i = 0; i < p->order_count && p->consistent; i++)
        while (p->consistent && ll_elimination_next(p->orders[i], &p->found, &prime, p->found_from, MOST_SUPPORT)) {
            if (prime == 0)
                decide(p, &p->found, p->found_from);
            else if (p->found.count <= p->residues)
                decide_residue(p, &p->found, prime, p->found_from);
            if (p->news_count > 0)
                return 1;
        }
    return 0;
}

static ll_status settle(ll_pool *p)
{
    ll_status status = LL_OK;
    for (int more = 1; more && p->consistent && status == LL_OK;) {
        while (p->news_count > 0)
            substitute(p, p->news[--p->news_count]);
        more = 0;
        for (long i = 0; i < p->count && p->consistent && status == LL_OK; i++)
            if (p->entries[i].is_due) {
                status = look_at(p, i);
                more = 1;
            }
        more = more || p->news_count > 0 || look_at_eliminations(p);
    }
    return status;
}

ll_status ll_pool_add(ll_pool *p, const ll_known_sum *sum, long submission)
{
    ll_known_sum copy;
    uint64_t *from = p->found_from;
    if (!p->consistent)
        return LL_OK;
    if (ll_known_sum_copy(&copy, sum) != LL_OK)
        return LL_MEMORY;
    memset(from, 0, sizeof *from * (size_t)p->words);
    if (submission >= 0)
        from[submission / 64] |= (uint64_t)1 << (submission % 64);
    for (long j = copy.count - 1; j >= 0; j--) {
        int32_t variable = copy.variables[j];
        if (p->values[variable] >= 0) {
            merge(from, ll_pool_from(p, variable), p->words);
            (void)ll_known_sum_substitute(&copy, variable, p->values[variable]);
        }
    }
    ll_status status = push(p, &copy, submission, from);
    return status == LL_OK ? settle(p) : status;
}
