/* Random noise taken as bounded, with a probability (docs/proofs/noise.md). */
#include "plan/likely_bounds.h"

#include <math.h>

/* ---- rounding ---- */

/* Rows that are alike, and sums of such rows, are rounded alike: only where a sum rounds once are errors no matter of
 * many that may depend on each other. */
static int rounds_once(const ll_plan *plan)
{
    ll_order order = plan->scoring.how->order;
    return order == LL_SUM_COMPENSATED || order == LL_SUM_EXACT;
}

int ll_likely_is_native(const ll_plan *plan)
{
    return plan->guarantee == LL_LIKELY && plan->scoring.how->kind == LL_KIND_NATIVE &&
           !ll_code_name_is_soft(plan->code_name) && rounds_once(plan);
}

static int has_noise(const ll_scorer *scorer)
{
    return !ll_release_is_bounded(&scorer->release);
}

/* Half of the last bit of numbers of the size of x, for that many fraction bits. */
static double half_bit(double x, long fraction)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 2 - (int)fraction);
}

/* Errors of a sum and its mean, as independent uniform variables: `sizes` largest, of each size as many as `counts`
 * says, and what the others' variances add up to. In a tree of additions the partial sums of level l are 2^l of size
 * S/2^l: their variances add up to twice that of the last. */
enum { LEVELS = 4 };
typedef struct {
    double sizes[LEVELS], counts[LEVELS], rest;
} errors;

static errors errors_of(const ll_plan *plan, double last, double mean)
{
    double n = (double)plan->rows;
    ll_order order = plan->scoring.how->order;
    errors e = {.sizes = {mean, last}, .counts = {1, 1}};
    if (order == LL_SUM_PAIRWISE || order == LL_SUM_CASCADE) {
        for (int i = 2; i < LEVELS; i++) {
            e.sizes[i] = ldexp(last, 1 - i);
            e.counts[i] = ldexp(1, i - 1);
        }
        e.rest = last * last / 3 * (ldexp(1, 2 - LEVELS) + 77 / n);
    }
    return e;
}

/* ln E exp(t X), at least, for X the sum of the errors: sinh(z)/z for each uniform one, z = t * its size, and at most
 * exp(t^2 variance / 2) for any number of them. */
static double log_moment(const errors *e, double t)
{
    double sum = t * t * e->rest / 2;
    for (int i = 0; i < LEVELS; i++) {
        double z = t * e->sizes[i];
        sum += e->counts[i] * (z < 1e-4 ? z * z / 6 : z + log(-expm1(-2 * z) / (2 * z)));
    }
    return sum;
}

/* At least ln P(|X| > x), by Chernoff's bound, which holds for every t: t x - ln E exp(t X) is concave in t, so thirds
 * close in on its top, which is flat. */
static double log_tail(const errors *e, double x)
{
    double low = 0, high = 1;
    while (high * x - log_moment(e, high) < 2 * high * x - log_moment(e, 2 * high) && high < 1e300)
        high *= 2;
    for (high *= 2; high - low > 1e-3 * high;) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (a * x - log_moment(e, a) < b * x - log_moment(e, b))
            low = a;
        else
            high = b;
    }
    return M_LN2 + log_moment(e, low) - low * x;
}

double ll_likely_rounding(const ll_plan *plan, double magnitude)
{
    long fraction = plan->scoring.how->total.format.fraction_bits;
    double n = (double)plan->rows, last = half_bit(magnitude, fraction), mean = n * half_bit(magnitude / n, fraction);
    double part = plan->failure / plan->shared / (has_noise(plan->scorer) ? 2 : 1);
    errors e = errors_of(plan, last, mean);
    double low = 0, high = last + mean;
    while (log_tail(&e, high) > log(part) && high < 1e300)
        high *= 2;
    for (int i = 0; i < 24; i++) {
        double middle = (low + high) / 2;
        if (log_tail(&e, middle) > log(part))
            low = middle;
        else
            high = middle;
    }
    ll_order order = plan->scoring.how->order;
    if (order != LL_SUM_COMPENSATED && order != LL_SUM_EXACT)
        return high * (1 + 1e-9);
    /* Two roundings: both together are never more than this, but for the compensated sum's second order. */
    double u = ldexp(1, -1 - (int)fraction);
    return fmin(high * (1 + 1e-9), (last + mean + 2 * n * u * n * u * magnitude) * (1 + 0x1p-20));
}

/* ---- repeats ---- */

typedef struct {
    const ll_scorer *scorer;
    const char *code;
    const ll_plan_request *request;
    long limit;
} question;

/* Without the plan that was there: with more memory another would have been made. */
static ll_status fail_memory(ll_plan *plan, ll_error *error)
{
    ll_plan_destroy(plan);
    return ll_fail(error, LL_MEMORY, "no memory for a plan");
}

/* A plan whose every query is asked `repeats` times. The more queries share the failure, the larger the bound, and the
 * bound decides how many there are: begin with one a row, and tighten while that holds. */
static ll_status plan_repeats(const question *w, ll_plan **out, long repeats, ll_error *error)
{
    double shared = (double)w->scorer->rows;
    ll_plan *best = NULL;
    for (int i = 0; i < 3; i++) {
        ll_plan *plan;
        double part = w->request->failure / shared / 2; /* the other half is for the scorer's rounding */
        double bound = ll_release_quantile(&w->scorer->release, repeats, part);
        ll_status status = ll_plan_make_bounded(&plan, w->scorer, w->code, w->request, w->limit, bound, repeats, shared,
                                                best == NULL ? error : NULL);
        if (status != LL_OK && best == NULL)
            return status;
        if (status == LL_MEMORY)
            return fail_memory(best, error);
        if (status != LL_OK)
            break;
        double asked = (double)ll_plan_distinct(plan);
        if (asked > shared) { /* the bounds would hold with less */
            ll_plan_destroy(plan);
            if (best == NULL)
                shared = asked;
            else
                break;
            continue;
        }
        int done = asked > 0.7 * shared;
        ll_plan_destroy(best);
        best = plan;
        if (done)
            break;
        shared = asked;
    }
    if (best == NULL)
        return ll_fail(error, LL_UNABLE, "no bound on the noise was found for the code %s", w->code);
    *out = best;
    return LL_OK;
}

/* The fewest repeats that have a plan, by doubling and halving back; 0 where none has. */
static ll_status first_plan(const question *w, ll_plan **out, long *repeats, ll_error *error)
{
    long fails = 0, fits = 1;
    ll_error first = {0};
    ll_plan *plan = NULL;
    for (;; fits *= 2) {
        ll_status status = fits <= LL_LAW_REPEATS ? plan_repeats(w, &plan, fits, &first) : LL_DOMAIN;
        if (status == LL_OK)
            break;
        if (status != LL_DOMAIN || fits > LL_LAW_REPEATS)
            return ll_fail(error, status, "%s", first.text);
        fails = fits;
    }
    while (fits - fails > 1) {
        long middle = fails + (fits - fails) / 2;
        ll_plan *fewer;
        ll_status status = plan_repeats(w, &fewer, middle, NULL);
        if (status == LL_MEMORY)
            return fail_memory(plan, error);
        if (status == LL_OK) {
            ll_plan_destroy(plan);
            plan = fewer;
            fits = middle;
        } else {
            fails = middle;
        }
    }
    *out = plan;
    *repeats = fits;
    return LL_OK;
}

/* More repeats carry more labels a query: go on while that takes fewer queries in all. */
static ll_status try_more(const question *w, ll_plan **best, long repeats, ll_error *error)
{
    for (int worse = 0; worse < 2 && repeats < LL_LAW_REPEATS;) {
        ll_plan *plan = NULL;
        repeats += 1 + repeats / 2;
        ll_status status = repeats > LL_LAW_REPEATS ? LL_DOMAIN : plan_repeats(w, &plan, repeats, NULL);
        if (status == LL_MEMORY)
            return fail_memory(*best, error);
        if (status != LL_OK || plan == NULL)
            return LL_OK;
        int better = plan->queries < (*best)->queries;
        worse = better ? 0 : worse + 1;
        ll_plan_destroy(better ? *best : plan);
        *best = better ? plan : *best;
    }
    return LL_OK;
}

/* Bounds that hold with a probability, unless proved ones take no more queries. */
static ll_status plan_rounding(const question *w, ll_plan **out, ll_error *error)
{
    ll_plan *proved;
    ll_plan_request certified = *w->request;
    certified.guarantee = LL_CERTIFIED;
    ll_status status = plan_repeats(w, out, 1, error);
    if (status == LL_MEMORY)
        return status;
    ll_status second = ll_plan_make_bounded(&proved, w->scorer, w->code, &certified, w->limit, 0, 1, 1, NULL);
    if (second == LL_MEMORY)
        return fail_memory(status == LL_OK ? *out : NULL, error);
    if (second != LL_OK)
        return status;
    if (status == LL_OK && (*out)->queries < proved->queries) {
        ll_plan_destroy(proved);
        return LL_OK;
    }
    if (status == LL_OK)
        ll_plan_destroy(*out);
    *out = proved;
    return LL_OK;
}

ll_status ll_likely_make(ll_plan **out, const ll_scorer *scorer, const char *code, const ll_plan_request *request,
                         long limit, ll_error *error)
{
    question w = {scorer, code, request, limit};
    long repeats = 1;
    if (ll_release_follows_spread(&scorer->release))
        return ll_fail(error, LL_DOMAIN,
                       "noise in proportion to a submission's own spread is as large as what the submission tells "
                       "apart: the code %s cannot read through it, averages can",
                       code);
    if (request->repeats > LL_LAW_REPEATS)
        return ll_fail(error, LL_DOMAIN, "a query is repeated at most %d times", LL_LAW_REPEATS);
    if (request->repeats > 0)
        return plan_repeats(&w, out, request->repeats, error);
    if (!has_noise(scorer))
        return plan_rounding(&w, out, error);
    ll_status status = first_plan(&w, out, &repeats, error);
    return status == LL_OK && *out != NULL ? try_more(&w, out, repeats, error) : status;
}
