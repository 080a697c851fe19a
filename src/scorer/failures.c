#include "scorer/failures.h"

#include "metric/view.h"

enum { FEW = 3 }; /* rows that show all that 0/0 can depend on */

/* Is there a number, so many of three rows being predicted 1, having that label, and both? */
static int has_number(const ll_computation *how, int64_t guessed, int64_t positives, int64_t hits)
{
    ll_work work = ll_view_work(how, 64);
    ll_worked number;
    ll_worked_init(&number);
    ll_status status = ll_view_two(how, &work, &number,
                                   &(ll_two){.hits = hits, .guessed = guessed, .positives = positives, .rows = FEW});
    ll_worked_clear(&number);
    return status == LL_OK;
}

/* Do labels decide whether predictions with so many 1 have a number? */
static int depends_on_labels(const ll_computation *how, int64_t guessed)
{
    int some = 0, none = 0;
    for (int64_t positives = 0; positives <= FEW; positives++)
        for (int64_t hits = 0; hits <= guessed && hits <= positives; hits++)
            if (guessed + positives - hits <= FEW)
                *(has_number(how, guessed, positives, hits) ? &some : &none) += 1;
    return some > 0 && none > 0;
}

static int depends_anywhere(const ll_computation *how)
{
    int depends = 0;
    for (int64_t guessed = 0; guessed <= FEW; guessed++)
        depends |= depends_on_labels(how, guessed);
    return depends;
}

static ll_failure_kind of_counts(const ll_scorer *s)
{
    const ll_computation *how = &s->computation;
    int raises = how->zero_division == LL_ZERO_RAISE && ll_metric_view(how->metric) == LL_VIEW_CONFUSION;
    if (!raises && !ll_computation_may_fail(how) && !ll_view_cancels(how))
        return LL_FAILS_NEVER;
    if (how->is_weighted || s->classes > 2 || ll_metric_form(how->metric) != LL_FORM_BINARY)
        return LL_FAILS_SOMEHOW;
    if (!depends_anywhere(how))
        return LL_FAILS_NEVER;
    return has_number(how, 1, 1, 1) && !has_number(how, 1, 1, 0) && !has_number(how, 1, 0, 0) ? LL_FAILS_WITHOUT_HIT
                                                                                              : LL_FAILS_SOMEHOW;
}

/* Has a row that is sure of class 0 a finite loss with this label? */
static int is_finite(const ll_scorer *s, long label)
{
    ll_scoring scoring = {.how = &s->computation, .rows = 1, .classes = 2};
    long columns = ll_computation_columns(&s->computation, 2);
    ll_block block;
    arb_t term;
    ll_block_init(&block);
    arb_init(term);
    double *row = ll_block_reserve_doubles(&block, 1, columns);
    int finite = 0;
    if (row != NULL) {
        row[0] = columns == 2;
        row[columns - 1] = 0;
        finite = ll_scoring_term(&scoring, term, &block, 0, label, NULL) == LL_OK && arb_is_finite(term);
    }
    arb_clear(term);
    ll_block_clear(&block);
    return finite;
}

static ll_failure_kind of_terms(const ll_scorer *s)
{
    if (ll_metric_input(s->computation.metric) != LL_INPUT_PROBABILITY || is_finite(s, 1))
        return LL_FAILS_NEVER;
    return s->classes <= 2 && is_finite(s, 0) ? LL_FAILS_ON_MISS : LL_FAILS_SOMEHOW;
}

ll_failure_kind ll_scorer_failures(const ll_scorer *s)
{
    return ll_metric_view(s->computation.metric) == LL_VIEW_TERMS ? of_terms(s) : of_counts(s);
}
