/* The least |difference| of two labellings of some rows, by meeting in the middle over differences.
 *
 * A pair of labellings gives every row one of the differences of its terms, 0 among them: 3 values a row with two
 * classes, K(K-1)+1 with K. The rows are split into halves; the sums of each half's values are made in order,
 * level by level, by merging shifted copies of the level before; then one walk finds the sums of the two halves
 * that come nearest to cancelling. Only the pair "all rows alike" is left out: the zero vector has the sum 0, so taking
 * away one 0 of each list is enough, whatever other vectors have the same sum.
 *
 * Sums are integers of 128 bits: terms are rounded to a unit that is 2^-122 of the whole range, and `margin` bounds
 * what rounding and the terms' own balls can change in any sum (docs/proofs/bounds.md). Every pair within twice
 * the margin of the least is a candidate: the true least one is among them.
 *
 * All levels are kept (half as much again as the last), so that a sum is traced back to its rows by looking it up. */
#include "separate/separate_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

#define WIDEST ((wide)1 << 124)
#define UNIT_BITS 122

typedef struct {
    long count;
    wide *values; /* increasing, symmetric around 0 */
    int32_t *first, *second;
} choices;

typedef struct {
    long rows;
    const choices *choices;
    wide **levels; /* rows + 1 of them: the sums of the first rows, increasing */
    size_t *sizes;
} half;

typedef struct {
    const ll_terms *terms;
    const long *row;
    long rows;
    choices *choices;
    fmpz_t unit; /* sums are multiples of 2^unit */
    wide margin;
    half low, high;
    int *low_found; /* vectors of the low half with one sum, low.rows each */
    long low_count;
    int *place; /* scratch, one a row */
    ll_closest *out;
} meeting;

/* ---- numbers ---- */

static wide get_wide(const fmpz_t x)
{
    unsigned __int128 size = 0;
    mpz_t big;
    mpz_init(big);
    fmpz_get_mpz(big, x);
    for (size_t i = mpz_size(big); i > 0; i--)
        size = (size << 64) | mpz_getlimbn(big, (mp_size_t)i - 1);
    mpz_clear(big);
    return fmpz_sgn(x) < 0 ? -(wide)size : (wide)size;
}

static void set_wide(arf_t out, wide x, const fmpz_t unit)
{
    int negative = x < 0;
    unsigned __int128 size = negative ? -(unsigned __int128)x : (unsigned __int128)x;
    fmpz_t value;
    fmpz_init(value);
    fmpz_set_ui(value, (ulong)(size >> 64));
    fmpz_mul_2exp(value, value, 64);
    fmpz_add_ui(value, value, (ulong)size);
    if (negative)
        fmpz_neg(value, value);
    arf_set_fmpz_2exp(out, value, unit);
    fmpz_clear(value);
}

static wide absolute(wide x)
{
    return x < 0 ? -x : x;
}

/* ---- the values of a row ---- */

/* The terms in units, and a bound on the error of each: half a unit and the radius. */
static void round_terms(const meeting *m, wide *out, wide *error, long row)
{
    const ll_terms *terms = m->terms;
    fmpz_t shift, value;
    arb_t x;
    fmpz_init(shift);
    fmpz_init(value);
    arb_init(x);
    fmpz_neg(shift, m->unit);
    *error = 0;
    for (long k = 0; k < terms->classes; k++) {
        arb_sub(x, terms->terms + row * terms->classes + k, terms->terms + row * terms->classes, terms->prec);
        arb_mul_2exp_fmpz(x, x, shift);
        arf_get_fmpz(value, arb_midref(x), ARF_RND_NEAR);
        assert(fmpz_bits(value) <= UNIT_BITS + 1); /* no difference is above the total that the unit was chosen for */
        out[k] = get_wide(value);
        mag_get_fmpz(value, arb_radref(x));
        fmpz_add_ui(value, value, 1);
        wide own = fmpz_bits(value) <= 124 ? get_wide(value) : WIDEST;
        *error = own > *error ? own : *error;
    }
    fmpz_clear(shift);
    fmpz_clear(value);
    arb_clear(x);
}

typedef struct {
    wide value;
    int32_t first, second;
} difference;

static int by_value(const void *a, const void *b)
{
    const difference *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

static int reserve_choices(choices *c, long most)
{
    c->values = malloc((size_t)most * sizeof *c->values);
    c->first = malloc((size_t)most * sizeof *c->first);
    c->second = malloc((size_t)most * sizeof *c->second);
    return c->values != NULL && c->first != NULL && c->second != NULL;
}

/* Differences that are one number here may still be two: each is a choice of its own. */
static void keep_choices(choices *c, difference *all, long count)
{
    qsort(all, (size_t)count, sizeof *all, by_value);
    c->count = count;
    for (long i = 0; i < count; i++) {
        c->values[i] = all[i].value;
        c->first[i] = all[i].first;
        c->second[i] = all[i].second;
    }
}

static int make_choices(meeting *m, choices *c, long row)
{
    long classes = m->terms->classes, most = classes * (classes - 1) + 1, count = 0;
    wide error, *terms = malloc((size_t)classes * sizeof *terms);
    difference *all = malloc((size_t)most * sizeof *all);
    int good = terms != NULL && all != NULL && reserve_choices(c, most);
    if (good) {
        round_terms(m, terms, &error, row);
        m->margin = m->margin + 2 * error > WIDEST ? WIDEST : m->margin + 2 * error;
        all[count++] = (difference){0, 0, 0};
        for (long i = 0; i < classes; i++)
            for (long j = 0; j < classes; j++)
                if (i != j)
                    all[count++] = (difference){terms[i] - terms[j], (int32_t)i, (int32_t)j};
        keep_choices(c, all, count);
    }
    free(terms);
    free(all);
    return good;
}

/* ---- lists ---- */

/* out = all in[i] + value, in order. */
static int merge(wide *out, const wide *in, size_t size, const choices *c)
{
    size_t *at = calloc((size_t)c->count, sizeof *at);
    wide *head = malloc((size_t)c->count * sizeof *head);
    int good = at != NULL && head != NULL;
    const wide none = WIDEST * 4; /* above every sum */
    for (long j = 0; good && j < c->count; j++)
        head[j] = in[0] + c->values[j];
    for (size_t n = 0; good && n < size * (size_t)c->count; n++) {
        long least = 0;
        for (long j = 1; j < c->count; j++)
            least = head[j] < head[least] ? j : least;
        out[n] = head[least];
        head[least] = ++at[least] < size ? in[at[least]] + c->values[least] : none;
    }
    free(at);
    free(head);
    return good;
}

static int half_make(half *h, const choices *c, long rows)
{
    h->rows = rows;
    h->choices = c;
    h->levels = calloc((size_t)rows + 1, sizeof *h->levels);
    h->sizes = calloc((size_t)rows + 1, sizeof *h->sizes);
    if (h->levels == NULL || h->sizes == NULL)
        return 0;
    h->sizes[0] = 1;
    h->levels[0] = calloc(1, sizeof(wide));
    for (long l = 0; l < rows; l++) {
        h->sizes[l + 1] = h->sizes[l] * (size_t)c[l].count;
        h->levels[l + 1] = h->levels[l] == NULL ? NULL : malloc(h->sizes[l + 1] * sizeof(wide));
        if (h->levels[l + 1] == NULL || !merge(h->levels[l + 1], h->levels[l], h->sizes[l], &c[l]))
            return 0;
    }
    return h->levels[0] != NULL;
}

static void half_clear(half *h)
{
    for (long l = 0; h->levels != NULL && l <= h->rows; l++)
        free(h->levels[l]);
    free(h->levels);
    free(h->sizes);
}

/* The first place whose value is at least x. */
static size_t find(const wide *list, size_t size, wide x)
{
    size_t low = 0;
    while (size > 0) {
        size_t step = size / 2;
        if (list[low + step] < x) {
            low += step + 1;
            size -= step + 1;
        } else {
            size = step;
        }
    }
    return low;
}

static int contains(const half *h, long level, wide x)
{
    size_t at = find(h->levels[level], h->sizes[level], x);
    return at < h->sizes[level] && h->levels[level][at] == x;
}

/* ---- the walk ---- */

/* By symmetry sums of the low half that are at least 0 are enough, and for each the nearest one is met where the other
 * half's is at most 0. */
static wide least_sum(const meeting *m)
{
    const wide *a = m->low.levels[m->low.rows], *b = m->high.levels[m->high.rows];
    size_t a_size = m->low.sizes[m->low.rows], b_size = m->high.sizes[m->high.rows];
    size_t zero = find(b, b_size, 0);
    wide best = zero + 1 < b_size ? b[zero + 1] : WIDEST; /* rows of the low half alike */
    size_t j = find(b, b_size, 1);
    for (size_t i = find(a, a_size, 0) + 1; i < a_size && j > 0;) {
        wide sum = a[i] + b[j - 1];
        best = absolute(sum) < best ? absolute(sum) : best;
        if (sum > 0)
            j--;
        else
            i++;
    }
    return best;
}

/* ---- candidates ---- */

typedef int (*visit)(meeting *m, const int *vector);

/* All vectors of h with this sum. 0: enough. */
static int trace(meeting *m, const half *h, long level, wide sum, int *vector, visit with)
{
    if (level == 0)
        return with(m, vector);
    const choices *c = &h->choices[level - 1];
    for (long j = 0; j < c->count; j++) {
        vector[level - 1] = (int)j;
        if (contains(h, level - 1, sum - c->values[j]) && !trace(m, h, level - 1, sum - c->values[j], vector, with))
            return 0;
    }
    return 1;
}

static int keep_low(meeting *m, const int *vector)
{
    if (m->low_count == m->out->limit)
        return 0;
    memcpy(m->low_found + m->low_count++ * m->low.rows, vector, (size_t)m->low.rows * sizeof *vector);
    return 1;
}

/* The labels of low vector `n` and of a high vector; 0 where all rows are alike. */
static int write_pair(const meeting *m, int32_t *first, int32_t *second, const int *low, const int *high)
{
    int differ = 0;
    for (long i = 0; i < m->rows; i++) {
        int j = i < m->low.rows ? low[i] : high[i - m->low.rows];
        first[i] = m->choices[i].first[j];
        second[i] = m->choices[i].second[j];
        differ |= first[i] != second[i];
    }
    return differ;
}

static int keep_pairs(meeting *m, const int *high)
{
    ll_closest *out = m->out;
    for (long n = 0; n < m->low_count; n++) {
        if (out->count == out->limit)
            return 0;
        int32_t *pair = out->pairs + out->count * 2 * m->rows;
        out->count += write_pair(m, pair, pair + m->rows, m->low_found + n * m->low.rows, high);
    }
    return 1;
}

/* All pairs of one sum of the low half. 0: enough. */
static int collect(meeting *m, wide low, wide most)
{
    const wide *b = m->high.levels[m->high.rows];
    size_t size = m->high.sizes[m->high.rows];
    size_t from = find(b, size, -low - most);
    m->low_count = 0;
    int all = trace(m, &m->low, m->low.rows, low, m->place, keep_low);
    for (size_t j = from; j < size && b[j] <= -low + most; j++) {
        if (j > from && b[j] == b[j - 1])
            continue;
        if (!trace(m, &m->high, m->high.rows, b[j], m->place, keep_pairs))
            return 0;
    }
    return all;
}

static int collect_all(meeting *m, wide most)
{
    const wide *a = m->low.levels[m->low.rows], *b = m->high.levels[m->high.rows];
    size_t size = m->low.sizes[m->low.rows], b_size = m->high.sizes[m->high.rows], j = b_size;
    size_t from = find(a, size, 0);
    for (size_t i = from; i < size; i++) {
        if (i > from && a[i] == a[i - 1])
            continue;
        while (j > 0 && a[i] + b[j - 1] > most)
            j--;
        if (j > 0 && a[i] + b[j - 1] >= -most && !collect(m, a[i], most))
            return 0;
    }
    return 1;
}

/* ---- all of it ---- */

static void choose_unit(meeting *m)
{
    arb_t range, total;
    arf_t most;
    arb_init(range);
    arb_init(total);
    arf_init(most);
    for (long i = 0; i < m->rows; i++) {
        arb_srcptr terms = m->terms->terms + m->row[i] * m->terms->classes;
        for (long k = 1; k < m->terms->classes; k++) {
            arb_sub(range, terms + k, terms, m->terms->prec);
            arb_abs(range, range);
            arb_add(total, total, range, 64);
        }
    }
    arb_get_ubound_arf(most, total, 64);
    if (arf_is_zero(most))
        arf_one(most);
    fmpz_sub_ui(m->unit, ARF_EXPREF(most), UNIT_BITS);
    arb_clear(range);
    arb_clear(total);
    arf_clear(most);
}

static int make(meeting *m)
{
    ll_closest *out = m->out;
    m->choices = calloc((size_t)m->rows, sizeof *m->choices);
    m->place = malloc((size_t)m->rows * sizeof *m->place);
    m->low_found = malloc(((size_t)m->rows * (size_t)out->limit + 1) * sizeof *m->low_found);
    out->pairs = malloc(2 * (size_t)m->rows * (size_t)out->limit * sizeof *out->pairs);
    if (m->choices == NULL || m->place == NULL || m->low_found == NULL || out->pairs == NULL)
        return 0;
    choose_unit(m);
    for (long i = 0; i < m->rows; i++)
        if (!make_choices(m, &m->choices[i], m->row[i]))
            return 0;
    long low = m->rows / 2;
    return half_make(&m->low, m->choices, low) && half_make(&m->high, m->choices + low, m->rows - low);
}

static void drop(meeting *m)
{
    half_clear(&m->low);
    half_clear(&m->high);
    for (long i = 0; m->choices != NULL && i < m->rows; i++) {
        free(m->choices[i].values);
        free(m->choices[i].first);
        free(m->choices[i].second);
    }
    free(m->choices);
    free(m->place);
    free(m->low_found);
    fmpz_clear(m->unit);
}

void ll_closest_predict(double *bytes, double *seconds, long rows, long classes)
{
    double values = (double)classes * ((double)classes - 1) + 1;
    const long low = rows / 2;
    double sums = pow(values, (double)(rows - low)) + pow(values, (double)low);
    sums *= values / (values - 1); /* all levels */
    *bytes = sums * (double)sizeof(wide);
    *seconds = sums * (1e-8 + values * 4e-9); /* twice what they took */
}

ll_status ll_closest_find(ll_closest *out, const ll_terms *terms, const long *row, long rows, long limit,
                          ll_error *error)
{
    *out = (ll_closest){.rows = rows, .row = row, .limit = limit};
    arf_init(out->floor);
    meeting m = {.terms = terms, .row = row, .rows = rows, .out = out};
    fmpz_init(m.unit);
    int good = make(&m);
    if (good) {
        wide best = least_sum(&m), most = best + 2 * m.margin;
        out->all = collect_all(&m, most > WIDEST ? WIDEST : most);
        if (best > m.margin)
            set_wide(out->floor, best - m.margin, m.unit);
    }
    drop(&m);
    return good ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for the sums of %ld rows", rows);
}

void ll_closest_clear(ll_closest *meet)
{
    free(meet->pairs);
    arf_clear(meet->floor);
    *meet = (ll_closest){0};
}
