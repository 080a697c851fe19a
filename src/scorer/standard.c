/* What a metric's name means where no profile is named: the metric as the function of scikit-learn computes it, clip,
 * columns and sum included. */
#include "scorer/scorer.h"

#include <string.h>

/* In doubles. Exact arithmetic and other formats are for the metric itself. */
void ll_scorer_find_standard(ll_scorer *scorer)
{
    const char *arithmetic = scorer->given[LL_SET_ARITHMETIC], *metric = scorer->given[LL_SET_METRIC];
    int is_program = arithmetic == NULL || strcmp(arithmetic, "fp64") == 0;
    scorer->standard =
        is_program ? ll_profile_of_metric(metric != NULL ? metric : ll_setting_get_info(LL_SET_METRIC)->standard)
                   : NULL;
}

/* brier_score_loss reads one column; three classes have more. */
const char *ll_scorer_profile_text(const ll_scorer *scorer, ll_setting setting)
{
    const char *profile = scorer->given[LL_SET_PROFILE];
    if (profile == NULL && scorer->standard == NULL)
        return NULL;
    const char *text = ll_profile_text(profile != NULL ? profile : scorer->standard, setting);
    int is_narrow = profile == NULL && setting == LL_SET_COLUMNS && text != NULL && strcmp(text, "1") == 0;
    return is_narrow && scorer->classes > 2 ? NULL : text;
}

ll_status ll_scorer_is_usual(const ll_scorer *scorer, int *is_usual, const char *name)
{
    ll_scorer *without = NULL;
    if (ll_setting_find(name) < 0)
        return LL_DOMAIN;
    if (ll_scorer_copy(&without, scorer, NULL) != LL_OK || ll_scorer_set(without, name, NULL, NULL) != LL_OK) {
        ll_scorer_destroy(without);
        return LL_MEMORY;
    }
    without->classes = scorer->classes;
    const char *value = ll_scorer_get(scorer, name), *usual = ll_scorer_get(without, name);
    *is_usual = value == NULL ? usual == NULL : usual != NULL && strcmp(value, usual) == 0;
    ll_scorer_destroy(without);
    return LL_OK;
}
