/* Rows for the code hadamard: 2 T kinds, each made once. In a row of kind 2 t the labels whose bit t is 1 are heavy:
 * they add one unit more than the others; in a row of kind 2 t + 1 those whose bit is 0.
 *
 * Two classes: a row x and its mirror. In one column the mirror of x is 1 - x, which a float holds to a few bits only;
 * x is then taken as 1 minus the stored mirror, which is exact, so that both weigh the same. The unit is what the
 * stored numbers weigh by the scorer's own arithmetic, not what was wished for. */
#include "strategy/averages/averages.h"
#include "strategy/averages/hadamard.h"
#include "strategy/averages/signs.h"
#include "strategy/common/floats.h"
#include "strategy/common/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = LL_FLOATS_PREC, EXACT_BITS = 120 };

static int is_exact(const ll_plan *plan)
{
    return plan->scoring.how->kind == LL_KIND_EXACT;
}

/* ---- a kind ---- */

static void store(const ll_plan *plan, void *to, long column, const arb_t x)
{
    if (!is_exact(plan)) {
        ll_floats_round(plan, to, column, x);
        return;
    }
    arf_t near;
    arf_init(near);
    arf_set_round(near, arb_midref(x), EXACT_BITS, ARF_RND_NEAR);
    if (ll_exact_set_arf((ll_exact *)to + column, near) != LL_OK)
        ll_exact_set_si((ll_exact *)to + column, 0);
    arf_clear(near);
}

static void stored(const ll_plan *plan, arb_t out, const void *from, long column)
{
    if (ll_floats_is_double(plan))
        arb_set_d(out, ((const double *)from)[column]);
    else
        ll_exact_get_ball(out, (const ll_exact *)from + column, 2 * PREC);
}

/* One column: the stored mirror decides. */
static ll_status write_column(const ll_plan *plan, void *to, int heavy_zero, const arb_t weight)
{
    arb_t x;
    arb_init(x);
    ll_status status = ll_metric_invert(plan->scoring.how->metric, x, NULL, weight, PREC);
    if (status == LL_OK) {
        ll_metric_mirror(plan->scoring.how->metric, x, x, 2 * PREC);
        store(plan, to, 0, x);
        stored(plan, x, to, 0);
        ll_metric_mirror(plan->scoring.how->metric, x, x, 2 * PREC);
        if (!heavy_zero)
            store(plan, to, 0, x);
    }
    arb_clear(x);
    return status;
}

static ll_status write_columns(const ll_plan *plan, void *to, int kind, const arb_t weight)
{
    arb_ptr w = _arb_vec_init(plan->classes), x = _arb_vec_init(plan->classes);
    for (long k = 0; k < plan->classes; k++)
        if (ll_hadamard_level(kind, k))
            arb_set(w + k, weight);
    ll_status status = ll_metric_invert_row(plan->scoring.how->metric, x, w, plan->classes, PREC);
    for (long c = 0; c < plan->columns && status == LL_OK; c++)
        store(plan, to, c, x + c);
    _arb_vec_clear(w, plan->classes);
    _arb_vec_clear(x, plan->classes);
    return status;
}

static ll_status write_kind(const ll_plan *plan, ll_sign_kind *k, int kind, const arb_t weight, ll_error *error)
{
    void *to = ll_floats_is_double(plan) ? (void *)ll_block_reserve_doubles(&k->row, 1, plan->columns)
                                         : (void *)ll_block_reserve_exacts(&k->row, 1, plan->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a row");
    ll_status status =
        plan->columns > 1 ? write_columns(plan, to, kind, weight) : write_column(plan, to, kind & 1, weight);
    if (status != LL_OK)
        return ll_fail(error, status, "a weight of the plan could not be inverted");
    return ll_floats_terms(plan, k->terms, &k->row, 0, error);
}

/* Mean over the labels of that level. Every kind has some of both: label 0, and 2^b where t has bit b. */
static void mean_term(const ll_plan *plan, arb_t out, const ll_sign_kind *kind, int i, int level)
{
    long count = 0;
    arb_zero(out);
    for (long k = 0; k < plan->classes; k++)
        if (ll_hadamard_level(i, k) == level) {
            arb_add(out, out, kind->terms + k, PREC);
            count++;
        }
    arb_div_si(out, out, count, PREC);
}

/* What heavy labels add beyond light ones, on average over the kinds. */
static void set_unit(ll_plan *plan, const ll_signs *signs)
{
    arb_t mean;
    arb_init(mean);
    arb_zero(plan->state->unit);
    for (int i = 0; i < signs->count; i++) {
        mean_term(plan, mean, &signs->kinds[i], i, 1);
        arb_add(plan->state->unit, plan->state->unit, mean, PREC);
        mean_term(plan, mean, &signs->kinds[i], i, 0);
        arb_sub(plan->state->unit, plan->state->unit, mean, PREC);
    }
    arb_div_si(plan->state->unit, plan->state->unit, signs->count, PREC);
    arf_set_round(arb_midref(plan->state->unit), arb_midref(plan->state->unit), 64, ARF_RND_NEAR);
    mag_zero(arb_radref(plan->state->unit));
    arb_clear(mean);
}

/* term(k) - term(0) - (level(k) - level(0)) * unit */
static void set_deviations(const ll_plan *plan, ll_sign_kind *kind, int i)
{
    arb_t own;
    mag_t size;
    arb_init(own);
    mag_init(size);
    for (long k = 0; k < plan->classes; k++) {
        arb_get_mag(size, kind->terms + k);
        mag_max(kind->magnitude, kind->magnitude, size);
        arb_mul_si(own, plan->state->unit, ll_hadamard_level(i, 0) - ll_hadamard_level(i, k), PREC);
        arb_add(own, own, kind->terms + k, PREC);
        arb_sub(own, own, kind->terms, PREC);
        if (k > 0) {
            arb_min(kind->low, kind->low, own, PREC);
            arb_max(kind->high, kind->high, own, PREC);
        }
    }
    arb_clear(own);
    mag_clear(size);
}

/* ---- all kinds ---- */

void ll_signs_destroy(ll_signs *signs, const ll_plan *plan)
{
    if (signs == NULL)
        return;
    for (int i = 0; i < signs->count && signs->kinds != NULL; i++) {
        ll_sign_kind *k = &signs->kinds[i];
        ll_block_clear(&k->row);
        if (k->terms != NULL)
            _arb_vec_clear(k->terms, plan->classes);
        arb_clear(k->low);
        arb_clear(k->high);
        mag_clear(k->magnitude);
    }
    free(signs->kinds);
    free(signs);
}

static ll_status fill(ll_signs *signs, ll_plan *plan, const arb_t weight, ll_error *error)
{
    ll_status status = LL_OK;
    for (int i = 0; i < signs->count && status == LL_OK; i++) {
        ll_block_init(&signs->kinds[i].row);
        signs->kinds[i].terms = _arb_vec_init(plan->classes);
        status = write_kind(plan, &signs->kinds[i], i, weight, error);
    }
    if (status != LL_OK)
        return status;
    set_unit(plan, signs);
    for (int i = 0; i < signs->count; i++)
        set_deviations(plan, &signs->kinds[i], i);
    return arb_is_positive(plan->state->unit)
               ? LL_OK
               : ll_fail(error, LL_DOMAIN, "labels cannot be given two weights in %s", ll_plan_metric_name(plan));
}

ll_status ll_signs_create(ll_signs **out, ll_plan *plan, const arb_t weight, ll_error *error)
{
    ll_signs *signs = calloc(1, sizeof *signs);
    if (signs == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for rows");
    signs->count = 2 * ((1 << ll_posterior_bits(plan->classes)) - 1);
    signs->kinds = calloc((size_t)signs->count, sizeof *signs->kinds);
    ll_status status = signs->kinds != NULL ? fill(signs, plan, weight, error)
                                            : ll_fail(error, LL_MEMORY, "no memory for %d kinds of rows", signs->count);
    if (status != LL_OK) {
        ll_signs_destroy(signs, plan);
        return status;
    }
    *out = signs;
    return LL_OK;
}

double ll_signs_mean(const ll_signs *signs, const ll_plan *plan)
{
    double sum = 0;
    arb_t mean;
    arb_init(mean);
    for (int i = 0; i < signs->count; i++)
        for (int level = 0; level < 2; level++) {
            mean_term(plan, mean, &signs->kinds[i], i, level);
            sum += arf_get_d(arb_midref(mean), ARF_RND_NEAR);
        }
    arb_clear(mean);
    return sum / (2 * signs->count);
}

double ll_signs_blur(const ll_signs *signs, const ll_plan *plan)
{
    double most = 0;
    arb_t range;
    arb_init(range);
    for (int i = 0; i < signs->count; i++) {
        arb_sub(range, signs->kinds[i].high, signs->kinds[i].low, 64);
        arb_div(range, range, plan->state->unit, 64);
        arf_t end;
        arf_init(end);
        arb_get_ubound_arf(end, range, 53);
        most = fmax(most, arf_get_d(end, ARF_RND_UP));
        arf_clear(end);
    }
    arb_clear(range);
    return most;
}

/* ---- the writer ---- */

/* May a score of such rows be too large for the scorer's format? */
static int overflows(const ll_plan *plan, const ll_signs *signs)
{
    ll_stored_error all = {0};
    mag_init(all.magnitude);
    for (int i = 0; i < signs->count; i++)
        mag_max(all.magnitude, all.magnitude, signs->kinds[i].magnitude);
    mag_mul_ui(all.magnitude, all.magnitude, (ulong)plan->rows);
    int large = plan->scoring.how->kind != LL_KIND_EXACT && ll_plan_overflows(plan, &all);
    mag_clear(all.magnitude);
    return large;
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    ll_signs *signs = NULL;
    plan->prec = PREC;
    ll_status status = ll_signs_create(&signs, plan, plan->state->unit, error);
    if (status != LL_OK)
        return status;
    plan->state->data = signs;
    plan->entries = ll_floats_is_double(plan) ? LL_ENTRIES_DOUBLE : LL_ENTRIES_EXACT;
    if (overflows(plan, signs))
        return ll_fail(error, LL_DOMAIN, "scores of the code %s may be too large for %s arithmetic", plan->name,
                       plan->scoring.how->arithmetic);
    return LL_OK;
}

static void clear(ll_plan *plan)
{
    ll_signs_destroy(plan->state->data, plan);
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    (void)error;
    const ll_sign_kind *k = &((const ll_signs *)plan->state->data)->kinds[ll_hadamard_kind(code, row)];
    ll_floats_copy(plan, to, 0, &k->row);
    return LL_OK;
}

static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *stored_error, const ll_block *block,
                         long index, long row, ll_error *error)
{
    const ll_signs *signs = plan->state->data;
    int kind = ll_hadamard_kind(code, row);
    if (stored_error->counts == NULL) {
        stored_error->counts = calloc((size_t)signs->count, sizeof *stored_error->counts);
        stored_error->counts_size = signs->count;
        if (stored_error->counts == NULL)
            return ll_fail(error, LL_MEMORY, "no memory to count rows");
    }
    stored_error->based += ll_hadamard_level(kind, plan->state->base);
    if (ll_floats_is_stored(plan, &signs->kinds[kind].row, block, index)) {
        stored_error->counts[kind]++;
        return LL_OK;
    }
    return ll_floats_measure(plan, code, stored_error, block, index, row, error);
}

static void close_stored_error(const ll_plan *plan, ll_stored_error *stored_error)
{
    const ll_signs *signs = plan->state->data;
    mag_t part;
    mag_init(part);
    for (int i = 0; i < signs->count && stored_error->counts != NULL; i++) {
        long n = stored_error->counts[i];
        if (n == 0)
            continue;
        arb_addmul_si(stored_error->offset, signs->kinds[i].terms, n, PREC); /* the base is label 0 */
        arb_addmul_si(stored_error->low, signs->kinds[i].low, n, PREC);
        arb_addmul_si(stored_error->high, signs->kinds[i].high, n, PREC);
        mag_mul_ui(part, signs->kinds[i].magnitude, (ulong)n);
        mag_add(stored_error->magnitude, stored_error->magnitude, part);
        stored_error->counts[i] = 0;
    }
    mag_clear(part);
}

const ll_writer ll_writer_signs = {
    .name = "two kinds of row a bit",
    .counts_base = 1,
    .prepare = prepare,
    .clear = clear,
    .write = write_row,
    .measure = measure,
    .close = close_stored_error,
};
