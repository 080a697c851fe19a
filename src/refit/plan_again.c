/* The same scores decoded again, as if the scorer of the plan had been another one. The predictions are what they are:
 * only what their rows add (the computation), or what the texts stand for (the release), is read otherwise. */
#include "decode/decoder.h"
#include "refit/refit.h"

#include <math.h>

/* ---- the stored error of any scorer ---- */

static void add_magnitude(const ll_plan *plan, ll_stored_error *stored_error)
{
    mag_t most, size;
    mag_init(most);
    mag_init(size);
    for (long k = 0; k < plan->classes; k++) {
        arb_get_mag(size, stored_error->terms + k);
        mag_max(most, most, size);
    }
    mag_add(stored_error->magnitude, stored_error->magnitude, most);
    mag_clear(most);
    mag_clear(size);
}

/* stored_error->neutral counts the rows that were seen; those behind plan->scoring.rows are not scored, and add
 * nothing. The code then reads them as if they had the base label. */
static ll_status measure(const ll_plan *plan, const ll_code *code, ll_stored_error *to, const ll_block *block,
                         long index, long row, ll_error *error)
{
    if (to->neutral++ >= plan->scoring.rows)
        return LL_OK;
    for (long k = 0; k < plan->classes; k++) {
        ll_status status = ll_scoring_term(&plan->scoring, to->terms + k, block, index, k, error);
        if (status != LL_OK)
            return status;
    }
    add_magnitude(plan, to);
    ll_stored_error_add_terms(plan, code, to, row);
    return LL_OK;
}

static const ll_writer any_writer = {.name = "any", .measure = measure};

/* ---- one column of two ---- */

static ll_status get_last(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const ll_predictions *whole = self;
    ll_block block;
    ll_block_init(&block);
    double *to = ll_block_reserve_doubles(out, count, 1);
    ll_status status = to != NULL ? whole->get(whole->self, &block, first, count, error) : LL_MEMORY;
    for (long i = 0; i < count && status == LL_OK; i++)
        to[i] = block.doubles[i * block.columns + block.columns - 1];
    ll_block_clear(&block);
    return status;
}

static void narrow(ll_predictions *out, ll_predictions *whole)
{
    *out =
        (ll_predictions){.self = whole, .rows = whole->rows, .columns = 1, .entries = whole->entries, .get = get_last};
}

/* ---- decoding ---- */

static ll_status read_score(ll_decoder *decoder, const ll_plan *plan, const ll_plan *other, const char *score,
                            long query)
{
    ll_predictions own, one, watched;
    ll_status status = ll_plan_predictions(plan, &own, query, NULL);
    one = own;
    if (other->columns < plan->columns)
        narrow(&one, &own);
    if (status == LL_OK)
        status = ll_decoder_watch(decoder, &watched, &one, query, NULL);
    return status == LL_OK ? ll_decoder_score(decoder, score, NULL) : status;
}

/* What the texts or rows contradict is no fit; what memory or time end is. */
static ll_status read_all(const ll_refit_case *c, const ll_plan *other, ll_decoder *decoder, int *fits)
{
    ll_status status = LL_OK;
    *fits = 1;
    for (long q = 0; q < c->count && status == LL_OK && *fits; q++) {
        status = read_score(decoder, c->plan, other, c->scores[q], q);
        if (status == LL_DOMAIN || ll_decoder_is_refuted(decoder)) {
            *fits = 0;
            status = LL_OK;
        }
        if (status == LL_OK && ll_clock() > c->until)
            status = LL_UNABLE;
    }
    return status;
}

/* Half of the labels that were asked about, at least: a description under which nearly nothing is left may leave a few.
 */
static long least_certain(const ll_refit_case *c)
{
    const ll_plan *plan = c->plan;
    long distinct = c->count / plan->bounds.repeats, asked = plan->rows;
    if (!ll_plan_is_joint(plan) && distinct * plan->block < plan->rows)
        asked = distinct * plan->block;
    return asked > 1 ? asked / 2 : 1;
}

static ll_status decode(ll_refit_trial *out, const ll_refit_case *c, const ll_plan *other)
{
    ll_decoder *decoder;
    ll_verdict verdict;
    int fits;
    ll_status status = ll_decoder_create(&decoder, other, NULL);
    if (status != LL_OK)
        return status;
    ll_verdict_init(&verdict);
    status = read_all(c, other, decoder, &fits);
    if (status == LL_OK && fits)
        status = ll_decoder_verdict(decoder, &verdict, NULL);
    *out = (ll_refit_trial){.answer = LL_REFIT_NO};
    if (status == LL_OK && fits && verdict.kind != LL_NONE) {
        out->certain = verdict.certain;
        out->proved = verdict.certain >= least_certain(c);
        out->answer = out->proved ? LL_REFIT_YES : LL_REFIT_OPEN;
        out->chance = verdict.gap.text != NULL ? fmin(1, ll_verdict_chance(other, &verdict)) : 1;
    }
    ll_verdict_clear(&verdict);
    ll_decoder_destroy(decoder);
    return status == LL_DOMAIN ? LL_OK : status;
}

ll_status ll_refit_decode(ll_refit_trial *out, const ll_refit_case *c, const ll_scorer *other, ll_refit_way way,
                          long dropped)
{
    ll_plan plan = *c->plan;
    ll_plan_state state = *plan.state;
    plan.scorer = other;
    int needs_own =
        (c->plan->strategy->takes & LL_TAKES_LONG_GRIDS) != 0; /* its state, and terms that are not listed */
    /* Each group has a plan of its own, which knows no other description. */
    if (c->plan->scorer->groups != NULL || (needs_own && way != LL_REFIT_RELEASE)) {
        *out = (ll_refit_trial){.answer = LL_REFIT_NO};
        return LL_OK;
    }
    if (way != LL_REFIT_RELEASE) {
        plan.scoring.how = &other->computation;
        plan.scoring.rows = plan.rows - dropped;
        state.writer = &any_writer;
        plan.state = &state;
        if (plan.columns == 2 && other->computation.columns == LL_COLUMNS_ONE && plan.entries == LL_ENTRIES_DOUBLE)
            plan.columns = 1;
    }
    return decode(out, c, &plan);
}
