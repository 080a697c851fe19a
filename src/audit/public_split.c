/* A score over a public split of the rows: the audit is of the split, as whoever knows it sees it, and this is what
 * hiding which rows are in it adds (docs/proofs/public.md). */
#include "audit/audit_private.h"
#include "number/text_number.h"
#include "planner/planner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LESS (1 - 0x1p-40) /* than doubles of a few steps may be off by */

enum { COUNT = 80, TEXT = 640 };

ll_status ll_audit_find_split(ll_scorer **out, const ll_scorer *described, ll_error *error)
{
    char rows[32];
    *out = NULL;
    if (!described->is_part)
        return LL_OK;
    if (strcmp(ll_scorer_text(described, LL_SET_PUBLIC), "unknown") == 0)
        return ll_fail(error, LL_DOMAIN,
                       "public unknown: an audit is for the host, who knows how many rows count; give a share or a "
                       "count (the report also has the submissions that read a split of hidden size)");
    (void)snprintf(rows, sizeof rows, "%ld", described->counted_least);
    return ll_scorer_vary(out, described, error, "public", (char *)NULL, "rows", rows, (char *)NULL);
}

/* log2 of the number of splits of that size */
static double split_bits(double rows, double scored)
{
    double bits = (lgamma(rows + 1) - lgamma(scored + 1) - lgamma(rows - scored + 1)) / log(2);
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

/* ---- in words ---- */

static void write_count(char text[COUNT], double count)
{
    if (isnan(count))
        (void)snprintf(text, COUNT, "no plan reads it for certain");
    else
        (void)ll_print(text, COUNT, count == 1 ? "%.0f submission reads it" : "%.0f submissions read it", count);
}

static void write_worth(char *text, size_t size, const ll_public_split *s)
{
    if (isnan(s->known) || isnan(s->hidden))
        ll_print_more(text, size, "What hiding which rows count is worth is not known here.");
    else
        ll_print_more(text, size, "Hiding which rows count multiplies the submissions by %.1f%s.", s->hidden / s->known,
                      s->hidden > (double)s->rows ? ", one row per submission by the plan that is known here, and "
                                                    "protects nothing beyond that"
                                                  : " and protects nothing");
    ll_print_more(text, size, " The rest is for a split that is known.");
}

static ll_status write_text(ll_public_split *s, ll_error *error)
{
    char text[TEXT] = "", known[COUNT], hidden[COUNT], unsized[COUNT] = "";
    write_count(known, s->known);
    write_count(hidden, s->hidden);
    if (!isnan(s->unsized))
        (void)ll_print(unsized, sizeof unsized, ", %.0f where its size is hidden as well", s->unsized);
    ll_print_more(text, sizeof text,
                  "The public split of %ld rows: where it is known, %s (no method needs fewer than %.0f); where it is "
                  "hidden, %s%s (no method needs fewer than %.0f). ",
                  s->scored, known, s->known_bound, hidden, unsized, s->hidden_bound);
    write_worth(text, sizeof text, s);
    s->text = strdup(text);
    return s->text != NULL ? LL_OK : ll_fail(error, LL_MEMORY, "no memory for an audit");
}

/* ---- the split ---- */

ll_status ll_audit_price_split(ll_audit *a, const ll_scorer *described, const ll_budget *budget, ll_error *error)
{
    if (!described->is_part)
        return LL_OK;
    ll_public_split *s = a->split = calloc(1, sizeof *s);
    if (s == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for an audit");
    const ll_plan_choice *best = a->best >= 0 ? a->choices + a->best : NULL;
    double bits = a->bound->bits_per_query;
    s->rows = described->rows;
    s->scored = a->rows;
    s->known = best != NULL && best->guarantee == LL_CERTIFIED ? (double)best->queries : (double)NAN;
    s->known_bound = a->bound->min_queries;
    s->state_bits = split_bits((double)s->rows, (double)s->scored) + a->bound->label_bits;
    s->hidden_bound = bits > 0 ? fmax(1, ceil(s->state_bits / bits * LESS)) : INFINITY;
    ll_status status = count_queries(&s->hidden, described, budget, error);
    if (status == LL_OK)
        status = count_unsized(&s->unsized, described, budget, error);
    return status == LL_OK ? write_text(s, error) : status;
}
