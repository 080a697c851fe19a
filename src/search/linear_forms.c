/* Forms: the unit of their weights, and what each excludes by itself. */
#include "search/linear_forms.h"

#include <flint/fmpz_vec.h>
#include <stdlib.h>
#include <string.h>

/* How often the search for a unit may begin anew; how often differences are taken of differences. */
enum { MOST_UNITS = 80, LEVELS = 10, ENOUGH_BITS = 6 };

long ll_forms_base(const ll_forms *f, long row)
{
    for (long k = 0; k < f->classes; k++)
        if (f->candidates[row * f->classes + k])
            return k;
    return -1;
}

int ll_forms_is_none(const ll_forms *f)
{
    for (long i = 0; i < f->rows; i++)
        if (ll_forms_base(f, i) < 0)
            return 1;
    for (long q = 0; q < f->count; q++)
        if (fmpz_cmp(f->low + q, f->high + q) > 0)
            return 1;
    return 0;
}

/* ---- units ---- */

/* unit = size / parts: parts units are one of the differences, up to its error. */
typedef struct {
    fmpz_t size, parts, best, count, rest, scaled; /* best: units of the difference that it was read from */
} unit;

/* count = the nearest number of units, rest = |difference - count * unit| * parts. */
static void divide(unit *u, const fmpz_t difference)
{
    fmpz_mul(u->scaled, difference, u->parts);
    fmpz_mul_2exp(u->rest, u->scaled, 1);
    fmpz_add(u->rest, u->rest, u->size);
    fmpz_mul_2exp(u->count, u->size, 1);
    fmpz_fdiv_q(u->count, u->rest, u->count);
    fmpz_mul(u->rest, u->count, u->size);
    fmpz_sub(u->rest, u->scaled, u->rest);
    fmpz_abs(u->rest, u->rest);
}

static int by_size(const void *a, const void *b)
{
    return fmpz_cmpabs(a, b);
}

static void sort_sizes(fmpz *numbers, long count)
{
    for (long i = 0; i < count; i++)
        fmpz_abs(numbers + i, numbers + i);
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
}

/* Of the weights of every open row to its base. */
static long list_differences(const ll_forms *f, long q, fmpz *out)
{
    long count = 0;
    for (long i = 0; i < f->rows; i++)
        for (long k = 0, base = ll_forms_base(f, i); k < f->classes && base >= 0; k++) {
            if (!f->candidates[i * f->classes + k])
                continue;
            fmpz_sub(out + count, ll_forms_weight(f, q, i, k), ll_forms_weight(f, q, i, base));
            count += !fmpz_is_zero(out + count);
        }
    sort_sizes(out, count);
    return count;
}

/* Behind differences those of neighbours among them, and so on until some are a few errors: numbers of units from large
 * to small, with errors that double each time. What is no larger than an error may be is left out. All in the order of
 * their sizes. */
static long add_levels(fmpz *numbers, long count, const fmpz_t error)
{
    long first = 0, all = count;
    fmpz_t enough;
    fmpz_init(enough);
    fmpz_mul_2exp(enough, error, ENOUGH_BITS);
    for (int level = 0; level < LEVELS && all - first > 1 && fmpz_cmp(numbers + first, enough) > 0; level++) {
        const long end = all;
        for (long i = first; i + 1 < end; i++) {
            fmpz_sub(numbers + all, numbers + i + 1, numbers + i);
            all += fmpz_cmp(numbers + all, error) > 0;
        }
        first = end;
        sort_sizes(numbers + first, all - first);
    }
    sort_sizes(numbers, all);
    fmpz_clear(enough);
    return all;
}

/* Euclid's algorithm with errors: what is left of a difference is taken for an error up to a quarter of the interval.
 * The larger the difference, the better it tells the unit. 0: no unit that is worth the while. */
static int approach_unit(unit *u, const fmpz *differences, long count, const fmpz_t width)
{
    fmpz_t size;
    fmpz_init(size);
    fmpz_set(u->size, differences);
    fmpz_one(u->parts);
    fmpz_zero(u->best);
    int left = MOST_UNITS, found = 1;
    for (long i = 0; i < count && found; i++) {
        divide(u, differences + i);
        fmpz_mul_2exp(u->rest, u->rest, 2);
        fmpz_mul(size, width, u->parts);
        if (fmpz_cmp(u->rest, size) > 0) { /* a smaller unit */
            fmpz_fdiv_q_2exp(u->size, u->rest, 2);
            fmpz_zero(u->best);
            i = -1;
            found = --left > 0;
        } else if (fmpz_cmp(u->count, u->best) > 0) {
            fmpz_set(u->size, differences + i);
            fmpz_set(u->parts, u->count);
            fmpz_set(u->best, u->count);
        }
        fmpz_mul_2exp(u->scaled, u->size, 1); /* below half of the interval it would leave three integers */
        fmpz_mul(size, width, u->parts);
        found = found && fmpz_cmp(u->scaled, size) > 0;
    }
    fmpz_clear(size);
    return found;
}

static int find_unit(unit *u, fmpz *differences, long count, const fmpz_t width)
{
    fmpz_zero(u->size);
    fmpz_one(u->parts);
    for (long i = 0; i < count && !fmpz_is_one(u->size); i++)
        fmpz_gcd(u->size, u->size, differences + i);
    fmpz_mul_2exp(u->scaled, u->size, 5);
    if (count == 0 || fmpz_cmp(u->scaled, width) > 0)
        return count > 0;
    fmpz_fdiv_q_2exp(u->scaled, width, 2);
    long errors = 0; /* differences that are none */
    while (errors < count && fmpz_cmp(differences + errors, u->scaled) <= 0)
        errors++;
    differences += errors;
    count = add_levels(differences, count - errors, u->scaled);
    return count > 0 && approach_unit(u, differences, count, width);
}

/* The form in units, its base labels at 0: what weights are off their multiples joins the interval. */
static void count_units(ll_forms *f, long q, unit *u, fmpz *weights)
{
    fmpz_t error, most, constant, difference;
    fmpz_init(error);
    fmpz_init(most);
    fmpz_init(constant);
    fmpz_init(difference);
    for (long i = 0; i < f->rows; i++) {
        long base = ll_forms_base(f, i);
        const fmpz *zero = ll_forms_weight(f, q, i, base);
        fmpz_zero(most);
        for (long k = 0; k < f->classes; k++) {
            fmpz_zero(weights + i * f->classes + k);
            if (!f->candidates[i * f->classes + k])
                continue;
            fmpz_sub(difference, ll_forms_weight(f, q, i, k), zero);
            divide(u, difference);
            fmpz_set(weights + i * f->classes + k, u->count);
            if (fmpz_cmp(u->rest, most) > 0)
                fmpz_set(most, u->rest);
        }
        fmpz_add(error, error, most);
        fmpz_add(constant, constant, zero);
    }
    fmpz_sub(difference, f->low + q, constant);
    fmpz_mul(difference, difference, u->parts);
    fmpz_sub(difference, difference, error);
    fmpz_cdiv_q(most, difference, u->size);
    fmpz_sub(difference, f->high + q, constant);
    fmpz_mul(difference, difference, u->parts);
    fmpz_add(difference, difference, error);
    fmpz_fdiv_q(difference, difference, u->size);
    fmpz_sub(error, difference, most);
    if (fmpz_is_one(u->parts) || fmpz_cmp_ui(error, 1) <= 0) { /* else its own interval tells more */
        f->is_whole[q] = 1;
        fmpz_set(f->low + q, most);
        fmpz_set(f->high + q, difference);
        _fmpz_vec_swap(ll_forms_weight(f, q, 0, 0), weights, f->rows * f->classes);
    }
    fmpz_clear(error);
    fmpz_clear(most);
    fmpz_clear(constant);
    fmpz_clear(difference);
}

static void set_unit(ll_forms *f, long q, fmpz *scratch)
{
    unit u = {{0}, {0}, {0}, {0}, {0}, {0}}; /* an fmpz of 0 */
    fmpz_t width;
    fmpz_init(width);
    fmpz_sub(width, f->high + q, f->low + q);
    long count = list_differences(f, q, scratch);
    if (find_unit(&u, scratch, count, width))
        count_units(f, q, &u, scratch);
    fmpz_clear(u.size);
    fmpz_clear(u.parts);
    fmpz_clear(u.best);
    fmpz_clear(u.count);
    fmpz_clear(u.rest);
    fmpz_clear(u.scaled);
    fmpz_clear(width);
}

/* ---- all scores ---- */

static int reserve(ll_forms *f, long rows, long classes, long count)
{
    size_t cells = (size_t)(rows * classes);
    *f = (ll_forms){.rows = rows, .classes = classes, .count = count};
    f->candidates = malloc(cells);
    f->weights = calloc(cells * (size_t)count, sizeof *f->weights); /* all-zero is an fmpz of 0 */
    f->low = calloc((size_t)count, sizeof *f->low);
    f->high = calloc((size_t)count, sizeof *f->high);
    f->is_whole = calloc((size_t)count, 1);
    if (f->candidates && f->weights && f->low && f->high && f->is_whole)
        return 1;
    ll_forms_clear(f);
    return 0;
}

ll_status ll_forms_init(ll_forms *f, const ll_linear *s, const unsigned char *possible)
{
    long cells = s->rows * s->classes, room = (LEVELS + 1) * cells;
    fmpz *scratch = calloc((size_t)room, sizeof *scratch);
    if (scratch == NULL || !reserve(f, s->rows, s->classes, s->scores)) {
        free(scratch);
        return LL_MEMORY;
    }
    for (long i = 0; i < cells; i++)
        f->candidates[i] = s->allowed[i] && possible[i];
    _fmpz_vec_set(f->weights, s->weights, cells * s->scores);
    _fmpz_vec_sub(f->low, s->targets, s->tolerances, s->scores);
    _fmpz_vec_add(f->high, s->targets, s->tolerances, s->scores);
    for (long q = 0; q < s->scores && !ll_forms_is_none(f); q++)
        set_unit(f, q, scratch);
    for (long i = 0; i < room; i++)
        fmpz_clear(scratch + i);
    free(scratch);
    return LL_OK;
}

ll_status ll_forms_copy(ll_forms *out, const ll_forms *f)
{
    long cells = f->rows * f->classes;
    if (!reserve(out, f->rows, f->classes, f->count))
        return LL_MEMORY;
    memcpy(out->candidates, f->candidates, (size_t)cells);
    memcpy(out->is_whole, f->is_whole, (size_t)f->count);
    _fmpz_vec_set(out->weights, f->weights, cells * f->count);
    _fmpz_vec_set(out->low, f->low, f->count);
    _fmpz_vec_set(out->high, f->high, f->count);
    return LL_OK;
}

static void clear_numbers(fmpz *numbers, long n)
{
    for (long i = 0; numbers != NULL && i < n; i++)
        fmpz_clear(numbers + i);
    free(numbers);
}

void ll_forms_clear(ll_forms *f)
{
    clear_numbers(f->weights, f->count * f->rows * f->classes);
    clear_numbers(f->low, f->count);
    clear_numbers(f->high, f->count);
    free(f->candidates);
    free(f->is_whole);
    *f = (ll_forms){0};
}

/* ---- one form alone ---- */

/* Least and greatest weight of the candidates of a row. */
typedef struct {
    const fmpz *low, *high;
} range;

static range range_of(const ll_forms *f, long q, long row)
{
    range r = {NULL, NULL};
    for (long k = 0; k < f->classes; k++) {
        const fmpz *w = ll_forms_weight(f, q, row, k);
        if (!f->candidates[row * f->classes + k])
            continue;
        r.low = r.low == NULL || fmpz_cmp(w, r.low) < 0 ? w : r.low;
        r.high = r.high == NULL || fmpz_cmp(w, r.high) > 0 ? w : r.high;
    }
    return r;
}

typedef struct {
    fmpz_t low, high; /* what rows add at least and at most, less the ends of the interval */
    fmpz_t rest;
} slack;

static void add_range(slack *s, const range *r, int sign)
{
    (sign > 0 ? fmpz_add : fmpz_sub)(s->low, s->low, r->low);
    (sign > 0 ? fmpz_add : fmpz_sub)(s->high, s->high, r->high);
}

/* A label may stay where the least of all other rows is not above the interval with it, nor the greatest below. */
static int narrow_row(ll_forms *f, long q, long row, slack *s)
{
    int changed = 0;
    range r = range_of(f, q, row);
    if (r.low == NULL)
        return 0;
    add_range(s, &r, -1);
    for (long k = 0; k < f->classes; k++) {
        unsigned char *candidate = &f->candidates[row * f->classes + k];
        fmpz_add(s->rest, s->low, ll_forms_weight(f, q, row, k));
        int stays = fmpz_sgn(s->rest) <= 0;
        fmpz_add(s->rest, s->high, ll_forms_weight(f, q, row, k));
        stays = stays && fmpz_sgn(s->rest) >= 0;
        changed |= *candidate && !stays;
        *candidate = *candidate && stays;
    }
    r = range_of(f, q, row);
    if (r.low != NULL)
        add_range(s, &r, 1);
    return changed;
}

typedef struct {
    fmpz_t span;
    long row;
} spanned;

static int by_span(const void *a, const void *b)
{
    const spanned *x = a, *y = b;
    int order = fmpz_cmp(y->span, x->span);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* Rows that weigh most come first: what they leave decides the next ones. */
static int narrow_by(ll_forms *f, long q, spanned *order)
{
    slack s;
    fmpz_init(s.low);
    fmpz_init(s.high);
    fmpz_init(s.rest);
    fmpz_neg(s.low, f->high + q);
    fmpz_neg(s.high, f->low + q);
    for (long i = 0; i < f->rows; i++) {
        range r = range_of(f, q, i);
        order[i].row = i;
        if (r.low == NULL)
            continue;
        add_range(&s, &r, 1);
        fmpz_sub(order[i].span, r.high, r.low);
    }
    if (fmpz_sgn(s.low) > 0 || fmpz_sgn(s.high) < 0)
        fmpz_add_ui(f->low + q, f->high + q, 1); /* no labels have such a sum */
    qsort(order, (size_t)f->rows, sizeof *order, by_span);
    int changed = 0;
    for (long i = 0; i < f->rows && !fmpz_is_zero(order[i].span); i++)
        changed |= narrow_row(f, q, order[i].row, &s);
    fmpz_clear(s.low);
    fmpz_clear(s.high);
    fmpz_clear(s.rest);
    return changed;
}

void ll_forms_propagate(ll_forms *f)
{
    spanned *order = calloc((size_t)f->rows, sizeof *order);
    for (int changed = order != NULL; changed && !ll_forms_is_none(f);) {
        changed = 0;
        for (long q = 0; q < f->count; q++)
            changed |= narrow_by(f, q, order);
    }
    for (long i = 0; order != NULL && i < f->rows; i++)
        fmpz_clear(order[i].span);
    free(order);
}

/* ---- odd and even ---- */

static int is_alike(const ll_forms *f, long a, long b)
{
    for (long i = 0; i < f->rows * f->classes; i++)
        if (f->candidates[i] &&
            fmpz_is_even(ll_forms_weight(f, a, 0, 0) + i) != fmpz_is_even(ll_forms_weight(f, b, 0, 0) + i))
            return 0;
    return 1;
}

static int is_open(const ll_forms *f, long q)
{
    return f->is_whole[q] && fmpz_cmp(f->low + q, f->high + q) < 0;
}

static void keep_parity(ll_forms *f, long q, int odd)
{
    if (fmpz_is_odd(f->low + q) != odd)
        fmpz_add_ui(f->low + q, f->low + q, 1);
    if (fmpz_is_odd(f->high + q) != odd)
        fmpz_sub_ui(f->high + q, f->high + q, 1);
}

int ll_forms_split(ll_forms *f, int odd)
{
    long first = 0, alike = 0;
    while (first < f->count && !is_open(f, first))
        first++;
    for (long q = first; q < f->count; q++)
        alike += f->is_whole[q] && is_alike(f, first, q);
    for (long q = first; q < f->count && alike > 1; q++)
        if (f->is_whole[q] && is_alike(f, first, q))
            keep_parity(f, q, odd);
    return alike > 1;
}
