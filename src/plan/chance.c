/* Random noise taken as bounded, with a probability (docs/proofs/noise.md). */
#include "plan/chance.h"

#include <math.h>
#include <string.h>

/* P(|mean of r Laplace draws of scale 1| > x). The sum of r is, up to its sign, a Gamma variable of shape s with
 * probability 2 C(2r-1-s, r-s) 2^-(2r-s), s = 1 .. r. */
static double laplace_tail(double x, long r)
{
    double at = x * (double)r, term = exp(-at), poisson = 0, sum = 0;
    for (long s = 1; s <= r; s++) {
        poisson += term; /* P(Gamma of shape s > at) */
        term *= at / (double)s;
        double log_weight = lgamma((double)(2 * r - s)) - lgamma((double)(r - s + 1)) - lgamma((double)r) -
                            (double)(2 * r - s - 1) * M_LN2;
        sum += exp(log_weight) * poisson;
    }
    return sum;
}

static double tail(ll_noise noise, double x, long repeats)
{
    if (noise == LL_NOISE_LAPLACE)
        return laplace_tail(x, repeats);
    return erfc(x * sqrt((double)repeats) * M_SQRT1_2);
}

double ll_chance_quantile(ll_noise noise, double size, long repeats, double probability)
{
    double low = 0, high = 1;
    while (tail(noise, high, repeats) > probability && high < 1e6)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (tail(noise, middle, repeats) > probability * (1 - 1e-9))
            low = middle;
        else
            high = middle;
    }
    return size * high * (1 + 1e-9);
}

/* ---- repeats ---- */

typedef struct {
    const ll_scorer *scorer;
    const char *code;
    const ll_plan_request *request;
    double size;
} question;

/* A plan whose every query is asked `repeats` times. The more queries share the failure, the larger the bound, and the
 * bound decides how many there are: begin with one a row, and tighten while that holds. */
static ll_status plan_repeats(const question *w, ll_plan **out, long repeats, ll_error *error)
{
    double shared = (double)w->scorer->rows;
    ll_plan *best = NULL;
    for (int i = 0; i < 3; i++) {
        ll_plan *plan;
        double bound = ll_chance_quantile(w->scorer->noise, w->size, repeats, w->request->failure / shared);
        ll_status status =
            ll_plan_make_bounded(&plan, w->scorer, w->code, w->request, bound, repeats, best == NULL ? error : NULL);
        if (status != LL_OK && best == NULL)
            return status;
        if (status != LL_OK)
            break;
        double asked = (double)(plan->queries / plan->repeats);
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
        ll_status status = fits <= LL_CHANCE_REPEATS ? plan_repeats(w, &plan, fits, &first) : LL_DOMAIN;
        if (status == LL_OK)
            break;
        if (status != LL_DOMAIN || fits > LL_CHANCE_REPEATS)
            return ll_fail(error, status, "%s", first.text);
        fails = fits;
    }
    while (fits - fails > 1) {
        long middle = fails + (fits - fails) / 2;
        ll_plan *fewer;
        if (plan_repeats(w, &fewer, middle, NULL) == LL_OK) {
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
static void try_more(const question *w, ll_plan **best, long repeats)
{
    for (int worse = 0; worse < 2 && repeats < LL_CHANCE_REPEATS;) {
        ll_plan *plan;
        repeats += 1 + repeats / 2;
        if (repeats > LL_CHANCE_REPEATS || plan_repeats(w, &plan, repeats, NULL) != LL_OK)
            return;
        int better = plan->queries < (*best)->queries;
        worse = better ? 0 : worse + 1;
        ll_plan_destroy(better ? *best : plan);
        *best = better ? plan : *best;
    }
}

ll_status ll_chance_make(ll_plan **out, const ll_scorer *scorer, const char *code, const ll_plan_request *request,
                         ll_error *error)
{
    question w = {scorer, code, request, 0};
    ll_exact size;
    ll_exact_init(&size);
    ll_status status = scorer->noise_size != NULL
                           ? ll_exact_set_text(&size, scorer->noise_size, strlen(scorer->noise_size))
                           : LL_DOMAIN;
    w.size = status == LL_OK ? ll_exact_get_d(&size) : 0;
    ll_exact_clear(&size);
    if (status != LL_OK || !(w.size > 0))
        return ll_fail(error, LL_DOMAIN, "noise needs a size above 0");
    if (request->repeats > LL_CHANCE_REPEATS)
        return ll_fail(error, LL_DOMAIN, "a query is repeated at most %d times", LL_CHANCE_REPEATS);
    if (request->repeats > 0)
        return plan_repeats(&w, out, request->repeats, error);
    long repeats = 1;
    status = first_plan(&w, out, &repeats, error);
    if (status == LL_OK)
        try_more(&w, out, repeats);
    return status;
}
