#include "report/secrecy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LESS (1 - 0x1p-40) /* than doubles of a few steps may be off by */

long ll_report_part(const ll_scorer *described)
{
    const char *text = ll_scorer_get(described, "public");
    if (text == NULL || strcmp(text, "unknown") == 0)
        return 0;
    if (strspn(text, "0123456789") == strlen(text))
        return strtol(text, NULL, 10);
    long part = (long)floor(strtod(text, NULL) * (double)ll_scorer_get_count(described, "rows") + 1e-9);
    return part > 0 ? part : 1;
}

/* log2 of the number of parts of that size */
static double part_bits(double rows, double part)
{
    double bits = (lgamma(rows + 1) - lgamma(part + 1) - lgamma(rows - part + 1)) / log(2);
    return fmax(0, bits * LESS - 1e-9);
}

/* Submissions that the best certified plan takes; NAN: there is none. */
static ll_status count_queries(double *out, const ll_scorer *scorer, const ll_budget *budget, ll_error *error)
{
    ll_plan_request request;
    ll_plan_choice *choices = calloc((size_t)ll_code_count(), sizeof *choices);
    ll_plan_request_init(&request);
    request.budget = budget;
    *out = (double)NAN;
    ll_status status = choices != NULL ? ll_plan_compare(choices, scorer, &request, error)
                                       : ll_fail(error, LL_MEMORY, "no memory to compare codes");
    long best = status == LL_OK ? ll_plan_choose(choices, ll_code_count()) : -1;
    if (best >= 0)
        *out = (double)choices[best].queries;
    free(choices);
    return status == LL_MEMORY ? status : LL_OK;
}

static ll_status count_unsized(double *out, const ll_scorer *described, const ll_budget *budget, ll_error *error)
{
    ll_scorer *unsized = NULL;
    ll_status status = ll_scorer_vary(&unsized, described, error, "public", "unknown", (char *)NULL);
    if (status == LL_OK)
        status = count_queries(out, unsized, budget, error);
    ll_scorer_destroy(unsized);
    return status;
}

static void write_count(char *text, size_t size, double count)
{
    if (isnan(count))
        (void)snprintf(text, size, "no plan reads it for certain");
    else
        (void)snprintf(text, size, "%.0f submission%s read it", count, count == 1 ? "" : "s");
}

static void write_verdict(ll_secrecy *s)
{
    char known[80], hidden[80], unsized[80] = "";
    write_count(known, sizeof known, s->known);
    write_count(hidden, sizeof hidden, s->hidden);
    if (!isnan(s->unsized))
        (void)snprintf(unsized, sizeof unsized, ", %.0f where its size is not told either", s->unsized);
    int used = snprintf(s->verdict, sizeof s->verdict,
                        "The part of %ld rows: where it is known %s (no method can with fewer than %.0f); where it is "
                        "not told, %s%s (fewer than %.0f). ",
                        s->part, known, s->known_bound, hidden, unsized, s->hidden_bound);
    if (isnan(s->known) || isnan(s->hidden))
        (void)snprintf(
            s->verdict + used, sizeof s->verdict - (size_t)used,
            "What hiding which rows count is worth is not known here. The rest is for a part that is known.");
    else
        (void)snprintf(s->verdict + used, sizeof s->verdict - (size_t)used,
                       "Hiding which rows count multiplies the submissions by %.1f%s. The rest is for a part that is "
                       "known.",
                       s->hidden / s->known,
                       s->hidden > (double)s->rows ? ", one row a submission by the plan that is known here, and "
                                                     "protects nothing beyond that"
                                                   : " and protects nothing");
}

ll_status ll_report_price_secrecy(ll_secrecy *out, const ll_scorer *described, const ll_audit *audit,
                                  const ll_budget *budget, ll_error *error)
{
    const ll_plan_choice *best =
        audit->best >= 0 ? LL_AT(ll_plan_choice, audit->choices, audit->best, audit->choice_size) : NULL;
    *out = (ll_secrecy){.rows = ll_scorer_get_count(described, "rows"), .part = audit->rows};
    out->known = best != NULL && best->guarantee == LL_CERTIFIED ? (double)best->queries : (double)NAN;
    out->known_bound = audit->bound->min_queries;
    out->state_bits = part_bits((double)out->rows, (double)out->part) + audit->bound->label_bits;
    double bits = audit->bound->bits_per_query;
    out->hidden_bound = bits > 0 ? fmax(1, ceil(out->state_bits / bits * LESS)) : INFINITY;
    ll_status status = count_queries(&out->hidden, described, budget, error);
    if (status == LL_OK)
        status = count_unsized(&out->unsized, described, budget, error);
    write_verdict(out);
    return status;
}

static json_t *make_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *make_count(double x)
{
    return isfinite(x) ? json_integer((json_int_t)x) : json_null();
}

json_t *ll_report_json_secrecy(const ll_secrecy *s)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "rows", (json_int_t)s->rows, "public",
                     (json_int_t)s->part, "known_queries", make_count(s->known), "hidden_queries",
                     make_count(s->hidden), "unsized_queries", make_count(s->unsized), "known_min_queries",
                     make_count(s->known_bound), "hidden_min_queries", make_count(s->hidden_bound), "state_bits",
                     make_number(s->state_bits), "factor", make_number(s->hidden / s->known), "verdict", s->verdict);
}
