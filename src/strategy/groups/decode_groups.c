#include "strategy/groups/decode_groups.h"

#include "scorer/groups.h"
#include "strategy/groups/groups.h"

#include <stdlib.h>
#include <string.h>

static const ll_row_groups *groups_of(const ll_decoder *d)
{
    return d->plan->scorer->groups;
}

static const ll_groups_decoder *own_of(const ll_decoder *d)
{
    return (const ll_groups_decoder *)d;
}

int ll_groups_begin(ll_decoder *d)
{
    ll_groups_decoder *own = (ll_groups_decoder *)d;
    arb_indeterminate(d->missing);
    const ll_plan *whole = ll_groups_whole(d->plan);
    own->of = calloc((size_t)groups_of(d)->count, sizeof(ll_decoder *));
    if (whole != NULL)
        return own->of != NULL && ll_decoder_create(&own->whole, whole, NULL) == LL_OK;
    for (long g = 0; own->of != NULL && g < groups_of(d)->count; g++)
        if (ll_groups_plan(d->plan, g) != NULL &&
            ll_decoder_create(&own->of[g], ll_groups_plan(d->plan, g), NULL) != LL_OK)
            return 0;
    return own->of != NULL;
}

void ll_groups_end(ll_decoder *d)
{
    for (long g = 0; own_of(d)->of != NULL && g < groups_of(d)->count; g++)
        ll_decoder_destroy(own_of(d)->of[g]);
    free(own_of(d)->of);
    ll_decoder_destroy(own_of(d)->whole);
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

static ll_status score(ll_decoder *d, ll_decoder *one, const ll_predictions *stored, const char *text, ll_error *error)
{
    ll_predictions watched;
    if (d->query >= one->plan->queries || ll_decoder_is_none(one))
        return LL_OK;
    ll_status status = ll_decoder_watch(one, &watched, stored, d->query, error);
    if (status == LL_OK)
        status = ll_decoder_score(one, text, error);
    d->is_none |= status == LL_OK && ll_decoder_is_none(one);
    d->is_refuted |= status == LL_OK && ll_decoder_is_refuted(one);
    return status;
}

static ll_status score_group(ll_decoder *d, const ll_block *all, long group, const char *text, ll_error *error)
{
    ll_decoder *one = own_of(d)->of[group];
    own_rows own = {all, groups_of(d)->list[group], d->plan->columns};
    if (one == NULL)
        return LL_OK;
    ll_predictions stored = {
        .self = &own, .rows = one->plan->rows, .columns = own.columns, .entries = d->plan->entries, .get = get_own};
    return score(d, one, &stored, text, error);
}

ll_status ll_groups_hear(ll_decoder *d, const ll_answer *answer, ll_error *error)
{
    ll_block all;
    if (own_of(d)->whole != NULL)
        return score(d, own_of(d)->whole, &d->stored, answer->texts[0], error);
    ll_block_init(&all);
    ll_status status = d->stored.get(d->stored.self, &all, 0, d->plan->rows, error);
    for (long g = 0; g < groups_of(d)->count && status == LL_OK; g++)
        status = score_group(d, &all, g, answer->texts[1 + g], error);
    ll_block_clear(&all);
    return status;
}

/* ---- the verdict ---- */

/* What is possible of a row: of more labels than are listed a range (src/decode/decoder_verdict.c). */
static void copy_possible(ll_verdict *v, long row, const ll_verdict *one, long place)
{
    if (v->candidates != NULL) {
        memcpy(v->candidates + row * v->classes, one->candidates + place * v->classes, (size_t)v->classes);
        return;
    }
    v->lowest[row] = one->lowest[place];
    v->highest[row] = one->highest[place];
}

/* The labels of one decoder, whose rows are those of the list, NULL: all; where another group's scores fit no labels
 * nothing is certain of these either. */
static void take_rows(ll_verdict *v, const ll_verdict *one, const long *list)
{
    for (long i = 0; i < one->rows; i++) {
        long row = list != NULL ? list[i] : i;
        v->labels[row] = one->labels[i];
        copy_possible(v, row, one, i);
    }
    if (one->kind == LL_NONE)
        v->kind = LL_NONE;
    else if (one->kind == LL_AMBIGUOUS && v->kind != LL_NONE)
        v->kind = LL_AMBIGUOUS;
}

static ll_status take(const ll_decoder *decoder, ll_verdict *v, const long *list, ll_error *error)
{
    ll_verdict one;
    ll_verdict_init(&one);
    ll_status status = ll_decoder_verdict(decoder, &one, error);
    if (status == LL_OK)
        take_rows(v, &one, list);
    ll_verdict_clear(&one);
    return status;
}

ll_status ll_groups_conclude(const ll_decoder *d, ll_verdict *v, ll_error *error)
{
    const ll_decoder *whole = own_of(d)->whole;
    v->kind = LL_UNIQUE;
    v->certain = 0;
    ll_status status = whole != NULL ? take(whole, v, NULL, error) : LL_OK;
    for (long g = 0; g < groups_of(d)->count && status == LL_OK && whole == NULL; g++) {
        if (own_of(d)->of[g] != NULL)
            status = take(own_of(d)->of[g], v, groups_of(d)->list[g], error);
        else if (v->kind != LL_NONE) /* a verdict begins with every row open */
            v->kind = LL_AMBIGUOUS;
    }
    for (long i = 0; i < v->rows; i++) {
        if (v->kind == LL_NONE)
            v->labels[i] = -1;
        v->certain += v->labels[i] >= 0;
    }
    return status;
}
