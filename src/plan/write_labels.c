/* Scores that count matches: accuracy, and the discrete L_p distance, which counts mismatches under a root. Predictions
 * are labels, weights 0 and 1, the unit 1; all that is to be known is how far a released score can be from a count.
 *
 *     score = (share * count)^(1/P),   share = 1/N for a mean, 1 for a sum;  P = 1 without a root
 *
 * With |released - score| <= t, and M the score of N:  |released^P - score^P| <= (M + t)^P - M^P for P >= 1, as x^P is
 * convex, and t^P for P < 1, as |a^P - b^P| <= |a - b|^P. Divided by the share that is a bound on the count. A released
 * number below 0 counts as 0, which is nearer to every score.
 *
 * The scorer's own error. Counts up to 2^(f+1), f its fraction bits, are exact in its format; more rows are refused.
 * Then come one division, at most two roots and a product (percent): each some units of roundoff of the score, taken as
 * so much more noise. */
#include "plan/labels.h"

#include <math.h>
#include <stdlib.h>

enum { PREC = 192 };

typedef struct {
    arb_t rounding; /* of the count */
} state;

int ll_plan_takes_labels(const ll_plan *plan)
{
    return ll_loss_input(plan->scoring.resolved.loss) == LL_INPUT_LABEL;
}

static int is_sum(const ll_plan *plan)
{
    return ll_loss_is_sum(plan->scoring.resolved.loss);
}

/* P */
static void get_power(const ll_plan *plan, arb_t out)
{
    arb_one(out);
    if (is_sum(plan))
        ll_exact_get_ball(out, ll_loss_parameter(plan->scoring.resolved.loss), PREC);
    if (plan->scoring.scorer.transform == LL_ROOT)
        arb_mul_2exp_si(out, out, 1);
}

void ll_labels_count(const ll_plan *plan, arb_t x)
{
    arb_t power;
    arb_init(power);
    get_power(plan, power);
    if (!arb_is_one(power)) {
        if (!arb_is_positive(x))
            arb_zero(x);
        else
            arb_pow(x, x, power, plan->prec + 64);
    }
    if (is_sum(plan)) { /* it counts mismatches */
        arb_sub_si(x, x, plan->rows, plan->prec + 64);
        arb_neg(x, x);
    } else {
        arb_mul_si(x, x, plan->rows, plan->prec + 64);
    }
    arb_clear(power);
}

void ll_labels_rounding(const ll_plan *plan, arb_t out)
{
    const state *s = plan->data;
    arb_set(out, s->rounding);
}

/* The score of N matches, or mismatches: the largest there is. */
static void get_most(const ll_plan *plan, arb_t out)
{
    arb_t power;
    arb_init(power);
    get_power(plan, power);
    arb_inv(power, power, PREC);
    arb_set_si(out, is_sum(plan) ? plan->rows : 1);
    arb_pow(out, out, power, PREC);
    arb_clear(power);
}

/* How far noise t of the score moves the count: an upper bound, as a point. */
static void count_noise(const ll_plan *plan, arb_t out, const arb_t t)
{
    arb_t power, most, end;
    arb_init(power);
    arb_init(most);
    arb_init(end);
    get_power(plan, power);
    get_most(plan, most);
    if (arb_is_one(power) || arb_is_zero(t)) {
        arb_set(out, t);
    } else if (arf_cmp_si(arb_midref(power), 1) < 0) {
        arb_pow(out, t, power, PREC);
    } else {
        arb_add(end, most, t, PREC);
        arb_pow(end, end, power, PREC);
        arb_pow(out, most, power, PREC);
        arb_sub(out, end, out, PREC);
    }
    if (!is_sum(plan))
        arb_mul_si(out, out, plan->rows, PREC);
    arb_get_ubound_arf(arb_midref(out), out, 64);
    mag_zero(arb_radref(out));
    arb_clear(power);
    arb_clear(most);
    arb_clear(end);
}

/* Scores of neighbouring counts are nearest at the top for P >= 1, at the bottom for P < 1. */
void ll_labels_unit(const ll_plan *plan, arb_t out)
{
    arb_t power, below;
    arb_init(power);
    arb_init(below);
    get_power(plan, power);
    arb_inv(power, power, PREC);
    long most = arf_cmp_si(arb_midref(power), 1) <= 0 ? plan->rows : 1;
    for (long count = most - 1; count <= most; count++) {
        arb_set(below, out);
        arb_set_si(out, count);
        if (!is_sum(plan))
            arb_div_si(out, out, plan->rows, PREC);
        if (count > 0)
            arb_pow(out, out, power, PREC);
    }
    arb_sub(out, out, below, PREC);
    arb_clear(power);
    arb_clear(below);
}

/* Units of roundoff between the count's exact score and what is released, each of the size of the score: 1 for the
 * mean, 1 for text that is only the nearest, 2 for the product that makes noise (below 1 count, so below the largest
 * score); the release's; a power 2L + 2 (|ln sum| + 1) / P (docs/proofs/score-interval.md). */
static double count_units(const ll_plan *plan)
{
    double units = 4 + ll_plan_release_units(&plan->scoring.scorer);
    if (is_sum(plan)) {
        double power = ll_exact_get_d(ll_loss_parameter(plan->scoring.resolved.loss));
        units += 2 * plan->scoring.resolved.log_ulps + 2 * (log((double)plan->rows) + 1) / power;
    }
    return units * (1 + 0x1p-10);
}

/* Own error of the score: relative, and half the least subnormal for a score that small. */
static void score_error(const ll_plan *plan, arb_t out)
{
    const ll_format *format = &plan->scoring.resolved.total.format;
    arb_t part;
    arb_zero(out);
    if (plan->scoring.resolved.kind == LL_KIND_EXACT)
        return;
    arb_init(part);
    get_most(plan, out);
    arb_set_d(part, count_units(plan));
    arb_mul(out, out, part, 64);
    arb_mul_2exp_si(out, out, -(format->fraction_bits + 1));
    long exponents = format->exponent_bits < 40 ? format->exponent_bits : 40;
    arb_one(part);
    arb_mul_2exp_si(part, part, 2 - (1L << (exponents - 1)) - format->fraction_bits);
    arb_add(out, out, part, 64);
    arb_clear(part);
}

/* plan->noise and the rounding of the count, from the noise of N * score. */
static void set_blur(ll_plan *plan, state *s)
{
    arb_t tau, own;
    arb_init(tau);
    arb_init(own);
    arb_div_si(tau, plan->noise, plan->rows, PREC);
    score_error(plan, own);
    arb_add(own, own, tau, PREC);
    count_noise(plan, plan->noise, tau);
    count_noise(plan, s->rounding, own);
    arb_sub(s->rounding, s->rounding, plan->noise, 64);
    arb_clear(tau);
    arb_clear(own);
}

/* ---- what can be told apart ---- */

/* Counts are 1 apart: half of that is always enough, and a hair more where rounding meets no tie. Two classes: all
 * counts have one parity, so less than 1 is enough as soon as one query, or the labels themselves, show which. */
static ll_status check_blur(const ll_plan *plan, const state *s, ll_error *error)
{
    arb_t blur, most;
    arb_init(blur);
    arb_init(most);
    arb_add(blur, plan->noise, s->rounding, 64);
    arb_set_d(most, plan->classes == 2 ? 1 - 0x1p-20 : 0.5 + 0x1p-20);
    ll_status status = LL_OK;
    if (!arb_lt(blur, most)) {
        char *text = arb_get_str(blur, 3, ARB_STR_NO_RADIUS);
        status = ll_fail(error, LL_DOMAIN,
                         "noise and rounding move the number of right labels of %ld rows by up to %s, and it must stay "
                         "below %s for counts to be told apart: use less noise or more decimals",
                         plan->rows, text, plan->classes == 2 ? "1" : "0.5");
        flint_free(text);
    }
    arb_clear(blur);
    arb_clear(most);
    return status;
}

static ll_status check_format(const ll_plan *plan, ll_error *error)
{
    const ll_format *format = &plan->scoring.resolved.total.format;
    if (plan->scoring.resolved.kind == LL_KIND_EXACT)
        return LL_OK;
    long bits = format->fraction_bits + 1 < 62 ? format->fraction_bits + 1 : 62;
    long exponents = format->exponent_bits < 40 ? format->exponent_bits : 40;
    if ((1L << (exponents - 1)) - 1 < bits)
        bits = (1L << (exponents - 1)) - 1; /* 2^bits must be finite too */
    if (plan->rows > 1L << bits)
        return ll_fail(error, LL_DOMAIN,
                       "the scorer's format counts exactly up to %ld only, and there are %ld rows: no count is certain",
                       1L << bits, plan->rows);
    return LL_OK;
}

/* ---- the writer ---- */

static int suits(const ll_plan *plan)
{
    return ll_code_has_labels(plan->code) && ll_plan_takes_labels(plan);
}

static ll_status prepare(ll_plan *plan, ll_error *error)
{
    ll_status status = check_format(plan, error);
    if (status != LL_OK)
        return status;
    state *s = calloc(1, sizeof *s); /* zeros are initialised balls */
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a plan");
    plan->data = s;
    plan->columns = 1;
    plan->entries = LL_ENTRIES_DOUBLE;
    plan->prec = PREC;
    arb_one(plan->unit);
    set_blur(plan, s);
    return check_blur(plan, s, error);
}

static void clear(ll_plan *plan)
{
    state *s = plan->data;
    if (s == NULL)
        return;
    arb_clear(s->rounding);
    free(s);
}

static ll_status write_row(const ll_plan *plan, const ll_code *code, void *to, long row, ll_error *error)
{
    (void)plan;
    (void)error;
    *(double *)to = code->row->predict(code, row);
    return LL_OK;
}

/* The label that is stored; -1 where it is none. */
static long stored_label(const ll_plan *plan, const ll_block *block, long index)
{
    double x = block->doubles[index];
    return x >= 0 && x < (double)plan->classes && x == floor(x) ? (long)x : -1;
}

/* term(k) = [k is predicted]. Rows as planned deviate by nothing; those that predict the base label are counted. */
static ll_status account(const ll_plan *plan, const ll_code *code, ll_account *account, const ll_block *block,
                         long index, long row, ll_error *error)
{
    long stored = stored_label(plan, block, index);
    if (stored < 0)
        return ll_fail(error, LL_DOMAIN, "a stored prediction is not a label of 0 to %ld", plan->classes - 1);
    long planned = code->row->predict(code, row);
    account->based += planned == plan->base;
    if (stored == planned) {
        account->neutral += stored == plan->base;
        return LL_OK;
    }
    for (long k = 0; k < plan->classes; k++)
        arb_set_si(account->terms + k, k == stored);
    ll_account_add_terms(plan, code, account, row);
    return LL_OK;
}

static void close_account(const ll_plan *plan, ll_account *account)
{
    (void)plan;
    arb_add_si(account->offset, account->offset, account->neutral, PREC);
    account->neutral = 0;
}

const ll_writer ll_writer_labels = {
    .name = "labels",
    .suits = suits,
    .prepare = prepare,
    .clear = clear,
    .write = write_row,
    .account = account,
    .close = close_account,
};
