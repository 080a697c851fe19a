#include "investigate/elimination.h"

#include "investigate/residue_sum.h"

#include "number/memory.h"
#include "number/random.h"

#include <stdlib.h>
#include <string.h>

/* 2^31 - 1 */
static const uint32_t prime = 0x7fffffff;

typedef struct {
    uint32_t *cells; /* variables, the sum, submissions: what the row is, and how it is made */
    uint64_t *extra; /* submissions behind what was substituted */
    long support;    /* variables other than 0 */
    int32_t pivot;
    int is_changed;
} echelon_row;

struct ll_elimination {
    long variables, submissions, width, words;
    int32_t *order;
    echelon_row *rows;
    long count, room, cursor;
};

/* ---- modulo the prime ---- */

static uint32_t reduce(uint64_t x)
{
    x = (x & prime) + (x >> 31);
    x = (x & prime) + (x >> 31);
    return (uint32_t)(x == prime ? 0 : x);
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
    return reduce((uint64_t)a * b);
}

static uint32_t invert(uint32_t a)
{
    uint32_t out = 1;
    for (uint32_t bit = (uint32_t)1 << 30; bit > 0; bit >>= 1) { /* a^(p-2), p - 2 = 2^31 - 3 */
        out = multiply(out, out);
        if ((prime - 2) & bit)
            out = multiply(out, a);
    }
    return out;
}

static uint32_t residue(int64_t x)
{
    int64_t rest = x % (int64_t)prime;
    return (uint32_t)(rest < 0 ? rest + (int64_t)prime : rest);
}

/* ---- rows ---- */

static void count_support(const ll_elimination *e, echelon_row *row)
{
    row->support = 0;
    for (long j = 0; j < e->variables; j++)
        row->support += row->cells[j] != 0;
    row->is_changed = 1;
}

/* to -= factor * from */
static void subtract(const ll_elimination *e, echelon_row *to, const echelon_row *from, uint32_t factor)
{
    uint64_t negative = prime - factor;
    uint32_t *restrict a = to->cells;
    const uint32_t *restrict b = from->cells;
    for (long j = 0; j < e->width; j++) {
        uint64_t x = a[j] + negative * b[j];
        x = (x & prime) + (x >> 31);
        x = (x & prime) + (x >> 31);
        a[j] = (uint32_t)(x == prime ? 0 : x);
    }
    for (long w = 0; w < e->words; w++)
        to->extra[w] |= from->extra[w];
    count_support(e, to);
}

static void scale(const ll_elimination *e, echelon_row *row, uint32_t factor)
{
    for (long j = 0; j < e->width; j++)
        row->cells[j] = multiply(row->cells[j], factor);
}

static void free_row(echelon_row *row)
{
    free(row->cells);
    free(row->extra);
}

/* Row r gets a pivot, which then stands in no other row; a row without variables is dropped. 0: it contradicts. */
static int set_pivot(ll_elimination *e, long r)
{
    echelon_row *row = &e->rows[r];
    long at = 0;
    while (at < e->variables && row->cells[e->order[at]] == 0)
        at++;
    if (at == e->variables) {
        int consistent = row->cells[e->variables] == 0;
        free_row(row);
        *row = e->rows[--e->count];
        return consistent;
    }
    row->pivot = e->order[at];
    scale(e, row, invert(row->cells[row->pivot]));
    row->is_changed = 1;
    for (long i = 0; i < e->count; i++)
        if (i != r && e->rows[i].cells[row->pivot] != 0)
            subtract(e, &e->rows[i], row, e->rows[i].cells[row->pivot]);
    return 1;
}

/* ---- making it ---- */

ll_elimination *ll_elimination_create(long variables, long submissions, long number)
{
    ll_elimination *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->variables = variables;
    e->submissions = submissions;
    e->width = variables + 1 + submissions;
    e->words = submissions / 64 + 1;
    e->order = malloc(sizeof *e->order * (size_t)variables);
    if (e->order == NULL) {
        free(e);
        return NULL;
    }
    for (long j = 0; j < variables; j++)
        e->order[j] = (int32_t)j;
    for (long j = variables - 1; j > 0; j--) {
        long other = (long)ll_random_below(1, (uint64_t)number, (uint64_t)j, (uint64_t)j + 1);
        int32_t moved = e->order[j];
        e->order[j] = e->order[other];
        e->order[other] = moved;
    }
    return e;
}

void ll_elimination_destroy(ll_elimination *e)
{
    if (e == NULL)
        return;
    for (long i = 0; i < e->count; i++)
        free_row(&e->rows[i]);
    free(e->rows);
    free(e->order);
    free(e);
}

static int make_room(ll_elimination *e)
{
    echelon_row *grown = ll_grow(e->rows, &e->room, e->count, sizeof *grown);
    if (grown == NULL)
        return 0;
    e->rows = grown;
    return 1;
}

ll_status ll_elimination_add(ll_elimination *e, const ll_known_sum *sum, long submission, const uint64_t *from,
                             int *consistent)
{
    echelon_row row = {.cells = calloc((size_t)e->width, sizeof(uint32_t)), .extra = calloc((size_t)e->words, 8)};
    if (row.cells == NULL || row.extra == NULL || !make_room(e)) {
        free_row(&row);
        return LL_MEMORY;
    }
    for (long j = 0; j < sum->count; j++)
        row.cells[sum->variables[j]] = residue(sum->weights[j]);
    row.cells[e->variables] = residue(sum->low);
    if (submission >= 0)
        row.cells[e->variables + 1 + submission] = 1;
    for (long w = 0; w < e->words; w++)
        row.extra[w] = from[w];
    if (submission >= 0)
        row.extra[submission / 64] &= ~((uint64_t)1 << (submission % 64));
    count_support(e, &row);
    for (long i = 0; i < e->count; i++)
        if (row.cells[e->rows[i].pivot] != 0)
            subtract(e, &row, &e->rows[i], row.cells[e->rows[i].pivot]);
    e->rows[e->count++] = row;
    *consistent = set_pivot(e, e->count - 1) && *consistent;
    return LL_OK;
}

void ll_elimination_substitute(ll_elimination *e, int32_t variable, int value, const uint64_t *from, int *consistent)
{
    long lost = -1;
    for (long i = 0; i < e->count; i++) {
        echelon_row *row = &e->rows[i];
        uint32_t weight = row->cells[variable];
        if (weight == 0)
            continue;
        if (value)
            row->cells[e->variables] = reduce((uint64_t)row->cells[e->variables] + prime - weight);
        row->cells[variable] = 0;
        row->support--;
        row->is_changed = 1;
        for (long w = 0; w < e->words; w++)
            row->extra[w] |= from[w];
        lost = row->pivot == variable ? i : lost;
    }
    if (lost >= 0)
        *consistent = set_pivot(e, lost) && *consistent;
}

/* ---- back to integers ---- */

static int64_t centre(uint32_t x)
{
    return x > prime / 2 ? (int64_t)x - (int64_t)prime : (int64_t)x;
}

/* d with d * x small, by continued fractions: x = a / d modulo the prime with |a|, d < 2^15; 0: none. */
static uint32_t find_denominator(uint32_t x)
{
    int64_t before = prime, rest = x, d_before = 0, d = 1;
    while (rest > 0x7fff) {
        int64_t quotient = before / rest, next = before - quotient * rest, d_next = d_before - quotient * d;
        before = rest;
        rest = next;
        d_before = d;
        d = d_next;
    }
    d = d < 0 ? -d : d;
    return d <= 0x7fff ? (uint32_t)d : 0;
}

/* A common multiple that makes all weights small, entry by entry; 0: none was found. */
static uint32_t find_multiple(const echelon_row *row, const ll_known_sum *sum)
{
    uint64_t multiple = 1;
    for (long j = 0; j < sum->count && multiple > 0 && multiple <= 0x7fffff; j++)
        multiple *= find_denominator(multiply(row->cells[sum->variables[j]], (uint32_t)multiple));
    return multiple <= 0x7fffff ? (uint32_t)multiple : 0;
}

/* The weights of a multiple; 0: they are not so small that their sum is below the prime whatever the labels are. */
static int set_weights(const echelon_row *row, ll_known_sum *sum, uint32_t multiple)
{
    int64_t size = 0;
    for (long j = 0; j < sum->count && multiple > 0; j++) {
        sum->weights[j] = centre(multiply(row->cells[sum->variables[j]], multiple));
        size += sum->weights[j] < 0 ? -sum->weights[j] : sum->weights[j];
    }
    return multiple > 0 && size < (int64_t)(prime / 2);
}

/* A multiple of the row whose weights are small integers. Any such multiple is an equation. Of few labels with large
 * weights more is known modulo the prime. */
static int is_whole(const ll_elimination *e, const echelon_row *row, ll_known_sum *sum)
{
    const int64_t large = (int64_t)1 << 22;
    int64_t least, greatest;
    uint32_t multiple = find_multiple(row, sum);
    if (!set_weights(row, sum, multiple))
        return 0;
    ll_known_sum_range(sum, &least, &greatest);
    if (sum->count <= LL_RESIDUE_LABELS && greatest - least > large)
        return 0;
    int64_t total = multiply(row->cells[e->variables], multiple);
    sum->low = sum->high = total > greatest ? total - (int64_t)prime : total;
    return 1;
}

/* The row as it is, modulo the prime. */
static void set_residues(const ll_elimination *e, const echelon_row *row, ll_known_sum *sum)
{
    for (long j = 0; j < sum->count; j++)
        sum->weights[j] = row->cells[sum->variables[j]];
    sum->low = sum->high = row->cells[e->variables];
}

/* 0: nothing can be said of so many labels. */
static int give_row(const ll_elimination *e, const echelon_row *row, ll_known_sum *sum, uint32_t *modulus)
{
    sum->count = 0;
    for (long j = 0; j < e->variables; j++)
        if (row->cells[j] != 0)
            sum->variables[sum->count++] = (int32_t)j;
    int whole = is_whole(e, row, sum);
    *modulus = whole ? 0 : prime;
    if (!whole)
        set_residues(e, row, sum);
    return whole || sum->count <= LL_RESIDUE_LABELS;
}

int ll_elimination_next(ll_elimination *e, ll_known_sum *sum, uint32_t *modulus, uint64_t *from, long most)
{
    for (; e->cursor < e->count; e->cursor++) {
        echelon_row *row = &e->rows[e->cursor];
        int is_due = row->is_changed && row->support <= most && row->support > 0;
        row->is_changed = 0;
        if (!is_due || !give_row(e, row, sum, modulus))
            continue;
        memcpy(from, row->extra, sizeof *from * (size_t)e->words);
        for (long s = 0; s < e->submissions; s++)
            if (row->cells[e->variables + 1 + s] != 0)
                from[s / 64] |= (uint64_t)1 << (s % 64);
        return 1;
    }
    e->cursor = 0;
    return 0;
}
