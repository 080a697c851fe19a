/* Codes over bounded integers for scorers in floats: rows looked up by their kind, written and counted. */
#include "plan/row_kinds.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREC = LL_FLOATS_PREC,
    SUM_PREC = 128, /* of a sum of kinds' terms, which have 64 bits */
    CHUNK = 4096
};

static int suits(const ll_plan *plan)
{
    return ll_code_has_levels(plan->code) && !ll_code_has_labels(plan->code);
}

static void clear(ll_plan *plan)
{
    ll_row_kinds *m = plan->data;
    if (m == NULL)
        return;
    ll_row_kinds_clear(m);
    free(m);
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    ll_row_kinds *m = calloc(1, sizeof *m);
    if (m == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    plan->data = m;
    long kinds = plan->code->row->get_kinds != NULL ? plan->code->kinds : 0;
    m->key = malloc(sizeof *m->key * (size_t)plan->classes);
    m->known = kinds > 0 ? malloc(sizeof *m->known * (size_t)kinds) : NULL;
    m->numbers = malloc(sizeof *m->numbers * CHUNK);
    if (m->key == NULL || m->numbers == NULL || (kinds > 0 && m->known == NULL))
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    for (long i = 0; i < kinds; i++)
        m->known[i] = -1;
    plan->entries = ll_floats_is_double(plan) ? LL_ENTRIES_DOUBLE : LL_ENTRIES_EXACT;
    return LL_OK;
}

static ll_status kind_of(const ll_plan *plan, const ll_code *code, ll_row_kind **out, long row, ll_error *error)
{
    ll_row_kinds *m = plan->data;
    for (long k = 0; k < plan->classes; k++)
        m->key[k] = row >= 0 ? code->row->level(code, row, k) : 0;
    return ll_row_kinds_find(plan, m, out, error);
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    ll_row_kind *k;
    ll_status status = kind_of(plan, code, &k, row, error);
    for (long c = 0; c < plan->columns && status == LL_OK; c++)
        if (ll_floats_is_double(plan))
            ((double *)to)[c] = k->row.doubles[c];
        else
            ll_exact_set((ll_exact *)to + c, k->row.exacts + c);
    return status;
}

/* The kinds of `rows` <= CHUNK rows of the block, as indices: by the code's numbers where it has them. */
static ll_status kinds_of(const ll_plan *plan, const ll_code *code, long row, long rows, ll_error *error)
{
    ll_row_kinds *m = plan->data;
    ll_row_kind *k;
    if (m->known != NULL)
        code->row->get_kinds(code, m->numbers, row, rows);
    for (long i = 0; i < rows; i++) {
        long *index = m->known != NULL ? &m->known[m->numbers[i]] : NULL;
        if (index == NULL || *index < 0) {
            ll_status status = kind_of(plan, code, &k, row + i, error);
            if (status != LL_OK)
                return status;
            m->numbers[i] = (int32_t)(k - m->kinds);
            if (index != NULL)
                *index = k - m->kinds;
        } else {
            m->numbers[i] = (int32_t)*index;
        }
    }
    return LL_OK;
}

static ll_status write_rows(const ll_plan *plan, const ll_code *code, void *to, long row, long rows, ll_error *error)
{
    const ll_row_kinds *m = plan->data;
    const int doubles = ll_floats_is_double(plan);
    for (long done = 0; done < rows; done += CHUNK) {
        long count = rows - done < CHUNK ? rows - done : CHUNK;
        ll_status status = kinds_of(plan, code, row + done, count, error);
        if (status != LL_OK)
            return status;
        for (long i = 0; i < count; i++) {
            const ll_block *stored = &m->kinds[m->numbers[i]].row;
            for (long c = 0, at = (done + i) * plan->columns; c < plan->columns; c++, at++)
                if (doubles)
                    ((double *)to)[at] = stored->doubles[c];
                else
                    ll_exact_set((ll_exact *)to + at, stored->exacts + c);
        }
    }
    return LL_OK;
}

static int is_stored(const ll_plan *plan, const ll_row_kind *k, const ll_block *block, long index)
{
    for (long c = 0; c < plan->columns; c++) {
        long at = index * plan->columns + c;
        if (ll_floats_is_double(plan) ? block->doubles[at] != k->row.doubles[c]
                                      : ll_exact_cmp(block->exacts + at, k->row.exacts + c) != 0)
            return 0;
    }
    return 1;
}

static int reserve_counts(ll_account *account, long kinds)
{
    if (kinds > account->counts_size) {
        long size = kinds < 64 ? 128 : 2 * kinds;
        long *grown = realloc(account->counts, sizeof *grown * (size_t)size);
        if (grown == NULL)
            return 0;
        memset(grown + account->counts_size, 0, sizeof *grown * (size_t)(size - account->counts_size));
        account->counts = grown;
        account->counts_size = size;
    }
    return 1;
}

static ll_status account(const ll_plan *plan, const ll_code *code, ll_account *account, const ll_block *block,
                         long index, long row, ll_error *error)
{
    ll_row_kind *k;
    ll_status status = kind_of(plan, code, &k, row, error);
    if (status != LL_OK)
        return status;
    if (is_stored(plan, k, block, index)) {
        long own = k - ((ll_row_kinds *)plan->data)->kinds;
        if (!reserve_counts(account, own + 1))
            return ll_fail(error, LL_MEMORY, "no memory to count rows");
        account->counts[own]++;
        return LL_OK;
    }
    status = ll_floats_terms(plan, account->terms, block, index, error);
    if (status != LL_OK)
        return status;
    mag_t size;
    mag_init(size);
    for (long c = 0; c < plan->classes; c++) {
        arb_get_mag(size, account->terms + c);
        mag_add(account->magnitude, account->magnitude, size);
    }
    mag_clear(size);
    ll_account_add_terms(plan, code, account, row);
    return LL_OK;
}

static ll_status account_rows(const ll_plan *plan, const ll_code *code, ll_account *to, const ll_block *block,
                              long index, long row, long rows, ll_error *error)
{
    const ll_row_kinds *m = plan->data;
    const size_t bytes = sizeof(double) * (size_t)plan->columns;
    for (long done = 0; done < rows; done += CHUNK) {
        long count = rows - done < CHUNK ? rows - done : CHUNK;
        ll_status status = kinds_of(plan, code, row + done, count, error);
        if (status == LL_OK && !reserve_counts(to, m->count))
            status = ll_fail(error, LL_MEMORY, "no memory to count rows");
        for (long i = 0; i < count && status == LL_OK; i++) {
            long at = index + done + i;
            int same = ll_floats_is_double(plan) &&
                       memcmp(block->doubles + at * plan->columns, m->kinds[m->numbers[i]].row.doubles, bytes) == 0;
            if (same)
                to->counts[m->numbers[i]]++;
            else
                status = account(plan, code, to, block, at, row + done + i, error);
        }
        if (status != LL_OK)
            return status;
    }
    return LL_OK;
}

/* At least |x| in size, where x was added up from `kinds` products of one sign in doubles: each is off by half an ulp,
 * each addition too. */
static double enlarge(double x, long kinds)
{
    return x == 0 ? 0 : x * (1 + (double)(kinds + 4) * 0x1p-52) + copysign(DBL_MIN, x);
}

/* Counted rows times what their kinds add. */
static void close_account(const ll_plan *plan, ll_account *account)
{
    const ll_row_kinds *m = plan->data;
    const long kinds = m->count < account->counts_size ? m->count : account->counts_size;
    double low = 0, high = 0, magnitude = 0;
    arb_dot_si(account->offset, account->offset, 0, m->bases, 1, account->counts, 1, kinds, SUM_PREC);
    for (long i = 0; i < kinds; i++) {
        double rows = (double)account->counts[i];
        low += rows * m->kinds[i].low;
        high += rows * m->kinds[i].high;
        magnitude += rows * m->kinds[i].magnitude;
        account->counts[i] = 0;
    }
    ll_row_kinds_add_double(account->low, enlarge(low, kinds));
    ll_row_kinds_add_double(account->high, enlarge(high, kinds));
    mag_t part;
    mag_init(part);
    mag_set_d(part, enlarge(magnitude, kinds));
    mag_add(account->magnitude, account->magnitude, part);
    mag_clear(part);
}

const ll_writer ll_writer_levels = {
    .name = "levels of the scorer",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .write = write_row,
    .account = account,
    .write_rows = write_rows,
    .account_rows = account_rows,
    .close = close_account,
};
