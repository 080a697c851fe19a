/* From the text of a released score back to the sum of terms. */
#include "infer/evidence.h"

#include <assert.h>
#include <math.h>

enum { PREC = 320 };

/* The interval of the program's sum of terms. */
static ll_status read_sum(const ll_evidence *e, arb_t sum, const char *text, ll_allowance allowance, ll_error *error)
{
    const ll_release *release = &e->scorer->release;
    slong prec = PREC + e->scorer->computation.precision;
    arb_t number;
    arb_init(number);
    ll_status status = ll_release_read(release, number, text, &e->texts, allowance, prec, error);
    if (status == LL_OK && ll_release_undo(release, number, 0, allowance, prec) != LL_OK)
        status = ll_fail(error, LL_DOMAIN, "the score '%.40s' is below 0, and no root is", text);
    if (status == LL_OK)
        ll_link_get_sum(e->scoring.how, sum, number, e->rows, allowance == LL_STATED, prec);
    arb_clear(number);
    return status;
}

ll_status ll_evidence_read_score(const ll_evidence *e, arb_t sum, arb_t noise, const char *text, ll_error *error)
{
    arb_t stated;
    arb_init(stated);
    ll_status status = read_sum(e, sum, text, LL_STATED_AND_OWN, error);
    if (status == LL_OK)
        status = read_sum(e, stated, text, LL_STATED, error);
    arb_get_rad_arb(noise, stated);
    arb_clear(stated);
    return status;
}

/* ---- levels ---- */

/* The least or the greatest sum that labels can make; 0: there is none, because a label may fail. */
static int find_end(const ll_evidence *e, const ll_observation *o, arb_t out, int greatest)
{
    arb_zero(out);
    for (long i = 0; i < e->rows; i++) {
        const arb_struct *best = NULL;
        for (long k = 0; k < e->classes; k++) {
            const arb_struct *term = o->terms + i * e->classes + k;
            if (!o->allowed[i * e->classes + k] || !arb_is_finite(term))
                return 0;
            if (best == NULL || (arf_cmp(arb_midref(term), arb_midref(best)) > 0) == greatest)
                best = term;
        }
        assert(best != NULL); /* there are classes */
        arb_add(out, out, best, PREC);
        mag_t doubt; /* another term may be beyond this one by its radius */
        mag_init(doubt);
        for (long k = 0; k < e->classes; k++)
            mag_max(doubt, doubt, arb_radref(o->terms + i * e->classes + k));
        arb_add_error_mag(out, doubt);
        mag_clear(doubt);
    }
    return 1;
}

/* What the scorer's own sum may be beside that of its terms: no more than its slope times their sizes. */
static void add_slope(const ll_evidence *e, const ll_observation *o, arb_t end)
{
    mag_t size, all;
    mag_init(size);
    mag_init(all);
    for (long i = 0; i < e->rows * e->classes; i++) {
        arb_get_mag(size, o->terms + i);
        mag_add(all, all, size);
    }
    mag_mul(all, all, o->slope);
    arb_add_error_mag(end, all);
    mag_clear(size);
    mag_clear(all);
}

/* The end of the metric itself, for counts and ranks. */
static int find_range(const ll_evidence *e, arb_t out, int greatest)
{
    double least = 0, most = 0;
    ll_metric_range(e->scoring.how->metric, &least, &most);
    double end = greatest ? most : least;
    arb_set_d(out, end);
    return isfinite(end) && most > least;
}

int ll_evidence_widen_level(const ll_evidence *e, ll_observation *o, const char *text)
{
    const ll_metric *metric = e->scoring.how->metric;
    ll_shown_level shown = ll_release_shown(&e->scorer->release, text, &e->texts);
    int is_view = o->values != NULL, greatest = ll_metric_is_gain(metric) == (shown == LL_SHOWN_AT_LEAST);
    if (shown == LL_SHOWN_BETWEEN)
        return 1;
    if (shown == LL_SHOWN_NOTHING || (is_view && shown == LL_SHOWN_NO_BETTER)) /* it may have failed */
        return 0;
    arb_t end;
    arb_init(end);
    int is_found = is_view ? find_range(e, end, greatest) : find_end(e, o, end, greatest);
    if (is_found && !is_view)
        add_slope(e, o, end);
    if (is_found) {
        arb_union(o->sum, o->sum, end, PREC);
        arb_get_rad_arb(o->noise, o->sum);
    }
    arb_clear(end);
    return is_found;
}
