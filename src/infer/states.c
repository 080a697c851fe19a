/* Labellings by their states. A metric of counts is a function of P, rows of class 1, and true positives; AUC of P and
 * the sum of the positives' ranks; accuracy of P and true positives too. With two classes each is a sum over the rows
 * of class 1, so what explains all numbers is a set of sums, and labellings are counted by their sums (search/tally.h,
 * docs/proofs/states.md). */
#include "infer/joint.h"

#include "metric/ranks/auc.h"
#include "metric/view.h"
#include "number/order.h"

#include <stdlib.h>
#include <string.h>

enum { PREC = 320 };

/* ---- counts: true positives ---- */

static ll_status set_tp(ll_joint_number *n, long *feature)
{
    for (long i = 0; i < n->evidence->rows; i++) {
        feature[i] = n->observation->values[i] != 0;
        n->guessed += feature[i];
    }
    return LL_OK;
}

int ll_joint_compare_tp(const ll_joint_number *n, long positives, long tp)
{
    const ll_computation *how = n->evidence->scoring.how;
    ll_work work = ll_view_work(how, n->evidence->scorer->computation.precision + 64);
    ll_two two = {tp, n->guessed, positives, n->evidence->rows};
    ll_worked number;
    ll_unreleased unreleased;
    arb_t value;
    int order = 2;
    ll_worked_init(&number);
    ll_unreleased_init(&unreleased);
    arb_init(value);
    if (ll_score_two(how, &work, &number, &two) == LL_OK) {
        ll_view_finish(how, &unreleased, &number);
        arb_set_interval_arf(value, unreleased.lower, unreleased.upper, PREC + how->precision);
        order = arb_overlaps(value, n->observation->sum) ? 0 : arb_lt(value, n->observation->sum) ? -1 : 1;
    }
    arb_clear(value);
    ll_unreleased_clear(&unreleased);
    ll_worked_clear(&number);
    return order;
}

static int fits_tp(const ll_joint_number *n, long positives, long tp)
{
    return positives - tp <= n->evidence->rows - n->guessed && ll_joint_compare_tp(n, positives, tp) == 0;
}

const ll_joint_kind ll_joint_tp = {ll_computation_is_counts, set_tp, fits_tp};

/* ---- AUC: the rows below, twice, and those of the same tie, once ---- */

static long count_below(const double *sorted, long n, double x, int or_equal)
{
    long low = 0, high = n;
    while (low < high) {
        long middle = (low + high) / 2;
        if (or_equal ? sorted[middle] <= x : sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ll_status set_ranks(ll_joint_number *n, long *feature)
{
    long rows = n->evidence->rows;
    const double *values = n->observation->values;
    double *sorted = malloc(sizeof *sorted * (size_t)rows);
    if (sorted == NULL)
        return LL_MEMORY;
    memcpy(sorted, values, sizeof *sorted * (size_t)rows);
    qsort(sorted, (size_t)rows, sizeof *sorted, ll_compare_doubles);
    for (long i = 0; i < rows; i++) {
        feature[i] = count_below(sorted, rows, values[i], 0) + count_below(sorted, rows, values[i], 1) - 1;
        n->ties += i == 0 || sorted[i] != sorted[i - 1];
    }
    free(sorted);
    return LL_OK;
}

/* 2 U = sum - P (P - 1): positives are rows below positives too. */
static int fits_auc(const ll_joint_number *n, long positives, long sum)
{
    long negatives = n->evidence->rows - positives;
    arb_t auc, allowed;
    if (positives == 0 || negatives == 0)
        return 0;
    arb_init(auc);
    arb_init(allowed);
    ll_auc_of_number(n->evidence->scoring.how, allowed, n->observation->sum, n->ties, 2, PREC);
    arb_set_si(auc, sum - positives * (positives - 1));
    arb_div_si(auc, auc, 2 * positives * negatives, PREC);
    int fits = arb_overlaps(auc, allowed);
    arb_clear(auc);
    arb_clear(allowed);
    return fits;
}

const ll_joint_kind ll_joint_ranks = {ll_auc_slope, set_ranks, fits_auc};

/* ---- accuracy, zero-one loss: a sum of terms 0 and 1 ---- */

/* A hit where label 1 is the match. */
static ll_status set_matches(ll_joint_number *n, long *feature)
{
    int match = ll_metric_counts(n->evidence->scoring.how->metric) > 0;
    for (long i = 0; i < n->evidence->rows; i++) {
        feature[i] = arf_is_zero(arb_midref(n->observation->terms + 2 * i + 1)) != match;
        n->guessed += feature[i];
    }
    return LL_OK;
}

static int fits_matches(const ll_joint_number *n, long positives, long tp)
{
    long rows = n->evidence->rows, matches = tp + (rows - positives - (n->guessed - tp));
    long count = ll_metric_counts(n->evidence->scoring.how->metric) > 0 ? matches : rows - matches;
    mag_t size, error;
    arb_t sum;
    arb_init(sum);
    mag_init(size);
    mag_init(error);
    arb_set_si(sum, count);
    arb_get_mag(size, sum);
    mag_mul(error, size, n->observation->slope);
    arb_add_error_mag(sum, error);
    int fits = positives - tp <= rows - n->guessed && arb_overlaps(sum, n->observation->sum);
    mag_clear(size);
    mag_clear(error);
    arb_clear(sum);
    return fits;
}

static const ll_joint_kind matches = {ll_computation_counts, set_matches, fits_matches};

static const ll_joint_kind *const kinds[] = {&ll_joint_tp, &ll_joint_ranks, &matches};

/* ---- features ---- */

static void add_feature(ll_joint *j, ll_joint_number *n)
{
    long rows = j->first->rows;
    const long *added = j->features + j->dimensions * rows;
    for (n->feature = 1; n->feature < j->dimensions; n->feature++)
        if (memcmp(j->features + n->feature * rows, added, sizeof *added * (size_t)rows) == 0)
            return;
    j->dimensions++;
}

static ll_status set_kind(ll_joint *j, ll_joint_number *n)
{
    const ll_joint_kind *kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && j->first->classes == 2; i++)
        if (kinds[i]->applies(n->evidence->scoring.how))
            kind = kinds[i];
    if (kind == NULL || j->dimensions == LL_TALLY_DIMENSIONS) {
        j->tried++;
        return LL_OK;
    }
    ll_status status = kind->set_feature(n, j->features + j->dimensions * j->first->rows);
    n->kind = kind;
    if (status == LL_OK)
        add_feature(j, n);
    return status;
}

static ll_status add_numbers(ll_joint *j, const ll_evidence *e)
{
    for (long p = 0; p < e->part_count; p++)
        if (add_numbers(j, e->parts[p]) != LL_OK)
            return LL_MEMORY;
    for (long q = 0; q < e->count; q++) {
        ll_joint_number *n = &j->numbers[j->count++];
        *n = (ll_joint_number){.evidence = e, .observation = e->observations + q};
        if (set_kind(j, n) != LL_OK)
            return LL_MEMORY;
    }
    return LL_OK;
}

static long count_numbers(const ll_evidence *e)
{
    long count = e->count;
    for (long p = 0; p < e->part_count; p++)
        count += count_numbers(e->parts[p]);
    return count;
}

/* ---- groups ---- */

static int compare_rows(const void *a, const void *b, void *joint)
{
    const ll_joint *j = joint;
    long x = *(const long *)a, y = *(const long *)b, rows = j->first->rows;
    for (long d = 0; d < j->dimensions; d++)
        if (j->features[d * rows + x] != j->features[d * rows + y])
            return j->features[d * rows + x] < j->features[d * rows + y] ? -1 : 1;
    return (x > y) - (x < y);
}

static int is_same(const ll_joint *j, long x, long y)
{
    long rows = j->first->rows;
    for (long d = 0; d < j->dimensions; d++)
        if (j->features[d * rows + x] != j->features[d * rows + y])
            return 0;
    return 1;
}

static void set_groups(ll_joint *j)
{
    long rows = j->first->rows, groups = 0;
    for (long i = 0; i < rows; i++)
        j->order[i] = i;
    qsort_r(j->order, (size_t)rows, sizeof *j->order, compare_rows, j);
    for (long i = 0; i < rows; i++) {
        groups += i == 0 || !is_same(j, j->order[i - 1], j->order[i]);
        j->sizes[groups - 1]++;
        for (long d = 0; d < j->dimensions; d++)
            j->vectors[(groups - 1) * j->dimensions + d] = j->features[d * rows + j->order[i]];
    }
    j->groups = (ll_tally_rows){groups, j->dimensions, j->sizes, j->vectors};
}

ll_status ll_joint_init(ll_joint *j, const ll_evidence *e, ll_error *error)
{
    size_t rows = (size_t)e->rows, most = LL_TALLY_DIMENSIONS + 1;
    *j = (ll_joint){.first = e, .dimensions = 1};
    j->numbers = calloc((size_t)count_numbers(e) + 1, sizeof *j->numbers);
    j->features = calloc(rows * most, sizeof *j->features);
    j->order = calloc(rows, sizeof *j->order);
    j->sizes = calloc(rows, sizeof *j->sizes);
    j->vectors = calloc(rows * most, sizeof *j->vectors);
    int complete = j->numbers && j->features && j->order && j->sizes && j->vectors;
    for (size_t i = 0; complete && i < rows; i++)
        j->features[i] = 1;
    if (!complete || add_numbers(j, e) != LL_OK) {
        ll_joint_clear(j);
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows", e->rows);
    }
    set_groups(j);
    return LL_OK;
}

void ll_joint_clear(ll_joint *j)
{
    for (long i = 0; j->numbers != NULL && i < j->count; i++)
        free(j->numbers[i].known);
    free(j->numbers);
    free(j->features);
    free(j->order);
    free(j->sizes);
    free(j->vectors);
    ll_tally_clear(&j->tally);
    *j = (ll_joint){0};
}

/* ---- states ---- */

static ll_status make_known(ll_joint *j)
{
    for (long i = 0; i < j->count; i++) {
        ll_joint_number *n = &j->numbers[i];
        if (n->kind == NULL)
            continue;
        n->span = 1;
        for (long row = 0; row < j->first->rows; row++)
            n->span += j->features[n->feature * j->first->rows + row];
        size_t size = (size_t)(j->first->rows + 1) * (size_t)n->span;
        n->known = malloc(size);
        if (n->known == NULL)
            return LL_MEMORY;
        memset(n->known, -1, size);
    }
    return LL_OK;
}

static int explains_state(const ll_joint *j, const long *sums)
{
    const int64_t *known_counts = j->first->scorer->counts;
    if (known_counts != NULL && known_counts[1] != sums[0])
        return 0;
    for (long i = 0; i < j->count; i++) {
        const ll_joint_number *n = &j->numbers[i];
        if (n->kind == NULL)
            continue;
        signed char *known = &n->known[sums[0] * n->span + sums[n->feature]];
        if (*known < 0)
            *known = (signed char)n->kind->fits(n, sums[0], sums[n->feature]);
        if (!*known)
            return 0;
    }
    return 1;
}

ll_status ll_joint_find_states(ll_joint *j, double max_memory, ll_error *error)
{
    long sums[LL_TALLY_DIMENSIONS];
    ll_status status = ll_tally_init(&j->tally, &j->groups, max_memory, error);
    if (status != LL_OK)
        return status;
    if (make_known(j) != LL_OK)
        return ll_fail(error, LL_MEMORY, "no memory for the sums of %ld rows", j->first->rows);
    for (long state = 0; (state = ll_tally_next(&j->tally, state)) >= 0; state++) {
        ll_tally_get(&j->tally, state, sums);
        if (!explains_state(j, sums))
            ll_tally_drop(&j->tally, state);
    }
    ll_tally_close(&j->tally);
    return LL_OK;
}
