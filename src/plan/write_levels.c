/* Codes over bounded integers for scorers in floats. A row's weights are small integers times the unit, so few kinds of
 * rows occur: each kind is inverted, rounded and asked of the scorer's arithmetic once, and rows are then looked up and
 * counted.
 *
 * Levels. With A levels the unit is reach / A. A larger A carries more labels and leaves less room for noise, rounding
 * and deviations; the largest A with room is found by bisection, over the kinds of row that the code may ask for. */
#include "plan/floats.h"

#include <stdlib.h>
#include <string.h>

enum { PREC = LL_FLOATS_PREC };

/* Rows with the same weights. */
typedef struct {
    int64_t *key;    /* one weight a class, in units */
    ll_block row;    /* the stored row */
    arb_t base;      /* term(base) */
    arb_t low, high; /* least and greatest deviation of a label */
    mag_t magnitude; /* of its largest term */
} kind;

typedef struct {
    kind *kinds;
    long count, size;
    long *slots;  /* a hash table of indices into kinds, -1 where free; twice as large as kinds */
    int64_t *key; /* scratch */
} memo;

static void memo_clear(memo *m)
{
    for (long i = 0; i < m->count; i++) {
        free(m->kinds[i].key);
        ll_block_clear(&m->kinds[i].row);
        arb_clear(m->kinds[i].base);
        arb_clear(m->kinds[i].low);
        arb_clear(m->kinds[i].high);
        mag_clear(m->kinds[i].magnitude);
    }
    free(m->kinds);
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
static long *find_slot(const memo *m, const int64_t *key, long classes)
{
    size_t mask = 2 * (size_t)m->size - 1;
    for (size_t at = hash(key, classes) & mask;; at = (at + 1) & mask) {
        long index = m->slots[at];
        if (index < 0 || memcmp(m->kinds[index].key, key, sizeof *key * (size_t)classes) == 0)
            return &m->slots[at];
    }
}

static int memo_grow(memo *m, long classes)
{
    long size = m->size > 0 ? 2 * m->size : 64;
    kind *kinds = realloc(m->kinds, sizeof *kinds * (size_t)size);
    long *slots = malloc(sizeof *slots * 2 * (size_t)size);
    if (kinds != NULL)
        m->kinds = kinds;
    if (kinds == NULL || slots == NULL) {
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

static ll_status write_kind(const ll_plan *plan, kind *k, ll_error *error)
{
    void *to = ll_floats_is_double(plan) ? (void *)ll_block_reserve_doubles(&k->row, 1, plan->columns)
                                         : (void *)ll_block_reserve_exacts(&k->row, 1, plan->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    arb_ptr w = _arb_vec_init(plan->classes), x = _arb_vec_init(plan->classes);
    for (long c = 0; c < plan->classes; c++)
        arb_mul_si(w + c, plan->unit, k->key[c], PREC);
    ll_status status;
    if (plan->columns > 1) {
        status = ll_loss_invert_row(plan->scoring.resolved.loss, x, w, plan->classes, PREC);
    } else {
        arb_sub(w + 1, w + 1, w, PREC);
        status = ll_loss_invert(plan->scoring.resolved.loss, x, NULL, w + 1, PREC);
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
static void set_deviations(const ll_plan *plan, kind *k, arb_srcptr terms)
{
    arb_t own;
    mag_t size;
    arb_init(own);
    mag_init(size);
    for (long c = 0; c < plan->classes; c++) {
        arb_get_mag(size, terms + c);
        mag_max(k->magnitude, k->magnitude, size);
        arb_mul_si(own, plan->unit, k->key[0] - k->key[c], PREC);
        arb_add(own, own, terms + c, PREC);
        arb_sub(own, own, terms, PREC);
        if (c > 0 && !(is_zero_key(k->key, plan->classes) && ll_floats_is_symmetric(plan))) {
            arb_min(k->low, k->low, own, PREC);
            arb_max(k->high, k->high, own, PREC);
        }
    }
    arb_set(k->base, terms);
    arb_clear(own);
    mag_clear(size);
}

static ll_status fill_kind(const ll_plan *plan, kind *k, ll_error *error)
{
    arb_ptr terms = _arb_vec_init(plan->classes);
    ll_status status = write_kind(plan, k, error);
    if (status == LL_OK)
        status = ll_floats_terms(plan, terms, &k->row, 0, error);
    if (status == LL_OK)
        set_deviations(plan, k, terms);
    _arb_vec_clear(terms, plan->classes);
    return status;
}

/* The kind of a key, made where it is new. */
static ll_status memo_find(const ll_plan *plan, memo *m, kind **out, const int64_t *key, ll_error *error)
{
    if (m->count == m->size && !memo_grow(m, plan->classes))
        return ll_fail(error, LL_MEMORY, "no memory for %ld kinds of rows", m->size);
    long *slot = find_slot(m, key, plan->classes);
    if (*slot < 0) {
        kind *k = &m->kinds[m->count];
        memset(k, 0, sizeof *k); /* zeros are initialised balls */
        ll_block_init(&k->row);
        k->key = malloc(sizeof *key * (size_t)plan->classes);
        if (k->key == NULL)
            return ll_fail(error, LL_MEMORY, "no memory for a kind of row");
        memcpy(k->key, key, sizeof *key * (size_t)plan->classes);
        *slot = m->count++;
        ll_status status = fill_kind(plan, k, error);
        if (status != LL_OK)
            return status;
    }
    *out = &m->kinds[*slot];
    return LL_OK;
}

/* ---- levels ---- */

typedef struct {
    arb_t range, radius; /* of one row's deviations and of its offset */
    mag_t magnitude;
} worst;

/* Widen `w` by the kind of row whose label k adds k * step (at most the levels in size). */
static ll_status try_step(const ll_plan *plan, memo *m, worst *w, int64_t step, ll_error *error)
{
    kind *k;
    for (long c = 0; c < plan->classes; c++)
        m->key[c] = c * step;
    ll_status status = memo_find(plan, m, &k, m->key, error);
    if (status != LL_OK)
        return status;
    arb_t part;
    arb_init(part);
    arb_sub(part, k->high, k->low, PREC);
    arb_max(w->range, w->range, part, PREC);
    arb_get_rad_arb(part, k->base);
    arb_max(w->radius, w->radius, part, PREC);
    mag_max(w->magnitude, w->magnitude, k->magnitude);
    arb_clear(part);
    return LL_OK;
}

static int both_signs(const ll_plan *plan)
{
    return strncmp(plan->code_name, "sum-distinct", 12) != 0;
}

/* Steps, of both signs where the code has both: small, large, and spread between, at golden-ratio distances. */
static ll_status try_steps(const ll_plan *plan, memo *m, worst *w, int64_t most, long spread, ll_error *error)
{
    ll_status status = LL_OK;
    for (long i = 0; i < spread && status == LL_OK; i++) {
        double at = (double)i * 0.6180339887498949;
        int64_t step = i < 4 ? i : i < 8 ? most - (i - 4) : (int64_t)((at - (double)(long)at) * (double)most);
        step = step < 0 ? 0 : step > most ? most : step;
        status = try_step(plan, m, w, step, error);
        if (status == LL_OK && both_signs(plan))
            status = try_step(plan, m, w, -step, error);
    }
    return status;
}

/* unit > 2 (noise + rounding) + N (range + 2 radius), with a twentieth to spare on what was only sampled? */
static int has_room(const ll_plan *plan, const worst *w)
{
    ll_account all = {0};
    arb_t blur, part;
    arb_init(blur);
    arb_init(part);
    mag_init(all.magnitude);
    mag_mul_ui(all.magnitude, w->magnitude, (ulong)plan->rows);
    ll_plan_rounding(plan, &all, blur);
    arb_add(blur, blur, plan->noise, PREC);
    arb_mul_2exp_si(blur, blur, 1);
    arb_mul_2exp_si(part, w->radius, 1);
    arb_add(part, part, w->range, PREC);
    arb_mul_si(part, part, plan->rows, PREC);
    arb_mul_ui(part, part, 21, PREC);
    arb_div_ui(part, part, 20, PREC);
    arb_add(blur, blur, part, PREC);
    int room = arb_gt(plan->unit, blur);
    mag_clear(all.magnitude);
    arb_clear(blur);
    arb_clear(part);
    return room;
}

static void set_unit(ll_plan *plan, const arb_t reach, int64_t levels)
{
    arb_mul_ui(plan->unit, reach, 4095, 64);
    arb_mul_2exp_si(plan->unit, plan->unit, -12);
    arb_div_si(plan->unit, plan->unit, levels, 64);
    arf_set_round(arb_midref(plan->unit), arb_midref(plan->unit), 48, ARF_RND_DOWN);
    mag_zero(arb_radref(plan->unit));
}

static ll_status levels_fit(ll_plan *plan, int *fits, const arb_t reach, int64_t levels, long spread, ll_error *error)
{
    memo m = {0};
    worst w;
    arb_init(w.range);
    arb_init(w.radius);
    mag_init(w.magnitude);
    m.key = malloc(sizeof *m.key * (size_t)plan->classes);
    set_unit(plan, reach, levels);
    ll_status status = m.key != NULL ? try_steps(plan, &m, &w, levels / (plan->classes - 1), spread, error)
                                     : ll_fail(error, LL_MEMORY, "no memory for a row");
    *fits = status == LL_OK && has_room(plan, &w);
    memo_clear(&m);
    arb_clear(w.range);
    arb_clear(w.radius);
    mag_clear(w.magnitude);
    return status == LL_MEMORY ? status : LL_OK;
}

/* Two columns where the scorer takes them, since 1 - p has few bits left where p is near 1. */
long ll_plan_level_columns(const ll_plan *plan)
{
    if (plan->classes > 2)
        return plan->classes;
    ll_form form = ll_loss_form(plan->scoring.resolved.loss);
    ll_clip_mode mode = plan->scoring.scorer.clip_mode;
    int takes_rows = mode == LL_CLIP_NONE || mode == LL_CLIP || mode == LL_CLIP_RENORMALISE;
    return (form == LL_FORM_COORDINATE || form == LL_FORM_SOFTMAX) && takes_rows ? 2 : 1;
}

/* What both signs can reach. With more classes the entries of a row share 1, but weights that grow with the label leave
 * the heaviest row's other entries next to nothing; what is lost to them is a deviation like any other. */
static ll_status find_reach(const ll_plan *plan, arb_t reach)
{
    arb_t low;
    arb_init(low);
    ll_status status = ll_floats_reach(plan, low, reach);
    arb_neg(low, low);
    arb_min(reach, reach, low, 64);
    arb_clear(low);
    return status;
}

/* The most levels that fit into that reach, to one part in `parts`, `spread` kinds of rows tried; 0 where not even one
 * does. */
static ll_status bisect(ll_plan *plan, int64_t *out, const arb_t reach, int64_t parts, long spread, ll_error *error)
{
    int64_t fits = 0, fails = (int64_t)1 << 46;
    while (fails - fits > 1 + fits / parts) {
        int64_t middle = fails > 8 * fits ? 4 * fits + 1 : fits + (fails - fits) / 2;
        int room;
        ll_status status = levels_fit(plan, &room, reach, middle, spread, error);
        if (status != LL_OK)
            return status;
        if (room)
            fits = middle;
        else
            fails = middle;
    }
    *out = fits;
    return LL_OK;
}

/* All of the reach, or with one column less of it: near its negative end 1 - p has few bits, and a part of the reach
 * with small deviations may carry more levels than the whole. */
static void set_part(arb_t out, const arb_t reach, long n, long parts)
{
    if (n > parts) { /* n - parts of the parts of the reach itself */
        arb_mul_si(out, reach, n - parts, 64);
        arb_div_si(out, out, parts, 64);
    } else { /* n^3 parts of its exponent: Itakura-Saito reaches 2^1000 on one side and 2^53 on the other */
        slong exponent = arf_abs_bound_lt_2exp_si(arb_midref(reach));
        arb_one(out);
        arb_mul_2exp_si(out, out, exponent * n * n * n / (parts * parts * parts));
    }
}

/* Even without any rounding, part / (2 noise) levels are no more than `most`. */
static int cannot_beat(const ll_plan *plan, const arb_t part, int64_t most)
{
    arb_t levels;
    arb_init(levels);
    arb_mul_2exp_si(levels, plan->noise, 1);
    arb_div(levels, part, levels, 64);
    int few = arb_is_finite(levels) && arf_cmp_si(arb_midref(levels), most) <= 0;
    arb_clear(levels);
    return few;
}

static int is_part_better(const ll_plan *plan)
{
    return plan->columns > 1 ? plan->scoring.resolved.kernel == LL_KERNEL_SQUARED : both_signs(plan);
}

static ll_status best_reach(ll_plan *plan, arb_t reach, ll_error *error)
{
    enum { PARTS = 8 };
    arb_t part, best;
    arb_init(part);
    arb_init(best);
    arb_set(best, reach);
    ll_status status = LL_OK;
    int64_t most = 0;
    for (long n = 2 * PARTS; n > 0 && status == LL_OK; n--) {
        int64_t levels;
        set_part(part, reach, n, PARTS);
        if (!is_part_better(plan))
            break;
        if (cannot_beat(plan, part, most))
            continue;
        status = bisect(plan, &levels, part, 16, 12, error);
        if (status == LL_OK && levels > most) {
            most = levels;
            arb_set(best, part);
        }
    }
    if (status == LL_OK)
        status = bisect(plan, &plan->levels, best, 4096, 60, error);
    arb_set(reach, best);
    arb_clear(part);
    arb_clear(best);
    return status;
}

ll_status ll_plan_find_levels(ll_plan *plan, ll_error *error)
{
    if (plan->scoring.resolved.kind == LL_KIND_EXACT)
        return ll_fail(error, LL_DOMAIN,
                       "the code %s is for scorers in floats; in exact arithmetic radix needs fewer bits",
                       plan->code_name);
    if (plan->classes > 2 && ll_loss_form(plan->scoring.resolved.loss) == LL_FORM_BINARY)
        return ll_fail(error, LL_DOMAIN, "%s is for two classes", plan->scoring.scorer.loss);
    plan->columns = ll_plan_level_columns(plan);
    plan->prec = PREC;
    arb_t reach;
    arb_init(reach);
    ll_status status = find_reach(plan, reach);
    if (status != LL_OK)
        (void)ll_fail(error, status, "the reach of %s is not known", plan->scoring.scorer.loss);
    else
        status = best_reach(plan, reach, error);
    if (status == LL_OK && plan->levels < plan->classes - 1)
        status = ll_fail(error, LL_DOMAIN,
                         "this scorer's noise leaves %ld levels between what one row can add: too few for %ld classes",
                         (long)plan->levels, plan->classes);
    if (status == LL_OK)
        set_unit(plan, reach, plan->levels);
    arb_clear(reach);
    return status;
}

/* ---- the writer ---- */

static int suits(const ll_plan *plan)
{
    return ll_code_has_levels(plan->code) && !ll_code_has_labels(plan->code);
}

static void clear(ll_plan *plan)
{
    memo *m = plan->data;
    if (m == NULL)
        return;
    memo_clear(m);
    free(m);
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    memo *m = calloc(1, sizeof *m);
    if (m == NULL || (m->key = malloc(sizeof *m->key * (size_t)plan->classes)) == NULL) {
        free(m);
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    }
    plan->data = m;
    plan->entries = ll_floats_is_double(plan) ? LL_ENTRIES_DOUBLE : LL_ENTRIES_EXACT;
    return LL_OK;
}

static ll_status kind_of(const ll_plan *plan, const ll_code *code, kind **out, long row, ll_error *error)
{
    memo *m = plan->data;
    for (long k = 0; k < plan->classes; k++)
        m->key[k] = row >= 0 ? code->row->level(code, row, k) : 0;
    return memo_find(plan, m, out, m->key, error);
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    kind *k;
    ll_status status = kind_of(plan, code, &k, row, error);
    for (long c = 0; c < plan->columns && status == LL_OK; c++)
        if (ll_floats_is_double(plan))
            ((double *)to)[c] = k->row.doubles[c];
        else
            ll_exact_set((ll_exact *)to + c, k->row.exacts + c);
    return status;
}

static int is_stored(const ll_plan *plan, const kind *k, const ll_block *block, long index)
{
    for (long c = 0; c < plan->columns; c++) {
        long at = index * plan->columns + c;
        if (ll_floats_is_double(plan) ? block->doubles[at] != k->row.doubles[c]
                                      : ll_exact_cmp(block->exacts + at, k->row.exacts + c) != 0)
            return 0;
    }
    return 1;
}

static int count(ll_account *account, long index)
{
    if (index >= account->counts_size) {
        long size = index < 64 ? 128 : 2 * index;
        long *grown = realloc(account->counts, sizeof *grown * (size_t)size);
        if (grown == NULL)
            return 0;
        memset(grown + account->counts_size, 0, sizeof *grown * (size_t)(size - account->counts_size));
        account->counts = grown;
        account->counts_size = size;
    }
    account->counts[index]++;
    return 1;
}

static ll_status account(const ll_plan *plan, const ll_code *code, ll_account *account, const ll_block *block,
                         long index, long row, ll_error *error)
{
    kind *k;
    ll_status status = kind_of(plan, code, &k, row, error);
    if (status != LL_OK)
        return status;
    if (is_stored(plan, k, block, index)) {
        if (!count(account, k - ((memo *)plan->data)->kinds))
            return ll_fail(error, LL_MEMORY, "no memory to count rows");
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

static void add_product(arb_t to, const arb_t x, long n)
{
    arb_t part;
    arb_init(part);
    arb_mul_si(part, x, n, PREC);
    arb_add(to, to, part, PREC);
    arb_clear(part);
}

static void close_account(const ll_plan *plan, ll_account *account)
{
    const memo *m = plan->data;
    mag_t part;
    mag_init(part);
    for (long i = 0; i < m->count && i < account->counts_size; i++) {
        long n = account->counts[i];
        if (n == 0)
            continue;
        add_product(account->offset, m->kinds[i].base, n);
        add_product(account->low, m->kinds[i].low, n);
        add_product(account->high, m->kinds[i].high, n);
        mag_mul_ui(part, m->kinds[i].magnitude, (ulong)n);
        mag_add(account->magnitude, account->magnitude, part);
        account->counts[i] = 0;
    }
    mag_clear(part);
}

const ll_writer ll_writer_levels = {
    .name = "levels of the scorer",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .write = write_row,
    .account = account,
    .close = close_account,
};
