/* A part of an evidence. With c_i the scorer's terms, |sum - sum of c_i| <= slope * sum of |c_i|; what rows outside the
 * part add is in the ball of the terms of their candidates, so the sum less these balls, widened by slope times their
 * magnitudes, is one of the part with the same slope. */
#include "infer/blocks.h"

#include <stdlib.h>

enum { PREC = 320 };

/* The ball of the terms of a row's candidates. */
static void enclose_row(arb_t out, const ll_observation *o, const unsigned char *candidates, long row, long classes)
{
    int any = 0;
    for (long k = row * classes; k < (row + 1) * classes; k++) {
        if (!candidates[k] || !o->allowed[k])
            continue;
        if (any)
            arb_union(out, out, o->terms + k, PREC);
        else
            arb_set(out, o->terms + k);
        any = 1;
    }
    if (!any)
        arb_zero(out);
}

static void take_off(ll_observation *to, const ll_evidence *e, long score, const unsigned char *candidates,
                     const unsigned char *inside)
{
    const ll_observation *from = e->observations + score;
    arb_t term;
    mag_t size, magnitude;
    arb_init(term);
    mag_init(size);
    mag_init(magnitude);
    for (long i = 0; i < e->rows; i++) {
        if (inside[i])
            continue;
        enclose_row(term, from, candidates, i, e->classes);
        arb_sub(to->sum, to->sum, term, PREC);
        arb_get_mag(size, term);
        mag_addmul(magnitude, size, from->slope);
    }
    arb_add_error_mag(to->sum, magnitude);
    arb_clear(term);
    mag_clear(size);
    mag_clear(magnitude);
}

static int copy_observation(ll_observation *to, const ll_observation *from, const unsigned char *candidates,
                            const long *rows, long row_count, long classes)
{
    *to = (ll_observation){.terms = _arb_vec_init(row_count * classes),
                           .allowed = malloc((size_t)(row_count * classes) + 1)};
    arb_init(to->sum);
    arb_init(to->noise);
    mag_init(to->slope);
    arb_set(to->sum, from->sum);
    arb_set(to->noise, from->noise);
    mag_set(to->slope, from->slope);
    for (long i = 0; to->allowed != NULL && i < row_count * classes; i++) {
        long cell = rows[i / classes] * classes + i % classes;
        arb_set(to->terms + i, from->terms + cell);
        to->allowed[i] = candidates[cell] && from->allowed[cell];
    }
    return to->allowed != NULL;
}

ll_status ll_evidence_restrict(ll_evidence *out, const ll_evidence *e, const unsigned char *candidates,
                               const long *rows, long row_count, const long *scores, long score_count)
{
    unsigned char *inside = calloc((size_t)e->rows, 1);
    *out = *e;
    out->rows = row_count;
    out->count = 0;
    out->observations = calloc((size_t)score_count + 1, sizeof *out->observations);
    int complete = inside != NULL && out->observations != NULL;
    for (long i = 0; complete && i < row_count; i++)
        inside[rows[i]] = 1;
    for (long q = 0; complete && q < score_count; q++) {
        const ll_observation *from = e->observations + scores[q];
        ll_observation *to = out->observations + out->count++;
        complete = copy_observation(to, from, candidates, rows, row_count, e->classes);
        if (complete)
            take_off(to, e, scores[q], candidates, inside);
    }
    free(inside);
    if (!complete)
        ll_evidence_free_part(out);
    return complete ? LL_OK : LL_MEMORY;
}

void ll_evidence_free_part(ll_evidence *part)
{
    for (long q = 0; q < part->count; q++)
        ll_observation_clear(part->observations + q, part->rows * part->classes);
    free(part->observations);
    part->observations = NULL;
    part->count = 0;
}
