/* A state is a number in mixed radix: dimension d has room for the sum over all rows, so adding vectors is adding
 * numbers, without a carry, and "one more row of label 1" shifts a layer by a constant. */
#include "search/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

/* ---- size ---- */

/* 1 + what all rows add at most */
static double span_of(const ll_tally_rows *rows, long d)
{
    double most = 1;
    for (long g = 0; g < rows->groups; g++)
        most += (double)rows->sizes[g] * (double)rows->vectors[g * rows->dimensions + d];
    return most;
}

static double count_states(const ll_tally_rows *rows)
{
    double states = 1;
    for (long d = 0; d < rows->dimensions; d++)
        states *= span_of(rows, d);
    return states;
}

double ll_tally_cost(const ll_tally_rows *rows)
{
    double states = count_states(rows), layers = (double)rows->groups + 1;
    return layers * (floor(states / WORD) + 1) * sizeof(uint64_t) + 2 * states * sizeof(fmpz);
}

double ll_tally_seconds(const ll_tally_rows *rows)
{
    double all = 0;
    for (long g = 0; g < rows->groups; g++)
        all += (double)rows->sizes[g] + 1;
    return 4e-9 * all * count_states(rows);
}

/* ---- bits ---- */

static uint64_t *layer(const ll_tally *t, long groups)
{
    return t->reach + groups * t->words;
}

static int has_bit(const uint64_t *bits, long at)
{
    return (int)(bits[at / WORD] >> (at % WORD) & 1);
}

/* Word w of `bits` shifted up by `shift`. */
static uint64_t shifted_up(const uint64_t *bits, long w, long shift)
{
    long from = w - shift / WORD, rest = shift % WORD;
    if (from < 0)
        return 0;
    uint64_t word = bits[from] << rest;
    return rest > 0 && from > 0 ? word | bits[from - 1] >> (WORD - rest) : word;
}

/* The same, down, of `words` words. */
static uint64_t shifted_down(const uint64_t *bits, long w, long shift, long words)
{
    long from = w + shift / WORD, rest = shift % WORD;
    if (from >= words)
        return 0;
    uint64_t word = bits[from] >> rest;
    return rest > 0 && from + 1 < words ? word | bits[from + 1] << (WORD - rest) : word;
}

/* ---- forward ---- */

/* From the top: a word looks at words below it only, so it works in place. */
static void add_row(const ll_tally *t, uint64_t *bits, long offset)
{
    for (long w = t->words - 1; w >= 0; w--)
        bits[w] |= shifted_up(bits, w, offset);
}

static void run_forward(const ll_tally *t)
{
    layer(t, 0)[0] = 1;
    for (long g = 0; g < t->rows.groups; g++) {
        memcpy(layer(t, g + 1), layer(t, g), (size_t)t->words * sizeof(uint64_t));
        for (long i = 0; i < t->rows.sizes[g]; i++)
            add_row(t, layer(t, g + 1), t->offset[g]);
    }
}

static void set_strides(ll_tally *t)
{
    const ll_tally_rows *rows = &t->rows;
    t->states = 1;
    for (long d = 0; d < rows->dimensions; d++) {
        t->stride[d] = t->states;
        t->states *= (long)span_of(rows, d);
    }
    t->words = t->states / WORD + 1;
    for (long g = 0; g < rows->groups; g++)
        for (long d = 0; d < rows->dimensions; d++)
            t->offset[g] += t->stride[d] * rows->vectors[g * rows->dimensions + d];
}

ll_status ll_tally_init(ll_tally *tally, const ll_tally_rows *rows, double max_memory, ll_error *error)
{
    double bytes = ll_tally_cost(rows);
    *tally = (ll_tally){.rows = *rows};
    if (!(bytes <= max_memory) || bytes > 0x1p46)
        return ll_fail(error, LL_UNABLE, "all sums that labels can have take %.3g bytes, over the budget of %.3g",
                       bytes, max_memory);
    tally->offset = calloc((size_t)rows->groups + 1, sizeof *tally->offset);
    if (tally->offset != NULL)
        set_strides(tally);
    tally->reach = calloc((size_t)(rows->groups + 1) * (size_t)tally->words + 1, sizeof *tally->reach);
    if (tally->offset == NULL || tally->reach == NULL) {
        ll_tally_clear(tally);
        return ll_fail(error, LL_MEMORY, "no memory for %ld groups of rows", rows->groups);
    }
    run_forward(tally);
    return LL_OK;
}

void ll_tally_clear(ll_tally *tally)
{
    free(tally->offset);
    free(tally->reach);
    *tally = (ll_tally){0};
}

/* ---- states ---- */

/* The least state of a layer from `state` on; -1: none. */
static long next_state(const ll_tally *t, long groups, long state)
{
    const uint64_t *bits = layer(t, groups);
    for (long w = state / WORD; w < t->words; w++) {
        uint64_t word = w == state / WORD ? bits[w] & (UINT64_MAX << (state % WORD)) : bits[w];
        if (word != 0)
            return w * WORD + __builtin_ctzll(word);
    }
    return -1;
}

long ll_tally_next(const ll_tally *t, long state)
{
    return next_state(t, t->rows.groups, state);
}

void ll_tally_get(const ll_tally *t, long state, long *sums)
{
    for (long d = t->rows.dimensions - 1; d >= 0; d--) {
        sums[d] = state / t->stride[d];
        state %= t->stride[d];
    }
}

void ll_tally_drop(ll_tally *t, long state)
{
    layer(t, t->rows.groups)[state / WORD] &= ~(UINT64_C(1) << (state % WORD));
}

int ll_tally_has(const ll_tally *t, long groups, long state)
{
    return state >= 0 && state < t->states && has_bit(layer(t, groups), state);
}

/* ---- backward ---- */

/* Which states of layer g get into layer g + 1 with `first` .. `last` rows of label 1? Those bits of word w. */
static uint64_t leads_on(const ll_tally *t, long g, long w, long first, long last)
{
    uint64_t bits = 0;
    for (long j = first; j <= last; j++)
        bits |= shifted_down(layer(t, g + 1), w, j * t->offset[g], t->words);
    return bits & layer(t, g)[w];
}

void ll_tally_close(ll_tally *t)
{
    for (long g = t->rows.groups - 1; g >= 0; g--)
        for (long w = 0; w < t->words; w++)
            if (layer(t, g)[w] != 0)
                layer(t, g)[w] = leads_on(t, g, w, 0, t->rows.sizes[g]);
}

void ll_tally_candidates(const ll_tally *t, long group, int *zero, int *one)
{
    long size = t->rows.sizes[group];
    *zero = *one = 0;
    for (long w = 0; w < t->words && !(*zero && *one); w++) {
        if (layer(t, group)[w] == 0)
            continue;
        *zero = *zero || leads_on(t, group, w, 0, size - 1) != 0;
        *one = *one || leads_on(t, group, w, 1, size) != 0;
    }
}

/* ---- how many ---- */

/* next[state + j offset] += (size over j) now[state]; only states of the layer have a count. */
static void count_group(const ll_tally *t, fmpz *next, fmpz *now, long g)
{
    fmpz_t ways;
    fmpz_init(ways);
    for (long j = 0; j <= t->rows.sizes[g]; j++) {
        fmpz_bin_uiui(ways, (ulong)t->rows.sizes[g], (ulong)j);
        for (long s = 0; (s = next_state(t, g, s)) >= 0; s++)
            if (ll_tally_has(t, g + 1, s + j * t->offset[g]))
                fmpz_addmul(next + s + j * t->offset[g], now + s, ways);
    }
    for (long s = 0; (s = next_state(t, g, s)) >= 0; s++)
        fmpz_zero(now + s);
    fmpz_clear(ways);
}

ll_status ll_tally_count(const ll_tally *t, fmpz_t out)
{
    fmpz *now = calloc((size_t)t->states, sizeof *now), *next = calloc((size_t)t->states, sizeof *next);
    ll_status status = now != NULL && next != NULL ? LL_OK : LL_MEMORY;
    fmpz_zero(out);
    if (status == LL_OK && ll_tally_has(t, 0, 0))
        fmpz_one(now);
    for (long g = 0; status == LL_OK && g < t->rows.groups; g++) {
        count_group(t, next, now, g);
        fmpz *other = now;
        now = next;
        next = other;
    }
    for (long s = 0; status == LL_OK && (s = ll_tally_next(t, s)) >= 0; s++) {
        fmpz_add(out, out, now + s);
        fmpz_clear(now + s);
    }
    free(now);
    free(next);
    return status;
}
