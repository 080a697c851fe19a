#include "scorer/sensitivity.h"

ll_asked ll_scorer_asked(const ll_scorer *scorer, long rows, long classes)
{
    ll_asked asked = {.how = &scorer->computation, .rows = rows, .classes = classes, .scale = 1, .power = 1};
    asked.counts = scorer->counts;
    ll_release_add_steps(&scorer->release, &asked.scale, &asked.power);
    asked.ones = scorer->prior != NULL && scorer->prior_count > 1 ? scorer->prior[1] : 0.5;
    asked.proportion = ll_release_get_figures(&scorer->release).proportion;
    return asked;
}

ll_shape ll_scorer_shape(const ll_scorer *scorer, long rows)
{
    const ll_asked asked = ll_scorer_asked(scorer, rows, scorer->classes);
    return ll_shape_of(&asked);
}

ll_status ll_scorer_check_spread(const ll_scorer *scorer, ll_error *error)
{
    const ll_asked asked = ll_scorer_asked(scorer, scorer->rows, scorer->classes);
    return ll_asked_check_spread(&asked, error);
}

ll_status ll_scorer_get_spread(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                               const ll_predictions *predictions, ll_error *error)
{
    const ll_asked asked = ll_scorer_asked(scorer, scoring->rows, scoring->classes);
    return ll_asked_get_spread(&asked, scoring, out, predictions, error);
}

ll_status ll_scorer_get_moves(const ll_scorer *scorer, const ll_scoring *scoring, double *out,
                              const ll_predictions *predictions, ll_error *error)
{
    const ll_asked asked = ll_scorer_asked(scorer, scoring->rows, scoring->classes);
    return ll_asked_get_moves(&asked, scoring, out, predictions, error);
}

ll_failure_kind ll_scorer_failures(const ll_scorer *scorer)
{
    const ll_asked asked = ll_scorer_asked(scorer, scorer->rows, scorer->classes);
    return ll_asked_fails(&asked);
}
