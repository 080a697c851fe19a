/* The text of a released score, back to N * score. */
#include "plan/decoder.h"

#include <string.h>

/* A float that is released with all its digits: the text reads back as the number, and is not the number. Noise makes a
 * double of a native score (docs/proofs/score-interval.md). */
static void read_back(const ll_plan *plan, arb_t out, const ll_exact *text)
{
    const ll_resolved *r = &plan->scoring.resolved;
    int is_double = r->kind == LL_KIND_NATIVE && plan->scoring.scorer.noise != LL_NOISE_NONE;
    ll_format format = is_double ? (ll_format){11, 52} : r->total.format;
    if (r->kind != LL_KIND_EXACT && plan->scoring.scorer.rounding == LL_ROUND_NONE &&
        ll_format_nearest(&format, arb_midref(out), text))
        mag_zero(arb_radref(out));
}

ll_status ll_decoder_read_score(const ll_plan *plan, arb_t out, const char *text, ll_error *error)
{
    ll_exact score;
    ll_exact_init(&score);
    ll_status status = ll_exact_set_text(&score, text, strlen(text));
    if (status == LL_OK && (fmpz_bits(score.two) > 40 || fmpz_bits(score.five) > 40))
        status = LL_DOMAIN;
    if (status != LL_OK) {
        ll_exact_clear(&score);
        return ll_fail(error, LL_DOMAIN, "the score '%.40s' is not a finite decimal number", text);
    }
    ll_exact_get_ball(out, &score, plan->prec + 64);
    read_back(plan, out, &score);
    ll_exact_clear(&score);
    if (plan->scoring.scorer.transform == LL_NEGATE)
        arb_neg(out, out);
    if (plan->scoring.scorer.transform == LL_PERCENT)
        arb_div_ui(out, out, 100, plan->prec + 64);
    if (ll_plan_takes_labels(plan))
        ll_labels_count(plan, out);
    else
        arb_mul_si(out, out, plan->rows, plan->prec + 64);
    return LL_OK;
}
