/* Rows in the order of their predictions. The predictions of each label are sorted by themselves, as integers in the
 * order of doubles and by their digits of 11 bits; then both are run through from the top. */
#include "metric/ranks/auc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sorting doubles ---- */

enum { DIGIT = 11, BUCKETS = 1 << DIGIT, PASSES = 6 };

/* Doubles in rising order are these in rising order. */
static uint64_t key_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double double_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static long digit_of(uint64_t key, int pass)
{
    return (long)(key >> (pass * DIGIT)) & (BUCKETS - 1);
}

static void count_digits(uint32_t counts[PASSES][BUCKETS], const uint64_t *keys, long n)
{
    memset(counts, 0, sizeof(uint32_t) * PASSES * BUCKETS);
    for (long i = 0; i < n; i++)
        for (int pass = 0; pass < PASSES; pass++)
            counts[pass][digit_of(keys[i], pass)]++;
}

/* from, in the order of one digit, into to; 0 where that digit is the same everywhere. */
static int sort_digit(uint64_t *to, const uint64_t *from, uint32_t *counts, long n, int pass)
{
    uint32_t at = 0;
    if (counts[digit_of(from[0], pass)] == (uint32_t)n)
        return 0;
    for (long b = 0; b < BUCKETS; b++) {
        uint32_t count = counts[b];
        counts[b] = at;
        at += count;
    }
    for (long i = 0; i < n; i++)
        to[counts[digit_of(from[i], pass)]++] = from[i];
    return 1;
}

static int compare_doubles(const void *a, const void *b)
{
    uint64_t x = key_of(*(const double *)a), y = key_of(*(const double *)b);
    return (x > y) - (x < y);
}

/* n doubles in rising order, -0 before 0; spare has room for as many. No NaN. */
static void sort_doubles(double *x, double *spare, long n)
{
    uint32_t counts[PASSES][BUCKETS];
    if (n < BUCKETS || n > (long)UINT32_MAX) {
        qsort(x, (size_t)n, sizeof *x, compare_doubles);
        return;
    }
    uint64_t *from = (uint64_t *)(void *)x, *to = (uint64_t *)(void *)spare;
    for (long i = 0; i < n; i++) {
        uint64_t key = key_of(x[i]);
        memcpy(&from[i], &key, sizeof key);
    }
    count_digits(counts, from, n);
    for (int pass = 0; pass < PASSES; pass++)
        if (sort_digit(to, from, counts[pass], n, pass)) {
            uint64_t *other = from;
            from = to;
            to = other;
        }
    for (long i = 0; i < n; i++) {
        double sorted = double_of(from[i]);
        memcpy(&x[i], &sorted, sizeof sorted);
    }
}

/* ---- rows ---- */

/* Predictions by label: those of label 0 from the front, those of label 1 from the back. */
typedef struct {
    const ll_scoring *scoring;
    const ll_predictions *predictions;
    long column, one; /* the label that counts as 1 */
    double *values;
    long zeros, ones;
    ll_exact *exacts; /* of exact arithmetic: all rows; else NULL */
} pass;

static void put(pass *p, double x, int32_t label)
{
    double plain = x + 0.0; /* -0 is 0 */
    if (label != p->one)
        p->values[p->zeros++] = plain;
    else
        p->values[p->scoring->rows - ++p->ones] = plain;
}

static ll_status visit(void *state, const ll_block *block, long first, ll_error *error)
{
    pass *p = state;
    int single = p->scoring->how->kind != LL_KIND_EXACT && p->scoring->how->rows.format.fraction_bits == 23;
    const int32_t *labels = p->scoring->labels + first;
    for (long i = 0; i < block->rows; i++) {
        long at = i * block->columns + p->column;
        double x = block->entries == LL_ENTRIES_EXACT    ? ll_exact_get_d(&block->exacts[at])
                   : block->entries == LL_ENTRIES_DOUBLE ? block->doubles[at]
                                                         : (double)block->floats[at];
        x = single ? (double)(float)x : x;
        if (p->exacts != NULL)
            ll_exact_set(&p->exacts[first + i], &block->exacts[at]);
        else if (!isfinite(x))
            return ll_rows_fail(p->predictions, first + i, error, LL_DOMAIN, "an entry is not finite");
        else
            put(p, x, labels[i]);
    }
    return LL_OK;
}

/* ---- exact numbers: their places take their place ---- */

static int compare_exacts(const void *a, const void *b)
{
    return ll_exact_cmp(*(const ll_exact *const *)a, *(const ll_exact *const *)b);
}

static ll_status put_places(pass *p, ll_error *error)
{
    long n = p->scoring->rows, place = 0;
    const ll_exact **order = malloc((size_t)n * sizeof(const ll_exact *));
    if (order == NULL)
        return ll_fail(error, LL_MEMORY, "no memory to sort %ld rows", n);
    for (long i = 0; i < n; i++)
        order[i] = &p->exacts[i];
    qsort(order, (size_t)n, sizeof(const ll_exact *), compare_exacts);
    for (long i = 0; i < n; i++) {
        place += i > 0 && ll_exact_cmp(order[i - 1], order[i]) != 0;
        put(p, (double)place, p->scoring->labels[order[i] - p->exacts]);
    }
    free(order);
    return LL_OK;
}

/* ---- the ranking ---- */

/* Both lists from the top, tie after tie. */
static void run_through(ll_ranking *r, const double *zeros, long n0, const double *ones, long n1)
{
    long i = n0, j = n1, t = 0;
    while (i > 0 || j > 0) {
        double top = i == 0 ? ones[j - 1] : j == 0 || zeros[i - 1] > ones[j - 1] ? zeros[i - 1] : ones[j - 1];
        while (i > 0 && zeros[i - 1] == top)
            i--;
        while (j > 0 && ones[j - 1] == top)
            j--;
        r->above[2 * t] = n0 - i;
        r->above[2 * t + 1] = n1 - j;
        t++;
    }
    r->ties = t;
}

static ll_status rank(pass *p, ll_ranking *ranking, ll_error *error)
{
    long n = p->scoring->rows;
    double *spare = malloc((size_t)n * sizeof *spare);
    ranking->above = malloc((size_t)n * 2 * sizeof *ranking->above);
    if (spare == NULL || ranking->above == NULL) {
        free(spare);
        return ll_fail(error, LL_MEMORY, "no memory to sort %ld rows", n);
    }
    sort_doubles(p->values, spare, p->zeros);
    sort_doubles(p->values + p->zeros, spare, p->ones);
    ranking->rows = n;
    ranking->positives = p->ones;
    run_through(ranking, p->values, p->zeros, p->values + p->zeros, p->ones);
    free(spare);
    return LL_OK;
}

ll_status ll_ranking_init(const ll_scoring *scoring, ll_ranking *ranking, const ll_predictions *predictions,
                          long column, ll_error *error)
{
    pass p = {.scoring = scoring, .predictions = predictions, .column = column};
    p.one = predictions->columns > 1 ? column : 1;
    int exact = scoring->how->kind == LL_KIND_EXACT && predictions->entries == LL_ENTRIES_EXACT;
    *ranking = (ll_ranking){0};
    p.values = malloc((size_t)scoring->rows * sizeof *p.values);
    p.exacts = exact ? calloc((size_t)scoring->rows, sizeof *p.exacts) : NULL;
    ll_status status = LL_OK;
    if (p.values == NULL || (exact && p.exacts == NULL))
        status = ll_fail(error, LL_MEMORY, "no memory to sort %ld rows", scoring->rows);
    if (status == LL_OK)
        status = ll_rows_each(predictions, visit, &p, error);
    if (status == LL_OK && exact)
        status = put_places(&p, error);
    if (status == LL_OK)
        status = rank(&p, ranking, error);
    ll_exact_free(p.exacts, scoring->rows);
    free(p.values);
    if (status != LL_OK)
        ll_ranking_clear(ranking);
    return status;
}

void ll_ranking_clear(ll_ranking *ranking)
{
    free(ranking->above);
    *ranking = (ll_ranking){0};
}

/* ---- the number ---- */

ll_status ll_ranking_work(const ll_computation *how, const ll_work *work, ll_worked *out, const ll_ranking *ranking,
                          ll_error *error)
{
    return ll_ranks_of(how->metric)->work(how, work, out, ranking, error);
}

ll_status ll_score_ranks(const ll_scoring *scoring, ll_unreleased *out, const ll_predictions *predictions, slong bits,
                         ll_error *error)
{
    ll_ranking ranking;
    ll_work work = ll_view_work(scoring->how, bits);
    ll_worked number;
    if (ll_ranks_of(scoring->how->metric)->of_classes)
        return ll_score_one_vs_rest(scoring, out, predictions, bits, error);
    ll_status status = ll_ranking_init(scoring, &ranking, predictions, 0, error);
    if (status != LL_OK)
        return status;
    ll_worked_init(&number);
    status = ll_ranking_work(scoring->how, &work, &number, &ranking, error);
    if (status == LL_OK)
        ll_view_finish(scoring->how, out, &number);
    ll_worked_clear(&number);
    ll_ranking_clear(&ranking);
    return status;
}
