/* The questions of asked.h, handed to the family of the metric. */
#include "metric/asked.h"

#include "metric/metric_private.h"

#include <math.h>

static const ll_metric_family *family_of(const ll_asked *asked)
{
    return asked->how->metric->row->family;
}

double ll_computation_most(const ll_computation *how, long rows)
{
    const ll_metric_family *family = how->metric->row->family;
    return family->most != NULL ? family->most(how, rows) : 1;
}

ll_failure_kind ll_asked_fails(const ll_asked *asked)
{
    return family_of(asked)->fails(asked);
}

ll_status ll_asked_check_spread(const ll_asked *asked, ll_error *error)
{
    if (asked->power == 0)
        return ll_fail(error, LL_DOMAIN,
                       "noise in proportion: what a label can move after this transform is not known");
    if (asked->how->is_weighted)
        return ll_fail(error, LL_DOMAIN, "noise in proportion: what a label can move a weighted score is not known");
    if (family_of(asked)->spread == NULL)
        return ll_fail(error, LL_DOMAIN, "noise in proportion: what a label can move %s is not known",
                       ll_metric_row(asked->how->metric)->name);
    return family_of(asked)->check_spread != NULL ? family_of(asked)->check_spread(asked, error) : LL_OK;
}

ll_status ll_asked_get_spread(const ll_asked *asked, const ll_scoring *scoring, double *out,
                              const ll_predictions *predictions, ll_error *error)
{
    ll_status status = ll_asked_check_spread(asked, error);
    return status == LL_OK ? family_of(asked)->spread(asked, scoring, out, predictions, error) : status;
}

ll_status ll_asked_get_moves(const ll_asked *asked, const ll_scoring *scoring, double *out,
                             const ll_predictions *predictions, ll_error *error)
{
    ll_status status = ll_asked_check_spread(asked, error);
    if (status == LL_OK && family_of(asked)->moves == NULL)
        status = ll_fail(error, LL_DOMAIN, "what a label can move %s is not known row by row",
                         ll_metric_row(asked->how->metric)->name);
    return status == LL_OK ? family_of(asked)->moves(asked, scoring, out, predictions, error) : status;
}

double ll_asked_size_revealed(const ll_asked *asked)
{
    return family_of(asked)->size_revealed != NULL ? family_of(asked)->size_revealed(asked) : 0;
}

/* Of any metric: over its range. */
static double honest_range(const ll_asked *asked)
{
    double least = 0, most = 0;
    ll_metric_range(asked->how->metric, &least, &most);
    return asked->power != 0 && isfinite(most - least) && most > least ? fabs(asked->scale) * (most - least)
                                                                       : (double)NAN;
}

int ll_asked_reference(const ll_asked *asked, ll_reference *out)
{
    int is_known = family_of(asked)->reference != NULL && ll_asked_check_spread(asked, NULL) == LL_OK;
    *out = (ll_reference){(double)NAN, honest_range(asked)};
    if (is_known && asked->classes <= 2)
        family_of(asked)->reference(asked, out);
    return !family_of(asked)->has_terms;
}

int ll_asked_middling_spread(const ll_asked *asked, double *out)
{
    int is_known = family_of(asked)->middling_spread != NULL && ll_asked_check_spread(asked, NULL) == LL_OK;
    *out = is_known && asked->classes <= 2 ? family_of(asked)->middling_spread(asked) : (double)NAN;
    return !family_of(asked)->has_terms;
}

int ll_asked_expose(const ll_asked *asked, ll_exposure *out)
{
    *out = (ll_exposure){.value_bits = INFINITY, .swing = 1};
    if (family_of(asked)->expose != NULL)
        family_of(asked)->expose(asked, out);
    return !family_of(asked)->has_terms;
}

/* ---- probabilities ---- */

double ll_log_binomial(double n, double k, double ones)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(ones) + (n - k) * log1p(-ones);
}

double ll_label_entropy(double ones)
{
    double zeros = 1 - ones;
    return (ones > 0 ? -ones * log2(ones) : 0) + (zeros > 0 ? -zeros * log2(zeros) : 0);
}

double ll_proportion_revealed(long rows, double c)
{
    double n = (double)rows;
    return n / 2 * log1p(1 / (n * c * c)) / M_LN2;
}

int ll_noise_follows(double revealed, long rows, double c)
{
    return revealed <= ll_proportion_revealed(rows, c);
}

/* ---- failures ---- */

enum { FEW = 3 }; /* rows that show all that 0/0 can depend on */

/* Is there a number, so many of three rows being predicted 1, having that label, and both? */
static int has_number(const ll_computation *how, int64_t predicted, int64_t positives, int64_t tp)
{
    ll_work work = ll_view_work(how, 64);
    ll_worked number;
    ll_worked_init(&number);
    ll_status status = ll_score_two(how, &work, &number,
                                    &(ll_two){.tp = tp, .guessed = predicted, .positives = positives, .rows = FEW});
    ll_worked_clear(&number);
    return status == LL_OK;
}

/* Do labels decide whether predictions with so many 1 have a number? */
static int depends_on_labels(const ll_computation *how, int64_t predicted)
{
    int some = 0, none = 0;
    for (int64_t positives = 0; positives <= FEW; positives++)
        for (int64_t tp = 0; tp <= predicted && tp <= positives; tp++)
            if (predicted + positives - tp <= FEW)
                *(has_number(how, predicted, positives, tp) ? &some : &none) += 1;
    return some > 0 && none > 0;
}

static int depends_anywhere(const ll_computation *how)
{
    int depends = 0;
    for (int64_t predicted = 0; predicted <= FEW; predicted++)
        depends |= depends_on_labels(how, predicted);
    return depends;
}

ll_failure_kind ll_counts_fail(const ll_asked *asked, int raises)
{
    const ll_computation *how = asked->how;
    if (!raises && !ll_computation_may_fail(how))
        return LL_FAILS_NEVER;
    if (how->is_weighted || asked->classes > 2 || ll_metric_takes_classes(how->metric, 3))
        return LL_FAILS_SOMEHOW;
    if (!depends_anywhere(how))
        return LL_FAILS_NEVER;
    return has_number(how, 1, 1, 1) && !has_number(how, 1, 1, 0) && !has_number(how, 1, 0, 0) ? LL_FAILS_WITHOUT_HIT
                                                                                              : LL_FAILS_SOMEHOW;
}
