#include "decode/decode_groups.h"

#include "number/value.h"
#include "scorer/groups.h"
#include "scorer/several.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ll_row_groups *groups_of(const ll_decoder *d)
{
    return d->plan->scorer->groups;
}

ll_status ll_grouped_create(ll_decoder **out, const ll_plan *plan, ll_error *error)
{
    ll_decoder *d = calloc(1, sizeof *d);
    if (d == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for a decoder");
    d->plan = plan;
    d->query = -1;
    d->answered = calloc((size_t)plan->queries, 1);
    d->groups = calloc((size_t)groups_of(d)->count, sizeof *d->groups);
    ll_status status = d->answered != NULL && d->groups != NULL
                           ? LL_OK
                           : ll_fail(error, LL_MEMORY, "no memory for %ld groups", groups_of(d)->count);
    for (long g = 0; g < groups_of(d)->count && status == LL_OK; g++)
        status = ll_decoder_create(&d->groups[g], plan->groups[g], error);
    if (status == LL_OK)
        *out = d;
    else
        ll_grouped_destroy(d);
    return status;
}

void ll_grouped_destroy(ll_decoder *d)
{
    for (long g = 0; d->groups != NULL && g < groups_of(d)->count; g++)
        ll_decoder_destroy(d->groups[g]);
    free(d->groups);
    free(d->answered);
    free(d);
}

/* ---- one answer ---- */

/* All stored predictions, and the rows of one group of them. */
typedef struct {
    const ll_block *all;
    const long *list;
    long columns;
} own_rows;

static ll_status get_own(void *self, ll_block *out, long first, long count, ll_error *error)
{
    const own_rows *own = self;
    int is_exact = own->all->entries == LL_ENTRIES_EXACT;
    void *to = is_exact ? (void *)ll_block_reserve_exacts(out, count, own->columns)
                        : (void *)ll_block_reserve_doubles(out, count, own->columns);
    if (to == NULL)
        return ll_fail(error, LL_MEMORY, "no memory for %ld rows of predictions", count);
    for (long i = 0; i < count * own->columns; i++) {
        long at = own->list[first + i / own->columns] * own->columns + i % own->columns;
        if (is_exact)
            ll_exact_set((ll_exact *)to + i, own->all->exacts + at);
        else
            ((double *)to)[i] = own->all->doubles[at];
    }
    return LL_OK;
}

static ll_status score_one(ll_decoder *d, const ll_block *all, long group, const char *text, ll_error *error)
{
    ll_decoder *one = d->groups[group];
    own_rows own = {all, groups_of(d)->list[group], d->plan->columns};
    ll_predictions stored = {
        .self = &own, .rows = one->plan->rows, .columns = own.columns, .entries = d->plan->entries, .get = get_own};
    ll_predictions watched;
    if (d->query >= one->plan->queries || ll_decoder_is_none(one))
        return LL_OK;
    ll_status status = ll_decoder_watch(one, &watched, &stored, d->query, error);
    if (status == LL_OK)
        status = ll_decoder_score(one, text, error);
    d->is_none |= status == LL_OK && ll_decoder_is_none(one);
    d->is_refuted |= status == LL_OK && ll_decoder_is_refuted(one);
    return status;
}

ll_status ll_grouped_score(ll_decoder *d, const char *text, ll_error *error)
{
    ll_block all;
    ll_answer answer;
    if (d->query < 0 || d->answered[d->query])
        return ll_fail(error, LL_DOMAIN, "a score without predictions: watch a query first");
    ll_status status = ll_answer_split(&answer, d->plan->answer, text, error);
    if (status != LL_OK)
        return status;
    ll_block_init(&all);
    status = d->stored.get(d->stored.self, &all, 0, d->plan->rows, error);
    for (long g = 0; g < groups_of(d)->count && status == LL_OK; g++)
        status = score_one(d, &all, g, answer.texts[1 + g], error);
    if (status == LL_OK) {
        d->answered[d->query] = 1;
        d->scores++;
        d->query = -1;
    }
    ll_block_clear(&all);
    ll_answer_clear(&answer);
    return status;
}

/* ---- the verdict ---- */

/* The labels of one group; where another group's scores fit no labels nothing is certain of these either. */
static void take_group(const ll_decoder *d, ll_verdict *v, const ll_verdict *one, long group)
{
    const long *list = groups_of(d)->list[group];
    for (long i = 0; i < one->rows; i++) {
        v->labels[list[i]] = one->labels[i];
        memcpy(v->candidates + list[i] * v->classes, one->candidates + i * v->classes, (size_t)v->classes);
    }
    if (one->kind == LL_NONE)
        v->kind = LL_NONE;
    else if (one->kind == LL_AMBIGUOUS && v->kind != LL_NONE)
        v->kind = LL_AMBIGUOUS;
}

static ll_status join(const ll_decoder *d, ll_verdict *v, ll_error *error)
{
    ll_status status = LL_OK;
    for (long g = 0; g < groups_of(d)->count && status == LL_OK; g++) {
        ll_verdict one;
        ll_verdict_init(&one);
        status = ll_decoder_verdict(d->groups[g], &one, error);
        if (status == LL_OK)
            take_group(d, v, &one, g);
        ll_verdict_clear(&one);
    }
    for (long i = 0; i < v->rows; i++) {
        if (v->kind == LL_NONE)
            v->labels[i] = -1;
        v->certain += v->labels[i] >= 0;
    }
    return status;
}

ll_status ll_grouped_verdict(const ll_decoder *d, ll_verdict *out, ll_error *error)
{
    const ll_plan *plan = d->plan;
    ll_verdict v;
    ll_verdict_init(&v);
    v.gap.value = v.noise.value = v.rounding.value = v.residual.value = v.explains.value = (double)NAN;
    v.rows = plan->rows;
    v.classes = plan->classes;
    v.queries = d->scores;
    v.guarantee = LL_CERTIFIED;
    v.probability = 1;
    v.kind = LL_UNIQUE;
    v.labels = malloc(sizeof *v.labels * (size_t)plan->rows);
    v.candidates = malloc((size_t)plan->rows * (size_t)plan->classes);
    ll_status status = v.labels != NULL && v.candidates != NULL ? join(d, &v, error)
                                                                : ll_fail(error, LL_MEMORY, "no memory for a verdict");
    if (status == LL_OK) {
        v.wrong_description = ll_verdict_chance(plan, &v);
        ll_verdict_clear(out);
        status = ll_value_give(out, &v, sizeof v, error);
    }
    if (status != LL_OK)
        ll_verdict_clear(&v);
    return status;
}
