#include "strategy/common/row_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREC = LL_FLOATS_PREC,
    TERM_PREC = 64 /* of a kind's terms, which are known to the scorer's last bits only */
};

void ll_row_kinds_clear(ll_row_kinds *m)
{
    for (long i = 0; i < m->count; i++) {
        free(m->kinds[i].key);
        ll_block_clear(&m->kinds[i].row);
        arb_clear(m->bases + i);
    }
    free(m->kinds);
    free(m->bases);
    free(m->slots);
    free(m->key);
    memset(m, 0, sizeof *m);
}

static size_t hash(const int64_t *key, long classes)
{
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (long k = 0; k < classes; k++)
        h = (h ^ (uint64_t)key[k]) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return (size_t)h;
}

/* The slot of a key: its own, or the free one where it belongs. */
static long *find_slot(const ll_row_kinds *m, const int64_t *key, long classes)
{
    size_t mask = 2 * (size_t)m->size - 1;
    for (size_t at = hash(key, classes) & mask;; at = (at + 1) & mask) {
        long index = m->slots[at];
        if (index < 0 || memcmp(m->kinds[index].key, key, sizeof *key * (size_t)classes) == 0)
            return &m->slots[at];
    }
}

static int grow(ll_row_kinds *m, long classes)
{
    long size = m->size > 0 ? 2 * m->size : 64;
    ll_row_kind *kinds = realloc(m->kinds, sizeof *kinds * (size_t)size);
    arb_ptr bases = realloc(m->bases, sizeof *bases * (size_t)size);
    long *slots = malloc(sizeof *slots * 2 * (size_t)size);
    if (kinds != NULL)
        m->kinds = kinds;
    if (bases != NULL)
        m->bases = bases;
    if (kinds == NULL || bases == NULL || slots == NULL) {
        free(slots);
        return 0;
    }
    free(m->slots);
    m->slots = slots;
    m->size = size;
    for (long i = 0; i < 2 * size; i++)
        slots[i] = -1;
    for (long i = 0; i < m->count; i++)
        *find_slot(m, kinds[i].key, classes) = i;
    return 1;
}

/* ---- a kind of row ---- */

static ll_status write_kind(const ll_plan *plan, ll_row_kind *k, ll_error *error)
{
    void *to = ll_floats_is_double(plan) ? (void *)ll_block_reserve_doubles(&k->row, 1, plan->columns)
                                         : (void *)ll_block_reserve_exacts(&k->row, 1, plan->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    arb_ptr w = _arb_vec_init(plan->classes), x = _arb_vec_init(plan->classes);
    for (long c = 0; c < plan->classes; c++)
        arb_mul_si(w + c, plan->state->unit, k->key[c], PREC);
    ll_status status;
    if (plan->columns > 1) {
        status = ll_metric_invert_row(plan->scoring.how->metric, x, w, plan->scoring.classes, PREC);
    } else {
        arb_sub(w + 1, w + 1, w, PREC);
        status = ll_metric_invert(plan->scoring.how->metric, x, NULL, w + 1, PREC);
    }
    for (long c = 0; c < plan->columns && status == LL_OK; c++)
        ll_floats_round(plan, to, c, x + c);
    _arb_vec_clear(w, plan->classes);
    _arb_vec_clear(x, plan->classes);
    return status == LL_OK ? LL_OK : ll_fail(error, status, "a weight of the plan could not be inverted");
}

static int is_zero_key(const int64_t *key, long classes)
{
    for (long k = 0; k < classes; k++)
        if (key[k] != key[0])
            return 0;
    return 1;
}

/* least and greatest of term(k) - term(base) - (key[k] - key[base]) * unit; base is label 0 */
static void set_deviations(const ll_plan *plan, ll_row_kind *k, arb_ptr base, arb_srcptr terms)
{
    arb_t own;
    arf_t bound;
    arb_init(own);
    arf_init(bound);
    for (long c = 0; c < plan->classes; c++) {
        arb_get_abs_ubound_arf(bound, terms + c, 64);
        k->magnitude = fmax(k->magnitude, arf_get_d(bound, ARF_RND_CEIL));
        arb_mul_si(own, plan->state->unit, k->key[0] - k->key[c], PREC);
        arb_add(own, own, terms + c, PREC);
        arb_sub(own, own, terms, PREC);
        if (c > 0 && !(is_zero_key(k->key, plan->classes) && ll_floats_is_symmetric(plan))) {
            arb_get_lbound_arf(bound, own, 64);
            k->low = fmin(k->low, arf_get_d(bound, ARF_RND_FLOOR));
            arb_get_ubound_arf(bound, own, 64);
            k->high = fmax(k->high, arf_get_d(bound, ARF_RND_CEIL));
        }
    }
    /* a short number, since it is added up query by query; what rounding loses is in its radius */
    arb_set_round(base, terms, TERM_PREC);
    arb_clear(own);
    arf_clear(bound);
}

static ll_status fill_kind(const ll_plan *plan, ll_row_kind *k, arb_ptr base, ll_error *error)
{
    arb_ptr terms = _arb_vec_init(plan->classes);
    ll_status status = write_kind(plan, k, error);
    if (status == LL_OK)
        status = ll_floats_terms(plan, terms, &k->row, 0, error);
    if (status == LL_OK)
        set_deviations(plan, k, base, terms);
    _arb_vec_clear(terms, plan->classes);
    return status;
}

ll_status ll_row_kinds_find(const ll_plan *plan, ll_row_kinds *m, ll_row_kind **out, ll_error *error)
{
    if (m->count == m->size && !grow(m, plan->classes))
        return ll_fail(error, LL_MEMORY, "no memory for %ld kinds of rows", m->size);
    long *slot = find_slot(m, m->key, plan->classes);
    if (*slot < 0) {
        ll_row_kind *k = &m->kinds[m->count];
        arb_ptr base = m->bases + m->count;
        memset(k, 0, sizeof *k);
        arb_init(base);
        ll_block_init(&k->row);
        k->key = malloc(sizeof *k->key * (size_t)plan->classes);
        if (k->key == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for a kind of row");
        memcpy(k->key, m->key, sizeof *k->key * (size_t)plan->classes);
        *slot = m->count++;
        ll_status status = fill_kind(plan, k, base, error);
        if (status != LL_OK)
            return status;
    }
    *out = &m->kinds[*slot];
    return LL_OK;
}

void ll_row_kinds_add_double(arb_t to, double x)
{
    arb_t part;
    arb_init(part);
    arb_set_d(part, x);
    arb_add(to, to, part, PREC);
    arb_clear(part);
}
